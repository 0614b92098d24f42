//! Statements.

use super::{Parsed, Parser};
use crate::ast::{Block, Expr, For, ForInit, If, IfArm, Label, LabelKind, Labeled, Loop, Stmt, StmtKind};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        if self.stands_annotation() {
            return self.annotated_statement();
        }
        self.enter()?;
        let lo = self.span().lo;
        let kind = match self.kind() {
            Tok::LBrace => StmtKind::Block(Box::new(self.block()?)),
            Tok::If => self.if_statement()?,
            Tok::While => self.while_statement()?,
            Tok::Do => self.do_statement()?,
            Tok::For => self.for_statement()?,
            Tok::Switch => self.switch_statement()?,
            Tok::Case | Tok::Default => self.labeled()?,
            Tok::Ident if self.peek(1).kind == Tok::Colon => self.labeled()?,
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::Attribute => {
                // `__attribute__((fallthrough));` changes nothing.
                self.attributes(&mut Vec::new())?;
                self.expect(Tok::Semi)?;
                StmtKind::Empty
            }
            Tok::LBracket if self.peek(1).kind == Tok::LBracket => {
                self.attributes(&mut Vec::new())?;
                if !self.eat(Tok::Semi) {
                    let stmt = self.statement()?;
                    self.leave();
                    return Ok(stmt);
                }
                StmtKind::Empty
            }
            Tok::Goto | Tok::Break | Tok::Continue | Tok::Return => self.jump()?,
            Tok::Asm => {
                let asm = self.asm()?;
                self.expect(Tok::Semi)?;
                StmtKind::Asm(Box::new(asm))
            }
            _ => {
                let expr = self.expression()?;
                self.expect(Tok::Semi)?;
                StmtKind::Expr(expr)
            }
        };
        self.leave();
        Ok(Stmt { span: self.since(lo), kind })
    }

    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.scopes.push();
        let block = self.block_in_scope()?;
        self.scopes.pop();
        Ok(block)
    }

    /// `(e)`
    fn condition(&mut self) -> Parsed<Expr> {
        let open = self.expect(Tok::LParen)?;
        let condition = self.expression()?;
        self.expect_closing(Tok::RParen, open)?;
        Ok(condition)
    }

    #[inline(never)]
    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::with_capacity(1);
        let mut otherwise = None;
        loop {
            let lo = self.expect(Tok::If)?.lo;
            let condition = self.condition()?;
            let body = self.statement()?;
            arms.push(IfArm { span: self.since(lo), condition, body });
            if !self.eat(Tok::Else) {
                break;
            }
            if self.kind() != Tok::If {
                otherwise = Some(self.statement()?);
                break;
            }
        }
        Ok(StmtKind::If(Box::new(If { arms, otherwise })))
    }

    #[inline(never)]
    fn while_statement(&mut self) -> Parsed<StmtKind> {
        let annotations = self.annotations_of_loop();
        self.bump();
        let condition = self.condition()?;
        let mut contract = self.loop_clauses()?;
        self.loop_annotations(annotations, &mut contract);
        let body = self.statement()?;
        Ok(StmtKind::While(Box::new(Loop { condition, contract, body })))
    }

    #[inline(never)]
    fn do_statement(&mut self) -> Parsed<StmtKind> {
        let annotations = self.annotations_of_loop();
        self.bump();
        // Clauses stand in front of the body, as those of other loops, or at the end.
        let mut contract = self.loop_clauses()?;
        let body = self.statement()?;
        self.expect(Tok::While)?;
        let condition = self.condition()?;
        if let Some(more) = self.loop_clauses()? {
            contract.get_or_insert_default().clauses.extend(more.clauses);
        }
        self.loop_annotations(annotations, &mut contract);
        self.expect(Tok::Semi)?;
        Ok(StmtKind::DoWhile(Box::new(Loop { condition, contract, body })))
    }

    #[inline(never)]
    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        let body = self.statement()?;
        Ok(StmtKind::Switch(Box::new(Loop { condition, contract: None, body })))
    }

    #[inline(never)]
    fn for_statement(&mut self) -> Parsed<StmtKind> {
        let annotations = self.annotations_of_loop();
        self.bump();
        let open = self.expect(Tok::LParen)?;
        self.scopes.push();
        let init = if self.eat(Tok::Semi) {
            ForInit::None
        } else if self.starts_declaration() {
            ForInit::Declaration(self.declaration()?)
        } else {
            let init = self.expression()?;
            self.expect(Tok::Semi)?;
            ForInit::Expr(init)
        };
        let condition = if self.kind() == Tok::Semi { None } else { Some(self.expression()?) };
        self.expect(Tok::Semi)?;
        let step = if self.kind() == Tok::RParen { None } else { Some(self.expression()?) };
        self.expect_closing(Tok::RParen, open)?;
        let mut contract = self.loop_clauses()?;
        self.loop_annotations(annotations, &mut contract);
        let body = self.statement()?;
        self.scopes.pop();
        Ok(StmtKind::For(Box::new(For { init, condition, step, contract, body })))
    }

    /// All labels of a statement at once, since there may be thousands.
    #[inline(never)]
    fn labeled(&mut self) -> Parsed<StmtKind> {
        let mut labels = Vec::with_capacity(1);
        loop {
            let lo = self.span().lo;
            let kind = match self.kind() {
                Tok::Case => {
                    self.bump();
                    let first = self.constant()?;
                    let kind = if self.eat(Tok::Ellipsis) {
                        LabelKind::Range(first, self.constant()?)
                    } else {
                        LabelKind::Case(first)
                    };
                    self.expect(Tok::Colon)?;
                    kind
                }
                Tok::Default => {
                    self.bump();
                    self.expect(Tok::Colon)?;
                    LabelKind::Default
                }
                Tok::Ident if self.peek(1).kind == Tok::Colon => {
                    let ident = self.ident()?;
                    self.bump();
                    let mut attrs = Vec::new();
                    self.attributes(&mut attrs)?;
                    LabelKind::Named(ident, attrs)
                }
                _ => break,
            };
            labels.push(Label { span: self.since(lo), kind });
        }
        // Labels may end a block or stand before a declaration (C23, GNU).
        let body = if self.kind() == Tok::RBrace || self.starts_declaration() || self.kind() == Tok::StaticAssert {
            Stmt { span: self.here(), kind: StmtKind::Empty }
        } else {
            self.statement()?
        };
        Ok(StmtKind::Labeled(Box::new(Labeled { labels, body })))
    }

    #[inline(never)]
    fn jump(&mut self) -> Parsed<StmtKind> {
        let kind = match self.bump().kind {
            Tok::Break => StmtKind::Break,
            Tok::Continue => StmtKind::Continue,
            Tok::Goto if self.eat(Tok::Star) => StmtKind::GotoExpr(self.expression()?),
            Tok::Goto => StmtKind::Goto(self.ident()?),
            _ if self.kind() == Tok::Semi => StmtKind::Return(None),
            _ => StmtKind::Return(Some(self.expression()?)),
        };
        self.expect(Tok::Semi)?;
        Ok(kind)
    }
}
