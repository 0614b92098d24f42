//! Contracts of functions and loops: clauses of CBMC's dialect behind declarators and heads of loops, and what ACSL says in comments before them.

use super::Expr;
use base::{Diagnostic, Span};

/// All that is said of a function or loop.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// In order.
    pub clauses: Vec<Clause>,
    /// What may be written where no clause says it; of a loop, that is found out.
    pub writes: Writes,
    /// Whether a loop's invariants hold before it even where no iteration follows: in ACSL, not in CBMC's dialect.
    pub holds_before: bool,
    /// Why a part of it was not understood: errors, unless nobody asks for the contract.
    pub unread: Vec<Diagnostic>,
}

/// What a function may write by a contract without an assigns clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Writes {
    /// Nothing.
    #[default]
    Nothing,
    /// Anything.
    Anything,
}

/// `__CPROVER_…(…)` as part of a contract.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The whole.
    pub span: Span,
    /// Which one.
    pub kind: ClauseKind,
    /// What stands in the brackets, separated by semicolons.
    pub groups: Vec<ClauseGroup>,
}

/// Expressions with a common condition.
#[derive(Clone, Debug)]
pub struct ClauseGroup {
    /// `condition:` in front of targets.
    pub condition: Option<Expr>,
    /// Separated by commas.
    pub exprs: Vec<Expr>,
}

/// Kinds of clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// What callers of a function must see to.
    Requires,
    /// What holds when a function returns.
    Ensures,
    /// What a function or loop may write.
    Assigns,
    /// What a function may free.
    Frees,
    /// What holds whenever control is at the head of a loop.
    Invariant,
    /// Numbers that get less with each iteration of a loop.
    Decreases,
}

impl ClauseKind {
    /// All kinds.
    pub const ALL: [ClauseKind; 6] = [
        ClauseKind::Requires,
        ClauseKind::Ensures,
        ClauseKind::Assigns,
        ClauseKind::Frees,
        ClauseKind::Invariant,
        ClauseKind::Decreases,
    ];

    /// As written.
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Requires => "__CPROVER_requires",
            ClauseKind::Ensures => "__CPROVER_ensures",
            ClauseKind::Assigns => "__CPROVER_assigns",
            ClauseKind::Frees => "__CPROVER_frees",
            ClauseKind::Invariant => "__CPROVER_loop_invariant",
            ClauseKind::Decreases => "__CPROVER_decreases",
        }
    }

    /// Whether it may stand in the contract of a function.
    pub fn is_of_function(self) -> bool {
        !matches!(self, ClauseKind::Invariant | ClauseKind::Decreases)
    }

    /// Whether it may stand in the contract of a loop.
    pub fn is_of_loop(self) -> bool {
        !matches!(self, ClauseKind::Requires | ClauseKind::Ensures)
    }

    /// Whether what it lists is memory, maybe none.
    pub fn has_targets(self) -> bool {
        matches!(self, ClauseKind::Assigns | ClauseKind::Frees)
    }
}
