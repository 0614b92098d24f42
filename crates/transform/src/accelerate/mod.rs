//! Acceleration of loops, and trace automata that remove what accelerators make redundant [kroening13, kroening15].
//!
//! A transformation of the program, so that every analysis profits:
//!
//! 1. [`inline`] copies small functions into loops; [`paths`] finds the looping paths and their effects, from the inside out: a path may pass
//!    inner loops that have accelerators ([`nests`]).
//! 2. [`closed`] finds closed forms and the number of iterations up to which they hold; [`check`] lets the solver confirm them.
//! 3. [`build`] adds each accelerator as a path from the loop's head back to it, entered by a choice of the environment: the number of iterations.
//! 4. With trace automata, [`restrict`] says which traces are redundant — an iteration that an accelerator covers, two accelerations
//!    in a row, accelerations that commute in another order —, [`automaton`] recognises them, and [`instrument`] inlines the automaton.
//!
//! The reachable states stay the same: an accelerator reaches what its path reaches in so many iterations, and what is forbidden is subsumed
//! by what stays. Runs are told in terms of the program as it was by [`script`].

pub mod automaton;
pub mod bounds;
pub mod build;
pub mod check;
pub mod closed;
pub mod exprs;
pub mod inline;
pub mod instrument;
pub mod linear;
pub mod moving;
pub mod nests;
pub mod origins;
pub mod paths;
pub mod restrict;
pub mod trips;

use base::{Budget, Stop};
use build::Site;
use cfa::live::Live;
use cfa::loops::Wto;
use cfa::{FuncId, LocId, Observer, Program, VarId};
use check::{Checker, Facts};
use closed::{Accelerator, Failure, Unbounded, close};
use encode::{FrameSlots, Slots};
use exprs::{Map, binary, constant, substitute};
use nests::Inner;
use origins::Origins;
use outcome::Statistics;
use paths::{LoopPath, looping_paths};
use smt::Solver;
use std::collections::BTreeMap;

/// What is done to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Accelerators are added.
    Accelerate,
    /// Accelerators are added and redundant traces removed.
    Restrict,
}

/// Which paths are accelerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accesses {
    /// Those that access memory at fixed places, at most.
    Fixed,
    /// Also those that access memory at places that move. What they do is harder to decide than a few iterations are.
    Moving,
}

/// A transformed program.
pub struct Accelerated {
    /// The program.
    pub program: Program,
    /// Where its edges come from.
    pub origins: Origins,
    /// What was done.
    pub report: Report,
}

/// Sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Loops that are looked at: those without inner loops, and those around loops that have accelerators.
    pub loops: usize,
    /// Looping paths.
    pub paths: usize,
    /// Accelerators.
    pub accelerators: usize,
    /// Those whose iterations pass inner loops.
    pub nests: usize,
    /// Paths that have no accelerator because they access memory at places that move.
    pub moving: usize,
    /// Those whose iterations and repetitions are redundant.
    pub exact: usize,
    /// Edges before.
    pub edges_before: usize,
    /// Edges after acceleration.
    pub edges_accelerated: usize,
    /// Edges at the end.
    pub edges_after: usize,
    /// States of the trace automata.
    pub states: usize,
    /// States before minimisation.
    pub unminimised: usize,
    /// Transitions of the trace automata.
    pub transitions: usize,
    /// Questions to the solver.
    pub queries: u64,
    /// Most accelerations in a row that trace automata leave where accelerations commute.
    pub row: usize,
}

impl Report {
    /// The sizes as statistics.
    pub fn statistics(&self) -> Statistics {
        let mut stats = Statistics::default();
        let grown = |after: usize| (after as u64 * 100 / self.edges_before.max(1) as u64).saturating_sub(100);
        stats.count("accelerate.loops", self.loops as u64);
        stats.count("accelerate.paths", self.paths as u64);
        stats.count("accelerate.accelerators", self.accelerators as u64);
        stats.count("accelerate.nests", self.nests as u64);
        stats.count("accelerate.exact", self.exact as u64);
        stats.count("accelerate.queries", self.queries);
        stats.count("accelerate.edges", self.edges_after as u64);
        stats.count("accelerate.growth_percent", grown(self.edges_accelerated));
        stats.count("automata.states", self.states as u64);
        stats.count("automata.unminimised", self.unminimised as u64);
        stats.count("automata.transitions", self.transitions as u64);
        let growth = grown(self.edges_after).saturating_sub(grown(self.edges_accelerated));
        stats.count("automata.growth_percent", growth);
        stats
    }
}

/// Edges that belong to the automata.
fn attached(program: &Program) -> usize {
    program.locs.iter().map(|loc| loc.out.len()).sum()
}

/// Transforms a program.
///
/// # Errors
/// When the run has to end.
pub fn accelerate(
    program: &Program,
    observer: &Observer,
    (mode, accesses): (Mode, Accesses),
    solver: &dyn Fn() -> Box<dyn Solver>,
    budget: &Budget,
) -> Result<Accelerated, Stop> {
    let mut report = Report { edges_before: attached(program), ..Report::default() };
    let mut program = program.clone();
    let mut origins = Origins::default();
    inline::inline_calls(&mut program, observer, &mut origins);
    let oracle = Oracle { solver, budget };
    let scene = Scene::new(&program, observer);
    let mut checked: Vec<Checked> = Vec::new();
    for heads in nests::levels(&program, &scene.wto) {
        let inner = Inner::new(checked.iter().map(|one| (one.head, &one.sound[..])));
        let mut found = find(&mut program, &scene, &heads, &inner, oracle, &mut report)?;
        if accesses == Accesses::Fixed {
            for (_, accelerators) in &mut found {
                let all = accelerators.len();
                accelerators.retain(|accelerator| accelerator.repeat.is_none());
                report.moving += all - accelerators.len();
            }
            found.retain(|(_, accelerators)| !accelerators.is_empty());
        }
        checked.extend(check(&program, found, mode, oracle, &mut report)?);
    }
    let mut sites: BTreeMap<FuncId, Vec<Site>> = BTreeMap::new();
    for Checked { head, sound, absorbed, commute } in checked {
        report.accelerators += sound.len();
        report.nests += sound.iter().filter(|(accelerator, _)| !accelerator.path.passes.is_empty()).count();
        let site = build::place(&mut program, head, sound, mode, &mut origins);
        if commute {
            // The first one, each of the others in order, and the last one.
            report.row = report.row.max(site.placed.len() + 2);
        }
        let site = Site { absorbed, commute, ..site };
        sites.entry(program.locs[head].func).or_default().push(site);
    }
    origins.nests = report.nests;
    report.edges_accelerated = attached(&program);
    if mode == Mode::Restrict && !sites.is_empty() {
        let g = instrument::add_state_variable(&mut program);
        for (func, sites) in &sites {
            let restriction = restrict::restriction(&program, sites);
            let automaton = automaton::TraceAutomaton::new(&restriction.patterns);
            report.exact += restriction.exact;
            report.states += automaton.next.len();
            report.unminimised += automaton.unminimised;
            report.transitions += automaton.transitions();
            if let Some(body) = program.functions[*func].body {
                let inlining = instrument::Instrumentation { automaton: &automaton, neutral: &restriction.neutral };
                inlining.inline(&mut program, body.entry, g, &mut origins);
            }
        }
    }
    report.edges_after = attached(&program);
    Ok(Accelerated { program, origins, report })
}

/// Whom to ask.
#[derive(Clone, Copy)]
struct Oracle<'a> {
    solver: &'a dyn Fn() -> Box<dyn Solver>,
    budget: &'a Budget,
}

impl<'a> Oracle<'a> {
    fn checker(self, program: &'a Program) -> Option<Checker<'a>> {
        Checker::new(program, self.solver, self.budget)
    }
}

/// What is known of the program as it was.
struct Scene<'a> {
    observer: &'a Observer,
    wto: Wto,
    live: Live,
    slots: Slots,
    /// Number of registers.
    known: usize,
}

impl<'a> Scene<'a> {
    fn new(program: &Program, observer: &'a Observer) -> Self {
        let (wto, live, slots) = (Wto::new(program), encode::live(program), Slots::new(program));
        Self { observer, wto, live, slots, known: program.vars.len() }
    }

    /// Whether a loop may have accelerators: it has no inner loops, or some that can be passed.
    fn is_suitable(&self, program: &Program, head: LocId, inner: &Inner<'_>) -> bool {
        let component = self.wto.component(program, head);
        component.iter().all(|loc| *loc == head || !self.wto.is_head(*loc)) || inner.has_some_in(component)
    }

    /// The accelerators of looping paths, unchecked.
    fn close(&self, program: &mut Program, head: LocId, paths: &[LoopPath]) -> Vec<Accelerator> {
        let slot_of = |program: &Program, var: VarId| self.slots.slot(program, FrameSlots(0), var);
        let snapshot = program.vars.iter().map(|v| v.is_global()).collect::<Vec<_>>();
        let slot: Vec<u32> = program
            .vars
            .ids()
            .take(self.known)
            .map(|var| if program.vars[var].is_global() { 0 } else { slot_of(program, var) })
            .collect();
        let is_live = |var: VarId| {
            let at = base::Id::index(var);
            at < self.known && (snapshot[at] || self.live.is_live(head, slot[at]))
        };
        let mut accelerators = Vec::new();
        for path in paths {
            let failure = match close(program, path, Unbounded::Fail, &is_live) {
                Ok(accelerator) => {
                    accelerators.push(accelerator);
                    continue;
                }
                Err(failure) => failure,
            };
            accelerators.extend(close(program, path, Unbounded::Iterate, &is_live).ok());
            if let Failure::Symbolic(var) = failure {
                for value in [1, -1] {
                    let variant = specialise(program, path, var, value);
                    let close = |path: LoopPath| close(program, &path, Unbounded::Fail, &is_live).ok();
                    accelerators.extend(variant.and_then(close));
                }
            }
        }
        accelerators
    }
}

/// The accelerators of loops that are on one level, unchecked.
fn find(
    program: &mut Program,
    scene: &Scene<'_>,
    heads: &[LocId],
    inner: &Inner<'_>,
    oracle: Oracle<'_>,
    report: &mut Report,
) -> Result<Vec<(LocId, Vec<Accelerator>)>, Stop> {
    let mut found = Vec::new();
    for head in heads.iter().copied() {
        if scene.is_suitable(program, head, inner) {
            report.loops += 1;
            let paths = looping_paths(program, &scene.wto, scene.observer, head, inner);
            found.push((head, paths));
        }
    }
    let goes_inside = |path: &LoopPath| path.edges.iter().skip(1).any(|edge| inner.has(program.edges[*edge].src));
    if found.iter().flat_map(|(_, paths)| paths).any(goes_inside) {
        let Some(mut checker) = oracle.checker(program) else { return Ok(Vec::new()) };
        for (_, paths) in &mut found {
            let mut possible = Vec::new();
            for mut path in std::mem::take(paths) {
                if !goes_inside(&path) || checker.settle(&mut path)? {
                    possible.push(path);
                }
            }
            *paths = possible;
        }
        report.queries += checker.asked;
    }
    report.paths += found.iter().map(|(_, paths)| paths.len()).sum::<usize>();
    let close = |(head, paths): (LocId, Vec<LoopPath>)| (head, scene.close(program, head, &paths));
    let closed = found.into_iter().map(close);
    Ok(closed.filter(|(_, accelerators)| !accelerators.is_empty()).collect())
}

/// The path where a register has a fixed value.
fn specialise(program: &mut Program, path: &LoopPath, var: VarId, value: i128) -> Option<LoopPath> {
    let ty = program.vars[var].register().filter(|ty| ty.is_int())?;
    let pointer = program.pointer_bits();
    let pool = &mut program.exprs;
    let value = constant(pool, value as u128, ty, pointer);
    let register = pool.add(cfa::ExprKind::Var(var), ty);
    let equal = binary(pool, cfa::BinOp::Eq, register, value);
    let map = Map::from_iter([(var, value)]);
    let mut special = path.clone();
    for (cond, _) in &mut special.guards {
        *cond = substitute(pool, *cond, &map);
    }
    for update in special.updates.values_mut() {
        *update = substitute(pool, *update, &map);
    }
    for write in &mut special.writes {
        write.addr = substitute(pool, write.addr, &map);
        write.value = substitute(pool, write.value, &map);
    }
    special.assumed = Some(equal);
    Some(special)
}

/// The accelerators of a loop, with what holds for them.
struct Checked {
    head: LocId,
    sound: Vec<(Accelerator, Facts)>,
    /// Paths that one of the accelerators makes superfluous, beside its own.
    absorbed: Vec<LoopPath>,
    /// Whether accelerations between others may change places.
    commute: bool,
}

/// Whether all accelerations may change places.
fn all_commute(checker: &mut Checker<'_>, sound: &[(Accelerator, Facts)]) -> Result<bool, Stop> {
    for (first, _) in sound {
        for (i, (b, _)) in sound.iter().enumerate() {
            for (j, (a, _)) in sound.iter().enumerate() {
                for (last, _) in sound.iter().filter(|_| i != j) {
                    if !checker.commute(first, b, a, last)? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Most accelerators of a loop that are asked whether they commute: the questions are as many as the fourth power.
const MAX_COMMUTING: usize = 3;

/// The accelerators that the solver confirms.
fn check(
    program: &Program,
    found: Vec<(LocId, Vec<Accelerator>)>,
    mode: Mode,
    oracle: Oracle<'_>,
    report: &mut Report,
) -> Result<Vec<Checked>, Stop> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let Some(mut checker) = oracle.checker(program) else { return Ok(Vec::new()) };
    let mut checked = Vec::new();
    for (head, accelerators) in found {
        let mut one = Checked { head, sound: Vec::new(), absorbed: Vec::new(), commute: false };
        for accelerator in accelerators {
            let is_special = |(other, facts): &(Accelerator, Facts)| {
                accelerator.path.assumed.is_some() && other.path.is_along(&accelerator.path) && facts.covers
            };
            if one.sound.iter().any(is_special) {
                continue;
            }
            let mut is_absorbed = false;
            for (other, _) in one.sound.iter().filter(|(_, facts)| facts.covers && facts.is_idempotent) {
                is_absorbed |= mode == Mode::Restrict && checker.absorbs(other, &accelerator)?;
            }
            if is_absorbed {
                one.absorbed.push(accelerator.path);
                continue;
            }
            let facts = checker.facts(&accelerator)?;
            if facts.is_sound {
                one.sound.push((accelerator, facts));
            }
        }
        if one.sound.is_empty() {
            continue;
        }
        let exact = one.sound.iter().all(|(_, facts)| facts.covers && facts.is_idempotent);
        if mode == Mode::Restrict && exact && (2..=MAX_COMMUTING).contains(&one.sound.len()) {
            one.commute = all_commute(&mut checker, &one.sound)?;
        }
        checked.push(one);
    }
    report.queries += checker.asked;
    Ok(checked)
}
