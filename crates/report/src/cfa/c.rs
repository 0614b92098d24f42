//! A program as C again: each location a label, each edge a statement and a jump (`hone loops FILE --instrument ...`).
//!
//! Registers become variables, memory objects arrays of bytes, choices of the environment calls of `__VERIFIER_nondet_*`. Arithmetic wraps
//! around and types are punned: compile with `-fwrapv -fno-strict-aliasing`.

use super::{View, number, views};
use ::cfa::layout::ALLOCATED;
use ::cfa::{
    AllocKind, Edge, ExprId, ExprKind, ExprPool, FloatFormat, FuncId, InitValue, LocId, MachineModel, Op, Program,
    Reach, Scalar, Storage, Value, VarId, VarKind,
};
use base::{Id, IdVec};
use ctext::Overflow;
use ctext::syntax::{Level, type_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The C text of all functions but the start function.
pub fn render(program: &Program) -> String {
    let mut printer = Printer { program, names: names(program), nondet: BTreeSet::new() };
    let mut bodies = String::new();
    for view in views(program, None).iter().filter(|view| view.entry != start_entry(program)) {
        printer.function(view, &mut bodies);
    }
    let mut out = String::from("/* Compile with -fwrapv -fno-strict-aliasing. */\nextern void exit(int);\n");
    for ty in std::mem::take(&mut printer.nondet) {
        let _ = writeln!(out, "extern {}__VERIFIER_nondet_{}(void);", printer.ty(ty), suffix(ty, program.machine));
    }
    printer.declarations(&mut out);
    out.push_str(&bodies);
    out
}

fn start_entry(program: &Program) -> LocId {
    program.functions[program.start].body.map_or(LocId::from_index(0), |body| body.entry)
}

/// A name for each variable, different from all others that it can be seen with.
fn names(program: &Program) -> IdVec<VarId, String> {
    let mut taken: BTreeSet<String> = program.functions.iter().map(|f| f.name.to_string()).collect();
    let mut names = IdVec::new();
    for (id, var) in program.vars.iter_enumerated() {
        let plain: String =
            var.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        let starts_well = plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let mut name = if starts_well && var.kind != VarKind::Return { plain } else { format!("v_{plain}") };
        if !taken.insert(name.clone()) {
            name = format!("{name}_{}", id.index());
            taken.insert(name.clone());
        }
        names.push(name);
    }
    names
}

/// The end of the name of the function that chooses a value.
fn suffix(ty: Scalar, machine: MachineModel) -> &'static str {
    match ty {
        Scalar::Bool => "bool",
        Scalar::Int { bits, signed } => match (bits, signed) {
            (8, true) => "char",
            (8, false) => "uchar",
            (16, true) => "short",
            (16, false) => "ushort",
            (32, true) if machine.int_bits() == 32 => "int",
            (32, false) if machine.int_bits() == 32 => "uint",
            (32, true) => "long",
            (32, false) => "ulong",
            (64, true) => "longlong",
            (64, false) => "ulonglong",
            (_, true) => "int128",
            (_, false) => "uint128",
        },
        Scalar::Float(FloatFormat::F32) => "float",
        Scalar::Float(FloatFormat::F64) => "double",
        Scalar::Float(FloatFormat::F16) => "float16",
        Scalar::Float(_) => "longdouble",
        Scalar::Ptr => "pointer",
    }
}

struct Printer<'a> {
    program: &'a Program,
    names: IdVec<VarId, String>,
    /// Types of which arbitrary values are chosen.
    nondet: BTreeSet<Scalar>,
}

impl Printer<'_> {
    /// A type, ready to be followed by a name.
    fn ty(&self, ty: Scalar) -> String {
        match ty {
            Scalar::Ptr => type_name(ty, self.program.machine).to_owned(),
            _ => format!("{} ", type_name(ty, self.program.machine)),
        }
    }

    fn writer<'w>(&'w self, exprs: &'w ExprPool) -> ctext::Writer<'w> {
        ctext::Writer { exprs, names: self, machine: self.program.machine, overflow: Overflow::Wraps }
    }

    fn constant(&self, value: Value, ty: Scalar) -> Option<String> {
        let mut exprs = ExprPool::default();
        let constant = exprs.add(ExprKind::Const(value), ty);
        self.writer(&exprs).initial_value(constant)
    }

    /// A value as a number.
    fn expr(&self, id: ExprId) -> Option<String> {
        self.writer(&self.program.exprs).text(id)
    }

    /// A value for what has the type of the expression.
    fn initial_value(&self, id: ExprId) -> Option<String> {
        self.writer(&self.program.exprs).initial_value(id)
    }

    /// A value as an operand of what binds that strongly.
    fn operand(&self, id: ExprId, level: Level) -> Option<String> {
        Some(self.writer(&self.program.exprs).value(id)?.on(self.program.machine).operand(level))
    }

    /// `if` this holds.
    fn condition(&self, cond: ExprId, truth: bool) -> Option<String> {
        let cond = self.writer(&self.program.exprs).value(cond)?.on(self.program.machine);
        Some(if truth { cond.text() } else { format!("!{}", cond.operand(Level::Unary)) })
    }

    fn choose(&mut self, ty: Scalar) -> String {
        self.nondet.insert(ty);
        format!("__VERIFIER_nondet_{}()", suffix(ty, self.program.machine))
    }

    /// The statement of an operation; where it can't be written, runs end.
    fn op(&mut self, op: &Op) -> String {
        self.statement(op).unwrap_or_else(|| "__builtin_trap();".to_owned())
    }

    fn statement(&mut self, op: &Op) -> Option<String> {
        let call = |this: &Self, args: &[ExprId]| -> Option<String> {
            Some(
                args.iter()
                    .map(|a| this.writer(&this.program.exprs).argument(*a))
                    .collect::<Option<Vec<_>>>()?
                    .join(", "),
            )
        };
        let register = |this: &Self, var: VarId| this.program.vars[var].register().unwrap_or(Scalar::INT);
        Some(match op {
            Op::Skip | Op::Declare { .. } | Op::EndScope { .. } => String::new(),
            Op::Assign { dst, src } => {
                format!("{};", self.writer(&self.program.exprs).assignment(&self.names[*dst], *src)?)
            }
            Op::Havoc { dst, .. } => {
                let value = self.choose(register(self, *dst));
                format!("{} = {value};", self.names[*dst])
            }
            Op::Assume { cond, truth } => format!("if ({}) exit(0);", self.condition(*cond, !truth)?),
            Op::Store { addr, value } => {
                let ty = self.ty(self.program.exprs.ty(*value));
                format!("*({ty}*){} = {};", self.operand(*addr, Level::Unary)?, self.initial_value(*value)?)
            }
            Op::MemCopy { dst, src, len } => {
                format!("__builtin_memmove({}, {}, {len});", self.expr(*dst)?, self.expr(*src)?)
            }
            Op::MemSet { dst, byte, len } => {
                format!("__builtin_memset({}, {}, {len});", self.expr(*dst)?, self.expr(*byte)?)
            }
            Op::MemHavoc { dst, len: Reach::Object, .. } => format!("__CPROVER_havoc_object({});", self.expr(*dst)?),
            Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => {
                let value = self.choose(Scalar::Int { bits: 8, signed: false });
                format!(
                    "for (unsigned long k = 0; k < {len}; k++) {}[k] = {value};",
                    self.operand(*dst, Level::Primary)?
                )
            }
            Op::Repeat(repeat) => {
                let index = self.names[repeat.index].clone();
                let mut body = String::new();
                for (_, input) in &repeat.inputs {
                    let value = self.choose(register(self, *input));
                    let _ = write!(body, "{} = {value}; ", self.names[*input]);
                }
                for (cond, truth) in &repeat.require {
                    let _ = write!(body, "if ({}) exit(0); ", self.condition(*cond, !truth)?);
                }
                for (k, write) in repeat.writes.iter().enumerate() {
                    let ty = self.ty(self.program.exprs.ty(write.value));
                    let _ = write!(body, "{ty}value{k} = {}; ", self.initial_value(write.value)?);
                }
                for (k, write) in repeat.writes.iter().enumerate() {
                    let ty = self.ty(self.program.exprs.ty(write.value));
                    let _ = write!(body, "*({ty}*){} = value{k}; ", self.operand(write.addr, Level::Unary)?);
                }
                format!("for ({index} = 0; {index} < {}; {index}++) {{ {body}}}", self.expr(repeat.count)?)
            }
            Op::Alloc { dst, size, align, kind } => {
                format!("{} = {};", self.names[*dst], allocation(*kind, *align, &self.expr(*size)?))
            }
            Op::Realloc { dst, ptr, size } => {
                format!("{} = __builtin_realloc({}, {});", self.names[*dst], self.expr(*ptr)?, self.expr(*size)?)
            }
            Op::Free { kind: AllocKind::Stack, .. } => String::new(),
            Op::Free { ptr, .. } => format!("__builtin_free({});", self.expr(*ptr)?),
            Op::Call { func, args, dst } | Op::CallExtern { func, args, dst } => {
                let result = dst.map_or(String::new(), |dst| format!("{} = ", self.names[dst]));
                format!("{result}{}({});", self.program.functions[*func].name, call(self, args)?)
            }
            Op::CallPtr { .. } | Op::Undefined(_) | Op::Unsupported(_) => "__builtin_trap();".to_owned(),
            Op::Halt => "exit(0);".to_owned(),
        })
    }

    fn signature(&self, func: &::cfa::Function) -> String {
        let ret =
            func.ret.and_then(|ret| self.program.vars[ret].register()).map_or("void ".to_owned(), |ty| self.ty(ty));
        let param = |var: &VarId| {
            let ty = self.program.vars[*var].register().unwrap_or(Scalar::Ptr);
            format!("{}{}", self.ty(ty), self.names[*var])
        };
        let params: Vec<String> = func.params.iter().map(param).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        format!("{ret}{}({params})", func.name)
    }

    fn function(&mut self, view: &View<'_>, out: &mut String) {
        let program = self.program;
        let _ = writeln!(out, "\n{}\n{{", self.signature(view.function));
        let func = program.locs[view.entry].func;
        for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.func == Some(func)) {
            if !view.function.params.contains(&id) {
                self.variable(id, var.storage, out);
            }
        }
        let _ = writeln!(out, "    goto L{};", number(view.entry));
        let mut labels = BTreeSet::new();
        for loc in &view.locs {
            let _ = writeln!(out, "L{}:;", number(*loc));
            for label in &program.locs[*loc].labels {
                // Copies of a location with a label are the same place.
                let place =
                    if labels.insert(label.clone()) { format!("{label}:;") } else { format!("    goto {label};") };
                let _ = writeln!(out, "{place}");
            }
            if *loc == view.exit {
                let value = view.function.ret.map_or(String::new(), |ret| format!(" {}", self.names[ret]));
                let _ = writeln!(out, "    return{value};");
            } else {
                self.location(*loc, out);
            }
        }
        if !view.locs.contains(&view.exit) {
            let _ = writeln!(out, "L{}:;", number(view.exit));
            let value = view.function.ret.map_or(String::new(), |ret| format!(" {}", self.names[ret]));
            let _ = writeln!(out, "    return{value};");
        }
        out.push_str("}\n");
    }

    fn location(&mut self, loc: LocId, out: &mut String) {
        let program = self.program;
        let edges: Vec<&Edge> = program.locs[loc].out.iter().map(|edge| &program.edges[*edge]).collect();
        if let [a, b] = edges[..]
            && let (Op::Assume { cond, truth }, Op::Assume { cond: other, truth: opposite }) = (&a.op, &b.op)
            && cond == other
            && truth != opposite
        {
            let (yes, no) = if *truth { (a.dst, b.dst) } else { (b.dst, a.dst) };
            let _ = match self.condition(*cond, true) {
                Some(cond) => writeln!(out, "    if ({cond}) goto L{}; else goto L{};", number(yes), number(no)),
                None => writeln!(out, "    __builtin_trap();"),
            };
            return;
        }
        for (i, edge) in edges.iter().enumerate() {
            let statement = self.op(&edge.op);
            let jump = if edge.op.ends_path() { String::new() } else { format!(" goto L{};", number(edge.dst)) };
            if i + 1 < edges.len() {
                let choice = self.choose(Scalar::Bool);
                let _ = writeln!(out, "    if ({choice}) {{ {statement}{jump} }}");
            } else {
                let _ = writeln!(out, "    {statement}{jump}");
            }
        }
        if edges.is_empty() {
            out.push_str("    exit(0);\n");
        }
    }

    fn variable(&self, id: VarId, storage: Storage, out: &mut String) {
        let indent = if self.program.vars[id].is_global() { "" } else { "    " };
        let _ = match storage {
            Storage::Register(ty) => writeln!(out, "{indent}{}{};", self.ty(ty), self.names[id]),
            Storage::Memory { size, align } => {
                writeln!(out, "{indent}_Alignas({align}) unsigned char {}[{}];", self.names[id], size.max(1))
            }
        };
    }

    /// Functions, global variables and their initial values.
    fn declarations(&self, out: &mut String) {
        let program = self.program;
        // Results of functions without a body, by what their calls assign.
        let mut results: BTreeMap<String, Option<Scalar>> = BTreeMap::new();
        for edge in program.locs.iter().flat_map(|loc| &loc.out) {
            if let Op::CallExtern { func, dst, .. } = &program.edges[*edge].op {
                let ty = dst.and_then(|dst| program.vars[dst].register());
                let entry = results.entry(program.functions[*func].name.to_string()).or_default();
                *entry = entry.or(ty);
            }
        }
        let own = |name: &str| name.starts_with("__VERIFIER_nondet_") && out.contains(&format!("{name}("));
        let mut text = String::new();
        for (name, ty) in results.iter().filter(|(name, _)| !own(name) && *name != "exit") {
            let _ = writeln!(text, "extern {}{name}();", ty.map_or("void ".to_owned(), |ty| self.ty(ty)));
        }
        let start = start_entry(program);
        for function in program.functions.iter().filter(|f| f.body.is_some_and(|body| body.entry != start)) {
            let _ = writeln!(text, "{};", self.signature(function));
        }
        let mut values = String::new();
        for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
            self.variable(id, var.storage, &mut text);
            let name = &self.names[id];
            let Some(init) = &var.init else { continue };
            for (offset, ty, value) in &init.cells {
                let value = match value {
                    InitValue::Scalar(value) => self.constant(*value, *ty),
                    InitValue::Address(var, by) => {
                        Some(format!("({})((unsigned char *){} + {by})", self.ty(*ty), self.names[*var]))
                    }
                    InitValue::Function(func) => {
                        Some(format!("({})(unsigned char *){}", self.ty(*ty), program.functions[*func].name))
                    }
                };
                let _ = match (value, var.storage) {
                    (None, _) => writeln!(values, "    __builtin_trap();"),
                    (Some(value), Storage::Register(_)) => writeln!(values, "    {name} = {value};"),
                    (Some(value), Storage::Memory { .. }) => {
                        writeln!(values, "    *({}*)({name} + {offset}) = {value};", self.ty(*ty))
                    }
                };
            }
            for (offset, bytes) in &init.bytes {
                let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
                let _ = writeln!(
                    values,
                    "    __builtin_memcpy({name} + {offset}, (unsigned char[]){{{}}}, {});",
                    list.join(","),
                    bytes.len()
                );
            }
        }
        if !values.is_empty() {
            let _ = writeln!(text, "__attribute__((constructor)) static void initial_values(void)\n{{\n{values}}}");
        }
        out.push_str(&text);
    }
}

impl ctext::expr::Names for Printer<'_> {
    fn register(&self, var: VarId) -> Option<String> {
        Some(self.names[var].clone())
    }

    fn object(&self, var: VarId) -> Option<String> {
        Some(self.names[var].clone())
    }

    fn function(&self, func: FuncId) -> Option<String> {
        Some(self.program.functions[func].name.to_string())
    }
}

/// A call that makes an object.
fn allocation(kind: AllocKind, align: u32, size: &str) -> String {
    match kind {
        AllocKind::Heap if align > ALLOCATED => format!("__builtin_aligned_alloc({align}, {size})"),
        AllocKind::Heap => format!("__builtin_malloc({size})"),
        AllocKind::HeapZeroed => format!("__builtin_calloc({size}, 1)"),
        AllocKind::Stack => format!("__builtin_alloca({size})"),
    }
}
