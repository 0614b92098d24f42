//! Refines the precision of the value analysis on a path that contradicts itself.
//!
//! The best of the path's infeasible sliced prefixes is chosen, and what its interpolants mention joins the precision. What dynamic
//! adjustment has dropped does not come back: prefixes that need it are of no use.

use super::{Prefixes, interpolants};
use crate::refinement_loop::{ErrorPath, Refinement};
use analysis::NodeId;
use cfa::EdgeId;
use domains::composite::{Composite, CompositeCpa};
use domains::value::cells::{CellId, Key, KeyId};
use domains::value::precision::ValuePrecision;
use domains::value::trace::{Contradiction, PathTrace};
use outcome::{StatValue, Statistics};
use refine::pivot::find_pivot;
use refine::prefix::{Score, select};
use rustc_hash::FxHashSet;

/// How many steps of exploration between two refinements make it expensive, so that more is learned from each path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From here on, prefixes with [`FEW`] new variables are taken besides the chosen one.
    pub some: u64,
    /// From here on, all are.
    pub all: u64,
}

impl Patience {
    /// For one graph.
    pub const GRAPH: Self = Self { some: 20_000, all: 200_000 };
    /// For block abstractions: a block is explored to all of its ends before what follows it, and each variable that
    /// is tracked while those that decide about it are not doubles them.
    pub const BLOCKS: Self = Self { some: 2_000, all: 2_000 };
}

/// Most new variables of a prefix that is taken besides the chosen one.
const FEW: u32 = 2;

/// Refines precisions of one run.
pub struct ValueRefinement {
    prefixes: Prefixes,
    /// Sliced prefixes seen.
    prefixes_seen: u64,
    /// Edges of the longest path.
    longest: usize,
    /// Steps of the exploration before the last refinement.
    steps: u64,
    patience: Patience,
}

/// A sliced prefix with what it needs at each boundary.
struct Prefix<'c> {
    contradiction: &'c Contradiction,
    needs: Vec<Vec<CellId>>,
}

impl ValueRefinement {
    /// Refinement that interpolates these contradictions.
    pub fn new(prefixes: Prefixes) -> Self {
        Self { prefixes, prefixes_seen: 0, longest: 0, steps: 0, patience: Patience::GRAPH }
    }

    /// The same with another patience.
    pub fn patient(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        stats.count("value.prefixes", self.prefixes_seen);
        stats.count("value.longest_path", self.longest);
    }

    /// Follows a path with everything tracked.
    pub fn follow(&mut self, cpa: &mut CompositeCpa<'_>, path: &[EdgeId]) -> PathTrace {
        self.longest = self.longest.max(path.len());
        PathTrace::follow(&mut cpa.value, &cpa.locations, path)
    }

    /// Makes the precision exclude the path, which has contradictions; `None` if no precision can.
    pub fn refine(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        state_of: impl Fn(NodeId) -> Composite,
        precision: &mut ValuePrecision,
        path: &ErrorPath,
        trace: &PathTrace,
    ) -> Option<Refinement> {
        self.prefixes_seen += trace.contradictions.len() as u64;
        if precision.is_full() {
            return None;
        }
        let mut prefixes: Vec<Prefix<'_>> = trace
            .contradictions
            .iter()
            .map(|contradiction| Prefix { contradiction, needs: trace.needs(&cpa.value, contradiction) })
            .collect();
        prefixes.retain(|prefix| prefix.needs.iter().flatten().all(|cell| !cpa.adjustment.is_dropped(key(cpa, *cell))));
        let scores: Vec<Score> = prefixes.iter().map(|prefix| score(cpa, trace, precision, &prefix.needs)).collect();
        let chosen = match self.prefixes {
            Prefixes::Best => select(&scores),
            Prefixes::First => (!scores.is_empty()).then_some(0),
        }?;
        let steps = cpa.steps - std::mem::replace(&mut self.steps, cpa.steps);
        let mut also = 0;
        if steps > self.patience.some && self.prefixes == Prefixes::Best {
            let few = if steps > self.patience.all { u32::MAX } else { FEW };
            for (i, prefix) in prefixes.iter().enumerate() {
                if i == chosen || scores[i].counters > 0 || scores[i].new_variables > few {
                    continue;
                }
                for (boundary, needs) in trace.boundaries.iter().zip(&prefix.needs) {
                    for cell in needs {
                        let key = key(cpa, *cell);
                        also += u64::from(precision.track(&mut cpa.value.cells, boundary.loc, key));
                    }
                }
            }
        }
        let mut prefix = prefixes.swap_remove(chosen);
        interpolants::minimise(cpa, trace, &path.edges, prefix.contradiction, &mut prefix.needs);
        let mut added = 0;
        for (boundary, needs) in trace.boundaries.iter().zip(&prefix.needs) {
            for cell in needs {
                let key = key(cpa, *cell);
                added += u64::from(precision.track(&mut cpa.value.cells, boundary.loc, key));
            }
        }
        let pivot = find_pivot(&path.nodes, |i, node| {
            let state = state_of(node);
            let at = trace
                .boundaries
                .iter()
                .position(|b| b.edges as usize == path.positions[i] && b.loc == state.loc && b.stack == state.stack);
            let Some(needs) = at.and_then(|at| prefix.needs.get(at)) else { return false };
            let known: FxHashSet<KeyId> = cpa.store.entries(state.value).map(|(cell, _)| key(cpa, cell)).collect();
            needs.iter().any(|cell| !known.contains(&key(cpa, *cell)))
        });
        // If no state lacks anything, names of objects differ between path and states: begin again.
        let pivot = pivot.or(path.nodes.get(1).copied())?;
        let values = vec![
            ("path", StatValue::Count(path.edges.len() as u64)),
            ("prefixes", StatValue::Count(scores.len() as u64)),
            ("new", StatValue::Count(added)),
            ("also", StatValue::Count(also)),
            ("tracked", StatValue::Count(precision.len() as u64)),
        ];
        Some(Refinement::Spurious { pivot, others: Vec::new(), stale: added == 0, by: "values", values })
    }
}

/// What a precision tracks a cell as.
fn key(cpa: &CompositeCpa<'_>, cell: CellId) -> KeyId {
    cpa.value.cells.cells[cell].key
}

/// How bad it would be to track what a prefix needs.
fn score(cpa: &CompositeCpa<'_>, trace: &PathTrace, precision: &ValuePrecision, needs: &[Vec<CellId>]) -> Score {
    let mut keys: FxHashSet<KeyId> = FxHashSet::default();
    let mut score = Score::default();
    for (boundary, cells) in trace.boundaries.iter().zip(needs) {
        let tracked = precision.at(boundary.loc);
        score.width += u32::from(!cells.is_empty());
        for cell in cells {
            let info = &cpa.value.cells.cells[*cell];
            if !tracked.cell(info) && keys.insert(info.key) {
                score.new_variables += 1;
                if let Key::Register(var) = cpa.value.cells.key_of(info.key)
                    && cpa.value.is_counter(var)
                {
                    score.counters += 1;
                }
            }
        }
    }
    score
}
