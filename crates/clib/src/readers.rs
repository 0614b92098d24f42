//! Functions of the library that read strings, formats and blocks.

use crate::known::writers;
use crate::library::is_among;

/// Of what characters a string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// `char`.
    Narrow,
    /// `wchar_t`.
    Wide,
}

/// Which arguments of a function are strings, which is a format whose `%s` are strings, too, and which a block, with the arguments whose
/// product is its length.
pub struct Reader {
    names: &'static str,
    /// What strings and format are made of.
    pub text: Text,
    /// The arguments that are strings.
    pub strings: &'static [u8],
    /// The argument that is a format.
    pub format: Option<u8>,
    /// Whether what is printed comes as a list, behind the format.
    pub has_list: bool,
    /// The argument that is a block.
    pub block: Option<(u8, &'static [u8])>,
}

const fn reader(names: &'static str, strings: &'static [u8]) -> Reader {
    Reader { names, text: Text::Narrow, strings, format: None, has_list: false, block: None }
}

const fn printer(names: &'static str, format: u8) -> Reader {
    Reader { format: Some(format), ..reader(names, &[]) }
}

const fn list_printer(names: &'static str, format: u8) -> Reader {
    Reader { has_list: true, ..printer(names, format) }
}

const fn wide(reader: Reader) -> Reader {
    Reader { text: Text::Wide, ..reader }
}

const fn block(names: &'static str, at: u8, len: &'static [u8]) -> Reader {
    Reader { block: Some((at, len)), ..reader(names, &[]) }
}

const READERS: &[Reader] = &[
    printer("__fprintf_chk error", 2),
    reader(
        "__isoc23_sscanf access chdir creat fputs getenv lstat mkdir open opendir perror puts remove rmdir stat system unlink",
        &[0],
    ),
    printer("__printf_chk dprintf err errx fprintf syslog", 1),
    list_printer("__vfprintf_chk", 2),
    list_printer("__vprintf_chk vdprintf verr verrx vfprintf vsyslog", 1),
    Reader { strings: &[2], ..printer("error_at_line", 4) },
    reader("fdopen freopen", &[1]),
    reader("fopen popen rename setenv strptime", &[0, 1]),
    wide(reader("fputws", &[0])),
    wide(printer("fwprintf", 1)),
    block("fwrite", 0, &[1, 2]),
    printer("printf warn warnx", 0),
    block("send write", 1, &[2]),
    list_printer("vprintf vwarn vwarnx", 0),
    wide(printer("wprintf", 0)),
];

/// What reads as much as a function of the library does; `wide_conversions` says whether formats may have such.
pub fn needed_for(name: &str, wide_conversions: bool) -> [Option<&'static str>; 4] {
    if name == "getcwd" {
        return [Some(writers::ROOM_MAKER), None, None, None];
    }
    let Some(reader) = named(name) else { return [None; 4] };
    let is_wide = reader.text == Text::Wide || reader.format.is_some() && wide_conversions;
    [
        Some(if reader.has_list { LIST_READER } else { "strlen" }),
        reader.format.map(|_| FORMAT_CHECK),
        reader.format.map(|_| CUT_LENGTH),
        is_wide.then_some("wcslen"),
    ]
}

/// What reads a format and a list of arguments.
pub const LIST_READER: &str = "vsnprintf";
/// What looks whether a format that is no literal has the arguments that it asks for.
pub const FORMAT_CHECK: &str = "_check_format";

/// What reads a string to its end or a bound.
pub const CUT_LENGTH: &str = "strnlen";

/// What a function reads; `None` if it is not one of those.
pub fn named(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| is_among(reader.names, name))
}

#[cfg(test)]
mod tests {
    #[test]
    fn table_has_each_name_once() {
        let mut names: Vec<&str> = super::READERS.iter().flat_map(|reader| reader.names.split(' ')).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
