//! Samples procedures: runs them on some arguments and records what they return.
//!
//! A procedure with inputs of its own has many results; here they are zero. A guess is all that samples are for.

use super::Procedure;
use base::{Budget, Effort};
use rustc_hash::FxHashMap;
use smt::{Assignment, Evaluator, TermId, Terms, Value};

/// Deepest call, most calls for one sample, and most effort for all samples.
const MAX_DEPTH: u32 = 1200;
const MAX_CALLS: u32 = 4000;
const EFFORT: Effort = Effort::thousands(700);
/// What a call takes.
const CALL: Effort = Effort::units(20);

/// Evaluates procedures.
pub struct Sampler<'a> {
    terms: &'a Terms,
    procedures: &'a [Procedure],
    known: FxHashMap<(usize, Vec<Value>), Option<Vec<Value>>>,
    calls: u32,
    budget: Budget,
}

impl<'a> Sampler<'a> {
    /// Nothing is known yet.
    pub fn new(terms: &'a Terms, procedures: &'a [Procedure], budget: &Budget) -> Self {
        Self { terms, procedures, known: FxHashMap::default(), calls: 0, budget: budget.within(EFFORT) }
    }

    /// The outputs for some inputs, if that does not take long; `None` also where no run fits.
    pub fn outputs(&mut self, procedure: usize, inputs: &[Value]) -> Option<Vec<Value>> {
        if self.is_over() {
            return None;
        }
        self.calls = 0;
        self.call(procedure, inputs.to_vec(), 0)
    }

    /// Whether no more should be evaluated.
    pub fn is_over(&self) -> bool {
        self.budget.left() == Some(Effort::ZERO)
    }

    fn call(&mut self, number: usize, inputs: Vec<Value>, depth: u32) -> Option<Vec<Value>> {
        if let Some(known) = self.known.get(&(number, inputs.clone())) {
            return known.clone();
        }
        self.calls += 1;
        self.budget.spend(CALL);
        if depth > MAX_DEPTH || self.calls > MAX_CALLS || self.is_over() {
            return None;
        }
        let outputs = self.run(number, &inputs, depth);
        // Nothing is known of what was given up.
        if outputs.is_some() {
            self.known.insert((number, inputs), outputs.clone());
        }
        outputs
    }

    fn run(&mut self, number: usize, inputs: &[Value], depth: u32) -> Option<Vec<Value>> {
        let procedures = self.procedures;
        let procedure = &procedures[number];
        'runs: for (run, results) in procedure.runs.complete.iter().zip(&procedure.results) {
            let mut values: Assignment = procedure.inputs.iter().copied().zip(inputs.iter().cloned()).collect();
            let mut checked = 0;
            for (call, results) in run.calls.iter().zip(results) {
                if !self.hold(&values, &run.facts[checked..call.known]) {
                    continue 'runs;
                }
                checked = call.known;
                let callee = procedures.iter().position(|procedure| procedure.entry == call.callee)?;
                let wanted = |(var, arg): &(TermId, TermId)| procedures[callee].inputs.contains(var).then_some(*arg);
                let args = self.evaluate(&values, call.args.iter().filter_map(wanted));
                let outputs = self.call(callee, args, depth + 1)?;
                for (result, value) in results.iter().zip(outputs) {
                    if self.terms.is_var(*result) {
                        values.insert(*result, value);
                    }
                }
            }
            if self.hold(&values, &run.facts[checked..]) {
                let value_of =
                    |output: &TermId| run.values.iter().find(|(var, _)| var == output).map(|(_, value)| *value);
                return Some(self.evaluate(&values, procedure.outputs.iter().filter_map(value_of)));
            }
        }
        None
    }

    fn hold(&self, values: &Assignment, facts: &[TermId]) -> bool {
        let mut evaluator = Evaluator::new(self.terms, values);
        facts.iter().all(|fact| evaluator.satisfies(*fact))
    }

    fn evaluate(&self, values: &Assignment, terms: impl Iterator<Item = TermId>) -> Vec<Value> {
        let mut evaluator = Evaluator::new(self.terms, values);
        terms.map(|term| evaluator.eval(term)).collect()
    }
}
