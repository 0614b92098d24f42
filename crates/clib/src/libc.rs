//! C library functions written in C.
//!
//! Before parsing, [`append_to`] adds those that a program may need to its files. The functions are called
//! `__hone_strlen` and so on, so that they never clash with the program's own; lowering uses them for calls of library
//! functions that the program declares or calls without defining them, under their usual names.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What the names of Hone's own functions begin with.
pub const PREFIX: &str = "__hone_";

/// File name of library code in places.
pub const FILE: &str = "<builtin>";

/// Functions that access blocks of memory of a length that they are given: calls check the blocks as a whole.
pub const BLOCKS: [&str; 3] = ["__hone_memcpy", "__hone_memmove", "__hone_memset"];

/// Functions that divide what they are given: that is checked as operators are.
pub const QUOTIENTS: [&str; 3] = ["__hone_div", "__hone_ldiv", "__hone_lldiv"];

/// Functions that open and close streams and folders: what they do matters where memory or `free` is checked.
#[rustfmt::skip]
pub const STREAMS: [&str; 11] = [
    "closedir", "fclose", "fdopen", "fdopendir", "fopen", "fopen64", "freopen", "opendir", "pclose", "popen", "tmpfile",
];

/// The object `errno`.
pub const ERRNO_OBJECT: &str = "__hone__errno";

/// What sets it where other functions may fail, or do.
const SETTERS: [&str; 3] = ["_may_fail", "_fails_if", "_no_memory"];

/// Functions behind `errno`.
const ERRNO: [&str; 3] = ["__errno_location", "__errno", "__error"];

/// The texts: pieces with blank lines between them, each with what it defines.
const FILES: [&str; 18] = [
    include_str!("../libc/base.c"),
    include_str!("../libc/ctype.c"),
    include_str!("../libc/exit.c"),
    include_str!("../libc/fma.c"),
    include_str!("../libc/longdouble.c"),
    include_str!("../libc/math.c"),
    include_str!("../libc/memory.c"),
    include_str!("../libc/multibyte.c"),
    include_str!("../libc/network.c"),
    include_str!("../libc/number.c"),
    include_str!("../libc/path.c"),
    include_str!("../libc/printf.c"),
    include_str!("../libc/random.c"),
    include_str!("../libc/scanf.c"),
    include_str!("../libc/stdlib.c"),
    include_str!("../libc/stream.c"),
    include_str!("../libc/string.c"),
    include_str!("../libc/wchar.c"),
];

/// Words of a text, with what stands for each.
type Words = &'static [(&'static str, &'static str)];

/// Texts that are written once for several types, with the words of each.
#[rustfmt::skip]
const FAMILIES: [(&str, &[Words]); 3] = [
    (include_str!("../libc/integer.c"), &[
        &[("CHAR", "char"), ("HAS_DIGIT", "__hone_isxdigit((unsigned char)at[2])"), ("@", "str")],
        &[("CHAR", "__hone_wchar_t"), ("HAS_DIGIT", "__hone_iswxdigit((unsigned)at[2])"), ("@", "wcs")]]),
    // From WHOLE on, all numbers are whole.
    (include_str!("../libc/real.c"), &[
        &[("REAL", "double"), ("WHOLE", "4503599627370496.0"), ("@", "")],
        &[("REAL", "float"), ("WHOLE", "8388608.0f"), ("@", "f")],
        &[("REAL", "long double"), ("WHOLE", "9223372036854775808.0L"), ("@", "l")]]),
    (include_str!("../libc/sort.c"), &[
        &[("TYPE", ""), ("PARAMETER", ""), ("DATA", ""), ("@", "")],
        &[("TYPE", ", void *"), ("PARAMETER", ", void *data"), ("DATA", ", data"), ("@", "_r")]]),
];

/// The members of the families.
static MEMBERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let member = |text: &str, words: Words| {
        words.iter().fold(text.to_owned(), |text, (word, stands_for)| text.replace(word, stands_for))
    };
    FAMILIES.iter().flat_map(|(text, types)| types.iter().map(|words| member(text, words))).collect()
});

/// A definition or declaration, or several that belong together.
struct Piece {
    text: &'static str,
    /// Pieces that define what it names.
    uses: Vec<usize>,
}

struct Texts {
    pieces: Vec<Piece>,
    /// The piece that defines a name, without [`PREFIX`], and whether it is a function with a body.
    by_name: FxHashMap<&'static str, (usize, bool)>,
}

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let files = FILES.into_iter().chain(MEMBERS.iter().map(String::as_str));
    let texts: Vec<&str> = files.flat_map(|file| file.trim().split("\n\n")).collect();
    let mut by_name = FxHashMap::default();
    for (i, text) in texts.iter().enumerate() {
        for name in text.lines().filter_map(defined_by) {
            let is_function = text.contains("\n{") && text.contains(&format!("{PREFIX}{name}("));
            by_name.insert(name, (i, is_function));
        }
    }
    let pieces = texts
        .iter()
        .enumerate()
        .map(|(i, text)| {
            let found = own_names(text).filter_map(|(name, _)| by_name.get(name).map(|(piece, _)| *piece));
            let mut uses: Vec<usize> = found.filter(|piece| *piece != i).collect();
            uses.sort_unstable();
            uses.dedup();
            Piece { text, uses }
        })
        .collect();
    Texts { pieces, by_name }
});

/// Names that begin with [`PREFIX`], without it, and what follows each.
fn own_names(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.match_indices(PREFIX).map(move |(at, _)| {
        let rest = &text[at + PREFIX.len()..];
        let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        rest.split_at(len)
    })
}

/// What a line of the texts defines.
fn defined_by(line: &'static str) -> Option<&'static str> {
    if line.starts_with([' ', '{', '/']) {
        return None;
    }
    own_names(line)
        .find(|(_, rest)| rest.starts_with(['(', ';', '[']) || rest.starts_with(" =") || rest.starts_with(" {"))
        .map(|(name, _)| name)
}

/// Whether a name of the texts is one that programs call; the others have an underscore and a letter at their beginning.
pub fn is_public(name: &str) -> bool {
    let bytes = name.as_bytes();
    !(bytes.first() == Some(&b'_') && bytes.get(1).is_some_and(u8::is_ascii_lowercase))
}

/// The functions of C's library that have a body in C.
pub fn functions() -> Vec<&'static str> {
    let public = TEXTS.by_name.iter().filter(|(name, (_, is_function))| *is_function && is_public(name));
    let mut names: Vec<&str> = public.map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

/// The library's name for a function: `strcpy` for `__builtin_strcpy`, `__strcpy_chk` and `__builtin___strcpy_chk`.
pub fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        Some(plain) => plain,
        None => name,
    }
}

/// The names under which the library may have a function that a program calls: as it stands, or without what compilers put around it.
pub fn names_of(name: &str) -> [&str; 2] {
    [name.strip_prefix("__builtin_").unwrap_or(name), plain_name(name)]
}

/// The piece with a function that programs call.
fn position(name: &str) -> Option<usize> {
    let found = names_of(name).into_iter().find_map(|name| TEXTS.by_name.get(name).filter(|_| is_public(name)))?;
    found.1.then_some(found.0)
}

/// Whether a function has a body here.
pub fn is_written(name: &str) -> bool {
    position(name).is_some()
}

/// Adds the library functions that a program may call as a unit of its own, under the file name [`FILE`].
pub fn append_to(source: &mut syntax::preprocess::Source) {
    let text = source_for(source.map.text());
    if !text.is_empty() {
        source.append(FILE.into(), &text);
    }
}

/// C text with the library functions that the preprocessed `text` may call; empty if there is none.
///
/// Mentions outside of braces are taken for declarations, unless no parenthesis
/// follows.
pub fn source_for(text: &str) -> String {
    let mut needed = vec![false; TEXTS.pieces.len()];
    mentioned(text, &mut needed);
    let mut source = String::new();
    // What a piece uses comes first.
    let mut done = vec![false; needed.len()];
    for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        add(i, &mut done, &mut source);
    }
    source
}

fn add(i: usize, done: &mut [bool], source: &mut String) {
    if std::mem::replace(&mut done[i], true) {
        return;
    }
    for used in &TEXTS.pieces[i].uses {
        add(*used, done, source);
    }
    for line in TEXTS.pieces[i].text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        source.push_str(line);
        source.push('\n');
    }
}

/// Marks the functions whose names occur in function bodies and initialisers.
fn mentioned(text: &str, needed: &mut [bool]) {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let wide_conversions = text.contains("%ls") || text.contains("%S");
    let (mut i, mut depth) = (0, 0u32);
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                i += 1;
                let start = i;
                while bytes.get(i).is_some_and(|b| *b != byte && *b != b'\n') {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                // The name for the assembler of what is declared.
                if let Some(found) = text.get(start..i).filter(|_| depth == 0).and_then(position) {
                    needed[found] = true;
                }
            }
            _ if is_word(byte) => {
                let start = i;
                while bytes.get(i).copied().is_some_and(is_word) {
                    i += 1;
                }
                // Most words are too long or begin with another letter.
                let word = &text[start..i];
                if word.len() <= 32 {
                    let next = bytes[i..].iter().find(|b| !b.is_ascii_whitespace());
                    // A string is read as by `strlen`.
                    let reads = if depth > 0 { crate::readers::needed_for(word, wide_conversions) } else { [None; 4] };
                    let own = crate::readers::FORMAT_CHECK;
                    for name in std::iter::once(Some(word)).chain(reads).flatten() {
                        let found = match name == own {
                            true => TEXTS.by_name.get(own).map(|(piece, _)| *piece),
                            false => position(name),
                        };
                        if let Some(found) = found.filter(|_| depth > 0 || next != Some(&b'(')) {
                            needed[found] = true;
                        }
                    }
                    // Functions without a body may change what is asked for.
                    if ERRNO.contains(&word) && depth > 0 {
                        for (setter, _) in SETTERS.iter().filter_map(|name| TEXTS.by_name.get(*name)) {
                            needed[*setter] = true;
                        }
                    }
                }
                continue;
            }
            _ => {}
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_defined() {
        for piece in &TEXTS.pieces {
            for (name, _) in own_names(piece.text) {
                assert!(TEXTS.by_name.contains_key(name), "{name} in {}", piece.text);
            }
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = source_for(text);
        let found = TEXTS
            .by_name
            .iter()
            .filter(|(name, (_, is_function))| *is_function && source.contains(&format!("{PREFIX}{name}(")));
        let mut found: Vec<&str> = found.map(|(name, _)| *name).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn finds_what_is_called() {
        check("int strlen(char*); int main(void) { return 0; }", &[]);
        check("int labs(long); int main(void) { return strrchr(\"memcpy(a)\", 'a'); }", &["strrchr"]);
        check("int main(void) { strndup(x); }", &["memcpy", "strndup", "strnlen"]);
        check("int (*f)(const void*, const void*, unsigned long) = memcmp;", &["memcmp"]);
        check("int main(void) { char c = '\"'; __builtin___stpncpy_chk(a, b, 3); }", &["stpncpy"]);
    }
}
