//! A builder of small programs for tests.

use base::{Id, IdVec, SourceMap, Span};
use cfa::program::Body;
use cfa::{
    BinOp, CType, EdgeId, ExprId, ExprKind, FloatFormat, FuncId, Function, Init, LocId, MachineModel, Op, Outside,
    Program, Scalar, Storage, Value, Var, VarId, VarKind,
};

pub const INT: Scalar = Scalar::INT;
pub const LONG: Scalar = Scalar::Int { bits: 64, signed: true };
pub const DOUBLE: Scalar = Scalar::Float(FloatFormat::F64);

/// A program under construction; operations are appended to the function at hand.
pub struct Builder {
    pub program: Program,
    /// The function at hand.
    pub func: FuncId,
    /// Where the next operation begins.
    pub at: LocId,
}

impl Builder {
    /// A program with a start function that calls `main`, which is the function at hand.
    pub fn new() -> Self {
        let mut program = Program::new(MachineModel::Lp64, SourceMap::new("test.c".into(), String::new(), Vec::new()));
        program.ctypes.add(CType::Void, 0);
        let mut this = Self { program, func: FuncId::from_index(0), at: LocId::from_index(0) };
        let start = this.function("start", &[], None);
        let main = this.function("main", &[], Some(INT));
        this.program.start = start;
        this.begin(start);
        this.op(Op::Call { func: main, args: [].into(), dst: None });
        this.halt();
        this.begin(main);
        this
    }

    /// A function with a body.
    pub fn function(&mut self, name: &str, params: &[(&str, Scalar)], ret: Option<Scalar>) -> FuncId {
        let func = self.external(name);
        let body = Body { entry: self.program.add_loc(func), exit: self.program.add_loc(func) };
        let params = params.iter().map(|(n, ty)| self.var(Some(func), n, Storage::Register(*ty))).collect();
        let ret = ret.map(|ty| self.var(Some(func), "ret", Storage::Register(ty)));
        let f = &mut self.program.functions[func];
        f.body = Some(body);
        f.params = params;
        f.ret = ret;
        func
    }

    /// A function without a body.
    pub fn external(&mut self, name: &str) -> FuncId {
        self.program.functions.push(Function {
            name: name.into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: 0,
            ret_ctype: Id::from_index(0),
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            outside: Outside::Unknown,
            span: Span::NONE,
        })
    }

    /// Goes on at the entry of the function.
    pub fn begin(&mut self, func: FuncId) {
        self.func = func;
        self.at = self.program.functions[func].body.map_or(self.at, |b| b.entry);
    }

    pub fn exit(&self) -> LocId {
        self.program.functions[self.func].body.map_or(self.at, |b| b.exit)
    }

    pub fn var(&mut self, func: Option<FuncId>, name: &str, storage: Storage) -> VarId {
        self.program.vars.push(Var {
            name: name.into(),
            func,
            storage,
            kind: VarKind::Local,
            ctype: Id::from_index(0),
            init: None,
            span: Span::NONE,
        })
    }

    /// A register of the function at hand.
    pub fn local(&mut self, name: &str, ty: Scalar) -> VarId {
        self.var(Some(self.func), name, Storage::Register(ty))
    }

    /// A memory variable of the function at hand.
    pub fn memory(&mut self, name: &str, size: u64) -> VarId {
        self.var(Some(self.func), name, Storage::Memory { size, align: 8 })
    }

    /// A string literal.
    pub fn string(&mut self, text: &str) -> ExprId {
        let bytes = text.bytes().chain([0]).collect::<Box<[u8]>>();
        let var = self.var(None, "literal", Storage::Memory { size: bytes.len() as u64, align: 1 });
        self.program.vars[var].init = Some(Box::new(Init { bytes: vec![(0, bytes)], ..Init::default() }));
        self.program.vars[var].kind = VarKind::Literal;
        self.addr(var)
    }

    pub fn expr(&mut self, kind: ExprKind, ty: Scalar) -> ExprId {
        self.program.exprs.add(kind, ty)
    }

    pub fn int(&mut self, v: i64) -> ExprId {
        self.constant(v as u128, INT)
    }

    pub fn long(&mut self, v: i64) -> ExprId {
        self.constant(v as u128, LONG)
    }

    pub fn constant(&mut self, v: u128, ty: Scalar) -> ExprId {
        self.expr(ExprKind::Const(Value::truncated(v, ty.bits(64))), ty)
    }

    pub fn get(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].register().unwrap();
        self.expr(ExprKind::Var(var), ty)
    }

    pub fn addr(&mut self, var: VarId) -> ExprId {
        self.expr(ExprKind::AddrOf(var), Scalar::Ptr)
    }

    /// Address plus bytes.
    pub fn offset(&mut self, base: ExprId, bytes: i64) -> ExprId {
        let bytes = self.long(bytes);
        self.expr(ExprKind::PtrAdd(base, bytes), Scalar::Ptr)
    }

    pub fn load(&mut self, addr: ExprId, ty: Scalar) -> ExprId {
        self.expr(ExprKind::Load(addr), ty)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() { Scalar::Bool } else { self.program.exprs.ty(a) };
        self.expr(ExprKind::Binary(op, a, b), ty)
    }

    pub fn loc(&mut self) -> LocId {
        self.program.add_loc(self.func)
    }

    /// Appends an operation.
    pub fn op(&mut self, op: Op) -> EdgeId {
        let to = self.loc();
        self.op_to(op, to)
    }

    /// Appends an operation that leads to `to`, and goes on there.
    pub fn op_to(&mut self, op: Op, to: LocId) -> EdgeId {
        let edge = self.program.add_edge(self.at, to, op, Span::NONE);
        self.at = to;
        edge
    }

    pub fn set(&mut self, dst: VarId, src: ExprId) -> EdgeId {
        self.op(Op::Assign { dst, src })
    }

    /// Leads to the exit of the function at hand, with a result.
    pub fn ret(&mut self, value: Option<ExprId>) {
        let exit = self.exit();
        match value.zip(self.program.functions[self.func].ret) {
            Some((src, dst)) => self.op_to(Op::Assign { dst, src }, exit),
            None => self.op_to(Op::Skip, exit),
        };
    }

    /// Splits on a condition; goes on where it holds and returns where it doesn't.
    pub fn branch(&mut self, cond: ExprId) -> LocId {
        let (from, other) = (self.at, self.loc());
        self.program.add_edge(from, other, Op::Assume { cond, truth: false }, Span::NONE);
        self.op(Op::Assume { cond, truth: true });
        other
    }

    /// `Halt` at the location at hand.
    pub fn halt(&mut self) -> EdgeId {
        let exit = self.exit();
        self.op_to(Op::Halt, exit)
    }

    pub fn edge_count(&self) -> usize {
        IdVec::len(&self.program.edges)
    }
}
