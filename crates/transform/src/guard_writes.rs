//! Checks, as branches of the program, that writes stay in their objects.
//!
//! A machine goes on after a write outside of its object, with other memory changed than the model says, and traps at one to an object that is
//! constant. So such a run ends with
//! [`Undefined::OutsideWrite`], which is no proof, and which no slice removes. Where an address is made of a variable's, an index is compared;
//! other pointers are asked whether so many bytes are there, unless pointer analysis knows it, or the program checks its accesses itself.

use crate::edges::move_source;
use cfa::Check;
use cfa::expr::{Access, BinOp, ExprId, ExprKind};
use cfa::op::{Op, Undefined};
use cfa::points_to::PointsTo;
use cfa::program::{EdgeId, Program, Storage};
use cfa::value::{Scalar, Value};
use std::collections::BTreeMap;

/// The address that an operation writes to, with the number of bytes from there on that have to be valid.
pub fn written(program: &Program, op: &Op) -> Option<(ExprId, u64)> {
    match op {
        Op::Store { addr, value } => {
            let bytes = program.exprs.ty(*value).access_bytes(program.pointer_bits());
            Some((*addr, u64::from(bytes)))
        }
        Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } => Some((*dst, *len)),
        Op::MemHavoc { dst, len, .. } => Some((*dst, len.least())),
        _ => None,
    }
}

/// Whether an address is made of a variable's.
pub fn is_in_variable(program: &Program, addr: ExprId) -> bool {
    variable(program, addr).is_some()
}

/// For each edge that writes to a variable, the condition that it stays inside of it; not where constants show it.
pub fn conditions(program: &mut Program) -> BTreeMap<EdgeId, ExprId> {
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|loc| loc.out.iter().copied()).collect();
    let mut conditions = BTreeMap::new();
    for edge in edges {
        if let Some((addr, len)) = written(program, &program.edges[edge].op)
            && let Some(place) = variable(program, addr)
        {
            conditions.extend(place.holds(program, len).map(|condition| (edge, condition)));
        }
    }
    conditions
}

/// Lets runs on which the condition of an edge does not hold end there.
pub fn guard_writes(program: &mut Program, conditions: &BTreeMap<EdgeId, ExprId>) {
    for (edge, cond) in conditions {
        let (src, span) = (program.edges[*edge].src, program.edges[*edge].span);
        let func = program.locs[src].func;
        let Some(body) = program.functions[func].body else { continue };
        let (inside, outside) = (program.add_loc(func), program.add_loc(func));
        move_source(program, *edge, inside);
        program.add_edge(src, inside, Op::Assume { cond: *cond, truth: true }, span);
        program.add_edge(src, outside, Op::Assume { cond: *cond, truth: false }, span);
        program.add_edge(outside, body.exit, Op::Undefined(Undefined::OutsideWrite), span);
    }
}

/// For each write through a pointer that no variable's address is in, the condition that it stays in its object, or that the pointer is null,
/// where a machine traps; not where pointer analysis shows it.
pub fn pointer_conditions(program: &mut Program, points_to: &PointsTo) -> BTreeMap<EdgeId, ExprId> {
    if is_checked(program) {
        return BTreeMap::new();
    }
    let edges = program.locs.iter().flat_map(|loc| &loc.out);
    let open: Vec<(EdgeId, ExprId, u64)> = edges
        .filter_map(|edge| written(program, &program.edges[*edge].op).map(|(addr, len)| (*edge, addr, len)))
        .filter(|(_, addr, len)| !is_in_variable(program, *addr) && !points_to.is_inside(program, *addr, *len))
        .collect();
    open.into_iter().map(|(edge, addr, len)| (edge, stays_inside(program, addr, len))).collect()
}

fn stays_inside(program: &mut Program, addr: ExprId, len: u64) -> ExprId {
    let number = Scalar::Int { bits: program.pointer_bits() as u16, signed: false };
    let root = root(program, addr);
    let exprs = &mut program.exprs;
    let len = exprs.add(ExprKind::Const(Value(len.into())), number);
    let is_valid = exprs.add(ExprKind::Valid(Access::Write, addr, len), Scalar::Bool);
    let null = exprs.add(ExprKind::Const(Value(0)), Scalar::Ptr);
    let is_null = exprs.add(ExprKind::Binary(BinOp::Eq, root, null), Scalar::Bool);
    exprs.add(ExprKind::Binary(BinOp::Or, is_valid, is_null), Scalar::Bool)
}

/// Whether a check stands in front of every write, or of the call of the library that writes.
pub fn is_checked(program: &Program) -> bool {
    program.checks.contains(&Check::Memory) && program.unchecked.is_empty()
}

/// Whether runs get to a write only where it stays in its object, because of such a condition.
pub fn is_guarded(program: &Program, edge: EdgeId, addr: ExprId) -> bool {
    let [before] = program.locs[program.edges[edge].src].inc[..] else { return false };
    let Op::Assume { cond, truth: true } = program.edges[before].op else { return false };
    let ExprKind::Binary(BinOp::Or, is_valid, _) = program.exprs.kind(cond) else { return false };
    matches!(program.exprs.kind(is_valid), ExprKind::Valid(Access::Write, at, _) if at == addr)
}

/// The pointer that an address is made of.
fn root(program: &Program, addr: ExprId) -> ExprId {
    match program.exprs.kind(addr) {
        ExprKind::PtrAdd(base, _) => root(program, base),
        ExprKind::Cast(inner) if program.exprs.ty(inner) == Scalar::Ptr => root(program, inner),
        _ => addr,
    }
}

/// A place in a variable.
struct Place {
    /// Bytes of the variable that may be written to: none if it is constant.
    size: u64,
    /// The constant part of the offset.
    offset: u64,
    /// What is added to it.
    indices: Vec<ExprId>,
}

/// The place in a variable that an address is made of.
fn variable(program: &Program, addr: ExprId) -> Option<Place> {
    let exprs = &program.exprs;
    let (mut at, mut offset, mut indices) = (addr, 0u64, Vec::new());
    loop {
        match exprs.kind(at) {
            ExprKind::AddrOf(var) => {
                let Storage::Memory { size, .. } = program.vars[var].storage else { return None };
                let size = if program.vars[var].is_read_only() { 0 } else { size };
                return Some(Place { size, offset, indices });
            }
            ExprKind::PtrAdd(base, by) => {
                match exprs.as_const(by) {
                    Some(by) => offset = offset.wrapping_add(by.0 as u64),
                    None if exprs.ty(by).bits(program.pointer_bits()) == program.pointer_bits() => indices.push(by),
                    None => return None,
                }
                at = base;
            }
            ExprKind::Cast(inner) if exprs.ty(inner) == Scalar::Ptr => at = inner,
            _ => return None,
        }
    }
}

impl Place {
    /// The condition that `len` bytes there lie in the variable; `None` if they do in any case.
    fn holds(self, program: &mut Program, len: u64) -> Option<ExprId> {
        let bits = program.pointer_bits();
        let offset = Value::truncated(u128::from(self.offset), bits);
        let last = self.size.checked_sub(len);
        if self.indices.is_empty() && last.is_some_and(|last| offset.0 <= u128::from(last)) {
            return None;
        }
        let Some(last) = last.filter(|_| !self.indices.is_empty()) else {
            return Some(program.exprs.add(ExprKind::Const(Value(0)), Scalar::Bool));
        };
        let number = Scalar::Int { bits: bits as u16, signed: false };
        let exprs = &mut program.exprs;
        let mut sum = exprs.add(ExprKind::Const(offset), number);
        for (i, index) in self.indices.into_iter().enumerate() {
            let index = if exprs.ty(index) == number { index } else { exprs.add(ExprKind::Cast(index), number) };
            sum = match i {
                0 if offset.0 == 0 => index,
                _ => exprs.add(ExprKind::Binary(BinOp::Add, index, sum), number),
            };
        }
        let last = exprs.add(ExprKind::Const(Value(u128::from(last))), number);
        Some(exprs.add(ExprKind::Binary(BinOp::Le, sum, last), Scalar::Bool))
    }
}
