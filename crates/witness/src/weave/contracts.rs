//! Makes a program check the contracts of its functions.
//!
//! What a contract requires is asserted where the function is entered, what it ensures where it returns. Marks divide a call into
//! its ways, of which `transform::cut_calls` chooses: past the body, with any effect that fits the contract; and into
//! the body in any state that fits what is required, as a call further down the recursion may have it. So the two together are the step of
//! an induction over the runs of calls.

use super::{HOLE, VIOLATED, Weaver};
use crate::contract::{BEFORE, Moment, RESULT, translate};
use crate::model::{Constraint, Contract, Dialect, Position};
use crate::sites::SiteKind;
use base::{Diagnostic, Span};
use std::fmt::Write;
use syntax::ast::walk::{self, Use, Visit};
use syntax::ast::{Block, BlockItem, Builtin, Expr, ExprKind, ExternalItem, Params, Stmt, StmtKind, Symbol, TypeSpec};

/// Name of the function that marks the ways of a call; its argument is four times the number of the function in the result of
/// [`Weaver::contracts`], plus the number of the way in `transform::cut_calls::Way`.
pub const CALL: &str = "__witness_call";

/// The label behind the body of a function.
const LEAVE: &str = "__witness_leave";

/// A function with a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contracted {
    /// The function.
    pub function: String,
    /// Where it is defined.
    pub position: Position,
}

/// One side of a contract.
struct Clause {
    /// The number to tell where it is violated.
    number: usize,
    e: Expr,
}

/// What is known of a function.
#[derive(Default)]
struct Clauses {
    requires: Vec<Clause>,
    ensures: Vec<Clause>,
    /// Expressions whose values at the entry are kept.
    before: Vec<String>,
}

impl Weaver {
    /// Weaves contracts in. The one with number `i` tells violations as `first + 2 i` where it is entered, and one more where it
    /// returns.
    ///
    /// # Errors
    /// If the witness does not fit the program.
    pub fn contracts(&mut self, contracts: &[Contract], first: usize) -> Result<Vec<Contracted>, Vec<Diagnostic>> {
        let mut found: Vec<(Contracted, Vec<String>, Clauses)> = Vec::new();
        for (number, contract) in contracts.iter().enumerate() {
            let site = self.site(SiteKind::Function, &contract.at, contract.span).map_err(|d| vec![*d])?;
            let at = match found.iter().position(|(known, ..)| *known.function == *site.function) {
                Some(at) => at,
                None => {
                    let function = site.function.to_string();
                    let params = self.params(&function).ok_or_else(|| {
                        let span = self.in_witness(contract.span);
                        let message = format!("a contract of `{function}`, which has parameters without names");
                        let help = "functions with `...` or unnamed parameters have no contracts here";
                        vec![Diagnostic::error("E0063", span, message).help(help)]
                    })?;
                    let position = self.sites.position_of(&site);
                    found.push((Contracted { function, position }, params, Clauses::default()));
                    found.len() - 1
                }
            };
            let (_, params, clauses) = &mut found[at];
            self.clauses(contract, first + 2 * number, params, clauses)?;
        }
        let mut done = Vec::new();
        for (contracted, params, clauses) in found {
            let at = self.definition(&contracted.function);
            let wrapped = at.and_then(|at| Some((at, self.wrapped(at, &params, &clauses, done.len())?)));
            let Some((at, wrapped)) = wrapped else {
                let message = format!("the contract of `{}` does not fit it", contracted.function);
                return Err(vec![Diagnostic::error("E0063", self.in_witness(Span::new(0, 0)), message)]);
            };
            self.unit.items[at] = wrapped;
            done.push(contracted);
        }
        Ok(done)
    }

    /// The item that defines the function; `None` if several files have one of that name.
    fn definition(&self, function: &str) -> Option<usize> {
        let mut found = (0..self.unit.items.len()).filter(|at| self.defines(&self.unit.items[*at], function));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether an item defines the function.
    fn defines(&self, item: &ExternalItem, function: &str) -> bool {
        let name = match item {
            ExternalItem::Function(def) => def.declarator.name,
            _ => None,
        };
        name.is_some_and(|name| self.unit.names[name.name] == *function)
    }

    /// Adds what a contract says of its function.
    fn clauses(
        &mut self,
        contract: &Contract,
        number: usize,
        params: &[String],
        clauses: &mut Clauses,
    ) -> Result<(), Vec<Diagnostic>> {
        if let Some(requires) = &contract.requires {
            let e = self.clause(requires, Moment::Entry, &mut Vec::new())?;
            clauses.requires.push(Clause { number, e });
        }
        if let Some(ensures) = &contract.ensures {
            let mut before = std::mem::take(&mut clauses.before);
            let mut e = self.clause(ensures, Moment::Exit, &mut before)?;
            if contract.dialect == Dialect::Acsl {
                // There, a parameter is what it was when the function was entered.
                let mut former = Former { names: Vec::new() };
                for param in params {
                    let known = before.iter().position(|text| text == param).unwrap_or_else(|| {
                        before.push(param.clone());
                        before.len() - 1
                    });
                    let name = self.name(&format!("{BEFORE}{known}"));
                    former.names.extend(self.unit.names.lookup(param).zip(name));
                }
                walk::expr(&mut e, Use::Value, &mut former);
            }
            clauses.before = before;
            clauses.ensures.push(Clause { number: number + 1, e });
        }
        Ok(())
    }

    /// The expression of one side; adds what it wants to know of the entry.
    fn clause(
        &mut self,
        constraint: &Constraint,
        moment: Moment,
        before: &mut Vec<String>,
    ) -> Result<Expr, Vec<Diagnostic>> {
        let done = translate(&constraint.text, moment, before.len()).map_err(|part| {
            let span = self.in_witness(constraint.span);
            let message = format!("`{part}` is no part of a contract that Hone reads");
            let help = "use C, `\\result` and `\\at(x, Pre)`";
            vec![Diagnostic::error("E0063", span, message).help(help)]
        })?;
        for text in &done.before {
            // What is wrong with it is told at its place.
            self.constraint(&Constraint { text: text.clone(), ..constraint.clone() })?;
        }
        before.extend(done.before);
        self.constraint(&Constraint { text: done.text, ..constraint.clone() })
    }

    /// The symbol of a name.
    fn name(&mut self, name: &str) -> Option<Symbol> {
        self.template(name, Vec::new())?;
        self.unit.names.lookup(name)
    }

    /// Names of the parameters of a function; `None` if calls of it can't be written with them.
    fn params(&self, function: &str) -> Option<Vec<String>> {
        let names = &self.unit.names;
        let def = self.unit.items.iter().find_map(|item| match item {
            ExternalItem::Function(def) if self.defines(item, function) => Some(def),
            _ => None,
        })?;
        match def.declarator.params()? {
            Params::Unspecified => Some(Vec::new()),
            Params::Prototype { variadic: true, .. } => None,
            Params::Prototype { params, .. } => {
                params.iter().map(|param| Some(names[param.declarator.name?.name].to_owned())).collect()
            }
            Params::Identifiers(list) => Some(list.iter().map(|ident| names[ident.name].to_owned()).collect()),
        }
    }

    /// The definition of a function with the clauses around its body.
    fn wrapped(&mut self, at: usize, params: &[String], clauses: &Clauses, number: usize) -> Option<ExternalItem> {
        // The names of types in what is parsed are those of the unit, so its items stay there meanwhile.
        let mut item = self.unit.items[at].clone();
        let ExternalItem::Function(def) = &item else { return None };
        let function = self.unit.names[def.declarator.name?.name].to_owned();
        let is_void = matches!(def.specs.ty, TypeSpec::Builtin(Builtin::Void)) && def.declarator.derived.len() == 1;
        let mut returns = Returns { weaver: self, is_void, values: false, failed: false };
        walk::unit(std::slice::from_mut(&mut item), &mut returns);
        let has_result = returns.values && !is_void;
        if returns.failed {
            return None;
        }
        let mut declared = String::new();
        if has_result {
            let _ = write!(declared, "__typeof__({function}({})) {RESULT}; ", params.join(", "));
        }
        for (i, text) in clauses.before.iter().enumerate() {
            let _ = write!(declared, "__typeof__({text}) {BEFORE}{i} = ({text}); ");
        }
        let holes: Vec<Expr> = clauses.requires.iter().chain(&clauses.ensures).map(|clause| clause.e.clone()).collect();
        let mut hole = 0;
        let (mut required, mut assumed) = (String::new(), String::new());
        for Clause { number, .. } in &clauses.requires {
            let _ = write!(required, "if (!({HOLE}{hole})) {VIOLATED}({number}); ");
            let _ = write!(assumed, "if (!({HOLE}{hole})) __builtin_abort(); ");
            hole += 1;
        }
        let (mut ensured, mut effect) = (String::new(), String::new());
        for Clause { number, .. } in &clauses.ensures {
            let _ = write!(ensured, "if (!({HOLE}{hole})) {VIOLATED}({number}); ");
            let _ = write!(effect, "if (!({HOLE}{hole})) __builtin_abort(); ");
            hole += 1;
        }
        let result = if has_result { RESULT } else { "" };
        let [past, changed, arbitrary, left] = [0, 1, 2, 3].map(|way| format!("{CALL}({})", 4 * number + way));
        let text = format!(
            "({{ {required} if ({past}) {{ {declared} {changed}; {effect} return {result}; }} {arbitrary}; {assumed} \
             {declared} {{ ; }} {LEAVE}: ; {ensured} {left}; return {result}; }})"
        );
        let Some(Expr { kind: ExprKind::Statement(mut block), .. }) = self.template(&text, holes) else { return None };
        let is_place = |item: &&mut BlockItem| matches!(item, BlockItem::Stmt(Stmt { kind: StmtKind::Block(_), .. }));
        let Some(BlockItem::Stmt(place)) = block.items.iter_mut().find(is_place) else { return None };
        let ExternalItem::Function(def) = &mut item else { return None };
        let span = def.body.span;
        let nothing = Block { span, local_labels: Vec::new(), items: Vec::new() };
        let body = std::mem::replace(&mut def.body, nothing);
        *place = Stmt { span, kind: StmtKind::Block(Box::new(body)) };
        def.body.items = block.items;
        Some(item)
    }
}

/// Puts what parameters were in place of them.
struct Former {
    names: Vec<(Symbol, Symbol)>,
}

impl Visit for Former {
    fn expr(&mut self, e: &mut Expr, _: Use) {
        if let ExprKind::Ident(name) = &mut e.kind
            && let Some((_, former)) = self.names.iter().find(|(param, _)| param == name)
        {
            *name = *former;
        }
    }
}

/// Lets each `return` jump behind the body.
struct Returns<'a> {
    weaver: &'a mut Weaver,
    is_void: bool,
    /// Whether one has a value.
    values: bool,
    /// Whether one could not be replaced.
    failed: bool,
}

impl Visit for Returns<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        let StmtKind::Return(value) = &mut stmt.kind else { return };
        let value = value.take();
        let text = match &value {
            None => format!("({{ goto {LEAVE}; }})"),
            Some(_) if self.is_void => format!("({{ {HOLE}0; goto {LEAVE}; }})"),
            Some(_) => format!("({{ {RESULT} = {HOLE}0; goto {LEAVE}; }})"),
        };
        self.values |= value.is_some();
        let span = value.as_ref().map(|value| value.span);
        let made = self.weaver.template(&text, value.into_iter().collect());
        let Some(Expr { kind: ExprKind::Statement(mut block), .. }) = made else {
            self.failed = true;
            return;
        };
        // What the user returns is no part of the witness.
        if let (Some(span), Some(BlockItem::Stmt(Stmt { span: around, kind: StmtKind::Expr(e) }))) =
            (span, block.items.first_mut())
        {
            (*around, e.span) = (span, span);
        }
        stmt.kind = StmtKind::Block(block);
    }
}
