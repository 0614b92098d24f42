//! `__sync_*` and `__atomic_*` with the meaning that they have in a program of one thread.

use crate::context::Lowerer;
use crate::layout::Class;
use base::Span;
use cfa::{BinOp, ExprId, Scalar, UnOp};
use cfront::typed::{Expr, ExprKind};
use cfront::types::TypeId;
use clib::known::{Atomic, Fetch, Modify, Sync};

impl<'u> Lowerer<'u> {
    /// Type of the object that a pointer argument points to, seen through conversions to `void *`.
    fn object_type(&self, mut arg: &Expr) -> Option<TypeId> {
        loop {
            if let Some(ty) = self.pointee(arg.ty)
                && !matches!(self.class(ty), Class::Void)
            {
                return Some(ty);
            }
            match &arg.kind {
                ExprKind::Cast(inner) => arg = inner,
                _ => return None,
            }
        }
    }

    fn modify(&mut self, modify: Modify, old: ExprId, value: ExprId) -> ExprId {
        let ty = self.ty(old);
        if ty == Scalar::Ptr {
            let (old, value) = (self.cast(old, self.usize_ty()), self.convert(value, self.usize_ty()));
            let new = self.modify(modify, old, value);
            return self.cast(new, ty);
        }
        let value = self.convert(value, ty);
        match modify {
            Modify::Op(op) => self.binary(op, old, value),
            Modify::Nand => {
                let both = self.binary(BinOp::BitAnd, old, value);
                self.unary(UnOp::BitNot, both)
            }
        }
    }

    /// Values of the arguments, the first as a pointer to an object of the returned type; all saved.
    fn object(&mut self, args: &'u [Expr], span: Span) -> Option<(Vec<ExprId>, TypeId, Scalar)> {
        let object = self.object_type(&args[0])?;
        let ty = self.scalar(object)?;
        let mut values = self.values(args);
        let has_interrupts = self.has_interrupts();
        for value in &mut values {
            *value = if has_interrupts { self.stable(*value, span) } else { self.stable_memory(*value, span) };
        }
        values[0] = self.as_pointer(values[0]);
        self.interrupt_point(span);
        Some((values, object, ty))
    }

    fn fetch_modify(
        &mut self,
        modify: Modify,
        fetch: Fetch,
        (values, object, ty): (Vec<ExprId>, TypeId, Scalar),
        span: Span,
    ) -> ExprId {
        let old = self.read_checked(values[0], ty, span);
        let old = self.stable(old, span);
        let new = self.modify(modify, old, values[1]);
        let new = self.converted_to(new, object, ty);
        self.write_checked(values[0], new, span);
        match fetch {
            Fetch::Old => old,
            Fetch::New => new,
        }
    }

    /// Stores `new` if the object holds `expected`; the condition is saved.
    fn compare_and_swap(&mut self, addr: ExprId, expected: ExprId, new: ExprId, ty: Scalar, span: Span) -> ExprId {
        let old = self.read_checked(addr, ty, span);
        let same = self.binary(BinOp::Eq, old, expected);
        let same = self.cast(same, self.int_ty());
        let same = self.stable(same, span);
        let cond = self.truth(same);
        self.when(cond, span, |this| this.write_checked(addr, new, span));
        same
    }

    /// `__sync_*`.
    pub fn sync(&mut self, operation: Sync, e: &'u Expr, args: &'u [Expr]) -> Option<ExprId> {
        let span = e.span;
        let Some((values, object, ty)) = self.object(args, span) else {
            return Some(self.unsupported_value("builtin", e));
        };
        match operation {
            Sync::Modify(modify, fetch) => Some(self.fetch_modify(modify, fetch, (values, object, ty), span)),
            Sync::BoolCas | Sync::ValCas => {
                let (expected, new) = (self.convert(values[1], ty), self.convert(values[2], ty));
                let old = self.read_checked(values[0], ty, span);
                let old = if operation == Sync::ValCas { self.stable(old, span) } else { old };
                let same = self.compare_and_swap(values[0], expected, new, ty, span);
                Some(if operation == Sync::ValCas { old } else { same })
            }
            Sync::TestAndSet => {
                let old = self.read_checked(values[0], ty, span);
                let old = self.stable(old, span);
                let new = self.convert(values[1], ty);
                self.write_checked(values[0], new, span);
                Some(old)
            }
            Sync::Release => {
                let zero = self.zero(ty);
                self.write_checked(values[0], zero, span);
                None
            }
        }
    }

    /// `__atomic_*`.
    pub fn atomic(&mut self, operation: Atomic, e: &'u Expr, args: &'u [Expr]) -> Option<ExprId> {
        let span = e.span;
        let byte = Scalar::Int { bits: 8, signed: false };
        match operation {
            Atomic::TestAndSet => {
                let values = self.values(args);
                let addr = self.as_pointer(values[0]);
                let addr = self.stable(addr, span);
                self.interrupt_point(span);
                let old = self.read_checked(addr, byte, span);
                let old = self.stable(old, span);
                let one = self.constant(1, byte);
                self.write_checked(addr, one, span);
                let truth = self.truth(old);
                return Some(self.cast(truth, byte));
            }
            Atomic::Clear => {
                let values = self.values(args);
                let addr = self.as_pointer(values[0]);
                let addr = self.stable(addr, span);
                self.interrupt_point(span);
                let zero = self.zero(byte);
                self.write_checked(addr, zero, span);
                return None;
            }
            Atomic::Load | Atomic::Store | Atomic::Exchange => return self.atomic_copy(operation, e, args),
            _ => {}
        }
        let Some((values, object, ty)) = self.object(args, span) else {
            return Some(self.unsupported_value("builtin", e));
        };
        match operation {
            Atomic::Modify(modify, fetch) => Some(self.fetch_modify(modify, fetch, (values, object, ty), span)),
            Atomic::LoadN => {
                let value = self.read_checked(values[0], ty, span);
                Some(value)
            }
            Atomic::StoreN => {
                let value = self.convert(values[1], ty);
                self.write_checked(values[0], value, span);
                None
            }
            Atomic::ExchangeN => {
                let old = self.read_checked(values[0], ty, span);
                let old = self.stable(old, span);
                let value = self.convert(values[1], ty);
                self.write_checked(values[0], value, span);
                Some(old)
            }
            Atomic::CompareExchangeN | Atomic::CompareExchange => {
                let expected_at = self.as_pointer(values[1]);
                let old = self.read_checked(values[0], ty, span);
                let old = self.stable(old, span);
                let expected = self.read_checked(expected_at, ty, span);
                let new = if operation == Atomic::CompareExchange {
                    let at = self.as_pointer(values[2]);
                    self.read_checked(at, ty, span)
                } else {
                    self.convert(values[2], ty)
                };
                let new = self.stable(new, span);
                let same = self.compare_and_swap(values[0], expected, new, ty, span);
                let failed = self.truth(same);
                let failed = self.not(failed);
                self.when(failed, span, |this| this.write_checked(expected_at, old, span));
                Some(same)
            }
            _ => None,
        }
    }

    /// The generic forms, which copy objects of any type.
    fn atomic_copy(&mut self, operation: Atomic, e: &'u Expr, args: &'u [Expr]) -> Option<ExprId> {
        let Some(size) = self.object_type(&args[0]).and_then(|ty| self.size(ty)) else {
            return Some(self.unsupported_value("builtin", e));
        };
        let values = self.values(args);
        let mut at = Vec::with_capacity(3);
        for value in values.iter().take(3) {
            let pointer = self.as_pointer(*value);
            at.push(self.stable_memory(pointer, e.span));
        }
        match operation {
            Atomic::Load => self.copy(at[1], at[0], size, e.span),
            Atomic::Store => self.copy(at[0], at[1], size, e.span),
            _ => {
                let old = self.temp_memory(size, 16, "tmp", e.span);
                let old = self.addr_of(old);
                self.copy(old, at[0], size, e.span);
                self.copy(at[0], at[1], size, e.span);
                self.copy(at[2], old, size, e.span);
            }
        }
        None
    }
}
