//! What a look at a path has taught.

use domains::predicate::PredicateState;
use domains::predicate::block::At;
use outcome::StopReason;
use rustc_hash::FxHashMap;
use smt::Model;

/// What a refutation has taught.
pub(crate) struct Learned {
    /// Number of new uses of predicates.
    pub added: u64,
    /// For each cut, whether there are new predicates.
    pub lacks: Vec<bool>,
    /// For each cut, whether anything is needed there.
    pub speaks: Vec<bool>,
}

impl Learned {
    /// Nothing at any of the cuts.
    pub fn nothing(cuts: usize) -> Self {
        Self { added: 0, lacks: vec![false; cuts], speaks: vec![false; cuts] }
    }
}

/// Whether a run takes a path.
pub(crate) enum Checked {
    /// One does.
    Feasible(Model),
    /// None does.
    Infeasible,
    /// Not decided.
    Unknown(StopReason),
}

/// How often a path visits the place that it visits most often.
pub(crate) fn visits(states: &[PredicateState]) -> u32 {
    let mut visits: FxHashMap<At, u32> = FxHashMap::default();
    states.iter().for_each(|state| *visits.entry(state.start().at).or_default() += 1);
    visits.into_values().max().unwrap_or(0)
}

/// The name of the count of paths that an engine refuted.
pub(crate) fn accepted(engine: &str) -> &'static str {
    match engine {
        "bw-bin" => "refuted.bw-bin",
        "fw-bin" => "refuted.fw-bin",
        "horn" => "refuted.horn",
        "linear" => "refuted.linear",
        "newton-it-sp-lv" => "refuted.newton-sp",
        "newton-it-wp-lv" => "refuted.newton-wp",
        _ => "refuted.other",
    }
}
