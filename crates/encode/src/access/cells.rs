//! Objects as cells: scalars at known offsets, which are split where an access sees a part of them.

use crate::encoder::{Encoder, LogEntry, Logged};
use crate::guard::GuardId;
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, Rest};
use cfa::Scalar;
use smt::{Sort, TermId};

impl Encoder<'_> {
    /// Reads a scalar from cells at a constant offset.
    pub fn read_cells(
        &mut self,
        guard: GuardId,
        object: ObjId,
        contents: &mut Contents,
        at: u64,
        bytes: u32,
        ty: Scalar,
    ) -> TermId {
        let Bytes::Cells(cells) = &contents.bytes else { unreachable!("an array has no cells") };
        let end = at + u64::from(bytes);
        let found = overlapping(cells, at, end);
        match found.as_slice() {
            [(offset, cell)] if *offset == at && cell.bytes == bytes => {
                let value = cell.value;
                if self.terms.sort(value) == self.sort(ty) {
                    return value;
                }
                let bits = self.bits_of_cell(contents, *offset, cell);
                return self.from_bits(bits, ty);
            }
            [] => {
                return match contents.rest {
                    Rest::Zero => self.zero(ty),
                    Rest::Arbitrary | Rest::Before => {
                        let sort = self.sort(ty);
                        self.open_content(guard, object, contents, at, bytes, sort)
                    }
                };
            }
            _ => {}
        }
        // Put together from parts, the lowest address first.
        let mut parts: Vec<TermId> = Vec::new();
        let mut pos = at;
        let mut next = found.into_iter().peekable();
        while pos < end {
            match next.peek() {
                Some((offset, cell)) if *offset <= pos => {
                    let stop = (offset + u64::from(cell.bytes)).min(end);
                    let bits = self.bits_of_cell(contents, *offset, cell);
                    parts.push(self.part(bits, (pos - offset) as u32, (stop - pos) as u32));
                    pos = stop;
                    next.next();
                }
                other => {
                    let stop = other.map_or(end, |(offset, _)| *offset).min(end);
                    let n = (stop - pos) as u32;
                    parts.push(match contents.rest {
                        Rest::Zero => self.terms.bv(8 * n, 0),
                        Rest::Arbitrary | Rest::Before => {
                            self.open_content(guard, object, contents, pos, n, Sort::BitVec(8 * n))
                        }
                    });
                    pos = stop;
                }
            }
        }
        let bits = parts.into_iter().reduce(|first, second| self.joined(first, second));
        match bits {
            Some(bits) => self.from_bits(bits, ty),
            None => self.zero(ty),
        }
    }

    /// The bits of a cell, which holds them from now on: those of a NaN are chosen once.
    fn bits_of_cell(&mut self, contents: &mut Contents, offset: u64, cell: &Cell) -> TermId {
        let bits = self.to_bits(cell.value);
        if bits != cell.value
            && let Bytes::Cells(cells) = &mut contents.bytes
        {
            cells.insert(offset as u32, Cell { bytes: cell.bytes, value: bits });
        }
        bits
    }

    /// Names bytes of the initial content.
    fn open_content(
        &mut self,
        guard: GuardId,
        object: ObjId,
        contents: &mut Contents,
        at: u64,
        bytes: u32,
        sort: Sort,
    ) -> TermId {
        let var = if contents.rest == Rest::Before {
            self.before_cell(object, at, bytes, sort)
        } else {
            let var = self.terms.fresh_var("content", sort);
            self.log.push(LogEntry { guard, edge: self.edge, what: Logged::Content { object, offset: at, var } });
            var
        };
        if let Bytes::Cells(cells) = &mut contents.bytes {
            cells.insert(at as u32, Cell { bytes, value: var });
        }
        var
    }

    /// Writes a cell at a constant offset and cuts what it overlaps.
    pub fn write_cell(&mut self, contents: &mut Contents, at: u64, cell: Cell) {
        self.clear_range(contents, at, at + u64::from(cell.bytes));
        if let Bytes::Cells(cells) = &mut contents.bytes {
            cells.insert(at as u32, cell);
        }
    }

    /// Removes the cells of a range, keeping the parts of cells that reach out of it.
    pub fn clear_range(&mut self, contents: &mut Contents, lo: u64, hi: u64) {
        let Bytes::Cells(cells) = &mut contents.bytes else { return };
        if lo >= hi {
            return;
        }
        let found = overlapping(cells, lo, hi);
        if found.len() == 1 && found[0].0 == lo && lo + u64::from(found[0].1.bytes) == hi {
            // Overwritten as a whole; the caller puts a new cell here or leaves the rest.
            cells.remove(lo as u32);
            return;
        }
        cells.remove_range(lo as u32, (hi - 1) as u32);
        for (offset, cell) in found {
            let end = offset + u64::from(cell.bytes);
            let bits = self.to_bits(cell.value);
            let mut keep = |this: &mut Self, from: u64, to: u64| {
                let value = this.part(bits, (from - offset) as u32, (to - from) as u32);
                cells.insert(from as u32, Cell { bytes: (to - from) as u32, value });
            };
            if offset < lo {
                keep(self, offset, lo);
            }
            if end > hi {
                keep(self, hi, end);
            }
        }
    }
}
