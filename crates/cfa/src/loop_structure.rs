//! Loops of a program: natural loops and their nesting, what they modify, what of it is read afterwards, induction variables and
//! trip counts.
//!
//! Loops are the components of a weak topological order ([`crate::loops`]). A component that is entered at its head only is a *natural*
//! loop; others are irreducible, and nothing more is said about them.
//!
//! A register is an *induction variable* if one edge of the loop, taken exactly once in each round, adds a loop-invariant amount to it
//! and nothing else in the loop (or called by it) assigns it. A *trip count* belongs to an exit that every round tests, and which compares
//! an induction variable of constant step with an invariant bound. Arithmetic wraps around: [`TripCount::rounds`] is exact and says
//! `None` where the variable would pass its type's limit first.

mod trip_count;

use crate::callgraph::CallGraph;
use crate::expr::{BinOp, ExprId, ExprKind, UnOp};
use crate::live::Live;
use crate::loops::{Wto, is_branch};
use crate::op::Op;
use crate::program::{EdgeId, FuncId, LocId, Program, VarId};
use crate::regions::{Code, Footprint, ModRef, Regions};
use crate::value::Scalar;
use base::{IdVec, new_id};
use rustc_hash::{FxHashMap, FxHashSet};

new_id! {
    /// A loop; index into [`LoopStructure::loops`].
    pub struct LoopId;
}

/// How a loop is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// At its head only.
    Natural,
    /// At several places.
    Irreducible,
}

/// What is added to an induction variable in each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A constant, read as signed.
    Constant(i128),
    /// The value of a loop-invariant expression of the variable's type.
    Add(ExprId),
    /// Its negative.
    Sub(ExprId),
}

/// A register that changes by the same amount in each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Induction {
    /// The register, an integer.
    pub var: VarId,
    /// What is added, modulo the type's range.
    pub step: Step,
    /// The edge that adds it.
    pub edge: EdgeId,
}

/// When a round tests whether the loop goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Before the step of the induction variable.
    BeforeStep,
    /// After it.
    AfterStep,
}

/// The condition under which a loop goes on: `var op bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripCount {
    /// The edge that leaves the loop when the condition fails.
    pub exit: EdgeId,
    /// Induction variable.
    pub var: VarId,
    /// Type in which it is compared; at least as wide as the variable's.
    pub ty: Scalar,
    /// Constant step.
    pub step: i128,
    /// Comparison: `Lt`, `Le`, `Gt`, `Ge` or `Ne`.
    pub op: BinOp,
    /// Loop-invariant bound of type `ty`.
    pub bound: ExprId,
    /// When it is tested.
    pub test: Test,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its head.
    pub head: LocId,
    /// The function.
    pub func: FuncId,
    /// The next loop around it.
    pub parent: Option<LoopId>,
    /// Number of loops around it.
    pub depth: u32,
    /// How it is entered.
    pub shape: Shape,
    /// Its locations, inner loops' included, in the order of the WTO; the head is the first.
    pub locs: Vec<LocId>,
    /// Edges from outside to the head.
    pub entries: Vec<EdgeId>,
    /// Edges from inside to the head.
    pub back: Vec<EdgeId>,
    /// Edges out of the loop on which runs go on.
    pub exits: Vec<EdgeId>,
    /// Edges between its locations, those back to the head included, and those that end a run in it.
    pub edges: Vec<EdgeId>,
    /// What a run of the loop may modify, calls included.
    pub modified: Footprint,
    /// Registers among `modified` that may be read after the loop.
    pub live_out: Vec<VarId>,
    /// Registers among `modified` that a round or what follows the loop may read before they are assigned.
    pub carried: Vec<VarId>,
    /// Induction variables.
    pub inductions: Vec<Induction>,
    /// Trip counts, one for each exit that has one.
    pub trips: Vec<TripCount>,
}

/// The loops of a program.
#[derive(Clone, Debug)]
pub struct LoopStructure {
    /// Inner loops come after those around them.
    pub loops: IdVec<LoopId, Loop>,
}

impl LoopStructure {
    /// Analyses all loops.
    pub fn new(program: &Program, wto: &Wto, regions: &Regions, calls: &CallGraph) -> Self {
        let mut all = Self { loops: IdVec::new() };
        let mut of_head: FxHashMap<LocId, LoopId> = FxHashMap::default();
        for func in program.functions.ids() {
            for head in wto.order(func).iter().filter(|loc| wto.is_head(**loc)) {
                let around = wto.heads(*head);
                let parent = around.iter().rev().nth(1).and_then(|outer| of_head.get(outer)).copied();
                let id = all.loops.push(outline(program, wto, *head, parent, around.len() as u32 - 1));
                of_head.insert(*head, id);
            }
        }
        if all.loops.is_empty() {
            return all;
        }
        let modref = ModRef::new(program, regions, calls);
        let registers = Registers::new(program);
        for l in all.loops.iter_mut() {
            l.modified = modref.modified_by(Code { program, regions, calls }, l.edges.iter().copied());
            let may_be_read = |loc: LocId, var: VarId| {
                program.vars[var].is_global() || registers.live.is_live(loc, registers.number[var])
            };
            let modified = l.modified.registers.iter().copied();
            let after = |var: &VarId| l.exits.iter().any(|e| may_be_read(program.edges[*e].dst, *var));
            l.live_out = modified.clone().filter(after).collect();
            l.carried = modified.filter(|var| may_be_read(l.head, *var) || after(var)).collect();
            if l.shape == Shape::Natural {
                let facts = Facts::new(program, wto, l);
                let inductions = facts.inductions();
                let trips = facts.trips(&inductions);
                (l.inductions, l.trips) = (inductions, trips);
            }
        }
        all
    }

    /// All loops, inner ones before those around them.
    pub fn innermost_first(&self) -> impl Iterator<Item = LoopId> {
        self.loops.ids().collect::<Vec<_>>().into_iter().rev()
    }

    /// Whether nothing that the loop does changes the value of the expression: no assigned register, no changed region.
    pub fn is_invariant(&self, program: &Program, l: LoopId, e: ExprId) -> bool {
        is_invariant(program, &self.loops[l].modified, e)
    }
}

/// Local registers, numbered function by function.
struct Registers {
    number: IdVec<VarId, u32>,
    live: Live,
}

impl Registers {
    fn new(program: &Program) -> Self {
        let mut count = vec![0u32; program.functions.len()];
        let number: IdVec<VarId, u32> = program
            .vars
            .iter()
            .map(|var| match var.func {
                Some(func) => {
                    let slot = &mut count[base::Id::index(func)];
                    *slot += 1;
                    *slot - 1
                }
                None => u32::MAX,
            })
            .collect();
        let live = Live::new(program, |var| number[var], |func| count[base::Id::index(func)] as usize);
        Self { number, live }
    }
}

fn outline(program: &Program, wto: &Wto, head: LocId, parent: Option<LoopId>, depth: u32) -> Loop {
    let locs = wto.component(program, head).to_vec();
    let (mut entries, mut back, mut exits, mut edges) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut shape = Shape::Natural;
    for loc in &locs {
        for id in &program.locs[*loc].out {
            let edge = &program.edges[*id];
            if edge.op.ends_path() || wto.contains(head, edge.dst) {
                edges.push(*id);
            } else {
                exits.push(*id);
            }
        }
        for id in &program.locs[*loc].inc {
            let edge = &program.edges[*id];
            if edge.op.ends_path() || !wto.is_reachable(edge.src) {
                continue;
            }
            match (wto.contains(head, edge.src), *loc == head) {
                (true, true) => back.push(*id),
                (false, true) => entries.push(*id),
                (false, false) => shape = Shape::Irreducible,
                (true, false) => {}
            }
        }
    }
    // The entry of a function is entered by calls as well.
    let is_entry = |loc: &LocId| program.functions[program.locs[*loc].func].body.is_some_and(|b| b.entry == *loc);
    if locs.iter().skip(1).any(is_entry) {
        shape = Shape::Irreducible;
    }
    Loop {
        head,
        func: program.locs[head].func,
        parent,
        depth,
        shape,
        locs,
        entries,
        back,
        exits,
        edges,
        modified: Footprint::default(),
        live_out: Vec::new(),
        carried: Vec::new(),
        inductions: Vec::new(),
        trips: Vec::new(),
    }
}

fn is_invariant(program: &Program, modified: &Footprint, e: ExprId) -> bool {
    let mut invariant = true;
    program.exprs.walk(e, |_, expr| match expr.kind {
        ExprKind::Var(var) => invariant &= modified.registers.binary_search(&var).is_err(),
        // Regions of loads are those of the edges that evaluate them; without them, only loops that write nothing are clear.
        ExprKind::Load(_) | ExprKind::Valid(..) | ExprKind::Tracked => invariant &= modified.regions.is_empty(),
        _ => {}
    });
    invariant
}

/// What is known of a natural loop while its variables are classified.
struct Facts<'a> {
    program: &'a Program,
    l: &'a Loop,
    /// Locations that every round passes exactly once.
    always: FxHashSet<LocId>,
    /// Edges by the register that they assign.
    assigned: FxHashMap<VarId, Vec<EdgeId>>,
    /// By location: locations that every way from the head to it passes; only for `always`.
    order: FxHashMap<LocId, usize>,
}

impl<'a> Facts<'a> {
    fn new(program: &'a Program, wto: &Wto, l: &'a Loop) -> Self {
        let mut assigned: FxHashMap<VarId, Vec<EdgeId>> = FxHashMap::default();
        for edge in l.edges.iter().chain(&l.exits) {
            if let Some(var) = program.edges[*edge].op.assigned() {
                assigned.entry(var).or_default().push(*edge);
            }
        }
        let passed = passed_by_every_round(program, wto, l);
        let order = passed.iter().enumerate().map(|(i, loc)| (*loc, i)).collect();
        Self { program, l, always: passed.into_iter().collect(), assigned, order }
    }

    fn invariant(&self, e: ExprId) -> bool {
        is_invariant(self.program, &self.l.modified, e)
    }

    fn inductions(&self) -> Vec<Induction> {
        let mut found = Vec::new();
        for var in &self.l.modified.registers {
            let Some([edge]) = self.assigned.get(var).map(|edges| &edges[..]) else { continue };
            let Op::Assign { src, .. } = self.program.edges[*edge].op else { continue };
            let is_global = self.program.vars[*var].is_global();
            // A call may assign a global as well.
            let calls = |e: &EdgeId| matches!(self.program.edges[*e].op, Op::Call { .. } | Op::CallPtr { .. });
            if (is_global && self.l.edges.iter().any(calls)) || !self.always.contains(&self.program.edges[*edge].src) {
                continue;
            }
            if let Some(step) = self.step(*var, src) {
                found.push(Induction { var: *var, step, edge: *edge });
            }
        }
        found
    }

    /// What `src` adds to the register, if that is what it does.
    fn step(&self, var: VarId, src: ExprId) -> Option<Step> {
        let exprs = &self.program.exprs;
        let ty = self.program.vars[var].register().filter(|ty| ty.is_int())?;
        let bits = ty.bits(self.program.pointer_bits());
        // Sums in a wider type, cut to the register's: the cut is the sum of the cuts.
        let mut at = src;
        while let ExprKind::Cast(inner) = exprs.kind(at) {
            let inner_ty = exprs.ty(inner);
            if !inner_ty.is_int() || inner_ty.bits(self.program.pointer_bits()) < bits {
                return None;
            }
            at = inner;
        }
        let is_var = |mut e: ExprId| {
            while let ExprKind::Cast(inner) = exprs.kind(e) {
                let (from, to) = (exprs.ty(inner), exprs.ty(e));
                let pointer = self.program.pointer_bits();
                if !from.is_int() || !to.is_int() || to.bits(pointer) < bits {
                    return false;
                }
                e = inner;
            }
            exprs.kind(e) == ExprKind::Var(var)
        };
        let ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) = exprs.kind(at) else { return None };
        let (amount, negative) = match op {
            BinOp::Add if is_var(a) => (b, false),
            BinOp::Add if is_var(b) => (a, false),
            BinOp::Sub if is_var(a) => (b, true),
            _ => return None,
        };
        if let Some(value) = exprs.as_const(amount) {
            let wide = exprs.ty(amount).bits(self.program.pointer_bits());
            let value = crate::Value::truncated(value.0, bits.min(wide)).signed(bits.min(wide));
            return Some(Step::Constant(if negative { value.wrapping_neg() } else { value }));
        }
        (exprs.ty(amount) == ty && self.invariant(amount)).then_some(if negative {
            Step::Sub(amount)
        } else {
            Step::Add(amount)
        })
    }

    fn trips(&self, inductions: &[Induction]) -> Vec<TripCount> {
        let program = self.program;
        let mut found = Vec::new();
        for exit in &self.l.exits {
            let edge = &program.edges[*exit];
            if !self.always.contains(&edge.src) || !is_branch(program, edge.src) {
                continue;
            }
            let Op::Assume { cond, truth } = edge.op else { continue };
            // The loop goes on under the opposite.
            let Some((op, a, b)) = comparison(program, cond, !truth) else { continue };
            for (op, side, bound) in [(Some(op), a, b), (mirrored(op), b, a)] {
                let (Some(op), Some(var)) = (op, self.widened_register(side)) else { continue };
                let Some(induction) = inductions.iter().find(|i| i.var == var) else { continue };
                let Step::Constant(step) = induction.step else { continue };
                if !self.invariant(bound) || step == 0 {
                    continue;
                }
                let (tested, stepped) = (self.order.get(&edge.src), self.order.get(&program.edges[induction.edge].src));
                let test = if tested <= stepped { Test::BeforeStep } else { Test::AfterStep };
                found.push(TripCount { exit: *exit, var, ty: program.exprs.ty(side), step, op, bound, test });
                break;
            }
        }
        found
    }

    /// The register whose value the expression is, possibly in a wider type that keeps it.
    fn widened_register(&self, mut e: ExprId) -> Option<VarId> {
        let exprs = &self.program.exprs;
        let bits = |ty: Scalar| ty.bits(self.program.pointer_bits());
        while let ExprKind::Cast(inner) = exprs.kind(e) {
            let (from, to) = (exprs.ty(inner), exprs.ty(e));
            let keeps = match (from.is_signed(), to.is_signed()) {
                (true, true) | (false, false) => bits(to) >= bits(from),
                (false, true) => bits(to) > bits(from),
                (true, false) => false,
            };
            if !from.is_int() || !to.is_int() || !keeps {
                return None;
            }
            e = inner;
        }
        match exprs.kind(e) {
            ExprKind::Var(var) if exprs.ty(e).is_int() => Some(var),
            _ => None,
        }
    }
}

/// The locations that every way from the head back to it passes exactly once, in their order.
fn passed_by_every_round(program: &Program, wto: &Wto, l: &Loop) -> Vec<LocId> {
    // Sweep over the order: `open` counts edges that pass over the current location.
    let place: FxHashMap<LocId, usize> = l.locs.iter().enumerate().map(|(i, loc)| (*loc, i)).collect();
    let n = l.locs.len();
    let mut passes = vec![0i64; n + 1];
    for edge in &l.edges {
        let edge = &program.edges[*edge];
        if edge.op.ends_path() {
            continue;
        }
        let (Some(from), Some(to)) = (place.get(&edge.src), place.get(&edge.dst)) else { continue };
        let to = if edge.dst == l.head { n } else { *to };
        // Edges back to an inner head stay within that loop, whose locations don't count.
        if to > from + 1 {
            passes[from + 1] += 1;
            passes[to] -= 1;
        }
    }
    let mut open = 0;
    let mut found = Vec::new();
    for (i, loc) in l.locs.iter().enumerate() {
        open += passes[i];
        if open == 0 && wto.innermost(*loc) == Some(l.head) {
            found.push(*loc);
        }
    }
    found
}

/// A comparison of integers that holds if and only if `cond` has this truth value; never `Eq`.
fn comparison(program: &Program, cond: ExprId, truth: bool) -> Option<(BinOp, ExprId, ExprId)> {
    match program.exprs.kind(cond) {
        ExprKind::Unary(UnOp::Not, inner) => comparison(program, inner, !truth),
        ExprKind::Binary(op, a, b) if op.is_comparison() && program.exprs.ty(a).is_int() => {
            let op = match (op, truth) {
                (op, true) => op,
                (BinOp::Lt, false) => BinOp::Ge,
                (BinOp::Le, false) => BinOp::Gt,
                (BinOp::Gt, false) => BinOp::Le,
                (BinOp::Ge, false) => BinOp::Lt,
                (BinOp::Eq, false) => BinOp::Ne,
                _ => BinOp::Eq,
            };
            (op != BinOp::Eq).then_some((op, a, b))
        }
        _ => None,
    }
}

fn mirrored(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Ne => BinOp::Ne,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::points_to::PointsTo;

    fn structure(program: &Program) -> LoopStructure {
        let points_to = PointsTo::new(program);
        let (regions, calls) = (Regions::new(program, &points_to), CallGraph::new(program, Some(&points_to)));
        LoopStructure::new(program, &Wto::new(program), &regions, &calls)
    }

    /// `i = 0; while (i < n) { sum = sum + k; t = i; i = i + step } r = sum`, with `extra` in the body.
    fn counting(step: i64, extra: impl FnOnce(&mut Builder, VarId) -> Vec<Op>) -> (Program, [VarId; 5]) {
        let mut b = Builder::new();
        let f = b.program.start;
        let names = ["i", "n", "sum", "k", "t"].map(|name| b.reg(Some(f), name, Scalar::INT));
        let [i, n, sum, k, t] = names;
        let r = b.reg(None, "r", Scalar::INT);
        let (entry, exit) = (b.entry(f), b.exit(f));
        let (head, body, end) = (b.loc(f), b.loc(f), b.loc(f));
        let (vi, vn, vsum, vk, zero, by) = (b.var(i), b.var(n), b.var(sum), b.var(k), b.int(0), b.int(step));
        b.edge(entry, head, Op::Assign { dst: i, src: zero });
        let cond = b.bin(BinOp::Lt, vi, vn);
        b.branch(head, cond, body, end);
        let (next, plus) = (b.bin(BinOp::Add, vi, by), b.bin(BinOp::Add, vsum, vk));
        let mut ops = vec![Op::Assign { dst: sum, src: plus }, Op::Assign { dst: t, src: vi }];
        ops.extend(extra(&mut b, i));
        ops.push(Op::Assign { dst: i, src: next });
        b.chain(body, head, ops);
        b.edge(end, exit, Op::Assign { dst: r, src: vsum });
        (b.program, names)
    }

    #[test]
    fn counting_loop() {
        let (program, [i, n, sum, k, t]) = counting(2, |_, _| Vec::new());
        let all = structure(&program);
        let l = &all.loops[base::Id::from_index(0)];
        assert_eq!((l.shape, l.depth, l.parent), (Shape::Natural, 0, None));
        assert_eq!((l.entries.len(), l.back.len(), l.exits.len(), l.locs.len()), (1, 1, 1, 4));
        assert_eq!(l.modified.registers, [i, sum, t]);
        assert_eq!(l.live_out, [sum]);
        assert_eq!(l.carried, [i, sum]);
        let steps: Vec<(VarId, Step)> = l.inductions.iter().map(|i| (i.var, i.step)).collect();
        let vk = program.exprs.ids().find(|e| program.exprs.kind(*e) == ExprKind::Var(k)).expect("k is read");
        assert_eq!(steps, [(i, Step::Constant(2)), (sum, Step::Add(vk))]);
        let [trip] = l.trips[..] else { panic!("one exit with a count") };
        assert_eq!((trip.var, trip.op, trip.step, trip.test), (i, BinOp::Lt, 2, Test::BeforeStep));
        assert_eq!(program.exprs.kind(trip.bound), ExprKind::Var(n));
        for (first, bound, rounds) in [(0, 0, Some(0)), (0, 7, Some(4)), (0, 8, Some(4)), (5, -3, Some(0))] {
            assert_eq!(trip.rounds(&program, first, bound), rounds, "{first} < {bound}");
        }
        // From 2^31 - 2 in steps of two, the variable wraps around.
        let limit = i128::from(i32::MAX);
        assert_eq!(trip.rounds(&program, limit - 1, limit), None);
        assert_eq!(trip.rounds(&program, limit - 3, limit - 2), Some(1));
    }

    #[test]
    fn not_in_every_round() {
        // A second assignment of i in the body.
        let (program, [i, ..]) = counting(1, |b, i| {
            let zero = b.int(0);
            vec![Op::Assign { dst: i, src: zero }]
        });
        let all = structure(&program);
        let l = &all.loops[base::Id::from_index(0)];
        assert!(l.inductions.iter().all(|induction| induction.var != i) && l.trips.is_empty());
    }

    #[test]
    fn counts_agree_with_execution() {
        let (program, _) = counting(3, |_, _| Vec::new());
        let all = structure(&program);
        let [trip] = all.loops[base::Id::from_index(0)].trips[..] else { panic!("one exit with a count") };
        for op in [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Ne] {
            for step in [-3i128, -2, -1, 1, 2, 3] {
                let trip = TripCount { op, step, ..trip };
                for (first, bound) in (-9..9).flat_map(|a| (-9..9).map(move |b| (a, b))) {
                    let holds = |x: i128| match op {
                        BinOp::Lt => x < bound,
                        BinOp::Le => x <= bound,
                        BinOp::Gt => x > bound,
                        BinOp::Ge => x >= bound,
                        _ => x != bound,
                    };
                    let expected = (0..100).find(|n| !holds(first + n * step)).map(|n| n as u128);
                    assert_eq!(trip.rounds(&program, first, bound), expected, "{first} {op:?} {bound} by {step}");
                }
            }
        }
    }

    #[test]
    fn nests_and_irreducible_loops() {
        use crate::testing::graph;
        let program = graph(6, [(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (2, 4), (1, 5), (4, 1)]);
        let all = structure(&program);
        let order: Vec<u32> = all.innermost_first().map(|l| all.loops[l].depth).collect();
        assert_eq!(order, [1, 0]);
        let inner = all.innermost_first().next().expect("two loops");
        assert_eq!(all.loops[inner].parent.map(|l| all.loops[l].locs.len()), Some(4));
        assert!(all.loops.iter().all(|l| l.shape == Shape::Natural));
        let program = graph(4, [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)]);
        assert!(structure(&program).loops.iter().all(|l| l.shape == Shape::Irreducible));
    }

    #[test]
    fn branches_and_memory() {
        // while (n) { if (k) *p = 1; n = n - 1 }: the store is not in every round, the step is.
        let mut b = Builder::new();
        let f = b.program.start;
        let [n, k] = ["n", "k"].map(|name| b.reg(Some(f), name, Scalar::Int { bits: 8, signed: false }));
        let x = b.mem(None, "x", 4);
        let (entry, exit) = (b.entry(f), b.exit(f));
        let (then, join, body) = (b.loc(f), b.loc(f), b.loc(f));
        let (vn, vk, zero, one, ax) = {
            let ty = Scalar::Int { bits: 8, signed: false };
            (b.var(n), b.var(k), b.constant(0, ty), b.constant(1, ty), b.addr(x))
        };
        let (more, chosen) = (b.bin(BinOp::Ne, vn, zero), b.bin(BinOp::Ne, vk, zero));
        // Narrow arithmetic happens in `int`.
        let (wide, by) = (b.cast(vn, Scalar::INT), b.int(1));
        let less = b.bin(BinOp::Sub, wide, by);
        let less = b.cast(less, Scalar::Int { bits: 8, signed: false });
        b.branch(entry, more, body, exit);
        b.branch(body, chosen, then, join);
        b.edge(then, join, Op::Store { addr: ax, value: one });
        b.edge(join, entry, Op::Assign { dst: n, src: less });
        let all = structure(&b.program);
        let l = &all.loops[base::Id::from_index(0)];
        assert_eq!(l.inductions.iter().map(|i| (i.var, i.step)).collect::<Vec<_>>(), [(n, Step::Constant(-1))]);
        assert_eq!((l.modified.registers.len(), l.modified.regions.len()), (1, 1));
        let [trip] = l.trips[..] else { panic!("one exit with a count") };
        assert_eq!((trip.rounds(&b.program, 200, 0), trip.rounds(&b.program, 0, 0)), (Some(200), Some(0)));
    }
}
