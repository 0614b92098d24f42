//! Texts of facts, for machines whose widest type has 64 bits, and for others.

use super::*;
use MachineModel::{Ilp32, Lp32, Lp64};

fn named(name: &str, bits: u16, signed: bool) -> Named {
    Named { name: name.to_owned(), ty: Scalar::Int { bits, signed } }
}

#[test]
fn equations() {
    let check = |parts: &[(i128, &str, u16, bool)], constant, machine, expected: Option<&str>| {
        let parts: Vec<_> = parts.iter().map(|(c, name, bits, signed)| (*c, named(name, *bits, *signed))).collect();
        assert_eq!(linear(&parts, constant, machine).as_deref(), expected);
    };
    let (x, y, s) = ((1, "x", 32, false), (1, "y", 32, false), (-1, "s", 32, true));
    check(&[x, y, (-1, "n", 32, false)], 0, Lp64, Some("x + y == n"));
    check(&[(2, "i", 32, false), s], -2, Lp64, Some("2 * i == (unsigned)s + 2"));
    check(&[(2, "i", 32, false), s], -2, Lp32, Some("2 * i == (unsigned long)s + 2"));
    check(&[(1, "a", 64, true)], 5, Lp64, Some("(unsigned long long)a + 5 == 0"));
    check(&[x, y], -(1 << 31), Lp64, Some("x + y == 2147483648U"));
    // What is wider than the operands would be another sum.
    check(&[x, y], 1 << 32, Lp64, None);
    check(&[(1 << 33, "x", 32, false), y], 0, Lp64, None);
    check(
        &[(1 << 33, "a", 64, true)],
        -(1 << 63),
        Ilp32,
        Some("8589934592U * (unsigned long long)a == 9223372036854775808U"),
    );
}

#[test]
fn weighted_bounds() {
    let check = |(a, x): (i128, (u16, bool)), (b, y): (i128, (u16, bool)), bound, machine, expected: Option<&str>| {
        let parts = [(a, named("x", x.0, x.1)), (b, named("y", y.0, y.1))];
        assert_eq!(weighted(parts, bound, machine).as_deref(), expected);
    };
    let (int, unsigned, long) = ((32, true), (32, false), (64, false));
    check((1, int), (-2, int), 0, Lp64, Some("x <= 2 * (long long)y"));
    check((1, int), (-2, int), 7, Ilp32, Some("x <= 2 * (long long)y + 7"));
    check((1, unsigned), (-2, int), -7, Lp64, Some("(long long)x + 7 <= 2 * (long long)y"));
    check((-1, int), (4, unsigned), 0, Lp64, Some("4 * (long long)y <= x"));
    check((1, int), (3, int), 100, Lp64, Some("(long long)x + 3 * (long long)y <= 100"));
    check((-1, int), (-3, int), 0, Lp64, Some("0 <= (long long)x + 3 * (long long)y"));
    check((1, long), (-4, int), 0, Lp64, Some("x <= 4 * (__int128)y"));
    check((1, long), (-4, long), 0, Ilp32, None);
}

#[test]
fn remainders() {
    let check = |bits, signed, (modulus, rest), expected: Option<&str>| {
        assert_eq!(congruent(&named("i", bits, signed), modulus, rest, Lp64).as_deref(), expected);
    };
    check(32, true, (4, 0), Some("i % 4 == 0"));
    check(32, false, (3_000_000_000, 5), Some("i % 3000000000 == 5"));
    check(32, true, (4, 1), Some("(i % 4 + 4) % 4 == 1"));
    check(8, true, (1 << 30, 1), Some("(i % 1073741824 + 1073741824) % 1073741824 == 1"));
    check(32, true, (1_500_000_000, 5), Some("i % 1500000000 == 5 || i % 1500000000 == -1499999995"));
    check(64, true, (1_500_000_000, 5), Some("(i % 1500000000 + 1500000000) % 1500000000 == 5"));
    check(64, true, (1 << 63, 0), None);
    check(64, true, (1 << 63, 1), None);
    check(64, false, (1 << 63, 1), Some("i % 9223372036854775808U == 1"));
}

#[test]
fn numbers() {
    let (long, unsigned) = (named("x", 64, true), named("u", 64, false));
    let check = |text: Option<String>, expected| assert_eq!(text.as_deref(), expected);
    check(long.compared(">=", i128::from(i64::MIN)), Some("x >= -9223372036854775807 - 1"));
    check(long.compared("<=", 1 << 63), None);
    check(unsigned.compared("<=", 1 << 63), Some("u <= 9223372036854775808U"));
    check(unsigned.compared("!=", -1), None);
}

/// What the texts of [`guarded`] say of numbers of a type, in which no operation may overflow.
fn holds(text: &str, (x, y): (i128, i128), (least, greatest): (i128, i128)) -> bool {
    let value = |operand: &str| match operand.trim() {
        "x" => x,
        "y" => y,
        number => number.trim_end_matches('U').parse().unwrap(),
    };
    let side = |side: &str| {
        let value = match (side.split_once(" + "), side.split_once(" - ")) {
            (Some((a, b)), _) => value(a) + value(b),
            (_, Some((a, b))) => value(a) - value(b),
            _ => value(side),
        };
        assert!((least..=greatest).contains(&value), "{text} for {x}, {y}");
        value
    };
    let is_true = |part: &str| {
        type Operator = fn(&i128, &i128) -> bool;
        let operators: [(&str, Operator); 5] =
            [(" <= ", i128::le), (" >= ", i128::ge), (" == ", i128::eq), (" < ", i128::lt), (" > ", i128::gt)];
        let ((a, b), op) = operators.iter().find_map(|(text, op)| Some((part.split_once(text)?, op))).unwrap();
        op(&side(a), &side(b))
    };
    match (text.split_once(" || "), text.split_once(" && ")) {
        (Some((a, b)), _) => is_true(a) || is_true(b),
        (_, Some((a, b))) => is_true(a) && is_true(b),
        _ => is_true(text),
    }
}

#[test]
fn bounds_without_a_wider_type() {
    let text = |signed, of, operator| guarded((&named("x", 64, signed), &named("y", 64, signed)), of, operator);
    assert_eq!(text(true, (Signs::Difference, 3), "<=").as_deref(), Some("y > 9223372036854775804 || x <= y + 3"));
    assert_eq!(text(true, (Signs::Difference, -3), "<=").as_deref(), Some("y >= -9223372036854775805 && x <= y - 3"));
    assert_eq!(text(false, (Signs::Sum, 3), "<=").as_deref(), Some("y <= 3 && x <= 3 - y"));
    assert_eq!(text(true, (Signs::Sum, 1 << 63), "<="), None);
    let mixed = guarded((&named("x", 64, false), &named("y", 64, true)), (Signs::Sum, 3), "<=");
    assert_eq!(mixed, None);
    let narrow = guarded((&named("x", 64, true), &named("y", 32, false)), (Signs::Negated, 0), "<=");
    assert_eq!(narrow.as_deref(), Some("(long long)y >= -9223372036854775807 && x >= 0 - (long long)y"));
}

#[test]
fn guarded_bounds_are_the_bounds() {
    for signed in [true, false] {
        let (least, greatest) = range(Scalar::Int { bits: 64, signed });
        let numbers =
            [least, least + 1, least + 7, -8, -1, 0, 1, 8, greatest / 2, greatest - 7, greatest - 1, greatest];
        let numbers: Vec<i128> = numbers.into_iter().filter(|n| *n >= least).collect();
        for signs in [Signs::Difference, Signs::Sum, Signs::Negated] {
            for bound in [-greatest, -9, -7, -1, 0, 1, 7, 9, greatest - 7, greatest] {
                for operator in ["<=", "=="] {
                    let of = |name| named(name, 64, signed);
                    let Some(text) = guarded((&of("x"), &of("y")), (signs, bound), operator) else { continue };
                    for (x, y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (*x, *y))) {
                        let sum = match signs {
                            Signs::Difference => x - y,
                            Signs::Sum => x + y,
                            Signs::Negated => -x - y,
                        };
                        let expected = if operator == "==" { sum == bound } else { sum <= bound };
                        assert_eq!(holds(&text, (x, y), (least, greatest)), expected, "{text} for {x}, {y}");
                    }
                }
            }
        }
    }
}
