//! Files whose functions stand for those of other files.

use crate::ast::{Declaration, ExternalItem, InitDeclarator, Storage, Symbol, TranslationUnit};
use rustc_hash::FxHashSet;

/// Where one of the first `stubs` units defines a function for all, the others only declare it.
pub fn prefer(unit: &mut TranslationUnit, stubs: usize) {
    let mut defined: FxHashSet<Symbol> = FxHashSet::default();
    let mut number = 0;
    for item in &mut unit.items {
        match item {
            ExternalItem::File(_) => number += 1,
            ExternalItem::Function(def) if def.specs.storage != Some(Storage::Static) => {
                let Some(name) = def.declarator.name else { continue };
                if number <= stubs {
                    defined.insert(name.name);
                } else if defined.contains(&name.name) {
                    let declarator = InitDeclarator { declarator: def.declarator.clone(), init: None };
                    let (span, specs) = (def.declarator.span, def.specs.clone());
                    *item = ExternalItem::Declaration(Declaration { span, specs, declarators: vec![declarator] });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preprocess::source_from_text;

    #[track_caller]
    fn check(stubs: usize, bodies: usize) {
        let mut source = source_from_text("stub.c", "int f(void) { return 1; } static int h(void) { return 1; }");
        source.join(&source_from_text(
            "a.c",
            "int f(void) { return 2; } int h(void) { return 2; } int g(void) { return f(); }",
        ));
        let mut unit = crate::parse::parse(&source).expect("C");
        prefer(&mut unit, stubs);
        assert_eq!(unit.items.iter().filter(|item| matches!(item, ExternalItem::Function(_))).count(), bodies);
    }

    #[test]
    fn stubs_win() {
        check(0, 5);
        check(1, 4);
    }
}
