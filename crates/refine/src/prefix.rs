//! Chooses among infeasible sliced prefixes of one error path [beyer15, "Refinement Selection"].
//!
//! An error path is often infeasible for several reasons. A *sliced prefix* ends at one contradictory assumption and leaves
//! out the contradictory ones before it; each has its own interpolants. Those that mention loop counters make the analysis
//! unroll loops, and those that mention many variables make it track much, so others are preferred.

/// How bad it would be to track what a prefix needs. Compared field by field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score {
    /// Loop counters that are not tracked yet.
    pub counters: u32,
    /// Variables that are not tracked yet.
    pub new_variables: u32,
    /// Positions of the path at which something is needed.
    pub width: u32,
}

/// The best prefix; the first of equals, because a refutation near the root refutes more paths.
pub fn select(scores: &[Score]) -> Option<usize> {
    scores.iter().enumerate().min_by_key(|(i, score)| (**score, *i)).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scores: &[(u32, u32, u32)], expected: Option<usize>) {
        let scores: Vec<Score> = scores
            .iter()
            .map(|(counters, new_variables, width)| Score {
                counters: *counters,
                new_variables: *new_variables,
                width: *width,
            })
            .collect();
        assert_eq!(select(&scores), expected);
    }

    #[test]
    fn counters_are_avoided_first() {
        check(&[(1, 1, 1), (0, 5, 9), (0, 3, 9), (0, 3, 9)], Some(2));
        check(&[(0, 1, 7), (0, 1, 3)], Some(1));
        check(&[], None);
    }
}
