//! Linear integers as a guess for bit-vectors.
//!
//! The trace is read as if its numbers were integers without bounds; what has no linear meaning becomes a new variable. Its
//! interpolants are read back as formulas over bit-vectors. They need not be interpolants there, so they are only candidates:
//! bit-vectors decide, by [`super::check`] or by [`super::guess`].

use super::check::check_sequence;
use super::{EngineContext, EngineError, SequenceEngine, Step, Trace, atoms, guess, horn};
use num_integer::gcd;
use rustc_hash::FxHashMap;
use smt::horn::{HornApp, HornClause, HornPredicate, HornSystem};
use smt::value::to_signed;
use smt::{BinOp, Node, Sort, TermId, Terms, UnOp, subst::subterms, vars_of};
use std::collections::BTreeMap;

/// How bits are read as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Two's complement.
    Signed,
    /// From zero on.
    Unsigned,
}

/// Sequence interpolation over linear integers.
#[derive(Clone, Copy, Default, Debug)]
pub struct LinearGuess;

/// Largest constant of an interpolant.
const MAX_CONSTANT: i128 = 1 << 70;

impl SequenceEngine for LinearGuess {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn solve(&mut self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
        let deadline = ctx.deadline();
        let reduced = horn::reduce(terms, trace, ctx)?;
        let mut last = EngineError::Unsupported("no bit-vectors");
        for reading in [Reading::Signed, Reading::Unsigned] {
            ctx.check(deadline)?;
            match guess_with(terms, &reduced, trace, reading, ctx) {
                Ok(itps) => return Ok(itps),
                Err(error) if error.ends_run() => return Err(error),
                // Feasible over integers does not mean feasible.
                Err(EngineError::Feasible) => last = EngineError::TooWeak(0),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

fn guess_with(
    terms: &mut Terms,
    reduced: &Trace,
    trace: &Trace,
    reading: Reading,
    ctx: &EngineContext<'_>,
) -> Result<Vec<TermId>, EngineError> {
    let deadline = ctx.deadline();
    let mut integers = Integers::new(reading);
    let mut steps = Vec::with_capacity(reduced.steps.len());
    for step in &reduced.steps {
        let mut conjuncts: Vec<TermId> = step.conjuncts.iter().map(|&t| integers.formula(terms, t)).collect();
        conjuncts.append(&mut integers.side);
        steps.push(Step::of(conjuncts));
    }
    let interface = reduced
        .interface
        .iter()
        .map(|allowed| {
            let inside = |original: TermId| vars_of(terms, &[original]).iter().all(|var| allowed.contains(var));
            integers.originals.iter().filter(|&(_, &original)| inside(original)).map(|(&var, _)| var).collect()
        })
        .collect();
    let linear = Trace { steps, interface };
    let found = horn::solve_sequence(terms, &linear, ctx)?;
    let mut itps = Vec::with_capacity(found.len());
    for itp in found {
        itps.push(integers.back(terms, itp).ok_or(EngineError::Unsupported("an interpolant over integers"))?);
    }
    if check_sequence(terms, trace, &itps, ctx).is_ok() {
        return Ok(itps);
    }
    // Not as a whole, but perhaps its parts, or their negations.
    let mut candidates = Vec::with_capacity(itps.len());
    for itp in itps {
        let mut list = vec![itp];
        for atom in atoms::atoms_of(terms, itp, atoms::AtomLimits::default()) {
            list.push(atom);
            list.push(terms.not(atom));
        }
        candidates.push(list);
    }
    guess::strongest(terms, trace, &candidates, ctx, deadline)
}

/// For each predicate of a system of Horn clauses over bit-vectors, what it is in a solution over integers, as atoms over its parameters.
/// `None` if there is no such solution. These are guesses: over bit-vectors they need not be a solution.
///
/// # Errors
/// When the engine gives up, or the run has to end.
pub fn guess_system(
    terms: &mut Terms,
    system: &HornSystem,
    reading: Reading,
    ctx: &EngineContext<'_>,
) -> Result<Option<Vec<Vec<TermId>>>, EngineError> {
    let mut names = Integers::new(reading);
    let mut linear = HornSystem::default();
    for predicate in &system.predicates {
        let params = predicate.params.iter().map(|param| names.opaque(terms, *param)).collect();
        linear.predicates.push(HornPredicate { params });
    }
    for clause in &system.clauses {
        // Each clause has side conditions of its own.
        let mut integers = Integers::new(reading);
        let mut constraint = integers.formula(terms, clause.constraint);
        let mut app = |terms: &mut Terms, app: &HornApp| HornApp {
            predicate: app.predicate,
            args: app.args.iter().map(|arg| integers.formula(terms, *arg)).collect(),
        };
        let body: Vec<HornApp> = clause.body.iter().map(|a| app(terms, a)).collect();
        let head = clause.head.as_ref().map(|a| app(terms, a));
        for side in integers.side {
            constraint = terms.and(constraint, side);
        }
        linear.clauses.push(HornClause { body, constraint, head });
    }
    let Some(solution) = horn::solve(terms, &linear, ctx)? else { return Ok(None) };
    let mut guesses = Vec::with_capacity(solution.len());
    for formula in solution {
        let formula = names.back(terms, formula);
        guesses.push(formula.map_or(Vec::new(), |f| atoms::atoms_of(terms, f, atoms::AtomLimits::default())));
    }
    Ok(Some(guesses))
}

/// Terms over bit-vectors as terms over integers, and back.
struct Integers {
    reading: Reading,
    done: FxHashMap<TermId, TermId>,
    /// What the integer (or Bool) variables stand for.
    originals: BTreeMap<TermId, TermId>,
    /// What quotients and remainders satisfy, since it was taken last.
    side: Vec<TermId>,
}

impl Integers {
    fn new(reading: Reading) -> Self {
        Self { reading, done: FxHashMap::default(), originals: BTreeMap::new(), side: Vec::new() }
    }

    fn formula(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        for t in subterms(terms, &[root]) {
            if !self.done.contains_key(&t) {
                let new = self.term(terms, t);
                self.done.insert(t, new);
            }
        }
        self.done[&root]
    }

    /// A variable for something without a linear meaning; arrays are never needed.
    fn opaque(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let sort = match terms.sort(t) {
            Sort::Bool => Sort::Bool,
            _ => Sort::Int,
        };
        let var = terms.var(&format!("linear!{}", t.index()), sort);
        self.originals.insert(var, t);
        if self.reading == Reading::Unsigned && sort == Sort::Int {
            let zero = terms.int(0);
            let bound = terms.int_le(zero, var);
            self.side.push(bound);
        }
        var
    }

    fn constant(&self, terms: &mut Terms, width: u32, value: u128) -> Option<TermId> {
        let signed = to_signed(width, value);
        let number = match self.reading {
            Reading::Unsigned if signed < 0 => i128::try_from(value).ok()?,
            _ => signed,
        };
        (number.abs() < MAX_CONSTANT).then(|| terms.int(number))
    }

    /// The number that is added or multiplied: always signed, so that adding 2^32 - 1 is subtracting 1.
    fn offset(&self, terms: &Terms, t: TermId) -> Option<i128> {
        let value = terms.as_bv_const(t)?;
        Some(to_signed(terms.width(t), value)).filter(|number| number.abs() < MAX_CONSTANT)
    }

    fn term(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        self.linear(terms, t).unwrap_or_else(|| self.opaque(terms, t))
    }

    /// The linear meaning of a term whose children are done.
    fn linear(&mut self, terms: &mut Terms, t: TermId) -> Option<TermId> {
        let is_number = |terms: &Terms, t: TermId| matches!(terms.sort(t), Sort::BitVec(_) | Sort::Bool);
        if !is_number(terms, t) {
            return None;
        }
        let get = |this: &Self, t: TermId| this.done.get(&t).copied();
        Some(match terms.node(t) {
            Node::Bool(_) => t,
            Node::Bv { width, value } => self.constant(terms, width, value)?,
            Node::Un(UnOp::Not, a) => {
                let a = get(self, a)?;
                terms.not(a)
            }
            Node::Un(UnOp::BvNeg, a) => {
                let a = get(self, a)?;
                terms.int_neg(a)
            }
            // -x - 1.
            Node::Un(UnOp::BvNot, a) if self.reading == Reading::Signed => {
                let (negated, minus) = (get(self, a)?, terms.int(-1));
                let negated = terms.int_neg(negated);
                terms.int_add(negated, minus)
            }
            Node::Un(UnOp::ZeroExt(_) | UnOp::SignExt(_) | UnOp::Extract { lo: 0, .. }, a) => get(self, a)?,
            Node::Bin(BinOp::And, a, b) => {
                let (a, b) = (get(self, a)?, get(self, b)?);
                terms.and(a, b)
            }
            Node::Bin(BinOp::Eq, a, b) if is_number(terms, a) => {
                let (a, b) = (get(self, a)?, get(self, b)?);
                terms.eq(a, b)
            }
            Node::Bin(BinOp::BvUlt | BinOp::BvSlt, a, b) => {
                let (a, b) = (get(self, a)?, get(self, b)?);
                terms.int_lt(a, b)
            }
            Node::Bin(BinOp::BvAdd, a, b) => {
                let left = get(self, a)?;
                let right = match self.offset(terms, b) {
                    Some(number) => terms.int(number),
                    None => get(self, b)?,
                };
                terms.int_add(left, right)
            }
            Node::Bin(BinOp::BvSub, a, b) => {
                let (a, b) = (get(self, a)?, get(self, b)?);
                let b = terms.int_neg(b);
                terms.int_add(a, b)
            }
            Node::Bin(BinOp::BvMul, a, b) => {
                let factor = self.offset(terms, b)?;
                let (a, factor) = (get(self, a)?, terms.int(factor));
                terms.int_mul(a, factor)
            }
            // A shift to the left by a constant.
            Node::Bin(BinOp::Concat, a, b) if terms.as_bv_const(b) == Some(0) && terms.width(b) < 62 => {
                let (a, factor) = (get(self, a)?, terms.int(1 << terms.width(b)));
                terms.int_mul(a, factor)
            }
            Node::Bin(op @ (BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem), a, b) => {
                self.divided(terms, t, (op, a, b))?
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (get(self, c)?, get(self, a)?, get(self, b)?);
                terms.ite(c, a, b)
            }
            _ => return None,
        })
    }

    /// Quotient or rest of a division by a positive number: with a variable for the other one, and what both satisfy.
    fn divided(&mut self, terms: &mut Terms, t: TermId, (op, a, b): (BinOp, TermId, TermId)) -> Option<TermId> {
        let divisor = self.offset(terms, b).filter(|&d| d > 0)?;
        let a = self.done.get(&a).copied()?;
        let quotient = terms.fresh_var("quotient", Sort::Int);
        let rest = self.opaque(terms, t);
        let (zero, divisor) = (terms.int(0), terms.int(divisor));
        let (result, other) = match op {
            BinOp::BvUdiv | BinOp::BvSdiv => (rest, quotient),
            _ => (quotient, rest),
        };
        // a = divisor * result + other, 0 <= other < divisor.
        let product = terms.int_mul(result, divisor);
        let sum = terms.int_add(product, other);
        let (exact, low, high) = (terms.eq(a, sum), terms.int_le(zero, other), terms.int_lt(other, divisor));
        self.side.extend([exact, low, high]);
        Some(rest)
    }

    /// A formula over integers as one over bit-vectors; `None` if it can't be read back.
    fn back(&self, terms: &mut Terms, root: TermId) -> Option<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in subterms(terms, &[root]) {
            if terms.sort(t) != Sort::Bool {
                continue;
            }
            let new = match terms.node(t) {
                Node::Bool(_) => t,
                Node::Var { .. } => *self.originals.get(&t)?,
                Node::Un(UnOp::Not, a) => terms.not(*done.get(&a)?),
                Node::Bin(BinOp::And, a, b) => terms.and(*done.get(&a)?, *done.get(&b)?),
                Node::Bin(BinOp::Eq, a, b) if terms.sort(a) == Sort::Bool => terms.iff(*done.get(&a)?, *done.get(&b)?),
                Node::Ite(c, a, b) => terms.ite(*done.get(&c)?, *done.get(&a)?, *done.get(&b)?),
                Node::Bin(op @ (BinOp::Eq | BinOp::IntLt | BinOp::IntLe), a, b) => self.comparison(terms, op, a, b)?,
                _ => return None,
            };
            done.insert(t, new);
        }
        done.get(&root).copied()
    }

    /// `a - b` as a sum of multiples of variables, and a constant.
    fn sum(&self, terms: &Terms, a: TermId, b: TermId) -> Option<(BTreeMap<TermId, i128>, i128)> {
        let mut factors: BTreeMap<TermId, i128> = BTreeMap::new();
        let mut constant = 0i128;
        let mut stack = vec![(a, 1i128), (b, -1)];
        while let Some((t, factor)) = stack.pop() {
            match terms.node(t) {
                Node::Int(value) => constant = constant.checked_add(value.checked_mul(factor)?)?,
                Node::Var { .. } => {
                    let entry = factors.entry(t).or_insert(0);
                    *entry = entry.checked_add(factor)?;
                }
                Node::Un(UnOp::IntNeg, x) => stack.push((x, factor.checked_neg()?)),
                Node::Bin(BinOp::IntAdd, x, y) => stack.extend([(x, factor), (y, factor)]),
                Node::Bin(BinOp::IntMul, x, y) => {
                    let number = terms.as_int_const(y)?;
                    stack.push((x, factor.checked_mul(number)?));
                }
                _ => return None,
            }
            if stack.len() > 10_000 {
                return None;
            }
        }
        factors.retain(|_, factor| *factor != 0);
        Some((factors, constant))
    }

    fn comparison(&self, terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let (mut factors, mut constant) = self.sum(terms, a, b)?;
        // Integers: `<` as `<=`, and then without common divisors.
        let equal = op == BinOp::Eq;
        if op == BinOp::IntLt {
            constant = constant.checked_add(1)?;
        }
        let common = factors.values().fold(0, |acc, &factor| gcd(acc, factor.unsigned_abs()));
        let common = i128::try_from(common).ok()?;
        if common > 1 {
            if equal && constant % common != 0 {
                return Some(terms.fals());
            }
            factors.values_mut().for_each(|factor| *factor /= common);
            // sum + constant <= 0: the constant is rounded up.
            constant = -(-constant).div_euclid(common);
        }
        if factors.is_empty() {
            return Some(terms.bool_const(if equal { constant == 0 } else { constant <= 0 }));
        }
        let mut width = 1;
        for var in factors.keys() {
            width = width.max(terms.width(*self.originals.get(var)?));
        }
        let mut sides = [None, None];
        for (var, &factor) in &factors {
            let original = *self.originals.get(var)?;
            let wide = match self.reading {
                Reading::Signed => terms.sign_resize(width, original),
                Reading::Unsigned => terms.zero_resize(width, original),
            };
            let magnitude = terms.bv(width, factor.unsigned_abs());
            let part = terms.bv_mul(wide, magnitude);
            let side = &mut sides[usize::from(factor < 0)];
            *side = Some(match *side {
                None => part,
                Some(sum) => terms.bv_add(sum, part),
            });
        }
        // positive + constant <= negative, with the constant where it is not alone with a minus.
        let limit = 1i128.checked_shl(width.min(100))?;
        if constant.abs() >= limit {
            return None;
        }
        let [positive, negative] = sides;
        let (left, right) = match (positive, negative) {
            (Some(positive), None) => (positive, terms.bv_signed(width, -constant)),
            (None, Some(negative)) => (terms.bv_signed(width, constant), negative),
            (Some(positive), Some(negative)) if constant >= 0 => {
                let constant = terms.bv_signed(width, constant);
                (terms.bv_add(positive, constant), negative)
            }
            (Some(positive), Some(negative)) => {
                let constant = terms.bv_signed(width, -constant);
                (positive, terms.bv_add(negative, constant))
            }
            (None, None) => return None,
        };
        Some(match (equal, self.reading) {
            (true, _) => terms.eq(left, right),
            (false, Reading::Signed) => terms.sle(left, right),
            (false, Reading::Unsigned) => terms.ule(left, right),
        })
    }
}
