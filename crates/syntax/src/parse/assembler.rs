//! GNU inline assembler.

use super::{Parsed, Parser};
use crate::ast::{Asm, AsmOperand};
use crate::lex::Tok;

impl Parser<'_> {
    /// Without the semicolon.
    #[inline(never)]
    pub(super) fn asm(&mut self) -> Parsed<Asm> {
        let lo = self.bump().span.lo;
        let mut volatile = false;
        loop {
            match self.kind() {
                Tok::Volatile => volatile = true,
                Tok::Goto | Tok::Inline | Tok::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(Tok::LParen)?;
        let template = self.string()?;
        let mut asm = Asm {
            span: open,
            volatile,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.eat(Tok::Colon) {
            asm.outputs = self.operands()?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.operands()?;
        }
        if self.eat(Tok::Colon) {
            while self.kind() == Tok::Str {
                asm.clobbers.push(self.string()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if self.eat(Tok::Colon) {
            while self.kind() == Tok::Ident {
                asm.labels.push(self.ident()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_closing(Tok::RParen, open)?;
        asm.span = self.since(lo);
        Ok(asm)
    }

    fn operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.kind(), Tok::Str | Tok::LBracket) {
            let mut name = None;
            if self.kind() == Tok::LBracket {
                let open = self.bump().span;
                name = Some(self.ident()?);
                self.expect_closing(Tok::RBracket, open)?;
            }
            let constraint = self.string()?;
            let open = self.expect(Tok::LParen)?;
            let expr = self.expression()?;
            self.expect_closing(Tok::RParen, open)?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
