//! Checks every program of `tests/data` and compares the verdict with the expectation in its first lines.
//!
//! `// expect: true`, `// expect: false` or `// expect: unknown(TEXT)`, where TEXT occurs in the reason; then optionally
//! `// property: CHECK(…)`, `// checks: …`, `// data-model: ILP32`, `// environment: …` (options of all runs), `// args: …`, and
//! `// with: …`, the other files of the program. A violation must also show when the harness is compiled with the system's compiler,
//! unless it depends on values that no function returns, or a line `// harness: REASON` tells why it can't. The witness of each answer
//! must be confirmed by `hone validate`; a line `// witness: REASON` tells why the invariants of a proof can't be, and `witness`
//! counts these.
//!
//! Then each configuration of [`CONFIGURATIONS`] that has an answer in the table of verdicts (`tests/verdicts.tsv`, which
//! `cargo xtask verdicts --record` makes) has to find it again, with a proof that is confirmed where proofs can be checked. A line
//! such as `// value: …` demands a verdict of that configuration, a line `// counts: NAME=N NAME>=N …` statistics of the combination
//! of values and predicates, and a line `// invariant: CONFIGURATION TEXT` what the report of that configuration lists.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;
use xtask::header::{Expected, Header};
use xtask::verdicts::table::{Speed, Table};

/// Configurations that check the programs again, with their options.
const CONFIGURATIONS: [(&str, &[&str]); 11] = [
    ("value", &["--check-proof"]),
    ("bam-value", &["--check-proof"]),
    ("bam-value", &["--check-proof", "--bam-refinement", "in-place"]),
    ("predicate", &["--check-proof"]),
    ("bam-predicate", &["--check-proof"]),
    (COMBINATION, &["--check-proof", "--stats"]),
    ("impact", &["--check-proof"]),
    ("k-induction", &["--check-proof"]),
    ("interval", &[]),
    ("octagon", &[]),
    ("shape", &[]),
];
/// Those whose domains only prove.
const PROVING: [&str; 3] = ["interval", "octagon", "shape"];
/// The configuration whose statistics are compared.
const COMBINATION: &str = "value-predicate";
/// Time for each run: far more than the runs of the table got, because a proof is checked, and the machine may be busy.
const LIMIT: [&str; 2] = ["--timeout", "30s"];

/// The table that is committed.
static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(xtask::verdicts::committed);

fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A run of Hone on a program.
struct Checked {
    output: Output,
    verdict: String,
}

fn run(path: &Path, header: &Header, folder: &Path, options: &[&str]) -> datatest_stable::Result<Checked> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.args(["check", "--output"]).arg(folder).args(LIMIT).args(options).args(header.options(folder)?);
    let output = command.args(header.files(path)).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let verdict = stdout.lines().last().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or_default().to_owned();
    let code = match verdict.split([' ', '(']).next() {
        Some("true") => 0,
        Some("false") => 1,
        _ => 3,
    };
    if output.status.code() != Some(code) {
        return Err(format!("exit status {} with verdict {verdict}\n{}", output.status, both(&output)).into());
    }
    Ok(Checked { output, verdict })
}

fn check(path: &Path) -> datatest_stable::Result<()> {
    let header = Header::read(path)?;
    let expected = header.expected()?.ok_or("the first line must be `// expect: …`")?;
    let folder = tempfile::tempdir()?;
    let Checked { output, verdict } = run(path, &header, folder.path(), &header.args())?;
    if !expected.fits(&verdict) {
        return Err(format!("expected {expected}\n{}", both(&output)).into());
    }
    let mut shown = Vec::new();
    if verdict.starts_with("false(") && can_be_seen(&header) {
        reproduce(folder.path(), &mut shown)?;
    }
    if expected == Expected::False || expected == Expected::True && header.get("witness").is_none() {
        validate(path, &header, folder.path())?;
    }
    CONFIGURATIONS.iter().try_for_each(|(config, options)| check_with(path, &header, config, options, &mut shown))
}

/// What a configuration has to say: what the program demands, or the answer in the table; `None` if nothing. To check
/// the proof takes a multiple of the time, so that slow answers are left to `cargo xtask verdicts`.
fn demanded(path: &Path, header: &Header, config: &str) -> datatest_stable::Result<Option<Expected>> {
    if let Some(text) = header.get(config) {
        return Ok(Some(Expected::parse(text)?));
    }
    let path = path.to_string_lossy();
    let program = path.trim_start_matches("../");
    let Some(row) = TABLE.as_ref().map_err(Clone::clone)?.get(program, config) else {
        let record = format!("cargo xtask verdicts --record {program}");
        return Err(format!("{config} has no row in the table of verdicts; run `{record}`").into());
    };
    Ok(match row.verdict.as_str() {
        _ if row.speed == Speed::Slow => None,
        "true" => Some(Expected::True),
        // What they violate is found by bounded model checking, as by default.
        _ if PROVING.contains(&config) => None,
        _ if row.is_answer() => Some(Expected::False),
        _ => None,
    })
}

/// A certain configuration; `shown` are the violations that harnesses have shown.
fn check_with(
    path: &Path,
    header: &Header,
    config: &str,
    options: &[&str],
    shown: &mut Vec<String>,
) -> datatest_stable::Result<()> {
    let Some(expected) = demanded(path, header, config)? else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let args: Vec<&str> = ["--config", config].iter().chain(options).copied().collect();
    let Checked { output, verdict } = run(path, header, folder.path(), &args)?;
    let complain = |what: &str| Err(format!("{config}: {what}\n{}", both(&output)).into());
    if !expected.fits(&verdict) {
        return complain(&format!("expected {expected}"));
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    if config == COMBINATION {
        header.all("counts").try_for_each(|counts| check_counts(counts, &stdout))?;
    }
    for invariant in header.all("invariant").filter_map(|text| text.strip_prefix(config)?.strip_prefix(' ')) {
        if !stdout.contains(invariant.trim()) {
            return complain(&format!("its report does not tell {invariant}"));
        }
    }
    if expected == Expected::False && can_be_seen(header) { reproduce(folder.path(), shown) } else { Ok(()) }
}

/// Compares statistics with what is demanded.
fn check_counts(counts: &str, text: &str) -> datatest_stable::Result<()> {
    for demand in counts.split_whitespace() {
        let (name, least) = demand.split_once('=').ok_or("counts are written as NAME=N or NAME>=N")?;
        let least: u64 = least.parse()?;
        let (name, exact) = match name.strip_suffix('>') {
            Some(name) => (name, false),
            None => (name, true),
        };
        let line = text.lines().map(str::split_whitespace).find_map(|mut words| {
            (words.next() == Some(name)).then(|| words.next().and_then(|n| n.parse::<u64>().ok()))
        });
        let Some(Some(count)) = line else { return Err(format!("no count {name}\n{text}").into()) };
        if count < least || (exact && count != least) {
            return Err(format!("expected {demand}, not {count}\n{text}").into());
        }
    }
    Ok(())
}

/// Segments of a witness that tells only a part of a very long run; see `witness::violation::MAX_SEGMENTS`.
const PART: usize = 3_000;

/// Whether contracts stand for functions of the program, of which compilers and witnesses know nothing.
fn has_contracts(header: &Header) -> bool {
    header.get("environment").is_some_and(|options| options.contains("-contract"))
}

/// Whether a harness can show the violation.
fn can_be_seen(header: &Header) -> bool {
    !has_contracts(header) && !is_violated_in_comment(header) && header.get("harness").is_none()
}

/// Whether an annotation is violated, which is a comment for a compiler.
fn is_violated_in_comment(header: &Header) -> bool {
    let is_annotated = header.get("environment").is_some_and(|options| options.contains("--acsl"));
    is_annotated && matches!(header.expected(), Ok(Some(Expected::False)))
}

/// A witness must be confirmed, unless it tells only a part of a run.
#[allow(clippy::disallowed_methods)]
fn validate(path: &Path, header: &Header, folder: &Path) -> datatest_stable::Result<()> {
    if has_contracts(header) {
        assert!(!folder.join("witness.yml").exists() && !folder.join("harness.c").exists());
        return Ok(());
    }
    if std::fs::read_to_string(folder.join("witness.yml"))?.matches("- segment:").count() >= PART {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.args(["validate", "--timeout", "60s", "--witness"]).arg(folder.join("witness.yml"));
    let output = command.args(header.options(folder)?).args(header.files(path)).output()?;
    let verdict = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
    if output.status.code() == Some(0) && (verdict.starts_with("verdict: false(") || verdict == "verdict: true") {
        Ok(())
    } else {
        Err(format!("the witness is not confirmed: {}\n{}", output.status, both(&output)).into())
    }
}

/// File and line of the violation.
#[allow(clippy::disallowed_methods)]
fn place(folder: &Path) -> datatest_stable::Result<String> {
    let report = std::fs::read_to_string(folder.join("report.txt"))?;
    let first = report.lines().next().unwrap_or_default();
    let (_, place) = first.rsplit_once(" at ").ok_or("no place in the first line")?;
    Ok(place.to_owned())
}

/// Compiles the harness as its first lines say, and runs it, unless the same one has been run: most configurations find the same violation.
#[allow(clippy::disallowed_methods)]
fn reproduce(folder: &Path, shown: &mut Vec<String>) -> datatest_stable::Result<()> {
    let harness = folder.join("harness.c");
    let text = std::fs::read_to_string(&harness)?;
    let violation = format!("{}\n{}", place(folder).unwrap_or_default(), text.replace(&*folder.to_string_lossy(), ""));
    if shown.contains(&violation) {
        return Ok(());
    }
    shown.push(violation);
    // Other machines are not at hand.
    if text.contains("it can't be run on this machine") {
        return Ok(());
    }
    if text.contains("can't be set from here") || text.contains("which gcc's sanitizers have no check for") {
        return Ok(());
    }
    let command = text.lines().find_map(|line| line.trim().strip_prefix("cc ")).ok_or("no command in the harness")?;
    let words = command.split_whitespace().take_while(|word| *word != "-o");
    let binary = folder.join("repro");
    let compiled = Command::new("cc").args(words).arg("-o").arg(&binary).output()?;
    if !compiled.status.success() {
        return Err(format!("the harness does not compile (-m32 takes gcc-multilib):\n{}", both(&compiled)).into());
    }
    let run = match text.contains("&& valgrind ") {
        true => Command::new("valgrind").args(["-q", "--error-exitcode=1"]).arg(&binary).output()?,
        false => Command::new(&binary).output()?,
    };
    let says = |text: &[u8], words: &str| String::from_utf8_lossy(text).contains(words);
    // What is lost is told with the place where it was allocated; other errors where they happen.
    let is_told = says(&run.stderr, "LeakSanitizer")
        || [": runtime error:", "AddressSanitizer", "uninitialised value"].iter().any(|tool| says(&run.stderr, tool))
            && [":", "\n", " ", ")"]
                .iter()
                .any(|end| says(&run.stderr, &format!("{}{end}", place(folder).unwrap_or_default())));
    if run.status.code() == Some(1) && (says(&run.stdout, "error reached") || is_told) {
        Ok(())
    } else {
        Err(format!("the harness does not reach the error: {}\n{}", run.status, both(&run)).into())
    }
}

datatest_stable::harness! {
    { test = check, root = "../../tests/data", pattern = r".*\.c$" },
}
