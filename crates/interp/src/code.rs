//! Compact code: what the interpreter executes instead of walking expressions.
//!
//! All registers live in one array of 128-bit cells: first the constants and the global registers, then the frames. A frame
//! holds its function's registers; behind the top frame lie the temporaries of the edge at hand. An operand is an index into
//! that array, with [`LOCAL`] set when it counts from the base of the current frame.

use cfa::{Access, BinOp, EdgeId, FuncId, LocId, Scalar, UnOp};

/// Index of a cell; see the module.
pub(crate) type Operand = u32;

/// Marks operands that count from the base of the frame.
pub(crate) const LOCAL: Operand = 1 << 31;

/// Position in the array of cells.
#[inline(always)]
pub(crate) fn cell(base: usize, operand: Operand) -> usize {
    (operand & !LOCAL) as usize + if operand & LOCAL != 0 { base } else { 0 }
}

/// What an instruction does. All but the last three work on values of up to 64 bits; `w` is the width of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    Move,
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    RemS,
    RemU,
    Shl,
    ShrS,
    ShrU,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    LtS,
    LtU,
    LeS,
    LeU,
    Neg,
    BitNot,
    Not,
    /// Cuts to `w` bits.
    Mask,
    /// Extends the sign of `aux` bits to `w` bits.
    SignExtend,
    F64Add,
    F64Sub,
    F64Mul,
    F64Div,
    F64Lt,
    F64Le,
    F64Eq,
    F32Add,
    F32Sub,
    F32Mul,
    F32Div,
    /// Reads `aux` bytes.
    Load,
    /// Whether an access ([`access`] of `aux`) to `b` bytes at `a` is valid.
    Valid,
    /// Whether all heap objects can be reached; the interpreter answers.
    Tracked,
    /// `a` ? `b` : `c`.
    Ite,
    /// Entry `c` of the table of general operations, for all widths.
    General,
}

/// The access that an instruction asks about.
pub(crate) fn access(aux: u8) -> Access {
    [Access::Read, Access::Write, Access::Free][usize::from(aux)]
}

/// An instruction: `dst := code(a, b, c)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instr {
    pub code: Code,
    /// 64 minus the width.
    pub shift: u8,
    pub aux: u8,
    pub dst: Operand,
    pub a: Operand,
    pub b: Operand,
    pub c: u32,
}

/// Operations that need [`cfa::eval`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum General {
    Unary(UnOp, Scalar),
    Binary(BinOp, Scalar),
    Cast(Scalar, Scalar),
}

/// What an edge does after its instructions. Assignments are done by the instructions alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    None,
    /// Blocks unless the cell holds `truth`.
    Assume {
        cond: Operand,
        truth: bool,
    },
    Store {
        addr: Operand,
        value: Operand,
        bytes: u8,
    },
    /// Calls a function with a body; arguments from `args` on in the table of operands.
    Call {
        func: FuncId,
        args: u32,
    },
    /// Everything else: look at the operation; its expressions' values are from `args` on in the table of operands.
    Other {
        args: u32,
    },
}

/// A compiled edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeCode {
    /// Instructions.
    pub start: u32,
    /// End of the instructions.
    pub end: u32,
    pub action: Action,
    pub dst: LocId,
    pub edge: EdgeId,
    /// Whether the observer may react.
    pub observed: bool,
}

/// A compiled location.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LocCode {
    /// Not compiled yet.
    New,
    /// One edge.
    One(u32),
    /// Instructions, and the edges for true and false.
    Branch { start: u32, end: u32, cond: Operand, then: u32, other: u32 },
    /// Several edges, the first that is not blocked is taken.
    Many { first: u32, len: u32 },
    /// Exit of the function.
    Exit,
}
