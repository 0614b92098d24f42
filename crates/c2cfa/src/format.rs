//! Formats of `printf` and its like, part by part.

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A byte of the text; `%%` is one.
    Byte(u8),
    Conversion(Specification),
}

/// What follows `%`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Specification {
    /// Whether flags, a width, a precision or the number of an argument stand there.
    pub is_adorned: bool,
    /// Whether it names its argument by a number, as `%2$d` does.
    pub is_numbered: bool,
    /// Whether the width is an argument.
    pub has_width_argument: bool,
    pub precision: Option<Precision>,
    /// Such as `ll`.
    pub modifier: Vec<u8>,
    /// Such as `d`.
    pub letter: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precision {
    Number(u64),
    Argument,
}

/// The parts of a format up to its zero byte.
pub(crate) fn parts(format: impl Iterator<Item = u8>) -> impl Iterator<Item = Part> {
    let mut rest = format.take_while(|byte| *byte != 0).peekable();
    std::iter::from_fn(move || {
        let byte = rest.next()?;
        if byte != b'%' || rest.next_if_eq(&b'%').is_some() {
            return Some(Part::Byte(byte));
        }
        specification(&mut rest).map(Part::Conversion)
    })
}

/// `None` if the format ends before the letter.
fn specification(rest: impl Iterator<Item = u8>) -> Option<Specification> {
    let mut found = Specification::default();
    for byte in rest {
        match byte {
            b'*' => match &mut found.precision {
                Some(precision) => *precision = Precision::Argument,
                None => found.has_width_argument = true,
            },
            b'.' => found.precision = Some(Precision::Number(0)),
            b'0'..=b'9' => {
                if let Some(Precision::Number(number)) = &mut found.precision {
                    *number = number.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
                }
            }
            b'$' => found.is_numbered = true,
            b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' => {}
            b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b'Z' | b't' | b'w' => {
                found.modifier.push(byte);
                continue;
            }
            letter => return Some(Specification { letter, ..found }),
        }
        found.is_adorned = true;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Part, Precision, Specification, parts};

    fn conversions(format: &str) -> Vec<Specification> {
        let conversion = |part| match part {
            Part::Conversion(found) => Some(found),
            Part::Byte(_) => None,
        };
        parts(format.bytes()).filter_map(conversion).collect()
    }

    #[test]
    fn text_is_apart_from_conversions() {
        let text = |format: &str| parts(format.bytes()).filter(|part| matches!(part, Part::Byte(_))).count();
        assert_eq!((text("abc"), text("a%%b"), text("%d%%%s."), text("a\0b%d")), (3, 3, 2, 1));
        assert!(conversions("100%").is_empty() && conversions("%%d%l").is_empty());
    }

    #[test]
    fn conversions_have_all_that_stands_there() {
        let [plain, long, cut] = &conversions("%d %lln %-*.12s")[..] else { panic!("three conversions") };
        assert_eq!((plain.letter, plain.is_adorned), (b'd', false));
        assert_eq!((long.letter, &long.modifier[..], long.is_adorned), (b'n', &b"ll"[..], false));
        assert_eq!((cut.letter, cut.has_width_argument, cut.precision), (b's', true, Some(Precision::Number(12))));
        let [numbered, starred] = &conversions("%2$d%.*f")[..] else { panic!("two conversions") };
        assert!(numbered.is_numbered && numbered.is_adorned && !starred.is_numbered);
        assert_eq!((starred.has_width_argument, starred.precision), (false, Some(Precision::Argument)));
    }
}
