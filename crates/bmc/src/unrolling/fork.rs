//! Runs that only failing allocations tell apart.
//!
//! Where nothing is open but which allocations fail, each run goes its own way by constants alone, and most of those in which one fails soon end. Joined,
//! their pointers would be choices between null and a block, and nothing after that would be decided without a solver. So such runs stay apart: one in
//! which nothing fails, and one for each first allocation that does, up to the first branch that something else decides.

use base::IdVec;
use cfa::{EdgeId, ExprKind, HavocSource, Op, Program, VarId};

/// Most forks: a program that goes on whatever fails would be unrolled as often.
const MAX_FORKS: u32 = 32;

/// Which of the runs that are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fork {
    /// None if no allocation has failed so far, or none that made a fork.
    number: Option<u32>,
    /// Whether a branch was open that no allocation decides.
    is_open: bool,
}

impl Fork {
    /// Runs with equal numbers are joined.
    pub fn number(self) -> Option<u32> {
        self.number
    }

    /// What becomes of runs of one fork that meet.
    pub fn joined(self, other: Fork) -> Fork {
        Fork { number: self.number, is_open: self.is_open || other.is_open }
    }
}

/// What tells forks apart in a program.
pub struct Forks {
    /// Registers that say whether an allocation fails.
    choices: IdVec<VarId, bool>,
    made: u32,
}

impl Forks {
    /// No run has forked yet.
    pub fn new(program: &Program) -> Self {
        let mut choices = IdVec::from_elem(false, program.vars.len());
        for edge in program.locs.iter().flat_map(|loc| &loc.out) {
            if let Op::Havoc { dst, source: HavocSource::Allocation } = program.edges[*edge].op {
                choices[dst] = true;
            }
        }
        Self { choices, made: 0 }
    }

    /// The fork of runs that took one of several edges that were open.
    pub fn parted(&mut self, program: &Program, fork: Fork, edge: EdgeId, may_part: bool) -> Fork {
        let Op::Assume { cond, truth } = program.edges[edge].op else { return Fork { is_open: true, ..fork } };
        let mut is_allocation = false;
        program.exprs.walk(cond, |_, e| is_allocation |= matches!(e.kind, ExprKind::Var(var) if self.choices[var]));
        if !is_allocation {
            return Fork { is_open: true, ..fork };
        }
        if !truth || fork.number.is_some() || fork.is_open || !may_part || self.made >= MAX_FORKS {
            return fork;
        }
        self.made += 1;
        Fork { number: Some(self.made), is_open: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_runs_are_open_if_one_is() {
        let fork = Fork { number: Some(3), is_open: false };
        assert_eq!(fork.joined(Fork { number: Some(3), is_open: true }), Fork { number: Some(3), is_open: true });
        assert_eq!(fork.joined(fork).number(), Some(3));
    }
}
