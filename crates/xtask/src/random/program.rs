//! Random programs: loops, arrays, pointers, structs, lists, recursion, and inputs from small ranges.
//!
//! Each ends on each input: loops count, and recursion descends. Values stay small, so that most programs are free of overflow;
//! [`super::native`] leaves out those that are not. Places where a value is looked at are written as `OBSERVE(n, value)`.

use fastrand::Rng;
use std::fmt::Write as _;

/// Headers of programs that call C's library.
pub const HEADERS: &str =
    "#include <ctype.h>\n#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// What sorting calls.
pub const HELPERS: &str = "static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
";

/// A type of variables and elements.
const TYPES: [&str; 8] = ["int", "int", "int", "unsigned", "unsigned char", "signed char", "short", "long long"];

/// What a statement may use.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Numbers that can be read and written, of any type.
    pub(super) variables: Vec<String>,
    /// Those of type `int`, which pointers may point to.
    ints: Vec<String>,
    /// Numbers that can only be read, such as counters of loops.
    constants: Vec<String>,
    /// Arrays with their lengths.
    arrays: Vec<(String, usize)>,
    /// Pointers to `int`, never null.
    pointers: Vec<String>,
    /// Arrays of characters with their lengths, in which a text ends.
    pub(super) texts: Vec<(String, usize)>,
}

/// What is behind the statements: where they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a loop.
    Loop,
    /// Not in one.
    Straight,
}

/// The parts of a program that is being written.
pub(super) struct Writer {
    pub(super) rng: Rng,
    text: String,
    pub(super) scope: Scope,
    /// Whether C's library is called.
    library: bool,
    /// Number of the next variable.
    next: usize,
    /// Calls with an argument, such as `f0(%)`, that give a number.
    functions: Vec<String>,
    /// Places where a value is looked at.
    observed: usize,
}

/// A program, without what it asserts.
pub struct Sketch {
    /// The text, with `OBSERVE(n, value);` for each `n` below `observed`.
    pub text: String,
    /// Number of such places.
    pub observed: usize,
}

/// The program of a seed.
pub fn sketch(seed: u64, library: bool) -> Sketch {
    let mut writer = Writer {
        rng: Rng::with_seed(seed),
        text: String::new(),
        scope: Scope::default(),
        library,
        next: 0,
        functions: Vec::new(),
        observed: 0,
    };
    writer.globals();
    for _ in 0..writer.rng.usize(..3) {
        writer.function();
    }
    writer.main();
    Sketch { text: writer.text, observed: writer.observed }
}

impl Writer {
    pub(super) fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.rng.usize(..items.len())]
    }

    pub(super) fn one_of(&mut self, items: &[String]) -> Option<String> {
        self.rng.choice(items).cloned()
    }

    pub(super) fn name(&mut self, kind: &str) -> String {
        self.next += 1;
        format!("{kind}{}", self.next - 1)
    }

    pub(super) fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(depth));
    }

    /// Global variables, and types.
    fn globals(&mut self) {
        self.line(0, "struct pair { int first; unsigned char second; };");
        self.line(0, "struct node { int value; struct node *next; };");
        if self.library {
            self.text.push_str(HELPERS);
            self.text(0);
        }
        for _ in 0..1 + self.rng.usize(..3) {
            self.declare(0);
        }
    }

    /// Declares a number, an array, a structure, or a pointer to what there is already.
    fn declare(&mut self, depth: usize) {
        let initial = self.rng.i32(-2..4);
        match self.rng.u8(..6) {
            0 => {
                let (name, len) = (self.name("a"), 2 + self.rng.usize(..4));
                let ty = self.pick(&TYPES);
                let values: Vec<String> = (0..len).map(|_| self.rng.u8(..6).to_string()).collect();
                self.line(depth, &format!("{ty} {name}[{len}] = {{{}}};", values.join(", ")));
                self.scope.variables.push(format!("{name}[{}]", len - 1));
                self.scope.ints.extend((ty == "int").then(|| format!("{name}[0]")));
                self.scope.arrays.push((name, len));
            }
            1 => {
                let name = self.name("s");
                self.line(depth, &format!("struct pair {name} = {{{initial}, 7}};"));
                self.scope.variables.extend([format!("{name}.first"), format!("{name}.second")]);
                self.scope.ints.push(format!("{name}.first"));
            }
            2 if depth > 0 && !self.scope.ints.is_empty() => {
                let name = self.name("p");
                let target = self.one_of(&self.scope.ints.clone()).unwrap_or_default();
                self.line(depth, &format!("int *{name} = &{target};"));
                self.scope.variables.push(format!("*{name}"));
                self.scope.pointers.push(name);
            }
            _ => {
                let (name, ty) = (self.name("v"), self.pick(&TYPES));
                self.line(depth, &format!("{ty} {name} = {initial};"));
                self.scope.ints.extend((ty == "int").then(|| name.clone()));
                self.scope.variables.push(name);
            }
        }
    }

    /// A function over the global variables: recursive, or with a parameter that points to a number.
    fn function(&mut self) {
        let name = self.name("f");
        let outer = self.scope.clone();
        if self.rng.bool() {
            let by = 1 + self.rng.u8(..2);
            self.line(0, &format!("static int {name}(int n, int x) {{"));
            self.scope.constants.extend(["n".to_owned(), "x".to_owned()]);
            let (end, step) = (self.expression(1), self.expression(1));
            self.line(1, &format!("if (n <= 0) return {end};"));
            self.statements(1, 1, Place::Straight);
            let (before, after) = (self.pick(&["", "1 + ", "x - ", "n + "]), self.pick(&["", " + n", " - x", " + 2"]));
            self.line(1, &format!("return {before}{name}(n - {by}, {step}){after};"));
            self.functions.push(format!("{name}((%) & 3, %)"));
        } else {
            self.line(0, &format!("static int {name}(int *q, int x) {{"));
            self.scope.constants.push("x".to_owned());
            self.scope.variables.push("*q".to_owned());
            self.statements(1, 2, Place::Straight);
            let value = self.expression(2);
            self.line(1, &format!("return {value};"));
            let target = self.one_of(&outer.ints);
            self.functions.extend(target.map(|target| format!("{name}(&{target}, %)")));
        }
        self.line(0, "}");
        self.scope = outer;
    }

    fn main(&mut self) {
        self.line(0, "int main(void) {");
        for _ in 0..1 + self.rng.usize(..2) {
            self.input(1);
        }
        for _ in 0..1 + self.rng.usize(..3) {
            self.declare(1);
        }
        if self.library {
            self.text(1);
        }
        if self.rng.u8(..6) == 0 {
            self.list();
        }
        self.statements(1, 2, Place::Straight);
        self.looped(1, 2);
        self.statements(1, 2, Place::Straight);
        self.observe(1);
        self.line(1, "return 0;");
        self.line(0, "}");
    }

    /// A number that the environment chooses.
    fn input(&mut self, depth: usize) {
        let name = self.name("x");
        let (low, high) = (-self.rng.i32(0..3), 1 + self.rng.i32(0..4));
        match self.rng.u8(..6) {
            0 if self.rng.bool() => self.line(depth, &format!("unsigned char {name} = __VERIFIER_nondet_uchar();")),
            1 => self.line(depth, &format!("_Bool {name} = __VERIFIER_nondet_bool();")),
            2 => {
                self.line(depth, &format!("unsigned {name} = __VERIFIER_nondet_uint();"));
                self.line(depth, &format!("__VERIFIER_assume({name} <= {high});"));
            }
            3 => {
                self.line(depth, &format!("int {name} = __VERIFIER_nondet_int();"));
                self.line(depth, &format!("if ({name} < {low} || {name} > {high}) return 0;"));
            }
            _ => {
                self.line(depth, &format!("int {name} = __VERIFIER_nondet_int();"));
                self.line(depth, &format!("__VERIFIER_assume({name} >= {low} && {name} <= {high});"));
            }
        }
        self.scope.constants.push(name);
    }

    /// Builds a list, and walks along it.
    fn list(&mut self) {
        let (head, sum) = (self.name("l"), self.name("v"));
        let (len, value) = (1 + self.rng.u8(..3), self.expression(1));
        self.line(1, &format!("struct node *{head} = 0;"));
        self.line(1, &format!("for (int i = 0; i < {len}; i++) {{"));
        self.line(2, "struct node *fresh = malloc(sizeof *fresh);");
        self.line(2, "if (!fresh) return 0;");
        self.line(2, &format!("fresh->value = {value};"));
        self.line(2, &format!("fresh->next = {head};"));
        self.line(2, &format!("{head} = fresh;"));
        self.line(1, "}");
        self.line(1, &format!("int {sum} = 0;"));
        let change = self.pick(&["", " + 1", " * 2"]);
        self.line(1, &format!("for (struct node *at = {head}; at; at = at->next) {sum} += at->value{change};"));
        self.scope.variables.push(sum);
    }

    /// A few statements. `deep` is how many loops and branches may be within each other.
    fn statements(&mut self, depth: usize, deep: usize, place: Place) {
        let outer = self.scope.clone();
        for _ in 0..1 + self.rng.usize(..3) {
            self.statement(depth, deep, place);
        }
        // What is declared in a block is gone behind it; the outermost one of a function goes on.
        if depth > 1 {
            self.scope = outer;
        }
    }

    fn statement(&mut self, depth: usize, deep: usize, place: Place) {
        if self.library && self.rng.u8(..3) == 0 {
            return self.library(depth);
        }
        match self.rng.u8(..16) {
            0 => self.declare(depth),
            1 | 2 if deep > 0 => self.looped(depth, deep - 1),
            3..=5 if deep > 0 => self.branch(depth, deep - 1, place),
            6 if deep > 0 => self.switch(depth, deep - 1),
            7 if place == Place::Loop => {
                let (condition, jump) = (self.condition(), self.pick(&["break", "continue"]));
                self.line(depth, &format!("if ({condition}) {jump};"));
            }
            8 if self.rng.bool() => self.observe(depth),
            9 => {
                let (Some(pointer), Some(target)) =
                    (self.one_of(&self.scope.pointers.clone()), self.one_of(&self.scope.ints.clone()))
                else {
                    return self.assignment(depth);
                };
                // Blocks may end before the pointer does; only what is declared outside of them has such names for sure.
                let condition = self.condition();
                if depth == 1 {
                    self.line(depth, &format!("if ({condition}) {pointer} = &{target};"));
                }
            }
            10 if depth == 1 && self.rng.bool() => self.input(depth),
            12 | 13 => self.call(depth),
            11 if place == Place::Loop && self.rng.u8(..3) == 0 => self.input(depth),
            _ => self.assignment(depth),
        }
    }

    fn assignment(&mut self, depth: usize) {
        let Some(mut target) = self.one_of(&self.scope.variables.clone()) else { return };
        if self.rng.u8(..4) == 0
            && let Some((array, len)) = self.rng.choice(self.scope.arrays.clone())
        {
            target = format!("{array}[{}]", self.index(len));
        }
        let value = self.expression(2);
        let operator = self.pick(&["=", "=", "=", "+=", "-=", "^="]);
        self.line(depth, &format!("{target} {operator} {value};"));
    }

    /// A call, as a statement of its own: in an expression, the order of its effects would not be defined.
    fn call(&mut self, depth: usize) {
        let (call, target) = (self.one_of(&self.functions.clone()), self.one_of(&self.scope.variables.clone()));
        let (Some(call), Some(target)) = (call, target) else { return self.assignment(depth) };
        let (a, b) = (self.atom(), self.atom());
        let call = call.replacen('%', &a, 1).replacen('%', &b, 1);
        self.line(depth, &format!("{target} = {call};"));
    }

    fn branch(&mut self, depth: usize, deep: usize, place: Place) {
        let condition = self.condition();
        self.line(depth, &format!("if ({condition}) {{"));
        self.statements(depth + 1, deep, place);
        if self.rng.bool() {
            self.line(depth, "} else {");
            self.statements(depth + 1, deep, place);
        }
        self.line(depth, "}");
    }

    fn switch(&mut self, depth: usize, deep: usize) {
        let value = self.expression(1);
        self.line(depth, &format!("switch (({value}) & 3) {{"));
        for case in 0..1 + self.rng.u8(..3) {
            self.line(depth, &format!("case {case}: {{"));
            // A `break` would leave the switch, not the loop.
            self.statements(depth + 1, deep, Place::Straight);
            self.line(depth, "}");
            if self.rng.u8(..3) > 0 {
                self.line(depth, "break;");
            }
        }
        self.line(depth, "default:;");
        self.line(depth, "}");
    }

    /// A loop that counts.
    fn looped(&mut self, depth: usize, deep: usize) {
        let counter = self.name("i");
        let bound = match self.rng.u8(..8) {
            0 => "20".to_owned(),
            1 => "100".to_owned(),
            2..=4 => (2 + self.rng.u8(..4)).to_string(),
            _ => {
                let value = self.expression(0);
                format!("(({value}) & 7)")
            }
        };
        let outer = self.scope.clone();
        self.scope.constants.push(counter.clone());
        match self.rng.u8(..4) {
            0 => {
                self.line(depth, &format!("int {counter} = {bound};"));
                self.line(depth, &format!("while ({counter}-- > 0) {{"));
                self.statements(depth + 1, deep, Place::Loop);
                self.line(depth, "}");
            }
            1 => {
                self.line(depth, &format!("int {counter} = 0;"));
                self.line(depth, "do {");
                self.statements(depth + 1, deep, Place::Loop);
                self.line(depth, &format!("}} while (++{counter} < {bound});"));
            }
            _ => {
                let step = self.pick(&["++", "++", " += 2"]);
                let kind = self.pick(&["int", "unsigned"]);
                self.line(depth, &format!("for ({kind} {counter} = 0; {counter} < {bound}; {counter}{step}) {{"));
                self.statements(depth + 1, deep, Place::Loop);
                self.line(depth, "}");
            }
        }
        self.scope = outer;
    }

    /// A place where a value is looked at; few of them, so that each is worth its time.
    fn observe(&mut self, depth: usize) {
        if self.observed < 3 {
            let value = self.expression(1);
            self.line(depth, &format!("OBSERVE({}, {value});", self.observed));
            self.observed += 1;
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(0));
        let operator = self.pick(&["<", "<=", "==", "!=", ">"]);
        match self.rng.u8(..6) {
            0 => {
                let other = self.expression(0);
                let and = self.pick(&["&&", "||"]);
                format!("{a} {operator} {b} {and} {other}")
            }
            1 => format!("!({a} {operator} {b})"),
            _ => format!("{a} {operator} {b}"),
        }
    }

    fn index(&mut self, len: usize) -> String {
        match self.rng.bool() {
            true => self.rng.usize(..len).to_string(),
            false => {
                let value = self.expression(0);
                format!("(unsigned)({value}) % {len}")
            }
        }
    }

    /// A number, with operators up to a depth.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.u8(..4) == 0 {
            return self.atom();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let small = 1 + self.rng.u8(..5);
        match self.rng.u8(..16) {
            0..=3 => format!("({a} + {b})"),
            4..=6 => format!("({a} - {b})"),
            7 => format!("({a}) * {small}"),
            8 => format!("({a}) % {}", small + 1),
            9 => format!("({a}) / {small}"),
            10 => {
                let operator = self.pick(&["&", "|", "^"]);
                format!("({a} {operator} {b})")
            }
            11 => {
                let condition = self.condition();
                format!("({condition} ? {a} : {b})")
            }
            12 => {
                let ty = self.pick(&TYPES);
                format!("({ty})({a})")
            }
            13 => format!("({a} < {b})"),
            14 => format!("((unsigned)({a}) >> {small})"),
            _ => format!("(unsigned char)({a} + {b})"),
        }
    }

    pub(super) fn atom(&mut self) -> String {
        let found = match self.rng.u8(..8) {
            0 | 1 => None,
            2..=4 => self.one_of(&self.scope.constants.clone()),
            5 => match self.rng.choice(self.scope.arrays.clone()) {
                Some((array, len)) => Some(format!("{array}[{}]", self.rng.usize(..len))),
                None => None,
            },
            _ => self.one_of(&self.scope.variables.clone()),
        };
        found.unwrap_or_else(|| self.rng.i32(-1..6).to_string())
    }
}
