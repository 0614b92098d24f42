//! The formula of an abstract path: blocks one after the other, each with its own copy of the variables.
//!
//! The canonical variable x at node i of the path becomes `x@i`; inputs of a block become variables of their step. Only
//! variables that a later step needs are there, so the interfaces are as small as they can be.

use super::inline::Inlined;
use super::variables::{conjuncts_of, copy, is_canonical};
use analysis::AnalysisError;
use cfa::EdgeId;
use domains::predicate::block::{Block, Start};
use domains::predicate::{PredicateCpa, PredicateState};
use domains::strategy::{Strategies, StrategyPrecisionId};
use refine::formula::{Statement, Step, Trace};
use rustc_hash::FxHashMap;
use smt::{Assignment, Evaluator, Model, Substitution, TermId, Terms, Value, vars_of};
use std::rc::Rc;

/// The block of a step, and the end that the path takes.
struct Stage {
    block: Rc<Block>,
    end: usize,
    /// Canonical variables at the start of the block that this step or a later one needs, ascending.
    needs: Vec<TermId>,
    rename: Substitution,
    /// The run of the procedure, if the block is a call.
    inlined: Option<Inlined>,
}

/// What is known of a step beside its block.
#[derive(Clone, Default)]
pub enum Also {
    /// Nothing.
    #[default]
    Nothing,
    /// A formula over the block's variables.
    Formula(TermId),
    /// The step is a call, and its procedure runs this way.
    Run(Inlined),
    /// Nothing, but somebody will speak of these variables of the block.
    Mentions(Vec<TermId>),
}

impl Also {
    fn formula(&self) -> Option<TermId> {
        match self {
            Also::Nothing | Also::Mentions(_) => None,
            Also::Formula(formula) => Some(*formula),
            Also::Run(inlined) => Some(inlined.formula),
        }
    }
}

/// Where a block begins, and what its runs do at loops.
pub type BlockStart = (Start, StrategyPrecisionId);

/// What holds where a path begins and where it ends, over canonical variables; anything, if nothing is said.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ends {
    /// At the start of the first block.
    pub before: Option<TermId>,
    /// At the end of the last one; then the trace has one more step, which says so.
    pub after: Option<TermId>,
}

/// A path with its formula.
pub struct PathFormula {
    stages: Vec<Stage>,
    /// The formulas of the steps; the interfaces are the variables between them.
    pub trace: Trace,
    /// What the abstract state at the start of each step says about the step's variables. All runs of the path satisfy it.
    facts: Vec<Vec<TermId>>,
    /// For each cut, from the variables of the path to canonical ones.
    back: Vec<FxHashMap<TermId, TermId>>,
}

impl PathFormula {
    /// Composes the formulas along a path of states; `choices` has the end that each block takes. None if the path is older
    /// than its blocks, and one has no such end any more.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(
        cpa: &mut PredicateCpa<'_, '_>,
        states: &[PredicateState],
        choices: &[u32],
    ) -> Result<Option<Self>, AnalysisError> {
        Self::with_calls(cpa, states, choices, Ends::default(), &[])
    }

    /// The same, with what is known of each step, for any part of a path.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn with_calls(
        cpa: &mut PredicateCpa<'_, '_>,
        states: &[PredicateState],
        choices: &[u32],
        ends: Ends,
        also: &[Also],
    ) -> Result<Option<Self>, AnalysisError> {
        let starts: Vec<_> = states.iter().take(choices.len()).map(|s| (s.start(), s.strategy)).collect();
        let Some(mut path) = Self::along(cpa, &starts, choices, ends, &[], also)? else { return Ok(None) };
        for (i, (state, stage)) in states.iter().zip(&mut path.stages).enumerate() {
            let wanted = |var| stage.needs.binary_search(&var).is_ok();
            for fact in cpa.facts(state.abstraction, wanted)? {
                path.facts[i].push(stage.rename.apply(&mut cpa.enc.terms, fact));
            }
        }
        Ok(Some(path))
    }

    /// The same for any part of a path, from states that satisfy one formula to states that satisfy another. Each block begins at
    /// one of `starts`; one more tells where the last block ends.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn between(
        cpa: &mut PredicateCpa<'_, '_>,
        starts: &[Start],
        choices: &[u32],
        ends: Ends,
    ) -> Result<Option<Self>, AnalysisError> {
        let strategy = cpa.strategies.current();
        let starts: Vec<_> = starts.iter().map(|start| (*start, strategy)).collect();
        Self::along(cpa, &starts, choices, ends, &[], &[])
    }

    /// The same for a path from the start of the program along states of which facts are known: values of canonical
    /// variables, which are put in their places. What holds a fact's value must have a value at the end of the block before.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn with_facts(
        cpa: &mut PredicateCpa<'_, '_>,
        starts: &[Start],
        choices: &[u32],
        facts: &[Vec<(TermId, TermId)>],
    ) -> Result<Option<Self>, AnalysisError> {
        let strategy = cpa.strategies.current();
        let starts: Vec<_> = starts.iter().map(|start| (*start, strategy)).collect();
        Self::along(cpa, &starts, choices, Ends::default(), facts, &[])
    }

    fn along(
        cpa: &mut PredicateCpa<'_, '_>,
        starts: &[BlockStart],
        choices: &[u32],
        ends: Ends,
        values: &[Vec<(TermId, TermId)>],
        also: &[Also],
    ) -> Result<Option<Self>, AnalysisError> {
        let Some(mut stages) = stages(cpa, starts, choices, also)? else { return Ok(None) };
        let links = Links::new(cpa, &mut stages, ends, values, also);
        let (trace, back) = links.trace(&mut cpa.enc.terms, &mut stages, ends);
        let facts = vec![Vec::new(); trace.steps.len()];
        Ok(Some(Self { stages, trace, facts, back }))
    }

    /// Everything that a run along the path satisfies.
    pub fn conjuncts(&self) -> Vec<TermId> {
        self.trace.steps.iter().flat_map(|step| step.conjuncts.iter().copied()).collect()
    }

    /// Whether a step may enter a strategy that over-approximates its loop.
    pub fn enters_strategies(&self, strategies: &Strategies) -> bool {
        let chosen: Vec<EdgeId> =
            self.stages.iter().flat_map(|stage| stage.block.chosen.iter().map(|(_, edge)| *edge)).collect();
        strategies.pivot(&chosen).is_some()
    }

    /// Whether the abstract states say anything.
    pub fn has_facts(&self) -> bool {
        self.facts.iter().any(|facts| !facts.is_empty())
    }

    /// What runs that take the last steps of the path satisfy, from a step on: its conjuncts and what is known before it.
    pub fn step(&self, step: usize) -> impl Iterator<Item = TermId> + '_ {
        self.trace.steps[step].conjuncts.iter().chain(&self.facts[step]).copied()
    }

    /// The trace of the last steps, where the abstract states are known. Its interpolants, together with these states, are
    /// interpolants of the whole path.
    pub fn suffix(&self, first: usize) -> Trace {
        let mut trace = Trace::default();
        for (i, (step, facts)) in self.trace.steps.iter().zip(&self.facts).enumerate().skip(first) {
            let mut step = step.clone();
            step.conjuncts = self.step(i).collect();
            let assumed = facts.iter().map(|fact| Statement::Assume(*fact));
            let begin = if i == first && i > 0 { &self.trace.interface[i - 1][..] } else { &[] };
            let havocs = begin.iter().map(|var| Statement::Havoc(*var));
            step.statements = havocs.chain(assumed).chain(step.statements).collect();
            trace.steps.push(step);
        }
        trace.interface = self.trace.interface[first..].to_vec();
        trace
    }

    /// A formula over the variables of a step's block, over those of the path.
    pub fn at_step(&self, terms: &mut Terms, step: usize, formula: TermId) -> TermId {
        let map: Vec<(TermId, TermId)> =
            vars_of(terms, &[formula]).into_iter().map(|var| (var, copy(terms, var, step))).collect();
        Substitution::new(map).apply(terms, formula)
    }

    /// The formula at a cut, over canonical variables.
    pub fn canonical(&self, terms: &mut Terms, cut: usize, formula: TermId) -> TermId {
        Substitution::new(self.back[cut].iter().map(|(copy, var)| (*copy, *var))).apply(terms, formula)
    }

    /// The canonical variable of which a variable at some cut is a copy.
    pub fn original(&self, var: TermId) -> Option<TermId> {
        self.back.iter().find_map(|map| map.get(&var).copied())
    }

    /// The edges that a model takes, and how many of them lie before each node.
    pub fn edges(&self, cpa: &mut PredicateCpa<'_, '_>, model: &Model) -> Option<(Vec<EdgeId>, Vec<usize>)> {
        let mut values = Values { model, known: vec![Assignment::default(); self.stages.len()] };
        let mut edges = Vec::new();
        let mut positions = vec![0];
        for (i, stage) in self.stages.iter().enumerate() {
            let block = stage.block.clone();
            if let Some(inlined) = &stage.inlined {
                let mut holds = |cpa: &mut PredicateCpa<'_, '_>, guard: TermId| {
                    values.eval(cpa, &self.stages, guard, i) == Value::Bool(true)
                };
                edges.extend(inlined.clone().edges(cpa, &mut holds)?);
            }
            edges.extend(
                block.path(stage.end as u32, |guard| values.eval(cpa, &self.stages, guard, i) == Value::Bool(true))?,
            );
            positions.push(edges.len());
        }
        Some((edges, positions))
    }
}

/// The blocks of a path, each with the end that was chosen; none if they do not follow one another.
fn stages(
    cpa: &mut PredicateCpa<'_, '_>,
    starts: &[BlockStart],
    choices: &[u32],
    also: &[Also],
) -> Result<Option<Vec<Stage>>, AnalysisError> {
    let mut stages: Vec<Stage> = Vec::with_capacity(choices.len());
    // Encoding a block may make others outdated; once all are there, they fit together.
    for (start, strategy) in starts.iter().take(choices.len()) {
        cpa.block(*start, *strategy)?;
    }
    for (i, ((start, strategy), choice)) in starts.iter().zip(choices).enumerate() {
        let block = cpa.block(*start, *strategy)?;
        let Some(end) = cpa.end_of(&block, *choice) else { return Ok(None) };
        if starts.get(i + 1).is_some_and(|(next, _)| next.shape != Some(block.ends[end].shape)) {
            return Ok(None);
        }
        let inlined = match also.get(i) {
            Some(Also::Run(inlined)) => Some(inlined.clone()),
            _ => None,
        };
        stages.push(Stage { block, end, needs: Vec::new(), rename: Substitution::default(), inlined });
    }
    Ok(Some(stages))
}

/// What the blocks of a path say in canonical variables, by block.
struct Links {
    guards: Vec<TermId>,
    /// The values, at a block's end, of the variables that later blocks need.
    outputs: Vec<Vec<(TermId, TermId)>>,
    /// That the block ends with the values that are known there.
    arrivals: Vec<Vec<TermId>>,
    /// What the block reads that no canonical variable holds.
    inputs: Vec<Vec<TermId>>,
}

impl Links {
    fn new(
        cpa: &mut PredicateCpa<'_, '_>,
        stages: &mut [Stage],
        ends: Ends,
        values: &[Vec<(TermId, TermId)>],
        also: &[Also],
    ) -> Self {
        let n = stages.len();
        let no_facts: &[(TermId, TermId)] = &[];
        let facts_at = |i: usize| values.get(i).map_or(no_facts, |facts| facts);
        let mut guards: Vec<TermId> = stages.iter().map(|stage| stage.block.ends[stage.end].guard).collect();
        let mut outputs: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); n];
        let mut arrivals: Vec<Vec<TermId>> = vec![Vec::new(); n];
        let mut inputs: Vec<Vec<TermId>> = vec![Vec::new(); n];
        for i in (0..n).rev() {
            let block = stages[i].block.clone();
            let mut fix = Substitution::new(facts_at(i).iter().copied());
            if let Some(also) = also.get(i).and_then(Also::formula) {
                guards[i] = cpa.enc.terms.and(guards[i], also);
            }
            guards[i] = fix.apply(&mut cpa.enc.terms, guards[i]);
            let mut roots = vec![guards[i]];
            let wanted = match stages.get(i + 1) {
                Some(next) => next.needs.clone(),
                None => ends.after.map(|after| vars_of(&cpa.enc.terms, &[after])).unwrap_or_default(),
            };
            for var in wanted {
                let output = cpa.output(&block, stages[i].end, var);
                let output = fix.apply(&mut cpa.enc.terms, output);
                outputs[i].push((var, output));
                roots.push(output);
            }
            for (var, value) in facts_at(i + 1) {
                let output = cpa.output(&block, stages[i].end, *var);
                let output = fix.apply(&mut cpa.enc.terms, output);
                let equation = cpa.enc.terms.eq(output, *value);
                if !cpa.enc.terms.is_true(equation) {
                    arrivals[i].push(equation);
                    roots.push(equation);
                }
            }
            roots.extend(ends.before.filter(|_| i == 0));
            if let Some(Also::Mentions(vars)) = also.get(i) {
                roots.extend(vars);
            }
            let (needs, open): (Vec<TermId>, Vec<TermId>) =
                vars_of(&cpa.enc.terms, &roots).into_iter().partition(|var| is_canonical(cpa, *var));
            stages[i].needs = needs;
            inputs[i] = open;
        }
        Self { guards, outputs, arrivals, inputs }
    }

    /// The trace in copies of the variables, one for each block, and what the copies between blocks stand for.
    fn trace(self, terms: &mut Terms, stages: &mut [Stage], ends: Ends) -> (Trace, Vec<FxHashMap<TermId, TermId>>) {
        let Self { guards, outputs, arrivals, inputs } = self;
        let n = stages.len();
        let mut trace = Trace::default();
        let mut back = Vec::new();
        let mut next: Vec<TermId> = Vec::new();
        for i in 0..n {
            let here: Vec<(TermId, TermId)> =
                stages[i].needs.iter().chain(&inputs[i]).map(|var| (*var, copy(terms, *var, i))).collect();
            let mut statements: Vec<Statement> =
                here.iter().skip(stages[i].needs.len()).map(|(_, copy)| Statement::Havoc(*copy)).collect();
            if i == 0 {
                statements.extend(here.iter().take(stages[i].needs.len()).map(|(_, copy)| Statement::Havoc(*copy)));
            } else {
                back.push(here.iter().take(stages[i].needs.len()).map(|(var, copy)| (*copy, *var)).collect());
                trace.interface.push(next.clone());
            }
            let mut rename = Substitution::new(here);
            let mut guard = rename.apply(terms, guards[i]);
            if let Some(before) = ends.before.filter(|_| i == 0) {
                let before = rename.apply(terms, before);
                guard = terms.and(before, guard);
            }
            for arrival in &arrivals[i] {
                let arrival = rename.apply(terms, *arrival);
                guard = terms.and(guard, arrival);
            }
            let mut conjuncts = conjuncts_of(terms, guard);
            statements.extend(conjuncts.iter().map(|conjunct| Statement::Assume(*conjunct)));
            next.clear();
            for (var, output) in &outputs[i] {
                let new = copy(terms, *var, i + 1);
                let value = rename.apply(terms, *output);
                conjuncts.push(terms.eq(new, value));
                statements.push(Statement::Assign { var: new, term: value });
                next.push(new);
            }
            conjuncts.retain(|conjunct| !terms.is_true(*conjunct));
            trace.steps.push(Step { conjuncts, statements });
            stages[i].rename = rename;
        }
        if let Some(after) = ends.after {
            let copies: Vec<(TermId, TermId)> =
                vars_of(terms, &[after]).into_iter().map(|var| (var, copy(terms, var, n))).collect();
            back.push(copies.iter().map(|(var, copy)| (*copy, *var)).collect());
            trace.interface.push(next);
            let after = Substitution::new(copies).apply(terms, after);
            let conjuncts = conjuncts_of(terms, after);
            let statements = conjuncts.iter().map(|conjunct| Statement::Assume(*conjunct)).collect();
            trace.steps.push(Step { conjuncts, statements });
        }
        (trace, back)
    }
}

/// Values of terms along the path in a model.
struct Values<'m> {
    model: &'m Model,
    /// Values of variables of each step, also of those that the path's formula does not need.
    known: Vec<Assignment>,
}

impl Values<'_> {
    fn eval(&mut self, cpa: &mut PredicateCpa<'_, '_>, stages: &[Stage], term: TermId, step: usize) -> Value {
        for var in vars_of(&cpa.enc.terms, &[term]) {
            if self.known[step].contains_key(&var) {
                continue;
            }
            let copied = copy(&mut cpa.enc.terms, var, step);
            let value = match self.model.assignment().get(&copied) {
                Some(value) => value.clone(),
                None if step > 0 && is_canonical(cpa, var) && !stages[step].needs.contains(&var) => {
                    let block = stages[step - 1].block.clone();
                    let output = cpa.output(&block, stages[step - 1].end, var);
                    self.eval(cpa, stages, output, step - 1)
                }
                // Nothing depends on it.
                None => self.model.value(&cpa.enc.terms, copied),
            };
            self.known[step].insert(var, value);
        }
        Evaluator::new(&cpa.enc.terms, &self.known[step]).eval(term)
    }
}
