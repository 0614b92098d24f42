//! Expressions of automata as C expressions of the same value.
//!
//! In automata each operation has a type and wraps around; in C, conversions happen on their own and signed overflow has no result. So
//! for each operation is asked only what its user needs: a number ([`Writer::value`]), or its lowest bits
//! ([`Writer::low_bits`]), which sums, products and bitwise operations of lowest bits give. A cast is written where the type in which
//! C computes is too narrow, reads an operand as another number, or could overflow; bounds of values come from types and constants alone.

use crate::syntax::{Range, Tree, common, int, promoted, range, width, within};
use cfa::{BinOp, ExprId, ExprKind, ExprPool, FloatFormat, FuncId, MachineModel, Scalar, UnOp, Value, VarId};

/// Names of what occurs in expressions; without one, there is no text.
pub trait Names {
    /// A register.
    fn register(&self, var: VarId) -> Option<String>;

    /// An object in memory, as an expression for the address of its first byte.
    fn object(&self, var: VarId) -> Option<String>;

    /// A function.
    fn function(&self, func: FuncId) -> Option<String>;
}

/// What becomes of signed overflow when the text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// It wraps around, as in Hone and under `-fwrapv`.
    Wraps,
    /// It has no result: what may overflow is computed without signs.
    Undefined,
}

/// Writes expressions as C.
pub struct Writer<'a> {
    /// The expressions.
    pub exprs: &'a ExprPool,
    /// The names in them.
    pub names: &'a dyn Names,
    /// The types of the text.
    pub machine: MachineModel,
    /// The readers of the text.
    pub overflow: Overflow,
}

impl Writer<'_> {
    /// The assignment of a value to a variable of its type, without `;`.
    pub fn assignment(&self, name: &str, e: ExprId) -> Option<String> {
        Some(self.converted(e)?.on(self.machine).assignment(name))
    }

    /// Text with the value of an expression once C has converted it to the expression's type, as where it is assigned.
    pub fn initial_value(&self, e: ExprId) -> Option<String> {
        Some(self.converted(e)?.on(self.machine).text())
    }

    /// Text with the value of an expression, as a number.
    pub fn text(&self, e: ExprId) -> Option<String> {
        Some(self.value(e)?.on(self.machine).text())
    }

    /// Text for an argument of a function whose parameters are not declared: with the expression's type after promotion.
    pub fn argument(&self, e: ExprId) -> Option<String> {
        let (tree, ty) = (self.value(e)?, self.exprs.ty(e));
        let fits = promoted(tree.ty()) == promoted(ty) && self.machine.int_bits() == 32;
        Some(if fits { tree.text() } else { tree.cast(ty, self.machine).on(self.machine).text() })
    }

    fn converted(&self, e: ExprId) -> Option<Tree> {
        let ty = self.exprs.ty(e);
        if ty.is_int() {
            return match self.exprs.kind(e) {
                ExprKind::Cast(a) if self.exprs.ty(a).is_float() => self.value(a),
                _ => self.low_bits(e, width(ty)),
            };
        }
        let tree = self.value(e)?;
        Some(match tree.converted() {
            Some(inner) if ty.is_float() && tree.ty() == ty => inner.clone(),
            _ => tree,
        })
    }

    /// An expression with the value of `e`, in whichever type; for pointers and floats, in their own.
    pub fn value(&self, e: ExprId) -> Option<Tree> {
        let cfa::Expr { kind, ty } = self.exprs.get(e);
        match ty {
            Scalar::Bool => self.truth(e),
            Scalar::Int { bits, .. } => Some(self.fitted(self.low_bits(e, bits)?, ty)),
            Scalar::Float(format) => self.float(kind, format),
            Scalar::Ptr => self.pointer(kind),
        }
    }

    /// Makes lowest bits the number that they are in a type.
    fn fitted(&self, tree: Tree, ty: Scalar) -> Tree {
        if within(tree.range(), range(ty)) && (width(ty) < 128 || tree.ty() == ty) {
            return tree;
        }
        tree.cast(ty, self.machine)
    }

    /// An expression that agrees with `e`, of an integer type, in at least that many lowest bits.
    fn low_bits(&self, e: ExprId, bits: u16) -> Option<Tree> {
        let cfa::Expr { kind, ty } = self.exprs.get(e);
        Some(match kind {
            ExprKind::Const(value) => match ty {
                Scalar::Int { bits: 128, .. } => Tree::typed_number(value.0 as i128, ty),
                _ if ty.is_signed() => Tree::number(value.signed(u32::from(width(ty)))),
                // A suffix keeps it in the type of what it is combined with.
                _ if value.0 > i32::MAX as u128 => unsigned_number(value.0 as i128),
                _ => Tree::number(value.0 as i128),
            },
            ExprKind::Var(var) => Tree::atom(self.names.register(var)?, ty),
            ExprKind::Load(a) => Tree::load(self.value(a)?, ty, self.machine),
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.low_bits(a, bits)?;
                match a.as_number() {
                    Some(n) if n > 0 => Tree::number(-n),
                    _ => self.ring(BinOp::Sub, Tree::number(0), a, bits),
                }
            }
            ExprKind::Unary(_, a) => {
                let a = self.low_bits(a, bits)?;
                let own = promoted(a.ty());
                let a = if own.is_signed() || width(own) >= bits { a } else { a.cast(int(bits, false), self.machine) };
                let (ty, (lo, hi)) = (promoted(a.ty()), a.range());
                Tree::prefix("~", a, ty, if ty.is_signed() { (!hi, !lo) } else { range(ty) })
            }
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                self.sum(op, self.low_bits(a, bits)?, self.low_bits(b, bits)?, bits)
            }
            ExprKind::Binary(op @ (BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor), a, b) => {
                let (a, b) = self.together(self.low_bits(a, bits)?, self.low_bits(b, bits)?, bits);
                let (ty, range) = (common(&a, &b), bitwise_range(op, &a, &b));
                Tree::binary(op, a, b, ty, range)
            }
            ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => self.quotient(op, a, b)?,
            ExprKind::Binary(BinOp::Shl, a, by) => self.shifted_left(self.low_bits(a, bits)?, by, width(ty), bits)?,
            ExprKind::Binary(BinOp::Shr, a, by) => self.shifted_right(a, by)?,
            ExprKind::Cast(a) => match self.exprs.ty(a) {
                from @ Scalar::Int { .. } if width(from) >= bits => self.low_bits(a, bits)?,
                Scalar::Int { .. } | Scalar::Bool => self.value(a)?,
                Scalar::Float(_) => self.value(a)?.cast(ty, self.machine),
                Scalar::Ptr => {
                    let address = int(self.machine.pointer_bits() as u16, ty.is_signed());
                    self.value(a)?.cast(if width(ty) == width(address) { ty } else { address }, self.machine)
                }
            },
            ExprKind::Ite(c, a, b) => {
                let (a, b) = self.together(self.low_bits(a, bits)?, self.low_bits(b, bits)?, bits);
                Tree::choice(self.truth(c)?, a, b)
            }
            _ => return None,
        })
    }

    /// A sum, difference or product; adding a negative number is subtracting.
    fn sum(&self, op: BinOp, a: Tree, b: Tree, bits: u16) -> Tree {
        let is_negative = |t: &Tree| t.as_number().is_some_and(|n| n < 0 && n > i128::from(i32::MIN));
        let (a, b) = if op == BinOp::Add && is_negative(&a) && !is_negative(&b) { (b, a) } else { (a, b) };
        match (op, b.as_number().filter(|_| is_negative(&b))) {
            (BinOp::Add, Some(n)) => self.ring(BinOp::Sub, a, Tree::number(-n), bits),
            (BinOp::Sub, Some(n)) => self.ring(BinOp::Add, a, Tree::number(-n), bits),
            _ => self.ring(op, a, b, bits),
        }
    }

    /// A sum, difference or product of lowest bits.
    fn ring(&self, op: BinOp, a: Tree, b: Tree, bits: u16) -> Tree {
        let ty = common(&a, &b);
        let keeps = within(a.range(), range(ty)) && within(b.range(), range(ty));
        let exact = sum_range(op, a.range(), b.range()).filter(|exact| keeps && within(*exact, range(ty)));
        if let Some(exact) = exact {
            return Tree::binary(op, a, b, ty, exact);
        }
        let overflows = ty.is_signed() && self.overflow == Overflow::Undefined;
        let (a, b) = match overflows || width(ty) < bits {
            true => self.one_as(a, b, int(width(ty).max(bits), ty.is_signed() && !overflows)),
            false => (a, b),
        };
        let ty = common(&a, &b);
        Tree::binary(op, a, b, ty, range(ty))
    }

    /// Converts the operand that costs least, so that C computes with both in a type that is at least as wide as this one.
    fn one_as(&self, a: Tree, b: Tree, ty: Scalar) -> (Tree, Tree) {
        let suffixed = |t: &Tree| {
            let fits = |n: &i128| *n >= 0 && !ty.is_signed() && width(ty) < 128 && *n <= range(ty).1;
            t.as_number().filter(fits).map(|n| Tree::typed_number(n, ty))
        };
        if let Some(b) = suffixed(&b) {
            (a, b)
        } else if let Some(a) = suffixed(&a) {
            (a, b)
        } else if b.as_number().is_some() || a.conversions() > 0 {
            (a.cast(ty, self.machine), b)
        } else {
            (a, b.cast(ty, self.machine))
        }
    }

    /// Two operands whose lowest bits C's conversions to their common type keep.
    fn together(&self, a: Tree, b: Tree, bits: u16) -> (Tree, Tree) {
        let ty = common(&a, &b);
        if width(ty) >= bits || within(a.range(), range(ty)) && within(b.range(), range(ty)) {
            return (a, b);
        }
        self.one_as(a, b, int(bits, false))
    }

    /// The values of two operands of one type, which C's conversions keep.
    fn operands(&self, a: ExprId, b: ExprId) -> Option<(Tree, Tree)> {
        let ty = self.exprs.ty(a);
        let (mut a, mut b) = (self.value(a)?, self.value(b)?);
        if !ty.is_int() {
            return Some((a, b));
        }
        for side in [&mut a, &mut b] {
            // In a comparison or quotient, the type that a constant has by itself is wide enough.
            if let Some(n) = side.as_number().filter(|n| *n <= i128::from(i64::MAX)) {
                *side = Tree::number(n);
            }
        }
        let keeps = |a: &Tree, b: &Tree| {
            let ty = range(common(a, b));
            within(a.range(), ty) && within(b.range(), ty)
        };
        if !keeps(&a, &b) {
            for side in [&mut a, &mut b] {
                if !promoted(side.ty()).is_signed() {
                    *side = side.clone().cast(ty, self.machine);
                }
            }
        }
        keeps(&a, &b).then_some((a, b))
    }

    fn quotient(&self, op: BinOp, a: ExprId, b: ExprId) -> Option<Tree> {
        let (mut a, b) = self.operands(a, b)?;
        let least = |t: Scalar| range(t).0;
        if common(&a, &b).is_signed() && a.range().0 == least(common(&a, &b)) && within((-1, -1), b.range()) {
            // The least number has no negation, except in a wider type.
            match width(common(&a, &b)) {
                32 => a = a.cast(int(64, true), self.machine),
                64 if self.machine.pointer_bits() == 64 => a = a.cast(int(128, true), self.machine),
                _ if self.overflow == Overflow::Undefined => return None,
                _ => {}
            }
        }
        let ty = common(&a, &b);
        let ((lo, hi), divisor) = (a.range(), b.as_number().filter(|n| *n > 0));
        let range = match (op, divisor) {
            (BinOp::Div, Some(n)) => (lo / n, hi / n),
            (BinOp::Rem, Some(n)) => ((1 - n).max(lo.min(0)), (n - 1).min(hi.max(0))),
            _ => range(ty),
        };
        let range = if width(ty) < 128 || op == BinOp::Rem { range } else { crate::syntax::range(ty) };
        Some(Tree::binary(op, a, b, ty, range))
    }

    /// How far something of that width is shifted; nothing for constants that no run gets to shift by.
    fn distance(&self, by: ExprId, width: u16) -> Option<Tree> {
        self.value(by).filter(|by| by.as_number().is_none_or(|n| (0..i128::from(width)).contains(&n)))
    }

    /// `a << by`, where the distance is smaller than the width of the operation.
    fn shifted_left(&self, a: Tree, by: ExprId, own: u16, bits: u16) -> Option<Tree> {
        let by = self.distance(by, own)?;
        let needed = by.as_number().map_or(own, |n| bits.max(n as u16 + 1));
        let ty = promoted(a.ty());
        let (lo, hi) = a.range();
        let exact = by.as_number().and_then(|n| hi.checked_mul(1i128.checked_shl(n as u32)?));
        if let Some(exact) = exact.filter(|exact| lo >= 0 && width(ty) >= needed && *exact <= range(ty).1) {
            return Some(Tree::binary(BinOp::Shl, a, by, ty, (0, exact)));
        }
        let wide = int(width(ty).max(needed.next_power_of_two()), false);
        let a = if ty == wide { a } else { a.cast(wide, self.machine) };
        Some(Tree::binary(BinOp::Shl, a, by, wide, range(wide)))
    }

    /// `a >> by`, where the distance is smaller than the width of the operation.
    fn shifted_right(&self, a: ExprId, by: ExprId) -> Option<Tree> {
        let own = self.exprs.ty(a);
        let (a, by) = (self.value(a)?, self.distance(by, width(own))?);
        let is_enough = by.as_number().map_or(width(own), |n| n as u16 + 1) <= width(promoted(a.ty()));
        let a = if is_enough { a } else { a.cast(own, self.machine) };
        let ((lo, hi), ty) = (a.range(), promoted(a.ty()));
        let range = match by.as_number() {
            _ if width(ty) == 128 => range(ty),
            Some(n) => (lo >> n, hi >> n),
            None => (lo.min(0), hi.max(-1)),
        };
        Some(Tree::binary(BinOp::Shr, a, by, ty, range))
    }

    /// An expression that is 1 where a truth value holds, and 0 elsewhere.
    fn truth(&self, e: ExprId) -> Option<Tree> {
        Some(match self.exprs.kind(e) {
            ExprKind::Const(value) => Tree::number(value.0 as i128),
            ExprKind::Var(var) => Tree::atom(self.names.register(var)?, Scalar::Bool),
            ExprKind::Load(a) => Tree::load(self.value(a)?, Scalar::Bool, self.machine),
            ExprKind::Unary(_, a) => Tree::prefix("!", self.truth(a)?, Scalar::INT, (0, 1)),
            ExprKind::Ite(c, a, b) => Tree::choice(self.truth(c)?, self.truth(a)?, self.truth(b)?),
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(op, a, b)?,
            ExprKind::Binary(op, a, b) => Tree::truth(op, self.truth(a)?, self.truth(b)?),
            _ => return None,
        })
    }

    fn comparison(&self, op: BinOp, a: ExprId, b: ExprId) -> Option<Tree> {
        let ty = self.exprs.ty(a);
        if ty.is_float() {
            let (a, b) = self.floats(a, b)?;
            return Some(Tree::truth(op, a, b));
        }
        let exact = self.operands(a, b);
        // Two numbers are equal if the bits are that both have.
        let count = |(a, b): &(Tree, Tree)| a.conversions() + b.conversions();
        let is_short = exact.as_ref().is_some_and(|exact| count(exact) == 0);
        if !is_short && matches!(op, BinOp::Eq | BinOp::Ne) && matches!(width(ty), 32 | 64) {
            let bits = (self.low_bits(a, width(ty))?, self.low_bits(b, width(ty))?);
            let computed = common(&bits.0, &bits.1);
            if computed == int(width(ty), false) && exact.as_ref().is_none_or(|exact| count(exact) > count(&bits)) {
                return Some(Tree::truth(op, bits.0, bits.1));
            }
        }
        exact.map(|(a, b)| Tree::truth(op, a, b))
    }

    /// Two floats of one type; C converts the one to the type of the other.
    fn floats(&self, a: ExprId, b: ExprId) -> Option<(Tree, Tree)> {
        let ty = self.exprs.ty(a);
        let (mut a, mut b) = (self.value(a)?, self.value(b)?);
        let bare = |side: &Tree, other: &Tree| {
            side.converted().filter(|inner| common(inner, other) == ty && other.ty() == ty).cloned()
        };
        if let Some(inner) = bare(&b, &a) {
            b = inner;
        } else if let Some(inner) = bare(&a, &b) {
            a = inner;
        }
        Some((a, b))
    }

    fn float(&self, kind: ExprKind, format: FloatFormat) -> Option<Tree> {
        let ty = Scalar::Float(format);
        Some(match kind {
            ExprKind::Const(value) => self.float_number(value, format)?,
            ExprKind::Var(var) => Tree::atom(self.names.register(var)?, ty),
            ExprKind::Load(a) => Tree::load(self.value(a)?, ty, self.machine),
            ExprKind::Unary(UnOp::Neg, a) => Tree::prefix("-", self.value(a)?, ty, (0, 0)),
            ExprKind::Unary(UnOp::Sqrt, a) => {
                let suffix = if format == FloatFormat::F32 { "f" } else { "" };
                Tree::atom(format!("__builtin_sqrt{suffix}({})", self.value(a)?.text()), ty)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = self.floats(a, b)?;
                Tree::binary(op, a, b, ty, (0, 0))
            }
            ExprKind::Cast(a) => self.value(a)?.cast(ty, self.machine),
            ExprKind::Ite(c, a, b) => {
                let c = self.truth(c)?;
                let (a, b) = self.floats(a, b)?;
                Tree::choice(c, a, b)
            }
            _ => return None,
        })
    }

    fn float_number(&self, value: Value, format: FloatFormat) -> Option<Tree> {
        let (number, suffix) = match format {
            FloatFormat::F32 => (f64::from(f32::from_bits(value.0 as u32)), "f"),
            FloatFormat::F64 => (f64::from_bits(value.0 as u64), ""),
            // Of the other formats, what a `double` can hold is written.
            _ => {
                let (wide, double) = (Scalar::Float(format), Scalar::Float(FloatFormat::F64));
                let narrow = cfa::eval::eval_cast(wide, double, value, self.machine.pointer_bits())?;
                let same = cfa::eval::eval_cast(double, wide, narrow, self.machine.pointer_bits()) == Some(value);
                let number = self.float_number(narrow, FloatFormat::F64).filter(|_| same)?;
                return Some(number.cast(wide, self.machine));
            }
        };
        let sign = if number.is_sign_negative() { "-" } else { "" };
        let text = match (number.is_nan(), number.is_infinite()) {
            (true, _) => format!("{sign}__builtin_nan{suffix}(\"\")"),
            (_, true) => format!("{sign}__builtin_inf{suffix}()"),
            _ if format == FloatFormat::F32 => format!("{:?}f", f32::from_bits(value.0 as u32)),
            _ => format!("{number:?}"),
        };
        Some(Tree::atom(text, Scalar::Float(format)))
    }

    fn pointer(&self, kind: ExprKind) -> Option<Tree> {
        let ty = Scalar::Ptr;
        let address = int(self.machine.pointer_bits() as u16, false);
        let number = |e: ExprId| Some(self.value(e)?.cast(address, self.machine));
        Some(match kind {
            ExprKind::Const(Value(0)) => Tree::atom("0".to_owned(), ty),
            ExprKind::Const(value) => Tree::number(value.0 as i128).cast(ty, self.machine),
            ExprKind::Var(var) => Tree::atom(self.names.register(var)?, ty),
            ExprKind::AddrOf(var) => Tree::atom(self.names.object(var)?, ty),
            ExprKind::FuncAddr(func) => Tree::atom(self.names.function(func)?, ty).cast(ty, self.machine),
            ExprKind::Load(a) => Tree::load(self.value(a)?, ty, self.machine),
            ExprKind::PtrAdd(a, b) => {
                let (a, b) = (self.value(a)?, self.low_bits(b, width(address))?);
                match b.as_number() {
                    Some(n) if n < 0 => Tree::binary(BinOp::Sub, a, Tree::number(-n), ty, (0, 0)),
                    _ => Tree::binary(BinOp::Add, a, b, ty, (0, 0)),
                }
            }
            ExprKind::Binary(op, a, b) => {
                Tree::binary(op, number(a)?, number(b)?, address, range(address)).cast(ty, self.machine)
            }
            ExprKind::Cast(a) if self.exprs.ty(a) == ty => self.value(a)?,
            ExprKind::Cast(a) => {
                let a = self.value(a)?;
                let a = if width(a.ty()) == width(address) { a } else { a.cast(address, self.machine) };
                a.cast(ty, self.machine)
            }
            ExprKind::Ite(c, a, b) => Tree::choice(self.truth(c)?, self.value(a)?, self.value(b)?),
            _ => return None,
        })
    }
}

/// The values of a sum, difference or product.
fn sum_range(op: BinOp, (a, b): Range, (c, d): Range) -> Option<Range> {
    match op {
        BinOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        _ => {
            let products = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((products.into_iter().min()?, products.into_iter().max()?))
        }
    }
}

fn bitwise_range(op: BinOp, a: &Tree, b: &Tree) -> Range {
    let ty = range(common(a, b));
    let bound = |t: &Tree| if t.range().0 >= 0 { Some(t.range().1) } else { None };
    // Below the next power of two of both, if neither is negative.
    let below = |n: i128| (n as u128 + 1).checked_next_power_of_two().map_or(i128::MAX, |n| (n - 1) as i128);
    let bounds = match (op, bound(a), bound(b)) {
        (BinOp::BitAnd, Some(n), Some(m)) => (0, n.min(m)),
        (BinOp::BitAnd, Some(n), None) | (BinOp::BitAnd, None, Some(n)) => (0, n),
        (_, Some(n), Some(m)) => (0, below(n.max(m))),
        _ => ty,
    };
    if within(bounds, ty) { bounds } else { ty }
}

/// A constant with the suffix that keeps what it is combined with unsigned.
fn unsigned_number(value: i128) -> Tree {
    Tree::typed_number(value, int(if value <= i128::from(u32::MAX) { 32 } else { 64 }, false))
}
