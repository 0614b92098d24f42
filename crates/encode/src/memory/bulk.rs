//! Whole objects and ranges: initial contents, allocation, copies, joins.

use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged};
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, ObjectKind, Rest, Size};
use crate::memory::resolve::{Pointee, Resolution};
use crate::state::State;
use base::Id;
use cfa::{ExprId, InitValue, MachineModel, Scalar, Undefined};
use smt::{BinOp, Node, Sort, TermId, UnOp};
use std::rc::Rc;

/// Longest range that is copied or set piece by piece where its place is not known exactly.
const MAX_PIECEWISE: u64 = 4096;
/// Longest range that is written as single cells.
const MAX_CELLS: u64 = 1 << 20;

fn unsigned(bytes: u32) -> Scalar {
    Scalar::Int { bits: 8 * bytes as u16, signed: false }
}

/// Cuts `[lo, hi)` into pieces of 8, 4, 2 and 1 bytes, aligned by their size.
fn pieces(mut lo: u64, hi: u64) -> impl Iterator<Item = (u64, u32)> {
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
    /// The term of a constant.
    pub fn constant(&mut self, ty: Scalar, value: cfa::Value) -> TermId {
        match ty {
            Scalar::Bool => self.terms.bool_const(value.0 != 0),
            Scalar::Int { .. } | Scalar::Ptr => self.terms.bv(ty.bits(self.program.pointer_bits()), value.0),
            Scalar::Float(format) => {
                let sort = crate::encoder::float_sort(format);
                let bits = match format {
                    // Without the explicit integer bit.
                    cfa::FloatFormat::F80 => (value.0 >> 64) << 63 | value.0 & ((1 << 63) - 1),
                    _ => value.0,
                };
                self.terms.fp_const(bits, sort)
            }
        }
    }

    /// Gives the global registers their initial values.
    pub(crate) fn init_globals(&mut self, state: &mut State) {
        let program = self.program;
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, Some(ty)) = (var.is_global(), var.register()) {
                let init = var.init.as_ref().and_then(|init| init.cells.first());
                let value = match init {
                    Some((_, _, value)) => self.init_value(ty, *value),
                    None => self.zero(ty),
                };
                let slot = self.slots.slot(program, crate::FrameSlots(0), id);
                state.slots.insert(slot, value);
            }
        }
    }

    /// The term of an initial value.
    pub fn init_value(&mut self, ty: Scalar, value: InitValue) -> TermId {
        if let InitValue::Scalar(value) = value {
            return self.constant(ty, value);
        }
        let bits = self.init_bits(value);
        self.terms.bv(ty.bits(self.program.pointer_bits()), bits)
    }

    /// The bits of an initial value.
    pub fn init_bits(&self, value: InitValue) -> u128 {
        match value {
            InitValue::Scalar(value) => value.0,
            InitValue::Function(func) => u128::from(cfa::layout::function_address(func)),
            InitValue::Address(var, delta) => {
                let base = self.objects.global(var).map_or(0, |o| self.objects.get(o).base);
                u128::from(base.wrapping_add_signed(delta))
            }
        }
    }

    /// The content of an object that no state has written.
    pub(crate) fn initial_contents(&mut self, object: ObjId) -> Rc<Contents> {
        if let Some(known) = self.initial.get(&object) {
            return known.clone();
        }
        let rest = self.objects.get(object).rest;
        let mut contents = Contents { bytes: Bytes::Cells(Default::default()), rest, dead: self.terms.fals() };
        if let ObjectKind::Global(var) = self.objects.get(object).kind
            && let Some(init) = &self.program.vars[var].init
        {
            for (offset, bytes) in &init.bytes {
                for (k, byte) in bytes.iter().enumerate().filter(|(_, b)| **b != 0) {
                    let value = self.terms.bv(8, u128::from(*byte));
                    self.write_cell(&mut contents, offset + k as u64, Cell { bytes: 1, value });
                }
            }
            for (offset, ty, value) in &init.cells {
                let value = self.init_value(*ty, *value);
                let bytes = ty.access_bytes(self.program.pointer_bits());
                self.write_cell(&mut contents, *offset, Cell { bytes, value });
            }
        }
        let contents = Rc::new(contents);
        self.initial.insert(object, contents.clone());
        contents
    }

    /// A new object in this state; returns its address. Ends the path where no object can have the size.
    pub fn allocate(
        &mut self,
        state: &mut State,
        size: TermId,
        align: u32,
        kind: ObjectKind,
        rest: Rest,
    ) -> Result<(ObjId, TermId), Dead> {
        let width = self.program.pointer_bits();
        let most: u64 = match self.program.machine {
            MachineModel::Ilp32 => 1 << 30,
            MachineModel::Lp64 => 1 << 40,
        };
        let (size, room) = match self.terms.as_bv_const(size) {
            Some(value) => {
                let value = u64::try_from(value).unwrap_or(u64::MAX);
                if value > most {
                    let fals = self.terms.fals();
                    self.require(state, fals, EndingKind::Undefined(Undefined::InvalidSize))?;
                }
                (Size::Const(value), value)
            }
            None => {
                let room: u64 = match self.program.machine {
                    MachineModel::Ilp32 => 1 << 24,
                    MachineModel::Lp64 => 1 << 32,
                };
                // Where a quarter of the address space stays free, an object has room for all that its size can be.
                let whole = u64::try_from(self.greatest(size)).unwrap_or(u64::MAX);
                let usual = self.terms.bv(width, u128::from(room));
                let room = if whole > room && self.objects.leaves_quarter(whole) {
                    let small = self.terms.ule(size, usual);
                    self.small.push(small);
                    whole
                } else {
                    room
                };
                let limit = self.terms.bv(width, u128::from(room));
                let fits = self.terms.ule(size, limit);
                self.require(state, fits, EndingKind::Unsupported("allocation of a very large object"))?;
                (Size::Term(size), room)
            }
        };
        if self.canon.is_some() {
            return self.allocate_canonical(state, (size, room, align), kind, rest);
        }
        let Some(object) = self.objects.allocate(size, room, align, kind, rest) else {
            let fals = self.terms.fals();
            self.require(state, fals, EndingKind::Unsupported("more memory than the address space has"))?;
            return Err(Dead);
        };
        self.log.push(LogEntry { guard: state.guard, edge: self.edge, what: Logged::Object { object } });
        let contents = self.initial_contents(object);
        self.set_contents(state, object, contents);
        let base = self.objects.get(object).base;
        Ok((object, self.terms.bv(width, u128::from(base))))
    }

    /// A number that an unsigned term never exceeds.
    fn greatest(&self, term: TermId) -> u128 {
        let width = self.terms.width(term);
        let most = u128::MAX >> (128 - width);
        let bound = match self.terms.node(term) {
            Node::Bv { value, .. } => Some(value),
            Node::Un(UnOp::ZeroExt(_), a) => Some(self.greatest(a)),
            Node::Bin(BinOp::Concat, hi, lo) if self.terms.as_bv_const(hi) == Some(0) => Some(self.greatest(lo)),
            Node::Bin(BinOp::BvAdd, a, b) => self.greatest(a).checked_add(self.greatest(b)),
            Node::Bin(BinOp::BvMul, a, b) => self.greatest(a).checked_mul(self.greatest(b)),
            Node::Bin(BinOp::BvUdiv, a, b) => match self.terms.as_bv_const(b) {
                Some(b) if b > 0 => Some(self.greatest(a) / b),
                _ => None,
            },
            Node::Bin(BinOp::BvLshr, a, b) => self.terms.as_bv_const(b).map(|by| self.greatest(a) >> by.min(127)),
            Node::Bin(BinOp::BvAnd, a, b) => Some(self.greatest(a).min(self.greatest(b))),
            Node::Bin(BinOp::BvUrem, a, b) => match self.terms.as_bv_const(b) {
                Some(b) if b > 0 => Some(self.greatest(a).min(b - 1)),
                _ => None,
            },
            Node::Ite(_, a, b) => Some(self.greatest(a).max(self.greatest(b))),
            _ => None,
        };
        bound.filter(|bound| *bound <= most).unwrap_or(most)
    }

    /// `free(address)`.
    pub fn free(&mut self, state: &mut State, expr: ExprId, address: TermId) -> Result<(), Dead> {
        let zero = self.terms.bv(self.program.pointer_bits(), 0);
        let null = self.terms.eq(address, zero);
        let resolution = self.resolve(state, expr, address);
        let mut valid = null;
        let mut freed = Vec::new();
        for target in &resolution.targets {
            match target.place {
                Pointee::Object { object, offset } => {
                    if !matches!(self.objects.get(object).kind, ObjectKind::Heap(_)) {
                        continue;
                    }
                    let dead = self.contents(state, object).dead;
                    let alive = self.terms.not(dead);
                    let start = self.terms.eq(offset, zero);
                    let here = self.terms.and_all(&[target.cond, alive, start]);
                    valid = self.terms.or(valid, here);
                    freed.push((object, here));
                }
                // External code may have made it; nothing else is known of it.
                Pointee::External => valid = self.terms.or(valid, target.cond),
            }
        }
        self.require(state, valid, EndingKind::Undefined(Undefined::InvalidFree))?;
        for (object, cond) in freed {
            let mut contents = self.contents(state, object);
            let target = Rc::make_mut(&mut contents);
            target.dead = self.terms.or(target.dead, cond);
            self.set_contents(state, object, contents);
        }
        Ok(())
    }

    /// `realloc(address, size)`: the content moves to a new object.
    pub fn reallocate(
        &mut self,
        state: &mut State,
        expr: ExprId,
        address: TermId,
        size: TermId,
    ) -> Result<TermId, Dead> {
        let kind = ObjectKind::Heap(self.edge);
        let align = 16;
        if self.terms.as_bv_const(address) == Some(0) {
            return Ok(self.allocate(state, size, align, kind, Rest::Arbitrary)?.1);
        }
        let resolution = self.resolve(state, expr, address);
        let source = match resolution.targets.as_slice() {
            [target] => match target.place {
                Pointee::Object { object, .. } if matches!(self.objects.get(object).kind, ObjectKind::Heap(_)) => {
                    Some(object)
                }
                _ => None,
            },
            _ => None,
        };
        let Some(old) = source.filter(|old| self.objects.get(*old).rest == Rest::Arbitrary) else {
            let fals = self.terms.fals();
            self.require(state, fals, EndingKind::Unsupported("realloc of a pointer that is not exactly known"))?;
            return Err(Dead);
        };
        let zero = self.terms.bv(self.program.pointer_bits(), 0);
        let known = self.terms.ne(address, zero);
        self.require(state, known, EndingKind::Unsupported("realloc of a pointer that is not exactly known"))?;
        self.free(state, expr, address)?;
        let moved = self.contents(state, old);
        if moved.rest == Rest::Before && matches!(moved.bytes, Bytes::Cells(_)) {
            let fals = self.terms.fals();
            self.require(state, fals, EndingKind::Unsupported("realloc of an object that an earlier block made"))?;
            return Err(Dead);
        }
        let (object, base) = self.allocate(state, size, align, kind, Rest::Arbitrary)?;
        self.objects.get_mut(object).elem = self.objects.get(old).elem;
        let mut contents = self.contents(state, object);
        Rc::make_mut(&mut contents).bytes = moved.bytes.clone();
        self.set_contents(state, object, contents);
        Ok(base)
    }

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
                self.terms.extract(8 * (end - offset) as u32 - 1, 8 * (lo - offset) as u32, bits)
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
                self.set_contents(joined, object, only.0.clone());
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
                && let Sort::Float(sort) = self.terms.sort(cell.value)
            {
                let formats = [
                    cfa::FloatFormat::F16,
                    cfa::FloatFormat::F32,
                    cfa::FloatFormat::F64,
                    cfa::FloatFormat::F80,
                    cfa::FloatFormat::F128,
                ];
                if let Some(format) = formats.into_iter().find(|f| crate::encoder::float_sort(*f) == sort) {
                    return Scalar::Float(format);
                }
            }
        }
        unsigned(bytes)
    }
}
