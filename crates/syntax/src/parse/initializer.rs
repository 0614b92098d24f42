//! Initialisers with designators, old and new.

use super::{Parsed, Parser};
use crate::ast::{Designator, DesignatorKind, InitItem, InitList, Initializer};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.kind() == Tok::LBrace {
            self.init_list().map(Initializer::List)
        } else {
            self.assignment().map(Initializer::Expr)
        }
    }

    pub(super) fn init_list(&mut self) -> Parsed<InitList> {
        let open = self.expect(Tok::LBrace)?;
        self.enter()?;
        let mut items = Vec::new();
        while self.kind() != Tok::RBrace {
            let designators = match self.kind() {
                Tok::Dot | Tok::LBracket => self.designation()?,
                Tok::Ident if self.peek(1).kind == Tok::Colon => self.old_designation(),
                _ => Box::default(),
            };
            let value = self.initializer()?;
            items.push(InitItem { designators, value });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_closing(Tok::RBrace, open)?;
        self.leave();
        Ok(InitList { span: self.since(open.lo), items })
    }

    fn designation(&mut self) -> Parsed<Box<[Designator]>> {
        let mut designators = Vec::with_capacity(1);
        while matches!(self.kind(), Tok::Dot | Tok::LBracket) {
            let designator = self.designator()?;
            designators.push(designator);
        }
        // The old `[3] value` lacks the sign.
        let only_indices = designators.iter().all(|d| !matches!(d.kind, DesignatorKind::Field(_)));
        if !self.eat(Tok::Eq) && !only_indices && self.kind() != Tok::LBrace {
            return Err(self.expected("`=`"));
        }
        Ok(designators.into())
    }

    /// `.name`, `[e]` or `[a ... b]`
    pub(super) fn designator(&mut self) -> Parsed<Designator> {
        let open = self.bump();
        let kind = if open.kind == Tok::Dot {
            DesignatorKind::Field(self.ident()?.name)
        } else {
            let first = self.constant()?;
            let kind = if self.eat(Tok::Ellipsis) {
                DesignatorKind::Range(first, self.constant()?)
            } else {
                DesignatorKind::Index(first)
            };
            self.expect_closing(Tok::RBracket, open.span)?;
            kind
        };
        Ok(Designator { span: self.since(open.span.lo), kind })
    }

    /// `name: value`
    fn old_designation(&mut self) -> Box<[Designator]> {
        let name = self.bump();
        self.bump();
        Box::new([Designator { span: name.span, kind: DesignatorKind::Field(name.name) }])
    }
}
