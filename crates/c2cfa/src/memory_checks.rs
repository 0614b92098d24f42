//! Checks of memory: accesses, `free`, and what is left on the heap.
//!
//! Where an expression names the variable that it accesses, a check is a comparison of the offset, and none where that is constant. Other
//! accesses are checked by [`cfa::ExprKind::Valid`]. A hidden global variable counts heap blocks, so that most ends of runs are decided by it.

use crate::checks::type_range;
use crate::context::Lowerer;
use base::Span;
use cfa::check::BLOCKS;
use cfa::{Access, BinOp, Check, ExprId, ExprKind, FuncId, HavocSource, Op, Outside, Scalar, Storage, VarId};
use cfront::types::TypeId;
use clib::known::LIBRARY;
use clib::library;

impl Lowerer<'_> {
    /// An access to `len` bytes at an address is checked.
    pub fn check_access(&mut self, addr: ExprId, len: u64, access: Access, span: Span) {
        self.check_bytes(addr, len, access, true, span);
    }

    /// As [`Self::check_access`]; `ends` says whether nothing stands behind an access that is never valid.
    fn check_bytes(&mut self, addr: ExprId, len: u64, access: Access, ends: bool, span: Span) {
        if len > 0 && self.checks(Check::Memory) && self.is_reachable() {
            if let Some((var, size, offset)) = self.offset_in_variable(addr) {
                let bad = self.leaves((var, size), offset, len, access);
                if self.as_int(bad).is_some_and(|bad| bad != 0) {
                    // Its condition tells which bytes these are.
                    let bytes = self.size_constant(len);
                    let invalid = self.invalid(access, addr, bytes);
                    self.check_as(Some("bounds"), invalid, Check::Memory, span);
                    if !ends {
                        return;
                    }
                }
                return self.check_as(Some("bounds"), bad, Check::Memory, span);
            }
            let bytes = self.size_constant(len);
            let bad = self.invalid(access, addr, bytes);
            let bad = self.unless_on_hardware(bad, addr, len);
            self.check(bad, Check::Memory, span);
        }
    }

    /// A variable whose value stays, as a cast let it be written, is checked.
    pub fn check_written(&mut self, var: VarId, span: Span) {
        if self.p.vars[var].is_read_only() && self.checks(Check::Memory) && self.is_reachable() {
            let bad = self.constant(1, Scalar::Bool);
            self.check(bad, Check::Memory, span);
        }
    }

    /// An access of a call to a range is checked. The call stays in the program, also where it is never valid, for who wants to know which it is.
    pub fn check_range(&mut self, addr: ExprId, len: ExprId, access: Access, span: Span) {
        if let Some(len) = self.as_int(len).and_then(|len| u64::try_from(len).ok()) {
            return self.check_bytes(addr, len, access, false, span);
        }
        if self.checks(Check::Memory) && self.is_reachable() {
            let bad = self.invalid_range(access, addr, len);
            let bad = match self.range_on_hardware(addr, len) {
                None => bad,
                Some(inside) => {
                    let elsewhere = self.not(inside);
                    self.binary(BinOp::And, elsewhere, bad)
                }
            };
            self.check(bad, Check::Memory, span);
        }
    }

    /// A condition under which an access is bad, but for those to hardware.
    fn unless_on_hardware(&mut self, bad: ExprId, addr: ExprId, len: u64) -> ExprId {
        match self.on_hardware(addr, len) {
            None => bad,
            Some(inside) => {
                let elsewhere = self.not(inside);
                self.binary(BinOp::And, elsewhere, bad)
            }
        }
    }

    /// Reads a scalar; the access is checked.
    pub fn read_checked(&mut self, addr: ExprId, ty: Scalar, span: Span) -> ExprId {
        self.check_access(addr, u64::from(ty.access_bytes(self.pointer_bits)), Access::Read, span);
        self.load_or_input(addr, ty, span)
    }

    /// Writes a scalar; the access is checked.
    pub fn write_checked(&mut self, addr: ExprId, value: ExprId, span: Span) {
        let bytes = self.ty(value).access_bytes(self.pointer_bits);
        self.check_access(addr, u64::from(bytes), Access::Write, span);
        self.unless_hardware(addr, u64::from(bytes), span, |this| this.store(addr, value, span));
    }

    /// What writes at most so many bytes, or any number, but how many is not known: a place without room for all is not modelled.
    pub fn check_room(&mut self, addr: ExprId, most: Option<ExprId>, function: &str, span: Span) {
        if !self.checks(Check::Memory) || !self.is_reachable() {
            return;
        }
        let Some(most) = most else { return self.unsupported(LIBRARY, function, span) };
        let bad = self.invalid_range(Access::Write, addr, most);
        self.fault_if(bad, span, |this| this.unsupported(LIBRARY, function, span));
    }

    /// Input of any length is written.
    pub fn check_any_length(&mut self, addr: ExprId, span: Span) {
        if self.checks(Check::Memory) && self.is_reachable() {
            let len = self.register(self.usize_ty(), "length", span);
            self.emit(Op::Havoc { dst: len, source: HavocSource::Environment }, span);
            let len = self.var(len);
            self.check_range(addr, len, Access::Write, span);
        }
    }

    /// What is given to `free` or `realloc` is checked.
    pub fn check_free(&mut self, ptr: ExprId, span: Span) {
        if self.checks(Check::Free) && self.is_reachable() {
            let none = self.size_constant(0);
            let bad = self.invalid(Access::Free, ptr, none);
            self.check(bad, Check::Free, span);
        }
    }

    /// A pointer that is moved must stay in the address space.
    pub fn check_pointer_sum(&mut self, ptr: ExprId, offset: ExprId, span: Span) {
        let is_inside = self.as_int(offset).is_some() && matches!(self.p.exprs.kind(ptr), ExprKind::AddrOf(_));
        if !self.checks(Check::PointerOverflow) || is_inside {
            return;
        }
        let before = self.cast(ptr, self.usize_ty());
        let is_signed = self.ty(offset).is_signed();
        let by = self.cast(offset, self.usize_ty());
        let after = self.binary(BinOp::Add, before, by);
        let too_high = self.binary(BinOp::Lt, after, before);
        let bad = if is_signed {
            let back = self.with_constant(BinOp::Lt, offset, 0);
            let too_low = self.binary(BinOp::Gt, after, before);
            self.ite(back, too_low, too_high)
        } else {
            too_high
        };
        self.check(bad, Check::PointerOverflow, span);
    }

    /// What a pointer leads to must be aligned as its type is.
    pub fn check_alignment(&mut self, ptr: ExprId, ty: TypeId, span: Span) {
        let align = self.align(ty);
        if align > 1 && self.checks(Check::Alignment) && self.is_reachable() {
            let address = self.cast(ptr, self.usize_ty());
            let rest = self.with_constant(BinOp::BitAnd, address, i128::from(align) - 1);
            let bad = self.with_constant(BinOp::Ne, rest, 0);
            self.check(bad, Check::Alignment, span);
        }
    }

    /// An index must stay in its array of so many elements, whatever lies behind that.
    pub fn check_index(&mut self, index: ExprId, elements: u64, span: Span) {
        let index = self.cast(index, self.usize_ty());
        let bad = self.with_constant(BinOp::Ge, index, i128::from(elements));
        self.check(bad, Check::Fields, span);
    }

    fn invalid(&mut self, access: Access, addr: ExprId, len: ExprId) -> ExprId {
        let valid = self.p.exprs.add(ExprKind::Valid(access, addr, len), Scalar::Bool);
        self.not(valid)
    }

    /// Whether there are bytes to access, and the access is not valid.
    fn invalid_range(&mut self, access: Access, addr: ExprId, len: ExprId) -> ExprId {
        let some = self.with_constant(BinOp::Ne, len, 0);
        let invalid = self.invalid(access, addr, len);
        self.binary(BinOp::And, some, invalid)
    }

    /// The memory variable that an address is made of, its size, and the offset.
    fn offset_in_variable(&mut self, addr: ExprId) -> Option<(VarId, u64, Option<ExprId>)> {
        let (mut at, mut sum) = (addr, None);
        while let ExprKind::PtrAdd(base, offset) = self.p.exprs.kind(at) {
            let offset = self.cast(offset, self.usize_ty());
            sum = Some(match sum {
                None => offset,
                Some(sum) => self.binary(BinOp::Add, sum, offset),
            });
            at = base;
        }
        let ExprKind::AddrOf(var) = self.p.exprs.kind(at) else { return None };
        let Storage::Memory { size, .. } = self.p.vars[var].storage else { return None };
        Some((var, size, sum))
    }

    /// Whether an access at an offset leaves a variable.
    fn leaves(&mut self, (var, size): (VarId, u64), offset: Option<ExprId>, len: u64, access: Access) -> ExprId {
        let last = size.checked_sub(len);
        let Some(last) = last.filter(|_| access == Access::Read || !self.p.vars[var].is_read_only()) else {
            return self.constant(1, Scalar::Bool);
        };
        match offset {
            None => self.zero(Scalar::Bool),
            Some(offset) => match self.index(offset) {
                // A comparison of the index, which does not wrap around as its product does.
                Some((index, scale)) => self.with_constant(BinOp::Gt, index, i128::from(last / scale)),
                None => self.with_constant(BinOp::Gt, offset, i128::from(last)),
            },
        }
    }

    /// An index in an array of bytes; a product that may wrap around gets a register, so that no check takes its factor for the size of an element.
    pub fn in_bytes(&mut self, index: ExprId, ptr: ExprId, span: Span) -> ExprId {
        if !self.checks(Check::Memory) || !self.is_in_variable(ptr) {
            return index;
        }
        let Some((number, scale)) = self.index(index) else { return index };
        let greatest = type_range(self.pointer_bits as u16, false).1;
        let wraps = self.range_of(number).1 > greatest / i128::from(scale);
        if wraps { self.in_register(index, span) } else { index }
    }

    /// The number that an offset is a multiple of, without sign, and the factor.
    fn index(&mut self, offset: ExprId) -> Option<(ExprId, u64)> {
        let offset = match self.p.exprs.kind(offset) {
            ExprKind::Cast(inner) if self.ty(inner).bits(self.pointer_bits) == self.pointer_bits => inner,
            _ => offset,
        };
        let ExprKind::Binary(BinOp::Mul, index, scale) = self.p.exprs.kind(offset) else { return None };
        let scale = self.as_int(scale).and_then(|scale| u64::try_from(scale).ok()).filter(|scale| *scale > 0)?;
        Some((self.cast(index, self.usize_ty()), scale))
    }

    /// The number of live heap blocks changes.
    pub fn count_block(&mut self, op: BinOp, span: Span) {
        if !self.blocks_matter() {
            return;
        }
        let blocks = self.blocks();
        let count = self.var(blocks);
        let next = self.with_constant(op, count, 1);
        self.assign(blocks, next, span);
    }

    /// Whether something asks for the number of heap blocks.
    pub fn blocks_matter(&self) -> bool {
        self.p.checks.contains(&Check::Leak) || self.p.checks.contains(&Check::Cleanup)
    }

    fn blocks(&mut self) -> VarId {
        if let Some(blocks) = self.blocks {
            return blocks;
        }
        let blocks = self.hidden_counter(BLOCKS, self.usize_ty());
        self.blocks = Some(blocks);
        blocks
    }

    /// Where a run ends, no heap block may be left or lost. Variables of the entry function have ended when it returns.
    pub fn check_heap(&mut self, span: Span) {
        self.check_blocks(Check::Cleanup, span, |this| this.constant(1, Scalar::Bool));
        self.check_leaks(span);
    }

    /// No heap block may be lost.
    pub fn check_leaks(&mut self, span: Span) {
        self.check_blocks(Check::Leak, span, |this| {
            let tracked = this.p.exprs.add(ExprKind::Tracked, Scalar::Bool);
            this.not(tracked)
        });
    }

    /// Where there are heap blocks, `bad` must not hold.
    fn check_blocks(&mut self, check: Check, span: Span, bad: impl FnOnce(&mut Self) -> ExprId) {
        if self.p.checks.contains(&check) && self.is_reachable() {
            let blocks = self.blocks();
            let count = self.var(blocks);
            let some = self.with_constant(BinOp::Ne, count, 0);
            self.when(some, span, |this| {
                let bad = bad(this);
                this.check(bad, check, span);
            });
        }
    }

    /// A pointer from outside of the program, of a C type, is null or leads to an object of that type; those of inputs (`nondet_*`)
    /// may be anything.
    pub fn trust_pointer(&mut self, dst: VarId, func: FuncId, ty: TypeId, span: Span) {
        let function = &self.p.functions[func];
        if library::is_input(&function.name)
            || !(self.checks(Check::Memory) || self.checks(Check::Free))
            || self.p.vars[dst].register() != Some(Scalar::Ptr)
        {
            return;
        }
        let is_stream = ["stderr", "stdin", "stdout"].contains(&&*function.name);
        let is_outside = is_stream || function.outside == Outside::KeepsNothing;
        let pointer = self.var(dst);
        let null = self.zero(Scalar::Ptr);
        let is_null = self.binary(BinOp::Eq, pointer, null);
        let leads = if is_outside {
            self.is_outside(pointer)
        } else {
            let size = self.pointee(ty).and_then(|ty| self.size(ty)).unwrap_or(1).max(1);
            let size = self.size_constant(size);
            self.p.exprs.add(ExprKind::Valid(Access::Read, pointer, size), Scalar::Bool)
        };
        let trusted = if is_stream { leads } else { self.binary(BinOp::Or, is_null, leads) };
        self.require(trusted, span);
    }
}
