//! Terms and predicates: C's expressions without effects, with chains of comparisons and operators of logic.

use super::build::{choice, constant, is_exact, joined, negated, nodes, type_named};
use super::{Moment, Parsed, Parser};
use crate::ast::{BinaryOp, Builtin, Call, Conditional, Derived, Expr, ExprKind, Quals, Quantifier, UnaryOp};
use crate::lex::Tok;
use base::Span;

/// Most nodes that are copied in an annotation, because C has no operator that evaluates an operand once for two comparisons.
const MAX_COPIED: usize = 50_000;

/// Names that begin with a backslash and are read.
const KNOWN: &str = "\\old, \\result, \\at, \\valid, \\valid_read, \\separated, \\forall, \\exists, \\true, \\false, \\null, \\max, \\min, \\abs, \\block_length, \\offset, \\base_addr and \\fresh";

/// Precedence of comparisons.
const COMPARISON: u8 = 7;

fn operator_of(kind: Tok) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        Tok::OrOr => (1, BinaryOp::LogOr),
        Tok::AndAnd => (3, BinaryOp::LogAnd),
        Tok::Or => (4, BinaryOp::BitOr),
        Tok::Caret => (5, BinaryOp::BitXor),
        Tok::And => (6, BinaryOp::BitAnd),
        Tok::EqEq => (COMPARISON, BinaryOp::Eq),
        Tok::NotEq => (COMPARISON, BinaryOp::Ne),
        Tok::Lt => (COMPARISON, BinaryOp::Lt),
        Tok::Gt => (COMPARISON, BinaryOp::Gt),
        Tok::Le => (COMPARISON, BinaryOp::Le),
        Tok::Ge => (COMPARISON, BinaryOp::Ge),
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

/// An operator between predicates that C does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `==>`
    Implies,
    /// `<==>`
    Iff,
    /// `^^`
    Xor,
}

impl Parser<'_> {
    /// A predicate or term, maybe with names in front.
    pub(super) fn predicate(&mut self) -> Parsed<Expr> {
        while matches!(self.kind(), Tok::Ident | Tok::Str) && self.peek(1).kind == Tok::Colon {
            self.bump();
            self.bump();
        }
        self.formula()
    }

    fn formula(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let condition = self.equivalence()?;
        let whole = if self.eat(Tok::Question) {
            let then = self.formula()?;
            self.expect(Tok::Colon)?;
            let otherwise = self.formula()?;
            let span = condition.span.to(otherwise.span);
            let parts = Conditional { condition, then: Some(then), otherwise };
            Expr { span, kind: ExprKind::Conditional(Box::new(parts)) }
        } else {
            condition
        };
        self.leave();
        Ok(whole)
    }

    fn equivalence(&mut self) -> Parsed<Expr> {
        let mut left = self.implied()?;
        while self.eat_joint(Joint::Iff) {
            self.wrap()?;
            let right = self.implied()?;
            left = joined(BinaryOp::Eq, negated(left), negated(right));
        }
        Ok(left)
    }

    fn implied(&mut self) -> Parsed<Expr> {
        let left = self.operation(1)?;
        if !self.eat_joint(Joint::Implies) {
            return Ok(left);
        }
        self.enter()?;
        let right = self.implied()?;
        self.leave();
        Ok(joined(BinaryOp::LogOr, negated(left), right))
    }

    /// The operator that stands here: of logic, or of C.
    fn joint(&self) -> Option<Joint> {
        let [first, second, third] = [0, 1, 2].map(|n| self.peek(n));
        let touches = first.span.hi == second.span.lo;
        match (first.kind, second.kind, third.kind) {
            (Tok::EqEq, Tok::Gt, _) if touches => Some(Joint::Implies),
            (Tok::Le, Tok::Eq, Tok::Gt) if touches && second.span.hi == third.span.lo => Some(Joint::Iff),
            (Tok::Caret, Tok::Caret, _) if touches => Some(Joint::Xor),
            _ => None,
        }
    }

    fn eat_joint(&mut self, joint: Joint) -> bool {
        let found = self.joint() == Some(joint);
        for _ in 0..if joint == Joint::Iff { 3 } else { 2 } {
            if found {
                self.bump();
            }
        }
        found
    }

    /// Operands with operators of at least this precedence between them.
    pub(super) fn operation(&mut self, least: u8) -> Parsed<Expr> {
        self.enter()?;
        let mut left = self.operand()?;
        loop {
            match self.joint() {
                Some(Joint::Xor) if least <= 2 => {
                    self.eat_joint(Joint::Xor);
                    let right = self.operation(3)?;
                    left = joined(BinaryOp::Ne, negated(left), negated(right));
                }
                Some(_) => break,
                None => match operator_of(self.kind()) {
                    Some((COMPARISON, _)) if least <= COMPARISON => left = self.comparisons(left)?,
                    Some((precedence, op)) if precedence >= least => {
                        self.bump();
                        let right = self.operation(precedence + 1)?;
                        left = joined(op, left, right);
                    }
                    _ => break,
                },
            }
            self.wrap()?;
        }
        self.leave();
        Ok(left)
    }

    /// `a < b <= c`: each operand is compared with the next one.
    fn comparisons(&mut self, mut left: Expr) -> Parsed<Expr> {
        let mut ops: Vec<BinaryOp> = Vec::new();
        let mut whole: Option<Expr> = None;
        while self.joint().is_none()
            && let Some((COMPARISON, op)) = operator_of(self.kind())
        {
            let at = self.bump().span;
            ops.push(op);
            let goes = |ways: [BinaryOp; 3]| ops.iter().all(|op| ways.contains(op));
            let up = goes([BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq]);
            if ops.len() > 1 && !up && !goes([BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq]) {
                let help = "the comparisons of a chain go in one direction; write others with &&";
                return Err(self.not_read(at, "such a chain of comparisons", help));
            }
            let right = self.operation(COMPARISON + 1)?;
            let next = self.copy(&right)?;
            let compared = joined(op, left, right);
            whole = Some(match whole {
                None => compared,
                Some(whole) => joined(BinaryOp::LogAnd, whole, compared),
            });
            self.wrap()?;
            left = next;
        }
        Ok(whole.unwrap_or(left))
    }

    fn operand(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let token = self.token();
        let is_cast = token.kind == Tok::LParen && self.is_type_here(1);
        let e = match token.kind {
            Tok::Not => self.prefixed(UnaryOp::Not),
            Tok::Minus => self.prefixed(UnaryOp::Minus),
            Tok::Plus => self.prefixed(UnaryOp::Plus),
            Tok::Tilde => self.prefixed(UnaryOp::BitNot),
            Tok::Star => self.prefixed(UnaryOp::Deref),
            Tok::And => self.prefixed(UnaryOp::AddressOf),
            Tok::Sizeof => self.sizeof(),
            _ if is_cast => self.converted(),
            _ => self.selected(),
        }?;
        self.leave();
        Ok(e)
    }

    fn prefixed(&mut self, op: UnaryOp) -> Parsed<Expr> {
        let lo = self.bump().span.lo;
        let operand = Box::new(self.operand()?);
        Ok(Expr { span: self.since(lo), kind: ExprKind::Unary(op, operand) })
    }

    /// Whether a type begins so many tokens behind this one: one of C's, or one of logic.
    pub(super) fn is_type_here(&self, n: usize) -> bool {
        let token = self.peek(n);
        self.starts_type(token)
            || (token.kind == Tok::Ident && matches!(&self.names[token.name], "integer" | "real" | "boolean"))
    }

    /// `(T)e`
    fn converted(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let token = self.token();
        if !self.starts_type(token) {
            self.bump();
            if &self.names[token.name] != "integer" {
                let help = "terms are integers, or what C has";
                return Err(self.not_read(token.span, "this type of ACSL", help));
            }
            self.expect_closing(Tok::RParen, open)?;
            // Integers are such already.
            return self.operand();
        }
        let ty = Box::new(self.type_name()?);
        self.expect_closing(Tok::RParen, open)?;
        let operand = Box::new(self.operand()?);
        Ok(Expr { span: self.since(open.lo), kind: ExprKind::Cast(ty, operand) })
    }

    /// A primary term with indices and members behind it.
    fn selected(&mut self) -> Parsed<Expr> {
        let lo = self.span().lo;
        let mut e = self.simple()?;
        loop {
            let kind = match self.kind() {
                Tok::LBracket => {
                    let open = self.bump().span;
                    let index = self.value_or_range()?;
                    self.expect_closing(Tok::RBracket, open)?;
                    ExprKind::Index(Box::new(e), Box::new(index))
                }
                Tok::Dot if self.peek(1).kind != Tok::Dot => {
                    self.bump();
                    ExprKind::Member(Box::new(e), self.ident()?)
                }
                Tok::Arrow => {
                    self.bump();
                    ExprKind::Arrow(Box::new(e), self.ident()?)
                }
                Tok::LParen => {
                    let span = self.since(lo);
                    let help =
                        "functions of the program, and logic functions and predicates that it defines, can't be called";
                    return Err(self.not_read(span, "a call", help));
                }
                _ => return Ok(e),
            };
            self.wrap()?;
            e = Expr { span: self.since(lo), kind };
        }
    }

    fn simple(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident if self.snippet(token.span).starts_with('\\') => return self.named(),
            Tok::Ident => {
                self.bump();
                ExprKind::Ident(token.name)
            }
            Tok::Number => match self.number()? {
                ExprKind::Float(literal) if !is_exact(&literal) => {
                    let help = "a real number is read if it is a number of the type as well, such as 0.5";
                    return Err(self.not_read(token.span, "a number that `double` only comes near to", help));
                }
                kind => kind,
            },
            Tok::Char => self.character()?,
            Tok::LParen => {
                self.bump();
                let e = self.value_or_range()?;
                let close = self.expect_closing(Tok::RParen, token.span)?;
                return Ok(Expr { span: token.span.to(close), ..e });
            }
            _ => return Err(self.expected("a term or predicate")),
        };
        Ok(Expr { span: self.since(token.span.lo), kind })
    }

    /// What begins with a backslash.
    fn named(&mut self) -> Parsed<Expr> {
        let token = self.bump();
        let span = token.span;
        let name = self.snippet(span);
        match name {
            "\\true" => return Ok(constant(1, span)),
            "\\false" => return Ok(constant(0, span)),
            "\\null" => {
                let zero = Box::new(constant(0, span));
                let pointer = vec![Derived::Pointer(Quals::NONE, Vec::new())];
                return Ok(Expr {
                    span,
                    kind: ExprKind::Cast(Box::new(type_named(Builtin::Void, pointer, span)), zero),
                });
            }
            "\\result" if self.acsl.moment == Moment::Return => {
                let name = self.names.intern("__CPROVER_return_value");
                return Ok(Expr { span, kind: ExprKind::Ident(name) });
            }
            "\\result" => return Err(self.not_read(span, "`\\result`", "it stands in `ensures` clauses")),
            "\\forall" => return self.quantifier(Quantifier::All, span.lo),
            "\\exists" => return self.quantifier(Quantifier::Some, span.lo),
            "\\old" => return self.before("Old", span),
            "\\at" => return self.at_label(span),
            _ => {}
        }
        self.label()?;
        if let "\\valid" | "\\valid_read" | "\\separated" = name {
            return self.memory_predicate(name, span.lo);
        }
        let n = match name {
            "\\max" | "\\min" | "\\fresh" => 2,
            "\\abs" | "\\block_length" | "\\offset" | "\\base_addr" => 1,
            _ => return Err(self.not_read(span, &format!("`{name}`"), &format!("known are {KNOWN}"))),
        };
        let args = self.arguments(n)?;
        let whole = self.since(span.lo);
        let e = self.function_of_logic(name, args, span)?;
        Ok(Expr { span: whole, ..e })
    }

    fn function_of_logic(&mut self, name: &str, mut args: Vec<Expr>, span: Span) -> Parsed<Expr> {
        let Some(last) = args.pop() else { return Err(self.expected("an argument")) };
        Ok(match (name, args.pop()) {
            ("\\max" | "\\min", Some(first)) => {
                let op = if name == "\\max" { BinaryOp::Ge } else { BinaryOp::Le };
                let (a, b) = (self.copy(&first)?, self.copy(&last)?);
                choice(joined(op, a, b), first, last)
            }
            ("\\fresh", Some(_)) if self.acsl.moment != Moment::Return => {
                return Err(self.not_read(span, "`\\fresh`", "it stands in `ensures` clauses"));
            }
            ("\\fresh", Some(first)) => self.named_call("__CPROVER_is_fresh", vec![first, last]),
            ("\\abs", _) => {
                let (a, b) = (self.copy(&last)?, self.copy(&last)?);
                let minus = Expr { span, kind: ExprKind::Unary(UnaryOp::Minus, Box::new(a)) };
                choice(joined(BinaryOp::Ge, b, constant(0, span)), last, minus)
            }
            ("\\block_length", _) => self.named_call("__CPROVER_OBJECT_SIZE", vec![last]),
            ("\\offset", _) => self.named_call("__CPROVER_POINTER_OFFSET", vec![last]),
            _ => {
                let offset = self.copy(&last)?;
                let offset = self.named_call("__CPROVER_POINTER_OFFSET", vec![offset]);
                let pointer = vec![Derived::Pointer(Quals::NONE, Vec::new())];
                let ty = Box::new(type_named(Builtin::Char, pointer, span));
                let start = Expr { span: last.span, kind: ExprKind::Cast(ty, Box::new(last)) };
                joined(BinaryOp::Sub, start, offset)
            }
        })
    }

    /// `(a, b)`, so many.
    fn arguments(&mut self, n: usize) -> Parsed<Vec<Expr>> {
        let open = self.expect(Tok::LParen)?;
        let mut args = vec![self.predicate()?];
        while args.len() < n {
            self.expect(Tok::Comma)?;
            args.push(self.predicate()?);
        }
        self.expect_closing(Tok::RParen, open)?;
        Ok(args)
    }

    /// `{Here}` behind the name of a predicate.
    fn label(&mut self) -> Parsed<()> {
        if self.eat(Tok::LBrace) {
            let ident = self.ident()?;
            if &self.names[ident.name] != "Here" {
                return Err(self.not_read(
                    ident.span,
                    "another state than `Here`",
                    "use `\\at` for values of other states",
                ));
            }
            self.expect(Tok::RBrace)?;
        }
        Ok(())
    }

    /// `\at(e, L)`
    fn at_label(&mut self, span: Span) -> Parsed<Expr> {
        // The label says what may stand in the term.
        let label = {
            let (mut depth, mut at) = (0usize, self.pos);
            loop {
                match self.tokens[at].kind {
                    Tok::LParen => depth += 1,
                    Tok::RParen if depth <= 1 => break,
                    Tok::RParen => depth -= 1,
                    Tok::Eof => break,
                    _ => {}
                }
                at += 1;
            }
            self.snippet(self.tokens[at.saturating_sub(1)].span)
        };
        self.before(label, span)
    }

    /// A term in another state, in brackets, maybe with a label behind it.
    fn before(&mut self, label: &str, span: Span) -> Parsed<Expr> {
        let moment = self.acsl.moment;
        let function = match (label, moment) {
            ("Here", _) | ("Post", Moment::Return) | ("Pre" | "Old", Moment::Call) => None,
            ("Pre" | "Old", Moment::Return) => Some("__CPROVER_old"),
            ("LoopEntry", Moment::Loop) => Some("__CPROVER_loop_entry"),
            _ => {
                let help = "`\\old` and `Pre` are read in `ensures` clauses, `LoopEntry` in `loop invariant`; elsewhere, keep the value in a variable of the program";
                return Err(self.not_read(span, &format!("a value of the state `{label}`"), help));
            }
        };
        let open = self.expect(Tok::LParen)?;
        if function.is_some() {
            self.acsl.moment = Moment::Here;
        }
        let e = self.predicate()?;
        self.acsl.moment = moment;
        if self.eat(Tok::Comma) {
            self.ident()?;
        }
        self.expect_closing(Tok::RParen, open)?;
        let whole = self.since(span.lo);
        Ok(match function {
            Some(function) => Expr { span: whole, ..self.named_call(function, vec![e]) },
            None => Expr { span: whole, ..e },
        })
    }

    /// A copy, of which there may not be too many.
    pub(super) fn copy(&mut self, e: &Expr) -> Parsed<Expr> {
        self.acsl.copied += nodes(e);
        if self.acsl.copied > MAX_COPIED {
            let help = "write comparisons of long terms one by one";
            return Err(self.not_read(e.span, "an annotation of this length", help));
        }
        Ok(e.clone())
    }

    /// A call of a function that CBMC's dialect has.
    pub(super) fn named_call(&mut self, name: &str, args: Vec<Expr>) -> Expr {
        let span = args.iter().map(|arg| arg.span).reduce(Span::to).unwrap_or(Span::NONE);
        let callee = Expr { span, kind: ExprKind::Ident(self.names.intern(name)) };
        Expr { span, kind: ExprKind::Call(Box::new(Call { callee, args })) }
    }
}
