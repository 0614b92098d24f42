//! `hone check` without files: the harnesses of `hone.toml`, each in a process of its own.

mod junit;
mod table;

use crate::args::{CheckArgs, InitArgs, ListArgs, ListFormat, ReportFormat};
use crate::exit_code::ExitCode;
use crate::files;
use crate::output;
use crate::shard::Shard;
use base::Diagnostic;
use driver::Failure;
use driver::project::{self, Expectation, Harness, Project};
use report::harnesses::{self, Ending};
use serde::Deserialize;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How a harness ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its name.
    pub name: String,
    /// What it was to end with.
    pub expected: String,
    /// What it did end with: a verdict, or `error`.
    pub verdict: String,
    /// More of it: the place of a violation, the reason why there is no answer, an error.
    pub detail: String,
    /// What was said of an error, with its places.
    pub diagnostics: String,
    /// A line for each check.
    pub checks: Vec<String>,
    /// Its report in the form that was asked for, JSON or SARIF.
    pub report: Option<String>,
    /// What this means for the project.
    pub code: ExitCode,
    /// How long it took.
    pub time: Duration,
}

impl Ended {
    fn reported(&self) -> harnesses::Harness<'_> {
        let outcome = match self.code {
            ExitCode::True => Ending::AsExpected,
            ExitCode::False => Ending::Failed,
            ExitCode::Unknown => Ending::Unknown,
            ExitCode::Usage => Ending::Error,
        };
        let report = self.report.as_deref().ok_or(self.detail.as_str());
        harnesses::Harness { name: &self.name, expected: &self.expected, outcome, report }
    }
}

/// Whether a command line asks for harnesses: it names no file of a program. Proofs often have a folder of their own, with the name of the harness.
pub fn is_asked(args: &CheckArgs) -> bool {
    let source = &args.source;
    let has_program = source.compile_commands.is_some() || !source.sources.is_empty();
    let may_be_harness =
        |path: &PathBuf| path.extension().is_none() && path.components().count() == 1 && !path.is_file();
    let has_project = || args.project.is_some() || project::find().is_ok();
    let is_named = !args.files.is_empty();
    !has_program && args.files.iter().all(may_be_harness) && (!is_named || has_project())
}

/// Refuses options about the harnesses of a project where files of a program are checked.
///
/// # Errors
/// If one is given.
pub fn refuse_options(args: &CheckArgs) -> Result<(), Failure> {
    let given = [("project", args.project.is_some()), ("shard", args.shard.is_some()), ("junit", args.junit.is_some())];
    let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let message = format!("--{option} is about the harnesses of a project, but files of a program are given");
    let help = format!("leave out the files, or --{option}");
    Err(Failure::new(Diagnostic::error("E0080", None, message).help(help)))
}

/// Runs the harnesses that are asked for; `passed` are the options that go on to each of them.
///
/// # Errors
/// If there is no project, or it has no such harness.
pub fn run(args: &CheckArgs, passed: &[OsString]) -> Result<ExitCode, Failure> {
    let path = args.project.clone().map_or_else(project::find, Ok)?;
    let project = project::read(&path)?;
    let chosen = chosen(&project, &path, args)?;
    if let Some(folder) = &args.output {
        files::prepare_folder(folder)?;
    }
    let temporary = match (&args.output, args.format) {
        (None, ReportFormat::Sarif) => Some(tempfile::tempdir().map_err(|error| no_folder(&error))?),
        _ => None,
    };
    let output = args.output.as_deref().or(temporary.as_ref().map(tempfile::TempDir::path));
    let runner = Runner { file: &path, folder: &project.folder, args, passed, output };
    let is_alone = matches!((&chosen[..], &args.files[..], &args.junit), ([_], [_], None));
    if let ([harness], true, ReportFormat::Human) = (&chosen[..], is_alone, args.format) {
        return Ok(runner.run_alone(harness));
    }
    let began = Instant::now();
    let ended = runner.run_all(&chosen);
    let code = ended.iter().fold(ExitCode::True, |code, ended| code.join(ended.code));
    let reported: Vec<harnesses::Harness<'_>> = ended.iter().map(Ended::reported).collect();
    output::stdout(&match args.format {
        ReportFormat::Human => table::render(&ended, began.elapsed()),
        // A harness that was named alone has its own report.
        ReportFormat::Json | ReportFormat::Sarif if is_alone => {
            ended.iter().find_map(|ended| ended.report.clone()).unwrap_or_default()
        }
        ReportFormat::Json => harnesses::json(&reported),
        ReportFormat::Sarif => harnesses::sarif(&reported),
    });
    if let Some(path) = &args.junit {
        files::write_named(path, &junit::render(&ended, began.elapsed()), "--junit")?;
    }
    Ok(code)
}

/// The harnesses that were named, or all; of these, those of the shard.
fn chosen(project: &Project, path: &Path, args: &CheckArgs) -> Result<Vec<Harness>, Failure> {
    let mut chosen: Vec<Harness> = Vec::new();
    for name in &args.files {
        let name = name.to_string_lossy();
        match project.harnesses.iter().find(|harness| harness.name == name) {
            Some(harness) => chosen.push(harness.clone()),
            None => return Err(unknown(project, path, &name)),
        }
    }
    if args.files.is_empty() {
        chosen.clone_from(&project.harnesses);
    }
    let shard = args.shard.unwrap_or(Shard::ALL);
    Ok(chosen.into_iter().skip(shard.part - 1).step_by(shard.of).collect())
}

fn unknown(project: &Project, path: &Path, name: &str) -> Failure {
    let known = || project.harnesses.iter().map(|harness| harness.name.as_str());
    let help = match driver::suggest::similar(name, known()) {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => "`hone list` shows the harnesses of a project".to_owned(),
    };
    let what = if Path::new(name).is_dir() { "a folder" } else { "no file" };
    let message = format!("{name} is {what}, and no harness of {}", path.display());
    Failure::new(Diagnostic::error("E0080", None, message).help(help))
}

/// Nothing can be written where temporary files are.
fn no_folder(error: &std::io::Error) -> Failure {
    let message = format!("{}: {error}", std::env::temp_dir().display());
    Failure::new(Diagnostic::error("E0041", None, message).help("`--output` names a folder for the results instead"))
}

/// Runs harnesses of a project.
struct Runner<'a> {
    /// What says them.
    file: &'a Path,
    /// The project's.
    folder: &'a Path,
    args: &'a CheckArgs,
    /// Options that go on to each harness.
    passed: &'a [OsString],
    /// Where each harness has a folder for its results.
    output: Option<&'a Path>,
}

impl Runner<'_> {
    /// Runs harnesses, several at a time, and tells of each when it ends; the results are in the order of the harnesses.
    fn run_all(&self, chosen: &[Harness]) -> Vec<Ended> {
        let jobs =
            self.args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize);
        let next = Mutex::new(chosen.iter().enumerate());
        let (sender, receiver) = mpsc::channel();
        let mut ended: Vec<Option<Ended>> = vec![None; chosen.len()];
        let width = chosen.iter().map(|harness| harness.name.len()).max().unwrap_or(0);
        // Cores are shared by harnesses; analyses of one that run at the same time would only take them from the others.
        let mut options = Vec::new();
        if jobs.min(chosen.len()) > 1 {
            options.push(OsString::from("--threads=1"));
        }
        options.extend_from_slice(self.passed);
        let runner = Runner { passed: &options, ..*self };
        thread::scope(|scope| {
            for _ in 0..jobs.min(chosen.len()) {
                let (sender, next, runner) = (sender.clone(), &next, &runner);
                scope.spawn(move || {
                    while let Some((number, harness)) = next.lock().ok().and_then(|mut next| next.next()) {
                        let _ = sender.send((number, runner.run_one(harness)));
                    }
                });
            }
            drop(sender);
            for (number, result) in receiver {
                if self.args.format == ReportFormat::Human {
                    output::stdout(&table::line(&result, width));
                }
                output::stderr(&result.diagnostics);
                ended[number] = Some(result);
            }
        });
        ended.into_iter().flatten().collect()
    }
}

/// Shows the harnesses of a project.
///
/// # Errors
/// If there is no project.
pub fn list(args: &ListArgs) -> Result<ExitCode, Failure> {
    let path = args.project.clone().map_or_else(project::find, Ok)?;
    let project = project::read(&path)?;
    output::stdout(&match args.format {
        ListFormat::Human => table::list(&project.harnesses),
        ListFormat::Json => table::json(&project.harnesses),
    });
    Ok(ExitCode::True)
}

/// Writes a `hone.toml` into the current folder.
///
/// # Errors
/// If there is one, or nothing to make it of.
pub fn init(args: &InitArgs) -> Result<ExitCode, Failure> {
    let path = Path::new(project::FILE);
    if path.exists() {
        let message = format!("there is a {} here", project::FILE);
        return Err(Failure::new(
            Diagnostic::error("E0082", None, message).help("remove it first, or change it by hand"),
        ));
    }
    let text = project::init::text(&args.from)?;
    files::write_named(path, &text, "the current folder")?;
    let number = project::read(path).map(|project| project.harnesses.len())?;
    let harnesses = if number == 1 { "harness" } else { "harnesses" };
    output::stdout(&format!("{} has {number} {harnesses}; `hone check` runs them\n", project::FILE));
    Ok(ExitCode::True)
}

/// What is read of a child's report (`hone-result/1`).
#[derive(Deserialize)]
struct Report {
    verdict: String,
    violated: Option<String>,
    reason: Option<Reason>,
    counterexample: Option<Run>,
    #[serde(default)]
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Reason {
    text: String,
}

#[derive(Deserialize)]
struct Run {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    place: Option<Place>,
    library: bool,
}

#[derive(Deserialize)]
struct Check {
    kind: String,
    place: Option<Place>,
    text: String,
    result: String,
    what: Option<String>,
    reason: Option<Reason>,
}

impl Check {
    /// What became of it, on a line.
    fn line(&self) -> String {
        let place =
            self.place.as_ref().map_or_else(|| "-".to_owned(), |place| format!("{}:{}", place.file, place.line));
        let more = self.what.as_ref().or(self.reason.as_ref().map(|reason| &reason.text));
        let more = more.map_or_else(String::new, |more| format!(": {more}"));
        format!("{} {place} {} {}{more}", self.result, self.kind, self.text)
    }
}

#[derive(Deserialize)]
struct Place {
    file: String,
    line: u32,
}

impl Runner<'_> {
    /// Runs the only harness that was named, and shows its own report.
    fn run_alone(&self, harness: &Harness) -> ExitCode {
        let mut command = match self.command(harness, "human") {
            Ok(command) => command,
            Err(error) => {
                output::stderr(&format!("error: hone can't be run: {error}\n"));
                return ExitCode::Usage;
            }
        };
        let Ok(result) = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().and_then(Child::wait_with_output)
        else {
            return ExitCode::Usage;
        };
        let text = String::from_utf8_lossy(&result.stdout);
        output::stdout(&text);
        let verdict = match result.status.code() {
            Some(0) => "true",
            Some(1) => "false",
            Some(3) => "unknown",
            _ => {
                output::stderr(&self.place(harness));
                return ExitCode::Usage;
            }
        };
        let last = text.lines().last().and_then(|line| line.strip_prefix("verdict: false("));
        let violated = last.and_then(|rest| rest.strip_suffix(')'));
        if harness.expect.is_met(verdict, violated) {
            return ExitCode::True;
        }
        if harness.expect != Expectation::True {
            output::stderr(&format!("note: expected was {}\n", harness.expect));
        }
        if verdict == "unknown" { ExitCode::Unknown } else { ExitCode::False }
    }

    fn run_one(&self, harness: &Harness) -> Ended {
        let began = Instant::now();
        let result = self
            .command(harness, "json")
            .and_then(|mut command| command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn())
            .and_then(communicate);
        let ended = |verdict: &str, detail: String, code| Ended {
            name: harness.name.clone(),
            expected: harness.expect.to_string(),
            verdict: verdict.to_owned(),
            detail,
            diagnostics: String::new(),
            checks: Vec::new(),
            report: None,
            code,
            time: began.elapsed(),
        };
        let (stdout, stderr) = match result {
            Ok(texts) => texts,
            Err(error) => return ended("error", format!("hone can't be run: {error}"), ExitCode::Usage),
        };
        let Ok(report) = serde_json::from_str::<Report>(&stdout) else {
            let line = stderr.lines().find(|line| line.starts_with("error")).or(stderr.lines().next());
            let message = line.map(|line| line.split_once(": ").map_or(line, |(_, message)| message));
            let line = message.unwrap_or("it ended without a report").to_owned();
            let diagnostics = stderr + &self.place(harness);
            return Ended { diagnostics, ..ended("error", line, ExitCode::Usage) };
        };
        let violation = report
            .counterexample
            .as_ref()
            .and_then(|run| run.steps.iter().rev().filter(|step| !step.library).find_map(|step| step.place.as_ref()));
        let detail = match (&report.reason, violation) {
            (Some(reason), _) => reason.text.clone(),
            (None, Some(place)) => {
                let others = report.checks.iter().filter(|check| check.result == "violated").count().saturating_sub(1);
                let others = if others == 0 { String::new() } else { format!(", and {others} more violated") };
                format!("{}:{}{others}", place.file, place.line)
            }
            _ => String::new(),
        };
        let code = match report.verdict.as_str() {
            verdict if harness.expect.is_met(verdict, report.violated.as_deref()) => ExitCode::True,
            "unknown" => ExitCode::Unknown,
            _ => ExitCode::False,
        };
        let verdict = match &report.violated {
            Some(property) => format!("{}({property})", report.verdict),
            None => report.verdict,
        };
        let checks = report.checks.iter().map(Check::line).collect();
        let report = match (self.args.format, self.output) {
            (ReportFormat::Sarif, Some(output)) => {
                driver::input::read_text(&output.join(&harness.name).join(files::SARIF)).ok().map(|(_, text)| text)
            }
            _ => Some(stdout),
        };
        Ended { checks, report, ..ended(&verdict, detail, code) }
    }

    /// Where an error may come from.
    fn place(&self, harness: &Harness) -> String {
        format!("note: harness `{}` is at {}:{}\n", harness.name, self.file.display(), harness.line)
    }

    /// The `hone check` of a harness.
    fn command(&self, harness: &Harness, format: &str) -> std::io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["check", "--format", format]);
        let has_cache = self.passed.iter().any(|option| option.to_string_lossy().starts_with("--cache"))
            || harness.options.iter().any(|option| option.starts_with("--cache"));
        if !has_cache {
            command.arg("--every-check");
        }
        command.args(&harness.options).args(["--entry", &harness.entry]).args(self.passed);
        if let Some(output) = self.output {
            command.arg("--output").arg(std::path::absolute(output)?.join(&harness.name));
        }
        command.arg("--").args(&harness.files);
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(self.folder);
        }
        Ok(command)
    }
}

/// What a child prints, as text.
fn communicate(mut child: Child) -> std::io::Result<(String, String)> {
    let stderr = child.stderr.take();
    let (stdout, stderr) = thread::scope(|scope| {
        let errors = scope.spawn(move || {
            let mut text = Vec::new();
            stderr.map(|mut stderr| stderr.read_to_end(&mut text));
            text
        });
        let mut text = Vec::new();
        let read = child.stdout.take().map(|mut stdout| stdout.read_to_end(&mut text));
        (read.transpose().map(|_| text), errors.join().unwrap_or_default())
    });
    child.wait()?;
    Ok((String::from_utf8_lossy(&stdout?).into_owned(), String::from_utf8_lossy(&stderr).into_owned()))
}
