//! Abstract variable assignments: partial maps from cells to values.
//!
//! Operations work on an [`Assignment`], which is either a sorted list ([`Work`]) or the recording map of a path
//! ([`crate::value::trace::Trace`]), so that both follow the same transfer relation. States hold hash-consed assignments
//! ([`Store`]).

use crate::value::cells::{CellId, Cells};
use crate::value::number::Val;
use base::{Id, IdVec, new_id};
use cfa::ExprId;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::ops::Range;

new_id! {
    /// A hash-consed assignment.
    pub struct AssignmentId;
    /// The cells that an assignment gives values to.
    pub struct DomainId;
}

/// A partial map from cells to values that operations read and change.
///
/// The second group of methods lets a recorder know which values a result rests on: what was read since `begin`, without
/// what was cut out again.
pub trait Assignment {
    /// The value of a cell.
    fn get(&mut self, cell: CellId) -> Option<Val>;
    /// Gives a cell a value, which rests on what was read.
    fn set(&mut self, cell: CellId, val: Val);
    /// Makes a cell unknown.
    fn forget(&mut self, cell: CellId);
    /// Makes a range of cells unknown.
    fn forget_range(&mut self, cells: Range<CellId>);
    /// Makes those cells of a range unknown that are not to be kept.
    fn retain_range(&mut self, cells: Range<CellId>, keep: impl Fn(CellId) -> bool);
    /// Appends all cells with their values.
    fn entries(&self, out: &mut Vec<(CellId, Val)>);

    /// A new result begins: nothing was read.
    fn begin(&mut self) {}
    /// How much was read.
    fn mark(&self) -> usize {
        0
    }
    /// What was read between the marks does not matter.
    fn cut(&mut self, _: Range<usize>) {}
    /// The operation writes to a known place because of what was read; otherwise it would write to somewhere that `addr`
    /// may designate.
    fn address_is_known(&mut self, _addr: ExprId, _len: u64) {}
    /// The operation ends the life of a known object, or of none, because of what was read; otherwise it would end that of all that `ptr` may lead
    /// to.
    fn end_is_known(&mut self, _ptr: ExprId) {}
    /// What the operation sets was read before it sets anything.
    fn all_at_once(&mut self) {}
}

/// A sorted list of cells with values: what an exploration works on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Cell in the upper half, value in the lower one; ascending.
    entries: Vec<u64>,
}

#[inline]
fn entry(cell: CellId, val: Val) -> u64 {
    (cell.index() as u64) << 32 | u64::from(val.0)
}

#[inline]
fn cell_of(entry: u64) -> CellId {
    CellId::from_index((entry >> 32) as usize)
}

#[inline]
fn val_of(entry: u64) -> Val {
    Val(entry as u32)
}

impl Work {
    #[inline]
    fn position(&self, cell: CellId) -> usize {
        let key = entry(cell, Val(0));
        self.entries.partition_point(|e| *e < key)
    }

    /// Becomes a copy of `other` without giving up its memory.
    pub fn copy_from(&mut self, other: &Work) {
        self.entries.clear();
        self.entries.extend_from_slice(&other.entries);
    }

    /// Keeps the cells that are to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(CellId) -> bool) {
        self.entries.retain(|e| keep(cell_of(*e)));
    }

    /// Number of cells with a value.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Assignment for Work {
    #[inline]
    fn get(&mut self, cell: CellId) -> Option<Val> {
        let e = *self.entries.get(self.position(cell))?;
        (cell_of(e) == cell).then_some(val_of(e))
    }

    #[inline]
    fn set(&mut self, cell: CellId, val: Val) {
        let at = self.position(cell);
        match self.entries.get_mut(at) {
            Some(e) if cell_of(*e) == cell => *e = entry(cell, val),
            _ => self.entries.insert(at, entry(cell, val)),
        }
    }

    #[inline]
    fn forget(&mut self, cell: CellId) {
        let at = self.position(cell);
        if self.entries.get(at).is_some_and(|e| cell_of(*e) == cell) {
            self.entries.remove(at);
        }
    }

    fn forget_range(&mut self, cells: Range<CellId>) {
        let range = self.position(cells.start)..self.position(cells.end);
        if !range.is_empty() {
            self.entries.drain(range);
        }
    }

    fn retain_range(&mut self, cells: Range<CellId>, keep: impl Fn(CellId) -> bool) {
        let range = self.position(cells.start)..self.position(cells.end);
        let mut kept = range.start;
        for at in range.clone() {
            let e = self.entries[at];
            if keep(cell_of(e)) {
                self.entries[kept] = e;
                kept += 1;
            }
        }
        if kept < range.end {
            self.entries.drain(kept..range.end);
        }
    }

    fn entries(&self, out: &mut Vec<(CellId, Val)>) {
        out.extend(self.entries.iter().map(|e| (cell_of(*e), val_of(*e))));
    }
}

/// All hash-consed assignments.
#[derive(Clone, Default)]
pub struct Store {
    /// Entries of all assignments, one after another.
    arena: Vec<u64>,
    /// Where each ends.
    ends: IdVec<AssignmentId, u32>,
    domains_of: IdVec<AssignmentId, DomainId>,
    ids: HashTable<AssignmentId>,
    domains: IdVec<DomainId, Box<[CellId]>>,
    domain_ids: FxHashMap<Box<[CellId]>, DomainId>,
    scratch: Vec<u64>,
}

/// Order-independent, so that projections are hashed on the fly.
#[inline]
fn mix(entry: u64) -> u64 {
    let x = entry.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn hash(entries: &[u64]) -> u64 {
    let sum = entries.iter().fold(0u64, |h, e| h.wrapping_add(mix(*e)));
    sum ^ (sum >> 32)
}

/// No domain was computed yet.
const NO_DOMAIN: u32 = u32::MAX;

impl Store {
    fn slice<'a>(arena: &'a [u64], ends: &IdVec<AssignmentId, u32>, id: AssignmentId) -> &'a [u64] {
        let begin = match id.index() {
            0 => 0,
            i => ends[AssignmentId::from_index(i - 1)],
        };
        &arena[begin as usize..ends[id] as usize]
    }

    fn get(&self, id: AssignmentId) -> &[u64] {
        Self::slice(&self.arena, &self.ends, id)
    }

    /// Loads an assignment.
    #[inline]
    pub fn load(&self, id: AssignmentId, into: &mut Work) {
        into.entries.clear();
        into.entries.extend_from_slice(self.get(id));
    }

    /// Number of its cells.
    pub fn size(&self, id: AssignmentId) -> u32 {
        self.get(id).len() as u32
    }

    /// Its cells with their values, ascending.
    pub fn entries(&self, id: AssignmentId) -> impl Iterator<Item = (CellId, Val)> + '_ {
        self.get(id).iter().map(|e| (cell_of(*e), val_of(*e)))
    }

    fn find(&self, entries: &[u64]) -> Option<AssignmentId> {
        self.ids.find(hash(entries), |id| self.get(*id) == entries).copied()
    }

    /// The id of this assignment.
    pub fn intern(&mut self, work: &Work) -> AssignmentId {
        let entries = &work.entries[..];
        if let Some(id) = self.find(entries) {
            return id;
        }
        self.arena.extend_from_slice(entries);
        let end = u32::try_from(self.arena.len()).expect("an arena holds fewer than 2^32 entries");
        let id = self.ends.push(end);
        self.domains_of.push(DomainId::from_index(NO_DOMAIN as usize));
        let (arena, ends) = (&self.arena, &self.ends);
        self.ids.insert_unique(hash(entries), id, |id| hash(Self::slice(arena, ends, *id)));
        id
    }

    /// The cells of an assignment.
    pub fn domain(&mut self, id: AssignmentId) -> DomainId {
        let known = self.domains_of[id];
        if known.index() as u32 != NO_DOMAIN {
            return known;
        }
        let cells: Box<[CellId]> = self.get(id).iter().map(|e| cell_of(*e)).collect();
        let domain = match self.domain_ids.get(&cells) {
            Some(domain) => *domain,
            None => {
                let domain = self.domains.push(cells.clone());
                self.domain_ids.insert(cells, domain);
                domain
            }
        };
        self.domains_of[id] = domain;
        domain
    }

    /// Number of cells of a domain.
    pub fn domain_len(&self, domain: DomainId) -> usize {
        self.domains[domain].len()
    }

    /// The restriction of an assignment to a domain, if that gives each of the domain's cells a value and is known.
    pub fn project(&mut self, id: AssignmentId, domain: DomainId) -> Option<AssignmentId> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let entries = self.get(id);
        let cells = &self.domains[domain];
        let mut rest = entries;
        let all = entries.len() >= cells.len()
            && cells.iter().all(|cell| {
                // Mostly the next one.
                let skip = rest.iter().take_while(|e| cell_of(**e) < *cell).count();
                rest = &rest[skip..];
                match rest.first() {
                    Some(e) if cell_of(*e) == *cell => {
                        scratch.push(*e);
                        rest = &rest[1..];
                        true
                    }
                    _ => false,
                }
            });
        let found = if all { self.find(&scratch) } else { None };
        self.scratch = scratch;
        found
    }

    /// Whether `lower` has all entries of `upper`.
    pub fn leq(&self, lower: AssignmentId, upper: AssignmentId) -> bool {
        if lower == upper {
            return true;
        }
        let (lower, upper) = (self.get(lower), self.get(upper));
        upper.iter().all(|e| lower.binary_search(e).is_ok())
    }

    /// Number of assignments.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes that all assignments take.
    pub fn bytes(&self) -> usize {
        let domains: usize = self.domains.iter().map(|cells| size_of_val(&cells[..])).sum();
        let each = size_of::<u32>() + size_of::<DomainId>();
        // Each domain is kept as a value and as a key.
        self.arena.len() * 8 + self.ends.len() * each + self.ids.allocation_size() + 2 * domains
    }
}

/// Appends the memory cells of an assignment.
pub fn memory_cells(assignment: &impl Assignment, cells: &Cells, out: &mut Vec<CellId>) {
    let mut entries = Vec::new();
    assignment.entries(&mut entries);
    out.extend(entries.into_iter().map(|(cell, _)| cell).filter(|cell| cells.object_of(*cell).is_some()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(pairs: &[(usize, u32)]) -> Work {
        let mut work = Work::default();
        for (cell, val) in pairs {
            work.set(CellId::from_index(*cell), Val(*val));
        }
        work
    }

    #[test]
    fn work_is_a_map() {
        let mut w = work(&[(5, 1), (2, 7), (5, 3), (9, 4)]);
        let get = |w: &mut Work, cell| w.get(CellId::from_index(cell)).map(|v| v.0);
        assert_eq!([2, 5, 9, 4].map(|c| get(&mut w, c)), [Some(7), Some(3), Some(4), None]);
        w.forget(CellId::from_index(2));
        w.forget(CellId::from_index(3));
        assert_eq!(w.len(), 2);
        w.forget_range(CellId::from_index(4)..CellId::from_index(9));
        let mut entries = Vec::new();
        w.entries(&mut entries);
        assert_eq!(entries, [(CellId::from_index(9), Val(4))]);
    }

    #[test]
    fn equal_assignments_have_equal_ids() {
        let mut store = Store::default();
        let a = store.intern(&work(&[(1, 1), (2, 2)]));
        let b = store.intern(&work(&[(1, 1)]));
        let empty = store.intern(&Work::default());
        assert_eq!(store.intern(&work(&[(2, 2), (1, 1)])), a);
        assert!(a != b && b != empty);
        assert!(store.leq(a, b) && store.leq(b, empty) && store.leq(a, a) && !store.leq(b, a));
        let mut loaded = Work::default();
        store.load(a, &mut loaded);
        assert_eq!(store.intern(&loaded), a);
    }

    #[test]
    fn projections_are_looked_up() {
        let mut store = Store::default();
        let abc = store.intern(&work(&[(1, 1), (2, 2), (3, 3)]));
        let ac = store.intern(&work(&[(1, 1), (3, 3)]));
        let other = store.intern(&work(&[(1, 9), (3, 3)]));
        let d = store.intern(&work(&[(4, 4)]));
        let (ac_domain, d_domain) = (store.domain(ac), store.domain(d));
        assert_eq!(store.domain(other), ac_domain);
        assert_eq!(store.project(abc, ac_domain), Some(ac));
        assert_eq!(store.project(other, ac_domain), Some(other));
        assert_eq!(store.project(abc, d_domain), None);
        assert_eq!(store.project(d, ac_domain), None);
    }
}
