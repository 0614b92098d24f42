//! Parses C files and prints the speed and what failed: `parse_all [-m32|-m64] FILE…`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool for the command line")]

use std::path::Path;
use std::time::{Duration, Instant};

use syntax::machine_model::Machine;
use syntax::preprocess::{Annotations, Options, preprocess};

fn main() {
    // Deeply nested input needs a deep stack; only what is touched becomes real memory.
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    if worker.map(std::thread::JoinHandle::join).is_err() {
        println!("the thread could not be started");
    }
}

fn run() {
    let mut machine = Machine::Ilp32;
    let (mut bytes, mut files, mut failed) = (0, 0, 0);
    let (mut prepare, mut parse) = (Duration::ZERO, Duration::ZERO);
    let mut slowest: Option<(f64, String)> = None;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "-m32" => machine = Machine::Ilp32,
            "-m64" => machine = Machine::Lp64,
            path => {
                let Ok(input) = std::fs::read(path) else {
                    println!("{path}: can't be read");
                    failed += 1;
                    continue;
                };
                files += 1;
                let options = Options {
                    compiler: syntax::preprocess::COMPILER,
                    machine,
                    args: &[],
                    path: Some(Path::new(path)),
                    headers: None,
                    annotations: Annotations::Ignored,
                    byte_order: base::ByteOrder::Little,
                };
                let start = Instant::now();
                let source = match preprocess(&input, path, &options) {
                    Ok(source) => source,
                    Err(errors) => {
                        println!("{path}: {}", errors[0].message);
                        failed += 1;
                        continue;
                    }
                };
                prepare += start.elapsed();
                let start = Instant::now();
                let result = syntax::parse::parse(&source);
                let time = start.elapsed();
                parse += time;
                bytes += source.map.text().len();
                let speed = source.map.text().len() as f64 / 1e6 / time.as_secs_f64().max(1e-9);
                if input.len() > 100_000 && slowest.as_ref().is_none_or(|(s, _)| speed < *s) {
                    slowest = Some((speed, path.to_owned()));
                }
                if let Err(errors) = result {
                    failed += 1;
                    for error in errors.iter().take(3) {
                        let place = error.span.and_then(|s| source.map.place(s.lo));
                        let place = place.map(|p| p.to_string()).unwrap_or_default();
                        println!("{path}: {place}: {}", error.message);
                    }
                }
            }
        }
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    println!("{files} files, {failed} failed, {:.1} MB", bytes as f64 / 1e6);
    println!("preprocess {:.1} MB/s, lex and parse {:.1} MB/s", rate(prepare), rate(parse));
    if let Some((speed, path)) = slowest {
        println!("slowest above 100 kB: {speed:.1} MB/s {path}");
    }
}
