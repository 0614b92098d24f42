//! Step 1: the simple paths from the head of a loop back to it.
//!
//! A path may pass inner loops that have accelerators: see [`super::inner`]. What a path does, [`super::effect`] finds out.

use crate::accelerate::inner::{InnerLoops, Step, step};
use crate::accelerate::report::GivenUp;
use cfa::loops::Wto;
use cfa::{LocId, Observer, Program};

/// Most paths of one loop.
const MAX_PATHS: usize = 16;
/// Longest path.
const MAX_LENGTH: usize = 400;
/// Most partial paths that a search looks at.
const MAX_SEARCH: usize = 20_000;

/// Paths of one loop.
#[derive(Default)]
pub struct SimplePaths {
    /// The paths, in the order of their edges.
    pub paths: Vec<Vec<Step>>,
    /// Why some or all are missing, if they are.
    pub given_up: Option<GivenUp>,
}

/// All looping paths of one head that no observer sees. Inner loops are passed as far as `inner` tells how.
pub fn simple_paths(program: &Program, wto: &Wto, observer: &Observer, head: LocId, inner: &InnerLoops) -> SimplePaths {
    let mut found = SimplePaths::default();
    let mut searched = 0;
    let mut stack: Vec<(LocId, usize)> = vec![(head, 0)];
    let mut path: Vec<Step> = Vec::new();
    while let Some((loc, next)) = stack.last_mut() {
        let Some(step) = step(inner, program, head, *loc, *next) else {
            stack.pop();
            path.pop();
            continue;
        };
        let edge = step.edge;
        *next += 1;
        searched += 1;
        if found.paths.len() >= MAX_PATHS || searched > MAX_SEARCH {
            return SimplePaths { paths: Vec::new(), given_up: Some(GivenUp::ManyPaths) };
        }
        let dst = program.edges[edge].dst;
        let inside = wto.is_reachable(dst) && wto.contains(head, dst) && !program.edges[edge].op.ends_path();
        let observed = (0..=observer.error).any(|state| observer.step(program, state, edge) != state);
        if !inside || observed {
            continue;
        }
        if path.len() >= MAX_LENGTH {
            found.given_up = Some(GivenUp::LongPath);
        } else if dst == head {
            found.paths.push(path.iter().copied().chain([step]).collect());
        } else if (!wto.is_head(dst) || inner.contains_key(&dst)) && stack.iter().all(|(loc, _)| *loc != dst) {
            path.push(step);
            stack.push((dst, 0));
        }
    }
    found
}
