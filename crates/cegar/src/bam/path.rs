//! Error paths with the block abstractions on them inlined [beyer18bam, Sect. 2.2].
//!
//! An inlined path is a graph of its own, a single line of states as they are outside of all blocks, so that refiners see it
//! as they see any path. Each of its nodes knows which node of which block abstraction it came from.
//!
//! Where paths are nested ([`PathStyle::Nested`]), the line stays in the states of the blocks, and goes into those in which the error lies.
//! A block that is passed is a line of its own, from the node that enters it to an exit, on which the node behind it rests. Nodes
//! are numbered in the order in which runs come to them.

use super::abstraction::{AbstractionId, Link};
use super::abstractions::Abstractions;
use super::stacks::{LocationStack, stack_of_call};
use crate::refinement_loop::{ErrorPath, identify};
use analysis::{AnalysisError, Arg, NodeId, PathStyle, Reducer, Target};
use base::Id;
use cfa::blocks::BlockId;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Where a node of an inlined path came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The block abstraction.
    pub abstraction: AbstractionId,
    /// Its node.
    pub node: NodeId,
    /// Where the block was entered: an index into [`Inlined::entrances`]; none in the whole program.
    pub entrance: Option<usize>,
}

/// A block that a path enters.
#[derive(Clone, Debug)]
pub struct Entrance<S> {
    /// The abstraction around it.
    pub abstraction: AbstractionId,
    /// The node at which it is entered.
    pub node: NodeId,
    /// Where the block around it was entered.
    pub outer: Option<usize>,
    /// The state there.
    pub before: S,
    /// The same state outside of all blocks, if the block begins in the same way at it.
    pub outside: Option<S>,
    /// The block.
    pub block: BlockId,
}

/// An error path without references to block abstractions.
pub struct Inlined<S> {
    /// The path.
    pub path: ErrorPath,
    /// Its states.
    pub arg: Arg<S>,
    /// By node of `arg`.
    pub origins: Vec<Origin>,
    /// Blocks that the path enters.
    pub entrances: Vec<Entrance<S>>,
}

/// What inlining came to.
pub enum Inlining<S> {
    /// The path.
    Path(Box<Inlined<S>>),
    /// A block abstraction that the path needs has become another one; it was entered here.
    Hole(Vec<(AbstractionId, NodeId)>),
}

impl<S> Inlined<S> {
    /// An entrance and those around it, the innermost first.
    pub fn around(&self, innermost: Option<usize>) -> Vec<(AbstractionId, NodeId)> {
        around(&self.entrances, innermost)
    }

    /// The blocks around a node, the innermost first.
    pub fn blocks_around(&self, origin: Origin) -> impl Iterator<Item = BlockId> + '_ {
        let chain = std::iter::successors(origin.entrance, |at| self.entrances[*at].outer);
        chain.map(|at| self.entrances[at].block)
    }
}

fn around<S>(entrances: &[Entrance<S>], innermost: Option<usize>) -> Vec<(AbstractionId, NodeId)> {
    let chain = std::iter::successors(innermost, |at| entrances[*at].outer);
    chain.map(|at| (entrances[at].abstraction, entrances[at].node)).collect()
}

/// Inlines the path to a node of the whole program's graph.
///
/// # Errors
/// When the run has to end.
pub fn inline<C: Reducer>(
    cpa: &mut C,
    abstractions: &Abstractions<C>,
    node: NodeId,
    target: Target,
) -> Result<Inlining<C::State>, AnalysisError> {
    let path = ErrorPath { nodes: Vec::new(), edges: Vec::new(), positions: Vec::new(), target, fingerprint: 0 };
    let inlined = Inlined { path, arg: Arg::default(), origins: Vec::new(), entrances: Vec::new() };
    let mut inliner = Inliner { abstractions, inlined, passed: FxHashMap::default() };
    let end = Link { abstraction: abstractions.whole(), node, way: 0 };
    let walked = match C::PATHS {
        PathStyle::Flat => inliner.walk(cpa, end, None)?,
        PathStyle::Nested => match inliner.nest(cpa, end, None, None)? {
            Nested::Path(last) => {
                inliner.finish(last);
                return Ok(Inlining::Path(Box::new(inliner.inlined)));
            }
            Nested::Hole(hole) => Some(hole),
        },
    };
    match walked {
        None => {
            let path = &mut inliner.inlined.path;
            path.fingerprint = identify(&path.edges);
            Ok(Inlining::Path(Box::new(inliner.inlined)))
        }
        Some(hole) => Ok(Inlining::Hole(hole)),
    }
}

struct Inliner<'a, C: Reducer> {
    abstractions: &'a Abstractions<C>,
    inlined: Inlined<C::State>,
    /// In nested paths: where the line to an exit of an abstraction ends. Those who pass the block in the same way share it.
    passed: FxHashMap<(AbstractionId, NodeId), NodeId>,
}

/// The end of a line of a nested path.
enum Nested {
    Path(NodeId),
    Hole(Vec<(AbstractionId, NodeId)>),
}

impl<C: Reducer> Inliner<'_, C> {
    /// Appends the path to a node as a line below the node that enters the block; its last node.
    fn nest(
        &mut self,
        cpa: &mut C,
        to: Link,
        entrance: Option<usize>,
        from: Option<NodeId>,
    ) -> Result<Nested, AnalysisError> {
        let Some(arg) = self.abstractions.arg(to.abstraction) else {
            return Ok(Nested::Hole(around(&self.inlined.entrances, entrance)));
        };
        let nodes = arg.path_to(to.node);
        let choice = match from.map(|from| self.inlined.arg.state(from).clone()) {
            Some(before) => cpa.entering_choice(&before)?,
            None => 0,
        };
        let root = Origin { abstraction: to.abstraction, node: nodes[0], entrance };
        let mut at = self.add(root, arg.state(nodes[0]).clone(), from, choice);
        for pair in nodes.windows(2) {
            let (before, node) = (pair[0], pair[1]);
            let choice = arg.node(node).choice;
            let state = arg.state(node).clone();
            let origin = Origin { abstraction: to.abstraction, node, entrance };
            let Some(link) = self.abstractions.link(choice) else {
                at = self.add(origin, state, Some(at), choice);
                continue;
            };
            let Some(block) = cpa.block_at(arg.state(before)) else { continue };
            if let Some(end) = self.passed.get(&(link.abstraction, link.node)).copied() {
                at = self.add(origin, state, Some(at), link.way);
                self.inlined.arg.rest(at, end);
                continue;
            }
            let inner = self.inlined.entrances.len();
            let entered = Entrance {
                abstraction: to.abstraction,
                node: before,
                outer: entrance,
                before: arg.state(before).clone(),
                outside: None,
                block,
            };
            self.inlined.entrances.push(entered);
            let end = match self.nest(cpa, link, Some(inner), Some(at))? {
                Nested::Path(end) => end,
                hole => return Ok(hole),
            };
            if self.abstractions.target(link).is_some() {
                // The target within the block is the end of the path.
                return Ok(Nested::Path(end));
            }
            self.passed.insert((link.abstraction, link.node), end);
            at = self.add(origin, state, Some(at), link.way);
            self.inlined.arg.rest(at, end);
        }
        Ok(Nested::Path(at))
    }

    fn add(&mut self, origin: Origin, state: C::State, parent: Option<NodeId>, choice: u32) -> NodeId {
        let inlined = &mut self.inlined;
        let node = inlined.arg.add(state, parent, choice);
        debug_assert_eq!(node.index(), inlined.origins.len());
        inlined.origins.push(origin);
        node
    }

    /// Completes a nested path that ends at a node. There are no edges: which ones runs take is up to the refiner.
    fn finish(&mut self, last: NodeId) {
        let Inlined { path, arg, .. } = &mut self.inlined;
        path.nodes = arg.path_to(last);
        path.positions = vec![0; path.nodes.len()];
        let mut hasher = FxHasher::default();
        for node in arg.ids() {
            (arg.node(node).choice, arg.parent(node), arg.rests_on(node)).hash(&mut hasher);
        }
        path.fingerprint = hasher.finish();
    }

    /// Appends the path to a node; the entrances around a hole, if there is one.
    fn walk(
        &mut self,
        cpa: &mut C,
        to: Link,
        entrance: Option<usize>,
    ) -> Result<Option<Vec<(AbstractionId, NodeId)>>, AnalysisError> {
        let Some(arg) = self.abstractions.arg(to.abstraction) else {
            return Ok(Some(around(&self.inlined.entrances, entrance)));
        };
        let nodes = arg.path_to(to.node);
        for (i, node) in nodes.iter().enumerate() {
            if let Some(before) = i.checked_sub(1).map(|at| nodes[at]) {
                let choice = arg.node(*node).choice;
                let state = arg.state(before).clone();
                let Some(link) = self.abstractions.link(choice) else {
                    self.inlined.path.edges.extend(cpa.path(&state, choice)?);
                    self.push(cpa, Origin { abstraction: to.abstraction, node: *node, entrance })?;
                    continue;
                };
                let Some(block) = cpa.block_at(&state) else { continue };
                self.inlined.path.edges.extend(cpa.entering(&state));
                let inner = self.inlined.entrances.len();
                let (abstraction, outer) = (to.abstraction, entrance);
                let outside = self.outside(cpa, &state, block)?;
                let entered = Entrance { abstraction, node: before, outer, before: state, outside, block };
                self.inlined.entrances.push(entered);
                if let Some(hole) = self.walk(cpa, link, Some(inner))? {
                    return Ok(Some(hole));
                }
                if self.abstractions.target(link).is_some() {
                    // The target within the block is the end of the path.
                    continue;
                }
            }
            self.push(cpa, Origin { abstraction: to.abstraction, node: *node, entrance })?;
        }
        Ok(None)
    }

    /// The last state of the path, which is `before` outside of all blocks, if the block begins in the same way at both.
    fn outside(&self, cpa: &mut C, before: &C::State, block: BlockId) -> Result<Option<C::State>, AnalysisError> {
        let Some(last) = self.inlined.path.nodes.last() else { return Ok(None) };
        let state = self.inlined.arg.state(*last);
        Ok(cpa.enters_alike(block, before, state)?.then(|| state.clone()))
    }

    fn push(&mut self, cpa: &mut C, origin: Origin) -> Result<(), AnalysisError> {
        let Some(arg) = self.abstractions.arg(origin.abstraction) else { return Ok(()) };
        let mut state = arg.state(origin.node).clone();
        let mut at = origin.entrance;
        while let Some(index) = at {
            let entrance = &self.inlined.entrances[index];
            let (before, block) = (entrance.outside.as_ref().unwrap_or(&entrance.before), entrance.block);
            at = entrance.outer.filter(|_| entrance.outside.is_none());
            state = cpa.expand(before, block, &state)?;
        }
        let inlined = &mut self.inlined;
        let parent = inlined.path.nodes.last().copied();
        let node = inlined.arg.add(state, parent, 0);
        debug_assert_eq!(node.index(), inlined.origins.len());
        inlined.origins.push(origin);
        inlined.path.nodes.push(node);
        inlined.path.positions.push(inlined.path.edges.len());
        Ok(())
    }
}

/// The stack of the first popped call of an error path, and those of the calls within it on the path, as they will be where it is not
/// popped; and the position of that call among the entrances.
pub fn first_pop<C: Reducer>(
    cpa: &C,
    abstractions: &Abstractions<C>,
    inlined: &Inlined<C::State>,
) -> Option<(usize, Vec<LocationStack>)> {
    let is_popped = |entrance: &Entrance<C::State>| {
        abstractions.get(entrance.abstraction).is_some_and(|around| around.popped.contains(&entrance.node))
    };
    let first = inlined.entrances.iter().position(is_popped)?;
    let below = abstractions.get(inlined.entrances[first].abstraction)?.stack.clone();
    let mut stacks: Vec<Option<LocationStack>> = vec![None; inlined.entrances.len()];
    for (i, entrance) in inlined.entrances.iter().enumerate().skip(first) {
        let below = match entrance.outer {
            _ if i == first => Some(below.clone()),
            // Entrances come after those around them.
            outer => outer.and_then(|outer| stacks[outer].clone()),
        };
        stacks[i] = below.map(|below| stack_of_call(cpa, &below, &entrance.before));
    }
    Some((first, stacks.into_iter().flatten().collect()))
}
