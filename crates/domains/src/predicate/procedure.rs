//! Calls whose stack is abstracted, in the predicate analysis.
//!
//! A state at the entry of a procedure is a *call* unless its stack is detached or in the stack precision. Its first successor is the entry on
//! the detached stack, with what it says about the procedure's own variables; all calls of the procedure share the
//! nodes there. Its other successors lie behind the call, one for each end of the block and each exit that the
//! procedure has reached: an exit says how the values at the entry and those at the return belong together.

use super::block::{At, Block, Start};
use super::{PredicateCpa, PredicateState};
use analysis::AnalysisError;
use cfa::Observer;
use encode::canon::Place;
use outcome::StopReason;
use rustc_hash::FxHashSet;
use smt::{Substitution, TermId, vars_of};
use step::StackId;

impl PredicateCpa<'_, '_> {
    /// Whether a call begins there of which the stack is abstracted.
    pub fn is_abstract_call(&self, at: At) -> bool {
        let program = self.enc.program;
        let func = program.locs[at.loc].func;
        self.generics.procedure(func).is_some()
            && program.functions[func].body.is_some_and(|body| body.entry == at.loc)
            && self.generics.stacks.frame(at.stack).caller.is_some()
            && !self.followed.contains(&at.stack)
    }

    /// Whether a procedure begins there on its detached stack.
    pub fn is_entered(&self, at: At) -> bool {
        let program = self.enc.program;
        let func = program.locs[at.loc].func;
        self.generics.stacks.is_detached(at.stack, func)
            && program.functions[func].body.is_some_and(|body| body.entry == at.loc)
    }

    /// Whether a procedure ends there on its detached stack.
    pub fn is_exit(&self, at: At) -> bool {
        let program = self.enc.program;
        let func = program.locs[at.loc].func;
        self.generics.stacks.is_detached(at.stack, func)
            && program.functions[func].body.is_some_and(|body| body.exit == at.loc)
    }

    /// Where procedures begin on their detached stacks, as far as blocks are known there.
    pub fn entered_starts(&self) -> Vec<Start> {
        let mut starts: Vec<Start> = self.blocks.keys().copied().filter(|start| self.is_entered(start.at)).collect();
        starts.sort_unstable_by_key(|start| (start.at, start.shape));
        starts
    }

    /// Where the program begins.
    pub fn initial_start(&self) -> Start {
        let program = self.enc.program;
        let loc = program.functions[program.start].body.map_or(base::Id::from_index(0), |body| body.entry);
        Start { at: At { loc, stack: self.generics.stacks.root(), observer: Observer::INITIAL }, shape: None }
    }

    /// The variables of the registers that mean something where a block begins, in order.
    pub fn registers_at(&mut self, start: Start) -> Vec<TermId> {
        let Some(shape) = start.shape else { return Vec::new() };
        let vars = self.generics.vocabulary(&mut self.enc, start.at.stack, start.at.loc, shape);
        let mut vars: Vec<TermId> = vars.iter().copied().collect();
        vars.sort_unstable();
        vars
    }

    /// Whether a procedure begins there.
    pub fn is_entry(&self, at: At) -> bool {
        let func = self.enc.program.locs[at.loc].func;
        self.enc.program.functions[func].body.is_some_and(|body| body.entry == at.loc)
    }

    /// Adds stacks to the stack precision: their calls are followed from now on. Returns whether one is new.
    pub fn follow_calls(&mut self, stacks: impl IntoIterator<Item = StackId>) -> bool {
        let mut is_new = false;
        for stack in stacks {
            if self.followed.insert(stack) {
                is_new = true;
                self.blocks.retain(|start, _| start.at.stack != stack);
                // A block that is followed has the name of the one that was a call, and other ends.
                self.answers.retain(|((start, _), ..), _| start.at.stack != stack);
                self.posts.retain(|((start, _), ..), _| start.at.stack != stack);
            }
        }
        is_new
    }

    /// What an exit of the procedure says about a call, over the variables of the call's block.
    ///
    /// # Errors
    /// When the exit is in another state of the observer: such calls are not abstracted.
    pub fn effect(
        &mut self,
        block: &Block,
        from: &PredicateState,
        exit: &PredicateState,
    ) -> Result<TermId, AnalysisError> {
        if exit.observer != from.observer {
            let reason = StopReason::TooCoarse { domain: "call stack", place: None };
            return Err(AnalysisError::Failed(reason));
        }
        let mut formula = self.formula(exit.abstraction);
        let pointers = exit.shape.map(|shape| self.generics.shapes.get(shape).pointers.clone()).unwrap_or_default();
        for (slot, address) in pointers {
            let sort = self.enc.terms.sort(address);
            let variable = self.enc.canonical(Place::Slot(slot), sort);
            let points = self.enc.terms.eq(variable, address);
            formula = self.enc.terms.and(formula, points);
        }
        Ok(self.at_call(block, formula))
    }

    /// A formula about the exit of a procedure, over the variables of a call's block.
    pub fn at_call(&mut self, block: &Block, formula: TermId) -> TermId {
        let Some(call) = &block.call else { return self.enc.terms.tru() };
        let mut map = call.at_exit.clone();
        let known: FxHashSet<TermId> = map.iter().map(|(var, _)| *var).collect();
        // Nothing is known of other variables of the procedure: they are gone.
        for var in vars_of(&self.enc.terms, &[formula]) {
            let place = self.enc.canon.as_ref().and_then(|canon| canon.place(var));
            if let Some(Place::Slot(slot)) = place
                && self.generics.owner(slot) == Some(call.inside)
                && !known.contains(&var)
            {
                let sort = self.enc.terms.sort(var);
                map.push((var, self.enc.terms.var(&format!("gone{slot}"), sort)));
            }
        }
        Substitution::new(map).apply(&mut self.enc.terms, formula)
    }
}
