//! Turns calls of a function by itself, after which it only returns what they return, into loops.
//!
//! Such a call assigns the arguments to the parameters and goes back to the start. The frame of the caller is not needed any more,
//! so runs of the function are the same, with the same inputs in the same order, but for the depth of the stack. Edges keep
//! their ids; those that are new take no inputs of the program's.
//!
//! A new frame's registers hold any value. Here the old ones go on, so those that may be read before they are written are
//! made arbitrary. Functions with memory of their own are left as they are.

use cfa::expr::{ExprId, ExprKind};
use cfa::live::Live;
use cfa::op::{AllocKind, HavocSource, Op};
use cfa::program::{EdgeId, FuncId, LocId, Program, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most edges between a call and the exit.
const MAX_STEPS: usize = 32;

/// Turns all such calls into loops; returns how many.
pub fn tail_calls(program: &mut Program) -> usize {
    let mut calls: BTreeMap<FuncId, Vec<EdgeId>> = BTreeMap::new();
    for edge in program.locs.iter().flat_map(|loc| &loc.out).copied().filter(|edge| is_tail_call(program, *edge)) {
        calls.entry(program.locs[program.edges[edge].src].func).or_default().push(edge);
    }
    calls.retain(|func, _| *func != program.start && has_registers_only(program, *func));
    let found: Vec<(FuncId, Vec<EdgeId>)> = calls.into_iter().collect();
    if found.is_empty() {
        return 0;
    }
    let arbitrary: Vec<Vec<VarId>> = read_first(program, &found);
    let mut turned = 0;
    for ((func, calls), arbitrary) in found.iter().zip(&arbitrary) {
        turned += calls.len();
        turn(program, *func, calls, arbitrary);
    }
    turned
}

/// Whether a function calls itself here, and returns at once after that.
fn is_tail_call(program: &Program, edge: EdgeId) -> bool {
    let func = program.locs[program.edges[edge].src].func;
    match (&program.edges[edge].op, program.functions[func].body) {
        (Op::Call { func: callee, dst, .. }, Some(body)) => *callee == func && returns(program, edge, *dst, body.exit),
        _ => false,
    }
}

/// Whether nothing happens behind a call but that its result is returned.
fn returns(program: &Program, call: EdgeId, result: Option<VarId>, exit: LocId) -> bool {
    let mut at = program.edges[call].dst;
    let func = &program.functions[program.locs[at].func];
    let mut holder = result;
    for _ in 0..MAX_STEPS {
        if at == exit {
            return holder == func.ret;
        }
        let [edge] = program.locs[at].out[..] else { return false };
        match program.edges[edge].op {
            Op::Skip => {}
            Op::Assign { dst, src } if !program.vars[dst].is_global() => match program.exprs.kind(src) {
                ExprKind::Var(var) if Some(var) == holder => holder = Some(dst),
                _ => return false,
            },
            _ => return false,
        }
        at = program.edges[edge].dst;
    }
    false
}

fn has_registers_only(program: &Program, func: FuncId) -> bool {
    let mut vars = program.vars.iter().filter(|var| var.func == Some(func));
    let edges = program.locs.iter().filter(|loc| loc.func == func).flat_map(|loc| &loc.out);
    let allocates = |edge: &EdgeId| matches!(program.edges[*edge].op, Op::Alloc { kind: AllocKind::Stack, .. });
    !program.functions[func].variadic && vars.all(|var| var.register().is_some()) && !edges.into_iter().any(allocates)
}

/// For each function, its registers that are no parameters and may be read before they are written.
fn read_first(program: &Program, found: &[(FuncId, Vec<EdgeId>)]) -> Vec<Vec<VarId>> {
    let mut numbers: FxHashMap<VarId, u32> = FxHashMap::default();
    let mut counts: FxHashMap<FuncId, u32> = FxHashMap::default();
    for (id, var) in program.vars.iter_enumerated() {
        if let Some(func) = var.func {
            let count = counts.entry(func).or_default();
            numbers.insert(id, *count);
            *count += 1;
        }
    }
    let number = |var: VarId| numbers.get(&var).copied().unwrap_or(0);
    let live = Live::new(program, number, |func| counts.get(&func).copied().unwrap_or(0) as usize);
    let of = |(func, _): &(FuncId, Vec<EdgeId>)| {
        let function = &program.functions[*func];
        let Some(body) = function.body else { return Vec::new() };
        let locals = program.vars.iter_enumerated().filter(|(_, var)| var.func == Some(*func)).map(|(id, _)| id);
        locals.filter(|var| !function.params.contains(var) && live.is_live(body.entry, number(*var))).collect()
    };
    found.iter().map(of).collect()
}

fn turn(program: &mut Program, func: FuncId, calls: &[EdgeId], arbitrary: &[VarId]) {
    let Some(body) = program.functions[func].body else { return };
    let span = program.functions[func].span;
    // Frames begin where nothing comes back to.
    let entry = program.add_loc(func);
    program.add_edge(entry, body.entry, Op::Skip, span);
    if let Some(body) = &mut program.functions[func].body {
        body.entry = entry;
    }
    for call in calls {
        let Op::Call { args, .. } = std::mem::replace(&mut program.edges[*call].op, Op::Skip) else { continue };
        let ops = assignments(program, func, &args, arbitrary);
        let span = program.edges[*call].span;
        let mut at = body.entry;
        for op in ops.into_iter().rev() {
            let before = program.add_loc(func);
            program.add_edge(before, at, op, span);
            at = before;
        }
        crate::edges::redirect(program, *call, at);
    }
}

/// Assigns arguments to the parameters, all at once.
fn assignments(program: &mut Program, func: FuncId, args: &[ExprId], arbitrary: &[VarId]) -> Vec<Op> {
    let params = program.functions[func].params.clone();
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for (param, arg) in params.into_iter().zip(args) {
        if program.exprs.kind(*arg) == ExprKind::Var(param) {
            continue;
        }
        let ty = program.exprs.ty(*arg);
        let name = format!("{}'", program.vars[param].name);
        let temp = program.add_register(func, &name, ty);
        let value = program.exprs.add(ExprKind::Var(temp), ty);
        first.push(Op::Assign { dst: temp, src: *arg });
        then.push(Op::Assign { dst: param, src: value });
    }
    let forgotten = arbitrary.iter().map(|var| Op::Havoc { dst: *var, source: HavocSource::Uninitialised });
    first.into_iter().chain(then).chain(forgotten).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::display;
    use cfa::expr::BinOp;
    use cfa::value::Scalar;

    /// `f(n, m) { if (n == 0) return m; result = f(m, n); return result }`, with something done to the result first.
    #[track_caller]
    fn check(prepare: impl Fn(&mut Builder, FuncId, VarId) -> Vec<Op>, expected: Option<&[&str]>) {
        let mut b = Builder::new();
        let f = b.func("f", &[Scalar::INT, Scalar::INT]);
        let (n, m) = (b.program.functions[f].params[0], b.program.functions[f].params[1]);
        let (result, ret) = (b.reg(Some(f), "result", Scalar::INT), b.reg(Some(f), "ret", Scalar::INT));
        b.program.functions[f].ret = Some(ret);
        let (entry, exit) = (b.entry(f), b.exit(f));
        let (vn, vm, zero, vr) = (b.var(n), b.var(m), b.int(0), b.var(result));
        let cond = b.bin(BinOp::Eq, vn, zero);
        b.chain(entry, exit, [Op::Assume { cond, truth: true }, Op::Assign { dst: ret, src: vm }]);
        let mut ops = vec![Op::Assume { cond, truth: false }];
        ops.push(Op::Call { func: f, args: [vm, vn].into(), dst: Some(result) });
        ops.extend(prepare(&mut b, f, result));
        ops.push(Op::Assign { dst: ret, src: vr });
        b.chain(entry, exit, ops);
        let before = b.program.edges.len();
        let turned = tail_calls(&mut b.program);
        assert_eq!(turned, usize::from(expected.is_some()));
        let p = &b.program;
        let new: Vec<_> = p.edges.iter().skip(before).map(|edge| display::op(p, &edge.op)).collect();
        assert_eq!(new, expected.unwrap_or(&[]));
        for (id, edge) in p.edges.iter_enumerated() {
            assert!(p.locs[edge.src].out.contains(&id) && p.locs[edge.dst].inc.contains(&id));
        }
        if expected.is_some() {
            let body = p.functions[f].body.expect("has one");
            assert!(p.locs[body.entry].inc.is_empty());
            assert!(p.edges.iter().all(|edge| !matches!(edge.op, Op::Call { .. })));
        }
    }

    #[test]
    fn parameters_change_places() {
        let expected = ["skip", "f::1 = f::1'", "f::0 = f::0'", "f::1' = f::0", "f::0' = f::1"];
        check(|_, _, _| Vec::new(), Some(&expected));
        check(|_, _, _| vec![Op::Skip], Some(&expected));
    }

    #[test]
    fn calls_that_something_follows_stay() {
        check(
            |b, _, result| {
                let (value, one) = (b.var(result), b.int(1));
                vec![Op::Assign { dst: result, src: b.bin(BinOp::Add, value, one) }]
            },
            None,
        );
        check(
            |b, _, result| {
                let global = b.reg(None, "global", Scalar::INT);
                vec![Op::Assign { dst: global, src: b.var(result) }]
            },
            None,
        );
    }

    #[test]
    fn what_is_read_first_becomes_arbitrary() {
        let mut b = Builder::new();
        let f = b.func("f", &[]);
        let (local, global) = (b.reg(Some(f), "local", Scalar::INT), b.reg(None, "global", Scalar::INT));
        let (entry, exit) = (b.entry(f), b.exit(f));
        let (value, one) = (b.var(local), b.int(1));
        let ops = [Op::Assign { dst: global, src: value }, Op::Assign { dst: local, src: one }, b.call(f, &[])];
        b.chain(entry, exit, ops);
        let before = b.program.edges.len();
        assert_eq!(tail_calls(&mut b.program), 1);
        let new: Vec<_> = b.program.edges.iter().skip(before).map(|edge| display::op(&b.program, &edge.op)).collect();
        assert_eq!(new, ["skip", "havoc local"]);
    }
}
