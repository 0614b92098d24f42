//! The unwinding of a program into a tree whose vertices are labelled with facts [mcmillan06, Sect. 3].
//!
//! What keeps the tree *well-labelled* is here: a covered vertex has all facts of the covering one and nothing below it, and covering
//! ends when the covering vertex gets facts that the covered one has not, or is removed. Vertices are covered only by older ones,
//! so there are no circles.

use analysis::{Arg, NodeId, Status};
use domains::predicate::block::Start;
use rustc_hash::FxHashMap;
use smt::{TermId, Terms};

/// A vertex.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Where it is.
    pub start: Start,
    /// Larger for younger vertices.
    pub born: u64,
    /// Its label, as a conjunction of formulas over canonical variables, in the order in which they were found.
    pub facts: Vec<TermId>,
}

/// The tree.
#[derive(Default)]
pub struct Unwinding {
    /// The graph.
    pub arg: Arg<Vertex>,
    /// The vertices at each place, the oldest first.
    alike: FxHashMap<Start, Vec<NodeId>>,
    born: u64,
    /// Vertices that wait since somebody asked last.
    woken: Vec<NodeId>,
    /// Coverings that ended because of a stronger label.
    pub uncovered: u64,
    /// Vertices that were covered.
    pub covered: u64,
}

impl Unwinding {
    /// Adds a waiting vertex without facts. The first one is the root.
    pub fn add(&mut self, start: Start, parent: Option<NodeId>, choice: u32) -> NodeId {
        self.born += 1;
        let node = self.arg.add(Vertex { start, born: self.born, facts: Vec::new() }, parent, choice);
        self.alike.entry(start).or_default().push(node);
        self.woken.push(node);
        node
    }

    /// Forgets all vertices; counts go on.
    pub fn restart(&mut self) {
        self.arg = Arg::default();
        self.alike.clear();
        self.woken.clear();
    }

    /// The vertices that wait since this was asked last.
    pub fn take_woken(&mut self) -> Vec<NodeId> {
        std::mem::take(&mut self.woken)
    }

    /// The facts of a vertex.
    pub fn facts(&self, node: NodeId) -> &[TermId] {
        &self.arg.state(node).facts
    }

    /// The label of a vertex.
    pub fn label(&self, terms: &mut Terms, node: NodeId) -> TermId {
        terms.and_all(self.facts(node))
    }

    /// Whether no run reaches a vertex.
    pub fn is_dead(&self, terms: &Terms, node: NodeId) -> bool {
        self.facts(node).iter().any(|fact| terms.is_false(*fact))
    }

    /// The older vertices at the same place that may cover a vertex, the oldest first.
    pub fn older(&self, terms: &Terms, node: NodeId) -> Vec<NodeId> {
        let Vertex { start, born, .. } = self.arg.state(node);
        let covers = |id: &NodeId| {
            self.arg.state(*id).born < *born
                && matches!(self.arg.status(*id), Status::Waiting | Status::Expanded)
                && !self.is_dead(terms, *id)
        };
        self.alike.get(start).into_iter().flatten().copied().filter(covers).collect()
    }

    /// Adds facts to a label. What it covers and lacks one of them waits again.
    pub fn strengthen(&mut self, node: NodeId, facts: &[TermId]) {
        let label = &mut self.arg.state_mut(node).facts;
        let before = label.len();
        for fact in facts {
            if !label.contains(fact) {
                label.push(*fact);
            }
        }
        if label.len() == before {
            return;
        }
        let label = self.facts(node);
        let lacking: Vec<NodeId> =
            self.arg.covers(node).filter(|lower| label.iter().any(|fact| !self.facts(*lower).contains(fact))).collect();
        self.wake(lacking);
    }

    /// Makes an older vertex cover this one, which has all of its facts. What is below goes, and what this one covered waits.
    pub fn cover(&mut self, lower: NodeId, upper: NodeId) {
        debug_assert!(self.arg.state(upper).born < self.arg.state(lower).born);
        debug_assert!(self.facts(upper).iter().all(|fact| self.facts(lower).contains(fact)));
        self.clear(lower);
        self.arg.cover(lower, upper);
        self.covered += 1;
    }

    /// No run reaches the vertex.
    pub fn kill(&mut self, terms: &Terms, node: NodeId) {
        self.clear(node);
        self.arg.release(node);
        self.arg.state_mut(node).facts = vec![terms.fals()];
        self.arg.set_status(node, Status::Expanded);
    }

    /// Removes what is below a vertex, and what it covers waits.
    fn clear(&mut self, node: NodeId) {
        let children: Vec<NodeId> = self.arg.children(node).collect();
        let (mut removed, mut woken) = (Vec::new(), Vec::new());
        for child in children {
            self.arg.remove_subtree(child, &mut removed, &mut woken);
        }
        for id in removed {
            let start = self.arg.state(id).start;
            if let Some(alike) = self.alike.get_mut(&start) {
                alike.retain(|other| *other != id);
            }
        }
        woken.retain(|id| self.arg.status(*id) == Status::Waiting);
        self.woken.extend(woken);
        let covered: Vec<NodeId> = self.arg.covers(node).collect();
        self.wake(covered);
    }

    fn wake(&mut self, covered: Vec<NodeId>) {
        self.uncovered += covered.len() as u64;
        for lower in &covered {
            self.arg.release(*lower);
        }
        // The first one that was covered is the first one again.
        self.woken.extend(covered.into_iter().rev());
    }

    /// The path from the last common vertex of both paths from the root down to `node`.
    pub fn path_from_common(&self, node: NodeId, other: NodeId) -> Vec<NodeId> {
        let (path, theirs) = (self.arg.path_to(node), self.arg.path_to(other));
        let common = path.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
        path[common.saturating_sub(1)..].to_vec()
    }

    /// Whether every vertex is expanded or covered by one that has no facts of its own; nothing is covered in a circle.
    pub fn is_complete(&self) -> bool {
        self.arg.ids().all(|id| match (self.arg.status(id), self.arg.covered_by(id)) {
            (Status::Expanded, None) => true,
            (Status::Covered, Some(upper)) => {
                let (lower, upper_vertex) = (self.arg.state(id), self.arg.state(upper));
                self.arg.status(upper) == Status::Expanded
                    && lower.start == upper_vertex.start
                    && upper_vertex.born < lower.born
                    && upper_vertex.facts.iter().all(|fact| lower.facts.contains(fact))
            }
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::LocId;
    use domains::predicate::block::At;
    use smt::Sort;

    fn place(n: usize) -> Start {
        let at = At { loc: LocId::from_index(n), stack: Id::from_index(0), observer: 0 };
        Start { at, shape: None }
    }

    /// root - a - b - c at the places 0, 1, 1, 1.
    fn chain() -> (Terms, Unwinding, Vec<NodeId>, Vec<TermId>) {
        let mut terms = Terms::new();
        let facts = ["p", "q"].map(|name| terms.var(name, Sort::Bool)).to_vec();
        let mut tree = Unwinding::default();
        let root = tree.add(place(0), None, 0);
        let mut nodes = vec![root];
        for _ in 0..3 {
            let parent = nodes[nodes.len() - 1];
            nodes.push(tree.add(place(1), Some(parent), 0));
            tree.arg.set_status(parent, Status::Expanded);
        }
        tree.take_woken();
        (terms, tree, nodes, facts)
    }

    #[test]
    fn stronger_labels_uncover() {
        let (terms, mut tree, nodes, facts) = chain();
        let [_, a, b, c] = nodes[..] else { panic!("{nodes:?}") };
        assert_eq!(tree.older(&terms, c), [a, b]);
        tree.strengthen(a, &facts[..1]);
        tree.strengthen(c, &facts[..1]);
        assert!(!tree.is_complete(), "c waits");
        tree.cover(c, a);
        assert!(tree.take_woken().is_empty() && tree.is_complete());
        // What the covered vertex has already changes nothing; what it has not uncovers it.
        tree.strengthen(a, &facts[..1]);
        assert_eq!(tree.arg.covered_by(c), Some(a));
        tree.strengthen(a, &facts);
        assert_eq!((tree.arg.covered_by(c), tree.arg.status(c)), (None, Status::Waiting));
        assert_eq!((tree.take_woken(), tree.uncovered), (vec![c], 1));
        assert!(!tree.is_complete());
    }

    #[test]
    fn covering_removes_what_is_below_and_what_that_covers() {
        let (terms, mut tree, nodes, _) = chain();
        let [root, a, b, _] = nodes[..] else { panic!("{nodes:?}") };
        let other = tree.add(place(1), Some(root), 1);
        tree.take_woken();
        tree.cover(other, b);
        // b is below a: what b covered waits again, and b's own subtree is gone.
        tree.cover(b, a);
        assert_eq!(tree.arg.len(), 4);
        assert_eq!(tree.take_woken(), [other]);
        assert_eq!(tree.older(&terms, other), [a]);
        assert_eq!(tree.path_from_common(other, b), [root, other]);
        assert_eq!(tree.path_from_common(b, a), [a, b]);
        tree.cover(other, a);
        assert!(tree.is_complete());
        // A vertex that no run reaches covers nothing.
        tree.kill(&terms, a);
        assert!(tree.is_dead(&terms, a) && tree.arg.len() == 3);
        assert_eq!(tree.take_woken(), [other]);
        assert_eq!(tree.older(&terms, other), []);
    }
}
