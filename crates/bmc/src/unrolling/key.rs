//! Keys of unrolled locations.
//!
//! The key of an unrolled location is the sequence of loop heads and iterations that lead to it, for each frame of the call stack,
//! ended by its own position in the weak topological order (`cfa::loops`, "Unrolling"). Keys grow along every edge, so
//! taking the smallest one first visits a location after everything that leads to it: paths merge at every join.

use base::new_id;
use cfa::loops::Wto;
use cfa::{LocId, Program};
use encode::GuardId;

/// Lexicographically ordered.
pub type Key = Vec<u32>;

/// How far the unrolling of one loop is.
#[derive(Clone, Copy, Debug)]
pub struct LoopCount {
    /// Head.
    pub head: LocId,
    /// Back edges taken since the loop was entered.
    pub iteration: u32,
    /// Those of them that count against the bound.
    pub counted: u32,
    /// Guard at the head in the current iteration.
    pub start: GuardId,
    /// Whether an edge out of the loop was excluded in this iteration, by constants alone.
    pub exit_excluded: bool,
}

new_id! {
    /// A [`Frame`].
    pub struct FrameId;
}

/// A call that is being explored.
pub struct Frame {
    /// Callee.
    pub func: cfa::FuncId,
    /// Its registers.
    pub slots: encode::FrameSlots,
    /// Where it was called: caller, call edge, loops of the caller.
    pub caller: Option<(FrameId, cfa::EdgeId, Vec<LoopCount>)>,
    /// Key of the call; all keys of the frame begin with it.
    pub prefix: Key,
    /// Frames below.
    pub depth: u32,
    /// Nested calls of the same function that count against the bound.
    pub counted: u32,
    /// Guard at the entry.
    pub entry_guard: GuardId,
}

/// The key of `loc` in `frame` within `loops`, with the number of a fork behind it: runs of forks don't meet others, in whatever order they are taken.
pub fn key(wto: &Wto, frame: &Frame, loops: &[LoopCount], loc: LocId, fork: Option<u32>) -> Key {
    // Keys are long where calls are deep.
    let mut key = Vec::with_capacity(frame.prefix.len() + 2 * loops.len() + 1 + usize::from(fork.is_some()));
    key.extend_from_slice(&frame.prefix);
    for l in loops {
        key.push(wto.pos(l.head));
        key.push(l.iteration);
    }
    key.push(wto.pos(loc));
    key.extend(fork);
    key
}

/// The loops around the target of an edge that is no back edge: those that stay, and entered ones at iteration 0.
pub fn enter(wto: &Wto, loops: &[LoopCount], loc: LocId, guard: GuardId) -> Vec<LoopCount> {
    let heads = wto.heads(loc);
    let mut result: Vec<LoopCount> = Vec::with_capacity(heads.len());
    for (i, head) in heads.iter().enumerate() {
        match loops.get(i) {
            Some(l) if l.head == *head && result.len() == i => result.push(*l),
            _ => {
                result.push(LoopCount { head: *head, iteration: 0, counted: 0, start: guard, exit_excluded: false });
            }
        }
    }
    result
}

/// Marks the loops that an edge to `dst` would leave: the edge is excluded by constants.
pub fn exclude_exit(wto: &Wto, program: &Program, loops: &mut [LoopCount], dst: LocId) {
    for l in loops {
        if program.locs[l.head].func != program.locs[dst].func || !wto.contains(l.head, dst) {
            l.exit_excluded = true;
        }
    }
}
