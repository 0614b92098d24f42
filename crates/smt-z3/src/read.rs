//! Reads formulas that Z3 has made back into terms: solutions of Horn clauses, results of eliminations.
//!
//! Iterative, and each subterm once. What terms can't express is an error, never an approximation.

use crate::ffi::engine::Shape;
use crate::ffi::{Ast, Context};
use rustc_hash::FxHashMap;
use smt::{BinOp, SmtError, Sort, TermId, Terms};
use z3_sys::DeclKind;

/// Reads terms of one context.
pub(crate) struct Reader<'a> {
    context: &'a Context,
    /// What bound variables stand for.
    bound: &'a [TermId],
    done: FxHashMap<Ast, TermId>,
}

fn unsupported(what: impl Into<String>) -> SmtError {
    SmtError::Unsupported(what.into())
}

impl<'a> Reader<'a> {
    /// A reader for formulas with these terms for their free bound variables, by index.
    pub(crate) fn new(context: &'a Context, bound: &'a [TermId]) -> Self {
        Self { context, bound, done: FxHashMap::default() }
    }

    /// The term.
    pub(crate) fn read(&mut self, terms: &mut Terms, root: Ast) -> Result<TermId, SmtError> {
        let mut stack = vec![(root, None)];
        while let Some((ast, shape)) = stack.pop() {
            if self.done.contains_key(&ast) {
                continue;
            }
            let shape = match shape {
                Some(shape) => shape,
                None => self.context.shape(ast)?,
            };
            if let Shape::App(_, _, args) = &shape {
                let missing: Vec<Ast> = args.iter().copied().filter(|arg| !self.done.contains_key(arg)).collect();
                if !missing.is_empty() {
                    stack.push((ast, Some(shape)));
                    stack.extend(missing.into_iter().map(|arg| (arg, None)));
                    continue;
                }
            }
            let t = self.build(terms, ast, &shape)?;
            self.done.insert(ast, t);
        }
        Ok(self.done[&root])
    }

    fn sort(&self, ast: Ast) -> Result<Sort, SmtError> {
        self.context.sort_of(ast)?.ok_or_else(|| unsupported("a sort of the solver"))
    }

    fn build(&self, terms: &mut Terms, ast: Ast, shape: &Shape) -> Result<TermId, SmtError> {
        match shape {
            Shape::Numeral(digits) => match self.sort(ast)? {
                Sort::BitVec(width) => {
                    digits.parse().map(|value| terms.bv(width, value)).map_err(|_| unsupported("a number"))
                }
                Sort::Int => digits.parse().map(|value| terms.int(value)).map_err(|_| unsupported("a number")),
                sort => Err(unsupported(format!("a number of sort {sort}"))),
            },
            Shape::Bound(index) => {
                self.bound.get(*index as usize).copied().ok_or_else(|| unsupported("a quantified variable"))
            }
            Shape::Constant(number) => {
                let t = (*number as usize) < terms.len();
                let t = t.then(|| TermId::from_index(*number as usize)).filter(|&t| terms.is_var(t));
                t.ok_or_else(|| unsupported("a constant of the solver"))
            }
            Shape::App(kind, numbers, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                let missing = || unsupported(format!("in a solution: {:.60}", self.context.show(ast)));
                let kind = kind.ok_or_else(missing)?;
                self.app(terms, ast, kind, numbers, &args)?.ok_or_else(missing)
            }
            Shape::Other => Err(unsupported("quantifiers")),
        }
    }

    fn app(
        &self,
        terms: &mut Terms,
        ast: Ast,
        kind: DeclKind,
        numbers: &[i32],
        args: &[TermId],
    ) -> Result<Option<TermId>, SmtError> {
        use DeclKind as K;
        let number = |i: usize| numbers.get(i).and_then(|&n| u32::try_from(n).ok());
        Ok(Some(match (kind, args) {
            (K::True, []) => terms.tru(),
            (K::False, []) => terms.fals(),
            (K::And, _) => terms.and_all(args),
            (K::Or, _) => terms.or_all(args),
            (K::Not, &[a]) => terms.not(a),
            (K::Implies, &[a, b]) => terms.implies(a, b),
            (K::Xor, &[a, b]) => terms.xor(a, b),
            (K::Eq | K::Iff | K::Oeq, &[a, b]) => terms.eq(a, b),
            (K::Distinct, &[a, b]) => terms.ne(a, b),
            (K::Ite, &[c, a, b]) => terms.ite(c, a, b),
            (K::Select, &[a, i]) => terms.select(a, i),
            (K::Store, &[a, i, v]) => terms.store(a, i, v),
            (K::ConstArray, &[v]) => match self.sort(ast)? {
                Sort::Array { index, .. } => terms.const_array(index, v),
                _ => return Ok(None),
            },
            (K::Badd, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.bv_add(acc, t)),
            (K::Bmul, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.bv_mul(acc, t)),
            (K::Band, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.bv_and(acc, t)),
            (K::Bor, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.bv_or(acc, t)),
            (K::Bxor, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.bv_xor(acc, t)),
            (K::Concat, &[first, ref rest @ ..]) => rest.iter().fold(first, |acc, &t| terms.concat(acc, t)),
            (K::Bsub, &[a, b]) => terms.bv_sub(a, b),
            (K::Bneg, &[a]) => terms.bv_neg(a),
            (K::Bnot, &[a]) => terms.bv_not(a),
            (K::Uleq, &[a, b]) => terms.ule(a, b),
            (K::Ugeq, &[a, b]) => terms.uge(a, b),
            (K::Ult, &[a, b]) => terms.ult(a, b),
            (K::Ugt, &[a, b]) => terms.ugt(a, b),
            (K::Sleq, &[a, b]) => terms.sle(a, b),
            (K::Sgeq, &[a, b]) => terms.sge(a, b),
            (K::Slt, &[a, b]) => terms.slt(a, b),
            (K::Sgt, &[a, b]) => terms.sgt(a, b),
            (K::Budiv | K::BudivI, &[a, b]) => terms.bin(BinOp::BvUdiv, a, b),
            (K::Burem | K::BuremI, &[a, b]) => terms.bin(BinOp::BvUrem, a, b),
            (K::Bsdiv | K::BsdivI, &[a, b]) => terms.bin(BinOp::BvSdiv, a, b),
            (K::Bsrem | K::BsremI, &[a, b]) => terms.bin(BinOp::BvSrem, a, b),
            (K::Bshl, &[a, b]) => terms.bv_shl(a, b),
            (K::Blshr, &[a, b]) => terms.bv_lshr(a, b),
            (K::Bashr, &[a, b]) => terms.bv_ashr(a, b),
            (K::Bcomp, &[a, b]) => {
                let same = terms.eq(a, b);
                terms.bool_to_bv(1, same)
            }
            (K::Extract, &[a]) => {
                let Some((hi, lo)) = number(0).zip(number(1)) else { return Ok(None) };
                if lo > hi || hi >= terms.width(a) {
                    return Ok(None);
                }
                terms.extract(hi, lo, a)
            }
            (K::Bit2bool, &[a]) => {
                let Some(bit) = number(0).filter(|&bit| bit < terms.width(a)) else { return Ok(None) };
                let (bit, one) = (terms.extract(bit, bit, a), terms.bv(1, 1));
                terms.eq(bit, one)
            }
            (K::ZeroExt | K::SignExt, &[a]) => {
                let fits = |n: &u32| n.checked_add(terms.width(a)).is_some_and(|sum| sum <= smt::sort::MAX_WIDTH);
                let Some(extra) = number(0).filter(fits) else { return Ok(None) };
                if kind == K::ZeroExt { terms.zero_ext(extra, a) } else { terms.sign_ext(extra, a) }
            }
            _ => return Ok(integer(terms, kind, args)),
        }))
    }
}

/// An operation on integers.
fn integer(terms: &mut Terms, kind: DeclKind, args: &[TermId]) -> Option<TermId> {
    use DeclKind as K;
    Some(match (kind, args) {
        (K::Le, &[a, b]) => terms.int_le(a, b),
        (K::Ge, &[a, b]) => terms.int_le(b, a),
        (K::Lt, &[a, b]) => terms.int_lt(a, b),
        (K::Gt, &[a, b]) => terms.int_lt(b, a),
        (K::Add, &[first, ref rest @ ..]) => rest.iter().fold(first, |sum, &t| terms.int_add(sum, t)),
        (K::Mul, &[first, ref rest @ ..]) => rest.iter().fold(first, |product, &t| terms.int_mul(product, t)),
        (K::Sub, &[first, ref rest @ ..]) => rest.iter().fold(first, |sum, &t| {
            let negated = terms.int_neg(t);
            terms.int_add(sum, negated)
        }),
        (K::Uminus, &[a]) => terms.int_neg(a),
        _ => return None,
    })
}
