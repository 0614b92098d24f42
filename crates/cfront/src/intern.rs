//! Interned identifiers: equal names share one [`Symbol`], so that comparing and hashing them costs one `u32`.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use base::{Id, IdVec, Name};

base::new_id! {
    /// An identifier of one translation unit, interned in its [`Interner`].
    pub struct Symbol;
}

/// The identifiers of a translation unit.
#[derive(Clone, Default)]
pub struct Interner {
    names: IdVec<Symbol, Name>,
    map: HashMap<Name, Symbol, BuildHasherDefault<NameHasher>>,
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

/// Multiply-and-rotate over words of eight bytes: identifiers are short and nobody attacks us with collisions.
#[derive(Clone, Copy, Default)]
pub struct NameHasher(u64);

const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;

impl NameHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }
}

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        let mut last = 0;
        for byte in chunks.remainder() {
            last = last << 8 | u64::from(*byte);
        }
        self.add(last ^ (bytes.len() as u64) << 56);
    }
    #[inline]
    fn write_u8(&mut self, _: u8) {
        // The terminator of `str::hash`; the length is already in.
    }
    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }
    #[inline]
    fn finish(&self) -> u64 {
        // The table takes its control bytes from the top and the position from the bottom bits.
        self.0 ^ self.0 >> 32
    }
}

/// A hash map keyed by symbols; look-ups only, since its order means nothing.
pub type SymbolMap<T> = HashMap<Symbol, T, BuildHasherDefault<NameHasher>>;

impl Symbol {
    /// Position in the order of first occurrence; keywords come first.
    pub fn number(self) -> u32 {
        self.index() as u32
    }
}
