//! What can be typed. No I/O and no decisions here; `resolve` turns it into what `driver` wants.

use crate::environment::EnvironmentArgs;
use crate::options::{ConfigArgs, choice};
use crate::shard::Shard;
use base::ByteOrder;
use cfa::MachineModel;
use clap::{Parser, Subcommand, ValueEnum};
use driver::contracts::Style;
use driver::execute::Number;
use driver::instrument::Mode;
use driver::job::Allocation;
use driver::property::CheckKind;
use driver::text_form::{Switch, TextForm, with_unit};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hone check prog.c                        prove that no assertion fails, or show the run that breaks one
  hone check main.c list.c                 check a program of several files
  hone check                               check the harnesses of hone.toml
  hone check --timeout 60s task.yml        check an SV-COMP task
  hone check --output out prog.c           also write the report and a C harness that reproduces the error
  hone validate --witness w.yml prog.c     check a witness of any verifier
  hone run prog.c --inputs 3,-1            execute a program with given inputs
  hone cfa prog.c --function main --format dot

Exit codes: 0 true, 1 false, 2 wrong usage or unreadable input, 3 unknown;
of `validate`: 0 witness confirmed, 1 refuted; of `run`: 1 the error was reached";

const RUN_EXAMPLES: &str = "\
Exit codes: 0 the program ended normally, 1 the error was reached, 2 wrong usage or unreadable input, 3 the run ended in another way
(a limit, undefined behaviour, something that is not modelled)

Examples:
  hone run prog.c --inputs 3,-1,0x10
  hone run prog.c --seed 7";

const CHECK_EXAMPLES: &str = "\
The last line of the report is `verdict: true`, `verdict: false(unreach-call)` or `verdict: unknown (REASON)`.
Without --property, an error is a failed assertion, a call of reach_error() or __VERIFIER_error(), or label ERROR.

Examples:
  hone check prog.c
  hone check --unwind 10 --timeout 5min prog.c
  hone check --property no-call.prp --data-model ILP32 prog.i
  hone check --config explicit-bfs --check-proof prog.c
  hone check --format json a.yml b.yml > results.jsonl";

const VALIDATE_EXAMPLES: &str = "\
The last line of the report is
  verdict: true                  a correctness witness is confirmed: its invariants hold and suffice
  verdict: false(unreach-call)   a violation witness is confirmed: a run follows it to the violation
  verdict: refuted (WHY)         the invariants do not hold or do not suffice, or no run follows the violation witness
  verdict: unknown (REASON)      neither was shown
Exit codes: 0 confirmed, 1 refuted, 2 wrong usage, unreadable input, or a witness that does not fit the program, 3 unknown

Examples:
  hone check --output out prog.c && hone validate --witness out/witness.yml prog.c
  hone validate --witness witness.yml --property unreach-call.prp --timeout 90s prog.i";

/// Examples, and the configurations with what they do.
fn check_help() -> String {
    let presets = driver::config::presets();
    let width = presets.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = presets.iter().enumerate().map(|(i, (name, description))| {
        let default = if i == 0 { " [default]" } else { "" };
        format!("\n  {name:width$}  {description}{default}")
    });
    format!("{CHECK_EXAMPLES}\n\nConfigurations (--config):{}", lines.collect::<String>())
}

/// Verifies C programs: proves that no error can be reached, or shows the run that reaches it.
#[derive(Parser, Debug)]
#[command(name = "hone", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Show every step of an error path; twice: log what Hone does, on stderr
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
}

/// A command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check programs against a property
    #[command(after_help = check_help(), args_override_self = true)]
    Check(CheckArgs),
    /// Check a verification witness (formats 2.0 and 2.1) against its program
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate(ValidateArgs),
    /// Execute a program with given or random inputs
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Show the control-flow automata of a program
    Cfa(CfaArgs),
    /// Show the loops of a program and the strategies that abstract them
    Loops(LoopsArgs),
    /// Prove a program, and write what is known of its loops and functions into it
    Contracts(ContractsArgs),
    /// Show the harnesses of a project
    List(ListArgs),
    /// Write a hone.toml for a compile_commands.json or a folder with CBMC proofs
    Init(InitArgs),
}

/// How a source file is read.
#[derive(clap::Args, Debug)]
pub struct SourceArgs {
    /// Sizes of int, long and pointers [default: LP64; a task definition's own wins]
    #[arg(long, ignore_case = true, value_name = "MODEL", value_parser = choice::<MachineModel>())]
    pub data_model: Option<MachineModel>,

    /// Which byte of a number has the lowest address [default: little]
    #[arg(long, value_name = "ORDER", value_parser = choice::<ByteOrder>())]
    pub endianness: Option<ByteOrder>,

    /// Function at which runs begin [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// What is checked; a property file's own win [default: all up to float-cast but cleanup; assertions for task definitions]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice::<CheckKind>())]
    pub checks: Vec<CheckKind>,

    /// What becomes of allocations [default: may-fail; never-fails for properties in files and task definitions]
    #[arg(long, value_name = "WHAT", value_parser = choice::<Allocation>())]
    pub malloc: Option<Allocation>,

    /// Flag as for a C compiler, also without `--cflag`: -I -D -U -include -isystem -iquote -nostdinc -std= -m32 -m64 -f[un]signed-char -fshort-enums
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<String>,

    /// Leave out the body of a function, but for a stub
    #[arg(long, value_name = "FUNCTION")]
    pub remove_body: Vec<String>,

    /// Check a function against its contract, and loops against theirs
    #[arg(long, value_name = "FUNCTION")]
    pub check_contract: Vec<String>,

    /// Let the contract of a function stand for its body
    #[arg(long, value_name = "FUNCTION")]
    pub use_contract: Vec<String>,

    /// Check loops against their contracts
    #[arg(long)]
    pub loop_contracts: bool,

    /// Read annotations in ACSL: comments that begin with `/*@` or `//@`
    #[arg(long)]
    pub acsl: bool,

    /// C compiler that preprocesses, with arguments that it always gets [default: cc]
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,

    /// Flags of files from a compile_commands.json; without FILE, or with --target, its files, too
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,

    /// Files of --compile-commands that are made into what matches this regular expression
    #[arg(long, value_name = "REGEX", requires = "compile_commands")]
    pub target: Option<String>,

    /// File whose functions stand for those that other files define
    #[arg(long, value_name = "FILE.c")]
    pub stub: Vec<PathBuf>,

    /// Folder (or compile_commands.json) with files that define what is called and not defined; they are taken as needed
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,

    #[command(flatten)]
    pub environment: EnvironmentArgs,
}

/// Limits.
#[derive(clap::Args, Debug)]
pub struct LimitArgs {
    /// Time limit for each program, such as 500ms, 60s, 5min
    #[arg(long, value_name = "TIME", value_parser = Duration::read)]
    pub timeout: Option<Duration>,

    /// Memory limit, such as 512MiB, 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_bytes)]
    pub memory: u64,
}

/// Arguments of `hone check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Files of a C program (.c, .i), or SV-COMP task definitions (.yml), one after another; or harnesses of hone.toml [default: all harnesses]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Configuration [default: portfolio]; see the list below
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,

    /// Property file of SV-COMP
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub options: ConfigArgs,

    /// Form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    pub format: ReportFormat,

    /// Write report, result, witness, abstract states and harness into this folder
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Write the witness (YAML 2.0) into this file
    #[arg(long, value_name = "FILE.yml")]
    pub witness: Option<PathBuf>,

    /// Show statistics
    #[arg(long)]
    pub stats: bool,

    /// Project whose harnesses are checked [default: hone.toml in this folder or above]
    #[arg(long, value_name = "hone.toml")]
    pub project: Option<PathBuf>,

    /// Harnesses that are checked at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Check only a part of the harnesses, such as 2/5
    #[arg(long, value_name = "I/N", value_parser = Shard::read)]
    pub shard: Option<Shard>,

    /// Write a report on the harnesses in JUnit XML
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
}

/// Arguments of `hone list`.
#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Project [default: hone.toml in this folder or above]
    #[arg(long, value_name = "hone.toml")]
    pub project: Option<PathBuf>,

    /// Form of the list
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub format: ListFormat,
}

/// Arguments of `hone init`.
#[derive(clap::Args, Debug)]
pub struct InitArgs {
    /// compile_commands.json, or folder with CBMC proofs
    #[arg(value_name = "FROM", default_value = ".")]
    pub from: PathBuf,
}

/// Arguments of `hone validate`.
#[derive(clap::Args, Debug)]
pub struct ValidateArgs {
    /// Files of a C program (.c, .i), or one SV-COMP task definition (.yml)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Witness to validate
    #[arg(long, value_name = "FILE.yml", required = true)]
    pub witness: PathBuf,

    /// Property file of SV-COMP [default: the witness's]
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Form of the report
    #[arg(long, value_enum, default_value_t = ValidationFormat::Human)]
    pub format: ValidationFormat,

    /// Show statistics
    #[arg(long)]
    pub stats: bool,
}

/// Arguments of `hone run`.
#[derive(clap::Args, Debug)]
pub struct RunArgs {
    /// Files of a C program (.c, .i), or one SV-COMP task definition (.yml)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Inputs in the order of the calls, such as 3,-1,0x10; what is missing is zero
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true, conflicts_with = "seed", value_parser = Number::read)]
    pub inputs: Vec<Number>,

    /// Random inputs with this seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// Arguments of `hone cfa`.
#[derive(clap::Args, Debug)]
pub struct CfaArgs {
    /// Files of a C program (.c, .i), or one SV-COMP task definition (.yml)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: SourceArgs,

    /// Show only this function
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,

    /// Show the strategies that abstract loops
    #[arg(long, value_name = "SWITCH", default_value = "off", value_parser = choice::<Switch>())]
    pub loop_abstraction: Switch,

    /// Form of the output
    #[arg(long, value_enum, default_value_t = CfaFormat::Text)]
    pub format: CfaFormat,

    /// Show sizes and times instead of the automata
    #[arg(long)]
    pub stats: bool,
}

/// Arguments of `hone loops`.
#[derive(clap::Args, Debug)]
pub struct LoopsArgs {
    /// C program (.c, .i) or SV-COMP task definition (.yml)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub source: SourceArgs,

    /// Property file of SV-COMP: what may violate it is kept
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,

    /// Write a patch for each loop and strategy into this folder, for `patch -p1`
    #[arg(long, value_name = "DIR")]
    pub patches: Option<PathBuf>,

    /// Print the program with accelerated loops as C instead, with or without what acceleration makes redundant
    #[arg(long, value_name = "HOW", conflicts_with = "patches", value_parser = choice::<Mode>())]
    pub instrument: Option<Mode>,
}

/// Arguments of `hone contracts`.
#[derive(clap::Args, Debug)]
pub struct ContractsArgs {
    /// Files of a C program (.c, .i), or one SV-COMP task definition (.yml)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Configuration [default: portfolio]
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,

    /// Property file of SV-COMP
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub options: ConfigArgs,

    /// How contracts are written
    #[arg(long, value_name = "STYLE", default_value = "cbmc", value_parser = choice::<Style>())]
    pub style: Style,

    /// Write the changed files into this folder, instead of a patch to stdout
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Forms of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Human,
    /// For programs: one document for a program, or for the harnesses of a project
    Json,
    /// SARIF 2.1.0, for code scanning: one document for a program, or for the harnesses of a project
    Sarif,
}

/// Forms of a report on a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ValidationFormat {
    /// For people
    Human,
    /// For programs
    Json,
}

/// Forms of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ListFormat {
    /// For people
    Human,
    /// For programs
    Json,
}

/// Forms of automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CfaFormat {
    /// Graphviz
    Dot,
    /// For programs
    Json,
    /// For people
    Text,
}

/// The smallest limit that a run can begin with.
const LEAST_MEMORY: f64 = 1_048_576.0;

/// `512MiB`, `4GiB`, `500MB`; a number without unit is in bytes.
fn parse_bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 11] = [
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("K", 1024.0),
        ("M", 1_048_576.0),
        ("G", 1_073_741_824.0),
        ("B", 1.0),
        ("", 1.0),
    ];
    let bytes = with_unit(text, &UNITS).ok_or("expected a size such as 512MiB or 4GiB")?;
    match bytes {
        LEAST_MEMORY..1e18 => Ok(bytes as u64),
        // Who forgets the unit rarely means bytes.
        _ if bytes < LEAST_MEMORY && text.trim().ends_with(|c: char| c.is_ascii_digit()) => {
            Err(format!("{text} bytes are too few; did you mean {text}GiB or {text}MiB?"))
        }
        _ => Err("the size must be between 1MiB and 1 EB".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_is_short_and_options_are_few() {
        let mut command = Args::command();
        assert!(command.render_help().to_string().lines().count() <= 34);
        let options: std::collections::BTreeSet<String> =
            command.get_subcommands().flat_map(|c| c.get_arguments()).map(|a| a.get_id().to_string()).collect();
        assert!(options.len() <= 60);
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("512MiB"), Ok(512 << 20));
        assert_eq!(parse_bytes("4GiB"), Ok(4 << 30));
        assert_eq!(parse_bytes("1.5gib"), Ok(3 << 29));
        assert_eq!(parse_bytes("4000000000"), Ok(4_000_000_000));
        assert!(parse_bytes("4").is_err_and(|why| why.contains("4GiB")));
        assert!(parse_bytes("0").is_err());
        assert!(parse_bytes("many").is_err());
    }
}
