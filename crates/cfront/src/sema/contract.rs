//! Clauses of contracts: conditions, targets, and values that expressions had before.

mod function;
mod iteration;
mod predicate;

pub(super) use predicate::is_pure;

use super::Sema;
use super::cprover::{Generic, PREFIX};
use crate::typed::contract::{Contract, Place, Role, Target};
use crate::typed::{Expr, ExprKind, Stmt, StmtKind, Var, VarId, VarKind};
use crate::types::TypeId;
use base::{Diagnostic, Name, Span};
use syntax::ast::{self, Clause, ClauseKind, Contract as Said, Symbol};
/// Functions whose contracts matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// Those that are checked against their contracts.
    pub checked: Vec<Name>,
    /// Those for which their contracts stand.
    pub used: Vec<Name>,
    /// Whether loops are checked against theirs, even if there are no such functions.
    pub loops: bool,
}

impl Contracts {
    /// Whether no contract matters.
    pub fn is_empty(&self) -> bool {
        self.checked.is_empty() && self.used.is_empty() && !self.loops
    }
}

/// Which history variables a clause may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum History {
    /// None.
    #[default]
    None,
    /// `__CPROVER_old`
    Call,
    /// `__CPROVER_loop_entry`
    Loop,
}

/// The clause that is being checked.
#[derive(Default)]
pub(super) struct ClauseState {
    /// Whether there is one.
    pub is_open: bool,
    /// Whether operators are those of mathematical integers.
    pub is_exact: bool,
    history: History,
    /// Values that were asked for.
    snapshots: Vec<(VarId, Expr)>,
    /// Variables of quantifiers around what is being checked.
    pub bound: Vec<VarId>,
}

impl<'a> Sema<'a> {
    /// The conditions of all clauses of a kind.
    fn conditions(&mut self, contract: &'a [Clause], kind: ClauseKind, history: History) -> Vec<Expr> {
        let mut found = Vec::new();
        for clause in contract.iter().filter(|clause| clause.kind == kind) {
            for e in clause.groups.iter().flat_map(|group| &group.exprs) {
                found.push(self.in_clause(history, |s| s.condition(e)));
            }
        }
        found
    }

    /// Reports what was not understood of a contract that matters.
    fn unread(&mut self, contract: &Said) {
        for error in &contract.unread {
            self.error(error.clone());
        }
    }

    /// Checks a part of a clause.
    fn in_clause<R>(&mut self, history: History, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = (self.clause.is_open, self.clause.history);
        (self.clause.is_open, self.clause.history) = (true, history);
        let result = f(self);
        (self.clause.is_open, self.clause.history) = outer;
        result
    }

    /// The targets of all clauses of a kind; `None` if there is no clause.
    fn targets(&mut self, contract: &'a [Clause], kind: ClauseKind) -> Option<Vec<Target>> {
        let mut found = None;
        for clause in contract.iter().filter(|clause| clause.kind == kind) {
            let targets = found.get_or_insert_with(Vec::new);
            for group in &clause.groups {
                for e in &group.exprs {
                    let condition = group.condition.as_ref().map(|c| self.in_clause(History::None, |s| s.condition(c)));
                    let known = condition.as_ref().and_then(|c| self.fold_int(c));
                    if known == Some(0) {
                        continue;
                    }
                    let condition = condition.filter(|_| known.is_none());
                    let place = self.in_clause(History::None, |s| s.target(e));
                    targets.extend(place.map(|place| Target { condition, place, span: e.span }));
                }
            }
        }
        found
    }

    /// The objects that frees clauses name, by pointers to them.
    fn freed(&mut self, contract: &'a [Clause]) -> Vec<Target> {
        let mut found = Vec::new();
        let clauses = contract.iter().filter(|clause| clause.kind == ClauseKind::Frees);
        for group in clauses.flat_map(|clause| &clause.groups) {
            for e in &group.exprs {
                let condition = group.condition.as_ref().map(|c| self.in_clause(History::None, |s| s.condition(c)));
                let pointer = self.in_clause(History::None, |s| s.rvalue_expr(e));
                if self.types.pointee(pointer.ty).is_some() {
                    found.push(Target { condition, place: Place::Object(pointer), span: e.span });
                } else if !self.types.is_unsupported(pointer.ty) {
                    let text = "a target of a frees clause is not a pointer";
                    let label = self.types.display(pointer.ty);
                    self.error(Diagnostic::error("E0361", e.span, text).label(label));
                }
            }
        }
        found
    }

    /// What a target names; `None`, with an error, if it names no memory.
    fn target(&mut self, e: &'a ast::Expr) -> Option<Place> {
        if let ast::ExprKind::Exact(inner) = &e.kind {
            let outer = std::mem::replace(&mut self.clause.is_exact, true);
            let place = self.target(inner);
            self.clause.is_exact = outer;
            return place;
        }
        if let ast::ExprKind::Call(call) = &e.kind
            && let ast::ExprKind::Ident(symbol) = call.callee.kind
            && let Some(name) = self.names[symbol].strip_prefix(PREFIX)
        {
            let wanted = match name {
                "object_whole" | "object_from" => 1,
                "object_upto" => 2,
                _ => 0,
            };
            if wanted > 0 && call.args.len() == wanted {
                return self.named_target(name, &call.args);
            }
        }
        let lvalue = self.expr(e);
        if self.types.is_unsupported(lvalue.ty) {
            return None;
        }
        if !super::convert::is_lvalue(&lvalue) {
            let text = "a target of an assigns clause is not an lvalue";
            let help = format!(
                "name a variable, `*p`, `s->member`, or memory by `{PREFIX}object_whole(p)`, `{PREFIX}object_upto(p, n)`, `{PREFIX}object_from(p)`"
            );
            self.error(Diagnostic::error("E0361", e.span, text).help(help));
            return None;
        }
        if let ExprKind::Var(var) = lvalue.kind
            && self.types.is_scalar(lvalue.ty)
        {
            return Some(Place::Variable(var));
        }
        let Some(size) = self.types.size_of(self.machine, lvalue.ty) else {
            self.error(Diagnostic::error("E0304", e.span, "the size of a target isn't known"));
            return None;
        };
        let size = self.int_expr(i128::from(size), self.common.size, e.span);
        Some(Place::Range(self.address(lvalue, e.span), size))
    }

    fn named_target(&mut self, name: &str, args: &'a [ast::Expr]) -> Option<Place> {
        let pointer = self.rvalue_expr(&args[0]);
        if self.types.pointee(pointer.ty).is_none() {
            if !self.types.is_unsupported(pointer.ty) {
                let text = format!("`{PREFIX}{name}` needs a pointer");
                let label = self.types.display(pointer.ty);
                self.error(Diagnostic::error("E0319", pointer.span, text).label(label));
            }
            return None;
        }
        Some(match args.get(1) {
            Some(len) => {
                let len = self.rvalue_expr(len);
                let span = len.span;
                Place::Range(pointer, self.cast(len, self.common.size, span))
            }
            None if name == "object_whole" => Place::Object(pointer),
            None => Place::Rest(pointer),
        })
    }

    /// `__CPROVER_old(e)` and `__CPROVER_loop_entry(e)`: a variable that keeps the value.
    pub(super) fn history(&mut self, generic: Generic, symbol: Symbol, e: &'a ast::Expr, span: Span) -> Expr {
        let wanted = if generic == Generic::Old { History::Call } else { History::Loop };
        let value = self.in_clause(History::None, |s| s.expr(e));
        if self.types.is_unsupported(value.ty) {
            return value;
        }
        if self.clause.history != wanted {
            return self.outside_of_clause(symbol, span);
        }
        if self.clause.bound.iter().any(|var| super::quantifier::mentions(&value, *var)) {
            return self.unsupported("history variable", "of a quantified variable", value.ty, span);
        }
        let is_known = self.types.size_of(self.machine, value.ty).is_some();
        let Some(func) = self.func.as_ref().map(|func| func.id).filter(|_| is_known) else {
            return self.unsupported("history variable", self.types.display(value.ty), value.ty, span);
        };
        let ty = value.ty;
        let var = self.vars.push(Var::new(self.source.snippet(span).into(), ty, VarKind::Temp(func), span));
        self.clause.snapshots.push((var, value));
        Expr { kind: ExprKind::Var(var), ty, span }
    }

    /// An error: a name that has a meaning in some clauses of contracts only.
    pub(super) fn outside_of_clause(&mut self, symbol: Symbol, span: Span) -> Expr {
        let name = &self.names[symbol];
        let help = match name.strip_prefix(PREFIX) {
            Some("old") => "it stands in ensures clauses of functions",
            Some("loop_entry") => "it stands in invariants of loops",
            _ => "it stands in requires and ensures clauses of functions",
        };
        let text = format!("`{name}` means nothing here");
        self.error_expr(Diagnostic::error("E0362", span, text).help(help))
    }

    /// Statements that keep the values that were asked for.
    fn take_snapshots(&mut self, first: usize) -> Vec<Stmt> {
        let taken = self.clause.snapshots.split_off(first);
        taken.into_iter().map(|(var, value)| stmt(value.span, Contract::Snapshot { var, value })).collect()
    }
}

/// A statement of a contract.
fn stmt(span: Span, contract: Contract) -> Stmt {
    Stmt { kind: StmtKind::Contract(Box::new(contract)), span }
}

/// Conditions as statements.
fn clauses(role: Role, conditions: &[Expr]) -> impl Iterator<Item = Stmt> {
    conditions.iter().map(move |e| stmt(e.span, Contract::Clause { role, condition: e.clone() }))
}

/// The type of an expression that is used as a value again.
fn load(var: VarId, ty: TypeId, span: Span) -> Expr {
    let lvalue = Expr { kind: ExprKind::Var(var), ty, span };
    Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span }
}
