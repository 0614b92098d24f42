//! Collects the block abstractions that the graph of the whole program refers to, and their statistics.

use super::abstraction::AbstractionId;
use super::abstractions::Abstractions;
use analysis::{Arg, NodeId, Reducer};
use rustc_hash::FxHashMap;

impl<C: Reducer> Abstractions<C> {
    /// The abstractions that the graph of the whole program refers to, itself included, and the references between them.
    fn used(&self) -> Used {
        let mut used = Used { order: vec![self.whole()], ..Used::default() };
        let mut next = 0;
        while let Some(id) = used.order.get(next).copied() {
            next += 1;
            let Some(arg) = self.arg(id) else { continue };
            let links = arg.ids().filter_map(|node| {
                let link = self.link(arg.node(node).choice)?;
                Some((arg.parent(node)?, link.abstraction))
            });
            let entered = self.get(id).into_iter().flat_map(|a| &a.entered).map(|(node, id)| (*node, *id));
            let mut references: Vec<(NodeId, AbstractionId)> = links.chain(entered).collect();
            references.sort_unstable();
            for (before, inner) in references {
                if !used.entered_from.contains_key(&inner) && inner != self.whole() {
                    used.entered_from.insert(inner, (id, before));
                    used.order.push(inner);
                }
            }
        }
        used
    }

    /// The abstractions that the graph of the whole program refers to, itself first.
    pub fn reachable(&self) -> Vec<AbstractionId> {
        self.used().order
    }

    /// A reference to an abstraction that has become another one: the entrances around it, the innermost first.
    pub fn hole(&self) -> Option<Vec<(AbstractionId, NodeId)>> {
        let used = self.used();
        let hole = used.order.iter().find(|id| self.get(**id).is_none())?;
        let first = used.entered_from.get(hole).copied();
        Some(std::iter::successors(first, |(id, _)| used.entered_from.get(id).copied()).collect())
    }

    /// Number of nodes of all graphs that the whole program's refers to.
    pub fn nodes(&self) -> usize {
        self.reachable().into_iter().map(|id| self.arg(id).map_or(0, Arg::len)).sum()
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut outcome::Statistics) {
        let reachable = self.reachable();
        let nodes = |id: &AbstractionId| self.arg(*id).map_or(0, Arg::len);
        let holes = reachable.iter().filter(|id| self.get(**id).is_none()).count();
        let bytes: usize = self.table.iter().flatten().map(|abstraction| abstraction.graph.bytes()).sum();
        stats.count("arg.nodes", reachable.iter().map(nodes).sum::<usize>());
        stats.count("arg.successors", self.counts.successors);
        stats.count("bam.abstractions", self.table.len());
        stats.count("bam.in_use", reachable.len() - holes);
        stats.count("bam.states", self.table.ids().map(|id| nodes(&id)).sum::<usize>());
        stats.count("bam.hits", self.counts.hits);
        stats.count("bam.misses", self.counts.misses);
        stats.count("bam.dissolved", self.counts.dissolved);
        stats.count("bam.copies", self.counts.copies);
        stats.count("bam.holes", holes);
        stats.count("bam.recomputed", self.counts.holes);
        stats.bytes("bam.memory", bytes as u64);
        stats.count("stack.pops", self.counts.pops);
        stats.count("stack.abstract_pops", self.counts.abstract_pops);
        stats.count("stack.followed", self.stack_precision.len());
    }
}

/// References between abstractions.
#[derive(Default)]
struct Used {
    order: Vec<AbstractionId>,
    /// Where each was referred to first.
    entered_from: FxHashMap<AbstractionId, (AbstractionId, NodeId)>,
}
