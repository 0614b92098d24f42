//! Runs a program on all inputs, compiled by gcc with its checks of undefined behaviour (`inputs.c`).

use crate::process;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs the program on all inputs, one process each.
const DRIVER: &str = include_str!("inputs.c");
/// Time for the compiler, and for all inputs of a program.
const LIMIT: Duration = Duration::from_secs(60);
/// What gcc gets for a program: optimised code loses checks of values that nobody uses.
const FLAGS: [&str; 6] =
    ["-w", "-O0", "-std=gnu11", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-Dmain=program_main"];

/// What all runs of a program come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs {
    /// How many runs there are.
    pub count: u64,
    /// Runs that reach the error.
    pub errors: u64,
    /// Values at each place that is observed, sorted.
    pub values: Vec<Vec<i64>>,
}

/// Runs a program on all inputs. `None` if it is not fit: some run is undefined or too long, or there are too many inputs.
///
/// # Errors
/// If gcc can't be started, or rejects the program.
pub fn run(folder: &Path, name: &str, text: &str) -> Result<Option<Runs>, String> {
    let (program, driver) = (folder.join(format!("{name}.c")), folder.join(format!("{name}-inputs.c")));
    let (object, binary) = (folder.join(format!("{name}.o")), folder.join(name));
    fs::write(&program, text).and_then(|()| fs::write(&driver, DRIVER)).map_err(|error| error.to_string())?;
    let steps = [
        Command::new("gcc").args(FLAGS).arg("-c").arg("-o").arg(&object).arg(&program),
        Command::new("gcc").arg("-fsanitize=undefined,address").arg("-o").arg(&binary).arg(&driver).arg(&object),
    ]
    .map(|command| process::run(command, LIMIT));
    for ended in steps {
        let ended = ended?;
        if ended.code != Some(0) {
            return Err(format!("gcc rejects {}: {}", program.display(), ended.stderr.trim()));
        }
    }
    let ended = process::run(&mut Command::new(&binary), LIMIT)?;
    for file in [program, driver, object, binary] {
        let _ = fs::remove_file(file);
    }
    Ok(if ended.code == Some(0) { parse(&ended.stdout) } else { None })
}

fn parse(text: &str) -> Option<Runs> {
    let mut lines = text.lines();
    let (count, errors) = lines.next()?.split_once(' ')?;
    let values = lines.map(|line| {
        let mut values: Vec<i64> = line.split_whitespace().filter_map(|value| value.parse().ok()).collect();
        values.sort_unstable();
        values
    });
    Some(Runs { count: count.parse().ok()?, errors: errors.parse().ok()?, values: values.collect() })
}
