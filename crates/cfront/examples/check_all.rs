//! Parses and type-checks C files and prints the speed and what failed: `check_all [-m32|-m64] [-w] FILE.c|TASK.yml…`.
//! `-w` prints warnings, too; a task definition's data model wins over the option.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool for the command line")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{Diagnostic, SourceMap};
use syntax::machine_model::Machine;
use syntax::preprocess::{Annotations, Options, preprocess};

fn main() {
    // Deeply nested input needs a deep stack; only what is touched becomes real memory.
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    if worker.map(std::thread::JoinHandle::join).is_err() {
        println!("the thread could not be started");
    }
}

#[derive(Default)]
struct Totals {
    files: usize,
    failed: usize,
    bytes: usize,
    parse: Duration,
    check: Duration,
    slowest: Option<(f64, String)>,
}

fn run() {
    let mut machine = Machine::Ilp32;
    let mut totals = Totals::default();
    let mut show_warnings = false;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "-m32" => machine = Machine::Ilp32,
            "-m64" => machine = Machine::Lp64,
            "-w" => show_warnings = true,
            path => {
                let (file, machine) = task(Path::new(path), machine);
                totals.files += 1;
                let problems = match check(&file, machine, &mut totals) {
                    Ok(warnings) if show_warnings => warnings,
                    Ok(_) => Vec::new(),
                    Err(errors) => {
                        totals.failed += 1;
                        errors
                    }
                };
                for problem in problems.iter().take(5) {
                    println!("{path}: {problem}");
                }
            }
        }
    }
    let rate = |time: Duration| totals.bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    println!("{} files, {} failed, {:.1} MB", totals.files, totals.failed, totals.bytes as f64 / 1e6);
    println!("lex and parse {:.1} MB/s, type check {:.1} MB/s", rate(totals.parse), rate(totals.check));
    if let Some((speed, path)) = totals.slowest {
        println!("slowest above 100 kB: {speed:.1} MB/s {path}");
    }
}

/// The C file and data model of a task definition.
fn task(path: &Path, machine: Machine) -> (PathBuf, Machine) {
    if path.extension().is_none_or(|e| e != "yml") {
        return (path.to_path_buf(), machine);
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let value = |key: &str| {
        let line = text.lines().find_map(|l| l.trim().strip_prefix(key))?;
        Some(line.trim().trim_matches(['\'', '"']).to_string())
    };
    let machine = match value("data_model:").as_deref() {
        Some("LP64") => Machine::Lp64,
        Some(_) => Machine::Ilp32,
        None => machine,
    };
    let file = value("input_files:").unwrap_or_default();
    (path.with_file_name(file), machine)
}

/// The warnings or errors, rendered.
fn check(path: &Path, machine: Machine, totals: &mut Totals) -> Result<Vec<String>, Vec<String>> {
    let input = std::fs::read(path).map_err(|e| vec![e.to_string()])?;
    let options = Options {
        compiler: syntax::preprocess::COMPILER,
        machine,
        args: &[],
        path: Some(path),
        headers: None,
        annotations: Annotations::Ignored,
        byte_order: base::ByteOrder::Little,
    };
    let name = path.to_string_lossy();
    let messages = |errors: Vec<Diagnostic>| errors.into_iter().map(|e| e.message).collect::<Vec<_>>();
    let source = preprocess(&input, &name, &options).map_err(messages)?;
    let start = Instant::now();
    let unit = syntax::parse::parse(&source).map_err(|errors| render(&errors, &source.map))?;
    let parsed = Instant::now();
    let map = source.map.clone();
    let before = Instant::now();
    let result = cfront::sema::check(unit, map, machine);
    let time = before.elapsed();
    totals.parse += parsed - start;
    totals.check += time;
    let bytes = source.map.text().len();
    totals.bytes += bytes;
    let speed = bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    if bytes > 100_000 && totals.slowest.as_ref().is_none_or(|(s, _)| speed < *s) {
        totals.slowest = Some((speed, name.into_owned()));
    }
    match result {
        Ok((_, warnings)) => Ok(render(&warnings, &source.map)),
        Err(errors) => Err(render(&errors, &source.map)),
    }
}

fn render(diagnostics: &[Diagnostic], map: &SourceMap) -> Vec<String> {
    let line = |d: &Diagnostic| {
        let place = d.span.and_then(|s| map.place(s.lo)).map(|p| p.to_string()).unwrap_or_default();
        format!("{place}: {}: {} [{}]", d.code, d.message, d.label)
    };
    diagnostics.iter().map(line).collect()
}
