//! A run that violates the property: its steps and its inputs.

use crate::property::Property;
use base::{Name, Place};
use cfa::{CTypeId, EdgeId, LocId, Scalar, Value};

/// A violating run, as the interpreter replayed it.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The property in the user's words, such as `G ! call(reach_error())`.
    pub property: Name,
    /// What the run breaks.
    pub violated: Property,
    /// What happened, in order; the last step is the violation.
    pub steps: Vec<Step>,
    /// What the program was given, in order.
    pub inputs: Vec<Input>,
}

/// Whether a step is shown to users by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// In the user's program.
    User,
    /// Temporaries of lowering, and code of the C library that Hone adds.
    Library,
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Edge of the automaton that was taken.
    pub edge: EdgeId,
    /// Where in the source.
    pub place: Option<Place>,
    /// Function that executes it.
    pub function: Name,
    /// Number of callers on the stack; 0 in `main`.
    pub depth: u32,
    /// Whom it interests.
    pub visibility: Visibility,
    /// What happened.
    pub kind: StepKind,
    /// The source text of the step, one line, white space collapsed; may be empty.
    pub text: String,
    /// Heads of loops that the run came to since the step before, outer loops first.
    pub arrivals: Vec<Arrival>,
}

/// A run comes to the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The head.
    pub head: LocId,
    /// How often it came there since it entered the loop: 1 on entry, `n + 1` after `n` iterations.
    pub nth: u64,
}

/// What happened in a step.
#[derive(Clone, PartialEq, Debug)]
pub enum StepKind {
    /// A variable or a part of the memory got a value.
    Assign {
        /// What was assigned, in C (`x`, `p->next`, `a[3]`).
        target: String,
        /// Its value, in C.
        value: String,
    },
    /// A condition was decided.
    Branch {
        /// The condition, in C.
        condition: String,
        /// How.
        taken: bool,
        /// What its operands were: those that are no constants, in C, with their values.
        operands: Vec<Operand>,
    },
    /// The condition of a conditional expression (`c ? a : b`) was decided without a branch of the automaton.
    Choice {
        /// The condition, in C.
        condition: String,
        /// How.
        taken: bool,
    },
    /// A function with a body was called.
    Call {
        /// Its name.
        function: Name,
        /// Its arguments as `name = value`.
        arguments: Vec<String>,
    },
    /// A function with a body returned to its caller.
    Return {
        /// Its name.
        function: Name,
        /// Its result, if it has one.
        value: Option<String>,
    },
    /// The program got a value from outside; index into [`Counterexample::inputs`].
    Input(usize),
    /// A function without a body was called for its effect outside (output).
    External {
        /// Its name.
        function: Name,
        /// Its arguments, in C.
        arguments: Vec<String>,
    },
    /// So many steps are left out here, because the run is very long.
    Omitted(u64),
    /// Undefined behaviour after which the run goes on as a machine does, such as a read out of bounds.
    Undefined {
        /// What, such as `read of 4 bytes at offset 40 of `a` (40 bytes)`.
        what: String,
    },
    /// The violation.
    Error {
        /// Which event, such as `reach_error() is called` or `label ERROR is reached`.
        what: String,
    },
}

/// An operand of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// It, in C.
    pub text: String,
    /// Its value, in C.
    pub value: String,
    /// Whether it has to be looked up.
    pub kind: OperandKind,
}

/// How an operand relates to the steps before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// It is a variable: the step that assigned it told the value.
    Variable,
    /// It is computed or read from memory: no step need have told it under this name.
    Computed,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// A call of a function without a body returned it.
    Call(Name),
    /// It is the value of a variable that the program declares and does not define.
    Variable(Name),
    /// A variable was declared without a value, or a register holds what was left there.
    Uninitialised(Name),
    /// Fresh memory (`malloc`, a local aggregate) held it.
    Memory,
    /// Whether a call of this function, which allocates memory, fails.
    Allocation(Name),
    /// An argument of the first function, by its number, and its name.
    Argument(usize, Name),
    /// A function without a body wrote it into memory, as `scanf` does.
    Written {
        /// What was written, in C.
        target: String,
        /// Who wrote it, if a call is known to have.
        by: Option<Writer>,
        /// The first bytes that were written.
        bytes: Box<[u8]>,
    },
    /// Memory outside of the program held these bytes.
    Outside {
        /// Where.
        address: u64,
        /// The first bytes that were read.
        bytes: Box<[u8]>,
    },
    /// An object that an argument leads to held these bytes.
    Object {
        /// The object as C declares it.
        declared: String,
        /// The first bytes.
        bytes: Box<[u8]>,
    },
    /// Output of assembler, and so on.
    Environment(String),
}

/// A call of a function without a body that writes into memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writer {
    /// The function: the last call of it before the input.
    pub function: Name,
    /// The number of the argument that leads to what was written.
    pub argument: usize,
    /// Bytes between where that leads and the first byte that was written.
    pub offset: u64,
}

/// A value that the program was given.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Where it comes from.
    pub source: InputSource,
    /// The arguments of the call that returned it, in C.
    pub arguments: Vec<String>,
    /// Its type in C, spelled (`unsigned int`).
    pub c_type: String,
    /// The same as an id of the program.
    pub ctype: CTypeId,
    /// Its representation.
    pub scalar: Scalar,
    /// Its bits.
    pub value: Value,
    /// The value in C.
    pub text: String,
    /// Where it was asked for.
    pub place: Option<Place>,
}
