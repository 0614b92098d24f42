//! Quantifiers: one value that is chosen, or a loop over the range.

use super::CONTRACT;
use crate::checks::type_range;
use crate::context::{Lowerer, Place};
use base::Span;
use cfa::flow::Node;
use cfa::{BinOp, ExprId, HavocSource, Op, Scalar, VarId};
use cfront::typed::contract::{Bound, Quantified};
use syntax::ast::Quantifier;

impl<'u> Lowerer<'u> {
    /// Goes to `yes` if the condition holds, otherwise to `no`.
    pub fn quantified(&mut self, e: &'u Quantified, choice: Option<Quantifier>, (yes, no): (Node, Node), span: Span) {
        let Place::Register(var) = self.place(e.var) else {
            return self.unsupported(CONTRACT, "variable of a quantifier whose address is used", span);
        };
        self.f.contract.own.insert(var);
        if choice == Some(e.quantifier) {
            self.chosen_value(e, var, choice, (yes, no), span);
        } else {
            self.each_value(e, var, choice, (yes, no), span);
        }
    }

    /// Any value may be the one that decides; one outside of the range decides nothing.
    fn chosen_value(
        &mut self,
        e: &'u Quantified,
        var: VarId,
        choice: Option<Quantifier>,
        (yes, no): (Node, Node),
        span: Span,
    ) {
        let outside = if e.quantifier == Quantifier::All { yes } else { no };
        let ends = [(&e.least, BinOp::Gt), (&e.greatest, BinOp::Lt)]
            .map(|(bound, op)| bound.as_ref().map(|bound| self.end_of_range(bound, op, span)));
        self.emit(Op::Havoc { dst: var, source: HavocSource::Environment }, span);
        for (op, end) in ends.into_iter().flatten() {
            let value = self.var(var);
            let fits = self.binary(op, value, end);
            let next = self.node();
            self.branch_on(fits, next, outside, span);
            self.enter(next);
        }
        self.f.contract.choice = choice;
        self.branch(&e.body, yes, no);
        self.f.contract.choice = None;
    }

    /// The end of a range, and how values in it compare.
    fn end_of_range(&mut self, bound: &'u Bound, strict: BinOp, span: Span) -> (BinOp, ExprId) {
        let value = self.rvalue(&bound.value);
        let op = match (bound.is_included, strict) {
            (false, op) => op,
            (true, BinOp::Gt) => BinOp::Ge,
            (true, _) => BinOp::Le,
        };
        (op, self.stable(value, span))
    }

    /// Each value of the range, until one decides.
    fn each_value(
        &mut self,
        e: &'u Quantified,
        var: VarId,
        choice: Option<Quantifier>,
        (yes, no): (Node, Node),
        span: Span,
    ) {
        let ty = self.p.vars[var].register().unwrap_or(Scalar::INT);
        let Scalar::Int { bits, signed } = ty else { return self.unsupported(CONTRACT, self.snippet(span), span) };
        let (least, greatest) = type_range(bits, signed);
        let done = if e.quantifier == Quantifier::All { yes } else { no };
        // Where the range begins at a place that is not known, values before it are passed by, so that all are known.
        let mut begin = None;
        match &e.least {
            None => {
                let first = self.constant(least, ty);
                self.assign(var, first, span);
            }
            Some(bound) if !signed && crate::effects::constant_of(&bound.value).is_none() => {
                begin = Some(self.end_of_range(bound, BinOp::Gt, span));
                let first = self.constant(least, ty);
                self.assign(var, first, span);
            }
            Some(bound) => {
                let value = self.rvalue(&bound.value);
                self.assign(var, value, span);
                if !bound.is_included {
                    self.next_value(var, greatest, done, span);
                }
            }
        }
        let end = e.greatest.as_ref().map(|bound| self.end_of_range(bound, BinOp::Lt, span));
        let (head, inside, next) = (self.node(), self.node(), self.node());
        self.goto(head, span);
        self.enter(head);
        match end {
            Some((op, end)) => {
                let value = self.var(var);
                let fits = self.binary(op, value, end);
                self.branch_on(fits, inside, done, span);
            }
            None => self.goto(inside, span),
        }
        self.enter(inside);
        if let Some((op, begin)) = begin {
            let (value, within) = (self.var(var), self.node());
            let fits = self.binary(op, value, begin);
            self.branch_on(fits, within, next, span);
            self.enter(within);
        }
        self.f.contract.choice = choice;
        match e.quantifier {
            Quantifier::All => self.branch(&e.body, next, no),
            Quantifier::Some => self.branch(&e.body, yes, next),
        }
        self.f.contract.choice = None;
        self.enter(next);
        match end {
            // What is less than another value has a successor.
            Some((BinOp::Lt, _)) => {
                let value = self.var(var);
                let more = self.with_constant(BinOp::Add, value, 1);
                self.assign(var, more, span);
            }
            _ => self.next_value(var, greatest, done, span),
        }
        self.goto(head, span);
    }

    /// The next value; the greatest one has none.
    fn next_value(&mut self, var: VarId, greatest: i128, done: Node, span: Span) {
        let value = self.var(var);
        let is_last = self.with_constant(BinOp::Eq, value, greatest);
        let go_on = self.node();
        self.branch_on(is_last, done, go_on, span);
        self.enter(go_on);
        let more = self.with_constant(BinOp::Add, value, 1);
        self.assign(var, more, span);
    }
}
