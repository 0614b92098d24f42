//! Scalars, sizes and alignments of C types in the data model of the program.

use crate::context::Lowerer;
use cfa::{FloatFormat, MachineModel, Scalar};
use cfront::types::{ArrayLen, Type, TypeId, Types};
use syntax::machine_model::{FloatKind, IntKind};

/// How a value of a type is handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Fits a register.
    Scalar(Scalar),
    /// Struct or union: handled by address.
    Record { size: u64, align: u32 },
    /// `void`.
    Void,
    /// Arrays and functions (no values), and types that are not modelled.
    Other,
}

pub(crate) fn int_scalar(kind: IntKind, machine: MachineModel) -> Scalar {
    let (bits, signed) = match kind {
        IntKind::Char | IntKind::SChar => (8, true),
        IntKind::UChar | IntKind::UnsignedChar => (8, false),
        IntKind::Short => (16, true),
        IntKind::UShort => (16, false),
        IntKind::Int => (machine.int_bits() as u16, true),
        IntKind::UInt => (machine.int_bits() as u16, false),
        IntKind::Long => (machine.long_bits() as u16, true),
        IntKind::ULong => (machine.long_bits() as u16, false),
        IntKind::LongLong => (64, true),
        IntKind::ULongLong => (64, false),
        IntKind::Int128 => (128, true),
        IntKind::UInt128 => (128, false),
    };
    Scalar::Int { bits, signed }
}

fn float_format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Float16 => FloatFormat::F16,
        FloatKind::Float => FloatFormat::F32,
        FloatKind::Double => FloatFormat::F64,
        FloatKind::LongDouble => FloatFormat::F80,
        FloatKind::Float128 => FloatFormat::F128,
    }
}

/// The scalar that a C type is, if it is one.
pub(crate) fn scalar_of(types: &Types, ty: &Type, machine: MachineModel) -> Option<Scalar> {
    Some(match ty {
        Type::Bool => Scalar::Int { bits: 8, signed: false },
        Type::Int(kind) => int_scalar(*kind, machine),
        Type::Enum(id) => int_scalar(types.enum_repr(*id), machine),
        Type::Float(kind) => Scalar::Float(float_format(*kind)),
        Type::Pointer(_) | Type::VaList => Scalar::Ptr,
        Type::Void | Type::Array(..) | Type::Function(_) | Type::Record(_) | Type::Unsupported(_) => return None,
    })
}

impl Lowerer<'_> {
    /// The scalar that a type is, if it is one.
    pub fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        scalar_of(self.unit.types, self.unit.types.get(ty), self.machine)
    }

    /// `int`
    pub const fn int_ty(&self) -> Scalar {
        self.machine.int()
    }

    /// The unsigned integer as wide as a pointer.
    pub fn usize_ty(&self) -> Scalar {
        Scalar::Int { bits: self.pointer_bits as u16, signed: false }
    }

    /// The signed integer as wide as a pointer.
    pub fn isize_ty(&self) -> Scalar {
        Scalar::Int { bits: self.pointer_bits as u16, signed: true }
    }

    /// Whether this is `_Bool`.
    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.get(ty), Type::Bool)
    }

    /// How values of the type are handled.
    pub fn class(&self, ty: TypeId) -> Class {
        match self.unit.types.get(ty) {
            Type::Void => Class::Void,
            Type::Record(id) => match &self.unit.types.records[*id].layout {
                Some(layout) => Class::Record { size: layout.size, align: layout.align },
                None => Class::Other,
            },
            _ => self.scalar(ty).map_or(Class::Other, Class::Scalar),
        }
    }

    /// Size in bytes; `None` for incomplete and variable-length types.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        match self.unit.types.get(ty) {
            Type::Void | Type::Function(_) => None,
            Type::Array(elem, ArrayLen::Fixed(n)) => self.size(*elem)?.checked_mul(*n),
            Type::Array(..) => None,
            Type::Record(id) => self.unit.types.records[*id].layout.as_ref().map(|l| l.size),
            Type::VaList if self.machine == MachineModel::Lp64 => Some(24),
            Type::Unsupported(_) => self.unit.types.unsupported_layout(ty).map(|(size, _)| size),
            Type::Float(FloatKind::LongDouble) => Some(if self.pointer_bits == 32 { 12 } else { 16 }),
            _ => self.scalar(ty).map(|s| u64::from(s.access_bytes(self.pointer_bits))),
        }
    }

    /// Alignment in bytes.
    pub fn align(&self, ty: TypeId) -> u32 {
        match self.unit.types.get(ty) {
            Type::Void | Type::Function(_) => 1,
            Type::Array(elem, _) => self.align(*elem),
            Type::Record(id) => self.unit.types.records[*id].layout.as_ref().map_or(1, |l| l.align),
            Type::VaList => self.pointer_bits / 8,
            Type::Unsupported(_) => self.unit.types.unsupported_layout(ty).map_or(16, |(_, align)| align),
            Type::Float(FloatKind::LongDouble) if self.pointer_bits == 32 => 4,
            _ => self.size(ty).map_or(1, |s| s.clamp(1, 16) as u32),
        }
    }

    /// What the pointer type points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.unit.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => Some(*to),
            _ => None,
        }
    }
}
