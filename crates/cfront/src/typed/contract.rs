//! What contracts become: statements that assume, assert and forget.

use super::{Expr, Stmt, VarId};
use base::Span;
use syntax::ast::Quantifier;

/// A quantified condition whose variable is not replaced by all of its values.
#[derive(Debug, Clone)]
pub struct Quantified {
    /// For all values, or for some.
    pub quantifier: Quantifier,
    /// The variable, of an integer type.
    pub var: VarId,
    /// Where the range begins: rvalues of the variable's type without effects. Otherwise at the least value of the type.
    pub least: Option<Bound>,
    /// Where it ends. Otherwise at the greatest value of the type.
    pub greatest: Option<Bound>,
    /// What is said of the values in the range: a scalar.
    pub body: Expr,
}

/// An end of a range.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The value.
    pub value: Expr,
    /// Whether it is in the range itself.
    pub is_included: bool,
}

/// Whether a condition is taken for granted or has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Runs in which it does not hold end.
    Assumed,
    /// Runs in which it does not hold break the property.
    Asserted,
}

/// A statement of a contract.
#[derive(Debug, Clone)]
pub enum Contract {
    /// A condition.
    Clause {
        /// What becomes of it.
        role: Role,
        /// A scalar rvalue.
        condition: Expr,
    },
    /// Keeps the value that an expression has here.
    Snapshot {
        /// A variable of its type.
        var: VarId,
        /// Any type of known size; arrays are lvalues.
        value: Expr,
    },
    /// Makes memory and variables arbitrary, and maybe frees objects.
    Havoc {
        /// What becomes arbitrary.
        targets: Vec<Target>,
        /// Objects that may be freed: each by a pointer rvalue in [`Place::Object`].
        frees: Vec<Target>,
    },
    /// Statements that may write the targets only.
    Frame {
        /// The targets; `None` if anything may be written.
        targets: Option<Vec<Target>>,
        /// Objects that may be freed, as those of [`Contract::Havoc`].
        frees: Vec<Target>,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// One iteration of a loop, from a state in which what it writes is arbitrary.
    Iteration {
        /// What the loop may write; without an assigns clause, that is found out.
        targets: Option<Vec<Target>>,
        /// The first iteration, from the state before the loop.
        first: Option<FirstIteration>,
        /// What begins in the arbitrary state: assumptions, then the loop, whose steps lead nowhere.
        body: Vec<Stmt>,
    },
}

/// The first iteration of a loop: what it finds in memory that the loop does not write is known behind the loop.
#[derive(Debug, Clone)]
pub struct FirstIteration {
    /// The iteration, without a way back.
    pub stmts: Vec<Stmt>,
    /// Whether another one may follow it; otherwise, it has left the loop.
    pub goes_on: Expr,
}

/// Something that may be written.
#[derive(Debug, Clone)]
pub struct Target {
    /// It is one only where this scalar is not zero.
    pub condition: Option<Expr>,
    /// What it is.
    pub place: Place,
    /// Where it is named.
    pub span: Span,
}

/// What a target names.
#[derive(Debug, Clone)]
pub enum Place {
    /// A variable of a scalar type.
    Variable(VarId),
    /// So many bytes from a pointer on: a pointer rvalue, and an rvalue of `size_t`.
    Range(Expr, Expr),
    /// The object that a pointer leads to.
    Object(Expr),
    /// That object from the pointer on.
    Rest(Expr),
}
