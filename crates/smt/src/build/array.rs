//! Arrays.

use crate::sort::Sort;
use crate::term::{BinOp, Node, TermId, Terms};

/// Most if-then-elses of arrays that a read is pushed into, one inside the other.
const MAX_SPLIT_READS: u32 = 4;

/// How many stores below are searched for one to the same index.
const MAX_OVERWRITTEN: usize = 8;

impl Terms {
    /// Element of an array.
    #[track_caller]
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.select_within(array, index, MAX_SPLIT_READS)
    }

    #[track_caller]
    fn select_within(&mut self, mut array: TermId, index: TermId, splits: u32) -> TermId {
        loop {
            match self.node(array) {
                Node::Store(rest, written, value) => match self.compare_indices(written, index) {
                    Some(true) => return value,
                    Some(false) => array = rest,
                    None => break,
                },
                Node::ConstArray(_, value) => return value,
                Node::Ite(cond, then, els) if splits > 0 => {
                    let then = self.select_within(then, index, splits - 1);
                    let els = self.select_within(els, index, splits - 1);
                    return self.ite(cond, then, els);
                }
                _ => break,
            }
        }
        self.raw_bin(BinOp::Select, array, index)
    }

    /// The array with one element replaced.
    #[track_caller]
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        match self.node(array) {
            Node::ConstArray(_, same) if same == value => return array,
            _ if self.node(value) == Node::Bin(BinOp::Select, array, index) => return array,
            _ => {}
        }
        // A store below to the same index has no effect; those between them are surely elsewhere.
        let mut between = Vec::new();
        let mut below = array;
        while let Node::Store(rest, written, old) = self.node(below) {
            match self.compare_indices(written, index) {
                Some(true) => {
                    let mut array = rest;
                    for &(i, v) in between.iter().rev() {
                        array = self.raw_store(array, i, v);
                    }
                    return self.store(array, index, value);
                }
                Some(false) if between.len() < MAX_OVERWRITTEN => between.push((written, old)),
                _ => break,
            }
            below = rest;
        }
        self.raw_store(array, index, value)
    }

    /// The array with an index of `index` bits that has `value` everywhere.
    #[track_caller]
    pub fn const_array(&mut self, index: u32, value: TermId) -> TermId {
        self.raw_const_array(index, value)
    }

    /// The array of that sort that has the default value everywhere.
    ///
    /// # Panics
    /// When the sort is no array sort.
    #[track_caller]
    pub fn default_array(&mut self, sort: Sort) -> TermId {
        let value = crate::value::Value::default_of(sort);
        assert!(value.as_array().is_some(), "{sort} is no array sort");
        self.value_term(&value)
    }
}
