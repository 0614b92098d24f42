//! Builds expressions: constants are folded by [`cfa::eval`], and what C's conversions leave behind is simplified.

use crate::context::Lowerer;
use cfa::eval::{eval_binary, eval_cast, eval_unary};
use cfa::{BinOp, ExprId, ExprKind, FuncId, Scalar, UnOp, Value, VarId};

/// The expression reads a register that can change.
pub(crate) const READS_VAR: u8 = 1;
/// The expression reads memory.
pub(crate) const READS_MEMORY: u8 = 2;

impl Lowerer<'_> {
    /// An integer or pointer constant.
    pub fn constant(&mut self, value: i128, ty: Scalar) -> ExprId {
        let value = Value::truncated(value as u128, ty.bits(self.pointer_bits));
        self.value(value, ty)
    }

    /// A constant.
    pub fn value(&mut self, value: Value, ty: Scalar) -> ExprId {
        self.p.exprs.add(ExprKind::Const(value), ty)
    }

    /// Zero, null or +0.0.
    pub fn zero(&mut self, ty: Scalar) -> ExprId {
        self.value(Value(0), ty)
    }

    /// A constant of type `size_t`.
    pub fn size_constant(&mut self, value: u64) -> ExprId {
        self.constant(i128::from(value), self.usize_ty())
    }

    /// Type of an expression.
    pub fn ty(&self, e: ExprId) -> Scalar {
        self.p.exprs.ty(e)
    }

    /// The constant that an expression is, sign-extended if its type is signed.
    pub fn as_int(&self, e: ExprId) -> Option<i128> {
        let value = self.p.exprs.as_const(e)?;
        match self.ty(e) {
            Scalar::Int { bits, signed: true } => Some(value.signed(u32::from(bits))),
            Scalar::Float(_) => None,
            _ => i128::try_from(value.0).ok(),
        }
    }

    /// Value of a register.
    pub fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.p.vars[var].register().unwrap_or(Scalar::Ptr);
        self.p.exprs.add(ExprKind::Var(var), ty)
    }

    /// Address of a memory variable.
    pub fn addr_of(&mut self, var: VarId) -> ExprId {
        self.p.exprs.add(ExprKind::AddrOf(var), Scalar::Ptr)
    }

    /// Address of a function.
    pub fn func_addr(&mut self, func: FuncId) -> ExprId {
        self.p.functions[func].address_taken = true;
        self.p.exprs.add(ExprKind::FuncAddr(func), Scalar::Ptr)
    }

    /// Scalar in memory.
    pub fn load(&mut self, addr: ExprId, ty: Scalar) -> ExprId {
        self.p.exprs.add(ExprKind::Load(addr), ty)
    }

    /// What the expression reads ([`READS_VAR`], [`READS_MEMORY`]); temporaries don't count, since they are assigned once.
    pub fn reads(&mut self, e: ExprId) -> u8 {
        use base::Id;
        while self.reads.len() <= e.index() {
            let id = ExprId::from_index(self.reads.len());
            let own = match self.p.exprs.kind(id) {
                ExprKind::Var(var) if !self.is_temp(var) => READS_VAR,
                ExprKind::Load(_) | ExprKind::Valid(..) | ExprKind::Tracked => READS_MEMORY,
                _ => 0,
            };
            let all = self.p.exprs.operands(id).fold(own, |all, op| all | self.reads[op.index()]);
            self.reads.push(all);
        }
        self.reads[e.index()]
    }

    /// Conversion with C's semantics; to `Bool` it is a comparison.
    pub fn cast(&mut self, e: ExprId, to: Scalar) -> ExprId {
        let from = self.ty(e);
        if from == to {
            return e;
        }
        if to == Scalar::Bool {
            return self.truth(e);
        }
        // C extends the sign of an integer that becomes a pointer.
        if to == Scalar::Ptr && from.is_signed() && from.bits(self.pointer_bits) < self.pointer_bits {
            let wide = self.cast(e, self.isize_ty());
            return match self.p.exprs.as_const(wide) {
                Some(_) => self.cast(wide, to),
                // Not by `cast`, which would look through the extension and come back here.
                None => self.p.exprs.add(ExprKind::Cast(wide), to),
            };
        }
        if let Some(value) = self.p.exprs.as_const(e)
            && let Some(folded) = eval_cast(from, to, value, self.pointer_bits)
        {
            return self.value(folded, to);
        }
        if let ExprKind::Cast(inner) = self.p.exprs.kind(e)
            && is_transparent(self.ty(inner), from, to, self.pointer_bits)
        {
            return self.cast(inner, to);
        }
        self.p.exprs.add(ExprKind::Cast(e), to)
    }

    /// Unary operation.
    pub fn unary(&mut self, op: UnOp, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        if let Some(value) = self.p.exprs.as_const(e)
            && let Some(folded) = eval_unary(op, ty, value, self.pointer_bits)
        {
            return self.value(folded, ty);
        }
        match self.p.exprs.kind(e) {
            ExprKind::Unary(inner, x) if inner == op && op != UnOp::Sqrt => return x,
            ExprKind::Binary(cmp, a, b) if op == UnOp::Not && !self.ty(a).is_float() => {
                let flipped = match cmp {
                    BinOp::Eq => Some(BinOp::Ne),
                    BinOp::Ne => Some(BinOp::Eq),
                    BinOp::Lt => Some(BinOp::Ge),
                    BinOp::Le => Some(BinOp::Gt),
                    BinOp::Gt => Some(BinOp::Le),
                    BinOp::Ge => Some(BinOp::Lt),
                    _ => None,
                };
                if let Some(flipped) = flipped {
                    return self.binary(flipped, a, b);
                }
            }
            _ => {}
        }
        self.p.exprs.add(ExprKind::Unary(op, e), ty)
    }

    /// Negation of a `Bool`.
    pub fn not(&mut self, e: ExprId) -> ExprId {
        self.unary(UnOp::Not, e)
    }

    /// Binary operation. The operands have one type, except for shifts.
    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let operand_ty = self.ty(a);
        let ty = if op.is_comparison() { Scalar::Bool } else { operand_ty };
        let (ca, cb) = (self.p.exprs.as_const(a), self.p.exprs.as_const(b));
        if let (Some(x), Some(y)) = (ca, cb)
            && let Some(folded) = eval_binary(op, operand_ty, x, y, self.pointer_bits)
        {
            return self.value(folded, ty);
        }
        if op == BinOp::And || op == BinOp::Or {
            let absorbing = op == BinOp::Or;
            for (x, other) in [(ca, b), (cb, a)] {
                if let Some(x) = x {
                    return if (x.0 != 0) == absorbing { self.value(Value::from(absorbing), ty) } else { other };
                }
            }
        }
        if !operand_ty.is_float() {
            match (op, ca, cb) {
                (BinOp::Add | BinOp::BitOr | BinOp::BitXor, Some(Value(0)), _) => return b,
                (
                    BinOp::Add | BinOp::Sub | BinOp::BitOr | BinOp::BitXor | BinOp::Shl | BinOp::Shr,
                    _,
                    Some(Value(0)),
                ) => return a,
                (BinOp::Mul, Some(Value(1)), _) => return b,
                (BinOp::Mul | BinOp::Div, _, Some(Value(1))) => return a,
                // `b != 0` and `b == 0` for a truth value that became an integer.
                (BinOp::Ne | BinOp::Eq, _, Some(Value(0))) => {
                    if let ExprKind::Cast(inner) = self.p.exprs.kind(a)
                        && self.ty(inner) == Scalar::Bool
                    {
                        return if op == BinOp::Ne { inner } else { self.not(inner) };
                    }
                    if let Some(folded) = self.address_is_null(a) {
                        return self.value(Value::from(folded == (op == BinOp::Eq)), ty);
                    }
                }
                _ => {}
            }
        }
        self.p.exprs.add(ExprKind::Binary(op, a, b), ty)
    }

    /// `Some(false)` for addresses of variables and functions, also as integers of the same width.
    fn address_is_null(&self, e: ExprId) -> Option<bool> {
        match self.p.exprs.kind(e) {
            ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) => Some(false),
            ExprKind::Cast(inner) if self.ty(e).bits(self.pointer_bits) >= self.pointer_bits => {
                self.address_is_null(inner)
            }
            _ => None,
        }
    }

    /// `a op b` where `b` is converted to the type of `a`.
    pub fn binary_as(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let b = self.cast(b, self.ty(a));
        self.binary(op, a, b)
    }

    /// `e op constant`.
    pub fn with_constant(&mut self, op: BinOp, e: ExprId, constant: i128) -> ExprId {
        let constant = self.constant(constant, self.ty(e));
        self.binary(op, e, constant)
    }

    /// The `Bool` that says whether a scalar is not zero.
    pub fn truth(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        if ty == Scalar::Bool {
            return e;
        }
        if let ExprKind::Cast(inner) = self.p.exprs.kind(e) {
            let from = self.ty(inner);
            let wide_enough = ty.bits(self.pointer_bits) >= from.bits(self.pointer_bits);
            if from == Scalar::Bool || wide_enough && !from.is_float() && !ty.is_float() {
                return self.truth(inner);
            }
        }
        let zero = self.zero(ty);
        self.binary(BinOp::Ne, e, zero)
    }

    /// The base of an address, without what is added to it.
    pub fn root(&self, mut addr: ExprId) -> ExprId {
        while let ExprKind::PtrAdd(base, _) = self.p.exprs.kind(addr) {
            addr = base;
        }
        addr
    }

    /// Whether an address is made of that of a variable.
    pub fn is_in_variable(&self, addr: ExprId) -> bool {
        matches!(self.p.exprs.kind(self.root(addr)), ExprKind::AddrOf(_))
    }

    /// Pointer moved by an integer number of bytes.
    pub fn ptr_add(&mut self, base: ExprId, offset: ExprId) -> ExprId {
        let base = self.cast(base, Scalar::Ptr);
        if let Some(offset) = self.as_int(offset) {
            return self.ptr_offset(base, offset);
        }
        self.p.exprs.add(ExprKind::PtrAdd(base, offset), Scalar::Ptr)
    }

    /// Pointer moved by a constant number of bytes.
    pub fn ptr_offset(&mut self, base: ExprId, offset: i128) -> ExprId {
        if offset == 0 {
            return base;
        }
        match self.p.exprs.kind(base) {
            ExprKind::Const(value) => return self.constant((value.0 as i128).wrapping_add(offset), Scalar::Ptr),
            ExprKind::PtrAdd(inner, by) => {
                if let Some(by) = self.as_int(by) {
                    // Unsigned offsets wrap around: read them as signed ones.
                    let by = Value::truncated(by as u128, self.pointer_bits).signed(self.pointer_bits);
                    return self.ptr_offset(inner, by.wrapping_add(offset));
                }
            }
            _ => {}
        }
        let offset = self.constant(offset, self.isize_ty());
        self.p.exprs.add(ExprKind::PtrAdd(base, offset), Scalar::Ptr)
    }

    /// `c ? a : b`.
    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match self.p.exprs.as_const(c) {
            Some(value) => {
                if value.0 != 0 {
                    a
                } else {
                    b
                }
            }
            None if a == b => a,
            None => self.p.exprs.add(ExprKind::Ite(c, a, b), self.ty(a)),
        }
    }
}

/// Whether converting from `a` over `b` to `c` is the same as converting from `a` to `c`: nothing is lost on the way
/// that `c` could still see.
fn is_transparent(a: Scalar, b: Scalar, c: Scalar, pointer_bits: u32) -> bool {
    if a == Scalar::Bool {
        return b.is_int() && !c.is_float();
    }
    if a.is_float() || b.is_float() || c.is_float() {
        return false;
    }
    let bits = |s: Scalar| s.bits(pointer_bits);
    let (wa, wb, wc) = (bits(a), bits(b), bits(c));
    if wc <= wb {
        // Bits of `b` are those of `a`, extended by the sign of `a` as the direct conversion does.
        true
    } else if wa < wb {
        !a.is_signed() || b.is_signed()
    } else {
        wa == wb && a.is_signed() == b.is_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts as [`Lowerer::cast`] does, without simplifying.
    fn convert(v: Value, from: Scalar, to: Scalar, pointer_bits: u32) -> Value {
        if to == Scalar::Ptr && from.is_signed() && from.bits(pointer_bits) < pointer_bits {
            let wide = Scalar::Int { bits: pointer_bits as u16, signed: true };
            return convert(convert(v, from, wide, pointer_bits), wide, to, pointer_bits);
        }
        eval_cast(from, to, v, pointer_bits).expect("a conversion between integers")
    }

    #[test]
    fn transparent_conversions_lose_nothing() {
        let mut types = vec![Scalar::Bool, Scalar::Ptr];
        for bits in [8, 16, 32, 64, 128] {
            types.extend([true, false].map(|signed| Scalar::Int { bits, signed }));
        }
        let mut transparent = 0;
        for pointer_bits in [32, 64] {
            for (a, b, c) in types.iter().flat_map(|a| types.iter().flat_map(|b| types.iter().map(|c| (*a, *b, *c)))) {
                if b == Scalar::Bool || c == Scalar::Bool || !is_transparent(a, b, c, pointer_bits) {
                    continue;
                }
                transparent += 1;
                let bits = a.bits(pointer_bits);
                for v in
                    [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, u64::MAX.into(), 1 << 63, 1 << 127, u128::MAX]
                {
                    let v = Value::truncated(v, bits);
                    let over = convert(convert(v, a, b, pointer_bits), b, c, pointer_bits);
                    assert_eq!(over, convert(v, a, c, pointer_bits), "{a:?} {b:?} {c:?} {v:?}");
                }
            }
        }
        assert!(transparent > 800, "{transparent}");
    }
}
