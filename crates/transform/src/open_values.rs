//! Values that a machine may compute in another way than the model.
//!
//! Where such a value is computed, the changed program goes on with any. What it proves holds on all machines; a run that it has is one of the program only if the
//! program as it was written has it, too.

use crate::displacements::{Displacements, Moved};
use crate::edges::{branch, move_source};
use crate::rename::rename;
use base::Span;
use cfa::{ExprId, ExprKind, HavocSource, LocId, Op, Program, Unsupported};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is computed on edges that leave a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenValue {
    pub(crate) loc: LocId,
    pub(crate) value: ExprId,
    pub(crate) machine: Machine,
    pub(crate) construct: &'static str,
    pub(crate) detail: &'static str,
}

/// What machines may compute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    /// Any value, or that of the model where one of these holds.
    Any(Vec<ExprId>),
    /// The value where objects lie.
    Moved(Moved),
}

impl OpenValue {
    /// The construct that is not modelled, for those who are not content with any value.
    pub fn unmodelled(&self, program: &Program) -> Unsupported {
        let span = program.locs[self.loc].out.first().map_or(Span::NONE, |edge| program.edges[*edge].span);
        Unsupported { construct: self.construct.into(), detail: self.detail.to_owned(), span }
    }
}

/// Goes on with any of the values.
pub fn leave_open(program: &mut Program, values: &[OpenValue], displacements: &Displacements) {
    let mut by_place: BTreeMap<LocId, BTreeMap<ExprId, Vec<&OpenValue>>> = BTreeMap::new();
    for open in values {
        by_place.entry(open.loc).or_default().entry(open.value).or_default().push(open);
    }
    for (loc, values) in by_place {
        leave_open_at(program, loc, values, displacements);
    }
    // Last, because edges leave the entry of the program elsewhere afterwards.
    displacements.apply(program);
}

/// Computes values in front of the edges that leave a location, operands before what uses them.
fn leave_open_at(
    program: &mut Program,
    loc: LocId,
    values: BTreeMap<ExprId, Vec<&OpenValue>>,
    displacements: &Displacements,
) {
    let (func, edges) = (program.locs[loc].func, program.locs[loc].out.clone());
    let span = edges.first().map_or(Span::NONE, |edge| program.edges[*edge].span);
    let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut behind = loc;
    for (value, open) in values {
        let ty = program.exprs.ty(value);
        let (dst, next) = (program.add_register(func, open[0].construct, ty), program.add_loc(func));
        let moved = open.iter().find_map(|open| match &open.machine {
            Machine::Moved(moved) => Some(moved),
            Machine::Any(_) => None,
        });
        if let Some(moved) = moved {
            behind = displacements.choose(program, behind, moved, span);
        }
        let src = program.exprs.rewrite(moved.map_or(value, |moved| moved.value), &mut known.clone(), |_, _| None);
        program.add_edge(behind, next, Op::Assign { dst, src }, span);
        behind = next;
        for OpenValue { machine, .. } in open {
            let Machine::Any(unless) = machine else { continue };
            let end = program.add_loc(func);
            for condition in unless {
                let condition = program.exprs.rewrite(*condition, &mut known.clone(), |_, _| None);
                behind = branch(program, behind, condition, end, span);
            }
            program.add_edge(behind, end, Op::Havoc { dst, source: HavocSource::Environment }, span);
            behind = end;
        }
        known.insert(value, program.exprs.add(ExprKind::Var(dst), ty));
    }
    for edge in edges {
        let mut op = program.edges[edge].op.clone();
        rename(&mut op, |var| var, |expr| program.exprs.rewrite(expr, &mut known, |_, _| None));
        program.edges[edge].op = op;
        move_source(program, edge, behind);
    }
}
