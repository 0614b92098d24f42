//! Mathematical integers: only what guesses need.

use crate::term::{BinOp, Node, TermId, Terms, UnOp};

impl Terms {
    /// Sum of integers.
    #[track_caller]
    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::IntAdd, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if self.as_int_const(b) == Some(0) {
            return a;
        }
        self.raw_bin(BinOp::IntAdd, a, b)
    }

    /// Product of integers.
    #[track_caller]
    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::IntMul, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        match self.as_int_const(b) {
            Some(0) => b,
            Some(1) => a,
            _ => self.raw_bin(BinOp::IntMul, a, b),
        }
    }

    /// Negation of an integer.
    #[track_caller]
    pub fn int_neg(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Node::Int(value) if value != i128::MIN => self.int(-value),
            Node::Un(UnOp::IntNeg, x) => x,
            _ => self.raw_un(UnOp::IntNeg, a),
        }
    }

    /// `a < b` on integers.
    #[track_caller]
    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.fals();
        }
        self.fold_bin(BinOp::IntLt, a, b).unwrap_or_else(|| self.raw_bin(BinOp::IntLt, a, b))
    }

    /// `a <= b` on integers.
    #[track_caller]
    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.int_lt(b, a);
        self.not(greater)
    }

    /// An unsigned bit-vector as an integer.
    #[track_caller]
    pub fn int_from_ubv(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Node::Bv { value, .. } if i128::try_from(value).is_ok() => self.int(value as i128),
            _ => self.raw_un(UnOp::IntFromUbv, a),
        }
    }
}
