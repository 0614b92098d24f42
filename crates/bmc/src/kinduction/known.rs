//! What a numerical domain knows at cut points, as facts.

use crate::kinduction::explore::{AtCut, Explorer};
use crate::kinduction::facts::Invariants;
use crate::kinduction::facts::{Fact, Part, Reg};
use crate::narrowing::States;
use cfa::EdgeId;
use domains::numerical::{Cell, Num, Numerical, Place};
use step::StackId;

/// The facts of all cut points.
pub fn at_cuts<S: Numerical>(found: &States<S>, explorer: &Explorer<'_, '_>, starts: &[AtCut]) -> Invariants {
    let facts = |start: &AtCut| {
        let cut = start.cut;
        let state = found.states.get(&(explorer.stacks.calls(cut.stack), cut.head, cut.observer))?;
        let frames = frames(explorer, cut.stack);
        let reg = |cell: Cell| {
            let (stack, var, part) = match cell.place {
                Place::Register(stack, var) => (stack, var, None),
                Place::Memory(stack, var, offset) => (stack, var, Some(Part { offset, ty: cell.ty })),
            };
            let calls = found.stacks.get(&stack)?;
            let stack = frames.iter().find(|(c, _)| c == calls)?.1;
            Some(Reg { stack, var, part })
        };
        Some((cut, facts_of(&**state, reg).0))
    };
    starts.iter().filter_map(facts).collect()
}

/// The facts of a state about what `reg` has a name for, and whether it says more.
pub fn facts_of<S: Numerical>(state: &S, reg: impl Fn(Cell) -> Option<Reg>) -> (Vec<Fact>, bool) {
    let (mut facts, mut more) = (Vec::new(), false);
    for (cell, num) in state.numbers() {
        match reg(cell) {
            Some(reg) => of_number(reg, num, Num::top(cell.ty), &mut facts),
            None => more = true,
        }
    }
    for relation in state.relations() {
        match relation.map(&reg) {
            Some(relation) => facts.push(Fact::Octagon(relation)),
            None => more = true,
        }
    }
    (facts, more)
}

/// The stacks below a stack, with their calls.
fn frames(explorer: &Explorer<'_, '_>, stack: StackId) -> Vec<(Vec<EdgeId>, StackId)> {
    let below = std::iter::successors(Some(stack), |s| explorer.stacks.frame(*s).caller.map(|(below, _)| below));
    below.map(|s| (explorer.stacks.calls(s), s)).collect()
}

fn of_number(reg: Reg, num: Num, top: Num, facts: &mut Vec<Fact>) {
    if num.lo > top.lo {
        facts.push(Fact::AtLeast(reg, num.lo));
    }
    if num.hi < top.hi {
        facts.push(Fact::AtMost(reg, num.hi));
    }
    if num.modulus > 1 {
        facts.push(Fact::Congruent { reg, modulus: num.modulus, rest: num.rest });
    }
}
