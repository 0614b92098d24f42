//! Expressions in a graph.

use crate::graph::{Graph, beginning};
use crate::object::{Field, Kind, Lengths, Object};
use crate::value::{Address, Fact, ObjectId, Side, Val, bits, fits, numeric};
use cfa::eval::{eval_binary, eval_cast, eval_unary};
use cfa::{Access, BinOp, ExprId, ExprKind, Program, Scalar, UnOp, Undefined, Value, VarId};
use domains::numerical::Num;
use domains::numerical::number::is_tracked;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use step::{End, StackId};

/// Why an operation can't be carried out in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A node of a list segment has to be an object of its own first.
    Unfold(ObjectId, Side),
    /// A condition has to be decided first.
    Split(ExprId),
    /// No run gets past it.
    End(End),
}

/// What the graph does not say.
pub const COARSE: Stop = Stop::End(End::Unmodelled(None));

/// Where expressions are evaluated.
pub struct Eval<'g, 'p> {
    /// The program.
    pub program: &'p Program,
    /// The stack whose top frame has the local variables.
    pub stack: StackId,
    /// The stack of globals.
    pub root: StackId,
    /// The graph.
    pub graph: &'g mut Graph,
    /// Conditions that were decided.
    pub decided: Vec<(ExprId, bool)>,
    /// Whether conditions that are open stay so.
    pub coarse: bool,
    known: FxHashMap<ExprId, Val>,
}

/// Bytes of an object that are accessed.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The object, which is no segment.
    pub object: ObjectId,
    /// Their first offsets.
    pub at: Num,
}

impl<'g, 'p> Eval<'g, 'p> {
    /// Evaluates in a graph.
    pub fn new(program: &'p Program, (stack, root): (StackId, StackId), graph: &'g mut Graph) -> Self {
        Self { program, stack, root, graph, decided: Vec::new(), coarse: false, known: FxHashMap::default() }
    }

    /// The key of a variable.
    pub fn key(&self, var: VarId) -> (StackId, VarId) {
        (if self.program.vars[var].is_global() { self.root } else { self.stack }, var)
    }

    /// Forgets what expressions were evaluated to, because the graph says more now.
    pub fn refined(&mut self) {
        self.known.clear();
    }

    /// The object of a variable in memory.
    pub fn variable(&mut self, var: VarId) -> ObjectId {
        let key = self.key(var);
        if let Some(id) = self.graph.variables.get(&key) {
            return *id;
        }
        let size = match self.program.vars[var].storage {
            cfa::Storage::Memory { size, .. } => size,
            cfa::Storage::Register(_) => 0,
        };
        let id =
            self.graph.add(Object::new(Kind::Variable(key.0, var), Num::single(size.into()), self.program.byte_order));
        self.graph.variables.insert(key, id);
        id
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// If the graph has to be changed first, or no run gets past it.
    pub fn eval(&mut self, expr: ExprId) -> Result<Val, Stop> {
        if let Some(val) = self.known.get(&expr) {
            return Ok(*val);
        }
        let val = self.eval_new(expr)?;
        self.known.insert(expr, val);
        Ok(val)
    }

    fn eval_new(&mut self, expr: ExprId) -> Result<Val, Stop> {
        let cfa::Expr { kind, ty } = self.program.exprs.get(expr);
        if ty == Scalar::Bool
            && let Some((_, truth)) = self.decided.iter().find(|(e, _)| *e == expr)
        {
            return Ok(truth_value(*truth));
        }
        match kind {
            ExprKind::Const(value) => Ok(Val::Bits(value)),
            ExprKind::Var(var) => {
                let key = self.key(var);
                if let Some(field) = self.graph.registers.get(&key) {
                    return Ok(field.val);
                }
                let val = self.graph.any(ty);
                self.graph.registers.insert(key, Field { ty, val });
                Ok(val)
            }
            ExprKind::AddrOf(var) => Ok(beginning(self.variable(var))),
            ExprKind::FuncAddr(func) => Ok(Val::Function(func)),
            ExprKind::Load(addr) => {
                let addr = self.eval(addr)?;
                let place = self.place(addr, i128::from(ty.access_bytes(self.graph.pointer_bits)))?;
                Ok(match place.at.as_single() {
                    Some(at) => self.graph.read(place.object, at as i64, ty),
                    None => self.graph.any(ty),
                })
            }
            ExprKind::Unary(op, a) => self.unary(op, a, ty),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => self.both(expr, op, a, b),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                self.ends(x, y)?;
                match self.graph.compare(op, self.program.exprs.ty(a), x, y) {
                    Some(holds) => Ok(truth_value(holds)),
                    None => self.open(expr),
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, ty),
            ExprKind::PtrAdd(base, by) => {
                let (base, offset) = (self.eval(base)?, self.eval(by)?);
                Ok(self.moved(base, offset, self.program.exprs.ty(by)))
            }
            ExprKind::Cast(a) => {
                let val = self.eval(a)?;
                Ok(self.cast(val, self.program.exprs.ty(a), ty))
            }
            ExprKind::Ite(c, a, b) => match self.eval(c)? {
                Val::Bits(value) => self.eval(if value.0 != 0 { a } else { b }),
                _ if self.coarse => Ok(self.graph.any(ty)),
                _ => Err(Stop::Split(c)),
            },
            ExprKind::Valid(access, addr, len) => {
                let (addr, bytes) = (self.eval(addr)?, self.eval(len)?);
                match self.valid(access, addr, bytes, self.program.exprs.ty(len)) {
                    Some(valid) => Ok(truth_value(valid)),
                    None => Ok(self.graph.any(Scalar::Bool)),
                }
            }
            ExprKind::Tracked => match self.is_tracked() {
                true => Ok(truth_value(true)),
                false => Ok(self.graph.any(Scalar::Bool)),
            },
        }
    }

    /// Whether both ends of a list are the same node has to be decided where they are compared.
    pub fn ends(&self, x: Val, y: Val) -> Result<(), Stop> {
        match (x, y) {
            (Val::Address(x), Val::Address(y))
                if x.object == y.object
                    && x.side != y.side
                    && self.graph.object(x.object).lengths.has(Lengths::ONE) =>
            {
                Err(Stop::Unfold(x.object, x.side))
            }
            _ => Ok(()),
        }
    }

    /// A condition that the graph does not decide.
    fn open(&mut self, expr: ExprId) -> Result<Val, Stop> {
        if self.coarse { Ok(self.graph.any(Scalar::Bool)) } else { Err(Stop::Split(expr)) }
    }

    fn both(&mut self, expr: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Result<Val, Stop> {
        let absorbing = truth_value(op == BinOp::Or);
        let x = self.eval(a)?;
        if x == absorbing {
            return Ok(x);
        }
        let y = self.eval(b)?;
        match (x, y) {
            (_, y) if y == absorbing => Ok(y),
            (Val::Bits(_), y) => Ok(y),
            (x, Val::Bits(_)) => Ok(x),
            _ => self.open(expr),
        }
    }

    fn unary(&mut self, op: UnOp, a: ExprId, ty: Scalar) -> Result<Val, Stop> {
        let val = self.eval(a)?;
        if let Val::Bits(value) = val
            && let Some(value) = eval_unary(op, ty, value, self.graph.pointer_bits)
        {
            return Ok(Val::Bits(value));
        }
        let num = if is_tracked(ty) { self.graph.numbers(val, ty) } else { None };
        let num = num.and_then(|num| match op {
            UnOp::Neg => num.negated(),
            UnOp::BitNot => num.negated()?.shifted(-1),
            UnOp::Not => num.negated()?.shifted(1),
            UnOp::Sqrt => None,
        });
        Ok(match num {
            Some(num) => self.graph.number(num.fit(ty), ty),
            None => self.graph.any(ty),
        })
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: Scalar) -> Result<Val, Stop> {
        let (x, y) = (self.eval(a)?, self.eval(b)?);
        let pointer_bits = self.graph.pointer_bits;
        if let (Val::Bits(x), Val::Bits(y)) = (x, y)
            && let Some(value) = eval_binary(op, ty, x, y, pointer_bits)
        {
            return Ok(Val::Bits(value));
        }
        let is_pointer = |val| self.graph.leads_to(val).is_some();
        // Numbers of the pointer's width may be addresses.
        if ty.is_int() && ty.bits(pointer_bits) == pointer_bits && (is_pointer(x) || is_pointer(y)) {
            return Ok(match (op, x, y) {
                (BinOp::Add, x, y) if is_pointer(x) && !is_pointer(y) => self.moved(x, y, ty),
                (BinOp::Add, x, y) if is_pointer(y) && !is_pointer(x) => self.moved(y, x, ty),
                (BinOp::Sub, Val::Address(x), Val::Address(y)) if x.object == y.object && x.side == y.side => {
                    Val::Bits(Value::truncated(x.offset.wrapping_sub(y.offset) as u128, pointer_bits))
                }
                (BinOp::Sub, x, Val::Bits(by)) => {
                    let by = Value::truncated(by.0.wrapping_neg(), pointer_bits);
                    self.moved(x, Val::Bits(by), ty)
                }
                _ => self.graph.any(ty),
            });
        }
        let shifts = matches!(op, BinOp::Shl | BinOp::Shr);
        let of_y = if shifts { self.program.exprs.ty(b) } else { ty };
        if !is_tracked(ty) || !is_tracked(of_y) || ty == Scalar::Bool {
            return Ok(self.graph.any(ty));
        }
        let num = match (self.graph.numbers(x, ty), self.graph.numbers(y, of_y)) {
            (Some(x), Some(y)) => Num::binary(op, ty, x, y),
            _ => None,
        };
        Ok(match num {
            Some(num) => self.graph.number(num, ty),
            None => self.graph.any(ty),
        })
    }

    /// A pointer moved by a number of bytes, which has this type.
    fn moved(&mut self, base: Val, by: Val, ty: Scalar) -> Val {
        let pointer_bits = self.graph.pointer_bits;
        let signed = Scalar::Int { bits: pointer_bits as u16, signed: true };
        let by = match self.graph.numbers(by, ty) {
            Some(num) if ty.bits(pointer_bits) == pointer_bits => num.fit(signed),
            Some(num) if fits(num, signed) => num,
            _ => Num::top(signed),
        };
        if by == Num::single(0) {
            return base;
        }
        let wrapped = |offset: i128| Num::single(offset).fit(signed).lo as i64;
        match (base, by.as_single()) {
            (Val::Address(address), Some(by)) => {
                Val::Address(Address { offset: wrapped(i128::from(address.offset) + by), ..address })
            }
            (Val::Bits(value), Some(by)) => Val::Bits(Value::truncated((value.0 as i128 + by) as u128, pointer_bits)),
            (Val::Address(address), None) => match by.shifted(address.offset.into()).filter(|num| fits(*num, signed)) {
                Some(num) => self.graph.symbol(Fact::Inside(Address { offset: 0, ..address }, num)),
                None => self.graph.any(Scalar::Ptr),
            },
            (Val::Unknown(symbol), _) => match self.graph.facts[&symbol] {
                Fact::Inside(address, num) => match num.plus(by).filter(|num| fits(*num, signed)) {
                    Some(num) => self.graph.symbol(Fact::Inside(address, num)),
                    None => self.graph.any(Scalar::Ptr),
                },
                _ => self.graph.any(Scalar::Ptr),
            },
            _ => self.graph.any(Scalar::Ptr),
        }
    }

    fn cast(&mut self, val: Val, from: Scalar, to: Scalar) -> Val {
        let pointer_bits = self.graph.pointer_bits;
        if from == to {
            return val;
        }
        if let Val::Bits(value) = val {
            return match eval_cast(from, to, value, pointer_bits) {
                Some(value) => Val::Bits(value),
                None => self.graph.any(to),
            };
        }
        if from.is_float() || to.is_float() || to == Scalar::Bool {
            return self.graph.any(to);
        }
        let (Some(of), Some(number)) = (numeric(to, pointer_bits), self.graph.numbers(val, from)) else {
            return self.graph.any(to);
        };
        if from.bits(pointer_bits) == to.bits(pointer_bits) {
            return self.graph.reinterpret(val, from, to);
        }
        match val {
            Val::Unknown(symbol) if matches!(self.graph.facts[&symbol], Fact::Number(n) if fits(n, of)) => val,
            _ => self.graph.number(number.fit(of), of),
        }
    }

    /// The bytes that an access is about, which exist for sure.
    ///
    /// # Errors
    /// If the graph has to be changed first, does not say which they are, or no run gets past the access.
    pub fn place(&mut self, addr: Val, len: i128) -> Result<Place, Stop> {
        let (address, at) = match addr {
            Val::Address(address) => (address, Num::single(address.offset.into())),
            Val::Bits(Value(..4096)) => return Err(Stop::End(End::Undefined(Undefined::InvalidAccess))),
            Val::Unknown(symbol) => match self.graph.facts[&symbol] {
                Fact::Inside(address, num) => (address, num),
                _ => return Err(COARSE),
            },
            _ => return Err(COARSE),
        };
        let object = self.graph.object(address.object);
        if !object.alive || !object.contains(at.lo, at.hi, len) {
            return Err(COARSE);
        }
        if object.segment.is_some() {
            return Err(Stop::Unfold(address.object, address.side));
        }
        Ok(Place { object: address.object, at })
    }

    /// Whether an access is valid, if that is known.
    fn valid(&self, access: Access, addr: Val, len: Val, of_len: Scalar) -> Option<bool> {
        let address = match addr {
            Val::Bits(Value(0)) => return Some(access == Access::Free),
            _ => self.graph.leads_to(addr)?,
        };
        let object = self.graph.object(address.object);
        if !object.alive {
            return None;
        }
        if access == Access::Free {
            let is_beginning = matches!(addr, Val::Address(Address { offset: 0, .. }));
            return (is_beginning && object.kind == Kind::Heap).then_some(true);
        }
        let at = match addr {
            Val::Unknown(symbol) => match self.graph.facts[&symbol] {
                Fact::Inside(_, num) => num,
                _ => return None,
            },
            _ => Num::single(address.offset.into()),
        };
        let len = self.graph.numbers(len, of_len)?;
        let is_writable = match object.kind {
            Kind::Variable(_, var) => !self.program.vars[var].is_read_only(),
            _ => true,
        };
        (object.contains(at.lo, at.hi, len.hi) && (access == Access::Read || is_writable)).then_some(true)
    }

    /// Whether each block of the heap can be reached from variables of the source for sure.
    fn is_tracked(&self) -> bool {
        use cfa::VarKind::{Global, Local, Param};
        let mut reached: BTreeSet<ObjectId> = self.graph.roots();
        let is_root = |var: VarId| matches!(self.program.vars[var].kind, Global | Local | Param);
        let registers = self.graph.registers.iter().filter(|((_, var), _)| is_root(*var));
        // An address that lies outside of its object leads somewhere else.
        let inside = |val: &Val| match self.graph.leads_to(*val) {
            Some(address) => {
                let size = self.graph.object(address.object).size;
                matches!(val, Val::Address(_)) && address.offset >= 0 && i128::from(address.offset) <= size.lo
            }
            None => false,
        };
        let roots: Vec<Val> = registers.map(|(_, field)| field.val).filter(|val| inside(val)).collect();
        let fields = self.graph.objects.values().flat_map(|object| object.fields.values());
        if fields.map(|field| &field.val).any(|val| self.graph.leads_to(*val).is_some() && !inside(val)) {
            return false;
        }
        self.graph.reach(roots, &mut reached);
        let mut objects = self.graph.objects.iter();
        !self.graph.lost && objects.all(|(id, object)| !object.alive || reached.contains(id))
    }
}

/// A truth value.
pub fn truth_value(truth: bool) -> Val {
    Val::Bits(Value(u128::from(truth)))
}

impl Graph {
    /// Whether a comparison of two values of a type holds, if that is known.
    pub fn compare(&self, op: BinOp, ty: Scalar, a: Val, b: Val) -> Option<bool> {
        if let (Val::Bits(a), Val::Bits(b)) = (a, b) {
            return eval_binary(op, ty, a, b, self.pointer_bits).map(|value| value.0 != 0);
        }
        if ty.is_float() {
            return None;
        }
        if a == b {
            return Some(matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge));
        }
        if let (Val::Address(x), Val::Address(y)) = (a, b)
            && (x.object, x.side) == (y.object, y.side)
        {
            let within =
                |address: Address| address.offset >= 0 && i128::from(address.offset) <= self.object(x.object).size.lo;
            let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
            let num = |address: Address| Num::single(address.offset.into());
            return (is_equality || within(x) && within(y)).then(|| Num::compare(op, num(x), num(y))).flatten();
        }
        if matches!(op, BinOp::Eq | BinOp::Ne) && (self.differ(a, b) || self.differ(b, a)) {
            return Some(op == BinOp::Ne);
        }
        Num::compare(op, self.numbers(a, ty)?, self.numbers(b, ty)?)
    }

    /// Whether the bits of two values differ for sure, as far as one side shows it.
    fn differ(&self, a: Val, b: Val) -> bool {
        match (a, b) {
            (_, Val::ZERO) => self.is_nonzero(a),
            (Val::Address(x), Val::Address(y)) => {
                let within = |address: Address| {
                    let object = self.object(address.object);
                    object.alive && address.offset >= 0 && i128::from(address.offset) < object.size.lo
                };
                let are_nodes =
                    x.object != y.object || x.side != y.side && self.object(x.object).lengths == Lengths::MORE;
                are_nodes && x.side != Side::Own && y.side != Side::Own && within(x) && within(y)
            }
            (Val::Function(x), Val::Function(y)) => x != y,
            (Val::Function(_), Val::Address(y)) => {
                let object = self.object(y.object);
                object.alive && y.offset >= 0 && i128::from(y.offset) < object.size.lo
            }
            _ => false,
        }
    }

    /// Whether some bit of a value is set for sure.
    pub fn is_nonzero(&self, val: Val) -> bool {
        let within = |address: Address, num: Num| num.lo >= 0 && num.hi <= self.object(address.object).size.lo;
        match val {
            Val::Bits(value) => value.0 != 0,
            Val::Address(address) => within(address, Num::single(address.offset.into())),
            Val::Function(_) => true,
            Val::Unknown(symbol) => match self.facts[&symbol] {
                Fact::Any { nonzero } => nonzero,
                Fact::Number(num) => !num.contains(0),
                Fact::Inside(address, num) => within(address, num),
            },
        }
    }

    /// The value of a number, in a tracked type.
    pub fn constant(n: i128, ty: Scalar) -> Val {
        Val::Bits(bits(n, ty))
    }
}
