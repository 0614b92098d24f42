//! Operations on ranges of memory, piece by piece.

use super::machine::{Machine, Step};
use super::memory::pieces;
use super::state::{Content, Runs};
use cfa::ExprId;
use smt::{Sort, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Longest range that is copied or set where its place is not known exactly.
pub const MAX_RANGE: u64 = 4096;
/// Longest range at all.
const MAX_BYTES: u64 = 1 << 20;

impl Machine<'_, '_> {
    /// Copies a range.
    pub fn copy(&mut self, runs: &mut Runs, (dst, src): (ExprId, ExprId), len: u64) -> Step<()> {
        let to = self.eval(runs, dst)?;
        let from = self.eval(runs, src)?;
        let len = self.range(runs, dst, to, len)?;
        // Everything is read before anything is written: the ranges may overlap.
        let mut read = Vec::new();
        for (at, bytes) in self.cuts(runs, from, len) {
            let delta = self.number(at);
            let address = self.enc.terms.bv_add(from, delta);
            read.push((at, bytes, self.load(runs, src, address, bytes)?));
        }
        self.store_all(runs, dst, to, read)
    }

    /// Sets each byte of a range.
    pub fn fill(&mut self, runs: &mut Runs, (dst, byte): (ExprId, ExprId), len: u64) -> Step<()> {
        let to = self.eval(runs, dst)?;
        let byte = self.eval(runs, byte)?;
        let byte = self.enc.terms.extract(7, 0, byte);
        if self.zero_all(runs, dst, to, byte, len) {
            return Ok(());
        }
        let len = self.range(runs, dst, to, len)?;
        let mut filled = Vec::new();
        for (at, bytes) in pieces(0, len) {
            let copies = (1..bytes).fold(byte, |bits, _| self.enc.terms.concat(byte, bits));
            filled.push((at, bytes, copies));
        }
        self.store_all(runs, dst, to, filled)
    }

    /// Gives a range any bytes.
    pub fn havoc_range(&mut self, runs: &mut Runs, dst: ExprId, len: u64) -> Step<()> {
        let to = self.eval(runs, dst)?;
        let len = self.range(runs, dst, to, len)?;
        let mut any = |bytes: u64| self.enc.terms.fresh_var("any", Sort::BitVec(8 * bytes as u32));
        let filled = pieces(0, len).map(|(at, bytes)| (at, bytes, any(bytes))).collect();
        self.store_all(runs, dst, to, filled)
    }

    /// Gives all of an object any bytes.
    pub fn havoc_object(&mut self, runs: &mut Runs, dst: ExprId) -> Step<()> {
        let to = self.eval(runs, dst)?;
        if self.is_open() {
            return self.havoc_object_open(runs, dst, to);
        }
        let targets = self.targets(runs, dst, to);
        // That it is an object, which the first byte tells.
        let byte = self.enc.terms.fresh_var("any", Sort::BitVec(8));
        self.store(runs, dst, to, 1, byte)?;
        for (object, cond, _) in targets.objects {
            let before = self.flushed(runs, object);
            let Some(content) = self.content(runs, object) else { continue };
            let sort = self.array_sort(object);
            let any = self.enc.terms.fresh_var("any", sort);
            let base = self.enc.terms.ite(cond, any, before);
            runs.memory.insert(object, Rc::new(Content { cells: BTreeMap::new(), base, ..Content::clone(&content) }));
        }
        if let Some(cond) = targets.external {
            let sort = self.enc.terms.sort(runs.external);
            let any = self.enc.terms.fresh_var("any", sort);
            runs.external = self.enc.terms.ite(cond, any, runs.external);
        }
        Ok(())
    }

    /// The length of a range that can be written piece by piece.
    fn range(&mut self, runs: &mut Runs, expr: ExprId, address: TermId, len: u64) -> Step<u64> {
        if self.is_open() {
            return self.range_open(runs, expr, address, len);
        }
        let targets = self.targets(runs, expr, address);
        let exact = match targets.objects.as_slice() {
            [(_, _, offset)] => targets.external.is_none() && self.enc.terms.as_bv_const(*offset).is_some(),
            _ => false,
        };
        if len > if exact { MAX_BYTES } else { MAX_RANGE } {
            return self.never(runs, "a long range is written");
        }
        Ok(len)
    }

    /// Pieces of a range that is copied: as the source has them, where that is known.
    fn cuts(&mut self, runs: &Runs, from: TermId, len: u64) -> Vec<(u64, u64)> {
        let address = self.enc.terms.as_bv_const(from).and_then(|n| u64::try_from(n).ok());
        let place = address.and_then(|address| Some((self.owner(address)?, address)));
        let Some((object, address)) = place else { return pieces(0, len).collect() };
        let Some(begin) = address.checked_sub(self.get(object).base) else { return pieces(0, len).collect() };
        let Some(content) = self.content(runs, object) else { return pieces(0, len).collect() };
        let mut cuts = Vec::new();
        let mut pos = 0;
        for (at, (bytes, _)) in content.cells.range(begin..begin + len) {
            let at = at - begin;
            if at + bytes <= len && at >= pos {
                cuts.extend(pieces(pos, at));
                cuts.push((at, *bytes));
                pos = at + bytes;
            }
        }
        cuts.extend(pieces(pos, len));
        cuts
    }

    fn store_all(&mut self, runs: &mut Runs, expr: ExprId, to: TermId, parts: Vec<(u64, u64, TermId)>) -> Step<()> {
        for (at, bytes, bits) in parts {
            let delta = self.number(at);
            let address = self.enc.terms.bv_add(to, delta);
            self.store(runs, expr, address, bytes, bits)?;
        }
        Ok(())
    }

    /// Sets all of an object to zero, if that is what is asked for.
    fn zero_all(&mut self, runs: &mut Runs, expr: ExprId, to: TermId, byte: TermId, len: u64) -> bool {
        // Elsewhere it may be any object.
        if self.enc.terms.as_bv_const(to).is_none() && self.is_open() {
            return false;
        }
        let targets = self.targets(runs, expr, to);
        let ([(object, _, offset)], None) = (targets.objects.as_slice(), targets.external) else { return false };
        let Some(content) = self.content(runs, *object) else { return false };
        let terms = &self.enc.terms;
        let zero = terms.as_bv_const(byte) == Some(0) && terms.as_bv_const(*offset) == Some(0);
        let whole = terms.as_bv_const(content.size) == Some(u128::from(len)) && terms.is_false(content.dead);
        if !(zero && whole) {
            return false;
        }
        let base = self.zero_array(*object);
        runs.memory.insert(*object, Rc::new(Content { cells: BTreeMap::new(), base, ..Content::clone(&content) }));
        true
    }

    pub fn zero_array(&mut self, object: u32) -> TermId {
        let (width, elem) = (self.width(), self.get(object).elem);
        let zero = self.enc.terms.bv(8 * elem, 0);
        self.enc.terms.const_array(width, zero)
    }
}
