//! What memory functions access, as far as their text says it: variables by name, or anything behind pointers.

use crate::context::Lowerer;
use crate::handlers::Footprint;
use cfront::typed::contract::{Contract, Place, Target};
use cfront::typed::{Callee, Expr, ExprKind, FunctionId, InitValue, Initializer, Size, Stmt, StmtKind, VarId, VarKind};
use std::collections::BTreeSet;

struct Walk<'w, 'u> {
    lowerer: &'w Lowerer<'u>,
    found: Footprint,
    seen: BTreeSet<FunctionId>,
    work: Vec<FunctionId>,
}

/// Of functions and all that they mention.
pub(crate) fn footprint(lowerer: &Lowerer<'_>, functions: &[FunctionId]) -> Footprint {
    let mut walk = Walk { lowerer, found: Footprint::default(), seen: BTreeSet::new(), work: functions.to_vec() };
    while let Some(id) = walk.work.pop() {
        let id = lowerer.resolve(id);
        if !walk.seen.insert(id) {
            continue;
        }
        // What functions without a body do with pointers is known where they are called.
        if let Some(body) = &lowerer.unit.functions[id].body {
            walk.stmt(&body.stmt);
        }
    }
    let mut found = walk.found;
    found.has_addresses = found.vars.iter().any(|var| lowerer.unit.vars[*var].address_taken);
    found
}

impl Walk<'_, '_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Decl(decls) => {
                decls.iter().filter_map(|decl| decl.init.as_ref()).for_each(|init| self.init(init));
                for function in decls.iter().filter_map(|decl| self.lowerer.unit.vars[decl.var].cleanup) {
                    self.found.follows_pointers = true;
                    self.work.push(self.lowerer.resolve(function));
                }
            }
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::If { arms, otherwise } => {
                for (cond, branch) in arms {
                    self.expr(cond);
                    self.stmt(branch);
                }
                otherwise.iter().for_each(|branch| self.stmt(branch));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.stmts(init);
                cond.iter().chain(step).for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e)),
            StmtKind::Asm(asm) => {
                asm.inputs.iter().for_each(|e| self.expr(e));
                asm.outputs.iter().for_each(|output| self.expr(&output.target));
                self.found.follows_pointers |= asm.changes_memory || !asm.inputs.is_empty();
            }
            StmtKind::Contract(contract) => self.contract(contract),
            StmtKind::Empty
            | StmtKind::Case(_)
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Unsupported(..) => {}
        }
    }

    fn contract(&mut self, contract: &Contract) {
        // What a contract names is mostly memory behind pointers, and all of it may become arbitrary.
        self.found.follows_pointers = true;
        match contract {
            Contract::Clause { condition: e, .. } | Contract::Snapshot { value: e, .. } => self.expr(e),
            Contract::Havoc { targets, frees } => targets.iter().chain(frees).for_each(|target| self.target(target)),
            Contract::Frame { targets, frees, body } => {
                targets.iter().flatten().chain(frees).for_each(|target| self.target(target));
                self.stmts(body);
            }
            Contract::Iteration { targets, body, .. } => {
                targets.iter().flatten().for_each(|target| self.target(target));
                self.stmts(body);
            }
        }
    }

    fn target(&mut self, target: &Target) {
        target.condition.iter().for_each(|e| self.expr(e));
        match &target.place {
            Place::Variable(var) => self.variable(*var),
            Place::Range(start, len) => {
                self.expr(start);
                self.expr(len);
            }
            Place::Object(e) | Place::Rest(e) => self.expr(e),
        }
    }

    fn variable(&mut self, var: VarId) {
        let id = self.lowerer.named(var);
        if matches!(self.lowerer.unit.vars[id].kind, VarKind::Global | VarKind::Extern | VarKind::StaticLocal(_)) {
            self.found.vars.insert(id);
        }
    }

    fn init(&mut self, init: &Initializer) {
        for item in &init.items {
            if let InitValue::Expr(e) = &item.value {
                self.expr(e);
            }
        }
    }

    fn size(&mut self, size: &Size) {
        if let Size::Expr(e) = size {
            self.expr(e);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Unsupported(..) => {}
            ExprKind::Var(var) => self.variable(*var),
            ExprKind::Quantified(quantified) => {
                let bounds = quantified.least.iter().chain(&quantified.greatest);
                bounds.for_each(|bound| self.expr(&bound.value));
                self.expr(&quantified.body);
            }
            ExprKind::Function(f) => self.work.push(*f),
            ExprKind::Deref(pointer) => {
                self.found.follows_pointers |= array_of(pointer).is_none();
                self.expr(pointer);
            }
            ExprKind::Member { base: a, .. }
            | ExprKind::Load(a)
            | ExprKind::Decay(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Cast(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Wrap(a, _)
            | ExprKind::VlaSize(a) => self.expr(a),
            ExprKind::VaArg(a) => {
                self.found.follows_pointers = true;
                self.expr(a);
            }
            ExprKind::CompoundLiteral { init, .. } => init.iter().for_each(|init| self.init(init)),
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Assign(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::PtrAdd { ptr: a, index: b, elem_size, .. } | ExprKind::PtrDiff { lhs: a, rhs: b, elem_size } => {
                self.expr(a);
                self.expr(b);
                self.size(elem_size);
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond);
                then.iter().for_each(|e| self.expr(e));
                self.expr(otherwise);
            }
            ExprKind::CompoundAssign { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::IncDec { lhs, .. } => self.expr(lhs),
            ExprKind::Call { callee, args } => {
                self.call(callee, args);
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::StmtExpr { stmts, value } => {
                self.stmts(stmts);
                value.iter().for_each(|e| self.expr(e));
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr]) {
        match callee {
            Callee::Direct(f) => {
                let id = self.lowerer.resolve(*f);
                let types = self.lowerer.unit.types;
                // What has no body may be a builtin that reads or writes through its arguments.
                let is_outside = self.lowerer.unit.functions[id].body.is_none();
                self.found.follows_pointers |= is_outside && args.iter().any(|arg| types.pointee(arg.ty).is_some());
                self.work.push(id);
            }
            Callee::Pointer(pointer) => {
                // It may lead to any function whose address is known.
                (self.found.calls_pointers, self.found.follows_pointers) = (true, true);
                let functions = self.lowerer.unit.functions.iter_enumerated();
                self.work.extend(functions.filter(|(_, f)| f.address_taken).map(|(id, _)| id));
                self.expr(pointer);
            }
        }
    }
}

/// The array whose element a pointer leads to, where the text says so.
pub(crate) fn array_of(pointer: &Expr) -> Option<&Expr> {
    let mut at = pointer;
    loop {
        at = match &at.kind {
            ExprKind::PtrAdd { ptr, .. } => ptr,
            ExprKind::Decay(array) => return Some(array),
            ExprKind::AddrOf(lvalue) => return Some(lvalue),
            _ => return None,
        }
    }
}
