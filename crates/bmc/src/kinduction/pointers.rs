//! Candidates about pointers: bounds of the object that they lead to, their order, and distances that are multiples of what is added to them.
//!
//! An address is a number, so that order and remainders of addresses say what a walk from one end of an array to the other needs: that
//! the pointer which moves does not jump over the one where it stops.

use crate::kinduction::explore::Explorer;
use crate::kinduction::facts::{Fact, Reg};
use base::IdVec;
use cfa::points_to::{Object, PointsTo};
use cfa::{BinOp, ExprId, ExprKind, Op, Program, VarId};
use domains::numerical::Relation;
use encode::State;
use num_integer::gcd;

/// What is added to registers that hold addresses: the greatest common divisor of these numbers of bytes, 0 where nothing is added.
pub struct Strides(IdVec<VarId, u64>);

impl Strides {
    /// Reads them off the program.
    pub fn new(program: &Program) -> Self {
        let mut this = Self(IdVec::from_elem(0, program.vars.len()));
        for edge in program.locs.iter().flat_map(|loc| &loc.out).map(|edge| &program.edges[*edge]) {
            match &edge.op {
                Op::Assign { dst, src } => this.assign(program, *dst, *src),
                Op::Call { func, args, .. } => {
                    let params = &program.functions[*func].params;
                    params.iter().zip(args).for_each(|(param, arg)| this.assign(program, *param, *arg));
                }
                _ => {}
            }
        }
        this
    }

    fn assign(&mut self, program: &Program, dst: VarId, src: ExprId) {
        let mut base = src;
        let mut stride = 0;
        while let ExprKind::PtrAdd(inner, by) = program.exprs.kind(base) {
            stride = gcd(stride, factor(program, by));
            base = inner;
        }
        if let ExprKind::Var(of) = program.exprs.kind(base) {
            for var in [dst, of] {
                self.0[var] = gcd(self.0[var], stride);
            }
        }
    }

    /// What divides all that is added to both.
    fn common(&self, x: Reg, y: Reg) -> Option<u64> {
        Some(gcd(self.0[x.var], self.0[y.var])).filter(|stride| *stride > 1)
    }
}

/// A number that divides the value of an expression.
fn factor(program: &Program, expr: ExprId) -> u64 {
    let exprs = &program.exprs;
    if let Some(value) = exprs.as_const(expr) {
        // The number of bytes is signed, and of the width of pointers.
        let shift = 128 - program.pointer_bits();
        return u64::try_from(((value.0 << shift) as i128 >> shift).unsigned_abs()).unwrap_or(1);
    }
    match exprs.kind(expr) {
        ExprKind::Binary(BinOp::Mul, a, b) => factor(program, a).saturating_mul(factor(program, b)),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => gcd(factor(program, a), factor(program, b)),
        _ => 1,
    }
}

/// Candidates in the state of a cut point about these registers, which hold addresses.
pub fn candidates(
    explorer: &Explorer<'_, '_>,
    state: &State,
    pointers: &[Reg],
    (strides, points_to): (&Strides, &PointsTo),
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (i, x) in pointers.iter().enumerate() {
        // Where there are several objects or instances, little would hold.
        let [object] = objects(points_to, x.var) else { continue };
        let Some(base) = explorer.instance(state, *object).map(|instance| instance.base) else { continue };
        facts.push(Fact::AtLeast(*x, i128::from(base)));
        facts.push(Fact::UpToEnd(*x, *object));
        let stride = strides.common(*x, *x);
        facts.extend(stride.map(|modulus| Fact::Congruent { reg: *x, modulus, rest: base % modulus }));
        for y in pointers[i + 1..].iter().filter(|y| objects(points_to, y.var) == [*object]) {
            for bound in [-1, 0] {
                facts.push(Fact::Octagon(Relation::difference(*x, *y, bound)));
                facts.push(Fact::Octagon(Relation::difference(*y, *x, bound)));
            }
            facts.extend(strides.common(*x, *y).map(|modulus| Fact::Apart { x: *x, y: *y, modulus }));
        }
    }
    facts
}

/// The objects that a register may lead to.
fn objects(points_to: &PointsTo, var: VarId) -> &[Object] {
    points_to.objects_of_register(var)
}
