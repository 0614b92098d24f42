//! Paths at random.

use super::super::Trace;
use super::Path;
use smt::random::Choices;
use smt::{Sort, TermId, Terms};

/// A random path over a few variables: assignments, sums, tests, if-then-elses. It may be feasible; a path with a test that is
/// trivially false is no use, so that the test is left out.
pub fn random_path(terms: &mut Terms, choices: &mut Choices, width: u32) -> Trace {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let sort = Sort::BitVec(width);
    let mut p = Path::new(terms);
    for name in NAMES {
        p.havoc(name, sort);
    }
    let cuts = 2 + choices.below(4);
    for _ in 0..cuts {
        for _ in 0..1 + choices.below(3) {
            statement(&mut p, choices, &NAMES, width);
        }
        p.cut();
    }
    test(&mut p, choices, &NAMES, width);
    p.finish()
}

fn operand(p: &mut Path<'_>, choices: &mut Choices, names: &[&'static str], width: u32) -> TermId {
    if choices.below(3) == 0 {
        let value = i128::from(choices.bits() % 10) - 3;
        return p.terms.bv_signed(width, value);
    }
    p.get(names[choices.below(names.len())])
}

fn statement(p: &mut Path<'_>, choices: &mut Choices, names: &[&'static str], width: u32) {
    let target = names[choices.below(names.len())];
    let (x, y) = (operand(p, choices, names, width), operand(p, choices, names, width));
    let value = match choices.below(9) {
        0 | 1 => x,
        2 | 3 => p.terms.bv_add(x, y),
        4 => p.terms.bv_sub(x, y),
        5 => {
            let (c, z) = (condition(p, choices, names, width), operand(p, choices, names, width));
            p.terms.ite(c, x, z)
        }
        6 => p.terms.bv_and(x, y),
        _ => return test(p, choices, names, width),
    };
    p.assign(target, value);
}

pub(super) fn condition(p: &mut Path<'_>, choices: &mut Choices, names: &[&'static str], width: u32) -> TermId {
    let (x, y) = (p.get(names[choices.below(names.len())]), operand(p, choices, names, width));
    match choices.below(5) {
        0 => p.terms.slt(x, y),
        1 => p.terms.ult(x, y),
        2 => p.terms.ne(x, y),
        _ => p.terms.eq(x, y),
    }
}

fn test(p: &mut Path<'_>, choices: &mut Choices, names: &[&'static str], width: u32) {
    let formula = condition(p, choices, names, width);
    let formula = if choices.below(4) == 0 {
        let other = condition(p, choices, names, width);
        p.terms.or(formula, other)
    } else {
        formula
    };
    if !p.terms.is_false(formula) {
        p.assume(formula);
    }
}
