//! Translates terms to Z3's, iteratively and each once.

use crate::ffi::{Ast, Context, SortRef};
use rustc_hash::FxHashMap;
use smt::float::integer_bounds;
use smt::{BinOp, FloatSort, Node, Round, SmtError, Sort, TermId, Terms, UnOp};
use z3_sys as z3;

/// Largest number of a symbol.
const MAX_SYMBOL: usize = 1 << 30;

/// What is translated so far, for one context.
#[derive(Default)]
pub(crate) struct Translation {
    terms: FxHashMap<TermId, Ast>,
    sorts: FxHashMap<Sort, SortRef>,
    rounds: FxHashMap<Round, Ast>,
    /// Theories of all terms that were translated.
    pub(crate) theories: Theories,
}

/// Theories that terms use, besides Bools and bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Theories {
    pub(crate) arrays: bool,
    pub(crate) floats: bool,
    pub(crate) ints: bool,
}

impl Theories {
    fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Bool | Sort::BitVec(_) => {}
            Sort::Float(_) => self.floats = true,
            Sort::Int => self.ints = true,
            Sort::Array { elem, .. } => {
                self.arrays = true;
                self.add(elem.into());
            }
        }
    }

    /// The name of the logic; `None` if there is none for the combination.
    pub(crate) fn logic(self) -> Option<&'static str> {
        match self {
            Theories { arrays: false, floats: false, ints: false } => Some("QF_BV"),
            Theories { arrays: true, floats: false, ints: false } => Some("QF_AUFBV"),
            Theories { arrays: false, floats: true, ints: false } => Some("QF_FPBV"),
            Theories { arrays: false, floats: false, ints: true } => None,
            _ => None,
        }
    }
}

impl Translation {
    /// Translates `root` and what it needs.
    pub(crate) fn translate(&mut self, context: &Context, terms: &Terms, root: TermId) -> Result<Ast, SmtError> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.terms.contains_key(&t) {
                stack.pop();
                continue;
            }
            let node = terms.node(t);
            let before = stack.len();
            stack.extend(node.children().iter().filter(|child| !self.terms.contains_key(child)));
            if stack.len() == before {
                let ast = self.node(context, terms, t, node)?;
                self.theories.add(terms.sort(t));
                self.terms.insert(t, ast);
                stack.pop();
            }
        }
        Ok(self.terms[&root])
    }

    fn sort(&mut self, context: &Context, sort: Sort) -> Result<SortRef, SmtError> {
        if let Some(&done) = self.sorts.get(&sort) {
            return Ok(done);
        }
        let new = match sort {
            Sort::Bool => context.bool_sort()?,
            Sort::BitVec(width) => context.bv_sort(width)?,
            Sort::Float(sort) => context.float_sort(sort)?,
            Sort::Int => context.int_sort()?,
            Sort::Array { index, elem } => {
                let (index, elem) = (self.sort(context, Sort::BitVec(index))?, self.sort(context, elem.into())?);
                context.array_sort(index, elem)?
            }
        };
        self.sorts.insert(sort, new);
        Ok(new)
    }

    fn round(&mut self, context: &Context, round: Round) -> Result<Ast, SmtError> {
        if let Some(&done) = self.rounds.get(&round) {
            return Ok(done);
        }
        let new = context.nullary(match round {
            Round::NearestEven => z3::Z3_mk_fpa_rne,
            Round::NearestAway => z3::Z3_mk_fpa_rna,
            Round::ToZero => z3::Z3_mk_fpa_rtz,
            Round::Up => z3::Z3_mk_fpa_rtp,
            Round::Down => z3::Z3_mk_fpa_rtn,
        })?;
        self.rounds.insert(round, new);
        Ok(new)
    }

    fn bv(&mut self, context: &Context, width: u32, value: u128) -> Result<Ast, SmtError> {
        let sort = self.sort(context, Sort::BitVec(width))?;
        context.number(value, sort)
    }

    fn float(&mut self, context: &Context, sort: FloatSort, bits: u128) -> Result<Ast, SmtError> {
        let z3_sort = self.sort(context, Sort::Float(sort))?;
        if sort.is_nan(bits) {
            return context.nan(z3_sort);
        }
        let bits = self.bv(context, sort.width(), bits)?;
        context.float_from_bits(bits, z3_sort)
    }

    fn node(&mut self, context: &Context, terms: &Terms, t: TermId, node: Node) -> Result<Ast, SmtError> {
        match node {
            Node::Bool(true) => context.nullary(z3::Z3_mk_true),
            Node::Bool(false) => context.nullary(z3::Z3_mk_false),
            Node::Bv { width, value } => self.bv(context, width, value),
            Node::Float { sort, bits } => self.float(context, sort, bits),
            Node::Int(value) => {
                let sort = self.sort(context, Sort::Int)?;
                let magnitude = context.number(value.unsigned_abs(), sort)?;
                if value < 0 { context.unary(z3::Z3_mk_unary_minus, magnitude) } else { Ok(magnitude) }
            }
            Node::Var { sort, .. } => {
                if t.index() >= MAX_SYMBOL {
                    return Err(SmtError::Unsupported("more than 2^30 terms".into()));
                }
                let sort = self.sort(context, sort)?;
                context.constant(t.index() as u32, sort)
            }
            Node::Un(op, a) => {
                let (sort, a) = (terms.sort(a), self.terms[&a]);
                self.un(context, op, sort, a)
            }
            Node::Bin(op @ (BinOp::BvSdiv | BinOp::BvSrem), a, b) => {
                let width = terms.width(a);
                match terms.as_bv_const(b) {
                    Some(c) if c.is_power_of_two() && c > 1 && c < 1 << (width - 1) => {
                        self.signed_division(context, op, width, self.terms[&a], c.trailing_zeros())
                    }
                    _ => self.bin(context, op, self.terms[&a], self.terms[&b]),
                }
            }
            Node::Bin(op, a, b) => self.bin(context, op, self.terms[&a], self.terms[&b]),
            Node::Ite(c, a, b) => context.ternary(z3::Z3_mk_ite, self.terms[&c], self.terms[&a], self.terms[&b]),
            Node::Store(a, i, v) => context.ternary(z3::Z3_mk_store, self.terms[&a], self.terms[&i], self.terms[&v]),
            Node::ConstArray(index, value) => {
                let sort = self.sort(context, Sort::BitVec(index))?;
                context.const_array(sort, self.terms[&value])
            }
        }
    }

    /// Quotient or remainder by 2^bits, without a divider: negative dividends are first moved by 2^bits - 1.
    fn signed_division(
        &mut self,
        context: &Context,
        op: BinOp,
        width: u32,
        a: Ast,
        bits: u32,
    ) -> Result<Ast, SmtError> {
        let sign = context.extract(width - 1, width - 1, a)?;
        let low = if bits > 1 { context.indexed(z3::Z3_mk_sign_ext, bits - 1, sign)? } else { sign };
        let shift = context.indexed(z3::Z3_mk_zero_ext, width - bits, low)?;
        let moved = context.binary(z3::Z3_mk_bvadd, a, shift)?;
        if op == BinOp::BvSdiv {
            let high = context.extract(width - 1, bits, moved)?;
            return context.indexed(z3::Z3_mk_sign_ext, bits, high);
        }
        let rest = context.extract(bits - 1, 0, moved)?;
        let rest = context.indexed(z3::Z3_mk_zero_ext, width - bits, rest)?;
        context.binary(z3::Z3_mk_bvsub, rest, shift)
    }

    fn un(&mut self, context: &Context, op: UnOp, sort: Sort, a: Ast) -> Result<Ast, SmtError> {
        match op {
            UnOp::Not => context.unary(z3::Z3_mk_not, a),
            UnOp::BvNot => context.unary(z3::Z3_mk_bvnot, a),
            UnOp::BvNeg => context.unary(z3::Z3_mk_bvneg, a),
            UnOp::Extract { hi, lo } => context.extract(hi.into(), lo.into(), a),
            UnOp::ZeroExt(extra) => context.indexed(z3::Z3_mk_zero_ext, extra.into(), a),
            UnOp::SignExt(extra) => context.indexed(z3::Z3_mk_sign_ext, extra.into(), a),
            UnOp::FpNeg => context.unary(z3::Z3_mk_fpa_neg, a),
            UnOp::FpAbs => context.unary(z3::Z3_mk_fpa_abs, a),
            UnOp::FpSqrt => {
                let round = self.round(context, Round::NearestEven)?;
                context.binary(z3::Z3_mk_fpa_sqrt, round, a)
            }
            UnOp::FpIsNan => context.unary(z3::Z3_mk_fpa_is_nan, a),
            UnOp::FpIsInf => context.unary(z3::Z3_mk_fpa_is_infinite, a),
            UnOp::FpIsZero => context.unary(z3::Z3_mk_fpa_is_zero, a),
            UnOp::FpIsNegative => context.unary(z3::Z3_mk_fpa_is_negative, a),
            UnOp::FpRoundToIntegral(round) => {
                let round = self.round(context, round)?;
                context.binary(z3::Z3_mk_fpa_round_to_integral, round, a)
            }
            UnOp::FpToFp(to) => self.float_of(context, z3::Z3_mk_fpa_to_fp_float, to, a),
            UnOp::FpFromSbv(to) => self.float_of(context, z3::Z3_mk_fpa_to_fp_signed, to, a),
            UnOp::FpFromUbv(to) => self.float_of(context, z3::Z3_mk_fpa_to_fp_unsigned, to, a),
            UnOp::FpToSbv(width) => self.integer_of(context, sort.float(), width.into(), true, a),
            UnOp::FpToUbv(width) => self.integer_of(context, sort.float(), width.into(), false, a),
            UnOp::FpToBits => {
                // Z3 leaves the bits of a NaN open.
                let sort = sort.float();
                let nan = self.bv(context, sort.width(), sort.nan())?;
                let is_nan = context.unary(z3::Z3_mk_fpa_is_nan, a)?;
                let bits = context.unary(z3::Z3_mk_fpa_to_ieee_bv, a)?;
                context.ternary(z3::Z3_mk_ite, is_nan, nan, bits)
            }
            UnOp::FpFromBits(to) => {
                let sort = self.sort(context, Sort::Float(to))?;
                context.float_from_bits(a, sort)
            }
            UnOp::IntNeg => context.unary(z3::Z3_mk_unary_minus, a),
            UnOp::IntFromUbv => context.bv_to_int(a),
        }
    }

    fn float_of(&mut self, context: &Context, f: crate::ffi::ToFloat, to: FloatSort, a: Ast) -> Result<Ast, SmtError> {
        let (round, sort) = (self.round(context, Round::NearestEven)?, self.sort(context, Sort::Float(to))?);
        context.float_of(f, round, a, sort)
    }

    /// A conversion whose result outside the range is ours; Z3 leaves it open.
    fn integer_of(
        &mut self,
        context: &Context,
        from: FloatSort,
        width: u32,
        signed: bool,
        a: Ast,
    ) -> Result<Ast, SmtError> {
        let bounds = integer_bounds(from, width, signed);
        let (low, high) = (self.float(context, from, bounds.low)?, self.float(context, from, bounds.high)?);
        let below = if bounds.low_included { z3::Z3_mk_fpa_leq } else { z3::Z3_mk_fpa_lt };
        let (above_low, below_high) = (context.binary(below, low, a)?, context.binary(z3::Z3_mk_fpa_lt, a, high)?);
        let fits = context.nary(z3::Z3_mk_and, &[above_low, below_high])?;
        let round = self.round(context, Round::ToZero)?;
        let convert = if signed { z3::Z3_mk_fpa_to_sbv } else { z3::Z3_mk_fpa_to_ubv };
        let converted = context.float_to_bv(convert, round, a, width)?;
        let otherwise = self.bv(context, width, bounds.otherwise)?;
        context.ternary(z3::Z3_mk_ite, fits, converted, otherwise)
    }

    fn bin(&mut self, context: &Context, op: BinOp, a: Ast, b: Ast) -> Result<Ast, SmtError> {
        let f: crate::ffi::Binary = match op {
            BinOp::And => return context.nary(z3::Z3_mk_and, &[a, b]),
            BinOp::Or => return context.nary(z3::Z3_mk_or, &[a, b]),
            BinOp::IntAdd => return context.nary(z3::Z3_mk_add, &[a, b]),
            BinOp::IntMul => return context.nary(z3::Z3_mk_mul, &[a, b]),
            BinOp::FpAdd | BinOp::FpSub | BinOp::FpMul | BinOp::FpDiv => {
                let f: crate::ffi::Ternary = match op {
                    BinOp::FpAdd => z3::Z3_mk_fpa_add,
                    BinOp::FpSub => z3::Z3_mk_fpa_sub,
                    BinOp::FpMul => z3::Z3_mk_fpa_mul,
                    _ => z3::Z3_mk_fpa_div,
                };
                let round = self.round(context, Round::NearestEven)?;
                return context.ternary(f, round, a, b);
            }
            BinOp::Eq => z3::Z3_mk_eq,
            BinOp::BvAdd => z3::Z3_mk_bvadd,
            BinOp::BvSub => z3::Z3_mk_bvsub,
            BinOp::BvMul => z3::Z3_mk_bvmul,
            BinOp::BvUdiv => z3::Z3_mk_bvudiv,
            BinOp::BvSdiv => z3::Z3_mk_bvsdiv,
            BinOp::BvUrem => z3::Z3_mk_bvurem,
            BinOp::BvSrem => z3::Z3_mk_bvsrem,
            BinOp::BvAnd => z3::Z3_mk_bvand,
            BinOp::BvOr => z3::Z3_mk_bvor,
            BinOp::BvXor => z3::Z3_mk_bvxor,
            BinOp::BvShl => z3::Z3_mk_bvshl,
            BinOp::BvLshr => z3::Z3_mk_bvlshr,
            BinOp::BvAshr => z3::Z3_mk_bvashr,
            BinOp::BvUlt => z3::Z3_mk_bvult,
            BinOp::BvUle => z3::Z3_mk_bvule,
            BinOp::BvSlt => z3::Z3_mk_bvslt,
            BinOp::BvSle => z3::Z3_mk_bvsle,
            BinOp::Concat => z3::Z3_mk_concat,
            BinOp::Select => z3::Z3_mk_select,
            BinOp::FpRem => z3::Z3_mk_fpa_rem,
            BinOp::FpEq => z3::Z3_mk_fpa_eq,
            BinOp::FpLt => z3::Z3_mk_fpa_lt,
            BinOp::FpLe => z3::Z3_mk_fpa_leq,
            BinOp::IntLe => z3::Z3_mk_le,
            BinOp::IntLt => z3::Z3_mk_lt,
        };
        context.binary(f, a, b)
    }
}
