//! Which names are types where.
//!
//! The class of a name is looked up by its number; a log of overwritten classes undoes a scope.

use base::Id;

use crate::ast::Builtin;
use crate::intern::{Interner, Symbol};

/// What an identifier means in declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Undeclared, or a variable, function or enumeration constant.
    Other,
    /// A typedef name.
    Typedef,
    /// A type that GCC or CBMC predefines; programs made for other compilers may declare it.
    Builtin(Builtin),
}

/// Types with the names of identifiers. `bool` is a keyword since C23 and otherwise a macro or typedef.
const PREDEFINED: [(&str, Builtin); 16] = [
    ("_Float16", Builtin::Float16),
    ("_Float32", Builtin::Float32),
    ("_Float64", Builtin::Float64),
    ("_Float32x", Builtin::Float32x),
    ("_Float64x", Builtin::Float64x),
    ("_Float128", Builtin::Float128),
    ("__float128", Builtin::Float128),
    ("_Decimal32", Builtin::Decimal32),
    ("_Decimal64", Builtin::Decimal64),
    ("_Decimal128", Builtin::Decimal128),
    ("__int128_t", Builtin::Int128),
    ("__uint128_t", Builtin::UInt128),
    ("bool", Builtin::Bool),
    ("__CPROVER_bool", Builtin::Bool),
    ("__CPROVER_size_t", Builtin::Size),
    ("__CPROVER_ssize_t", Builtin::SignedSize),
];

pub(super) struct Scopes {
    /// By symbol number.
    classes: Vec<Class>,
    /// Overwritten classes.
    log: Vec<(Symbol, Class)>,
    /// Length of the log at the start of each open scope.
    starts: Vec<usize>,
}

impl Scopes {
    /// The file scope. Names that are interned later are no types.
    pub(super) fn new(names: &mut Interner) -> Self {
        let predefined = PREDEFINED.map(|(name, ty)| (names.intern(name), ty));
        let mut classes = vec![Class::Other; names.len()];
        for (name, ty) in predefined {
            classes[name.index()] = Class::Builtin(ty);
        }
        Self { classes, log: Vec::new(), starts: Vec::new() }
    }

    #[inline]
    pub(super) fn class(&self, name: Symbol) -> Class {
        self.classes.get(name.index()).copied().unwrap_or(Class::Other)
    }

    #[inline]
    pub(super) fn is_type(&self, name: Symbol) -> bool {
        self.class(name) != Class::Other
    }

    pub(super) fn declare(&mut self, name: Symbol, class: Class) {
        let Some(slot) = self.classes.get_mut(name.index()) else { return };
        if *slot != class {
            if !self.starts.is_empty() {
                self.log.push((name, *slot));
            }
            *slot = class;
        }
    }

    pub(super) fn push(&mut self) {
        self.starts.push(self.log.len());
    }

    pub(super) fn pop(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        for (name, class) in self.log.drain(start..).rev() {
            self.classes[name.index()] = class;
        }
    }

    /// Number of open scopes.
    pub(super) fn depth(&self) -> usize {
        self.starts.len()
    }

    /// Back to so many open scopes, after an error.
    pub(super) fn pop_to(&mut self, depth: usize) {
        while self.starts.len() > depth {
            self.pop();
        }
    }

    /// Back to the file scope, after an error.
    pub(super) fn pop_all(&mut self) {
        self.pop_to(0);
    }
}
