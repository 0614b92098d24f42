//! Function definitions, with prototypes and in K&R style.

use super::Sema;
use super::declarator::{ArrayContext, DeclType};
use super::scope::Binding;
use super::statement::FuncCtx;
use crate::typed::{
    Expr, ExprKind, FunctionBody, FunctionId, InitItem, InitValue, Initializer, LocalDecl, Stmt, StmtKind, Var, VarId,
    VarKind,
};
use crate::types::{FunctionType, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, Derived, FunctionDef, Ident, Params, Storage};

/// The function that is being defined.
struct Definition {
    id: FunctionId,
    noreturn: bool,
    params: Vec<VarId>,
    types: Vec<TypeId>,
    /// Parameters of other types than their arguments have, which are converted where the body begins.
    converted: Vec<LocalDecl>,
}

impl<'a> Sema<'a> {
    pub(super) fn function_definition(&mut self, def: &'a FunctionDef) {
        let declarator = &def.declarator;
        let (Some(name), Some((Derived::Function(part), rest))) = (declarator.name, declarator.derived.split_first())
        else {
            let text = "a function definition needs parameters";
            return self.error(Diagnostic::error("E0340", declarator.span, text));
        };
        let base = self.specs_type(&def.specs);
        let attrs = self.attrs(&[&def.specs.attrs, &declarator.attrs]);
        let base = DeclType { ty: self.apply_type_attrs(base.ty, &attrs), ..base };
        let ret = self.declarator_type(base, rest, ArrayContext::Evaluated).ty;
        let ret = self.checked_return(ret, part.span);
        self.pending.clear();
        // The type without parameters, until they are known: they may mention the function.
        let known = match self.scopes.linked(name.name) {
            Binding::Function(id) if self.begins_another_file(id, name, def) => Binding::Unbound,
            known => known,
        };
        let id = match known {
            Binding::Function(id) => {
                self.scopes.bind(name.name, known);
                id
            }
            _ => {
                let early = FunctionType { ret, params: Box::default(), variadic: false, prototyped: false };
                let early = self.types.intern(Type::Function(early));
                match self.scopes.linked(name.name) {
                    Binding::Function(_) => self.new_function(name, early),
                    _ => self.declare_function(name, early),
                }
            }
        };

        self.scopes.push();
        self.func = Some(Box::new(FuncCtx::new(id, ret)));
        let noreturn = def.specs.noreturn;
        let mut definition = Definition { id, noreturn, params: Vec::new(), types: Vec::new(), converted: Vec::new() };
        let (mut prototyped, mut is_variadic) = (false, false);
        match &part.params {
            Params::Unspecified => {}
            Params::Prototype { params, variadic } => {
                (prototyped, is_variadic) = (true, *variadic);
                for param in params {
                    let declared = self.param_type(param, ArrayContext::Evaluated);
                    let span = param.declarator.name.map_or(param.span, |n| n.span);
                    self.define_param(&mut definition, param.declarator.name, declared, span);
                }
            }
            Params::Identifiers(idents) => self.kr_params(&mut definition, idents, &def.kr_declarations),
        }
        let params: Box<[TypeId]> = definition.types.as_slice().into();
        let ty = FunctionType { ret, params, variadic: is_variadic, prototyped };
        self.set_function_type(&definition, known, name, ty);
        self.check_body(def, definition);
        self.func = None;
        self.scopes.pop();
        self.function_contract(id, declarator, ret);
        self.function_attrs(id, &attrs);
        self.function_linkage(id, name.name, &def.specs);
        if let Some(attribute) = attrs.unmodelled_function {
            self.unmodelled_body(id, attribute);
        }
        let is_gnu_inline = def.specs.inline && def.specs.storage == Some(Storage::Extern);
        if is_gnu_inline || attrs.gnu_inline {
            self.replaceable.insert(id);
        } else {
            self.replaceable.remove(&id);
        }
    }

    /// Whether a definition is one of a file that was put behind another one: both have a function of the name, this one for itself.
    fn begins_another_file(&mut self, known: FunctionId, name: Ident, def: &FunctionDef) -> bool {
        let is_static = def.specs.storage == Some(Storage::Static);
        let is_defined = self.functions[known].body.is_some() && !self.replaceable.contains(&known);
        if is_static && is_defined && !self.internal.contains(&name.name) {
            let text =
                |s: &Self| format!("`{}` was defined for all files before: this is another one", &s.names[name.name]);
            self.warning("W0206", name.span, text);
            return true;
        }
        false
    }

    /// Gives the function the type of its definition, if it goes with what was declared before.
    fn set_function_type(&mut self, definition: &Definition, known: Binding, name: Ident, ty: FunctionType) {
        let prototyped = ty.prototyped;
        let ty = self.types.intern(Type::Function(ty));
        if !matches!(known, Binding::Function(_)) {
            self.functions[definition.id].ty = ty;
            return;
        }
        self.merge_function(definition.id, name, ty);
        // A definition in K&R style after a prototype is called by the prototype.
        if !prototyped && self.function_of(self.functions[definition.id].ty).is_some_and(|f| f.prototyped) {
            return;
        }
        if !prototyped {
            self.functions[definition.id].ty = ty;
        }
    }

    fn check_body(&mut self, def: &'a FunctionDef, definition: Definition) {
        let id = definition.id;
        if self.functions[id].body.is_some()
            && !self.replaceable.contains(&id)
            && let Some(name) = def.declarator.name
        {
            self.redefinition(name);
        }
        for &param in &definition.params {
            let (ty, span) = (self.vars[param].ty, self.vars[param].span);
            let is_complete = self.types.size_of(self.machine, ty).is_some() && *self.types.get(ty) != Type::Void;
            if !is_complete && !self.types.is_unsupported(ty) {
                let text = format!("parameter `{}` has an incomplete type", self.vars[param].name);
                self.error(Diagnostic::error("E0304", span, text).label(self.types.display(ty)));
            }
        }
        let mut stmts = Vec::new();
        if !definition.converted.is_empty() {
            stmts.push(Stmt { kind: StmtKind::Decl(definition.converted), span: def.declarator.span });
        }
        self.flush_pending(&mut stmts);
        self.block_items(&def.body, &mut stmts);
        let Some(func) = self.func.take() else { return };
        self.check_labels(&func);
        let end = def.body.span;
        let body = FunctionBody {
            params: definition.params,
            stmt: Stmt { kind: StmtKind::Block(stmts), span: def.body.span },
            labels: func.labels,
            n_cases: func.n_cases,
            end: Span::new(end.hi.saturating_sub(1).max(end.lo), end.hi),
        };
        let function = &mut self.functions[id];
        // What takes its arguments from the caller's can't be called: the declaration remains.
        function.body = if func.uses_arg_pack { None } else { Some(body) };
        function.noreturn |= definition.noreturn;
        function.implicit = false;
        if let Some(name) = def.declarator.name {
            function.span = name.span;
        }
    }

    fn define_param(&mut self, definition: &mut Definition, name: Option<Ident>, declared: DeclType, span: Span) {
        let text = match name {
            Some(name) => self.names.name(name.name).clone(),
            None => "<unnamed>".into(),
        };
        let kind = VarKind::Param(definition.id);
        let ty = declared.ty;
        let var = self.vars.push(Var::new(text, ty, kind, span));
        self.set_align(var, None, declared);
        if let Some(name) = name {
            self.bind_param(name, var);
        }
        definition.params.push(var);
        definition.types.push(ty);
    }

    fn kr_params(&mut self, definition: &mut Definition, idents: &'a [Ident], declarations: &'a [ast::Declaration]) {
        let mut declared: Vec<(Ident, DeclType)> = Vec::new();
        for declaration in declarations {
            let base = self.specs_type(&declaration.specs);
            for item in &declaration.declarators {
                let declarator = &item.declarator;
                let Some(name) = declarator.name else { continue };
                let ty = self.param_declarator(base, &declaration.specs, declarator, ArrayContext::Evaluated);
                if !idents.iter().any(|i| i.name == name.name) {
                    let text = format!("`{}` is declared like a parameter but is none", &self.names[name.name]);
                    self.error(Diagnostic::error("E0341", name.span, text));
                }
                declared.push((name, ty));
            }
        }
        for ident in idents {
            let found = declared.iter().find(|(name, _)| name.name == ident.name);
            let (ident, ty) = found.copied().unwrap_or((*ident, DeclType::plain(self.common.int)));
            let passed = self.passed_type(definition, ty.ty);
            if passed == ty.ty {
                self.define_param(definition, Some(ident), ty, ident.span);
            } else {
                self.converted_param(definition, ident, ty, passed);
            }
        }
    }

    /// The type of the argument for the next parameter of a definition in K&R style (C11 6.9.1p10): what a prototype in front of it says,
    /// otherwise the promoted type.
    fn passed_type(&self, definition: &Definition, ty: TypeId) -> TypeId {
        let known = self.function_of(self.functions[definition.id].ty).filter(|known| known.prototyped);
        let said = known.and_then(|known| known.params.get(definition.params.len()).copied());
        let passed = match said {
            _ if !self.types.is_arithmetic(ty) => ty,
            Some(said) if self.types.is_arithmetic(said) => said,
            _ => self.promote_argument(self.int_expr(0, ty, Span::NONE)).ty,
        };
        let shape = |of: TypeId| (self.types.size_of(self.machine, of), self.types.is_integer(of));
        if shape(passed) == shape(ty) { ty } else { passed }
    }

    /// A parameter whose argument is of another type: it is a local variable that begins with the converted argument.
    fn converted_param(&mut self, definition: &mut Definition, name: Ident, declared: DeclType, passed: TypeId) {
        let span = name.span;
        let text = format!("{}$argument", &self.names[name.name]).into();
        let param = self.vars.push(Var::new(text, passed, VarKind::Temp(definition.id), span));
        definition.params.push(param);
        definition.types.push(passed);
        let var = self.new_var(name, declared.ty, VarKind::Local(definition.id));
        self.set_align(var, None, declared);
        self.bind_param(name, var);
        let param = Box::new(Expr { kind: ExprKind::Var(param), ty: passed, span });
        let value = self.cast(Expr { kind: ExprKind::Load(param), ty: passed, span }, declared.ty, span);
        let value = InitItem { offset: 0, bits: None, value: InitValue::Expr(value) };
        let init = Initializer { zero_rest: false, items: vec![value] };
        definition.converted.push(LocalDecl { var, init: Some(init), span });
    }

    fn bind_param(&mut self, name: Ident, var: VarId) {
        if self.scopes.get_innermost(name.name) != Binding::Unbound {
            self.redefinition(name);
        }
        self.scopes.bind(name.name, Binding::Var(var));
    }
}
