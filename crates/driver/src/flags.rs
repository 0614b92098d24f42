//! Flags of a C compiler, as far as they say what a program means.
//!
//! [`read_word`] sorts the words of a command line: those of the user, of `compile_commands.json` and of `hone.toml`.

use crate::failure::Failure;
use crate::suggest;
use base::Diagnostic;
use cfa::MachineModel;
use std::path::Path;
use syntax::machine_model::Abi;
use syntax::machine_model::IntKind;

/// What flags say of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// For the C preprocessor, each flag in one word.
    pub preprocessor: Vec<String>,
    /// `-m32` or `-m64`.
    pub machine: Option<MachineModel>,
    /// How types that C leaves open are represented.
    pub types: OpenTypes,
}

/// How types that C leaves open are represented, where flags say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenTypes {
    /// What `char` is.
    pub char: Option<IntKind>,
    /// The smallest type of an enumeration.
    pub smallest_enum: Option<IntKind>,
}

impl OpenTypes {
    /// All that the type checker has to know of a machine.
    pub fn abi(self, machine: syntax::machine_model::Machine) -> Abi {
        let usual = Abi::from(machine);
        Abi {
            char: self.char.unwrap_or(usual.char),
            smallest_enum: self.smallest_enum.unwrap_or(usual.smallest_enum),
            ..usual
        }
    }
}

/// What a word is to a C compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// A flag that says what a program means, in one word.
    Flag(String),
    /// A flag that does not.
    Idle,
    /// A flag that says what the compiler has to do, or what to link.
    Action,
    /// A flag that is not modelled; why.
    Unmodelled(&'static str),
    /// A flag that takes a value, without one.
    Incomplete(&'static str),
    /// A flag that nobody here knows.
    Unknown,
    /// No flag.
    Other,
}

/// Flags with a value, in the same word or the next one; whether it is a path.
const WITH_VALUE: [(&str, bool); 9] = [
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
    ("-isysroot", true),
    ("-I", true),
    ("-D", false),
    ("-U", false),
];

/// Flags with a value, in the next word, that say what to do.
const ACTIONS_WITH_VALUE: [&str; 11] = ["-MF", "-MT", "-MQ", "-MJ", "-o", "-L", "-l", "-T", "-u", "-z", "-Xlinker"];

/// Beginnings of flags that say what to do.
const ACTIONS: [&str; 3] = ["-M", "-R", "-save-temps"];

/// Beginnings of flags that say nothing about what a program means.
const IDLE: [&str; 9] = ["-O", "-g", "-W", "-f", "-pedantic", "-pipe", "-static", "-shared", "-rdynamic"];

/// Beginnings of flags that are handed to the preprocessor.
const PREPROCESSOR: [&str; 3] = ["-Wp,-D", "-Wp,-U", "-Wp,-I"];

/// Flags that change types or what operators do, with what to say of them.
const UNMODELLED: [(&str, &str); 19] = [
    ("-fpack-struct", "say it in the program, with `#pragma pack`"),
    ("-fshort-wchar", "leave it out if the program has no `wchar_t`"),
    ("-fshort-double", "leave it out if the program has no `double`"),
    ("-funsigned-bitfields", "declare the bit-fields `unsigned`"),
    ("-fms-extensions", "leave it out if the program does not need it"),
    ("-fplan9-extensions", "leave it out if the program does not need it"),
    ("-fexec-charset", "strings are in UTF-8"),
    ("-fwide-exec-charset", "wide strings are in UTF-32"),
    ("-fsingle-precision-constant", "write the constants with `f`"),
    ("-ffast-math", "leave it out: floating-point numbers are those of IEEE 754"),
    ("-funsafe-math-optimizations", "leave it out: floating-point numbers are those of IEEE 754"),
    ("--target", "name the compiler with --cc, and give --data-model"),
    ("-target", "name the compiler with --cc, and give --data-model"),
    ("-mx32", "use -m32 or -m64"),
    ("-m16", "use -m32"),
    ("-mms-bitfields", "bit-fields are placed as GCC places them on Linux"),
    ("-malign-double", "leave it out if no struct has a `double` or `long long`"),
    ("-mlong-double-", "leave it out if the program has no `long double`"),
    ("-mabi=", "use -m32 or -m64"),
];

/// Versions of C by the names that `-std` knows, and whether they are C23, in which the preprocessor knows more than the parser.
const STANDARDS: [(&[&str], bool); 5] = [
    (&["c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409"], false),
    (&["c99", "gnu99", "c9x", "gnu9x", "iso9899:1999"], false),
    (&["c11", "gnu11", "c1x", "gnu1x", "iso9899:2011"], false),
    (&["c17", "c18", "gnu17", "gnu18", "iso9899:2017", "iso9899:2018"], false),
    (&["c23", "c2x", "gnu23", "gnu2x", "iso9899:2024"], true),
];

/// What C23 calls by words that were macros or keywords with an underscore before.
const C23: [&str; 10] = [
    "-U__STDC_VERSION__",
    "-D__STDC_VERSION__=202311L",
    "-Dbool=_Bool",
    "-Dtrue=1",
    "-Dfalse=0",
    "-Dstatic_assert=_Static_assert",
    "-Dalignas=_Alignas",
    "-Dalignof=_Alignof",
    "-Dthread_local=_Thread_local",
    "-Dnullptr=((void*)0)",
];

/// Sorts a word, with the one behind it where it is its value: then `next` is called. Relative paths are those of `folder`.
pub fn read_word(word: &str, folder: Option<&Path>, next: impl FnOnce() -> Option<String>) -> Word {
    if !word.starts_with('-') || word == "-" {
        return Word::Other;
    }
    if let Some((flag, is_path)) = WITH_VALUE.iter().find(|(flag, _)| word.starts_with(flag)) {
        let value = Some(word[flag.len()..].to_owned()).filter(|value| !value.is_empty());
        return match value.or_else(next) {
            Some(value) if *is_path => {
                Word::Flag(format!("{flag}{}", resolved(&value, folder, !matches!(*flag, "-include" | "-imacros"))))
            }
            Some(value) => Word::Flag(format!("{flag}{value}")),
            None => Word::Incomplete(flag),
        };
    }
    if let Some((_, why)) = UNMODELLED.iter().find(|(flag, _)| word.starts_with(flag)) {
        return Word::Unmodelled(why);
    }
    if matches!(word, "-std" | "--std") {
        return next().map_or(Word::Incomplete("-std"), |value| Word::Flag(format!("-std={value}")));
    }
    if let Some(value) = word.strip_prefix("--std=") {
        return Word::Flag(format!("-std={value}"));
    }
    let is_meant = matches!(
        word,
        "-m32"
            | "-m64"
            | "-fsigned-char"
            | "-funsigned-char"
            | "-fno-signed-char"
            | "-fno-unsigned-char"
            | "-fshort-enums"
            | "-fno-short-enums"
            | "-nostdinc"
            | "-undef"
            | "-ansi"
            | "-pthread"
            | "-ffreestanding"
            | "-fhosted"
    );
    if is_meant || word.starts_with("-std=") || word.starts_with("--sysroot=") {
        return Word::Flag(word.to_owned());
    }
    if word == "-x" {
        return match next().as_deref() {
            Some("c" | "cpp-output" | "none") => Word::Action,
            _ => Word::Unmodelled("Hone reads C only"),
        };
    }
    let begins = |flags: &[&str]| flags.iter().any(|flag| word.starts_with(flag));
    match word {
        "--param" => {
            next();
            Word::Idle
        }
        _ if ACTIONS_WITH_VALUE.contains(&word) => {
            next();
            Word::Action
        }
        "-w" | "-p" | "-pg" | "-no-pie" | "-pie" => Word::Idle,
        "-c" | "-S" | "-E" | "-C" | "-P" | "-s" | "-r" | "-v" => Word::Action,
        _ if begins(&PREPROCESSOR) => Word::Flag(word.to_owned()),
        _ if begins(&IDLE) => Word::Idle,
        _ if begins(&ACTIONS) || begins(&["-L", "-l", "-o"]) => Word::Action,
        // Instruction sets define macros.
        _ if word.starts_with("-m") => Word::Flag(word.to_owned()),
        _ => Word::Unknown,
    }
}

/// A path as the current folder sees it.
fn resolved(value: &str, folder: Option<&Path>, is_folder: bool) -> String {
    match folder {
        // `=` stands for the folder of the system; files to include may be in any folder of headers.
        Some(folder) if !value.starts_with('=') && (is_folder || folder.join(value).is_file()) => {
            folder.join(value).to_string_lossy().into_owned()
        }
        _ => value.to_owned(),
    }
}

impl Flags {
    /// Reads flags that are one word each, as [`Word::Flag`] has them.
    ///
    /// # Errors
    /// If one says what Hone can't do.
    pub fn read(words: &[String]) -> Result<Flags, Failure> {
        let mut flags = Flags::default();
        let mut standard = None;
        for word in words {
            match word.as_str() {
                "-m32" => flags.machine = Some(MachineModel::Ilp32),
                "-m64" => flags.machine = Some(MachineModel::Lp64),
                "-fshort-enums" => flags.types.smallest_enum = Some(IntKind::SChar),
                "-fno-short-enums" => flags.types.smallest_enum = Some(IntKind::Int),
                "-fsigned-char" | "-fno-unsigned-char" => flags.types.char = Some(IntKind::Char),
                "-funsigned-char" | "-fno-signed-char" => flags.types.char = Some(IntKind::UnsignedChar),
                "-ansi" => standard = Some("c90"),
                _ => match word.strip_prefix("-std=") {
                    Some(name) => standard = Some(name),
                    None => flags.preprocessor.push(word.clone()),
                },
            }
        }
        flags.preprocessor.extend(
            flags.types.char.map(|kind| {
                if kind == IntKind::Char { "-fsigned-char".to_owned() } else { "-funsigned-char".to_owned() }
            }),
        );
        flags.preprocessor.extend(standard.map(standard_flags).transpose()?.unwrap_or_default());
        Ok(flags)
    }

    /// Adds flags that come later, and win.
    pub fn extend(&mut self, later: &Flags) {
        self.preprocessor.extend(later.preprocessor.iter().cloned());
        self.machine = later.machine.or(self.machine);
        self.types.char = later.types.char.or(self.types.char);
        self.types.smallest_enum = later.types.smallest_enum.or(self.types.smallest_enum);
    }
}

/// What the preprocessor is told for a version of C.
fn standard_flags(name: &str) -> Result<Vec<String>, Failure> {
    match STANDARDS.iter().find(|(names, _)| names.contains(&name)) {
        Some((_, false)) => Ok(vec![format!("-std={name}")]),
        Some((_, true)) => {
            // The name that older compilers know, too; it decides about digit separators.
            let like = if name.starts_with("gnu") { "-std=gnu2x" } else { "-std=c2x" };
            Ok(std::iter::once(like).chain(C23).map(str::to_owned).collect())
        }
        None => {
            let names = STANDARDS.iter().flat_map(|(names, _)| names.iter().copied());
            let help = match suggest::similar(name, names) {
                Some(similar) => format!("did you mean -std={similar}?"),
                None => "such as -std=c99, -std=gnu11, -std=c23".to_owned(),
            };
            Err(Failure::new(Diagnostic::error("E0071", None, format!("unknown version of C: -std={name}")).help(help)))
        }
    }
}

/// The words of a command line, as a shell splits them (without expansions).
pub fn split_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => match chars.next() {
                // Between double quotes, a backslash means itself in front of other characters.
                Some(next) if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') => {
                    word.get_or_insert_default().extend(['\\', next]);
                }
                Some(next) => word.get_or_insert_default().push(next),
                None => word.get_or_insert_default().push('\\'),
            },
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: Word) {
        let words = split_words(words);
        let mut rest = words[1..].iter().cloned();
        assert_eq!(read_word(&words[0], None, || rest.next()), expected, "{words:?}");
    }

    #[test]
    fn spellings() {
        let flag = |text: &str| Word::Flag(text.to_owned());
        check("-I dir", flag("-Idir"));
        check("-Idir", flag("-Idir"));
        check("-isystem dir", flag("-isystemdir"));
        check("-D 'X=a b'", flag("-DX=a b"));
        check("-include x.h", flag("-includex.h"));
        check("--std=c99", flag("-std=c99"));
        check("-m32", flag("-m32"));
        check("-march=native", flag("-march=native"));
        check("-O2", Word::Idle);
        check("-Wall", Word::Idle);
        check("-o x.o", Word::Action);
        check("-I", Word::Incomplete("-I"));
        check("--timeout", Word::Unknown);
        check("a.c", Word::Other);
        assert!(matches!(read_word("-fpack-struct=1", None, || None), Word::Unmodelled(_)));
        assert!(matches!(read_word("-x", None, || Some("c++".into())), Word::Unmodelled(_)));
    }

    #[test]
    fn meanings() {
        let read = |words: &[&str]| Flags::read(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        let flags = read(&["-m32", "-DX", "-funsigned-char", "-std=c99"]).expect("flags");
        assert_eq!(flags.machine, Some(MachineModel::Ilp32));
        assert_eq!(flags.types.char, Some(IntKind::UnsignedChar));
        assert_eq!(flags.preprocessor, ["-DX", "-funsigned-char", "-std=c99"]);
        let failure = read(&["-std=c98"]).expect_err("no such version");
        assert!(failure.diagnostics[0].help.as_deref().is_some_and(|help| help.contains("-std=c")));
    }

    #[test]
    fn words() {
        assert_eq!(split_words(r#"cc  -DX=\"a\" '-DY=b c' "d e"f"#), ["cc", "-DX=\"a\"", "-DY=b c", "d ef"]);
        assert_eq!(split_words(""), [""; 0]);
    }
}
