//! Scopes: what names mean, by one table with an undo log for ordinary identifiers and one for tags.

use crate::typed::{FunctionId, VarId};
use crate::types::{EnumId, RecordId, TypeId};
use base::{Id, Span, new_id};
use rustc_hash::FxHashMap;
use syntax::ast::Symbol;

new_id! {
    /// A typedef.
    pub(super) struct TypedefId;
    /// An enumeration constant.
    pub(super) struct ConstantId;
}

/// A typedef.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typedef {
    pub ty: TypeId,
    /// By attribute; may be less than the natural one.
    pub align: Option<u32>,
    /// The same for elements of arrays.
    pub element_align: Option<u32>,
    pub span: Span,
}

/// An enumeration constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    pub value: i128,
    pub ty: TypeId,
    pub span: Span,
}

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binding {
    Unbound,
    Var(VarId),
    Function(FunctionId),
    Typedef(TypedefId),
    Constant(ConstantId),
    /// Parameter of a function declarator that is no definition: only its type is known.
    ProtoParam(TypeId),
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Unbound,
    Record(RecordId),
    Enum(EnumId),
}

enum Undo {
    Ordinary(Symbol, Binding, u32),
    Tag(Symbol, Tag, u32),
}

/// All scopes that are open.
pub(super) struct Scopes {
    /// Binding and depth of the scope that it belongs to, by symbol.
    ordinary: Vec<(Binding, u32)>,
    tags: Vec<(Tag, u32)>,
    undo: Vec<Undo>,
    marks: Vec<usize>,
    /// Variables and functions with linkage, also those declared in blocks.
    linked: FxHashMap<Symbol, Binding>,
}

impl Scopes {
    pub fn new(n_symbols: usize) -> Self {
        Self {
            ordinary: vec![(Binding::Unbound, 0); n_symbols],
            tags: vec![(Tag::Unbound, 0); n_symbols],
            undo: Vec::new(),
            marks: Vec::new(),
            linked: FxHashMap::default(),
        }
    }

    /// Forgets all names; returns those with linkage.
    pub fn end_file(&mut self) -> FxHashMap<Symbol, Binding> {
        self.ordinary.fill((Binding::Unbound, 0));
        self.tags.fill((Tag::Unbound, 0));
        std::mem::take(&mut self.linked)
    }

    /// Depth of the innermost scope; the file is 0.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn push(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for entry in self.undo.drain(mark..).rev() {
            match entry {
                Undo::Ordinary(symbol, binding, depth) => self.ordinary[symbol.index()] = (binding, depth),
                Undo::Tag(symbol, tag, depth) => self.tags[symbol.index()] = (tag, depth),
            }
        }
    }

    /// What the name means here.
    pub fn get(&self, symbol: Symbol) -> Binding {
        self.ordinary[symbol.index()].0
    }

    /// What the name was declared as in the innermost scope.
    pub fn get_innermost(&self, symbol: Symbol) -> Binding {
        match self.ordinary[symbol.index()] {
            (binding, depth) if depth == self.depth() => binding,
            _ => Binding::Unbound,
        }
    }

    pub fn bind(&mut self, symbol: Symbol, binding: Binding) {
        let depth = self.depth();
        let slot = &mut self.ordinary[symbol.index()];
        if depth > 0 {
            self.undo.push(Undo::Ordinary(symbol, slot.0, slot.1));
        }
        *slot = (binding, depth);
    }

    pub fn tag(&self, symbol: Symbol) -> Tag {
        self.tags[symbol.index()].0
    }

    pub fn tag_innermost(&self, symbol: Symbol) -> Tag {
        match self.tags[symbol.index()] {
            (tag, depth) if depth == self.depth() => tag,
            _ => Tag::Unbound,
        }
    }

    pub fn bind_tag(&mut self, symbol: Symbol, tag: Tag) {
        let depth = self.depth();
        let slot = &mut self.tags[symbol.index()];
        if depth > 0 {
            self.undo.push(Undo::Tag(symbol, slot.0, slot.1));
        }
        *slot = (tag, depth);
    }

    /// The variable or function with linkage of this name, from anywhere in the file.
    pub fn linked(&self, symbol: Symbol) -> Binding {
        self.linked.get(&symbol).copied().unwrap_or(Binding::Unbound)
    }

    pub fn link(&mut self, symbol: Symbol, binding: Binding) {
        self.linked.insert(symbol, binding);
    }

    /// Symbols that are bound, in order.
    pub fn bound(&self) -> impl Iterator<Item = Symbol> {
        let is_bound = |(_, slot): &(usize, &(Binding, u32))| slot.0 != Binding::Unbound;
        self.ordinary.iter().enumerate().filter(is_bound).map(|(index, _)| Symbol::from_index(index))
    }
}
