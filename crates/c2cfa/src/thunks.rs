//! Library functions whose address is taken: a call through the pointer does what a call by name does.
//!
//! Lowering knows library functions by their calls. So a pointer to one leads to a function with a body that calls it.

use crate::context::Thunks;
use crate::environment::Environment;
use base::{IdVec, Name, Span};
use cfront::typed::{Callee, Expr, ExprKind, Function, FunctionBody, FunctionId, Stmt, StmtKind, Var, VarId, VarKind};
use cfront::types::{FunctionType, Type, TypeId, Types};
use clib::known::{self, LIBRARY};
use clib::libc;
use clib::library::Effects;

/// Adds them to the unit.
pub(crate) fn add(
    types: &Types,
    vars: &mut IdVec<VarId, Var>,
    functions: &mut IdVec<FunctionId, Function>,
    environment: &Environment,
) -> Thunks {
    let with_text = functions.iter().filter(|f| f.body.is_some());
    let library: Vec<Name> = with_text.filter_map(|f| Some(Name::from(f.name.strip_prefix(libc::PREFIX)?))).collect();
    let has_text = |name: &str| libc::names_of(name).iter().any(|name| library.iter().any(|n| **n == **name));
    let needed = |f: &Function| f.address_taken && f.body.is_none() && f.alias.is_none() && !has_text(&f.name);
    let known: Vec<FunctionId> = functions
        .iter_enumerated()
        .filter(|(_, f)| needed(f) && (environment.havoc_arguments || does_more_than_return(&f.name)))
        .map(|(id, _)| id)
        .collect();
    let mut thunks = Thunks::default();
    for id in known {
        let Type::Function(ty) = types.get(functions[id].ty) else { continue };
        let (name, span) = (functions[id].name.clone(), functions[id].span);
        let thunk = Function::new(format!("__pointer_{name}").into(), functions[id].ty, span);
        let thunk = functions.push(thunk);
        let new_param = |ty: &TypeId| {
            let kind = VarKind::Param(thunk);
            let name = Name::from("argument");
            vars.push(Var::new(name, *ty, kind, span))
        };
        let params: Vec<VarId> = ty.params.iter().map(new_param).collect();
        let kind = if ty.variadic || !ty.prototyped {
            StmtKind::Unsupported(LIBRARY.into(), format!("{name} called through a pointer"))
        } else {
            forward(types, id, ty, &params, span)
        };
        let stmt = Stmt { kind, span };
        functions[thunk].body = Some(FunctionBody { params, stmt, labels: IdVec::new(), n_cases: 0, end: span });
        thunks.insert(id, thunk);
    }
    thunks
}

/// Whether a call is more than an arbitrary result.
fn does_more_than_return(name: &str) -> bool {
    known::lookup(name).is_some() || Effects::of(name).is_some_and(Effects::may_change_memory)
}

/// `return f(parameters);`
fn forward(types: &Types, f: FunctionId, ty: &FunctionType, params: &[VarId], span: Span) -> StmtKind {
    let value = |(var, ty): (&VarId, &TypeId)| {
        let var = Expr { kind: ExprKind::Var(*var), ty: *ty, span };
        match types.get(*ty) {
            Type::Record(_) => var,
            _ => Expr { kind: ExprKind::Load(Box::new(var)), ty: *ty, span },
        }
    };
    let args = params.iter().zip(ty.params.iter()).map(value).collect();
    let call = Expr { kind: ExprKind::Call { callee: Callee::Direct(f), args }, ty: ty.ret, span };
    match types.get(ty.ret) {
        Type::Void => StmtKind::Expr(call),
        _ => StmtKind::Return(Some(call)),
    }
}
