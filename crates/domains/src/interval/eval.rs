//! Expressions: the numbers that they may have, their linear forms, and what conditions say about cells.

use super::env::Env;
use crate::numerical::number::{is_tracked, number, range};
use crate::numerical::{Bottom, Cell, Num, Scope};
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp};

/// Expressions with more nodes, seen as trees, may have any value.
const MAX_NODES: u32 = 400;
/// Conditions and sums are not looked into deeper than this.
const MAX_DEPTH: u32 = 24;

type Fuel = std::cell::Cell<u32>;

impl Scope<'_> {
    /// The numbers that an expression may have.
    pub fn eval(&self, env: &Env, expr: ExprId) -> Num {
        self.eval_with(env, expr, &Fuel::new(MAX_NODES))
    }

    fn eval_with(&self, env: &Env, expr: ExprId, fuel: &Fuel) -> Num {
        let cfa::Expr { kind, ty } = self.program.exprs.get(expr);
        fuel.set(fuel.get().saturating_sub(1));
        if !is_tracked(ty) || fuel.get() == 0 {
            return Num::top(ty);
        }
        let go = |e: ExprId| self.eval_with(env, e, fuel);
        let exprs = &self.program.exprs;
        let found = match kind {
            ExprKind::Const(value) => Some(Num::single(number(value, ty))),
            ExprKind::Var(var) => self.register(var).map(|cell| env.get(cell)),
            ExprKind::Load(addr) => self.memory(addr, ty).map(|cell| env.get(cell)),
            ExprKind::Unary(UnOp::Not, a) => go(a).negated().and_then(|n| n.shifted(1)),
            ExprKind::Unary(UnOp::Neg, a) => go(a).negated().map(|n| n.fit(ty)),
            ExprKind::Unary(UnOp::BitNot, a) => go(a).negated().and_then(|n| n.shifted(-1)).map(|n| n.fit(ty)),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, b) = (go(a).as_single(), go(b).as_single());
                let absorbing = i128::from(op == BinOp::Or);
                match (a, b) {
                    (Some(x), _) | (_, Some(x)) if x == absorbing => Some(Num::single(x)),
                    (Some(x), Some(_)) => Some(Num::single(x)),
                    _ => None,
                }
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let known = is_tracked(exprs.ty(a)).then(|| Num::compare(op, go(a), go(b))).flatten();
                known.or_else(|| self.compare_by_difference(env, op, a, b)).map(|holds| Num::single(i128::from(holds)))
            }
            ExprKind::Binary(op, a, b) if ty != Scalar::Bool => Num::binary(op, ty, go(a), go(b)),
            ExprKind::Cast(a) if is_tracked(exprs.ty(a)) && ty != Scalar::Bool => Some(go(a).fit(ty)),
            ExprKind::Ite(c, a, b) => match go(c).as_single() {
                Some(0) => Some(go(b)),
                Some(_) => Some(go(a)),
                None => Some(go(a).join(go(b))),
            },
            _ => None,
        };
        found.unwrap_or(Num::top(ty))
    }

    /// A difference of cells may decide what intervals leave open.
    fn compare_by_difference(&self, env: &Env, op: BinOp, a: ExprId, b: ExprId) -> Option<bool> {
        let (Form { cell: Some(x), by: j }, Form { cell: Some(y), by: k }) =
            (self.linear(env, a)?, self.linear(env, b)?)
        else {
            return None;
        };
        // x + j op y + k
        let (above, below) = (env.difference(x, y).checked_add(j - k)?, env.difference(y, x).checked_add(k - j)?);
        match op {
            BinOp::Lt if above < 0 => Some(true),
            BinOp::Lt if below <= 0 => Some(false),
            BinOp::Le if above <= 0 => Some(true),
            BinOp::Le if below < 0 => Some(false),
            BinOp::Gt if below < 0 => Some(true),
            BinOp::Gt if above <= 0 => Some(false),
            BinOp::Ge if below <= 0 => Some(true),
            BinOp::Ge if above < 0 => Some(false),
            BinOp::Eq if above <= 0 && below <= 0 => Some(true),
            BinOp::Eq if above < 0 || below < 0 => Some(false),
            BinOp::Ne if above <= 0 && below <= 0 => Some(false),
            BinOp::Ne if above < 0 || below < 0 => Some(true),
            _ => None,
        }
    }

    /// The expression as a cell plus a constant, if no operation in it wraps around.
    pub fn linear(&self, env: &Env, expr: ExprId) -> Option<Form> {
        self.linear_at(env, expr, 0)
    }

    fn linear_at(&self, env: &Env, expr: ExprId, depth: u32) -> Option<Form> {
        let cfa::Expr { kind, ty } = self.program.exprs.get(expr);
        if !is_tracked(ty) || ty == Scalar::Bool || depth > MAX_DEPTH {
            return None;
        }
        let exprs = &self.program.exprs;
        match kind {
            ExprKind::Const(value) => Some(Form { cell: None, by: number(value, ty) }),
            ExprKind::Var(var) => self.register(var).map(|cell| Form { cell: Some(cell), by: 0 }),
            ExprKind::Load(addr) => self.memory(addr, ty).map(|cell| Form { cell: Some(cell), by: 0 }),
            ExprKind::Cast(a) => {
                let form = self.linear_at(env, a, depth + 1)?;
                fits(self.eval(env, a), ty).then_some(form)
            }
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (x, y) = (self.linear_at(env, a, depth + 1)?, self.linear_at(env, b, depth + 1)?);
                let form = match (op, x, y) {
                    (BinOp::Add, Form { cell, by }, Form { cell: None, by: k })
                    | (BinOp::Add, Form { cell: None, by: k }, Form { cell, by }) => {
                        Form { cell, by: by.checked_add(k)? }
                    }
                    (BinOp::Sub, Form { cell, by }, Form { cell: None, by: k }) => {
                        Form { cell, by: by.checked_sub(k)? }
                    }
                    _ => return None,
                };
                let (a, b) = (self.eval(env, a), self.eval(env, b));
                let exact = if op == BinOp::Add { a.plus(b) } else { a.plus(b.negated()?) };
                fits(exact?, exprs.ty(expr)).then_some(form)
            }
            _ => None,
        }
    }

    /// Restricts the state to runs on which a condition has this truth value.
    ///
    /// # Errors
    /// If there are none.
    pub fn assume(&self, env: &mut Env, cond: ExprId, truth: bool) -> Result<(), Bottom> {
        self.assume_at(env, cond, truth, 0)
    }

    fn assume_at(&self, env: &mut Env, cond: ExprId, truth: bool, depth: u32) -> Result<(), Bottom> {
        if self.eval(env, cond).as_single().is_some_and(|v| (v != 0) != truth) {
            return Err(Bottom);
        }
        if depth > MAX_DEPTH {
            return Ok(());
        }
        match self.program.exprs.kind(cond) {
            ExprKind::Unary(UnOp::Not, a) => self.assume_at(env, a, !truth, depth + 1),
            ExprKind::Binary(BinOp::And, a, b) if truth => {
                self.assume_at(env, a, true, depth + 1)?;
                self.assume_at(env, b, true, depth + 1)
            }
            ExprKind::Binary(BinOp::Or, a, b) if !truth => {
                self.assume_at(env, a, false, depth + 1)?;
                self.assume_at(env, b, false, depth + 1)
            }
            ExprKind::Binary(BinOp::And, a, b) | ExprKind::Binary(BinOp::Or, a, b) => {
                // One of them has the truth value.
                let mut other = env.clone();
                let one = self.assume_at(env, a, truth, depth + 1);
                match (one, self.assume_at(&mut other, b, truth, depth + 1)) {
                    (Ok(()), Ok(())) => *env = env.join(&other),
                    (Ok(()), Err(Bottom)) => {}
                    (Err(Bottom), Ok(())) => *env = other,
                    (Err(Bottom), Err(Bottom)) => return Err(Bottom),
                }
                Ok(())
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                if self.program.exprs.ty(a) == Scalar::Bool || !is_tracked(self.program.exprs.ty(a)) {
                    return Ok(());
                }
                let op = if truth { op } else { negated(op) };
                self.compare(env, op, a, b, depth)
            }
            _ => Ok(()),
        }
    }

    fn compare(&self, env: &mut Env, op: BinOp, a: ExprId, b: ExprId, depth: u32) -> Result<(), Bottom> {
        // A truth value as a number that is compared with zero or one.
        for (side, other) in [(a, b), (b, a)] {
            if let (ExprKind::Cast(inner), Some(v)) = (self.program.exprs.kind(side), self.eval(env, other).as_single())
                && self.program.exprs.ty(inner) == Scalar::Bool
                && matches!(op, BinOp::Eq | BinOp::Ne)
                && (v == 0 || v == 1)
            {
                return self.assume_at(env, inner, (v == 1) == (op == BinOp::Eq), depth + 1);
            }
        }
        let (x, y) = (self.linear(env, a), self.linear(env, b));
        let (of_a, of_b) = (self.eval(env, a), self.eval(env, b));
        match op {
            BinOp::Lt => self.below(env, (x, of_a), (y, of_b), 1),
            BinOp::Le => self.below(env, (x, of_a), (y, of_b), 0),
            BinOp::Gt => self.below(env, (y, of_b), (x, of_a), 1),
            BinOp::Ge => self.below(env, (y, of_b), (x, of_a), 0),
            BinOp::Eq => {
                let common = of_a.meet(of_b).ok_or(Bottom)?;
                for form in [x, y].into_iter().flatten() {
                    form.meet(env, common)?;
                }
                self.below(env, (x, of_a), (y, of_b), 0)?;
                self.below(env, (y, of_b), (x, of_a), 0)
            }
            _ => {
                for (form, own, other) in [(x, of_a, of_b), (y, of_b, of_a)] {
                    if let (Some(form), Some(v)) = (form, other.as_single()) {
                        form.meet(env, own.without(v).ok_or(Bottom)?)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// `x + gap <= y`
    fn below(
        &self,
        env: &mut Env,
        (x, of_x): (Option<Form>, Num),
        (y, of_y): (Option<Form>, Num),
        gap: i128,
    ) -> Result<(), Bottom> {
        if let Some(form) = x {
            form.meet(env, Num::interval(of_x.lo.min(of_y.hi - gap), of_y.hi - gap).ok_or(Bottom)?)?;
        }
        if let Some(form) = y {
            form.meet(env, Num::interval(of_x.lo + gap, of_y.hi.max(of_x.lo + gap)).ok_or(Bottom)?)?;
        }
        if let (Some(Form { cell: Some(x), by: j }), Some(Form { cell: Some(y), by: k })) = (x, y) {
            // x + j + gap <= y + k
            env.relate(x, y, k.saturating_sub(j).saturating_sub(gap))?;
        }
        Ok(())
    }
}

/// A cell plus a constant, or a constant, as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The cell.
    pub cell: Option<Cell>,
    /// What is added.
    pub by: i128,
}

impl Form {
    /// Restricts the cell such that the form has one of these numbers.
    fn meet(self, env: &mut Env, num: Num) -> Result<(), Bottom> {
        match (self.cell, self.by.checked_neg().and_then(|by| num.shifted(by))) {
            (Some(cell), Some(num)) => env.meet(cell, num),
            _ => Ok(()),
        }
    }
}

fn fits(num: Num, ty: Scalar) -> bool {
    let (lo, hi) = range(ty);
    lo <= num.lo && num.hi <= hi
}

fn negated(op: BinOp) -> BinOp {
    match op {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        _ => BinOp::Lt,
    }
}
