//! Cuts loops at marks: behind its mark, a loop goes on from any state that its body could have made, and a run that comes to
//! the mark again ends there.
//!
//! A mark is a call of a function without a body. Where an invariant is asserted before the mark and assumed behind it, the
//! result has an error if and only if the invariant is not inductive or does not suffice: the two ways to the mark are base
//! and step of an induction.
//!
//! Each entrance of the loop's component sets a counter to zero, so that it does not matter how control gets to the mark.
//! With more *rounds*, the induction goes back further [donaldson11]: the first arrivals at the mark are followed as they are, and behind an arbitrary
//! arrival, so many more come before an error counts or the loop may be left. What violates something earlier is no matter of the step: it
//! is found by another choice of the arbitrary arrival, or of none. So the error that comes first in a run of the program
//! is found, whatever loops it is in.
//!
//! What the body may write is made arbitrary: registers, and memory objects that are alive at the mark; allocated ones, if no run allocates
//! more than one at their place ([`super::allocated_once`]). Where this can't be said (objects that the loop makes, those of callers), the loop is kept.

use crate::allocated_once;
use crate::edges::{detach, redirect};
use crate::registers::zero_variable;
use cfa::callgraph::CallGraph;
use cfa::ctype::CType;
use cfa::expr::{BinOp, ExprId, ExprKind};
use cfa::loops::Wto;
use cfa::op::{AllocKind, HavocSource, Op, Reach};
use cfa::points_to::{Object, PointsTo};
use cfa::program::{EdgeId, FuncId, LocId, Program, Storage, Var, VarId, VarKind};
use cfa::value::{Scalar, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the counters, followed by the number of the mark. A counter is zero on entering its loop, then from 1 to the number of
/// rounds behind an arbitrary arrival, and beyond that number as long as arrivals are followed as they are.
pub const ROUND: &str = "__hone_round_";

/// Name of the variable that tells of how many loops an arbitrary arrival has not come far enough yet.
pub const EARLY: &str = "__hone_early";

/// What became of a mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The argument of the call.
    pub number: u32,
    /// Why the loop is kept, if it is.
    pub kept: Option<&'static str>,
}

/// Cuts the loops at calls of `marker` whose number is `wanted`. Marks disappear. With more than one round, errors only count where the
/// variable that is returned is zero; see [`super::guard_errors`].
pub fn cut_loops(
    program: &mut Program,
    points_to: &PointsTo,
    marker: FuncId,
    rounds: u32,
    wanted: impl Fn(u32) -> bool,
) -> (Vec<Mark>, Option<VarId>) {
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
        let context = Context { program, wto: &wto, points_to, calls: &calls };
        let plan = if wanted(number) { Plan::new(&context, edge) } else { Err("") };
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
    let allocated: BTreeMap<EdgeId, u64> = plans.iter().flat_map(|(_, plan)| plan.allocated.clone()).collect();
    let mut pointers: BTreeMap<EdgeId, VarId> = BTreeMap::new();
    for edge in allocated.keys() {
        pointers.extend(allocated_once::remember(program, *edge).map(|pointer| (*edge, pointer)));
    }
    let early = (rounds > 1).then(|| zero_variable(program, EARLY));
    for ((_, plan), counter) in plans.iter().zip(&counters) {
        if rounds > 1 {
            plan.stay_while_early(program, *counter, rounds);
        }
        plan.cut(program, *counter, rounds, early, &pointers);
    }
    (marks, early)
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
    exits: Vec<EdgeId>,
    registers: BTreeSet<VarId>,
    objects: BTreeSet<VarId>,
    /// Edges that allocate objects, with their sizes.
    allocated: BTreeMap<EdgeId, u64>,
}

/// The program, and what is known of it.
struct Context<'a> {
    program: &'a Program,
    wto: &'a Wto,
    points_to: &'a PointsTo,
    calls: &'a CallGraph,
}

impl Plan {
    fn new(context: &Context<'_>, edge: EdgeId) -> Result<Plan, &'static str> {
        let Context { program, wto, calls, .. } = *context;
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
        let exits: Vec<EdgeId> = component
            .iter()
            .flat_map(|loc| &program.locs[*loc].out)
            .copied()
            .filter(|e| !inside(program.edges[*e].dst))
            .collect();
        let (registers, objects, allocated) = Default::default();
        let mut plan = Plan { edge, func, entrances, exits, registers, objects, allocated };
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
            plan.effects(context, *e, Within::Loop)?;
        }
        for location in program.locs.iter().filter(|l| callees[base::Id::index(l.func)]) {
            for e in &location.out {
                plan.effects(context, *e, Within::Callee)?;
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

    fn effects(&mut self, context: &Context<'_>, edge: EdgeId, within: Within) -> Result<(), &'static str> {
        let Context { program, wto, points_to, calls } = *context;
        let op = &program.edges[edge].op;
        self.registers.extend(op.assigned());
        let written = match op {
            Op::Store { addr, .. } => *addr,
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } | Op::MemHavoc { dst, .. } => *dst,
            Op::Alloc { kind: AllocKind::Stack, .. } if within == Within::Callee => return Ok(()),
            Op::Alloc { .. } | Op::Realloc { .. } => return Err("it allocates memory"),
            Op::Free { .. } => return Err("it frees memory"),
            Op::Repeat(_) => return Err("it is accelerated"),
            Op::CallPtr { .. } => return Err("it calls a function through a pointer that may lead anywhere"),
            _ => return Ok(()),
        };
        for object in points_to.objects(points_to.class_of_address(written)) {
            match object {
                Object::Var(var) => {
                    self.objects.insert(*var);
                }
                Object::Alloc(edge) => {
                    let size = allocated_once::size(program, wto, calls, *edge);
                    self.allocated.insert(*edge, size.ok_or("it writes memory that may be allocated more than once")?);
                }
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

    /// Lets no run leave the loop that has not come far enough behind an arbitrary arrival.
    fn stay_while_early(&self, program: &mut Program, counter: VarId, rounds: u32) {
        let Some(exit) = program.functions[self.func].body.map(|body| body.exit) else { return };
        for edge in &self.exits {
            let (dst, span) = (program.edges[*edge].dst, program.edges[*edge].span);
            let mut at = program.add_loc(self.func);
            redirect(program, *edge, at);
            for round in 1..rounds {
                let (is, is_not) = self.branch(program, at, counter, round);
                program.add_edge(is, exit, Op::Halt, span);
                at = is_not;
            }
            program.add_edge(at, dst, Op::Skip, span);
        }
    }

    /// Branches where the counter is `value`, and where it is not.
    fn branch(&self, program: &mut Program, at: LocId, counter: VarId, value: u32) -> (LocId, LocId) {
        let span = program.edges[self.edge].span;
        let constant = constant(program, value.into(), Scalar::INT);
        let var = program.exprs.add(ExprKind::Var(counter), Scalar::INT);
        let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, var, constant), Scalar::Bool);
        let (is, is_not) = (program.add_loc(self.func), program.add_loc(self.func));
        program.add_edge(at, is, Op::Assume { cond, truth: true }, span);
        program.add_edge(at, is_not, Op::Assume { cond, truth: false }, span);
        (is, is_not)
    }

    /// Adds edges from `at` to `dst`.
    fn sequence(&self, program: &mut Program, mut at: LocId, dst: LocId, ops: Vec<Op>) {
        let span = program.edges[self.edge].span;
        let last = ops.len().saturating_sub(1);
        for (i, op) in ops.into_iter().enumerate() {
            let next = if i == last { dst } else { program.add_loc(self.func) };
            program.add_edge(at, next, op, span);
            at = next;
        }
    }

    /// Replaces the mark.
    fn cut(
        &self,
        program: &mut Program,
        counter: VarId,
        rounds: u32,
        early: Option<VarId>,
        pointers: &BTreeMap<EdgeId, VarId>,
    ) {
        let (src, dst, span) = {
            let edge = &program.edges[self.edge];
            (edge.src, edge.dst, edge.span)
        };
        let Some(exit) = program.functions[self.func].body.map(|body| body.exit) else { return };
        detach(program, self.edge);
        let set = |program: &mut Program, value: u32| {
            let src = constant(program, value.into(), Scalar::INT);
            Op::Assign { dst: counter, src }
        };
        let (first, mut rest) = self.branch(program, src, counter, 0);
        let mut begin = first;
        let mut ops = Vec::new();
        if let Some(early) = early {
            // The choice is the counter itself: it has no other use here.
            ops.push(Op::Havoc { dst: counter, source: HavocSource::Environment });
            let chosen = program.add_loc(self.func);
            self.sequence(program, first, chosen, std::mem::take(&mut ops));
            let (arbitrary, followed) = self.branch(program, chosen, counter, 0);
            let follow = vec![set(program, rounds + 1)];
            self.sequence(program, followed, dst, follow);
            begin = arbitrary;
            ops.push(add(program, early, BinOp::Add));
        }
        for round in 1..rounds {
            let (is, is_not) = self.branch(program, rest, counter, round);
            let mut next = vec![set(program, round + 1)];
            if let Some(early) = early.filter(|_| round + 1 == rounds) {
                next.push(add(program, early, BinOp::Sub));
            }
            self.sequence(program, is, dst, next);
            rest = is_not;
        }
        for followed in rounds + 1..(2 * rounds).saturating_sub(1) {
            let (is, is_not) = self.branch(program, rest, counter, followed);
            let next = vec![set(program, followed + 1)];
            self.sequence(program, is, dst, next);
            rest = is_not;
        }
        program.add_edge(rest, exit, Op::Halt, span);
        ops.push(set(program, 1));
        for var in &self.registers {
            ops.extend(arbitrary(program, *var));
        }
        for var in &self.objects {
            if let Storage::Memory { size, .. } = program.vars[*var].storage
                && size > 0
            {
                let dst = program.exprs.add(ExprKind::AddrOf(*var), Scalar::Ptr);
                ops.push(Op::MemHavoc { dst, len: Reach::Bytes(size), source: HavocSource::Environment });
            }
        }
        let mut at = program.add_loc(self.func);
        self.sequence(program, begin, at, ops);
        for (edge, len) in self.allocated.iter().filter(|(_, size)| **size > 0) {
            if let Some(pointer) = pointers.get(edge) {
                at = self.forget_allocated(program, at, *pointer, *len);
            }
        }
        program.add_edge(at, dst, Op::Skip, span);
    }

    /// Makes the object arbitrary that a register points to, if that is not null; the location behind that.
    fn forget_allocated(&self, program: &mut Program, at: LocId, pointer: VarId, len: u64) -> LocId {
        let span = program.edges[self.edge].span;
        let number = program.address_type();
        let dst = program.exprs.add(ExprKind::Var(pointer), Scalar::Ptr);
        let (address, null) = (program.exprs.add(ExprKind::Cast(dst), number), constant(program, 0, number));
        let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, address, null), Scalar::Bool);
        let (exists, behind) = (program.add_loc(self.func), program.add_loc(self.func));
        program.add_edge(at, behind, Op::Assume { cond, truth: true }, span);
        program.add_edge(at, exists, Op::Assume { cond, truth: false }, span);
        program.add_edge(
            exists,
            behind,
            Op::MemHavoc { dst, len: Reach::Bytes(len), source: HavocSource::Environment },
            span,
        );
        behind
    }
}

/// Operations that give a register any value of its type in C.
pub(super) fn arbitrary(program: &mut Program, var: VarId) -> Vec<Op> {
    let temporary = program.vars[var].kind == VarKind::Temp;
    let source = if temporary { HavocSource::Uninitialised } else { HavocSource::Environment };
    let mut ops = vec![Op::Havoc { dst: var, source }];
    let Some(ty) = program.vars[var].register() else { return ops };
    let ctype = program.vars[var].ctype;
    if matches!(program.ctypes.get(ctype), CType::Scalar { name, .. } if &**name == "_Bool") {
        let (value, zero) = (program.exprs.add(ExprKind::Var(var), ty), constant(program, 0, ty));
        let one = constant(program, 1, ty);
        let is = |p: &mut Program, n| p.exprs.add(ExprKind::Binary(BinOp::Eq, value, n), Scalar::Bool);
        let (is_zero, is_one) = (is(program, zero), is(program, one));
        let cond = program.exprs.add(ExprKind::Binary(BinOp::Or, is_zero, is_one), Scalar::Bool);
        ops.push(Op::Assume { cond, truth: true });
    }
    ops
}

/// `var = var + 1`, or `- 1`.
fn add(program: &mut Program, var: VarId, op: BinOp) -> Op {
    let (one, value) = (constant(program, 1, Scalar::INT), program.exprs.add(ExprKind::Var(var), Scalar::INT));
    let src = program.exprs.add(ExprKind::Binary(op, value, one), Scalar::INT);
    Op::Assign { dst: var, src }
}

/// Where an edge is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Loop,
    Callee,
}
