//! Unified diffs, as `patch -p1` reads them.

use similar::TextDiff;

/// The difference between two texts of a file.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
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
