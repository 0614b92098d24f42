//! Generic states: what holds canonical variables where a block begins.

use super::shape::{Shape, ShapeId, Shapes};
use base::{Id, IdVec};
use cfa::live::Live;
use cfa::points_to::{Object, PointsTo};
use cfa::procedures::{Procedure, Procedures};
use cfa::{FuncId, LocId, Op, Program, Scalar, VarId};
use encode::canon::Place;
use encode::{Encoder, FrameSlots, LayoutId, ObjectKind, State};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use std::rc::Rc;
use step::{Callstacks, StackId};

/// What generic states are made of.
pub struct Generics<'p> {
    program: &'p Program,
    /// Call stacks.
    pub stacks: Callstacks,
    /// Slots of each stack's top frame.
    frames: IdVec<StackId, FrameSlots>,
    next_slot: u32,
    live: Live,
    /// Procedures whose stacks are abstracted.
    procedures: Procedures,
    /// Variables of functions.
    locals: IdVec<FuncId, Vec<VarId>>,
    /// Global registers that some edge assigns.
    assigned_globals: Vec<VarId>,
    /// The other ones with their values.
    constant_globals: Vec<(u32, TermId)>,
    /// Global memory that some edge may write.
    written: FxHashSet<VarId>,
    /// Shapes.
    pub shapes: Shapes,
    vocabularies: FxHashMap<(StackId, LocId, ShapeId), Rc<FxHashSet<TermId>>>,
}

impl<'p> Generics<'p> {
    /// Prepares for a program.
    pub fn new(enc: &mut Encoder<'p>, points_to: &PointsTo, procedures: Procedures) -> Self {
        let program = enc.program;
        let live = Live::new(
            program,
            |var| enc.slots.slot(program, FrameSlots(0), var),
            |func| enc.slots.frame_size(func) as usize,
        );
        let mut locals: IdVec<FuncId, Vec<VarId>> = IdVec::from_elem(Vec::new(), program.functions.len());
        let mut globals = Vec::new();
        for (id, var) in program.vars.iter_enumerated() {
            match var.func {
                Some(func) => locals[func].push(id),
                None if var.register().is_some() => globals.push(id),
                None => {}
            }
        }
        let (mut assigned, mut written) = (FxHashSet::default(), FxHashSet::default());
        for edge in program.locs.iter().flat_map(|loc| &loc.out) {
            let op = &program.edges[*edge].op;
            assigned.extend(op.assigned());
            if let Op::Store { addr: dst, .. }
            | Op::MemCopy { dst, .. }
            | Op::MemSet { dst, .. }
            | Op::MemHavoc { dst, .. } = op
            {
                for object in points_to.objects(points_to.class_of_address(*dst)) {
                    if let Object::Var(var) = object {
                        written.insert(*var);
                    }
                }
            }
        }
        let start = enc.initial_state();
        let (assigned_globals, constant): (Vec<VarId>, Vec<VarId>) =
            globals.into_iter().partition(|var| assigned.contains(var));
        let constant_globals = constant
            .into_iter()
            .filter_map(|var| {
                let slot = enc.slots.slot(program, FrameSlots(0), var);
                start.slots.get(slot).map(|value| (slot, *value))
            })
            .collect();
        let stacks = Callstacks::new(program);
        let first = enc.slots.globals.next_multiple_of(16);
        let mut frames = IdVec::new();
        frames.push(FrameSlots(first));
        let next_slot = first + enc.slots.frame_size(program.start);
        Self {
            program,
            stacks,
            frames,
            next_slot,
            live,
            procedures,
            locals,
            assigned_globals,
            constant_globals,
            written,
            shapes: Shapes::default(),
            vocabularies: FxHashMap::default(),
        }
    }

    /// Slots of the top frame.
    pub fn frame(&self, stack: StackId) -> FrameSlots {
        self.frames[stack]
    }

    /// The stack to whose top frame a slot belongs; none for global variables.
    pub fn owner(&self, slot: u32) -> Option<StackId> {
        // Frames have their slots in the order in which they were met.
        let after = self.frames.ids().collect::<Vec<_>>().partition_point(|stack| self.frames[*stack].0 <= slot);
        after.checked_sub(1).map(Id::from_index)
    }

    /// The stack after a call.
    pub fn push(&mut self, enc: &Encoder<'_>, below: StackId, call: cfa::EdgeId, func: FuncId) -> StackId {
        let (stack, new) = self.stacks.push(below, call, func);
        if new {
            self.frames.push(FrameSlots(self.next_slot));
            self.next_slot += enc.slots.frame_size(func);
        }
        stack
    }

    /// The detached stack of a procedure. Its frame also has slots for what the procedure's parameters and global registers held
    /// when it was entered, if it may assign them.
    pub fn detach(&mut self, enc: &Encoder<'_>, func: FuncId) -> StackId {
        let (stack, new) = self.stacks.detach(func);
        if new {
            let frame = FrameSlots(self.next_slot);
            self.frames.push(frame);
            let size = enc.slots.frame_size(func);
            let lost = self.procedures.get(func).map_or(0, |procedure| procedure.lost.len() as u32);
            self.next_slot += size + lost.next_multiple_of(16);
        }
        stack
    }

    /// The procedure of a function, if it is one.
    pub fn procedure(&self, func: FuncId) -> Option<&Procedure> {
        self.procedures.get(func)
    }

    /// Whether a procedure may call itself.
    pub fn is_recursive(&self) -> bool {
        self.procedures.are_recursive()
    }

    /// The slots of a detached stack that hold what variables held at the procedure's entry, with the variables.
    pub fn entry_values(&self, enc: &Encoder<'_>, stack: StackId) -> Vec<(u32, VarId)> {
        let func = self.stacks.frame(stack).func;
        let Some(procedure) = self.procedures.get(func).filter(|_| self.stacks.is_detached(stack, func)) else {
            return Vec::new();
        };
        let first = self.frames[stack].0 + enc.slots.frame_size(func);
        (first..).zip(procedure.lost.iter().copied()).collect()
    }

    /// The detached stack at the bottom of a stack.
    fn detached_below(&self, stack: StackId) -> Option<StackId> {
        let mut at = stack;
        while let Some((below, _)) = self.stacks.frame(at).caller {
            at = below;
        }
        self.stacks.is_detached(at, self.stacks.frame(at).func).then_some(at)
    }

    /// Calls `f` with each local register that has a value at a location, and each local memory variable, with its slot and frame.
    fn for_each_local(
        &self,
        enc: &Encoder<'_>,
        stack: StackId,
        loc: LocId,
        mut f: impl FnMut(StackId, VarId, u32, Option<Scalar>),
    ) {
        let program = self.program;
        let (mut at, mut loc, mut result) = (stack, loc, None);
        loop {
            let frame = self.stacks.frame(at);
            for var in &self.locals[frame.func] {
                let number = enc.slots.slot(program, FrameSlots(0), *var);
                let slot = enc.slots.slot(program, self.frames[at], *var);
                let ty = program.vars[*var].register();
                // What a procedure keeps tells at its exit which call it was.
                let kept = frame.caller.is_none()
                    && self.procedures.get(frame.func).is_some_and(|p| p.kept.binary_search(var).is_ok());
                if ty.is_none() || ((kept || self.live.is_live(loc, number)) && Some(*var) != result) {
                    f(at, *var, slot, ty);
                }
            }
            let Some((below, call)) = frame.caller else { return };
            (at, loc) = (below, program.edges[call].dst);
            result = program.edges[call].op.assigned();
        }
    }

    /// The generic state of a shape at a location.
    pub fn state(&mut self, enc: &mut Encoder<'p>, stack: StackId, loc: LocId, shape: ShapeId) -> State {
        let program = self.program;
        let shape = self.shapes.get(shape).clone();
        let external = enc.canonical(Place::External, enc.terms.sort(enc.external));
        let mut state = State {
            guard: enc.guards.root(),
            slots: Default::default(),
            memory: Default::default(),
            external,
            layout: LayoutId::FIRST,
        };
        for (slot, value) in &self.constant_globals {
            state.slots.insert(*slot, *value);
        }
        for var in &self.assigned_globals {
            let slot = enc.slots.slot(program, FrameSlots(0), *var);
            let ty = program.vars[*var].register().unwrap_or(Scalar::Ptr);
            let sort = enc.sort(ty);
            let value = enc.canonical(Place::Slot(slot), sort);
            state.slots.insert(slot, value);
        }
        let mut registers = Vec::new();
        self.for_each_local(enc, stack, loc, |at, var, slot, ty| registers.push((at, var, slot, ty)));
        let width = program.pointer_bits();
        for (at, var, slot, ty) in registers {
            let value = match ty {
                Some(ty) => {
                    let sort = enc.sort(ty);
                    enc.canonical(Place::Slot(slot), sort)
                }
                None => {
                    let object = enc.canon.as_ref().and_then(|canon| canon.local(at.index() as u32, var));
                    let Some(object) = object.filter(|object| shape.has(*object)) else { continue };
                    let base = enc.objects.get(object).base;
                    enc.terms.bv(width, u128::from(base))
                }
            };
            state.slots.insert(slot, value);
        }
        for (slot, value) in &shape.pointers {
            state.slots.insert(*slot, *value);
        }
        if let Some(bottom) = self.detached_below(stack) {
            self.add_entry_values(enc, &mut state, bottom, (stack, loc));
        }
        let fals = enc.terms.fals();
        for object in enc.objects.ids() {
            if let ObjectKind::Global(var) = enc.objects.get(object).kind
                && self.written.contains(&var)
            {
                let contents = enc.generic_contents(object, fals);
                enc.set_contents(&mut state, object, contents);
            }
        }
        for (object, dead) in &shape.objects {
            let dead = match dead {
                Some(dead) => enc.terms.bool_const(*dead),
                None => enc.canonical(Place::Dead(*object), smt::Sort::Bool),
            };
            let contents = enc.generic_contents(*object, dead);
            enc.set_contents(&mut state, *object, contents);
        }
        state
    }

    /// Gives the slots for entry values their variables; at the entry itself they are what the variables hold.
    fn add_entry_values(&self, enc: &mut Encoder<'p>, state: &mut State, bottom: StackId, at: (StackId, LocId)) {
        let program = self.program;
        let entry = program.functions[self.stacks.frame(bottom).func].body.map(|body| body.entry);
        for (slot, var) in self.entry_values(enc, bottom) {
            let now = enc.slots.slot(program, self.frames[bottom], var);
            let sort = enc.sort(program.vars[var].register().unwrap_or(Scalar::Ptr));
            let known = state.slots.get(now).copied().filter(|_| at.0 == bottom && entry == Some(at.1));
            let value = known.unwrap_or_else(|| enc.canonical(Place::Slot(slot), sort));
            state.slots.insert(slot, value);
        }
    }

    /// The canonical registers that generic states have at a location.
    pub fn vocabulary(
        &mut self,
        enc: &mut Encoder<'p>,
        stack: StackId,
        loc: LocId,
        shape: ShapeId,
    ) -> Rc<FxHashSet<TermId>> {
        if let Some(known) = self.vocabularies.get(&(stack, loc, shape)) {
            return known.clone();
        }
        let state = self.state(enc, stack, loc, shape);
        let mut vars = FxHashSet::default();
        state.slots.for_each(|_, value| {
            if enc.terms.is_var(*value) {
                vars.insert(*value);
            }
        });
        let vars = Rc::new(vars);
        self.vocabularies.insert((stack, loc, shape), vars.clone());
        vars
    }

    /// Whether a predicate variable means something in states of a shape at a location.
    pub fn is_meaningful(enc: &Encoder<'_>, shape: &Shape, registers: &FxHashSet<TermId>, var: TermId) -> bool {
        let Some(place) = enc.canon.as_ref().and_then(|canon| canon.place(var)) else { return false };
        let exists = |object| enc.global_of(enc.objects.get(object).kind) || shape.has(object);
        match place {
            Place::Slot(_) => registers.contains(&var),
            Place::Cell { object, .. } | Place::Array(object) | Place::Size(object) | Place::Dead(object) => {
                exists(object)
            }
            Place::External => true,
        }
    }

    /// The shape of a state where a block ends.
    pub fn shape_of(&mut self, enc: &Encoder<'p>, state: &State, stack: StackId, loc: LocId) -> ShapeId {
        let mut shape = Shape::default();
        state.memory.for_each(|index, contents| {
            let object = base::Id::from_index(index as usize);
            if !enc.global_of(enc.objects.get(object).kind) {
                shape.objects.push((object, enc.terms.as_bool_const(contents.0.dead)));
            }
        });
        let detached = self.stacks.bottom(stack).is_some();
        let mut note = |slot: u32, ty: Option<Scalar>| {
            if ty != Some(Scalar::Ptr) {
                return;
            }
            let Some(value) = state.slots.get(slot) else { return };
            if let Some(address) = enc.terms.as_bv_const(*value).and_then(|v| u64::try_from(v).ok())
                && is_exact(enc, state, address)
                && !(detached && is_gone(enc, state, address))
            {
                shape.pointers.push((slot, *value));
            }
        };
        for var in &self.assigned_globals {
            let slot = enc.slots.slot(self.program, FrameSlots(0), *var);
            note(slot, self.program.vars[*var].register());
        }
        self.for_each_local(enc, stack, loc, |_, _, slot, ty| note(slot, ty));
        shape.pointers.sort_unstable();
        self.shapes.intern(shape)
    }
}

/// Whether an address is null, a function's, or that of an object's first byte.
fn is_exact(enc: &Encoder<'_>, state: &State, address: u64) -> bool {
    address == 0
        || cfa::layout::function_at(enc.program, address).is_some()
        || enc.objects.owner(state.layout, address).is_some_and(|object| enc.objects.get(object).base == address)
}

/// Whether an address is that of an object that does not exist in a state.
fn is_gone(enc: &Encoder<'_>, state: &State, address: u64) -> bool {
    let exists = |object: encode::ObjId| {
        enc.global_of(enc.objects.get(object).kind) || state.memory.get(object.index() as u32).is_some()
    };
    address != 0 && enc.objects.owner(state.layout, address).is_some_and(|object| !exists(object))
}
