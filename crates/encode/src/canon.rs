//! Canonical names for what a state holds at the start of a block, so that a block is encoded once for all states.
//!
//! A *generic state* holds, in each register and each memory cell, a variable that stands for "the value that was there when the
//! block began". Objects are canonical as well: one for each (call stack, local variable), and numbered ones for each
//! allocation site, so that the objects of one block are those of the next. What a block does is then its guard and the
//! terms that the places hold at its end, both over the canonical variables and over variables of the block's own (inputs).
//!
//! Sources: adjustable-block encoding [beyer10], large-block encoding [beyer09].

use crate::memory::object::ObjId;
use cfa::lingering::Keepers;
use cfa::{EdgeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, TermId};
use std::collections::BTreeSet;

/// What identifies a canonical object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectName {
    /// The current instance of a local memory variable in a call stack.
    Local(u32, VarId),
    /// The n-th object that exists of an allocation site, with its size if that is known.
    Heap(EdgeId, u32, Option<u64>),
    /// The same for `alloca` in a call stack.
    Stack(u32, EdgeId, u32, Option<u64>),
}

/// What a canonical variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A register.
    Slot(u32),
    /// Bytes of an object.
    Cell {
        /// The object.
        object: ObjId,
        /// First byte.
        offset: u64,
        /// Their number.
        bytes: u32,
    },
    /// An object as an array.
    Array(ObjId),
    /// Whether an object was freed.
    Dead(ObjId),
    /// Size of an object, which never changes.
    Size(ObjId),
    /// External memory.
    External,
}

/// A canonical cell of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownCell {
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    pub(crate) var: TermId,
}

/// The canonical names of one encoder.
#[derive(Default)]
pub struct Canon {
    /// The call stack that runs, by a number of the caller's; set before an edge is executed.
    pub stack: u32,
    /// Local variables of which several instances have to be told apart where these keep their addresses.
    pub(crate) lingering: FxHashMap<VarId, Keepers>,
    /// Objects that are arrays in generic states.
    pub arrays: FxHashSet<ObjId>,
    /// Objects that were turned into arrays although they are none in generic states.
    pub wanted: BTreeSet<ObjId>,
    pub(crate) objects: FxHashMap<ObjectName, ObjId>,
    pub(crate) names: FxHashMap<ObjId, ObjectName>,
    pub(crate) vars: FxHashMap<(Place, Sort), TermId>,
    pub(crate) places: FxHashMap<TermId, Place>,
    pub(crate) cells: FxHashMap<ObjId, Vec<KnownCell>>,
}

impl Canon {
    /// What a variable stands for, if it is canonical.
    pub fn place(&self, var: TermId) -> Option<Place> {
        self.places.get(&var).copied()
    }

    /// The variable of a place, if it has one.
    pub fn variable(&self, place: Place, sort: Sort) -> Option<TermId> {
        self.vars.get(&(place, sort)).copied()
    }

    /// The name of an object that is no global variable.
    pub fn name(&self, object: ObjId) -> Option<ObjectName> {
        self.names.get(&object).copied()
    }

    /// The object of a local memory variable.
    pub fn local(&self, stack: u32, var: VarId) -> Option<ObjId> {
        self.objects.get(&ObjectName::Local(stack, var)).copied()
    }
}
