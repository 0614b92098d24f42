//! Closed forms of looping paths [kroening13, kroening15].
//!
//! Registers have the closed forms of [`Form`]; all of them are exact modulo the width, so overflow alone does not hurt. The conditions of
//! the path must hold in each of `n` iterations: [`super::bounds`] tells when they do. Conditions and writes at moving places are left to
//! [`super::moving`]. Nothing here is trusted: see [`super::check`].

use crate::accelerate::exprs::{Map, and, binary, cast, constant, loads, mentions, substitute};
use crate::accelerate::linear::{Linear, mask};
use crate::accelerate::moving::Moving;
use crate::accelerate::paths::{Input, LoopPath, fresh_register};
use cfa::{BinOp, ExprId, ExprKind, Program, Repeat, Scalar, VarId};
use std::collections::BTreeMap;

/// Value of a register after `n` iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Why a path has no accelerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It has no closed form of a kind that is known.
    Form,
    /// It would have one if this register had a fixed value.
    Symbolic(VarId),
}

/// How conditions without a bound are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unbounded {
    /// They fail.
    Fail,
    /// Iteration by iteration, with the accesses at moving places.
    Iterate,
}

/// An accelerator of a path.
#[derive(Clone, Debug)]
pub struct Accelerator {
    /// The path.
    pub path: LoopPath,
    /// Number of iterations; positive.
    pub count: VarId,
    /// Condition on the values at the head, the count and the inputs.
    pub bound: ExprId,
    /// The part of it that says nothing of inputs.
    pub range: ExprId,
    /// Whether the bound is a conjunction of conditions on all iterations.
    pub is_conjunctive: bool,
    /// Closed forms.
    pub forms: BTreeMap<VarId, Form>,
    /// What each input is in all iterations but the last; in the order of the path's inputs.
    pub early: Vec<VarId>,
    /// Inputs that differ from iteration to iteration; they occur in the repeated part only.
    pub each: Vec<Input>,
    /// New values, all computed from the old ones. Registers that are not read any more are left out.
    pub updates: BTreeMap<VarId, ExprId>,
    /// What is repeated iteration by iteration.
    pub repeat: Option<Repeat>,
    /// Conditions of the path that are told there.
    pub iterated: Vec<ExprId>,
    /// Greatest number of iterations that the count can mean.
    pub limit: u128,
}

/// Which values inputs have when an expression is told for several iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// All iterations, the last one included.
    Whole,
    /// All but the last.
    Early,
}

/// Finds closed forms, and what they say of conditions.
pub(super) struct Closer<'a> {
    pub(super) program: &'a mut Program,
    pub(super) path: &'a LoopPath,
    pub(super) forms: BTreeMap<VarId, Form>,
    pub(super) early: Map,
    pub(super) counter: Scalar,
    pub(super) count: ExprId,
    /// Conditions at moving places that must hold.
    pub(super) require: Vec<(ExprId, bool)>,
    pub(super) is_conjunctive: bool,
}

/// The accelerator of a path, if it has closed forms. `is_live` tells which registers may be read later.
///
/// # Errors
/// Why there is none.
pub fn close(
    program: &mut Program,
    path: &LoopPath,
    unbounded: Unbounded,
    is_live: &dyn Fn(VarId) -> bool,
) -> Result<Accelerator, Failure> {
    let pointer = program.pointer_bits();
    let width = |var: &VarId| program.vars[*var].register().map_or(0, |ty| ty.bits(pointer));
    let widest = path.updates.keys().map(width).max().unwrap_or(0);
    let bits = if widest <= 32 { 64 } else { 128 };
    let counter = Scalar::Int { bits, signed: false };
    let count = fresh_register(program, path.head, "iterations", counter);
    let mut early = Map::default();
    let mut early_vars = Vec::new();
    for input in &path.inputs {
        let ty = program.vars[input.var].register().ok_or(Failure::Form)?;
        let name = format!("{}$early", program.vars[input.var].name);
        let var = fresh_register(program, path.head, &name, ty);
        early.insert(input.var, program.exprs.add(ExprKind::Var(var), ty));
        early_vars.push(var);
    }
    let count_expr = program.exprs.add(ExprKind::Var(count), counter);
    let mut closer = Closer {
        program,
        path,
        forms: BTreeMap::new(),
        early,
        counter,
        count: count_expr,
        require: Vec::new(),
        is_conjunctive: true,
    };
    closer.classify();
    let n = closer.count;
    let zero = closer.number(0);
    let mut bound = binary(&mut closer.program.exprs, BinOp::Ne, n, zero);
    let limit = 1u128 << (bits - 2);
    let most = closer.number(limit);
    let below = binary(&mut closer.program.exprs, BinOp::Le, n, most);
    bound = and(&mut closer.program.exprs, bound, below);
    if let Some(assumed) = path.assumed {
        bound = and(&mut closer.program.exprs, bound, assumed);
    }
    let mut range = bound;
    for (cond, truth) in path.guards.clone() {
        let here = match (closer.bound(cond, truth, n, Span::Whole), unbounded) {
            (Ok(here), _) => here,
            (Err(failure), Unbounded::Fail) => return Err(failure),
            (Err(_), Unbounded::Iterate) => {
                closer.require.push((cond, truth));
                continue;
            }
        };
        let pool = &mut closer.program.exprs;
        bound = and(pool, bound, here);
        let names_input = |var: VarId| path.is_input(var) || early_vars.contains(&var);
        if !mentions(pool, here, names_input) {
            range = and(pool, range, here);
        }
    }
    let mut updates = BTreeMap::new();
    for var in path.updates.keys().copied().filter(|var| is_live(*var)) {
        let value = closer.after(var, n, Span::Whole).ok_or(Failure::Form)?;
        if !path.writes.is_empty() && loads(&closer.program.exprs, value) {
            return Err(Failure::Form);
        }
        updates.insert(var, value);
    }
    let require = std::mem::take(&mut closer.require);
    let iterated = require.iter().map(|(cond, _)| *cond).collect();
    let Moving { repeat, each, within } = closer.repeated(require)?;
    bound = and(&mut closer.program.exprs, bound, within);
    range = and(&mut closer.program.exprs, range, within);
    if each.iter().any(|input| {
        let pool = &closer.program.exprs;
        let used = |e: &ExprId| mentions(pool, *e, |var| var == input.var);
        used(&bound) || updates.values().any(used)
    }) {
        return Err(Failure::Form);
    }
    let forms = std::mem::take(&mut closer.forms);
    let is_conjunctive = closer.is_conjunctive;
    Ok(Accelerator {
        path: path.clone(),
        count,
        bound,
        range,
        is_conjunctive,
        forms,
        early: early_vars,
        each,
        updates,
        repeat,
        iterated,
        limit,
    })
}

impl<'a> Closer<'a> {
    /// For further questions about an accelerated path.
    pub(super) fn again(program: &'a mut Program, acc: &'a Accelerator) -> Self {
        let counter = program.vars[acc.count].register().unwrap_or(Scalar::INT);
        let count = program.exprs.add(ExprKind::Var(acc.count), counter);
        Self {
            program,
            path: &acc.path,
            forms: acc.forms.clone(),
            early: Map::default(),
            counter,
            count,
            require: Vec::new(),
            is_conjunctive: acc.is_conjunctive,
        }
    }

    pub(super) fn number(&mut self, value: u128) -> ExprId {
        let bits = self.program.pointer_bits();
        constant(&mut self.program.exprs, value, self.counter, bits)
    }

    pub(super) fn bits(&self, expr: ExprId) -> u32 {
        self.program.exprs.ty(expr).bits(self.program.pointer_bits())
    }

    pub(super) fn is_integral(&self, ty: Scalar) -> bool {
        ty.is_int() || ty == Scalar::Ptr
    }

    /// Finds the closed forms.
    fn classify(&mut self) {
        let updates: Vec<(VarId, ExprId)> = self.path.updates.iter().map(|(v, e)| (*v, *e)).collect();
        for (var, value) in &updates {
            if let Some(form) = self.simple_form(*var, *value) {
                self.forms.insert(*var, form);
            }
        }
        for (var, value) in &updates {
            if !self.forms.contains_key(var)
                && let Some(form) = self.sum_form(*var, *value)
            {
                self.forms.insert(*var, form);
            }
        }
        // Values of expressions over what has a form already.
        loop {
            let before = self.forms.len();
            for (var, value) in &updates {
                let path = self.path;
                let (forms, pool) = (&self.forms, &self.program.exprs);
                let open = |v: VarId| path.changes(v) && !forms.contains_key(&v);
                if !forms.contains_key(var) && !mentions(pool, *value, open) {
                    self.forms.insert(*var, Form::Last(*value));
                }
            }
            if self.forms.len() == before {
                return;
            }
        }
    }

    fn simple_form(&mut self, var: VarId, value: ExprId) -> Option<Form> {
        let ty = self.program.exprs.ty(value);
        if !self.is_integral(ty) {
            return None;
        }
        let width = self.bits(value);
        let form = Linear::of(self.program, value, width);
        let own = self.program.exprs.add(ExprKind::Var(var), ty);
        if let [(atom, by)] = form.terms.iter().collect::<Vec<_>>()[..]
            && (*atom, form.constant) == (own, 0)
            && by.is_power_of_two()
            && *by > 1
        {
            return Some(Form::Shifted(by.trailing_zeros()));
        }
        let step = form.without(own)?;
        if step.terms.keys().all(|atom| self.path.is_invariant(self.program, *atom))
            && (self.path.writes.is_empty() || step.terms.keys().all(|atom| !loads(&self.program.exprs, *atom)))
        {
            let step = self.rebuild(&step, width);
            return Some(Form::Linear(step));
        }
        None
    }

    /// `x + c·y + …` where `y` is linear with a constant step.
    fn sum_form(&mut self, var: VarId, value: ExprId) -> Option<Form> {
        let ty = self.program.exprs.ty(value);
        if !self.is_integral(ty) {
            return None;
        }
        let width = self.bits(value);
        let own = self.program.exprs.add(ExprKind::Var(var), ty);
        let first = Linear::of(self.program, value, width).without(own)?;
        let mut step = 0u128;
        for (atom, by) in &first.terms {
            if self.path.is_invariant(self.program, *atom) && !loads(&self.program.exprs, *atom) {
                continue;
            }
            let ExprKind::Var(other) = self.program.exprs.kind(*atom) else { return None };
            let Some(Form::Linear(delta)) = self.forms.get(&other) else { return None };
            let delta = self.program.exprs.as_const(*delta)?;
            step = step.wrapping_add(by.wrapping_mul(delta.0)) & mask(width);
        }
        let first = self.rebuild(&first, width);
        Some(Form::Sum { first, step })
    }

    /// The expression of a linear form, as an unsigned integer.
    fn rebuild(&mut self, form: &Linear, width: u32) -> ExprId {
        let ty = Scalar::Int { bits: width as u16, signed: false };
        let pool = &mut self.program.exprs;
        let pointer = self.program.machine.pointer_bits();
        let mut sum = None;
        for (atom, by) in &form.terms {
            let value = cast(pool, *atom, ty);
            let by = constant(pool, *by, ty, pointer);
            let term = binary(pool, BinOp::Mul, value, by);
            sum = Some(match sum {
                None => term,
                Some(sum) => binary(pool, BinOp::Add, sum, term),
            });
        }
        let rest = constant(pool, form.constant, ty, pointer);
        match sum {
            None => rest,
            Some(sum) => binary(pool, BinOp::Add, sum, rest),
        }
    }

    /// A linear form times a number, as a sum: where inner loops are passed, products of the same factors occur in several closed forms.
    fn multiple(&mut self, form: ExprId, times: ExprId, width: u32) -> ExprId {
        let form = Linear::of(self.program, form, width);
        let unsigned = Scalar::Int { bits: width as u16, signed: false };
        let pointer = self.program.pointer_bits();
        let pool = &mut self.program.exprs;
        let mut sum = constant(pool, form.constant, unsigned, pointer);
        sum = binary(pool, BinOp::Mul, times, sum);
        for (atom, by) in form.terms {
            let (atom, by) = (cast(pool, atom, unsigned), constant(pool, by, unsigned, pointer));
            let product = binary(pool, BinOp::Mul, times, atom);
            let product = binary(pool, BinOp::Mul, product, by);
            sum = binary(pool, BinOp::Add, sum, product);
        }
        sum
    }

    /// Value of a register after `n` iterations, `n` a counter that may be zero; which iterations these are, tells `span`.
    fn after(&mut self, var: VarId, n: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.program.vars[var].register()?;
        let own = self.program.exprs.add(ExprKind::Var(var), ty);
        if !self.path.changes(var) {
            return Some(own);
        }
        let pointer = self.program.pointer_bits();
        let width = ty.bits(pointer);
        let unsigned = Scalar::Int { bits: width as u16, signed: false };
        let form = self.forms.get(&var)?.clone();
        let pool = &mut self.program.exprs;
        Some(match form {
            Form::Linear(step) => {
                let (times, base) = (cast(pool, n, unsigned), cast(pool, own, unsigned));
                let moved = match self.path.passes[..] {
                    [] => binary(pool, BinOp::Mul, times, step),
                    _ => self.multiple(step, times, width),
                };
                let pool = &mut self.program.exprs;
                let sum = binary(pool, BinOp::Add, base, moved);
                if ty == Scalar::Ptr { pool.add(ExprKind::PtrAdd(own, moved), ty) } else { cast(pool, sum, ty) }
            }
            Form::Sum { first, step } => {
                let (times, base) = (cast(pool, n, unsigned), cast(pool, own, unsigned));
                let moved = binary(pool, BinOp::Mul, times, first);
                let sum = binary(pool, BinOp::Add, base, moved);
                // n(n-1)/2 without losing the top bit: the even factor is halved first.
                let one = constant(pool, 1, self.counter, pointer);
                let before = binary(pool, BinOp::Sub, n, one);
                let (half, half_before) = (binary(pool, BinOp::Shr, n, one), binary(pool, BinOp::Shr, before, one));
                let (half, half_before) = (cast(pool, half, unsigned), cast(pool, half_before, unsigned));
                let before = cast(pool, before, unsigned);
                let even = binary(pool, BinOp::Mul, half, before);
                let odd = binary(pool, BinOp::Mul, times, half_before);
                let low = binary(pool, BinOp::BitAnd, n, one);
                let is_odd = binary(pool, BinOp::Eq, low, one);
                let triangle = pool.add(ExprKind::Ite(is_odd, odd, even), unsigned);
                let step = constant(pool, step, unsigned, pointer);
                let extra = binary(pool, BinOp::Mul, triangle, step);
                let sum = binary(pool, BinOp::Add, sum, extra);
                cast(pool, sum, ty)
            }
            Form::Shifted(by) => {
                let most = constant(pool, u128::from((width - 1) / by), self.counter, pointer);
                let fits = binary(pool, BinOp::Le, n, most);
                let by = constant(pool, u128::from(by), self.counter, pointer);
                let zero = constant(pool, 0, self.counter, pointer);
                let safe = pool.add(ExprKind::Ite(fits, n, zero), self.counter);
                let amount = binary(pool, BinOp::Mul, safe, by);
                let base = cast(pool, own, unsigned);
                let amount = cast(pool, amount, unsigned);
                let shifted = pool.add(ExprKind::Binary(BinOp::Shl, base, amount), unsigned);
                let nothing = constant(pool, 0, unsigned, pointer);
                let value = pool.add(ExprKind::Ite(fits, shifted, nothing), unsigned);
                cast(pool, value, ty)
            }
            Form::Last(value) => {
                let one = self.number(1);
                let before = binary(&mut self.program.exprs, BinOp::Sub, n, one);
                let value = self.at(value, before, span)?;
                if n == self.count {
                    return Some(value);
                }
                let zero = self.number(0);
                let none = binary(&mut self.program.exprs, BinOp::Eq, n, zero);
                self.program.exprs.add(ExprKind::Ite(none, own, value), ty)
            }
        })
    }

    /// An expression in iteration `n`, counted from 0.
    pub(super) fn at(&mut self, expr: ExprId, n: ExprId, span: Span) -> Option<ExprId> {
        let mut vars = Vec::new();
        self.program.exprs.walk(expr, |_, e| {
            if let ExprKind::Var(var) = e.kind {
                vars.push(var);
            }
        });
        let mut map = Map::default();
        for var in vars {
            if self.path.changes(var) {
                let value = self.after(var, n, Span::Early)?;
                map.insert(var, value);
            } else if self.path.is_input(var) && span == Span::Early {
                map.insert(var, *self.early.get(&var)?);
            }
        }
        Some(substitute(&mut self.program.exprs, expr, &map))
    }
}
