//! The simplifying constructors.
//!
//! Each returns a term that is equivalent to the plain operator in the semantics of `fold`. Normal forms that others may
//! rely on:
//! * Bools are and-inverter graphs: `or` is built from `and` and `not`; only `Ite` and `Eq` remain beside them.
//! * `<=` is the negation of the swapped `<`; a constant in a comparison is on the right, and so in commutative operators,
//!   whose arguments are ordered by id otherwise.
//! * A sum has its constant outermost; `x - c` is `x + -c`; shifts by constants are extracts, concats and extensions.
//!
//! Rules look at few levels of their arguments, so that building is fast; `nested` bounds the depth of rules that call other
//! constructors.

mod arith;
mod array;
mod bits;
mod boolean;
mod compare;
mod float;
mod integral;
mod int;
mod ite;
mod literal;

use crate::fold;
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Greatest nesting of rules that call other constructors.
const MAX_DEPTH: u32 = 12;

/// Most rules that one term may take: a rule that calls several constructors, each of which does so, would have no end.
const MAX_RULES: u32 = 32;

/// Most leaves of a tree of constants that a comparison is pushed into.
const MAX_LEAVES_COMPARED: u32 = 64;

/// Most leaves of a tree of constants that another operator is pushed into.
const MAX_LEAVES: u32 = 32;

/// Most pairs of leaves when an operator is pushed into two trees.
const MAX_LEAF_PAIRS: u32 = 16;

impl Terms {
    /// The constant for a scalar value; `None` for arrays.
    pub fn constant(&mut self, value: &Value) -> Option<TermId> {
        Some(match *value {
            Value::Bool(b) => self.bool_const(b),
            Value::Bv { width, value } => self.bv(width, value),
            Value::Float { sort, bits } => self.fp_const(bits, sort),
            Value::Int(value) => self.int(value),
            Value::Array(_) => return None,
        })
    }

    /// The term for any value: stores on a constant array for an array.
    pub fn value_term(&mut self, value: &Value) -> TermId {
        match value {
            Value::Array(array) => {
                let index = match array.sort {
                    crate::Sort::Array { index, .. } => index,
                    other => unreachable!("array of sort {other}"),
                };
                let default = self.value_term(&array.default);
                let mut term = self.const_array(index, default);
                for (&at, value) in &array.elems {
                    let (at, value) = (self.bv(index, at), self.value_term(value));
                    term = self.store(term, at, value);
                }
                term
            }
            scalar => match self.constant(scalar) {
                Some(t) => t,
                None => unreachable!("only arrays are no scalars"),
            },
        }
    }

    /// The value of a scalar constant.
    pub fn const_value(&self, t: TermId) -> Option<Value> {
        Some(match self.node(t) {
            Node::Bool(b) => Value::Bool(b),
            Node::Bv { width, value } => Value::Bv { width, value },
            Node::Float { sort, bits } => Value::Float { sort, bits },
            Node::Int(value) => Value::Int(value),
            _ => return None,
        })
    }

    /// The simplified application of any operator with one argument.
    #[track_caller]
    pub fn un(&mut self, op: UnOp, a: TermId) -> TermId {
        match op {
            UnOp::Not => self.not(a),
            UnOp::BvNot => self.bv_not(a),
            UnOp::BvNeg => self.bv_neg(a),
            UnOp::Extract { hi, lo } => self.extract(hi.into(), lo.into(), a),
            UnOp::ZeroExt(extra) => self.zero_ext(extra.into(), a),
            UnOp::SignExt(extra) => self.sign_ext(extra.into(), a),
            UnOp::FpNeg => self.fp_neg(a),
            UnOp::FpAbs => self.fp_abs(a),
            UnOp::FpSqrt => self.fp_sqrt(a),
            UnOp::FpIsNan => self.fp_is_nan(a),
            UnOp::FpIsInf => self.fp_is_inf(a),
            UnOp::FpIsZero => self.fp_is_zero(a),
            UnOp::FpIsNegative => self.fp_is_negative(a),
            UnOp::FpRoundToIntegral(round) => self.fp_round_to_integral(round, a),
            UnOp::FpToFp(sort) => self.fp_to_fp(sort, a),
            UnOp::FpFromSbv(sort) => self.fp_from_sbv(sort, a),
            UnOp::FpFromUbv(sort) => self.fp_from_ubv(sort, a),
            UnOp::FpToSbv(width) => self.fp_to_sbv(width.into(), a),
            UnOp::FpToUbv(width) => self.fp_to_ubv(width.into(), a),
            UnOp::FpToBits => self.fp_to_bits(a),
            UnOp::FpFromBits(sort) => self.fp_from_bits(sort, a),
            UnOp::IntNeg => self.int_neg(a),
            UnOp::IntFromUbv => self.int_from_ubv(a),
        }
    }

    /// The simplified application of any operator with two arguments.
    #[track_caller]
    pub fn bin(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinOp::And => self.and(a, b),
            BinOp::Or => self.or(a, b),
            BinOp::Eq => self.eq(a, b),
            BinOp::BvAdd => self.bv_add(a, b),
            BinOp::BvSub => self.bv_sub(a, b),
            BinOp::BvMul => self.bv_mul(a, b),
            BinOp::BvUdiv => self.bv_udiv(a, b),
            BinOp::BvSdiv => self.bv_sdiv(a, b),
            BinOp::BvUrem => self.bv_urem(a, b),
            BinOp::BvSrem => self.bv_srem(a, b),
            BinOp::BvAnd => self.bv_and(a, b),
            BinOp::BvOr => self.bv_or(a, b),
            BinOp::BvXor => self.bv_xor(a, b),
            BinOp::BvShl => self.bv_shl(a, b),
            BinOp::BvLshr => self.bv_lshr(a, b),
            BinOp::BvAshr => self.bv_ashr(a, b),
            BinOp::BvUlt => self.ult(a, b),
            BinOp::BvUle => self.ule(a, b),
            BinOp::BvSlt => self.slt(a, b),
            BinOp::BvSle => self.sle(a, b),
            BinOp::Concat => self.concat(a, b),
            BinOp::Select => self.select(a, b),
            BinOp::FpAdd => self.fp_add(a, b),
            BinOp::FpSub => self.fp_sub(a, b),
            BinOp::FpMul => self.fp_mul(a, b),
            BinOp::FpDiv => self.fp_div(a, b),
            BinOp::FpRem => self.fp_rem(a, b),
            BinOp::FpEq => self.fp_eq(a, b),
            BinOp::FpLt => self.fp_lt(a, b),
            BinOp::FpLe => self.fp_le(a, b),
            BinOp::IntAdd => self.int_add(a, b),
            BinOp::IntMul => self.int_mul(a, b),
            BinOp::IntLe => self.int_le(a, b),
            BinOp::IntLt => self.int_lt(a, b),
        }
    }

    /// The simplified term for `node` with other children, in the same number and of the same sorts.
    #[track_caller]
    pub fn with_children(&mut self, t: TermId, children: &[TermId]) -> TermId {
        match (self.node(t), children) {
            (Node::Un(op, _), &[a]) => self.un(op, a),
            (Node::Bin(op, ..), &[a, b]) => self.bin(op, a, b),
            (Node::Ite(..), &[c, a, b]) => self.ite(c, a, b),
            (Node::Store(..), &[a, i, v]) => self.store(a, i, v),
            (Node::ConstArray(index, _), &[v]) => self.const_array(index, v),
            (_, []) => t,
            (node, _) => panic!("{} children for {node:?}", children.len()),
        }
    }

    /// Runs a rule that calls other constructors; `None` when such rules are nested too deep, or are too many.
    fn nested(&mut self, rule: impl FnOnce(&mut Self) -> TermId) -> Option<TermId> {
        if self.depth == 0 {
            self.rules = 0;
        }
        if self.depth >= MAX_DEPTH || self.rules >= MAX_RULES {
            return None;
        }
        self.rules += 1;
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        Some(result)
    }

    /// Folds an operator on a constant, or pushes it into a tree of constants.
    fn fold_un(&mut self, op: UnOp, a: TermId) -> Option<TermId> {
        match self.const_leaves(a) {
            0 => None,
            1 => {
                let value = fold::un_value(op, &self.const_value(a)?);
                self.constant(&value)
            }
            2..=MAX_LEAVES => Some(self.map_leaves(a, &mut |terms, leaf| terms.un(op, leaf))),
            _ => None,
        }
    }

    /// Folds an operator on constants, or pushes it into trees of constants.
    fn fold_bin(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let (la, lb) = (self.const_leaves(a), self.const_leaves(b));
        if la == 0 || lb == 0 {
            return None;
        }
        if la == 1 && lb == 1 {
            let (a, b) = (self.const_value(a)?, self.const_value(b)?);
            if let (Value::Int(a), Value::Int(b)) = (&a, &b)
                && fold::int_overflows(op, *a, *b)
            {
                return None;
            }
            return self.constant(&fold::bin_value(op, &a, &b));
        }
        let limit = match op {
            _ if la > 1 && lb > 1 => MAX_LEAF_PAIRS,
            BinOp::Eq | BinOp::BvUlt | BinOp::BvSlt => MAX_LEAVES_COMPARED,
            _ => MAX_LEAVES,
        };
        if la * lb > limit {
            return None;
        }
        Some(if la > 1 {
            self.map_leaves(a, &mut |terms, leaf| terms.bin(op, leaf, b))
        } else {
            self.map_leaves(b, &mut |terms, leaf| terms.bin(op, a, leaf))
        })
    }

    /// The same tree of if-then-elses with other leaves.
    fn map_leaves(&mut self, tree: TermId, f: &mut dyn FnMut(&mut Self, TermId) -> TermId) -> TermId {
        fn go(
            terms: &mut Terms,
            t: TermId,
            memo: &mut FxHashMap<TermId, TermId>,
            f: &mut dyn FnMut(&mut Terms, TermId) -> TermId,
        ) -> TermId {
            let Node::Ite(c, a, b) = terms.node(t) else { return f(terms, t) };
            if let Some(&done) = memo.get(&t) {
                return done;
            }
            let (a, b) = (go(terms, a, memo, f), go(terms, b, memo, f));
            let result = terms.ite(c, a, b);
            memo.insert(t, result);
            result
        }
        go(self, tree, &mut FxHashMap::default(), f)
    }

    /// Orders two arguments: a constant to the right, otherwise by id.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// The node of a commutative operator as it is, arguments ordered.
    #[track_caller]
    fn raw_commutative(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        self.raw_bin(op, a, b)
    }
}

#[cfg(test)]
mod tests;
