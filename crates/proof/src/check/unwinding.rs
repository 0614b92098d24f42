//! Unwinds loops and recursion that have no point: the check of proofs by a bound that covers all runs.
//!
//! As in [`bmc::unrolling`], iterations that constants decide don't count. No run may go on beyond the bound.

use super::counts::{Counts, Unwinding};
use super::machine::Machine;
use super::state::{Frame, Here, Runs};
use bmc::unrolling::key::{enter, exclude_exit};
use cfa::EdgeId;
use step::Via;

impl Machine<'_, '_> {
    /// Runs are at a location, which may be the head of a loop.
    pub(super) fn begin_iteration(&self, at: Here, runs: &mut Runs) {
        let guard = runs.guard;
        if self.unwinding.is_some()
            && self.task.wto.is_head(at.loc)
            && let Some(l) = runs.frames.last_mut().and_then(|frame| frame.counts.loops.last_mut())
        {
            (l.start, l.exit_excluded) = (guard, false);
        }
    }

    /// Counts what a step unwinds, if loops are unwound; whether runs go on.
    pub(super) fn unwind(&mut self, (via, at): (Via, Here), blocked: &[EdgeId], runs: &mut Runs) -> bool {
        let Some(Unwinding { most, .. }) = self.unwinding else { return true };
        let (program, wto) = (self.program, self.task.wto);
        let (Via::Edge(edge) | Via::Return(edge)) = via;
        let guard = runs.guard;
        if matches!(via, Via::Edge(_)) && runs.frames.last().is_some_and(|frame| frame.call == Some(edge)) {
            return self.called(at, runs);
        }
        let Some(Frame { counts, .. }) = runs.frames.last_mut() else { return false };
        blocked.iter().for_each(|blocked| exclude_exit(wto, program, &mut counts.loops, program.edges[*blocked].dst));
        if !wto.is_back_edge(program, edge) {
            counts.loops = enter(wto, &counts.loops, at.loc, guard);
            return true;
        }
        let Some(i) = counts.loops.iter().position(|l| l.head == at.loc) else { return false };
        counts.loops.truncate(i + 1);
        let l = &mut counts.loops[i];
        l.iteration += 1;
        l.counted += u32::from(!l.exit_excluded || l.start != guard);
        let is_beyond = l.counted > most;
        if is_beyond {
            let tru = self.enc.terms.tru();
            self.forbid(guard, tru, BEYOND);
        }
        !is_beyond
    }

    /// Runs have entered a function.
    fn called(&mut self, at: Here, runs: &mut Runs) -> bool {
        let guard = runs.guard;
        let Some((frame, callers)) = runs.frames.split_last_mut() else { return false };
        let same = callers.iter().rev().find(|caller| caller.func == frame.func);
        let depth = same.map_or(0, |same| same.counts.depth + u32::from(same.counts.entered != Some(guard)));
        frame.counts = Counts { loops: enter(self.task.wto, &[], at.loc, guard), depth, entered: Some(guard) };
        let Some(Unwinding { most, pruner, .. }) = &mut self.unwinding else { return true };
        if depth > 0 && pruner.never(&self.enc, guard) {
            return false;
        }
        let is_beyond = depth > *most;
        if is_beyond {
            let tru = self.enc.terms.tru();
            self.forbid(guard, tru, BEYOND);
        }
        !is_beyond
    }
}

const BEYOND: &str = "runs go on beyond the bound";
