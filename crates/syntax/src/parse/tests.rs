//! Programs for each construct, errors with their places, and depth.

use super::dump;
use super::{MAX_DEPTH, MAX_ERRORS, parse};
use crate::ast::TranslationUnit;
use crate::preprocess::{Encoding, Source, source_from_text};

fn source(text: &str) -> Source {
    source_from_text("t.c", text)
}

fn parsed(text: &str) -> TranslationUnit {
    parse(&source(text)).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(dump::unit(&parsed(text)), expected, "{text}");
}

/// Checks the expression `text`.
#[track_caller]
fn check_expr(text: &str, expected: &str) {
    check(&format!("typedef int T; int x = {text};"), &format!("Typedef Int T;\nInt x = {expected};"));
}

/// Checks the statement `text`.
#[track_caller]
fn check_stmt(text: &str, expected: &str) {
    check(&format!("typedef int T; void f(void) {{ {text} }}"), &format!("Typedef Int T;\nVoid f() {{ {expected} }}"));
}

/// Checks places and messages of all errors.
#[track_caller]
fn check_errors(text: &str, expected: &[&str]) {
    let source = source(text);
    let errors = parse(&source).expect_err("an error");
    let show = |e: &base::Diagnostic| {
        let place = e.span.and_then(|s| source.map.place(s.lo)).map(|p| p.to_string());
        format!("{}: {}", place.unwrap_or_default(), e.message)
    };
    assert_eq!(errors.iter().map(show).collect::<Vec<_>>(), expected, "{text}");
}

/// The only error, with its hint and its related places.
#[track_caller]
fn check_help(text: &str, hint: &str) {
    let errors = parse(&source(text)).expect_err("an error");
    let all = format!("{:?} {:?}", errors[0].help, errors[0].related);
    assert!(all.contains(hint), "{text}: {all}");
}

/// Enough for a release build; a debug build needs several times as much.
const STACK: usize = if cfg!(debug_assertions) { 1 << 29 } else { 1 << 26 };

/// Runs on a stack that holds [`MAX_DEPTH`] levels.
fn with_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, test);
        thread.expect("a thread").join().expect("no panic");
    });
}

#[test]
fn type_specifiers() {
    for (text, expected) in [
        ("unsigned x;", "UInt x;"),
        ("long unsigned int long x;", "ULongLong x;"),
        ("short signed x;", "Short x;"),
        ("signed char x;", "SChar x;"),
        ("double long x;", "LongDouble x;"),
        ("unsigned __int128 x;", "UInt128 x;"),
        ("__int128_t x;", "Int128 x;"),
        ("_Bool x; bool y;", "Bool x;\nBool y;"),
        ("_Complex float x; _Complex y; _Float64 _Complex z;", "ComplexFloat x;\nComplexDouble y;\nComplexFloat64 z;"),
        ("typedef float _Float32; _Float32 x;", "Typedef Float _Float32;\n_Float32 x;"),
        ("static const volatile int x;", "Static {const, volatile} Int x;"),
        ("extern __thread int x;", "Extern thread Int x;"),
        ("_Noreturn static inline void f(void);", "Static inline noreturn Void f();"),
        ("__extension__ typedef __builtin_va_list V;", "Typedef va_list V;"),
        ("_Alignas(16) _Alignas(double) int x;", "Int @_Alignas(16) @_Alignas(Double _) x;"),
        ("_Atomic int x; _Atomic(int *) y;", "{_Atomic} Int x;\natomic(Int _*) y;"),
        ("typeof(1) x; __typeof__(int *) y;", "typeof(1) x;\ntypeof(Int _*) y;"),
        ("x; static y = 1;", "implicit x;\nStatic implicit y = 1;"),
        (";", ""),
    ] {
        check(text, expected);
    }
}

#[test]
fn declarators() {
    for (text, expected) in [
        ("int *a[3], (*b)[3];", "Int a[3]*, b*[3];"),
        ("int (*f(int a, ...))(void);", "Int f(Int a, ...)*();"),
        ("char *const *volatile p;", "Char p*{volatile}*{const};"),
        ("int (*(*x[2])(void))[5];", "Int x[2]*()*[5];"),
        ("void f(int a[static const 3], int b[*], int[], int (*)(int), T);", ""),
        ("void f();", "Void f(?);"),
        ("int f(void) __asm__(\"g\") __attribute__((nothrow));", "Int f() asm\"g\" @nothrow();"),
        ("int __attribute__((__stdcall__)) *f(void), * __attribute__((x)) g;", "Int @stdcall() f()*, g* @x();"),
        ("int (__attribute__((cdecl)) *p)(int);", "Int p*(Int _) @cdecl();"),
    ] {
        if expected.is_empty() {
            let text = format!("typedef int T; {text}");
            let expected = "Typedef Int T;\nVoid f(Int a[static {const}3], Int b[*], Int _[], Int _*(Int _), T _);";
            check(&text, expected);
        } else {
            check(text, expected);
        }
    }
}

#[test]
fn functions() {
    check("int f(a, b) int a; char *b; { return a; }", "Int f(kr a, b) Int a; Char b*; { return a; }");
    check("main() {}", "implicit main(?) { }");
    check("int f(int a) { ; }", "Int f(Int a) { ; }");
    check("asm(\"x\"); _Static_assert(1, \"m\");", "asm(\"x\" :  :  :  : );\nassert(1)");
    check("int f(x) { return x; }", "Int f(kr x) { return x; }");
}

#[test]
fn records_and_enumerations() {
    check(
        "struct S { int a, *b; unsigned c : 3, : 0; struct { int d; }; } __attribute__((packed)) s;",
        "Struct S{Int a, b*; UInt c:3, _:0; Struct {Int d;} ;} @packed() s;",
    );
    check("struct __attribute__((aligned(8))) S; union U *u;", "Struct S @aligned(8) ;\nUnion U u*;");
    check("enum E { A, B = A + 1, } e;", "enum E{A, B=(Add A 1)} e;");
    check(
        "struct {} s; struct S { int a __attribute__((aligned(4))); int f[]; };",
        "Struct {} s;\nStruct S{Int a @aligned(4); Int f[];} ;",
    );
    check("struct S { _Static_assert(1); int T; };", "Struct S{assert(1); Int T;} ;");
}

#[test]
fn attributes() {
    check(
        "int x __attribute__((section(\".a\" \"b\"), , const, mode(DI)));",
        "Int x @section(\".ab\") @const() @mode(DI);",
    );
    check(
        "typedef int T; int x __attribute__((mode(T), vector_size(4 * sizeof(T)), aligned(__alignof__(T))));",
        "Typedef Int T;\nInt x @mode(T) @vector_size((Mul 4 sizeof<T _>)) @aligned(alignof<T _>);",
    );
    check("[[gnu::unused, deprecated(\"x\")]] int x;", "Int @unused() @deprecated(\"x\") x;");
}

#[test]
fn pragma_pack() {
    let text = "#pragma pack(push, 2)\nstruct A { int x; };\n#pragma pack(pop)\nstruct B { int x; };";
    check(text, "Struct A{Int x;} pack2 ;\nStruct B{Int x;} ;");
}

#[test]
fn initializers() {
    check("int a[] = { [1] = 2, [3 ... 5] = 4, [6] 7, 8, { 9 }, };", "Int a[] = {[1]=2, [3...5]=4, [6]=7, 8, {9}};");
    check("struct S s = { .a.b[2] = 1, c: 2, .d = {} };", "Struct S s = {.a.b[2]=1, .c=2, .d={}};");
    check("int a = {1}, b = 2;", "Int a = {1}, b = 2;");
}

#[test]
fn typedef_names_and_scopes() {
    check(
        "typedef int T; void f(void) { T T = sizeof(T); T = (T) + 1; { typedef char T; T x; } T * 2; }",
        "Typedef Int T;\nVoid f() { T T = sizeof T; (= T (Add T 1)); { Typedef Char T; T x; } (Mul T 2); }",
    );
    check("typedef int T; void f(int T) { T = 1; } T x;", "Typedef Int T;\nVoid f(Int T) { (= T 1); }\nT x;");
    check(
        "typedef int T; enum { A }; void f(void) { enum { T }; x = T * A; } T y;",
        "Typedef Int T;\nenum {A} ;\nVoid f() { enum {T} ; (= x (Mul T A)); }\nT y;",
    );
    check(
        "typedef int T; void f(void) { for (int T = 0; T; ) ; T x; }",
        "Typedef Int T;\nVoid f() { for (Int T = 0; T; ) ; T x; }",
    );
    check("typedef int T; void f(int (T), int (x));", "Typedef Int T;\nVoid f(Int _(T _), Int x);");
    check("typedef int T; struct S { T T; unsigned T : 2; };", "Typedef Int T;\nStruct S{T T; UInt T:2;} ;");
    check("typedef int T; const T x; T f(T *T, int y);", "Typedef Int T;\n{const} T x;\nT f(T T*, Int y);");
}

#[test]
fn operators() {
    for (text, expected) in [
        ("a + b * c - d", "(Sub (Add a (Mul b c)) d)"),
        (
            "a || b && c | d ^ e & f == g < h << i + j * k",
            "(LogOr a (LogAnd b (BitOr c (BitXor d (BitAnd e (Eq f (Lt g (Shl h (Add i (Mul j k))))))))))",
        ),
        (
            "a * b + c << d < e == f & g ^ h | i && j || k",
            "(LogOr (LogAnd (BitOr (BitXor (BitAnd (Eq (Lt (Shl (Add (Mul a b) c) d) e) f) g) h) i) j) k)",
        ),
        ("a - b - c", "(Sub (Sub a b) c)"),
        ("a / (b % c)", "(Div a (Rem b c))"),
        ("(a = b = c, d += e, f >>= g)", "(, (= a (= b c)), (Add= d e), (Shr= f g))"),
        ("a ? b, c : d ? e : f", "(a ?(, b, c): (d ?e: f))"),
        ("a ?: b", "(a ?: b)"),
        ("-+~!*&a", "(Minus (Plus (BitNot (Not (Deref (AddressOf a))))))"),
        ("++a - --b", "(Sub (PreInc a) (PreDec b))"),
        ("a++ + b--", "(Add (PostInc a) (PostDec b))"),
        ("*p++", "(Deref (PostInc p))"),
        ("a.b->c[1](d, e).f", "a.b->c[1](d, e).f"),
        ("f()()", "f()()"),
        ("(T)a + (T)(b)", "(Add <T _>a <T _>b)"),
        ("(T *)-1", "<T _*>(Minus 1)"),
        ("(int (*)(void))0", "<Int _*()>0"),
        ("(int[]){1, 2}[0]", "<Int _[]>{1, 2}[0]"),
        ("sizeof(T) * 2", "(Mul sizeof<T _> 2)"),
        ("sizeof(a) + sizeof a[1]", "(Add sizeof a sizeof a[1])"),
        ("sizeof(T){1}", "sizeof <T _>{1}"),
        ("_Alignof(T) + __alignof__ a", "(Add alignof<T _> alignof a)"),
        ("__real__ a + __imag__ a", "(Add (Real a) (Imag a))"),
        ("__extension__ (1)", "1"),
        ("&&l", "&&l"),
        ("a &&b", "(LogAnd a b)"),
        ("({ int y = 1; y; })", "({ Int y = 1; y; })"),
        ("_Generic(a, int: 1, T *: 2, default: 3)", "generic(a; Int _: 1, T _*: 2, default: 3)"),
        ("__builtin_va_arg(ap, T *)", "va_arg(ap, T _*)"),
        ("__builtin_offsetof(struct S, a.b[3])", "offsetof(Struct S _, .a.b[3])"),
        ("__builtin_types_compatible_p(T, char[3])", "compatible(T _, Char _[3])"),
        ("__builtin_choose_expr(1, a, b)", "choose(1, a, b)"),
        ("__func__", "__func__"),
    ] {
        check_expr(text, expected);
    }
}

#[test]
fn characters_and_strings() {
    for (text, expected) in [
        (r"'a'", "'97"),
        (r"'\xff'", "'-1"),
        (r"'\377' + '\0'", "(Add '-1 '0)"),
        (r"'ab'", "'24930"),
        (r"L'\xff'", "'255"),
        (r"u'é'", "'233"),
        (r#""a" "\n\t\"\\" "b""#, r#""a\n\t\"\\b""#),
        (r#""\0a\x41 \1012""#, r#""\x00aA A2""#),
        (r#""a" L"b\u00e9""#, "L[61, 62, e9]"),
        (r#"u"😀""#, "u[d83d, de00]"),
        (r#"U"😀""#, "U[1f600]"),
        (r#"u8"é""#, r#"u8"\xc3\xa9""#),
        ("\"a\\\nb\"", r#""ab""#),
        (r#""\e""#, r#""\x1b""#),
        (r#""\u00e9""#, r#""\xc3\xa9""#),
    ] {
        check_expr(text, expected);
    }
}

#[test]
fn latin1_strings_keep_their_bytes() {
    let mut latin1 = source("char *s = \"\u{e9}\u{ff}\";");
    latin1.units[0].encoding = Encoding::Latin1;
    let unit = parse(&latin1).expect("parses");
    assert_eq!(dump::unit(&unit), r#"Char s* = "\xe9\xff";"#);
}

#[test]
fn statements() {
    for (text, expected) in [
        ("if (a) b; else if (c) d; else e;", "if a b; elif c d; else e;"),
        ("if (a) if (b) c; else d;", "if a if b c; else d;"),
        ("while (a) { b; continue; }", "while a { b; continue; }"),
        ("do a; while (b);", "do a; while b;"),
        ("for (;;) break;", "for (; ; ) break;"),
        ("for (int i = 0, j; i < 3; i++, j--) ;", "for (Int i = 0, j; (Lt i 3); (, (PostInc i), (PostDec j))) ;"),
        (
            "switch (a) { case 1: case 2 ... 4: b; default: break; }",
            "switch a { case 1: case 2...4: b; default: break; }",
        ),
        ("l: m: __attribute__((unused)); goto l;", "l: m @unused(): ; goto l;"),
        ("goto *p; return;", "goto *p; return ;"),
        ("T: x; goto T;", "T: x; goto T;"),
        ("{ l: }", "{ l: ; }"),
        ("l: T x;", "l: ; T x;"),
        ("switch (a) { default: ; T x; }", "switch a { default: ; T x; }"),
        ("{ __label__ a, b; a: b: ; }", "{ label a; label b; a: b: ; }"),
        ("__attribute__((fallthrough)); __attribute__((unused)) int x;", "; Int @unused() x;"),
        ("__extension__ T x; __extension__ (1);", "T x; 1;"),
        (
            "asm volatile (\"a\" \"b\" : \"=r\"(x), [y] \"+m\"(*y) : \"r\"(1) : \"cc\", \"memory\");",
            "asm volatile(\"ab\" : \"=r\"x, [y]\"+m\"(Deref y) : \"r\"1 : \"cc\", \"memory\" : );",
        ),
        ("asm goto (\"a\" :: : : l);", "asm(\"a\" :  :  :  : l);"),
        ("_Static_assert(1, \"\"); static_x = 1;", "assert(1); (= static_x 1);"),
    ] {
        check_stmt(text, expected);
    }
}

#[test]
fn errors() {
    check_errors("int x\nint y;", &["t.c:1:5: expected `;` after `x`"]);
    check_errors("int é\nint y;", &["t.c:1:5: expected `;` after `é`"]);
    check_errors("void f(void) {\n  x = 1\n  y = 2;\n}", &["t.c:2:7: expected `;` after `1`"]);
    check_errors("void f(void) { x = ; }", &["t.c:1:20: expected an expression, found `;`"]);
    check_errors(
        "foo_t x; int y; bar_t *z;",
        &["t.c:1:1: unknown type name `foo_t`", "t.c:1:17: unknown type name `bar_t`"],
    );
    check_errors("void f(void) { foo_t x; }", &["t.c:1:16: unknown type name `foo_t`"]);
    check_errors(
        "void f(int a, foo_t b) {}\nfoo x;",
        &["t.c:1:15: unknown type name `foo_t`", "t.c:2:1: unknown type name `foo`"],
    );
    check_errors("struct S { foo_t x; };", &["t.c:1:12: unknown type name `foo_t`"]);
    check_errors("void f(void) {\n  if (x) {\n}\n", &["t.c:1:14: this `{` is never closed"]);
    check_errors("int x;\n}\nint y", &["t.c:2:1: unbalanced `}`", "t.c:3:5: expected `;`, but the file ends"]);
    check_errors("int f(void) { return (1 + 2; }", &["t.c:1:28: expected `)`, found `;`"]);
    check_errors("int float x;", &["t.c:1:1: these type specifiers can't be combined"]);
    check_errors("static extern int x;", &["t.c:1:8: more than one storage class in a declaration"]);
    check_errors("void f(void) { int g(void) { } }", &["t.c:1:20: nested functions are not supported"]);
    check_errors("int x = 08;", &["t.c:1:9: invalid digit `8` in a constant of base 8: `08`"]);
    check_errors("int x = '';", &["t.c:1:9: empty character constant"]);
    check_errors("char *x = \"\\xg\";", &["t.c:1:11: `\\x` is used with no following hex digits"]);
    check_errors("int x = f(int);", &["t.c:1:11: expected an expression, found the type `int`"]);
    check_errors("int a[3;", &["t.c:1:8: expected `]`, found `;`"]);
    check_errors("void f(void) { else x; }", &["t.c:1:16: expected an expression, found `else`"]);
    check_errors("struct { int x; }\nint y;", &["t.c:1:17: expected `;` after `}`"]);
    check_errors("# 7 \"a.h\"\nint x @;", &["a.h:7:7: stray `@` in the program"]);
    check_errors("int", &["t.c:1:3: expected a name, but the file ends"]);
    check_errors("enum { A B };", &["t.c:1:10: expected `}`, found `B`"]);
    check_errors("int f(int x) int y;", &["t.c:1:14: expected `;` or `{`, found `int`"]);
}

#[test]
fn hints() {
    check_help("class Foo { };", "isn't C");
    check_help("using namespace std;", "isn't C");
    check_help("int x = std::y;", "C++");
    check_help("section .text\nglobal main", "assembler");
    check_help("u32 x;", "typedef");
    check_help("void f(void) { g(1; }", "opened here");
    check_help("void f(void) { else x; }", "missing `}`");
}

#[test]
fn reports_a_limited_number_of_errors() {
    let errors = parse(&source(&"foo x;\n".repeat(100))).expect_err("errors");
    assert_eq!(errors.len(), MAX_ERRORS);
    let errors = parse(&source(&"@".repeat(100))).expect_err("errors");
    assert_eq!(errors.len(), MAX_ERRORS);
}

#[test]
fn truncated_programs_never_panic() {
    let text = "# 1 \"a.c\"\ntypedef struct S { int a : 3; char b[4]; } T;\nint f(T *p, ...) {\n  for (int i = 0; i < sizeof(T); i++)\n    \
                p->b[i] = ({ x ? (T){ .a = 1 }.a : '\\n'; }) + L\"a\\x41\"[0] + 1.5e3f;\n  asm(\"x\" : \"=r\"(y) :: \"cc\");\n  \
                switch (x) { case 1 ... 3: l: goto l; default:; }\n  return __builtin_va_arg(q, int (*)[3]);\n}\n";
    parsed(text);
    for end in 0..text.len() {
        let _ = parse(&source(&text[..end]));
        let _ = parse(&source(&text[end..]));
        // A byte less, a byte more.
        let _ = parse(&source(&format!("{}{}", &text[..end], &text[end + 1..])));
        let _ = parse(&source(&format!("{}({}", &text[..end], &text[end..])));
    }
}

#[test]
fn deep_programs() {
    with_stack(|| {
        let repeat =
            |open: &str, middle: &str, close: &str, n: usize| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        let n = MAX_DEPTH as usize / 2 - 10;
        parsed(&format!("int x = {};", repeat("(", "1", ")", n)));
        parsed(&format!("int x = {};", repeat("(1+", "1", ")", n / 2)));
        parsed(&format!("int x = {};", repeat("{", "1", "}", n)));
        parsed(&format!("int x = 1{};", "+1".repeat(n)));
        parsed(&format!("int x = {}1;", "-!".repeat(n / 2)));
        parsed(&format!("int x = {}1;", "(int)".repeat(n)));
        parsed(&format!("int x = a{};", "[0]".repeat(n)));
        parsed(&format!("int x = {}1;", "a ? b : ".repeat(n)));
        parsed(&format!("int {}x{};", "(*".repeat(n), ")".repeat(n)));
        parsed(&format!("void f(void) {{ {} }}", repeat("{", ";", "}", n / 2)));
        parsed(&format!("void f(void) {{ {}; }}", "while (1) ".repeat(n)));
        parsed(&format!("void f(void) {{ x = {}; }}", repeat("({", "1", ";})", n / 4)));
        parsed(&format!("{} int x; {};", "struct {".repeat(n), "} y; ".repeat(n - 1) + "}"));
        // These are flat.
        parsed(&format!("void f(void) {{ if (a) b; {} }}", "else if (a) b;".repeat(100_000)));
        parsed(&format!("void f(void) {{ switch (a) {{ {}; }} }}", "case 1:".repeat(100_000)));
        parsed(&format!("int x = (1{});", ",1".repeat(100_000)));
        parsed(&format!("int x[] = {{ {} }};", "1,".repeat(1_000_000)));
        parsed(&format!("char *x = {};", "\"a\" ".repeat(100_000)));
    });
}

#[test]
fn too_deep_programs() {
    with_stack(|| {
        let n = 100_000;
        for text in [
            format!("int x = {}1;", "(".repeat(n)),
            format!("int x = {}1;", "{".repeat(n)),
            format!("int x = 1{};", "+1".repeat(n)),
            format!("int x = 1{};", "&&1".repeat(n)),
            format!("int x = {}1;", "- ".repeat(n)),
            format!("int x = a{};", "[0]".repeat(n)),
            format!("int x = a{};", "()".repeat(n)),
            format!("int x = {}1;", "a ? b : ".repeat(n)),
            format!("int x = {}1;", "a = ".repeat(n)),
            format!("int x = {}1;", "sizeof ".repeat(n)),
            format!("int x = {}1;", "(int)".repeat(n)),
            format!("int {}x;", "*".repeat(n)),
            format!("int {}x;", "(".repeat(n)),
            format!("int x{};", "[1]".repeat(n)),
            format!("int f{};", "(int (*)".repeat(n)),
            format!("void f(void) {{ {}; }}", "if (1) ".repeat(n)),
            format!("void f(void) {}", "{".repeat(n)),
            "struct {".repeat(n),
            format!("typeof({}", "typeof(".repeat(n)),
            format!("int x = {}", "({".repeat(n)),
            format!("int x __attribute__((a({}", "(".repeat(n)),
            // Long chains whose first operand is deep.
            format!("int x = {}1{};", "(".repeat(1000), format!("{})", "+1".repeat(30)).repeat(1000)),
        ] {
            let errors = parse(&source(&text)).expect_err("too deep");
            assert_eq!(errors[0].code, "E0122", "{}: {}", &text[..40], errors[0].message);
        }
    });
}
