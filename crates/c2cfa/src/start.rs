//! The start function: sets external variables, computes what initialisers leave open, calls the entry function.

use crate::LowerOptions;
use crate::Lowered;
use crate::context::{FnState, Lowerer, Place, Unit};
use crate::function::EndValue;
use crate::layout::Class;
use base::{Diagnostic, Id, Name, Severity, SourceMap, Span};
use cfa::layout::external_range;
use cfa::{
    BinOp, Check, ExprId, ExprKind, HavocSource, Init, Op, Program, Reach, Scalar, Storage, Var, VarId, VarKind,
};
use cfront::typed::{self, FunctionId, Startup};
use cfront::types::{Type, TypeId};
use std::ops::Range;

/// Lowers the entry function and all that it can reach.
pub(crate) fn lower_program(
    unit: &Unit<'_>,
    source: SourceMap,
    options: &LowerOptions,
) -> Result<Lowered, Vec<Diagnostic>> {
    let entry = unit.functions.iter_enumerated().find(|(_, f)| f.body.is_some() && f.name == options.entry);
    let Some((entry, _)) = entry else { return Err(vec![missing_entry(unit, &options.entry)]) };

    let LowerOptions { machine, byte_order, checks, allocation_may_fail, environment, .. } = options.clone();
    let has_contracts = unit.functions.iter().any(|f| f.stand_in.is_some());
    let program = Program {
        byte_order,
        checks,
        allocation_may_fail,
        has_contracts,
        hardware: environment.hardware.clone(),
        outside_writes: environment.havoc_arguments,
        unchecked: unit.unchecked.parts("pointer"),
        ..Program::new(machine, source)
    };
    let mut lowerer = Lowerer::new(unit, program, environment);
    lowerer.error_functions.clone_from(&options.error_functions);
    lowerer.begins_anywhere = lowerer.checking(entry).is_some();
    lowerer.note_hardware(entry);
    lowerer.note_library_records();
    if &*unit.functions[entry].name == "main" && unit.functions[entry].body.as_ref().is_some_and(|b| b.params.len() > 1)
    {
        lowerer.note_arguments_of_main();
    }
    lowerer.prepare_replacements()?;
    lowerer.prepare_interrupts()?;
    lowerer.externs_end = lowerer.f.flow.cur;
    let called = lowerer.stand_in(entry);
    let computed = lowerer.node();
    lowerer.f.flow.enter_label(computed);
    lowerer.func(called);
    lowerer.drain(called);
    lowerer.lower_interrupts();
    lowerer.drain(called);
    lowerer.call_entry(called);
    lowerer.drain(called);

    lowerer.f.flow.cur = lowerer.externs_end;
    lowerer.settle_arguments(Span::NONE);
    lowerer.goto(computed, Span::NONE);
    let start = lowerer.p.start;
    std::mem::replace(&mut lowerer.f, FnState::new(start)).flow.commit(&mut lowerer.p, start);
    lowerer.lower_jumps();
    lowerer.guard_callees();
    if lowerer.p.checks.contains(&Check::Uninitialised) {
        lowerer.check_variables();
    }
    if lowerer.p.checks.contains(&Check::Return) {
        lowerer.check_results();
    }
    lowerer.note_ignored_asm();
    lowerer.note_checked_contracts(entry);
    Ok(Lowered { program: lowerer.p, notes: lowerer.notes })
}

fn missing_entry(unit: &Unit<'_>, entry: &Name) -> Diagnostic {
    let declared = unit.functions.iter().find(|f| f.name == *entry).map(|f| f.span);
    let message = format!("the program has no definition of the entry function `{entry}`");
    Diagnostic::error("E0401", declared.filter(|span| *span != Span::NONE), message)
        .help("give the file that defines it, too, or name an entry function with --entry or in the property file: `init(f())`")
}

/// Who calls a function with arguments that the program does not choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// What the system runs before the program, with the arguments of `main` as glibc does.
    Start,
    /// What the system runs after the program, or when interrupts happen.
    Runtime,
    /// The user, who names the entry function.
    User,
}

impl<'u> Lowerer<'u> {
    /// Lowers functions and initialisers until none is waiting.
    fn drain(&mut self, entry: FunctionId) {
        loop {
            if let Some((id, in_handler)) = self.function_queue.pop_front() {
                let end = if id == entry { EndValue::Zero } else { EndValue::Arbitrary };
                self.in_handler = in_handler;
                self.lower_function(id, end);
                self.in_handler = false;
            } else if let Some(id) = self.global_queue.pop_front() {
                self.init_global(id);
            } else {
                return;
            }
        }
    }

    /// Calls constructors, the entry function and destructors.
    fn call_entry(&mut self, entry: FunctionId) {
        for (construct, detail, span) in self.unit.unmodelled {
            self.unsupported(construct, detail.clone(), *span);
        }
        for constructor in self.called_by_runtime(|startup| startup.before_main) {
            self.call_from_outside(constructor, Caller::Start);
        }
        let span = self.unit.functions[entry].span;
        self.interrupts_before_entry(span);
        self.call_from_outside(entry, Caller::User);
        self.note_arguments(&self.unit.functions[entry].name, span);
        self.call_destructors(span);
        self.check_heap(span);
        self.emit(Op::Halt, span);
    }

    /// Functions that the C runtime calls, by their priority and then as they follow each other in the text.
    fn called_by_runtime(&self, priority: impl Fn(Startup) -> Option<u32>) -> Vec<FunctionId> {
        let with_body = self.unit.functions.iter_enumerated().filter(|(_, f)| f.body.is_some());
        let mut called: Vec<_> = with_body.filter_map(|(id, f)| Some((priority(f.startup)?, f.span.lo, id))).collect();
        called.sort_unstable_by_key(|(priority, at, _)| (*priority, *at));
        called.into_iter().map(|(.., id)| id).collect()
    }

    /// Calls what `atexit` was given, then the destructors that have not begun yet: one of them may call `exit`, too.
    pub fn call_destructors(&mut self, span: Span) {
        if let Some(handlers) = self.library.get("_run_handlers").copied() {
            let func = self.func(handlers);
            self.emit(Op::Call { func, args: Box::default(), dst: None }, span);
        }
        let mut destructors = self.called_by_runtime(|startup| startup.after_main);
        destructors.reverse();
        for (i, destructor) in destructors.into_iter().enumerate() {
            let begun = self.destructors_begun();
            let value = self.var(begun);
            let is_next = self.with_constant(BinOp::Eq, value, i as i128);
            self.when(is_next, span, |this| {
                let next = this.constant(i as i128 + 1, Scalar::INT);
                this.assign(begun, next, span);
                this.call_from_outside(destructor, Caller::Runtime);
            });
        }
    }

    fn destructors_begun(&mut self) -> VarId {
        if let Some(begun) = self.destructors_begun {
            return begun;
        }
        let begun = self.hidden_counter("destructors", Scalar::INT);
        self.destructors_begun = Some(begun);
        begun
    }

    /// A global register that no text of the program names, zero at the start.
    pub fn hidden_counter(&mut self, name: &str, ty: Scalar) -> VarId {
        self.new_var(Var {
            name: name.into(),
            func: None,
            storage: Storage::Register(ty),
            kind: VarKind::Temp,
            ctype: self.void_ctype,
            init: Some(Box::new(Init::default())),
            span: Span::NONE,
        })
    }

    /// Calls a function with arguments that the program does not choose.
    pub fn call_from_outside(&mut self, entry: FunctionId, caller: Caller) {
        let span = self.unit.functions[entry].span;
        let func = self.func(entry);
        let Some(body) = &self.unit.functions[entry].body else { return };
        let is_main = &*self.unit.functions[entry].name == "main";
        let mut args = Vec::with_capacity(body.params.len());
        // A hidden first parameter for a record that nobody reads.
        if let Type::Function(ty) = self.unit.types.get(self.unit.functions[entry].ty)
            && let Class::Record { size, align } = self.class(ty.ret)
        {
            let result = self.temp_memory(size, align, "result", span);
            args.push(self.addr_of(result));
        }
        for (i, param) in body.params.iter().enumerate() {
            let var = &self.unit.vars[*param];
            let is_of_program = is_main || caller == Caller::Start;
            if let Some(known) = self.program_arguments.get(i).copied().filter(|_| is_of_program)
                && self.class(var.ty) == Class::Scalar(self.ty(known))
            {
                args.push(known);
                continue;
            }
            let made = match self.class(var.ty) {
                Class::Scalar(Scalar::Ptr) if !is_main && caller == Caller::User => {
                    self.argument_pointer(&var.name, var.ty, 0, var.span)
                }
                _ => None,
            };
            let vector = match args[..] {
                [count] if is_of_program && self.is_read(*param) => {
                    self.argument_vector(count, (&var.name, var.ty), var.span)
                }
                _ => None,
            };
            let arg = match made.map(|made| self.var(made)).or(vector) {
                Some(made) => made,
                None => self.entry_argument(is_of_program.then_some(i), &var.name, var.ty, var.span),
            };
            if is_of_program && i == self.program_arguments.len() {
                self.program_arguments.push(arg);
            }
            if caller == Caller::User && self.unit.functions[entry].nonnull.contains(i) && self.ty(arg) == Scalar::Ptr {
                self.require_set(arg, var.span);
            }
            if let Class::Record { .. } = self.class(var.ty)
                && caller == Caller::User
            {
                self.fill_record(arg, var.ty, &var.name, var.span);
            }
            args.push(arg);
        }
        if let Type::Function(ty) = self.unit.types.get(self.unit.functions[entry].ty)
            && ty.variadic
        {
            let slots = self.temp_memory(16, 16, "va", span);
            args.push(self.addr_of(slots));
        }
        self.emit(Op::Call { func, args: args.into(), dst: None }, span);
    }

    /// Whether an expression of the program reads a parameter that lives in a register.
    fn is_read(&self, param: typed::VarId) -> bool {
        let Some(Place::Register(register)) = self.places[param.index()] else { return true };
        self.p.exprs.ids().any(|id| self.p.exprs.kind(id) == ExprKind::Var(register))
    }

    /// Whether a pointer leads to memory outside of the program.
    pub fn is_outside(&mut self, pointer: ExprId) -> ExprId {
        // What is accessed behind it ends before the range does.
        let range = external_range(self.machine);
        self.is_between(pointer, range.start..range.end - (range.end - range.start) / 2)
    }

    /// Whether an address lies in memory that is not the program's, all of it.
    pub fn is_address_outside(&mut self, address: ExprId) -> ExprId {
        self.is_between(address, external_range(self.machine))
    }

    fn is_between(&mut self, pointer: ExprId, range: Range<u64>) -> ExprId {
        let address = self.cast(pointer, self.usize_ty());
        let from = self.with_constant(BinOp::Ge, address, i128::from(range.start));
        let to = self.with_constant(BinOp::Lt, address, i128::from(range.end));
        self.binary(BinOp::And, from, to)
    }

    /// An arbitrary argument of the entry function. Of `main` the first is at least 1, and pointers are not null.
    fn entry_argument(&mut self, of_main: Option<usize>, name: &Name, ty: TypeId, span: Span) -> ExprId {
        match self.class(ty) {
            Class::Scalar(Scalar::Ptr) => {
                let pointer = self.temp(Scalar::Ptr, span);
                self.external_pointer(pointer, name, ty, span);
                let value = self.var(pointer);
                if of_main.is_some() {
                    self.require_set(value, span);
                }
                value
            }
            Class::Scalar(scalar) => {
                let temp = self.temp(scalar, span);
                self.havoc(temp, Some(ty), HavocSource::Environment, span);
                let value = self.var(temp);
                if of_main == Some(0) && scalar.is_int() {
                    let positive = self.with_constant(BinOp::Ge, value, 1);
                    self.require(positive, span);
                }
                value
            }
            Class::Record { size, align } => {
                let temp = self.temp_memory(size, align, "arg", span);
                let addr = self.addr_of(temp);
                if size > 0 {
                    self.emit(
                        Op::MemHavoc { dst: addr, len: Reach::Bytes(size), source: HavocSource::Environment },
                        span,
                    );
                }
                addr
            }
            Class::Void | Class::Other => self.zero(Scalar::Ptr),
        }
    }

    /// Register := a pointer from outside of the program.
    pub fn external_pointer(&mut self, dst: VarId, name: &str, ty: TypeId, span: Span) {
        let ctype = self.ctype(ty);
        let func = self.made_function(name, ctype);
        self.emit(Op::CallExtern { func, args: Box::default(), dst: Some(dst) }, span);
        self.trust_pointer(dst, func, ty, span);
    }

    fn require_set(&mut self, pointer: ExprId, span: Span) {
        let set = self.truth(pointer);
        self.require(set, span);
    }

    /// The run ends unless the `Bool` holds.
    pub fn require(&mut self, cond: ExprId, span: Span) {
        let (ok, stop) = (self.node(), self.node());
        self.branch_on(cond, ok, stop, span);
        self.enter(stop);
        self.emit(Op::Halt, span);
        self.enter(ok);
    }

    /// The content of a variable is arbitrary at the start.
    pub fn havoc_open(&mut self, id: typed::VarId, place: Place) {
        let swapped = !self.in_start;
        if swapped && let Some(start) = self.parked.take() {
            self.parked = Some(std::mem::replace(&mut self.f, start));
            self.in_start = true;
        }
        let cur = std::mem::replace(&mut self.f.flow.cur, self.externs_end);
        let var = &self.unit.vars[id];
        match place {
            Place::Register(lowered) if self.p.vars[lowered].register() == Some(Scalar::Ptr) => {
                let ctype = self.ctype(var.ty);
                let func = self.made_function(&var.name, ctype);
                self.emit(Op::CallExtern { func, args: Box::default(), dst: Some(lowered) }, var.span);
                self.trust_pointer(lowered, func, var.ty, var.span);
            }
            Place::Register(lowered) => self.havoc(lowered, Some(var.ty), HavocSource::Environment, var.span),
            Place::Memory(lowered) => {
                if let Storage::Memory { size, .. } = self.p.vars[lowered].storage
                    && size > 0
                {
                    let dst = self.addr_of(lowered);
                    self.emit(
                        Op::MemHavoc { dst, len: Reach::Bytes(size), source: HavocSource::Environment },
                        var.span,
                    );
                    self.trust_truths(dst, var.ty, var.span);
                }
            }
            Place::Pointer(lowered) => {
                self.external_pointer(lowered, &var.name, var.ty, var.span);
                let value = self.var(lowered);
                self.require_set(value, var.span);
            }
        }
        self.externs_end = std::mem::replace(&mut self.f.flow.cur, cur);
        if swapped && let Some(current) = self.parked.take() {
            self.parked = Some(std::mem::replace(&mut self.f, current));
            self.in_start = false;
        }
    }

    fn note_ignored_asm(&mut self) {
        let (n, first) = self.ignored_asm;
        if n > 0 {
            let message = match n {
                1 => "an assembler statement without outputs is taken to do nothing".to_owned(),
                _ => {
                    format!("{n} assembler statements without outputs are taken to do nothing, the first of them here")
                }
            };
            let mut note = Diagnostic::warning("W0401", first, message);
            note.severity = Severity::Note;
            self.notes.push(note);
        }
    }
}
