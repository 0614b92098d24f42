//! Functions that stand in for those whose contracts are checked or used.

use super::{History, clauses, load, stmt};
use crate::sema::Sema;
use crate::sema::declarator::ArrayContext;
use crate::sema::scope::Binding;
use crate::sema::statement::FuncCtx;
use crate::typed::contract::{Contract, Place, Role, Target};
use crate::typed::{
    Callee, Expr, ExprKind, Function, FunctionBody, FunctionId, LocalDecl, Stmt, StmtKind, Var, VarId, VarKind,
};
use crate::types::{Type, TypeId};
use base::{Diagnostic, IdVec, Name, Span};
use syntax::ast::{ClauseKind, Contract as Said, Declarator, ParamDecl, Params, Writes};

/// How the value that a function returns is called in its contract.
const RESULT: &str = "__CPROVER_return_value";

/// What is made of a contract.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// A function that calls the one with the contract and checks it.
    Check,
    /// A function that does what the contract says.
    Use,
}

impl<'a> Sema<'a> {
    /// Makes the function that stands in for one whose contract matters.
    pub(in crate::sema) fn function_contract(&mut self, id: FunctionId, declarator: &'a Declarator, ret: TypeId) {
        let name = self.functions[id].name.clone();
        let Some(said) = declarator.contract.as_deref() else { return };
        let made = match () {
            () if self.contracts.checked.contains(&name) => Made::Check,
            () if self.contracts.used.contains(&name) => Made::Use,
            () => return,
        };
        self.unread(said);
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        let params: &[ParamDecl] = match declarator.params() {
            Some(Params::Prototype { params, variadic: false }) => params,
            Some(Params::Unspecified) => &[],
            _ => {
                let text = format!("the contract of `{name}` can't be used");
                let label = "its parameters are not known, or any number of arguments may follow";
                let help = "write a prototype, with `void` for no parameters";
                return self.error(Diagnostic::error("E0363", span, text).label(label).help(help));
            }
        };
        let text: Vec<&str> = said.clauses.iter().map(|clause| self.source.snippet(clause.span)).collect();
        let text = text.join("\n");
        if let (Some(first), Some(known)) = (self.functions[id].stand_in, self.contract_texts.get(&id)) {
            if *known != text {
                self.two_contracts(&name, span, first);
            }
            return;
        }
        self.contract_texts.insert(id, text);
        let ty = self.functions[id].ty;
        let stand_in = self.functions.push(Function::new(name, ty, span));
        self.scopes.push();
        let outer = self.func.replace(Box::new(FuncCtx::new(stand_in, ret)));
        let pending = std::mem::take(&mut self.pending);
        let mut vars = Vec::with_capacity(params.len());
        for param in params {
            let declared = self.param_type(param, ArrayContext::Prototype);
            let text = param.declarator.name.map_or_else(|| "<unnamed>".into(), |n| self.names.name(n.name).clone());
            let kind = VarKind::Param(stand_in);
            let var = self.vars.push(Var::new(text, declared.ty, kind, param.span));
            self.set_align(var, None, declared);
            if let Some(name) = param.declarator.name {
                self.scopes.bind(name.name, Binding::Var(var));
            }
            vars.push(var);
        }
        let callee = (id, stand_in);
        let stmts = self.contract_body(made, callee, said, (&vars, ret), span);
        self.scopes.pop();
        self.func = outer;
        self.pending = pending;
        let body = FunctionBody {
            params: vars,
            stmt: Stmt { kind: StmtKind::Block(stmts), span },
            labels: IdVec::new(),
            n_cases: 0,
            end: span,
        };
        self.functions[stand_in].body = Some(body);
        self.functions[id].stand_in = Some(stand_in);
    }

    fn two_contracts(&mut self, name: &Name, span: Span, first: FunctionId) {
        let text = format!("`{name}` has another contract already");
        let help = "write all of it before one declaration: a second contract is not added to the first";
        let other = self.functions[first].span;
        self.error(Diagnostic::error("E0363", span, text).related(other, "the first one").help(help));
    }

    /// Gives a declaration of a function the contract of one of another file. Two contracts must be the same.
    pub(in crate::sema) fn unite_contracts(&mut self, id: FunctionId, other: FunctionId) {
        let (name, span) = (self.functions[id].name.clone(), self.functions[id].span);
        match (self.functions[id].stand_in, self.functions[other].stand_in) {
            (Some(_), Some(first)) if self.contract_texts.get(&id) != self.contract_texts.get(&other) => {
                self.two_contracts(&name, span, first);
            }
            (stand_in, None) => self.functions[other].stand_in = stand_in,
            _ => {}
        }
    }

    fn contract_body(
        &mut self,
        made: Made,
        (id, stand_in): (FunctionId, FunctionId),
        said: &'a Said,
        (params, ret): (&[VarId], TypeId),
        span: Span,
    ) -> Vec<Stmt> {
        let contract = said.clauses.as_slice();
        let requires = self.conditions(contract, ClauseKind::Requires, History::None);
        let targets = match (self.targets(contract, ClauseKind::Assigns), said.writes) {
            (None, Writes::Nothing) => Some(Vec::new()),
            (targets, _) => targets,
        };
        let frees = self.freed(contract);
        let says_frees = contract.iter().find(|clause| clause.kind == ClauseKind::Frees);
        if let (None, Some(clause)) = (&targets, says_frees) {
            let text =
                format!("the contract of `{}` says what is freed, but not what is written", self.functions[id].name);
            let help = "it needs `assigns`, such as `assigns \\nothing;`";
            self.error(Diagnostic::error("E0365", clause.span, text).help(help));
        }
        let result = (ret != self.common.void).then(|| {
            let result = self.vars.push(Var::new("return_value".into(), ret, VarKind::Local(stand_in), span));
            if let Some(symbol) = self.names.lookup(RESULT) {
                self.scopes.bind(symbol, Binding::Var(result));
            }
            result
        });
        let first = self.clause.snapshots.len();
        let ensures = self.conditions(contract, ClauseKind::Ensures, History::Call);
        let snapshots = self.take_snapshots(first);

        let (before, after) = match made {
            Made::Check => (Role::Assumed, Role::Asserted),
            Made::Use => (Role::Asserted, Role::Assumed),
        };
        // A record is written by the function into memory of its caller, which no contract names.
        let record = result.filter(|_| matches!(self.types.get(ret), Type::Record(_)));
        let own = record.map(|var| Target { condition: None, place: Place::Variable(var), span });
        let declared = record.map(|var| StmtKind::Decl(vec![LocalDecl { var, init: None, span }]));
        let mut stmts: Vec<Stmt> = declared.map(|kind| Stmt { kind, span }).into_iter().collect();
        stmts.extend(clauses(before, &requires));
        stmts.extend(snapshots);
        match made {
            Made::Check => {
                let body = vec![self.call_of(id, params, result.map(|result| (result, ret)), span)];
                let targets = targets.map(|targets| targets.into_iter().chain(own).collect());
                stmts.push(stmt(span, Contract::Frame { targets, frees, body }));
            }
            Made::Use => {
                let mut targets = targets.unwrap_or_else(|| {
                    let text =
                        format!("the contract of `{}` does not say what the function writes", self.functions[id].name);
                    let help = "to stand for its body, it needs `assigns`, such as `assigns \\nothing;`";
                    self.error(Diagnostic::error("E0365", span, text).help(help));
                    Vec::new()
                });
                let place = result.map(Place::Variable);
                targets.extend(place.map(|place| Target { condition: None, place, span }));
                stmts.push(stmt(span, Contract::Havoc { targets, frees }));
            }
        }
        stmts.extend(clauses(after, &ensures));
        if let Some(result) = result {
            stmts.push(Stmt { kind: StmtKind::Return(Some(load(result, ret, span))), span });
        }
        stmts
    }

    /// The call of the function with the parameters as its arguments.
    fn call_of(&mut self, id: FunctionId, params: &[VarId], result: Option<(VarId, TypeId)>, span: Span) -> Stmt {
        let args = params.iter().map(|var| load(*var, self.vars[*var].ty, span)).collect();
        let ty = result.map_or(self.common.void, |(_, ty)| ty);
        let call = Expr { kind: ExprKind::Call { callee: Callee::Direct(id), args }, ty, span };
        let e = match result {
            Some((result, ty)) => {
                let lvalue = Expr { kind: ExprKind::Var(result), ty, span };
                Expr { kind: ExprKind::Assign(Box::new(lvalue), Box::new(call)), ty, span }
            }
            None => call,
        };
        Stmt { kind: StmtKind::Expr(e), span }
    }

    /// Each function whose contract matters must have one, and a body if it is to be checked.
    pub(in crate::sema) fn check_stand_ins(&mut self) {
        let contracts = self.contracts;
        for name in &contracts.checked {
            if let Some(id) = self.with_stand_in(name, "--check-contract")
                && self.functions[self.functions[id].alias.unwrap_or(id)].body.is_none()
            {
                let text = format!("--check-contract {name}: the function has no body");
                let help = "give the file that defines it, too";
                self.error(Diagnostic::error("E0364", self.functions[id].span, text).help(help));
            }
        }
        for name in contracts.used.iter().filter(|name| !contracts.checked.contains(name)) {
            self.with_stand_in(name, "--use-contract");
        }
    }

    fn with_stand_in(&mut self, name: &Name, option: &str) -> Option<FunctionId> {
        let named = || self.functions.iter_enumerated().filter(|(_, f)| f.name == *name);
        if let Some((id, _)) = named().find(|(_, f)| f.stand_in.is_some()) {
            return Some(id);
        }
        let span = named().map(|(_, f)| f.span).next();
        let text = match span {
            Some(_) => format!("{option} {name}: no declaration of the function has a contract"),
            None => format!("{option} {name}: no file declares such a function"),
        };
        let help = "a contract is clauses such as `__CPROVER_requires(…)` behind the function's parameters (a macro may have to be defined for them), or, with --acsl, a comment that begins with `/*@` before the function";
        self.error(Diagnostic::error("E0364", span, text).help(help));
        None
    }
}
