//! External declarations, declarations in blocks, and function definitions.

use base::{Diagnostic, Span};

use super::declarator::Naming;
use super::error::spelling;
use super::scope::Class;
use super::specifier::ImplicitInt;
use super::{Parsed, Parser};
use crate::ast::{
    Block, BlockItem, DeclSpecs, Declaration, Declarator, ExternalItem, FunctionDef, InitDeclarator, Params,
    StaticAssert, Storage,
};
use crate::lex::{Tok, Token};

impl Parser<'_> {
    /// `None` for a lone semicolon.
    pub(super) fn external_item(&mut self) -> Parsed<Option<ExternalItem>> {
        match self.kind() {
            Tok::Semi => {
                self.bump();
                Ok(None)
            }
            Tok::Asm => {
                let asm = self.asm()?;
                self.expect(Tok::Semi)?;
                Ok(Some(ExternalItem::Asm(Box::new(asm))))
            }
            Tok::StaticAssert => Ok(Some(ExternalItem::StaticAssert(Box::new(self.static_assert()?)))),
            Tok::RBrace => {
                let error = Diagnostic::error("E0120", self.span(), "unbalanced `}`");
                Err(self.fail(error.help("it closes nothing: is a `{` missing, or is one `}` too much above?")))
            }
            _ => self.function_or_declaration().map(Some),
        }
    }

    fn function_or_declaration(&mut self) -> Parsed<ExternalItem> {
        let annotations = self.annotations_of_file();
        let start = self.pos;
        let lo = self.span().lo;
        let specs = self.specifiers(ImplicitInt::Allowed)?;
        if self.pos == start && !matches!(self.kind(), Tok::Ident | Tok::Star) {
            return Err(self.expected("a declaration"));
        }
        if self.eat(Tok::Semi) {
            if let Some(annotation) = annotations.first() {
                self.misplaced(annotation.span, "what follows is no function");
            }
            return Ok(ExternalItem::Declaration(Declaration { span: self.since(lo), specs, declarators: Vec::new() }));
        }
        let mut declarator = self.declarator(Naming::Required)?;
        self.function_annotations(annotations, &mut declarator);
        if self.starts_body(&declarator) {
            return self.function(lo, specs, declarator).map(|f| ExternalItem::Function(Box::new(f)));
        }
        self.declaration_rest(lo, specs, declarator).map(ExternalItem::Declaration)
    }

    /// Whether what follows a declarator makes it a function definition.
    fn starts_body(&self, declarator: &Declarator) -> bool {
        match declarator.params() {
            None => false,
            Some(Params::Identifiers(_)) => self.kind() == Tok::LBrace || self.starts_type(self.token()),
            Some(_) => self.kind() == Tok::LBrace,
        }
    }

    /// A declaration in a block; consumes the semicolon.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let lo = self.span().lo;
        let specs = self.specifiers(ImplicitInt::Allowed)?;
        if self.eat(Tok::Semi) {
            return Ok(Declaration { span: self.since(lo), specs, declarators: Vec::new() });
        }
        let declarator = self.declarator(Naming::Required)?;
        if self.kind() == Tok::LBrace && self.starts_body(&declarator) {
            let span = declarator.span;
            let error = Diagnostic::error("E0123", span, "nested functions are not supported");
            return Err(self.fail(error.help("move the function out of the enclosing one, or is a `}` missing above?")));
        }
        self.declaration_rest(lo, specs, declarator)
    }

    /// From behind the first declarator.
    fn declaration_rest(&mut self, lo: u32, specs: DeclSpecs, first: Declarator) -> Parsed<Declaration> {
        let class = if specs.storage == Some(Storage::Typedef) { Class::Typedef } else { Class::Other };
        let mut declarators = Vec::with_capacity(1);
        let mut declarator = first;
        loop {
            // The scope of a name starts before its initialiser.
            if let Some(ident) = declarator.name {
                self.scopes.declare(ident.name, class);
            }
            let init = if self.eat(Tok::Eq) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(Tok::Comma) {
                break;
            }
            declarator = self.declarator(Naming::Required)?;
        }
        if self.kind() != Tok::Semi {
            return Err(self.bad_declaration_end(declarators.last()));
        }
        self.bump();
        Ok(Declaration { span: self.since(lo), specs, declarators })
    }

    #[cold]
    fn bad_declaration_end(&mut self, last: Option<&InitDeclarator>) -> super::Failed {
        let plain = last.is_some_and(|d| d.init.is_none());
        let function = last.is_some_and(|d| d.declarator.params().is_some());
        match self.kind() {
            Tok::Ident if plain && !function => {
                let last = last.and_then(|d| d.declarator.name).filter(|n| n.span.hi == self.last_span().hi);
                // `static foo bar;` declares `foo` with an implicit int so far.
                match last {
                    Some(_) if !self.text[self.last_span().hi as usize..self.span().lo as usize].contains('\n') => {
                        let before = self.tokens[self.pos - 1];
                        self.unknown_or_missing(before)
                    }
                    _ => self.expected(spelling(Tok::Semi)),
                }
            }
            _ if function => self.expected("`;` or `{`"),
            _ => self.expected(spelling(Tok::Semi)),
        }
    }

    fn unknown_or_missing(&mut self, before: Token) -> super::Failed {
        let name = self.found(before);
        let found = self.found(self.token());
        let error = Diagnostic::error("E0120", self.span(), format!("expected `;` or `,` after {name}, found {found}"));
        self.fail(error.label("unexpected here").help(format!("if {name} is a type, it isn't known here")))
    }

    fn function(&mut self, lo: u32, specs: DeclSpecs, declarator: Declarator) -> Parsed<FunctionDef> {
        if let Some(ident) = declarator.name {
            self.scopes.declare(ident.name, Class::Other);
        }
        // Parameters share the scope with the body's block.
        self.scopes.push();
        let mut kr_declarations = Vec::new();
        while self.kind() != Tok::LBrace {
            if !self.starts_type(self.token()) {
                return Err(self.expected(spelling(Tok::LBrace)));
            }
            kr_declarations.push(self.declaration()?);
        }
        match declarator.params() {
            Some(Params::Prototype { params, .. }) => {
                for ident in params.iter().filter_map(|p| p.declarator.name) {
                    self.scopes.declare(ident.name, Class::Other);
                }
            }
            Some(Params::Identifiers(idents)) => {
                for ident in idents {
                    self.scopes.declare(ident.name, Class::Other);
                }
            }
            _ => {}
        }
        let body = self.block_in_scope()?;
        self.scopes.pop();
        Ok(FunctionDef { span: self.since(lo), specs, declarator, kr_declarations, body })
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let lo = self.bump().span.lo;
        let open = self.expect(Tok::LParen)?;
        let condition = self.constant()?;
        let message = if self.eat(Tok::Comma) { Some(self.string()?) } else { None };
        self.expect_closing(Tok::RParen, open)?;
        self.expect(Tok::Semi)?;
        Ok(StaticAssert { span: self.since(lo), condition, message })
    }

    /// A block without a scope of its own.
    pub(super) fn block_in_scope(&mut self) -> Parsed<Block> {
        let open = self.expect(Tok::LBrace)?;
        self.enter()?;
        let mut local_labels = Vec::new();
        while self.eat(Tok::LabelKw) {
            loop {
                local_labels.push(self.ident()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Semi)?;
        }
        let mut items = Vec::new();
        loop {
            if self.stands_annotation() {
                self.claims(&mut items);
            }
            match self.kind() {
                Tok::RBrace => break,
                Tok::Eof => return Err(self.unclosed_block(open)),
                _ => items.push(self.block_item()?),
            }
        }
        self.bump();
        self.leave();
        Ok(Block { span: self.since(open.lo), local_labels, items })
    }

    #[cold]
    fn unclosed_block(&mut self, open: Span) -> super::Failed {
        let error = Diagnostic::error("E0120", open, "this `{` is never closed").label("opened here");
        self.fail(error.related(self.last_span(), "the file ends here".to_owned()).help("add the missing `}`"))
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        if self.kind() == Tok::StaticAssert {
            return Ok(BlockItem::StaticAssert(Box::new(self.static_assert()?)));
        }
        if self.starts_declaration() {
            return self.declaration().map(BlockItem::Declaration);
        }
        let token = self.token();
        if token.kind == Tok::Ident && self.peek(1).kind == Tok::Ident {
            return Err(self.unknown_type(token));
        }
        self.statement().map(BlockItem::Stmt)
    }

    /// Whether a block item is a declaration.
    pub(super) fn starts_declaration(&self) -> bool {
        let mut next = 0;
        while next < crate::lex::LOOKAHEAD && self.peek(next).kind == Tok::Extension {
            next += 1;
        }
        let token = self.peek(next);
        match token.kind {
            // A label may have the name of a type.
            Tok::Ident => {
                self.scopes.is_type(token.name)
                    && self.tokens.get(self.pos + next + 1).map(|t| t.kind) != Some(Tok::Colon)
            }
            Tok::Attribute => self.behind_attributes().is_some_and(|behind| behind.kind != Tok::Semi),
            // `[[likely]]` and its like stand before statements, too.
            Tok::LBracket if self.tokens.get(self.pos + next + 1).map(|t| t.kind) == Some(Tok::LBracket) => {
                self.behind_attributes().is_some_and(|behind| self.starts_type(behind))
            }
            _ => self.starts_type(token),
        }
    }

    /// The token behind the attributes that stand here: a semicolon behind `__attribute__((fallthrough))`.
    fn behind_attributes(&self) -> Option<Token> {
        let mut open = 0usize;
        let rest = &self.tokens[self.pos..];
        for (token, behind) in rest.iter().zip(&rest[1..]) {
            match token.kind {
                Tok::LParen | Tok::LBracket => open += 1,
                Tok::RParen | Tok::RBracket if open <= 1 => {
                    if !matches!(behind.kind, Tok::Attribute | Tok::LBracket) {
                        return Some(*behind);
                    }
                    open = 0;
                }
                Tok::RParen | Tok::RBracket => open -= 1,
                _ => {}
            }
        }
        None
    }
}
