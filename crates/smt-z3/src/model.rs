//! Reads values out of Z3's models.

use crate::ffi::{Ast, ModelRef};
use crate::translate::Read;
use rustc_hash::FxHashSet;
use smt::value::mask;
use smt::{ArrayValue, Assignment, SmtError, Sort, TermId, Terms, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values of all variables that the model lists, and of arrays at the elements that were read.
pub(crate) fn assignment(
    model: &ModelRef,
    terms: &Terms,
    var_reads: &BTreeMap<TermId, Vec<Read>>,
) -> Result<Assignment, SmtError> {
    let mut values = Assignment::default();
    for (number, ast) in model.constants()? {
        let var = TermId::from_index(number as usize);
        values.insert(var, value(model, terms.sort(var), ast)?);
    }
    for (&var, reads) in var_reads {
        let sort = terms.sort(var);
        let Sort::Array { elem, .. } = sort else { continue };
        let elem = Sort::from(elem);
        let mut array = ArrayValue { sort, default: Value::default_of(elem), elems: BTreeMap::new() };
        for read in reads {
            let (index, element) = (model.eval(read.index_ast)?, model.eval(read.value)?);
            let index = bits(model, index).ok_or_else(|| unreadable(model, sort, index))?;
            array.set(index, value(model, elem, element)?);
        }
        values.insert(var, Value::Array(Arc::new(array)));
    }
    Ok(values)
}

fn unreadable(model: &ModelRef, sort: Sort, ast: Ast) -> SmtError {
    SmtError::Backend(format!("unexpected value of sort {sort} in a model: {}", model.context().show(ast)))
}

fn value(model: &ModelRef, sort: Sort, ast: Ast) -> Result<Value, SmtError> {
    let context = model.context();
    match sort {
        Sort::Bool => context.bool_value(ast).map(Value::Bool).ok_or_else(|| unreadable(model, sort, ast)),
        Sort::BitVec(width) => {
            Ok(Value::Bv { width, value: bits(model, ast).ok_or_else(|| unreadable(model, sort, ast))? })
        }
        Sort::Float(format) => {
            if context.is_nan(ast) {
                return Ok(Value::Float { sort: format, bits: format.nan() });
            }
            let as_bits = context.unary(z3_sys::Z3_mk_fpa_to_ieee_bv, ast)?;
            let as_bits = context.simplify(as_bits)?;
            let bits = bits(model, as_bits).ok_or_else(|| unreadable(model, sort, ast))?;
            Ok(Value::Float { sort: format, bits: format.canonical(bits) })
        }
        Sort::Int => {
            let digits = context.number_value(ast).ok_or_else(|| unreadable(model, sort, ast))?;
            digits.parse().map(Value::Int).map_err(|_| unreadable(model, sort, ast))
        }
        Sort::Array { elem, .. } => array(model, sort, elem.into(), ast),
    }
}

fn bits(model: &ModelRef, ast: Ast) -> Option<u128> {
    model.context().number_value(ast)?.parse().ok()
}

fn array(model: &ModelRef, sort: Sort, elem: Sort, mut ast: Ast) -> Result<Value, SmtError> {
    let context = model.context();
    let mut writes = Vec::new();
    loop {
        let Some((name, args)) = context.application(ast)? else {
            writes.extend(lambda(model, sort, ast)?);
            let Some((_, default)) = writes.pop() else { return Err(unreadable(model, sort, ast)) };
            return finish(model, sort, elem, default, writes);
        };
        let default = match (name.as_str(), args.as_slice()) {
            ("store", &[below, index, value]) => {
                writes.push((index, value));
                ast = below;
                continue;
            }
            ("const", &[default]) => default,
            ("as-array", []) => {
                let table = model.table(ast)?;
                // Below the stores that were met so far.
                writes.extend(table.entries);
                table.default
            }
            _ => return Err(unreadable(model, sort, ast)),
        };
        return finish(model, sort, elem, default, writes);
    }
}

/// The array with a default and writes, of which earlier ones win.
fn finish(model: &ModelRef, sort: Sort, elem: Sort, default: Ast, writes: Vec<(Ast, Ast)>) -> Result<Value, SmtError> {
    let default = value(model, elem, default)?;
    let mut array = ArrayValue { sort, default, elems: BTreeMap::new() };
    for &(index, element) in writes.iter().rev() {
        let index = bits(model, index).ok_or_else(|| unreadable(model, sort, index))?;
        array.set(index, value(model, elem, element)?);
    }
    Ok(Value::Array(Arc::new(array)))
}

/// Indices and elements of an array that is given by a lambda term; last, some index and the default.
///
/// Such terms come from function tables: they compare the index with constants, so it is enough to evaluate them at these
/// constants and at one other index.
fn lambda(model: &ModelRef, sort: Sort, ast: Ast) -> Result<Vec<(Ast, Ast)>, SmtError> {
    let context = model.context();
    let Sort::Array { index: width, .. } = sort else { return Err(unreadable(model, sort, ast)) };
    let body = context.lambda_body(ast)?.ok_or_else(|| unreadable(model, sort, ast))?;
    let mut constants = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![body];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match bits(model, t) {
            Some(constant) => drop(constants.insert(constant & mask(width))),
            None => stack.extend(context.application(t)?.into_iter().flat_map(|(_, args)| args)),
        }
    }
    let other = (0..=mask(width)).find(|i| !constants.contains(i)).unwrap_or(0);
    let index_sort = context.bv_sort(width)?;
    constants
        .into_iter()
        .chain([other])
        .map(|i| {
            let index = context.number(i, index_sort)?;
            let element = context.binary(z3_sys::Z3_mk_select, ast, index)?;
            Ok((index, model.eval(element)?))
        })
        .collect()
}
