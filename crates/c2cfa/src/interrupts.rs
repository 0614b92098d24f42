//! Interrupts: functions that may run between any two operations of the program.
//!
//! A handler that runs between two operations which it does not share memory with may as well run before the next operation that it does share
//! memory with. So calls of handlers, any number of them, are possible before each access to what a handler reads or writes. Behind writes they
//! are possible, too, where objects end, and before the program begins, because a handler may fail where no such access follows; behind a read,
//! it fails just as before it. Handlers are not interrupted, and reads and writes of scalars are not either.
//!
//! What handlers access is read off their text: variables by name, and anything whose address is known as soon as they follow a pointer.
//! Functions that both handlers and the rest of the program call are lowered twice, so that handlers have no points for interrupts in them.

use crate::context::{FnState, Lowerer};
use crate::footprint::{array_of, footprint};
use crate::handlers::Interrupts;
use crate::start::Caller;
use base::{Diagnostic, Span};
use cfa::{BinOp, ExprId, Function, HavocSource, Op, Outside, Scalar};
use cfront::typed::{Expr, ExprKind, FunctionId, Var, VarKind};

/// Longest record that is copied word by word.
const LONGEST_COPY: u64 = 512;

impl<'u> Lowerer<'u> {
    /// Finds the handlers and what they access.
    pub fn prepare_interrupts(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut handlers = Vec::new();
        for name in &self.environment.interrupts.clone() {
            let defined = self.unit.functions.iter_enumerated().find(|(_, f)| f.body.is_some() && f.name == *name);
            let Some((id, _)) = defined else {
                let message = format!("--interrupt {name}: the program has no definition of this function");
                let help = "give the file that defines it, or name another function";
                return Err(vec![Diagnostic::error("E0402", None, message).help(help)]);
            };
            let takes = self.unit.functions[id].body.as_ref().is_some_and(|body| !body.params.is_empty());
            if takes {
                let message = format!("--interrupt {name}: the function has parameters, which no interrupt gives");
                let span = self.unit.functions[id].span;
                let help = "name a function of your own that calls it";
                return Err(vec![Diagnostic::error("E0402", Some(span), message).help(help)]);
            }
            handlers.push(id);
        }
        if handlers.is_empty() {
            return Ok(());
        }
        let footprint = footprint(self, &handlers);
        let func = self.p.functions.push(Function {
            name: cfa::INTERRUPTS.into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: u32::MAX,
            ret_ctype: self.void_ctype,
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            outside: Outside::Unknown,
            span: Span::NONE,
        });
        self.typed_funcs.push(None);
        let running = footprint.calls_pointers.then(|| self.hidden_counter("interrupted", Scalar::INT));
        let first = self.unit.functions[handlers[0]].span;
        self.p.assumed.push((
            "interrupts happen while `main` or what it calls runs, handlers are not interrupted, and neither are reads and writes of scalars"
                .into(),
            first,
        ));
        if let Some(most) = self.environment.most_interrupts {
            self.p.assumed.push((format!("there are at most {most} interrupts in a run").into(), first));
        }
        let owner = |var: &Var| match var.kind {
            VarKind::Local(f) | VarKind::Param(f) | VarKind::Temp(f) => Some(f).filter(|_| var.address_taken),
            VarKind::Global | VarKind::Extern | VarKind::StaticLocal(_) => None,
        };
        let with_objects = self.unit.vars.iter().filter_map(owner).collect();
        self.interrupts = Some(Interrupts { handlers, footprint, func, running, with_objects });
        Ok(())
    }

    /// Whether handlers may run here.
    pub fn has_interrupts(&self) -> bool {
        self.interrupts.is_some() && !self.in_handler && !self.in_start
    }

    /// Any number of handlers may run here.
    pub fn interrupt_point(&mut self, span: Span) {
        if self.has_interrupts()
            && let Some(interrupts) = &self.interrupts
        {
            let func = interrupts.func;
            self.emit(Op::Call { func, args: Box::default(), dst: None }, span);
        }
    }

    /// Handlers that follow pointers may run here: an object is about to end, or has just ended.
    pub fn interrupt_point_at_end(&mut self, span: Span) {
        if self.interrupts.as_ref().is_some_and(|interrupts| interrupts.footprint.follows_pointers) {
            self.interrupt_point(span);
        }
    }

    /// Handlers may run behind a call, where objects of the function have ended.
    pub fn interrupt_point_behind(&mut self, f: FunctionId, span: Span) {
        if self.interrupts.as_ref().is_some_and(|interrupts| interrupts.with_objects.contains(&f)) {
            self.interrupt_point_at_end(span);
        }
    }

    /// Handlers may run before the program does.
    pub fn interrupts_before_entry(&mut self, span: Span) {
        if let Some(interrupts) = &self.interrupts {
            let func = interrupts.func;
            self.emit(Op::Call { func, args: Box::default(), dst: None }, span);
        }
    }

    /// Whether handlers may access what an lvalue denotes; the same wherever the lvalue stands.
    pub fn is_shared(&self, lvalue: &Expr) -> bool {
        let Some(interrupts) = &self.interrupts else { return false };
        let footprint = &interrupts.footprint;
        let mut at = lvalue;
        loop {
            at = match &at.kind {
                ExprKind::Var(var) => {
                    let id = self.named(*var);
                    let var = &self.unit.vars[id];
                    let is_static = matches!(var.kind, VarKind::Global | VarKind::Extern | VarKind::StaticLocal(_));
                    return is_static && footprint.vars.contains(&id)
                        || footprint.follows_pointers && var.address_taken;
                }
                ExprKind::Member { base, .. } => base,
                ExprKind::Deref(pointer) => match array_of(pointer) {
                    Some(array) => array,
                    None => return footprint.follows_pointers || footprint.has_addresses,
                },
                ExprKind::String(_) | ExprKind::Function(_) => return false,
                _ => return footprint.follows_pointers,
            }
        }
    }

    /// An address or value that handlers can't change, where they may run before it is used.
    pub fn before_shared(&mut self, value: ExprId, span: Span) -> ExprId {
        let value = self.stable(value, span);
        self.interrupt_point(span);
        value
    }

    /// The value of an operation that has just accessed memory, behind which handlers may run.
    pub fn before_interrupts(&mut self, value: Option<ExprId>, span: Span) -> Option<ExprId> {
        if !self.has_interrupts() {
            return value;
        }
        let value = value.map(|value| self.stable(value, span));
        self.interrupt_point(span);
        value
    }

    /// Whether handlers may see a part of what is being done to memory, which is not modelled.
    pub fn may_be_interrupted(&mut self, when: &str, span: Span) -> bool {
        let shares = |i: &Interrupts| i.footprint.follows_pointers || i.footprint.has_addresses;
        let may_be = self.has_interrupts() && self.interrupts.as_ref().is_some_and(shares);
        if may_be {
            self.unsupported("interrupt", when, span);
        }
        may_be
    }

    /// Copies a record of which a handler may see, or change, a part: word by word.
    pub fn copy_in_words(&mut self, dst: ExprId, src: ExprId, len: u64, span: Span) {
        if len > LONGEST_COPY {
            return self.unsupported("interrupt", format!("during a copy of {len} bytes"), span);
        }
        let (dst, src) = (self.stable(dst, span), self.stable(src, span));
        let word = u64::from(self.pointer_bits / 8);
        let mut at = 0;
        while at < len {
            let step = if len - at >= word { word } else { 1 };
            let (to, from) = (self.ptr_offset(dst, i128::from(at)), self.ptr_offset(src, i128::from(at)));
            self.interrupt_point(span);
            self.copy_part(to, from, step, span);
            at += step;
        }
        self.interrupt_point(span);
    }

    /// The body of the function that runs handlers.
    pub fn lower_interrupts(&mut self) {
        let Some(Interrupts { handlers, func, running, .. }) = &self.interrupts else { return };
        let (handlers, func, running) = (handlers.clone(), *func, *running);
        let span = self.unit.functions[handlers[0]].span;
        let count = self.environment.most_interrupts.map(|most| (self.hidden_counter("interrupts", Scalar::INT), most));
        let outer = std::mem::replace(&mut self.f, FnState::new(func));
        self.parked = Some(outer);
        (self.in_start, self.in_handler) = (false, true);
        let (head, end) = (self.node(), self.f.flow.exit());
        if let Some(running) = running {
            let value = self.var(running);
            let is_idle = self.with_constant(BinOp::Eq, value, 0);
            self.branch_on(is_idle, head, end, span);
        } else {
            self.goto(head, span);
        }
        self.enter(head);
        if let Some((count, most)) = count {
            let (value, more) = (self.var(count), self.node());
            let is_allowed = self.with_constant(BinOp::Lt, value, i128::from(most));
            self.branch_on(is_allowed, more, end, span);
            self.enter(more);
        }
        for handler in handlers {
            let (runs, other) = (self.node(), self.node());
            let name = format!("interrupt by {}", self.unit.functions[handler].name);
            let choice = self.register(Scalar::Bool, &name, span);
            self.emit(Op::Havoc { dst: choice, source: HavocSource::Environment }, span);
            let choice = self.var(choice);
            self.branch_on(choice, runs, other, span);
            self.enter(runs);
            if let Some((count, _)) = count {
                let value = self.var(count);
                let next = self.with_constant(BinOp::Add, value, 1);
                self.assign(count, next, span);
            }
            let set = |this: &mut Self, value: i128| {
                if let Some(running) = running {
                    let value = this.constant(value, Scalar::INT);
                    this.assign(running, value, span);
                }
            };
            set(self, 1);
            self.call_from_outside(handler, Caller::Runtime);
            set(self, 0);
            self.goto(head, span);
            self.enter(other);
        }
        self.goto(end, span);
        let outer = self.parked.take();
        (self.in_start, self.in_handler) = (true, false);
        if let Some(outer) = outer {
            let done = std::mem::replace(&mut self.f, outer);
            done.flow.commit(&mut self.p, func);
        }
    }
}
