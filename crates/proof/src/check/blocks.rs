//! Checks graphs of blocks [beyer18bam] one by one, each once, however many places enter it.
//!
//! A block's graph is about runs of a function, or of a loop, that begin with the facts of its root. Their bottom frame is that of the block, and objects that
//! existed before have names that stand for any objects, but different ones. It is checked as the graph of a program is, and besides:
//!
//! * Runs leave it only at nodes that are exits: at the end of the function or, in a loop's frame, wherever such a node is. A loop's operations are
//!   those that runs may come to before such a place; there they have to stop.
//! * Where a node enters the block, runs satisfy the facts of its root, read with the frames and objects that the block's names stand for
//!   there. Different names stand for different objects.
//! * After the block, runs satisfy what they did before, except for what operations of the block may change, and the facts of one of its
//!   exits. So they satisfy those of the node that follows that exit.
//!
//! What operations may change is found here, from the operations alone ([`Changes`]).
//!
//! By induction over the number of steps, all runs from a root stay within the graph until they leave it at an exit: a block is entered with a call,
//! which is a step, or at a loop whose root does not enter another block without a step.

use super::machine::{Machine, Step};
use super::paths::here;
use super::state::{Here, Runs};
use super::{Checker, Failure, rejected};
use crate::graph::{Entering, Fact, FactPlace, FactValue, Next, ObjectRef, ProofBlock, ProofGraph, ProofNode};
use cfa::blocks::BlockKind;
use cfa::{EdgeId, ExprId, FuncId, LocId, Op, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use step::{Moved, Outcome};

/// Objects that a block has made are numbered from here where it was entered.
const MADE_INSIDE: u32 = 1 << 30;

/// Where runs leave a block.
pub(super) struct Exits {
    nodes: Vec<usize>,
    locs: FxHashSet<LocId>,
}

impl Exits {
    /// The exits of a block of the graph.
    pub fn of(graph: &ProofGraph, block: usize) -> Self {
        let nodes: Vec<usize> = graph.exits_of(block).collect();
        let locs = nodes.iter().map(|exit| graph.nodes[*exit].loc).collect();
        Self { nodes, locs }
    }
}

/// What the operations of a block may change beyond its own frames.
#[derive(Clone, Default)]
pub(super) struct Changes {
    /// Registers: global ones and, for loops, those of its frame.
    registers: BTreeSet<VarId>,
    /// Addresses that are written to.
    written: BTreeSet<ExprId>,
    /// Pointers to what is freed.
    freed: BTreeSet<ExprId>,
    /// Memory variables of the loop's frame of which there may be other instances.
    declared: BTreeSet<VarId>,
}

impl Changes {
    /// What the operations of a block may change; runs leave a loop at `exits`.
    pub fn of(program: &Program, kind: BlockKind, exits: &FxHashSet<LocId>) -> Self {
        let mut this = Self::default();
        let mut calls: Vec<FuncId> = Vec::new();
        match kind {
            BlockKind::Function(func) => calls.push(func),
            BlockKind::Loop(head) => {
                let (mut open, mut seen) = (vec![head], FxHashSet::default());
                while let Some(loc) = open.pop() {
                    if exits.contains(&loc) || !seen.insert(loc) {
                        continue;
                    }
                    for edge in &program.locs[loc].out {
                        open.push(program.edges[*edge].dst);
                        this.add(program, *edge, &mut calls);
                        this.registers.extend(program.edges[*edge].op.assigned());
                        if let Op::Declare { var } | Op::EndScope { var } = program.edges[*edge].op {
                            this.declared.insert(var);
                        }
                    }
                }
            }
        }
        let mut seen = FxHashSet::default();
        while let Some(func) = calls.pop() {
            if !seen.insert(func) {
                continue;
            }
            for edge in program.locs.iter().filter(|loc| loc.func == func).flat_map(|loc| &loc.out) {
                this.add(program, *edge, &mut calls);
            }
        }
        this
    }

    fn add(&mut self, program: &Program, edge: EdgeId, calls: &mut Vec<FuncId>) {
        let op = &program.edges[edge].op;
        self.registers.extend(op.assigned().filter(|var| program.vars[*var].is_global()));
        match op {
            Op::Store { addr: dst, .. }
            | Op::MemCopy { dst, .. }
            | Op::MemSet { dst, .. }
            | Op::MemHavoc { dst, .. } => drop(self.written.insert(*dst)),
            Op::Call { func, .. } => calls.push(*func),
            Op::Free { ptr, .. } | Op::Realloc { ptr, .. } => drop(self.freed.insert(*ptr)),
            _ => {}
        }
    }

    /// Makes runs forget what may have changed; `frame` is that of the block.
    fn apply(&self, machine: &mut Machine<'_, '_>, runs: &mut Runs, kind: BlockKind, frame: usize) -> Step<()> {
        for var in &self.registers {
            machine.havoc(runs, frame, *var);
        }
        for addr in &self.written {
            machine.forget(runs, *addr);
        }
        for ptr in &self.freed {
            machine.free_unknown(runs, *ptr);
        }
        match kind {
            BlockKind::Function(_) => {
                runs.frames[frame].registers.clear();
                machine.end_frame(runs);
            }
            BlockKind::Loop(_) => {
                for var in &self.declared {
                    machine.redeclare(runs, *var)?;
                }
            }
        }
        Ok(())
    }
}

impl Checker<'_, '_> {
    /// Runs of a node enter a block, and go on behind it.
    pub(super) fn enters(&mut self, node: &ProofNode, mut runs: Runs, entering: &Entering) -> Result<(), Failure> {
        let graph = self.graph;
        let Some(block) = graph.blocks.get(entering.block) else { return rejected("the block does not exist") };
        let Some(root) = graph.nodes.get(block.root) else { return rejected("the block has no root") };
        let at = match block.kind {
            BlockKind::Function(func) => match self.step_into(node, runs, func)? {
                Some((at, inside)) => {
                    runs = inside;
                    at
                }
                None => return Ok(()),
            },
            BlockKind::Loop(_) if matches!(root.next, Next::Along(_)) => here(node),
            BlockKind::Loop(_) => return rejected("the root of the loop makes no step"),
        };
        let frame = runs.frames.len() - 1;
        let names = Names::new(entering, frame as u32)?;
        if at != here(root) || !root.calls.is_empty() {
            return rejected("the root of the block is about other runs");
        }
        let facts = names.all_outside(&root.facts)?;
        // Names mean the objects that they meant in the facts of the node, also behind the block.
        let holds = self.facts_hold(&mut runs.clone(), &facts, None)?;
        self.all(&runs, holds)?;
        let changes = self.changes(entering.block);
        if changes.apply(&mut self.machine, &mut runs, block.kind, frame).is_err() {
            return rejected("there is no room for an object");
        }
        let mut after: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (exit, node) in &entering.after {
            after.entry(*exit).or_default().push(*node);
        }
        for exit in self.exits[entering.block].nodes.clone() {
            let after = after.remove(&exit).unwrap_or_default();
            let mut left = runs.clone();
            let exit = &graph.nodes[exit];
            let facts = names.all_outside(&exit.facts)?;
            self.assume_facts(&mut left, &facts)?;
            self.leaves(here(exit), left, block, &after)?;
        }
        Ok(())
    }

    /// The call from the node into the function of a block; none if no run gets past it.
    fn step_into(&mut self, node: &ProofNode, runs: Runs, func: FuncId) -> Result<Option<(Here, Runs)>, Failure> {
        let program = self.task.program;
        let [edge] = program.locs[node.loc].out[..] else { return rejected("the block is not the only way on") };
        if !matches!(&program.edges[edge].op, Op::Call { func: called, .. } if *called == func) {
            return rejected("another function is called");
        }
        let kernel = self.machine.kernel.clone();
        let Some(Moved { at, outcome, state, .. }) = kernel.along(&mut self.machine, here(node), edge, runs) else {
            return Ok(None);
        };
        let why = match outcome {
            Outcome::Arrived => return Ok(Some((at, state))),
            Outcome::Violated => "the property is violated",
            Outcome::Unmodelled(_) => "something that is not modelled is reached",
        };
        self.no_run(&state, why).map(|()| None)
    }

    /// Runs that have come to an exit go on behind the block, at one of these nodes.
    fn leaves(&mut self, mut at: Here, mut runs: Runs, block: &ProofBlock, after: &[usize]) -> Result<(), Failure> {
        if let BlockKind::Function(_) = block.kind {
            let kernel = self.machine.kernel.clone();
            match kernel.leave(&mut self.machine, at, runs) {
                Some(moved) => (at, runs) = (moved.at, moved.state),
                None => return rejected("the program ends in a block"),
            }
        }
        if at.observer == self.task.observer.error {
            return self.no_run(&runs, "the property is violated");
        }
        let graph = self.graph;
        match after.iter().find(|node| self.fits(at, &runs, **node)) {
            Some(node) => self.implied(&mut runs, &graph.nodes[*node].facts),
            None => self.no_run(&runs, "nothing follows an exit of a block"),
        }
    }

    /// A node at which runs leave the block that it is about.
    pub(super) fn exits(&self, node: &ProofNode) -> Result<(), Failure> {
        let program = self.task.program;
        let Some(block) = self.block() else { return rejected("the whole program is left") };
        let fits = match self.graph.blocks[block].kind {
            BlockKind::Function(func) => program.functions[func].body.is_some_and(|body| body.exit == node.loc),
            BlockKind::Loop(head) => program.locs[node.loc].func == program.locs[head].func,
        };
        if fits && node.calls.is_empty() { Ok(()) } else { rejected("the block does not end here") }
    }

    /// Whether runs with so many frames have left the loop that is being checked at a location.
    pub(super) fn is_left(&self, loc: LocId, frames: usize) -> bool {
        let Some(block) = self.block().filter(|_| frames == 1) else { return false };
        let is_loop = matches!(self.graph.blocks[block].kind, BlockKind::Loop(_));
        is_loop && self.exits[block].locs.contains(&loc)
    }

    fn changes(&mut self, block: usize) -> Changes {
        if let Some(known) = self.changes.get(&block) {
            return known.clone();
        }
        let changes = Changes::of(self.task.program, self.graph.blocks[block].kind, &self.exits[block].locs);
        self.changes.insert(block, changes.clone());
        changes
    }
}

/// What a block's names stand for where it is entered.
struct Names<'g> {
    entering: &'g Entering,
    frame: u32,
}

impl<'g> Names<'g> {
    fn new(entering: &'g Entering, frame: u32) -> Result<Self, Failure> {
        let mut seen = BTreeSet::new();
        for (inside, outside) in &entering.names {
            let is_own = matches!(outside, ObjectRef::Local { frame: owner, .. } if *owner == frame);
            // Globals and objects of the block's own frame keep their names, so these mean others.
            let fits = match outside {
                ObjectRef::Local { .. } => !is_own,
                ObjectRef::Made(..) | ObjectRef::Outer(..) => true,
                ObjectRef::Global(_) | ObjectRef::Placed(_) => false,
            };
            if !matches!(inside, ObjectRef::Outer(..)) || !fits || !seen.insert(*outside) {
                return rejected("names of objects are mixed up");
            }
        }
        Ok(Self { entering, frame })
    }

    fn object(&self, object: ObjectRef) -> Result<ObjectRef, Failure> {
        Ok(match object {
            ObjectRef::Global(_) | ObjectRef::Placed(_) => object,
            ObjectRef::Local { frame, var } => ObjectRef::Local { frame: frame + self.frame, var },
            ObjectRef::Made(edge, count, size) => ObjectRef::Made(edge, count | MADE_INSIDE, size),
            ObjectRef::Outer(..) => match self.entering.names.iter().find(|(inside, _)| *inside == object) {
                Some((_, outside)) => *outside,
                None => return rejected("an object of a block has no name outside"),
            },
        })
    }

    fn outside(&self, fact: &Fact) -> Result<Fact, Failure> {
        let place = match fact.place {
            FactPlace::Global(var) => FactPlace::Global(var),
            FactPlace::Local { frame, var } => FactPlace::Local { frame: frame + self.frame, var },
            FactPlace::Memory { object, offset, bytes } => {
                FactPlace::Memory { object: self.object(object)?, offset, bytes }
            }
        };
        let value = match fact.value {
            FactValue::Bits(n) => FactValue::Bits(n),
            FactValue::Address(object, offset) => FactValue::Address(self.object(object)?, offset),
        };
        Ok(Fact { place, value })
    }

    fn all_outside(&self, facts: &[Fact]) -> Result<Vec<Fact>, Failure> {
        facts.iter().map(|fact| self.outside(fact)).collect()
    }
}
