//! Reading and writing scalars.

use crate::access::resolve::{Pointee, Resolution};
use crate::bits::unsigned;
use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged};
use crate::guard::GuardId;
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, ObjectKind, Size};
use crate::state::{Shared, State};
use base::Id;
use cfa::layout::external_range;
use cfa::{ExprId, Scalar, Undefined};
use smt::{Congruence, Sort, TermId};
use std::rc::Rc;

/// Most cells that an access at an unknown offset looks at one by one; larger objects become arrays.
const MAX_CANDIDATES: u64 = 40;
/// The same where quantifiers say something of each cell: an array would have to be compared with all of them.
const MAX_CANDIDATES_OF_CONTRACTS: u64 = 1024;

impl Encoder<'_> {
    /// Reads a scalar at `address`, the value of `expr`.
    pub fn load(&mut self, state: &mut State, expr: ExprId, address: TermId, ty: Scalar) -> Result<TermId, Dead> {
        let resolution = self.resolve(state, expr, address);
        let bytes = ty.access_bytes(self.program.pointer_bits());
        let is_checked = self.is_checked(state, &resolution, bytes);
        if !is_checked {
            self.require_place(state, &resolution)?;
        }
        let mut value = None;
        for target in resolution.targets.iter().rev() {
            let here = match target.place {
                Pointee::Object { object, offset } if is_checked => {
                    let inside = self.in_bounds(state, object, offset, u64::from(bytes));
                    if self.terms.is_false(inside) {
                        continue;
                    }
                    self.read(state, object, offset, bytes, ty)
                }
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
                Pointee::External => {
                    self.assume_before_end(state, cond, address, bytes)?;
                    self.write_external(state, address, cond, value, ty);
                }
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

    /// Whether all runs of the state have passed a check that a read of so many bytes is valid: then what it would find elsewhere need not be
    /// said, which makes formulas much smaller.
    fn is_checked(&mut self, state: &State, resolution: &Resolution, bytes: u32) -> bool {
        if !self.asks_for_life || resolution.targets.is_empty() || !resolution.fixed.is_empty() {
            return false;
        }
        let valid = self.valid_place(state, resolution, bytes);
        self.guards.holds(&self.terms, state.guard, valid)
    }

    /// Whether an access of `bytes` bytes goes to one of the places that an address may mean.
    fn valid_place(&mut self, state: &State, resolution: &Resolution, bytes: u32) -> TermId {
        let mut valid = self.terms.fals();
        for target in &resolution.targets {
            let inside = match target.place {
                Pointee::Object { object, offset } => self.in_bounds(state, object, offset, u64::from(bytes)),
                Pointee::External => self.terms.tru(),
            };
            let here = self.terms.and(target.cond, inside);
            valid = self.terms.or(valid, here);
        }
        valid
    }

    /// Ends the paths on which an access of `bytes` bytes is undefined.
    pub fn require_valid(&mut self, state: &mut State, resolution: &Resolution, bytes: u32) -> Result<(), Dead> {
        self.require_place(state, resolution)?;
        let valid = self.valid_place(state, resolution, bytes);
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
            let mut part = self.part(outside, k, 1);
            if self.terms.is_true(inside) {
                part = self.read(state, object, at, 1, byte);
            }
            bits = Some(match bits {
                None => part,
                Some(first) => self.joined(first, part),
            });
        }
        bits.unwrap_or(outside)
    }

    /// Whether `bytes` bytes at `offset` lie in the object and it is alive.
    pub fn in_bounds(&mut self, state: &State, object: ObjId, offset: TermId, bytes: u64) -> TermId {
        let alive = self.alive(state, object);
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
            let at = self.terms.congruence(offset);
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
                self.written_if(guard, object, target, (at, bytes, ty), cond, value)
            };
            self.write_cell(target, at, Cell { bytes, value: new });
        } else if let Some(candidates) = self.candidates(&contents, object, offset, bytes) {
            let target = Rc::make_mut(&mut contents);
            for at in candidates {
                let hit = self.offset_is(offset, at);
                let hit = self.terms.and(cond, hit);
                let new = self.written_if(guard, object, target, (at, bytes, ty), hit, value);
                self.write_cell(target, at, Cell { bytes, value: new });
            }
        } else {
            let at = self.terms.congruence(offset);
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

    /// The value of a place that is written under a condition. A float is put among other bytes as bits, because those need not be what a
    /// float has again when it is read and written: a NaN has many encodings.
    fn written_if(
        &mut self,
        guard: GuardId,
        object: ObjId,
        target: &mut Contents,
        (at, bytes, ty): (u64, u32, Scalar),
        cond: TermId,
        value: TermId,
    ) -> TermId {
        let is_float = matches!(ty, Scalar::Float(_));
        let kept_as_bits = is_float && self.is_partly_written(target, at, bytes, ty);
        let (ty, value) = if kept_as_bits { (unsigned(bytes), self.to_bits(value)) } else { (ty, value) };
        let old = self.read_cells(guard, object, target, at, bytes, ty);
        self.terms.ite(cond, value, old)
    }

    /// Whether cells hold something in a range other than one scalar of the type.
    fn is_partly_written(&self, contents: &Contents, at: u64, bytes: u32, ty: Scalar) -> bool {
        let Bytes::Cells(cells) = &contents.bytes else { return false };
        match overlapping(cells, at, at + u64::from(bytes)).as_slice() {
            [] => false,
            [(offset, cell)] => *offset != at || cell.bytes != bytes || self.terms.sort(cell.value) != self.sort(ty),
            _ => true,
        }
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
        let Congruence { bits, rest } = self.terms.congruence(offset);
        let (least, greatest) = self.terms.bounds(offset);
        let last = size.checked_sub(u64::from(bytes))?.min(u64::try_from(greatest).unwrap_or(u64::MAX));
        let step = 1u64 << bits;
        let Some(least) = u64::try_from(least).ok().filter(|least| *least <= last) else { return Some(Vec::new()) };
        let rest = rest + least.saturating_sub(rest).div_ceil(step) * step;
        if rest > last {
            return Some(Vec::new());
        }
        let most = if self.program.has_contracts { MAX_CANDIDATES_OF_CONTRACTS } else { MAX_CANDIDATES };
        ((last - rest) / step < most).then(|| (rest..=last).step_by(step as usize).collect())
    }

    fn read_external(&mut self, state: &State, address: TermId, ty: Scalar) -> TermId {
        let bytes = ty.access_bytes(self.program.pointer_bits());
        let mut bits = None;
        for k in 0..bytes {
            let index = self.plus(address, u64::from(k));
            let part = self.terms.select(state.external, index);
            bits = Some(match bits {
                None => part,
                Some(first) => self.joined(first, part),
            });
        }
        match bits {
            Some(bits) => {
                let bits = if bytes == 1 { self.ending(address, bits) } else { bits };
                self.from_bits(bits, ty)
            }
            None => self.zero(ty),
        }
    }

    /// A byte of memory that is not the program's. Nothing of the world outside needs to lie at the very end of it: there is a zero, so that
    /// texts end.
    fn ending(&mut self, address: TermId, byte: TermId) -> TermId {
        let last = self.last_outside();
        let is_last = self.terms.eq(address, last);
        let zero = self.terms.bv(8, 0);
        self.terms.ite(is_last, zero, byte)
    }

    /// Nothing is written at the end of memory that is not the program's.
    fn assume_before_end(&mut self, state: &mut State, cond: TermId, address: TermId, bytes: u32) -> Result<(), Dead> {
        let last = self.last_outside();
        let end = self.plus(address, u64::from(bytes) - 1);
        let before = self.terms.ult(end, last);
        let elsewhere = self.terms.not(cond);
        let holds = self.terms.or(elsewhere, before);
        self.assume(state, holds)
    }

    fn last_outside(&mut self) -> TermId {
        let last = external_range(self.program.machine).end - 1;
        self.terms.bv(self.program.pointer_bits(), u128::from(last))
    }

    fn write_external(&mut self, state: &mut State, address: TermId, cond: TermId, value: TermId, ty: Scalar) {
        let bits = self.to_bits(value);
        let old = state.external;
        let mut array = old;
        for k in 0..ty.access_bytes(self.program.pointer_bits()) {
            let index = self.plus(address, u64::from(k));
            let part = self.part(bits, k, 1);
            array = self.terms.store(array, index, part);
        }
        state.external = self.terms.ite(cond, array, old);
    }
}
