//! Names of CBMC's dialect, without what they begin with.

use super::{Builtin, Float, IntName, Operation};
use cfa::{Access, BinOp};

/// A name of the dialect that has no counterpart elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cprover {
    /// `r_ok` and the like: whether a range may be accessed.
    Accessible(Access),
    /// `allocate`: the second argument says whether the bytes are zero.
    Allocate,
    /// `is_fresh`: memory of its own, in contracts.
    IsFresh,
    /// `pointer_in_range_dfcc`: a pointer between two others, which the pointer becomes where that is taken for granted.
    InRange,
    /// Makes the object that a pointer leads to arbitrary.
    HavocObject,
    /// Makes a range arbitrary.
    HavocSlice,
    /// Asks for the object that a pointer leads to.
    Object(ObjectQuery),
    /// A sum or difference, or the end of the type's range that lies closest to it.
    Saturate(BinOp),
}

/// What is asked of the object that a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectQuery {
    /// A number that no other object has.
    Number,
    /// How far the pointer is from its start.
    Offset,
    /// Its size in bytes.
    Size,
    /// Whether it is one of the heap.
    IsHeap,
    /// Whether another pointer leads to it.
    SameAs,
}

impl Cprover {
    /// With fewer arguments it is an unknown function.
    pub fn least_arguments(self) -> usize {
        match self {
            Cprover::Accessible(_) | Cprover::Allocate | Cprover::HavocSlice | Cprover::IsFresh => 2,
            Cprover::Object(ObjectQuery::SameAs) | Cprover::Saturate(_) => 2,
            Cprover::HavocObject | Cprover::Object(_) => 1,
            Cprover::InRange => 3,
        }
    }
}

/// The construct that stands for names that are known but not modelled.
const DIALECT: &str = "CBMC's dialect";

/// What a name behind `__CPROVER_` means.
pub(super) fn named(name: &str) -> Option<Builtin> {
    let overflow = |op| Some(Builtin::Overflow { op, operands: None::<(IntName, super::Sign)>, store: false });
    Some(match name {
        "assert" | "precondition" | "postcondition" => Builtin::Assert,
        "assume" => Builtin::Assume,
        "atomic_begin" | "atomic_end" | "cover" | "input" | "output" | "printf" => Builtin::Nothing,
        "overflow_plus" => return overflow(BinOp::Add),
        "overflow_minus" | "overflow_unary_minus" => return overflow(BinOp::Sub),
        "overflow_mult" => return overflow(BinOp::Mul),
        "saturating_plus" => Builtin::Cprover(Cprover::Saturate(BinOp::Add)),
        "saturating_minus" => Builtin::Cprover(Cprover::Saturate(BinOp::Sub)),
        "r_ok" => Builtin::Cprover(Cprover::Accessible(Access::Read)),
        // What may be written may be read.
        "w_ok" | "rw_ok" => Builtin::Cprover(Cprover::Accessible(Access::Write)),
        "is_fresh" => Builtin::Cprover(Cprover::IsFresh),
        "pointer_in_range_dfcc" => Builtin::Cprover(Cprover::InRange),
        "allocate" => Builtin::Cprover(Cprover::Allocate),
        "deallocate" => Builtin::Free,
        "havoc_object" => Builtin::Cprover(Cprover::HavocObject),
        "havoc_slice" => Builtin::Cprover(Cprover::HavocSlice),
        "POINTER_OBJECT" => Builtin::Cprover(Cprover::Object(ObjectQuery::Number)),
        "POINTER_OFFSET" => Builtin::Cprover(Cprover::Object(ObjectQuery::Offset)),
        "OBJECT_SIZE" => Builtin::Cprover(Cprover::Object(ObjectQuery::Size)),
        "DYNAMIC_OBJECT" => Builtin::Cprover(Cprover::Object(ObjectQuery::IsHeap)),
        "same_object" => Builtin::Cprover(Cprover::Object(ObjectQuery::SameAs)),
        "abs" => Builtin::Abs(IntName::Int, Operation::OfCompiler),
        "labs" => Builtin::Abs(IntName::Long, Operation::OfCompiler),
        "llabs" => Builtin::Abs(IntName::LongLong, Operation::OfCompiler),
        "inf" | "inff" | "infl" => Builtin::Float(Float::Infinity),
        "fabs" | "fabsf" | "fabsl" => Builtin::Float(Float::Abs),
        "isnanf" | "isnand" | "isnanld" => Builtin::Float(Float::IsNan),
        "isinff" | "isinfd" | "isinfld" => Builtin::Float(Float::IsInf),
        "isfinitef" | "isfinited" | "isfiniteld" => Builtin::Float(Float::IsFinite),
        "signf" | "signd" | "signld" => Builtin::Float(Float::SignBit),
        "isgreaterf" | "isgreaterd" => Builtin::Float(Float::Compare(BinOp::Gt)),
        "isgreaterequalf" | "isgreaterequald" => Builtin::Float(Float::Compare(BinOp::Ge)),
        "islessf" | "islessd" => Builtin::Float(Float::Compare(BinOp::Lt)),
        "islessequalf" | "islessequald" => Builtin::Float(Float::Compare(BinOp::Le)),
        "islessgreaterf" | "islessgreaterd" => Builtin::Float(Float::LessGreater),
        "isunorderedf" | "isunorderedd" => Builtin::Float(Float::Unordered),
        _ if name.starts_with("uninterpreted_") || name.starts_with("file_local_") => return None,
        _ => Builtin::Unsupported(DIALECT),
    })
}
