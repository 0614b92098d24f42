//! Function bodies: parameters, the body, the end.

use crate::context::{FnState, Lowerer, Passed, Place, Ret};
use base::{Id, Name, Span};
use cfa::{Check, FuncId, HavocSource, Op, Reach, Scalar, Storage, VarId, VarKind};
use cfront::typed::{self, FunctionBody, FunctionId, StmtKind};

impl<'u> Lowerer<'u> {
    /// Lowers the body of a function. `end` is what it returns when control reaches the closing brace.
    pub fn lower_function(&mut self, id: FunctionId, end: EndValue) {
        let Some(body) = &self.unit.functions[id].body else { return };
        let func = self.func(id);
        if self.interrupts.is_some() {
            // It may have been lowered before, with other variables.
            self.forget_places(id);
        }
        let outer = std::mem::replace(&mut self.f, FnState::new(func));
        self.parked = Some(outer);
        self.in_start = false;

        self.f.is_library = self.unit.functions[id].name.starts_with(clib::libc::PREFIX);
        self.f.is_checked_by_caller = clib::libc::BLOCKS.contains(&&*self.unit.functions[id].name);
        self.f.divides_for_caller = clib::libc::QUOTIENTS.contains(&&*self.unit.functions[id].name);
        self.f.never_returns = self.unit.functions[id].noreturn;
        self.f.labels = Some(&body.labels);
        self.f.label_positions = vec![0; body.labels.len()];
        self.f.label_blocks = vec![Vec::new(); body.labels.len()];
        self.f.cases = vec![None; body.n_cases];
        self.parameters(id, func, body);
        match &body.stmt.kind {
            // The frame ends all objects of the outermost scope.
            StmtKind::Block(stmts) => self.stmts(stmts),
            _ => self.stmt(&body.stmt),
        }
        if self.is_reachable() {
            self.fall_off(end, body.end);
        }
        self.guard_unnamed();
        self.settle_scopes();

        let outer = self.parked.take();
        self.in_start = true;
        if let Some(outer) = outer {
            let done = std::mem::replace(&mut self.f, outer);
            done.flow.commit(&mut self.p, func);
        }
    }

    fn forget_places(&mut self, id: FunctionId) {
        for (var, of) in self.unit.vars.iter_enumerated() {
            if let typed::VarKind::Local(f) | typed::VarKind::Param(f) | typed::VarKind::Temp(f) = of.kind
                && f == id
            {
                self.places[var.index()] = None;
            }
        }
    }

    fn parameters(&mut self, id: FunctionId, func: FuncId, body: &'u FunctionBody) {
        let signature = self.signature_of(id);
        let span = self.unit.functions[id].span;
        let mut params = Vec::with_capacity(body.params.len() + 2);
        match signature.ret {
            Passed::Void => {}
            Passed::Scalar(ty) => {
                let name = Name::from("return");
                let ret = self.local_named(name, Storage::Register(ty), VarKind::Return, self.ret_type(id), span);
                self.f.ret = Ret::Register(ret);
                self.p.functions[func].ret = Some(ret);
            }
            Passed::Record { size, .. } => {
                let ptr = self.register(Scalar::Ptr, "result", span);
                self.f.ret = Ret::Record { ptr, size };
                params.push(ptr);
            }
        }
        for (param, passed) in body.params.iter().zip(&signature.params) {
            params.push(self.parameter(*param, *passed));
        }
        if signature.variadic {
            let va = self.register(Scalar::Ptr, "va", span);
            self.f.va_param = Some(va);
            params.push(va);
        }
        self.p.functions[func].params = params;
    }

    fn ret_type(&self, id: FunctionId) -> cfront::types::TypeId {
        match self.unit.types.get(self.unit.functions[id].ty) {
            cfront::types::Type::Function(ty) => ty.ret,
            _ => self.unit.functions[id].ty,
        }
    }

    /// The register of a parameter. Parameters that need an address are copied into objects of their own.
    fn parameter(&mut self, id: typed::VarId, passed: Passed) -> VarId {
        let var = &self.unit.vars[id];
        let span = var.span;
        match passed {
            Passed::Scalar(ty) if !var.address_taken => {
                let storage = Storage::Register(ty);
                let is_hidden = matches!(var.kind, typed::VarKind::Temp(_));
                let kind = if is_hidden { VarKind::Temp } else { VarKind::Param };
                let lowered = self.local_named(var.name.clone(), storage, kind, var.ty, span);
                self.set_place(id, Place::Register(lowered));
                lowered
            }
            Passed::Scalar(ty) => {
                let register = self.register(ty, &var.name, span);
                let object = self.parameter_object(id);
                let (addr, value) = (self.addr_of(object), self.var(register));
                self.store(addr, value, span);
                register
            }
            Passed::Record { size, .. } => {
                let register = self.register(Scalar::Ptr, &var.name, span);
                let object = self.parameter_object(id);
                let (dst, src) = (self.addr_of(object), self.var(register));
                self.copy(dst, src, size, span);
                register
            }
            Passed::Void => {
                let register = self.register(Scalar::Ptr, &var.name, span);
                self.set_place(id, Place::Pointer(register));
                register
            }
        }
    }

    fn parameter_object(&mut self, id: typed::VarId) -> VarId {
        let var = &self.unit.vars[id];
        let storage = self.memory(var);
        let object = self.local_named(var.name.clone(), storage, VarKind::Param, var.ty, var.span);
        self.set_place(id, Place::Memory(object));
        self.emit(Op::Declare { var: object }, var.span);
        object
    }

    fn fall_off(&mut self, end: EndValue, span: Span) {
        self.clean_up_all(span);
        match (self.f.ret, end) {
            (Ret::Register(ret), EndValue::Zero) => {
                let zero = self.zero(self.p.vars[ret].register().unwrap_or(Scalar::INT));
                self.assign(ret, zero, span);
            }
            _ => self.lack_result(span),
        }
        self.leave(span);
    }

    /// The function ends without a result, if it has one.
    pub fn lack_result(&mut self, span: Span) {
        let source = HavocSource::Uninitialised;
        match self.f.ret {
            Ret::Register(dst) => self.emit(Op::Havoc { dst, source }, span),
            Ret::Record { ptr, size } => {
                let dst = self.var(ptr);
                self.emit(Op::MemHavoc { dst, len: Reach::Bytes(size), source }, span);
            }
            Ret::Void => {}
        }
    }

    /// Control goes back to the caller, which functions that are declared not to return must not do.
    pub fn leave(&mut self, span: Span) {
        if self.f.never_returns && self.checks(Check::Return) {
            let always = self.constant(1, Scalar::Bool);
            self.check(always, Check::Return, span);
        }
        let exit = self.f.flow.exit();
        self.goto(exit, span);
    }
}

/// What a function returns when control reaches its closing brace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndValue {
    /// `main` returns 0.
    Zero,
    /// Any value.
    Arbitrary,
}
