//! What every crate of Hone uses: typed ids, source positions, diagnostics, effort and budgets, and text in markup.
//!
//! Invariant: nothing here knows C, automata or solvers, and nothing prints. The list of modules is closed.

pub mod budget;
pub mod byte_order;
pub mod bytes;
pub mod diagnostic;
pub mod effort;
pub mod idx;
pub mod markup;
pub mod source;

pub use budget::{Budget, Stop};
pub use byte_order::ByteOrder;
pub use diagnostic::{Diagnostic, Severity};
pub use effort::Effort;
pub use idx::{Id, IdVec};
pub use source::{Place, SourceMap, Span};

/// A name of the analysed program; cheap to clone.
pub type Name = std::sync::Arc<str>;
