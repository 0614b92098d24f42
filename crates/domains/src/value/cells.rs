//! Memory objects and cells: what can have a value, interned as numbers.
//!
//! A cell is a register of a frame, or a range of bytes of a memory object. Objects are global variables, instances of local
//! variables, and heap objects named by the edge that made them and a count. Names of objects stand for "some object": a name is
//! used again once no state mentions it.

use base::{IdVec, new_id};
use cfa::points_to::{ClassId, Object};
use cfa::{EdgeId, VarId};
use rustc_hash::FxHashMap;
use step::StackId;

new_id! {
    /// A memory object.
    pub struct ObjId;
    /// A cell.
    pub struct CellId;
    /// What a precision tracks: a cell without frame and count.
    pub struct KeyId;
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectName {
    /// A global memory variable.
    Global(VarId),
    /// The current instance of a local memory variable in a frame.
    Local(StackId, VarId),
    /// Made by an `Alloc` or `Realloc` edge, with its size if that is known. No two objects of a state have the same number.
    Heap(EdgeId, u32, Option<u64>),
    /// Made by an `Alloc` edge that gives storage of a frame.
    Stack(StackId, EdgeId, u32, Option<u64>),
    /// Within a block: one that existed before it and is no global variable.
    Outer(Object, u32),
}

impl ObjectName {
    /// What an object is of that an edge made, but for its size, with another number.
    pub fn numbered(self, number: u32) -> Self {
        match self {
            ObjectName::Heap(edge, ..) => ObjectName::Heap(edge, number, None),
            ObjectName::Stack(stack, edge, ..) => ObjectName::Stack(stack, edge, number, None),
            other => other,
        }
    }

    /// The number among those that the same edge made.
    pub fn number(self) -> Option<u32> {
        match self {
            ObjectName::Heap(_, number, _) | ObjectName::Stack(_, _, number, _) => Some(number),
            ObjectName::Global(_) | ObjectName::Local(..) | ObjectName::Outer(..) => None,
        }
    }

    /// The size in it.
    pub fn size(self) -> Option<u64> {
        match self {
            ObjectName::Heap(.., size) | ObjectName::Stack(.., size) => size,
            ObjectName::Global(_) | ObjectName::Local(..) | ObjectName::Outer(..) => None,
        }
    }

    /// The same with a size.
    pub fn sized(self, size: Option<u64>) -> Self {
        match self {
            ObjectName::Heap(edge, number, _) => ObjectName::Heap(edge, number, size),
            ObjectName::Stack(stack, edge, number, _) => ObjectName::Stack(stack, edge, number, size),
            other => other,
        }
    }

    /// The object as points-to analysis knows it.
    pub fn origin(self) -> Object {
        match self {
            ObjectName::Global(var) | ObjectName::Local(_, var) => Object::Var(var),
            ObjectName::Heap(edge, ..) | ObjectName::Stack(_, edge, ..) => Object::Alloc(edge),
            ObjectName::Outer(origin, _) => origin,
        }
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub name: ObjectName,
    /// Its size, if all objects of this name have the same.
    pub size: Option<u64>,
    /// Its interned cells by offset and size.
    cells: Vec<(i64, u32, CellId)>,
}

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A register; the stack is that of its frame, none for globals.
    Register(Option<StackId>, VarId),
    /// Bytes of an object.
    Memory {
        /// The object.
        obj: ObjId,
        /// First byte.
        offset: i64,
        /// Number of bytes.
        bytes: u32,
    },
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub struct CellInfo {
    /// What it is.
    pub place: Place,
    /// What a precision tracks it as.
    pub key: KeyId,
    /// What a precision tracks all cells of its object as; the same as `key` for registers.
    pub whole: KeyId,
    /// Its class in points-to analysis, if that is certain.
    pub class: Option<ClassId>,
}

/// What a precision can track.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A register, in all frames.
    Register(VarId),
    /// Cells at an offset of all objects of an origin.
    Memory(Object, i64),
    /// All cells of all objects of an origin.
    Whole(Object),
}

/// All objects and cells.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Objects.
    pub objects: IdVec<ObjId, ObjectInfo>,
    object_ids: FxHashMap<ObjectName, ObjId>,
    /// Cells.
    pub cells: IdVec<CellId, CellInfo>,
    keys: IdVec<KeyId, Key>,
    key_ids: FxHashMap<Key, KeyId>,
}

impl Cells {
    /// The object with this name, if it is known.
    pub fn find_object(&self, name: ObjectName) -> Option<ObjId> {
        self.object_ids.get(&name).copied()
    }

    /// The object with this name; `size` is asked if it is new.
    pub fn object(&mut self, name: ObjectName, size: impl FnOnce() -> Option<u64>) -> ObjId {
        let objects = &mut self.objects;
        *self
            .object_ids
            .entry(name)
            .or_insert_with(|| objects.push(ObjectInfo { name, size: size(), cells: Vec::new() }))
    }

    /// The key with this meaning.
    pub fn key(&mut self, key: Key) -> KeyId {
        let keys = &mut self.keys;
        *self.key_ids.entry(key).or_insert_with(|| keys.push(key))
    }

    /// What a key means.
    pub fn key_of(&self, id: KeyId) -> Key {
        self.keys[id]
    }

    /// A new register cell.
    pub fn add_register(&mut self, stack: Option<StackId>, var: VarId) -> CellId {
        let key = self.key(Key::Register(var));
        self.cells.push(CellInfo { place: Place::Register(stack, var), key, whole: key, class: None })
    }

    /// The memory cell, if it was ever mentioned.
    #[inline]
    pub fn find(&self, obj: ObjId, offset: i64, bytes: u32) -> Option<CellId> {
        let cells = &self.objects[obj].cells;
        let at = cells.binary_search_by_key(&(offset, bytes), |(o, b, _)| (*o, *b)).ok()?;
        Some(cells[at].2)
    }

    /// The memory cell; `class` is asked if it is new.
    pub fn memory(
        &mut self,
        obj: ObjId,
        offset: i64,
        bytes: u32,
        class: impl FnOnce(Object) -> Option<ClassId>,
    ) -> CellId {
        let at = match self.objects[obj].cells.binary_search_by_key(&(offset, bytes), |(o, b, _)| (*o, *b)) {
            Ok(at) => return self.objects[obj].cells[at].2,
            Err(at) => at,
        };
        let origin = self.objects[obj].name.origin();
        let (key, whole) = (self.key(Key::Memory(origin, offset)), self.key(Key::Whole(origin)));
        let place = Place::Memory { obj, offset, bytes };
        let id = self.cells.push(CellInfo { place, key, whole, class: class(origin) });
        self.objects[obj].cells.insert(at, (offset, bytes, id));
        id
    }

    /// Mentioned cells of an object that overlap a range.
    pub fn overlapping(&self, obj: ObjId, offset: i64, len: u64) -> impl Iterator<Item = (i64, u32, CellId)> + '_ {
        let cells = &self.objects[obj].cells;
        // No cell is longer than 16 bytes.
        let first = cells.partition_point(|(o, ..)| *o < offset.saturating_sub(16));
        let end = offset.saturating_add_unsigned(len);
        cells[first..]
            .iter()
            .copied()
            .take_while(move |(o, ..)| *o < end)
            .filter(move |(o, b, _)| o.saturating_add(i64::from(*b)) > offset)
    }

    /// All mentioned cells of an object.
    pub fn of_object(&self, obj: ObjId) -> impl Iterator<Item = CellId> + '_ {
        self.objects[obj].cells.iter().map(|(.., id)| *id)
    }

    /// The object of a memory cell.
    #[inline]
    pub fn object_of(&self, cell: CellId) -> Option<ObjId> {
        match self.cells[cell].place {
            Place::Memory { obj, .. } => Some(obj),
            Place::Register(..) => None,
        }
    }
}
