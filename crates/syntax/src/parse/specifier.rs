//! Declaration specifiers and attributes.

use base::{Diagnostic, Span};

use super::error::spelling;
use super::scope::Class;
use super::{Failed, Parsed, Parser};
use crate::ast::{AttrArg, Attribute, Builtin, DeclSpecs, Expr, ExprKind, Quals, Storage, TypeSpec};
use crate::intern::Symbol;
use crate::lex::{Tok, Token};

/// Whether a declaration may lack a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ImplicitInt {
    Allowed,
    /// In structures, parameters and type names.
    Forbidden,
}

/// Set of the type keywords that were met.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Words(u16);

const VOID: u16 = 1;
const BOOL: u16 = 1 << 1;
const CHAR: u16 = 1 << 2;
const SHORT: u16 = 1 << 3;
const INT: u16 = 1 << 4;
const LONG: u16 = 1 << 5;
const LONG_LONG: u16 = 1 << 6;
const INT128: u16 = 1 << 7;
const FLOAT: u16 = 1 << 8;
const DOUBLE: u16 = 1 << 9;
const SIGNED: u16 = 1 << 10;
const UNSIGNED: u16 = 1 << 11;
const COMPLEX: u16 = 1 << 12;

impl Words {
    /// `None` if the keyword was there already.
    fn add(self, kind: Tok) -> Option<Words> {
        let bit = match kind {
            Tok::Void => VOID,
            Tok::Bool => BOOL,
            Tok::CharKw => CHAR,
            Tok::Short => SHORT,
            Tok::Int => INT,
            Tok::Long if self.0 & LONG == 0 => LONG,
            Tok::Long => LONG_LONG,
            Tok::Int128 => INT128,
            Tok::Float => FLOAT,
            Tok::Double => DOUBLE,
            Tok::Signed => SIGNED,
            Tok::Unsigned => UNSIGNED,
            _ => COMPLEX,
        };
        // GCC only warns about repeated signs, and old code has them through macros.
        let repeated = self.0 & bit != 0 && bit & (SIGNED | UNSIGNED) == 0;
        (!repeated).then_some(Words(self.0 | bit))
    }

    fn without_complex(self) -> u16 {
        self.0 & !COMPLEX
    }

    fn builtin(self) -> Option<Builtin> {
        let mut words = self.without_complex();
        if words == 0 {
            // `_Complex` alone.
            return Some(Builtin::Double);
        }
        let sizes = SHORT | LONG | LONG_LONG;
        if words & INT != 0 && words & (sizes | SIGNED | UNSIGNED) != 0 {
            words &= !INT;
        }
        if words & SIGNED != 0 && words & (sizes | INT128) != 0 {
            words &= !SIGNED;
        }
        const ULONG: u16 = UNSIGNED | LONG;
        const LLONG: u16 = LONG | LONG_LONG;
        const ULLONG: u16 = UNSIGNED | LLONG;
        const USHORT: u16 = UNSIGNED | SHORT;
        const UINT128: u16 = UNSIGNED | INT128;
        const SCHAR: u16 = SIGNED | CHAR;
        const UCHAR: u16 = UNSIGNED | CHAR;
        const LDOUBLE: u16 = LONG | DOUBLE;
        Some(match words {
            VOID => Builtin::Void,
            BOOL => Builtin::Bool,
            CHAR => Builtin::Char,
            SCHAR => Builtin::SChar,
            UCHAR => Builtin::UChar,
            SHORT => Builtin::Short,
            USHORT => Builtin::UShort,
            INT | SIGNED => Builtin::Int,
            UNSIGNED => Builtin::UInt,
            LONG => Builtin::Long,
            ULONG => Builtin::ULong,
            LLONG => Builtin::LongLong,
            ULLONG => Builtin::ULongLong,
            INT128 => Builtin::Int128,
            UINT128 => Builtin::UInt128,
            FLOAT => Builtin::Float,
            DOUBLE => Builtin::Double,
            LDOUBLE => Builtin::LongDouble,
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Whether declaration specifiers start with this token. `__extension__` does not count.
    #[inline]
    pub(super) fn starts_type(&self, token: Token) -> bool {
        match token.kind {
            Tok::Ident => self.scopes.is_type(token.name),
            kind => kind as u8 >= Tok::Typedef as u8 && kind as u8 <= Tok::Attribute as u8,
        }
    }

    /// Empty if there are none.
    pub(super) fn specifiers(&mut self, implicit: ImplicitInt) -> Parsed<DeclSpecs> {
        let start = self.pos;
        let lo = self.span().lo;
        let mut specs = DeclSpecs {
            span: Span::NONE,
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::NONE,
            ty: TypeSpec::Implicit,
            attrs: Vec::new(),
        };
        let mut words = Words::default();
        let mut type_start = self.pos;
        loop {
            let token = self.token();
            match token.kind {
                Tok::Ident => {
                    let class = self.scopes.class(token.name);
                    let complete = words.without_complex() != 0 || !matches!(specs.ty, TypeSpec::Implicit);
                    if complete || class == Class::Other {
                        break;
                    }
                    self.bump();
                    specs.ty = match class {
                        Class::Builtin(builtin) => TypeSpec::Builtin(builtin),
                        _ => TypeSpec::Typedef(crate::ast::Ident { name: token.name, span: token.span }),
                    };
                }
                Tok::Typedef => self.storage(&mut specs, Storage::Typedef)?,
                Tok::Extern => self.storage(&mut specs, Storage::Extern)?,
                Tok::Static => self.storage(&mut specs, Storage::Static)?,
                Tok::Auto => self.storage(&mut specs, Storage::Auto)?,
                Tok::Register => self.storage(&mut specs, Storage::Register)?,
                Tok::ThreadLocal => {
                    specs.thread_local = true;
                    self.bump();
                }
                Tok::Inline => {
                    specs.inline = true;
                    self.bump();
                }
                Tok::Noreturn => {
                    specs.noreturn = true;
                    self.bump();
                }
                Tok::Extension => drop(self.bump()),
                Tok::Const | Tok::Volatile | Tok::Restrict => specs.quals |= self.qualifier(),
                Tok::Atomic if self.peek(1).kind != Tok::LParen => specs.quals |= self.qualifier(),
                Tok::Attribute => self.attributes(&mut specs.attrs)?,
                Tok::LBracket if self.peek(1).kind == Tok::LBracket => self.attributes(&mut specs.attrs)?,
                Tok::Alignas => {
                    let attr = self.alignas()?;
                    specs.attrs.push(attr);
                }
                kind if is_type_word(kind) => {
                    if words == Words::default() && (kind == Tok::Complex || matches!(specs.ty, TypeSpec::Implicit)) {
                        type_start = self.pos;
                    }
                    words = self.type_word(kind, &specs.ty, words, type_start)?;
                }
                Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::VaList | Tok::AutoType | Tok::Atomic => {
                    if words != Words::default() || !matches!(specs.ty, TypeSpec::Implicit) {
                        return Err(self.bad_type(type_start));
                    }
                    type_start = self.pos;
                    specs.ty = self.type_specifier()?;
                }
                _ => break,
            }
        }
        specs.ty = self.combined(specs.ty, words, type_start)?;
        specs.span = if self.pos == start { self.here() } else { self.since(lo) };
        if matches!(specs.ty, TypeSpec::Implicit) {
            self.check_implicit(implicit, &specs)?;
        }
        Ok(specs)
    }

    /// The words so far with one more.
    fn type_word(&mut self, kind: Tok, ty: &TypeSpec, words: Words, type_start: usize) -> Parsed<Words> {
        let fits = kind == Tok::Complex || matches!(ty, TypeSpec::Implicit);
        let Some(more) = words.add(kind).filter(|_| fits) else { return Err(self.bad_type(type_start)) };
        self.bump();
        Ok(more)
    }

    /// The type that a specifier and words make together.
    fn combined(&mut self, ty: TypeSpec, words: Words, type_start: usize) -> Parsed<TypeSpec> {
        if words == Words::default() {
            return Ok(ty);
        }
        match (ty, words.builtin()) {
            (TypeSpec::Implicit, Some(builtin)) if words.0 & COMPLEX == 0 => Ok(TypeSpec::Builtin(builtin)),
            (TypeSpec::Implicit, Some(builtin)) if !matches!(builtin, Builtin::Void | Builtin::Bool) => {
                Ok(TypeSpec::Complex(builtin))
            }
            (TypeSpec::Builtin(builtin), _) if words.0 == COMPLEX => Ok(TypeSpec::Complex(builtin)),
            _ => Err(self.bad_type(type_start)),
        }
    }

    #[cold]
    fn check_implicit(&mut self, implicit: ImplicitInt, specs: &DeclSpecs) -> Parsed<()> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return if implicit == ImplicitInt::Forbidden && specs.storage.is_none() {
                Err(self.expected("a type"))
            } else {
                Ok(())
            };
        }
        let next = self.peek(1);
        let is_type = matches!(next.kind, Tok::Ident | Tok::Star | Tok::Const | Tok::Volatile)
            || (implicit == ImplicitInt::Forbidden && specs.storage.is_none());
        if is_type { Err(self.unknown_type(token)) } else { Ok(()) }
    }

    fn storage(&mut self, specs: &mut DeclSpecs, storage: Storage) -> Parsed<()> {
        if specs.storage.is_some_and(|old| old != storage) {
            let error = Diagnostic::error("E0124", self.span(), "more than one storage class in a declaration");
            return Err(self.fail(error.help("keep one of typedef, extern, static, auto and register")));
        }
        specs.storage = Some(storage);
        self.bump();
        Ok(())
    }

    /// Consumes one qualifier.
    pub(super) fn qualifier(&mut self) -> Quals {
        match self.bump().kind {
            Tok::Const => Quals::CONST,
            Tok::Volatile => Quals::VOLATILE,
            Tok::Restrict => Quals::RESTRICT,
            _ => Quals::ATOMIC,
        }
    }

    #[cold]
    fn bad_type(&mut self, type_start: usize) -> Failed {
        let last = self.pos.checked_sub(1).map(|i| self.tokens[i].kind);
        if last == Some(Tok::RBrace) {
            return self.expected(spelling(Tok::Semi));
        }
        let span = self.tokens[type_start].span.to(self.span());
        let help = "is a `;` missing before, or a type keyword too much?";
        self.fail(Diagnostic::error("E0124", span, "these type specifiers can't be combined").help(help))
    }

    fn type_specifier(&mut self) -> Parsed<TypeSpec> {
        self.enter()?;
        let ty = match self.kind() {
            Tok::Struct | Tok::Union => TypeSpec::Record(Box::new(self.record()?)),
            Tok::Enum => TypeSpec::Enum(Box::new(self.enumeration()?)),
            Tok::VaList => {
                self.bump();
                TypeSpec::VaList
            }
            Tok::AutoType => {
                self.bump();
                TypeSpec::AutoType
            }
            Tok::Typeof => {
                self.bump();
                let open = self.expect(Tok::LParen)?;
                let ty = if self.starts_type(self.token()) {
                    TypeSpec::TypeofType(Box::new(self.type_name()?))
                } else {
                    TypeSpec::TypeofExpr(Box::new(self.expression()?))
                };
                self.expect_closing(Tok::RParen, open)?;
                ty
            }
            _ => {
                self.bump();
                let open = self.expect(Tok::LParen)?;
                let ty = TypeSpec::Atomic(Box::new(self.type_name()?));
                self.expect_closing(Tok::RParen, open)?;
                ty
            }
        };
        self.leave();
        Ok(ty)
    }

    fn alignas(&mut self) -> Parsed<Attribute> {
        let keyword = self.bump();
        let open = self.expect(Tok::LParen)?;
        let arg = if self.starts_type(self.token()) {
            AttrArg::Type(self.type_name()?)
        } else {
            AttrArg::Expr(self.constant()?)
        };
        self.expect_closing(Tok::RParen, open)?;
        Ok(Attribute { span: self.since(keyword.span.lo), name: keyword.name, args: vec![arg] })
    }

    /// Any number of `__attribute__((…))` and `[[…]]`.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            let (outer, open, close) = match self.kind() {
                Tok::Attribute => {
                    self.bump();
                    (self.expect(Tok::LParen)?, Tok::LParen, Tok::RParen)
                }
                Tok::LBracket if self.peek(1).kind == Tok::LBracket => (self.bump().span, Tok::LBracket, Tok::RBracket),
                _ => return Ok(()),
            };
            let inner = self.expect(open)?;
            while self.kind() != close {
                if !self.eat(Tok::Comma) {
                    let attr = self.attribute()?;
                    attrs.push(attr);
                }
            }
            self.expect_closing(close, inner)?;
            self.expect_closing(close, outer)?;
        }
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        self.enter()?;
        let mut token = self.attribute_name()?;
        // `gnu::packed`
        while self.kind() == Tok::Colon && self.peek(1).kind == Tok::Colon {
            self.bump();
            self.bump();
            token = self.attribute_name()?;
        }
        let name = self.plain_name(token.name);
        let mut args = Vec::new();
        if self.kind() == Tok::LParen {
            let open = self.bump().span;
            while self.kind() != Tok::RParen {
                let arg = self.attribute_arg()?;
                args.push(arg);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_closing(Tok::RParen, open)?;
        }
        self.leave();
        Ok(Attribute { span: self.since(token.span.lo), name, args })
    }

    fn attribute_name(&mut self) -> Parsed<Token> {
        let token = self.token();
        // Keywords are names too, such as `const`.
        if token.kind == Tok::Ident || token.kind as u8 >= Tok::Typedef as u8 {
            return Ok(self.bump());
        }
        Err(self.expected("the name of an attribute"))
    }

    fn attribute_arg(&mut self) -> Parsed<AttrArg> {
        let token = self.token();
        // `mode(word)` and the like may be names of types.
        if token.kind == Tok::Ident && matches!(self.peek(1).kind, Tok::Comma | Tok::RParen) {
            self.bump();
            return Ok(AttrArg::Expr(Expr { span: token.span, kind: ExprKind::Ident(token.name) }));
        }
        if self.starts_type(token) {
            return self.type_name().map(AttrArg::Type);
        }
        self.assignment().map(AttrArg::Expr)
    }

    /// Without the underscores around it.
    fn plain_name(&mut self, name: Symbol) -> Symbol {
        let text = self.names.name(name).clone();
        match text.strip_prefix("__").and_then(|t| t.strip_suffix("__")) {
            Some(plain) if !plain.is_empty() => self.names.intern(plain),
            _ => name,
        }
    }
}

fn is_type_word(kind: Tok) -> bool {
    kind as u8 >= Tok::Void as u8 && kind as u8 <= Tok::Complex as u8
}
