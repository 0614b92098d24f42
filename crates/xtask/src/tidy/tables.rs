//! Tables that tell what the code says: the configurations of the README and the guide, and the table of verdicts.

use super::{Finding, Kind, sorted_entries};
use crate::verdicts;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Checks the tables.
#[allow(clippy::disallowed_methods)]
pub fn check(root: &Path, findings: &mut Vec<Finding>) {
    let mut say = |what: String| findings.push(Finding { kind: Kind::Other, what });
    let presets: BTreeSet<String> = sorted_entries(&root.join("crates/driver/presets"))
        .iter()
        .filter(|path| path.is_file())
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let readme = configurations(&read("README.md"), "| configuration |", Cells::All);
    for name in presets.difference(&readme) {
        say(format!("README.md: its table of configurations lacks {name}"));
    }
    for name in readme.difference(&presets) {
        say(format!("README.md: there is no configuration {name}"));
    }
    let guide = configurations(&read("docs/guide/src/configurations.md"), "| the program |", Cells::Last);
    for name in guide.difference(&presets) {
        say(format!("docs/guide/src/configurations.md: there is no configuration {name}"));
    }
    verdicts::incomplete(root, &presets).unwrap_or_else(|error| vec![error]).into_iter().for_each(say);
}

/// Which cells of a table name configurations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cells {
    /// All.
    All,
    /// The last one of a row.
    Last,
}

/// The words in backquotes of a table that begins with `head`, without options.
fn configurations(text: &str, head: &str, cells: Cells) -> BTreeSet<String> {
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).skip(2).take_while(|line| line.starts_with('|'));
    let mut names = BTreeSet::new();
    for row in rows {
        let row = match cells {
            Cells::All => row,
            Cells::Last => row.trim_end_matches([' ', '|']).rsplit_once('|').map_or(row, |(_, last)| last),
        };
        let words = row.split('`').skip(1).step_by(2);
        let is_name = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') && !word.starts_with('-');
        names.extend(words.filter(is_name).map(str::to_owned));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_name_configurations() {
        let text = "`not` this\n\n| configuration | what |\n|---|---|\n| `a`, `b-c` (default) | `d` with `--e F` |\n\n`nor` this\n";
        let names = |cells| configurations(text, "| configuration |", cells).into_iter().collect::<Vec<_>>();
        assert_eq!(names(Cells::All), ["a", "b-c", "d"]);
        assert_eq!(names(Cells::Last), ["d"]);
    }
}
