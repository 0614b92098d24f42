//! Programs for each construct, errors with their places, and depth.
