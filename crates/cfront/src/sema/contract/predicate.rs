//! Predicates: functions that conditions of contracts call, and that say themselves what memory is there.
//!
//! `__CPROVER_is_fresh(p, n)` writes to `p` where it is assumed, so that it has to name what the caller of the predicate named. Therefore
//! a predicate whose body is one `return` is written out in the condition, with its arguments in place of the parameters.

use crate::sema::Sema;
use crate::typed::contract::Contract;
use crate::typed::{Callee, Expr, ExprKind, FunctionId, Size, StmtKind, VarId};

/// What a predicate is written out for.
const NAMES: &[&str] = &["__CPROVER_is_fresh", "__CPROVER_pointer_in_range_dfcc"];

/// Deepest nesting of predicates.
const MAX_DEPTH: u32 = 20;

impl Sema<'_> {
    /// Writes out predicates in the conditions of all functions that stand in for others.
    pub(in crate::sema) fn write_out_predicates(&mut self) {
        let stand_ins: Vec<FunctionId> = self.functions.iter().filter_map(|f| f.stand_in).collect();
        for id in stand_ins {
            let Some(mut body) = self.functions[id].body.take() else { continue };
            if let StmtKind::Block(stmts) = &mut body.stmt.kind {
                for stmt in stmts {
                    if let StmtKind::Contract(contract) = &mut stmt.kind
                        && let Contract::Clause { condition, .. } = &mut **contract
                    {
                        self.write_out(condition, 0);
                    }
                }
            }
            self.functions[id].body = Some(body);
        }
    }

    fn write_out(&self, e: &mut Expr, depth: u32) {
        for part in parts(e) {
            self.write_out(part, depth);
        }
        if let ExprKind::Call { callee: Callee::Direct(id), args } = &e.kind
            && let Some((params, value)) = self.predicate(*id)
            && depth < MAX_DEPTH
            && self.says_memory(value, 0)
            && args.iter().all(is_pure)
        {
            let mut value = value.clone();
            if params.len() == args.len() && replace(&mut value, params, args) {
                self.write_out(&mut value, depth + 1);
                *e = value;
            }
        }
    }

    /// The parameters and the value of a function whose body is one `return`.
    fn predicate(&self, id: FunctionId) -> Option<(&[VarId], &Expr)> {
        let body = self.functions[self.functions[id].alias.unwrap_or(id)].body.as_ref()?;
        let mut stmt = &body.stmt;
        while let StmtKind::Block(stmts) = &stmt.kind {
            let [only] = stmts.as_slice() else { return None };
            stmt = only;
        }
        match &stmt.kind {
            StmtKind::Return(Some(value)) => Some((&body.params, value)),
            _ => None,
        }
    }

    /// Whether an expression says what memory is there, itself or by a predicate.
    fn says_memory(&self, e: &Expr, depth: u32) -> bool {
        let mut copy = e.clone();
        if let ExprKind::Call { callee: Callee::Direct(id), .. } = &e.kind
            && (NAMES.contains(&&*self.functions[*id].name)
                || depth < MAX_DEPTH
                    && self.predicate(*id).is_some_and(|(_, value)| self.says_memory(value, depth + 1)))
        {
            return true;
        }
        parts(&mut copy).into_iter().any(|part| self.says_memory(part, depth))
    }
}

/// Puts arguments in the place of the values of parameters; `false` if a parameter is used in another way.
fn replace(e: &mut Expr, params: &[VarId], args: &[Expr]) -> bool {
    let position = |e: &Expr| match &e.kind {
        ExprKind::Var(var) => params.iter().position(|param| param == var),
        _ => None,
    };
    if let ExprKind::Load(inner) = &e.kind
        && let Some(at) = position(inner)
    {
        *e = args[at].clone();
        return true;
    }
    position(e).is_none() && is_known(e) && parts(e).into_iter().all(|part| replace(part, params, args))
}

/// Whether [`parts`] names all of which an expression is made.
fn is_known(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call { callee, .. } => matches!(callee, Callee::Direct(_)),
        ExprKind::PtrAdd { elem_size, .. } | ExprKind::PtrDiff { elem_size, .. } => matches!(elem_size, Size::Const(_)),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) | ExprKind::Function(_) | ExprKind::String(_) => true,
        ExprKind::Deref(_) | ExprKind::Member { .. } | ExprKind::Load(_) | ExprKind::Decay(_) | ExprKind::AddrOf(_) => {
            true
        }
        ExprKind::Cast(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional { .. } => true,
        _ => false,
    }
}

/// Whether it makes no difference how often an expression is evaluated.
pub(in crate::sema) fn is_pure(e: &Expr) -> bool {
    let mut copy = e.clone();
    is_known(e) && !matches!(e.kind, ExprKind::Call { .. }) && parts(&mut copy).into_iter().all(|part| is_pure(part))
}

/// The expressions of which one is made, as far as [`is_known`] says.
fn parts(e: &mut Expr) -> Vec<&mut Expr> {
    match &mut e.kind {
        ExprKind::Deref(e) | ExprKind::Load(e) | ExprKind::Decay(e) | ExprKind::AddrOf(e) => vec![e],
        ExprKind::Cast(e) | ExprKind::Unary(_, e) | ExprKind::Member { base: e, .. } => vec![e],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::PtrAdd { ptr: a, index: b, .. } | ExprKind::PtrDiff { lhs: a, rhs: b, .. } => vec![a, b],
        ExprKind::Conditional { cond, then, otherwise } => {
            let mut found: Vec<&mut Expr> = vec![cond];
            found.extend(then.as_deref_mut());
            found.push(otherwise);
            found
        }
        ExprKind::Call { args, .. } => args.iter_mut().collect(),
        _ => Vec::new(),
    }
}
