//! Expressions of contracts: C with `\result`, and with the values of expressions where the function was entered, which are
//! `\old(e)` in ACSL and `\at(e, Pre)` or `\at(e, Old)` in the extended C of witnesses.

/// Name of a call's result in expressions that were translated.
pub const RESULT: &str = "__witness_result";

/// Name of what an expression held when the function was entered, followed by a number.
pub const BEFORE: &str = "__witness_before";

/// An expression in plain C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translated {
    /// Its text, over [`RESULT`] and [`BEFORE`].
    pub text: String,
    /// What the names with [`BEFORE`] held, by their numbers.
    pub before: Vec<String>,
}

/// Which moment an expression speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The function is entered.
    Entry,
    /// It returns.
    Exit,
}

/// Operators of ACSL that C does not have.
const LOGIC: [&str; 4] = ["==>", "<==>", "^^", "-->"];

/// Translates an expression; names that stand for former values are numbered from `first` on.
///
/// # Errors
/// With the first part that can't be translated.
pub fn translate(text: &str, moment: Moment, first: usize) -> Result<Translated, String> {
    if let Some(operator) = LOGIC.into_iter().find(|operator| text.contains(operator)) {
        return Err(operator.to_owned());
    }
    let mut done = Translated { text: String::new(), before: Vec::new() };
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        done.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let unknown = || format!("\\{word}");
        match (word, moment) {
            ("result", Moment::Exit) => done.text.push_str(RESULT),
            ("true", _) => done.text.push('1'),
            ("false", _) => done.text.push('0'),
            ("old" | "at", _) => {
                let (inner, behind) = in_parentheses(rest).ok_or_else(unknown)?;
                rest = behind;
                let (inner, is_now) = match inner.rsplit_once(',') {
                    Some((inner, label)) if word == "at" => match label.trim() {
                        "Pre" | "Old" => (inner, false),
                        "Here" => (inner, true),
                        "Post" if moment == Moment::Exit => (inner, true),
                        label => return Err(format!("\\at(…, {label})")),
                    },
                    None if word == "old" => (inner, false),
                    _ => return Err(unknown()),
                };
                if inner.contains('\\') {
                    return Err(unknown());
                }
                let inner = inner.trim();
                if is_now || moment == Moment::Entry {
                    done.text.push_str(&format!("({inner})"));
                } else {
                    let known = done.before.iter().position(|other| other == inner);
                    let number = known.unwrap_or_else(|| {
                        done.before.push(inner.to_owned());
                        done.before.len() - 1
                    });
                    done.text.push_str(&format!("{BEFORE}{}", first + number));
                }
            }
            _ => return Err(unknown()),
        }
    }
    done.text.push_str(rest);
    Ok(done)
}

/// What stands in the parentheses at the beginning of a text, and what comes behind them.
fn in_parentheses(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('(')?;
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(text: &str) -> Result<(String, Vec<String>), String> {
        translate(text, Moment::Exit, 2).map(|done| (done.text, done.before))
    }

    #[test]
    fn former_values_get_names() {
        let sum = "\\result == \\at(x, Pre) + \\old( f[(1)] ) && g == \\at(x, Old)";
        let text = "__witness_result == __witness_before2 + __witness_before3 && g == __witness_before2".to_owned();
        assert_eq!(exit(sum), Ok((text, vec!["x".to_owned(), "f[(1)]".to_owned()])));
        assert_eq!(exit("\\at(x, Post) > 0 && \\true"), Ok(("(x) > 0 && 1".to_owned(), Vec::new())));
        let entry = translate("\\old(x) > \\at(y, Here)", Moment::Entry, 0);
        assert_eq!(entry.map(|done| (done.text, done.before)), Ok(("(x) > (y)".to_owned(), Vec::new())));
    }

    #[test]
    fn what_c_has_not_is_told() {
        let of = |text| exit(text).expect_err("no C");
        assert_eq!(of("x > 0 ==> y"), "==>");
        assert_eq!(of("\\forall int i; a[i]"), "\\forall");
        assert_eq!(of("\\old(\\old(x))"), "\\old");
        assert_eq!(of("\\at(x, L) == 1"), "\\at(…, L)");
        assert_eq!(of("\\old(x"), "\\old");
        assert_eq!(translate("\\result == 1", Moment::Entry, 0), Err("\\result".to_owned()));
    }
}
