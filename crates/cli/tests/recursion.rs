//! Abstraction of call stacks: the case study that it was made for, and random recursive programs against an evaluator of their own.

#![allow(clippy::disallowed_methods)] // Tests read and write files of their own.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn verdict(args: &[&str], file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hone"))
        .arg("check")
        .args(["--checks", "assertions", "--malloc", "never-fails"])
        .args(args)
        .arg(file)
        .output()
        .expect("hone runs");
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_case_study_needs_abstract_stacks() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/recursion/stack_case_study.c");
    for config in ["predicate-bw", "predicate-newton"] {
        let with = |switch| ["--config", config, "--timeout", "20s", "--check-proof", "--stack-abstraction", switch];
        assert_eq!(verdict(&with("on"), &file), "verdict: true", "{config}");
    }
    let without = ["--config", "predicate-bw", "--timeout", "3s", "--stack-abstraction", "off"];
    assert!(verdict(&without, &file).starts_with("verdict: unknown"));
}

#[test]
fn values_need_abstract_stacks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/recursion");
    for (name, config) in [("stack_values.c", "explicit-bfs"), ("stack_mutual.c", "explicit-dfs")] {
        let with = |switch| ["--config", config, "--timeout", "3s", "--check-proof", "--stack-abstraction", switch];
        assert_eq!(verdict(&with("on"), &folder.join(name)), "verdict: true", "{name}");
        assert!(verdict(&with("off"), &folder.join(name)).starts_with("verdict: unknown"), "{name}");
    }
}

/// A small generator of numbers (xorshift), so that programs are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// An expression over the variables of the function.
enum Expr {
    Constant(i32),
    /// Index into [`VARIABLES`].
    Variable(usize),
    Sum(Box<Expr>, Box<Expr>),
    Difference(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
    /// `a < b ? a : b`
    Least(Box<Expr>, Box<Expr>),
}

/// Parameters, a global variable, and the results of two calls.
const VARIABLES: [&str; 5] = ["n", "x", "g", "a", "b"];

impl Expr {
    fn random(random: &mut Random, variables: usize, depth: u32) -> Self {
        let operand = |random: &mut Random| Box::new(Self::random(random, variables, depth - 1));
        match random.below(if depth == 0 { 2 } else { 7 }) {
            0 => Expr::Constant(random.below(4) as i32),
            1 => Expr::Variable(random.below(variables as u64) as usize),
            2 | 3 => Expr::Sum(operand(random), operand(random)),
            4 => Expr::Difference(operand(random), operand(random)),
            5 => Expr::Product(operand(random), operand(random)),
            _ => Expr::Least(operand(random), operand(random)),
        }
    }

    fn text(&self) -> String {
        match self {
            Expr::Constant(n) => n.to_string(),
            Expr::Variable(index) => VARIABLES[*index].to_owned(),
            Expr::Sum(a, b) => format!("({} + {})", a.text(), b.text()),
            Expr::Difference(a, b) => format!("({} - {})", a.text(), b.text()),
            Expr::Product(a, b) => format!("({} * {})", a.text(), b.text()),
            Expr::Least(a, b) => format!("({0} < {1} ? {0} : {1})", a.text(), b.text()),
        }
    }

    fn eval(&self, values: &[i32; 5]) -> i32 {
        match self {
            Expr::Constant(n) => *n,
            Expr::Variable(index) => values[*index],
            Expr::Sum(a, b) => a.eval(values).wrapping_add(b.eval(values)),
            Expr::Difference(a, b) => a.eval(values).wrapping_sub(b.eval(values)),
            Expr::Product(a, b) => a.eval(values).wrapping_mul(b.eval(values)),
            Expr::Least(a, b) => a.eval(values).min(b.eval(values)),
        }
    }
}

/// A function that calls itself once or twice.
struct Function {
    at_end: Expr,
    global: Expr,
    argument: Expr,
    second: Option<Expr>,
    /// None if it returns what the last call returns, and does nothing else behind it.
    result: Option<Expr>,
}

impl Function {
    fn random(random: &mut Random) -> Self {
        Self {
            at_end: Expr::random(random, 3, 1),
            global: Expr::random(random, 3, 1),
            argument: Expr::random(random, 3, 1),
            second: (random.below(2) == 0).then(|| Expr::random(random, 4, 1)),
            result: (random.below(3) > 0).then(|| Expr::random(random, 5, 2)),
        }
    }

    fn text(&self) -> String {
        let first = format!("f(n - 1, {})", self.argument.text());
        let second = self.second.as_ref().map(|second| format!("f(n - 2, {})", second.text()));
        let body = match (&self.result, second) {
            (Some(result), None) => format!("    a = {first};\n    return {};\n", result.text()),
            (Some(result), Some(second)) => {
                format!("    a = {first};\n    b = {second};\n    return {};\n", result.text())
            }
            (None, None) => format!("    return {first};\n"),
            (None, Some(second)) => format!("    a = {first};\n    return {second};\n"),
        };
        format!(
            "static int g;\nstatic int f(int n, int x) {{\n    int a = 0, b = 0;\n    if (n <= 0) return {};\n    \
             g = {};\n{body}}}\n",
            self.at_end.text(),
            self.global.text(),
        )
    }

    fn call(&self, n: i32, x: i32, g: &mut i32) -> i32 {
        if n <= 0 {
            return self.at_end.eval(&[n, x, *g, 0, 0]);
        }
        *g = self.global.eval(&[n, x, *g, 0, 0]);
        let argument = self.argument.eval(&[n, x, *g, 0, 0]);
        let a = self.call(n - 1, argument, g);
        let mut b = 0;
        if let Some(second) = &self.second {
            let argument = second.eval(&[n, x, *g, a, 0]);
            b = self.call(n - 2, argument, g);
        }
        match (&self.result, &self.second) {
            (Some(result), _) => result.eval(&[n, x, *g, a, b]),
            (None, Some(_)) => b,
            (None, None) => a,
        }
    }
}

/// What checks each of the programs.
const CONFIGURATIONS: [&[&str]; 2] =
    [&["--config", "predicate", "--timeout", "4s", "--check-proof"], &["--config", "bmc", "--timeout", "3s"]];

#[test]
fn random_recursive_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut decided = [[0, 0], [0, 0]];
    for round in 0..24 {
        let function = Function::random(&mut random);
        let (depth, inputs) = (1 + random.below(4) as i32, 1 + random.below(3) as i32);
        let mut results = BTreeSet::new();
        for n in 0..=depth {
            for x in 0..=inputs {
                let mut g = 0;
                let result = function.call(n, x, &mut g);
                results.insert(result.wrapping_sub(g));
            }
        }
        // Half of the programs are safe: their constant is next to a result, but is none.
        let chosen = *results.iter().nth(random.below(results.len() as u64) as usize).expect("there are results");
        let safe = random.below(2) == 0;
        let constant = if safe { (chosen..).find(|n| !results.contains(n)).expect("few results") } else { chosen };
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n{}int main(void) {{\n    \
             int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();\n    \
             if (n < 0 || n > {depth} || x < 0 || x > {inputs}) return 0;\n    int result = f(n, x);\n    \
             if (result - g == {constant}) reach_error();\n    return 0;\n}}\n",
            function.text(),
        );
        let file = folder.path().join(format!("random{round}.c"));
        std::fs::write(&file, &text).expect("the folder is there");
        for (i, args) in CONFIGURATIONS.iter().enumerate() {
            let verdict = verdict(args, &file);
            match verdict.as_str() {
                "verdict: true" => assert!(safe, "not safe, but {args:?} proves it:\n{text}"),
                "verdict: false(unreach-call)" => assert!(!safe, "safe, but {args:?} finds a violation:\n{text}"),
                _ => assert!(!verdict.contains("proof"), "{args:?}: {verdict}\n{text}"),
            }
            decided[i][usize::from(safe)] += u32::from(!verdict.contains("unknown"));
        }
    }
    assert!(decided.as_flattened().iter().all(|n| *n >= 3), "{decided:?}");
}

/// A call with any arguments has an instance that covers all others, but claims more than they return.
#[test]
fn random_recursive_programs_of_known_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut decided = [0, 0];
    for round in 0..16 {
        let function = Function::random(&mut random);
        let (depth, inputs) = (1 + random.below(3) as i32, 1 + random.below(2) as i32);
        let arguments = || (0..=depth).flat_map(|n| (0..=inputs).map(move |x| (n, x)));
        let results: BTreeSet<i32> = arguments()
            .map(|(n, x)| {
                let mut g = 0;
                function.call(n, x, &mut g).wrapping_sub(g)
            })
            .collect();
        let chosen = *results.iter().nth(random.below(results.len() as u64) as usize).expect("there are results");
        let safe = random.below(2) == 0;
        let constant = if safe { (chosen..).find(|n| !results.contains(n)).expect("few results") } else { chosen };
        let calls: String = arguments()
            .map(|(n, x)| format!("    g = 0;\n    if (f({n}, {x}) - g == {constant}) reach_error();\n"))
            .collect();
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n{}int main(void) {{\n    \
             if (f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) == 12345) return 0;\n{calls}    return 0;\n}}\n",
            function.text(),
        );
        let file = folder.path().join(format!("values{round}.c"));
        std::fs::write(&file, &text).expect("the folder is there");
        for config in ["explicit-bfs", "explicit-dfs"] {
            let verdict = verdict(&["--config", config, "--timeout", "4s", "--check-proof"], &file);
            match verdict.as_str() {
                "verdict: true" => assert!(safe, "not safe, but {config} proves it:\n{text}"),
                "verdict: false(unreach-call)" => assert!(!safe, "safe, but {config} finds a violation:\n{text}"),
                _ => assert!(!verdict.contains("proof"), "{config}: {verdict}\n{text}"),
            }
            decided[usize::from(safe)] += u32::from(!verdict.contains("unknown"));
        }
    }
    assert!(decided.iter().all(|n| *n >= 3), "{decided:?}");
}
