//! The set of reached states, found by the key that decides coverage: a look-up, never a scan.

use crate::arg::{Arg, NodeId};
use crate::cpa::Cpa;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// Nodes by the key of their states. Keys are not stored: the states have them.
#[derive(Clone, Default, Debug)]
pub struct Reached {
    table: HashTable<NodeId>,
}

fn hash(key: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl Reached {
    /// Adds a node.
    pub fn insert<C: Cpa>(&mut self, cpa: &C, arg: &Arg<C::State>, node: NodeId) {
        let h = hash(&cpa.key(arg.state(node)));
        self.table.insert_unique(h, node, |n| hash(&cpa.key(arg.state(*n))));
    }

    /// Removes a node whose state is still there.
    pub fn remove<C: Cpa>(&mut self, cpa: &C, arg: &Arg<C::State>, node: NodeId) {
        if let Ok(entry) = self.table.find_entry(hash(&cpa.key(arg.state(node))), |n| *n == node) {
            entry.remove();
        }
    }

    /// The nodes with a key.
    pub fn with_key<'a, C: Cpa>(
        &'a self,
        cpa: &'a C,
        arg: &'a Arg<C::State>,
        key: &'a C::Key,
    ) -> impl Iterator<Item = NodeId> + 'a {
        self.table.iter_hash(hash(key)).copied().filter(move |n| cpa.key(arg.state(*n)) == *key)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Bytes that the set takes.
    pub fn bytes(&self) -> usize {
        self.table.allocation_size()
    }
}
