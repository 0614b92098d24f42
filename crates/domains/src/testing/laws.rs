//! Laws that each abstract domain obeys, on the states that random programs lead to: `lattice_laws!(name, Domain)`.

use super::programs::{Case, Run, eval, start, step};
use cfa::{EdgeId, Op};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::fmt::Debug;

/// Thresholds of widening.
pub const THRESHOLDS: [i128; 5] = [-1, 0, 1, 10, 100];
/// Most states of one program that are compared with one another.
const MAX_STATES: usize = 7;
/// Rounds after which widening has ended, for all bounds of all pairs of registers and all thresholds.
const MAX_ROUNDS: usize = 1000;

/// An abstract domain for the registers of a program.
pub trait Domain<'c>: Sized {
    /// Abstract states.
    type State: Clone + Debug;
    /// The domain for a program.
    fn new(case: &'c Case) -> Self;
    /// A state that each run satisfies.
    fn top(&mut self) -> Self::State;
    /// What holds after an edge; `None` if no run takes it.
    fn post(&mut self, state: &Self::State, edge: EdgeId) -> Option<Self::State>;
    /// Whether a run satisfies a state.
    ///
    /// # Errors
    /// What does not hold.
    fn satisfies(&self, run: &Run, state: &Self::State) -> Result<(), String>;
    /// Whether each run that satisfies the one satisfies the other.
    fn leq(&self, lower: &Self::State, upper: &Self::State) -> bool;
    /// A state that the runs of both satisfy, if the domain joins states.
    fn join(&self, _a: &Self::State, _b: &Self::State) -> Option<Self::State> {
        None
    }
    /// The same for an old state and a newer one, for ever larger ones only so often.
    fn widen(&self, _old: &Self::State, _newer: &Self::State) -> Option<Self::State> {
        None
    }
}

/// The edge that a run takes; nothing for a condition whose value is left open.
fn taken(case: &Case, run: &Run, edges: &[EdgeId]) -> Option<EdgeId> {
    edges.iter().copied().find(|edge| match case.program.edges[*edge].op {
        Op::Assume { cond, truth } => eval(&case.program, run, cond).is_some_and(|v| (v.0 != 0) == truth),
        _ => true,
    })
}

/// A state, with runs that satisfy it.
pub type Reached<S> = (S, Vec<Run>);

/// States on the way of one run, with runs that satisfy them: what runs do is within what the domain says.
///
/// # Errors
/// If it is not.
pub fn follow<'c, D: Domain<'c>>(
    domain: &mut D,
    case: &'c Case,
    seeds: &[Vec<i128>],
) -> Result<Vec<Reached<D::State>>, TestCaseError> {
    let mut runs: Vec<Run> = seeds.iter().map(|seed| start(case, seed)).collect();
    let mut found = vec![(domain.top(), runs.clone())];
    for (i, edges) in case.steps.iter().enumerate() {
        // The first run is the one that goes on.
        let Some(edge) = runs.first().and_then(|run| taken(case, run, edges)) else { break };
        let op = &case.program.edges[edge].op;
        let arbitrary = seeds[i % seeds.len()][0];
        runs.retain_mut(|run| step(&case.program, run, op, arbitrary).is_some());
        let Some(state) = found.last().and_then(|(state, _)| domain.post(state, edge)) else {
            prop_assert!(runs.is_empty(), "a run goes on after {op:?}");
            break;
        };
        for run in &runs {
            if let Err(why) = domain.satisfies(run, &state) {
                prop_assert!(false, "after {op:?}: {why}\n{:?}", case.program.exprs);
            }
        }
        found.push((state, runs.clone()));
    }
    Ok(found)
}

/// Order, joins and widenings of states.
///
/// # Errors
/// If a law does not hold.
pub fn lattice<'c, D: Domain<'c>>(case: &'c Case, seeds: &[Vec<i128>]) -> TestCaseResult {
    let mut domain = D::new(case);
    let mut states = follow(&mut domain, case, seeds)?;
    let each = states.len().div_ceil(MAX_STATES);
    states = states.into_iter().step_by(each).collect();
    let (top, _) = states[0].clone();
    for (a, runs) in &states {
        prop_assert!(domain.leq(a, a) && domain.leq(a, &top));
        for (b, others) in &states {
            if domain.leq(a, b) {
                prop_assert!(runs.iter().all(|run| domain.satisfies(run, b).is_ok()), "{a:?}\nnot below {b:?}");
                prop_assert!(states.iter().all(|(c, _)| !domain.leq(b, c) || domain.leq(a, c)));
            }
            let Some(joined) = domain.join(a, b) else { continue };
            prop_assert!(domain.leq(a, &joined) && domain.leq(b, &joined), "{a:?}\nand {b:?}\nnot below {joined:?}");
            prop_assert!(!domain.leq(a, b) || domain.leq(&joined, b), "{a:?}\nbelow {b:?}\njoined {joined:?}");
            let widened = domain.widen(a, &joined).unwrap_or_else(|| joined.clone());
            prop_assert!(domain.leq(&joined, &widened), "{joined:?}\nnot below {widened:?}");
            for run in runs.iter().chain(others) {
                prop_assert_eq!(domain.satisfies(run, &joined), Ok(()));
                prop_assert_eq!(domain.satisfies(run, &widened), Ok(()));
            }
        }
    }
    Ok(())
}

/// Widening ends when a program is repeated.
///
/// # Errors
/// If it does not.
pub fn widening_ends<'c, D: Domain<'c>>(case: &'c Case, seeds: &[Vec<i128>]) -> TestCaseResult {
    let mut domain = D::new(case);
    let Some((mut head, _)) = follow(&mut domain, case, seeds)?.pop() else { return Ok(()) };
    for _ in 0..MAX_ROUNDS {
        let mut states = vec![head.clone()];
        for edges in &case.steps {
            let next = states.iter().flat_map(|state| edges.iter().map(move |edge| (state, *edge)));
            let next: Vec<D::State> = next.filter_map(|(state, edge)| domain.post(state, edge)).collect();
            let joined = next.iter().skip(1).try_fold(next.first().cloned(), |all, state| match all {
                Some(all) => domain.join(&all, state).map(Some),
                None => Some(None),
            });
            match joined.flatten() {
                Some(state) => states = vec![state],
                // No run goes on, or the domain does not join.
                None => return Ok(()),
            }
        }
        let newer = states.remove(0);
        if domain.leq(&newer, &head) {
            return Ok(());
        }
        let joined = domain.join(&head, &newer);
        match joined.and_then(|joined| domain.widen(&head, &joined)) {
            Some(widened) => head = widened,
            None => return Ok(()),
        }
    }
    prop_assert!(false, "still growing: {head:?}");
    Ok(())
}

/// Tests that a [`Domain`] obeys the laws, in a module of this name.
macro_rules! lattice_laws {
    ($name:ident, $domain:ident) => {
        mod $name {
            use super::$domain;
            use crate::testing::{laws, programs};
            use proptest::prelude::*;

            fn seeds() -> impl Strategy<Value = Vec<Vec<i128>>> {
                let number = programs::member(cfa::Scalar::Int { bits: 16, signed: true });
                prop::collection::vec(prop::collection::vec(number, programs::REGISTERS), 3)
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(2000))]

                #[test]
                fn lattice(choices in prop::collection::vec(any::<u8>(), 1..120), seeds in seeds()) {
                    laws::lattice::<$domain<'_>>(&programs::case(&choices), &seeds)?;
                }

                #[test]
                fn widening_ends(choices in prop::collection::vec(any::<u8>(), 1..40), seeds in seeds()) {
                    laws::widening_ends::<$domain<'_>>(&programs::case(&choices), &seeds)?;
                }
            }
        }
    };
}
pub(crate) use lattice_laws;
