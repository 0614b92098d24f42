//! Compares the bytes of objects with random initialisers with the installed GCC, in both data models.
#![allow(clippy::disallowed_methods, reason = "the test runs a compiler on temporary files")]

use cfront::sema;
use cfront::typed::{Expr, ExprKind, InitValue, TypedUnit};
use cfront::types::Type;
use std::fmt::Write;
use std::process::Command;
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Debug)]
enum Shape {
    Scalar,
    /// Only in records.
    BitField,
    /// Character array of this length.
    Text(usize),
    Array(Box<Shape>, usize),
    Record(usize),
}

/// A struct or union: its members, those of anonymous members inline in `Anonymous`.
#[derive(Clone, Debug)]
struct Record {
    is_union: bool,
    members: Vec<(String, Shape)>,
}

struct Generator {
    random: Random,
    records: Vec<Record>,
    next_name: usize,
    text: String,
    in_literal: bool,
}

const SCALARS: &[&str] = &["char", "unsigned char", "short", "int", "unsigned", "long", "long long", "_Bool"];

impl Generator {
    fn declare_record(&mut self) {
        let index = self.records.len();
        let is_union = self.random.one_in(4);
        let mut members = Vec::new();
        let mut body = String::new();
        for _ in 0..=self.random.below(4) {
            self.next_name += 1;
            let name = format!("m{}", self.next_name);
            let scalar = SCALARS[self.random.below(SCALARS.len())];
            let shape = match self.random.below(8) {
                0 | 1 => {
                    _ = writeln!(body, "  {scalar} {name};");
                    Shape::Scalar
                }
                2 => {
                    let width = 1 + self.random.below(if scalar == "_Bool" { 1 } else { 8 });
                    if self.random.one_in(4) {
                        _ = writeln!(body, "  int : {width};");
                    }
                    _ = writeln!(body, "  {scalar} {name} : {width};");
                    Shape::BitField
                }
                3 => {
                    let n = 1 + self.random.below(5);
                    _ = writeln!(body, "  char {name}[{n}];");
                    Shape::Text(n)
                }
                4 => {
                    let n = 1 + self.random.below(3);
                    _ = writeln!(body, "  {scalar} {name}[{n}][2];");
                    Shape::Array(Box::new(Shape::Array(Box::new(Shape::Scalar), 2)), n)
                }
                _ if index > 0 => {
                    let inner = self.random.below(index);
                    if self.random.one_in(3) {
                        _ = writeln!(body, "  r{inner} {name}[2];");
                        Shape::Array(Box::new(Shape::Record(inner)), 2)
                    } else {
                        _ = writeln!(body, "  r{inner} {name};");
                        Shape::Record(inner)
                    }
                }
                _ => {
                    _ = writeln!(body, "  {scalar} {name};");
                    Shape::Scalar
                }
            };
            members.push((name, shape));
        }
        let keyword = if is_union { "union" } else { "struct" };
        _ = writeln!(self.text, "typedef {keyword} {{\n{body}}} r{index};");
        self.records.push(Record { is_union, members });
    }

    fn number(&mut self) -> String {
        format!("{}", self.random.below(2000) as i64 - 500)
    }

    /// An initialiser of the whole object.
    fn value(&mut self, shape: &Shape, depth: u32) -> String {
        match shape {
            Shape::Scalar | Shape::BitField if self.random.one_in(12) => format!("{{ {} }}", self.number()),
            Shape::Scalar | Shape::BitField => self.number(),
            Shape::Text(n) if self.random.one_in(2) => {
                let text = &"abcdefgh"[..self.random.below(n + 1)];
                if self.random.one_in(4) { format!("{{ \"{text}\" }}") } else { format!("\"{text}\"") }
            }
            // GCC takes only simple literals for constants.
            Shape::Record(index) if !self.in_literal && self.random.one_in(5) => {
                self.in_literal = true;
                let list = self.list(shape, depth);
                self.in_literal = false;
                format!("(r{index}){list}")
            }
            _ => self.list(shape, depth),
        }
    }

    fn list(&mut self, shape: &Shape, depth: u32) -> String {
        let mut items = Vec::new();
        match shape {
            Shape::Text(n) => {
                for _ in 0..self.random.below(n + 1) {
                    items.push(self.number());
                }
            }
            Shape::Array(elem, n) => {
                for _ in 0..self.random.below(n + 1) {
                    items.push(self.value(elem, depth + 1));
                }
                if self.random.one_in(3) {
                    let index = self.random.below(*n);
                    let last = if self.in_literal { index } else { index + self.random.below(n - index) };
                    let value = self.value(elem, depth + 1);
                    let designator = if last > index { format!("[{index} ... {last}]") } else { format!("[{index}]") };
                    items.push(format!("{designator} = {value}"));
                }
            }
            Shape::Record(index) => {
                let record = self.records[*index].clone();
                if record.is_union {
                    let (name, shape) = record.members[self.random.below(record.members.len())].clone();
                    let value = self.value(&shape, depth + 1);
                    items.push(format!(".{name} = {value}"));
                } else {
                    for (_, shape) in record.members.iter().take(self.random.below(record.members.len() + 1)) {
                        let value = self.member(shape, depth + 1);
                        items.push(value);
                    }
                    if self.random.one_in(3) {
                        let start = self.random.below(record.members.len());
                        for (k, (name, shape)) in record.members.iter().enumerate().skip(start) {
                            let value = self.value(shape, depth + 1);
                            items.push(if k == start { format!(".{name} = {value}") } else { value });
                        }
                    }
                }
            }
            Shape::Scalar | Shape::BitField => items.push(self.number()),
        }
        if items.is_empty() { "{}".into() } else { format!("{{ {} }}", items.join(", ")) }
    }

    /// An initialiser of a member, sometimes without its braces.
    fn member(&mut self, shape: &Shape, depth: u32) -> String {
        let items: Vec<String> = match shape {
            Shape::Array(elem, n) if self.random.one_in(3) => (0..*n).map(|_| self.member(elem, depth + 1)).collect(),
            Shape::Text(n) if self.random.one_in(4) => (0..*n).map(|_| self.number()).collect(),
            Shape::Record(index) if self.random.one_in(3) => {
                let record = self.records[*index].clone();
                let n = if record.is_union { 1 } else { record.members.len() };
                record.members[..n].iter().map(|(_, s)| self.member(s, depth + 1)).collect()
            }
            _ => return self.value(shape, depth),
        };
        // A brace at the start would belong to the whole.
        let text = items.join(", ");
        if text.starts_with('{') { format!("{{ {text} }}") } else { text }
    }
}

/// Value of a constant as the initialiser has it.
fn constant(e: &Expr) -> i128 {
    match &e.kind {
        ExprKind::Int(v) => *v,
        other => panic!("no constant: {other:?}"),
    }
}

/// Contents of a global.
fn bytes(unit: &TypedUnit, name: &str) -> Vec<u8> {
    let var = unit.vars.iter().find(|v| v.name.as_ref() == name).expect("the variable");
    let size = |ty| unit.types.size_of(unit.machine, ty).expect("a size") as usize;
    let mut memory = vec![0u8; size(var.ty)];
    for item in &var.init.as_ref().expect("an initialiser").items {
        let offset = item.offset as usize;
        match (&item.value, item.bits) {
            (InitValue::Bytes(text), _) => memory[offset..offset + text.len()].copy_from_slice(text),
            (InitValue::Expr(e), None) => {
                assert!(!matches!(unit.types.get(e.ty), Type::Record(_)), "a record");
                let n = size(e.ty);
                memory[offset..offset + n].copy_from_slice(&constant(e).to_le_bytes()[..n]);
            }
            (InitValue::Expr(e), Some(bits)) => {
                for k in 0..bits.width {
                    let at = offset + ((bits.shift + k) / 8) as usize;
                    let mask = 1 << ((bits.shift + k) % 8);
                    let is_set = constant(e) >> k & 1 == 1;
                    memory[at] = if is_set { memory[at] | mask } else { memory[at] & !mask };
                }
            }
        }
    }
    memory
}

fn ask_gcc(source: &str, flag: &str, dir: &std::path::Path) -> String {
    let (c, exe) = (dir.join("init.c"), dir.join("init"));
    std::fs::write(&c, source).expect("a file");
    let build = Command::new("gcc").args([flag, "-w", "-O0", "-o"]).arg(&exe).arg(&c).output().expect("gcc runs");
    let messages = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "-m32 takes gcc-multilib: {messages}");
    let run = Command::new(&exe).output().expect("it runs");
    String::from_utf8(run.stdout).expect("text")
}

fn compare(seed: u64, machine: Machine, flag: &str) {
    let mut generator = Generator {
        random: Random(fastrand::Rng::with_seed(seed)),
        records: Vec::new(),
        next_name: 0,
        text: String::new(),
        in_literal: false,
    };
    let mut main = String::new();
    for i in 0..60 {
        generator.declare_record();
        let value = generator.list(&Shape::Record(i), 0);
        _ = writeln!(generator.text, "r{i} x{i} = {value};");
        let count = 1 + generator.random.below(4);
        let elements: Vec<String> = (0..count).map(|_| generator.member(&Shape::Record(i), 0)).collect();
        _ = writeln!(generator.text, "r{i} y{i}[] = {{ {} }};", elements.join(", "));
        _ = writeln!(main, "  DUMP(x{i}); DUMP(y{i});");
    }
    let harness = "#include <stdio.h>\n#define DUMP(x) do { printf(\"%s \", #x); for (unsigned i = 0; i < sizeof x; i++) \
        printf(\"%02x\", ((unsigned char *)&x)[i]); printf(\"\\n\"); } while (0)\n";
    let text = &generator.text;
    let program = format!("{harness}{text}\nint main(void) {{\n{main}  return 0;\n}}\n");
    let dir = std::env::temp_dir().join(format!("cfront-init-{}-{seed}{flag}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    let expected = ask_gcc(&program, flag, &dir);
    _ = std::fs::remove_dir_all(&dir);

    let source = preprocess::source_from_text("init.c", text);
    let unit = parse::parse(&source).expect("parses");
    let (unit, _) = match sema::check(unit, source.map.clone(), machine) {
        Ok(checked) => checked,
        Err(errors) => {
            let span = errors[0].span.expect("a place");
            panic!("seed {seed}{flag}: {} {}\n{}", errors[0].message, errors[0].label, source.map.line_at(span.lo).1);
        }
    };
    for line in expected.lines() {
        let (name, hex) = line.split_once(' ').expect("two words");
        let mut found = String::new();
        for byte in bytes(&unit, name) {
            _ = write!(found, "{byte:02x}");
        }
        let declaration =
            text.lines().find(|l| l.contains(&format!(" {name} =")) || l.contains(&format!(" {name}[] =")));
        assert_eq!(found, hex, "seed {seed}{flag}: {}", declaration.unwrap_or_default());
    }
}

#[test]
fn contents_are_those_of_gcc() {
    for seed in 0..4 {
        compare(seed, Machine::Lp64, "-m64");
        compare(seed, Machine::Ilp32, "-m32");
    }
}
