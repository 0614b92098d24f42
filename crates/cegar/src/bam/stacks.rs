//! Abstraction of the call stack [somorjai23, Chapter 4], where recursive functions are the blocks.
//!
//! The *location stack* of a call is the list of calls that have not returned, and that call (Def. 8). An instance of a function, one of its
//! block abstractions, was explored on the stack of the call that needed it first. Entry states are reduced to the
//! function's own frame and the globals that matter to it, so that variables are bound to the frame they were made on, and states at the entry on different stacks can be
//! compared:
//!
//! * `⊑_Q`, equal stacks, is coverage within one instance.
//! * `⊑_A`, equal locations only, is coverage of the reduced entry state by that of an instance. Then the call is *popped* (Alg. 4.1): the
//!   function is not explored again, and runs go on behind the call. Where the paper leaves open what the function returns,
//!   they go on from each exit of the covering instance, together with what the function does not touch. That is a
//!   summary, and the proof checker sees that it suffices. Where the covering instance is still explored, which is how recursion ends, exits are
//!   added until there are no more ([`super::recursion`]).
//!
//! A pop by an instance whose entry state says less than that of the call can be *impossible*: the run of the instance that leads to the exit
//! is none of this call. The refiner sees all calls of an error path as they are. If it finds that all that refutes the path is tracked already, the
//! first such pop of the path joins the *stack precision* `π_Q` (Alg. 4.2), and so do all calls within it on the path at once (Sect. 6.1). Calls with these stacks
//! have instances of their own: the states at their entries have to be equal to share one.
//!
//! What follows the outermost of the calls in question is explored again, everything else stays (lazy pruning).

use analysis::Reducer;
use cfa::EdgeId;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Whether calls are popped that an instance covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Popping {
    /// They are not: entry states have to be equal.
    #[default]
    Off,
    /// They are.
    On,
}

/// Calls that have not returned, the first one first.
pub type LocationStack = Rc<[EdgeId]>;

/// The location stacks whose calls are not popped: `π_Q`.
#[derive(Clone, Default, Debug)]
pub struct StackPrecision {
    stacks: FxHashSet<LocationStack>,
}

impl StackPrecision {
    /// Whether the call with this stack is not popped.
    pub fn contains(&self, stack: &[EdgeId]) -> bool {
        self.stacks.contains(stack)
    }

    /// Adds stacks; whether one of them is new.
    pub fn extend(&mut self, stacks: impl IntoIterator<Item = LocationStack>) -> bool {
        let before = self.stacks.len();
        self.stacks.extend(stacks);
        self.stacks.len() > before
    }

    /// Number of stacks.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// Whether all calls may be popped.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }
}

/// The location stack of the call at a state of an instance that was explored on the stack `below`.
pub fn stack_of_call<C: Reducer>(cpa: &C, below: &[EdgeId], before: &C::State) -> LocationStack {
    let mut stack = below.to_vec();
    stack.extend(cpa.calls_of(before));
    stack.extend(cpa.entering(before));
    stack.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn stacks_of_the_precision_are_compared_as_wholes() {
        let [f, g] = [1, 2].map(EdgeId::from_index);
        let mut precision = StackPrecision::default();
        assert!(precision.is_empty() && !precision.contains(&[]));
        let stack = |calls: &[EdgeId]| LocationStack::from(calls);
        assert!(precision.extend([stack(&[f]), stack(&[f, g])]));
        assert!(!precision.extend([stack(&[f, g])]), "nothing new");
        assert!(precision.contains(&[f]) && precision.contains(&[f, g]));
        // Neither what lies below nor above joins by itself.
        assert!(!precision.contains(&[g]) && !precision.contains(&[f, g, g]));
        assert_eq!(precision.len(), 2);
    }
}
