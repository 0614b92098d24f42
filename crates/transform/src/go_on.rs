//! Lets runs go on behind accesses of memory whose behaviour is undefined, as machines may.
//!
//! What such an operation reads is arbitrary, and what it writes is lost. Edges keep their ids; those at which runs may go on begin
//! behind new edges.

use crate::edges::{detach, move_source};
use base::Span;
use cfa::behind::GoingOn;
use cfa::expr::{BinOp, ExprId, ExprKind};
use cfa::op::{HavocSource, Op};
use cfa::program::{EdgeId, LocId, Program};
use cfa::value::{Scalar, Value};
use std::collections::{BTreeMap, BTreeSet};

const ANY: HavocSource = HavocSource::Environment;
/// No object lies below this address.
const FIRST_OBJECT: Value = Value(4096);

/// Lets runs get past these edges, and past the other branches at their places.
pub fn go_on(program: &mut Program, edges: &BTreeMap<EdgeId, GoingOn>) {
    let mut done: BTreeSet<EdgeId> = BTreeSet::new();
    for (edge, runs) in edges {
        let src = program.edges[*edge].src;
        let is_branch = |edge: &EdgeId| matches!(program.edges[*edge].op, Op::Assume { .. });
        let group: Vec<EdgeId> = match is_branch(edge) {
            true => program.locs[src].out.iter().copied().filter(is_branch).collect(),
            false => vec![*edge],
        };
        if done.contains(edge)
            || program.edges[*edge].op.ends_path()
            || matches!(program.edges[*edge].op, Op::Repeat(_))
        {
            continue;
        }
        done.extend(&group);
        let way = way_around(program, &group);
        let span = program.edges[*edge].span;
        match runs {
            GoingOn::All => {
                group.iter().for_each(|edge| detach(program, *edge));
                program.add_edge(src, way, Op::Skip, span);
            }
            GoingOn::AtNull => {
                let behind = guard(program, src, way, &addresses(program, *edge), span);
                group.iter().for_each(|edge| move_source(program, *edge, behind));
            }
        }
    }
}

/// A location from which runs get to the ends of edges without their accesses.
fn way_around(program: &mut Program, group: &[EdgeId]) -> LocId {
    let (first, func) = (group[0], program.locs[program.edges[group[0]].src].func);
    let (begin, span) = (program.add_loc(func), program.edges[first].span);
    let mut at = begin;
    let havoc = |program: &mut Program, at: &mut LocId, name: &str, ty: Scalar| {
        let (any, next) = (program.add_register(func, name, ty), program.add_loc(func));
        program.add_edge(*at, next, Op::Havoc { dst: any, source: ANY }, span);
        *at = next;
        program.exprs.add(ExprKind::Var(any), ty)
    };
    let dst = program.edges[first].dst;
    match program.edges[first].op.clone() {
        Op::Assume { .. } => {
            let cond = havoc(program, &mut at, "choice", Scalar::Bool);
            for edge in group {
                if let Op::Assume { truth, .. } = program.edges[*edge].op {
                    program.add_edge(at, program.edges[*edge].dst, Op::Assume { cond, truth }, span);
                }
            }
        }
        Op::Call { func, args, dst: result } => {
            let args = args.iter().map(|arg| havoc(program, &mut at, "any", program.exprs.ty(*arg))).collect();
            program.add_edge(at, dst, Op::Call { func, args, dst: result }, span);
        }
        op => {
            let lost = op.assigned().map_or(Op::Skip, |dst| Op::Havoc { dst, source: ANY });
            program.add_edge(at, dst, lost, span);
        }
    }
    begin
}

/// Branches to `way` where one of the addresses is close to null; where the others go on.
fn guard(program: &mut Program, src: LocId, way: LocId, addresses: &[ExprId], span: Span) -> LocId {
    let func = program.locs[src].func;
    let number = Scalar::Int { bits: program.pointer_bits() as u16, signed: false };
    let limit = program.exprs.add(ExprKind::Const(FIRST_OBJECT), number);
    let mut at = src;
    for address in addresses {
        let value = program.exprs.add(ExprKind::Cast(*address), number);
        let cond = program.exprs.add(ExprKind::Binary(BinOp::Lt, value, limit), Scalar::Bool);
        let next = program.add_loc(func);
        program.add_edge(at, way, Op::Assume { cond, truth: true }, span);
        program.add_edge(at, next, Op::Assume { cond, truth: false }, span);
        at = next;
    }
    at
}

/// The addresses at which an operation accesses memory; those of what others are read from come first.
fn addresses(program: &Program, edge: EdgeId) -> Vec<ExprId> {
    let op = &program.edges[edge].op;
    let mut read = Vec::new();
    op.for_each_expr(|expr| {
        program.exprs.walk(expr, |_, expr| {
            if let ExprKind::Load(address) = expr.kind {
                read.push(address);
            }
        });
    });
    read.sort_unstable();
    read.dedup();
    match op {
        Op::Store { addr, .. } => read.push(*addr),
        Op::MemCopy { dst, src, .. } => read.extend([*dst, *src]),
        Op::MemSet { dst, .. } | Op::MemHavoc { dst, .. } => read.push(*dst),
        _ => {}
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::display;

    /// `x = *p; f(*p); if (**p == 0) …`, changed; the operations on all ways from the start to the end.
    #[track_caller]
    fn check(runs: GoingOn, which: impl Fn([EdgeId; 3]) -> Vec<EdgeId>, expected: &[&str]) {
        let mut b = Builder::new();
        let start = b.program.start;
        let f = b.func("f", &[Scalar::INT]);
        let x = b.reg(Some(start), "x", Scalar::INT);
        let p = b.reg(Some(start), "p", Scalar::Ptr);
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (pointer, zero) = (b.var(p), b.int(0));
        let value = b.program.exprs.add(ExprKind::Load(pointer), Scalar::INT);
        let inner = b.program.exprs.add(ExprKind::Load(pointer), Scalar::Ptr);
        let twice = b.program.exprs.add(ExprKind::Load(inner), Scalar::INT);
        let cond = b.bin(BinOp::Eq, twice, zero);
        let (first, second) = (b.program.add_loc(start), b.program.add_loc(start));
        let edges = [
            b.edge(entry, first, Op::Assign { dst: x, src: value }),
            b.edge(first, second, Op::Call { func: f, args: [value].into(), dst: None }),
            b.edge(second, exit, Op::Assume { cond, truth: true }),
        ];
        b.edge(second, exit, Op::Assume { cond, truth: false });
        go_on(&mut b.program, &which(edges).into_iter().map(|edge| (edge, runs)).collect());
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
        assert_eq!(ways, expected);
    }

    #[test]
    fn nobody_accesses_memory() {
        let before = "skip; havoc x; skip; havoc any; call f(any); skip; havoc choice; ";
        check(
            GoingOn::All,
            |edges| edges.to_vec(),
            &[&format!("{before}[!(choice)]; "), &format!("{before}[choice]; ")],
        );
    }

    #[test]
    fn who_is_not_at_null_accesses_memory() {
        let branch = |edges: [EdgeId; 3]| vec![edges[2]];
        let begin = "x = *(int *)p; call f(*(int *)p); ";
        let (first, second) = ("(unsigned long)p < 4096", "(unsigned long)*(void **)p < 4096");
        let expected = [
            format!("{begin}[!({first})]; [!({second})]; [!(*(int *)*(void **)p == 0)]; "),
            format!("{begin}[!({first})]; [!({second})]; [*(int *)*(void **)p == 0]; "),
            format!("{begin}[!({first})]; [{second}]; havoc choice; [!(choice)]; "),
            format!("{begin}[!({first})]; [{second}]; havoc choice; [choice]; "),
            format!("{begin}[{first}]; havoc choice; [!(choice)]; "),
            format!("{begin}[{first}]; havoc choice; [choice]; "),
        ];
        check(GoingOn::AtNull, branch, &expected.each_ref().map(String::as_str));
    }
}
