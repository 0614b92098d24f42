//! Functions of C's library whose effect on the program's memory is known although they have no body.

use crate::builtin;
use cfa::Outside;

/// Functions that change no memory of the program, or only streams, which nothing else reads.
const CHANGES_NOTHING: &[&str] = &[
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "__printf_chk",
    "__vprintf_chk",
    "__fprintf_chk",
    "__vfprintf_chk",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "_IO_putc",
    "putchar_unlocked",
    "putc_unlocked",
    "fwrite",
    "write",
    "fflush",
    "perror",
    "getchar",
    "getc",
    "fgetc",
    "_IO_getc",
    "getchar_unlocked",
    "getc_unlocked",
    "ungetc",
    "fopen",
    "fdopen",
    "fclose",
    "feof",
    "ferror",
    "clearerr",
    "fileno",
    "fseek",
    "ftell",
    "rewind",
    "open",
    "close",
    "lseek",
    "remove",
    "unlink",
    "isatty",
    "rand",
    "srand",
    "random",
    "srandom",
    "rand_r",
    "drand48",
    "lrand48",
    "srand48",
    "clock",
    "difftime",
    "mktime",
    "sleep",
    "usleep",
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getenv",
    "system",
    "sched_yield",
    "alarm",
    "pause",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strerror",
    "setbuf",
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "pthread_self",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutex_trylock",
    "stdin",
    "stdout",
    "stderr",
    "__errno_location",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
];

/// Functions of `math.h` for `double`; `f` and `l` at the end are those for other types.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Whether a function without a body is one of C's library, or a convention of verification tasks, that changes nothing but what the
/// automata say.
pub fn is_known(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let double = plain.strip_suffix(['f', 'l']).unwrap_or(plain);
    name.starts_with("__VERIFIER_")
        || builtin::lookup(name).is_some()
        || CHANGES_NOTHING.contains(&plain)
        || [plain, double].iter().any(|name| MATHEMATICS.contains(name))
}

/// Functions that neither keep pointers nor return those that they get.
const KEEP_NOTHING: &[&str] = &[
    "__assert",
    "__assert_fail",
    "abort",
    "exit",
    "fprintf",
    "fputs",
    "free",
    "memcmp",
    "perror",
    "printf",
    "printk",
    "putchar",
    "puts",
    "reach_error",
    "strcmp",
    "strlen",
    "strncmp",
];

/// What a function without a body does with pointers.
pub fn effect_on_pointers(name: &str) -> Outside {
    match name.starts_with("__VERIFIER_") || KEEP_NOTHING.contains(&name) {
        true => Outside::KeepsNothing,
        false => Outside::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn the_library_is_known() {
        for name in ["printf", "sinf", "fmodl", "floor", "__builtin_puts", "fgets", "__VERIFIER_nondet_int", "malloc"] {
            assert!(is_known(name), "{name}");
        }
        for name in ["printk", "fill", "sine", "qsort_r", "f", "l", ""] {
            assert!(!is_known(name), "{name}");
        }
    }
}
