//! What nodes claim of runs: values of places, as terms, and which objects the names of a node stand for.

use super::machine::Name;
use super::state::{Obj, Runs};
use super::{Checker, Failure, rejected};
use crate::graph::{Fact, FactPlace, FactValue, ObjectRef, PlacedName};
use cfa::{EdgeId, Scalar, VarId};
use smt::TermId;
use std::collections::BTreeMap;

/// Objects that names of made objects stand for.
pub type Names = BTreeMap<ObjectRef, Obj>;

impl Checker<'_, '_> {
    /// Restricts runs to those with these facts.
    pub(super) fn assume_facts(&mut self, runs: &mut Runs, facts: &[Fact]) -> Result<(), Failure> {
        for Fact { place, value } in facts {
            let Some(value) = self.claimed(runs, *place, *value, None)? else { continue };
            match *place {
                FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                    let frame = frame_of(runs, *place)?;
                    self.machine.set_register(runs, frame, var, value);
                }
                FactPlace::Memory { object, offset, bytes } => {
                    let Some((object, at)) = self.bytes(runs, (object, offset, bytes), None)? else { continue };
                    self.machine.put(runs, object, at, u64::from(bytes), value);
                }
            }
        }
        Ok(())
    }

    /// Whether runs have these facts; `names` says which objects they are about, unless names mean what they meant in the node.
    pub(super) fn facts_hold(
        &mut self,
        runs: &mut Runs,
        facts: &[Fact],
        names: Option<&Names>,
    ) -> Result<TermId, Failure> {
        let mut holds = self.machine.enc.terms.tru();
        for Fact { place, value } in facts {
            let Some(should) = self.claimed(runs, *place, *value, names)? else { continue };
            if let FactValue::Address(object, _) = value
                && self.machine.asks_for_life
                && self.machine.is_open()
                && self.object(runs, *object, names)?.is_some_and(|object| runs.ended.contains(&object))
            {
                return rejected("a fact is about a pointer to an object that has ended");
            }
            let is = match *place {
                FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                    let frame = frame_of(runs, *place)?;
                    self.machine.register(runs, frame, var)
                }
                FactPlace::Memory { object, offset, bytes } => {
                    let Some((object, at)) = self.bytes(runs, (object, offset, bytes), names)? else { continue };
                    self.machine.bits_at(runs, object, at, u64::from(bytes))
                }
            };
            let terms = &mut self.machine.enc.terms;
            if terms.sort(is) != terms.sort(should) {
                return rejected("a fact takes a place for something else");
            }
            let equal = terms.eq(is, should);
            holds = terms.and(holds, equal);
        }
        Ok(holds)
    }

    /// The value that a fact claims; none if its names mean nothing, because the graph lists all objects.
    fn claimed(
        &mut self,
        runs: &mut Runs,
        place: FactPlace,
        value: FactValue,
        names: Option<&Names>,
    ) -> Result<Option<TermId>, Failure> {
        Ok(Some(match (value, place) {
            (FactValue::Bits(bits), FactPlace::Memory { bytes, .. }) => self.machine.enc.terms.bv(8 * bytes, bits),
            (FactValue::Bits(bits), FactPlace::Global(var) | FactPlace::Local { var, .. }) => {
                let ty = self.type_of(var);
                self.machine.enc.constant(ty, cfa::Value(bits))
            }
            (FactValue::Address(object, offset), _) => {
                let Some(object) = self.object(runs, object, names)? else { return Ok(None) };
                let address = self.machine.get(object).base.wrapping_add_signed(offset);
                let width = self.machine.width();
                self.machine.enc.terms.bv(width, cfa::Value::truncated(u128::from(address), width).0)
            }
        }))
    }

    fn type_of(&self, var: VarId) -> Scalar {
        self.task.program.vars[var].register().unwrap_or(Scalar::Ptr)
    }

    /// The object that a fact is about, which exists; none if it is a name that means nothing.
    fn object(&mut self, runs: &mut Runs, name: ObjectRef, names: Option<&Names>) -> Result<Option<Obj>, Failure> {
        let object = match (name, names) {
            (ObjectRef::Made(..), Some(names)) => names.get(&name).copied(),
            _ => self.machine.object(runs, name),
        };
        match object {
            Some(object) if self.machine.is_open() => drop(self.machine.content_open(runs, object)),
            Some(object) if self.machine.content(runs, object).is_some() => {}
            None if !self.machine.is_open() => {}
            _ => return rejected("a fact is about an object that does not exist: it is not implied"),
        }
        Ok(object)
    }

    /// The object and the offset of bytes in it.
    pub(super) fn bytes(
        &mut self,
        runs: &mut Runs,
        (object, offset, bytes): (ObjectRef, i64, u32),
        names: Option<&Names>,
    ) -> Result<Option<(Obj, u64)>, Failure> {
        let Some(object) = self.object(runs, object, names)? else { return Ok(None) };
        let room = self.machine.get(object).room;
        match u64::try_from(offset).ok().filter(|at| at + u64::from(bytes) <= room) {
            Some(at) => Ok(Some((object, at))),
            None => rejected("a fact is about bytes outside of an object"),
        }
    }

    /// Objects for the names of made objects in facts: those that pointers with facts designate, then the same names as
    /// before, then others. Different names stand for different objects, and for those that the edge in them made.
    pub(super) fn bind_names(&mut self, runs: &mut Runs, facts: &[Fact]) -> Names {
        let mut names = Names::new();
        let made: Vec<(EdgeId, Option<u64>, Obj)> = runs
            .memory
            .keys()
            .filter_map(|object| match self.machine.get(*object).name {
                Some((Name::Placed(PlacedName::Heap(edge, _)), size)) => Some((edge, size, *object)),
                _ => None,
            })
            .collect();
        if made.is_empty() {
            return names;
        }
        loop {
            let known = names.len();
            for fact in facts {
                if let FactValue::Address(name @ ObjectRef::Made(edge, _, size), offset) = fact.value
                    && !names.contains_key(&name)
                    && let Some((object, at)) = self.designated(runs, fact.place, &names)
                    && i64::try_from(at) == Ok(offset)
                    && !names.values().any(|used| *used == object)
                    && made.iter().any(|(maker, known, made)| {
                        (*maker, *made) == (edge, object) && (size.is_none() || size == *known)
                    })
                {
                    names.insert(name, object);
                }
            }
            if names.len() > known {
                continue;
            }
            // An object to which no pointer leads; others may be reached from it.
            let unreached = facts.iter().find_map(|fact| {
                let FactPlace::Memory { object: name @ ObjectRef::Made(edge, _, size), .. } = fact.place else {
                    return None;
                };
                let is_free = |(maker, known, object): &&(EdgeId, Option<u64>, Obj)| {
                    *maker == edge && (size.is_none() || size == *known) && !names.values().any(|used| used == object)
                };
                let mut free = made.iter().filter(is_free).map(|(.., object)| *object);
                let same = self.machine.object(runs, name).filter(|same| free.clone().any(|object| object == *same));
                let object = if names.contains_key(&name) { None } else { same.or_else(|| free.next()) }?;
                Some((name, object))
            });
            match unreached {
                Some((name, object)) => names.insert(name, object),
                None => return names,
            };
        }
    }

    /// The object that the content of a place points to, if it is known, and where in it.
    fn designated(&mut self, runs: &mut Runs, place: FactPlace, names: &Names) -> Option<(Obj, u64)> {
        let term = match place {
            FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                let frame = frame_of(runs, place).ok()?;
                self.machine.register(runs, frame, var)
            }
            FactPlace::Memory { object, offset, bytes } => {
                let (object, at) = self.bytes(runs, (object, offset, bytes), Some(names)).ok()??;
                self.machine.bits_at(runs, object, at, u64::from(bytes))
            }
        };
        let address = u64::try_from(self.machine.enc.terms.as_bv_const(term)?).ok()?;
        let object = self.machine.owner(address)?;
        Some((object, address.checked_sub(self.machine.get(object).base)?))
    }
}

/// The frame of a register, which exists.
pub(super) fn frame_of(runs: &Runs, place: FactPlace) -> Result<usize, Failure> {
    let frame = match place {
        FactPlace::Local { frame, .. } => frame as usize,
        _ => 0,
    };
    if frame < runs.frames.len() { Ok(frame) } else { rejected("a fact is about a frame that does not exist") }
}
