//! Functions that lowering knows, by their names.

pub mod cprover;
pub mod threads;
pub mod writers;

use cfa::BinOp;
use cprover::Cprover;
use threads::{THREAD, ThreadOperation};
use writers::{Len, Writer};

/// A known function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Called, then the program ends.
    Halt,
    /// Called, then what is to run at the end, and the program ends.
    Exit,
    /// The program ends.
    Trap,
    Unreachable,
    /// Fails if the argument is zero.
    Assert,
    /// The path ends if the argument is zero.
    Assume,
    /// Evaluates its arguments.
    Nothing,
    /// Any value of its type.
    Any,
    /// What the library's texts do with objects of their own.
    Object(ObjectOperation),
    /// The first argument.
    Expect,
    /// A constant; arguments are not evaluated.
    Constant(i128),
    /// `__builtin_object_size`
    ObjectSize,
    /// Not modelled.
    Unsupported(&'static str),
    /// Not modelled, unless the handler is `SIG_DFL` or `SIG_IGN`.
    Signal,
    Malloc(u32),
    AlignedAlloc,
    SetJump,
    Jump,
    Calloc,
    Realloc,
    Free,
    Alloca,
    /// `memcpy`, `memmove`; the library function for lengths that are not constant.
    MemCopy(&'static str),
    MemSet(&'static str),
    /// Absolute value of an integer.
    /// Its overflow is one of the program where compilers take the function for an operation of theirs.
    Abs(IntName, Operation),
    Bits(BitOperation, IntName),
    Overflow {
        op: BinOp,
        /// `None`: of the arguments' own types.
        operands: Option<(IntName, Sign)>,
        /// Whether the third argument says where the result is stored, or only its type.
        store: bool,
    },
    /// A sum or difference with a carry.
    Carry {
        op: BinOp,
        width: IntName,
    },
    Sync(Sync),
    Atomic(Atomic),
    Float(Float),
    VaStart,
    VaCopy,
    VaEnd,
    /// A function of the library that writes through a pointer.
    Writer(&'static Writer),
    /// Which argument is the format.
    Scanf {
        format: u8,
    },
    /// A name of CBMC's dialect.
    Cprover(Cprover),
    Thread(ThreadOperation),
}

/// What the texts of the library do with objects that are no blocks of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectOperation {
    New,
    /// Checks that the object may end.
    Check,
    End,
    /// Whether the object is outside of the program.
    IsOutside,
}

/// An integer type by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntName {
    Int,
    Long,
    LongLong,
    Fixed(u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Signed,
    Unsigned,
}

/// Whose operation a function of C's library is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// That of compilers, which know it without a declaration.
    OfCompiler,
    /// That of the library alone.
    OfLibrary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOperation {
    Swap,
    /// `htonl` and its like.
    NetworkOrder,
    Clz,
    Ctz,
    Clrsb,
    Ffs,
    Popcount,
    Parity,
}

/// A read-modify-write operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modify {
    Op(BinOp),
    Nand,
}

/// Which value a read-modify-write operation returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fetch {
    Old,
    New,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sync {
    Modify(Modify, Fetch),
    BoolCas,
    ValCas,
    TestAndSet,
    Release,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    Modify(Modify, Fetch),
    LoadN,
    StoreN,
    ExchangeN,
    CompareExchangeN,
    Load,
    Store,
    Exchange,
    CompareExchange,
    TestAndSet,
    Clear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Float {
    Abs,
    IsNan,
    IsInf,
    /// -1, 0 or 1.
    IsInfSign,
    IsFinite,
    IsNormal,
    /// Five numbers for NaNs, infinities, normal and subnormal numbers and zeros come before the float.
    Classify,
    SignBit,
    Compare(BinOp),
    LessGreater,
    Unordered,
    Infinity,
    Nan,
}

/// The construct that stands for library functions with effects that can't be told from their arguments.
pub const LIBRARY: &str = "library function";

impl Builtin {
    /// Whether it has no side effects and is always defined.
    pub fn is_pure(self) -> bool {
        match self {
            Builtin::Expect | Builtin::Constant(_) | Builtin::ObjectSize | Builtin::Abs(..) => true,
            Builtin::Cprover(Cprover::Accessible(_)) => true,
            Builtin::Bits(op, _) => !matches!(op, BitOperation::Clz | BitOperation::Ctz),
            Builtin::Float(function) => function != Float::SignBit,
            _ => false,
        }
    }

    /// With fewer arguments it is an unknown function.
    pub fn least_arguments(self) -> usize {
        match self {
            Builtin::Assert
            | Builtin::Assume
            | Builtin::Expect
            | Builtin::Free
            | Builtin::Object(_)
            | Builtin::Alloca
            | Builtin::Abs(..)
            | Builtin::Bits(..) => 1,
            Builtin::Calloc | Builtin::Realloc | Builtin::VaCopy | Builtin::Signal | Builtin::ObjectSize => 2,
            Builtin::AlignedAlloc | Builtin::Jump => 2,
            Builtin::Malloc(_) | Builtin::SetJump | Builtin::VaStart | Builtin::VaEnd => 1,
            Builtin::MemCopy(_) | Builtin::MemSet(_) | Builtin::Overflow { .. } => 3,
            Builtin::Carry { .. } => 4,
            Builtin::Sync(Sync::Release) => 1,
            Builtin::Sync(Sync::BoolCas | Sync::ValCas) => 3,
            Builtin::Sync(_) => 2,
            Builtin::Atomic(op) => match op {
                Atomic::LoadN | Atomic::TestAndSet | Atomic::Clear => 1,
                Atomic::Modify(..) | Atomic::StoreN | Atomic::ExchangeN | Atomic::Load | Atomic::Store => 2,
                Atomic::CompareExchangeN | Atomic::CompareExchange | Atomic::Exchange => 3,
            },
            Builtin::Float(function) => match function {
                Float::Infinity | Float::Nan => 0,
                Float::Compare(_) | Float::LessGreater | Float::Unordered => 2,
                Float::Classify => 6,
                _ => 1,
            },
            Builtin::Writer(writer) => {
                let len = match writer.len {
                    Len::Arg(i) => i,
                    Len::Product(i, j) => i.max(j),
                    Len::Bytes(_) | Len::Ints(_) | Len::Pointee | Len::Object => 0,
                };
                usize::from(writer.dst.max(len)) + 1
            }
            Builtin::Scanf { format } => usize::from(format) + 1,
            Builtin::Cprover(name) => name.least_arguments(),
            Builtin::Thread(operation) => operation.least_arguments(),
            Builtin::Halt
            | Builtin::Exit
            | Builtin::Trap
            | Builtin::Unreachable
            | Builtin::Nothing
            | Builtin::Any
            | Builtin::Constant(_)
            | Builtin::Unsupported(_) => 0,
        }
    }
}

/// The builtin with this name.
pub fn lookup(name: &str) -> Option<Builtin> {
    if let Some(rest) = name.strip_prefix("__builtin_") {
        return gnu(rest).or_else(|| library(rest)).or_else(|| library(rest.strip_prefix('_')?));
    }
    if let Some(rest) = name.strip_prefix("__sync_") {
        return sync(strip_size(rest));
    }
    if let Some(rest) = name.strip_prefix("__atomic_") {
        return atomic(strip_size(rest));
    }
    if let Some(rest) = name.strip_prefix("__CPROVER_") {
        return cprover::named(rest);
    }
    library(name)
}

/// `fetch_and_add_4` is `fetch_and_add`.
fn strip_size(name: &str) -> &str {
    ["_1", "_2", "_4", "_8", "_16"].iter().find_map(|size| name.strip_suffix(size)).unwrap_or(name)
}

fn library(name: &str) -> Option<Builtin> {
    Some(match name {
        "exit" => Builtin::Exit,
        "abort"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__assert_func"
        | "__VERIFIER_error" => Builtin::Halt,
        "assert" | "__VERIFIER_assert" | "__ESBMC_assert" => Builtin::Assert,
        "__VERIFIER_assume" | "assume_abort_if_not" | "__ESBMC_assume" => Builtin::Assume,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Builtin::Nothing,
        "malloc" | "__hone_malloc" => Builtin::Malloc(cfa::layout::ALLOCATED),
        "valloc" => Builtin::Malloc(4096),
        "aligned_alloc" | "memalign" | "__hone_aligned_alloc" => Builtin::AlignedAlloc,
        "calloc" => Builtin::Calloc,
        "realloc" | "__hone_realloc" => Builtin::Realloc,
        "free" | "cfree" => Builtin::Free,
        "alloca" => Builtin::Alloca,
        "memcpy" | "__memcpy" | "__memcpy_chk" => Builtin::MemCopy("memcpy"),
        "memmove" | "__memmove" | "__memmove_chk" => Builtin::MemCopy("memmove"),
        "memset" | "__memset" | "__memset_chk" => Builtin::MemSet("memset"),
        "htonl" | "ntohl" => Builtin::Bits(BitOperation::NetworkOrder, IntName::Fixed(32)),
        "htons" | "ntohs" => Builtin::Bits(BitOperation::NetworkOrder, IntName::Fixed(16)),
        "abs" => Builtin::Abs(IntName::Int, Operation::OfCompiler),
        "labs" => Builtin::Abs(IntName::Long, Operation::OfCompiler),
        "llabs" => Builtin::Abs(IntName::LongLong, Operation::OfCompiler),
        "imaxabs" => Builtin::Abs(IntName::LongLong, Operation::OfLibrary),
        "fabs" | "fabsf" | "fabsl" => Builtin::Float(Float::Abs),
        "isnan" | "isnanf" | "isnanl" | "__isnan" | "__isnanf" | "__isnanl" => Builtin::Float(Float::IsNan),
        "isinf" | "isinff" | "isinfl" | "__isinf" | "__isinff" | "__isinfl" => Builtin::Float(Float::IsInfSign),
        "finite" | "finitef" | "finitel" | "__finite" | "__finitef" | "__finitel" | "isfinite" => {
            Builtin::Float(Float::IsFinite)
        }
        "signbit" | "__signbit" | "__signbitf" | "__signbitl" => Builtin::Float(Float::SignBit),
        "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" => Builtin::SetJump,
        "longjmp" | "_longjmp" | "siglongjmp" => Builtin::Jump,
        "fork" | "vfork" | "clone" => Builtin::Unsupported("fork"),
        "thrd_create" => Builtin::Unsupported(THREAD),
        "signal" | "bsd_signal" | "sigaction" => Builtin::Signal,
        "on_exit" | "at_quick_exit" => Builtin::Unsupported("exit handler"),
        "recvfrom" | "realpath" => Builtin::Unsupported(LIBRARY),
        "__hone__unsupported" => Builtin::Unsupported("conversion of a library function"),
        "__hone__new_object" => Builtin::Object(ObjectOperation::New),
        "__hone__check_free" => Builtin::Object(ObjectOperation::Check),
        "__hone__end_object" => Builtin::Object(ObjectOperation::End),
        "__hone__is_outside" => Builtin::Object(ObjectOperation::IsOutside),
        "__hone__require" => Builtin::Assume,
        "__hone__any_int" | "__hone__any_size" | "__hone__any_double" => Builtin::Any,
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Builtin::Scanf { format: 0 },
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" | "__isoc23_sscanf" => Builtin::Scanf { format: 1 },
        "vscanf" | "vfscanf" => Builtin::Unsupported(LIBRARY),
        _ => return threads::named(name).map(Builtin::Thread).or_else(|| writers::named(name).map(Builtin::Writer)),
    })
}

/// Names behind `__builtin_`.
fn gnu(name: &str) -> Option<Builtin> {
    let bits = |stem: &str, op: BitOperation| {
        let width = match name.strip_prefix(stem)? {
            "" => IntName::Int,
            "l" => IntName::Long,
            "ll" => IntName::LongLong,
            _ => return None,
        };
        Some(Builtin::Bits(op, width))
    };
    Some(match name {
        "expect" | "expect_with_probability" | "assume_aligned" | "speculation_safe_value" => Builtin::Expect,
        "unreachable" => Builtin::Unreachable,
        "trap" => Builtin::Trap,
        "assume" => Builtin::Assume,
        "constant_p" => Builtin::Constant(0),
        "object_size" | "dynamic_object_size" => Builtin::ObjectSize,
        "prefetch" | "stack_restore" | "__clear_cache" => Builtin::Nothing,
        "stack_save" => Builtin::Constant(0),
        "alloca_with_align" => Builtin::Alloca,
        "va_start" | "c23_va_start" => Builtin::VaStart,
        "va_copy" => Builtin::VaCopy,
        "va_end" => Builtin::VaEnd,
        "bswap16" => Builtin::Bits(BitOperation::Swap, IntName::Fixed(16)),
        "bswap32" => Builtin::Bits(BitOperation::Swap, IntName::Fixed(32)),
        "bswap64" => Builtin::Bits(BitOperation::Swap, IntName::Fixed(64)),
        "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => Builtin::Float(Float::Infinity),
        "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" => Builtin::Float(Float::Nan),
        "isinf" | "isinff" | "isinfl" => Builtin::Float(Float::IsInf),
        "isnormal" => Builtin::Float(Float::IsNormal),
        "fpclassify" => Builtin::Float(Float::Classify),
        "isinf_sign" => Builtin::Float(Float::IsInfSign),
        "signbitf" | "signbitl" => Builtin::Float(Float::SignBit),
        "isgreater" => Builtin::Float(Float::Compare(BinOp::Gt)),
        "isgreaterequal" => Builtin::Float(Float::Compare(BinOp::Ge)),
        "isless" => Builtin::Float(Float::Compare(BinOp::Lt)),
        "islessequal" => Builtin::Float(Float::Compare(BinOp::Le)),
        "islessgreater" => Builtin::Float(Float::LessGreater),
        "isunordered" => Builtin::Float(Float::Unordered),
        "setjmp" => Builtin::SetJump,
        "longjmp" => Builtin::Jump,
        "apply" | "apply_args" | "return" | "va_arg_pack" | "va_arg_pack_len" | "nonlocal_goto" => {
            Builtin::Unsupported("builtin")
        }
        _ => {
            return bits("clz", BitOperation::Clz)
                .or_else(|| bits("ctz", BitOperation::Ctz))
                .or_else(|| bits("clrsb", BitOperation::Clrsb))
                .or_else(|| bits("ffs", BitOperation::Ffs))
                .or_else(|| bits("popcount", BitOperation::Popcount))
                .or_else(|| bits("parity", BitOperation::Parity))
                .or_else(|| overflow(name))
                .or_else(|| carry(name));
        }
    })
}

/// `addc`, `subcl`, …
fn carry(name: &str) -> Option<Builtin> {
    let (op, rest) = match (name.strip_prefix("addc"), name.strip_prefix("subc")) {
        (Some(rest), _) => (BinOp::Add, rest),
        (_, Some(rest)) => (BinOp::Sub, rest),
        _ => return None,
    };
    let width = match rest {
        "b" => IntName::Fixed(8),
        "s" => IntName::Fixed(16),
        "" => IntName::Int,
        "l" => IntName::Long,
        "ll" => IntName::LongLong,
        _ => return None,
    };
    Some(Builtin::Carry { op, width })
}

/// `add_overflow`, `smull_overflow`, `sub_overflow_p`, …
fn overflow(name: &str) -> Option<Builtin> {
    let (name, store) = match name.strip_suffix("_p") {
        Some(rest) => (rest, false),
        None => (name, true),
    };
    let name = name.strip_suffix("_overflow")?;
    let op_of = |name: &str| match name {
        "add" => Some(BinOp::Add),
        "sub" => Some(BinOp::Sub),
        "mul" => Some(BinOp::Mul),
        _ => None,
    };
    if let Some(op) = op_of(name) {
        return Some(Builtin::Overflow { op, operands: None, store });
    }
    let sign = if name.starts_with('s') { Sign::Signed } else { Sign::Unsigned };
    let rest = name.strip_prefix(['s', 'u'])?;
    let op = op_of(rest.get(..3)?)?;
    let width = match &rest[3..] {
        "" => IntName::Int,
        "l" => IntName::Long,
        "ll" => IntName::LongLong,
        _ => return None,
    };
    Some(Builtin::Overflow { op, operands: Some((width, sign)), store })
}

fn modify(name: &str) -> Option<Modify> {
    Some(match name {
        "add" => Modify::Op(BinOp::Add),
        "sub" => Modify::Op(BinOp::Sub),
        "or" => Modify::Op(BinOp::BitOr),
        "and" => Modify::Op(BinOp::BitAnd),
        "xor" => Modify::Op(BinOp::BitXor),
        "nand" => Modify::Nand,
        _ => return None,
    })
}

/// Names behind `__sync_`.
fn sync(name: &str) -> Option<Builtin> {
    if let Some(op) = name.strip_prefix("fetch_and_").and_then(modify) {
        return Some(Builtin::Sync(Sync::Modify(op, Fetch::Old)));
    }
    if let Some(op) = name.strip_suffix("_and_fetch").and_then(modify) {
        return Some(Builtin::Sync(Sync::Modify(op, Fetch::New)));
    }
    Some(Builtin::Sync(match name {
        "bool_compare_and_swap" => Sync::BoolCas,
        "val_compare_and_swap" => Sync::ValCas,
        "lock_test_and_set" => Sync::TestAndSet,
        "lock_release" => Sync::Release,
        "synchronize" => return Some(Builtin::Nothing),
        _ => return None,
    }))
}

/// Names behind `__atomic_`.
fn atomic(name: &str) -> Option<Builtin> {
    if let Some(op) = name.strip_prefix("fetch_").and_then(modify) {
        return Some(Builtin::Atomic(Atomic::Modify(op, Fetch::Old)));
    }
    if let Some(op) = name.strip_suffix("_fetch").and_then(modify) {
        return Some(Builtin::Atomic(Atomic::Modify(op, Fetch::New)));
    }
    Some(Builtin::Atomic(match name {
        "load_n" => Atomic::LoadN,
        "store_n" => Atomic::StoreN,
        "exchange_n" => Atomic::ExchangeN,
        "compare_exchange_n" => Atomic::CompareExchangeN,
        "load" => Atomic::Load,
        "store" => Atomic::Store,
        "exchange" => Atomic::Exchange,
        "compare_exchange" => Atomic::CompareExchange,
        "test_and_set" => Atomic::TestAndSet,
        "clear" => Atomic::Clear,
        "thread_fence" | "signal_fence" => return Some(Builtin::Nothing),
        "always_lock_free" | "is_lock_free" => return Some(Builtin::Constant(1)),
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<Builtin>) {
        assert_eq!(lookup(name), expected, "{name}");
    }

    #[test]
    fn names() {
        check("abort", Some(Builtin::Halt));
        check("__builtin_abort", Some(Builtin::Halt));
        check("expect", None);
        check("__builtin_expect", Some(Builtin::Expect));
        check("__builtin___memcpy_chk", Some(Builtin::MemCopy("memcpy")));
        check("__builtin_clzll", Some(Builtin::Bits(BitOperation::Clz, IntName::LongLong)));
        check("__sync_fetch_and_add_4", Some(Builtin::Sync(Sync::Modify(Modify::Op(BinOp::Add), Fetch::Old))));
        check("__atomic_nand_fetch", Some(Builtin::Atomic(Atomic::Modify(Modify::Nand, Fetch::New))));
        let operands = Some((IntName::Long, Sign::Signed));
        check("__builtin_smull_overflow", Some(Builtin::Overflow { op: BinOp::Mul, operands, store: true }));
        check("__builtin_sub_overflow_p", Some(Builtin::Overflow { op: BinOp::Sub, operands: None, store: false }));
        check("__builtin_subcll", Some(Builtin::Carry { op: BinOp::Sub, width: IntName::LongLong }));
        check("__builtin_addco", None);
        check("strcpy", None);
        assert!(matches!(lookup("fgets"), Some(Builtin::Writer(_))));
    }
}
