//! Links the pinned Z3 statically.
//!
//! A crate of its own, because building Z3 takes many minutes: nothing here changes when Hone does, so
//! the build is done once for a target folder.
