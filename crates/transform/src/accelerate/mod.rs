//! Acceleration of loops, and trace automata that remove what accelerators make redundant [kroening13, kroening15].
//!
//! A transformation of the program, so that every analysis profits. Each step gives plain data to the next one:
//!
//! 0. `inline` copies small functions into loops.
//! 1. `paths` finds the looping paths, and `effect` what they do (`path::LoopPath`).
//! 2. `closed` finds closed forms of that (`closed::ClosedForms`).
//! 3. `bounds` finds the numbers of iterations up to which conditions hold and nothing wraps around, with `slopes` and, for accesses to
//!    arrays, `moving`; closed forms and bounds make an `accelerator`.
//! 4. `check` asks the solver whether it is one, and `redundant` what it makes superfluous (`confirm`).
//! 5. `build` adds each as a path from the loop's head back to it, entered by a choice of the environment: the number of iterations.
//! 6. With trace automata, `restrict` says which traces are redundant — an iteration that an accelerator covers, two accelerations
//!    in a row, accelerations that commute in another order —, `automaton` recognises them, and `instrument` inlines the automaton.
//!
//! Steps 1 to 4 are taken for loops from the inside out: a path may pass `inner` loops that have accelerators already, by the number of
//! iterations of `trips`.
//!
//! The reachable states stay the same: an accelerator reaches what its path reaches in so many iterations, and what is forbidden is subsumed
//! by what stays. Runs are told in terms of the program as it was by means of [`origins`].

pub mod origins;
pub mod report;

mod accelerator;
mod automaton;
mod bounds;
mod build;
mod check;
mod closed;
mod confirm;
mod effect;
mod inline;
mod inner;
mod instrument;
mod linear;
mod moving;
mod oracle;
mod path;
mod paths;
mod redundant;
mod restrict;
mod slopes;
mod trips;

use accelerator::{Accelerator, accelerators};
use base::{Budget, Id, Stop};
use build::Site;
use cfa::live::Live;
use cfa::loops::Wto;
use cfa::{FuncId, LocId, Observer, Program, VarId};
use confirm::{AcceleratedLoop, confirm};
use encode::{FrameSlots, Slots};
use inner::InnerLoops;
use oracle::{MakeSolver, Oracle};
use origins::Origins;
use path::LoopPath;
use report::{Accesses, Config, GivenUp, Mode, Report};
use std::collections::BTreeMap;

/// A transformed program.
pub struct Accelerated {
    /// The program.
    pub program: Program,
    /// Where its edges come from.
    pub origins: Origins,
    /// What was done.
    pub report: Report,
}

/// Transforms a program.
///
/// # Errors
/// When the run has to end.
pub fn accelerate(
    program: &Program,
    observer: &Observer,
    config: Config,
    solver: MakeSolver<'_>,
    budget: &Budget,
) -> Result<Accelerated, Stop> {
    let mut report = Report { edges_before: attached(program), ..Report::default() };
    let mut program = program.clone();
    let mut origins = Origins::default();
    inline::inline_calls(&mut program, observer, &mut origins);
    let scene = Scene::new(&program, observer, solver, budget);
    let mut inner = InnerLoops::new();
    let mut loops = Vec::new();
    for head in inner::inside_out(&program, &scene.wto) {
        let paths = scene.paths(&mut program, head, &inner, &mut report)?;
        let candidates = scene.candidates(&mut program, &paths, config.accesses, &mut report);
        if let Some(found) = scene.confirm(&program, head, candidates, config.mode, &mut report)? {
            inner.insert(head, trips::passable(&mut program, &found));
            loops.push(found);
        }
    }
    let mut sites: BTreeMap<FuncId, Vec<Site>> = BTreeMap::new();
    for found in loops {
        let (func, commute) = (program.locs[found.head].func, found.commute);
        let site = build::place(&mut program, found, config.mode, &mut origins);
        report.accelerators += site.placed.len();
        report.nests += site.placed.iter().filter(|placed| !placed.path.passes.is_empty()).count();
        if commute {
            // The first one, each of the others in order, and the last one.
            report.row = report.row.max(site.placed.len() + 2);
        }
        sites.entry(func).or_default().push(site);
    }
    origins.nests = report.nests;
    report.edges_accelerated = attached(&program);
    if config.mode == Mode::Restrict && !sites.is_empty() {
        remove_redundant(&mut program, &sites, &mut origins, &mut report);
    }
    report.edges_after = attached(&program);
    Ok(Accelerated { program, origins, report })
}

/// Edges that belong to the automata.
fn attached(program: &Program) -> usize {
    program.locs.iter().map(|loc| loc.out.len()).sum()
}

/// What is known of the program as it was, and whom to ask.
struct Scene<'a> {
    observer: &'a Observer,
    wto: Wto,
    live: Live,
    /// The slots of registers; `None` for those that are global.
    slots: Vec<Option<u32>>,
    solver: MakeSolver<'a>,
    budget: &'a Budget,
}

impl<'a> Scene<'a> {
    fn new(program: &Program, observer: &'a Observer, solver: MakeSolver<'a>, budget: &'a Budget) -> Self {
        let slots = Slots::new(program);
        let local = |var: VarId| !program.vars[var].is_global();
        let slot = |var| local(var).then(|| slots.slot(program, FrameSlots(0), var));
        let slots = program.vars.ids().map(slot).collect();
        Self { observer, wto: Wto::new(program), live: encode::live(program), slots, solver, budget }
    }

    /// Step 1: the looping paths of a loop.
    fn paths(
        &self,
        program: &mut Program,
        head: LocId,
        inner: &InnerLoops,
        report: &mut Report,
    ) -> Result<Vec<LoopPath>, Stop> {
        let component = self.wto.component(program, head);
        let is_innermost = component.iter().all(|loc| *loc == head || !self.wto.is_head(*loc));
        if !is_innermost && !component.iter().any(|loc| inner.contains_key(loc)) {
            report.give_up(GivenUp::InnerLoop, 1);
            return Ok(Vec::new());
        }
        report.loops += 1;
        let simple = paths::simple_paths(program, &self.wto, self.observer, head, inner);
        simple.given_up.into_iter().for_each(|why| report.give_up(why, 1));
        let constants = effect::constants_at(program, &self.wto, head);
        let describe = |steps: &Vec<_>| effect::describe(program, head, steps, &constants, inner);
        let mut paths: Vec<LoopPath> = simple.paths.iter().filter_map(describe).collect();
        report.give_up(GivenUp::Operation, simple.paths.len() - paths.len());
        let goes_inside =
            |path: &LoopPath| path.edges.iter().skip(1).any(|edge| inner.contains_key(&program.edges[*edge].src));
        if paths.iter().any(goes_inside) {
            let Some(mut oracle) = self.oracle(program, report) else { return Ok(Vec::new()) };
            for mut path in std::mem::take(&mut paths) {
                if !goes_inside(&path) || inner::settle(&mut oracle, &mut path)? {
                    paths.push(path);
                }
            }
            report.queries += oracle.asked;
        }
        report.paths += paths.len();
        Ok(paths)
    }

    /// Steps 2 and 3: the candidates for accelerators of looping paths.
    fn candidates(
        &self,
        program: &mut Program,
        paths: &[LoopPath],
        accesses: Accesses,
        report: &mut Report,
    ) -> Vec<Accelerator> {
        let mut all = Vec::new();
        for path in paths {
            // What is added for one loop, no other one reads.
            let is_read = |slot: &Option<u32>| slot.is_none_or(|slot| self.live.is_live(path.head, slot));
            let found = accelerators(program, path, &|var: VarId| self.slots.get(var.index()).is_some_and(is_read));
            report.give_up(GivenUp::ClosedForm, usize::from(found.is_empty()));
            all.extend(found);
        }
        if accesses == Accesses::Fixed {
            let before = all.len();
            all.retain(|accelerator| accelerator.repeat.is_none());
            report.give_up(GivenUp::Moving, before - all.len());
        }
        all
    }

    /// Step 4: the accelerators of a loop that the solver confirms, if there are any.
    fn confirm(
        &self,
        program: &Program,
        head: LocId,
        candidates: Vec<Accelerator>,
        mode: Mode,
        report: &mut Report,
    ) -> Result<Option<AcceleratedLoop>, Stop> {
        if candidates.is_empty() {
            return Ok(None);
        }
        let Some(mut oracle) = self.oracle(program, report) else { return Ok(None) };
        let confirmed = confirm(&mut oracle, head, candidates, mode, report)?;
        report.queries += oracle.asked;
        Ok(confirmed)
    }

    /// Whom to ask about a loop.
    fn oracle<'p>(&'p self, program: &'p Program, report: &mut Report) -> Option<Oracle<'p>> {
        let oracle = Oracle::new(program, self.solver, self.budget);
        if oracle.is_none() {
            report.give_up(GivenUp::Encoding, 1);
        }
        oracle
    }
}

/// Step 6: forbids redundant traces.
fn remove_redundant(
    program: &mut Program,
    sites: &BTreeMap<FuncId, Vec<Site>>,
    origins: &mut Origins,
    report: &mut Report,
) {
    let g = instrument::add_state_variable(program);
    for (func, sites) in sites {
        let restriction = restrict::restriction(program, sites);
        let automaton = automaton::TraceAutomaton::new(&restriction.patterns);
        report.exact += restriction.exact;
        report.states += automaton.next.len();
        report.unminimised += automaton.unminimised;
        report.transitions += automaton.transitions();
        if let Some(body) = program.functions[*func].body {
            let (automaton, neutral) = (&automaton, &restriction.neutral);
            instrument::Instrumentation { program, origins, automaton, neutral, g }.inline(body.entry);
        }
    }
}
