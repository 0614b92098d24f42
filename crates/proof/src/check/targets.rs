//! Where pointers lead where nodes list all objects: to what their address is built on, or to all that they may point to.

use super::machine::Machine;
use super::state::{Obj, Runs};
use cfa::ExprId;
use cfa::layout::external_range;
use smt::{BinOp, Node, TermId};
use std::collections::BTreeMap;

/// Where an access may go; the conditions exclude each other.
#[derive(Default)]
pub struct Targets {
    /// Objects with conditions and offsets.
    pub objects: Vec<(Obj, TermId, TermId)>,
    /// Condition of memory that is not the program's.
    pub external: Option<TermId>,
    /// Condition of a fixed address that means nothing.
    pub fixed: Option<TermId>,
}

/// A part of an address: condition, constant if it is built on one, and the rest or the whole.
struct Leaf {
    cond: TermId,
    base: Option<u64>,
    rest: TermId,
}

/// Addresses below are null pointers with an offset.
const NULL_PAGE: u64 = 4096;
/// Most parts of an address that are told apart.
const MAX_LEAVES: usize = 256;

impl Machine<'_, '_> {
    /// Where an address leads that is the value of an expression.
    pub fn targets(&mut self, runs: &Runs, expr: ExprId, address: TermId) -> Targets {
        let mut leaves = Vec::new();
        let (tru, zero) = (self.enc.terms.tru(), self.number(0));
        if !self.split(address, zero, tru, &mut leaves) {
            leaves = vec![Leaf { cond: tru, base: None, rest: address }];
        }
        let mut found: BTreeMap<Obj, (TermId, TermId)> = BTreeMap::new();
        let mut targets = Targets::default();
        for Leaf { cond, base, rest } in leaves {
            match base {
                Some(base) => match self.owner(base) {
                    Some(object) => {
                        let delta = base.wrapping_sub(self.get(object).base);
                        let delta = self.number(delta);
                        let offset = self.enc.terms.bv_add(delta, rest);
                        self.note(&mut found, object, cond, offset);
                    }
                    None if external_range(self.program.machine).contains(&base) => {
                        self.either(&mut targets.external, cond);
                    }
                    None if base < NULL_PAGE => {}
                    None => self.either(&mut targets.fixed, cond),
                },
                None => self.unknown(runs, expr, rest, cond, &mut found, &mut targets),
            }
        }
        targets.objects = found.into_iter().map(|(object, (cond, offset))| (object, cond, offset)).collect();
        targets
    }

    fn either(&mut self, known: &mut Option<TermId>, cond: TermId) {
        *known = Some(known.map_or(cond, |old| self.enc.terms.or(old, cond)));
    }

    fn note(&mut self, found: &mut BTreeMap<Obj, (TermId, TermId)>, object: Obj, cond: TermId, offset: TermId) {
        let merged = match found.get(&object) {
            Some((old, at)) => (self.enc.terms.or(*old, cond), self.enc.terms.ite(cond, offset, *at)),
            None => (cond, offset),
        };
        if !self.enc.terms.is_false(merged.0) {
            found.insert(object, merged);
        }
    }

    /// A pointer of unknown origin may lead to all that it may point to.
    fn unknown(
        &mut self,
        runs: &Runs,
        expr: ExprId,
        address: TermId,
        cond: TermId,
        found: &mut BTreeMap<Obj, (TermId, TermId)>,
        targets: &mut Targets,
    ) {
        for object in self.ids() {
            let exists = self.is_global(object) || runs.memory.contains_key(&object);
            if !exists || !(self.task.may_point_to)(expr, self.get(object).kind) {
                continue;
            }
            let Some(content) = self.content(runs, object) else { continue };
            let base = self.number(self.get(object).base);
            let offset = self.enc.terms.bv_sub(address, base);
            let inside = self.enc.terms.ult(offset, content.size);
            let here = self.enc.terms.and(cond, inside);
            self.note(found, object, here, offset);
        }
        let range = external_range(self.program.machine);
        let (low, len) = (self.number(range.start), self.number(range.end - range.start));
        let offset = self.enc.terms.bv_sub(address, low);
        let inside = self.enc.terms.ult(offset, len);
        let here = self.enc.terms.and(cond, inside);
        self.either(&mut targets.external, here);
    }

    /// Finds the constants that an address is built on; `false` if there are too many.
    fn split(&mut self, term: TermId, rest: TermId, cond: TermId, leaves: &mut Vec<Leaf>) -> bool {
        if self.enc.terms.is_false(cond) {
            return true;
        }
        if leaves.len() >= MAX_LEAVES {
            return false;
        }
        match self.enc.terms.node(term) {
            Node::Bv { value, .. } => {
                leaves.push(Leaf { cond, base: u64::try_from(value).ok(), rest });
                true
            }
            Node::Ite(c, a, b) => {
                let not_c = self.enc.terms.not(c);
                let (yes, no) = (self.enc.terms.and(cond, c), self.enc.terms.and(cond, not_c));
                self.split(a, rest, yes, leaves) && self.split(b, rest, no, leaves)
            }
            Node::Bin(BinOp::BvAdd, a, b) => {
                let (base, more) = match (self.is_pointer(a), self.is_pointer(b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    _ if self.enc.terms.as_bv_const(a).is_some() => (b, a),
                    _ if self.enc.terms.as_bv_const(b).is_some() => (a, b),
                    _ => {
                        let rest = self.enc.terms.bv_add(term, rest);
                        leaves.push(Leaf { cond, base: None, rest });
                        return true;
                    }
                };
                let rest = self.enc.terms.bv_add(rest, more);
                self.split(base, rest, cond, leaves)
            }
            Node::Bin(BinOp::BvSub, a, b) if self.is_pointer(a) => {
                let rest = self.enc.terms.bv_sub(rest, b);
                self.split(a, rest, cond, leaves)
            }
            _ => {
                let rest = self.enc.terms.bv_add(term, rest);
                leaves.push(Leaf { cond, base: None, rest });
                true
            }
        }
    }

    /// Whether a term is built on the address of an object.
    fn is_pointer(&mut self, term: TermId) -> bool {
        if let Node::Bv { value, .. } = self.enc.terms.node(term) {
            return u64::try_from(value).is_ok_and(|address| self.owner(address).is_some());
        }
        if let Some(known) = self.pointers.get(&term) {
            return *known;
        }
        let result = match self.enc.terms.node(term) {
            Node::Ite(_, a, b) | Node::Bin(BinOp::BvAdd, a, b) => self.is_pointer(a) || self.is_pointer(b),
            Node::Bin(BinOp::BvSub, a, _) => self.is_pointer(a),
            _ => false,
        };
        self.pointers.insert(term, result);
        result
    }
}
