//! What lowering knows of interrupt handlers.

use cfa::{FuncId, VarId};
use cfront::typed::{self, FunctionId};
use std::collections::BTreeSet;

/// The handlers of a program that has some.
pub(crate) struct Interrupts {
    pub handlers: Vec<FunctionId>,
    pub footprint: Footprint,
    /// The function that runs handlers.
    pub func: FuncId,
    /// Whether a handler is running, where handlers may call what has points for interrupts.
    pub running: Option<VarId>,
    /// Functions at whose ends objects end that somebody may have the address of.
    pub with_objects: BTreeSet<FunctionId>,
}

/// What functions and all that they call access.
#[derive(Default)]
pub(crate) struct Footprint {
    /// Variables with static storage.
    pub vars: BTreeSet<typed::VarId>,
    /// Whether they follow pointers.
    pub follows_pointers: bool,
    /// Whether somebody may have the address of one of the variables.
    pub has_addresses: bool,
    /// Whether they call through pointers.
    pub calls_pointers: bool,
}
