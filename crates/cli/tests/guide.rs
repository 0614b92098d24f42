//! What the guide and the README show is what Hone does.
//!
//! In each page, the `console` blocks are run in order, in one folder with a copy of `examples`; the outputs must be as printed. A line
//! `...` stands for any number of lines. With `UPDATE_GUIDE=1`, outputs that are missing or differ are written into the pages. Links must
//! lead somewhere, and options that are named must exist.

use driver::options::{Analysis, DECLARED, Declared, Written};
use driver::text_form::Choice;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const HONE: &str = env!("CARGO_BIN_EXE_hone");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

#[allow(clippy::disallowed_methods)] // Tests read and write files of their own.
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Markdown files below a folder, sorted.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in entries {
        if path.is_dir() {
            found.extend(markdown(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn pages() -> Vec<PathBuf> {
    let mut pages = markdown(&root().join("docs"));
    pages.push(root().join("README.md"));
    pages
}

/// A command with what a page says it prints.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Example {
    command: String,
    shown: Vec<String>,
}

/// The commands in the `console` blocks of a page.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push(Example { command: command.to_owned(), shown: Vec::new() }),
                (None, Some(example)) => example.shown.push(line.to_owned()),
                (None, None) => panic!("output before a command: {line}"),
            }
        }
    }
    examples
}

/// A folder with `hone`, which runs with one thread, and with a limit that no example needs: with more threads, which of several right
/// reports comes first depends on the machine.
#[allow(clippy::disallowed_methods)]
fn bin() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("hone");
    let text = format!(
        "#!/bin/sh\ncase $1 in\ncheck) shift; exec '{HONE}' check --threads 1 --jobs 1 --timeout 20s \"$@\" ;;\n*) exec '{HONE}' \"$@\" ;;\nesac\n"
    );
    std::fs::write(&script, text).expect("a file");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    folder
}

/// What a command prints: stdout, then stderr.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let bin = bin();
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command]).current_dir(folder).env("PATH", path).output().expect("sh runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout) + &text(&output.stderr);
    printed.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// What an example prints. Some steps of analyses have a limit of time: on a machine that is busy, they get another chance.
fn patiently(example: &Example, folder: &Path) -> Vec<String> {
    let mut printed = run(&example.command, folder);
    for _ in 0..2 {
        if !fits(&example.shown, &printed) && example.command.starts_with("hone check") {
            printed = run(&example.command, folder);
        }
    }
    printed
}

/// Whether lines are as shown, where `...` is any number of lines.
fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => (0..=printed.len()).any(|at| fits(rest, &printed[at..])),
        Some((first, rest)) => {
            printed.first().is_some_and(|line| what_is_certain(line) == what_is_certain(first.trim_end()))
                && fits(rest, &printed[1..])
        }
    }
}

/// A line without the name of the analysis that was the first to answer, and without the time at its end.
fn what_is_certain(line: &str) -> &str {
    let line = line.split_once(", answered by ").map_or(line, |(before, _)| before);
    let is_time = |text: &str| {
        let number = text.trim_end_matches(')').strip_suffix("ms").or(text.trim_end_matches(')').strip_suffix('s'));
        number.is_some_and(|number| number.trim().parse::<f64>().is_ok())
    };
    let cut = [" (", " in "].iter().filter_map(|before| line.rsplit_once(before)).find(|(_, rest)| is_time(rest));
    cut.map_or(line, |(before, _)| before)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// The page with the outputs that its commands have, where it shows others.
fn filled(text: &str, examples: &[Example], outputs: &[Vec<String>]) -> String {
    let (mut out, mut inside, mut next) = (String::new(), false, examples.iter().zip(outputs));
    let mut put = |line: &str| out.extend([line, "\n"]);
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        }
        if !inside || line.starts_with("```") {
            put(line);
        } else if line.starts_with("$ ") {
            put(line);
            if let Some((example, printed)) = next.next() {
                let shown = if fits(&example.shown, printed) { &example.shown } else { printed };
                shown.iter().for_each(|line| put(line));
            }
        }
    }
    out
}

#[test]
#[allow(clippy::disallowed_methods)]
fn outputs_are_real() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let examples = examples(&text);
        let folder = tempfile::tempdir().expect("a folder");
        copy(&root().join("examples"), &folder.path().join("examples"));
        let outputs: Vec<Vec<String>> = examples.iter().map(|example| patiently(example, folder.path())).collect();
        if std::env::var_os("UPDATE_GUIDE").is_some() {
            std::fs::write(&page, filled(&text, &examples, &outputs)).expect("a page");
            continue;
        }
        count += examples.len();
        for (Example { command, shown }, printed) in examples.iter().zip(outputs) {
            if !fits(shown, &printed) {
                let (shown, printed) = (shown.join("\n"), printed.join("\n"));
                problems.push(format!("{}: $ {command}\nshown:\n{shown}\nprinted:\n{printed}\n", page.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 20 || std::env::var_os("UPDATE_GUIDE").is_some(), "only {count} commands");
}

/// Targets of links and pictures outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        }
        // Odd parts are between backquotes.
        for part in line.split('`').step_by(2).filter(|_| !inside) {
            let ends = part.match_indices("](").map(|(at, _)| &part[at + 2..]);
            found.extend(ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    found
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut problems = Vec::new();
    for page in pages() {
        for link in links(&read(&page)).into_iter().filter(|link| !link.starts_with("https://")) {
            let (file, section) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let has_section = || {
                let text = read(&target);
                text.lines().filter(|line| line.starts_with('#')).any(|h| anchor(h.trim_start_matches('#')) == section)
            };
            // What the book shows has to be in the book.
            let src = root().join("docs/guide/src");
            let leaves = page.starts_with(&src) && !target.canonicalize().is_ok_and(|target| target.starts_with(&src));
            if leaves || !target.exists() || !(section.is_empty() || has_section()) {
                problems.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_summary_lists_each_page() {
    let src = root().join("docs/guide/src");
    let listed: BTreeSet<PathBuf> = links(&read(&src.join("SUMMARY.md"))).iter().map(|link| src.join(link)).collect();
    let pages: BTreeSet<PathBuf> = markdown(&src).into_iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, pages);
}

#[test]
fn options_and_configurations_exist() {
    let help: String = ["check", "validate", "run", "cfa", "loops", "contracts", "list", "init"]
        .iter()
        .flat_map(|command| run(&format!("hone {command} --help"), &root()))
        .flat_map(|line| [line, "\n".to_owned()])
        .collect();
    let known: BTreeSet<&str> = help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).collect();
    let mut problems = Vec::new();
    for page in markdown(&root().join("docs/guide")) {
        let text = read(&page);
        // Of other programs: lines with `xtask`, `git` or `cargo`.
        for line in text
            .lines()
            .filter(|line| !["xtask", "git ", "cargo", "cc ", "bear "].iter().any(|other| line.contains(other)))
        {
            let words: Vec<&str> = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).collect();
            for (i, word) in words.iter().enumerate() {
                let option = word.starts_with("--") && word.contains(char::is_alphabetic) && !known.contains(word);
                let next = words.get(i + 1).copied().unwrap_or_default();
                let config = *word == "--config" && !next.is_empty() && !known.contains(next);
                if option || config {
                    problems.push(format!("{}: {word} {next}", page.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The options that are declared, as a table.
fn table_of_options() -> String {
    let row = |option: &Declared| {
        let name = match option.written {
            Written::Preset => option.name.to_owned(),
            Written::Flag => format!("--{}", option.flag()),
            Written::Switch => format!("--{}[=SWITCH]", option.flag()),
            Written::Argument(value) => format!("--{} {value}", option.flag()),
        };
        let quoted = |names: Vec<&str>| format!("`{}`", names.join("`, `"));
        let values = match (option.values)() {
            values if values.is_empty() || option.written == Written::Flag => String::new(),
            values => format!(": {}", quoted(values.iter().map(|(value, _)| *value).collect())),
        };
        let of = match option.of.len() == Analysis::CHOICES.len() {
            true => "all".to_owned(),
            false => quoted(option.of.iter().map(|analysis| analysis.name()).collect()),
        };
        format!("| `{name}` | {}{values} | {of} |\n", option.help())
    };
    let rows: String = DECLARED.iter().map(row).collect();
    format!("| option | what it is | analyses |\n|---|---|---|\n{rows}")
}

#[test]
#[allow(clippy::disallowed_methods)]
fn the_table_of_options_is_what_is_declared() {
    let page = root().join("docs/guide/src/configurations.md");
    let text = read(&page);
    let (before, rest) = text.split_once("<!-- options -->\n").expect("a table");
    let (shown, after) = rest.split_once("<!-- end of options -->").expect("its end");
    let table = table_of_options();
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        let text = format!("{before}<!-- options -->\n{table}<!-- end of options -->{after}");
        std::fs::write(&page, text).expect("a page");
    } else {
        assert_eq!(shown, table, "UPDATE_GUIDE=1 writes the table");
    }
}

#[test]
fn the_test_notices() {
    let text = "a\n```console\n$ one\n...\nb\n$ two\n```\n```sh\n$ three\n```\n[x](y.md) `[z](w)`\n";
    let found = examples(text);
    assert_eq!(found.len(), 2);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&found[0].shown, &lines("1\n2\nb")) && !fits(&found[0].shown, &lines("1\nb\n2")));
    assert!(fits(&found[1].shown, &[]) && !fits(&found[1].shown, &lines("x")));
    assert_eq!(links(text), ["y.md"]);
    assert_eq!(anchor(" What is modelled, and what is not"), "what-is-modelled-and-what-is-not");
    let update = filled(text, &found, &[lines("1\nb"), lines("2")]);
    assert!(update.contains("$ one\n...\nb\n$ two\n2\n```\n```sh\n$ three\n"), "{update}");
}
