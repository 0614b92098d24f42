//! Compatible types and what two declarations of one thing make together (C11 6.2.7).

use super::Sema;
use crate::types::{ArrayLen, FunctionType, RecordId, Type, TypeId, Types};
use rustc_hash::FxHashSet;

/// Pairs of records of two files that have been compared or are being so. Where a pair differs, an error is told of the first types that have
/// it, so that it need not be told of others.
pub(super) type Compared = FxHashSet<(RecordId, RecordId)>;

/// Which types are compatible.
pub(super) struct Compatibility<'t> {
    types: &'t Types,
    /// None within a file, where each record is a type of its own.
    records: Option<&'t mut Compared>,
    /// Whether types that differ in qualifiers differ.
    qualifiers: bool,
    /// The first records of one name whose members were found to differ.
    pub(super) other_members: Option<(RecordId, RecordId)>,
}

impl<'t> Compatibility<'t> {
    /// Of types of one file.
    pub(super) fn in_file(types: &'t Types) -> Self {
        Self { types, records: None, qualifiers: false, other_members: None }
    }

    /// Of types of one file, qualifiers included.
    fn with_qualifiers(types: &'t Types) -> Self {
        Self { types, records: None, qualifiers: true, other_members: None }
    }

    /// Of types of two files.
    pub(super) fn between_files(types: &'t Types, compared: &'t mut Compared) -> Self {
        Self { types, records: Some(compared), qualifiers: false, other_members: None }
    }

    /// Whether two types are compatible; variable array sizes fit all others.
    pub(super) fn holds(&mut self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        let types = self.types;
        if self.qualifiers && types.qualifiers(a) != types.qualifiers(b) {
            return false;
        }
        let (a, b) = (types.plain(a), types.plain(b));
        if a == b {
            return true;
        }
        match (types.get(a), types.get(b)) {
            (Type::Unsupported(_), _) | (_, Type::Unsupported(_)) => true,
            (Type::Pointer(a), Type::Pointer(b)) => self.holds(*a, *b),
            (Type::Array(a, a_len), Type::Array(b, b_len)) => {
                let same_len = match (a_len, b_len) {
                    (ArrayLen::Fixed(a), ArrayLen::Fixed(b)) => a == b,
                    _ => true,
                };
                same_len && self.holds(*a, *b)
            }
            (Type::Function(a), Type::Function(b)) => self.functions(a, b),
            (Type::Enum(e), Type::Int(k)) | (Type::Int(k), Type::Enum(e)) => types.enum_repr(*e) == *k,
            (Type::Enum(a), Type::Enum(b)) => self.records.is_some() && types.enum_repr(*a) == types.enum_repr(*b),
            (Type::Record(a), Type::Record(b)) => self.records(*a, *b),
            _ => false,
        }
    }

    /// Qualifiers of results and parameters themselves do not count.
    fn functions(&mut self, a: &FunctionType, b: &FunctionType) -> bool {
        let types = self.types;
        if !self.holds(types.plain(a.ret), types.plain(b.ret)) {
            return false;
        }
        if !a.prototyped || !b.prototyped {
            return true;
        }
        a.variadic == b.variadic
            && a.params.len() == b.params.len()
            && a.params.iter().zip(&b.params).all(|(a, b)| self.holds(types.plain(*a), types.plain(*b)))
    }

    /// Records of two files are compatible if their members are, in order.
    fn records(&mut self, a: RecordId, b: RecordId) -> bool {
        let Some(known) = &mut self.records else { return false };
        if !known.insert((a, b)) {
            return true;
        }
        let pair = (a, b);
        let (a, b) = (&self.types.records[a], &self.types.records[b]);
        if a.is_union != b.is_union || a.name != b.name {
            return false;
        }
        let (Some(a), Some(b)) = (&a.layout, &b.layout) else { return true };
        let same = (a.size, a.fields.len()) == (b.size, b.fields.len())
            && a.fields
                .iter()
                .zip(&b.fields)
                .all(|(a, b)| (&a.name, a.offset, a.bits) == (&b.name, b.offset, b.bits) && self.holds(a.ty, b.ty));
        if !same {
            self.other_members.get_or_insert(pair);
        }
        same
    }
}

impl Sema<'_> {
    /// Whether two types of a file are compatible.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        Compatibility::in_file(&self.types).holds(a, b)
    }

    /// Whether two types are compatible for who asks which of several types something has: `const char *` is not `char *`.
    pub(super) fn is_same_type(&self, a: TypeId, b: TypeId) -> bool {
        Compatibility::with_qualifiers(&self.types).holds(a, b)
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

    /// Whether a part of the type, also behind pointers, is an array of variable length (C11 6.7.6p3).
    pub(super) fn is_variably_modified(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(_, ArrayLen::Variable(_)) => true,
            Type::Array(inner, _) | Type::Pointer(inner) => self.is_variably_modified(*inner),
            Type::Function(function) => self.is_variably_modified(function.ret),
            _ => false,
        }
    }
}
