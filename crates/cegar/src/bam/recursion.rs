//! Block abstractions that are being explored, each within the one before: what those that depend on them have to know.
//!
//! The abstractions that are explored are a stack. One that uses exits of another that is still explored can't be finished before that
//! one is; the lowest on the stack of those that it depends on, over any number of steps, is its *head* [tarjan72]. A head is
//! explored again until nobody has seen fewer exits than it has. Then it and all that depend on it are complete. One that is entered
//! again meanwhile still has the head that it had, and so has who enters it, although nothing in it is explored again.

use super::abstraction::AbstractionId;
use analysis::{AnalysisError, NodeId};
use cfa::blocks::BlockId;
use outcome::StopReason;

/// Most blocks that are explored within one another.
const MAX_DEPTH: usize = 1000;

/// A block abstraction that is being explored.
pub struct Active<S> {
    id: AbstractionId,
    /// Its block.
    pub block: Option<BlockId>,
    /// Its entry state.
    pub entry: Option<S>,
    exits: Vec<(NodeId, S)>,
    /// How many of them those have seen that have seen the fewest, since the last round began.
    seen: usize,
    /// Position on the stack of the lowest abstraction that this one depends on.
    head: usize,
    /// Number of unfinished abstractions when it was begun.
    unfinished: usize,
}

/// All of them, the outermost first.
pub struct Recursion<S> {
    stack: Vec<Active<S>>,
    unfinished: Vec<Unfinished>,
}

/// An abstraction in which nothing is left to explore but that depends on one that is still explored.
pub struct Unfinished {
    /// The abstraction.
    pub id: AbstractionId,
    head: usize,
}

impl<S> Default for Recursion<S> {
    fn default() -> Self {
        Self { stack: Vec::new(), unfinished: Vec::new() }
    }
}

impl<S: Clone> Recursion<S> {
    /// An abstraction that is being explored.
    pub fn get(&self, id: AbstractionId) -> Option<&Active<S>> {
        self.stack.iter().rfind(|active| active.id == id)
    }

    fn get_mut(&mut self, id: AbstractionId) -> Option<&mut Active<S>> {
        self.stack.iter_mut().rfind(|active| active.id == id)
    }

    /// An abstraction begins to be explored; `exits` are known of it.
    ///
    /// # Errors
    /// If there are too many already.
    pub fn begin(
        &mut self,
        id: AbstractionId,
        block: Option<BlockId>,
        entry: Option<S>,
        exits: Vec<(NodeId, S)>,
    ) -> Result<(), AnalysisError> {
        let depth = self.stack.len();
        if depth >= MAX_DEPTH {
            let what = "the depth of blocks within blocks".into();
            return Err(AnalysisError::Failed(StopReason::TooLarge { what }));
        }
        let before = self.unfinished.iter().filter(|unfinished| unfinished.id == id).map(|unfinished| unfinished.head);
        let head = before.fold(depth, usize::min);
        let unfinished = self.unfinished.len();
        self.stack.push(Active { id, block, entry, exits, seen: usize::MAX, head, unfinished });
        Ok(())
    }

    /// A node turned out to be an exit.
    pub fn add_exit(&mut self, id: AbstractionId, node: NodeId, state: &S) {
        if let Some(active) = self.get_mut(id)
            && active.exits.iter().all(|(known, _)| *known != node)
        {
            active.exits.push((node, state.clone()));
        }
    }

    /// The exits of an abstraction that is being explored; the innermost one depends on it from now on.
    pub fn exits_so_far(&mut self, id: AbstractionId) -> Option<Vec<(NodeId, S)>> {
        let at = self.stack.iter().position(|active| active.id == id)?;
        let active = &mut self.stack[at];
        active.seen = active.seen.min(active.exits.len());
        let exits = active.exits.clone();
        if let Some(user) = self.stack.last_mut() {
            user.head = user.head.min(at);
        }
        Some(exits)
    }

    /// Whether there are exits that somebody who depends on them has not seen; those who do look again.
    pub fn has_grown(&mut self, id: AbstractionId) -> bool {
        self.get_mut(id).is_some_and(|active| std::mem::replace(&mut active.seen, usize::MAX) < active.exits.len())
    }

    /// The abstractions that were left unfinished since this one, the innermost, was begun.
    pub fn unfinished(&self, id: AbstractionId) -> &[Unfinished] {
        let begin = self.get(id).map_or(self.unfinished.len(), |active| active.unfinished);
        &self.unfinished[begin..]
    }

    /// They are to be explored again.
    pub fn forget_unfinished(&mut self, id: AbstractionId) {
        let begin = self.get(id).map_or(self.unfinished.len(), |active| active.unfinished);
        self.unfinished.truncate(begin);
    }

    /// The innermost abstraction is not explored to its end, and neither will be those around it.
    pub fn fail(&mut self, id: AbstractionId) {
        if let Some(Active { head, .. }) = self.stack.pop_if(|active| active.id == id) {
            self.unfinished.push(Unfinished { id, head });
        }
        if self.stack.is_empty() {
            self.unfinished.clear();
        }
    }

    /// The innermost abstraction has nothing left to explore. Those that are complete now beside it; `None` if it is not
    /// complete itself.
    pub fn finish(&mut self, id: AbstractionId) -> Option<Vec<Unfinished>> {
        let active = self.stack.pop_if(|active| active.id == id)?;
        if active.head < self.stack.len() {
            self.unfinished.push(Unfinished { id, head: active.head });
            if let Some(outer) = self.stack.last_mut() {
                outer.head = outer.head.min(active.head);
            }
            return None;
        }
        Some(self.unfinished.split_off(active.unfinished))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn unfinished_ones_keep_their_head_when_they_are_entered_again() {
        let mut recursion: Recursion<()> = Recursion::default();
        let [a, x, b] = [0, 1, 2].map(AbstractionId::from_index);
        let begin = |recursion: &mut Recursion<()>, id| assert!(recursion.begin(id, None, None, vec![]).is_ok());
        begin(&mut recursion, a);
        begin(&mut recursion, x);
        assert!(recursion.exits_so_far(a).is_some());
        assert!(recursion.finish(x).is_none(), "x uses the exits of a, which is explored");
        begin(&mut recursion, b);
        begin(&mut recursion, x);
        assert!(recursion.finish(x).is_none(), "x is as unfinished as it was");
        assert!(recursion.finish(b).is_none(), "b uses x");
        assert!(!recursion.has_grown(a));
        let complete = recursion.finish(a).expect("a depends on nothing");
        assert!([x, b].iter().all(|id| complete.iter().any(|other| other.id == *id)));
    }
}
