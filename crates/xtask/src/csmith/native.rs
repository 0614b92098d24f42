//! Compares the outputs of `hone run` and of the compiled program.

use super::program::{self, HEADERS, Program};
use super::{Bench, Verdict};
use crate::options::DataModel;
use crate::process::{self, Ended};
use std::fs;
use std::path::Path;
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
    let source = bench.folder.join(format!("{}-{model}.c", program.seed));
    let binary = source.with_extension("bin");
    fs::write(&source, &program.text).map_err(|error| format!("{}: {error}", source.display()))?;
    if let Err(words) = program::compile(&source, &binary, model, &[])? {
        return Err(format!("gcc rejects {}: {words}", bench.keep(&source).display()));
    }
    let native = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    let _ = fs::remove_file(&binary);
    if native.timed_out || native.code != Some(0) {
        let _ = fs::remove_file(&source);
        return Ok(Verdict::LeftOut);
    }
    let mut hone = Command::new(&bench.options.random.hone);
    hone.args(["run", "--data-model", &model.to_string(), "-I", HEADERS, "--timeout"]);
    hone.arg(format!("{}s", HONE_LIMIT.as_secs())).arg(&source);
    let ours = process::run(&mut hone, HONE_LIMIT + Duration::from_secs(5))?;
    let same = ours.stdout == native.stdout && ours.code == Some(0);
    if !same && is_undefined(&source, model)? {
        let _ = fs::remove_file(&source);
        return Ok(Verdict::LeftOut);
    }
    let kept = if same { source.clone() } else { bench.keep(&source) };
    let _ = fs::remove_file(&source);
    Ok(if same {
        Verdict::Same
    } else if ours.timed_out || ours.stderr.contains("was stopped") {
        Verdict::Slow(kept.display().to_string())
    } else {
        Verdict::Problem(difference(&kept, model, &native, &ours))
    })
}

/// Whether the program converts a floating value to an integer type that can't hold it; then gcc's constant folding and the
/// machine differ. Csmith keeps programs free of other undefined behaviour.
fn is_undefined(source: &Path, model: DataModel) -> Result<bool, String> {
    let binary = source.with_extension("sanitized");
    let flags = ["-fsanitize=float-cast-overflow", "-fno-sanitize-recover=all"];
    if program::compile(source, &binary, model, &flags)?.is_err() {
        return Ok(false);
    }
    let ended = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    let _ = fs::remove_file(&binary);
    Ok(ended.stderr.contains("outside the range of representable values"))
}

fn difference(source: &Path, model: DataModel, native: &Ended, ours: &Ended) -> String {
    format!(
        "{} ({model}): gcc printed {:?}, hone {:?} (exit {:?}): {}",
        source.display(),
        native.stdout.trim(),
        ours.stdout.trim(),
        ours.code,
        ours.stderr.trim()
    )
}
