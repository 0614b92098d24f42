//! Functions without a body as the user wants them: others that stand for them, what they write through their arguments, which values
//! they return.

use crate::context::Lowerer;
use base::{Diagnostic, Name, Span};
use cfa::{Access, BinOp, ExprId, ExprKind as CfaKind, HavocSource, Op, Reach, Scalar};
use cfront::typed::{Expr, FunctionId};
use cfront::types::{Type, TypeId};
use syntax::ast::Quals;

/// What is taken for granted of enumerations.
const DECLARED: &str = "functions without a body return values that their enumerations declare";

impl<'u> Lowerer<'u> {
    /// Finds the functions that stand for others.
    pub fn prepare_replacements(&mut self) -> Result<(), Vec<Diagnostic>> {
        for (name, by) in self.environment.replaced.clone() {
            let functions = self.unit.functions;
            let Some((stand_in, _)) = functions.iter_enumerated().find(|(_, f)| f.body.is_some() && f.name == by)
            else {
                let help = "give the file that defines it";
                return Err(vec![wrong(&name, &by, "the program has no definition of the latter").help(help)]);
            };
            let known: Vec<FunctionId> = functions
                .iter_enumerated()
                .filter(|(id, f)| f.name == name && *id != stand_in)
                .map(|(id, _)| id)
                .collect();
            if known.is_empty() {
                return Err(vec![wrong(&name, &by, "the program does not mention the former").help("check its name")]);
            }
            for id in known {
                if !self.is_called_alike(id, stand_in) {
                    let help = "results and parameters have to be of the same types";
                    let message = "the latter can't be called as the former is";
                    let span = functions[stand_in].span;
                    return Err(vec![Diagnostic { span: Some(span), ..wrong(&name, &by, message) }.help(help)]);
                }
                self.replaced.insert(id, stand_in);
            }
            let text = format!("`{by}` does all that `{name}` may do");
            self.p.assumed.push((text.into(), functions[stand_in].span));
        }
        Ok(())
    }

    fn is_called_alike(&mut self, id: FunctionId, stand_in: FunctionId) -> bool {
        let is_open = |id: FunctionId| match self.unit.types.get(self.unit.functions[id].ty) {
            Type::Function(ty) => !ty.prototyped && self.unit.functions[id].body.is_none(),
            _ => true,
        };
        if is_open(id) {
            return true;
        }
        let (of, by) = (self.signature_of(id), self.signature_of(stand_in));
        self.ty_key(&of) == self.ty_key(&by)
    }

    /// What a function without a body may do to what its arguments lead to, where it may.
    pub fn write_through_arguments(&mut self, args: &'u [Expr], values: &[ExprId], span: Span) {
        if !self.environment.havoc_arguments {
            return;
        }
        for (arg, value) in args.iter().zip(values) {
            let Some(pointee) = self.unit.types.pointee(arg.ty) else { continue };
            let is_constant = self.unit.types.qualifiers(pointee).contains(Quals::CONST);
            if is_constant || matches!(self.unit.types.get(pointee), Type::Function(_)) {
                continue;
            }
            self.write_pointee(*value, arg, pointee, span);
        }
    }

    /// The object that a pointer leads to holds anything afterwards; of an object that is not known by name, a record, or all that lies behind
    /// the pointer.
    fn write_pointee(&mut self, value: ExprId, arg: &Expr, pointee: TypeId, span: Span) {
        let source = HavocSource::Environment;
        let dst = self.as_pointer(value);
        if let Some(len) = self.room_in_variable(dst) {
            if len > 0 && !self.is_read_only(dst) {
                self.emit(Op::MemHavoc { dst, len: Reach::Bytes(len), source }, span);
            }
            return;
        }
        let dst = self.stable(dst, span);
        let size = match self.unit.types.get(pointee) {
            Type::Record(_) => self.size(pointee),
            _ => None,
        };
        let least = self.size_constant(size.unwrap_or(1).max(1));
        let is_object = self.p.exprs.add(CfaKind::Valid(Access::Write, dst, least), Scalar::Bool);
        self.when(is_object, span, |this| match size {
            Some(0) => {}
            Some(len) => this.emit(Op::MemHavoc { dst, len: Reach::Bytes(len), source }, span),
            None => {
                let ty = this.usize_ty();
                let len = this.register(ty, "room", span);
                this.emit(Op::Havoc { dst: len, source }, span);
                let len = this.var(len);
                let fits = this.p.exprs.add(CfaKind::Valid(Access::Write, dst, len), Scalar::Bool);
                this.require(fits, span);
                this.written(dst, arg, Some(len), span);
            }
        });
    }

    fn is_read_only(&self, addr: ExprId) -> bool {
        matches!(self.p.exprs.kind(self.root(addr)), CfaKind::AddrOf(var) if self.p.vars[var].is_read_only())
    }

    /// A result that is of an enumeration is one of its values, where that is taken for granted.
    pub fn trust_enumeration(&mut self, value: ExprId, ty: TypeId, span: Span) {
        let Type::Enum(id) = self.unit.types.get(ty) else { return };
        let mut values: Vec<i128> = self.unit.types.enums[*id].enumerators.iter().map(|(_, value)| *value).collect();
        if !self.environment.declared_enums || values.is_empty() {
            return;
        }
        values.sort_unstable();
        values.dedup();
        let mut is_declared = self.zero(Scalar::Bool);
        for run in values.chunk_by(|a, b| a + 1 == *b) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let from = self.with_constant(BinOp::Ge, value, *first);
            let to = self.with_constant(BinOp::Le, value, *last);
            let within = self.binary(BinOp::And, from, to);
            is_declared = self.binary(BinOp::Or, is_declared, within);
        }
        self.require(is_declared, span);
        self.p.assumed.push((DECLARED.into(), span));
    }
}

fn wrong(name: &Name, by: &Name, what: &str) -> Diagnostic {
    Diagnostic::error("E0403", None, format!("--replace {name}={by}: {what}"))
}
