//! Places of memory in the words of C: members, elements and what pointers lead to.

use super::{Printer, prec};
use crate::ctype::{CType, CTypeId};
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::value::Scalar;
use std::fmt::Write;

impl Printer<'_> {
    /// Prints the way from an object of type `ctype` to the scalar of type `ty` at `offset`. `pointer` is where the name of
    /// the pointer to the object starts, if there is one.
    pub(super) fn members(
        &mut self,
        mut ctype: CTypeId,
        offset: i64,
        mut scaled: Option<(ExprId, u64)>,
        ty: Scalar,
        pointer: Option<usize>,
        depth: u32,
    ) -> bool {
        let program = self.program;
        let Ok(mut offset) = u64::try_from(offset) else { return false };
        let mut arrow = pointer.is_some();
        if let Some(start) = pointer {
            let size = program.ctypes.size(ctype);
            if size == 0 {
                return false;
            }
            let index = scaled.filter(|(_, factor)| *factor == size);
            if let Some((index, _)) = index {
                scaled = None;
                self.subscript(Some(index), offset / size, depth);
                offset %= size;
                arrow = false;
            } else if offset >= size {
                self.subscript(None, offset / size, depth);
                offset %= size;
                arrow = false;
            } else if !matches!(program.ctypes.try_get(ctype), Some(CType::Record { .. })) {
                // A plain `*p`; an array behind the pointer reads `(*p)[i]`.
                if matches!(program.ctypes.try_get(ctype), Some(CType::Array(..))) {
                    self.out.insert_str(start, "(*");
                    self.text(")");
                } else {
                    self.out.insert(start, '*');
                }
                arrow = false;
            }
        }
        loop {
            match program.ctypes.try_get(ctype) {
                Some(CType::Array(elem, _)) => {
                    let size = program.ctypes.size(*elem);
                    if size == 0 {
                        return false;
                    }
                    let index = scaled.filter(|(_, factor)| *factor == size).map(|(index, _)| index);
                    if index.is_some() {
                        scaled = None;
                    }
                    self.subscript(index, offset / size, depth);
                    offset %= size;
                    ctype = *elem;
                }
                Some(CType::Record { fields, .. }) => {
                    let inside = |f: &&crate::ctype::CField| {
                        let size = program.ctypes.size(f.ty);
                        f.bits.is_none() && f.offset <= offset && offset < f.offset + size
                    };
                    let fits = |f: &&crate::ctype::CField| inside(f) && self.reaches(f.ty, offset - f.offset, ty);
                    let Some(field) = fields.iter().find(fits).or_else(|| fields.iter().find(inside)) else {
                        return false;
                    };
                    if !field.name.is_empty() {
                        self.text(if arrow { "->" } else { "." });
                        self.text(&field.name);
                        arrow = false;
                    }
                    offset -= field.offset;
                    ctype = field.ty;
                }
                Some(CType::Scalar { scalar, .. }) => return offset == 0 && scaled.is_none() && *scalar == ty,
                Some(CType::Pointer(_)) => return offset == 0 && scaled.is_none() && ty == Scalar::Ptr,
                _ => return false,
            }
        }
    }

    /// Whether a scalar of type `ty` lies at `offset` in the type; follows the first way only.
    fn reaches(&self, mut ctype: CTypeId, mut offset: u64, ty: Scalar) -> bool {
        loop {
            match self.program.ctypes.try_get(ctype) {
                Some(CType::Array(elem, _)) => {
                    let size = self.program.ctypes.size(*elem);
                    if size == 0 {
                        return false;
                    }
                    offset %= size;
                    ctype = *elem;
                }
                Some(CType::Record { fields, .. }) => {
                    let inside = |f: &&crate::ctype::CField| {
                        f.offset <= offset && offset < f.offset + self.program.ctypes.size(f.ty)
                    };
                    let Some(field) = fields.iter().find(inside) else { return false };
                    offset -= field.offset;
                    ctype = field.ty;
                }
                Some(CType::Scalar { scalar, .. }) => return offset == 0 && *scalar == ty,
                Some(CType::Pointer(_)) => return offset == 0 && ty == Scalar::Ptr,
                _ => return false,
            }
        }
    }

    fn subscript(&mut self, index: Option<ExprId>, constant: u64, depth: u32) {
        self.text("[");
        match index {
            Some(index) => {
                self.expr(index, prec::ADDITIVE, depth);
                if constant != 0 {
                    let _ = write!(self.out, " + {constant}");
                }
            }
            None => {
                let _ = write!(self.out, "{constant}");
            }
        }
        self.text("]");
    }

    /// Index and factor of an offset like `i * 4`, without the widening of the index.
    pub(super) fn scaled(&self, offset: ExprId) -> Option<(ExprId, u64)> {
        let exprs = &self.program.exprs;
        let ExprKind::Binary(BinOp::Mul, index, factor) = exprs.kind(offset) else {
            return exprs.ty(offset).is_int().then_some((self.without_widening(offset), 1));
        };
        let factor = u64::try_from(self.constant(factor)?).ok()?;
        Some((self.without_widening(index), factor))
    }

    fn without_widening(&self, index: ExprId) -> ExprId {
        let exprs = &self.program.exprs;
        match exprs.kind(index) {
            ExprKind::Cast(inner)
                if exprs.ty(inner).is_int() && exprs.ty(inner).bits(64) <= exprs.ty(index).bits(64) =>
            {
                inner
            }
            _ => index,
        }
    }
}
