//! Formulas without arrays: what follows from little more than that a read gives what was written to the same place last.
//!
//! A read of an array as it was in the beginning becomes a variable of its own. That two of them are equal where their indices are, is left out, and
//! told only where an answer needs it (lemmas on demand [brummayer09]): formulas about which accesses are inside of their objects seldom do, and
//! solvers that tell it of all pairs are slow.

use crate::eval::Evaluator;
use crate::solver::Model;
use crate::sort::Sort;
use crate::subst::{Substitution, subterms};
use crate::term::{BinOp, Node, TermId, Terms};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Fewer reads need no help.
const LEAST_READS: usize = 16;
/// Most writes that a read looks behind; what it finds there may be anything.
const MOST_WRITES: u32 = 64;
/// Most lemmas that one answer gives.
const MOST_LEMMAS: usize = 256;

/// A formula that holds wherever another does, with some value for each read.
pub struct WithoutArrays {
    /// The formula.
    pub formula: TermId,
    /// What was read, in the order of creation.
    reads: Vec<Read>,
}

/// A read of an array as it was in the beginning.
struct Read {
    array: TermId,
    index: TermId,
    /// The variable for what it gives.
    value: TermId,
}

impl WithoutArrays {
    /// The formula for `root`; `None` if that reads little.
    pub fn new(terms: &mut Terms, root: TermId) -> Option<Self> {
        let is_read = |terms: &Terms, t| matches!(terms.node(t), Node::Bin(BinOp::Select, ..));
        let mut found = subterms(terms, &[root]);
        found.retain(|t| is_read(terms, *t));
        if found.len() < LEAST_READS {
            return None;
        }
        let mut reader = Reader { replaced: Substitution::default(), known: FxHashMap::default(), reads: Vec::new() };
        for read in found {
            let Node::Bin(_, array, index) = terms.node(read) else { continue };
            let index = reader.replaced.apply(terms, index);
            let value = reader.read(terms, array, index, MOST_WRITES);
            reader.replaced.insert(read, value);
        }
        let formula = reader.replaced.apply(terms, root);
        Some(Self { formula, reads: reader.reads })
    }

    /// Adds what an answer leaves out of account: that reads of one array at the same index give the same. Whether there is something.
    pub fn refine(&mut self, terms: &mut Terms, model: &Model) -> bool {
        let mut first: FxHashMap<(TermId, u128), (TermId, TermId, Value)> = FxHashMap::default();
        let mut pairs = Vec::new();
        let mut evaluator = Evaluator::new(terms, model.assignment());
        for read in &self.reads {
            let Value::Bv { value: at, .. } = evaluator.eval(read.index) else { continue };
            let value = evaluator.eval(read.value);
            match first.get(&(read.array, at)) {
                None => {
                    first.insert((read.array, at), (read.index, read.value, value));
                }
                Some((_, _, same)) if *same == value => {}
                Some((index, other, _)) => pairs.push(((*index, *other), (read.index, read.value))),
            }
        }
        pairs.truncate(MOST_LEMMAS);
        let found = !pairs.is_empty();
        for ((i, a), (j, b)) in pairs {
            let (same_place, same) = (terms.eq(i, j), terms.eq(a, b));
            let lemma = terms.implies(same_place, same);
            self.formula = terms.and(self.formula, lemma);
        }
        found
    }
}

struct Reader {
    /// Reads, by what stands for them.
    replaced: Substitution,
    /// By array and index.
    known: FxHashMap<(TermId, TermId), TermId>,
    reads: Vec<Read>,
}

impl Reader {
    /// What an array has at an index, which reads no arrays.
    fn read(&mut self, terms: &mut Terms, array: TermId, index: TermId, writes: u32) -> TermId {
        if let Some(known) = self.known.get(&(array, index)) {
            return *known;
        }
        let value = match (terms.node(array), writes.checked_sub(1)) {
            (Node::ConstArray(_, value), _) => self.replaced.apply(terms, value),
            (Node::Store(below, at, value), Some(writes)) => {
                let (at, value) = (self.replaced.apply(terms, at), self.replaced.apply(terms, value));
                match terms.compare_indices(at, index) {
                    Some(true) => value,
                    Some(false) => self.read(terms, below, index, writes),
                    None => {
                        let (same, below) = (terms.eq(at, index), self.read(terms, below, index, writes));
                        terms.ite(same, value, below)
                    }
                }
            }
            (Node::Ite(cond, a, b), Some(writes)) => {
                let cond = self.replaced.apply(terms, cond);
                let (a, b) = (self.read(terms, a, index, writes), self.read(terms, b, index, writes));
                terms.ite(cond, a, b)
            }
            (node, _) => {
                let Sort::Array { elem, .. } = terms.sort(array) else { return array };
                let value = terms.fresh_var("read", elem.into());
                if matches!(node, Node::Var { .. }) {
                    self.reads.push(Read { array, index, value });
                }
                value
            }
        };
        self.known.insert((array, index), value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArrayValue, Assignment};
    use std::collections::BTreeMap;

    /// Two writes, and reads at all places that two variables lead to.
    fn formula(terms: &mut Terms) -> (TermId, [TermId; 3]) {
        let array = terms.var("array", Sort::bv_array(4, 8));
        let (i, j) = (terms.var("i", Sort::BitVec(4)), terms.var("j", Sort::BitVec(4)));
        let (one, two) = (terms.bv(8, 1), terms.bv(8, 2));
        let written = terms.raw_store(array, i, one);
        let both = terms.raw_store(written, j, two);
        let mut all = terms.tru();
        for k in 0..8 {
            let k = terms.bv(4, k);
            let (at_i, at_j) = (terms.bv_add(i, k), terms.bv_add(j, k));
            let (a, b) = (terms.raw_bin(BinOp::Select, array, at_i), terms.raw_bin(BinOp::Select, both, at_j));
            let below = terms.ule(a, b);
            all = terms.and(all, below);
        }
        (all, [array, i, j])
    }

    #[test]
    fn what_holds_with_arrays_holds_without() {
        let mut terms = Terms::new();
        let (root, [array, i, j]) = formula(&mut terms);
        let without = WithoutArrays::new(&mut terms, root).expect("many reads");
        let vars = crate::vars_of(&terms, &[without.formula]);
        assert!(!vars.contains(&array) && without.reads.iter().all(|read| vars.contains(&read.value)));
        let sort = terms.sort(array);
        let mut value = ArrayValue { sort, default: Value::Bv { width: 8, value: 9 }, elems: BTreeMap::new() };
        for at in 0..8 {
            value.set(at, Value::Bv { width: 8, value: at * 5 % 7 });
        }
        for at in 0..1u128 << 8 {
            let index = |value| Value::Bv { width: 4, value: value & 15 };
            let mut assignment = Assignment::default();
            assignment.insert(array, Value::Array(value.clone().into()));
            assignment.extend([(i, index(at)), (j, index(at >> 4))]);
            let holds = Evaluator::new(&terms, &assignment).eval(root);
            for read in &without.reads {
                let read_there = terms.raw_bin(BinOp::Select, read.array, read.index);
                let value = Evaluator::new(&terms, &assignment).eval(read_there);
                assignment.insert(read.value, value);
            }
            assert_eq!(Evaluator::new(&terms, &assignment).eval(without.formula), holds);
        }
    }
}
