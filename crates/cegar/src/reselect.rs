//! Refinement of strategy precisions: the pivot rule [beyer22, Sect. 3.2].
//!
//! Refiners of the wrapped analyses come first (`refine = refine_S . refine_W`). What they can't refute comes here: the first
//! over-approximating strategy that the path enters is refused, and the state from which it was entered, the pivot, is
//! expanded again. If there is none, the path is one of the program.

use crate::refinement_loop::Refinement;
use analysis::{AnalysisError, Arg, Cpa, NodeId, Status};
use cfa::EdgeId;
use domains::strategy::{Pivot, Strategies, Used};
use outcome::LoopAbstraction;
use transform::strategies::StrategyMap;

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
