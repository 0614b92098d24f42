//! What the solver of the points-to analysis works on: places, values, slots and nodes, as [`super::unify`] tells.

use super::Object;
use num_integer::gcd;
use std::collections::BTreeMap;

/// "No such index."
pub(super) const NONE: u32 = u32::MAX;
/// Stands for a slot that holds a number and no pointer.
const NUMBER: u32 = u32::MAX - 1;
/// The node of external memory.
pub(super) const EXTERNAL: u32 = 0;

/// A place: a node and an offset in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ptr {
    pub node: u32,
    pub off: i64,
}

impl Ptr {
    pub(super) fn plus(self, shift: i64) -> Ptr {
        Ptr { off: self.off.wrapping_add(shift), ..self }
    }
}

/// What a slot holds, its pointer moved by `shift` and any multiple of `stride`. Slot [`NONE`]: nothing that leads to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Val {
    pub slot: u32,
    pub shift: i64,
    pub stride: u64,
}

impl Val {
    pub(super) const NOTHING: Val = Val { slot: NONE, shift: 0, stride: 0 };

    /// A number that may equal an address.
    pub(super) const NUMBER: Val = Val { slot: NUMBER, shift: 0, stride: 0 };

    /// The value of an expression that no operation uses: it was not computed.
    pub(super) const UNUSED: Val = Val { slot: NONE, shift: -1, stride: 1 };

    pub(super) fn of(slot: u32) -> Val {
        Val { slot, shift: 0, stride: 0 }
    }

    pub(super) fn is_nothing(self) -> bool {
        self.slot == NONE
    }

    /// Whether there is a slot, which may hold a pointer.
    pub(super) fn has_slot(self) -> bool {
        self.slot < NUMBER
    }

    pub(super) fn moved(self, shift: i64, stride: u64) -> Val {
        if !self.has_slot() {
            return self;
        }
        Val { slot: self.slot, shift: self.shift.wrapping_add(shift), stride: gcd(self.stride, stride) }
    }
}

/// What a slot may hold besides copies of pointers, as a set of bits.
pub(super) type Kind = u8;
/// A number.
pub(super) const NUMBER_BIT: Kind = 1;
/// A number that was computed from addresses.
pub(super) const DERIVED_BIT: Kind = 2;

/// Set of access types of a cell, as bits of [`super::classes::type_bit`].
pub(super) type TypeMask = u16;

#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub parent: u32,
    pub ptr: Option<Ptr>,
    /// What it may hold besides.
    pub kind: Kind,
    /// Slots that get this slot's pointer as soon as there is one, moved by shift and stride.
    pub waiting: Vec<(u32, i64, u64)>,
    /// For cells: bytes, and types of accesses.
    pub size: u32,
    pub types: TypeMask,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub parent: u32,
    /// Offset of this node's byte 0 in the parent.
    pub shift: i64,
    /// At most `i64::MAX`.
    pub stride: u64,
    /// Cells by first offset; disjoint, and none crosses a multiple of the stride.
    pub cells: BTreeMap<i64, u32>,
    pub objects: Vec<(Object, i64)>,
    /// Ends of ranges that were copied, set or havocked.
    pub cuts: Vec<i64>,
    /// Whether its cells may hold pointers to external memory that no operation wrote.
    pub filled: bool,
}
