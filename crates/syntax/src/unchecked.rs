//! What `#pragma CPROVER check` says.

use std::ops::Range;

/// The kinds of checks that are off, by the names that CBMC has for them, from an offset on. Sorted.
#[derive(Clone, Default, Debug)]
pub struct Unchecked(Vec<(u32, Vec<String>)>);

impl Unchecked {
    /// Whether checks of this kind are off at an offset.
    pub fn is_off(&self, kind: &str, offset: u32) -> bool {
        let next = self.0.partition_point(|(at, _)| *at <= offset);
        next.checked_sub(1).is_some_and(|i| self.0[i].1.iter().any(|off| off == kind))
    }

    /// The parts of the text in which checks of this kind are off.
    pub fn parts(&self, kind: &str) -> Vec<Range<u32>> {
        let ends = self.0.iter().skip(1).map(|(at, _)| *at).chain([u32::MAX]);
        let is_off = |kinds: &[String]| kinds.iter().any(|off| off == kind);
        self.0.iter().zip(ends).filter(|((_, kinds), _)| is_off(kinds)).map(|((at, _), end)| *at..end).collect()
    }

    /// From an offset on, these are off; it is not below any earlier one.
    pub(crate) fn since(&mut self, offset: u32, kinds: Vec<String>) {
        self.0.push((offset, kinds));
    }

    /// What is said of a text that is put behind, at an offset; what was said before ends there.
    pub(crate) fn join(&mut self, next: &Self, offset: u32) {
        if !self.0.is_empty() || !next.0.is_empty() {
            self.since(offset, Vec::new());
            self.0.extend(next.0.iter().map(|(at, kinds)| (at + offset, kinds.clone())));
        }
    }
}
