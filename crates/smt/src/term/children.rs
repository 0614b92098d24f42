//! The children of a node.

use super::{Node, TermId};

/// Up to three children.
#[derive(Clone, Copy)]
pub struct Children {
    terms: [TermId; 3],
    len: u8,
}

impl std::ops::Deref for Children {
    type Target = [TermId];
    #[inline]
    fn deref(&self) -> &[TermId] {
        &self.terms[..usize::from(self.len)]
    }
}

impl Node {
    /// The children, from left to right.
    #[inline]
    pub fn children(&self) -> Children {
        let zero = TermId(0);
        let (terms, len) = match *self {
            Node::Bool(_) | Node::Bv { .. } | Node::Float { .. } | Node::Int(_) | Node::Var { .. } => ([zero; 3], 0),
            Node::Un(_, a) | Node::ConstArray(_, a) => ([a, zero, zero], 1),
            Node::Bin(_, a, b) => ([a, b, zero], 2),
            Node::Ite(a, b, c) | Node::Store(a, b, c) => ([a, b, c], 3),
        };
        Children { terms, len }
    }

    /// Whether it is a constant of a scalar sort.
    #[inline]
    pub fn is_const(&self) -> bool {
        matches!(self, Node::Bool(_) | Node::Bv { .. } | Node::Float { .. } | Node::Int(_))
    }
}
