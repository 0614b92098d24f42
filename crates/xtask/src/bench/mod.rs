//! `cargo xtask bench`: runs configurations over sets of tasks and makes tables and plots, of its own or in the form of a paper.
//!
//! One folder of results: an XML file of BenchExec and a CSV file for each configuration, with the outputs beside them;
//! `table.md`; `quantile.svg`; and what BenchExec's table-generator makes of the XML files (HTML with plots, CSV).
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

pub mod definition;
pub mod measure;
pub mod results;
pub mod run;
pub mod table;
pub mod tasks;

use crate::plot::{self, Figure, Point, Series};
use crate::workspace_root;
use definition::{Configuration, Definition};
use measure::solved;
use results::Record;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tasks::Task;

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The binary
    #[arg(long, default_value = "target/release/hone")]
    pub hone: PathBuf,
    /// Time for each task, in seconds
    #[arg(long, default_value_t = 5)]
    pub limit: u64,
    /// Only every so many tasks
    #[arg(long, default_value_t = 1)]
    pub every: usize,
    /// Where results are written
    #[arg(long, default_value = ".")]
    pub out: PathBuf,
    /// The table of a paper (benches/tables): on the folder with the task sets, or on a slice of this repository's programs
    #[arg(long)]
    pub table: Option<String>,
    /// Tasks (.set files, folders, .yml; what contains / or .), and configurations: NAME, 'NAME=PRESET OPTIONS', or
    /// NAME=FILE.csv for the results of another runner
    pub arguments: Vec<PathBuf>,
}

/// What a configuration made of the tasks.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The configuration.
    pub configuration: Configuration,
    /// One for each task, in the order of the tasks.
    pub records: Vec<Record>,
}

/// Time for the table generator.
const GENERATOR: Duration = Duration::from_secs(300);

/// Runs what the arguments say; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    bench(options).unwrap_or_else(|error| vec![error])
}

fn bench(options: &Options) -> Result<Vec<String>, String> {
    let plan = Plan::new(options)?;
    let out = &options.out;
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut columns = plan.read;
    let mut files = Vec::new();
    for configuration in &plan.to_run {
        println!("{}: {} tasks", configuration.label(), plan.tasks.len());
        let column = run::configuration(options, configuration, &plan.tasks)?;
        files.push(results::write(options, &column)?);
        columns.push(column);
    }
    let table = table::markdown(&plan.definition, &columns);
    println!("\n{table}");
    write(&out.join("table.md"), &table)?;
    write(&out.join("quantile.svg"), &plot::svg(&quantile(&plan.definition, &columns)))?;
    if !files.is_empty() {
        generate(out, &files)?;
    }
    Ok(columns.iter().flat_map(wrong).collect())
}

/// What is to be done.
struct Plan {
    definition: Definition,
    to_run: Vec<Configuration>,
    tasks: Vec<Task>,
    /// Results that are read from files instead.
    read: Vec<Column>,
}

impl Plan {
    fn new(options: &Options) -> Result<Plan, String> {
        let (mut named, mut paths, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for argument in &options.arguments {
            let text = argument.to_string_lossy();
            match text.split_once('=') {
                Some((name, file)) if file.ends_with(".csv") => files.push((name.to_owned(), PathBuf::from(file))),
                Some(_) => named.push(Configuration::parse(&text)),
                None if text.contains(['/', '.']) => paths.push(argument.clone()),
                None => named.push(Configuration::parse(&text)),
            }
        }
        let definition = match &options.table {
            Some(name) => Definition::read(name)?,
            None => Definition::general(named.clone()),
        };
        if options.table.is_some() && !named.is_empty() {
            return Err("a table of a paper has its own configurations".to_owned());
        }
        let mut read: Vec<Column> = Vec::new();
        for (name, file) in &files {
            let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let parsed = results::parse_csv(&text).map_err(|error| format!("{}: {error}", file.display()))?;
            let records = definition.sort(parsed);
            match read.iter_mut().find(|column| column.configuration.label() == *name) {
                Some(column) => column.records.extend(records),
                None => read.push(Column { configuration: definition.configuration(name), records }),
            }
        }
        let to_run: Vec<Configuration> = match files.is_empty() {
            true => definition.configurations.clone(),
            false => named,
        };
        if read.is_empty() && to_run.is_empty() {
            return Err("no configuration: name one, such as `value`, or a table with --table".to_owned());
        }
        let found = match (&options.table, paths.is_empty()) {
            (Some(_), true) => tasks::collect(&definition.slices())?,
            (Some(_), false) => tasks::collect(&definition.below(&paths[0])?)?,
            (None, _) => tasks::collect(&tasks::by_folder(&paths))?,
        };
        let tasks: Vec<Task> = found.into_iter().step_by(options.every.max(1)).collect();
        if tasks.is_empty() && !to_run.is_empty() {
            return Err("no tasks: name a .set file, a folder, or task definitions (.yml)".to_owned());
        }
        Ok(Plan { definition, to_run, tasks, read })
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Wrong verdicts are what a run of benchmarks fails for, and runs that ended with an error.
fn wrong(column: &Column) -> Vec<String> {
    let bad = column.records.iter().filter(|record| record.category().is_failure());
    bad.map(|record| {
        format!("{}: {} is {}, expected {}", column.configuration.label(), record.task, record.status, record.expected)
    })
    .collect()
}

/// The n-th fastest right answer of each configuration.
fn quantile(definition: &Definition, columns: &[Column]) -> Figure {
    let series = columns.iter().map(|column| {
        let mut times: Vec<f64> = column.records.iter().filter(|r| solved(r)).map(|r| r.cpu.max(0.01)).collect();
        times.sort_by(f64::total_cmp);
        let points = times.into_iter().enumerate().map(|(i, y)| Point { x: (i + 1) as f64, y, decided: true });
        Series { name: column.configuration.label(), points: points.collect() }
    });
    Figure {
        title: definition.title.clone(),
        x: "right answers, fastest first".to_owned(),
        y: "CPU time (s)".to_owned(),
        series: series.collect(),
    }
}

/// Lets BenchExec make its tables; `benches/benchexec` installs it where it is missing.
fn generate(out: &Path, files: &[PathBuf]) -> Result<(), String> {
    let script = workspace_root().join("benches/benchexec");
    let mut command = Command::new(script);
    command.args(["table-generator", "--quiet", "--no-diff", "--name", "table", "--outputpath"]).arg(out).args(files);
    let ended = crate::process::run(&mut command, GENERATOR)?;
    if ended.code == Some(0) { Ok(()) } else { Err(format!("table-generator: {}", ended.stderr.trim())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    fn plan(args: &[&str]) -> Result<Plan, String> {
        Plan::new(&options::parse(args))
    }

    #[test]
    fn arguments_are_configurations_or_tasks() {
        let root = workspace_root();
        let folder = root.join("tests/data/value").to_string_lossy().into_owned();
        let plan = plan(&[&folder, "value", "la=value --loop-abstraction on"]).expect("a plan");
        let labels: Vec<String> = plan.to_run.iter().map(Configuration::label).collect();
        assert_eq!(labels, ["value", "la"]);
        assert_eq!(plan.to_run[1].options, ["--config", "value", "--loop-abstraction", "on"]);
        assert!(plan.tasks.len() > 5 && plan.tasks.iter().all(|task| task.set == "value"));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(plan(&[]).is_err_and(|error| error.contains("no configuration")));
        assert!(plan(&["value"]).is_err_and(|error| error.contains("no tasks")));
        assert!(plan(&["--table", "none-such"]).is_err_and(|error| error.contains("expl-1")));
        assert!(plan(&["--table", "expl-1", "value"]).is_err());
    }

    #[test]
    fn each_table_has_a_slice_of_the_own_tasks() {
        for name in definition::names() {
            let plan = plan(&["--table", &name]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!plan.to_run.is_empty() && plan.tasks.len() >= 6, "{name}");
            for set in &plan.definition.sets {
                assert!(plan.tasks.iter().any(|task| task.set == set.name), "{name}: {}", set.name);
            }
        }
    }
}
