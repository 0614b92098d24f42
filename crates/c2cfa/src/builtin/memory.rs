//! `malloc` and friends, `memcpy`, `memset`.

use crate::call::Want;
use crate::context::Lowerer;
use crate::known::{Builtin, LIBRARY};
use base::Span;
use cfa::{AllocKind, BinOp, ExprId, Op, Scalar};
use cfront::typed::Expr;

impl<'u> Lowerer<'u> {
    fn alloc(&mut self, size: ExprId, kind: AllocKind, want: Want, span: Span) -> ExprId {
        let size = self.as_size(size);
        let dst = self.result_register(Scalar::Ptr, want, span);
        self.emit(Op::Alloc { dst, size, kind }, span);
        self.var(dst)
    }

    /// `malloc`.
    pub fn malloc(&mut self, args: &'u [Expr], size: u8, want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        self.alloc(values[usize::from(size)], AllocKind::Heap, want, span)
    }

    /// `alloca`.
    pub fn alloca(&mut self, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        self.alloc(values[0], AllocKind::Stack, want, span)
    }

    /// `calloc`: null if the product overflows.
    pub fn calloc(&mut self, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let (n, size) = (self.as_size(values[0]), self.as_size(values[1]));
        let overflows = self.product_overflows(n, size);
        let product = self.binary(BinOp::Mul, n, size);
        if self.as_int(overflows) == Some(0) {
            return self.alloc(product, AllocKind::HeapZeroed, want, span);
        }
        let dst = self.result_register(Scalar::Ptr, want, span);
        let (null, fits, end) = (self.node(), self.node(), self.node());
        // The branches may not change `dst` before the product is computed.
        let product = self.stable(product, span);
        self.branch_on(overflows, null, fits, span);
        self.enter(null);
        let zero = self.zero(Scalar::Ptr);
        self.assign(dst, zero, span);
        self.goto(end, span);
        self.enter(fits);
        self.emit(Op::Alloc { dst, size: product, kind: AllocKind::HeapZeroed }, span);
        self.goto(end, span);
        self.enter(end);
        self.var(dst)
    }

    /// Whether the product of two numbers of type `size_t` is out of its range.
    fn product_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let max = (1i128 << self.pointer_bits) - 1;
        for (x, y) in [(a, b), (b, a)] {
            match self.as_int(x) {
                Some(0 | 1) => return self.zero(Scalar::Bool),
                Some(x) => return self.with_constant(BinOp::Gt, y, max / x),
                None => {}
            }
        }
        let wide = Scalar::Int { bits: 2 * self.pointer_bits as u16, signed: false };
        let (a, b) = (self.cast(a, wide), self.cast(b, wide));
        let product = self.binary(BinOp::Mul, a, b);
        self.with_constant(BinOp::Gt, product, max)
    }

    /// `realloc`.
    pub fn realloc(&mut self, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let (ptr, size) = (self.as_pointer(values[0]), self.as_size(values[1]));
        let dst = self.result_register(Scalar::Ptr, want, span);
        self.emit(Op::Realloc { dst, ptr, size }, span);
        self.var(dst)
    }

    /// `free`.
    pub fn free(&mut self, args: &'u [Expr], span: Span) {
        let values = self.values(args);
        let ptr = self.as_pointer(values[0]);
        self.emit(Op::Free { ptr }, span);
    }

    /// `memcpy`, `memmove` and `memset`: operations if the length is constant, otherwise the library's code.
    pub fn memory_call(
        &mut self,
        builtin: Builtin,
        library: &str,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        let constant = crate::effects::constant_of(&args[2]).is_some() || self.is_simple(&args[2]);
        if !constant {
            return self.library_call(library, e, args, want);
        }
        // Simple expressions have no edges: lowering the length twice is harmless.
        let len = self.rvalue(&args[2]);
        let len = self.as_size(len);
        let Some(len) = self.as_int(len).and_then(|len| u64::try_from(len).ok()) else {
            return self.library_call(library, e, args, want);
        };
        let values = self.values(&args[..2]);
        let dst = self.as_pointer(values[0]);
        let dst = if want == Want::Nothing { dst } else { self.stable(dst, e.span) };
        if len > 0 {
            match builtin {
                Builtin::MemSet(_) => {
                    let byte = self.convert(values[1], Scalar::INT);
                    self.emit(Op::MemSet { dst, byte, len }, e.span);
                }
                _ => {
                    let src = self.as_pointer(values[1]);
                    self.copy(dst, src, len, e.span);
                }
            }
        }
        Some(dst)
    }

    /// Calls the C text of a library function.
    fn library_call(&mut self, library: &str, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        match self.library_function(library) {
            Some(f) => self.call_defined(f, e, &args[..3], want),
            None => {
                self.unsupported(LIBRARY, library, e.span);
                None
            }
        }
    }
}
