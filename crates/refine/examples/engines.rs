//! How often each engine refutes random and hand-made paths, and how long it takes.
//!
//! `cargo run --release -p refine --example engines [PATHS [verbose|short [ENGINE]]]`
#![allow(clippy::print_stdout)]

use base::{Budget, Effort};
use refine::formula::binary::Binary;
use refine::formula::check::check_sequence;
use refine::formula::horn::SequenceHorn;
use refine::formula::linear::LinearGuess;
use refine::formula::newton::{Core, Live, Newton, NewtonOptions};
use refine::formula::samples::random::random_path;
use refine::formula::samples::{LONG, Path, SAMPLES, Sample};
use refine::formula::{Direction, EngineContext, SequenceEngine, Trace};
use smt::random::Choices;
use smt::smtlib::term_to_string;
use smt::{SatResult, Terms};
use smt_z3::Z3Backend;
use std::time::{Duration, Instant};

/// A trace with its name and its arena.
type NamedTrace = (String, Terms, Trace);

fn engines() -> Vec<Box<dyn SequenceEngine>> {
    let newton = |direction, core, live| Box::new(Newton::new(NewtonOptions { direction, core, live }));
    vec![
        Box::new(Binary::new(Direction::Forward)),
        Box::new(Binary::new(Direction::Backward)),
        newton(Direction::Forward, Core::Conjuncts, Live::On),
        newton(Direction::Backward, Core::Conjuncts, Live::On),
        newton(Direction::Forward, Core::Statements, Live::On),
        newton(Direction::Backward, Core::Statements, Live::On),
        newton(Direction::Forward, Core::Off, Live::On),
        newton(Direction::Forward, Core::Conjuncts, Live::Off),
        Box::new(SequenceHorn),
        Box::new(LinearGuess),
    ]
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let wanted: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(60);
    let verbose = arguments.next().is_some_and(|word| word == "verbose");
    let only = arguments.next();
    let budget = Budget::unlimited();
    let ctx = EngineContext {
        backend: &Z3Backend,
        budget: &budget,
        query_limit: Effort::thousands(1_000),
        engine_limit: Effort::thousands(3_000),
    };
    let mut sets: Vec<(String, Vec<NamedTrace>)> =
        [8, 32].into_iter().map(|width| (format!("random, {width} bits"), random_paths(wanted, width, &ctx))).collect();
    sets.push(("by hand".into(), by_hand(&SAMPLES)));
    sets.push(("long".into(), by_hand(&LONG)));
    for (set, paths) in &mut sets {
        println!("{set}: {} paths", paths.len());
        for mut engine in engines().into_iter().filter(|e| only.as_ref().is_none_or(|name| name == e.name())) {
            measure(&mut *engine, paths, verbose, &ctx);
        }
    }
}

/// Infeasible paths, by their seeds.
fn random_paths(wanted: usize, width: u32, ctx: &EngineContext<'_>) -> Vec<NamedTrace> {
    let path = |seed| {
        let mut terms = Terms::new();
        let trace = random_path(&mut terms, &mut Choices::from_seed(seed), width);
        is_infeasible(&terms, &trace, ctx).then(|| (format!("seed {seed}"), terms, trace))
    };
    (0..).filter_map(path).take(wanted).collect()
}

fn by_hand(samples: &[Sample]) -> Vec<NamedTrace> {
    let path = |(name, build): &Sample| {
        let mut terms = Terms::new();
        let mut path = Path::new(&mut terms);
        build(&mut path);
        let trace = path.finish();
        ((*name).to_owned(), terms, trace)
    };
    samples.iter().map(path).collect()
}

/// Lets an engine refute all paths, and prints how many it did.
fn measure(engine: &mut dyn SequenceEngine, paths: &mut [NamedTrace], verbose: bool, ctx: &EngineContext<'_>) {
    let (mut solved, mut failed, mut wrong, mut time) = (0, 0, 0, Duration::ZERO);
    let mut failures = Vec::new();
    for (name, terms, trace) in paths.iter_mut() {
        let start = Instant::now();
        let result = engine.interpolate(terms, trace, ctx);
        time += start.elapsed();
        if verbose {
            println!("    {} on {name}: {:.1} ms", engine.name(), start.elapsed().as_secs_f64() * 1e3);
        }
        match result {
            Ok(itps) => match check_sequence(terms, trace, &itps, ctx) {
                Ok(()) => {
                    solved += 1;
                    if verbose {
                        let texts: Vec<String> = itps.iter().map(|&t| term_to_string(terms, t)).collect();
                        println!("    {} on {name}: {:.300}", engine.name(), texts.join(" ; "));
                    }
                }
                Err(error) => {
                    wrong += 1;
                    failures.push(format!("{name}: {error}"));
                }
            },
            Err(error) => {
                failed += 1;
                failures.push(format!("{name}: {error}"));
            }
        }
    }
    println!(
        "  {:16} correct {solved:3}  none {failed:3}  rejected {wrong:3}  {:6.1} ms each",
        engine.name(),
        time.as_secs_f64() * 1e3 / paths.len().max(1) as f64
    );
    for failure in failures.iter().filter(|_| verbose) {
        println!("      {failure:.140}");
    }
}

fn is_infeasible(terms: &Terms, trace: &Trace, ctx: &EngineContext<'_>) -> bool {
    let mut solver = ctx.solver();
    trace.steps.iter().flat_map(|s| &s.conjuncts).all(|&t| solver.assert(terms, t).is_ok())
        && matches!(solver.check(terms, &[]), Ok(SatResult::Unsat))
}
