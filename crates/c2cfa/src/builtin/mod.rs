//! Functions that lowering knows: C's library as far as it has operations of its own, the conventions of software
//! verification, GCC's builtins. Each is known only where the program has no body for it.

mod atomic;
mod bits;
mod control;
mod cprover;
mod float;
mod formatted;
pub(crate) mod memory;
mod object_size;
mod printed;
mod thread;
mod uninterpreted;
pub(crate) mod writer;

use crate::call::Want;
use crate::context::Lowerer;
use crate::layout::Class;
use base::{Id, Span};
use cfa::{ExprId, HavocSource, Op, Scalar, Undefined};
use cfront::typed::{Expr, FunctionId};
use clib::known::{Builtin, lookup};

impl<'u> Lowerer<'u> {
    /// What a function without a body is known as.
    pub fn builtin(&mut self, f: FunctionId) -> Option<Builtin> {
        if let Some(known) = self.builtins[f.index()] {
            return known;
        }
        let function = &self.unit.functions[f];
        let known = if function.body.is_some() { None } else { lookup(&function.name) };
        self.builtins[f.index()] = Some(known);
        known
    }

    /// Whether the function is a builtin without side effects that is always defined.
    pub fn is_pure_builtin(&self, f: FunctionId) -> bool {
        let f = self.replaced.get(&f).copied().unwrap_or(f);
        let known = match self.builtins[f.index()] {
            Some(known) => known,
            None => {
                let function = &self.unit.functions[f];
                if function.body.is_some() { None } else { lookup(&function.name) }
            }
        };
        known.is_some_and(Builtin::is_pure)
    }

    /// Calls a known function.
    pub fn builtin_call(
        &mut self,
        builtin: Builtin,
        f: FunctionId,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        if args.len() < builtin.least_arguments() {
            return self.call_extern(f, e, args, want);
        }
        match builtin {
            Builtin::Halt | Builtin::Exit | Builtin::Trap => {
                self.end_program(builtin, f, e, args);
                None
            }
            Builtin::Unreachable => {
                let always = self.constant(1, Scalar::Bool);
                self.guard(always, Undefined::Unreachable, e.span);
                None
            }
            Builtin::Assert => {
                self.assert(e, args);
                None
            }
            Builtin::Assume => {
                self.assume(args, e.span);
                None
            }
            Builtin::Nothing => {
                self.values(args);
                Some(self.zero(self.int_ty()))
            }
            Builtin::Any => Some(self.any(e, want)),
            Builtin::Expect => self.values(args).first().copied(),
            Builtin::Constant(value) => {
                // Operands of these builtins are not evaluated, or have no effects.
                let ty = self.scalar_or_int(e.ty);
                Some(self.constant(value, ty))
            }
            Builtin::ObjectSize => Some(self.object_size(args, e)),
            Builtin::Unsupported(construct) => {
                self.unsupported(construct, &*self.unit.functions[f].name, e.span);
                None
            }
            Builtin::Signal => self.signal(f, e, args, want),
            Builtin::SetJump => Some(self.set_jump(args, want, e.span)),
            Builtin::Jump => self.jump(args, e.span),
            Builtin::Malloc(_) | Builtin::AlignedAlloc | Builtin::Calloc | Builtin::Realloc | Builtin::Alloca => {
                self.allocation(builtin, f, args, want, e.span)
            }
            Builtin::Free => {
                self.free(args, e.span);
                None
            }
            Builtin::Object(operation) => self.object_operation(operation, args, want, e.span),
            Builtin::MemCopy(library) | Builtin::MemSet(library) => self.memory_call(builtin, library, e, args, want),
            Builtin::Abs(bits, operation) => Some(self.abs(&args[0], bits, operation)),
            Builtin::Bits(operation, width) => Some(self.bit_operation(operation, width, &args[0], e)),
            Builtin::Overflow { op, operands, store } => Some(self.overflow(op, operands, store, args, e)),
            Builtin::Carry { op, width } => Some(self.carry(op, width, args, e)),
            Builtin::Sync(operation) => {
                let value = self.sync(operation, e, args);
                self.before_interrupts(value, e.span)
            }
            Builtin::Atomic(operation) => {
                let value = self.atomic(operation, e, args);
                self.before_interrupts(value, e.span)
            }
            Builtin::Float(function) => Some(self.float_function(function, e, args)),
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                self.variable_arguments(builtin, args, e.span);
                None
            }
            Builtin::Writer(writer) => self.writer(writer, f, e, args, want),
            Builtin::Cprover(name) => self.cprover(name, e, args, want),
            Builtin::Thread(operation) => self.thread(operation, f, e, args, want),
            Builtin::Scanf { format } => self.scanf(usize::from(format), f, e, args, want),
        }
    }

    /// Any value of the call's type.
    fn any(&mut self, e: &'u Expr, want: Want) -> ExprId {
        let dst = self.result_register(self.scalar_or_int(e.ty), want, e.span);
        self.emit(Op::Havoc { dst, source: HavocSource::Environment }, e.span);
        self.var(dst)
    }

    /// `va_start`, `va_copy` and `va_end`.
    fn variable_arguments(&mut self, builtin: Builtin, args: &'u [Expr], span: Span) {
        match builtin {
            Builtin::VaStart => self.va_start(args, span),
            Builtin::VaCopy => self.va_copy(args, span),
            _ => {
                self.va_list(&args[0]);
            }
        }
    }

    /// `abort`, `exit`, `__builtin_trap` and their like.
    pub fn end_program(&mut self, builtin: Builtin, f: FunctionId, e: &'u Expr, args: &'u [Expr]) {
        // A trap is a check of the program's own.
        if builtin == Builtin::Trap {
            return self.fail_assertion(e.span);
        }
        self.call_extern(f, e, args, Want::Nothing);
        if builtin == Builtin::Exit {
            self.call_destructors(e.span);
        }
        // What an error leaves behind is not what is wrong with the run.
        if self.is_error(&self.unit.functions[f].name) {
            self.emit(Op::Halt, e.span);
        } else {
            self.halt(e.span);
        }
    }

    /// Whether the call of a function breaks the property.
    pub fn is_error(&self, function: &str) -> bool {
        self.error_functions.iter().any(|name| **name == *function)
    }

    /// The run ends here, with the heap as it is.
    pub fn halt(&mut self, span: Span) {
        self.check_heap(span);
        self.emit(Op::Halt, span);
    }

    /// `signal`, which is modelled for handlers that are constants (`SIG_DFL`, `SIG_IGN`).
    fn signal(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let values = self.values(args);
        if values.get(1).is_some_and(|handler| self.as_int(*handler).is_some()) {
            return self.call_extern(f, e, args, want);
        }
        self.unsupported("signal handler", &*self.unit.functions[f].name, e.span);
        None
    }

    /// Values of all arguments from left to right; records by address.
    pub fn values(&mut self, args: &'u [Expr]) -> Vec<ExprId> {
        let last = self.last_effect(args);
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = match self.class(arg.ty) {
                Class::Record { .. } => self.record(arg),
                Class::Scalar(_) => self.rvalue(arg),
                _ => {
                    self.effect(arg);
                    self.zero(self.int_ty())
                }
            };
            values.push(if last > i { self.stable(value, arg.span) } else { value });
        }
        values
    }

    /// A value as `size_t`.
    pub fn as_size(&mut self, value: ExprId) -> ExprId {
        let value = self.convert(value, self.usize_ty());
        self.cast(value, self.usize_ty())
    }

    /// A value as a pointer.
    pub fn as_pointer(&mut self, value: ExprId) -> ExprId {
        self.convert(value, Scalar::Ptr)
    }

    /// A branch on a `Bool` expression: runs `yes` where it holds and goes on behind both.
    pub fn when(&mut self, cond: ExprId, span: Span, yes: impl FnOnce(&mut Self)) {
        let (then, end) = (self.node(), self.node());
        self.branch_on(cond, then, end, span);
        self.enter(then);
        yes(self);
        self.goto(end, span);
        self.enter(end);
    }
}
