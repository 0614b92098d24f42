//! Boolean combinations of predicates as binary decision diagrams, hash-consed to ids.
//!
//! Two abstract states are equal if and only if their ids are. Each predicate has two variables, one for its value and one for
//! its *next* value while an image is computed; they are neighbours, numbered as the predicates are. The order never changes, so
//! results do not depend on chance.

// Keys are compared by the nodes that they name, which never change; what changes is inside of the manager.
#![allow(clippy::mutable_key_type)]

use super::predicates::PredId;
use base::{Id, IdVec, new_id};
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::OutOfMemory;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, Function, FunctionSubst, HasLevel, Manager, ManagerRef, Node, Subst,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{TermId, Terms};
use std::cell::RefCell;
use std::rc::Rc;

new_id! {
    /// A Boolean combination of predicates.
    pub struct BddId;
}

/// Inner nodes that all diagrams together may have.
const NODES: usize = 1 << 21;
/// Entries of the cache of operations.
const CACHE: usize = 1 << 16;

/// The diagrams have too many nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl From<OutOfMemory> for Full {
    fn from(_: OutOfMemory) -> Self {
        Full
    }
}

/// A manager of diagrams, lent by its thread until it is dropped.
///
/// A thread keeps its managers for as long as it lives. OxiDD notes for each thread, by address, to which manager the free slots belong that it holds, and
/// never forgets that: a manager made where one was dropped would get slots of that one, so that nodes are overwritten and diagrams become circles.
struct Lent {
    manager: BDDManagerRef,
    /// How many variables it has.
    vars: u32,
}

thread_local! {
    static MANAGERS: RefCell<Vec<(BDDManagerRef, u32)>> = const { RefCell::new(Vec::new()) };
}

impl Default for Lent {
    fn default() -> Self {
        let kept = MANAGERS.try_with(|managers| managers.borrow_mut().pop()).ok().flatten();
        let (manager, vars) = kept.unwrap_or_else(|| (oxidd::bdd::new_manager(NODES, CACHE, 1), 0));
        Self { manager, vars }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.manager.with_manager_shared(|m| m.gc());
        }
        // Without a place to keep it in, the thread is at its end.
        let _ = MANAGERS.try_with(|managers| managers.borrow_mut().push((self.manager.clone(), self.vars)));
    }
}

/// All diagrams of a run.
pub struct Bdds {
    functions: IdVec<BddId, BDDFunction>,
    ids: FxHashMap<BDDFunction, BddId>,
    /// Dropped after the diagrams, so that it is given back without nodes.
    lent: Lent,
    implied: FxHashMap<(BddId, BddId), bool>,
    formulas: FxHashMap<BddId, TermId>,
    supports: FxHashMap<BddId, Rc<[PredId]>>,
}

/// Which of a predicate's variables is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Its value.
    Now,
    /// Its value after a step.
    Next,
}

fn variable(pred: PredId, when: When) -> u32 {
    2 * pred.index() as u32 + u32::from(when == When::Next)
}

impl Default for Bdds {
    fn default() -> Self {
        let lent = Lent::default();
        let (fals, tru) = lent.manager.with_manager_shared(|m| (BDDFunction::f(m), BDDFunction::t(m)));
        let mut this = Self {
            functions: IdVec::new(),
            ids: FxHashMap::default(),
            lent,
            implied: FxHashMap::default(),
            formulas: FxHashMap::default(),
            supports: FxHashMap::default(),
        };
        this.intern(fals);
        this.intern(tru);
        this
    }
}

impl Bdds {
    /// No state.
    pub fn fals(&self) -> BddId {
        BddId::from_index(0)
    }

    /// All states.
    pub fn tru(&self) -> BddId {
        BddId::from_index(1)
    }

    fn intern(&mut self, function: BDDFunction) -> BddId {
        if let Some(id) = self.ids.get(&function) {
            return *id;
        }
        let id = self.functions.push(function.clone());
        self.ids.insert(function, id);
        id
    }

    /// A predicate or its negation.
    pub fn literal(&mut self, pred: PredId, value: bool) -> Result<BddId, Full> {
        let function = self.raw_literal(pred, When::Now, value)?;
        Ok(self.intern(function))
    }

    fn raw_literal(&mut self, pred: PredId, when: When, value: bool) -> Result<BDDFunction, Full> {
        let var = variable(pred, when);
        if variable(pred, When::Next) >= self.lent.vars {
            let more = variable(pred, When::Next) + 1 - self.lent.vars;
            self.lent.manager.with_manager_exclusive(|m| m.add_vars(more));
            self.lent.vars += more;
        }
        let function = self
            .lent
            .manager
            .with_manager_shared(|m| if value { BDDFunction::var(m, var) } else { BDDFunction::not_var(m, var) });
        Ok(function?)
    }

    /// Both.
    pub fn and(&mut self, a: BddId, b: BddId) -> Result<BddId, Full> {
        let function = self.functions[a].and(&self.functions[b])?;
        Ok(self.intern(function))
    }

    /// Either.
    pub fn or(&mut self, a: BddId, b: BddId) -> Result<BddId, Full> {
        let function = self.functions[a].or(&self.functions[b])?;
        Ok(self.intern(function))
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: impl IntoIterator<Item = (PredId, bool)>) -> Result<BddId, Full> {
        self.cube_at(When::Now, literals)
    }

    /// The conjunction of literals about some variables.
    pub fn cube_at(&mut self, when: When, literals: impl IntoIterator<Item = (PredId, bool)>) -> Result<BddId, Full> {
        let mut cube = self.functions[self.tru()].clone();
        let mut sorted: Vec<(PredId, bool)> = literals.into_iter().collect();
        // From the bottom of the diagram upwards.
        sorted.sort_unstable_by_key(|(pred, _)| std::cmp::Reverse(*pred));
        for (pred, value) in sorted {
            cube = cube.and(&self.raw_literal(pred, when, value)?)?;
        }
        Ok(self.intern(cube))
    }

    /// The same of some predicates, whatever the other values.
    pub fn exists(&mut self, id: BddId, preds: &[PredId]) -> Result<BddId, Full> {
        let support = self.support(id);
        let gone: Vec<(PredId, bool)> = preds.iter().filter(|p| support.contains(p)).map(|p| (*p, true)).collect();
        if gone.is_empty() {
            return Ok(id);
        }
        let vars = self.cube(gone)?;
        let function = self.functions[id].exists(&self.functions[vars])?;
        Ok(self.intern(function))
    }

    /// What holds after a step: next values become the values.
    pub fn advance(&mut self, id: BddId, preds: &[PredId]) -> Result<BddId, Full> {
        let now: Vec<BDDFunction> =
            preds.iter().map(|p| self.raw_literal(*p, When::Now, true)).collect::<Result<_, _>>()?;
        let next: Vec<u32> = preds.iter().map(|p| variable(*p, When::Next)).collect();
        let function = self.functions[id].substitute(&Subst::new(next, now))?;
        Ok(self.intern(function))
    }

    /// The predicates whose value matters, ascending.
    pub fn support(&mut self, id: BddId) -> Rc<[PredId]> {
        if let Some(known) = self.supports.get(&id) {
            return known.clone();
        }
        let mut seen: FxHashSet<BDDFunction> = FxHashSet::default();
        let mut preds = Vec::new();
        let mut stack = vec![self.functions[id].clone()];
        while let Some(top) = stack.pop() {
            let Some((high, low)) = top.cofactors() else { continue };
            if seen.contains(&top) {
                continue;
            }
            preds.push(PredId::from_index((level(&top) / 2) as usize));
            seen.insert(top);
            stack.extend([high, low]);
        }
        preds.sort_unstable();
        preds.dedup();
        let preds: Rc<[PredId]> = preds.into();
        self.supports.insert(id, preds.clone());
        preds
    }

    /// Whether `a` implies `b`.
    pub fn implies(&mut self, a: BddId, b: BddId) -> Result<bool, Full> {
        if a == b || a == self.fals() || b == self.tru() {
            return Ok(true);
        }
        if let Some(known) = self.implied.get(&(a, b)) {
            return Ok(*known);
        }
        let result = self.functions[a].imp(&self.functions[b])?.valid();
        self.implied.insert((a, b), result);
        Ok(result)
    }

    /// The same as a formula; `predicate` gives the predicates' formulas.
    pub fn formula(&mut self, terms: &mut Terms, id: BddId, predicate: &dyn Fn(PredId) -> TermId) -> TermId {
        if let Some(known) = self.formulas.get(&id) {
            return *known;
        }
        let mut done: FxHashMap<BDDFunction, TermId> = FxHashMap::default();
        let root = self.functions[id].clone();
        let mut stack = vec![root.clone()];
        while let Some(top) = stack.last().cloned() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let Some((high, low)) = top.cofactors() else {
                let value = terms.bool_const(top.valid());
                done.insert(top, value);
                stack.pop();
                continue;
            };
            match (done.get(&high), done.get(&low)) {
                (Some(h), Some(l)) => {
                    let (h, l) = (*h, *l);
                    let p = predicate(PredId::from_index((level(&top) / 2) as usize));
                    let not_p = terms.not(p);
                    let (with, without) = (terms.and(p, h), terms.and(not_p, l));
                    let formula = if h == l { h } else { terms.or(with, without) };
                    done.insert(top, formula);
                    stack.pop();
                }
                (h, l) => {
                    if h.is_none() {
                        stack.push(high);
                    }
                    if l.is_none() {
                        stack.push(low);
                    }
                }
            }
        }
        let formula = done[&root];
        self.formulas.insert(id, formula);
        formula
    }

    /// The literals that a combination implies, and what it says beside them.
    pub fn literals(&mut self, id: BddId) -> Result<(Vec<(PredId, bool)>, BddId), Full> {
        let mut literals = Vec::new();
        for pred in self.support(id).iter().copied() {
            for value in [true, false] {
                let literal = self.literal(pred, value)?;
                if self.implies(id, literal)? {
                    literals.push((pred, value));
                }
            }
        }
        let preds: Vec<PredId> = literals.iter().map(|(pred, _)| *pred).collect();
        let rest = self.exists(id, &preds)?;
        Ok((literals, rest))
    }

    /// Number of different diagrams.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there is none (never).
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

fn level(function: &BDDFunction) -> u32 {
    function.with_manager_shared(|m, edge| match m.get_node(edge) {
        Node::Inner(node) => node.level(),
        Node::Terminal(_) => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[test]
    fn diagrams_are_canonical_and_have_formulas() {
        let mut bdds = Bdds::default();
        let preds: Vec<PredId> = (0..3).map(PredId::from_index).collect();
        let (a, b) = (bdds.literal(preds[2], true).unwrap(), bdds.literal(preds[0], false).unwrap());
        let both = bdds.and(a, b).unwrap();
        assert_eq!(both, bdds.cube([(preds[0], false), (preds[2], true)]).unwrap());
        assert!(bdds.implies(both, a).unwrap() && !bdds.implies(a, both).unwrap());
        let either = bdds.or(a, b).unwrap();
        assert!(bdds.implies(both, either).unwrap());
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..3).map(|i| terms.var(&format!("p{i}"), Sort::Bool)).collect();
        let formula = bdds.formula(&mut terms, either, &|pred| vars[pred.index()]);
        for bits in 0..8u32 {
            let value = |i: usize| bits >> i & 1 == 1;
            let assignment = vars.iter().enumerate().map(|(i, v)| (*v, smt::Value::Bool(value(i)))).collect();
            let expected = value(2) || !value(0);
            assert_eq!(smt::eval::eval(&terms, &assignment, formula), smt::Value::Bool(expected));
        }
    }

    #[test]
    fn a_thread_keeps_its_managers() {
        let nodes = |bdds: &Bdds| bdds.lent.manager.with_manager_shared(|m| m.num_inner_nodes());
        let fill = || {
            let mut bdds = Bdds::default();
            let before = nodes(&bdds);
            let mut all = bdds.fals();
            for i in 0..200 {
                let cube = (0..12).map(|bit| (PredId::from_index(bit), i >> (bit % 8) & 1 == 1));
                let cube = bdds.cube(cube).unwrap();
                all = bdds.or(all, cube).unwrap();
            }
            assert!(nodes(&bdds) > before + 200);
            (bdds, before)
        };
        let ((first, none), (second, _)) = (fill(), fill());
        let managers = [&first, &second].map(|bdds| bdds.lent.manager.clone());
        assert!(none == 0 && managers[0] != managers[1]);
        drop((second, first));
        for _ in 0..3 {
            let (bdds, before) = fill();
            assert!(before <= 24 && managers.contains(&bdds.lent.manager), "{before}");
        }
    }

    #[test]
    fn quantification_and_steps() {
        let mut bdds = Bdds::default();
        let preds: Vec<PredId> = (0..3).map(PredId::from_index).collect();
        let (a, b) = (bdds.cube([(preds[0], true), (preds[1], true)]).unwrap(), bdds.literal(preds[2], false).unwrap());
        let either = bdds.or(a, b).unwrap();
        assert_eq!(*bdds.support(either), preds[..]);
        assert_eq!(bdds.exists(a, &preds[..1]).unwrap(), bdds.literal(preds[1], true).unwrap());
        assert_eq!(bdds.exists(either, &preds[..2]).unwrap(), bdds.tru());
        let next = bdds.cube_at(When::Next, [(preds[0], false)]).unwrap();
        let both = bdds.and(b, next).unwrap();
        let expected = bdds.cube([(preds[0], false), (preds[2], false)]).unwrap();
        assert_eq!(bdds.advance(both, &preds[..1]).unwrap(), expected);
    }
}
