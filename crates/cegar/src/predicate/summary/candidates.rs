//! Candidates for the effect of a procedure, from samples of what it returns.

use super::fit::{self, Feature, Function, Range, Sample, Sum};
use super::houdini::alive;
use super::sample::Sampler;
use super::{Candidate, Procedure, Program, Side};
use base::Budget;
use domains::predicate::PredicateCpa;
use smt::value::mask;
use smt::{Assignment, Evaluator, TermId, Terms, Value};
use std::collections::BTreeMap;

/// Least and greatest argument that is tried, where bounds do not say more.
const ARGUMENTS: (i128, i128) = (-3, 12);
/// An upper bound of arguments up to which all of them are tried.
const MOST_ARGUMENTS: i128 = 64;
/// Most samples of one procedure.
const MAX_SAMPLES: usize = 900;

/// What the procedure returns for some inputs: inputs and outputs.
pub fn samples(
    cpa: &PredicateCpa<'_, '_>,
    program: &Program,
    number: usize,
    bounds: &BTreeMap<u32, Vec<i128>>,
    budget: &Budget,
) -> Vec<(Vec<Value>, Vec<Value>)> {
    let terms = &cpa.enc.terms;
    let procedure = &program.procedures[number];
    let mut sampler = Sampler::new(terms, &program.procedures, budget);
    let mut found = Vec::new();
    let arguments: Vec<Vec<Value>> = procedure
        .inputs
        .iter()
        .map(|input| {
            let width = terms.width(*input);
            let constants = bounds.get(&width).map_or(&[][..], |list| list);
            let most = constants.iter().copied().filter(|bound| *bound <= MOST_ARGUMENTS).max().unwrap_or(0);
            let values = ARGUMENTS.0..=ARGUMENTS.1.max(most);
            values.map(|value| Value::Bv { width, value: mask(width) & value as u128 }).collect()
        })
        .collect();
    let mut tuples = tuples(&arguments);
    let size = |value: &Value| value.as_signed().map_or(0, i128::unsigned_abs);
    tuples.sort_by_cached_key(|tuple| tuple.iter().map(size).max());
    for inputs in tuples {
        let assignment: Assignment = procedure.inputs.iter().copied().zip(inputs.iter().cloned()).collect();
        let mut evaluator = Evaluator::new(terms, &assignment);
        if !alive(&procedure.before).all(|fact| evaluator.satisfies(fact)) {
            continue;
        }
        if sampler.is_over() {
            budget.give_up("given_up.samples");
            break;
        }
        if let Some(outputs) = sampler.outputs(number, &inputs) {
            found.push((inputs, outputs));
        }
    }
    found
}

/// Tuples of arguments: all, or as many as are wanted.
fn tuples(arguments: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    let all: usize = arguments.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if all <= MAX_SAMPLES {
        for values in arguments {
            let longer = |tuple: &Vec<Value>| {
                let tuple = tuple.clone();
                values
                    .iter()
                    .map(move |value| tuple.iter().cloned().chain([value.clone()]).collect())
                    .collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        return tuples;
    }
    // Each argument takes all of its values, for several choices of the others.
    tuples.clear();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    while tuples.len() < MAX_SAMPLES {
        let mut next = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % n.max(1) as u64) as usize
        };
        let tuple: Vec<Value> = arguments.iter().map(|values| values[next(values.len().min(10))].clone()).collect();
        for (i, values) in arguments.iter().enumerate() {
            for value in values {
                let mut tuple = tuple.clone();
                tuple[i] = value.clone();
                tuples.push(tuple);
            }
        }
    }
    tuples
}

/// What may hold at the exit, from samples.
pub fn candidates(
    terms: &mut Terms,
    procedure: &Procedure,
    samples: &[(Vec<Value>, Vec<Value>)],
    bounds: &BTreeMap<u32, Vec<i128>>,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (i, output) in procedure.outputs.iter().enumerate() {
        let width = terms.width(*output);
        let signed = |value: &Value| value.as_signed().unwrap_or(0);
        let sample = |(inputs, outputs): &(Vec<Value>, Vec<Value>)| {
            Some(Sample { inputs: inputs.iter().map(signed).collect(), output: signed(outputs.get(i)?) })
        };
        let samples: Vec<Sample> = samples.iter().filter_map(sample).collect();
        let constants = bounds.get(&width).map_or(&[][..], |list| list);
        let parts = match fit::fit(&samples, width, constants) {
            Some(Function::Plain(sum)) => vec![(None, sum)],
            Some(Function::Cases(input, cases)) => {
                cases.into_iter().map(|(range, sum)| (Some((input, range)), sum)).collect()
            }
            None => Vec::new(),
        };
        for (case, sum) in parts {
            let Some(value) = sum_term(terms, procedure, &sum, width) else { continue };
            let is = terms.eq(*output, value);
            let formula = match case {
                None => is,
                Some((input, range)) => {
                    let Some(name) = procedure.names[input] else { continue };
                    let inside = range_formula(terms, name, range);
                    terms.implies(inside, is)
                }
            };
            candidates.push(Candidate { formula, alive: true, about: (*output, Side::Is) });
        }
        if candidates.iter().any(|candidate| candidate.about.0 == *output) {
            continue;
        }
        candidates.extend(comparisons(terms, procedure, *output, (&samples, constants)));
    }
    candidates
}

/// Comparisons of an output with constants and inputs that hold for all samples.
fn comparisons(
    terms: &mut Terms,
    procedure: &Procedure,
    output: TermId,
    (samples, constants): (&[Sample], &[i128]),
) -> Vec<Candidate> {
    let width = terms.width(output);
    let mut candidates = Vec::new();
    let mut add = |formula: TermId| candidates.push(Candidate { formula, alive: true, about: (output, Side::Is) });
    if samples.is_empty() {
        return candidates;
    }
    for constant in constants {
        let term = terms.bv_signed(width, *constant);
        if samples.iter().all(|sample| sample.output >= *constant) {
            add(terms.sge(output, term));
        }
        if samples.iter().all(|sample| sample.output <= *constant) {
            add(terms.sle(output, term));
        }
    }
    for (i, name) in procedure.names.iter().enumerate() {
        let Some(name) = name.filter(|name| terms.width(*name) == width) else { continue };
        for offset in [-1, 0, 1] {
            let constant = terms.bv_signed(width, offset);
            let limit = terms.bv_add(name, constant);
            if samples.iter().all(|sample| sample.output >= sample.inputs[i] + offset) {
                add(terms.sge(output, limit));
            }
            if samples.iter().all(|sample| sample.output <= sample.inputs[i] + offset) {
                add(terms.sle(output, limit));
            }
        }
    }
    candidates
}

fn range_formula(terms: &mut Terms, var: TermId, range: Range) -> TermId {
    let width = terms.width(var);
    let mut formula = terms.tru();
    if let Some(least) = range.least {
        let constant = terms.bv_signed(width, least);
        let above = terms.sge(var, constant);
        formula = terms.and(formula, above);
    }
    if let Some(greatest) = range.greatest {
        let constant = terms.bv_signed(width, greatest);
        let below = terms.sle(var, constant);
        formula = terms.and(formula, below);
    }
    formula
}

fn sum_term(terms: &mut Terms, procedure: &Procedure, sum: &Sum, width: u32) -> Option<TermId> {
    let mut total = terms.bv(width, 0);
    for (feature, factor) in sum {
        let one = terms.bv(width, 1);
        let input = |terms: &mut Terms, i: usize| procedure.names[i].map(|name| terms.sign_resize(width, name));
        let value = match *feature {
            Feature::One => one,
            Feature::Input(i) => input(terms, i)?,
            Feature::Product(i, j) => {
                let (a, b) = (input(terms, i)?, input(terms, j)?);
                terms.bv_mul(a, b)
            }
            Feature::Power(i) => {
                let exponent = input(terms, i)?;
                terms.bv_shl(one, exponent)
            }
            Feature::Parity(i) => {
                let input = input(terms, i)?;
                terms.bv_and(input, one)
            }
        };
        let factor = terms.bv_signed(width, *factor);
        let scaled = terms.bv_mul(factor, value);
        total = terms.bv_add(total, scaled);
    }
    Some(total)
}
