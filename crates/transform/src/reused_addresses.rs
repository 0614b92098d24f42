//! Comparisons that show where memory was allocated.
//!
//! In the model no block lies where one lay that was freed, but on machines it may: `free(p); q = malloc(n);` may well make `p == q`. What is freed is not
//! accessed any more, so nothing but the number of such an address tells the difference. Where the address of a block that was freed is compared with
//! that of a block that may have been allocated since then, and they differ in the model, the result is an open value.

use crate::allocators::with_own_allocators;
use crate::open_values::{Machine, OpenValue};
use base::IdVec;
use cfa::points_to::{Object, PointsTo};
use cfa::{Access, AllocKind, BinOp, EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, Scalar, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Comparisons of addresses that a machine may decide in another way. The frames of contracts compare
/// addresses themselves, of which they know which are new: programs with contracts are left as they are.
pub fn reused_addresses(program: &mut Program, points_to: &PointsTo) -> Vec<OpenValue> {
    if program.has_contracts {
        return Vec::new();
    }
    let mut compared = met(program, points_to, None);
    // Told apart by the calls that made them, fewer blocks meet.
    if !compared.is_empty()
        && let Some((copies, copied)) = with_own_allocators(program)
    {
        let places: BTreeSet<LocId> = compared.iter().map(|(loc, _)| *loc).collect();
        let still: FxHashSet<_> = met(&copies, &PointsTo::new(&copies), Some(&places)).into_iter().collect();
        compared.retain(|found| still.contains(found) || copied.contains(&program.locs[found.0].func));
    }
    let open = |(loc, Comparison { value, freed, other })| OpenValue {
        loc,
        value,
        machine: Machine::Any(is_told(program, freed, other)),
        construct: "address of freed memory",
        detail: "compared with that of memory that may lie in its place",
    };
    compared.into_iter().map(open).collect()
}

/// A comparison of what may be the address of a block that was freed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Comparison {
    value: ExprId,
    freed: ExprId,
    other: ExprId,
}

/// Comparisons, at these locations or all, of what may lead to a block that was freed with what may lead to one that was allocated afterwards.
fn met(program: &Program, points_to: &PointsTo, places: Option<&BTreeSet<LocId>>) -> Vec<(LocId, Comparison)> {
    let mut heap = Heap::new(program);
    if heap.frees.is_empty() || heap.blocks.is_empty() {
        return Vec::new();
    }
    program
        .locs
        .ids()
        .filter(|loc| places.is_none_or(|places| places.contains(loc)))
        .flat_map(|loc| comparisons(program, loc).into_iter().map(move |found| (loc, found)))
        .filter(|(loc, Comparison { freed, other, .. })| heap.may_meet(program, points_to, *freed, *other, *loc))
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
fn comparisons(program: &Program, loc: LocId) -> BTreeSet<Comparison> {
    let mut found = BTreeSet::new();
    for edge in &program.locs[loc].out {
        program.edges[*edge].op.for_each_expr(|root| {
            program.exprs.walk(root, |value, e| {
                if let ExprKind::Binary(op, a, b) = e.kind
                    && op.is_comparison()
                    && [a, b].iter().all(|operand| is_address(program, *operand))
                {
                    found.extend([(a, b), (b, a)].map(|(freed, other)| Comparison { value, freed, other }));
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

/// Where machines agree: the addresses are equal or null, or the first leads to a block that was not freed.
fn is_told(program: &mut Program, freed: ExprId, other: ExprId) -> Vec<ExprId> {
    let number = program.address_type();
    let exprs = &mut program.exprs;
    let types = [exprs.ty(freed), exprs.ty(other), number];
    let [nothing, nothing_else, none] = types.map(|ty| exprs.add(ExprKind::Const(Value(0)), ty));
    let address = if exprs.ty(freed) == Scalar::Ptr { freed } else { exprs.add(ExprKind::Cast(freed), Scalar::Ptr) };
    let conditions = [
        ExprKind::Binary(BinOp::Eq, freed, other),
        ExprKind::Binary(BinOp::Eq, freed, nothing),
        ExprKind::Binary(BinOp::Eq, other, nothing_else),
        ExprKind::Valid(Access::Read, address, none),
    ];
    conditions.map(|condition| exprs.add(condition, Scalar::Bool)).into()
}
