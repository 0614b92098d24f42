//! Predicates over canonical variables, interned, and the precision: which ones are used where.

use base::{Id, IdVec, new_id};
use cfa::{FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{TermId, Terms, vars_of};

new_id! {
    /// A predicate.
    pub struct PredId;
}

/// All predicates of a run.
#[derive(Default)]
pub struct Predicates {
    formulas: IdVec<PredId, TermId>,
    vars: IdVec<PredId, Box<[TermId]>>,
    ids: FxHashMap<TermId, PredId>,
}

impl Predicates {
    /// The predicate with this formula; a formula and its negation are one predicate. `None` for constants.
    pub fn intern(&mut self, terms: &mut Terms, formula: TermId) -> Option<PredId> {
        if terms.is_const(formula) {
            return None;
        }
        if let Some(id) = self.ids.get(&formula) {
            return Some(*id);
        }
        let id = self.formulas.push(formula);
        self.vars.push(vars_of(terms, &[formula]).into());
        self.ids.insert(formula, id);
        let negated = terms.not(formula);
        self.ids.insert(negated, id);
        Some(id)
    }

    /// The predicate with this formula, if it is known.
    pub fn find(&self, formula: TermId) -> Option<PredId> {
        self.ids.get(&formula).copied()
    }

    /// Its formula.
    #[inline]
    pub fn formula(&self, id: PredId) -> TermId {
        self.formulas[id]
    }

    /// Its variables.
    #[inline]
    pub fn vars(&self, id: PredId) -> &[TermId] {
        &self.vars[id]
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }
}

/// Where a predicate that refinement discovers is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PredicateScope {
    /// At the location where it was discovered.
    #[default]
    Location,
    /// In the function of that location.
    Function,
    /// Everywhere.
    Global,
}

/// Which predicates are used where. Lists only grow.
#[derive(Clone, Debug, Default)]
pub struct PredicatePrecision {
    scope: PredicateScope,
    global: Vec<PredId>,
    functions: FxHashMap<FuncId, Vec<PredId>>,
    locations: FxHashMap<LocId, Vec<PredId>>,
    known: FxHashSet<(u32, PredId)>,
}

impl PredicatePrecision {
    /// No predicates.
    pub fn empty(scope: PredicateScope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// The predicates for a location of a function.
    pub fn at(&self, func: FuncId, loc: LocId) -> &[PredId] {
        match self.scope {
            PredicateScope::Global => &self.global,
            PredicateScope::Function => self.functions.get(&func).map_or(&[], |list| list),
            PredicateScope::Location => self.locations.get(&loc).map_or(&[], |list| list),
        }
    }

    /// Adds a predicate; whether it is new there.
    pub fn add(&mut self, func: FuncId, loc: LocId, pred: PredId) -> bool {
        let (place, list) = match self.scope {
            PredicateScope::Global => (0, &mut self.global),
            PredicateScope::Function => (func.index(), self.functions.entry(func).or_default()),
            PredicateScope::Location => (loc.index(), self.locations.entry(loc).or_default()),
        };
        let new = self.known.insert((place as u32, pred));
        if new {
            list.push(pred);
        }
        new
    }

    /// Whether a predicate is used at a location.
    pub fn contains(&self, func: FuncId, loc: LocId, pred: PredId) -> bool {
        let place = match self.scope {
            PredicateScope::Global => 0,
            PredicateScope::Function => func.index(),
            PredicateScope::Location => loc.index(),
        };
        self.known.contains(&(place as u32, pred))
    }

    /// Places at which predicates are used in some functions, with the length of their lists. As lists only grow, two precisions of a
    /// run for which this is equal agree there.
    pub fn within(&self, is_in: impl Fn(FuncId) -> bool, func_of: impl Fn(LocId) -> FuncId) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = match self.scope {
            PredicateScope::Global => vec![(0, self.global.len() as u32)],
            PredicateScope::Function => {
                let lists = self.functions.iter().filter(|(func, _)| is_in(**func));
                lists.map(|(func, list)| (func.index() as u32, list.len() as u32)).collect()
            }
            PredicateScope::Location => {
                let lists = self.locations.iter().filter(|(loc, _)| is_in(func_of(**loc)));
                lists.map(|(loc, list)| (loc.index() as u32, list.len() as u32)).collect()
            }
        };
        found.sort_unstable();
        found
    }

    /// Number of uses.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[track_caller]
    fn check(scope: PredicateScope, expected: [usize; 3]) {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let five = terms.bv(8, 5);
        let (small, equal) = (terms.ult(x, five), terms.eq(x, five));
        let large = terms.not(small);
        let mut predicates = Predicates::default();
        let p = predicates.intern(&mut terms, small).expect("no constant");
        assert_eq!(predicates.intern(&mut terms, large), Some(p));
        let q = predicates.intern(&mut terms, equal).expect("no constant");
        assert_eq!(predicates.vars(q), [x]);
        let (f, g) = (FuncId::from_index(0), FuncId::from_index(1));
        let locs: Vec<LocId> = (0..3).map(LocId::from_index).collect();
        let mut precision = PredicatePrecision::empty(scope);
        assert!(precision.add(f, locs[0], p) && !precision.add(f, locs[0], p));
        assert!(precision.add(f, locs[1], q) && precision.contains(f, locs[1], q));
        let found = [(f, locs[0]), (f, locs[1]), (g, locs[2])].map(|(func, loc)| precision.at(func, loc).len());
        assert_eq!(found, expected);
    }

    #[test]
    fn scopes() {
        check(PredicateScope::Location, [1, 1, 0]);
        check(PredicateScope::Function, [2, 2, 0]);
        check(PredicateScope::Global, [2, 2, 2]);
    }
}
