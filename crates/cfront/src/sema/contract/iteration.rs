//! Loops with contracts: an iteration from any state in which the invariants hold.

use super::predicate::is_pure;
use super::{History, clauses, load, stmt};
use crate::sema::Sema;
use crate::typed::contract::{Contract, FirstIteration, Role, Target};
use crate::typed::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, Var, VarId, VarKind};
use base::Span;
use syntax::ast::{self, ClauseKind, Contract as Said};

/// The contract of a loop.
pub(in crate::sema) struct LoopContract {
    invariants: Vec<Expr>,
    targets: Option<Vec<Target>>,
    /// Numbers that get less, and what they were when the iteration began.
    decreases: Vec<(Expr, VarId)>,
    /// What keeps the values that expressions had before the loop.
    snapshots: Vec<Stmt>,
    /// Whether the invariants have to hold before the loop even where no iteration follows.
    holds_before: bool,
    span: Span,
}

impl<'a> Sema<'a> {
    /// The contract of a loop, if there is one and contracts matter.
    pub(in crate::sema) fn loop_contract(&mut self, said: Option<&'a Said>) -> Option<LoopContract> {
        let func = self.func.as_ref().map(|func| func.id).filter(|_| !self.contracts.is_empty())?;
        self.unread(said?);
        let contract = said?.clauses.as_slice();
        let span = contract.first()?.span;
        let first = self.clause.snapshots.len();
        let invariants = self.conditions(contract, ClauseKind::Invariant, History::Loop);
        let mut snapshots = self.take_snapshots(first);
        let frees = contract.iter().find(|clause| clause.kind == ClauseKind::Frees && !clause.groups.is_empty());
        if let Some(clause) = frees {
            let kind = StmtKind::Unsupported("contract".into(), "frees clause of a loop".into());
            snapshots.push(Stmt { kind, span: clause.span });
        }
        let targets = self.targets(contract, ClauseKind::Assigns);
        let decreases: Vec<Expr> = contract
            .iter()
            .filter(|clause| clause.kind == ClauseKind::Decreases)
            .flat_map(|clause| clause.groups.iter().flat_map(|group| &group.exprs))
            .map(|e: &'a ast::Expr| {
                let value = self.rvalue_expr(e);
                self.promote(value)
            })
            .collect();
        let mut kept = Vec::with_capacity(decreases.len());
        for e in decreases {
            let text = self.source.snippet(e.span).into();
            let var = self.vars.push(Var::new(text, e.ty, VarKind::Temp(func), e.span));
            kept.push((e, var));
        }
        let holds_before = said?.holds_before;
        Some(LoopContract { invariants, targets, decreases: kept, snapshots, holds_before, span })
    }

    /// Appends a loop, or what its contract makes of it.
    pub(in crate::sema) fn push_loop(
        &mut self,
        contract: Option<LoopContract>,
        mut looping: Stmt,
        out: &mut Vec<Stmt>,
    ) {
        let Some(contract) = contract else { return out.push(looping) };
        let span = looping.span;
        let mut stmts = match &mut looping.kind {
            StmtKind::For { init, .. } => std::mem::take(init),
            _ => Vec::new(),
        };
        self.iteration(contract, looping, &mut stmts);
        out.push(Stmt { kind: StmtKind::Block(stmts), span });
    }

    /// A loop with its contract, behind its first part.
    fn iteration(&mut self, contract: LoopContract, looping: Stmt, out: &mut Vec<Stmt>) {
        let LoopContract { invariants, targets, decreases, snapshots, holds_before, span } = &contract;
        out.extend(snapshots.iter().cloned());
        let entered = match &looping.kind {
            StmtKind::While { cond, .. } | StmtKind::For { cond: Some(cond), .. } if !holds_before && is_pure(cond) => {
                Some(cond.clone())
            }
            _ => None,
        };
        let mut stmts: Vec<Stmt> = clauses(Role::Asserted, invariants).collect();
        let mut body: Vec<Stmt> = clauses(Role::Assumed, invariants).collect();
        for (value, var) in decreases {
            body.push(stmt(value.span, Contract::Snapshot { var: *var, value: value.clone() }));
        }
        // ACSL has nothing but what its invariants say.
        let first = (!holds_before).then(|| self.first_iteration(&looping, *span)).flatten();
        let end = self.end_of_iteration(&contract);
        let kind = match looping.kind {
            StmtKind::DoWhile { body, cond } => {
                let (int, at) = (self.common.int, cond.span);
                let zero = Box::new(self.int_expr(0, int, at));
                let last = Expr { kind: ExprKind::StmtExpr { stmts: end, value: Some(zero) }, ty: int, span: at };
                let kind = ExprKind::Binary(BinaryOp::LogAnd, Box::new(cond), Box::new(last));
                StmtKind::DoWhile { body, cond: Expr { kind, ty: int, span: at } }
            }
            StmtKind::While { cond, body } => {
                StmtKind::For { init: Vec::new(), cond: Some(cond), step: Some(self.step(None, end, *span)), body }
            }
            StmtKind::For { cond, step, body, .. } => {
                StmtKind::For { init: Vec::new(), cond, step: Some(self.step(step, end, *span)), body }
            }
            other => other,
        };
        body.push(Stmt { kind, span: looping.span });
        stmts.push(stmt(*span, Contract::Iteration { targets: targets.clone(), first, body }));
        match entered {
            Some(cond) => {
                let then = Stmt { kind: StmtKind::Block(stmts), span: *span };
                out.push(Stmt { kind: StmtKind::If { arms: vec![(cond, then)], otherwise: None }, span: *span });
            }
            None => out.extend(stmts),
        }
    }

    /// The first iteration of a loop behind its first part.
    fn first_iteration(&mut self, looping: &Stmt, span: Span) -> Option<FirstIteration> {
        let func = self.func.as_ref()?.id;
        let int = self.common.int;
        let var = self.vars.push(Var::new("first iteration".into(), int, VarKind::Temp(func), span));
        let [no, yes] = [0, 1].map(|value| Contract::Snapshot { var, value: self.int_expr(value, int, span) });
        let none = Box::new(self.int_expr(0, int, span));
        let goes_on = stmt(span, yes);
        let last = |stmts: Vec<Stmt>| {
            let kind = ExprKind::StmtExpr { stmts, value: Some(none.clone()) };
            Expr { kind, ty: int, span }
        };
        let once =
            |body: &Stmt, cond: Expr| Stmt { kind: StmtKind::DoWhile { body: Box::new(body.clone()), cond }, span };
        let (entered, iteration) = match &looping.kind {
            StmtKind::DoWhile { body, cond } => {
                let kind = ExprKind::Binary(BinaryOp::LogAnd, Box::new(cond.clone()), Box::new(last(vec![goes_on])));
                (None, once(body, Expr { kind, ty: int, span }))
            }
            StmtKind::While { cond, body } => (Some(cond.clone()), once(body, last(vec![goes_on]))),
            StmtKind::For { cond, step, body, .. } => {
                let step = step.clone().map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e) });
                (cond.clone(), once(body, last(step.into_iter().chain([goes_on]).collect())))
            }
            _ => return None,
        };
        let iteration = match entered {
            Some(cond) => Stmt { kind: StmtKind::If { arms: vec![(cond, iteration)], otherwise: None }, span },
            None => iteration,
        };
        Some(FirstIteration { stmts: vec![stmt(span, no), iteration], goes_on: load(var, int, span) })
    }

    /// What is done behind the body: the step, then the end of the run.
    fn step(&self, step: Option<Expr>, end: Vec<Stmt>, span: Span) -> Expr {
        let first = step.map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e) });
        let stmts = first.into_iter().chain(end).collect();
        Expr { kind: ExprKind::StmtExpr { stmts, value: None }, ty: self.common.void, span }
    }

    /// What must hold behind an iteration; no run goes on there.
    fn end_of_iteration(&self, contract: &LoopContract) -> Vec<Stmt> {
        let mut stmts: Vec<Stmt> = clauses(Role::Asserted, &contract.invariants).collect();
        let int = self.common.int;
        let both = |op, a: Expr, b: Expr| {
            let span = b.span;
            Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: int, span }
        };
        // The first number that is not what it was must be less, and not have been negative.
        let mut condition: Option<Expr> = None;
        for (value, var) in contract.decreases.iter().rev() {
            let before = load(*var, value.ty, value.span);
            let less = both(BinaryOp::Lt, value.clone(), before.clone());
            let zero = self.int_expr(0, value.ty, value.span);
            let least = both(BinaryOp::Ge, before.clone(), zero);
            let decreased = both(BinaryOp::LogAnd, less, least);
            condition = Some(match condition {
                None => decreased,
                Some(rest) => {
                    let same = both(BinaryOp::Eq, value.clone(), before);
                    let later = both(BinaryOp::LogAnd, same, rest);
                    both(BinaryOp::LogOr, decreased, later)
                }
            });
        }
        stmts.extend(condition.as_ref().into_iter().flat_map(|c| clauses(Role::Asserted, std::slice::from_ref(c))));
        let never = self.int_expr(0, int, contract.span);
        stmts.push(stmt(contract.span, Contract::Clause { role: Role::Assumed, condition: never }));
        stmts
    }
}
