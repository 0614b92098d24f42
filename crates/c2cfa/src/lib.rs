//! Lowers the typed syntax tree of C to control-flow automata with side-effect-free operations.
//!
//! Only what the entry function can reach (by calls, addresses and initialisers) becomes part of the program. Side effects
//! leave expressions from left to right and become edges; a value that a later side effect could change is saved in a
//! temporary register first. Undefined behaviour that C's operators have (division by zero, shifts out of range, bad sizes)
//! gets an edge of its own; everything that is not modelled becomes [`cfa::Op::Unsupported`].
//!
//! Conventions between functions: records are passed as pointers to objects of the caller and copied by the callee; a
//! record result is written through a hidden first parameter; variable arguments lie in 16-byte slots of an object whose
//! address is a hidden last parameter.
//!
//! Addresses of labels (`&&label`) are the numbers 4096, 4112, …, below every function and object.

mod arguments;
mod assign;
mod builtin;
mod call;
mod checks;
mod cond;
mod context;
mod contract;
mod conversion_checks;
mod counted;
mod ctype;
mod effects;
mod entry;
mod environment;
mod expr;
mod frames;
mod fold;
mod footprint;
mod function;
mod functions;
mod global;
mod handlers;
mod hardware;
mod init;
mod interrupts;
mod jumps;
mod layout;
mod library_records;
mod lvalue;
mod memory_checks;
mod outside;
mod reads;
mod results;
mod start;
mod scopes;
mod stmt;
mod thunks;
mod truths;
mod unwritten;
mod variables;
mod without_body;

pub use environment::{Arguments, Environment};

use base::{ByteOrder, Diagnostic, Name};
use cfa::{Check, MachineModel, Program};
use cfront::typed::TypedUnit;
use clib::{libc, library};

/// What to lower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// Data model; the same that the unit was checked with.
    pub machine: MachineModel,
    /// How the bytes of scalars lie in memory.
    pub byte_order: ByteOrder,
    /// Function that is called by the start function, usually `main`.
    pub entry: Name,
    /// What is made explicit besides assertions.
    pub checks: Vec<Check>,
    /// Functions whose call breaks the property: a run that makes it is told for that, and for nothing that it leaves behind.
    pub error_functions: Vec<Name>,
    /// Whether `malloc` and its like may return null.
    pub allocation_may_fail: bool,
    /// What surrounds the program.
    pub environment: Environment,
}

/// A program with remarks about what lowering had to assume.
#[derive(Debug)]
pub struct Lowered {
    /// The automata.
    pub program: Program,
    /// Remarks for the user, in source order.
    pub notes: Vec<Diagnostic>,
}

/// Lowers a translation unit.
///
/// # Errors
/// If the entry function has no definition.
pub fn lower(unit: TypedUnit, options: &LowerOptions) -> Result<Lowered, Vec<Diagnostic>> {
    let TypedUnit { types, mut vars, mut functions, strings, source, machine: _, unmodelled, thread_locals, unchecked } =
        unit;
    for function in functions.iter_mut().filter(|function| function.body.is_none() && function.alias.is_none()) {
        let is_known = |name: &str| library::is_known(name) || libc::is_written(name);
        // Headers rename what is known by its name in C, too.
        if let Some(symbol) = function.symbol.take_if(|symbol| !is_known(&function.name) && is_known(symbol)) {
            function.name = symbol;
        }
    }
    let thunks = thunks::add(&types, &mut vars, &mut functions, &options.environment);
    let unit = context::Unit {
        types: &types,
        vars: &vars,
        functions: &functions,
        strings: &strings,
        unmodelled: &unmodelled,
        thread_locals: &thread_locals,
        unchecked: &unchecked,
        thunks: &thunks,
    };
    start::lower_program(&unit, source, options)
}
