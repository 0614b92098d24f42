//! Step 3, where a path accesses memory at places that move with each iteration [kroening13, Sect. 4.3].
//!
//! Their addresses have to be linear: the first one and a constant stride. Conditions that read such places, and writes, become a [`Repeat`]: the bound
//! gets what keeps addresses linear. Whether accesses stay within their objects and whether an iteration may read what an earlier one wrote, the
//! encoder finds out, which knows the objects; what certainly does, by the look of the addresses, gets no accelerator.

use crate::accelerate::closed::{ClosedForms, Span};
use crate::accelerate::linear::Linear;
use crate::accelerate::path::Input;
use crate::accelerate::slopes::{Failure, Growing, no_wrap, slope};
use crate::exprs::{Exprs, Literal, loads, mentions};
use cfa::{ExprId, ExprKind, MovingRead, MovingWrite, Program, Repeat, Scalar};
use smt::value::to_signed;
use std::collections::BTreeSet;

/// Greatest stride in bytes: with it, offsets in objects never wrap around.
const MAX_STRIDE: i128 = 1 << 20;
/// Most different reads and writes of one path.
const MAX_ACCESSES: usize = 12;

/// What is executed iteration by iteration.
pub struct Moving {
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

/// All accesses of an iteration.
#[derive(Default)]
struct Accesses {
    reads: Vec<Access>,
    writes: Vec<Access>,
    /// What must keep its range for the addresses to be linear.
    ranges: BTreeSet<Growing>,
}

/// The accesses of a path at moving places; `require` are the conditions that have some.
///
/// # Errors
/// Why they have no description.
pub fn repeated(program: &mut Program, closed: &ClosedForms, require: &[Literal]) -> Result<Moving, Failure> {
    let e = Exprs::of(program);
    let mut within = e.truth(true);
    if require.is_empty() && closed.path.writes.is_empty() {
        return Ok(Moving { repeat: None, each: Vec::new(), within });
    }
    let Accesses { reads, writes, ranges } = accesses(&e, closed, require)?;
    for range in ranges {
        within = e.and(within, no_wrap(&e, range, closed.n));
    }
    let index = program.add_register(program.locs[closed.path.head].func, "iteration", closed.counter);
    let e = Exprs::of(program);
    let at = e.var(index).ok_or(Failure::Form)?;
    let mut repeat = Repeat {
        count: closed.n,
        index,
        inputs: Vec::new(),
        require: Vec::new(),
        writes: Vec::new(),
        reads: reads.iter().map(|r| MovingRead { first: r.addr, stride: r.stride, bytes: r.bytes }).collect(),
    };
    for literal in require {
        repeat.require.push((told(&e, closed, literal.cond, at)?, literal.truth));
    }
    for (write, access) in closed.path.writes.iter().zip(writes) {
        let (addr, value) = (told(&e, closed, write.addr, at)?, told(&e, closed, write.value, at)?);
        repeat.writes.push(MovingWrite { first: write.addr, stride: access.stride, addr, value });
    }
    let mut each = Vec::new();
    for input in &closed.path.inputs {
        let pool = e.pool();
        let names = |expr: ExprId| mentions(&pool, expr, |var| var == input.var);
        let mut exprs = repeat.writes.iter().map(|w| w.value).chain(repeat.require.iter().map(|(cond, _)| *cond));
        if exprs.any(names) {
            if !e.register(input.var).is_some_and(|ty| ty.is_int() || ty == Scalar::Bool) {
                return Err(Failure::Form);
            }
            each.push(*input);
        }
    }
    repeat.inputs = each.iter().map(|input| (input.edge, input.var)).collect();
    Ok(Moving { repeat: Some(repeat), each, within })
}

fn accesses(e: &Exprs<'_>, closed: &ClosedForms, require: &[Literal]) -> Result<Accesses, Failure> {
    let mut found = Accesses::default();
    let values = closed.path.writes.iter().map(|write| write.value);
    for (addr, ty) in loaded(e, require.iter().map(|literal| literal.cond).chain(values)) {
        let stride = stride(e, closed, addr, &mut found.ranges)?;
        found.reads.push(Access { addr, stride, bytes: ty.access_bytes(e.pointer_bits) });
    }
    for write in &closed.path.writes {
        let stride = stride(e, closed, write.addr, &mut found.ranges)?;
        let bytes = e.ty(write.value).access_bytes(e.pointer_bits);
        if stride.unsigned_abs() < u64::from(bytes) || !bytes.is_power_of_two() || bytes > 8 {
            return Err(Failure::Form);
        }
        found.writes.push(Access { addr: write.addr, stride, bytes });
    }
    let mut pairs = found.reads.iter().flat_map(|read| found.writes.iter().map(move |write| (read, write)));
    if found.reads.len() + found.writes.len() > MAX_ACCESSES || pairs.any(|(read, write)| reads_written(e, read, write))
    {
        return Err(Failure::Form);
    }
    Ok(found)
}

/// Addresses that are read, with the types.
fn loaded(e: &Exprs<'_>, exprs: impl Iterator<Item = ExprId>) -> BTreeSet<(ExprId, Scalar)> {
    let mut found = BTreeSet::new();
    for root in exprs {
        e.pool().walk(root, |_, expr| {
            if let ExprKind::Load(addr) = expr.kind {
                found.insert((addr, expr.ty));
            }
        });
    }
    found
}

/// Bytes by which an address moves.
fn stride(e: &Exprs<'_>, closed: &ClosedForms, addr: ExprId, ranges: &mut BTreeSet<Growing>) -> Result<i64, Failure> {
    if loads(&e.pool(), addr) || mentions(&e.pool(), addr, |var| closed.path.is_input(var)) {
        return Err(Failure::Form);
    }
    let slope = slope(e, closed, addr, e.pointer_bits)?;
    ranges.extend(slope.within);
    let stride = to_signed(e.pointer_bits, slope.by);
    i64::try_from(stride).ok().filter(|_| stride.abs() <= MAX_STRIDE).ok_or(Failure::Form)
}

/// An expression in iteration `at`. Inputs of earlier iterations have no name there.
fn told(e: &Exprs<'_>, closed: &ClosedForms, expr: ExprId, at: ExprId) -> Result<ExprId, Failure> {
    let told = closed.at(e, expr, at, Span::Whole).ok_or(Failure::Form)?;
    if mentions(&e.pool(), told, |var| closed.early.contains(&var)) { Err(Failure::Form) } else { Ok(told) }
}

/// Whether an iteration reads what an earlier one has written, if narrow numbers don't wrap around.
fn reads_written(e: &Exprs<'_>, read: &Access, write: &Access) -> bool {
    let distance = wide(e, read.addr, e.pointer_bits).plus(&wide(e, write.addr, e.pointer_bits), u128::MAX);
    if !distance.terms.is_empty() || read.stride != write.stride {
        return false;
    }
    let distance = to_signed(e.pointer_bits, distance.constant);
    // Where the read begins, relative to the write of the m-th iteration before it.
    let (distance, stride, before, behind) = match write.stride > 0 {
        true => (distance, i128::from(write.stride), read.bytes, write.bytes),
        false => (-distance, -i128::from(write.stride), write.bytes, read.bytes),
    };
    let first = (-i128::from(before) - distance).div_euclid(stride) + 1;
    distance + stride * first.max(1) < i128::from(behind)
}

/// The linear form of an address as if no conversion to a wider type changed anything.
fn wide(e: &Exprs<'_>, expr: ExprId, width: u32) -> Linear {
    let form = Linear::of(e, expr, width);
    let mut sum = Linear::constant(form.constant, width);
    for (atom, by) in form.terms {
        let part = match e.kind(atom) {
            ExprKind::Cast(inner) if e.ty(inner).is_int() => {
                let narrow = e.width(inner);
                let mut part = wide(e, inner, narrow);
                part.constant = to_signed(narrow, part.constant) as u128;
                part.terms.values_mut().for_each(|by| *by = to_signed(narrow, *by) as u128);
                part
            }
            _ => Linear::atom(atom, width),
        };
        sum = sum.plus(&part, by);
    }
    sum
}
