//! `cargo xtask random`: small random programs whose verdict is known, because they were run on all inputs.
//!
//! A sketch ([`program`]) is run first to see which values it has at certain places; then it asserts something about these values
//! that holds on all inputs, or fails on some. The program with its assertions is run on all inputs again ([`native`]), which
//! gives the verdict that `hone check` must not contradict. With `--checks`, some places have an operation instead that is undefined on some
//! inputs, or on none ([`faults`]); with `--library`, programs call C's library ([`library`]).
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

pub mod faults;
pub mod library;
pub mod native;
pub mod program;

use crate::header::Expected;
use crate::options;
use crate::process;
use fastrand::Rng;
use native::Runs;
use program::Sketch;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How much longer than its limit `hone` may take to end; the machine may be busy.
const GRACE: Duration = Duration::from_secs(20);

/// What programs call.
const PROLOGUE: &str = "extern void *malloc(unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
";

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Programs, binary, and how.
    #[command(flatten)]
    pub random: options::Random,
    /// Configurations that check each program
    #[arg(
        long,
        value_delimiter = ',',
        default_values_t = ["value", "predicate", "bmc", "k-induction", "value-predicate", "portfolio"].map(String::from)
    )]
    pub config: Vec<String>,
    /// Let operations fail, too, and check them
    #[arg(long)]
    pub checks: bool,
    /// Call functions of C's library, too
    #[arg(long)]
    pub library: bool,
    /// Time for each check, in seconds
    #[arg(long, default_value_t = 3)]
    pub limit: u64,
}

/// What a configuration said of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Answer {
    Proof,
    Violation,
    Unknown,
    Wrong,
}

/// What came out for one program; without answers, the program is not fit.
#[derive(Default)]
struct Outcome {
    answers: Vec<(String, Answer)>,
    problems: Vec<String>,
}

/// Runs the test; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let random = &options.random;
    let folder = std::env::temp_dir().join(format!("hone-random-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::create_dir_all(&random.keep)) {
        return vec![format!("{}: {error}", folder.display())];
    }
    let one = |index| {
        let seed = random.seed + index;
        one(options, &folder, seed).unwrap_or_else(|problem| Outcome { answers: Vec::new(), problems: vec![problem] })
    };
    let outcomes = process::in_parallel(random.count, random.jobs, one);
    let _ = fs::remove_dir_all(&folder);
    report(&outcomes)
}

/// Prints the answers of each configuration; returns the problems.
fn report(outcomes: &[Outcome]) -> Vec<String> {
    let mut table: BTreeMap<&str, BTreeMap<Answer, usize>> = BTreeMap::new();
    for (configuration, answer) in outcomes.iter().flat_map(|outcome| &outcome.answers) {
        *table.entry(configuration).or_default().entry(*answer).or_default() += 1;
    }
    let fit = outcomes.iter().filter(|outcome| !outcome.answers.is_empty()).count();
    println!("random: {fit} programs, {} left out", outcomes.len() - fit);
    for (configuration, answers) in table {
        let count = |answer| answers.get(&answer).copied().unwrap_or_default();
        println!(
            "{configuration}: {} proofs, {} violations, {} unknown, {} wrong",
            count(Answer::Proof),
            count(Answer::Violation),
            count(Answer::Unknown),
            count(Answer::Wrong)
        );
    }
    let mut problems: Vec<String> = outcomes.iter().flat_map(|outcome| outcome.problems.clone()).collect();
    if fit == 0 && problems.is_empty() {
        problems.push("no program could be checked".to_owned());
    }
    problems
}

/// Checks the program of a seed.
fn one(options: &Options, folder: &Path, seed: u64) -> Result<Outcome, String> {
    let sketch = program::sketch(seed, options.library);
    let prologue = if options.library { format!("{}{PROLOGUE}", program::HEADERS) } else { PROLOGUE.to_owned() };
    let observing = format!("{prologue}extern void observe(int, long long);\n#define OBSERVE observe\n{}", sketch.text);
    let name = format!("random-{seed}");
    let Some(seen) = native::run(folder, &name, &observing)? else { return Ok(Outcome::default()) };
    let claims = claimed(&sketch, &seen, options.checks, &mut Rng::with_seed(seed));
    let text = format!("{prologue}{}", claims.text);
    let expected = if claims.faults {
        // A run that fails so is no run that goes on; that there is one was seen.
        Expected::False
    } else {
        let Some(Runs { errors, .. }) = native::run(folder, &name, &text)? else { return Ok(Outcome::default()) };
        if errors == 0 { Expected::True } else { Expected::False }
    };
    let file = folder.join(format!("{name}.c"));
    let checks = if options.checks { faults::checks(&sketch) } else { "assertions".to_owned() };
    let header = if options.checks { format!("// checks: {checks}\n// malloc: may-fail\n") } else { String::new() };
    fs::write(&file, format!("// expect: {expected}\n{header}{text}")).map_err(|error| error.to_string())?;
    let mut outcome = Outcome::default();
    for configuration in &options.config {
        let (answer, words) = check(options, configuration, (&file, &checks), &expected)?;
        outcome.answers.push((configuration.clone(), answer));
        if let Some(words) = words {
            let kept = options.random.keep.join(format!("{name}.c"));
            fs::copy(&file, &kept).map_err(|error| format!("{}: {error}", kept.display()))?;
            outcome.problems.push(format!("{}: {configuration}: {words}, expected {expected}", kept.display()));
        }
    }
    let _ = fs::remove_file(&file);
    Ok(outcome)
}

/// A program with what it claims.
struct Claims {
    text: String,
    /// Whether an operation fails on some inputs.
    faults: bool,
}

/// The program, with assertions about what was seen, or operations that depend on it: all hold, or one fails.
fn claimed(sketch: &Sketch, seen: &Runs, checks: bool, rng: &mut Rng) -> Claims {
    let failing = rng.bool().then(|| rng.usize(..sketch.observed.max(1)));
    let (mut text, mut faults) = (String::new(), false);
    for line in sketch.text.lines() {
        let observed = line.trim_start().strip_prefix("OBSERVE(").and_then(|rest| rest.strip_suffix(");"));
        match observed.and_then(|rest| rest.split_once(", ")) {
            Some((point, value)) => {
                let point: usize = point.parse().unwrap_or_default();
                let values = seen.values.get(point).map_or(&[][..], Vec::as_slice);
                let kind = if failing == Some(point) { Kind::Fails } else { Kind::Holds };
                let operation = (checks && rng.bool()).then(|| faults::operation(sketch, (value, values), kind, rng));
                match operation.flatten() {
                    Some(operation) => {
                        faults |= kind == Kind::Fails;
                        text += &operation;
                    }
                    None => {
                        let condition = condition(values, kind, rng);
                        text += &format!("if (!((long long)({value}) {condition})) reach_error();");
                    }
                }
            }
            None => text += line,
        }
        text.push('\n');
    }
    Claims { text, faults }
}

/// Whether an assertion holds on all inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Holds,
    Fails,
}

/// What may be said of these values, behind the expression; what is never reached has none of them.
fn condition(values: &[i64], kind: Kind, rng: &mut Rng) -> String {
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return "!= 0 && 0".to_owned() };
    let some = values[rng.usize(..values.len())];
    match (kind, rng.u8(..3)) {
        (Kind::Holds, 0) => format!("<= {high}"),
        (Kind::Holds, 1) => format!(">= {low}"),
        (Kind::Holds, _) => {
            let free = (some..).find(|value| values.binary_search(value).is_err()).unwrap_or_default();
            format!("!= {free}")
        }
        (Kind::Fails, 0) => format!("< {high}"),
        (Kind::Fails, 1) => format!("> {low}"),
        (Kind::Fails, _) => format!("!= {some}"),
    }
}

/// What a configuration says, with its words if they are a problem.
fn check(
    options: &Options,
    configuration: &str,
    (file, checks): (&Path, &str),
    expected: &Expected,
) -> Result<(Answer, Option<String>), String> {
    let mut hone = Command::new(&options.random.hone);
    hone.args(["check", "--threads", "1", "--config", configuration]);
    hone.args(["--checks", checks, "--timeout"]);
    let ended =
        process::run(hone.arg(format!("{}s", options.limit)).arg(file), Duration::from_secs(options.limit) + GRACE)?;
    let last = ended.stdout.lines().last().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or_default();
    let words = || Some(format!("{last:?} (exit {:?}) {}", ended.code, ended.stderr.trim()));
    Ok(match (ended.code, expected) {
        (Some(0), Expected::True) => (Answer::Proof, None),
        (Some(1), Expected::False) => (Answer::Violation, None),
        (Some(3), _) if !last.contains("internal error") => (Answer::Unknown, None),
        _ => (Answer::Wrong, words()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_hold_or_fail() {
        let values = [-3, 0, 1, 7];
        let holds = |text: &str, value: i64| {
            let (operator, bound) = text.split_once(' ').expect("an operator");
            let bound: i64 = bound.parse().expect("a number");
            match operator {
                "<=" => value <= bound,
                ">=" => value >= bound,
                "<" => value < bound,
                ">" => value > bound,
                _ => value != bound,
            }
        };
        for seed in 0..100 {
            let mut rng = Rng::with_seed(seed);
            let text = condition(&values, Kind::Holds, &mut rng);
            assert!(values.iter().all(|value| holds(&text, *value)), "{text}");
            let text = condition(&values, Kind::Fails, &mut rng);
            assert!(values.iter().any(|value| !holds(&text, *value)), "{text}");
        }
    }

    #[test]
    fn programs_are_the_same_for_the_same_seed() {
        assert_eq!(program::sketch(5, false).text, program::sketch(5, false).text);
        assert!((0..20).any(|seed| program::sketch(seed, false).text.contains("static int f")));
    }

    #[test]
    fn all_inputs_are_run() {
        let folder = std::env::temp_dir().join(format!("hone-random-test-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let run = |body: &str| {
            let text = format!("{PROLOGUE}extern void observe(int, long long);\nint main(void) {{ {body} }}\n");
            native::run(&folder, "test", &text).expect("gcc works")
        };
        let runs =
            run("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); observe(0, x * __VERIFIER_nondet_bool());\
             if (x == 3) reach_error();");
        let expected = Runs { count: 14, errors: 2, values: vec![vec![0, 1, 2, 3, 4, 5], vec![], vec![]] };
        let undefined = run("observe(0, __VERIFIER_nondet_int() + 2147483647);");
        let _ = fs::remove_dir_all(&folder);
        assert_eq!(runs, Some(expected));
        assert_eq!(undefined, None);
    }
}
