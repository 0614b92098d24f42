//! Records what a run was given, in order, to give it to another program that asks in the same order: the program as it was before an
//! analysis restricted it.

use base::bytes::{Reader, Writer};
use cfa::{AllocKind, HavocSource, Scalar, Value};
use interp::{Inputs, Request, Scripted, Source};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Kinds of requests; ids differ between the programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Extern,
    Havoc(HavocSource),
    MemHavoc(HavocSource),
    Declared,
    Allocated(AllocKind),
    Reallocated,
    External,
    Outside,
}

/// The kinds, as they are numbered in bytes.
const KINDS: [Kind; 17] = [
    Kind::Extern,
    Kind::Havoc(HavocSource::Uninitialised),
    Kind::Havoc(HavocSource::Asm),
    Kind::Havoc(HavocSource::Environment),
    Kind::MemHavoc(HavocSource::Uninitialised),
    Kind::MemHavoc(HavocSource::Asm),
    Kind::MemHavoc(HavocSource::Environment),
    Kind::Declared,
    Kind::Allocated(AllocKind::Heap),
    Kind::Allocated(AllocKind::HeapZeroed),
    Kind::Allocated(AllocKind::Stack),
    Kind::Reallocated,
    Kind::External,
    Kind::Outside,
    Kind::Havoc(HavocSource::Unmapped),
    Kind::MemHavoc(HavocSource::Unmapped),
    Kind::Havoc(HavocSource::Allocation),
];

impl Kind {
    fn write(self, w: &mut Writer) {
        w.index(KINDS.iter().position(|kind| *kind == self).unwrap_or(KINDS.len()));
    }

    fn read(r: &mut Reader<'_>) -> Option<Kind> {
        KINDS.get(r.narrow::<usize>()?).copied()
    }

    fn of(source: Source) -> Kind {
        match source {
            Source::Extern(_) => Kind::Extern,
            Source::Havoc(_, why) => Kind::Havoc(why),
            Source::MemHavoc(_, why) => Kind::MemHavoc(why),
            Source::Declared(_) => Kind::Declared,
            Source::Allocated(kind) => Kind::Allocated(kind),
            Source::Reallocated(_) => Kind::Reallocated,
            Source::External(_) => Kind::External,
            Source::Outside(_) => Kind::Outside,
        }
    }
}

/// What was given.
#[derive(Clone, Default, Debug)]
pub struct Tape {
    values: VecDeque<(Kind, Option<Value>)>,
    bytes: VecDeque<(Kind, Vec<u8>)>,
    allocations: VecDeque<Option<u64>>,
}

impl Tape {
    /// The tape as bytes; it does not depend on ids.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.index(self.values.len());
        for (kind, value) in &self.values {
            kind.write(&mut w);
            w.number(u8::from(value.is_some()));
            value.iter().for_each(|value| w.number(value.0));
        }
        w.index(self.bytes.len());
        for (kind, bytes) in &self.bytes {
            kind.write(&mut w);
            w.blob(bytes);
        }
        w.index(self.allocations.len());
        for address in &self.allocations {
            w.number(u8::from(address.is_some()));
            address.iter().for_each(|address| w.number(*address));
        }
        w.bytes
    }

    /// A tape from bytes; `None` if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tape> {
        let r = &mut Reader::new(bytes);
        let mut tape = Tape::default();
        for _ in 0..r.length()? {
            let kind = Kind::read(r)?;
            let value = if r.narrow::<u8>()? == 0 { None } else { Some(Value(r.number()?)) };
            tape.values.push_back((kind, value));
        }
        for _ in 0..r.length()? {
            tape.bytes.push_back((Kind::read(r)?, r.blob()?.to_vec()));
        }
        for _ in 0..r.length()? {
            let address = if r.narrow::<u8>()? == 0 { None } else { Some(r.narrow()?) };
            tape.allocations.push_back(address);
        }
        r.is_empty().then_some(tape)
    }
}

/// Gives a script's inputs and remembers them.
pub struct Recording {
    script: Scripted,
    tape: Rc<RefCell<Tape>>,
}

impl Recording {
    /// A recording of `script` on `tape`.
    pub fn new(script: Scripted, tape: Rc<RefCell<Tape>>) -> Self {
        Self { script, tape }
    }
}

impl Inputs for Recording {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        let value = self.script.value(request, ty);
        self.tape.borrow_mut().values.push_back((Kind::of(request.source), value));
        value
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        self.script.bytes(request, bytes);
        self.tape.borrow_mut().bytes.push_back((Kind::of(request.source), bytes.to_vec()));
    }

    fn allocation(&mut self, edge: cfa::EdgeId) -> Option<u64> {
        let address = self.script.allocation(edge);
        self.tape.borrow_mut().allocations.push_back(address);
        address
    }
}

/// Gives again what is on the tape. A request of another kind than the next on the tape gets zero.
impl Inputs for Tape {
    fn value(&mut self, request: &Request<'_>, _: Scalar) -> Option<Value> {
        let fits = self.values.front().is_some_and(|(kind, _)| *kind == Kind::of(request.source));
        if fits { self.values.pop_front().and_then(|(_, value)| value) } else { None }
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        let fits = self.bytes.front().is_some_and(|(kind, _)| *kind == Kind::of(request.source));
        if fits && let Some((_, given)) = self.bytes.pop_front() {
            let len = given.len().min(bytes.len());
            bytes[..len].copy_from_slice(&given[..len]);
        }
    }

    fn allocation(&mut self, _: cfa::EdgeId) -> Option<u64> {
        self.allocations.pop_front().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapes_come_back() {
        let mut tape = Tape::default();
        for (i, kind) in KINDS.into_iter().enumerate() {
            tape.values.push_back((kind, (i % 2 == 0).then_some(Value(i as u128 * 1000))));
            tape.bytes.push_back((kind, vec![i as u8; i]));
        }
        tape.allocations.extend([None, Some(u64::MAX)]);
        let bytes = tape.to_bytes();
        let read = Tape::from_bytes(&bytes).expect("the tape");
        assert_eq!(format!("{read:?}"), format!("{tape:?}"));
        assert!((0..bytes.len()).all(|len| Tape::from_bytes(&bytes[..len]).is_none()));
    }
}
