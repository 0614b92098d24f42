//! Terms of expressions.

use crate::encoder::{Dead, Encoder, float_sort};
use crate::state::{FrameSlots, State};
use cfa::eval::{Leaf, Node};
use cfa::{BinOp, ExprId, FuncId, Scalar, UnOp, VarId};
use smt::TermId;

impl Encoder<'_> {
    /// The value of an expression in a state. Loads may restrict the state to the paths on which they are defined.
    pub fn eval(&mut self, state: &mut State, frame: FrameSlots, expr: ExprId) -> Result<TermId, Dead> {
        let exprs = &self.program.exprs;
        let cfa::Expr { kind, ty } = exprs.get(expr);
        let leaf = match kind.node() {
            Ok(node) => {
                let operand = |operand| self.eval(state, frame, operand).map(|term| (exprs.ty(operand), term));
                let node = node.try_map(operand)?;
                return Ok(self.compute(node, ty));
            }
            Err(leaf) => leaf,
        };
        Ok(match leaf {
            Leaf::Const(value) => self.constant(ty, value),
            Leaf::Var(var) => self.register(state, frame, var),
            Leaf::AddrOf(var) => self.address_of(state, frame, var),
            Leaf::FuncAddr(func) => self.function(func),
            Leaf::Load(address) => {
                let term = self.eval(state, frame, address)?;
                self.load(state, address, term, ty)?
            }
            Leaf::Valid(access, address, len) => {
                let term = self.eval(state, frame, address)?;
                let len = self.eval(state, frame, len)?;
                self.valid(state, access, (address, term), len)
            }
            Leaf::Tracked => self.tracked(state),
        })
    }

    /// The address of a function.
    pub fn function(&mut self, func: FuncId) -> TermId {
        self.terms.bv(self.program.pointer_bits(), u128::from(cfa::layout::function_address(func)))
    }

    /// What a node of type `ty` computes from operands with their types.
    pub fn compute(&mut self, node: Node<(Scalar, TermId)>, ty: Scalar) -> TermId {
        match node {
            Node::Unary(UnOp::Not, (_, a)) => self.terms.not(a),
            Node::Unary(UnOp::Neg, (_, a)) if ty.is_float() => self.terms.fp_neg(a),
            Node::Unary(UnOp::Neg, (_, a)) => self.terms.bv_neg(a),
            Node::Unary(UnOp::BitNot, (_, a)) => self.terms.bv_not(a),
            Node::Unary(UnOp::Sqrt, (_, a)) => self.terms.fp_sqrt(a),
            Node::Binary(op, (operands, a), (_, b)) => self.binary(op, operands, a, b),
            Node::PtrAdd((_, base), (_, offset)) => {
                let offset = self.terms.zero_resize(self.program.pointer_bits(), offset);
                self.terms.bv_add(base, offset)
            }
            Node::Cast((from, a)) => self.cast(from, ty, a),
            Node::Ite((_, c), (_, a), (_, b)) => self.terms.ite(c, a, b),
        }
    }

    /// Value of a register; arbitrary if it was never assigned.
    pub fn register(&mut self, state: &mut State, frame: FrameSlots, var: VarId) -> TermId {
        let slot = self.slots.slot(self.program, frame, var);
        if let Some(value) = state.slots.get(slot) {
            return *value;
        }
        let ty = self.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let sort = self.sort(ty);
        let value = self.terms.fresh_var("unset", sort);
        state.slots.insert(slot, value);
        value
    }

    /// Address of the current instance of a memory variable.
    pub fn address_of(&mut self, state: &mut State, frame: FrameSlots, var: VarId) -> TermId {
        match self.objects.global(var) {
            Some(object) => {
                let base = self.objects.get(object).base;
                self.terms.bv(self.program.pointer_bits(), u128::from(base))
            }
            None => self.register(state, frame, var),
        }
    }

    /// Applies an operator; `ty` is the type of the operands.
    pub fn binary(&mut self, op: BinOp, ty: Scalar, a: TermId, b: TermId) -> TermId {
        let t = &mut self.terms;
        if ty.is_float() {
            return match op {
                BinOp::Add => t.fp_add(a, b),
                BinOp::Sub => t.fp_sub(a, b),
                BinOp::Mul => t.fp_mul(a, b),
                BinOp::Div => t.fp_div(a, b),
                BinOp::Eq => t.fp_eq(a, b),
                BinOp::Ne => {
                    let eq = t.fp_eq(a, b);
                    t.not(eq)
                }
                BinOp::Lt => t.fp_lt(a, b),
                BinOp::Le => t.fp_le(a, b),
                BinOp::Gt => t.fp_gt(a, b),
                BinOp::Ge => t.fp_ge(a, b),
                _ => {
                    // No such operation on floats in C; any value is sound.
                    let sort = t.sort(a);
                    t.fresh_var("float", sort)
                }
            };
        }
        let signed = ty.is_signed();
        match (op, signed) {
            (BinOp::Add, _) => t.bv_add(a, b),
            (BinOp::Sub, _) => t.bv_sub(a, b),
            (BinOp::Mul, _) => t.bv_mul(a, b),
            (BinOp::Div, true) => t.bv_sdiv(a, b),
            (BinOp::Div, false) => t.bv_udiv(a, b),
            (BinOp::Rem, true) => t.bv_srem(a, b),
            (BinOp::Rem, false) => t.bv_urem(a, b),
            (BinOp::Shl | BinOp::Shr, _) => {
                let width = t.width(a);
                let b = t.zero_resize(width, b);
                match (op, signed) {
                    (BinOp::Shl, _) => t.bv_shl(a, b),
                    (_, true) => t.bv_ashr(a, b),
                    (_, false) => t.bv_lshr(a, b),
                }
            }
            (BinOp::BitAnd, _) if ty == Scalar::Bool => t.and(a, b),
            (BinOp::BitOr, _) if ty == Scalar::Bool => t.or(a, b),
            (BinOp::BitXor, _) if ty == Scalar::Bool => t.xor(a, b),
            (BinOp::BitAnd, _) => t.bv_and(a, b),
            (BinOp::BitOr, _) => t.bv_or(a, b),
            (BinOp::BitXor, _) => t.bv_xor(a, b),
            (BinOp::And, _) => t.and(a, b),
            (BinOp::Or, _) => t.or(a, b),
            (BinOp::Eq, _) => t.eq(a, b),
            (BinOp::Ne, _) => t.ne(a, b),
            (BinOp::Lt, true) => t.slt(a, b),
            (BinOp::Le, true) => t.sle(a, b),
            (BinOp::Gt, true) => t.sgt(a, b),
            (BinOp::Ge, true) => t.sge(a, b),
            (BinOp::Lt, false) => t.ult(a, b),
            (BinOp::Le, false) => t.ule(a, b),
            (BinOp::Gt, false) => t.ugt(a, b),
            (BinOp::Ge, false) => t.uge(a, b),
        }
    }

    /// Conversion with C's semantics, as `cfa::eval::eval_cast` does it for constants.
    pub fn cast(&mut self, from: Scalar, to: Scalar, a: TermId) -> TermId {
        let bits = to.bits(self.program.pointer_bits());
        let t = &mut self.terms;
        match (from, to) {
            (Scalar::Bool, Scalar::Bool) => a,
            (Scalar::Bool, Scalar::Float(format)) => {
                let a = t.bool_to_bv(8, a);
                t.fp_from_ubv(float_sort(format), a)
            }
            (Scalar::Bool, _) => t.bool_to_bv(bits, a),
            (Scalar::Float(format), Scalar::Bool) => {
                let zero = t.fp_const(0, float_sort(format));
                let eq = t.fp_eq(a, zero);
                t.not(eq)
            }
            (_, Scalar::Bool) => {
                let zero = t.bv(t.width(a), 0);
                t.ne(a, zero)
            }
            (Scalar::Float(x), Scalar::Float(y)) if x == y => a,
            (Scalar::Float(_), Scalar::Float(y)) => t.fp_to_fp(float_sort(y), a),
            (Scalar::Float(format), _) => self.float_to_int(format, to, a),
            (_, Scalar::Float(format)) if from.is_signed() => t.fp_from_sbv(float_sort(format), a),
            (_, Scalar::Float(format)) => t.fp_from_ubv(float_sort(format), a),
            (Scalar::Int { signed: true, .. }, Scalar::Int { .. }) => t.sign_resize(bits, a),
            _ => t.zero_resize(bits, a),
        }
    }

    /// Towards zero; what does not fit becomes any value, because C leaves it undefined and machines differ.
    fn float_to_int(&mut self, format: cfa::FloatFormat, to: Scalar, a: TermId) -> TermId {
        let bits = to.bits(self.program.pointer_bits());
        let sort = float_sort(format);
        let signed = to.is_signed();
        let t = &mut self.terms;
        let result = if signed { t.fp_to_sbv(bits, a) } else { t.fp_to_ubv(bits, a) };
        // In range exactly when -2^(bits-1) - 1 < a < 2^(bits-1), or -1 < a < 2^bits; both limits as floats that are
        // rounded outwards only where the format can't tell them from the values next to them.
        let exponent = if signed { bits - 1 } else { bits };
        let one = t.bv(128, 1);
        let shift = t.bv(128, u128::from(exponent.min(127)));
        let top = t.bv_shl(one, shift);
        let top = t.fp_from_ubv(sort, top);
        let below = t.fp_lt(a, top);
        let above = if signed {
            let low = t.fp_neg(top);
            if exponent < u32::from(sort.sig()) {
                let one = t.bv(8, 1);
                let one = t.fp_from_ubv(sort, one);
                let low = t.fp_sub(low, one);
                t.fp_gt(a, low)
            } else {
                t.fp_ge(a, low)
            }
        } else {
            let one = t.bv(8, 1);
            let one = t.fp_from_ubv(sort, one);
            let minus = t.fp_neg(one);
            t.fp_gt(a, minus)
        };
        let inside = t.and(below, above);
        if t.is_true(inside) {
            return result;
        }
        let any = t.fresh_var("out_of_range", smt::Sort::BitVec(bits));
        t.ite(inside, result, any)
    }
}
