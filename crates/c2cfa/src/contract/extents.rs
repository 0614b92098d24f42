//! Targets of assigns clauses: where they lie, and how they become arbitrary.

use crate::context::{Lowerer, Place};
use base::Span;
use cfa::{Access, BinOp, CType, ExprId, ExprKind as CfaKind, HavocSource, Op, Reach, Scalar, Storage, VarId};
use cfront::typed::contract::{Place as Named, Target};
use cfront::typed::{self, Expr, ExprKind};

/// What a target names, in values that later writes don't change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// A register, where a condition holds.
    Register { var: VarId, condition: Option<ExprId> },
    /// So many bytes from an address on.
    Bytes { start: ExprId, len: ExprId, span: Span },
}

impl Extent {
    /// Whether it is memory.
    pub fn is_memory(&self) -> bool {
        matches!(self, Extent::Bytes { .. })
    }
}

/// The variable whose value an expression is, but for conversions.
pub(super) fn variable_of(mut e: &Expr) -> Option<typed::VarId> {
    loop {
        match &e.kind {
            ExprKind::Cast(inner) | ExprKind::Load(inner) => e = inner,
            ExprKind::Var(var) => return Some(*var),
            _ => return None,
        }
    }
}

impl<'u> Lowerer<'u> {
    /// Where targets lie now.
    pub fn extents(&mut self, targets: &'u [Target]) -> Vec<Extent> {
        targets.iter().map(|target| self.extent(target)).collect()
    }

    fn extent(&mut self, target: &'u Target) -> Extent {
        let span = target.span;
        let Some(condition) = &target.condition else { return self.place_extent(&target.place, None, span) };
        let holds = self.truth_value(condition);
        let holds = self.stable(holds, span);
        let (start, len) = (self.register(Scalar::Ptr, "start", span), self.register(self.usize_ty(), "len", span));
        for register in [start, len] {
            let zero = self.zero(self.p.vars[register].register().unwrap_or(Scalar::Ptr));
            self.assign(register, zero, span);
        }
        let (yes, end) = (self.node(), self.node());
        self.branch_on(holds, yes, end, span);
        self.enter(yes);
        let extent = self.place_extent(&target.place, Some(holds), span);
        if let Extent::Bytes { start: from, len: n, .. } = extent {
            self.assign(start, from, span);
            self.assign(len, n, span);
        }
        self.goto(end, span);
        self.enter(end);
        match extent {
            Extent::Bytes { .. } => Extent::Bytes { start: self.var(start), len: self.var(len), span },
            register => register,
        }
    }

    fn place_extent(&mut self, place: &'u Named, condition: Option<ExprId>, span: Span) -> Extent {
        let (start, len) = match place {
            Named::Variable(named) => match self.place(*named) {
                Place::Register(var) => return Extent::Register { var, condition },
                Place::Memory(var) => {
                    let size = self.storage_size(var);
                    (self.addr_of(var), self.size_constant(size))
                }
                Place::Pointer(var) => {
                    let size = self.size(self.unit.vars[*named].ty).unwrap_or(1);
                    (self.var(var), self.size_constant(size))
                }
            },
            Named::Range(pointer, len) => {
                let start = self.rvalue(pointer);
                let start = self.as_pointer(start);
                let start = self.stable(start, span);
                let len = self.rvalue(len);
                (start, self.as_size(len))
            }
            Named::Object(pointer) | Named::Rest(pointer) => {
                let value = self.rvalue(pointer);
                let value = self.as_pointer(value);
                let is_whole = matches!(place, Named::Object(_));
                self.object_extent(value, is_whole, span)
            }
        };
        Extent::Bytes { start: self.stable(start, span), len: self.stable(len, span), span }
    }

    /// The object that a pointer leads to, or its rest from there on: its start and its length.
    pub(super) fn object_extent(&mut self, pointer: ExprId, is_whole: bool, span: Span) -> (ExprId, ExprId) {
        if let CfaKind::AddrOf(var) = self.p.exprs.kind(pointer)
            && let Storage::Memory { size, .. } = self.p.vars[var].storage
        {
            return (pointer, self.size_constant(size));
        }
        let pointer = self.stable(pointer, span);
        let object = self.object_of(pointer, span);
        if is_whole {
            (self.cast(object.start, Scalar::Ptr), object.size)
        } else {
            (pointer, self.binary(BinOp::Sub, object.size, object.offset))
        }
    }

    pub(super) fn storage_size(&self, var: VarId) -> u64 {
        match self.p.vars[var].storage {
            Storage::Memory { size, .. } => size,
            Storage::Register(_) => 0,
        }
    }

    /// Targets become arbitrary. Memory among them must be there.
    pub fn havoc_extents(&mut self, extents: &[Extent], span: Span) {
        for extent in extents {
            match *extent {
                Extent::Register { var, condition: None } => self.havoc_register(var, span),
                Extent::Register { var, condition: Some(condition) } => {
                    self.when(condition, span, |this| this.havoc_register(var, span));
                }
                Extent::Bytes { start, len, span } => {
                    // Null is a target without bytes.
                    let is_set = self.truth(start);
                    self.when(is_set, span, |this| {
                        this.check_range(start, len, Access::Write, span);
                        this.havoc_bytes(start, len, span);
                    });
                }
            }
        }
    }

    /// A register gets any value of its type.
    pub(super) fn havoc_register(&mut self, var: VarId, span: Span) {
        self.emit(Op::Havoc { dst: var, source: HavocSource::Environment }, span);
        if let Some(CType::Scalar { name, .. }) = self.p.ctypes.try_get(self.p.vars[var].ctype)
            && &**name == "_Bool"
        {
            let value = self.var(var);
            let truth = self.truth(value);
            self.assign(var, truth, span);
        }
    }

    /// So many bytes become arbitrary, all of which are there.
    fn havoc_bytes(&mut self, start: ExprId, len: ExprId, span: Span) {
        let source = HavocSource::Environment;
        if let Some(len) = self.as_int(len).and_then(|len| u64::try_from(len).ok()) {
            if len > 0 {
                self.emit(Op::MemHavoc { dst: start, len: Reach::Bytes(len), source }, span);
            }
            return;
        }
        let (ty, byte) = (self.usize_ty(), Scalar::Int { bits: 8, signed: false });
        let (counter, any) = (self.register(ty, "i", span), self.register(byte, "byte", span));
        let zero = self.zero(ty);
        self.assign(counter, zero, span);
        let (head, inside, end) = (self.node(), self.node(), self.node());
        self.goto(head, span);
        self.enter(head);
        let i = self.var(counter);
        let more = self.binary(BinOp::Lt, i, len);
        self.branch_on(more, inside, end, span);
        self.enter(inside);
        self.emit(Op::Havoc { dst: any, source }, span);
        let at = self.ptr_add(start, i);
        let value = self.var(any);
        self.store(at, value, span);
        let next = self.with_constant(BinOp::Add, i, 1);
        self.assign(counter, next, span);
        self.goto(head, span);
        self.enter(end);
    }
}
