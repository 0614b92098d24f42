//! Arguments of library functions that are checked by their values, where memory is: arrays with a count, streams, characters that are looked up.

use crate::context::Lowerer;
use base::Span;
use cfa::{Access, BinOp, Check, ExprId};
use cfront::typed::Expr;

/// Functions that get an array, by its argument and the one that counts its elements, sorted by name.
const ARRAYS: [(&str, u8, u8); 9] = [
    ("bind", 1, 2),
    ("connect", 1, 2),
    ("epoll_pwait", 1, 2),
    ("epoll_wait", 1, 2),
    ("poll", 0, 1),
    ("ppoll", 0, 1),
    ("semop", 1, 2),
    ("sendto", 4, 5),
    ("setsockopt", 3, 4),
];

/// Functions whose second argument counts bytes of an array that has a type.
const COUNTED_IN_BYTES: [&str; 4] = ["bind", "connect", "sendto", "setsockopt"];

/// Functions with a body here that get a stream as their last argument.
const WITH_STREAM: [&str; 2] = ["getdelim", "getline"];

/// Functions that look up their argument in a table, sorted by name.
const LOOK_UP: [&str; 12] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit",
];

/// What they can look up: any character, with a sign or without one, and `EOF`; C asks for less (C11 7.4p1).
const LOWEST_CHARACTER: i128 = -128;
const CHARACTERS: i128 = 384;

impl<'u> Lowerer<'u> {
    /// An array with a count of its elements is all there; its argument.
    pub fn read_array(&mut self, name: &str, args: &[Expr], values: &[ExprId], span: Span) -> Option<usize> {
        let (_, array, count) = ARRAYS.iter().find(|(function, ..)| *function == name)?;
        let (array, count) = (usize::from(*array), usize::from(*count));
        let element = match COUNTED_IN_BYTES.contains(&name) {
            true => 1,
            false => self.unit.types.pointee(args.get(array)?.ty).and_then(|ty| self.size(ty))?,
        };
        let (element, count) = (self.size_constant(element), self.as_size(*values.get(count)?));
        let len = self.binary(BinOp::Mul, count, element);
        let at = self.as_pointer(values[array]);
        let set = self.truth(at);
        self.when(set, span, |this| this.check_range(at, len, Access::Read, span));
        Some(array)
    }

    /// The stream of a function with a body is there.
    pub fn check_stream(&mut self, name: &str, args: &'u [Expr], values: &[ExprId], span: Span) {
        if WITH_STREAM.contains(&name)
            && !self.f.is_library
            && self.checks(Check::Memory)
            && let (Some(arg), Some(value)) = (args.last(), values.last())
        {
            self.access_argument(arg, *value, name, span);
        }
    }

    /// The argument of `isalpha` and its like is checked: they look it up in a table.
    pub fn check_character(&mut self, name: &str, args: &[ExprId], span: Span) {
        if LOOK_UP.binary_search(&name).is_ok()
            && let [c] = *args
            && !self.f.is_library
            && self.checks(Check::Memory)
        {
            let low = self.with_constant(BinOp::Lt, c, LOWEST_CHARACTER);
            self.check(low, Check::Memory, span);
            let high = self.with_constant(BinOp::Gt, c, LOWEST_CHARACTER + CHARACTERS - 1);
            self.check(high, Check::Memory, span);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        assert!(super::ARRAYS.is_sorted_by_key(|(name, ..)| name) && super::LOOK_UP.is_sorted());
    }
}
