//! C types for printing values.

use crate::context::Lowerer;
use base::{Id, Name};
use cfa::ctype::CField;
use cfa::{CType, CTypeId};
use cfront::types::{ArrayLen, RecordId, Type, TypeId};

impl Lowerer<'_> {
    /// The C type for printing.
    pub fn ctype(&mut self, ty: TypeId) -> CTypeId {
        if let Some(known) = self.ctypes.get(ty.index()).copied().flatten() {
            return known;
        }
        let size = self.size(ty).unwrap_or(0);
        let id = match self.unit.types.get(ty) {
            Type::Void | Type::Unsupported(_) => self.void_ctype,
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::VaList => {
                let name = Name::from(self.spelling(ty));
                match self.scalar(ty) {
                    Some(scalar) => self.p.ctypes.add(CType::Scalar { name, scalar }, size),
                    None => self.void_ctype,
                }
            }
            Type::Pointer(to) => {
                // Set before its target, which may lead back here.
                let id = self.p.ctypes.add(CType::Pointer(self.void_ctype), size);
                self.ctypes[ty.index()] = Some(id);
                let to = self.ctype(*to);
                self.p.ctypes.set(id, CType::Pointer(to), size);
                id
            }
            Type::Array(elem, len) => {
                let elem = self.ctype(*elem);
                let len = match len {
                    ArrayLen::Fixed(n) => Some(*n),
                    ArrayLen::Incomplete | ArrayLen::Variable(_) => None,
                };
                self.p.ctypes.add(CType::Array(elem, len), size)
            }
            Type::Function(_) => {
                let name = Name::from(self.spelling(ty));
                self.p.ctypes.add(CType::Function(name), 0)
            }
            Type::Record(record) => return self.record_ctype(ty, *record, size),
        };
        self.ctypes[ty.index()] = Some(id);
        id
    }

    fn record_ctype(&mut self, ty: TypeId, id: RecordId, size: u64) -> CTypeId {
        let record = &self.unit.types.records[id];
        let name = Name::from(self.spelling(ty));
        let is_union = record.is_union;
        let empty = CType::Record { name: name.clone(), fields: Vec::new(), is_union };
        let ctype = self.p.ctypes.add(empty, size);
        self.ctypes[ty.index()] = Some(ctype);
        let Some(layout) = &record.layout else { return ctype };
        let mut fields = Vec::with_capacity(layout.fields.len());
        for field in &layout.fields {
            fields.push(CField {
                name: field.name.clone().unwrap_or_else(|| "".into()),
                ty: self.ctype(field.ty),
                offset: field.offset,
                bits: field.bits.map(|b| (b.shift, b.width)),
            });
        }
        self.p.ctypes.set(ctype, CType::Record { name, fields, is_union }, size);
        ctype
    }

    /// The type in C, as it is written in casts.
    fn spelling(&self, ty: TypeId) -> String {
        let types = self.unit.types;
        match types.get(ty) {
            Type::VaList => "va_list".into(),
            Type::Enum(id) if types.enums[*id].name.is_none() => types.enums[*id].repr.name().into(),
            Type::Record(id) if types.records[*id].name.is_none() => {
                if types.records[*id].is_union {
                    "union".into()
                } else {
                    "struct".into()
                }
            }
            _ => types.display(ty),
        }
    }
}
