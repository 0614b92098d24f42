//! A small builder for programs made by hand: tests of analyses need automata without a C front end.
//!
//! Everything has span [`Span::NONE`] and C type 0 (`void`).

use crate::ctype::{CType, CTypeId};
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::op::Op;
use crate::program::{
    Body, EdgeId, FuncId, Function, LocId, MachineModel, Outside, Program, Storage, Var, VarId, VarKind,
};
use crate::value::{Scalar, Value};
use base::{SourceMap, Span};

/// Builds a [`Program`] (data model LP64). Function 0 is the start function, with an empty body.
pub struct Builder {
    /// What was built so far.
    pub program: Program,
    void: CTypeId,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A program with an empty start function.
    pub fn new() -> Self {
        let source = SourceMap::new("test.c".into(), String::new(), Vec::new());
        let mut program = Program::new(MachineModel::Lp64, source);
        let void = program.ctypes.add(CType::Void, 0);
        let mut builder = Self { program, void };
        builder.program.start = builder.func("_start", &[]);
        builder
    }

    fn function(&mut self, name: &str) -> FuncId {
        self.program.functions.push(Function {
            name: name.into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: 0,
            ret_ctype: self.void,
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            outside: Outside::Unknown,
            span: Span::NONE,
        })
    }

    /// A function with a body and parameters of the given types, named `name::0`, `name::1`, …
    pub fn func(&mut self, name: &str, params: &[Scalar]) -> FuncId {
        let func = self.function(name);
        for (i, ty) in params.iter().enumerate() {
            let param = self.reg(Some(func), &format!("{name}::{i}"), *ty);
            self.program.functions[func].params.push(param);
        }
        let (entry, exit) = (self.program.add_loc(func), self.program.add_loc(func));
        self.program.functions[func].body = Some(Body { entry, exit });
        func
    }

    /// A function without a body.
    pub fn extern_func(&mut self, name: &str) -> FuncId {
        self.function(name)
    }

    /// Gives the function a result register.
    pub fn ret(&mut self, func: FuncId, ty: Scalar) -> VarId {
        let name = format!("{}::ret", self.program.functions[func].name);
        let ret = self.reg(Some(func), &name, ty);
        self.program.functions[func].ret = Some(ret);
        ret
    }

    fn variable(&mut self, func: Option<FuncId>, name: &str, storage: Storage) -> VarId {
        let kind = if func.is_some() { VarKind::Local } else { VarKind::Global };
        self.program.vars.push(Var {
            name: name.into(),
            func,
            storage,
            kind,
            ctype: self.void,
            init: None,
            span: Span::NONE,
        })
    }

    /// A register.
    pub fn reg(&mut self, func: Option<FuncId>, name: &str, ty: Scalar) -> VarId {
        self.variable(func, name, Storage::Register(ty))
    }

    /// A memory variable of `size` bytes, aligned to 8.
    pub fn mem(&mut self, func: Option<FuncId>, name: &str, size: u64) -> VarId {
        self.variable(func, name, Storage::Memory { size, align: 8 })
    }

    /// Entry of a function with a body.
    pub fn entry(&self, func: FuncId) -> LocId {
        self.body(func).entry
    }

    /// Exit of a function with a body.
    pub fn exit(&self, func: FuncId) -> LocId {
        self.body(func).exit
    }

    fn body(&self, func: FuncId) -> Body {
        self.program.functions[func].body.expect("the function was built with a body")
    }

    /// A new location.
    pub fn loc(&mut self, func: FuncId) -> LocId {
        self.program.add_loc(func)
    }

    /// A new edge.
    pub fn edge(&mut self, src: LocId, dst: LocId, op: Op) -> EdgeId {
        self.program.add_edge(src, dst, op, Span::NONE)
    }

    /// Edges in a row from `src` to `dst`, with new locations between them.
    pub fn chain(&mut self, src: LocId, dst: LocId, ops: impl IntoIterator<Item = Op>) -> Vec<EdgeId> {
        let func = self.program.locs[src].func;
        let (mut edges, mut at) = (Vec::new(), src);
        let mut ops = ops.into_iter().peekable();
        while let Some(op) = ops.next() {
            let next = if ops.peek().is_some() { self.loc(func) } else { dst };
            edges.push(self.edge(at, next, op));
            at = next;
        }
        edges
    }

    /// An edge from a new location that ends the path.
    pub fn end(&mut self, src: LocId, op: Op) -> EdgeId {
        let exit = self.exit(self.program.locs[src].func);
        self.edge(src, exit, op)
    }

    /// Two complementary assumes: to `then` if `cond` holds, else to `other`.
    pub fn branch(&mut self, src: LocId, cond: ExprId, then: LocId, other: LocId) -> (EdgeId, EdgeId) {
        (
            self.edge(src, then, Op::Assume { cond, truth: true }),
            self.edge(src, other, Op::Assume { cond, truth: false }),
        )
    }

    /// Call without result.
    pub fn call(&self, func: FuncId, args: &[ExprId]) -> Op {
        self.call_to(None, func, args)
    }

    /// Call with result.
    pub fn call_to(&self, dst: Option<VarId>, func: FuncId, args: &[ExprId]) -> Op {
        match self.program.functions[func].body {
            Some(_) => Op::Call { func, args: args.into(), dst },
            None => Op::CallExtern { func, args: args.into(), dst },
        }
    }

    /// Constant of type `int`.
    pub fn int(&mut self, n: i64) -> ExprId {
        self.constant(n, Scalar::INT)
    }

    /// Constant of an integer or pointer type.
    pub fn constant(&mut self, n: i64, ty: Scalar) -> ExprId {
        let value = Value::truncated(n as i128 as u128, ty.bits(64));
        self.program.exprs.add(ExprKind::Const(value), ty)
    }

    /// Value of a register.
    pub fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].register().expect("only registers have a value");
        self.program.exprs.add(ExprKind::Var(var), ty)
    }

    /// Address of a memory variable.
    pub fn addr(&mut self, var: VarId) -> ExprId {
        self.program.exprs.add(ExprKind::AddrOf(var), Scalar::Ptr)
    }

    /// Address of a function, which is marked as taken.
    pub fn func_addr(&mut self, func: FuncId) -> ExprId {
        self.program.functions[func].address_taken = true;
        self.program.exprs.add(ExprKind::FuncAddr(func), Scalar::Ptr)
    }

    /// Load of a scalar.
    pub fn load(&mut self, addr: ExprId, ty: Scalar) -> ExprId {
        self.program.exprs.add(ExprKind::Load(addr), ty)
    }

    /// Pointer moved by a constant; by 0 it stays the same expression.
    pub fn at(&mut self, base: ExprId, offset: i64) -> ExprId {
        if offset == 0 {
            return base;
        }
        let offset = self.constant(offset, Scalar::Int { bits: 64, signed: false });
        self.program.exprs.add(ExprKind::PtrAdd(base, offset), Scalar::Ptr)
    }

    /// Pointer moved by `index * size`, with the index widened to 64 bits.
    pub fn index(&mut self, base: ExprId, index: ExprId, size: i64) -> ExprId {
        let long = Scalar::Int { bits: 64, signed: true };
        let wide = self.cast(index, long);
        let size = self.constant(size, long);
        let offset = self.program.exprs.add(ExprKind::Binary(BinOp::Mul, wide, size), long);
        self.program.exprs.add(ExprKind::PtrAdd(base, offset), Scalar::Ptr)
    }

    /// Conversion.
    pub fn cast(&mut self, e: ExprId, ty: Scalar) -> ExprId {
        self.program.exprs.add(ExprKind::Cast(e), ty)
    }

    /// Binary operation of the operands' type, or `Bool`.
    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() { Scalar::Bool } else { self.program.exprs.ty(a) };
        self.program.exprs.add(ExprKind::Binary(op, a, b), ty)
    }
}
