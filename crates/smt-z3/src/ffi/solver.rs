//! Solvers: assertions, queries, cores.

use super::{Ast, Context, ModelRef, Params, text};
use smt::SmtError;
use std::ffi::{CStr, c_char};
use std::sync::Arc;
use std::sync::atomic::Ordering;
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

/// A tactic by its name, with switches that are not as usual.
pub(crate) type TacticStep = (&'static CStr, &'static [(&'static str, bool)]);

/// A tactic, or some of them.
struct TacticRef<'a> {
    context: &'a Context,
    raw: Z3_tactic,
}

impl<'a> TacticRef<'a> {
    /// Keeps a new tactic.
    fn keep(context: &'a Context, raw: Option<Z3_tactic>) -> Result<Self, SmtError> {
        let raw = raw.ok_or_else(|| context.failure())?;
        // SAFETY: Z3 has just returned the tactic.
        unsafe { Z3_tactic_inc_ref(context.raw, raw) };
        Ok(Self { context, raw })
    }
}

impl Drop for TacticRef<'_> {
    fn drop(&mut self) {
        // SAFETY: the reference was taken in `keep`; the context is alive.
        unsafe { Z3_tactic_dec_ref(self.context.raw, self.raw) }
    }
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

    /// Applies tactics one after the other to each query; some with switches.
    pub(crate) fn pipeline(context: &Arc<Context>, steps: &[TacticStep]) -> Result<Self, SmtError> {
        let raw = context.raw;
        let mut whole: Option<TacticRef<'_>> = None;
        for (name, switches) in steps {
            // SAFETY: the context is alive.
            let mut next = TacticRef::keep(context, unsafe { Z3_mk_tactic(raw, name.as_ptr()) })?;
            if !switches.is_empty() {
                let mut params = Params::new(context)?;
                for (key, value) in *switches {
                    params = params.bool(key, *value)?;
                }
                // SAFETY: all objects are of this context.
                next = TacticRef::keep(context, unsafe { Z3_tactic_using_params(raw, next.raw, params.raw) })?;
            }
            whole = Some(match whole {
                None => next,
                // SAFETY: both are of this context.
                Some(first) => TacticRef::keep(context, unsafe { Z3_tactic_and_then(raw, first.raw, next.raw) })?,
            });
        }
        let whole = whole.ok_or(SmtError::NotAvailable("tactic"))?;
        // SAFETY: the tactic is of this context.
        let solver = unsafe { Z3_mk_solver_from_tactic(raw, whole.raw) }.ok_or_else(|| context.failure())?;
        Self::keep(context, solver)
    }

    /// Keeps a new solver.
    fn keep(context: &Arc<Context>, raw: Z3_solver) -> Result<Self, SmtError> {
        // SAFETY: Z3 has just returned the solver.
        unsafe { Z3_solver_inc_ref(context.raw, raw) };
        let this = Self { context: context.clone(), raw };
        this.set(&Params::new(context)?.bool("ctrl_c", false)?)?;
        Ok(this)
    }

    fn set(&self, params: &Params<'_>) -> Result<(), SmtError> {
        // SAFETY: all objects are of this context.
        unsafe { Z3_solver_set_params(self.context.raw, self.raw, params.raw) };
        self.result(())
    }

    /// Limits the resources of each query from now on; 0 for no limit.
    pub(crate) fn limit(&self, resources: u32) -> Result<(), SmtError> {
        self.set(&Params::new(&self.context)?.number("rlimit", resources)?)
    }

    /// The resources that the context has used since this was asked last.
    pub(crate) fn resources(&self) -> u64 {
        let raw = self.context.raw;
        // SAFETY: the statistics are kept while they are read, and the number of the last entry is below their size.
        unsafe {
            let Some(stats) = Z3_solver_get_statistics(raw, self.raw) else { return 0 };
            Z3_stats_inc_ref(raw, stats);
            // The counter is the last one of the integers, or a float when it is large.
            let entries = (0..Z3_stats_size(raw, stats)).rev();
            let counter =
                entries.into_iter().find(|&i| CStr::from_ptr(Z3_stats_get_key(raw, stats, i)) == c"rlimit count");
            let total = counter.map_or(0, |i| match Z3_stats_is_uint(raw, stats, i) {
                true => Z3_stats_get_uint_value(raw, stats, i).into(),
                false => Z3_stats_get_double_value(raw, stats, i) as u64,
            });
            Z3_stats_dec_ref(raw, stats);
            total.saturating_sub(self.context.counted.swap(total, Ordering::Relaxed))
        }
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
