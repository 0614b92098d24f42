//! Cuts loops at marks: behind its mark, a loop goes on from any state that its body could have made, and a run that comes to
//! the mark again ends there.
//!
//! A mark is a call of a function without a body. Where an invariant is asserted before the mark and assumed behind it, the
//! result has an error if and only if the invariant is not inductive or does not suffice: the two ways to the mark are base
//! and step of an induction.
//!
//! Each entrance of the loop's component sets a counter to zero, so that it does not matter how control gets to the mark.
//! What the body may write is made arbitrary: registers, and memory objects that are alive at the mark. Where this can't be
//! said (objects that the loop makes, those of callers), the loop is kept.

use super::{detach, redirect};
use crate::callgraph::CallGraph;
use crate::ctype::CType;
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::loops::Wto;
use crate::op::{AllocKind, HavocSource, Op};
use crate::points_to::{Object, PointsTo};
use crate::program::{EdgeId, FuncId, LocId, Program, Storage, Var, VarId, VarKind};
use crate::value::{Scalar, Value};
use std::collections::BTreeSet;

/// Name of the counters, followed by the number of the mark.
pub const ROUND: &str = "__hone_round_";

/// What became of a mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The argument of the call.
    pub number: u32,
    /// Why the loop is kept, if it is.
    pub kept: Option<&'static str>,
}

/// Cuts the loops at calls of `marker` whose number is `wanted`. Marks disappear.
pub fn cut_loops(
    program: &mut Program,
    points_to: &PointsTo,
    marker: FuncId,
    wanted: impl Fn(u32) -> bool,
) -> Vec<Mark> {
    let wto = Wto::new(program);
    let calls = CallGraph::new(program, Some(points_to));
    let attached: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
    let mut marks = Vec::new();
    let mut plans = Vec::new();
    for edge in attached {
        let Op::CallExtern { func, args, .. } = &program.edges[edge].op else { continue };
        if *func != marker {
            continue;
        }
        let number = args.first().and_then(|arg| program.exprs.as_const(*arg)).map_or(u32::MAX, |v| v.0 as u32);
        let plan = if wanted(number) { Plan::new(program, &wto, points_to, &calls, edge) } else { Err("") };
        marks.push(Mark { number, kept: plan.as_ref().err().copied() });
        program.edges[edge].op = Op::Skip;
        plans.extend(plan.ok().map(|plan| (number, plan)));
    }
    let counters: Vec<VarId> = plans.iter().map(|(number, plan)| counter(program, *number, plan)).collect();
    for ((_, plan), counter) in plans.iter().zip(&counters) {
        for entrance in &plan.entrances {
            let (dst, span) = (program.edges[*entrance].dst, program.edges[*entrance].span);
            let func = program.locs[dst].func;
            let between = program.add_loc(func);
            redirect(program, *entrance, between);
            let zero = constant(program, 0, Scalar::INT);
            program.add_edge(between, dst, Op::Assign { dst: *counter, src: zero }, span);
        }
    }
    for ((_, plan), counter) in plans.iter().zip(&counters) {
        plan.cut(program, *counter);
    }
    marks
}

fn counter(program: &mut Program, number: u32, plan: &Plan) -> VarId {
    let int = CType::Scalar { name: "int".into(), scalar: Scalar::INT };
    let ctype = program.ctypes.add(int, 4);
    program.vars.push(Var {
        name: format!("{ROUND}{number}").into(),
        func: Some(plan.func),
        storage: Storage::Register(Scalar::INT),
        kind: VarKind::Local,
        ctype,
        init: None,
        span: program.edges[plan.edge].span,
    })
}

fn constant(program: &mut Program, n: u128, ty: Scalar) -> ExprId {
    program.exprs.add(ExprKind::Const(Value(n)), ty)
}

/// How a loop is cut.
struct Plan {
    edge: EdgeId,
    func: FuncId,
    entrances: Vec<EdgeId>,
    registers: BTreeSet<VarId>,
    objects: BTreeSet<VarId>,
}

impl Plan {
    fn new(
        program: &Program,
        wto: &Wto,
        points_to: &PointsTo,
        calls: &CallGraph,
        edge: EdgeId,
    ) -> Result<Plan, &'static str> {
        let mark = program.edges[edge].src;
        let func = program.locs[mark].func;
        let head = wto.innermost(mark).ok_or("no run comes back to it")?;
        let component = wto.component(program, head);
        let inside = |loc: LocId| program.locs[loc].func == func && wto.is_reachable(loc) && wto.contains(head, loc);
        if program.functions[func].body.is_some_and(|body| inside(body.entry)) {
            return Err("it begins where its function does");
        }
        let entrances: Vec<EdgeId> = component
            .iter()
            .flat_map(|loc| &program.locs[*loc].inc)
            .copied()
            .filter(|e| !inside(program.edges[*e].src))
            .collect();
        let mut plan = Plan { edge, func, entrances, registers: BTreeSet::new(), objects: BTreeSet::new() };
        let own: Vec<EdgeId> = component.iter().flat_map(|loc| &program.locs[*loc].out).copied().collect();
        let mut callees = vec![false; program.functions.len()];
        for e in &own {
            for callee in calls.callees_of_edge(program, *e) {
                for (f, reached) in calls.reachable(*callee).iter_enumerated() {
                    callees[base::Id::index(f)] |= reached;
                }
            }
        }
        for e in &own {
            plan.effects(program, points_to, *e, Within::Loop)?;
        }
        for location in program.locs.iter().filter(|l| callees[base::Id::index(l.func)]) {
            for e in &location.out {
                plan.effects(program, points_to, *e, Within::Callee)?;
            }
        }
        plan.registers.retain(|var| program.vars[*var].func.is_none_or(|f| f == func));
        let recursive = callees[base::Id::index(func)];
        for var in std::mem::take(&mut plan.objects) {
            match program.vars[var].func {
                None => {
                    plan.objects.insert(var);
                }
                Some(_) if recursive => return Err("it writes objects of a recursive function"),
                Some(owner) if owner == func => {
                    if plan.is_alive(program, var, mark, &inside)? {
                        plan.objects.insert(var);
                    }
                }
                // Frames of callees are gone at the mark.
                Some(owner) if callees[base::Id::index(owner)] => {}
                Some(_) => return Err("it writes objects of a caller"),
            }
        }
        Ok(plan)
    }

    fn effects(
        &mut self,
        program: &Program,
        points_to: &PointsTo,
        edge: EdgeId,
        within: Within,
    ) -> Result<(), &'static str> {
        let op = &program.edges[edge].op;
        self.registers.extend(op.assigned());
        let written = match op {
            Op::Store { addr, .. } => *addr,
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } | Op::MemHavoc { dst, .. } => *dst,
            Op::Alloc { kind: AllocKind::Stack, .. } if within == Within::Callee => return Ok(()),
            Op::Alloc { .. } | Op::Realloc { .. } => return Err("it allocates memory"),
            Op::Free { .. } => return Err("it frees memory"),
            Op::CallPtr { .. } => return Err("it calls a function through a pointer that may lead anywhere"),
            _ => return Ok(()),
        };
        for object in points_to.objects(points_to.class_of_address(written)) {
            match object {
                Object::Var(var) => {
                    self.objects.insert(*var);
                }
                Object::Alloc(_) => return Err("it writes allocated memory"),
                Object::External => return Err("it writes memory that is not the program's"),
                Object::Function(_) => {}
            }
        }
        Ok(())
    }

    /// Whether a local object exists at the mark, in all runs that get there.
    fn is_alive(
        &self,
        program: &Program,
        var: VarId,
        mark: LocId,
        inside: &impl Fn(LocId) -> bool,
    ) -> Result<bool, &'static str> {
        let declares = |e: &EdgeId| matches!(program.edges[*e].op, Op::Declare { var: v } if v == var);
        let ends = |e: &EdgeId| matches!(program.edges[*e].op, Op::EndScope { var: v } if v == var);
        let edges = || program.locs.iter().filter(|l| l.func == self.func).flat_map(|l| &l.out).copied();
        let places: Vec<bool> = edges().filter(declares).map(|e| inside(program.edges[e].src)).collect();
        if !places.is_empty() && places.iter().all(|inside| *inside) {
            // Each iteration has its own, which is gone at the mark or begins anew behind it.
            return Ok(false);
        }
        if places.iter().any(|inside| *inside) {
            return Err("a jump into it passes a declaration");
        }
        // Whether a run gets to the mark where the object is not alive.
        let entry = program.functions[self.func].body.map(|body| body.entry);
        let dead = edges().filter(ends).map(|e| program.edges[e].dst);
        let mut stack: Vec<LocId> = entry.into_iter().chain(dead).collect();
        let mut seen: BTreeSet<LocId> = stack.iter().copied().collect();
        while let Some(loc) = stack.pop() {
            if loc == mark {
                return Err("it writes an object that may not exist any more");
            }
            for e in program.locs[loc].out.iter().filter(|e| !declares(e) && !program.edges[**e].op.ends_path()) {
                if seen.insert(program.edges[*e].dst) {
                    stack.push(program.edges[*e].dst);
                }
            }
        }
        Ok(true)
    }

    /// Replaces the mark.
    fn cut(&self, program: &mut Program, counter: VarId) {
        let (src, dst, span) = {
            let edge = &program.edges[self.edge];
            (edge.src, edge.dst, edge.span)
        };
        let Some(exit) = program.functions[self.func].body.map(|body| body.exit) else { return };
        detach(program, self.edge);
        let (zero, one) = (constant(program, 0, Scalar::INT), constant(program, 1, Scalar::INT));
        let value = program.exprs.add(ExprKind::Var(counter), Scalar::INT);
        let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, value, zero), Scalar::Bool);
        let (first, again) = (program.add_loc(self.func), program.add_loc(self.func));
        program.add_edge(src, first, Op::Assume { cond, truth: true }, span);
        program.add_edge(src, again, Op::Assume { cond, truth: false }, span);
        program.add_edge(again, exit, Op::Halt, span);
        let mut ops = vec![Op::Assign { dst: counter, src: one }];
        for var in &self.registers {
            let temporary = program.vars[*var].kind == VarKind::Temp;
            let source = if temporary { HavocSource::Uninitialised } else { HavocSource::Environment };
            ops.push(Op::Havoc { dst: *var, source });
            let Some(ty) = program.vars[*var].register() else { continue };
            let ctype = program.vars[*var].ctype;
            if matches!(program.ctypes.get(ctype), CType::Scalar { name, .. } if &**name == "_Bool") {
                let (value, zero) = (program.exprs.add(ExprKind::Var(*var), ty), constant(program, 0, ty));
                let one = constant(program, 1, ty);
                let is = |p: &mut Program, n| p.exprs.add(ExprKind::Binary(BinOp::Eq, value, n), Scalar::Bool);
                let (is_zero, is_one) = (is(program, zero), is(program, one));
                let cond = program.exprs.add(ExprKind::Binary(BinOp::Or, is_zero, is_one), Scalar::Bool);
                ops.push(Op::Assume { cond, truth: true });
            }
        }
        for var in &self.objects {
            if let Storage::Memory { size, .. } = program.vars[*var].storage
                && size > 0
            {
                let dst = program.exprs.add(ExprKind::AddrOf(*var), Scalar::Ptr);
                ops.push(Op::MemHavoc { dst, len: size, source: HavocSource::Environment });
            }
        }
        let mut at = first;
        let last = ops.len() - 1;
        for (i, op) in ops.into_iter().enumerate() {
            let next = if i == last { dst } else { program.add_loc(self.func) };
            program.add_edge(at, next, op, span);
            at = next;
        }
    }
}

/// Where an edge is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Loop,
    Callee,
}
