//! Congruences as predicates.
//!
//! Interpolants of paths through a loop that steps by two tell which numbers do not occur on these paths, one after the other, and never that
//! all are even. The interval analysis sees it at once ([`domains::interval`]); what it says of variables that an interpolant mentions
//! becomes predicates beside the interpolant's atoms. Predicates are only candidates, so nothing rests on the analysis.

use base::{Budget, Effort};
use bmc::narrowing::{self, States};
use cfa::points_to::PointsTo;
use domains::interval::Env;
use domains::predicate::PredicateCpa;
use domains::predicate::block::At;
use encode::canon::Place;
use smt::{Sort, TermId, vars_of};
use task::Task;

/// Most effort for the analysis.
const LIMIT: Effort = Effort::thousands(500);
/// The analysis takes this part of the effort that is left at most.
const SHARE: u32 = 20;

/// What the interval analysis says, once somebody has asked.
#[derive(Default)]
pub struct Congruences {
    found: Option<States<Env>>,
}

impl Congruences {
    /// Congruences of the variables of a formula at a place, over canonical variables.
    pub fn of(
        &mut self,
        task: &Task<'_, '_>,
        cpa: &mut PredicateCpa<'_, '_>,
        at: At,
        formula: TermId,
        budget: &Budget,
    ) -> Vec<TermId> {
        let found = self.found.get_or_insert_with(|| {
            let limited = budget.within(budget.remaining().map_or(LIMIT, |left| LIMIT.min(left / SHARE)));
            let points_to = PointsTo::new(task.program);
            let intervals = narrowing::analyse(task, &points_to, &limited).unwrap_or_default();
            if limited.left() == Some(Effort::ZERO) {
                budget.give_up("given_up.congruences");
            }
            intervals
        });
        let mentioned = vars_of(&cpa.enc.terms, &[formula]);
        let calls = cpa.generics.stacks.calls(at.stack);
        let mut predicates = Vec::new();
        for (var, modulus, rest) in found.congruences(task, &calls, at.loc) {
            let Some(ty) = task.program.vars[var].register() else { continue };
            let (frame, sort) = (cpa.generics.frame(at.stack), cpa.enc.sort(ty));
            let place = Place::Slot(cpa.enc.slots.slot(task.program, frame, var));
            let variable = cpa.enc.canon.as_ref().and_then(|canon| canon.variable(place, sort));
            let Some(variable) = variable.filter(|variable| mentioned.contains(variable)) else { continue };
            // The low bits tell, whatever the sign; 2^31 and more say hardly anything but the value.
            let low = modulus.trailing_zeros();
            if !matches!(sort, Sort::BitVec(width) if (1..=30).contains(&low) && low < width) {
                continue;
            }
            let terms = &mut cpa.enc.terms;
            let bits = terms.extract(low - 1, 0, variable);
            let rest = terms.bv(low, u128::from(rest) & ((1 << low) - 1));
            predicates.push(terms.eq(bits, rest));
        }
        predicates
    }
}
