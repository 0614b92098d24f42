//! What an object holds where two states meet.

use crate::bits::unsigned;
use crate::encoder::{Encoder, float_format};
use crate::memory::contents::{Bytes, Cell, Contents};
use crate::memory::object::{ObjId, Rest};
use crate::state::State;
use base::Id;
use cfa::Scalar;
use smt::TermId;
use std::rc::Rc;

impl Encoder<'_> {
    /// Joins the contents of one object.
    pub(crate) fn join_object(&mut self, joined: &mut State, first: TermId, a: &State, b: &State, object: ObjId) {
        let index = object.index() as u32;
        let global = self.global_of(self.objects.get(object).kind);
        // An object that only one side knows was made there; no pointer on the other side leads to it.
        let (mut ca, mut cb) = match (a.memory.get(index), b.memory.get(index)) {
            (Some(x), Some(y)) => (x.0.clone(), y.0.clone()),
            (Some(x), None) if global => (x.0.clone(), self.initial_contents(object)),
            (None, Some(y)) if global => (self.initial_contents(object), y.0.clone()),
            (Some(only), None) | (None, Some(only)) => {
                let mut contents = only.0.clone();
                if self.asks_for_life && self.canon.is_none() {
                    // Where it was not made, it is not alive.
                    let made = if a.memory.get(index).is_some() { first } else { self.terms.not(first) };
                    let elsewhere = self.terms.not(made);
                    let dead = self.terms.or(contents.dead, elsewhere);
                    Rc::make_mut(&mut contents).dead = dead;
                }
                self.set_contents(joined, object, contents);
                return;
            }
            (None, None) => return,
        };
        let dead = self.terms.ite(first, ca.dead, cb.dead);
        let (x, y) = (Rc::make_mut(&mut ca), Rc::make_mut(&mut cb));
        let same_rest = x.rest == y.rest || self.canon.is_some();
        let rest = match (&self.canon, x.rest == y.rest) {
            // What neither side has as a cell is forgotten, which is an over-approximation.
            (Some(_), false) => Rest::Arbitrary,
            _ => x.rest,
        };
        let bytes = match (&x.bytes, &y.bytes) {
            (Bytes::Cells(_), Bytes::Cells(_)) if same_rest => Bytes::Cells(self.join_cells(object, first, a, b, x, y)),
            _ => {
                let elem = *self.objects.get_mut(object).elem.get_or_insert(1);
                let p = self.to_array(a.guard, object, x, elem);
                let q = self.to_array(b.guard, object, y, elem);
                Bytes::Array(self.terms.ite(first, p, q))
            }
        };
        self.set_contents(joined, object, Rc::new(Contents { bytes, rest, dead }));
    }

    fn join_cells(
        &mut self,
        object: ObjId,
        first: TermId,
        a: &State,
        b: &State,
        x: &mut Contents,
        y: &mut Contents,
    ) -> crate::pmap::PMap<Cell> {
        let (Bytes::Cells(cx), Bytes::Cells(cy)) = (&x.bytes, &y.bytes) else { return Default::default() };
        let mut ranges = Vec::new();
        cx.for_each_difference(cy, |offset, p, q| {
            let offset = u64::from(offset);
            ranges.extend([p, q].into_iter().flatten().map(|cell| (offset, offset + u64::from(cell.bytes))));
        });
        let mut joined = cx.clone();
        let mut i = 0;
        while i < ranges.len() {
            let (lo, mut hi) = ranges[i];
            // All ranges that overlap, directly or through others, are cut at each end of one of them.
            let mut cuts = vec![lo, hi];
            i += 1;
            while i < ranges.len() && ranges[i].0 < hi {
                cuts.extend([ranges[i].0, ranges[i].1]);
                hi = hi.max(ranges[i].1);
                i += 1;
            }
            cuts.sort_unstable();
            cuts.dedup();
            joined.remove_range(lo as u32, (hi - 1) as u32);
            for pair in cuts.windows(2) {
                let (at, bytes) = (pair[0], (pair[1] - pair[0]) as u32);
                let sort = self.common_sort(x, y, at, bytes);
                let p = self.read_cells(a.guard, object, x, at, bytes, sort);
                let q = self.read_cells(b.guard, object, y, at, bytes, sort);
                let value = self.terms.ite(first, p, q);
                joined.insert(at as u32, Cell { bytes, value });
            }
        }
        joined
    }

    /// The type in which both sides of a join read a cell: a float if one of them holds a float exactly there.
    fn common_sort(&self, x: &Contents, y: &Contents, at: u64, bytes: u32) -> Scalar {
        for side in [x, y] {
            if let Bytes::Cells(cells) = &side.bytes
                && let Some(cell) = cells.get(at as u32)
                && cell.bytes == bytes
                && let Some(format) = float_format(self.terms.sort(cell.value))
            {
                return Scalar::Float(format);
            }
        }
        unsigned(bytes)
    }
}
