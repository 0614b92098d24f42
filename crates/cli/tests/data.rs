//! Checks every program of `tests/data` and compares the verdict with the expectation in its first lines.
//!
//! `// expect: true`, `// expect: false` or `// expect: unknown(TEXT)`, where TEXT occurs in the reason; then optionally
//! `// property: CHECK(…)`, `// data-model: ILP32`, `// args: …`. A violation must also show when the harness is compiled
//! with the system's compiler, unless it depends on values that no function returns. The witness of each answer
//! must be confirmed by `hone validate`; a line `// witness: REASON` tells why the invariants of a proof can't be, and `witness` counts these.
//!
//! Then each configuration of [`CONFIGURATIONS`] checks each program, and where its proofs can be checked again, they are. A line
//! such as `// value: …` tells the verdict of that configuration; without one it may be unknown, but neither wrong nor a proof that
//! is rejected. A line `// counts: NAME=N NAME>=N …` tells statistics of the combination of values and predicates, and a line
//! `// invariant: CONFIGURATION TEXT` tells what the report of that configuration lists.
//! `// others: skip` leaves them out where they take long and decide nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Configurations that check every program, with their options.
const CONFIGURATIONS: [(&str, &[&str]); 9] = [
    ("value", &["--check-proof"]),
    ("bam-value", &["--check-proof"]),
    ("bam-value", &["--check-proof", "--bam-refinement", "in-place"]),
    ("predicate", &["--check-proof"]),
    ("bam-predicate", &["--check-proof"]),
    (COMBINATION, &["--check-proof", "--stats"]),
    ("impact", &["--check-proof"]),
    ("k-induction", &["--check-proof"]),
    ("interval", &[]),
];
/// The configuration whose statistics are compared.
const COMBINATION: &str = "value-predicate";
/// Limits with and without an expectation.
const LIMITS: [&str; 2] = ["30s", "2s"];

/// What the first lines of a program say.
#[derive(Default)]
struct Header {
    expect: String,
    property: Option<String>,
    data_model: Option<String>,
    args: Vec<String>,
    /// Verdicts of single configurations.
    verdicts: BTreeMap<String, String>,
    /// What statistics have to say.
    counts: Vec<String>,
    /// Only the first configuration checks the program.
    alone: bool,
    /// What the report of a configuration must tell.
    invariants: Vec<String>,
    /// Why the witness of the proof is not confirmed.
    unconfirmed: Option<String>,
}

fn header(text: &str) -> Result<Header, String> {
    let mut header = Header::default();
    for line in text.lines() {
        let Some((key, value)) = line.strip_prefix("// ").and_then(|line| line.split_once(": ")) else { break };
        let value = value.trim();
        match key {
            "expect" => header.expect = value.to_owned(),
            "property" => header.property = Some(value.to_owned()),
            "data-model" => header.data_model = Some(value.to_owned()),
            "counts" => header.counts = value.split_whitespace().map(str::to_owned).collect(),
            "invariant" => header.invariants.push(value.to_owned()),
            "args" => header.args = value.split_whitespace().map(str::to_owned).collect(),
            "others" => header.alone = value == "skip",
            "witness" => header.unconfirmed = Some(value.to_owned()),
            _ if CONFIGURATIONS.iter().any(|(name, _)| *name == key) => {
                header.verdicts.insert(key.to_owned(), value.to_owned());
            }
            _ => break,
        }
    }
    if header.expect.is_empty() { Err("the first line must be `// expect: …`".to_owned()) } else { Ok(header) }
}

fn fits(expect: &str, verdict: &str) -> bool {
    match expect {
        "true" => verdict == "true",
        "false" => verdict.starts_with("false("),
        _ => {
            let reason = expect.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
            verdict.starts_with("unknown (") && verdict.contains(reason)
        }
    }
}

fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A run of Hone on a program.
struct Checked {
    output: Output,
    verdict: String,
}

#[allow(clippy::disallowed_methods)] // Tests read and write files of their own.
fn run(path: &Path, header: &Header, folder: &Path, options: &[&str]) -> datatest_stable::Result<Checked> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.args(["check", "--output"]).arg(folder).args(options);
    if let Some(property) = &header.property {
        let file = folder.join("property.prp");
        std::fs::write(&file, property)?;
        command.arg("--property").arg(file);
    }
    if let Some(model) = &header.data_model {
        command.args(["--data-model", model]);
    }
    let output = command.arg(path).output()?;
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

#[allow(clippy::disallowed_methods)]
fn check(path: &Path) -> datatest_stable::Result<()> {
    let header = header(&std::fs::read_to_string(path)?)?;
    let folder = tempfile::tempdir()?;
    let args: Vec<&str> = ["--timeout", "30s"].into_iter().chain(header.args.iter().map(String::as_str)).collect();
    let Checked { output, verdict } = run(path, &header, folder.path(), &args)?;
    if !fits(&header.expect, &verdict) {
        return Err(format!("expected {}\n{}", header.expect, both(&output)).into());
    }
    if verdict.starts_with("false(") {
        reproduce(path, folder.path())?;
        validate(path, &header, folder.path())?;
    } else if verdict == "true" && header.unconfirmed.is_none() {
        validate(path, &header, folder.path())?;
    }
    let others = if header.alone { &[] } else { &CONFIGURATIONS[..] };
    others.iter().try_for_each(|(config, options)| check_with(path, &header, config, options))
}

/// A certain configuration.
#[allow(clippy::disallowed_methods)]
fn check_with(path: &Path, header: &Header, config: &str, options: &[&str]) -> datatest_stable::Result<()> {
    let folder = tempfile::tempdir()?;
    let expect = header.verdicts.get(config);
    let mut args = vec!["--config", config, "--timeout", LIMITS[usize::from(expect.is_none())]];
    args.extend(options);
    let Checked { output, verdict } = run(path, header, folder.path(), &args)?;
    let complain = |what: &str| Err(format!("{config}: {what}\n{}", both(&output)).into());
    let (decided, open) = (!verdict.starts_with("unknown"), header.expect.starts_with("unknown"));
    match expect {
        Some(expect) if !fits(expect, &verdict) => return complain(&format!("expected {expect}")),
        None if verdict.contains("proof") => return complain("its proof is rejected"),
        None if verdict.contains("internal error") => return complain("a defect"),
        None if decided && !open && !fits(&header.expect, &verdict) => {
            return complain(&format!("expected {}", header.expect));
        }
        None if open && verdict == "true" && header.args.is_empty() => return complain("expected no proof"),
        _ => {}
    }
    if config == COMBINATION {
        check_counts(&header.counts, &String::from_utf8_lossy(&output.stdout))?;
    }
    for invariant in header.invariants.iter().filter_map(|text| text.strip_prefix(config)?.strip_prefix(' ')) {
        if !String::from_utf8_lossy(&output.stdout).contains(invariant.trim()) {
            return complain(&format!("its report does not tell {invariant}"));
        }
    }
    if verdict.starts_with("false(") { reproduce(path, folder.path()) } else { Ok(()) }
}

/// Compares statistics with what is demanded.
fn check_counts(counts: &[String], text: &str) -> datatest_stable::Result<()> {
    for demand in counts {
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

/// A witness must be confirmed, unless it tells only a part of a run.
#[allow(clippy::disallowed_methods)]
fn validate(path: &Path, header: &Header, folder: &Path) -> datatest_stable::Result<()> {
    if std::fs::read_to_string(folder.join("witness.yml"))?.matches("- segment:").count() >= PART {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.args(["validate", "--timeout", "60s", "--witness"]).arg(folder.join("witness.yml"));
    if header.property.is_some() {
        command.arg("--property").arg(folder.join("property.prp"));
    }
    if let Some(model) = &header.data_model {
        command.args(["--data-model", model]);
    }
    let output = command.arg(path).output()?;
    let verdict = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
    if output.status.code() == Some(0) && (verdict.starts_with("verdict: false(") || verdict == "verdict: true") {
        Ok(())
    } else {
        Err(format!("the witness is not confirmed: {}\n{}", output.status, both(&output)).into())
    }
}

/// Compiles the harness as its first lines say, and runs it.
#[allow(clippy::disallowed_methods)]
fn reproduce(path: &Path, folder: &Path) -> datatest_stable::Result<()> {
    let harness = folder.join("harness.c");
    let text = std::fs::read_to_string(&harness)?;
    if text.contains("can't be set from here") {
        return Ok(());
    }
    let command = text.lines().find_map(|line| line.trim().strip_prefix("cc ")).ok_or("no command in the harness")?;
    let flags: Vec<&str> = command.split_whitespace().take_while(|word| !word.ends_with("harness.c")).collect();
    if flags.contains(&"-m32") && !links_for_32_bits(folder)? {
        return Ok(()); // The 32-bit libraries (gcc-multilib) are not installed.
    }
    let copy = folder.join("program.c");
    let program = if copy.exists() { copy.as_path() } else { path };
    let binary = folder.join("repro");
    let mut cc = Command::new("cc");
    let Ok(compiled) = cc.args(flags).arg("-o").arg(&binary).arg(&harness).arg(program).output() else {
        return Ok(()); // No compiler here.
    };
    if !compiled.status.success() {
        return Err(format!("the harness does not compile:\n{}", both(&compiled)).into());
    }
    let run = Command::new(&binary).output()?;
    if run.status.code() == Some(1) && String::from_utf8_lossy(&run.stdout).contains("error reached") {
        Ok(())
    } else {
        Err(format!("the harness does not reach the error: {}\n{}", run.status, both(&run)).into())
    }
}

#[allow(clippy::disallowed_methods)]
fn links_for_32_bits(folder: &Path) -> datatest_stable::Result<bool> {
    let trivial = folder.join("trivial.c");
    std::fs::write(&trivial, "int main(void) { return 0; }\n")?;
    let linked = Command::new("cc").args(["-m32", "-o"]).arg(folder.join("trivial")).arg(&trivial).output();
    Ok(linked.is_ok_and(|output| output.status.success()))
}

datatest_stable::harness! {
    { test = check, root = "../../tests/data", pattern = r".*\.c$" },
}
