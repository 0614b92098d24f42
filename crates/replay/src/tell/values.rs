//! Values and addresses in the user's words.

use super::{BYTES, Teller};
use crate::bytes::bytes_text;
use crate::path::part;
use crate::record::{RawInput, RawValue};
use cfa::{Access, CType, CTypeId, ExprId, ExprKind, HavocSource, Program, Scalar, UnOp, Value, display};
use interp::{ObjectInfo, ObjectKind, Source};
use outcome::{Input, InputSource, Writer};

impl Teller<'_> {
    /// A value of a C type.
    pub(super) fn value(&self, value: &RawValue, ty: Scalar, ctype: CTypeId) -> String {
        let ty = scalar_of(self.program, ctype).filter(|known| same_width(*known, ty, self.program)).unwrap_or(ty);
        self.plain(value, ty)
    }

    pub(super) fn plain(&self, value: &RawValue, ty: Scalar) -> String {
        match ty {
            Scalar::Ptr if value.value.0 == 0 => "NULL".to_owned(),
            Scalar::Ptr => self.address(value.value.0 as u64, value.pointee),
            _ => {
                let bits = ty.bits(self.program.pointer_bits());
                display::value(Value::truncated(value.value.0, bits), ty)
            }
        }
    }

    /// An address in the user's words.
    pub(super) fn address(&self, address: u64, object: Option<(ObjectInfo, u64)>) -> String {
        let program = self.program;
        let Some((object, offset)) = object else {
            let function = program
                .functions
                .iter_enumerated()
                .find(|(id, f)| f.address_taken && cfa::layout::function_address(*id) == address);
            return function.map_or_else(|| format!("{address:#x}"), |(_, function)| function.name.to_string());
        };
        let name = interp::describe::object_name(program, object.kind);
        let ctype = match object.kind {
            ObjectKind::Global(var) | ObjectKind::Local(var) => Some(program.vars[var].ctype),
            ObjectKind::Heap(_) | ObjectKind::Stack(_) | ObjectKind::Array(_) | ObjectKind::Argument(_) => None,
        };
        if name.starts_with('"') {
            return if offset == 0 { name } else { format!("{name}+{offset}") };
        }
        let (part, rest) = match ctype.map(|ctype| (ctype, program.ctypes.get(ctype))) {
            // An element of an array is a better name for its beginning than the array.
            Some((ctype, CType::Array(..))) => interp::describe::path(program, ctype, offset, None),
            Some((ctype, CType::Record { .. })) if offset > 0 => interp::describe::path(program, ctype, offset, None),
            _ => (String::new(), offset),
        };
        let plus = if rest == 0 { String::new() } else { format!("+{rest}") };
        format!("&{name}{part}{plus}")
    }

    /// What code outside of the program wrote into an object of the program, as `scanf` does.
    pub(super) fn written(&self, input: &RawInput) -> Option<Input> {
        let program = self.program;
        let Source::MemHavoc(_, HavocSource::Environment) = input.source else { return None };
        let (object, offset) = input.target?;
        let ctype = object.kind.var().map(|var| program.vars[var].ctype);
        let (name, ty) = match ctype.map(|ctype| part(program, ctype, offset, input.len)) {
            Some(part) => (format!("{}{}", interp::describe::object_name(program, object.kind), part.suffix), part.ty),
            None => (interp::describe::lvalue(program, object, offset, None), None),
        };
        let value = RawValue { value: input.value, pointee: None };
        let (text, scalar) = match ty.and_then(|ty| Some((ty, scalar_of(program, ty)?))) {
            Some((ty, scalar)) => (self.value(&value, scalar, ty), scalar),
            None => (bytes_text(program, ty, first_bytes(input), input.len), BYTES),
        };
        let by = input.writer.map(|(func, argument, offset)| Writer {
            function: program.functions[func].name.clone(),
            argument,
            offset,
        });
        Some(Input {
            source: InputSource::Written { target: name, by, bytes: input.bytes.clone() },
            arguments: Vec::new(),
            c_type: ty.map_or_else(|| "unsigned char[]".to_owned(), |ty| spelling(program, ty)),
            ctype: ty.unwrap_or(base::Id::from_index(0)),
            scalar,
            value: input.value,
            text,
            place: None,
        })
    }

    /// A question whether an access is valid, of what the source text assigns or reads.
    pub(super) fn validity(&self, cond: ExprId, text: &str) -> Option<String> {
        let exprs = &self.program.exprs;
        let (not, valid) = match exprs.kind(cond) {
            ExprKind::Unary(UnOp::Not, valid) => ("!", valid),
            _ => ("", cond),
        };
        let ExprKind::Valid(access, _, len) = exprs.kind(valid) else { return None };
        let (name, place) = match access {
            Access::Write => ("writable", text.split_once('=').map_or(text, |(left, _)| left)),
            Access::Read => ("readable", text),
            Access::Free => return None,
        };
        let place = place_of(place);
        let address = match place.strip_prefix('*') {
            Some(pointer) => pointer.to_owned(),
            None => format!("&{place}"),
        };
        let changes = ["++", "--"].iter().any(|sign| place.contains(sign));
        let is_place = !place.is_empty() && !changes && !place.contains(['(', ',', ';', '=', '?']);
        is_place.then(|| format!("{not}{name}({address}, {})", display::expr(self.program, len)))
    }
}

/// What stands in front of an operator that assigns, or of `++` and `--`.
pub(super) fn place_of(text: &str) -> &str {
    text.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']).trim()
}

/// The bytes of an input that are told.
pub(super) fn first_bytes(input: &RawInput) -> &[u8] {
    &input.bytes[..input.bytes.len().min(16)]
}

fn same_width(a: Scalar, b: Scalar, program: &Program) -> bool {
    let bits = program.pointer_bits();
    a.bits(bits) == b.bits(bits) && a.is_float() == b.is_float()
}

pub(super) fn scalar_of(program: &Program, ctype: CTypeId) -> Option<Scalar> {
    match program.ctypes.get(ctype) {
        CType::Scalar { scalar, .. } => Some(*scalar),
        CType::Pointer(_) => Some(Scalar::Ptr),
        _ => None,
    }
}

/// A type as C spells it, without declarator subtleties.
pub(super) fn spelling(program: &Program, ctype: CTypeId) -> String {
    let (mut stars, mut ctype) = (String::new(), ctype);
    for _ in 0..16 {
        match program.ctypes.get(ctype) {
            CType::Pointer(target) => {
                stars.push('*');
                ctype = *target;
            }
            _ => break,
        }
    }
    let base = match program.ctypes.get(ctype) {
        CType::Void => "void".to_owned(),
        CType::Scalar { name, .. } | CType::Record { name, .. } | CType::Function(name) => name.to_string(),
        CType::Array(..) | CType::Pointer(_) => "...".to_owned(),
    };
    if stars.is_empty() { base } else { format!("{base} {stars}") }
}
