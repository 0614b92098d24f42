//! Octagons against sets of points and against what programs compute, and what they are precise enough for.

use super::dbm::{Literal, Sign};
use super::packs::Packs;
use super::post::{enter, initial, leave, post};
use super::state::Octagons;
use crate::numerical::number::number;
use crate::numerical::{Call, Cell, Place, Relation, Scope, Signs};
use crate::testing::laws::{Domain, THRESHOLDS, lattice_laws};
use crate::testing::programs::{Case, Run};
use cfa::build::Builder;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{BinOp, EdgeId, FuncId, Op, Scalar, VarId};
use step::{Callstacks, StackId};

/// The domain without calls.
struct OfRegisters<'c> {
    case: &'c Case,
    scope: Scope<'c>,
    packs: Packs,
}

fn number_in(run: &Run, cell: Cell) -> i128 {
    match cell.place {
        Place::Register(_, var) => number(run[&var], cell.ty),
        Place::Memory(..) => unreachable!("no memory here"),
    }
}

impl<'c> Domain<'c> for OfRegisters<'c> {
    type State = Octagons;

    fn new(case: &'c Case) -> Self {
        let root: StackId = base::Id::from_index(0);
        let packs = Packs::new(&case.program, &Wto::new(&case.program));
        Self { case, scope: Scope { program: &case.program, stack: root, root }, packs }
    }

    fn top(&mut self) -> Octagons {
        let mut state = initial(&self.packs, self.scope);
        // More packs, which overlap.
        let cells: Vec<Cell> = self.case.vars.iter().filter_map(|var| self.scope.register(*var)).collect();
        cells.windows(3).for_each(|pack| state.track(pack.into()));
        state
    }

    fn post(&mut self, state: &Octagons, edge: EdgeId) -> Option<Octagons> {
        let mut state = state.clone();
        state.close().ok()?;
        post(self.scope, &self.case.points_to, &mut state, &self.case.program.edges[edge].op).ok().map(|()| state)
    }

    fn satisfies(&self, run: &Run, state: &Octagons) -> Result<(), String> {
        for (cell, num) in state.env().cells() {
            if !num.contains(number_in(run, cell)) {
                return Err(format!("{cell:?} = {} is not in {num:?}", number_in(run, cell)));
            }
        }
        for (pack, dbm) in state.packs() {
            let value = |literal: Literal| match literal.sign() {
                Sign::Plus => number_in(run, pack[literal.var()]),
                Sign::Minus => -number_in(run, pack[literal.var()]),
            };
            if let Some((a, b)) = dbm.pairs().find(|(a, b)| value(*a) + value(*b) > dbm.get(*a, *b)) {
                return Err(format!("{a:?} + {b:?} = {} > {} in {pack:?}", value(a) + value(b), dbm.get(a, b)));
            }
        }
        for Relation { x, y, signs, bound } in state.relations() {
            let (x, y) = (number_in(run, x), number_in(run, y));
            let sum = match signs {
                Signs::Difference => x - y,
                Signs::Sum => x + y,
                Signs::Negated => -x - y,
            };
            if sum > bound {
                return Err(format!("{signs:?} of {x} and {y} > {bound}"));
            }
        }
        Ok(())
    }

    fn leq(&self, lower: &Octagons, upper: &Octagons) -> bool {
        lower.leq(upper)
    }

    fn join(&self, a: &Octagons, b: &Octagons) -> Option<Octagons> {
        Some(a.join(b))
    }

    fn widen(&self, old: &Octagons, newer: &Octagons) -> Option<Octagons> {
        Some(old.widen(newer, &THRESHOLDS))
    }
}

lattice_laws!(octagons, OfRegisters);

const INT: Scalar = Scalar::INT;
const UNSIGNED: Scalar = Scalar::Int { bits: 32, signed: false };

/// A program of `main`, in whose text the edges of tests are.
struct Setting {
    b: Builder,
    main: FuncId,
}

/// States on the way.
struct Walk {
    program: cfa::Program,
    points_to: PointsTo,
    packs: Packs,
    stacks: Callstacks,
}

impl Setting {
    fn new() -> Self {
        let mut b = Builder::new();
        let main = b.func("main", &[]);
        b.program.start = main;
        Self { b, main }
    }

    fn reg(&mut self, name: &str, ty: Scalar) -> VarId {
        self.b.reg(Some(self.main), name, ty)
    }

    /// An edge at the end of which nothing follows.
    fn edge(&mut self, op: Op) -> EdgeId {
        let (entry, next) = (self.b.entry(self.main), self.b.loc(self.main));
        self.b.edge(entry, next, op)
    }

    /// `dst := x + k`
    fn add(&mut self, dst: VarId, x: VarId, k: i64) -> EdgeId {
        let ty = self.b.program.vars[x].register().expect("register");
        let (x, k) = (self.b.var(x), self.b.constant(k, ty));
        let src = self.b.bin(BinOp::Add, x, k);
        self.edge(Op::Assign { dst, src })
    }

    /// `[x op y]`
    fn assume(&mut self, x: VarId, op: BinOp, y: VarId) -> EdgeId {
        let (x, y) = (self.b.var(x), self.b.var(y));
        let cond = self.b.bin(op, x, y);
        self.edge(Op::Assume { cond, truth: true })
    }

    /// `[x op k]`
    fn compare(&mut self, x: VarId, op: BinOp, k: i64) -> EdgeId {
        let ty = self.b.program.vars[x].register().expect("register");
        let (x, k) = (self.b.var(x), self.b.constant(k, ty));
        let cond = self.b.bin(op, x, k);
        self.edge(Op::Assume { cond, truth: true })
    }

    fn walk(self) -> Walk {
        let program = self.b.program;
        Walk {
            points_to: PointsTo::new(&program),
            packs: Packs::new(&program, &Wto::new(&program)),
            stacks: Callstacks::new(&program),
            program,
        }
    }
}

impl Walk {
    fn scope(&self, stack: StackId) -> Scope<'_> {
        Scope { program: &self.program, stack, root: self.stacks.root() }
    }

    fn start(&self) -> Octagons {
        initial(&self.packs, self.scope(self.stacks.root()))
    }

    fn run(&self, state: &mut Octagons, edges: &[EdgeId]) -> Result<(), step::End> {
        let scope = self.scope(self.stacks.root());
        edges.iter().try_for_each(|e| post(scope, &self.points_to, state, &self.program.edges[*e].op))
    }

    fn cell(&self, var: VarId) -> Cell {
        self.scope(self.stacks.root()).register(var).expect("number")
    }

    /// The least known bounds of `x - y` and `x + y`.
    fn bounds(&self, state: &Octagons, x: VarId, y: VarId) -> (i128, i128) {
        let term = |var, sign| super::sum::Term { cell: self.cell(var), sign };
        let upper = |sign| state.upper(&[term(x, Sign::Plus), term(y, sign)]);
        (upper(Sign::Minus), upper(Sign::Plus))
    }
}

#[test]
fn differences_and_sums_survive_steps() {
    let mut s = Setting::new();
    let (x, y) = (s.reg("x", INT), s.reg("y", INT));
    let bounded: Vec<EdgeId> = [x, y].map(|v| [s.compare(v, BinOp::Ge, 0), s.compare(v, BinOp::Le, 100)]).concat();
    let below = s.assume(x, BinOp::Lt, y);
    let (sum_x, sum_y) = (s.b.var(x), s.b.var(y));
    let sum = s.b.bin(BinOp::Add, sum_x, sum_y);
    let limit = s.b.int(150);
    let cond = s.b.bin(BinOp::Le, sum, limit);
    let sum = s.edge(Op::Assume { cond, truth: true });
    let steps = [s.add(x, x, 1), s.add(y, y, 1)];
    let w = s.walk();
    let mut state = w.start();
    w.run(&mut state, &bounded).expect("possible");
    w.run(&mut state, &[below, sum]).expect("possible");
    assert_eq!(w.bounds(&state, x, y), (-1, 150));
    w.run(&mut state, &steps).expect("possible");
    assert_eq!(w.bounds(&state, x, y), (-1, 152));
    // 2 x <= (x - y) + (x + y) <= 151
    assert_eq!(state.env().get(w.cell(x)).hi, 75);
    let relations: Vec<(Signs, i128)> = state.relations().iter().map(|r| (r.signs, r.bound)).collect();
    assert_eq!(relations, [(Signs::Difference, -1), (Signs::Sum, 152)]);
}

#[test]
fn the_middle_lies_between() {
    // assume(0 <= lo && lo < hi && hi <= n && n <= 1000); mid = lo + (hi - lo) / 2;
    let mut s = Setting::new();
    let [lo, hi, n, mid] = ["lo", "hi", "n", "mid"].map(|name| s.reg(name, INT));
    let known = [s.compare(lo, BinOp::Ge, 0), s.compare(n, BinOp::Le, 1000)];
    let known = [known, [s.assume(lo, BinOp::Lt, hi), s.assume(hi, BinOp::Le, n)]].concat();
    let mut assignments = Vec::new();
    for (op, by) in [(BinOp::Div, 2), (BinOp::Shr, 1)] {
        let (low, high, by) = (s.b.var(lo), s.b.var(hi), s.b.int(by));
        let distance = s.b.bin(BinOp::Sub, high, low);
        let half = s.b.bin(op, distance, by);
        let sum = s.b.bin(BinOp::Add, low, high);
        for src in [s.b.bin(BinOp::Add, low, half), s.b.bin(op, sum, by)] {
            assignments.push(s.edge(Op::Assign { dst: mid, src }));
        }
    }
    let w = s.walk();
    for assign in assignments {
        let mut state = w.start();
        w.run(&mut state, &known).expect("possible");
        w.run(&mut state, &[assign]).expect("possible");
        let difference = |x, y| w.bounds(&state, x, y).0;
        assert_eq!((difference(lo, mid), difference(mid, hi), difference(mid, n)), (0, -1, -1));
    }
}

#[test]
fn what_may_wrap_is_not_related() {
    let mut s = Setting::new();
    let (x, y) = (s.reg("x", INT), s.reg("y", INT));
    let (less, step) = (s.assume(x, BinOp::Lt, y), s.add(y, y, 1));
    let w = s.walk();
    let mut state = w.start();
    w.run(&mut state, &[less, step]).expect("possible");
    let (difference, _) = w.bounds(&state, x, y);
    assert!(difference > 1 << 31, "{difference}");
    // With an upper bound there is no wrap.
    let mut state = w.start();
    w.run(&mut state, &[less]).expect("possible");
    state.at_most(&super::sum::Sum::of_cell(w.cell(y)), 1000).expect("possible");
    w.run(&mut state, &[step]).expect("possible");
    assert_eq!(w.bounds(&state, x, y).0, -2);
}

#[test]
fn unsigned_differences_that_cannot_wrap() {
    let mut s = Setting::new();
    let (i, n, rest) = (s.reg("i", UNSIGNED), s.reg("n", UNSIGNED), s.reg("rest", UNSIGNED));
    let below = s.assume(i, BinOp::Le, n);
    let (of_n, of_i) = (s.b.var(n), s.b.var(i));
    let src = s.b.bin(BinOp::Sub, of_n, of_i);
    let minus = s.edge(Op::Assign { dst: rest, src });
    let above = s.assume(rest, BinOp::Gt, n);
    let w = s.walk();
    let mut state = w.start();
    w.run(&mut state, &[below, minus]).expect("possible");
    assert_eq!(w.bounds(&state, rest, n).0, 0);
    assert!(w.run(&mut state, &[above]).is_err());
    let mut state = w.start();
    w.run(&mut state, &[minus, above]).expect("possible where the difference wraps around");
}

#[test]
fn loops_keep_what_counters_have_in_common() {
    // i = 0; while (i < n) i++; assert(i == n);
    let mut s = Setting::new();
    let (i, n) = (s.reg("i", INT), s.reg("n", INT));
    let zero = s.b.int(0);
    let positive = s.compare(n, BinOp::Ge, 0);
    let begin = s.edge(Op::Assign { dst: i, src: zero });
    let (go_on, step, done) = (s.assume(i, BinOp::Lt, n), s.add(i, i, 1), s.assume(i, BinOp::Ge, n));
    let w = s.walk();
    let mut head = w.start();
    w.run(&mut head, &[positive, begin]).expect("possible");
    for round in 0.. {
        let mut body = head.clone();
        body.close().expect("possible");
        w.run(&mut body, &[go_on, step]).expect("possible");
        if body.leq(&head) {
            break;
        }
        assert!(round < 10, "{head:?}");
        let joined = head.join(&body);
        head = head.widen(&joined, &THRESHOLDS);
    }
    head.close().expect("possible");
    w.run(&mut head, &[done]).expect("possible");
    assert_eq!(w.bounds(&head, i, n).0, 0);
    assert_eq!(w.bounds(&head, n, i).0, 0);
}

#[test]
fn calls_carry_relations_in_and_out() {
    // int next(int a, int b) { return a + 1; }    assume(x < y && y < 10 && x > 0); z = next(x, y);
    let mut s = Setting::new();
    let (x, y, z) = (s.reg("x", INT), s.reg("y", INT), s.reg("z", INT));
    let next = s.b.func("next", &[INT, INT]);
    let ret = s.b.reg(Some(next), "ret", INT);
    s.b.program.functions[next].ret = Some(ret);
    let (a, b) = (s.b.program.functions[next].params[0], s.b.program.functions[next].params[1]);
    let (entry, exit) = (s.b.entry(next), s.b.exit(next));
    let (value, other, one) = (s.b.var(a), s.b.var(b), s.b.int(1));
    let src = s.b.bin(BinOp::Add, value, one);
    let assign = s.b.edge(entry, exit, Op::Assign { dst: ret, src });
    let cond = s.b.bin(BinOp::Lt, value, other);
    let wrong = s.b.edge(entry, exit, Op::Assume { cond, truth: false });
    let known = [s.compare(x, BinOp::Gt, 0), s.compare(y, BinOp::Lt, 10), s.assume(x, BinOp::Lt, y)];
    let args = [s.b.var(x), s.b.var(y)];
    let op = s.b.call_to(Some(z), next, &args);
    let edge = s.edge(op);
    let mut w = s.walk();
    let (inner, _) = w.stacks.push(w.stacks.root(), edge, next);
    let call = Call { caller: w.scope(w.stacks.root()), callee: w.scope(inner), edge, func: next };
    let mut state = w.start();
    w.run(&mut state, &known).expect("possible");
    enter(&w.packs, &mut state, call).expect("possible");
    let op = |e: EdgeId| &w.program.edges[e].op;
    assert!(post(call.callee, &w.points_to, &mut state.clone(), op(wrong)).is_err(), "{state:?}");
    post(call.callee, &w.points_to, &mut state, op(assign)).expect("possible");
    leave(&mut state, call).expect("possible");
    let ((z_x, _), (x_z, _)) = (w.bounds(&state, z, x), w.bounds(&state, x, z));
    assert_eq!((z_x, x_z, w.bounds(&state, z, y).0), (1, -1, 0));
    assert!(
        state
            .packs()
            .all(|(pack, _)| pack.iter().all(|cell| matches!(cell.place, Place::Register(s, _) if s != inner)))
    );
}

#[test]
fn packs_are_small_and_have_all_pairs() {
    let mut s = Setting::new();
    let vars: Vec<VarId> = (0..30).map(|_| s.reg("r", INT)).collect();
    for pair in vars.windows(2) {
        s.assume(pair[0], BinOp::Lt, pair[1]);
    }
    let w = s.walk();
    let packs: Vec<Vec<Cell>> = w.start().packs().map(|(pack, _)| pack.to_vec()).collect();
    assert!(packs.iter().all(|pack| pack.len() <= 10) && packs.len() < 10, "{packs:?}");
    let together = |x, y| packs.iter().any(|pack| pack.contains(&w.cell(x)) && pack.contains(&w.cell(y)));
    assert!(vars.windows(2).all(|pair| together(pair[0], pair[1])));
}
