//! Floats that are integers: what is converted without loss is compared as integers are.

use crate::term::{BinOp, Node, Round, TermId, Terms, UnOp};

impl Terms {
    /// The comparison of two floats as one of integers, where one is an integer and the other one, too, or a constant.
    pub(super) fn compare_integral(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        match (self.exact_integer(a), self.exact_integer(b)) {
            (Some(x), Some(y)) => Some(self.compare_integers(op, x, y)),
            (Some(x), None) => self.compare_with_constant(op, x, (a, b), b),
            (None, Some(y)) => self.compare_with_constant(op, y, (a, b), a),
            (None, None) => None,
        }
    }

    /// The signed integer that a float was made of, each of whose values the format has.
    pub(super) fn exact_integer(&mut self, t: TermId) -> Option<TermId> {
        match self.node(t) {
            Node::Un(UnOp::FpFromSbv(sort), x) if self.width(x) <= u32::from(sort.sig()) => Some(x),
            Node::Un(UnOp::FpFromUbv(sort), x) if self.width(x) < u32::from(sort.sig()) => Some(self.zero_ext(1, x)),
            _ => None,
        }
    }

    fn compare_integers(&mut self, op: BinOp, x: TermId, y: TermId) -> TermId {
        let width = self.width(x).max(self.width(y));
        let (x, y) = (self.sign_resize(width, x), self.sign_resize(width, y));
        match op {
            BinOp::FpLt => self.slt(x, y),
            BinOp::FpLe => self.sle(x, y),
            _ => self.eq(x, y),
        }
    }

    /// A comparison of the floats `a` and `b`, one of which is the integer `x`, the other one `constant`.
    fn compare_with_constant(
        &mut self,
        op: BinOp,
        x: TermId,
        (a, b): (TermId, TermId),
        constant: TermId,
    ) -> Option<TermId> {
        let Node::Float { sort, .. } = self.node(constant) else { return None };
        let width = self.width(x);
        let least = 1 << (width - 1);
        let [least, greatest] = [least, least - 1].map(|bits| {
            let bits = self.bv(width, bits);
            self.fp_from_sbv(sort, bits)
        });
        let (from, to) = (self.fp_le(least, constant), self.fp_le(constant, greatest));
        if !self.is_true(from) || !self.is_true(to) {
            // All integers compare like zero, or not at all with what is no number.
            let zero = self.bv(width, 0);
            let zero = self.fp_from_sbv(sort, zero);
            let (a, b) = if constant == b { (zero, b) } else { (a, zero) };
            return self.fold_bin(op, a, b);
        }
        let [below, above] = [Round::Down, Round::Up].map(|round| {
            let integral = self.fp_round_to_integral(round, constant);
            self.fp_to_sbv(width, integral)
        });
        Some(match (op, constant == b) {
            (BinOp::FpLt, true) => self.slt(x, above),
            (BinOp::FpLt, false) => self.slt(below, x),
            (BinOp::FpLe, true) => self.sle(x, below),
            (BinOp::FpLe, false) => self.sle(above, x),
            _ if below == above => self.eq(x, below),
            _ => self.fals(),
        })
    }
}
