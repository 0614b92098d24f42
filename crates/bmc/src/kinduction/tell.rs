//! Invariants in the user's words: what facts say at the head of a loop, as a C expression.

use crate::kinduction::facts::Fact;
use crate::kinduction::implied;
use crate::kinduction::text::{equation, text};
use cfa::{ExprKind, LocId, Program, VarId};
use outcome::{Extent, Invariant};
use std::collections::{BTreeMap, BTreeSet};

/// Longest expression.
const MAX_CHARS: usize = 400;

/// What holds at a head on some of the ways to get there.
#[derive(Default)]
pub struct Case {
    /// Facts.
    pub facts: Vec<Fact>,
    /// Whether more is known there.
    pub more: bool,
}

/// Variables whose values the program uses.
fn variables_read(program: &Program) -> BTreeSet<VarId> {
    let mut read = BTreeSet::new();
    for edge in program.locs.iter().flat_map(|l| &l.out) {
        program.edges[*edge].op.for_each_expr(|root| {
            program.exprs.walk(root, |_, e| {
                if let ExprKind::Var(var) = e.kind {
                    read.insert(var);
                }
            });
        });
    }
    read
}

/// The facts as C, two bounds that make an equation as one.
fn texts_of(program: &Program, facts: &[&Fact]) -> Vec<Option<String>> {
    let opposite = |fact: &Fact| match fact {
        Fact::Octagon(relation) => {
            let other = facts.iter().position(|other| **other == Fact::Octagon(relation.opposite()))?;
            Some((*relation, other))
        }
        _ => None,
    };
    let told = |(at, fact): (usize, &&Fact)| match opposite(fact) {
        None => Some(text(fact, program)),
        Some((relation, other)) if at < other => Some(equation(relation, program)),
        Some(_) => None,
    };
    facts.iter().enumerate().filter_map(told).collect()
}

/// The invariants of loops. All cases of a head together are every way to get there.
pub fn tell(program: &Program, cases: BTreeMap<LocId, Vec<Case>>) -> Vec<Invariant> {
    let read = variables_read(program);
    let mut told = Vec::new();
    for (head, mut cases) in cases {
        // What nothing reads is no part of a proof.
        for case in &mut cases {
            case.facts.retain(|fact| fact.registers().all(|reg| read.contains(&reg.var)));
            case.facts = implied::told(program, std::mem::take(&mut case.facts));
        }
        let func = program.locs[head].func;
        let span = program.locs[head].out.first().map(|edge| program.edges[*edge].span);
        let Some(place) = span.and_then(|span| program.source.place(span.lo)) else { continue };
        let mut extent = Extent::Whole;
        let mut texts = Vec::new();
        for case in &cases {
            let in_scope =
                |fact: &&Fact| fact.registers().all(|reg| program.vars[reg.var].func.is_none_or(|owner| owner == func));
            let facts: Vec<&Fact> = case.facts.iter().filter(in_scope).collect();
            let texts_of_facts = texts_of(program, &facts);
            let mut parts: Vec<String> = texts_of_facts.iter().flatten().cloned().collect();
            if case.more || facts.len() < case.facts.len() || parts.len() < texts_of_facts.len() {
                extent = Extent::Part;
            }
            let mut length = 0;
            let fit = parts.iter().take_while(|part| {
                length += part.len() + 4;
                length <= MAX_CHARS
            });
            let fit = fit.count();
            if fit < parts.len() {
                extent = Extent::Part;
                parts.truncate(fit);
            }
            if parts.len() > 1 {
                let is_choice = |part: &&mut String| part.contains(" || ");
                parts.iter_mut().filter(is_choice).for_each(|part| *part = format!("({part})"));
            }
            texts.push(parts.join(" && "));
        }
        texts.sort();
        texts.dedup();
        let text = match &texts[..] {
            [] => continue,
            [one] if one.is_empty() => None,
            [one] => Some(one.clone()),
            // A way of which nothing can be said leaves nothing to say of all.
            many if many.iter().any(String::is_empty) => None,
            many if many.iter().map(String::len).sum::<usize>() > 2 * MAX_CHARS => None,
            many => Some(many.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" || ")),
        };
        let nothing = text.is_none() && cases.iter().all(|case| case.facts.is_empty() && !case.more);
        if !nothing {
            let extent = if text.is_none() { Extent::Part } else { extent };
            told.push(Invariant { place, function: program.functions[func].name.clone(), text, extent });
        }
    }
    told
}
