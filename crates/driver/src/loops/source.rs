//! Loop statements of a source text.

use base::Span;
use syntax::ast::{BlockItem, ExternalItem, Stmt, StmtKind, TranslationUnit};

/// Kinds of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `while (C) B`
    While,
    /// `do B while (C);`
    DoWhile,
    /// `for (I; C; S) B`
    For,
}

/// A loop statement.
#[derive(Clone, Copy, Debug)]
pub struct SourceLoop {
    /// Its kind.
    pub kind: Kind,
    /// The whole statement.
    pub span: Span,
    /// Condition.
    pub cond: Option<Span>,
    /// Third clause of `for`.
    pub step: Option<Span>,
    /// Body.
    pub body: Span,
    /// Number of loop statements around it.
    pub depth: usize,
    /// Whether the body has `return`, `goto` or labels, its inner loops included.
    pub jumps: bool,
}

impl SourceLoop {
    /// Whether a place belongs to a round: condition, step or body.
    pub fn holds(&self, place: Span) -> bool {
        let within = |s: Span| s.lo <= place.lo && place.hi <= s.hi;
        within(self.body) || self.cond.is_some_and(within) || self.step.is_some_and(within)
    }
}

/// All loops, outer ones before those in them.
pub fn loops(unit: &TranslationUnit) -> Vec<SourceLoop> {
    let mut found = Vec::new();
    for item in &unit.items {
        if let ExternalItem::Function(function) = item {
            function.body.items.iter().for_each(|item| block_item(item, 0, &mut found));
        }
    }
    found
}

fn block_item(item: &BlockItem, depth: usize, found: &mut Vec<SourceLoop>) {
    if let BlockItem::Stmt(stmt) = item {
        statement(stmt, depth, found);
    }
}

fn statement(stmt: &Stmt, depth: usize, found: &mut Vec<SourceLoop>) {
    let mut add = |kind, cond, step, body: &Stmt| {
        let jumps = has_jumps(body);
        found.push(SourceLoop { kind, span: stmt.span, cond, step, body: body.span, depth, jumps });
        statement(body, depth + 1, found);
    };
    match &stmt.kind {
        StmtKind::While(l) => add(Kind::While, Some(l.condition.span), None, &l.body),
        StmtKind::DoWhile(l) => add(Kind::DoWhile, Some(l.condition.span), None, &l.body),
        StmtKind::For(l) => {
            add(Kind::For, l.condition.as_ref().map(|e| e.span), l.step.as_ref().map(|e| e.span), &l.body);
        }
        StmtKind::Block(block) => block.items.iter().for_each(|item| block_item(item, depth, found)),
        StmtKind::If(choice) => {
            choice.arms.iter().for_each(|arm| statement(&arm.body, depth, found));
            choice.otherwise.iter().for_each(|stmt| statement(stmt, depth, found));
        }
        StmtKind::Switch(switch) => statement(&switch.body, depth, found),
        StmtKind::Labeled(labeled) => statement(&labeled.body, depth, found),
        _ => {}
    }
}

fn has_jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Goto(_) | StmtKind::GotoExpr(_) | StmtKind::Return(_) | StmtKind::Asm(_) => true,
        StmtKind::Labeled(_) => true,
        StmtKind::Block(block) => block.items.iter().any(|item| match item {
            BlockItem::Stmt(stmt) => has_jumps(stmt),
            _ => false,
        }),
        StmtKind::If(choice) => {
            choice.arms.iter().any(|arm| has_jumps(&arm.body)) || choice.otherwise.as_ref().is_some_and(has_jumps)
        }
        StmtKind::While(l) | StmtKind::DoWhile(l) | StmtKind::Switch(l) => has_jumps(&l.body),
        StmtKind::For(l) => has_jumps(&l.body),
        _ => false,
    }
}
