//! Places of a program that witnesses speak of: statements, conditions, calls, with their positions in the file.

use crate::model::Position;
use base::{Name, Place, SourceMap, Span};
use std::collections::BTreeMap;
use syntax::ast::walk::{self, Control, Use, Visit};
use syntax::ast::{
    BlockItem, Expr, ExprKind, FunctionDef, Initializer, Interner, LabelKind, Stmt, StmtKind, TranslationUnit,
};

/// Kinds of places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SiteKind {
    /// A statement or declaration begins.
    Statement,
    /// The first word of a loop.
    Loop,
    /// The first word of a statement with a condition, or the `?` of a conditional expression.
    Branch,
    /// A call begins.
    Call,
    /// The right parenthesis of a call.
    CallEnd,
    /// A definition of a function begins, or its name does.
    Function,
}

/// How positions count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// The text is the file's: lines as they stand there, whatever line markers say.
    File,
    /// The C preprocessor made the text: line markers tell which lines are the file's.
    Markers,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it is.
    pub kind: SiteKind,
    /// Offset in the text.
    pub offset: u32,
    /// The file, by its number among those of the program.
    pub file: usize,
    /// Line and column in the file, from 1.
    pub position: (u32, u32),
    /// Function around it.
    pub function: Name,
}

/// A condition of the program.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Offset of its place of kind [`SiteKind::Branch`].
    pub keyword: u32,
    /// What it controls.
    pub control: Control,
    /// Its expression.
    pub expr: Expr,
}

/// A call of the program.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The whole call.
    pub span: Span,
    /// Offset of its right parenthesis.
    pub end: u32,
    /// If it is all that a statement assigns or initialises: what to, and the offset of the statement or declaration that follows.
    pub assigned: Option<(String, u32)>,
}

/// All places of a program.
pub struct Sites {
    /// Sorted by position; those of kinds at one position in the order of the kinds.
    sites: Vec<Site>,
    conditions: Vec<Condition>,
    calls: Vec<CallSite>,
    /// Spans of statements and declarations, in the order of the tree.
    statements: Vec<Span>,
    /// Loops whose condition always holds or is absent: first word, and where the body begins.
    endless: Vec<(u32, u32)>,
    /// Labels with the offset of the labelled statement.
    labels: Vec<(String, u32)>,
    /// Span of a declaration or statement, and the offset of the next one in the block.
    next: BTreeMap<u32, u32>,
    /// The files of the program.
    files: Vec<Name>,
    /// How positions count in each of them.
    numbering: Vec<Numbering>,
}

impl Sites {
    /// Finds the places of a program; those outside of the user's files are left out. `numbering` has an element for each of them. The tree is
    /// not changed.
    pub fn new(unit: &mut TranslationUnit, map: &SourceMap, numbering: Vec<Numbering>) -> Self {
        let mut finder = Finder {
            map,
            names: &unit.names,
            function: Name::from(""),
            found: Sites {
                sites: Vec::new(),
                conditions: Vec::new(),
                calls: Vec::new(),
                statements: Vec::new(),
                endless: Vec::new(),
                labels: Vec::new(),
                next: BTreeMap::new(),
                files: map.files().iter().map(|file| file.name.clone()).collect(),
                numbering,
            },
        };
        walk::unit(&mut unit.items, &mut finder);
        let mut found = finder.found;
        found.sites.sort_by_key(|site| (site.file, site.position, site.kind, site.offset));
        found.calls.sort_by_key(|call| (call.span.lo, call.span.hi));
        found.conditions.sort_by_key(|condition| (condition.expr.span.lo, condition.expr.span.hi));
        found
    }

    /// The places in the order of their positions.
    pub fn all(&self) -> &[Site] {
        &self.sites
    }

    /// The place of this kind at an offset.
    pub fn at(&self, kind: SiteKind, offset: u32) -> Option<&Site> {
        self.sites.iter().find(|site| site.kind == kind && site.offset == offset)
    }

    /// The place of this kind at a position: exactly there, or the leftmost of the line if it has no column.
    pub fn find(&self, kind: SiteKind, at: &Position) -> Option<&Site> {
        let (file, line) = (self.file(&at.file)?, at.line);
        let from = self.sites.partition_point(|site| (site.file, site.position.0) < (file, line));
        let line = self.sites[from..].iter().take_while(|site| (site.file, site.position.0) == (file, line));
        line.filter(|site| site.kind == kind).find(|site| at.column.is_none_or(|column| site.position.1 == column))
    }

    /// The file that a witness names: witnesses are made elsewhere, so its folder need not be the same.
    pub fn file(&self, name: &str) -> Option<usize> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let exact = self.files.iter().position(|file| **file == *name);
        exact.or_else(|| self.files.iter().position(|file| base(file) == base(name)))
    }

    /// The position of a place, for a witness.
    pub fn position_of(&self, site: &Site) -> Position {
        let ((line, column), file) = (site.position, self.files[site.file].to_string());
        Position { file, line, column: Some(column), function: Some(site.function.to_string()) }
    }

    /// The smallest condition around a span.
    pub fn condition_around(&self, span: Span) -> Option<&Condition> {
        let until = self.conditions.partition_point(|c| c.expr.span.lo <= span.lo);
        let around = self.conditions[..until].iter().filter(|c| span.hi <= c.expr.span.hi);
        around.min_by_key(|c| c.expr.span.hi - c.expr.span.lo)
    }

    /// The call with this span, or the smallest around it.
    pub fn call_around(&self, span: Span) -> Option<&CallSite> {
        let until = self.calls.partition_point(|call| call.span.lo <= span.lo);
        let around = self.calls[..until].iter().filter(|call| span.hi <= call.span.hi);
        around.min_by_key(|call| call.span.hi - call.span.lo)
    }

    /// The smallest statement or declaration around a span.
    pub fn statement_around(&self, span: Span) -> Option<Span> {
        let around = self.statements.iter().filter(|s| s.lo <= span.lo && span.hi <= s.hi);
        around.min_by_key(|s| s.hi - s.lo).copied()
    }

    /// The place where something holds that was found at `place`, as line markers count: the loop whose condition stands
    /// there, or whose body begins there without any condition, or the statement that begins there, with its condition if it is a branching.
    /// Loops are entered where a statement begins, whichever part of it comes first.
    pub fn at_place(&self, map: &SourceMap, place: &Place) -> Option<&Site> {
        let before = |offset: u32| map.place(offset).filter(|p| p.file == place.file).is_some_and(|p| p <= *place);
        let behind = |offset: u32| map.place(offset).filter(|p| p.file == place.file).is_some_and(|p| p > *place);
        let is_loop = |c: &&Condition| !matches!(c.control, Control::If | Control::ElseIf | Control::Switch);
        let around =
            self.conditions.iter().filter(is_loop).filter(|c| before(c.expr.span.lo) && behind(c.expr.span.hi));
        let condition = around.min_by_key(|c| c.expr.span.hi - c.expr.span.lo);
        let simple = |s: &&Span| {
            let within = |c: &Condition| s.lo <= c.expr.span.lo && c.expr.span.hi <= s.hi;
            before(s.lo) && behind(s.hi.saturating_sub(1)) && !self.conditions.iter().any(within)
        };
        let statement = self.statements.iter().filter(simple).min_by_key(|s| s.hi - s.lo).map(|s| s.lo);
        let starts = |offset: u32| map.place(offset).is_some_and(|p| p == *place) || statement == Some(offset);
        let endless = || self.endless.iter().find(|(_, body)| starts(*body));
        let keyword = condition.map(|c| c.keyword).or_else(|| endless().map(|(keyword, _)| *keyword));
        if let Some(keyword) = keyword {
            return self.at(SiteKind::Loop, keyword);
        }
        // Nothing happens between the first word of a branching and its condition.
        let branching = self.conditions.iter().find(|c| !is_loop(c) && starts(c.expr.span.lo)).map(|c| c.keyword);
        let at = |offset: u32| branching.map_or_else(|| starts(offset), |keyword| keyword == offset);
        self.sites.iter().find(|site| site.kind == SiteKind::Statement && at(site.offset))
    }

    /// Where a function is defined; `None` if several files have one of that name.
    pub fn function(&self, name: &str) -> Option<&Site> {
        let mut named = self.sites.iter().filter(|site| site.kind == SiteKind::Function && *site.function == *name);
        let first = named.next()?;
        named.all(|site| site.file == first.file).then_some(first)
    }

    /// The statement or declaration after the one at an offset, in the same block.
    pub fn next_statement(&self, offset: u32) -> Option<u32> {
        self.next.get(&offset).copied()
    }

    /// Whether the statement at the offset carries this label.
    pub fn has_label(&self, offset: u32, label: &str) -> bool {
        self.labels.iter().any(|(name, at)| *at == offset && name == label)
    }

    /// Offset of the statement with this label; the first if several functions have one.
    pub fn labelled(&self, label: &str, function: &str) -> Option<u32> {
        let mut named = self.labels.iter().filter(|(name, _)| name == label).map(|(_, at)| *at);
        named.find(|at| self.at(SiteKind::Statement, *at).is_some_and(|site| &*site.function == function))
    }
}

/// The number of the file, line and column of an offset; `None` outside of the user's files.
fn position(map: &SourceMap, numbering: &[Numbering], offset: u32) -> Option<(usize, (u32, u32))> {
    if offset as usize >= map.user_text().len() {
        return None;
    }
    let number = map.file_number(offset);
    let file = &map.files()[number];
    let position = match numbering.get(number)? {
        Numbering::File => {
            let (start, _) = map.line_at(offset);
            let line = map.physical_line(offset) - map.physical_line(file.lo);
            (line as u32 + 1, offset - start + 1)
        }
        Numbering::Markers => {
            let place = map.place(offset).filter(|place| place.file == file.name)?;
            (place.line, place.column)
        }
    };
    Some((number, position))
}

/// Offset of the next `wanted` at or behind `from`, over blanks, commas and `(` only.
pub(crate) fn find_after(text: &str, from: u32, wanted: u8) -> Option<u32> {
    let bytes = text.as_bytes().get(from as usize..)?;
    let at = bytes.iter().position(|b| *b == wanted)?;
    let between = &bytes[..at];
    between
        .iter()
        .all(|b| b.is_ascii_whitespace() || *b == b'(' && wanted == b')' || *b == b')' && wanted == b'?')
        .then_some(from + at as u32)
}

/// Offset of the right parenthesis of a call.
pub(crate) fn call_end(text: &str, e: &Expr) -> Option<u32> {
    let ExprKind::Call(call) = &e.kind else { return None };
    let last = call.args.last().map_or(call.callee.span.hi, |arg| arg.span.hi);
    find_after(text, last, b')')
}

/// Offset of the `?` of a conditional expression.
pub(crate) fn question_mark(text: &str, e: &Expr) -> Option<u32> {
    let ExprKind::Conditional(parts) = &e.kind else { return None };
    find_after(text, parts.condition.span.hi, b'?')
}

/// The call that an expression is, perhaps converted.
fn only_call(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Call(_) => Some(e),
        ExprKind::Cast(_, inner) => only_call(inner),
        _ => None,
    }
}

/// Offset at which a block item begins, and its span.
pub(crate) fn item_span(item: &BlockItem) -> Option<Span> {
    match item {
        BlockItem::Stmt(stmt) => Some(stmt.span),
        BlockItem::Declaration(declaration) => Some(declaration.span),
        BlockItem::StaticAssert(_) => None,
    }
}

struct Finder<'a> {
    map: &'a SourceMap,
    names: &'a Interner,
    function: Name,
    found: Sites,
}

impl Finder<'_> {
    fn add(&mut self, kind: SiteKind, offset: u32) {
        if let Some((file, position)) = position(self.map, &self.found.numbering, offset) {
            let function = self.function.clone();
            self.found.sites.push(Site { kind, offset, file, position, function });
        }
    }

    /// What an item assigns the result of a call to.
    fn assigned(&self, item: &BlockItem) -> Option<(String, Span)> {
        let (target, value) = match item {
            BlockItem::Declaration(declaration) => match declaration.declarators.as_slice() {
                [one] => {
                    let Some(Initializer::Expr(value)) = &one.init else { return None };
                    (self.names[one.declarator.name?.name].to_owned(), value)
                }
                _ => return None,
            },
            BlockItem::Stmt(Stmt {
                kind: StmtKind::Expr(Expr { kind: ExprKind::Assign(target, value), .. }), ..
            }) => match &target.kind {
                ExprKind::Ident(name) => (self.names[*name].to_owned(), &**value),
                _ => return None,
            },
            _ => return None,
        };
        Some((target, only_call(value)?.span))
    }
}

impl Visit for Finder<'_> {
    fn function(&mut self, def: &FunctionDef) {
        if let Some(name) = def.declarator.name {
            self.function = self.names.name(name.name).clone();
            self.add(SiteKind::Function, def.span.lo);
            if name.span.lo != def.span.lo {
                self.add(SiteKind::Function, name.span.lo);
            }
        }
    }

    fn expr(&mut self, e: &mut Expr, _: Use) {
        let text = self.map.text();
        if let Some(end) = call_end(text, e) {
            self.add(SiteKind::CallEnd, end);
            self.add(SiteKind::Call, e.span.lo);
            self.found.calls.push(CallSite { span: e.span, end, assigned: None });
        }
        if let Some(at) = question_mark(text, e) {
            self.add(SiteKind::Branch, at);
        }
    }

    fn condition(&mut self, control: Control, keyword: u32, condition: &mut Option<Expr>, body: &Stmt) {
        self.add(SiteKind::Branch, keyword);
        if !matches!(control, Control::If | Control::ElseIf | Control::Switch) {
            self.add(SiteKind::Loop, keyword);
        }
        if control == Control::ElseIf {
            self.add(SiteKind::Statement, keyword);
        }
        let constant = |e: &Expr| matches!(&e.kind, ExprKind::Int(n) if n.value != 0);
        if matches!(control, Control::While | Control::For) && condition.as_ref().is_none_or(constant) {
            let first = match &body.kind {
                StmtKind::Block(block) => block.items.iter().find_map(item_span),
                _ => None,
            };
            self.found.endless.push((keyword, first.unwrap_or(body.span).lo));
        }
        if let Some(e) = condition {
            self.found.conditions.push(Condition { keyword, control, expr: e.clone() });
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        if !matches!(stmt.kind, StmtKind::Block(_)) {
            self.add(SiteKind::Statement, stmt.span.lo);
            self.found.statements.push(stmt.span);
        }
        if let StmtKind::Labeled(labeled) = &stmt.kind {
            for label in &labeled.labels {
                if let LabelKind::Named(ident, _) = &label.kind {
                    self.found.labels.push((self.names[ident.name].to_owned(), stmt.span.lo));
                }
            }
        }
    }

    fn items(&mut self, items: &mut Vec<BlockItem>) {
        for (i, item) in items.iter().enumerate() {
            let Some(span) = item_span(item) else { continue };
            if let BlockItem::Declaration(_) = item {
                self.add(SiteKind::Statement, span.lo);
                self.found.statements.push(span);
            }
            let following = items[i + 1..].iter().find_map(|item| match item {
                // A block begins where its first item does; that the witness would have to look into.
                BlockItem::Stmt(Stmt { kind: StmtKind::Block(_), .. }) => None,
                item => item_span(item),
            });
            let Some(next) = following
                .filter(|_| !matches!(items.get(i + 1), Some(BlockItem::Stmt(Stmt { kind: StmtKind::Block(_), .. }))))
            else {
                continue;
            };
            self.found.next.insert(span.lo, next.lo);
            if let Some((target, call)) = self.assigned(item)
                && let Some(site) = self.found.calls.iter_mut().rev().find(|site| site.span == call)
            {
                site.assigned = Some((target, next.lo));
            }
        }
    }
}
