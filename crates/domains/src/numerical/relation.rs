//! Bounds of sums and differences of two numbers: what an octagon is made of [mine06].

/// Signs of two numbers in a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Signs {
    /// `x - y`
    Difference,
    /// `x + y`
    Sum,
    /// `-x - y`
    Negated,
}

/// A sum of two numbers with signs, which are those of integers, is at most the bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation<V> {
    /// What has the first.
    pub x: V,
    /// What has the second.
    pub y: V,
    /// Signs.
    pub signs: Signs,
    /// The bound.
    pub bound: i128,
}

impl<V> Relation<V> {
    /// `x - y <= bound`
    pub fn difference(x: V, y: V, bound: i128) -> Self {
        Self { x, y, signs: Signs::Difference, bound }
    }

    /// The same of what both have become.
    pub fn map<W>(self, to: impl Fn(V) -> Option<W>) -> Option<Relation<W>> {
        Some(Relation { x: to(self.x)?, y: to(self.y)?, signs: self.signs, bound: self.bound })
    }
}
