//! Threads: each runs where it is created, or waits for ever.
//!
//! [`cfa::threads`] says why that is enough, and what is left to be done when pointers are known.

use crate::call::Want;
use crate::context::{Lowerer, Passed, Place};
use base::Span;
use cfa::threads::{EXIT, JOIN, NUMBER, SITE, WAITING};
use cfa::{BinOp, ExprId, ExprKind, FuncId, HavocSource, Op, Scalar, ThreadSite, Threads, VarId};
use cfront::typed::{Expr, FunctionId};
use clib::known::Builtin;
use clib::known::threads::{THREAD, ThreadOperation};
use clib::libc;
use clib::library::Effects;

impl<'u> Lowerer<'u> {
    /// `pthread_create`, `pthread_join` and `pthread_exit`.
    pub fn thread(
        &mut self,
        operation: ThreadOperation,
        f: FunctionId,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        // Where no thread can be created here, somebody else did it.
        let creates = self.unit.functions.iter().any(|f| &*f.name == "pthread_create" && f.body.is_none());
        match operation {
            ThreadOperation::Create => Some(self.create_thread(e, args)),
            ThreadOperation::Join if creates => Some(self.join_thread(args, e.span)),
            ThreadOperation::Join => {
                let effects = Effects::of(&self.unit.functions[f].name)?;
                self.library_effects(effects, f, e, args, want)
            }
            ThreadOperation::Exit => {
                self.exit_thread(creates, f, e, args);
                None
            }
        }
    }

    fn threads(&mut self) -> &mut Threads {
        let threads = self.p.threads.take().unwrap_or_else(|| Threads {
            sites: Vec::new(),
            locked: self.hidden_counter("locked", Scalar::INT),
            created: self.hidden_counter("threads", self.usize_ty()),
            errno: self.errno(),
        });
        self.p.threads.insert(threads)
    }

    /// Creates a thread, which never fails.
    fn create_thread(&mut self, e: &'u Expr, args: &'u [Expr]) -> ExprId {
        let span = e.span;
        let mut values = self.values(args);
        values.iter_mut().for_each(|value| *value = self.stable(*value, span));
        let zero = self.zero(self.int_ty());
        let site = self.threads().sites.len();
        let id_ty = self.pointee(args[0].ty).and_then(|ty| self.scalar(ty));
        let is_number = id_ty.is_some_and(|ty| !ty.is_float() && ty.bits(self.pointer_bits) == self.pointer_bits);
        let (Some(id_ty), Some((function, takes))) = (id_ty.filter(|_| is_number), self.thread_function(values[2]))
        else {
            self.unsupported(THREAD, "function or identifier of another type, or not known", span);
            return zero;
        };
        if !self.unit.thread_locals.is_empty() || self.interrupts.is_some() || site > SITE as usize {
            self.unsupported(THREAD, "beside interrupts, or variables that each thread has its own of", span);
            return zero;
        }
        let site_id = site as i128;
        let site = ThreadSite {
            function,
            alive: self.hidden_counter("alive", self.usize_ty()),
            last: self.hidden_counter("thread", self.usize_ty()),
            result: self.hidden_counter("result", Scalar::Ptr),
        };
        if site_id == 0 {
            self.p.assumed.push(("a thread can be created whenever the program asks for it".into(), span));
        }
        self.threads().sites.push(site.clone());
        self.unless_locked(span);

        let created = self.threads().created;
        let number = self.var(created);
        let number = self.with_constant(BinOp::Add, number, 1);
        self.assign(created, number, span);
        let waits = self.register(Scalar::Bool, "thread waits", span);
        self.emit(Op::Havoc { dst: waits, source: HavocSource::Environment }, span);
        let waits = self.var(waits);
        let number = self.var(created);
        let ready = self.with_constant(BinOp::Mul, number, NUMBER.into());
        let ready = self.with_constant(BinOp::Add, ready, site_id);
        let waiting = self.with_constant(BinOp::Add, ready, WAITING.into());
        let id = self.ite(waits, waiting, ready);
        self.assign(site.last, id, span);
        let id = self.var(site.last);
        let id = self.convert(id, id_ty);
        let place = self.as_pointer(values[0]);
        self.write_checked(place, id, span);

        let runs = self.not(waits);
        let argument = self.as_pointer(values[3]);
        self.when(runs, span, |this| {
            let args = if takes { Box::from([argument]) } else { Box::default() };
            this.with_own_errno(span, |this| {
                this.emit(Op::Call { func: function, args, dst: Some(site.result) }, span);
            });
            this.unless_locked(span);
        });
        let alive = self.var(site.alive);
        let alive = self.with_constant(BinOp::Add, alive, 1);
        self.assign(site.alive, alive, span);
        zero
    }

    /// The object `errno`, if the program uses it.
    fn errno(&mut self) -> Option<VarId> {
        let (id, _) = self.unit.vars.iter_enumerated().find(|(_, var)| &*var.name == libc::ERRNO_OBJECT)?;
        match self.place(id) {
            Place::Memory(errno) => Some(errno),
            Place::Register(_) | Place::Pointer(_) => None,
        }
    }

    /// What a thread does to `errno`, which is zero where it begins, is seen by nobody else.
    fn with_own_errno(&mut self, span: Span, run: impl FnOnce(&mut Self)) {
        let Some(errno) = self.threads().errno else { return run(self) };
        let address = self.addr_of(errno);
        let value = self.load(address, self.int_ty());
        let before = self.register(self.int_ty(), "errno", span);
        self.assign(before, value, span);
        let zero = self.zero(self.int_ty());
        self.store(address, zero, span);
        run(self);
        let before = self.var(before);
        self.store(address, before, span);
    }

    /// The function that a thread runs, if it is known and is one that a thread can run; and whether it takes the argument.
    fn thread_function(&self, mut value: ExprId) -> Option<(FuncId, bool)> {
        while let ExprKind::Cast(inner) = self.p.exprs.kind(value) {
            value = inner;
        }
        let ExprKind::FuncAddr(func) = self.p.exprs.kind(value) else { return None };
        let f = self.typed_function(func).filter(|f| self.unit.functions[*f].body.is_some())?;
        let signature = self.signature_of(f);
        let takes = match signature.params[..] {
            [] => false,
            [Passed::Scalar(Scalar::Ptr)] => true,
            _ => return None,
        };
        (!signature.variadic && signature.ret == Passed::Scalar(Scalar::Ptr)).then_some((func, takes))
    }

    /// Where a thread begins or ends, no mutex is locked: a thread that runs from there to its end has to wait for none.
    fn unless_locked(&mut self, span: Span) {
        let locked = self.threads().locked;
        let locked = self.var(locked);
        let some = self.with_constant(BinOp::Ne, locked, 0);
        self.fault_if(some, span, |this| this.unsupported(THREAD, "begins or ends while a mutex is locked", span));
    }

    /// Waits for a thread.
    fn join_thread(&mut self, args: &'u [Expr], span: Span) -> ExprId {
        self.threads();
        let values = self.values(args);
        let id = self.as_size(values[0]);
        let thread = self.hidden_counter("joined", self.usize_ty());
        self.assign(thread, id, span);
        let id = self.var(thread);
        let place = self.as_pointer(values[1]);
        let place = self.stable(place, span);
        let func = self.made_function(JOIN, self.void_ctype);
        let wanted = self.as_int(place) != Some(0);
        let result = wanted.then(|| self.temp(Scalar::Ptr, span));
        self.emit(Op::CallExtern { func, args: [id].into(), dst: result }, span);
        if let Some(result) = result {
            let set = self.truth(place);
            let result = self.var(result);
            self.when(set, span, |this| this.write_checked(place, result, span));
        }
        self.zero(self.int_ty())
    }

    /// Ends the thread: the program, where it is that of `main`.
    fn exit_thread(&mut self, creates: bool, f: FunctionId, e: &'u Expr, args: &'u [Expr]) {
        if !creates || &*self.p.functions[self.f.func].name == "main" {
            return self.end_program(Builtin::Exit, f, e, args);
        }
        self.threads();
        let value = self.values(args)[0];
        let value = self.as_pointer(value);
        let func = self.made_function(EXIT, self.void_ctype);
        self.emit(Op::CallExtern { func, args: [value].into(), dst: None }, e.span);
        self.emit(Op::Halt, e.span);
    }
}
