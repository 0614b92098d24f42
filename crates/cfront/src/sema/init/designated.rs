//! Items with designators: the subobjects that they name, and ranges of them.

use super::super::Sema;
use super::{Items, Level, Place};
use crate::types::Type;
use base::{Diagnostic, Span};
use syntax::ast::{self, Designator, DesignatorKind, Symbol};

/// `[first ... last]`, as GNU has it.
struct DesignatedRange {
    /// Of the array, in the stack.
    level: usize,
    elem_size: u64,
    count: u64,
}

impl DesignatedRange {
    /// What follows goes on in the last element (GCC's way), after the first was initialised.
    fn go_to_last(&self, stack: &mut [Level]) {
        let further = self.count - 1;
        for (i, level) in stack.iter_mut().enumerate().skip(self.level) {
            match level {
                Level::Array { next, .. } if i == self.level => *next += further,
                Level::Array { base, .. } | Level::Record { base, .. } => *base += further * self.elem_size,
            }
        }
    }
}

/// How far the elements of nested ranges lie behind the first one.
fn behind_first(ranges: &[DesignatedRange]) -> Vec<u64> {
    let mut distances = vec![0];
    for range in ranges {
        let elements = |from: &u64| (0..range.count).map(move |k| from + k * range.elem_size).collect::<Vec<_>>();
        distances = distances.iter().flat_map(elements).collect();
    }
    distances.split_off(1)
}

impl<'a> Sema<'a> {
    pub(super) fn init_designated(&mut self, stack: &mut Vec<Level>, item: &'a ast::InitItem, out: &mut Items) {
        let mut ranges = Vec::new();
        let mut place = None;
        for designator in &item.designators {
            if let Some(place) = place {
                let Some(level) = self.level(place, designator.span) else {
                    let text = format!("`{}` has no elements", self.types.display(place.ty));
                    self.error(Diagnostic::error("E0332", designator.span, text));
                    return;
                };
                stack.push(level);
            }
            place = self.select(stack, designator);
            if place.is_none() {
                return self.check_only(&item.value);
            }
            if let (DesignatorKind::Range(first, last), Some(Level::Array { elem_size, .. })) =
                (&designator.kind, stack.last())
            {
                let elem_size = *elem_size;
                ranges.push(DesignatedRange { level: stack.len() - 1, elem_size, count: self.range_len(first, last) });
            }
        }
        let Some(place) = place else { return };
        if let Some(place) = self.init_at(stack, place, &item.value, out)
            && let Some(outermost) = ranges.first()
        {
            let records = stack[outermost.level..].iter().filter_map(|level| match level {
                Level::Record { id, base, .. } => Some((*base, *id)),
                Level::Array { .. } => None,
            });
            let around: Vec<_> = records.collect();
            out.repeat((place, self.size_of_place(place)), &behind_first(&ranges), &around);
            for range in ranges {
                range.go_to_last(stack);
            }
        }
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
