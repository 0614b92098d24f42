//! Generic states: what they hold, and what their places hold at the end of a block, by canonical names ([`crate::canon`]).

use crate::bits::unsigned;
use crate::canon::{Canon, KnownCell, ObjectName, Place};
use crate::encoder::{Dead, Encoder, EndingKind, NO_ROOM, float_format};
use crate::memory::contents::{Bytes, Cell, Contents};
use crate::memory::object::{ObjId, ObjectKind, Rest, Size};
use crate::state::{FrameSlots, State, live};
use base::Id;
use cfa::lingering::{Keepers, lingering};
use cfa::points_to::PointsTo;
use cfa::{Scalar, VarId};
use smt::{Sort, TermId};
use std::rc::Rc;

/// States name objects by their variables.
const LINGERING: &str = "variable that comes to life again while its address may be kept";

impl Encoder<'_> {
    /// Makes this an encoder of generic states.
    pub fn set_canonical(&mut self, points_to: &PointsTo) {
        let mut canon = Canon::default();
        if self.asks_for_life {
            let live = live(self.program);
            let is_live = |loc, var| live.is_live(loc, self.slots.slot(self.program, FrameSlots(0), var));
            canon.lingering = lingering(self.program, points_to, is_live);
        }
        self.canon = Some(Box::new(canon));
    }

    /// The canonical variable of a place.
    pub fn canonical(&mut self, place: Place, sort: Sort) -> TermId {
        if let Some(var) = self.canon.as_ref().and_then(|canon| canon.vars.get(&(place, sort))) {
            return *var;
        }
        let name = match place {
            Place::Slot(slot) => format!("r{slot}"),
            Place::Cell { object, offset, bytes } => format!("m{}+{offset}:{bytes}", object.index()),
            Place::Array(object) => format!("a{}", object.index()),
            Place::Dead(object) => format!("dead{}", object.index()),
            Place::Size(object) => format!("size{}", object.index()),
            Place::External => return self.external_place(),
        };
        let var = self.terms.var(&name, sort);
        if let Some(canon) = &mut self.canon {
            canon.vars.insert((place, sort), var);
            canon.places.insert(var, place);
            if let Place::Cell { object, offset, bytes } = place {
                canon.cells.entry(object).or_default().push(KnownCell { offset, bytes, var });
            }
        }
        var
    }

    fn external_place(&mut self) -> TermId {
        let var = self.external;
        if let Some(canon) = &mut self.canon {
            canon.places.insert(var, Place::External);
        }
        var
    }

    /// The content that an object has in generic states.
    pub fn generic_contents(&mut self, object: ObjId, dead: TermId) -> Rc<Contents> {
        let is_array = self.canon.as_ref().is_some_and(|canon| canon.arrays.contains(&object));
        let mut contents = Contents { bytes: Bytes::Cells(Default::default()), rest: Rest::Before, dead };
        if is_array {
            let elem = *self.objects.get_mut(object).elem.get_or_insert(1);
            let var = self.before_array(object, elem);
            contents.bytes = Bytes::Array(var);
        } else if let (Some(canon), Bytes::Cells(cells)) = (&self.canon, &mut contents.bytes) {
            // The smallest ones first; what overlaps them is put together from parts when it is read.
            let mut known = canon.cells.get(&object).cloned().unwrap_or_default();
            known.sort_by_key(|cell| (cell.bytes, cell.offset));
            for cell in known {
                let end = cell.offset + u64::from(cell.bytes);
                if crate::memory::contents::overlapping(cells, cell.offset, end).is_empty() {
                    cells.insert(cell.offset as u32, Cell { bytes: cell.bytes, value: cell.var });
                }
            }
        }
        Rc::new(contents)
    }

    /// The canonical variable of an object as an array.
    pub(crate) fn before_array(&mut self, object: ObjId, elem: u32) -> TermId {
        let sort = Sort::bv_array(self.program.pointer_bits(), 8 * elem);
        self.canonical(Place::Array(object), sort)
    }

    /// Notes that an object of a generic state is needed as an array.
    pub(crate) fn want_array(&mut self, object: ObjId) {
        if let Some(canon) = &mut self.canon
            && !canon.arrays.contains(&object)
        {
            canon.wanted.insert(object);
        }
    }

    /// Whether an object exists in a state of an encoder of generic states; always, for other encoders.
    pub(crate) fn exists(&self, state: &State, object: ObjId) -> bool {
        self.canon.is_none()
            || self.global_of(self.objects.get(object).kind)
            || state.memory.get(object.index() as u32).is_some()
    }

    /// Runs that come to the declaration of a variable while the address of its last instance is kept are not modelled.
    pub(crate) fn tell_instances(&mut self, state: &mut State, frame: FrameSlots, var: VarId) -> Result<(), Dead> {
        let Some(canon) = &self.canon else { return Ok(()) };
        let Some(keepers) = canon.lingering.get(&var) else { return Ok(()) };
        let clear = match keepers {
            Keepers::Any => self.terms.fals(),
            Keepers::Registers(registers) => {
                // Without an object, there is no address.
                let Some(object) = canon.local(canon.stack, var) else { return Ok(()) };
                let (registers, info) = (registers.clone(), self.objects.get(object));
                let (base, size) = (info.base, self.size_term(info.size));
                let base = self.terms.bv(self.program.pointer_bits(), u128::from(base));
                let mut clear = self.terms.tru();
                for register in registers {
                    let value = self.register(state, frame, register);
                    let offset = self.terms.bv_sub(value, base);
                    let leads_there = self.terms.ule(offset, size);
                    let elsewhere = self.terms.not(leads_there);
                    clear = self.terms.and(clear, elsewhere);
                }
                clear
            }
        };
        self.require(state, clear, EndingKind::Unsupported(LINGERING))
    }

    /// The canonical object for an allocation: one that does not exist in the state, or the next instance of a variable.
    pub(crate) fn allocate_canonical(
        &mut self,
        state: &mut State,
        (size, room, align): (Size, u64, u32),
        kind: ObjectKind,
        rest: Rest,
    ) -> Result<(ObjId, TermId), Dead> {
        let known = match size {
            Size::Const(size) => Some(size),
            Size::Term(_) => None,
        };
        let mut count = 0;
        let object = loop {
            let Some(canon) = &mut self.canon else { return Err(Dead) };
            let name = match kind {
                ObjectKind::Local(var) => ObjectName::Local(canon.stack, var),
                ObjectKind::Heap(edge) => ObjectName::Heap(edge, count, known),
                ObjectKind::Stack(edge) => ObjectName::Stack(canon.stack, edge, count, known),
                ObjectKind::Global(_) => return Err(Dead),
            };
            match canon.objects.get(&name).copied() {
                Some(object) => {
                    let is_local = matches!(kind, ObjectKind::Local(_));
                    if is_local || state.memory.get(object.index() as u32).is_none() {
                        break object;
                    }
                    count += 1;
                }
                None => {
                    let Some(object) = self.objects.allocate(state.layout, (size, room, align), kind, rest) else {
                        let fals = self.terms.fals();
                        let what = EndingKind::Unsupported(NO_ROOM);
                        self.require(state, fals, what)?;
                        return Err(Dead);
                    };
                    if let Size::Term(_) = size {
                        let var = self.canonical(Place::Size(object), Sort::BitVec(self.program.pointer_bits()));
                        self.objects.get_mut(object).size = Size::Term(var);
                    }
                    if let Some(canon) = &mut self.canon {
                        canon.objects.insert(name, object);
                        canon.names.insert(object, name);
                    }
                    break object;
                }
            }
        };
        if let (Size::Term(term), Size::Term(var)) = (size, self.objects.get(object).size) {
            let same = self.terms.eq(var, term);
            self.assume(state, same)?;
        }
        let mut contents = Contents { bytes: Bytes::Cells(Default::default()), rest, dead: self.terms.fals() };
        if self.canon.as_ref().is_some_and(|canon| canon.arrays.contains(&object)) {
            let elem = *self.objects.get_mut(object).elem.get_or_insert(1);
            self.to_array(state.guard, object, &mut contents, elem);
        }
        self.set_contents(state, object, Rc::new(contents));
        let base = self.objects.get(object).base;
        Ok((object, self.terms.bv(self.program.pointer_bits(), u128::from(base))))
    }

    /// The instance of a local memory variable ends.
    pub(crate) fn end_scope(&mut self, state: &mut State, frame: FrameSlots, var: VarId) {
        let Some(canon) = &self.canon else {
            if self.asks_for_life {
                self.end_instance(state, frame, var);
            }
            return;
        };
        if let Some(object) = canon.local(canon.stack, var) {
            state.memory.remove(object.index() as u32);
            let slot = self.slots.slot(self.program, frame, var);
            state.slots.remove(slot);
        }
    }

    /// Removes the objects that live in a call stack's top frame.
    pub fn drop_objects(&mut self, state: &mut State, stack: u32) {
        let Some(canon) = &self.canon else { return };
        let mut gone = Vec::new();
        state.memory.for_each(|index, _| match canon.names.get(&ObjId::from_index(index as usize)) {
            Some(ObjectName::Local(s, _) | ObjectName::Stack(s, ..)) if *s == stack => gone.push(index),
            _ => {}
        });
        gone.into_iter().for_each(|index| state.memory.remove(index));
    }

    /// What a place holds at the end of a block.
    pub fn output(&mut self, state: &mut State, place: Place, sort: Sort) -> TermId {
        let guard = state.guard;
        match place {
            Place::Slot(slot) => match state.slots.get(slot) {
                Some(value) => *value,
                None => {
                    let value = self.terms.fresh_var("unset", sort);
                    state.slots.insert(slot, value);
                    value
                }
            },
            Place::Cell { object, offset, bytes } => self.output_cell(state, (object, offset, bytes), sort),
            Place::Array(object) => {
                let mut contents = self.contents(state, object);
                let elem = *self.objects.get_mut(object).elem.get_or_insert(1);
                let array = self.to_array(guard, object, Rc::make_mut(&mut contents), elem);
                self.set_contents(state, object, contents);
                array
            }
            Place::Dead(object) => self.contents(state, object).dead,
            Place::Size(_) => self.canonical(place, sort),
            Place::External => state.external,
        }
    }

    fn output_cell(&mut self, state: &mut State, (object, offset, bytes): (ObjId, u64, u32), sort: Sort) -> TermId {
        let ty = float_format(sort).map_or_else(|| unsigned(bytes), Scalar::Float);
        let at = self.terms.bv(self.program.pointer_bits(), u128::from(offset));
        self.read(state, object, at, bytes, ty)
    }

    /// Forgets what only the last block needed.
    pub fn forget_log(&mut self) {
        self.log.clear();
        self.endings.clear();
    }

    /// The variable of bytes that a generic state held at its start.
    pub(crate) fn before_cell(&mut self, object: ObjId, offset: u64, bytes: u32, sort: Sort) -> TermId {
        self.canonical(Place::Cell { object, offset, bytes }, sort)
    }
}
