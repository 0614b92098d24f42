//! Clauses of contracts behind declarators of functions and heads of loops.

use super::{Parsed, Parser};
use crate::ast::{Clause, ClauseGroup, ClauseKind, Contract, Declarator};
use crate::lex::{Tok, Token};
use base::Diagnostic;

impl Parser<'_> {
    /// Clauses of a function. Names of CBMC's stand nowhere else here, so those of no clause are errors.
    pub(super) fn function_clauses(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        if !self.is_cprover_name(self.token()) {
            return Ok(());
        }
        self.scopes.push();
        self.declare_params(declarator);
        while self.is_cprover_name(self.token()) {
            let Some(kind) = self.clause_kind().filter(|kind| kind.is_of_function()) else {
                return Err(self.no_clause("function", ClauseKind::is_of_function));
            };
            let clause = self.clause(kind)?;
            declarator.contract.get_or_insert_default().clauses.push(clause);
        }
        self.scopes.pop();
        Ok(())
    }

    /// Clauses of a loop; anything else is the beginning of its body.
    pub(super) fn loop_clauses(&mut self) -> Parsed<Option<Box<Contract>>> {
        let mut contract: Option<Box<Contract>> = None;
        while let Some(kind) = self.clause_kind() {
            if !kind.is_of_loop() {
                return Err(self.no_clause("loop", ClauseKind::is_of_loop));
            }
            let clause = self.clause(kind)?;
            contract.get_or_insert_default().clauses.push(clause);
        }
        Ok(contract)
    }

    fn is_cprover_name(&self, token: Token) -> bool {
        token.kind == Tok::Ident && self.names[token.name].starts_with("__CPROVER_")
    }

    /// The clause that begins here, by its name.
    fn clause_kind(&self) -> Option<ClauseKind> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return None;
        }
        let name = &self.names[token.name];
        ClauseKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    #[cold]
    fn no_clause(&mut self, of: &str, fits: impl Fn(ClauseKind) -> bool) -> super::Failed {
        let found = self.found(self.token());
        let names: Vec<&str> = ClauseKind::ALL.into_iter().filter(|kind| fits(*kind)).map(ClauseKind::name).collect();
        let text = format!("{found} is no clause of the contract of a {of}");
        let error = Diagnostic::error("E0124", self.span(), text).label("not known here");
        self.fail(error.help(format!("known are {}", names.join(", "))))
    }

    fn clause(&mut self, kind: ClauseKind) -> Parsed<Clause> {
        self.enter()?;
        let lo = self.bump().span.lo;
        let open = self.expect(Tok::LParen)?;
        let mut groups = Vec::new();
        while self.kind() != Tok::RParen {
            groups.push(self.clause_group(kind)?);
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        self.leave();
        let span = self.since(lo);
        let n: usize = groups.iter().map(|group: &ClauseGroup| group.exprs.len()).sum();
        let fits = match kind {
            ClauseKind::Assigns | ClauseKind::Frees => true,
            ClauseKind::Decreases => n > 0 && groups.len() == 1,
            _ => n == 1,
        };
        if !fits {
            let text = format!("`{}` takes one expression, this has {n}", kind.name());
            let error = Diagnostic::error("E0124", span, text).help("write a clause for each condition");
            return Err(self.fail(error));
        }
        Ok(Clause { span, kind, groups })
    }

    fn clause_group(&mut self, kind: ClauseKind) -> Parsed<ClauseGroup> {
        let mut first = self.assignment()?;
        let mut condition = None;
        if kind.has_targets() && self.eat(Tok::Colon) {
            condition = Some(first);
            first = self.assignment()?;
        }
        let mut exprs = vec![first];
        while self.eat(Tok::Comma) {
            exprs.push(self.assignment()?);
        }
        Ok(ClauseGroup { condition, exprs })
    }
}
