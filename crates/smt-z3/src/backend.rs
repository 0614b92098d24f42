//! The factory of this backend's engines.

use crate::{EscalatingSolver, Mode, Z3Horn, Z3Solver};
use smt::Solver;
use smt::horn::HornSolver;

/// Makes engines of Z3.
#[derive(Clone, Copy, Default, Debug)]
pub struct Z3Backend;

impl smt::Backend for Z3Backend {
    fn incremental(&self) -> Box<dyn Solver> {
        Box::new(Z3Solver::new(Mode::Incremental))
    }

    fn quick(&self) -> Box<dyn Solver> {
        Box::<EscalatingSolver>::default()
    }

    fn one_shot(&self) -> Box<dyn Solver> {
        Box::new(Z3Solver::new(Mode::OneShot))
    }

    fn horn(&self) -> Option<Box<dyn HornSolver>> {
        Some(Box::new(Z3Horn::default()))
    }
}
