//! Calls of builtins that have no prototype in C: type-generic ones, and those that are decided at compile time.

use super::Sema;
use super::convert::Target;
use super::cprover::{Generic, PREFIX, generic};
use crate::typed::{Callee, Expr, ExprKind};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, Symbol};
use syntax::machine_model::FloatKind;

/// Builtins with rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// `__builtin_constant_p`
    ConstantP,
    /// `__builtin_classify_type`
    ClassifyType,
    VaStart,
    VaEnd,
    VaCopy,
    /// `__sync_…`, `__atomic_…`: result and parameters, see [`Sema::atomic_call`].
    Atomic(&'static str),
    /// `__builtin_add_overflow (a, b, &c)`
    Overflow,
    /// `__builtin_isnan` and the like: any floating argument, result `int`.
    FloatTest,
    /// `__builtin_isless` and the like.
    FloatCompare,
    /// `__builtin_fpclassify`
    FpClassify,
    /// The result has the type of the first argument.
    Identity,
    /// `__builtin_va_arg_pack`, `__builtin_va_arg_pack_len`: only in functions that are always inlined.
    ArgPack,
    Line,
    File,
    FunctionName,
    Unsupported,
    /// A name of CBMC's that takes arguments of any type.
    Cprover(Generic),
}

/// The builtin of this name, if it has rules of its own.
pub(super) fn special(name: &str) -> Option<Special> {
    if let Some(rest) = name.strip_prefix(PREFIX) {
        return generic(rest).map(Special::Cprover);
    }
    if let Some(rest) = name.strip_prefix("__sync_") {
        return sync(rest).map(Special::Atomic);
    }
    if let Some(rest) = name.strip_prefix("__atomic_") {
        return atomic(rest).map(Special::Atomic);
    }
    Some(match name.strip_prefix("__builtin_")? {
        "constant_p" => Special::ConstantP,
        "classify_type" => Special::ClassifyType,
        "va_start" | "stdarg_start" => Special::VaStart,
        "va_end" => Special::VaEnd,
        "va_copy" => Special::VaCopy,
        "add_overflow" | "sub_overflow" | "mul_overflow" => Special::Overflow,
        "add_overflow_p" | "sub_overflow_p" | "mul_overflow_p" => Special::Overflow,
        "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "finite" | "issignaling" => {
            Special::FloatTest
        }
        "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" => {
            Special::FloatCompare
        }
        "fpclassify" => Special::FpClassify,
        "speculation_safe_value" => Special::Identity,
        "va_arg_pack" | "va_arg_pack_len" => Special::ArgPack,
        "LINE" => Special::Line,
        "FILE" => Special::File,
        "FUNCTION" => Special::FunctionName,
        "apply"
        | "apply_args"
        | "return"
        | "shuffle"
        | "shufflevector"
        | "convertvector"
        | "complex"
        | "tgmath"
        | "next_arg"
        | "saveregs"
        | "nonlocal_goto"
        | "call_with_static_chain" => Special::Unsupported,
        _ => return None,
    })
}

fn sync(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    Some(match name {
        "bool_compare_and_swap" => "b:pvv",
        "val_compare_and_swap" => "v:pvv",
        "lock_test_and_set" => "v:pv",
        "lock_release" => "0:p",
        "synchronize" => "0:",
        _ if name.starts_with("fetch_and_") || name.ends_with("_and_fetch") => "v:pv",
        _ => return None,
    })
}

fn atomic(name: &str) -> Option<&'static str> {
    let is_sized = name.ends_with(|c: char| c.is_ascii_digit());
    Some(match name {
        "load_n" => "v:po",
        "load" => "0:pqo",
        "store_n" => "0:pvo",
        "store" => "0:pqo",
        "exchange_n" => "v:pvo",
        "exchange" => "0:pqqo",
        "compare_exchange_n" => "b:pqvboo",
        "compare_exchange" => "b:pqqboo",
        "test_and_set" => "b:qo",
        "clear" => "0:qo",
        "thread_fence" | "signal_fence" => "0:o",
        "always_lock_free" | "is_lock_free" => "b:zq",
        _ if is_sized => return None,
        _ if name.starts_with("fetch_") || name.ends_with("_fetch") => "v:pvo",
        _ => return None,
    })
}

impl<'a> Sema<'a> {
    pub(super) fn special_call(&mut self, special: Special, symbol: Symbol, call: &'a ast::Call, span: Span) -> Expr {
        let args = call.args.as_slice();
        let int = self.common.int;
        let at_least = match special {
            Special::ConstantP | Special::ClassifyType | Special::Identity => 1,
            Special::FloatTest | Special::VaStart | Special::VaEnd => 1,
            Special::Cprover(generic) => generic.least_arguments(),
            Special::VaCopy | Special::FloatCompare => 2,
            Special::Overflow => 3,
            Special::FpClassify => 6,
            _ => 0,
        };
        if args.len() < at_least {
            let text = format!("too few arguments to function `{}`", &self.names[symbol]);
            let label = format!("expected {at_least}, found {}", args.len());
            return self.error_expr(Diagnostic::error("E0330", span, text).label(label));
        }
        match special {
            Special::ConstantP => {
                let e = self.type_only(|s| s.rvalue_expr(&args[0]));
                self.int_expr(i128::from(self.is_known(&e)), int, span)
            }
            Special::ClassifyType => {
                let e = self.type_only(|s| s.rvalue_expr(&args[0]));
                self.int_expr(self.type_class(e.ty), int, span)
            }
            Special::VaStart | Special::VaEnd | Special::VaCopy => self.va_call(symbol, &args[..at_least], span),
            Special::Atomic(signature) => self.atomic_call(signature, symbol, args, span),
            Special::Overflow => {
                let bool_ty = self.common.bool;
                let args = args.iter().map(|arg| self.rvalue_expr(arg)).collect();
                self.generic_call(symbol, args, bool_ty, span)
            }
            Special::FloatTest => {
                let arg = self.float_argument(&args[0]);
                self.generic_call(symbol, vec![arg], int, span)
            }
            Special::FloatCompare => {
                let (a, b) = (self.float_argument(&args[0]), self.float_argument(&args[1]));
                if self.types.is_unsupported(a.ty) || self.types.is_unsupported(b.ty) {
                    return self.unsupported_operand(&a, int, span);
                }
                let (a, b, _) = self.usual_conversions(a, b);
                self.generic_call(symbol, vec![a, b], int, span)
            }
            Special::FpClassify => self.fp_classify(symbol, args, span),
            Special::Identity => {
                let converted: Vec<Expr> = args.iter().map(|arg| self.rvalue_expr(arg)).collect();
                let ty = converted[0].ty;
                self.generic_call(symbol, converted, ty, span)
            }
            Special::Cprover(generic) => self.cprover_call(generic, symbol, args, span),
            Special::ArgPack => {
                if let Some(func) = &mut self.func {
                    func.uses_arg_pack = true;
                }
                self.unsupported("builtin", self.names[symbol].to_string(), int, span)
            }
            Special::Line => {
                let line = self.source.place(span.lo).map_or(0, |p| p.line);
                self.int_expr(i128::from(line), int, span)
            }
            Special::File => {
                let file = self.source.place(span.lo).map(|p| p.file.to_string()).unwrap_or_default();
                let text = self.text_expr(&file, span);
                self.rvalue(text)
            }
            Special::FunctionName => {
                let name = self.func.as_ref().map(|f| self.functions[f.id].name.to_string()).unwrap_or_default();
                let text = self.text_expr(&name, span);
                self.rvalue(text)
            }
            Special::Unsupported => {
                for arg in args {
                    self.rvalue_expr(arg);
                }
                self.unsupported("builtin", self.names[symbol].to_string(), self.common.error, span)
            }
        }
    }

    /// Five numbers for the classes, and the float that is classified.
    fn fp_classify(&mut self, symbol: Symbol, args: &'a [ast::Expr], span: Span) -> Expr {
        let int = self.common.int;
        let mut converted = Vec::with_capacity(6);
        for (i, arg) in args[..5].iter().enumerate() {
            let arg = self.rvalue_expr(arg);
            converted.push(self.assign_convert(arg, int, Target::Argument(i + 1)));
        }
        converted.push(self.float_argument(&args[5]));
        self.generic_call(symbol, converted, int, span)
    }

    /// A call of a builtin without type.
    pub(super) fn generic_call(&mut self, symbol: Symbol, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
        let id = self.implicit_function(symbol, span);
        self.call_node(Callee::Direct(id), args, ty, span)
    }

    /// GCC's `enum type_class`.
    fn type_class(&self, ty: TypeId) -> i128 {
        match self.types.get(ty) {
            Type::Void => 0,
            Type::Int(_) | Type::Enum(_) | Type::Bool => 1,
            Type::Pointer(_) | Type::Array(..) => 5,
            Type::Float(_) => 8,
            Type::Function(_) => 10,
            Type::Record(id) if self.types.records[*id].is_union => 13,
            Type::Record(_) | Type::VaList => 12,
            Type::Unsupported(_) => 9,
        }
    }

    /// `va_start`, `va_end` and `va_copy`.
    fn va_call(&mut self, symbol: Symbol, args: &'a [ast::Expr], span: Span) -> Expr {
        let void = self.common.void;
        let mut converted = Vec::with_capacity(2);
        for (i, arg) in args.iter().enumerate() {
            let e = self.expr(arg);
            let Some(list) = self.va_list_lvalue(e) else {
                return self.unsupported("builtin", self.names[symbol].to_string(), void, span);
            };
            converted.push(match i {
                0 => {
                    let ty = self.types.intern(Type::Pointer(list.ty));
                    Expr { kind: ExprKind::AddrOf(Box::new(list)), ty, span: arg.span }
                }
                _ => self.rvalue(list),
            });
        }
        self.generic_call(symbol, converted, void, span)
    }

    /// A rvalue of floating type; integers become `double`.
    fn float_argument(&mut self, arg: &'a ast::Expr) -> Expr {
        let e = self.rvalue_expr(arg);
        let double = self.common.double;
        match self.types.get(e.ty) {
            Type::Float(FloatKind::Float16) => self.cast(e, self.common.float, arg.span),
            Type::Float(_) => e,
            _ => self.assign_convert(e, double, Target::Argument(1)),
        }
    }

    /// A signature is the result, a colon and the parameters: `p` pointer to the object, whose type is `T`; `v` value
    /// of type
    /// `T`; `q` another pointer; `o` memory order; `b` boolean; `z` size. Results: `v`, `b`, and `0` for `void`.
    fn atomic_call(&mut self, signature: &str, symbol: Symbol, args: &'a [ast::Expr], span: Span) -> Expr {
        let (ret, params) = signature.split_once(':').unwrap_or(("0", ""));
        if args.len() < params.len() {
            let text = format!("too few arguments to function `{}`", &self.names[symbol]);
            let label = format!("expected {}, found {}", params.len(), args.len());
            return self.error_expr(Diagnostic::error("E0330", span, text).label(label));
        }
        let mut object = self.common.int;
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let e = self.rvalue_expr(arg);
            let target = Target::Argument(i + 1);
            converted.push(match params.as_bytes().get(i) {
                Some(b'p') => match self.types.pointee(e.ty) {
                    Some(ty) if self.types.is_scalar(ty) || matches!(self.types.get(ty), Type::Record(_)) => {
                        object = ty;
                        e
                    }
                    _ => return self.unsupported("builtin", self.names[symbol].to_string(), object, span),
                },
                Some(b'v') if self.types.is_scalar(object) => self.explicit_cast(e, object, arg.span),
                Some(b'v') => self.assign_convert(e, object, target),
                Some(b'o') => self.assign_convert(e, self.common.int, target),
                Some(b'b') => self.assign_convert(e, self.common.bool, target),
                Some(b'z') => self.assign_convert(e, self.common.size, target),
                Some(_) => e,
                // GNU: further arguments name what is protected.
                None => self.variadic_argument(e),
            });
        }
        let ret = match ret {
            "v" => object,
            "b" => self.common.bool,
            _ => self.common.void,
        };
        self.generic_call(symbol, converted, ret, span)
    }
}
