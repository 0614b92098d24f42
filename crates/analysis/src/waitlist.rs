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
    /// until they are stable.
    #[default]
    ReversePostorder,
    /// Deeper calls first, otherwise depth first.
    CallDepth,
}

/// A waitlist. A node may be in it more than once, and removed nodes stay in it: who takes one looks whether it still waits.
#[derive(Clone, Debug)]
pub struct Waitlist {
    order: Order,
    queue: VecDeque<NodeId>,
    heap: BinaryHeap<(u32, Reverse<u32>, u64, NodeId)>,
    count: u64,
}

impl Waitlist {
    /// An empty list.
    pub fn new(order: Order) -> Self {
        Self { order, queue: VecDeque::new(), heap: BinaryHeap::new(), count: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, rank: Rank) {
        self.count += 1;
        match self.order {
            Order::Bfs | Order::Dfs => self.queue.push_back(node),
            // Among equals, the first one that came.
            Order::ReversePostorder => {
                self.heap.push((rank.depth, Reverse(rank.position), u64::MAX - self.count, node));
            }
            Order::CallDepth => self.heap.push((rank.depth, Reverse(0), self.count, node)),
        }
    }

    /// Takes the next node.
    pub fn pop(&mut self) -> Option<NodeId> {
        match self.order {
            Order::Bfs => self.queue.pop_front(),
            Order::Dfs => self.queue.pop_back(),
            Order::ReversePostorder | Order::CallDepth => self.heap.pop().map(|(.., node)| node),
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.queue.len() + self.heap.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        let taken: Vec<usize> = std::iter::from_fn(|| list.pop()).map(Id::index).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn orders() {
        let ranks = [(0, 5), (1, 7), (0, 2), (1, 3), (0, 2)];
        check(Order::Bfs, &ranks, &[0, 1, 2, 3, 4]);
        check(Order::Dfs, &ranks, &[4, 3, 2, 1, 0]);
        check(Order::ReversePostorder, &ranks, &[3, 1, 2, 4, 0]);
        check(Order::CallDepth, &ranks, &[3, 1, 4, 2, 0]);
    }
}
