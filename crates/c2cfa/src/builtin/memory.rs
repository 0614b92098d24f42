//! `malloc` and friends, `memcpy`, `memset`.

use crate::call::Want;
use crate::context::Lowerer;
use base::Span;
use cfa::layout::{ALLOCATED, largest_block};
use cfa::{Access, AllocKind, BinOp, Check, ExprId, ExprKind, HavocSource, MachineModel, Op, Scalar, Undefined, VarId};
use cfront::typed::{Expr, FunctionId};
use clib::known::{Builtin, LIBRARY, ObjectOperation};

/// Greatest sizes of heap objects in CBMC's dialect: what the symbolic encoding has room for where it knows no better bound.
const LARGEST_ILP32: i128 = 1 << 24;
const LARGEST_LP64: i128 = 1 << 32;

/// Greatest alignment of a block.
const MOST_ALIGNED: u32 = 1 << 16;

/// What is allocated.
#[derive(Clone, Copy)]
pub struct Block {
    size: ExprId,
    /// A power of two.
    align: u32,
    kind: AllocKind,
}

impl Block {
    /// A block that is aligned as `malloc` does it.
    pub fn new(size: ExprId, kind: AllocKind) -> Self {
        Self { size, align: ALLOCATED, kind }
    }
}

impl<'u> Lowerer<'u> {
    /// A function that allocates memory.
    pub fn allocation(
        &mut self,
        builtin: Builtin,
        f: FunctionId,
        args: &'u [Expr],
        want: Want,
        span: Span,
    ) -> Option<ExprId> {
        Some(match builtin {
            Builtin::Malloc(align) => self.malloc(f, args, align, want, span),
            Builtin::AlignedAlloc => self.aligned_alloc(f, args, want, span),
            Builtin::Calloc => self.calloc(f, args, want, span),
            Builtin::Realloc => self.realloc(f, args, want, span),
            Builtin::Alloca => self.alloca(args, want, span),
            _ => return None,
        })
    }

    /// A new heap block, or null.
    fn allocate(&mut self, f: FunctionId, block: Block, want: Want, span: Span) -> ExprId {
        self.allocate_by(f, block.size, want, span, |this, dst| this.new_block(dst, block, span))
    }

    /// Null where an allocation of so many bytes fails, otherwise what is done.
    fn allocate_by(
        &mut self,
        f: FunctionId,
        size: ExprId,
        want: Want,
        span: Span,
        make: impl FnOnce(&mut Self, VarId),
    ) -> ExprId {
        let dst = self.result_register(Scalar::Ptr, want, span);
        match self.fails(f, size, span) {
            None => {
                make(self, dst);
                self.var(dst)
            }
            Some(fails) => self.null_or(fails, dst, span, |this| make(this, dst)),
        }
    }

    /// Whether an allocation fails; `None` if it never does.
    fn fails(&mut self, f: FunctionId, size: ExprId, span: Span) -> Option<ExprId> {
        // A block of no bytes need not be made.
        let may_be_empty = self.checks(Check::Memory) && self.as_int(size).is_none_or(|size| size == 0);
        if !self.p.allocation_may_fail && !may_be_empty {
            return None;
        }
        let name = match self.f.is_library {
            true => &self.p.functions[self.f.func].name,
            false => &self.unit.functions[f].name,
        };
        let name = name.trim_start_matches(clib::libc::PREFIX).to_owned();
        let choice = self.register(Scalar::Bool, &name, span);
        let choose = Op::Havoc { dst: choice, source: HavocSource::Allocation };
        if !self.p.allocation_may_fail {
            // Only there is anything to choose.
            let is_empty = self.with_constant(BinOp::Eq, size, 0);
            let never = self.zero(Scalar::Bool);
            self.assign(choice, never, span);
            self.when(is_empty, span, |this| this.emit(choose, span));
            return Some(self.var(choice));
        }
        self.emit(choose, span);
        let choice = self.var(choice);
        Some(match self.too_large(size) {
            Some(too_large) if !self.is_cprover => self.binary(BinOp::Or, choice, too_large),
            _ => choice,
        })
    }

    /// Null where a condition holds, otherwise what is done.
    fn null_or(&mut self, is_null: ExprId, dst: VarId, span: Span, otherwise: impl FnOnce(&mut Self)) -> ExprId {
        let (null, made, end) = (self.node(), self.node(), self.node());
        self.branch_on(is_null, null, made, span);
        self.enter(null);
        let zero = self.zero(Scalar::Ptr);
        self.assign(dst, zero, span);
        self.call_library("_no_memory", &[], span);
        self.goto(end, span);
        self.enter(made);
        otherwise(self);
        self.goto(end, span);
        self.enter(end);
        self.var(dst)
    }

    pub fn new_block(&mut self, dst: VarId, block: Block, span: Span) {
        self.new_object(dst, block, span);
        if block.kind != AllocKind::Stack {
            self.count_block(BinOp::Add, span);
        }
    }

    /// A new object that nobody has to free.
    pub fn new_object(&mut self, dst: VarId, Block { size, align, kind }: Block, span: Span) {
        self.limit_size(size, kind, span);
        self.emit(Op::Alloc { dst, size, align, kind }, span);
    }

    /// Leaves out runs that allocate a block that is too large: where allocation never fails, there are none. What lies on the stack never fails,
    /// and a machine has no stack for it.
    fn limit_size(&mut self, size: ExprId, kind: AllocKind, span: Span) {
        if (!self.p.allocation_may_fail || self.is_cprover || kind == AllocKind::Stack)
            && let Some(too_large) = self.too_large(size)
        {
            self.guard(too_large, Undefined::LargeAllocation, span);
        }
    }

    /// Whether a block would be larger than any can be; `None` if it never is.
    fn too_large(&mut self, size: ExprId) -> Option<ExprId> {
        let greatest = match self.machine {
            MachineModel::Ilp32 | MachineModel::Lp32 if self.is_cprover => LARGEST_ILP32,
            MachineModel::Lp64 | MachineModel::Llp64 if self.is_cprover => LARGEST_LP64,
            machine => i128::from(largest_block(machine)),
        };
        let may_be = self.greatest_size(size).is_none_or(|size| size > greatest);
        may_be.then(|| self.with_constant(BinOp::Gt, size, greatest))
    }

    /// A bound of an unsigned number that the form of its expression shows.
    fn greatest_size(&self, size: ExprId) -> Option<i128> {
        match self.p.exprs.kind(size) {
            ExprKind::Binary(BinOp::Add, a, b) => self.greatest_size(a)?.checked_add(self.greatest_size(b)?),
            ExprKind::Binary(BinOp::Mul, a, b) => self.greatest_size(a)?.checked_mul(self.greatest_size(b)?),
            _ => Some(self.range_of(size).1),
        }
    }

    /// `malloc`.
    fn malloc(&mut self, f: FunctionId, args: &'u [Expr], align: u32, want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let size = self.as_size(values[0]);
        self.allocate(f, Block { size, align, kind: AllocKind::Heap }, want, span)
    }

    /// `aligned_alloc` and `memalign`, whose alignment comes first.
    fn aligned_alloc(&mut self, f: FunctionId, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let (align, size) = (self.as_size(values[0]), self.as_size(values[1]));
        // The branches may not change what these are made of.
        let (align, size) = (self.stable(align, span), self.stable(size, span));
        self.allocate_by(f, size, want, span, |this, dst| this.aligned_block(dst, align, size, span))
    }

    /// A block of the least alignment that is enough.
    fn aligned_block(&mut self, dst: VarId, align: ExprId, size: ExprId, span: Span) {
        let end = self.node();
        for enough in (ALLOCATED.ilog2()..=MOST_ALIGNED.ilog2()).map(|exponent| 1 << exponent) {
            let block = Block { size, align: enough, kind: AllocKind::Heap };
            let fits = self.with_constant(BinOp::Le, align, i128::from(enough));
            if self.as_int(fits) == Some(0) {
                continue;
            }
            let (here, more) = (self.node(), self.node());
            self.branch_on(fits, here, more, span);
            self.enter(here);
            self.new_block(dst, block, span);
            self.goto(end, span);
            self.enter(more);
            if self.as_int(fits).is_some() {
                break;
            }
        }
        self.unsupported("alignment", format!("memory that is aligned to more than {MOST_ALIGNED} bytes"), span);
        self.enter(end);
    }

    /// `alloca`.
    fn alloca(&mut self, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let size = self.as_size(values[0]);
        let dst = self.result_register(Scalar::Ptr, want, span);
        self.new_block(dst, Block::new(size, AllocKind::Stack), span);
        self.var(dst)
    }

    /// `calloc`: null if the product overflows.
    fn calloc(&mut self, f: FunctionId, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let (n, size) = (self.as_size(values[0]), self.as_size(values[1]));
        let overflows = self.product_overflows(n, size);
        let product = self.binary(BinOp::Mul, n, size);
        if self.as_int(overflows) == Some(0) {
            return self.allocate(f, Block::new(product, AllocKind::HeapZeroed), want, span);
        }
        let dst = self.result_register(Scalar::Ptr, want, span);
        // The branches may not change `dst` before the product is computed.
        let product = self.stable(product, span);
        let fails = match self.fails(f, product, span) {
            None => overflows,
            Some(fails) => self.binary(BinOp::Or, overflows, fails),
        };
        let block = Block::new(product, AllocKind::HeapZeroed);
        self.null_or(fails, dst, span, |this| this.new_block(dst, block, span))
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

    /// `realloc` as glibc has it: a block of which no bytes are asked for is freed, and the result is null. One that fails leaves the old block.
    fn realloc(&mut self, f: FunctionId, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let values = self.values(args);
        let (ptr, size) = (self.as_pointer(values[0]), self.as_size(values[1]));
        let dst = self.result_register(Scalar::Ptr, want, span);
        let may_be_empty = self.as_int(size).is_none_or(|size| size == 0);
        // What frees the block may not change the arguments, nor may handlers.
        let (ptr, size) = match self.p.allocation_may_fail || may_be_empty || self.has_interrupts() {
            true => (self.stable(ptr, span), self.stable(size, span)),
            false => (ptr, size),
        };
        self.interrupt_point_at_end(span);
        self.check_free(ptr, span);
        let end = self.node();
        if may_be_empty {
            let (set, is_empty) = (self.truth(ptr), self.with_constant(BinOp::Eq, size, 0));
            let frees = self.binary(BinOp::And, set, is_empty);
            let frees = self.hidden_choice(frees, "frees", span);
            self.when(frees, span, |this| {
                this.count_block(BinOp::Sub, span);
                this.emit(Op::Free { ptr, kind: AllocKind::Heap }, span);
                let null = this.zero(Scalar::Ptr);
                this.assign(dst, null, span);
                this.goto(end, span);
            });
        }
        match self.fails(f, size, span) {
            None => self.reallocate(dst, ptr, size, span),
            Some(fails) => {
                self.null_or(fails, dst, span, |this| this.reallocate(dst, ptr, size, span));
            }
        }
        self.goto(end, span);
        self.enter(end);
        self.interrupt_point_at_end(span);
        self.var(dst)
    }

    /// A condition that no text of the program says.
    fn hidden_choice(&mut self, cond: ExprId, stem: &str, span: Span) -> ExprId {
        let register = self.register(Scalar::Bool, stem, span);
        self.assign(register, cond, span);
        self.var(register)
    }

    fn reallocate(&mut self, dst: VarId, ptr: ExprId, size: ExprId, span: Span) {
        let null = self.zero(Scalar::Ptr);
        let is_new = self.binary(BinOp::Eq, ptr, null);
        if self.blocks_matter() {
            let is_new = self.hidden_choice(is_new, "is new", span);
            self.when(is_new, span, |this| this.count_block(BinOp::Add, span));
        }
        self.emit(Op::Realloc { dst, ptr, size }, span);
    }

    /// `free`.
    pub fn free(&mut self, args: &'u [Expr], span: Span) {
        let values = self.values(args);
        let ptr = self.as_pointer(values[0]);
        let ptr = if self.has_interrupts() { self.stable(ptr, span) } else { ptr };
        self.interrupt_point_at_end(span);
        self.check_free(ptr, span);
        self.end_block(ptr, span);
        self.interrupt_point_at_end(span);
    }

    fn end_block(&mut self, ptr: ExprId, span: Span) {
        if self.blocks_matter() {
            let set = self.truth(ptr);
            self.when(set, span, |this| this.count_block(BinOp::Sub, span));
        }
        self.emit(Op::Free { ptr, kind: AllocKind::Heap }, span);
    }

    /// What the texts of the library do with objects of their own, which are no blocks of the program.
    pub fn object_operation(
        &mut self,
        operation: ObjectOperation,
        args: &'u [Expr],
        want: Want,
        span: Span,
    ) -> Option<ExprId> {
        let value = self.values(args)[0];
        match operation {
            ObjectOperation::New => {
                let size = self.as_size(value);
                let dst = self.result_register(Scalar::Ptr, want, span);
                self.emit(Op::Alloc { dst, size, align: ALLOCATED, kind: AllocKind::Heap }, span);
                return Some(self.var(dst));
            }
            ObjectOperation::Check => {
                let ptr = self.as_pointer(value);
                self.check_free(ptr, span);
            }
            ObjectOperation::End => {
                let ptr = self.as_pointer(value);
                self.emit(Op::Free { ptr, kind: AllocKind::Heap }, span);
            }
            ObjectOperation::IsOutside => {
                let ptr = self.as_pointer(value);
                let inside = self.is_outside(ptr);
                return Some(self.cast(inside, self.int_ty()));
            }
        }
        None
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
        // A handler may run when a part is done.
        if !constant || self.has_interrupts() {
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
                    self.check_access(dst, len, Access::Write, e.span);
                    let byte = self.convert(values[1], Scalar::INT);
                    self.unless_hardware(dst, len, e.span, |this| this.emit(Op::MemSet { dst, byte, len }, e.span));
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
