//! Formats of `printf` and its like.

use std::iter::Peekable;

/// Flags of conversions.
const FLAGS: &[u8] = b"-+ #0";

/// Flags that mean nothing in the C locale.
const IGNORED_FLAGS: &[u8] = b"'I";

/// What a format says of the next characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// They are these.
    Text(Vec<u8>),
    /// They come from the next argument.
    Conversion(Conversion),
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The format says it.
    Number(i128),
    /// An argument in front of the one that is converted says it.
    Argument,
}

impl Count {
    /// What the format says.
    pub fn number(self) -> Option<i128> {
        match self {
            Count::Number(number) => Some(number),
            Count::Argument => None,
        }
    }
}

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub letter: u8,
    /// Its letter if the format names its argument by a number, and `letter` is `$`.
    pub numbered: u8,
    /// Modifier of the length: `H` for `hh`, `q` for `ll`, 0 for none, `?` for those that C does not know.
    pub length: u8,
    /// Bits by place in [`FLAGS`], as the library's code takes them.
    pub flags: i128,
    pub width: Option<Count>,
    pub precision: Option<Count>,
}

impl Conversion {
    /// Its width and its precision, as far as they are said.
    pub fn counts(self) -> impl Iterator<Item = Count> + Clone {
        self.width.into_iter().chain(self.precision)
    }
}

/// What a format says; `None` where it ends within a conversion.
pub fn directives(format: impl Iterator<Item = u8>) -> Option<Vec<Directive>> {
    let (found, is_complete) = parse(format);
    is_complete.then_some(found)
}

/// What a format says up to its zero byte or a conversion that is not complete, and whether there is none such.
pub fn parse(format: impl Iterator<Item = u8>) -> (Vec<Directive>, bool) {
    let mut found = Vec::new();
    let mut rest = format.take_while(|byte| *byte != 0).peekable();
    while let Some(c) = rest.next() {
        let literal = if c != b'%' { Some(c) } else { rest.next_if_eq(&b'%') };
        match (literal, found.last_mut()) {
            (Some(c), Some(Directive::Text(text))) => text.push(c),
            (Some(c), _) => found.push(Directive::Text(vec![c])),
            (None, _) => match conversion(&mut rest) {
                Some(conversion) => found.push(Directive::Conversion(conversion)),
                None => return (found, false),
            },
        }
    }
    (found, true)
}

fn conversion(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<Conversion> {
    let mut flags = 0;
    while let Some(flag) = rest.next_if(|c| FLAGS.contains(c) || IGNORED_FLAGS.contains(c)) {
        if let Some(place) = FLAGS.iter().position(|known| *known == flag) {
            flags |= 1 << place;
        }
    }
    let width = count(rest);
    let precision = rest.next_if_eq(&b'.').map(|_| count(rest).unwrap_or(Count::Number(0)));
    let length = length(rest);
    let letter = rest.next()?;
    let numbered = if letter == b'$' { conversion(rest)?.letter } else { 0 };
    Some(Conversion { letter, numbered, length, flags, width, precision })
}

/// A modifier of the length, as [`Conversion::length`] has it.
pub fn length(rest: &mut Peekable<impl Iterator<Item = u8>>) -> u8 {
    let mut modifiers = Vec::new();
    while let Some(modifier) = rest.next_if(|c| b"hljztLq".contains(c)) {
        modifiers.push(modifier);
    }
    match modifiers[..] {
        [] => 0,
        [b'h', b'h'] => b'H',
        [b'l', b'l'] => b'q',
        [modifier] => modifier,
        _ => b'?',
    }
}

/// Digits or an asterisk, if there are any.
fn count(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<Count> {
    if rest.next_if_eq(&b'*').is_some() {
        return Some(Count::Argument);
    }
    let mut value = None;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        value = Some((value.unwrap_or(0i128) * 10 + i128::from(digit - b'0')).min(1 << 31));
    }
    value.map(Count::Number)
}
