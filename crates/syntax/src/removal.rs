//! Definitions that the user leaves out: the function is declared only, as if another file defined it.

use crate::ast::{Declaration, ExternalItem, FunctionDef, InitDeclarator, Storage, TranslationUnit};
use base::{Name, SourceMap, Span};

/// What a name of a `static` function begins with that other files can use.
const FILE_LOCAL: &str = "__CPROVER_file_local_";

/// The name under which other files can use a `static` function: `__CPROVER_file_local_FILE_c_NAME` for `NAME` of `FILE.c`.
pub fn file_local_name(source: &SourceMap, name: &str, defined: Span) -> Option<String> {
    let place = source.place(defined.lo)?;
    let file = place.file.rsplit('/').next().unwrap_or_default();
    let file: String = file.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Some(format!("{FILE_LOCAL}{file}_{name}"))
}

/// What leaves out bodies.
#[derive(Debug)]
pub struct Removal<'a> {
    /// The names of the functions.
    pub functions: &'a [Name],
    /// Of each file, whether it is one of a proof's own and not of what is proved: bodies in it stand for those of the others.
    pub is_stub: Vec<bool>,
}

impl Removal<'_> {
    /// Turns definitions of the functions into declarations: where files of a proof are among others, those of the others, otherwise all
    /// but the first of several. Returns the names of which no definition was left out.
    pub fn remove_bodies(&self, unit: &mut TranslationUnit, source: &SourceMap) -> Vec<Name> {
        let is_mixed = self.is_stub.contains(&true) && self.is_stub.contains(&false);
        let mut missing = Vec::new();
        for function in self.functions {
            let mut found = Vec::new();
            for (i, item) in unit.items.iter().enumerate() {
                if let ExternalItem::Function(def) = item
                    && is_named(unit, source, def, function)
                    && !(is_mixed && self.is_stub.get(source.file_number(def.span.lo)) == Some(&true))
                {
                    found.push(i);
                }
            }
            if !is_mixed && found.len() > 1 {
                found.remove(0);
            }
            if found.is_empty() {
                missing.push(function.clone());
            }
            for i in found {
                declare_only(&mut unit.items[i]);
            }
        }
        missing
    }
}

fn is_named(unit: &TranslationUnit, source: &SourceMap, def: &FunctionDef, function: &str) -> bool {
    let Some(name) = def.declarator.name else { return false };
    let text = &unit.names[name.name];
    text == function
        || function.starts_with(FILE_LOCAL)
            && def.specs.storage == Some(Storage::Static)
            && file_local_name(source, text, name.span).is_some_and(|local| local == function)
}

fn declare_only(item: &mut ExternalItem) {
    let ExternalItem::Function(def) = item else { return };
    let declarator = InitDeclarator { declarator: def.declarator.clone(), init: None };
    let declaration =
        Declaration { span: def.declarator.span, specs: def.specs.clone(), declarators: vec![declarator] };
    *item = ExternalItem::Declaration(declaration);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_model::Machine;
    use crate::parse::parse;
    use crate::preprocess::{COMPILER, Options, Source, preprocess};

    fn source(file: &str, text: &str) -> Source {
        let options = Options { compiler: COMPILER, ..Options::plain(Machine::Lp64) };
        preprocess(text.as_bytes(), file, &options).expect("C text")
    }

    #[track_caller]
    fn check(function: &str, is_stub: [bool; 2], bodies: usize, missing: usize) {
        let mut first = source("d/stub.c", "int f(void) { return 1; } int g(void) { return 2; }");
        first.join(&source("d/a-b.c", "int f(void) { return 3; } static int h(int i) { return i; }"));
        let mut unit = parse(&first).expect("C text");
        let functions = [function.into()];
        let removal = Removal { functions: &functions, is_stub: is_stub.to_vec() };
        assert_eq!(removal.remove_bodies(&mut unit, &first.map).len(), missing);
        let defined = unit.items.iter().filter(|item| matches!(item, ExternalItem::Function(_)));
        assert_eq!(defined.count(), bodies);
    }

    #[test]
    fn bodies() {
        check("g", [false; 2], 3, 0);
        check("f", [false; 2], 3, 0);
        check("h", [true; 2], 3, 0);
        check("__CPROVER_file_local_a_b_c_h", [false; 2], 3, 0);
        check("__CPROVER_file_local_stub_c_h", [false; 2], 4, 1);
        check("i", [false; 2], 4, 1);
    }

    #[test]
    fn stubs_stay() {
        check("f", [true, false], 3, 0);
        check("f", [false, true], 3, 0);
        check("g", [true, false], 4, 1);
        check("h", [true, false], 3, 0);
    }
}
