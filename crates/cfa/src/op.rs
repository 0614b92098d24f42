//! Operations on edges.
//!
//! In a circle with `expr`, `program`, `repeat` and `threads`: operations name variables and functions of the program whose edges have them.

use crate::check::Check;
use crate::expr::ExprId;
use crate::program::{FuncId, VarId};
use crate::repeat::Repeat;
use base::{Name, Span, new_id};

new_id! {
    /// A construct that is not modelled; index into [`crate::Program::unsupported`].
    pub struct UnsupportedId;
}

/// A construct of the source that is not modelled soundly. Reaching it makes the verdict `unknown`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Kind of construct, such as `setjmp`: at most a few dozen different ones.
    pub construct: Name,
    /// What exactly, for the user.
    pub detail: String,
    /// Where.
    pub span: Span,
}

/// Where an arbitrary value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum HavocSource {
    /// A local variable that was declared without a value, or a padding byte.
    Uninitialised,
    /// Output of inline assembler.
    Asm,
    /// Whether an allocation fails; the register has the name of the function that allocates.
    Allocation,
    /// Anything else that the model leaves open (arguments of `main`, …).
    Environment,
    /// What lies where no object is: a machine may go on there; a concrete run ends with [`Undefined::InvalidAccess`].
    Unmapped,
}

/// Undefined behaviour that ends a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Undefined {
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// Shift by a negative amount or by at least the width.
    ShiftOutOfRange,
    /// A function of C's library whose result does not fit its type.
    LibraryOverflow,
    /// Access outside of every live object, through null included.
    InvalidAccess,
    /// Access to a heap object after it was freed. Only concrete runs tell it from `InvalidAccess`.
    FreedAccess,
    /// `free` of what was not allocated or was freed before.
    InvalidFree,
    /// Call through a pointer that is not the address of a function of a fitting type.
    InvalidCall,
    /// `__builtin_unreachable` or the end of a non-void function whose value is used.
    Unreachable,
    /// Size of a variable-length array or an allocation out of range.
    InvalidSize,
    /// Allocation of more bytes than objects of programs in CBMC's dialect have.
    LargeAllocation,
    /// Write outside of the object that the pointer belongs to, or to one that is no longer alive.
    OutsideWrite,
}

impl Undefined {
    /// Whether runs that meet it are left out of what is proved, and listed: a processor traps there, or shifts in its own way.
    ///
    /// Other undefined behaviour goes on in some way that may matter and is not followed.
    pub fn is_excluded(self) -> bool {
        use Undefined::{
            DivisionByZero, InvalidAccess, InvalidCall, LargeAllocation, LibraryOverflow, ShiftOutOfRange,
        };
        matches!(
            self,
            DivisionByZero | InvalidAccess | InvalidCall | LargeAllocation | LibraryOverflow | ShiftOutOfRange
        )
    }

    /// The kind of checks that speaks of it.
    pub fn check(self) -> Option<Check> {
        match self {
            Undefined::DivisionByZero => Some(Check::Division),
            Undefined::ShiftOutOfRange => Some(Check::Shift),
            Undefined::InvalidAccess | Undefined::FreedAccess | Undefined::OutsideWrite | Undefined::InvalidSize => {
                Some(Check::Memory)
            }
            Undefined::InvalidFree => Some(Check::Free),
            Undefined::InvalidCall => Some(Check::Call),
            Undefined::Unreachable => Some(Check::Return),
            Undefined::LargeAllocation | Undefined::LibraryOverflow => None,
        }
    }
}

/// What kind of storage `Alloc` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AllocKind {
    /// `malloc` and friends: lives until freed. The content is arbitrary.
    Heap,
    /// `calloc`: as `Heap`, all bytes zero.
    HeapZeroed,
    /// `alloca` and variable-length arrays: lives until the function returns, or its block ends. The content is arbitrary.
    Stack,
}

/// How far an operation reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// So many bytes from its address on.
    Bytes(u64),
    /// All of the object into which its address leads, also what lies before that.
    Object,
}

impl Reach {
    /// Bytes from the address on that have to be valid.
    pub fn least(self) -> u64 {
        match self {
            Reach::Bytes(len) => len,
            Reach::Object => 1,
        }
    }
}

impl From<u64> for Reach {
    fn from(len: u64) -> Self {
        Reach::Bytes(len)
    }
}

/// A side-effect-free operation, except for what it says it assigns. Registers are scalar variables whose address is not taken;
/// everything else lives in memory objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Register := expression of the same type.
    Assign { dst: VarId, src: ExprId },
    /// Register := any value of its type.
    Havoc { dst: VarId, source: HavocSource },
    /// Blocks unless the `Bool` expression has the truth value. A branch is a location with two complementary assumes.
    Assume { cond: ExprId, truth: bool },
    /// Writes the scalar `value` (with its expression's type) to memory.
    Store { addr: ExprId, value: ExprId },
    /// Copies `len` bytes; the ranges may overlap (`memmove`).
    MemCopy { dst: ExprId, src: ExprId, len: u64 },
    /// Sets `len` bytes to the low byte of `byte` (an integer expression).
    MemSet { dst: ExprId, byte: ExprId, len: u64 },
    /// Sets bytes to arbitrary values.
    MemHavoc { dst: ExprId, len: Reach, source: HavocSource },
    /// `dst` := address of a new object of `size` bytes (an unsigned integer expression of pointer width), a multiple of `align` (a power of two,
    /// [`crate::layout::ALLOCATED`] at least). Never null.
    Alloc { dst: VarId, size: ExprId, align: u32, kind: AllocKind },
    /// `dst` := `realloc(ptr, size)`; new bytes are arbitrary, the old object is freed.
    Realloc { dst: VarId, ptr: ExprId, size: ExprId },
    /// Ends the life of an object that was allocated, of this kind: what `free` gets, or a variable-length array at the end of its
    /// block (`Stack`). Null is allowed and does nothing.
    Free { ptr: ExprId, kind: AllocKind },
    /// A new, uninitialised instance of a local memory variable begins; the last one of this frame ends.
    Declare { var: VarId },
    /// The instance of a local memory variable ends.
    EndScope { var: VarId },
    /// Calls a function that has a body; `args` are assigned to its parameter registers (same number, same types).
    Call { func: FuncId, args: Box<[ExprId]>, dst: Option<VarId> },
    /// Calls through a pointer. `ty_key` is equal for call sites and functions of compatible prototypes
    /// (see [`crate::Function::ty_key`]). Call resolution replaces it by branches over the possible functions.
    CallPtr { callee: ExprId, args: Box<[ExprId]>, dst: Option<VarId>, ty_key: u32 },
    /// Calls a function without a body: `dst` gets any value (a pointer: null, external memory, or an object that
    /// escaped to external code), nothing else changes. Inputs (`__VERIFIER_nondet_*`) are such calls; the interpreter
    /// carries out the output functions of C's library.
    CallExtern { func: FuncId, args: Box<[ExprId]>, dst: Option<VarId> },
    /// Undefined behaviour: the path ends, and a note is kept. The edge's target is the function's exit and is never reached.
    Undefined(Undefined),
    /// Iterations of an accelerated path, as far as they read memory at moving places and write there.
    Repeat(Box<Repeat>),
    /// `abort`, `exit`, a failed assumption: the program ends; the target as for `Undefined`.
    Halt,
    /// Not modelled; the path ends and the verdict can't be `true`. The target as for `Undefined`.
    Unsupported(UnsupportedId),
}

/// A call through a pointer.
#[derive(Clone, Copy, Debug)]
pub struct PointerCall<'a> {
    /// The pointer.
    pub callee: ExprId,
    /// Arguments.
    pub args: &'a [ExprId],
    /// Register for the result.
    pub dst: Option<VarId>,
    /// See [`Op::CallPtr`].
    pub ty_key: u32,
}

impl PointerCall<'_> {
    /// Whether the call works with this function: its type is that of the call, or the function takes the first of the arguments
    /// and gives a fitting result, as on machines (`void f()` called with arguments that it ignores).
    pub fn fits(&self, program: &crate::Program, func: FuncId) -> bool {
        let function = &program.functions[func];
        if function.ty_key == self.ty_key {
            return true;
        }
        let register = |var: VarId| program.vars[var].register();
        let result = match (self.dst, function.ret) {
            (None, _) => true,
            (Some(dst), Some(ret)) => register(dst) == register(ret),
            (Some(_), None) => false,
        };
        let params = function.params.iter().map(|param| register(*param));
        let args = self.args.iter().map(|arg| Some(program.exprs.ty(*arg)));
        function.body.is_some()
            && !function.variadic
            && result
            && function.params.len() <= self.args.len()
            && params.zip(args).all(|(param, arg)| param == arg)
    }
}

impl Op {
    /// The call through a pointer that this is.
    pub fn as_pointer_call(&self) -> Option<PointerCall<'_>> {
        match self {
            Op::CallPtr { callee, args, dst, ty_key } => {
                Some(PointerCall { callee: *callee, args, dst: *dst, ty_key: *ty_key })
            }
            _ => None,
        }
    }

    /// Whether the path ends here.
    pub fn ends_path(&self) -> bool {
        matches!(self, Op::Undefined(_) | Op::Halt | Op::Unsupported(_))
    }

    /// The register that is assigned, if any.
    pub fn assigned(&self) -> Option<VarId> {
        match self {
            Op::Assign { dst, .. } | Op::Havoc { dst, .. } | Op::Alloc { dst, .. } | Op::Realloc { dst, .. } => {
                Some(*dst)
            }
            Op::Call { dst, .. } | Op::CallPtr { dst, .. } | Op::CallExtern { dst, .. } => *dst,
            _ => None,
        }
    }

    /// Calls `f` for each expression that the operation evaluates directly, in order.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId)) {
        match self {
            Op::Skip | Op::Havoc { .. } | Op::Declare { .. } | Op::EndScope { .. } => {}
            Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => {}
            Op::Assign { src, .. } => f(*src),
            Op::Assume { cond, .. } => f(*cond),
            Op::Store { addr, value } => {
                f(*addr);
                f(*value);
            }
            Op::MemCopy { dst, src, .. } => {
                f(*dst);
                f(*src);
            }
            Op::MemSet { dst, byte, .. } => {
                f(*dst);
                f(*byte);
            }
            Op::MemHavoc { dst, .. } => f(*dst),
            Op::Repeat(repeat) => repeat.for_each_expr(f),
            Op::Alloc { size, .. } => f(*size),
            Op::Realloc { ptr, size, .. } => {
                f(*ptr);
                f(*size);
            }
            Op::Free { ptr, .. } => f(*ptr),
            Op::Call { args, .. } | Op::CallExtern { args, .. } => args.iter().copied().for_each(f),
            Op::CallPtr { callee, args, .. } => {
                f(*callee);
                args.iter().copied().for_each(f);
            }
        }
    }
}
