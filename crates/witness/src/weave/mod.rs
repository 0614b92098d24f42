//! Puts a witness into the syntax tree of its program, so that an analysis of the program checks the witness.
//!
//! The parts are written as C text with holes ([`Weaver::template`]); the text is appended to the program's, so that each node has a
//! place, and constraints of the witness keep their places in the witness: what the type checker says about them
//! points there.
//!
//! [`violation`] restricts the program to the runs of a violation witness, [`invariants`] and [`contracts`] make it check
//! a correctness witness.

mod contracts;
mod invariants;
mod violation;

pub use contracts::{CALL, Contracted};
pub use invariants::{CUT, Mark, MarkedLoop, VIOLATED};
pub use violation::{Mode, PROGRESS};

use crate::model::{Constraint, Position};
use crate::sites::{Site, SiteKind, Sites, item_span};
use base::{Diagnostic, Span};
use syntax::ast::walk::{self, Use, Visit};
use syntax::ast::{BlockItem, Expr, ExprKind, ExternalItem, Stmt, StmtKind, Symbol, TranslationUnit};
use syntax::parse::fragment;
use syntax::preprocess::Source;

/// File name of what weaving adds.
pub const FILE: &str = "<witness>";

/// Name of the holes in templates, followed by a number.
const HOLE: &str = "__hone_hole";

/// What woven code uses; append it to the program as a unit before it is parsed.
pub fn declarations() -> String {
    format!(
        "unsigned {PROGRESS};\nextern void {CUT}(int);\nextern void {VIOLATED}(int);\nextern int {CALL}(int);\nextern void __builtin_abort(void);\n"
    )
}

/// Puts the [`declarations`], the last unit, in front of each other one.
pub fn hoist(unit: &mut TranslationUnit) {
    let begins = |item: &ExternalItem| matches!(item, ExternalItem::File(_));
    let last = unit.items.iter().rposition(begins).unwrap_or(0);
    let mut declarations = unit.items.split_off(last);
    declarations.retain(|item| !begins(item));
    let items = std::mem::take(&mut unit.items);
    for item in items {
        let is_begin = begins(&item);
        unit.items.push(item);
        if is_begin {
            unit.items.extend(declarations.iter().cloned());
        }
    }
}

/// A program into which a witness is being woven.
pub struct Weaver {
    /// Text of the program, of the witness, and of what was woven.
    pub source: Source,
    /// The tree.
    pub unit: TranslationUnit,
    /// Places of the program.
    pub sites: Sites,
    /// Offset of the witness in the text.
    offset: u32,
    /// Texts of constraints that do not stand in the witness as they are: where they went, and where they came from.
    moved: Vec<(Span, Span)>,
}

impl Weaver {
    /// Appends the witness to the text of its program.
    pub fn new(mut source: Source, unit: TranslationUnit, sites: Sites, witness: (&str, &str)) -> Self {
        let offset = source.map.append(witness.0.into(), witness.1).lo;
        Self { source, unit, sites, offset, moved: Vec::new() }
    }

    /// Where the witness begins in the text.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The place in the text of a place in the witness.
    fn in_witness(&self, span: Span) -> Span {
        if span == Span::NONE { span } else { Span::new(span.lo + self.offset, span.hi + self.offset) }
    }

    /// The expression of a constraint, without side effects.
    fn constraint(&mut self, constraint: &Constraint) -> Result<Expr, Vec<Diagnostic>> {
        let stands = self.in_witness(constraint.span);
        let text = constraint.text.replace("\\result", violation::RESULT);
        let exact = constraint.span != Span::NONE && self.source.map.snippet(stands) == text;
        let part = if exact { stands } else { self.append(&text) };
        if !exact {
            self.moved.push((part, stands));
        }
        let parsed = fragment::expression(&self.source, &mut self.unit, part);
        let e = parsed.map_err(|errors| errors.into_iter().map(|d| self.relocated(d)).collect::<Vec<_>>())?;
        let mut effects = Effects { found: None };
        let mut copy = e.clone();
        walk::expr(&mut copy, Use::Value, &mut effects);
        match effects.found {
            None => Ok(e),
            Some(span) => {
                let help = "use variables, constants and operators without assignments and calls";
                let message = "the expression of a witness must not have side effects";
                Err(vec![self.relocated(Diagnostic::error("E0063", span, message).help(help))])
            }
        }
    }

    /// The same diagnostic at a place in the witness.
    pub fn relocated(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = diagnostic.span.map(|span| self.origin(span));
        diagnostic
    }

    /// The place in the witness of an expression that does not stand there as it is.
    pub fn origin(&self, span: Span) -> Span {
        let inside = self.moved.iter().find(|(to, _)| to.lo <= span.lo && span.lo <= to.hi);
        inside.map_or(span, |(_, from)| *from)
    }

    /// Whether a diagnostic is about the witness, and not about the program.
    pub fn concerns_witness(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.span.is_some_and(|span| span.lo >= self.offset)
    }

    fn append(&mut self, text: &str) -> Span {
        let lo = self.source.map.append(FILE.into(), &format!("{text}\n")).lo;
        Span::new(lo, lo + text.len() as u32)
    }

    /// Parses C text and puts expressions into its holes `__hone_hole0`, `__hone_hole1`, …
    fn template(&mut self, text: &str, holes: Vec<Expr>) -> Option<Expr> {
        let part = self.append(text);
        let mut e = fragment::expression(&self.source, &mut self.unit, part).ok()?;
        let symbols: Vec<Option<Symbol>> =
            (0..holes.len()).map(|i| self.unit.names.lookup(&format!("{HOLE}{i}"))).collect();
        walk::expr(&mut e, Use::Value, &mut Fill { symbols, holes });
        Some(e)
    }

    /// Replaces `e` by a template with it in the first hole.
    fn replace(&mut self, e: &mut Expr, text: &str, mut more: Vec<Expr>) {
        let span = e.span;
        more.insert(0, e.clone());
        if let Some(mut new) = self.template(text, more) {
            // What is around looks for its own places by those of its parts.
            new.span = span;
            *e = new;
        }
    }

    /// Makes `e` evaluate another expression before.
    fn evaluate_before(&mut self, e: &mut Expr, first: Expr) {
        self.replace(e, &format!("({HOLE}1, {HOLE}0)"), vec![first]);
    }

    /// The place of this kind that a witness names.
    fn site(&self, kind: SiteKind, at: &Position, span: Span) -> Result<Site, Box<Diagnostic>> {
        if let Some(site) = self.sites.find(kind, at) {
            return Ok(site.clone());
        }
        let what = match kind {
            SiteKind::Statement => "statement begins",
            SiteKind::Loop => "loop begins",
            SiteKind::Branch => "if, loop, switch or `?` stands",
            SiteKind::Call => "call begins",
            SiteKind::CallEnd => "call ends",
            SiteKind::Function => "function is defined",
        };
        let here = match at.column {
            Some(column) => format!("at line {}, column {column}", at.line),
            None => format!("in line {}", at.line),
        };
        let file = self.sites.file(&at.file);
        let of_kind = |site: &&Site| site.kind == kind && file.is_none_or(|file| site.file == file);
        let columns: Vec<String> = self
            .sites
            .all()
            .iter()
            .filter(of_kind)
            .filter(|site| site.position.0 == at.line)
            .map(|site| site.position.1.to_string())
            .collect();
        let nearest = self.sites.all().iter().filter(of_kind).min_by_key(|site| site.position.0.abs_diff(at.line));
        let help = match (columns.as_slice(), nearest) {
            ([], Some(site)) => format!("the nearest is at line {}, column {}", site.position.0, site.position.1),
            ([], None) => "the program has none".to_owned(),
            ([one], _) => format!("in this line, one is at column {one}"),
            (several, _) => format!("in this line, they are at columns {}", several.join(", ")),
        };
        let message = format!("no {what} {here} of the program");
        Err(Box::new(Diagnostic::error("E0064", self.in_witness(span), message).help(help)))
    }
}

/// Puts expressions into holes.
struct Fill {
    symbols: Vec<Option<Symbol>>,
    holes: Vec<Expr>,
}

impl Visit for Fill {
    fn expr(&mut self, e: &mut Expr, _: Use) {
        if let ExprKind::Ident(name) = e.kind
            && let Some(i) = self.symbols.iter().position(|symbol| *symbol == Some(name))
        {
            *e = self.holes[i].clone();
        }
    }
}

/// Finds what has side effects.
struct Effects {
    found: Option<Span>,
}

impl Visit for Effects {
    fn expr(&mut self, e: &mut Expr, _: Use) {
        use syntax::ast::UnaryOp::{PostDec, PostInc, PreDec, PreInc};
        let has_effect = match &e.kind {
            ExprKind::Unary(op, _) => matches!(op, PreInc | PreDec | PostInc | PostDec),
            ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::Call(_) => true,
            ExprKind::Statement(_) | ExprKind::VaArg(..) => true,
            _ => false,
        };
        if has_effect {
            self.found = self.found.or(Some(e.span));
        }
    }
}

/// Puts what `first` has for the offset of a statement before it; blocks have their own statements.
fn before_stmt(stmt: &mut Stmt, first: impl FnOnce(u32) -> Option<Expr>) {
    if !matches!(stmt.kind, StmtKind::Block(_))
        && let Some(first) = first(stmt.span.lo)
    {
        put_before(stmt, evaluate(first));
    }
}

/// Puts what `first` has for the offsets of declarations before them.
fn before_declarations(items: &mut Vec<BlockItem>, mut first: impl FnMut(u32) -> Option<Expr>) {
    let mut at = 0;
    while at < items.len() {
        if let (BlockItem::Declaration(_), Some(span)) = (&items[at], item_span(&items[at]))
            && let Some(first) = first(span.lo)
        {
            items.insert(at, BlockItem::Stmt(evaluate(first)));
            at += 1;
        }
        at += 1;
    }
}

/// A statement that evaluates `e`.
fn evaluate(e: Expr) -> Stmt {
    Stmt { span: e.span, kind: StmtKind::Expr(e) }
}

/// Puts a statement before another one; behind its labels, so that jumps meet it.
fn put_before(stmt: &mut Stmt, first: Stmt) {
    if let StmtKind::Labeled(labeled) = &mut stmt.kind {
        put_before(&mut labeled.body, first);
        return;
    }
    let span = stmt.span;
    let old = std::mem::replace(stmt, Stmt { span, kind: StmtKind::Empty });
    let items = vec![BlockItem::Stmt(first), BlockItem::Stmt(old)];
    stmt.kind = StmtKind::Block(Box::new(syntax::ast::Block { span, local_labels: Vec::new(), items }));
}
