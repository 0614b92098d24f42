//! The contract of backends, as tests; each runs [`run`] in its tests.
//!
//! The functions panic when the backend is wrong, because they are tests.

use crate::eval::Evaluator;
use crate::random::{Choices, RandomTerms, Theory};
use crate::solver::{SatResult, Solver, UnknownReason};
use crate::sort::{ElemSort, FloatSort, Sort};
use crate::term::{BinOp, Round, TermId, Terms, UnOp};
use crate::value::Value;
use base::{Budget, Effort, Stop};
use std::time::{Duration, Instant};

/// Makes a solver.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// The whole suite.
pub fn run(make: Make<'_>) {
    each_theory(make);
    trivial_queries(make);
    assumptions_and_cores(make);
    scopes(make);
    limits(make);
    for (theory, seeds) in
        [(Theory::Narrow, 60), (Theory::BitVectors, 25), (Theory::Arrays, 25), (Theory::CheapFloats, 12)]
    {
        for seed in 0..seeds {
            models_satisfy(make, theory, seed);
            constructors_mean_what_the_solver_means(make, theory, seed);
        }
    }
    for seed in 0..150 {
        operators_fold_as_the_solver_computes(make, seed);
    }
}

#[track_caller]
fn expect(solver: &mut dyn Solver, terms: &Terms, assumptions: &[TermId], expected: SatResult) {
    match solver.check(terms, assumptions) {
        Ok(result) => assert_eq!(result, expected),
        Err(error) => panic!("{error}"),
    }
}

#[track_caller]
fn assert(solver: &mut dyn Solver, terms: &Terms, formula: TermId) {
    if let Err(error) = solver.assert(terms, formula) {
        panic!("{error}");
    }
}

/// Checks one formula; a model must satisfy it.
#[track_caller]
fn check(make: Make<'_>, expected: SatResult, build: impl FnOnce(&mut Terms) -> TermId) {
    let mut terms = Terms::new();
    let formula = build(&mut terms);
    let mut solver = make();
    assert(&mut *solver, &terms, formula);
    expect(&mut *solver, &terms, &[], expected.clone());
    if expected == SatResult::Sat {
        match solver.model(&terms) {
            Ok(model) => assert!(model.satisfies(&terms, formula), "the model satisfies the formula"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A satisfiable and an unsatisfiable formula of each theory.
pub fn each_theory(make: Make<'_>) {
    use SatResult::{Sat, Unsat};
    // x * x = 1 + 2 * y has solutions in 8 bits, x * x = 2 mod 4 has none.
    check(make, Sat, |t| {
        let (x, y) = (t.var("x", Sort::BitVec(8)), t.var("y", Sort::BitVec(8)));
        let (square, one) = (t.bv_mul(x, x), t.bv(8, 1));
        let (twice, hundred) = (t.bv_add(y, y), t.bv(8, 100));
        let sum = t.bv_add(twice, one);
        let (eq, big) = (t.eq(square, sum), t.ugt(x, hundred));
        t.and(eq, big)
    });
    check(make, Unsat, |t| {
        let x = t.var("x", Sort::BitVec(8));
        let square = t.bv_mul(x, x);
        let low = t.extract(1, 0, square);
        let two = t.bv(2, 2);
        t.eq(low, two)
    });
    // A store at i is read at j only if i = j.
    for (same, expected) in [(true, Unsat), (false, Sat)] {
        check(make, expected, |t| {
            let m = t.var("m", Sort::bv_array(32, 8));
            let (i, j, v) = (t.var("i", Sort::BitVec(32)), t.var("j", Sort::BitVec(32)), t.var("v", Sort::BitVec(8)));
            let stored = t.store(m, i, v);
            let read = t.select(stored, j);
            let differs = t.ne(read, v);
            let indices = if same { t.eq(i, j) } else { t.ne(i, j) };
            t.and(differs, indices)
        });
    }
    check(make, Sat, |t| {
        // Arrays of Bools and equality of arrays.
        let sort = Sort::Array { index: 4, elem: ElemSort::Bool };
        let (a, b, i) = (t.var("a", sort), t.var("b", sort), t.var("i", Sort::BitVec(4)));
        let differ = t.ne(a, b);
        let (at_a, at_b) = (t.select(a, i), t.select(b, i));
        let same = t.eq(at_a, at_b);
        t.and(differ, same)
    });
    // x + 1 = x for a finite float of 16 bits; never for NaN by ==.
    check(make, Sat, |t| {
        let x = t.var("x", Sort::Float(FloatSort::F16));
        let one = t.fp_const(0x3c00, FloatSort::F16);
        let sum = t.fp_add(x, one);
        let (eq, finite) = (t.fp_eq(sum, x), t.fp_is_finite(x));
        t.and(eq, finite)
    });
    check(make, Unsat, |t| {
        let x = t.var("x", Sort::Float(FloatSort::F64));
        let nan = t.fp_is_nan(x);
        let eq = t.raw_bin(BinOp::FpEq, x, x);
        t.and(nan, eq)
    });
    check(make, Sat, |t| {
        let x = t.var("x", Sort::Float(FloatSort::X87));
        let y = t.fp_to_fp(FloatSort::F64, x);
        let z = t.fp_to_fp(FloatSort::X87, y);
        let differ = t.fp_lt(x, z);
        let bits = t.fp_to_x87_bits(x);
        let top = t.extract(63, 63, bits);
        let one = t.bv(1, 1);
        let normal = t.eq(top, one);
        t.and(differ, normal)
    });
    for (constant, expected) in [(7, Unsat), (8, Sat)] {
        check(make, expected, |t| {
            let x = t.var("x", Sort::Int);
            let (two, c) = (t.int(2), t.int(constant));
            let twice = t.int_mul(x, two);
            t.eq(twice, c)
        });
    }
}

/// Queries that need no solving.
pub fn trivial_queries(make: Make<'_>) {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::BitVec(8));
    let mut solver = make();
    expect(&mut *solver, &terms, &[], SatResult::Sat);
    let model = solver.model(&terms).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.value(&terms, x), Value::Bv { width: 8, value: 0 }, "a model is complete");
    assert!(solver.unsat_core(&terms).is_err(), "no core without an unsatisfiable query");
    expect(&mut *solver, &terms, &[terms.fals()], SatResult::Unsat);
    assert!(solver.model(&terms).is_err(), "no model of an unsatisfiable query");
    assert!(solver.pop().is_err(), "no scope is open");
}

/// Assumptions hold for one query; cores are unsatisfiable subsets.
pub fn assumptions_and_cores(make: Make<'_>) {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (x, y) = (t.var("x", Sort::BitVec(32)), t.var("y", Sort::BitVec(32)));
    let p = t.var("p", Sort::Bool);
    let (ten, twenty) = (t.bv(32, 10), t.bv(32, 20));
    let (x_small, x_big) = (t.ult(x, ten), t.ugt(x, twenty));
    let y_small = t.ult(y, ten);
    let not_p = t.not(p);
    let mut solver = make();
    let x_is_y = t.eq(x, y);
    let p_implies = t.implies(p, x_is_y);
    assert(&mut *solver, &terms, p_implies);
    expect(&mut *solver, &terms, &[x_small, y_small, p], SatResult::Sat);
    expect(&mut *solver, &terms, &[y_small, x_small, not_p, x_big], SatResult::Unsat);
    let core = solver.unsat_core(&terms).unwrap_or_else(|error| panic!("{error}"));
    assert!(core.contains(&x_small) && core.contains(&x_big), "{core:?}");
    assert!(core.len() < 4, "not all assumptions are needed: {core:?}");
    let mut sorted = core.clone();
    sorted.sort_by_key(|t| [y_small, x_small, not_p, x_big].iter().position(|u| u == t));
    assert_eq!(core, sorted, "in the order of the assumptions");
    expect(&mut *solver, &terms, &core, SatResult::Unsat);
    expect(&mut *solver, &terms, &[x_big, y_small], SatResult::Sat);
    expect(&mut *solver, &terms, &[x_big, y_small, p], SatResult::Unsat);
    let core = solver.unsat_core(&terms).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(core, [x_big, y_small, p]);
}

/// Scopes open and close; a new theory may come later.
pub fn scopes(make: Make<'_>) {
    let mut terms = Terms::new();
    let t = &mut terms;
    let x = t.var("x", Sort::BitVec(16));
    let (ten, twenty) = (t.bv(16, 10), t.bv(16, 20));
    let (small, big) = (t.ult(x, ten), t.ugt(x, twenty));
    let m = t.var("m", Sort::bv_array(16, 16));
    let next = t.bv_add_const(x, 1);
    let at = t.select(m, next);
    let read = t.ult(at, x);
    let zero = t.bv(16, 0);
    let x_zero = t.eq(x, zero);
    let mut solver = make();
    let step = |result: Result<(), crate::SmtError>| result.unwrap_or_else(|error| panic!("{error}"));
    step(solver.push());
    assert(&mut *solver, &terms, small);
    expect(&mut *solver, &terms, &[], SatResult::Sat);
    step(solver.push());
    assert(&mut *solver, &terms, big);
    expect(&mut *solver, &terms, &[], SatResult::Unsat);
    step(solver.pop());
    expect(&mut *solver, &terms, &[], SatResult::Sat);
    expect(&mut *solver, &terms, &[big], SatResult::Unsat);
    step(solver.push());
    step(solver.push());
    assert(&mut *solver, &terms, read);
    expect(&mut *solver, &terms, &[], SatResult::Sat);
    expect(&mut *solver, &terms, &[x_zero], SatResult::Unsat);
    let model = match solver.check(&terms, &[]) {
        Ok(SatResult::Sat) => solver.model(&terms),
        other => panic!("{other:?}"),
    };
    let model = model.unwrap_or_else(|error| panic!("{error}"));
    assert!(model.satisfies(&terms, read) && model.satisfies(&terms, small));
    step(solver.pop());
    step(solver.pop());
    step(solver.pop());
    assert(&mut *solver, &terms, big);
    expect(&mut *solver, &terms, &[], SatResult::Sat);
}

/// A formula that no solver decides quickly: two factors of a product of large primes.
fn hard(t: &mut Terms) -> TermId {
    let width = 112;
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let product = t.bv_mul(x, y);
    // (2^55 - 55) * (2^54 - 33), both prime.
    let number = t.bv(width, ((1 << 55) - 55) * ((1 << 54) - 33));
    let one = t.bv(width, 1);
    let limit = t.bv(width, 1 << 56);
    let parts = [t.eq(product, number), t.ugt(x, one), t.ugt(y, one), t.ult(x, limit), t.ult(y, limit), t.ule(x, y)];
    t.and_all(&parts)
}

/// Limits end queries with `Unknown`, from this thread and from another one.
pub fn limits(make: Make<'_>) {
    let mut terms = Terms::new();
    let formula = hard(&mut terms);
    let easy = terms.var("easy", Sort::Bool);
    let run = |prepare: &dyn Fn(&mut dyn Solver), expected: UnknownReason| {
        let mut solver = make();
        prepare(&mut *solver);
        assert(&mut *solver, &terms, formula);
        let start = Instant::now();
        expect(&mut *solver, &terms, &[], SatResult::Unknown(expected));
        assert!(start.elapsed() < Duration::from_secs(10), "stopped after {:?}", start.elapsed());
        solver
    };
    let short = Effort::thousands(200);
    let mut solver = run(&|solver| solver.set_query_limit(Some(short)), UnknownReason::QueryLimit);
    assert!(solver.model(&terms).is_err(), "no model of an unknown query");
    // The solver can be used on.
    expect(&mut *solver, &terms, &[terms.fals()], SatResult::Unsat);
    let part = Budget::unlimited().within(short);
    run(&|solver| solver.set_budget(&part), UnknownReason::Stopped(Stop::Timeout));
    let stopped = Budget::unlimited();
    stopped.stop(Stop::Memory);
    run(&|solver| solver.set_budget(&stopped), UnknownReason::Stopped(Stop::Memory));
    for delay in [1, 20, 300] {
        let budget = Budget::unlimited();
        let other = budget.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(delay));
            other.stop(Stop::Interrupted);
        });
        run(&|solver| solver.set_budget(&budget), UnknownReason::Stopped(Stop::Interrupted));
        assert!(thread.join().is_ok());
    }
    // A later query after an interrupted one.
    let mut solver = make();
    solver.set_query_limit(Some(short));
    expect(&mut *solver, &terms, &[easy], SatResult::Sat);
    expect(&mut *solver, &terms, &[formula], SatResult::Unknown(UnknownReason::QueryLimit));
    expect(&mut *solver, &terms, &[easy], SatResult::Sat);
    let not_easy = terms.not(easy);
    assert(&mut *solver, &terms, not_easy);
    expect(&mut *solver, &terms, &[easy], SatResult::Unsat);
}

fn random_terms(theory: Theory, seed: u64) -> (RandomTerms, Choices) {
    let mut choices = Choices::from_seed(seed ^ 0x5eed);
    let mut random = RandomTerms::new(theory, &mut choices);
    for _ in 0..40 {
        random.grow(&mut choices);
    }
    (random, choices)
}

/// Conjunctions of random formulas: models satisfy them, and what has a model is not unsatisfiable.
pub fn models_satisfy(make: Make<'_>, theory: Theory, seed: u64) {
    let (random, mut choices) = random_terms(theory, seed);
    let terms = &random.terms;
    let formulas: Vec<TermId> = (0..3).map(|_| random.pick(Sort::Bool, &mut choices).raw).collect();
    let mut solver = make();
    solver.set_query_limit(Some(Effort::thousands(5_000)));
    for &formula in &formulas {
        assert(&mut *solver, terms, formula);
    }
    match solver.check(terms, &[]) {
        Ok(SatResult::Sat) => {
            let model = solver.model(terms).unwrap_or_else(|error| panic!("{error}"));
            for &formula in &formulas {
                let script = || crate::smtlib::script(terms, &formulas);
                assert!(model.satisfies(terms, formula), "seed {seed} of {theory:?}:\n{model:?}\n{}", script());
            }
        }
        Ok(SatResult::Unsat) => {
            for _ in 0..50 {
                let assignment = random.assignment(&mut choices);
                let mut evaluator = Evaluator::new(terms, &assignment);
                let all = formulas.iter().all(|&formula| evaluator.satisfies(formula));
                assert!(!all, "seed {seed} of {theory:?}: {assignment:?} is a model");
            }
        }
        Ok(SatResult::Unknown(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// A term and its simplification differ under no assignment.
pub fn constructors_mean_what_the_solver_means(make: Make<'_>, theory: Theory, seed: u64) {
    let (mut random, mut choices) = random_terms(theory, seed);
    let pairs: Vec<_> = random.pairs().filter(|pair| pair.raw != pair.simple).collect();
    let mut solver = make();
    solver.set_query_limit(Some(Effort::thousands(3_000)));
    for _ in 0..6 {
        if pairs.is_empty() {
            return;
        }
        let pair = pairs[choices.below(pairs.len())];
        let equal = random.terms.raw_bin(BinOp::Eq, pair.raw, pair.simple);
        let differ = random.terms.raw_un(UnOp::Not, equal);
        let terms = &random.terms;
        let result = solver.check(terms, &[differ]).unwrap_or_else(|error| panic!("{error}"));
        let script = || crate::smtlib::script(terms, &[differ]);
        assert_ne!(result, SatResult::Sat, "seed {seed} of {theory:?}:\n{}", script());
    }
}

/// Each operator on constants has the value that the solver computes.
pub fn operators_fold_as_the_solver_computes(make: Make<'_>, seed: u64) {
    let mut choices = Choices::from_seed(seed ^ 0xf01d);
    let mut terms = Terms::new();
    let mut formulas = Vec::new();
    let formats = [FloatSort::F16, FloatSort::F32, FloatSort::F64, FloatSort::X87, FloatSort::F128];
    let widths = [1, 7, 8, 32, 64, 128];
    let rounds = [Round::NearestEven, Round::NearestAway, Round::ToZero, Round::Up, Round::Down];
    let format = formats[choices.below(formats.len())];
    let other = formats[choices.below(formats.len())];
    let width = widths[choices.below(widths.len())];
    let integer = widths[choices.below(widths.len())] as u8;
    let round = rounds[choices.below(rounds.len())];
    {
        use BinOp::*;
        let (a, b) = (choices.value(Sort::BitVec(width)), choices.value(Sort::BitVec(width)));
        let (x, y) = (choices.value(Sort::Float(format)), choices.value(Sort::Float(format)));
        let bits = choices.value(Sort::BitVec(format.width()));
        for op in [
            BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr, BvUlt,
            BvUle, BvSlt, BvSle, Eq,
        ] {
            formulas.push(folded_bin(&mut terms, op, &a, &b));
        }
        for op in [FpAdd, FpSub, FpMul, FpDiv, FpEq, FpLt, FpLe, Eq] {
            formulas.push(folded_bin(&mut terms, op, &x, &y));
        }
        for op in [UnOp::BvNot, UnOp::BvNeg, UnOp::FpFromSbv(format), UnOp::FpFromUbv(format)] {
            formulas.push(folded_un(&mut terms, op, &a));
        }
        for op in [
            UnOp::FpNeg,
            UnOp::FpAbs,
            UnOp::FpSqrt,
            UnOp::FpIsNan,
            UnOp::FpIsInf,
            UnOp::FpIsZero,
            UnOp::FpIsNegative,
            UnOp::FpRoundToIntegral(round),
            UnOp::FpToFp(other),
            UnOp::FpToSbv(integer),
            UnOp::FpToUbv(integer),
            UnOp::FpToBits,
        ] {
            formulas.push(folded_un(&mut terms, op, &x));
        }
        formulas.push(folded_un(&mut terms, UnOp::FpFromBits(format), &bits));
    }
    let mut solver = make();
    for (what, formula) in formulas {
        let result = solver.check(&terms, &[formula]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(result, SatResult::Unsat, "seed {seed}: {what}");
    }
}

/// That the operator's value on a constant is not the folded one.
fn folded_un(terms: &mut Terms, op: UnOp, a: &Value) -> (String, TermId) {
    let term = terms.value_term(a);
    let (raw, folded) = (terms.raw_un(op, term), terms.un(op, term));
    assert!(terms.is_const(folded), "{op:?} is folded");
    let value = terms.const_value(folded);
    (format!("{op:?} {a:?} = {value:?}"), differ(terms, raw, folded))
}

/// That the operator's value on two constants is not the folded one.
fn folded_bin(terms: &mut Terms, op: BinOp, a: &Value, b: &Value) -> (String, TermId) {
    let (x, y) = (terms.value_term(a), terms.value_term(b));
    let (raw, folded) = (terms.raw_bin(op, x, y), terms.bin(op, x, y));
    assert!(terms.is_const(folded), "{op:?} is folded");
    let value = terms.const_value(folded);
    (format!("{op:?} {a:?} {b:?} = {value:?}"), differ(terms, raw, folded))
}

fn differ(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let equal = terms.raw_bin(BinOp::Eq, a, b);
    terms.raw_un(UnOp::Not, equal)
}
