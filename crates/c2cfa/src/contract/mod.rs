//! Contracts: conditions that are assumed or asserted, values that are kept, and memory that becomes arbitrary.

mod frame;
mod callees;
mod frees;
mod extents;
mod inferred;
mod iteration;
mod quantifier;
mod unnamed;

use crate::builtin::memory::Block;
use crate::context::Lowerer;
use crate::layout::Class;
use base::{Id, Span};
use cfa::{Access, AllocKind, BinOp, ExprId, HavocSource, Op, Scalar, VarId};
use cfront::typed::contract::{Contract, Role};
use cfront::typed::{self, Callee, Expr, ExprKind, FunctionId};
use syntax::ast::Quantifier;

/// What is called what it is in reports.
pub(crate) const CONTRACT: &str = "contract";

impl<'u> Lowerer<'u> {
    /// Notes what checks of contracts take for granted: all that is known of functions but the entry is what their calls in the program
    /// do. What can be called is lowered by now.
    pub fn note_checked_contracts(&mut self, entry: FunctionId) {
        for (id, function) in self.unit.functions.iter_enumerated() {
            let Some(stand_in) = self.checking(id).filter(|_| id != entry && function.alias.is_none()) else {
                continue;
            };
            let name = &function.name;
            let text = match self.funcs[stand_in.index()] {
                Some(_) => format!("the contract of `{name}` is checked for the calls that the program makes"),
                None => format!("the contract of `{name}` is not checked: nothing calls it (`--entry {name}` does)"),
            };
            self.p.assumed.push((text.into(), function.span));
        }
    }

    /// The function that stands in for another one, calls that and checks its contract.
    pub fn checking(&self, f: FunctionId) -> Option<FunctionId> {
        self.unit.functions[f].stand_in.filter(|stand_in| self.is_check(*stand_in))
    }

    fn is_check(&self, stand_in: FunctionId) -> bool {
        let body = self.unit.functions[stand_in].body.as_ref();
        let typed::StmtKind::Block(stmts) = body.map_or(&typed::StmtKind::Empty, |body| &body.stmt.kind) else {
            return false;
        };
        stmts.iter().any(|stmt| {
            matches!(&stmt.kind, typed::StmtKind::Contract(contract) if matches!(**contract, Contract::Frame { .. }))
        })
    }

    /// A statement of a contract.
    pub fn contract(&mut self, contract: &'u Contract, span: Span) {
        match contract {
            Contract::Clause { role, condition } => self.clause(*role, condition, span),
            Contract::Snapshot { var, value } => self.snapshot(*var, value, span),
            Contract::Havoc { targets, frees } => {
                let extents = self.extents(targets);
                let pointers = self.freed_pointers(frees);
                self.havoc_extents(&extents, span);
                self.maybe_free(&pointers, span);
            }
            Contract::Frame { targets, frees, body } => {
                let first = self.f.flow.n_edges();
                match targets {
                    Some(targets) => self.framed((targets, frees), body, span),
                    None => self.stmts(body),
                }
                self.f.contract.called_at = Some(first);
            }
            Contract::Iteration { targets, first, body } => {
                self.iteration(targets.as_deref(), first.as_ref(), body, span);
            }
        }
    }

    /// The function that is called instead of another one, but by itself.
    pub fn stand_in(&self, f: FunctionId) -> FunctionId {
        match self.unit.functions[f].stand_in {
            Some(stand_in) if self.typed_function(self.f.func) != Some(stand_in) => stand_in,
            _ => f,
        }
    }

    fn clause(&mut self, role: Role, condition: &'u Expr, span: Span) {
        let (ok, fail) = (self.node(), self.node());
        let outer = (self.f.contract.role, self.f.contract.choice);
        self.f.contract.role = Some(role);
        self.f.contract.choice = Some(match role {
            Role::Asserted => Quantifier::All,
            Role::Assumed => Quantifier::Some,
        });
        self.branch(condition, ok, fail);
        (self.f.contract.role, self.f.contract.choice) = outer;
        self.enter(fail);
        match role {
            Role::Asserted => self.fail(span),
            Role::Assumed => self.emit(Op::Halt, span),
        }
        self.enter(ok);
    }

    /// The variable gets the value of an expression of any type.
    fn snapshot(&mut self, var: typed::VarId, value: &'u Expr, span: Span) {
        use crate::context::Place;
        match (self.place(var), self.class(value.ty)) {
            (Place::Register(register), _) => {
                self.f.contract.own.insert(register);
                self.rvalue_into(value, register, span);
            }
            (Place::Memory(object), class) => {
                self.emit(Op::Declare { var: object }, span);
                let dst = self.addr_of(object);
                match class {
                    Class::Scalar(_) => {
                        let value = self.rvalue(value);
                        self.store(dst, value, span);
                    }
                    Class::Record { size, .. } => {
                        let src = self.record(value);
                        self.copy(dst, src, size, span);
                    }
                    _ => match self.size(value.ty) {
                        Some(size) => {
                            let src = self.address(value);
                            self.copy(dst, src, size, span);
                        }
                        None => self.unsupported(CONTRACT, self.snippet(span), span),
                    },
                }
            }
            (Place::Pointer(_), _) => self.unsupported(CONTRACT, self.snippet(span), span),
        }
    }

    /// `__CPROVER_is_fresh(p, n)`: where it is assumed, `p` gets the address of a new block; where it is asserted, so many bytes must be there that
    /// no other such condition of the contract names, and that did not exist before the call.
    pub fn is_fresh(&mut self, e: &'u Expr, args: &'u [Expr]) -> ExprId {
        let span = e.span;
        // What holds for any byte that existed holds for the one that is chosen; what denies it would need all of them.
        let may_choose = self.f.contract.choice.take() == Some(Quantifier::All);
        let result = match (self.f.contract.role, self.f.contract.called_at) {
            (Some(Role::Assumed), _) => self.new_fresh(args, span),
            (Some(Role::Asserted), None) => Some(self.compare_fresh(args, None, span)),
            (Some(Role::Asserted), Some(call)) if may_choose => {
                let existing = self.existing_byte(call, span);
                Some(self.compare_fresh(args, Some(existing), span))
            }
            _ => None,
        };
        match result {
            Some(result) => self.cast(result, Scalar::Int { bits: 8, signed: false }),
            None => self.unsupported_value(CONTRACT, e),
        }
    }

    /// `__CPROVER_pointer_in_range_dfcc(from, p, to)`: where it is assumed, `p` gets the address of one of the bytes, or the end; elsewhere, all that
    /// is between must be memory of the program.
    pub fn in_range(&mut self, args: &'u [Expr], span: Span) -> ExprId {
        let target = pointer_lvalue(&args[1]).filter(|_| self.f.contract.role == Some(Role::Assumed));
        let values = self.values(args);
        let from = self.as_pointer(values[0]);
        let from = self.stable(from, span);
        let ty = self.usize_ty();
        let (start, end) = (self.cast(from, ty), self.cast(values[2], ty));
        let len = self.binary(BinOp::Sub, end, start);
        let len = self.stable(len, span);
        let distance = match target {
            Some(_) => {
                let distance = self.register(ty, "distance", span);
                self.emit(Op::Havoc { dst: distance, source: HavocSource::Environment }, span);
                self.var(distance)
            }
            None => {
                let pointer = self.cast(values[1], ty);
                self.binary(BinOp::Sub, pointer, start)
            }
        };
        let is_inside = self.binary(BinOp::Le, distance, len);
        let mut fits = self.accessible(Access::Read, from, len);
        fits = self.truth(fits);
        fits = self.binary(BinOp::And, fits, is_inside);
        if let Some(target) = target {
            let target = self.lvalue(target);
            let pointer = self.ptr_add(from, distance);
            self.write(target, pointer, Scalar::Ptr, span);
        }
        self.cast(fits, Scalar::Int { bits: 8, signed: false })
    }

    fn new_fresh(&mut self, args: &'u [Expr], span: Span) -> Option<ExprId> {
        let lvalue = pointer_lvalue(&args[0])?;
        let size = self.rvalue(&args[1]);
        let size = self.as_size(size);
        let size = self.stable(size, span);
        let dst = self.temp(Scalar::Ptr, span);
        self.new_object(dst, Block::new(size, AllocKind::Heap), span);
        let target = self.lvalue(lvalue);
        let block = self.var(dst);
        self.write(target, block, Scalar::Ptr, span);
        Some(self.constant(1, Scalar::Bool))
    }

    /// A register with the address of any byte that may be read in front of an edge, or 1.
    fn existing_byte(&mut self, edge: usize, span: Span) -> VarId {
        if let Some(byte) = self.f.contract.existing {
            return byte;
        }
        let resumed = self.f.flow.cur.take();
        self.f.flow.enter_before(edge);
        let byte = self.watched_byte(Access::Read, &[], span);
        self.f.flow.resume();
        self.f.flow.cur = resumed;
        self.f.contract.existing = Some(byte);
        byte
    }

    fn compare_fresh(&mut self, args: &'u [Expr], existing: Option<VarId>, span: Span) -> ExprId {
        let values = self.values(args);
        let (pointer, len) = (self.as_pointer(values[0]), self.as_size(values[1]));
        let (pointer, len) = (self.stable(pointer, span), self.stable(len, span));
        let mut fits = self.accessible(Access::Read, pointer, len);
        fits = self.truth(fits);
        if let Some(byte) = existing {
            let byte = self.var(byte);
            let is_old = self.is_in(byte, pointer, len);
            let is_new = self.not(is_old);
            fits = self.binary(BinOp::And, fits, is_new);
        }
        let start = self.cast(pointer, self.usize_ty());
        for (other, other_len) in self.f.contract.fresh.clone() {
            // Neither begins in the other: the distance, modulo the size of the address space, is not less than the length.
            let (other, other_len) = (self.var(other), self.var(other_len));
            for (from, to, len) in [(other, start, other_len), (start, other, len)] {
                let distance = self.binary(BinOp::Sub, to, from);
                let behind = self.binary(BinOp::Ge, distance, len);
                fits = self.binary(BinOp::And, fits, behind);
            }
        }
        let ty = self.usize_ty();
        let (begin, size) = (self.register(ty, "fresh", span), self.register(ty, "size", span));
        let zero = self.zero(ty);
        // Where a condition is not evaluated, it asks for nothing.
        let ops = [begin, size].map(|dst| (Op::Assign { dst, src: zero }, span));
        self.f.flow.prepend(ops.into());
        let fits = self.stable(fits, span);
        self.assign(begin, start, span);
        self.assign(size, len, span);
        self.f.contract.fresh.push((begin, size));
        fits
    }

    /// The size in bytes that a clause of the current function's contract says is there behind a parameter, if it is constant.
    fn fresh_size(&self, register: VarId) -> Option<u64> {
        let f = self.typed_function(self.f.func)?;
        let function = &self.unit.functions[f];
        let contract = self.unit.functions[function.stand_in?].body.as_ref()?;
        let at = function.body.as_ref()?.params.iter().position(|param| {
            self.places.get(base::Id::index(*param)).copied().flatten()
                == Some(crate::context::Place::Register(register))
        })?;
        let param = *contract.params.get(at)?;
        let typed::StmtKind::Block(stmts) = &contract.stmt.kind else { return None };
        stmts.iter().find_map(|stmt| match &stmt.kind {
            typed::StmtKind::Contract(contract) => match &**contract {
                Contract::Clause { role: Role::Assumed, condition } => self.fresh_size_in(condition, param),
                _ => None,
            },
            _ => None,
        })
    }

    fn fresh_size_in(&self, e: &Expr, param: typed::VarId) -> Option<u64> {
        match &e.kind {
            ExprKind::Cast(inner) => self.fresh_size_in(inner, param),
            ExprKind::Binary(_, a, b) => self.fresh_size_in(a, param).or_else(|| self.fresh_size_in(b, param)),
            ExprKind::Call { callee: Callee::Direct(f), args } if is_fresh_name(&self.unit.functions[*f].name) => {
                let is_param = extents::variable_of(&args[0]) == Some(param);
                let size = crate::effects::constant_of(&args[1]).and_then(|size| u64::try_from(size).ok());
                size.filter(|_| is_param)
            }
            _ => None,
        }
    }
}

/// The lvalue whose value a pointer is.
fn pointer_lvalue(mut pointer: &Expr) -> Option<&Expr> {
    while let ExprKind::Cast(inner) = &pointer.kind {
        pointer = inner;
    }
    match &pointer.kind {
        ExprKind::Load(lvalue) => Some(lvalue),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Whether an expression asks for fresh memory.
    pub fn is_fresh_call(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Call { callee: Callee::Direct(f), .. } if is_fresh_name(&self.unit.functions[*f].name))
    }
}

fn is_fresh_name(name: &str) -> bool {
    name == "__CPROVER_is_fresh"
}
