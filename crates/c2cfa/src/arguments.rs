//! Arguments of the program: an object of pointers to strings outside of it, with a null pointer behind them (C11, 5.1.2.2.1).
//!
//! The object may hold anything at first: what is known of a pointer to a string is said where one is read. So there is no loop over the
//! arguments, whose number is arbitrary. Programs that may write such pointers through others, so that what is read may be another one,
//! are told nothing.

use crate::context::{Arguments, Lowerer};
use base::Span;
use cfa::layout::ALLOCATED;
use cfa::{AllocKind, BinOp, ExprId, Op, Scalar};
use cfront::typed::{Expr, ExprKind, FunctionId};
use cfront::types::{Type, TypeId};

/// Functions of the system that leave the strings alone which they are given.
const KEEPS_STRINGS: &str =
    "execv execve execvp execvpe getopt getopt_long getopt_long_only posix_spawn posix_spawnp wordfree";

/// Most arguments: systems have room for a few megabytes of pointers and text.
const MOST: i128 = 1 << 20;

impl<'u> Lowerer<'u> {
    /// Notes that the entry function is given arguments.
    pub fn note_arguments_of_main(&mut self) {
        let arguments = Arguments {
            first: self.hidden_counter("first argument", Scalar::Ptr),
            end: self.hidden_counter("end of arguments", Scalar::Ptr),
            are_given: self.hidden_counter("arguments are given", Scalar::Bool),
        };
        self.arguments = Some(arguments);
    }

    /// Says, once all is lowered, whether the arguments stay as they are.
    pub fn settle_arguments(&mut self, span: Span) {
        let mut records = self.unit.types.records.iter();
        let is_in_union = records.any(|record| {
            let mut fields = record.layout.iter().filter(|_| record.is_union).flat_map(|layout| &layout.fields);
            fields.any(|field| self.leads_to_strings(field.ty))
        });
        if let Some(arguments) = self.arguments
            && !self.may_change_arguments
            && !is_in_union
            && !self.environment.havoc_arguments
        {
            let yes = self.value(cfa::Value(1), Scalar::Bool);
            self.assign(arguments.are_given, yes, span);
        }
    }

    /// The object of so many arguments, for a parameter of this name and type.
    pub fn argument_vector(&mut self, count: ExprId, (name, ty): (&str, TypeId), span: Span) -> Option<ExprId> {
        let arguments = self.arguments.filter(|_| self.ty(count).is_int() && self.leads_to_strings(ty))?;
        let word = u64::from(self.pointer_bits / 8);
        let fits = self.with_constant(BinOp::Le, count, MOST);
        self.require(fits, span);
        let usize_ty = self.usize_ty();
        let count = self.cast(count, usize_ty);
        let bytes = self.with_constant(BinOp::Mul, count, i128::from(word));
        let size = self.with_constant(BinOp::Add, bytes, i128::from(word));
        let vector = self.pointer_register(name, ty, span);
        self.emit(Op::Alloc { dst: vector, size, align: ALLOCATED, kind: AllocKind::Stack }, span);
        let vector = self.var(vector);
        self.assign(arguments.first, vector, span);
        let end = self.ptr_add(vector, bytes);
        self.assign(arguments.end, end, span);
        // The name of the program; that it is written says where the others lead, too.
        let string = self.unit.types.pointee(ty)?;
        let program = self.pointer_register("program", string, span);
        self.external_pointer(program, &format!("{name}[0]"), string, span);
        let program = self.var(program);
        let is_outside = self.is_outside(program);
        self.require(is_outside, span);
        self.store(vector, program, span);
        Some(vector)
    }

    /// Whether an lvalue may be one of the arguments.
    pub fn may_be_argument(&self, lvalue: &Expr) -> bool {
        self.arguments.is_some() && !self.f.is_library && self.is_string_behind_pointer(lvalue)
    }

    /// The value read at an address: a pointer to a string if that is one of the arguments, null behind them.
    pub fn trust_argument(&mut self, addr: ExprId, value: ExprId, span: Span) -> ExprId {
        let Some(Arguments { first, end, are_given }) = self.arguments else { return value };
        let (first, end, are_given) = (self.var(first), self.var(end), self.var(are_given));
        let addr = self.stable(addr, span);
        let value = self.stable(value, span);
        let from = self.binary(BinOp::Ge, addr, first);
        let to = self.binary(BinOp::Lt, addr, end);
        let is_inside = self.binary(BinOp::And, from, to);
        let is_behind = self.binary(BinOp::Eq, addr, end);
        let is_outside = self.is_outside(value);
        let (is_other, is_set) = (self.not(is_outside), self.truth(value));
        let is_no_string = self.binary(BinOp::And, is_inside, is_other);
        let is_no_end = self.binary(BinOp::And, is_behind, is_set);
        let is_wrong = self.binary(BinOp::Or, is_no_string, is_no_end);
        let is_wrong = self.binary(BinOp::And, are_given, is_wrong);
        let is_right = self.not(is_wrong);
        // Nothing that the text says: no step of a run.
        self.require(is_right, Span::NONE);
        value
    }

    /// Notes a write that may change arguments.
    pub fn note_written(&mut self, lvalue: &Expr) {
        self.may_change_arguments |= !self.f.is_library && self.is_string_behind_pointer(lvalue);
    }

    /// Notes a call of a function that is not the program's own, and may write where its arguments lead; often, that is a variable.
    pub fn note_passed(&mut self, function: FunctionId, args: &[Expr]) {
        let function = &self.unit.functions[function];
        let keeps_strings = cfa::library::is_among(KEEPS_STRINGS, &function.name);
        if self.arguments.is_none() || self.f.is_library || keeps_strings {
            return;
        }
        let leads_there = |arg: &Expr| {
            let mut value = arg;
            while let ExprKind::Cast(inner) = &value.kind {
                value = inner;
            }
            let is_elsewhere = match &value.kind {
                ExprKind::AddrOf(of) => matches!(of.kind, ExprKind::Var(_)),
                ExprKind::Int(_) => true,
                _ => false,
            };
            self.leads_to_strings(arg.ty) && !is_elsewhere
        };
        self.may_change_arguments |= args.iter().any(leads_there);
    }

    /// Notes that a function that is not the program's own may be called through a pointer.
    pub fn note_taken(&mut self, function: FunctionId) {
        let function = &self.unit.functions[function];
        if self.arguments.is_some()
            && function.body.is_none()
            && let Type::Function(ty) = self.unit.types.get(function.ty)
        {
            self.may_change_arguments |= ty.params.iter().any(|param| self.leads_to_strings(*param));
        }
    }

    /// Notes a conversion behind which arguments may be written as something else.
    pub fn note_converted(&mut self, from: TypeId, to: TypeId) {
        if self.arguments.is_some() && !self.may_change_arguments && self.leads_to_strings(from) {
            let is_pointer = matches!(self.unit.types.get(to), Type::Pointer(_));
            self.may_change_arguments |= is_pointer && !self.is_same_pointer(from, to);
        }
    }

    /// Whether this is `*p` or `p[i]`, a pointer to characters; of arrays it is known that they are no arguments.
    fn is_string_behind_pointer(&self, lvalue: &Expr) -> bool {
        let ExprKind::Deref(pointer) = &lvalue.kind else { return false };
        let mut pointer = &**pointer;
        while let ExprKind::PtrAdd { ptr, .. } = &pointer.kind {
            pointer = ptr;
        }
        self.is_string(lvalue.ty) && !matches!(pointer.kind, ExprKind::Decay(_))
    }

    fn is_string(&self, ty: TypeId) -> bool {
        self.unit
            .types
            .pointee(ty)
            .is_some_and(|to| matches!(self.unit.types.get(to), Type::Int(_)) && self.size(to) == Some(1))
    }

    /// Whether a type is that of arguments, or of pointers to such.
    fn leads_to_strings(&self, ty: TypeId) -> bool {
        let Some(mut to) = self.unit.types.pointee(ty) else { return false };
        while !self.is_string(to) {
            match self.unit.types.pointee(to) {
                Some(next) => to = next,
                None => return false,
            }
        }
        true
    }

    /// Whether two types are pointers to the same but for qualifiers and the sign of characters.
    fn is_same_pointer(&self, a: TypeId, b: TypeId) -> bool {
        match (self.unit.types.pointee(a), self.unit.types.pointee(b)) {
            (Some(a), Some(b)) => self.is_same_pointer(a, b),
            (None, None) => {
                let is_char = |ty| matches!(self.unit.types.get(ty), Type::Int(_)) && self.size(ty) == Some(1);
                is_char(a) && is_char(b)
            }
            _ => false,
        }
    }
}
