//! Makes the engines of one backend, so that crates that need several of them depend on none.

use crate::horn::HornSolver;
use crate::solver::Solver;

/// A factory of engines; nothing is started before the first query.
pub trait Backend {
    /// A solver for many related queries.
    fn incremental(&self) -> Box<dyn Solver>;

    /// A solver for very many easy queries.
    fn quick(&self) -> Box<dyn Solver> {
        self.incremental()
    }

    /// A solver for queries of their own.
    fn one_shot(&self) -> Box<dyn Solver>;

    /// An engine for Horn clauses; `None` if the backend has none.
    fn horn(&self) -> Option<Box<dyn HornSolver>>;
}
