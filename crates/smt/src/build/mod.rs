//! The simplifying constructors.

mod thin;
