//! Reads through the layers that iterations of accelerated paths put over arrays.

use crate::encoder::Encoder;
use smt::{Node, TermId};

impl Encoder<'_> {
    fn has_layer(&mut self, array: TermId) -> bool {
        if self.repeats.layers.is_empty() {
            return false;
        }
        let mut stack = vec![array];
        while let Some(top) = stack.last().copied() {
            if self.repeats.layered.contains_key(&top) {
                stack.pop();
                continue;
            }
            let below = match self.terms.node(top) {
                Node::Store(rest, ..) => vec![rest],
                Node::Ite(_, a, b) => vec![a, b],
                _ => Vec::new(),
            };
            let open: Vec<TermId> = below.iter().copied().filter(|t| !self.repeats.layered.contains_key(t)).collect();
            if open.is_empty() {
                let known = &self.repeats;
                let result = known.layers.contains_key(&top) || below.iter().any(|t| known.layered[t]);
                self.repeats.layered.insert(top, result);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.repeats.layered[&array]
    }

    /// The element of an array that may have layers.
    pub(super) fn select(&mut self, array: TermId, index: TermId) -> TermId {
        if !self.has_layer(array) {
            return self.terms.select(array, index);
        }
        if let Some(known) = self.repeats.read.get(&(array, index)) {
            return *known;
        }
        let value = match self.terms.node(array) {
            Node::Store(rest, at, value) => {
                let equal = self.terms.eq(at, index);
                if self.terms.is_true(equal) {
                    value
                } else {
                    let other = self.select(rest, index);
                    self.terms.ite(equal, value, other)
                }
            }
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.select(a, index), self.select(b, index));
                self.terms.ite(cond, a, b)
            }
            _ => match self.repeats.layers.get(&array).cloned() {
                Some(layer) => {
                    let bytes = layer.track.bytes;
                    let width = self.terms.width(index);
                    let shift = self.terms.bv(width, u128::from(bytes.trailing_zeros()));
                    let offset = self.terms.bv_shl(index, shift);
                    let (hit, iteration) = self.hit(layer.track, layer.count, offset);
                    let new = self.written((layer.value, bytes), &layer.scene, iteration);
                    let old = self.select(layer.below, index);
                    self.terms.ite(hit, new, old)
                }
                None => self.terms.select(array, index),
            },
        };
        self.repeats.read.insert((array, index), value);
        value
    }
}
