//! Notices predicates that diverge: the same shape again and again with another constant.
//!
//! `x = 0, x = 2, x = 4, ...` are one *shape*, an atom in which constants are holes, with a list of constants. A shape that is
//! proposed at one place with more and more constants is the sign of a refinement that diverges; [`super::templates`] guesses
//! what the predicates have in common.

use rustc_hash::FxHashMap;
use smt::{BinOp, Node, Sort, TermId, Terms, UnOp};
use std::hash::Hash;

/// A part of a shape, in preorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Token {
    Constant(Sort),
    Var(TermId),
    Un(UnOp),
    Bin(BinOp),
    Ite,
    Store,
    ConstArray(u32),
}

/// An atom without its constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape(Box<[Token]>);

/// Most parts of a shape; larger atoms have none.
const MAX_PARTS: usize = 200;

/// Most lists of constants that are kept for one shape.
const MAX_KEPT: usize = 32;

/// The shape of an atom and its constants as bits, from left to right. `None` if it is too large.
pub fn shape_of(terms: &Terms, atom: TermId) -> Option<(Shape, Vec<u128>)> {
    let mut parts = Vec::new();
    let mut constants = Vec::new();
    let mut stack = vec![atom];
    while let Some(t) = stack.pop() {
        if parts.len() >= MAX_PARTS {
            return None;
        }
        parts.push(match terms.node(t) {
            Node::Bool(value) => {
                constants.push(u128::from(value));
                Token::Constant(Sort::Bool)
            }
            Node::Bv { value, .. } => {
                constants.push(value);
                Token::Constant(terms.sort(t))
            }
            Node::Float { bits, .. } => {
                constants.push(bits);
                Token::Constant(terms.sort(t))
            }
            Node::Int(value) => {
                constants.push(value as u128);
                Token::Constant(Sort::Int)
            }
            Node::Var { .. } => Token::Var(t),
            Node::Un(op, _) => Token::Un(op),
            Node::Bin(op, ..) => Token::Bin(op),
            Node::Ite(..) => Token::Ite,
            Node::Store(..) => Token::Store,
            Node::ConstArray(width, _) => Token::ConstArray(width),
        });
        stack.extend(terms.children(t).iter().rev());
    }
    Some((Shape(parts.into()), constants))
}

/// What is known about a shape that diverges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The lists of constants, in the order in which they were proposed.
    pub constants: Vec<Vec<u128>>,
}

/// The constants that were seen with each shape at each place; places are the caller's, such as locations.
#[derive(Clone, Debug)]
pub struct Divergence<P> {
    seen: FxHashMap<(P, Shape), Vec<Vec<u128>>>,
    threshold: usize,
}

impl<P: Hash + Eq> Divergence<P> {
    /// Shapes with at least `threshold` lists of constants at one place count as diverging.
    pub fn new(threshold: usize) -> Self {
        Self { seen: FxHashMap::default(), threshold: threshold.max(2) }
    }

    /// Notes an atom that is proposed at a place. `Some` if its shape diverges there, and the atom is a new sign of that.
    pub fn observe(&mut self, terms: &Terms, place: P, atom: TermId) -> Option<Growth> {
        let (shape, constants) = shape_of(terms, atom)?;
        if constants.is_empty() {
            return None;
        }
        let lists = self.seen.entry((place, shape)).or_default();
        if lists.contains(&constants) {
            return None;
        }
        if lists.len() >= MAX_KEPT {
            // The first ones tell where it began, the last ones where it goes.
            lists.remove(MAX_KEPT / 2);
        }
        lists.push(constants);
        (lists.len() >= self.threshold).then(|| Growth { constants: lists.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_shape_with_new_constants_diverges_at_its_place() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
        let mut divergence = Divergence::new(3);
        let mut observe = |terms: &mut Terms, place: u32, var: TermId, value: u128| {
            let constant = terms.bv(32, value);
            let atom = terms.eq(var, constant);
            divergence.observe(terms, place, atom).map(|growth| growth.constants)
        };
        assert_eq!(observe(&mut terms, 1, x, 0), None);
        assert_eq!(observe(&mut terms, 1, x, 2), None);
        assert_eq!(observe(&mut terms, 1, x, 2), None, "nothing new");
        assert_eq!(observe(&mut terms, 2, x, 4), None, "another place");
        assert_eq!(observe(&mut terms, 1, y, 4), None, "another shape");
        assert_eq!(observe(&mut terms, 1, x, 4), Some(vec![vec![0], vec![2], vec![4]]));
        assert_eq!(observe(&mut terms, 1, x, 6).map(|lists| lists.len()), Some(4));
    }
}
