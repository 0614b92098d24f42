//! Sets of integers: an interval with a congruence.
//!
//! A set is about numbers and not about bits: operations are those of integers, and [`Num::fit`] says what is left of a result when it
//! wraps around in its type. Where numbers of different multiples of the type's range may occur, only the congruence survives.

use cfa::{BinOp, Scalar, Value};
use num_integer::gcd;
use std::cmp::Ordering;

/// `{ v | lo <= v <= hi, v = rest (mod modulus) }`, not empty, with bounds that are members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Num {
    /// Least member.
    pub lo: i128,
    /// Greatest member.
    pub hi: i128,
    /// At least 1; 0 for a single number.
    pub modulus: u64,
    /// Less than the modulus; 0 for a single number.
    pub rest: u64,
}

/// Whether numbers of this type are tracked.
pub fn is_tracked(ty: Scalar) -> bool {
    matches!(ty, Scalar::Bool) || matches!(ty, Scalar::Int { bits, .. } if bits <= 64)
}

/// Range of a tracked type.
pub fn range(ty: Scalar) -> (i128, i128) {
    match ty {
        Scalar::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Scalar::Int { bits, signed: false } => (0, (1 << bits) - 1),
        _ => (0, 1),
    }
}

/// The number that the bits of a value mean.
pub fn number(value: Value, ty: Scalar) -> i128 {
    match ty {
        Scalar::Int { bits, signed } if bits <= 64 => {
            let shift = 128 - u32::from(bits);
            let raw = value.0 << shift;
            if signed { (raw as i128) >> shift } else { (raw >> shift) as i128 }
        }
        _ => i128::from(value.0 != 0),
    }
}

fn residue(v: i128, modulus: u64) -> u64 {
    v.rem_euclid(i128::from(modulus)) as u64
}

impl Num {
    /// One number.
    pub fn single(v: i128) -> Self {
        Num { lo: v, hi: v, modulus: 0, rest: 0 }
    }

    /// All numbers of a type.
    pub fn top(ty: Scalar) -> Self {
        let (lo, hi) = range(ty);
        Num { lo, hi, modulus: 1, rest: 0 }
    }

    /// The numbers of an interval with a congruence; `None` if there is none. The rest is less than the modulus, or both are 0.
    pub fn new(lo: i128, hi: i128, modulus: u64, rest: u64) -> Option<Self> {
        if lo > hi {
            return None;
        }
        let m = i128::from(modulus.max(1));
        // Bounds move to the next members.
        let lo = lo.checked_add((i128::from(rest) - lo.rem_euclid(m)).rem_euclid(m))?;
        let hi = hi.checked_sub((hi.rem_euclid(m) - i128::from(rest)).rem_euclid(m))?;
        match lo.cmp(&hi) {
            Ordering::Greater => None,
            Ordering::Equal => Some(Num::single(lo)),
            Ordering::Less => Some(Num { lo, hi, modulus: modulus.max(1), rest }),
        }
    }

    /// An interval; `None` if it is empty.
    pub fn interval(lo: i128, hi: i128) -> Option<Self> {
        Num::new(lo, hi, 1, 0)
    }

    /// The only member.
    pub fn as_single(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether a number is a member.
    pub fn contains(self, v: i128) -> bool {
        self.lo <= v && v <= self.hi && (self.modulus <= 1 || residue(v, self.modulus) == self.rest)
    }

    /// Whether all members are members of the other.
    pub fn leq(self, other: Self) -> bool {
        other.lo <= self.lo
            && self.hi <= other.hi
            && (other.modulus <= 1
                || residue(self.lo, other.modulus) == other.rest && self.modulus.is_multiple_of(other.modulus))
    }

    /// The least set with the members of both.
    pub fn join(self, other: Self) -> Self {
        let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
        if lo == hi {
            return self;
        }
        let apart = u64::try_from(self.lo.abs_diff(other.lo)).unwrap_or(1);
        let modulus = gcd(gcd(self.modulus, other.modulus), apart).max(1);
        Num { lo, hi, modulus, rest: residue(lo, modulus) }
    }

    /// A set with the members of both, the same for all but a bounded number of ever larger sets; bounds that grow
    /// jump to the next threshold. `self` is the old one.
    pub fn widen(self, other: Self, thresholds: &[i128], ty: Scalar) -> Self {
        let joined = self.join(other);
        let (least, greatest) = range(ty);
        let lo = if joined.lo < self.lo {
            thresholds.iter().rev().copied().find(|t| *t <= joined.lo).unwrap_or(least).max(least)
        } else {
            joined.lo
        };
        let hi = if joined.hi > self.hi {
            thresholds.iter().copied().find(|t| *t >= joined.hi).unwrap_or(greatest).min(greatest)
        } else {
            joined.hi
        };
        Num::new(lo, hi, joined.modulus, joined.rest).unwrap_or(Num::top(ty))
    }

    /// The members that both have; possibly more. `None` if there is none for sure.
    pub fn meet(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        let finer = if self.modulus >= other.modulus { self } else { other };
        match (self.as_single(), other.as_single()) {
            (Some(v), _) => other.contains(v).then_some(self),
            (_, Some(v)) => self.contains(v).then_some(other),
            _ => Num::new(lo, hi, finer.modulus, finer.rest),
        }
    }

    /// What the numbers are after they wrapped around in a type.
    pub fn fit(self, ty: Scalar) -> Self {
        let (least, greatest) = range(ty);
        if least <= self.lo && self.hi <= greatest {
            return self;
        }
        let size = greatest - least + 1;
        let (first, last) = ((self.lo - least).div_euclid(size), (self.hi - least).div_euclid(size));
        if first == last {
            let shift = first * size;
            return self.shifted(-shift).unwrap_or(Num::top(ty));
        }
        // Multiples of the size were added: 2^64 does not fit, but each power of two that divides the modulus divides it.
        let modulus = match u64::try_from(size) {
            Ok(size) => gcd(self.modulus, size),
            Err(_) => 1 << self.modulus.trailing_zeros().min(63),
        };
        let modulus = modulus.max(1);
        Num::new(least, greatest, modulus, residue(self.lo, modulus)).unwrap_or(Num::top(ty))
    }

    /// All numbers plus a constant.
    pub fn shifted(self, by: i128) -> Option<Self> {
        let (lo, hi) = (self.lo.checked_add(by)?, self.hi.checked_add(by)?);
        let rest = if self.modulus == 0 { 0 } else { residue(lo, self.modulus) };
        Some(Num { rest, lo, hi, modulus: self.modulus })
    }

    /// All sums.
    pub fn plus(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.checked_add(other.lo)?, self.hi.checked_add(other.hi)?);
        if lo == hi {
            return Some(Num::single(lo));
        }
        let modulus = gcd(self.modulus, other.modulus).max(1);
        Num::new(lo, hi, modulus, residue(lo, modulus))
    }

    /// All negations.
    pub fn negated(self) -> Option<Self> {
        let (lo, hi) = (self.hi.checked_neg()?, self.lo.checked_neg()?);
        let rest = if self.modulus == 0 { 0 } else { residue(lo, self.modulus) };
        Some(Num { lo, hi, modulus: self.modulus, rest })
    }

    /// All products.
    pub fn times(self, other: Self) -> Option<Self> {
        let mut bounds = [0; 4];
        for (i, (a, b)) in
            [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)].into_iter().enumerate()
        {
            bounds[i] = a.checked_mul(b)?;
        }
        let (lo, hi) = (*bounds.iter().min()?, *bounds.iter().max()?);
        if lo == hi {
            return Some(Num::single(lo));
        }
        // (a + m i)(c + n j) = ac (mod gcd(cm, an, mn)); a factor may be too large to be worth it.
        let product = |a: i128, b: u64| u64::try_from(a.unsigned_abs().checked_mul(u128::from(b))?).ok();
        let parts = [
            product(other.lo, self.modulus),
            product(self.lo, other.modulus),
            product(i128::from(self.modulus), other.modulus),
        ];
        let modulus = parts.into_iter().try_fold(0, |m, part| Some(gcd(m, part?))).unwrap_or(1).max(1);
        Num::new(lo, hi, modulus, residue(bounds[0], modulus))
    }

    /// All quotients, towards zero; divisors that are zero have none.
    pub fn divided(self, other: Self) -> Option<Self> {
        let mut result: Option<Self> = None;
        // Quotients are monotonic in both operands where the divisor keeps its sign.
        for (lo, hi) in [(other.lo, other.hi.min(-1)), (other.lo.max(1), other.hi)] {
            if lo > hi {
                continue;
            }
            let corners = [
                self.lo.checked_div(lo)?,
                self.lo.checked_div(hi)?,
                self.hi.checked_div(lo)?,
                self.hi.checked_div(hi)?,
            ];
            let part = Num::interval(*corners.iter().min()?, *corners.iter().max()?)?;
            // Between dividends of both signs lies zero, which the corners already enclose.
            result = Some(result.map_or(part, |r| r.join(part)));
        }
        result
    }

    /// All remainders, with the sign of the dividend.
    pub fn remainder(self, other: Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_single(), other.as_single()) {
            return a.checked_rem(b).map(Num::single);
        }
        let most = other.lo.unsigned_abs().max(other.hi.unsigned_abs());
        let most = i128::try_from(most).ok()?.checked_sub(1)?;
        if most < 0 {
            return None;
        }
        let small = other.as_single().is_some_and(|b| {
            let b = b.unsigned_abs() as i128;
            self.lo > -b && self.hi < b
        });
        if small {
            return Some(self);
        }
        let lo = if self.lo < 0 { (-most).max(self.lo) } else { 0 };
        let hi = if self.hi > 0 { most.min(self.hi) } else { 0 };
        // a rem b = a (mod b), and b is a number of the congruence.
        let modulus = match other.as_single().and_then(|b| u64::try_from(b.unsigned_abs()).ok()) {
            Some(b) => gcd(b, self.modulus).max(1),
            None => 1,
        };
        Num::new(lo, hi, modulus, residue(self.lo, modulus))
    }

    /// What an operator computes at a type: all results as C has them; `None` if nothing is known.
    pub fn binary(op: BinOp, ty: Scalar, a: Self, b: Self) -> Option<Self> {
        let result = match op {
            BinOp::Add => a.plus(b),
            BinOp::Sub => a.plus(b.negated()?),
            BinOp::Mul => a.times(b),
            BinOp::Div => a.divided(b),
            BinOp::Rem => a.remainder(b),
            BinOp::Shl => {
                let by = b.as_single().filter(|by| (0..64).contains(by))?;
                a.times(Num::single(1 << by))
            }
            BinOp::Shr => {
                let by = b.as_single().filter(|by| (0..64).contains(by))?;
                Num::interval(a.lo >> by, a.hi >> by)
            }
            BinOp::BitAnd => a.masked(b),
            BinOp::BitOr | BinOp::BitXor if a.lo >= 0 && b.lo >= 0 => {
                let bits = 128 - (a.hi | b.hi).leading_zeros();
                let lo = if op == BinOp::BitOr { a.lo.max(b.lo) } else { 0 };
                Num::interval(lo, (1i128 << bits.min(126)) - 1)
            }
            _ => None,
        };
        result.map(|r| r.fit(ty))
    }

    /// Bits that both have.
    fn masked(self, other: Self) -> Option<Self> {
        let (a, b) = if other.as_single().is_some() { (self, other) } else { (other, self) };
        let hi = match (a.lo >= 0, b.lo >= 0) {
            (true, true) => a.hi.min(b.hi),
            (true, false) => a.hi,
            (false, true) => b.hi,
            (false, false) => return None,
        };
        // A mask of low bits keeps the number modulo a power of two.
        if let Some(mask) = b.as_single().filter(|mask| *mask >= 0 && mask & (mask + 1) == 0 && *mask < 1 << 62) {
            let modulus = gcd(a.modulus, mask as u64 + 1).max(1);
            return Num::new(0, hi, modulus, residue(a.lo, modulus));
        }
        Num::interval(0, hi)
    }

    /// Whether a comparison holds for all members or for none.
    pub fn compare(op: BinOp, a: Self, b: Self) -> Option<bool> {
        let (less, greater) = (a.hi < b.lo, a.lo > b.hi);
        let equal = matches!((a.as_single(), b.as_single()), (Some(x), Some(y)) if x == y);
        let apart = less || greater || a.meet(b).is_none() || {
            let common = gcd(a.modulus, b.modulus);
            common > 1 && residue(a.lo, common) != residue(b.lo, common)
        };
        match op {
            BinOp::Eq if equal => Some(true),
            BinOp::Eq if apart => Some(false),
            BinOp::Ne => Num::compare(BinOp::Eq, a, b).map(|eq| !eq),
            BinOp::Lt if less => Some(true),
            BinOp::Lt if a.lo >= b.hi => Some(false),
            BinOp::Le if a.hi <= b.lo => Some(true),
            BinOp::Le if greater => Some(false),
            BinOp::Gt => Num::compare(BinOp::Lt, b, a),
            BinOp::Ge => Num::compare(BinOp::Le, b, a),
            _ => None,
        }
    }

    /// The set without one number, if that number is a bound; `None` if nothing is left.
    pub fn without(self, v: i128) -> Option<Self> {
        let (lo, hi) = if v == self.lo {
            (v + 1, self.hi)
        } else if v == self.hi {
            (self.lo, v - 1)
        } else {
            return Some(self);
        };
        if self.modulus == 0 { None } else { Num::new(lo, hi, self.modulus, self.rest) }
    }
}
