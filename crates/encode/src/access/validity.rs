//! Which accesses are valid ([`cfa::ExprKind::Valid`]), and which heap objects can be reached ([`cfa::ExprKind::Tracked`]).

use crate::access::resolve::Pointee;
use crate::encoder::Encoder;
use crate::memory::contents::Bytes;
use crate::memory::object::{ObjId, ObjectKind, Size};
use crate::state::{FrameSlots, State};
use base::Id;
use cfa::{Access, AllocKind, ExprId, Scalar, VarKind};
use smt::{BinOp, Node, TermId};
use std::rc::Rc;

/// Beyond so many heap objects, which of them can be reached is left open.
const MAX_HEAP: usize = 64;
/// Beyond so many words, an array is not searched for pointers.
const MAX_WORDS: u64 = 64;

impl Encoder<'_> {
    /// Whether an access to `len` bytes at an address, the value of an expression, is valid.
    pub fn valid(&mut self, state: &State, access: Access, (expr, address): (ExprId, TermId), len: TermId) -> TermId {
        if access == Access::Free {
            return self.freeable(state, expr, address, AllocKind::Heap).0;
        }
        if let Some(outside) = self.outside_pointer(address) {
            let zero = self.terms.bv(self.program.pointer_bits(), 0);
            return self.terms.ne(outside, zero);
        }
        let resolution = self.resolve(state, expr, address);
        let mut valid = self.terms.fals();
        for target in &resolution.targets {
            let here = match target.place {
                Pointee::Object { object, .. } if access == Access::Write && self.is_read_only(object) => continue,
                Pointee::Object { object, offset } => self.inside(state, object, offset, len),
                Pointee::External => self.terms.tru(),
            };
            let here = self.terms.and(target.cond, here);
            valid = self.terms.or(valid, here);
        }
        valid
    }

    /// The pointer that an address is made of, if that was read from memory outside of the program as it was in the beginning: it is null, or
    /// leads to more such memory.
    fn outside_pointer(&self, address: TermId) -> Option<TermId> {
        if self.canon.is_some() {
            return None;
        }
        let mut base = address;
        while let Node::Bin(BinOp::BvAdd, a, b) = self.terms.node(base) {
            base = match (self.terms.as_bv_const(a), self.terms.as_bv_const(b)) {
                (_, Some(_)) => a,
                (Some(_), _) => b,
                (None, None) => return None,
            };
        }
        let mut parts = vec![base];
        while let Some(part) = parts.pop() {
            match self.terms.node(part) {
                Node::Bin(BinOp::Concat, a, b) => parts.extend([a, b]),
                Node::Bin(BinOp::Select, array, _) if array == self.external => {}
                _ => return None,
            }
        }
        Some(base)
    }

    /// Whether an object of the kind can end at an address, as by `free`, and when that ends the life of which objects.
    pub(super) fn freeable(
        &mut self,
        state: &State,
        expr: ExprId,
        address: TermId,
        kind: AllocKind,
    ) -> (TermId, Vec<(ObjId, TermId)>) {
        let zero = self.terms.bv(self.program.pointer_bits(), 0);
        let mut valid = self.terms.eq(address, zero);
        let mut freed = Vec::new();
        for target in self.resolve(state, expr, address).targets {
            match target.place {
                Pointee::Object { object, offset } => {
                    if !self.objects.get(object).kind.ends_as(kind) || !self.exists(state, object) {
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
        (valid, freed)
    }

    fn is_read_only(&self, object: ObjId) -> bool {
        matches!(self.objects.get(object).kind, ObjectKind::Global(var) if self.program.vars[var].is_read_only())
    }

    /// Whether so many bytes at an offset lie in the object and it is alive.
    fn inside(&mut self, state: &State, object: ObjId, offset: TermId, len: TermId) -> TermId {
        if let Some(bytes) = self.terms.as_bv_const(len).and_then(|len| u64::try_from(len).ok()) {
            return self.in_bounds(state, object, offset, bytes);
        }
        let alive = self.alive(state, object);
        let size = self.objects.get(object).size;
        let size = self.size_term(size);
        let fits = self.terms.ule(len, size);
        let last = self.terms.bv_sub(size, len);
        let before = self.terms.ule(offset, last);
        self.terms.and_all(&[alive, fits, before])
    }

    /// Whether the object exists and has not ended.
    pub(super) fn alive(&mut self, state: &State, object: ObjId) -> TermId {
        if !self.exists(state, object) {
            return self.terms.fals();
        }
        let dead = self.contents(state, object).dead;
        self.terms.not(dead)
    }

    /// The objects of a frame end; encoders of generic states know by other means ([`Encoder::drop_objects`]).
    pub(crate) fn end_frame(&mut self, state: &mut State, frame: FrameSlots) {
        let Some(owned) = self.owned.get(&frame.0).filter(|_| self.canon.is_none()) else { return };
        let tru = self.terms.tru();
        for object in owned.clone() {
            self.end_life(state, object, tru);
        }
    }

    /// The life of an object ends where a condition holds.
    pub(crate) fn end_life(&mut self, state: &mut State, object: ObjId, cond: TermId) {
        if state.memory.get(object.index() as u32).is_none() {
            return;
        }
        let mut contents = self.contents(state, object);
        let dead = self.terms.or(contents.dead, cond);
        if dead != contents.dead {
            Rc::make_mut(&mut contents).dead = dead;
            self.set_contents(state, object, contents);
        }
    }

    /// The instance of a local memory variable ends that a frame has.
    pub(crate) fn end_instance(&mut self, state: &mut State, frame: FrameSlots, var: cfa::VarId) {
        let slot = self.slots.slot(self.program, frame, var);
        let (Some(address), Some(owned)) = (state.slots.get(slot).copied(), self.owned.get(&frame.0)) else { return };
        let known = self.terms.as_bv_const(address).and_then(|n| u64::try_from(n).ok());
        let owned = match known.and_then(|address| self.objects.owner(state.layout, address)) {
            Some(object) => vec![object],
            None => owned.clone(),
        };
        let width = self.program.pointer_bits();
        for object in owned {
            if self.objects.get(object).kind == ObjectKind::Local(var) {
                let base = self.terms.bv(width, u128::from(self.objects.get(object).base));
                let here = self.terms.eq(address, base);
                self.end_life(state, object, here);
            }
        }
    }

    /// Whether each live heap object can be reached: from variables of the source, and through memory. What is not found out counts as a no.
    pub(crate) fn tracked(&mut self, state: &State) -> TermId {
        let (mut heap, mut others) = (Vec::new(), Vec::new());
        state.memory.for_each(|index, _| {
            let object = ObjId::from_index(index as usize);
            let is_heap = matches!(self.objects.get(object).kind, ObjectKind::Heap(_));
            if is_heap { &mut heap } else { &mut others }.push(object);
        });
        if heap.len() > MAX_HEAP {
            return self.terms.fals();
        }
        let mut roots = self.root_registers(state);
        for object in others {
            let alive = self.alive(state, object);
            roots.extend(self.words(state, object).into_iter().map(|word| (alive, word)));
        }
        let mut reached: Vec<TermId> = heap.iter().map(|object| self.leads(&roots, *object)).collect();
        let mut edges = Vec::new();
        for (i, from) in heap.iter().enumerate() {
            // What is left in a freed object reaches nothing.
            let alive = self.alive(state, *from);
            let words: Vec<_> = self.words(state, *from).into_iter().map(|word| (alive, word)).collect();
            for (j, to) in heap.iter().enumerate().filter(|(j, _)| *j != i) {
                let leads = self.leads(&words, *to);
                if !self.terms.is_false(leads) {
                    edges.push((i, j, leads));
                }
            }
        }
        for _ in 0..heap.len() {
            let before = reached.clone();
            for (i, j, leads) in &edges {
                let through = self.terms.and(before[*i], *leads);
                reached[*j] = self.terms.or(reached[*j], through);
            }
            if reached == before {
                break;
            }
        }
        let mut all = self.terms.tru();
        for (object, reached) in heap.into_iter().zip(reached) {
            let dead = self.contents(state, object).dead;
            let fine = self.terms.or(dead, reached);
            all = self.terms.and(all, fine);
        }
        all
    }

    /// Values of registers of the source, all frames.
    fn root_registers(&mut self, state: &State) -> Vec<(TermId, TermId)> {
        let width = self.program.pointer_bits();
        let mut found = Vec::new();
        let is_root = |kind| matches!(kind, VarKind::Global | VarKind::Local | VarKind::Param);
        for (id, var) in self.program.vars.iter_enumerated() {
            let holds = matches!(var.register(), Some(ty) if !ty.is_float() && ty.bits(width) == width);
            if !holds || !is_root(var.kind) {
                continue;
            }
            let frames: Vec<FrameSlots> = match var.func {
                None => vec![FrameSlots(0)],
                Some(func) => {
                    self.frames.iter().filter(|(_, f)| **f == func).map(|(base, _)| FrameSlots(*base)).collect()
                }
            };
            for frame in frames {
                let slot = self.slots.slot(self.program, frame, id);
                found.extend(state.slots.get(slot).map(|value| (self.terms.tru(), *value)));
            }
        }
        found
    }

    /// The words of an object that can be told, at offsets that pointers usually have.
    fn words(&mut self, state: &State, object: ObjId) -> Vec<TermId> {
        let width = self.program.pointer_bits();
        let word = u64::from(width / 8);
        let contents = self.contents(state, object);
        if let Bytes::Cells(cells) = &contents.bytes {
            let mut found = Vec::new();
            cells.for_each(|_, cell| found.extend((u64::from(cell.bytes) == word).then_some(cell.value)));
            found.retain(|value| self.terms.sort(*value) == smt::Sort::BitVec(width));
            return found;
        }
        let Size::Const(size) = self.objects.get(object).size else { return Vec::new() };
        if size / word > MAX_WORDS {
            return Vec::new();
        }
        let mut state = state.clone();
        let read = |at: u64| {
            let offset = self.terms.bv(width, u128::from(at));
            self.read(&mut state, object, offset, word as u32, Scalar::Ptr)
        };
        (0..size / word).map(|k| k * word).map(read).collect()
    }

    /// Whether one of the values, under its condition, is an address in the object.
    fn leads(&mut self, values: &[(TermId, TermId)], object: ObjId) -> TermId {
        let base = self.objects.get(object).base;
        let base = self.terms.bv(self.program.pointer_bits(), u128::from(base));
        let size = self.objects.get(object).size;
        let size = self.size_term(size);
        let mut found = self.terms.fals();
        for (cond, value) in values {
            let offset = self.terms.bv_sub(*value, base);
            let within = self.terms.ule(offset, size);
            let here = self.terms.and(*cond, within);
            found = self.terms.or(found, here);
        }
        found
    }
}
