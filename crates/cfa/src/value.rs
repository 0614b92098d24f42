//! Scalar types and values of registers, expressions and memory cells.

/// IEEE formats (and the x87 one) that C's floating types have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatFormat {
    /// `_Float16`, 2 bytes.
    F16,
    /// `float`, 4 bytes.
    F32,
    /// `double`, 8 bytes.
    F64,
    /// x87 extended: 80 bits; 16 bytes in memory under LP64 and 12 under ILP32.
    F80,
    /// `__float128`, 16 bytes.
    F128,
}

impl FloatFormat {
    /// Number of significant bits of the representation.
    pub const fn bits(self) -> u32 {
        match self {
            FloatFormat::F16 => 16,
            FloatFormat::F32 => 32,
            FloatFormat::F64 => 64,
            FloatFormat::F80 => 80,
            FloatFormat::F128 => 128,
        }
    }
}

/// Type of a register, an expression or a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Scalar {
    /// Result of comparisons and of logical operators; never stored in memory and never the type of a C variable.
    Bool,
    /// Two's complement integer of 8, 16, 32, 64 or 128 bits. C's `_Bool` is `Int { bits: 8, signed: false }` holding 0 or 1;
    /// enums have their compatible integer type.
    Int {
        /// Width.
        bits: u16,
        /// Interpretation by division, shifts to the right, comparisons and widening conversions.
        signed: bool,
    },
    /// Floating-point number.
    Float(FloatFormat),
    /// Pointer to an object or a function: an address, compared unsigned. Its width is the program's
    /// [`crate::MachineModel::pointer_bits`].
    Ptr,
}

impl Scalar {
    /// C's `int` in both machine models.
    pub const INT: Scalar = Scalar::Int { bits: 32, signed: true };

    /// Whether this is an integer type.
    pub const fn is_int(self) -> bool {
        matches!(self, Scalar::Int { .. })
    }

    /// Whether this is a floating type.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::Float(_))
    }

    /// Whether values are compared and widened as signed integers.
    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. })
    }

    /// Width in bits; 1 for `Bool`.
    pub const fn bits(self, pointer_bits: u32) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } => bits as u32,
            Scalar::Float(format) => format.bits(),
            Scalar::Ptr => pointer_bits,
        }
    }

    /// Bytes that an access to memory moves; `F80` moves 10, whatever padding the type has.
    pub const fn access_bytes(self, pointer_bits: u32) -> u32 {
        self.bits(pointer_bits).div_ceil(8)
    }
}

/// A concrete scalar value, as bits: two's complement, IEEE representation, address, or 0/1 for `Bool`.
///
/// Bits above the width of the type are zero. The type is kept beside the value, not in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Value(pub u128);

impl Value {
    /// The bits of `v` cut to `bits` bits.
    pub const fn truncated(v: u128, bits: u32) -> Value {
        if bits >= 128 { Value(v) } else { Value(v & ((1 << bits) - 1)) }
    }

    /// The value read as a signed integer of `bits` bits.
    pub const fn signed(self, bits: u32) -> i128 {
        let shift = 128 - bits;
        ((self.0 << shift) as i128) >> shift
    }
}
