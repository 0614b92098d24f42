//! Slices of small and of random programs: an event is reached in the slice if it is in the program.

use base::Id;
use cfa::build::Builder;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{
    BinOp, ExprId, ExprKind, FuncId, HavocSource, LocId, Observer, Op, Pattern, Program, Scalar, VarId, display,
};
use fastrand::Rng;
use std::collections::HashSet;
use transform::simplify_graph::simplify_graph;
use transform::slice::{Slice, slice};

fn sliced(program: &Program) -> Slice {
    let observer = Observer::never("G ! call(reach_error())", [Pattern::Call("reach_error".into())]);
    let points_to = PointsTo::new(program);
    slice(program, &points_to, &Regions::new(program, &points_to), &observer)
}

/// Texts of the operations that are left after simplification, in the order of their ids.
fn left(mut program: Program) -> Vec<String> {
    simplify_graph(&mut program);
    let mut edges: Vec<_> = program.locs.iter().flat_map(|l| l.out.clone()).collect();
    edges.sort();
    let text = |e: &cfa::EdgeId| display::op(&program, &program.edges[*e].op);
    edges.iter().map(text).filter(|t| t != "skip").collect()
}

/// Adds a function without a body for the event.
fn with_error() -> (Builder, FuncId) {
    let mut b = Builder::new();
    let error = b.extern_func("reach_error");
    (b, error)
}

#[test]
fn endless_loops_that_only_the_event_ends_keep_their_branches() {
    let (mut b, error) = with_error();
    let start = b.program.start;
    let reg = b.reg(None, "x", Scalar::INT);
    let (x, zero) = (b.var(reg), b.int(0));
    let l: Vec<LocId> = (0..3).map(|_| b.loc(start)).collect();
    let (entry, exit) = (b.entry(start), b.exit(start));
    // for (;;) { x = ?; if (x == 0) { reach_error(); abort(); } }
    b.edge(entry, l[0], Op::Havoc { dst: reg, source: HavocSource::Environment });
    let is_zero = b.bin(BinOp::Eq, x, zero);
    b.branch(l[0], is_zero, l[1], entry);
    let call = b.call(error, &[]);
    b.edge(l[1], l[2], call);
    b.edge(l[2], exit, Op::Halt);
    let left = left(sliced(&b.program).program);
    assert_eq!(left, ["havoc x", "[x == 0]", "[!(x == 0)]", "call reach_error()", "halt"]);
}

#[test]
fn irrelevant_loops_and_data_go() {
    let (mut b, error) = with_error();
    let start = b.program.start;
    let regs: Vec<VarId> = ["x", "y", "i"].iter().map(|n| b.reg(None, n, Scalar::INT)).collect();
    let [x, y, i] = [b.var(regs[0]), b.var(regs[1]), b.var(regs[2])];
    let (zero, one) = (b.int(0), b.int(1));
    let memory = b.mem(None, "m", 4);
    let address = b.addr(memory);
    let l: Vec<LocId> = (0..7).map(|_| b.loc(start)).collect();
    let (entry, exit) = (b.entry(start), b.exit(start));
    // x = ?; while (i < y) { i = i + 1; m = i }  y = x; if (x == 0) reach_error();
    b.edge(entry, l[0], Op::Havoc { dst: regs[0], source: HavocSource::Environment });
    let less = b.bin(BinOp::Lt, i, y);
    b.branch(l[0], less, l[1], l[3]);
    let next = b.bin(BinOp::Add, i, one);
    b.edge(l[1], l[2], Op::Assign { dst: regs[2], src: next });
    b.edge(l[2], l[0], Op::Store { addr: address, value: i });
    b.edge(l[3], l[4], Op::Assign { dst: regs[1], src: x });
    let is_zero = b.bin(BinOp::Eq, x, zero);
    b.branch(l[4], is_zero, l[5], l[6]);
    let call = b.call(error, &[]);
    b.edge(l[5], exit, call);
    b.edge(l[6], exit, Op::Skip);
    let result = sliced(&b.program);
    assert_eq!(left(result.program), ["havoc x", "[x == 0]", "[!(x == 0)]", "call reach_error()", "halt"]);
}

#[test]
fn memory_and_calls_are_followed() {
    let (mut b, error) = with_error();
    let start = b.program.start;
    let set = b.func("set", &[Scalar::Ptr, Scalar::INT]);
    let (m, n, noise) = (b.mem(None, "m", 4), b.mem(None, "n", 4), b.reg(None, "noise", Scalar::INT));
    let (am, an, one, zero, vnoise) = (b.addr(m), b.addr(n), b.int(1), b.int(0), b.var(noise));
    // set(p, unused) { *p = 1 }
    let param = b.program.functions[set].params[0];
    let vparam = b.var(param);
    let (entry, exit) = (b.entry(set), b.exit(set));
    b.edge(entry, exit, Op::Store { addr: vparam, value: one });
    // noise = n; set(&m, noise); n = 2; if (m == 1) reach_error();
    let (entry, exit) = (b.entry(start), b.exit(start));
    let (then, check) = (b.loc(start), b.loc(start));
    let read = b.load(an, Scalar::INT);
    let call = b.call(set, &[am, vnoise]);
    b.chain(entry, check, [Op::Assign { dst: noise, src: read }, call, Op::Store { addr: an, value: zero }]);
    let loaded = b.load(am, Scalar::INT);
    let cond = b.bin(BinOp::Eq, loaded, one);
    b.branch(check, cond, then, exit);
    let call = b.call(error, &[]);
    b.edge(then, exit, call);
    let expected =
        ["*(int *)set::0 = 1", "call set(&m, 0)", "[*(int *)&m == 1]", "[!(*(int *)&m == 1)]", "call reach_error()"];
    assert_eq!(left(sliced(&b.program).program), expected);
}

#[test]
fn functions_that_end_the_path_stay() {
    let (mut b, error) = with_error();
    let start = b.program.start;
    let assume = b.func("assume", &[Scalar::INT]);
    let forever = b.func("forever", &[]);
    let param = b.program.functions[assume].params[0];
    let (vparam, zero) = (b.var(param), b.int(0));
    let cond = b.bin(BinOp::Eq, vparam, zero);
    let (entry, exit) = (b.entry(assume), b.exit(assume));
    let stop = b.loc(assume);
    b.branch(entry, cond, stop, exit);
    b.end(stop, Op::Halt);
    // if (g) for (;;); return;
    let g = b.reg(None, "g", Scalar::INT);
    let vg = b.var(g);
    let is_zero = b.bin(BinOp::Eq, vg, zero);
    let (entry, exit, spin) = (b.entry(forever), b.exit(forever), b.loc(forever));
    b.branch(entry, is_zero, spin, exit);
    b.edge(spin, spin, Op::Skip);
    let x = b.reg(Some(start), "x", Scalar::INT);
    let vx = b.var(x);
    let (entry, exit) = (b.entry(start), b.exit(start));
    let calls = [b.call(forever, &[]), b.call(assume, &[vx]), b.call(error, &[])];
    let havoc = Op::Havoc { dst: x, source: HavocSource::Environment };
    b.chain(entry, exit, [havoc].into_iter().chain(calls));
    // The endless loop ends the path, too.
    let expected = [
        "[assume::0 == 0]",
        "[!(assume::0 == 0)]",
        "halt",
        "[g == 0]",
        "[!(g == 0)]",
        "halt",
        "havoc x",
        "call forever()",
        "call assume(x)",
        "call reach_error()",
    ];
    assert_eq!(left(sliced(&b.program).program), expected);
}

/// Whether jumps may go back.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Forward,
    Any,
}

/// A program of three functions over global registers; function `k` calls only later ones.
fn random_program(rng: &mut Rng, flow: Flow) -> Program {
    let (mut b, error) = with_error();
    let globals: Vec<VarId> = (0..4).map(|i| b.reg(None, &format!("g{i}"), Scalar::INT)).collect();
    let mut funcs = vec![b.program.start];
    for name in ["f", "h"] {
        let f = b.func(name, &[Scalar::INT]);
        b.ret(f, Scalar::INT);
        funcs.push(f);
    }
    for (k, func) in funcs.clone().into_iter().enumerate() {
        let function = &b.program.functions[func];
        let mut vars = globals.clone();
        vars.extend(function.params.iter().chain(&function.ret));
        let n = 4 + rng.usize(..6);
        let mut locs = vec![b.entry(func)];
        locs.extend((1..n).map(|_| b.loc(func)));
        locs.push(b.exit(func));
        for (i, loc) in locs[..n].iter().copied().enumerate() {
            let target = |rng: &mut Rng| match flow {
                Flow::Forward => locs[i + 1 + rng.usize(..(n - i).min(3))],
                Flow::Any if rng.usize(..3) == 0 => locs[rng.usize(..n + 1)],
                Flow::Any => locs[i + 1],
            };
            let (next, other) = (target(rng), target(rng));
            let dst = vars[rng.usize(..vars.len())];
            let value = b.var(vars[rng.usize(..vars.len())]);
            let constant = b.int(rng.usize(..2) as i64);
            let src = if rng.usize(..2) == 0 { value } else { constant };
            let op = match rng.usize(..16) {
                0..4 => Op::Assign { dst, src },
                4 => Op::Havoc { dst, source: HavocSource::Environment },
                5 if k < 2 => b.call_to(Some(dst), funcs[k + 1], &[src]),
                6 if k < 2 => b.call(funcs[k + 1], &[src]),
                7 => b.call(error, &[]),
                8 => {
                    b.end(loc, Op::Halt);
                    continue;
                }
                9 if rng.usize(..3) == 0 => {
                    let cond = b.bin(BinOp::Eq, value, constant);
                    Op::Assume { cond, truth: true }
                }
                _ => {
                    let cond = b.bin(BinOp::Eq, value, constant);
                    b.branch(loc, cond, next, other);
                    continue;
                }
            };
            b.edge(loc, next, op);
        }
    }
    b.program
}

/// A location, the registers, and where the result of the call that is running goes.
type Frame = (LocId, Vec<u8>, Option<VarId>);

/// Explores all states, where arbitrary values are 0 or 1, and tells whether the event happens.
fn reaches_error(program: &Program) -> bool {
    let eval = |regs: &[u8], e: ExprId| match program.exprs.kind(e) {
        ExprKind::Const(v) => v.0 as u8,
        ExprKind::Var(v) => regs[v.index()],
        kind => panic!("unexpected {kind:?}"),
    };
    let entry = |f: FuncId| program.functions[f].body.expect("has a body").entry;
    let zero = vec![0; program.vars.len()];
    // Registers of all functions are kept in each frame; the globals of the last frame count.
    let first: Vec<Frame> = vec![(entry(program.start), zero, None)];
    let mut seen: HashSet<Vec<Frame>> = HashSet::from([first.clone()]);
    let mut stack = vec![first];
    while let Some(state) = stack.pop() {
        let Some((loc, regs, _)) = state.last().cloned() else { continue };
        let mut push = |next: Vec<Frame>| {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        };
        let step = |loc: LocId, regs: Vec<u8>| {
            let mut next = state.clone();
            let last = next.last_mut().expect("a state has a frame");
            (last.0, last.1) = (loc, regs);
            next
        };
        let func = program.locs[loc].func;
        if loc == program.functions[func].body.expect("has a body").exit {
            returned(program, &state).map(&mut push);
            continue;
        }
        for edge in &program.locs[loc].out {
            let edge = &program.edges[*edge];
            match &edge.op {
                Op::Skip => push(step(edge.dst, regs.clone())),
                Op::Assign { dst, src } => {
                    let mut regs = regs.clone();
                    regs[dst.index()] = eval(&regs, *src);
                    push(step(edge.dst, regs));
                }
                Op::Havoc { dst, .. } => {
                    for value in 0..2 {
                        let mut regs = regs.clone();
                        regs[dst.index()] = value;
                        push(step(edge.dst, regs));
                    }
                }
                Op::Assume { cond, truth } => {
                    let ExprKind::Binary(BinOp::Eq, a, b) = program.exprs.kind(*cond) else { panic!("no comparison") };
                    if (eval(&regs, a) == eval(&regs, b)) == *truth {
                        push(step(edge.dst, regs.clone()));
                    }
                }
                Op::Call { func, args, dst } => {
                    let mut next = step(edge.dst, regs.clone());
                    next.last_mut().expect("a state has a frame").2 = *dst;
                    let mut inner = regs.clone();
                    // Local registers of a new frame start at 0 in this semantics.
                    for (id, var) in program.vars.iter_enumerated().filter(|(_, v)| !v.is_global()) {
                        assert!(var.func.is_some());
                        inner[id.index()] = 0;
                    }
                    for (param, arg) in program.functions[*func].params.iter().zip(args) {
                        inner[param.index()] = eval(&regs, *arg);
                    }
                    next.push((entry(*func), inner, None));
                    push(next);
                }
                Op::CallExtern { .. } => return true,
                Op::Halt => {}
                op => panic!("unexpected {op:?}"),
            }
        }
    }
    false
}

/// The state of the caller after a return; none behind the start function.
fn returned(program: &Program, state: &[Frame]) -> Option<Vec<Frame>> {
    let ((loc, regs, _), callers) = state.split_last()?;
    let mut next = callers.to_vec();
    let (_, caller, dst) = next.last_mut()?;
    for (id, var) in program.vars.iter_enumerated().filter(|(_, v)| v.is_global()) {
        assert!(var.register().is_some());
        caller[id.index()] = regs[id.index()];
    }
    if let (Some(dst), Some(ret)) = (dst.take(), program.functions[program.locs[*loc].func].ret) {
        caller[dst.index()] = regs[ret.index()];
    }
    Some(next)
}

fn check_random(seed: u64, rounds: usize, flow: Flow) -> (usize, usize) {
    let mut rng = Rng::with_seed(seed);
    let (mut reached, mut removed) = (0, 0);
    for round in 0..rounds {
        let program = random_program(&mut rng, flow);
        let slice = sliced(&program);
        let before = reaches_error(&program);
        let mut small = slice.program.clone();
        simplify_graph(&mut small);
        for after in [&slice.program, &small] {
            let after = reaches_error(after);
            assert!(after || !before, "round {round}: the slice lost the event\n{}", listing(&program, &slice.program));
            if flow == Flow::Forward {
                assert_eq!(after, before, "round {round}: the slice has a new event");
            }
        }
        assert_eq!(slice.program.edges.len(), program.edges.len());
        reached += usize::from(before);
        removed += slice.removed;
    }
    (reached, removed)
}

fn listing(a: &Program, b: &Program) -> String {
    let line = |p: &Program, e: cfa::EdgeId| {
        let edge = &p.edges[e];
        let attached = if p.locs[edge.src].out.contains(&e) { ' ' } else { '-' };
        format!("{attached}{:?} -> {:?}: {}", edge.src, edge.dst, display::op(p, &edge.op))
    };
    a.edges.ids().map(|e| format!("{}\n    {}\n", line(a, e), line(b, e))).collect()
}

#[test]
fn random_programs_without_loops() {
    let (reached, removed) = check_random(11, 3000, Flow::Forward);
    assert!(reached > 300 && removed > 3000, "{reached} {removed}");
}

#[test]
fn random_programs_with_loops() {
    let (reached, removed) = check_random(12, 3000, Flow::Any);
    assert!(reached > 300 && removed > 3000, "{reached} {removed}");
}
