//! Items with designators: the subobjects that they name, and ranges of them.

use super::super::Sema;
use super::{Items, Level, Place};
use crate::ast::{self, Designator, DesignatorKind, Symbol};
use crate::typed::{InitItem, InitValue};
use crate::types::Type;
use base::{Diagnostic, Span};

impl<'a> Sema<'a> {
    pub(super) fn init_designated(&mut self, stack: &mut Vec<Level>, item: &'a ast::InitItem, out: &mut Items) {
        let (last, front) = match item.designators.split_last() {
            Some(parts) => parts,
            None => return,
        };
        for designator in front {
            let Some(place) = self.select(stack, designator) else { return self.check_only(&item.value) };
            let Some(level) = self.level(place, designator.span) else {
                let text = format!("`{}` has no elements", self.types.display(place.ty));
                self.error(Diagnostic::error("E0332", designator.span, text));
                return;
            };
            stack.push(level);
        }
        let Some(place) = self.select(stack, last) else { return self.check_only(&item.value) };
        let count = match &last.kind {
            DesignatorKind::Range(first, end) => self.range_len(first, end),
            _ => 1,
        };
        if count == 1 {
            return self.init_at(stack, place, &item.value, out);
        }
        let size = self.types.size_of(self.machine, place.ty).unwrap_or(0);
        out.clear(place.offset, size.saturating_mul(count));
        let start = out.items.len();
        self.init_at(stack, place, &item.value, out);
        self.repeat(stack, place, start, count, out);
    }

    /// Errors in what can't be stored anywhere are still reported.
    fn check_only(&mut self, init: &'a ast::Initializer) {
        if let ast::Initializer::Expr(e) = init {
            self.rvalue_expr(e);
        }
    }

    fn range_len(&mut self, first: &'a ast::Expr, last: &'a ast::Expr) -> u64 {
        let first = self.integer_constant(first, "an array index").unwrap_or(0);
        let last_value = self.integer_constant(last, "an array index").unwrap_or(first);
        if last_value < first {
            self.error(Diagnostic::error("E0334", last.span, "empty range of indices"));
            return 1;
        }
        u64::try_from(last_value - first + 1).unwrap_or(1)
    }

    /// Copies the items of the first element of a range to the others.
    fn repeat(&mut self, stack: &mut [Level], place: Place, start: usize, count: u64, out: &mut Items) {
        let Some(size) = self.types.size_of(self.machine, place.ty) else { return };
        let n = out.items.len().saturating_sub(start);
        for k in 1..count {
            for i in start..start + n {
                let item = &out.items[i];
                let value = match &item.value {
                    InitValue::Expr(e) => InitValue::Expr(e.clone()),
                    InitValue::Bytes(bytes) => InitValue::Bytes(bytes.clone()),
                };
                let item = InitItem { offset: item.offset + k * size, bits: item.bits, value };
                out.items.push(item);
            }
        }
        out.end = out.end.max(place.offset.saturating_add(count.saturating_mul(size)));
        // The range is the last designator, so its array is the level that holds `place`.
        for level in stack.iter_mut().rev() {
            if let Level::Array { elem, next, .. } = level
                && *elem == place.ty
            {
                *next += count - 1;
                break;
            }
        }
    }

    /// Moves the top of the stack to what a designator selects; anonymous members are entered.
    fn select(&mut self, stack: &mut Vec<Level>, designator: &'a Designator) -> Option<Place> {
        let mut top = stack.pop()?;
        match (&designator.kind, &mut top) {
            (DesignatorKind::Field(symbol), Level::Record { id, .. }) => {
                let id = *id;
                self.find_member(id, *symbol, designator.span)?;
                return self.select_field(stack, top, *symbol);
            }
            (DesignatorKind::Index(e) | DesignatorKind::Range(e, _), Level::Array { next, len, .. }) => {
                let index = self.integer_constant(e, "an array index")?;
                let last = match &designator.kind {
                    DesignatorKind::Range(_, last) => self.integer_constant(last, "an array index")?,
                    _ => index,
                };
                let limit = len.map_or(i128::from(u32::MAX) << 8, i128::from);
                if index < 0 || last >= limit {
                    let text = format!("the index {last} is outside of the array");
                    self.error(Diagnostic::error("E0334", designator.span, text));
                    stack.push(top);
                    return None;
                }
                *next = index as u64;
            }
            _ => {
                let text = "the designator doesn't fit the type that is initialized";
                self.error(Diagnostic::error("E0332", designator.span, text));
                stack.push(top);
                return None;
            }
        }
        stack.push(top);
        self.current(&top)
    }

    fn select_field(&mut self, stack: &mut Vec<Level>, level: Level, symbol: Symbol) -> Option<Place> {
        let names = self.names;
        let name = names.name(symbol);
        let mut level = level;
        loop {
            let Level::Record { id, next, .. } = &mut level else { return None };
            let layout = self.types.records[*id].layout.as_ref()?;
            let direct = layout.fields.iter().position(|f| f.name.as_ref() == Some(name));
            let index = direct.or_else(|| {
                layout.fields.iter().position(|f| match (f.name.is_none(), self.types.get(f.ty)) {
                    (true, Type::Record(inner)) => self.members.contains_key(&(*inner, symbol)),
                    _ => false,
                })
            })?;
            let field = &layout.fields[index];
            *next = index;
            let base = match level {
                Level::Record { base, .. } => base,
                Level::Array { .. } => 0,
            };
            let place = Place { ty: field.ty, offset: base + field.offset, bits: field.bits };
            stack.push(level);
            if direct.is_some() {
                return Some(place);
            }
            level = self.level(place, Span::NONE)?;
        }
    }
}
