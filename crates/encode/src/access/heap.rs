//! Allocates, frees and reallocates objects.

use crate::access::ranges::pieces;
use crate::access::resolve::Pointee;
use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged, NO_ROOM, VERY_LARGE};
use crate::memory::contents::{Bytes, Cell, Contents, overlapping};
use crate::memory::object::{ObjId, ObjectKind, Rest, Size};
use crate::pmap::PMap;
use crate::state::State;
use cfa::layout::largest_block;
use cfa::{AllocKind, ExprId, MachineModel, Undefined};
use smt::TermId;
use std::rc::Rc;

/// Most bytes of a block that `realloc` moves one by one: one of zeros, or an array beside others of other elements.
const MAX_MOVED: u64 = 256;

/// What `realloc` gets where it can't be told which block that is.
const MOVED: &str = "realloc of a pointer that is not exactly known";

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
        let blocks = self.reallocated(state, expr, address)?;
        self.free(state, expr, address, AllocKind::Heap)?;
        let (object, base) = self.allocate(state, size, align, kind, Rest::Arbitrary)?;
        let elems = blocks.iter().filter_map(|(_, old, moved)| Some((self.objects.get(*old).elem?, &moved.bytes)));
        // An array keeps the size of its elements, and what was accessed at unknown places will be again.
        let best = elems.max_by_key(|(_, bytes)| matches!(bytes, Bytes::Array(_))).map(|(elem, _)| elem);
        let elem = self.objects.get(object).elem.or(best);
        self.objects.get_mut(object).elem = elem;
        let fresh = self.contents(state, object);
        for (cond, old, moved) in blocks {
            let Some(bytes) = self.moved_bytes(old, &moved, elem) else {
                let other = self.terms.not(cond);
                self.require(state, other, EndingKind::Unsupported(MOVED))?;
                continue;
            };
            let mut contents = fresh.clone();
            Rc::make_mut(&mut contents).bytes = bytes;
            let (mut here, mut elsewhere) = (state.clone(), state.clone());
            if self.assume(&mut here, cond).is_err() {
                continue;
            }
            self.set_contents(&mut here, object, contents);
            let other = self.terms.not(cond);
            *state = match self.assume(&mut elsewhere, other) {
                Ok(()) => self.join(here, elsewhere),
                Err(Dead) => here,
            };
        }
        Ok(base)
    }

    /// The blocks whose content `realloc` may move, with the conditions under which it does; null is none. Ends the path where it may move
    /// something else.
    fn reallocated(
        &mut self,
        state: &mut State,
        expr: ExprId,
        address: TermId,
    ) -> Result<Vec<(TermId, ObjId, Rc<Contents>)>, Dead> {
        let mut blocks: Vec<(TermId, ObjId)> = Vec::new();
        for target in self.resolve(state, expr, address).targets {
            let block = match target.place {
                Pointee::Object { object, .. } => {
                    let old = self.objects.get(object);
                    let is_movable =
                        old.rest == Rest::Arbitrary || old.rest == Rest::Zero && few_bytes(old.size).is_some();
                    Some(object).filter(|_| matches!(old.kind, ObjectKind::Heap(_)) && is_movable)
                }
                Pointee::External => None,
            };
            match (block, blocks.iter_mut().find(|(_, known)| Some(*known) == block)) {
                (Some(_), Some((cond, _))) => *cond = self.terms.or(*cond, target.cond),
                (Some(object), None) => blocks.push((target.cond, object)),
                (None, _) => {
                    let other = self.terms.not(target.cond);
                    self.require(state, other, EndingKind::Unsupported(MOVED))?;
                }
            }
        }
        // A block of statements is encoded for all states that it may begin in, of which only one block is known each time.
        let zero = self.terms.bv(self.program.pointer_bits(), 0);
        let set = self.terms.ne(address, zero);
        if blocks.is_empty() || self.canon.is_some() {
            let one = if blocks.len() == 1 { set } else { self.terms.fals() };
            self.require(state, one, EndingKind::Unsupported(MOVED))?;
        }
        let mut moved = Vec::with_capacity(blocks.len());
        for (cond, object) in blocks {
            let contents = self.contents(state, object);
            let is_before = contents.rest == Rest::Before && matches!(contents.bytes, Bytes::Cells(_));
            let cond = self.terms.and(cond, set);
            if is_before {
                let other = self.terms.not(cond);
                let what = EndingKind::Unsupported("realloc of an object that an earlier block made");
                self.require(state, other, what)?;
            } else {
                moved.push((cond, object, contents));
            }
        }
        Ok(moved)
    }

    /// What a block holds, for an object whose arrays have elements of `elem` bytes, with anything behind the end of the block; nothing if it
    /// can't be told.
    fn moved_bytes(&mut self, object: ObjId, contents: &Contents, elem: Option<u32>) -> Option<Bytes> {
        let (size, rest, of) = {
            let old = self.objects.get(object);
            (old.size, old.rest, old.elem)
        };
        let has_zeros = rest == Rest::Zero;
        match &contents.bytes {
            Bytes::Cells(_) if contents.rest != Rest::Zero => Some(contents.bytes.clone()),
            Bytes::Array(_) if !has_zeros && of == elem => Some(contents.bytes.clone()),
            Bytes::Cells(cells) => {
                let mut filled = cells.clone();
                let value = self.terms.bv(8, 0);
                for at in (0..few_bytes(size)?).filter(|at| overlapping(cells, *at, at + 1).is_empty()) {
                    filled.insert(at as u32, Cell { bytes: 1, value });
                }
                Some(Bytes::Cells(filled))
            }
            Bytes::Array(array) => {
                let (elem, width) = (u64::from(of?), self.program.pointer_bits());
                let mut cells = PMap::default();
                for (at, bytes) in pieces(0, few_bytes(size)?) {
                    for at in (at..at + u64::from(bytes)).step_by(elem as usize) {
                        let index = self.terms.bv(width, u128::from(at / elem));
                        let element = self.select(*array, index);
                        let bytes = bytes.min(elem as u32);
                        let value = self.part(element, (at % elem) as u32, bytes);
                        cells.insert(at as u32, Cell { bytes, value });
                    }
                }
                Some(Bytes::Cells(cells))
            }
        }
    }
}

/// The size of a block whose bytes are moved one by one.
fn few_bytes(size: Size) -> Option<u64> {
    match size {
        Size::Const(size) if size <= MAX_MOVED => Some(size),
        _ => None,
    }
}
