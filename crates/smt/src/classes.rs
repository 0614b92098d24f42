//! Classes of terms, as a union-find structure.

use crate::term::TermId;
use rustc_hash::FxHashMap;

/// Terms in classes.
///
/// Terms are numbered as they come, and the smallest number of a class is its root: classes are in the order of their first terms.
#[derive(Default)]
pub struct Classes {
    numbers: FxHashMap<TermId, usize>,
    parents: Vec<usize>,
}

impl Classes {
    /// The root of a term's class; a new term is a class of its own.
    pub fn of(&mut self, term: TermId) -> usize {
        let next = self.parents.len();
        let mut number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    /// Makes one class of the classes of these terms.
    pub fn unite(&mut self, terms: impl IntoIterator<Item = TermId>) {
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else { return };
        let mut root = self.of(first);
        for term in terms {
            let other = self.of(term);
            self.parents[root.max(other)] = root.min(other);
            root = root.min(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, Terms};

    #[test]
    fn classes_are_in_the_order_of_their_first_terms() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..7).map(|i| terms.var(&format!("x{i}"), Sort::Bool)).collect();
        let mut classes = Classes::default();
        let of = |classes: &mut Classes| vars.iter().map(|var| classes.of(*var)).collect::<Vec<_>>();
        assert_eq!(of(&mut classes), [0, 1, 2, 3, 4, 5, 6]);
        classes.unite([vars[5], vars[2]]);
        classes.unite([vars[6], vars[4], vars[1]]);
        classes.unite([]);
        assert_eq!(of(&mut classes), [0, 1, 2, 3, 1, 2, 1]);
        classes.unite([vars[4], vars[5], vars[3]]);
        assert_eq!(of(&mut classes), [0, 1, 1, 1, 1, 1, 1]);
    }
}
