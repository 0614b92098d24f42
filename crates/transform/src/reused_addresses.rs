//! Comparisons and differences that show where memory was allocated.
//!
//! In the model no object lies where one lay whose life has ended, but on machines it may: `free(p); q = malloc(n);` may well make `p == q`, and so may two
//! calls whose variables lie on the stack. What is gone is not accessed any more, so nothing but the number of such an address tells the difference. Where it
//! is compared with the address of an object that may have come to life since then, and they differ in the model, the result is an open value.

use crate::allocators::with_own_allocators;
use crate::displacements::cast;
use crate::open_values::{Machine, OpenValue};
use base::IdVec;
use cfa::lingering::kept;
use cfa::points_to::{Object, PointsTo};
use cfa::{Access, AllocKind, BinOp, EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, Scalar, Value, VarId};
use encode::{FrameSlots, Slots};
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

/// A comparison, or a difference, of what may be the address of an object whose life has ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Comparison {
    value: ExprId,
    freed: ExprId,
    other: ExprId,
}

/// Comparisons, at these locations or all, of what may lead to an object whose life has ended with what may lead to one that came to life afterwards.
fn met(program: &Program, points_to: &PointsTo, places: Option<&BTreeSet<LocId>>) -> Vec<(LocId, Comparison)> {
    let compared = program
        .locs
        .ids()
        .filter(|loc| places.is_none_or(|places| places.contains(loc)))
        .flat_map(|loc| comparisons(program, loc).into_iter().map(move |found| (loc, found)));
    let mut lives = Lives::new(program);
    let compared: Vec<_> = compared.filter(|(_, found)| lives.are_of_one_kind(program, points_to, found)).collect();
    lives.find_kept(program, points_to, &compared);
    compared
        .into_iter()
        .filter(|(loc, Comparison { freed, other, .. })| lives.may_meet(program, points_to, *freed, *other, *loc))
        .collect()
}

/// Where heap blocks and objects on the stack come to life, and where their lives end.
#[derive(Default)]
struct Lives {
    /// By object: the edges on which one comes to life.
    begins: FxHashMap<Object, Vec<EdgeId>>,
    frees: Vec<EdgeId>,
    /// By local variable: where its life may have ended, but for the returns of its function.
    ends: FxHashMap<Object, Vec<LocId>>,
    /// Local variables whose addresses may be kept when their lives have ended.
    kept: BTreeSet<VarId>,
    /// By function: where its calls return to.
    returns: FxHashMap<FuncId, Vec<LocId>>,
    /// By location where something ends or begins: what can come after it. There are fewer of them than of comparisons.
    after: FxHashMap<LocId, IdVec<LocId, bool>>,
}

impl Lives {
    fn new(program: &Program) -> Self {
        let mut this = Self::default();
        for id in program.locs.iter().flat_map(|loc| &loc.out).copied() {
            let edge = &program.edges[id];
            match edge.op {
                Op::Alloc { .. } => this.begins.entry(Object::Alloc(id)).or_default().push(id),
                Op::Realloc { .. } => {
                    this.begins.entry(Object::Alloc(id)).or_default().push(id);
                    this.frees.push(id);
                }
                Op::Free { .. } => this.frees.push(id),
                Op::Declare { var } => this.begins.entry(Object::Var(var)).or_default().push(id),
                Op::EndScope { var } => this.ends.entry(Object::Var(var)).or_default().push(edge.dst),
                Op::Call { func, .. } => this.returns.entry(func).or_default().push(edge.dst),
                _ => {}
            }
        }
        this
    }

    /// The objects that an address may lead to whose lives begin and end.
    fn at<'a>(
        &'a self,
        program: &Program,
        points_to: &'a PointsTo,
        address: ExprId,
    ) -> impl Iterator<Item = Object> + 'a {
        let named = named(program, address);
        let is_meant = move |object: &Object| match named {
            None => true,
            Some(ExprKind::AddrOf(var)) => *object == Object::Var(var),
            Some(_) => false,
        };
        points_to
            .objects_at(address)
            .iter()
            .copied()
            .filter(move |object| is_meant(object) && self.begins.contains_key(object))
    }

    /// Whether both addresses may lead to heap blocks, or both to objects on the stack.
    fn are_of_one_kind(&self, program: &Program, points_to: &PointsTo, compared: &Comparison) -> bool {
        let kinds = |address: ExprId| -> BTreeSet<bool> {
            self.at(program, points_to, address).map(|object| is_on_stack(program, object)).collect()
        };
        !kinds(compared.freed).is_disjoint(&kinds(compared.other))
    }

    /// Finds the local variables among what is compared whose addresses may be kept.
    fn find_kept(&mut self, program: &Program, points_to: &PointsTo, compared: &[(LocId, Comparison)]) {
        let local = |object: Object| match object {
            Object::Var(var) => Some(var),
            _ => None,
        };
        let freed = compared.iter().flat_map(|(_, compared)| self.at(program, points_to, compared.freed));
        let vars: BTreeSet<VarId> = freed.filter_map(local).collect();
        if !vars.is_empty() {
            let (slots, live) = (Slots::new(program), encode::live(program));
            let is_live = |loc, var| live.is_live(loc, slots.slot(program, FrameSlots(0), var));
            self.kept = kept(program, points_to, &vars, is_live);
        }
    }

    /// Whether one address may lead to an object whose life ends before one begins that the other may lead to, and both before a location.
    fn may_meet(&mut self, program: &Program, points_to: &PointsTo, freed: ExprId, other: ExprId, at: LocId) -> bool {
        let objects = |address, on_stack: bool| -> Vec<Object> {
            self.at(program, points_to, address).filter(|object| is_on_stack(program, *object) == on_stack).collect()
        };
        let kinds = [false, true].map(|on_stack| (objects(freed, on_stack), objects(other, on_stack)));
        kinds.into_iter().any(|(freed, other)| {
            let begins: Vec<EdgeId> = other.iter().flat_map(|object| &self.begins[object]).copied().collect();
            let frees = self.frees_of(program, points_to, &freed);
            // The block that `realloc` makes comes after the one that it frees.
            let moves = frees.iter().any(|free| begins.contains(free) && self.comes_after(program, *free, at));
            let ends =
                frees.iter().map(|free| program.edges[*free].dst).chain(self.left(program, &freed)).collect::<Vec<_>>();
            moves || self.follow(program, &ends, &begins, at)
        })
    }

    /// The edges that may free one of these blocks.
    fn frees_of(&self, program: &Program, points_to: &PointsTo, freed: &[Object]) -> Vec<EdgeId> {
        let blocks: Vec<&Object> = freed.iter().filter(|object| matches!(object, Object::Alloc(_))).collect();
        let ends_one = |edge: &EdgeId| match program.edges[*edge].op {
            Op::Free { ptr, .. } | Op::Realloc { ptr, .. } => {
                self.at(program, points_to, ptr).any(|block| blocks.contains(&&block))
            }
            _ => false,
        };
        self.frees.iter().copied().filter(ends_one).collect()
    }

    /// Where the scopes of these objects, or calls of their functions, have been left, if their addresses may be kept.
    fn left(&self, program: &Program, freed: &[Object]) -> Vec<LocId> {
        let mut left = Vec::new();
        for object in freed {
            let func = match object {
                Object::Var(var) if self.kept.contains(var) => program.vars[*var].func,
                Object::Alloc(edge) if is_on_stack(program, *object) => {
                    Some(program.locs[program.edges[*edge].src].func)
                }
                _ => None,
            };
            if let Some(func) = func {
                left.extend(self.ends.get(object).into_iter().flatten());
                left.extend(self.returns.get(&func).into_iter().flatten());
            }
        }
        left
    }

    /// Whether an object comes to life where the life of another one may have ended, and both before a location.
    fn follow(&mut self, program: &Program, ends: &[LocId], begins: &[EdgeId], at: LocId) -> bool {
        let begins: Vec<EdgeId> =
            begins.iter().copied().filter(|begin| self.comes_after(program, *begin, at)).collect();
        ends.iter().any(|end| {
            let after = self.after(program, *end);
            after[at] && begins.iter().any(|begin| after[program.edges[*begin].src])
        })
    }

    /// Whether control may be at a location after an edge.
    fn comes_after(&mut self, program: &Program, edge: EdgeId, at: LocId) -> bool {
        self.after(program, program.edges[edge].dst)[at]
    }

    fn after(&mut self, program: &Program, from: LocId) -> &IdVec<LocId, bool> {
        let Self { after, returns, .. } = self;
        after.entry(from).or_insert_with(|| following(program, returns, from))
    }
}

/// Whether an object lies on the stack: a local variable, one of variable length, or what `alloca` gives.
fn is_on_stack(program: &Program, object: Object) -> bool {
    match object {
        Object::Alloc(edge) => matches!(program.edges[edge].op, Op::Alloc { kind: AllocKind::Stack, .. }),
        _ => true,
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
                    && (op.is_comparison() || op == BinOp::Sub)
                    && [a, b].iter().all(|operand| is_wide(program, *operand))
                {
                    let both = [(a, b), (b, a)].map(|(freed, other)| Comparison { value, freed, other });
                    found.extend(both.into_iter().filter(|compared| named(program, compared.freed).is_none()));
                }
            });
        });
    }
    found
}

/// Whether an expression may have the value of an object's address: it is wide enough, and no constant.
fn is_wide(program: &Program, expr: ExprId) -> bool {
    let exprs = &program.exprs;
    let ty = exprs.ty(expr);
    !ty.is_float() && ty.bits(program.pointer_bits()) == program.pointer_bits() && exprs.as_const(expr).is_none()
}

/// What an address names that it leads to, if it does: a variable, which lives then, or a function.
fn named(program: &Program, expr: ExprId) -> Option<ExprKind> {
    let mut base = expr;
    while let ExprKind::Cast(inner) | ExprKind::PtrAdd(inner, _) = program.exprs.kind(base) {
        base = inner;
    }
    let kind = program.exprs.kind(base);
    matches!(kind, ExprKind::AddrOf(_) | ExprKind::FuncAddr(_)).then_some(kind)
}

/// Where machines agree: the addresses are equal or null, or the first leads to an object that lives.
fn is_told(program: &mut Program, freed: ExprId, other: ExprId) -> Vec<ExprId> {
    let (number, address) = (program.address_type(), cast(program, freed, Scalar::Ptr));
    let exprs = &mut program.exprs;
    let types = [exprs.ty(freed), exprs.ty(other), number];
    let [nothing, nothing_else, none] = types.map(|ty| exprs.add(ExprKind::Const(Value(0)), ty));
    let conditions = [
        ExprKind::Binary(BinOp::Eq, freed, other),
        ExprKind::Binary(BinOp::Eq, freed, nothing),
        ExprKind::Binary(BinOp::Eq, other, nothing_else),
        ExprKind::Valid(Access::Read, address, none),
    ];
    conditions.map(|condition| exprs.add(condition, Scalar::Bool)).into()
}
