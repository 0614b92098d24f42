//! Expressions: the dispatch on their kinds, names, and the kinds that need little.

use super::Sema;
use super::convert::is_lvalue;
use super::scope::Binding;
use crate::typed::{Expr, ExprKind, Stmt, StmtKind};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, ExprKind as Ast, Symbol, UnaryOp as AstUnary};

/// Longer comma chains are not nested.
const MAX_COMMA: usize = 16;

impl<'a> Sema<'a> {
    /// Checks an expression; the result may be an lvalue or a function designator.
    pub(super) fn expr(&mut self, e: &'a ast::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            Ast::Ident(symbol) => self.identifier(*symbol, span),
            Ast::Int(literal) => self.int_literal(*literal, span),
            Ast::Float(literal) => self.float_literal(literal, span),
            Ast::Char(literal) => self.char_literal(*literal, span),
            Ast::Str(literal) => self.string_literal(literal, span),
            Ast::Unary(op, operand) => self.unary(*op, operand, span),
            Ast::Binary(op, a, b) => self.binary(*op, a, b, span),
            Ast::Assign(lhs, rhs) => self.assign(lhs, rhs, span),
            Ast::AssignOp(op, lhs, rhs) => self.compound_assign(*op, lhs, rhs, span),
            Ast::Conditional(conditional) => self.conditional(conditional, span),
            Ast::Comma(items) => self.comma(items, span),
            Ast::Cast(name, operand) => self.cast_expr(name, operand, span),
            Ast::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            Ast::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            Ast::SizeofType(name) => self.sizeof_type(name, span),
            Ast::AlignofExpr(operand) => self.alignof_expr(operand, span),
            Ast::AlignofType(name) => self.alignof_type(name, span),
            Ast::Call(call) => self.call(call, span),
            Ast::Index(a, b) => self.index(a, b, span),
            Ast::Member(base, member) => self.member(base, *member, span),
            Ast::Arrow(base, member) => self.arrow(base, *member, span),
            Ast::Statement(block) => self.statement_expr(block, span),
            Ast::LabelAddress(label) => self.label_address(*label, span),
            Ast::Generic(generic) => self.generic(generic, span),
            Ast::VaArg(list, name) => self.va_arg(list, name, span),
            Ast::Offsetof(offsetof) => self.offsetof(offsetof, span),
            Ast::TypesCompatible(a, b) => self.types_compatible(a, b, span),
            Ast::Choose(choose) => self.choose(choose),
            Ast::Quantified(quantified) => self.quantified(quantified, span),
            Ast::Exact(e) => {
                let outer = std::mem::replace(&mut self.clause.is_exact, true);
                let value = self.expr(e);
                self.clause.is_exact = outer;
                value
            }
        }
    }

    fn identifier(&mut self, symbol: Symbol, span: Span) -> Expr {
        match self.scopes.get(symbol) {
            Binding::Var(var) => Expr { kind: ExprKind::Var(var), ty: self.vars[var].ty, span },
            Binding::Function(id) => Expr { kind: ExprKind::Function(id), ty: self.functions[id].ty, span },
            Binding::Constant(id) => {
                let constant = self.constants[id];
                self.int_expr(constant.value, constant.ty, span)
            }
            Binding::ProtoParam(ty) => {
                let null = Box::new(self.int_expr(0, self.common.void_ptr, span));
                Expr { kind: ExprKind::Deref(null), ty, span }
            }
            Binding::Typedef(_) => {
                let text = format!("`{}` is a type, not a value", &self.names[symbol]);
                self.error_expr(Diagnostic::error("E0201", span, text))
            }
            Binding::Unbound => self.unbound_identifier(symbol, span),
        }
    }

    fn unbound_identifier(&mut self, symbol: Symbol, span: Span) -> Expr {
        let names = self.names;
        let name = &names[symbol];
        match name {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let function = match &self.func {
                    Some(func) => self.functions[func.id].name.to_string(),
                    None => String::new(),
                };
                return self.text_expr(&function, span);
            }
            _ => {}
        }
        if let Some(id) = self.builtin_function(symbol, span) {
            return Expr { kind: ExprKind::Function(id), ty: self.functions[id].ty, span };
        }
        let mut diagnostic = Diagnostic::error("E0201", span, format!("`{name}` is not declared"));
        diagnostic.label = "not found in this scope".into();
        if let Some(similar) = self.similar_name(symbol) {
            diagnostic.help = Some(format!("did you mean `{similar}`?"));
        }
        self.error(diagnostic);
        // Each name is reported once a scope.
        let error = self.common.error;
        self.scopes.bind(symbol, Binding::ProtoParam(error));
        self.poison(span)
    }

    fn unary(&mut self, op: AstUnary, operand: &'a ast::Expr, span: Span) -> Expr {
        match op {
            AstUnary::Plus | AstUnary::Minus | AstUnary::BitNot | AstUnary::Not => {
                self.arithmetic_unary(op, operand, span)
            }
            AstUnary::Deref => self.dereference(operand, span),
            AstUnary::AddressOf => self.address_of(operand, span),
            AstUnary::PreInc | AstUnary::PreDec | AstUnary::PostInc | AstUnary::PostDec => {
                self.increment(op, operand, span)
            }
            AstUnary::Real | AstUnary::Imag => self.complex_part(op, operand, span),
        }
    }

    fn complex_part(&mut self, op: AstUnary, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.rvalue_expr(operand);
        if self.types.is_unsupported(e.ty) {
            return self.unsupported_operand(&e, e.ty, span);
        }
        if op == AstUnary::Real {
            return e;
        }
        let (ty, int) = (e.ty, self.common.int);
        let zero = self.int_expr(0, int, span);
        let zero = self.cast(zero, ty, span);
        Expr { kind: ExprKind::Comma(Box::new(e), Box::new(zero)), ty, span }
    }

    fn comma(&mut self, items: &'a [ast::Expr], span: Span) -> Expr {
        if items.len() > MAX_COMMA {
            return self.long_comma(items, span);
        }
        let mut result: Option<Expr> = None;
        for item in items {
            let item = self.rvalue_expr(item);
            result = Some(match result {
                None => item,
                Some(left) => {
                    let ty = item.ty;
                    Expr { kind: ExprKind::Comma(Box::new(left), Box::new(item)), ty, span }
                }
            });
        }
        result.unwrap_or_else(|| self.poison(span))
    }

    /// A long chain becomes a statement expression, so that the tree isn't deep.
    fn long_comma(&mut self, items: &'a [ast::Expr], span: Span) -> Expr {
        let mut stmts = Vec::with_capacity(items.len());
        for item in items {
            let e = self.rvalue_expr(item);
            stmts.push(Stmt { kind: StmtKind::Expr(e), span: item.span });
        }
        match stmts.pop() {
            Some(Stmt { kind: StmtKind::Expr(last), .. }) => {
                let ty = last.ty;
                Expr { kind: ExprKind::StmtExpr { stmts, value: Some(Box::new(last)) }, ty, span }
            }
            _ => self.poison(span),
        }
    }

    fn cast_expr(&mut self, name: &'a ast::TypeName, operand: &'a ast::Expr, span: Span) -> Expr {
        let mark = self.pending.len();
        let ty = self.type_name(name);
        let operand = self.rvalue_expr(operand);
        let result = self.explicit_cast(operand, ty, span);
        self.after_pending(mark, result)
    }

    fn va_arg(&mut self, list: &'a ast::Expr, name: &'a ast::TypeName, span: Span) -> Expr {
        let list = self.expr(list);
        let ty = self.type_name(name);
        match self.va_list_lvalue(list) {
            Some(list) if !self.types.is_unsupported(ty) => Expr { kind: ExprKind::VaArg(Box::new(list)), ty, span },
            _ => self.unsupported("va_arg", self.types.display(ty), ty, span),
        }
    }

    /// The lvalue of type `va_list` that an operand of a `va_…` macro means: itself, or what it points to.
    pub(super) fn va_list_lvalue(&mut self, e: Expr) -> Option<Expr> {
        let va_list = self.common.va_list;
        if e.ty == va_list && is_lvalue(&e) {
            return Some(e);
        }
        let mut e = e;
        // Casts such as CIL's `(__va_list_tag *)(&args)`.
        loop {
            let span = e.span;
            match e.kind {
                ExprKind::Cast(inner) => e = *inner,
                ExprKind::AddrOf(inner) if inner.ty == va_list => return Some(*inner),
                _ if self.types.pointee(e.ty) == Some(va_list) => {
                    let e = self.rvalue(e);
                    return Some(Expr { kind: ExprKind::Deref(Box::new(e)), ty: va_list, span });
                }
                _ => return None,
            }
        }
    }

    /// The record of a type, for member access.
    pub(super) fn record_of(&mut self, ty: TypeId, span: Span) -> Option<crate::types::RecordId> {
        match self.types.get(ty) {
            Type::Record(id) => Some(*id),
            Type::Unsupported(_) => None,
            _ => {
                let text = format!("`{}` is not a struct or union", self.types.display(ty));
                self.error(Diagnostic::error("E0324", span, text).label("has no members"));
                None
            }
        }
    }
}
