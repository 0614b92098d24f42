//! Unified diffs with one hunk, as `patch -p1` reads them.

use std::fmt::Write;

const CONTEXT: usize = 3;

/// The difference between two texts of a file.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let first = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a[first..].iter().rev().zip(b[first..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (end_a, end_b) = (a.len() - rest, b.len() - rest);
    let begin = first.saturating_sub(CONTEXT);
    let after = rest.min(CONTEXT);
    let mut out = format!("--- a/{name}\n+++ b/{name}\n");
    let (len_a, len_b) = (end_a + after - begin, end_b + after - begin);
    let _ = writeln!(out, "@@ -{},{len_a} +{},{len_b} @@", begin + 1, begin + 1);
    let mut lines = |mark: char, lines: &[&str]| {
        for line in lines {
            out.push(mark);
            out.push_str(line);
            if !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    };
    lines(' ', &a[begin..first]);
    lines('-', &a[first..end_a]);
    lines('+', &b[first..end_b]);
    lines(' ', &a[end_a..end_a + after]);
    out
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn one_hunk() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        let diff = unified("f.c", old, &old.replace("5\n", "five\nfive\n"));
        assert_eq!(diff, "--- a/f.c\n+++ b/f.c\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+five\n 6\n 7\n 8\n");
        let diff = unified("f.c", old, &old.replace('9', "10"));
        assert!(diff.ends_with(" 8\n-9\n\\ No newline at end of file\n+10\n\\ No newline at end of file\n"));
    }
}
