//! Step 5: accelerators in the automata, as paths from the head of a loop back to it [kroening15, Def. 4].
//!
//! At the head, the environment chooses the number of iterations of each accelerator in turn; 0 means that it is not used. Behind the last
//! one, the loop goes on as before. Conditions exclude each other, so that analyses may join what meets.

use crate::accelerate::accelerator::Accelerator;
use crate::accelerate::check::Facts;
use crate::accelerate::confirm::{AcceleratedLoop, Confirmed};
use crate::accelerate::origins::{Origin, Origins};
use crate::accelerate::path::LoopPath;
use crate::accelerate::report::Mode;
use crate::edges::move_source;
use crate::exprs::{Exprs, Map, mentions};
use base::Span;
use cfa::{BinOp, EdgeId, ExprId, ExprKind, HavocSource, LocId, Op, Program, VarId};

/// An accelerator in the program.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The accelerated path.
    pub path: LoopPath,
    /// What holds for it.
    pub facts: Facts,
    /// The edge that enters it.
    pub enter: EdgeId,
    /// The edge that passes by.
    pub pass: EdgeId,
    /// The edges that tell whether an iteration is in the range of the accelerator.
    pub split: Option<Branch>,
}

/// Two edges with conditions of which one holds.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The condition holds.
    pub yes: EdgeId,
    /// It does not.
    pub no: EdgeId,
}

/// A loop with accelerators.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where the loop as it was begins, behind the accelerators.
    pub body: LocId,
    /// The accelerators, in order.
    pub placed: Vec<Placed>,
    /// Edges between the head and the loop as it was that tell nothing: they don't end a trace.
    pub neutral: Vec<EdgeId>,
    /// Paths that the accelerators make superfluous, beside their own.
    pub absorbed: Vec<LoopPath>,
    /// Whether accelerations between others may change places.
    pub commute: bool,
}

/// Adds the accelerators of one loop.
pub fn place(program: &mut Program, found: AcceleratedLoop, mode: Mode, origins: &mut Origins) -> Site {
    let AcceleratedLoop { head, accelerators, absorbed, commute } = found;
    let span = program.locs[head].out.first().map_or(Span::NONE, |edge| program.edges[*edge].span);
    let body = program.add_loc(program.locs[head].func);
    for edge in program.locs[head].out.clone() {
        move_source(program, edge, body);
    }
    let mut b = Builder { program, origins, span, neutral: Vec::new() };
    let mut at = head;
    let mut placed = Vec::new();
    for Confirmed { accelerator, facts } in &accelerators {
        let count = accelerator.closed.count;
        b.havoc(&mut at, count, Origin::Count);
        b.origins.counters.push(count);
        let e = Exprs::of(b.program);
        let cond = e.binary(BinOp::Ne, accelerator.closed.n, accelerator.closed.number(&e, 0));
        let (inside, past) = (b.loc(head), b.loc(head));
        let enter = b.edge(at, inside, Op::Assume { cond, truth: true }, Origin::Made);
        let pass = b.edge(at, past, Op::Assume { cond, truth: false }, Origin::Made);
        b.accelerate(inside, accelerator);
        at = past;
        placed.push(Placed { path: accelerator.closed.path.clone(), facts: *facts, enter, pass, split: None });
    }
    for (one, Confirmed { accelerator, facts }) in placed.iter_mut().zip(&accelerators) {
        if mode == Mode::Accelerate || facts.covers || !facts.covers_in_range || !facts.is_idempotent {
            continue;
        }
        let e = Exprs::of(b.program);
        let single = Map::from_iter([(accelerator.closed.count, accelerator.closed.number(&e, 1))]);
        let cond = e.substitute(accelerator.range, &single);
        let next = b.loc(head);
        let yes = b.edge(at, next, Op::Assume { cond, truth: true }, Origin::Made);
        let no = b.edge(at, next, Op::Assume { cond, truth: false }, Origin::Made);
        one.split = Some(Branch { yes, no });
        at = next;
    }
    let last = b.edge(at, body, Op::Skip, Origin::Made);
    b.neutral.push(last);
    Site { body, placed, neutral: b.neutral, absorbed, commute }
}

struct Builder<'a> {
    program: &'a mut Program,
    origins: &'a mut Origins,
    span: Span,
    /// Edges of no meaning for traces.
    neutral: Vec<EdgeId>,
}

impl Builder<'_> {
    /// A new location of the function that another one belongs to.
    fn loc(&mut self, other: LocId) -> LocId {
        self.program.add_loc(self.program.locs[other].func)
    }

    fn edge(&mut self, src: LocId, dst: LocId, op: Op, origin: Origin) -> EdgeId {
        let edge = self.program.add_edge(src, dst, op, self.span);
        self.origins.set(edge, origin);
        edge
    }

    /// An edge to a new location.
    fn then(&mut self, at: &mut LocId, op: Op, origin: Origin) {
        let next = self.loc(*at);
        let edge = self.edge(*at, next, op, origin);
        self.neutral.push(edge);
        *at = next;
    }

    fn havoc(&mut self, at: &mut LocId, dst: VarId, origin: Origin) {
        self.then(at, Op::Havoc { dst, source: HavocSource::Environment }, origin);
    }

    /// The edges of one accelerator.
    fn accelerate(&mut self, mut at: LocId, acc: &Accelerator) {
        let path = &acc.closed.path;
        for (input, early) in path.inputs.iter().zip(&acc.closed.early) {
            if !acc.each.contains(input) {
                let edge = self.origins.original(input.edge);
                self.havoc(&mut at, *early, Origin::Early(edge));
                self.havoc(&mut at, input.var, Origin::Last(edge));
            }
        }
        self.then(&mut at, Op::Assume { cond: acc.bound, truth: true }, Origin::Made);
        if let Some(repeat) = &acc.repeat {
            let mut repeat = repeat.clone();
            repeat.inputs.iter_mut().for_each(|(edge, _)| *edge = self.origins.original(*edge));
            self.then(&mut at, Op::Repeat(Box::new(repeat)), Origin::Made);
        }
        // All new values are computed from the old ones: where one is read later, the new one is kept until the end.
        let (mut now, mut late) = (Vec::new(), Vec::new());
        for (var, value) in &acc.updates {
            let pool = &self.program.exprs;
            let reads = |(other, e): (&VarId, &ExprId)| other != var && mentions(pool, *e, |v| v == *var);
            if !acc.updates.iter().any(reads) {
                now.push(Op::Assign { dst: *var, src: *value });
                continue;
            }
            let name = format!("{}$next", self.program.vars[*var].name);
            let (func, ty) = (self.program.locs[path.head].func, pool.ty(*value));
            let next = self.program.add_register(func, &name, ty);
            self.then(&mut at, Op::Assign { dst: next, src: *value }, Origin::Made);
            let src = self.program.exprs.add(ExprKind::Var(next), ty);
            late.push(Op::Assign { dst: *var, src });
        }
        for op in now.into_iter().chain(late) {
            self.then(&mut at, op, Origin::Made);
        }
        let back = self.edge(at, path.head, Op::Skip, Origin::Made);
        self.neutral.push(back);
    }
}
