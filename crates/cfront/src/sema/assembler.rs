//! Inline assembler: which operands are written, and from where the text may reach memory.

use super::Sema;
use super::attribute::is_startup;
use super::convert::is_lvalue;
use super::scope::Binding;
use super::statement::has_effect;
use crate::typed::{AsmOutput, Assembler, Expr, ExprKind, Stmt, StmtKind};
use crate::types::Type;
use base::Diagnostic;
use syntax::ast;

impl<'a> Sema<'a> {
    pub(super) fn asm_stmt(&mut self, asm: &'a ast::Asm, out: &mut Vec<Stmt>) {
        let text = asm.template.text();
        // Without instructions, registers and memory keep what they hold.
        let is_empty = text.trim().is_empty();
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        let mut outputs = Vec::with_capacity(asm.outputs.len());
        for (n, operand) in asm.outputs.iter().enumerate() {
            let Some(target) = self.asm_output(operand) else { continue };
            let constraint = operand.constraint.text();
            let reads = constraint.contains('+');
            if is_empty && reads {
                if has_effect(&target) {
                    let span = target.span;
                    out.push(Stmt { kind: StmtKind::Expr(self.rvalue(target)), span });
                }
                continue;
            }
            // What the text can do with an operand that is evaluated once is not told twice in the tree.
            if !is_empty && has_effect(&target) && (reads || constraint.contains('m')) {
                let kind = StmtKind::Unsupported("inline assembler".into(), "an operand with side effects".to_owned());
                out.push(Stmt { kind, span: target.span });
            } else if !is_empty && constraint.contains('m') {
                inputs.push(self.asm_address(target.clone()));
            } else if !is_empty && reads {
                inputs.push(self.rvalue(target.clone()));
            }
            let matching = asm.inputs.iter().position(|input| self.is_same_place(input, n, operand));
            let input = matching.filter(|_| is_empty).map(|at| self.asm_input(&asm.inputs[at]));
            let value = input.and_then(|value| self.same_bits(value, &target));
            outputs.push(AsmOutput { target, value });
        }
        inputs.extend(asm.inputs.iter().map(|input| self.asm_input(input)));
        let named = self.named_in(&text);
        let changes_memory =
            !is_empty && (!named.is_empty() || asm.clobbers.iter().any(|clobber| clobber.text().trim() == "memory"));
        inputs.extend(named);
        for label in &asm.labels {
            if let Some(id) = self.label(*label)
                && let Some(func) = &mut self.func
            {
                func.labels[id].address_taken = true;
            }
        }
        let jumps = !asm.labels.is_empty();
        let asm_stmt = Assembler { outputs, inputs, changes_memory, jumps, text: text.into() };
        out.push(Stmt { kind: StmtKind::Asm(Box::new(asm_stmt)), span: asm.span });
    }

    /// Assembler outside of functions may define what the program declares, but not make functions run or variables coincide.
    pub(super) fn check_assembler(&mut self) {
        for asm in std::mem::take(&mut self.assembler) {
            let text = asm.template.text();
            if self.name_functions(&text) {
                continue;
            }
            let sets = [".set", ".equ"].iter().any(|word| text.contains(word)) && !self.named_in(&text).is_empty();
            if sets || is_startup(&text) {
                self.unmodelled.push(("inline assembler".into(), "outside of functions".to_owned(), asm.span));
            }
        }
    }

    /// Lets functions be other names of functions, as `.set` and `.symver` say; whether the text says nothing else.
    fn name_functions(&mut self, text: &str) -> bool {
        let mut aliases = Vec::new();
        for line in text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()) {
            let (directive, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let names = || rest.split_once(',').map(|(first, second)| (first.trim(), second.trim()));
            aliases.push(match (directive, names()) {
                (".globl" | ".global" | ".weak" | ".type", _) => continue,
                (".set" | ".equ", Some(names)) => names,
                (".symver", Some((target, alias))) => (alias.split('@').next().unwrap_or_default(), target),
                _ => return false,
            });
        }
        let mut found = Vec::new();
        for (alias, target) in aliases {
            let function = |name| match self.scopes.linked(self.names.lookup(name)?) {
                Binding::Function(f) => Some(f),
                _ => None,
            };
            // A name that the program does not have matters to other programs only.
            match (self.names.lookup(alias).map(|alias| self.scopes.linked(alias)), function(target)) {
                (Some(Binding::Function(alias)), Some(target)) if alias != target => found.push((alias, target)),
                (Some(Binding::Function(_) | Binding::Var(_)), _) => return false,
                _ => {}
            }
        }
        for (alias, target) in found {
            if self.functions[alias].body.is_none() {
                self.functions[alias].alias = Some(target);
            }
        }
        true
    }

    /// The lvalue that an output is.
    fn asm_output(&mut self, operand: &'a ast::AsmOperand) -> Option<Expr> {
        let mut e = self.expr(&operand.expr);
        // GNU once allowed casts of lvalues, and headers still have them here.
        while let ExprKind::Cast(inner) | ExprKind::Load(inner) = e.kind {
            e = *inner;
        }
        if is_lvalue(&e) {
            return Some(e);
        }
        if !matches!(e.kind, ExprKind::Unsupported(..)) {
            let text = "an output of inline assembler is no object";
            self.error(Diagnostic::error("E0327", operand.expr.span, text).label("not an lvalue"));
        }
        None
    }

    /// The value of an input; for a place in memory its address.
    fn asm_input(&mut self, operand: &'a ast::AsmOperand) -> Expr {
        let e = self.expr(&operand.expr);
        if operand.constraint.text() == "m" && is_lvalue(&e) { self.asm_address(e) } else { self.rvalue(e) }
    }

    fn asm_address(&mut self, lvalue: Expr) -> Expr {
        let span = lvalue.span;
        let is_bits = matches!(lvalue.kind, ExprKind::Member { bits: Some(_), .. });
        if is_bits { self.rvalue(lvalue) } else { self.address(lvalue, span) }
    }

    /// The value as the output's type, if that keeps its bits.
    fn same_bits(&mut self, value: Expr, target: &Expr) -> Option<Expr> {
        let kept = |types: &crate::types::Types, ty| types.is_integer(ty) || matches!(types.get(ty), Type::Pointer(_));
        let fits = kept(&self.types, value.ty) && kept(&self.types, target.ty) || value.ty == target.ty;
        let size = |s: &Self, e: &Expr| s.types.size_of(s.machine, e.ty);
        (fits && size(self, &value) == size(self, target) && !has_effect(&value)).then(|| {
            let span = value.span;
            self.cast(value, target.ty, span)
        })
    }

    /// Addresses of the variables with linkage whose names occur in the text.
    fn named_in(&mut self, text: &str) -> Vec<Expr> {
        let mut named = Vec::new();
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if let Some(symbol) = self.names.lookup(word)
                && let Binding::Var(var) = self.scopes.linked(symbol)
            {
                let (ty, span) = (self.vars[var].ty, self.vars[var].span);
                let lvalue = Expr { kind: ExprKind::Var(var), ty, span };
                named.push(self.asm_address(lvalue));
            }
        }
        named
    }

    /// Whether an input is put where output number `n` is: by its number or its name.
    fn is_same_place(&self, input: &ast::AsmOperand, n: usize, output: &ast::AsmOperand) -> bool {
        let text = input.constraint.text();
        let name = output.name.map(|name| format!("[{}]", &self.names[name.name]));
        text == n.to_string() || Some(text) == name
    }
}
