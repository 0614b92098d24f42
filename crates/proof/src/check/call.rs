//! Checks calls whose stack is abstracted.
//!
//! A node at the entry of a procedure stands for a call. The checker sees by itself that neither the procedure nor anything that it calls depends
//! on the frames below or touches them ([`Effects`]). Then there are two obligations:
//!
//! * The procedure's entry on a stack of its own claims nothing that the node does not imply, seen through the procedure's
//!   parameters and global variables.
//! * Runs that go on behind the call, from any state that one of the procedure's exits admits for these values at the entry, arrive
//!   at the nodes that the graph names. *All* exits count that are in the graph and are not covered; if the entry is the root of a block
//!   ([`crate::graph::ProofBlock`]), all that are in the block.
//!
//! By induction on the number of steps: when a run of the procedure returns, all shorter runs are in the graph, so it has come to one
//! of the exits, or to a covered one, whose facts imply those of another. What an exit claims about values at the entry
//! is about the same run, because such values never change. A run that begins at the root of a block stays in its nodes, because no node has
//! successors, or is covered, in another part of the graph ([`Checker::stays`]); and no node of another part is a target of it.

use super::counts::Counts;
use super::formulas::Place;
use super::procedures::Effects;
use super::state::{Frame, Runs};
use super::{Checker, Failure, point, rejected};
use crate::graph::{Next, ProofNode};
use cfa::{FuncId, LocId, Op, VarId};
use rustc_hash::FxHashMap;
use smt::copy::Copies;

impl Checker<'_, '_> {
    /// Where runs begin at the entry of the procedure at the bottom of their stack, they know what variables hold there.
    pub(super) fn note_entry(&mut self, loc: LocId, runs: &mut Runs) {
        let program = self.task.program;
        let Some(func) = runs.bottom else { return };
        let is_entry = program.functions[func].body.is_some_and(|body| body.entry == loc);
        if is_entry && runs.frames.len() == 1 {
            for var in self.inputs(func) {
                let value = self.machine.register(runs, 0, var);
                runs.entry.insert(var, value);
            }
        }
    }

    /// Parameters and global registers.
    fn inputs(&self, func: FuncId) -> Vec<VarId> {
        let program = self.task.program;
        let globals = program.vars.iter_enumerated().filter(|(_, var)| var.is_global() && var.register().is_some());
        program.functions[func].params.iter().copied().chain(globals.map(|(id, _)| id)).collect()
    }

    /// Checks a call; see the module.
    pub(super) fn call(
        &mut self,
        node: &ProofNode,
        (entered, returned): (Option<usize>, &[usize]),
        place: &mut Place,
    ) -> Result<(), Failure> {
        let (program, graph) = (self.task.program, self.graph);
        let func = program.locs[node.loc].func;
        let body = program.functions[func].body.filter(|body| body.entry == node.loc);
        let calls = node.calls.last().map(|edge| &program.edges[*edge].op);
        let (Some(body), Some(Op::Call { func: called, .. })) = (body, calls) else {
            return rejected("it is no call of a procedure");
        };
        let effects = Effects::of(program, self.task.may_point_to, func).filter(|_| *called == func);
        let Some(effects) = effects else { return rejected("the called function depends on its callers") };
        let given = self.given(node, place)?;
        let top = place.runs.frames.len() - 1;
        let mut entry = FxHashMap::default();
        for var in self.inputs(func) {
            entry.insert(var, self.machine.register(&mut place.runs, top, var));
        }
        // Into the procedure.
        let mut inside = self.detached(&place.runs, func);
        inside.entry.clone_from(&entry);
        let mut expected = point(node);
        (expected.bottom, expected.calls) = (Some(func), Vec::new());
        let target = entered.and_then(|entered| graph.nodes.get(entered));
        let holds = match target {
            Some(target) if point(target) == expected => self.holds(target, &mut inside, &mut Copies::default())?,
            Some(_) => return rejected("a call enters something else"),
            None => self.machine.enc.terms.fals(),
        };
        let fails = self.machine.enc.terms.not(holds);
        let formula = self.machine.enc.terms.and(given, fails);
        self.impossible(formula, &[(formula, "the facts of the called procedure are not implied".into())], &mut None)?;
        // Behind the call.
        let mut behind = place.runs.clone();
        self.havoc(&mut behind, func, &effects);
        expected.loc = body.exit;
        let mut claims = Vec::new();
        let part = entered.map_or(0..graph.nodes.len(), |entered| self.part(entered));
        for exit in graph.nodes.get(part).unwrap_or_default() {
            let is_exit = exit.loc == body.exit && exit.bottom == Some(func) && exit.calls.is_empty();
            if !is_exit || matches!(exit.next, Next::Covered(_)) {
                continue;
            }
            if point(exit) != expected {
                return rejected("a procedure changes the state of the observer");
            }
            let mut view = self.detached(&behind, func);
            view.entry.clone_from(&entry);
            claims.push(self.holds(exit, &mut view, &mut Copies::default())?);
        }
        let claim = self.machine.enc.terms.or_all(&claims);
        let given = self.machine.enc.terms.and(given, claim);
        let mut followed = self.machine.follow(expected.here(), behind)?;
        let mut copies = vec![Copies::default(); followed.arrivals.len()];
        self.expanded(given, returned, (&mut followed, &mut copies), &mut None)
    }

    /// The nodes at which runs may be that begin at the entry of a procedure: those of the block of which it is the root, or else all.
    fn part(&self, entered: usize) -> std::ops::Range<usize> {
        let block = self.graph.block_of(entered).and_then(|block| self.graph.blocks.get(block));
        match block.filter(|block| block.root == entered) {
            Some(block) => block.nodes.clone(),
            None => 0..self.graph.nodes.len(),
        }
    }

    /// The same runs with the frame at the top as the only one, and without objects that may be others'.
    fn detached(&self, runs: &Runs, func: FuncId) -> Runs {
        let mut detached = runs.clone();
        let registers = detached.frames.pop().map(|frame| frame.registers).unwrap_or_default();
        let (counts, instances) = (Counts::default(), FxHashMap::default());
        detached.frames = vec![Frame { func, call: None, old: false, counts, registers, instances }];
        detached.memory.retain(|object, _| self.machine.is_global(*object));
        detached.bottom = Some(func);
        detached
    }

    /// Forgets what a call may have changed.
    fn havoc(&mut self, runs: &mut Runs, func: FuncId, effects: &Effects) {
        let program = self.task.program;
        let top = runs.frames.len() - 1;
        let params = &program.functions[func].params;
        runs.frames[top].old = false;
        runs.frames[top].registers.retain(|var, _| params.contains(var) && !effects.changed.contains(var));
        let changed_globals = effects.changed.iter().copied().filter(|var| program.vars[*var].is_global());
        for var in changed_globals.chain(program.functions[func].ret) {
            if program.vars[var].register().is_some() {
                self.machine.havoc(runs, top, var);
            }
        }
    }
}
