//! C types after resolution, interned, with their layout.
//!
//! Qualifiers are dropped: `const` and `restrict` restrict programs and not runs, and `volatile` objects are ordinary memory here.

use base::{IdVec, Name, Span, new_id};
use rustc_hash::FxHashMap;

new_id! {
    /// A type of a [`Types`] table; equal ids mean the same type.
    pub struct TypeId;
    /// A struct or union of a [`Types`] table.
    pub struct RecordId;
    /// An enumeration of a [`Types`] table.
    pub struct EnumId;
}

/// Integer types; `Char` is signed in both machine models.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// Real floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
}

/// Length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// Number of elements (0 is allowed, GNU).
    Fixed(u64),
    /// `[]`: incomplete, or a flexible array member.
    Incomplete,
    /// Variable length: the number of elements is held by this variable (of type `size_t`), set at the declaration.
    Variable(crate::typed::VarId),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`: one byte that holds 0 or 1.
    Bool,
    /// Integers.
    Int(IntKind),
    /// Floats.
    Float(FloatKind),
    /// Enumerations; representation in [`Types::enum_repr`].
    Enum(EnumId),
    /// Pointers.
    Pointer(TypeId),
    /// Arrays.
    Array(TypeId, ArrayLen),
    /// Functions.
    Function(FunctionType),
    /// Structs and unions.
    Record(RecordId),
    /// `__builtin_va_list`: modelled as a pointer to 16-byte slots, one for each variadic argument.
    VaList,
    /// A type that is not modelled (complex, vector): its name.
    Unsupported(Name),
}

/// A function type; parameter types are adjusted (arrays and functions are pointers).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// Result.
    pub ret: TypeId,
    /// Parameters.
    pub params: Box<[TypeId]>,
    /// `...`
    pub variadic: bool,
    /// Declared with a prototype; otherwise `params` is what a definition in K&R style says, or empty.
    pub prototyped: bool,
}

/// A bit-field within its storage unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    /// First bit, counted from bit 0 of the byte at the field's offset; below 8.
    pub shift: u32,
    /// Number of bits, at least 1. `shift + width` bits are accessed as `ceil((shift + width) / 8)` bytes.
    pub width: u32,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Name; `None` for anonymous structs and unions (their members are found through them).
    pub name: Option<Name>,
    /// Declared type.
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field of the first byte that holds one of its bits.
    pub offset: u64,
    /// For bit-fields.
    pub bits: Option<BitField>,
}

/// A struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Tag, or the typedef name of an untagged one, where known.
    pub name: Option<Name>,
    /// Whether members overlap.
    pub is_union: bool,
    /// `None` while incomplete.
    pub layout: Option<RecordLayout>,
    /// First declaration.
    pub span: Span,
}

/// Members and layout of a complete record (System V ABI as GCC implements it).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLayout {
    /// Members in order, unnamed bit-fields left out.
    pub fields: Vec<Field>,
    /// Size in bytes with padding.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
}

/// An enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enum {
    /// Tag.
    pub name: Option<Name>,
    /// Compatible integer type.
    pub repr: IntKind,
    /// Enumerators and their values.
    pub enumerators: Vec<(Name, i128)>,
}

/// The types of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: IdVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    /// Structs and unions.
    pub records: IdVec<RecordId, Record>,
    /// Enumerations.
    pub enums: IdVec<EnumId, Enum>,
}

impl Types {
    /// The id of this type, new or known.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.ids.get(&ty) {
            return *id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// Ids in order.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        self.types.ids()
    }

    /// Integer type that represents an enumeration.
    pub fn enum_repr(&self, id: EnumId) -> IntKind {
        self.enums[id].repr
    }
}
