//! The evidence that a run is asked for beside its verdict.

/// Whether the graph is part of the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Graph {
    /// It is not.
    #[default]
    Omit,
    /// It is part of a proof.
    Keep,
}

/// Whether a proof is checked again, without the transfer relation that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofCheck {
    /// It is not.
    #[default]
    Skip,
    /// It is; a graph that is not confirmed is no proof.
    Demand,
}

/// Whether the invariants at loop heads are part of the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Invariants {
    /// They are not.
    #[default]
    Omit,
    /// They are, where that is cheap.
    List,
}

/// What is wanted beside the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Whether the graph is part of the outcome.
    pub graph: Graph,
    /// Whether a proof is checked again.
    pub proof: ProofCheck,
    /// Whether loop invariants are part of the outcome.
    pub invariants: Invariants,
}
