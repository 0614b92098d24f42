//! What is proved beside an answer.

use crate::assumption::{self, Assumption};
use cfa::EdgeId;
use std::collections::BTreeSet;

/// A proof that no run takes certain edges that break the property; what others do is not decided.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PartialProof {
    /// The edges.
    pub edges: BTreeSet<EdgeId>,
    /// What that rests on.
    pub assumptions: Vec<Assumption>,
}

impl PartialProof {
    /// Adds what another one proves.
    pub fn add(&mut self, other: PartialProof) {
        self.edges.extend(other.edges);
        assumption::add(&mut self.assumptions, &other.assumptions);
    }
}
