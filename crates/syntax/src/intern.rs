//! Interned identifiers: equal names share one [`Symbol`], so that comparing and hashing them costs one `u32`.

use base::{Id, IdVec, Name};
use rustc_hash::FxHashMap;

base::new_id! {
    /// An identifier of one translation unit, interned in its [`Interner`].
    pub struct Symbol;
}

/// The identifiers of a translation unit.
#[derive(Clone, Default)]
pub struct Interner {
    names: IdVec<Symbol, Name>,
    map: FxHashMap<Name, Symbol>,
}

impl Interner {
    /// An interner without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of `name`, new if needed.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.map.get(name) {
            return *symbol;
        }
        let shared = Name::from(name);
        let symbol = self.names.push(shared.clone());
        self.map.insert(shared, symbol);
        symbol
    }

    /// The symbol of `name` if it occurs in the translation unit.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.map.get(name).copied()
    }

    /// The text of a symbol.
    pub fn name(&self, symbol: Symbol) -> &Name {
        &self.names[symbol]
    }

    /// Number of symbols; their ids are `0..len`.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl std::ops::Index<Symbol> for Interner {
    type Output = str;
    fn index(&self, symbol: Symbol) -> &str {
        &self.names[symbol]
    }
}

impl std::fmt::Debug for Interner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Interner({} names)", self.names.len())
    }
}

impl Symbol {
    /// Position in the order of first occurrence; keywords come first.
    pub fn number(self) -> u32 {
        self.index() as u32
    }
}
