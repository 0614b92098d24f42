//! Declarators: pointers, arrays, functions, parameters; and type names.

use base::Span;

use super::scope::Class;
use super::specifier::ImplicitInt;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{
    ArrayPart, ArraySize, Attribute, Declarator, Derived, FunctionPart, Ident, ParamDecl, Params, Quals, TypeName,
};
use crate::lex::Tok;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// In declarations.
    Required,
    /// In parameters.
    Optional,
    /// In type names.
    Forbidden,
}

impl Parser<'_> {
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let lo = self.span().lo;
        let specs = self.specifiers(ImplicitInt::Forbidden)?;
        let declarator = self.declarator(Naming::Forbidden)?;
        Ok(TypeName { span: self.since(lo), specs, declarator })
    }

    /// With the `asm` label and the attributes behind it.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let here = self.here();
        let start = self.pos;
        let mut declarator = Declarator {
            span: here,
            name: None,
            derived: Vec::new(),
            asm_label: None,
            attrs: Vec::new(),
            contract: None,
        };
        self.declarator_into(naming, &mut declarator)?;
        if self.kind() == Tok::Asm && naming == Naming::Required {
            self.bump();
            let open = self.expect(Tok::LParen)?;
            declarator.asm_label = Some(Box::new(self.string()?));
            self.expect_closing(Tok::RParen, open)?;
        }
        if self.kind() == Tok::Attribute {
            self.attributes(&mut declarator.attrs)?;
        }
        if self.pos != start {
            declarator.span = self.since(here.lo);
        }
        if naming == Naming::Required && declarator.params().is_some() {
            self.function_clauses(&mut declarator)?;
        }
        Ok(declarator)
    }

    fn declarator_into(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        self.enter()?;
        let mut pointers = Vec::new();
        if self.kind() == Tok::Attribute {
            self.attributes(&mut out.attrs)?;
        }
        while self.eat(Tok::Star) {
            pointers.push(self.pointer()?);
        }
        match self.kind() {
            Tok::Ident if naming != Naming::Forbidden => {
                let token = self.bump();
                out.name = Some(Ident { name: token.name, span: token.span });
            }
            Tok::LParen if self.is_nested(naming) => {
                let open = self.bump().span;
                self.declarator_into(naming, out)?;
                self.expect_closing(Tok::RParen, open)?;
            }
            _ if naming == Naming::Required => return Err(self.expected("a name")),
            _ => {}
        }
        loop {
            match self.kind() {
                Tok::LBracket if self.peek(1).kind == Tok::LBracket => self.attributes(&mut out.attrs)?,
                Tok::LBracket => {
                    let part = self.array()?;
                    out.derived.push(part);
                }
                Tok::LParen => {
                    let part = self.parameters()?;
                    out.derived.push(part);
                }
                _ => break,
            }
        }
        // The innermost star is next to the name.
        out.derived.extend(pointers.into_iter().rev());
        self.leave();
        // Types are as deep as their declarators are long.
        if out.derived.len() > MAX_DEPTH as usize { Err(self.too_deep()) } else { Ok(()) }
    }

    fn pointer(&mut self) -> Parsed<Derived> {
        let mut quals = Quals::NONE;
        let mut attrs: Vec<Attribute> = Vec::new();
        loop {
            match self.kind() {
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => quals |= self.qualifier(),
                Tok::Attribute => self.attributes(&mut attrs)?,
                _ => return Ok(Derived::Pointer(quals, attrs)),
            }
        }
    }

    /// Whether the parenthesis holds a declarator rather than parameters.
    fn is_nested(&self, naming: Naming) -> bool {
        let next = self.peek(1);
        match naming {
            Naming::Required => true,
            Naming::Optional => {
                next.kind == Tok::Attribute
                    || !(self.starts_type(next) || matches!(next.kind, Tok::RParen | Tok::Ellipsis | Tok::Extension))
            }
            Naming::Forbidden => {
                let bracket = next.kind == Tok::LBracket;
                bracket || matches!(next.kind, Tok::Star | Tok::LParen | Tok::Attribute)
            }
        }
    }

    fn array(&mut self) -> Parsed<Derived> {
        let open = self.bump().span;
        self.enter()?;
        let mut at_least = false;
        let mut quals = Quals::NONE;
        loop {
            match self.kind() {
                Tok::Static => {
                    self.bump();
                    at_least = true;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => quals |= self.qualifier(),
                _ => break,
            }
        }
        let size = match self.kind() {
            Tok::RBracket => ArraySize::None,
            Tok::Star if self.peek(1).kind == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.assignment()?),
        };
        self.expect_closing(Tok::RBracket, open)?;
        self.leave();
        Ok(Derived::Array(Box::new(ArrayPart { span: self.since(open.lo), size, at_least, quals })))
    }

    fn parameters(&mut self) -> Parsed<Derived> {
        let open = self.bump().span;
        self.enter()?;
        self.scopes.push();
        let params = self.parameter_list(open)?;
        self.scopes.pop();
        self.leave();
        Ok(Derived::Function(Box::new(FunctionPart { span: self.since(open.lo), params })))
    }

    /// Up to the closing parenthesis.
    fn parameter_list(&mut self, open: Span) -> Parsed<Params> {
        let next = self.peek(1).kind;
        match self.kind() {
            Tok::RParen => {
                self.bump();
                return Ok(Params::Unspecified);
            }
            Tok::Void if next == Tok::RParen => {
                self.bump();
                self.bump();
                return Ok(Params::Prototype { params: Vec::new(), variadic: false });
            }
            Tok::Ident if !self.is_typedef(self.token()) && matches!(next, Tok::RParen | Tok::Comma) => {
                return self.identifiers(open);
            }
            _ => {}
        }
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                variadic = true;
                break;
            }
            let lo = self.span().lo;
            let specs = self.specifiers(ImplicitInt::Forbidden)?;
            let declarator = self.declarator(Naming::Optional)?;
            // `typedef int T; void f(int T, int x[sizeof T]);`
            if let Some(ident) = declarator.name {
                self.scopes.declare(ident.name, Class::Other);
            }
            params.push(ParamDecl { span: self.since(lo), specs, declarator });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        Ok(Params::Prototype { params, variadic })
    }

    fn identifiers(&mut self, open: Span) -> Parsed<Params> {
        let mut idents = Vec::new();
        loop {
            idents.push(self.ident()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        Ok(Params::Identifiers(idents))
    }

    pub(super) fn ident(&mut self) -> Parsed<Ident> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return Err(self.expected("a name"));
        }
        self.bump();
        Ok(Ident { name: token.name, span: token.span })
    }
}
