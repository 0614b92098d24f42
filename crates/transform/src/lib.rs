//! Transformations of programs: what takes a program and gives one whose runs answer for those of the first.
//!
//! * `resolve_calls` and `simplify_graph` prepare every program; `slice` leaves out what a property does not depend on.
//! * `guard_threads` and `guard_writes` end runs, or let them end, where the model says less than a machine does; `observed_layout` and `reused_addresses`
//!   find the values that a machine may compute in another way, which `open_values` makes arbitrary. `allocators` gives `reused_addresses` a program in
//!   which blocks are told apart. `chosen_locale` stops at what is known in the C locale only.
//! * `end_runs` leaves checks out of what is asked.
//! * `split_choices`, `tail_calls`, [`strategies`] and [`accelerate`] change the form of programs for the sake of an analysis.
//! * `cut_loops`, `cut_calls`, `guard_errors` and `prune_counter` put what a witness says into a program.

pub mod accelerate;
mod allocated_once;
mod allocators;
pub mod chosen_locale;
mod copies;
pub mod cut_calls;
pub mod cut_loops;
pub mod displacements;
mod distances;
mod edges;
pub mod end_runs;
mod exprs;
pub mod guard_errors;
pub mod guard_threads;
pub mod guard_writes;
pub mod observed_layout;
pub mod open_values;
pub mod prune_counter;
mod registers;
mod rename;
pub mod resolve_calls;
pub mod reused_addresses;
pub mod simplify_graph;
pub mod slice;
pub mod split_choices;
pub mod strategies;
pub mod tail_calls;
pub mod unmapped;
