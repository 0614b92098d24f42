//! What lowering remembers of contracts: the clause at hand, and frames that are checked when all functions are known.

use cfa::{ExprId, FuncId, VarId};
use cfront::typed::contract::Role;
use std::collections::BTreeSet;
use std::ops::Range;
use syntax::ast::Quantifier;

/// The contract of the function that is being lowered.
#[derive(Default)]
pub(crate) struct ContractState {
    /// What becomes of the clause that is being lowered.
    pub role: Option<Role>,
    /// The quantifier for whose variable any value may be chosen, because one that matters decides: what is asserted for all values fails
    /// for one of them, and what is assumed for some holds for one.
    pub choice: Option<Quantifier>,
    /// The edge at which the function is called whose contract is checked.
    pub called_at: Option<usize>,
    /// The address of any byte that existed before that, if something asked for it.
    pub existing: Option<VarId>,
    /// Variables of quantifiers, and those that keep values.
    pub own: BTreeSet<VarId>,
    /// Local variables that loops assign and do not name.
    pub unnamed: Vec<Unnamed>,
    /// Where fresh memory begins that clauses asked for so far, and its size.
    pub fresh: Vec<(VarId, VarId)>,
}

/// A local variable that a loop assigns, and that its clause does not name. It need not where the variable is used in the loop only.
#[derive(Debug)]
pub(crate) struct Unnamed {
    /// The variable.
    pub var: VarId,
    /// Edges of the loop that assign it.
    pub edges: Vec<usize>,
    /// All edges of the loop.
    pub inside: Range<usize>,
    /// When it must not be assigned.
    pub forbidden: ExprId,
    /// What becomes of a run that does.
    pub fault: Fault,
}

/// What becomes of a run that writes what a frame does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It breaks the property.
    Violation,
    /// Nothing is known of it, because nobody said what may be written.
    Unknown,
}

/// A frame, for what is called inside of it.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Address of the byte that must not be written: 1 if any may, 0 outside of the frame.
    pub watched: VarId,
    /// Objects that begin at these addresses may be freed.
    pub freeable: Vec<VarId>,
    /// Whether the object that is being freed is one of them.
    pub allowed: VarId,
    /// Functions that are called.
    pub called: BTreeSet<FuncId>,
    /// Whether any function whose address is known may be called.
    pub calls_pointers: bool,
    /// Global registers that may be written.
    pub registers: BTreeSet<VarId>,
    /// Global registers that may be written where some condition holds.
    pub conditional: BTreeSet<VarId>,
    /// Whether registers of lowering matter, too.
    pub is_loop: bool,
    /// What becomes of a run that breaks it.
    pub fault: Fault,
}

impl Frame {
    /// Registers that the frame itself is made of.
    pub fn own_registers(&self) -> impl Iterator<Item = VarId> + '_ {
        [self.watched, self.allowed].into_iter().chain(self.freeable.iter().copied())
    }
}
