//! Blocks that the text need not write: `if`, loops, and the statements in them are blocks (C11 6.8.4p3, 6.8.5p5). Beside scopes, only compound
//! literals can tell, which live as long as the block around them.

use crate::sema::Sema;
use crate::typed::{Stmt, StmtKind, VarId, VarKind};
use base::{Id, Span};
use syntax::ast::{self, StmtKind as Ast};

impl<'a> Sema<'a> {
    /// Checks a statement and appends what it becomes.
    pub(super) fn stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) {
        let (from, first) = (out.len(), self.vars.next_id());
        self.simple_stmt(stmt, out);
        if matches!(stmt.kind, Ast::If(_) | Ast::While(_) | Ast::DoWhile(_)) {
            self.enclose(out, from, first, stmt.span);
        }
    }

    /// A statement that is a part of another, with a scope of its own.
    pub(super) fn body(&mut self, stmt: &'a ast::Stmt) -> Stmt {
        if let Ast::Block(block) = &stmt.kind {
            return Stmt { kind: StmtKind::Block(self.block(block)), span: stmt.span };
        }
        let mut stmts = Vec::new();
        let first = self.vars.next_id();
        self.scopes.push();
        self.stmt(stmt, &mut stmts);
        self.scopes.pop();
        self.enclose(&mut stmts, 0, first, stmt.span);
        match stmts.len() {
            1 => stmts.remove(0),
            _ => Stmt { kind: StmtKind::Block(stmts), span: stmt.span },
        }
    }

    /// What was appended since `from` becomes a block if it has a compound literal: a variable since `first`.
    fn enclose(&self, out: &mut Vec<Stmt>, from: usize, first: VarId, span: Span) {
        let mut new = (first.index()..self.vars.len()).map(|i| &self.vars[VarId::from_index(i)]);
        if new.any(|var| matches!(var.kind, VarKind::Temp(_)) && var.name.starts_with("<literal ")) {
            let stmts = out.split_off(from);
            out.push(Stmt { kind: StmtKind::Block(stmts), span });
        }
    }
}
