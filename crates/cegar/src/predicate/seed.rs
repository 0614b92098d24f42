//! Predicates for programs with procedures, guessed from a solution of the whole program over integers.
//!
//! The blocks of the program, and its calls, are Horn clauses: a place is a predicate over what registers hold there, a block says
//! that its end follows from its start, and what lies behind a call follows from the call together with an exit of the
//! procedure. With numbers read as integers, an engine may solve the system at once, where refinement has to go down one call after the
//! other. What its solution compares joins the precision; whether it holds for bit-vectors, the abstraction shows.

use analysis::AnalysisError;
use domains::predicate::PredicateCpa;
use domains::predicate::block::{Block, ENTERED, Start};
use domains::predicate::predicates::PredicatePrecision;
use refine::formula::linear::{Reading, guess_system};
use refine::formula::{EngineContext, EngineError};
use rustc_hash::FxHashMap;
use smt::horn::{HornApp, HornClause, HornPredicate, HornSystem};
use smt::{Sort, TermId, UnknownReason};
use std::rc::Rc;

/// Most places and most clauses of a system.
const MAX_PLACES: usize = 200;
const MAX_CLAUSES: usize = 1000;

/// Places with their predicates, and the clauses.
#[derive(Default)]
struct System {
    places: Vec<Start>,
    numbers: FxHashMap<Start, usize>,
    horn: HornSystem,
}

/// A call that waits for the exits of its procedure.
struct Call {
    place: usize,
    block: Rc<Block>,
    end: usize,
}

/// Adds guesses to the precision; their number.
///
/// # Errors
/// When the run has to end.
pub fn seed(
    cpa: &mut PredicateCpa<'_, '_>,
    precision: &mut PredicatePrecision,
    ctx: &EngineContext<'_>,
) -> Result<u64, AnalysisError> {
    let Some(system) = System::of(cpa)? else { return Ok(0) };
    let mut added = 0;
    for reading in [Reading::Signed, Reading::Unsigned] {
        ctx.budget.check()?;
        let guesses = match guess_system(&mut cpa.enc.terms, &system.horn, reading, ctx) {
            Ok(Some(guesses)) => guesses,
            Ok(None) => continue,
            Err(EngineError::Unknown(UnknownReason::Stopped(stop))) => return Err(stop.into()),
            Err(_) => continue,
        };
        for (place, atoms) in system.places.iter().zip(guesses) {
            let func = cpa.enc.program.locs[place.at.loc].func;
            for atom in atoms {
                if let Some(pred) = cpa.predicates.intern(&mut cpa.enc.terms, atom) {
                    added += u64::from(precision.add(func, place.at.loc, pred));
                }
            }
        }
        if added > 0 {
            break;
        }
    }
    Ok(added)
}

impl System {
    /// The system of the program; none if it is too large.
    fn of(cpa: &mut PredicateCpa<'_, '_>) -> Result<Option<Self>, AnalysisError> {
        let mut this = Self::default();
        let mut calls: Vec<Call> = Vec::new();
        let start = cpa.initial_start();
        let first = this.place(cpa, start);
        let tru = cpa.enc.terms.tru();
        this.horn.clauses.push(HornClause { body: Vec::new(), constraint: tru, head: Some(this.app(first)) });
        let mut next = 0;
        while let Some(start) = this.places.get(next).copied() {
            if this.places.len() > MAX_PLACES || this.horn.clauses.len() > MAX_CLAUSES {
                return Ok(None);
            }
            let block = cpa.block(start, cpa.strategies.current())?;
            for end in 0..block.ends.len() {
                if block.call.is_some() && end != ENTERED {
                    calls.push(Call { place: next, block: block.clone(), end });
                    continue;
                }
                let (constraint, head) = this.arrive(cpa, &block, end);
                this.horn.clauses.push(HornClause { body: vec![this.app(next)], constraint, head });
            }
            next += 1;
            // Behind a call are places as well.
            if next == this.places.len() {
                for call in &calls {
                    this.arrive(cpa, &call.block, call.end);
                }
            }
        }
        for call in &calls {
            this.over(cpa, call);
        }
        Ok((this.horn.clauses.len() <= MAX_CLAUSES).then_some(this))
    }

    /// The number of a place.
    fn place(&mut self, cpa: &mut PredicateCpa<'_, '_>, start: Start) -> usize {
        if let Some(known) = self.numbers.get(&start) {
            return *known;
        }
        let params = cpa.registers_at(start);
        let is_number = |var: &TermId| matches!(cpa.enc.terms.sort(*var), Sort::BitVec(_) | Sort::Bool);
        let params = params.into_iter().filter(is_number).collect();
        self.horn.predicates.push(HornPredicate { params });
        self.places.push(start);
        self.numbers.insert(start, self.places.len() - 1);
        self.places.len() - 1
    }

    fn app(&self, place: usize) -> HornApp {
        HornApp { predicate: place, args: self.horn.predicates[place].params.clone() }
    }

    /// The condition under which a block ends there, and what holds then; nothing may, at a target.
    fn arrive(&mut self, cpa: &mut PredicateCpa<'_, '_>, block: &Block, end: usize) -> (TermId, Option<HornApp>) {
        let (guard, target, at, shape) = {
            let end = &block.ends[end];
            (end.guard, end.target, end.at, end.shape)
        };
        if target.is_some() {
            return (guard, None);
        }
        let place = self.place(cpa, Start { at, shape: Some(shape) });
        let params = self.horn.predicates[place].params.clone();
        let args = params.into_iter().map(|param| cpa.output(block, end, param)).collect();
        (guard, Some(HornApp { predicate: place, args }))
    }

    /// What lies behind a call follows from it and from an exit of its procedure.
    fn over(&mut self, cpa: &mut PredicateCpa<'_, '_>, call: &Call) {
        let (constraint, head) = self.arrive(cpa, &call.block, call.end);
        let exits: Vec<usize> = (0..self.places.len())
            .filter(|place| {
                let at = self.places[*place].at;
                cpa.is_exit(at) && call.block.call.as_ref().is_some_and(|call| call.inside == at.stack)
            })
            .collect();
        for exit in exits {
            let params = self.horn.predicates[exit].params.clone();
            let args = params.into_iter().map(|param| cpa.at_call(&call.block, param)).collect();
            let body = vec![self.app(call.place), HornApp { predicate: exit, args }];
            self.horn.clauses.push(HornClause { body, constraint, head: head.clone() });
        }
    }
}
