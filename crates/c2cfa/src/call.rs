//! Calls: argument conversions, hidden parameters for records and variable arguments, results.

use crate::context::{Lowerer, Passed, Signature};
use crate::layout::Class;
use crate::lvalue::LValue;
use base::Span;
use cfa::{Access, BinOp, ExprId, ExprKind as CfaKind, HavocSource, Op, Reach, Scalar, VarId};
use cfront::typed::{Callee, Expr, ExprKind, FunctionId};
use cfront::types::{Type, TypeId};
use clib::library::{self, Effects};

/// Distance of variable arguments in bytes.
const SLOT: u64 = 16;

/// What is left of a list of variable arguments that another function has read: the address of nothing.
const LOST_LIST: i128 = 1;

/// What is wanted of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    Nothing,
    Value,
    /// The value, best in this register.
    Into(VarId),
    /// A record, best at this address.
    Record(Option<ExprId>),
}

/// Whether the callee may be given the address of the caller's own object for a record argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Records {
    /// It copies the record before it does anything else.
    Share,
    /// It may be external code.
    Copy,
}

impl<'u> Lowerer<'u> {
    /// Value of a call.
    pub fn call_value(&mut self, e: &'u Expr) -> ExprId {
        if matches!(self.class(e.ty), Class::Record { .. }) {
            return self.call_record(e, None);
        }
        let ty = self.scalar_or_int(e.ty);
        match self.call(e, Want::Value) {
            Some(value) => self.convert(value, ty),
            None => self.zero(ty),
        }
    }

    /// A call for its effects.
    pub fn call_effect(&mut self, e: &'u Expr) {
        self.call(e, Want::Nothing);
    }

    /// Register := value of a call.
    pub fn call_into(&mut self, e: &'u Expr, dst: VarId, span: Span) {
        if let Some(value) = self.call(e, Want::Into(dst))
            && self.p.exprs.kind(value) != CfaKind::Var(dst)
        {
            let ty = self.scalar_or_int(e.ty);
            let value = self.convert(value, ty);
            self.assign(dst, value, span);
        }
    }

    /// Address of the record that a call returns; `dst` if it could be written there directly.
    pub fn call_record(&mut self, e: &'u Expr, dst: Option<ExprId>) -> ExprId {
        match self.call(e, Want::Record(dst)) {
            Some(addr) if self.ty(addr) == Scalar::Ptr => addr,
            _ => self.zero(Scalar::Ptr),
        }
    }

    /// The register for a result of type `ty`.
    pub fn result_register(&mut self, ty: Scalar, want: Want, span: Span) -> VarId {
        match want {
            Want::Into(dst) if self.p.vars[dst].register() == Some(ty) => dst,
            _ => self.temp(ty, span),
        }
    }

    fn call(&mut self, e: &'u Expr, want: Want) -> Option<ExprId> {
        let ExprKind::Call { callee, args } = &e.kind else { return None };
        let is_builtin =
            matches!(callee, Callee::Direct(f) if self.unit.functions[*f].name.starts_with("__builtin_va_"));
        let lists = if is_builtin { Vec::new() } else { self.passed_lists(args) };
        let result = self.call_of(callee, args, e, want);
        for list in lists {
            let (list, lost) = (self.lvalue(list), self.constant(LOST_LIST, Scalar::Ptr));
            self.write(list, lost, Scalar::Ptr, e.span);
        }
        result
    }

    /// The variable arguments that a call is given, which nobody may go on with when it has read some (C11 7.16p3).
    fn passed_lists(&mut self, args: &'u [Expr]) -> Vec<&'u Expr> {
        let mut lists = Vec::new();
        for arg in args.iter().filter(|arg| matches!(self.unit.types.get(arg.ty), Type::VaList)) {
            if let ExprKind::Load(list) = &arg.kind
                && !self.f.is_library
                && !self.has_effects(list)
            {
                let place = self.lvalue(list);
                let slot = self.read(place, Scalar::Ptr, arg.span);
                self.known_list(slot, arg.span);
                lists.push(&**list);
            }
        }
        lists
    }

    /// A list is not one that another function may have read.
    fn known_list(&mut self, slot: ExprId, span: Span) {
        if !self.f.is_library {
            let lost = self.constant(LOST_LIST, Scalar::Ptr);
            let lost = self.binary(BinOp::Eq, slot, lost);
            self.fault_if(lost, span, |this| {
                this.unsupported("variable argument", "after another function has read some", span)
            });
        }
    }

    fn call_of(&mut self, callee: &'u Callee, args: &'u [Expr], e: &'u Expr, want: Want) -> Option<ExprId> {
        match callee {
            Callee::Direct(f) if self.is_null_function(*f) => {
                let callee = self.function_address(*f, e.span);
                self.call_pointer(callee, self.unit.functions[*f].ty, e, args, want)
            }
            Callee::Direct(f) => self.call_direct(*f, e, args, want),
            Callee::Pointer(pointer) => {
                let callee = self.rvalue(pointer);
                if let CfaKind::FuncAddr(func) = self.p.exprs.kind(callee)
                    && let Some(f) = self.typed_function(func)
                {
                    return self.call_direct(f, e, args, want);
                }
                let later = args.iter().any(|a| self.has_effects(a));
                let callee = if later { self.stable(callee, e.span) } else { callee };
                self.call_pointer(callee, pointer.ty, e, args, want)
            }
        }
    }

    fn call_direct(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let f = self.stand_in(self.aliased(f));
        if self.unit.functions[f].body.is_none() {
            self.note_passed(f, args);
        }
        if self.unit.functions[f].body.is_none()
            && let Some(builtin) = self.builtin(f)
        {
            return self.builtin_call(builtin, f, e, args, want);
        }
        if self.is_uninterpreted(f) {
            return self.uninterpreted(f, e, args, want);
        }
        let resolved = self.resolve(f);
        if let Some(printer) = self.printer(resolved, args) {
            self.print(&printer, args, want, e.span)
        } else if self.unit.functions[resolved].body.is_some() {
            self.call_defined(resolved, e, args, want)
        } else if let Some(effects) = self.effects_of_library(resolved) {
            self.library_effects(effects, resolved, e, args, want)
        } else if library::is_unmodelled_builtin(&self.unit.functions[resolved].name) {
            self.unsupported("builtin", &*self.unit.functions[resolved].name, e.span);
            None
        } else {
            let result = self.call_extern(resolved, e, args, want);
            if self.unit.functions[resolved].noreturn {
                self.halt(e.span);
            }
            result
        }
    }

    /// What a function of the library may do; `None` if it is a compiler's, of a type that is not known.
    fn effects_of_library(&self, f: FunctionId) -> Option<Effects> {
        let function = &self.unit.functions[f];
        let is_typed = match self.unit.types.get(function.ty) {
            Type::Function(ty) => ty.prototyped || !function.implicit || !function.name.starts_with("__builtin_"),
            _ => true,
        };
        Effects::of(&function.name).filter(|_| is_typed)
    }

    /// Calls a function that has a body.
    pub fn call_defined(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let signature = self.signature_of(f);
        if want != Want::Nothing && self.loses_result(&signature, e) {
            let name = &self.unit.functions[f].name;
            self.unsupported("call", format!("of `{name}` in front of its declaration, with another result"), e.span);
            return None;
        }
        let func = self.func(f);
        let values = self.arguments(args, &signature, Records::Share, e.span);
        if let Some(name) = self.unit.functions[f].name.strip_prefix(clib::libc::PREFIX) {
            self.check_character(name, &values, e.span);
            self.check_stream(name, args, &values, e.span);
        }
        if clib::libc::BLOCKS.contains(&&*self.unit.functions[f].name) {
            self.check_range(values[0], values[2], Access::Write, e.span);
            if self.ty(values[1]) == Scalar::Ptr {
                self.check_range(values[1], values[2], Access::Read, e.span);
            }
        }
        let (args, dst, result) = self.prepare_result(&signature, values, want, e.span);
        self.emit(Op::Call { func, args, dst }, e.span);
        self.interrupt_point_behind(f, e.span);
        if dst.is_none() && result.is_none() && want != Want::Nothing {
            // The value of a function that returns none.
            let ty = self.scalar(e.ty)?;
            return Some(self.arbitrary(ty, e.span));
        }
        result
    }

    /// Whether a call takes a result that is not the one that the function returns, or a part of that number: it was not declared there,
    /// and C gives that no meaning.
    fn loses_result(&self, signature: &Signature, e: &Expr) -> bool {
        let (Passed::Scalar(returned), Some(taken)) = (&signature.ret, self.scalar(e.ty)) else { return false };
        let bits = |ty: Scalar| ty.bits(self.pointer_bits);
        let is_part = bits(*returned) >= bits(taken) && !returned.is_float() && *returned != Scalar::Ptr;
        returned.is_float() != taken.is_float() || bits(*returned) != bits(taken) && !is_part
    }

    /// Calls what a pointer of type `ty`, or of a pointer to it, leads to.
    fn call_pointer(
        &mut self,
        callee: ExprId,
        ty: TypeId,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        let mut ty = self.unit.types.get(ty);
        if let Type::Pointer(to) = ty {
            ty = self.unit.types.get(*to);
        }
        let Type::Function(function) = ty else {
            self.unsupported("call", self.snippet(e.span), e.span);
            return None;
        };
        let mut signature = self.signature(function);
        if !function.prototyped {
            signature.params = args
                .iter()
                .map(|a| match self.class(a.ty) {
                    Class::Record { size, align } => Passed::Record { size, align },
                    Class::Scalar(s) => Passed::Scalar(s),
                    _ => Passed::Scalar(self.int_ty()),
                })
                .collect();
            signature.variadic = false;
        }
        let ty_key = self.ty_key(&signature);
        // An external function writes no record, so its result must be a new object, which holds anything.
        let want = if matches!(want, Want::Record(_)) { Want::Record(None) } else { want };
        let values = self.arguments(args, &signature, Records::Copy, e.span);
        let (args, dst, result) = self.prepare_result(&signature, values, want, e.span);
        self.emit(Op::CallPtr { callee, args, dst, ty_key }, e.span);
        self.interrupt_point_at_end(e.span);
        self.normalised(result, e)
    }

    /// External code may return any byte for a `_Bool`; only 0 and 1 are values of it.
    pub fn normalised(&mut self, result: Option<ExprId>, e: &Expr) -> Option<ExprId> {
        let value = result?;
        if !self.is_bool(e.ty) {
            return Some(value);
        }
        let ty = self.ty(value);
        let zero = self.zero(ty);
        let truth = self.binary(cfa::BinOp::Ne, value, zero);
        Some(self.cast(truth, ty))
    }

    /// Calls a function without a body.
    pub fn call_extern(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let func = self.func(f);
        let last = self.last_effect(args);
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            values.push(self.argument(arg, None, last > i, Records::Copy));
        }
        // Addresses that a later write could change are needed once more.
        if self.environment.havoc_arguments {
            values.iter_mut().for_each(|value| *value = self.stable(*value, e.span));
        }
        let given = values.clone();
        let result = self.external_result(func, e, values, want);
        self.write_through_arguments(args, &given, e.span);
        result
    }

    /// Calls a function without a body, and makes its result.
    fn external_result(&mut self, func: cfa::FuncId, e: &Expr, values: Vec<ExprId>, want: Want) -> Option<ExprId> {
        match (self.class(e.ty), want) {
            (Class::Record { size, align }, _) => {
                self.emit(Op::CallExtern { func, args: values.into(), dst: None }, e.span);
                let temp = self.temp_memory(size, align, "result", e.span);
                let addr = self.addr_of(temp);
                if size > 0 {
                    self.emit(
                        Op::MemHavoc { dst: addr, len: Reach::Bytes(size), source: HavocSource::Environment },
                        e.span,
                    );
                    self.trust_truths(addr, e.ty, e.span);
                }
                Some(addr)
            }
            (Class::Scalar(ty), Want::Value | Want::Into(_)) => {
                let dst =
                    if self.is_bool(e.ty) { self.temp(ty, e.span) } else { self.result_register(ty, want, e.span) };
                self.emit(Op::CallExtern { func, args: values.into(), dst: Some(dst) }, e.span);
                self.trust_pointer(dst, func, e.ty, e.span);
                let value = self.var(dst);
                self.trust_enumeration(value, e.ty, e.span);
                self.normalised(Some(value), e)
            }
            _ => {
                self.emit(Op::CallExtern { func, args: values.into(), dst: None }, e.span);
                None
            }
        }
    }

    /// Index of the last argument with side effects; values of earlier ones have to be saved.
    pub fn last_effect(&self, args: &[Expr]) -> usize {
        args.iter().rposition(|a| self.has_effects(a)).unwrap_or(0)
    }

    /// Any value.
    pub fn arbitrary(&mut self, ty: Scalar, span: Span) -> ExprId {
        let temp = self.temp(ty, span);
        self.emit(Op::Havoc { dst: temp, source: HavocSource::Uninitialised }, span);
        self.var(temp)
    }

    /// One argument, converted to what is expected; saved if something `later` has side effects.
    fn argument(&mut self, arg: &'u Expr, expected: Option<Passed>, later: bool, records: Records) -> ExprId {
        match (self.class(arg.ty), expected) {
            (Class::Record { size, align }, None | Some(Passed::Record { .. })) => {
                let addr = self.record(arg);
                let shared = records == Records::Share && expected.is_some() && !later;
                if shared { addr } else { self.copied_record(addr, size, align, arg.span) }
            }
            (Class::Scalar(_), None | Some(Passed::Scalar(_) | Passed::Void)) => {
                let value = self.rvalue(arg);
                let value = match expected {
                    Some(Passed::Scalar(ty)) => self.convert(value, ty),
                    _ => value,
                };
                if later { self.stable(value, arg.span) } else { value }
            }
            (_, expected) => {
                // Argument and parameter don't fit: the callee sees anything.
                self.effect(arg);
                self.missing_argument(expected.unwrap_or(Passed::Scalar(self.int_ty())), arg.span)
            }
        }
    }

    fn copied_record(&mut self, addr: ExprId, size: u64, align: u32, span: Span) -> ExprId {
        let addr = self.stable(addr, span);
        let temp = self.temp_memory(size, align, "arg", span);
        let copy = self.addr_of(temp);
        self.copy(copy, addr, size, span);
        copy
    }

    fn missing_argument(&mut self, expected: Passed, span: Span) -> ExprId {
        match expected {
            Passed::Scalar(ty) => self.arbitrary(ty, span),
            Passed::Record { size, align } => {
                let temp = self.temp_memory(size, align, "arg", span);
                self.addr_of(temp)
            }
            Passed::Void => self.arbitrary(Scalar::Ptr, span),
        }
    }

    /// All arguments; what a variadic function takes behind its parameters lies in slots.
    fn arguments(&mut self, args: &'u [Expr], signature: &Signature, records: Records, span: Span) -> Vec<ExprId> {
        let last = self.last_effect(args);
        let mut values = Vec::with_capacity(signature.params.len() + 1);
        let mut extra = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            match signature.params.get(i) {
                Some(expected) => values.push(self.argument(arg, Some(*expected), last > i, records)),
                None if signature.variadic => extra.push(self.argument(arg, None, last > i, Records::Copy)),
                None => self.effect(arg),
            }
        }
        for expected in signature.params.iter().skip(args.len()) {
            values.push(self.missing_argument(*expected, span));
        }
        if signature.variadic {
            if extra.is_empty() {
                values.push(self.zero(Scalar::Ptr));
                return values;
            }
            let slots = self.temp_memory(SLOT * extra.len() as u64, SLOT as u32, "va", span);
            let slots = self.addr_of(slots);
            for (i, value) in extra.into_iter().enumerate() {
                let at = self.ptr_offset(slots, i128::from(SLOT) * i as i128);
                self.store(at, value, span);
            }
            values.push(slots);
        }
        values
    }

    /// Arguments with the hidden one for a record result, the register of the result, and the value afterwards.
    pub fn prepare_result(
        &mut self,
        signature: &Signature,
        mut values: Vec<ExprId>,
        want: Want,
        span: Span,
    ) -> (Box<[ExprId]>, Option<VarId>, Option<ExprId>) {
        match signature.ret {
            Passed::Void => (values.into(), None, None),
            Passed::Scalar(ty) => match want {
                Want::Nothing | Want::Record(_) => (values.into(), None, None),
                Want::Value | Want::Into(_) => {
                    let dst = self.result_register(ty, want, span);
                    (values.into(), Some(dst), Some(self.var(dst)))
                }
            },
            Passed::Record { size, align } => {
                // The callee writes the result last, so that it may lie in any object of the caller.
                let dst = match want {
                    Want::Record(Some(dst)) => dst,
                    _ => {
                        let temp = self.temp_memory(size, align, "result", span);
                        if want == Want::Nothing {
                            self.unused_results.insert(temp);
                        }
                        self.addr_of(temp)
                    }
                };
                values.insert(0, dst);
                (values.into(), None, Some(dst))
            }
        }
    }

    /// The lvalue that a `va_list` argument of a builtin names.
    pub fn va_list(&mut self, arg: &'u Expr) -> LValue {
        match &arg.kind {
            ExprKind::Load(lvalue) => self.lvalue(lvalue),
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => self.lvalue(lvalue),
            ExprKind::Cast(inner) => self.va_list(inner),
            _ => self.lvalue(arg),
        }
    }

    /// `va_arg`: the content of the slot; for records the address of the copy that the caller made.
    pub fn va_arg(&mut self, list: &'u Expr, e: &'u Expr) -> ExprId {
        let may_be_lost = match &list.kind {
            ExprKind::Var(var) => self.unit.vars[*var].is_passed_list,
            _ => true,
        };
        let list = self.va_list(list);
        let list = self.stable_lvalue(list, e.span);
        let slot = self.read(list, Scalar::Ptr, e.span);
        let slot = self.stable(slot, e.span);
        if may_be_lost {
            self.known_list(slot, e.span);
        }
        let next = self.ptr_offset(slot, i128::from(SLOT));
        let ty = match self.class(e.ty) {
            Class::Scalar(ty) => ty,
            Class::Record { .. } => Scalar::Ptr,
            _ => return self.unsupported_value("type", e),
        };
        self.check_access(slot, ty.access_bytes(self.pointer_bits).into(), Access::Read, e.span);
        let value = self.load(slot, ty);
        let value = self.stable(value, e.span);
        self.write(list, next, Scalar::Ptr, e.span);
        value
    }
}
