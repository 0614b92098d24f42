//! Compiles locations to compact code when they are reached first.

use crate::code::{Action, Code, EdgeCode, General, Instr, LOCAL, LocCode, Operand};
use base::{Id, IdVec};
use cfa::{BinOp, EdgeId, ExprId, ExprKind, FloatFormat, FuncId, LocId, Observer, Op, Pattern, Program, Scalar, UnOp};
use cfa::{Storage, UnOp as Unary, VarId, layout};

/// Code of a program, made location by location.
pub(crate) struct Compiled<'p> {
    program: &'p Program,
    observer: Option<&'p Observer>,
    pub locs: IdVec<LocId, LocCode>,
    pub edges: Vec<EdgeCode>,
    pub instrs: Vec<Instr>,
    pub general: Vec<General>,
    pub operands: Vec<Operand>,
    /// Where each variable lives: the value of a register, the address of a memory object. A local memory variable has a
    /// second cell behind it, for the interpreter.
    pub vars: IdVec<VarId, Operand>,
    /// Cells of each function's frame.
    pub frame_size: IdVec<FuncId, u32>,
    /// Most temporaries that an edge compiled so far needs.
    pub temporaries: u32,
    /// Cell of each leaf that doesn't change; `LOCAL` where there is none.
    leaves: IdVec<ExprId, Operand>,
    scratch: Scratch,
}

/// State of the compilation of one edge, kept to reuse its memory.
#[derive(Default)]
struct Scratch {
    /// Edge that an expression was last seen at.
    epoch: u32,
    seen: Vec<u32>,
    uses: Vec<u32>,
    place: Vec<Operand>,
    order: Vec<ExprId>,
    stack: Vec<ExprId>,
    free: Vec<Operand>,
    temporaries: u32,
}

/// Uses of an expression whose cell must stay until the edge is done.
const PINNED: u32 = 1 << 30;

impl<'p> Compiled<'p> {
    /// No code yet, and the cells that don't belong to frames, with their initial values (zero for global registers).
    pub fn new(program: &'p Program, observer: Option<&'p Observer>, globals: &IdVec<VarId, u64>) -> (Self, Vec<u128>) {
        let exprs = &program.exprs;
        let mut cells: Vec<u128> = Vec::new();
        let mut vars = IdVec::from_elem(LOCAL, program.vars.len());
        let mut frame_size = IdVec::from_elem(0u32, program.functions.len());
        for (id, var) in program.vars.iter_enumerated() {
            vars[id] = match var.func {
                None => {
                    cells.push(u128::from(globals[id]));
                    (cells.len() - 1) as Operand
                }
                Some(func) => {
                    let at = frame_size[func];
                    frame_size[func] += if matches!(var.storage, Storage::Register(_)) { 1 } else { 2 };
                    at | LOCAL
                }
            };
        }
        let mut leaves = IdVec::from_elem(LOCAL, exprs.len());
        for id in exprs.ids() {
            let value = match exprs.kind(id) {
                ExprKind::Const(value) => value.0,
                ExprKind::FuncAddr(func) => u128::from(layout::function_address(func)),
                _ => continue,
            };
            leaves[id] = cells.len() as Operand;
            cells.push(value);
        }
        let n = exprs.len();
        let scratch = Scratch { seen: vec![0; n], uses: vec![0; n], place: vec![0; n], ..Scratch::default() };
        let compiled = Self {
            program,
            observer,
            locs: IdVec::from_elem(LocCode::New, program.locs.len()),
            edges: Vec::new(),
            instrs: Vec::new(),
            general: Vec::new(),
            operands: Vec::new(),
            vars,
            frame_size,
            temporaries: 0,
            leaves,
            scratch,
        };
        (compiled, cells)
    }

    /// Compiles the edges of a location.
    pub fn location(&mut self, loc: LocId) {
        let program = self.program;
        let location = &program.locs[loc];
        let body = program.functions[location.func].body;
        let first = self.edges.len() as u32;
        self.locs[loc] = match location.out[..] {
            [] if body.is_some_and(|b| b.exit == loc) => LocCode::Exit,
            [edge] => {
                let code = self.edge(edge);
                self.edges.push(code);
                LocCode::One(first)
            }
            [a, b] if complementary(&program.edges[a].op, &program.edges[b].op) => {
                let code = self.edge(a);
                let other = self.bare(b, Action::None, (0, 0));
                let Action::Assume { cond, truth } = code.action else {
                    unreachable!("complementary edges are assumes")
                };
                self.edges.push(EdgeCode { start: 0, end: 0, action: Action::None, ..code });
                self.edges.push(other);
                let (then, other) = if truth { (first, first + 1) } else { (first + 1, first) };
                LocCode::Branch { start: code.start, end: code.end, cond, then, other }
            }
            _ => {
                for &edge in &location.out {
                    let code = self.edge(edge);
                    self.edges.push(code);
                }
                LocCode::Many { first, len: location.out.len() as u32 }
            }
        };
    }

    /// Compiles one edge, without adding it to `edges`.
    pub fn edge(&mut self, id: EdgeId) -> EdgeCode {
        let program = self.program;
        let op = &program.edges[id].op;
        let start = self.instrs.len() as u32;
        let mut roots = Vec::new();
        op.for_each_expr(|e| roots.push(e));
        let frame = self.frame_size[program.locs[program.edges[id].src].func];
        let target = match op {
            Op::Assign { dst, .. } => Some(self.vars[*dst]),
            _ => None,
        };
        self.expressions(&roots, frame, target);
        let places: Vec<Operand> = roots.iter().map(|e| self.place(self.resolve(*e))).collect();
        let action = match op {
            Op::Skip | Op::Assign { .. } => Action::None,
            Op::Assume { truth, .. } => Action::Assume { cond: places[0], truth: *truth },
            Op::Store { value, .. } => Action::Store {
                addr: places[0],
                value: places[1],
                bytes: program.exprs.ty(*value).access_bytes(program.pointer_bits()) as u8,
            },
            _ => {
                let args = self.operands.len() as u32;
                self.operands.extend(places);
                match op {
                    Op::Call { func, .. } => Action::Call { func: *func, args },
                    _ => Action::Other { args },
                }
            }
        };
        self.bare(id, action, (start, self.instrs.len() as u32))
    }

    fn bare(&self, id: EdgeId, action: Action, (start, end): (u32, u32)) -> EdgeCode {
        let edge = &self.program.edges[id];
        let name = match &edge.op {
            Op::Call { func, .. } | Op::CallExtern { func, .. } => Some(&self.program.functions[*func].name),
            _ => None,
        };
        let labels = &self.program.locs[edge.dst].labels;
        let pointer_call = matches!(edge.op, Op::CallPtr { .. });
        let observed = self.observer.is_some_and(|o| {
            o.transitions.iter().any(|t| match &t.on {
                Pattern::Call(on) => pointer_call || name == Some(on),
                Pattern::Label(on) => labels.contains(on),
            })
        });
        EdgeCode { start, end, action, dst: edge.dst, edge: id, observed }
    }

    /// Emits code for the expressions; afterwards `place` tells where their values are, or in `target` the last one's.
    fn expressions(&mut self, roots: &[ExprId], frame: u32, target: Option<Operand>) {
        let exprs = &self.program.exprs;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.epoch += 1;
        scratch.order.clear();
        scratch.free.clear();
        scratch.temporaries = 0;
        // All that is below the roots; operands have smaller ids, so sorting by id is an order of evaluation.
        scratch.stack.extend(roots.iter().map(|e| self.resolve(*e)));
        while let Some(id) = scratch.stack.pop() {
            if std::mem::replace(&mut scratch.seen[id.index()], scratch.epoch) != scratch.epoch {
                scratch.uses[id.index()] = 0;
                scratch.order.push(id);
                scratch.stack.extend(exprs.operands(id).map(|e| self.resolve(e)));
            }
        }
        scratch.order.sort_unstable();
        for &id in &scratch.order {
            for operand in exprs.operands(id) {
                scratch.uses[self.resolve(operand).index()] += 1;
            }
        }
        for &root in roots {
            scratch.uses[self.resolve(root).index()] |= PINNED;
        }
        let order = std::mem::take(&mut scratch.order);
        for (i, &id) in order.iter().enumerate() {
            if let Some(leaf) = self.leaf(id) {
                scratch.place[id.index()] = leaf;
                continue;
            }
            for operand in exprs.operands(id) {
                let operand = self.resolve(operand).index();
                scratch.uses[operand] -= 1;
                if scratch.uses[operand] == 0 && self.leaf(ExprId::from_index(operand)).is_none() {
                    scratch.free.push(scratch.place[operand]);
                }
            }
            let dst = match target {
                Some(target) if i + 1 == order.len() => target,
                _ => scratch.free.pop().unwrap_or_else(|| {
                    scratch.temporaries += 1;
                    (frame + scratch.temporaries - 1) | LOCAL
                }),
            };
            let instr = self.instr(id, dst, &scratch.place);
            self.instrs.push(instr);
            scratch.place[id.index()] = dst;
        }
        if let (Some(target), [root]) = (target, roots) {
            let place = scratch.place[self.resolve(*root).index()];
            if place != target {
                self.instrs.push(Instr { code: Code::Move, shift: 0, aux: 0, dst: target, a: place, b: 0, c: 0 });
            }
        }
        scratch.order = order;
        self.temporaries = self.temporaries.max(scratch.temporaries);
        self.scratch = scratch;
    }

    fn place(&self, id: ExprId) -> Operand {
        self.scratch.place[id.index()]
    }

    /// Cell of an expression that needs no code.
    fn leaf(&self, id: ExprId) -> Option<Operand> {
        match self.program.exprs.kind(id) {
            ExprKind::Var(var) | ExprKind::AddrOf(var) => Some(self.vars[var]),
            ExprKind::Const(_) | ExprKind::FuncAddr(_) => Some(self.leaves[id]),
            _ => None,
        }
    }

    /// The expression below conversions that keep all bits.
    fn resolve(&self, mut id: ExprId) -> ExprId {
        let exprs = &self.program.exprs;
        while let ExprKind::Cast(operand) = exprs.kind(id)
            && keeps_bits(exprs.ty(operand), exprs.ty(id), self.program.pointer_bits())
        {
            id = operand;
        }
        id
    }

    fn instr(&mut self, id: ExprId, dst: Operand, places: &[Operand]) -> Instr {
        let program = self.program;
        let exprs = &program.exprs;
        let pointer_bits = program.pointer_bits();
        let ty = exprs.ty(id);
        let at = |this: &Self, e: ExprId| places[this.resolve(e).index()];
        let narrow = |bits: u32| 64u32.saturating_sub(bits) as u8;
        let mut i = Instr { code: Code::Move, shift: narrow(ty.bits(pointer_bits)), aux: 0, dst, a: 0, b: 0, c: 0 };
        match exprs.kind(id) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) => {}
            // The interpreter asks for what this needs.
            ExprKind::Tracked => i.code = Code::Tracked,
            ExprKind::Valid(access, a, len) => {
                (i.a, i.b) = (at(self, a), at(self, len));
                i.aux = access as u8;
                i.code = Code::Valid;
            }
            ExprKind::Load(a) => {
                i.a = at(self, a);
                i.code = Code::Load;
                i.aux = ty.access_bytes(pointer_bits) as u8;
            }
            ExprKind::PtrAdd(a, b) => {
                (i.a, i.b) = (at(self, a), at(self, b));
                i.code = Code::Add;
            }
            ExprKind::Ite(c, a, b) => {
                (i.a, i.b, i.c) = (at(self, c), at(self, a), at(self, b));
                i.code = Code::Ite;
            }
            ExprKind::Unary(op, a) => {
                i.a = at(self, a);
                i.code = match op {
                    Unary::Sqrt => self.general(&mut i, General::Unary(op, ty)),
                    _ if ty.is_float() || ty.bits(pointer_bits) > 64 => self.general(&mut i, General::Unary(op, ty)),
                    Unary::Neg => Code::Neg,
                    Unary::BitNot => Code::BitNot,
                    UnOp::Not => Code::Not,
                };
            }
            ExprKind::Cast(a) => {
                i.a = at(self, a);
                let from = exprs.ty(a);
                let (from_bits, to_bits) = (from.bits(pointer_bits), ty.bits(pointer_bits));
                let whole = !from.is_float() && !ty.is_float() && from_bits <= 64 && to_bits <= 64;
                i.code = if !whole || ty == Scalar::Bool {
                    self.general(&mut i, General::Cast(from, ty))
                } else if to_bits <= from_bits {
                    Code::Mask
                } else {
                    i.aux = 64 - from_bits as u8;
                    Code::SignExtend
                };
            }
            ExprKind::Binary(op, a, b) => {
                (i.a, i.b) = (at(self, a), at(self, b));
                let ty = exprs.ty(a);
                i.shift = narrow(ty.bits(pointer_bits));
                let shift = matches!(op, BinOp::Shl | BinOp::Shr);
                let wide = ty.bits(pointer_bits) > 64 || shift && exprs.ty(b).bits(pointer_bits) > 64;
                match binary_code(op, ty).filter(|_| !wide) {
                    Some((code, swapped)) => {
                        i.code = code;
                        if swapped {
                            (i.a, i.b) = (i.b, i.a);
                        }
                    }
                    None => i.code = self.general(&mut i, General::Binary(op, ty)),
                }
            }
        }
        i
    }

    fn general(&mut self, instr: &mut Instr, general: General) -> Code {
        instr.c = self.general.len() as u32;
        self.general.push(general);
        Code::General
    }
}

/// Whether the two are assumes of one condition and of its opposite.
fn complementary(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Assume { cond: a, truth: x }, Op::Assume { cond: b, truth: y }) => a == b && x != y,
        _ => false,
    }
}

/// Whether the conversion changes no bit, as values have zeros above their width.
fn keeps_bits(from: Scalar, to: Scalar, pointer_bits: u32) -> bool {
    if from.is_float() || to.is_float() {
        return from == to;
    }
    let (from_bits, to_bits) = (from.bits(pointer_bits), to.bits(pointer_bits));
    from_bits == to_bits || from_bits < to_bits && (!from.is_signed() || to == Scalar::Ptr)
}

/// The code for an operator at a type of up to 64 bits, and whether its operands are swapped.
fn binary_code(op: BinOp, ty: Scalar) -> Option<(Code, bool)> {
    if let Scalar::Float(format) = ty {
        let code = match (format, op) {
            (FloatFormat::F64, BinOp::Add) => Code::F64Add,
            (FloatFormat::F64, BinOp::Sub) => Code::F64Sub,
            (FloatFormat::F64, BinOp::Mul) => Code::F64Mul,
            (FloatFormat::F64, BinOp::Div) => Code::F64Div,
            (FloatFormat::F64, BinOp::Lt | BinOp::Gt) => Code::F64Lt,
            (FloatFormat::F64, BinOp::Le | BinOp::Ge) => Code::F64Le,
            (FloatFormat::F64, BinOp::Eq) => Code::F64Eq,
            (FloatFormat::F32, BinOp::Add) => Code::F32Add,
            (FloatFormat::F32, BinOp::Sub) => Code::F32Sub,
            (FloatFormat::F32, BinOp::Mul) => Code::F32Mul,
            (FloatFormat::F32, BinOp::Div) => Code::F32Div,
            _ => return None,
        };
        return Some((code, matches!(op, BinOp::Gt | BinOp::Ge)));
    }
    let signed = ty.is_signed();
    let code = match op {
        BinOp::Add => Code::Add,
        BinOp::Sub => Code::Sub,
        BinOp::Mul => Code::Mul,
        BinOp::Div if signed => Code::DivS,
        BinOp::Div => Code::DivU,
        BinOp::Rem if signed => Code::RemS,
        BinOp::Rem => Code::RemU,
        BinOp::Shl => Code::Shl,
        BinOp::Shr if signed => Code::ShrS,
        BinOp::Shr => Code::ShrU,
        BinOp::BitAnd | BinOp::And => Code::And,
        BinOp::BitOr | BinOp::Or => Code::Or,
        BinOp::BitXor => Code::Xor,
        BinOp::Eq => Code::Eq,
        BinOp::Ne => Code::Ne,
        BinOp::Lt | BinOp::Gt if signed => Code::LtS,
        BinOp::Lt | BinOp::Gt => Code::LtU,
        BinOp::Le | BinOp::Ge if signed => Code::LeS,
        BinOp::Le | BinOp::Ge => Code::LeU,
    };
    Some((code, matches!(op, BinOp::Gt | BinOp::Ge)))
}
