//! Writes the files of `--output`, each complete or not at all.

use base::Diagnostic;
use cfa::Program;
use driver::input::Input;
use driver::job::Annotations;
use driver::witness::Made;
use driver::{Failure, Job};
use outcome::{Evidence, Outcome, Verdict};
use report::Subject;
use report::harness::{self, Build, Harness, Paths};
use report::html::{self, Page};
use report::json::{self, Layout};
use report::sarif;
use report::text::{self, Detail, Stats};
use std::path::Path;

/// The file for code scanning in the folder of results.
pub const SARIF: &str = "result.sarif";

/// Makes the folder of `--output`, and sees that files can be written there.
///
/// # Errors
/// If not.
pub fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).and_then(|()| try_out(folder)).map_err(|error| unwritable_folder(folder, &error))
}

/// Sees that the file of `--witness` can be written.
///
/// # Errors
/// If not.
pub fn prepare_witness(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let result = if path.is_dir() { Err(std::io::ErrorKind::IsADirectory.into()) } else { try_out(folder) };
    result.map_err(|error| unwritable_witness(path, &error))
}

/// Makes a file in a folder and removes it.
#[allow(clippy::disallowed_methods)] // This is where writing happens.
fn try_out(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".hone.{}.unfinished", std::process::id()));
    std::fs::write(&file, "")?;
    std::fs::remove_file(&file)
}

fn unwritable_folder(folder: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{}: {error}", folder.display());
    Failure::new(Diagnostic::error("E0041", None, message).help("--output names a folder that can be written"))
}

fn unwritable_witness(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    Failure::new(Diagnostic::error("E0041", None, message).help("--witness names a file that can be written"))
}

/// Writes report, result and, for a violation, what reproduces it.
///
/// # Errors
/// If the folder can't be written.
pub fn write_all(
    folder: &Path,
    subject: &Subject,
    outcome: &Outcome,
    program: Option<(&Program, &Job)>,
    witness: Option<&Made>,
    options: &[(String, String)],
) -> Result<(), Failure> {
    let fail = |error: std::io::Error| unwritable_folder(folder, &error);
    std::fs::create_dir_all(folder).map_err(fail)?;
    let write = |name: &str, content: &str| write(folder, name, content).map_err(fail);
    write("report.txt", &text::render(subject, outcome, Detail::Full, Stats::Show))?;
    let text = |input: &Input| String::from_utf8_lossy(&input.bytes).into_owned();
    let texts: Vec<String> = program.iter().flat_map(|(_, job)| job.inputs.iter().map(text)).collect();
    let program_text = program.map(|(program, _)| (program, texts.as_slice()));
    write("report.html", &html::render(&Page { subject, outcome, program: program_text, options }))?;
    write("result.json", &json::render(subject, outcome, Layout::Pretty))?;
    write(SARIF, &sarif::render(subject, outcome))?;
    if let Some(graph) = &outcome.graph {
        write("arg.dot", &report::arg::dot(graph))?;
        write("arg.json", &report::arg::json(graph))?;
    }
    if let Some((_, job)) = program.filter(|_| outcome.verdict == Verdict::True) {
        for (number, text) in driver::loops::abstracted(job, &outcome.loops)? {
            write(&numbered("abstracted", number), &text)?;
        }
    }
    if let Some(made) = witness {
        write("witness.yml", &yaml(made))?;
        write("witness.graphml", &witness::graphml::render(&made.info, &made.content))?;
    }
    // No compiler knows contracts and annotations.
    let program = program.filter(|(program, job)| !program.has_contracts && job.annotations == Annotations::Ignored);
    if let (Evidence::Counterexample(cex), Some((program, job))) = (&outcome.evidence, program) {
        let path = |name: &str| folder.join(name).display().to_string();
        let files: Vec<String> = job.inputs.iter().map(|input| input.name.clone()).collect();
        let copies: Vec<String> = (0..files.len()).map(|number| path(&numbered("program", number))).collect();
        let paths = Paths { program: &files, harness: &path("harness.c"), copies: &copies };
        let mut flags: Vec<String> = Vec::new();
        for args in &job.preprocessor_args {
            if !flags.windows(args.len().max(1)).any(|known| known == *args) {
                flags.extend_from_slice(args);
            }
        }
        let build = Build { entry: &job.property.entry, flags: &flags };
        let Harness { harness, copies } = harness::render(program, &job.property.observer, cex, (&paths, &build));
        write("harness.c", &harness)?;
        for (number, text) in copies {
            write(&numbered("program", number), &text)?;
        }
    }
    Ok(())
}

/// The name of what was made of the program's file of this number: `program.c`, `program-2.c` and so on.
fn numbered(stem: &str, number: usize) -> String {
    if number == 0 { format!("{stem}.c") } else { format!("{stem}-{}.c", number + 1) }
}

/// Writes one file into a folder, which is made if it is not there.
///
/// # Errors
/// If the folder can't be written.
pub fn write_one(folder: &Path, name: &str, content: &str) -> Result<(), Failure> {
    let result = std::fs::create_dir_all(folder).and_then(|()| write(folder, name, content));
    result.map_err(|error| {
        let message = format!("{}: {error}", folder.display());
        Failure::new(Diagnostic::error("E0041", None, message).help("--patches names a folder that can be written"))
    })
}

/// Writes a file that an option names.
///
/// # Errors
/// If it can't be written.
pub fn write_named(path: &Path, content: &str, option: &str) -> Result<(), Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    write(folder, &name, content).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        Failure::new(
            Diagnostic::error("E0041", None, message).help(format!("{option} names a file that can be written")),
        )
    })
}

/// Writes a witness into a file of its own.
///
/// # Errors
/// If the file can't be written.
pub fn write_witness(path: &Path, made: &Made) -> Result<(), Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    write(folder, &name, &yaml(made)).map_err(|error| unwritable_witness(path, &error))
}

fn yaml(made: &Made) -> String {
    witness::yaml::render(&made.info, &made.content, witness::yaml::Version::of(&made.content))
}

/// Writes beside the target and renames, so that readers never see half a file.
#[allow(clippy::disallowed_methods)] // This is where writing happens.
fn write(folder: &Path, name: &str, content: &str) -> std::io::Result<()> {
    let unfinished = folder.join(format!(".{name}.unfinished"));
    std::fs::write(&unfinished, content)?;
    std::fs::rename(&unfinished, folder.join(name))
}
