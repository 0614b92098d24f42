//! Lvalues: where they are, how they are read and written. Bit-fields are read and written through the smallest access of
//! 1, 2, 4 or 8 bytes that covers them, or byte by byte where such an access would leave the object.

use crate::context::{Lowerer, Place};
use crate::layout::Class;
use base::{ByteOrder, Span};
use cfa::{BinOp, Check, ExprId, Scalar, VarId};
use cfront::typed::{Expr, ExprKind};
use cfront::types::{ArrayLen, BitField, Type, TypeId};

/// A scalar or record in a register or in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LValue {
    Register(VarId),
    Memory(ExprId),
    Bits { addr: ExprId, field: BitField, access: Access },
}

/// How the bytes of a bit-field are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// One access of so many bits.
    One(u16),
    /// So many single bytes.
    Bytes(u32),
}

impl Access {
    /// The access to a bit-field that lies `room` bytes before the end of its object.
    fn of(field: BitField, room: u64) -> Self {
        let bytes = (field.shift + field.width).div_ceil(8);
        let whole = bytes.next_power_of_two();
        if whole <= 8 && u64::from(whole) <= room { Access::One(whole as u16 * 8) } else { Access::Bytes(bytes) }
    }

    /// Bytes that are accessed.
    fn bytes(self) -> u64 {
        match self {
            Access::One(bits) => u64::from(bits) / 8,
            Access::Bytes(bytes) => u64::from(bytes),
        }
    }

    /// Width of the integer that holds the accessed bytes.
    fn wide_bits(self) -> u16 {
        match self {
            Access::One(bits) => bits,
            Access::Bytes(bytes) if bytes <= 8 => 64,
            Access::Bytes(_) => 128,
        }
    }
}

/// The lowest bit of a bit-field in the number that `bytes` bytes from its first one are. Fields begin with the most significant bit of a byte
/// where its byte comes first.
pub(crate) const fn first_bit(field: BitField, bytes: u32, order: ByteOrder) -> u32 {
    match order {
        ByteOrder::Little => field.shift,
        ByteOrder::Big => 8 * bytes - field.shift - field.width,
    }
}

const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };

impl<'u> Lowerer<'u> {
    /// Evaluates an lvalue expression (or a member of a record rvalue).
    pub fn lvalue(&mut self, e: &'u Expr) -> LValue {
        match &e.kind {
            ExprKind::Var(var) if self.is_null_variable(*var) => {
                LValue::Memory(self.null_symbol(self.unit.vars[*var].name.clone(), e.span))
            }
            ExprKind::Var(var) => match self.place(*var) {
                Place::Register(var) => LValue::Register(var),
                Place::Memory(var) => LValue::Memory(self.addr_of(var)),
                Place::Pointer(var) => LValue::Memory(self.var(var)),
            },
            ExprKind::String(id) => {
                let literal = &self.unit.strings[*id];
                let var = self.string(&literal.bytes, self.align(literal.ty));
                LValue::Memory(self.addr_of(var))
            }
            ExprKind::Function(f) => LValue::Memory(self.function_address(*f, e.span)),
            ExprKind::Deref(pointer) => {
                let pointer = self.pointer_to_element(pointer);
                let pointer = self.cast(pointer, Scalar::Ptr);
                self.check_alignment(pointer, e.ty, e.span);
                LValue::Memory(pointer)
            }
            ExprKind::Member { base, offset, bits } => {
                let addr = match self.lvalue(base) {
                    LValue::Memory(addr) => addr,
                    // A record is never in a register; only broken input gets here.
                    LValue::Register(_) | LValue::Bits { .. } => self.zero(Scalar::Ptr),
                };
                let addr = self.ptr_offset(addr, i128::from(*offset));
                match bits {
                    Some(field) => {
                        let room = self.size(base.ty).map_or(u64::MAX, |size| size.saturating_sub(*offset));
                        self.bit_field(addr, *field, room)
                    }
                    None => LValue::Memory(addr),
                }
            }
            ExprKind::CompoundLiteral { var, init } => {
                let place = self.place(*var);
                if let Some(init) = init {
                    let begins = self.beginning();
                    self.init_local(*var, place, Some(init), e.span);
                    if let Place::Memory(var) = place
                        && !self.p.vars[var].is_global()
                    {
                        self.add_to_scope(var, begins, None);
                    }
                }
                match place {
                    Place::Register(var) => LValue::Register(var),
                    Place::Memory(var) => LValue::Memory(self.addr_of(var)),
                    Place::Pointer(var) => LValue::Memory(self.var(var)),
                }
            }
            _ => match self.class(e.ty) {
                Class::Record { .. } => LValue::Memory(self.record(e)),
                _ => {
                    let value = self.rvalue(e);
                    let temp = self.temp(self.ty(value), e.span);
                    self.assign(temp, value, e.span);
                    LValue::Register(temp)
                }
            },
        }
    }

    /// A pointer that is about to be followed; the index of an array in a record or another array is checked.
    fn pointer_to_element(&mut self, pointer: &'u Expr) -> ExprId {
        if let ExprKind::PtrAdd { ptr, index, elem_size, negative } = &pointer.kind
            && let ExprKind::Decay(array) = &ptr.kind
            && matches!(array.kind, ExprKind::Member { .. } | ExprKind::Deref(_))
            && self.checks(Check::Fields)
            && let Some(elements) = self.elements(array.ty)
        {
            let (ptr, index) = self.operands(ptr, index, pointer.span);
            let (ptr, index) = (self.stable(ptr, pointer.span), self.stable(index, pointer.span));
            self.check_index(index, elements, pointer.span);
            return self.pointer_sum(ptr, index, elem_size, *negative, pointer.span);
        }
        self.rvalue(pointer)
    }

    /// The number of elements of an array whose length its type tells; of at most one, it may be the last member, which has any number.
    fn elements(&self, ty: TypeId) -> Option<u64> {
        match self.unit.types.get(ty) {
            Type::Array(_, ArrayLen::Fixed(elements)) => Some(*elements).filter(|elements| *elements > 1),
            _ => None,
        }
    }

    /// What `&` gives of an lvalue.
    pub fn address_of(&mut self, e: &'u Expr) -> ExprId {
        match &e.kind {
            // No access: the address may be the one behind an array.
            ExprKind::Deref(pointer) => {
                let pointer = self.rvalue(pointer);
                self.cast(pointer, Scalar::Ptr)
            }
            _ => self.address(e),
        }
    }

    /// Address of an lvalue.
    pub fn address(&mut self, e: &'u Expr) -> ExprId {
        match self.lvalue(e) {
            LValue::Memory(addr) | LValue::Bits { addr, .. } => addr,
            // The type checker marks variables whose address is needed; a register has none.
            LValue::Register(_) => {
                self.unsupported("address of a register variable", self.snippet(e.span), e.span);
                self.zero(Scalar::Ptr)
            }
        }
    }

    /// The source text of a span, cut to one line.
    pub fn snippet(&self, span: Span) -> String {
        self.p.source.snippet(span).lines().next().unwrap_or("").chars().take(80).collect()
    }

    /// An lvalue whose address later side effects can't change.
    pub fn stable_lvalue(&mut self, lvalue: LValue, span: Span) -> LValue {
        match lvalue {
            LValue::Register(_) => lvalue,
            LValue::Memory(addr) => LValue::Memory(self.stable(addr, span)),
            LValue::Bits { addr, field, access } => LValue::Bits { addr: self.stable(addr, span), field, access },
        }
    }

    /// Value of a scalar lvalue, which hardware or interrupt handlers may change.
    pub fn read_scalar(&mut self, lvalue: &'u Expr, ty: Scalar, e: &'u Expr) -> ExprId {
        let (is_input, is_shared) = (self.is_input(lvalue), self.is_shared(lvalue));
        let mut target = self.lvalue(lvalue);
        if is_shared {
            target = self.stable_lvalue(target, e.span);
            self.interrupt_point(e.span);
        }
        if is_input {
            return self.read_input(target, ty, e);
        }
        let value = self.read(target, ty, e.span);
        match target {
            LValue::Memory(addr) => {
                let value = if self.may_be_argument(lvalue) { self.trust_argument(addr, value, e.span) } else { value };
                if self.may_be_outside(lvalue) { self.trust_outside(addr, value, e.span) } else { value }
            }
            _ => value,
        }
    }

    /// Address of a record that is read.
    pub fn record_at(&mut self, lvalue: &'u Expr) -> ExprId {
        let addr = self.address(lvalue);
        match self.class(lvalue.ty) {
            Class::Record { size, align } if self.is_input(lvalue) => {
                self.check_access(addr, size, cfa::Access::Read, lvalue.span);
                self.record_input(size, align, lvalue.span)
            }
            _ => addr,
        }
    }

    /// Value of an lvalue of type `ty`.
    pub fn read(&mut self, lvalue: LValue, ty: Scalar, span: Span) -> ExprId {
        match lvalue {
            LValue::Register(var) => {
                let value = self.var(var);
                self.cast(value, ty)
            }
            LValue::Memory(addr) => self.read_checked(addr, ty, span),
            LValue::Bits { .. } => self.read_bits(lvalue, ty, span, false),
        }
    }

    /// The bit-field at an address, which lies `room` bytes before the end of its object. Its place becomes that in the number that is accessed.
    pub fn bit_field(&self, addr: ExprId, field: BitField, room: u64) -> LValue {
        let access = Access::of(field, room);
        let shift = first_bit(field, access.bytes() as u32, self.p.byte_order);
        LValue::Bits { addr, field: BitField { shift, ..field }, access }
    }

    /// Value of a bit-field; what lies there may be an input.
    pub fn read_bits(&mut self, lvalue: LValue, ty: Scalar, span: Span, is_input: bool) -> ExprId {
        let LValue::Bits { addr, field, access } = lvalue else { return self.zero(ty) };
        self.check_access(addr, access.bytes(), cfa::Access::Read, span);
        let raw = self.raw_bits(addr, access, span, is_input);
        self.extract(raw, field, ty)
    }

    /// The accessed bytes as an unsigned integer.
    fn raw_bits(&mut self, addr: ExprId, access: Access, span: Span, is_input: bool) -> ExprId {
        let wide = Scalar::Int { bits: access.wide_bits(), signed: false };
        match access {
            _ if is_input => self.input(wide, None, span),
            Access::One(_) => self.load_or_input(addr, wide, span),
            Access::Bytes(bytes) => {
                let mut raw = self.zero(wide);
                for i in 0..bytes {
                    let at = self.ptr_offset(addr, i128::from(i));
                    let byte = self.load_or_input(at, BYTE, span);
                    let byte = self.cast(byte, wide);
                    let shift = self.p.byte_order.shift(bytes, i, 1);
                    let byte = self.with_constant(BinOp::Shl, byte, i128::from(shift));
                    raw = self.binary(BinOp::BitOr, raw, byte);
                }
                raw
            }
        }
    }

    /// The field within the unsigned integer `raw`, extended to `ty`.
    fn extract(&mut self, raw: ExprId, field: BitField, ty: Scalar) -> ExprId {
        let bits = self.ty(raw).bits(self.pointer_bits);
        if field.width == bits {
            let whole = self.cast(raw, Scalar::Int { bits: bits as u16, signed: ty.is_signed() });
            return self.cast(whole, ty);
        }
        if ty.is_signed() {
            let wide = self.cast(raw, Scalar::Int { bits: bits as u16, signed: true });
            let high = self.with_constant(BinOp::Shl, wide, i128::from(bits - field.shift - field.width));
            let low = self.with_constant(BinOp::Shr, high, i128::from(bits - field.width));
            return self.cast(low, ty);
        }
        let low = self.with_constant(BinOp::Shr, raw, i128::from(field.shift));
        let low = if field.shift + field.width == bits {
            low
        } else {
            self.with_constant(BinOp::BitAnd, low, mask(field.width))
        };
        self.cast(low, ty)
    }

    /// Lvalue := value; the value is converted to `ty`.
    pub fn write(&mut self, lvalue: LValue, value: ExprId, ty: Scalar, span: Span) {
        let value = self.cast(value, ty);
        match lvalue {
            LValue::Register(var) => {
                self.check_written(var, span);
                self.assign(var, value, span);
            }
            LValue::Memory(addr) => self.write_checked(addr, value, span),
            LValue::Bits { addr, field, access } => self.write_bits(addr, field, access, value, span),
        }
    }

    fn write_bits(&mut self, addr: ExprId, field: BitField, access: Access, value: ExprId, span: Span) {
        let wide = Scalar::Int { bits: access.wide_bits(), signed: false };
        let in_place = mask(field.width) << field.shift;
        self.check_access(addr, access.bytes(), cfa::Access::Write, span);
        match access {
            Access::One(bits) => {
                // A handler may run between the read and the write, which keeps the other bits as they were.
                let (addr, value) = if self.has_interrupts() {
                    (self.stable(addr, span), self.stable(value, span))
                } else {
                    (addr, value)
                };
                self.unless_hardware(addr, u64::from(bits) / 8, span, |this| {
                    let new = this.shifted(value, field, wide);
                    let mut old = this.load(addr, wide);
                    if this.has_interrupts() {
                        old = this.stable(old, span);
                        this.interrupt_point(span);
                    }
                    let kept = this.with_constant(BinOp::BitAnd, old, !in_place);
                    let all = this.binary(BinOp::BitOr, kept, new);
                    this.store(addr, all, span);
                });
            }
            Access::Bytes(bytes) => {
                let addr = self.stable(addr, span);
                let value = self.stable(value, span);
                let new = self.shifted(value, field, wide);
                for i in 0..bytes {
                    let at = self.ptr_offset(addr, i128::from(i));
                    let shift = self.p.byte_order.shift(bytes, i, 1);
                    let part = self.with_constant(BinOp::Shr, new, i128::from(shift));
                    let part = self.cast(part, BYTE);
                    self.unless_hardware(at, 1, span, |this| {
                        this.interrupt_point(span);
                        let old = this.load(at, BYTE);
                        let kept = this.with_constant(BinOp::BitAnd, old, !(in_place >> shift));
                        let all = this.binary(BinOp::BitOr, kept, part);
                        this.store(at, all, span);
                    });
                }
            }
        }
    }

    /// The low bits of the value at the field's place.
    fn shifted(&mut self, value: ExprId, field: BitField, wide: Scalar) -> ExprId {
        let value = self.cast(value, wide);
        let bits = wide.bits(self.pointer_bits);
        let cut = if field.width == bits { value } else { self.with_constant(BinOp::BitAnd, value, mask(field.width)) };
        self.with_constant(BinOp::Shl, cut, i128::from(field.shift))
    }

    /// What reading an lvalue gives after `value` was written to it.
    pub fn value_after_write(&mut self, lvalue: LValue, value: ExprId, ty: Scalar) -> ExprId {
        match lvalue {
            LValue::Register(var) => {
                let value = self.var(var);
                self.cast(value, ty)
            }
            LValue::Memory(_) => value,
            LValue::Bits { field, .. } => {
                if field.width >= ty.bits(self.pointer_bits) {
                    return value;
                }
                self.low_bits(value, field.width, ty)
            }
        }
    }

    /// The value of an integer in the width of a bit-field.
    pub fn wrapped(&mut self, e: &'u Expr, width: u32) -> ExprId {
        let value = self.rvalue(e);
        let ty = self.scalar_or_int(e.ty);
        self.low_bits(value, width, ty)
    }

    /// The value of a type that the low bits give.
    fn low_bits(&mut self, value: ExprId, width: u32, ty: Scalar) -> ExprId {
        let bits = ty.bits(self.pointer_bits) as u16;
        let raw = self.cast(value, Scalar::Int { bits, signed: false });
        self.extract(raw, BitField { shift: 0, width }, ty)
    }

    /// Copies a record.
    pub fn copy(&mut self, dst: ExprId, src: ExprId, len: u64, span: Span) {
        self.check_access(src, len, cfa::Access::Read, span);
        self.check_access(dst, len, cfa::Access::Write, span);
        if len == 0 || dst == src {
            return;
        }
        if self.has_interrupts() {
            return self.copy_in_words(dst, src, len, span);
        }
        self.copy_part(dst, src, len, span);
    }
}

fn mask(width: u32) -> i128 {
    if width >= 127 { -1 } else { (1 << width) - 1 }
}
