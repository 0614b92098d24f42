//! The task of a verification algorithm: the program, the property, solvers, and a replay.
//!
//! Also what algorithms share that are otherwise strangers: [`path_check`], the [`script`] of a model, and why a run ends
//! ([`unmodelled`]).

pub mod evidence;
pub mod excluded;
pub mod path_check;
pub mod script;
pub mod unmodelled;

use cfa::loops::Wto;
use cfa::{Observer, Program};
use encode::Encoder;
use encode::encoder::MayPointTo;
use interp::Scripted;
use outcome::{Counterexample, StopReason};
use smt::Solver;
use std::sync::Arc;
use transform::strategies::StrategyMap;

/// What a run of the algorithm works with.
pub struct Task<'a, 'p> {
    /// The program; its edges have the ids of the program that is replayed.
    pub program: &'p Program,
    /// Its loops.
    pub wto: &'a Wto,
    /// The property.
    pub observer: &'a Observer,
    /// Strategies for loops that the program contains; empty if it has none.
    pub strategies: &'a Arc<StrategyMap>,
    /// Makes a solver for one query.
    pub solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// Makes a solver for many small queries.
    pub incremental: &'a dyn Fn() -> Box<dyn Solver>,
    /// Which objects a pointer of unknown origin may point to.
    pub may_point_to: &'p (dyn Fn(cfa::ExprId, encode::ObjectKind) -> bool + 'p),
    /// Replays a run with the interpreter; `Err` says what happened instead of the error.
    pub replay: &'a dyn Fn(Scripted) -> Result<Counterexample, StopReason>,
    /// Replays a run to undefined behaviour; `None` if it meets none.
    pub to_undefined: &'a dyn Fn(Scripted) -> Option<Counterexample>,
}

impl<'a, 'p> Task<'a, 'p> {
    /// The same task for a program that has some of the runs, with its loops.
    pub fn of_part<'b>(&self, program: &'b Program, wto: &'b Wto) -> Task<'b, 'b>
    where
        'a: 'b,
        'p: 'b,
    {
        Task { program, wto, ..*self }
    }

    /// An encoder of the program.
    ///
    /// # Errors
    /// If the program is too large: its variables have no room in memory.
    pub fn encoder(&self) -> Result<Encoder<'p>, StopReason> {
        let may_point_to: MayPointTo<'p> = Box::new(self.may_point_to);
        Encoder::new(self.program, may_point_to).map_err(|what| StopReason::TooLarge { what: what.into() })
    }
}
