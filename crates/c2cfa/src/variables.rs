//! Variables of the program: temporaries, locals, globals, string literals, and where each C variable went.

use crate::context::{Lowerer, Place};
use crate::fold::READS_MEMORY;
use base::{Id, Name, Span};
use cfa::{BinOp, CTypeId, ExprId, ExprKind, Init, Op, Scalar, Storage, Var, VarId, VarKind};
use cfront::typed;
use cfront::types::{ArrayLen, Type, TypeId};

/// What is said of an initialiser that depends on automatic variables, which compilers refuse.
pub(crate) const NOT_CONSTANT: &str = "initializer that is not constant";

impl<'u> Lowerer<'u> {
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

    /// The value in a form that later side effects can't change. Of an address in a variable, only what is added to that is computed now: whether an
    /// access leaves the variable is asked where it happens.
    pub fn stable(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.reads(e) == 0 {
            return e;
        }
        if let ExprKind::PtrAdd(base, offset) = self.p.exprs.kind(e)
            && self.is_in_variable(base)
        {
            let (base, offset) = (self.stable(base, span), self.stable_offset(offset, span));
            return self.p.exprs.add(ExprKind::PtrAdd(base, offset), Scalar::Ptr);
        }
        self.in_register(e, span)
    }

    /// The value in a register of its own.
    pub fn in_register(&mut self, e: ExprId, span: Span) -> ExprId {
        let temp = self.temp(self.ty(e), span);
        self.emit(Op::Assign { dst: temp, src: e }, span);
        self.var(temp)
    }

    /// The value in a register, so that nothing tells which objects of a scope that is about to end it leads to.
    pub fn outliving(&mut self, e: ExprId, span: Span) -> ExprId {
        let mut is_local = false;
        self.p
            .exprs
            .walk(e, |_, e| is_local |= matches!(e.kind, ExprKind::AddrOf(var) if self.p.vars[var].func.is_some()));
        if !is_local && self.reads(e) == 0 {
            return e;
        }
        self.in_register(e, span)
    }

    fn stable_offset(&mut self, offset: ExprId, span: Span) -> ExprId {
        match self.p.exprs.kind(offset) {
            ExprKind::Binary(BinOp::Mul, index, scale) if self.as_int(scale).is_some() => {
                let index = self.stable(index, span);
                self.p.exprs.add(ExprKind::Binary(BinOp::Mul, index, scale), self.ty(offset))
            }
            _ => self.stable(offset, span),
        }
    }

    /// The value in a form that later writes to memory can't change.
    pub fn stable_memory(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.reads(e) & READS_MEMORY == 0 { e } else { self.stable(e, span) }
    }

    /// Sets where a variable lives.
    pub fn set_place(&mut self, var: typed::VarId, place: Place) {
        self.places[var.index()] = Some(place);
    }

    /// The variable that `id` is a name of.
    pub fn named(&self, id: typed::VarId) -> typed::VarId {
        typed::named(self.unit.vars, id)
    }

    /// Where a variable lives.
    pub fn place(&mut self, id: typed::VarId) -> Place {
        let id = self.named(id);
        let var = &self.unit.vars[id];
        let is_automatic =
            matches!(var.kind, typed::VarKind::Local(_) | typed::VarKind::Param(_) | typed::VarKind::Temp(_));
        if is_automatic && self.reads_automatic.is_some() {
            // It belongs to another function than the one that initialises. What is read may still not matter, as in `0 && x`.
            let place = self.local_place(var);
            match place {
                Place::Register(_) => self.reads_automatic = Some(true),
                _ => self.unsupported(NOT_CONSTANT, &*var.name, var.span),
            }
            return place;
        }
        if let Some(place) = self.places[id.index()] {
            return place;
        }
        let place = match var.kind {
            typed::VarKind::Global | typed::VarKind::StaticLocal(_) | typed::VarKind::Extern => self.global_place(id),
            typed::VarKind::Local(_) | typed::VarKind::Param(_) | typed::VarKind::Temp(_) => self.local_place(var),
        };
        self.set_place(id, place);
        if self.is_open(id) {
            self.havoc_open(id, place);
        }
        place
    }

    /// Whether the content of a variable is arbitrary at the start: another file defines it, or what is checked is a contract, which holds
    /// whatever the program has done before.
    fn is_open(&self, id: typed::VarId) -> bool {
        let var = &self.unit.vars[id];
        match var.kind {
            typed::VarKind::Extern => true,
            typed::VarKind::Global | typed::VarKind::StaticLocal(_) => {
                self.begins_anywhere && !var.is_constant && !var.name.starts_with(clib::libc::PREFIX)
            }
            typed::VarKind::Local(_) | typed::VarKind::Param(_) | typed::VarKind::Temp(_) => false,
        }
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

    /// Number of bytes that an item of an initialiser covers.
    pub fn item_size(&self, item: &typed::InitItem) -> u64 {
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
        let stays = var.is_constant && !self.is_open(id);
        let init = Some(Box::new(Init { stays, ..Init::default() }));
        let lowered = self.new_var(Var { name, func: None, storage, kind, ctype, init, span: var.span });
        if !self.is_open(id) {
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
        let init = Init { cells: Vec::new(), bytes: vec![(0, bytes.into())], stays: true };
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
}
