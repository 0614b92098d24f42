//! Truth values: conditions become branches with one atomic assumption each; values of logical operators become
//! expressions where the right operand may be evaluated anyway, and branches otherwise.

use crate::context::Lowerer;
use crate::effects::constant_of;
use base::Span;
use cfa::flow::Node;
use cfa::{BinOp, ExprId, VarId};
use cfront::typed::{BinaryOp, Callee, Expr, ExprKind, UnaryOp};
use clib::known::Builtin;
use syntax::ast::Quantifier;

/// The CFA's operator for an arithmetic operator or comparison of C.
pub(crate) fn bin_op(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::Lt => BinOp::Lt,
        BinaryOp::Gt => BinOp::Gt,
        BinaryOp::Le => BinOp::Le,
        BinaryOp::Ge => BinOp::Ge,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
        BinaryOp::BitAnd => BinOp::BitAnd,
        BinaryOp::BitXor => BinOp::BitXor,
        BinaryOp::BitOr => BinOp::BitOr,
        BinaryOp::LogAnd | BinaryOp::LogOr => return None,
    })
}

/// What a quantifier is under a negation.
fn opposite(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::All => Quantifier::Some,
        Quantifier::Some => Quantifier::All,
    }
}

/// Whether the value is 0 or 1 by its form.
fn is_truth_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Quantified(_) => true,
        ExprKind::Binary(op, ..) => {
            matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) || bin_op(*op).is_some_and(BinOp::is_comparison)
        }
        ExprKind::Cast(inner) => is_truth_value(inner),
        _ => false,
    }
}

impl<'u> Lowerer<'u> {
    /// Whether a conversion keeps apart what is zero and what is not.
    fn cast_keeps_truth(&self, e: &Expr, inner: &Expr) -> bool {
        let (Some(to), Some(from)) = (self.scalar(e.ty), self.scalar(inner.ty)) else { return false };
        let wide = to.bits(self.pointer_bits) >= from.bits(self.pointer_bits);
        self.is_bool(e.ty) || is_truth_value(inner) || wide && !from.is_float() && !to.is_float()
    }

    /// Goes to `yes` if the value is not zero, otherwise to `no`.
    pub fn branch(&mut self, e: &'u Expr, yes: Node, no: Node) {
        if !self.is_reachable() {
            return;
        }
        // The choice is one for the condition as a whole; what computes a value of it has none.
        let choice = self.f.contract.choice.take();
        match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::LogAnd | BinaryOp::LogOr), a, b) => {
                let mid = self.node();
                let (first, second) = if *op == BinaryOp::LogAnd { (mid, no) } else { (yes, mid) };
                self.branch_with(choice, a, first, second);
                self.enter(mid);
                self.branch_with(choice, b, yes, no);
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.branch_with(choice.map(opposite), a, no, yes),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.branch_with(choice, b, yes, no);
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified, choice, (yes, no), e.span),
            ExprKind::Cast(inner) if self.cast_keeps_truth(e, inner) => self.branch_with(choice, inner, yes, no),
            ExprKind::Binary(BinaryOp::Eq, a, b) if is_truth_value(a) && constant_of(b) == Some(0) => {
                self.branch_with(choice.map(opposite), a, no, yes);
            }
            ExprKind::Binary(BinaryOp::Ne, a, b) if is_truth_value(a) && constant_of(b) == Some(0) => {
                self.branch_with(choice, a, yes, no);
            }
            ExprKind::Conditional { cond, then: Some(then), otherwise } => {
                let (first, second) = (self.node(), self.node());
                self.branch(cond, first, second);
                self.enter(first);
                self.branch_with(choice, then, yes, no);
                self.enter(second);
                self.branch_with(choice, otherwise, yes, no);
            }
            ExprKind::Call { callee: Callee::Direct(f), args }
                if self.builtin(*f) == Some(Builtin::Expect) && !args.is_empty() =>
            {
                for arg in &args[1..] {
                    if self.has_effects(arg) {
                        self.effect(arg);
                    }
                }
                self.branch(&args[0], yes, no);
            }
            _ => {
                // Whether memory is fresh is asked by a choice, too.
                self.f.contract.choice = choice.filter(|_| self.is_fresh_call(e));
                let value = self.truth_value(e);
                self.f.contract.choice = None;
                self.branch_on(value, yes, no, e.span);
            }
        }
    }

    /// As [`Lowerer::branch`], where the variable of a quantifier may be chosen.
    fn branch_with(&mut self, choice: Option<Quantifier>, e: &'u Expr, yes: Node, no: Node) {
        self.f.contract.choice = choice;
        self.branch(e, yes, no);
        self.f.contract.choice = None;
    }

    /// Goes to `yes` or `no` by a `Bool` expression; constants decide at once.
    pub fn branch_on(&mut self, value: ExprId, yes: Node, no: Node, span: Span) {
        match self.p.exprs.as_const(value) {
            Some(value) => self.goto(if value.0 != 0 { yes } else { no }, span),
            None => self.f.flow.branch(value, yes, no, span),
        }
    }

    /// The `Bool` that says whether the value is not zero.
    pub fn truth_value(&mut self, e: &'u Expr) -> ExprId {
        match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::LogAnd | BinaryOp::LogOr), a, b) => {
                if self.is_simple(b) {
                    let a = self.truth_value(a);
                    let b = self.truth_value(b);
                    return self.binary(if *op == BinaryOp::LogAnd { BinOp::And } else { BinOp::Or }, a, b);
                }
                let temp = self.temp(self.int_ty(), e.span);
                self.truth_into(e, temp);
                let value = self.var(temp);
                self.truth(value)
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let value = self.truth_value(a);
                self.not(value)
            }
            ExprKind::Cast(inner) if self.cast_keeps_truth(e, inner) => self.truth_value(inner),
            ExprKind::Binary(op, a, b) => match bin_op(*op) {
                Some(op) if op.is_comparison() => {
                    let (a, b) = self.operands(a, b, e.span);
                    self.binary_as(op, a, b)
                }
                _ => {
                    let value = self.rvalue(e);
                    self.truth(value)
                }
            },
            _ => {
                let value = self.rvalue(e);
                self.truth(value)
            }
        }
    }

    /// Register := 1 or 0, by branches.
    pub fn truth_into(&mut self, e: &'u Expr, dst: VarId) {
        let (yes, no, end) = (self.node(), self.node(), self.node());
        self.branch(e, yes, no);
        for (node, value) in [(yes, 1), (no, 0)] {
            self.enter(node);
            let value = self.constant(value, self.p.vars[dst].register().unwrap_or(self.int_ty()));
            self.assign(dst, value, e.span);
            self.goto(end, e.span);
        }
        self.enter(end);
    }

    /// Two operands from left to right.
    pub fn operands(&mut self, a: &'u Expr, b: &'u Expr, span: Span) -> (ExprId, ExprId) {
        let first = self.rvalue(a);
        let first = if self.has_effects(b) { self.stable(first, span) } else { first };
        (first, self.rvalue(b))
    }
}
