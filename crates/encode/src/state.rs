//! Symbolic states and the slots that registers have in them.

use crate::guard::GuardId;
use crate::memory::contents::Contents;
use crate::memory::object::LayoutId;
use crate::pmap::PMap;
use base::IdVec;
use cfa::live::Live;
use cfa::sizes;
use cfa::{FuncId, Program, Storage, VarId};
use smt::TermId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A value that is equal to another only if it is the same one: what merging wants to know at first.
#[derive(Clone, Debug)]
pub struct Shared<T>(pub Rc<T>);

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// One symbolic state: the paths that lead to one location under one guard.
#[derive(Clone)]
pub struct State {
    /// Condition under which the state is reached.
    pub guard: GuardId,
    /// Values of registers and addresses of the current instances of local memory variables, by slot.
    pub slots: PMap<TermId>,
    /// Contents of memory objects by [`crate::ObjId`]; an object that is not mentioned has its initial content.
    pub memory: PMap<Shared<Contents>>,
    /// External memory: an array of bytes indexed by address.
    pub external: TermId,
    /// Where objects lie.
    pub layout: LayoutId,
}

/// Where the variables of functions lie in [`State::slots`], relative to the frame.
///
/// A register's slot holds its value; that of a local memory variable the address of its current instance. Global registers have
/// absolute slots; global memory variables have none, because their addresses never change.
pub struct Slots {
    /// Slot of a variable, absolute for globals and relative to the frame for locals.
    of_var: IdVec<VarId, u32>,
    /// Number of slots of a frame.
    frame_size: IdVec<FuncId, u32>,
    /// Number of slots of globals.
    pub globals: u32,
}

/// Where the slots of one call's frame begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameSlots(pub u32);

impl Slots {
    /// Gives each register and each local memory variable its slot.
    pub fn new(program: &Program) -> Self {
        let mut of_var = IdVec::from_elem(u32::MAX, program.vars.len());
        let mut frame_size = IdVec::from_elem(0u32, program.functions.len());
        let mut globals = 0;
        for (id, var) in program.vars.iter_enumerated() {
            let next = match (var.func, var.storage) {
                (Some(func), _) => &mut frame_size[func],
                (None, Storage::Register(_)) => &mut globals,
                (None, Storage::Memory { .. }) => continue,
            };
            of_var[id] = *next;
            *next += 1;
        }
        Self { of_var, frame_size, globals }
    }

    /// Slot of a register or local memory variable in this frame.
    #[inline]
    pub fn slot(&self, program: &Program, frame: FrameSlots, var: VarId) -> u32 {
        if program.vars[var].func.is_some() { frame.0 + self.of_var[var] } else { self.of_var[var] }
    }

    /// Number of slots that a frame of `func` takes; a multiple of 16, so that frames don't share nodes of the map.
    pub fn frame_size(&self, func: FuncId) -> u32 {
        self.frame_size[func].max(1).next_multiple_of(16)
    }
}

/// Live registers of the program, numbered as in [`Slots`].
pub fn live(program: &Program) -> Live {
    live_and(program, &BTreeSet::new())
}

/// Live registers, and those that tell the sizes of objects: what relations are worth knowing of.
pub fn live_or_size(program: &Program) -> Live {
    live_and(program, &sizes::registers(program))
}

fn live_and(program: &Program, kept: &BTreeSet<VarId>) -> Live {
    let slots = Slots::new(program);
    let slot = |var| slots.slot(program, FrameSlots(0), var);
    Live::keeping(program, kept, slot, |func| slots.frame_size(func) as usize)
}
