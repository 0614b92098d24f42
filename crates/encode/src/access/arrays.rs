//! Objects as arrays: where an access may be at too many places, and where the size is not known.

use crate::encoder::{Encoder, LogEntry, Logged};
use crate::guard::GuardId;
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, Rest};
use cfa::Scalar;
use smt::{Congruence, Sort, TermId};

impl Encoder<'_> {
    /// Turns an object into an array, if it is none, and returns the array with its element size.
    pub(crate) fn make_array(
        &mut self,
        guard: GuardId,
        object: ObjId,
        contents: &mut Contents,
        at: Congruence,
        bytes: u32,
    ) -> (TermId, u32) {
        let fits = bytes.is_power_of_two()
            && bytes <= 8
            && at.bits >= bytes.trailing_zeros()
            && at.rest.is_multiple_of(u64::from(bytes));
        let wanted = if fits { bytes } else { 1 };
        let elem = *self.objects.get_mut(object).elem.get_or_insert(wanted);
        (self.to_array(guard, object, contents, elem), elem)
    }

    /// The content as an array of elements of `elem` bytes.
    pub fn to_array(&mut self, guard: GuardId, object: ObjId, contents: &mut Contents, elem: u32) -> TermId {
        let cells = match &contents.bytes {
            Bytes::Array(array) => return *array,
            Bytes::Cells(cells) => cells.clone(),
        };
        self.want_array(object);
        let width = self.program.pointer_bits();
        let mut array = match contents.rest {
            Rest::Before => self.before_array(object, elem),
            Rest::Zero => {
                let zero = self.terms.bv(8 * elem, 0);
                self.terms.const_array(width, zero)
            }
            Rest::Arbitrary => {
                let var = self.terms.fresh_var("array", Sort::bv_array(width, 8 * elem));
                let what = Logged::ContentArray { object, elem, var };
                self.log.push(LogEntry { guard, edge: self.edge, what });
                var
            }
        };
        let mut elements = Vec::new();
        cells.for_each(|offset, cell| {
            let first = offset / elem;
            let last = (offset + cell.bytes - 1) / elem;
            elements.extend(first..=last);
        });
        elements.dedup();
        let ty = Scalar::Int { bits: 8 * elem as u16, signed: false };
        for element in elements {
            let index = self.terms.bv(width, u128::from(element));
            let (lo, hi) = (u64::from(element * elem), u64::from((element + 1) * elem));
            let whole: u32 = overlapping(&cells, lo, hi)
                .iter()
                .map(|(o, c)| ((o + u64::from(c.bytes)).min(hi) - (*o).max(lo)) as u32)
                .sum();
            let value = if whole == elem {
                self.read_cells(guard, object, contents, lo, elem, ty)
            } else {
                // Only part of the element was written: the rest comes from the array below.
                let old = self.select(array, index);
                self.overlay(&cells, old, lo, elem)
            };
            array = self.terms.store(array, index, value);
        }
        contents.bytes = Bytes::Array(array);
        array
    }

    /// Element `old` at offset `lo` with the bytes replaced that cells hold.
    fn overlay(&mut self, cells: &crate::pmap::PMap<Cell>, old: TermId, lo: u64, elem: u32) -> TermId {
        let mut parts = Vec::new();
        for k in 0..u64::from(elem) {
            let here = overlapping(cells, lo + k, lo + k + 1);
            parts.push(match here.first() {
                Some((offset, cell)) => {
                    let bits = self.to_bits(cell.value);
                    self.part(bits, (lo + k - offset) as u32, 1)
                }
                None => self.part(old, k as u32, 1),
            });
        }
        parts.into_iter().reduce(|first, second| self.joined(first, second)).unwrap_or(old)
    }

    pub(crate) fn read_array(
        &mut self,
        array: TermId,
        elem: u32,
        offset: TermId,
        at: Congruence,
        bytes: u32,
    ) -> TermId {
        let aligned = at.bits >= elem.trailing_zeros() && at.rest.is_multiple_of(u64::from(elem));
        if aligned && bytes.is_multiple_of(elem) {
            let first = self.element_index(offset, elem);
            let mut bits = None;
            for k in 0..bytes / elem {
                let index = self.plus(first, u64::from(k));
                let part = self.select(array, index);
                bits = Some(match bits {
                    None => part,
                    Some(first) => self.joined(first, part),
                });
            }
            if let Some(bits) = bits {
                return bits;
            }
        }
        let mut bits = None;
        for k in 0..bytes {
            let here = self.plus(offset, u64::from(k));
            let index = self.element_index(here, elem);
            let element = self.select(array, index);
            let shift = self.byte_shift(here, elem);
            let moved = self.terms.bv_lshr(element, shift);
            let part = self.terms.extract(7, 0, moved);
            bits = Some(match bits {
                None => part,
                Some(first) => self.joined(first, part),
            });
        }
        bits.unwrap_or_else(|| self.terms.bv(8 * bytes, 0))
    }

    pub(crate) fn write_array(
        &mut self,
        mut array: TermId,
        elem: u32,
        offset: TermId,
        at: Congruence,
        bytes: u32,
        bits: TermId,
    ) -> TermId {
        let aligned = at.bits >= elem.trailing_zeros() && at.rest.is_multiple_of(u64::from(elem));
        if aligned && bytes.is_multiple_of(elem) {
            let first = self.element_index(offset, elem);
            for k in 0..bytes / elem {
                let index = self.plus(first, u64::from(k));
                let part = self.part(bits, elem * k, elem);
                array = self.terms.store(array, index, part);
            }
            return array;
        }
        let byte_mask = self.terms.bv(8 * elem, 0xff);
        for k in 0..bytes {
            let here = self.plus(offset, u64::from(k));
            let index = self.element_index(here, elem);
            let old = self.select(array, index);
            let shift = self.byte_shift(here, elem);
            let hole = self.terms.bv_shl(byte_mask, shift);
            let hole = self.terms.bv_not(hole);
            let kept = self.terms.bv_and(old, hole);
            let part = self.part(bits, k, 1);
            let part = self.terms.zero_resize(8 * elem, part);
            let part = self.terms.bv_shl(part, shift);
            let new = self.terms.bv_or(kept, part);
            array = self.terms.store(array, index, new);
        }
        array
    }

    pub(crate) fn plus(&mut self, offset: TermId, k: u64) -> TermId {
        let k = self.terms.bv(self.program.pointer_bits(), u128::from(k));
        self.terms.bv_add(offset, k)
    }

    fn element_index(&mut self, offset: TermId, elem: u32) -> TermId {
        let shift = self.terms.bv(self.program.pointer_bits(), u128::from(elem.trailing_zeros()));
        self.terms.bv_lshr(offset, shift)
    }
}
