//! Declarations of locals: new instances, initialisers, variable-length arrays.

use crate::builtin::memory::Block;
use crate::context::{Lowerer, Place};
use crate::effects::constant_of;
use crate::global::Image;
use crate::layout::Class;
use base::Span;
use cfa::{AllocKind, BinOp, ExprId, HavocSource, Init, Op, Scalar, Storage, Undefined, Var, VarId, VarKind};
use cfront::typed::{self, ExprKind, InitItem, InitValue, Initializer};
use cfront::types::{ArrayLen, Type, TypeId};

/// From so many items on, constant initialisers are copied from an image.
const IMAGE_ITEMS: usize = 12;

impl<'u> Lowerer<'u> {
    /// Begins a new instance of a local and initialises it.
    pub fn init_local(&mut self, id: typed::VarId, place: Place, init: Option<&'u Initializer>, span: Span) {
        let ty = self.unit.vars[id].ty;
        match place {
            Place::Register(var) => match init.map(|init| &init.items[..]) {
                None => self.havoc(var, Some(ty), HavocSource::Uninitialised, span),
                Some([earlier @ .., InitItem { value: InitValue::Expr(e), .. }]) => {
                    for item in earlier {
                        if let InitValue::Expr(e) = &item.value {
                            self.effect(e);
                        }
                    }
                    self.rvalue_into(e, var, span);
                }
                Some(_) => {
                    let zero = self.zero(self.p.vars[var].register().unwrap_or(Scalar::INT));
                    self.assign(var, zero, span);
                }
            },
            Place::Memory(var) => {
                self.emit(Op::Declare { var }, span);
                match init {
                    Some(init) => self.init_memory(var, init, span),
                    None => {
                        let addr = self.addr_of(var);
                        self.trust_truths(addr, ty, span);
                    }
                }
            }
            Place::Pointer(var) => {
                if let Some(size) = self.vla_size(ty, span) {
                    self.new_object(var, Block::new(size, AllocKind::Stack), span);
                }
            }
        }
    }

    fn init_memory(&mut self, var: VarId, init: &'u Initializer, span: Span) {
        let Storage::Memory { size, align } = self.p.vars[var].storage else { return };
        let base = self.addr_of(var);
        if init.items.len() >= IMAGE_ITEMS
            && let Some(image) = self.constant_image(init)
        {
            let ctype = self.p.vars[var].ctype;
            let name = format!("{}$init", self.p.vars[var].name).into();
            let image = self.new_var(Var {
                name,
                func: None,
                storage: Storage::Memory { size, align },
                kind: VarKind::Literal,
                ctype,
                init: Some(Box::new(image)),
                span,
            });
            let src = self.addr_of(image);
            self.copy(base, src, size, span);
            return;
        }
        let cleared = init.zero_rest && !self.covers(init, size);
        if cleared && size > 0 {
            let zero = self.zero(Scalar::INT);
            self.emit(Op::MemSet { dst: base, byte: zero, len: size }, span);
        }
        let mut end = 0;
        for item in &init.items {
            // A zero where nothing but zeros was stored.
            let is_zero =
                matches!(&item.value, InitValue::Expr(e) if constant_of(e) == Some(0) && !self.is_float(e.ty));
            if !(cleared && is_zero && item.offset >= end) {
                self.init_item(base, size, item, cleared, span);
            }
            end = end.max(item.offset.saturating_add(self.item_size(item)));
        }
    }

    fn is_float(&self, ty: TypeId) -> bool {
        self.scalar(ty).is_some_and(Scalar::is_float)
    }

    /// Whether the items follow each other without a gap from the first to the last byte.
    fn covers(&self, init: &Initializer, size: u64) -> bool {
        let mut end = 0;
        for item in &init.items {
            let len = match &item.value {
                InitValue::Bytes(bytes) => Some(bytes.len() as u64),
                InitValue::Expr(e) => self.size(e.ty),
            };
            match len {
                Some(len) if item.offset == end && item.bits.is_none() => end += len,
                _ => return false,
            }
        }
        end == size
    }

    /// Stores one item into the object at `base`; `cleared` says that all of it is zero before the first item.
    pub fn init_item(&mut self, base: ExprId, size: u64, item: &'u InitItem, cleared: bool, span: Span) {
        let addr = self.ptr_offset(base, i128::from(item.offset));
        match &item.value {
            InitValue::Bytes(bytes) => {
                let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
                // Short tails of zeros are copied with the rest.
                let copied = if bytes.len() - used > 16 || cleared { used } else { bytes.len() };
                if copied > 0 {
                    let literal = self.string(&bytes[..copied], 1);
                    let src = self.addr_of(literal);
                    self.copy(addr, src, copied as u64, span);
                }
                if copied < bytes.len() && !cleared {
                    let dst = self.ptr_offset(addr, copied as i128);
                    let byte = self.zero(Scalar::INT);
                    self.emit(Op::MemSet { dst, byte, len: (bytes.len() - copied) as u64 }, span);
                }
            }
            InitValue::Expr(e) => match (self.class(e.ty), item.bits) {
                (Class::Record { size, .. }, _) => {
                    let is_call = matches!(e.kind, ExprKind::Call { .. });
                    let src = if is_call { self.call_record(e, Some(addr)) } else { self.record(e) };
                    self.copy(addr, src, size, e.span);
                }
                (Class::Scalar(ty), None) => {
                    let value = self.rvalue(e);
                    let value = self.convert(value, ty);
                    self.store(addr, value, e.span);
                }
                (Class::Scalar(ty), Some(field)) => {
                    let value = self.rvalue(e);
                    let target = self.bit_field(addr, field, size.saturating_sub(item.offset));
                    self.check_width(value, target, e.ty, e.span);
                    self.write(target, value, ty, e.span);
                }
                _ => {
                    self.unsupported_value("type", e);
                }
            },
        }
    }

    /// The content that a constant initialiser describes; `None` if something is computed at run time.
    fn constant_image(&mut self, init: &'u Initializer) -> Option<Init> {
        if !init.zero_rest {
            return None;
        }
        let mut image = Image::default();
        for item in &init.items {
            match &item.value {
                InitValue::Bytes(bytes) => image.bytes(item.offset, bytes),
                InitValue::Expr(e) => {
                    // Simple expressions are lowered without edges.
                    let ty = self.scalar(e.ty).filter(|_| self.is_simple(e))?;
                    let value = self.rvalue(e);
                    let value = self.convert(value, ty);
                    let value = self.init_value(value)?;
                    image.scalar(item.offset, item.bits, ty, value, (self.pointer_bits, self.p.byte_order))?;
                }
            }
        }
        Some(image.finish())
    }

    /// Size of a variable-length array in bytes, with guards.
    fn vla_size(&mut self, ty: TypeId, span: Span) -> Option<ExprId> {
        let Type::Array(elem, len) = self.unit.types.get(ty) else {
            let size = self.size(ty)?;
            return Some(self.size_constant(size));
        };
        let elem = self.vla_size(*elem, span)?;
        let n = match len {
            ArrayLen::Fixed(n) => self.size_constant(*n),
            ArrayLen::Incomplete => return None,
            ArrayLen::Variable(var) => match self.place(*var) {
                Place::Register(var) => self.var(var),
                Place::Memory(var) => {
                    let addr = self.addr_of(var);
                    self.load(addr, self.usize_ty())
                }
                Place::Pointer(_) => return None,
            },
        };
        let n = self.as_size(n);
        // Negative lengths are greater than half of all numbers. An array of no elements has an address, as GNU's have.
        let half = (1i128 << (self.pointer_bits - 1)) - 1;
        let bad = self.with_constant(BinOp::Gt, n, half);
        self.guard(bad, Undefined::InvalidSize, span);
        // As in compilers, a size that is too large for its type wraps around.
        Some(self.binary(BinOp::Mul, n, elem))
    }
}
