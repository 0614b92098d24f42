//! Loops that an analysis replaced by something simpler.

use base::Span;

/// The strategy that replaces a loop in a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopAbstraction {
    /// Where the loop is: a part of its condition or of its first statement.
    pub span: Span,
    /// Name of the strategy; `base` is the loop itself.
    pub strategy: &'static str,
}
