//! Evaluates terms under an assignment: iterative and memoised, because path formulas are deep DAGs.

use crate::fold;
use crate::term::{BinOp, Node, TermId, Terms};
use crate::value::{ArrayValue, Value};
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
    memo: FxHashMap<TermId, Value>,
}

/// Value of `t`; use an [`Evaluator`] for several terms.
pub fn eval(terms: &Terms, assignment: &Assignment, t: TermId) -> Value {
    Evaluator::new(terms, assignment).eval(t)
}

impl<'a> Evaluator<'a> {
    /// An evaluator without memory.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Self { terms, assignment, memo: FxHashMap::default() }
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
                Ok(value) => {
                    self.memo.insert(top, value);
                    stack.pop();
                }
                Err(missing) => stack.push(missing),
            }
        }
        self.memo[&t].clone()
    }

    fn get(&self, t: TermId) -> Result<&Value, TermId> {
        self.memo.get(&t).ok_or(t)
    }

    fn bool(&self, t: TermId) -> Result<bool, TermId> {
        Ok(*self.get(t)? == Value::Bool(true))
    }

    /// The value of a term, or a child whose value is needed first. Only what decides the value is asked for.
    fn step(&self, t: TermId) -> Result<Value, TermId> {
        Ok(match self.terms.node(t) {
            Node::Bool(b) => Value::Bool(b),
            Node::Bv { width, value } => Value::Bv { width, value },
            Node::Float { sort, bits } => Value::Float { sort, bits },
            Node::Int(value) => Value::Int(value),
            Node::Var { sort, .. } => self.assignment.get(&t).cloned().unwrap_or_else(|| Value::default_of(sort)),
            Node::Un(op, a) => fold::un_value(op, self.get(a)?),
            Node::Bin(BinOp::And, a, b) => Value::Bool(self.bool(a)? && self.bool(b)?),
            Node::Bin(BinOp::Or, a, b) => Value::Bool(self.bool(a)? || self.bool(b)?),
            Node::Bin(op, a, b) => fold::bin_value(op, self.get(a)?, self.get(b)?),
            Node::Ite(c, a, b) => self.get(if self.bool(c)? { a } else { b })?.clone(),
            Node::Store(array, index, value) => {
                let (array, index, value) = (self.get(array)?, self.get(index)?, self.get(value)?);
                let (Value::Array(array), Some(index)) = (array, index.as_bits()) else {
                    unreachable!("sorts are checked on construction")
                };
                let mut array = ArrayValue::clone(array);
                array.set(index, value.clone());
                Value::Array(Arc::new(array))
            }
            Node::ConstArray(_, value) => Value::Array(Arc::new(ArrayValue {
                sort: self.terms.sort(t),
                default: self.get(value)?.clone(),
                elems: BTreeMap::new(),
            })),
        })
    }
}
