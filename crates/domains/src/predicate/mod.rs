//! Predicate abstraction [graf97, ball01] over blocks [beyer09, beyer10].
//!
//! An abstract state is a location with its call stack, the shape of memory ([`shape`]), and a Boolean combination of predicates
//! ([`bdd`]). A transfer takes the formula of a block ([`block`]) and asks solvers for the strongest combination of the
//! predicates of the precision that holds at its end ([`image`]).

pub mod predicates;

pub mod bdd;

pub mod points;

pub mod shape;

mod instance;

pub mod generic;

pub mod block;

pub mod abstraction;

pub mod solvers;

pub mod image;

mod hard;

pub mod implied;

pub mod procedure;

pub mod blocks;

use crate::strategy::{Strategies, StrategyPrecisionId};
use abstraction::{Abstraction, Counts, Post};
use analysis::{AnalysisError, Cpa, Rank, Successor};
use base::Budget;
use bdd::{BddId, Bdds};
use block::{At, Block, BlockId, Calls, Encoding, End, EndKey, Start};
use blocks::Exits;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::procedures::Procedures;
use cfa::{EdgeId, FuncId, LocId, Observer};
use encode::{Encoder, EndingKind};
use generic::Generics;
use image::{Image, Images};
use instance::Instances;
use points::Points;
use predicates::{PredId, PredicatePrecision, Predicates};
use rustc_hash::{FxHashMap, FxHashSet};
use shape::ShapeId;
use smt::{Backend, Substitution, TermId};
use solvers::Solvers;
use std::collections::BTreeSet;
use std::rc::Rc;
use step::{Kernel, StackId};

/// An abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PredicateState {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Observer of the property.
    pub observer: ObserverState,
    /// Shape of memory; none before the program starts.
    pub shape: Option<ShapeId>,
    /// What holds.
    pub abstraction: BddId,
    /// Which strategies runs take at loops.
    pub strategy: StrategyPrecisionId,
}

impl PredicateState {
    /// Where the state's blocks begin.
    pub fn start(&self) -> Start {
        let at = At { loc: self.loc, stack: self.stack, observer: self.observer };
        Start { at, shape: self.shape }
    }
}

/// What states must agree on to cover one another.
pub type Partition = Start;

/// Identifies an abstraction: block and end, state before, what else restricts the block, predicates.
type Question = (BlockId, u32, BddId, TermId, Rc<[PredId]>);

/// The analysis.
pub struct PredicateCpa<'p, 'b> {
    /// The encoder of generic states.
    pub enc: Encoder<'p>,
    /// Stacks, shapes, generic states.
    pub generics: Generics<'p>,
    points: Points,
    kernel: Kernel<'p>,
    /// Strategies for loops.
    pub strategies: Strategies,
    /// Predicates.
    pub predicates: Predicates,
    /// Their combinations.
    pub bdds: Bdds,
    /// The blocks that begin at a point; several if strategies differ.
    blocks: FxHashMap<Start, Vec<Rc<Block>>>,
    choices: FxHashMap<EndKey, u32>,
    /// Stacks of calls that are followed although they could be abstracted: the stack precision.
    followed: FxHashSet<StackId>,
    exits: Exits,
    /// Why the model ends at an edge.
    pub unmodelled: FxHashMap<EdgeId, EndingKind>,
    solvers: Solvers<'b>,
    images: Images,
    instances: Instances,
    answers: FxHashMap<Question, Option<BddId>>,
    posts: FxHashMap<(BlockId, u32, PredId), TermId>,
    kind: Abstraction,
    budget: Budget,
    /// Statistics.
    pub counts: Counts,
    /// Answers that were known.
    pub cache_hits: u64,
    /// Blocks encoded.
    pub encoded: u64,
    /// Steps in them.
    pub steps: u64,
}

impl<'p, 'b> PredicateCpa<'p, 'b> {
    /// The analysis of the encoder's program.
    pub fn new(
        mut enc: Encoder<'p>,
        points_to: &PointsTo,
        (points, procedures): (Points, Procedures),
        (observer, strategies): (&Observer, Strategies),
        backend: &'b dyn Backend,
        kind: Abstraction,
        budget: &Budget,
    ) -> Self {
        enc.set_canonical(points_to);
        let generics = Generics::new(&mut enc, points_to, procedures);
        let kernel = Kernel::new(enc.program, observer);
        let exprs = &enc.program.exprs;
        let floats = exprs.ids().any(|expr| exprs.ty(expr).is_float());
        Self {
            enc,
            generics,
            points,
            kernel,
            strategies,
            predicates: Predicates::default(),
            bdds: Bdds::default(),
            blocks: FxHashMap::default(),
            choices: FxHashMap::default(),
            followed: FxHashSet::default(),
            exits: Exits::InGraph,
            unmodelled: FxHashMap::default(),
            solvers: Solvers::new(backend, floats, budget),
            images: Images::default(),
            instances: Instances::default(),
            answers: FxHashMap::default(),
            posts: FxHashMap::default(),
            kind,
            budget: budget.clone(),
            counts: Counts::default(),
            cache_hits: 0,
            encoded: 0,
            steps: 0,
        }
    }

    /// The block that begins there.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn block(&mut self, start: Start, strategy: StrategyPrecisionId) -> Result<Rc<Block>, AnalysisError> {
        let known = self.blocks.get(&start);
        let (strategies, program) = (&self.strategies, self.enc.program);
        let fits = |block: &&Rc<Block>| {
            block.chosen.iter().all(|(loc, edge)| strategies.edges(program, strategy, *loc) == [*edge])
        };
        if let Some(block) = known.and_then(|blocks| blocks.iter().find(fits)) {
            return Ok(block.clone());
        }
        let calls = if self.is_abstract_call(start.at) { Calls::Abstract } else { Calls::Follow };
        let block = loop {
            let strategies = (&self.strategies, strategy);
            let encoding = Encoding::new(&mut self.enc, &mut self.generics, &self.points, strategies, &self.budget);
            let variant = self.blocks.get(&start).map_or(0, Vec::len) as u32;
            let block = encoding.run(&self.kernel, start, variant, calls)?;
            let wanted = self.enc.canon.as_mut().map(|canon| std::mem::take(&mut canon.wanted)).unwrap_or_default();
            if wanted.is_empty() {
                break block;
            }
            // Objects that are arrays somewhere are arrays everywhere: what was encoded with cells is encoded again.
            if let Some(canon) = &mut self.enc.canon {
                canon.arrays.extend(wanted);
            }
            self.blocks.clear();
            self.answers.clear();
            self.posts.clear();
        };
        self.encoded += 1;
        self.steps += block.steps() as u64;
        self.unmodelled.extend(block.unmodelled.iter().copied());
        let block = Rc::new(block);
        self.blocks.entry(start).or_default().push(block.clone());
        Ok(block)
    }

    /// The successors of a state at some ends of a block, of the runs for which `also` holds.
    fn successors(
        &mut self,
        from: &PredicateState,
        block: &Block,
        ends: std::ops::Range<usize>,
        also: TermId,
        precision: &PredicatePrecision,
        out: &mut Vec<Successor<PredicateState>>,
    ) -> Result<(), AnalysisError> {
        for (index, end) in block.ends.iter().enumerate().take(ends.end).skip(ends.start) {
            let preds = match end.target {
                Some(_) => Rc::from([]),
                None => self.applicable(precision, block, index),
            };
            if let Some(abstraction) = self.abstract_end(block, index, from.abstraction, also, preds)? {
                let At { loc, stack, observer } = end.at;
                let strategy = self.strategies.current();
                let state = PredicateState { loc, stack, observer, shape: Some(end.shape), abstraction, strategy };
                let choice = self.choice(end);
                out.push(Successor { state, choice, target: end.target });
            }
        }
        Ok(())
    }

    /// The formula of an abstraction, over canonical variables.
    pub fn formula(&mut self, abstraction: BddId) -> TermId {
        let predicates = &self.predicates;
        self.bdds.formula(&mut self.enc.terms, abstraction, &|pred| predicates.formula(pred))
    }

    /// Whether blocks end at a location.
    pub fn is_point(&self, loc: LocId) -> bool {
        self.points.is_point(loc)
    }

    /// Edges at which undefined behaviour may end runs of the encoded blocks.
    pub fn undefined(&self) -> BTreeSet<EdgeId> {
        self.blocks.values().flatten().flat_map(|block| &block.undefined).map(|(edge, _)| *edge).collect()
    }

    /// The number of an end that stays the same when its block is encoded again.
    pub fn choice(&mut self, end: &End) -> u32 {
        let next = self.choices.len() as u32;
        *self.choices.entry(end.key()).or_insert(next)
    }

    /// The end of a block with a number; none if a newer encoding of the block has no such end.
    pub fn end_of(&self, block: &Block, choice: u32) -> Option<usize> {
        block.ends.iter().position(|end| self.choices.get(&end.key()) == Some(&choice))
    }

    /// The predicates of the precision that mean something at an end.
    pub(crate) fn applicable(&mut self, precision: &PredicatePrecision, block: &Block, end: usize) -> Rc<[PredId]> {
        let end = &block.ends[end];
        let func = self.enc.program.locs[end.at.loc].func;
        let list = precision.at(func, end.at.loc);
        if list.is_empty() {
            return Rc::from([]);
        }
        let At { loc, stack, .. } = end.at;
        let registers = self.generics.vocabulary(&mut self.enc, stack, loc, end.shape);
        let shape = self.generics.shapes.get(end.shape).clone();
        let mut applicable = Vec::with_capacity(list.len());
        for pred in list.iter().copied() {
            let instance = self.instances.get(&mut self.enc, &self.generics, &mut self.predicates, pred, stack);
            for pred in [Some(pred), instance].into_iter().flatten() {
                let vars = self.predicates.vars(pred);
                if vars.iter().all(|var| Generics::is_meaningful(&self.enc, &shape, &registers, *var)) {
                    applicable.push(pred);
                }
            }
        }
        // In the order of the precision: what was there before comes first.
        let mut seen = FxHashSet::default();
        applicable.retain(|pred| seen.insert(*pred));
        applicable.into()
    }

    /// What a canonical variable holds at an end of a block.
    pub fn output(&mut self, block: &Block, end: usize, var: TermId) -> TermId {
        let end = &block.ends[end];
        let place = self.enc.canon.as_ref().and_then(|canon| canon.place(var));
        let (Some(place), Some(state)) = (place, &end.state) else { return var };
        let sort = self.enc.terms.sort(var);
        let mut state = state.clone();
        let output = self.enc.output(&mut state, place, sort);
        self.enc.forget_log();
        output
    }

    /// What a combination of predicates says about some variables, as formulas that hold together.
    ///
    /// # Errors
    /// When the diagrams are full.
    pub fn facts(&mut self, abstraction: BddId, wanted: impl Fn(TermId) -> bool) -> Result<Vec<TermId>, AnalysisError> {
        let support = self.bdds.support(abstraction);
        let other = |pred: &PredId| !self.predicates.vars(*pred).iter().all(|var| wanted(*var));
        let others: Vec<PredId> = support.iter().copied().filter(other).collect();
        let about = self.bdds.exists(abstraction, &others)?;
        let (literals, rest) = self.bdds.literals(about)?;
        let (terms, predicates) = (&mut self.enc.terms, &self.predicates);
        let literal = |terms: &mut smt::Terms, pred, value| {
            let formula = predicates.formula(pred);
            if value { formula } else { terms.not(formula) }
        };
        let mut facts: Vec<TermId> = literals.into_iter().map(|(pred, value)| literal(terms, pred, value)).collect();
        let rest = self.bdds.formula(terms, rest, &|pred| predicates.formula(pred));
        if !terms.is_true(rest) {
            facts.push(rest);
        }
        Ok(facts)
    }

    /// A predicate at an end of a block, as a formula over the start.
    pub(crate) fn post(&mut self, block: &Block, end: usize, pred: PredId) -> TermId {
        let key = (block.id(), end as u32, pred);
        if let Some(known) = self.posts.get(&key) {
            return *known;
        }
        let vars = self.predicates.vars(pred).to_vec();
        let map: Vec<(TermId, TermId)> = vars.into_iter().map(|var| (var, self.output(block, end, var))).collect();
        let formula = Substitution::new(map).apply(&mut self.enc.terms, self.predicates.formula(pred));
        self.posts.insert(key, formula);
        formula
    }

    /// The abstraction at an end of a block; none if no state of `before` reaches it in a way that `also` admits.
    pub(crate) fn abstract_end(
        &mut self,
        block: &Block,
        end: usize,
        before: BddId,
        also: TermId,
        preds: Rc<[PredId]>,
    ) -> Result<Option<BddId>, AnalysisError> {
        if self.enc.terms.is_false(block.ends[end].guard) {
            return Ok(None);
        }
        let question = (block.id(), end as u32, before, also, preds.clone());
        if let Some(answer) = self.answers.get(&question) {
            self.cache_hits += 1;
            return Ok(*answer);
        }
        let guard = self.enc.terms.and(block.ends[end].guard, also);
        let posts: Vec<Post> =
            preds.iter().map(|pred| Post { pred: *pred, formula: self.post(block, end, *pred) }).collect();
        let mut image = Image {
            terms: &mut self.enc.terms,
            bdds: &mut self.bdds,
            predicates: &self.predicates,
            solvers: &mut self.solvers,
            kept: &mut self.images,
            budget: &self.budget,
            counts: &mut self.counts,
        };
        let answer = image.compute(guard, before, &posts, self.kind)?;
        self.answers.insert(question, answer);
        Ok(answer)
    }
}

impl Cpa for PredicateCpa<'_, '_> {
    type State = PredicateState;
    type Precision = PredicatePrecision;
    type Key = Partition;

    fn initial(&mut self, _: &PredicatePrecision) -> PredicateState {
        let program = self.enc.program;
        let loc = program.functions[program.start].body.map_or(base::Id::from_index(0), |body| body.entry);
        PredicateState {
            loc,
            stack: self.generics.stacks.root(),
            observer: Observer::INITIAL,
            shape: None,
            abstraction: self.bdds.tru(),
            strategy: self.strategies.current(),
        }
    }

    fn loc(&self, state: &PredicateState) -> LocId {
        state.loc
    }

    fn transfer(
        &mut self,
        from: &PredicateState,
        precision: &PredicatePrecision,
        out: &mut Vec<Successor<PredicateState>>,
    ) -> Result<(), AnalysisError> {
        let block = self.block(from.start(), from.strategy)?;
        // What a call returns with depends on the exits that the procedure reaches.
        let ends = if block.call.is_some() { 0..1 } else { 0..block.ends.len() };
        let also = self.enc.terms.tru();
        self.successors(from, &block, ends, also, precision, out)
    }

    fn calls(&self, state: &PredicateState) -> Option<FuncId> {
        let is_call = self.exits == Exits::InGraph && self.is_abstract_call(state.start().at);
        is_call.then(|| self.enc.program.locs[state.loc].func)
    }

    fn returns(&self, state: &PredicateState) -> Option<FuncId> {
        self.returning(state).filter(|_| self.exits == Exits::InGraph)
    }

    fn transfer_over(
        &mut self,
        from: &PredicateState,
        exit: &PredicateState,
        precision: &PredicatePrecision,
        out: &mut Vec<Successor<PredicateState>>,
    ) -> Result<(), AnalysisError> {
        let block = self.block(from.start(), from.strategy)?;
        let effect = self.effect(&block, from, exit)?;
        self.successors(from, &block, 1..block.ends.len(), effect, precision, out)
    }

    fn path(&mut self, from: &PredicateState, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let block = self.block(from.start(), from.strategy)?;
        Ok(self.end_of(&block, choice).map_or(Vec::new(), |end| block.any_path(end as u32)))
    }

    fn leq(&mut self, lower: &PredicateState, upper: &PredicateState) -> Result<bool, AnalysisError> {
        let same = lower.start() == upper.start();
        Ok(same && self.bdds.implies(lower.abstraction, upper.abstraction)?)
    }

    fn key(&self, state: &PredicateState) -> Partition {
        state.start()
    }

    fn reselected(&self, state: &PredicateState) -> PredicateState {
        PredicateState { strategy: self.strategies.current(), ..*state }
    }

    fn covering_keys(&mut self, state: &PredicateState, out: &mut Vec<Partition>) {
        out.push(state.start());
    }

    fn rank(&self, state: &PredicateState) -> Rank {
        let depth = self.generics.stacks.frame(state.stack).depth;
        // Procedures come first: what calls of them return is needed to go on anywhere.
        let inside = if self.generics.stacks.bottom(state.stack).is_some() { 1 << 20 } else { 0 };
        Rank { depth: inside + depth, position: self.points.position(state.loc) }
    }
}
