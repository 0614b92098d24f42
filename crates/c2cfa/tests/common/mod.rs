//! What the tests share: from text to automata, and runs of them.
#![allow(dead_code)]

use base::Budget;
use cfa::{MachineModel, Program};
use cfront::sema;
use interp::{Config, Env, Library, ListInputs, Outcome};
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

/// Lowers a program that has no directives.
pub fn lower(text: &str, machine: MachineModel) -> c2cfa::Lowered {
    let checked = match machine {
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
        MachineModel::Llp64 => Machine::Llp64,
        MachineModel::Lp32 => Machine::Lp32,
    };
    let mut source = preprocess::source_from_text("test.c", text);
    clib::libc::append_to(&mut source);
    let unit = parse::parse(&source).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let (unit, _) = sema::check(unit, source.map, checked).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let options = c2cfa::LowerOptions {
        machine,
        byte_order: base::ByteOrder::Little,
        entry: "main".into(),
        checks: Vec::new(),
        error_functions: Vec::new(),
        allocation_may_fail: false,
        environment: c2cfa::Environment::default(),
    };
    c2cfa::lower(unit, &options).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
}

/// Runs a program; inputs are zeros. Returns how it ended and what it printed.
pub fn run(program: &Program) -> (Outcome, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let budget = Budget::unlimited();
    let config = Config { library: Library::Execute, step_limit: Some(1_000_000), ..Config::default() };
    let mut env = Env {
        inputs: &mut ListInputs::default(),
        output: &mut output,
        errors: &mut errors,
        budget: &budget,
        observe: &mut (),
    };
    let run = interp::run(program, None, &config, &mut env);
    (run.outcome, String::from_utf8_lossy(&output).into_owned())
}

/// The edges of a function, one a line, locations numbered from its entry in the order in which they are met.
pub fn listing(program: &Program, name: &str) -> String {
    let func = program.function_named(name).unwrap_or_else(|| panic!("no function {name}"));
    let body = program.functions[func].body.unwrap_or_else(|| panic!("no body of {name}"));
    let mut order = vec![body.entry];
    let mut next = 0;
    while let Some(loc) = order.get(next).copied() {
        next += 1;
        for edge in &program.locs[loc].out {
            let dst = program.edges[*edge].dst;
            if dst != body.exit && !order.contains(&dst) {
                order.push(dst);
            }
        }
    }
    order.push(body.exit);
    let number = |loc: cfa::LocId| match order.iter().position(|l| *l == loc) {
        _ if loc == body.exit => "end".to_owned(),
        Some(n) => n.to_string(),
        None => "?".to_owned(),
    };
    let mut text = String::new();
    for loc in &order {
        let labels: String = program.locs[*loc].labels.iter().map(|l| format!("{l}:")).collect();
        for edge in &program.locs[*loc].out {
            let edge = &program.edges[*edge];
            let op = cfa::display::op(program, &edge.op);
            text += &format!("{labels}{} -> {}: {op}\n", number(*loc), number(edge.dst));
        }
    }
    text
}
