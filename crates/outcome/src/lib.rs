//! The outcome of a run: a verdict with its evidence, statistics, and the assumptions that it rests on.
//!
//! Invariant: plain data. Nothing here computes, prints or knows a format; algorithms make outcomes, reports render them.

pub mod arg_view;
pub mod assumption;
pub mod checked;
pub mod counterexample;
pub mod invariant;
pub mod loops;
pub mod partial;
pub mod progress;
pub mod property;
pub mod stats;
pub mod stop_reason;
pub mod verdict;

pub use arg_view::ArgView;
pub use assumption::{Assumption, AssumptionKind};
pub use checked::{CheckResult, Status, Tally};
pub use counterexample::{
    Arrival, Counterexample, Input, InputSource, Operand, OperandKind, Step, StepKind, Visibility, Writer,
};
pub use invariant::{Contract, Extent, Invariant};
pub use loops::LoopAbstraction;
pub use partial::PartialProof;
pub use progress::{Event, Progress, Silent};
pub use property::Property;
pub use stats::{Iteration, StatValue, Statistics};
pub use stop_reason::StopReason;
pub use verdict::{Beyond, Evidence, Vacuity, Verdict};

/// Whether each check was decided on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EveryCheck {
    /// No: the first violation is the answer.
    No,
    /// Yes.
    Yes,
}

/// The result of checking one program.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Why it is right.
    pub evidence: Evidence,
    /// Why a proof says nothing.
    pub vacuity: Option<Vacuity>,
    /// What became of each check, in the order of the source; empty where that is not known.
    pub checks: Vec<CheckResult>,
    /// Whether each check was decided on its own.
    pub every_check: EveryCheck,
    /// The analysis that ended the run, where the configuration has several.
    pub analysis: Option<&'static str>,
    /// A run that meets the undefined behaviour that is the reason of an `unknown`, if one was found.
    pub run: Option<Box<Counterexample>>,
    /// The abstract reachability graph as far as it was explored, if there is one and it was asked for.
    pub graph: Option<Box<ArgView>>,
    /// What was measured and counted.
    pub stats: Statistics,
    /// What is proved, whatever the answer is.
    pub partial: Option<PartialProof>,
    /// What the answer rests on, beyond the semantics of C.
    pub assumptions: Vec<Assumption>,
    /// What a proof says about loops, by place.
    pub invariants: Vec<Invariant>,
    /// What a proof says about calls of recursive functions, by place.
    pub contracts: Vec<Contract>,
    /// Strategies that replace loops in a proof.
    pub loops: Vec<LoopAbstraction>,
    /// Further remarks for the user, one sentence each, such as where the run stopped.
    pub notes: Vec<String>,
}

impl Outcome {
    /// An outcome with this verdict and nothing else.
    pub fn new(verdict: Verdict, evidence: Evidence) -> Self {
        let stats = Statistics::default();
        let (assumptions, loops, notes) = (Vec::new(), Vec::new(), Vec::new());
        let (invariants, contracts) = (Vec::new(), Vec::new());
        let (vacuity, analysis, run, graph, partial) = (None, None, None, None, None);
        let (checks, every_check) = (Vec::new(), EveryCheck::No);
        Self {
            verdict,
            evidence,
            vacuity,
            checks,
            every_check,
            analysis,
            run,
            graph,
            stats,
            partial,
            assumptions,
            invariants,
            contracts,
            loops,
            notes,
        }
    }

    /// An `unknown` without further information.
    pub fn unknown(reason: StopReason) -> Self {
        Self::new(Verdict::Unknown(reason), Evidence::None)
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
}
