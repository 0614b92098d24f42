//! Formulas over few bits, decided by trying all values: solvers that reason bit by bit are slow where many exclusive ors or products meet, and
//! there may be no more inputs than a program can be run on.

use crate::eval::{Assignment, Evaluator};
use crate::fold;
use crate::solver::Model;
use crate::sort::Sort;
use crate::subst::subterms;
use crate::term::{BinOp, Node, TermId, Terms};
use crate::value::Value;
use base::{Budget, Effort, Stop};
use rustc_hash::FxHashMap;

/// Most terms that are evaluated.
const MAX_STEPS: u64 = 1 << 26;
/// Terms that are evaluated for a unit of effort.
const STEPS_PER_UNIT: u64 = 64;
/// After so many terms, the budget is asked.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 16;

/// A search through all values of the variables of a formula; those that come first change least often.
pub struct Exhaustive {
    levels: Vec<Level>,
    /// Values of terms.
    values: Vec<Value>,
    steps: u64,
}

/// What is known when a variable has a value, and those before it; at the first level there is none.
#[derive(Default)]
struct Level {
    /// The variable, and where its value is.
    input: Option<(TermId, usize)>,
    /// What is computed of it, with where the operands and the result are.
    computed: Vec<(Node, [usize; 3], usize)>,
    /// Where conjuncts of the formula are.
    conjuncts: Vec<usize>,
}

impl Exhaustive {
    /// A search for `formula`; `None` if there is too much to try.
    pub fn new(terms: &Terms, formula: TermId) -> Option<Self> {
        let all = subterms(terms, &[formula]);
        let mut levels = vec![Level::default()];
        // Number of values of the variables up to each level.
        let mut trials = vec![1u64];
        for input in all.iter().copied().filter(|t| terms.is_var(*t)) {
            let bits = match terms.sort(input) {
                Sort::Bool => 1,
                Sort::BitVec(width) => width.min(u64::BITS - 1),
                _ => return None,
            };
            levels.push(Level { input: Some((input, 0)), ..Level::default() });
            trials.push(trials[trials.len() - 1].saturating_mul(1 << bits));
            if trials[trials.len() - 1] > MAX_STEPS {
                return None;
            }
        }
        let mut values = Vec::with_capacity(all.len());
        // Level and place of each term.
        let mut known: FxHashMap<TermId, (usize, usize)> = FxHashMap::default();
        let mut next_input = 1;
        let none = Assignment::default();
        let mut constants = Evaluator::new(terms, &none);
        let mut steps = 0u64;
        for t in all {
            let at = values.len();
            let children = terms.children(t);
            let level = match terms.is_var(t) {
                true => next_input,
                false => children.iter().map(|child| known[child].0).max().unwrap_or(0),
            };
            known.insert(t, (level, at));
            if level == 0 {
                values.push(constants.eval(t));
                continue;
            }
            values.push(Value::default_of(terms.sort(t)));
            steps = steps.saturating_add(trials[level]);
            if steps > MAX_STEPS || matches!(terms.sort(t), Sort::Array { .. }) {
                return None;
            }
            if terms.is_var(t) {
                levels[level].input = Some((t, at));
                next_input += 1;
                continue;
            }
            let mut operands = [0; 3];
            for (operand, child) in operands.iter_mut().zip(children.iter()) {
                *operand = known[child].1;
            }
            levels[level].computed.push((terms.node(t), operands, at));
        }
        let mut stack = vec![formula];
        while let Some(t) = stack.pop() {
            match terms.node(t) {
                Node::Bin(BinOp::And, a, b) => stack.extend([a, b]),
                _ => levels[known[&t].0].conjuncts.push(known[&t].1),
            }
        }
        Some(Self { levels, values, steps: 0 })
    }

    /// Tries all values; the first ones with which the formula holds.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn model(mut self, budget: &Budget) -> Result<Option<Model>, Stop> {
        let found = self.search(0, budget)?;
        budget.step(Effort::units(self.steps / STEPS_PER_UNIT))?;
        let values = &self.values;
        let inputs = self.levels.iter().filter_map(|level| level.input);
        Ok(found.then(|| Model::new(inputs.map(|(input, at)| (input, values[at].clone())).collect())))
    }

    /// Whether the formula holds for some values of the variables behind a level.
    fn search(&mut self, level: usize, budget: &Budget) -> Result<bool, Stop> {
        if self.levels[level].conjuncts.iter().any(|at| self.values[*at] != Value::Bool(true)) {
            return Ok(false);
        }
        let Some(next) = self.levels.get(level + 1) else { return Ok(true) };
        let Some((_, at)) = next.input else { return Ok(true) };
        let width = match self.values[at] {
            Value::Bv { width, .. } => Some(width),
            _ => None,
        };
        for value in 0..1u128 << width.unwrap_or(1) {
            self.values[at] = width.map_or(Value::Bool(value == 1), |width| Value::Bv { width, value });
            self.compute(level + 1);
            if self.steps >= STEPS_BETWEEN_CHECKS {
                budget.step(Effort::units(self.steps / STEPS_PER_UNIT))?;
                self.steps = 0;
            }
            if self.search(level + 1, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compute(&mut self, level: usize) {
        let Self { levels, values, steps } = self;
        let computed = &levels[level].computed;
        *steps += computed.len() as u64 + 1;
        for (node, [a, b, c], at) in computed {
            values[*at] = match node {
                Node::Un(op, _) => fold::un_value(*op, &values[*a]),
                Node::Bin(BinOp::Select, ..) => match (&values[*a], values[*b].as_bits()) {
                    (Value::Array(array), Some(index)) => array.get(index).clone(),
                    _ => continue,
                },
                Node::Bin(op, ..) => fold::bin_value(*op, &values[*a], &values[*b]),
                Node::Ite(..) => values[if values[*a] == Value::Bool(true) { *b } else { *c }].clone(),
                _ => continue,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_are_tried() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var("a", Sort::BitVec(8)), terms.var("b", Sort::BitVec(8)));
        let product = terms.bv_mul(a, b);
        let (wanted, three) = (terms.bv(8, 143), terms.bv(8, 3));
        let equal = terms.eq(product, wanted);
        let first = terms.ult(three, a);
        let second = terms.ult(three, b);
        let conditions = terms.and_all(&[equal, first, second]);
        let answer = |terms: &Terms, formula| {
            Exhaustive::new(terms, formula).expect("few bits").model(&Budget::unlimited()).expect("no limit")
        };
        let eleven_times_13 = answer(&terms, conditions).expect("143");
        assert!(eleven_times_13.satisfies(&terms, conditions));
        let sum = terms.bv_add(a, b);
        let less = terms.ult(sum, a);
        let (zero, carry) = (terms.bv(8, 0), terms.bv_xor(a, b));
        let none = terms.eq(carry, zero);
        let odd = terms.extract(0, 0, sum);
        let one = terms.bv(1, 1);
        let is_odd = terms.eq(odd, one);
        let never = terms.and_all(&[less, none, is_odd]);
        assert!(answer(&terms, never).is_none());
    }

    #[test]
    fn what_has_too_many_bits_is_left_alone() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var("a", Sort::BitVec(32)), terms.var("b", Sort::BitVec(32)));
        let less = terms.ult(a, b);
        assert!(Exhaustive::new(&terms, less).is_none());
    }
}
