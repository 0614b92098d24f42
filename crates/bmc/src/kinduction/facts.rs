//! Facts about registers, and scalars in memory variables, at a cut point: what invariants are made of, and their terms.
//!
//! Numbers are those of C: a register's bits mean what its type says, and sums and differences are those of integers, so terms are
//! wide enough that nothing wraps around.

use crate::kinduction::explore::{Cut, Explorer};
use cfa::points_to::Object;
use cfa::{Program, Scalar, VarId};
use domains::numerical::{Relation, Signs};
use encode::State;
use encode::memory::object::Size;
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

    /// The type of its values.
    pub fn ty(self, program: &Program) -> Option<Scalar> {
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
    /// The pointer is at most the address right behind the only instance of the object.
    UpToEnd(Reg, Object),
    /// The difference of two pointers is a multiple of a number.
    Apart {
        /// One pointer.
        x: Reg,
        /// The other one.
        y: Reg,
        /// At least 2.
        modulus: u64,
    },
    /// A bound of the sum or difference of two registers, both numbers or both pointers.
    Octagon(Relation<Reg>),
    /// The sum of two registers, each times a number up to 2^10, is at most the bound.
    Weighted {
        /// The registers with coefficients that are not 0.
        sum: [(Reg, i128); 2],
        /// The bound.
        bound: i128,
    },
    /// The two registers do not have these values at the same time.
    Exclusive((Reg, i128), (Reg, i128)),
    /// The sum of registers of one width, each times a number, and of the constant is 0 modulo two to the power of that width.
    Linear {
        /// Registers, each once, with coefficients that are not 0 and of the least size modulo that power; the first is positive.
        sum: Vec<(Reg, i128)>,
        /// The constant, also of the least size.
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
            | Fact::UpToEnd(reg, _)
            | Fact::Congruent { reg, .. } => vec![*reg],
            Fact::Octagon(Relation { x, y, .. }) | Fact::Apart { x, y, .. } | Fact::Exclusive((x, _), (y, _)) => {
                vec![*x, *y]
            }
            Fact::Weighted { sum, .. } => sum.iter().map(|(reg, _)| *reg).collect(),
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
                is_congruent(&mut explorer.enc.terms, value, *modulus, *rest)
            }
            Fact::UpToEnd(reg, object) => {
                let Some(end) = end(explorer, state, *object) else { return explorer.enc.terms.fals() };
                let value = wide(explorer, state, *reg);
                explorer.enc.terms.ule(value, end)
            }
            Fact::Apart { x, y, modulus } => {
                let (x, y) = (wide(explorer, state, *x), wide(explorer, state, *y));
                let terms = &mut explorer.enc.terms;
                let apart = terms.bv_sub(x, y);
                is_congruent(terms, apart, *modulus, 0)
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
            Fact::Weighted { sum, bound } => {
                let products = sum.map(|(reg, coefficient)| {
                    let value = wide(explorer, state, reg);
                    let terms = &mut explorer.enc.terms;
                    let (value, coefficient) =
                        (terms.sign_resize(WEIGHTED_WIDTH, value), terms.bv_signed(WEIGHTED_WIDTH, coefficient));
                    terms.bv_mul(coefficient, value)
                });
                let terms = &mut explorer.enc.terms;
                let (sum, bound) = (terms.bv_add(products[0], products[1]), terms.bv_signed(WEIGHTED_WIDTH, *bound));
                terms.sle(sum, bound)
            }
            Fact::Linear { sum, constant } => {
                let values: Vec<TermId> = sum.iter().map(|(reg, _)| register(explorer, state, *reg).0).collect();
                let coefficients: Vec<i128> = sum.iter().map(|(_, coefficient)| *coefficient).collect();
                equation(&mut explorer.enc.terms, &coefficients, &values, *constant, MAX_SPLITS)
            }
        }
    }
}

/// Whether a number of [`WIDTH`] has a rest modulo a number.
fn is_congruent(terms: &mut Terms, value: TermId, modulus: u64, rest: u64) -> TermId {
    if modulus.is_power_of_two() {
        let low = terms.extract(modulus.trailing_zeros() - 1, 0, value);
        let rest = terms.bv(modulus.trailing_zeros(), u128::from(rest));
        return terms.eq(low, rest);
    }
    // A multiple of the modulus beyond all negative numbers makes the dividend positive.
    let shift = (1i128 << 64) / i128::from(modulus) * i128::from(modulus) + i128::from(modulus);
    let shift = terms.bv_signed(WIDTH, shift);
    let (positive, divisor) = (terms.bv_add(value, shift), terms.bv(WIDTH, u128::from(modulus)));
    let remainder = terms.bv_urem(positive, divisor);
    let rest = terms.bv(WIDTH, u128::from(rest));
    terms.eq(remainder, rest)
}

/// Whether a comparison of two registers needs no conversion, in C either.
pub fn is_same_type(program: &Program, x: Reg, y: Reg) -> bool {
    x.ty(program) == y.ty(program)
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
/// Width in which the same holds of sums of multiples.
const WEIGHTED_WIDTH: u32 = 80;

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
    match ty {
        // A truth value counts as a number, and so does an address.
        Scalar::Bool => {
            let (one, zero) = (enc.terms.bv(8, 1), enc.terms.bv(8, 0));
            (enc.terms.ite(value, one, zero), Scalar::Int { bits: 8, signed: false })
        }
        Scalar::Ptr => (value, enc.program.address_type()),
        _ => (value, ty),
    }
}

/// The number that a register holds, as a term of that width.
fn wide(explorer: &mut Explorer<'_, '_>, state: &mut State, reg: Reg) -> TermId {
    let (value, ty) = register(explorer, state, reg);
    let terms = &mut explorer.enc.terms;
    if ty.is_signed() { terms.sign_resize(WIDTH, value) } else { terms.zero_resize(WIDTH, value) }
}

/// The address right behind the only instance of an object, as a term of that width.
fn end(explorer: &mut Explorer<'_, '_>, state: &State, object: Object) -> Option<TermId> {
    let (base, size) = explorer.instance(state, object).map(|instance| (instance.base, instance.size))?;
    let terms = &mut explorer.enc.terms;
    let size = match size {
        Size::Const(size) => terms.bv(WIDTH, u128::from(size)),
        Size::Term(size) => terms.zero_resize(WIDTH, size),
    };
    let base = terms.bv(WIDTH, u128::from(base));
    Some(terms.bv_add(base, size))
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
