//! Memory of the checker's runs: cells at constant offsets over one array for each object. Where nodes list all objects, every access is one of these.

use super::machine::{Machine, Step};
use super::state::{Content, Obj, Runs};
use cfa::layout::external_range;
use cfa::{AllocKind, ExprId};
use smt::TermId;
use std::collections::BTreeMap;
use std::rc::Rc;
use step::End;

/// Cuts a range into pieces of 8, 4, 2 and 1 bytes, aligned by their size.
pub fn pieces(mut lo: u64, hi: u64) -> impl Iterator<Item = (u64, u64)> {
    std::iter::from_fn(move || {
        let fits = |n: &u64| lo.is_multiple_of(*n) && lo + n <= hi;
        let n = [8, 4, 2, 1].into_iter().find(fits)?;
        lo += n;
        Some((lo - n, n))
    })
}

impl Machine<'_, '_> {
    /// Whether `bytes` bytes at an offset lie in an object that is alive.
    pub fn inside(&mut self, content: &Content, offset: TermId, bytes: u64) -> TermId {
        let n = self.number(bytes);
        let terms = &mut self.enc.terms;
        let fits = terms.ule(n, content.size);
        let last = terms.bv_sub(content.size, n);
        let before = terms.ule(offset, last);
        let alive = terms.not(content.dead);
        terms.and_all(&[fits, before, alive])
    }

    /// The bits that a load finds.
    pub fn load(&mut self, runs: &mut Runs, expr: ExprId, address: TermId, bytes: u64) -> Step<TermId> {
        if self.is_open() {
            return self.load_open(runs, address, bytes);
        }
        let targets = self.targets(runs, expr, address);
        if let Some(fixed) = targets.fixed {
            self.forbid(runs.guard, fixed, "memory at a fixed address is accessed");
        }
        let mut valid: Vec<TermId> = targets.objects.iter().map(|(_, cond, _)| *cond).collect();
        valid.extend(targets.external);
        let valid = self.enc.terms.or_all(&valid);
        self.assume(runs, valid)?;
        let any = smt::Sort::BitVec(8 * bytes as u32);
        let mut value = None;
        if targets.external.is_some() {
            let byte = self.read_array(runs.external, 1, address, bytes);
            value = Some(if bytes == 1 { self.ending(address, byte) } else { byte });
        }
        for (object, cond, offset) in targets.objects.into_iter().rev() {
            let here = match self.content(runs, object) {
                None => self.enc.terms.fresh_var("outside", any),
                Some(content) => {
                    let inside = self.inside(&content, offset, bytes);
                    if self.enc.terms.is_false(inside) {
                        self.read_partly(runs, object, offset, bytes)
                    } else if self.enc.terms.is_true(inside) {
                        self.read(runs, object, offset, bytes)
                    } else {
                        let held = self.read(runs, object, offset, bytes);
                        let other = self.enc.terms.fresh_var("outside", any);
                        self.enc.terms.ite(inside, held, other)
                    }
                }
            };
            value = Some(match value {
                None => here,
                Some(other) => self.enc.terms.ite(cond, here, other),
            });
        }
        value.ok_or(End::Blocked)
    }

    /// Bytes of which some lie outside of the object: there they have any value.
    fn read_partly(&mut self, runs: &mut Runs, object: Obj, offset: TermId, bytes: u64) -> TermId {
        let mut bits: Option<TermId> = None;
        for k in 0..bytes {
            let at = self.plus(offset, k);
            let content = self.content(runs, object);
            let inside = content.map(|content| self.inside(&content, at, 1));
            let part = match inside.is_some_and(|inside| self.enc.terms.is_true(inside)) {
                true => self.read(runs, object, at, 1),
                false => self.enc.terms.fresh_var("outside", smt::Sort::BitVec(8)),
            };
            bits = Some(bits.map_or(part, |first| self.enc.joined(first, part)));
        }
        bits.unwrap_or_else(|| self.enc.terms.bv(8, 0))
    }

    /// Writes bits.
    pub fn store(&mut self, runs: &mut Runs, expr: ExprId, address: TermId, bytes: u64, bits: TermId) -> Step<()> {
        if self.is_open() {
            return self.store_open(runs, expr, address, bytes, bits);
        }
        let targets = self.targets(runs, expr, address);
        if let Some(fixed) = targets.fixed {
            self.forbid(runs.guard, fixed, "memory at a fixed address is accessed");
        }
        let mut places: Vec<TermId> = targets.objects.iter().map(|(_, cond, _)| *cond).collect();
        places.extend(targets.external);
        let only = places.len() == 1;
        let place = self.enc.terms.or_all(&places);
        self.assume(runs, place)?;
        let mut valid: Vec<TermId> = targets.external.into_iter().collect();
        for (object, cond, offset) in &targets.objects {
            let inside = match self.content(runs, *object) {
                Some(content) => self.inside(&content, *offset, bytes),
                None => self.enc.terms.fals(),
            };
            valid.push(self.enc.terms.and(*cond, inside));
        }
        let valid = self.enc.terms.or_all(&valid);
        let outside = self.enc.terms.not(valid);
        self.forbid(runs.guard, outside, "a write may lead outside of its object");
        self.assume(runs, valid)?;
        for (object, cond, offset) in targets.objects {
            let Some(content) = self.content(runs, object) else { continue };
            let value = if only {
                bits
            } else {
                let old = self.read(runs, object, offset, bytes);
                self.enc.terms.ite(cond, bits, old)
            };
            // Reading may have changed how the content is written down.
            let content = self.content(runs, object).unwrap_or(content);
            let new = self.written(object, &content, offset, bytes, value);
            runs.memory.insert(object, Rc::new(new));
        }
        if let Some(cond) = targets.external {
            let end = self.plus(address, bytes - 1);
            let last = self.last_outside();
            let terms = &mut self.enc.terms;
            let (elsewhere, before) = (terms.not(cond), terms.ult(end, last));
            let holds = terms.or(elsewhere, before);
            self.assume(runs, holds)?;
            let written = self.write_array(runs.external, 1, address, bytes, bits);
            runs.external = self.enc.terms.ite(cond, written, runs.external);
        }
        Ok(())
    }

    /// A byte of memory that is not the program's, which ends with a zero.
    fn ending(&mut self, address: TermId, byte: TermId) -> TermId {
        let last = self.last_outside();
        let is_last = self.enc.terms.eq(address, last);
        let zero = self.enc.terms.bv(8, 0);
        self.enc.terms.ite(is_last, zero, byte)
    }

    fn last_outside(&mut self) -> TermId {
        self.number(external_range(self.program.machine).end - 1)
    }

    fn constant_offset(&self, object: Obj, offset: TermId, bytes: u64) -> Option<u64> {
        let at = u64::try_from(self.enc.terms.as_bv_const(offset)?).ok()?;
        (at.checked_add(bytes)? <= self.get(object).room).then_some(at)
    }

    /// Bits of an object.
    pub fn read(&mut self, runs: &mut Runs, object: Obj, offset: TermId, bytes: u64) -> TermId {
        let Some(content) = self.content(runs, object) else {
            return self.enc.terms.fresh_var("outside", smt::Sort::BitVec(8 * bytes as u32));
        };
        if let Some(at) = self.constant_offset(object, offset, bytes) {
            return self.read_at(object, &content, at, bytes);
        }
        let array = self.flushed(runs, object);
        let elem = self.get(object).elem;
        self.read_array(array, elem, offset, bytes)
    }

    fn written(&mut self, object: Obj, content: &Content, offset: TermId, bytes: u64, bits: TermId) -> Content {
        let mut content = content.clone();
        if let Some(at) = self.constant_offset(object, offset, bytes) {
            self.write_at(&mut content, at, bytes, bits);
            return content;
        }
        let elem = self.get(object).elem;
        let array = self.array(object, &content);
        content.base = self.write_array(array, elem, offset, bytes, bits);
        content.cells.clear();
        content
    }

    /// The content as an array, which becomes how it is written down.
    pub fn flushed(&mut self, runs: &mut Runs, object: Obj) -> TermId {
        let Some(content) = self.content(runs, object) else {
            let sort = self.array_sort(object);
            return self.enc.terms.fresh_var("outside", sort);
        };
        let base = self.array(object, &content);
        if !content.cells.is_empty() {
            let content = Content { cells: BTreeMap::new(), base, ..Content::clone(&content) };
            runs.memory.insert(object, Rc::new(content));
        }
        base
    }

    fn array(&mut self, object: Obj, content: &Content) -> TermId {
        let elem = u64::from(self.get(object).elem);
        let mut elements: Vec<u64> = Vec::new();
        for (at, (bytes, _)) in &content.cells {
            elements.extend(at / elem..=(at + bytes - 1) / elem);
        }
        elements.dedup();
        let mut array = content.base;
        for element in elements {
            let value = self.read_at(object, content, element * elem, elem);
            let index = self.number(element);
            array = self.enc.terms.store(array, index, value);
        }
        array
    }

    /// Bits at a constant offset.
    pub fn read_at(&mut self, object: Obj, content: &Content, at: u64, bytes: u64) -> TermId {
        if let Some((len, bits)) = content.cells.get(&at)
            && *len == bytes
        {
            return *bits;
        }
        let (mut pos, end) = (at, at + bytes);
        let mut parts: Option<TermId> = None;
        while pos < end {
            let before = content.cells.range(..=pos).next_back().filter(|(start, (len, _))| pos < *start + len);
            let (stop, part) = match before {
                Some((start, (len, bits))) => {
                    let stop = (start + len).min(end);
                    (stop, self.enc.part(*bits, (pos - start) as u32, (stop - pos) as u32))
                }
                None => {
                    let next = content.cells.range(pos..end).next().map_or(end, |(start, _)| *start);
                    let elem = u64::from(self.get(object).elem);
                    let stop = next.min((pos / elem + 1) * elem);
                    let index = self.number(pos / elem);
                    let element = self.enc.terms.select(content.base, index);
                    (stop, self.enc.part(element, (pos % elem) as u32, (stop - pos) as u32))
                }
            };
            parts = Some(parts.map_or(part, |first| self.enc.joined(first, part)));
            pos = stop;
        }
        parts.unwrap_or_else(|| self.enc.terms.bv(8, 0))
    }

    /// Writes bits at a constant offset.
    pub fn write_at(&mut self, content: &mut Content, at: u64, bytes: u64, bits: TermId) {
        self.clear(content, at, at + bytes);
        content.cells.insert(at, (bytes, bits));
    }

    /// Removes cells of a range, keeping what lies beside it.
    fn clear(&mut self, content: &mut Content, lo: u64, hi: u64) {
        // No cell is longer than 16 bytes.
        let hit: Vec<(u64, (u64, TermId))> = content
            .cells
            .range(lo.saturating_sub(16)..hi)
            .filter(|(at, (len, _))| *at + len > lo)
            .map(|(at, cell)| (*at, *cell))
            .collect();
        for (at, (len, bits)) in hit {
            content.cells.remove(&at);
            if at < lo {
                let kept = self.enc.part(bits, 0, (lo - at) as u32);
                content.cells.insert(at, (lo - at, kept));
            }
            if at + len > hi {
                let kept = self.enc.part(bits, (hi - at) as u32, (at + len - hi) as u32);
                content.cells.insert(hi, (at + len - hi, kept));
            }
        }
    }

    fn plus(&mut self, offset: TermId, k: u64) -> TermId {
        let k = self.number(k);
        self.enc.terms.bv_add(offset, k)
    }

    /// Index of the element that an offset lies in.
    fn element(&mut self, offset: TermId, elem: u32) -> TermId {
        let shift = self.number(u64::from(elem.trailing_zeros()));
        self.enc.terms.bv_lshr(offset, shift)
    }

    fn is_aligned(&self, offset: TermId, elem: u32, bytes: u64) -> bool {
        bytes.is_multiple_of(u64::from(elem)) && self.enc.terms.congruence(offset).zeros() >= elem.trailing_zeros()
    }

    fn read_array(&mut self, array: TermId, elem: u32, offset: TermId, bytes: u64) -> TermId {
        let aligned = self.is_aligned(offset, elem, bytes);
        let step = if aligned { u64::from(elem) } else { 1 };
        let mut bits: Option<TermId> = None;
        for k in (0..bytes).step_by(step as usize) {
            let here = self.plus(offset, k);
            let index = self.element(here, elem);
            let mut part = self.enc.terms.select(array, index);
            if !aligned {
                let shift = self.enc.byte_shift(here, elem);
                let moved = self.enc.terms.bv_lshr(part, shift);
                part = self.enc.terms.extract(7, 0, moved);
            }
            bits = Some(bits.map_or(part, |first| self.enc.joined(first, part)));
        }
        bits.unwrap_or_else(|| self.enc.terms.bv(8, 0))
    }

    fn write_array(&mut self, mut array: TermId, elem: u32, offset: TermId, bytes: u64, bits: TermId) -> TermId {
        let aligned = self.is_aligned(offset, elem, bytes);
        let step = if aligned { elem } else { 1 };
        for k in (0..bytes as u32).step_by(step as usize) {
            let here = self.plus(offset, u64::from(k));
            let index = self.element(here, elem);
            let mut part = self.enc.part(bits, k, step);
            if !aligned {
                let old = self.enc.terms.select(array, index);
                let shift = self.enc.byte_shift(here, elem);
                let terms = &mut self.enc.terms;
                let byte = terms.bv(8 * elem, 0xff);
                let hole = terms.bv_shl(byte, shift);
                let hole = terms.bv_not(hole);
                let kept = terms.bv_and(old, hole);
                let wide = terms.zero_resize(8 * elem, part);
                let moved = terms.bv_shl(wide, shift);
                part = terms.bv_or(kept, moved);
            }
            array = self.enc.terms.store(array, index, part);
        }
        array
    }

    /// Ends the life of an object of the kind.
    pub fn free(&mut self, runs: &mut Runs, expr: ExprId, address: TermId, kind: AllocKind) -> Step<()> {
        if kind == AllocKind::Stack && !self.asks_for_life {
            return Ok(());
        }
        if self.is_open() {
            self.free_open(runs, expr, address);
            return Ok(());
        }
        let (valid, freed) = self.freeable(runs, expr, address, kind);
        // The end of a block is no fault, whatever is known of its array.
        if kind != AllocKind::Stack {
            let invalid = self.enc.terms.not(valid);
            self.forbid(runs.guard, invalid, "`free` may get a pointer that it must not get");
            self.assume(runs, valid)?;
        }
        for (object, content, here) in freed {
            let dead = self.enc.terms.or(content.dead, here);
            runs.memory.insert(object, Rc::new(Content { dead, ..Content::clone(&content) }));
        }
        Ok(())
    }
}
