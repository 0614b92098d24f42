//! Loop abstraction as a choice of control flow: automata augmented with strategies [beyer22, Sect. 3.2].
//!
//! Each loop with a strategy gets a new location α before its head. From α, the *base* edge leads to the loop as it is, and an *enter*
//! edge for each applicable strategy to an alternative body α' … ω', whose exits lead to where the loop's exits lead. The strategy
//! map σ gives the strategy of each α' ([`StrategyMap::strategy_at`]); which edge of α is taken is decided by a strategy precision,
//! not by the program. Inner loops come first, so bodies of outer strategies have copies of all inner choices: all combinations.
//!
//! Loops here have any number of exits. A *round* begins at the head and ends there, at an exit, or where its run ends. A run through the
//! loop is a sequence of rounds; each of its head states is among the *havocked* ones, that is, equal to the first one but for what the
//! loop may modify ([`facts`]). All over-approximating strategies follow from that: they take an arbitrary havocked state and execute the
//! last round, or the last rounds, from there. What a round may violate is found in these rounds, too.
//!
//! [`havoc`], [`naive`], [`output`] over-approximate, [`constant`] is exact.

pub mod facts;

mod body;
mod clone;
pub mod constant;
pub mod havoc;
pub mod naive;
pub mod output;

use base::{Id, IdVec, Span, new_id};
use body::Body;
use cfa::callgraph::CallGraph;
use cfa::loop_structure::LoopStructure;
use cfa::loops::Wto;
use cfa::observer::Observer;
use cfa::op::Op;
use cfa::points_to::PointsTo;
use cfa::program::{EdgeId, LocId, Program};
use cfa::regions::Regions;
use facts::{Facts, LoopFacts};
use rustc_hash::FxHashMap;

new_id! {
    /// A location at which strategies are chosen.
    pub struct ChoiceId;
}

/// A strategy; a greater one is more abstract: base ⊑ output ⊑ constant ⊑ naive ⊑ havoc.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strategy {
    /// The loop as it is.
    Base,
    /// The first round, then a last one after an arbitrary one.
    Output,
    /// The closed form of a counting loop: exact.
    Constant,
    /// The last round but one from an arbitrary state, then the exit.
    Naive,
    /// The exit from an arbitrary state.
    Havoc,
}

impl Strategy {
    /// All but the base strategy, the most abstract one first.
    pub const ABSTRACT_FIRST: [Strategy; 4] = [Strategy::Havoc, Strategy::Naive, Strategy::Constant, Strategy::Output];

    /// Whether runs through it need not be runs of the loop.
    pub const fn over_approximates(self) -> bool {
        matches!(self, Strategy::Output | Strategy::Naive | Strategy::Havoc)
    }

    /// Name for users.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Base => "base",
            Strategy::Output => "output",
            Strategy::Constant => "constant",
            Strategy::Naive => "naive",
            Strategy::Havoc => "havoc",
        }
    }
}

/// Why a strategy does not apply to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub &'static str);

/// A way to abstract loops.
pub trait LoopStrategy {
    /// Its identifier.
    fn strategy(&self) -> Strategy;

    /// Whether it applies to a loop.
    ///
    /// # Errors
    /// Why it does not.
    fn applies(&self, loop_: &LoopFacts<'_>) -> Result<(), Refusal>;

    /// How many copies of the loop's body it needs.
    fn copies(&self) -> usize;

    /// Builds the alternative body of a loop to which it applies; returns α', or nothing if that would be no other strategy.
    fn build(&self, loop_: &LoopFacts<'_>, body: &mut Body<'_>) -> Option<LocId>;
}

/// All strategies but the base one, the most abstract one first.
pub fn all() -> [&'static dyn LoopStrategy; 4] {
    [&havoc::Havoc, &naive::Naive, &constant::Constant, &output::Output]
}

/// A location at which a strategy is chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The location α.
    pub at: LocId,
    /// Head of the loop in the program without strategies; copies of a loop have the same.
    pub head: LocId,
    /// Where the loop is in the source.
    pub span: Span,
    /// The edge to the loop as it is.
    pub base: EdgeId,
    /// The edges into strategies, the most abstract one first.
    pub enter: Vec<(Strategy, EdgeId)>,
}

impl Choice {
    /// The edge that enters a strategy.
    pub fn edge(&self, strategy: Strategy) -> Option<EdgeId> {
        match strategy {
            Strategy::Base => Some(self.base),
            _ => self.enter.iter().find(|(s, _)| *s == strategy).map(|(_, edge)| *edge),
        }
    }
}

/// Where which strategies can be chosen.
#[derive(Clone, Debug, Default)]
pub struct StrategyMap {
    /// The choices.
    pub choices: IdVec<ChoiceId, Choice>,
    /// By location; shorter than the locations where the rest has none.
    of_loc: Vec<Option<ChoiceId>>,
    of_edge: FxHashMap<EdgeId, (ChoiceId, Strategy)>,
    at: FxHashMap<LocId, Strategy>,
    /// Numbers of the locations that were added.
    added: std::ops::Range<usize>,
    /// Strategies that were left out because the automaton would have grown too much.
    pub omitted: usize,
}

impl StrategyMap {
    /// The choice at a location α.
    #[inline]
    pub fn choice_at(&self, loc: LocId) -> Option<ChoiceId> {
        self.of_loc.get(loc.index()).copied().flatten()
    }

    /// Whether the location belongs to a strategy, or is one at which strategies are chosen.
    pub fn is_added(&self, loc: LocId) -> bool {
        self.added.contains(&loc.index())
    }

    /// What taking an edge chooses.
    #[inline]
    pub fn chosen_by(&self, edge: EdgeId) -> Option<(ChoiceId, Strategy)> {
        self.of_edge.get(&edge).copied()
    }

    /// The strategy map σ: the strategy whose body begins at the location, base elsewhere.
    pub fn strategy_at(&self, loc: LocId) -> Strategy {
        self.at.get(&loc).copied().unwrap_or(Strategy::Base)
    }

    fn new(program: &mut Program, original: &Program, choices: Vec<Choice>, omitted: usize) -> Self {
        let mut map = Self { omitted, added: original.locs.len()..program.locs.len(), ..Self::default() };
        for mut choice in choices {
            let attached = |edge: &EdgeId| program.locs[choice.at].out.contains(edge);
            choice.enter.retain(|(_, edge)| attached(edge));
            if choice.enter.is_empty() || !attached(&choice.base) {
                continue;
            }
            let id = map.choices.next_id();
            if map.of_loc.len() <= choice.at.index() {
                map.of_loc.resize(choice.at.index() + 1, None);
            }
            map.of_loc[choice.at.index()] = Some(id);
            map.of_edge.insert(choice.base, (id, Strategy::Base));
            for (strategy, edge) in &choice.enter {
                map.of_edge.insert(*edge, (id, *strategy));
                let entry = program.edges[*edge].dst;
                map.at.insert(entry, *strategy);
                program.locs[entry].labels.push(format!("enter {}", strategy.name()).into());
            }
            map.choices.push(choice);
        }
        map
    }
}

/// A program with the strategies of its loops.
#[derive(Clone, Debug)]
pub struct Augmented {
    /// The program; ids of the original one mean the same.
    pub program: Program,
    /// The strategies.
    pub map: StrategyMap,
}

/// Limits of augmentation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Loops with more locations get no strategy that copies them.
    pub body: usize,
    /// Most locations that are added.
    pub added: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { body: 400, added: 6_000 }
    }
}

/// What [`augment`] looks at.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its loops.
    pub wto: &'a Wto,
    /// Its pointers.
    pub points_to: &'a PointsTo,
    /// Its memory.
    pub regions: &'a Regions,
    /// The property: what may violate it is kept.
    pub observer: &'a Observer,
}

/// Adds all applicable strategies of all loops; nothing if there are none.
pub fn augment(source: Source<'_>, strategies: &[&dyn LoopStrategy], limits: Limits) -> Option<Augmented> {
    let calls = CallGraph::new(source.program, Some(source.points_to));
    let structure = LoopStructure::new(source.program, source.wto, source.regions, &calls);
    if structure.loops.is_empty() {
        return None;
    }
    let facts = Facts::new(source, &calls, &structure);
    let mut program = source.program.clone();
    let mut choices: Vec<Choice> = Vec::new();
    let mut omitted = 0;
    let mut added = 0;
    // Locations of each loop in the augmented program.
    let mut members: IdVec<_, Vec<LocId>> = structure.loops.iter().map(|l| l.locs.clone()).collect();
    let mut clones = clone::Clones::default();
    for id in structure.innermost_first() {
        let l = &structure.loops[id];
        let Ok(loop_) = facts.of_loop(id) else { continue };
        let applicable: Vec<&dyn LoopStrategy> =
            strategies.iter().copied().filter(|s| s.applies(&loop_).is_ok()).collect();
        let mut bodies = Vec::new();
        let mut new = Vec::new();
        for strategy in applicable {
            let size = strategy.copies() * members[id].len();
            if size > 0 && (members[id].len() > limits.body || added + size > limits.added) {
                omitted += 1;
                continue;
            }
            let mut body = Body::new(&mut program, &facts, &loop_, &members[id], &mut choices, &mut clones);
            if let Some(entry) = strategy.build(&loop_, &mut body) {
                let locs = body.finish(entry);
                added += locs.len();
                new.extend(locs);
                bodies.push((strategy.strategy(), entry));
            }
        }
        if bodies.is_empty() {
            continue;
        }
        let alpha = program.add_loc(l.func);
        for edge in &l.entries {
            crate::edges::redirect(&mut program, *edge, alpha);
        }
        // Inner choices and strategies may lead to the head, too: only edges of the loop itself stay.
        let inside: rustc_hash::FxHashSet<LocId> = members[id].iter().copied().collect();
        let entering: Vec<EdgeId> = program.locs[l.head].inc.clone();
        for edge in entering {
            let src = program.edges[edge].src;
            if !inside.contains(&src) && !new.contains(&src) && !program.edges[edge].op.ends_path() {
                crate::edges::redirect(&mut program, edge, alpha);
            }
        }
        if let Some(body) = &mut program.functions[l.func].body
            && body.entry == l.head
        {
            body.entry = alpha;
        }
        let span = loop_.span;
        let base = program.add_edge(alpha, l.head, Op::Skip, span);
        let enter = bodies.iter().map(|(s, entry)| (*s, program.add_edge(alpha, *entry, Op::Skip, span))).collect();
        choices.push(Choice { at: alpha, head: l.head, span, base, enter });
        new.push(alpha);
        let mut around = l.parent;
        while let Some(outer) = around {
            members[outer].extend(&new);
            around = structure.loops[outer].parent;
        }
    }
    if choices.is_empty() {
        return None;
    }
    let map = StrategyMap::new(&mut program, source.program, choices, omitted);
    Some(Augmented { program, map })
}

#[cfg(test)]
mod tests;
