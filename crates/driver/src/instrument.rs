//! The program with accelerated loops, without verification.

use crate::failure::Failure;
use crate::job::Job;
use crate::prepare::prepare;
use crate::run::load;
use base::{Budget, Diagnostic};
use cfa::Program;
use outcome::{Silent, Statistics};
use smt::Solver;
use smt_z3::Z3Solver;
use transform::accelerate::accelerate;
pub use transform::accelerate::report::Mode;
use transform::accelerate::report::{Accesses, Config};

/// A transformed program.
pub struct Instrumented {
    /// The program.
    pub program: Program,
    /// What was done: accelerators, sizes, growth.
    pub statistics: Statistics,
}

/// Accelerates the loops of a program.
///
/// # Errors
/// If the program can't be read.
pub fn instrument(job: &Job, mode: Mode) -> Result<Instrumented, Failure> {
    let loaded = load(job, &Silent)?;
    let prepared = prepare(loaded.program, &mut Statistics::default());
    let solver = || Box::new(Z3Solver::new(smt_z3::Mode::OneShot)) as Box<dyn Solver>;
    let how = Config { mode, accesses: Accesses::Moving };
    let done = accelerate(&prepared.program, &job.property.observer, how, &solver, &Budget::unlimited())
        .map_err(|_| Failure::new(Diagnostic::error("E0052", None, "the program is too large".to_owned())))?;
    Ok(Instrumented { statistics: done.report.statistics(), program: done.program })
}
