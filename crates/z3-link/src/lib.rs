//! Links the pinned Z3, as a shared library beside the binary or, with the feature `static`, into it.
//!
//! A crate of its own, because building Z3 takes many minutes: nothing here changes when Hone does, so
//! the build is done once for a target folder.
