//! Restricts a program to the runs of a violation witness.
//!
//! A global variable counts the segments that were passed. Where a waypoint is, the program compares it with the number of the
//! waypoint's segment: it ends the run at what has to be avoided, and counts what is followed. In [`Mode::Strict`], a run
//! also ends where the next waypoint is evaluated without being passed, and what is known by then is assigned: in this way
//! a witness that tells all inputs leaves one run, without any choice.

use super::{HOLE, VIOLATED, Weaver, before_declarations, before_stmt};
use crate::model::{Segment, Waypoint, WaypointKind};
use crate::sites::{self, SiteKind};
use base::Diagnostic;
use std::collections::BTreeMap;
use std::fmt::Write;
use syntax::ast::walk::{self, Control, Use, Visit};
use syntax::ast::{BinaryOp, BlockItem, Expr, ExprKind, LabelKind, Stmt, StmtKind};

/// Name of the variable that counts segments.
pub const PROGRESS: &str = "__witness_at";

/// Name of a call's result in constraints.
pub(super) const RESULT: &str = "__hone_result";

/// What happens where the next waypoint is evaluated and not passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The run ends.
    Strict,
    /// The run goes on; the waypoint may be passed later.
    Lenient,
}

/// What to do at a place.
struct Act {
    /// The segment.
    segment: usize,
    follow: bool,
    kind: WaypointKind,
    /// The constraint's expression.
    constraint: Option<Expr>,
}

impl Weaver {
    /// Weaves the segments in. With `report`, the program calls [`super::VIOLATED`] when so many were passed.
    ///
    /// # Errors
    /// If the witness does not fit the program.
    pub fn violation(
        &mut self,
        segments: &[Segment],
        mode: Mode,
        report: Option<usize>,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut acts: BTreeMap<(SiteKind, u32), Vec<Act>> = BTreeMap::new();
        for (segment, Segment { avoid, follow }) in segments.iter().enumerate() {
            for (waypoint, follow) in avoid.iter().map(|w| (w, false)).chain([(follow, true)]) {
                let at = self.place_of(waypoint).map_err(|diagnostic| vec![*diagnostic])?;
                let constraint = match &waypoint.kind {
                    WaypointKind::Assumption(c) | WaypointKind::Return(Some(c)) => Some(self.constraint(c)?),
                    _ => None,
                };
                let act = Act { segment, follow, kind: waypoint.kind.clone(), constraint };
                acts.entry(at).or_default().push(act);
            }
        }
        let mut items = std::mem::take(&mut self.unit.items);
        walk::unit(&mut items, &mut Weave { weaver: self, acts, mode, report });
        self.unit.items = items;
        Ok(())
    }

    fn place_of(&self, waypoint: &Waypoint) -> Result<(SiteKind, u32), Box<Diagnostic>> {
        let site = |kind| self.site(kind, &waypoint.at, waypoint.span);
        let site = match waypoint.kind {
            WaypointKind::Assumption(_) => site(SiteKind::Statement),
            WaypointKind::Target => {
                let exact = self
                    .sites
                    .find(SiteKind::Statement, &waypoint.at)
                    .or_else(|| self.sites.find(SiteKind::Call, &waypoint.at));
                exact.cloned().map_or_else(|| site(SiteKind::Statement), Ok)
            }
            WaypointKind::Branch(_) | WaypointKind::Case(_) | WaypointKind::Default => site(SiteKind::Branch),
            WaypointKind::Enter | WaypointKind::Return(_) => site(SiteKind::CallEnd),
        }?;
        Ok((site.kind, site.offset))
    }

    /// The label and function of a target that is a labelled statement.
    pub fn target_label(&self, segments: &[Segment], labels: &[&str]) -> Option<(String, String)> {
        let target = &segments.last()?.follow;
        let site = self.sites.find(SiteKind::Statement, &target.at)?;
        let label = labels.iter().find(|label| self.sites.has_label(site.offset, label))?;
        Some((site.function.to_string(), (*label).to_owned()))
    }
}

struct Weave<'a> {
    weaver: &'a mut Weaver,
    acts: BTreeMap<(SiteKind, u32), Vec<Act>>,
    mode: Mode,
    report: Option<usize>,
}

/// Statements with the segments in which they are executed, and the expressions in their holes.
#[derive(Default)]
struct Code {
    parts: Vec<(usize, String)>,
    holes: Vec<Expr>,
}

impl Code {
    /// One statement that decides by the number of segments passed; statements of consecutive segments follow each other.
    fn text(&self) -> String {
        let mut groups: Vec<Vec<&(usize, String)>> = Vec::new();
        for part in &self.parts {
            match groups.last_mut() {
                Some(group) if group.last().is_some_and(|last| last.0 + 1 >= part.0) => group.push(part),
                _ => groups.push(vec![part]),
            }
        }
        tree(&groups)
    }
}

fn tree(groups: &[Vec<&(usize, String)>]) -> String {
    match groups {
        [] => String::new(),
        [one] => one.iter().fold(String::new(), |mut text, (segment, code)| {
            let _ = write!(text, "if ({PROGRESS} == {segment}u) {{ {code} }} ");
            text
        }),
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            let split = right[0][0].0;
            format!("if ({PROGRESS} < {split}u) {{ {} }} else {{ {} }} ", tree(left), tree(right))
        }
    }
}

impl Weave<'_> {
    fn take(&mut self, kind: SiteKind, offset: u32) -> Option<Vec<Act>> {
        self.acts.remove(&(kind, offset)).filter(|acts| !acts.is_empty())
    }

    /// What happens when a waypoint is evaluated: `passed` says whether it is passed, `known` what holds then.
    fn act(&self, act: &Act, passed: &str, known: &str) -> String {
        let next = self.pass(act);
        match (act.follow, self.mode) {
            (false, _) => format!("if ({passed}) __builtin_abort();"),
            (true, Mode::Lenient) => format!("if ({passed}) {{ {next} }}"),
            (true, Mode::Strict) => format!("if (!({passed})) __builtin_abort(); {next} {known}"),
        }
    }

    /// The segment is passed.
    fn pass(&self, act: &Act) -> String {
        let next = act.segment + 1;
        let report = if self.report == Some(next) { format!("{VIOLATED}(0);") } else { String::new() };
        format!("{PROGRESS} = {next}u; {report}")
    }

    /// Assumptions and target before a statement.
    fn before(&mut self, offset: u32) -> Option<Expr> {
        let acts = self.take(SiteKind::Statement, offset)?;
        let mut code = Code::default();
        for act in &acts {
            let text = match &act.constraint {
                None => self.pass(act),
                Some(e) => {
                    let hole = format!("{HOLE}{}", code.holes.len());
                    code.holes.push(e.clone());
                    let mut known = String::new();
                    if let Some((target, value)) = as_equation(e) {
                        let _ = write!(known, "{HOLE}{} = {HOLE}{};", code.holes.len(), code.holes.len() + 1);
                        code.holes.extend([target.clone(), value.clone()]);
                    }
                    self.act(act, &hole, &known)
                }
            };
            code.parts.push((act.segment, text));
        }
        let text = format!("({{ {} }})", code.text());
        self.weaver.template(&text, code.holes)
    }

    /// Waypoints of a condition.
    fn branch(&mut self, acts: &[Act], condition: &mut Expr) {
        let mut code = Code::default();
        for act in acts {
            let WaypointKind::Branch(truth) = act.kind else { continue };
            let (passed, known) =
                if truth { ("__hone_truth", "__hone_truth = 1;") } else { ("!__hone_truth", "__hone_truth = 0;") };
            code.parts.push((act.segment, self.act(act, passed, known)));
        }
        let text = format!("({{ int __hone_truth = !!({HOLE}0); {} __hone_truth; }})", code.text());
        self.weaver.replace(condition, &text, Vec::new());
    }

    fn switch(&mut self, acts: &[Act], value: &mut Expr, body: &Stmt) {
        let mut labels = Vec::new();
        cases(body, &mut labels);
        let others: Vec<String> = labels
            .iter()
            .enumerate()
            .map(|(i, (_, high))| match high {
                Some(_) => format!("(__hone_case >= {HOLE}{} && __hone_case <= {HOLE}{})", 2 * i + 1, 2 * i + 2),
                None => format!("__hone_case == {HOLE}{}", 2 * i + 1),
            })
            .collect();
        let holes: Vec<Expr> = labels.iter().flat_map(|(low, high)| [*low, high.unwrap_or(low)]).cloned().collect();
        let mut code = Code::default();
        for act in acts {
            let (passed, known) = match act.kind {
                WaypointKind::Case(n) => {
                    let Some(n) = crate::violation::integer(n) else { continue };
                    (format!("__hone_case == {n}"), format!("__hone_case = {n};"))
                }
                WaypointKind::Default if others.is_empty() => ("1".to_owned(), String::new()),
                WaypointKind::Default => (format!("!({})", others.join(" || ")), String::new()),
                _ => continue,
            };
            code.parts.push((act.segment, self.act(act, &passed, &known)));
        }
        let text = format!("({{ __auto_type __hone_case = ({HOLE}0) + 0; {} __hone_case; }})", code.text());
        self.weaver.replace(value, &text, holes);
    }

    fn calls(&mut self, acts: &[Act], e: &mut Expr, used: Use) {
        let mut enter = Code::default();
        let mut leave = Code::default();
        let mut holes = Vec::new();
        let mut constrained = false;
        for act in acts {
            match (&act.kind, &act.constraint) {
                (WaypointKind::Enter, _) if act.follow => enter.parts.push((act.segment, self.pass(act))),
                (WaypointKind::Enter, _) => enter.parts.push((act.segment, "__builtin_abort();".to_owned())),
                (WaypointKind::Return(_), None) => leave.parts.push((act.segment, self.act(act, "1", ""))),
                (WaypointKind::Return(_), Some(constraint)) => {
                    constrained = true;
                    let hole = format!("{HOLE}{}", holes.len() + 1);
                    holes.push(constraint.clone());
                    let mut known = String::new();
                    if let Some((_, value)) = as_equation(constraint) {
                        let _ = write!(known, "{RESULT} = {HOLE}{};", holes.len() + 1);
                        holes.push(value.clone());
                    }
                    leave.parts.push((act.segment, self.act(act, &hole, &known)));
                }
                _ => {}
            }
        }
        if !leave.parts.is_empty() {
            let text = if used == Use::Discarded && !constrained {
                format!("({{ {HOLE}0; {} }})", leave.text())
            } else {
                format!("({{ __auto_type {RESULT} = {HOLE}0; {} {RESULT}; }})", leave.text())
            };
            // The call's own span stays, so that reports show it.
            self.enter(&enter, e);
            self.weaver.replace(e, &text, holes);
        } else {
            self.enter(&enter, e);
        }
    }

    /// A call is entered when its arguments were evaluated.
    fn enter(&mut self, code: &Code, e: &mut Expr) {
        if code.parts.is_empty() {
            return;
        }
        let text = code.text();
        if let ExprKind::Call(call) = &mut e.kind
            && call.args.iter().any(has_call)
            && let Some(last) = call.args.last_mut()
        {
            let template = format!("({{ __auto_type __hone_last = {HOLE}0; {text} __hone_last; }})");
            self.weaver.replace(last, &template, Vec::new());
            return;
        }
        self.weaver.replace(e, &format!("(({{ {text} }}), {HOLE}0)"), Vec::new());
    }
}

impl Visit for Weave<'_> {
    fn expr(&mut self, e: &mut Expr, used: Use) {
        let (end, start) = (sites::call_end(self.weaver.source.map.text(), e), e.span.lo);
        if let Some(end) = end {
            if let Some(acts) = self.take(SiteKind::CallEnd, end) {
                self.calls(&acts, e, used);
            }
            if let Some(acts) = self.take(SiteKind::Call, start) {
                let mut code = Code::default();
                for act in &acts {
                    code.parts.push((act.segment, self.pass(act)));
                }
                self.weaver.replace(e, &format!("(({{ {} }}), {HOLE}0)", code.text()), Vec::new());
            }
        }
        if let Some(at) = sites::question_mark(self.weaver.source.map.text(), e)
            && let Some(acts) = self.take(SiteKind::Branch, at)
            && let ExprKind::Conditional(parts) = &mut e.kind
        {
            self.branch(&acts, &mut parts.condition);
        }
    }

    fn condition(&mut self, kind: Control, keyword: u32, condition: &mut Option<Expr>, body: &Stmt) {
        if let Some(acts) = self.take(SiteKind::Branch, keyword) {
            if condition.is_none() {
                *condition = self.weaver.template("1", Vec::new());
            }
            if let Some(condition) = condition {
                if kind == Control::Switch {
                    self.switch(&acts, condition, body);
                } else {
                    self.branch(&acts, condition);
                }
            }
        }
        if kind == Control::ElseIf
            && let Some(first) = self.before(keyword)
            && let Some(condition) = condition
        {
            self.weaver.evaluate_before(condition, first);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        before_stmt(stmt, |offset| self.before(offset));
    }

    fn items(&mut self, items: &mut Vec<BlockItem>) {
        before_declarations(items, |offset| self.before(offset));
    }
}

/// `variable == constant`.
fn as_equation(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Eq, target, value)
            if matches!(target.kind, ExprKind::Ident(_)) && is_constant(value) =>
        {
            Some((target, value))
        }
        _ => None,
    }
}

fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) => true,
        ExprKind::Unary(_, a) => is_constant(a),
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        _ => false,
    }
}

fn has_call(e: &Expr) -> bool {
    struct Calls(bool);
    impl Visit for Calls {
        fn expr(&mut self, e: &mut Expr, _: Use) {
            self.0 |= matches!(e.kind, ExprKind::Call(_) | ExprKind::Statement(_));
        }
    }
    let mut calls = Calls(false);
    walk::expr(&mut e.clone(), Use::Value, &mut calls);
    calls.0
}

/// The values of the cases of a `switch` with this body, with the upper ends of ranges.
fn cases<'s>(stmt: &'s Stmt, found: &mut Vec<(&'s Expr, Option<&'s Expr>)>) {
    match &stmt.kind {
        StmtKind::Block(block) => {
            for item in &block.items {
                if let BlockItem::Stmt(stmt) = item {
                    cases(stmt, found);
                }
            }
        }
        StmtKind::If(chain) => {
            for body in chain.arms.iter().map(|arm| &arm.body).chain(&chain.otherwise) {
                cases(body, found);
            }
        }
        StmtKind::While(l) | StmtKind::DoWhile(l) => cases(&l.body, found),
        StmtKind::For(f) => cases(&f.body, found),
        StmtKind::Labeled(labeled) => {
            for label in &labeled.labels {
                match &label.kind {
                    LabelKind::Case(value) => found.push((value, None)),
                    LabelKind::Range(low, high) => found.push((low, Some(high))),
                    LabelKind::Named(..) | LabelKind::Default => {}
                }
            }
            cases(&labeled.body, found);
        }
        _ => {}
    }
}
