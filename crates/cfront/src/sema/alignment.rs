//! Alignments that belong to what is declared and not to its type: those of typedefs and of `_Atomic`.

use super::Sema;
use super::declarator::DeclType;
use super::scope::Binding;
use crate::typed::VarId;
use crate::types::Type;
use syntax::ast::{Expr, ExprKind, UnaryOp};

impl<'a> Sema<'a> {
    /// The alignment of a variable: what attributes demand, and what comes with its type, which `typeof` asks for again.
    pub(super) fn set_align(&mut self, var: VarId, attributes: Option<u32>, declared: DeclType) {
        let entry = &mut self.vars[var];
        entry.align = entry.align.max(attributes).max(declared.align);
        if let Some(align) = declared.align {
            self.typedef_aligns.insert(var, align);
        }
    }

    /// The alignment of what is `_Atomic`: GCC aligns it to its size where that is the size of an integer, but not elements of arrays.
    pub(super) fn atomic(&self, declared: DeclType) -> DeclType {
        let DeclType { ty, align: demanded, .. } = declared;
        let natural = self.types.align_of(self.machine, ty);
        let align = match self.types.size_of(self.machine, ty) {
            Some(size @ (1 | 2 | 4 | 8 | 16)) => Some(demanded.unwrap_or(natural).max(size as u32)),
            _ => demanded,
        };
        // Scalars have their full alignment in records of i386.
        let element_align = demanded.or_else(|| self.types.is_scalar(ty).then_some(natural));
        DeclType { align, element_align, ..declared }
    }

    /// The alignment that a typedef gives to the object for which an expression stands, where a declaration tells it.
    pub(super) fn typedef_align(&mut self, e: &'a Expr) -> Option<u32> {
        match &e.kind {
            ExprKind::Ident(name) => match self.scopes.get(*name) {
                Binding::Var(var) => self.typedef_aligns.get(&var).copied(),
                _ => None,
            },
            ExprKind::Member(base, member) | ExprKind::Arrow(base, member) if is_path(base) => {
                let ty = self.type_only(|s| s.expr(base)).ty;
                let record = match *self.types.get(ty) {
                    Type::Pointer(target) | Type::Array(target, _) => target,
                    _ => ty,
                };
                let Type::Record(id) = *self.types.get(record) else { return None };
                self.members.get(&(id, member.name))?.align
            }
            ExprKind::Index(array, _) | ExprKind::Unary(UnaryOp::Deref, array) if is_path(array) => {
                if let ExprKind::Unary(UnaryOp::AddressOf, object) = &array.kind {
                    return self.typedef_align(object);
                }
                let ty = self.type_only(|s| s.expr(array)).ty;
                matches!(self.types.get(ty), Type::Array(..)).then(|| self.typedef_align(array))?
            }
            _ => None,
        }
    }
}

/// Whether an expression says nothing but where an object is, so that it may be looked at once more.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int(_) => true,
        ExprKind::Member(base, _) | ExprKind::Arrow(base, _) => is_path(base),
        ExprKind::Unary(UnaryOp::Deref | UnaryOp::AddressOf, base) => is_path(base),
        ExprKind::Index(base, index) => is_path(base) && is_path(index),
        _ => false,
    }
}
