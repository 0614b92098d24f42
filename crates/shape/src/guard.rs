//! Numbers of nodes that tell whether a node has something of its own: as a flag beside a pointer, which is looked at instead of the pointer.

use crate::graph::Graph;
use crate::object::{Field, Lengths, Object, Read};
use crate::value::ObjectId;
use cfa::Scalar;
use domains::numerical::Num;
use domains::numerical::number::is_tracked;
use std::collections::BTreeMap;

/// Numbers that lie farther apart are no flags, and may grow for ever.
const MOST: i128 = 16;

/// What a field of the owner is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// Its type.
    pub ty: Scalar,
    /// In nodes that have the block or the list.
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
        let is_small = |num: Num| num.hi - num.lo <= MOST;
        (is_small(with) && is_small(without) && with.meet(without).is_none()).then_some(Guard { ty, with, without })
    }
}

impl Graph {
    /// The numbers that a field of a type may have in an object.
    pub fn number_at(&self, id: ObjectId, at: i64, ty: Scalar) -> Option<Num> {
        match self.object(id).read(at, ty, self.pointer_bits) {
            Read::Field(field) if field.ty == ty => self.numbers(field.val, ty),
            _ => None,
        }
    }

    /// What a field of a node is with an object that belongs to it, and without.
    pub fn cases(&self, object: &Object, node: ObjectId, at: i64, ty: Scalar) -> Option<Cases> {
        match object.guards.get(&at).filter(|guard| guard.ty == ty) {
            Some(guard) => Some((Some(guard.with), Some(guard.without))),
            None => {
                let num = self.number_at(node, at, ty)?;
                Some((Some(num), Some(num).filter(|_| object.lengths.has(Lengths::EMPTY))))
            }
        }
    }

    /// The fields of a node that may be flags.
    pub fn flags(&self, node: ObjectId) -> Vec<(i64, Scalar)> {
        let fields = self.object(node).fields.iter().map(|(at, field)| (*at, field.ty));
        fields.filter(|(_, ty)| is_tracked(*ty)).collect()
    }

    /// A node has an object that belonged to each node, or lacks it; `None` if its numbers say otherwise.
    pub fn decide(&mut self, id: ObjectId, is_there: bool) -> Option<()> {
        let object = self.object(id);
        let Some(node) = object.of else { return Some(()) };
        for (at, guard) in object.guards.clone() {
            let num = self.number_at(node, at, guard.ty)?;
            let num = num.meet(if is_there { guard.with } else { guard.without })?;
            let val = self.number(num, guard.ty);
            self.write(node, at, Field { ty: guard.ty, val });
        }
        Some(())
    }
}
