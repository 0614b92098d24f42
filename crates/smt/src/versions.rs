//! Arrays during evaluation: all versions of one array share their elements, and an element is read without a copy.
//!
//! The version that was used last has its elements in a table; the others are differences to it. Using another one turns the
//! differences on the way around [baker91].

use crate::value::{ArrayValue, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A version of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Version(u32);

#[derive(Clone, Debug)]
enum Place {
    /// The version whose elements are in the table of this array.
    Current(u32),
    /// As `of`, but for one element.
    Differs { index: u128, value: Value, of: Version },
}

/// An array before the first write, and its current elements.
struct Table {
    original: Arc<ArrayValue>,
    /// Elements that were written, also those that other versions have.
    elems: FxHashMap<u128, Value>,
}

impl Table {
    fn get(&self, index: u128) -> &Value {
        self.elems.get(&index).unwrap_or_else(|| self.original.get(index))
    }
}

/// All versions of all arrays.
#[derive(Default)]
pub(crate) struct Versions {
    places: Vec<Place>,
    tables: Vec<Table>,
}

impl Versions {
    fn add(&mut self, place: Place) -> Version {
        self.places.push(place);
        Version(self.places.len() as u32 - 1)
    }

    /// An array of its own.
    pub(crate) fn original(&mut self, array: Arc<ArrayValue>) -> Version {
        self.tables.push(Table { original: array, elems: FxHashMap::default() });
        self.add(Place::Current(self.tables.len() as u32 - 1))
    }

    /// The version with one more write.
    pub(crate) fn store(&mut self, of: Version, index: u128, value: Value) -> Version {
        self.add(Place::Differs { index, value, of })
    }

    /// An element of a version.
    pub(crate) fn get(&mut self, version: Version, index: u128) -> &Value {
        let table = self.make_current(version);
        self.tables[table].get(index)
    }

    /// A version as a value.
    pub(crate) fn value(&mut self, version: Version) -> Value {
        let table = self.make_current(version);
        let Table { original, elems } = &self.tables[table];
        if elems.is_empty() {
            return Value::Array(original.clone());
        }
        let mut array = ArrayValue::clone(original);
        elems.iter().for_each(|(index, value)| array.set(*index, value.clone()));
        Value::Array(Arc::new(array))
    }

    /// Brings the elements of a version into its table; the table's number.
    fn make_current(&mut self, version: Version) -> usize {
        let mut path = Vec::new();
        let mut at = version;
        let table = loop {
            match &self.places[at.0 as usize] {
                Place::Current(table) => break *table,
                Place::Differs { of, .. } => {
                    path.push(at);
                    at = *of;
                }
            }
        };
        for next in path.into_iter().rev() {
            let now = std::mem::replace(&mut self.places[next.0 as usize], Place::Current(table));
            let Place::Differs { index, value, of } = now else { unreachable!("only differences are on the path") };
            let elems = &mut self.tables[table as usize];
            let before = elems.get(index).clone();
            elems.elems.insert(index, value);
            self.places[of.0 as usize] = Place::Differs { index, value: before, of: next };
        }
        table as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::{ElemSort, Sort};
    use std::collections::BTreeMap;

    fn byte(value: u128) -> Value {
        Value::Bv { width: 8, value }
    }

    #[test]
    fn each_version_keeps_its_elements() {
        let sort = Sort::Array { index: 8, elem: ElemSort::BitVec(8) };
        let mut versions = Versions::default();
        let zero = versions.original(Arc::new(ArrayValue { sort, default: byte(0), elems: BTreeMap::new() }));
        let one = versions.store(zero, 3, byte(1));
        let two = versions.store(one, 3, byte(2));
        let other = versions.store(one, 4, byte(9));
        for _ in 0..2 {
            for (version, at_3, at_4) in [(zero, 0, 0), (two, 2, 0), (other, 1, 9), (one, 1, 0)] {
                assert_eq!(versions.get(version, 3), &byte(at_3));
                assert_eq!(versions.get(version, 4), &byte(at_4));
            }
        }
        let value = versions.value(other);
        let array = value.as_array().expect("an array");
        assert_eq!(array.elems, BTreeMap::from([(3, byte(1)), (4, byte(9))]));
        let value = versions.value(zero);
        assert!(value.as_array().expect("an array").elems.is_empty());
    }
}
