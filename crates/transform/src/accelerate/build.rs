//! Adds accelerators to the automata: paths from the head of a loop back to it.
//!
//! At the head, the environment chooses the number of iterations of each accelerator in turn; 0 means that it is not used. Behind the last
//! one, the loop goes on as before. Conditions exclude each other, so that analyses may join what meets.

use crate::accelerate::Mode;
use crate::accelerate::check::Facts;
use crate::accelerate::closed::Accelerator;
use crate::accelerate::exprs::{Map, binary, constant, mentions, substitute};
use crate::accelerate::instrument::move_source;
use crate::accelerate::origins::{Origin, Origins};
use crate::accelerate::paths::{LoopPath, fresh_register};
use base::Span;
use cfa::{BinOp, EdgeId, ExprKind, HavocSource, LocId, Op, Program, VarId};

/// An accelerator in the program.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The accelerator.
    pub accelerator: Accelerator,
    /// What holds for it.
    pub facts: Facts,
    /// The edge that enters it.
    pub enter: EdgeId,
    /// The edge that passes by.
    pub pass: EdgeId,
    /// The edges that tell whether an iteration is in the range of the accelerator: yes and no.
    pub split: Option<(EdgeId, EdgeId)>,
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

struct Builder<'a> {
    program: &'a mut Program,
    origins: &'a mut Origins,
    span: Span,
    /// Edges of no meaning for traces.
    neutral: Vec<EdgeId>,
}

impl Builder<'_> {
    fn edge(&mut self, src: LocId, dst: LocId, op: Op, origin: Origin) -> EdgeId {
        let edge = self.program.add_edge(src, dst, op, self.span);
        self.origins.set(edge, origin);
        edge
    }

    /// An edge to a new location.
    fn then(&mut self, at: &mut LocId, op: Op, origin: Origin) {
        let func = self.program.locs[*at].func;
        let next = self.program.add_loc(func);
        let edge = self.edge(*at, next, op, origin);
        self.neutral.push(edge);
        *at = next;
    }

    fn havoc(&mut self, at: &mut LocId, dst: VarId, origin: Origin) {
        self.then(at, Op::Havoc { dst, source: HavocSource::Environment }, origin);
    }
}

/// Adds the accelerators of one loop.
pub fn place(
    program: &mut Program,
    head: LocId,
    accelerators: Vec<(Accelerator, Facts)>,
    mode: Mode,
    origins: &mut Origins,
) -> Site {
    let span = program.locs[head].out.first().map_or(Span::NONE, |edge| program.edges[*edge].span);
    let func = program.locs[head].func;
    let body = program.add_loc(func);
    for edge in program.locs[head].out.clone() {
        move_source(program, edge, body);
    }
    let mut b = Builder { program, origins, span, neutral: Vec::new() };
    let mut placed = Vec::new();
    let mut at = head;
    for (accelerator, facts) in accelerators {
        b.havoc(&mut at, accelerator.count, Origin::Count);
        b.origins.counters.push(accelerator.count);
        let ty = b.program.vars[accelerator.count].register().unwrap_or(cfa::Scalar::INT);
        let pointer = b.program.pointer_bits();
        let pool = &mut b.program.exprs;
        let count = pool.add(ExprKind::Var(accelerator.count), ty);
        let zero = constant(pool, 0, ty, pointer);
        let cond = binary(pool, BinOp::Ne, count, zero);
        let (inside, past) = (b.program.add_loc(func), b.program.add_loc(func));
        let enter = b.edge(at, inside, Op::Assume { cond, truth: true }, Origin::Made);
        let pass = b.edge(at, past, Op::Assume { cond, truth: false }, Origin::Made);
        accelerate(&mut b, inside, head, &accelerator);
        at = past;
        placed.push(Placed { accelerator, facts, enter, pass, split: None });
    }
    for one in placed.iter_mut().filter(|p| mode == Mode::Restrict && p.facts.is_idempotent) {
        if one.facts.covers || !one.facts.covers_in_range {
            continue;
        }
        let ty = b.program.vars[one.accelerator.count].register().unwrap_or(cfa::Scalar::INT);
        let pointer = b.program.pointer_bits();
        let pool = &mut b.program.exprs;
        let single = constant(pool, 1, ty, pointer);
        let cond = substitute(pool, one.accelerator.range, &Map::from_iter([(one.accelerator.count, single)]));
        let next = b.program.add_loc(func);
        let yes = b.edge(at, next, Op::Assume { cond, truth: true }, Origin::Made);
        let no = b.edge(at, next, Op::Assume { cond, truth: false }, Origin::Made);
        one.split = Some((yes, no));
        at = next;
    }
    let last = b.edge(at, body, Op::Skip, Origin::Made);
    b.neutral.push(last);
    Site { body, placed, neutral: b.neutral, absorbed: Vec::new(), commute: false }
}

/// The edges of one accelerator.
fn accelerate(b: &mut Builder<'_>, mut at: LocId, head: LocId, acc: &Accelerator) {
    for (input, early) in acc.path.inputs.iter().zip(&acc.early) {
        if !acc.each.contains(input) {
            let edge = b.origins.original(input.edge);
            b.havoc(&mut at, *early, Origin::Early(edge));
            b.havoc(&mut at, input.var, Origin::Last(edge));
        }
    }
    b.then(&mut at, Op::Assume { cond: acc.bound, truth: true }, Origin::Made);
    if let Some(repeat) = &acc.repeat {
        let mut repeat = repeat.clone();
        repeat.inputs.iter_mut().for_each(|(edge, _)| *edge = b.origins.original(*edge));
        b.then(&mut at, Op::Repeat(Box::new(repeat)), Origin::Made);
    }
    // All new values are computed from the old ones.
    let mut moved = Vec::new();
    for (var, value) in &acc.updates {
        let used = acc.updates.iter().any(|(other, e)| other != var && mentions(&b.program.exprs, *e, |v| v == *var));
        if !used {
            continue;
        }
        let ty = b.program.exprs.ty(*value);
        let name = format!("{}$next", b.program.vars[*var].name);
        let next = fresh_register(b.program, head, &name, ty);
        b.then(&mut at, Op::Assign { dst: next, src: *value }, Origin::Made);
        moved.push((*var, b.program.exprs.add(ExprKind::Var(next), ty)));
    }
    for (var, value) in &acc.updates {
        if moved.iter().all(|(other, _)| other != var) {
            b.then(&mut at, Op::Assign { dst: *var, src: *value }, Origin::Made);
        }
    }
    for (var, value) in moved {
        b.then(&mut at, Op::Assign { dst: var, src: value }, Origin::Made);
    }
    let back = b.edge(at, head, Op::Skip, Origin::Made);
    b.neutral.push(back);
}
