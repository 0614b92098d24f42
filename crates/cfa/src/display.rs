//! Text of expressions and operations in the manner of C, for reports and automaton listings.
//!
//! Expressions are shared graphs whose tree form may be exponentially large, so the text is cut at [`LIMIT`] characters
//! and below [`DEPTH`] levels; `…` stands for what is left out. Accesses at constant offsets (and at scaled indices) are
//! written with the member names and indices of the variable's C type where that is possible.

mod places;

use crate::ctype::CType;
use crate::expr::{Access, BinOp, ExprId, ExprKind, UnOp};
use crate::op::{AllocKind, Op, Reach, Undefined};
use crate::program::{MachineModel, Program, VarId};
use crate::value::{FloatFormat, Scalar, Value};
use std::fmt::Write;

/// Number of bytes after which the text of an expression is cut.
pub const LIMIT: usize = 200;
/// Levels of nested operators that are shown.
const DEPTH: u32 = 48;

/// Precedence levels of C, higher binds tighter.
mod prec {
    pub const ANY: u8 = 0;
    pub const TERNARY: u8 = 3;
    pub const ADDITIVE: u8 = 12;
    pub const UNARY: u8 = 14;
    pub const POSTFIX: u8 = 15;
}

/// The expression as C would write it.
pub fn expr(program: &Program, id: ExprId) -> String {
    expr_within(program, id, LIMIT)
}

/// The expression as C would write it, cut after about `limit` bytes.
pub fn expr_within(program: &Program, id: ExprId, limit: usize) -> String {
    let mut printer = Printer { program, out: String::new(), limit };
    printer.expr(id, prec::ANY, DEPTH);
    printer.finish()
}

/// The place in memory that a scalar access of type `ty` at `addr` designates: `x`, `s.next`, `a[i]`, `*(int *)(p + 4)`.
pub fn place(program: &Program, addr: ExprId, ty: Scalar) -> String {
    let mut printer = Printer { program, out: String::new(), limit: LIMIT };
    printer.place(addr, ty, prec::ANY, DEPTH);
    printer.finish()
}

/// The operation, such as `x = x + 1`, `[i < n]` or `call f(a, b)`.
pub fn op(program: &Program, op: &Op) -> String {
    let e = |id| expr(program, id);
    let name = |var: VarId| &*program.vars[var].name;
    let call = |dst: Option<VarId>, callee: &str, args: &[ExprId]| {
        let args = args.iter().map(|a| e(*a)).collect::<Vec<_>>().join(", ");
        match dst {
            Some(dst) => format!("{} = call {callee}({args})", name(dst)),
            None => format!("call {callee}({args})"),
        }
    };
    match op {
        Op::Skip => "skip".into(),
        Op::Assign { dst, src } => format!("{} = {}", name(*dst), e(*src)),
        Op::Havoc { dst, .. } => format!("havoc {}", name(*dst)),
        Op::Assume { cond, truth: true } => format!("[{}]", e(*cond)),
        Op::Assume { cond, truth: false } => format!("[!({})]", e(*cond)),
        Op::Store { addr, value } => format!("{} = {}", place(program, *addr, program.exprs.ty(*value)), e(*value)),
        Op::MemCopy { dst, src, len } => format!("memmove({}, {}, {len})", e(*dst), e(*src)),
        Op::MemSet { dst, byte, len } => format!("memset({}, {}, {len})", e(*dst), e(*byte)),
        Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => format!("havoc {len} bytes at {}", e(*dst)),
        Op::MemHavoc { dst, len: Reach::Object, .. } => format!("havoc the object at {}", e(*dst)),
        Op::Repeat(repeat) => {
            let require =
                repeat.require.iter().map(|(cond, truth)| format!("[{}{}]", if *truth { "" } else { "!" }, e(*cond)));
            let write = |w: &crate::repeat::MovingWrite| {
                format!("{} = {}", place(program, w.addr, program.exprs.ty(w.value)), e(w.value))
            };
            let body: Vec<String> = require.chain(repeat.writes.iter().map(write)).collect();
            format!("for {} < {}: {}", name(repeat.index), e(repeat.count), body.join("; "))
        }
        Op::Alloc { dst, size, align, kind } => match kind {
            AllocKind::Heap if *align > crate::layout::ALLOCATED => {
                format!("{} = aligned_alloc({align}, {})", name(*dst), e(*size))
            }
            AllocKind::Heap => format!("{} = malloc({})", name(*dst), e(*size)),
            AllocKind::HeapZeroed => format!("{} = calloc(1, {})", name(*dst), e(*size)),
            AllocKind::Stack => format!("{} = alloca({})", name(*dst), e(*size)),
        },
        Op::Realloc { dst, ptr, size } => format!("{} = realloc({}, {})", name(*dst), e(*ptr), e(*size)),
        Op::Free { ptr, kind: AllocKind::Stack } => format!("end of array at {}", e(*ptr)),
        Op::Free { ptr, .. } => format!("free({})", e(*ptr)),
        Op::Declare { var } => format!("declare {}", name(*var)),
        Op::EndScope { var } => format!("end of scope of {}", name(*var)),
        Op::Call { func, args, dst } | Op::CallExtern { func, args, dst } => {
            call(*dst, &program.functions[*func].name, args)
        }
        Op::CallPtr { callee, args, dst, .. } => call(*dst, &format!("(*{})", e(*callee)), args),
        Op::Undefined(kind) => format!("undefined behaviour: {}", undefined(*kind)),
        Op::Halt => "halt".into(),
        Op::Unsupported(id) => program
            .unsupported
            .get(*id)
            .map_or_else(|| "unsupported".into(), |u| format!("unsupported: {}", u.construct)),
    }
}

/// What the undefined behaviour is, as a noun phrase.
pub fn undefined(kind: Undefined) -> &'static str {
    match kind {
        Undefined::DivisionByZero => "division by zero",
        Undefined::ShiftOutOfRange => "shift out of range",
        Undefined::LargeAllocation => "allocation of more memory than is modelled",
        Undefined::LibraryOverflow => "overflow in a library function",
        Undefined::InvalidAccess => "invalid memory access",
        Undefined::FreedAccess => "access to freed memory",
        Undefined::InvalidFree => "invalid free",
        Undefined::InvalidCall => "invalid call through a pointer",
        Undefined::Unreachable => "unreachable point reached",
        Undefined::InvalidSize => "invalid size",
        Undefined::OutsideWrite => "access out of bounds",
    }
}

/// Spelling of a scalar type in C.
pub fn scalar(ty: Scalar, machine: MachineModel) -> &'static str {
    match ty {
        Scalar::Bool => "_Bool",
        Scalar::Ptr => "void *",
        Scalar::Float(FloatFormat::F16) => "_Float16",
        Scalar::Float(FloatFormat::F32) => "float",
        Scalar::Float(FloatFormat::F64) => "double",
        Scalar::Float(FloatFormat::F80) => "long double",
        Scalar::Float(FloatFormat::F128) => "__float128",
        Scalar::Int { bits, signed } => {
            let (with_sign, without) = match u32::from(bits) {
                8 => ("char", "unsigned char"),
                bits if bits == machine.int_bits() => ("int", "unsigned int"),
                16 => ("short", "unsigned short"),
                bits if bits == machine.long_bits() => ("long", "unsigned long"),
                64 => ("long long", "unsigned long long"),
                _ => ("__int128", "unsigned __int128"),
            };
            if signed { with_sign } else { without }
        }
    }
}

/// A constant in C's notation: decimal integers, shortest floats, `0x…` addresses.
pub fn value(v: Value, ty: Scalar) -> String {
    match ty {
        Scalar::Bool => v.0.to_string(),
        Scalar::Int { bits, signed: true } => v.signed(u32::from(bits)).to_string(),
        Scalar::Int { .. } => v.0.to_string(),
        Scalar::Ptr if v.0 == 0 => "0".into(),
        Scalar::Ptr => format!("{:#x}", v.0),
        Scalar::Float(format) => float(v, format),
    }
}

fn float(v: Value, format: FloatFormat) -> String {
    match format {
        FloatFormat::F32 => format!("{:?}f", f32::from_bits(v.0 as u32)),
        FloatFormat::F64 => format!("{:?}", f64::from_bits(v.0 as u64)),
        FloatFormat::F16 => decoded(v.0, 5, 10, "f16"),
        FloatFormat::F128 => decoded(v.0, 15, 112, "q"),
        // The x87 format writes the leading bit of the significand, which the others imply.
        FloatFormat::F80 => decoded((v.0 >> 64 << 63) | (v.0 & ((1 << 63) - 1)), 15, 63, "L"),
    }
}

/// A binary float in C's hexadecimal notation, which is exact.
fn decoded(bits: u128, exp_bits: u32, frac_bits: u32, suffix: &str) -> String {
    let frac = bits & ((1 << frac_bits) - 1);
    let biased = (bits >> frac_bits) & ((1 << exp_bits) - 1);
    let sign = if bits >> (frac_bits + exp_bits) & 1 == 1 { "-" } else { "" };
    let bias = (1i64 << (exp_bits - 1)) - 1;
    if biased == (1 << exp_bits) - 1 {
        return if frac == 0 { format!("{sign}inf") } else { "NaN".into() };
    }
    if biased == 0 && frac == 0 {
        return format!("{sign}0.0{suffix}");
    }
    let (lead, exp) = if biased == 0 { (0, 1 - bias) } else { (1, biased as i64 - bias) };
    let digits = frac_bits.div_ceil(4) as usize;
    let hex = format!("{:0digits$x}", frac << (digits as u32 * 4 - frac_bits));
    let hex = hex.trim_end_matches('0');
    let dot = if hex.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{dot}{hex}p{exp}{suffix}")
}

const fn binary(op: BinOp) -> (&'static str, u8) {
    match op {
        BinOp::Mul => ("*", 13),
        BinOp::Div => ("/", 13),
        BinOp::Rem => ("%", 13),
        BinOp::Add => ("+", prec::ADDITIVE),
        BinOp::Sub => ("-", prec::ADDITIVE),
        BinOp::Shl => ("<<", 11),
        BinOp::Shr => (">>", 11),
        BinOp::Lt => ("<", 10),
        BinOp::Le => ("<=", 10),
        BinOp::Gt => (">", 10),
        BinOp::Ge => (">=", 10),
        BinOp::Eq => ("==", 9),
        BinOp::Ne => ("!=", 9),
        BinOp::BitAnd => ("&", 8),
        BinOp::BitXor => ("^", 7),
        BinOp::BitOr => ("|", 6),
        BinOp::And => ("&&", 5),
        BinOp::Or => ("||", 4),
    }
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    limit: usize,
}

impl Printer<'_> {
    fn finish(mut self) -> String {
        if self.out.len() > self.limit {
            let mut end = self.limit;
            while !self.out.is_char_boundary(end) {
                end -= 1;
            }
            self.out.truncate(end);
            self.out.push('…');
        }
        self.out
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn paren(&mut self, needed: u8, own: u8, body: impl FnOnce(&mut Self)) {
        if own < needed {
            self.text("(");
            body(self);
            self.text(")");
        } else {
            body(self);
        }
    }

    fn root(&mut self, of: ExprId, depth: u32) {
        self.text("sqrt(");
        self.expr(of, prec::ANY, depth);
        self.text(")");
    }

    /// Prints an operand of an operator that binds with `level`.
    fn expr(&mut self, id: ExprId, level: u8, depth: u32) {
        if depth == 0 || self.out.len() > self.limit {
            return self.text("…");
        }
        let program = self.program;
        let e = program.exprs.get(id);
        let below = depth - 1;
        match e.kind {
            ExprKind::Const(v) => {
                let text = value(v, e.ty);
                let own = if text.starts_with('-') { prec::UNARY } else { prec::POSTFIX };
                self.paren(level, own, |p| p.text(&text));
            }
            ExprKind::Var(var) => self.text(&program.vars[var].name),
            ExprKind::FuncAddr(f) => self.paren(level, prec::UNARY, |p| {
                p.text("&");
                p.text(&program.functions[f].name);
            }),
            ExprKind::AddrOf(var) => {
                let is_array = matches!(program.ctypes.try_get(program.vars[var].ctype), Some(CType::Array(..)));
                if is_array {
                    return self.text(&program.vars[var].name);
                }
                self.paren(level, prec::UNARY, |p| {
                    p.text("&");
                    p.text(&program.vars[var].name);
                });
            }
            ExprKind::Load(addr) => self.place(addr, e.ty, level, below),
            ExprKind::Unary(op, a) => self.unary(op, a, level, below),
            ExprKind::Binary(op, a, b) => {
                let (sign, own) = binary(op);
                self.paren(level, own, |p| {
                    p.expr(a, own, below);
                    let _ = write!(p.out, " {sign} ");
                    p.expr(b, own + 1, below);
                });
            }
            ExprKind::PtrAdd(base, offset) => self.paren(level, prec::ADDITIVE, |p| p.moved(base, offset, below)),
            ExprKind::Cast(a) => self.paren(level, prec::UNARY, |p| {
                let _ = write!(p.out, "({})", scalar(e.ty, program.machine));
                p.expr(a, prec::UNARY, below);
            }),
            ExprKind::Ite(cond, a, b) => self.paren(level, prec::TERNARY, |p| {
                p.expr(cond, prec::TERNARY + 1, below);
                p.text(" ? ");
                p.expr(a, prec::ANY, below);
                p.text(" : ");
                p.expr(b, prec::TERNARY, below);
            }),
            ExprKind::Tracked => self.text("every heap block is reachable"),
            ExprKind::Valid(access, address, len) => {
                self.text(match access {
                    Access::Read => "readable(",
                    Access::Write => "writable(",
                    Access::Free => "freeable(",
                });
                self.expr(address, prec::ANY, below);
                if access != Access::Free {
                    self.text(", ");
                    self.expr(len, prec::ANY, below);
                }
                self.text(")");
            }
        }
    }

    fn unary(&mut self, op: UnOp, operand: ExprId, level: u8, depth: u32) {
        let sign = match op {
            UnOp::Sqrt => return self.root(operand, depth),
            UnOp::Neg => "-",
            UnOp::BitNot => "~",
            UnOp::Not => "!",
        };
        self.paren(level, prec::UNARY, |p| {
            p.text(sign);
            let mark = p.out.len();
            p.expr(operand, prec::UNARY, depth);
            // `--x` is another operator.
            if sign == "-" && p.out[mark..].starts_with('-') {
                p.out.insert(mark, '(');
                p.text(")");
            }
        });
    }

    /// A pointer moved by bytes: `p + 4`, `p - 4`, `p + i * 4`.
    fn moved(&mut self, base: ExprId, offset: ExprId, depth: u32) {
        self.expr(base, prec::ADDITIVE, depth);
        match self.constant(offset) {
            Some(n) if n < 0 => {
                let _ = write!(self.out, " - {}", n.unsigned_abs());
            }
            Some(n) => {
                let _ = write!(self.out, " + {n}");
            }
            None => {
                self.text(" + ");
                self.expr(offset, prec::ADDITIVE + 1, depth);
            }
        }
    }

    /// An offset of pointer width as a signed number.
    fn constant(&self, id: ExprId) -> Option<i64> {
        let value = self.program.exprs.as_const(id)?;
        Some(value.signed(self.program.pointer_bits()) as i64)
    }

    fn place(&mut self, addr: ExprId, ty: Scalar, level: u8, depth: u32) {
        if depth == 0 || self.out.len() > self.limit {
            return self.text("…");
        }
        let below = depth - 1;
        let start = self.out.len();
        if self.named_place(addr, ty, below) {
            return;
        }
        self.out.truncate(start);
        self.paren(level, prec::UNARY, |p| {
            let _ = match ty {
                Scalar::Ptr => write!(p.out, "*(void **)"),
                _ => write!(p.out, "*({} *)", scalar(ty, p.program.machine)),
            };
            p.expr(addr, prec::UNARY, below);
        });
    }

    /// Prints the place with names of the C type; `false` if it has none of this scalar type.
    fn named_place(&mut self, addr: ExprId, ty: Scalar, depth: u32) -> bool {
        let program = self.program;
        // Collect the constant part and at most one scaled index on the way to the base.
        let (mut base, mut offset, mut scaled) = (addr, 0i64, None);
        while let ExprKind::PtrAdd(inner, by) = program.exprs.kind(base) {
            match self.constant(by) {
                Some(n) => match offset.checked_add(n) {
                    Some(sum) => offset = sum,
                    None => return false,
                },
                None if scaled.is_none() => match self.scaled(by) {
                    Some(pair) => scaled = Some(pair),
                    None => return false,
                },
                None => return false,
            }
            base = inner;
        }
        let start = self.out.len();
        let (ctype, pointer) = match program.exprs.kind(base) {
            ExprKind::AddrOf(var) => {
                self.text(&program.vars[var].name);
                (program.vars[var].ctype, None)
            }
            ExprKind::Var(var) => match program.ctypes.try_get(program.vars[var].ctype) {
                Some(CType::Pointer(target)) => {
                    self.text(&program.vars[var].name);
                    (*target, Some(start))
                }
                _ => return false,
            },
            _ => return false,
        };
        self.members(ctype, offset, scaled, ty, pointer, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::ctype::CField;

    #[track_caller]
    fn check(b: &Builder, e: ExprId, expected: &str) {
        assert_eq!(expr(&b.program, e), expected);
    }

    #[test]
    fn parentheses_are_minimal() {
        let mut b = Builder::new();
        let x = b.reg(None, "x", Scalar::INT);
        let (x, one) = (b.var(x), b.int(1));
        let sum = b.bin(BinOp::Add, x, one);
        let product = b.bin(BinOp::Mul, sum, x);
        check(&b, product, "(x + 1) * x");
        let nested = b.bin(BinOp::Sub, x, sum);
        check(&b, nested, "x - (x + 1)");
        let left = b.bin(BinOp::Sub, sum, x);
        check(&b, left, "x + 1 - x");
        let less = b.bin(BinOp::Lt, x, one);
        let not = b.program.exprs.add(ExprKind::Unary(UnOp::Not, less), Scalar::Bool);
        check(&b, not, "!(x < 1)");
        let minus = b.int(-1);
        let neg = b.program.exprs.add(ExprKind::Unary(UnOp::Neg, minus), Scalar::INT);
        check(&b, neg, "-(-1)");
        assert_eq!(op(&b.program, &Op::Assume { cond: less, truth: false }), "[!(x < 1)]");
    }

    #[test]
    fn shared_graphs_are_cut() {
        let mut b = Builder::new();
        let x = b.reg(None, "x", Scalar::INT);
        let mut e = b.var(x);
        for _ in 0..1000 {
            e = b.bin(BinOp::Add, e, e);
        }
        let text = expr(&b.program, e);
        assert!(text.len() <= LIMIT + '…'.len_utf8() && text.contains('…'), "{text}");
    }

    #[test]
    fn places_have_names() {
        let mut b = Builder::new();
        let int = b.program.ctypes.add(CType::Scalar { name: "int".into(), scalar: Scalar::INT }, 4);
        let ints = b.program.ctypes.add(CType::Array(int, Some(4)), 16);
        let field = |name: &str, ty, offset| CField { name: name.into(), ty, offset, bits: None };
        let record = CType::Record {
            name: "struct s".into(),
            fields: vec![field("n", int, 0), field("a", ints, 4)],
            is_union: false,
        };
        let record = b.program.ctypes.add(record, 20);
        let pointer = b.program.ctypes.add(CType::Pointer(record), 8);
        let int_ptr = b.program.ctypes.add(CType::Pointer(int), 8);
        let s = b.mem(None, "s", 20);
        b.program.vars[s].ctype = record;
        let p = b.reg(None, "p", Scalar::Ptr);
        b.program.vars[p].ctype = pointer;
        let q = b.reg(None, "q", Scalar::Ptr);
        b.program.vars[q].ctype = int_ptr;
        let i = b.reg(None, "i", Scalar::INT);
        let (s, p, q, i) = (b.addr(s), b.var(p), b.var(q), b.var(i));
        let at = |b: &mut Builder, base, n: i64| {
            let addr = b.at(base, n);
            b.load(addr, Scalar::INT)
        };
        let e = at(&mut b, s, 0);
        check(&b, e, "s.n");
        let e = at(&mut b, s, 12);
        check(&b, e, "s.a[2]");
        let e = at(&mut b, p, 8);
        check(&b, e, "p->a[1]");
        let e = at(&mut b, q, 0);
        check(&b, e, "*q");
        let e = at(&mut b, q, 8);
        check(&b, e, "q[2]");
        let e = at(&mut b, p, -4);
        check(&b, e, "*(int *)(p - 4)");
        let elem = b.index(s, i, 4);
        let elem = b.at(elem, 4);
        let e = b.load(elem, Scalar::INT);
        check(&b, e, "s.a[i]");
        let sum = b.bin(BinOp::Add, e, i);
        check(&b, sum, "s.a[i] + i");
        let e = b.load(s, Scalar::Ptr);
        check(&b, e, "*(void **)&s");
    }

    #[test]
    fn floats_of_all_formats() {
        assert_eq!(value(Value(0x3f80_0000), Scalar::Float(FloatFormat::F32)), "1.0f");
        assert_eq!(value(Value(0x3ff << 52), Scalar::Float(FloatFormat::F64)), "1.0");
        assert_eq!(value(Value(0x3c00), Scalar::Float(FloatFormat::F16)), "0x1p0f16");
        assert_eq!(value(Value((0xbfff << 64) | (3 << 62)), Scalar::Float(FloatFormat::F80)), "-0x1.8p0L");
    }
}
