//! Error paths with the block abstractions on them inlined [beyer18bam, Sect. 2.2].
//!
//! An inlined path is a graph of its own, a single line of states as they are outside of all blocks, so that refiners see it
//! as they see any path. Each of its nodes knows which node of which block abstraction it came from.

use super::abstractions::{AbstractionId, Abstractions, Link};
use crate::cegar::{ErrorPath, identify};
use analysis::{AnalysisError, Arg, NodeId, Reducer, Target};
use base::Id;
use cfa::blocks::BlockId;

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
    before: S,
    block: BlockId,
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
    /// Where the blocks around a node were entered, the innermost first.
    pub fn entrances_around(&self, origin: Origin) -> Vec<(AbstractionId, NodeId)> {
        around(&self.entrances, origin.entrance)
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
    let mut inliner = Inliner { abstractions, inlined };
    match inliner.walk(cpa, Link { abstraction: abstractions.whole(), node }, None)? {
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
}

impl<C: Reducer> Inliner<'_, C> {
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
                self.inlined.entrances.push(Entrance { abstraction, node: before, outer, before: state, block });
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

    fn push(&mut self, cpa: &mut C, origin: Origin) -> Result<(), AnalysisError> {
        let Some(arg) = self.abstractions.arg(origin.abstraction) else { return Ok(()) };
        let mut state = arg.state(origin.node).clone();
        let mut at = origin.entrance;
        while let Some(index) = at {
            let entrance = &self.inlined.entrances[index];
            let (before, block) = (entrance.before.clone(), entrance.block);
            at = entrance.outer;
            state = cpa.expand(&before, block, &state)?;
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
