//! Annotations in ACSL [baudin-acsl]: comments before functions, loops and statements that say what holds there.
//!
//! They become what CBMC's dialect says in clauses and calls, so nothing behind the parser knows of them. The tokens of an annotation are a list of their own, which stands in
//! for the program's while it is parsed. What is wrong in the contract of a function or loop is kept in it, and is an error only where somebody asks for the contract.

mod build;
mod clause;
mod memory;
mod quantifier;
mod term;

use super::scope::Class;
use super::{Failed, Parsed, Parser};
use crate::ast::{Block, BlockItem, Contract, Declarator, Params, Stmt, StmtKind, Writes};
use crate::lex::{Annotation, Tok};
use base::{Diagnostic, Span};
use std::collections::VecDeque;

/// Words that begin annotations of a file which only define what others may use; what uses them is an error.
const DEFINITIONS: [&str; 9] =
    ["predicate", "logic", "lemma", "axiomatic", "axiom", "inductive", "model", "import", "include"];

/// Where a term or predicate stands: decides what may be said of other states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Moment {
    /// In a clause about the call of a function.
    Call,
    /// In a clause about its return.
    Return,
    /// In an invariant.
    Loop,
    /// Elsewhere in a function.
    #[default]
    Here,
}

/// What the parser knows of annotations.
#[derive(Default)]
pub(super) struct Acsl {
    /// Those that were not met yet.
    rest: VecDeque<Annotation>,
    /// Those of the loop that begins here.
    of_loop: Vec<Annotation>,
    /// Whether one is being parsed.
    pub is_open: bool,
    moment: Moment,
    /// Number of nodes that were copied in the annotation.
    copied: usize,
    /// Ranges that nothing took yet.
    ranges: Vec<Span>,
}

impl Acsl {
    pub fn new(annotations: Vec<Annotation>) -> Self {
        Self { rest: annotations.into(), ..Self::default() }
    }
}

impl Parser<'_> {
    /// Whether an annotation stands before the current token, or was passed by.
    #[inline]
    pub(super) fn stands_annotation(&self) -> bool {
        self.acsl.rest.front().is_some_and(|annotation| annotation.before <= self.pos) && !self.acsl.is_open
    }

    /// The annotations before the current token.
    pub(super) fn annotations(&mut self) -> Vec<Annotation> {
        let mut found = Vec::new();
        while self.stands_annotation()
            && let Some(annotation) = self.acsl.rest.pop_front()
        {
            if annotation.before == self.pos {
                found.push(annotation);
            } else {
                self.misplaced(annotation.span, "annotations are read before functions, loops and statements");
            }
        }
        found
    }

    /// Annotations of a file: those of the function that comes next.
    pub(super) fn annotations_of_file(&mut self) -> Vec<Annotation> {
        let mut found = self.annotations();
        found.retain(|annotation| {
            let (first, second) = (self.word_of(annotation, 0), self.word_of(annotation, 1));
            !DEFINITIONS.contains(&first) && !matches!((first, second), ("ghost", _)) && (first, second) != ("type", "")
        });
        found
    }

    /// What was passed by after an error is not asked for.
    pub(super) fn forget_annotations(&mut self) {
        while self.stands_annotation() {
            self.acsl.rest.pop_front();
        }
        self.acsl.of_loop.clear();
    }

    /// A word of an annotation; empty if there is none.
    fn word_of(&self, annotation: &Annotation, at: usize) -> &str {
        match annotation.tokens.get(at) {
            Some(token) if token.kind != Tok::Eof => &self.text[token.span.lo as usize..token.span.hi as usize],
            _ => "",
        }
    }

    pub(super) fn misplaced(&mut self, span: Span, help: &str) {
        let text = "no annotation is read at this place";
        self.errors.push(Diagnostic::error("E0126", span, text).help(help));
    }

    /// Adds the contract in annotations before a function.
    pub(super) fn function_annotations(&mut self, annotations: Vec<Annotation>, declarator: &mut Declarator) {
        let Some(first) = annotations.first() else { return };
        if declarator.params().is_none() {
            return self.misplaced(first.span, "what follows is no function");
        }
        self.scopes.push();
        self.declare_params(declarator);
        let mut contract = declarator.contract.take().unwrap_or_default();
        contract.writes = Writes::Anything;
        for annotation in annotations {
            match self.inside(annotation, Self::acsl_contract) {
                Ok(clauses) => contract.clauses.extend(clauses),
                Err(errors) => contract.unread.extend(errors),
            }
        }
        declarator.contract = Some(contract);
        self.scopes.pop();
    }

    /// Names of parameters are no types.
    pub(super) fn declare_params(&mut self, declarator: &Declarator) {
        if let Some(Params::Prototype { params, .. }) = declarator.params() {
            for name in params.iter().filter_map(|param| param.declarator.name) {
                self.scopes.declare(name.name, Class::Other);
            }
        }
    }

    /// Annotations of the loop that begins here.
    pub(super) fn annotations_of_loop(&mut self) -> Vec<Annotation> {
        std::mem::take(&mut self.acsl.of_loop)
    }

    /// Adds the contract in annotations before a loop.
    pub(super) fn loop_annotations(&mut self, annotations: Vec<Annotation>, contract: &mut Option<Box<Contract>>) {
        for annotation in annotations {
            let contract = contract.get_or_insert_default();
            contract.holds_before = true;
            match self.inside(annotation, Self::acsl_loop) {
                Ok(clauses) => contract.clauses.extend(clauses),
                Err(errors) => contract.unread.extend(errors),
            }
        }
    }

    /// A statement with annotations before it.
    #[inline(never)]
    pub(super) fn annotated_statement(&mut self) -> Parsed<Stmt> {
        self.enter()?;
        let lo = self.span().lo;
        let mut items = Vec::new();
        self.claims(&mut items);
        let stmt = self.statement()?;
        self.leave();
        if items.is_empty() {
            return Ok(stmt);
        }
        items.push(BlockItem::Stmt(stmt));
        let span = self.since(lo);
        Ok(Stmt { span, kind: StmtKind::Block(Box::new(Block { span, local_labels: Vec::new(), items })) })
    }

    /// Appends what annotations before the current token claim. Those of a loop wait for it.
    pub(super) fn claims(&mut self, items: &mut Vec<BlockItem>) {
        for annotation in self.annotations() {
            let span = annotation.span;
            match self.word_of(&annotation, 0) {
                "loop" if matches!(self.kind(), Tok::While | Tok::Do | Tok::For) => self.acsl.of_loop.push(annotation),
                "loop" => self.misplaced(span, "what follows is no loop"),
                "assert" | "check" | "admit" => match self.inside(annotation, Self::acsl_claims) {
                    Ok(stmts) => items.extend(stmts.into_iter().map(BlockItem::Stmt)),
                    Err(errors) => self.errors.extend(errors),
                },
                _ => self.misplaced(
                    span,
                    "before statements, `assert`, `check`, `admit` and the clauses of loops are read; contracts of statements and ghost code are not",
                ),
            }
        }
    }

    /// Parses with the tokens of an annotation.
    ///
    /// # Errors
    /// At least one diagnostic.
    fn inside<R>(
        &mut self,
        annotation: Annotation,
        parse: impl FnOnce(&mut Self) -> Parsed<R>,
    ) -> Result<R, Vec<Diagnostic>> {
        let Annotation { tokens, errors, .. } = annotation;
        if !errors.is_empty() {
            return Err(errors);
        }
        let (depth, scopes, n_errors) = (self.depth, self.scopes.depth(), self.errors.len());
        let tokens = std::mem::replace(&mut self.tokens, tokens);
        let pos = std::mem::replace(&mut self.pos, 0);
        self.acsl.is_open = true;
        self.acsl.copied = 0;
        let mut result = parse(self);
        if let (Ok(_), Some(span)) = (&result, self.acsl.ranges.pop()) {
            result = Err(self.not_read(
                span,
                "a range of values",
                "ranges are read in locations, as in `\\valid(p + (0 .. n - 1))`",
            ));
        }
        self.acsl.ranges.clear();
        self.acsl.is_open = false;
        (self.tokens, self.pos, self.depth) = (tokens, pos, depth);
        self.scopes.pop_to(scopes);
        let errors = self.errors.split_off(n_errors);
        match result {
            Ok(result) if errors.is_empty() => Ok(result),
            _ => Err(errors),
        }
    }

    /// An error: a part of ACSL that is not read.
    #[cold]
    fn not_read(&mut self, span: Span, what: &str, help: &str) -> Failed {
        let error = Diagnostic::error("E0126", span, format!("{what} is not read in annotations"));
        self.fail(error.label("not understood").help(help))
    }
}
