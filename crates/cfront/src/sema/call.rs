//! Function calls (C11 6.5.2.2).

use super::Sema;
use super::builtin_call::special;
use super::convert::Target;
use super::scope::Binding;
use crate::typed::{Callee, Expr, ExprKind, FunctionId};
use crate::types::{FunctionType, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast;

impl<'a> Sema<'a> {
    pub(super) fn call(&mut self, call: &'a ast::Call, span: Span) -> Expr {
        if let ast::ExprKind::Ident(symbol) = call.callee.kind {
            let binding = self.scopes.get(symbol);
            let names = self.names;
            let name = &names[symbol];
            if name.starts_with("__")
                && matches!(binding, Binding::Unbound | Binding::Function(_))
                && let Some(special) = special(name)
            {
                return self.special_call(special, symbol, call, span);
            }
            if binding == Binding::Unbound {
                let id = self.implicit_function(symbol, call.callee.span);
                return self.direct_call(id, &call.args, span);
            }
        }
        let callee = self.expr(&call.callee);
        let callee = match callee.kind {
            ExprKind::Function(id) => return self.direct_call(id, &call.args, span),
            // `(*p)(…)` calls what `p` points to.
            ExprKind::Deref(pointer) if matches!(self.types.get(callee.ty), Type::Function(_)) => *pointer,
            kind => self.rvalue(Expr { kind, ..callee }),
        };
        if let ExprKind::AddrOf(inner) | ExprKind::Decay(inner) = &callee.kind
            && let ExprKind::Function(id) = inner.kind
        {
            return self.direct_call(id, &call.args, span);
        }
        let target = self.types.pointee(callee.ty).unwrap_or(callee.ty);
        let Some(ret) = self.function_of(target).map(|f| f.ret) else {
            for arg in &call.args {
                self.rvalue_expr(arg);
            }
            if self.types.is_unsupported(callee.ty) {
                return self.unsupported_operand(&callee, callee.ty, span);
            }
            let text = format!("a value of type `{}` is called", self.types.display(callee.ty));
            return self.error_expr(Diagnostic::error("E0329", callee.span, text).label("not a function"));
        };
        let args = self.arguments(target, None, &call.args, span);
        self.call_node(Callee::Pointer(Box::new(callee)), args, ret, span)
    }

    fn direct_call(&mut self, id: FunctionId, args: &'a [ast::Expr], span: Span) -> Expr {
        let ty = self.functions[id].ty;
        let ret = self.function_of(ty).map_or(self.common.int, |f| f.ret);
        let args = self.arguments(ty, Some(id), args, span);
        self.call_node(Callee::Direct(id), args, ret, span)
    }

    pub(super) fn call_node(&mut self, callee: Callee, args: Vec<Expr>, ret: TypeId, span: Span) -> Expr {
        if let Type::Record(id) = self.types.get(ret)
            && self.types.records[*id].layout.is_none()
        {
            let text = format!("a call returns the incomplete type `{}`", self.types.display(ret));
            self.error(Diagnostic::error("E0304", span, text));
        }
        if self.types.is_unsupported(ret) {
            return self.unsupported("type", self.types.display(ret), ret, span);
        }
        Expr { kind: ExprKind::Call { callee, args }, ty: ret, span }
    }

    pub(super) fn function_of(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.types.get(ty) {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    fn arguments(&mut self, ty: TypeId, id: Option<FunctionId>, args: &'a [ast::Expr], span: Span) -> Vec<Expr> {
        let Some(function) = self.function_of(ty) else { return Vec::new() };
        let (n_params, prototyped, variadic) = (function.params.len(), function.prototyped, function.variadic);
        if prototyped && (args.len() < n_params || (args.len() > n_params && !variadic)) {
            self.wrong_count(id, n_params, args.len(), span);
        }
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let arg = self.rvalue_expr(arg);
            if arg.ty == self.common.va_list
                && let ExprKind::Load(list) = &arg.kind
                && let ExprKind::Var(var) = list.kind
            {
                self.vars[var].is_passed_list = true;
            }
            let param = self.function_of(ty).and_then(|f| f.params.get(i)).copied();
            converted.push(match param {
                Some(param) if prototyped => self.assign_convert(arg, param, Target::Argument(i + 1)),
                Some(param) => {
                    // What a definition in K&R style says is a hint only.
                    let arg = self.promote_argument(arg);
                    match self.types.is_arithmetic(param) && self.types.is_arithmetic(arg.ty) {
                        true => self.cast(arg, param, span),
                        false => arg,
                    }
                }
                None => self.variadic_argument(arg),
            });
        }
        converted
    }

    pub(super) fn variadic_argument(&mut self, arg: Expr) -> Expr {
        if arg.ty == self.common.void {
            let text = "the value of a `void` expression is used";
            return self.error_expr(Diagnostic::error("E0317", arg.span, text).label("this has no value"));
        }
        self.promote_argument(arg)
    }

    fn wrong_count(&mut self, id: Option<FunctionId>, expected: usize, found: usize, span: Span) {
        let few = if found < expected { "few" } else { "many" };
        let name = id.map(|id| self.functions[id].name.clone());
        let text = match &name {
            Some(name) => format!("too {few} arguments to function `{name}`"),
            None => format!("too {few} arguments to a function"),
        };
        let label = format!("expected {expected}, found {found}");
        let mut diagnostic = Diagnostic::error("E0330", span, text).label(label);
        if let Some(id) = id.filter(|id| !self.functions[*id].implicit) {
            diagnostic = diagnostic.related(self.functions[id].span, "declared here");
        }
        self.error(diagnostic);
    }
}
