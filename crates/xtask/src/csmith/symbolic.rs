//! Lets `hone check` prove what gcc computes.
//!
//! The program gets an input of [`INPUTS`] values, which is added to some of its global variables before it starts. Compiled
//! by gcc, it prints the final values of its variables for each input. For `hone check`, the input is unknown, and the program
//! fails if a variable has another value than that: nothing may fail, except when one expected value is changed.

use super::files::Sources;
use super::native::NATIVE_LIMIT;
use super::program::{self, HEADERS, Program};
use super::{Bench, Verdict};
use crate::options::DataModel;
use crate::process;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Number of values of the input.
const INPUTS: usize = 3;
/// Most variables that depend on the input.
const VARIABLES: usize = 12;
/// Programs with more final values than this are left out.
const MAX_VALUES: usize = 2_000;
/// Time that `hone check` gets.
const HONE_LIMIT: Duration = Duration::from_secs(30);

/// Undefined behaviour that an input may bring about makes a program unfit. Hone doesn't mind unaligned accesses.
const SANITIZED: &[&str] =
    &["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"];

/// Final values: for each input, one for each variable.
type Values = Vec<Vec<u64>>;

/// Compares one program: the proof, and the counterexample after a change.
///
/// # Errors
/// If a tool can't be started, or the disk fails.
pub fn compare(bench: &Bench<'_>, program: &Program, model: DataModel) -> Result<Vec<Verdict>, String> {
    let Some(text) = with_input(program) else { return Ok(vec![Verdict::LeftOut]) };
    let Some(mut values) = values(bench, program.seed, &text, model)? else { return Ok(vec![Verdict::LeftOut]) };
    let proof = check(bench, &format!("{}-{model}-true", program.seed), &checked(&text, &values), model, Some(0))?;
    let seed = usize::try_from(program.seed).unwrap_or_default();
    let row = &mut values[seed % INPUTS];
    let place = seed / INPUTS % row.len();
    row[place] ^= 1 << (seed % 8);
    let refuted = check(bench, &format!("{}-{model}-false", program.seed), &checked(&text, &values), model, Some(1))?;
    Ok(vec![proof, refuted])
}

/// The program with `INIT_INPUT` before its start, and an input that reaches some variables; `None` if it has none.
fn with_input(program: &Program) -> Option<String> {
    let start = program.text.find("crc32_gentab();")?;
    let mut additions = String::from("INIT_INPUT ");
    let mut count = 0;
    for (index, name) in program.text.lines().filter_map(integer_global).enumerate() {
        // Those that are only hashed at the end tell nothing.
        if count < VARIABLES && program.text.matches(name).count() > 3 {
            // Some get small changes, and some large ones.
            let factor = [1u64, 1, 3, 0xff, 0xffff_ffff, 0x1_0000_0001][(program.seed as usize + index) % 6];
            let _ = write!(additions, "{name} += input_ * {factor}ull; ");
            count += 1;
        }
    }
    let end = program.text[start..].find("platform_main_end(").map(|at| start + at)?;
    let rest = program.text[end..].find(';').map(|at| end + at + 1)?;
    let text = &program.text;
    let changed =
        format!("{}{additions}{}{}", &text[..start], &text[start + "crc32_gentab();".len()..end], &text[rest..]);
    (count > 0).then_some(changed)
}

/// The name of the variable that a line declares, if it is a global integer that can be written.
fn integer_global(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("static ")?;
    let rest = rest.strip_prefix("volatile ").unwrap_or(rest);
    let (ty, rest) = rest.split_once(' ')?;
    let bits = ty.strip_prefix('u').unwrap_or(ty).strip_prefix("int")?.strip_suffix("_t")?;
    let (name, _) = rest.split_once(" = ")?;
    (bits.parse::<u32>().is_ok() && name.starts_with("g_") && !name.contains('[')).then_some(name)
}

/// Adds definitions behind the inclusion of Csmith's header.
fn with_definitions(text: &str, definitions: &str) -> String {
    text.replacen("#include \"csmith.h\"", &format!("#include \"csmith.h\"\n{definitions}"), 1)
}

/// `transparent_crc_bytes`, byte for byte.
const BYTES: &str = "#define transparent_crc_bytes(p, c, n, f) do { unsigned i_; for (i_ = 0; i_ < (c); i_++) \
     transparent_crc(((unsigned char *)(p))[i_], n, f); } while (0)\n";

/// The final values for each input, by gcc; `None` if the program is not fit.
fn values(bench: &Bench<'_>, seed: u64, text: &str, model: DataModel) -> Result<Option<Values>, String> {
    let definitions = format!(
        "#include <stdlib.h>\nstatic int input_;\n#define INIT_INPUT input_ = atoi(argv[1]);\n\
         #define transparent_crc(v, n, f) printf(\"%llu\\n\", (unsigned long long)(uint64_t)(v))\n{BYTES}"
    );
    let sources = Sources::write(bench, &format!("{seed}-{model}-values"), &with_definitions(text, &definitions))?;
    let binaries = [sources.beside("sanitized"), sources.beside("plain")];
    let mut rows = Some(Vec::new());
    for (binary, flags) in binaries.iter().zip([SANITIZED, &[]]) {
        if program::compile(&sources.files, binary, model, flags)?.is_err() {
            rows = None;
        }
    }
    for input in 0..INPUTS {
        rows = match rows {
            Some(rows) => appended(rows, &binaries, input)?,
            None => break,
        };
    }
    binaries.iter().for_each(|file| drop(fs::remove_file(file)));
    sources.remove();
    Ok(rows.filter(|rows| rows.iter().all(|row| row.len() == rows[0].len())))
}

/// Appends the values for one input; `None` if one of the binaries doesn't end well.
fn appended(mut rows: Values, binaries: &[PathBuf], input: usize) -> Result<Option<Values>, String> {
    let mut row = Vec::new();
    for binary in binaries {
        let ended = process::run(Command::new(binary).arg(input.to_string()), NATIVE_LIMIT)?;
        row = ended.stdout.lines().filter_map(|line| line.parse().ok()).collect();
        if ended.code != Some(0) || row.is_empty() || row.len() > MAX_VALUES {
            return Ok(None);
        }
    }
    rows.push(row);
    Ok(Some(rows))
}

/// The program that fails if a value is not the expected one.
fn checked(text: &str, values: &Values) -> String {
    let mut definitions = format!("static const uint64_t expected_[{INPUTS}][{}] = {{", values[0].len());
    for row in values {
        let row: Vec<String> = row.iter().map(|value| format!("{value}ull")).collect();
        let _ = writeln!(definitions, "{{{}}},", row.join(","));
    }
    // A choice among elements of known places: a place that depends on the input would only test that.
    let mut expected = format!("expected_[{}][count_]", INPUTS - 1);
    for input in (0..INPUTS - 1).rev() {
        expected = format!("(input_ == {input} ? expected_[{input}][count_] : {expected})");
    }
    let _ = write!(
        definitions,
        "}};\nstatic int count_, input_;\nextern void reach_error(void);\nextern void __VERIFIER_assume(int);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         #define INIT_INPUT input_ = __VERIFIER_nondet_uchar(); __VERIFIER_assume(input_ < {INPUTS});\n\
         #define transparent_crc(v, n, f) do {{ if ((uint64_t)(v) != {expected}) reach_error(); count_++; }} while (0)\n\
         {BYTES}"
    );
    with_definitions(text, &definitions)
}

/// Runs `hone check`, whose exit code is known.
fn check(bench: &Bench<'_>, name: &str, text: &str, model: DataModel, code: Option<i32>) -> Result<Verdict, String> {
    let sources = Sources::write(bench, name, text)?;
    let mut hone = Command::new(&bench.options.random.hone);
    hone.args([
        "check",
        "--config",
        "bmc",
        "--checks",
        "assertions",
        "--data-model",
        &model.to_string(),
        "-I",
        HEADERS,
        "--timeout",
    ]);
    hone.arg(format!("{}s", HONE_LIMIT.as_secs())).args(&sources.files);
    let ours = process::run(&mut hone, HONE_LIMIT + Duration::from_secs(20))?;
    let last = ours.stdout.lines().last().unwrap_or_default();
    let verdict = if ours.code == code {
        Verdict::Same
    } else {
        let kept = sources.keep(bench);
        if ["verdict: unknown (timeout)", "verdict: unknown (memory)"].contains(&last) {
            Verdict::Slow(kept)
        } else {
            Verdict::Problem(format!("{kept}: hone says {last:?} (exit {:?}): {}", ours.code, ours.stderr.trim()))
        }
    };
    sources.remove();
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globals() {
        assert_eq!(integer_global("static int32_t g_2 = 5L;"), Some("g_2"));
        assert_eq!(integer_global("static volatile uint8_t g_71 = 0x1L;/* VOLATILE GLOBAL g_71 */"), Some("g_71"));
        for other in [
            "static const int32_t g_2 = 5L;",
            "static int32_t g_2[3] = {1L,2L,3L};",
            "static int32_t *g_2 = &g_3;",
            "static struct S0 g_2 = {1};",
            "static float g_2 = 0x1p+1;",
            "int32_t l_2 = 5L;",
        ] {
            assert_eq!(integer_global(other), None, "{other}");
        }
    }

    #[test]
    fn input_and_values_are_inserted() {
        let text = "#include \"csmith.h\"\nstatic int32_t g_2 = 5L;\ng_2 g_2 g_2\n    crc32_gentab();\n    func_1();\n\
                    transparent_crc(g_2, \"g_2\", f);\n    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, f);\n return 0;\n";
        let program = Program { seed: 0, text: text.to_owned() };
        let text = with_input(&program).unwrap_or_default();
        assert!(text.contains("    INIT_INPUT g_2 += input_ * 1ull; \n    func_1();\n"), "{text}");
        assert!(!text.contains("platform_main_end"), "{text}");
        let text = checked(&text, &vec![vec![1, 2], vec![3, 4], vec![5, 6]]);
        assert!(text.contains("expected_[3][2] = {{1ull,2ull},\n{3ull,4ull},\n{5ull,6ull},\n};"), "{text}");
        assert!(text.contains("(input_ == 0 ? expected_[0][count_] : (input_ == 1 ? expected_[1][count_] :"), "{text}");
    }
}
