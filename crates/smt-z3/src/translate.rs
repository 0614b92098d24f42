//! Translates terms to Z3's, iteratively and each once.
//!
//! Arrays are eliminated on the way where that stays small: a read becomes a choice among the writes that it may see, and a
//! read of a variable a new constant (Ackermann's reduction). What is left is a formula for Z3's SAT-based bit-vector solver,
//! which is far faster than its solver for arrays.

mod theories;

use crate::ffi::{Ast, Context, SortRef};
use base::Budget;
use rustc_hash::FxHashMap;
use smt::float::integer_bounds;
use smt::{BinOp, FloatSort, Node, Round, SmtError, Sort, TermId, Terms, UnOp};
use std::collections::BTreeMap;
pub(super) use theories::Theories;
use z3_sys as z3;

/// Largest number of a symbol.
const MAX_SYMBOL: usize = 1 << 30;

/// Most reads of arrays, counting those of each write below, that are eliminated.
const MAX_READS: usize = 60_000;

/// Most constraints between reads of one variable.
const MAX_CONSTRAINTS: usize = 20_000;

/// What becomes of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Arrays {
    /// They are eliminated.
    #[default]
    Eliminated,
    /// Z3 gets them as they are.
    Native,
}

/// Why a term was not translated.
pub(crate) enum Failure {
    /// Arrays must be [`Arrays::Native`].
    NeedsArrays,
    Error(SmtError),
}

impl From<SmtError> for Failure {
    fn from(error: SmtError) -> Self {
        Failure::Error(error)
    }
}

/// A read of an array variable, replaced by a constant.
pub(crate) struct Read {
    index: TermId,
    pub(crate) index_ast: Ast,
    pub(crate) value: Ast,
}

/// What is translated next.
#[derive(Clone, Copy)]
enum Task {
    Term(TermId),
    /// An element of an array.
    Read(TermId, TermId),
}

/// What is translated so far, for one context.
#[derive(Default)]
pub(crate) struct Translation {
    arrays: Arrays,
    /// Ends long translations.
    pub(crate) budget: Option<Budget>,
    steps: u32,
    terms: FxHashMap<TermId, Ast>,
    /// Elements by array and index.
    reads: FxHashMap<(TermId, TermId), Ast>,
    /// Reads of array variables.
    pub(crate) var_reads: BTreeMap<TermId, Vec<Read>>,
    /// Formulas that the new constants must satisfy: equal indices, equal elements.
    pub(crate) constraints: Vec<Ast>,
    sorts: FxHashMap<Sort, SortRef>,
    rounds: FxHashMap<Round, Ast>,
    /// Theories of all terms that were translated.
    pub(crate) theories: Theories,
}

impl Translation {
    /// Forgets everything that was translated.
    pub(crate) fn restart(&mut self, arrays: Arrays) {
        *self = Self { arrays, budget: self.budget.take(), ..Self::default() };
    }

    /// Translates `root` and what it needs.
    pub(crate) fn translate(&mut self, context: &Context, terms: &Terms, root: TermId) -> Result<Ast, Failure> {
        let mut stack = vec![Task::Term(root)];
        while let Some(&task) = stack.last() {
            if self.is_done(task) {
                stack.pop();
                continue;
            }
            self.steps = self.steps.wrapping_add(1);
            if self.steps.is_multiple_of(1 << 12)
                && let Some(budget) = &self.budget
                && budget.check().is_err()
            {
                return Err(Failure::Error(SmtError::Backend("canceled".into())));
            }
            let before = stack.len();
            match task {
                Task::Term(t) => {
                    let node = terms.node(t);
                    match node {
                        Node::Bin(BinOp::Select, array, index) if self.arrays == Arrays::Eliminated => {
                            self.need(Task::Read(array, index), &mut stack);
                            if stack.len() == before {
                                self.terms.insert(t, self.reads[&(array, index)]);
                            }
                            continue;
                        }
                        // An equality of arrays.
                        _ if self.arrays == Arrays::Eliminated && matches!(terms.sort(t), Sort::Array { .. }) => {
                            return Err(Failure::NeedsArrays);
                        }
                        _ => {}
                    }
                    for &child in node.children().iter() {
                        self.need(Task::Term(child), &mut stack);
                    }
                    if stack.len() == before {
                        let ast = self.node(context, terms, t, node)?;
                        self.theories.add(terms.sort(t));
                        self.terms.insert(t, ast);
                    }
                }
                Task::Read(array, index) => {
                    if self.reads.len() >= MAX_READS || self.constraints.len() >= MAX_CONSTRAINTS {
                        return Err(Failure::NeedsArrays);
                    }
                    self.read(context, terms, (array, index), &mut stack)?;
                }
            }
        }
        Ok(self.terms[&root])
    }

    fn is_done(&self, task: Task) -> bool {
        match task {
            Task::Term(t) => self.terms.contains_key(&t),
            Task::Read(array, index) => self.reads.contains_key(&(array, index)),
        }
    }

    fn need(&self, task: Task, stack: &mut Vec<Task>) {
        if !self.is_done(task) {
            stack.push(task);
        }
    }

    /// Translates an element of an array, or pushes what it needs first.
    fn read(
        &mut self,
        context: &Context,
        terms: &Terms,
        (array, index): (TermId, TermId),
        stack: &mut Vec<Task>,
    ) -> Result<(), Failure> {
        let before = stack.len();
        // Writes that are surely elsewhere are passed at once.
        let mut seen = array;
        let mut hit = None;
        while let Node::Store(below, written, value) = terms.node(seen) {
            match terms.compare_indices(written, index) {
                Some(true) => {
                    hit = Some(value);
                    break;
                }
                Some(false) => seen = below,
                None => break,
            }
        }
        if let Node::ConstArray(_, value) = terms.node(seen) {
            hit = Some(value);
        }
        if let Some(value) = hit {
            self.need(Task::Term(value), stack);
            if stack.len() == before {
                self.reads.insert((array, index), self.terms[&value]);
            }
            return Ok(());
        }
        let ast = match terms.node(seen) {
            Node::Store(below, written, value) => {
                for task in [Task::Term(index), Task::Term(written), Task::Term(value), Task::Read(below, index)] {
                    self.need(task, stack);
                }
                if stack.len() > before {
                    return Ok(());
                }
                let here = context.binary(z3::Z3_mk_eq, self.terms[&written], self.terms[&index])?;
                context.ternary(z3::Z3_mk_ite, here, self.terms[&value], self.reads[&(below, index)])?
            }
            Node::Ite(cond, then, els) => {
                for task in [Task::Term(cond), Task::Read(then, index), Task::Read(els, index)] {
                    self.need(task, stack);
                }
                if stack.len() > before {
                    return Ok(());
                }
                let (then, els) = (self.reads[&(then, index)], self.reads[&(els, index)]);
                if then == els { then } else { context.ternary(z3::Z3_mk_ite, self.terms[&cond], then, els)? }
            }
            _ if seen != array => {
                self.need(Task::Read(seen, index), stack);
                if stack.len() > before {
                    return Ok(());
                }
                self.reads[&(seen, index)]
            }
            _ => {
                self.need(Task::Term(index), stack);
                if stack.len() > before {
                    return Ok(());
                }
                self.read_var(context, terms, array, index)?
            }
        };
        self.reads.insert((array, index), ast);
        Ok(())
    }

    /// The constant for an element of an array variable.
    fn read_var(&mut self, context: &Context, terms: &Terms, array: TermId, index: TermId) -> Result<Ast, SmtError> {
        let Sort::Array { elem, .. } = terms.sort(array) else {
            return Err(SmtError::Unsupported("a read of what is no array".into()));
        };
        let elem = Sort::from(elem);
        self.theories.add(elem);
        let sort = self.sort(context, elem)?;
        let value = context.named(&format!("read!{}!{}", array.index(), index.index()), sort)?;
        let index_ast = self.terms[&index];
        let reads = self.var_reads.entry(array).or_default();
        for read in reads.iter() {
            if terms.compare_indices(read.index, index) == Some(false) {
                continue;
            }
            let same_index = context.binary(z3::Z3_mk_eq, read.index_ast, index_ast)?;
            let same_value = context.binary(z3::Z3_mk_eq, read.value, value)?;
            self.constraints.push(context.binary(z3::Z3_mk_implies, same_index, same_value)?);
        }
        reads.push(Read { index, index_ast, value });
        Ok(value)
    }

    pub(crate) fn sort(&mut self, context: &Context, sort: Sort) -> Result<SortRef, SmtError> {
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
