//! Flags as for a C compiler: they become values of `--cflag` before the other arguments are read, because no other option is written like
//! `-isystem DIR` or `-std=c99`. Those of optimisation, warnings and debugging are left out.

use base::Diagnostic;
use driver::Failure;
use driver::flags::{Word, read_word};
use std::ffi::OsString;

/// What can be used of a compiler's command line.
const KNOWN: &str = "Hone knows -I -D -U -include -isystem -iquote -idirafter -nostdinc -std= -m32 -m64 -f[un]signed-char -fshort-enums";

/// The arguments with flags of C compilers as values of `--cflag`, each in one word.
///
/// # Errors
/// If one is no flag that Hone can follow.
pub fn translated(args: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, Failure> {
    let mut args = args.peekable();
    let mut out: Vec<OsString> = args.next().into_iter().collect();
    while let Some(arg) = args.next() {
        if arg == "--" {
            out.push(arg);
            out.extend(args);
            break;
        }
        // Its value is none that has to be translated.
        if arg == "--cflag"
            && let Some(flag) = args.next()
        {
            let mut whole = OsString::from("--cflag=");
            whole.push(flag);
            out.push(whole);
            continue;
        }
        let Some(word) = arg.to_str().filter(|word| is_candidate(word)) else {
            out.push(arg);
            continue;
        };
        let next = || args.next().and_then(|next| next.into_string().ok());
        match read_word(word, None, next) {
            Word::Flag(flag) => out.push(format!("--cflag={flag}").into()),
            Word::Action => return Err(fail(format!("`{word}` says what a compiler has to do"), "leave it out")),
            Word::Idle => {}
            Word::Unmodelled(help) => return Err(fail(format!("`{word}` is not modelled"), help)),
            Word::Incomplete(flag) => {
                return Err(fail(format!("`{flag}` has no value"), "give it, as for a C compiler"));
            }
            Word::Unknown | Word::Other => out.push(arg),
        }
    }
    Ok(out)
}

/// Whether an argument may be a compiler's: Hone's own options begin with two dashes, but for those for help, version and details.
fn is_candidate(word: &str) -> bool {
    let is_own = word.strip_prefix('-').is_some_and(|rest| rest.chars().all(|c| matches!(c, 'v' | 'h' | 'V')));
    !is_own && (!word.starts_with("--") || word.starts_with("--std=") || word.starts_with("--sysroot="))
}

fn fail(message: String, help: &str) -> Failure {
    Failure::new(Diagnostic::error("E0070", None, message).help(format!("{help}; {KNOWN}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &str, expected: &str) {
        let args = args.split(' ').map(OsString::from);
        let words = translated(args).expect("arguments");
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn flags() {
        check("hone check -I inc -DX a.c", "hone check --cflag=-Iinc --cflag=-DX a.c");
        check("hone check -isystem sys -std=c99 -v a.c", "hone check --cflag=-isystemsys --cflag=-std=c99 -v a.c");
        check("hone run --inputs -3,-1 -m32 -- -I", "hone run --inputs -3,-1 --cflag=-m32 -- -I");
        check("hone check --cflag -DX a.c", "hone check --cflag=-DX a.c");
        check("hone check --checks memory -vv", "hone check --checks memory -vv");
        check("hone check -O2 -Wall -w -g3 -fPIC -pipe -pedantic -fwrapv a.c", "hone check a.c");
        check("hone check -Wp,-DX -Wp,-MD,a.d a.c", "hone check --cflag=-Wp,-DX a.c");
    }

    #[test]
    fn errors() {
        let message = |arg: &str| {
            let failure = translated(["hone", "check", arg].map(OsString::from).into_iter()).expect_err("an error");
            failure.diagnostics[0].message.clone()
        };
        assert!(message("-c").contains("has to do"));
        assert!(message("-ofile").contains("has to do"));
        assert!(message("-fpack-struct").contains("not modelled"));
        assert!(message("-I").contains("no value"));
    }
}
