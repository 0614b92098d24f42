//! How far locations are from where their functions end.

use base::IdVec;
use cfa::{LocId, Program};
use std::collections::VecDeque;

/// Fewest edges to the exit of the function; `u32::MAX` where no path leads there.
pub(crate) fn distances_to_exit(program: &Program) -> IdVec<LocId, u32> {
    let mut found = IdVec::from_elem(u32::MAX, program.locs.len());
    let mut queue: VecDeque<LocId> = program.functions.iter().filter_map(|f| f.body).map(|b| b.exit).collect();
    queue.iter().for_each(|exit| found[*exit] = 0);
    while let Some(loc) = queue.pop_front() {
        for edge in &program.locs[loc].inc {
            let edge = &program.edges[*edge];
            if !edge.op.ends_path() && found[edge.src] == u32::MAX {
                found[edge.src] = found[loc] + 1;
                queue.push_back(edge.src);
            }
        }
    }
    found
}
