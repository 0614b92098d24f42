//! Terms as C expressions over the variables of a program, with exactly the value of the term, or not at all.
//!
//! Bits have no sign, C expressions do. An expression for a bit-vector is asked for with a sign ([`Sign`]): its value in C, as
//! a number, is then that of the term read with that sign, whatever its type in C; casts are added where a type would be too
//! narrow or convert wrongly. Signed arithmetic wraps, as everywhere in Hone.

use cfa::MachineModel;
use cfa::layout::{external_range, object_range};
use smt::{BinOp, FloatSort, Node, Sort, TermId, Terms, UnOp};

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

/// An expression with its type in C, before promotion.
#[derive(Clone, Debug)]
struct Expr {
    text: String,
    level: u8,
    bits: u32,
    signed: bool,
    constant: bool,
}

// Binding strength of C's operators.
const PRIMARY: u8 = 16;
const UNARY: u8 = 15;
const PRODUCT: u8 = 13;
const SUM: u8 = 12;
const SHIFT: u8 = 11;
const RELATION: u8 = 10;
const EQUALITY: u8 = 9;
const BIT_AND: u8 = 8;
const BIT_XOR: u8 = 7;
const BIT_OR: u8 = 6;
const AND: u8 = 5;
const OR: u8 = 4;
const CHOICE: u8 = 3;

/// Most operators of an expression.
const MAX_SIZE: u32 = 200;

/// Writes a formula as a C expression that is 1 where it holds and 0 elsewhere; `None` if that is not possible, or too long.
pub fn formula(terms: &Terms, machine: MachineModel, names: &dyn Names, formula: TermId) -> Option<String> {
    let mut writer = Writer { terms, machine, names, size: 0 };
    Some(writer.truth(formula, Polarity::Plain)?.text)
}

/// The same for the negation of a formula.
pub fn negation(terms: &Terms, machine: MachineModel, names: &dyn Names, formula: TermId) -> Option<String> {
    let mut writer = Writer { terms, machine, names, size: 0 };
    Some(writer.truth(formula, Polarity::Negated)?.text)
}

/// Writes a bit-vector or float as a C expression. The value of one that is read as signed is the signed value.
pub fn value(terms: &Terms, machine: MachineModel, names: &dyn Names, term: TermId) -> Option<String> {
    let mut writer = Writer { terms, machine, names, size: 0 };
    match terms.sort(term) {
        Sort::Bool => Some(writer.truth(term, Polarity::Plain)?.text),
        Sort::BitVec(_) => {
            let sign = writer.natural(term).unwrap_or(Sign::Signed);
            Some(writer.int(term, sign)?.text)
        }
        Sort::Float(_) => Some(writer.float(term)?.text),
        Sort::Int | Sort::Array { .. } => None,
    }
}

struct Writer<'t> {
    terms: &'t Terms,
    machine: MachineModel,
    names: &'t dyn Names,
    size: u32,
}

fn is_c_width(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32 | 64)
}

fn signed_value(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    (value << shift) as i128 >> shift
}

/// A leaf's text without needless parentheses, and how strongly it binds.
fn open(text: String) -> (String, u8) {
    match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) if inner.starts_with('*') && !inner.contains(['(', ')']) => (inner.to_owned(), UNARY),
        _ => (text, PRIMARY),
    }
}

impl Expr {
    /// As an operand of an operator that binds that strongly.
    fn within(&self, level: u8) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    fn truth(text: String, level: u8) -> Self {
        Self { text, level, bits: 32, signed: true, constant: false }
    }

    /// The type after promotion.
    fn promoted(&self) -> (u32, bool) {
        if self.bits < 32 { (32, true) } else { (self.bits, self.signed) }
    }
}

/// The type in which C computes with two operands.
fn common(a: &Expr, b: &Expr) -> (u32, bool) {
    let ((x, sx), (y, sy)) = (a.promoted(), b.promoted());
    match x.cmp(&y) {
        std::cmp::Ordering::Greater => (x, sx),
        std::cmp::Ordering::Less => (y, sy),
        std::cmp::Ordering::Equal => (x, sx && sy),
    }
}

impl Writer<'_> {
    fn count(&mut self) -> Option<()> {
        self.size += 1;
        (self.size <= MAX_SIZE).then_some(())
    }

    fn type_name(&self, bits: u32, sign: Sign) -> &'static str {
        let long = self.machine == MachineModel::Lp64;
        match (bits, sign) {
            (8, Sign::Signed) => "signed char",
            (8, Sign::Unsigned) => "unsigned char",
            (16, Sign::Signed) => "short",
            (16, Sign::Unsigned) => "unsigned short",
            (32, Sign::Signed) => "int",
            (32, Sign::Unsigned) => "unsigned int",
            (_, Sign::Signed) if long => "long",
            (_, Sign::Unsigned) if long => "unsigned long",
            (_, Sign::Signed) => "long long",
            (_, Sign::Unsigned) => "unsigned long long",
        }
    }

    fn cast(&self, expr: &Expr, bits: u32, sign: Sign) -> Expr {
        Expr {
            text: format!("({}){}", self.type_name(bits, sign), expr.within(UNARY)),
            level: UNARY,
            bits,
            signed: sign == Sign::Signed,
            constant: expr.constant,
        }
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

    fn constant(&self, width: u32, value: u128, sign: Sign) -> Option<Expr> {
        if width > 64 {
            return None;
        }
        let long = if self.machine == MachineModel::Lp64 { "l" } else { "ll" };
        let (text, bits, signed) = match sign {
            Sign::Unsigned if value <= i32::MAX as u128 => (value.to_string(), 32, true),
            Sign::Unsigned if value <= u128::from(u32::MAX) => (format!("{value}u"), 32, false),
            Sign::Unsigned => (format!("{value}u{long}"), 64, false),
            Sign::Signed => {
                let n = signed_value(width, value);
                if n == i128::from(i64::MIN) {
                    (format!("-{}{long} - 1", i64::MAX), 64, true)
                } else if n == i128::from(i32::MIN) {
                    (format!("-{} - 1", i32::MAX), 32, true)
                } else if i32::try_from(n).is_ok() {
                    (n.to_string(), 32, true)
                } else {
                    (format!("{n}{long}"), 64, true)
                }
            }
        };
        let level = match text.contains(' ') {
            true => SUM,
            false if text.starts_with('-') => UNARY,
            false => PRIMARY,
        };
        Some(Expr { text, level, bits, signed, constant: true })
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
    fn int(&mut self, t: TermId, sign: Sign) -> Option<Expr> {
        self.count()?;
        let width = self.terms.width(t);
        if width > 64 {
            return None;
        }
        let exact = |this: &Self, expr: Expr, has: Sign| {
            if has == sign {
                return Some(expr);
            }
            is_c_width(width).then(|| this.cast(&expr, width, sign))
        };
        match self.terms.node(t) {
            Node::Bv { width, value } => self.constant(width, value, sign),
            Node::Var { .. } | Node::Bin(BinOp::Select, ..) => {
                let Leaf { text, ty } = self.leaf(t)?;
                let (text, level) = open(text);
                let (bits, signed) = match ty {
                    LeafType::Int { bits, signed } if bits == width && is_c_width(bits) => (bits, signed),
                    LeafType::Pointer if width == self.machine.pointer_bits() => {
                        let pointer = Expr { text, level, bits: width, signed: false, constant: false };
                        return Some(self.cast(&pointer, width, sign));
                    }
                    _ => return None,
                };
                let expr = Expr { text, level, bits, signed, constant: false };
                exact(self, expr, if signed { Sign::Signed } else { Sign::Unsigned })
            }
            Node::Un(op @ (UnOp::BvNeg | UnOp::BvNot), a) if is_c_width(width) => {
                let mut operand = self.int(a, sign)?;
                if operand.promoted().0 < width {
                    operand = self.cast(&operand, width, sign);
                }
                let symbol = if op == UnOp::BvNeg { "-" } else { "~" };
                let inner = operand.within(UNARY);
                let text =
                    if inner.starts_with(symbol) { format!("{symbol}({inner})") } else { format!("{symbol}{inner}") };
                let (bits, signed) = operand.promoted();
                let expr = Expr { text, level: UNARY, bits, signed, constant: false };
                Some(self.fitted(expr, width, sign))
            }
            Node::Un(UnOp::ZeroExt(_), a) => self.int(a, Sign::Unsigned),
            Node::Un(UnOp::SignExt(_), a) => {
                let expr = self.int(a, Sign::Signed)?;
                exact(self, expr, Sign::Signed)
            }
            Node::Un(UnOp::Extract { hi, lo }, a) => self.extract((u32::from(hi), u32::from(lo)), a, sign),
            Node::Bin(BinOp::Concat, ..) if self.shifted(t).is_some() => {
                let (a, by) = self.shifted(t)?;
                let factor = self.constant(width, 1 << by, sign)?;
                let a = self.int(a, sign)?;
                self.ring(BinOp::BvMul, a, factor, width, sign)
            }
            Node::Bin(BinOp::Concat, high, low) => {
                let container = if width <= 32 { 32 } else { 64 };
                let (h, l) = (self.int(high, Sign::Unsigned)?, self.int(low, Sign::Unsigned)?);
                let h = self.cast(&h, container, Sign::Unsigned);
                let text = format!("({} << {}) | {}", h.text, self.terms.width(low), l.within(BIT_XOR));
                let expr = Expr { text, level: BIT_OR, bits: container, signed: false, constant: false };
                exact(self, expr, Sign::Unsigned)
            }
            Node::Bin(BinOp::BvShl, a, by)
                if width >= 32 && is_c_width(width) && self.terms.as_bv_const(by).is_none() =>
            {
                let (a, by) = (self.int(a, Sign::Unsigned)?, self.int(by, Sign::Unsigned)?);
                let a = self.cast(&a, width, Sign::Unsigned);
                // In C, a number has no more places than bits.
                let text = format!("{} < {width}u ? {} << {} : 0", by.within(SHIFT), a.within(UNARY), by.within(UNARY));
                let expr = Expr { text, level: CHOICE, bits: width, signed: false, constant: false };
                exact(self, expr, Sign::Unsigned)
            }
            Node::Bin(BinOp::BvShl, a, by) if is_c_width(width) => {
                let by = u32::try_from(self.terms.as_bv_const(by)?).ok().filter(|by| *by < width)?;
                let factor = self.constant(width, 1 << by, sign)?;
                let a = self.int(a, sign)?;
                self.ring(BinOp::BvMul, a, factor, width, sign)
            }
            Node::Bin(op @ (BinOp::BvLshr | BinOp::BvAshr), a, by) => {
                let by = u32::try_from(self.terms.as_bv_const(by)?).ok().filter(|by| (1..width).contains(by))?;
                let reading = if op == BinOp::BvLshr { Sign::Unsigned } else { Sign::Signed };
                let a = self.int(a, reading)?;
                let (bits, signed) = a.promoted();
                let text = format!("{} >> {by}", a.within(UNARY));
                let expr = Expr { text, level: SHIFT, bits, signed, constant: false };
                // What was shifted down fits with either sign, if it is not negative.
                if op == BinOp::BvLshr { Some(expr) } else { exact(self, expr, Sign::Signed) }
            }
            Node::Bin(op @ (BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvSdiv | BinOp::BvSrem), a, b) => {
                let divisor = self.terms.as_bv_const(b)?;
                let reading = if matches!(op, BinOp::BvUdiv | BinOp::BvUrem) { Sign::Unsigned } else { Sign::Signed };
                if divisor == 0 || reading == Sign::Signed && signed_value(width, divisor) == -1 {
                    return None;
                }
                let (a, b) = self.pair(a, b, width, reading)?;
                let symbol = if matches!(op, BinOp::BvUdiv | BinOp::BvSdiv) { "/" } else { "%" };
                let (bits, signed) = common(&a, &b);
                let text = format!("{} {symbol} {}", a.within(PRODUCT), b.within(UNARY));
                exact(self, Expr { text, level: PRODUCT, bits, signed, constant: false }, reading)
            }
            Node::Bin(
                op @ (BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul | BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor),
                a,
                b,
            ) => {
                let (a, b) = self.readable_sum(op, a, b, width);
                let (op, b) = b;
                let (a, b) = match b {
                    Operand::Term(b) => (self.int(a, sign)?, self.int(b, sign)?),
                    Operand::Minus(n) => (self.int(a, sign)?, self.constant(width, n, sign)?),
                };
                self.ring(op, a, b, width, sign)
            }
            Node::Ite(c, a, b) => {
                let one = self.terms.as_bv_const(a) == Some(1) && self.terms.as_bv_const(b) == Some(0);
                let c = self.truth(c, Polarity::Plain)?;
                if one && (width > 1 || sign == Sign::Unsigned) {
                    return Some(c);
                }
                let (a, b) = self.pair(a, b, width, sign)?;
                let (bits, signed) = common(&a, &b);
                let text = format!("{} ? {} : {}", c.within(OR), a.within(OR), b.within(OR));
                Some(Expr { text, level: CHOICE, bits, signed, constant: false })
            }
            _ => None,
        }
    }

    /// Adding a number that is negative with its sign is subtracting.
    fn readable_sum(&self, op: BinOp, a: TermId, b: TermId, width: u32) -> (TermId, (BinOp, Operand)) {
        if op != BinOp::BvAdd {
            return (a, (op, Operand::Term(b)));
        }
        let (a, b) = if self.terms.as_bv_const(a).is_some() { (b, a) } else { (a, b) };
        match self.terms.as_bv_const(b) {
            Some(n) if signed_value(width, n) < 0 && signed_value(width, n) > -(1 << 16) => {
                (a, (BinOp::BvSub, Operand::Minus(signed_value(width, n).unsigned_abs())))
            }
            _ => (a, (BinOp::BvAdd, Operand::Term(b))),
        }
    }

    fn extract(&mut self, (hi, lo): (u32, u32), a: TermId, sign: Sign) -> Option<Expr> {
        let (width, from) = (hi - lo + 1, self.terms.width(a));
        // Where the highest bits are cut off, it does not matter how they are read.
        let reading = if hi + 1 < from && is_c_width(from) { self.natural(a) } else { None };
        let mut expr = self.int(a, reading.unwrap_or(Sign::Unsigned))?;
        if lo > 0 {
            let (bits, signed) = expr.promoted();
            expr =
                Expr { text: format!("{} >> {lo}", expr.within(UNARY)), level: SHIFT, bits, signed, constant: false };
        }
        let whole = hi + 1 == from;
        match sign {
            Sign::Unsigned if whole => Some(expr),
            _ if is_c_width(width) => Some(self.cast(&expr, width, sign)),
            Sign::Unsigned => {
                let mask = self.constant(width, (1 << width) - 1, Sign::Unsigned)?;
                let (bits, signed) = common(&expr, &mask);
                let text = format!("{} & {}", expr.within(UNARY), mask.text);
                Some(Expr { text, level: BIT_AND, bits, signed, constant: false })
            }
            Sign::Signed => None,
        }
    }

    /// Two operands that C compares or divides as the numbers that they are.
    fn pair(&mut self, a: TermId, b: TermId, width: u32, sign: Sign) -> Option<(Expr, Expr)> {
        let (mut a, mut b) = (self.int(a, sign)?, self.int(b, sign)?);
        if sign == Sign::Signed && !common(&a, &b).1 {
            let container = [8, 16, 32, 64].into_iter().find(|bits| *bits >= width)?;
            for side in [&mut a, &mut b] {
                if !side.promoted().1 {
                    *side = self.cast(side, container, Sign::Signed);
                }
            }
        }
        Some((a, b))
    }

    /// An operation that may be carried out modulo any larger power of two.
    fn ring(&mut self, op: BinOp, mut a: Expr, mut b: Expr, width: u32, sign: Sign) -> Option<Expr> {
        let (symbol, level) = match op {
            BinOp::BvAdd => ("+", SUM),
            BinOp::BvSub => ("-", SUM),
            BinOp::BvMul => ("*", PRODUCT),
            BinOp::BvAnd => ("&", BIT_AND),
            BinOp::BvXor => ("^", BIT_XOR),
            _ => ("|", BIT_OR),
        };
        let bitwise = level <= BIT_AND;
        if !(is_c_width(width) || bitwise && sign == Sign::Unsigned) {
            return None;
        }
        if common(&a, &b).0 < width && is_c_width(width) {
            let side = if a.constant { &mut b } else { &mut a };
            *side = self.cast(side, width, sign);
        }
        let (bits, signed) = common(&a, &b);
        // Operators of bits look better, and are safer to read, in parentheses.
        let inner = if bitwise { UNARY } else { level };
        let text = format!("{} {symbol} {}", a.within(inner), b.within(inner + 1));
        let expr = Expr { text, level, bits, signed, constant: false };
        let is_exact = bitwise && (sign == Sign::Unsigned || signed);
        if is_exact { Some(expr) } else { Some(self.fitted(expr, width, sign)) }
    }

    /// Cuts what was computed in a wider type, or with the other sign, to the width of its term.
    fn fitted(&self, expr: Expr, width: u32, sign: Sign) -> Expr {
        if expr.bits == width && expr.signed == (sign == Sign::Signed) {
            return expr;
        }
        self.cast(&expr, width, sign)
    }

    /// A formula or its negation, as an expression with the value 0 or 1.
    fn truth(&mut self, t: TermId, polarity: Polarity) -> Option<Expr> {
        self.count()?;
        let flip = |polarity| if polarity == Polarity::Plain { Polarity::Negated } else { Polarity::Plain };
        let plain = polarity == Polarity::Plain;
        let negated = |expr: Expr| {
            if plain { expr } else { Expr::truth(format!("!{}", expr.within(UNARY)), UNARY) }
        };
        Some(match self.terms.node(t) {
            Node::Bool(value) => Expr::truth(u8::from(value == plain).to_string(), PRIMARY),
            Node::Var { .. } => match self.names.leaf(t)? {
                Leaf { text, ty: LeafType::Truth } => {
                    let (text, level) = open(text);
                    negated(Expr::truth(text, level))
                }
                _ => return None,
            },
            Node::Un(UnOp::Not, a) => self.truth(a, flip(polarity))?,
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, b) = (self.truth(a, polarity)?, self.truth(b, polarity)?);
                // Conjunctions within disjunctions are in parentheses, for readers and compilers.
                if (op == BinOp::And) == plain {
                    Expr::truth(format!("{} && {}", a.within(AND), b.within(AND)), AND)
                } else {
                    let side =
                        |side: Expr| if side.level == AND { format!("({})", side.text) } else { side.within(OR) };
                    Expr::truth(format!("{} || {}", side(a), side(b)), OR)
                }
            }
            Node::Ite(c, a, b) => {
                let c = self.truth(c, Polarity::Plain)?;
                let (a, b) = (self.truth(a, polarity)?, self.truth(b, polarity)?);
                Expr::truth(format!("{} ? {} : {}", c.within(OR), a.within(OR), b.within(OR)), CHOICE)
            }
            Node::Bin(BinOp::Eq, a, b) => {
                let symbol = if plain { "==" } else { "!=" };
                match self.terms.sort(a) {
                    Sort::Bool => {
                        let (a, b) = (self.truth(a, Polarity::Plain)?, self.truth(b, Polarity::Plain)?);
                        Expr::truth(format!("{} {symbol} {}", a.within(PRIMARY), b.within(PRIMARY)), EQUALITY)
                    }
                    Sort::BitVec(width) => {
                        if let Some((a, b)) = self.pointers(a, b) {
                            return Some(Expr::truth(format!("{a} {symbol} {b}"), EQUALITY));
                        }
                        self.refuse_addresses(a, b)?;
                        let natural = self.natural(a).or_else(|| self.natural(b));
                        let sign = natural.filter(|_| is_c_width(width)).unwrap_or(Sign::Unsigned);
                        let (a, b) = if self.terms.is_const(a) { (b, a) } else { (a, b) };
                        let (a, b) = self.pair(a, b, width, sign)?;
                        Expr::truth(format!("{} {symbol} {}", a.within(RELATION), b.within(RELATION)), EQUALITY)
                    }
                    Sort::Float(sort) => {
                        // The same value: C's `==`, except for zeros and NaNs.
                        let (a, b) = if self.terms.is_const(a) { (b, a) } else { (a, b) };
                        let bits = self.terms.as_fp_const(b)?;
                        if bits & !sort.sign_bit() == 0 {
                            return None;
                        }
                        let (a, b) = (self.float(a)?, self.float(b)?);
                        Expr::truth(format!("{} {symbol} {}", a.within(RELATION), b.within(RELATION)), EQUALITY)
                    }
                    Sort::Int | Sort::Array { .. } => return None,
                }
            }
            Node::Bin(op @ (BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle), a, b) => {
                self.refuse_addresses(a, b)?;
                let sign = if matches!(op, BinOp::BvUlt | BinOp::BvUle) { Sign::Unsigned } else { Sign::Signed };
                let strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
                let width = self.terms.width(a);
                let constant_first = self.terms.is_const(a);
                let (a, b) = self.pair(a, b, width, sign)?;
                let (symbol, mirrored) = match (strict, plain) {
                    (true, true) => ("<", ">"),
                    (false, true) => ("<=", ">="),
                    (true, false) => (">=", "<="),
                    (false, false) => (">", "<"),
                };
                let (a, symbol, b) = if constant_first { (b, mirrored, a) } else { (a, symbol, b) };
                Expr::truth(format!("{} {symbol} {}", a.within(SHIFT), b.within(SHIFT)), RELATION)
            }
            Node::Bin(op @ (BinOp::FpEq | BinOp::FpLt | BinOp::FpLe), a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                let (symbol, level) = match op {
                    BinOp::FpEq if !plain => {
                        let text = format!("{} != {}", a.within(RELATION), b.within(RELATION));
                        return Some(Expr::truth(text, EQUALITY));
                    }
                    BinOp::FpEq => ("==", EQUALITY),
                    BinOp::FpLt => ("<", RELATION),
                    _ => ("<=", RELATION),
                };
                negated(Expr::truth(format!("{} {symbol} {}", a.within(SHIFT), b.within(SHIFT)), level))
            }
            Node::Un(op @ (UnOp::FpIsNan | UnOp::FpIsZero), a) => {
                let a = self.float(a)?.within(RELATION);
                let other = if op == UnOp::FpIsNan { a.clone() } else { "0.0".to_owned() };
                let symbol = if (op == UnOp::FpIsNan) == plain { "!=" } else { "==" };
                Expr::truth(format!("{a} {symbol} {other}"), EQUALITY)
            }
            _ => return None,
        })
    }

    /// Two sides of a comparison of pointers.
    fn pointers(&self, a: TermId, b: TermId) -> Option<(String, String)> {
        let pointer = |t: TermId| match self.terms.is_var(t).then(|| self.names.leaf(t))?? {
            Leaf { text, ty: LeafType::Pointer } => Some(open(text).0),
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
    fn refuse_addresses(&self, a: TermId, b: TermId) -> Option<()> {
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

    fn float(&mut self, t: TermId) -> Option<Expr> {
        self.count()?;
        let Sort::Float(sort) = self.terms.sort(t) else { return None };
        let name = match sort {
            FloatSort::F32 => "float",
            FloatSort::F64 => "double",
            _ => return None,
        };
        let expr = |text: String, level| Expr { text, level, bits: 0, signed: true, constant: false };
        Some(match self.terms.node(t) {
            Node::Float { bits, .. } => {
                let text = if sort == FloatSort::F32 {
                    let n = f32::from_bits(bits as u32);
                    n.is_finite().then(|| format!("{n:?}f"))?
                } else {
                    let n = f64::from_bits(bits as u64);
                    n.is_finite().then(|| format!("{n:?}"))?
                };
                let level = if text.starts_with('-') { UNARY } else { PRIMARY };
                expr(text, level)
            }
            Node::Var { .. } => match self.names.leaf(t)? {
                Leaf { text, ty: LeafType::Float } => {
                    let (text, level) = open(text);
                    expr(text, level)
                }
                _ => return None,
            },
            Node::Un(UnOp::FpNeg, a) => {
                let a = self.float(a)?.within(UNARY);
                expr(if a.starts_with('-') { format!("-({a})") } else { format!("-{a}") }, UNARY)
            }
            Node::Un(UnOp::FpToFp(_), a) => {
                let a = self.float(a)?;
                expr(format!("({name}){}", a.within(UNARY)), UNARY)
            }
            Node::Un(op @ (UnOp::FpFromSbv(_) | UnOp::FpFromUbv(_)), a) => {
                let sign = if matches!(op, UnOp::FpFromSbv(_)) { Sign::Signed } else { Sign::Unsigned };
                let a = self.int(a, sign)?;
                expr(format!("({name}){}", a.within(UNARY)), UNARY)
            }
            Node::Bin(op @ (BinOp::FpAdd | BinOp::FpSub | BinOp::FpMul | BinOp::FpDiv), a, b) => {
                let (symbol, level) = match op {
                    BinOp::FpAdd => ("+", SUM),
                    BinOp::FpSub => ("-", SUM),
                    BinOp::FpMul => ("*", PRODUCT),
                    _ => ("/", PRODUCT),
                };
                let (a, b) = (self.float(a)?, self.float(b)?);
                expr(format!("{} {symbol} {}", a.within(level), b.within(level + 1)), level)
            }
            Node::Ite(c, a, b) => {
                let c = self.truth(c, Polarity::Plain)?;
                let (a, b) = (self.float(a)?, self.float(b)?);
                expr(format!("{} ? {} : {}", c.within(OR), a.within(OR), b.within(OR)), CHOICE)
            }
            _ => return None,
        })
    }
}

/// The second operand of a sum.
enum Operand {
    Term(TermId),
    /// A number that is subtracted.
    Minus(u128),
}
