//! What functions of C's library and of POSIX that have neither a body nor a model may do to memory, and what they return.
//!
//! The tables are `library/effects.txt`, `library/errors.txt` and `library/results.txt`.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The function that inline assembler with inputs is lowered to a call of.
pub const ASSEMBLER: &str = "__hone_asm";

const EFFECTS: &str = include_str!("../library/effects.txt");

/// The table by names.
static TABLE: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| by_name(EFFECTS));

/// What a table says of each name: the word in front of its line, or of the line that goes on with it.
fn by_name(table: &'static str) -> FxHashMap<&'static str, &'static str> {
    let mut found = FxHashMap::default();
    let mut said = "";
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (of_names, names) = line.split_once(": ").unwrap_or((said, line));
        said = of_names;
        found.extend(names.split_ascii_whitespace().map(|name| (name, said)));
    }
    found
}

/// Whether a name is one of those in a text, with blanks between them.
pub fn is_among(names: &str, name: &str) -> bool {
    names.split(' ').any(|other| other == name)
}

/// Whether a function makes another locale than that of C the current one.
pub fn chooses_locale(name: &str) -> bool {
    matches!(name, "setlocale" | "uselocale")
}

/// Functions whose failures `errno` tells of.
static ERRORS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../library/errors.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_ascii_whitespace).collect()
});

/// Whether a function sets `errno` wherever it returns -1, or null if it returns a pointer.
pub fn sets_errno(function: &str) -> bool {
    ERRORS.contains(function)
}

/// What a function may do through one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
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
pub enum Exit {
    Always,
    UnlessZero,
}

/// What a library function may do, by its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
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

const RESULTS: &str = include_str!("../library/results.txt");

/// The table by names.
static RESULTS_BY_NAME: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| by_name(RESULTS));

/// The greatest number that a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Most {
    /// This number.
    Constant(i128),
    /// An argument, counted from 0.
    Argument(usize),
    /// Less than an argument, or 0.
    Below(usize),
}

/// Bounds of a function's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The least number.
    pub least: Option<i128>,
    /// The greatest.
    pub most: Option<Most>,
}

impl Bounds {
    /// Those of a function's result, if they are known.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        RESULTS_BY_NAME.get(name).and_then(|text| Self::parse(text))
    }

    fn parse(text: &str) -> Option<Self> {
        let argument = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
        let (least, most) = text.split_once("..")?;
        let most = match most.split_once('$') {
            Some(("", number)) => Some(Most::Argument(argument(number)?)),
            Some((_, number)) => Some(Most::Below(argument(number)?)),
            None => most.parse().ok().map(Most::Constant),
        };
        Some(Self { least: least.parse().ok(), most })
    }
}

/// The functions whose results have bounds.
pub fn with_bounds() -> impl Iterator<Item = &'static str> {
    RESULTS_BY_NAME.keys().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn bounds() {
        let most = |name: &str| Bounds::of(name).map(|bounds| (bounds.least, bounds.most));
        assert_eq!(most("fread"), Some((Some(0), Some(Most::Argument(2)))));
        assert_eq!(most("strftime"), Some((Some(0), Some(Most::Below(1)))));
        assert_eq!(most("open"), Some((Some(-1), None)));
        assert_eq!(most("getchar"), Some((Some(-1), Some(Most::Constant(255)))));
        assert_eq!(most("ioctl"), None);
    }

    #[test]
    fn each_line_of_bounds_is_read() {
        for line in RESULTS.lines().filter(|line| !line.starts_with('#')) {
            let (bounds, _) = line.split_once(": ").unwrap_or(("0..", line));
            assert!(Bounds::parse(bounds).is_some_and(|bounds| bounds.least.is_some()), "{bounds}");
        }
    }
}
