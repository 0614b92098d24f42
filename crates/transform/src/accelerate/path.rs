//! A looping path and its effect, as all later steps see it.
//!
//! The effect is told over the values of registers at the head: conditions, new values, reads and writes of memory. Values that the
//! environment chooses on the path are named by new registers ([`Input`]).

use crate::exprs::{Literal, loads, mentions};
use cfa::{EdgeId, ExprId, ExprKind, ExprPool, LocId, VarId};
use std::collections::BTreeMap;

/// A value that the environment chooses on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where.
    pub edge: EdgeId,
    /// The register that names it.
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

/// What a path decides at an edge, over the head's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Place of the edge on the path.
    pub at: usize,
    /// What holds there.
    pub literal: Literal,
}

/// An inner loop on a path, iterated by one of its accelerators until it is left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pass {
    /// Place on the path of the edge behind.
    pub at: usize,
    /// Place of the accelerator among those of the inner loop.
    pub accelerator: usize,
    /// How many conditions of the path come before.
    pub before: usize,
    /// Counts the inner iterations.
    pub count: VarId,
    /// How many there are.
    pub trips: ExprId,
    /// What holds for any number of inner iterations.
    pub bound: ExprId,
    /// The condition that stays in the inner loop, after any number of iterations.
    pub stays: Literal,
    /// Whether no other number of iterations leads along the path.
    pub is_unique: bool,
}

/// A looping path and its effect.
#[derive(Clone, Debug)]
pub struct LoopPath {
    /// Where it begins and ends.
    pub head: LocId,
    /// Its edges.
    pub edges: Vec<EdgeId>,
    /// What must hold.
    pub guards: Vec<Literal>,
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

impl LoopPath {
    /// A path before its edges are executed.
    pub fn new(head: LocId, edges: Vec<EdgeId>) -> Self {
        Self {
            head,
            edges,
            guards: Vec::new(),
            updates: BTreeMap::new(),
            inputs: Vec::new(),
            writes: Vec::new(),
            decisions: Vec::new(),
            passes: Vec::new(),
            assumed: None,
        }
    }

    /// Whether the other path takes the same edges, with the same inner loops.
    pub fn is_along(&self, other: &LoopPath) -> bool {
        let passed = |path: &LoopPath| path.passes.iter().map(|p| (p.at, p.accelerator)).collect::<Vec<_>>();
        self.edges == other.edges && passed(self) == passed(other)
    }

    /// Whether inner loops have no other number of iterations on the path.
    pub fn has_unique_passes(&self) -> bool {
        self.passes.iter().all(|pass| pass.is_unique)
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
    pub fn is_invariant(&self, pool: &ExprPool, expr: ExprId) -> bool {
        !mentions(pool, expr, |var| self.changes(var) || self.is_input(var))
    }

    /// Whether the expression reads memory that the path writes: its value at the head is not the one that the path would read.
    pub fn reads_written(&self, pool: &ExprPool, expr: ExprId) -> bool {
        !self.writes.is_empty() && loads(pool, expr)
    }

    /// Whether the expression reads memory that may differ from one iteration to the next.
    pub fn is_moving_load(&self, pool: &ExprPool, expr: ExprId) -> bool {
        let mut moving = false;
        pool.walk(expr, |_, e| {
            if let ExprKind::Load(address) = e.kind {
                moving |= !self.writes.is_empty() || !self.is_invariant(pool, address);
            }
        });
        moving
    }
}
