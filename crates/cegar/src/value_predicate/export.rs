//! The abstract reachability graph of the product as a proof checker reads it.
//!
//! Without predicates it is that of the value analysis. With them only the nodes remain at which blocks end; each leads to those
//! that the nodes in between lead to. What is known of values becomes a part of the formulas.

use crate::predicate::export::{Exporter, order};
use crate::value::export::export_values;
use analysis::{AnalysisError, Arg, NodeId, Status};
use domains::value_predicate::past::Past;
use domains::value_predicate::{ValuePredicateCpa, ValuePredicateState};
use proof::graph::{Next, ProofGraph, ProofNode};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

/// All nodes, the root first.
///
/// # Errors
/// When the budget ends.
pub fn export(
    cpa: &mut ValuePredicateCpa<'_, '_>,
    arg: &Arg<ValuePredicateState>,
) -> Result<ProofGraph, AnalysisError> {
    if !uses_predicates(cpa, arg) {
        return export_values(&mut cpa.values, arg, |state| state.values);
    }
    let mut graph = ProofGraph::default();
    graph.strategies.lists = cpa.predicates.strategies.selections().to_vec();
    let program = cpa.predicates.enc.program;
    graph.points.extend(program.locs.ids().filter(|loc| cpa.predicates.is_point(*loc)));
    let mut exporter = Exporter::new(&cpa.predicates, &mut graph);
    let order = points(cpa, arg);
    let numbers: FxHashMap<NodeId, usize> = order.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    for id in &order {
        let next = match (arg.status(*id), arg.covered_by(*id).and_then(|upper| numbers.get(&upper))) {
            (Status::Covered, Some(upper)) => Next::Covered(*upper),
            (Status::Expanded, _) => reach(arg, *id, &numbers),
            _ => Next::Open,
        };
        let state = *arg.state(*id);
        let Past::Point { start, abstraction } = cpa.pasts.get(state.past) else { continue };
        graph.strategies.of_node.push(state.values.strategy.index());
        let mut known = vec![cpa.predicates.formula(abstraction)];
        for (var, value) in cpa.facts(state.values.value, start.shape) {
            known.push(cpa.predicates.enc.terms.eq(var, value));
        }
        let formulas: Vec<TermId> =
            known.into_iter().filter_map(|known| exporter.formula(&cpa.predicates, &mut graph, known)).collect();
        let (facts, objects) = start.shape.map(|shape| exporter.shape(&cpa.predicates, shape)).unwrap_or_default();
        graph.nodes.push(ProofNode {
            loc: state.values.loc,
            bottom: None,
            calls: cpa.values.value.stacks.calls(state.values.stack),
            observer: state.values.observer,
            facts,
            formulas: formulas.into_iter().filter(|f| !graph.formulas.terms.is_true(*f)).collect(),
            objects,
            next,
        });
    }
    Ok(graph)
}

/// Whether the states of a graph know more than values.
pub fn uses_predicates(cpa: &ValuePredicateCpa<'_, '_>, arg: &Arg<ValuePredicateState>) -> bool {
    arg.root().is_some_and(|root| arg.state(root).past != cpa.pasts.unused())
}

/// The nodes at which blocks begin, the root first.
pub fn points(cpa: &ValuePredicateCpa<'_, '_>, arg: &Arg<ValuePredicateState>) -> Vec<NodeId> {
    let is_point = |id: &NodeId| matches!(cpa.pasts.get(arg.state(*id).past), Past::Point { .. });
    order(arg).into_iter().filter(is_point).collect()
}

/// The nodes at which the blocks that begin at a node end.
fn reach(arg: &Arg<ValuePredicateState>, from: NodeId, numbers: &FxHashMap<NodeId, usize>) -> Next {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work: Vec<NodeId> = arg.children(from).collect();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match (numbers.get(&id), arg.status(id)) {
            (Some(number), _) => found.push(*number),
            (None, Status::Expanded) => work.extend(arg.children(id)),
            (None, Status::Covered) => work.extend(arg.covered_by(id)),
            (None, _) => return Next::Open,
        }
    }
    found.sort_unstable();
    Next::Reach(found)
}
