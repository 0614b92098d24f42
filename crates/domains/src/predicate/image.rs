//! Exact images of Boolean combinations of predicates, computed in parts.
//!
//! One enumeration of all predicates at the end of a block costs a query for each row of truth values, and rows multiply: a state
//! machine with twenty states and five flags has hundreds. So the problem is taken apart, without loss:
//!
//! * **Cases.** Where predicates and block compare one variable with many constants, the states before split by its value. With
//!   the constant in the variable's place the formula of the block collapses to the code of one case.
//! * **Parts.** Conjuncts, predicates before and predicates after that share no variable, not even indirectly, are independent.
//!   Their rows are enumerated apart, and multiplied in the decision diagram. What the states before say across parts is kept by
//!   enumerating the old predicates that connect them (`D` below) with the new ones.
//! * **Untouched predicates.** Parts that the block neither reads nor writes stay as they are in the diagram, without a query.
//!
//! For parts k with guards G_k, states before B over old predicates, and new values q:
//! ```text
//! image(q') = exists old. B(old) and for all k: T_k(D_k, q'_k)
//! T_k(d, q) = exists x. G_k(x) and (exists other parts. B)(x) and D_k(x) = d and post_k(x) = q
//! ```
//! `T_k` depends on little, so its rows are kept: they serve other states before, and larger precisions. In the manner of [lahiri06,
//! cavada07], who compute abstractions from parts by BDDs and a solver.

use super::abstraction::{Abstraction, Counts, Post, Query, Rows};
use super::bdd::{BddId, Bdds, When};
use super::hard::{Attempts, Hard};
use super::predicates::{PredId, Predicates};
use super::solvers::Solvers;
use analysis::AnalysisError;
use base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::subst::subterms;
use smt::{BinOp, Classes, Node, Substitution, TermId, Terms, vars_of};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A variable is a reason to split when it is compared with so many constants.
const MIN_CASES: usize = 3;
/// Most variables by which one problem is split.
const MAX_SPLITS: usize = 3;
/// Most old predicates of a part for which it is found out which ones connect it with others.
const MAX_CONNECTING: usize = 40;

/// What identifies the rows of a part: facts, and formulas whose rows are wanted.
type Question = (Box<[TermId]>, Box<[TermId]>);

/// What is kept from one image to the next.
#[derive(Default)]
pub struct Images {
    vars: FxHashMap<TermId, Rc<[TermId]>>,
    compared: FxHashMap<TermId, Rc<BTreeMap<TermId, Vec<TermId>>>>,
    cases: FxHashMap<(TermId, TermId), Substitution>,
    rows: FxHashMap<Question, Option<Rc<Rows>>>,
    attempts: Attempts,
}

/// The computation of images.
pub struct Image<'a, 'b> {
    /// Terms.
    pub terms: &'a mut Terms,
    /// Diagrams.
    pub bdds: &'a mut Bdds,
    /// Predicates.
    pub predicates: &'a Predicates,
    /// Solvers.
    pub solvers: &'a mut Solvers<'b>,
    /// What is known already.
    pub kept: &'a mut Images,
    /// Limits of the run.
    pub budget: &'a Budget,
    /// Statistics.
    pub counts: &'a mut Counts,
}

/// Constants with which a variable is compared, and the predicates before that do so.
type Values = Vec<(TermId, Option<PredId>)>;

/// The formulas of one case.
struct Case {
    /// Variables that are constants here, and the constants.
    constants: Vec<(TermId, TermId)>,
    /// Variables that are none of the constants with which they are compared.
    others: Vec<TermId>,
    guard: TermId,
    before: BddId,
    /// Formulas of the predicates of `before`, none of them a constant.
    old: BTreeMap<PredId, TermId>,
    posts: Vec<Post>,
}

/// What is connected by variables.
#[derive(Default)]
struct Part {
    conjuncts: Vec<TermId>,
    old: Vec<PredId>,
    posts: Vec<Post>,
}

impl<'b> Image<'_, 'b> {
    /// The strongest combination of the predicates of `posts` after a step with this guard from the states `before`; none if there
    /// is no such step.
    ///
    /// # Errors
    /// When the run has to end or the diagrams are full.
    pub fn compute(
        &mut self,
        guard: TermId,
        before: BddId,
        posts: &[Post],
        kind: Abstraction,
    ) -> Result<Option<BddId>, AnalysisError> {
        self.counts.abstractions += 1;
        if posts.is_empty() || kind == Abstraction::Cartesian {
            let predicates = self.predicates;
            let formula = self.bdds.formula(self.terms, before, &|pred| predicates.formula(pred));
            if posts.is_empty() && self.hard().never(&[guard, formula])? {
                return Ok(None);
            }
            let solver = self.solvers.with_guard(self.terms, guard)?;
            let mut query = Query { terms: self.terms, solver, budget: self.budget, counts: self.counts };
            return query.plain(self.bdds, formula, posts, kind);
        }
        let mut found = self.bdds.fals();
        let mut cases: Vec<(Case, usize)> = Vec::new();
        cases.extend(self.case((&[], &[]), guard, before, posts.to_vec())?.map(|case| (case, 0)));
        while let Some((case, depth)) = cases.pop() {
            let values = if depth < MAX_SPLITS { self.values(&case) } else { None };
            if let Some((var, values)) = values {
                cases.extend(self.split(&case, var, values)?.into_iter().map(|case| (case, depth + 1)));
            } else {
                let image = self.image(guard, case)?;
                found = self.bdds.or(found, image)?;
            }
        }
        Ok((found != self.bdds.fals()).then_some(found))
    }

    fn hard(&mut self) -> Hard<'_, 'b> {
        Hard::new(self.terms, self.solvers, self.budget, &mut self.kept.attempts)
    }

    /// The variable with most constants in comparisons, with these constants and the predicates about them.
    fn values(&mut self, case: &Case) -> Option<(TermId, Values)> {
        let mut read: FxHashSet<TermId> = self.vars(case.guard).iter().copied().collect();
        for post in &case.posts {
            if case.old.get(&post.pred) != Some(&post.formula) {
                read.extend(self.vars(post.formula).iter());
            }
        }
        let mut values: BTreeMap<TermId, Values> = BTreeMap::new();
        for (pred, formula) in &case.old {
            if let Some((var, value)) = equation(self.terms, *formula)
                && read.contains(&var)
            {
                values.entry(var).or_default().push((value, Some(*pred)));
            }
        }
        for (var, compared) in self.compared(case.guard).iter() {
            let list = values.entry(*var).or_default();
            for value in compared {
                if list.iter().all(|(known, _)| known != value) {
                    list.push((*value, None));
                }
            }
        }
        values.retain(|var, list| list.len() >= MIN_CASES && !case.others.contains(var));
        // The first one of those with most values.
        values.into_iter().rev().max_by_key(|(_, list)| list.len())
    }

    /// Splits a case by the value of a variable.
    fn split(&mut self, case: &Case, var: TermId, values: Values) -> Result<Vec<Case>, AnalysisError> {
        let mut cases = Vec::new();
        let mut rest = case.before;
        let mut atoms = Vec::with_capacity(values.len());
        for (value, pred) in values {
            let here = match pred {
                Some(pred) => {
                    let (yes, no) = (self.bdds.literal(pred, true)?, self.bdds.literal(pred, false)?);
                    let here = self.bdds.and(rest, yes)?;
                    rest = self.bdds.and(rest, no)?;
                    here
                }
                None => rest,
            };
            atoms.push(self.terms.eq(var, value));
            if here == self.bdds.fals() {
                continue;
            }
            let guard = self.replaced(&[(var, value)], case.guard);
            if self.terms.is_false(guard) {
                continue;
            }
            let post = |post: &Post| Post { pred: post.pred, formula: self.replaced(&[(var, value)], post.formula) };
            let posts = case.posts.iter().map(post).collect();
            let constants: Vec<(TermId, TermId)> = case.constants.iter().copied().chain([(var, value)]).collect();
            cases.extend(self.case((&constants, &case.others), guard, here, posts)?);
        }
        if rest != self.bdds.fals() {
            // The comparisons are false in what is left.
            let fals = self.terms.fals();
            let mut false_there = Substitution::new(atoms.iter().map(|atom| (*atom, fals)));
            let guard = false_there.apply(self.terms, case.guard);
            let post = |post: &Post| Post { pred: post.pred, formula: false_there.apply(self.terms, post.formula) };
            let posts = case.posts.iter().map(post).collect();
            let mut conjuncts: Vec<TermId> = atoms.into_iter().map(|atom| self.terms.not(atom)).collect();
            conjuncts.push(guard);
            let guard = self.terms.and_all(&conjuncts);
            let others: Vec<TermId> = case.others.iter().copied().chain([var]).collect();
            cases.extend(self.case((&case.constants, &others), guard, rest, posts)?);
        }
        Ok(cases)
    }

    /// The constants with which a formula compares its variables.
    fn compared(&mut self, formula: TermId) -> Rc<BTreeMap<TermId, Vec<TermId>>> {
        if let Some(known) = self.kept.compared.get(&formula) {
            return known.clone();
        }
        let mut compared: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for t in subterms(self.terms, &[formula]) {
            if let Some((var, value)) = equation(self.terms, t) {
                compared.entry(var).or_default().push(value);
            }
        }
        let compared = Rc::new(compared);
        self.kept.compared.insert(formula, compared.clone());
        compared
    }

    /// One case, with what the constants make of the predicates before; none if it is impossible.
    fn case(
        &mut self,
        (constants, others): (&[(TermId, TermId)], &[TermId]),
        guard: TermId,
        mut before: BddId,
        posts: Vec<Post>,
    ) -> Result<Option<Case>, AnalysisError> {
        if self.terms.is_false(guard) {
            return Ok(None);
        }
        let mut decided = Vec::new();
        let mut old = BTreeMap::new();
        for pred in self.bdds.support(before).iter().copied() {
            let formula = self.replaced(constants, self.predicates.formula(pred));
            if let Some(value) = self.terms.as_bool_const(formula) {
                let literal = self.bdds.literal(pred, value)?;
                before = self.bdds.and(before, literal)?;
                decided.push(pred);
            } else {
                old.insert(pred, formula);
            }
        }
        if before == self.bdds.fals() {
            return Ok(None);
        }
        before = self.bdds.exists(before, &decided)?;
        let support = self.bdds.support(before);
        old.retain(|pred, _| support.contains(pred));
        Ok(Some(Case { constants: constants.to_vec(), others: others.to_vec(), guard, before, old, posts }))
    }

    /// A formula with constants in the places of variables.
    fn replaced(&mut self, constants: &[(TermId, TermId)], formula: TermId) -> TermId {
        constants.iter().fold(formula, |formula, constant| {
            let case = self.kept.cases.entry(*constant).or_insert_with(|| Substitution::new([*constant]));
            case.apply(self.terms, formula)
        })
    }

    fn vars(&mut self, formula: TermId) -> Rc<[TermId]> {
        let terms = &*self.terms;
        self.kept.vars.entry(formula).or_insert_with(|| vars_of(terms, &[formula]).into()).clone()
    }

    /// The image of one case.
    fn image(&mut self, whole: TermId, case: Case) -> Result<BddId, AnalysisError> {
        let mut literals = Vec::new();
        let parts = self.parts(&case, &mut literals);
        let mut before = case.before;
        let mut touched = Vec::new();
        for part in parts {
            let kept = |post: &Post| case.old.get(&post.pred) == Some(&post.formula);
            if part.conjuncts.is_empty() && part.posts.iter().all(kept) {
                // Untouched: predicates that are not wanted any more go.
                let gone: Vec<PredId> =
                    part.old.into_iter().filter(|old| part.posts.iter().all(|post| post.pred != *old)).collect();
                before = self.bdds.exists(before, &gone)?;
            } else {
                touched.push(part);
            }
        }
        let mut state = before;
        let mut next: Vec<PredId> = literals.iter().map(|(pred, _)| *pred).collect();
        for part in touched {
            self.counts.parts += 1;
            state = self.step(whole, &case, before, state, &part)?;
            if state == self.bdds.fals() {
                return Ok(state);
            }
            next.extend(part.posts.iter().map(|post| post.pred));
        }
        let cube = self.bdds.cube_at(When::Next, literals)?;
        state = self.bdds.and(state, cube)?;
        Ok(self.bdds.advance(state, &next)?)
    }

    /// The independent parts of a case. New predicates that are constants become literals.
    fn parts(&mut self, case: &Case, literals: &mut Vec<(PredId, bool)>) -> Vec<Part> {
        enum Item {
            Conjunct(TermId),
            Old(PredId),
            Post(Post),
        }
        let mut items: Vec<(TermId, Item)> =
            conjuncts(self.terms, case.guard).into_iter().map(|c| (c, Item::Conjunct(c))).collect();
        items.extend(case.old.iter().map(|(pred, formula)| (*formula, Item::Old(*pred))));
        for post in &case.posts {
            match self.terms.as_bool_const(post.formula) {
                Some(value) => literals.push((post.pred, value)),
                None => items.push((post.formula, Item::Post(*post))),
            }
        }
        let mut groups = Classes::default();
        for (formula, _) in &items {
            groups.unite(self.vars(*formula).iter().copied());
        }
        // In the order of their first variables.
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        for (formula, item) in items {
            // Formulas without variables that are no constants do not occur; they would be a part of their own.
            let group = self.vars(formula).first().map_or(usize::MAX, |var| groups.of(*var));
            let part = parts.entry(group).or_default();
            match item {
                Item::Conjunct(conjunct) => part.conjuncts.push(conjunct),
                Item::Old(pred) => part.old.push(pred),
                Item::Post(post) => part.posts.push(post),
            }
        }
        parts.into_values().collect()
    }

    /// Replaces the old predicates of a part by the next values of its new ones.
    fn step(
        &mut self,
        whole: TermId,
        case: &Case,
        before: BddId,
        state: BddId,
        part: &Part,
    ) -> Result<BddId, AnalysisError> {
        let support = self.bdds.support(before);
        let (old, others): (Vec<PredId>, Vec<PredId>) = support.iter().copied().partition(|p| part.old.contains(p));
        let here = self.bdds.exists(before, &others)?;
        let connecting = self.connecting(before, here, &old)?;
        let predicates = self.predicates;
        let known = self.bdds.formula(self.terms, here, &|pred| predicates.formula(pred));
        let known = self.replaced(&case.constants, known);
        let preds = connecting.iter().map(|pred| (*pred, case.old[pred]));
        let formulas: Vec<(PredId, TermId)> =
            preds.chain(part.posts.iter().map(|post| (post.pred, post.formula))).collect();
        let Some(rows) = self.rows(whole, part, known, connecting.len(), &formulas)? else {
            return Ok(self.bdds.fals());
        };
        let (count, posts) = (connecting.len(), &formulas[connecting.len()..]);
        let fixed = posts.iter().zip(&rows.fixed[count..]).filter_map(|(post, value)| Some((post.0, (*value)?)));
        let fixed = self.bdds.cube_at(When::Next, fixed)?;
        let Some(rows) = &rows.rows else {
            let state = self.bdds.exists(state, &old)?;
            return Ok(self.bdds.and(state, fixed)?);
        };
        // The states before of each row of new values.
        let mut sources: BTreeMap<&[bool], BddId> = BTreeMap::new();
        for row in rows {
            let (d, q) = row.split_at(count);
            let cube = self.bdds.cube(connecting.iter().copied().zip(d.iter().copied()))?;
            let source = sources.get(q).copied().unwrap_or(self.bdds.fals());
            sources.insert(q, self.bdds.or(source, cube)?);
        }
        let mut found = self.bdds.fals();
        for (row, source) in sources {
            let from = self.bdds.and(state, source)?;
            let from = self.bdds.exists(from, &old)?;
            let to = posts.iter().zip(row).map(|(post, value)| (post.0, *value));
            let to = self.bdds.cube_at(When::Next, to)?;
            let image = self.bdds.and(from, to)?;
            found = self.bdds.or(found, image)?;
        }
        Ok(found)
    }

    /// The old predicates of a part that connect it with others in the states before: once their values are fixed, those of the
    /// part's others and those of other parts are independent.
    fn connecting(&mut self, before: BddId, here: BddId, old: &[PredId]) -> Result<Vec<PredId>, AnalysisError> {
        if old.is_empty() || here == before {
            return Ok(Vec::new());
        }
        let elsewhere = self.bdds.exists(before, old)?;
        if self.bdds.and(here, elsewhere)? == before {
            return Ok(Vec::new());
        }
        let mut connecting = old.to_vec();
        if old.len() > MAX_CONNECTING {
            return Ok(connecting);
        }
        for pred in old {
            let without: Vec<PredId> = connecting.iter().copied().filter(|p| p != pred).collect();
            let inner: Vec<PredId> = old.iter().copied().filter(|p| !without.contains(p)).collect();
            let outer = self.bdds.exists(before, &inner)?;
            if self.bdds.and(here, outer)? == before {
                connecting = without;
            }
        }
        Ok(connecting)
    }

    /// The rows of formulas, the first ones of which are those of old predicates.
    fn rows(
        &mut self,
        whole: TermId,
        part: &Part,
        known: TermId,
        old: usize,
        formulas: &[(PredId, TermId)],
    ) -> Result<Option<Rc<Rows>>, AnalysisError> {
        let guard = self.terms.and_all(&part.conjuncts);
        let facts = [guard, known];
        let list: Vec<TermId> = formulas.iter().map(|(_, formula)| *formula).collect();
        let question: Question = (facts.into(), list.into());
        if let Some(rows) = self.kept.rows.get(&question) {
            return Ok(rows.clone());
        }
        // Equations of one variable, before or after, exclude one another.
        let mut numbers: BTreeMap<(bool, TermId), u32> = BTreeMap::new();
        let exclusive: Vec<Option<u32>> = (formulas.iter().enumerate())
            .map(|(i, (pred, _))| {
                let (var, _) = equation(self.terms, self.predicates.formula(*pred))?;
                let next = numbers.len() as u32;
                Some(*numbers.entry((i < old, var)).or_insert(next))
            })
            .collect();
        let implied = self.hard().implied(&facts, &question.1[old..])?;
        let first = usize::from(guard == whole);
        let facts: Vec<TermId> = facts[first..].iter().copied().chain(implied).collect();
        let solver = if first > 0 { self.solvers.with_guard(self.terms, guard)? } else { self.solvers.small() };
        let mut query = Query { terms: self.terms, solver, budget: self.budget, counts: self.counts };
        let rows = query.rows(&facts, &question.1, &exclusive, Abstraction::Boolean)?.map(Rc::new);
        self.kept.rows.insert(question, rows.clone());
        Ok(rows)
    }
}

/// Variable and constant of an equation.
fn equation(terms: &Terms, formula: TermId) -> Option<(TermId, TermId)> {
    let Node::Bin(BinOp::Eq, a, b) = terms.node(formula) else { return None };
    match (terms.is_var(a), terms.is_const(b), terms.is_var(b), terms.is_const(a)) {
        (true, true, ..) => Some((a, b)),
        (_, _, true, true) => Some((b, a)),
        _ => None,
    }
}

/// The conjuncts of a formula, each once.
fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![formula]);
    while let Some(t) = stack.pop() {
        match terms.node(t) {
            _ if !seen.insert(t) || terms.is_true(t) => {}
            Node::Bin(BinOp::And, a, b) => stack.extend([b, a]),
            _ => found.push(t),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::abstraction::failed;
    use smt::random::Choices;
    use smt::{Backend, Sort};
    use smt_z3::Z3Backend;

    const WIDTH: u32 = 3;

    /// A random problem: guard, predicates that hold before in some combination, predicates and their meaning after.
    struct Problem {
        terms: Terms,
        predicates: Predicates,
        guard: TermId,
        /// Of the states before.
        combination: TermId,
        old: Vec<PredId>,
        posts: Vec<Post>,
    }

    fn operand(terms: &mut Terms, choices: &mut Choices, vars: &[TermId]) -> TermId {
        match choices.below(3) {
            0 => {
                let value = choices.bv(WIDTH);
                terms.bv(WIDTH, value)
            }
            _ => vars[choices.below(vars.len())],
        }
    }

    /// An atom, often an equation of the first variable, so that there are cases.
    fn atom(terms: &mut Terms, choices: &mut Choices, vars: &[TermId]) -> TermId {
        if choices.below(2) == 0 {
            let value = choices.bv(WIDTH);
            let value = terms.bv(WIDTH, value);
            return terms.eq(vars[0], value);
        }
        let (a, b) = (vars[choices.below(vars.len())], operand(terms, choices, vars));
        match choices.below(4) {
            0 => terms.ult(a, b),
            1 => terms.slt(a, b),
            _ => terms.eq(a, b),
        }
    }

    fn formula(terms: &mut Terms, choices: &mut Choices, vars: &[TermId], atoms: usize) -> TermId {
        let mut formula = atom(terms, choices, vars);
        for _ in 1..atoms {
            let next = atom(terms, choices, vars);
            let next = if choices.below(3) == 0 { terms.not(next) } else { next };
            formula = if choices.below(2) == 0 { terms.and(formula, next) } else { terms.or(formula, next) };
        }
        formula
    }

    fn problem(seed: u64) -> Problem {
        let mut choices = Choices::from_seed(seed);
        let (mut terms, mut predicates) = (Terms::new(), Predicates::default());
        let (terms_mut, choices) = (&mut terms, &mut choices);
        let vars: Vec<TermId> =
            ["s", "x", "y", "z", "w"].iter().map(|name| terms_mut.var(name, Sort::BitVec(WIDTH))).collect();
        let mut ids = Vec::new();
        for _ in 0..9 {
            let atom = atom(terms_mut, choices, &vars);
            ids.extend(predicates.intern(terms_mut, atom));
        }
        ids.sort_unstable();
        ids.dedup();
        // Some variables get another value, by a choice, a sum or a copy.
        let mut step = Vec::new();
        for var in &vars[..3] {
            if choices.below(3) > 0 {
                let (a, b) = (operand(terms_mut, choices, &vars), operand(terms_mut, choices, &vars));
                let test = formula(terms_mut, choices, &vars, 2);
                let value = if choices.below(4) == 0 { terms_mut.bv_add(a, b) } else { terms_mut.ite(test, a, b) };
                step.push((*var, value));
            }
        }
        let guards: Vec<TermId> = (0..2).map(|_| formula(terms_mut, choices, &vars, 3)).collect();
        let guard = terms_mut.and_all(&guards);
        let half = ids.len() / 2;
        let old = if choices.below(3) == 0 { ids[..half].to_vec() } else { ids.clone() };
        let new = if choices.below(3) == 0 { ids[half..].to_vec() } else { ids.clone() };
        let facts: Vec<TermId> = (0..3).map(|_| formula(terms_mut, choices, &vars, 3)).collect();
        let combination = if choices.below(6) == 0 { terms_mut.tru() } else { terms_mut.and_all(&facts) };
        let mut step = Substitution::new(step);
        let mut post = |pred: PredId| Post { pred, formula: step.apply(terms_mut, predicates.formula(pred)) };
        let posts = new.into_iter().map(&mut post).collect();
        Problem { terms, predicates, guard, combination, old, posts }
    }

    /// One enumeration with everything.
    fn plain(
        terms: &mut Terms,
        bdds: &mut Bdds,
        (guard, before): (TermId, TermId),
        posts: &[Post],
        budget: &Budget,
    ) -> Result<Option<BddId>, AnalysisError> {
        let mut solver = Z3Backend.quick();
        solver.assert(terms, guard).map_err(failed)?;
        let mut counts = Counts::default();
        let mut query = Query { terms, solver: &mut *solver, budget, counts: &mut counts };
        query.plain(bdds, before, posts, Abstraction::Boolean)
    }

    #[test]
    fn images_are_those_of_plain_enumeration() {
        let budget = Budget::unlimited();
        let (mut possible, mut parts) = (0, 0);
        for seed in 0..200 {
            let Problem { mut terms, predicates, guard, combination, old, posts } = problem(seed);
            let mut bdds = Bdds::default();
            // The states before are an abstraction themselves, as they are in every run.
            let same: Vec<Post> = old.iter().map(|p| Post { pred: *p, formula: predicates.formula(*p) }).collect();
            let tru = terms.tru();
            let Ok(Some(before)) = plain(&mut terms, &mut bdds, (combination, tru), &same, &budget) else { continue };
            let formula = bdds.formula(&mut terms, before, &|pred| predicates.formula(pred));
            let expected = plain(&mut terms, &mut bdds, (guard, formula), &posts, &budget);
            let mut counts = Counts::default();
            let mut image = Image {
                terms: &mut terms,
                bdds: &mut bdds,
                predicates: &predicates,
                solvers: &mut Solvers::new(&Z3Backend, false, &budget),
                kept: &mut Images::default(),
                budget: &budget,
                counts: &mut counts,
            };
            let found = image.compute(guard, before, &posts, Abstraction::Boolean);
            match (expected, found) {
                (Ok(expected), Ok(found)) => {
                    assert_eq!(expected, found, "seed {seed}");
                    possible += usize::from(found.is_some());
                    parts += counts.parts;
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
        assert!(possible > 40 && parts > 80, "{possible} {parts}");
    }
}
