//! Declarations of variables, functions and typedefs: scopes, linkage, redeclarations.

use super::Sema;
use super::attribute::Attrs;
use super::declarator::{ArrayContext, DeclType};
use super::scope::{Binding, Typedef};
use crate::typed::{Function, FunctionId, InitItem, InitValue, Initializer, LocalDecl};
use crate::typed::{Stmt, StmtKind, Var, VarId, VarKind};
use crate::types::{ArrayLen, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, Declaration, Derived, Ident, InitDeclarator, Quals, Storage, Symbol, TypeSpec};

impl<'a> Sema<'a> {
    pub(super) fn global_declaration(&mut self, declaration: &'a Declaration) {
        self.declaration(declaration, &mut Vec::new());
    }

    /// Checks a declaration; in a function, what has to be executed is appended to `out`.
    pub(super) fn declaration(&mut self, declaration: &'a Declaration, out: &mut Vec<Stmt>) {
        let specs = &declaration.specs;
        if declaration.declarators.is_empty() {
            if let TypeSpec::Record(record) = &specs.ty {
                self.forward_record(record);
            }
            self.specs_type(specs);
            self.flush_pending(out);
            return;
        }
        let is_auto = matches!(specs.ty, TypeSpec::AutoType);
        let base = if is_auto { DeclType::plain(self.common.int) } else { self.specs_type(specs) };
        let shared = self.attrs(&[&specs.attrs]);
        if let (TypeSpec::TypeofExpr(e), true) =
            (&specs.ty, declaration.declarators.len() > 1 && !self.pending.is_empty())
        {
            // C evaluates the operand once, GCC for each declarator.
            let kind = StmtKind::Unsupported("typeof".into(), "evaluated, with several declarators".into());
            out.push(Stmt { kind, span: e.span });
        }
        self.flush_pending(out);
        let mut locals: Vec<LocalDecl> = Vec::new();
        for item in &declaration.declarators {
            let Some(name) = item.declarator.name else { continue };
            let mut attrs = if item.declarator.attrs.is_empty() {
                shared.clone()
            } else {
                self.attrs(&[&specs.attrs, &item.declarator.attrs])
            };
            attrs.noreturn |= specs.noreturn;
            if specs.thread_local {
                self.thread_locals.push(name.span);
            }
            if is_auto {
                if let Some(local) = self.auto_declaration(name, item, specs.storage) {
                    locals.push(local);
                }
                continue;
            }
            let base = DeclType { ty: self.apply_type_attrs(base.ty, &attrs), ..base };
            let declared = self.declarator_type(base, &item.declarator.derived, ArrayContext::Evaluated);
            if !self.pending.is_empty() {
                self.flush_locals(&mut locals, out);
                self.flush_pending(out);
            }
            if specs.storage == Some(Storage::Typedef) {
                self.declare_typedef(name, declared, &attrs);
            } else if let Type::Function(_) = self.types.get(declared.ty) {
                self.declare_function_item(name, declared.ty, &attrs, item, specs);
            } else if self.scopes.depth() == 0 || specs.storage == Some(Storage::Extern) {
                self.declare_linked_variable(name, declared, &attrs, item, specs.storage);
            } else {
                let local = self.declare_local(name, declared, &attrs, item, specs.storage);
                if let Some(function) = attrs.cleanup
                    && let Some(local) = &local
                    && !self.clean_up(local.var, function)
                {
                    self.flush_locals(&mut locals, out);
                    let kind = StmtKind::Unsupported("attribute".into(), "cleanup".into());
                    out.push(Stmt { kind, span: name.span });
                }
                if !self.pending.is_empty() {
                    self.flush_locals(&mut locals, out);
                    self.flush_pending(out);
                }
                locals.extend(local);
            }
            if (item.init.is_some() || specs.storage != Some(Storage::Extern))
                && is_constant(specs.quals, &item.declarator.derived)
                && let Binding::Var(var) = self.scopes.get_innermost(name.name)
            {
                self.vars[var].is_constant = true;
            }
        }
        self.flush_locals(&mut locals, out);
    }

    fn flush_locals(&mut self, locals: &mut Vec<LocalDecl>, out: &mut Vec<Stmt>) {
        if let (Some(first), Some(last)) = (locals.first(), locals.last()) {
            let span = first.span.to(last.span);
            out.push(Stmt { kind: StmtKind::Decl(std::mem::take(locals)), span });
        }
    }

    /// Executes the assignments to size variables here.
    pub(super) fn flush_pending(&mut self, out: &mut Vec<Stmt>) {
        for assignment in self.pending.drain(..) {
            let span = assignment.span;
            out.push(Stmt { kind: StmtKind::Expr(assignment), span });
        }
    }

    /// `__auto_type name = value;`: the name's scope begins behind the value.
    fn auto_declaration(
        &mut self,
        name: Ident,
        item: &'a InitDeclarator,
        storage: Option<Storage>,
    ) -> Option<LocalDecl> {
        let Some(ast::Initializer::Expr(e)) = &item.init else {
            let text = "`__auto_type` needs an initializer";
            self.error(Diagnostic::error("E0308", item.declarator.span, text));
            self.scopes.bind(name.name, Binding::ProtoParam(self.common.error));
            return None;
        };
        let function = self.func.as_ref().map(|f| f.id);
        let kind = match (function, storage) {
            (Some(function), Some(Storage::Static)) => VarKind::StaticLocal(function),
            (Some(function), _) => VarKind::Local(function),
            (None, _) => VarKind::Global,
        };
        let is_static = !matches!(kind, VarKind::Local(_));
        let outer = self.in_static_init;
        self.in_static_init |= is_static;
        let value = self.rvalue_expr(e);
        self.in_static_init = outer;
        if self.scopes.get_innermost(name.name) != Binding::Unbound {
            self.redefinition(name);
        }
        let var = self.new_var(name, value.ty, kind);
        self.scopes.bind(name.name, Binding::Var(var));
        let item_value = InitItem { offset: 0, bits: None, value: InitValue::Expr(value) };
        let init = Initializer { zero_rest: is_static, items: vec![item_value] };
        if is_static {
            self.vars[var].init = Some(init);
            return None;
        }
        Some(LocalDecl { var, init: Some(init), span: item.declarator.span })
    }

    pub(super) fn redefinition(&mut self, name: Ident) {
        let text = format!("redefinition of `{}`", &self.names[name.name]);
        let mut diagnostic = Diagnostic::error("E0203", name.span, text);
        if let Some(first) = self.binding_span(self.scopes.get(name.name)) {
            diagnostic = diagnostic.related(first, "first declared here");
        }
        self.error(diagnostic);
    }

    fn binding_span(&self, binding: Binding) -> Option<Span> {
        match binding {
            Binding::Var(var) => Some(self.vars[var].span),
            Binding::Function(id) => Some(self.functions[id].span),
            Binding::Typedef(id) => Some(self.typedefs[id].span),
            Binding::Constant(id) => Some(self.constants[id].span),
            Binding::Unbound | Binding::ProtoParam(_) => None,
        }
    }

    fn conflicting_types(&mut self, name: Ident, new: TypeId, old: TypeId, first: Span) {
        let text = format!("conflicting types for `{}`", &self.names[name.name]);
        let label = format!("here `{}`", self.types.display(new));
        let before = format!("before `{}`", self.types.display(old));
        self.error(Diagnostic::error("E0205", name.span, text).label(label).related(first, before));
    }

    fn declare_typedef(&mut self, name: Ident, declared: DeclType, attrs: &Attrs) {
        let ty = declared.ty;
        if let Type::Record(id) = *self.types.get(ty) {
            let record = &mut self.types.records[id];
            if record.name.is_none() {
                record.name = Some(self.names.name(name.name).clone());
            }
            if attrs.transparent_union {
                self.transparent_unions.insert(id);
            }
        }
        match self.scopes.get_innermost(name.name) {
            Binding::Unbound => {}
            // C11 allows the same once more.
            Binding::Typedef(old) if self.compatible(ty, self.typedefs[old].ty) => return,
            _ => return self.redefinition(name),
        }
        let align = attrs.align.or(declared.align);
        let element_align = attrs.align.or(declared.element_align);
        let id = self.typedefs.push(Typedef { ty, align, element_align, span: name.span });
        self.scopes.bind(name.name, Binding::Typedef(id));
    }

    fn declare_function_item(
        &mut self,
        name: Ident,
        ty: TypeId,
        attrs: &Attrs,
        item: &'a InitDeclarator,
        specs: &ast::DeclSpecs,
    ) {
        if let Some(init) = &item.init {
            let text = format!("the function `{}` is initialized like a variable", &self.names[name.name]);
            self.error(Diagnostic::error("E0331", init.span(), text));
        }
        let id = self.declare_function(name, ty);
        if let Some(ret) = self.function_of(ty).map(|f| f.ret) {
            self.function_contract(id, &item.declarator, ret);
        }
        self.function_attrs(id, attrs);
        self.function_linkage(id, name.name, specs);
        if let Some(attribute) = attrs.unmodelled_function {
            self.unmodelled_body(id, attribute);
        }
        self.symbol_of(Binding::Function(id), attrs, &item.declarator);
    }

    /// Declares a function in the innermost scope, together with what was declared of it before.
    pub(super) fn declare_function(&mut self, name: Ident, ty: TypeId) -> FunctionId {
        let here = self.scopes.get_innermost(name.name);
        if !matches!(here, Binding::Unbound | Binding::Function(_)) {
            self.redefinition(name);
        }
        let known = match here {
            Binding::Function(id) => Some(id),
            _ => match self.scopes.linked(name.name) {
                Binding::Function(id) => Some(id),
                Binding::Var(_) => {
                    self.redefinition(name);
                    None
                }
                _ => None,
            },
        };
        let Some(id) = known else { return self.new_function(name, ty) };
        self.merge_function(id, name, ty);
        if here == Binding::Unbound {
            self.scopes.bind(name.name, Binding::Function(id));
            self.scopes.link(name.name, Binding::Function(id));
        }
        id
    }

    /// A function of which nothing was declared before.
    pub(super) fn new_function(&mut self, name: Ident, ty: TypeId) -> FunctionId {
        let text = self.names.name(name.name).clone();
        let id = self.functions.push(Function::new(text, ty, name.span));
        self.scopes.bind(name.name, Binding::Function(id));
        self.scopes.link(name.name, Binding::Function(id));
        id
    }

    /// Merges a declaration into what is known of a function.
    pub(super) fn merge_function(&mut self, id: FunctionId, name: Ident, ty: TypeId) {
        let (old, implicit) = (self.functions[id].ty, self.functions[id].implicit);
        if implicit {
            if !self.compatible(ty, old) && old == self.common.implicit_function {
                let text = |s: &Self| format!("`{}` was called before as `int ()`", &s.names[name.name]);
                self.warning("W0205", name.span, text);
            }
            let function = &mut self.functions[id];
            function.ty = ty;
            function.implicit = false;
            function.span = name.span;
        } else if self.compatible(ty, old) {
            self.functions[id].ty = self.composite(ty, old);
        } else if self.is_lenient_conflict(ty, old) {
            self.functions[id].ty = ty;
        } else {
            let first = self.functions[id].span;
            self.conflicting_types(name, ty, old, first);
        }
    }

    /// Prototypes that only differ where GCC's own headers and builtins do, too: in the name of a record declared in a
    /// parameter list.
    fn is_lenient_conflict(&self, new: TypeId, old: TypeId) -> bool {
        let (Some(new), Some(old)) = (self.function_of(new), self.function_of(old)) else { return false };
        let same_shape = new.params.len() == old.params.len() && new.variadic == old.variadic;
        let fits = |a: TypeId, b: TypeId| {
            self.compatible(a, b)
                || match (self.types.pointee(a), self.types.pointee(b)) {
                    (Some(a), Some(b)) => self.is_incomplete_record(a) || self.is_incomplete_record(b),
                    _ => false,
                }
        };
        same_shape && fits(new.ret, old.ret) && new.params.iter().zip(&old.params).all(|(a, b)| fits(*a, *b))
    }

    fn is_incomplete_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(id) if self.types.records[*id].layout.is_none())
    }

    /// A variable at file scope, or declared `extern` in a block.
    fn declare_linked_variable(
        &mut self,
        name: Ident,
        declared: DeclType,
        attrs: &Attrs,
        item: &'a InitDeclarator,
        storage: Option<Storage>,
    ) {
        let is_tentative = storage != Some(Storage::Extern) || item.init.is_some();
        if storage == Some(Storage::Static) {
            self.internal.insert(name.name);
        }
        let here = self.scopes.get_innermost(name.name);
        let known = match here {
            Binding::Var(var) => Some(var),
            Binding::Unbound => match self.scopes.linked(name.name) {
                Binding::Var(var) => Some(var),
                Binding::Unbound => None,
                _ => return self.redefinition(name),
            },
            _ => return self.redefinition(name),
        };
        let var = match known {
            Some(var) => self.merge_variable(var, name, declared.ty),
            None => {
                self.checked_object_type(declared.ty, name);
                self.new_var(name, declared.ty, VarKind::Extern)
            }
        };
        self.symbol_of(Binding::Var(var), attrs, &item.declarator);
        if attrs.startup_section {
            let detail = format!("`{}` in a section of functions that run by themselves", self.vars[var].name);
            self.unmodelled.push(("attribute".into(), detail, name.span));
        }
        self.set_align(var, attrs.align, declared);
        let entry = &mut self.vars[var];
        entry.weak |= attrs.weak;
        if is_tentative {
            entry.kind = VarKind::Global;
            entry.span = name.span;
        }
        if here == Binding::Unbound {
            self.scopes.bind(name.name, Binding::Var(var));
            self.scopes.link(name.name, Binding::Var(var));
        }
        if let Some(init) = &item.init {
            if self.vars[var].init.is_some() {
                return self.redefinition(name);
            }
            self.init_static(var, init);
        }
    }

    fn merge_variable(&mut self, var: VarId, name: Ident, ty: TypeId) -> VarId {
        let old = self.vars[var].ty;
        if self.compatible(ty, old) {
            self.vars[var].ty = self.composite(ty, old);
        } else {
            let first = self.vars[var].span;
            self.conflicting_types(name, ty, old, first);
        }
        var
    }

    pub(super) fn new_var(&mut self, name: Ident, ty: TypeId, kind: VarKind) -> VarId {
        let text = self.names.name(name.name).clone();
        self.vars.push(Var::new(text, ty, kind, name.span))
    }

    /// Initialises an object with static lifetime.
    fn init_static(&mut self, var: VarId, init: &'a ast::Initializer) {
        let outer = std::mem::replace(&mut self.in_static_init, true);
        let (init, ty) = self.initializer(self.vars[var].ty, init);
        self.in_static_init = outer;
        self.pending.clear();
        let entry = &mut self.vars[var];
        entry.ty = ty;
        entry.init = Some(Initializer { zero_rest: true, ..init });
    }

    fn checked_object_type(&mut self, ty: TypeId, name: Ident) {
        if let Type::Void = self.types.get(ty) {
            // `extern void symbol;` is how the address of a linker's symbol is got.
            self.warning("W0206", name.span, |s| format!("variable `{}` has type `void`", &s.names[name.name]));
        }
    }

    /// A variable without linkage; static ones need no execution.
    fn declare_local(
        &mut self,
        name: Ident,
        declared: DeclType,
        attrs: &Attrs,
        item: &'a InitDeclarator,
        storage: Option<Storage>,
    ) -> Option<LocalDecl> {
        let function = self.func.as_ref()?.id;
        let is_static = storage == Some(Storage::Static);
        let kind = if is_static { VarKind::StaticLocal(function) } else { VarKind::Local(function) };
        if self.scopes.get_innermost(name.name) != Binding::Unbound {
            self.redefinition(name);
        }
        let var = self.new_var(name, declared.ty, kind);
        self.set_align(var, attrs.align, declared);
        // Its scope begins before its initialiser.
        self.scopes.bind(name.name, Binding::Var(var));
        let mut local_init = None;
        if let Some(init) = &item.init {
            if is_static {
                self.init_static(var, init);
            } else {
                let (init, ty) = self.initializer(declared.ty, init);
                self.vars[var].ty = ty;
                local_init = Some(init);
            }
        }
        self.checked_complete(var, name);
        if is_static { None } else { Some(LocalDecl { var, init: local_init, span: item.declarator.span }) }
    }

    /// A variable is given to a function where it goes out of scope; whether this can be done.
    fn clean_up(&mut self, var: VarId, function: Symbol) -> bool {
        let Binding::Function(function) = self.scopes.get(function) else { return false };
        let takes_address =
            matches!(self.types.get(self.functions[function].ty), Type::Function(ty) if ty.params.len() == 1);
        let is_possible = takes_address && !self.is_vla(self.vars[var].ty);
        if is_possible {
            self.vars[var].address_taken = true;
            self.vars[var].cleanup = Some(function);
        }
        is_possible
    }

    fn checked_complete(&mut self, var: VarId, name: Ident) {
        let ty = self.vars[var].ty;
        let is_complete = match self.types.get(ty) {
            Type::Void => false,
            Type::Array(_, ArrayLen::Variable(_)) | Type::Unsupported(_) => true,
            _ => self.types.size_of(self.machine, ty).is_some() || self.is_vla(ty),
        };
        if !is_complete {
            let text = format!("storage size of `{}` isn't known", &self.names[name.name]);
            let label = format!("type `{}` is incomplete", self.types.display(ty));
            self.error(Diagnostic::error("E0304", name.span, text).label(label));
            self.vars[var].ty = self.common.error;
        }
    }
}

/// Whether what is declared is `const`, or an array of what is so. What is volatile as well may change nevertheless.
fn is_constant(quals: Quals, derived: &[Derived]) -> bool {
    let quals = match derived.iter().find(|part| !matches!(part, Derived::Array(_))) {
        None => quals,
        Some(Derived::Pointer(quals, _)) => *quals,
        Some(_) => return false,
    };
    quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE)
}
