//! What is tracked where: location-specific sets of keys, or one set for the whole program [loewe13, Sect. III-A, III-F].
//!
//! A register exists in its frames only, so tracking it everywhere is tracking it in its scope. When many offsets of one
//! object are tracked, all of it is.

use crate::value::cells::{CellInfo, Cells, Key, KeyId};
use base::Id;
use cfa::LocId;
use cfa::points_to::Object;
use rustc_hash::FxHashMap;

/// Where a newly discovered variable is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// In its whole scope (*scoped precision refinement*).
    #[default]
    Variable,
    /// Only at the locations where it was discovered.
    Location,
}

/// A set of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySet {
    bits: Vec<u64>,
    len: usize,
}

impl KeySet {
    /// Whether the key is in the set.
    #[inline]
    pub fn contains(&self, key: KeyId) -> bool {
        let i = key.index();
        self.bits.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Adds a key; whether it is new.
    pub fn insert(&mut self, key: KeyId) -> bool {
        let i = key.index();
        if self.bits.len() <= i / 64 {
            self.bits.resize(i / 64 + 1, 0);
        }
        let is_new = !self.contains(key);
        self.bits[i / 64] |= 1 << (i % 64);
        self.len += usize::from(is_new);
        is_new
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The keys, ascending.
    pub fn iter(&self) -> impl Iterator<Item = KeyId> + '_ {
        (0..self.bits.len() * 64).map(KeyId::from_index).filter(|key| self.contains(*key))
    }
}

/// A precision of the value analysis.
#[derive(Clone, Debug, Default)]
pub struct ValuePrecision {
    /// Everything is tracked.
    full: bool,
    scope: Scope,
    everywhere: KeySet,
    by_loc: FxHashMap<LocId, KeySet>,
    /// Tracked offsets of each object.
    offsets: FxHashMap<Object, KeySet>,
}

/// So many tracked offsets of an object make all of it tracked.
const WHOLE: usize = 12;

impl ValuePrecision {
    /// Tracks nothing.
    pub fn empty(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Tracks everything.
    pub fn full() -> Self {
        Self { full: true, ..Self::default() }
    }

    /// What is tracked at a location.
    #[inline]
    pub fn at(&self, loc: LocId) -> Tracked<'_> {
        Tracked { full: self.full, everywhere: &self.everywhere, here: self.by_loc.get(&loc) }
    }

    /// Tracks a key at a location; whether it was not tracked there.
    pub fn track(&mut self, cells: &mut Cells, loc: LocId, key: KeyId) -> bool {
        if let Key::Memory(origin, _) = cells.key_of(key) {
            let offsets = self.offsets.entry(origin).or_default();
            offsets.insert(key);
            if offsets.len() > WHOLE {
                let whole = cells.key(Key::Whole(origin));
                self.insert(loc, whole);
            }
        }
        self.insert(loc, key)
    }

    fn insert(&mut self, loc: LocId, key: KeyId) -> bool {
        match self.scope {
            Scope::Variable => self.everywhere.insert(key),
            Scope::Location => self.by_loc.entry(loc).or_default().insert(key),
        }
    }

    /// The tracked keys that matter, with their locations if they are not tracked everywhere. A precision that tracks
    /// everything has none.
    pub fn restricted(
        &self,
        matters: impl Fn(KeyId) -> bool,
        is_in: impl Fn(LocId) -> bool,
    ) -> Vec<(Option<LocId>, KeyId)> {
        let everywhere = self.everywhere.iter().map(|key| (None, key));
        let here = self.by_loc.iter().filter(|(loc, _)| is_in(**loc));
        let here = here.flat_map(|(loc, keys)| keys.iter().map(|key| (Some(*loc), key)));
        let mut all: Vec<_> = everywhere.chain(here).filter(|(_, key)| matters(*key)).collect();
        all.sort_unstable();
        all
    }

    /// Number of tracked keys, summed over locations unless they are tracked everywhere.
    pub fn len(&self) -> usize {
        self.everywhere.len() + self.by_loc.values().map(KeySet::len).sum::<usize>()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && !self.full
    }

    /// Tracks nothing any more, unless it tracks everything.
    pub fn forget(&mut self) {
        if !self.is_full() {
            *self = Self::empty(self.scope);
        }
    }

    /// Whether everything is tracked.
    pub fn is_full(&self) -> bool {
        self.full
    }
}

/// What is tracked at one location.
#[derive(Clone, Copy, Debug)]
pub struct Tracked<'a> {
    full: bool,
    everywhere: &'a KeySet,
    here: Option<&'a KeySet>,
}

impl Tracked<'_> {
    /// Whether a key is tracked.
    #[inline]
    pub fn has(&self, key: KeyId) -> bool {
        self.full || self.everywhere.contains(key) || self.here.is_some_and(|here| here.contains(key))
    }

    /// Whether a cell is tracked.
    #[inline]
    pub fn cell(&self, cell: &CellInfo) -> bool {
        self.has(cell.key) || self.has(cell.whole)
    }

    /// Whether everything is tracked.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The tracked keys, ascending.
    pub fn keys(&self) -> Vec<KeyId> {
        let mut keys: Vec<KeyId> = self.everywhere.iter().chain(self.here.into_iter().flat_map(KeySet::iter)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}
