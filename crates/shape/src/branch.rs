//! Which objects of a program are nodes of trees: where a loop goes down by two fields of the same nodes.
//!
//! This decides which graphs are made, never what they stand for.

use crate::value::Val;
use cfa::loops::Wto;
use cfa::points_to::{Object, PointsTo};
use cfa::{ExprId, ExprKind, LocId, Op, Program, Scalar, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of trees.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Branching {
    /// The registers that get the addresses of new nodes.
    pub origins: BTreeSet<VarId>,
    /// Where nodes have their children.
    pub left: i64,
    /// Where they have the others.
    pub right: i64,
}

/// The kinds of nodes that some loop goes down by either of two fields.
pub fn branchings(program: &Program, wto: &Wto, points_to: &PointsTo) -> Vec<Branching> {
    let mut loads: BTreeMap<LocId, Vec<(VarId, Step)>> = BTreeMap::new();
    let mut copies: BTreeSet<(LocId, VarId, VarId)> = BTreeSet::new();
    for edge in &program.edges {
        let (Op::Assign { dst, src }, Some(head)) = (&edge.op, wto.innermost(edge.src)) else { continue };
        for src in choices(program, *src) {
            if let ExprKind::Var(from) = program.exprs.kind(src) {
                copies.insert((head, *dst, from));
            } else if let Some(step) = step(program, src) {
                loads.entry(head).or_default().push((*dst, step));
            }
        }
    }
    let mut steps: BTreeMap<(LocId, VarId), BTreeMap<i64, ExprId>> = BTreeMap::new();
    for (head, dst, step) in loads.iter().flat_map(|(head, steps)| steps.iter().map(|(dst, step)| (*head, *dst, *step)))
    {
        if step.base == dst || copies.contains(&(head, step.base, dst)) {
            steps.entry((head, step.base)).or_default().insert(step.at, step.addr);
        }
    }
    let mut found = Vec::new();
    for fields in steps.values() {
        let [(left, addr), (right, _)] = fields.iter().map(|(at, addr)| (*at, *addr)).collect::<Vec<_>>()[..] else {
            continue;
        };
        let origin = |object: &Object| match object {
            Object::Alloc(edge) => match program.edges[*edge].op {
                Op::Alloc { dst, .. } | Op::Realloc { dst, .. } => Some(dst),
                _ => None,
            },
            _ => None,
        };
        let origins = points_to.objects_at(addr).iter().filter_map(origin).collect();
        let branching = Branching { origins, left, right };
        if !found.contains(&branching) {
            found.push(branching);
        }
    }
    found
}

/// A pointer that a field of a node has, or the address of such a field.
#[derive(Clone, Copy)]
struct Step {
    /// What leads to the node.
    base: VarId,
    /// The field.
    at: i64,
    /// The address that is read.
    addr: ExprId,
}

/// What an expression may be.
fn choices(program: &Program, expr: ExprId) -> Vec<ExprId> {
    match program.exprs.kind(expr) {
        ExprKind::Ite(_, a, b) => [a, b].into_iter().flat_map(|expr| choices(program, expr)).collect(),
        _ => vec![expr],
    }
}

fn step(program: &Program, src: ExprId) -> Option<Step> {
    let exprs = &program.exprs;
    let moved = |expr: ExprId| match exprs.kind(expr) {
        ExprKind::PtrAdd(base, by) => match exprs.kind(by) {
            ExprKind::Const(value) => Some((base, value.0 as i64)),
            _ => None,
        },
        _ => Some((expr, 0)),
    };
    let (inner, outer) = moved(src)?;
    let ExprKind::Load(addr) = exprs.kind(inner) else { return None };
    let (base, at) = moved(addr)?;
    match exprs.kind(base) {
        ExprKind::Var(base) if exprs.ty(inner) == Scalar::Ptr => Some(Step { base, at: at + outer, addr }),
        _ => None,
    }
}

impl Branching {
    /// Whether a field has a child.
    pub fn has(&self, at: i64) -> bool {
        at == self.left || at == self.right
    }

    /// Where the other child is.
    pub fn other(&self, at: i64) -> i64 {
        if at == self.left { self.right } else { self.left }
    }
}

/// Whether a value may be that of a child: null, or an address.
pub fn is_child(val: Val) -> bool {
    val == Val::ZERO || val.address().is_some()
}
