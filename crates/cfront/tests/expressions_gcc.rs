//! Compares the types of random expressions and the values of random constant expressions with the installed GCC, in both data models.
#![allow(clippy::disallowed_methods, reason = "the test runs a compiler on temporary files")]

use cfront::sema;
use cfront::types::{Type, TypeId, Types};
use std::fmt::Write;
use std::process::Command;
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }
}

const PRELUDE: &str = "
enum small { A0, A1 }; enum negative { N0 = -1, N1 }; enum large { L0 = 0x7fffffffffLL };
struct record { unsigned b3 : 3; int b31 : 31; unsigned b32 : 32; int s32 : 32; long l20 : 20; unsigned long ul12 : 12;
  enum small e5 : 5; _Bool bb : 1; unsigned char c4 : 4; char name[8]; short *ps; int m[2][3]; };
extern _Bool b; extern char c; extern signed char sc; extern unsigned char uc; extern short s; extern unsigned short us;
extern int i; extern unsigned u; extern long l; extern unsigned long ul; extern long long ll; extern unsigned long long ull;
extern float f; extern double d; extern long double ld; extern enum small es; extern enum negative en; extern enum large el;
extern struct record r; extern struct record *pr; extern int *pi; extern char *pc; extern void *pv; extern int **ppi;
extern int ai[4]; extern short as[2][3]; extern int fi(char); extern double fd(void); extern int (*pf)(char);
";

const INTEGERS: &[&str] = &[
    "b",
    "c",
    "sc",
    "uc",
    "s",
    "us",
    "i",
    "u",
    "l",
    "ul",
    "ll",
    "ull",
    "es",
    "en",
    "el",
    "A1",
    "N0",
    "r.b3",
    "r.b31",
    "r.b32",
    "r.s32",
    "r.l20",
    "r.ul12",
    "pr->e5",
    "pr->bb",
    "r.c4",
    "1",
    "'x'",
    "7u",
    "2147483648",
    "0x80000000",
    "5l",
    "6ull",
    "0",
    "4294967296",
    "0xffffffffffffffff",
    "*pi",
    "pc[1]",
    "ai[i]",
    "as[1][2]",
    "r.m[1][0]",
    "r.name[2]",
    "fi(3)",
    "pf(c)",
    "(*pf)('a')",
    "*r.ps",
    "sizeof(int)",
    "sizeof ai",
    "L'w'",
    "__alignof__(double)",
];
const FLOATS: &[&str] = &["f", "d", "ld", "1.5", "2.5f", "0x1p3L", "fd()"];
const POINTERS: &[&str] = &[
    "pi",
    "&i",
    "ai",
    "&ai[2]",
    "*ppi",
    "as[0]",
    "pc",
    "r.name",
    "pv",
    "(void *)0",
    "&r.ps",
    "r.ps",
    "\"text\"",
    "r.m[0]",
];
const CASTS: &[&str] = &[
    "_Bool",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum small",
    "enum negative",
];
const LVALUES: &[&str] = &["b", "c", "us", "i", "u", "ll", "r.b3", "pr->l20", "es", "ai[1]", "*pc", "r.m[1][1]"];

struct Generator {
    random: Random,
}

impl Generator {
    fn integer(&mut self, depth: u32) -> String {
        let leaf = depth == 0;
        match self.random.below(if leaf { 1 } else { 14 }) {
            0 => self.random.pick(INTEGERS).into(),
            1 | 2 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]))
            }
            3 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("({a} {} {b})", self.random.pick(&["<<", ">>"]))
            }
            4 => {
                let (a, b) = (self.arithmetic(depth - 1), self.arithmetic(depth - 1));
                format!("({a} {} {b})", self.random.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]))
            }
            5 => format!("({} {})", self.random.pick(&["-", "~", "+", "!"]), self.integer(depth - 1)),
            6 => format!("({})({})", self.random.pick(CASTS), self.arithmetic(depth - 1)),
            7 => {
                let (c, a, b) = (self.integer(depth - 1), self.integer(depth - 1), self.integer(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            8 => format!("({} ?: {})", self.integer(depth - 1), self.integer(depth - 1)),
            9 => {
                let op = self.random.pick(&["=", "+=", "-=", "*=", "<<=", ">>=", "|=", "&="]);
                format!("({} {op} {})", self.random.pick(LVALUES), self.integer(depth - 1))
            }
            10 => format!("({}{})", self.random.pick(LVALUES), self.random.pick(&["++", "--"])),
            11 => format!("({}, {})", self.integer(depth - 1), self.integer(depth - 1)),
            12 => {
                let (p, q) = (self.random.pick(&["pi", "ai", "&i", "pi + 1"]), self.random.pick(&["pi", "ai", "*ppi"]));
                format!("(({p}) {} ({q}))", self.random.pick(&["-", "<", "==", "!="]))
            }
            _ => format!("({{ int k = {}; k; }})", self.integer(depth - 1)),
        }
    }

    fn arithmetic(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => {
                let (a, b) = (self.random.pick(FLOATS), self.integer(depth.saturating_sub(1)));
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "/"]))
            }
            1 => self.random.pick(FLOATS).into(),
            _ => self.integer(depth),
        }
    }

    fn pointer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.random.pick(POINTERS).into();
        }
        let (p, i) = (self.pointer(depth - 1), self.integer(depth - 1));
        match self.random.below(5) {
            0 => format!("({p} + {i})"),
            1 => format!("({p} - {i})"),
            2 => format!("({i} ? {p} : 0)"),
            3 => format!("({i} ? (void *)0 : {p})"),
            _ => format!("({i}, {p})"),
        }
    }

    /// A constant expression without undefined behaviour.
    fn constant(&mut self, depth: u32) -> String {
        const LEAVES: &[&str] = &[
            "1",
            "0",
            "7",
            "-3",
            "'a'",
            "255u",
            "0x7fffffff",
            "0x80000000",
            "2147483648",
            "0xffffffffffffffffull",
            "-1ll",
            "N0",
            "L0",
            "sizeof(long)",
            "(int)2.75",
            "(unsigned char)300",
            "(_Bool)0.5f",
            "(char)200",
            "1 == 1.0",
            "__builtin_offsetof(struct record, m[1])",
            "(int)&((struct record *)0)->ps",
            "'\\377'",
        ];
        if depth == 0 {
            return format!("({})", self.random.pick(LEAVES));
        }
        let (a, b) = (self.constant(depth - 1), self.constant(depth - 1));
        match self.random.below(9) {
            0 => format!("((unsigned long long)({a}) {} ({b}))", self.random.pick(&["+", "-", "*"])),
            1 => format!("((unsigned)({a}) {} ({b}))", self.random.pick(&["+", "-", "*"])),
            2 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            3 => format!("({a} {} {b})", self.random.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"])),
            4 => format!("({})({a})", self.random.pick(CASTS)),
            5 => format!("({a} ? {b} : {})", self.constant(depth - 1)),
            6 => format!("((unsigned long long)({a}) {} {})", self.random.pick(&["<<", ">>"]), self.random.below(64)),
            7 => {
                format!("({a} {} {})", self.random.pick(&["/", "%"]), self.random.pick(&["3", "7u", "-5ll", "1000ull"]))
            }
            _ => format!("({a} >> {})", self.random.below(31)),
        }
    }
}

const NAMES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "int *",
    "char *",
    "short *",
    "void *",
    "int **",
    "short **",
];

fn name(types: &Types, ty: TypeId) -> String {
    match types.get(ty) {
        Type::Enum(id) => types.enum_repr(*id).name().to_string(),
        _ => types.display(ty),
    }
}

fn compare(seed: u64, machine: Machine, flag: &str) {
    let mut generator = Generator { random: Random(fastrand::Rng::with_seed(seed)) };
    let (mut text, mut main, mut expressions) = (PRELUDE.to_string(), String::new(), Vec::new());
    let mut body = String::new();
    for k in 0..400 {
        let depth = k % 4;
        let e = match k % 5 {
            0 => format!("({}) + 0", generator.pointer(depth)),
            1 => format!("+({})", generator.arithmetic(depth)),
            _ => format!("+({})", generator.integer(depth)),
        };
        _ = writeln!(body, "  typeof(({e})) *t{k}; (void)t{k};");
        _ = writeln!(main, "  {{ typeof(({e})) *t{k}; printf(\"t{k} %s\\n\", NAME(t{k})); }}");
        expressions.push((format!("t{k}"), e));
    }
    for k in 0..400 {
        let e = generator.constant(k % 4);
        _ = writeln!(text, "enum k{k} {{ k{k} = (long long)({e}) }};");
        _ = writeln!(main, "  printf(\"k{k} %lld\\n\", (long long)k{k});");
        expressions.push((format!("k{k}"), e));
    }
    let associations: Vec<String> = NAMES.iter().map(|n| format!("{n} *: \"{}\"", n)).collect();
    let harness = format!(
        "#include <stdio.h>\n#define NAME(e) _Generic((e), {}, default: \"?\")\n{text}\nint main(void) {{\n{main} return 0; }}\n",
        associations.join(", ")
    );
    let dir = std::env::temp_dir().join(format!("cfront-types-{}-{seed}{flag}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    let expected = ask_gcc(&harness, flag, &dir);
    _ = std::fs::remove_dir_all(&dir);

    let source = preprocess::source_from_text("types.c", &format!("{text}\nvoid test(void) {{\n{body}}}\n"));
    let unit = parse::parse(&source).expect("parses");
    let checked = sema::check(unit, source.map.clone(), machine);
    let (unit, _) = match checked {
        Ok(unit) => unit,
        Err(errors) => {
            let span = errors[0].span.expect("a place");
            panic!("seed {seed}{flag}: {} {}\n{}", errors[0].message, errors[0].label, source.map.line_at(span.lo).1);
        }
    };
    for line in expected.lines() {
        let (key, value) = line.split_once(' ').expect("two words");
        let found = if key.starts_with('t') {
            let var = unit.vars.iter().find(|v| v.name.as_ref() == key).expect("a variable");
            name(&unit.types, unit.types.pointee(var.ty).expect("a pointer"))
        } else {
            let constants = unit.types.enums.iter().find(|e| e.name.as_deref() == Some(key)).expect("an enumeration");
            (constants.enumerators[0].1 as i64).to_string()
        };
        let e = &expressions.iter().find(|(name, _)| name == key).expect("an expression").1;
        assert_eq!(found, value, "seed {seed}{flag}: {key} is {e}");
    }
}

/// What the program prints.
fn ask_gcc(source: &str, flag: &str, dir: &std::path::Path) -> String {
    let (c, exe) = (dir.join("types.c"), dir.join("types"));
    std::fs::write(&c, source).expect("a file");
    let build = Command::new("gcc").args([flag, "-w", "-O0", "-o"]).arg(&exe).arg(&c).output().expect("gcc runs");
    let messages = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "-m32 takes gcc-multilib: {messages}");
    let run = Command::new(&exe).output().expect("it runs");
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn types_and_constants_are_those_of_gcc() {
    for seed in 0..4 {
        compare(seed, Machine::Lp64, "-m64");
        compare(seed, Machine::Ilp32, "-m32");
    }
}
