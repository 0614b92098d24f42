//! The items of an initialiser that is being read: later ones override earlier ones (C11 6.7.9p19), and ranges repeat what they begin with.

use super::super::Sema;
use super::super::contract::is_pure;
use super::Place;
use crate::typed::{Expr, ExprKind, InitItem, InitValue, VarId};
use crate::types::RecordId;
use base::Id;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// An item, and where it lies in the object.
#[derive(Clone)]
struct Entry {
    item: InitItem,
    bits: Range<u64>,
    /// Items with equal numbers have a value that is computed once.
    shared: Option<usize>,
}

/// Items of one initialiser, none of which overlap.
#[derive(Default)]
pub(super) struct Items {
    entries: Vec<Entry>,
    /// Parts whose value is one expression: to override a part of one forgets it.
    wholes: Vec<Range<u64>>,
    /// The member that was last initialised of each union, by the offset of the union; and the union's size.
    members: BTreeMap<(u64, usize), (usize, u64)>,
    /// First bit that no item has reached.
    end: u64,
    shared: usize,
}

fn overlaps(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

fn bits_of(place: Place, size: u64) -> Range<u64> {
    let start = place.offset.saturating_mul(8);
    match place.bits {
        Some(field) => start + u64::from(field.shift)..start + u64::from(field.shift + field.width),
        None => start..start.saturating_add(size.saturating_mul(8)),
    }
}

impl Items {
    /// Adds an item of so many bytes, in place of what was there.
    pub fn push(&mut self, place: Place, size: u64, value: InitValue) {
        let bits = bits_of(place, size);
        self.forget(&bits);
        self.add(Entry { item: InitItem { offset: place.offset, bits: place.bits, value }, bits, shared: None });
    }

    fn add(&mut self, entry: Entry) {
        self.end = self.end.max(entry.bits.end);
        self.entries.push(entry);
    }

    /// The value of all of the place is one expression.
    pub fn add_whole(&mut self, place: Place, size: u64) {
        self.wholes.push(bits_of(place, size));
    }

    /// Forgets what was stored in `size` bytes at `offset`: a later initialiser of the whole overrides it.
    pub fn clear(&mut self, offset: u64, size: u64) {
        let start = offset.saturating_mul(8);
        self.forget(&(start..start.saturating_add(size.saturating_mul(8))));
    }

    fn forget(&mut self, bits: &Range<u64>) {
        if bits.start >= self.end {
            return;
        }
        let overridden = |whole: &Range<u64>| overlaps(whole, bits);
        let mut forgotten: Vec<Range<u64>> = self.wholes.iter().filter(|whole| overridden(whole)).cloned().collect();
        self.wholes.retain(|whole| !overridden(whole));
        forgotten.push(bits.clone());
        for bits in forgotten {
            let mut rest = Vec::new();
            self.entries.retain(|entry| {
                let remains = !overlaps(&entry.bits, &bits);
                if !remains {
                    rest.extend(without(entry, &bits));
                }
                remains
            });
            // What is being initialised stays last.
            self.entries.splice(0..0, rest);
        }
    }

    /// A member of a union of so many bytes is initialised: what another one was given is forgotten (the members are alternatives).
    pub fn choose_member(&mut self, (offset, size): (u64, u64), union: RecordId, member: usize) {
        self.choose((offset, union.index()), (member, size));
    }

    fn choose(&mut self, union: (u64, usize), choice: (usize, u64)) {
        if self.members.insert(union, choice).is_some_and(|before| before != choice) {
            self.clear(union.0, choice.1);
        }
    }

    /// Copies the items of a place of so many bytes, which was just initialised, to what lies that far behind it, too; `around` are unions in
    /// which it lies.
    pub fn repeat(&mut self, (place, size): (Place, u64), behind: &[u64], around: &[(u64, RecordId)]) {
        let first = bits_of(place, size);
        let is_inside = |bits: &Range<u64>| first.start <= bits.start && bits.end <= first.end;
        let start = self.entries.iter().rposition(|entry| !is_inside(&entry.bits)).map_or(0, |last| last + 1);
        let mut copied = self.entries.split_off(start);
        for entry in &mut copied {
            if entry.shared.is_none() && matches!(&entry.item.value, InitValue::Expr(e) if !is_pure(e)) {
                entry.shared = Some(self.shared);
                self.shared += 1;
            }
        }
        let wholes: Vec<Range<u64>> = self.wholes.iter().filter(|whole| is_inside(whole)).cloned().collect();
        let in_place = (place.offset, 0)..(place.offset.saturating_add(size), 0);
        let around = around.iter().map(|(offset, union)| (*offset, union.index()));
        let unions = self.members.range(in_place).map(|(union, _)| *union).chain(around);
        let choices: Vec<_> = unions.filter_map(|union| Some((union, *self.members.get(&union)?))).collect();
        let moved = |bits: &Range<u64>, by: u64| bits.start + by * 8..bits.end + by * 8;
        let is_dense = behind.iter().zip(1..).all(|(by, k)| *by == size * k);
        match behind.last() {
            Some(last) if is_dense => self.forget(&(first.end..moved(&first, *last).end)),
            _ => behind.iter().for_each(|by| self.forget(&moved(&first, *by))),
        }
        for by in behind {
            for ((offset, union), choice) in &choices {
                self.choose((offset + by, *union), *choice);
            }
            for entry in &copied {
                let item = InitItem { offset: entry.item.offset + by, ..entry.item.clone() };
                self.add(Entry { item, bits: moved(&entry.bits, *by), shared: entry.shared });
            }
            self.wholes.extend(wholes.iter().map(|whole| moved(whole, *by)));
        }
        self.entries.extend(copied);
    }
}

/// What remains of an item where it is overridden: of a text the characters around.
fn without(entry: &Entry, bits: &Range<u64>) -> Vec<Entry> {
    let InitValue::Bytes(bytes) = &entry.item.value else { return Vec::new() };
    let part = |range: Range<u64>| {
        let within = |bit: u64| ((bit - entry.bits.start) / 8).min(bytes.len() as u64) as usize;
        let value = InitValue::Bytes(bytes[within(range.start)..within(range.end)].into());
        let item = InitItem { offset: range.start / 8, bits: None, value };
        (range.start < range.end).then_some(Entry { item, bits: range, shared: None })
    };
    let before = part(entry.bits.start..bits.start.max(entry.bits.start));
    let behind = part(bits.end.min(entry.bits.end)..entry.bits.end);
    before.into_iter().chain(behind).collect()
}

impl Sema<'_> {
    /// The items in the order of their places, which is the one in which GCC computes them.
    pub(super) fn in_order(&mut self, items: Items) -> Vec<InitItem> {
        let mut entries = items.entries;
        entries.sort_by_key(|entry| entry.bits.start);
        let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
        for number in entries.iter().filter_map(|entry| entry.shared) {
            *uses.entry(number).or_default() += 1;
        }
        let mut objects: FxHashMap<usize, VarId> = FxHashMap::default();
        let mut finished = Vec::with_capacity(entries.len());
        for mut entry in entries {
            if let (Some(number), InitValue::Expr(e)) = (entry.shared, &mut entry.item.value)
                && uses.get(&number).is_some_and(|uses| *uses > 1)
            {
                let (ty, span) = (e.ty, e.span);
                let object = match objects.get(&number) {
                    Some(var) => Expr { kind: ExprKind::Var(*var), ty, span },
                    None => {
                        let object = self.unnamed_object(e.clone(), ty, span);
                        if let ExprKind::CompoundLiteral { var, .. } = object.kind {
                            objects.insert(number, var);
                        }
                        object
                    }
                };
                *e = Expr { kind: ExprKind::Load(Box::new(object)), ty, span };
            }
            finished.push(entry.item);
        }
        finished
    }
}
