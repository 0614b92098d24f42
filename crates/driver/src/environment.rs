//! How users write what surrounds a program: ranges of addresses, functions that stand for others, and choices with names.

use crate::text_form::Choice;
use base::Name;
use std::ops::RangeInclusive;

/// What reads of volatile objects give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volatile {
    /// What was written last.
    Plain,
    /// Any value.
    Inputs,
}

impl Choice for Volatile {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Volatile::Plain, "plain", "reads give what was written last"),
        (Volatile::Inputs, "inputs", "each read gives any value"),
    ];
}

/// Which values functions without a body return where an enumeration is their result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumValues {
    /// Those of the integer type that represents it.
    Any,
    /// Those that it declares.
    Declared,
}

impl Choice for EnumValues {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (EnumValues::Any, "any", "any number that its type can hold"),
        (EnumValues::Declared, "declared", "one of its enumerators"),
    ];
}

/// What arrays of characters are that arguments of the entry function lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// Any bytes.
    Any,
    /// The last byte is zero.
    Terminated,
}

impl Choice for Strings {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Strings::Any, "any", "any bytes, maybe without a zero"),
        (Strings::Terminated, "terminated", "the last byte is zero"),
    ];
}

/// Reads a range of addresses such as `0x40000000..0x5fffffff`, both ends included, or a single one.
///
/// # Errors
/// If it is none.
pub fn read_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    const FORM: &str = "expected a range of addresses such as 0x40000000..0x5fffffff";
    let number = |text: &str| {
        let text = text.trim().replace('_', "");
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        hex.map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok()).ok_or(FORM)
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?),
        None => (number(text)?, number(text)?),
    };
    match (first, last) {
        (0, _) => Err("the null address is no register of hardware; begin behind it".to_owned()),
        (_, u64::MAX) => Err("the last address is the greatest that there is; end before it".to_owned()),
        (first, last) if first > last => {
            Err(format!("the range ends before it begins; did you mean {last:#x}..{first:#x}?"))
        }
        _ => Ok(first..=last),
    }
}

/// Reads `f=stub`: a function, and the one that is called instead.
///
/// # Errors
/// If it is none.
pub fn read_replacement(text: &str) -> Result<(Name, Name), String> {
    match text.split_once('=') {
        Some((name, by)) if !name.is_empty() && name == by => Err(format!("`{name}` can't stand for itself")),
        Some((name, by)) if !name.is_empty() && !by.is_empty() => Ok((name.into(), by.into())),
        _ => Err("expected two names of functions such as read_pin=read_pin_stub".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(read_range("0x40000000..0x5fffffff"), Ok(0x4000_0000..=0x5fff_ffff));
        assert_eq!(read_range("16..=31"), Ok(16..=31));
        assert_eq!(read_range("0xE000_E000"), Ok(0xe000_e000..=0xe000_e000));
        assert!(read_range("0..4").is_err_and(|why| why.contains("null")));
        assert!(read_range("8..4").is_err_and(|why| why.contains("0x4..0x8")));
        assert!(read_range("").is_err() && read_range("a..b").is_err());
    }

    #[test]
    fn replacements() {
        assert_eq!(read_replacement("f=g"), Ok(("f".into(), "g".into())));
        assert!(read_replacement("f").is_err() && read_replacement("f=").is_err() && read_replacement("f=f").is_err());
    }
}
