//! Random programs, and how gcc compiles them.

use super::TOOL_LIMIT;
use crate::options::DataModel;
use crate::process;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the headers of Csmith are.
pub const HEADERS: &str = "/usr/include/csmith";

/// Options of Csmith; programs take turns.
const STYLES: &[&[&str]] = &[
    &["--max-funcs", "6", "--max-block-depth", "4"],
    &["--max-funcs", "4", "--float"],
    &[
        "--max-funcs",
        "6",
        "--no-volatiles",
        "--inline-function",
        "--max-struct-fields",
        "20",
        "--max-union-fields",
        "8",
    ],
    &["--max-funcs", "4", "--max-block-depth", "3", "--builtins"],
    &["--max-funcs", "5", "--const-as-condition", "--max-pointer-depth", "4", "--max-array-dim", "4"],
    &["--max-funcs", "12", "--max-block-depth", "3", "--no-arrays"],
    &[],
    &["--max-funcs", "4", "--float", "--builtins", "--no-packed-struct"],
];

/// Builtins whose result is undefined for zero, or that not all compilers have, with what takes their place.
const REPLACED: &[(&str, &str)] = &[
    ("__builtin_clz", "static int safe_clz(unsigned x) { return x ? __builtin_clz(x) : 32; }"),
    ("__builtin_clzl", "static int safe_clzl(unsigned long x) { return x ? __builtin_clzl(x) : 8 * (int)sizeof x; }"),
    ("__builtin_clzll", "static int safe_clzll(unsigned long long x) { return x ? __builtin_clzll(x) : 64; }"),
    ("__builtin_ctz", "static int safe_ctz(unsigned x) { return x ? __builtin_ctz(x) : 32; }"),
    ("__builtin_ctzl", "static int safe_ctzl(unsigned long x) { return x ? __builtin_ctzl(x) : 8 * (int)sizeof x; }"),
    ("__builtin_ctzll", "static int safe_ctzll(unsigned long long x) { return x ? __builtin_ctzll(x) : 64; }"),
    (
        "__builtin_ia32_crc32qi",
        "static unsigned safe_crc32qi(unsigned a, unsigned char b) { return (a ^ b) * 31u + (a >> 7); }",
    ),
];

/// A random program.
pub struct Program {
    /// Its seed.
    pub seed: u64,
    /// Its text.
    pub text: String,
}

/// Which options the program of a seed is made with.
fn style(seed: u64) -> usize {
    usize::try_from(seed % STYLES.len() as u64).unwrap_or_default()
}

/// The options, for reports.
pub fn options(seed: u64) -> String {
    STYLES[style(seed)].join(" ")
}

/// Generates a program; `None` if there is none for this seed.
///
/// # Errors
/// If Csmith or the disk fails.
pub fn generate(folder: &Path, seed: u64) -> Result<Option<Program>, String> {
    let file = folder.join(format!("{seed}.raw.c"));
    let style = STYLES[style(seed)];
    let mut csmith = Command::new("csmith");
    csmith.args(["--concise", "--seed", &seed.to_string()]).args(style).arg("--output").arg(&file);
    // It writes a file `platform.info` where it runs.
    if process::run(csmith.current_dir(folder), TOOL_LIMIT)?.code != Some(0) {
        return Ok(None);
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let _ = fs::remove_file(&file);
    Ok(Some(Program { seed, text: replace_builtins(&text) }))
}

fn replace_builtins(text: &str) -> String {
    let (mut head, mut text) = (String::new(), text.to_owned());
    for (builtin, definition) in REPLACED {
        let call = format!("{builtin}(");
        if text.contains(&call) {
            let name = builtin.replace("__builtin_ia32_", "safe_").replace("__builtin_", "safe_");
            text = text.replace(&call, &format!("{name}("));
            head += definition;
            head.push('\n');
        }
    }
    head + &text
}

/// gcc's flags for arithmetic like the machine model's: IEEE formats without excess precision, which x87 registers have.
fn arithmetic_flags(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Lp64 => &[],
        DataModel::Ilp32 => &["-msse2", "-mfpmath=sse"],
    }
}

/// gcc's flag for a data model.
pub fn gcc_flag(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    }
}

/// Compiles the files of a program; what gcc says if it doesn't like it.
///
/// # Errors
/// If gcc can't be started.
pub fn compile(
    sources: &[PathBuf],
    binary: &Path,
    model: DataModel,
    flags: &[&str],
) -> Result<Result<(), String>, String> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv", gcc_flag(model), "-I", HEADERS]).args(arithmetic_flags(model)).args(flags);
    let ended = process::run(gcc.arg("-o").arg(binary).args(sources).arg("-lm"), TOOL_LIMIT)?;
    Ok(if ended.code == Some(0) { Ok(()) } else { Err(ended.stderr) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_replaced() {
        let text = replace_builtins("x = __builtin_clz(__builtin_clzl(y));");
        assert!(text.ends_with("\nx = safe_clz(safe_clzl(y));"), "{text}");
        assert_eq!(text.lines().count(), 3);
        assert_eq!(replace_builtins("__builtin_popcount(1)"), "__builtin_popcount(1)");
    }
}
