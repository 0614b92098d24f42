//! Compact records of steps and inputs, which are told in words only when a run turns out to matter.

use cfa::{EdgeId, ExprId, FuncId, Scalar, Value, VarId};
use interp::{ObjectInfo, Request, Source};
use outcome::Arrival;

/// A value with what it points to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RawValue {
    /// Bits.
    pub value: Value,
    /// The object that a pointer points into, and the offset.
    pub pointee: Option<(ObjectInfo, u64)>,
}

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum RawKind {
    /// The condition of the edge was decided; its operands with their values.
    Branch(Vec<(ExprId, RawValue)>),
    /// The condition of a conditional expression was true or false.
    Choice(ExprId, bool),
    /// A register got a value.
    Assign(VarId, RawValue),
    /// Memory was written: address, object with offset, length, first bytes (none if all are zero), the value if it is as wide as a pointer.
    Write { object: Option<(ObjectInfo, u64)>, address: u64, len: u64, bytes: Box<[u8]>, value: RawValue },
    /// A function was called with these arguments.
    Call(FuncId, Vec<RawValue>),
    /// A function returned.
    Return(FuncId, Option<RawValue>),
    /// A function without a body was called; the input that it gave, and its arguments.
    Extern(FuncId, Option<usize>, Vec<RawArgument>),
    /// An input that is no call.
    Input(usize),
    /// A read outside of every object.
    Outside(String),
}

/// An argument of a function without a body.
pub type RawArgument = (Scalar, RawValue);

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub struct RawStep {
    /// The edge.
    pub edge: EdgeId,
    /// Frames below.
    pub depth: u32,
    /// What happened.
    pub kind: RawKind,
    /// Heads of loops that the run came to since the step before.
    pub arrivals: Vec<Arrival>,
}

/// An input.
#[derive(Clone, PartialEq, Debug)]
pub struct RawInput {
    /// The edge that asked.
    pub edge: EdgeId,
    /// What for.
    pub source: Source,
    /// Its type; `None` for bytes.
    pub ty: Option<Scalar>,
    /// The value, or the first bytes.
    pub value: Value,
    /// For bytes: the first ones.
    pub bytes: Box<[u8]>,
    /// For bytes: how many there are.
    pub len: u64,
    /// The arguments of the call that returned it.
    pub arguments: Vec<RawArgument>,
    /// Where bytes were written: the object and the offset in it.
    pub target: Option<(ObjectInfo, u64)>,
    /// The function whose call wrote bytes, the argument that leads there, and how far behind.
    pub writer: Option<(FuncId, usize, u64)>,
}

impl RawInput {
    /// An input that was asked for.
    pub(crate) fn new(request: &Request<'_>) -> Self {
        Self {
            edge: request.edge,
            source: request.source,
            ty: None,
            value: Value(0),
            bytes: Box::default(),
            len: 0,
            arguments: Vec::new(),
            target: None,
            writer: None,
        }
    }
}
