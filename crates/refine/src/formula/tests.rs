//! Every engine on paths by hand and at random; the checker on tampered sequences; the predicates that examples need.

use super::atoms::{AtomLimits, atoms_of_all};
use super::binary::Binary;
use super::chain::{Chain, ChainError};
use super::check::{SequenceError, check_sequence};
use super::horn::{SequenceHorn, solve_checked};
use super::linear::LinearGuess;
use super::newton::{Core, Live, Newton, NewtonOptions};
use super::samples::random::random_path;
use super::samples::{Path, SAMPLES};
use super::*;
use base::Stop;
use smt::horn::{HornApp, HornClause, HornPredicate, HornSystem};
use smt::random::Choices;
use smt::smtlib::term_to_string;
use smt::{Sort, Substitution};
use smt_z3::Z3Backend;
use std::collections::BTreeSet;

fn context(budget: &Budget) -> EngineContext<'_> {
    EngineContext {
        backend: &Z3Backend,
        budget,
        query_limit: Effort::thousands(3_000),
        engine_limit: Effort::thousands(9_000),
    }
}

fn newton(direction: Direction, core: Core, live: Live) -> Box<dyn SequenceEngine> {
    Box::new(Newton::new(NewtonOptions { direction, core, live }))
}

fn engines() -> Vec<Box<dyn SequenceEngine>> {
    vec![
        Box::new(Binary::new(Direction::Forward)),
        Box::new(Binary::new(Direction::Backward)),
        newton(Direction::Forward, Core::Conjuncts, Live::On),
        newton(Direction::Backward, Core::Conjuncts, Live::On),
        newton(Direction::Forward, Core::Statements, Live::Off),
        newton(Direction::Backward, Core::Off, Live::On),
        Box::new(SequenceHorn),
        Box::new(LinearGuess),
    ]
}

fn sample(terms: &mut Terms, name: &str) -> Trace {
    let Some((_, build)) = SAMPLES.iter().find(|(other, _)| *other == name) else { panic!("no sample {name}") };
    let mut path = Path::new(terms);
    build(&mut path);
    path.finish()
}

fn is_infeasible(terms: &Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Option<bool> {
    let mut solver = ctx.solver();
    for &t in trace.steps.iter().flat_map(|s| &s.conjuncts) {
        solver.assert(terms, t).ok()?;
    }
    is_unsat(&mut *solver, terms, &[]).ok()
}

/// At least so many of the samples, by engine: floats and bits are hard for some.
#[test]
fn samples_are_refuted() {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let least = [15, 15, 13, 15, 13, 12, 13, 9];
    for (mut engine, least) in engines().into_iter().zip(least) {
        let mut correct = 0;
        for (name, _) in SAMPLES {
            let mut terms = Terms::new();
            let trace = sample(&mut terms, name);
            if let Ok(itps) = engine.interpolate(&mut terms, &trace, &ctx)
                && check_sequence(&mut terms, &trace, &itps, &ctx).is_ok()
            {
                correct += 1;
            }
        }
        assert!(correct >= least, "{}: {correct} of at least {least}", engine.name());
    }
}

/// Feasible paths have no sequence; engines may say so or fail, but the check rejects whatever they claim.
#[test]
fn random_paths_are_refuted_if_and_only_if_they_are_infeasible() {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let mut engines = engines();
    let (mut infeasible, mut feasible) = (0, 0);
    let mut correct = vec![0; engines.len()];
    for seed in 0..60 {
        for width in [4, 32] {
            let mut terms = Terms::new();
            let trace = random_path(&mut terms, &mut Choices::from_seed(seed), width);
            let Some(refutable) = is_infeasible(&terms, &trace, &ctx) else { continue };
            if refutable {
                infeasible += 1;
            } else {
                feasible += 1;
                if feasible > 12 {
                    continue;
                }
            }
            for (engine, correct) in engines.iter_mut().zip(&mut correct) {
                let Ok(itps) = engine.interpolate(&mut terms, &trace, &ctx) else { continue };
                let checked = check_sequence(&mut terms, &trace, &itps, &ctx);
                assert!(refutable || checked.is_err(), "{} refutes seed {seed}, width {width}", engine.name());
                *correct += usize::from(checked.is_ok());
            }
        }
    }
    assert!(infeasible >= 20 && feasible >= 20, "{infeasible} and {feasible}");
    // Binary and Newton nearly always, linear integers about half of the time.
    let least = [98, 98, 85, 95, 90, 85, 90, 40];
    for ((engine, correct), least) in engines.iter().zip(correct).zip(least) {
        assert!(correct * 100 >= infeasible * least, "{}: {correct} of {infeasible}", engine.name());
    }
}

#[test]
fn tampered_sequences_are_rejected() {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let mut terms = Terms::new();
    let trace = sample(&mut terms, "even");
    let Ok(itps) = Binary::new(Direction::Forward).interpolate(&mut terms, &trace, &ctx) else { panic!() };
    assert_eq!(check_sequence(&mut terms, &trace, &itps, &ctx), Ok(()));
    assert_eq!(check_sequence(&mut terms, &trace, &itps[1..], &ctx), Err(SequenceError::Length));
    assert_eq!(check_sequence(&mut terms, &trace, &[], &ctx), Err(SequenceError::Length));
    let (tru, fals) = (terms.tru(), terms.fals());
    for cut in 0..itps.len() {
        let mut with = |new: TermId| {
            let mut tampered = itps.clone();
            tampered[cut] = new;
            check_sequence(&mut terms, &trace, &tampered, &ctx)
        };
        // Too weak for what follows, and too strong for what comes before.
        assert_eq!(with(tru), Err(SequenceError::NotInductive(cut + 1)));
        assert_eq!(with(fals), Err(SequenceError::NotInductive(cut)));
        if cut > 0 {
            assert_eq!(with(itps[cut - 1]), Err(SequenceError::Vocabulary(cut)));
        }
        let negated = terms.not(itps[cut]);
        let mut tampered = itps.clone();
        tampered[cut] = negated;
        assert_eq!(check_sequence(&mut terms, &trace, &tampered, &ctx), Err(SequenceError::NotInductive(cut)));
        let foreign = terms.var("foreign", Sort::Bool);
        tampered[cut] = terms.or(itps[cut], foreign);
        assert_eq!(check_sequence(&mut terms, &trace, &tampered, &ctx), Err(SequenceError::Vocabulary(cut)));
        tampered[cut] = terms.bv(8, 1);
        assert_eq!(check_sequence(&mut terms, &trace, &tampered, &ctx), Err(SequenceError::NoFormula(cut)));
    }
    let mut broken = trace.clone();
    broken.interface.pop();
    assert_eq!(check_sequence(&mut terms, &broken, &itps, &ctx), Err(SequenceError::Length));
    for mut engine in engines() {
        assert!(engine.interpolate(&mut terms, &broken, &ctx).is_err(), "{}", engine.name());
    }
    // The check itself obeys the run's limits.
    budget.stop(Stop::Timeout);
    assert!(matches!(check_sequence(&mut terms, &trace, &itps, &ctx), Err(SequenceError::Undecided(..))));
}

/// The atoms of an engine's sequence, with the versions of variables removed.
fn predicates(name: &str, engine: &mut dyn SequenceEngine) -> BTreeSet<String> {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let mut terms = Terms::new();
    let trace = sample(&mut terms, name);
    let itps = match engine.interpolate(&mut terms, &trace, &ctx) {
        Ok(itps) => itps,
        Err(error) => panic!("{name}: {error}"),
    };
    assert_eq!(check_sequence(&mut terms, &trace, &itps, &ctx), Ok(()), "{name}");
    let vars: Vec<TermId> = trace.interface.iter().flatten().copied().collect();
    let plain: Vec<(TermId, TermId)> = vars
        .into_iter()
        .map(|var| {
            let name = terms.var_name(var).unwrap_or_default();
            let base = name.split('@').next().unwrap_or_default().to_owned();
            (var, terms.var(&base, terms.sort(var)))
        })
        .collect();
    let mut substitution = Substitution::new(plain);
    let itps: Vec<TermId> = itps.into_iter().map(|itp| substitution.apply(&mut terms, itp)).collect();
    let atoms = atoms_of_all(&mut terms, &itps, AtomLimits::default());
    atoms.into_iter().map(|t| term_to_string(&terms, t)).collect()
}

#[track_caller]
fn expect(name: &str, engine: &mut dyn SequenceEngine, expected: &[&str]) {
    let found = predicates(name, engine);
    for expected in expected {
        assert!(found.contains(*expected), "{expected} in {found:#?}");
    }
}

#[test]
fn examples_give_the_predicates_that_prove_them() {
    // The parity of x is what the loop x += 2 keeps.
    expect("even", &mut SequenceHorn, &["(= ((_ extract 0 0) |x|) #b1)"]);
    let backward = &mut Binary::new(Direction::Backward);
    expect("equal counters", backward, &["(= |x| |y|)"]);
    expect("equal counters", &mut Binary::new(Direction::Forward), &["(= |x| |y|)"]);
    expect("counter", backward, &["(bvslt |i| |n|)"]);
    expect("lock", backward, &["(= |a| #x00000000)"]);
    expect("state machine", backward, &["(bvslt |blast| #x00000002)"]);
    expect("array", &mut SequenceHorn, &["(= (select |m| |i|) #x07)"]);
    expect("up and down", &mut Binary::new(Direction::Forward), &["(= |n| (bvadd |x| |y|))"]);
    expect("relation", &mut Binary::new(Direction::Forward), &["(bvslt |a| |c|)"]);
    expect("flags", backward, &["(= ((_ extract 2 2) |word|) #b1)"]);
    for core in [Core::Conjuncts, Core::Statements] {
        let mut newton = newton(Direction::Backward, core, Live::On);
        expect("irrelevant work", &mut *newton, &["(= |ok| #x00000000)"]);
        expect("equal counters", &mut *newton, &["(= |x| |y|)"]);
        // Nothing but what matters.
        assert_eq!(predicates("irrelevant work", &mut *newton).len(), 1);
    }
}

#[test]
fn chains_go_on_until_something_is_new() {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let mut terms = Terms::new();
    let trace = sample(&mut terms, "even");
    let mut chain = Chain::new(engines());
    let Ok(first) = chain.refute(&mut terms, &trace, &ctx, |_, _| true) else { panic!() };
    assert_eq!(first.engine, "fw-bin");
    let known = first.itps.clone();
    let Ok(second) = chain.refute(&mut terms, &trace, &ctx, |_, itps| itps != known) else { panic!() };
    assert_eq!(second.engine, "bw-bin");
    match chain.refute(&mut terms, &trace, &ctx, |_, _| false) {
        Err(ChainError::Exhausted(attempts)) => assert_eq!(attempts.len(), engines().len()),
        other => panic!("{other:?}"),
    }
    let counts: Vec<_> = chain.statistics().take(2).collect();
    assert_eq!((counts[0].1.asked, counts[0].1.accepted, counts[0].1.no_progress), (3, 1, 2));
    // Without its end, the path is feasible.
    let mut feasible = trace.clone();
    feasible.steps.pop();
    feasible.interface.pop();
    assert!(matches!(chain.refute(&mut terms, &feasible, &ctx, |_, _| true), Err(ChainError::Feasible)));
    budget.stop(Stop::Timeout);
    assert!(matches!(chain.refute(&mut terms, &trace, &ctx, |_, _| true), Err(ChainError::Stopped(_))));
}

/// A call tree: the callee's summary is `result = argument + 1`; the caller calls it twice.
#[test]
fn trees_of_clauses_are_solved_and_checked() {
    let budget = Budget::unlimited();
    let ctx = context(&budget);
    let mut terms = Terms::new();
    let sort = Sort::Int;
    let [x, y, z, one, two] = {
        let vars = ["x", "y", "z"].map(|name| terms.var(name, sort));
        [vars[0], vars[1], vars[2], terms.int(1), terms.int(2)]
    };
    let (next, after) = (terms.int_add(x, one), terms.int_add(x, two));
    let (body, wrong) = (terms.eq(y, next), terms.ne(z, after));
    let app = |predicate, args: [TermId; 2]| HornApp { predicate, args: args.to_vec() };
    let predicate = HornPredicate { params: vec![x, y] };
    let system = HornSystem {
        predicates: vec![predicate.clone(), predicate],
        clauses: vec![
            HornClause { body: Vec::new(), constraint: body, head: Some(app(0, [x, y])) },
            HornClause { body: Vec::new(), constraint: body, head: Some(app(1, [x, y])) },
            HornClause { body: vec![app(0, [x, y]), app(1, [y, z])], constraint: wrong, head: None },
        ],
    };
    match solve_checked(&mut terms, &system, &ctx) {
        Ok(Some(solution)) => assert_eq!(solution.len(), 2),
        other => panic!("{other:?}"),
    }
    let mut unsolvable = system.clone();
    unsolvable.clauses[2].constraint = terms.tru();
    assert!(matches!(solve_checked(&mut terms, &unsolvable, &ctx), Ok(None)));
}

/// Formulas of all theories, without the shape of programs: nothing panics, and what is refuted is infeasible.
#[test]
fn formulas_of_all_theories_are_no_danger() {
    use smt::random::{RandomTerms, Theory};
    let budget = Budget::unlimited();
    let ctx = EngineContext {
        backend: &Z3Backend,
        budget: &budget,
        query_limit: Effort::thousands(150),
        engine_limit: Effort::thousands(400),
    };
    let theories = [Theory::Narrow, Theory::BitVectors, Theory::Arrays, Theory::CheapFloats, Theory::Floats];
    let mut correct = 0;
    for (seed, theory) in (0..40).zip(theories.into_iter().cycle()) {
        let mut choices = Choices::from_seed(seed);
        let mut random = RandomTerms::new(theory, &mut choices);
        for _ in 0..40 {
            random.grow(&mut choices);
        }
        let mut pick = || random.pick(Sort::Bool, &mut choices).simple;
        let steps: Vec<Step> = (0..4).map(|_| Step::of([pick(), pick(), pick()])).collect();
        let interface = vec![random.vars.clone(); 3];
        let trace = Trace { steps, interface };
        let terms = &mut random.terms;
        let feasible = is_infeasible(terms, &trace, &ctx) == Some(false);
        for mut engine in engines() {
            if let Ok(itps) = engine.interpolate(terms, &trace, &ctx)
                && check_sequence(terms, &trace, &itps, &ctx).is_ok()
            {
                assert!(!feasible, "{} refutes seed {seed}", engine.name());
                correct += 1;
            }
        }
    }
    assert!(correct > 40, "{correct}");
}
