//! Accelerated loops over arrays decide as the loops themselves: random programs with few iterations, which bounded model checking decides
//! without acceleration, too.

use assert_cmd::Command;
use std::fmt::Write as _;
use std::path::Path;

/// Programs that are tried.
const PROGRAMS: u64 = 36;

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    fn choose<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.below(among.len() as u64) as usize]
    }

    /// An expression for what an iteration writes.
    fn value(&mut self) -> String {
        let (c, d) = (self.below(4), self.below(4));
        match self.below(7) {
            0 => format!("{c}"),
            1 => format!("{c} * (int)i + {d}"),
            2 => format!("b[i + {d}] + {c}"),
            3 => format!("a[i + {d}] + {c}"),
            4 => format!("(int)n - {c}"),
            5 => "__VERIFIER_nondet_int()".to_owned(),
            _ => format!("a[i] + b[i + {d}]"),
        }
    }

    fn a_loop(&mut self) -> String {
        let (c, d, o) = (self.below(4), self.below(3), self.below(3));
        let value = self.value();
        match self.below(7) {
            0 => format!("for (i = {d}; i < n; i++) a[i + {o}] = {value};"),
            1 => format!("for (i = 0; i < n; i++) {{ a[i] = {value}; b[i + {o}] = {c}; }}"),
            2 => format!("for (i = 0; i < n; i++) {{ a[2 * i] = {value}; a[2 * i + 1] = {c}; }}"),
            3 => format!("for (i = n; i > 0; i--) b[i - 1 + {o}] = {value};"),
            4 => format!("i = {d}; while (i < n && a[i + {o}] != {c}) i++;"),
            5 => format!("for (i = 0; i < n; i++) if (a[i] == {c} + 40) reach_error();"),
            _ => format!("for (i = 0; i != n; i++) b[{} - i] = {value};", 8 + o),
        }
    }

    /// A program; arrays are small or large, which are told in different ways.
    fn program(&mut self) -> String {
        let size = self.choose(&["20", "300"]);
        let index = self.choose(&["unsigned", "int"]);
        let mut text = format!(
            "extern unsigned __VERIFIER_nondet_uint(void);\nextern int __VERIFIER_nondet_int(void);\n\
             extern void __VERIFIER_assume(int);\nextern void reach_error(void);\nint a[{size}], b[{size}];\n\
             int main(void) {{\n    {index} i = 0, n = __VERIFIER_nondet_uint();\n    unsigned k = __VERIFIER_nondet_uint();\n    \
             __VERIFIER_assume(n >= 0 && n <= 4 && k < 12);\n"
        );
        for _ in 0..2 + self.below(2) {
            let _ = writeln!(text, "    {}", self.a_loop());
        }
        let c = self.below(6);
        let bad = match self.below(4) {
            0 => format!("a[k] == {c} + 30"),
            1 => format!("a[k] == {c} && b[k] == {c}"),
            2 => format!("i == {c} && a[i] != {c}"),
            _ => format!("k < n && a[k] > b[k] + {c} && b[k + 1] == {c}"),
        };
        let _ = writeln!(text, "    if ({bad}) reach_error();\n}}");
        text
    }
}

fn verdict(file: &Path, config: &[&str]) -> String {
    let mut command = Command::cargo_bin("hone").expect("the binary");
    let output = command
        .args(["check", "--checks", "assertions", "--malloc", "never-fails", "--timeout", "20s", "--config"])
        .args(config)
        .arg(file)
        .output();
    let text = String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned();
    let line = text.lines().last().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or_default();
    line.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn accelerated_loops_over_arrays_decide_as_the_loops_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("random.c");
    let mut decided = [0; 2];
    for seed in 0..PROGRAMS {
        let text = Random(fastrand::Rng::with_seed(seed)).program();
        std::fs::write(&file, &text).expect("a file");
        let expected = verdict(&file, &["bmc", "--unwind", "8"]);
        for (config, decided) in ["bmc-acceleration", "bmc-trace-automata"].into_iter().zip(&mut decided) {
            let found = verdict(&file, &[config, "--unwind", "4"]);
            let agrees = found == "unknown" || expected == "unknown" || found == expected;
            assert!(agrees, "{config} says {found}, and plain unwinding {expected}:\n{text}");
            *decided += u64::from(found != "unknown");
        }
    }
    assert!(decided.iter().all(|n| *n * 2 > PROGRAMS), "too few programs are decided: {decided:?} of {PROGRAMS}");
}
