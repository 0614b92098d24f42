//! Clauses of contracts, and claims.

use super::build::{constant, joined, mentions, name_of, negated};
use super::{Moment, Parsed, Parser};
use crate::ast::{
    BinaryOp, CharKind, Clause, ClauseGroup, ClauseKind, Expr, ExprKind, Stmt, StmtKind, StrData, StrLit, Symbol,
};
use crate::lex::Tok;
use base::{Diagnostic, Span};

/// What is said of calls that fit an assumption.
struct Behavior {
    name: Symbol,
    /// All of them together; `None` if there is none.
    assumes: Option<Expr>,
}

impl Parser<'_> {
    /// The contract of a function.
    pub(super) fn acsl_contract(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        let mut behaviors: Vec<Behavior> = Vec::new();
        let mut is_in_behavior = false;
        while self.kind() != Tok::Eof {
            let token = self.token();
            match self.snippet(token.span) {
                "requires" => {
                    let e = self.stated(Moment::Call)?;
                    let e = self.in_behavior(e, behaviors.last().filter(|_| is_in_behavior), Moment::Call)?;
                    clauses.push(self.condition_clause(ClauseKind::Requires, e));
                }
                "ensures" => {
                    let e = self.stated(Moment::Return)?;
                    let e = self.in_behavior(e, behaviors.last().filter(|_| is_in_behavior), Moment::Return)?;
                    clauses.push(self.condition_clause(ClauseKind::Ensures, e));
                }
                "assigns" | "frees" if is_in_behavior => {
                    let help = "write it before the behaviors, for all of them together";
                    return Err(self.not_read(token.span, "what a single behavior writes or frees", help));
                }
                "assigns" => clauses.push(self.targets_clause(ClauseKind::Assigns)?),
                "frees" => clauses.push(self.targets_clause(ClauseKind::Frees)?),
                "behavior" => {
                    self.bump();
                    let name = self.ident()?.name;
                    self.expect(Tok::Colon)?;
                    behaviors.push(Behavior { name, assumes: None });
                    is_in_behavior = true;
                }
                "assumes" if is_in_behavior => {
                    let e = self.stated(Moment::Call)?;
                    if let Some(behavior) = behaviors.last_mut() {
                        behavior.assumes = Some(match behavior.assumes.take() {
                            None => e,
                            Some(known) => joined(BinaryOp::LogAnd, known, e),
                        });
                    }
                }
                "complete" | "disjoint" => {
                    is_in_behavior = false;
                    clauses.push(self.behaviors_clause(&behaviors)?);
                }
                word => {
                    let text = format!("`{word}`");
                    let help = "contracts of functions are read with requires, ensures, assigns, frees, behavior, assumes, complete and disjoint behaviors";
                    return Err(self.not_read(token.span, &text, help));
                }
            }
        }
        Ok(clauses)
    }

    /// What is said of calls that fit an assumption: the assumption is one about the state before the call.
    fn in_behavior(&mut self, e: Expr, behavior: Option<&Behavior>, moment: Moment) -> Parsed<Expr> {
        let Some(assumes) = behavior.and_then(|behavior| behavior.assumes.as_ref()) else { return Ok(e) };
        let assumes = self.copy(assumes)?;
        let assumes = if moment == Moment::Return { self.named_call("__CPROVER_old", vec![assumes]) } else { assumes };
        let span = e.span;
        Ok(Expr { span, ..joined(BinaryOp::LogOr, negated(assumes), e) })
    }

    /// `complete behaviors a, b;` and `disjoint behaviors a, b;`, without names all. That this is so is said where the function returns.
    fn behaviors_clause(&mut self, behaviors: &[Behavior]) -> Parsed<Clause> {
        let first = self.bump();
        let is_complete = self.snippet(first.span) == "complete";
        self.expect_word("behaviors")?;
        let mut chosen: Vec<&Behavior> = Vec::new();
        while self.kind() == Tok::Ident {
            let ident = self.ident()?;
            let Some(behavior) = behaviors.iter().find(|behavior| behavior.name == ident.name) else {
                let text = format!("there is no behavior `{}`", &self.names[ident.name]);
                let error = Diagnostic::error("E0126", ident.span, text);
                return Err(self.fail(error.help("behaviors are named after those that they are")));
            };
            chosen.push(behavior);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi)?;
        let span = self.since(first.span.lo);
        if chosen.is_empty() {
            chosen = behaviors.iter().collect();
        }
        let mut whole = constant(u64::from(!is_complete), span);
        for (i, behavior) in chosen.iter().enumerate() {
            let assumes = self.assumption(behavior, span)?;
            if is_complete {
                whole = joined(BinaryOp::LogOr, whole, assumes);
                continue;
            }
            for other in &chosen[i + 1..] {
                let both = joined(BinaryOp::LogAnd, self.assumption(behavior, span)?, self.assumption(other, span)?);
                whole = joined(BinaryOp::LogAnd, whole, negated(both));
            }
        }
        let e = self.named_call("__CPROVER_old", vec![Expr { span, ..whole }]);
        Ok(self.condition_clause(ClauseKind::Ensures, Expr { span, ..e }))
    }

    fn assumption(&mut self, behavior: &Behavior, span: Span) -> Parsed<Expr> {
        match &behavior.assumes {
            Some(assumes) => self.copy(assumes),
            None => Ok(constant(1, span)),
        }
    }

    /// The contract of a loop.
    pub(super) fn acsl_loop(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        while self.kind() != Tok::Eof {
            self.expect_word("loop")?;
            let token = self.token();
            match self.snippet(token.span) {
                "invariant" => {
                    let e = self.stated(Moment::Loop)?;
                    clauses.push(self.condition_clause(ClauseKind::Invariant, e));
                }
                "variant" => {
                    let e = self.stated(Moment::Here)?;
                    clauses.push(self.condition_clause(ClauseKind::Decreases, e));
                }
                "assigns" => {
                    let clause = self.targets_clause(ClauseKind::Assigns)?;
                    self.check_steady(&clause)?;
                    clauses.push(clause);
                }
                word => {
                    let text = format!("`loop {word}`");
                    return Err(self.not_read(
                        token.span,
                        &text,
                        "loops have `loop invariant`, `loop assigns` and `loop variant`",
                    ));
                }
            }
        }
        Ok(clauses)
    }

    /// Where the memory lies that a loop writes is found out before the loop, so it must not depend on a variable that the loop writes.
    fn check_steady(&mut self, clause: &Clause) -> Parsed<()> {
        let targets = || clause.groups.iter().flat_map(|group| &group.exprs);
        let written: Vec<Symbol> = targets().filter_map(name_of).collect();
        for group in &clause.groups {
            for e in group.exprs.iter().filter(|e| name_of(e).is_none()) {
                if written.iter().any(|name| mentions(e, *name)) {
                    let help = "name the memory by what the loop leaves as it is: all that it may write from its beginning to its end";
                    return Err(self.not_read(e.span, "memory that depends on a variable which the loop writes", help));
                }
            }
        }
        Ok(())
    }

    /// `assert e;`, `check e;` and `admit e;` as statements.
    pub(super) fn acsl_claims(&mut self) -> Parsed<Vec<Stmt>> {
        let mut stmts = Vec::new();
        while self.kind() != Tok::Eof {
            let token = self.token();
            let function = match self.snippet(token.span) {
                "assert" | "check" => "__CPROVER_assert",
                "admit" => "__CPROVER_assume",
                word => {
                    let text = format!("`{word}`");
                    return Err(self.not_read(token.span, &text, "here, `assert`, `check` and `admit` are read"));
                }
            };
            let e = self.stated(Moment::Here)?;
            let span = e.span;
            let mut args = vec![Expr { span, kind: ExprKind::Exact(Box::new(e)) }];
            if function == "__CPROVER_assert" {
                let data = StrData::Bytes(self.snippet(span).as_bytes().to_vec());
                let text = StrLit { span, kind: CharKind::Narrow, data };
                args.push(Expr { span, kind: ExprKind::Str(Box::new(text)) });
            }
            let call = self.named_call(function, args);
            stmts.push(Stmt { span, kind: StmtKind::Expr(Expr { span, ..call }) });
        }
        Ok(stmts)
    }

    /// The keyword, a predicate or term, and a semicolon.
    fn stated(&mut self, moment: Moment) -> Parsed<Expr> {
        self.bump();
        self.acsl.moment = moment;
        let e = self.predicate()?;
        self.expect(Tok::Semi)?;
        Ok(e)
    }

    fn condition_clause(&self, kind: ClauseKind, e: Expr) -> Clause {
        let span = e.span;
        let exprs = vec![Expr { span, kind: ExprKind::Exact(Box::new(e)) }];
        Clause { span, kind, groups: vec![ClauseGroup { condition: None, exprs }] }
    }

    /// `assigns`, `frees` and what they name.
    fn targets_clause(&mut self, kind: ClauseKind) -> Parsed<Clause> {
        let lo = self.bump().span.lo;
        self.acsl.moment = Moment::Call;
        let mut groups = Vec::new();
        loop {
            let token = self.token();
            if token.kind == Tok::Ident && matches!(self.snippet(token.span), "\\nothing" | "\\empty") {
                self.bump();
            } else {
                groups.push(self.target(kind)?);
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        let token = self.token();
        if self.snippet(token.span) == "\\from" {
            let help = "what results depend on is not checked; leave `\\from` out";
            return Err(self.not_read(token.span, "`\\from`", help));
        }
        self.expect(Tok::Semi)?;
        Ok(Clause { span: self.since(lo), kind, groups })
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.kind() != Tok::Eof && self.snippet(self.span()) == word {
            self.bump();
            return Ok(());
        }
        Err(self.expected(&format!("`{word}`")))
    }
}
