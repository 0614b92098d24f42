//! The walk that joins runs which meet: places are taken in the order of their keys, which grow along every edge within it.

use crate::kernel::{At, Domain, Kernel, Moved};
use std::collections::BTreeMap;

/// A domain whose runs are joined where they meet.
pub trait InOrder: Domain<Stack: Ord> {
    /// Orders places so that those that lead to others come first.
    type Key: Ord;
    /// Why a walk ends before its runs do.
    type Error;

    /// The key of a place for runs that are there.
    fn key(&self, at: At<Self::Stack>, state: &Self::State) -> Self::Key;

    /// Joins runs that met; `None` if nothing is left of them.
    fn join(&mut self, states: Vec<Self::State>) -> Option<Self::State>;

    /// Looks at runs before they go on from a place; `None` if they end there.
    ///
    /// # Errors
    /// When the run of the analysis has to end.
    fn visit(&mut self, at: At<Self::Stack>, state: Self::State) -> Result<Option<Self::State>, Self::Error>;

    /// What a step of runs from one place led to, in the order of the edges. Those that go on are given back.
    fn arrived(&mut self, moved: Vec<Moved<Self>>) -> Vec<(At<Self::Stack>, Self::State)>;

    /// Whether runs meet no others at a place, so that they go on at once.
    fn is_straight(&self, from: At<Self::Stack>, to: At<Self::Stack>) -> bool;
}

/// Runs that wait at their places, in the order in which these are taken.
type Waiting<D> = BTreeMap<(<D as InOrder>::Key, At<<D as Domain>::Stack>), Vec<<D as Domain>::State>>;

/// Follows runs from a place to where [`InOrder::arrived`] or [`InOrder::visit`] ends them.
///
/// # Errors
/// When the run of the analysis has to end.
pub fn in_order<D: InOrder + ?Sized>(
    kernel: &Kernel<'_>,
    domain: &mut D,
    (at, state): (At<D::Stack>, D::State),
) -> Result<(), D::Error> {
    let mut waiting: Waiting<D> = BTreeMap::new();
    waiting.insert((domain.key(at, &state), at), vec![state]);
    while let Some(((_, mut at), states)) = waiting.pop_first() {
        let Some(mut state) = domain.join(states) else { continue };
        while let Some(visited) = domain.visit(at, state)? {
            let mut moved = Vec::new();
            kernel.step(domain, at, visited, &mut moved);
            let mut open = domain.arrived(moved);
            if open.len() == 1 && domain.is_straight(at, open[0].0) && kernel.program.locs[at.loc].out.len() <= 1 {
                let Some(next) = open.pop() else { break };
                (at, state) = next;
                continue;
            }
            for (at, state) in open {
                waiting.entry((domain.key(at, &state), at)).or_default().push(state);
            }
            break;
        }
    }
    Ok(())
}
