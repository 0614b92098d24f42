//! Finds the objects that an address can point to.
//!
//! Objects have constant addresses, so the address of an access is usually a constant, a constant plus an offset term, or an
//! if-then-else over such. Each constant leaf names its object; offsets that lead out of it are undefined behaviour. A
//! leaf of unknown origin (a pointer from external code, an uninitialised one, a pointer put together from bytes) is compared with
//! the address ranges of all objects that it may point to.

use crate::encoder::Encoder;
use crate::memory::object::{LayoutId, ObjId, Size};
use crate::state::State;
use cfa::ExprId;
use cfa::layout::external_range;
use smt::{BinOp, Node, TermId};
use std::collections::BTreeMap;

/// Where an access may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointee {
    /// Into an object, at an offset of pointer width.
    Object { object: ObjId, offset: TermId },
    /// Into external memory.
    External,
}

/// One possibility of an access; the conditions of the targets exclude each other.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// When it applies.
    pub cond: TermId,
    /// Where it goes.
    pub place: Pointee,
}

/// All possibilities of an access; where none applies, the address is invalid.
#[derive(Default)]
pub struct Resolution {
    /// Valid places.
    pub targets: Vec<Target>,
    /// When the address is a fixed number that means no object (memory-mapped devices).
    pub fixed: Vec<TermId>,
}

/// Addresses below are null pointers with an offset.
const NULL_PAGE: u128 = 4096;

impl Encoder<'_> {
    /// Finds the possible targets of `address`, the value of the expression `expr`.
    pub fn resolve(&mut self, state: &State, expr: ExprId, address: TermId) -> Resolution {
        let layout = state.layout;
        let mut found = Found::default();
        let zero = self.terms.bv(self.program.pointer_bits(), 0);
        let tru = self.terms.tru();
        // Operands have smaller ids than what is made of them, so taking the greatest first sees each leaf once with all
        // conditions that lead to it.
        let mut work = BTreeMap::from([((address, zero), tru)]);
        while let Some(((term, extra), cond)) = work.pop_last() {
            if self.terms.is_false(cond) {
                continue;
            }
            match self.terms.node(term) {
                Node::Ite(c, a, b) => {
                    let not_c = self.terms.not(c);
                    for (branch, side) in [(a, c), (b, not_c)] {
                        let cond = self.terms.and(cond, side);
                        self.add(&mut work, (branch, extra), cond);
                    }
                }
                Node::Bv { value, .. } => self.constant_leaf(&mut found, layout, value, extra, cond),
                Node::Bin(BinOp::BvAdd, a, b) => {
                    let (pa, pb) = (self.is_pointer(layout, a), self.is_pointer(layout, b));
                    let (base, offset) = match (pa, pb) {
                        (true, false) => (a, b),
                        (false, true) => (b, a),
                        // Both or none: no operand is known to be the pointer.
                        _ if self.terms.as_bv_const(a).is_some() => (b, a),
                        _ if self.terms.as_bv_const(b).is_some() => (a, b),
                        _ => {
                            self.unknown_leaf(&mut found, state, expr, term, extra, cond);
                            continue;
                        }
                    };
                    let extra = self.terms.bv_add(extra, offset);
                    self.add(&mut work, (base, extra), cond);
                }
                Node::Bin(BinOp::BvSub, a, b) if self.is_pointer(layout, a) => {
                    let extra = self.terms.bv_sub(extra, b);
                    self.add(&mut work, (a, extra), cond);
                }
                _ => self.unknown_leaf(&mut found, state, expr, term, extra, cond),
            }
        }
        let mut targets: Vec<Target> = found
            .objects
            .into_iter()
            .map(|(object, (cond, offset))| Target { cond, place: Pointee::Object { object, offset } })
            .collect();
        if let Some(cond) = found.external {
            targets.push(Target { cond, place: Pointee::External });
        }
        Resolution { targets, fixed: found.fixed }
    }

    fn add(&mut self, work: &mut BTreeMap<(TermId, TermId), TermId>, key: (TermId, TermId), cond: TermId) {
        let entry = work.entry(key).or_insert(self.terms.fals());
        *entry = self.terms.or(*entry, cond);
    }

    fn constant_leaf(&mut self, found: &mut Found, layout: LayoutId, value: u128, extra: TermId, cond: TermId) {
        let owner = u64::try_from(value).ok().and_then(|v| self.objects.owner(layout, v));
        if let Some(object) = owner {
            let width = self.program.pointer_bits();
            let delta = value.wrapping_sub(u128::from(self.objects.get(object).base));
            let delta = self.terms.bv(width, smt_mask(width) & delta);
            let offset = self.terms.bv_add(delta, extra);
            self.note_object(found, object, offset, cond);
            return;
        }
        if self.terms.as_bv_const(extra) == Some(0) {
            let external = external_range(self.program.machine);
            if u64::try_from(value).is_ok_and(|v| external.contains(&v)) {
                self.note_external(found, cond);
            } else if value >= NULL_PAGE {
                found.fixed.push(cond);
            }
            return;
        }
        // A number plus an offset: null or a device with an index, or integers that were never a pointer.
        if value >= NULL_PAGE {
            found.fixed.push(cond);
        }
    }

    fn unknown_leaf(
        &mut self,
        found: &mut Found,
        state: &State,
        expr: ExprId,
        term: TermId,
        extra: TermId,
        cond: TermId,
    ) {
        let address = self.terms.bv_add(term, extra);
        let width = self.program.pointer_bits();
        for object in self.objects.ids() {
            if !self.may_point_to(state, expr, object) {
                continue;
            }
            let (base, size) = (self.objects.get(object).base, self.objects.get(object).size);
            let base = self.terms.bv(width, u128::from(base));
            let size = self.size_term(size);
            let offset = self.terms.bv_sub(address, base);
            let inside = self.terms.ult(offset, size);
            let cond = self.terms.and(cond, inside);
            self.note_object(found, object, offset, cond);
        }
        let external = external_range(self.program.machine);
        let lo = self.terms.bv(width, u128::from(external.start));
        let len = self.terms.bv(width, u128::from(external.end - external.start));
        let offset = self.terms.bv_sub(address, lo);
        let inside = self.terms.ult(offset, len);
        let cond = self.terms.and(cond, inside);
        self.note_external(found, cond);
    }

    fn note_object(&mut self, found: &mut Found, object: ObjId, offset: TermId, cond: TermId) {
        if self.terms.is_false(cond) {
            return;
        }
        let merged = match found.objects.get(&object) {
            Some((old_cond, old_offset)) => (self.terms.or(*old_cond, cond), self.terms.ite(cond, offset, *old_offset)),
            None => (cond, offset),
        };
        found.objects.insert(object, merged);
    }

    fn note_external(&mut self, found: &mut Found, cond: TermId) {
        if !self.terms.is_false(cond) {
            found.external = Some(match found.external {
                Some(old) => self.terms.or(old, cond),
                None => cond,
            });
        }
    }

    /// Size of an object as a term of pointer width.
    pub fn size_term(&mut self, size: Size) -> TermId {
        match size {
            Size::Const(size) => self.terms.bv(self.program.pointer_bits(), u128::from(size)),
            Size::Term(size) => size,
        }
    }

    /// Whether a term is built on the address of an object of a layout.
    fn is_pointer(&mut self, layout: LayoutId, term: TermId) -> bool {
        if let Node::Bv { value, .. } = self.terms.node(term) {
            return u64::try_from(value).ok().is_some_and(|v| self.objects.owner(layout, v).is_some());
        }
        if let Some(known) = self.pointers.get(&(layout, term)) {
            return *known;
        }
        let result = match self.terms.node(term) {
            Node::Ite(_, a, b) | Node::Bin(BinOp::BvAdd, a, b) => {
                self.is_pointer(layout, a) || self.is_pointer(layout, b)
            }
            Node::Bin(BinOp::BvSub, a, _) => self.is_pointer(layout, a),
            _ => false,
        };
        self.pointers.insert((layout, term), result);
        result
    }

    /// Whether a pointer of unknown origin, the value of `expr`, may point into `object`.
    fn may_point_to(&self, state: &State, expr: ExprId, object: ObjId) -> bool {
        let kind = self.objects.get(object).kind;
        (self.global_of(kind) || state.memory.get(base::Id::index(object) as u32).is_some())
            && (self.may_point_to)(expr, kind)
    }
}

#[derive(Default)]
struct Found {
    objects: BTreeMap<ObjId, (TermId, TermId)>,
    external: Option<TermId>,
    fixed: Vec<TermId>,
}

fn smt_mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}
