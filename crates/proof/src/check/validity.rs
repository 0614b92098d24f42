//! Which accesses are valid ([`cfa::ExprKind::Valid`]).

use super::machine::{Machine, Name, Step};
use super::state::{Content, Obj, Runs};
use crate::graph::PlacedName;
use cfa::layout::{external_range, object_range};
use cfa::{Access, AllocKind, EdgeId, ExprId, Op, Scalar, Storage};
use encode::ObjectKind;
use smt::TermId;
use std::rc::Rc;

/// An object that may be freed: what it holds, and when.
type Freed = (Obj, Rc<Content>, TermId);

impl Machine<'_, '_> {
    /// Whether an access to `len` bytes at an address, the value of an expression, is valid.
    pub fn valid(
        &mut self,
        runs: &mut Runs,
        access: Access,
        (expr, address): (ExprId, TermId),
        len: TermId,
    ) -> Step<TermId> {
        if self.is_open() {
            return Ok(match self.valid_open(runs, access, address, len) {
                Some(valid) => self.enc.terms.bool_const(valid),
                None => self.fresh(Scalar::Bool),
            });
        }
        if access == Access::Free {
            return Ok(self.freeable(runs, expr, address, AllocKind::Heap).0);
        }
        let targets = self.targets(runs, expr, address);
        let mut valid: Vec<TermId> = targets.external.into_iter().collect();
        for (object, cond, offset) in targets.objects {
            let Some(content) = self.content(runs, object) else { continue };
            if access == Access::Write && self.is_read_only(object) {
                continue;
            }
            let terms = &mut self.enc.terms;
            let fits = terms.ule(len, content.size);
            let last = terms.bv_sub(content.size, len);
            let before = terms.ule(offset, last);
            let alive = terms.not(content.dead);
            valid.push(terms.and_all(&[cond, fits, before, alive]));
        }
        Ok(self.enc.terms.or_all(&valid))
    }

    /// The same where nothing is known of objects that nodes do not mention. A fact about a pointer says that its object is alive: facts about
    /// objects that have ended are rejected.
    fn valid_open(&self, runs: &Runs, access: Access, address: TermId, len: TermId) -> Option<bool> {
        let terms = &self.enc.terms;
        let [address, len] = [address, len].map(|term| terms.as_bv_const(term).and_then(|n| u64::try_from(n).ok()));
        let (address, machine) = (address?, self.program.machine);
        if external_range(machine).contains(&address) || address == 0 && access == Access::Free {
            return Some(true);
        }
        if !object_range(machine).contains(&address) {
            return Some(false);
        }
        let object = self.owner(address).filter(|object| !runs.ended.contains(object))?;
        let offset = address.checked_sub(self.get(object).base)?;
        if access == Access::Free {
            let is_heap = matches!(self.get(object).kind, ObjectKind::Heap(edge) if !self.is_of_frame(edge));
            return Some(offset == 0 && is_heap);
        }
        if access == Access::Write && self.is_read_only(object) {
            return Some(false);
        }
        let size = match self.get(object).kind {
            ObjectKind::Global(var) | ObjectKind::Local(var) => match self.program.vars[var].storage {
                Storage::Memory { size, .. } => size,
                Storage::Register(_) => return None,
            },
            ObjectKind::Heap(edge) | ObjectKind::Stack(edge) => match &self.program.edges[edge].op {
                _ if let Some((_, Some(size))) = self.get(object).name => size,
                Op::Alloc { size, .. } | Op::Realloc { size, .. } => {
                    u64::try_from(self.program.exprs.as_const(*size)?.0).ok()?
                }
                _ => return None,
            },
        };
        Some(offset.checked_add(len?).is_some_and(|end| end <= size))
    }

    /// Whether the edge makes objects that end with their frame.
    fn is_of_frame(&self, edge: EdgeId) -> bool {
        matches!(self.program.edges[edge].op, Op::Alloc { kind: AllocKind::Stack, .. })
    }

    /// What is freed at an address ends, in open graphs.
    pub fn free_open(&mut self, runs: &mut Runs, expr: ExprId, address: TermId) {
        let known = self.enc.terms.as_bv_const(address).and_then(|n| u64::try_from(n).ok());
        match known {
            Some(0) => {}
            Some(address) => runs.ended.extend(self.owner(address)),
            None => self.free_unknown(runs, expr),
        }
    }

    /// All that a pointer may lead to ends.
    pub fn free_unknown(&self, runs: &mut Runs, expr: ExprId) {
        let may_be = |object: &Obj| (self.task.may_point_to)(expr, self.get(*object).kind);
        runs.ended.extend(self.ids().filter(may_be));
    }

    /// The objects of the top frame end, in open graphs.
    pub fn end_frame_open(&self, runs: &mut Runs) {
        let calls = runs.calls();
        let Some(top) = runs.frames.last() else { return };
        let func = top.func;
        let mut ended: Vec<Obj> = top.instances.values().map(|(object, _)| *object).collect();
        ended.extend(self.ids().filter(|object| match (&self.get(*object).name, self.get(*object).kind) {
            (Some((Name::Placed(PlacedName::Local(at, _)), _)), _) => *at == calls,
            (_, ObjectKind::Heap(edge)) => {
                self.is_of_frame(edge) && self.program.locs[self.program.edges[edge].src].func == func
            }
            _ => false,
        }));
        runs.ended.extend(ended);
    }

    /// Whether an object of the kind can end at an address, as by `free`, and when that ends the life of which objects.
    pub fn freeable(&mut self, runs: &Runs, expr: ExprId, address: TermId, kind: AllocKind) -> (TermId, Vec<Freed>) {
        let zero = self.number(0);
        let null = self.enc.terms.eq(address, zero);
        let targets = self.targets(runs, expr, address);
        let mut valid = vec![null];
        valid.extend(targets.external);
        let mut freed = Vec::new();
        for (object, cond, offset) in targets.objects {
            let Some(content) = self.content(runs, object) else { continue };
            if !self.get(object).kind.ends_as(kind) {
                continue;
            }
            let alive = self.enc.terms.not(content.dead);
            let first = self.enc.terms.eq(offset, zero);
            let here = self.enc.terms.and_all(&[cond, alive, first]);
            valid.push(here);
            freed.push((object, content, here));
        }
        (self.enc.terms.or_all(&valid), freed)
    }

    fn is_read_only(&self, object: Obj) -> bool {
        matches!(self.get(object).kind, ObjectKind::Global(var) if self.program.vars[var].is_read_only())
    }
}
