//! C types as far as printing values, harnesses and witnesses needs them.

use crate::value::Scalar;
use base::{IdVec, Name, new_id};

new_id! {
    /// A C type of [`CTypes`].
    pub struct CTypeId;
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CField {
    /// Name; empty for anonymous members.
    pub name: Name,
    /// Type.
    pub ty: CTypeId,
    /// Offset of the first byte (of the storage unit for a bit-field).
    pub offset: u64,
    /// For bit-fields: first bit, counted from bit 0 of the byte at `offset`, and width.
    pub bits: Option<(u32, u32)>,
}

/// A C type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// `void` or unknown.
    Void,
    /// Scalar with its spelling in C (`unsigned int`, `_Bool`, `enum color`, `double`).
    Scalar {
        /// Spelling.
        name: Name,
        /// Representation.
        scalar: Scalar,
    },
    /// Pointer.
    Pointer(CTypeId),
    /// Array; `None` for incomplete and variable-length ones.
    Array(CTypeId, Option<u64>),
    /// Struct or union.
    Record {
        /// Spelling (`struct node`, `union u`, or a typedef name).
        name: Name,
        /// Members in order of declaration.
        fields: Vec<CField>,
        /// Whether members overlap.
        is_union: bool,
    },
    /// Function, by its spelling.
    Function(Name),
}

/// C types of a program with their sizes.
#[derive(Clone, Default, Debug)]
pub struct CTypes {
    /// Types and their sizes in bytes (0 where there is none).
    types: IdVec<CTypeId, (CType, u64)>,
}

impl CTypes {
    /// Adds a type of `size` bytes.
    pub fn add(&mut self, ty: CType, size: u64) -> CTypeId {
        self.types.push((ty, size))
    }

    /// Completes a type that was added before its members were known (recursive structs).
    pub fn set(&mut self, id: CTypeId, ty: CType, size: u64) {
        self.types[id] = (ty, size);
    }

    /// The type.
    pub fn get(&self, id: CTypeId) -> &CType {
        &self.types[id].0
    }

    /// The type, if there is one with this id (programs made by hand may leave types out).
    pub fn try_get(&self, id: CTypeId) -> Option<&CType> {
        self.types.get(id).map(|(ty, _)| ty)
    }

    /// Size in bytes; 0 where there is none.
    pub fn size(&self, id: CTypeId) -> u64 {
        self.types[id].1
    }
}
