//! Initialisers, flattened to items with offsets (C11 6.7.9).
//!
//! A braced list is walked with a stack of positions, one for each subobject that was entered without braces, so that
//! lists
//! with a million elements cost no recursion; only nested braces recurse.

mod designated;
mod items;

use self::items::Items;
use super::convert::{Target, is_lvalue};
use super::{Evaluation, Sema};
use crate::typed::{Expr, ExprKind, InitValue, Initializer, Var, VarKind};
use crate::types::{ArrayLen, BitField, RecordId, Type, TypeId};
use base::{Diagnostic, Id, Span};
use syntax::ast::{self, CharKind, StrLit};

/// Longer character arrays than this are not filled with explicit zeros behind their string; `zero_rest` is set
/// instead.
const MAX_SPELT_OUT: usize = 4096;

/// A subobject.
#[derive(Clone, Copy, Debug)]
struct Place {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
}

/// An aggregate that is being filled, and its next element.
#[derive(Clone, Copy, Debug)]
enum Level {
    Array { elem: TypeId, elem_size: u64, base: u64, next: u64, len: Option<u64> },
    Record { id: RecordId, base: u64, next: usize },
}

/// String literal, maybe in braces, that can initialise an array.
fn as_string(init: &ast::Initializer) -> Option<&StrLit> {
    match init {
        ast::Initializer::Expr(ast::Expr { kind: ast::ExprKind::Str(literal), .. }) => Some(literal),
        ast::Initializer::List(list) => match list.items.as_slice() {
            [item] if item.designators.is_empty() && matches!(item.value, ast::Initializer::Expr(_)) => {
                as_string(&item.value)
            }
            _ => None,
        },
        ast::Initializer::Expr(_) => None,
    }
}

impl<'a> Sema<'a> {
    /// Checks the initialiser of an object. Returns it and the type with its length completed.
    pub(super) fn initializer(&mut self, ty: TypeId, init: &'a ast::Initializer) -> (Initializer, TypeId) {
        let mut items = Items::default();
        let place = Place { ty, offset: 0, bits: None };
        let elements = self.init_object(place, init, &mut items);
        let ty = match elements {
            Some(n) => self.complete_array(ty, n),
            None => ty,
        };
        let is_string = as_string(init).is_some() && self.is_array(ty);
        let zero_rest = match init {
            _ if is_string => self.types.size_of(self.machine, ty).is_some_and(|n| n > MAX_SPELT_OUT as u64),
            ast::Initializer::List(_) => true,
            ast::Initializer::Expr(e) => literal_list(e).is_some(),
        };
        (Initializer { zero_rest, items: self.in_order(items) }, ty)
    }

    fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array(..))
    }

    /// Initialises a whole object; the result is the number of elements of an array.
    fn init_object(&mut self, place: Place, init: &'a ast::Initializer, out: &mut Items) -> Option<u64> {
        if let (Type::Array(elem, len), Some(literal)) = (self.types.get(place.ty), as_string(init))
            && self.is_char_of(*elem, literal.kind)
        {
            let len = *len;
            return self.init_string(place, len, literal, out);
        }
        match init {
            ast::Initializer::List(list) => self.init_list(place, list, out),
            ast::Initializer::Expr(e) => {
                // A compound literal stands for its list, as GCC has it.
                if let Some((name, list)) = literal_list(e)
                    && self.is_aggregate(place.ty)
                {
                    let ty = self.type_name(name);
                    if self.compatible(ty, place.ty) {
                        let elements = self.init_list(place, list, out);
                        if self.func.is_some() && !self.in_static_init {
                            out.add_whole(place, self.size_of_place(place));
                        }
                        return elements;
                    }
                }
                let value = self.rvalue_expr(e);
                self.init_value(place, value, out);
                None
            }
        }
    }

    fn init_value(&mut self, place: Place, value: Expr, out: &mut Items) {
        if self.is_array(place.ty) {
            if !self.types.is_unsupported(value.ty) {
                let text = format!("an array is initialized by a value of type `{}`", self.types.display(value.ty));
                self.error(Diagnostic::error("E0331", value.span, text).label("expected a list in braces"));
            }
            return;
        }
        let value = self.assign_convert(value, place.ty, Target::Initializer);
        let size = self.size_of_place(place);
        out.push(place, size, InitValue::Expr(value));
        if self.is_aggregate(place.ty) {
            out.add_whole(place, size);
        }
    }

    /// Bytes of a place; of one without a size, none.
    fn size_of_place(&self, place: Place) -> u64 {
        self.types.size_of(self.machine, place.ty).unwrap_or(0)
    }

    /// Whether a string literal of this kind can initialise an array of `elem`.
    fn is_char_of(&self, elem: TypeId, kind: CharKind) -> bool {
        match self.types.int_kind(elem) {
            Some(int) => self.machine.int_size(int) == self.char_size(kind) as u64,
            None => false,
        }
    }

    fn init_string(&mut self, place: Place, len: ArrayLen, literal: &StrLit, out: &mut Items) -> Option<u64> {
        let string_len = self.string_len(literal);
        let n = match len {
            ArrayLen::Fixed(n) => usize::try_from(n).unwrap_or(usize::MAX),
            _ => string_len + 1,
        };
        if string_len > n {
            self.warning("W0304", literal.span, |_| "the string is longer than the array".into());
        }
        let size = (n as u64).saturating_mul(self.char_size(literal.kind) as u64);
        let written = if n > MAX_SPELT_OUT { string_len.min(n) } else { n };
        out.push(place, size, InitValue::Bytes(self.string_bytes(literal, written)));
        Some(n as u64)
    }

    fn init_list(&mut self, place: Place, list: &'a ast::InitList, out: &mut Items) -> Option<u64> {
        match self.types.get(place.ty) {
            Type::Array(..) | Type::Record(_) => {}
            Type::Unsupported(name) => {
                let name = name.to_string();
                let value = self.unsupported("initializer", name, place.ty, list.span);
                out.push(place, 1, InitValue::Expr(value));
                return None;
            }
            _ => {
                self.init_scalar_list(place, list, out);
                return None;
            }
        }
        out.clear(place.offset, self.size_of_place(place));
        let root = self.level(place, list.span)?;
        let mut stack = vec![root];
        let mut n_elements = 0;
        let mut excess = false;
        for item in &list.items {
            if !item.designators.is_empty() {
                stack.clear();
                stack.push(root);
                self.init_designated(&mut stack, item, out);
            } else if !self.init_positional(&mut stack, &item.value, out) {
                if !excess {
                    self.warning("W0305", item.value.span(), |_| "excess elements in an initializer".into());
                }
                excess = true;
            }
            if let Some(Level::Array { next, .. }) = stack.first() {
                // An element that was entered but not left counts.
                let reached = next + u64::from(stack.len() > 1);
                n_elements = n_elements.max(reached);
            }
        }
        match root {
            Level::Array { .. } => Some(n_elements),
            Level::Record { .. } => None,
        }
    }

    fn init_scalar_list(&mut self, place: Place, list: &'a ast::InitList, out: &mut Items) {
        let Some(first) = list.items.first() else {
            let zero = self.int_expr(0, self.common.int, list.span);
            let value = self.cast(zero, place.ty, list.span);
            out.push(place, 1, InitValue::Expr(value));
            return;
        };
        if list.items.len() > 1 {
            self.warning("W0305", list.span, |_| "excess elements in the initializer of a scalar".into());
        }
        if let Some(designator) = first.designators.first() {
            let text = "designator in the initializer of a scalar";
            self.error(Diagnostic::error("E0332", designator.span, text));
        }
        self.init_object(place, &first.value, out);
    }

    /// The elements of an aggregate, from the first.
    fn level(&mut self, place: Place, span: Span) -> Option<Level> {
        match *self.types.get(place.ty) {
            Type::Array(elem, len) => {
                let Some(elem_size) = self.types.size_of(self.machine, elem) else {
                    if !self.types.is_unsupported(elem) {
                        let text = "an array of variable length is initialized by a list";
                        self.error(Diagnostic::error("E0333", span, text));
                    }
                    return None;
                };
                let len = match len {
                    ArrayLen::Fixed(n) => Some(n),
                    ArrayLen::Incomplete => None,
                    ArrayLen::Variable(_) => {
                        let text = "an array of variable length is initialized by a list";
                        self.error(Diagnostic::error("E0333", span, text));
                        return None;
                    }
                };
                Some(Level::Array { elem, elem_size, base: place.offset, next: 0, len })
            }
            Type::Record(id) => Some(Level::Record { id, base: place.offset, next: 0 }),
            _ => None,
        }
    }

    /// Where the next element of a level is; `None` at its end.
    fn current(&self, level: &Level) -> Option<Place> {
        match *level {
            Level::Array { next, len: Some(len), .. } if next >= len => None,
            Level::Array { elem, elem_size, base, next, .. } => {
                Some(Place { ty: elem, offset: base.wrapping_add(next.wrapping_mul(elem_size)), bits: None })
            }
            Level::Record { id, base, next } => {
                let record = &self.types.records[id];
                if record.is_union && next > 0 {
                    return None;
                }
                let field = record.layout.as_ref()?.fields.get(next)?;
                Some(Place { ty: field.ty, offset: base + field.offset, bits: field.bits })
            }
        }
    }

    fn advance(&self, level: &mut Level) {
        match level {
            Level::Array { next, .. } => *next += 1,
            // The members of a union are alternatives.
            Level::Record { id, next, .. } if self.types.records[*id].is_union => *next = usize::MAX,
            Level::Record { next, .. } => *next += 1,
        }
    }

    /// Initialises what comes next; `false` if there is nothing left.
    fn init_positional(&mut self, stack: &mut Vec<Level>, init: &'a ast::Initializer, out: &mut Items) -> bool {
        let place = loop {
            let Some(top) = stack.last() else { return false };
            if let Some(place) = self.current(top) {
                break place;
            }
            if stack.len() == 1 {
                // Keep the root; the element is still checked.
                if let ast::Initializer::Expr(e) = init {
                    self.rvalue_expr(e);
                }
                return false;
            }
            stack.pop();
            if let Some(mut top) = stack.pop() {
                self.advance(&mut top);
                stack.push(top);
            }
        };
        self.init_at(stack, place, init, out);
        true
    }

    /// Initialises the current element of the top of the stack, entering it if `init` is only for a part of it; what was initialised.
    fn init_at(
        &mut self,
        stack: &mut Vec<Level>,
        place: Place,
        init: &'a ast::Initializer,
        out: &mut Items,
    ) -> Option<Place> {
        let ast::Initializer::Expr(e) = init else {
            return self.init_whole(stack, place, init, out);
        };
        if literal_list(e).is_some() && self.is_aggregate(place.ty) {
            return self.init_by_literal(stack, place, init, e, out);
        }
        // Strings that turn out to belong to a nested array must not become objects: find the place first.
        if let ast::ExprKind::Str(_) = e.kind {
            return self.init_nested_string(stack, place, init, e, out);
        }
        let value = self.rvalue_expr(e);
        let mut place = place;
        while let Some(level) = self.entered(place, &value) {
            stack.push(level);
            place = self.part(stack, value.span)?;
        }
        self.choose_members(stack, out);
        let inside = self.inside_va_list(stack.last(), place, &value);
        self.init_value(place, value, out);
        match inside {
            Some(level) => stack.push(level),
            None => self.advance_top(stack),
        }
        Some(place)
    }

    /// Initialises all of the current element of the top of the stack.
    fn init_whole(
        &mut self,
        stack: &mut [Level],
        place: Place,
        init: &'a ast::Initializer,
        out: &mut Items,
    ) -> Option<Place> {
        self.choose_members(stack, out);
        self.init_object(place, init, out);
        self.advance_top(stack);
        Some(place)
    }

    fn choose_members(&self, stack: &[Level], out: &mut Items) {
        for level in stack {
            let Level::Record { id, base, next } = *level else { continue };
            let record = &self.types.records[id];
            if let (true, Some(layout)) = (record.is_union, &record.layout) {
                out.choose_member((base, layout.size), id, next);
            }
        }
    }

    /// The members of a `va_list` that follow the first, where it is a struct and `value` stands for the first of its members. None has a place of
    /// its own: each says again that the whole is zero.
    fn inside_va_list(&self, top: Option<&Level>, place: Place, value: &Expr) -> Option<Level> {
        const MEMBERS: u64 = 4;
        let is_struct = self.machine.va_list_layout().0 > self.machine.pointer_size();
        let is_inside = matches!(top, Some(Level::Array { elem_size: 0, .. }));
        let is_entered = place.ty == self.common.va_list && value.ty != place.ty && is_struct && !is_inside;
        let level = Level::Array { elem: place.ty, elem_size: 0, base: place.offset, next: 1, len: Some(MEMBERS) };
        is_entered.then_some(level)
    }

    /// A compound literal initialises the first part that has its type, as its list would.
    fn init_by_literal(
        &mut self,
        stack: &mut Vec<Level>,
        place: Place,
        init: &'a ast::Initializer,
        e: &'a ast::Expr,
        out: &mut Items,
    ) -> Option<Place> {
        let (name, _) = literal_list(e)?;
        let ty = self.type_name(name);
        let mut place = place;
        while self.is_aggregate(place.ty) && !self.compatible(ty, place.ty) {
            stack.push(self.level(place, e.span)?);
            place = self.part(stack, e.span)?;
        }
        self.init_whole(stack, place, init, out)
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array(..) | Type::Record(_))
    }

    fn advance_top(&self, stack: &mut [Level]) {
        if let Some(top) = stack.last_mut() {
            self.advance(top);
        }
    }

    /// The current place of the stack; levels at their end are left.
    fn next_place(&self, stack: &mut Vec<Level>) -> Option<Place> {
        loop {
            let top = stack.last()?;
            if let Some(place) = self.current(top) {
                return Some(place);
            }
            if stack.len() == 1 {
                return None;
            }
            stack.pop();
            self.advance_top(stack);
        }
    }

    /// The current place of the stack for a value that initialises a part of what it should; it is told if there is none.
    fn part(&mut self, stack: &mut Vec<Level>, span: Span) -> Option<Place> {
        let place = self.next_place(stack);
        if place.is_none() {
            self.warning("W0305", span, |_| "excess elements in an initializer".into());
        }
        place
    }

    /// The aggregate at `place` if `value` initialises only its first element.
    fn entered(&mut self, place: Place, value: &Expr) -> Option<Level> {
        let is_whole = match self.types.get(place.ty) {
            Type::Record(_) => self.compatible(place.ty, value.ty) || self.types.is_unsupported(value.ty),
            Type::Array(..) => false,
            _ => true,
        };
        if is_whole { None } else { self.level(place, value.span) }
    }

    fn init_nested_string(
        &mut self,
        stack: &mut Vec<Level>,
        place: Place,
        init: &'a ast::Initializer,
        e: &'a ast::Expr,
        out: &mut Items,
    ) -> Option<Place> {
        let mut place = place;
        loop {
            let fits = match (self.types.get(place.ty), as_string(init)) {
                (Type::Array(elem, _), Some(literal)) => self.is_char_of(*elem, literal.kind),
                (Type::Record(_), _) => false,
                _ => true,
            };
            if fits {
                return self.init_whole(stack, place, init, out);
            }
            stack.push(self.level(place, e.span)?);
            place = self.part(stack, e.span)?;
        }
    }

    /// `(T){ … }`
    pub(super) fn compound_literal(&mut self, name: &'a ast::TypeName, list: &'a ast::InitList, span: Span) -> Expr {
        let mark = self.pending.len();
        let ty = self.type_name(name);
        if self.types.is_unsupported(ty) {
            return self.unsupported("compound literal", self.types.display(ty), ty, span);
        }
        let place = Place { ty, offset: 0, bits: None };
        let mut items = Items::default();
        let elements = self.init_literal(place, list, &mut items);
        let ty = match elements {
            Some(n) => self.complete_array(ty, n),
            None => ty,
        };
        if self.types.size_of(self.machine, ty).is_none() {
            let text = format!("a compound literal has the incomplete type `{}`", self.types.display(ty));
            return self.error_expr(Diagnostic::error("E0304", span, text));
        }
        let init = Initializer { zero_rest: true, items: self.in_order(items) };
        let is_static = self.func.is_none() || self.in_static_init;
        let kind = match &self.func {
            Some(func) if !is_static => VarKind::Temp(func.id),
            _ => VarKind::Global,
        };
        let name = format!("<literal {}>", self.vars.next_id().index()).into();
        let (own, init) = if is_static { (Some(init), None) } else { (None, Some(Box::new(init))) };
        let var = self.vars.push(Var { init: own, ..Var::new(name, ty, kind, span) });
        let literal = Expr { kind: ExprKind::CompoundLiteral { var, init }, ty, span };
        debug_assert!(is_lvalue(&literal));
        if self.evaluation == Evaluation::TypeOnly {
            self.pending.truncate(mark);
        }
        literal
    }

    /// The list of a compound literal; `(char []){"abc"}` is a string.
    fn init_literal(&mut self, place: Place, list: &'a ast::InitList, out: &mut Items) -> Option<u64> {
        if let (Type::Array(elem, len), [item]) = (self.types.get(place.ty), list.items.as_slice())
            && let (true, Some(literal)) = (item.designators.is_empty(), as_string(&item.value))
            && self.is_char_of(*elem, literal.kind)
        {
            let len = *len;
            return self.init_string(place, len, literal, out);
        }
        self.init_list(place, list, out)
    }
}

/// Type and list if the expression is a compound literal.
fn literal_list(e: &ast::Expr) -> Option<(&ast::TypeName, &ast::InitList)> {
    match &e.kind {
        ast::ExprKind::CompoundLiteral(name, list) => Some((name, list)),
        _ => None,
    }
}
