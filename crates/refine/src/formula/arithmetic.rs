//! Tells variables of a path that take part in arithmetic from those that only hold constants, which are assigned and tested.
//!
//! A relation such as `x + y = 8` tells something about counters; about the state of a state machine and a flag it is chance. So
//! variables are sorted by what the trace does with them. Variables whose values flow into one another (assignments, choices,
//! conversions) are one class; a class takes part if one of its variables is an operand or result of an arithmetic
//! operation, or is compared with another variable.

use super::Trace;
use rustc_hash::FxHashSet;
use smt::{BinOp, Classes, Node, TermId, Terms, subst::subterms};

/// The variables that take part in arithmetic.
pub fn arithmetic(terms: &Terms, trace: &Trace) -> FxHashSet<TermId> {
    let mut classes = Classes::default();
    let mut marked: Vec<TermId> = Vec::new();
    let roots: Vec<TermId> = trace.steps.iter().flat_map(|step| step.conjuncts.iter().copied()).collect();
    let all = subterms(terms, &roots);
    for t in &all {
        let Node::Bin(op, a, b) = terms.node(*t) else { continue };
        let (left, right) = match op {
            BinOp::And | BinOp::Or | BinOp::Select => continue,
            _ => (Leaves::of(terms, a), Leaves::of(terms, b)),
        };
        let compared = !left.vars.is_empty() && !right.vars.is_empty();
        let is_result = left.computed || right.computed;
        let vars = || left.vars.iter().chain(&right.vars).copied();
        classes.unite(vars());
        let takes_part = match op {
            BinOp::Eq => is_result,
            BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle | BinOp::IntLt => compared || is_result,
            BinOp::Concat => false,
            _ => true,
        };
        if takes_part {
            marked.extend(vars());
        }
    }
    let marked: FxHashSet<usize> = marked.into_iter().map(|var| classes.of(var)).collect();
    all.into_iter().filter(|t| terms.is_var(*t) && marked.contains(&classes.of(*t))).collect()
}

/// The variables whose values a term may have, or is made of; and whether it may be the result of an operation.
#[derive(Default)]
struct Leaves {
    vars: Vec<TermId>,
    computed: bool,
}

impl Leaves {
    fn of(terms: &Terms, t: TermId) -> Self {
        let mut leaves = Self::default();
        let (mut stack, mut seen) = (vec![t], FxHashSet::default());
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match terms.node(t) {
                Node::Var { .. } => leaves.vars.push(t),
                Node::Ite(_, a, b) => stack.extend([a, b]),
                Node::Un(_, a) | Node::Bin(BinOp::Select, a, _) | Node::ConstArray(_, a) => stack.push(a),
                Node::Bin(BinOp::Concat, a, b) | Node::Store(a, _, b) => stack.extend([a, b]),
                Node::Bin(_, a, b) => {
                    leaves.computed = true;
                    stack.extend([a, b]);
                }
                Node::Bool(_) | Node::Bv { .. } | Node::Float { .. } | Node::Int(_) => {}
            }
        }
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::samples::{Equal, Path};

    #[track_caller]
    fn check(build: impl Fn(&mut Path<'_>), expected: &[&str]) {
        let mut terms = Terms::new();
        let mut path = Path::new(&mut terms);
        build(&mut path);
        let trace = path.finish();
        let mut names: Vec<String> = (arithmetic(&terms, &trace).into_iter())
            .filter_map(|var| terms.var_name(var).map(|name| name.split('@').next().unwrap_or_default().to_owned()))
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, expected);
    }

    #[test]
    fn counters_and_states_are_told_apart() {
        let machine = |p: &mut Path<'_>| {
            p.set("s", 8464);
            p.set("i", 0);
            p.cut();
            p.assume_eq("s", 8464, Equal::Yes);
            p.set("s", 8480);
            p.assume_less("s", 9000, Equal::Yes);
            p.add("i", 1);
            p.cut();
            let (i, n) = (p.get("i"), p.get("n"));
            p.assign("j", i);
            let less = p.terms.slt(i, n);
            p.assume(less);
        };
        check(machine, &["i", "j", "n"]);
        let choice = |p: &mut Path<'_>| {
            p.set("s", 3);
            let (s, c) = (p.get("s"), p.get("c"));
            let (zero, five) = (p.terms.bv(32, 0), p.terms.bv(32, 5));
            let test = p.terms.eq(c, zero);
            let value = p.terms.ite(test, s, five);
            p.assign("s", value);
        };
        check(choice, &[]);
    }
}
