//! CPU time of a configuration over families of tasks that grow: a Markdown table and a plot.
//!
//! A family is what remains of the tasks' names when the first number in each is left out; that number is the size. Several
//! configurations, with commas between them, are compared on each family.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use crate::bench::run::{self, Measured as Run};
use crate::plot::{self, Figure, Point, Series};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The binary
    #[arg(long, default_value = "target/release/hone")]
    pub hone: PathBuf,
    /// Configurations, with commas between them
    #[arg(long, default_value = "portfolio")]
    pub config: String,
    /// Time for each task, in seconds
    #[arg(long, default_value_t = 5)]
    pub limit: u64,
    /// Where results are written
    #[arg(long, default_value = ".")]
    pub out: PathBuf,
    /// The tasks
    pub paths: Vec<PathBuf>,
}

/// One measurement.
#[derive(Clone, PartialEq, Debug)]
struct Measured {
    /// The number in the task's name.
    size: u32,
    /// CPU time in seconds.
    cpu: f64,
    verdict: String,
}

/// Runs the tasks and writes table and plot; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let families = families(&options.paths);
    if families.is_empty() {
        return vec!["no task with a number in its name".to_owned()];
    }
    let mut problems = Vec::new();
    let mut results: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    for (family, tasks) in &families {
        for config in options.config.split(',') {
            let name = if options.config == config { family.clone() } else { format!("{family}, {config}") };
            for (size, path) in tasks {
                match measure(options, config, path, *size) {
                    Ok(measured) => {
                        println!("{}: {config}: {} {:.2} s", path.display(), measured.verdict, measured.cpu);
                        results.entry(name.clone()).or_default().push(measured);
                    }
                    Err(error) => problems.push(format!("{}: {error}", path.display())),
                }
            }
        }
    }
    let files = [("scaling.md", table(options, &results)), ("scaling.svg", plot::svg(&figure(options, &results)))];
    let written = fs::create_dir_all(&options.out)
        .and_then(|()| files.iter().try_for_each(|(name, text)| fs::write(options.out.join(name), text)));
    problems.extend(written.err().map(|error| format!("{}: {error}", options.out.display())));
    problems
}

/// Tasks by family, each family by size.
fn families(paths: &[PathBuf]) -> BTreeMap<String, Vec<(u32, PathBuf)>> {
    let mut families: BTreeMap<String, Vec<(u32, PathBuf)>> = BTreeMap::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some((family, size)) = family(&name) {
            families.entry(family).or_default().push((size, path.clone()));
        }
    }
    families.values_mut().for_each(|tasks| tasks.sort());
    families
}

/// `test_locks_5_true.yml` is `test_locks_N_true`, 5.
fn family(name: &str) -> Option<(String, u32)> {
    let stem = name.split_once(".yml").map_or(name, |(stem, _)| stem);
    let begin = stem.find(|c: char| c.is_ascii_digit())?;
    let end = stem[begin..].find(|c: char| !c.is_ascii_digit()).map_or(stem.len(), |len| begin + len);
    let size = stem[begin..end].parse().ok()?;
    let rest = stem[end..].split(".cil").collect::<String>();
    Some((format!("{}N{rest}", &stem[..begin]), size))
}

fn measure(options: &Options, config: &str, task: &Path, size: u32) -> Result<Measured, String> {
    let mut command = Command::new(&options.hone);
    command.args(["check", "--config", config, "--timeout", &format!("{}s", options.limit)]).arg(task);
    let Run { ended, cpu, .. } = run::measure(&mut command, Duration::from_secs(options.limit))?;
    let verdict = ended.stdout.lines().last().and_then(|line| line.strip_prefix("verdict: "));
    let verdict = verdict.ok_or_else(|| format!("no verdict\n{}", ended.stderr.trim()))?;
    Ok(Measured { size, cpu, verdict: verdict.to_owned() })
}

fn is_decided(verdict: &str) -> bool {
    verdict == "true" || verdict.starts_with("false")
}

fn table(options: &Options, results: &BTreeMap<String, Vec<Measured>>) -> String {
    let mut text = format!(
        "CPU time in seconds of `--config {}`, limit {} s.\n\n| family | size | CPU time | verdict |\n|---|---:|---:|---|\n",
        options.config, options.limit
    );
    for (family, measured) in results {
        for Measured { size, cpu, verdict } in measured {
            let verdict = verdict.split_once(" (").map_or(verdict.as_str(), |(short, _)| short);
            let _ = writeln!(text, "| {family} | {size} | {cpu:.2} | {verdict} |");
        }
    }
    text
}

fn figure(options: &Options, results: &BTreeMap<String, Vec<Measured>>) -> Figure {
    let point = |m: &Measured| Point { x: f64::from(m.size), y: m.cpu.max(0.01), decided: is_decided(&m.verdict) };
    let series = |(family, measured): (&String, &Vec<Measured>)| Series {
        name: family.clone(),
        points: measured.iter().map(point).collect(),
    };
    Figure {
        title: format!("hone check --config {}", options.config),
        x: "size N".to_owned(),
        y: "CPU time (s)".to_owned(),
        series: results.iter().map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    #[test]
    fn names_have_families_and_sizes() {
        let sample = |text: &str| family(text).map(|(family, size)| format!("{family} {size}"));
        assert_eq!(sample("test_locks_15_false.yml").as_deref(), Some("test_locks_N_false 15"));
        assert_eq!(sample("token_ring.01_true.cil.yml").as_deref(), Some("token_ring.N_true 1"));
        assert_eq!(sample("toy.yml"), None);
        let paths = ["b/f_10_true.yml", "b/f_9_true.yml", "b/f_9_false.yml"].map(PathBuf::from);
        let sizes: Vec<(String, Vec<u32>)> =
            families(&paths).into_iter().map(|(f, tasks)| (f, tasks.iter().map(|t| t.0).collect())).collect();
        assert_eq!(sizes, [("f_N_false".to_owned(), vec![9]), ("f_N_true".to_owned(), vec![9, 10])]);
    }

    #[test]
    fn tables_have_a_row_a_task() {
        let options = options::parse(&["--config", "value"]);
        let measured = |size, cpu, verdict: &str| Measured { size, cpu, verdict: verdict.to_owned() };
        let measured = vec![measured(1, 0.0, "true"), measured(2, 5.0, "unknown (timeout)")];
        let results = BTreeMap::from([("f_N".to_owned(), measured)]);
        let table = table(&options, &results);
        assert!(table.contains("| f_N | 1 | 0.00 | true |\n| f_N | 2 | 5.00 | unknown |"), "{table}");
        let figure = figure(&options, &results);
        assert_eq!((figure.series.len(), figure.series[0].points.len()), (1, 2));
        assert!(figure.series[0].points[0].y > 0.0 && !figure.series[0].points[1].decided);
    }
}
