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

    /// The bound of the same sum from the other side that makes an equation of it.
    pub fn opposite(self) -> Self {
        let Self { x, y, signs, bound } = self;
        match signs {
            Signs::Difference => Self::difference(y, x, -bound),
            Signs::Sum => Self { x, y, signs: Signs::Negated, bound: -bound },
            Signs::Negated => Self { x, y, signs: Signs::Sum, bound: -bound },
        }
    }

    /// The same of what both have become.
    pub fn map<W>(self, to: impl Fn(V) -> Option<W>) -> Option<Relation<W>> {
        Some(Relation { x: to(self.x)?, y: to(self.y)?, signs: self.signs, bound: self.bound })
    }
}
