//! What is asked of acceleration, and what it reports: sizes, and what it gave up and why.

use outcome::Statistics;
use std::collections::BTreeMap;

/// What is done to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Accelerators are added.
    Accelerate,
    /// Accelerators are added and redundant traces removed.
    Restrict,
}

/// Which paths are accelerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accesses {
    /// Those that access memory at fixed places, at most.
    Fixed,
    /// Also those that access memory at places that move. What they do is harder to decide than a few iterations are.
    Moving,
}

/// What is asked of acceleration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// What is done.
    pub mode: Mode,
    /// For which paths.
    pub accesses: Accesses,
}

/// Why something has no accelerator, or less is known of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GivenUp {
    /// The program can't be encoded for the solver: loops that are not looked at.
    Encoding,
    /// An inner loop has no accelerators: loops around it.
    InnerLoop,
    /// There are too many paths: loops.
    ManyPaths,
    /// Some paths are too long: loops.
    LongPath,
    /// Something on it has no description: paths.
    Operation,
    /// It has no closed form or no bound: paths.
    ClosedForm,
    /// They access memory at places that move: accelerators that were not asked for.
    Moving,
    /// The solver refutes them or does not decide in time: accelerators.
    Unconfirmed,
    /// There are too many accelerators to ask whether they commute: loops.
    Commuting,
}

impl GivenUp {
    /// Name of the count.
    fn name(self) -> &'static str {
        match self {
            GivenUp::Encoding => "accelerate.given_up.encoding",
            GivenUp::InnerLoop => "accelerate.given_up.inner_loop",
            GivenUp::ManyPaths => "accelerate.given_up.many_paths",
            GivenUp::LongPath => "accelerate.given_up.long_path",
            GivenUp::Operation => "accelerate.given_up.operation",
            GivenUp::ClosedForm => "accelerate.given_up.closed_form",
            GivenUp::Moving => "accelerate.given_up.moving",
            GivenUp::Unconfirmed => "accelerate.given_up.unconfirmed",
            GivenUp::Commuting => "accelerate.given_up.commuting",
        }
    }
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Loops that are looked at: those without inner loops, and those around loops that have accelerators.
    pub loops: usize,
    /// Looping paths.
    pub paths: usize,
    /// Accelerators.
    pub accelerators: usize,
    /// Those whose iterations pass inner loops.
    pub nests: usize,
    /// Those whose iterations and repetitions are redundant.
    pub exact: usize,
    /// Questions to the solver.
    pub queries: u64,
    /// Edges before.
    pub edges_before: usize,
    /// Edges after acceleration.
    pub edges_accelerated: usize,
    /// Edges at the end.
    pub edges_after: usize,
    /// States of the trace automata.
    pub states: usize,
    /// States before minimisation.
    pub unminimised: usize,
    /// Transitions of the trace automata.
    pub transitions: usize,
    /// Most accelerations in a row that trace automata leave where accelerations commute.
    pub row: usize,
    /// What was given up, and how often.
    pub given_up: BTreeMap<GivenUp, usize>,
}

impl Report {
    /// Counts what was given up.
    pub fn give_up(&mut self, why: GivenUp, how_many: usize) {
        *self.given_up.entry(why).or_default() += how_many;
    }

    /// The sizes as statistics; of what was given up, those that are not zero.
    pub fn statistics(&self) -> Statistics {
        let mut stats = Statistics::default();
        let grown = |after: usize| (after as u64 * 100 / self.edges_before.max(1) as u64).saturating_sub(100);
        stats.count("accelerate.loops", self.loops);
        stats.count("accelerate.paths", self.paths);
        stats.count("accelerate.accelerators", self.accelerators);
        stats.count("accelerate.nests", self.nests);
        stats.count("accelerate.exact", self.exact);
        for (why, how_many) in self.given_up.iter().filter(|(_, how_many)| **how_many > 0) {
            stats.count(why.name(), *how_many);
        }
        stats.count("accelerate.queries", self.queries);
        stats.count("accelerate.edges", self.edges_after);
        stats.count("accelerate.growth_percent", grown(self.edges_accelerated));
        stats.count("automata.states", self.states);
        stats.count("automata.unminimised", self.unminimised);
        stats.count("automata.transitions", self.transitions);
        let growth = grown(self.edges_after).saturating_sub(grown(self.edges_accelerated));
        stats.count("automata.growth_percent", growth);
        stats
    }
}
