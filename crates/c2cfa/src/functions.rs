//! Functions of the program, how they are called, and what stands in for library functions.

use crate::context::{Lowerer, Passed, Signature};
use crate::layout::Class;
use base::{Id, Name, Span};
use cfa::{CTypeId, Check, ExprId, FuncId, Function, Scalar};
use cfront::typed::{self, FunctionId, LabelId};
use cfront::types::{FunctionType, Type, TypeId};
use clib::known;
use clib::library::{self, Effects};

impl Lowerer<'_> {
    /// The function that `id` is a name of.
    pub fn aliased(&self, mut id: FunctionId) -> FunctionId {
        if let Some(stand_in) = self.replaced.get(&id) {
            return *stand_in;
        }
        // In a unit that no linker would accept, aliases may form a circle.
        for _ in 0..self.unit.functions.len() {
            match self.unit.functions[id].alias {
                Some(target) => id = target,
                None => break,
            }
        }
        self.replaced.get(&id).copied().unwrap_or(id)
    }

    /// The function that stands for `id`: library functions without a body get Hone's.
    pub fn resolve(&self, id: FunctionId) -> FunctionId {
        let id = self.aliased(id);
        let f = &self.unit.functions[id];
        if f.body.is_some() {
            return id;
        }
        let found = clib::libc::names_of(&f.name).into_iter().find_map(|name| self.library_function(name));
        found.filter(|own| self.fits(id, *own)).unwrap_or(id)
    }

    /// Whether a declaration may be that of a library function: another function may have the same name.
    fn fits(&self, declared: FunctionId, own: FunctionId) -> bool {
        let ty = |id: FunctionId| match self.unit.types.get(self.unit.functions[id].ty) {
            Type::Function(ty) => Some(ty),
            _ => None,
        };
        let (Some(declared), Some(own)) = (ty(declared), ty(own)) else { return false };
        // Integers and pointers are converted.
        let kind = |ty: TypeId| match self.class(ty) {
            Class::Scalar(scalar) if scalar.is_float() => Some(u64::from(scalar.bits(self.pointer_bits))),
            Class::Record { size, .. } => Some(1000 + size),
            _ => None,
        };
        let params = declared.params.iter().zip(own.params.iter());
        kind(declared.ret) == kind(own.ret)
            && (!declared.prototyped
                || declared.params.len() >= own.params.len() && params.into_iter().all(|(a, b)| kind(*a) == kind(*b)))
    }

    /// Address of a function, as it is used other than in a call by name.
    pub fn function_address(&mut self, id: FunctionId, span: Span) -> ExprId {
        let id = self.stand_in(self.aliased(id));
        self.note_taken(id);
        let id = self.resolve(id);
        if self.is_null_function(id) {
            return self.null_symbol(self.unit.functions[id].name.clone(), span);
        }
        // Others may call what a handler gives the address of.
        let in_handler = std::mem::take(&mut self.in_handler);
        let func = self.func(self.unit.thunks.get(&id).copied().unwrap_or(id));
        self.in_handler = in_handler;
        self.func_addr(func)
    }

    /// Whether a linker puts a function at the null address: it is weak, and neither the program nor a library defines it.
    pub fn is_null_function(&self, id: FunctionId) -> bool {
        let id = self.resolve(self.stand_in(id));
        let f = &self.unit.functions[id];
        f.weak && f.body.is_none() && known::lookup(&f.name).is_none() && Effects::of(&f.name).is_none()
    }

    /// The address of a weak symbol that nothing defines.
    pub fn null_symbol(&mut self, name: Name, span: Span) -> ExprId {
        let text = format!("no other file defines the weak symbol `{name}`, so that its address is null");
        self.p.assumed.push((text.into(), span));
        self.zero(Scalar::Ptr)
    }

    /// Whether a linker puts a variable at the null address.
    pub fn is_null_variable(&self, id: typed::VarId) -> bool {
        let var = &self.unit.vars[self.named(id)];
        var.weak && var.kind == typed::VarKind::Extern
    }

    /// Hone's own body for a C library function, if its text is part of the unit.
    pub fn library_function(&self, name: &str) -> Option<FunctionId> {
        let matters = |check| self.p.checks.contains(&check);
        let is_used = !clib::libc::STREAMS.contains(&name) || matters(Check::Free) || matters(Check::Memory);
        self.library.get(name).copied().filter(|_| clib::libc::is_public(name) && is_used)
    }

    /// The function as part of the program.
    pub fn func(&mut self, id: FunctionId) -> FuncId {
        let id = self.resolve(id);
        let known = if self.in_handler { &self.handler_funcs } else { &self.funcs };
        if let Some(func) = known[id.index()] {
            return func;
        }
        let f = &self.unit.functions[id];
        let name = f.name.strip_prefix(clib::libc::PREFIX).map_or_else(|| f.name.clone(), Name::from);
        let (ret_ctype, param_ctypes, variadic) = match self.unit.types.get(f.ty) {
            Type::Function(ty) => {
                let params = ty.params.iter().map(|p| self.ctype(*p)).collect();
                (self.ctype(ty.ret), params, ty.variadic)
            }
            _ => (self.void_ctype, Vec::new(), false),
        };
        let signature = self.signature_of(id);
        let ty_key = self.ty_key(&signature);
        let outside = library::effect_on_pointers(clib::libc::plain_name(&name));
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
            outside,
            span: f.span,
        });
        self.typed_funcs.push(Some(id));
        if self.in_handler {
            self.handler_funcs[id.index()] = Some(func);
        } else {
            self.funcs[id.index()] = Some(func);
        }
        if f.body.is_some() {
            self.function_queue.push_back((id, self.in_handler));
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
            outside: library::effect_on_pointers(name),
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
