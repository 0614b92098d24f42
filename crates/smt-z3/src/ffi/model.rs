//! Models: values of terms, and functions given by tables.

use super::{Ast, Context, Symbol};
use smt::SmtError;
use std::ptr::NonNull;
use std::sync::Arc;
use z3_sys::*;

/// A model.
pub(crate) struct ModelRef {
    pub(super) context: Arc<Context>,
    pub(super) raw: Z3_model,
}

impl Drop for ModelRef {
    fn drop(&mut self) {
        // SAFETY: the reference was taken when it was made.
        unsafe { Z3_model_dec_ref(self.context.raw, self.raw) }
    }
}

/// A function given by a table.
pub(crate) struct Table {
    /// Arguments and values.
    pub(crate) entries: Vec<(Ast, Ast)>,
    /// The value of the others.
    pub(crate) default: Ast,
}

impl ModelRef {
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Numbers and values of the constants that are named by a number.
    pub(crate) fn constants(&self) -> Result<Vec<(u32, Ast)>, SmtError> {
        let context = &self.context;
        let mut constants = Vec::new();
        // SAFETY: the model is alive, and so are its declarations.
        unsafe {
            for i in 0..Z3_model_get_num_consts(context.raw, self.raw) {
                let decl = Z3_model_get_const_decl(context.raw, self.raw, i).ok_or_else(|| context.failure())?;
                let Symbol::Number(number) = context.decl_name(decl)? else { continue };
                if let Some(value) = Z3_model_get_const_interp(context.raw, self.raw, decl) {
                    constants.push((number as u32, context.keep(Some(value))?));
                }
            }
        }
        Ok(constants)
    }

    /// The value of a term.
    pub(crate) fn eval(&self, a: Ast) -> Result<Ast, SmtError> {
        let context = &self.context;
        let mut value: Option<Z3_ast> = None;
        // SAFETY: model and term are of this context; Z3 writes a term, which has the layout of the option, or nothing.
        let done = unsafe { Z3_model_eval(context.raw, self.raw, a.0, true, (&raw mut value).cast()) };
        context.keep(if done { value } else { None })
    }

    /// The table of an array that is given by a function of the model.
    pub(crate) fn table(&self, array: Ast) -> Result<Table, SmtError> {
        let context = &self.context;
        // SAFETY: the caller knows that the term is `as-array`; the interpretation is kept while it is read.
        unsafe {
            let decl = Z3_get_as_array_func_decl(context.raw, array.0).ok_or_else(|| context.failure())?;
            let function = Z3_model_get_func_interp(context.raw, self.raw, decl).ok_or_else(|| context.failure())?;
            Z3_func_interp_inc_ref(context.raw, function);
            let table = self.read_table(function);
            Z3_func_interp_dec_ref(context.raw, function);
            table
        }
    }

    fn read_table(&self, function: NonNull<_Z3_func_interp>) -> Result<Table, SmtError> {
        let context = &self.context;
        // SAFETY: the caller keeps the interpretation, which owns its entries.
        unsafe {
            let default = context.keep(Z3_func_interp_get_else(context.raw, function))?;
            let mut entries = Vec::new();
            for i in 0..Z3_func_interp_get_num_entries(context.raw, function) {
                let entry = Z3_func_interp_get_entry(context.raw, function, i).ok_or_else(|| context.failure())?;
                Z3_func_entry_inc_ref(context.raw, entry);
                let argument = context.keep(Z3_func_entry_get_arg(context.raw, entry, 0));
                let value = context.keep(Z3_func_entry_get_value(context.raw, entry));
                Z3_func_entry_dec_ref(context.raw, entry);
                entries.push((argument?, value?));
            }
            Ok(Table { entries, default })
        }
    }
}
