//! Refinement of strategy precisions: the pivot rule [beyer22, Sect. 3.2].
//!
//! Refiners of the wrapped analyses come first (`refine = refine_S . refine_W`). What they can't refute comes here: the first
//! over-approximating strategy that the path enters is refused, and the state from which it was entered, the pivot, is
//! expanded again. If there is none, the path is one of the program.

use crate::cegar::Refinement;
use analysis::{AnalysisError, Arg, Cpa, NodeId, Status};
use base::Id;
use cfa::EdgeId;
use cfa::strategies::{Strategy, StrategyMap};
use domains::strategy::{Pivot, Strategies};
use outcome::LoopAbstraction;
use std::collections::BTreeMap;

/// Refuses the first over-approximating strategy on a path; `positions[i]` edges lie before `nodes[i]`.
pub fn refine(
    strategies: &mut Strategies,
    nodes: &[NodeId],
    edges: &[EdgeId],
    positions: &[usize],
) -> Option<Refinement> {
    let pivot = strategies.pivot(edges)?;
    Some(refuse(strategies, pivot, nodes, positions))
}

/// Refuses the first strategy on a path, also an exact one: its runs are runs of the program, but can't be replayed.
pub fn refine_exact(
    strategies: &mut Strategies,
    nodes: &[NodeId],
    edges: &[EdgeId],
    positions: &[usize],
) -> Option<Refinement> {
    let pivot = strategies.first_entered(edges)?;
    Some(refuse(strategies, pivot, nodes, positions))
}

fn refuse(strategies: &mut Strategies, pivot: Pivot, nodes: &[NodeId], positions: &[usize]) -> Refinement {
    strategies.refuse(pivot.choice, pivot.strategy);
    // The last node that does not lie behind the edge.
    let at = positions.iter().rposition(|before| *before <= pivot.edge).unwrap_or(0);
    Refinement::Reselected { pivot: nodes.get(at).or(nodes.last()).copied() }
}

/// Collects the strategies that a proof takes, one for each loop: where there are several, the most precise one.
pub struct Used<'a> {
    map: &'a StrategyMap,
    taken: BTreeMap<usize, (Strategy, LoopAbstraction)>,
}

impl<'a> Used<'a> {
    /// None.
    pub fn new(map: &'a StrategyMap) -> Self {
        Self { map, taken: BTreeMap::new() }
    }

    /// Adds what an edge chooses.
    pub fn take(&mut self, edge: EdgeId) {
        let Some((choice, strategy)) = self.map.chosen_by(edge) else { return };
        let choice = &self.map.choices[choice];
        let abstraction = LoopAbstraction { span: choice.span, strategy: strategy.name() };
        let entry = self.taken.entry(choice.head.index()).or_insert_with(|| (strategy, abstraction.clone()));
        if strategy < entry.0 {
            *entry = (strategy, abstraction);
        }
    }

    /// All of them, in the order of the loops' heads.
    pub fn finish(self) -> Vec<LoopAbstraction> {
        self.taken.into_values().map(|(_, abstraction)| abstraction).collect()
    }
}

/// The strategies that a complete graph takes, of an analysis whose paths from node to node are single ones.
///
/// # Errors
/// When the budget ends.
pub fn used<C: Cpa>(
    cpa: &mut C,
    arg: &Arg<C::State>,
    map: &StrategyMap,
) -> Result<Vec<LoopAbstraction>, AnalysisError> {
    let mut used = Used::new(map);
    if !map.choices.is_empty() {
        for id in arg.ids() {
            let parent = arg.parent(id).filter(|parent| arg.status(*parent) == Status::Expanded);
            let Some(parent) = parent else { continue };
            let from = arg.state(parent).clone();
            cpa.path(&from, arg.node(id).choice)?.into_iter().for_each(|edge| used.take(edge));
        }
    }
    Ok(used.finish())
}
