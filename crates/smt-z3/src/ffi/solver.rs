//! Solvers: assertions, queries, cores.

use super::{Ast, Context, ModelRef, text};
use smt::SmtError;
use std::ffi::c_char;
use std::sync::Arc;
use z3_sys::*;

/// Answer of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Neither; see [`SolverRef::reason_unknown`].
    Unknown,
}

/// A solver object.
pub(crate) struct SolverRef {
    pub(super) context: Arc<Context>,
    pub(super) raw: Z3_solver,
}

impl Drop for SolverRef {
    fn drop(&mut self) {
        // SAFETY: the reference was taken in `keep`; the context is alive.
        unsafe { Z3_solver_dec_ref(self.context.raw, self.raw) }
    }
}

// SAFETY: see `Context`: the solver belongs to the one `Z3Solver` of its context.
unsafe impl Send for SolverRef {}

impl SolverRef {
    /// The solver for a logic, such as `QF_BV`; the general one without.
    pub(crate) fn new(context: &Arc<Context>, logic: Option<&str>) -> Result<Self, SmtError> {
        let symbol = logic.map(|logic| context.symbol(logic)).transpose()?;
        // SAFETY: the context is alive and the symbol its own.
        let raw = unsafe {
            match symbol {
                Some(symbol) => Z3_mk_solver_for_logic(context.raw, symbol),
                None => Z3_mk_solver(context.raw),
            }
        };
        let raw = raw.ok_or_else(|| context.failure())?;
        Self::keep(context, raw)
    }

    /// Z3's own search for satisfiability modulo theories, without tactics before it.
    pub(crate) fn simple(context: &Arc<Context>) -> Result<Self, SmtError> {
        // SAFETY: the context is alive.
        let raw = unsafe { z3_sys::Z3_mk_simple_solver(context.raw) }.ok_or_else(|| context.failure())?;
        Self::keep(context, raw)
    }

    /// Keeps a new solver.
    fn keep(context: &Arc<Context>, raw: Z3_solver) -> Result<Self, SmtError> {
        // SAFETY: Z3 has just returned the solver.
        unsafe { Z3_solver_inc_ref(context.raw, raw) };
        let this = Self { context: context.clone(), raw };
        this.leave_signals_alone()?;
        Ok(this)
    }

    fn leave_signals_alone(&self) -> Result<(), SmtError> {
        let context = &self.context;
        let ctrl_c = context.symbol("ctrl_c")?;
        // SAFETY: all objects are of this context; the parameters are freed when both references are gone.
        unsafe {
            let params = Z3_mk_params(context.raw).ok_or_else(|| context.failure())?;
            Z3_params_inc_ref(context.raw, params);
            Z3_params_set_bool(context.raw, params, ctrl_c, false);
            Z3_solver_set_params(context.raw, self.raw, params);
            Z3_params_dec_ref(context.raw, params);
        }
        self.result(())
    }

    fn result<T>(&self, value: T) -> Result<T, SmtError> {
        match self.context.error() {
            None => Ok(value),
            Some(error) => Err(SmtError::Backend(error)),
        }
    }

    pub(crate) fn assert(&self, formula: Ast) -> Result<(), SmtError> {
        // SAFETY: solver and formula are of this context.
        unsafe { Z3_solver_assert(self.context.raw, self.raw, formula.0) };
        self.result(())
    }

    pub(crate) fn push(&self) -> Result<(), SmtError> {
        // SAFETY: the solver is of this context.
        unsafe { Z3_solver_push(self.context.raw, self.raw) };
        self.result(())
    }

    pub(crate) fn pop(&self, levels: u32) -> Result<(), SmtError> {
        // SAFETY: the solver is of this context; the caller has pushed that many levels.
        unsafe { Z3_solver_pop(self.context.raw, self.raw, levels) };
        self.result(())
    }

    /// Runs a query; errors are for the caller to ask.
    pub(crate) fn check(&self, assumptions: &[Ast]) -> Answer {
        let assumptions: Vec<Z3_ast> = assumptions.iter().map(|a| a.0).collect();
        // SAFETY: solver and assumptions are of this context; the array has that many terms.
        let answer = unsafe {
            if assumptions.is_empty() {
                Z3_solver_check(self.context.raw, self.raw)
            } else {
                let count = assumptions.len() as u32;
                Z3_solver_check_assumptions(self.context.raw, self.raw, count, assumptions.as_ptr())
            }
        };
        match answer {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => Answer::Unknown,
        }
    }

    pub(crate) fn reason_unknown(&self) -> String {
        // SAFETY: the solver is of this context; the string is copied at once.
        text(unsafe { Z3_solver_get_reason_unknown(self.context.raw, self.raw) as *const c_char })
    }

    /// The assumptions of the last query's core.
    pub(crate) fn core(&self) -> Result<Vec<Ast>, SmtError> {
        let context = &self.context;
        // SAFETY: the vector is kept while it is read.
        unsafe {
            let vector = Z3_solver_get_unsat_core(context.raw, self.raw).ok_or_else(|| context.failure())?;
            Z3_ast_vector_inc_ref(context.raw, vector);
            let core = (0..Z3_ast_vector_size(context.raw, vector))
                .map(|i| context.keep(Z3_ast_vector_get(context.raw, vector, i)))
                .collect();
            Z3_ast_vector_dec_ref(context.raw, vector);
            core
        }
    }

    /// The last query's model.
    pub(crate) fn model(&self) -> Result<ModelRef, SmtError> {
        let context = self.context.clone();
        // SAFETY: Z3 returns the model; it is kept until the `ModelRef` is dropped.
        unsafe {
            let raw = Z3_solver_get_model(context.raw, self.raw).ok_or_else(|| context.failure())?;
            Z3_model_inc_ref(context.raw, raw);
            Ok(ModelRef { context, raw })
        }
    }
}
