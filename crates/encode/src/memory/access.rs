//! Reading and writing scalars.

use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged, float_sort};
use crate::guard::GuardId;
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, ObjectKind, Rest, Size};
use crate::memory::resolve::{Pointee, Resolution};
use crate::state::{Shared, State};
use base::Id;
use cfa::{ExprId, Scalar, Undefined};
use smt::{BinOp, Node, Sort, TermId, UnOp};
use std::rc::Rc;

/// Most cells that an access at an unknown offset looks at one by one; larger objects become arrays.
const MAX_CANDIDATES: u64 = 40;

/// What is known of an offset: it equals `rest` modulo 2^`zeros`.
#[derive(Clone, Copy)]
pub(super) struct Congruence {
    pub(super) zeros: u32,
    pub(super) rest: u64,
}

impl Encoder<'_> {
    /// Reads a scalar at `address`, the value of `expr`.
    pub fn load(&mut self, state: &mut State, expr: ExprId, address: TermId, ty: Scalar) -> Result<TermId, Dead> {
        let resolution = self.resolve(state, expr, address);
        self.require_place(state, &resolution)?;
        let mut value = None;
        for target in resolution.targets.iter().rev() {
            let here = match target.place {
                Pointee::Object { object, offset } => self.read_anywhere(state, object, offset, target.cond, ty),
                Pointee::External => self.read_external(state, address, ty),
            };
            value = Some(match value {
                None => here,
                Some(other) => self.terms.ite(target.cond, here, other),
            });
        }
        value.ok_or(Dead)
    }

    /// Writes a scalar at `address`, the value of `expr`.
    pub fn store(
        &mut self,
        state: &mut State,
        expr: ExprId,
        address: TermId,
        value: TermId,
        ty: Scalar,
    ) -> Result<(), Dead> {
        let bytes = ty.access_bytes(self.program.pointer_bits());
        let resolution = self.resolve(state, expr, address);
        self.require_valid(state, &resolution, bytes)?;
        let tru = self.terms.tru();
        let only = resolution.targets.len() == 1;
        for target in &resolution.targets {
            // The access is valid, so the only target is taken.
            let cond = if only { tru } else { target.cond };
            match target.place {
                Pointee::Object { object, offset } => self.write(state, object, offset, bytes, cond, value, ty),
                Pointee::External => self.write_external(state, address, cond, value, ty),
            }
        }
        Ok(())
    }

    /// Ends the paths on which an address means no object at all: a machine traps there.
    pub(super) fn require_place(&mut self, state: &mut State, resolution: &Resolution) -> Result<(), Dead> {
        for cond in &resolution.fixed {
            let valid = self.terms.not(*cond);
            self.require(state, valid, EndingKind::Unsupported("access to memory at a fixed address"))?;
        }
        let conditions: Vec<TermId> = resolution.targets.iter().map(|target| target.cond).collect();
        let valid = self.terms.or_all(&conditions);
        self.require(state, valid, EndingKind::Undefined(Undefined::InvalidAccess))
    }

    /// Ends the paths on which an access of `bytes` bytes is undefined.
    pub fn require_valid(&mut self, state: &mut State, resolution: &Resolution, bytes: u32) -> Result<(), Dead> {
        self.require_place(state, resolution)?;
        let mut valid = self.terms.fals();
        for target in &resolution.targets {
            let inside = match target.place {
                Pointee::Object { object, offset } => self.in_bounds(state, object, offset, u64::from(bytes)),
                Pointee::External => self.terms.tru(),
            };
            let here = self.terms.and(target.cond, inside);
            valid = self.terms.or(valid, here);
        }
        self.require(state, valid, EndingKind::Undefined(Undefined::OutsideWrite))
    }

    /// Reads a scalar whose pointer belongs to `object`, but may lead out of it: a machine goes on with any value then, of
    /// which the bytes inside of the object are known.
    fn read_anywhere(&mut self, state: &mut State, object: ObjId, offset: TermId, cond: TermId, ty: Scalar) -> TermId {
        let bytes = ty.access_bytes(self.program.pointer_bits());
        let inside = self.in_bounds(state, object, offset, u64::from(bytes));
        if self.terms.is_true(inside) {
            return self.read(state, object, offset, bytes, ty);
        }
        let outside = self.terms.not(inside);
        let when = self.terms.and(cond, outside);
        let var = self.terms.fresh_var("outside", Sort::BitVec(8 * bytes));
        self.log.push(LogEntry { guard: state.guard, edge: self.edge, what: Logged::Outside { when, var } });
        if self.terms.is_false(inside) {
            let bits = self.read_partly(state, object, offset, bytes, var);
            return self.from_bits(bits, ty);
        }
        let other = self.from_bits(var, ty);
        let value = self.read(state, object, offset, bytes, ty);
        self.terms.ite(inside, value, other)
    }

    /// The bytes of a read of which some lie in the object, the others from `outside`.
    fn read_partly(&mut self, state: &mut State, object: ObjId, offset: TermId, bytes: u32, outside: TermId) -> TermId {
        let byte = Scalar::Int { bits: 8, signed: false };
        let mut bits = None;
        for k in 0..bytes {
            let at = self.plus(offset, u64::from(k));
            let inside = self.in_bounds(state, object, at, 1);
            let mut part = self.terms.extract(8 * k + 7, 8 * k, outside);
            if self.terms.is_true(inside) {
                part = self.read(state, object, at, 1, byte);
            }
            bits = Some(match bits {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        bits.unwrap_or(outside)
    }

    /// Whether `bytes` bytes at `offset` lie in the object and it is alive.
    pub fn in_bounds(&mut self, state: &State, object: ObjId, offset: TermId, bytes: u64) -> TermId {
        if !self.exists(state, object) {
            return self.terms.fals();
        }
        let width = self.program.pointer_bits();
        let inside = match self.objects.get(object).size {
            Size::Const(size) if size < bytes => self.terms.fals(),
            Size::Const(size) => {
                let last = self.terms.bv(width, u128::from(size - bytes));
                self.terms.ule(offset, last)
            }
            Size::Term(size) => {
                let n = self.terms.bv(width, u128::from(bytes));
                let fits = self.terms.ule(n, size);
                let last = self.terms.bv_sub(size, n);
                let before = self.terms.ule(offset, last);
                self.terms.and(fits, before)
            }
        };
        let dead = self.contents(state, object).dead;
        let alive = self.terms.not(dead);
        self.terms.and(inside, alive)
    }

    /// Whether an object of this kind exists from the start.
    pub fn global_of(&self, kind: ObjectKind) -> bool {
        matches!(kind, ObjectKind::Global(_))
    }

    /// The content of an object, to look at.
    pub fn contents(&mut self, state: &State, object: ObjId) -> Rc<Contents> {
        match state.memory.get(object.index() as u32) {
            Some(contents) => contents.0.clone(),
            None => self.initial_contents(object),
        }
    }

    /// Sets the content of an object.
    pub fn set_contents(&mut self, state: &mut State, object: ObjId, contents: Rc<Contents>) {
        state.memory.insert(object.index() as u32, Shared(contents));
    }

    pub(crate) fn read(&mut self, state: &mut State, object: ObjId, offset: TermId, bytes: u32, ty: Scalar) -> TermId {
        self.touch(object, offset);
        let mut contents = self.contents(state, object);
        let guard = state.guard;
        let value = if let (Bytes::Cells(_), Some(at)) = (&contents.bytes, self.constant_offset(object, offset, bytes))
        {
            self.read_cells(guard, object, Rc::make_mut(&mut contents), at, bytes, ty)
        } else if let Some(candidates) = self.candidates(&contents, object, offset, bytes) {
            let target = Rc::make_mut(&mut contents);
            let mut value = None;
            for at in candidates.into_iter().rev() {
                let here = self.read_cells(guard, object, target, at, bytes, ty);
                value = Some(match value {
                    None => here,
                    Some(other) => {
                        let hit = self.offset_is(offset, at);
                        self.terms.ite(hit, here, other)
                    }
                });
            }
            match value {
                Some(value) => value,
                None => return self.zero(ty),
            }
        } else {
            let at = self.congruence(offset);
            let (array, elem) = self.make_array(guard, object, Rc::make_mut(&mut contents), at, bytes);
            let bits = self.read_array(array, elem, offset, at, bytes);
            self.from_bits(bits, ty)
        };
        self.set_contents(state, object, contents);
        value
    }

    #[allow(clippy::too_many_arguments)]
    fn write(
        &mut self,
        state: &mut State,
        object: ObjId,
        offset: TermId,
        bytes: u32,
        cond: TermId,
        value: TermId,
        ty: Scalar,
    ) {
        self.touch(object, offset);
        let mut contents = self.contents(state, object);
        let guard = state.guard;
        if let (Bytes::Cells(_), Some(at)) = (&contents.bytes, self.constant_offset(object, offset, bytes)) {
            let target = Rc::make_mut(&mut contents);
            let new = if self.terms.is_true(cond) {
                value
            } else {
                let old = self.read_cells(guard, object, target, at, bytes, ty);
                self.terms.ite(cond, value, old)
            };
            self.write_cell(target, at, Cell { bytes, value: new });
        } else if let Some(candidates) = self.candidates(&contents, object, offset, bytes) {
            let target = Rc::make_mut(&mut contents);
            for at in candidates {
                let old = self.read_cells(guard, object, target, at, bytes, ty);
                let hit = self.offset_is(offset, at);
                let hit = self.terms.and(cond, hit);
                let new = self.terms.ite(hit, value, old);
                self.write_cell(target, at, Cell { bytes, value: new });
            }
        } else {
            let at = self.congruence(offset);
            let (array, elem) = self.make_array(guard, object, Rc::make_mut(&mut contents), at, bytes);
            let mut bits = self.to_bits(value);
            if !self.terms.is_true(cond) {
                let old = self.read_array(array, elem, offset, at, bytes);
                bits = self.terms.ite(cond, bits, old);
            }
            let array = self.write_array(array, elem, offset, at, bytes, bits);
            Rc::make_mut(&mut contents).bytes = Bytes::Array(array);
        }
        self.set_contents(state, object, contents);
    }

    fn offset_is(&mut self, offset: TermId, at: u64) -> TermId {
        let at = self.terms.bv(self.program.pointer_bits(), u128::from(at));
        self.terms.eq(offset, at)
    }

    /// A constant offset at which the access lies in the object.
    fn constant_offset(&self, object: ObjId, offset: TermId, bytes: u32) -> Option<u64> {
        let at = u64::try_from(self.terms.as_bv_const(offset)?).ok()?;
        let end = at.checked_add(u64::from(bytes))?;
        (end <= self.objects.get(object).room && end <= u64::from(u32::MAX)).then_some(at)
    }

    /// All offsets at which the access may be, if they are few.
    fn candidates(&self, contents: &Contents, object: ObjId, offset: TermId, bytes: u32) -> Option<Vec<u64>> {
        let Bytes::Cells(_) = contents.bytes else { return None };
        let Size::Const(size) = self.objects.get(object).size else { return None };
        let Congruence { zeros, rest } = self.congruence(offset);
        let last = size.checked_sub(u64::from(bytes))?;
        let step = 1u64 << zeros.min(40);
        if rest > last {
            return Some(Vec::new());
        }
        ((last - rest) / step < MAX_CANDIDATES).then(|| (rest..=last).step_by(step as usize).collect())
    }

    pub(super) fn congruence(&self, offset: TermId) -> Congruence {
        match self.terms.node(offset) {
            Node::Bv { value, .. } => Congruence { zeros: 40, rest: value as u64 & ((1 << 40) - 1) },
            Node::Bin(BinOp::BvAdd, a, b) => {
                let (a, b) = (self.congruence(a), self.congruence(b));
                let zeros = a.zeros.min(b.zeros);
                Congruence { zeros, rest: a.rest.wrapping_add(b.rest) & ((1 << zeros) - 1) }
            }
            Node::Ite(_, a, b) => {
                let (a, b) = (self.congruence(a), self.congruence(b));
                let mut zeros = a.zeros.min(b.zeros);
                if a.rest != b.rest {
                    zeros = zeros.min((a.rest ^ b.rest).trailing_zeros());
                }
                Congruence { zeros, rest: a.rest & ((1 << zeros) - 1) }
            }
            _ => Congruence { zeros: self.trailing_zeros(offset).min(40), rest: 0 },
        }
    }

    /// Number of low bits of a term that are always zero.
    fn trailing_zeros(&self, term: TermId) -> u32 {
        match self.terms.node(term) {
            Node::Bv { value, width } => value.trailing_zeros().min(width),
            Node::Bin(BinOp::BvMul, a, b) => self.trailing_zeros(a) + self.trailing_zeros(b),
            Node::Un(UnOp::ZeroExt(_) | UnOp::SignExt(_) | UnOp::Extract { lo: 0, .. }, a) => self.trailing_zeros(a),
            Node::Bin(BinOp::BvAdd | BinOp::BvSub | BinOp::BvOr, a, b) => {
                self.trailing_zeros(a).min(self.trailing_zeros(b))
            }
            Node::Bin(BinOp::BvAnd, a, b) => self.trailing_zeros(a).max(self.trailing_zeros(b)),
            Node::Bin(BinOp::BvShl, a, b) => {
                let by = self.terms.as_bv_const(b).map_or(0, |v| v.min(127) as u32);
                self.trailing_zeros(a) + by
            }
            Node::Bin(BinOp::Concat, hi, lo) => {
                let low = self.trailing_zeros(lo);
                if low >= self.terms.width(lo) { low + self.trailing_zeros(hi) } else { low }
            }
            Node::Ite(_, a, b) => self.trailing_zeros(a).min(self.trailing_zeros(b)),
            _ => 0,
        }
        .min(self.terms.width(term))
    }

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
                let bits = self.to_bits(value);
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
                    let bits = self.to_bits(cell.value);
                    let lo = 8 * (pos - offset) as u32;
                    let hi = 8 * (stop - offset) as u32 - 1;
                    parts.push(self.terms.extract(hi, lo, bits));
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
        let bits = parts.into_iter().reduce(|low, high| self.terms.concat(high, low));
        match bits {
            Some(bits) => self.from_bits(bits, ty),
            None => self.zero(ty),
        }
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
            let mut keep = |this: &mut Self, from: u64, to: u64| {
                let bits = this.to_bits(cell.value);
                let value = this.terms.extract(8 * (to - offset) as u32 - 1, 8 * (from - offset) as u32, bits);
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

    /// Turns an object into an array, if it is none, and returns the array with its element size.
    fn make_array(
        &mut self,
        guard: GuardId,
        object: ObjId,
        contents: &mut Contents,
        at: Congruence,
        bytes: u32,
    ) -> (TermId, u32) {
        let fits = bytes.is_power_of_two()
            && bytes <= 8
            && at.zeros >= bytes.trailing_zeros()
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
                    let shift = 8 * (lo + k - offset) as u32;
                    self.terms.extract(shift + 7, shift, bits)
                }
                None => self.terms.extract(8 * k as u32 + 7, 8 * k as u32, old),
            });
        }
        parts.into_iter().reduce(|low, high| self.terms.concat(high, low)).unwrap_or(old)
    }

    fn read_array(&mut self, array: TermId, elem: u32, offset: TermId, at: Congruence, bytes: u32) -> TermId {
        let aligned = at.zeros >= elem.trailing_zeros() && at.rest.is_multiple_of(u64::from(elem));
        if aligned && bytes.is_multiple_of(elem) {
            let first = self.element_index(offset, elem);
            let mut bits = None;
            for k in 0..bytes / elem {
                let index = self.plus(first, u64::from(k));
                let part = self.select(array, index);
                bits = Some(match bits {
                    None => part,
                    Some(low) => self.terms.concat(part, low),
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
            let shift = self.bit_shift(here, elem);
            let moved = self.terms.bv_lshr(element, shift);
            let part = self.terms.extract(7, 0, moved);
            bits = Some(match bits {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        bits.unwrap_or_else(|| self.terms.bv(8 * bytes, 0))
    }

    fn write_array(
        &mut self,
        mut array: TermId,
        elem: u32,
        offset: TermId,
        at: Congruence,
        bytes: u32,
        bits: TermId,
    ) -> TermId {
        let aligned = at.zeros >= elem.trailing_zeros() && at.rest.is_multiple_of(u64::from(elem));
        if aligned && bytes.is_multiple_of(elem) {
            let first = self.element_index(offset, elem);
            for k in 0..bytes / elem {
                let index = self.plus(first, u64::from(k));
                let part = self.terms.extract(8 * elem * (k + 1) - 1, 8 * elem * k, bits);
                array = self.terms.store(array, index, part);
            }
            return array;
        }
        let byte_mask = self.terms.bv(8 * elem, 0xff);
        for k in 0..bytes {
            let here = self.plus(offset, u64::from(k));
            let index = self.element_index(here, elem);
            let old = self.select(array, index);
            let shift = self.bit_shift(here, elem);
            let hole = self.terms.bv_shl(byte_mask, shift);
            let hole = self.terms.bv_not(hole);
            let kept = self.terms.bv_and(old, hole);
            let part = self.terms.extract(8 * k + 7, 8 * k, bits);
            let part = self.terms.zero_resize(8 * elem, part);
            let part = self.terms.bv_shl(part, shift);
            let new = self.terms.bv_or(kept, part);
            array = self.terms.store(array, index, new);
        }
        array
    }

    fn plus(&mut self, offset: TermId, k: u64) -> TermId {
        let k = self.terms.bv(self.program.pointer_bits(), u128::from(k));
        self.terms.bv_add(offset, k)
    }

    fn element_index(&mut self, offset: TermId, elem: u32) -> TermId {
        let shift = self.terms.bv(self.program.pointer_bits(), u128::from(elem.trailing_zeros()));
        self.terms.bv_lshr(offset, shift)
    }

    /// Bits by which the byte at `offset` is shifted in its element.
    fn bit_shift(&mut self, offset: TermId, elem: u32) -> TermId {
        let width = self.program.pointer_bits();
        let mask = self.terms.bv(width, u128::from(elem - 1));
        let within = self.terms.bv_and(offset, mask);
        let three = self.terms.bv(width, 3);
        let shift = self.terms.bv_shl(within, three);
        self.terms.zero_resize(8 * elem, shift)
    }

    fn read_external(&mut self, state: &State, address: TermId, ty: Scalar) -> TermId {
        let bytes = ty.access_bytes(self.program.pointer_bits());
        let mut bits = None;
        for k in 0..bytes {
            let index = self.plus(address, u64::from(k));
            let part = self.terms.select(state.external, index);
            bits = Some(match bits {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        match bits {
            Some(bits) => self.from_bits(bits, ty),
            None => self.zero(ty),
        }
    }

    fn write_external(&mut self, state: &mut State, address: TermId, cond: TermId, value: TermId, ty: Scalar) {
        let bits = self.to_bits(value);
        let old = state.external;
        let mut array = old;
        for k in 0..ty.access_bytes(self.program.pointer_bits()) {
            let index = self.plus(address, u64::from(k));
            let part = self.terms.extract(8 * k + 7, 8 * k, bits);
            array = self.terms.store(array, index, part);
        }
        state.external = self.terms.ite(cond, array, old);
    }

    /// The bits that a scalar has in memory; whole bytes.
    pub fn to_bits(&mut self, value: TermId) -> TermId {
        match self.terms.sort(value) {
            Sort::Float(sort) => {
                let bits = self.terms.fp_to_bits(value);
                if sort != smt::FloatSort::X87 {
                    return bits;
                }
                // The x87 format has an explicit integer bit: set unless the exponent is zero.
                let top = self.terms.extract(78, 63, bits);
                let exponent = self.terms.extract(77, 63, bits);
                let fraction = self.terms.extract(62, 0, bits);
                let zero = self.terms.bv(15, 0);
                let normal = self.terms.ne(exponent, zero);
                let integer = self.terms.bool_to_bv(1, normal);
                let low = self.terms.concat(integer, fraction);
                self.terms.concat(top, low)
            }
            _ => value,
        }
    }

    /// The scalar that bits in memory mean.
    pub fn from_bits(&mut self, bits: TermId, ty: Scalar) -> TermId {
        match ty {
            Scalar::Float(format) => {
                let bits = if format == cfa::FloatFormat::F80 {
                    let top = self.terms.extract(79, 64, bits);
                    let fraction = self.terms.extract(62, 0, bits);
                    self.terms.concat(top, fraction)
                } else {
                    bits
                };
                self.terms.fp_from_bits(float_sort(format), bits)
            }
            _ => bits,
        }
    }

    /// Zero of a scalar type.
    pub fn zero(&mut self, ty: Scalar) -> TermId {
        self.constant(ty, cfa::Value(0))
    }
}
