//! Values of terms.

use crate::sort::{FloatSort, Sort};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector; the bits above `width` are zero.
    Bv {
        /// Its width.
        width: u32,
        /// Its bits.
        value: u128,
    },
    /// A float as the bits of its interchange format; every NaN is [`FloatSort::nan`].
    Float {
        /// Its format.
        sort: FloatSort,
        /// Its bits.
        bits: u128,
    },
    /// An array.
    Array(Arc<ArrayValue>),
    /// An integer. Arithmetic saturates: integers only serve guesses.
    Int(i128),
}

/// An array: a default and the elements that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayValue {
    /// Sort of the array.
    pub sort: Sort,
    /// The element where `elems` has none.
    pub default: Value,
    /// The other elements by index; none equals `default`, so that equal arrays are equal values.
    pub elems: BTreeMap<u128, Value>,
}

impl ArrayValue {
    /// The element at `index`.
    pub fn get(&self, index: u128) -> &Value {
        self.elems.get(&index).unwrap_or(&self.default)
    }

    /// Writes an element.
    pub fn set(&mut self, index: u128, value: Value) {
        if value == self.default {
            self.elems.remove(&index);
        } else {
            self.elems.insert(index, value);
        }
    }
}

impl Value {
    /// Zero, false, or the array of these.
    pub fn default_of(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bv { width, value: 0 },
            Sort::Float(sort) => Value::Float { sort, bits: 0 },
            Sort::Array { elem, .. } => {
                let default = Value::default_of(elem.into());
                Value::Array(Arc::new(ArrayValue { sort, default, elems: BTreeMap::new() }))
            }
            Sort::Int => Value::Int(0),
        }
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv { width, .. } => Sort::BitVec(*width),
            Value::Float { sort, .. } => Sort::Float(*sort),
            Value::Array(array) => array.sort,
            Value::Int(_) => Sort::Int,
        }
    }

    /// The truth value; `None` for another sort.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bits of a bit-vector or float; `None` for another sort.
    pub fn as_bits(&self) -> Option<u128> {
        match self {
            Value::Bv { value, .. } => Some(*value),
            Value::Float { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// A bit-vector read as a two's complement number; `None` for another sort.
    pub fn as_signed(&self) -> Option<i128> {
        match self {
            Value::Bv { width, value } => Some(to_signed(*width, *value)),
            _ => None,
        }
    }

    /// The array; `None` for another sort.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
}

/// The `width` low bits set.
#[inline]
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The `width` low bits as a two's complement number.
#[inline]
pub fn to_signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}
