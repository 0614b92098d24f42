//! C's library as the interpreter knows it: whether its functions are carried out, and what they remember.

use crate::numeric::Random;
use base::IdVec;
use cfa::FuncId;

/// What functions without a body do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// Known functions of C's library are carried out; the others get their values from the inputs.
    Execute,
    /// All values come from the inputs and nothing is printed, as the CFA says.
    InputsOnly,
}

/// State of the library.
#[derive(Default)]
pub(crate) struct LibraryState {
    pub(crate) random: Option<Random>,
    /// Where the function called last has written. Lowering lets such calls be followed by a havoc of all that the function
    /// may write; that one keeps what was really written.
    pub written: Option<u64>,
    /// Functions whose result their arguments determine.
    pub(crate) determined: IdVec<FuncId, bool>,
    /// Values of `stdin`, `stdout` and `stderr`, where they are variables of the program.
    pub(crate) streams: [Option<u64>; 3],
}
