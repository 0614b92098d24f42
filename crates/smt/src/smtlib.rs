//! Prints terms as SMT-LIB 2 scripts, for dumps and tests.
//!
//! Subterms that are used several times become `define-fun`s, so that a script is linear in the DAG. Nothing recurses.

use crate::sort::{FloatSort, Sort};
use crate::term::{BinOp, Node, Round, TermId, Terms, UnOp};
use base::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A whole script: declarations, shared subterms, assertions, `(check-sat)`.
pub fn script(terms: &Terms, assertions: &[TermId]) -> String {
    let mut out = String::from("(set-logic ALL)\n");
    let mut printer = Printer::new(terms, assertions);
    printer.declare(&mut out);
    printer.define_shared(&mut out);
    for &t in assertions {
        out.push_str("(assert ");
        printer.print_top(t, &mut out);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
    out
}

/// One term on one line; shared subterms are printed where they are used, up to a size, beyond which they are `...`.
pub fn term_to_string(terms: &Terms, t: TermId) -> String {
    const MAX_LEN: usize = 4000;
    let mut printer = Printer::new(terms, &[t]);
    printer.shared.clear();
    let mut out = String::new();
    printer.print_within(t, &mut out, MAX_LEN);
    out
}

struct Printer<'a> {
    terms: &'a Terms,
    /// Subterms, children first.
    order: Vec<TermId>,
    names: FxHashMap<TermId, Name>,
    /// Subterms that have a name of their own.
    shared: FxHashSet<TermId>,
}

/// What is left to print.
enum Piece {
    Term(TermId),
    Text(String),
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, roots: &[TermId]) -> Self {
        let mut seen = FxHashSet::default();
        let mut shared = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            let node = terms.node(t);
            if !seen.insert(t) {
                if !node.children().is_empty() {
                    shared.insert(t);
                }
                continue;
            }
            stack.extend_from_slice(&node.children());
            if needs_name(&node)
                && let Some(&arg) = node.children().first()
                && !terms.is_const(arg)
                && !terms.is_var(arg)
            {
                // Printed twice.
                shared.insert(arg);
            }
        }
        let mut order: Vec<TermId> = seen.into_iter().collect();
        order.sort_unstable();
        let mut names = FxHashMap::default();
        let mut used = FxHashSet::default();
        for &t in &order {
            if let Some(name) = terms.var_name(t) {
                let name = name.replace(['|', '\\'], "_");
                let name: Name = if used.contains(&name) || name.starts_with("%") {
                    format!("|{name}%{}|", t.index()).into()
                } else {
                    format!("|{name}|").into()
                };
                used.insert(name.trim_matches('|').to_owned());
                names.insert(t, name);
            }
        }
        Self { terms, order, names, shared }
    }

    fn declare(&self, out: &mut String) {
        for t in &self.order {
            if let Some(name) = self.names.get(t) {
                let _ = writeln!(out, "(declare-const {name} {})", self.terms.sort(*t));
            }
        }
    }

    fn define_shared(&mut self, out: &mut String) {
        for t in std::mem::take(&mut self.order) {
            if self.shared.contains(&t) {
                let name: Name = format!("|%{}|", t.index()).into();
                let _ = write!(out, "(define-fun {name} () {} ", self.terms.sort(t));
                self.print_top(t, out);
                out.push_str(")\n");
                self.names.insert(t, name);
            }
        }
    }

    fn print_top(&self, t: TermId, out: &mut String) {
        self.print_within(t, out, usize::MAX);
    }

    fn print_within(&self, t: TermId, out: &mut String, max_len: usize) {
        let start = out.len();
        let mut stack = vec![Piece::Term(t)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(t) => match self.names.get(&t) {
                    Some(name) => out.push_str(name),
                    None if out.len() - start > max_len => out.push_str("..."),
                    None => self.expand(t, out, &mut stack),
                },
            }
        }
    }

    fn expand(&self, t: TermId, out: &mut String, stack: &mut Vec<Piece>) {
        let sort = self.terms.sort(t);
        let node = self.terms.node(t);
        let head = match node {
            Node::Bool(b) => {
                let _ = write!(out, "{b}");
                return;
            }
            Node::Bv { width, value } => return bv_literal(width, value, out),
            Node::Float { sort, bits } => return float_literal(sort, bits, out),
            Node::Int(value) if value < 0 => {
                let _ = write!(out, "(- {})", value.unsigned_abs());
                return;
            }
            Node::Int(value) => {
                let _ = write!(out, "{value}");
                return;
            }
            Node::Var { .. } => {
                out.push_str("|?|");
                return;
            }
            Node::Un(UnOp::Not, a) => match self.terms.node(a) {
                // The graph has no `or`: show one.
                Node::Bin(BinOp::And, x, y) if !self.names.contains_key(&a) => {
                    out.push_str("(or ");
                    self.push_negation(y, Piece::Text(")".into()), stack);
                    self.push_negation(x, Piece::Text(" ".into()), stack);
                    return;
                }
                _ => "not".to_owned(),
            },
            Node::Un(op, a) => match un_head(op, sort) {
                Head::Plain(head) => head,
                Head::Custom(pieces) => {
                    for piece in pieces.into_iter().rev() {
                        stack.push(match piece {
                            Some(text) => Piece::Text(text),
                            None => Piece::Term(a),
                        });
                    }
                    return;
                }
                Head::Guarded { op } => {
                    self.push_conversion(op, a, stack);
                    return;
                }
            },
            Node::Bin(op, ..) => bin_head(op).to_owned(),
            Node::Ite(..) => "ite".to_owned(),
            Node::Store(..) => "store".to_owned(),
            Node::ConstArray(..) => format!("(as const {sort})"),
        };
        let _ = write!(out, "({head}");
        stack.push(Piece::Text(")".into()));
        for &child in node.children().iter().rev() {
            stack.push(Piece::Term(child));
            stack.push(Piece::Text(" ".into()));
        }
    }

    fn push_negation(&self, t: TermId, after: Piece, stack: &mut Vec<Piece>) {
        stack.push(after);
        match self.terms.node(t) {
            Node::Un(UnOp::Not, inner) if !self.names.contains_key(&t) => stack.push(Piece::Term(inner)),
            _ => {
                stack.push(Piece::Text(")".into()));
                stack.push(Piece::Term(t));
                stack.push(Piece::Text("(not ".into()));
            }
        }
    }

    /// A conversion to a bit-vector with its result where the float does not fit.
    fn push_conversion(&self, op: UnOp, a: TermId, stack: &mut Vec<Piece>) {
        let format = self.terms.sort(a).float();
        let (width, signed) = match op {
            UnOp::FpToSbv(width) => (u32::from(width), true),
            UnOp::FpToUbv(width) => (u32::from(width), false),
            _ => unreachable!("{op:?} is no conversion to a bit-vector"),
        };
        let bounds = crate::float::integer_bounds(format, width, signed);
        let (mut low, mut high, mut otherwise) = (String::new(), String::new(), String::new());
        float_literal(format, bounds.low, &mut low);
        float_literal(format, bounds.high, &mut high);
        bv_literal(width, bounds.otherwise, &mut otherwise);
        let below = if bounds.low_included { "fp.leq" } else { "fp.lt" };
        let convert = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
        let text = |s: String| Piece::Text(s);
        stack.push(text(format!(") {otherwise})")));
        stack.push(Piece::Term(a));
        stack.push(text(format!(" {high})) ((_ {convert} {width}) RTZ ")));
        stack.push(Piece::Term(a));
        stack.push(text(") (fp.lt ".to_owned()));
        stack.push(Piece::Term(a));
        stack.push(text(format!("(ite (and ({below} {low} ")));
    }
}

fn needs_name(node: &Node) -> bool {
    matches!(node, Node::Un(UnOp::FpToSbv(_) | UnOp::FpToUbv(_) | UnOp::FpToBits, _))
}

fn bv_literal(width: u32, value: u128, out: &mut String) {
    let _ = if width.is_multiple_of(4) {
        write!(out, "#x{value:0w$x}", w = width as usize / 4)
    } else {
        write!(out, "#b{value:0w$b}", w = width as usize)
    };
}

fn float_literal(sort: FloatSort, bits: u128, out: &mut String) {
    let fraction = u32::from(sort.sig()) - 1;
    let _ = if sort.is_nan(bits) {
        write!(out, "(_ NaN {} {})", sort.exp(), sort.sig())
    } else {
        write!(
            out,
            "(fp #b{} #b{:0e$b} #b{:0f$b})",
            u8::from(bits & sort.sign_bit() != 0),
            (bits & sort.infinity()) >> fraction,
            bits & crate::value::mask(fraction),
            e = usize::from(sort.exp()),
            f = fraction as usize,
        )
    };
}

enum Head {
    /// `(head argument)`.
    Plain(String),
    /// Texts, and the argument for each `None`.
    Custom(Vec<Option<String>>),
    /// A conversion with a defined result outside its range.
    Guarded { op: UnOp },
}

fn round_name(round: Round) -> &'static str {
    match round {
        Round::NearestEven => "RNE",
        Round::NearestAway => "RNA",
        Round::ToZero => "RTZ",
        Round::Up => "RTP",
        Round::Down => "RTN",
    }
}

fn un_head(op: UnOp, sort: Sort) -> Head {
    Head::Plain(match op {
        UnOp::Not => "not".into(),
        UnOp::BvNot => "bvnot".into(),
        UnOp::BvNeg => "bvneg".into(),
        UnOp::Extract { hi, lo } => format!("(_ extract {hi} {lo})"),
        UnOp::ZeroExt(extra) => format!("(_ zero_extend {extra})"),
        UnOp::SignExt(extra) => format!("(_ sign_extend {extra})"),
        UnOp::FpNeg => "fp.neg".into(),
        UnOp::FpAbs => "fp.abs".into(),
        UnOp::FpSqrt => "fp.sqrt RNE".into(),
        UnOp::FpIsNan => "fp.isNaN".into(),
        UnOp::FpIsInf => "fp.isInfinite".into(),
        UnOp::FpIsZero => "fp.isZero".into(),
        UnOp::FpIsNegative => "fp.isNegative".into(),
        UnOp::FpRoundToIntegral(round) => format!("fp.roundToIntegral {}", round_name(round)),
        UnOp::FpToFp(to) | UnOp::FpFromSbv(to) => format!("(_ to_fp {} {}) RNE", to.exp(), to.sig()),
        UnOp::FpFromUbv(to) => format!("(_ to_fp_unsigned {} {}) RNE", to.exp(), to.sig()),
        UnOp::FpToSbv(_) | UnOp::FpToUbv(_) => return Head::Guarded { op },
        UnOp::FpToBits => {
            // Only Z3 has this function; SMT-LIB leaves it out because NaN has many encodings.
            let mut nan = String::new();
            if let Sort::BitVec(width) = sort {
                bv_literal(width, nan_of_width(width), &mut nan);
            }
            return Head::Custom(vec![
                Some("(ite (fp.isNaN ".into()),
                None,
                Some(format!(") {nan} (fp.to_ieee_bv ")),
                None,
                Some("))".into()),
            ]);
        }
        UnOp::FpFromBits(to) => format!("(_ to_fp {} {})", to.exp(), to.sig()),
        UnOp::IntNeg => "-".into(),
        UnOp::IntFromUbv => "bv2nat".into(),
    })
}

/// The NaN of the format with that many bits.
fn nan_of_width(width: u32) -> u128 {
    [FloatSort::F16, FloatSort::F32, FloatSort::F64, FloatSort::X87, FloatSort::F128]
        .into_iter()
        .find(|sort| sort.width() == width)
        .map_or(0, FloatSort::nan)
}

fn bin_head(op: BinOp) -> &'static str {
    match op {
        BinOp::And => "and",
        BinOp::Or => "or",
        BinOp::Eq => "=",
        BinOp::BvAdd => "bvadd",
        BinOp::BvSub => "bvsub",
        BinOp::BvMul => "bvmul",
        BinOp::BvUdiv => "bvudiv",
        BinOp::BvSdiv => "bvsdiv",
        BinOp::BvUrem => "bvurem",
        BinOp::BvSrem => "bvsrem",
        BinOp::BvAnd => "bvand",
        BinOp::BvOr => "bvor",
        BinOp::BvXor => "bvxor",
        BinOp::BvShl => "bvshl",
        BinOp::BvLshr => "bvlshr",
        BinOp::BvAshr => "bvashr",
        BinOp::BvUlt => "bvult",
        BinOp::BvUle => "bvule",
        BinOp::BvSlt => "bvslt",
        BinOp::BvSle => "bvsle",
        BinOp::Concat => "concat",
        BinOp::Select => "select",
        BinOp::FpAdd => "fp.add RNE",
        BinOp::FpSub => "fp.sub RNE",
        BinOp::FpMul => "fp.mul RNE",
        BinOp::FpDiv => "fp.div RNE",
        BinOp::FpRem => "fp.rem",
        BinOp::FpEq => "fp.eq",
        BinOp::FpLt => "fp.lt",
        BinOp::FpLe => "fp.leq",
        BinOp::IntAdd => "+",
        BinOp::IntMul => "*",
        BinOp::IntLe => "<=",
        BinOp::IntLt => "<",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(build: impl FnOnce(&mut Terms) -> TermId, expected: &str) {
        let mut terms = Terms::new();
        let t = build(&mut terms);
        assert_eq!(term_to_string(&terms, t), expected);
    }

    #[test]
    fn terms_on_one_line() {
        check(
            |t| {
                let x = t.var("x", Sort::BitVec(8));
                let five = t.bv(8, 5);
                t.ult(x, five)
            },
            "(bvult |x| #x05)",
        );
        check(
            |t| {
                let (a, b) = (t.var("a", Sort::Bool), t.var("b", Sort::Bool));
                t.or(a, b)
            },
            "(or |a| |b|)",
        );
        check(|t| t.bv(3, 5), "#b101");
        check(|t| t.fp_const(u128::from(1f32.to_bits()), FloatSort::F32), &format!("(fp #b0 #b01111111 #b{:023b})", 0));
        check(|t| t.int(-3), "(- 3)");
    }

    #[test]
    fn scripts_share_subterms() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let mut t = x;
        for _ in 0..64 {
            t = terms.raw_bin(BinOp::BvMul, t, t);
        }
        let zero = terms.bv(8, 0);
        let formula = terms.eq(t, zero);
        let text = script(&terms, &[formula]);
        assert!(text.len() < 10_000, "{} bytes", text.len());
        assert!(text.starts_with("(set-logic ALL)\n(declare-const |x| (_ BitVec 8))\n(define-fun |%"), "{text}");
    }
}
