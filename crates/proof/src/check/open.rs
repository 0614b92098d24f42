//! Memory of runs in open graphs: places at constant addresses, and nothing is known of others.
//!
//! A write to an address that is not constant forgets each object that the pointer may designate. Whether accesses are inside of their objects
//! is not asked here: transformations of the program make writes that may not be go to undefined behaviour.

use super::machine::{Machine, Name, Step};
use super::ranges::MAX_RANGE;
use super::state::{Content, Obj, Runs};
use cfa::layout::{external_range, object_range};
use cfa::{AllocKind, EdgeId, ExprId, Storage, VarId};
use encode::ObjectKind;
use smt::{Sort, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;
use step::End;

impl Machine<'_, '_> {
    /// The object and offset of an address, if they are known; no run goes on where the access traps for sure.
    fn known_place(&self, address: TermId, bytes: u64) -> Step<Option<(Obj, u64)>> {
        let Some(address) = self.enc.terms.as_bv_const(address) else { return Ok(None) };
        let machine = self.program.machine;
        let is_memory = |n: &u64| object_range(machine).contains(n) || external_range(machine).contains(n);
        let address = u64::try_from(address).ok().filter(is_memory).ok_or(End::Blocked)?;
        let Some(object) = self.owner(address) else { return Ok(None) };
        let offset = address.checked_sub(self.get(object).base);
        let fits = |offset: &u64| offset + bytes <= self.get(object).room;
        Ok(offset.filter(fits).map(|offset| (object, offset)))
    }

    /// What an object holds, which is anything if nothing is known of it.
    pub fn content_open(&mut self, runs: &mut Runs, object: Obj) -> Rc<Content> {
        if let Some(known) = self.content(runs, object) {
            return known;
        }
        let sort = self.array_sort(object);
        let (base, dead) = (self.enc.terms.fresh_var("any", sort), self.enc.terms.fals());
        let size = self.number(self.get(object).room);
        let content = Rc::new(Content { cells: BTreeMap::new(), base, dead, size });
        runs.memory.insert(object, content.clone());
        content
    }

    /// A new instance of a memory variable of the top frame; pointers to the one before do not lead to it.
    pub fn redeclare(&mut self, runs: &mut Runs, var: VarId) -> Step<()> {
        let Storage::Memory { size, .. } = self.program.vars[var].storage else { return Ok(()) };
        let calls = runs.calls();
        runs.ended.extend(self.instance(runs, var));
        let Some(top) = runs.frames.last_mut() else { return Ok(()) };
        let count = top.instances.get(&var).map_or(0, |(_, count)| count + 1);
        let name = Name::Instance(calls, var, count);
        let object = self.named(name, Some(size), size, ObjectKind::Local(var)).ok_or(End::Unmodelled(None))?;
        top.instances.insert(var, (object, count));
        runs.memory.remove(&object);
        Ok(())
    }

    pub(super) fn load_open(&mut self, runs: &mut Runs, address: TermId, bytes: u64) -> Step<TermId> {
        Ok(match self.known_place(address, bytes)? {
            Some((object, at)) => self.bits_at(runs, object, at, bytes),
            None => self.enc.terms.fresh_var("any", Sort::BitVec(8 * bytes as u32)),
        })
    }

    pub(super) fn store_open(
        &mut self,
        runs: &mut Runs,
        expr: ExprId,
        address: TermId,
        bytes: u64,
        bits: TermId,
    ) -> Step<()> {
        match self.known_place(address, bytes)? {
            Some((object, at)) => self.put(runs, object, at, bytes, bits),
            None => self.forget(runs, expr),
        }
        Ok(())
    }

    /// Bits at a known place.
    pub fn bits_at(&mut self, runs: &mut Runs, object: Obj, at: u64, bytes: u64) -> TermId {
        let content = self.content_open(runs, object);
        self.read_at(object, &content, at, bytes)
    }

    /// Writes bits to a known place.
    pub fn put(&mut self, runs: &mut Runs, object: Obj, at: u64, bytes: u64, bits: TermId) {
        let mut content = Content::clone(&self.content_open(runs, object));
        self.write_at(&mut content, at, bytes, bits);
        runs.memory.insert(object, Rc::new(content));
    }

    /// A write of unknown bits somewhere that an address may designate.
    pub fn forget(&mut self, runs: &mut Runs, expr: ExprId) {
        for object in self.ids() {
            let exists = self.is_global(object) || runs.memory.contains_key(&object);
            if exists && (self.task.may_point_to)(expr, self.get(object).kind) {
                self.forget_object(runs, object);
            }
        }
    }

    fn forget_object(&mut self, runs: &mut Runs, object: Obj) {
        let content = self.content_open(runs, object);
        let sort = self.array_sort(object);
        let base = self.enc.terms.fresh_var("any", sort);
        let cells = BTreeMap::new();
        runs.memory.insert(object, Rc::new(Content { cells, base, ..Content::clone(&content) }));
    }

    pub(super) fn havoc_object_open(&mut self, runs: &mut Runs, expr: ExprId, address: TermId) -> Step<()> {
        match self.known_place(address, 1)? {
            Some((object, _)) => self.forget_object(runs, object),
            None => self.forget(runs, expr),
        }
        Ok(())
    }

    /// How much of a range is written piece by piece; what else is written is forgotten.
    pub(super) fn range_open(&mut self, runs: &mut Runs, expr: ExprId, address: TermId, len: u64) -> Step<u64> {
        if len == 0 {
            return Ok(0);
        }
        match self.known_place(address, len)? {
            Some(_) if len <= MAX_RANGE => return Ok(len),
            Some((object, _)) => self.forget_object(runs, object),
            None => self.forget(runs, expr),
        }
        Ok(0)
    }

    pub(super) fn reallocate_open(&mut self, runs: &mut Runs, edge: EdgeId, old: TermId, size: TermId) -> Step<TermId> {
        let known = self.known_place(old, 0).ok().flatten();
        let base = self.allocate(runs, edge, size, AllocKind::Heap)?;
        // Beyond the end of an object there may be anything.
        if let (Some((object, 0)), Some(_)) = (known, self.enc.terms.as_bv_const(size)) {
            self.content_open(runs, object);
            let tru = self.enc.terms.tru();
            self.move_content(runs, object, base, tru);
        }
        Ok(base)
    }
}
