//! Options of the tasks that run the binary.

use std::path::PathBuf;

/// Options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The binary to test.
    pub hone: PathBuf,
    /// How many programs.
    pub count: u64,
    /// Where random numbers begin.
    pub seed: u64,
    /// Where a program that shows a problem is kept.
    pub keep: PathBuf,
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
        keep: std::env::temp_dir().join("hone-problems"),
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
            "--keep" => options.keep = value()?.into(),
            _ if arg.starts_with('-') => return Err(format!("unknown option {arg}")),
            _ => options.paths.push(arg.into()),
        }
    }
    Ok(options)
}
