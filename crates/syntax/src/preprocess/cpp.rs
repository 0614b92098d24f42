//! Runs the system's C preprocessor.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use base::{ByteOrder, Diagnostic};

use super::macros::machine_macros;
use super::strip::MacroUse;
use super::{Annotations, Options};
use crate::machine_model::Machine;

/// How often one message of the preprocessor is passed on.
const MAX_MESSAGES: usize = 10;

/// What the preprocessor printed.
pub(super) fn run(bytes: &[u8], name: &str, options: &Options<'_>) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let first = attempt(bytes, name, options, &[])?;
    let failure = match first {
        Ok(text) => return Ok(text),
        Err(failure) => failure,
    };
    if options.machine == Machine::Ilp32 && options.headers.is_none() {
        // Without 32-bit libraries, the headers that depend on the machine lie only in the 64-bit folder; they serve
        // both machines.
        if let Some(folder) = multiarch_folder(options.compiler)
            && let Ok(text) = attempt(bytes, name, options, &["-idirafter".into(), folder])?
        {
            return Ok(text);
        }
    }
    Err(report(name, &failure, options.machine))
}

/// The expansions of names that may be predefined macros, in order; a name that is no macro comes back as it is.
///
/// # Errors
/// If there is no preprocessor, or it doesn't like what it gets.
pub(super) fn expand(
    text: &str,
    macros: &[MacroUse],
    name: &str,
    options: &Options<'_>,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let mut questions = String::new();
    for MacroUse { range, file, line } in macros {
        questions += &format!("{BETWEEN}\n{}{}\n", line_marker(*line, file), &text[range.clone()]);
    }
    questions += BETWEEN;
    let output =
        run(questions.as_bytes(), name, &Options { path: None, annotations: Annotations::Ignored, ..*options })?;
    let output = String::from_utf8_lossy(&output);
    let lines: Vec<_> = output.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut answers = lines.split(|line| *line == BETWEEN).skip(1).map(|words| words.join(" ")).collect::<Vec<_>>();
    answers.pop();
    if answers.len() != macros.len() {
        let message = format!("the C preprocessor does not expand the predefined macros of {name}");
        return Err(vec![Diagnostic::error("E0103", None, message).help("give a preprocessed file (.i)")]);
    }
    Ok(answers)
}

/// Stands between the expansions.
const BETWEEN: &str = "\"<hone>\"";

/// The line that says where the next one comes from.
pub(super) fn line_marker(line: u32, file: &str) -> String {
    format!("# {line} \"{}\"\n", file.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) fn command(compiler: &str) -> Command {
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

/// The output or, in the inner `Err`, what the preprocessor complained about.
fn attempt(
    bytes: &[u8],
    name: &str,
    options: &Options<'_>,
    more: &[OsString],
) -> Result<Result<Vec<u8>, String>, Vec<Diagnostic>> {
    let fail = |message: String| {
        let help = "install a C compiler (gcc or clang), name it with --cc, or give a preprocessed file (.i)";
        vec![Diagnostic::error("E0102", None, message).help(help)]
    };
    let compiler = options.compiler;
    let mut command = command(compiler);
    // The dialect is fixed, since newer compilers make `bool` and others keywords and would leave them in the text.
    // Calls of the functions of `ctype.h` are easier to follow than the tables that macros of glibc's header read.
    command.args(["-E", "-std=gnu11", "-D__NO_CTYPE"]);
    if options.annotations == Annotations::Read {
        // Comments stay, also in macros.
        command.arg("-CC");
    }
    match (options.machine, options.byte_order) {
        _ if options.headers.is_some() => drop(command.args(machine_macros(options.machine, options.byte_order))),
        (Machine::Ilp32, _) => drop(command.arg("-m32")),
        (Machine::Lp64, ByteOrder::Little) if cfg!(target_arch = "x86_64") => drop(command.arg("-m64")),
        // Then the compiler is one for the machine.
        _ => {}
    }
    if let Some(headers) = options.headers {
        // Last of all, so that headers of the user's own win.
        command.arg("-nostdinc").arg("-idirafter").arg(headers);
    }
    command.args(options.args).args(more).args(["-x", "c"]);
    match options.path {
        // A path that starts with a dash isn't an option.
        Some(path) if path.is_relative() && path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
            command.arg(Path::new(".").join(path));
        }
        Some(path) => drop(command.arg(path)),
        None => drop(command.arg("-")),
    }
    command.env("LC_ALL", "C").stdin(if options.path.is_some() { Stdio::null() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let cannot =
        |e: &std::io::Error| fail(format!("{name} needs the C preprocessor, but `{compiler}` can't be run: {e}"));
    let mut child = command.spawn().map_err(|e| cannot(&e))?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A separate writer, so that full pipes on both sides can't block each other.
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // Line numbers start anew after the line marker that names the file.
                let marker = line_marker(1, name);
                let _ = stdin.write_all(marker.as_bytes()).and_then(|()| stdin.write_all(bytes));
            }
        });
        child.wait_with_output()
    });
    let output = output.map_err(|e| cannot(&e))?;
    if output.status.success() {
        return Ok(Ok(output.stdout));
    }
    Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Such as `/usr/include/x86_64-linux-gnu`.
fn multiarch_folder(compiler: &str) -> Option<OsString> {
    let output = command(compiler).arg("-print-multiarch").stderr(Stdio::null()).output().ok()?;
    let triple = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new("/usr/include").join(triple.trim());
    (!triple.trim().is_empty() && folder.is_dir()).then(|| folder.into_os_string())
}

fn report(name: &str, stderr: &str, machine: Machine) -> Vec<Diagnostic> {
    let lines = stderr.lines().filter(|l| l.contains("error:")).take(MAX_MESSAGES);
    let mut errors: Vec<_> = lines
        .map(|line| Diagnostic::error("E0103", None, format!("the C preprocessor failed: {}", line.trim())))
        .collect();
    if errors.is_empty() {
        let detail = stderr.lines().next().unwrap_or("no message");
        errors.push(Diagnostic::error("E0103", None, format!("the C preprocessor failed for {name}: {detail}")));
    }
    let help = if stderr.contains("No such file or directory") {
        match machine {
            Machine::Ilp32 => {
                "give its folder with -I, install the 32-bit headers (such as gcc-multilib), or give a preprocessed file (.i)"
            }
            _ => "give its folder with -I or give a preprocessed file (.i)",
        }
    } else if stderr.contains("-m32") {
        "this compiler can't preprocess for 32 bits; give a preprocessed file (.i)"
    } else if stderr.contains("command-line option") || stderr.contains("command line option") {
        "correct the flag, which is given to the preprocessor"
    } else {
        "correct the file or give a preprocessed one (.i)"
    };
    if let Some(first) = errors.first_mut() {
        first.help = Some(help.to_owned());
    }
    errors
}
