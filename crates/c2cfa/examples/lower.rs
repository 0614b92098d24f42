//! Lowers C files and says how long each step took; `--dump` lists the automata, `--run` runs them.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use base::{Budget, ByteOrder, Diagnostic, SourceMap};
use cfa::{MachineModel, Program};
use cfront::sema;
use std::time::{Duration, Instant};
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(move || run(&args));
    if let Ok(thread) = thread {
        let _ = thread.join();
    }
}

fn run(args: &[String]) {
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let machine =
        if has("--ilp32") { (MachineModel::Ilp32, Machine::Ilp32) } else { (MachineModel::Lp64, Machine::Lp64) };
    for file in args.iter().filter(|a| !a.starts_with("--")) {
        let mut times = [Duration::ZERO; 4];
        match lower(file, machine, &mut times) {
            Ok(program) => {
                let times: Vec<String> = times.iter().map(|t| format!("{:.1}", t.as_secs_f64() * 1e3)).collect();
                println!(
                    "{file}: {} functions, {} variables, {} locations, {} edges; ms: {}",
                    program.functions.len(),
                    program.vars.len(),
                    program.locs.len(),
                    program.edges.len(),
                    times.join(" "),
                );
                for unsupported in &program.unsupported {
                    let place = program.source.place(unsupported.span.lo).map(|p| p.to_string()).unwrap_or_default();
                    println!("  unsupported {}: {} at {place}", unsupported.construct, unsupported.detail);
                }
                if has("--dump") {
                    dump(&program);
                }
                if has("--run") {
                    interpret(&program);
                }
            }
            Err(failure) => {
                let (errors, map) = *failure;
                for error in errors {
                    let place = error.span.zip(map.as_ref()).and_then(|(span, map)| map.place(span.lo));
                    println!("{file}: error {}: {} at {place:?}", error.code, error.message);
                }
            }
        }
    }
}

type Failure = Box<(Vec<Diagnostic>, Option<SourceMap>)>;

fn lower(file: &str, machine: (MachineModel, Machine), times: &mut [Duration; 4]) -> Result<Program, Failure> {
    let bytes =
        std::fs::read(file).map_err(|e| Box::new((vec![Diagnostic::error("E0000", None, e.to_string())], None)))?;
    let mut clock = Instant::now();
    let mut lap = |i: usize| {
        times[i] = clock.elapsed();
        clock = Instant::now();
    };
    let options = preprocess::Options {
        compiler: preprocess::COMPILER,
        machine: machine.1,
        args: &[],
        path: Some(std::path::Path::new(file)),
        headers: None,
        annotations: preprocess::Annotations::Ignored,
        byte_order: ByteOrder::Little,
    };
    let mut source = preprocess::preprocess(&bytes, file, &options).map_err(|e| Box::new((e, None)))?;
    clib::libc::append_to(&mut source);
    lap(0);
    let unit = parse::parse(&source).map_err(|e| Box::new((e, Some(source.map.clone()))))?;
    lap(1);
    let (unit, _) =
        sema::check(unit, source.map.clone(), machine.1).map_err(|e| Box::new((e, Some(source.map.clone()))))?;
    lap(2);
    let options = c2cfa::LowerOptions {
        machine: machine.0,
        byte_order: ByteOrder::Little,
        entry: "main".into(),
        checks: Vec::new(),
        error_functions: Vec::new(),
        allocation_may_fail: false,
        environment: c2cfa::Environment::default(),
    };
    let lowered = c2cfa::lower(unit, &options).map_err(|e| Box::new((e, Some(source.map.clone()))))?;
    lap(3);
    Ok(lowered.program)
}

fn dump(program: &Program) {
    for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
        println!("{id:?} {} {:?} {:?}", var.name, var.storage, var.init);
    }
    for (id, function) in program.functions.iter_enumerated() {
        println!("function {} ({} parameters, key {})", function.name, function.params.len(), function.ty_key);
        for (loc, location) in program.locs.iter_enumerated().filter(|(_, l)| l.func == id) {
            for edge in &location.out {
                let edge = &program.edges[*edge];
                let labels = if location.labels.is_empty() { String::new() } else { format!(" {:?}", location.labels) };
                println!("  {loc:?}{labels} -> {:?}: {}", edge.dst, cfa::display::op(program, &edge.op));
            }
        }
        if let Some(body) = function.body {
            println!("  entry {:?}, exit {:?}", body.entry, body.exit);
        }
    }
}

fn interpret(program: &Program) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let budget = Budget::unlimited();
    let mut inputs = interp::RandomInputs::new(1);
    let config =
        interp::Config { library: interp::Library::Execute, step_limit: Some(100_000_000), ..Default::default() };
    let mut env = interp::Env {
        inputs: &mut inputs,
        output: &mut output,
        errors: &mut errors,
        budget: &budget,
        observe: &mut (),
    };
    let run = interp::run(program, None, &config, &mut env);
    println!(
        "{}{}{:?} after {} steps",
        String::from_utf8_lossy(&output),
        String::from_utf8_lossy(&errors),
        run.outcome,
        run.steps
    );
    let edge = match run.outcome {
        interp::Outcome::Undefined { edge, .. } | interp::Outcome::Unsupported { edge, .. } => edge,
        _ => return,
    };
    let place = program.source.place(program.edges[edge].span.lo).map(|p| p.to_string()).unwrap_or_default();
    println!("at {place}");
}
