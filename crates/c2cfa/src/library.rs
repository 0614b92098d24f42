//! What functions of C's library and of POSIX that have neither a body nor a model may do to the program's memory.
//!
//! The table is `libc/effects.txt`; functions that are not in it, and that no model is known for, are the user's.

use crate::known;
use cfa::Outside;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The function that inline assembler with inputs is lowered to a call of.
pub(crate) const ASSEMBLER: &str = "__hone_asm";

/// Questions of the library's texts, which the interpreter knows the answers of.
const OWN: [&str; 4] = ["_float_digit", "_float_value", "_power", "_short_float_value"];

const EFFECTS: &str = include_str!("../libc/effects.txt");

/// The table by names.
static TABLE: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let mut table = FxHashMap::default();
    let mut letters = "";
    for line in EFFECTS.lines().filter(|line| !line.starts_with('#')) {
        let (of_names, names) = line.split_once(": ").unwrap_or((letters, line));
        letters = of_names;
        table.extend(names.split_ascii_whitespace().map(|name| (name, letters)));
    }
    table
});

/// Functions whose failures `errno` tells of.
static ERRORS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../libc/errors.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_ascii_whitespace).collect()
});

/// Whether a function sets `errno` wherever it returns -1, or null if it returns a pointer.
pub(crate) fn sets_errno(function: &str) -> bool {
    ERRORS.contains(function)
}

/// What a function may do through one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// It reads memory only, or changes what the program doesn't look into.
    Nothing,
    /// Changes the object that the argument points to.
    Object,
    /// Changes all memory that the argument leads to.
    Reachable,
    /// Calls the argument, or keeps it and changes memory later.
    Kept,
}

/// When a function exits with the status that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    Always,
    UnlessZero,
}

/// What a library function may do, by its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effects {
    /// See the table.
    letters: &'static str,
}

impl Effects {
    /// Those of a function; `None` if it is not one of the library's.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        TABLE.get(name).map(|letters| Self { letters })
    }

    /// Whether it can't be told from the arguments what the function does.
    pub fn is_unknown(self) -> bool {
        self.letters == "!"
    }

    /// Whether it may change memory of the program, output of `printf` aside.
    pub fn may_change_memory(self) -> bool {
        self.letters.contains(['!', 'o', 'a', '.', 'c'])
    }

    /// Which argument is a format of `printf`.
    pub fn format(self) -> Option<usize> {
        self.letters.find('p')
    }

    /// Which argument is the status that the program exits with, and whether it does so with any status, or unless it is zero.
    pub fn status(self) -> Option<(usize, Exit)> {
        let at = |letter| self.letters.find(letter);
        at('x').map(|i| (i, Exit::Always)).or_else(|| at('z').map(|i| (i, Exit::UnlessZero)))
    }

    /// What the function may do through argument number `i`.
    pub fn through(self, i: usize) -> Effect {
        match self.letters.as_bytes().get(i) {
            Some(b'o') => Effect::Object,
            Some(b'a' | b'.') => Effect::Reachable,
            Some(b'c') => Effect::Kept,
            Some(_) => Effect::Nothing,
            None if self.letters.ends_with('.') => Effect::Reachable,
            None => Effect::Nothing,
        }
    }
}

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
const ANY_VALUE: [&str; 13] = [
    "cpu_init",
    "cpu_is",
    "cpu_supports",
    "extract_return_addr",
    "frame_address",
    "frob_return_addr",
    "ia32_lfence",
    "ia32_mfence",
    "ia32_pause",
    "ia32_rdtsc",
    "ia32_sfence",
    "return_address",
    "thread_pointer",
];

/// Whether a function that has neither body nor model is one of a compiler's, whose result is a certain value.
pub fn is_unmodelled_builtin(name: &str) -> bool {
    match name.strip_prefix("__builtin_") {
        Some(rest) => !ANY_VALUE.contains(&rest),
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
    fn effects() {
        let through = |name: &str, i: usize| Effects::of(name).map(|effects| effects.through(i));
        assert_eq!(through("wcsftime", 0), Some(Effect::Object));
        assert_eq!(through("wcsftime", 1), Some(Effect::Nothing));
        assert_eq!(through("readv", 1), Some(Effect::Reachable));
        assert_eq!(through("ioctl", 5), Some(Effect::Reachable));
        assert_eq!(through("twalk", 1), Some(Effect::Kept));
        assert_eq!(Effects::of("fprintf").and_then(Effects::format), Some(1));
        assert!(Effects::of("getopt").is_some_and(Effects::is_unknown));
        let status = |name: &str| Effects::of(name).and_then(Effects::status);
        assert_eq!(status("verrx"), Some((0, Exit::Always)));
        assert_eq!(status("error"), Some((0, Exit::UnlessZero)));
        assert_eq!(status("printf"), None);
    }

    #[test]
    fn each_function_has_one_line() {
        let words = EFFECTS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_ascii_whitespace);
        assert_eq!(words.filter(|word| !word.ends_with(':')).count(), TABLE.len());
    }
}
