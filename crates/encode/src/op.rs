//! Strongest postconditions of operations that stay in their frame.

use crate::encoder::{Dead, Encoder, EndingKind, LogEntry, Logged};
use crate::memory::object::{ObjId, ObjectKind, Rest};
use crate::state::{FrameSlots, State};
use cfa::{AllocKind, EdgeId, ExprId, FuncId, Op, Reach, Scalar, Storage, Value, VarId};
use smt::{Node, TermId};

impl Encoder<'_> {
    /// Sets a register, or the address of a memory variable's current instance.
    pub fn assign(&mut self, state: &mut State, frame: FrameSlots, var: VarId, value: TermId) {
        let slot = self.slots.slot(self.program, frame, var);
        state.slots.insert(slot, value);
    }

    /// Executes the operation of an edge. Calls of functions with a body are the caller's business: here they
    /// only leave the state as it is. `Err` means that no run goes on.
    pub fn execute(&mut self, state: &mut State, frame: FrameSlots, edge: EdgeId) -> Result<(), Dead> {
        self.edge = edge;
        let program = self.program;
        match &program.edges[edge].op {
            Op::Skip | Op::Call { .. } => Ok(()),
            Op::EndScope { var } => {
                self.end_scope(state, frame, *var);
                Ok(())
            }
            Op::Assign { dst, src } => {
                let value = self.eval(state, frame, *src)?;
                self.assign(state, frame, *dst, value);
                Ok(())
            }
            Op::Havoc { dst, .. } => {
                let ty = program.vars[*dst].register().unwrap_or(Scalar::Ptr);
                let value = self.arbitrary(state, &program.vars[*dst].name, ty);
                self.assign(state, frame, *dst, value);
                Ok(())
            }
            Op::CallExtern { func, args, dst } => self.call_extern(state, frame, (*func, args), *dst),
            Op::Assume { cond, truth } => {
                let mut cond = self.eval(state, frame, *cond)?;
                if !*truth {
                    cond = self.terms.not(cond);
                }
                self.assume(state, cond)
            }
            Op::Store { addr, value } => {
                let ty = program.exprs.ty(*value);
                let address = self.eval(state, frame, *addr)?;
                let value = self.eval(state, frame, *value)?;
                self.store(state, *addr, address, value, ty)
            }
            Op::MemCopy { dst, src, len } => {
                let to = self.eval(state, frame, *dst)?;
                let from = self.eval(state, frame, *src)?;
                self.copy(state, (*dst, to), (*src, from), *len)
            }
            Op::MemSet { dst, byte, len } => {
                let to = self.eval(state, frame, *dst)?;
                let byte = self.eval(state, frame, *byte)?;
                self.fill(state, (*dst, to), byte, *len)
            }
            Op::MemHavoc { dst, len, .. } => {
                let to = self.eval(state, frame, *dst)?;
                match len {
                    Reach::Bytes(len) => self.havoc(state, (*dst, to), *len),
                    Reach::Object => self.havoc_object(state, *dst, to),
                }
            }
            Op::Repeat(repeat) => self.repeat(state, frame, repeat),
            Op::Alloc { dst, size, align, kind } => {
                let size = self.eval(state, frame, *size)?;
                let base = self.make(state, frame, (size, *align), *kind)?;
                self.assign(state, frame, *dst, base);
                Ok(())
            }
            Op::Realloc { dst, ptr, size } => {
                let address = self.eval(state, frame, *ptr)?;
                let size = self.eval(state, frame, *size)?;
                let base = self.reallocate(state, *ptr, address, size)?;
                self.assign(state, frame, *dst, base);
                Ok(())
            }
            Op::Free { ptr, kind } => {
                let address = self.eval(state, frame, *ptr)?;
                self.free(state, *ptr, address, *kind)
            }
            Op::Declare { var } => self.declare(state, frame, *var),
            Op::CallPtr { .. } => self.end(state, EndingKind::Unsupported("call through an unresolved pointer")),
            Op::Undefined(what) => self.end(state, EndingKind::Undefined(*what)),
            Op::Unsupported(what) => self.end(state, EndingKind::Construct(*what)),
            Op::Halt => Err(Dead),
        }
    }

    /// A new instance of a local memory variable.
    fn declare(&mut self, state: &mut State, frame: FrameSlots, var: VarId) -> Result<(), Dead> {
        let Storage::Memory { size, align } = self.program.vars[var].storage else { return Ok(()) };
        self.tell_instances(state, frame, var)?;
        let size = self.terms.bv(self.program.pointer_bits(), u128::from(size));
        if self.asks_for_life {
            self.end_instance(state, frame, var);
        }
        let (object, base) = self.allocate(state, size, align, ObjectKind::Local(var), Rest::Arbitrary)?;
        self.own(frame, object);
        self.assign(state, frame, var, base);
        Ok(())
    }

    /// The address of a new object that the current edge makes.
    fn make(
        &mut self,
        state: &mut State,
        frame: FrameSlots,
        (size, align): (TermId, u32),
        kind: AllocKind,
    ) -> Result<TermId, Dead> {
        let (object, rest) = match kind {
            AllocKind::Heap => (ObjectKind::Heap(self.edge), Rest::Arbitrary),
            AllocKind::HeapZeroed => (ObjectKind::Heap(self.edge), Rest::Zero),
            AllocKind::Stack => (ObjectKind::Stack(self.edge), Rest::Arbitrary),
        };
        let (object, base) = self.allocate(state, size, align, object, rest)?;
        if kind == AllocKind::Stack {
            self.own(frame, object);
        }
        Ok(base)
    }

    /// The object ends with the frame.
    fn own(&mut self, frame: FrameSlots, object: ObjId) {
        if self.asks_for_life && self.canon.is_none() {
            self.owned.entry(frame.0).or_default().push(object);
        }
    }

    /// Evaluates the arguments of a call in the caller's frame and assigns them to the parameters in the callee's. `Err` means
    /// that no run gets past the arguments.
    pub fn enter(
        &mut self,
        state: &mut State,
        edge: EdgeId,
        caller: FrameSlots,
        callee: FrameSlots,
    ) -> Result<(), Dead> {
        let program = self.program;
        let Op::Call { func, args, .. } = &program.edges[edge].op else { return Ok(()) };
        self.edge = edge;
        self.frames.insert(callee.0, *func);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(state, caller, *arg)?);
        }
        for (param, value) in program.functions[*func].params.iter().zip(values) {
            self.assign(state, callee, *param, value);
        }
        Ok(())
    }

    /// Forgets the frame of a function, and assigns its result where the call wants it.
    pub fn leave(&mut self, state: &mut State, call: EdgeId, callee: FrameSlots, caller: FrameSlots) {
        let program = self.program;
        let Op::Call { func, dst, .. } = &program.edges[call].op else { return };
        let result = match (dst, program.functions[*func].ret) {
            (Some(dst), Some(ret)) => Some((*dst, self.register(state, callee, ret))),
            _ => None,
        };
        self.end_frame(state, callee);
        let size = self.slots.frame_size(*func);
        self.drop_frame(state, callee, size);
        if let Some((dst, value)) = result {
            self.assign(state, caller, dst, value);
        }
    }

    /// Keeps the runs for which a condition that was evaluated has a truth value.
    pub fn assume_value(&mut self, state: &mut State, edge: EdgeId, value: TermId, truth: bool) -> Result<(), Dead> {
        self.passed.insert(edge);
        let literal = if truth { value } else { self.terms.not(value) };
        self.assume(state, literal)
    }

    /// Ends all paths of the state.
    fn end(&mut self, state: &mut State, kind: EndingKind) -> Result<(), Dead> {
        let fals = self.terms.fals();
        self.require(state, fals, kind)
    }

    /// Calls a function without a body. Arguments are evaluated for the undefined behaviour that they may have, too.
    fn call_extern(
        &mut self,
        state: &mut State,
        frame: FrameSlots,
        (func, args): (FuncId, &[ExprId]),
        dst: Option<VarId>,
    ) -> Result<(), Dead> {
        let values = args.iter().map(|arg| self.eval(state, frame, *arg)).collect::<Result<Vec<_>, _>>()?;
        let Some(dst) = dst else { return Ok(()) };
        let var = &self.program.vars[dst];
        let ty = var.register().unwrap_or(Scalar::Ptr);
        let value = match self.computed(func, args, &values) {
            Some(result) => {
                let result = self.constant(ty, result);
                let what = Logged::Value { var: result, ty };
                self.log.push(LogEntry { guard: state.guard, edge: self.edge, what });
                result
            }
            None => self.arbitrary(state, &var.name, ty),
        };
        self.assign(state, frame, dst, value);
        Ok(())
    }

    /// The result of a function that its arguments determine, where they are known.
    pub fn computed(&self, func: FuncId, args: &[ExprId], values: &[TermId]) -> Option<Value> {
        let known = |arg: usize| match self.terms.node(values[arg]) {
            Node::Bv { value: bits, .. } | Node::Float { bits, .. } => Some(Value(bits)),
            _ => None,
        };
        cfa::computed::result(self.program, func, args, known)
    }
}
