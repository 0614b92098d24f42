//! Constants and string literals.

use super::Sema;
use crate::sema::declarator::float_kind;
use crate::typed::{Expr, ExprKind, StringId, StringLiteral};
use crate::types::{ArrayLen, Type, TypeId};
use base::Span;
use syntax::ast::{CharKind, CharLit, FloatLit, IntLength, IntLit, Radix, StrData, StrLit};
use syntax::machine_model::IntKind;

impl Sema<'_> {
    /// The first type that holds the constant (C11 6.4.4.1).
    pub(super) fn int_literal(&mut self, literal: IntLit, span: Span) -> Expr {
        let value = i128::from(literal.value);
        let first = match literal.length {
            IntLength::Int => 0,
            IntLength::Long => 1,
            IntLength::LongLong => 2,
        };
        let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        let mut kind = None;
        for candidate in &signed[first..] {
            let unsigned = candidate.to_unsigned();
            if !literal.unsigned && self.machine.wrap(*candidate, value) == value {
                kind = Some(*candidate);
                break;
            }
            if (literal.unsigned || literal.radix == Radix::Other) && self.machine.wrap(unsigned, value) == value {
                kind = Some(unsigned);
                break;
            }
        }
        // Decimal constants beyond `long long`: GCC takes `__int128` where there is one.
        let kind = kind.unwrap_or(match self.machine.pointer_size() {
            8 => IntKind::Int128,
            _ => IntKind::LongLong,
        });
        let value = self.machine.wrap(kind, value);
        let ty = self.types.intern(Type::Int(kind));
        if literal.imaginary {
            return self.unsupported("imaginary constant", "", self.common.error, span);
        }
        self.int_expr(value, ty, span)
    }

    pub(super) fn float_literal(&mut self, literal: &FloatLit, span: Span) -> Expr {
        let Some(kind) = float_kind(literal.ty) else {
            let ty = self.builtin_type(literal.ty);
            return self.unsupported("decimal constant", "", ty, span);
        };
        if literal.imaginary {
            let ty = self.complex(kind);
            return self.unsupported("imaginary constant", "", ty, span);
        }
        let ty = self.types.intern(Type::Float(kind));
        Expr { kind: ExprKind::Float(literal.text.as_ref().into()), ty, span }
    }

    pub(super) fn char_literal(&mut self, literal: CharLit, span: Span) -> Expr {
        let ty = match literal.kind {
            CharKind::Narrow => self.common.int,
            // C23; before, there are none.
            CharKind::Utf8 => self.types.intern(Type::Int(IntKind::UChar)),
            kind => self.char_type(kind),
        };
        let mut value = self.wrap_to(i128::from(literal.value), ty).unwrap_or(0);
        // The parser takes characters for signed.
        if literal.kind == CharKind::Narrow && (-128..0).contains(&value) {
            value = self.wrap_to(value, self.common.char).unwrap_or(value);
        }
        self.int_expr(value, ty, span)
    }

    /// Element type of a string literal.
    pub(super) fn char_type(&mut self, kind: CharKind) -> TypeId {
        match kind {
            CharKind::Narrow | CharKind::Utf8 => self.common.char,
            CharKind::Wide => self.common.wchar,
            CharKind::U16 => self.types.intern(Type::Int(IntKind::UShort)),
            CharKind::U32 => self.types.intern(Type::Int(self.machine.kind_of_size(4).to_unsigned())),
        }
    }

    pub(super) fn string_literal(&mut self, literal: &StrLit, span: Span) -> Expr {
        let len = self.string_len(literal) + 1;
        let bytes = self.string_bytes(literal, len);
        let elem = self.char_type(literal.kind);
        self.string_expr(bytes, elem, len as u64, span)
    }

    /// A narrow string of the type checker, such as the value of `__func__`.
    pub(super) fn text_expr(&mut self, text: &str, span: Span) -> Expr {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let len = bytes.len() as u64;
        self.string_expr(bytes.into(), self.common.char, len, span)
    }

    fn string_expr(&mut self, bytes: Box<[u8]>, elem: TypeId, len: u64, span: Span) -> Expr {
        let ty = self.types.intern(Type::Array(elem, ArrayLen::Fixed(len)));
        let id = self.string_id(StringLiteral { bytes, ty });
        Expr { kind: ExprKind::String(id), ty, span }
    }

    /// Equal literals share their array, as GCC makes them.
    fn string_id(&mut self, literal: StringLiteral) -> StringId {
        if let Some(id) = self.string_ids.get(&literal) {
            return *id;
        }
        let id = self.strings.push(literal.clone());
        self.string_ids.insert(literal, id);
        id
    }

    /// Elements of the literal without the terminator.
    pub(super) fn string_len(&self, literal: &StrLit) -> usize {
        match &literal.data {
            StrData::Bytes(bytes) => bytes.len(),
            StrData::Units(units) => self.code_units(units, literal.kind).count(),
        }
    }

    /// `len` elements of the literal, cut or followed by zeros.
    pub(super) fn string_bytes(&self, literal: &StrLit, len: usize) -> Box<[u8]> {
        let unit = self.char_size(literal.kind);
        let mut bytes = match &literal.data {
            StrData::Bytes(bytes) => bytes[..bytes.len().min(len)].to_vec(),
            StrData::Units(units) => {
                let units = self.code_units(units, literal.kind).take(len);
                units.flat_map(|u| self.byte_order.bytes(u128::from(u), unit)).collect()
            }
        };
        bytes.resize(len * unit, 0);
        bytes.into()
    }

    /// The code units that elements hold: wide characters of 16 bits are in UTF-16.
    fn code_units<'l>(&self, units: &'l [u32], kind: CharKind) -> impl Iterator<Item = u32> + use<'l> {
        let is_split = kind == CharKind::Wide && self.char_size(kind) == 2;
        units.iter().flat_map(move |unit| match char::from_u32(*unit).filter(|_| is_split) {
            Some(c) => {
                let mut pair = [0; 2];
                let len = c.encode_utf16(&mut pair).len();
                pair.into_iter().take(len).map(u32::from).collect::<Vec<_>>()
            }
            None => vec![*unit],
        })
    }

    /// Bytes of one element of a string literal.
    pub(super) const fn char_size(&self, kind: CharKind) -> usize {
        match kind {
            CharKind::Narrow | CharKind::Utf8 => 1,
            CharKind::U16 => 2,
            CharKind::U32 => 4,
            CharKind::Wide => self.machine.int_size(self.machine.wchar_kind()) as usize,
        }
    }
}
