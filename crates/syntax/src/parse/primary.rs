//! Expressions without operators, and postfix operators.

use base::Diagnostic;

use super::error::spelling;
use super::{Parsed, Parser};
use crate::ast::{
    Call, Choose, Designator, DesignatorKind, Expr, ExprKind, Generic, Offsetof, Quantified, Quantifier, UnaryOp,
    Values,
};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident => {
                self.bump();
                ExprKind::Ident(token.name)
            }
            Tok::Number => self.number()?,
            Tok::Char => self.character()?,
            Tok::Str => ExprKind::Str(Box::new(self.string()?)),
            Tok::LParen => return self.parenthesized(),
            Tok::Generic => self.generic()?,
            Tok::VaArg => self.va_arg()?,
            Tok::Offsetof => self.offsetof()?,
            Tok::TypesCompatible => self.types_compatible()?,
            Tok::ChooseExpr => self.choose()?,
            Tok::Forall => self.quantified(Quantifier::All)?,
            Tok::Exists => self.quantified(Quantifier::Some)?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { span: self.since(token.span.lo), kind })
    }

    /// `(e)` and `({ … })`
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let mut expr = if self.kind() == Tok::LBrace { self.statement_expression()? } else { self.expression()? };
        let close = self.expect_closing(Tok::RParen, open)?;
        expr.span = open.to(close);
        Ok(expr)
    }

    #[inline(never)]
    fn statement_expression(&mut self) -> Parsed<Expr> {
        let block = Box::new(self.block()?);
        Ok(Expr { span: block.span, kind: ExprKind::Statement(block) })
    }

    /// Calls, indices, members, increments behind `expr`, whose deepest leaf is at `peak`.
    pub(super) fn postfix_operators(&mut self, mut expr: Expr) -> Parsed<Expr> {
        let lo = expr.span.lo;
        loop {
            let kind = match self.kind() {
                Tok::LParen => self.call(expr)?,
                Tok::LBracket => {
                    let open = self.bump().span;
                    let index = self.expression()?;
                    self.expect_closing(Tok::RBracket, open)?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Tok::Dot => {
                    self.bump();
                    ExprKind::Member(Box::new(expr), self.ident()?)
                }
                Tok::Arrow => {
                    self.bump();
                    ExprKind::Arrow(Box::new(expr), self.ident()?)
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, Box::new(expr))
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, Box::new(expr))
                }
                _ => return Ok(expr),
            };
            self.wrap()?;
            expr = Expr { span: self.since(lo), kind };
        }
    }

    fn call(&mut self, callee: Expr) -> Parsed<ExprKind> {
        let open = self.bump().span;
        let mut args = Vec::new();
        if !self.eat(Tok::RParen) {
            loop {
                if self.starts_type(self.token()) {
                    return Err(self.type_as_argument());
                }
                args.push(self.assignment()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_closing(Tok::RParen, open)?;
        }
        Ok(ExprKind::Call(Box::new(Call { callee, args })))
    }

    #[cold]
    fn type_as_argument(&mut self) -> super::Failed {
        let found = self.found(self.token());
        let message = format!("expected an expression, found the type {found}");
        let help = "a macro such as va_arg or offsetof that takes a type needs its header";
        self.fail(Diagnostic::error("E0120", self.span(), message).help(help))
    }

    #[inline(never)]
    fn generic(&mut self) -> Parsed<ExprKind> {
        self.asks_for_types = true;
        self.bump();
        let open = self.expect(Tok::LParen)?;
        let control = self.assignment()?;
        let mut associations = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon)?;
            associations.push((ty, self.assignment()?));
        }
        self.expect_closing(Tok::RParen, open)?;
        Ok(ExprKind::Generic(Box::new(Generic { control, associations })))
    }

    #[inline(never)]
    fn va_arg(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LParen)?;
        let list = Box::new(self.assignment()?);
        self.expect(Tok::Comma)?;
        let ty = Box::new(self.type_name()?);
        self.expect_closing(Tok::RParen, open)?;
        Ok(ExprKind::VaArg(list, ty))
    }

    #[inline(never)]
    fn offsetof(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LParen)?;
        let ty = self.type_name()?;
        self.expect(Tok::Comma)?;
        let first = self.ident()?;
        let mut path = vec![Designator { span: first.span, kind: DesignatorKind::Field(first.name) }];
        loop {
            match self.kind() {
                Tok::Dot | Tok::LBracket => {
                    let step = self.designator()?;
                    if matches!(step.kind, DesignatorKind::Range(..)) {
                        let error = Diagnostic::error("E0120", step.span, "a range can't be a step of offsetof");
                        return Err(self.fail(error));
                    }
                    path.push(step);
                }
                // `->` means `[0].` here.
                Tok::Arrow => return Err(self.expected(spelling(Tok::Dot))),
                _ => break,
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        Ok(ExprKind::Offsetof(Box::new(Offsetof { ty, path })))
    }

    #[inline(never)]
    fn types_compatible(&mut self) -> Parsed<ExprKind> {
        self.asks_for_types = true;
        self.bump();
        let open = self.expect(Tok::LParen)?;
        let first = Box::new(self.type_name()?);
        self.expect(Tok::Comma)?;
        let second = Box::new(self.type_name()?);
        self.expect_closing(Tok::RParen, open)?;
        Ok(ExprKind::TypesCompatible(first, second))
    }

    #[inline(never)]
    fn choose(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LParen)?;
        let condition = self.assignment()?;
        self.expect(Tok::Comma)?;
        let then = self.assignment()?;
        self.expect(Tok::Comma)?;
        let otherwise = self.assignment()?;
        self.expect_closing(Tok::RParen, open)?;
        Ok(ExprKind::Choose(Box::new(Choose { condition, then, otherwise })))
    }

    #[inline(never)]
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LBrace)?;
        self.scopes.push();
        let variable = self.declaration()?;
        let body = self.expression()?;
        self.eat(Tok::Semi);
        self.expect_closing(Tok::RBrace, open)?;
        self.scopes.pop();
        Ok(ExprKind::Quantified(Box::new(Quantified { quantifier, variable, values: Values::OfType, body })))
    }
}
