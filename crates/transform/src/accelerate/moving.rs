//! Accesses of memory at places that move with each iteration [kroening13, Sect. 4.3].
//!
//! Their addresses have to be linear: the first one and a constant stride. Conditions that read such places, and writes, become a [`Repeat`]: the bound
//! gets what keeps addresses linear. Whether accesses stay within their objects and whether an iteration may read what an earlier one wrote, the
//! encoder finds out, which knows the objects; what certainly does, by the look of the addresses, gets no accelerator.

use crate::accelerate::closed::{Closer, Failure, Span};
use crate::accelerate::exprs::{Truth, and, loads, mentions, truth};
use crate::accelerate::linear::{Linear, signed};
use crate::accelerate::paths::{Input, fresh_register};
use cfa::{ExprId, ExprKind, MovingRead, MovingWrite, Program, Repeat, Scalar};
use std::collections::BTreeSet;

/// Greatest stride in bytes: with it, offsets in objects never wrap around.
const MAX_STRIDE: i128 = 1 << 20;
/// Most different reads and writes of one path.
const MAX_ACCESSES: usize = 12;

/// What is executed iteration by iteration.
pub(super) struct Moving {
    /// The accesses, if there are any.
    pub repeat: Option<Repeat>,
    /// Inputs that occur there only.
    pub each: Vec<Input>,
    /// How many iterations keep addresses linear.
    pub within: ExprId,
}

/// An access in the first iteration.
struct Access {
    addr: ExprId,
    stride: i64,
    bytes: u32,
}

impl Closer<'_> {
    /// The accesses at moving places; `require` are the conditions that have some.
    pub(super) fn repeated(&mut self, require: Vec<(ExprId, bool)>) -> Result<Moving, Failure> {
        let mut within = truth(&mut self.program.exprs, Truth::Always);
        if require.is_empty() && self.path.writes.is_empty() {
            return Ok(Moving { repeat: None, each: Vec::new(), within });
        }
        let path = self.path;
        let pointer = self.program.pointer_bits();
        let mut ranges = Vec::new();
        let mut reads = Vec::new();
        let values = path.writes.iter().map(|write| write.value);
        for (addr, ty) in self.loaded(require.iter().map(|(cond, _)| *cond).chain(values)) {
            let stride = self.stride(addr, &mut ranges)?;
            reads.push(Access { addr, stride, bytes: ty.access_bytes(pointer) });
        }
        let mut writes = Vec::new();
        for write in &path.writes {
            let ty = self.program.exprs.ty(write.value);
            let stride = self.stride(write.addr, &mut ranges)?;
            let bytes = ty.access_bytes(pointer);
            if stride.unsigned_abs() < u64::from(bytes) || !bytes.is_power_of_two() || bytes > 8 {
                return Err(Failure::Form);
            }
            writes.push(Access { addr: write.addr, stride, bytes });
        }
        if reads.len() + writes.len() > MAX_ACCESSES
            || reads.iter().any(|read| writes.iter().any(|write| reads_written(self.program, read, write)))
        {
            return Err(Failure::Form);
        }
        ranges.sort_unstable();
        ranges.dedup();
        for (expr, is_signed, by) in ranges {
            let inside = self.no_wrap(expr, is_signed, by, self.count);
            within = and(&mut self.program.exprs, within, inside);
        }
        let index = fresh_register(self.program, path.head, "iteration", self.counter);
        let at = self.program.exprs.add(ExprKind::Var(index), self.counter);
        let mut repeat = Repeat {
            count: self.count,
            index,
            inputs: Vec::new(),
            require: Vec::new(),
            writes: Vec::new(),
            reads: reads.iter().map(|r| MovingRead { first: r.addr, stride: r.stride, bytes: r.bytes }).collect(),
        };
        for (cond, holds) in require {
            repeat.require.push((self.told(cond, at)?, holds));
        }
        for (write, access) in path.writes.iter().zip(writes) {
            let (addr, value) = (self.told(write.addr, at)?, self.told(write.value, at)?);
            repeat.writes.push(MovingWrite { first: write.addr, stride: access.stride, addr, value });
        }
        let mut each = Vec::new();
        for input in &path.inputs {
            let pool = &self.program.exprs;
            let names = |e: ExprId| mentions(pool, e, |var| var == input.var);
            let mut exprs = repeat.writes.iter().map(|w| w.value).chain(repeat.require.iter().map(|(e, _)| *e));
            if exprs.any(names) {
                if !self.program.vars[input.var].register().is_some_and(|ty| ty.is_int() || ty == Scalar::Bool) {
                    return Err(Failure::Form);
                }
                each.push(*input);
            }
        }
        repeat.inputs = each.iter().map(|input| (input.edge, input.var)).collect();
        Ok(Moving { repeat: Some(repeat), each, within })
    }

    /// Addresses that are read, with the types.
    fn loaded(&self, exprs: impl Iterator<Item = ExprId>) -> BTreeSet<(ExprId, Scalar)> {
        let mut found = BTreeSet::new();
        for root in exprs {
            self.program.exprs.walk(root, |_, e| {
                if let ExprKind::Load(addr) = e.kind {
                    found.insert((addr, e.ty));
                }
            });
        }
        found
    }

    /// Bytes by which an address moves.
    fn stride(&mut self, addr: ExprId, ranges: &mut Vec<(ExprId, bool, i128)>) -> Result<i64, Failure> {
        let path = self.path;
        if loads(&self.program.exprs, addr) || mentions(&self.program.exprs, addr, |var| path.is_input(var)) {
            return Err(Failure::Form);
        }
        let width = self.program.pointer_bits();
        let stride = signed(self.slope(addr, width, ranges)?, width);
        if stride.abs() > MAX_STRIDE {
            return Err(Failure::Form);
        }
        i64::try_from(stride).map_err(|_| Failure::Form)
    }

    /// An expression in iteration `at`. Inputs of earlier iterations have no name there.
    fn told(&mut self, expr: ExprId, at: ExprId) -> Result<ExprId, Failure> {
        let told = self.at(expr, at, Span::Whole).ok_or(Failure::Form)?;
        let early: Vec<ExprId> = self.early.values().copied().collect();
        let pool = &self.program.exprs;
        let is_early = |var| early.iter().any(|e| pool.kind(*e) == ExprKind::Var(var));
        if mentions(pool, told, is_early) { Err(Failure::Form) } else { Ok(told) }
    }
}

/// Whether an iteration reads what an earlier one has written, if narrow numbers don't wrap around.
fn reads_written(program: &Program, read: &Access, write: &Access) -> bool {
    let width = program.pointer_bits();
    let distance = wide(program, read.addr, width).plus(&wide(program, write.addr, width), u128::MAX, width);
    if !distance.terms.is_empty() || read.stride != write.stride {
        return false;
    }
    let distance = signed(distance.constant, width);
    // Where the read begins, relative to the write of the m-th iteration before it.
    let (distance, stride, before, behind) = match write.stride > 0 {
        true => (distance, i128::from(write.stride), read.bytes, write.bytes),
        false => (-distance, -i128::from(write.stride), write.bytes, read.bytes),
    };
    let first = (-i128::from(before) - distance).div_euclid(stride) + 1;
    distance + stride * first.max(1) < i128::from(behind)
}

/// The linear form of an address as if no conversion to a wider type changed anything.
fn wide(program: &Program, expr: ExprId, width: u32) -> Linear {
    let form = Linear::of(program, expr, width);
    let mut sum = Linear::constant(form.constant, width);
    for (atom, by) in form.terms {
        let part = match program.exprs.kind(atom) {
            ExprKind::Cast(inner) if program.exprs.ty(inner).is_int() => {
                let narrow = program.exprs.ty(inner).bits(width);
                let mut part = wide(program, inner, narrow);
                part.constant = signed(part.constant, narrow) as u128;
                part.terms.values_mut().for_each(|by| *by = signed(*by, narrow) as u128);
                part
            }
            _ => Linear::atom(atom),
        };
        sum = sum.plus(&part, by, width);
    }
    sum
}

#[cfg(test)]
mod tests;
