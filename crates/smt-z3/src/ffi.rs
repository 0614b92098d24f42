//! Z3's C interface, as far as it is needed, with errors as values.
//!
//! This file has contexts and terms; [`solver`] and [`model`] have what is asked of them, [`engine`] what is beyond plain queries, and
//! [`alarm`] ends those whose work is not counted.
//!
//! Every term is kept for the life of its context, because the cache of the translation refers to it anyway. An [`Ast`] must only be used with the context that made it; each [`crate::Z3Solver`] has exactly one, which may have been another's
//! before ([`pool`]).
#![allow(unsafe_code)]

pub(crate) mod alarm;
pub(crate) mod engine;
mod model;
pub(crate) mod pool;
mod solver;

pub(crate) use model::ModelRef;
pub(crate) use solver::{Answer, SolverRef, TacticStep};

use smt::{FloatSort, SmtError};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use z3_sys::*;

/// A term of Z3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ast(Z3_ast);

/// A sort of Z3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortRef(Z3_sort);

/// A function of one argument.
pub(crate) type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
/// A function of two arguments.
pub(crate) type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
/// A function of three arguments.
pub(crate) type Ternary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
/// A function of a number and an argument.
pub(crate) type Indexed = unsafe extern "C" fn(Z3_context, u32, Z3_ast) -> Option<Z3_ast>;
/// A function of a rounding mode, an argument and a sort.
pub(crate) type ToFloat = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>;
/// A function of a rounding mode, an argument and a width.
pub(crate) type FromFloat = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, u32) -> Option<Z3_ast>;
/// A constant.
pub(crate) type Nullary = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;

/// A context: the owner of all terms.
pub(crate) struct Context {
    raw: Z3_context,
    /// Odd while a query is running.
    queries: AtomicU64,
    /// The resources that were counted so far.
    counted: AtomicU64,
    /// Terms to let go in the end. Z3 does so itself, but in time quadratic in the depth of the terms.
    kept: Mutex<Vec<Z3_ast>>,
}

// SAFETY: all calls but `Z3_interrupt` and `Z3_solver_interrupt` are made through the one `Z3Solver` that has the context, so by one thread at a time; Z3 allows
// these two from other threads. The counters are atomic.
unsafe impl Send for Context {}
// SAFETY: see `Send`.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        self.clear();
        // SAFETY: the last reference is gone, so nobody uses the context any more.
        unsafe { Z3_del_context(self.raw) }
    }
}

/// Keeps Z3 from its default, which is to end the process; we ask for the error code instead.
unsafe extern "C" fn ignore_error(_: Z3_context, _: Z3_error_code) {}

fn text(raw: Z3_string) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: Z3 returns zero-terminated strings that live until the next call; it is copied at once.
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

/// A string of ours for Z3; it has no inner zero.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Parameters of one context, which are made to be set once.
struct Params<'a> {
    context: &'a Context,
    raw: Z3_params,
}

impl<'a> Params<'a> {
    fn new(context: &'a Context) -> Result<Self, SmtError> {
        // SAFETY: the context is alive; the reference is given back when this is dropped.
        unsafe {
            let raw = Z3_mk_params(context.raw).ok_or_else(|| context.failure())?;
            Z3_params_inc_ref(context.raw, raw);
            Ok(Self { context, raw })
        }
    }

    fn bool(self, name: &str, value: bool) -> Result<Self, SmtError> {
        let name = self.context.symbol(name)?;
        // SAFETY: all are of this context. So below.
        unsafe { Z3_params_set_bool(self.context.raw, self.raw, name, value) };
        Ok(self)
    }

    fn number(self, name: &str, value: u32) -> Result<Self, SmtError> {
        let name = self.context.symbol(name)?;
        // SAFETY: see `bool`.
        unsafe { Z3_params_set_uint(self.context.raw, self.raw, name, value) };
        Ok(self)
    }

    fn word(self, name: &str, value: &str) -> Result<Self, SmtError> {
        let (name, value) = (self.context.symbol(name)?, self.context.symbol(value)?);
        // SAFETY: see `bool`.
        unsafe { Z3_params_set_symbol(self.context.raw, self.raw, name, value) };
        Ok(self)
    }
}

impl Drop for Params<'_> {
    fn drop(&mut self) {
        // SAFETY: the reference was taken in `new`.
        unsafe { Z3_params_dec_ref(self.context.raw, self.raw) }
    }
}

impl Context {
    pub(crate) fn new() -> Result<Arc<Self>, SmtError> {
        // SAFETY: the configuration is used for one context and deleted then; the handler is a function without state.
        let raw = unsafe {
            let config = Z3_mk_config().ok_or_else(|| SmtError::Backend("no configuration".into()))?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| SmtError::Backend("no context".into()))?;
            Z3_set_error_handler(raw, Some(ignore_error));
            raw
        };
        Ok(Arc::new(Self { raw, queries: AtomicU64::new(0), counted: AtomicU64::new(0), kept: Mutex::default() }))
    }

    /// Sets a parameter of all engines of the context that have none of their own.
    fn set_parameter(&self, name: &str, value: &str) {
        let (name, value) = (c_string(name), c_string(value));
        // SAFETY: both strings live through the call.
        unsafe { Z3_update_param_value(self.raw, name.as_ptr(), value.as_ptr()) }
    }

    /// Number of terms.
    fn terms(&mut self) -> usize {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Lets all terms go.
    fn clear(&mut self) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        for ast in kept.drain(..).rev() {
            // SAFETY: this is the only reference, so nobody uses the terms any more; each was kept once.
            unsafe { Z3_dec_ref(self.raw, ast) }
        }
    }

    /// The last error, if there is one.
    pub(crate) fn error(&self) -> Option<String> {
        // SAFETY: the context is alive.
        unsafe {
            match Z3_get_error_code(self.raw) {
                Z3_error_code::Ok => None,
                code => Some(text(Z3_get_error_msg(self.raw, code))),
            }
        }
    }

    fn failure(&self) -> SmtError {
        SmtError::Backend(self.error().unwrap_or_else(|| "no result".into()))
    }

    /// Keeps a new term.
    fn keep(&self, raw: Option<Z3_ast>) -> Result<Ast, SmtError> {
        let raw = raw.ok_or_else(|| self.failure())?;
        // SAFETY: Z3 has just returned the term, which stays valid until the next call.
        unsafe { Z3_inc_ref(self.raw, raw) };
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(raw);
        Ok(Ast(raw))
    }

    fn keep_sort(&self, raw: Option<Z3_sort>) -> Result<SortRef, SmtError> {
        let raw = raw.ok_or_else(|| self.failure())?;
        // SAFETY: as for terms; a sort is one.
        unsafe {
            if let Some(ast) = Z3_sort_to_ast(self.raw, raw) {
                Z3_inc_ref(self.raw, ast);
                self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(ast);
            }
        }
        Ok(SortRef(raw))
    }

    pub(crate) fn nullary(&self, f: Nullary) -> Result<Ast, SmtError> {
        // SAFETY: the context is alive.
        self.keep(unsafe { f(self.raw) })
    }

    pub(crate) fn unary(&self, f: Unary, a: Ast) -> Result<Ast, SmtError> {
        // SAFETY: the context is alive and the term is one of its own, which it keeps. So below.
        self.keep(unsafe { f(self.raw, a.0) })
    }

    pub(crate) fn binary(&self, f: Binary, a: Ast, b: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { f(self.raw, a.0, b.0) })
    }

    pub(crate) fn ternary(&self, f: Ternary, a: Ast, b: Ast, c: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { f(self.raw, a.0, b.0, c.0) })
    }

    pub(crate) fn indexed(&self, f: Indexed, i: u32, a: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { f(self.raw, i, a.0) })
    }

    pub(crate) fn float_of(&self, f: ToFloat, round: Ast, a: Ast, sort: SortRef) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { f(self.raw, round.0, a.0, sort.0) })
    }

    pub(crate) fn float_to_bv(&self, f: FromFloat, round: Ast, a: Ast, width: u32) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { f(self.raw, round.0, a.0, width) })
    }

    pub(crate) fn extract(&self, hi: u32, lo: u32, a: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { Z3_mk_extract(self.raw, hi, lo, a.0) })
    }

    pub(crate) fn float_from_bits(&self, bits: Ast, sort: SortRef) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { Z3_mk_fpa_to_fp_bv(self.raw, bits.0, sort.0) })
    }

    pub(crate) fn nan(&self, sort: SortRef) -> Result<Ast, SmtError> {
        // SAFETY: the sort is one of this context.
        self.keep(unsafe { Z3_mk_fpa_nan(self.raw, sort.0) })
    }

    pub(crate) fn const_array(&self, index: SortRef, value: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { Z3_mk_const_array(self.raw, index.0, value.0) })
    }

    pub(crate) fn bv_to_int(&self, a: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { Z3_mk_bv2int(self.raw, a.0, false) })
    }

    /// A function of any number of arguments.
    pub(crate) fn nary(
        &self,
        f: unsafe extern "C" fn(Z3_context, u32, *const Z3_ast) -> Option<Z3_ast>,
        args: &[Ast],
    ) -> Result<Ast, SmtError> {
        let args: Vec<Z3_ast> = args.iter().map(|a| a.0).collect();
        // SAFETY: see `unary`; the array has that many terms.
        self.keep(unsafe { f(self.raw, args.len() as u32, args.as_ptr()) })
    }

    /// A number of a bit-vector or integer sort.
    pub(crate) fn number(&self, value: u128, sort: SortRef) -> Result<Ast, SmtError> {
        match u64::try_from(value) {
            // SAFETY: the sort is one of this context.
            Ok(small) => self.keep(unsafe { Z3_mk_unsigned_int64(self.raw, small, sort.0) }),
            Err(_) => {
                let digits = c_string(&value.to_string());
                // SAFETY: the string lives through the call.
                self.keep(unsafe { Z3_mk_numeral(self.raw, digits.as_ptr(), sort.0) })
            }
        }
    }

    /// A constant named by a number below 2^30.
    pub(crate) fn constant(&self, number: u32, sort: SortRef) -> Result<Ast, SmtError> {
        // SAFETY: the sort is one of this context.
        unsafe {
            let symbol = Z3_mk_int_symbol(self.raw, number as i32).ok_or_else(|| self.failure())?;
            self.keep(Z3_mk_const(self.raw, symbol, sort.0))
        }
    }

    /// A constant with that name.
    pub(crate) fn named(&self, name: &str, sort: SortRef) -> Result<Ast, SmtError> {
        let symbol = self.symbol(name)?;
        // SAFETY: symbol and sort are of this context.
        self.keep(unsafe { Z3_mk_const(self.raw, symbol, sort.0) })
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol, SmtError> {
        let name = c_string(name);
        // SAFETY: the string lives through the call.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }.ok_or_else(|| self.failure())
    }

    pub(crate) fn bool_sort(&self) -> Result<SortRef, SmtError> {
        // SAFETY: the context is alive.
        self.keep_sort(unsafe { Z3_mk_bool_sort(self.raw) })
    }

    pub(crate) fn int_sort(&self) -> Result<SortRef, SmtError> {
        // SAFETY: the context is alive.
        self.keep_sort(unsafe { Z3_mk_int_sort(self.raw) })
    }

    pub(crate) fn bv_sort(&self, width: u32) -> Result<SortRef, SmtError> {
        // SAFETY: the context is alive.
        self.keep_sort(unsafe { Z3_mk_bv_sort(self.raw, width) })
    }

    pub(crate) fn float_sort(&self, sort: FloatSort) -> Result<SortRef, SmtError> {
        // SAFETY: the context is alive.
        self.keep_sort(unsafe { Z3_mk_fpa_sort(self.raw, sort.exp().into(), sort.sig().into()) })
    }

    pub(crate) fn array_sort(&self, index: SortRef, elem: SortRef) -> Result<SortRef, SmtError> {
        // SAFETY: both sorts are of this context.
        self.keep_sort(unsafe { Z3_mk_array_sort(self.raw, index.0, elem.0) })
    }

    /// The digits of a number.
    pub(crate) fn number_value(&self, a: Ast) -> Option<String> {
        // SAFETY: see `unary`; the string is copied at once.
        unsafe { Z3_is_numeral_ast(self.raw, a.0).then(|| text(Z3_get_numeral_string(self.raw, a.0))) }
    }

    /// The value of a Bool constant.
    pub(crate) fn bool_value(&self, a: Ast) -> Option<bool> {
        // SAFETY: see `unary`.
        match unsafe { Z3_get_bool_value(self.raw, a.0) } {
            Z3_L_TRUE => Some(true),
            Z3_L_FALSE => Some(false),
            _ => None,
        }
    }

    pub(crate) fn simplify(&self, a: Ast) -> Result<Ast, SmtError> {
        // SAFETY: see `unary`.
        self.keep(unsafe { Z3_simplify(self.raw, a.0) })
    }

    pub(crate) fn is_nan(&self, a: Ast) -> bool {
        // SAFETY: see `unary`.
        unsafe { Z3_fpa_is_numeral_nan(self.raw, a.0) }
    }

    /// The body of an array that is given by a lambda term.
    pub(crate) fn lambda_body(&self, a: Ast) -> Result<Option<Ast>, SmtError> {
        // SAFETY: see `unary`.
        unsafe {
            if !Z3_is_lambda(self.raw, a.0) {
                return Ok(None);
            }
            self.keep(Z3_get_quantifier_body(self.raw, a.0)).map(Some)
        }
    }

    /// Z3's notation of a term.
    pub(crate) fn show(&self, a: Ast) -> String {
        // SAFETY: see `unary`; the string is copied at once.
        text(unsafe { Z3_ast_to_string(self.raw, a.0) })
    }

    /// The function's name and the arguments of an application.
    pub(crate) fn application(&self, a: Ast) -> Result<Option<(String, Vec<Ast>)>, SmtError> {
        // SAFETY: see `unary`; the term is known to be an application when its parts are asked for.
        unsafe {
            if !Z3_is_app(self.raw, a.0) {
                return Ok(None);
            }
            let app = Z3_to_app(self.raw, a.0).ok_or_else(|| self.failure())?;
            let decl = Z3_get_app_decl(self.raw, app).ok_or_else(|| self.failure())?;
            let name = self.decl_name(decl)?;
            let args = (0..Z3_get_app_num_args(self.raw, app))
                .map(|i| self.keep(Z3_get_app_arg(self.raw, app, i)))
                .collect::<Result<_, _>>()?;
            let name = match name {
                Symbol::Text(name) => name,
                Symbol::Number(number) => format!("k!{number}"),
            };
            Ok(Some((name, args)))
        }
    }

    fn decl_name(&self, decl: Z3_func_decl) -> Result<Symbol, SmtError> {
        // SAFETY: the declaration is of this context and alive.
        unsafe {
            let symbol = Z3_get_decl_name(self.raw, decl).ok_or_else(|| self.failure())?;
            Ok(match Z3_get_symbol_kind(self.raw, symbol) {
                Z3_symbol_kind::Int => Symbol::Number(Z3_get_symbol_int(self.raw, symbol)),
                _ => Symbol::Text(text(Z3_get_symbol_string(self.raw, symbol))),
            })
        }
    }

    /// Interrupts the running query, again and again until it ends: Z3 forgets an interrupt that comes before the query has
    /// really begun.
    pub(crate) fn interrupt(self: &Arc<Self>) {
        // Pairs with the fence in `begin_query`: the query sees the stop, or we see the query.
        fence(Ordering::SeqCst);
        let query = self.queries.load(Ordering::SeqCst);
        if query.is_multiple_of(2) {
            return;
        }
        let context = self.clone();
        let spawned = std::thread::Builder::new().name("interrupt".into()).spawn(move || {
            while context.queries.load(Ordering::SeqCst) == query {
                // SAFETY: Z3 allows this call from other threads; the reference keeps the context alive.
                unsafe { Z3_interrupt(context.raw) };
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        if spawned.is_err() {
            // SAFETY: as above.
            unsafe { Z3_interrupt(self.raw) };
        }
    }

    /// Runs an SMT-LIB script.
    #[cfg(test)]
    pub(crate) fn run_script(&self, script: &str) -> String {
        let script = c_string(script);
        // SAFETY: the string lives through the call; the result is copied at once.
        text(unsafe { Z3_eval_smtlib2_string(self.raw, script.as_ptr()) })
    }

    /// Marks that a query is about to run; the caller checks its budget afterwards.
    pub(crate) fn begin_query(&self) -> RunningQuery<'_> {
        self.queries.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        RunningQuery(self)
    }
}

/// How a constant is called.
enum Symbol {
    Number(i32),
    Text(String),
}

/// While this lives, interrupts reach the query.
pub(crate) struct RunningQuery<'a>(&'a Context);

impl Drop for RunningQuery<'_> {
    fn drop(&mut self) {
        self.0.queries.fetch_add(1, Ordering::SeqCst);
    }
}
