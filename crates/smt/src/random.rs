//! Random terms, for tests of the simplifying constructors and of backends.
//!
//! Each term is built twice, by the constructors that simplify and as it is, so that the two can be compared.

use crate::eval::{Assignment, Evaluator};
use crate::sort::{ElemSort, FloatSort, Sort};
use crate::term::{BinOp, Round, TermId, Terms, UnOp};
use crate::value::{ArrayValue, Value, mask};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A stream of numbers that decide what is built.
pub struct Choices {
    state: u64,
    given: std::vec::IntoIter<u32>,
}

impl Choices {
    /// Pseudo-random numbers (splitmix64).
    pub fn from_seed(seed: u64) -> Self {
        Self { state: seed, given: Vec::new().into_iter() }
    }

    /// The given numbers, then pseudo-random ones.
    pub fn from_list(given: Vec<u32>) -> Self {
        Self { state: 0, given: given.into_iter() }
    }

    /// A number.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        match self.given.next() {
            Some(given) => u64::from(given),
            None => z,
        }
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A bit-vector, often a special one.
    pub fn bv(&mut self, width: u32) -> u128 {
        let value = match self.below(10) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => mask(width - 1),
            5 => 1 << (self.below(width as usize)),
            6 => u128::from(self.bits() % 16),
            7 => (self.bits() as u128 % 16).wrapping_neg(),
            8 => mask(1 + self.below(width as usize) as u32),
            _ => u128::from(self.bits()) << 64 | u128::from(self.bits()),
        };
        value & mask(width)
    }

    /// The bits of a float, often special ones.
    pub fn float(&mut self, sort: FloatSort) -> u128 {
        let bits = match self.below(8) {
            0 => 0,
            1 => sort.sign_bit(),
            2 => sort.infinity(),
            3 => sort.nan(),
            4 => crate::float::from_signed(sort, i128::from(self.bits() as u8 as i8)),
            5 => crate::float::from_signed(sort, i128::from(self.bits() as i64)),
            6 => u128::from(self.bits() % 8),
            _ => u128::from(self.bits()) << 64 | u128::from(self.bits()),
        };
        sort.canonical(bits & mask(sort.width()))
    }

    /// A value of a sort.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::BitVec(width) => Value::Bv { width, value: self.bv(width) },
            Sort::Float(sort) => Value::Float { sort, bits: self.float(sort) },
            Sort::Int => Value::Int(self.bits() as i8 as i128),
            Sort::Array { index, elem } => {
                let default = self.value(elem.into());
                let mut array = ArrayValue { sort, default, elems: BTreeMap::new() };
                for _ in 0..self.below(4) {
                    let (at, value) = (self.bv(index), self.value(elem.into()));
                    array.set(at, value);
                }
                Value::Array(Arc::new(array))
            }
        }
    }
}

/// Which operators random terms use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Bools and narrow bit-vectors, where coincidences are frequent.
    Narrow,
    /// Bools and bit-vectors from 1 to 128 bits.
    BitVectors,
    /// Bit-vectors and arrays.
    Arrays,
    /// Bit-vectors and floats.
    Floats,
    /// Small floats, which solvers can bit-blast, with the cheap operators only.
    CheapFloats,
}

/// A term built by the two ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// As it is.
    pub raw: TermId,
    /// Simplified.
    pub simple: TermId,
}

/// Terms that were built so far.
pub struct RandomTerms {
    /// The arena.
    pub terms: Terms,
    /// All variables.
    pub vars: Vec<TermId>,
    /// The terms by sort, in the order of the sorts' first terms.
    pools: Vec<(Sort, Vec<Pair>)>,
    theory: Theory,
}

impl RandomTerms {
    /// Variables and constants of a theory.
    pub fn new(theory: Theory, choices: &mut Choices) -> Self {
        let mut this = Self { terms: Terms::new(), vars: Vec::new(), pools: Vec::new(), theory };
        let mut sorts = vec![Sort::Bool];
        let widths: &[u32] = match theory {
            Theory::Narrow => &[1, 2, 3, 5],
            Theory::BitVectors => &[1, 8, 32, 64, 128],
            Theory::Arrays => &[2, 8],
            Theory::Floats => &[1, 8, 16, 32, 64, 128],
            Theory::CheapFloats => &[4, 16],
        };
        sorts.extend(widths.iter().map(|&width| Sort::BitVec(width)));
        match theory {
            Theory::Arrays => {
                sorts.push(Sort::bv_array(2, 8));
                sorts.push(Sort::bv_array(8, 8));
                sorts.push(Sort::Array { index: 8, elem: ElemSort::Bool });
            }
            Theory::Floats => sorts.extend(
                [FloatSort::F16, FloatSort::F32, FloatSort::F64, FloatSort::X87, FloatSort::F128].map(Sort::Float),
            ),
            Theory::CheapFloats => sorts.push(Sort::Float(FloatSort::F16)),
            Theory::Narrow | Theory::BitVectors => {}
        }
        for sort in sorts {
            for i in 0..3 {
                let var = this.terms.var(&format!("v{i}"), sort);
                this.vars.push(var);
                this.add(Pair { raw: var, simple: var });
            }
            for _ in 0..2 {
                this.add_constant(sort, choices);
            }
        }
        this
    }

    fn add_constant(&mut self, sort: Sort, choices: &mut Choices) {
        let value = choices.value(sort);
        let t = self.terms.value_term(&value);
        self.add(Pair { raw: t, simple: t });
    }

    fn add(&mut self, pair: Pair) {
        let sort = self.terms.sort(pair.raw);
        assert_eq!(sort, self.terms.sort(pair.simple), "simplification keeps the sort");
        match self.pools.iter_mut().find(|(s, _)| *s == sort) {
            Some((_, pool)) => pool.push(pair),
            None => self.pools.push((sort, vec![pair])),
        }
    }

    /// All terms.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.pools.iter().flat_map(|(_, pool)| pool.iter().copied())
    }

    /// A term of a sort that has some; later ones are more probable.
    pub fn pick(&self, sort: Sort, choices: &mut Choices) -> Pair {
        let pool = self.pools.iter().find(|(s, _)| *s == sort).map(|(_, pool)| pool.as_slice()).unwrap_or_default();
        let last = pool.len() - 1;
        pool[if choices.below(2) == 0 { last.saturating_sub(choices.below(4)) } else { choices.below(last + 1) }]
    }

    fn pick_sort(&self, choices: &mut Choices, wanted: impl Fn(Sort) -> bool) -> Option<Sort> {
        let sorts: Vec<Sort> = self.pools.iter().map(|(sort, _)| *sort).filter(|&sort| wanted(sort)).collect();
        (!sorts.is_empty()).then(|| choices.pick(&sorts))
    }

    /// Values of all variables.
    pub fn assignment(&self, choices: &mut Choices) -> Assignment {
        self.vars.iter().map(|&var| (var, choices.value(self.terms.sort(var)))).collect()
    }

    /// Compares the values of pairs under an assignment, and those of bit-vectors with what is known of them.
    ///
    /// # Panics
    /// If the two terms of a pair differ, or a value is not one of those that are known.
    pub fn check_values(&self, assignment: &Assignment, pairs: impl Iterator<Item = Pair>) {
        let mut evaluator = Evaluator::new(&self.terms, assignment);
        for pair in pairs {
            let (raw, simple) = (evaluator.eval(pair.raw), evaluator.eval(pair.simple));
            let show = |t| crate::smtlib::term_to_string(&self.terms, t);
            if raw != simple {
                panic!("{}\n= {raw:?}, but simplified\n{}\n= {simple:?}", show(pair.raw), show(pair.simple));
            }
            for t in [pair.raw, pair.simple] {
                let ((min, max), low) = (self.terms.bounds(t), self.terms.congruence(t));
                if let Value::Bv { value, .. } = raw {
                    let rest = value as u64 & ((1 << low.bits) - 1);
                    if !(min..=max).contains(&value) || rest != low.rest {
                        panic!("{}\n= {value:#x}, not in {min:#x} to {max:#x} or not {low:?}", show(t));
                    }
                }
            }
        }
    }

    /// Builds one more term.
    pub fn grow(&mut self, choices: &mut Choices) {
        let is_bv = |sort| matches!(sort, Sort::BitVec(_));
        let is_float = |sort| matches!(sort, Sort::Float(_));
        let is_array = |sort| matches!(sort, Sort::Array { .. });
        match choices.below(12) {
            0 => {
                if let Some(sort) = self.pick_sort(choices, |_| true) {
                    self.grow_ite(sort, choices);
                }
            }
            1 => {
                if let Some(sort) = self.pick_sort(choices, |sort| sort.as_elem().is_some()) {
                    self.add_constant(sort, choices);
                }
            }
            2 => {
                if let Some(sort) = self.pick_sort(choices, |_| true) {
                    self.grow_bin(BinOp::Eq, sort, choices);
                }
            }
            3 | 4 => {
                let op = choices.pick(&[BinOp::And, BinOp::Or, BinOp::And, BinOp::Or, BinOp::Eq]);
                self.grow_bin(op, Sort::Bool, choices);
            }
            5 => self.grow_un(UnOp::Not, Sort::Bool, choices),
            6..=8 => match self.pick_sort(choices, is_bv) {
                Some(Sort::BitVec(width)) => self.grow_bv(width, choices),
                _ => unreachable!("every theory has bit-vectors"),
            },
            _ => {
                if let Some(Sort::Float(sort)) = self.pick_sort(choices, is_float) {
                    self.grow_float(sort, choices);
                } else if let Some(sort) = self.pick_sort(choices, is_array) {
                    self.grow_array(sort, choices);
                } else if let Some(sort) = self.pick_sort(choices, is_bv) {
                    self.grow_bv(sort.width(), choices);
                }
            }
        }
    }

    fn grow_un(&mut self, op: UnOp, sort: Sort, choices: &mut Choices) {
        let a = self.pick(sort, choices);
        let pair = self.apply_un(op, a);
        self.add(pair);
    }

    /// An operator with one argument.
    pub fn apply_un(&mut self, op: UnOp, a: Pair) -> Pair {
        Pair { raw: self.terms.raw_un(op, a.raw), simple: self.terms.un(op, a.simple) }
    }

    /// An operator with two arguments.
    pub fn apply_bin(&mut self, op: BinOp, a: Pair, b: Pair) -> Pair {
        Pair { raw: self.terms.raw_bin(op, a.raw, b.raw), simple: self.terms.bin(op, a.simple, b.simple) }
    }

    /// An if-then-else.
    pub fn apply_ite(&mut self, c: Pair, a: Pair, b: Pair) -> Pair {
        Pair { raw: self.terms.raw_ite(c.raw, a.raw, b.raw), simple: self.terms.ite(c.simple, a.simple, b.simple) }
    }

    fn grow_bin(&mut self, op: BinOp, sort: Sort, choices: &mut Choices) {
        let (a, b) = (self.pick(sort, choices), self.pick(sort, choices));
        self.bin(op, a, b);
    }

    fn bin(&mut self, op: BinOp, a: Pair, b: Pair) {
        let pair = self.apply_bin(op, a, b);
        self.add(pair);
    }

    fn grow_ite(&mut self, sort: Sort, choices: &mut Choices) {
        let (c, a, b) = (self.pick(Sort::Bool, choices), self.pick(sort, choices), self.pick(sort, choices));
        let pair = self.apply_ite(c, a, b);
        self.add(pair);
    }

    fn grow_bv(&mut self, width: u32, choices: &mut Choices) {
        use BinOp::*;
        let sort = Sort::BitVec(width);
        match choices.below(10) {
            0 => {
                let lo = choices.below(width as usize) as u8;
                let hi = lo + choices.below(width as usize - usize::from(lo)) as u8;
                self.grow_un(UnOp::Extract { hi, lo }, sort, choices);
            }
            1 if width < 128 => {
                let room = (128 - width).min(if self.theory == Theory::Narrow { 3 } else { 128 });
                let extra = 1 + choices.below(room as usize) as u8;
                let op = choices.pick(&[UnOp::ZeroExt(extra), UnOp::SignExt(extra)]);
                self.grow_un(op, sort, choices);
            }
            2 => {
                let op = choices.pick(&[UnOp::BvNot, UnOp::BvNeg]);
                self.grow_un(op, sort, choices);
            }
            3 => {
                let room = 128 - width;
                if let Some(other) = self.pick_sort(choices, |s| matches!(s, Sort::BitVec(w) if w <= room)) {
                    let (a, b) = (self.pick(sort, choices), self.pick(other, choices));
                    self.bin(Concat, a, b);
                }
            }
            4 => {
                // Back to a width that has many terms.
                let a = self.pick(sort, choices);
                let wanted = if self.theory == Theory::Narrow { 3 } else { 8 };
                let op = match width.cmp(&wanted) {
                    std::cmp::Ordering::Less => UnOp::ZeroExt((wanted - width) as u8),
                    std::cmp::Ordering::Greater => UnOp::Extract { hi: wanted as u8 - 1, lo: 0 },
                    std::cmp::Ordering::Equal => UnOp::BvNeg,
                };
                let pair = self.apply_un(op, a);
                self.add(pair);
            }
            5 | 6 => {
                let op = choices.pick(&[BvUlt, BvUle, BvSlt, BvSle, Eq]);
                self.grow_bin(op, sort, choices);
            }
            _ => {
                let op = choices.pick(&[
                    BvAdd, BvSub, BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl,
                    BvLshr, BvAshr,
                ]);
                self.grow_bin(op, sort, choices);
            }
        }
    }

    fn grow_array(&mut self, sort: Sort, choices: &mut Choices) {
        let Sort::Array { index, elem } = sort else { return };
        let (array, at) = (self.pick(sort, choices), self.pick(Sort::BitVec(index), choices));
        match choices.below(5) {
            0 | 1 => self.bin(BinOp::Select, array, at),
            2 | 3 => {
                let value = self.pick(elem.into(), choices);
                let pair = Pair {
                    raw: self.terms.raw_store(array.raw, at.raw, value.raw),
                    simple: self.terms.store(array.simple, at.simple, value.simple),
                };
                self.add(pair);
            }
            _ => {
                let value = self.pick(elem.into(), choices);
                let pair = Pair {
                    raw: self.terms.raw_const_array(index, value.raw),
                    simple: self.terms.const_array(index, value.simple),
                };
                self.add(pair);
            }
        }
    }

    fn grow_float(&mut self, format: FloatSort, choices: &mut Choices) {
        use BinOp::*;
        let sort = Sort::Float(format);
        let cheap = self.theory == Theory::CheapFloats;
        match choices.below(10) {
            0 => {
                let ops = [UnOp::FpIsNan, UnOp::FpIsInf, UnOp::FpIsZero, UnOp::FpIsNegative];
                let op = choices.pick(&ops);
                self.grow_un(op, sort, choices);
            }
            1 => {
                let op = choices.pick(&[UnOp::FpNeg, UnOp::FpAbs, UnOp::FpToBits]);
                self.grow_un(op, sort, choices);
            }
            2 => {
                let rounds = [Round::NearestEven, Round::NearestAway, Round::ToZero, Round::Up, Round::Down];
                let round = UnOp::FpRoundToIntegral(choices.pick(&rounds));
                let op = if cheap { round } else { choices.pick(&[UnOp::FpSqrt, round]) };
                self.grow_un(op, sort, choices);
            }
            3 => {
                let formats = [FloatSort::F16, FloatSort::F32, FloatSort::F64, FloatSort::X87, FloatSort::F128];
                let to = if cheap { format } else { choices.pick(&formats) };
                self.grow_un(UnOp::FpToFp(to), sort, choices);
            }
            4 => {
                if let Some(bv) = self.pick_sort(choices, |s| matches!(s, Sort::BitVec(w) if !cheap || w <= 16)) {
                    let op = choices.pick(&[UnOp::FpFromSbv(format), UnOp::FpFromUbv(format)]);
                    self.grow_un(op, bv, choices);
                }
            }
            5 => {
                let width = choices.pick(if cheap { &[4, 16] } else { &[1, 8, 32, 64, 128] });
                let op = choices.pick(&[UnOp::FpToSbv(width), UnOp::FpToUbv(width)]);
                self.grow_un(op, sort, choices);
            }
            6 => {
                let bits = Sort::BitVec(format.width());
                if self.pick_sort(choices, |s| s == bits).is_some() {
                    self.grow_un(UnOp::FpFromBits(format), bits, choices);
                }
            }
            7 => {
                let op = choices.pick(&[FpEq, FpLt, FpLe]);
                self.grow_bin(op, sort, choices);
            }
            _ => {
                let ops: &[BinOp] = if cheap { &[FpAdd, FpSub] } else { &[FpAdd, FpSub, FpMul, FpDiv] };
                let op = choices.pick(ops);
                self.grow_bin(op, sort, choices);
            }
        }
    }
}
