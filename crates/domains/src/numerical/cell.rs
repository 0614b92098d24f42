//! What has a number: registers of frames, and memory at fixed places.

use super::number::is_tracked;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, Op, Program, Scalar, VarId};
use step::StackId;

/// What can have a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A register of the stack's top frame; globals belong to the stack of the start function.
    Register(StackId, VarId),
    /// Bytes of a memory variable, by their offset; the stack as for registers.
    Memory(StackId, VarId, u64),
}

impl Place {
    /// The stack whose top frame has it.
    pub fn stack(self) -> StackId {
        match self {
            Place::Register(stack, _) | Place::Memory(stack, ..) => stack,
        }
    }
}

/// A cell with its type: accesses of another type do not see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// What has the number.
    pub place: Place,
    /// How its bits are read.
    pub ty: Scalar,
}

/// Where expressions are evaluated.
#[derive(Clone, Copy)]
pub struct Scope<'p> {
    /// The program.
    pub program: &'p Program,
    /// The stack whose top frame has the local variables.
    pub stack: StackId,
    /// The stack of globals.
    pub root: StackId,
}

/// A call: the frames on both sides.
#[derive(Clone, Copy)]
pub struct Call<'p> {
    /// The frame that calls.
    pub caller: Scope<'p>,
    /// The frame that is entered.
    pub callee: Scope<'p>,
    /// The edge.
    pub edge: EdgeId,
    /// The function that is entered.
    pub func: FuncId,
}

impl Call<'_> {
    /// Parameters with numbers, and the arguments, which are expressions of the caller.
    pub fn parameters(self) -> Vec<(Cell, ExprId)> {
        let program = self.caller.program;
        let Op::Call { args, .. } = &program.edges[self.edge].op else { return Vec::new() };
        let parameters = program.functions[self.func].params.iter().map(|param| self.callee.register(*param));
        parameters.zip(args).filter_map(|(param, arg)| Some((param?, *arg))).collect()
    }

    /// The number that gets the result, and the callee's one that is the result, if there is one of the same type.
    pub fn result(self) -> Option<(Cell, Option<Cell>)> {
        let program = self.caller.program;
        let Op::Call { dst, .. } = &program.edges[self.edge].op else { return None };
        let dst = self.caller.register((*dst)?)?;
        let ret = program.functions[self.func].ret.and_then(|ret| self.callee.register(ret));
        Some((dst, ret.filter(|ret| ret.ty == dst.ty)))
    }

    /// Whether a cell is still there when the function has returned.
    pub fn outlives(self, cell: &Cell) -> bool {
        cell.place.stack() != self.callee.stack
    }
}

impl Scope<'_> {
    fn stack_of(&self, var: VarId) -> StackId {
        if self.program.vars[var].is_global() { self.root } else { self.stack }
    }

    /// The cell of a register; `None` if its type is not tracked.
    pub fn register(&self, var: VarId) -> Option<Cell> {
        let ty = self.program.vars[var].register().filter(|ty| is_tracked(*ty))?;
        Some(Cell { place: Place::Register(self.stack_of(var), var), ty })
    }

    /// The variable and offset that an address names, whatever the state.
    pub fn static_address(&self, addr: ExprId) -> Option<(StackId, VarId, u64)> {
        let exprs = &self.program.exprs;
        let mask = u64::MAX >> (64 - self.program.pointer_bits());
        let (mut at, mut offset) = (addr, 0u64);
        loop {
            match exprs.kind(at) {
                // An offset before the object is none that is known.
                ExprKind::AddrOf(var) => return (offset <= mask >> 1).then_some((self.stack_of(var), var, offset)),
                ExprKind::PtrAdd(base, by) => {
                    let by = exprs.as_const(by)?;
                    offset = offset.wrapping_add(u64::try_from(by.0).ok()?) & mask;
                    at = base;
                }
                ExprKind::Cast(inner) if exprs.ty(inner) == Scalar::Ptr => at = inner,
                _ => return None,
            }
        }
    }

    /// The cell of an access; `None` if it is not known which one it is, or its type is not tracked.
    pub fn memory(&self, addr: ExprId, ty: Scalar) -> Option<Cell> {
        let (stack, var, offset) = self.static_address(addr)?;
        is_tracked(ty).then_some(Cell { place: Place::Memory(stack, var, offset), ty })
    }
}
