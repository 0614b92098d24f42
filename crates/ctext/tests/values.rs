//! Expressions of automata as C: the system's compiler reads from them what they mean, and finds no overflow and no confusing brackets.

#![allow(clippy::disallowed_methods)] // Tests write and read files of their own.

use base::Id;
use cfa::eval::{eval_binary, eval_cast, eval_unary};
use cfa::{BinOp, ExprId, ExprKind, ExprPool, FuncId, MachineModel, Scalar, UnOp, Value, VarId};
use ctext::expr::Names;
use ctext::{Overflow, Writer};
use smt::random::Choices;
use std::fmt::Write;
use std::process::Command;

/// Types of variables in C, and in automata.
const TYPES: [(&str, u16, bool); 10] = [
    ("char", 8, true),
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned", 32, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
    ("_Bool", 8, false),
];

struct Numbered;

impl Names for Numbered {
    fn register(&self, var: VarId) -> Option<String> {
        Some(format!("v{}", var.index()))
    }

    fn object(&self, _: VarId) -> Option<String> {
        None
    }

    fn function(&self, _: FuncId) -> Option<String> {
        None
    }
}

/// Expressions with their values.
struct Pool {
    exprs: ExprPool,
    known: Vec<(ExprId, Value)>,
    values: Vec<(&'static str, Value)>,
    pointer_bits: u32,
}

impl Pool {
    fn new(choices: &mut Choices, pointer_bits: u32) -> Self {
        let mut pool = Self { exprs: ExprPool::default(), known: Vec::new(), values: Vec::new(), pointer_bits };
        for (i, (name, bits, signed)) in TYPES.into_iter().enumerate() {
            let value = Value(if name == "_Bool" { choices.below(2) as u128 } else { choices.bv(u32::from(bits)) });
            pool.values.push((name, value));
            pool.add(ExprKind::Var(VarId::from_index(i)), Scalar::Int { bits, signed }, value);
        }
        for bits in [8, 16, 32, 64] {
            for signed in [false, true] {
                let few = Value(choices.below(40) as u128);
                for value in [few, Value(choices.bv(u32::from(bits)))] {
                    pool.add(ExprKind::Const(value), Scalar::Int { bits, signed }, value);
                }
            }
        }
        pool
    }

    fn add(&mut self, kind: ExprKind, ty: Scalar, value: Value) {
        let e = self.exprs.add(kind, ty);
        self.known.push((e, value));
    }

    /// An expression that satisfies a condition on its type, with its value; later ones are larger.
    fn pick(&self, choices: &mut Choices, fits: impl Fn(Scalar) -> bool) -> Option<(ExprId, Value)> {
        let known: Vec<_> = self.known.iter().filter(|(e, _)| fits(self.exprs.ty(*e))).copied().collect();
        let from = if choices.below(2) == 0 { 0 } else { known.len() / 2 };
        (!known.is_empty()).then(|| known[from + choices.below(known.len() - from)])
    }

    fn grow(&mut self, choices: &mut Choices) -> Option<()> {
        use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};
        let (a, x) = self.pick(choices, Scalar::is_int)?;
        let ty = self.exprs.ty(a);
        let (b, y) = self.pick(choices, |other| other == ty)?;
        let int = Scalar::Int { bits: [8, 16, 32, 64][choices.below(4)], signed: choices.below(2) == 0 };
        let (kind, ty, value) = match choices.below(10) {
            0..=4 => {
                let op = [Add, Sub, Mul, Add, Sub, Mul, BitAnd, BitOr, BitXor, Div, Rem][choices.below(11)];
                (ExprKind::Binary(op, a, b), ty, eval_binary(op, ty, x, y, self.pointer_bits)?)
            }
            5 => {
                let op = [Shl, Shr][choices.below(2)];
                let (by, n) = self.pick(choices, Scalar::is_int)?;
                (ExprKind::Binary(op, a, by), ty, eval_binary(op, ty, x, n, self.pointer_bits)?)
            }
            6 => {
                let op = [UnOp::Neg, UnOp::BitNot][choices.below(2)];
                (ExprKind::Unary(op, a), ty, eval_unary(op, ty, x, self.pointer_bits)?)
            }
            7 | 8 => {
                let (from, x) = self.pick(choices, |_| true)?;
                (ExprKind::Cast(from), int, eval_cast(self.exprs.ty(from), int, x, self.pointer_bits)?)
            }
            _ => {
                let op = [Eq, Ne, Lt, Le, Gt, Ge][choices.below(6)];
                let value = eval_binary(op, ty, x, y, self.pointer_bits)?;
                let c = self.exprs.add(ExprKind::Binary(op, a, b), Scalar::Bool);
                self.known.push((c, value));
                let (p, truth) = self.pick(choices, |ty| ty == Scalar::Bool)?;
                match choices.below(4) {
                    0 => (ExprKind::Ite(p, a, b), ty, if truth.0 == 1 { x } else { y }),
                    1 => (ExprKind::Unary(UnOp::Not, p), Scalar::Bool, Value(1 - truth.0)),
                    2 => (ExprKind::Binary(BinOp::And, p, c), Scalar::Bool, Value(truth.0 & value.0)),
                    _ => (ExprKind::Binary(BinOp::Or, p, c), Scalar::Bool, Value(truth.0 | value.0)),
                }
            }
        };
        self.add(kind, ty, value);
        Some(())
    }

    /// A program that ends with the number of the first expression whose text has another value.
    fn program(&self, machine: MachineModel, overflow: Overflow) -> (String, usize) {
        let writer = Writer { exprs: &self.exprs, names: &Numbered, machine, overflow };
        let mut text = String::from("extern void exit(int);\nint main(void) {\n");
        for (i, (name, value)) in self.values.iter().enumerate() {
            let _ = writeln!(text, "  volatile {name} w{i} = {}ull; {name} v{i} = w{i};", value.0);
        }
        let mut written = 0;
        for (e, value) in self.known.iter().filter(|(e, _)| !matches!(self.exprs.kind(*e), ExprKind::Const(_))) {
            let ty = self.exprs.ty(*e);
            let (Some(plain), Some(assigned)) = (writer.text(*e), writer.assignment("x", *e)) else { continue };
            assert!(plain.len() < 100_000);
            let Scalar::Int { bits, signed } = ty else {
                let _ = writeln!(text, "  if (({plain}) != {}) exit(1);", value.0);
                continue;
            };
            // As a number, whichever type the text has: it is below zero if the value is, and equal in all bits.
            let number = if signed { value.signed(u32::from(bits)) } else { value.0 as i128 };
            let sign = if number < 0 { "<" } else { ">=" };
            let _ = writeln!(
                text,
                "  if (!(({plain}) {sign} 0) || (unsigned long long)({plain}) != {}ull) exit(1);",
                number as u64
            );
            let name = TYPES.iter().find(|(_, width, sign)| (*width, *sign) == (bits, signed)).expect("a type").0;
            let _ = writeln!(text, "  {{ {name} x; {assigned}; if (x != ({name}){}ull) exit(1); }}", value.0);
            written += 1;
        }
        text.push_str("  return 0;\n}\n");
        (text, written)
    }
}

/// Compiles and runs the program, where there is a compiler for the data model.
fn run(text: &str, flags: &[&str], seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, binary) = (folder.path().join("values.c"), folder.path().join("values"));
    std::fs::write(&file, text).expect("written");
    match Command::new("cc")
        .args(["-O0", "-Wall", "-Werror=parentheses"])
        .args(flags)
        .arg("-o")
        .arg(&binary)
        .arg(&file)
        .output()
    {
        Ok(compiled) if compiled.status.success() => {}
        Ok(compiled) => {
            let errors = String::from_utf8_lossy(&compiled.stderr).into_owned();
            // Libraries for the other data model may be missing.
            assert!(flags.contains(&"-m32") && !errors.contains("values.c:"), "seed {seed}: {errors}");
            return;
        }
        Err(_) => return,
    }
    let status = Command::new(&binary).status().expect("it runs");
    assert!(status.success(), "seed {seed}: {status}\n{text}");
}

#[test]
fn text_has_the_value_of_the_expression() {
    let mut all = 0;
    for seed in 0..24 {
        let machine = if seed % 4 == 3 { MachineModel::Ilp32 } else { MachineModel::Lp64 };
        let mut choices = Choices::from_seed(seed);
        let mut pool = Pool::new(&mut choices, machine.pointer_bits());
        for _ in 0..120 {
            let _ = pool.grow(&mut choices);
        }
        let width = if machine == MachineModel::Lp64 { "-m64" } else { "-m32" };
        let (text, written) = pool.program(machine, Overflow::Wraps);
        run(&text, &[width, "-fwrapv"], seed);
        all += written;
        let (text, written) = pool.program(machine, Overflow::Undefined);
        run(&text, &[width, "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"], seed);
        all += written;
    }
    assert!(all > 2000, "{all}");
}

#[track_caller]
fn check(build: impl Fn(&mut ExprPool, ExprId) -> ExprId, ty: Scalar, expected: &str) {
    let mut exprs = ExprPool::default();
    let x = exprs.add(ExprKind::Var(VarId::from_index(0)), ty);
    let e = build(&mut exprs, x);
    let writer = Writer { exprs: &exprs, names: &Numbered, machine: MachineModel::Lp64, overflow: Overflow::Undefined };
    assert_eq!(writer.assignment("v0", e).as_deref(), Some(expected));
}

#[test]
fn nothing_is_written_that_c_does_not_need() {
    let unsigned = Scalar::Int { bits: 32, signed: false };
    let number = |exprs: &mut ExprPool, n: u128, ty| exprs.add(ExprKind::Const(Value(n)), ty);
    let counted = |exprs: &mut ExprPool, x: ExprId| {
        let [bound, one, two] = [99_999_999, 1, 2].map(|n| number(exprs, n, unsigned));
        let ty = exprs.ty(x);
        let from = if ty == unsigned { x } else { exprs.add(ExprKind::Cast(x), unsigned) };
        let mut bin = |op, a, b| exprs.add(ExprKind::Binary(op, a, b), unsigned);
        let distance = bin(BinOp::Sub, bound, from);
        let half = bin(BinOp::Div, distance, two);
        let rounds = bin(BinOp::Add, half, one);
        let all = bin(BinOp::Mul, two, rounds);
        let all = if ty == unsigned { all } else { exprs.add(ExprKind::Cast(all), ty) };
        exprs.add(ExprKind::Binary(BinOp::Add, x, all), ty)
    };
    check(counted, unsigned, "v0 += 2 * ((99999999 - v0) / 2 + 1)");
    // The distance of signed numbers may overflow.
    check(counted, Scalar::INT, "v0 += 2 * ((99999999u - v0) / 2 + 1)");
    let next = |exprs: &mut ExprPool, x: ExprId| {
        let ty = exprs.ty(x);
        let one = number(exprs, 1, ty);
        exprs.add(ExprKind::Binary(BinOp::Add, x, one), ty)
    };
    check(next, Scalar::Int { bits: 8, signed: false }, "v0 += 1");
    check(next, Scalar::INT, "v0 += 1u");
}
