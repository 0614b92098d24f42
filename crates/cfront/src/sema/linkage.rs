//! What attributes and assembler names say of functions and variables that the C text alone does not: other names of the same
//! symbol, calls by the C runtime, bodies that are not C.

use super::Sema;
use super::attribute::Attrs;
use super::scope::Binding;
use crate::typed::{FunctionBody, FunctionId, Startup, Stmt, StmtKind, VarId, VarKind};
use crate::types::TypeId;
use base::IdVec;
use syntax::ast::{DeclSpecs, Declarator, Ident, Pragma, Storage, Symbol};

impl Sema<'_> {
    /// What attributes say of a function, whether it is defined there or only declared.
    pub(super) fn function_attrs(&mut self, id: FunctionId, attrs: &Attrs) {
        let function = &mut self.functions[id];
        function.noreturn |= attrs.noreturn;
        function.nonnull.extend(&attrs.nonnull);
        function.weak |= attrs.weak;
        let Startup { before_main, after_main } = attrs.startup;
        function.startup.before_main = before_main.or(function.startup.before_main);
        function.startup.after_main = after_main.or(function.startup.after_main);
    }

    /// What a declaration says of who may use a function.
    pub(super) fn function_linkage(&mut self, id: FunctionId, name: Symbol, specs: &DeclSpecs) {
        if specs.storage == Some(Storage::Static) {
            self.internal.insert(name);
        }
        let inline = specs.inline && specs.storage != Some(Storage::Extern);
        self.inline.entry(id).and_modify(|all| *all &= inline).or_insert(inline);
    }

    /// Gives a function that does something that is not modelled a body that says so.
    pub(super) fn unmodelled_body(&mut self, id: FunctionId, attribute: Symbol) {
        let Some(function) = self.function_of(self.functions[id].ty) else { return };
        let types: Vec<TypeId> = function.params.to_vec();
        let span = self.functions[id].span;
        let name = Ident { name: attribute, span };
        let params = types.iter().map(|ty| self.new_var(name, *ty, VarKind::Param(id))).collect();
        let stmt = Stmt { kind: StmtKind::Unsupported("attribute".into(), self.names[attribute].to_owned()), span };
        self.functions[id].body = Some(FunctionBody { params, stmt, labels: IdVec::new(), n_cases: 0, end: span });
    }

    /// Remembers what a declared function or variable is called elsewhere: what it is another name of, and its name for the assembler.
    pub(super) fn symbol_of(&mut self, declared: Binding, attrs: &Attrs, declarator: &Declarator) {
        self.aliases.extend(attrs.alias.map(|target| (declared, target)));
        let label = declarator.asm_label.as_ref().map(|label| label.text());
        if let Some(symbol) = label.or_else(|| attrs.symbol.clone()) {
            self.symbols.insert(declared, symbol.into());
        }
    }

    /// What a pragma says of what the file declares: `weak f`, `weak f = g`; all else is not modelled.
    pub(super) fn pragma(&mut self, pragma: &Pragma) {
        let words: Vec<&str> =
            pragma.text.split(|c: char| c.is_whitespace() || c == '=').filter(|w| !w.is_empty()).collect();
        let linked = |name: &str| self.names.lookup(name).map_or(Binding::Unbound, |name| self.scopes.linked(name));
        match *words.as_slice() {
            ["weak", name] => match linked(name) {
                Binding::Function(id) => return self.functions[id].weak = true,
                Binding::Var(var) => return self.vars[var].weak = true,
                _ => return,
            },
            ["weak", alias, name] => {
                if let (function @ Binding::Function(id), Some(target)) = (linked(alias), self.names.lookup(name)) {
                    self.functions[id].weak = true;
                    return self.aliases.push((function, target));
                }
            }
            ["redefine_extname", old, _] if linked(old) == Binding::Unbound => return,
            _ => {}
        }
        self.unmodelled.push(("pragma".into(), pragma.text.clone(), pragma.span));
    }

    /// Finds what aliases are names of, when all of a file is declared.
    pub(super) fn resolve_aliases(&mut self) {
        for (alias, target) in std::mem::take(&mut self.aliases) {
            match (alias, self.scopes.linked(target)) {
                (Binding::Function(f), Binding::Function(g)) if f != g => self.functions[f].alias = Some(g),
                (Binding::Var(a), Binding::Var(b)) if a != b && self.is_within(a, b) => {
                    self.vars[a].alias = Some(b);
                    // Accesses of another type are those of memory.
                    self.vars[a].address_taken |= !self.compatible(self.vars[a].ty, self.vars[b].ty);
                }
                (Binding::Var(a), _) => {
                    let detail = format!("`{}` as another name of `{}`", self.vars[a].name, &self.names[target]);
                    self.unmodelled.push(("attribute alias".into(), detail, self.vars[a].span));
                }
                _ => {}
            }
        }
    }

    /// Whether all of a variable lies in the object of another one that it is an alias of.
    fn is_within(&self, alias: VarId, target: VarId) -> bool {
        let [alias, target] = [alias, target].map(|var| self.vars[var].ty);
        let size = |ty| self.types.size_of(self.machine, ty);
        self.compatible(alias, target)
            || size(alias).is_some_and(|alias| size(target).is_some_and(|size| alias <= size))
    }
}
