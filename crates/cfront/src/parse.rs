//! Hand-written parser.
/// Largest depth of the syntax tree.
pub const MAX_DEPTH: u32 = 20_000;
