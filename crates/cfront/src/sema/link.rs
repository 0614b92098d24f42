//! Several files as one program: what each of them declares with external linkage is what one of them defines (C11 6.2.2, 6.9).
//!
//! Each file is checked by itself. Behind the last one, every other declaration of a name becomes an alias of the definition, so that
//! a file's expressions keep the types that it sees.

use super::Sema;
use super::compat::{Compared, Compatibility};
use super::scope::Binding;
use crate::typed::{FunctionId, VarId, VarKind, named};
use crate::types::{RecordId, TypeId};
use base::{Diagnostic, Name, Span};
use std::collections::BTreeMap;
use syntax::ast::Symbol;
use syntax::removal::file_local_name;

/// How much a declaration decides, ascending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Says that there is something, without its whole type.
    Incomplete,
    /// Says that there is something.
    Declared,
    /// A definition that others use if there is no better one: `inline`, or a variable without an initialiser.
    Tentative,
    /// A definition with the attribute `weak`.
    Weak,
    /// The definition.
    Defined,
}

/// What is made of definitions and types of a function that don't go together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conflicts {
    /// An error, as for a linker.
    Refuse,
    /// A warning: in CBMC's dialect, the first definition stands for the others, as stubs do, however it is declared elsewhere.
    Warn,
}

impl Sema<'_> {
    /// Ends a file: its names are forgotten, but for those that others may link.
    pub(super) fn end_file(&mut self) {
        self.finish();
        let mut linked: Vec<(Symbol, Binding)> = self.scopes.end_file().into_iter().collect();
        linked.sort_unstable_by_key(|(symbol, _)| symbol.number());
        for (name, binding) in linked {
            if let Some(symbol) = self.external_name(name, binding) {
                self.external.entry(symbol).or_default().push(binding);
            }
        }
        self.internal.clear();
        self.first_of_file = self.vars.len();
    }

    /// The name by which other files know a function or variable, if they may: its name for the assembler, or that in C.
    fn external_name(&self, name: Symbol, binding: Binding) -> Option<Name> {
        let symbol = self.symbols.get(&binding).cloned();
        match binding {
            Binding::Function(id) if self.internal.contains(&name) => match symbol {
                // A static function that is declared only may be a reference to one of another file (`weakref`).
                Some(symbol) if !self.is_defined(id) => Some(symbol),
                _ => {
                    let local = file_local_name(self.source, &self.names[name], self.functions[id].span)?;
                    self.names.lookup(&local).map(|name| self.names.name(name).clone())
                }
            },
            _ if self.internal.contains(&name) => None,
            _ => Some(symbol.unwrap_or_else(|| self.names.name(name).clone())),
        }
    }

    fn is_defined(&self, id: FunctionId) -> bool {
        self.functions[id].body.is_some() || self.functions[id].alias.is_some()
    }

    /// Finds the definition of each name with external linkage.
    pub(super) fn link(&mut self) {
        let mut compared = Compared::default();
        let conflicts = if self.is_cprover() { Conflicts::Warn } else { Conflicts::Refuse };
        for (symbol, bindings) in std::mem::take(&mut self.external) {
            let (mut functions, mut vars) = (Vec::new(), Vec::new());
            for binding in bindings {
                match binding {
                    Binding::Function(id) => functions.push(id),
                    Binding::Var(id) => vars.push(id),
                    _ => {}
                }
            }
            if let (Some(function), Some(var)) = (functions.first(), vars.first()) {
                let (f, v) = (&self.functions[*function], &self.vars[*var]);
                let text = format!("`{}` is a function in one file and a variable in another", f.name);
                let diagnostic = Diagnostic::error("E0205", v.span, text).related(f.span, "the function");
                self.error(diagnostic);
                continue;
            }
            self.link_functions(&symbol, &functions, &mut compared, conflicts);
            self.link_variables(&symbol, &vars, &mut compared);
        }
        self.unite_variables();
    }

    /// Variables are what all of their names say.
    fn unite_variables(&mut self) {
        for id in self.vars.ids() {
            let (address_taken, align) = (self.vars[id].address_taken, self.vars[id].align);
            let root = named(&self.vars, id);
            let root = &mut self.vars[root];
            root.address_taken |= address_taken;
            root.align = root.align.max(align);
        }
    }

    fn strength_of_function(&self, id: FunctionId) -> Strength {
        let function = &self.functions[id];
        let is_defined = self.is_defined(id);
        let is_inline = self.replaceable.contains(&id) || self.inline.get(&id) == Some(&true);
        match function.body {
            _ if is_defined && is_inline => Strength::Tentative,
            _ if is_defined && function.weak => Strength::Weak,
            _ if is_defined => Strength::Defined,
            _ if function.implicit || !self.function_of(function.ty).is_some_and(|ty| ty.prototyped) => {
                Strength::Incomplete
            }
            _ => Strength::Declared,
        }
    }

    fn link_functions(&mut self, symbol: &Name, ids: &[FunctionId], compared: &mut Compared, conflicts: Conflicts) {
        let rank = |id: FunctionId| (self.strength_of_function(id), self.functions[id].name == *symbol);
        let Some(best) = strongest(ids, rank) else { return };
        let is_defined = self.strength_of_function(best) >= Strength::Tentative;
        if self.functions[best].body.is_none() && self.functions[best].name != *symbol {
            self.functions[best].symbol = Some(symbol.clone());
        }
        for id in ids.iter().copied().filter(|id| *id != best) {
            let (function, other) = (&self.functions[id], &self.functions[best]);
            let (name, span) = (other.name.clone(), function.span);
            let has_other_name = function.name != name;
            // What is only inlined does not define the symbol; of functions that no file defines, the name in C may say more.
            if has_other_name && (!is_defined || self.replaceable.contains(&best)) {
                self.functions[id].symbol = Some(symbol.clone());
                continue;
            }
            if self.strength_of_function(id) == Strength::Defined {
                match conflicts {
                    Conflicts::Refuse => {
                        self.defined_twice(&name, span, other.span);
                        continue;
                    }
                    Conflicts::Warn => self.warning("W0207", span, |_| {
                        format!("`{name}` is defined in two files: the first definition stands for both")
                    }),
                }
            }
            let (function, other) = (&self.functions[id], &self.functions[best]);
            if is_defined
                && !function.implicit
                && !has_other_name
                && let Err(differ) = self.goes_with(function.ty, other.ty, compared)
            {
                match conflicts {
                    Conflicts::Refuse => {
                        self.declared_differently(&name, (function.ty, span), (other.ty, other.span), differ);
                    }
                    Conflicts::Warn => self.warning("W0207", span, |_| {
                        format!("`{name}` has other types here than in the file that defines it")
                    }),
                }
            }
            let (address_taken, noreturn) = (self.functions[id].address_taken, self.functions[id].noreturn);
            self.unite_contracts(id, best);
            let function = &mut self.functions[id];
            (function.alias, function.body) = (Some(best), None);
            let other = &mut self.functions[best];
            other.address_taken |= address_taken;
            other.noreturn |= noreturn && !is_defined;
        }
    }

    fn strength_of_variable(&self, id: VarId) -> Strength {
        let var = &self.vars[id];
        let is_alias = var.alias.is_some();
        match var.kind {
            _ if var.weak && (is_alias || var.kind == VarKind::Global) => Strength::Weak,
            _ if is_alias => Strength::Defined,
            VarKind::Global if var.init.is_some() => Strength::Defined,
            VarKind::Global => Strength::Tentative,
            _ if self.types.size_of(self.machine, var.ty).is_none() => Strength::Incomplete,
            _ => Strength::Declared,
        }
    }

    fn link_variables(&mut self, symbol: &Name, ids: &[VarId], compared: &mut Compared) {
        let rank = |id: VarId| (self.strength_of_variable(id), self.vars[id].name == *symbol);
        let Some(best) = strongest(ids, rank) else { return };
        for id in ids.iter().copied().filter(|id| *id != best) {
            let (var, other) = (&self.vars[id], &self.vars[best]);
            if self.strength_of_variable(id) == Strength::Defined {
                self.defined_twice(&other.name.clone(), var.span, other.span);
                continue;
            }
            if let Err(differ) = self.goes_with(var.ty, other.ty, compared) {
                let (name, here) = (other.name.clone(), (var.ty, var.span));
                self.declared_differently(&name, here, (other.ty, other.span), differ);
            }
            let var = &self.vars[id];
            let weak = var.weak;
            self.vars[id].alias = Some(best);
            self.vars[best].weak &= weak;
        }
    }

    /// Whether types of two files are compatible; otherwise tells records that keep them from it, if some do.
    fn goes_with(&self, a: TypeId, b: TypeId, compared: &mut Compared) -> Result<(), Option<(RecordId, RecordId)>> {
        let mut compatibility = Compatibility::between_files(&self.types, compared);
        if compatibility.holds(a, b) { Ok(()) } else { Err(compatibility.other_members) }
    }

    fn defined_twice(&mut self, name: &str, again: Span, first: Span) {
        let text = format!("`{name}` is defined in two files");
        let help = "leave one of the files out, or make one of the definitions `static`";
        self.error(Diagnostic::error("E0203", again, text).related(first, "first defined here").help(help));
    }

    fn declared_differently(
        &mut self,
        name: &str,
        (here, span): (TypeId, Span),
        (there, other): (TypeId, Span),
        differ: Option<(RecordId, RecordId)>,
    ) {
        let text = format!("conflicting types for `{name}` in two files");
        let label = format!("here `{}`", self.types.display(here));
        let before = format!("there `{}`", self.types.display(there));
        let mut error = Diagnostic::error("E0205", span, text).label(label).related(other, before);
        if let Some((here, there)) = differ {
            let (here, there) = (&self.types.records[here], &self.types.records[there]);
            let kind = if here.is_union { "union" } else { "struct" };
            let record = here.name.as_deref().map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"));
            error = error
                .related(here.span, format!("the members of `{record}` differ: it is defined here"))
                .related(there.span, "and here for the other file");
        }
        self.error(error);
    }
}

/// The first of the strongest, if there are several.
fn strongest<T: Copy, R: Ord>(ids: &[T], strength: impl Fn(T) -> R) -> Option<T> {
    let (first, rest) = ids.split_first()?;
    Some(rest.iter().fold(*first, |best, id| if strength(*id) > strength(best) { *id } else { best }))
}

/// Names with external linkage, and what each file declares them as.
pub(super) type External = BTreeMap<Name, Vec<Binding>>;
