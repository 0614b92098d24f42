//! Which bound comes behind one that was too small.

use cfa::Program;

/// The second bound of programs with contracts: their loops are those of quantifiers, and leave nothing to be found before they have ended.
const CONTRACTS_BOUND: u32 = 260;

/// The next bound; `None` behind the last one.
pub(super) fn next(program: &Program, unwind: u32) -> Option<u32> {
    match unwind {
        ..CONTRACTS_BOUND if program.has_contracts => Some(CONTRACTS_BOUND),
        _ => unwind.checked_mul(2),
    }
}
