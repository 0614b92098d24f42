//! Terms as C expressions over the variables of a program, with exactly the value of the term, or not at all.
//!
//! Bits have no sign, the expressions of automata do. An expression for a bit-vector is asked for with a sign ([`Sign`]): its value, as
//! a number, is then that of the term read with that sign. Bit-vectors of widths that C does not have are numbers of the next wider
//! type. Signed arithmetic wraps, as everywhere in Hone.

mod float;

use crate::expr::{self, Overflow};
use crate::syntax::int;
use base::Id;
use cfa::{ExprId, ExprKind, ExprPool, FuncId, MachineModel, Scalar, Value, VarId};
use smt::{BinOp, Node, TermId, Terms, UnOp};

/// A variable of terms in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// A primary or postfix expression.
    pub text: String,
    /// Its type.
    pub ty: LeafType,
}

/// Type of a [`Leaf`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafType {
    /// An integer type.
    Int {
        /// Width.
        bits: u32,
        /// Whether it is signed.
        signed: bool,
    },
    /// `_Bool`, or another type with the values 0 and 1, for a truth value.
    Truth,
    /// A floating type, by the variable's sort.
    Float,
    /// A pointer.
    Pointer,
}

/// What the names in expressions mean.
pub trait Names {
    /// What a variable is in C; `None` if it has no name there.
    fn leaf(&self, var: TermId) -> Option<Leaf>;

    /// The expression for an address, such as `&x`.
    fn address(&self, address: u64) -> Option<String>;

    /// What an element of an array is in C, such as `a[3]`; `None` if it has no name there.
    fn element(&self, array: TermId, index: u64) -> Option<Leaf> {
        let _ = (array, index);
        None
    }
}

/// How bits are read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Signed,
    Unsigned,
}

/// Whether a formula or its negation is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Polarity {
    Plain,
    Negated,
}

/// Most operators of an expression.
const MAX_SIZE: u32 = 200;

/// Writes a formula as a C expression that is 1 where it holds and 0 elsewhere; `None` if that is not possible, or too long.
pub fn formula(terms: &Terms, machine: MachineModel, names: &dyn Names, formula: TermId) -> Option<String> {
    let mut reader = Reader::new(terms, machine, names);
    let e = reader.truth(formula, Polarity::Plain)?;
    reader.text(e)
}

/// The same for the negation of a formula.
pub fn negation(terms: &Terms, machine: MachineModel, names: &dyn Names, formula: TermId) -> Option<String> {
    let mut reader = Reader::new(terms, machine, names);
    let e = reader.truth(formula, Polarity::Negated)?;
    reader.text(e)
}

/// Reads terms as expressions of automata.
struct Reader<'t> {
    terms: &'t Terms,
    machine: MachineModel,
    names: &'t dyn Names,
    size: u32,
    exprs: ExprPool,
    /// What the registers of `exprs` stand for.
    leaves: Leaves,
}

#[derive(Default)]
struct Leaves(Vec<String>);

impl expr::Names for Leaves {
    fn register(&self, var: VarId) -> Option<String> {
        self.0.get(var.index()).cloned()
    }

    fn object(&self, _: VarId) -> Option<String> {
        None
    }

    fn function(&self, _: FuncId) -> Option<String> {
        None
    }
}

fn is_c_width(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32 | 64)
}

fn signed_value(width: u32, value: u128) -> i128 {
    Value(value).signed(width)
}

/// The type whose numbers hold all bit-vectors of a width.
fn number_type(width: u32, sign: Sign) -> Option<Scalar> {
    let bits = [8, 16, 32, 64].into_iter().find(|bits| *bits >= width)?;
    Some(int(bits as u16, sign == Sign::Signed))
}

impl<'t> Reader<'t> {
    fn new(terms: &'t Terms, machine: MachineModel, names: &'t dyn Names) -> Self {
        Self { terms, machine, names, size: 0, exprs: ExprPool::default(), leaves: Leaves::default() }
    }

    fn text(&self, e: ExprId) -> Option<String> {
        let (exprs, names) = (&self.exprs, &self.leaves);
        expr::Writer { exprs, names, machine: self.machine, overflow: Overflow::Wraps }.text(e)
    }

    fn count(&mut self) -> Option<()> {
        self.size += 1;
        (self.size <= MAX_SIZE).then_some(())
    }

    fn named(&mut self, text: String, ty: Scalar) -> ExprId {
        self.leaves.0.push(text);
        self.exprs.add(ExprKind::Var(VarId::from_index(self.leaves.0.len() - 1)), ty)
    }

    fn binary(&mut self, op: cfa::BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() { Scalar::Bool } else { self.exprs.ty(a) };
        self.exprs.add(ExprKind::Binary(op, a, b), ty)
    }

    fn converted(&mut self, e: ExprId, ty: Scalar) -> ExprId {
        if self.exprs.ty(e) == ty { e } else { self.exprs.add(ExprKind::Cast(e), ty) }
    }

    fn constant(&mut self, value: u128, ty: Scalar) -> ExprId {
        let value = Value::truncated(value, ty.bits(self.machine.pointer_bits()));
        self.exprs.add(ExprKind::Const(value), ty)
    }

    /// The sign with which a term is meant, as far as it shows.
    fn natural(&self, t: TermId) -> Option<Sign> {
        match self.terms.node(t) {
            Node::Var { .. } | Node::Bin(BinOp::Select, ..) => match self.leaf(t)?.ty {
                LeafType::Int { signed: true, .. } => Some(Sign::Signed),
                LeafType::Int { .. } | LeafType::Pointer => Some(Sign::Unsigned),
                LeafType::Truth | LeafType::Float => None,
            },
            Node::Un(UnOp::SignExt(_), _) | Node::Bin(BinOp::BvSdiv | BinOp::BvSrem | BinOp::BvAshr, ..) => {
                Some(Sign::Signed)
            }
            Node::Un(UnOp::ZeroExt(_), _) | Node::Bin(BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvLshr, ..) => {
                Some(Sign::Unsigned)
            }
            Node::Un(UnOp::BvNeg | UnOp::BvNot, a) => self.natural(a),
            Node::Bin(BinOp::Concat, ..) => self.natural(self.shifted(t)?.0),
            Node::Bin(op, a, b) if op != BinOp::Concat => self.natural(a).or_else(|| self.natural(b)),
            Node::Ite(_, a, b) => self.natural(a).or_else(|| self.natural(b)),
            _ => None,
        }
    }

    /// The term that is shifted to the left, and how far, if that is what putting parts together amounts to.
    fn shifted(&self, t: TermId) -> Option<(TermId, u32)> {
        let Node::Bin(BinOp::Concat, high, low) = self.terms.node(t) else { return None };
        let Node::Un(UnOp::Extract { lo: 0, .. }, a) = self.terms.node(high) else { return None };
        let width = self.terms.width(t);
        let is_shift = self.terms.as_bv_const(low) == Some(0) && self.terms.width(a) == width && is_c_width(width);
        is_shift.then(|| (a, self.terms.width(low)))
    }

    /// Whether pointers take part.
    fn has_pointer(&self, t: TermId, depth: u32) -> bool {
        let is_pointer = |var| self.names.leaf(var).is_some_and(|leaf| leaf.ty == LeafType::Pointer);
        self.terms.is_var(t) && is_pointer(t)
            || depth > 0 && self.terms.children(t).iter().any(|child| self.has_pointer(*child, depth - 1))
    }

    /// What a variable or an element of an array is.
    fn leaf(&self, t: TermId) -> Option<Leaf> {
        match self.terms.node(t) {
            Node::Bin(BinOp::Select, array, index) => {
                let index = u64::try_from(self.terms.as_bv_const(index)?).ok()?;
                self.names.element(array, index).filter(|leaf| leaf.ty != LeafType::Pointer)
            }
            _ => self.names.leaf(t),
        }
    }

    /// An expression whose value is that of a bit-vector, read with a sign.
    fn int(&mut self, t: TermId, sign: Sign) -> Option<ExprId> {
        self.count()?;
        let width = self.terms.width(t);
        let ty = number_type(width, sign)?;
        match self.terms.node(t) {
            Node::Bv { value, .. } => {
                let value = if sign == Sign::Signed { signed_value(width, value) as u128 } else { value };
                Some(self.constant(value, ty))
            }
            Node::Var { .. } | Node::Bin(BinOp::Select, ..) => {
                let Leaf { text, ty: leaf } = self.leaf(t)?;
                let own = match leaf {
                    LeafType::Int { bits, signed } if bits == width && is_c_width(bits) => int(bits as u16, signed),
                    LeafType::Pointer if width == self.machine.pointer_bits() => Scalar::Ptr,
                    _ => return None,
                };
                let leaf = self.named(text, own);
                Some(self.converted(leaf, ty))
            }
            Node::Un(op @ (UnOp::BvNeg | UnOp::BvNot), a) if is_c_width(width) => {
                let op = if op == UnOp::BvNeg { cfa::UnOp::Neg } else { cfa::UnOp::BitNot };
                let a = self.int(a, sign)?;
                Some(self.exprs.add(ExprKind::Unary(op, a), ty))
            }
            Node::Un(UnOp::ZeroExt(_), a) => {
                let a = self.int(a, Sign::Unsigned)?;
                Some(self.converted(a, ty))
            }
            Node::Un(UnOp::SignExt(_), a) => {
                let a = self.int(a, Sign::Signed)?;
                self.exact(a, width, sign)
            }
            Node::Un(UnOp::Extract { hi, lo }, a) => self.extract((u32::from(hi), u32::from(lo)), a, sign),
            Node::Bin(BinOp::Concat, ..) if self.shifted(t).is_some() => {
                let (a, by) = self.shifted(t)?;
                self.multiple(a, by, sign)
            }
            Node::Bin(BinOp::Concat, high, low) => self.concatenated(high, low, (width, sign)),
            Node::Bin(BinOp::BvShl, a, by) if is_c_width(width) => match self.terms.as_bv_const(by) {
                Some(by) => self.multiple(a, u32::try_from(by).ok().filter(|by| *by < width)?, sign),
                None => self.shifted_left(a, by, sign),
            },
            Node::Bin(op @ (BinOp::BvLshr | BinOp::BvAshr), a, by) => {
                let by = self.terms.as_bv_const(by).filter(|by| (1..u128::from(width)).contains(by))?;
                let reading = if op == BinOp::BvLshr { Sign::Unsigned } else { Sign::Signed };
                let a = self.int(a, reading)?;
                let by = self.constant(by, Scalar::INT);
                let shifted = self.binary(cfa::BinOp::Shr, a, by);
                // What was shifted down fits with either sign, if it is not negative.
                if op == BinOp::BvLshr { Some(self.converted(shifted, ty)) } else { self.exact(shifted, width, sign) }
            }
            Node::Bin(op @ (BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvSdiv | BinOp::BvSrem), a, b) => {
                let divisor = self.terms.as_bv_const(b)?;
                let reading = if matches!(op, BinOp::BvUdiv | BinOp::BvUrem) { Sign::Unsigned } else { Sign::Signed };
                if divisor == 0 || reading == Sign::Signed && signed_value(width, divisor) == -1 {
                    return None;
                }
                let (a, b) = (self.int(a, reading)?, self.int(b, reading)?);
                let is_quotient = matches!(op, BinOp::BvUdiv | BinOp::BvSdiv);
                let quotient = self.binary(if is_quotient { cfa::BinOp::Div } else { cfa::BinOp::Rem }, a, b);
                self.exact(quotient, width, sign)
            }
            Node::Bin(op, a, b) => self.ring(op, a, b, sign),
            Node::Ite(c, a, b) => {
                let one = self.terms.as_bv_const(a) == Some(1) && self.terms.as_bv_const(b) == Some(0);
                let c = self.truth(c, Polarity::Plain)?;
                if one && (width > 1 || sign == Sign::Unsigned) {
                    return Some(self.converted(c, ty));
                }
                let (a, b) = (self.int(a, sign)?, self.int(b, sign)?);
                Some(self.exprs.add(ExprKind::Ite(c, a, b), ty))
            }
            _ => None,
        }
    }

    /// Two bit-vectors one behind the other.
    fn concatenated(&mut self, high: TermId, low: TermId, (width, sign): (u32, Sign)) -> Option<ExprId> {
        let container = int(if width <= 32 { 32 } else { 64 }, false);
        let (high, by) = (self.int(high, Sign::Unsigned)?, self.terms.width(low));
        let low = self.int(low, Sign::Unsigned)?;
        let (high, low) = (self.converted(high, container), self.converted(low, container));
        let by = self.constant(u128::from(by), container);
        let high = self.binary(cfa::BinOp::Shl, high, by);
        let both = self.binary(cfa::BinOp::BitOr, high, low);
        self.exact(both, width, sign)
    }

    /// A number of one sign as that of the other with the same bits, where C has such a type.
    fn exact(&mut self, e: ExprId, width: u32, sign: Sign) -> Option<ExprId> {
        let is_read = self.exprs.ty(e).is_signed() == (sign == Sign::Signed);
        let ty = number_type(width, sign)?;
        (is_read || is_c_width(width)).then(|| self.converted(e, ty))
    }

    /// What is shifted to the left by a known distance, as a product.
    fn multiple(&mut self, a: TermId, by: u32, sign: Sign) -> Option<ExprId> {
        let a = self.int(a, sign)?;
        let factor = self.constant(1 << by, self.exprs.ty(a));
        Some(self.binary(cfa::BinOp::Mul, a, factor))
    }

    /// In C, a number has no more places than bits.
    fn shifted_left(&mut self, a: TermId, by: TermId, sign: Sign) -> Option<ExprId> {
        let width = self.terms.width(a);
        let (a, by) = (self.int(a, Sign::Unsigned)?, self.int(by, Sign::Unsigned)?);
        let ty = self.exprs.ty(a);
        let (limit, zero) = (self.constant(u128::from(width), ty), self.constant(0, ty));
        let fits = self.binary(cfa::BinOp::Lt, by, limit);
        let shifted = self.binary(cfa::BinOp::Shl, a, by);
        let choice = self.exprs.add(ExprKind::Ite(fits, shifted, zero), ty);
        self.exact(choice, width, sign)
    }

    /// An operation that may be carried out modulo any larger power of two; adding a number that is negative with its sign is subtracting.
    fn ring(&mut self, op: BinOp, a: TermId, b: TermId, sign: Sign) -> Option<ExprId> {
        let width = self.terms.width(a);
        let (symbol, is_bitwise) = match op {
            BinOp::BvAdd => (cfa::BinOp::Add, false),
            BinOp::BvSub => (cfa::BinOp::Sub, false),
            BinOp::BvMul => (cfa::BinOp::Mul, false),
            BinOp::BvAnd => (cfa::BinOp::BitAnd, true),
            BinOp::BvXor => (cfa::BinOp::BitXor, true),
            BinOp::BvOr => (cfa::BinOp::BitOr, true),
            _ => return None,
        };
        if !(is_c_width(width) || is_bitwise && sign == Sign::Unsigned) {
            return None;
        }
        let (a, b) = if op == BinOp::BvAdd && self.terms.as_bv_const(a).is_some() { (b, a) } else { (a, b) };
        let number = self.terms.as_bv_const(b).map_or(0, |n| signed_value(width, n));
        if op == BinOp::BvAdd && number < 0 && number > -(1 << 16) {
            let a = self.int(a, sign)?;
            let b = self.constant(number.unsigned_abs(), self.exprs.ty(a));
            return Some(self.binary(cfa::BinOp::Sub, a, b));
        }
        let (a, b) = (self.int(a, sign)?, self.int(b, sign)?);
        Some(self.binary(symbol, a, b))
    }

    fn extract(&mut self, (hi, lo): (u32, u32), a: TermId, sign: Sign) -> Option<ExprId> {
        let (width, from) = (hi - lo + 1, self.terms.width(a));
        // Where the highest bits are cut off, it does not matter how they are read.
        let reading = if hi + 1 < from && is_c_width(from) { self.natural(a) } else { None };
        let mut e = self.int(a, reading.unwrap_or(Sign::Unsigned))?;
        if lo > 0 {
            let by = self.constant(u128::from(lo), Scalar::INT);
            e = self.binary(cfa::BinOp::Shr, e, by);
        }
        let ty = number_type(width, sign)?;
        match sign {
            Sign::Unsigned if hi + 1 == from => Some(self.converted(e, ty)),
            _ if is_c_width(width) => Some(self.converted(e, ty)),
            Sign::Unsigned => {
                let mask = self.constant((1 << width) - 1, self.exprs.ty(e));
                let e = self.binary(cfa::BinOp::BitAnd, e, mask);
                Some(self.converted(e, ty))
            }
            Sign::Signed => None,
        }
    }

    /// A formula or its negation, as a truth value.
    fn truth(&mut self, t: TermId, polarity: Polarity) -> Option<ExprId> {
        self.count()?;
        let flip = |polarity| if polarity == Polarity::Plain { Polarity::Negated } else { Polarity::Plain };
        let plain = polarity == Polarity::Plain;
        Some(match self.terms.node(t) {
            Node::Bool(value) => self.constant(u128::from(value == plain), Scalar::Bool),
            Node::Var { .. } => match self.names.leaf(t)? {
                Leaf { text, ty: LeafType::Truth } => {
                    let leaf = self.named(text, Scalar::Bool);
                    self.negated_unless(plain, leaf)
                }
                _ => return None,
            },
            Node::Un(UnOp::Not, a) => self.truth(a, flip(polarity))?,
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, b) = (self.truth(a, polarity)?, self.truth(b, polarity)?);
                let op = if (op == BinOp::And) == plain { cfa::BinOp::And } else { cfa::BinOp::Or };
                self.exprs.add(ExprKind::Binary(op, a, b), Scalar::Bool)
            }
            Node::Ite(c, a, b) => {
                let c = self.truth(c, Polarity::Plain)?;
                let (a, b) = (self.truth(a, polarity)?, self.truth(b, polarity)?);
                self.exprs.add(ExprKind::Ite(c, a, b), Scalar::Bool)
            }
            Node::Bin(BinOp::Eq, a, b) => {
                let (a, b) = if self.terms.is_const(a) { (b, a) } else { (a, b) };
                let (a, b) = self.equal_sides(a, b)?;
                self.binary(if plain { cfa::BinOp::Eq } else { cfa::BinOp::Ne }, a, b)
            }
            Node::Bin(op @ (BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle), a, b) => {
                self.refuse_addresses(a, b)?;
                let sign = if matches!(op, BinOp::BvUlt | BinOp::BvUle) { Sign::Unsigned } else { Sign::Signed };
                let (left, right) = (self.int(a, sign)?, self.int(b, sign)?);
                let is_strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
                use cfa::BinOp::{Ge, Gt, Le, Lt};
                let (op, mirrored) = match (is_strict, plain) {
                    (true, true) => (Lt, Gt),
                    (false, true) => (Le, Ge),
                    (true, false) => (Ge, Le),
                    (false, false) => (Gt, Lt),
                };
                match self.terms.is_const(a) {
                    true => self.binary(mirrored, right, left),
                    false => self.binary(op, left, right),
                }
            }
            Node::Bin(op @ (BinOp::FpEq | BinOp::FpLt | BinOp::FpLe), a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                match op {
                    BinOp::FpEq => self.binary(if plain { cfa::BinOp::Eq } else { cfa::BinOp::Ne }, a, b),
                    _ => {
                        let less = self.binary(if op == BinOp::FpLt { cfa::BinOp::Lt } else { cfa::BinOp::Le }, a, b);
                        self.negated_unless(plain, less)
                    }
                }
            }
            Node::Un(op @ (UnOp::FpIsNan | UnOp::FpIsZero), a) => {
                let a = self.float(a)?;
                let other = if op == UnOp::FpIsNan { a } else { self.constant(0, self.exprs.ty(a)) };
                let op = if (op == UnOp::FpIsNan) == plain { cfa::BinOp::Ne } else { cfa::BinOp::Eq };
                self.binary(op, a, other)
            }
            _ => return None,
        })
    }

    fn negated_unless(&mut self, plain: bool, e: ExprId) -> ExprId {
        if plain { e } else { self.exprs.add(ExprKind::Unary(cfa::UnOp::Not, e), Scalar::Bool) }
    }
}
