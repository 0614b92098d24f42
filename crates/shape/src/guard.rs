//! Numbers of nodes that tell whether a node has something of its own: as a flag beside a pointer, which is looked at instead of the pointer.

use crate::graph::Graph;
use crate::object::{Field, Lengths, Object, Read};
use crate::value::{Cases, ObjectId};
use cfa::Scalar;
use domains::numerical::Num;
use domains::numerical::number::is_tracked;

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
