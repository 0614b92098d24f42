//! Options of the tasks that run the binary.

use std::fmt;
use std::path::PathBuf;

/// Sizes of `long` and of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// 64 bits.
    Lp64,
    /// 32 bits.
    Ilp32,
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        })
    }
}

/// Which data models are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModels {
    /// This one.
    Only(DataModel),
    /// Both, with each program.
    Both,
}

impl DataModels {
    /// The data models.
    pub fn each(self) -> &'static [DataModel] {
        match self {
            DataModels::Only(DataModel::Lp64) => &[DataModel::Lp64],
            DataModels::Only(DataModel::Ilp32) => &[DataModel::Ilp32],
            DataModels::Both => &[DataModel::Lp64, DataModel::Ilp32],
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "LP64" => Ok(DataModels::Only(DataModel::Lp64)),
            "ILP32" => Ok(DataModels::Only(DataModel::Ilp32)),
            "both" => Ok(DataModels::Both),
            _ => Err(format!("the data model is LP64, ILP32 or both, not {text}")),
        }
    }
}

/// Which comparisons are made with random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// Outputs of runs.
    Runs,
    /// And proofs and counterexamples, which take far longer.
    All,
}

impl Parts {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "runs" => Ok(Parts::Runs),
            "all" => Ok(Parts::All),
            _ => Err(format!("the parts are runs or all, not {text}")),
        }
    }
}

/// Options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The binary to test.
    pub hone: PathBuf,
    /// How many programs.
    pub count: u64,
    /// Where random numbers begin.
    pub seed: u64,
    /// Data models of random programs.
    pub data_model: DataModels,
    /// What is compared.
    pub parts: Parts,
    /// How many programs are tested at a time; `None`: as many as there are processors.
    pub jobs: Option<usize>,
    /// Time that `hone` gets for a mutant or a task, in seconds.
    pub limit: u64,
    /// Where a program that shows a problem is kept.
    pub keep: PathBuf,
    /// Configuration of `hone` that is measured.
    pub config: String,
    /// Where results are written.
    pub out: PathBuf,
    /// The table of a paper that is made.
    pub table: Option<String>,
    /// Only every so many tasks run.
    pub every: usize,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
}

/// Parses the arguments behind the command.
///
/// # Errors
/// If an option is unknown or lacks its value.
pub fn parse(args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        hone: PathBuf::from("target/release/hone"),
        count: 50,
        seed: 1,
        data_model: DataModels::Both,
        parts: Parts::All,
        jobs: None,
        limit: 5,
        keep: std::env::temp_dir().join("hone-problems"),
        config: "portfolio".to_owned(),
        out: PathBuf::from("."),
        table: None,
        every: 1,
        paths: Vec::new(),
    };
    let mut args = args;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is no number"));
        match arg.as_str() {
            "--hone" => options.hone = value()?.into(),
            "--count" => options.count = number(value()?)?,
            "--seed" => options.seed = number(value()?)?,
            "--data-model" => options.data_model = DataModels::parse(&value()?)?,
            "--parts" => options.parts = Parts::parse(&value()?)?,
            "--jobs" => options.jobs = Some(value()?.parse().map_err(|_| "--jobs needs a number".to_owned())?),
            "--limit" => options.limit = number(value()?)?,
            "--config" => options.config = value()?,
            "--out" => options.out = value()?.into(),
            "--table" => options.table = Some(value()?),
            "--every" => options.every = value()?.parse().map_err(|_| "--every needs a number".to_owned())?,
            "--keep" => options.keep = value()?.into(),
            _ if arg.starts_with('-') => return Err(format!("unknown option {arg}")),
            _ => options.paths.push(arg.into()),
        }
    }
    Ok(options)
}
