//! Violation witnesses: the decisions of a replayed run as a sequence of segments.
//!
//! What the program was given becomes an assumption at the statement after the one that asked, or, where there is none, a
//! constraint on the result of the call. Conditions are decided by their atoms: `a && b` makes two steps and one waypoint.

use crate::model::{Constraint, Segment, Waypoint, WaypointKind};
use crate::sites::{Condition, SiteKind, Sites};
use base::{Name, Span};
use cfa::{Check, EdgeId, Observer, Op, Pattern, Program, Scalar, VarKind};
use outcome::{Counterexample, Input, InputSource, Step, StepKind, Visibility};
use std::collections::BTreeMap;
use syntax::ast::walk::Control;
use syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Most segments of a witness; of longer runs only what they were given is told.
pub const MAX_SEGMENTS: usize = 3_000;

/// The segments of a run; `None` if its violation has no place in the user's file.
pub fn segments(sites: &Sites, program: &Program, observer: &Observer, cex: &Counterexample) -> Option<Vec<Segment>> {
    let mut maker = Maker { sites, program, cex, atoms: BTreeMap::new(), calls: Vec::new(), found: Vec::new() };
    // How many waypoints there were before each step.
    let mut counts = Vec::new();
    for (i, step) in cex.steps.iter().enumerate() {
        counts.push(maker.found.len());
        if step.visibility == Visibility::User {
            maker.step(step, cex.steps.get(i + 1));
        }
    }
    let (last, others) = cex.steps.split_last()?;
    // Where the run ends, its last statement: a `return` is one, though it is no step of the user's.
    let is_start = |step: &Step| program.locs[program.edges[step.edge].src].func == program.start;
    let is_of_user = |step: &&Step| {
        let span = maker.span(step.edge);
        !is_start(step) && !maker.is_in_library(span) && sites.statement_around(span).is_some()
    };
    let of_user = cex.steps.iter().rev().find(is_of_user).unwrap_or(last);
    let (target, statement) = maker.target(last, maker.span(of_user.edge), observer)?;
    let mut found = std::mem::take(&mut maker.found);
    if let Some(statement) = statement {
        // The target is passed where the statement begins: what it does before it breaks the check can't be told.
        let is_inside = |step: &Step| {
            let span = program.edges[step.edge].span;
            let depth = of_user.depth;
            step.depth > depth || step.depth == depth && statement.lo <= span.lo && span.hi <= statement.hi
        };
        // What the library does behind it, such as to call other handlers, says nothing.
        let is_before =
            |step: &Step| !is_start(step) && !maker.is_in_library(maker.span(step.edge)) && !is_inside(step);
        let before = others.iter().rposition(is_before).map_or(0, |step| step + 1);
        found.truncate(counts.get(before).copied().unwrap_or(usize::MAX));
    }
    if found.len() >= MAX_SEGMENTS {
        found.retain(|w| matches!(w.kind, WaypointKind::Assumption(_) | WaypointKind::Return(Some(_))));
        found.truncate(MAX_SEGMENTS - 1);
    }
    found.push(target);
    Some(found.into_iter().map(|follow| Segment { avoid: Vec::new(), follow }).collect())
}

struct Maker<'a> {
    sites: &'a Sites,
    program: &'a Program,
    cex: &'a Counterexample,
    /// Decided atoms of conditions that are being evaluated: by keyword and depth, spans with their truth.
    atoms: BTreeMap<(u32, u32), Vec<(Span, bool)>>,
    /// Offsets of the right parentheses of open calls.
    calls: Vec<Option<u32>>,
    found: Vec<Waypoint>,
}

impl Maker<'_> {
    fn span(&self, edge: EdgeId) -> Span {
        self.program.edges[edge].span
    }

    fn is_in_library(&self, span: Span) -> bool {
        self.program.source.place(span.lo).is_some_and(|place| place.file.starts_with('<'))
    }

    fn add(&mut self, kind: WaypointKind, place: SiteKind, offset: u32) {
        if let Some(waypoint) = self.waypoint(kind, place, offset) {
            self.found.push(waypoint);
        }
    }

    fn waypoint(&self, kind: WaypointKind, place: SiteKind, offset: u32) -> Option<Waypoint> {
        let site = self.sites.at(place, offset)?;
        Some(Waypoint { kind, at: self.sites.position_of(site), span: Span::NONE })
    }

    fn step(&mut self, step: &Step, next: Option<&Step>) {
        match &step.kind {
            StepKind::Branch { taken, .. } => self.branch(step, *taken),
            StepKind::Call { .. } => {
                let of_library = matches!(&self.program.edges[step.edge].op, Op::Call { func, .. }
                    if self.is_in_library(self.program.functions[*func].span));
                let end = self.sites.call_around(self.span(step.edge)).map(|call| call.end).filter(|_| !of_library);
                self.calls.push(end);
                if let Some(end) = end {
                    self.add(WaypointKind::Enter, SiteKind::CallEnd, end);
                }
            }
            StepKind::Return { function, value } => {
                if let Some(Some(end)) = self.calls.pop()
                    && let Some(literal) = value.as_deref().and_then(|v| v.parse::<i128>().ok()).and_then(integer)
                {
                    let constraint = Constraint::of_result(format!("\\result == {literal}"), function);
                    self.add(WaypointKind::Return(Some(constraint)), SiteKind::CallEnd, end);
                }
            }
            StepKind::Input(index) => {
                if let Some(input) = self.cex.inputs.get(*index) {
                    self.input(step, input, next);
                }
            }
            StepKind::Assign { .. }
            | StepKind::Choice { .. }
            | StepKind::External { .. }
            | StepKind::Omitted(_)
            | StepKind::Undefined { .. }
            | StepKind::Error { .. } => {}
        }
    }

    fn input(&mut self, step: &Step, input: &Input, _: Option<&Step>) {
        let span = self.span(step.edge);
        if let InputSource::Allocation(function) = &input.source {
            if let (true, Some(call)) = (input.value.0 != 0, self.sites.call_around(span)) {
                let constraint = Constraint::of_result("\\result == 0".to_owned(), function);
                self.add(WaypointKind::Return(Some(constraint)), SiteKind::CallEnd, call.end);
            }
            return;
        }
        let Some(literal) = literal(input) else { return };
        match &input.source {
            InputSource::Call(function) => {
                let Some(call) = self.sites.call_around(span) else { return };
                if let Some((target, next)) = &call.assigned
                    && self.is_variable(step.edge, target)
                {
                    let constraint = Constraint::new(format!("{target} == {literal}"));
                    self.add(WaypointKind::Assumption(constraint), SiteKind::Statement, *next);
                } else {
                    let constraint = Constraint::of_result(format!("\\result == {literal}"), function);
                    self.add(WaypointKind::Return(Some(constraint)), SiteKind::CallEnd, call.end);
                }
            }
            InputSource::Uninitialised(name) => {
                let next = self.sites.statement_around(span).and_then(|s| self.sites.next_statement(s.lo));
                if let Some(next) = next.filter(|_| self.is_variable(step.edge, name)) {
                    let constraint = Constraint::new(format!("{name} == {literal}"));
                    self.add(WaypointKind::Assumption(constraint), SiteKind::Statement, next);
                }
            }
            // These values can't be told in terms of the program.
            InputSource::Variable(_)
            | InputSource::Allocation(_)
            | InputSource::Memory
            | InputSource::Argument(..)
            | InputSource::Written { .. }
            | InputSource::Outside { .. }
            | InputSource::Object { .. }
            | InputSource::Environment(_) => {}
        }
    }

    /// Whether the edge writes the value directly into the variable of the source.
    fn is_variable(&self, edge: EdgeId, name: &str) -> bool {
        let (Op::CallExtern { dst: Some(dst), .. } | Op::Havoc { dst, .. }) = self.program.edges[edge].op else {
            return false;
        };
        let var = &self.program.vars[dst];
        let own = matches!(var.kind, VarKind::Local | VarKind::Param | VarKind::Global);
        own && (&*var.name == name || var.name.ends_with(&format!("::{name}")))
    }

    fn branch(&mut self, step: &Step, taken: bool) {
        let span = self.span(step.edge);
        let sites = self.sites;
        let Some(condition) = sites.condition_around(span) else { return };
        if condition.control == Control::Switch {
            self.case(step, condition, taken);
            return;
        }
        let key = (condition.keyword, step.depth);
        let atoms = self.atoms.entry(key).or_default();
        atoms.push((span, taken));
        if let Some(outcome) = decide(&condition.expr, atoms) {
            self.atoms.remove(&key);
            self.add(WaypointKind::Branch(outcome), SiteKind::Branch, condition.keyword);
        }
    }

    /// Comparisons of a `switch` with its cases come one after the other; the one that holds decides.
    fn case(&mut self, step: &Step, condition: &Condition, taken: bool) {
        let Op::Assume { cond, .. } = self.program.edges[step.edge].op else { return };
        let cfa::ExprKind::Binary(cfa::BinOp::Eq, _, constant) = self.program.exprs.kind(cond) else { return };
        let (Some(value), Scalar::Int { bits, signed }) =
            (self.program.exprs.as_const(constant), self.program.exprs.ty(constant))
        else {
            return;
        };
        if taken {
            let value = if signed { value.signed(bits.into()) } else { value.0 as i128 };
            self.add(WaypointKind::Case(value), SiteKind::Branch, condition.keyword);
        }
    }

    /// The violation, or the last site of the user's before it.
    ///
    /// With the statement, if an operation in it breaks a check.
    fn target(&self, last: &Step, site: Span, observer: &Observer) -> Option<(Waypoint, Option<Span>)> {
        let edge = &self.program.edges[last.edge];
        let is_call = matches!(&edge.op, Op::Call { func, .. } | Op::CallExtern { func, .. }
            if observer.transitions.iter().any(|t| t.on == Pattern::Call(self.program.functions[*func].name.clone())));
        if !is_call {
            let function = &self.program.functions[self.program.locs[edge.dst].func].name;
            let labels = self.program.locs[edge.dst].labels.iter();
            let forbidden: Vec<&Name> =
                labels.filter(|l| observer.transitions.iter().any(|t| t.on == Pattern::Label((*l).clone()))).collect();
            if forbidden.iter().any(|label| Check::of_label(label).is_some()) {
                // In the library: at the call of it. Where the run or a function ends: at what came last.
                let is_elsewhere =
                    self.is_in_library(edge.span) || self.program.locs[edge.src].func == self.program.start;
                let here = self.sites.statement_around(edge.span).filter(|_| !is_elsewhere);
                let statement = here.or_else(|| self.sites.statement_around(site))?;
                let waypoint = self.waypoint(WaypointKind::Target, SiteKind::Statement, statement.lo)?;
                return Some((waypoint, Some(statement)));
            }
            let at = forbidden
                .into_iter()
                .filter_map(|label| self.sites.labelled(label, function))
                .find_map(|at| self.waypoint(WaypointKind::Target, SiteKind::Statement, at));
            return at.map(|at| (at, None));
        }
        let statement = self.sites.statement_around(edge.span).filter(|s| s.lo == edge.span.lo);
        let waypoint = statement
            .and_then(|s| self.waypoint(WaypointKind::Target, SiteKind::Statement, s.lo))
            .or_else(|| self.waypoint(WaypointKind::Target, SiteKind::Call, edge.span.lo))
            .or_else(|| {
                let call = self.sites.call_around(edge.span)?;
                self.waypoint(WaypointKind::Target, SiteKind::Call, call.span.lo)
            })
            .or_else(|| {
                // Made by a macro or a library: the statement that holds it.
                let statement = self.sites.statement_around(edge.span)?;
                self.waypoint(WaypointKind::Target, SiteKind::Statement, statement.lo)
            });
        waypoint.map(|waypoint| (waypoint, None))
    }
}

/// The truth of a condition as far as its atoms tell it.
fn decide(e: &Expr, atoms: &[(Span, bool)]) -> Option<bool> {
    if let Some((_, truth)) = atoms.iter().find(|(span, _)| *span == e.span) {
        // The atom may be the operand of `!`, with parentheses that are its own.
        return Some(*truth);
    }
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => decide(a, atoms).map(|truth| !truth),
        ExprKind::Binary(BinaryOp::LogAnd, a, b) => match (decide(a, atoms), decide(b, atoms)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (a, b) => Some(a? && b?),
        },
        ExprKind::Binary(BinaryOp::LogOr, a, b) => match (decide(a, atoms), decide(b, atoms)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (a, b) => Some(a? || b?),
        },
        ExprKind::Binary(BinaryOp::Ne, a, b) if is_zero(b) => decide(a, atoms),
        ExprKind::Binary(BinaryOp::Eq, a, b) if is_zero(b) => decide(a, atoms).map(|truth| !truth),
        ExprKind::Cast(_, a) => decide(a, atoms),
        ExprKind::Int(n) => Some(n.value != 0),
        _ => None,
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Int(n) if n.value == 0)
}

/// An input as a constant of C, if it is a number.
fn literal(input: &Input) -> Option<String> {
    match input.scalar {
        Scalar::Bool => Some(input.value.0.to_string()),
        Scalar::Int { bits, signed: true } => integer(input.value.signed(bits.into())),
        Scalar::Int { .. } => i128::try_from(input.value.0).ok().and_then(integer),
        Scalar::Ptr => (input.value.0 == 0).then(|| "0".to_owned()),
        Scalar::Float(format) => {
            let (number, suffix) = match format.bits() {
                32 => (format!("{:?}", f32::from_bits(input.value.0 as u32)), "f"),
                64 => (format!("{:?}", f64::from_bits(input.value.0 as u64)), ""),
                _ => return None,
            };
            number.chars().all(|c| !c.is_alphabetic() || c == 'e').then(|| format!("{number}{suffix}"))
        }
    }
}

/// An integer as a constant of C, with a suffix where it needs one.
pub fn integer(n: i128) -> Option<String> {
    const LONG_MIN: i128 = i64::MIN as i128;
    const LONG_MAX: i128 = i64::MAX as i128;
    const INT_MAX: i128 = i32::MAX as i128;
    const INT_MIN: i128 = i32::MIN as i128;
    match n {
        LONG_MIN => Some("(-9223372036854775807LL - 1)".to_owned()),
        INT_MIN => Some("(-2147483647 - 1)".to_owned()),
        _ if n < LONG_MIN || n > u64::MAX as i128 => None,
        _ if n > LONG_MAX => Some(format!("{n}ULL")),
        _ if n > u32::MAX as i128 || n < INT_MIN => Some(format!("{n}LL")),
        _ if n > INT_MAX => Some(format!("{n}U")),
        _ => Some(n.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_value() {
        let check = |n: i128, text: Option<&str>| assert_eq!(integer(n).as_deref(), text);
        check(-1, Some("-1"));
        check(i32::MIN.into(), Some("(-2147483647 - 1)"));
        check(u32::MAX.into(), Some("4294967295U"));
        check(1 << 40, Some("1099511627776LL"));
        check(u64::MAX.into(), Some("18446744073709551615ULL"));
        check(i64::MIN.into(), Some("(-9223372036854775807LL - 1)"));
        check(1 << 70, None);
    }
}
