//! Where functions, memory objects and external memory lie in the flat address space of a run.
//!
//! The interpreter and the symbolic encoding place objects by the same rules, so that addresses of one mean something to the
//! other. Objects never overlap, addresses are never used twice, and gaps between objects keep an out-of-bounds pointer from
//! meeting another object; a pointer one past the end lies in a gap.
//!
//! | range | 32-bit pointers | 64-bit pointers |
//! |---|---|---|
//! | functions, 16 bytes apart | from 0x40_0000 | from 0x40_0000 |
//! | objects | 0x1000_0000..0xC000_0000 | 0x100_0000_0000..0x7000_0000_0000 |
//! | external memory | 0xC000_0000..0xE000_0000 | 0x7000_0000_0000..0x7100_0000_0000 |

use crate::program::{FuncId, MachineModel, Program, Storage, VarId};
use base::{Id, IdVec};
use std::ops::{Range, RangeInclusive};

/// Address of the first function.
const FUNCTIONS: u64 = 0x40_0000;
/// Distance between functions, least alignment of objects and least gap after an object.
const GRAIN: u64 = 16;
/// Alignment of what is allocated without a word about it.
pub const ALLOCATED: u32 = GRAIN as u32;

/// Addresses where objects may lie.
pub const fn object_range(machine: MachineModel) -> Range<u64> {
    match machine {
        MachineModel::Ilp32 | MachineModel::Lp32 => 0x1000_0000..0xC000_0000,
        MachineModel::Lp64 | MachineModel::Llp64 => 0x100_0000_0000..0x7000_0000_0000,
    }
}

/// Greatest size of a heap block: on 32 bits that of any object, on 64 bits (4 TiB) more than machines have.
pub const fn largest_block(machine: MachineModel) -> u64 {
    match machine {
        MachineModel::Ilp32 | MachineModel::Lp32 => (1 << 31) - 1,
        MachineModel::Lp64 | MachineModel::Llp64 => 1 << 42,
    }
}

/// Memory that is not the program's: pointers that functions without a body return lead here.
pub const fn external_range(machine: MachineModel) -> Range<u64> {
    match machine {
        MachineModel::Ilp32 | MachineModel::Lp32 => 0xC000_0000..0xE000_0000,
        MachineModel::Lp64 | MachineModel::Llp64 => 0x7000_0000_0000..0x7100_0000_0000,
    }
}

/// Address of a function, the same in all data models.
pub fn function_address(func: FuncId) -> u64 {
    FUNCTIONS + GRAIN * func.index() as u64
}

/// The function at this address.
pub fn function_at(program: &Program, address: u64) -> Option<FuncId> {
    let offset = address.checked_sub(FUNCTIONS)?;
    let index = usize::try_from(offset / GRAIN).ok()?;
    (offset.is_multiple_of(GRAIN) && index < program.functions.len()).then(|| FuncId::from_index(index))
}

/// Gives out addresses in ascending order.
#[derive(Clone, Debug)]
pub struct AddressSpace {
    start: u64,
    next: u64,
    end: u64,
    /// Gap after each object.
    gap: u64,
    /// Beyond this address, gaps are as small as they can be.
    tight: u64,
    /// Addresses where no object may lie.
    reserved: Vec<RangeInclusive<u64>>,
}

impl AddressSpace {
    /// An empty address space.
    pub const fn new(machine: MachineModel) -> Self {
        let Range { start, end } = object_range(machine);
        let gap = match machine {
            MachineModel::Ilp32 | MachineModel::Lp32 => 4 << 10,
            MachineModel::Lp64 | MachineModel::Llp64 => 64 << 10,
        };
        Self { start, next: start, end, gap, tight: start + (end - start) / 2, reserved: Vec::new() }
    }

    /// Bytes for objects in all.
    pub const fn size(&self) -> u64 {
        self.end - self.start
    }

    /// Bytes that are not given out.
    pub const fn free(&self) -> u64 {
        self.end - self.next
    }

    /// Whether objects may lie in a range.
    pub fn is_free(&self, base: u64, end: u64) -> bool {
        self.reserved.iter().all(|range| *range.start() >= end || *range.end() < base)
    }

    /// Address of a new object, a multiple of 16 and of `align` (a power of two); `None` when there is no room left.
    pub fn allocate(&mut self, size: u64, align: u64) -> Option<u64> {
        let align = align.max(GRAIN);
        let aligned = |address: u64| Some(address.checked_add(align - 1)? & !(align - 1));
        let mut base = aligned(self.next)?;
        let mut next;
        loop {
            let gap = if base < self.tight { self.gap } else { GRAIN };
            next = base.checked_add(size)?.checked_add(gap)?;
            match self.reserved.iter().find(|range| *range.start() < next && base <= *range.end()) {
                Some(range) => base = aligned(range.end().checked_add(1)?)?,
                None => break,
            }
        }
        if next > self.end {
            return None;
        }
        self.next = next;
        Some(base)
    }

    /// Places the global memory variables in the order of their ids; `None` when they don't fit.
    pub fn with_globals(program: &Program) -> Option<(Self, IdVec<VarId, u64>)> {
        let mut space = Self::new(program.machine);
        space.reserved.clone_from(&program.hardware);
        let mut bases = IdVec::from_elem(0, program.vars.len());
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, Storage::Memory { size, align }) = (var.is_global(), var.storage) {
                bases[id] = space.allocate(size, u64::from(align))?;
            }
        }
        Some((space, bases))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(machine: MachineModel, sizes: &[(u64, u64)], expected: &[Option<u64>]) {
        let mut space = AddressSpace::new(machine);
        let got: Vec<_> = sizes.iter().map(|(size, align)| space.allocate(*size, *align)).collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn objects_keep_off_hardware() {
        let mut space = AddressSpace::new(MachineModel::Ilp32);
        space.reserved = vec![0x1000_2000..=0x1fff_ffff, 0x2000_0000..=0x2000_00ff];
        let got: Vec<_> = [4, 4].map(|size| space.allocate(size, 4)).into();
        assert_eq!(got, [Some(0x1000_0000), Some(0x2000_0100)]);
    }

    #[test]
    fn objects_are_apart() {
        check(
            MachineModel::Ilp32,
            &[(1, 1), (0, 4), (16, 64), (0x8000_0000, 1), (4, 4), (4, 4), (0xffff_ffff, 1), (u64::MAX, 1)],
            &[
                Some(0x1000_0000),
                Some(0x1000_1010),
                Some(0x1000_2040),
                Some(0x1000_3050),
                Some(0x9000_4050),
                Some(0x9000_4070),
                None,
                None,
            ],
        );
        check(MachineModel::Lp64, &[(10, 1), (1 << 46, 4096)], &[Some(1 << 40), Some((1 << 40) + 0x11000)]);
    }
}
