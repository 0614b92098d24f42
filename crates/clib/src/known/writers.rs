//! Library functions that write through pointers: where, and how much.

/// Functions of C's library that write through a pointer; what they write is arbitrary.
#[derive(PartialEq, Eq, Debug)]
pub struct Writer {
    /// The functions that do the same.
    pub names: &'static str,
    /// Which argument points to what is written.
    pub dst: u8,
    pub len: Len,
    /// Whether as much is written on some inputs; otherwise the length only limits what is.
    pub fills: bool,
    pub null: Null,
    pub result: Returned,
}

/// Number of bytes that are written at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Len {
    /// An argument.
    Arg(u8),
    /// The product of two arguments.
    Product(u8, u8),
    /// So many bytes.
    Bytes(u8),
    /// So many `int`s.
    Ints(u8),
    /// Size of what the argument's type points to.
    Pointee,
    /// Not told: up to the end of the object.
    Object,
}

/// Whether the pointer may be null, so that nothing is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Null {
    Allowed,
    Forbidden,
}

/// What a writer returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    Anything,
    /// What it wrote, if it did.
    Content,
    /// Its destination or null.
    DestinationOrNull,
    /// Its destination, where a text is then, or null.
    TextOrNull,
    /// 0 if it wrote a text.
    ZeroIfText,
    /// The length of the text that it wrote, or 0.
    LengthOrZero,
}

const fn writer(names: &'static str, dst: u8, len: Len, null: Null) -> Writer {
    Writer { names, dst, len, fills: true, null, result: Returned::Anything }
}

/// A writer that may write less than the length on all inputs.
const fn limited(names: &'static str, dst: u8, len: Len, null: Null) -> Writer {
    Writer { fills: false, ..writer(names, dst, len, null) }
}

impl Writer {
    const fn returns(self, result: Returned) -> Self {
        Self { result, ..self }
    }
}

/// What makes room for what `getcwd` gives where it is given none.
pub const ROOM_MAKER: &str = "get_current_dir_name";

const WRITERS: &[Writer] = &[
    writer("fgets", 0, Len::Arg(1), Null::Forbidden).returns(Returned::TextOrNull),
    limited("gets", 0, Len::Object, Null::Forbidden).returns(Returned::TextOrNull),
    limited("getcwd", 0, Len::Arg(1), Null::Allowed).returns(Returned::TextOrNull),
    writer("ctime_r asctime_r", 1, Len::Bytes(26), Null::Forbidden).returns(Returned::TextOrNull),
    writer("__VERIFIER_nondet_memory getrandom getentropy", 0, Len::Arg(1), Null::Forbidden),
    writer("read pread recv", 1, Len::Arg(2), Null::Forbidden),
    writer("fread fread_unlocked", 0, Len::Product(1, 2), Null::Forbidden),
    limited("strftime", 0, Len::Arg(1), Null::Forbidden).returns(Returned::LengthOrZero),
    limited("gethostname", 0, Len::Arg(1), Null::Forbidden).returns(Returned::ZeroIfText),
    limited("inet_ntop", 2, Len::Arg(3), Null::Forbidden).returns(Returned::TextOrNull),
    limited("readlink", 1, Len::Arg(2), Null::Forbidden),
    writer("time", 0, Len::Pointee, Null::Allowed).returns(Returned::Content),
    writer("gettimeofday", 0, Len::Pointee, Null::Allowed),
    writer("clock_gettime strtold", 1, Len::Pointee, Null::Allowed),
    writer("wait", 0, Len::Ints(1), Null::Allowed),
    writer("waitpid", 1, Len::Ints(1), Null::Allowed),
    writer("pipe", 0, Len::Ints(2), Null::Forbidden),
    writer("stat lstat fstat", 1, Len::Pointee, Null::Forbidden),
    writer("mktime", 0, Len::Pointee, Null::Forbidden),
    writer("localtime_r gmtime_r", 1, Len::Pointee, Null::Forbidden).returns(Returned::DestinationOrNull),
];

/// The writer with this name.
pub fn named(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|w| cfa::library::is_among(w.names, name))
}
