//! Step 2: closed forms of what a looping path does to registers [kroening13, kroening15].
//!
//! Registers have the closed forms of [`Form`]; all of them are exact modulo the width, so overflow alone does not hurt. Nothing here is
//! trusted: see [`super::check`].

use crate::accelerate::linear::{Linear, is_integral};
use crate::accelerate::path::LoopPath;
use crate::exprs::{Exprs, Map, loads, mentions, unsigned, variables};
use cfa::{BinOp, ExprId, ExprKind, Program, Scalar, Var, VarId};
use std::collections::BTreeMap;

/// Value of a register after `n` iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `x + n · step`; the step does not change.
    Linear(ExprId),
    /// `x + n · first + step · n(n-1)/2`: the sum of a linear sequence.
    Sum { first: ExprId, step: u128 },
    /// `x · 2^(n · by)`.
    Shifted(u32),
    /// The value of an expression in the iteration before.
    Last(ExprId),
}

/// Which values inputs have when an expression is told for several iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// All iterations, the last one included.
    Whole,
    /// All but the last.
    Early,
}

/// A looping path with the closed forms of the registers that it changes, as far as they have some.
#[derive(Clone, Debug)]
pub struct ClosedForms {
    /// The path.
    pub path: LoopPath,
    /// Closed forms.
    pub forms: BTreeMap<VarId, Form>,
    /// Number of iterations.
    pub count: VarId,
    /// Type of the count.
    pub counter: Scalar,
    /// The count as an expression.
    pub n: ExprId,
    /// What each input is in all iterations but the last; in the order of the path's inputs.
    pub early: Vec<VarId>,
}

/// The closed forms of a path.
pub fn closed_forms(program: &mut Program, path: LoopPath) -> Option<ClosedForms> {
    let func = program.locs[path.head].func;
    let pointer = program.pointer_bits();
    let width = |var: &VarId| program.vars[*var].register().map(|ty| ty.bits(pointer));
    let widest = path.updates.keys().filter_map(width).max().unwrap_or(0);
    let counter = unsigned(if widest <= 32 { 64 } else { 128 });
    let count = program.add_register(func, "iterations", counter);
    let mut early = Vec::new();
    for input in &path.inputs {
        let Var { name, .. } = &program.vars[input.var];
        let (name, ty) = (format!("{name}$early"), program.vars[input.var].register()?);
        early.push(program.add_register(func, &name, ty));
    }
    let e = Exprs::of(program);
    let mut closed = ClosedForms { path, forms: BTreeMap::new(), count, counter, n: e.var(count)?, early };
    closed.classify(&e);
    Some(closed)
}

impl ClosedForms {
    /// Greatest number of iterations that the count can mean.
    pub fn limit(&self) -> u128 {
        1 << (self.counter.bits(0) - 2)
    }

    /// A number of iterations.
    pub fn number(&self, e: &Exprs<'_>, value: u128) -> ExprId {
        e.number(value, self.counter)
    }

    /// One iteration less.
    pub fn before(&self, e: &Exprs<'_>, n: ExprId) -> ExprId {
        e.minus(n, self.number(e, 1))
    }

    /// What inputs are in all iterations but the last.
    pub fn early_values(&self, e: &Exprs<'_>) -> Map {
        let pairs = self.path.inputs.iter().zip(&self.early);
        pairs.filter_map(|(input, early)| Some((input.var, e.var(*early)?))).collect()
    }

    /// Value of a register after `n` iterations, `n` a counter that may be zero; which iterations these are, tells `span`.
    pub fn after(&self, e: &Exprs<'_>, var: VarId, n: ExprId, span: Span) -> Option<ExprId> {
        let own = e.var(var)?;
        if !self.path.changes(var) {
            return Some(own);
        }
        let (ty, width) = (e.ty(own), e.width(own));
        let bits = unsigned(width);
        let (times, base) = (e.cast(n, bits), e.cast(own, bits));
        Some(match *self.forms.get(&var)? {
            Form::Linear(step) => {
                let moved = match self.path.passes[..] {
                    [] => e.times(times, step),
                    _ => multiple(e, step, times),
                };
                if ty == Scalar::Ptr { e.ptr_add(own, moved) } else { e.cast(e.plus(base, moved), ty) }
            }
            Form::Sum { first, step } => {
                let sum = e.plus(base, e.times(times, first));
                // n(n-1)/2 without losing the top bit: the even factor is halved first.
                let (one, before) = (self.number(e, 1), self.before(e, n));
                let half = |number| e.cast(e.binary(BinOp::Shr, number, one), bits);
                let even = e.times(half(n), e.cast(before, bits));
                let odd = e.times(times, half(before));
                let is_odd = e.binary(BinOp::Eq, e.binary(BinOp::BitAnd, n, one), one);
                let triangle = e.ite(is_odd, odd, even);
                e.cast(e.plus(sum, e.times(triangle, e.number(step, bits))), ty)
            }
            Form::Shifted(by) => {
                let number = |number| self.number(e, u128::from(number));
                let fits = e.at_most(n, number((width - 1) / by));
                let amount = e.times(e.ite(fits, n, number(0)), number(by));
                let shifted = e.binary(BinOp::Shl, base, e.cast(amount, bits));
                e.cast(e.ite(fits, shifted, e.number(0, bits)), ty)
            }
            Form::Last(value) => {
                let value = self.at(e, value, self.before(e, n), span)?;
                let none = || e.binary(BinOp::Eq, n, self.number(e, 0));
                if n == self.n { value } else { e.ite(none(), own, value) }
            }
        })
    }

    /// An expression in iteration `n`, counted from 0.
    pub fn at(&self, e: &Exprs<'_>, expr: ExprId, n: ExprId, span: Span) -> Option<ExprId> {
        let early = self.early_values(e);
        let mut map = Map::default();
        let vars = variables(&e.pool(), expr);
        for var in vars {
            if self.path.changes(var) {
                map.insert(var, self.after(e, var, n, Span::Early)?);
            } else if self.path.is_input(var) && span == Span::Early {
                map.insert(var, *early.get(&var)?);
            }
        }
        Some(e.substitute(expr, &map))
    }

    /// Finds the closed forms.
    fn classify(&mut self, e: &Exprs<'_>) {
        let updates = self.path.updates.clone();
        for (var, value) in &updates {
            self.forms.extend(self.simple_form(e, *var, *value).map(|form| (*var, form)));
        }
        for (var, value) in &updates {
            if !self.forms.contains_key(var) {
                self.forms.extend(self.sum_form(e, *var, *value).map(|form| (*var, form)));
            }
        }
        // Values of expressions over what has a form already.
        loop {
            let before = self.forms.len();
            for (var, value) in &updates {
                let open = |v: VarId| self.path.changes(v) && !self.forms.contains_key(&v);
                if !self.forms.contains_key(var) && !mentions(&e.pool(), *value, open) {
                    self.forms.insert(*var, Form::Last(*value));
                }
            }
            if self.forms.len() == before {
                return;
            }
        }
    }

    fn simple_form(&self, e: &Exprs<'_>, var: VarId, value: ExprId) -> Option<Form> {
        let own = e.var(var).filter(|_| is_integral(e.ty(value)))?;
        let form = Linear::of(e, value, e.width(value));
        if let Some((atom, by)) = form.terms.first_key_value()
            && (form.terms.len(), form.constant, *atom) == (1, 0, own)
            && by.is_power_of_two()
            && *by > 1
        {
            return Some(Form::Shifted(by.trailing_zeros()));
        }
        let step = form.without(own)?;
        let (path, pool) = (&self.path, e.pool());
        let is_fixed = |atom: &ExprId| path.is_invariant(&pool, *atom) && !path.reads_written(&pool, *atom);
        let is_linear = step.terms.keys().all(is_fixed);
        drop(pool);
        is_linear.then(|| Form::Linear(rebuild(e, &step)))
    }

    /// `x + c·y + …` where `y` is linear with a constant step.
    fn sum_form(&self, e: &Exprs<'_>, var: VarId, value: ExprId) -> Option<Form> {
        let own = e.var(var).filter(|_| is_integral(e.ty(value)))?;
        let width = e.width(value);
        let first = Linear::of(e, value, width).without(own)?;
        let mut step = Linear::constant(0, width);
        for (atom, by) in &first.terms {
            if self.path.is_invariant(&e.pool(), *atom) && !loads(&e.pool(), *atom) {
                continue;
            }
            let ExprKind::Var(other) = e.kind(*atom) else { return None };
            let Some(Form::Linear(delta)) = self.forms.get(&other) else { return None };
            step = step.plus(&Linear::constant(e.as_const(*delta)?.0, width), *by);
        }
        Some(Form::Sum { first: rebuild(e, &first), step: step.constant })
    }
}

/// The expression of a linear form, as an unsigned integer.
fn rebuild(e: &Exprs<'_>, form: &Linear) -> ExprId {
    let ty = unsigned(form.width);
    let term = |(atom, by): (&ExprId, &u128)| e.times(e.cast(*atom, ty), e.number(*by, ty));
    let sum = form.terms.iter().map(term).reduce(|sum, term| e.plus(sum, term));
    let rest = e.number(form.constant, ty);
    sum.map_or(rest, |sum| e.plus(sum, rest))
}

/// A linear form times a number, as a sum: where inner loops are passed, products of the same factors occur in several closed forms.
fn multiple(e: &Exprs<'_>, form: ExprId, times: ExprId) -> ExprId {
    let (ty, form) = (e.ty(times), Linear::of(e, form, e.width(times)));
    let product = |(atom, by): (&ExprId, &u128)| e.times(e.times(times, e.cast(*atom, ty)), e.number(*by, ty));
    let constant = e.times(times, e.number(form.constant, ty));
    form.terms.iter().map(product).fold(constant, |sum, term| e.plus(sum, term))
}
