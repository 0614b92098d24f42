//! From the bytes of a file to translation unit text.
//!
//! Comments, line markers and pragmas are replaced by blanks, so that offsets and columns stay; line markers go to the
//! [`SourceMap`], `#pragma pack` to [`Source::packs`], `#pragma CPROVER check` to [`Source::unchecked`], those about symbols and layouts to [`Source::pragmas`]. Only where other directives remain, the system's C preprocessor
//! runs first. Where only names remain that compilers predefine as macros, such as `__LINE__`, it is asked for their
//! expansions alone.

mod cpp;
mod macros;
mod pragma;
mod strip;

use std::path::Path;

use base::source::LineMarker;
use base::{ByteOrder, Diagnostic, Name, SourceMap, Span};

use crate::ast::Pragma;
use crate::machine_model::Machine;
use crate::unchecked::Unchecked;
use pragma::Pragmas;
use strip::{MacroUse, Strip, strip};

/// What becomes of comments that begin with `@`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Annotations {
    /// They are comments as any other.
    #[default]
    Ignored,
    /// They say something in ACSL.
    Read,
}

/// How the text represents bytes beyond ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The input is valid UTF-8 and unchanged.
    Utf8,
    /// The input isn't UTF-8: each byte beyond ASCII became the character with its number (two bytes of text).
    Latin1,
}

/// A part of the text that is a translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Where it stands.
    pub span: Span,
    /// How string literals get their bytes.
    pub encoding: Encoding,
}

/// What `#pragma pack` says from an offset on: the largest alignment of members in bytes; `None` is the default. Sorted.
pub type Packs = Vec<(u32, Option<u32>)>;

/// The translation units of a program, ready for the parser.
#[derive(Clone, Debug)]
pub struct Source {
    /// Text and places.
    pub map: SourceMap,
    /// In the order of the text; at least one.
    pub units: Vec<Unit>,
    /// What `#pragma pack` says.
    pub packs: Packs,
    /// What `#pragma CPROVER check` says.
    pub unchecked: Unchecked,
    /// Pragmas about symbols and layouts. Sorted.
    pub pragmas: Vec<Pragma>,
    /// Comments that are annotations and stand in the text as they are. Sorted.
    pub annotations: Vec<Span>,
}

impl Source {
    fn new(name: &str, text: String, encoding: Encoding, markers: Vec<LineMarker>, pragmas: Pragmas) -> Self {
        let units = vec![Unit { span: Span::new(0, text.len() as u32), encoding }];
        let Pragmas { packs, unchecked, others: pragmas, .. } = pragmas;
        let map = SourceMap::new(Name::from(name), text, markers);
        Self { map, units, packs, unchecked, pragmas, annotations: Vec::new() }
    }

    fn with_annotations(self, annotations: Vec<Span>) -> Self {
        Self { annotations, ..self }
    }

    /// Adds the units of another source: the next file of the user's program.
    pub fn join(&mut self, next: &Source) {
        self.map.join(&next.map);
        let lo = (self.map.text().len() - next.map.text().len()) as u32;
        let moved = |span: Span| Span::new(span.lo + lo, span.hi + lo);
        self.units.extend(next.units.iter().map(|unit| Unit { span: moved(unit.span), ..*unit }));
        let pragmas = next.pragmas.iter().map(|pragma| Pragma { span: moved(pragma.span), text: pragma.text.clone() });
        self.pragmas.extend(pragmas);
        // What a file says of members ends with it.
        self.packs.push((lo, None));
        self.packs.extend(next.packs.iter().map(|(offset, pack)| (offset + lo, *pack)));
        self.unchecked.join(&next.unchecked, lo);
        self.annotations.extend(next.annotations.iter().copied().map(moved));
    }

    /// Adds a unit that is not the user's, with places in `file`.
    pub fn append(&mut self, file: Name, text: &str) {
        let span = self.map.append(file, text);
        self.units.push(Unit { span, encoding: Encoding::Utf8 });
        self.packs.push((span.lo, None));
        self.unchecked.join(&Unchecked::default(), span.lo);
    }
}

/// The compiler where none is named.
pub const COMPILER: &str = "cc";

/// How to preprocess.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The compiler that preprocesses, with arguments that it always gets, such as `ccache gcc`.
    pub compiler: &'a str,
    /// Chooses the macros that the compiler predefines.
    pub machine: Machine,
    /// How the bytes of numbers lie in memory, as the predefined macros tell it.
    pub byte_order: ByteOrder,
    /// Further arguments for the preprocessor such as `-DX=1` and `-Iinclude`. If there are any, it always runs.
    pub args: &'a [String],
    /// Where the file lies, for `#include "…"`; without it the bytes are piped into the preprocessor.
    pub path: Option<&'a Path>,
    /// A folder with headers of the C library that stand for the system's, on a machine that may be none of the compiler's.
    pub headers: Option<&'a Path>,
    /// Whether annotations are read.
    pub annotations: Annotations,
}

impl Options<'_> {
    /// The usual compiler for a machine, without further arguments.
    pub const fn plain(machine: Machine) -> Self {
        Self {
            compiler: COMPILER,
            machine,
            byte_order: ByteOrder::Little,
            args: &[],
            path: None,
            headers: None,
            annotations: Annotations::Ignored,
        }
    }
}

/// Whether what a compiler predefines, and the headers that it knows, are those of the machine.
pub fn is_compiler_for(compiler: &str, machine: Machine, byte_order: ByteOrder) -> bool {
    match (machine, byte_order) {
        (Machine::Ilp32 | Machine::Lp64, ByteOrder::Little) => true,
        _ => macros::is_for(cpp::command(compiler), machine, byte_order),
    }
}

/// Whether a diagnostic is about a header that the C preprocessor does not find, or a machine for which it has none.
pub fn is_about_headers(diagnostic: &Diagnostic) -> bool {
    let says = |text: &str| diagnostic.message.contains(text);
    diagnostic.code == "E0103"
        && (says("No such file or directory")
            || says("file not found")
            || says("no include path in which to search")
            || says("-m32")
            || says("-m64"))
}

/// Prepares the `bytes` of a file that the user knows as `name`.
///
/// # Errors
/// If this is no C source text, or the C preprocessor is needed and missing or fails. The diagnostics have no span,
/// because there is no [`SourceMap`] then.
pub fn preprocess(bytes: &[u8], name: &str, options: &Options<'_>) -> Result<Source, Vec<Diagnostic>> {
    check_text(bytes, name)?;
    if options.byte_order == ByteOrder::Big && bytes.windows(20).any(|word| word == b"scalar_storage_order") {
        let message = format!("{name} says in which order bytes lie, for a big-endian machine");
        let help = "leave out `scalar_storage_order`: all scalars have the order of the machine";
        return Err(vec![Diagnostic::error("E0104", None, message).help(help)]);
    }
    // The preprocessor makes directives of `_Pragma`.
    let is_plain = options.args.is_empty() && !bytes.windows(7).any(|word| word == b"_Pragma");
    if is_plain {
        let (text, encoding) = decode(bytes);
        if let Strip::Done { text, markers, pragmas, macros, annotations } = strip(text, name, options.annotations) {
            if macros.is_empty() {
                return Ok(Source::new(name, text, encoding, markers, *pragmas).with_annotations(annotations));
            }
            if let Some(text) = expanded(bytes, &macros, name, options)?
                && let Strip::Done { text, markers, pragmas, annotations, .. } =
                    strip(text.into_bytes(), name, options.annotations)
            {
                return Ok(Source::new(name, text, encoding, markers, *pragmas).with_annotations(annotations));
            }
        }
    }
    let output = cpp::run(bytes, name, options)?;
    check_text(&output, name)?;
    let (text, encoding) = decode(&output);
    match strip(text, name, options.annotations) {
        Strip::Done { text, markers, pragmas, annotations, .. } => {
            Ok(Source::new(name, text, encoding, markers, *pragmas).with_annotations(annotations))
        }
        Strip::Directive(directive) => {
            let message = format!("the C preprocessor left the directive `#{directive}` in {name}");
            Err(vec![Diagnostic::error("E0104", None, message).help("give a preprocessed file (`cc -E`)")])
        }
    }
}

/// The text with predefined macros expanded in place: what follows keeps its line and column. `None` if the whole file
/// must go through the preprocessor.
fn expanded(
    bytes: &[u8],
    macros: &[MacroUse],
    name: &str,
    options: &Options<'_>,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let (text, encoding) = decode(bytes);
    let Ok(text) = String::from_utf8(text) else { return Ok(None) };
    // Strings of an expansion, such as a file name, would be in the wrong encoding.
    if encoding == Encoding::Latin1 {
        return Ok(None);
    }
    let expansions = cpp::expand(&text, macros, name, options)?;
    let mut result = String::with_capacity(text.len());
    let mut end = 0;
    for (MacroUse { range, file, line }, expansion) in macros.iter().zip(&expansions) {
        result += &text[end..range.start];
        result += expansion;
        if expansion.len() <= range.len() {
            result.extend(std::iter::repeat_n(' ', range.len() - expansion.len()));
        } else {
            // The rest of the line goes to a new one, at its column.
            let begin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            result.push('\n');
            result += &cpp::line_marker(*line, file);
            result.extend(std::iter::repeat_n(' ', range.end - begin));
        }
        end = range.end;
    }
    result += &text[end..];
    Ok(Some(result))
}

/// A source without directives, for tests and for text that Hone makes itself.
pub fn source_from_text(name: &str, text: &str) -> Source {
    let (markers, pragmas, text) = match strip(text.as_bytes().to_vec(), name, Annotations::Ignored) {
        Strip::Done { text, markers, pragmas, .. } => (markers, *pragmas, text),
        Strip::Directive(_) => (Vec::new(), Pragmas::default(), text.to_owned()),
    };
    Source::new(name, text, Encoding::Utf8, markers, pragmas)
}

fn check_text(bytes: &[u8], name: &str) -> Result<(), Vec<Diagnostic>> {
    let fail = |message: String, help: &str| Err(vec![Diagnostic::error("E0101", None, message).help(help)]);
    if bytes.contains(&0) {
        let help = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it looks like UTF-16; convert it to UTF-8",
            [0x7f, b'E', b'L', b'F', ..] => "it is a compiled program or object file; give its source",
            _ => "it holds zero bytes; give a C file, preprocessed or not",
        };
        return fail(format!("{name} is not a C source text"), help);
    }
    // Latin-1 text doubles each byte beyond ASCII.
    if bytes.len() >= (u32::MAX / 2) as usize {
        return fail(format!("{name} is larger than 2 GiB"), "give a smaller file");
    }
    Ok(())
}

/// Text as UTF-8. A byte order mark becomes blanks.
fn decode(bytes: &[u8]) -> (Vec<u8>, Encoding) {
    if std::str::from_utf8(bytes).is_err() {
        return (bytes.iter().map(|b| char::from(*b)).collect::<String>().into_bytes(), Encoding::Latin1);
    }
    let mut text = bytes.to_vec();
    if text.starts_with(b"\xef\xbb\xbf") {
        text[..3].fill(b' ');
    }
    (text, Encoding::Utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options<'_> = Options::plain(Machine::Lp64);

    #[track_caller]
    fn check(input: &[u8], expected: &str) -> Source {
        let source = preprocess(input, "t.c", &OPTIONS).expect("preprocess");
        assert_eq!(source.map.text(), expected);
        source
    }

    #[track_caller]
    fn check_error(input: &[u8], code: &str) -> String {
        let errors = preprocess(input, "t.c", &OPTIONS).expect_err("an error");
        assert_eq!(errors[0].code, code);
        errors[0].message.clone()
    }

    #[test]
    fn text_without_directives_stays() {
        check(b"int x;\n", "int x;\n");
        check(b"\xef\xbb\xbfint x;\r\n", "   int x;\r\n");
        assert_eq!(check(b"char *s = \"\xe9\";", "char *s = \"\u{e9}\";").units[0].encoding, Encoding::Latin1);
        assert_eq!(check("char *s = \"é\";".as_bytes(), "char *s = \"é\";").units[0].encoding, Encoding::Utf8);
    }

    #[test]
    fn not_c() {
        check_error(b"\x7fELF\0", "E0101");
        check_error(b"a\0b", "E0101");
    }

    #[test]
    fn directives_run_the_preprocessor() {
        let source = preprocess(b"#define N 3\nint x = N;\n  int y;", "t.c", &OPTIONS).expect("preprocess");
        let at = source.map.text().find("int y").expect("y") as u32;
        assert_eq!(source.map.place(at).expect("place").to_string(), "t.c:3:3");
        assert!(source.map.text().contains("int x = 3;"));
    }

    #[test]
    fn predefined_macros() {
        check(b"int x = __CHAR_BIT__;", "int x = 8           ;");
        check(b"int x[] = {\n  __LINE__ };", "int x[] = {\n  2        };");
        check(b"#line 7 \"u.c\"\nchar *f = __FILE__; // __LINE__", "             \nchar *f = \"u.c\"   ;            ");
        check(b"int __MINE__ = 1;", "int __MINE__ = 1;");
        check(b"# 1 \"t.c\"\nint linux;", "         \nint linux;");
        for (name, machine, size) in [("t.c", Machine::Ilp32, 4), ("t.c", Machine::Lp64, 8)] {
            let text = b"int x = __SIZEOF_LONG__;";
            let source = preprocess(text, name, &Options { machine, ..OPTIONS }).expect("preprocess");
            assert!(source.map.text().contains(&format!("int x = {size} ")));
        }
    }

    #[test]
    fn positions_behind_predefined_macros() {
        let text = b"int x;\nlong y = __INTMAX_MAX__; long z = __INT64_C(5), w; int\nlast;";
        let source = preprocess(text, "t.c", &OPTIONS).expect("preprocess");
        for (word, place) in [("z =", "t.c:2:31"), ("5L", "t.c:2:35"), ("w", "t.c:2:49"), ("last", "t.c:3:1")] {
            let at = source.map.text().find(word).expect(word) as u32;
            assert_eq!(source.map.place(at).expect("place").to_string(), place);
        }
    }

    #[test]
    fn arguments_run_the_preprocessor() {
        let args = ["-DN=4".to_owned()];
        let source = preprocess(b"int x = N;", "t.c", &Options { args: &args, ..OPTIONS }).expect("preprocess");
        assert!(source.map.text().contains("int x = 4;"));
    }

    #[test]
    fn machine_chooses_macros() {
        for (machine, size) in [(Machine::Ilp32, 4), (Machine::Lp64, 8)] {
            let options = Options { machine, ..OPTIONS };
            let text = b"#include <stdint.h>\nint x = __SIZEOF_LONG__;";
            let source = preprocess(text, "t.c", &options).expect("preprocess");
            assert!(source.map.text().contains(&format!("int x = {size};")));
        }
    }

    #[test]
    fn missing_include() {
        let message = check_error(b"#include \"no_such_file.h\"\n", "E0103");
        assert!(message.contains("no_such_file.h"), "{message}");
    }
}
