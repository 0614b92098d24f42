//! The shape of automata.

mod common;

use cfa::MachineModel;
use common::{listing, lower};

/// Lowers `void f(…)` with the given body; `main` calls it.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let text = format!(
        "void e(void); int in(void); struct s {{ int a; struct s *n; }};
         void f(int x, int y, struct s *p) {{ {body} }}
         int main(void) {{ struct s s; f(in(), in(), &s); return 0; }}"
    );
    let found = listing(&lower(&text, MachineModel::Lp64).program, "f");
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "\n{body}\n{found}");
}

#[test]
fn conditions_are_atomic() {
    check(
        "if (x > 1 && (y == 2 || !p->a)) e();",
        &[
            "0 -> 1: [x > 1]",
            "0 -> end: [!(x > 1)]",
            "1 -> 2: [y == 2]",
            "1 -> 3: [!(y == 2)]",
            "2 -> end: call e()",
            "3 -> end: [p->a != 0]",
            "3 -> 2: [!(p->a != 0)]",
        ],
    );
    check(
        "if (__builtin_expect(!!(x == 1), 0)) e();",
        &["0 -> 1: [x == 1]", "0 -> end: [!(x == 1)]", "1 -> end: call e()"],
    );
}

#[test]
fn values_of_logic() {
    check("x = y > 1 && x < 3;", &["0 -> end: x = (int)(y > 1 && x < 3)"]);
    check("x = y ? 1 : 2;", &["0 -> end: x = y != 0 ? 1 : 2"]);
    check(
        "x = p && p->a;",
        &[
            "0 -> 1: [p != 0]",
            "0 -> 2: [!(p != 0)]",
            "1 -> 3: [p->a != 0]",
            "1 -> 2: [!(p->a != 0)]",
            "2 -> end: x = 0",
            "3 -> end: x = 1",
        ],
    );
}

#[test]
fn loops() {
    check("while (1) { if (x) break; }", &["0 -> 1: skip", "1 -> end: [x != 0]", "1 -> 1: [!(x != 0)]"]);
    check("for (;;) ;", &["0 -> 1: skip", "1 -> 1: skip"]);
    check("do x++; while (0);", &["0 -> end: x = x + 1"]);
    check(
        "for (int i = 0; i < 3; i++) e();",
        &["0 -> 1: i = 0", "1 -> 2: [i < 3]", "1 -> end: [!(i < 3)]", "2 -> 3: call e()", "3 -> 1: i = i + 1"],
    );
}

#[test]
fn labels_are_entered() {
    check(
        "if (x) goto ERROR; y = 1; ERROR: y = 2;",
        &["0 -> 1: [x != 0]", "0 -> 2: [!(x != 0)]", "ERROR:1 -> end: y = 2", "2 -> 1: y = 1"],
    );
    check("ERROR: goto ERROR;", &["0 -> 1: skip", "ERROR:1 -> 1: skip"]);
    check("goto M; L: M: e();", &["0 -> 1: skip", "M:1 -> end: call e()"]);
    check("L: M: e();", &["0 -> 1: skip", "L:1 -> 2: skip", "M:2 -> end: call e()"]);
}

#[test]
fn switches() {
    check(
        "switch (x) { case 1: case 3 ... 4: e(); default: y = 1; }",
        &[
            "0 -> 1: [x == 1]",
            "0 -> 2: [!(x == 1)]",
            "1 -> 3: call e()",
            "2 -> 4: [x >= 3]",
            "2 -> 3: [!(x >= 3)]",
            "3 -> end: y = 1",
            "4 -> 1: [x <= 4]",
            "4 -> 3: [!(x <= 4)]",
        ],
    );
    check("switch (2) { case 1: e(); break; case 2: x = 2; }", &["0 -> end: x = 2"]);
}

#[test]
fn side_effects_leave_expressions() {
    check("x = y++ + y;", &["0 -> 1: tmp$1 = y", "1 -> 2: y = y + 1", "2 -> end: x = tmp$1 + y"]);
    check("x = in();", &["0 -> end: x = call in()"]);
    check("p->a = p->a + 1;", &["0 -> end: p->a = p->a + 1"]);
    check("(x, y);", &["0 -> end: skip"]);
    check(
        "p->n->a += in();",
        &[
            "0 -> 1: tmp$1 = p->n",
            "1 -> 2: tmp$2 = *(int *)tmp$1",
            "2 -> 3: tmp$3 = call in()",
            "3 -> end: *(int *)tmp$1 = tmp$2 + tmp$3",
        ],
    );
}

#[test]
fn objects() {
    check(
        "struct s v = {1}; p = v.n;",
        &["0 -> 1: declare v", "1 -> 2: memset(&v, 0, 16)", "2 -> 3: v.a = 1", "3 -> end: p = v.n"],
    );
    check("struct s v = *p;", &["0 -> 1: declare v", "1 -> end: memmove(&v, p, 16)"]);
    check(
        "{ int a[1] = {x}; } e();",
        &["0 -> 1: declare a", "1 -> 2: a[0] = x", "2 -> 3: end of scope of a", "3 -> end: call e()"],
    );
    check("int z; y = z;", &["0 -> 1: havoc z", "1 -> end: y = z"]);
}

#[test]
fn variable_calls() {
    let text = "int printf(const char *, ...);
                int f(int n, ...) { return n; }
                int main(void) { printf(\"%d\", 1); return f(2, 3, 4L); }";
    let found = listing(&lower(text, MachineModel::Lp64).program, "main");
    let expected = "0 -> 1: call printf(&string$1, 1)
1 -> 2: declare va$1
2 -> 3: *(int *)&va$1 = 3
3 -> 4: *(long *)(&va$1 + 16) = 4
4 -> end: return = call f(2, &va$1)
";
    assert_eq!(found, expected);
}

#[test]
fn unreachable_functions_are_left_out() {
    let text = "int unused(void) { return 1; } int used(void) { return 2; } int (*f)(void) = used; int g;
                int main(void) { return f(); }";
    let program = lower(text, MachineModel::Lp64).program;
    let names: Vec<&str> = program.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["__start", "main", "used"]);
    assert!(program.vars.iter().all(|v| &*v.name != "g"));
    assert!(program.functions.iter().any(|f| &*f.name == "used" && f.address_taken && f.body.is_some()));
}

#[test]
fn externs_are_arbitrary() {
    let text = "extern int n; extern int a[4]; extern char unknown[]; extern int *p;
                int main(void) { return n + a[1] + unknown[2] + *p; }";
    let found = listing(&lower(text, MachineModel::Lp64).program, "__start");
    for expected in ["havoc n", "havoc 16 bytes at a", "call unknown()", "p = call p()"] {
        assert!(found.contains(expected), "{expected}:\n{found}");
    }
}
