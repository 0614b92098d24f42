//! What is counted where the checker unwinds loops and recursion.

use base::Budget;
use bmc::unrolling::key::LoopCount;
use bmc::unrolling::prune::Pruner;
use cfa::EdgeId;
use cfa::loops::Wto;
use encode::guard::GuardId;
use task::Task;

/// How far loops are unwound.
pub(super) struct Unwinding<'t> {
    /// Most iterations, and most nested calls of a function, that constants don't decide.
    pub most: u32,
    /// Finds recursive calls that no run makes.
    pub pruner: Pruner<'t>,
    /// Branches that no run of the current step takes.
    pub blocked: Vec<EdgeId>,
}

/// What is counted in a frame.
#[derive(Clone, Default)]
pub struct Counts {
    /// The loops around the location, the outermost first.
    pub loops: Vec<LoopCount>,
    /// Nested calls of the function up to this one that count.
    pub depth: u32,
    /// Under which condition it was entered.
    pub entered: Option<GuardId>,
}

impl<'t> Unwinding<'t> {
    /// No loop was unwound yet.
    pub fn new(task: &'t Task<'t, '_>, most: u32, budget: &'t Budget) -> Self {
        Self { most, pruner: Pruner::new(task.incremental, budget), blocked: Vec::new() }
    }
}

impl Counts {
    /// Adds the loops to a key.
    pub fn add_to(&self, key: &mut Vec<u32>, wto: &Wto) {
        key.extend(self.loops.iter().flat_map(|l| [wto.pos(l.head), l.iteration]));
    }

    /// Of runs that meet, whose iterations are the same.
    pub fn join(&mut self, other: &Self) {
        for (a, b) in self.loops.iter_mut().zip(&other.loops) {
            a.counted = a.counted.max(b.counted);
            a.exit_excluded |= b.exit_excluded;
        }
    }
}
