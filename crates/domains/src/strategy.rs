//! Strategy precisions as a component of abstract states [beyer22, Sect. 3.2]: which strategies may be taken at which loops.
//!
//! A precision allows a set of strategies at each location α; `select` takes the most abstract ones of those that are available there. The order
//! of strategies is total, so that is one. States hold the number of an interned precision; it is what their successors were, and will
//! be, computed with. New states get the *current* precision, which refinement makes smaller.

use base::Id;
use cfa::{EdgeId, LocId, Program};
use outcome::{LoopAbstraction, Statistics};
use std::collections::BTreeMap;
use std::sync::Arc;
use transform::strategies::{ChoiceId, Strategy, StrategyMap};

/// An interned strategy precision; small, because each abstract state has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct StrategyPrecisionId(u16);

/// A precision: the strategies that may be taken, as a set of bits for each choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyPrecision {
    allowed: Vec<u8>,
}

const fn bit(strategy: Strategy) -> u8 {
    1 << strategy as u8
}

impl StrategyPrecisionId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl StrategyPrecision {
    /// The precision that allows everything.
    pub fn everything(map: &StrategyMap) -> Self {
        Self { allowed: vec![u8::MAX; map.choices.len()] }
    }

    /// Whether the strategy may be taken.
    pub fn allows(&self, choice: ChoiceId, strategy: Strategy) -> bool {
        self.allowed[choice.index()] & bit(strategy) != 0
    }

    /// Removes a strategy.
    pub fn refuse(&mut self, choice: ChoiceId, strategy: Strategy) {
        self.allowed[choice.index()] &= !bit(strategy);
    }

    /// The most abstract strategy that is available and allowed; the base strategy always is.
    pub fn select(&self, map: &StrategyMap, choice: ChoiceId) -> (Strategy, EdgeId) {
        let entry = &map.choices[choice];
        let allowed = entry.enter.iter().filter(|(strategy, _)| self.allows(choice, *strategy));
        allowed.copied().max_by_key(|(strategy, _)| *strategy).unwrap_or((Strategy::Base, entry.base))
    }
}

/// The strategies of a program with the precisions that occur.
#[derive(Clone, Default)]
pub struct Strategies {
    map: Arc<StrategyMap>,
    precisions: Vec<StrategyPrecision>,
    /// What each precision selects at each choice.
    selected: Vec<Vec<EdgeId>>,
    current: usize,
    /// Precisions that were too many, see [`Strategies::add_statistics`].
    ignored: u64,
}

/// Where a path enters a strategy that over-approximates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pivot {
    /// Index of the edge on the path.
    pub edge: usize,
    /// The choice.
    pub choice: ChoiceId,
    /// What was taken.
    pub strategy: Strategy,
}

impl Strategies {
    /// All strategies may be taken.
    pub fn new(map: Arc<StrategyMap>) -> Self {
        let mut this = Self { map, ..Self::default() };
        this.make_current(StrategyPrecision::everything(&this.map));
        this
    }

    /// None may be taken: loops are as they are.
    pub fn base(map: Arc<StrategyMap>) -> Self {
        let mut this = Self { map, ..Self::default() };
        this.make_current(StrategyPrecision { allowed: vec![0; this.map.choices.len()] });
        this
    }

    /// The strategy map.
    pub fn map(&self) -> &StrategyMap {
        &self.map
    }

    /// The precision of new states.
    pub fn current(&self) -> StrategyPrecisionId {
        StrategyPrecisionId(self.current as u16)
    }

    /// What the current precision selects at each choice.
    pub fn selected_edges(&self) -> &[EdgeId] {
        &self.selected[self.current]
    }

    /// The edges out of a location that runs of a state take.
    #[inline]
    pub fn edges<'a>(&'a self, program: &'a Program, precision: StrategyPrecisionId, loc: LocId) -> &'a [EdgeId] {
        match self.map.choice_at(loc) {
            None => &program.locs[loc].out,
            Some(choice) => std::slice::from_ref(&self.selected[precision.0 as usize][choice.index()]),
        }
    }

    /// The edge that runs of a state take at a location, if a strategy is chosen there.
    #[inline]
    pub fn chosen(&self, precision: StrategyPrecisionId, loc: LocId) -> Option<EdgeId> {
        let choice = self.map.choice_at(loc)?;
        Some(self.selected[precision.0 as usize][choice.index()])
    }

    /// The first edge of a path that enters an over-approximating strategy.
    pub fn pivot(&self, path: &[EdgeId]) -> Option<Pivot> {
        self.entered(path).find(|pivot| pivot.strategy.over_approximates())
    }

    /// Whether the edge chooses a strategy, the base strategy included.
    #[inline]
    pub fn chooses(&self, edge: EdgeId) -> bool {
        self.map.chosen_by(edge).is_some()
    }

    /// The first edge of a path that enters any strategy.
    pub fn first_entered(&self, path: &[EdgeId]) -> Option<Pivot> {
        self.entered(path).next()
    }

    fn entered<'a>(&'a self, path: &'a [EdgeId]) -> impl Iterator<Item = Pivot> + 'a {
        path.iter().enumerate().filter_map(|(i, edge)| {
            let (choice, strategy) = self.map.chosen_by(*edge)?;
            (strategy != Strategy::Base).then_some(Pivot { edge: i, choice, strategy })
        })
    }

    /// All may be taken from now on.
    pub fn offer_all(&mut self) {
        self.make_current(StrategyPrecision::everything(&self.map));
    }

    /// Takes a strategy out of the current precision.
    pub fn refuse(&mut self, choice: ChoiceId, strategy: Strategy) {
        let mut precision = self.precisions[self.current].clone();
        precision.refuse(choice, strategy);
        self.make_current(precision);
    }

    /// What each precision selects: an edge for each choice.
    pub fn selections(&self) -> &[Vec<EdgeId>] {
        &self.selected
    }

    /// The strategy that a precision selects.
    pub fn selected(&self, precision: StrategyPrecisionId, choice: ChoiceId) -> Strategy {
        self.precisions[precision.0 as usize].select(&self.map, choice).0
    }

    /// Whether two precisions select the same at a choice.
    pub fn agree(&self, a: StrategyPrecisionId, b: StrategyPrecisionId, choice: ChoiceId) -> bool {
        self.selected[a.0 as usize][choice.index()] == self.selected[b.0 as usize][choice.index()]
    }

    /// Appends what was given up.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        if self.ignored > 0 {
            stats.count("given_up.strategies", self.ignored);
        }
    }

    fn make_current(&mut self, precision: StrategyPrecision) {
        if let Some(known) = self.precisions.iter().position(|p| *p == precision) {
            self.current = known;
            return;
        }
        // More than the numbers can tell apart do not occur: each one allows less than those before. If they did, the last one is kept.
        if self.precisions.len() > usize::from(u16::MAX) {
            self.ignored += 1;
            return;
        }
        let selected = self.map.choices.ids().map(|choice| precision.select(&self.map, choice).1).collect();
        self.precisions.push(precision);
        self.selected.push(selected);
        self.current = self.precisions.len() - 1;
    }
}

/// Collects the strategies that a proof takes, one for each loop: where there are several, the most precise one.
pub struct Used<'a> {
    map: &'a StrategyMap,
    taken: BTreeMap<usize, (Strategy, LoopAbstraction)>,
}

impl<'a> Used<'a> {
    /// None.
    pub fn new(map: &'a StrategyMap) -> Self {
        Self { map, taken: BTreeMap::new() }
    }

    /// Adds what an edge chooses.
    pub fn take(&mut self, edge: EdgeId) {
        let Some((choice, strategy)) = self.map.chosen_by(edge) else { return };
        let choice = &self.map.choices[choice];
        let abstraction = LoopAbstraction { span: choice.span, strategy: strategy.name() };
        let entry = self.taken.entry(choice.head.index()).or_insert_with(|| (strategy, abstraction.clone()));
        if strategy < entry.0 {
            *entry = (strategy, abstraction);
        }
    }

    /// All of them, in the order of the loops' heads.
    pub fn finish(self) -> Vec<LoopAbstraction> {
        self.taken.into_values().map(|(_, abstraction)| abstraction).collect()
    }
}
