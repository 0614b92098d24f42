//! The operations of a function as bytes without ids: equal bytes mean that the functions do the same, place by place.
//!
//! Places are named by [`Names`]; an expression is written where it occurs first and counted from then on. Positions in the source are no
//! content. Addresses of functions are numbers in a run, so they are.

use crate::expr::{ExprId, ExprKind};
use crate::layout::function_address;
use crate::names::Names;
use crate::op::Op;
use crate::program::{FuncId, Program, VarId};
use crate::value::Scalar;
use base::bytes::Writer;
use rustc_hash::FxHashMap;

/// Writes a function.
pub fn write_function(w: &mut Writer, program: &Program, names: &Names, func: FuncId) {
    let function = &program.functions[func];
    w.text(&function.name);
    let mut this = Content { w, program, names, known: FxHashMap::default() };
    for var in function.params.iter().chain(&function.ret) {
        this.var(*var);
    }
    this.w.text(&format!("{}, {}", function.params.len(), function.ret.is_some()));
    if let Some(body) = function.body {
        this.w.number(names.rank(body.entry));
        this.w.number(names.rank(body.exit));
    }
    for var in names.vars(func) {
        let var = &program.vars[*var];
        this.w.text(&format!("{:?}", var.storage));
    }
    for loc in names.locs(func) {
        let loc = &program.locs[*loc];
        this.w.index(loc.labels.len());
        loc.labels.iter().for_each(|label| this.w.text(label));
        this.w.index(loc.out.len());
        for edge in &loc.out {
            let edge = &program.edges[*edge];
            this.w.number(names.rank(edge.dst));
            this.op(&edge.op);
        }
    }
}

/// Calls `f` for each global variable that a function mentions, and perhaps several times.
pub fn for_each_global(program: &Program, names: &Names, func: FuncId, mut f: impl FnMut(VarId)) {
    for edge in names.edges(func) {
        let op = &program.edges[*edge].op;
        op.assigned().into_iter().for_each(&mut f);
        op.for_each_expr(|root| {
            program.exprs.walk(root, |_, expr| {
                if let ExprKind::Var(var) | ExprKind::AddrOf(var) = expr.kind
                    && program.vars[var].is_global()
                {
                    f(var);
                }
            });
        });
    }
}

struct Content<'a> {
    w: &'a mut Writer,
    program: &'a Program,
    names: &'a Names,
    known: FxHashMap<ExprId, u32>,
}

impl Content<'_> {
    fn var(&mut self, var: VarId) {
        self.names.write_var(self.w, self.program, var);
    }

    fn maybe_var(&mut self, var: Option<VarId>) {
        self.w.number(u8::from(var.is_some()));
        if let Some(var) = var {
            self.var(var);
        }
    }

    fn func(&mut self, func: FuncId) {
        let function = &self.program.functions[func];
        self.w.text(&function.name);
        self.w.text(&format!("{} {} {}", function.body.is_some(), function.params.len(), function.ret.is_some()));
    }

    fn op(&mut self, op: &Op) {
        let tag = match op {
            Op::Skip => 0u8,
            Op::Assign { .. } => 1,
            Op::Havoc { .. } => 2,
            Op::Assume { .. } => 3,
            Op::Store { .. } => 4,
            Op::MemCopy { .. } => 5,
            Op::MemSet { .. } => 6,
            Op::MemHavoc { .. } => 7,
            Op::Alloc { .. } => 8,
            Op::Realloc { .. } => 9,
            Op::Free { .. } => 10,
            Op::Declare { .. } => 11,
            Op::EndScope { .. } => 12,
            Op::Call { .. } => 13,
            Op::CallPtr { .. } => 14,
            Op::CallExtern { .. } => 15,
            Op::Undefined(_) => 16,
            Op::Halt => 17,
            Op::Unsupported(_) => 18,
            Op::Repeat(_) => 19,
        };
        self.w.number(tag);
        self.maybe_var(op.assigned());
        let mut exprs = Vec::new();
        op.for_each_expr(|expr| exprs.push(expr));
        self.w.index(exprs.len());
        exprs.into_iter().for_each(|expr| self.expr(expr));
        match op {
            Op::Assume { truth, .. } => self.w.number(u8::from(*truth)),
            Op::MemCopy { len, .. } | Op::MemSet { len, .. } => self.w.number(*len),
            Op::MemHavoc { len, source, .. } => self.w.text(&format!("{len:?} {source:?}")),
            Op::Havoc { source, .. } => self.w.text(&format!("{source:?}")),
            Op::Alloc { align, kind, .. } => self.w.text(&format!("{kind:?} {align}")),
            Op::Declare { var } | Op::EndScope { var } => self.var(*var),
            Op::Call { func, .. } | Op::CallExtern { func, .. } => self.func(*func),
            Op::Undefined(what) => self.w.text(&format!("{what:?}")),
            Op::Unsupported(what) => self.w.text(&self.program.unsupported[*what].construct),
            // Programs with accelerators have no blocks; whatever distinguishes two of them is enough.
            Op::Repeat(repeat) => self.w.text(&format!("{repeat:?}")),
            Op::Skip
            | Op::Assign { .. }
            | Op::Store { .. }
            | Op::Realloc { .. }
            | Op::Free { .. }
            // No function with such a call has a known effect, whatever its type.
            | Op::CallPtr { .. }
            | Op::Halt => {}
        }
    }

    fn scalar(&mut self, ty: Scalar) {
        match ty {
            Scalar::Bool => self.w.number(0u8),
            Scalar::Ptr => self.w.number(1u8),
            Scalar::Float(format) => {
                self.w.number(2u8);
                self.w.number(format as u8);
            }
            Scalar::Int { bits, signed } => {
                self.w.number(3 + u8::from(signed));
                self.w.number(bits);
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let program = self.program;
        if let Some(number) = self.known.get(&id) {
            self.w.number(0u8);
            self.w.number(*number);
            return;
        }
        let expr = program.exprs.get(id);
        for operand in program.exprs.operands(id) {
            self.expr(operand);
        }
        self.w.number(1u8);
        self.scalar(expr.ty);
        match expr.kind {
            ExprKind::Const(value) => {
                self.w.number(0u8);
                self.w.number(value.0);
            }
            ExprKind::Var(var) => {
                self.w.number(1u8);
                self.var(var);
            }
            ExprKind::AddrOf(var) => {
                self.w.number(2u8);
                self.var(var);
            }
            ExprKind::FuncAddr(func) => {
                self.w.number(3u8);
                self.w.number(function_address(func));
                self.func(func);
            }
            ExprKind::Load(_) => self.w.number(4u8),
            ExprKind::PtrAdd(..) => self.w.number(5u8),
            ExprKind::Cast(_) => self.w.number(6u8),
            ExprKind::Ite(..) => self.w.number(7u8),
            ExprKind::Tracked => self.w.number(8u8),
            ExprKind::Valid(access, ..) => self.w.number(9 + access as u8),
            ExprKind::Unary(op, _) => self.w.number(16 + op as u8),
            ExprKind::Binary(op, ..) => self.w.number(32 + op as u8),
        }
        self.known.insert(id, self.known.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::expr::BinOp;

    /// `f` adds `by` to a global, after `before` other functions.
    fn sample(before: usize, by: i64, global: &str) -> (Program, FuncId) {
        let mut b = Builder::new();
        for i in 0..before {
            b.func(&format!("other{i}"), &[]);
        }
        let f = b.func("f", &[]);
        let g = b.reg(None, global, Scalar::INT);
        let (entry, exit, value, by) = (b.entry(f), b.exit(f), b.var(g), b.int(by));
        let sum = b.bin(BinOp::Add, value, by);
        b.edge(entry, exit, Op::Assign { dst: g, src: sum });
        (b.program, f)
    }

    #[track_caller]
    fn check(one: (usize, i64, &str), other: (usize, i64, &str), equal: bool) {
        let content = |(before, by, global)| {
            let (program, f) = sample(before, by, global);
            let mut w = Writer::default();
            write_function(&mut w, &program, &Names::new(&program), f);
            w.address()
        };
        assert_eq!(content(one) == content(other), equal);
    }

    #[test]
    fn content_is_what_a_function_does() {
        check((0, 1, "g"), (0, 1, "g"), true);
        check((0, 1, "g"), (3, 1, "g"), true);
        check((0, 1, "g"), (0, 2, "g"), false);
        check((0, 1, "g"), (0, 1, "h"), false);
    }
}
