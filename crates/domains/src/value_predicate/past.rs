//! What predicates say of a state, interned.
//!
//! Abstractions are computed where blocks end ([`Past::Point`]). A state in between remembers where its block began
//! ([`Past::Within`]), so that the block's formula can be asked once the block ends.

use crate::predicate::bdd::BddId;
use crate::predicate::block::Start;
use crate::value::assignment::AssignmentId;
use base::{Id, IdVec, new_id};
use rustc_hash::FxHashMap;

new_id! {
    /// An interned [`Past`].
    pub struct PastId;
}

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Past {
    /// Predicates are not used yet.
    Unused,
    /// A block begins here.
    Point {
        /// Where, and with which shape of memory.
        start: Start,
        /// What holds.
        abstraction: BddId,
    },
    /// A block began there.
    Within {
        /// Where, and with which shape of memory.
        start: Start,
        /// What held there; nothing is known, and nothing will be asked, without it.
        origin: Option<Origin>,
    },
}

/// The state in which a block began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// Values.
    pub values: AssignmentId,
    /// Predicates.
    pub abstraction: BddId,
}

impl Past {
    /// The combination of predicates that it mentions.
    pub fn abstraction(&self) -> Option<BddId> {
        match *self {
            Past::Point { abstraction, .. } => Some(abstraction),
            Past::Within { origin: Some(origin), .. } => Some(origin.abstraction),
            Past::Unused | Past::Within { origin: None, .. } => None,
        }
    }

    /// The same with another combination.
    fn with(mut self, new: BddId) -> Self {
        match &mut self {
            Past::Point { abstraction, .. } => *abstraction = new,
            Past::Within { origin: Some(origin), .. } => origin.abstraction = new,
            Past::Unused | Past::Within { origin: None, .. } => {}
        }
        self
    }
}

/// All pasts of a run.
pub struct Pasts {
    pasts: IdVec<PastId, Past>,
    /// The same without its predicates.
    groups: IdVec<PastId, PastId>,
    ids: FxHashMap<Past, PastId>,
    anything: BddId,
}

impl Pasts {
    /// None but [`Past::Unused`]; `anything` is the combination that always holds.
    pub fn new(anything: BddId) -> Self {
        let mut this = Self { pasts: IdVec::new(), groups: IdVec::new(), ids: FxHashMap::default(), anything };
        this.intern(Past::Unused);
        this
    }

    /// Predicates are not used yet.
    pub fn unused(&self) -> PastId {
        PastId::from_index(0)
    }

    /// The id of a past.
    pub fn intern(&mut self, past: Past) -> PastId {
        if let Some(id) = self.ids.get(&past) {
            return *id;
        }
        let general = past.with(self.anything);
        let group = if general == past { self.pasts.next_id() } else { self.intern(general) };
        let id = self.pasts.push(past);
        self.groups.push(group);
        self.ids.insert(past, id);
        id
    }

    /// The past.
    #[inline]
    pub fn get(&self, id: PastId) -> Past {
        self.pasts[id]
    }

    /// What pasts agree on if they differ in their predicates only.
    #[inline]
    pub fn group(&self, id: PastId) -> PastId {
        self.groups[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::block::At;
    use cfa::Observer;

    #[test]
    fn groups_forget_predicates_only() {
        let (tru, other) = (BddId::from_index(1), BddId::from_index(7));
        let at = At { loc: Id::from_index(3), stack: Id::from_index(0), observer: Observer::INITIAL };
        let start = Start { at, shape: None };
        let mut pasts = Pasts::new(tru);
        let point = |abstraction| Past::Point { start, abstraction };
        let within = |values, abstraction| {
            let origin = Origin { values: Id::from_index(values), abstraction };
            Past::Within { start, origin: Some(origin) }
        };
        let all = [
            Past::Unused,
            point(other),
            point(tru),
            within(0, other),
            within(0, tru),
            within(1, other),
            Past::Within { start, origin: None },
        ];
        let ids = all.map(|past| pasts.intern(past));
        for (past, id) in all.iter().zip(ids) {
            assert_eq!(pasts.get(id), *past);
            assert_eq!(pasts.intern(*past), id);
        }
        let groups = ids.map(|id| pasts.group(id));
        assert_eq!(groups[0], pasts.unused());
        assert_eq!([groups[1], groups[3]], [groups[2], groups[4]]);
        let mut different = vec![groups[0], groups[1], groups[3], groups[5], groups[6]];
        different.dedup();
        assert_eq!(different.len(), 5);
    }
}
