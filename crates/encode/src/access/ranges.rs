//! Whole objects and ranges: initial contents, allocation, copies, joins.

use crate::access::resolve::{Pointee, Resolution};
use crate::bits::unsigned;
use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged};
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, Rest, Size};
use crate::state::State;
use cfa::ExprId;
use smt::{Sort, TermId};
use std::rc::Rc;

/// Longest range that is copied or set piece by piece where its place is not known exactly.
const MAX_PIECEWISE: u64 = 4096;
/// Longest range that is written as single cells.
const MAX_CELLS: u64 = 1 << 20;

/// Cuts `[lo, hi)` into pieces of 8, 4, 2 and 1 bytes, aligned by their size.
pub(super) fn pieces(mut lo: u64, hi: u64) -> impl Iterator<Item = (u64, u32)> {
    std::iter::from_fn(move || {
        if lo >= hi {
            return None;
        }
        let fits = |n: u64| lo.is_multiple_of(n) && lo + n <= hi;
        let n = [8, 4, 2].into_iter().find(|n| fits(*n)).unwrap_or(1);
        lo += n;
        Some((lo - n, n as u32))
    })
}

impl Encoder<'_> {
    /// Whether a range of `len` bytes is valid at each target; ends the path where it is not.
    fn require_range(&mut self, state: &mut State, resolution: &Resolution, len: u64) -> Result<(), Dead> {
        if len == 0 {
            return Ok(());
        }
        match u32::try_from(len) {
            Ok(len) => self.require_valid(state, resolution, len),
            Err(_) => {
                let fals = self.terms.fals();
                self.require(state, fals, EndingKind::Unsupported("copy of a very large range"))
            }
        }
    }

    /// The object and constant offset that a range certainly lies at.
    fn exact(&self, resolution: &Resolution) -> Option<(ObjId, u64)> {
        match resolution.targets.as_slice() {
            [target] => match target.place {
                Pointee::Object { object, offset } => {
                    Some((object, u64::try_from(self.terms.as_bv_const(offset)?).ok()?))
                }
                Pointee::External => None,
            },
            _ => None,
        }
    }

    fn too_long(&mut self, state: &mut State) -> Dead {
        let fals = self.terms.fals();
        let what = EndingKind::Unsupported("copy or fill of a long range at an address that is not exactly known");
        let _ = self.require(state, fals, what);
        Dead
    }

    /// Copies `len` bytes.
    pub fn copy(
        &mut self,
        state: &mut State,
        (dst_expr, dst): (ExprId, TermId),
        (src_expr, src): (ExprId, TermId),
        len: u64,
    ) -> Result<(), Dead> {
        if len == 0 {
            return Ok(());
        }
        let from = self.resolve(state, src_expr, src);
        self.require_range(state, &from, len)?;
        let to = self.resolve(state, dst_expr, dst);
        self.require_range(state, &to, len)?;
        if let (Some((src_object, src_at)), Some((dst_object, dst_at))) = (self.exact(&from), self.exact(&to)) {
            let (a, b) = (self.contents(state, src_object), self.contents(state, dst_object));
            if let (Bytes::Cells(_), Bytes::Cells(_), true) = (&a.bytes, &b.bytes, len <= MAX_CELLS) {
                self.copy_cells(state, src_object, src_at, dst_object, dst_at, len);
                return Ok(());
            }
        }
        if len > MAX_PIECEWISE {
            return Err(self.too_long(state));
        }
        // Read everything before anything is written: the ranges may overlap.
        let width = self.program.pointer_bits();
        let mut values = Vec::new();
        for (at, bytes) in pieces(0, len) {
            let delta = self.terms.bv(width, u128::from(at));
            let address = self.terms.bv_add(src, delta);
            values.push((at, bytes, self.load(state, src_expr, address, unsigned(bytes))?));
        }
        for (at, bytes, value) in values {
            let delta = self.terms.bv(width, u128::from(at));
            let address = self.terms.bv_add(dst, delta);
            self.store(state, dst_expr, address, value, unsigned(bytes))?;
        }
        Ok(())
    }

    fn copy_cells(&mut self, state: &mut State, src: ObjId, src_at: u64, dst: ObjId, dst_at: u64, len: u64) {
        let guard = state.guard;
        let mut source = self.contents(state, src);
        let hi = src_at + len;
        // Bytes that were never written get a name first, so that both copies are equal.
        if let (Bytes::Cells(cells), Rest::Arbitrary | Rest::Before) = (&source.bytes, source.rest) {
            let mut gaps = Vec::new();
            let mut pos = src_at;
            for (offset, cell) in overlapping(cells, src_at, hi) {
                gaps.extend(pieces(pos, offset));
                pos = offset + u64::from(cell.bytes);
            }
            gaps.extend(pieces(pos, hi));
            if !gaps.is_empty() {
                let target = Rc::make_mut(&mut source);
                for (at, bytes) in gaps {
                    self.read_cells(guard, src, target, at, bytes, unsigned(bytes));
                }
                self.set_contents(state, src, source.clone());
            }
        }
        let Bytes::Cells(cells) = &source.bytes else { return };
        let mut copied = Vec::new();
        let mut pos = src_at;
        for (offset, cell) in overlapping(cells, src_at, hi) {
            copied.extend(pieces(pos, offset).map(|(at, n)| (at, n, None)));
            let (lo, end) = (offset.max(src_at), (offset + u64::from(cell.bytes)).min(hi));
            let value = if end - lo == u64::from(cell.bytes) {
                cell.value
            } else {
                let bits = self.to_bits(cell.value);
                self.part(bits, (lo - offset) as u32, (end - lo) as u32)
            };
            copied.push((lo, (end - lo) as u32, Some(value)));
            pos = end;
        }
        copied.extend(pieces(pos, hi).map(|(at, n)| (at, n, None)));
        let mut target = self.contents(state, dst);
        let into = Rc::make_mut(&mut target);
        self.clear_whole(into, dst_at, dst_at + len);
        for (at, bytes, value) in copied {
            let value = match value {
                Some(value) => value,
                None if into.rest == Rest::Zero => continue,
                None => self.terms.bv(8 * bytes, 0),
            };
            self.write_cell(into, at - src_at + dst_at, Cell { bytes, value });
        }
        self.set_contents(state, dst, target);
    }

    /// Removes all cells of a range, also one that is the range as a whole.
    fn clear_whole(&mut self, contents: &mut Contents, lo: u64, hi: u64) {
        self.clear_range(contents, lo, hi);
    }

    /// Sets `len` bytes to the low byte of `byte`.
    pub fn fill(
        &mut self,
        state: &mut State,
        (dst_expr, dst): (ExprId, TermId),
        byte: TermId,
        len: u64,
    ) -> Result<(), Dead> {
        let byte = self.terms.extract(7, 0, byte);
        let mut values = [byte; 4];
        for k in 1..4 {
            values[k] = self.terms.concat(values[k - 1], values[k - 1]);
        }
        let zero = self.terms.as_bv_const(byte) == Some(0);
        self.put_range(state, dst_expr, dst, len, zero, |_, bytes| values[bytes.trailing_zeros() as usize])
    }

    /// Sets `len` bytes to arbitrary values.
    pub fn havoc(&mut self, state: &mut State, (dst_expr, dst): (ExprId, TermId), len: u64) -> Result<(), Dead> {
        let mut chunks = Vec::new();
        let guard = state.guard;
        let result = self.put_range(state, dst_expr, dst, len, false, |this, bytes| {
            let var = this.terms.fresh_var("bytes", Sort::BitVec(8 * bytes));
            chunks.push(var);
            var
        });
        self.log.push(LogEntry { guard, edge: self.edge, what: Logged::Bytes { chunks } });
        result
    }

    /// Sets all of the object into which an address leads to arbitrary bytes.
    pub fn havoc_object(&mut self, state: &mut State, expr: ExprId, address: TermId) -> Result<(), Dead> {
        let to = self.resolve(state, expr, address);
        self.require_range(state, &to, 1)?;
        let tru = self.terms.tru();
        let only = to.targets.len() == 1;
        for target in &to.targets {
            let cond = if only { tru } else { target.cond };
            match target.place {
                Pointee::Object { object, .. } => self.havoc_all(state, object, cond),
                Pointee::External => {
                    let sort = self.terms.sort(state.external);
                    let any = self.terms.fresh_var("outside", sort);
                    state.external = self.terms.ite(cond, any, state.external);
                }
            }
        }
        Ok(())
    }

    fn havoc_all(&mut self, state: &mut State, object: ObjId, when: TermId) {
        let guard = state.guard;
        let mut contents = self.contents(state, object);
        let target = Rc::make_mut(&mut contents);
        let elem = *self.objects.get_mut(object).elem.get_or_insert(1);
        let var = self.terms.fresh_var("object", Sort::bv_array(self.program.pointer_bits(), 8 * elem));
        let array = if self.terms.is_true(when) {
            self.want_array(object);
            var
        } else {
            let before = self.to_array(guard, object, target, elem);
            self.terms.ite(when, var, before)
        };
        target.bytes = Bytes::Array(array);
        self.set_contents(state, object, contents);
        self.log.push(LogEntry { guard, edge: self.edge, what: Logged::Whole { when, object, elem, var } });
    }

    fn put_range(
        &mut self,
        state: &mut State,
        expr: ExprId,
        address: TermId,
        len: u64,
        zero: bool,
        mut value: impl FnMut(&mut Self, u32) -> TermId,
    ) -> Result<(), Dead> {
        if len == 0 {
            return Ok(());
        }
        let to = self.resolve(state, expr, address);
        self.require_range(state, &to, len)?;
        if let Some((object, at)) = self.exact(&to) {
            let mut contents = self.contents(state, object);
            let whole = at == 0 && self.objects.get(object).size == Size::Const(len);
            if zero && whole {
                let target = Rc::make_mut(&mut contents);
                target.bytes = Bytes::Cells(Default::default());
                target.rest = Rest::Zero;
                self.set_contents(state, object, contents);
                return Ok(());
            }
            if let (Bytes::Cells(_), true) = (&contents.bytes, len <= MAX_CELLS) {
                let target = Rc::make_mut(&mut contents);
                self.clear_whole(target, at, at + len);
                if !(zero && target.rest == Rest::Zero) {
                    // Pieces are counted from the start of the range, in ascending order, as the log expects.
                    for (offset, bytes) in pieces(0, len) {
                        let value = value(self, bytes);
                        self.write_cell(target, at + offset, Cell { bytes, value });
                    }
                }
                self.set_contents(state, object, contents);
                return Ok(());
            }
        }
        if len > MAX_PIECEWISE {
            return Err(self.too_long(state));
        }
        for (offset, bytes) in pieces(0, len) {
            let delta = self.terms.bv(self.program.pointer_bits(), u128::from(offset));
            let here = self.terms.bv_add(address, delta);
            let value = value(self, bytes);
            self.store(state, expr, here, value, unsigned(bytes))?;
        }
        Ok(())
    }
}
