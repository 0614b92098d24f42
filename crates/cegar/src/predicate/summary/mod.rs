//! Predicates for programs with procedures, guessed from what the procedures return for small arguments.
//!
//! What calls of a recursive procedure return is often a simple function of their arguments, by cases: a sum, a product, a power of
//! two, or a table. Samples show which one ([`sample`], [`fit`], [`candidates`]). Solvers then decide, to the bit, which of these candidates
//! hold, together with bounds of the arguments, by induction over the number of calls ([`houdini`]). What is left joins the precision
//! at the entries and exits of procedures; and between calls joins what follows from it there. As with all
//! predicates, the abstraction decides what holds.

mod candidates;
mod fit;
mod houdini;
mod sample;
mod walk;

use analysis::AnalysisError;
use base::Effort;
use domains::predicate::PredicateCpa;
use domains::predicate::block::Start;
use domains::predicate::predicates::PredicatePrecision;
use refine::formula::project::by_equalities;
use refine::formula::{Deadline, EngineContext};
use rustc_hash::FxHashSet;
use smt::subst::subterms;
use smt::value::to_signed;
use smt::{Sort, Substitution, TermId, Terms, vars_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use walk::Runs;

/// Most procedures.
const MAX_PROCEDURES: usize = 8;
/// Most effort for a query, and for all of them together.
const QUERY_LIMIT: Effort = Effort::thousands(800);
const EFFORT: Effort = Effort::thousands(4_000);
/// Most constants of the program that are bounds.
const MAX_BOUNDS: usize = 16;
/// Largest predicate that is added between calls.
const MAX_SIZE: usize = 600;

/// What was guessed.
pub struct Guessed {
    /// Number of new uses of predicates.
    pub added: u64,
    /// Whether the guesses are a proof, as far as guesses can be.
    pub suffices: bool,
}

/// What may hold at the entry or exit of a procedure.
struct Candidate {
    formula: TermId,
    /// Whether nothing speaks against it.
    alive: bool,
    /// Candidates about the same value; only the strongest is of use, which comes last.
    about: (TermId, Side),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Least,
    Greatest,
    Is,
}

/// A procedure.
struct Procedure {
    entry: Start,
    exit: Start,
    /// Registers at the entry, as far as they are numbers and matter.
    inputs: Vec<TermId>,
    /// What they are called at the exit.
    names: Vec<Option<TermId>>,
    /// For all registers at the entry, a variable that means their value there at any place.
    at_entry: Vec<(TermId, TermId)>,
    /// Registers at the exit whose values are not those at the entry.
    outputs: Vec<TermId>,
    runs: Rc<Runs>,
    /// For each complete run and each of its calls, the outputs of the called procedure.
    results: Vec<Vec<Vec<TermId>>>,
    before: Vec<Candidate>,
    after: Vec<Candidate>,
}

/// A program's procedures, and its runs outside of them, if these can be listed.
struct Program {
    main: Option<Rc<Runs>>,
    procedures: Vec<Procedure>,
}

impl Program {
    fn number(&self, entry: Start) -> Option<usize> {
        self.procedures.iter().position(|procedure| procedure.entry == entry)
    }

    fn give_up(&mut self) {
        for procedure in &mut self.procedures {
            let candidates = procedure.before.iter_mut().chain(&mut procedure.after);
            candidates.for_each(|candidate| candidate.alive = false);
        }
    }
}

/// Adds guesses to the precision; none if there are no procedures whose runs can be listed.
///
/// # Errors
/// When the run has to end.
pub fn guess(
    cpa: &mut PredicateCpa<'_, '_>,
    precision: &mut PredicatePrecision,
    ctx: &EngineContext<'_>,
) -> Result<Guessed, AnalysisError> {
    let ctx = EngineContext { query_limit: QUERY_LIMIT, engine_limit: EFFORT, ..*ctx };
    let deadline = ctx.deadline();
    let nothing = Guessed { added: 0, suffices: false };
    let Some(mut program) = program(cpa, (&ctx, deadline))? else { return Ok(nothing) };
    let bounds = bounds(&cpa.enc.terms, &program);
    guess_bounds(cpa, &mut program, &bounds);
    houdini::strengthen(cpa, &mut program, &ctx, deadline)?;
    for number in 0..program.procedures.len() {
        ctx.budget.check()?;
        let samples = candidates::samples(cpa, &program, number, &bounds, ctx.budget);
        let candidates = candidates::candidates(&mut cpa.enc.terms, &program.procedures[number], &samples, &bounds);
        program.procedures[number].after = candidates;
    }
    // With these, more may be known of arguments.
    guess_bounds(cpa, &mut program, &bounds);
    houdini::strengthen(cpa, &mut program, &ctx, deadline)?;
    let added = learn(cpa, precision, &program);
    let suffices = added > 0 && houdini::is_safe(cpa, &program, &ctx)?;
    Ok(Guessed { added, suffices })
}

/// The procedures that the program calls; none if there are none, or if the runs of some can't be listed.
fn program(
    cpa: &mut PredicateCpa<'_, '_>,
    limits: (&EngineContext<'_>, Deadline),
) -> Result<Option<Program>, AnalysisError> {
    let mut visits = 0;
    let start = cpa.initial_start();
    let main = walk::runs(cpa, start, &mut visits, limits)?;
    let mut entries: Vec<Start> = Vec::new();
    let called = |runs: &Runs, entries: &mut Vec<Start>| {
        let all = runs.complete.iter().chain(&runs.bad).chain(runs.partial.iter().map(|(_, run)| run));
        for call in all.flat_map(|run| &run.calls) {
            if !entries.contains(&call.callee) {
                entries.push(call.callee);
            }
        }
    };
    match &main {
        Some(main) => called(main, &mut entries),
        None => entries.extend(cpa.entered_starts()),
    }
    let mut procedures: Vec<Procedure> = Vec::new();
    let mut next = 0;
    while let Some(entry) = entries.get(next).copied() {
        next += 1;
        if next > MAX_PROCEDURES {
            return Ok(None);
        }
        let Some(runs) = walk::runs(cpa, entry, &mut visits, limits)? else { return Ok(None) };
        called(&runs, &mut entries);
        let Some(exit) = runs.exit else { continue };
        let names = walk::names_at_exit(&runs);
        let inputs = walk::numbers_at(cpa, entry);
        let known: FxHashSet<TermId> = names.values().copied().collect();
        let mut outputs = walk::numbers_at(cpa, exit);
        outputs.retain(|output| !known.contains(output));
        let mut at_entry = Vec::new();
        for var in cpa.registers_at(entry) {
            let sort = cpa.enc.terms.sort(var);
            let name = names.get(&var).copied().unwrap_or_else(|| cpa.enc.terms.fresh_var("entry", sort));
            at_entry.push((var, name));
        }
        let names = inputs.iter().map(|input| names.get(input).copied()).collect();
        let (results, before, after) = (Vec::new(), Vec::new(), Vec::new());
        let runs = Rc::new(runs);
        procedures.push(Procedure { entry, exit, inputs, names, at_entry, outputs, runs, results, before, after });
    }
    if procedures.is_empty() {
        return Ok(None);
    }
    let mut program = Program { main: main.map(Rc::new), procedures };
    drop_inputs(&cpa.enc.terms, &mut program);
    add_results(cpa, &mut program);
    Ok(Some(program))
}

/// Leaves out inputs on which nothing depends.
fn drop_inputs(terms: &Terms, program: &mut Program) {
    let mut matters: BTreeSet<(usize, TermId)> = BTreeSet::new();
    let mut size = usize::MAX;
    while size != matters.len() {
        size = matters.len();
        for (number, procedure) in program.procedures.iter().enumerate() {
            for run in &procedure.runs.complete {
                let mut roots = run.facts.clone();
                roots.extend(
                    run.values.iter().filter(|(var, _)| procedure.outputs.contains(var)).map(|(_, value)| *value),
                );
                for call in &run.calls {
                    let Some(callee) = program.number(call.callee) else { continue };
                    let used = call.args.iter().filter(|(var, _)| matters.contains(&(callee, *var)));
                    roots.extend(used.map(|(_, arg)| *arg));
                }
                matters.extend(vars_of(terms, &roots).into_iter().map(|var| (number, var)));
            }
        }
    }
    for (number, procedure) in program.procedures.iter_mut().enumerate() {
        let kept: Vec<bool> = procedure.inputs.iter().map(|input| matters.contains(&(number, *input))).collect();
        let mut kept_names = kept.iter();
        procedure.names.retain(|_| kept_names.next() == Some(&true));
        let mut kept_inputs = kept.iter();
        procedure.inputs.retain(|_| kept_inputs.next() == Some(&true));
    }
}

fn add_results(cpa: &mut PredicateCpa<'_, '_>, program: &mut Program) {
    let mut all = Vec::new();
    for procedure in &program.procedures {
        let mut of_procedure = Vec::new();
        for run in &procedure.runs.complete {
            let mut of_run = Vec::new();
            for call in &run.calls {
                let outputs = program.number(call.callee).map(|callee| program.procedures[callee].outputs.clone());
                let outputs = outputs.unwrap_or_default();
                of_run.push(outputs.into_iter().map(|output| call.at_exit(cpa, output)).collect());
            }
            of_procedure.push(of_run);
        }
        all.push(of_procedure);
    }
    for (procedure, results) in program.procedures.iter_mut().zip(all) {
        procedure.results = results;
    }
}

/// Constants that facts about runs mention, and those next to them, by width.
fn bounds(terms: &Terms, program: &Program) -> BTreeMap<u32, Vec<i128>> {
    let runs = program.procedures.iter().map(|procedure| &procedure.runs).chain(&program.main);
    let all = runs.flat_map(|runs| runs.complete.iter().chain(&runs.bad));
    let roots: Vec<TermId> = all.flat_map(|run| run.facts.iter().copied()).collect();
    let mut bounds: BTreeMap<u32, BTreeSet<(u128, i128)>> = BTreeMap::new();
    for term in subterms(terms, &roots) {
        if let (Sort::BitVec(width), Some(value)) = (terms.sort(term), terms.as_bv_const(term)) {
            let value = to_signed(width, value);
            bounds.entry(width).or_default().insert((value.unsigned_abs(), value));
        }
    }
    let list = |values: BTreeSet<(u128, i128)>| {
        let mut list: Vec<i128> = values.into_iter().take(MAX_BOUNDS).map(|(_, value)| value).chain([0, 1]).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    bounds.into_iter().map(|(width, values)| (width, list(values))).collect()
}

/// Every bound may be one of every argument.
fn guess_bounds(cpa: &mut PredicateCpa<'_, '_>, program: &mut Program, bounds: &BTreeMap<u32, Vec<i128>>) {
    let terms = &mut cpa.enc.terms;
    for procedure in &mut program.procedures {
        procedure.before.clear();
        for input in &procedure.inputs {
            let width = terms.width(*input);
            let constants = bounds.get(&width).map_or(&[][..], |list| list);
            for bound in constants {
                let constant = terms.bv_signed(width, *bound);
                let formula = terms.sge(*input, constant);
                procedure.before.push(Candidate { formula, alive: true, about: (*input, Side::Least) });
            }
            for bound in constants.iter().rev() {
                let constant = terms.bv_signed(width, *bound);
                let formula = terms.sle(*input, constant);
                procedure.before.push(Candidate { formula, alive: true, about: (*input, Side::Greatest) });
            }
        }
    }
}

/// Adds what is left to the precision.
fn learn(cpa: &mut PredicateCpa<'_, '_>, precision: &mut PredicatePrecision, program: &Program) -> u64 {
    let mut added = 0;
    for procedure in &program.procedures {
        for (i, candidate) in procedure.before.iter().enumerate().filter(|(_, candidate)| candidate.alive) {
            let stronger = |other: &Candidate| other.alive && other.about == candidate.about;
            if !procedure.before[i + 1..].iter().any(stronger) {
                added += add(cpa, precision, procedure.entry, candidate.formula);
            }
        }
        for output in &procedure.outputs {
            let about = procedure.after.iter().filter(|candidate| candidate.alive && candidate.about.0 == *output);
            let claims: Vec<TermId> = about.map(|candidate| candidate.formula).collect();
            let claim = cpa.enc.terms.and_all(&claims);
            added += add(cpa, precision, procedure.exit, claim);
        }
    }
    if added == 0 {
        return 0;
    }
    let of_procedures =
        program.procedures.iter().enumerate().map(|(number, procedure)| (Some(number), &procedure.runs));
    for (owner, runs) in of_procedures.chain(program.main.iter().map(|main| (None, main))) {
        for (place, run) in &runs.partial {
            let mut facts = houdini::context(cpa, program, owner, run);
            let registers: FxHashSet<TermId> = cpa.registers_at(*place).into_iter().collect();
            let at_entry = owner.map_or(&[][..], |number| &program.procedures[number].at_entry);
            let mut at_entry = Substitution::new(at_entry.iter().copied());
            facts.iter_mut().for_each(|fact| *fact = at_entry.apply(&mut cpa.enc.terms, *fact));
            for (var, value) in &run.values {
                let value = at_entry.apply(&mut cpa.enc.terms, *value);
                facts.push(cpa.enc.terms.eq(*var, value));
            }
            let (facts, _) = by_equalities(&mut cpa.enc.terms, &facts, &registers);
            for fact in facts {
                let mut vars = vars_of(&cpa.enc.terms, &[fact]).into_iter();
                if vars.all(|var| registers.contains(&var)) && cpa.enc.terms.size(fact) <= MAX_SIZE {
                    added += add(cpa, precision, *place, fact);
                }
            }
        }
    }
    added
}

fn add(cpa: &mut PredicateCpa<'_, '_>, precision: &mut PredicatePrecision, at: Start, formula: TermId) -> u64 {
    let loc = at.at.loc;
    let func = cpa.enc.program.locs[loc].func;
    let pred = cpa.predicates.intern(&mut cpa.enc.terms, formula);
    pred.map_or(0, |pred| u64::from(precision.add(func, loc, pred)))
}
