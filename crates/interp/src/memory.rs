//! Memory objects with bounds and lifetimes in one flat address space.
//!
//! Every access looks up the live object at its address: through a small cache indexed by address bits, otherwise in an
//! ordered map. Dead objects leave the map; the last ones of them are remembered for messages only.

use base::ByteOrder;
use cfa::layout::{self, AddressSpace};
use cfa::{MachineModel, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// Global memory variable.
    Global(VarId),
    /// Instance of a local memory variable.
    Local(VarId),
    /// The n-th heap object of the run, from 1.
    Heap(u32),
    /// The n-th object of `alloca` of the run, from 1.
    Stack(u32),
    /// Variable-length array, whose address this register holds.
    Array(VarId),
    /// What a pointer argument of the entry function leads to, which this register of the start function holds.
    Argument(VarId),
}

impl ObjectKind {
    /// The variable that the object belongs to.
    pub fn var(self) -> Option<VarId> {
        match self {
            ObjectKind::Global(var) | ObjectKind::Local(var) => Some(var),
            ObjectKind::Heap(_) | ObjectKind::Stack(_) | ObjectKind::Array(_) | ObjectKind::Argument(_) => None,
        }
    }
}

/// Place and kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// What it is.
    pub kind: ObjectKind,
}

/// Index of an object; used again after the object's end.
pub(crate) type Slot = u32;

struct Object {
    info: ObjectInfo,
    data: Vec<u8>,
}

/// Why an object can't be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AllocError {
    /// No address space can hold it.
    TooLarge,
    /// The memory limit or the end of the address space is reached.
    Exhausted,
}

/// An access that goes nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Miss {
    /// Entirely in external memory: go on with [`Memory::read_external`] and [`Memory::write_external`].
    External,
    /// Not inside of a live object.
    Invalid,
    /// No access, but a question that memory alone does not answer.
    Asked,
}

const CACHE: usize = 256;
/// Number of dead objects that are remembered.
const MEMORIAL: usize = 4096;
/// Number of own allocations that are remembered to check addresses that a replay dictates.
const MAX_HISTORY: usize = 1 << 20;

/// One page of external memory.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) bytes: [u8; PAGE as usize],
    known: [bool; PAGE as usize],
}

const PAGE: u64 = 256;

/// All memory of a run.
pub struct Memory {
    objects: Vec<Object>,
    free_slots: Vec<Slot>,
    /// Live objects by base address.
    pub(crate) by_base: BTreeMap<u64, Slot>,
    /// The object last seen for these address bits; only a hint.
    cache: [Slot; CACHE],
    /// log2 of the range of addresses that share a place in the cache: no two objects meet in one while gaps are wide.
    cache_shift: u32,
    space: AddressSpace,
    pub(crate) machine: MachineModel,
    pub(crate) byte_order: ByteOrder,
    /// Where objects were placed that the layout didn't place: base and end.
    dictated: BTreeMap<u64, u64>,
    /// Base and end of the objects that the layout placed.
    history: Vec<(u64, u64)>,
    pub(crate) external: FxHashMap<u64, Box<Page>>,
    pub(crate) external_range: Range<u64>,
    dead: VecDeque<ObjectInfo>,
    /// Where objects begin that are not to be written.
    pub(crate) read_only: FxHashSet<u64>,
    /// Bytes of all live objects.
    used: u64,
    limit: u64,
}

/// An object that no address belongs to.
const NOWHERE: ObjectInfo = ObjectInfo { base: u64::MAX, size: 0, kind: ObjectKind::Stack(0) };

impl Memory {
    /// Memory without objects. `space` already knows of the globals, which are added by [`Memory::place`].
    pub(crate) fn new((machine, byte_order): (MachineModel, ByteOrder), space: AddressSpace, limit: u64) -> Self {
        Self {
            byte_order,
            objects: vec![Object { info: NOWHERE, data: Vec::new() }],
            free_slots: Vec::new(),
            by_base: BTreeMap::new(),
            cache: [0; CACHE],
            cache_shift: if machine.pointer_bits() == 32 { 12 } else { 16 },
            space,
            machine,
            dictated: BTreeMap::new(),
            history: Vec::new(),
            external: FxHashMap::default(),
            external_range: layout::external_range(machine),
            dead: VecDeque::new(),
            read_only: FxHashSet::default(),
            used: 0,
            limit,
        }
    }

    /// Makes an object at a known address.
    pub(crate) fn place(&mut self, base: u64, size: u64, kind: ObjectKind) -> Result<Slot, AllocError> {
        self.used = self.used.saturating_add(size.max(16));
        if self.used > self.limit {
            return Err(AllocError::Exhausted);
        }
        let len = usize::try_from(size).map_err(|_| AllocError::TooLarge)?;
        let object = Object { info: ObjectInfo { base, size, kind }, data: vec![0; len] };
        let slot = match self.free_slots.pop() {
            Some(slot) => {
                self.objects[slot as usize] = object;
                slot
            }
            None => {
                self.objects.push(object);
                (self.objects.len() - 1) as Slot
            }
        };
        self.by_base.insert(base, slot);
        Ok(slot)
    }

    /// Makes a zeroed object, at the dictated address if that was never used.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        dictated: Option<u64>,
    ) -> Result<Slot, AllocError> {
        let range = layout::object_range(self.machine);
        if size > range.end - range.start {
            return Err(AllocError::TooLarge);
        }
        if let Some(base) = dictated
            && base >= range.start
            && base.checked_add(size).is_some_and(|end| end < range.end)
            && self.space.is_free(base, base + size)
            && self.never_used(base, base + size)
        {
            self.dictated.insert(base, base + size);
            return self.place(base, size, kind);
        }
        let base = loop {
            let base = self.space.allocate(size, align).ok_or(AllocError::Exhausted)?;
            if !overlaps_map(&self.dictated, base, base + size) {
                break base;
            }
        };
        if self.history.len() <= MAX_HISTORY {
            self.history.push((base, base + size));
        }
        self.place(base, size, kind)
    }

    /// Whether no object was ever in the range, nor touched it.
    fn never_used(&self, base: u64, end: u64) -> bool {
        let i = self.history.partition_point(|(_, e)| *e < base);
        self.history.len() <= MAX_HISTORY
            && self.history.get(i).is_none_or(|(b, _)| *b > end)
            && !overlaps_map(&self.dictated, base, end)
            && self
                .by_base
                .range(..=end)
                .next_back()
                .is_none_or(|(b, slot)| b + self.objects[*slot as usize].info.size < base)
    }

    /// Ends the life of an object.
    pub(crate) fn kill(&mut self, slot: Slot) {
        let info = std::mem::replace(&mut self.objects[slot as usize].info, NOWHERE);
        self.objects[slot as usize].data = Vec::new();
        self.by_base.remove(&info.base);
        self.free_slots.push(slot);
        self.used = self.used.saturating_sub(info.size.max(16));
        if self.dead.len() == MEMORIAL {
            self.dead.pop_front();
        }
        self.dead.push_back(info);
    }

    /// Bytes of all live objects.
    pub fn used(&self) -> u64 {
        self.used
    }

    pub(crate) fn info(&self, slot: Slot) -> ObjectInfo {
        self.objects[slot as usize].info
    }

    pub(crate) fn data_mut(&mut self, slot: Slot) -> &mut [u8] {
        &mut self.objects[slot as usize].data
    }

    pub(crate) fn data(&self, slot: Slot) -> &[u8] {
        &self.objects[slot as usize].data
    }

    /// The live object that begins at `base`.
    pub(crate) fn beginning_at(&self, base: u64) -> Option<Slot> {
        self.by_base.get(&base).copied()
    }

    /// The live object that the address is in or just behind.
    pub fn object_at(&self, address: u64) -> Option<ObjectInfo> {
        let (_, slot) = self.by_base.range(..=address).next_back()?;
        let info = self.info(*slot);
        (address - info.base <= info.size).then_some(info)
    }

    /// A dead object that the address is in or just behind, unless it was forgotten.
    pub fn dead_object_at(&self, address: u64) -> Option<ObjectInfo> {
        self.dead.iter().rev().find(|o| address >= o.base && address - o.base <= o.size).copied()
    }

    /// Whether the address belongs to a heap object that was freed, and to no live one.
    pub fn is_freed(&self, address: u64) -> bool {
        let is_heap = |info: ObjectInfo| matches!(info.kind, ObjectKind::Heap(_));
        self.object_at(address).is_none() && self.dead_object_at(address).is_some_and(is_heap)
    }

    /// The object that holds `len` bytes from `address` on, and the offset in it.
    #[inline(always)]
    fn locate(&mut self, address: u64, len: u64) -> Result<(Slot, usize), Miss> {
        let hint = self.cache[(address >> self.cache_shift) as usize % CACHE];
        let info = &self.objects[hint as usize].info;
        let offset = address.wrapping_sub(info.base);
        if offset < info.size && len <= info.size - offset {
            return Ok((hint, offset as usize));
        }
        self.locate_slow(address, len)
    }

    #[cold]
    #[inline(never)]
    fn locate_slow(&mut self, address: u64, len: u64) -> Result<(Slot, usize), Miss> {
        let found = self.find(address, len)?;
        self.cache[(address >> self.cache_shift) as usize % CACHE] = found.0;
        Ok(found)
    }

    /// As [`Memory::locate`], without the cache.
    pub(crate) fn find(&self, address: u64, len: u64) -> Result<(Slot, usize), Miss> {
        if let Some((_, slot)) = self.by_base.range(..=address).next_back() {
            let info = &self.objects[*slot as usize].info;
            let offset = address - info.base;
            if offset <= info.size && len <= info.size - offset {
                return Ok((*slot, offset as usize));
            }
        }
        let external = address >= self.external_range.start && address < self.external_range.end;
        if external && len <= self.external_range.end - address { Err(Miss::External) } else { Err(Miss::Invalid) }
    }

    /// Reads a number of up to 16 bytes.
    #[inline(always)]
    pub(crate) fn load(&mut self, address: u64, len: u32) -> Result<u128, Miss> {
        let (slot, offset) = self.locate(address, u64::from(len))?;
        let data = &self.objects[slot as usize].data;
        macro_rules! read {
            ($T:ty, $n:expr) => {
                match data.get(offset..offset + $n).and_then(|b| <[u8; $n]>::try_from(b).ok()) {
                    Some(bytes) => u128::from(<$T>::from_le_bytes(bytes)),
                    None => return Err(Miss::Invalid),
                }
            };
        }
        let number = match len {
            1 => read!(u8, 1),
            2 => read!(u16, 2),
            4 => read!(u32, 4),
            8 => read!(u64, 8),
            _ => ByteOrder::Little.number(&data[offset..offset + len as usize]),
        };
        Ok(if self.byte_order == ByteOrder::Big { reversed(number, len) } else { number })
    }

    /// Writes a number of up to 16 bytes.
    #[inline(always)]
    pub(crate) fn store(&mut self, address: u64, len: u32, value: u128) -> Result<(), Miss> {
        let (slot, offset) = self.locate(address, u64::from(len))?;
        let data = &mut self.objects[slot as usize].data;
        let value = if self.byte_order == ByteOrder::Big { reversed(value, len) } else { value };
        let bytes = value.to_le_bytes();
        match len {
            1 => data[offset] = bytes[0],
            2 => data[offset..offset + 2].copy_from_slice(&bytes[..2]),
            4 => data[offset..offset + 4].copy_from_slice(&bytes[..4]),
            8 => data[offset..offset + 8].copy_from_slice(&bytes[..8]),
            _ => data[offset..offset + len as usize].copy_from_slice(&bytes[..len as usize]),
        }
        Ok(())
    }

    /// The bytes of a range inside of one live object.
    pub(crate) fn range(&mut self, address: u64, len: u64) -> Result<&mut [u8], Miss> {
        let (slot, offset) = self.locate(address, len)?;
        Ok(&mut self.objects[slot as usize].data[offset..offset + len as usize])
    }

    /// Copies between live objects; the ranges may overlap.
    pub(crate) fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), (u64, Miss)> {
        let (from, from_offset) = self.locate(src, len).map_err(|m| (src, m))?;
        let (to, to_offset) = self.locate(dst, len).map_err(|m| (dst, m))?;
        let len = len as usize;
        if from == to {
            self.objects[to as usize].data.copy_within(from_offset..from_offset + len, to_offset);
        } else {
            let [from, to] = match self.objects.get_disjoint_mut([from as usize, to as usize]) {
                Ok(objects) => objects,
                Err(_) => return Ok(()),
            };
            to.data[to_offset..to_offset + len].copy_from_slice(&from.data[from_offset..from_offset + len]);
        }
        Ok(())
    }

    /// Reads external memory; `fresh` gives runs of bytes that were never written or read before.
    pub(crate) fn read_external(&mut self, address: u64, bytes: &mut [u8], mut fresh: impl FnMut(u64, &mut [u8])) {
        let mut i = 0;
        while i < bytes.len() {
            let at = address + i as u64;
            let page = self.external.entry(at / PAGE).or_insert_with(new_page);
            let start = (at % PAGE) as usize;
            let end = (start + bytes.len() - i).min(PAGE as usize);
            let same = page.known[start..end].iter().take_while(|k| **k == page.known[start]).count();
            let run = start..start + same;
            if !page.known[start] {
                fresh(at, &mut page.bytes[run.clone()]);
                page.known[run.clone()].fill(true);
            }
            bytes[i..i + same].copy_from_slice(&page.bytes[run]);
            i += same;
        }
    }

    /// Writes external memory.
    pub(crate) fn write_external(&mut self, address: u64, bytes: &[u8]) {
        for (at, byte) in (address..).zip(bytes) {
            let page = self.external.entry(at / PAGE).or_insert_with(new_page);
            page.bytes[(at % PAGE) as usize] = *byte;
            page.known[(at % PAGE) as usize] = true;
        }
    }

    /// The bytes of a range that is inside of one live object, or that was written or read in external memory.
    pub fn peek(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        if let Some(info) = self.object_at(address) {
            let offset = usize::try_from(address - info.base).ok()?;
            let slot = self.beginning_at(info.base)?;
            return self.data(slot).get(offset..offset.checked_add(len)?).map(<[u8]>::to_vec);
        }
        (address..)
            .take(len)
            .map(|at| {
                let page = self.external.get(&(at / PAGE))?;
                page.known[(at % PAGE) as usize].then(|| page.bytes[(at % PAGE) as usize])
            })
            .collect()
    }
}

fn new_page() -> Box<Page> {
    Box::new(Page { bytes: [0; PAGE as usize], known: [false; PAGE as usize] })
}

fn overlaps_map(ranges: &BTreeMap<u64, u64>, base: u64, end: u64) -> bool {
    ranges.range(..=end).next_back().is_some_and(|(_, e)| *e >= base)
}

/// The lowest bytes of a number, at most 16, in the other order.
fn reversed(number: u128, len: u32) -> u128 {
    number.swap_bytes() >> (128 - 8 * len.clamp(1, 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        Memory::new((MachineModel::Ilp32, ByteOrder::Little), AddressSpace::new(MachineModel::Ilp32), 1 << 20)
    }

    #[test]
    fn bounds_and_lifetimes() {
        let mut m = memory();
        let a = m.allocate(10, 1, ObjectKind::Heap(1), None).unwrap();
        let base = m.info(a).base;
        assert_eq!(m.store(base + 6, 4, 0x0403_0201), Ok(()));
        assert_eq!(m.load(base + 7, 2), Ok(0x0302));
        assert_eq!(m.load(base + 7, 4), Err(Miss::Invalid));
        assert_eq!(m.load(base - 1, 1), Err(Miss::Invalid));
        assert_eq!(m.load(base + 10, 1), Err(Miss::Invalid));
        assert_eq!(m.load(0, 1), Err(Miss::Invalid));
        assert_eq!(m.copy(base, base + 6, 4), Ok(()));
        assert_eq!(m.load(base, 8), Ok(0x0201_0000_0403_0201));
        m.kill(a);
        assert_eq!(m.load(base, 1), Err(Miss::Invalid));
        assert_eq!(m.dead_object_at(base + 3).map(|o| o.kind), Some(ObjectKind::Heap(1)));
        let b = m.allocate(10, 1, ObjectKind::Heap(2), Some(base)).unwrap();
        assert_ne!(m.info(b).base, base, "addresses are not used twice");
        assert_eq!(m.load(base, 1), Err(Miss::Invalid));
    }

    #[test]
    fn dictated_addresses() {
        let mut m = memory();
        let a = m.allocate(100, 1, ObjectKind::Heap(1), Some(0x2000_0001)).unwrap();
        assert_eq!(m.info(a).base, 0x2000_0001);
        let b = m.allocate(100, 1, ObjectKind::Heap(2), Some(0x2000_0040)).unwrap();
        assert_eq!(m.info(b).base, 0x1000_0000, "not free");
        let c = m.allocate(8, 1, ObjectKind::Heap(3), Some(0x1000_0064)).unwrap();
        assert_eq!(m.info(c).base, 0x1000_1070, "touches the one before");
        let d = m.allocate(0x0fff_0000, 1, ObjectKind::Heap(4), None);
        assert_eq!(d, Err(AllocError::Exhausted), "memory limit");
        assert_eq!(m.allocate(u64::MAX, 1, ObjectKind::Heap(5), None), Err(AllocError::TooLarge));
    }

    #[test]
    fn external_memory_keeps_what_it_gave() {
        let mut m = memory();
        let at = 0xC000_00FE;
        assert_eq!(m.load(at, 4), Err(Miss::External));
        assert_eq!(m.load(0xDFFF_FFFE, 4), Err(Miss::Invalid));
        m.write_external(at + 1, &[7]);
        let mut bytes = [0; 4];
        let mut asked = Vec::new();
        m.read_external(at, &mut bytes, |at, b| {
            asked.push((at, b.len()));
            b.fill(9);
        });
        assert_eq!((bytes, asked), ([9, 7, 9, 9], vec![(at, 1), (at + 2, 2)]));
        m.read_external(at, &mut bytes, |_, _| panic!("all is known"));
        assert_eq!(m.peek(at, 4), Some(vec![9, 7, 9, 9]));
        assert_eq!(m.peek(at, 5), None);
    }

    #[test]
    fn numbers_lie_in_the_order_of_the_machine() {
        for byte_order in [ByteOrder::Little, ByteOrder::Big] {
            let machine = MachineModel::Lp64;
            let mut memory = Memory::new((machine, byte_order), AddressSpace::new(machine), 1 << 20);
            let slot = memory.allocate(32, 1, ObjectKind::Heap(1), None).expect("room");
            let base = memory.info(slot).base;
            for len in 1..=16 {
                let number = 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10 & (u128::MAX >> (128 - 8 * len));
                memory.store(base + 3, len, number).expect("inside");
                assert_eq!(memory.load(base + 3, len).ok(), Some(number), "{byte_order:?} {len}");
                let bytes = memory.range(base + 3, u64::from(len)).expect("inside").to_vec();
                assert_eq!(bytes, byte_order.bytes(number, len as usize), "{byte_order:?} {len}");
            }
        }
    }
}
