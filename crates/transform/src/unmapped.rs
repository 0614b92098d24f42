//! Accesses of memory through pointers that lead to no object, as machines may carry them out.
//!
//! Such an access is undefined behaviour on every run, most likely because the program is a part of another one, or because its author
//! knows what lies at an address. A proof that leaves these runs out would say nothing about what follows. So what is read there is
//! arbitrary and what is written there is lost; a concrete run of the changed program ends there ([`HavocSource::Unmapped`]), and
//! counterexamples are runs of the program before the change.

use crate::edges::move_source;
use crate::rename::rename;
use cfa::expr::{ExprId, ExprKind};
use cfa::op::{HavocSource, Op, Reach};
use cfa::points_to::PointsTo;
use cfa::program::{EdgeId, LocId, Program};
use rustc_hash::FxHashMap;

/// Replaces all such accesses of a program whose pointers lead where `points_to` says; returns in how many places, and what the pointers of the
/// changed program may point to. Arbitrary pointers may lead nowhere in turn, so this is repeated until nothing is left.
pub fn replace_unmapped(program: &mut Program, mut points_to: PointsTo) -> (usize, PointsTo) {
    let mut replaced = 0;
    loop {
        let leads_nowhere = |addr: ExprId| points_to.leads_nowhere(addr);
        let changed = program.locs.ids().filter(|at| replace_at(program, *at, &leads_nowhere)).count();
        if changed == 0 {
            return (replaced, points_to);
        }
        replaced += changed;
        points_to = PointsTo::new(program);
    }
}

/// Replaces the accesses of the edges that leave a location; whether there are some.
fn replace_at(program: &mut Program, at: LocId, leads_nowhere: &impl Fn(ExprId) -> bool) -> bool {
    let edges = program.locs[at].out.clone();
    let mut reads: Vec<ExprId> = Vec::new();
    for edge in &edges {
        program.edges[*edge].op.for_each_expr(|root| {
            program.exprs.walk(root, |id, expr| {
                if let ExprKind::Load(addr) = expr.kind
                    && leads_nowhere(addr)
                {
                    reads.push(id);
                }
            });
        });
    }
    reads.sort_unstable();
    reads.dedup();
    let lost = |edge: &EdgeId| match &program.edges[*edge].op {
        Op::Store { addr: dst, .. } | Op::MemSet { dst, len: 1.., .. } => {
            leads_nowhere(*dst).then_some((*edge, Op::Skip))
        }
        Op::MemHavoc { dst, len, .. } if len.least() > 0 => leads_nowhere(*dst).then_some((*edge, Op::Skip)),
        Op::MemCopy { dst, len: 1.., .. } if leads_nowhere(*dst) => Some((*edge, Op::Skip)),
        Op::MemCopy { dst, src, len: len @ 1.. } if leads_nowhere(*src) => {
            Some((*edge, Op::MemHavoc { dst: *dst, len: Reach::Bytes(*len), source: HavocSource::Unmapped }))
        }
        _ => None,
    };
    let lost: Vec<(EdgeId, Op)> = edges.iter().filter_map(lost).collect();
    let Some(span) = edges.first().map(|edge| program.edges[*edge].span) else { return false };
    if reads.is_empty() && lost.is_empty() {
        return false;
    }
    let func = program.locs[at].func;
    let mut behind = at;
    let mut havoc = |program: &mut Program, ty| {
        let (dst, next) = (program.add_register(func, "unmapped", ty), program.add_loc(func));
        program.add_edge(behind, next, Op::Havoc { dst, source: HavocSource::Unmapped }, span);
        behind = next;
        program.exprs.add(ExprKind::Var(dst), ty)
    };
    let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for read in reads {
        let value = havoc(program, program.exprs.ty(read));
        known.insert(read, value);
    }
    if !lost.is_empty() {
        havoc(program, cfa::Scalar::Bool);
    }
    for (edge, op) in lost {
        program.edges[edge].op = op;
    }
    for edge in edges {
        let mut op = program.edges[edge].op.clone();
        rename(&mut op, |var| var, |expr| program.exprs.rewrite(expr, &mut known, |_, _| None));
        program.edges[edge].op = op;
        move_source(program, edge, behind);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::display;
    use cfa::expr::BinOp;
    use cfa::value::Scalar;

    #[test]
    fn what_is_read_nowhere_is_arbitrary_and_what_is_written_is_lost() {
        let mut b = Builder::new();
        let start = b.program.start;
        let x = b.reg(Some(start), "x", Scalar::INT);
        let p = b.reg(None, "p", Scalar::Ptr);
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (pointer, zero) = (b.var(p), b.int(0));
        let inner = b.program.exprs.add(ExprKind::Load(pointer), Scalar::Ptr);
        let twice = b.program.exprs.add(ExprKind::Load(inner), Scalar::INT);
        let (cond, value) = (b.bin(BinOp::Eq, twice, zero), b.var(x));
        let first = b.program.add_loc(start);
        b.edge(entry, first, Op::Store { addr: pointer, value });
        b.edge(first, exit, Op::Assume { cond, truth: true });
        b.edge(first, exit, Op::Assume { cond, truth: false });
        let points_to = PointsTo::new(&b.program);
        assert_eq!(replace_unmapped(&mut b.program, points_to).0, 2);
        let p = &b.program;
        for (at, id) in p.locs.iter_enumerated().flat_map(|(at, loc)| loc.out.iter().map(move |id| (at, id))) {
            assert!(p.edges[*id].src == at && p.locs[p.edges[*id].dst].inc.contains(id));
        }
        let mut ways = Vec::new();
        let mut work = vec![(entry, String::new())];
        while let Some((at, way)) = work.pop() {
            if at == exit {
                ways.push(way);
                continue;
            }
            for id in &p.locs[at].out {
                work.push((p.edges[*id].dst, format!("{way}{}; ", display::op(p, &p.edges[*id].op))));
            }
        }
        ways.sort();
        let before = "havoc unmapped; skip; havoc unmapped; havoc unmapped; ";
        assert_eq!(ways, [format!("{before}[!(unmapped == 0)]; "), format!("{before}[unmapped == 0]; ")]);
    }
}
