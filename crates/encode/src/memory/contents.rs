//! Contents of memory objects: cells at constant offsets, or one array term.

use crate::memory::object::Rest;
use crate::pmap::PMap;
use smt::TermId;

/// A scalar in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Bytes that it takes.
    pub bytes: u32,
    /// Its value: a bit-vector of that many bytes, or a float.
    pub value: TermId,
}

/// How the bytes of an object are represented.
#[derive(Clone, Debug)]
pub enum Bytes {
    /// Cells by offset, without overlap.
    Cells(PMap<Cell>),
    /// An array of elements; their size is that of the object ([`crate::Object::elem`]).
    Array(TermId),
}

/// Content of one object in one state.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What was written.
    pub bytes: Bytes,
    /// What was not written; only for `Bytes::Cells`.
    pub rest: Rest,
    /// Whether the object was freed.
    pub dead: TermId,
}

/// Cells that overlap a range, in order.
pub fn overlapping(cells: &PMap<Cell>, lo: u64, hi: u64) -> Vec<(u64, Cell)> {
    let mut found = Vec::new();
    // No cell is longer than 16 bytes.
    cells.for_range(lo.saturating_sub(15) as u32, (hi - 1) as u32, |offset, cell| {
        if u64::from(offset) + u64::from(cell.bytes) > lo {
            found.push((u64::from(offset), *cell));
        }
    });
    found
}
