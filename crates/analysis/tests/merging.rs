//! Where several states have one key, a merge may remove others of the key, and the new one: they stay removed.

use analysis::{AnalysisError, Cpa, Merged, NodeId, Order, Rank, Reachability, Status, Successor};
use base::{Budget, Id};
use cfa::{EdgeId, LocId};

/// Counts to a number, in sets of numbers below 64: all sets have the same key, and only a certain number makes them join.
struct Counting {
    joined_at: u32,
    last: u32,
}

impl Cpa for Counting {
    type State = u64;
    type Precision = ();
    type Key = ();

    const MERGES: bool = true;

    fn initial(&mut self, (): &()) -> u64 {
        1
    }

    fn loc(&self, _: &u64) -> LocId {
        LocId::from_index(0)
    }

    fn transfer(&mut self, from: &u64, (): &(), out: &mut Vec<Successor<u64>>) -> Result<(), AnalysisError> {
        let below = (1 << self.last) - 1;
        let state = (from & below) << 1;
        if state != 0 {
            out.push(Successor { state, choice: 0, target: None });
        }
        Ok(())
    }

    fn path(&mut self, _: &u64, _: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        Ok(Vec::new())
    }

    fn merge(&mut self, new: &u64, old: &u64) -> Merged<u64> {
        let joins = new >> self.joined_at & 1 != 0 && new & !old != 0;
        if joins { Merged::Into(new | old) } else { Merged::Sep }
    }

    fn leq(&mut self, lower: &u64, upper: &u64) -> Result<bool, AnalysisError> {
        Ok(lower & !upper == 0)
    }

    fn key(&self, _: &u64) {}

    fn covering_keys(&mut self, _: &u64, out: &mut Vec<()>) {
        out.push(());
    }

    fn rank(&self, _: &u64) -> Rank {
        Rank::default()
    }
}

#[test]
fn what_a_merge_removed_stays_removed() {
    for joined_at in 1..8 {
        for order in [Order::Bfs, Order::Dfs, Order::ReversePostorder] {
            let mut counting = Counting { joined_at, last: 8 };
            let mut reachability = Reachability::new(order);
            let found = reachability.explore(&mut counting, &(), &Budget::unlimited()).expect("no limit");
            assert!(found.is_none());
            let arg = &reachability.arg;
            let live: Vec<NodeId> = arg.ids().collect();
            for node in &live {
                let parent = arg.parent(*node);
                assert!(
                    parent.is_none_or(|parent| arg.status(parent) != Status::Removed
                        && arg.children(parent).any(|child| child == *node)),
                    "joined at {joined_at}: a node without a parent, {:?}",
                    arg.state(*node)
                );
                assert_ne!(arg.status(*node), Status::Waiting);
            }
            assert_eq!(live.iter().filter(|node| arg.parent(**node).is_none()).count(), 1, "one root");
            let all = live.iter().fold(0, |all, node| all | arg.state(*node));
            assert_eq!(all, (1 << 9) - 1, "all numbers are reached");
        }
    }
}
