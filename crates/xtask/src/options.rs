//! Options that several tasks share.

use clap::ValueEnum;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModels {
    /// 64 bits.
    #[value(name = "LP64")]
    Lp64,
    /// 32 bits.
    #[value(name = "ILP32")]
    Ilp32,
    /// Both, with each program.
    Both,
}

impl DataModels {
    /// The data models.
    pub fn each(self) -> &'static [DataModel] {
        match self {
            DataModels::Lp64 => &[DataModel::Lp64],
            DataModels::Ilp32 => &[DataModel::Ilp32],
            DataModels::Both => &[DataModel::Lp64, DataModel::Ilp32],
        }
    }
}

/// Which comparisons are made with random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Parts {
    /// Outputs of runs.
    Runs,
    /// And proofs and counterexamples, which take far longer.
    All,
}

/// Options of tests with random inputs.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Random {
    /// The binary
    #[arg(long, default_value = "target/release/hone")]
    pub hone: PathBuf,
    /// How many programs
    #[arg(long, default_value_t = 50)]
    pub count: u64,
    /// Where random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Programs at a time [default: one for each processor]
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Where a program that shows a problem is kept
    #[arg(long, default_value_os_t = std::env::temp_dir().join("hone-problems"))]
    pub keep: PathBuf,
}

/// Parses arguments as the command line does.
///
/// # Panics
/// If they are wrong: this is for tests.
#[cfg(test)]
pub fn parse<T: clap::Args>(args: &[&str]) -> T {
    let command = T::augment_args(clap::Command::new("test").no_binary_name(true));
    T::from_arg_matches(&command.get_matches_from(args)).expect("arguments")
}
