//! Difference-bound matrices of octagons: the least known bound of each sum of two literals [mine06].
//!
//! A *literal* is a variable or its negative. For literals `a` and `b` the matrix has a bound of `a + b`, so `x - y` is the sum of `x`
//! and `-y`, and twice `x` that of `x` and `x`. The sum does not depend on the order, which is what coherence of the literature's full
//! matrix comes to, and half of it is kept.
//!
//! *Closure* makes each entry the least that all entries imply for integers: shortest paths, even bounds of `2 x`, and half the sum of
//! `2 a` and `2 b` for `a + b` [bagnara09]; a constraint that is added to a closed matrix takes quadratic time [chawdhary19].
//!
//! Variables are numbers of types of at most 64 bits, and each has the bounds of its type. So all entries are finite and far from the
//! limits of `i128`, also twice a number of 64 bits, which would not fit in `i64`: there is no infinity and no rounding.

use crate::numerical::Bottom;
use std::ops::Neg;

/// Whether something is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// It is added.
    Plus,
    /// It is subtracted.
    Minus,
}

impl Neg for Sign {
    type Output = Sign;

    fn neg(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// A variable or its negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(usize);

impl Literal {
    /// The literal of a variable.
    pub fn new(var: usize, sign: Sign) -> Self {
        Literal(2 * var + usize::from(sign == Sign::Minus))
    }

    /// The variable.
    pub fn var(self) -> usize {
        self.0 / 2
    }

    /// Its sign.
    pub fn sign(self) -> Sign {
        if self.0.is_multiple_of(2) { Sign::Plus } else { Sign::Minus }
    }
}

impl Neg for Literal {
    type Output = Literal;

    fn neg(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Bounds of sums of two literals; never empty by itself: what would make it so is [`Bottom`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dbm {
    /// Number of literals.
    size: usize,
    /// The bound of `a + b`, for `b <= a`, is at `a (a + 1) / 2 + b`. That of `a - a` is 0.
    bounds: Box<[i128]>,
    /// What is widened stays as it is, so that widening ends.
    is_closed: bool,
}

fn position(a: Literal, b: Literal) -> usize {
    let (a, b) = (a.0.max(b.0), a.0.min(b.0));
    a * (a + 1) / 2 + b
}

/// The least bound of a sum that bounds of one and of two of its parts give.
pub fn upper<T: Copy>(parts: &[T], one: &impl Fn(T) -> i128, two: &impl Fn(T, T) -> i128) -> i128 {
    let [first, rest @ ..] = parts else { return 0 };
    let alone = one(*first) + upper(rest, one, two);
    let with_partner = |i: usize| {
        let mut others = rest.to_vec();
        let partner = others.remove(i);
        two(*first, partner) + upper(&others, one, two)
    };
    (0..rest.len()).map(with_partner).fold(alone, i128::min)
}

impl Dbm {
    /// Variables with these least and greatest numbers, and no relation.
    pub fn new(ranges: &[(i128, i128)]) -> Self {
        let size = 2 * ranges.len();
        let mut this = Self { size, bounds: vec![0; size * (size + 1) / 2].into(), is_closed: true };
        let limit = |literal: Literal| {
            let (lo, hi) = ranges[literal.var()];
            if literal.sign() == Sign::Plus { hi } else { -lo }
        };
        for (a, b) in this.pairs() {
            this.bounds[position(a, b)] = if a == -b { 0 } else { limit(a) + limit(b) };
        }
        this
    }

    fn literals(&self) -> impl Iterator<Item = Literal> + use<> {
        (0..self.size).map(Literal)
    }

    /// Each unordered pair of literals once.
    pub fn pairs(&self) -> impl Iterator<Item = (Literal, Literal)> + use<> {
        (0..self.size).flat_map(|a| (0..=a).map(move |b| (Literal(a), Literal(b))))
    }

    /// The least known bound of `a + b`.
    #[inline]
    pub fn get(&self, a: Literal, b: Literal) -> i128 {
        self.bounds[position(a, b)]
    }

    #[inline]
    fn lower(&mut self, a: Literal, b: Literal, bound: i128) {
        let entry = &mut self.bounds[position(a, b)];
        *entry = bound.min(*entry);
    }

    /// The least known bound of a literal.
    pub fn bound(&self, a: Literal) -> i128 {
        self.get(a, a).div_euclid(2)
    }

    /// The least and the greatest number of a variable.
    pub fn range(&self, var: usize) -> (i128, i128) {
        (-self.bound(Literal::new(var, Sign::Minus)), self.bound(Literal::new(var, Sign::Plus)))
    }

    /// The least known bound of a sum of literals.
    pub fn upper(&self, literals: &[Literal]) -> i128 {
        upper(literals, &|a| self.bound(a), &|a, b| self.get(a, b))
    }

    /// Whether each entry is the least that all imply.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Makes each entry the least that all imply.
    ///
    /// # Errors
    /// If there are no such numbers.
    pub fn close(&mut self) -> Result<(), Bottom> {
        for var in 0..self.size / 2 {
            let (x, negative) = (Literal::new(var, Sign::Plus), Literal::new(var, Sign::Minus));
            let (twice, twice_negative) = (self.get(x, x), self.get(negative, negative));
            // The best bounds of the sums with `x` and with `-x`, perhaps by way of the other.
            let through = |a: Literal| {
                let (with, without) = (self.get(a, x), self.get(a, negative));
                (with.min(without + twice), without.min(with + twice_negative))
            };
            let sums: Vec<(i128, i128)> = self.literals().map(through).collect();
            for (a, b) in self.pairs() {
                let (with, without) = sums[a.0];
                self.lower(a, b, (with + self.get(negative, b)).min(without + self.get(x, b)));
            }
        }
        self.is_closed = true;
        self.strengthen()
    }

    /// The last step of closure: even bounds of `2 a`, and what they imply for `a + b`.
    fn strengthen(&mut self) -> Result<(), Bottom> {
        for a in self.literals() {
            if self.get(a, -a) < 0 {
                return Err(Bottom);
            }
            let twice = self.get(a, a);
            self.lower(a, a, 2 * twice.div_euclid(2));
        }
        if self.literals().any(|a| self.bound(a) + self.bound(-a) < 0) {
            return Err(Bottom);
        }
        for (a, b) in self.pairs().filter(|(a, b)| *a != -*b) {
            self.lower(a, b, self.bound(a) + self.bound(b));
        }
        Ok(())
    }

    /// Adds the constraint `a + b <= bound`.
    ///
    /// # Errors
    /// If no numbers satisfy it with the others.
    pub fn add(&mut self, a: Literal, b: Literal, bound: i128) -> Result<(), Bottom> {
        if a == -b {
            return if bound < 0 { Err(Bottom) } else { Ok(()) };
        }
        let bound = if a == b { 2 * bound.div_euclid(2) } else { bound };
        if bound >= self.get(a, b) {
            return Ok(());
        }
        if bound + self.get(-a, -b) < 0 {
            return Err(Bottom);
        }
        if !self.is_closed {
            self.lower(a, b, bound);
            return Ok(());
        }
        // From `c` to `d` by way of the constraint once, or twice with the bound of `-2 b` or `-2 a` between.
        let (between_b, between_a) = (self.get(-b, -b), self.get(-a, -a));
        let ends = |c: Literal| (self.get(c, -a) + bound, self.get(c, -b) + bound);
        let ends: Vec<(i128, i128)> = self.literals().map(ends).collect();
        for (c, d) in self.pairs() {
            let ((c_a, c_b), (d_a, d_b)) = (ends[c.0], ends[d.0]);
            let once = (c_a + d_b).min(c_b + d_a) - bound;
            let twice = (c_a + between_b + d_a).min(c_b + between_a + d_b);
            self.lower(c, d, once.min(twice));
        }
        self.strengthen()
    }

    /// `variable := (sum of the literals + a number between these) / divisor`, an integer. The literals have the numbers of before.
    ///
    /// # Errors
    /// If there were no such numbers.
    pub fn assign(&mut self, var: usize, sum: &[Literal], (lo, hi): (i128, i128), divisor: i128) -> Result<(), Bottom> {
        let negated: Vec<Literal> = sum.iter().map(|a| -*a).collect();
        let sides = [(Literal::new(var, Sign::Plus), sum, hi), (Literal::new(var, Sign::Minus), &negated[..], -lo)];
        let mut found = Vec::new();
        for (side, sum, by) in sides {
            let greatest = |sum: &[Literal]| (self.upper(sum) + by).div_euclid(divisor);
            found.push((side, side, 2 * greatest(sum)));
            for other in self.literals().filter(|other| other.var() != var) {
                let others = (0..divisor).map(|_| other);
                found.push((side, other, greatest(&sum.iter().copied().chain(others).collect::<Vec<_>>())));
            }
        }
        for (a, b, bound) in found {
            self.bounds[position(a, b)] = bound;
        }
        // With at most one literal, not divided, nothing else is implied.
        if self.is_closed && (sum.len() > 1 || divisor > 1) { self.close() } else { Ok(()) }
    }

    /// Whether all numbers of this matrix are numbers of the other; sure if this one is closed.
    pub fn leq(&self, other: &Dbm) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(a, b)| a <= b)
    }

    /// The least matrix with the numbers of both, if they are closed.
    pub fn join(&self, other: &Dbm) -> Dbm {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(a, b)| *a.max(b)).collect();
        Dbm { bounds, size: self.size, is_closed: self.is_closed && other.is_closed }
    }

    /// A matrix with the numbers of both, the same for all but a bounded number of ever larger ones. A bound that grows jumps to the next
    /// threshold, which are ascending, or to what the types of the variables allow. `self` is the old one.
    pub fn widen(&self, newer: &Dbm, thresholds: &[i128], types: &Dbm) -> Dbm {
        let mut widened = Dbm { is_closed: false, ..self.clone() };
        for (a, b) in self.pairs() {
            let (old, new) = (self.get(a, b), newer.get(a, b));
            if new > old {
                let weight = if a == b { 2 } else { 1 };
                let at_least = new.div_euclid(weight) + i128::from(new.rem_euclid(weight) != 0);
                let limit = types.get(a, b).max(new);
                let next = next_threshold(at_least, thresholds).map_or(limit, |t| limit.min(weight * t));
                widened.bounds[position(a, b)] = next;
            }
        }
        widened.is_closed = widened.bounds == self.bounds && self.is_closed;
        widened
    }
}

/// The least number that is not below the bound, among thresholds and their negatives.
fn next_threshold(bound: i128, thresholds: &[i128]) -> Option<i128> {
    let positive = thresholds.get(thresholds.partition_point(|t| *t < bound)).copied();
    let negative = thresholds[..thresholds.partition_point(|t| *t <= -bound)].last().map(|t| -t);
    positive.into_iter().chain(negative).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VARS: usize = 3;
    type Point = [i128; VARS];

    fn value(a: Literal, point: &Point) -> i128 {
        if a.sign() == Sign::Plus { point[a.var()] } else { -point[a.var()] }
    }

    /// All points with small numbers that satisfy the constraints.
    fn points(constraints: &[(Literal, Literal, i128)]) -> Vec<Point> {
        let numbers = -3..=3i128;
        let all = numbers.clone().flat_map(|x| {
            let numbers = numbers.clone();
            numbers.clone().flat_map(move |y| numbers.clone().map(move |z| [x, y, z]))
        });
        all.filter(|p| constraints.iter().all(|(a, b, c)| value(*a, p) + value(*b, p) <= *c)).collect()
    }

    /// The least matrix with these points.
    fn exact(points: &[Point], a: Literal, b: Literal) -> i128 {
        points.iter().map(|p| value(a, p) + value(b, p)).max().unwrap_or(0)
    }

    fn constraint() -> impl Strategy<Value = (Literal, Literal, i128)> {
        (0..2 * VARS, 0..2 * VARS, -4..6i128).prop_map(|(a, b, c)| (Literal(a), Literal(b), c))
    }

    fn matrix(constraints: &[(Literal, Literal, i128)]) -> Result<Dbm, Bottom> {
        let mut dbm = Dbm::new(&[(-3, 3); VARS]);
        constraints.iter().try_for_each(|(a, b, c)| dbm.add(*a, *b, *c))?;
        Ok(dbm)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Closure gives the least bounds of all integer points, one constraint after the other or all at once.
        #[test]
        fn closure_is_exact(constraints in prop::collection::vec(constraint(), 0..7)) {
            let points = points(&constraints);
            let mut at_once = Dbm { is_closed: false, ..Dbm::new(&[(-3, 3); VARS]) };
            let closed = constraints.iter().try_for_each(|(a, b, c)| at_once.add(*a, *b, *c));
            let closed = closed.and_then(|()| at_once.close());
            prop_assert_eq!(closed.is_err(), points.is_empty());
            let one_by_one = matrix(&constraints);
            prop_assert_eq!(one_by_one.is_err(), points.is_empty());
            let Ok(dbm) = one_by_one else { return Ok(()) };
            prop_assert_eq!(&dbm, &at_once);
            for (a, b) in dbm.pairs() {
                prop_assert_eq!(dbm.get(a, b), exact(&points, a, b));
            }
            let mut again = dbm.clone();
            prop_assert_eq!(again.close(), Ok(()));
            prop_assert_eq!(again, dbm);
        }

        /// Assignments of at most one literal are exact, those of two and halves are sound, and all results are closed.
        #[test]
        fn assignments(
            constraints in prop::collection::vec(constraint(), 0..6),
            sum in prop::collection::vec((0..2 * VARS).prop_map(Literal), 0..3),
            (var, lo, width, divisor) in (0..VARS, -2..3i128, 0..3i128, 1..3i128),
        ) {
            let (Ok(mut dbm), points) = (matrix(&constraints), points(&constraints)) else { return Ok(()) };
            // Of two numbers in a row one is even.
            let numbers = lo..=lo + width + divisor - 1;
            prop_assert_eq!(dbm.assign(var, &sum, (*numbers.start(), *numbers.end()), divisor), Ok(()));
            let after = |p: &Point, by: i128| {
                let mut next = *p;
                let dividend = sum.iter().map(|a| value(*a, p)).sum::<i128>() + by;
                next[var] = dividend.div_euclid(divisor);
                (dividend.rem_euclid(divisor) == 0).then_some(next)
            };
            let points: Vec<Point> = points.iter().flat_map(|p| numbers.clone().filter_map(|by| after(p, by))).collect();
            for (a, b) in dbm.pairs() {
                let bound = exact(&points, a, b);
                prop_assert!(bound <= dbm.get(a, b));
                let is_exact = divisor == 1 && sum.len() <= 1;
                prop_assert!(!is_exact || bound == dbm.get(a, b), "{a:?} + {b:?} <= {bound} but {}", dbm.get(a, b));
            }
            let mut again = dbm.clone();
            prop_assert_eq!(again.close(), Ok(()));
            prop_assert_eq!(again, dbm);
        }

        /// Joins are the least matrices, and widened ones are above.
        #[test]
        fn joins(
            left in prop::collection::vec(constraint(), 0..6),
            right in prop::collection::vec(constraint(), 0..6),
        ) {
            let (Ok(a), Ok(b)) = (matrix(&left), matrix(&right)) else { return Ok(()) };
            let all = [points(&left), points(&right)].concat();
            let joined = a.join(&b);
            for (c, d) in joined.pairs() {
                prop_assert_eq!(joined.get(c, d), exact(&all, c, d));
            }
            prop_assert_eq!(a.leq(&b), points(&left).iter().all(|p| points(&right).contains(p)));
            let widened = a.widen(&joined, &[-1, 0, 1, 2], &Dbm::new(&[(-3, 3); VARS]));
            prop_assert!(joined.leq(&widened));
        }
    }

    #[test]
    fn thresholds_of_both_signs() {
        let next = |bound| next_threshold(bound, &[-7, 0, 1, 10]);
        assert_eq!(
            [-20, -10, -5, 0, 2, 8, 11].map(next),
            [Some(-10), Some(-10), Some(-1), Some(0), Some(7), Some(10), None]
        );
    }
}
