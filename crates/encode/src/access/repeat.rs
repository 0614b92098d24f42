//! Iterations of accelerated paths ([`cfa::Repeat`]) without quantifiers [kroening13, Sect. 4.3].
//!
//! A range that the iterations write is a *layer* over the array below it. Nothing is written: who reads an element looks through the layer, at the
//! iteration that wrote the element, if one did ([`Encoder::select`]). So what is written is told exactly, for the elements that are read.
//!
//! What must hold in each iteration is told for the first and the last one, and later for iterations that access what the run
//! accesses elsewhere ([`Encoder::instances`]). That leaves runs in which it does not hold in other iterations; a model of such a run
//! tells which ones ([`Encoder::violated`]).

use crate::access::resolve::Pointee;
use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged};
use crate::memory::contents::{Bytes, Cell};
use crate::memory::object::{ObjId, Size};
use crate::repeats::{Layer, Scene, Track, Universal};
use crate::state::{FrameSlots, State};
use cfa::{ExprId, Repeat, Scalar, Undefined, VarId};
use smt::{Evaluator, Model, Sort, TermId, Value};
use std::rc::Rc;

/// Most offsets of an object at which requirements are told.
const MAX_TOUCHED: usize = 24;
/// Most iterations of a model's run that are looked at.
const MAX_ITERATIONS: u128 = 512;
/// Most iterations behind these that are looked at.
const MAX_SAMPLES: u128 = 64;
/// Most formulas that one look at a model gives.
const MAX_VIOLATED: usize = 16;
/// Longest small object whose cells are written one by one.
const MAX_CELLS: u64 = 40;

const OTHER_PLACE: EndingKind = EndingKind::Unsupported("access of an accelerated loop that may leave its object");
const SEVERAL: EndingKind = EndingKind::Unsupported("access of an accelerated loop to one of several objects");
const OVERLAP: EndingKind = EndingKind::Unsupported("accelerated loop that may read what it has written");
const UNALIGNED: EndingKind = EndingKind::Unsupported("accelerated loop with accesses of different sizes");

impl Encoder<'_> {
    /// Remembers the offset of an access.
    pub(super) fn touch(&mut self, object: ObjId, offset: TermId) {
        if self.repeats.active {
            let offsets = self.repeats.touched.entry(object).or_default();
            if offsets.len() < MAX_TOUCHED && !offsets.contains(&offset) {
                offsets.push(offset);
            }
        }
    }

    /// Executes all iterations.
    pub(crate) fn repeat(&mut self, state: &mut State, frame: FrameSlots, repeat: &Repeat) -> Result<(), Dead> {
        let count = self.eval(state, frame, repeat.count)?;
        let inputs = self.series(state, repeat, count);
        let mut reads = Vec::new();
        for read in &repeat.reads {
            reads.push(self.track(state, frame, (read.first, read.stride, read.bytes), count, OTHER_PLACE)?);
        }
        let mut writes = Vec::new();
        for write in &repeat.writes {
            let bytes = self.program.exprs.ty(write.value).access_bytes(self.program.pointer_bits());
            writes.push(self.track(
                state,
                frame,
                (write.first, write.stride, bytes),
                count,
                EndingKind::Undefined(Undefined::OutsideWrite),
            )?);
        }
        for (i, write) in writes.iter().enumerate() {
            for other in reads.iter().filter(|read| read.object == write.object) {
                let apart = self.reads_before(*other, *write, count);
                self.require(state, apart, OVERLAP)?;
            }
            for other in writes[..i].iter().filter(|other| other.object == write.object) {
                let apart = self.never_meet(*other, *write);
                self.require(state, apart, OVERLAP)?;
            }
        }
        // Initial contents get their names before the state is remembered.
        let scene = |state: &State| Scene {
            state: state.clone(),
            frame,
            edge: self.edge,
            index: repeat.index,
            inputs: inputs.clone(),
        };
        let mut first = scene(state);
        let some = self.terms.fresh_var("iteration", Sort::BitVec(self.terms.width(count)));
        let exprs = repeat.require.iter().map(|(e, _)| *e).chain(repeat.writes.iter().map(|w| w.value));
        for expr in exprs.collect::<Vec<_>>() {
            let memory = self.look(&first, expr, some).map(|(_, state)| state.memory);
            first.state.memory = memory.unwrap_or(first.state.memory);
        }
        state.memory = first.state.memory.clone();
        let scene = Rc::new(first);
        if !repeat.require.is_empty() {
            let require = repeat.require.clone();
            let universal = Universal { guard: state.guard, count, scene: scene.clone(), require, reads };
            let width = self.terms.width(count);
            let (zero, one) = (self.terms.bv(width, 0), self.terms.bv(width, 1));
            let last = self.terms.bv_sub(count, one);
            for iteration in [zero, last] {
                let holds = self.requirement(&universal, iteration);
                self.assume(state, holds)?;
            }
            self.repeats.universals.push(Rc::new(universal));
        }
        for (write, track) in repeat.writes.iter().zip(writes) {
            self.write_range(state, (write.value, track), count, &scene)?;
        }
        Ok(())
    }

    /// What the environment chooses in each iteration.
    fn series(&mut self, state: &State, repeat: &Repeat, count: TermId) -> Vec<(VarId, TermId)> {
        let index = self.terms.width(count);
        let mut inputs = Vec::new();
        for (edge, var) in &repeat.inputs {
            let ty = self.program.vars[*var].register().unwrap_or(Scalar::Ptr);
            let sort = Sort::bv_array(index, ty.bits(self.program.pointer_bits()));
            let values = self.terms.fresh_var("series", sort);
            let what = Logged::Series { edge: *edge, values };
            self.log.push(LogEntry { guard: state.guard, edge: self.edge, what });
            inputs.push((*var, values));
        }
        inputs
    }

    /// Where accesses lie, all of them within one object; other runs end for the reason `kind`.
    fn track(
        &mut self,
        state: &mut State,
        frame: FrameSlots,
        (first, stride, bytes): (ExprId, i64, u32),
        count: TermId,
        kind: EndingKind,
    ) -> Result<Track, Dead> {
        let address = self.eval(state, frame, first)?;
        let resolution = self.resolve(state, first, address);
        self.require_place(state, &resolution)?;
        let [target] = &resolution.targets[..] else {
            return Err(self.refuse(state, SEVERAL));
        };
        let Pointee::Object { object, offset } = target.place else {
            return Err(self.refuse(state, SEVERAL));
        };
        let mut valid = self.in_bounds(state, object, offset, u64::from(bytes));
        if stride != 0 {
            let (width, pointer) = (self.terms.width(count), self.program.pointer_bits());
            let one = self.terms.bv(width, 1);
            let steps = self.terms.bv_sub(count, one);
            let most = self.objects.get(object).room / stride.unsigned_abs();
            let most = self.terms.bv(width, u128::from(most));
            let few = self.terms.ule(steps, most);
            let last = self.moved(offset, stride, steps);
            let last = self.terms.zero_resize(pointer, last);
            let inside = self.in_bounds(state, object, last, u64::from(bytes));
            valid = self.terms.and_all(&[valid, few, inside]);
        }
        self.require(state, valid, kind)?;
        Ok(Track { object, first: offset, stride, bytes })
    }

    /// `offset + steps · stride`.
    fn moved(&mut self, offset: TermId, stride: i64, steps: TermId) -> TermId {
        let width = self.terms.width(offset);
        let steps = self.terms.zero_resize(width, steps);
        let stride = self.terms.bv(width, stride as u128 & (u128::MAX >> (128 - width)));
        let way = self.terms.bv_mul(steps, stride);
        self.terms.bv_add(offset, way)
    }

    fn refuse(&mut self, state: &mut State, kind: EndingKind) -> Dead {
        let fals = self.terms.fals();
        let _ = self.require(state, fals, kind);
        Dead
    }

    /// No iteration reads what an earlier one wrote.
    fn reads_before(&mut self, read: Track, write: Track, count: TermId) -> TermId {
        let (counts, width) = (self.terms.width(count), self.program.pointer_bits());
        let one = self.terms.bv(counts, 1);
        let single = self.terms.ule(count, one);
        let steps = self.terms.bv_sub(count, one);
        // The whole ranges are apart.
        let ends = |this: &mut Self, track: Track| {
            let last = this.moved(track.first, track.stride, steps);
            let (lo, hi) = if track.stride < 0 { (last, track.first) } else { (track.first, last) };
            let bytes = this.terms.bv(width, u128::from(track.bytes));
            (lo, this.terms.bv_add(hi, bytes))
        };
        let ((a, b), (c, d)) = (ends(self, read), ends(self, write));
        let (before, behind) = (self.terms.ule(b, c), self.terms.ule(d, a));
        let mut apart = self.terms.or_all(&[single, before, behind]);
        if read.stride == write.stride && read.stride.unsigned_abs() >= u64::from(read.bytes.max(write.bytes)) {
            // The reads run ahead of the writes, or along with them.
            let ahead = match read.stride > 0 {
                true => self.terms.ule(write.first, read.first),
                false => self.terms.ule(read.first, write.first),
            };
            apart = self.terms.or(apart, ahead);
        }
        apart
    }

    /// Two writes of different iterations are never to the same place.
    fn never_meet(&mut self, a: Track, b: Track) -> TermId {
        let distance = self.terms.bv_sub(a.first, b.first);
        let stride = a.stride.unsigned_abs();
        let apart = match self.terms.as_bv_const(distance) {
            Some(0) => a.bytes == b.bytes && stride >= u64::from(a.bytes),
            Some(distance) => {
                let width = self.program.pointer_bits();
                let distance = (distance << (128 - width)) as i128 >> (128 - width);
                let rest = distance.rem_euclid(i128::from(stride.max(1)));
                rest >= i128::from(b.bytes) && i128::from(stride) - rest >= i128::from(a.bytes)
            }
            None => false,
        };
        self.terms.bool_const(apart && a.stride == b.stride)
    }

    /// Whether an iteration wrote at the offset, and which one.
    pub(crate) fn hit(&mut self, track: Track, count: TermId, offset: TermId) -> (TermId, TermId) {
        let width = self.terms.width(offset);
        let way = match track.stride > 0 {
            true => self.terms.bv_sub(offset, track.first),
            false => self.terms.bv_sub(track.first, offset),
        };
        let stride = track.stride.unsigned_abs();
        let (steps, rest) = if stride.is_power_of_two() {
            let (by, low) = (u128::from(stride.trailing_zeros()), u128::from(stride - 1));
            let (by, low) = (self.terms.bv(width, by), self.terms.bv(width, low));
            (self.terms.bv_lshr(way, by), self.terms.bv_and(way, low))
        } else {
            let stride = self.terms.bv(width, u128::from(stride));
            (self.terms.bv_udiv(way, stride), self.terms.bv_urem(way, stride))
        };
        let zero = self.terms.bv(width, 0);
        let even = self.terms.eq(rest, zero);
        let steps = self.terms.zero_resize(self.terms.width(count), steps);
        let early = self.terms.ult(steps, count);
        (self.terms.and(even, early), steps)
    }

    /// The value of an expression in an iteration, and the state with the contents that it opened.
    fn look(&mut self, scene: &Scene, expr: ExprId, iteration: TermId) -> Option<(TermId, State)> {
        let mut state = scene.state.clone();
        self.assign(&mut state, scene.frame, scene.index, iteration);
        for (var, values) in &scene.inputs {
            let mut value = self.terms.select(*values, iteration);
            if self.program.vars[*var].register() == Some(Scalar::Bool) {
                let one = self.terms.bv(1, 1);
                value = self.terms.eq(value, one);
            }
            self.assign(&mut state, scene.frame, *var, value);
        }
        let (endings, logged) = (self.endings.len(), self.log.len());
        let edge = std::mem::replace(&mut self.edge, scene.edge);
        let active = std::mem::replace(&mut self.repeats.active, false);
        let value = self.eval(&mut state, scene.frame, expr).ok();
        self.repeats.active = active;
        self.edge = edge;
        // All accesses are known to be valid in all iterations that there are.
        self.endings.truncate(endings);
        let new = self.log.split_off(logged);
        self.log.extend(new.into_iter().filter(|entry| !matches!(entry.what, Logged::Outside { .. })));
        value.map(|value| (value, state))
    }

    /// The bits that an iteration writes.
    pub(crate) fn written(&mut self, (value, bytes): (ExprId, u32), scene: &Scene, iteration: TermId) -> TermId {
        match self.look(scene, value, iteration) {
            Some((value, _)) => self.to_bits(value),
            // There is no such iteration.
            None => self.terms.fresh_var("never", Sort::BitVec(8 * bytes)),
        }
    }

    fn write_range(
        &mut self,
        state: &mut State,
        (value, track): (ExprId, Track),
        count: TermId,
        scene: &Rc<Scene>,
    ) -> Result<(), Dead> {
        let Track { object, bytes, stride, .. } = track;
        let guard = state.guard;
        let mut at = self.terms.congruence(track.first);
        at.bits = at.bits.min(stride.unsigned_abs().trailing_zeros());
        at.rest &= (1 << at.bits) - 1;
        let size = bytes.trailing_zeros();
        if !bytes.is_power_of_two() || bytes > 8 || at.bits < size || !at.rest.is_multiple_of(u64::from(bytes)) {
            return Err(self.refuse(state, UNALIGNED));
        }
        let mut contents = self.contents(state, object);
        let target = Rc::make_mut(&mut contents);
        let width = self.program.pointer_bits();
        if let (Bytes::Cells(_), Size::Const(room)) = (&target.bytes, self.objects.get(object).size)
            && room / u64::from(bytes) <= MAX_CELLS
        {
            let ty = Scalar::Int { bits: 8 * bytes as u16, signed: false };
            for offset in (0..room).step_by(bytes as usize) {
                if offset + u64::from(bytes) > room {
                    break;
                }
                let here = self.terms.bv(width, u128::from(offset));
                let (hit, iteration) = self.hit(track, count, here);
                if self.terms.is_false(hit) {
                    continue;
                }
                let old = self.read_cells(guard, object, target, offset, bytes, ty);
                let new = self.written((value, bytes), scene, iteration);
                let value = self.terms.ite(hit, new, old);
                self.write_cell(target, offset, Cell { bytes, value });
            }
            self.set_contents(state, object, contents);
            return Ok(());
        }
        let elem = *self.objects.get_mut(object).elem.get_or_insert(bytes);
        if elem != bytes {
            return Err(self.refuse(state, UNALIGNED));
        }
        let below = self.to_array(guard, object, target, elem);
        let layered = self.terms.fresh_var("layer", Sort::bv_array(width, 8 * elem));
        let layer = Layer { below, track, count, scene: scene.clone(), value };
        self.repeats.layers.insert(layered, Rc::new(layer));
        target.bytes = Bytes::Array(layered);
        self.set_contents(state, object, contents);
        Ok(())
    }

    /// What must hold in an iteration.
    fn requirement(&mut self, universal: &Universal, iteration: TermId) -> TermId {
        let mut all = self.terms.tru();
        for (cond, truth) in &universal.require {
            if let Some((mut holds, _)) = self.look(&universal.scene, *cond, iteration) {
                if !truth {
                    holds = self.terms.not(holds);
                }
                all = self.terms.and(all, holds);
            }
        }
        all
    }

    /// The requirement, if the iteration takes place.
    fn instance(&mut self, universal: &Universal, iteration: TermId) -> TermId {
        let holds = self.requirement(universal, iteration);
        let exists = self.terms.ult(iteration, universal.count);
        let guard = self.guards.formula(universal.guard);
        let taken = self.terms.and(guard, exists);
        self.terms.implies(taken, holds)
    }

    /// Formulas that hold in all runs: requirements of the iterations that read what the run accesses elsewhere.
    pub fn instances(&mut self) -> Vec<TermId> {
        let mut found = Vec::new();
        let touched = self.repeats.touched.clone();
        for universal in self.repeats.universals.clone() {
            for read in universal.reads.iter().filter(|read| read.stride != 0) {
                for offset in touched.get(&read.object).into_iter().flatten() {
                    let (_, iteration) = self.hit(*read, universal.count, *offset);
                    found.push(self.instance(&universal, iteration));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Formulas that hold in all runs and not in the model: requirements of its iterations.
    pub fn violated(&mut self, model: &Model) -> Vec<TermId> {
        let mut found = Vec::new();
        for universal in self.repeats.universals.clone() {
            let number = |this: &Self, term: TermId| match Evaluator::new(&this.terms, model.assignment()).eval(term) {
                Value::Bv { value, .. } => value,
                Value::Bool(value) => u128::from(value),
                _ => 0,
            };
            if number(self, self.guards.formula(universal.guard)) == 0 {
                continue;
            }
            let (width, count) = (self.terms.width(universal.count), number(self, universal.count));
            let fails = |this: &mut Self, iteration: u128| {
                let iteration = this.terms.bv(width, iteration);
                let instance = this.instance(&universal, iteration);
                (number(this, instance) == 0).then_some(instance)
            };
            let before = found.len();
            for iteration in 0..count.min(MAX_ITERATIONS) {
                found.extend(fails(self, iteration));
                if found.len() >= MAX_VIOLATED {
                    return found;
                }
            }
            // What reads memory is seldom settled by one more iteration, and expensive.
            if found.len() == before && universal.reads.is_empty() {
                found.extend(far_iteration(count, |iteration| fails(self, iteration)));
            }
        }
        found
    }
}

/// What fails far from the first iterations: some of those that are looked at, and with it the first one of its stretch.
fn far_iteration<T>(count: u128, mut fails: impl FnMut(u128) -> Option<T>) -> Option<T> {
    let step = (count / MAX_SAMPLES).max(1);
    let doubling = std::iter::successors(Some(MAX_ITERATIONS), |n| n.checked_mul(2));
    let spread = (1..=MAX_SAMPLES).filter_map(|n| n.checked_mul(step));
    let mut fine = 0;
    for sample in doubling.take_while(|n| *n < count).chain(spread.take_while(|n| *n < count)) {
        let Some(mut found) = fails(sample) else {
            fine = sample;
            continue;
        };
        let mut fails_at = sample;
        while fails_at.saturating_sub(fine) > 1 {
            let middle = fine + (fails_at - fine) / 2;
            match fails(middle) {
                Some(earlier) => (found, fails_at) = (earlier, middle),
                None => fine = middle,
            }
        }
        return Some(found);
    }
    None
}

#[cfg(test)]
mod tests;
