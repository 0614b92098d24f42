//! Constant extrapolation: the closed form of a counting loop [beyer22, Sect. 3.1]; exact.
//!
//! It applies where the only exit is the loop's condition, which has a trip count, where a round computes without reading memory, and where every
//! register that is read afterwards changes by the same amount in each round. The number of rounds is computed without overflow;
//! where the counter would pass the limit of its type, the loop is executed as it is.
//!
//! For `x < b` and step `s`, with `d = b - x` as unsigned number: `(d - 1) / s + 1` rounds, and the counter ends at `b + r` with
//! `r = s - 1 - (d - 1) % s`, which must be a value of its type. For `x <= b`: `d / s + 1` rounds and `r = s - d % s`. Downwards alike.
//! For `x != b` the distance must be a multiple of the step; then nothing can go wrong.

use super::body::Body;
use super::facts::LoopFacts;
use super::{LoopStrategy, Refusal, Strategy};
use cfa::expr::{BinOp, ExprId, ExprKind};
use cfa::loop_structure::{Induction, Step, Test, TripCount};
use cfa::loops::is_branch;
use cfa::op::Op;
use cfa::program::{EdgeId, LocId, Program, Storage, Var, VarId, VarKind};
use cfa::value::{Scalar, Value};

/// See the module.
pub struct Constant;

impl LoopStrategy for Constant {
    fn strategy(&self) -> Strategy {
        Strategy::Constant
    }

    fn applies(&self, loop_: &LoopFacts<'_>) -> Result<(), Refusal> {
        plan(loop_).map(|_| ())
    }

    fn copies(&self) -> usize {
        0
    }

    fn build(&self, loop_: &LoopFacts<'_>, body: &mut Body<'_>) -> Option<LocId> {
        let plan = plan(loop_).ok()?;
        let (head, end) = (loop_.l.head, body.program.edges[plan.trip.exit].dst);
        let (entry, more) = (body.loc(), body.loc());
        let Op::Assume { cond, truth } = body.program.edges[plan.trip.exit].op else { return None };
        body.edge(entry, end, Op::Assume { cond, truth });
        body.edge(entry, more, Op::Assume { cond, truth: !truth });
        let form = closed_form(body.program, loop_, &plan)?;
        let mut at = more;
        if let Some(fits) = form.fits {
            at = body.loc();
            body.edge(more, at, Op::Assume { cond: fits, truth: true });
            body.edge(more, head, Op::Assume { cond: fits, truth: false });
        }
        for (dst, src) in form.rounds.into_iter().chain(form.changes) {
            let next = body.loc();
            body.edge(at, next, Op::Assign { dst, src });
            at = next;
        }
        body.edge(at, end, Op::Skip);
        Some(entry)
    }
}

/// The closed form of a loop whose condition holds at first.
pub struct ClosedForm {
    /// When it is right; always, if there is no condition.
    pub fits: Option<ExprId>,
    /// A new register, and the number of rounds for it, if several changes need that.
    pub rounds: Option<(VarId, ExprId)>,
    /// New values of registers, in terms of that and of old values.
    pub changes: Vec<(VarId, ExprId)>,
}

/// Makes the closed form.
pub fn closed_form(program: &mut Program, loop_: &LoopFacts<'_>, plan: &Plan) -> Option<ClosedForm> {
    let form = Form::new(program, &plan.trip)?;
    let ty = unsigned(plan.trip.ty)?;
    let (rounds, times) = match plan.changes.len() {
        0 | 1 => (None, form.rounds),
        _ => {
            let rounds = temporary(program, loop_, ty);
            (Some((rounds, form.rounds)), program.exprs.add(ExprKind::Var(rounds), ty))
        }
    };
    let mut changes = Vec::with_capacity(plan.changes.len());
    for induction in &plan.changes {
        changes.push((induction.var, advanced(program, *induction, times)?));
    }
    Some(ClosedForm { fits: form.fits, rounds, changes })
}

/// How the closed form is made.
pub struct Plan {
    /// The exit's trip count.
    pub trip: TripCount,
    /// Registers that are read afterwards.
    pub changes: Vec<Induction>,
}

/// The closed form's parts.
///
/// # Errors
/// Why there is none.
pub fn plan(loop_: &LoopFacts<'_>) -> Result<Plan, Refusal> {
    let (program, l) = (loop_.program, loop_.l);
    if loop_.violates {
        return Err(Refusal("a round may violate the property"));
    }
    let [exit] = l.exits[..] else { return Err(Refusal("it has several exits")) };
    let Some(trip) = l.trips.iter().find(|t| t.exit == exit) else {
        return Err(Refusal("it does not count to a bound"));
    };
    if program.edges[exit].src != l.head || trip.test != Test::BeforeStep {
        return Err(Refusal("its condition is not at its begin"));
    }
    if !l.modified.regions.is_empty() {
        return Err(Refusal("it writes to memory"));
    }
    if loop_.structure.loops.iter().any(|inner| inner.parent == Some(loop_.id)) {
        return Err(Refusal("it has inner loops"));
    }
    if trip.ty.bits(program.pointer_bits()) > 64 {
        return Err(Refusal("its counter is too wide"));
    }
    for loc in &l.locs {
        let outs = &program.locs[*loc].out;
        if outs.len() != 1 && !is_branch(program, *loc) {
            return Err(Refusal("it may stop within a round"));
        }
        for edge in outs {
            if !is_plain(program, *edge) || (outs.len() == 1 && is_assume(program, *edge)) {
                return Err(Refusal("a round does more than compute"));
            }
        }
    }
    let mut changes = Vec::new();
    for var in &l.live_out {
        match l.inductions.iter().find(|i| i.var == *var) {
            Some(induction) => changes.push(*induction),
            None => return Err(Refusal("a variable does not change by the same amount in each round")),
        }
    }
    let wide = |i: &Induction| {
        program.vars[i.var].register().is_none_or(|ty| !ty.is_int() || ty.bits(program.pointer_bits()) > 64)
    };
    if changes.iter().any(wide) {
        return Err(Refusal("a variable is too wide"));
    }
    Ok(Plan { trip: *trip, changes })
}

fn is_assume(program: &Program, edge: EdgeId) -> bool {
    matches!(program.edges[edge].op, Op::Assume { .. })
}

/// Whether the operation only computes on registers.
fn is_plain(program: &Program, edge: EdgeId) -> bool {
    let op = &program.edges[edge].op;
    let mut plain = matches!(op, Op::Skip | Op::Assign { .. } | Op::Assume { .. });
    op.for_each_expr(|e| {
        program.exprs.walk(e, |_, expr| {
            plain &= !matches!(expr.kind, ExprKind::Load(_) | ExprKind::Valid(..) | ExprKind::Tracked)
        })
    });
    plain
}

fn unsigned(ty: Scalar) -> Option<Scalar> {
    match ty {
        Scalar::Int { bits, .. } => Some(Scalar::Int { bits, signed: false }),
        _ => None,
    }
}

fn temporary(program: &mut Program, loop_: &LoopFacts<'_>, ty: Scalar) -> VarId {
    let model = &program.vars[loop_.l.inductions[0].var];
    let (ctype, span) = (model.ctype, loop_.span);
    program.vars.push(Var {
        name: "rounds".into(),
        func: Some(loop_.l.func),
        storage: Storage::Register(ty),
        kind: VarKind::Temp,
        ctype,
        init: None,
        span,
    })
}

/// The value of an induction variable after so many rounds.
fn advanced(program: &mut Program, induction: Induction, rounds: ExprId) -> Option<ExprId> {
    let ty = program.vars[induction.var].register()?;
    let exprs = &mut program.exprs;
    let times = if exprs.ty(rounds) == ty { rounds } else { exprs.add(ExprKind::Cast(rounds), ty) };
    let var = exprs.add(ExprKind::Var(induction.var), ty);
    let (amount, op) = match induction.step {
        Step::Constant(c) if c < 0 => (constant(program, -c, ty), BinOp::Sub),
        Step::Constant(c) => (constant(program, c, ty), BinOp::Add),
        Step::Add(e) => (e, BinOp::Add),
        Step::Sub(e) => (e, BinOp::Sub),
    };
    let all = binary(program, BinOp::Mul, amount, times);
    Some(binary(program, op, var, all))
}

fn constant(program: &mut Program, n: i128, ty: Scalar) -> ExprId {
    let value = Value::truncated(n as u128, ty.bits(program.pointer_bits()));
    program.exprs.add(ExprKind::Const(value), ty)
}

/// The number of rounds, given that there is one, and when it is right.
struct Form {
    rounds: ExprId,
    /// Always, if there is no condition.
    fits: Option<ExprId>,
}

impl Form {
    fn new(program: &mut Program, trip: &TripCount) -> Option<Self> {
        let pointer_bits = program.pointer_bits();
        let var_ty = program.vars[trip.var].register()?;
        let (bits, wide) = (var_ty.bits(pointer_bits), trip.ty.bits(pointer_bits));
        let unsigned = unsigned(trip.ty)?;
        let var = program.exprs.add(ExprKind::Var(trip.var), var_ty);
        let counter = if var_ty == trip.ty { var } else { program.exprs.add(ExprKind::Cast(var), trip.ty) };
        let up = trip.step > 0;
        let step = trip.step.unsigned_abs();
        if step >= 1 << (bits.min(64) - 1) {
            return None;
        }
        let step = step as i128;
        let as_unsigned = |program: &mut Program, e: ExprId| match program.exprs.ty(e) == unsigned {
            true => e,
            false => program.exprs.add(ExprKind::Cast(e), unsigned),
        };
        let (from, to) = if up { (counter, trip.bound) } else { (trip.bound, counter) };
        let (from, to) = (as_unsigned(program, from), as_unsigned(program, to));
        let distance = binary(program, BinOp::Sub, to, from);
        let size = constant(program, step, unsigned);
        let one = constant(program, 1, unsigned);
        let zero = constant(program, 0, unsigned);
        match (trip.op, up) {
            (BinOp::Ne, _) => {
                if bits != wide {
                    return None;
                }
                let rounds = if step == 1 { distance } else { binary(program, BinOp::Div, distance, size) };
                let fits = (step != 1).then(|| {
                    let rest = binary(program, BinOp::Rem, distance, size);
                    binary(program, BinOp::Eq, rest, zero)
                });
                Some(Self { rounds, fits })
            }
            (BinOp::Lt, true) | (BinOp::Gt, false) => {
                let before = binary(program, BinOp::Sub, distance, one);
                let full = if step == 1 { before } else { binary(program, BinOp::Div, before, size) };
                let rounds = binary(program, BinOp::Add, full, one);
                // How far beyond the bound the counter ends.
                let beyond = if step == 1 {
                    zero
                } else {
                    let rest = binary(program, BinOp::Rem, before, size);
                    let most = constant(program, step - 1, unsigned);
                    binary(program, BinOp::Sub, most, rest)
                };
                Some(Self { rounds, fits: limit(program, trip, (var_ty, up), (beyond, step - 1)) })
            }
            (BinOp::Le, true) | (BinOp::Ge, false) => {
                let full = if step == 1 { distance } else { binary(program, BinOp::Div, distance, size) };
                let rounds = binary(program, BinOp::Add, full, one);
                let beyond = if step == 1 {
                    one
                } else {
                    let rest = binary(program, BinOp::Rem, distance, size);
                    binary(program, BinOp::Sub, size, rest)
                };
                Some(Self { rounds, fits: limit(program, trip, (var_ty, up), (beyond, step)) })
            }
            _ => None,
        }
    }
}

/// The condition that the bound, moved by `beyond`, is a value of the counter's type; nothing if it always is, also for the greatest
/// that `beyond` can be.
fn limit(
    program: &mut Program,
    trip: &TripCount,
    (var_ty, up): (Scalar, bool),
    (beyond, greatest): (ExprId, i128),
) -> Option<ExprId> {
    let bits = var_ty.bits(program.pointer_bits());
    let (min, max) =
        if var_ty.is_signed() { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    if program.exprs.as_const(beyond) == Some(Value(0)) && var_ty == trip.ty {
        return None;
    }
    let wide = trip.ty.bits(program.pointer_bits());
    let bound = program.exprs.as_const(trip.bound);
    if let Some(bound) = bound.map(|n| if trip.ty.is_signed() { n.signed(wide) } else { n.0 as i128 })
        && if up { min <= bound && bound + greatest <= max } else { bound <= max && min <= bound - greatest }
    {
        return None;
    }
    let beyond =
        if program.exprs.ty(beyond) == trip.ty { beyond } else { program.exprs.add(ExprKind::Cast(beyond), trip.ty) };
    let edge = constant(program, if up { max } else { min }, trip.ty);
    let (op, edge) = if up {
        (BinOp::Le, binary(program, BinOp::Sub, edge, beyond))
    } else {
        (BinOp::Ge, binary(program, BinOp::Add, edge, beyond))
    };
    let fits = binary(program, op, trip.bound, edge);
    (program.exprs.as_const(fits) != Some(Value(1))).then_some(fits)
}

/// The number that an expression is.
fn number(program: &Program, e: ExprId) -> Option<u128> {
    program.exprs.as_const(e).map(|value| value.0)
}

/// An operation on operands of one type. Constants are folded, and what changes nothing is left out.
fn binary(program: &mut Program, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
    let operands = program.exprs.ty(a);
    let ty = if op.is_comparison() { Scalar::Bool } else { operands };
    if let (Some(x), Some(y)) = (program.exprs.as_const(a), program.exprs.as_const(b)) {
        let of = if op.is_comparison() { operands } else { ty };
        if let Some(value) = cfa::eval::eval_binary(op, of, x, y, program.pointer_bits()) {
            return program.exprs.add(ExprKind::Const(value), ty);
        }
    }
    match (op, number(program, a), number(program, b)) {
        (BinOp::Add | BinOp::Sub, _, Some(0)) | (BinOp::Mul | BinOp::Div, _, Some(1)) => return a,
        (BinOp::Add, Some(0), _) | (BinOp::Mul, Some(1), _) => return b,
        // `(n - x) - 1` and `(x - 1) + 1`.
        (BinOp::Sub, _, Some(_)) => {
            if let ExprKind::Binary(BinOp::Sub, n, x) = program.exprs.kind(a)
                && program.exprs.as_const(n).is_some()
            {
                let n = binary(program, BinOp::Sub, n, b);
                return binary(program, BinOp::Sub, n, x);
            }
        }
        (BinOp::Add, _, Some(m)) => {
            if let ExprKind::Binary(BinOp::Sub, x, n) = program.exprs.kind(a)
                && number(program, n) == Some(m)
            {
                return x;
            }
        }
        _ => {}
    }
    program.exprs.add(ExprKind::Binary(op, a, b), ty)
}
