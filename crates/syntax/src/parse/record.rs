//! Structures, unions and enumerations.

use super::declarator::Naming;
use super::scope::Class;
use super::specifier::ImplicitInt;
use super::{Parsed, Parser};
use crate::ast::{Declarator, EnumSpec, Enumerator, Field, FieldDeclaration, Ident, Member, RecordKind, RecordSpec};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<RecordSpec> {
        let keyword = self.bump();
        let kind = if keyword.kind == Tok::Struct { RecordKind::Struct } else { RecordKind::Union };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut members = None;
        let mut pack = None;
        if self.kind() == Tok::LBrace {
            members = Some(self.members()?);
            pack = self.pack_at(self.last_span().lo);
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.since(keyword.span.lo);
        if members.is_some() {
            self.attributes(&mut attrs)?;
        }
        Ok(RecordSpec { span, kind, tag, members, attrs, pack })
    }

    fn tag(&mut self) -> Option<Ident> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return None;
        }
        self.bump();
        Some(Ident { name: token.name, span: token.span })
    }

    /// What `#pragma pack` says at this offset.
    fn pack_at(&self, offset: u32) -> Option<u32> {
        let next = self.packs.partition_point(|(at, _)| *at <= offset);
        next.checked_sub(1).and_then(|i| self.packs[i].1)
    }

    fn members(&mut self) -> Parsed<Vec<Member>> {
        let open = self.bump().span;
        let mut members = Vec::new();
        loop {
            match self.kind() {
                Tok::RBrace => break,
                Tok::Semi => drop(self.bump()),
                Tok::StaticAssert => members.push(Member::StaticAssert(Box::new(self.static_assert()?))),
                Tok::Eof => {
                    self.expect_closing(Tok::RBrace, open)?;
                }
                _ => {
                    let fields = self.fields()?;
                    members.push(Member::Fields(fields));
                }
            }
        }
        self.bump();
        Ok(members)
    }

    fn fields(&mut self) -> Parsed<FieldDeclaration> {
        let lo = self.span().lo;
        let specs = self.specifiers(ImplicitInt::Forbidden)?;
        let mut fields = Vec::new();
        if self.kind() != Tok::Semi {
            loop {
                fields.push(self.field()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        // As gcc does, with a warning.
        if self.kind() != Tok::RBrace {
            self.expect(Tok::Semi)?;
        }
        Ok(FieldDeclaration { span: self.since(lo), specs, fields })
    }

    fn field(&mut self) -> Parsed<Field> {
        let mut declarator = if self.kind() == Tok::Colon {
            let span = self.here();
            Declarator { span, name: None, derived: Vec::new(), asm_label: None, attrs: Vec::new(), contract: None }
        } else {
            self.declarator(Naming::Required)?
        };
        let width = if self.eat(Tok::Colon) { Some(self.constant()?) } else { None };
        self.attributes(&mut declarator.attrs)?;
        Ok(Field { declarator, width })
    }

    pub(super) fn enumeration(&mut self) -> Parsed<EnumSpec> {
        let lo = self.bump().span.lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut enumerators = None;
        if self.kind() == Tok::LBrace {
            enumerators = Some(self.enumerators()?);
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.since(lo);
        if enumerators.is_some() {
            self.attributes(&mut attrs)?;
        }
        Ok(EnumSpec { span, tag, enumerators, attrs })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.bump().span;
        let mut enumerators = Vec::new();
        while self.kind() != Tok::RBrace {
            let ident = self.ident()?;
            // Attributes of enumerators only warn about their use.
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(Tok::Eq) { Some(self.constant()?) } else { None };
            self.scopes.declare(ident.name, Class::Other);
            enumerators.push(Enumerator { ident, value });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_closing(Tok::RBrace, open)?;
        Ok(enumerators)
    }
}
