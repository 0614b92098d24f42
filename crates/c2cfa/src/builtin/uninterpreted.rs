//! Functions of CBMC's dialect of which only one thing is known: equal arguments give equal results.

use crate::call::Want;
use crate::context::{Lowerer, Remembered};
use base::{Name, Span};
use cfa::{BinOp, ExprId, FuncId, HavocSource, Init, Op, Reach, Scalar, Storage, Var, VarKind};
use cfront::typed::{Expr, FunctionId};

/// What such functions are called.
const PREFIX: &str = "__CPROVER_uninterpreted_";
/// Functions of one argument of so few bits are tables.
const TABLE_BITS: u16 = 8;
/// Calls of others with more different arguments are not modelled.
const REMEMBERED: usize = 8;

impl<'u> Lowerer<'u> {
    /// Whether a function is one of these.
    pub fn is_uninterpreted(&self, f: FunctionId) -> bool {
        self.unit.functions[f].body.is_none() && self.unit.functions[f].name.starts_with(PREFIX)
    }

    /// Calls such a function: with the arguments of a call before, it returns what it did then; with others, any value.
    pub fn uninterpreted(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let mut values = self.values(args);
        let Some(ty) = self.scalar(e.ty) else {
            self.unsupported("uninterpreted function", &*self.unit.functions[f].name, e.span);
            return None;
        };
        let func = self.func(f);
        let types: Vec<Scalar> = values.iter().map(|value| self.ty(*value)).collect();
        let calls = self.remembered(func, &types, ty);
        // Without a prototype, calls may differ in what they pass.
        if calls[0].args.len() != values.len() {
            self.unsupported("uninterpreted function", &*self.unit.functions[f].name, e.span);
            return None;
        }
        for (value, arg) in values.iter_mut().zip(&calls[0].args) {
            let ty = self.p.vars[*arg].register().unwrap_or(Scalar::INT);
            *value = self.convert(*value, ty);
            *value = self.stable(*value, e.span);
        }
        if let ([index], [Scalar::Int { bits: ..=TABLE_BITS, .. } | Scalar::Bool]) = (&values[..], &types[..])
            && let Some(value) = self.table_entry(func, *index, ty, e)
        {
            return self.normalised(Some(value), e);
        }
        let dst = if self.is_bool(e.ty) { self.temp(ty, e.span) } else { self.result_register(ty, want, e.span) };
        let end = self.node();
        for call in calls {
            let (used, unused, next) = (self.node(), self.node(), self.node());
            let is_used = self.var(call.is_used);
            let is_used = self.truth(is_used);
            self.branch_on(is_used, used, unused, e.span);
            self.enter(unused);
            let one = self.constant(1, Scalar::INT);
            self.assign(call.is_used, one, e.span);
            for (arg, value) in call.args.iter().zip(&values) {
                self.assign(*arg, *value, e.span);
            }
            self.emit(Op::CallExtern { func, args: values.clone().into(), dst: Some(call.result) }, e.span);
            let result = self.var(call.result);
            self.assign(dst, result, e.span);
            self.goto(end, e.span);

            self.enter(used);
            let mut same = self.constant(1, Scalar::Bool);
            for (arg, value) in call.args.iter().zip(&values) {
                let arg = self.var(*arg);
                let equal = self.binary(BinOp::Eq, arg, *value);
                same = self.binary(BinOp::And, same, equal);
            }
            let known = self.node();
            self.branch_on(same, known, next, e.span);
            self.enter(known);
            let result = self.var(call.result);
            self.assign(dst, result, e.span);
            self.goto(end, e.span);
            self.enter(next);
        }
        let detail = format!("{} called with more than {REMEMBERED} different arguments", self.unit.functions[f].name);
        self.unsupported("uninterpreted function", detail, e.span);
        self.enter(end);
        let value = self.var(dst);
        self.normalised(Some(value), e)
    }

    /// A result from a table of arbitrary ones, which is made when the function is called for the first time.
    fn table_entry(&mut self, func: FuncId, index: ExprId, ty: Scalar, e: &'u Expr) -> Option<ExprId> {
        let bytes = u64::from(ty.access_bytes(self.pointer_bits));
        let size = bytes << TABLE_BITS;
        let table = match self.tables.get(&func) {
            Some(table) => *table,
            None => {
                let name: Name = self.p.functions[func].name.clone();
                let variable = self.new_var(Var {
                    name: format!("{name}::results").into(),
                    func: None,
                    storage: Storage::Memory { size, align: 16 },
                    kind: VarKind::Temp,
                    ctype: self.void_ctype,
                    init: Some(Box::new(Init::default())),
                    span: Span::NONE,
                });
                let is_made = self.hidden_counter(&format!("{name}::is_made"), Scalar::INT);
                self.tables.insert(func, (variable, is_made));
                (variable, is_made)
            }
        };
        let (variable, is_made) = table;
        let start = self.addr_of(variable);
        let made = self.var(is_made);
        let is_new = self.with_constant(BinOp::Eq, made, 0);
        self.when(is_new, e.span, |this| {
            this.emit(Op::MemHavoc { dst: start, len: Reach::Bytes(size), source: HavocSource::Environment }, e.span);
            let one = this.constant(1, Scalar::INT);
            this.assign(is_made, one, e.span);
        });
        let byte = self.cast(index, Scalar::Int { bits: TABLE_BITS, signed: false });
        let index = self.cast(byte, self.usize_ty());
        let offset = self.with_constant(BinOp::Mul, index, i128::from(bytes));
        let address = self.ptr_add(start, offset);
        let value = self.load(address, ty);
        Some(self.stable(value, e.span))
    }

    fn remembered(&mut self, func: FuncId, types: &[Scalar], ty: Scalar) -> Vec<Remembered> {
        if let Some(known) = self.uninterpreted.get(&func) {
            return known.clone();
        }
        let name: Name = self.p.functions[func].name.clone();
        let call = |this: &mut Self, i: usize| Remembered {
            is_used: this.hidden_counter(&format!("{name}::{i}"), Scalar::INT),
            args: types.iter().map(|ty| this.hidden_counter(&format!("{name}::{i}::argument"), *ty)).collect(),
            result: this.hidden_counter(&format!("{name}::{i}::result"), ty),
        };
        let calls: Vec<Remembered> = (0..REMEMBERED).map(|i| call(self, i)).collect();
        self.uninterpreted.insert(func, calls.clone());
        calls
    }
}
