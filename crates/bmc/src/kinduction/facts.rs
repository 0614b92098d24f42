//! Facts about registers, and scalars in memory variables, at a cut point: what invariants are made of, their terms, and their text.
//!
//! Numbers are those of C: a register's bits mean what its type says, and sums and differences are those of integers, so terms are
//! wide enough that nothing wraps around.

use crate::kinduction::explore::{Cut, Explorer};
use cfa::{Program, Scalar, VarId, VarKind};
use domains::numerical::{Relation, Signs};
use encode::State;
use smt::{Node, TermId, Terms};
use std::collections::BTreeMap;
use step::StackId;

/// Facts by cut point.
pub type Invariants = BTreeMap<Cut, Vec<Fact>>;

/// A register of a frame, or a scalar in a memory variable of one; the frame of globals is that of the start function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reg {
    /// The frame: the stack whose top it is.
    pub stack: StackId,
    /// The register or memory variable.
    pub var: VarId,
    /// Which part of a memory variable.
    pub part: Option<Part>,
}

/// A scalar in a memory variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// Its first byte.
    pub offset: u64,
    /// How its bits are read.
    pub ty: Scalar,
}

impl Reg {
    /// A register.
    pub fn register(stack: StackId, var: VarId) -> Self {
        Self { stack, var, part: None }
    }

    fn ty(self, program: &Program) -> Option<Scalar> {
        self.part.map(|part| part.ty).or_else(|| program.vars[self.var].register())
    }
}

/// A fact.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// The register is at least this.
    AtLeast(Reg, i128),
    /// The register is at most this.
    AtMost(Reg, i128),
    /// The register is one of these.
    OneOf(Reg, Vec<i128>),
    /// The register is not this.
    Not(Reg, i128),
    /// The register modulo a number.
    Congruent {
        /// The register.
        reg: Reg,
        /// At least 2.
        modulus: u64,
        /// Less than the modulus.
        rest: u64,
    },
    /// A bound of the sum or difference of two registers.
    Octagon(Relation<Reg>),
    /// The two registers do not have these values at the same time.
    Exclusive((Reg, i128), (Reg, i128)),
    /// The sum of registers of one width, each times a number, and of the constant is 0 modulo two to the power of that width.
    Linear {
        /// Registers, each once, with coefficients that are not 0; the first is positive.
        sum: Vec<(Reg, i128)>,
        /// The constant.
        constant: i128,
    },
}

/// Whether facts can be about registers of this type.
pub fn is_number(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int { bits, .. } if bits <= 64)
}

/// The range of a type of numbers.
pub fn range(ty: Scalar) -> (i128, i128) {
    match ty {
        Scalar::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Scalar::Int { bits, signed: false } => (0, (1 << bits) - 1),
        Scalar::Bool => (0, 1),
        _ => (0, i128::MAX),
    }
}

impl Fact {
    /// The registers that the fact is about.
    pub fn registers(&self) -> impl Iterator<Item = Reg> {
        let registers = match self {
            Fact::AtLeast(reg, _)
            | Fact::AtMost(reg, _)
            | Fact::OneOf(reg, _)
            | Fact::Not(reg, _)
            | Fact::Congruent { reg, .. } => vec![*reg],
            Fact::Octagon(Relation { x, y, .. }) | Fact::Exclusive((x, _), (y, _)) => vec![*x, *y],
            Fact::Linear { sum, .. } => sum.iter().map(|(reg, _)| *reg).collect(),
        };
        registers.into_iter()
    }

    /// The fact in a state.
    pub fn term(&self, explorer: &mut Explorer<'_, '_>, state: &mut State) -> TermId {
        match self {
            Fact::AtLeast(reg, bound) => {
                let below = at_most(explorer, state, *reg, bound - 1);
                explorer.enc.terms.not(below)
            }
            Fact::AtMost(reg, bound) => at_most(explorer, state, *reg, *bound),
            Fact::OneOf(reg, values) => {
                let equal: Vec<TermId> = values.iter().map(|v| equals(explorer, state, *reg, *v)).collect();
                explorer.enc.terms.or_all(&equal)
            }
            Fact::Not(reg, excluded) => {
                let equal = equals(explorer, state, *reg, *excluded);
                explorer.enc.terms.not(equal)
            }
            Fact::Exclusive((x, a), (y, b)) => {
                let (x, y) = (equals(explorer, state, *x, *a), equals(explorer, state, *y, *b));
                let both = explorer.enc.terms.and(x, y);
                explorer.enc.terms.not(both)
            }
            Fact::Congruent { reg, modulus, rest } => {
                let value = wide(explorer, state, *reg);
                let terms = &mut explorer.enc.terms;
                if modulus.is_power_of_two() {
                    let low = terms.extract(modulus.trailing_zeros() - 1, 0, value);
                    let rest = terms.bv(modulus.trailing_zeros(), u128::from(*rest));
                    return terms.eq(low, rest);
                }
                // A multiple of the modulus beyond all negative numbers makes the dividend positive.
                let shift = (1i128 << 64) / i128::from(*modulus) * i128::from(*modulus) + i128::from(*modulus);
                let shift = terms.bv_signed(WIDTH, shift);
                let (positive, divisor) = (terms.bv_add(value, shift), terms.bv(WIDTH, u128::from(*modulus)));
                let remainder = terms.bv_urem(positive, divisor);
                let rest = terms.bv(WIDTH, u128::from(*rest));
                terms.eq(remainder, rest)
            }
            // What needs no sum is easy for a solver.
            Fact::Octagon(Relation { x, y, signs: Signs::Difference, bound: 0 })
                if is_same_type(explorer.enc.program, *x, *y) =>
            {
                let ((x, ty), (y, _)) = (register(explorer, state, *x), register(explorer, state, *y));
                let terms = &mut explorer.enc.terms;
                if ty.is_signed() { terms.sle(x, y) } else { terms.ule(x, y) }
            }
            Fact::Octagon(Relation { x, y, signs, bound }) => {
                let (x, y) = (wide(explorer, state, *x), wide(explorer, state, *y));
                let terms = &mut explorer.enc.terms;
                let sum = match signs {
                    Signs::Difference => terms.bv_sub(x, y),
                    Signs::Sum => terms.bv_add(x, y),
                    Signs::Negated => {
                        let sum = terms.bv_add(x, y);
                        terms.bv_neg(sum)
                    }
                };
                let bound = terms.bv_signed(WIDTH, *bound);
                terms.sle(sum, bound)
            }
            Fact::Linear { sum, constant } => {
                let values: Vec<TermId> = sum.iter().map(|(reg, _)| register(explorer, state, *reg).0).collect();
                let coefficients: Vec<i128> = sum.iter().map(|(_, coefficient)| *coefficient).collect();
                equation(&mut explorer.enc.terms, &coefficients, &values, *constant, MAX_SPLITS)
            }
        }
    }

    /// The fact as a C expression, if all of its registers are variables of the source.
    pub fn text(&self, program: &Program) -> Option<String> {
        let name = |reg: &Reg| {
            let var = &program.vars[reg.var];
            let is_shown = matches!(var.kind, VarKind::Global | VarKind::Local | VarKind::Param);
            (is_shown && reg.part.is_none()).then(|| var.name.to_string())
        };
        let any = |reg: &Reg, values: &[i128]| {
            let parts: Option<Vec<String>> = values.iter().map(|v| Some(format!("{} == {v}", name(reg)?))).collect();
            parts.map(|parts| parts.join(" || "))
        };
        Some(match self {
            Fact::AtLeast(reg, bound) => format!("{} >= {bound}", name(reg)?),
            Fact::AtMost(reg, bound) => format!("{} <= {bound}", name(reg)?),
            Fact::Not(reg, value) => format!("{} != {value}", name(reg)?),
            Fact::OneOf(reg, values) => any(reg, values)?,
            Fact::Congruent { reg, modulus, rest } => {
                let is_signed = reg.ty(program).is_some_and(Scalar::is_signed);
                let name = name(reg)?;
                // Remainders have the sign of the dividend.
                match (rest, is_signed) {
                    (0, _) | (_, false) => format!("{name} % {modulus} == {rest}"),
                    (_, true) => format!("({name} % {modulus} + {modulus}) % {modulus} == {rest}"),
                }
            }
            Fact::Octagon(Relation { x, y, signs: Signs::Difference, bound: 0 }) if is_same_type(program, *x, *y) => {
                format!("{} <= {}", name(x)?, name(y)?)
            }
            Fact::Octagon(Relation { x, y, signs, bound }) => {
                let (x, y) = (format!("(__int128){}", name(x)?), name(y)?);
                match signs {
                    Signs::Difference => format!("{x} - {y} <= {bound}"),
                    Signs::Sum => format!("{x} + {y} <= {bound}"),
                    Signs::Negated => format!("-{x} - {y} <= {bound}"),
                }
            }
            Fact::Exclusive((x, a), (y, b)) => format!("{} != {a} || {} != {b}", name(x)?, name(y)?),
            Fact::Linear { sum, constant } => {
                let names: Option<Vec<String>> = sum.iter().map(|(reg, _)| name(reg)).collect();
                let types = sum.iter().map(|(reg, _)| program.vars[reg.var].register().unwrap_or(Scalar::Ptr));
                let parts: Vec<(i128, String, Scalar)> =
                    sum.iter().zip(names?).zip(types).map(|(((_, c), name), ty)| (*c, name, ty)).collect();
                linear(&parts, *constant)
            }
        })
    }
}

/// Whether a comparison of two registers needs no conversion, in C either.
fn is_same_type(program: &Program, x: Reg, y: Reg) -> bool {
    x.ty(program) == y.ty(program)
}

/// A sum that is 0, as an equation without negative numbers. Its registers are made unsigned, so that C computes as the term does.
fn linear(parts: &[(i128, String, Scalar)], constant: i128) -> String {
    let literal = |number: i128| if number > i128::from(i32::MAX) { format!("{number}U") } else { number.to_string() };
    let product = |(coefficient, name, ty): &(i128, String, Scalar)| {
        let unsigned = match ty {
            Scalar::Int { bits: 64, signed: true } => "(unsigned long long)",
            Scalar::Int { signed: true, .. } => "(unsigned)",
            _ => "",
        };
        match coefficient.abs() {
            1 => format!("{unsigned}{name}"),
            times => format!("{} * {unsigned}{name}", literal(times)),
        }
    };
    let mut sides = [Vec::new(), Vec::new()];
    for part in parts {
        sides[usize::from(part.0 < 0)].push(product(part));
    }
    if constant != 0 {
        sides[usize::from(constant < 0)].push(literal(constant.abs()));
    }
    let [left, right] = sides.map(|side| if side.is_empty() { "0".to_owned() } else { side.join(" + ") });
    format!("{left} == {right}")
}

/// Whether a sum of values and the constant is 0. Conditions that values depend on are told apart, and what is added to a value is multiplied, so that
/// steps of counters cancel out without a solver.
fn equation(terms: &mut Terms, coefficients: &[i128], values: &[TermId], constant: i128, splits: u32) -> TermId {
    let condition = values.iter().find_map(|value| match terms.node(*value) {
        Node::Ite(condition, ..) if splits > 0 => Some(condition),
        _ => None,
    });
    if let Some(condition) = condition {
        let branch = |pick: fn(TermId, TermId) -> TermId| -> Vec<TermId> {
            let choose = |value: &TermId| match terms.node(*value) {
                Node::Ite(c, then, els) if c == condition => pick(then, els),
                _ => *value,
            };
            values.iter().map(choose).collect()
        };
        let (then, els) = (branch(|then, _| then), branch(|_, els| els));
        let then = equation(terms, coefficients, &then, constant, splits - 1);
        let els = equation(terms, coefficients, &els, constant, splits - 1);
        return terms.ite(condition, then, els);
    }
    let width = values.first().map_or(1, |value| terms.width(*value));
    let (mut total, mut constant) = (terms.bv(width, 0), terms.bv_signed(width, constant));
    for (coefficient, value) in coefficients.iter().zip(values) {
        let (base, offset) = terms.split_offset(*value);
        let (coefficient, offset) = (terms.bv_signed(width, *coefficient), terms.bv(width, offset));
        let (product, added) = (terms.bv_mul(coefficient, base), terms.bv_mul(coefficient, offset));
        total = terms.bv_add(total, product);
        constant = terms.bv_add(constant, added);
    }
    let negated = terms.bv_neg(constant);
    terms.eq(total, negated)
}

/// Most conditions that an equation tells apart one in another.
const MAX_SPLITS: u32 = 4;
/// Sums of two numbers of 64 bits and their bounds fit.
const WIDTH: u32 = 68;

fn register(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg) -> (TermId, Scalar) {
    let frame = explorer.frame(reg.stack);
    let enc = &mut explorer.enc;
    let ty = reg.ty(enc.program).unwrap_or(Scalar::Ptr);
    let value = match reg.part {
        None => enc.register(state, frame, reg.var),
        Some(Part { offset, .. }) => {
            let base = enc.address_of(state, frame, reg.var);
            enc.scalar_at(state, base, offset, ty).unwrap_or_else(|| enc.arbitrary(state, "unknown", ty))
        }
    };
    if ty == Scalar::Bool {
        // A truth value counts as a number.
        let (one, zero) = (enc.terms.bv(8, 1), enc.terms.bv(8, 0));
        return (enc.terms.ite(value, one, zero), Scalar::Int { bits: 8, signed: false });
    }
    (value, ty)
}

/// The number that a register holds, as a term of that width.
fn wide(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg) -> TermId {
    let (value, ty) = register(explorer, state, reg);
    let terms = &mut explorer.enc.terms;
    if ty.is_signed() { terms.sign_resize(WIDTH, value) } else { terms.zero_resize(WIDTH, value) }
}

fn equals(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg, number: i128) -> TermId {
    let (value, ty) = register(explorer, state, reg);
    let (lo, hi) = range(ty);
    let terms = &mut explorer.enc.terms;
    if number < lo || number > hi {
        return terms.fals();
    }
    let number = terms.bv_signed(terms.width(value), number);
    terms.eq(value, number)
}

fn at_most(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg, bound: i128) -> TermId {
    let (value, ty) = register(explorer, state, reg);
    let (lo, hi) = range(ty);
    let terms = &mut explorer.enc.terms;
    if bound < lo || bound >= hi {
        return terms.bool_const(bound >= hi);
    }
    let bound = terms.bv_signed(terms.width(value), bound);
    if ty.is_signed() { terms.sle(value, bound) } else { terms.ule(value, bound) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_in_c() {
        let (int, unsigned) = (Scalar::Int { bits: 32, signed: true }, Scalar::Int { bits: 32, signed: false });
        let part = |c: i128, name: &str, ty| (c, name.to_owned(), ty);
        let check = |parts: &[_], constant, expected: &str| assert_eq!(linear(parts, constant), expected);
        check(&[part(1, "x", unsigned), part(1, "y", unsigned), part(-1, "n", unsigned)], 0, "x + y == n");
        check(&[part(2, "i", unsigned), part(-1, "s", int)], -2, "2 * i == (unsigned)s + 2");
        check(&[part(1, "a", Scalar::Int { bits: 64, signed: true })], 5, "(unsigned long long)a + 5 == 0");
        check(&[part(1, "x", unsigned), part(1, "y", unsigned)], -(1 << 31), "x + y == 2147483648U");
    }
}
