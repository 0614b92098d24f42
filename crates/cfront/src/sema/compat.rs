//! Compatible types and what two declarations of one thing make together (C11 6.2.7).

use super::Sema;
use crate::types::{ArrayLen, FunctionType, Type, TypeId};

impl Sema<'_> {
    /// Whether two types are compatible; qualifiers have been dropped, and variable array sizes fit all others.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Unsupported(_), _) | (_, Type::Unsupported(_)) => true,
            (Type::Pointer(a), Type::Pointer(b)) => self.compatible(*a, *b),
            (Type::Array(a, a_len), Type::Array(b, b_len)) => {
                let same_len = match (a_len, b_len) {
                    (ArrayLen::Fixed(a), ArrayLen::Fixed(b)) => a == b,
                    _ => true,
                };
                same_len && self.compatible(*a, *b)
            }
            (Type::Function(a), Type::Function(b)) => self.compatible_functions(a, b),
            (Type::Enum(e), Type::Int(k)) | (Type::Int(k), Type::Enum(e)) => self.types.enum_repr(*e) == *k,
            _ => false,
        }
    }

    fn compatible_functions(&self, a: &FunctionType, b: &FunctionType) -> bool {
        if !self.compatible(a.ret, b.ret) {
            return false;
        }
        if !a.prototyped || !b.prototyped {
            return true;
        }
        a.variadic == b.variadic
            && a.params.len() == b.params.len()
            && a.params.iter().zip(&b.params).all(|(a, b)| self.compatible(*a, *b))
    }

    /// The type that has what both say; `new` is taken where they differ.
    pub(super) fn composite(&mut self, new: TypeId, old: TypeId) -> TypeId {
        if new == old {
            return new;
        }
        let composite = match (self.types.get(new).clone(), self.types.get(old).clone()) {
            (Type::Pointer(new), Type::Pointer(old)) => Type::Pointer(self.composite(new, old)),
            (Type::Array(new, new_len), Type::Array(old, old_len)) => {
                let len = if new_len == ArrayLen::Incomplete { old_len } else { new_len };
                Type::Array(self.composite(new, old), len)
            }
            (Type::Function(new), Type::Function(old)) => {
                let ret = self.composite(new.ret, old.ret);
                match (new.prototyped, old.prototyped) {
                    (false, true) => Type::Function(FunctionType { ret, ..old }),
                    (true, true) if new.params.len() == old.params.len() => {
                        let pairs = new.params.iter().zip(&old.params);
                        let params = pairs.map(|(new, old)| self.composite(*new, *old)).collect();
                        Type::Function(FunctionType { ret, params, ..new })
                    }
                    _ => Type::Function(FunctionType { ret, ..new }),
                }
            }
            _ => return new,
        };
        self.types.intern(composite)
    }

    /// Whether the type is an array of variable length or contains one as element.
    pub(super) fn is_vla(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(_, ArrayLen::Variable(_)) => true,
            Type::Array(elem, _) => self.is_vla(*elem),
            _ => false,
        }
    }
}
