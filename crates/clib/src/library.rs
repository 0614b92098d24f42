//! Which functions without a body are known: those that [`cfa::library`] has no line of, and that no model is known for, are the user's.

use crate::known;
use cfa::Outside;
pub use cfa::library::{ASSEMBLER, Effect, Effects, Exit, is_among, sets_errno};

/// Questions of the library's texts, which the interpreter knows the answers of.
const OWN: [&str; 4] = ["_float_digit", "_float_value", "_power", "_short_float_value"];

/// Whether a function without a body is one of C's library, or a convention of verification tasks, that changes nothing but what the
/// automata say.
pub fn is_known(name: &str) -> bool {
    is_input(name)
        || name.starts_with("__VERIFIER_")
        || OWN.contains(&name)
        || name == ASSEMBLER
        || known::lookup(name).is_some()
        || Effects::of(name).is_some()
}

/// Whether a function without a body is known to return any value of its type and to do nothing else, by a convention of verification tasks.
pub fn is_input(name: &str) -> bool {
    ["__VERIFIER_nondet_", "nondet_", "__CPROVER_uninterpreted_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Functions that keep no pointers that they get, and return none but to memory that is not the program's, or their destination.
const KEEP_NOTHING: &str = "__assert __assert_fail abort asctime clearerr close closedir ctime dlerror exit feof ferror fflush fgetc fgetc_unlocked fgets \
    fgets_unlocked fileno fprintf fputc fputc_unlocked fputs fputs_unlocked fread fread_unlocked free fseek fseeko ftell ftello \
    gai_strerror getc getc_unlocked getchar getenv getgrgid getgrnam gethostbyaddr gethostbyname getlogin getprotobyname getpwnam \
    getpwuid gets getservbyname getservbyport gmtime hstrerror localeconv localtime memcmp nl_langinfo open open64 opendir perror \
    pread printf printk putc putc_unlocked putchar puts reach_error read readdir readdir64 recv rewind secure_getenv setlocale \
    strcmp strerror strlen strncmp strsignal ttyname ungetc vfprintf vprintf";

/// Functions that keep what is stored where an argument points to: it may be read back.
const KEEP_CONTENT: [(&str, u8); 6] =
    [("fwrite", 0), ("fwrite_unlocked", 0), ("pwrite", 1), ("send", 1), ("sendto", 1), ("write", 1)];

/// Builtins of compilers that may give anything, or do nothing that a program sees.
const ANY_VALUE: &str = "cpu_init cpu_is cpu_supports extract_return_addr frame_address frob_return_addr ia32_lfence ia32_mfence ia32_pause \
    ia32_rdtsc ia32_sfence return_address thread_pointer";

/// Whether a function that has neither body nor model is one of a compiler's, whose result is a certain value.
pub fn is_unmodelled_builtin(name: &str) -> bool {
    match name.strip_prefix("__builtin_") {
        Some(rest) => !is_among(ANY_VALUE, rest),
        None => name.starts_with("__sync_") || name.starts_with("__atomic_"),
    }
}

/// What a function without a body does with pointers.
pub fn effect_on_pointers(name: &str) -> Outside {
    if let Some((_, arg)) = KEEP_CONTENT.iter().find(|(writer, _)| *writer == name) {
        return Outside::KeepsContent(*arg);
    }
    let keeps_nothing = is_input(name)
        || name.starts_with("__VERIFIER_")
        || OWN.contains(&name)
        || KEEP_NOTHING.split_ascii_whitespace().any(|keeper| keeper == name);
    if keeps_nothing { Outside::KeepsNothing } else { Outside::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_known() {
        for name in ["printf", "sinf", "sinl", "cbrt", "__builtin_puts", "fgets", "__VERIFIER_nondet_int", "malloc"] {
            assert!(is_known(name), "{name}");
        }
        for name in ["printk", "fill", "sine", "f", "l", "", "-", "!"] {
            assert!(!is_known(name), "{name}");
        }
    }

    #[test]
    fn what_has_bounds_is_known() {
        assert!(cfa::library::with_bounds().all(is_known));
    }
}
