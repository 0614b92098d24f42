//! Initialisers of globals: constants become [`Init`]; what has to be computed is stored by the start function.

use crate::context::{Lowerer, Place};
use crate::layout::Class;
use crate::lvalue::first_bit;
use crate::variables::NOT_CONSTANT;
use base::ByteOrder;
use cfa::{ExprId, ExprKind as CfaKind, Init, InitValue, Scalar, Storage, Value};
use cfront::typed::{self, InitValue as TypedValue};
use cfront::types::BitField;
use std::collections::BTreeMap;

/// Initial content of an object while it is collected; later parts override earlier ones.
#[derive(Default)]
pub(crate) struct Image {
    /// Parts by offset, without overlap, with their sizes.
    parts: BTreeMap<u64, (u64, Part)>,
}

enum Part {
    Scalar(Scalar, InitValue),
    Bytes(Box<[u8]>),
    /// A byte that bit-fields share.
    Bits(u8),
}

impl Image {
    fn insert(&mut self, offset: u64, len: u64, part: Part) {
        let end = offset.saturating_add(len);
        // Parts don't overlap, so only one that begins before `offset` can reach into the new one.
        if let Some((at, (old, _))) = self.parts.range(..offset).next_back()
            && at + old > offset
        {
            let at = *at;
            self.parts.remove(&at);
        }
        while let Some(at) = self.parts.range(offset..end).next().map(|(at, _)| *at) {
            self.parts.remove(&at);
        }
        self.parts.insert(offset, (len, part));
    }

    /// Adds a run of bytes.
    pub fn bytes(&mut self, offset: u64, bytes: &[u8]) {
        let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
        if !bytes.is_empty() {
            self.insert(offset, bytes.len() as u64, Part::Bytes(bytes[..used].into()));
        }
    }

    /// Adds a scalar or a bit-field; `None` if a bit-field should hold an address.
    pub fn scalar(
        &mut self,
        offset: u64,
        bits: Option<BitField>,
        ty: Scalar,
        value: InitValue,
        (pointer_bits, order): (u32, ByteOrder),
    ) -> Option<()> {
        let Some(field) = bits else {
            self.insert(offset, u64::from(ty.access_bytes(pointer_bits)), Part::Scalar(ty, value));
            return Some(());
        };
        let InitValue::Scalar(Value(value)) = value else { return None };
        let mask = if field.width >= 128 { u128::MAX } else { (1 << field.width) - 1 };
        let bytes = (field.shift + field.width).div_ceil(8);
        let first = first_bit(field, bytes, order);
        let (value, mask) = ((value & mask) << first, mask << first);
        for i in 0..bytes {
            let shift = order.shift(bytes, i, 1);
            let at = offset + u64::from(i);
            let old = match self.parts.get(&at) {
                Some((1, Part::Bits(byte))) => *byte,
                _ => 0,
            };
            let byte = old & !((mask >> shift) as u8) | (value >> shift) as u8;
            self.insert(at, 1, Part::Bits(byte));
        }
        Some(())
    }

    /// The content; zeros are left out.
    pub fn finish(self) -> Init {
        let mut init = Init::default();
        for (offset, (_, part)) in self.parts {
            match part {
                Part::Scalar(_, InitValue::Scalar(Value(0))) | Part::Bits(0) => {}
                Part::Scalar(ty, value) => init.cells.push((offset, ty, value)),
                Part::Bits(byte) => {
                    let ty = Scalar::Int { bits: 8, signed: false };
                    init.cells.push((offset, ty, InitValue::Scalar(Value(u128::from(byte)))));
                }
                Part::Bytes(bytes) if bytes.is_empty() => {}
                Part::Bytes(bytes) => init.bytes.push((offset, bytes)),
            }
        }
        init
    }
}

impl Lowerer<'_> {
    /// The constant that an expression is, as far as initialisers can hold it.
    pub fn init_value(&self, e: ExprId) -> Option<InitValue> {
        let expr = self.p.exprs.get(e);
        match expr.kind {
            CfaKind::Const(value) => Some(InitValue::Scalar(value)),
            CfaKind::AddrOf(var) if self.p.vars[var].is_global() => Some(InitValue::Address(var, 0)),
            CfaKind::FuncAddr(func) => Some(InitValue::Function(func)),
            CfaKind::PtrAdd(base, offset) => match (self.init_value(base)?, self.as_int(offset)) {
                (InitValue::Address(var, 0), Some(offset)) => {
                    Some(InitValue::Address(var, i64::try_from(offset).ok()?))
                }
                _ => None,
            },
            CfaKind::Cast(inner) if !expr.ty.is_float() && expr.ty.bits(self.pointer_bits) == self.pointer_bits => {
                match self.init_value(inner)? {
                    InitValue::Scalar(_) => None,
                    address => Some(address),
                }
            }
            _ => None,
        }
    }

    /// Sets the initial content of a global.
    pub fn init_global(&mut self, id: typed::VarId) {
        let var = &self.unit.vars[id];
        let Some(init) = &var.init else { return };
        self.label_owner = match var.kind {
            typed::VarKind::StaticLocal(f) => Some(self.func(f)),
            _ => None,
        };
        let (lowered, is_register) = match self.place(id) {
            Place::Register(lowered) => (lowered, true),
            Place::Memory(lowered) => (lowered, false),
            Place::Pointer(_) => return,
        };
        let size = match self.p.vars[lowered].storage {
            Storage::Memory { size, .. } => size,
            Storage::Register(_) => 0,
        };
        let mut image = Image::default();
        let before = self.f.flow.n_edges();
        for item in &init.items {
            let e = match &item.value {
                TypedValue::Bytes(bytes) => {
                    image.bytes(item.offset, bytes);
                    continue;
                }
                TypedValue::Expr(e) => e,
            };
            self.reads_automatic = Some(false);
            if let Class::Scalar(ty) = self.class(e.ty) {
                let before = self.f.flow.n_edges();
                let value = self.rvalue(e);
                let value = self.convert(value, ty);
                let constant = self.init_value(value).filter(|_| self.f.flow.n_edges() == before);
                if let Some(constant) = constant
                    && image
                        .scalar(item.offset, item.bits, ty, constant, (self.pointer_bits, self.p.byte_order))
                        .is_some()
                {
                    continue;
                }
                if self.reads_automatic == Some(true) {
                    self.unsupported(NOT_CONSTANT, self.snippet(e.span), e.span);
                }
                if is_register {
                    let value = self.cast(value, ty);
                    self.assign(lowered, value, e.span);
                    continue;
                }
                if item.bits.is_none() {
                    let base = self.addr_of(lowered);
                    let addr = self.ptr_offset(base, i128::from(item.offset));
                    self.store(addr, value, e.span);
                    continue;
                }
            }
            let base = self.addr_of(lowered);
            self.init_item(base, size, item, true, var.span);
        }
        self.reads_automatic = None;
        self.label_owner = None;
        let stays = var.is_constant && self.f.flow.n_edges() == before;
        self.p.vars[lowered].init = Some(Box::new(Init { stays, ..image.finish() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_parts_override() {
        let int = |v: u128| InitValue::Scalar(Value(v));
        let mut image = Image::default();
        let layout = (64, ByteOrder::Little);
        image.scalar(0, None, Scalar::INT, int(1), layout);
        image.scalar(4, None, Scalar::INT, int(2), layout);
        image.bytes(2, b"abc\0");
        image.scalar(8, Some(BitField { shift: 2, width: 8 }), Scalar::INT, int(0xff), layout);
        image.scalar(9, Some(BitField { shift: 2, width: 3 }), Scalar::INT, int(5), layout);
        let init = image.finish();
        assert_eq!(init.bytes, vec![(2, Box::from(&b"abc"[..]))]);
        let byte = Scalar::Int { bits: 8, signed: false };
        assert_eq!(init.cells, vec![(8, byte, int(0xfc)), (9, byte, int(0x17))]);
    }
}
