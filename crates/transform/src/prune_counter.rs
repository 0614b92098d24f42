//! Ends runs that can't reach an error any more, as a counter tells.
//!
//! A counter that only gets constants and is compared with constants divides each location into as many as it has values. From
//! some of these, no error can be reached, whatever else holds: a search that unwinds loops need not go on there.

use crate::edges::move_source;
use base::IdVec;
use cfa::expr::{BinOp, ExprId, ExprKind};
use cfa::loops::Wto;
use cfa::observer::Observer;
use cfa::op::Op;
use cfa::program::{EdgeId, FuncId, LocId, Program, VarId};
use cfa::value::{Scalar, Value};

/// Most values of a counter.
const MAX_VALUES: u32 = 64;

/// Puts assumptions at heads of loops and entries of functions, so that runs end there whose counter, a global register of an unsigned
/// type with values up to `most`, says that no error lies ahead.
pub fn prune_counter(program: &mut Program, observer: &Observer, counter: VarId, most: u32) {
    let Some(ty) = program.vars[counter].register().filter(|_| most < MAX_VALUES - 1) else { return };
    let alive = alive(program, observer, counter, most);
    let wto = Wto::new(program);
    let entries: Vec<LocId> = program.functions.iter().filter_map(|f| f.body).map(|body| body.entry).collect();
    let places: Vec<LocId> = program.locs.ids().filter(|loc| wto.is_head(*loc) || entries.contains(loc)).collect();
    for loc in places {
        let (func, out) = (program.locs[loc].func, program.locs[loc].out.clone());
        let Some(first) = out.first() else { continue };
        let span = program.edges[*first].span;
        // All branches begin behind the assumptions, so that they stay alternatives.
        let mut at = loc;
        for value in (0..=most).filter(|value| alive[loc] >> value & 1 == 0) {
            let (value, var) = (Value(u128::from(value)), program.exprs.add(ExprKind::Var(counter), ty));
            let value = program.exprs.add(ExprKind::Const(value), ty);
            let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, var, value), Scalar::Bool);
            let next = program.add_loc(func);
            program.add_edge(at, next, Op::Assume { cond, truth: false }, span);
            at = next;
        }
        out.iter().for_each(|edge| move_source(program, *edge, at));
    }
}

/// By location: a bit for each value of the counter from which an error may be reached.
fn alive(program: &Program, observer: &Observer, counter: VarId, most: u32) -> IdVec<LocId, u64> {
    let mut alive = IdVec::from_elem(0_u64, program.locs.len());
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|l| &l.out).copied().collect();
    let all = (1_u64 << (most + 1)) - 1;
    loop {
        let mut changed = false;
        for edge in edges.iter().rev() {
            let (src, dst) = (program.edges[*edge].src, program.edges[*edge].dst);
            let is_error = observer.step(program, Observer::INITIAL, *edge) == observer.error;
            let before = if is_error { all } else { before(program, *edge, alive[dst], &alive, counter, all) };
            changed |= before & !alive[src] != 0;
            alive[src] |= before;
            for func in callees(program, *edge) {
                // Any call of a function may be the one that it returns from.
                if let Some(body) = program.functions[func].body {
                    changed |= alive[dst] & !alive[body.exit] != 0;
                    alive[body.exit] |= alive[dst];
                }
            }
        }
        if !changed {
            return alive;
        }
    }
}

/// The values before an edge whose values behind it are in `after`.
fn before(program: &Program, edge: EdgeId, after: u64, alive: &IdVec<LocId, u64>, counter: VarId, all: u64) -> u64 {
    match &program.edges[edge].op {
        Op::Assign { dst, src } if *dst == counter => match program.exprs.as_const(*src) {
            Some(value) if value.0 < 64 && after >> value.0 & 1 == 0 => 0,
            Some(_) => all,
            None if after == 0 => 0,
            None => all,
        },
        Op::Assume { cond, truth } => {
            let holds = |value: &u32| evaluate(program, *cond, counter, *value).is_none_or(|v| (v != 0) == *truth);
            let possible = (0..64).filter(|value| all >> value & 1 == 1).filter(holds).map(|value| 1_u64 << value);
            after & possible.sum::<u64>()
        }
        Op::Call { func, .. } => match program.functions[*func].body {
            Some(body) => alive[body.entry],
            None => after,
        },
        Op::CallPtr { .. } => {
            let bodies = callees(program, edge).into_iter().filter_map(|func| program.functions[func].body);
            bodies.fold(after, |before, body| before | alive[body.entry])
        }
        op if op.ends_path() => 0,
        op if op.assigned() == Some(counter) && after != 0 => all,
        _ => after,
    }
}

/// Functions that a call may enter.
fn callees(program: &Program, edge: EdgeId) -> Vec<FuncId> {
    match &program.edges[edge].op {
        Op::Call { func, .. } => vec![*func],
        Op::CallPtr { .. } => {
            program.functions.iter_enumerated().filter(|(_, f)| f.address_taken).map(|(func, _)| func).collect()
        }
        _ => Vec::new(),
    }
}

/// The value of an expression over the counter alone.
fn evaluate(program: &Program, expr: ExprId, counter: VarId, value: u32) -> Option<u128> {
    match program.exprs.kind(expr) {
        ExprKind::Const(constant) => Some(constant.0),
        ExprKind::Var(var) if var == counter => Some(u128::from(value)),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (evaluate(program, a, counter, value)?, evaluate(program, b, counter, value)?);
            match op {
                BinOp::Eq => Some(u128::from(a == b)),
                BinOp::Ne => Some(u128::from(a != b)),
                BinOp::Lt => Some(u128::from(a < b)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::observer::Pattern;

    /// `start: counter = 1 or 0; while (*) {} if (counter == 1) bad();`: the loop is left alone with 1, and not entered with 0.
    #[test]
    fn runs_end_where_no_error_lies_ahead() {
        let mut b = Builder::new();
        let uint = Scalar::Int { bits: 32, signed: false };
        let counter = b.reg(None, "counter", uint);
        let bad = b.extern_func("bad");
        let start = b.program.start;
        let (entry, exit) = (b.entry(start), b.exit(start));
        let value = |b: &mut Builder, n: u128| b.program.exprs.add(ExprKind::Const(Value(n)), uint);
        let (zero, one) = (value(&mut b, 0), value(&mut b, 1));
        let head = b.program.add_loc(start);
        let behind = b.program.add_loc(start);
        let span = base::Span::NONE;
        b.program.add_edge(entry, head, Op::Assign { dst: counter, src: zero }, span);
        b.program.add_edge(entry, head, Op::Assign { dst: counter, src: one }, span);
        b.program.add_edge(head, head, Op::Skip, span);
        let now = b.program.exprs.add(ExprKind::Var(counter), uint);
        let cond = b.program.exprs.add(ExprKind::Binary(BinOp::Eq, now, one), Scalar::Bool);
        b.program.add_edge(head, behind, Op::Assume { cond, truth: true }, span);
        b.program.add_edge(behind, exit, Op::CallExtern { func: bad, args: Box::new([]), dst: None }, span);
        let observer = Observer::never("bad", [Pattern::Call("bad".into())]);
        let alive = alive(&b.program, &observer, counter, 1);
        assert_eq!((alive[entry], alive[head], alive[behind], alive[exit]), (0b11, 0b10, 0b11, 0));
        let edges = b.program.edges.len();
        prune_counter(&mut b.program, &observer, counter, 1);
        // Both branches are for 1 only, behind one assumption.
        assert_eq!(b.program.edges.len(), edges + 1);
        let [assumed] = b.program.locs[head].out[..] else { panic!("one way from the head") };
        let assumed = &b.program.edges[assumed];
        assert!(matches!(assumed.op, Op::Assume { truth: false, .. }));
        assert_eq!(b.program.locs[assumed.dst].out.len(), 2);
    }
}
