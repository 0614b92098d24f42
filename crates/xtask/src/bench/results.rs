//! Results of runs: as XML of BenchExec (result-3.12.dtd) for its table generator, and as CSV for tables that are made again.

use super::tasks::Expected;
use super::{Column, Options};
use base::markup::escape;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// How an answer is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// Right.
    Correct,
    /// Wrong.
    Wrong,
    /// None.
    Unknown,
    /// Time or memory ran out, or the tool failed.
    Error,
}

impl Category {
    /// Whether it is worse than no answer.
    pub fn is_failure(self) -> bool {
        self == Category::Wrong
    }

    fn name(self) -> &'static str {
        match self {
            Category::Correct => "correct",
            Category::Wrong => "wrong",
            Category::Unknown => "unknown",
            Category::Error => "error",
        }
    }
}

/// A configuration on a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Name of the task.
    pub task: String,
    /// Its set.
    pub set: String,
    /// Its file.
    pub path: PathBuf,
    /// What is right.
    pub expected: Expected,
    /// The verdict, in BenchExec's words.
    pub status: String,
    /// CPU time in seconds.
    pub cpu: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// Statistics by name.
    pub statistics: BTreeMap<String, f64>,
    /// What Hone wrote.
    pub output: String,
}

/// The verdict in BenchExec's words.
pub fn status(stdout: &str) -> String {
    match stdout.lines().last().and_then(|line| line.strip_prefix("verdict: ")) {
        Some("unknown (timeout)") => "TIMEOUT".to_owned(),
        Some("unknown (memory)") => "OUT OF MEMORY".to_owned(),
        Some(verdict) => verdict.to_owned(),
        None => "ERROR".to_owned(),
    }
}

/// Points in the scheme of SV-COMP.
pub fn points(record: &Record) -> i64 {
    match (record.category(), record.expected) {
        (Category::Correct, Expected::True) => 2,
        (Category::Correct, Expected::False) => 1,
        (Category::Wrong, Expected::True) => -16,
        (Category::Wrong, Expected::False) => -32,
        (Category::Unknown | Category::Error, _) => 0,
    }
}

impl Record {
    /// How the answer is judged.
    pub fn category(&self) -> Category {
        let is_false = self.status.starts_with("false");
        match self.expected {
            _ if self.status.starts_with("unknown") => Category::Unknown,
            Expected::True if self.status == "true" => Category::Correct,
            Expected::False if is_false => Category::Correct,
            _ if self.status == "true" || is_false => Category::Wrong,
            _ => Category::Error,
        }
    }
}

/// Writes the results of a configuration: `NAME.results.xml`, outputs in `NAME.logfiles`, `NAME.csv`. Returns the first.
///
/// # Errors
/// If a file can't be written.
pub fn write(options: &Options, column: &Column) -> Result<PathBuf, String> {
    let name = file_name(&column.configuration.label());
    let fail = |error: std::io::Error| format!("{}: {error}", options.out.display());
    let logs = options.out.join(format!("{name}.logfiles"));
    fs::create_dir_all(&logs).map_err(fail)?;
    for record in &column.records {
        fs::write(logs.join(log_name(record)), &record.output).map_err(fail)?;
    }
    fs::write(options.out.join(format!("{name}.csv")), csv(&column.records)).map_err(fail)?;
    let path = options.out.join(format!("{name}.results.xml"));
    fs::write(&path, xml(options, column)).map_err(fail)?;
    Ok(path)
}

fn file_name(label: &str) -> String {
    label.chars().map(|c| if c.is_ascii_alphanumeric() || "-+".contains(c) { c } else { '-' }).collect()
}

fn log_name(record: &Record) -> String {
    format!("{}.log", file_name(&record.task))
}

/// `+` of a system's description that `/proc` has.
fn proc_value(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'));
    value.unwrap_or_default().trim().to_owned()
}

fn systeminfo() -> String {
    let os = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let kib: u64 = proc_value("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "  <systeminfo>\n    <os name=\"Linux {}\"/>\n    <cpu model=\"{}\" cores=\"{cores}\"/>\n    <ram size=\"{}B\"/>\n    <environment/>\n  </systeminfo>\n",
        escape(os.trim()),
        escape(&proc_value("/proc/cpuinfo", "model name")),
        kib * 1024
    )
}

/// The results in BenchExec's format. Paths are those of the tasks' files, so that the table generator finds them.
pub fn xml(options: &Options, column: &Column) -> String {
    let time = now();
    let configuration = &column.configuration;
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN' \
         'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>\n",
    );
    let _ = writeln!(
        text,
        "<result benchmarkname=\"hone\" name=\"{}\" date=\"{time}\" starttime=\"{time}\" tool=\"Hone\" toolmodule=\"contrib.benchexec.hone\" \
         version=\"{}\" timelimit=\"{}s\" options=\"{}\" generator=\"cargo xtask bench\">",
        escape(&configuration.label()),
        env!("CARGO_PKG_VERSION"),
        options.limit,
        escape(&configuration.options.join(" ")),
    );
    text.push_str("  <columns>\n");
    for title in ["status", "cputime", "walltime", "score"] {
        let _ = writeln!(text, "    <column title=\"{title}\"/>");
    }
    text.push_str("  </columns>\n");
    text.push_str(&systeminfo());
    for record in &column.records {
        let path = escape(&record.path.to_string_lossy());
        let _ = writeln!(
            text,
            "  <run name=\"{path}\" files=\"[{path}]\" properties=\"unreach-call\" expectedVerdict=\"{}\" logfile=\"{}.logfiles/{}\">",
            record.expected,
            file_name(&configuration.label()),
            log_name(record)
        );
        for (title, value, hidden) in [
            ("status", record.status.clone(), ""),
            ("cputime", format!("{:.3}s", record.cpu), ""),
            ("walltime", format!("{:.3}s", record.wall), ""),
            ("score", points(record).to_string(), ""),
            ("category", record.category().name().to_owned(), " hidden=\"true\""),
        ] {
            let _ = writeln!(text, "    <column title=\"{title}\" value=\"{}\"{hidden}/>", escape(&value));
        }
        text.push_str("  </run>\n");
    }
    text.push_str("</result>\n");
    text
}

/// The time as ISO 8601 says it.
fn now() -> String {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    witness::hash::iso_time(time.map_or(0, |time| time.as_secs()))
}

/// The records as a runner of task sets writes them.
fn csv(records: &[Record]) -> String {
    let mut text = String::from("task,expected,verdict,outcome,cpu_s,wall_s\n");
    for record in records {
        let (path, expected) = (record.path.to_string_lossy(), record.expected);
        let (status, category) = (record.status.replace('"', "'"), record.category().name());
        let _ = writeln!(text, "{path},{expected},\"{status}\",{category},{:.2},{:.2}", record.cpu, record.wall);
    }
    text
}

/// Reads such a file, of whatever runner. The name of a task is its folder and file.
///
/// # Errors
/// If columns are missing or a row is short.
pub fn parse_csv(text: &str) -> Result<Vec<Record>, String> {
    let mut lines = text.lines();
    let header = fields(lines.next().unwrap_or_default());
    let column = |name: &str| header.iter().position(|h| h == name).ok_or_else(|| format!("no column `{name}`"));
    let (task, expected, verdict, cpu) = (column("task")?, column("expected")?, column("verdict")?, column("cpu_s")?);
    let wall = column("wall_s").ok();
    let mut records = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let fields = fields(line);
        let field = |at: usize| fields.get(at).map(String::as_str).ok_or_else(|| format!("short line: {line}"));
        let number = |at: usize| field(at)?.parse::<f64>().map_err(|_| format!("no time: {line}"));
        let path = Path::new(field(task)?);
        let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let set = path.parent().map(name_of).unwrap_or_default();
        let expected = match field(expected)? {
            text if text.eq_ignore_ascii_case("true") => Expected::True,
            text if text.to_ascii_lowercase().starts_with("false") => Expected::False,
            _ => continue,
        };
        records.push(Record {
            task: format!("{set}/{}", path.file_stem().unwrap_or_default().to_string_lossy()),
            set,
            path: path.to_owned(),
            expected,
            status: status(&format!("verdict: {}", field(verdict)?)),
            cpu: number(cpu)?,
            wall: wall.map_or(Ok(0.0), number)?,
            statistics: BTreeMap::new(),
            output: String::new(),
        });
    }
    Ok(records)
}

/// The fields of a line; quotes may enclose commas.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.trim_end_matches('\r').chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().into_iter().for_each(|field| field.push(c)),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::definition::Configuration;
    use crate::options;

    const ROWS: &str = "task,expected,verdict,outcome,cpu_s,wall_s\nt/a/x.yml,true,true,correct,1.40,2\nt/a/y.yml,false(unreach-call),\"unknown (a, <b>)\",unknown,9,9\nt/b/z.yml,false,true,wrong,1,1\n";

    #[test]
    fn answers_are_judged() {
        let records = parse_csv(ROWS).expect("rows");
        let categories: Vec<Category> = records.iter().map(Record::category).collect();
        assert_eq!(categories, [Category::Correct, Category::Unknown, Category::Wrong]);
        assert_eq!(records[0].task, "a/x");
        assert_eq!(parse_csv(&csv(&records)).expect("what was written can be read").len(), 3);
    }

    #[test]
    fn what_is_no_table_is_said() {
        assert_eq!(parse_csv("task,cpu_s\n").err().as_deref(), Some("no column `expected`"));
        assert!(parse_csv("task,expected,verdict,cpu_s\nx\n").is_err());
        assert!(parse_csv("task,expected,verdict,cpu_s\na/x,true,true,soon\n").is_err());
    }

    #[test]
    fn xml_of_benchexec() {
        let options = options::parse(&["--limit", "7"]);
        let configuration = Configuration::parse("la=value --loop-abstraction on");
        let text = xml(&options, &Column { configuration, records: parse_csv(ROWS).expect("rows") });
        for part in [
            "DTD BenchExec result 3.12",
            "timelimit=\"7s\" options=\"--config value --loop-abstraction on\"",
            "<run name=\"t/a/y.yml\" files=\"[t/a/y.yml]\" properties=\"unreach-call\" expectedVerdict=\"false(unreach-call)\"",
            "<column title=\"status\" value=\"unknown (a, &lt;b&gt;)\"/>",
            "<column title=\"category\" value=\"wrong\" hidden=\"true\"/>",
            "<column title=\"cputime\" value=\"1.400s\"/>",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
