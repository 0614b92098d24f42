//! Allocates, frees and reallocates objects.

use crate::access::resolve::Pointee;
use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged, NO_ROOM, VERY_LARGE};
use crate::memory::contents::Bytes;
use crate::memory::object::{ObjId, ObjectKind, Rest, Size};
use crate::state::State;
use cfa::layout::largest_block;
use cfa::{AllocKind, ExprId, MachineModel, Undefined};
use smt::TermId;
use std::rc::Rc;

impl Encoder<'_> {
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
            MachineModel::Ilp32 | MachineModel::Lp32 => 1 << 30,
            MachineModel::Lp64 | MachineModel::Llp64 => 1 << 40,
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
                    MachineModel::Ilp32 | MachineModel::Lp32 => 1 << 24,
                    MachineModel::Lp64 | MachineModel::Llp64 => 1 << 32,
                };
                // Where a quarter of the address space stays free, an object has room for all that its size can be.
                let largest = largest_block(self.program.machine);
                let whole = u64::try_from(self.terms.bounds(size).1).map_or(largest, |whole| whole.min(largest));
                let usual = self.terms.bv(width, u128::from(room));
                let room = if whole > room && self.objects.leaves_quarter(state.layout, whole) {
                    let small = self.terms.ule(size, usual);
                    self.small.push(small);
                    whole
                } else {
                    room
                };
                let limit = self.terms.bv(width, u128::from(room));
                let fits = self.terms.ule(size, limit);
                self.require(state, fits, EndingKind::Unsupported(VERY_LARGE))?;
                (Size::Term(size), room)
            }
        };
        if self.canon.is_some() {
            return self.allocate_canonical(state, (size, room, align), kind, rest);
        }
        let Some(object) = self.objects.allocate(state.layout, (size, room, align), kind, rest) else {
            let fals = self.terms.fals();
            self.require(state, fals, EndingKind::Unsupported(NO_ROOM))?;
            return Err(Dead);
        };
        self.log.push(LogEntry { guard: state.guard, edge: self.edge, what: Logged::Object { object } });
        let contents = self.initial_contents(object);
        self.set_contents(state, object, contents);
        let base = self.objects.get(object).base;
        Ok((object, self.terms.bv(width, u128::from(base))))
    }

    /// Ends the life of the object at the address, by `free` or at the end of a block.
    pub fn free(&mut self, state: &mut State, expr: ExprId, address: TermId, kind: AllocKind) -> Result<(), Dead> {
        if kind == AllocKind::Stack && !self.asks_for_life {
            return Ok(());
        }
        let (valid, freed) = self.freeable(state, expr, address, kind);
        if kind != AllocKind::Stack {
            self.require(state, valid, EndingKind::Undefined(Undefined::InvalidFree))?;
        }
        for (object, cond) in freed {
            self.end_life(state, object, cond);
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
        self.free(state, expr, address, AllocKind::Heap)?;
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
}
