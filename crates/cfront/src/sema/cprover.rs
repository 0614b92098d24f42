//! Names that CBMC knows without a declaration: they begin with `__CPROVER_`.

use super::Sema;
use super::message::most_similar;
use crate::typed::{Expr, FunctionId};
use crate::types::TypeId;
use base::{Diagnostic, Span};
use syntax::ast::{self, Symbol};

/// What all of them begin with.
pub(super) const PREFIX: &str = "__CPROVER_";

/// Functions with a type, as in [`super::builtin`].
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str)] = &[
    ("DYNAMIC_OBJECT", "bP"), ("LIVE_OBJECT", "bP"), ("OBJECT_SIZE", "zP"), ("POINTER_OBJECT", "zP"),
    ("POINTER_OFFSET", "zP"), ("abs", "ii"), ("allocate", "Pzb"), ("allocated_memory", "vzz"), ("array_copy", "vPP"),
    ("array_equal", "bPP"), ("array_replace", "vPP"), ("array_set", "vP."), ("assert", "vbS"), ("assume", "vb"),
    ("atomic_begin", "v"), ("atomic_end", "v"), ("cover", "vb."), ("deallocate", "vP"), ("fabs", "dd"), ("fabsf", "ff"),
    ("fabsl", "DD"), ("havoc_object", "vP"), ("havoc_slice", "vPz"), ("inf", "d"), ("inff", "f"), ("infl", "D"),
    ("input", "vS."), ("isfinited", "bd"), ("isfinitef", "bf"), ("isfiniteld", "bD"), ("isgreaterd", "bdd"),
    ("isgreaterequald", "bdd"), ("isgreaterequalf", "bff"), ("isgreaterf", "bff"), ("isinfd", "bd"), ("isinff", "bf"),
    ("isinfld", "bD"), ("islessd", "bdd"), ("islessequald", "bdd"), ("islessequalf", "bff"), ("islessf", "bff"),
    ("islessgreaterd", "bdd"), ("islessgreaterf", "bff"), ("isnand", "bd"), ("isnanf", "bf"), ("isnanld", "bD"),
    ("isunorderedd", "bdd"), ("isunorderedf", "bff"), ("labs", "ll"), ("llabs", "xx"), ("output", "vS."),
    ("postcondition", "vbS"), ("precondition", "vbS"), ("printf", "vS."), ("same_object", "bPP"), ("signd", "bd"),
    ("signf", "bf"), ("signld", "bD"),
];

/// Names whose arguments have any type.
const GENERIC: &[(&str, Generic)] = &[
    ("r_ok", Generic::Access),
    ("w_ok", Generic::Access),
    ("rw_ok", Generic::Access),
    ("overflow_plus", Generic::Overflow),
    ("overflow_minus", Generic::Overflow),
    ("overflow_mult", Generic::Overflow),
    ("overflow_shl", Generic::Overflow),
    ("overflow_unary_minus", Generic::Negation),
    ("saturating_plus", Generic::Saturating),
    ("saturating_minus", Generic::Saturating),
    ("old", Generic::Old),
    ("loop_entry", Generic::LoopEntry),
    ("is_fresh", Generic::Fresh),
    ("pointer_in_range_dfcc", Generic::Range),
];

/// Names that programs declare themselves.
const DECLARED: &[&str] = &["uninterpreted_", "file_local_"];

/// How the arguments of a name are converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Generic {
    /// A pointer and a number of bytes, which is the size of what it points to where it is left out.
    Access,
    /// Two integers.
    Overflow,
    /// Two integers, in whose common type the result lies.
    Saturating,
    /// An integer.
    Negation,
    /// An expression, for its value at the call.
    Old,
    /// An expression, for its value before the loop.
    LoopEntry,
    /// A pointer and a number of bytes.
    Fresh,
    /// Three pointers.
    Range,
}

impl Generic {
    pub(super) fn least_arguments(self) -> usize {
        match self {
            Generic::Range => 3,
            Generic::Overflow | Generic::Saturating | Generic::Fresh => 2,
            Generic::Access | Generic::Negation | Generic::Old | Generic::LoopEntry => 1,
        }
    }
}

/// What a name without [`PREFIX`] means, if it takes arguments of any type.
pub(super) fn generic(name: &str) -> Option<Generic> {
    GENERIC.iter().find(|(known, _)| *known == name).map(|(_, generic)| *generic)
}

impl<'a> Sema<'a> {
    /// Whether the program uses names of the dialect, as far as it is known.
    pub(super) fn is_cprover(&self) -> bool {
        self.functions.iter().any(|f| f.name.starts_with(PREFIX))
    }

    /// The function of CBMC's that a name without a declaration means; `None`, with an error, if there is none.
    pub(super) fn cprover_function(&mut self, symbol: Symbol, span: Span) -> Option<FunctionId> {
        let names = self.names;
        let name = &names[symbol];
        let rest = &name[PREFIX.len()..];
        let known = FUNCTIONS.iter().find(|(known, _)| *known == rest).map(|(_, signature)| (*signature).to_owned());
        if known.is_none() && generic(rest).is_none() && !DECLARED.iter().any(|prefix| rest.starts_with(prefix)) {
            let all = FUNCTIONS.iter().map(|(known, _)| *known).chain(GENERIC.iter().map(|(known, _)| *known));
            let help = match most_similar(rest, all) {
                Some(similar) => format!("did you mean `{PREFIX}{similar}`?"),
                None => "the guide lists what Hone knows of CBMC's dialect".to_owned(),
            };
            let text = format!("`{name}` is not known");
            self.error(Diagnostic::error("E0201", span, text).label("not known to Hone").help(help));
        }
        Some(self.undeclared_function(symbol, known, span))
    }

    pub(super) fn cprover_call(&mut self, generic: Generic, symbol: Symbol, args: &'a [ast::Expr], span: Span) -> Expr {
        let bool_ty = self.common.bool;
        if matches!(generic, Generic::Old | Generic::LoopEntry) {
            return self.history(generic, symbol, &args[0], span);
        }
        let mut args: Vec<Expr> = args.iter().map(|arg| self.rvalue_expr(arg)).collect();
        if let Some(unknown) = args.iter().find(|arg| self.types.is_unsupported(arg.ty)) {
            return self.unsupported_operand(unknown, bool_ty, span);
        }
        let args = match generic {
            Generic::Access | Generic::Fresh => {
                // In a function, it makes that a predicate, which contracts may call.
                if generic == Generic::Fresh && !self.clause.is_open && self.func.is_none() {
                    return self.outside_of_clause(symbol, span);
                }
                let Some(pointee) = self.types.pointee(args[0].ty) else { return self.no_pointer(&args[0], symbol) };
                let size = self.types.size_of(self.machine, pointee).unwrap_or(1);
                let len = match args.len() {
                    1 => self.int_expr(i128::from(size), self.common.size, span),
                    _ => self.cast(args.swap_remove(1), self.common.size, span),
                };
                vec![args.swap_remove(0), len]
            }
            Generic::Range => {
                if let Some(other) = args.iter().find(|arg| self.types.pointee(arg.ty).is_none()) {
                    return self.no_pointer(other, symbol);
                }
                args
            }
            Generic::Overflow => {
                let b = args.swap_remove(1);
                let a = args.swap_remove(0);
                if !self.are_integers(&[a.ty, b.ty]) {
                    return self.unsupported("builtin", self.names[symbol].to_string(), bool_ty, span);
                }
                let (a, b, ty) = self.usual_conversions(a, b);
                vec![a, b, self.int_expr(0, ty, span)]
            }
            Generic::Saturating => {
                let b = args.swap_remove(1);
                let a = args.swap_remove(0);
                if !self.are_integers(&[a.ty, b.ty]) {
                    return self.unsupported("builtin", self.names[symbol].to_string(), a.ty, span);
                }
                let (a, b, ty) = self.usual_conversions(a, b);
                return self.generic_call(symbol, vec![a, b], ty, span);
            }
            Generic::Negation | Generic::Old | Generic::LoopEntry => {
                let a = self.promote(args.swap_remove(0));
                if !self.are_integers(&[a.ty]) {
                    return self.unsupported("builtin", self.names[symbol].to_string(), bool_ty, span);
                }
                let zero = self.int_expr(0, a.ty, span);
                vec![zero.clone(), a, zero]
            }
        };
        self.generic_call(symbol, args, bool_ty, span)
    }

    fn no_pointer(&mut self, e: &Expr, symbol: Symbol) -> Expr {
        let text = format!("`{}` needs a pointer", &self.names[symbol]);
        let label = self.types.display(e.ty);
        self.error_expr(Diagnostic::error("E0319", e.span, text).label(label))
    }

    fn are_integers(&self, types: &[TypeId]) -> bool {
        types.iter().all(|ty| self.types.is_integer(*ty))
    }
}
