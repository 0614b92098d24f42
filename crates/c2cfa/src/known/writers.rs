//! Library functions that write through pointers: where, and how much.

/// A function of C's library that writes through a pointer; what it writes is arbitrary.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Writer {
    pub name: &'static str,
    /// Which argument points to what is written.
    pub dst: u8,
    pub len: Len,
    pub null: Null,
    pub result: Returned,
}

/// Number of bytes that are written at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Len {
    /// An argument.
    Arg(u8),
    /// The product of two arguments.
    Product(u8, u8),
    Bytes(u8),
    /// So many `long`s or pointers.
    Words(u8),
    /// Size of what the argument's type points to.
    Pointee,
    /// Not told: up to the end of the object.
    Object,
}

/// Whether the pointer may be null, so that nothing is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Null {
    Allowed,
    Forbidden,
}

/// What a writer returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returned {
    Anything,
    /// Its destination or null.
    DestinationOrNull,
}

const fn writer(name: &'static str, dst: u8, len: Len, null: Null) -> Writer {
    Writer { name, dst, len, null, result: Returned::Anything }
}

const WRITERS: &[Writer] = &[
    Writer { name: "fgets", dst: 0, len: Len::Arg(1), null: Null::Forbidden, result: Returned::DestinationOrNull },
    Writer { name: "gets", dst: 0, len: Len::Object, null: Null::Forbidden, result: Returned::DestinationOrNull },
    Writer { name: "getcwd", dst: 0, len: Len::Arg(1), null: Null::Allowed, result: Returned::Anything },
    writer("read", 1, Len::Arg(2), Null::Forbidden),
    writer("pread", 1, Len::Arg(2), Null::Forbidden),
    writer("recv", 1, Len::Arg(2), Null::Forbidden),
    writer("fread", 0, Len::Product(1, 2), Null::Forbidden),
    writer("fread_unlocked", 0, Len::Product(1, 2), Null::Forbidden),
    writer("sprintf", 0, Len::Object, Null::Forbidden),
    writer("vsprintf", 0, Len::Object, Null::Forbidden),
    writer("__sprintf_chk", 0, Len::Object, Null::Forbidden),
    writer("snprintf", 0, Len::Arg(1), Null::Allowed),
    writer("vsnprintf", 0, Len::Arg(1), Null::Allowed),
    writer("__snprintf_chk", 0, Len::Arg(1), Null::Allowed),
    writer("strftime", 0, Len::Arg(1), Null::Forbidden),
    writer("strlcpy", 0, Len::Arg(2), Null::Forbidden),
    writer("strlcat", 0, Len::Arg(2), Null::Forbidden),
    writer("gethostname", 0, Len::Arg(1), Null::Forbidden),
    writer("getrandom", 0, Len::Arg(1), Null::Forbidden),
    writer("getentropy", 0, Len::Arg(1), Null::Forbidden),
    writer("readlink", 1, Len::Arg(2), Null::Forbidden),
    writer("time", 0, Len::Words(1), Null::Allowed),
    writer("gettimeofday", 0, Len::Words(2), Null::Allowed),
    writer("clock_gettime", 1, Len::Words(2), Null::Allowed),
    writer("strtol", 1, Len::Words(1), Null::Allowed),
    writer("strtoul", 1, Len::Words(1), Null::Allowed),
    writer("strtoll", 1, Len::Words(1), Null::Allowed),
    writer("strtoull", 1, Len::Words(1), Null::Allowed),
    writer("strtod", 1, Len::Words(1), Null::Allowed),
    writer("strtof", 1, Len::Words(1), Null::Allowed),
    writer("strtold", 1, Len::Words(1), Null::Allowed),
    writer("frexp", 1, Len::Bytes(4), Null::Forbidden),
    writer("frexpf", 1, Len::Bytes(4), Null::Forbidden),
    writer("modf", 1, Len::Bytes(8), Null::Forbidden),
    writer("modff", 1, Len::Bytes(4), Null::Forbidden),
    writer("remquo", 2, Len::Bytes(4), Null::Forbidden),
    writer("wait", 0, Len::Bytes(4), Null::Allowed),
    writer("waitpid", 1, Len::Bytes(4), Null::Allowed),
    writer("pipe", 0, Len::Bytes(8), Null::Forbidden),
    writer("stat", 1, Len::Pointee, Null::Forbidden),
    writer("lstat", 1, Len::Pointee, Null::Forbidden),
    writer("fstat", 1, Len::Pointee, Null::Forbidden),
    writer("mktime", 0, Len::Pointee, Null::Forbidden),
    writer("localtime_r", 1, Len::Pointee, Null::Forbidden),
    writer("gmtime_r", 1, Len::Pointee, Null::Forbidden),
];

/// The writer with this name.
pub(super) fn named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|w| w.name == name)
}
