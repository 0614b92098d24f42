//! Facts about registers at a cut point: what invariants are made of, their terms, and their text.
//!
//! Numbers are those of C: a register's bits mean what its type says, and sums and differences are those of integers, so terms are
//! wide enough that nothing wraps around.

use crate::kinduction::explore::Explorer;
use cfa::{Program, Scalar, VarId, VarKind};
use domains::callstack::StackId;
use encode::State;
use smt::TermId;

/// A register of a frame; the frame of globals is that of the start function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reg {
    /// The frame: the stack whose top it is.
    pub stack: StackId,
    /// The register.
    pub var: VarId,
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
    /// `sum of ±registers <= bound` for two registers; the flag of each is whether it is subtracted.
    Octagon {
        /// The first.
        x: Reg,
        /// The second.
        y: Reg,
        /// Signs.
        signs: Signs,
        /// The bound.
        bound: i128,
    },
    /// The two registers do not have these values at the same time.
    Exclusive((Reg, i128), (Reg, i128)),
}

/// Signs of two registers in a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Signs {
    /// `x - y`
    Difference,
    /// `x + y`
    Sum,
    /// `-x - y`
    Negated,
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
        let (a, b) = match self {
            Fact::AtLeast(reg, _)
            | Fact::AtMost(reg, _)
            | Fact::OneOf(reg, _)
            | Fact::Not(reg, _)
            | Fact::Congruent { reg, .. } => (*reg, None),
            Fact::Octagon { x, y, .. } => (*x, Some(*y)),
            Fact::Exclusive((x, _), (y, _)) => (*x, Some(*y)),
        };
        std::iter::once(a).chain(b)
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
            Fact::Octagon { x, y, signs, bound } => {
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
        }
    }

    /// The fact as a C expression, if all of its registers are variables of the source.
    pub fn text(&self, program: &Program) -> Option<String> {
        let name = |reg: &Reg| {
            let var = &program.vars[reg.var];
            let is_shown = matches!(var.kind, VarKind::Global | VarKind::Local | VarKind::Param);
            is_shown.then(|| var.name.to_string())
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
                let is_signed = program.vars[reg.var].register().is_some_and(Scalar::is_signed);
                let name = name(reg)?;
                // Remainders have the sign of the dividend.
                match (rest, is_signed) {
                    (0, _) | (_, false) => format!("{name} % {modulus} == {rest}"),
                    (_, true) => format!("({name} % {modulus} + {modulus}) % {modulus} == {rest}"),
                }
            }
            Fact::Octagon { x, y, signs, bound } => {
                let (x, y) = (format!("(__int128){}", name(x)?), name(y)?);
                match signs {
                    Signs::Difference => format!("{x} - {y} <= {bound}"),
                    Signs::Sum => format!("{x} + {y} <= {bound}"),
                    Signs::Negated => format!("-{x} - {y} <= {bound}"),
                }
            }
            Fact::Exclusive((x, a), (y, b)) => format!("{} != {a} || {} != {b}", name(x)?, name(y)?),
        })
    }
}

/// Sums of two numbers of 64 bits and their bounds fit.
const WIDTH: u32 = 68;

fn register(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg) -> (TermId, Scalar) {
    let frame = explorer.frame(reg.stack);
    let ty = explorer.enc.program.vars[reg.var].register().unwrap_or(Scalar::Ptr);
    (explorer.enc.register(state, frame, reg.var), ty)
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
