//! Runs that come back to a state: a shortest run to the error never does [biere99, sheeran00].
//!
//! [`Visits`] remembers the states at the head of each loop. When runs go on beyond the bound, and none of them is *simple* — visits no
//! state of a loop's head twice — then the bound is complete: cutting the part between equal states out of a run to an error leaves a
//! run to the same error, and a shortest one is within the bound. Whether two states are equal is asked where
//! a model says so, instead of for all pairs at once.
//!
//! States are compared in the values of live registers. Where memory differs, or an object was made in between, they count as different.

use crate::unrolling::key::Key;
use cfa::live::Live;
use cfa::{FuncId, LocId};
use encode::{Encoder, FrameSlots, State};
use smt::{Model, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// No more states of one loop are compared.
const MAX_VISITS: usize = 512;
/// Up to so many visits of a loop, all pairs are excluded as soon as one is equal: one hard question beats many.
const MAX_ALL_PAIRS: usize = 64;
/// States that differ in more registers are taken for different: they hardly ever come back.
const MAX_DIFFERENCES: usize = 64;

/// Where a loop is entered: frame, iterations of the loops around it, head; the state of the observer.
type Place = (Key, u8);

struct Visit {
    state: State,
    /// Objects made up to here, on any path.
    objects: usize,
    /// Back edges that count against the bound.
    counted: u32,
}

/// The states at one loop's head.
struct Loop {
    head: LocId,
    func: FuncId,
    frame: FrameSlots,
    visits: Vec<Visit>,
}

/// The states at the heads of loops.
#[derive(Default)]
pub struct Visits {
    loops: BTreeMap<Place, Loop>,
}

/// A pair of visits of one loop, by the loop's number.
type Pair = (usize, usize, usize);

impl Visits {
    /// Remembers a state; `counted` is the number of iterations that count against the bound.
    pub fn record(
        &mut self,
        enc: &Encoder<'_>,
        (place, head, frame): (Place, LocId, FrameSlots),
        state: &State,
        counted: u32,
    ) {
        let func = enc.program.locs[head].func;
        let found = self.loops.entry(place).or_insert_with(|| Loop { head, func, frame, visits: Vec::new() });
        let is_new = found.visits.last().is_none_or(|last| counted > last.counted);
        if is_new && found.visits.len() < MAX_VISITS {
            found.visits.push(Visit { state: state.clone(), objects: enc.objects.len(), counted });
        }
    }

    /// The registers in which two states of a loop differ, as pairs of terms; `None` if they are taken for different.
    fn differences(&self, enc: &Encoder<'_>, live: &Live, l: &Loop, a: &Visit, b: &Visit) -> Option<Vec<[TermId; 2]>> {
        if a.objects != b.objects || a.state.external != b.state.external {
            return None;
        }
        let mut same_memory = true;
        a.state.memory.for_each_difference(&b.state.memory, |_, _, _| same_memory = false);
        if !same_memory {
            return None;
        }
        let own = l.frame.0..l.frame.0 + enc.slots.frame_size(l.func);
        let mut found = Some(Vec::new());
        a.state.slots.for_each_difference(&b.state.slots, |slot, x, y| {
            if own.contains(&slot) && !live.is_live(l.head, slot - l.frame.0) {
                return;
            }
            match (x, y, &mut found) {
                (Some(x), Some(y), Some(list)) if list.len() < MAX_DIFFERENCES => list.push([*x, *y]),
                _ => found = None,
            }
        });
        found
    }

    /// The formulas that exclude the pairs of equal states that the model has, and further ones of the same loops: all, or
    /// those as far from each other; empty if its run is simple. `known` are the pairs that were excluded before.
    fn exclude(&self, enc: &mut Encoder<'_>, live: &Live, model: &Model, known: &mut BTreeSet<Pair>) -> Vec<TermId> {
        let mut pairs = Vec::new();
        let mut eval = model.evaluator(&enc.terms);
        for (number, l) in self.loops.values().enumerate() {
            let mut distances = BTreeSet::new();
            for (j, later) in l.visits.iter().enumerate().skip(1) {
                if !eval.satisfies(enc.guards.formula(later.state.guard)) {
                    break;
                }
                for (i, earlier) in l.visits[..j].iter().enumerate().rev() {
                    let equal = self
                        .differences(enc, live, l, earlier, later)
                        .is_some_and(|list| list.iter().all(|[x, y]| eval.eval(*x) == eval.eval(*y)));
                    if equal {
                        distances.insert(j - i);
                        break;
                    }
                }
            }
            if !distances.is_empty() && l.visits.len() <= MAX_ALL_PAIRS {
                distances = (1..l.visits.len()).collect();
            }
            for distance in distances {
                pairs.extend((distance..l.visits.len()).map(|j| (number, j - distance, j)));
            }
        }
        let loops: Vec<&Loop> = self.loops.values().collect();
        let mut formulas = Vec::new();
        for (number, i, j) in pairs {
            let l = loops[number];
            let (earlier, later) = (&l.visits[i], &l.visits[j]);
            let Some(list) = self.differences(enc, live, l, earlier, later) else { continue };
            if !known.insert((number, i, j)) {
                continue;
            }
            let unequal: Vec<TermId> = list
                .iter()
                .map(|[x, y]| {
                    let equal = enc.terms.eq(*x, *y);
                    enc.terms.not(equal)
                })
                .collect();
            let unequal = enc.terms.or_all(&unequal);
            let reached = enc.guards.formula(later.state.guard);
            formulas.push(enc.terms.implies(reached, unequal));
        }
        formulas
    }
}

/// The search for a simple run among the runs that a formula describes.
pub struct SimpleRuns<'a> {
    visits: &'a Visits,
    live: &'a Live,
    known: BTreeSet<Pair>,
}

impl<'a> SimpleRuns<'a> {
    /// A search that has excluded nothing yet.
    pub fn new(visits: &'a Visits, live: &'a Live) -> Self {
        Self { visits, live, known: BTreeSet::new() }
    }

    /// What the model's run is no counterexample for: formulas that it violates and every simple run satisfies. Empty if the run is
    /// simple.
    pub fn refine(&mut self, enc: &mut Encoder<'_>, model: &Model) -> Vec<TermId> {
        self.visits.exclude(enc, self.live, model, &mut self.known)
    }
}
