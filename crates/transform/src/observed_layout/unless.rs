//! Conditions under which the place of an object does not matter.

use crate::displacements::{cast, leads_elsewhere};
use cfa::{Access, BinOp, ExprId, ExprKind, Program, Scalar, UnOp, Value};

/// Where what is computed of an address does not depend on where its object lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Unless {
    Never,
    /// A number is of this kind, for an alignment.
    Low(Low, ExprId, u64),
    /// Both addresses lead to a byte of their objects, or the second one elsewhere.
    Inside(ExprId, ExprId),
}

/// Numbers that an alignment tells enough about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Low {
    /// The number, or its complement, has only bits below the alignment.
    Masks,
    /// The number has only bits below the alignment.
    IsBelow,
    /// The number divides the alignment.
    Divides,
}

impl Unless {
    /// Whether it is so, as an expression; `None` if it never is.
    pub(super) fn condition(self, program: &mut Program) -> Option<ExprId> {
        match self {
            Unless::Never => None,
            Unless::Low(kind, number, align) => Some(kind.holds(program, number, align)),
            Unless::Inside(a, b) => Some(inside(program, a, b)),
        }
    }
}

impl Low {
    fn holds(self, program: &mut Program, number: ExprId, align: u64) -> ExprId {
        let exprs = &mut program.exprs;
        let ty = exprs.ty(number);
        let above = ones(ty, program.machine.pointer_bits()) & !u128::from(align - 1);
        let none = exprs.add(ExprKind::Const(Value(0)), ty);
        let low = |exprs: &mut cfa::ExprPool, number| {
            let high = exprs.add(ExprKind::Const(Value(above)), ty);
            let rest = exprs.add(ExprKind::Binary(BinOp::BitAnd, number, high), ty);
            exprs.add(ExprKind::Binary(BinOp::Eq, rest, none), Scalar::Bool)
        };
        match self {
            Low::IsBelow => low(exprs, number),
            Low::Masks => {
                let complement = exprs.add(ExprKind::Unary(UnOp::BitNot, number), ty);
                let (a, b) = (low(exprs, number), low(exprs, complement));
                exprs.add(ExprKind::Binary(BinOp::Or, a, b), Scalar::Bool)
            }
            Low::Divides => {
                let one = exprs.add(ExprKind::Const(Value(1)), ty);
                let less = exprs.add(ExprKind::Binary(BinOp::Sub, number, one), ty);
                let is_low = low(exprs, less);
                let common = exprs.add(ExprKind::Binary(BinOp::BitAnd, number, less), ty);
                let is_power = exprs.add(ExprKind::Binary(BinOp::Eq, common, none), Scalar::Bool);
                exprs.add(ExprKind::Binary(BinOp::And, is_low, is_power), Scalar::Bool)
            }
        }
    }
}

/// Whether two addresses lead to a byte of their objects, or the second one elsewhere.
fn inside(program: &mut Program, a: ExprId, b: ExprId) -> ExprId {
    let elsewhere = leads_elsewhere(program, b);
    let number = program.address_type();
    let one = program.exprs.add(ExprKind::Const(Value(1)), number);
    let mut valid = |e: ExprId| {
        let address = cast(program, e, Scalar::Ptr);
        program.exprs.add(ExprKind::Valid(Access::Read, address, one), Scalar::Bool)
    };
    let (a, b) = (valid(a), valid(b));
    let both = program.exprs.add(ExprKind::Binary(BinOp::And, a, b), Scalar::Bool);
    let either = |all, one| program.exprs.add(ExprKind::Binary(BinOp::Or, all, one), Scalar::Bool);
    elsewhere.into_iter().fold(both, either)
}

/// All bits of a type.
pub(super) fn ones(ty: Scalar, pointer_bits: u32) -> u128 {
    u128::MAX >> (128 - ty.bits(pointer_bits))
}
