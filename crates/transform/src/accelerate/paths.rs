//! Looping paths: each simple path from the head of a loop back to it, executed symbolically.
//!
//! A path may pass inner loops that have accelerators: see [`super::nests`].
//!
//! The effect of a path is told over the values of registers at the head: conditions, new values, reads and writes of memory. Values that the
//! environment chooses on the path are named by fresh registers ([`Input`]). A path with an operation that has no such
//! description is left out.

use crate::accelerate::exprs::{Map, loads, mentions, substitute};
use crate::accelerate::nests::{Inner, Pass};
use cfa::dominators::Dominators;
use cfa::loops::Wto;
use cfa::{EdgeId, ExprId, ExprKind, LocId, Observer, Op, Program, Scalar, VarId};
use std::collections::BTreeMap;

/// Most paths of one loop.
const MAX_PATHS: usize = 16;
/// Longest path.
const MAX_LENGTH: usize = 400;
/// Most partial paths that a search looks at.
const MAX_SEARCH: usize = 20_000;

/// A value that the environment chooses on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where.
    pub edge: EdgeId,
    /// The register that replaces it.
    pub var: VarId,
}

/// A write to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// Address.
    pub addr: ExprId,
    /// Value.
    pub value: ExprId,
}

/// An edge of a path before it is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The edge.
    pub edge: EdgeId,
    /// The accelerator of the inner loop at its source that is taken before, by its place among those of the loop.
    pub accelerator: Option<usize>,
}

/// What a path decides at an edge, over the head's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Place of the edge on the path.
    pub at: usize,
    /// The condition.
    pub cond: ExprId,
    /// Its truth value.
    pub truth: bool,
}

/// A looping path and its effect.
#[derive(Clone, Debug)]
pub struct LoopPath {
    /// Where it begins and ends.
    pub head: LocId,
    /// Its edges.
    pub edges: Vec<EdgeId>,
    /// What must hold, with its truth value.
    pub guards: Vec<(ExprId, bool)>,
    /// New values of the registers that the path changes.
    pub updates: BTreeMap<VarId, ExprId>,
    /// What the environment chooses.
    pub inputs: Vec<Input>,
    /// Writes to memory, in order.
    pub writes: Vec<Write>,
    /// What is decided at each condition on the path.
    pub decisions: Vec<Decision>,
    /// Inner loops that it passes, in order.
    pub passes: Vec<Pass>,
    /// What the description assumes beyond the path's own conditions: the path itself goes on elsewhere, too.
    pub assumed: Option<ExprId>,
}

/// All looping paths of one head that have a description, in the order of their edges. Inner loops are passed as far as `inner` tells how.
pub fn looping_paths(
    program: &mut Program,
    wto: &Wto,
    observer: &Observer,
    head: LocId,
    inner: &Inner<'_>,
) -> Vec<LoopPath> {
    let mut found: Vec<Vec<PathStep>> = Vec::new();
    let mut searched = 0;
    let mut stack: Vec<(LocId, usize)> = vec![(head, 0)];
    let mut path: Vec<PathStep> = Vec::new();
    while let Some((loc, next)) = stack.last_mut() {
        let Some(step) = inner.step(program, head, *loc, *next) else {
            stack.pop();
            path.pop();
            continue;
        };
        let edge = step.edge;
        *next += 1;
        searched += 1;
        if found.len() >= MAX_PATHS || searched > MAX_SEARCH {
            return Vec::new();
        }
        let dst = program.edges[edge].dst;
        let inside = wto.is_reachable(dst) && wto.contains(head, dst) && !program.edges[edge].op.ends_path();
        let observed = (0..=observer.error).any(|state| observer.step(program, state, edge) != state);
        if !inside || observed || path.len() >= MAX_LENGTH {
            continue;
        }
        if dst == head {
            found.push(path.iter().copied().chain([step]).collect());
        } else if (!wto.is_head(dst) || inner.has(dst)) && stack.iter().all(|(loc, _)| *loc != dst) {
            path.push(step);
            stack.push((dst, 0));
        }
    }
    let constants = constants_at(program, wto, head);
    found.into_iter().filter_map(|steps| describe(program, head, &steps, &constants, inner)).collect()
}

/// Registers of the function that are assigned once, a constant, on each way to the head.
fn constants_at(program: &Program, wto: &Wto, head: LocId) -> Map {
    let func = program.locs[head].func;
    let mut assigned: BTreeMap<VarId, Vec<EdgeId>> = BTreeMap::new();
    for edge in wto.order(func).iter().flat_map(|loc| &program.locs[*loc].out) {
        if let Some(var) = program.edges[*edge].op.assigned().filter(|var| program.vars[*var].func == Some(func)) {
            assigned.entry(var).or_default().push(*edge);
        }
    }
    let params = &program.functions[func].params;
    let Some(dominators) = Dominators::new(program, wto, func) else { return Map::default() };
    let constant = |(var, edges): (VarId, Vec<EdgeId>)| {
        let [edge] = edges[..] else { return None };
        let edge = &program.edges[edge];
        let Op::Assign { src, .. } = edge.op else { return None };
        let forced = program.locs[edge.src].out.len() == 1;
        let before = forced && edge.src != head && dominators.dominates(wto, edge.src, head);
        (before && !params.contains(&var) && program.exprs.as_const(src).is_some()).then_some((var, src))
    };
    assigned.into_iter().filter_map(constant).collect()
}

/// A new register of the function that the location belongs to.
pub fn fresh_register(program: &mut Program, at: LocId, name: &str, ty: Scalar) -> VarId {
    program.add_register(program.locs[at].func, name, ty)
}

/// Executes a path; `None` if it has an operation that can't be told.
fn describe(
    program: &mut Program,
    head: LocId,
    steps: &[PathStep],
    constants: &Map,
    inner: &Inner<'_>,
) -> Option<LoopPath> {
    let mut now = constants.clone();
    let mut path = LoopPath {
        head,
        edges: steps.iter().map(|step| step.edge).collect(),
        guards: Vec::new(),
        updates: BTreeMap::new(),
        inputs: Vec::new(),
        writes: Vec::new(),
        decisions: Vec::new(),
        passes: Vec::new(),
        assumed: None,
    };
    for (at, PathStep { edge, accelerator }) in steps.iter().enumerate() {
        if let Some(accelerator) = accelerator {
            inner.pass(program, &mut path, &mut now, (&steps[at..], at, *accelerator))?;
        }
        match program.edges[*edge].op.clone() {
            Op::Skip => {}
            Op::Assign { dst, src } => {
                path.check_load(program, src)?;
                let value = substitute(&mut program.exprs, src, &now);
                now.insert(dst, value);
            }
            Op::Assume { cond, truth } => {
                path.check_load(program, cond)?;
                let cond = substitute(&mut program.exprs, cond, &now);
                path.guards.push((cond, truth));
                path.decisions.push(Decision { at, cond, truth });
            }
            Op::Havoc { dst, .. } => path.input(program, &mut now, *edge, dst)?,
            Op::CallExtern { args, dst, .. } => {
                if args.iter().any(|arg| loads(&program.exprs, *arg)) {
                    return None;
                }
                if let Some(dst) = dst {
                    path.input(program, &mut now, *edge, dst)?;
                }
            }
            Op::Store { addr, value } => {
                path.check_load(program, addr)?;
                path.check_load(program, value)?;
                let addr = substitute(&mut program.exprs, addr, &now);
                let value = substitute(&mut program.exprs, value, &now);
                path.writes.push(Write { addr, value });
            }
            _ => return None,
        }
    }
    let is_new = |var: &VarId, value: &ExprId| {
        program.exprs.kind(*value) != ExprKind::Var(*var) && constants.get(var) != Some(value)
    };
    let changed = now.into_iter().filter(|(var, value)| is_new(var, value));
    path.updates.extend(changed);
    Some(path)
}

impl LoopPath {
    fn input(&mut self, program: &mut Program, now: &mut Map, edge: EdgeId, dst: VarId) -> Option<()> {
        let ty = program.vars[dst].register()?;
        let name = format!("{}$in", program.vars[dst].name);
        let var = fresh_register(program, self.head, &name, ty);
        self.inputs.push(Input { edge, var });
        let value = program.exprs.add(ExprKind::Var(var), ty);
        now.insert(dst, value);
        Some(())
    }

    /// After a write, nothing may be read: the description has no memory in between. What was read before has its old value.
    pub fn check_load(&self, program: &Program, value: ExprId) -> Option<()> {
        (self.writes.is_empty() || !loads(&program.exprs, value)).then_some(())
    }

    /// Whether the other path takes the same edges, with the same inner loops.
    pub fn is_along(&self, other: &LoopPath) -> bool {
        let passed = |path: &LoopPath| path.passes.iter().map(|p| (p.at, p.accelerator)).collect::<Vec<_>>();
        self.edges == other.edges && passed(self) == passed(other)
    }

    /// Whether the path changes the register.
    pub fn changes(&self, var: VarId) -> bool {
        self.updates.contains_key(&var)
    }

    /// Whether the register is one of the path's inputs.
    pub fn is_input(&self, var: VarId) -> bool {
        self.inputs.iter().any(|input| input.var == var)
    }

    /// Whether an expression over the head's values is the same in each iteration, as far as registers tell.
    pub fn is_invariant(&self, program: &Program, expr: ExprId) -> bool {
        !mentions(&program.exprs, expr, |var| self.changes(var) || self.is_input(var))
    }
}
