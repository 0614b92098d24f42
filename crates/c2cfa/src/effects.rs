//! What evaluating an expression may do besides giving a value; decided on the tree, before it is lowered.

use crate::context::{Lowerer, Memo};
use cfa::{Check, Scalar};
use cfront::typed::{BinaryOp, Callee, Expr, ExprKind, Size, UnaryOp, VarKind};

/// The constant that an expression is, seen through conversions; good enough to tell zero from other values in range.
pub(crate) fn constant_of(mut e: &Expr) -> Option<i128> {
    loop {
        match &e.kind {
            ExprKind::Int(value) => return Some(*value),
            ExprKind::Cast(inner) => e = inner,
            _ => return None,
        }
    }
}

/// Questions that take more steps have their answers remembered, so that deep nesting doesn't cost quadratic time.
const CHEAP: u32 = 100;

fn remembered(memo: &Memo, e: &Expr, steps: &mut u32, compute: impl FnOnce(&mut u32) -> bool) -> bool {
    *steps += 1;
    if *steps <= CHEAP {
        return compute(steps);
    }
    if let Some(known) = memo.borrow().get(&std::ptr::from_ref(e)) {
        return *known;
    }
    let answer = compute(steps);
    memo.borrow_mut().insert(std::ptr::from_ref(e), answer);
    answer
}

impl Lowerer<'_> {
    /// Whether evaluation has side effects, so that values read before it may be stale after it.
    pub fn has_effects(&self, e: &Expr) -> bool {
        self.effects(e, &mut 0)
    }

    /// Whether evaluation neither has side effects nor can be undefined, so that it may be evaluated where C wouldn't.
    pub fn is_simple(&self, e: &Expr) -> bool {
        self.simple(e, &mut 0)
    }

    fn effects(&self, e: &Expr, steps: &mut u32) -> bool {
        remembered(&self.effects, e, steps, |steps| self.effects_of(e, steps))
    }

    fn simple(&self, e: &Expr, steps: &mut u32) -> bool {
        remembered(&self.simple, e, steps, |steps| self.simple_of(e, steps))
    }

    fn effects_of(&self, mut e: &Expr, steps: &mut u32) -> bool {
        loop {
            match &e.kind {
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Var(_)
                | ExprKind::Function(_)
                | ExprKind::String(_)
                | ExprKind::LabelAddr(_) => return false,
                ExprKind::Load(a) if self.is_input(a) || self.is_shared(a) => return true,
                ExprKind::Deref(a)
                | ExprKind::Load(a)
                | ExprKind::Decay(a)
                | ExprKind::AddrOf(a)
                | ExprKind::Cast(a)
                | ExprKind::Unary(_, a)
                | ExprKind::Wrap(a, _)
                | ExprKind::VlaSize(a)
                | ExprKind::Member { base: a, .. } => e = a,
                ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => {
                    if self.effects(b, steps) {
                        return true;
                    }
                    e = a;
                }
                ExprKind::PtrAdd { ptr: a, index: b, elem_size, .. }
                | ExprKind::PtrDiff { lhs: a, rhs: b, elem_size } => {
                    if self.effects(b, steps) || matches!(elem_size, Size::Expr(s) if self.effects(s, steps)) {
                        return true;
                    }
                    e = a;
                }
                ExprKind::Conditional { cond, then, otherwise } => {
                    if self.effects(cond, steps) || then.as_ref().is_some_and(|t| self.effects(t, steps)) {
                        return true;
                    }
                    e = otherwise;
                }
                ExprKind::Call { callee: Callee::Direct(f), args } => {
                    return !self.is_pure_builtin(*f) || args.iter().any(|a| self.effects(a, steps));
                }
                ExprKind::CompoundLiteral { init, .. } => return init.is_some(),
                ExprKind::Quantified(_)
                | ExprKind::Assign(..)
                | ExprKind::CompoundAssign { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Call { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::VaArg(_)
                | ExprKind::Unsupported(..) => return true,
            }
        }
    }

    fn simple_of(&self, e: &Expr, steps: &mut u32) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::LabelAddr(_) => true,
            ExprKind::Load(lvalue) => self.is_safe_object(lvalue) && !self.is_input(lvalue) && !self.is_shared(lvalue),
            ExprKind::Decay(lvalue) | ExprKind::AddrOf(lvalue) => self.is_simple_address(lvalue, steps),
            ExprKind::Cast(a) => self.scalar(e.ty).is_some() && self.simple(a, steps) && !self.may_not_fit(e, a),
            ExprKind::Wrap(a, _) => self.simple(a, steps),
            ExprKind::Unary(op, a) => self.simple(a, steps) && (*op != UnaryOp::Neg || !self.may_overflow(e)),
            ExprKind::Binary(op, a, b) => self.simple(a, steps) && self.simple(b, steps) && self.is_defined(*op, e, b),
            ExprKind::PtrAdd { ptr, index, elem_size: Size::Const(_), .. } => {
                self.simple(ptr, steps) && self.simple(index, steps)
            }
            ExprKind::PtrDiff { lhs, rhs, elem_size: Size::Const(_) } => {
                self.simple(lhs, steps) && self.simple(rhs, steps)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.simple(cond, steps)
                    && then.as_ref().is_none_or(|t| self.simple(t, steps))
                    && self.simple(otherwise, steps)
            }
            ExprKind::Call { callee: Callee::Direct(f), args } => {
                self.is_pure_builtin(*f) && !self.may_overflow(e) && args.iter().all(|a| self.simple(a, steps))
            }
            _ => false,
        }
    }

    fn is_defined(&self, op: BinaryOp, e: &Expr, rhs: &Expr) -> bool {
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let by = constant_of(rhs);
                self.scalar(e.ty).is_some_and(|s| s.is_float())
                    || by.is_some_and(|v| v as u32 != 0 && (v > 0 || !self.may_overflow(e)))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = self.scalar(e.ty).map_or(0, |s| s.bits(self.pointer_bits));
                constant_of(rhs).is_some_and(|v| (0..i128::from(bits)).contains(&v))
                    && (op == BinaryOp::Shr || !self.may_overflow(e))
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !self.may_overflow(e),
            _ => true,
        }
    }

    /// Whether an arithmetic operation gets a check.
    fn may_overflow(&self, e: &Expr) -> bool {
        self.checks(Check::Overflow) && self.scalar(e.ty).is_some_and(Scalar::is_signed)
    }

    /// Whether a conversion gets a check.
    pub fn may_not_fit(&self, e: &Expr, from: &Expr) -> bool {
        match (self.scalar(from.ty), self.scalar(e.ty)) {
            (Some(Scalar::Float(_)), Some(Scalar::Int { .. })) => self.checks(Check::FloatCast),
            (Some(from @ Scalar::Int { .. }), Some(to @ Scalar::Int { .. })) => {
                from != to && self.checks(Check::Conversion)
            }
            _ => false,
        }
    }

    /// Whether the lvalue is (part of) a variable that certainly exists.
    fn is_safe_object(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(var) => {
                let var = &self.unit.vars[self.named(*var)];
                let is_defined = var.kind != VarKind::Extern;
                !self.is_variable_length(var.ty) && (is_defined || !var.weak && self.size(var.ty).is_some())
            }
            ExprKind::Member { base, .. } => self.is_safe_object(base),
            _ => false,
        }
    }

    fn is_simple_address(&self, e: &Expr, steps: &mut u32) -> bool {
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Function(_) | ExprKind::String(_) => true,
            ExprKind::Deref(pointer) => self.simple(pointer, steps),
            ExprKind::Member { base, .. } => self.is_simple_address(base, steps),
            ExprKind::CompoundLiteral { init: None, .. } => true,
            _ => false,
        }
    }
}
