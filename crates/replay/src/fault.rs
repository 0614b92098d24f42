//! What is wrong in the condition of a check that fails.

use crate::operands::{bare, number, value};
use cfa::check::{BLOCKS, WRITTEN};
use cfa::{Access, BinOp, Check, Edge, EdgeId, ExprId, ExprKind, LocId, Op, Program, Scalar, Value, VarKind, display};
use interp::{Interpreter, Life};
use rustc_hash::FxHashSet;

/// What is wrong.
#[derive(Clone, Debug)]
pub enum Fault {
    /// With an access or a heap block, or which variable was not written.
    Object(String),
    /// A number is beyond its bound.
    Number {
        /// What has that value; `None` if it can't be written as the user would.
        operand: Option<String>,
        /// Whether it is the result of the operation that is checked, and no operand.
        is_result: bool,
        /// Its value and the bound: `7, more than 3`.
        wrong: String,
    },
}

impl Fault {
    /// Where a branch is taken: what its condition tells, or else which access behind the check is not valid.
    pub fn at(state: &Interpreter<'_>, branch: EdgeId, life: Life<'_>) -> Option<Fault> {
        let program = state.program();
        let Edge { op: Op::Assume { cond, .. }, dst, .. } = program.edges[branch] else { return None };
        let is_check = program.locs[dst].labels.iter().any(|label| Check::of_label(label) == Some(Check::Memory));
        let fault = Fault::of(state, cond, life);
        let is_told = fault.as_ref().is_some_and(|fault| fault.words(None).is_some());
        if is_told || !is_check { fault } else { Fault::behind(state, branch, life).or(fault) }
    }

    /// In the condition of a branch: with the first access in it that is not valid, or what is compared with a bound.
    fn of(state: &Interpreter<'_>, cond: ExprId, life: Life<'_>) -> Option<Fault> {
        let program = state.program();
        let mut found = None;
        program.exprs.walk(cond, |_, e| {
            if let ExprKind::Valid(access, address, len) = e.kind
                && let (Some(address), Some(len)) = (value(state, address), value(state, len))
                && !state.is_valid(access, address.0 as u64, len.0 as u64)
            {
                found = Some(state.explain(access, address.0 as u64, len.0 as u64, life));
            }
            if e.kind == ExprKind::Tracked {
                found = state.explain_lost(life);
            }
            if let ExprKind::Var(var) = e.kind
                && program.vars[var].kind == VarKind::Temp
            {
                match program.vars[var].name.strip_suffix(WRITTEN) {
                    Some(name) if state.register(var) == Some(Value(0)) => found = Some(name.to_owned()),
                    None if &*program.vars[var].name == BLOCKS => found = state.explain_left(life),
                    _ => {}
                }
            }
        });
        found.or_else(|| called(state, cond)).map(Fault::Object).or_else(|| beyond(state, cond))
    }

    /// With the first access that is not valid behind the other branch.
    fn behind(state: &Interpreter<'_>, branch: EdgeId, life: Life<'_>) -> Option<Fault> {
        let program = state.program();
        let out = |loc: LocId| program.locs[loc].out.iter().copied();
        let mut waiting: Vec<EdgeId> = out(program.edges[branch].src).filter(|edge| *edge != branch).collect();
        let (mut seen, mut found) = (FxHashSet::default(), None);
        // Other checks may stand in front of it.
        while let Some(edge) = waiting.pop()
            && found.is_none()
        {
            let Edge { op, dst, span, .. } = &program.edges[edge];
            if *span != program.edges[branch].span || !seen.insert(edge) {
                continue;
            }
            if let Op::Assume { .. } = op {
                waiting.extend(out(*dst));
            }
            let mut look = |access, address, ty: Scalar| {
                let len = u64::from(ty.access_bytes(program.pointer_bits()));
                let address = value(state, address).map(|address| address.0 as u64);
                let bad = address.filter(|address| found.is_none() && !state.is_valid(access, *address, len));
                found = found.take().or(bad.map(|address| state.explain(access, address, len, life)));
            };
            if let Op::Store { addr, value } = op {
                look(Access::Write, *addr, program.exprs.ty(*value));
            }
            op.for_each_expr(|root| {
                program.exprs.walk(root, |_, e| {
                    if let ExprKind::Load(address) = e.kind {
                        look(Access::Read, address, e.ty);
                    }
                });
            });
        }
        found.map(Fault::Object)
    }

    /// In words, with the text of the operation if the check is about one: `a + 1, where a is 127, more than 126`.
    pub fn words(&self, operation: Option<&str>) -> Option<String> {
        match (self, operation) {
            (Fault::Object(text), _) => Some(text.clone()),
            (Fault::Number { is_result: true, wrong, .. }, Some(operation)) => {
                Some(format!("{operation} gives {wrong}"))
            }
            (Fault::Number { operand: Some(operand), wrong, .. }, Some(operation)) if operation != operand => {
                Some(format!("{operation}, where {operand} is {wrong}"))
            }
            (Fault::Number { operand: Some(operand), wrong, .. }, _) => Some(format!("{operand} is {wrong}")),
            (Fault::Number { operand: None, .. }, operation) => operation.map(str::to_owned),
        }
    }
}

/// The pointer that is called, in a comparison with a function or with null, if it is null.
fn called(state: &Interpreter<'_>, cond: ExprId) -> Option<String> {
    let program = state.program();
    let ExprKind::Binary(BinOp::Eq, pointer, function) = program.exprs.kind(cond) else { return None };
    let is_target = program.exprs.ty(function) == Scalar::Ptr
        && matches!(program.exprs.kind(function), ExprKind::FuncAddr(_) | ExprKind::Const(Value(0)));
    if !is_target || value(state, pointer)? != Value(0) {
        return None;
    }
    let text = display::expr(program, pointer);
    Some(if text.contains('$') || text.contains('…') { "it is NULL".to_owned() } else { format!("{text} is NULL") })
}

/// The number in a comparison with a constant, if it is beyond that.
fn beyond(state: &Interpreter<'_>, cond: ExprId) -> Option<Fault> {
    let program = state.program();
    let ExprKind::Binary(op, operand, bound) = program.exprs.kind(cond) else { return None };
    let bound = program.exprs.as_const(bound).map(|value| number(program, bound, value))??;
    let shown = match op {
        // A negative number is a large one without its sign.
        BinOp::Gt | BinOp::Ge => without_sign_change(program, operand),
        _ => bare(program, operand),
    };
    if program.exprs.as_const(shown).is_some() {
        return None;
    }
    let shown = source(state, shown).unwrap_or(shown);
    let is = number(program, shown, value(state, shown)?)?;
    if let ExprKind::Var(var) = program.exprs.kind(shown)
        && let Some(name) = program.vars[var].name.strip_prefix('<').and_then(|name| name.strip_suffix('>'))
    {
        // The size of an array, of which only the sign is wrong.
        let wrong = format!("{}, less than 0", is - (1i128 << program.pointer_bits()));
        return Some(Fault::Number { operand: Some(name.to_owned()), is_result: false, wrong });
    }
    let wrong = match op {
        BinOp::Gt if is > bound => format!("{is}, more than {bound}"),
        BinOp::Gt | BinOp::Ge if is < 0 => format!("{is}, less than 0"),
        BinOp::Ge if is >= bound => format!("{is}, more than {}", bound - 1),
        BinOp::Lt if is < bound => format!("{is}, less than {bound}"),
        BinOp::Eq if is == bound && bound != 0 => is.to_string(),
        _ => return None,
    };
    let text = display::expr(program, shown);
    let operand = Some(text).filter(|text| !text.contains('$') && !text.contains('…'));
    Some(Fault::Number { operand, is_result: is_result(program, shown, bound), wrong })
}

/// What a temporary of lowering was computed from, if that has still the same value.
fn source(state: &Interpreter<'_>, expr: ExprId) -> Option<ExprId> {
    let program = state.program();
    let ExprKind::Var(var) = program.exprs.kind(expr) else { return None };
    let mut assignments = program.edges.iter().filter(|edge| edge.op.assigned() == Some(var));
    let (Some(Edge { op: Op::Assign { src, .. }, .. }), None) = (assignments.next(), assignments.next()) else {
        return None;
    };
    let computed = bare(program, *src);
    let is_same = program.vars[var].kind == VarKind::Temp
        && number(program, computed, value(state, computed)?)? == number(program, expr, value(state, expr)?)?;
    is_same.then_some(computed)
}

/// An expression without the conversions around it that keep its bits.
fn without_sign_change(program: &Program, expr: ExprId) -> ExprId {
    let width = |expr| match program.exprs.ty(expr) {
        Scalar::Int { bits, .. } => Some(bits),
        _ => None,
    };
    let shown = bare(program, expr);
    match program.exprs.kind(shown) {
        ExprKind::Cast(inner) if width(inner).is_some() && width(inner) == width(shown) => bare(program, inner),
        _ => shown,
    }
}

/// Whether an expression is the operation that is checked: computed in twice its width, and compared with an end of the type's own range.
fn is_result(program: &Program, expr: ExprId, bound: i128) -> bool {
    let Scalar::Int { bits, .. } = program.exprs.ty(expr) else { return false };
    let greatest = |bits: u32| (1_i128 << bits) - 1;
    let half = u32::from(bits) / 2;
    let ends = [0, greatest(half), greatest(half - 1), -greatest(half - 1) - 1];
    let is_wider = |operand| bare(program, operand) != operand || program.exprs.as_const(operand).is_some();
    let is_operation = matches!(program.exprs.kind(expr), ExprKind::Binary(_, a, b) if is_wider(a) && is_wider(b));
    is_operation && ends.contains(&bound)
}
