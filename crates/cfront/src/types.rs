//! C types after resolution, interned, with their layout.
//!
//! Qualifiers are dropped: `const` and `restrict` restrict programs and not runs, and `volatile` objects are ordinary
//! memory. Where somebody asks for it, types with `const`, `volatile` and `_Atomic` are types of their own ([`Types::qualified`]).

use base::{IdVec, Name, Span, new_id};
use rustc_hash::FxHashMap;
use syntax::ast::Quals;
use syntax::machine_model::{FloatKind, IntKind};

new_id! {
    /// A type of a [`Types`] table; equal ids mean the same type.
    pub struct TypeId;
    /// A struct or union of a [`Types`] table.
    pub struct RecordId;
    /// An enumeration of a [`Types`] table.
    pub struct EnumId;
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
    /// Alignment that the typedef which names the type demands.
    pub type_align: Option<u32>,
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
    /// Whether an attribute had a say in the alignment; it then isn't lowered in records on i386.
    pub user_aligned: bool,
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
    /// Types with qualifiers by the same types without, and back.
    qualified: FxHashMap<(TypeId, Quals), TypeId>,
    plain: FxHashMap<TypeId, (TypeId, Quals)>,
    /// Size and alignment of unsupported types.
    unsupported: FxHashMap<TypeId, (u64, u32)>,
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

    /// The type of objects of this type that are `const`, `volatile` or `_Atomic`, too; of an array, its elements are.
    pub fn qualified(&mut self, ty: TypeId, quals: Quals) -> TypeId {
        let (plain, quals) = match self.plain.get(&ty) {
            Some((plain, known)) => (*plain, *known | quals),
            None => (ty, quals),
        };
        match *self.get(plain) {
            Type::Function(_) | Type::Unsupported(_) => ty,
            Type::Array(elem, len) => {
                let elem = self.qualified(elem, quals);
                self.intern(Type::Array(elem, len))
            }
            _ => {
                if let Some(known) = self.qualified.get(&(plain, quals)) {
                    return *known;
                }
                // The same content under another id.
                let id = self.types.push(self.types[plain].clone());
                self.qualified.insert((plain, quals), id);
                self.plain.insert(id, (plain, quals));
                id
            }
        }
    }

    /// The qualifiers of objects of the type, as far as they are told apart.
    pub fn qualifiers(&self, ty: TypeId) -> Quals {
        match self.get(ty) {
            Type::Array(elem, _) => self.qualifiers(*elem),
            _ => self.plain.get(&ty).map_or(Quals::NONE, |(_, quals)| *quals),
        }
    }

    /// The type without qualifiers, which values have.
    pub fn plain(&self, ty: TypeId) -> TypeId {
        self.plain.get(&ty).map_or(ty, |(plain, _)| *plain)
    }

    /// Ids in order.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        self.types.ids()
    }

    /// The id of an unsupported type, with its size and alignment in bytes.
    pub fn intern_unsupported(&mut self, name: Name, size: u64, align: u32) -> TypeId {
        let id = self.intern(Type::Unsupported(name));
        self.unsupported.insert(id, (size, align));
        id
    }

    /// Size and alignment of an unsupported type, if known.
    pub fn unsupported_layout(&self, id: TypeId) -> Option<(u64, u32)> {
        self.unsupported.get(&id).copied()
    }

    /// Kind of an integer or enumeration type; `None` for `_Bool` and the rest.
    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            Type::Enum(id) => Some(self.enum_repr(*id)),
            _ => None,
        }
    }

    /// The id of an integer type that has been interned.
    pub fn find_int(&self, kind: IntKind) -> Option<TypeId> {
        self.ids.get(&Type::Int(kind)).copied()
    }

    /// What a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// Whether the type is an integer type, `_Bool` and enumerations included.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Enum(_) | Type::Bool)
    }

    /// Whether the type is an integer or floating type.
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Enum(_) | Type::Bool | Type::Float(_))
    }

    /// Whether the type is arithmetic or a pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || matches!(self.get(id), Type::Pointer(_))
    }

    /// Whether the type is unsupported (also the type of erroneous expressions).
    pub fn is_unsupported(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Unsupported(_))
    }

    /// The type in C's notation, for messages.
    pub fn display(&self, id: TypeId) -> String {
        self.declaration(id, String::new())
    }

    /// A declaration of `inner` with this type.
    fn declaration(&self, id: TypeId, inner: String) -> String {
        let base = match self.get(id) {
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => kind.name().to_string(),
            Type::Float(kind) => kind.name().to_string(),
            Type::Enum(e) => format!("enum {}", self.enums[*e].name.as_deref().unwrap_or("<unnamed>")),
            Type::Record(r) => {
                let record = &self.records[*r];
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}", record.name.as_deref().unwrap_or("<unnamed>"))
            }
            Type::VaList => "__builtin_va_list".to_string(),
            Type::Unsupported(name) => name.to_string(),
            Type::Pointer(target) => {
                let is_postfix = matches!(self.get(*target), Type::Array(..) | Type::Function(_));
                let inner = if is_postfix { format!("(*{inner})") } else { format!("*{inner}") };
                return self.declaration(*target, inner);
            }
            Type::Array(elem, len) => {
                let len = match len {
                    ArrayLen::Fixed(n) => n.to_string(),
                    ArrayLen::Incomplete => String::new(),
                    ArrayLen::Variable(_) => "*".to_string(),
                };
                return self.declaration(*elem, format!("{inner}[{len}]"));
            }
            Type::Function(f) => {
                let mut params: Vec<String> = f.params.iter().map(|p| self.display(*p)).collect();
                if f.variadic {
                    params.push("...".to_string());
                }
                if params.is_empty() && f.prototyped {
                    params.push("void".to_string());
                }
                return self.declaration(f.ret, format!("{inner}({})", params.join(", ")));
            }
        };
        if inner.is_empty() { base } else { format!("{base} {inner}") }
    }

    /// Integer type that represents an enumeration.
    pub fn enum_repr(&self, id: EnumId) -> IntKind {
        self.enums[id].repr
    }
}
