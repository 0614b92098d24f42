//! Sizes and alignments of the scalar types in the data models, as GCC has them on x86.

use base::ByteOrder;

/// Integer types. `Char` is signed; where plain `char` is not, it is `UnsignedChar`, which is another type than `UChar`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    UnsignedChar,
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

impl IntKind {
    /// The name in C.
    pub const fn name(self) -> &'static str {
        match self {
            IntKind::Char | IntKind::UnsignedChar => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    /// The name in C.
    pub const fn name(self) -> &'static str {
        match self {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
    }
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

/// How types that C leaves open are represented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Abi {
    /// The data model.
    pub machine: Machine,
    /// How the bytes of numbers lie in memory. Bit-fields begin with the most significant bits of big-endian machines.
    pub byte_order: ByteOrder,
    /// What `char` is: [`IntKind::Char`], or [`IntKind::UnsignedChar`] as with `-funsigned-char`.
    pub char: IntKind,
    /// The smallest type that represents an enumeration: [`IntKind::Int`], or [`IntKind::SChar`] as with `-fshort-enums`.
    pub smallest_enum: IntKind,
    /// Whether types with qualifiers are types of their own.
    pub qualifiers: bool,
}

impl From<Machine> for Abi {
    fn from(machine: Machine) -> Self {
        Self {
            machine,
            byte_order: ByteOrder::Little,
            char: IntKind::Char,
            smallest_enum: IntKind::Int,
            qualifiers: false,
        }
    }
}

/// A data model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Machine {
    /// i386: `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// x86-64: `long` and pointers have 64 bits.
    Lp64,
    /// x86-64 on Windows, as with MinGW-w64: `int` and `long` have 32 bits, pointers 64.
    Llp64,
    /// Machines of 16 bits: `int` has 16 bits, `long` and pointers have 32, and each type is aligned to its size.
    Lp32,
    /// As `Ilp32`, but each type is aligned to its size, also in records, as on most machines but i386.
    Aligned32,
}

impl Machine {
    /// Size of a pointer in bytes.
    pub const fn pointer_size(self) -> u64 {
        match self {
            Machine::Ilp32 | Machine::Lp32 | Machine::Aligned32 => 4,
            Machine::Lp64 | Machine::Llp64 => 8,
        }
    }

    /// Size of `long` in bytes.
    const fn long_size(self) -> u64 {
        match self {
            Machine::Ilp32 | Machine::Llp64 | Machine::Lp32 | Machine::Aligned32 => 4,
            Machine::Lp64 => 8,
        }
    }

    /// Size of `int` in bytes.
    const fn basic_size(self) -> u64 {
        match self {
            Machine::Ilp32 | Machine::Lp64 | Machine::Llp64 | Machine::Aligned32 => 4,
            Machine::Lp32 => 2,
        }
    }

    /// Size of an integer type in bytes.
    pub const fn int_size(self, kind: IntKind) -> u64 {
        match kind {
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => self.basic_size(),
            IntKind::Long | IntKind::ULong => self.long_size(),
            IntKind::LongLong | IntKind::ULongLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// The signed type of that size that GCC takes for its modes: `int` before others.
    pub fn kind_of_size(self, size: u64) -> IntKind {
        let kinds = [IntKind::Int, IntKind::SChar, IntKind::Short, IntKind::Long, IntKind::LongLong];
        kinds.into_iter().find(|kind| self.int_size(*kind) == size).unwrap_or(IntKind::Int128)
    }

    /// Width of an integer type in bits.
    pub const fn int_bits(self, kind: IntKind) -> u32 {
        self.int_size(kind) as u32 * 8
    }

    /// Size of a floating type in bytes.
    pub const fn float_size(self, kind: FloatKind) -> u64 {
        match (kind, self) {
            (FloatKind::Float16, _) => 2,
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, Machine::Ilp32 | Machine::Lp32 | Machine::Aligned32) => 12,
            (FloatKind::LongDouble | FloatKind::Float128, _) => 16,
        }
    }

    /// Alignment of a floating type in bytes, outside of records.
    pub const fn float_align(self, kind: FloatKind) -> u32 {
        match (kind, self) {
            (FloatKind::LongDouble, Machine::Ilp32 | Machine::Lp32 | Machine::Aligned32) => 4,
            _ => self.float_size(kind) as u32,
        }
    }

    /// Size and alignment of `__builtin_va_list`.
    pub const fn va_list_layout(self) -> (u64, u32) {
        match self {
            Machine::Ilp32 | Machine::Lp32 | Machine::Aligned32 => (4, 4),
            Machine::Lp64 => (24, 8),
            Machine::Llp64 => (8, 8),
        }
    }

    /// Type of `sizeof`.
    pub const fn size_kind(self) -> IntKind {
        match self {
            Machine::Ilp32 | Machine::Aligned32 => IntKind::UInt,
            Machine::Lp64 | Machine::Lp32 => IntKind::ULong,
            Machine::Llp64 => IntKind::ULongLong,
        }
    }

    /// Type of the difference of two pointers.
    pub const fn ptrdiff_kind(self) -> IntKind {
        match self {
            Machine::Ilp32 | Machine::Aligned32 => IntKind::Int,
            Machine::Lp64 | Machine::Lp32 => IntKind::Long,
            Machine::Llp64 => IntKind::LongLong,
        }
    }

    /// `wchar_t`
    pub const fn wchar_kind(self) -> IntKind {
        match self {
            Machine::Ilp32 | Machine::Lp32 | Machine::Aligned32 => IntKind::Long,
            Machine::Lp64 => IntKind::Int,
            Machine::Llp64 => IntKind::UShort,
        }
    }

    /// Brings `value` into the range of an integer type by wrapping around. Values of `unsigned __int128` above the largest
    /// `i128` come out negative.
    pub const fn wrap(self, kind: IntKind, value: i128) -> i128 {
        wrap_bits(value, self.int_bits(kind), kind.is_signed())
    }
}

/// The `bits` low bits of `value`, sign- or zero-extended.
pub const fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits == 0 {
        0
    } else if bits >= 128 {
        value
    } else if signed {
        value << (128 - bits) >> (128 - bits)
    } else {
        value & ((1 << bits) - 1)
    }
}

impl IntKind {
    /// Whether negative values are in the type.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::Char
                | IntKind::SChar
                | IntKind::Short
                | IntKind::Int
                | IntKind::Long
                | IntKind::LongLong
                | IntKind::Int128
        )
    }

    /// The unsigned type of the same rank.
    pub const fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            unsigned => unsigned,
        }
    }

    /// Conversion rank: a wider type never has a lower one.
    pub const fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_around() {
        let check = |kind, value, expected| assert_eq!(Machine::Ilp32.wrap(kind, value), expected, "{kind:?} {value}");
        check(IntKind::UChar, 256 + 7, 7);
        check(IntKind::Char, 200, -56);
        check(IntKind::ULong, -1, 0xffff_ffff);
        check(IntKind::Long, 1 << 31, -(1 << 31));
        check(IntKind::UInt128, -1, -1);
    }
}
