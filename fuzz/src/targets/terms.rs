//! Terms: what the simplifying constructors build has the value of what they were asked for.

use smt::Substitution;
use smt::random::{Choices, Pair, RandomTerms, Theory};
use smt::smtlib::term_to_string;

const THEORIES: [Theory; 5] = [Theory::Narrow, Theory::BitVectors, Theory::Arrays, Theory::Floats, Theory::CheapFloats];

/// Most terms that an input builds.
const MOST_TERMS: usize = 100;

/// Takes bytes for a theory and choices of operators, arguments, constants and values of variables.
pub fn run(bytes: &[u8]) {
    let Some((&theory, rest)) = bytes.split_first() else { return };
    let mut choices = Choices::from_list(numbers(rest));
    let mut random = RandomTerms::new(THEORIES[usize::from(theory) % THEORIES.len()], &mut choices);
    for _ in 0..(rest.len() / 3).min(MOST_TERMS) {
        random.grow(&mut choices);
    }
    let assignment = random.assignment(&mut choices);
    random.check_values(&assignment, random.pairs());
    // A term whose variables have values folds to its own.
    let pairs: Vec<Pair> = random.pairs().collect();
    let values: Vec<_> =
        random.vars.clone().iter().map(|var| (*var, random.terms.value_term(&assignment[var]))).collect();
    let mut substitution = Substitution::new(values);
    let folded = |pair: Pair| Pair { simple: substitution.apply(&mut random.terms, pair.simple), ..pair };
    let folded: Vec<Pair> = pairs.into_iter().map(folded).collect();
    random.check_values(&assignment, folded.iter().copied());
    if let Some(last) = folded.last() {
        assert!(!term_to_string(&random.terms, last.raw).is_empty());
    }
}

/// A byte is a small number; the last few say that a larger one follows, so that both change by one mutation.
fn numbers(mut bytes: &[u8]) -> Vec<u32> {
    let mut numbers = Vec::new();
    while let Some((&first, rest)) = bytes.split_first() {
        bytes = rest;
        numbers.push(match (first, rest.split_first_chunk::<4>()) {
            (0xf8.., Some((number, rest))) => {
                bytes = rest;
                u32::from_le_bytes(*number)
            }
            _ => u32::from(first),
        });
    }
    numbers
}
