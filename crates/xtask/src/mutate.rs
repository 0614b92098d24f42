//! Mutations of real inputs: whatever is read, every end is clean (no panic, no signal, no hang, no missing verdict).
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use crate::options::Random;
use crate::process;
use fastrand::Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How much longer than its limit `hone` may take to end; the machine may be busy.
const GRACE: Duration = Duration::from_secs(10);

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Mutants, binary, and how.
    #[command(flatten)]
    pub random: Random,
    /// Time for each mutant, in seconds
    #[arg(long, default_value_t = 5)]
    pub limit: u64,
    /// Files and folders with inputs
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
}

/// Runs the test; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let mut inputs = Vec::new();
    options.paths.iter().for_each(|path| collect(path, &mut inputs));
    inputs.sort();
    if inputs.is_empty() {
        return vec!["no inputs to mutate".to_owned()];
    }
    let folder = std::env::temp_dir().join(format!("hone-mutate-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::create_dir_all(&options.random.keep)) {
        return vec![format!("{}: {error}", folder.display())];
    }
    let work = |index| one(options, &folder, &inputs, options.random.seed + index);
    let results = process::in_parallel(options.random.count, options.random.jobs, work);
    let _ = fs::remove_dir_all(&folder);
    let accepted = results.iter().filter(|result| matches!(result, Ok(true))).count();
    println!("mutate: {} inputs, {accepted} of them still programs", results.len());
    results.into_iter().filter_map(Result::err).collect()
}

fn collect(path: &Path, inputs: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
        entries.for_each(|entry| collect(&entry.path(), inputs));
    } else if path.extension().is_some_and(|e| ["c", "i", "yml", "prp"].iter().any(|known| e == *known)) {
        inputs.push(path.to_owned());
    }
}

/// Whether a mutant is still accepted; `Err` if the end was not clean.
fn one(options: &Options, folder: &Path, inputs: &[PathBuf], seed: u64) -> Result<bool, String> {
    let mut random = Rng::with_seed(seed);
    let input = &inputs[random.usize(..inputs.len())];
    let mut bytes = fs::read(input).map_err(|error| format!("{}: {error}", input.display()))?;
    for _ in 0..=random.usize(..3) {
        mutate(&mut bytes, &mut random);
    }
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    let file = folder.join(format!("{seed}.{extension}"));
    fs::write(&file, &bytes).map_err(|error| error.to_string())?;
    let mut hone = Command::new(&options.random.hone);
    hone.args(["check", "--timeout", &format!("{}s", options.limit), "--memory", "2GiB"]);
    if extension == "prp" {
        let program = folder.join(format!("{seed}.c"));
        fs::write(&program, "int main(void) { return 0; }\n").map_err(|error| error.to_string())?;
        hone.arg("--property").arg(&file).arg(program);
    } else {
        hone.arg(&file);
    }
    let ended = process::run(&mut hone, Duration::from_secs(options.limit) + GRACE)?;
    let verdict = ended.stdout.lines().last().is_some_and(|line| line.starts_with("verdict: "));
    let clean = match ended.code {
        Some(0 | 1 | 3) => verdict,
        Some(2) => ended.stderr.contains("error"),
        _ => false,
    };
    if clean && !ended.stderr.contains("internal error") && !ended.stdout.contains("internal error") {
        let _ = fs::remove_file(&file);
        return Ok(ended.code != Some(2));
    }
    let kept = options.random.keep.join(format!("mutant-{seed}.{extension}"));
    let _ = fs::copy(&file, &kept);
    let how = if ended.timed_out { "does not end".to_owned() } else { format!("exit {:?}", ended.code) };
    Err(format!("{} (from {}): {how}: {}", kept.display(), input.display(), ended.stderr.trim()))
}

/// Cuts, doubles, swaps or flips bytes or tokens.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Rng) {
    if bytes.is_empty() {
        return;
    }
    let (a, b) = if random.usize(..2) == 0 { token(bytes, random) } else { range(bytes, random) };
    match random.usize(..6) {
        0 => drop(bytes.drain(a..b)),
        1 => {
            let copy = bytes[a..b].to_vec();
            let times = 1 + random.usize(..3);
            bytes.splice(b..b, copy.repeat(times));
        }
        2 => {
            let (c, d) = token(bytes, random);
            let (first, second) = if b <= c { ((a, b), (c, d)) } else { ((c, d), (a, b)) };
            if first.1 <= second.0 {
                let (x, y) = (bytes[first.0..first.1].to_vec(), bytes[second.0..second.1].to_vec());
                bytes.splice(second.0..second.1, x);
                bytes.splice(first.0..first.1, y);
            }
        }
        3 => bytes[a] ^= 1 << random.usize(..8),
        4 => bytes[a] = random.u8(..),
        _ => {
            const BITS: [&str; 16] =
                ["(", ")", "{", "}", "[", "]", ";", "*", "&", "->", "0", "-1", "99999999999", "struct", "\"", "int"];
            let piece = BITS[random.usize(..BITS.len())].as_bytes().to_vec();
            bytes.splice(a..a, piece);
        }
    }
}

fn range(bytes: &[u8], random: &mut Rng) -> (usize, usize) {
    let a = random.usize(..bytes.len());
    let longest = if random.usize(..4) == 0 { bytes.len() } else { 8 };
    let len = 1 + random.usize(..longest);
    (a, (a + len).min(bytes.len()))
}

/// A word or a single other byte.
fn token(bytes: &[u8], random: &mut Rng) -> (usize, usize) {
    let at = random.usize(..bytes.len());
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    if !is_word(&bytes[at]) {
        return (at, at + 1);
    }
    let a = at - bytes[..at].iter().rev().take_while(|b| is_word(b)).count();
    let b = at + bytes[at..].iter().take_while(|b| is_word(b)).count();
    (a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_never_panic() {
        for seed in 0..3000 {
            let mut random = Rng::with_seed(seed);
            let mut bytes = b"int main(void) { return x_1 + 22; }".to_vec();
            for _ in 0..4 {
                mutate(&mut bytes, &mut random);
            }
        }
    }
}
