//! Values of registers and fields, and what is known of those that are not fixed.

use base::new_id;
use cfa::{FuncId, Scalar, Value};
use domains::numerical::Num;
use domains::numerical::number::{is_tracked, number, range};
use std::collections::BTreeMap;

new_id! {
    /// An object of a graph.
    pub struct ObjectId;
    /// A value that is not fixed; the same in all places that have it.
    pub struct Symbol;
}

/// To which node of a list segment an address leads; of any other object, `First`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// In an object that each node has for itself: the node that has it.
    Own,
}

/// An address in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    /// The object.
    pub object: ObjectId,
    /// Which node of it.
    pub side: Side,
    /// In bytes.
    pub offset: i64,
}

/// A scalar. Its type is known where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Val {
    /// These bits.
    Bits(Value),
    /// An address.
    Address(Address),
    /// The address of a function.
    Function(FuncId),
    /// What the graph knows of this symbol.
    Unknown(Symbol),
}

impl Val {
    /// Null, zero, false.
    pub const ZERO: Val = Val::Bits(Value(0));

    /// The address that it is.
    pub fn address(self) -> Option<Address> {
        match self {
            Val::Address(address) => Some(address),
            _ => None,
        }
    }
}

/// What is known of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// It is one of these numbers; all types that it occurs in hold them all.
    Number(Num),
    /// It has any bits.
    Any {
        /// Whether some bit is set.
        nonzero: bool,
    },
    /// It is an address in an object, at one of these offsets; that of the address is 0.
    Inside(Address, Num),
}

/// Numbers that lie farther apart are no flags, and may grow for ever.
const MOST_FLAGS: i128 = 16;

/// What a field of a node is, by whether the node has something of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// Its type.
    pub ty: Scalar,
    /// In nodes that have it.
    pub with: Num,
    /// In those that lack it.
    pub without: Num,
}

/// By the offset of the field.
pub type Guards = BTreeMap<i64, Guard>;

/// What a field is with a block and without it; `None` where that is never.
pub type Cases = (Option<Num>, Option<Num>);

impl Guard {
    /// What holds in all cases, if it still tells with from without.
    pub fn of(ty: Scalar, cases: &[Cases]) -> Option<Guard> {
        let with = cases.iter().filter_map(|(with, _)| *with).reduce(Num::join)?;
        let without = cases.iter().filter_map(|(_, without)| *without).reduce(Num::join)?;
        let is_small = |num: Num| num.hi - num.lo <= MOST_FLAGS;
        (is_small(with) && is_small(without) && with.meet(without).is_none()).then_some(Guard { ty, with, without })
    }
}

/// The type whose numbers the bits of a type are taken as; pointers are unsigned.
pub fn numeric(ty: Scalar, pointer_bits: u32) -> Option<Scalar> {
    match ty {
        Scalar::Ptr => Some(Scalar::Int { bits: pointer_bits as u16, signed: false }),
        ty if is_tracked(ty) => Some(ty),
        _ => None,
    }
}

/// Whether all of the numbers have bits in a tracked type.
pub fn fits(num: Num, ty: Scalar) -> bool {
    let (lo, hi) = range(ty);
    lo <= num.lo && num.hi <= hi
}

/// The bits of a number in a tracked type.
pub fn bits(n: i128, ty: Scalar) -> Value {
    Value::truncated(n as u128, ty.bits(64))
}

/// The number of bits in a tracked type.
pub fn number_of(value: Value, ty: Scalar) -> i128 {
    number(value, ty)
}
