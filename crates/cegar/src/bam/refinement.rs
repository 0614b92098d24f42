//! Refines block abstractions: in place [beyer18bam, Alg. 2], or copy-on-write [beyer18bam, Alg. 3].
//!
//! Both remove the subgraph below the cut state from the graph that it is in, and in each graph around it along the error path
//! what follows the entrance of the block. In place, a block abstraction *becomes* the changed one, and whoever else refers to it
//! refers to a hole, which is computed again when an error path needs it. With copy-on-write, a flat copy is changed, and the original stays for
//! all others, so that the graph of the whole program is complete at any time.
//!
//! Progress [beyer18bam, Sect. 2.4]: precisions only grow. The entrances along the path are promised the changed abstractions, so what
//! follows the cut state is explored again with the new precision, and states before it stay.

use super::abstraction::AbstractionId;
use super::abstraction::BlockAbstraction;
use super::abstractions::Abstractions;
use analysis::{NodeId, Reducer};

/// How block abstractions are refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BamRefinement {
    /// They are changed, which makes holes.
    InPlace,
    /// Copies of them are.
    #[default]
    CopyOnWrite,
}

/// Where an error path is cut.
pub enum Cut {
    /// The subtree of this node is removed.
    At(AbstractionId, NodeId),
    /// Everything below this node is.
    Below(AbstractionId, NodeId),
}

/// Cuts an error path; `around` are the entrances around the cut, the innermost first.
pub fn cut<C: Reducer>(
    cpa: &mut C,
    abstractions: &mut Abstractions<C>,
    precision: &C::Precision,
    kind: BamRefinement,
    cut: &Cut,
    around: &[(AbstractionId, NodeId)],
) {
    let (Cut::At(id, _) | Cut::Below(id, _)) = *cut;
    let mut changed = change(cpa, abstractions, precision, kind, id, |cpa, abstraction| match *cut {
        Cut::At(_, node) => {
            let Some(parent) = abstraction.graph.arg.parent(node) else { return };
            abstraction.remove_subtree(cpa, node);
            abstraction.graph.requeue(cpa, parent);
        }
        Cut::Below(_, node) => abstraction.clear_below(cpa, node),
    });
    for (outer, entrance) in around {
        changed = change(cpa, abstractions, precision, kind, *outer, |cpa, abstraction| {
            abstraction.clear_below(cpa, *entrance);
            if let Some(changed) = changed {
                abstraction.entered.insert(*entrance, changed);
            }
        });
    }
}

/// Changes an abstraction or a copy of it, and registers the result.
fn change<C: Reducer>(
    cpa: &mut C,
    abstractions: &mut Abstractions<C>,
    precision: &C::Precision,
    kind: BamRefinement,
    id: AbstractionId,
    apply: impl FnOnce(&mut C, &mut BlockAbstraction<C>),
) -> Option<AbstractionId> {
    // Nobody refers to the graph of the whole program.
    if id == abstractions.whole() {
        let mut whole = abstractions.take(id)?;
        whole.complete = false;
        apply(cpa, &mut whole);
        abstractions.put(id, whole);
        return Some(id);
    }
    let mut new = match kind {
        BamRefinement::InPlace => abstractions.take(id)?,
        BamRefinement::CopyOnWrite => {
            abstractions.counts.copies += 1;
            abstractions.get(id)?.copy()
        }
    };
    new.complete = false;
    apply(cpa, &mut new);
    let new = abstractions.add(new);
    if kind == BamRefinement::InPlace {
        abstractions.rename(id, new);
    }
    abstractions.register(cpa, precision, new);
    Some(new)
}
