//! Which accesses are valid, what can be reached, and what is wrong with an access, for the user.

use crate::memory::{Memory, Miss, ObjectInfo, ObjectKind, Slot};
use cfa::{Access, Program};
use rustc_hash::FxHashSet;

/// Where an object came to life and ended, in words such as `allocated at line 3`.
pub type Life<'a> = &'a dyn Fn(ObjectInfo) -> Option<String>;

/// Words that follow a size.
fn words(life: Option<String>) -> String {
    life.map_or_else(String::new, |life| format!(", {life}"))
}

impl Memory {
    /// The object that begins at `base` is not to be written.
    pub(crate) fn protect(&mut self, base: u64) {
        self.read_only.insert(base);
    }

    /// See [`cfa::ExprKind::Valid`].
    pub(crate) fn is_valid(&self, access: Access, address: u64, len: u64) -> bool {
        if access == Access::Free {
            let is_heap = |slot| matches!(self.info(slot).kind, ObjectKind::Heap(_));
            // Code outside of the program may have allocated what it gave away.
            let is_foreign = self.external_range.contains(&address);
            return address == 0 || is_foreign || self.beginning_at(address).is_some_and(is_heap);
        }
        match self.find(address, len) {
            Ok((slot, _)) => access == Access::Read || !self.read_only.contains(&self.info(slot).base),
            Err(miss) => miss == Miss::External,
        }
    }

    /// The first live heap object that can't be reached from these addresses, or from memory that is no heap object, through pointers in
    /// memory.
    pub(crate) fn lost(&self, roots: Vec<u64>) -> Option<ObjectInfo> {
        let is_heap = |slot: &Slot| matches!(self.info(*slot).kind, ObjectKind::Heap(_));
        let word = self.machine.pointer_bits() as usize / 8;
        let mut reached: FxHashSet<Slot> = FxHashSet::default();
        let mut waiting = roots;
        let follow = |data: &[u8], waiting: &mut Vec<u64>| {
            waiting.extend(
                data.windows(word).map(|bytes| self.byte_order.number(bytes) as u64).filter(|address| *address != 0),
            );
        };
        for slot in self.by_base.values().filter(|slot| !is_heap(slot)) {
            follow(self.data(*slot), &mut waiting);
        }
        // In whatever order: what is reached is a set.
        #[allow(clippy::iter_over_hash_type)]
        for page in self.external.values() {
            follow(&page.bytes, &mut waiting);
        }
        while let Some(address) = waiting.pop() {
            let Some((base, slot)) = self.by_base.range(..=address).next_back() else { continue };
            if is_heap(slot) && address - base <= self.info(*slot).size && reached.insert(*slot) {
                follow(self.data(*slot), &mut waiting);
            }
        }
        let lost = self.by_base.values().find(|slot| is_heap(slot) && !reached.contains(slot));
        lost.map(|slot| self.info(*slot))
    }

    /// The first live heap object.
    pub(crate) fn first_block(&self) -> Option<ObjectInfo> {
        self.by_base.values().map(|slot| self.info(*slot)).find(|info| matches!(info.kind, ObjectKind::Heap(_)))
    }

    /// Names a heap object that should not be there, for the user.
    pub(crate) fn explain_block(program: &Program, block: ObjectInfo, life: Life<'_>) -> String {
        let name = crate::describe::object_name(program, block.kind);
        format!("`{name}` ({} bytes{})", block.size, words(life(block)))
    }

    /// Says what is wrong with an address that is given to `free`, for the user; `life` adds where an object came to life and ended.
    pub(crate) fn explain_free(&self, program: &Program, address: u64, life: Life<'_>) -> String {
        let name = |info: ObjectInfo| crate::describe::object_name(program, info.kind);
        let is_heap = |info: ObjectInfo| matches!(info.kind, ObjectKind::Heap(_));
        match (self.object_at(address), self.dead_object_at(address)) {
            (Some(info), _) if is_heap(info) => {
                let words = words(life(info));
                format!("offset {} of `{}` ({} bytes{words}) is freed", address - info.base, name(info), info.size)
            }
            (Some(info), _) => format!("`{}`, which is no heap block, is freed", name(info)),
            (None, Some(info)) if is_heap(info) => {
                let before = life(info).unwrap_or_else(|| "freed before".to_owned());
                format!("`{}`, which was {before}, is freed", name(info))
            }
            (None, Some(info)) => format!("`{}`, which is no longer alive, is freed", name(info)),
            (None, None) => format!("address {address:#x}, where no object is, is freed"),
        }
    }

    /// Says what is wrong with an access, for the user.
    pub(crate) fn explain(
        &self,
        program: &Program,
        access: &str,
        (address, len): (u64, u64),
        life: Life<'_>,
    ) -> String {
        let bytes = if len == 1 { "byte" } else { "bytes" };
        let what = format!("{access} of {len} {bytes}");
        let name = |info: ObjectInfo| crate::describe::object_name(program, info.kind);
        if let Some(info) = self.object_at(address) {
            let (offset, words) = (address - info.base, words(life(info)));
            let is_inside = len <= info.size - offset;
            let constant = if is_inside && self.read_only.contains(&info.base) { ", which is constant" } else { "" };
            return format!("{what} at offset {offset} of `{}`{constant} ({} bytes{words})", name(info), info.size);
        }
        if let Some(info) = self.dead_object_at(address) {
            let (offset, words) = (address - info.base, life(info));
            let state = match (info.kind, words) {
                (ObjectKind::Heap(_), Some(words)) => format!("was {words}"),
                (ObjectKind::Heap(_), None) => "is freed".to_owned(),
                _ => "is no longer alive".to_owned(),
            };
            return format!("{what} at offset {offset} of `{}`, which {state}", name(info));
        }
        if address < 4096 {
            return format!("{what} through a null pointer");
        }
        if let Some((_, slot)) = self.by_base.range(..address).next_back() {
            let info = self.info(*slot);
            let offset = address - info.base;
            if offset < info.size.saturating_mul(16).max(4096) {
                let words = words(life(info));
                return format!("{what} at offset {offset} of `{}` ({} bytes{words})", name(info), info.size);
            }
        }
        if let Some((base, slot)) = self.by_base.range(address..).next()
            && base - address < 4096
        {
            let info = self.info(*slot);
            return format!("{what} {} bytes before `{}`", base - address, name(info));
        }
        format!("{what} at address {address:#x}, where no object is")
    }
}
