//! Terms: hash-consed formulas over Booleans, bit-vectors, floats, arrays and integers, and what solvers can do with them.
//!
//! [`Terms`] owns a DAG; its constructors (`and`, `bv_add`, `select`, ...) simplify while they build, so that symbolic
//! execution folds constants for free. [`eval`] gives a term's value, [`subst`] rewrites terms, [`smtlib`] prints them;
//! [`solver`] has the traits that backends implement and [`contract`] the tests that each backend runs.

pub mod backend;
pub mod classes;
pub mod contract;
pub mod copy;
pub mod eval;
pub mod exhaustive;
pub mod horn;
pub mod products;
pub mod query;
pub mod random;
pub mod reads;
pub mod results;
pub mod smtlib;
pub mod solver;
pub mod sort;
pub mod subst;
pub mod term;
pub mod value;

mod build;
pub mod float;
mod fold;
mod versions;

pub use backend::Backend;
pub use classes::Classes;
pub use eval::{Assignment, Evaluator};
pub use solver::{Model, SatResult, SmtError, Solver, UnknownReason};
pub use sort::{ElemSort, FloatSort, Sort};
pub use subst::{Substitution, vars_of};
pub use term::{BinOp, Congruence, Node, Round, TermId, Terms, UnOp, VarId};
pub use value::{ArrayValue, Value};
