//! Programs: functions, variables, locations, edges.
//!
//! In a circle with `expr`, `op`, `repeat` and `threads`: a program consists of them, and they name its parts by number.

use crate::check::Check;
use crate::ctype::{CTypeId, CTypes};
use crate::expr::ExprPool;
use crate::op::{Op, Unsupported, UnsupportedId};
use crate::threads::Threads;
use crate::value::{Scalar, Value};
use base::{ByteOrder, IdVec, Name, SourceMap, Span, new_id};
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

new_id! {
    /// A function, with or without a body.
    pub struct FuncId;
    /// A control location; belongs to one function.
    pub struct LocId;
    /// An edge between two locations of one function.
    pub struct EdgeId;
    /// A variable: global, local, parameter or temporary.
    pub struct VarId;
}

/// Sizes that depend on the data model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MachineModel {
    /// 32-bit `int`, `long` and pointers (i386 System V ABI).
    Ilp32,
    /// 64-bit `long` and pointers (x86-64 System V ABI).
    Lp64,
    /// 32-bit `int` and `long`, 64-bit pointers (x86-64 Windows).
    Llp64,
    /// 16-bit `int`, 32-bit `long` and pointers (machines of 16 bits).
    Lp32,
}

impl MachineModel {
    /// Width of a pointer and `size_t`.
    pub const fn pointer_bits(self) -> u32 {
        match self {
            MachineModel::Ilp32 | MachineModel::Lp32 => 32,
            MachineModel::Lp64 | MachineModel::Llp64 => 64,
        }
    }

    /// `int`
    pub const fn int(self) -> Scalar {
        Scalar::Int { bits: self.int_bits() as u16, signed: true }
    }

    /// Width of `int`.
    pub const fn int_bits(self) -> u32 {
        match self {
            MachineModel::Ilp32 | MachineModel::Lp64 | MachineModel::Llp64 => 32,
            MachineModel::Lp32 => 16,
        }
    }

    /// Width of `long`.
    pub const fn long_bits(self) -> u32 {
        match self {
            MachineModel::Ilp32 | MachineModel::Llp64 | MachineModel::Lp32 => 32,
            MachineModel::Lp64 => 64,
        }
    }
}

/// What a variable is to the user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// Global or static variable; `Init` applies.
    Global,
    /// Local variable of the source.
    Local,
    /// Parameter of the source.
    Param,
    /// The value that a function returns.
    Return,
    /// Made by lowering; not shown to users.
    Temp,
    /// A string literal, or another constant object without a name.
    Literal,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Scalar whose address is never taken; one instance for each stack frame (or one, if global).
    Register(Scalar),
    /// Memory object.
    Memory {
        /// Size in bytes.
        size: u64,
        /// Alignment in bytes, a power of two.
        align: u32,
    },
}

/// A constant in the initialiser of a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitValue {
    /// A number.
    Scalar(Value),
    /// Address of a global memory variable plus bytes.
    Address(VarId, i64),
    /// Address of a function.
    Function(FuncId),
}

/// Initial content of a global; what it does not mention is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Init {
    /// Offset in bytes, type and value; ascending offsets without overlap. A register has at most one cell, at 0.
    pub cells: Vec<(u64, Scalar, InitValue)>,
    /// Runs of bytes (string literals, large byte arrays): offset and content.
    pub bytes: Vec<(u64, Box<[u8]>)>,
    /// Whether the content stays what it is: the object is `const`, and linkers put it where nothing can be written.
    pub stays: bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Name in the source, or a readable made-up one for temporaries.
    pub name: Name,
    /// Owner; `None` for globals. A static local belongs to no function, but its name is `function::name`.
    pub func: Option<FuncId>,
    /// Where it lives.
    pub storage: Storage,
    /// What it is to the user.
    pub kind: VarKind,
    /// Its C type, for printing values.
    pub ctype: CTypeId,
    /// Initial content of a global.
    pub init: Option<Box<Init>>,
    /// Its declaration.
    pub span: Span,
}

impl Var {
    /// The type of a register.
    pub fn register(&self) -> Option<Scalar> {
        match self.storage {
            Storage::Register(ty) => Some(ty),
            Storage::Memory { .. } => None,
        }
    }

    /// Whether programs must not write to it.
    pub fn is_read_only(&self) -> bool {
        self.kind == VarKind::Literal || self.init.as_ref().is_some_and(|init| init.stays)
    }

    /// Whether it is a register that lowering made and gave a name: an array's place on the stack, a switch; others have numbers.
    pub fn is_named_temporary(&self) -> bool {
        self.kind == VarKind::Temp && !self.name.starts_with("tmp$")
    }

    /// Whether it exists once, for the whole run.
    pub fn is_global(&self) -> bool {
        self.func.is_none()
    }
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Function that it belongs to.
    pub func: FuncId,
    /// Outgoing edges.
    pub out: Vec<EdgeId>,
    /// Incoming edges.
    pub inc: Vec<EdgeId>,
    /// Labels of the source at this location.
    pub labels: Vec<Name>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source.
    pub src: LocId,
    /// Target.
    pub dst: LocId,
    /// Operation.
    pub op: Op,
    /// Statement or expression that it comes from.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: Name,
    /// Parameter registers, in order (hidden ones of lowering included).
    pub params: Vec<VarId>,
    /// Register that holds the result at the exit.
    pub ret: Option<VarId>,
    /// Automaton; `None` for functions without a body.
    pub body: Option<Body>,
    /// Equal for functions and call sites that fit each other's prototype in the ABI (number and scalar types of parameters
    /// and result after lowering).
    pub ty_key: u32,
    /// Result type in C, for harnesses and reports.
    pub ret_ctype: CTypeId,
    /// Parameter types in C.
    pub param_ctypes: Vec<CTypeId>,
    /// Whether `...` follows the parameters.
    pub variadic: bool,
    /// Whether its address is taken somewhere.
    pub address_taken: bool,
    /// What it does with pointers, if it has no body.
    pub outside: Outside,
    /// Definition or declaration.
    pub span: Span,
}

/// What a function without a body does with pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// It may keep those that it gets, and return them at any time.
    Unknown,
    /// It keeps none; those that it returns are to memory that is not the program's.
    KeepsNothing,
    /// As that, but it keeps what is stored where this argument points to, which may be pointers.
    KeepsContent(u8),
}

/// Entry and exit of a function's automaton. Every `return` leads to the one exit, which has no outgoing edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// First location.
    pub entry: LocId,
    /// Last location.
    pub exit: LocId,
}

/// A program as control-flow automata.
#[derive(Clone, Debug)]
pub struct Program {
    /// Data model.
    pub machine: MachineModel,
    /// How the bytes of scalars lie in memory.
    pub byte_order: ByteOrder,
    /// Functions.
    pub functions: IdVec<FuncId, Function>,
    /// Variables of all functions.
    pub vars: IdVec<VarId, Var>,
    /// Locations of all functions.
    pub locs: IdVec<LocId, Location>,
    /// Edges of all functions.
    pub edges: IdVec<EdgeId, Edge>,
    /// Expressions.
    pub exprs: ExprPool,
    /// C types for printing.
    pub ctypes: CTypes,
    /// Constructs that are not modelled.
    pub unsupported: IdVec<UnsupportedId, Unsupported>,
    /// Start function made by lowering: gives arbitrary arguments to the entry function (`main`) and calls it; then `Halt`.
    pub start: FuncId,
    /// Edges at which a run must not end by undefined behaviour, as runs do elsewhere: one that does makes the verdict `unknown`.
    /// Conditions that were added to be shown are such edges; a run that ended there would show nothing.
    pub must_be_defined: BTreeSet<EdgeId>,
    /// Kinds of checks that are explicit.
    pub checks: Vec<Check>,
    /// Whether `malloc` and its like may return null.
    pub allocation_may_fail: bool,
    /// Whether functions and loops are checked by contracts: then there are hardly loops but those of quantifiers, over whole arrays.
    pub has_contracts: bool,
    /// Memory variables whose addresses, and registers whose values, are known outside of the program although its operations don't show it any
    /// more, because a transformation left them out.
    pub known_outside: Vec<VarId>,
    /// Addresses of registers of hardware, where no object lies.
    pub hardware: Vec<RangeInclusive<u64>>,
    /// What lowering took for granted because it was told to: in words, and where it matters.
    pub assumed: Vec<(Name, Span)>,
    /// Parts of the text where accesses to memory are not checked, although they are elsewhere.
    pub unchecked: Vec<Range<u32>>,
    /// Threads that may share memory with others, as far as anybody has looked.
    pub threads: Option<Threads>,
    /// Whether functions without a body write to what their arguments lead to.
    pub outside_writes: bool,
    /// Source text and positions.
    pub source: SourceMap,
}

/// Name of the function, made by lowering, that runs interrupt handlers or none.
pub const INTERRUPTS: &str = "<interrupt>";

impl Program {
    /// A program without functions, with the bytes of scalars in ascending order; the caller sets `start`.
    pub fn new(machine: MachineModel, source: SourceMap) -> Self {
        Self {
            machine,
            byte_order: ByteOrder::Little,
            functions: IdVec::new(),
            vars: IdVec::new(),
            locs: IdVec::new(),
            edges: IdVec::new(),
            exprs: ExprPool::default(),
            ctypes: CTypes::default(),
            unsupported: IdVec::new(),
            start: base::Id::from_index(0),
            must_be_defined: BTreeSet::new(),
            checks: Vec::new(),
            allocation_may_fail: false,
            has_contracts: false,
            known_outside: Vec::new(),
            hardware: Vec::new(),
            assumed: Vec::new(),
            unchecked: Vec::new(),
            threads: None,
            outside_writes: false,
            source,
        }
    }

    /// Whether accesses to memory are not checked at a place, although they are elsewhere.
    pub fn is_unchecked(&self, span: Span) -> bool {
        self.unchecked.iter().any(|part| part.contains(&span.lo))
    }

    /// Whether a function is one of the library that comes with the program, and no function of the user's that has the same name.
    pub fn is_of_library(&self, func: FuncId) -> bool {
        self.functions[func].span.lo as usize >= self.source.user_text().len()
    }

    /// Width of pointers in bits.
    pub fn pointer_bits(&self) -> u32 {
        self.machine.pointer_bits()
    }

    /// The unsigned integer type that is as wide as pointers.
    pub fn address_type(&self) -> Scalar {
        Scalar::Int { bits: self.pointer_bits() as u16, signed: false }
    }

    /// A new location of `func`.
    pub fn add_loc(&mut self, func: FuncId) -> LocId {
        self.locs.push(Location { func, out: Vec::new(), inc: Vec::new(), labels: Vec::new() })
    }

    /// A new edge; both ends learn of it.
    pub fn add_edge(&mut self, src: LocId, dst: LocId, op: Op, span: Span) -> EdgeId {
        let id = self.edges.push(Edge { src, dst, op, span });
        self.locs[src].out.push(id);
        self.locs[dst].inc.push(id);
        id
    }

    /// A new location that the edges that leave `loc` leave instead. Nothing leads there yet.
    pub fn split(&mut self, loc: LocId) -> LocId {
        let next = self.add_loc(self.locs[loc].func);
        let out = std::mem::take(&mut self.locs[loc].out);
        for edge in &out {
            self.edges[*edge].src = next;
        }
        self.locs[next].out = out;
        next
    }

    /// Carries out `op` behind an edge; the location between both.
    pub fn append(&mut self, edge: EdgeId, op: Op) -> LocId {
        let (end, span) = (self.edges[edge].dst, self.edges[edge].span);
        let between = self.add_loc(self.locs[end].func);
        self.edges[edge].dst = between;
        self.locs[end].inc.retain(|e| *e != edge);
        self.locs[between].inc.push(edge);
        self.add_edge(between, end, op, span);
        between
    }

    /// A new register of `func` that no text of the program names.
    pub fn add_register(&mut self, func: FuncId, name: &str, ty: Scalar) -> VarId {
        let (ctype, span) = (self.functions[func].ret_ctype, self.functions[func].span);
        let (name, storage, kind) = (name.into(), Storage::Register(ty), VarKind::Temp);
        self.vars.push(Var { name, func: Some(func), storage, kind, ctype, init: None, span })
    }

    /// The function with this name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter_enumerated().find(|(_, f)| &*f.name == name).map(|(id, _)| id)
    }
}
