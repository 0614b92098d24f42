//! Functions that agree with samples: sums of products, powers of two and parities of inputs, by cases of one input.
//!
//! Arithmetic is exact over the integers; that a function also agrees modulo the width is looked at afterwards, on all samples.

use num_integer::gcd;
use smt::value::mask;

/// What a sum is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// 1.
    One,
    /// An input.
    Input(usize),
    /// A product of two.
    Product(usize, usize),
    /// Two to the power of one; zero where it is negative or too large.
    Power(usize),
    /// The lowest bit of one.
    Parity(usize),
}

/// A sum of features with their factors.
pub type Sum = Vec<(Feature, i128)>;

/// A set of values of one input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least, unless there is none.
    pub least: Option<i128>,
    /// The greatest, unless there is none.
    pub greatest: Option<i128>,
}

/// A function by cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Function {
    /// The same everywhere.
    Plain(Sum),
    /// By the value of one input; nothing is known of values in no case.
    Cases(usize, Vec<(Range, Sum)>),
}

/// Inputs with the output.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The inputs, as signed numbers.
    pub inputs: Vec<i128>,
    /// The output.
    pub output: i128,
}

/// Most values that are cases of their own, and most inputs that occur in one sum together.
const MAX_VALUES: i128 = 64;
const MAX_INPUTS: usize = 6;
/// So many samples decide the factors.
const ENOUGH: usize = 24;

/// A function that agrees with all samples, or with all in some of the cases; `width` is that of the output, and `bounds` are limits
/// at which the values of an input may behave differently.
pub fn fit(samples: &[Sample], width: u32, bounds: &[i128]) -> Option<Function> {
    let inputs = samples.first()?.inputs.len();
    let all: Vec<&Sample> = samples.iter().collect();
    if let Some(sum) = fit_sum(&all, inputs, width) {
        return Some(Function::Plain(sum));
    }
    let mut best: Option<(usize, usize, Function)> = None;
    for input in 0..inputs.min(MAX_INPUTS) {
        let (covered, cases) = fit_cases(&all, inputs, input, width, bounds);
        let better = match &best {
            Some((most, fewest, _)) => covered > *most || (covered == *most && cases.len() < *fewest),
            None => covered > 0,
        };
        if better {
            best = Some((covered, cases.len(), Function::Cases(input, cases)));
        }
    }
    best.map(|(_, _, function)| function)
}

/// Cases of one input, with the number of samples in them.
fn fit_cases(
    samples: &[&Sample],
    inputs: usize,
    input: usize,
    width: u32,
    bounds: &[i128],
) -> (usize, Vec<(Range, Sum)>) {
    let mut covered = 0;
    let mut cases: Vec<(Range, Sum)> = Vec::new();
    let mut add = |range: Range, part: &[&Sample]| {
        let sum = fit_sum(part, inputs, width);
        if let Some(sum) = &sum {
            covered += part.len();
            cases.push((range, sum.clone()));
        }
        sum.is_some()
    };
    for range in ranges(bounds) {
        let part = within(samples, input, range);
        if part.is_empty() || add(range, &part) {
            continue;
        }
        // Value by value, where nothing else helps.
        let least = part.iter().map(|sample| sample.inputs[input]).min().unwrap_or(0);
        let greatest = part.iter().map(|sample| sample.inputs[input]).max().unwrap_or(0);
        if greatest - least >= MAX_VALUES {
            continue;
        }
        for value in least..=greatest {
            let range = Range { least: Some(value), greatest: Some(value) };
            let part = within(samples, input, range);
            if !part.is_empty() {
                add(range, &part);
            }
        }
    }
    (covered, cases)
}

fn within<'s>(samples: &[&'s Sample], input: usize, range: Range) -> Vec<&'s Sample> {
    let fits = |value: i128| {
        range.least.is_none_or(|least| least <= value) && range.greatest.is_none_or(|greatest| value <= greatest)
    };
    samples.iter().copied().filter(|sample| fits(sample.inputs[input])).collect()
}

/// Each bound, and what lies between them.
fn ranges(bounds: &[i128]) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut least = None;
    for bound in bounds {
        if least.is_none_or(|least| least < *bound) {
            ranges.push(Range { least, greatest: Some(bound - 1) });
        }
        ranges.push(Range { least: Some(*bound), greatest: Some(*bound) });
        least = Some(bound + 1);
    }
    ranges.push(Range { least, greatest: None });
    ranges
}

/// A sum that agrees with all samples.
fn fit_sum(samples: &[&Sample], inputs: usize, width: u32) -> Option<Sum> {
    let inputs = inputs.min(MAX_INPUTS);
    // What never differs explains nothing.
    let varies = |input: &usize| samples.iter().any(|sample| sample.inputs[*input] != samples[0].inputs[*input]);
    let varying: Vec<usize> = (0..inputs).filter(varies).collect();
    let with = |features: &[Feature]| std::iter::once(Feature::One).chain(features.iter().copied()).collect::<Vec<_>>();
    let linear: Vec<Feature> = varying.iter().map(|i| Feature::Input(*i)).collect();
    let mut sets = vec![with(&[])];
    sets.extend(linear.iter().map(|feature| with(&[*feature])));
    sets.push(with(&linear));
    for special in [Feature::Parity, Feature::Power] {
        for i in &varying {
            sets.push(with(&[special(*i)]));
            let mut features = linear.clone();
            features.push(special(*i));
            sets.push(with(&features));
        }
    }
    for (n, i) in varying.iter().enumerate() {
        for j in &varying[n..] {
            let mut features = linear.clone();
            features.push(Feature::Product(*i, *j));
            sets.push(with(&features));
        }
    }
    sets.iter().find_map(|features| solve(samples, features, width))
}

/// The value of a feature.
fn value(feature: Feature, inputs: &[i128], width: u32) -> i128 {
    match feature {
        Feature::One => 1,
        Feature::Input(i) => inputs[i],
        Feature::Product(i, j) => inputs[i].wrapping_mul(inputs[j]),
        Feature::Power(i) if (0..i128::from(width.min(100))).contains(&inputs[i]) => 1 << inputs[i],
        Feature::Power(_) => 0,
        Feature::Parity(i) => inputs[i] & 1,
    }
}

/// Factors with which the features make up the outputs.
fn solve(samples: &[&Sample], features: &[Feature], width: u32) -> Option<Sum> {
    // A single sample is always a constant.
    if features.len() > 1 && samples.len() < features.len() + 2 {
        return None;
    }
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for sample in few(samples) {
        let mut row: Vec<i128> = features.iter().map(|feature| value(*feature, &sample.inputs, width)).collect();
        row.push(sample.output);
        rows.push(row);
    }
    let factors = eliminate(rows, features.len())?;
    let sum: Sum = features.iter().copied().zip(factors).filter(|(_, factor)| *factor != 0).collect();
    let agrees = |sample: &&Sample| {
        let terms = sum.iter().map(|(feature, factor)| value(*feature, &sample.inputs, width).wrapping_mul(*factor));
        let total = terms.fold(0i128, i128::wrapping_add);
        mask(width) & (total as u128) == mask(width) & (sample.output as u128)
    };
    samples.iter().all(agrees).then_some(sum)
}

/// Samples with small numbers.
fn few<'s>(samples: &[&'s Sample]) -> Vec<&'s Sample> {
    let mut few = samples.to_vec();
    let size = |sample: &Sample| sample.inputs.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
    few.sort_by_key(|sample| size(sample));
    let step = few.len().div_ceil(4 * ENOUGH).max(1);
    few.into_iter().step_by(step).take(ENOUGH * 2).collect()
}

/// Solves linear equations; the last column is the right side. Factors that are not determined are zero.
fn eliminate(mut rows: Vec<Vec<i128>>, columns: usize) -> Option<Vec<i128>> {
    let mut pivots = Vec::new();
    let mut next = 0;
    for column in 0..columns {
        let Some(at) = (next..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(next, at);
        let pivot = rows[next].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == next || row[column] == 0 {
                continue;
            }
            let (a, b) = (pivot[column], row[column]);
            for (cell, by) in row.iter_mut().zip(&pivot) {
                *cell = cell.checked_mul(a)?.checked_sub(by.checked_mul(b)?)?;
            }
            let divisor = row.iter().fold(0, |divisor, cell| gcd(divisor, cell.unsigned_abs()));
            if let Ok(divisor @ 2..) = i128::try_from(divisor) {
                row.iter_mut().for_each(|cell| *cell /= divisor);
            }
        }
        pivots.push((next, column));
        next += 1;
    }
    if rows[next..].iter().any(|row| row[columns] != 0) {
        return None;
    }
    let mut factors = vec![0; columns];
    for (row, column) in pivots {
        let (a, b) = (rows[row][column], rows[row][columns]);
        if b % a != 0 {
            return None;
        }
        factors[column] = b / a;
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(of: impl Fn(i128, i128) -> i128, xs: std::ops::Range<i128>) -> Vec<Sample> {
        let pairs = xs.flat_map(|x| (-2..6).map(move |y| (x, y)));
        pairs.map(|(x, y)| Sample { inputs: vec![x, y], output: of(x, y) }).collect()
    }

    #[track_caller]
    fn check(of: impl Fn(i128, i128) -> i128, expected: &Function) {
        assert_eq!(fit(&samples(of, -3..10), 32, &[0, 4]).as_ref(), Some(expected));
    }

    #[test]
    fn sums() {
        check(|_, _| 7, &Function::Plain(vec![(Feature::One, 7)]));
        check(
            |x, y| 2 * x - y + 3,
            &Function::Plain(vec![(Feature::One, 3), (Feature::Input(0), 2), (Feature::Input(1), -1)]),
        );
        check(|x, y| x * y, &Function::Plain(vec![(Feature::Product(0, 1), 1)]));
        check(|x, _| x & 1, &Function::Plain(vec![(Feature::Parity(0), 1)]));
    }

    #[test]
    fn powers() {
        let found = fit(&samples(|x, y| (1 << x) - 1 + y, 0..10), 32, &[]);
        let expected = vec![(Feature::One, -1), (Feature::Input(1), 1), (Feature::Power(0), 1)];
        assert_eq!(found, Some(Function::Plain(expected)));
    }

    #[test]
    fn cases() {
        let range = |least, greatest| Range { least, greatest };
        let found = fit(&samples(|x, y| if x < 4 { y } else { x + 1 }, -3..10), 32, &[4]);
        let expected = vec![
            (range(None, Some(3)), vec![(Feature::Input(1), 1)]),
            (range(Some(4), Some(4)), vec![(Feature::One, 5)]),
            (range(Some(5), None), vec![(Feature::One, 1), (Feature::Input(0), 1)]),
        ];
        assert_eq!(found, Some(Function::Cases(0, expected)));
    }

    #[test]
    fn nothing_fits() {
        let odd = |x: i128, y: i128| (x * 7919 + y * 104_729) % 1013 * (x - y) % 97;
        assert!(matches!(fit(&samples(odd, -3..10), 32, &[]), None | Some(Function::Cases(..))));
        assert_eq!(fit(&[], 32, &[]), None);
    }
}
