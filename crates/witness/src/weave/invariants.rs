//! Makes a program check a correctness witness.
//!
//! Each invariant becomes an assertion where it holds. The condition of each loop also gets a mark: there, `transform::cut_loops`
//! lets the loop begin in any state, of which the invariants are assumed behind the mark. So do the places of other invariants,
//! which may be what a loop is proved with (one without a condition in front of its body).

use super::{HOLE, Weaver, before_declarations, before_stmt};
use crate::model::{Invariant, InvariantKind, Position};
use crate::sites::SiteKind;
use base::Diagnostic;
use std::collections::BTreeMap;
use std::fmt::Write;
use syntax::ast::walk::{self, Control, Visit};
use syntax::ast::{BlockItem, Expr, Stmt};

/// Name of the function that marks where a loop can be cut; its argument is the number of the loop. Names that begin with
/// `__hone_` are those of the C library in lowering.
pub const CUT: &str = "__witness_cut";

/// Name of the function that is called where an invariant does not hold; its argument is the number of the invariant.
pub const VIOLATED: &str = "__witness_violated";

/// Where a loop can be cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedLoop {
    /// Where it begins.
    pub position: Position,
    /// What is known there.
    pub mark: Mark,
}

/// What is known at a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The condition of a loop without an invariant.
    Bare,
    /// The condition of a loop with invariants.
    Annotated,
    /// Another place with invariants, which may be in a loop.
    Place,
}

impl Weaver {
    /// Weaves the invariants in, and marks all loops of the user's file; the result tells them by their numbers.
    ///
    /// # Errors
    /// If the witness does not fit the program.
    pub fn invariants(&mut self, invariants: &[Invariant]) -> Result<Vec<MarkedLoop>, Vec<Diagnostic>> {
        let mut asserted: BTreeMap<(SiteKind, u32), Vec<(usize, Expr)>> = BTreeMap::new();
        for (number, invariant) in invariants.iter().enumerate() {
            let kind = match invariant.kind {
                InvariantKind::Loop => SiteKind::Loop,
                InvariantKind::Location => SiteKind::Statement,
            };
            let site = self.site(kind, &invariant.at, invariant.span).map_err(|diagnostic| vec![*diagnostic])?;
            let e = self.constraint(&invariant.value)?;
            asserted.entry((kind, site.offset)).or_default().push((number, e));
        }
        let mut items = std::mem::take(&mut self.unit.items);
        let mut weave = Weave { weaver: self, asserted, loops: Vec::new() };
        walk::unit(&mut items, &mut weave);
        let loops = weave.loops;
        self.unit.items = items;
        Ok(loops)
    }
}

struct Weave<'a> {
    weaver: &'a mut Weaver,
    asserted: BTreeMap<(SiteKind, u32), Vec<(usize, Expr)>>,
    loops: Vec<MarkedLoop>,
}

impl Weave<'_> {
    fn before(&mut self, offset: u32) -> Option<Expr> {
        let list = self.asserted.remove(&(SiteKind::Statement, offset))?;
        let sites = &self.weaver.sites;
        let position = sites.position_of(sites.at(SiteKind::Statement, offset)?);
        let (text, holes) = self.marked(&list, 0, MarkedLoop { position, mark: Mark::Place });
        self.weaver.template(&format!("({{ {text} }})"), holes)
    }

    /// Assertions of invariants, a mark, and assumptions of them; their expressions are in the holes from `first` on.
    fn marked(&mut self, list: &[(usize, Expr)], first: usize, mark: MarkedLoop) -> (String, Vec<Expr>) {
        let number = self.loops.len();
        self.loops.push(mark);
        let (asserted, holes) = assertions(list, first);
        let mut text = format!("{asserted} {CUT}({number}); ");
        for i in 0..list.len() {
            let _ = write!(text, "if (!({HOLE}{})) __builtin_abort(); ", first + i);
        }
        (text, holes)
    }
}

/// Assertions of invariants, whose expressions are in the holes from `first` on.
fn assertions(list: &[(usize, Expr)], first: usize) -> (String, Vec<Expr>) {
    let mut text = String::new();
    for (i, (number, _)) in list.iter().enumerate() {
        let _ = write!(text, "if (!({HOLE}{})) {VIOLATED}({number}); ", first + i);
    }
    (text, list.iter().map(|(_, e)| e.clone()).collect())
}

impl Visit for Weave<'_> {
    fn condition(&mut self, kind: Control, keyword: u32, condition: &mut Option<Expr>, _: &Stmt) {
        if kind == Control::ElseIf
            && let Some(first) = self.before(keyword)
            && let Some(condition) = condition
        {
            self.weaver.evaluate_before(condition, first);
        }
        if matches!(kind, Control::If | Control::ElseIf | Control::Switch) {
            return;
        }
        let sites = &self.weaver.sites;
        let Some(position) = sites.at(SiteKind::Loop, keyword).map(|site| sites.position_of(site)) else { return };
        let list = self.asserted.remove(&(SiteKind::Loop, keyword)).unwrap_or_default();
        let mark = if list.is_empty() { Mark::Bare } else { Mark::Annotated };
        let (marked, holes) = self.marked(&list, 1, MarkedLoop { position, mark });
        if condition.is_none() {
            *condition = self.weaver.template("1", Vec::new());
        }
        let text = format!("(({{ {marked} }}), {HOLE}0)");
        if let Some(condition) = condition {
            self.weaver.replace(condition, &text, holes);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        before_stmt(stmt, |offset| self.before(offset));
    }

    fn items(&mut self, items: &mut Vec<BlockItem>) {
        before_declarations(items, |offset| self.before(offset));
    }
}
