//! Step 1, continued: the effect of a looping path, by symbolic execution.

use crate::accelerate::inner::{InnerLoops, Step, pass};
use crate::accelerate::path::{Decision, Input, LoopPath, Write};
use crate::exprs::{Exprs, Literal, Map, loads};
use cfa::dominators::Dominators;
use cfa::loops::Wto;
use cfa::{EdgeId, ExprId, ExprKind, LocId, Op, Program, VarId};
use std::collections::BTreeMap;

/// Registers of the function that are assigned once, a constant, on each way to the head.
pub fn constants_at(program: &Program, wto: &Wto, head: LocId) -> Map {
    let func = program.locs[head].func;
    let mut assigned: BTreeMap<VarId, Vec<EdgeId>> = BTreeMap::new();
    for edge in wto.order(func).iter().flat_map(|loc| &program.locs[*loc].out) {
        if let Some(var) = program.edges[*edge].op.assigned().filter(|var| program.vars[*var].func == Some(func)) {
            assigned.entry(var).or_default().push(*edge);
        }
    }
    let params = &program.functions[func].params;
    let Some(dominators) = Dominators::new(program, wto, func) else { return Map::default() };
    let constant = |(var, edges): (VarId, Vec<EdgeId>)| {
        let [edge] = edges[..] else { return None };
        let edge = &program.edges[edge];
        let Op::Assign { src, .. } = edge.op else { return None };
        let forced = program.locs[edge.src].out.len() == 1;
        let before = forced && edge.src != head && dominators.dominates(wto, edge.src, head);
        (before && !params.contains(&var) && program.exprs.as_const(src).is_some()).then_some((var, src))
    };
    assigned.into_iter().filter_map(constant).collect()
}

/// Executes a path where some registers are constant at its head; `None` if it has an operation that has no description.
pub fn describe(
    program: &mut Program,
    head: LocId,
    steps: &[Step],
    constants: &Map,
    inner: &InnerLoops,
) -> Option<LoopPath> {
    let path = LoopPath::new(head, steps.iter().map(|step| step.edge).collect());
    let mut run = Run { program, path, now: constants.clone() };
    for (at, step) in steps.iter().enumerate() {
        pass(inner, run.program, &mut run.path, &mut run.now, steps, at)?;
        run.execute(at, step.edge)?;
    }
    let Run { program, mut path, now } = run;
    let is_new = |var: &VarId, value: &ExprId| {
        program.exprs.kind(*value) != ExprKind::Var(*var) && constants.get(var) != Some(value)
    };
    path.updates.extend(now.into_iter().filter(|(var, value)| is_new(var, value)));
    Some(path)
}

/// A symbolic execution.
struct Run<'a> {
    program: &'a mut Program,
    path: LoopPath,
    /// Values of registers that may have changed.
    now: Map,
}

impl Run<'_> {
    /// Executes the edge at this place.
    fn execute(&mut self, at: usize, edge: EdgeId) -> Option<()> {
        match self.program.edges[edge].op.clone() {
            Op::Skip => {}
            Op::Assign { dst, src } => {
                let value = self.value(src)?;
                self.now.insert(dst, value);
            }
            Op::Assume { cond, truth } => {
                let literal = Literal { cond: self.value(cond)?, truth };
                self.path.guards.push(literal);
                self.path.decisions.push(Decision { at, literal });
            }
            Op::Havoc { dst, .. } => self.input(edge, dst)?,
            Op::CallExtern { args, dst, .. } => {
                if args.iter().any(|arg| loads(&self.program.exprs, *arg)) {
                    return None;
                }
                if let Some(dst) = dst {
                    self.input(edge, dst)?;
                }
            }
            Op::Store { addr, value } => {
                let write = Write { addr: self.value(addr)?, value: self.value(value)? };
                self.path.writes.push(write);
            }
            _ => return None,
        }
        Some(())
    }

    /// The value of an expression. After a write, nothing may be read: the description has no memory in between. What was read before
    /// has its old value.
    fn value(&mut self, expr: ExprId) -> Option<ExprId> {
        let is_known = !self.path.reads_written(&self.program.exprs, expr);
        is_known.then(|| Exprs::of(self.program).substitute(expr, &self.now))
    }

    fn input(&mut self, edge: EdgeId, dst: VarId) -> Option<()> {
        let ty = self.program.vars[dst].register()?;
        let name = format!("{}$in", self.program.vars[dst].name);
        let func = self.program.locs[self.path.head].func;
        let var = self.program.add_register(func, &name, ty);
        self.path.inputs.push(Input { edge, var });
        let value = Exprs::of(self.program).var(var)?;
        self.now.insert(dst, value);
        Some(())
    }
}
