//! Runs the programs beside this file, which check themselves, and small programs with undefined behaviour.
#![allow(clippy::disallowed_methods)]

mod common;

use cfa::MachineModel;
use common::{lower, run};
use interp::Outcome;

const MACHINES: [MachineModel; 2] = [MachineModel::Ilp32, MachineModel::Lp64];

#[test]
fn programs() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 5);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for machine in MACHINES {
            let lowered = lower(&text, machine);
            // The library has conversions that no program here uses, and no list is read on that another function has read.
            let is_reached =
                |construct: &str| !construct.contains("library function") && construct != "variable argument";
            let unsupported: Vec<_> = lowered.program.unsupported.iter().filter(|u| is_reached(&u.construct)).collect();
            assert!(unsupported.is_empty(), "{}: {unsupported:?}", file.display());
            let (outcome, output) = run(&lowered.program);
            assert_eq!(output, "", "{}, {machine:?}", file.display());
            assert_eq!(outcome, Outcome::Exited { status: Some(0) }, "{}, {machine:?}", file.display());
        }
    }
}

/// The body of `main` ends as described: `0` and other numbers are exit codes.
#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!("int id(int x) {{ return x; }} int in(void); int main(void) {{ {body} }}");
    for machine in MACHINES {
        let lowered = lower(&text, machine);
        let ended = match run(&lowered.program).0 {
            Outcome::Exited { status: Some(status) } => status.to_string(),
            Outcome::Exited { status: None } => "halt".into(),
            Outcome::Undefined { what, .. } => format!("{what:?}"),
            Outcome::Unsupported { what, .. } => lowered.program.unsupported[what].construct.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(ended, expected, "{machine:?}: {body}");
    }
}

/// As compilers do, Hone folds what it can; what is left may not depend on variables of the function.
#[test]
fn static_variables_of_automatic_ones() {
    check("int a = in(); static int z = 0 && a; return z;", "0");
    check("int a = in(); static int z = 0 ? a : 7; return z;", "7");
    check("int a = in(); static int z = sizeof a; return z;", "4");
    check("int a = in(); static int z = a + 1; return z;", "initializer that is not constant");
    check("int a = in(); static int *z = &a; return *z;", "initializer that is not constant");
    check(
        "int a[2] = {1, 2}; static struct { int x, y; } z = {1, a[1]}; return z.y;",
        "initializer that is not constant",
    );
    check("struct s { int x; } a = {1}; static struct s z = a; return z.x;", "initializer that is not constant");
}

#[test]
fn undefined_behaviour() {
    check("return 1 / id(0);", "DivisionByZero");
    check("return 1 % id(0);", "DivisionByZero");
    check("int x = 5; x /= id(0); return x;", "DivisionByZero");
    check("return 1 / 0;", "DivisionByZero");
    check("return 1.0 / id(0) > 5;", "1");
    check("return 1 << id(32);", "ShiftOutOfRange");
    check("return 1 >> id(-1);", "ShiftOutOfRange");
    check("return 1 << 32;", "ShiftOutOfRange");
    check("return 1LL << id(33) >> 32;", "2");
    check("int n = id(0); int a[n]; return sizeof a;", "0");
    check("int n = id(-1); int a[n]; return 0;", "InvalidSize");
    check("int *p = 0; return *p;", "InvalidAccess");
    check("int *p; { int x = 1; p = &x; } return *p;", "InvalidAccess");
    check("int a[2]; a[id(2)] = 1; return 0;", "InvalidAccess");
    check("__builtin_unreachable();", "Unreachable");
    check("void (*f)(int) = (void (*)(int))0; f(1); return 0;", "InvalidCall");
    check("return id(2147483647) + 1 < 0;", "1");
    check("return id(-2147483647 - 1) / -1 < 0;", "1");
}

#[test]
fn ends() {
    check("void abort(void); abort(); return 1;", "halt");
    check("void exit(int); exit(3);", "halt");
    check("__builtin_trap();", "halt");
    check("void __VERIFIER_assume(int); __VERIFIER_assume(in() == 1); return 1;", "halt");
    check("void __VERIFIER_assume(int); __VERIFIER_assume(in() == 0); return 1;", "1");
    check("assert(in() == 0); return 2;", "2");
    check("assert(in()); return 2;", "halt");
    check("int setjmp(int *); int b[8]; return setjmp(b);", "0");
    check(
        "int setjmp(int *); void longjmp(int *, int); int b[8], n = setjmp(b); if (n < 3) longjmp(b, n + 1); return n;",
        "3",
    );
    check("asm goto (\"jmp %l0\" : : : : l); l: return 0;", "asm goto");
    check("int x = 1; asm(\"\" : \"=r\"(x)); return x;", "0");
    check("asm volatile(\"\" ::: \"memory\"); return 4;", "4");
    check("", "0");
}

#[test]
fn entry_function() {
    let text = "int f(void) { return 0; } int main(void);";
    let source = syntax::preprocess::source_from_text("test.c", text);
    let unit = syntax::parse::parse(&source).unwrap();
    let (unit, _) = cfront::sema::check(unit, source.map, syntax::machine_model::Machine::Lp64).unwrap();
    let options = c2cfa::LowerOptions {
        machine: MachineModel::Lp64,
        byte_order: base::ByteOrder::Little,
        entry: "main".into(),
        checks: Vec::new(),
        error_functions: Vec::new(),
        allocation_may_fail: false,
        environment: c2cfa::Environment::default(),
    };
    let errors = c2cfa::lower(unit, &options).unwrap_err();
    assert_eq!(errors[0].code, "E0401");
    assert_eq!(errors[0].span.map(|s| s.lo), Some(30));
}

#[test]
fn arguments_of_main() {
    let text = "int main(int argc, char **argv) { if (argc < 1) return 1; if (!argv) return 2; return 0; }";
    let listing = common::listing(&lower(text, MachineModel::Lp64).program, "__start");
    assert!(listing.contains("argv$2 = alloca((unsigned long)tmp$1 * 8 + 8)"), "{listing}");
    assert!(listing.contains(">= 1]"), "{listing}");
}

#[test]
fn library_code_has_its_own_file() {
    let text = "unsigned long strlen(const char *); int main(void) { return strlen(\"abc\"); }";
    let program = lower(text, MachineModel::Lp64).program;
    let func = program.function_named("strlen").expect("strlen");
    assert!(program.functions[func].body.is_some());
    let place = program.source.place(program.functions[func].span.lo).expect("a place");
    assert_eq!(&*place.file, clib::libc::FILE);
}

#[test]
fn own_functions_come_first() {
    let text =
        "int strlen(const char *s) { return 7; } void free(int x) { } int main(void) { free(1); return strlen(\"\"); }";
    assert_eq!(run(&lower(text, MachineModel::Lp64).program).0, Outcome::Exited { status: Some(7) });
}
