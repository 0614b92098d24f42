//! Variables.

use super::{FunctionId, Initializer, VarId};
use crate::types::TypeId;
use base::{IdVec, Name, Span};

/// Lifetime and linkage of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// Defined at file scope, or tentatively.
    Global,
    /// `extern` without a definition: its content is not known.
    Extern,
    /// `static` in a function.
    StaticLocal(FunctionId),
    /// Automatic.
    Local(FunctionId),
    /// Parameter.
    Param(FunctionId),
    /// Made by the type checker (sizes of variable-length arrays, block-scope compound literals).
    Temp(FunctionId),
}

/// A variable.
#[derive(Debug)]
pub struct Var {
    /// Name in the source.
    pub name: Name,
    /// Type; the length of an array is completed by its initialiser.
    pub ty: TypeId,
    /// Lifetime and linkage.
    pub kind: VarKind,
    /// Whether its address is taken by `&` or decay, or it is used by memory access other than load and store.
    pub address_taken: bool,
    /// Whether it is defined as `const`.
    pub is_constant: bool,
    /// Whether a call is given it as a `va_list`.
    pub is_passed_list: bool,
    /// Whether its address is null if no other file defines it.
    pub weak: bool,
    /// The variable that this is another name of.
    pub alias: Option<VarId>,
    /// The function that gets its address where it goes out of scope (attribute `cleanup`).
    pub cleanup: Option<FunctionId>,
    /// Alignment demanded by attributes, in bytes.
    pub align: Option<u32>,
    /// Initialiser of globals and statics (locals have theirs in [`LocalDecl`]).
    pub init: Option<Initializer>,
    /// Declaration.
    pub span: Span,
}

impl Var {
    /// A variable that is declared and nothing more.
    pub fn new(name: Name, ty: TypeId, kind: VarKind, span: Span) -> Self {
        let ([address_taken, is_constant, is_passed_list, weak], alias, cleanup, align, init) = Default::default();
        Self { name, ty, kind, address_taken, is_constant, is_passed_list, weak, alias, cleanup, align, init, span }
    }
}

/// The variable that one is a name of, in the end. In a unit that no linker would accept, aliases may form a circle.
pub fn named(vars: &IdVec<VarId, Var>, id: VarId) -> VarId {
    std::iter::successors(Some(id), |id| vars[*id].alias).take(vars.len()).last().unwrap_or(id)
}
