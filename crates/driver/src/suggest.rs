//! What a user may have meant by a name that does not exist.

/// The known name that is most like `name`, if one is: in other case, or with a letter or two changed.
pub fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let most = 1 + name.len() / 5;
    let distances = known.into_iter().map(|known| (strsim::levenshtein(&name, &known.to_ascii_lowercase()), known));
    distances.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(similar(name, ["bmc", "value", "value-plain", "predicate"]), expected, "{name}");
    }

    #[test]
    fn names() {
        check("Value", Some("value"));
        check("valu", Some("value"));
        check("value_plain", Some("value-plain"));
        check("predicat", Some("predicate"));
        check("magic", None);
        check("", None);
    }
}
