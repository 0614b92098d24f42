//! Whether operands have the types that expressions and operations are defined on.
//!
//! Lowering and transformations make what fits. An expression that does not fit is an error that nobody would see, because each domain gives it
//! some value; so the program that an analysis is given is looked at once, and a defect ends in `unknown`.

use crate::display;
use crate::expr::{BinOp, Expr, ExprId, ExprKind, UnOp};
use crate::op::Op;
use crate::program::{Program, VarId};
use crate::value::Scalar;

/// The first expression or operation with an operand that does not fit, in words.
pub fn misfit(program: &Program) -> Option<String> {
    let typing = Typing { program };
    let bad = program.exprs.ids().find(|id| !typing.expr_fits(program.exprs.get(*id)));
    if let Some(id) = bad {
        let expr = program.exprs.get(id);
        let operands: Vec<Expr> = program.exprs.operands(id).map(|operand| program.exprs.get(operand)).collect();
        return Some(format!("{expr:?} of {operands:?}"));
    }
    let bad = program.edges.iter().find(|edge| !typing.op_fits(&edge.op))?;
    Some(format!("{} ({:?})", display::op(program, &bad.op), bad.op))
}

struct Typing<'a> {
    program: &'a Program,
}

impl Typing<'_> {
    fn expr_fits(&self, Expr { kind, ty }: Expr) -> bool {
        let of = |id: ExprId| self.program.exprs.ty(id);
        match kind {
            ExprKind::Const(_) => true,
            ExprKind::Var(var) => self.register(var) == Some(ty),
            ExprKind::AddrOf(var) => ty == Scalar::Ptr && self.register(var).is_none(),
            ExprKind::FuncAddr(_) => ty == Scalar::Ptr,
            ExprKind::Load(addr) => of(addr) == Scalar::Ptr && ty != Scalar::Bool,
            ExprKind::Unary(op, a) => {
                let is_defined = match op {
                    UnOp::Neg => ty.is_int() || ty.is_float(),
                    UnOp::BitNot => ty.is_int(),
                    UnOp::Not => ty == Scalar::Bool,
                    UnOp::Sqrt => ty.is_float(),
                };
                is_defined && of(a) == ty
            }
            ExprKind::Binary(op, a, b) => binary_fits(op, ty, of(a), of(b)),
            ExprKind::PtrAdd(base, by) => ty == Scalar::Ptr && of(base) == Scalar::Ptr && self.is_distance(of(by)),
            ExprKind::Cast(_) => ty != Scalar::Bool,
            ExprKind::Ite(cond, a, b) => of(cond) == Scalar::Bool && of(a) == ty && of(b) == ty,
            ExprKind::Valid(_, addr, len) => ty == Scalar::Bool && of(addr) == Scalar::Ptr && self.is_distance(of(len)),
            ExprKind::Tracked => ty == Scalar::Bool,
        }
    }

    fn op_fits(&self, op: &Op) -> bool {
        let of = |id: &ExprId| self.program.exprs.ty(*id);
        let is_pointer = |id: &ExprId| of(id) == Scalar::Ptr;
        let takes = |dst: &VarId, ty: Scalar| self.register(*dst) == Some(ty);
        match op {
            Op::Assign { dst, src } => takes(dst, of(src)),
            Op::Havoc { dst, .. } => self.register(*dst).is_some(),
            Op::Assume { cond, .. } => of(cond) == Scalar::Bool,
            Op::Store { addr, value } => is_pointer(addr) && of(value) != Scalar::Bool,
            Op::MemCopy { dst, src, .. } => is_pointer(dst) && is_pointer(src),
            Op::MemSet { dst, byte, .. } => is_pointer(dst) && of(byte).is_int(),
            Op::MemHavoc { dst, .. } => is_pointer(dst),
            Op::Alloc { dst, size, .. } => takes(dst, Scalar::Ptr) && of(size) == self.program.address_type(),
            Op::Realloc { dst, ptr, size } => {
                takes(dst, Scalar::Ptr) && is_pointer(ptr) && of(size) == self.program.address_type()
            }
            Op::Free { ptr, .. } => is_pointer(ptr),
            Op::Declare { var } | Op::EndScope { var } => self.register(*var).is_none(),
            Op::Call { func, args, dst } => {
                let callee = &self.program.functions[*func];
                let result = callee.ret.and_then(|ret| self.register(ret));
                args.len() == callee.params.len()
                    && args.iter().zip(&callee.params).all(|(arg, param)| takes(param, of(arg)))
                    && dst.is_none_or(|dst| self.register(dst) == result)
            }
            Op::CallPtr { callee, .. } => is_pointer(callee),
            Op::Repeat(repeat) => {
                let count = of(&repeat.count);
                count.is_int()
                    && takes(&repeat.index, count)
                    && repeat.require.iter().all(|(cond, _)| of(cond) == Scalar::Bool)
                    && repeat.writes.iter().all(|write| is_pointer(&write.first) && is_pointer(&write.addr))
                    && repeat.reads.iter().all(|read| is_pointer(&read.first))
            }
            Op::CallExtern { .. } | Op::Skip | Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => true,
        }
    }

    fn register(&self, var: VarId) -> Option<Scalar> {
        self.program.vars[var].register()
    }

    fn is_distance(&self, ty: Scalar) -> bool {
        ty.is_int() && ty.bits(self.program.pointer_bits()) == self.program.pointer_bits()
    }
}

fn binary_fits(op: BinOp, ty: Scalar, a: Scalar, b: Scalar) -> bool {
    use BinOp::{Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub};
    match op {
        Add | Sub | Mul | Div => (ty.is_int() || ty.is_float()) && a == ty && b == ty,
        Rem | BitAnd | BitOr | BitXor => ty.is_int() && a == ty && b == ty,
        Shl | Shr => ty.is_int() && a == ty && b.is_int(),
        Eq | Ne | Lt | Le | Gt | Ge => ty == Scalar::Bool && a == b,
        And | Or => ty == Scalar::Bool && a == ty && b == ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;

    const LONG: Scalar = Scalar::Int { bits: 64, signed: true };

    /// What is said of a program with one more operation between the ends of its start function.
    fn told(op: impl FnOnce(&mut Builder) -> Op) -> Option<String> {
        let mut b = Builder::new();
        let (entry, exit) = (b.entry(b.program.start), b.exit(b.program.start));
        let op = op(&mut b);
        b.edge(entry, exit, op);
        misfit(&b.program)
    }

    #[test]
    fn operands_that_fit() {
        assert_eq!(
            told(|b| {
                let x = b.reg(None, "x", Scalar::INT);
                let (object, pointer) = (b.mem(None, "o", 4), b.reg(None, "p", Scalar::Ptr));
                let (object, _) = (b.addr(object), b.var(pointer));
                let loaded = b.load(object, Scalar::INT);
                let one = b.int(1);
                let src = b.bin(BinOp::BitAnd, loaded, one);
                Op::Assign { dst: x, src }
            }),
            None
        );
    }

    #[test]
    fn operands_that_do_not_fit() {
        let number_as_truth = told(|b| {
            let (one, two) = (b.int(1), b.int(2));
            let cond = b.program.exprs.add(ExprKind::Binary(BinOp::And, one, two), Scalar::INT);
            Op::Assume { cond, truth: true }
        });
        assert!(number_as_truth.is_some_and(|text| text.contains("And")));
        let narrow_register = told(|b| {
            let x = b.reg(None, "x", Scalar::INT);
            let src = b.constant(1, LONG);
            Op::Assign { dst: x, src }
        });
        assert!(narrow_register.is_some_and(|text| text.contains("Assign")));
        let number_as_address = told(|b| {
            let (addr, value) = (b.constant(8, LONG), b.int(1));
            Op::Store { addr, value }
        });
        assert!(number_as_address.is_some_and(|text| text.contains("Store")));
        let narrow_argument = told(|b| {
            let func = b.func("f", &[LONG]);
            let one = b.int(1);
            b.call(func, &[one])
        });
        assert!(narrow_argument.is_some_and(|text| text.contains("Call")));
    }
}
