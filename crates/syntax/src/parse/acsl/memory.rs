//! Memory: whether it may be accessed, whether parts of it lie apart, and what is written.

use super::build::{choice, constant, joined, name_of, negated, type_named};
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Builtin, Call, ClauseGroup, ClauseKind, Expr, ExprKind, UnaryOp};
use crate::lex::Tok;
use base::Span;

/// The name of what holds the ends of a range until something takes it.
const RANGE: &str = "\\range";

/// So many elements from a pointer on.
struct Elements {
    /// To the element from which the range counts.
    pointer: Expr,
    /// First and last element; otherwise one, at the pointer.
    range: Option<(Expr, Expr)>,
}

impl Parser<'_> {
    /// A term or predicate, or `a .. b`.
    pub(super) fn value_or_range(&mut self) -> Parsed<Expr> {
        let at_dots = |s: &Self| s.kind() == Tok::Dot && s.peek(1).kind == Tok::Dot;
        if at_dots(self) {
            let span = self.span();
            return Err(self.not_read(span, "a range without its first element", "write both ends"));
        }
        let first = self.predicate()?;
        if !at_dots(self) {
            return Ok(first);
        }
        self.bump();
        self.bump();
        if matches!(self.kind(), Tok::RParen | Tok::RBracket) {
            return Err(self.not_read(first.span, "a range without its last element", "write both ends"));
        }
        let last = self.predicate()?;
        let range = self.named_call(RANGE, vec![first, last]);
        self.acsl.ranges.push(range.span);
        Ok(range)
    }

    /// The ends of a range, if the expression is one.
    fn as_range(&mut self, e: Expr) -> Result<(Expr, Expr), Expr> {
        let is_range = matches!(&e.kind, ExprKind::Call(call) if name_of(&call.callee).is_some_and(|name| &self.names[name] == RANGE));
        match e.kind {
            ExprKind::Call(call) if is_range => {
                let Call { callee, mut args } = *call;
                match (args.pop(), args.pop()) {
                    (Some(last), Some(first)) => {
                        self.acsl.ranges.pop();
                        Ok((first, last))
                    }
                    _ => Err(callee),
                }
            }
            kind => Err(Expr { kind, ..e }),
        }
    }

    /// What a pointer term with a range means.
    fn elements(&mut self, e: Expr) -> Elements {
        let span = e.span;
        match e.kind {
            ExprKind::Binary(BinaryOp::Add, pointer, offset) => match self.as_range(*offset) {
                Ok(range) => Elements { pointer: *pointer, range: Some(range) },
                Err(offset) => {
                    let kind = ExprKind::Binary(BinaryOp::Add, pointer, Box::new(offset));
                    Elements { pointer: Expr { span, kind }, range: None }
                }
            },
            ExprKind::Unary(UnaryOp::AddressOf, lvalue) => match *lvalue {
                Expr { kind: ExprKind::Index(array, index), span: at } => match self.as_range(*index) {
                    Ok(range) => Elements { pointer: *array, range: Some(range) },
                    Err(index) => {
                        let element = Expr { span: at, kind: ExprKind::Index(array, Box::new(index)) };
                        let kind = ExprKind::Unary(UnaryOp::AddressOf, Box::new(element));
                        Elements { pointer: Expr { span, kind }, range: None }
                    }
                },
                lvalue => {
                    let kind = ExprKind::Unary(UnaryOp::AddressOf, Box::new(lvalue));
                    Elements { pointer: Expr { span, kind }, range: None }
                }
            },
            kind => Elements { pointer: Expr { span, kind }, range: None },
        }
    }

    /// `\valid(p + (a .. b))` and the like.
    pub(super) fn memory_predicate(&mut self, name: &str, lo: u32) -> Parsed<Expr> {
        let open = self.expect(Tok::LParen)?;
        let mut parts = Vec::new();
        loop {
            let e = self.predicate()?;
            let elements = self.elements(e);
            parts.push(elements);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        let span = self.since(lo);
        let mut whole: Option<Expr> = None;
        if name == "\\separated" {
            for i in 0..parts.len() {
                for j in i + 1..parts.len() {
                    let apart = self.apart(&parts[i], &parts[j], span)?;
                    whole = Some(and(whole, apart));
                }
            }
        } else {
            let function = if name == "\\valid" { "__CPROVER_w_ok" } else { "__CPROVER_r_ok" };
            for elements in parts {
                let valid = self.accessible(function, elements, span)?;
                whole = Some(and(whole, valid));
            }
        }
        Ok(Expr { span, ..whole.unwrap_or_else(|| constant(1, span)) })
    }

    /// Whether all elements may be accessed; where there are none, they may.
    fn accessible(&mut self, function: &str, elements: Elements, span: Span) -> Parsed<Expr> {
        if elements.range.is_none() {
            return Ok(self.named_call(function, vec![elements.pointer]));
        }
        let (is_empty, bytes, start) =
            (self.is_empty(&elements)?, self.bytes(&elements, span)?, self.start(&elements)?);
        // More bytes than a number has are nowhere.
        let size = Expr {
            span,
            kind: ExprKind::Cast(Box::new(type_named(Builtin::Size, Vec::new(), span)), Box::new(self.copy(&bytes)?)),
        };
        let fits = joined(BinaryOp::Eq, self.copy(&bytes)?, size);
        let valid = self.named_call(function, vec![start, bytes]);
        Ok(joined(BinaryOp::LogOr, is_empty, joined(BinaryOp::LogAnd, fits, valid)))
    }

    /// Whether two ranges have no byte in common.
    fn apart(&mut self, a: &Elements, b: &Elements, span: Span) -> Parsed<Expr> {
        let mut whole = joined(BinaryOp::LogOr, self.is_empty(a)?, self.is_empty(b)?);
        for (first, second) in [(a, b), (b, a)] {
            let (start, next) = (self.address(first, span)?, self.address(second, span)?);
            let end = joined(BinaryOp::Add, start, self.bytes(first, span)?);
            whole = joined(BinaryOp::LogOr, whole, joined(BinaryOp::Le, end, next));
        }
        Ok(Expr { span, ..whole })
    }

    fn is_empty(&mut self, elements: &Elements) -> Parsed<Expr> {
        match &elements.range {
            Some((first, last)) => Ok(joined(BinaryOp::Gt, self.copy(first)?, self.copy(last)?)),
            None => Ok(constant(0, elements.pointer.span)),
        }
    }

    /// A pointer to the first element.
    fn start(&mut self, elements: &Elements) -> Parsed<Expr> {
        let pointer = self.copy(&elements.pointer)?;
        match &elements.range {
            Some((first, _)) => Ok(joined(BinaryOp::Add, pointer, self.copy(first)?)),
            None => Ok(pointer),
        }
    }

    /// Its address as a number.
    fn address(&mut self, elements: &Elements, span: Span) -> Parsed<Expr> {
        let start = Box::new(self.start(elements)?);
        Ok(Expr { span, kind: ExprKind::Cast(Box::new(type_named(Builtin::Size, Vec::new(), span)), start) })
    }

    /// The number of bytes, which may be less than none.
    fn bytes(&mut self, elements: &Elements, span: Span) -> Parsed<Expr> {
        let pointer = Box::new(self.copy(&elements.pointer)?);
        let element = Expr { span, kind: ExprKind::Unary(UnaryOp::Deref, pointer) };
        let size = Expr { span, kind: ExprKind::SizeofExpr(Box::new(element)) };
        let Some((first, last)) = &elements.range else { return Ok(size) };
        let distance = joined(BinaryOp::Sub, self.copy(last)?, self.copy(first)?);
        Ok(joined(BinaryOp::Mul, joined(BinaryOp::Add, distance, constant(1, span)), size))
    }

    /// A location that may be written or freed.
    pub(super) fn target(&mut self, kind: ClauseKind) -> Parsed<ClauseGroup> {
        let e = self.predicate()?;
        let span = e.span;
        let exact = |e: Expr| Expr { span: e.span, kind: ExprKind::Exact(Box::new(e)) };
        if kind == ClauseKind::Frees {
            return Ok(ClauseGroup { condition: None, exprs: vec![exact(e)] });
        }
        let elements = match e.kind {
            ExprKind::Index(array, index) => match self.as_range(*index) {
                Ok(range) => Elements { pointer: *array, range: Some(range) },
                Err(index) => {
                    let e = Expr { span, kind: ExprKind::Index(array, Box::new(index)) };
                    return Ok(ClauseGroup { condition: None, exprs: vec![exact(e)] });
                }
            },
            ExprKind::Unary(UnaryOp::Deref, pointer) => match self.elements(*pointer) {
                elements @ Elements { range: Some(_), .. } => elements,
                Elements { pointer, .. } => {
                    let e = Expr { span, kind: ExprKind::Unary(UnaryOp::Deref, Box::new(pointer)) };
                    return Ok(ClauseGroup { condition: None, exprs: vec![exact(e)] });
                }
            },
            // A name stays as it is: variables are targets of their own.
            kind @ ExprKind::Ident(_) => return Ok(ClauseGroup { condition: None, exprs: vec![Expr { span, kind }] }),
            kind => return Ok(ClauseGroup { condition: None, exprs: vec![exact(Expr { span, kind })] }),
        };
        let is_some = negated(self.is_empty(&elements)?);
        // No object has more bytes than half of all addresses.
        let size = |e: Expr| Expr {
            span,
            kind: ExprKind::Cast(Box::new(type_named(Builtin::Size, Vec::new(), span)), Box::new(e)),
        };
        let minus_one = Expr { span, kind: ExprKind::Unary(UnaryOp::Minus, Box::new(constant(1, span))) };
        let most = joined(BinaryOp::Div, size(minus_one), constant(2, span));
        let bytes = self.bytes(&elements, span)?;
        let fits = joined(BinaryOp::Le, self.copy(&bytes)?, self.copy(&most)?);
        let len = choice(fits, bytes, most);
        let start = self.start(&elements)?;
        let range = self.named_call("__CPROVER_object_upto", vec![exact(start), exact(len)]);
        Ok(ClauseGroup { condition: Some(exact(is_some)), exprs: vec![Expr { span, ..range }] })
    }
}

fn and(whole: Option<Expr>, e: Expr) -> Expr {
    match whole {
        None => e,
        Some(whole) => joined(BinaryOp::LogAnd, whole, e),
    }
}
