//! What a run was given, in order, to give it to another program that asks in the same order: the program as it was before an
//! analysis restricted it.

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

impl Kind {
    fn of(source: Source) -> Kind {
        match source {
            Source::Extern(_) => Kind::Extern,
            Source::Havoc(_, why) => Kind::Havoc(why),
            Source::MemHavoc(_, why) => Kind::MemHavoc(why),
            Source::Declared(_) => Kind::Declared,
            Source::Allocated(kind) => Kind::Allocated(kind),
            Source::Reallocated => Kind::Reallocated,
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
