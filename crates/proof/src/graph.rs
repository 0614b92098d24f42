//! An abstract reachability graph as a proof checker reads it: locations, call stacks, facts, and edges of the program.
//!
//! Facts are values of places, and formulas over what places hold. Every analysis whose proof is a graph (or an invariant
//! at each loop head, which is a graph without coverage) exports this one type; nothing in it knows a domain.
//! Where formulas mention addresses, they are those of [`ProofGraph::objects`], which never change.

use base::Id;
use cfa::blocks::BlockKind;
use cfa::observer::ObserverState;
use cfa::points_to::Object;
use cfa::{EdgeId, FuncId, LocId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::copy::Copies;
use smt::{Sort, TermId, Terms};
use std::ops::Range;
use task::Task;

/// A graph. The first node is the root.
#[derive(Clone, Default)]
pub struct ProofGraph {
    /// Its nodes.
    pub nodes: Vec<ProofNode>,
    /// The formulas of its nodes.
    pub formulas: Formulas,
    /// Objects at fixed addresses.
    pub objects: Vec<Placed>,
    /// Where runs are compared with the successors of [`Next::Reach`]: on every cycle there must be one, and each of those
    /// successors stands at one.
    pub points: FxHashSet<LocId>,
    /// What nodes choose at loops with strategies.
    pub strategies: Selections,
    /// Objects that formulas describe as arrays, with the bytes of an element.
    pub arrays: Vec<(ObjectRef, u32)>,
    /// Parts of the graph that are about one block each, in the order of their nodes, which come after those of the whole
    /// program.
    pub blocks: Vec<ProofBlock>,
}

impl ProofGraph {
    /// The block that a node is about; none for the whole program.
    pub fn block_of(&self, node: usize) -> Option<usize> {
        let at = self.blocks.partition_point(|block| block.nodes.start <= node).checked_sub(1)?;
        self.blocks[at].nodes.contains(&node).then_some(at)
    }

    /// The nodes at which runs leave a block.
    pub fn exits_of(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let nodes = self.blocks.get(block).map_or(0..0, |block| block.nodes.clone());
        nodes.filter(|node| matches!(self.nodes.get(*node), Some(ProofNode { next: Next::Leave, .. })))
    }

    /// Whether nodes claim more than values: then they list all objects that exist.
    pub fn has_formulas(&self) -> bool {
        let beyond =
            |node: &ProofNode| matches!(node.next, Next::Reach(_) | Next::Call { .. }) || !node.formulas.is_empty();
        self.nodes.iter().any(beyond)
    }

    /// Whether a node was expanded, or is covered by one that was, over any number of steps. The root does not count: it
    /// is expanded for initial values only.
    pub fn is_expanded_in_the_end(&self, node: usize) -> bool {
        let mut at = node;
        for _ in 0..=self.nodes.len() {
            match self.nodes.get(at).map(|node| &node.next) {
                Some(Next::Covered(next)) => at = *next,
                Some(Next::Along(_) | Next::Reach(_) | Next::Call { .. } | Next::Enter(_) | Next::Leave) => {
                    return at != 0;
                }
                Some(Next::Open | Next::Refuted) | None => return false,
            }
        }
        false
    }

    /// The edges on ways to nodes that no run is said to get to; none if there are no such nodes.
    pub fn edges_to_refuted(&self) -> Option<FxHashSet<EdgeId>> {
        let mut before: Vec<Vec<(usize, &[EdgeId])>> = vec![Vec::new(); self.nodes.len()];
        let mut work = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            match &node.next {
                Next::Along(lists) => {
                    for (edges, to) in lists {
                        before.get_mut(*to).into_iter().for_each(|before| before.push((index, edges)));
                    }
                }
                Next::Covered(upper) => {
                    before.get_mut(*upper).into_iter().for_each(|before| before.push((index, &[])));
                }
                Next::Refuted => work.push(index),
                _ => {}
            }
        }
        let mut edges = FxHashSet::default();
        let mut seen: FxHashSet<usize> = work.iter().copied().collect();
        let is_any = !work.is_empty();
        while let Some(index) = work.pop() {
            for (from, list) in &before[index] {
                edges.extend(list.iter().copied());
                if seen.insert(*from) {
                    work.push(*from);
                }
            }
        }
        is_any.then_some(edges)
    }
}

/// Which edges runs from a node take where strategies for loops are chosen. Every strategy covers all runs of its loop
/// (`transform::strategies`), so a proof may choose.
#[derive(Clone, Default)]
pub struct Selections {
    /// An edge for each choice.
    pub lists: Vec<Vec<EdgeId>>,
    /// By node: its list. Nodes without one follow all edges.
    pub of_node: Vec<usize>,
}

impl Selections {
    /// The edge that runs of a list take at a location, if a strategy is chosen there.
    pub fn chosen(&self, task: &Task<'_, '_>, list: Option<usize>, loc: LocId) -> Option<EdgeId> {
        let choice = task.strategies.choice_at(loc)?;
        let edge = *self.lists.get(list?)?.get(choice.index())?;
        task.program.locs[loc].out.contains(&edge).then_some(edge)
    }

    /// The list of a node.
    pub fn of(&self, node: usize) -> Option<usize> {
        self.of_node.get(node).copied()
    }
}

/// Formulas in an arena of their own, and what their variables stand for.
#[derive(Clone, Default)]
pub struct Formulas {
    /// The arena.
    pub terms: Terms,
    places: FxHashMap<TermId, FormulaPlace>,
    vars: FxHashMap<(FormulaPlace, Sort), TermId>,
}

impl Formulas {
    /// The variable for what a place holds.
    pub fn var(&mut self, place: FormulaPlace, sort: Sort) -> TermId {
        let (terms, places) = (&mut self.terms, &mut self.places);
        *self.vars.entry((place, sort)).or_insert_with(|| {
            let var = terms.fresh_var("p", sort);
            places.insert(var, place);
            var
        })
    }

    /// What a variable stands for.
    pub fn place(&self, var: TermId) -> Option<FormulaPlace> {
        self.places.get(&var).copied()
    }

    /// Copies a formula from another arena; `None` if `place` does not know one of its variables. `copies` remembers what was
    /// copied from that arena with the same meaning of variables.
    pub fn import(
        &mut self,
        copies: &mut Copies,
        from: &Terms,
        formula: TermId,
        place: &mut dyn FnMut(TermId) -> Option<FormulaPlace>,
    ) -> Option<TermId> {
        for var in copies.new_vars(from, formula) {
            let new = self.var(place(var)?, from.sort(var));
            copies.set(var, new);
        }
        copies.copy(from, &mut self.terms, formula)
    }
}

/// What a variable of a formula stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormulaPlace {
    /// What a register or bytes of memory hold: a number of that many bits, a truth value or a float, by the variable's sort.
    Holds(FactPlace),
    /// The content of an object as an array; see [`ProofGraph::arrays`].
    Array(ObjectRef),
    /// Whether an object was freed.
    Dead(ObjectRef),
    /// The size of an object in bytes.
    Size(ObjectRef),
    /// Memory that is not the program's, as an array of bytes.
    External,
    /// What a parameter or global register held when the procedure at the bottom of the stack was entered.
    Entry(VarId),
}

/// An object at a fixed address; objects that exist at the same time must not overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Which object.
    pub name: PlacedName,
    /// Address of its first byte.
    pub base: u64,
    /// Bytes that are reserved for it.
    pub room: u64,
    /// Its size, if that is always the same.
    pub size: Option<u64>,
}

/// Names of objects that are no global variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PlacedName {
    /// The current instance of a local memory variable below these calls.
    Local(Vec<EdgeId>, VarId),
    /// The n-th object that exists of those that an edge makes with that size.
    Heap(EdgeId, u32),
    /// The same for the stack of a function below these calls.
    Stack(Vec<EdgeId>, EdgeId, u32),
}

/// A node.
#[derive(Clone, Debug)]
pub struct ProofNode {
    /// Location.
    pub loc: LocId,
    /// The procedure at the bottom of the stack, if nothing is known of its callers; otherwise it is the start function.
    pub bottom: Option<FuncId>,
    /// Calls above it that have not returned, the first one first.
    pub calls: Vec<EdgeId>,
    /// State of the observer.
    pub observer: ObserverState,
    /// What holds here: values of places.
    pub facts: Vec<Fact>,
    /// What else holds here: terms of [`ProofGraph::formulas`].
    pub formulas: Vec<TermId>,
    /// Which of [`ProofGraph::objects`] exist, and whether they were freed, if that is certain.
    pub objects: Vec<(u32, Option<bool>)>,
    /// Where runs go on from here.
    pub next: Next,
}

/// Where runs go on from a node.
#[derive(Clone, Debug)]
pub enum Next {
    /// Along these edges of the program, each list to one node. Returns are not listed.
    Along(Vec<(Vec<EdgeId>, usize)>),
    /// To these nodes, on any way to the next of [`ProofGraph::points`].
    Reach(Vec<usize>),
    /// Through a call of the procedure at whose entry the node stands, whatever the stack below.
    Call {
        /// The procedure's entry on a stack of its own; none if no run gets here.
        entered: Option<usize>,
        /// Where runs come after the call.
        returned: Vec<usize>,
    },
    /// Into a block, and on behind it.
    Enter(Box<Entering>),
    /// Out of the block that the node is about.
    Leave,
    /// As from this node, whose facts are implied.
    Covered(usize),
    /// The property is violated, but no run gets here, although facts do not show it: unwinding the program of all edges on ways to such nodes does ([`bmc::residual`]).
    Refuted,
    /// Unknown: no proof.
    Open,
}

/// A part of the graph that is about the runs of a block, wherever it is entered. The first frame is that of the block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofBlock {
    /// What the block is.
    pub kind: BlockKind,
    /// The node at which runs begin.
    pub root: usize,
    /// All of its nodes.
    pub nodes: Range<usize>,
}

/// How runs pass a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entering {
    /// The block.
    pub block: usize,
    /// What its names for objects that exist already stand for here.
    pub names: Vec<(ObjectRef, ObjectRef)>,
    /// Where runs go on that leave the block: pairs of an exit and the node after it.
    pub after: Vec<(usize, usize)>,
}

/// A place has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Which place.
    pub place: FactPlace,
    /// Its value.
    pub value: FactValue,
}

/// A register or bytes of memory. Frames are numbered from that at the bottom of the stack, which is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FactPlace {
    /// A global register.
    Global(VarId),
    /// A register of a frame.
    Local {
        /// The frame.
        frame: u32,
        /// The register.
        var: VarId,
    },
    /// Bytes of an object.
    Memory {
        /// The object.
        object: ObjectRef,
        /// First byte.
        offset: i64,
        /// How many.
        bytes: u32,
    },
}

/// A memory object; those of `Made` stand for some object that the edge made, the same one within a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectRef {
    /// A global memory variable.
    Global(VarId),
    /// The current instance of a local memory variable of a frame.
    Local {
        /// The frame.
        frame: u32,
        /// The variable.
        var: VarId,
    },
    /// Made by an allocation, with the size if that is known.
    Made(EdgeId, u32, Option<u64>),
    /// In a block, an object that existed before it: the same one for all of its nodes.
    Outer(Object, u32),
    /// One of [`ProofGraph::objects`].
    Placed(u32),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactValue {
    /// The bits of a number.
    Bits(u128),
    /// An address relative to an object.
    Address(ObjectRef, i64),
}
