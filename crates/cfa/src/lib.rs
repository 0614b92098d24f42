//! Control-flow automata (CFAs): the form of a program that every analysis of Hone reads.
//!
//! A [`Program`] has one automaton per function. All ids are program-wide. Edges carry side-effect-free operations
//! ([`Op`]) over hash-consed expressions ([`ExprPool`]).
//!
//! Invariant: nothing here knows C syntax or solvers.

pub mod assertion;
pub mod backward;
pub mod blocks;
pub mod build;
pub mod callgraph;
pub mod check;
pub mod content;
pub mod computed;
pub mod ctype;
mod decimal;
pub mod display;
pub mod dominators;
pub mod eval;
pub mod expr;
pub mod float_text;
pub mod flow;
pub mod layout;
pub mod library;
pub mod lingering;
pub mod live;
pub mod loop_structure;
pub mod loops;
pub mod names;
pub mod observer;
pub mod op;
pub mod points_to;
pub mod procedures;
pub mod program;
pub mod regions;
pub mod repeat;
pub mod sizes;
pub mod start;
#[cfg(test)]
mod testing;
pub mod threads;
pub mod typing;
pub mod unwritten;
pub mod value;

pub use check::Check;
pub use ctype::{CType, CTypeId, CTypes};
pub use expr::{Access, BinOp, Expr, ExprId, ExprKind, ExprPool, UnOp};
pub use observer::{Observer, Pattern};
pub use op::{AllocKind, HavocSource, Op, PointerCall, Reach, Undefined, Unsupported, UnsupportedId};
pub use program::{
    Edge, EdgeId, FuncId, Function, INTERRUPTS, Init, InitValue, LocId, Location, MachineModel, Outside, Program,
    Storage, Var, VarId, VarKind,
};
pub use repeat::{MovingRead, MovingWrite, Repeat};
pub use threads::{ThreadSite, Threads};
pub use value::{FloatFormat, Scalar, Value};
