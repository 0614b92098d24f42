//! Speed and memory of the value analysis on reactive systems like those of the RERS challenge: abstract successors a second
//! and bytes a reached state.
//!
//! `cargo bench -p driver --bench value` generates its programs; `-- FILE.c ...` measures programs of your own. A successor is
//! the strongest postcondition of one edge; a *state* is a node of the graph, at which runs can meet.

#![allow(clippy::disallowed_methods)] // Benchmarks write and read files of their own.
#![allow(clippy::print_stdout)] // Its figures are its result.

use driver::{Interrupts, Job, Limits, SourceOptions, config};
use outcome::{Silent, StatValue, Statistics};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Time for each program.
const TIME: Duration = Duration::from_secs(5);

/// A reactive system: `rules` conditions on `vars` state variables and the input, each of which changes some variables.
fn reactive(vars: usize, rules: usize, inputs: u64) -> String {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64 ^ (vars as u64) << 32 ^ rules as u64;
    let mut random = move |n: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % n
    };
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n");
    for v in 0..vars {
        let _ = writeln!(text, "int a{v} = {};", random(4));
    }
    text.push_str("int step(int input) {\n");
    for rule in 0..rules {
        let vs: Vec<u64> = (0..4).map(|_| random(vars as u64)).collect();
        let _ = write!(text, "  if (input == {} && a{} == {}", 1 + random(inputs), vs[0], random(4));
        let _ = writeln!(text, " && a{} == {} && !(a{} == {})) {{", vs[1], random(4), vs[2], random(4));
        for v in &vs {
            let _ = writeln!(text, "    a{v} = {};", random(4));
        }
        let _ = writeln!(text, "    return {rule};\n  }}");
    }
    let _ = writeln!(text, "  if (a0 == 7) reach_error();\n  return -1;\n}}");
    text.push_str("int main(void) {\n  while (1) {\n    int input = __VERIFIER_nondet_int();\n");
    let _ = writeln!(text, "    if (input < 1 || input > {inputs}) return 0;\n    step(input);\n  }}\n}}");
    text
}

fn number(stats: &Statistics, name: &str) -> f64 {
    match stats.values.iter().find(|(n, _)| *n == name) {
        Some((_, StatValue::Count(n) | StatValue::Bytes(n))) => *n as f64,
        Some((_, StatValue::Time(time))) => time.as_secs_f64(),
        _ => f64::NAN,
    }
}

fn measure(file: &Path, label: &str) {
    let config = config::preset(Some("value-plain")).expect("a preset");
    let job = match Job::read(&[file.to_owned()], None, &SourceOptions::default()) {
        Ok(job) => job,
        Err(failure) => panic!("{}: {failure:?}", file.display()),
    };
    let limits = Limits { time: Some(TIME), memory: None };
    let checked = driver::run::check(&job, &config, limits, &Interrupts::default(), &Silent, Box::new(|_, _| {}));
    let checked = checked.expect("the program is C");
    let stats = &checked.outcome.stats;
    let (states, seconds) = (number(stats, "arg.nodes"), number(stats, "cegar.explore"));
    println!(
        "{label:32} {:>10.0} states {:>12.0} successors/s {:>8.0} bytes/state   {}",
        states,
        number(stats, "value.steps") / seconds,
        number(stats, "value.memory") / states,
        checked.outcome.verdict,
    );
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for file in &files {
        let name = file.rsplit('/').next().unwrap_or(file);
        measure(Path::new(file), name);
    }
    if files.is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        for (vars, rules, inputs) in [(8, 60, 4), (12, 200, 6), (20, 600, 6), (30, 1500, 6)] {
            let file = folder.path().join(format!("reactive_{vars}_{rules}.c"));
            std::fs::write(&file, reactive(vars, rules, inputs)).expect("the folder is writable");
            measure(&file, &format!("{vars} variables, {rules} rules"));
        }
    }
}
