//! Compares the outputs of `hone run` and of the compiled program.

use super::files::Sources;
use super::program::{self, HEADERS, Program};
use super::{Bench, Verdict};
use crate::options::DataModel;
use crate::process::{self, Ended};
use std::fs;
use std::process::Command;
use std::time::Duration;

/// Programs that run longer than this natively are left out.
pub const NATIVE_LIMIT: Duration = Duration::from_secs(2);
/// Time that `hone run` gets.
const HONE_LIMIT: Duration = Duration::from_secs(60);

/// Compares one program.
///
/// # Errors
/// If a tool can't be started, or gcc rejects the program.
pub fn compare(bench: &Bench<'_>, program: &Program, model: DataModel) -> Result<Verdict, String> {
    let sources = Sources::write(bench, &format!("{}-{model}", program.seed), &program.text)?;
    let compared = compare_files(bench, &sources, model);
    sources.remove();
    compared
}

fn compare_files(bench: &Bench<'_>, sources: &Sources, model: DataModel) -> Result<Verdict, String> {
    let binary = sources.beside("bin");
    if let Err(words) = program::compile(&sources.files, &binary, model, &[])? {
        return Err(format!("gcc rejects {}: {words}", sources.keep(bench)));
    }
    let native = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    let _ = fs::remove_file(&binary);
    if native.timed_out || native.code != Some(0) {
        return Ok(Verdict::LeftOut);
    }
    let mut hone = Command::new(&bench.options.random.hone);
    hone.args(["run", "--data-model", &model.to_string(), "-I", HEADERS, "--timeout"]);
    hone.arg(format!("{}s", HONE_LIMIT.as_secs())).args(&sources.files);
    let ours = process::run(&mut hone, HONE_LIMIT + Duration::from_secs(5))?;
    let same = ours.stdout == native.stdout && ours.code == Some(0);
    if same {
        return Ok(Verdict::Same);
    }
    if is_undefined(sources, model)? {
        return Ok(Verdict::LeftOut);
    }
    let kept = sources.keep(bench);
    Ok(match ours.timed_out || ours.stderr.contains("was stopped") {
        true => Verdict::Slow(kept),
        false => Verdict::Problem(difference(&kept, model, &native, &ours)),
    })
}

/// Whether the program converts a floating value to an integer type that can't hold it; then gcc's constant folding and the
/// machine differ. Csmith keeps programs free of other undefined behaviour.
fn is_undefined(sources: &Sources, model: DataModel) -> Result<bool, String> {
    let binary = sources.beside("sanitized");
    let flags = ["-fsanitize=float-cast-overflow", "-fno-sanitize-recover=all"];
    if program::compile(&sources.files, &binary, model, &flags)?.is_err() {
        return Ok(false);
    }
    let ended = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    let _ = fs::remove_file(&binary);
    Ok(ended.stderr.contains("outside the range of representable values"))
}

fn difference(kept: &str, model: DataModel, native: &Ended, ours: &Ended) -> String {
    format!(
        "{kept} ({model}): gcc printed {:?}, hone {:?} (exit {:?}): {}",
        native.stdout.trim(),
        ours.stdout.trim(),
        ours.code,
        ours.stderr.trim()
    )
}
