//! Expressions with operators.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Conditional, Expr, ExprKind, UnaryOp};
use crate::lex::Tok;

/// Precedence of the binary operators, from `||` (1) to `*` (10).
#[inline]
fn binary_operator(kind: Tok) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        Tok::OrOr => (1, BinaryOp::LogOr),
        Tok::AndAnd => (2, BinaryOp::LogAnd),
        Tok::Or => (3, BinaryOp::BitOr),
        Tok::Caret => (4, BinaryOp::BitXor),
        Tok::And => (5, BinaryOp::BitAnd),
        Tok::EqEq => (6, BinaryOp::Eq),
        Tok::NotEq => (6, BinaryOp::Ne),
        Tok::Lt => (7, BinaryOp::Lt),
        Tok::Gt => (7, BinaryOp::Gt),
        Tok::Le => (7, BinaryOp::Le),
        Tok::Ge => (7, BinaryOp::Ge),
        Tok::Shl => (8, BinaryOp::Shl),
        Tok::Shr => (8, BinaryOp::Shr),
        Tok::Plus => (9, BinaryOp::Add),
        Tok::Minus => (9, BinaryOp::Sub),
        Tok::Star => (10, BinaryOp::Mul),
        Tok::Slash => (10, BinaryOp::Div),
        Tok::Percent => (10, BinaryOp::Rem),
        _ => return None,
    })
}

#[inline]
fn assignment_operator(kind: Tok) -> Option<BinaryOp> {
    Some(match kind {
        Tok::PlusEq => BinaryOp::Add,
        Tok::MinusEq => BinaryOp::Sub,
        Tok::StarEq => BinaryOp::Mul,
        Tok::SlashEq => BinaryOp::Div,
        Tok::PercentEq => BinaryOp::Rem,
        Tok::ShlEq => BinaryOp::Shl,
        Tok::ShrEq => BinaryOp::Shr,
        Tok::AndEq => BinaryOp::BitAnd,
        Tok::CaretEq => BinaryOp::BitXor,
        Tok::OrEq => BinaryOp::BitOr,
        _ => return None,
    })
}

/// Whether a primary expression goes on with this token.
#[inline]
fn is_postfix(kind: Tok) -> bool {
    use Tok::{Arrow, Dot, LBracket, LParen, MinusMinus, PlusPlus};
    matches!(kind, LParen | LBracket | Dot | Arrow | PlusPlus | MinusMinus)
}

impl Parser<'_> {
    /// An expression, maybe with commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let first = self.assignment()?;
        if self.kind() == Tok::Comma { self.comma(first) } else { Ok(first) }
    }

    #[inline(never)]
    fn comma(&mut self, first: Expr) -> Parsed<Expr> {
        let lo = first.span.lo;
        let mut exprs = vec![first];
        while self.eat(Tok::Comma) {
            let next = self.assignment()?;
            exprs.push(next);
        }
        Ok(Expr { span: self.since(lo), kind: ExprKind::Comma(exprs.into()) })
    }

    /// An expression without comma.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let left = self.binary()?;
        let kind = self.kind();
        match kind {
            Tok::Semi | Tok::RParen | Tok::Comma => Ok(left),
            Tok::Question => self.conditional(left),
            _ if kind == Tok::Eq || assignment_operator(kind).is_some() => {
                self.bump();
                self.enter()?;
                let right = Box::new(self.assignment()?);
                self.leave();
                let span = left.span.to(right.span);
                let left = Box::new(left);
                let kind = match assignment_operator(kind) {
                    Some(op) => ExprKind::AssignOp(op, left, right),
                    None => ExprKind::Assign(left, right),
                };
                Ok(Expr { span, kind })
            }
            _ => Ok(left),
        }
    }

    /// An expression that may stand where constants are asked for: neither comma nor assignment.
    pub(super) fn constant(&mut self) -> Parsed<Expr> {
        let condition = self.binary()?;
        if self.kind() == Tok::Question { self.conditional(condition) } else { Ok(condition) }
    }

    #[inline(never)]
    fn conditional(&mut self, condition: Expr) -> Parsed<Expr> {
        self.bump();
        self.enter()?;
        let then = if self.kind() == Tok::Colon { None } else { Some(self.expression()?) };
        self.expect(Tok::Colon)?;
        let otherwise = self.constant()?;
        self.leave();
        let span = condition.span.to(otherwise.span);
        Ok(Expr { span, kind: ExprKind::Conditional(Box::new(Conditional { condition, then, otherwise })) })
    }

    /// Operands with binary operators between them.
    fn binary(&mut self) -> Parsed<Expr> {
        let outer = std::mem::replace(&mut self.peak, self.depth);
        let first = self.unary()?;
        let mut whole = if self.operator().is_some() { self.operators(first, 1)? } else { first };
        if self.kind() == Tok::EqEq {
            whole = self.implication(whole)?;
        }
        self.peak = self.peak.max(outer);
        Ok(whole)
    }

    /// The operator that stands here, but for CBMC's `==>`.
    #[inline]
    fn operator(&self) -> Option<(u8, BinaryOp)> {
        let kind = self.kind();
        if kind == Tok::EqEq && self.peek(1).kind == Tok::Gt {
            return None;
        }
        binary_operator(kind)
    }

    /// `a ==> b` of CBMC's dialect: `!a || b`.
    #[inline(never)]
    fn implication(&mut self, left: Expr) -> Parsed<Expr> {
        self.bump();
        self.bump();
        // Two operators.
        self.wrap()?;
        self.wrap()?;
        self.enter()?;
        let right = self.binary()?;
        self.leave();
        let span = left.span.to(right.span);
        let not = Expr { span: left.span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(left)) };
        Ok(Expr { span, kind: ExprKind::Binary(BinaryOp::LogOr, Box::new(not), Box::new(right)) })
    }

    /// Operators of at least this precedence behind `left`, whose deepest leaf is at `peak`.
    fn operators(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        while let Some((precedence, op)) = self.operator() {
            if precedence < least {
                break;
            }
            self.bump();
            self.wrap()?;
            let left_peak = std::mem::replace(&mut self.peak, self.depth);
            self.enter()?;
            let mut right = self.unary()?;
            while self.operator().is_some_and(|(next, _)| next > precedence) {
                right = self.operators(right, precedence + 1)?;
            }
            self.leave();
            self.peak = self.peak.max(left_peak);
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    /// An operand: prefix operators, casts, and what they stand before.
    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        if token.kind == Tok::Ident && !is_postfix(self.peek(1).kind) {
            self.bump();
            self.peak = self.peak.max(self.depth + 1);
            return Ok(Expr { span: token.span, kind: ExprKind::Ident(token.name) });
        }
        self.enter()?;
        let expr = match token.kind {
            Tok::Plus => self.prefix(UnaryOp::Plus),
            Tok::Minus => self.prefix(UnaryOp::Minus),
            Tok::Tilde => self.prefix(UnaryOp::BitNot),
            Tok::Not => self.prefix(UnaryOp::Not),
            Tok::Star => self.prefix(UnaryOp::Deref),
            Tok::And => self.prefix(UnaryOp::AddressOf),
            Tok::PlusPlus => self.prefix(UnaryOp::PreInc),
            Tok::MinusMinus => self.prefix(UnaryOp::PreDec),
            Tok::Real => self.prefix(UnaryOp::Real),
            Tok::Imag => self.prefix(UnaryOp::Imag),
            Tok::Extension => {
                self.bump();
                self.unary()
            }
            Tok::AndAnd => self.label_address(),
            Tok::Sizeof | Tok::Alignof => self.sizeof(),
            Tok::LParen if self.starts_type(self.peek(1)) => self.cast(),
            _ => self.postfix(),
        }?;
        self.leave();
        Ok(expr)
    }

    fn prefix(&mut self, op: UnaryOp) -> Parsed<Expr> {
        let lo = self.bump().span.lo;
        let operand = Box::new(self.unary()?);
        Ok(Expr { span: self.since(lo), kind: ExprKind::Unary(op, operand) })
    }

    #[inline(never)]
    fn label_address(&mut self) -> Parsed<Expr> {
        let lo = self.bump().span.lo;
        let label = self.ident()?;
        Ok(Expr { span: self.since(lo), kind: ExprKind::LabelAddress(label) })
    }

    /// `(T)e`, or a compound literal with what follows it.
    #[inline(never)]
    fn cast(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let ty = Box::new(self.type_name()?);
        self.expect_closing(Tok::RParen, open)?;
        if self.kind() == Tok::LBrace {
            let literal = self.compound_literal(open.lo, ty)?;
            return self.postfix_operators(literal);
        }
        let operand = Box::new(self.unary()?);
        Ok(Expr { span: self.since(open.lo), kind: ExprKind::Cast(ty, operand) })
    }

    fn compound_literal(&mut self, lo: u32, ty: Box<crate::ast::TypeName>) -> Parsed<Expr> {
        let list = Box::new(self.init_list()?);
        Ok(Expr { span: self.since(lo), kind: ExprKind::CompoundLiteral(ty, list) })
    }

    /// `sizeof` and `_Alignof` of types and expressions.
    #[inline(never)]
    pub(super) fn sizeof(&mut self) -> Parsed<Expr> {
        let keyword = self.bump();
        let is_size = keyword.kind == Tok::Sizeof;
        let lo = keyword.span.lo;
        let operand = if self.kind() == Tok::LParen && self.starts_type(self.peek(1)) {
            let open = self.bump().span;
            let ty = Box::new(self.type_name()?);
            self.expect_closing(Tok::RParen, open)?;
            if self.kind() != Tok::LBrace {
                let kind = if is_size { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty) };
                return Ok(Expr { span: self.since(lo), kind });
            }
            let literal = self.compound_literal(open.lo, ty)?;
            self.postfix_operators(literal)?
        } else {
            self.unary()?
        };
        let operand = Box::new(operand);
        let kind = if is_size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(Expr { span: self.since(lo), kind })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let outer = std::mem::replace(&mut self.peak, self.depth);
        let mut expr = self.primary()?;
        if is_postfix(self.kind()) {
            expr = self.postfix_operators(expr)?;
        }
        self.peak = self.peak.max(outer);
        Ok(expr)
    }
}
