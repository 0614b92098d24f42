//! Path guards: under which condition a symbolic state is reached.
//!
//! A guard is a conjunction of literals, kept as a tree that grows from the root `true`: states that fork share their past. At a
//! join only what was added since the lowest common ancestor takes part, so a branch whose sides meet again
//! leaves no trace: `g ∧ c` joined with `g ∧ ¬c` is `g`, the same node as before the branch.

use base::{IdVec, new_id};
use smt::{TermId, Terms};

/// Most literals that are looked at to find out whether a formula holds.
const MAX_LITERALS: usize = 64;

new_id! {
    /// A guard of a [`Guards`] tree.
    pub struct GuardId;
}

struct Node {
    parent: GuardId,
    depth: u32,
    literal: TermId,
    /// Conjunction of all literals up to here.
    full: TermId,
}

/// The tree of guards.
pub struct Guards {
    nodes: IdVec<GuardId, Node>,
}

/// Two guards joined.
pub struct Join {
    /// The guard of the join.
    pub guard: GuardId,
    /// Holds on the paths of the first state and not on those of the second.
    pub first: TermId,
}

impl Guards {
    /// A tree with the root only.
    pub fn new(terms: &Terms) -> Self {
        let mut nodes = IdVec::new();
        let parent = nodes.next_id();
        nodes.push(Node { parent, depth: 0, literal: terms.tru(), full: terms.tru() });
        Self { nodes }
    }

    /// The guard that always holds.
    pub fn root(&self) -> GuardId {
        base::Id::from_index(0)
    }

    /// The guard as one formula.
    pub fn formula(&self, guard: GuardId) -> TermId {
        self.nodes[guard].full
    }

    /// Length of the chain of literals.
    pub fn depth(&self, guard: GuardId) -> u32 {
        self.nodes[guard].depth
    }

    /// `guard ∧ literal`; `None` when that is false by simplification.
    pub fn and(&mut self, terms: &mut Terms, guard: GuardId, literal: TermId) -> Option<GuardId> {
        if terms.is_true(literal) {
            return Some(guard);
        }
        let full = terms.and(self.nodes[guard].full, literal);
        if terms.is_false(literal) || terms.is_false(full) {
            return None;
        }
        if full == self.nodes[guard].full {
            return Some(guard);
        }
        Some(self.push(guard, literal, full))
    }

    fn push(&mut self, parent: GuardId, literal: TermId, full: TermId) -> GuardId {
        let depth = self.nodes[parent].depth + 1;
        self.nodes.push(Node { parent, depth, literal, full })
    }

    /// Whether one of the latest literals says that `formula` holds; what only all of them together say is not found.
    pub fn holds(&self, terms: &Terms, mut guard: GuardId, formula: TermId) -> bool {
        for _ in 0..MAX_LITERALS {
            let node = &self.nodes[guard];
            if terms.is_true(formula) || terms.has_conjunct(node.literal, formula) {
                return true;
            }
            if guard == node.parent {
                return false;
            }
            guard = node.parent;
        }
        false
    }

    /// The lowest common ancestor.
    pub fn ancestor(&self, mut a: GuardId, mut b: GuardId) -> GuardId {
        while a != b {
            if self.nodes[a].depth >= self.nodes[b].depth {
                a = self.nodes[a].parent;
            } else {
                b = self.nodes[b].parent;
            }
        }
        a
    }

    /// Conjunction of the literals below `ancestor`.
    pub fn since(&self, terms: &mut Terms, ancestor: GuardId, mut guard: GuardId) -> TermId {
        let mut literals = Vec::new();
        while guard != ancestor {
            literals.push(self.nodes[guard].literal);
            guard = self.nodes[guard].parent;
        }
        literals.reverse();
        terms.and_all(&literals)
    }

    /// The guard of either; the two must exclude each other.
    pub fn join(&mut self, terms: &mut Terms, a: GuardId, b: GuardId) -> Join {
        let ancestor = self.ancestor(a, b);
        let mut first = self.since(terms, ancestor, a);
        let second = self.since(terms, ancestor, b);
        if a == ancestor {
            // What is left of `a` are the runs that `b` excludes.
            first = terms.not(second);
        }
        let either = terms.or(first, second);
        // Together, two that simplification leaves open may be seen to be impossible.
        let guard = self.and(terms, ancestor, either).unwrap_or_else(|| self.push(ancestor, either, terms.fals()));
        Join { guard, first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[test]
    fn a_branch_whose_sides_meet_leaves_no_trace() {
        let mut terms = Terms::new();
        let (p, q) = (terms.var("p", Sort::Bool), terms.var("q", Sort::Bool));
        let mut guards = Guards::new(&terms);
        let not_q = terms.not(q);
        let fork = guards.and(&mut terms, guards.root(), p).expect("open");
        let (a, b) = (guards.and(&mut terms, fork, q), guards.and(&mut terms, fork, not_q));
        let (a, b) = (a.expect("open"), b.expect("open"));
        assert_eq!(guards.join(&mut terms, a, b).guard, fork);
    }

    #[test]
    fn what_is_seen_to_be_impossible_at_a_join_is_not_reached() {
        let mut terms = Terms::new();
        let mut var = |name: &str| terms.var(name, Sort::Bool);
        let (known, side) = (var("known"), var("side"));
        // So many that what was known before them is not found.
        let between: Vec<TermId> = (0..MAX_LITERALS).map(|i| var(&format!("between{i}"))).collect();
        let (opposite, other) = (terms.not(known), terms.not(side));
        let mut guards = Guards::new(&terms);
        let fork = guards.and(&mut terms, guards.root(), known).expect("open");
        let [a, b] = [side, other].map(|side| {
            let literals = between.iter().chain([&opposite, &side]);
            literals.fold(fork, |guard, literal| guards.and(&mut terms, guard, *literal).expect("open"))
        });
        let joined = guards.join(&mut terms, a, b).guard;
        assert!(terms.is_false(guards.formula(joined)));
    }
}
