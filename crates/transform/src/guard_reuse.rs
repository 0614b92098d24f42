//! Comparisons that show where memory was allocated.
//!
//! In the model no block lies where one lay that was freed, but on machines it may: `free(p); q = malloc(n);` may well make `p == q`. What is freed is not
//! accessed any more, so nothing but the number of such an address tells the difference. Where the address of a block that was freed is compared with
//! that of a block that may have been allocated since then, and they differ in the model, a run goes on as one of many that a machine may take.

use crate::allocators::with_own_allocators;
use base::{IdVec, Span};
use cfa::points_to::{Object, PointsTo};
use cfa::{
    Access, AllocKind, BinOp, EdgeId, ExprId, ExprKind, FuncId, HavocSource, LocId, Op, Program, Scalar, Unsupported,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The construct that such a comparison is.
const CONSTRUCT: &str = "address of freed memory";

/// Guards comparisons of addresses that a machine may decide in another way; returns their number. The frames of contracts compare
/// addresses themselves, of which they know which are new: programs with contracts are left as they are.
pub fn guard_reuse(program: &mut Program) -> usize {
    if program.has_contracts {
        return 0;
    }
    let mut compared = met(program, None);
    // Told apart by the calls that made them, fewer blocks meet.
    if !compared.is_empty()
        && let Some((copies, copied)) = with_own_allocators(program)
    {
        let places: BTreeSet<LocId> = compared.iter().map(|(loc, ..)| *loc).collect();
        let still: FxHashSet<_> = met(&copies, Some(&places)).into_iter().collect();
        compared.retain(|found| still.contains(found) || copied.contains(&program.locs[found.0].func));
    }
    let mut ends = FxHashMap::default();
    for (loc, freed, other) in &compared {
        // Each guard moves the edges of the location to its end.
        let at = *ends.get(loc).unwrap_or(loc);
        ends.insert(*loc, guard(program, at, *freed, *other));
    }
    compared.len()
}

/// Comparisons, at these locations or all, of what may lead to a block that was freed with what may lead to one that was allocated afterwards.
fn met(program: &Program, places: Option<&BTreeSet<LocId>>) -> Vec<(LocId, ExprId, ExprId)> {
    let mut heap = Heap::new(program);
    if heap.frees.is_empty() || heap.blocks.is_empty() {
        return Vec::new();
    }
    let points_to = PointsTo::new(program);
    program
        .locs
        .ids()
        .filter(|loc| places.is_none_or(|places| places.contains(loc)))
        .flat_map(|loc| comparisons(program, loc).into_iter().map(move |(a, b)| (loc, a, b)))
        .filter(|(loc, freed, other)| heap.may_meet(program, &points_to, *freed, *other, *loc))
        .collect()
}

/// Where heap blocks are made and freed.
struct Heap {
    blocks: FxHashSet<EdgeId>,
    frees: Vec<EdgeId>,
    /// By function: where its calls return to.
    returns: FxHashMap<FuncId, Vec<LocId>>,
    /// By operation that makes or frees blocks: what can come after it. There are fewer of them than of comparisons.
    after: FxHashMap<EdgeId, IdVec<LocId, bool>>,
}

impl Heap {
    fn new(program: &Program) -> Self {
        let (mut blocks, mut frees) = (FxHashSet::default(), Vec::new());
        let mut returns: FxHashMap<FuncId, Vec<LocId>> = FxHashMap::default();
        for id in program.locs.iter().flat_map(|loc| &loc.out).copied() {
            match program.edges[id].op {
                Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. } => _ = blocks.insert(id),
                Op::Realloc { .. } => {
                    blocks.insert(id);
                    frees.push(id);
                }
                Op::Free { kind: AllocKind::Heap, .. } => frees.push(id),
                Op::Call { func, .. } => returns.entry(func).or_default().push(program.edges[id].dst),
                _ => {}
            }
        }
        Self { blocks, frees, returns, after: FxHashMap::default() }
    }

    /// The blocks that an address may lead to.
    fn blocks_at(&self, points_to: &PointsTo, address: ExprId) -> Vec<EdgeId> {
        let block = |object: &Object| match object {
            Object::Alloc(edge) => self.blocks.contains(edge).then_some(*edge),
            _ => None,
        };
        points_to.objects_at(address).iter().filter_map(block).collect()
    }

    /// Whether one address may lead to a block that is freed before one is allocated that the other may lead to, and both before a location.
    fn may_meet(&mut self, program: &Program, points_to: &PointsTo, freed: ExprId, other: ExprId, at: LocId) -> bool {
        let (freed, mut others) = (self.blocks_at(points_to, freed), self.blocks_at(points_to, other));
        if freed.is_empty() || others.is_empty() {
            return false;
        }
        let ends = |edge: &EdgeId| match program.edges[*edge].op {
            Op::Free { ptr, .. } | Op::Realloc { ptr, .. } => {
                self.blocks_at(points_to, ptr).iter().any(|block| freed.contains(block))
            }
            _ => false,
        };
        let mut frees: Vec<EdgeId> = self.frees.iter().copied().filter(ends).collect();
        frees.retain(|free| self.after(program, *free)[at]);
        others.retain(|block| self.after(program, *block)[at]);
        let mut comes_after =
            |free: EdgeId, block: EdgeId| free == block || self.after(program, free)[program.edges[block].src];
        frees.iter().any(|free| others.iter().any(|block| comes_after(*free, *block)))
    }

    fn after(&mut self, program: &Program, edge: EdgeId) -> &IdVec<LocId, bool> {
        let Self { after, returns, .. } = self;
        after.entry(edge).or_insert_with(|| following(program, returns, program.edges[edge].dst))
    }
}

/// What can be reached from a location, with calls that return to where they were made: first in the functions that are running there, then in those that
/// they call afterwards.
fn following(program: &Program, returns: &FxHashMap<FuncId, Vec<LocId>>, from: LocId) -> IdVec<LocId, bool> {
    let mut after: IdVec<LocId, bool> = IdVec::from_elem(false, program.locs.len());
    let (mut work, mut called) = (vec![from], Vec::new());
    while let Some(loc) = work.pop() {
        if std::mem::replace(&mut after[loc], true) {
            continue;
        }
        for (next, entry) in steps(program, loc) {
            work.push(next);
            called.extend(entry);
        }
        let func = program.locs[loc].func;
        if program.functions[func].body.is_some_and(|body| body.exit == loc) {
            work.extend(returns.get(&func).into_iter().flatten());
        }
    }
    // What is called from here on returns to what has been reached already, so that it matters no more who calls it.
    let mut entered: IdVec<LocId, bool> = IdVec::from_elem(false, program.locs.len());
    while let Some(loc) = called.pop() {
        if !std::mem::replace(&mut entered[loc], true) {
            after[loc] = true;
            called.extend(steps(program, loc).flat_map(|(next, entry)| entry.into_iter().chain([next])));
        }
    }
    after
}

/// Where control goes from a location in its function, with the entries of functions that are called on the way.
fn steps(program: &Program, loc: LocId) -> impl Iterator<Item = (LocId, Option<LocId>)> {
    let edges = program.locs[loc].out.iter().map(|id| &program.edges[*id]);
    edges.filter(|edge| !edge.op.ends_path()).map(|edge| match edge.op {
        Op::Call { func, .. } => (edge.dst, program.functions[func].body.map(|body| body.entry)),
        _ => (edge.dst, None),
    })
}

/// What the edges that leave a location compare, in both orders: addresses, or numbers that may be some.
fn comparisons(program: &Program, loc: LocId) -> BTreeSet<(ExprId, ExprId)> {
    let mut found = BTreeSet::new();
    for edge in &program.locs[loc].out {
        program.edges[*edge].op.for_each_expr(|root| {
            program.exprs.walk(root, |_, e| {
                if let ExprKind::Binary(op, a, b) = e.kind
                    && op.is_comparison()
                    && [a, b].iter().all(|operand| is_address(program, *operand))
                {
                    found.extend([(a, b), (b, a)]);
                }
            });
        });
    }
    found
}

/// Whether an expression may have the value of a block's address: it is wide enough, no constant, and does not name what it leads to.
fn is_address(program: &Program, expr: ExprId) -> bool {
    let exprs = &program.exprs;
    let ty = exprs.ty(expr);
    let is_wide = !ty.is_float() && ty.bits(program.pointer_bits()) == program.pointer_bits();
    let mut base = expr;
    while let ExprKind::Cast(inner) | ExprKind::PtrAdd(inner, _) = exprs.kind(base) {
        base = inner;
    }
    let is_named = matches!(exprs.kind(base), ExprKind::AddrOf(_) | ExprKind::FuncAddr(_));
    is_wide && !is_named && exprs.as_const(expr).is_none()
}

/// What leaves a location goes on as it is, or is not known, where one of these addresses leads to a block that was freed; where it goes on.
fn guard(program: &mut Program, loc: LocId, freed: ExprId, other: ExprId) -> LocId {
    let Some(span) = program.locs[loc].out.first().map(|edge| program.edges[*edge].span) else { return loc };
    let (func, next) = (program.locs[loc].func, program.split(loc));
    let ty = program.exprs.ty(freed);
    let nothing = program.exprs.add(ExprKind::Const(Value(0)), ty);
    let other_ty = program.exprs.ty(other);
    let nothing_else = program.exprs.add(ExprKind::Const(Value(0)), other_ty);
    let address = if ty == Scalar::Ptr { freed } else { program.exprs.add(ExprKind::Cast(freed), Scalar::Ptr) };
    let number = Scalar::Int { bits: program.pointer_bits() as u16, signed: false };
    let none = program.exprs.add(ExprKind::Const(Value(0)), number);
    let conditions = [
        ExprKind::Binary(BinOp::Eq, freed, other),
        ExprKind::Binary(BinOp::Eq, freed, nothing),
        ExprKind::Binary(BinOp::Eq, other, nothing_else),
        ExprKind::Valid(Access::Read, address, none),
    ];
    let mut at = loc;
    for condition in conditions {
        let condition = program.exprs.add(condition, Scalar::Bool);
        at = branch(program, at, condition, next, span);
    }
    let choice = program.add_register(func, "address used again", Scalar::Bool);
    let chosen = program.add_loc(func);
    program.add_edge(at, chosen, Op::Havoc { dst: choice, source: HavocSource::Environment }, span);
    let choice = program.exprs.add(ExprKind::Var(choice), Scalar::Bool);
    at = branch(program, chosen, choice, next, span);
    let detail = "compared with that of memory that may lie in its place".to_owned();
    let construct = program.unsupported.push(Unsupported { construct: CONSTRUCT.into(), detail, span });
    if let Some(body) = program.functions[func].body {
        program.add_edge(at, body.exit, Op::Unsupported(construct), span);
    }
    next
}

/// Where a condition holds, control goes on at `then`, otherwise at the location that is returned.
fn branch(program: &mut Program, from: LocId, cond: ExprId, then: LocId, span: Span) -> LocId {
    let other = program.add_loc(program.locs[from].func);
    program.add_edge(from, then, Op::Assume { cond, truth: true }, span);
    program.add_edge(from, other, Op::Assume { cond, truth: false }, span);
    other
}
