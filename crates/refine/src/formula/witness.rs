//! Model-based projection of a conjunction of literals [komuravelli14]: eliminates what equalities leave by substituting witnesses.
//!
//! `L[e/v]` implies `exists v. L` for every term `e`. The model chooses `e` among the bounds of `v` in the literals such that
//! the result is still true in the model; the value of `v` in the model is the last resort. The results for enough models
//! cover `exists v. L`; how many are enough is the caller's problem. Reads of array variables become scalars first.

use super::solve::{Solver, split_conjuncts};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Assignment, BinOp, Evaluator, Node, Sort, Substitution, TermId, Terms, UnOp, Value, eval::eval, vars_of};

/// Most variables that are eliminated by witnesses.
const MAX_VARS: usize = 400;

/// Most reads of one array variable.
const MAX_READS: usize = 40;

/// Most bounds that are tried for a variable.
const MAX_BOUNDS: usize = 12;

/// A conjunction over the variables that `eliminate` spares which implies the projection of the literals and is true under
/// the assignment, as the literals are. `None` if there is none of acceptable size.
pub fn project(
    terms: &mut Terms,
    assignment: &Assignment,
    literals: &[TermId],
    eliminate: &dyn Fn(TermId) -> bool,
) -> Option<Vec<TermId>> {
    let mut solver = Solver::new(eliminate);
    let mut assignment = assignment.clone();
    let mut list = split_conjuncts(terms, literals);
    let mut also: FxHashSet<TermId> = FxHashSet::default();
    let mut known = 0;
    for _ in 0..MAX_VARS {
        list = solver.solve(terms, &list);
        // The literals are true under the assignment when these elements have the values of the arrays before the writes.
        for &(element, array, index) in &solver.elements()[known..] {
            let read = terms.select(array, index);
            let value = eval(terms, &assignment, read);
            assignment.insert(element, value);
        }
        known = solver.elements().len();
        let left: Vec<TermId> =
            vars_of(terms, &list).into_iter().filter(|&v| also.contains(&v) || solver.eliminates(v)).collect();
        let Some(&var) = left.iter().find(|&&v| matches!(terms.sort(v), Sort::Array { .. })).or(left.first()) else {
            return Some(list);
        };
        list = if matches!(terms.sort(var), Sort::Array { .. }) {
            read_as_scalars(terms, &mut assignment, &list, var, &mut also)?
        } else {
            substitute_witness(terms, &assignment, &list, var)?
        };
        if list.iter().any(|&t| terms.is_false(t)) {
            return None;
        }
    }
    None
}

/// Literals without the array variable: its reads become new variables, equal for equal indices.
fn read_as_scalars(
    terms: &mut Terms,
    assignment: &mut Assignment,
    list: &[TermId],
    array: TermId,
    also: &mut FxHashSet<TermId>,
) -> Option<Vec<TermId>> {
    let mut reads: Vec<(TermId, TermId)> = Vec::new();
    let mut plain = true;
    for t in smt::subst::subterms(terms, list) {
        match terms.node(t) {
            Node::Bin(BinOp::Select, from, index) if from == array => reads.push((t, index)),
            _ => plain &= !terms.children(t).contains(&array),
        }
    }
    let nested = reads.iter().any(|(_, index)| vars_of(terms, &[*index]).contains(&array));
    if !plain || nested || reads.len() > MAX_READS {
        // It occurs as a whole: only its value can stand for it.
        let value = assignment.get(&array).cloned().unwrap_or_else(|| Value::default_of(terms.sort(array)));
        let value = terms.value_term(&value);
        let mut substitution = Substitution::new([(array, value)]);
        let new: Vec<TermId> = list.iter().map(|&t| substitution.apply(terms, t)).collect();
        return holds(terms, assignment, &new).then(|| split_conjuncts(terms, &new));
    }
    let mut classes: Vec<(TermId, Value, TermId)> = Vec::new();
    let mut map = Vec::new();
    let mut new = Vec::new();
    for (read, index) in reads {
        let value = eval(terms, assignment, index);
        let class = classes.iter().find(|(_, known, _)| *known == value).map(|&(index, _, scalar)| (index, scalar));
        let scalar = match class {
            Some((representative, scalar)) => {
                new.push(terms.eq(representative, index));
                scalar
            }
            None => {
                for (other, _, _) in &classes {
                    new.push(terms.ne(*other, index));
                }
                let scalar = terms.fresh_var("read", terms.sort(read));
                let element = eval(terms, assignment, read);
                assignment.insert(scalar, element);
                also.insert(scalar);
                classes.push((index, value, scalar));
                scalar
            }
        };
        map.push((read, scalar));
    }
    let mut substitution = Substitution::new(map);
    new.extend(list.iter().map(|&t| substitution.apply(terms, t)));
    Some(split_conjuncts(terms, &new))
}

fn holds(terms: &Terms, assignment: &Assignment, list: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(terms, assignment);
    list.iter().all(|&t| evaluator.satisfies(t))
}

/// Literals without the scalar variable.
fn substitute_witness(terms: &mut Terms, assignment: &Assignment, list: &[TermId], var: TermId) -> Option<Vec<TermId>> {
    let (with, without): (Vec<TermId>, Vec<TermId>) =
        list.iter().partition(|&&t| vars_of(terms, &[t]).binary_search(&var).is_ok());
    let mut witnesses = bounds(terms, assignment, &with, var);
    let value = assignment.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.sort(var)));
    witnesses.truncate(MAX_BOUNDS);
    witnesses.push(terms.constant(&value)?);
    for witness in witnesses {
        let mut substitution = Substitution::new([(var, witness)]);
        let mut new: Vec<TermId> = with.iter().map(|&t| substitution.apply(terms, t)).collect();
        if holds(terms, assignment, &new) {
            new.extend_from_slice(&without);
            return Some(split_conjuncts(terms, &new));
        }
    }
    None
}

/// Terms without the variable that bound it in some literal; the tightest lower ones first, and nothing that mentions it.
fn bounds(terms: &mut Terms, assignment: &Assignment, literals: &[TermId], var: TermId) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    let one = match terms.sort(var) {
        Sort::BitVec(width) => Some(terms.bv(width, 1)),
        Sort::Int => Some(terms.int(1)),
        _ => None,
    };
    for &literal in literals {
        let (atom, positive) = match terms.node(literal) {
            Node::Un(UnOp::Not, inner) => (inner, false),
            _ => (literal, true),
        };
        let Node::Bin(op, a, b) = terms.node(atom) else { continue };
        let strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt | BinOp::IntLt | BinOp::FpLt);
        if !strict && !matches!(op, BinOp::FpLe | BinOp::FpEq | BinOp::Eq) {
            continue;
        }
        for (here, other, below) in [(a, b, true), (b, a, false)] {
            // `var + offset` on one side, something else on the other.
            let (base, offset) = terms.split_offset(here);
            if base != var || vars_of(terms, &[other]).contains(&var) {
                continue;
            }
            let mut bound = if offset == 0 {
                other
            } else {
                let width = terms.width(var);
                let offset = terms.bv(width, offset);
                terms.bv_sub(other, offset)
            };
            // var < t: t - 1; t < var: t + 1; not (var < t): t; and so on. A disequality gives t + 1.
            let step = match (op, positive) {
                (BinOp::BvUlt | BinOp::BvSlt | BinOp::IntLt, true) => Some(!below),
                (BinOp::Eq, false) => Some(true),
                _ => None,
            };
            if let (Some(up), Some(one)) = (step, one) {
                bound = match (terms.sort(var), up) {
                    (Sort::Int, true) => terms.int_add(bound, one),
                    (Sort::Int, false) => {
                        let minus = terms.int_neg(one);
                        terms.int_add(bound, minus)
                    }
                    (_, true) => terms.bv_add(bound, one),
                    (_, false) => terms.bv_sub(bound, one),
                };
            }
            if !found.contains(&bound) {
                found.push(bound);
            }
        }
    }
    // Bounds that are the value of the variable in the model are as good as the value, and better.
    let value = assignment.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.sort(var)));
    let mut evaluator = Evaluator::new(terms, assignment);
    let ranks: FxHashMap<TermId, bool> = found.iter().map(|&t| (t, evaluator.eval(t) != value)).collect();
    found.sort_by_key(|t| (ranks[t], *t));
    found
}
