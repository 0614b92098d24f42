//! What lowering knows while it runs: the unit, the program so far, and where each variable and function went.
//!
//! Functions and globals enter the program when they are first referred to, and wait in queues until their bodies and
//! initialisers are lowered.

use crate::builtin::Builtin;
use crate::flow::{Flow, Node};
use crate::fold::READS_MEMORY;
use crate::layout::Class;
use base::{Diagnostic, Id, IdVec, Name, Span};
use cfa::{
    CType, CTypeId, ExprId, FuncId, Function, HavocSource, Init, MachineModel, Op, Program, Scalar, Storage,
    Unsupported, Var, VarId, VarKind,
};
use cfront::typed::{self, FunctionId, LabelId, StringId, StringLiteral};
use cfront::types::{ArrayLen, FunctionType, Type, TypeId, Types};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The parts of a typed unit that lowering reads.
pub(crate) struct Unit<'u> {
    pub types: &'u Types,
    pub vars: &'u IdVec<typed::VarId, typed::Var>,
    pub functions: &'u IdVec<FunctionId, typed::Function>,
    pub strings: &'u IdVec<StringId, StringLiteral>,
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
type PrototypeKey = (Vec<Scalar>, Option<Scalar>);

/// A jump, for finding declarations that it bypasses. Positions count statements.
#[derive(Clone, Copy)]
pub(crate) enum JumpTarget {
    Label(LabelId),
    Position(u32),
}

/// The function that is being lowered.
pub(crate) struct FnState<'u> {
    pub func: FuncId,
    pub flow: Flow,
    pub ret: Ret,
    /// Hidden parameter with the address of the variable arguments.
    pub va_param: Option<VarId>,
    pub breaks: Vec<Node>,
    pub continues: Vec<Node>,
    pub labels: Option<&'u IdVec<LabelId, typed::Label>>,
    pub label_nodes: Vec<Option<Node>>,
    pub label_positions: Vec<u32>,
    /// Location of each case and position of its switch.
    pub cases: Vec<Option<(Node, u32)>>,
    pub n_temps: u32,
    /// Number of the current statement.
    pub position: u32,
    /// Labels and cases passed so far.
    pub n_targets: u32,
    pub jumps: Vec<(u32, JumpTarget)>,
    /// Memory variables of open scopes: variable, position of the declaration, targets passed before it.
    pub scope: Vec<(VarId, u32, u32)>,
    /// Memory variables of closed scopes: variable, positions of declaration and end.
    pub declared: Vec<(VarId, u32, u32)>,
}

impl FnState<'_> {
    pub fn new(func: FuncId) -> Self {
        Self {
            func,
            flow: Flow::new(),
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
            n_targets: 0,
            jumps: Vec::new(),
            scope: Vec::new(),
            declared: Vec::new(),
        }
    }
}

/// State of lowering.
pub(crate) struct Lowerer<'u> {
    pub unit: &'u Unit<'u>,
    pub p: Program,
    pub machine: MachineModel,
    pub pointer_bits: u32,
    /// See [`Lowerer::reads`].
    pub reads: Vec<u8>,
    /// Whether a variable is a temporary that is assigned once before it is read.
    temps: Vec<bool>,
    places: Vec<Option<Place>>,
    funcs: Vec<Option<FuncId>>,
    /// The typed function of each function, in both directions with `funcs`.
    typed_funcs: IdVec<FuncId, Option<FunctionId>>,
    pub builtins: Vec<Option<Option<Builtin>>>,
    string_vars: FxHashMap<&'u [u8], VarId>,
    /// Bodies of C library functions by the names that programs use.
    library: FxHashMap<Name, FunctionId>,
    /// Functions made by lowering.
    made: FxHashMap<Name, FuncId>,
    pub function_queue: VecDeque<FunctionId>,
    pub global_queue: VecDeque<typed::VarId>,
    prototypes: FxHashMap<PrototypeKey, u32>,
    pub f: FnState<'u>,
    /// The other one of start function and current function.
    pub parked: Option<FnState<'u>>,
    pub in_start: bool,
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
    pub label_addresses: FxHashMap<(FuncId, LabelId), i128>,
}

impl<'u> Lowerer<'u> {
    pub fn new(unit: &'u Unit<'u>, mut p: Program) -> Self {
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
            span: Span::NONE,
        });
        p.start = start;
        let library = unit
            .functions
            .iter_enumerated()
            .filter(|(_, f)| f.body.is_some())
            .filter_map(|(id, f)| Some((Name::from(f.name.strip_prefix(crate::libc::PREFIX)?), id)))
            .collect();
        let mut prototypes = FxHashMap::default();
        prototypes.insert((Vec::new(), None), 0);
        Self {
            unit,
            machine: p.machine,
            pointer_bits: p.pointer_bits(),
            p,
            reads: Vec::new(),
            temps: Vec::new(),
            places: vec![None; unit.vars.len()],
            funcs: vec![None; unit.functions.len()],
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
            externs_end: None,
            ctypes: vec![None; unit.types.ids().count()],
            void_ctype,
            notes: Vec::new(),
            ignored_asm: (0, Span::NONE),
            n_label_addresses: 0,
            label_owner: None,
            label_addresses: FxHashMap::default(),
        }
    }

    // ------------------------------------------------------------------------------------------------- edges

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

    // --------------------------------------------------------------------------------------------- variables

    /// A new variable of the program.
    pub fn new_var(&mut self, var: Var) -> VarId {
        self.p.vars.push(var)
    }

    fn local(&mut self, name: Name, storage: Storage, kind: VarKind, ctype: CTypeId, span: Span) -> VarId {
        let func = Some(self.f.func);
        self.new_var(Var { name, func, storage, kind, ctype, init: None, span })
    }

    /// A register of the current function that is assigned before it is read, and not again before its last use.
    pub fn temp(&mut self, ty: Scalar, span: Span) -> VarId {
        let id = self.register(ty, "tmp", span);
        if self.temps.len() <= id.index() {
            self.temps.resize(id.index() + 1, false);
        }
        self.temps[id.index()] = true;
        id
    }

    /// A hidden register of the current function.
    pub fn register(&mut self, ty: Scalar, stem: &str, span: Span) -> VarId {
        self.f.n_temps += 1;
        let name = format!("{stem}${}", self.f.n_temps).into();
        self.local(name, Storage::Register(ty), VarKind::Temp, self.void_ctype, span)
    }

    /// A hidden object of the current function; a new instance begins here.
    pub fn temp_memory(&mut self, size: u64, align: u32, stem: &str, span: Span) -> VarId {
        self.f.n_temps += 1;
        let name = format!("{stem}${}", self.f.n_temps).into();
        let storage = Storage::Memory { size, align: align.max(1) };
        let var = self.local(name, storage, VarKind::Temp, self.void_ctype, span);
        self.emit(Op::Declare { var }, span);
        var
    }

    /// A named local of the current function.
    pub fn local_named(&mut self, name: Name, storage: Storage, kind: VarKind, ty: TypeId, span: Span) -> VarId {
        let ctype = self.ctype(ty);
        self.local(name, storage, kind, ctype, span)
    }

    /// Whether a variable is a temporary that is assigned once before it is read.
    pub fn is_temp(&self, var: VarId) -> bool {
        self.temps.get(var.index()).copied().unwrap_or(false)
    }

    /// The value in a form that later side effects can't change.
    pub fn stable(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.reads(e) == 0 {
            return e;
        }
        let temp = self.temp(self.ty(e), span);
        self.emit(Op::Assign { dst: temp, src: e }, span);
        self.var(temp)
    }

    /// The value in a form that later writes to memory can't change.
    pub fn stable_memory(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.reads(e) & READS_MEMORY == 0 { e } else { self.stable(e, span) }
    }

    /// Sets where a variable lives.
    pub fn set_place(&mut self, var: typed::VarId, place: Place) {
        self.places[var.index()] = Some(place);
    }

    /// Where a variable lives.
    pub fn place(&mut self, id: typed::VarId) -> Place {
        if let Some(place) = self.places[id.index()] {
            return place;
        }
        let var = &self.unit.vars[id];
        let place = match var.kind {
            typed::VarKind::Global | typed::VarKind::StaticLocal(_) | typed::VarKind::Extern => self.global_place(id),
            typed::VarKind::Local(_) | typed::VarKind::Param(_) | typed::VarKind::Temp(_) => self.local_place(var),
        };
        self.set_place(id, place);
        if var.kind == typed::VarKind::Extern {
            self.havoc_extern(id, place);
        }
        place
    }

    fn local_place(&mut self, var: &typed::Var) -> Place {
        let kind = if matches!(var.kind, typed::VarKind::Temp(_)) { VarKind::Temp } else { VarKind::Local };
        if self.is_variable_length(var.ty) {
            return Place::Pointer(self.register(Scalar::Ptr, &var.name, var.span));
        }
        match self.scalar(var.ty) {
            Some(ty) if !var.address_taken => {
                Place::Register(self.local_named(var.name.clone(), Storage::Register(ty), kind, var.ty, var.span))
            }
            _ => {
                let storage = self.memory(var);
                Place::Memory(self.local_named(var.name.clone(), storage, kind, var.ty, var.span))
            }
        }
    }

    /// Storage of a variable in memory; its initialiser may be longer than its type (flexible array members).
    pub fn memory(&self, var: &typed::Var) -> Storage {
        let size = self.size(var.ty).unwrap_or_else(|| self.pointee(var.ty).and_then(|e| self.size(e)).unwrap_or(1));
        let items = var.init.iter().flat_map(|init| &init.items);
        let end = items.map(|item| item.offset.saturating_add(self.item_size(item))).max().unwrap_or(0);
        Storage::Memory { size: size.max(end), align: var.align.unwrap_or(1).max(self.align(var.ty)).max(1) }
    }

    fn item_size(&self, item: &typed::InitItem) -> u64 {
        match (&item.value, item.bits) {
            (_, Some(bits)) => u64::from((bits.shift + bits.width).div_ceil(8)),
            (typed::InitValue::Bytes(bytes), None) => bytes.len() as u64,
            (typed::InitValue::Expr(e), None) => self.size(e.ty).unwrap_or(0),
        }
    }

    fn global_place(&mut self, id: typed::VarId) -> Place {
        let var = &self.unit.vars[id];
        let is_extern = var.kind == typed::VarKind::Extern;
        let name = match var.kind {
            typed::VarKind::StaticLocal(f) => format!("{}::{}", self.unit.functions[f].name, var.name).into(),
            _ => var.name.clone(),
        };
        let storage = match self.scalar(var.ty) {
            Some(ty) if !var.address_taken => Storage::Register(ty),
            None if is_extern && self.size(var.ty).is_none() => Storage::Register(Scalar::Ptr),
            _ => self.memory(var),
        };
        let by_pointer = is_extern && self.size(var.ty).is_none();
        let (kind, ctype) =
            if by_pointer { (VarKind::Temp, self.void_ctype) } else { (VarKind::Global, self.ctype(var.ty)) };
        let init = Some(Box::new(Init::default()));
        let lowered = self.new_var(Var { name, func: None, storage, kind, ctype, init, span: var.span });
        if !is_extern {
            self.global_queue.push_back(id);
        }
        match storage {
            Storage::Register(_) if by_pointer => Place::Pointer(lowered),
            Storage::Register(_) => Place::Register(lowered),
            Storage::Memory { .. } => Place::Memory(lowered),
        }
    }

    /// Whether the size of a type is known at run time only.
    pub fn is_variable_length(&self, mut ty: TypeId) -> bool {
        loop {
            match self.unit.types.get(ty) {
                Type::Array(_, ArrayLen::Variable(_)) => return true,
                Type::Array(elem, _) => ty = *elem,
                _ => return false,
            }
        }
    }

    /// The constant object with these bytes.
    pub fn string(&mut self, bytes: &'u [u8], align: u32) -> VarId {
        if let Some(var) = self.string_vars.get(bytes) {
            return *var;
        }
        let name = format!("string${}", self.string_vars.len() + 1).into();
        let init = Init { cells: Vec::new(), bytes: vec![(0, bytes.into())] };
        let var = self.new_var(Var {
            name,
            func: None,
            storage: Storage::Memory { size: bytes.len() as u64, align: align.max(1) },
            kind: VarKind::Literal,
            ctype: self.void_ctype,
            init: Some(Box::new(init)),
            span: Span::NONE,
        });
        self.string_vars.insert(bytes, var);
        var
    }

    // --------------------------------------------------------------------------------------------- functions

    /// The function that stands for `id`: library functions without a body get Hone's.
    pub fn resolve(&self, id: FunctionId) -> FunctionId {
        let f = &self.unit.functions[id];
        if f.body.is_some() {
            return id;
        }
        self.library.get(crate::libc::plain_name(&f.name)).copied().unwrap_or(id)
    }

    /// Hone's own body for a C library function, if its text is part of the unit.
    pub fn library_function(&self, name: &str) -> Option<FunctionId> {
        self.library.get(name).copied()
    }

    /// The function as part of the program.
    pub fn func(&mut self, id: FunctionId) -> FuncId {
        let id = self.resolve(id);
        if let Some(func) = self.funcs[id.index()] {
            return func;
        }
        let f = &self.unit.functions[id];
        let name = f.name.strip_prefix(crate::libc::PREFIX).map_or_else(|| f.name.clone(), Name::from);
        let (ret_ctype, param_ctypes, variadic) = match self.unit.types.get(f.ty) {
            Type::Function(ty) => {
                let params = ty.params.iter().map(|p| self.ctype(*p)).collect();
                (self.ctype(ty.ret), params, ty.variadic)
            }
            _ => (self.void_ctype, Vec::new(), false),
        };
        let signature = self.signature_of(id);
        let ty_key = self.ty_key(&signature);
        let func = self.p.functions.push(Function {
            name,
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key,
            ret_ctype,
            param_ctypes,
            variadic,
            address_taken: false,
            span: f.span,
        });
        self.typed_funcs.push(Some(id));
        self.funcs[id.index()] = Some(func);
        if f.body.is_some() {
            self.function_queue.push_back(id);
        }
        func
    }

    /// The typed function that a function was made of.
    pub fn typed_function(&self, func: FuncId) -> Option<FunctionId> {
        self.typed_funcs[func]
    }

    /// A function without a body that lowering calls under this name.
    pub fn made_function(&mut self, name: &str, ret_ctype: CTypeId) -> FuncId {
        if let Some(func) = self.made.get(name) {
            return *func;
        }
        let func = self.p.functions.push(Function {
            name: name.into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: u32::MAX,
            ret_ctype,
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            span: Span::NONE,
        });
        self.typed_funcs.push(None);
        self.made.insert(name.into(), func);
        func
    }

    fn passed(&self, ty: TypeId) -> Passed {
        match self.class(ty) {
            Class::Scalar(s) => Passed::Scalar(s),
            Class::Record { size, align } => Passed::Record { size, align },
            Class::Void | Class::Other => Passed::Void,
        }
    }

    /// How a function is called: by the parameters of its definition, otherwise by its type.
    pub fn signature_of(&self, id: FunctionId) -> Signature {
        let f = &self.unit.functions[id];
        let Type::Function(ty) = self.unit.types.get(f.ty) else {
            return Signature { ret: Passed::Void, params: Vec::new(), variadic: false };
        };
        let mut signature = self.signature(ty);
        if let Some(body) = &f.body {
            signature.params = body.params.iter().map(|p| self.passed(self.unit.vars[*p].ty)).collect();
        }
        signature
    }

    /// How a function of this type is called.
    pub fn signature(&self, ty: &FunctionType) -> Signature {
        Signature {
            ret: self.passed(ty.ret),
            params: ty.params.iter().map(|p| self.passed(*p)).collect(),
            variadic: ty.variadic,
        }
    }

    /// See [`Function::ty_key`].
    pub fn ty_key(&mut self, signature: &Signature) -> u32 {
        let plain = |s: Scalar| match s {
            Scalar::Int { bits, .. } => Scalar::Int { bits, signed: false },
            other => other,
        };
        let mut params = Vec::with_capacity(signature.params.len() + 2);
        let mut ret = None;
        match signature.ret {
            Passed::Record { .. } => params.push(Scalar::Ptr),
            Passed::Scalar(s) => ret = Some(plain(s)),
            Passed::Void => {}
        }
        params.extend(signature.params.iter().map(|p| match p {
            Passed::Scalar(s) => plain(*s),
            Passed::Record { .. } | Passed::Void => Scalar::Ptr,
        }));
        if signature.variadic {
            // `Bool` is no C type: it marks the hidden pointer.
            params.push(Scalar::Bool);
        }
        let next = self.prototypes.len() as u32;
        *self.prototypes.entry((params, ret)).or_insert(next)
    }

    /// Number that stands for `&&label` in the current function.
    pub fn label_address(&mut self, label: LabelId) -> i128 {
        let next = self.n_label_addresses;
        let owner = self.label_owner.unwrap_or(self.f.func);
        let address = *self.label_addresses.entry((owner, label)).or_insert(next);
        if address == next {
            self.n_label_addresses += 1;
        }
        4096 + 16 * address
    }
}
