//! What a caller can see of a run, edge by edge.

use crate::machine::Interpreter;
use crate::memory::ObjectInfo;
use cfa::{EdgeId, FuncId, Value, VarId};

/// Listens to a run. `()` listens to nothing and costs nothing.
pub trait Observe {
    /// Whether [`Observe::step`] is called at all.
    const ACTIVE: bool = true;

    /// Called after each edge; for calls of functions with a body once when the call is made and once when it returned.
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>);
}

impl Observe for () {
    const ACTIVE: bool = false;
    fn step(&mut self, _: &Step<'_>, _: &Interpreter<'_>) {}
}

/// An edge that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The edge. For branches it says which way was taken.
    pub edge: EdgeId,
    /// Number of frames below the one that took it; 0 for the start function.
    pub depth: usize,
    /// What changed.
    pub effect: Effect<'a>,
}

/// What an edge changed.
#[derive(Clone, Copy, Debug)]
pub enum Effect<'a> {
    /// Nothing.
    None,
    /// A register was assigned (by an assignment or a havoc).
    Assign {
        /// The register.
        var: VarId,
        /// Its new value.
        value: Value,
    },
    /// Memory was written.
    Write {
        /// First address.
        address: u64,
        /// The object and the offset in it; `None` for external memory.
        object: Option<(ObjectInfo, u64)>,
        /// The new bytes.
        bytes: &'a [u8],
    },
    /// A function with a body was called; its frame is the current one.
    Call {
        /// The function.
        func: FuncId,
    },
    /// A call returned.
    Return {
        /// The function that was left.
        func: FuncId,
        /// The register that got the result.
        result: Option<(VarId, Value)>,
    },
    /// A function without a body was called.
    Extern {
        /// The function.
        func: FuncId,
        /// Its arguments.
        args: &'a [Value],
        /// The register that got the result.
        result: Option<(VarId, Value)>,
    },
    /// An object came to life (`Declare`, `Alloc`, `Realloc`).
    Allocate {
        /// The object.
        object: ObjectInfo,
        /// The register that got its address.
        var: Option<VarId>,
    },
    /// A read outside of every object; the run goes on with arbitrary bytes.
    Outside {
        /// What was read, for the user.
        detail: &'a str,
    },
    /// The object that began at this address ended.
    Free {
        /// Its address.
        address: u64,
    },
}
