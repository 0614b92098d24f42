//! The nodes whose successors are still to be computed, in the order in which they are taken.

use crate::arg::NodeId;
use crate::cpa::Rank;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The order of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Reverse postorder within a function, deeper calls first: a location after everything that leads to it, loops
    /// until they are stable. Every few nodes the oldest one comes first, so that no endless loop keeps the rest waiting.
    #[default]
    ReversePostorder,
    /// Deeper calls first, otherwise depth first.
    CallDepth,
}

/// How often the oldest node is taken in reverse postorder: each so-manieth time.
const FAIRNESS: u64 = 3;

/// A waitlist. A node may be in it more than once, and removed nodes stay in it: who takes one says which still wait.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    queue: VecDeque<NodeId>,
    heap: BinaryHeap<(u32, Reverse<u32>, u64, NodeId)>,
    count: u64,
    taken: u64,
}

impl Waitlist {
    /// An empty list.
    pub fn new(order: Order) -> Self {
        Self { order, queue: VecDeque::new(), heap: BinaryHeap::new(), count: 0, taken: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, rank: Rank) {
        self.count += 1;
        match self.order {
            Order::Bfs | Order::Dfs => self.queue.push_back(node),
            // Among equals, the first one that came.
            Order::ReversePostorder => {
                self.heap.push((rank.depth, Reverse(rank.position), u64::MAX - self.count, node));
                self.queue.push_back(node);
            }
            Order::CallDepth => self.heap.push((rank.depth, Reverse(0), self.count, node)),
        }
    }

    /// Takes the next node that still waits.
    pub fn pop(&mut self, waits: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        self.taken += 1;
        let oldest_first =
            self.order == Order::Bfs || self.order == Order::ReversePostorder && self.taken.is_multiple_of(FAIRNESS);
        loop {
            let next = match self.order {
                _ if oldest_first => self.queue.pop_front(),
                Order::Bfs | Order::Dfs => self.queue.pop_back(),
                Order::ReversePostorder | Order::CallDepth => self.heap.pop().map(|(.., node)| node),
            };
            if next.is_none_or(&waits) {
                return next;
            }
        }
    }

    /// Bytes that the list takes.
    pub fn bytes(&self) -> usize {
        self.queue.len() * size_of::<NodeId>() + self.heap.len() * size_of::<(u32, Reverse<u32>, u64, NodeId)>()
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.heap.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[track_caller]
    fn check(order: Order, ranks: &[(u32, u32)], expected: &[usize]) {
        let mut list = Waitlist::new(order);
        for (i, (depth, position)) in ranks.iter().enumerate() {
            list.push(NodeId::from_index(i), Rank { depth: *depth, position: *position });
        }
        let mut waiting = vec![true; ranks.len()];
        let mut taken = Vec::new();
        while let Some(node) = list.pop(|node| waiting[node.index()]) {
            waiting[node.index()] = false;
            taken.push(node.index());
        }
        assert_eq!(taken, expected);
    }

    #[test]
    fn orders() {
        let ranks = [(0, 5), (1, 7), (0, 2), (1, 3), (0, 2)];
        check(Order::Bfs, &ranks, &[0, 1, 2, 3, 4]);
        check(Order::Dfs, &ranks, &[4, 3, 2, 1, 0]);
        // The third one is the oldest.
        check(Order::ReversePostorder, &ranks, &[3, 1, 0, 2, 4]);
        check(Order::CallDepth, &ranks, &[3, 1, 4, 2, 0]);
    }

    #[test]
    fn reverse_postorder_is_fair() {
        let mut ranks = vec![(0, 9)];
        ranks.extend([(0, 1); 20]);
        let mut expected: Vec<usize> = (1..21).collect();
        // The first node would come last; from when it is taken on, the oldest one is also the next one.
        expected.insert(FAIRNESS as usize - 1, 0);
        check(Order::ReversePostorder, &ranks, &expected);
    }
}
