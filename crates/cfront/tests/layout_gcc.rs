//! Compares the layout of random records with the installed GCC, in both data models.
#![allow(clippy::disallowed_methods, reason = "the test runs a compiler on temporary files")]

use cfront::sema;
use cfront::types::{RecordId, RecordLayout, Types};
use std::fmt::Write;
use std::process::Command;
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len() as u64) as usize]
    }
}

const PRELUDE: &str = "
enum small { SMALL_A, SMALL_B = 7 };
enum negative { NEG_A = -5, NEG_B = 9 };
enum __attribute__((packed)) tiny { TINY_A, TINY_B = 200 };
enum large { LARGE_A = 0x7fffffffffLL };
typedef long long ll_aligned8 __attribute__((aligned(8)));
typedef long long ll_aligned4 __attribute__((aligned(4)));
typedef double double_aligned2 __attribute__((aligned(2)));
typedef int int_aligned1 __attribute__((aligned(1)));
typedef int int_aligned16 __attribute__((aligned(16)));
typedef struct { char c; } record_aligned8 __attribute__((aligned(8)));
typedef void (*function)(int);
";

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "enum small",
    "enum negative",
    "enum tiny",
    "enum large",
    "void *",
    "function",
    "ll_aligned4",
];

const ALIGNED: &[&str] = &["ll_aligned8", "double_aligned2", "int_aligned1", "int_aligned16", "record_aligned8"];

/// Type and number of bits.
const BIT_TYPES: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum small", 32),
    ("enum negative", 32),
    ("enum tiny", 8),
    ("ll_aligned4", 64),
    ("int_aligned1", 32),
    ("int_aligned16", 32),
];

const FIELD_ATTRIBUTES: &[&str] = &[
    "__attribute__((packed))",
    "__attribute__((aligned(1)))",
    "__attribute__((aligned(2)))",
    "__attribute__((aligned(4)))",
    "__attribute__((aligned(8)))",
    "__attribute__((aligned))",
    "__attribute__((packed, aligned(2)))",
];

/// One member to compare: its path from the record, and whether it is a bit-field.
struct Probe {
    name: String,
    is_bit_field: bool,
}

struct Generator {
    random: Random,
    next_name: u32,
}

impl Generator {
    fn name(&mut self) -> String {
        self.next_name += 1;
        format!("m{}", self.next_name)
    }

    /// Members of a record, with probes for what is visible by name from outside.
    fn members(&mut self, n_known: u32, depth: u32, probes: &mut Vec<Probe>, text: &mut String) {
        for _ in 0..self.random.below(7) {
            let choice = self.random.below(20);
            let name = self.name();
            let attribute = if self.random.one_in(6) { self.random.pick(FIELD_ATTRIBUTES) } else { "" };
            match choice {
                0..=6 => {
                    let (ty, bits) = BIT_TYPES[self.random.below(BIT_TYPES.len() as u64) as usize];
                    let width = self.random.below(bits) + 1;
                    match self.random.below(9) {
                        0 => _ = writeln!(text, "  {ty} : 0;"),
                        1 => _ = writeln!(text, "  {ty} : {width};"),
                        _ => {
                            _ = writeln!(text, "  {ty} {name} : {width} {attribute};");
                            probes.push(Probe { name, is_bit_field: true });
                        }
                    }
                    continue;
                }
                7..=12 => _ = writeln!(text, "  {} {name} {attribute};", self.random.pick(SCALARS)),
                13 => _ = writeln!(text, "  {} {name} {attribute};", self.random.pick(ALIGNED)),
                14 | 15 => {
                    let (ty, n) = (self.random.pick(SCALARS), self.random.below(4));
                    _ = writeln!(text, "  {ty} {name}[{n}] {attribute};");
                }
                16 | 17 if n_known > 0 => {
                    let known = self.random.below(u64::from(n_known));
                    let array = self.random.pick(&["", "", "[2]", "[0]"]);
                    _ = writeln!(text, "  struct s{known} {name}{array} {attribute};");
                }
                18 | 19 if depth < 2 => {
                    _ = writeln!(text, "  {} {{", self.random.pick(&["struct", "union"]));
                    self.members(n_known, depth + 1, probes, text);
                    _ = writeln!(text, "  }} {attribute};");
                    continue;
                }
                _ => continue,
            }
            probes.push(Probe { name, is_bit_field: false });
        }
    }

    /// A program with `n` records that prints their layout, one line for each record and probe.
    fn program(&mut self, n: u32) -> (String, String) {
        let mut types = PRELUDE.to_string();
        let mut main = String::new();
        for i in 0..n {
            let mut probes = Vec::new();
            let pack = if self.random.one_in(8) { Some(1 << self.random.below(4)) } else { None };
            if let Some(pack) = pack {
                _ = writeln!(types, "#pragma pack(push, {pack})");
            }
            let is_union = self.random.one_in(6);
            // A union is wrapped, so that all records have the same kind of tag.
            _ = writeln!(types, "struct s{i} {{");
            if is_union {
                _ = writeln!(types, "union {{");
            }
            self.members(i, 0, &mut probes, &mut types);
            if is_union {
                _ = writeln!(types, "}};");
            } else if self.random.one_in(12) && !probes.is_empty() {
                let name = self.name();
                _ = writeln!(types, "  {} {name}[];", self.random.pick(SCALARS));
                probes.push(Probe { name, is_bit_field: false });
            }
            let attribute = match self.random.below(12) {
                0 | 1 => "__attribute__((packed))",
                2 => "__attribute__((aligned(2)))",
                3 => "__attribute__((aligned(16)))",
                4 => "__attribute__((packed, aligned(4)))",
                5 => "__attribute__((aligned(8)))",
                _ => "",
            };
            _ = writeln!(types, "}} {attribute};");
            if pack.is_some() {
                _ = writeln!(types, "#pragma pack(pop)");
            }
            _ = writeln!(main, "  printf(\"s{i} %d %d\\n\", (int)sizeof(struct s{i}), (int)__alignof__(struct s{i}));");
            for Probe { name, is_bit_field } in probes {
                if is_bit_field {
                    _ = writeln!(main, "  BITS({i}, {name});");
                } else {
                    _ = writeln!(main, "  printf(\"{name} %d\\n\", (int)__builtin_offsetof(struct s{i}, {name}));");
                }
            }
        }
        (types, main)
    }
}

const HARNESS: &str = r#"
#include <stdio.h>
#include <string.h>
static unsigned char buffer[1 << 16] __attribute__((aligned(16)));
static void dump(const char *name) {
  int first = -1, count = 0;
  for (unsigned i = 0; i < sizeof buffer * 8; i++)
    if (buffer[i / 8] >> i % 8 & 1) { if (first < 0) first = i; count++; }
  printf("%s %d %d\n", name, first, count);
}
#define BITS(i, m) do { memset(buffer, 0, sizeof buffer); ((struct s##i *)buffer)->m = -1; dump(#m); } while (0)
"#;

/// Layouts as GCC has them: a line of words for each record and probe.
fn ask_gcc(source: &str, flag: &str, dir: &std::path::Path) -> String {
    let (c, exe) = (dir.join("layout.c"), dir.join("layout"));
    std::fs::write(&c, source).expect("a file");
    let build = Command::new("gcc").args([flag, "-w", "-O0", "-o"]).arg(&exe).arg(&c).output().expect("gcc runs");
    let messages = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "-m32 takes gcc-multilib: {messages}");
    let run = Command::new(&exe).output().expect("it runs");
    String::from_utf8(run.stdout).expect("text")
}

/// Offset in bits and width of a member, also in anonymous records.
fn find(types: &Types, layout: &RecordLayout, name: &str) -> Option<(u64, Option<u32>)> {
    for field in &layout.fields {
        match (&field.name, types.get(field.ty)) {
            (Some(found), _) if found.as_ref() == name => {
                let shift = field.bits.map_or(0, |b| u64::from(b.shift));
                return Some((field.offset * 8 + shift, field.bits.map(|b| b.width)));
            }
            (None, cfront::types::Type::Record(inner)) => {
                let inner = types.records[*inner].layout.as_ref()?;
                if let Some((bit, width)) = find(types, inner, name) {
                    return Some((field.offset * 8 + bit, width));
                }
            }
            _ => {}
        }
    }
    None
}

fn compare(seed: u64, machine: Machine, flag: &str) {
    let dir = std::env::temp_dir().join(format!("cfront-layout-{}-{seed}{flag}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    let mut generator = Generator { random: Random(fastrand::Rng::with_seed(seed)), next_name: 0 };
    let (types, main) = generator.program(120);
    let program = format!("{HARNESS}{types}\nint main(void) {{\n{main}  return 0;\n}}\n");
    let expected = ask_gcc(&program, flag, &dir);
    _ = std::fs::remove_dir_all(&dir);

    let source = preprocess::source_from_text("layout.c", &types);
    let unit = parse::parse(&source).expect("parses");
    let (unit, _) = sema::check(unit, source.map, machine).expect("checks");
    let record = |name: &str| -> RecordId {
        let found = unit.types.records.iter_enumerated().find(|(_, r)| r.name.as_deref() == Some(name));
        found.expect("the record is known").0
    };
    let mut wrong = Vec::new();
    let mut current = None;
    let mut name = "";
    for line in expected.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| words[i].parse::<u64>().expect("a number");
        if words[0].starts_with('s') {
            let layout = unit.types.records[record(words[0])].layout.clone().expect("complete");
            if (layout.size, u64::from(layout.align)) != (number(1), number(2)) {
                wrong.push((words[0], format!("GCC {line}, here {} {}", layout.size, layout.align)));
            }
            (current, name) = (Some(layout), words[0]);
            continue;
        }
        let (bit, width) = find(&unit.types, current.as_ref().expect("a record first"), words[0]).expect("member");
        let same = match width {
            None => bit == number(1) * 8,
            Some(width) => (bit, u64::from(width)) == (number(1), number(2)),
        };
        if !same {
            wrong.push((name, format!("GCC {line}, here {bit} {width:?} bits")));
        }
    }
    if let Some((name, _)) = wrong.first() {
        let lines = types.lines().skip_while(|l| !l.starts_with(&format!("struct {name} {{")));
        let text: Vec<&str> = lines.take_while(|l| !l.starts_with("struct s") || l.contains(name)).collect();
        panic!("seed {seed}{flag}: {} differences, such as {:?}\n{}", wrong.len(), &wrong[0], text.join("\n"));
    }
}

#[test]
fn layout_is_that_of_gcc() {
    for seed in 0..4 {
        compare(seed, Machine::Lp64, "-m64");
        compare(seed, Machine::Ilp32, "-m32");
    }
}
