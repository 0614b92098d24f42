//! Copies of files in which errors can be seen from another file: a call stands at each error label and in each error function.

use super::REACHED;
use cfa::Program;
use std::collections::BTreeSet;

/// The files that have error labels or error functions, by their numbers, with a call at each label and at the beginning of each function.
pub(super) fn instrumented(
    program: &Program,
    labels: &BTreeSet<&str>,
    errors: &BTreeSet<&str>,
) -> Vec<(usize, String)> {
    let changed = |number| Some((number, instrumented_file(program, number, labels, errors)?));
    (0..program.source.files().len()).filter_map(changed).collect()
}

fn instrumented_file(
    program: &Program,
    number: usize,
    labels: &BTreeSet<&str>,
    errors: &BTreeSet<&str>,
) -> Option<String> {
    let (text, lo) = (program.source.user_text_of(number), program.source.files()[number].lo);
    let call = format!(" {REACHED}();");
    // Not a statement of its own: that would push the labelled one out of the `if` that it may be the branch of. A loop takes
    // no `else` away, and it is never entered, because the call doesn't return.
    let prefix = format!(" for ({REACHED}();;)");
    let mut places: Vec<(usize, &str)> = label_ends(text, labels).into_iter().map(|at| (at, prefix.as_str())).collect();
    for function in &program.functions {
        if function.body.is_some() && errors.contains(&*function.name) {
            let Some(from) = function.span.lo.checked_sub(lo) else { continue };
            let from = from as usize;
            // Bodies that Hone adds for library functions have no text here.
            if let Some(at) = text.get(from..).and_then(|rest| rest.find('{')) {
                places.push((from + at + 1, &call));
            }
        }
    }
    if places.is_empty() {
        return None;
    }
    places.sort_unstable();
    places.dedup();
    let mut out = format!("extern void {REACHED}(void);\n");
    let mut last = 0;
    for (place, inserted) in places {
        out.push_str(&text[last..place]);
        out.push_str(inserted);
        last = place;
    }
    out.push_str(&text[last..]);
    Some(out)
}

/// Offsets behind the colons of these labels in a text without comments.
fn label_ends(text: &str, labels: &BTreeSet<&str>) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let mut ends = Vec::new();
    // The last byte of the token before; labels stand behind one of `;{}:)` or at a beginning.
    let mut before = b';';
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                before = quote;
            }
            b if is_word(b) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                let colon = at + bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                let is_label = bytes.get(colon) == Some(&b':') && matches!(before, b';' | b'{' | b'}' | b':' | b')');
                if is_label && labels.contains(&text[start..at]) {
                    ends.push(colon + 1);
                }
                before = b'a';
            }
            b if b.is_ascii_whitespace() => at += 1,
            b => {
                before = b;
                at += 1;
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_labels(text: &str, marked: &str) {
        let labels = BTreeSet::from(["ERROR"]);
        let mut out = String::new();
        let mut last = 0;
        for end in label_ends(text, &labels) {
            out.push_str(&text[last..end]);
            out.push('@');
            last = end;
        }
        out.push_str(&text[last..]);
        assert_eq!(out, marked);
    }

    #[test]
    fn labels_are_found_in_text() {
        check_labels("{ ERROR: goto ERROR; }", "{ ERROR:@ goto ERROR; }");
        check_labels("if (x) ERROR : ;", "if (x) ERROR :@ ;");
        check_labels("y = x ? ERROR : 3;", "y = x ? ERROR : 3;");
        check_labels("case ERROR: ;", "case ERROR: ;");
        check_labels("s = \"; ERROR: \"; c = '\\''; ERROR:;", "s = \"; ERROR: \"; c = '\\''; ERROR:@;");
        check_labels("int ERROR : 3;", "int ERROR : 3;");
        check_labels("l: ERROR: x();", "l: ERROR:@ x();");
        check_labels("MY_ERROR: ERROR", "MY_ERROR: ERROR");
        check_labels("\"ERROR", "\"ERROR");
    }
}
