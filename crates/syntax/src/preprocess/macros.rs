//! The macros that a compiler predefines, as far as they say what a machine is like.

use std::process::{Command, Stdio};

use crate::machine_model::Machine;
use crate::machine_model::{FloatKind, IntKind};
use base::ByteOrder;

/// Whether the compiler that a command runs is one for the machine: its own macros say so.
pub(super) fn is_for(mut command: Command, machine: Machine, byte_order: ByteOrder) -> bool {
    command.args(["-E", "-dM", "-x", "c", "-"]).env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(output) = command.output() else { return false };
    let text = String::from_utf8_lossy(&output.stdout);
    let known = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
        lines.find(|(macro_name, _)| *macro_name == name).map(|(_, value)| value.trim().to_owned())
    };
    let sizes = [
        ("__SIZEOF_INT__", machine.int_size(IntKind::Int)),
        ("__SIZEOF_LONG__", machine.int_size(IntKind::Long)),
        ("__SIZEOF_POINTER__", machine.pointer_size()),
        ("__SIZEOF_WCHAR_T__", machine.int_size(machine.wchar_kind())),
    ];
    let order = order_macro(byte_order);
    sizes.into_iter().all(|(name, size)| known(name) == Some(size.to_string()))
        && known("__BYTE_ORDER__").as_deref() == Some(order)
}

/// The macros by which programs and headers know a machine, in place of those of the compiler's own, as arguments.
pub(super) fn machine_macros(machine: Machine, byte_order: ByteOrder) -> Vec<String> {
    let mut macros: Vec<(String, String)> = Vec::new();
    for (name, kind) in integer_types(machine) {
        macros.push((format!("__{name}_TYPE__"), kind.name().to_owned()));
        macros.push((format!("__{name}_MAX__"), largest(machine, kind)));
    }
    let wchar = machine.wchar_kind();
    let least = if wchar.is_signed() { "(-__WCHAR_MAX__ - 1)" } else { "0" };
    macros.push(("__WCHAR_MIN__".into(), least.into()));
    for (name, kind) in [("INT", IntKind::Int), ("LONG", IntKind::Long)] {
        macros.push((format!("__{name}_MAX__"), largest(machine, kind)));
    }
    let widths = [
        ("INT", IntKind::Int),
        ("LONG", IntKind::Long),
        ("SIZE", machine.size_kind()),
        ("PTRDIFF", machine.ptrdiff_kind()),
        ("INTPTR", machine.ptrdiff_kind()),
        ("WCHAR", wchar),
    ];
    macros.extend(widths.map(|(name, kind)| (format!("__{name}_WIDTH__"), machine.int_bits(kind).to_string())));
    let sizes = [
        ("INT", machine.int_size(IntKind::Int)),
        ("LONG", machine.int_size(IntKind::Long)),
        ("POINTER", machine.pointer_size()),
        ("SIZE_T", machine.int_size(machine.size_kind())),
        ("PTRDIFF_T", machine.int_size(machine.ptrdiff_kind())),
        ("WCHAR_T", machine.int_size(wchar)),
        ("LONG_DOUBLE", machine.float_size(FloatKind::LongDouble)),
    ];
    macros.extend(sizes.into_iter().map(|(name, size)| (format!("__SIZEOF_{name}__"), size.to_string())));
    macros.push(("__BYTE_ORDER__".into(), order_macro(byte_order).into()));
    macros.push(("__FLOAT_WORD_ORDER__".into(), order_macro(byte_order).into()));
    let (known, others) = match byte_order {
        ByteOrder::Little => names(machine),
        ByteOrder::Big => big_endian_names(machine),
    };
    macros.extend(known.iter().map(|name| ((*name).to_owned(), "1".to_owned())));
    let undefined = others.iter().map(|name| format!("-U{name}"));
    let defined = macros.into_iter().flat_map(|(name, value)| [format!("-U{name}"), format!("-D{name}={value}")]);
    undefined.chain(defined).collect()
}

/// The value of `__BYTE_ORDER__`.
const fn order_macro(byte_order: ByteOrder) -> &'static str {
    match byte_order {
        ByteOrder::Little => "__ORDER_LITTLE_ENDIAN__",
        ByteOrder::Big => "__ORDER_BIG_ENDIAN__",
    }
}

/// As [`names`], for a big-endian machine, which is none of x86.
const fn big_endian_names(machine: Machine) -> (&'static [&'static str], &'static [&'static str]) {
    match machine {
        Machine::Lp64 => (&["__BIG_ENDIAN__", "__LP64__", "_LP64"], OTHER_PROCESSOR),
        Machine::Ilp32 | Machine::Aligned32 => (&["__BIG_ENDIAN__", "__ILP32__", "_ILP32"], OTHER_PROCESSOR),
        Machine::Llp64 | Machine::Lp32 => (&["__BIG_ENDIAN__"], OTHER_PROCESSOR),
    }
}

/// `wint_t`
const fn wint(machine: Machine) -> IntKind {
    match machine {
        Machine::Ilp32 | Machine::Lp64 | Machine::Aligned32 => IntKind::UInt,
        Machine::Llp64 => IntKind::UShort,
        Machine::Lp32 => IntKind::ULong,
    }
}

/// The names of types that the compiler's macros tell.
fn integer_types(machine: Machine) -> Vec<(&'static str, IntKind)> {
    let of = |size: u64| match (size, machine.kind_of_size(size)) {
        (2, _) => IntKind::Short,
        (_, kind) => kind,
    };
    vec![
        ("SIZE", machine.size_kind()),
        ("PTRDIFF", machine.ptrdiff_kind()),
        ("INTPTR", machine.ptrdiff_kind()),
        ("UINTPTR", machine.size_kind()),
        ("WCHAR", machine.wchar_kind()),
        ("WINT", wint(machine)),
        ("INT16", of(2)),
        ("UINT16", of(2).to_unsigned()),
        ("INT32", of(4)),
        ("UINT32", of(4).to_unsigned()),
        ("INT64", of(8)),
        ("UINT64", of(8).to_unsigned()),
        ("INT_LEAST32", of(4)),
        ("UINT_LEAST32", of(4).to_unsigned()),
        ("INT_LEAST64", of(8)),
        ("UINT_LEAST64", of(8).to_unsigned()),
        ("INT_FAST16", machine.ptrdiff_kind()),
        ("UINT_FAST16", machine.size_kind()),
        ("INT_FAST32", machine.ptrdiff_kind()),
        ("UINT_FAST32", machine.size_kind()),
        ("INT_FAST64", of(8)),
        ("UINT_FAST64", of(8).to_unsigned()),
        ("INTMAX", of(8)),
        ("UINTMAX", of(8).to_unsigned()),
    ]
}

/// The largest number of a type as a constant.
fn largest(machine: Machine, kind: IntKind) -> String {
    let bits = machine.int_bits(kind) - u32::from(kind.is_signed());
    let suffix = match kind {
        IntKind::Long => "L",
        IntKind::ULong => "UL",
        IntKind::LongLong => "LL",
        IntKind::ULongLong => "ULL",
        IntKind::UInt => "U",
        _ => "",
    };
    format!("{}{suffix}", (1u128 << bits) - 1)
}

/// Names of systems with other data models.
#[rustfmt::skip]
const SYSTEM: &[&str] = &[
    "__LP64__", "_LP64", "__ILP32__", "_ILP32", "__i386__", "__i386", "i386", "__linux__", "__linux", "linux", "__gnu_linux__",
    "__unix__", "__unix", "unix", "__ELF__",
];

/// The same, and those of x86.
#[rustfmt::skip]
const OTHER_PROCESSOR: &[&str] = &[
    "__LP64__", "_LP64", "__ILP32__", "_ILP32", "__i386__", "__i386", "i386", "__linux__", "__linux", "linux", "__gnu_linux__",
    "__unix__", "__unix", "unix", "__ELF__", "__x86_64__", "__x86_64", "__amd64__", "__amd64", "__SIZEOF_INT128__", "__SSE__",
    "__SSE2__", "__MMX__",
];

/// Names that are defined on the machine, and names of other machines. A data model is no operating system: `_WIN64` and its like are the
/// user's to define.
const fn names(machine: Machine) -> (&'static [&'static str], &'static [&'static str]) {
    match machine {
        Machine::Ilp32 | Machine::Aligned32 => (
            &["__ILP32__", "_ILP32", "__i386__", "__i386", "i386"],
            &["__LP64__", "_LP64", "__x86_64__", "__x86_64", "__amd64__", "__amd64", "__SIZEOF_INT128__"],
        ),
        Machine::Lp64 => (&["__LP64__", "_LP64"], &["__ILP32__", "_ILP32", "__i386__", "__i386", "i386"]),
        Machine::Llp64 => (&[], SYSTEM),
        Machine::Lp32 => (&[], OTHER_PROCESSOR),
    }
}
