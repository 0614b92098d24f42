//! Abstract reachability graphs as plain data: a tree of abstract states with coverage edges.
//!
//! Nodes lie in an arena and are linked by ids; a removed node's place is used again.
//!
//! A node behind a call whose stack is abstracted also *rests* on a node elsewhere: the exit of the procedure that its runs take. It
//! is made after that one and removed with it, so no node rests on itself.

use base::{IdVec, new_id};
use rustc_hash::FxHashMap;

new_id! {
    /// A node of an [`Arg`].
    pub struct NodeId;
}

/// Where a node is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Its successors are not (all) there yet.
    Waiting,
    /// It has all of its successors.
    Expanded,
    /// Another node covers it; it has no successors.
    Covered,
    /// It ends the search; it has no successors.
    Target,
    /// It is no part of the graph any more.
    Removed,
}

/// No node.
const NONE: u32 = u32::MAX;

/// A node.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// Abstract state.
    pub state: S,
    /// Number among the parent's successors; see [`crate::Successor::choice`].
    pub choice: u32,
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    /// For a covered node, the covering one.
    covered_by: u32,
    /// First node that this one covers, and the next and the previous one that the same node covers.
    first_covered: u32,
    next_covered: u32,
    prev_covered: u32,
    status: Status,
}

impl<S> Node<S> {
    fn forget_coverage(&mut self) {
        (self.covered_by, self.next_covered, self.prev_covered) = (NONE, NONE, NONE);
    }
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Arg<S> {
    nodes: IdVec<NodeId, Node<S>>,
    free: Vec<NodeId>,
    live: usize,
    /// Nodes behind abstracted calls, with the exits on which they rest.
    rests_on: FxHashMap<NodeId, NodeId>,
}

impl<S> Default for Arg<S> {
    fn default() -> Self {
        Self { nodes: IdVec::new(), free: Vec::new(), live: 0, rests_on: FxHashMap::default() }
    }
}

fn some(raw: u32) -> Option<NodeId> {
    (raw != NONE).then(|| base::Id::from_index(raw as usize))
}

fn raw(id: NodeId) -> u32 {
    base::Id::index(id) as u32
}

impl<S> Arg<S> {
    /// Adds a waiting node. The first one is the root.
    pub fn add(&mut self, state: S, parent: Option<NodeId>, choice: u32) -> NodeId {
        let next_sibling = parent.map_or(NONE, |p| self.nodes[p].first_child);
        let node = Node {
            state,
            choice,
            parent: parent.map_or(NONE, raw),
            first_child: NONE,
            next_sibling,
            covered_by: NONE,
            first_covered: NONE,
            next_covered: NONE,
            prev_covered: NONE,
            status: Status::Waiting,
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id] = node;
                id
            }
            None => self.nodes.push(node),
        };
        if let Some(parent) = parent {
            self.nodes[parent].first_child = raw(id);
        }
        self.live += 1;
        id
    }

    /// Makes a new node rest on the exit of a procedure.
    pub fn rest(&mut self, node: NodeId, exit: NodeId) {
        self.rests_on.insert(node, exit);
    }

    /// The exit of a procedure on which the node rests.
    #[inline]
    pub fn rests_on(&self, node: NodeId) -> Option<NodeId> {
        if self.rests_on.is_empty() { None } else { self.rests_on.get(&node).copied() }
    }

    /// Forgets what removed nodes rested on; returns the other nodes that rest on a removed one, in order.
    pub fn unsupported(&mut self, removed: &[NodeId]) -> Vec<NodeId> {
        if self.rests_on.is_empty() {
            return Vec::new();
        }
        for node in removed {
            self.rests_on.remove(node);
        }
        let is_removed = |node: &NodeId| self.nodes[*node].status == Status::Removed;
        let mut nodes: Vec<NodeId> =
            self.rests_on.iter().filter(|(_, exit)| is_removed(exit)).map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        nodes
    }

    /// The node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<S> {
        &self.nodes[id]
    }

    /// The state of a node.
    #[inline]
    pub fn state(&self, id: NodeId) -> &S {
        &self.nodes[id].state
    }

    /// Replaces the state of a node by a more abstract one.
    pub fn set_state(&mut self, id: NodeId, state: S) {
        self.nodes[id].state = state;
    }

    /// Where the node is in its life.
    #[inline]
    pub fn status(&self, id: NodeId) -> Status {
        self.nodes[id].status
    }

    /// Sets it; coverage has [`Arg::cover`].
    pub fn set_status(&mut self, id: NodeId, status: Status) {
        self.nodes[id].status = status;
    }

    /// The parent; none for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id].parent)
    }

    /// The node that covers this one.
    pub fn covered_by(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id].covered_by)
    }

    /// The children, the newest first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(some(self.nodes[id].first_child), |child| some(self.nodes[*child].next_sibling))
    }

    /// The nodes that this one covers.
    pub fn covers(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(some(self.nodes[id].first_covered), |node| some(self.nodes[*node].next_covered))
    }

    /// Makes `upper` cover `lower`, which has no children.
    pub fn cover(&mut self, lower: NodeId, upper: NodeId) {
        debug_assert!(self.nodes[lower].first_child == NONE && lower != upper);
        self.nodes[lower].status = Status::Covered;
        self.nodes[lower].covered_by = raw(upper);
        let next = self.nodes[upper].first_covered;
        self.nodes[lower].next_covered = next;
        self.nodes[lower].prev_covered = NONE;
        if let Some(next) = some(next) {
            self.nodes[next].prev_covered = raw(lower);
        }
        self.nodes[upper].first_covered = raw(lower);
    }

    /// Ends the coverage of a node, which is waiting then.
    pub fn release(&mut self, lower: NodeId) {
        if let Some(upper) = self.covered_by(lower) {
            self.uncover(lower, upper);
            self.nodes[lower].status = Status::Waiting;
        }
    }

    /// The state of a node, to change it.
    pub fn state_mut(&mut self, id: NodeId) -> &mut S {
        &mut self.nodes[id].state
    }

    /// Removes a node and everything below it. `removed` gets these nodes (their states can still be read until nodes are
    /// added), `uncovered` those outside that one of them covered and that are waiting now.
    pub fn remove_subtree(&mut self, root: NodeId, removed: &mut Vec<NodeId>, uncovered: &mut Vec<NodeId>) {
        if let Some(parent) = self.parent(root) {
            self.unlink_child(parent, root);
        }
        let begin = removed.len();
        removed.push(root);
        let mut next = begin;
        while next < removed.len() {
            let id = removed[next];
            next += 1;
            let mut child = self.nodes[id].first_child;
            while let Some(c) = some(child) {
                removed.push(c);
                child = self.nodes[c].next_sibling;
            }
        }
        for id in &removed[begin..] {
            if let Some(upper) = self.covered_by(*id) {
                self.uncover(*id, upper);
            }
            self.nodes[*id].status = Status::Removed;
        }
        for id in &removed[begin..] {
            let mut covered = self.nodes[*id].first_covered;
            while let Some(c) = some(covered) {
                covered = self.nodes[c].next_covered;
                let node = &mut self.nodes[c];
                node.forget_coverage();
                node.status = Status::Waiting;
                uncovered.push(c);
            }
            self.nodes[*id].first_covered = NONE;
            self.free.push(*id);
        }
        self.live -= removed.len() - begin;
    }

    fn unlink_child(&mut self, parent: NodeId, child: NodeId) {
        let next = self.nodes[child].next_sibling;
        let mut at = self.nodes[parent].first_child;
        if at == raw(child) {
            self.nodes[parent].first_child = next;
            return;
        }
        while let Some(id) = some(at) {
            at = self.nodes[id].next_sibling;
            if at == raw(child) {
                self.nodes[id].next_sibling = next;
            }
        }
    }

    fn uncover(&mut self, lower: NodeId, upper: NodeId) {
        let Node { next_covered, prev_covered, .. } = self.nodes[lower];
        match some(prev_covered) {
            Some(prev) => self.nodes[prev].next_covered = next_covered,
            None => self.nodes[upper].first_covered = next_covered,
        }
        if let Some(next) = some(next_covered) {
            self.nodes[next].prev_covered = prev_covered;
        }
        self.nodes[lower].forget_coverage();
    }

    /// The nodes from the root to this one.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |id| self.parent(*id)).collect();
        path.reverse();
        path
    }

    /// All nodes of the graph.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.ids().filter(|id| self.nodes[*id].status != Status::Removed)
    }

    /// The root.
    pub fn root(&self) -> Option<NodeId> {
        self.ids().find(|id| self.nodes[*id].parent == NONE)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Bytes that the graph takes, with room for growth.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<S>>() + self.free.len() * size_of::<NodeId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Root 0 with children 1 and 2; 3 below 1; 4 below 2; 4 and 2's second child 5 are covered by 3.
    fn sample() -> (Arg<u32>, Vec<NodeId>) {
        let mut arg = Arg::default();
        let root = arg.add(0, None, 0);
        let (a, b) = (arg.add(1, Some(root), 0), arg.add(2, Some(root), 1));
        let (c, d, e) = (arg.add(3, Some(a), 0), arg.add(4, Some(b), 0), arg.add(5, Some(b), 1));
        arg.cover(d, c);
        arg.cover(e, c);
        (arg, vec![root, a, b, c, d, e])
    }

    #[track_caller]
    fn check(remove: usize, live: usize, uncovered_expected: &[u32], covers_of_3: &[u32]) {
        let (mut arg, ids) = sample();
        let (mut removed, mut uncovered) = (Vec::new(), Vec::new());
        arg.remove_subtree(ids[remove], &mut removed, &mut uncovered);
        assert_eq!(arg.len(), live);
        assert_eq!(arg.len() + removed.len(), 6);
        let mut states: Vec<u32> = uncovered.iter().map(|id| *arg.state(*id)).collect();
        states.sort_unstable();
        assert_eq!(states, uncovered_expected);
        assert!(uncovered.iter().all(|id| arg.status(*id) == Status::Waiting && arg.covered_by(*id).is_none()));
        if arg.status(ids[3]) != Status::Removed {
            let covered: Vec<u32> = arg.covers(ids[3]).map(|id| *arg.state(id)).collect();
            assert_eq!(covered, covers_of_3);
        }
    }

    #[test]
    fn subtrees() {
        check(1, 4, &[4, 5], &[]);
        check(2, 3, &[], &[]);
        check(4, 5, &[], &[5]);
        check(5, 5, &[], &[4]);
        check(0, 0, &[], &[]);
    }

    #[test]
    fn paths_and_reuse() {
        let (mut arg, ids) = sample();
        assert_eq!(arg.path_to(ids[3]), [ids[0], ids[1], ids[3]]);
        let (mut removed, mut uncovered) = (Vec::new(), Vec::new());
        arg.remove_subtree(ids[1], &mut removed, &mut uncovered);
        assert_eq!(arg.children(ids[0]).collect::<Vec<_>>(), [ids[2]]);
        let new = arg.add(9, Some(ids[0]), 0);
        assert!(removed.contains(&new));
        assert_eq!(arg.children(ids[0]).collect::<Vec<_>>(), [new, ids[2]]);
        assert_eq!(arg.root(), Some(ids[0]));
    }

    /// Whoever walks along all covered nodes to end one's coverage takes minutes here.
    #[test]
    fn many_covered_nodes_are_released_one_by_one() {
        const COUNT: u32 = 300_000;
        let mut arg = Arg::default();
        let root = arg.add(0, None, 0);
        let upper = arg.add(1, Some(root), 0);
        let other = arg.add(2, Some(root), 1);
        let lower: Vec<NodeId> = (0..COUNT).map(|i| arg.add(i, Some(other), i)).collect();
        lower.iter().for_each(|id| arg.cover(*id, upper));
        // From the middle, the end and the beginning of the list.
        for id in [lower[7], lower[0], lower[COUNT as usize - 1]] {
            arg.release(id);
            assert_eq!((arg.status(id), arg.covered_by(id)), (Status::Waiting, None));
        }
        let left: Vec<NodeId> =
            lower[1..COUNT as usize - 1].iter().rev().copied().filter(|id| *id != lower[7]).collect();
        assert_eq!(arg.covers(upper).collect::<Vec<_>>(), left);
        let (mut removed, mut uncovered) = (Vec::new(), Vec::new());
        arg.remove_subtree(other, &mut removed, &mut uncovered);
        assert_eq!((removed.len(), uncovered.len(), arg.covers(upper).count()), (COUNT as usize + 1, 0, 0));
    }
}
