//! The operands that decide a condition, and their values in the state of a run.

use cfa::eval::{Leaf, Node, eval_binary, eval_cast, eval_ptr_add, eval_unary};
use cfa::{BinOp, ExprId, ExprKind, Program, Scalar, UnOp, Value, VarId, layout};
use interp::Interpreter;

/// Nodes of an expression that are looked at, shared ones as often as they occur: expressions are graphs.
const FUEL: u32 = 500;
/// Operands of a condition that are told.
const MAX_OPERANDS: usize = 4;

/// The operands of the comparisons in a condition that are no constants, in order, without conversions around them.
pub fn operands(program: &Program, cond: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    collect(program, cond, &mut found);
    found
}

fn collect(program: &Program, cond: ExprId, found: &mut Vec<ExprId>) {
    if found.len() >= MAX_OPERANDS {
        return;
    }
    match program.exprs.kind(cond) {
        ExprKind::Unary(UnOp::Not, a) => collect(program, a, found),
        ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
            collect(program, a, found);
            collect(program, b, found);
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            for side in [a, b].map(|side| bare(program, side)) {
                if program.exprs.as_const(side).is_none() && !found.contains(&side) && found.len() < MAX_OPERANDS {
                    found.push(side);
                }
            }
        }
        _ => {}
    }
}

/// An expression without the conversions around it that keep its value.
pub fn bare(program: &Program, mut expr: ExprId) -> ExprId {
    let bits = |expr| program.exprs.ty(expr).bits(program.pointer_bits());
    let is_int = |expr| matches!(program.exprs.ty(expr), Scalar::Int { .. } | Scalar::Bool);
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        if !(is_int(expr) && is_int(inner) && bits(inner) < bits(expr)) {
            break;
        }
        expr = inner;
    }
    expr
}

/// The condition of a conditional expression that is the whole of `value` but for conversions.
pub fn choice(program: &Program, mut value: ExprId) -> Option<ExprId> {
    loop {
        match program.exprs.kind(value) {
            ExprKind::Cast(inner) => value = inner,
            ExprKind::Ite(cond, ..) if program.exprs.as_const(cond).is_none() => return Some(cond),
            _ => return None,
        }
    }
}

/// What an expression may speak of without having another value after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// This register was assigned.
    Register(VarId),
    /// Memory was written.
    Memory,
}

/// Whether an expression has the value that it had before the change.
pub fn is_unaffected(program: &Program, expr: ExprId, changed: Changed) -> bool {
    let mut waiting = vec![expr];
    let mut fuel = FUEL;
    while let Some(expr) = waiting.pop() {
        fuel -= 1;
        if fuel == 0 {
            return false;
        }
        match program.exprs.kind(expr).node() {
            Ok(node) => drop(node.map(|operand| waiting.push(operand))),
            Err(Leaf::Var(var)) if changed == Changed::Register(var) => return false,
            Err(Leaf::Load(_) | Leaf::Valid(..) | Leaf::Tracked) if changed == Changed::Memory => return false,
            Err(Leaf::Load(address)) => waiting.push(address),
            Err(Leaf::Valid(_, address, len)) => waiting.extend([address, len]),
            Err(Leaf::Var(_) | Leaf::Const(_) | Leaf::AddrOf(_) | Leaf::FuncAddr(_) | Leaf::Tracked) => {}
        }
    }
    true
}

/// Whether a condition is a switch that lowering made (whether an allocation fails, a variable was written), which says nothing to a user.
pub fn is_switch(program: &Program, cond: ExprId) -> bool {
    match program.exprs.kind(cond) {
        ExprKind::Unary(UnOp::Not, inner) => is_switch(program, inner),
        ExprKind::Var(var) => program.vars[var].is_named_temporary(),
        _ => false,
    }
}

/// The number that a value of an integer type is.
pub fn number(program: &Program, expr: ExprId, value: Value) -> Option<i128> {
    match program.exprs.ty(expr) {
        ty @ Scalar::Int { signed: true, .. } => Some(value.signed(ty.bits(program.pointer_bits()))),
        Scalar::Int { .. } => i128::try_from(value.0).ok(),
        _ => None,
    }
}

/// The value of an expression of the current function; `None` if it is not known, or the expression is large.
pub fn value(state: &Interpreter<'_>, expr: ExprId) -> Option<Value> {
    Evaluator { state, fuel: FUEL }.value(expr)
}

struct Evaluator<'a, 'p> {
    state: &'a Interpreter<'p>,
    fuel: u32,
}

impl Evaluator<'_, '_> {
    fn value(&mut self, expr: ExprId) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        let program = self.state.program();
        let (bits, ty) = (program.pointer_bits(), program.exprs.ty(expr));
        match program.exprs.kind(expr).node() {
            Ok(Node::Unary(op, a)) => eval_unary(op, program.exprs.ty(a), self.value(a)?, bits),
            Ok(Node::Binary(op, a, b)) => {
                let (left, right) = (self.value(a)?, self.value(b)?);
                eval_binary(op, program.exprs.ty(a), left, right, bits)
            }
            Ok(Node::PtrAdd(a, b)) => Some(eval_ptr_add(self.value(a)?, self.value(b)?, bits)),
            Ok(Node::Cast(a)) => eval_cast(program.exprs.ty(a), ty, self.value(a)?, bits),
            Ok(Node::Ite(cond, a, b)) => {
                let taken = self.value(cond)?.0 != 0;
                self.value(if taken { a } else { b })
            }
            Err(Leaf::Const(value)) => Some(value),
            Err(Leaf::Var(var)) => self.state.register(var),
            Err(Leaf::AddrOf(var)) => self.state.address_of(var).map(|address| Value(address.into())),
            Err(Leaf::FuncAddr(func)) => Some(Value(layout::function_address(func).into())),
            Err(Leaf::Load(address)) => {
                let address = self.value(address)?.0 as u64;
                let bytes = self.state.bytes_at(address, ty.access_bytes(bits) as usize)?;
                Some(Value::truncated(program.byte_order.number(&bytes), ty.bits(bits)))
            }
            Err(Leaf::Valid(access, address, len)) => {
                let (address, len) = (self.value(address)?.0 as u64, self.value(len)?.0 as u64);
                Some(Value::from(self.state.is_valid(access, address, len)))
            }
            Err(Leaf::Tracked) => None,
        }
    }
}
