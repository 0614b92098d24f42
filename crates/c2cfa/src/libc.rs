//! C library functions written in C.
//!
//! Before parsing, [`append_to`] adds those that a program may need to its files. The functions are called
//! `__hone_strlen` and so on, so that they never clash with the program's own; lowering uses them for calls of library
//! functions that the program declares or calls without defining them, under their usual names.

/// What the names of Hone's own functions begin with.
pub const PREFIX: &str = "__hone_";

/// File name of library code in places.
pub const FILE: &str = "<builtin>";

/// Name, source text, and the library functions that it calls.
struct Function {
    name: &'static str,
    text: &'static str,
    calls: &'static [&'static str],
}

macro_rules! library {
    ($($name:ident $([$($call:ident),*])?),* $(,)?) => {
        &[$(Function {
            name: stringify!($name),
            text: include_str!(concat!("../libc/", stringify!($name), ".c")),
            calls: &[$($(stringify!($call)),*)?],
        }),*]
    };
}

/// Sorted by name.
const LIBRARY: &[Function] = library![
    __ctype_b_loc, __ctype_tolower_loc, __ctype_toupper_loc, atoi, atol, bcmp, bcopy, bsearch, bzero, index, isalnum, isalpha, isascii, isblank, iscntrl, isdigit, isgraph, islower,
    isprint, ispunct, isspace, isupper, isxdigit, memchr, memcmp, memcpy, memmove, mempcpy, memset, qsort, rindex, stpcpy,
    stpncpy, strcasecmp, strcat, strchr, strcmp, strcpy, strcspn, strdup[strlen, memcpy], strlen, strncasecmp, strncat,
    strncmp, strncpy, strndup[strnlen, memcpy], strnlen, strpbrk, strrchr, strsep[strcspn], strspn, strstr,
    strtok[strspn, strcspn], strtok_r[strspn, strcspn], toascii, tolower, toupper,
];

const PRELUDE: &str = "typedef __typeof__(sizeof(0)) __hone_size_t;\nextern void *__hone_malloc(__hone_size_t);\n";

/// The library's name for a function: `strcpy` for `__builtin_strcpy`, `__strcpy_chk` and `__builtin___strcpy_chk`.
pub fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        Some(plain) => plain,
        None => name,
    }
}

fn position(name: &str) -> Option<usize> {
    LIBRARY.binary_search_by(|f| f.name.cmp(name)).ok()
}

/// Adds the library functions that a program may call as a unit of its own, under the file name [`FILE`].
pub fn append_to(source: &mut cfront::preprocess::Source) {
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
    let mut needed = [false; LIBRARY.len()];
    mentioned(text, &mut needed);
    // Calls are not nested deeper than one level, but this doesn't rely on it.
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..LIBRARY.len() {
            if needed[i] {
                for callee in LIBRARY[i].calls.iter().filter_map(|name| position(name)) {
                    changed |= !std::mem::replace(&mut needed[callee], true);
                }
            }
        }
    }
    if !needed.contains(&true) {
        return String::new();
    }
    let mut source = PRELUDE.to_owned();
    // Callees come first by being declared through their definitions.
    let mut done = [false; LIBRARY.len()];
    for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        add(i, &mut done, &mut source);
    }
    source
}

fn add(i: usize, done: &mut [bool; LIBRARY.len()], source: &mut String) {
    if std::mem::replace(&mut done[i], true) {
        return;
    }
    for callee in LIBRARY[i].calls.iter().filter_map(|name| position(name)) {
        add(callee, done, source);
    }
    source.push_str(LIBRARY[i].text);
}

/// Marks the functions whose names occur in function bodies and initialisers.
fn mentioned(text: &str, needed: &mut [bool; LIBRARY.len()]) {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let (mut i, mut depth) = (0, 0u32);
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                i += 1;
                while bytes.get(i).is_some_and(|b| *b != byte && *b != b'\n') {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
            }
            _ if is_word(byte) => {
                let start = i;
                while bytes.get(i).copied().is_some_and(is_word) {
                    i += 1;
                }
                // Most words are too long or begin with another letter.
                let word = &text[start..i];
                if word.len() <= 32 && matches!(byte, b'a' | b'b' | b'i' | b'm' | b'q' | b'r' | b's' | b't' | b'_') {
                    let next = bytes[i..].iter().find(|b| !b.is_ascii_whitespace());
                    if let Some(found) = position(plain_name(word))
                        && (depth > 0 || next != Some(&b'('))
                    {
                        needed[found] = true;
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
    fn table_is_sorted() {
        assert!(LIBRARY.windows(2).all(|w| w[0].name < w[1].name));
        for function in LIBRARY {
            assert!(function.text.contains(&format!("{PREFIX}{}(", function.name)), "{}", function.name);
            assert!(function.calls.iter().all(|call| position(call).is_some()), "{}", function.name);
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = source_for(text);
        let found: Vec<&str> =
            LIBRARY.iter().map(|f| f.name).filter(|name| source.contains(&format!("{PREFIX}{name}("))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn finds_what_is_called() {
        check("int strlen(char*); int main(void) { return 0; }", &[]);
        check("int strlen(char*); int main(void) { return strlen(\"memcpy(a)\"); }", &["strlen"]);
        check("int main(void) { strdup(x); }", &["memcpy", "strdup", "strlen"]);
        check("int (*f)(const char*, const char*) = strcmp;", &["strcmp"]);
        check("int main(void) { char c = '\"'; __builtin___strcpy_chk(a, b, 3); }", &["strcpy"]);
    }
}
