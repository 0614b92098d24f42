//! The explicit part of an abstract state: which objects exist, and pointers whose value is exactly one object's address.
//!
//! Formulas say nothing about the existence of objects, so states of different shapes never cover one another.

use base::{Id, IdVec, new_id};
use encode::ObjId;
use rustc_hash::FxHashMap;
use smt::TermId;

new_id! {
    /// An interned [`Shape`].
    pub struct ShapeId;
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape {
    /// Objects beside the global ones, and whether they were freed, if that is certain.
    pub objects: Vec<(ObjId, Option<bool>)>,
    /// Registers that hold a known address.
    pub pointers: Vec<(u32, TermId)>,
}

impl Shape {
    /// Whether the object exists.
    pub fn has(&self, object: ObjId) -> bool {
        self.objects.binary_search_by_key(&object, |(o, _)| *o).is_ok()
    }
}

/// All shapes of a run.
#[derive(Default)]
pub struct Shapes {
    shapes: IdVec<ShapeId, Shape>,
    ids: FxHashMap<Shape, ShapeId>,
}

impl Shapes {
    /// The id of a shape.
    pub fn intern(&mut self, shape: Shape) -> ShapeId {
        if let Some(id) = self.ids.get(&shape) {
            return *id;
        }
        let id = self.shapes.push(shape.clone());
        self.ids.insert(shape, id);
        id
    }

    /// The shape.
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id]
    }

    /// The shape before the program starts.
    pub fn initial(&mut self) -> ShapeId {
        self.intern(Shape::default())
    }

    /// Number of shapes.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.shapes.ids().next().map(Id::index).is_none()
    }
}
