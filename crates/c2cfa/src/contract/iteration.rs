//! Loops with contracts: what they may write becomes arbitrary, then an iteration follows.

use super::CONTRACT;
use super::frame::Watch;
use crate::context::Lowerer;
use crate::frames::{Fault, Unnamed};
use base::{Id, Span};
use cfa::flow::Node;
use cfa::{Access, Op, VarId, VarKind};
use cfront::typed::contract::{FirstIteration, Target};
use cfront::typed::{CaseId, Stmt, StmtKind};
use std::collections::BTreeSet;

impl<'u> Lowerer<'u> {
    /// An iteration of a loop, from a state in which what the loop writes is arbitrary.
    pub fn iteration(
        &mut self,
        targets: Option<&'u [Target]>,
        first_iteration: Option<&'u FirstIteration>,
        body: &'u [Stmt],
        span: Span,
    ) {
        let has_foreign_targets = has_foreign_targets(body);
        if has_foreign_targets {
            self.unsupported(CONTRACT, "loop with a label in its body", span);
        }
        let Some(head) = self.f.flow.cur.take() else { return self.stmts(body) };
        let first_var = self.p.vars.len();
        let start = self.node();
        self.f.flow.enter_label(start);
        let first = self.f.flow.n_edges();
        self.stmts(body);
        let region = first..self.f.flow.n_edges();
        let end = self.f.flow.cur.take();

        // What is written is known now: back to the head. What follows a jump out of the loop belongs to no iteration that goes on.
        let looping = self.f.flow.leading_to(region.clone(), |op, at| matches!(op, Op::Halt) && at == span);
        let mut registers: BTreeSet<VarId> = BTreeSet::new();
        for edge in looping.iter().copied() {
            // Globals may have been met for the first time in the loop.
            let is_watched = |var: &VarId| self.frames.iter().any(|frame| frame.own_registers().any(|own| own == *var));
            let is_older = |var: &VarId| (var.index() < first_var || self.p.vars[*var].is_global()) && !is_watched(var);
            registers.extend(self.f.flow.op(edge).assigned().filter(is_older));
        }
        self.f.flow.cur = Some(head);
        let (extents, fault) = match targets {
            Some(targets) => (self.extents(targets), Fault::Violation),
            None => (self.inferred_extents(region.clone(), &registers, span), Fault::Unknown),
        };
        let byte = self.watched_byte(Access::Write, &extents, span);
        let left = self.node();
        if let Some(first) = first_iteration.filter(|_| !has_foreign_targets) {
            self.first_iteration(first, left);
        }
        for var in registers.iter().copied() {
            self.havoc_register(var, span);
        }
        let memory: Vec<_> = extents.iter().copied().filter(super::extents::Extent::is_memory).collect();
        self.havoc_extents(&memory, span);
        self.goto(start, span);
        let loop_edges = first..self.f.flow.n_edges();
        self.f.flow.cur = end;
        self.goto(left, span);
        self.enter(left);
        let is_of_source = |var: &VarId| {
            let is_variable = matches!(self.p.vars[*var].kind, VarKind::Global | VarKind::Local | VarKind::Param);
            is_variable && !self.f.contract.own.contains(var)
        };
        // Without a clause, it is just these that are arbitrary at the head.
        registers.retain(|var| targets.is_some() && is_of_source(var));
        let (locals, registers): (BTreeSet<_>, BTreeSet<_>) =
            registers.into_iter().partition(|var| self.p.vars[*var].kind == VarKind::Local);
        for var in locals {
            let Some(forbidden) = self.forbidden(var, &extents) else { continue };
            let mut edges = looping.clone();
            edges.retain(|edge| self.f.flow.op(*edge).assigned() == Some(var));
            let inside = loop_edges.clone();
            self.f.contract.unnamed.push(Unnamed { var, edges, inside, forbidden, fault });
        }
        let registers = &registers;
        self.guard_region(&looping, Watch { byte, extents: &extents, freeable: &[], fault, is_loop: true, registers });
    }
}

impl<'u> Lowerer<'u> {
    /// The first iteration of a loop, from where it stands; to `left` where no other one follows. It writes nothing that an iteration from an
    /// arbitrary state does not write.
    fn first_iteration(&mut self, first: &'u FirstIteration, left: Node) {
        // Those of the body belong to its own iteration.
        let cases = std::mem::take(&mut self.f.cases);
        self.stmts(&first.stmts);
        self.f.cases = cases;
        let again = self.node();
        self.branch(&first.goes_on, again, left);
        self.enter(again);
    }
}

/// Whether statements have labels or cases to which jumps from elsewhere may lead.
fn has_foreign_targets(stmts: &[Stmt]) -> bool {
    let mut own: Vec<CaseId> = Vec::new();
    stmts.iter().any(|stmt| is_target(stmt, &mut own))
}

fn is_target(stmt: &Stmt, own: &mut Vec<CaseId>) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Case(case) => !own.contains(case),
        StmtKind::Block(stmts) => stmts.iter().any(|stmt| is_target(stmt, own)),
        StmtKind::If { arms, otherwise } => {
            arms.iter().any(|(_, body)| is_target(body, own))
                || otherwise.as_ref().is_some_and(|body| is_target(body, own))
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            is_target(body, own)
        }
        StmtKind::Switch { body, cases, default, .. } => {
            own.extend(cases.iter().map(|(.., case)| *case).chain(*default));
            is_target(body, own)
        }
        StmtKind::Contract(contract) => match &**contract {
            cfront::typed::contract::Contract::Iteration { body, .. }
            | cfront::typed::contract::Contract::Frame { body, .. } => body.iter().any(|stmt| is_target(stmt, own)),
            _ => false,
        },
        _ => false,
    }
}
