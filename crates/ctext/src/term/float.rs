//! Floats and addresses as C expressions.

use super::{Leaf, LeafType, Polarity, Reader, Sign, is_c_width};
use cfa::layout::{external_range, object_range};
use cfa::{ExprId, ExprKind, FloatFormat, Scalar};
use smt::{BinOp, FloatSort, Node, Sort, TermId, UnOp};

impl Reader<'_> {
    /// Two sides of a comparison of pointers.
    fn pointers(&self, a: TermId, b: TermId) -> Option<(String, String)> {
        let pointer = |t: TermId| match self.terms.is_var(t).then(|| self.names.leaf(t))?? {
            Leaf { text, ty: LeafType::Pointer } => Some(text),
            _ => None,
        };
        let (a, b) = if pointer(a).is_some() { (a, b) } else { (b, a) };
        let left = pointer(a)?;
        let right = match self.terms.as_bv_const(b) {
            Some(0) => "0".to_owned(),
            Some(address) => self.names.address(u64::try_from(address).ok()?)?,
            None => pointer(b)?,
        };
        Some((left, right))
    }

    /// The addresses of a model mean nothing to readers.
    pub(super) fn refuse_addresses(&self, a: TermId, b: TermId) -> Option<()> {
        let is_address = |t: TermId| {
            self.terms.as_bv_const(t).and_then(|n| u64::try_from(n).ok()).is_some_and(|n| {
                object_range(self.machine).contains(&n) || external_range(self.machine).contains(&n) || n >= 4096
            })
        };
        const DEPTH: u32 = 8;
        let strange = |pointer: TermId, other: TermId| {
            self.has_pointer(pointer, DEPTH)
                && smt::subst::subterms(self.terms, &[pointer, other]).into_iter().any(is_address)
        };
        (!strange(a, b) && !strange(b, a)).then_some(())
    }

    pub(super) fn float(&mut self, t: TermId) -> Option<ExprId> {
        self.count()?;
        let Sort::Float(sort) = self.terms.sort(t) else { return None };
        let ty = Scalar::Float(match sort {
            FloatSort::F32 => FloatFormat::F32,
            FloatSort::F64 => FloatFormat::F64,
            _ => return None,
        });
        Some(match self.terms.node(t) {
            Node::Float { bits, .. } if bits & sort.infinity() != sort.infinity() => self.constant(bits, ty),
            Node::Var { .. } => match self.names.leaf(t)? {
                Leaf { text, ty: LeafType::Float } => self.named(text, ty),
                _ => return None,
            },
            Node::Un(UnOp::FpNeg, a) => {
                let a = self.float(a)?;
                self.exprs.add(ExprKind::Unary(cfa::UnOp::Neg, a), ty)
            }
            Node::Un(UnOp::FpToFp(_), a) => {
                let a = self.float(a)?;
                self.converted(a, ty)
            }
            Node::Un(op @ (UnOp::FpFromSbv(_) | UnOp::FpFromUbv(_)), a) => {
                let a = self.int(a, if matches!(op, UnOp::FpFromSbv(_)) { Sign::Signed } else { Sign::Unsigned })?;
                self.converted(a, ty)
            }
            Node::Bin(op @ (BinOp::FpAdd | BinOp::FpSub | BinOp::FpMul | BinOp::FpDiv), a, b) => {
                let op = match op {
                    BinOp::FpAdd => cfa::BinOp::Add,
                    BinOp::FpSub => cfa::BinOp::Sub,
                    BinOp::FpMul => cfa::BinOp::Mul,
                    _ => cfa::BinOp::Div,
                };
                let (a, b) = (self.float(a)?, self.float(b)?);
                self.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let c = self.truth(c, Polarity::Plain)?;
                let (a, b) = (self.float(a)?, self.float(b)?);
                self.exprs.add(ExprKind::Ite(c, a, b), ty)
            }
            _ => return None,
        })
    }

    /// The sides of an equation.
    pub(super) fn equal_sides(&mut self, a: TermId, b: TermId) -> Option<(ExprId, ExprId)> {
        match self.terms.sort(a) {
            Sort::Bool => Some((self.truth(a, Polarity::Plain)?, self.truth(b, Polarity::Plain)?)),
            Sort::BitVec(width) => {
                if let Some((a, b)) = self.pointers(a, b) {
                    return Some((self.named(a, Scalar::Ptr), self.named(b, Scalar::Ptr)));
                }
                self.refuse_addresses(a, b)?;
                let natural = self.natural(a).or_else(|| self.natural(b));
                let sign = natural.filter(|_| is_c_width(width)).unwrap_or(Sign::Unsigned);
                Some((self.int(a, sign)?, self.int(b, sign)?))
            }
            Sort::Float(sort) => {
                // The same value: C's `==`, except for zeros and NaNs.
                let bits = self.terms.as_fp_const(b)?;
                if bits & !sort.sign_bit() == 0 {
                    return None;
                }
                Some((self.float(a)?, self.float(b)?))
            }
            Sort::Int | Sort::Array { .. } => None,
        }
    }
}
