//! Definitions of structs, unions and enumerations.

use super::Sema;
use super::attribute::Attrs;
use super::declarator::{ArrayContext, DeclType};
use super::message::most_similar;
use super::scope::{Binding, Constant, Tag};
use super::type_query::VARIABLE_MEMBER;
use crate::layout::{MemberSpec, RecordOptions};
use crate::types::{ArrayLen, BitField, Enum, EnumId, Field, Record, RecordId, RecordLayout, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, EnumSpec, FieldDeclaration, Member, RecordKind, RecordSpec, Symbol};
use syntax::machine_model::IntKind;

/// Where a member is, seen from the record in which it is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberRef {
    pub ty: TypeId,
    /// In bytes.
    pub offset: u64,
    pub bits: Option<BitField>,
    /// Alignment that the typedef which names the type demands.
    pub align: Option<u32>,
}

impl MemberRef {
    /// A member of a record at an offset.
    fn new(field: &Field, base: u64) -> Self {
        Self { ty: field.ty, offset: base + field.offset, bits: field.bits, align: field.type_align }
    }
}

impl<'a> Sema<'a> {
    /// The type of a struct or union specifier.
    pub(super) fn record_type(&mut self, spec: &'a RecordSpec) -> TypeId {
        let id = match &spec.members {
            Some(members) => {
                let id = self.record_to_define(spec);
                self.define_record(id, spec, members);
                id
            }
            None => self.named_record(spec),
        };
        self.types.intern(Type::Record(id))
    }

    /// The record of a specifier without members.
    fn named_record(&mut self, spec: &'a RecordSpec) -> RecordId {
        let Some(tag) = spec.tag else { return self.new_record(spec) };
        match self.scopes.tag(tag.name) {
            Tag::Record(id) if self.types.records[id].is_union == (spec.kind == RecordKind::Union) => id,
            Tag::Unbound => self.new_record(spec),
            _ => {
                self.wrong_tag(tag);
                self.new_record(spec)
            }
        }
    }

    /// `struct s;` declares the tag in the innermost scope.
    pub(super) fn forward_record(&mut self, spec: &'a RecordSpec) {
        if let (Some(tag), None) = (spec.tag, &spec.members)
            && self.scopes.tag_innermost(tag.name) == Tag::Unbound
        {
            self.new_record(spec);
        }
    }

    fn wrong_tag(&mut self, tag: ast::Ident) {
        let text = format!("`{}` is defined as another kind of tag", &self.names[tag.name]);
        self.error(Diagnostic::error("E0206", tag.span, text));
    }

    fn new_record(&mut self, spec: &RecordSpec) -> RecordId {
        let name = spec.tag.map(|t| self.names.name(t.name).clone());
        let is_union = spec.kind == RecordKind::Union;
        let id = self.types.records.push(Record { name, is_union, layout: None, span: spec.span });
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag.name, Tag::Record(id));
        }
        id
    }

    fn record_to_define(&mut self, spec: &RecordSpec) -> RecordId {
        let Some(tag) = spec.tag else { return self.new_record(spec) };
        let Tag::Record(id) = self.scopes.tag_innermost(tag.name) else {
            if self.scopes.tag_innermost(tag.name) != Tag::Unbound {
                self.wrong_tag(tag);
            }
            return self.new_record(spec);
        };
        let record = &self.types.records[id];
        if record.is_union != (spec.kind == RecordKind::Union) {
            self.wrong_tag(tag);
            return self.new_record(spec);
        }
        if record.layout.is_some() {
            let text = format!("redefinition of `{}`", &self.names[tag.name]);
            let first = record.span;
            self.error(Diagnostic::error("E0203", tag.span, text).related(first, "first defined here"));
            return self.new_record(spec);
        }
        id
    }

    fn define_record(&mut self, id: RecordId, spec: &'a RecordSpec, members: &'a [Member]) {
        let attrs = self.attrs(&[&spec.attrs]);
        let mut specs = Vec::new();
        let mut symbols = Vec::new();
        for member in members {
            match member {
                Member::Fields(fields) => self.fields(fields, &mut specs, &mut symbols),
                Member::StaticAssert(assert) => self.static_assert(assert),
            }
        }
        let options = RecordOptions {
            is_union: spec.kind == RecordKind::Union,
            packed: attrs.packed,
            align: attrs.align,
            pack: spec.pack,
        };
        let mut layout = self.types.lay_out(self.machine, &specs, options);
        if let Some(attribute) = attrs.unmodelled_object {
            for field in &mut layout.fields {
                field.ty = self.unmodelled_type(field.ty, attribute);
            }
        }
        self.enter_members(id, &layout, &symbols);
        let record = &mut self.types.records[id];
        record.layout = Some(layout);
        record.span = spec.span;
        if attrs.transparent_union {
            self.transparent_unions.insert(id);
        }
    }

    /// `symbols` has one entry for each field of the layout.
    fn fields(
        &mut self,
        declaration: &'a FieldDeclaration,
        specs: &mut Vec<MemberSpec>,
        symbols: &mut Vec<Option<ast::Ident>>,
    ) {
        let base = self.specs_type(&declaration.specs);
        let shared = self.attrs(&[&declaration.specs.attrs]);
        if declaration.fields.is_empty() {
            if matches!(&declaration.specs.ty, ast::TypeSpec::Record(r) if r.tag.is_none()) {
                let (ty, type_align, packed) = (base.ty, base.align, shared.packed);
                specs.push(MemberSpec { name: None, ty, type_align, align: shared.align, packed, width: None });
                symbols.push(None);
            }
            return;
        }
        for field in &declaration.fields {
            let declarator = &field.declarator;
            let own = if declarator.attrs.is_empty() {
                shared.clone()
            } else {
                self.attrs(&[&declaration.specs.attrs, &declarator.attrs])
            };
            let base = DeclType { ty: self.apply_type_attrs(base.ty, &own), ..base };
            let declared = self.declarator_type(base, &declarator.derived, ArrayContext::Evaluated);
            let span = declarator.name.map_or(declarator.span, |n| n.span);
            let ty = self.checked_field_type(declared.ty, span);
            let width = field.width.as_ref().map(|w| self.bit_field_width(w, ty, declarator.name));
            let name = declarator.name.map(|n| self.names.name(n.name).clone());
            if name.is_some() || width.is_none() {
                symbols.push(declarator.name);
            }
            let Attrs { align, packed, .. } = own;
            specs.push(MemberSpec { name, ty, type_align: declared.align, align, packed, width });
        }
    }

    fn checked_field_type(&mut self, ty: TypeId, span: Span) -> TypeId {
        let problem = match self.types.get(ty) {
            Type::Function(_) => "is declared as a function",
            Type::Void => "has type `void`",
            Type::Record(id) if self.types.records[*id].layout.is_none() => "has incomplete type",
            Type::Array(_, ArrayLen::Variable(_)) => {
                return self.types.intern(Type::Unsupported(VARIABLE_MEMBER.into()));
            }
            _ => return ty,
        };
        let text = format!("member `{}` {problem}", self.source.snippet(span));
        self.error(Diagnostic::error("E0313", span, text).label(self.types.display(ty)));
        self.common.error
    }

    fn bit_field_width(&mut self, width: &'a ast::Expr, ty: TypeId, name: Option<ast::Ident>) -> u32 {
        let max = match self.types.get(ty) {
            Type::Bool => 1,
            Type::Unsupported(_) => 128,
            _ => match self.types.int_kind(ty) {
                Some(kind) => self.machine.int_bits(kind),
                None => {
                    let text = format!("a bit-field has type `{}`", self.types.display(ty));
                    self.error(Diagnostic::error("E0314", width.span, text).label("expected an integer type"));
                    return 1;
                }
            },
        };
        let Some(value) = self.integer_constant(width, "the width of a bit-field") else { return 1 };
        let smallest = i128::from(name.is_some());
        if value < smallest || value > i128::from(max) {
            let text = format!("the width {value} of a bit-field is not between {smallest} and {max}");
            self.error(Diagnostic::error("E0315", width.span, text));
            return 1;
        }
        value as u32
    }

    /// Makes the members of a record known to look-ups.
    fn enter_members(&mut self, id: RecordId, layout: &RecordLayout, symbols: &[Option<ast::Ident>]) {
        for (field, ident) in layout.fields.iter().zip(symbols) {
            match ident {
                Some(ident) => {
                    self.enter_member(id, ident.name, MemberRef::new(field, 0), ident.span);
                }
                None => self.enter_anonymous(id, field.ty, field.offset),
            }
        }
    }

    fn enter_anonymous(&mut self, id: RecordId, ty: TypeId, base: u64) {
        let Type::Record(inner) = *self.types.get(ty) else { return };
        let Some(layout) = &self.types.records[inner].layout else { return };
        let span = self.types.records[inner].span;
        let mut found = Vec::new();
        let mut nested = Vec::new();
        for field in &layout.fields {
            match &field.name {
                Some(name) => {
                    let member = MemberRef::new(field, base);
                    found.extend(self.names.lookup(name).map(|symbol| (symbol, member)));
                }
                None => nested.push((field.ty, base + field.offset)),
            }
        }
        for (symbol, member) in found {
            self.enter_member(id, symbol, member, span);
        }
        for (ty, base) in nested {
            self.enter_anonymous(id, ty, base);
        }
    }

    fn enter_member(&mut self, id: RecordId, symbol: Symbol, member: MemberRef, span: Span) {
        if self.members.insert((id, symbol), member).is_some() {
            let text = format!("duplicate member `{}`", &self.names[symbol]);
            self.error(Diagnostic::error("E0204", span, text));
        }
    }

    /// A member by name; reports an error if there is none.
    pub(super) fn find_member(&mut self, id: RecordId, symbol: Symbol, span: Span) -> Option<MemberRef> {
        if let Some(member) = self.members.get(&(id, symbol)) {
            return Some(*member);
        }
        let record = &self.types.records[id];
        let keyword = if record.is_union { "union" } else { "struct" };
        let name = record.name.as_deref().unwrap_or("<unnamed>");
        let Some(layout) = &record.layout else {
            let text = format!("`{keyword} {name}` is incomplete, so it has no member `{}`", &self.names[symbol]);
            let declared = record.span;
            self.error(Diagnostic::error("E0304", span, text).related(declared, "only declared here"));
            return None;
        };
        let wanted = &self.names[symbol];
        let mut diagnostic = Diagnostic::error("E0316", span, format!("`{keyword} {name}` has no member `{wanted}`"));
        let fields = layout.fields.iter().filter_map(|f| f.name.as_deref());
        if let Some(similar) = most_similar(wanted, fields) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        let defined = record.span;
        self.error(diagnostic.related(defined, "defined here"));
        None
    }

    /// The type of an enumeration specifier.
    pub(super) fn enum_type(&mut self, spec: &'a EnumSpec) -> TypeId {
        let Some(enumerators) = &spec.enumerators else {
            let id = match spec.tag.map(|tag| (tag, self.scopes.tag(tag.name))) {
                Some((_, Tag::Enum(id))) => id,
                Some((tag, Tag::Record(_))) => {
                    self.wrong_tag(tag);
                    self.new_enum(spec)
                }
                _ => self.new_enum(spec),
            };
            return self.types.intern(Type::Enum(id));
        };
        // A forward declaration (GNU) is completed.
        let id = match spec.tag.map(|tag| (tag, self.scopes.tag_innermost(tag.name))) {
            Some((_, Tag::Enum(id))) if self.types.enums[id].enumerators.is_empty() => id,
            Some((tag, Tag::Enum(_))) => {
                let text = format!("redefinition of `enum {}`", &self.names[tag.name]);
                self.error(Diagnostic::error("E0203", tag.span, text));
                self.new_enum(spec)
            }
            Some((tag, Tag::Record(_))) => {
                self.wrong_tag(tag);
                self.new_enum(spec)
            }
            _ => self.new_enum(spec),
        };
        self.define_enum(id, spec, enumerators);
        self.types.intern(Type::Enum(id))
    }

    fn new_enum(&mut self, spec: &EnumSpec) -> EnumId {
        let name = spec.tag.map(|t| self.names.name(t.name).clone());
        let id = self.types.enums.push(Enum { name, repr: IntKind::UInt, enumerators: Vec::new() });
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag.name, Tag::Enum(id));
        }
        id
    }

    fn define_enum(&mut self, id: EnumId, spec: &'a EnumSpec, enumerators: &'a [ast::Enumerator]) {
        let attrs = self.attrs(&[&spec.attrs]);
        let enum_ty = self.types.intern(Type::Enum(id));
        let smallest = if attrs.packed { IntKind::SChar } else { self.smallest_enum };
        let mut next = 0;
        let mut bounds: (i128, i128) = (0, 0);
        let mut values = Vec::with_capacity(enumerators.len());
        for enumerator in enumerators {
            let value = match &enumerator.value {
                Some(e) => self.integer_constant(e, "the value of an enumerator").unwrap_or(next),
                None => next,
            };
            next = value.wrapping_add(1);
            bounds = (bounds.0.min(value), bounds.1.max(value));
            let is_int = self.machine.wrap(IntKind::Int, value) == value;
            let ty = if is_int { self.common.int } else { enum_ty };
            // Representation so far, for enumerators that refer to this one.
            self.types.enums[id].repr = self.enum_repr(bounds, smallest);
            let ident = enumerator.ident;
            if self.scopes.get_innermost(ident.name) != Binding::Unbound {
                self.redefinition(ident);
                continue;
            }
            let constant = self.constants.push(Constant { value, ty, span: ident.span });
            self.scopes.bind(ident.name, Binding::Constant(constant));
            values.push((self.names.name(ident.name).clone(), value));
        }
        let mut repr = self.enum_repr(bounds, smallest);
        if let Some(mode) = attrs.mode {
            let base = self.types.intern(Type::Int(repr));
            let ty = self.apply_type_attrs(base, &Attrs { mode: Some(mode), ..Attrs::default() });
            repr = self.types.int_kind(ty).unwrap_or(repr);
        }
        let definition = &mut self.types.enums[id];
        definition.repr = repr;
        definition.enumerators = values;
    }

    /// As `finish_enum` of GCC: the first type from `smallest` on that holds all values, unsigned if none is negative.
    fn enum_repr(&self, (min, max): (i128, i128), smallest: IntKind) -> IntKind {
        let signed = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let candidates = signed.into_iter().filter(|kind| kind.rank() >= smallest.rank());
        let mut candidates = candidates.map(|kind| if min < 0 { kind } else { kind.to_unsigned() });
        let fits = |kind: &IntKind| self.machine.wrap(*kind, min) == min && self.machine.wrap(*kind, max) == max;
        let widest = if min < 0 { IntKind::LongLong } else { IntKind::ULongLong };
        candidates.find(fits).unwrap_or(widest)
    }
}
