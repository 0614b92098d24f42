//! Z3 as a solver.
