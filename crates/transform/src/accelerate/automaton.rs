//! Step 6, its means: trace automata, deterministic automata that recognise the traces with a forbidden sub-trace [kroening15, Sect. 5].
//!
//! A [`Pattern`] is a regular expression of a forbidden sub-trace. The subset construction makes a deterministic automaton of the patterns, and
//! partition refinement a minimal one. Letters are edges; a letter that no pattern mentions leads back to the initial state.

use cfa::EdgeId;
use std::collections::{BTreeMap, BTreeSet};

/// A part of a forbidden sub-trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// One of these letters.
    One(Vec<EdgeId>),
    /// Any number of these letters.
    Many(Vec<EdgeId>),
}

/// A forbidden sub-trace.
pub type Pattern = Vec<Part>;

/// A state; 0 is the initial one.
pub type StateId = u32;

/// A complete deterministic automaton whose accepting states are left out: a letter that leads to one is forbidden.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceAutomaton {
    /// Letters that patterns mention.
    pub letters: Vec<EdgeId>,
    /// For each state, where its letters lead, in the order of `letters`; `None` is accepting.
    pub next: Vec<Vec<Option<StateId>>>,
    /// States before minimisation, without the accepting ones.
    pub unminimised: usize,
}

/// How much of each pattern has been read: the pattern and how many of its parts, the last one of which may go on if it is [`Part::Many`].
/// A pattern may begin anywhere.
type Progress = BTreeSet<(usize, usize)>;

/// What has been read after one more letter; after none, `from` is empty and no letter is read.
fn read(patterns: &[Pattern], from: &Progress, letter: Option<EdgeId>) -> Progress {
    let reads = |letters: &Vec<EdgeId>| letter.is_some_and(|letter| letters.contains(&letter));
    let mut next: Progress = (0..patterns.len()).map(|pattern| (pattern, 0)).collect();
    for (pattern, done) in from {
        let parts = &patterns[*pattern];
        if let Some(Part::Many(letters)) = done.checked_sub(1).map(|last| &parts[last])
            && reads(letters)
        {
            next.insert((*pattern, *done));
        }
        if let Some(Part::One(letters)) = parts.get(*done)
            && reads(letters)
        {
            next.insert((*pattern, done + 1));
        }
    }
    // Any number may be none.
    let mut open: Vec<(usize, usize)> = next.iter().copied().collect();
    while let Some((pattern, done)) = open.pop() {
        if let Some(Part::Many(_)) = patterns[pattern].get(done)
            && next.insert((pattern, done + 1))
        {
            open.push((pattern, done + 1));
        }
    }
    next
}

impl TraceAutomaton {
    /// The minimal automaton of the traces in which one of the patterns occurs.
    pub fn new(patterns: &[Pattern]) -> Self {
        let letters: BTreeSet<EdgeId> = patterns
            .iter()
            .flatten()
            .flat_map(|part| match part {
                Part::One(letters) | Part::Many(letters) => letters,
            })
            .copied()
            .collect();
        let letters: Vec<EdgeId> = letters.into_iter().collect();
        let start = read(patterns, &Progress::new(), None);
        let mut ids = BTreeMap::from([(start.clone(), 0u32)]);
        let mut sets = vec![start];
        let mut next: Vec<Vec<Option<StateId>>> = Vec::new();
        while next.len() < sets.len() {
            let from = sets[next.len()].clone();
            let mut row = Vec::with_capacity(letters.len());
            for letter in &letters {
                let to = read(patterns, &from, Some(*letter));
                if to.iter().any(|(pattern, done)| *done == patterns[*pattern].len()) {
                    row.push(None);
                    continue;
                }
                let id = *ids.entry(to.clone()).or_insert_with(|| {
                    sets.push(to);
                    sets.len() as u32 - 1
                });
                row.push(Some(id));
            }
            next.push(row);
        }
        let unminimised = next.len();
        Self { letters, next: minimise(&next), unminimised }
    }

    /// Where a letter leads; `None` is accepting.
    pub fn step(&self, state: StateId, letter: EdgeId) -> Option<StateId> {
        match self.letters.binary_search(&letter) {
            Ok(at) => self.next[state as usize][at],
            Err(_) => Some(0),
        }
    }

    /// Number of transitions that patterns mention.
    pub fn transitions(&self) -> usize {
        self.letters.len() * self.next.len()
    }
}

/// Merges states that forbid the same continuations (Moore's partition refinement). State 0 stays the initial one.
fn minimise(next: &[Vec<Option<StateId>>]) -> Vec<Vec<Option<StateId>>> {
    let mut class: Vec<u32> = vec![0; next.len()];
    let mut count = 1;
    loop {
        let mut ids: BTreeMap<(u32, Vec<Option<u32>>), u32> = BTreeMap::new();
        let mut refined = Vec::with_capacity(next.len());
        for (state, row) in next.iter().enumerate() {
            let key = (class[state], row.iter().map(|to| to.map(|to| class[to as usize])).collect());
            let fresh = ids.len() as u32;
            refined.push(*ids.entry(key).or_insert(fresh));
        }
        let found = ids.len();
        class = refined;
        if found == count {
            break;
        }
        count = found;
    }
    let mut rows = vec![Vec::new(); count];
    for (state, row) in next.iter().enumerate() {
        rows[class[state] as usize] = row.iter().map(|to| to.map(|to| class[to as usize])).collect();
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    fn letter(c: char) -> EdgeId {
        EdgeId::from_index(c as usize)
    }

    fn one(c: char) -> Part {
        Part::One(vec![letter(c)])
    }

    fn word(text: &str) -> Pattern {
        text.chars().map(one).collect()
    }

    fn accepts(automaton: &TraceAutomaton, text: &str) -> bool {
        let mut state = 0;
        for c in text.chars() {
            match automaton.step(state, letter(c)) {
                Some(next) => state = next,
                None => return true,
            }
        }
        false
    }

    #[track_caller]
    fn check(patterns: &[Pattern], states: usize, forbidden: &[&str], allowed: &[&str]) {
        let automaton = TraceAutomaton::new(patterns);
        assert_eq!(automaton.next.len(), states, "{automaton:?}");
        for text in forbidden {
            assert!(accepts(&automaton, text), "{text} is allowed");
        }
        for text in allowed {
            assert!(!accepts(&automaton, text), "{text} is forbidden");
        }
    }

    #[test]
    fn the_paper_s_figure_8() {
        // The path xn and the accelerator a; xo is the path that overflows.
        let patterns = [word("xn"), word("aa")];
        check(&patterns, 3, &["xn", "xoxn", "aa", "axoaa", "axn"], &["", "a", "axo", "axoa", "xoxoa", "a,a"]);
    }

    #[test]
    fn equal_states_are_merged() {
        let patterns = [word("acd"), word("bcd")];
        let automaton = TraceAutomaton::new(&patterns);
        assert_eq!((automaton.unminimised, automaton.next.len()), (5, 3));
        check(&patterns, 3, &["acd", "abcd"], &["ac,d", "ccd", "aad"]);
    }

    #[test]
    fn repetitions() {
        // Commuting accelerators: none occurs twice among others.
        let pattern = vec![one('a'), Part::Many(vec![letter('b'), letter('c')]), one('a')];
        check(&[pattern], 2, &["aa", "aba", "abcbca"], &["abc", "ab,a", "bcbc"]);
    }

    #[test]
    fn nothing_forbidden() {
        check(&[], 1, &[], &["abc"]);
    }
}
