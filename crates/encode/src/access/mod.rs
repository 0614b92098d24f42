//! What operations do to memory.
//!
//! [`resolve`] finds the objects that an address can mean, [`scalars`] reads and writes scalars at addresses ([`variables`]: those of
//! variables), which objects hold as [`cells`] or as [`arrays`]; [`heap`] makes and frees objects, [`ranges`] copies and sets ranges, [`initial`]
//! says what globals hold in the beginning, [`join`] what an object holds where states meet, [`validity`] which accesses are valid, and [`repeat`] carries out iterations of
//! accelerated paths, which leave [`layers`].

mod arrays;
mod cells;
mod heap;
mod initial;
mod join;
mod layers;
mod ranges;
mod repeat;
pub(crate) mod resolve;
mod scalars;
mod validity;
mod variables;
