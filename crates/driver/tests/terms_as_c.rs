//! Terms as C expressions: Hone's front end and the system's compiler read from them what the terms mean.

#![allow(clippy::disallowed_methods)] // Tests write and read files of their own.

use cfa::MachineModel;
use ctext::term::{self, Leaf, LeafType, Names};
use driver::{Interrupts, Job, Limits, SourceOptions, config, run};
use outcome::{Silent, Verdict};
use smt::random::Choices;
use smt::{Assignment, BinOp, FloatSort, Sort, TermId, Terms, UnOp, Value, eval::eval};
use std::fmt::Write;
use std::process::Command;

/// Types of variables: spelling, width, sign.
const TYPES: [(&str, u32, bool); 8] = [
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned int", 32, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
];

/// Variables of a program with their values.
struct Program {
    terms: Terms,
    vars: Vec<(TermId, Leaf, &'static str)>,
    values: Assignment,
    pools: Vec<(Sort, Vec<TermId>)>,
}

impl Names for Program {
    fn leaf(&self, var: TermId) -> Option<Leaf> {
        self.vars.iter().find(|(v, ..)| *v == var).map(|(_, leaf, _)| leaf.clone())
    }

    fn address(&self, _: u64) -> Option<String> {
        None
    }
}

impl Program {
    fn new(choices: &mut Choices) -> Self {
        let mut this = Self { terms: Terms::new(), vars: Vec::new(), values: Assignment::default(), pools: Vec::new() };
        for (i, (name, bits, signed)) in TYPES.into_iter().enumerate() {
            this.var(choices, Sort::BitVec(bits), LeafType::Int { bits, signed }, name, i);
        }
        this.var(choices, Sort::Float(FloatSort::F32), LeafType::Float, "float", 8);
        this.var(choices, Sort::Float(FloatSort::F64), LeafType::Float, "double", 9);
        for width in [8, 16, 32, 64] {
            for _ in 0..3 {
                let bits = choices.bv(width);
                let constant = this.terms.bv(width, bits);
                this.add(constant);
            }
        }
        for sort in [FloatSort::F32, FloatSort::F64] {
            for _ in 0..3 {
                let bits = choices.float(sort);
                let constant = this.terms.fp_const(bits, sort);
                this.add(constant);
            }
        }
        this
    }

    fn var(&mut self, choices: &mut Choices, sort: Sort, ty: LeafType, c_type: &'static str, i: usize) {
        let var = self.terms.var(&format!("v{i}"), sort);
        let mut value = choices.value(sort);
        while let Value::Float { sort, bits } = &value
            && bits & sort.infinity() == sort.infinity()
        {
            value = choices.value(Sort::Float(*sort));
        }
        self.values.insert(var, value);
        self.vars.push((var, Leaf { text: format!("v{i}"), ty }, c_type));
        self.add(var);
    }

    fn add(&mut self, t: TermId) {
        let sort = self.terms.sort(t);
        match self.pools.iter_mut().find(|(s, _)| *s == sort) {
            Some((_, pool)) => pool.push(t),
            None => self.pools.push((sort, vec![t])),
        }
    }

    fn pick(&self, choices: &mut Choices, sort: Sort) -> TermId {
        let pool = &self.pools.iter().find(|(s, _)| *s == sort).expect("each sort has a variable").1;
        // The last ones are the largest.
        let from = if choices.below(3) == 0 { 0 } else { pool.len() / 2 };
        pool[from + choices.below(pool.len() - from)]
    }

    fn grow(&mut self, choices: &mut Choices) {
        use BinOp::{
            BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvShl, BvSrem, BvSub, BvUdiv, BvUrem, BvXor, FpAdd,
            FpDiv, FpMul, FpSub,
        };
        let width = [8, 16, 32, 64][choices.below(4)];
        let sort = Sort::BitVec(width);
        let (a, b) = (self.pick(choices, sort), self.pick(choices, sort));
        let format = [FloatSort::F32, FloatSort::F64][choices.below(2)];
        let (x, y) = (self.pick(choices, Sort::Float(format)), self.pick(choices, Sort::Float(format)));
        let few = choices.below(width as usize) as u128;
        let terms = &mut self.terms;
        let new = match choices.below(15) {
            0..=3 => {
                let op = [BvAdd, BvSub, BvMul, BvAnd, BvOr, BvXor][choices.below(6)];
                terms.bin(op, a, b)
            }
            4 => {
                let op = [UnOp::BvNeg, UnOp::BvNot][choices.below(2)];
                terms.un(op, a)
            }
            5 => {
                let op = [BvUdiv, BvSdiv, BvUrem, BvSrem, BvShl, BvLshr, BvAshr][choices.below(7)];
                let by = terms.bv(width, if few == 0 { 3 } else { few });
                terms.bin(op, a, by)
            }
            6 if width < 64 => {
                let more: Vec<u32> = [8, 16, 32, 64].into_iter().filter(|w| *w > width).collect();
                let more = more[choices.below(more.len())];
                if choices.below(2) == 0 { terms.zero_resize(more, a) } else { terms.sign_resize(more, a) }
            }
            7 if width > 8 => {
                let len = if width == 16 { 8 } else { [8, 16][choices.below(2)] };
                let lo = choices.below((width - len) as usize + 1) as u32;
                terms.extract(lo + len - 1, lo, a)
            }
            8 if width < 64 => terms.concat(a, b),
            9 => {
                let op = [FpAdd, FpSub, FpMul, FpDiv][choices.below(4)];
                terms.bin(op, x, y)
            }
            10 => {
                let other = if format == FloatSort::F32 { FloatSort::F64 } else { FloatSort::F32 };
                terms.fp_to_fp(other, x)
            }
            11 => match choices.below(3) {
                0 => terms.fp_from_sbv(format, a),
                1 => terms.fp_from_ubv(format, a),
                _ => terms.fp_neg(x),
            },
            12 => {
                let c = self.formula(choices);
                self.terms.ite(c, a, b)
            }
            13 => {
                let c = self.formula(choices);
                self.terms.ite(c, x, y)
            }
            _ => {
                let c = self.formula(choices);
                self.terms.bool_to_bv(width, c)
            }
        };
        self.add(new);
    }

    fn formula(&mut self, choices: &mut Choices) -> TermId {
        use BinOp::{BvSle, BvSlt, BvUle, BvUlt, Eq, FpEq, FpLe, FpLt};
        let sort = Sort::BitVec([8, 16, 32, 64][choices.below(4)]);
        let (a, b) = (self.pick(choices, sort), self.pick(choices, sort));
        let format = Sort::Float([FloatSort::F32, FloatSort::F64][choices.below(2)]);
        let (x, y) = (self.pick(choices, format), self.pick(choices, format));
        let odd = sort.width() - 3;
        match choices.below(14) {
            0..=5 => {
                let op = [Eq, BvUlt, BvUle, BvSlt, BvSle][choices.below(5)];
                self.terms.bin(op, a, b)
            }
            6 | 7 => self.terms.bin([FpEq, FpLt, FpLe, Eq][choices.below(4)], x, y),
            8 => self.terms.un(UnOp::FpIsNan, x),
            9 => {
                let (p, q) = (self.terms.extract(odd, 2, a), self.terms.extract(odd, 2, b));
                self.terms.bin([Eq, BvUlt, BvUle][choices.below(3)], p, q)
            }
            10 => {
                let p = self.formula(choices);
                self.terms.not(p)
            }
            11 => {
                let (p, q) = (self.formula(choices), self.formula(choices));
                self.terms.and(p, q)
            }
            12 => {
                let (p, q) = (self.formula(choices), self.formula(choices));
                self.terms.or(p, q)
            }
            _ => {
                let (p, q, r) = (self.formula(choices), self.formula(choices), self.formula(choices));
                self.terms.ite(p, q, r)
            }
        }
    }

    /// The program that compares each formula with its value.
    fn text(&self, formulas: &[(String, bool)]) -> String {
        let mut text = String::from("extern void reach_error(void);\nint main(void) {\n");
        for (var, leaf, c_type) in &self.vars {
            let value = match &self.values[var] {
                Value::Bv { value, .. } if c_type.starts_with("unsigned") => format!("{value}ull"),
                Value::Bv { width, value } => match ((*value << (128 - width)) as i128) >> (128 - width) {
                    n if n == i128::from(i64::MIN) => format!("-{}ll - 1", i64::MAX),
                    n => format!("{n}ll"),
                },
                Value::Float { sort: FloatSort::F32, bits } => format!("{:?}f", f32::from_bits(*bits as u32)),
                Value::Float { bits, .. } => format!("{:?}", f64::from_bits(*bits as u64)),
                other => panic!("{other:?}"),
            };
            let _ = writeln!(text, "  {c_type} {} = {value};", leaf.text);
        }
        for (formula, value) in formulas {
            let _ = writeln!(text, "  if ((({formula}) != 0) != {}) reach_error();", u8::from(*value));
        }
        text.push_str("  return 0;\n}\n");
        text
    }
}

#[track_caller]
fn check(text: &str, options: &SourceOptions, seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("terms.c");
    std::fs::write(&file, text).expect("written");
    let job = Job::read(&[file], None, options).expect("read");
    let config = config::preset(Some("value-plain")).expect("a preset");
    let limits = Limits { time: Some(std::time::Duration::from_secs(60)), memory: None };
    let checked = run::check(&job, &config, limits, &Interrupts::default(), &Silent, Box::new(|_, _| {}));
    let verdict = checked.unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}\n{text}")).outcome.verdict;
    assert_eq!(verdict, Verdict::True, "seed {seed}\n{text}");
}

/// Compiles and runs the program.
fn compile(text: &str, flag: &str, seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, binary) = (folder.path().join("terms.c"), folder.path().join("terms"));
    let text = format!("{text}extern void exit(int);\nvoid reach_error(void) {{ exit(1); }}\n");
    std::fs::write(&file, &text).expect("written");
    let flags = ["-w", "-O0", "-fwrapv", "-msse2", "-mfpmath=sse", flag, "-o"];
    let compiled = Command::new("cc").args(flags).arg(&binary).arg(&file).output().expect("cc runs");
    assert!(compiled.status.success(), "-m32 takes gcc-multilib: {}", String::from_utf8_lossy(&compiled.stderr));
    let status = Command::new(&binary).status().expect("it runs");
    assert!(status.success(), "seed {seed}\n{text}");
}

#[test]
fn expressions_mean_what_terms_mean() {
    let mut written = 0;
    for seed in 0..40 {
        let machine = if seed % 4 == 3 { MachineModel::Ilp32 } else { MachineModel::Lp64 };
        let mut choices = Choices::from_seed(seed);
        let mut program = Program::new(&mut choices);
        let mut formulas = Vec::new();
        for _ in 0..60 {
            program.grow(&mut choices);
            let formula = program.formula(&mut choices);
            let value = eval(&program.terms, &program.values, formula) == Value::Bool(true);
            if let Some(text) = term::formula(&program.terms, machine, &program, formula) {
                formulas.push((text, value));
            }
        }
        written += formulas.len();
        let text = program.text(&formulas);
        let checks = vec![driver::property::CheckKind::Assertions];
        let options = SourceOptions { machine: Some(machine), checks, ..SourceOptions::default() };
        check(&text, &options, seed);
        compile(&text, if machine == MachineModel::Lp64 { "-m64" } else { "-m32" }, seed);
    }
    assert!(written > 1200, "{written} of 2400");
}
