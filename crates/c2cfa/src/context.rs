//! What lowering knows while it runs: the unit, the program so far, and where each variable and function went.
//!
//! Functions and globals enter the program when they are first referred to, and wait in queues until their bodies and
//! initialisers are lowered.
//!
//! In a circle with `scopes`: what a function knows of its blocks is part of its state.

use crate::environment::Environment;
use crate::frames::{ContractState, Frame};
use crate::handlers::Interrupts;
use crate::scopes::{Depth, Scopes};
use base::{Diagnostic, IdVec, Name, Span};
use cfa::flow::{Flow, Node};
use cfa::{
    CType, CTypeId, ExprId, FuncId, Function, HavocSource, MachineModel, Op, Outside, Program, Scalar, Unsupported,
    VarId,
};
use cfront::typed::{self, FunctionId, LabelId, StringId, StringLiteral};
use cfront::types::{RecordId, TypeId, Types};
use clib::known::Builtin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use syntax::unchecked::Unchecked;

/// Answers to a question about expressions, by the address of the expression.
pub(crate) type Memo = RefCell<FxHashMap<*const typed::Expr, bool>>;

/// The functions that pointers lead to, by those that they stand for.
pub(crate) type Thunks = FxHashMap<FunctionId, FunctionId>;

/// The parts of a typed unit that lowering reads.
pub(crate) struct Unit<'u> {
    pub types: &'u Types,
    pub vars: &'u IdVec<typed::VarId, typed::Var>,
    pub functions: &'u IdVec<FunctionId, typed::Function>,
    pub strings: &'u IdVec<StringId, StringLiteral>,
    pub unmodelled: &'u [(Name, String, Span)],
    pub thread_locals: &'u [Span],
    pub unchecked: &'u Unchecked,
    pub thunks: &'u Thunks,
}

/// Where a C variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In a register.
    Register(VarId),
    /// In an object of its own.
    Memory(VarId),
    /// In an object whose address this register holds (variable-length arrays, externs of unknown size).
    Pointer(VarId),
}

/// How a function returns its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ret {
    /// It has none.
    Void,
    /// In this register.
    Register(VarId),
    /// Through a pointer of the caller.
    Record { ptr: VarId, size: u64 },
}

/// A parameter or result as calls see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// No value.
    Void,
    /// A scalar.
    Scalar(Scalar),
    /// A record, by pointer.
    Record { size: u64, align: u32 },
}

/// How a function is called.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub ret: Passed,
    pub params: Vec<Passed>,
    pub variadic: bool,
}

/// Scalars of a prototype, for [`Function::ty_key`]; signedness doesn't matter to the ABI.
pub(crate) type PrototypeKey = (Vec<Scalar>, Option<Scalar>);

/// Where the arguments of the program are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    /// Register: address of the first pointer; null if there is no object.
    pub first: VarId,
    /// Register: address of the null pointer behind the last one.
    pub end: VarId,
    /// Register: whether the object holds what the program was given.
    pub are_given: VarId,
}

/// The function that is being lowered.
pub(crate) struct FnState<'u> {
    pub func: FuncId,
    pub flow: Flow,
    /// Whether its text is Hone's.
    pub is_library: bool,
    /// Whether calls of it check what it accesses.
    pub is_checked_by_caller: bool,
    /// Whether it divides what it is called with.
    pub divides_for_caller: bool,
    /// Whether it is declared not to return.
    pub never_returns: bool,
    pub ret: Ret,
    /// Hidden parameter with the address of the variable arguments.
    pub va_param: Option<VarId>,
    /// Where `break` and `continue` lead, with what is in scope there.
    pub breaks: Vec<(Node, Depth)>,
    pub continues: Vec<(Node, Depth)>,
    pub labels: Option<&'u IdVec<LabelId, typed::Label>>,
    pub label_nodes: Vec<Option<Node>>,
    pub label_positions: Vec<u32>,
    /// Location of each case, and what is in scope at its switch.
    pub cases: Vec<Option<(Node, Depth)>>,
    pub n_temps: u32,
    /// Number of the current statement.
    pub position: u32,
    /// Open blocks at each label.
    pub label_blocks: Vec<Vec<u32>>,
    pub scopes: Scopes,
    pub contract: ContractState,
}

impl FnState<'_> {
    pub fn new(func: FuncId) -> Self {
        Self {
            func,
            flow: Flow::new(),
            is_library: false,
            is_checked_by_caller: false,
            divides_for_caller: false,
            never_returns: false,
            ret: Ret::Void,
            va_param: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: None,
            label_nodes: Vec::new(),
            label_positions: Vec::new(),
            cases: Vec::new(),
            n_temps: 0,
            position: 0,
            label_blocks: Vec::new(),
            scopes: Scopes::default(),
            contract: ContractState::default(),
        }
    }
}

/// A call that a run made of a function of which only equal arguments are known, in global registers.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    pub is_used: VarId,
    pub args: Vec<VarId>,
    pub result: VarId,
}

/// State of lowering.
pub(crate) struct Lowerer<'u> {
    pub unit: &'u Unit<'u>,
    pub p: Program,
    /// What surrounds the program.
    pub environment: Environment,
    /// Where there are interrupts.
    pub interrupts: Option<Interrupts>,
    /// Functions and those that stand for them.
    pub replaced: FxHashMap<FunctionId, FunctionId>,
    /// Pointees of pointer arguments of the entry function, and the registers of these.
    pub argument_objects: Vec<(TypeId, VarId)>,
    /// See [`crate::LowerOptions::error_functions`].
    pub error_functions: Vec<Name>,
    /// Whether the program may have done anything before the entry function is called.
    pub begins_anywhere: bool,
    /// Whether what is lowered runs in an interrupt handler only.
    pub in_handler: bool,
    pub machine: MachineModel,
    pub pointer_bits: u32,
    /// See [`Lowerer::reads`].
    pub reads: Vec<u8>,
    /// Whether a variable is a temporary that is assigned once before it is read.
    pub temps: Vec<bool>,
    pub places: Vec<Option<Place>>,
    pub funcs: Vec<Option<FuncId>>,
    /// The functions that interrupt handlers call.
    pub handler_funcs: Vec<Option<FuncId>>,
    /// The typed function of each function, in both directions with `funcs`.
    pub typed_funcs: IdVec<FuncId, Option<FunctionId>>,
    pub builtins: Vec<Option<Option<Builtin>>>,
    pub string_vars: FxHashMap<&'u [u8], VarId>,
    /// Bodies of C library functions by the names that programs use.
    pub library: FxHashMap<Name, FunctionId>,
    /// Temporaries for records that calls return and nothing uses.
    pub unused_results: FxHashSet<VarId>,
    /// Functions made by lowering.
    pub made: FxHashMap<Name, FuncId>,
    /// Functions to lower, and whether for handlers.
    pub function_queue: VecDeque<(FunctionId, bool)>,
    pub global_queue: VecDeque<typed::VarId>,
    pub prototypes: FxHashMap<PrototypeKey, u32>,
    pub f: FnState<'u>,
    /// The other one of start function and current function.
    pub parked: Option<FnState<'u>>,
    pub in_start: bool,
    /// Number of destructors that have begun, where there are any.
    pub destructors_begun: Option<VarId>,
    /// What `main` is called with, and constructors before it.
    pub program_arguments: Vec<ExprId>,
    /// Arguments of the program, and whether they may be changed by it.
    pub arguments: Option<Arguments>,
    pub may_change_arguments: bool,
    /// Records that functions of C's library return, and whether pointers in one lead to pointers.
    pub library_records: FxHashSet<RecordId>,
    pub has_library_vectors: bool,
    /// Number of live heap blocks, where something asks for it.
    pub blocks: Option<VarId>,
    /// Frames of contracts, for the functions that are called in them.
    pub frames: Vec<Frame>,
    /// Calls that functions without a meaning remember.
    pub uninterpreted: FxHashMap<FuncId, Vec<Remembered>>,
    /// Results of functions without a meaning that take few different arguments, and whether they were chosen.
    pub tables: FxHashMap<FuncId, (VarId, VarId)>,
    /// Whether the program uses names of CBMC's dialect.
    pub is_cprover: bool,
    /// End of the part of the start function that sets external variables.
    pub externs_end: Option<Node>,
    pub ctypes: Vec<Option<CTypeId>>,
    pub void_ctype: CTypeId,
    pub notes: Vec<Diagnostic>,
    /// Number of ignored assembler statements and the first of them.
    pub ignored_asm: (usize, Span),
    pub n_label_addresses: i128,
    /// The function whose labels the initialiser at hand names.
    pub label_owner: Option<FuncId>,
    /// Whether the initialiser of a static variable that is being lowered reads an automatic one; `None` elsewhere.
    pub reads_automatic: Option<bool>,
    pub label_addresses: FxHashMap<(FuncId, LabelId), i128>,
    /// See [`Lowerer::has_effects`] and [`Lowerer::is_simple`].
    pub effects: Memo,
    pub simple: Memo,
}

impl<'u> Lowerer<'u> {
    pub fn new(unit: &'u Unit<'u>, mut p: Program, environment: Environment) -> Self {
        let void_ctype = p.ctypes.add(CType::Void, 0);
        let start = p.functions.push(Function {
            name: "__start".into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: 0,
            ret_ctype: void_ctype,
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            outside: Outside::Unknown,
            span: Span::NONE,
        });
        p.start = start;
        let library = unit
            .functions
            .iter_enumerated()
            .filter(|(_, f)| f.body.is_some())
            .filter_map(|(id, f)| Some((Name::from(f.name.strip_prefix(clib::libc::PREFIX)?), id)))
            .collect();
        let mut prototypes = FxHashMap::default();
        prototypes.insert((Vec::new(), None), 0);
        Self {
            unit,
            machine: p.machine,
            pointer_bits: p.pointer_bits(),
            p,
            environment,
            interrupts: None,
            error_functions: Vec::new(),
            begins_anywhere: false,
            in_handler: false,
            replaced: FxHashMap::default(),
            argument_objects: Vec::new(),
            reads: Vec::new(),
            temps: Vec::new(),
            places: vec![None; unit.vars.len()],
            funcs: vec![None; unit.functions.len()],
            handler_funcs: vec![None; unit.functions.len()],
            typed_funcs: IdVec::from_elem(None, 1),
            builtins: vec![None; unit.functions.len()],
            string_vars: FxHashMap::default(),
            library,
            made: FxHashMap::default(),
            function_queue: VecDeque::new(),
            global_queue: VecDeque::new(),
            prototypes,
            f: FnState::new(start),
            parked: None,
            in_start: true,
            destructors_begun: None,
            arguments: None,
            program_arguments: Vec::new(),
            may_change_arguments: false,
            library_records: FxHashSet::default(),
            unused_results: FxHashSet::default(),
            has_library_vectors: false,
            blocks: None,
            frames: Vec::new(),
            uninterpreted: FxHashMap::default(),
            tables: FxHashMap::default(),
            is_cprover: unit.functions.iter().any(|f| f.name.starts_with("__CPROVER_")),
            externs_end: None,
            ctypes: vec![None; unit.types.ids().count()],
            void_ctype,
            notes: Vec::new(),
            ignored_asm: (0, Span::NONE),
            n_label_addresses: 0,
            label_owner: None,
            reads_automatic: None,
            label_addresses: FxHashMap::default(),
            effects: Memo::default(),
            simple: Memo::default(),
        }
    }

    /// See [`Flow::emit`].
    pub fn emit(&mut self, op: Op, span: Span) {
        self.f.flow.emit(op, span);
    }

    /// See [`Flow::goto`].
    pub fn goto(&mut self, target: Node, span: Span) {
        self.f.flow.goto(target, span);
    }

    /// See [`Flow::enter`].
    pub fn enter(&mut self, node: Node) {
        self.f.flow.enter(node);
    }

    /// A new location.
    pub fn node(&mut self) -> Node {
        self.f.flow.node()
    }

    /// Whether control can be here.
    pub fn is_reachable(&self) -> bool {
        self.f.flow.cur.is_some()
    }

    /// Register := expression, converted to the register's type.
    pub fn assign(&mut self, dst: VarId, src: ExprId, span: Span) {
        let ty = self.p.vars[dst].register().unwrap_or(Scalar::Ptr);
        let src = self.cast(src, ty);
        self.emit(Op::Assign { dst, src }, span);
    }

    /// Memory := expression.
    pub fn store(&mut self, addr: ExprId, value: ExprId, span: Span) {
        self.emit(Op::Store { addr, value }, span);
    }

    /// Register := any value of the C type; `_Bool` gets 0 or 1.
    pub fn havoc(&mut self, dst: VarId, ty: Option<TypeId>, source: HavocSource, span: Span) {
        self.emit(Op::Havoc { dst, source }, span);
        if ty.is_some_and(|ty| self.is_bool(ty)) {
            let value = self.var(dst);
            let truth = self.truth(value);
            self.assign(dst, truth, span);
        }
    }

    /// Ends the path at what is not modelled.
    pub fn unsupported(&mut self, construct: &str, detail: impl Into<String>, span: Span) {
        if self.is_reachable() {
            let id = self.p.unsupported.push(Unsupported { construct: construct.into(), detail: detail.into(), span });
            self.emit(Op::Unsupported(id), span);
        }
    }
}
