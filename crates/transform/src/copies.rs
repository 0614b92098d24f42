//! What copies of functions are made of: their edges, with registers of their own.

use crate::exprs::{Exprs, Map};
use crate::rename::rename;
use cfa::loops::reachable_locations;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, Op, Program, Storage, Var, VarId};
use rustc_hash::FxHashMap;

/// The edges that runs of a function can take; none without a body.
pub fn body_edges(program: &Program, func: FuncId) -> Vec<EdgeId> {
    let Some(body) = program.functions[func].body else { return Vec::new() };
    let locs = reachable_locations(program, body.entry);
    locs.into_iter().flat_map(|loc| program.locs[loc].out.iter().copied()).collect()
}

/// The registers of a copy.
pub struct CopiedRegisters {
    vars: FxHashMap<VarId, VarId>,
    values: Map,
}

impl CopiedRegisters {
    /// Copies those of a function for another.
    pub fn new(program: &mut Program, func: FuncId, owner: FuncId) -> Self {
        let (mut vars, mut values) = (FxHashMap::default(), Map::default());
        for var in program.vars.ids() {
            if program.vars[var].func == Some(func)
                && let Storage::Register(ty) = program.vars[var].storage
            {
                let copy = program.vars.push(Var { func: Some(owner), ..program.vars[var].clone() });
                vars.insert(var, copy);
                values.insert(var, program.exprs.add(ExprKind::Var(copy), ty));
            }
        }
        Self { vars, values }
    }

    /// What stands for a variable: its copy, or itself where it has none.
    pub fn copy_of(&self, var: VarId) -> VarId {
        self.vars.get(&var).copied().unwrap_or(var)
    }

    /// The value of a register's copy.
    pub fn value_of(&self, var: VarId) -> Option<ExprId> {
        self.values.get(&var).copied()
    }

    /// An operation of the function, for the copy.
    pub fn renamed(&self, program: &mut Program, mut op: Op) -> Op {
        let exprs = Exprs::of(program);
        rename(&mut op, |var| self.copy_of(var), |expr| exprs.substitute(expr, &self.values));
        op
    }
}
