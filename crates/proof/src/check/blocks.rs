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

use super::machine::{End, Machine, Runs};
use super::{Checker, Failure, observe, rejected};
use crate::graph::{Entering, Fact, FactPlace, FactValue, Next, ObjectRef, ProofBlock, ProofGraph, ProofNode};
use cfa::blocks::BlockKind;
use cfa::{EdgeId, ExprId, FuncId, LocId, Op, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

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
            _ => {}
        }
    }

    /// Makes runs forget what may have changed; `frame` is that of the block.
    fn apply(&self, machine: &mut Machine<'_>, runs: &mut Runs, kind: BlockKind, frame: usize) {
        for var in &self.registers {
            machine.havoc_in(runs, frame, *var);
        }
        for addr in &self.written {
            machine.write_anywhere(runs, *addr);
        }
        match kind {
            BlockKind::Function(_) => {
                runs.frames[frame].registers.clear();
                runs.frames[frame].objects.clear();
            }
            BlockKind::Loop(_) => runs.frames[frame].objects.retain(|var, _| !self.declared.contains(var)),
        }
    }
}

impl Checker<'_, '_, '_> {
    /// Runs of a node enter a block, and go on behind it.
    pub(super) fn enters(&mut self, node: &ProofNode, mut runs: Runs, entering: &Entering) -> Result<(), Failure> {
        let graph = self.graph;
        let Some(block) = graph.blocks.get(entering.block) else { return rejected("the block does not exist") };
        let Some(root) = graph.nodes.get(block.root) else { return rejected("the block has no root") };
        if !self.step_into(node, &mut runs, block)? {
            return Ok(());
        }
        let frame = runs.frames.len() - 1;
        let names = Names::new(entering, frame as u32)?;
        if runs.loc != root.loc || runs.observer != root.observer || !root.calls.is_empty() {
            return rejected("the root of the block is about other runs");
        }
        let facts = names.all_outside(&root.facts)?;
        // Names mean the objects that they meant in the facts of the node, also behind the block.
        self.satisfied(&mut runs.clone(), &facts)?;
        let changes = self.changes(entering.block);
        changes.apply(&mut self.machine, &mut runs, block.kind, frame);
        let mut after: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (exit, node) in &entering.after {
            after.entry(*exit).or_default().push(*node);
        }
        for exit in self.exits[entering.block].nodes.clone() {
            let after = after.remove(&exit).unwrap_or_default();
            let mut left = runs.clone();
            let exit = &graph.nodes[exit];
            (left.loc, left.observer) = (exit.loc, exit.observer);
            let facts = names.all_outside(&exit.facts)?;
            self.assume_facts(&mut left, &facts)?;
            for (_, name, _) in &mut left.made {
                if matches!(name, Some(ObjectRef::Made(_, n)) if *n >= MADE_INSIDE) {
                    *name = None;
                }
            }
            self.leaves(left, block, &after)?;
        }
        Ok(())
    }

    /// The step from the node to the root of the block; whether runs take it.
    fn step_into(&mut self, node: &ProofNode, runs: &mut Runs, block: &ProofBlock) -> Result<bool, Failure> {
        let program = self.task.program;
        let BlockKind::Function(func) = block.kind else {
            let root_steps = matches!(self.graph.nodes[block.root].next, Next::Along(_));
            return if root_steps { Ok(true) } else { rejected("the root of the loop makes no step") };
        };
        let [edge] = program.locs[node.loc].out[..] else { return rejected("the block is not the only way on") };
        if !matches!(&program.edges[edge].op, Op::Call { func: called, .. } if *called == func) {
            return rejected("another function is called");
        }
        match self.machine.execute(runs, edge) {
            Ok(()) => {}
            Err(End::Fine) => return Ok(false),
            Err(End::Unknown) => {
                self.impossible(runs, "something that is not modelled is reached")?;
                return Ok(false);
            }
        }
        self.arrive(runs, edge);
        if runs.observer == self.task.observer.error {
            self.impossible(runs, "the property is violated")?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Runs that have come to an exit go on behind the block, at one of these nodes.
    fn leaves(&mut self, mut runs: Runs, block: &ProofBlock, after: &[usize]) -> Result<(), Failure> {
        if let BlockKind::Function(_) = block.kind {
            if !self.machine.leave(&mut runs) {
                return rejected("the program ends in a block");
            }
            runs.observer = observe::labels(self.task, runs.observer, runs.loc);
        }
        if runs.observer == self.task.observer.error {
            return self.impossible(&mut runs, "the property is violated");
        }
        match after.iter().find(|node| self.fits(&runs, **node)) {
            Some(node) => self.arrives(&mut runs, *node),
            None => self.impossible(&mut runs, "nothing follows an exit of a block"),
        }
    }

    /// A node at which runs leave the block that it is about.
    pub(super) fn exits(&self, node: &ProofNode) -> Result<(), Failure> {
        let program = self.task.program;
        let Some(block) = self.block else { return rejected("the whole program is left") };
        let fits = match self.graph.blocks[block].kind {
            BlockKind::Function(func) => program.functions[func].body.is_some_and(|body| body.exit == node.loc),
            BlockKind::Loop(head) => program.locs[node.loc].func == program.locs[head].func,
        };
        if fits && node.calls.is_empty() { Ok(()) } else { rejected("the block does not end here") }
    }

    /// Whether runs with so many frames have left the loop that is being checked at a location.
    pub(super) fn is_left(&self, loc: LocId, frames: usize) -> bool {
        let Some(block) = self.block.filter(|_| frames == 1) else { return false };
        let is_loop = matches!(self.graph.blocks[block].kind, BlockKind::Loop(_));
        is_loop && self.exits[block].locs.contains(&loc)
    }

    /// Runs come to the end of the bottom frame without coming to a node: that ends the program, but no block.
    pub(super) fn ends_at_exit(&mut self, runs: &mut Runs) -> Result<bool, Failure> {
        if self.block.is_some() {
            self.impossible(runs, "a block is left without an exit")?;
        }
        Ok(false)
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
            ObjectRef::Made(edge, count) => ObjectRef::Made(edge, count | MADE_INSIDE),
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
