//! Prototypes of functions that GCC knows without a declaration.
//!
//! A signature is the result followed by the parameters, one letter each (see [`Sema::letter_type`]), `*` for a
//! pointer to
//! what stands before it, `.` for variadic.

use super::scope::Binding;
use super::{Sema, cprover, header};
use crate::typed::{Function, FunctionId};
use crate::types::{FunctionType, Type, TypeId};
use base::Span;
use syntax::ast::Symbol;
use syntax::machine_model::{FloatKind, IntKind};

/// Library functions, also as `__builtin_NAME`.
#[rustfmt::skip]
const LIBRARY: &[(&str, &str)] = &[
    ("_exit", "vi"), ("_Exit", "vi"), ("abort", "v"), ("abs", "ii"), ("alloca", "Pz"), ("bcmp", "iPPz"),
    ("bcopy", "vPPz"), ("bzero", "vPz"), ("calloc", "Pzz"), ("exit", "vi"), ("ffs", "ii"), ("ffsl", "il"),
    ("ffsll", "ix"), ("fprintf", "iPS."), ("fputc", "iiP"), ("fputs", "iSP"), ("free", "vP"), ("fscanf", "iPS."),
    ("fwrite", "zPzzP"), ("imaxabs", "xx"), ("index", "SSi"), ("isalnum", "ii"), ("isalpha", "ii"), ("isascii", "ii"),
    ("isblank", "ii"), ("iscntrl", "ii"), ("isdigit", "ii"), ("isgraph", "ii"), ("islower", "ii"), ("isprint", "ii"),
    ("ispunct", "ii"), ("isspace", "ii"), ("isupper", "ii"), ("isxdigit", "ii"), ("labs", "ll"), ("llabs", "xx"),
    ("malloc", "Pz"), ("memchr", "PPiz"), ("memcmp", "iPPz"), ("memcpy", "PPPz"), ("memmove", "PPPz"),
    ("mempcpy", "PPPz"), ("memset", "PPiz"), ("printf", "iS."), ("putchar", "ii"), ("puts", "iS"),
    ("realloc", "PPz"), ("rindex", "SSi"), ("scanf", "iS."), ("snprintf", "iSzS."), ("sprintf", "iSS."),
    ("sscanf", "iSS."), ("stpcpy", "SSS"), ("stpncpy", "SSSz"), ("strcasecmp", "iSS"), ("strcat", "SSS"),
    ("strchr", "SSi"), ("strcmp", "iSS"), ("strcpy", "SSS"), ("strcspn", "zSS"), ("strdup", "SS"), ("strlen", "zS"),
    ("strncasecmp", "iSSz"), ("strncat", "SSSz"), ("strncmp", "iSSz"), ("strncpy", "SSSz"), ("strndup", "SSz"),
    ("strnlen", "zSz"), ("strpbrk", "SSS"), ("strrchr", "SSi"), ("strspn", "zSS"), ("strstr", "SSS"),
    ("toascii", "ii"), ("tolower", "ii"), ("toupper", "ii"), ("vfprintf", "iPSV"), ("vfscanf", "iPSV"),
    ("vprintf", "iSV"), ("vscanf", "iSV"), ("vsnprintf", "iSzSV"), ("vsprintf", "iSSV"), ("vsscanf", "iSSV"),
];

/// What exists as `__builtin_NAME` only.
#[rustfmt::skip]
const BUILTIN: &[(&str, &str)] = &[
    ("__clear_cache", "vPP"), ("addc", "uuuuu*"), ("addcb", "BBBBB*"), ("addcl", "kkkkk*"), ("addcll", "XXXXX*"),
    ("addcs", "HHHHH*"), ("subc", "uuuuu*"), ("subcb", "BBBBB*"), ("subcl", "kkkkk*"), ("subcll", "XXXXX*"),
    ("subcs", "HHHHH*"), ("alloca_with_align", "Pzz"), ("alloca_with_align_and_max", "Pzzz"),
    ("assume_aligned", "PPz."), ("bswap128", "OO"), ("bswap16", "HH"), ("bswap32", "UU"), ("bswap64", "qq"),
    ("clrsb", "ii"), ("clrsbl", "il"), ("clrsbll", "ix"), ("clz", "iu"), ("clzl", "ik"), ("clzll", "iX"),
    ("cpu_init", "i"), ("cpu_is", "iS"), ("cpu_supports", "iS"), ("ctz", "iu"), ("ctzl", "ik"), ("ctzll", "iX"),
    ("dynamic_object_size", "zPi"), ("expect", "lll"), ("expect_with_probability", "llld"),
    ("extract_return_addr", "PP"), ("fprintf_chk", "iPiS."), ("frame_address", "Pu"), ("frob_return_addr", "PP"),
    ("huge_val", "d"), ("huge_valf", "f"), ("huge_vall", "D"), ("ia32_lfence", "v"), ("ia32_mfence", "v"),
    ("ia32_pause", "v"), ("ia32_rdtsc", "q"), ("ia32_sfence", "v"), ("inf", "d"), ("inff", "f"), ("infl", "D"),
    ("longjmp", "vPi"), ("memcpy_chk", "PPPzz"), ("memmove_chk", "PPPzz"), ("mempcpy_chk", "PPPzz"),
    ("memset_chk", "PPizz"), ("nan", "dS"), ("nanf", "fS"), ("nanl", "DS"), ("nans", "dS"), ("nansf", "fS"),
    ("nansl", "DS"), ("object_size", "zPi"), ("parity", "iu"), ("parityl", "ik"), ("parityll", "iX"),
    ("popcount", "iu"), ("popcountl", "ik"), ("popcountll", "iX"), ("powi", "ddi"), ("powif", "ffi"),
    ("powil", "DDi"), ("prefetch", "vP."), ("printf_chk", "iiS."), ("return_address", "Pu"), ("setjmp", "iP"),
    ("signbitf", "if"), ("signbitl", "iD"), ("snprintf_chk", "iSzizS."), ("sprintf_chk", "iSizS."),
    ("stack_restore", "vP"), ("stack_save", "P"), ("stpcpy_chk", "SSSz"), ("stpncpy_chk", "SSSzz"),
    ("strcat_chk", "SSSz"), ("strcpy_chk", "SSSz"), ("strncat_chk", "SSSzz"), ("strncpy_chk", "SSSzz"),
    ("thread_pointer", "P"), ("trap", "v"), ("unreachable", "v"), ("vfprintf_chk", "iPiSV"), ("vprintf_chk", "iiSV"),
    ("vsnprintf_chk", "iSzizSV"), ("vsprintf_chk", "iSizSV"),
];

/// Mathematical functions on `double`; those with the suffixes `f` and `l` are derived.
#[rustfmt::skip]
const MATH: &[(&str, &str)] = &[
    ("acos", "dd"), ("acosh", "dd"), ("asin", "dd"), ("asinh", "dd"), ("atan", "dd"), ("atan2", "ddd"), ("atanh", "dd"),
    ("cbrt", "dd"), ("ceil", "dd"), ("copysign", "ddd"), ("cos", "dd"), ("cosh", "dd"), ("drem", "ddd"), ("erf", "dd"),
    ("erfc", "dd"), ("exp", "dd"), ("exp10", "dd"), ("exp2", "dd"), ("expm1", "dd"), ("fabs", "dd"), ("fdim", "ddd"),
    ("floor", "dd"), ("fma", "dddd"), ("fmax", "ddd"), ("fmin", "ddd"), ("fmod", "ddd"), ("frexp", "ddi*"),
    ("gamma", "dd"), ("hypot", "ddd"), ("ilogb", "id"), ("j0", "dd"), ("j1", "dd"), ("jn", "did"), ("ldexp", "ddi"), ("lgamma", "dd"),
    ("llrint", "xd"), ("llround", "xd"), ("log", "dd"), ("log10", "dd"), ("log1p", "dd"), ("log2", "dd"), ("logb", "dd"),
    ("lrint", "ld"), ("lround", "ld"), ("modf", "ddd*"), ("nearbyint", "dd"), ("nextafter", "ddd"), ("nexttoward", "ddD"), ("pow", "ddd"),
    ("remainder", "ddd"), ("remquo", "dddi*"), ("rint", "dd"), ("round", "dd"), ("roundeven", "dd"), ("scalb", "ddd"),
    ("scalbln", "ddl"), ("scalbn", "ddi"), ("sin", "dd"), ("sinh", "dd"), ("sqrt", "dd"), ("tan", "dd"), ("tanh", "dd"),
    ("tgamma", "dd"), ("trunc", "dd"), ("y0", "dd"), ("y1", "dd"), ("yn", "did"),
];

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(n, _)| *n == name).map(|(_, signature)| *signature)
}

/// Signature of a library function that GCC knows.
fn library_signature(name: &str) -> Option<String> {
    if let Some(signature) = find(LIBRARY, name).or_else(|| find(MATH, name)) {
        return Some(signature.to_string());
    }
    let (base, float) = match name.strip_suffix('f') {
        Some(base) => (base, "f"),
        None => (name.strip_suffix('l')?, "D"),
    };
    find(MATH, base).map(|signature| signature.replace('d', float))
}

/// Signature of `__builtin_NAME`.
fn builtin_signature(name: &str) -> Option<String> {
    if let Some(signature) = find(BUILTIN, name) {
        return Some(signature.to_string());
    }
    overflow_signature(name).or_else(|| library_signature(name))
}

/// `sadd_overflow`, `umulll_overflow` and so on.
fn overflow_signature(name: &str) -> Option<String> {
    let stem = name.strip_suffix("_overflow")?;
    let (sign, rest) = stem.split_at_checked(1)?;
    let length = ["add", "sub", "mul"].iter().find_map(|op| rest.strip_prefix(op))?;
    let letter = match (sign, length) {
        ("s", "") => 'i',
        ("s", "l") => 'l',
        ("s", "ll") => 'x',
        ("u", "") => 'u',
        ("u", "l") => 'k',
        ("u", "ll") => 'X',
        _ => return None,
    };
    Some(format!("b{letter}{letter}{letter}*"))
}

impl Sema<'_> {
    /// The function that a name which isn't declared means to GCC itself, such as `__builtin_expect`.
    pub(super) fn builtin_function(&mut self, symbol: Symbol, span: Span) -> Option<FunctionId> {
        let names = self.names;
        let name = &names[symbol];
        if name.starts_with(cprover::PREFIX) {
            return self.cprover_function(symbol, span);
        }
        let signature = match name.strip_prefix("__builtin_") {
            Some(rest) => builtin_signature(rest),
            None if name.starts_with("__sync_") || name.starts_with("__atomic_") => None,
            None => return None,
        };
        Some(self.undeclared_function(symbol, signature, span))
    }

    /// The function that a call of an undeclared name declares.
    pub(super) fn implicit_function(&mut self, symbol: Symbol, span: Span) -> FunctionId {
        if let Some(id) = self.builtin_function(symbol, span) {
            return id;
        }
        let names = self.names;
        let signature = library_signature(&names[symbol]);
        self.warning("W0201", span, |_| format!("implicit declaration of function `{}`", &names[symbol]));
        if let (Some(header), Some(warning)) = (header::of_function(&names[symbol]), self.warnings.last_mut()) {
            warning.help = Some(format!("add `#include <{header}>`"));
        }
        self.undeclared_function(symbol, signature, span)
    }

    pub(super) fn undeclared_function(&mut self, symbol: Symbol, signature: Option<String>, span: Span) -> FunctionId {
        if let Binding::Function(id) = self.scopes.linked(symbol) {
            self.scopes.bind(symbol, Binding::Function(id));
            return id;
        }
        let ty = match signature {
            Some(signature) => self.signature_type(&signature),
            None => self.common.implicit_function,
        };
        let name = self.names.name(symbol).clone();
        let stem = name.strip_prefix("__builtin_").unwrap_or(&name);
        let noreturn = matches!(stem, "abort" | "exit" | "_exit" | "_Exit" | "unreachable" | "trap" | "longjmp");
        let id = self.functions.push(Function { noreturn, implicit: true, ..Function::new(name, ty, span) });
        self.scopes.bind(symbol, Binding::Function(id));
        self.scopes.link(symbol, Binding::Function(id));
        id
    }

    fn signature_type(&mut self, signature: &str) -> TypeId {
        let mut types: Vec<TypeId> = Vec::new();
        let mut variadic = false;
        for letter in signature.chars() {
            match letter {
                '.' => variadic = true,
                '*' => {
                    if let Some(last) = types.last_mut() {
                        *last = self.types.intern(Type::Pointer(*last));
                    }
                }
                letter => types.push(self.letter_type(letter)),
            }
        }
        let (ret, params) = match types.split_first() {
            Some((ret, params)) => (*ret, params.into()),
            None => (self.common.int, Box::default()),
        };
        self.types.intern(Type::Function(FunctionType { ret, params, variadic, prototyped: true }))
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let kind = match letter {
            'v' => return self.common.void,
            'b' => return self.common.bool,
            'f' => return self.common.float,
            'd' => return self.common.double,
            'D' => return self.types.intern(Type::Float(FloatKind::LongDouble)),
            'P' => return self.common.void_ptr,
            'S' => return self.common.char_ptr,
            'V' => return self.common.va_list,
            'z' => return self.common.size,
            'B' => IntKind::UChar,
            'H' => IntKind::UShort,
            'u' => IntKind::UInt,
            'U' => self.machine.kind_of_size(4).to_unsigned(),
            'l' => IntKind::Long,
            'k' => IntKind::ULong,
            'x' => IntKind::LongLong,
            'X' => IntKind::ULongLong,
            'q' => self.machine.kind_of_size(8).to_unsigned(),
            'O' => IntKind::UInt128,
            _ => IntKind::Int,
        };
        self.types.intern(Type::Int(kind))
    }
}
