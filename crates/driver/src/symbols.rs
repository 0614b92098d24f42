//! What a file defines, and which names each definition uses: enough to choose files that define what others call, without types.

use base::{Name, Span};
use rustc_hash::FxHashSet;
use syntax::ast::walk::{self, Use, Visit};
use syntax::ast::{
    AttrArg, Attribute, BlockItem, Declaration, Declarator, Expr, ExprKind, ExternalItem, FunctionDef, Interner,
    Params, Storage, Symbol, TranslationUnit,
};

/// Who sees a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Its file alone.
    Internal,
    /// All files; another definition may win, or is as good.
    Replaceable,
    /// All files.
    External,
}

/// A function or variable that a file defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Who sees it.
    pub linkage: Linkage,
    /// Functions and variables that it mentions, and calls without a declaration.
    pub uses: Vec<Name>,
    /// Whether it runs before or after `main`.
    pub is_startup: bool,
}

/// The definitions of the units of a tree, in source order.
pub fn definitions(unit: &mut TranslationUnit) -> Vec<Definition> {
    let names = &unit.names;
    let mut found = Vec::new();
    let declared = declared(&unit.items);
    for item in &mut unit.items {
        match item {
            ExternalItem::Function(def) => found.extend(function(def, &declared, names)),
            ExternalItem::Declaration(declaration) => variables(declaration, &declared, names, &mut found),
            ExternalItem::File(_) | ExternalItem::Asm(_) | ExternalItem::StaticAssert(_) | ExternalItem::Pragma(_) => {}
        }
    }
    found
}

fn function(def: &mut FunctionDef, declared: &FxHashSet<Symbol>, names: &Interner) -> Option<Definition> {
    let ident = def.declarator.name?;
    let mut mentioned = Mentioned::default();
    match def.declarator.params() {
        Some(Params::Prototype { params, .. }) => {
            mentioned.declared.extend(params.iter().filter_map(|p| p.declarator.name).map(|ident| ident.name));
        }
        Some(Params::Identifiers(idents)) => mentioned.declared.extend(idents.iter().map(|ident| ident.name)),
        Some(Params::Unspecified) | None => {}
    }
    walk::function(def, &mut mentioned);
    let attrs = || def.specs.attrs.iter().chain(&def.declarator.attrs);
    let linkage = match def.specs.storage {
        Some(Storage::Static) => Linkage::Internal,
        _ if def.specs.inline || has(attrs(), names, &["weak"]) => Linkage::Replaceable,
        _ => Linkage::External,
    };
    Some(Definition {
        name: names.name(ident.name).clone(),
        span: ident.span,
        linkage,
        uses: mentioned.names(declared, names),
        is_startup: has(attrs(), names, &["constructor", "destructor"]),
    })
}

fn variables(declaration: &mut Declaration, known: &FxHashSet<Symbol>, names: &Interner, found: &mut Vec<Definition>) {
    let (storage, shared) = (declaration.specs.storage, &declaration.specs.attrs);
    for declared in &mut declaration.declarators {
        let Declarator { name: Some(ident), attrs, .. } = &declared.declarator else { continue };
        let alias = shared.iter().chain(attrs).find_map(|attribute| alias_of(attribute, names));
        let is_function = declared.declarator.params().is_some();
        let is_defined = match storage {
            Some(Storage::Typedef) => false,
            Some(Storage::Extern) => declared.init.is_some(),
            _ => !is_function,
        };
        if !is_defined && alias.is_none() {
            continue;
        }
        let is_weak = has(shared.iter().chain(attrs), names, &["weak"]);
        let linkage = match storage {
            Some(Storage::Static) => Linkage::Internal,
            _ if is_weak || (declared.init.is_none() && alias.is_none()) => Linkage::Replaceable,
            _ => Linkage::External,
        };
        let (name, span) = (names.name(ident.name).clone(), ident.span);
        let mut mentioned = Mentioned::default();
        if let Some(init) = &mut declared.init {
            walk::initializer(init, &mut mentioned);
        }
        let mut uses = mentioned.names(known, names);
        uses.extend(alias);
        found.push(Definition { name, span, linkage, uses, is_startup: false });
    }
}

fn has<'a>(attrs: impl IntoIterator<Item = &'a Attribute>, names: &Interner, wanted: &[&str]) -> bool {
    attrs.into_iter().any(|attribute| wanted.contains(&&names[attribute.name]))
}

/// The name that `__attribute__((alias("name")))` gives.
fn alias_of(attribute: &Attribute, names: &Interner) -> Option<Name> {
    match attribute.args.as_slice() {
        [AttrArg::Expr(Expr { kind: ExprKind::Str(text), .. })] if &names[attribute.name] == "alias" => {
            Some(Name::from(text.text().as_str()))
        }
        _ => None,
    }
}

/// Functions and variables that are declared at file scope.
fn declared(items: &[ExternalItem]) -> FxHashSet<Symbol> {
    let mut declared = FxHashSet::default();
    for item in items {
        match item {
            ExternalItem::Function(def) => declared.extend(def.declarator.name.map(|ident| ident.name)),
            ExternalItem::Declaration(d) if d.specs.storage != Some(Storage::Typedef) => {
                declared.extend(d.declarators.iter().filter_map(|d| d.declarator.name).map(|ident| ident.name));
            }
            _ => {}
        }
    }
    declared
}

/// Names in a definition.
#[derive(Default)]
struct Mentioned {
    used: Vec<Symbol>,
    /// Called, or declared as what another file defines.
    called: FxHashSet<Symbol>,
    /// In the definition itself.
    declared: FxHashSet<Symbol>,
}

impl Mentioned {
    fn names(self, known: &FxHashSet<Symbol>, names: &Interner) -> Vec<Name> {
        let mut seen = self.declared;
        let matters = |symbol: &Symbol| known.contains(symbol) || self.called.contains(symbol);
        let used = self.used.iter().filter(|symbol| matters(symbol) && seen.insert(**symbol));
        used.map(|symbol| names.name(*symbol).clone()).collect()
    }
}

impl Visit for Mentioned {
    fn expr(&mut self, e: &mut Expr, _: Use) {
        match &e.kind {
            ExprKind::Ident(name) => self.used.push(*name),
            ExprKind::Call(call) => {
                if let ExprKind::Ident(name) = call.callee.kind {
                    self.called.insert(name);
                }
            }
            _ => {}
        }
    }

    fn items(&mut self, items: &mut Vec<BlockItem>) {
        for item in items {
            if let BlockItem::Declaration(declaration) = item {
                let is_extern = declaration.specs.storage == Some(Storage::Extern);
                for declared in &declaration.declarators {
                    let Some(ident) = declared.declarator.name else { continue };
                    if is_extern || declared.declarator.params().is_some() {
                        self.called.insert(ident.name);
                    } else {
                        self.declared.insert(ident.name);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Linkage, &[&str])]) {
        let source = syntax::preprocess::source_from_text("t.c", text);
        let mut unit = syntax::parse::parse(&source).expect("C");
        let found = definitions(&mut unit);
        let found: Vec<(&str, Linkage, Vec<&str>)> =
            found.iter().map(|d| (&*d.name, d.linkage, d.uses.iter().map(|name| &**name).collect())).collect();
        let expected: Vec<(&str, Linkage, Vec<&str>)> = expected.iter().map(|(n, l, u)| (*n, *l, u.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn functions() {
        let text =
            "int g(int); static int f(int a) { int b = g(a); return b + f(a); } inline int h(void) { return 0; }";
        check(text, &[("f", Linkage::Internal, &["g", "f"]), ("h", Linkage::Replaceable, &[])]);
    }

    #[test]
    fn variables_and_aliases() {
        let text = "extern int e; int t; int i = 3; int f(void); int (*p[])(void) = { f };
            int a(void) __attribute__((alias(\"f\"))); typedef int x;";
        let expected: &[(&str, Linkage, &[&str])] = &[
            ("t", Linkage::Replaceable, &[]),
            ("i", Linkage::External, &[]),
            ("p", Linkage::External, &["f"]),
            ("a", Linkage::External, &["f"]),
        ];
        check(text, expected);
    }
}
