//! Typed trees in a compact notation: `[x]` loads, `(T)e` converts, `@x` decays, `p +4 i` steps over four bytes.

use super::check;
use crate::typed::{Callee, Expr, ExprKind, InitValue, Initializer, Size, Stmt, StmtKind, TypedUnit, UnaryOp};
use crate::types::ArrayLen;
use base::{Diagnostic, SourceMap};
use std::fmt::Write;
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};

type Checked = Result<(TypedUnit, Vec<Diagnostic>), Vec<Diagnostic>>;

fn run(text: &str, machine: Machine) -> (SourceMap, Checked) {
    let source = preprocess::source_from_text("t.c", text);
    let unit = match parse::parse(&source) {
        Ok(unit) => unit,
        Err(errors) => panic!("{text}: {}", errors[0].message),
    };
    let map = source.map.clone();
    (map, check(unit, source.map, machine))
}

fn typed(text: &str, machine: Machine) -> TypedUnit {
    match run(text, machine).1 {
        Ok((unit, _)) => unit,
        Err(errors) => panic!("{text}: {} {}", errors[0].message, errors[0].label),
    }
}

/// The statements of the last function with a body.
#[track_caller]
fn check_body(text: &str, expected: &str) {
    let unit = typed(text, Machine::Lp64);
    let body = unit.functions.iter().filter_map(|f| f.body.as_ref()).next_back().expect("a function");
    assert_eq!(stmt(&unit, &body.stmt).trim_matches(['{', '}', ' ']), expected, "{text}");
}

/// An expression in a function with some variables.
#[track_caller]
fn check_expr(e: &str, expected: &str) {
    let text = format!(
        "enum e {{ A, B = 5 }}; struct s {{ int x; unsigned b3 : 3; int *p; char name[4]; struct {{ long in; }}; }};
         int g(int, char); int h();
         int f(unsigned char c, int i, unsigned u, long l, float fl, double d, int *p, void *v, struct s s, struct s *q,
               int a[][3], enum e en, int (*fp)(char), unsigned long long ull, _Bool b) {{ {e}; }}"
    );
    check_body(&text, &format!("{expected};"));
}

/// `code line:column message`
#[track_caller]
fn check_error(text: &str, expected: &str) {
    let (map, result) = run(text, Machine::Lp64);
    let errors = result.err().unwrap_or_default();
    let shown: Vec<String> = errors
        .iter()
        .map(|e| {
            let place = e.span.and_then(|s| map.place(s.lo)).map(|p| format!("{}:{}", p.line, p.column));
            format!("{} {} {}", e.code, place.unwrap_or_default(), e.message)
        })
        .collect();
    assert_eq!(shown.join("\n"), expected, "{text}");
}

/// Items of the initialiser of the global `x`, and its type.
#[track_caller]
fn check_init(text: &str, expected: &str) {
    let unit = typed(text, Machine::Lp64);
    let var = unit.vars.iter().find(|v| v.name.as_ref() == "x").expect("x is declared");
    let init = var.init.as_ref().expect("x is initialised");
    assert_eq!(format!("{}: {}", unit.types.display(var.ty), items(&unit, init)), expected, "{text}");
}

fn items(unit: &TypedUnit, init: &Initializer) -> String {
    let mut out = String::new();
    for item in &init.items {
        let bits = item.bits.map(|b| format!(".{}:{}", b.shift, b.width)).unwrap_or_default();
        let value = match &item.value {
            InitValue::Expr(e) => expr(unit, e),
            InitValue::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        };
        let space = if out.is_empty() { "" } else { " " };
        _ = write!(out, "{space}{}{bits}={value}", item.offset);
    }
    out
}

fn stmt(unit: &TypedUnit, stmt_: &Stmt) -> String {
    let list = |stmts: &[Stmt]| stmts.iter().map(|s| stmt(unit, s)).collect::<Vec<_>>().join(" ");
    match &stmt_.kind {
        StmtKind::Empty => ";".into(),
        StmtKind::Expr(e) => format!("{};", expr(unit, e)),
        StmtKind::Decl(decls) => {
            let decl = |d: &crate::typed::LocalDecl| {
                let var = &unit.vars[d.var];
                let init = d.init.as_ref().map(|i| format!(" = {{{}}}", items(unit, i))).unwrap_or_default();
                format!("{} {}{init}", unit.types.display(var.ty), var.name)
            };
            format!("{};", decls.iter().map(decl).collect::<Vec<_>>().join(", "))
        }
        StmtKind::Block(stmts) => format!("{{{}}}", list(stmts)),
        StmtKind::If { arms, otherwise } => {
            let arms: Vec<String> =
                arms.iter().map(|(c, s)| format!("if {} {}", expr(unit, c), stmt(unit, s))).collect();
            let otherwise = otherwise.as_ref().map(|s| format!(" else {}", stmt(unit, s))).unwrap_or_default();
            format!("{}{otherwise}", arms.join(" "))
        }
        StmtKind::While { cond, body } => format!("while {} {}", expr(unit, cond), stmt(unit, body)),
        StmtKind::DoWhile { body, cond } => format!("do {} while {};", stmt(unit, body), expr(unit, cond)),
        StmtKind::For { init, cond, step, body } => {
            let part = |e: &Option<Expr>| e.as_ref().map(|e| expr(unit, e)).unwrap_or_default();
            format!("for ({} {}; {}) {}", list(init), part(cond), part(step), stmt(unit, body))
        }
        StmtKind::Switch { value, body, cases, default } => {
            let cases: Vec<String> = cases.iter().map(|(a, b, id)| format!("{a}..{b}->{id:?}")).collect();
            format!("switch {} [{}] {default:?} {}", expr(unit, value), cases.join(" "), stmt(unit, body))
        }
        StmtKind::Case(id) => format!("{id:?}:"),
        StmtKind::Label(id) => format!("{id:?}:"),
        StmtKind::Goto(id) => format!("goto {id:?};"),
        StmtKind::GotoComputed(e) => format!("goto *{};", expr(unit, e)),
        StmtKind::Break => "break;".into(),
        StmtKind::Continue => "continue;".into(),
        StmtKind::Return(e) => format!("return {};", e.as_ref().map(|e| expr(unit, e)).unwrap_or_default()),
        StmtKind::Asm(asm) => {
            let output = |o: &crate::typed::AsmOutput| {
                let value = o.value.as_ref().map(|v| format!(" = {}", expr(unit, v))).unwrap_or_default();
                expr(unit, &o.target) + &value
            };
            let outputs: Vec<String> = asm.outputs.iter().map(output).collect();
            let inputs: Vec<String> = asm.inputs.iter().map(|e| expr(unit, e)).collect();
            let memory = if asm.changes_memory { " memory" } else { "" };
            format!("asm({} : {}{memory});", outputs.join(", "), inputs.join(", "))
        }
        StmtKind::Contract(contract) => format!("{contract:?};"),
        StmtKind::Unsupported(what, detail) => format!("unsupported {what} {detail};"),
    }
}

fn size(unit: &TypedUnit, size: &Size) -> String {
    match size {
        Size::Const(n) => n.to_string(),
        Size::Expr(e) => expr(unit, e),
    }
}

fn expr(unit: &TypedUnit, e: &Expr) -> String {
    let sub = |e: &Expr| expr(unit, e);
    match &e.kind {
        ExprKind::Int(v) => v.to_string(),
        ExprKind::Float(text) => text.to_string(),
        ExprKind::Var(var) => unit.vars[*var].name.to_string(),
        ExprKind::Function(id) => unit.functions[*id].name.to_string(),
        ExprKind::String(id) => format!("{:?}", String::from_utf8_lossy(&unit.strings[*id].bytes)),
        ExprKind::Deref(p) => format!("*{}", sub(p)),
        ExprKind::Member { base, offset, bits } => {
            let bits = bits.map(|b| format!(".{}:{}", b.shift, b.width)).unwrap_or_default();
            format!("{}.{offset}{bits}", sub(base))
        }
        ExprKind::CompoundLiteral { init, .. } => {
            format!("literal{{{}}}", init.as_ref().map(|i| items(unit, i)).unwrap_or_default())
        }
        ExprKind::Load(e) => format!("[{}]", sub(e)),
        ExprKind::Decay(e) => format!("@{}", sub(e)),
        ExprKind::AddrOf(e) => format!("&{}", sub(e)),
        ExprKind::Cast(inner) => format!("({}){}", unit.types.display(e.ty), sub(inner)),
        ExprKind::Wrap(inner, width) => format!("{}%{width}", sub(inner)),
        ExprKind::Unary(op, e) => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "!",
            };
            format!("{op}{}", sub(e))
        }
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {}):{}", sub(a), sub(b), unit.types.display(e.ty)),
        ExprKind::PtrAdd { ptr, index, elem_size, negative } => {
            format!("({} {}{} {})", sub(ptr), if *negative { '-' } else { '+' }, size(unit, elem_size), sub(index))
        }
        ExprKind::PtrDiff { lhs, rhs, elem_size } => {
            format!("({} -/{} {})", sub(lhs), size(unit, elem_size), sub(rhs))
        }
        ExprKind::Conditional { cond, then, otherwise } => {
            let then = then.as_ref().map(|e| sub(e)).unwrap_or_default();
            format!("({} ? {then} : {}):{}", sub(cond), sub(otherwise), unit.types.display(e.ty))
        }
        ExprKind::Comma(a, b) => format!("({}, {})", sub(a), sub(b)),
        ExprKind::Assign(a, b) => format!("{} = {}", sub(a), sub(b)),
        ExprKind::CompoundAssign { op, lhs, rhs, compute, elem_size } => {
            let step = elem_size.as_ref().map(|s| format!("*{}", size(unit, s))).unwrap_or_default();
            format!("{} {op:?}={step} {} in {}", sub(lhs), sub(rhs), unit.types.display(*compute))
        }
        ExprKind::IncDec { lhs, decrement, postfix, elem_size } => {
            let op = if *decrement { "--" } else { "++" };
            let step = elem_size.as_ref().map(|s| size(unit, s)).unwrap_or_default();
            if *postfix { format!("{}{op}{step}", sub(lhs)) } else { format!("{op}{step}{}", sub(lhs)) }
        }
        ExprKind::Call { callee, args } => {
            let callee = match callee {
                Callee::Direct(id) => unit.functions[*id].name.to_string(),
                Callee::Pointer(e) => sub(e),
            };
            format!("{callee}({}):{}", args.iter().map(sub).collect::<Vec<_>>().join(", "), unit.types.display(e.ty))
        }
        ExprKind::StmtExpr { stmts, value } => {
            let stmts: Vec<String> = stmts.iter().map(|s| stmt(unit, s)).collect();
            format!("({{{} {}}})", stmts.join(" "), value.as_ref().map(|e| sub(e)).unwrap_or_default())
        }
        ExprKind::VaArg(e) => format!("va_arg({})", sub(e)),
        ExprKind::LabelAddr(id) => format!("&&{id:?}"),
        ExprKind::VlaSize(e) => format!("size {}", sub(e)),
        ExprKind::Quantified(quantified) => format!("{quantified:?}"),
        ExprKind::Unsupported(what, detail) => format!("unsupported<{what} {detail}>"),
    }
}

#[test]
fn arithmetic() {
    check_expr("c << 1", "((int)[c] Shl 1):int");
    check_expr("c + u", "((unsigned int)(int)[c] Add [u]):unsigned int");
    check_expr("i + 1u", "((unsigned int)[i] Add 1):unsigned int");
    check_expr("u + l", "((long)[u] Add [l]):long");
    check_expr("i + fl", "((float)[i] Add [fl]):float");
    check_expr("fl * 2.0", "((double)[fl] Mul 2.0):double");
    check_expr("~c", "~(int)[c]");
    check_expr("!p", "![p]");
    check_expr("-1u", "4294967295");
    check_expr("b + b", "((int)[b] Add (int)[b]):int");
    check_expr("en + 1", "((unsigned int)[en] Add 1):unsigned int");
    check_expr("B", "5");
    check_expr("s.b3 - 4", "((int)[s.4.0:3] Sub 4):int");
    check_expr("(s.b3 = 9) < 0", "((int)s.4.0:3 = 9 Lt 0):int");
    check_expr("c && p", "([c] LogAnd [p]):int");
    check_expr("i < u", "((unsigned int)[i] Lt [u]):int");
    check_expr("l >> c", "([l] Shr (int)[c]):long");
}

#[test]
fn pointers() {
    check_expr("p + i", "([p] +4 (long)[i])");
    check_expr("i + p", "([p] +4 (long)[i])");
    check_expr("p - u", "([p] -4 (unsigned long)[u])");
    check_expr("v + 1", "([v] +1 1)");
    check_expr("p - p", "([p] -/4 [p])");
    check_expr("a[1][2]", "[*(@*([a] +12 1) +4 2)]");
    check_expr("1[p]", "[*([p] +4 1)]");
    check_expr("&a[1]", "([a] +12 1)");
    check_expr("&*p", "[p]");
    check_expr("*&i", "[i]");
    check_expr("q->x", "[*[q].0]");
    check_expr("q->in", "[*[q].24]");
    check_expr("s.name", "@s.16");
    check_expr("p == 0", "([p] Eq 0):int");
    check_expr("p == v", "((void *)[p] Eq [v]):int");
    check_expr("p += 2", "p Add=*4 2 in int *");
    check_expr("p++", "p++4");
    check_expr("i ? p : 0", "([i] ? [p] : 0):int *");
    check_expr("i ? p : v", "([i] ? (void *)[p] : [v]):void *");
    check_expr("p ?: 0", "([p] ?  : 0):int *");
    check_expr("\"ab\"[1]", "[*(@\"ab\\0\" +1 1)]");
    check_expr("*fp", "[fp]");
}

#[test]
fn assignments_and_calls() {
    check_expr("c = i", "c = (unsigned char)[i]");
    check_expr("b = p", "b = (_Bool)[p]");
    check_expr("c += i", "c Add= [i] in int");
    check_expr("c <<= l", "c Shl= [l] in int");
    check_expr("i *= d", "i Mul= [d] in double");
    check_expr("s = *q", "s = [*[q]]");
    check_expr("g(c, i)", "g((int)[c], (char)[i]):int");
    check_expr("h(c, fl)", "h((int)[c], (double)[fl]):int");
    check_expr("fp(i)", "[fp]((char)[i]):int");
    check_expr("(*fp)(i)", "[fp]((char)[i]):int");
    check_expr("(&g)(1, 2)", "g(1, 2):int");
    check_expr("__builtin_expect(!!p, 0)", "__builtin_expect((long)!![p], 0):long");
    check_expr("undeclared(fl)", "undeclared((double)[fl]):int");
    check_expr("__sync_fetch_and_add(&l, 1)", "__sync_fetch_and_add(&l, 1):long");
    check_expr("__builtin_isnan(fl)", "__builtin_isnan([fl]):int");
    check_expr("__builtin_add_overflow(i, l, &u)", "__builtin_add_overflow([i], [l], &u):_Bool");
    check_expr("__builtin_constant_p(i) + __builtin_constant_p(3 * 4)", "(0 Add 1):int");
    check_expr("sqrtf(2)", "sqrtf((float)2):float");
}

#[test]
fn types_as_operands() {
    check_expr("sizeof a + sizeof(struct s)", "(8 Add 32):unsigned long");
    check_expr("sizeof (int[i])", "(<array size> = (unsigned long)[i], size ([<array size>] Mul 4):unsigned long)");
    check_expr("__builtin_offsetof(struct s, name[2])", "18");
    check_expr("_Generic(c, int: 1, unsigned char: 2, default: 3)", "2");
    check_expr("__builtin_types_compatible_p(typeof(p), int *)", "1");
    check_expr("__builtin_choose_expr(0, i, d)", "[d]");
    check_expr("(struct s){ .x = i }", "[literal{0=[i]}]");
    check_expr("({ int k = i; k; })", "({int k = {0=[i]}; [k]})");
    check_expr("(_Complex double)d", "unsupported<type _Complex double>");
    check_expr("__func__", "@\"f\\0\"");
    check_expr("2147483648 + 0x80000000", "(2147483648 Add 2147483648):long");
}

#[test]
fn statements() {
    check_body(
        "void f(int n) { int a[n]; a[0] = sizeof a; }",
        "<array size> = (unsigned long)[n]; int [*] a; \
        *(@a +4 0) = (int)size ([<array size>] Mul 4):unsigned long;",
    );
    check_body(
        "int f(char c) { switch (c) { case 'a' ... 'c': return 1; default: break; } return c; }",
        "switch (int)[c] [97..99->CaseId(0)] Some(CaseId(1)) {CaseId(0): return 1; CaseId(1): break;} return (int)[c];",
    );
    check_body(
        "void f(void) { goto l; l: for (int i = 0; i < 3; i++) continue; }",
        "goto LabelId(0); LabelId(0): for (int i = {0=0}; ([i] Lt 3):int; i++) continue;",
    );
    check_body(
        "void f(void) { void *p = &&l; goto *p; l: ; }",
        "void * p = {0=&&LabelId(0)}; goto *[p]; LabelId(0): ;",
    );
    check_body(
        "int f(c, d) char c; { return c + d; }",
        "char c = {0=(char)[c$argument]}; return ((int)[c] Add [d]):int;",
    );
    check_body("int f(char); int f(c) char c; { return c; }", "return (int)[c];");
    check_body("void f(int *p) { __auto_type q = p; }", "int * q = {0=[p]};");
    check_body("void g(); void f(int x) { return g(x); }", "g([x]):void; return ;");
    check_body(
        "void f(int *p) { asm volatile (\"\" : \"+r\" (*p) : \"r\" (p[1]++) : \"memory\"); }",
        "asm( : *([p] +4 1)++);",
    );
    check_body(
        "void f(int *p, long n) { asm(\"x %0\" : \"=m\" (*p), \"+r\" (n) : \"m\" (p[1]) : \"memory\"); }",
        "asm(*[p], n : [p], [n], ([p] +4 1) memory);",
    );
    check_body(
        "void f(int a, int b) { asm(\"\" : \"=r\" (a), [c] \"=r\" (b) : \"0\" (b), \"[c]\" (a)); }",
        "asm(a = [b], b = [a] : [b], [a]);",
    );
    check_body(
        "int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }",
        "__builtin_va_list ap; __builtin_va_start(&ap):void; return va_arg(ap);",
    );
}

#[test]
fn initializers() {
    check_init("int x[] = { 1, [3] = 4, 5 };", "int [5]: 0=1 12=4 16=5");
    check_init("char x[] = \"ab\";", "char [3]: 0=\"ab\\0\"");
    check_init("char x[2] = { \"abc\" };", "char [2]: 0=\"ab\"");
    check_init("char x[2][3] = { \"a\", { 'b' } };", "char [2][3]: 0=\"a\\0\\0\" 3=98");
    check_init(
        "struct { int a, b; struct { char c[2]; } d; } x[] = { 1, 2, 'a', 'b', 5 };",
        "struct <unnamed> [2]: 0=1 4=2 8=97 9=98 12=5",
    );
    check_init(
        "struct { int a; union { short s; long l; }; int z; } x = { 1, 2, 3 };",
        "struct <unnamed>: 0=1 8=2 16=3",
    );
    check_init("struct { int a; union { short s; long l; }; int z; } x = { .l = 2, 3 };", "struct <unnamed>: 8=2 16=3");
    check_init("struct { unsigned a : 3, : 2, b : 4; } x = { 1, 2 };", "struct <unnamed>: 0.0:3=1 0.5:4=2");
    check_init(
        "struct p { int a, b; }; struct { struct p p[2]; int z; } x = { .p[1].b = 7, 8 };",
        "struct <unnamed>: 12=7 16=8",
    );
    check_init("struct p { int a, b; } x[3] = { [0 ... 1] = { 1, 2 }, { 3 } };", "struct p [3]: 0=1 4=2 8=1 12=2 16=3");
    check_init("struct p { int a, b; } x = { .a = 1, .b = 2, .a = 3 };", "struct p: 0=3 4=2");
    check_init("char x[2][3] = { [0 ... 1] = \"a\", [1][1] = 9 };", "char [2][3]: 0=\"a\\0\\0\" 3=\"a\" 4=9 5=\"\\0\"");
    check_init("union { int x; int v[2]; } x[2] = { [0 ... 1].x = 1, [1].v[1] = 5 };", "union <unnamed> [2]: 0=1 12=5");
    check_init("struct p { int a, b; }; struct p x = (struct p){ 1, 2 };", "struct p: 0=1 4=2");
    check_init("struct { int n; char t[]; } x = { 2, \"ab\" };", "struct <unnamed>: 0=2 4=\"ab\\0\"");
    check_init("int y; int *x = &y + 1;", "int *: 0=(&y +4 1)");
    check_init("int x = { 5 };", "int: 0=5");
    check_init("const char *x[] = { \"a\", 0 };", "char *[2]: 0=@\"a\\0\" 8=0");
}

#[test]
fn declarations() {
    let unit = typed(
        "extern int e; int t; int t; static int s = 1; extern int a[]; int a[3]; int tentative[];
         int f(int); int f(n) int n; { static int l; extern int e; return l + e + n; }
         extern inline int g(void) { return 1; } int g(void) { return 2; }
         int real(void) { return 0; } int other(void) __attribute__((alias(\"real\")));",
        Machine::Lp64,
    );
    let shown: Vec<String> =
        unit.vars.iter().map(|v| format!("{} {} {:?}", v.name, unit.types.display(v.ty), v.kind)).collect();
    let expected = [
        "e int Extern",
        "t int Global",
        "s int Global",
        "a int [3] Global",
        "tentative int [1] Global",
        "n int Param(FunctionId(0))",
        "l int StaticLocal(FunctionId(0))",
    ];
    assert_eq!(shown, expected);
    let functions: Vec<String> = unit
        .functions
        .iter()
        .map(|f| format!("{} {} {}", f.name, unit.types.display(f.ty), f.body.is_some()))
        .collect();
    assert_eq!(functions, ["f int (int) true", "g int (void) true", "real int (void) true", "other int (void) false"]);
    assert_eq!(
        unit.functions.iter().filter_map(|f| f.alias).map(|id| format!("{id:?}")).collect::<Vec<_>>(),
        ["FunctionId(2)"]
    );
    assert!(
        !unit.types.ids().any(|id| matches!(unit.types.get(id), crate::types::Type::Array(_, ArrayLen::Variable(_))))
    );
}

#[test]
fn addresses() {
    let unit = typed(
        "int f(int a, int b, int c) { int d[2], e, g; struct { int x; } s, t; int *p = &a; p = &s.x; t.x = b;
           c = sizeof(&b); asm(\"\" : \"=r\" (e)); g = d[0]; return *p + g + e; }",
        Machine::Lp64,
    );
    let taken: Vec<&str> = unit.vars.iter().filter(|v| v.address_taken).map(|v| v.name.as_ref()).collect();
    assert_eq!(taken, ["a", "d", "s"]);
}

#[test]
fn data_models() {
    let size = |text: &str, machine| {
        let unit = typed(&format!("{text} x;"), machine);
        let var = unit.vars.iter().find(|v| v.name.as_ref() == "x").expect("x is declared");
        unit.types.size_of(machine, var.ty)
    };
    assert_eq!(size("long", Machine::Ilp32), Some(4));
    assert_eq!(size("struct { char c; long long l; }", Machine::Ilp32), Some(12));
    assert_eq!(size("struct { char c; long long l; }", Machine::Lp64), Some(16));
    assert_eq!(size("struct { }", Machine::Lp64), Some(0));
    assert_eq!(size("enum { BIG = 1ll << 40 }", Machine::Ilp32), Some(8));
    assert_eq!(size("struct { char c; long long l; }", Machine::Aligned32), Some(16));
    assert_eq!(size("struct { long l; void *p; }", Machine::Llp64), Some(16));
    assert_eq!(size("__typeof__(L\"ab\")", Machine::Llp64), Some(6));
    assert_eq!(size("struct { int i; long l; }", Machine::Lp32), Some(8));
    assert_eq!(size("enum { BIG = 40000 }", Machine::Lp32), Some(2));
    assert_eq!(size("__typeof__(40000)", Machine::Lp32), Some(4));
    assert_eq!(size("__typeof__(0x8000)", Machine::Lp32), Some(2));
    assert_eq!(size("__typeof__((short)1 + (char)1)", Machine::Lp32), Some(2));
}

#[test]
fn errors() {
    check_error("int f(void) { return coutn; }", "E0201 1:22 `coutn` is not declared");
    check_error("int f(int *p) { return **p; }", "E0328 1:24 `*` is applied to a value of type `int`");
    check_error(
        "struct s { int abc; };\nint f(struct s s) { return s.abd; }",
        "E0316 2:30 `struct s` has no member `abd`",
    );
    check_error("struct s { int a; };\nint f(struct s *s) { return s.a; }", "E0324 2:29 `.` is applied to a pointer");
    check_error("int g(int);\nint f(void) { return g(1, 2); }", "E0330 2:22 too many arguments to function `g`");
    check_error("int x; char *x;", "E0205 1:14 conflicting types for `x`");
    check_error("int f(void) { int a; int a; }", "E0203 1:26 redefinition of `a`");
    check_error("int f(void) { return 1; } int f(void) { return 2; }", "E0203 1:31 redefinition of `f`");
    check_error("struct s; struct s x;", "E0304 1:20 storage size of `x` isn't known");
    check_error("void f(void) { goto l; }", "E0345 1:21 label `l` is used but not defined");
    check_error("void f(void) { break; }", "E0344 1:16 `break` outside of a loop or `switch`");
    check_error("void f(int i) { switch (i) { case 1: case 1: ; } }", "E0343 1:38 duplicate case value");
    check_error("void f(int i) { 1 = i; }", "E0327 1:17 assignment to what is no object");
    check_error("void f(void) { const int i = 1; i = 2; }", "E0335 1:33 assignment to `i`, which is constant");
    check_error("void f(void); int g(void) { return f(); }", "E0317 1:36 the value of a `void` expression is used");
    check_error("struct s { int a; } s; int f(void) { return s; }", "E0318 1:45 incompatible types in return");
    check_error(
        "struct s { int a; } s; int f(void) { return s + 1; }",
        "E0326 1:45 wrong types of the operands of `+`",
    );
    check_error("_Static_assert(sizeof(int) == 8, \"no\");", "E0350 1:16 static assertion failed: no");
    check_error("int n; int a[n];", "E0311 1:14 an array at file scope has a size that is not constant");
    check_error("struct s { int b : 40; };", "E0315 1:20 the width 40 of a bit-field is not between 1 and 32");
    check_error("int f(int x) { return &x.y; }", "E0324 1:24 `int` is not a struct or union");
}

#[test]
fn hints() {
    let (_, result) = run("int counter; int f(void) { return countre; }", Machine::Lp64);
    let errors = result.err().unwrap_or_default();
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `counter`?"));
}

#[test]
fn warnings_are_no_errors() {
    let text = "int f(int *p, char *q) { int i = p; p = i; p = q; undeclared(); return; }";
    let (_, result) = run(text, Machine::Lp64);
    let (_, warnings) = result.unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let codes: Vec<&str> = warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0302", "W0302", "W0303", "W0201", "W0306"]);
}

#[test]
fn files_that_were_joined_have_functions_of_their_own() {
    let text = "int f(void) { return 1; } int g(void) { return f(); } static int f(void) { return 2; } int h(void) { return f(); }";
    let (_, result) = run(text, Machine::Lp64);
    let (unit, warnings) = result.unwrap_or_else(|errors| panic!("{}", errors[0].message));
    assert_eq!(warnings.iter().map(|w| w.code).collect::<Vec<&str>>(), ["W0206"]);
    assert_eq!(unit.functions.iter().filter(|f| &*f.name == "f" && f.body.is_some()).count(), 2);
}
