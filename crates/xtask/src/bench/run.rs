//! Runs one configuration over tasks, one at a time, so that times can be compared.

use super::definition::Configuration;
use super::results::{Record, status};
use super::tasks::Task;
use super::{Column, Options};
use crate::process::{self, Ended};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a run may take beyond its limit before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// Ticks of the kernel's clock a second: on Linux, always 100 in user space.
const TICKS: f64 = 100.0;

/// Runs a configuration over tasks.
///
/// # Errors
/// If Hone can't be started, or does not know the configuration.
pub fn configuration(options: &Options, configuration: &Configuration, tasks: &[Task]) -> Result<Column, String> {
    let records: Result<Vec<Record>, String> = tasks.iter().map(|task| record(options, configuration, task)).collect();
    Ok(Column { configuration: configuration.clone(), records: records? })
}

fn record(options: &Options, configuration: &Configuration, task: &Task) -> Result<Record, String> {
    let mut command = Command::new(&options.hone);
    // The tables are about reachability.
    command.args(["check", "--checks", "assertions", "--malloc", "never-fails", "--stats"]);
    command.args(["--timeout", &format!("{}s", options.limit)]);
    command.args(&configuration.options).args(&task.options).arg(&task.path);
    let measured = measure(&mut command, Duration::from_secs(options.limit))?;
    let Ended { code, stdout, stderr, .. } = measured.ended;
    if code == Some(2) {
        return Err(format!("{}: {}\n{}", configuration.label(), task.path.display(), stderr.trim()));
    }
    let record = Record {
        task: task.name.clone(),
        set: task.set.clone(),
        path: fs::canonicalize(&task.path).unwrap_or_else(|_| task.path.clone()),
        expected: task.expected,
        status: status(&stdout),
        cpu: measured.cpu,
        wall: measured.wall,
        statistics: statistics(&stdout),
        output: stdout + &stderr,
    };
    println!("  {:<50} {:<24} {:>7.2} s", record.task, record.status, record.cpu);
    Ok(record)
}

/// A process that has ended.
#[derive(Debug)]
pub struct Measured {
    /// How.
    pub ended: Ended,
    /// CPU time of it and its children, in seconds.
    pub cpu: f64,
    /// Wall time in seconds.
    pub wall: f64,
}

/// Runs a command that keeps a limit by itself. No other children may end meanwhile.
///
/// # Errors
/// If it can't be started.
pub fn measure(command: &mut Command, limit: Duration) -> Result<Measured, String> {
    let (before, begin) = (cpu_of_children()?, Instant::now());
    let ended = process::run(command, limit + GRACE)?;
    Ok(Measured { ended, cpu: cpu_of_children()? - before, wall: begin.elapsed().as_secs_f64() })
}

/// CPU time of the processes that have ended, in seconds.
fn cpu_of_children() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The name in parentheses may contain spaces; behind it, times of children are the 14th and 15th field.
    let fields: Vec<&str> = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    let (user, system) = ticks(13).zip(ticks(14)).ok_or("/proc/self/stat: not understood")?;
    Ok((user + system) / TICKS)
}

/// Rows of `--stats`: a name with a dot, a number, perhaps its unit; times in seconds, sizes in bytes. The last one of a name counts.
fn statistics(stdout: &str) -> BTreeMap<String, f64> {
    let rows = stdout.lines().skip_while(|line| *line != "statistics:").filter(|line| line.starts_with("  "));
    let parse = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, number) = (words.next()?, words.next()?.parse::<f64>().ok()?);
        let unit = match words.next() {
            Some("ms") => 1e-3,
            Some("KiB") => 1024.0,
            Some("MiB") => 1_048_576.0,
            Some("GiB") => 1_073_741_824.0,
            _ => 1.0,
        };
        Some((name.to_owned(), number * unit))
    };
    rows.filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_and_statistics_of_a_report() {
        let text = "a.c: proved\nstatistics:\n  bmc.queries    17\n  accelerate.time  1.5 ms\n  memory.peak  2 MiB\nverdict: unknown (timeout)\n";
        assert_eq!(status(text), "TIMEOUT");
        assert_eq!(status("verdict: true\n"), "true");
        assert_eq!(status(""), "ERROR");
        let statistics = statistics(text);
        assert_eq!(statistics.get("bmc.queries"), Some(&17.0));
        assert_eq!(statistics.get("accelerate.time"), Some(&0.0015));
        assert_eq!(statistics.get("memory.peak"), Some(&2_097_152.0));
    }

    #[test]
    fn time_of_children_is_known() {
        assert!(cpu_of_children().is_ok_and(|seconds| seconds >= 0.0));
    }
}
