//! What conditions say about a graph.

use crate::eval::{Eval, Stop};
use crate::graph::Graph;
use crate::value::{Fact, Symbol, Val};
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp, Value};
use domains::numerical::Num;

/// No state satisfies a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bottom;

impl Eval<'_, '_> {
    /// Restricts the graph to states in which a condition has this truth value; whether there may be any.
    ///
    /// # Errors
    /// If the graph has to be changed first, or no run gets past the evaluation.
    pub fn assume(&mut self, cond: ExprId, truth: bool) -> Result<bool, Stop> {
        if let Some((_, decided)) = self.decided.iter().find(|(e, _)| *e == cond) {
            return Ok(*decided == truth);
        }
        match self.program.exprs.kind(cond) {
            ExprKind::Unary(UnOp::Not, a) => self.assume(a, !truth),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                if (op == BinOp::And) == truth {
                    return Ok(self.assume(a, truth)? && self.assume(b, truth)?);
                }
                match self.eval(a)? {
                    Val::Bits(value) if (value.0 != 0) == truth => Ok(true),
                    Val::Bits(_) => self.assume(b, truth),
                    _ if self.coarse => Ok(true),
                    _ => Err(Stop::Split(a)),
                }
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && self.program.exprs.ty(a).is_float() => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                let holds = self.graph.compare(op, self.program.exprs.ty(a), x, y);
                Ok(holds.is_none_or(|holds| holds == truth))
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.compare(if truth { op } else { negated(op) }, a, b)
            }
            _ => Ok(match self.eval(cond)? {
                Val::Bits(value) => (value.0 != 0) == truth,
                val => {
                    if let Val::Unknown(symbol) = val {
                        self.graph.replace(symbol, crate::eval::truth_value(truth));
                        self.refined();
                    }
                    true
                }
            }),
        }
    }

    /// Restricts the graph to states in which a comparison holds.
    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Result<bool, Stop> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(a);
        for (side, other) in [(a, b), (b, a)] {
            // A truth value as a number that is compared with zero or one.
            if let (ExprKind::Const(Value(n @ (0 | 1))), BinOp::Eq | BinOp::Ne) = (exprs.kind(other), op) {
                let truth = (n == 1) == (op == BinOp::Eq);
                match exprs.kind(side) {
                    ExprKind::Cast(inner) if exprs.ty(inner) == Scalar::Bool => return self.assume(inner, truth),
                    _ if ty == Scalar::Bool => return self.assume(side, truth),
                    _ => {}
                }
            }
        }
        let (x, y) = (self.eval(a)?, self.eval(b)?);
        self.ends(x, y)?;
        if let Some(holds) = self.graph.compare(op, ty, x, y) {
            return Ok(holds);
        }
        let refined = self.graph.refine(op, ty, x, y);
        self.refined();
        Ok(refined.is_ok())
    }
}

/// The comparison that holds where another does not, of integers and pointers.
pub fn negated(op: BinOp) -> BinOp {
    match op {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        _ => BinOp::Lt,
    }
}

impl Graph {
    /// Restricts the graph to states in which a comparison holds that it does not decide.
    fn refine(&mut self, op: BinOp, ty: Scalar, a: Val, b: Val) -> Result<(), Bottom> {
        match op {
            BinOp::Eq => self.unify(ty, a, b),
            BinOp::Ne => {
                for (val, other) in [(a, b), (b, a)] {
                    let Val::Unknown(symbol) = val else { continue };
                    match (self.facts[&symbol], other) {
                        (Fact::Any { .. }, Val::ZERO) => {
                            self.facts.insert(symbol, Fact::Any { nonzero: true });
                        }
                        (Fact::Number(num), Val::Bits(_)) => {
                            let v = self.numbers(other, ty).and_then(Num::as_single);
                            if let Some(v) = v {
                                self.restrict(symbol, num.without(v).ok_or(Bottom)?);
                            }
                        }
                        _ => {}
                    }
                }
                Ok(())
            }
            BinOp::Lt => self.order(ty, a, b, 1),
            BinOp::Le => self.order(ty, a, b, 0),
            BinOp::Gt => self.order(ty, b, a, 1),
            _ => self.order(ty, b, a, 0),
        }
    }

    /// A number has one of these values. Bits of negative ones differ from type to type.
    fn restrict(&mut self, symbol: Symbol, num: Num) {
        match num.as_single() {
            Some(n @ 0..) => self.replace(symbol, Val::Bits(Value(n as u128))),
            _ => drop(self.facts.insert(symbol, Fact::Number(num))),
        }
    }

    fn number_fact(&self, val: Val) -> Option<(Symbol, Num)> {
        let Val::Unknown(symbol) = val else { return None };
        match self.facts[&symbol] {
            Fact::Number(num) => Some((symbol, num)),
            _ => None,
        }
    }

    /// `a + gap <= b`
    fn order(&mut self, ty: Scalar, a: Val, b: Val, gap: i128) -> Result<(), Bottom> {
        let (Some(x), Some(y)) = (self.numbers(a, ty), self.numbers(b, ty)) else { return Ok(()) };
        if let Some((symbol, num)) = self.number_fact(a) {
            let below = Num::interval(num.lo.min(y.hi - gap), y.hi - gap).ok_or(Bottom)?;
            self.restrict(symbol, num.meet(below).ok_or(Bottom)?);
        }
        if let Some((symbol, num)) = self.number_fact(b) {
            let above = Num::interval(x.lo + gap, num.hi.max(x.lo + gap)).ok_or(Bottom)?;
            self.restrict(symbol, num.meet(above).ok_or(Bottom)?);
        }
        Ok(())
    }

    /// Two values are equal.
    fn unify(&mut self, ty: Scalar, a: Val, b: Val) -> Result<(), Bottom> {
        match (self.number_fact(a), self.number_fact(b)) {
            (Some((x, n)), Some((y, m))) => {
                let common = n.meet(m).ok_or(Bottom)?;
                self.replace(x, b);
                self.restrict(y, common);
                return Ok(());
            }
            (Some((x, n)), None) | (None, Some((x, n))) => {
                let other = if self.number_fact(a).is_some() { b } else { a };
                if let Some(m) = self.numbers(other, ty) {
                    self.restrict(x, n.meet(m).ok_or(Bottom)?);
                }
                return Ok(());
            }
            (None, None) => {}
        }
        for (val, other) in [(a, b), (b, a)] {
            let Val::Unknown(symbol) = val else { continue };
            match self.facts[&symbol] {
                Fact::Any { nonzero } => {
                    self.replace(symbol, other);
                    if let (true, Val::Unknown(other)) = (nonzero, other)
                        && let Fact::Any { .. } = self.facts[&other]
                    {
                        self.facts.insert(other, Fact::Any { nonzero });
                    }
                    return Ok(());
                }
                Fact::Inside(address, num) => {
                    if let Val::Address(other) = other
                        && (address.object, address.side) == (other.object, other.side)
                    {
                        if !num.contains(other.offset.into()) {
                            return Err(Bottom);
                        }
                        self.replace(symbol, Val::Address(other));
                        return Ok(());
                    }
                }
                Fact::Number(_) => {}
            }
        }
        Ok(())
    }
}
