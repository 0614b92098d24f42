//! Packs: small sets of registers that are worth relating, chosen from the program's text [mine06].
//!
//! Registers belong together if they are compared or added up, if one is assigned a sum of the other, or if both count rounds of one loop;
//! the deeper the loop, the more so. The pairs that belong together most are merged first, as long as packs stay small. Pairs that are
//! left over go to further packs, which overlap the first ones.
//!
//! A call has a pack of its own, of what the arguments mention, parameters and results; it carries relations into the function and back.

use super::linear::dividend_of_half;
use super::state::Pack;
use super::sum::is_related;
use crate::numerical::{Call, Cell, Scope};
use base::IdVec;
use cfa::BinOp::{Add, Sub};
use cfa::loops::Wto;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, UnOp, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Most registers of a pack: closure takes the cube of it.
const MAX_PACK: usize = 10;
/// Most packs of a function.
const MAX_PACKS: usize = 24;
/// Most registers that one comparison or sum relates.
const MAX_GROUP: usize = 6;
/// Depths of loops that are told apart.
const MAX_NESTING: usize = 8;

/// The packs of a program.
pub struct Packs {
    functions: IdVec<FuncId, Vec<Vec<VarId>>>,
    calls: FxHashMap<EdgeId, CallPack>,
}

/// What a call relates.
struct CallPack {
    outer: Vec<VarId>,
    inner: Vec<VarId>,
}

/// Two registers, the one with the smaller number first.
type Pair = (VarId, VarId);
/// How much pairs of registers belong together.
type Weights = BTreeMap<Pair, u64>;

impl Packs {
    /// Chooses the packs of a program.
    pub fn new(program: &Program, wto: &Wto) -> Self {
        let mut this = Self { functions: IdVec::new(), calls: FxHashMap::default() };
        for func in program.functions.ids() {
            let mut weights = Weights::new();
            for loc in wto.order(func) {
                let weight = 2u64 << (2 * wto.heads(*loc).len().min(MAX_NESTING));
                for edge in &program.locs[*loc].out {
                    let op = &program.edges[*edge].op;
                    relate_operation(program, op, weight, &mut weights);
                    if let Some(pack) = call_pack(program, op) {
                        this.calls.insert(*edge, pack);
                    }
                }
                if wto.is_head(*loc) {
                    let counters = counters(program, wto.component(program, *loc));
                    relate(&counters, weight / 2, &mut weights);
                }
            }
            this.functions.push(packs(weights));
        }
        this
    }

    /// The packs of a function in a frame.
    pub fn of_frame<'a>(&'a self, scope: Scope<'a>, func: FuncId) -> impl Iterator<Item = Pack> + 'a {
        self.functions[func].iter().map(move |vars| pack(vars.iter().filter_map(|var| scope.register(*var)).collect()))
    }

    /// The pack of a call.
    pub fn of_call(&self, call: Call<'_>) -> Option<Pack> {
        let CallPack { outer, inner } = self.calls.get(&call.edge)?;
        let outer = outer.iter().filter_map(|var| call.caller.register(*var));
        Some(pack(outer.chain(inner.iter().filter_map(|var| call.callee.register(*var))).collect()))
    }
}

fn pack(cells: BTreeSet<Cell>) -> Pack {
    cells.into_iter().collect()
}

/// Registers that an expression adds up.
fn addends(program: &Program, expr: ExprId, found: &mut BTreeSet<VarId>) {
    let mut stack = vec![expr];
    while let Some(e) = stack.pop().filter(|_| found.len() < MAX_GROUP) {
        match program.exprs.kind(e) {
            ExprKind::Var(var) if is_related(program.exprs.ty(e)) => drop(found.insert(var)),
            ExprKind::Cast(a) | ExprKind::Unary(UnOp::Neg, a) => stack.push(a),
            ExprKind::Binary(Add | Sub, a, b) => stack.extend([b, a]),
            _ => stack.extend(dividend_of_half(program, e)),
        }
    }
}

/// Whether it can be in a pack.
fn is_number(program: &Program, var: VarId) -> bool {
    program.vars[var].register().is_some_and(is_related)
}

fn relate(group: &BTreeSet<VarId>, weight: u64, weights: &mut Weights) {
    for x in group {
        for y in group.range(..x) {
            let sum = weights.entry((*y, *x)).or_insert(0);
            *sum = sum.saturating_add(weight);
        }
    }
}

fn relate_operation(program: &Program, op: &Op, weight: u64, weights: &mut Weights) {
    op.for_each_expr(|expr| {
        program.exprs.walk(expr, |_, e| {
            if let ExprKind::Binary(op, a, b) = e.kind
                && op.is_comparison()
            {
                let mut group = BTreeSet::new();
                addends(program, a, &mut group);
                addends(program, b, &mut group);
                relate(&group, weight, weights);
            }
        });
    });
    let mut group: BTreeSet<VarId> = op.assigned().filter(|dst| is_number(program, *dst)).into_iter().collect();
    match op {
        Op::Assign { src, .. } => addends(program, *src, &mut group),
        Op::Call { args, .. } => args.iter().for_each(|arg| addends(program, *arg, &mut group)),
        _ => return,
    }
    relate(&group, weight, weights);
}

/// Registers that the locations of a loop add something to.
fn counters(program: &Program, locs: &[LocId]) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for edge in locs.iter().flat_map(|loc| &program.locs[*loc].out) {
        if let Op::Assign { dst, src } = &program.edges[*edge].op
            && is_number(program, *dst)
            && found.len() < MAX_PACK
        {
            let mut group = BTreeSet::new();
            addends(program, *src, &mut group);
            if group.contains(dst) {
                found.insert(*dst);
            }
        }
    }
    found
}

fn call_pack(program: &Program, op: &Op) -> Option<CallPack> {
    let Op::Call { func, args, dst } = op else { return None };
    let mut outer: BTreeSet<VarId> = dst.iter().copied().collect();
    args.iter().for_each(|arg| addends(program, *arg, &mut outer));
    let function = &program.functions[*func];
    let inner = function.params.iter().chain(&function.ret).copied();
    let mut pack = CallPack {
        outer: outer.into_iter().filter(|var| is_number(program, *var)).collect(),
        inner: inner.filter(|var| is_number(program, *var)).collect(),
    };
    pack.inner.truncate(MAX_PACK.saturating_sub(pack.outer.len()));
    (!pack.outer.is_empty() && !pack.inner.is_empty()).then_some(pack)
}

/// Packs with the pairs, as many as allowed.
fn packs(weights: Weights) -> Vec<Vec<VarId>> {
    let mut pairs: Vec<(u64, Pair)> = weights.into_iter().map(|(pair, weight)| (weight, pair)).collect();
    pairs.sort_by_key(|(weight, pair)| (std::cmp::Reverse(*weight), *pair));
    let mut left: Vec<Pair> = pairs.into_iter().map(|(_, pair)| pair).collect();
    let mut found = Vec::new();
    while !left.is_empty() && found.len() < MAX_PACKS {
        let packs = merge(&mut left);
        found.extend(packs.into_iter().map(|pack| pack.into_iter().collect()));
    }
    found.truncate(MAX_PACKS);
    found
}

/// Merges pairs to packs, in order. Those that would make a pack too large are left.
fn merge(pairs: &mut Vec<Pair>) -> Vec<BTreeSet<VarId>> {
    let mut merged: Vec<BTreeSet<VarId>> = Vec::new();
    pairs.retain(|(x, y)| {
        let (with, without): (Vec<_>, Vec<_>) =
            std::mem::take(&mut merged).into_iter().partition(|pack| pack.contains(x) || pack.contains(y));
        let union: BTreeSet<VarId> = with.iter().flatten().copied().chain([*x, *y]).collect();
        let fits = union.len() <= MAX_PACK;
        merged = without;
        if fits {
            merged.push(union);
        } else {
            merged.extend(with);
        }
        !fits
    });
    merged
}
