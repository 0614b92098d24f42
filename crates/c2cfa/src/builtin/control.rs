//! Assertions, assumptions and variable arguments.

use crate::context::Lowerer;
use crate::lvalue::LValue;
use base::Span;
use cfa::{FuncId, Op, Scalar};
use cfront::typed::Expr;

/// What a failed assertion calls.
const ASSERT_FAIL: &str = "__assert_fail";

impl<'u> Lowerer<'u> {
    /// `assert(e)`: where the value is zero, `__assert_fail` is called and the program ends.
    pub fn assert(&mut self, e: &'u Expr, args: &'u [Expr]) {
        let (ok, fail) = (self.node(), self.node());
        self.branch(&args[0], ok, fail);
        self.enter(fail);
        self.fail_assertion(e.span);
        self.enter(ok);
    }

    /// An assertion of the program fails, which ends it as `abort` does where nobody asks for assertions. In CBMC's dialect, that says nothing
    /// of what is behind.
    pub fn fail_assertion(&mut self, span: Span) {
        if self.is_reachable() && !self.is_cprover && !self.is_error(ASSERT_FAIL) {
            self.check_heap(span);
        }
        self.fail(span);
    }

    /// A clause of a contract fails.
    pub fn fail(&mut self, span: Span) {
        if self.is_reachable() {
            let func = self.assert_fail();
            self.emit(Op::CallExtern { func, args: Box::default(), dst: None }, span);
            self.emit(Op::Halt, span);
        }
    }

    pub fn assert_fail(&mut self) -> FuncId {
        self.made_function(ASSERT_FAIL, self.void_ctype)
    }

    /// The path ends where the value is zero.
    pub fn assume(&mut self, args: &'u [Expr], span: Span) {
        let (ok, stop) = (self.node(), self.node());
        self.branch(&args[0], ok, stop);
        self.enter(stop);
        self.emit(Op::Halt, span);
        self.enter(ok);
    }

    /// `va_start`: the list is the hidden last parameter.
    pub fn va_start(&mut self, args: &'u [Expr], span: Span) {
        let list: LValue = self.va_list(&args[0]);
        match self.f.va_param {
            Some(param) => {
                let value = self.var(param);
                self.write(list, value, Scalar::Ptr, span);
            }
            None => self.unsupported("builtin", "va_start in a function without variable arguments", span),
        }
    }

    pub fn va_copy(&mut self, args: &'u [Expr], span: Span) {
        let target = self.va_list(&args[0]);
        let target = self.stable_lvalue(target, span);
        let source = self.va_list(&args[1]);
        let value = self.read(source, Scalar::Ptr, span);
        self.write(target, value, Scalar::Ptr, span);
    }
}
