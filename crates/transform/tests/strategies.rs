//! Strategies against concrete runs: each run of a loop is simulated by each strategy that applies to it, and the exact one does nothing else.
//!
//! Random programs with loops (nested, with breaks, memory, and violations) run as they are; the states at each loop's head are recorded. Then a
//! program that must take a strategy runs with recorded head states as havocked values. Some choice of them has to lead to the same end.

use base::Budget;
use cfa::build::Builder;
use cfa::callgraph::CallGraph;
use cfa::loop_structure::LoopStructure;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{BinOp, EdgeId, ExprId, FuncId, LocId, Observer, Op, Pattern, Program, Scalar, Value, VarId};
use fastrand::Rng;
use interp::{Config, Effect, Env, Inputs, Interpreter, Observe, Outcome, Request, Source as Wanted, Step, run};
use std::collections::{BTreeMap, BTreeSet};
use transform::strategies::{self, Augmented, Limits, Source, Strategy};

const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };
const MEMORY: usize = 8;

/// A random program over global registers and one global memory object.
struct Generator {
    b: Builder,
    rng: Rng,
    vars: Vec<VarId>,
    memory: VarId,
    error: FuncId,
    callee: FuncId,
    breaks: Vec<LocId>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut b = Builder::new();
        let vars = ["a", "b", "c", "d"].map(|name| b.reg(None, name, BYTE)).to_vec();
        let memory = b.mem(None, "m", MEMORY as u64);
        let error = b.extern_func("error");
        let callee = b.func("callee", &[BYTE]);
        let mut this = Self { b, rng: Rng::with_seed(seed), vars, memory, error, callee, breaks: Vec::new() };
        this.build_callee();
        this
    }

    /// `if (parameter == 77) error(); a += 3`
    fn build_callee(&mut self) {
        let f = self.callee;
        let (entry, exit) = (self.b.entry(f), self.b.exit(f));
        let (bad, on) = (self.b.loc(f), self.b.loc(f));
        let param = self.b.program.functions[f].params[0];
        let (value, limit, a, three) =
            (self.b.var(param), self.b.constant(77, BYTE), self.b.var(self.vars[0]), self.b.constant(3, BYTE));
        let cond = self.b.bin(BinOp::Eq, value, limit);
        self.b.branch(entry, cond, bad, on);
        let call = self.b.call(self.error, &[]);
        self.b.edge(bad, on, call);
        let sum = self.b.bin(BinOp::Add, a, three);
        self.b.edge(on, exit, Op::Assign { dst: self.vars[0], src: sum });
    }

    fn var(&mut self) -> VarId {
        self.vars[self.rng.usize(..self.vars.len())]
    }

    fn small(&mut self) -> ExprId {
        let n = self.rng.u64(..9) as i64 - 2;
        self.b.constant(n, BYTE)
    }

    fn operand(&mut self) -> ExprId {
        if self.rng.u64(..2) == 0 {
            let var = self.var();
            self.b.var(var)
        } else {
            self.small()
        }
    }

    fn condition(&mut self) -> ExprId {
        let ops = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Ne, BinOp::Eq];
        let op = ops[self.rng.usize(..6)];
        let var = self.var();
        let (x, n) = (self.b.var(var), self.rng.u64(..40) as i64);
        let y = if self.rng.u64(..3) == 0 { self.operand() } else { self.b.constant(n, BYTE) };
        self.b.bin(op, x, y)
    }

    fn cell(&mut self) -> ExprId {
        let base = self.b.addr(self.memory);
        let var = self.var();
        let (index, mask) = (self.b.var(var), self.b.constant(MEMORY as i64 - 1, BYTE));
        let index = self.b.bin(BinOp::BitAnd, index, mask);
        self.b.index(base, index, 1)
    }

    fn block(&mut self, mut at: LocId, depth: u32) -> LocId {
        for _ in 0..1 + self.rng.u64(..3) {
            at = self.statement(at, depth);
        }
        at
    }

    fn statement(&mut self, at: LocId, depth: u32) -> LocId {
        let f = self.b.program.locs[at].func;
        let next = self.b.loc(f);
        let kind = self.rng.u64(..16);
        match kind {
            0..=4 => {
                let dst = self.var();
                let (x, y) = (self.b.var(dst), self.operand());
                let src = self.b.bin(if kind < 4 { BinOp::Add } else { BinOp::Sub }, x, y);
                self.b.edge(at, next, Op::Assign { dst, src });
            }
            5 => {
                let (dst, src) = (self.var(), self.operand());
                self.b.edge(at, next, Op::Assign { dst, src });
            }
            6 | 7 => {
                let (addr, value) = (self.cell(), self.operand());
                self.b.edge(at, next, Op::Store { addr, value });
            }
            8 => {
                let (addr, dst) = (self.cell(), self.var());
                let src = self.b.load(addr, BYTE);
                self.b.edge(at, next, Op::Assign { dst, src });
            }
            9 | 10 => {
                let (yes, no, cond) = (self.b.loc(f), self.b.loc(f), self.condition());
                self.b.branch(at, cond, yes, no);
                let (yes, no) = (self.block(yes, depth), self.block(no, depth));
                self.b.edge(yes, next, Op::Skip);
                self.b.edge(no, next, Op::Skip);
            }
            11 if !self.breaks.is_empty() => {
                let (out, cond) = (self.breaks[self.breaks.len() - 1], self.condition());
                self.b.branch(at, cond, out, next);
            }
            12 => {
                let (bad, cond) = (self.b.loc(f), self.condition());
                let other = self.condition();
                let both = self.b.bin(BinOp::And, cond, other);
                self.b.branch(at, both, bad, next);
                let call = self.b.call(self.error, &[]);
                self.b.edge(bad, next, call);
            }
            13 => {
                let arg = self.operand();
                let call = self.b.call(self.callee, &[arg]);
                self.b.edge(at, next, call);
            }
            _ if depth > 0 => return self.repeat(at, depth - 1),
            _ => {
                self.b.edge(at, next, Op::Skip);
            }
        }
        next
    }

    /// A loop, with its condition before or after the body.
    fn repeat(&mut self, at: LocId, depth: u32) -> LocId {
        let f = self.b.program.locs[at].func;
        let (head, body, end) = (self.b.loc(f), self.b.loc(f), self.b.loc(f));
        self.b.edge(at, head, Op::Skip);
        self.breaks.push(end);
        match self.rng.u64(..4) {
            0 => {
                let last = self.block(head, depth);
                let cond = self.condition();
                let (again, out) = (self.b.loc(f), self.b.loc(f));
                self.b.branch(last, cond, again, out);
                self.b.edge(again, head, Op::Skip);
                self.b.edge(out, end, Op::Skip);
            }
            1 => {
                // Counting, so that there is a closed form now and then.
                let (counter, other) = (self.var(), self.var());
                let (x, y) = (self.b.var(counter), self.b.var(other));
                let (limit, step) = (self.rng.u64(..60) as i64, 1 + self.rng.u64(..3) as i64);
                let (up, op) =
                    [(true, BinOp::Lt), (true, BinOp::Le), (false, BinOp::Gt), (true, BinOp::Ne)][self.rng.usize(..4)];
                let (limit, step) = (self.b.constant(limit, BYTE), self.b.constant(step, BYTE));
                let cond = self.b.bin(op, x, limit);
                self.b.branch(head, cond, body, end);
                let next = self.b.bin(if up { BinOp::Add } else { BinOp::Sub }, x, step);
                let amount = self.small();
                let sum = self.b.bin(BinOp::Add, y, amount);
                let mut ops = vec![Op::Assign { dst: counter, src: next }];
                if counter != other {
                    ops.push(Op::Assign { dst: other, src: sum });
                }
                self.b.chain(body, head, ops);
            }
            _ => {
                let cond = self.condition();
                self.b.branch(head, cond, body, end);
                let last = self.block(body, depth);
                self.b.edge(last, head, Op::Skip);
            }
        }
        self.breaks.pop();
        end
    }

    fn program(mut self) -> (Program, Vec<VarId>) {
        let start = self.b.program.start;
        let main = self.b.func("main", &[]);
        let (entry, exit) = (self.b.entry(main), self.b.exit(main));
        let mut at = entry;
        for var in self.vars.clone() {
            let (next, n) = (self.b.loc(main), self.rng.u64(..12) as i64);
            let src = self.b.constant(n, BYTE);
            self.b.edge(at, next, Op::Assign { dst: var, src });
            at = next;
        }
        at = self.repeat(at, 1);
        at = self.block(at, 1);
        self.b.edge(at, exit, Op::Skip);
        let (entry, exit, call) = (self.b.entry(start), self.b.exit(start), self.b.call(main, &[]));
        self.b.edge(entry, exit, call);
        (self.b.program, self.vars)
    }
}

/// Values of the registers, and the memory.
type State = (Vec<Value>, [u8; MEMORY]);

/// Follows a run.
struct Recorder {
    vars: Vec<VarId>,
    memory: [u8; MEMORY],
    last: State,
    /// Heads with the edges that enter and repeat their loops.
    heads: BTreeMap<LocId, Vec<EdgeId>>,
    /// For each time that a loop was entered: its head, and the states there.
    visits: Vec<(LocId, Vec<State>)>,
    edges: Vec<EdgeId>,
}

impl Observe for Recorder {
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        if let Effect::Write { object: Some((_, offset)), bytes, .. } = step.effect {
            let offset = offset as usize;
            self.memory[offset..offset + bytes.len()].copy_from_slice(bytes);
        }
        let values = self.vars.iter().map(|v| state.register(*v).unwrap_or_default()).collect();
        self.last = (values, self.memory);
        if let Effect::Call { .. } = step.effect {
            return;
        }
        let program = state.program();
        let dst = program.edges[step.edge].dst;
        if program.edges[step.edge].op.ends_path() {
            return;
        }
        self.edges.push(step.edge);
        if let Some(entries) = self.heads.get(&dst) {
            if entries.contains(&step.edge) {
                self.visits.push((dst, Vec::new()));
            }
            if let Some((_, list)) = self.visits.iter_mut().rev().find(|(head, _)| *head == dst) {
                list.push(self.last.clone());
            }
        }
    }
}

/// Gives recorded states to what is havocked.
struct Witness<'a> {
    vars: &'a [VarId],
    /// The state that is being given.
    now: Option<State>,
    /// Registers given of it.
    given: Vec<VarId>,
    visits: &'a [(LocId, Vec<State>)],
    heads: &'a BTreeMap<EdgeId, LocId>,
    /// How often each loop was entered; which visit counts from the end, for each time.
    choices: u32,
    havocs: usize,
    next_entry: BTreeMap<LocId, usize>,
}

impl Witness<'_> {
    fn choose(&mut self, edge: EdgeId) {
        let Some(head) = self.heads.get(&edge) else { return };
        let entry = self.next_entry.entry(*head).or_default();
        let of_head = self.visits.iter().filter(|(h, _)| h == head);
        // A loop whose first test fails is not havocked: entries with one visit may be passed over.
        let candidates: Vec<&Vec<State>> = of_head.map(|(_, states)| states).collect();
        let skip = (self.choices >> (2 * self.havocs.min(8)) & 3) as usize;
        while candidates.get(*entry).is_some_and(|states| states.len() == 1) && skip >= 2 {
            *entry += 1;
        }
        let Some(states) = candidates.get(*entry) else { return };
        *entry += 1;
        self.havocs += 1;
        let back = (skip & 1) + 1;
        self.now = states.len().checked_sub(back).map(|i| states[i].clone()).or_else(|| states.first().cloned());
        self.given.clear();
    }
}

impl Inputs for Witness<'_> {
    fn value(&mut self, request: &Request<'_>, _: Scalar) -> Option<Value> {
        let Wanted::Havoc(var, _) = request.source else { return None };
        self.choose(request.edge);
        let at = self.vars.iter().position(|v| *v == var)?;
        self.now.as_ref().map(|(values, _)| values[at])
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        if let Wanted::MemHavoc(..) = request.source {
            self.choose(request.edge);
            if let Some((_, memory)) = &self.now {
                bytes.copy_from_slice(memory);
            }
        }
    }
}

fn execute(program: &Program, observer: &Observer, inputs: &mut dyn Inputs, recorder: &mut Recorder) -> Outcome {
    let (mut output, mut errors) = (std::io::sink(), std::io::sink());
    let budget = Budget::unlimited();
    let mut env = Env { inputs, output: &mut output, errors: &mut errors, budget: &budget, observe: recorder };
    let config = Config { step_limit: Some(3_000), ..Config::default() };
    run(program, Some(observer), &config, &mut env).outcome
}

/// Takes one strategy wherever it can be chosen, at the loops with these heads, and the base strategy elsewhere.
fn forced(augmented: &Augmented, strategy: Strategy, head: Option<LocId>) -> Option<Program> {
    let mut program = augmented.program.clone();
    let mut taken = false;
    for choice in augmented.map.choices.iter() {
        let wanted = head.is_none_or(|h| h == choice.head);
        let edge = choice.edge(strategy).filter(|_| wanted);
        taken |= edge.is_some();
        program.locs[choice.at].out = vec![edge.unwrap_or(choice.base)];
    }
    taken.then_some(program)
}

/// The head of the loop to which each havoc at the begin of a chain belongs, in a program that must take strategies.
fn chains(augmented: &Augmented, program: &Program) -> BTreeMap<EdgeId, LocId> {
    let mut reachable: BTreeSet<LocId> = BTreeSet::new();
    let mut work: Vec<LocId> = program.functions.iter().filter_map(|f| f.body.map(|body| body.entry)).collect();
    while let Some(loc) = work.pop() {
        if reachable.insert(loc) {
            work.extend(program.locs[loc].out.iter().map(|e| program.edges[*e].dst));
        }
    }
    let mut found = BTreeMap::new();
    let is_havoc = |e: &EdgeId| matches!(program.edges[*e].op, Op::Havoc { .. } | Op::MemHavoc { .. });
    let begins = |e: &EdgeId| is_havoc(e) && !program.locs[program.edges[*e].src].inc.iter().any(is_havoc);
    let firsts = reachable.iter().flat_map(|loc| &program.locs[*loc].out).copied().filter(begins);
    for first in firsts {
        // Of the strategies that can be entered at all, the next one backwards is its own.
        let mut work = std::collections::VecDeque::from([program.edges[first].src]);
        let mut seen = BTreeSet::new();
        while let Some(loc) = work.pop_front() {
            if !reachable.contains(&loc) || !seen.insert(loc) {
                continue;
            }
            let enters = |c: &&strategies::Choice| {
                program.locs[c.at].out.iter().any(|e| *e != c.base && program.edges[*e].dst == loc)
            };
            if let Some(choice) = augmented.map.choices.iter().find(enters) {
                found.insert(first, choice.head);
                break;
            }
            work.extend(program.locs[loc].inc.iter().map(|e| program.edges[*e].src));
        }
    }
    found
}

#[test]
fn runs_are_simulated() {
    let (mut simulated, mut exact, mut violations) = (BTreeMap::new(), 0, 0);
    for seed in 0..1500 {
        let (program, vars) = Generator::new(seed).program();
        let observer = Observer::never("error", [Pattern::Call("error".into())]);
        let (points_to, wto) = (PointsTo::new(&program), Wto::new(&program));
        let regions = Regions::new(&program, &points_to);
        let calls = CallGraph::new(&program, Some(&points_to));
        let structure = LoopStructure::new(&program, &wto, &regions, &calls);
        let heads: BTreeMap<LocId, Vec<EdgeId>> = structure.loops.iter().map(|l| (l.head, l.entries.clone())).collect();
        let recorder = |heads: &BTreeMap<LocId, Vec<EdgeId>>| Recorder {
            vars: vars.clone(),
            memory: [0; MEMORY],
            last: (Vec::new(), [0; MEMORY]),
            heads: heads.clone(),
            visits: Vec::new(),
            edges: Vec::new(),
        };
        let mut original = recorder(&heads);
        let end = execute(&program, &observer, &mut interp::ListInputs::default(), &mut original);
        if !matches!(end, Outcome::Exited { .. } | Outcome::Violation { .. }) {
            continue;
        }
        let source =
            Source { program: &program, wto: &wto, points_to: &points_to, regions: &regions, observer: &observer };
        let Some(augmented) = strategies::augment(source, &strategies::all(), Limits::default()) else { continue };
        let is_same = |outcome: &Outcome, state: &State| match (&end, outcome) {
            (Outcome::Violation { .. }, Outcome::Violation { .. }) => true,
            (Outcome::Exited { .. }, Outcome::Exited { .. }) => *state == original.last,
            _ => false,
        };
        for l in structure.loops.iter() {
            for strategy in Strategy::ABSTRACT_FIRST {
                let Some(variant) = forced(&augmented, strategy, Some(l.head)) else { continue };
                let firsts = chains(&augmented, &variant);
                let entries = original.visits.iter().filter(|(head, _)| *head == l.head).count();
                if entries > 5 {
                    continue;
                }
                let found = (0..1u32 << (2 * entries)).any(|choices| {
                    let mut witness = Witness {
                        vars: &vars,
                        now: None,
                        given: Vec::new(),
                        visits: &original.visits,
                        heads: &firsts,
                        choices,
                        havocs: 0,
                        next_entry: BTreeMap::new(),
                    };
                    let mut other = recorder(&BTreeMap::new());
                    let outcome = execute(&variant, &observer, &mut witness, &mut other);
                    if strategy == Strategy::Constant {
                        assert!(is_same(&outcome, &other.last), "seed {seed}: constant at {:?}: {outcome:?}", l.head);
                        exact += 1;
                    }
                    is_same(&outcome, &other.last)
                });
                assert!(found, "seed {seed}: {strategy:?} at {:?} does not simulate {end:?}", l.head);
                *simulated.entry(strategy).or_insert(0) += 1;
                violations += u32::from(matches!(end, Outcome::Violation { .. }));
            }
        }
    }
    assert!(simulated.values().all(|n| *n >= 100) && simulated.len() == 4, "{simulated:?}");
    assert!(exact >= 100 && violations >= 100, "{exact} {violations}");
}
