//! Evaluates terms under an assignment: iterative and memoised, because path formulas are deep DAGs.

use crate::fold;
use crate::sort::Sort;
use crate::term::{BinOp, Node, TermId, Terms};
use crate::value::{ArrayValue, Value};
use crate::versions::{Version, Versions};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of variables.
pub type Assignment = FxHashMap<TermId, Value>;

/// Evaluates any number of terms under one assignment and remembers their values.
///
/// Variables without a value have the default of their sort.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    memo: FxHashMap<TermId, Known>,
    versions: Versions,
}

/// What a term is known to be.
#[derive(Clone)]
enum Known {
    Value(Value),
    /// An array.
    Array(Version),
}

/// Value of `t`; use an [`Evaluator`] for several terms.
pub fn eval(terms: &Terms, assignment: &Assignment, t: TermId) -> Value {
    Evaluator::new(terms, assignment).eval(t)
}

impl<'a> Evaluator<'a> {
    /// An evaluator without memory.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Self { terms, assignment, memo: FxHashMap::default(), versions: Versions::default() }
    }

    /// Value of `t`.
    pub fn eval(&mut self, t: TermId) -> Value {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            match self.step(top) {
                Ok(known) => {
                    self.memo.insert(top, known);
                    stack.pop();
                }
                Err(missing) => stack.push(missing),
            }
        }
        match &self.memo[&t] {
            Known::Value(value) => value.clone(),
            Known::Array(version) => self.versions.value(*version),
        }
    }

    /// Whether a formula is true.
    pub fn satisfies(&mut self, formula: TermId) -> bool {
        self.eval(formula) == Value::Bool(true)
    }

    fn get(&self, t: TermId) -> Result<&Known, TermId> {
        self.memo.get(&t).ok_or(t)
    }

    fn value(&self, t: TermId) -> Result<&Value, TermId> {
        match self.get(t)? {
            Known::Value(value) => Ok(value),
            Known::Array(_) => unreachable!("sorts are checked on construction"),
        }
    }

    fn bool(&self, t: TermId) -> Result<bool, TermId> {
        Ok(*self.value(t)? == Value::Bool(true))
    }

    fn array(&self, t: TermId) -> Result<Version, TermId> {
        match self.get(t)? {
            Known::Array(version) => Ok(*version),
            Known::Value(_) => unreachable!("sorts are checked on construction"),
        }
    }

    fn index(&self, t: TermId) -> Result<u128, TermId> {
        Ok(self.value(t)?.as_bits().unwrap_or_default())
    }

    /// The value of a term, or a child whose value is needed first. Only what decides the value is asked for.
    fn step(&mut self, t: TermId) -> Result<Known, TermId> {
        Ok(Known::Value(match self.terms.node(t) {
            Node::Bool(b) => Value::Bool(b),
            Node::Bv { width, value } => Value::Bv { width, value },
            Node::Float { sort, bits } => Value::Float { sort, bits },
            Node::Int(value) => Value::Int(value),
            Node::Var { sort, .. } => {
                match self.assignment.get(&t).cloned().unwrap_or_else(|| Value::default_of(sort)) {
                    Value::Array(array) => return Ok(Known::Array(self.versions.original(array))),
                    value => value,
                }
            }
            Node::Un(op, a) => fold::un_value(op, self.value(a)?),
            Node::Bin(BinOp::And, a, b) => Value::Bool(self.bool(a)? && self.bool(b)?),
            Node::Bin(BinOp::Or, a, b) => Value::Bool(self.bool(a)? || self.bool(b)?),
            Node::Bin(BinOp::Select, array, index) => {
                let (array, index) = (self.array(array)?, self.index(index)?);
                self.versions.get(array, index).clone()
            }
            Node::Bin(BinOp::Eq, a, b) if matches!(self.terms.sort(a), Sort::Array { .. }) => {
                let (a, b) = (self.array(a)?, self.array(b)?);
                Value::Bool(a == b || self.versions.value(a) == self.versions.value(b))
            }
            Node::Bin(op, a, b) => fold::bin_value(op, self.value(a)?, self.value(b)?),
            Node::Ite(c, a, b) => return Ok(self.get(if self.bool(c)? { a } else { b })?.clone()),
            Node::Store(array, index, value) => {
                let (array, index, value) = (self.array(array)?, self.index(index)?, self.value(value)?.clone());
                return Ok(Known::Array(self.versions.store(array, index, value)));
            }
            Node::ConstArray(_, value) => {
                let (sort, default) = (self.terms.sort(t), self.value(value)?.clone());
                let array = ArrayValue { sort, default, elems: BTreeMap::new() };
                return Ok(Known::Array(self.versions.original(Arc::new(array))));
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::ElemSort;

    /// Whoever copies an array at each write needs gigabytes here.
    #[test]
    fn long_chains_of_writes_are_read_without_copies() {
        const WRITES: u128 = 20_000;
        let mut terms = Terms::new();
        let start = terms.fresh_var("start", Sort::BitVec(32));
        let mut array = terms.fresh_var("array", Sort::Array { index: 32, elem: ElemSort::BitVec(32) });
        let mut reads = Vec::new();
        for i in 0..WRITES {
            let i = terms.bv(32, i);
            let index = terms.bv_add(start, i);
            array = terms.store(array, index, i);
        }
        for i in 0..WRITES {
            let index = terms.bv(32, i);
            reads.push(terms.select(array, index));
        }
        let assignment = Assignment::from_iter([(start, Value::Bv { width: 32, value: 7 })]);
        let mut eval = Evaluator::new(&terms, &assignment);
        for (i, read) in reads.into_iter().enumerate() {
            let written = (i as u128).saturating_sub(7);
            assert_eq!(eval.eval(read), Value::Bv { width: 32, value: written });
        }
    }
}
