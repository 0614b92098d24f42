//! The walk that follows each run on its own until it gets to a point of interest.

use crate::kernel::{At, Domain, Kernel, Moved, Outcome, Via};
use cfa::EdgeId;
use std::ops::ControlFlow;

/// A domain whose runs are followed one by one.
pub trait DepthFirst: Domain {
    /// Why a walk ends before its runs do.
    type Error;

    /// Whether runs that have just arrived stop there. `parted` tells whether they have parted from others on the way, and
    /// `via` how they came.
    fn stops(&self, at: At<Self::Stack>, parted: bool, via: Via) -> bool;

    /// Called before each step.
    ///
    /// # Errors
    /// When the run of the analysis has to end.
    fn tick(&mut self) -> Result<(), Self::Error>;
}

/// Where followed runs ended.
pub struct Leaf<D: Domain + ?Sized> {
    /// Where.
    pub at: At<D::Stack>,
    /// What they ended with; [`Outcome::Arrived`] at a point of interest.
    pub outcome: Outcome,
    /// The runs.
    pub state: D::State,
    /// Their last step in the trail.
    pub last: u32,
}

/// The steps of a walk: the edge of each, and the number of the step before.
#[derive(Default)]
pub struct Trail(Vec<(EdgeId, u32)>);

/// The number before the first step.
const START: u32 = u32::MAX;

impl Trail {
    fn push(&mut self, via: Via, before: u32) -> u32 {
        let edge = match via {
            Via::Edge(edge) => edge,
            // A return has no edge of its own.
            Via::Return(_) => return before,
        };
        self.0.push((edge, before));
        self.0.len() as u32 - 1
    }

    /// The edge of a step; `None` before the first one.
    pub fn edge(&self, step: u32) -> Option<EdgeId> {
        self.0.get(step as usize).map(|(edge, _)| *edge)
    }

    /// The edges up to a step, in their order.
    pub fn edges_to(&self, mut last: u32) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        while let Some((edge, before)) = self.0.get(last as usize) {
            edges.push(*edge);
            last = *before;
        }
        edges.reverse();
        edges
    }
}

struct Pending<D: Domain + ?Sized> {
    moved: Moved<D>,
    parted: bool,
    last: u32,
}

/// Follows runs from a place until they stop, violate the property, or get to what is not modelled. `leaf` gets each end, in the
/// order of a depth-first search that takes edges in their order, and says whether to go on.
///
/// # Errors
/// When the run of the analysis has to end.
pub fn depth_first<D: DepthFirst + ?Sized>(
    kernel: &Kernel<'_>,
    domain: &mut D,
    (at, state): (At<D::Stack>, D::State),
    trail: &mut Trail,
    mut leaf: impl FnMut(&mut D, &Trail, Leaf<D>) -> ControlFlow<()>,
) -> Result<(), D::Error> {
    trail.0.clear();
    let mut pending: Vec<Pending<D>> = Vec::new();
    let mut moved = Vec::new();
    let mut result = domain.tick();
    if result.is_ok() {
        kernel.step(domain, at, state, &mut moved);
    }
    let (mut parted, mut last) = (false, START);
    while result.is_ok() {
        parted |= moved.len() > 1;
        for moved in moved.drain(..).rev() {
            let last = trail.push(moved.via, last);
            pending.push(Pending { moved, parted, last });
        }
        let Some(next) = pending.pop() else { break };
        let Moved { via, at, outcome, state, .. } = next.moved;
        (parted, last) = (next.parted, next.last);
        if outcome != Outcome::Arrived || domain.stops(at, parted, via) {
            if leaf(domain, trail, Leaf { at, outcome, state, last }).is_break() {
                break;
            }
            continue;
        }
        result = domain.tick();
        kernel.step(domain, at, state, &mut moved);
    }
    pending.into_iter().for_each(|pending| domain.discard(pending.moved.state));
    result
}
