//! Abstract values: numbers as bits, and pointers as (object, offset), packed into 32 bits.

use crate::value::cells::ObjId;
use rustc_hash::FxHashMap;

/// A known value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Known {
    /// The bits of a number, a null pointer, the address of a function, or a truth value; see [`cfa::Value`].
    Num(u128),
    /// An address relative to the begin of an object.
    Ptr(ObjId, i64),
}

impl From<bool> for Known {
    fn from(b: bool) -> Self {
        Known::Num(u128::from(b))
    }
}

/// A known value in 32 bits; equal exactly if the values are.
///
/// The two top bits say what the rest means: a number; the complement of a 32-bit number; index of another number; index of a
/// pointer. One number that is never used stands for "unknown" in tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Val(pub u32);

const PAYLOAD: u32 = (1 << 30) - 1;
const COMPLEMENT: u32 = 1 << 30;
const WIDE: u32 = 2 << 30;
const POINTER: u32 = 3 << 30;

impl Val {
    /// No value.
    pub const NONE: Val = Val(u32::MAX);

    /// Whether it is a pointer to an object.
    #[inline]
    pub fn is_pointer(self) -> bool {
        self.0 & POINTER == POINTER
    }
}

/// The values that do not fit into 30 bits.
#[derive(Clone, Debug, Default)]
pub struct Values {
    wide: Vec<u128>,
    wide_ids: FxHashMap<u128, u32>,
    pointers: Vec<(ObjId, i64)>,
    pointer_ids: FxHashMap<(ObjId, i64), u32>,
}

impl Values {
    /// Packs a value.
    #[inline]
    pub fn pack(&mut self, v: Known) -> Val {
        match v {
            Known::Num(n) if n <= u128::from(PAYLOAD) => Val(n as u32),
            Known::Num(n) if n <= u128::from(u32::MAX) && !(n as u32) <= PAYLOAD => Val(!(n as u32) | COMPLEMENT),
            Known::Num(n) => {
                let wide = &mut self.wide;
                let id = *self.wide_ids.entry(n).or_insert_with(|| {
                    wide.push(n);
                    wide.len() as u32 - 1
                });
                Val(id | WIDE)
            }
            Known::Ptr(obj, off) => {
                let pointers = &mut self.pointers;
                let id = *self.pointer_ids.entry((obj, off)).or_insert_with(|| {
                    pointers.push((obj, off));
                    pointers.len() as u32 - 1
                });
                Val(id | POINTER)
            }
        }
    }

    /// Unpacks a value.
    #[inline]
    pub fn get(&self, v: Val) -> Known {
        let payload = v.0 & PAYLOAD;
        match v.0 & POINTER {
            0 => Known::Num(u128::from(payload)),
            COMPLEMENT => Known::Num(u128::from(!payload)),
            WIDE => Known::Num(self.wide[payload as usize]),
            _ => {
                let (obj, off) = self.pointers[payload as usize];
                Known::Ptr(obj, off)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn packing_is_exact() {
        let mut values = Values::default();
        let numbers =
            [0, 1, (1 << 30) - 1, 1 << 30, (1 << 31), 0xbfff_ffff, 0xc000_0000, 0xffff_ffff, 1 << 32, u128::MAX];
        let mut all: Vec<Known> = numbers.into_iter().map(Known::Num).collect();
        all.extend([0, -1, 8].map(|off| Known::Ptr(ObjId::from_index(3), off)));
        let packed: Vec<Val> = all.iter().map(|v| values.pack(*v)).collect();
        for (i, (v, p)) in all.iter().zip(&packed).enumerate() {
            assert_eq!(values.get(*p), *v);
            assert_eq!(values.pack(*v), *p);
            assert_eq!(p.is_pointer(), matches!(v, Known::Ptr(..)));
            assert!(packed[..i].iter().all(|q| q != p) && *p != Val::NONE);
        }
    }
}
