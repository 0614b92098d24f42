//! `cargo xtask verdicts`: what each configuration makes of each program of `tests/data` and `examples`, compared with the
//! table that is committed (`tests/verdicts.tsv`).
//!
//! An answer must neither be wrong, nor contradict the one in the table, nor be lost; one that is lost is asked for once more, with
//! more time, when the machine has nothing else to do. New answers are to be recorded (`--record`).
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

pub mod compare;
pub mod run;
pub mod table;

use crate::header::{Expected, Header};
use crate::process;
use crate::workspace_root;
use compare::{Change, Effort};
use run::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use table::{Key, Row, Speed, Table};

/// Folders with programs, below the root of the workspace.
const FOLDERS: [&str; 2] = ["examples", "tests/data"];
/// The table that is committed.
const TABLE: &str = "tests/verdicts.tsv";
/// How many times longer than in the first run the second one may take.
const PATIENCE: u32 = 5;
/// Answers at most that are asked for a second time; where more are lost, it is not for lack of time.
const RETRIES: usize = 100;

/// Options of the task.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// The binary
    #[arg(long, default_value = "target/release/hone")]
    pub hone: PathBuf,
    /// Only these configurations of all that the binary offers
    #[arg(long, value_delimiter = ',')]
    pub only: Vec<String>,
    /// Time for each run, in seconds
    #[arg(long, default_value_t = 2.0)]
    pub limit: f64,
    /// Runs at a time [default: one for each processor]
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Only the rows in which the table has an answer, and every so many of the others
    #[arg(long, default_value_t = 1)]
    pub every: usize,
    /// The table to compare with [default: tests/verdicts.tsv]
    #[arg(long)]
    pub compare: Option<PathBuf>,
    /// Write all rows, with their numbers, into this file
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Record new rows and verdicts in the table to compare with; answers that are lost stay there
    #[arg(long)]
    pub record: bool,
    /// Only programs whose path contains one of these
    pub filters: Vec<String>,
}

/// Runs what the options say; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    verdicts(options).unwrap_or_else(|error| vec![error])
}

/// The table that is committed.
///
/// # Errors
/// If it can't be read.
pub fn committed() -> Result<Table, String> {
    Table::read(&workspace_root().join(TABLE))
}

/// What the committed table lacks, and what is in it without need: it has a row for each program and configuration.
///
/// # Errors
/// If it can't be read.
pub fn incomplete(root: &Path, configurations: &BTreeSet<String>) -> Result<Vec<String>, String> {
    let table = committed()?;
    let row = |program: &Program, configuration: &String| Key {
        program: program.name.clone(),
        configuration: configuration.clone(),
    };
    let programs = programs(root)?;
    let rows: BTreeSet<Key> =
        programs.iter().flat_map(|program| configurations.iter().map(move |name| row(program, name))).collect();
    let recorded: BTreeSet<Key> = table.rows.into_keys().collect();
    let told = |what: &str, keys: Vec<&Key>| {
        let Key { program, configuration } = keys.first()?;
        Some(format!(
            "{TABLE}: {} rows {what}, such as {program}: {configuration}; run `cargo xtask verdicts --record {program}`",
            keys.len()
        ))
    };
    let missing = told("are missing", rows.difference(&recorded).collect());
    let superfluous = told("are of no program or configuration", recorded.difference(&rows).collect());
    Ok(missing.into_iter().chain(superfluous).collect())
}

fn verdicts(options: &Options) -> Result<Vec<String>, String> {
    let path = options.compare.clone().unwrap_or_else(|| workspace_root().join(TABLE));
    let before = if path.exists() { Table::read(&path)? } else { Table::default() };
    let all = programs(&workspace_root())?;
    let chosen = |program: &&Program| {
        options.filters.is_empty() || options.filters.iter().any(|filter| program.name.contains(filter))
    };
    let programs: Vec<&Program> = all.iter().filter(chosen).collect();
    if programs.is_empty() {
        return Err(format!("no program whose path contains {}", options.filters.join(" or ")));
    }
    let hone = std::fs::canonicalize(&options.hone).map_err(|error| format!("{}: {error}", options.hone.display()))?;
    let offered = offered(&hone)?;
    if let Some(unknown) = options.only.iter().find(|name| !offered.contains(name)) {
        return Err(format!("no configuration {unknown}; there are {}", offered.join(", ")));
    }
    let configurations = if options.only.is_empty() { &offered } else { &options.only };
    let pairs = pairs(options, &before, &programs, configurations);
    let folder = std::env::temp_dir().join(format!("hone-verdicts-{}", std::process::id()));
    let limit = Duration::try_from_secs_f64(options.limit).map_err(|error| error.to_string())?;
    let session = Session { options, hone: &hone, limit, folder: &folder, before: &before };
    let result = session.run(&pairs);
    let _ = std::fs::remove_dir_all(&folder);
    let Compared { after, to_record, problems } = result?;
    let is_there =
        |key: &Key| all.iter().any(|program| program.name == key.program) && offered.contains(&key.configuration);
    let put = |file: &Path, rows: Table| {
        let mut table = if file.exists() { Table::read(file)? } else { Table::default() };
        table.rows.retain(|key, _| is_there(key));
        table.rows.extend(rows.rows);
        table.write(file)
    };
    if let Some(out) = &options.out {
        put(out, after)?;
    }
    if options.record {
        put(&path, to_record)?;
    }
    Ok(problems)
}

/// The programs below the root of the workspace, sorted.
fn programs(root: &Path) -> Result<Vec<Program>, String> {
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| below(&root.join(folder), &mut files));
    files.sort();
    let program = |path: PathBuf| {
        let header = Header::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        // Said before anything runs.
        header.expected().map_err(|error| format!("{name}: {error}"))?;
        Ok(Program { name, header })
    };
    files.into_iter().map(program).collect()
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        // What a project has is checked by its harnesses.
        if path.is_dir() && !path.join("hone.toml").exists() {
            below(&path, files);
        } else if path.is_file() && path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
}

/// The configurations that a binary lists in its help.
fn offered(hone: &Path) -> Result<Vec<String>, String> {
    let ended = process::run(Command::new(hone).args(["check", "--help"]), Duration::from_secs(10))?;
    let lines = ended.stdout.lines().skip_while(|line| !line.starts_with("Configurations (--config)")).skip(1);
    let names = lines.map_while(|line| line.split_whitespace().next()).map(str::to_owned);
    let names: Vec<String> = names.collect();
    if names.is_empty() { Err(format!("{} lists no configurations", hone.display())) } else { Ok(names) }
}

/// What is run, program by program.
fn pairs<'a>(
    options: &Options,
    before: &Table,
    programs: &[&'a Program],
    configurations: &'a [String],
) -> Vec<(&'a Program, &'a str)> {
    let mut others = 0;
    let all = programs.iter().flat_map(|program| configurations.iter().map(move |c| (*program, c.as_str())));
    all.filter(|(program, configuration)| {
        let answered = before.get(&program.name, configuration).is_some_and(Row::is_answer);
        others += usize::from(!answered);
        answered || others % options.every.max(1) == 0
    })
    .collect()
}

/// What came out of the runs.
struct Compared {
    /// All rows.
    after: Table,
    /// Those that take the place of the rows in the table: with other verdicts, but not with lost answers.
    to_record: Table,
    problems: Vec<String>,
}

/// Runs of one call.
struct Session<'a> {
    options: &'a Options,
    /// The binary.
    hone: &'a Path,
    /// Time for each run.
    limit: Duration,
    /// For files of the runs.
    folder: &'a Path,
    before: &'a Table,
}

impl Session<'_> {
    /// Runs the pairs, prints what changed, and returns the rows and what is wrong.
    fn run(&self, pairs: &[(&Program, &str)]) -> Result<Compared, String> {
        println!("verdicts: {} runs", pairs.len());
        let expected = |(program, configuration): &(&Program, &str)| {
            program.expected(configuration).map_err(|error| format!("{}: {error}", program.name))
        };
        let expected: Vec<Option<Expected>> = pairs.iter().map(expected).collect::<Result<_, _>>()?;
        let count = pairs.len() as u64;
        let check = |index: u64| self.check(pairs[index as usize], index, self.limit);
        let checked = process::in_parallel(count, self.options.jobs, check);
        let (mut after, mut to_record, mut problems) = (Table::default(), Table::default(), Vec::new());
        let mut changes: BTreeMap<Change, Vec<String>> = BTreeMap::new();
        let mut retries = RETRIES;
        for ((&(program, configuration), expected), row) in pairs.iter().zip(&expected).zip(checked) {
            let before = self.before.get(&program.name, configuration);
            let settled = row.and_then(|row| {
                let change = compare::change(before, &row, expected.as_ref());
                if !matches!(change, Change::Lost | Change::TooSlow) || retries == 0 {
                    return Ok((row, change));
                }
                retries -= 1;
                let row = self.again((program, configuration))?;
                let change = compare::change(before, &row, expected.as_ref());
                Ok((row, change))
            });
            let (row, change) = match settled {
                Ok(settled) => settled,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let key = Key { program: program.name.clone(), configuration: configuration.to_owned() };
            changes.entry(change).or_default().push(compare::line(change, &key, before, &row));
            if change.is_to_record() {
                to_record.rows.insert(key.clone(), row.clone());
            }
            after.rows.insert(key, row);
        }
        self.report(&changes, &after);
        problems.extend(changes.into_iter().filter(|(change, _)| change.is_failure()).flat_map(|(_, lines)| lines));
        Ok(Compared { after, to_record, problems })
    }

    /// Asks for an answer that was lost, now that nothing else runs.
    fn again(&self, pair: (&Program, &str)) -> Result<Row, String> {
        let row = self.check(pair, 0, self.limit * PATIENCE)?;
        let speed = if row.is_answer() { Speed::Slow } else { Speed::Fast };
        Ok(Row { speed, ..row })
    }

    fn check(&self, (program, configuration): (&Program, &str), index: u64, limit: Duration) -> Result<Row, String> {
        let folder = self.folder.join(index.to_string());
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let row = run::check(self.hone, program, configuration, limit, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        row
    }

    fn report(&self, changes: &BTreeMap<Change, Vec<String>>, after: &Table) {
        for (change, lines) in changes {
            let told = match change {
                Change::TooSlow | Change::Gained | Change::Reason => lines.as_slice(),
                // Failures are told at the end.
                _ => &[],
            };
            told.iter().for_each(|line| println!("{line}"));
            println!("{change:?}: {}", lines.len());
        }
        let Effort { changed, steps_before, steps_after, queries_before, queries_after } =
            Effort::between(self.before, after);
        println!(
            "effort of {changed} rows changed: steps {steps_before} -> {steps_after}, queries {queries_before} -> {queries_after}"
        );
        let to_record = [Change::Gained, Change::New].iter().filter_map(|change| changes.get(change)).flatten().count();
        if to_record > 0 && !self.options.record {
            println!("{to_record} rows are to be recorded: cargo xtask verdicts --record");
        }
    }
}
