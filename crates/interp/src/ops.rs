//! Operations that are not worth code of their own: havoc, blocks of memory, objects, calls through pointers, ends of paths.

use crate::code::{EdgeCode, cell};
use crate::inputs::{self, Request, Source};
use crate::library::Library;
use crate::machine::{End, Interpreter};
use crate::memory::{AllocError, Miss, ObjectKind, Slot};
use crate::numeric::is_as_computed;
use crate::observe::{Effect, Observe};
use crate::outcome::Outcome;
use crate::run::Env;
use base::Stop;
use cfa::{
    AllocKind, Edge, EdgeId, ExprId, FuncId, HavocSource, Op, Reach, Scalar, Storage, Undefined, Value, VarId, layout,
};

impl Interpreter<'_> {
    /// Value of the `n`-th operand from `args` on.
    fn operand(&self, args: u32, n: usize) -> u128 {
        self.cells[cell(self.base, self.code.operands[args as usize + n])]
    }

    /// Carries out an operation whose expressions' values are the operands from `args` on.
    #[inline(never)]
    pub(crate) fn other<O: Observe>(
        &mut self,
        code: EdgeCode,
        index: u32,
        args: u32,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let program = self.program;
        let edge = code.edge;
        let first = || self.operand(args, 0);
        match &program.edges[edge].op {
            Op::Skip | Op::Assign { .. } | Op::Assume { .. } | Op::Store { .. } => {}
            Op::Havoc { source: HavocSource::Unmapped, .. } => {
                self.emit_if_active(edge, Effect::None, env);
                let detail = "the pointer leads to no object".to_owned();
                return Err(Outcome::Undefined { what: Undefined::InvalidAccess, edge, detail }.into());
            }
            Op::Havoc { dst, source } => self.havoc(*dst, Source::Havoc(*dst, *source), edge, env),
            Op::MemCopy { len, .. } => {
                let (dst, src) = (self.operand(args, 0) as u64, self.operand(args, 1) as u64);
                self.mem_copy(dst, src, *len, edge, env)?;
            }
            Op::MemSet { len, .. } => {
                let (dst, byte) = (self.operand(args, 0) as u64, self.operand(args, 1) as u8);
                self.write_with(dst, *len, edge, env, |_, bytes| bytes.fill(byte))?;
            }
            Op::MemHavoc { len, source, .. } => {
                let (dst, len) = self.reached(first() as u64, *len);
                if *source == HavocSource::Environment && self.library.written.take() == Some(dst) {
                    return self.arrive(&code);
                }
                let source = Source::MemHavoc(dst, *source);
                self.write_with(dst, len, edge, env, |env, bytes| {
                    bytes.fill(0);
                    env.inputs.bytes(&Request { program, edge, source }, bytes);
                })?;
            }
            Op::Alloc { dst, align, kind, .. } => self.alloc(*dst, (first() as u64, *align), *kind, edge, env)?,
            Op::Realloc { dst, .. } => {
                let (old, size) = (self.operand(args, 0) as u64, self.operand(args, 1) as u64);
                self.realloc(*dst, old, size, edge, env)?;
            }
            Op::Free { kind, .. } => {
                let address = first() as u64;
                self.free(address, *kind, edge)?;
                self.emit_if_active(edge, Effect::Free { address }, env);
            }
            Op::Declare { var } => self.declare(*var, edge, env)?,
            Op::EndScope { var } => {
                let address = self.end_scope(*var);
                self.emit_if_active(edge, Effect::Free { address }, env);
            }
            // Calls of functions with a body have code of their own.
            Op::Call { func, .. } => return self.call(*func, args, index, env),
            Op::CallPtr { .. } => return self.call_pointer(code, index, args, env),
            Op::CallExtern { .. } => return self.call_external(code, args, env),
            // Replays run the program as it was before it was accelerated.
            Op::Repeat(_) => {
                let detail = "iterations of an accelerated path".to_owned();
                return Err(Outcome::Undefined { what: Undefined::InvalidCall, edge, detail }.into());
            }
            Op::Undefined(what) => {
                self.emit_if_active(edge, Effect::None, env);
                return Err(Outcome::Undefined { what: *what, edge, detail: String::new() }.into());
            }
            Op::Halt => {
                self.emit_if_active(edge, Effect::None, env);
                return Err(self.halt());
            }
            Op::Unsupported(what) => {
                self.emit_if_active(edge, Effect::None, env);
                return Err(Outcome::Unsupported { what: *what, edge }.into());
            }
        }
        self.arrive(&code)
    }

    /// A new object on heap or stack, with its address in `dst`.
    fn alloc<O: Observe>(
        &mut self,
        dst: VarId,
        size: (u64, u32),
        kind: AllocKind,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let slot = self.new_object(size, kind, edge, env)?;
        if kind != AllocKind::HeapZeroed {
            let source = Source::Allocated(kind);
            let bytes = self.memory.data_mut(slot);
            env.inputs.bytes(&Request { program: self.program, edge, source }, bytes);
            if cfa::start::makes_arguments(self.program, edge) {
                inputs::complete_arguments(self.program, bytes);
            }
        }
        if kind == AllocKind::Stack {
            self.owned.push(slot);
        }
        self.assign_object(dst, slot, edge, env);
        Ok(())
    }

    /// A call through the pointer that is the first operand.
    fn call_pointer<O: Observe>(
        &mut self,
        code: EdgeCode,
        index: u32,
        args: u32,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let (program, edge) = (self.program, code.edge);
        let Op::CallPtr { args: exprs, dst, ty_key, .. } = &program.edges[edge].op else { return self.arrive(&code) };
        let address = self.operand(args, 0) as u64;
        let func = layout::function_at(program, address).filter(|f| program.functions[*f].ty_key == *ty_key);
        let Some(func) = func else {
            let detail = format!("call of `{}`", self.describe(address, None));
            return Err(Outcome::Undefined { what: Undefined::InvalidCall, edge, detail }.into());
        };
        if program.functions[func].body.is_some() {
            return self.call(func, args + 1, index, env);
        }
        if code.observed {
            self.observe_call(edge, func)?;
        }
        self.call_extern(func, exprs, args + 1, *dst, edge, env)?;
        self.arrive(&code)
    }

    /// A call of a function without a body.
    fn call_external<O: Observe>(&mut self, code: EdgeCode, args: u32, env: &mut Env<'_, O>) -> Result<(), End> {
        let (program, edge) = (self.program, code.edge);
        let Op::CallExtern { func, args: exprs, dst } = &program.edges[edge].op else { return self.arrive(&code) };
        // The call is seen when it is made, before the library can find fault with its arguments.
        if code.observed {
            let seen = self.observe_edge(edge);
            if seen.is_err() {
                if O::ACTIVE {
                    let values = self.values(args, exprs.len());
                    self.emit(edge, Effect::Extern { func: *func, args: &values, result: None }, env);
                }
                return seen;
            }
        }
        self.call_extern(*func, exprs, args, *dst, edge, env)?;
        self.arrive(&EdgeCode { observed: false, ..code })
    }

    fn emit_if_active<O: Observe>(&self, edge: EdgeId, effect: Effect<'_>, env: &mut Env<'_, O>) {
        if O::ACTIVE {
            self.emit(edge, effect, env);
        }
    }

    fn values(&self, args: u32, count: usize) -> Vec<Value> {
        (0..count).map(|n| Value(self.operand(args, n))).collect()
    }

    fn assign(&mut self, var: VarId, value: u128) {
        let at = cell(self.base, self.code.vars[var]);
        self.cells[at] = value;
    }

    /// A value from the inputs that fits the register.
    fn input<O: Observe>(&self, var: VarId, source: Source, edge: EdgeId, env: &mut Env<'_, O>) -> Value {
        let ty = self.program.vars[var].register().unwrap_or(Scalar::INT);
        let value = env.inputs.value(&Request { program: self.program, edge, source }, ty).unwrap_or_default();
        Value::truncated(value.0, ty.bits(self.program.pointer_bits()))
    }

    fn havoc<O: Observe>(&mut self, dst: VarId, source: Source, edge: EdgeId, env: &mut Env<'_, O>) {
        let value = self.input(dst, source, edge, env);
        self.assign(dst, value.0);
        self.emit_if_active(edge, Effect::Assign { var: dst, value }, env);
    }

    fn mem_copy<O: Observe>(
        &mut self,
        dst: u64,
        src: u64,
        len: u64,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        if len != 0 && self.memory.copy(dst, src, len).is_err() {
            // One side is external or invalid.
            let bytes = self.read_bytes(src, len, edge, env)?;
            self.write_bytes(dst, &bytes, edge)?;
        }
        if O::ACTIVE {
            self.emit_write(dst, len, edge, env);
        }
        Ok(())
    }

    /// The bytes that are reached from an address. Outside of the program, an object may be as small as can be.
    fn reached(&self, address: u64, reach: Reach) -> (u64, u64) {
        match (reach, self.memory.object_at(address)) {
            (Reach::Bytes(len), _) => (address, len),
            (Reach::Object, Some(object)) if address - object.base < object.size => (object.base, object.size),
            (Reach::Object, _) => (address, 1),
        }
    }

    /// Writes a range with the bytes that `fill` makes.
    fn write_with<'e, O: Observe>(
        &mut self,
        dst: u64,
        len: u64,
        edge: EdgeId,
        env: &mut Env<'e, O>,
        fill: impl FnOnce(&mut Env<'e, O>, &mut [u8]),
    ) -> Result<(), End> {
        if len != 0 {
            match self.memory.range(dst, len) {
                Ok(bytes) => fill(env, bytes),
                Err(Miss::Invalid | Miss::Asked) => return Err(self.invalid_access("write", dst, len, edge)),
                Err(Miss::External) if len > self.config.memory_limit => return Err(Outcome::from(Stop::Memory).into()),
                Err(Miss::External) => {
                    let mut bytes = vec![0; len as usize];
                    fill(env, &mut bytes);
                    self.memory.write_external(dst, &bytes);
                }
            }
        }
        if O::ACTIVE {
            self.emit_write(dst, len, edge, env);
        }
        Ok(())
    }

    /// Makes a zeroed object without a name.
    fn new_object<O: Observe>(
        &mut self,
        (size, align): (u64, u32),
        kind: AllocKind,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Slot, End> {
        let kind = match kind {
            AllocKind::Heap | AllocKind::HeapZeroed => {
                self.heap_objects += 1;
                ObjectKind::Heap(self.heap_objects)
            }
            AllocKind::Stack => {
                let Edge { src, op, .. } = &self.program.edges[edge];
                match op.assigned() {
                    Some(var) if self.program.locs[*src].func == self.program.start => ObjectKind::Argument(var),
                    Some(var) if self.program.vars[var].is_named_temporary() => ObjectKind::Array(var),
                    _ => {
                        self.stack_objects += 1;
                        ObjectKind::Stack(self.stack_objects)
                    }
                }
            }
        };
        let address = env.inputs.allocation(edge);
        self.memory.allocate(size, u64::from(align), kind, address).map_err(|e| alloc_error(e, size, edge))
    }

    fn assign_object<O: Observe>(&mut self, dst: VarId, slot: Slot, edge: EdgeId, env: &mut Env<'_, O>) {
        let object = self.memory.info(slot);
        self.assign(dst, u128::from(object.base));
        self.emit_if_active(edge, Effect::Allocate { object, var: Some(dst) }, env);
    }

    fn realloc<O: Observe>(
        &mut self,
        dst: VarId,
        old: u64,
        size: u64,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let old = if old == 0 { None } else { Some(self.heap_object(old, edge)?) };
        let slot = self.new_object((size, cfa::layout::ALLOCATED), AllocKind::Heap, edge, env)?;
        let (mut kept, mut ended) = (0, None);
        if let Some(old) = old {
            let info = self.memory.info(old);
            kept = info.size.min(size);
            let bytes = self.memory.data(old)[..kept as usize].to_vec();
            self.memory.data_mut(slot)[..kept as usize].copy_from_slice(&bytes);
            self.memory.kill(old);
            ended = Some(info.base);
        }
        let fresh = &mut self.memory.data_mut(slot)[kept as usize..];
        env.inputs.bytes(&Request { program: self.program, edge, source: Source::Reallocated(kept) }, fresh);
        self.assign_object(dst, slot, edge, env);
        if let Some(address) = ended {
            self.emit_if_active(edge, Effect::Free { address }, env);
        }
        Ok(())
    }

    /// The live heap object that begins at `address`.
    fn heap_object(&self, address: u64, edge: EdgeId) -> Result<Slot, End> {
        let slot = self.memory.beginning_at(address);
        slot.filter(|s| matches!(self.memory.info(*s).kind, ObjectKind::Heap(_))).ok_or_else(|| {
            let detail = match (self.memory.object_at(address), self.memory.dead_object_at(address)) {
                (None, Some(object)) if matches!(object.kind, ObjectKind::Heap(_)) => {
                    format!("`{}` was freed before", crate::describe::object_name(self.program, object.kind))
                }
                _ => format!("`{}` is not the begin of a heap object", self.describe(address, None)),
            };
            Outcome::Undefined { what: Undefined::InvalidFree, edge, detail }.into()
        })
    }

    /// Ends the life of an object. External memory may well have been allocated by the external code, so freeing it does nothing.
    fn free(&mut self, address: u64, kind: AllocKind, edge: EdgeId) -> Result<(), End> {
        if kind == AllocKind::Stack {
            let array = self.memory.beginning_at(address);
            if let Some(owned) = self.owned.iter_mut().rev().find(|owned| Some(**owned) == array) {
                self.memory.kill(std::mem::take(owned));
            }
        } else if address != 0 && !layout::external_range(self.program.machine).contains(&address) {
            let slot = self.heap_object(address, edge)?;
            self.memory.kill(slot);
        }
        Ok(())
    }

    fn declare<O: Observe>(&mut self, var: VarId, edge: EdgeId, env: &mut Env<'_, O>) -> Result<(), End> {
        let Storage::Memory { size, align } = self.program.vars[var].storage else { return Ok(()) };
        if self.program.vars[var].is_global() {
            return Ok(());
        }
        self.end_scope(var);
        let address = env.inputs.allocation(edge);
        let slot = self
            .memory
            .allocate(size, u64::from(align), ObjectKind::Local(var), address)
            .map_err(|e| alloc_error(e, size, edge))?;
        let request = Request { program: self.program, edge, source: Source::Declared(var) };
        env.inputs.bytes(&request, self.memory.data_mut(slot));
        let at = cell(self.base, self.code.vars[var]);
        let object = self.memory.info(slot);
        self.cells[at] = u128::from(object.base);
        match (self.cells[at + 1] as usize).checked_sub(1) {
            Some(place) => self.owned[place] = slot,
            None => {
                self.owned.push(slot);
                self.cells[at + 1] = self.owned.len() as u128;
            }
        }
        self.emit_if_active(edge, Effect::Allocate { object, var: Some(var) }, env);
        Ok(())
    }

    /// Ends the instance of a local memory variable, if there is one, and returns its address. The cell keeps the address:
    /// a pointer to a dead object.
    fn end_scope(&mut self, var: VarId) -> u64 {
        if self.program.vars[var].register().is_some() || self.program.vars[var].is_global() {
            return 0;
        }
        let at = cell(self.base, self.code.vars[var]);
        if let Some(place) = (self.cells[at + 1] as usize).checked_sub(1) {
            match std::mem::take(&mut self.owned[place]) {
                0 => {}
                slot => self.memory.kill(slot),
            }
        }
        self.cells[at] as u64
    }

    fn call_extern<O: Observe>(
        &mut self,
        func: FuncId,
        exprs: &[ExprId],
        args: u32,
        dst: Option<VarId>,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let is_determined = dst.is_some() && self.library.determined[func];
        let values = match self.config.library {
            Library::InputsOnly if !O::ACTIVE && !is_determined => Vec::new(),
            _ => self.values(args, exprs.len()),
        };
        let computed = match self.config.library {
            Library::InputsOnly => None,
            Library::Execute => self.library_call(func, exprs, &values, edge, env)?,
        };
        let result = dst.map(|dst| {
            let ty = self.program.vars[dst].register().unwrap_or(Scalar::INT);
            let bits = ty.bits(self.program.pointer_bits());
            let value = match computed {
                Some(value) => Value::truncated(value.0, bits),
                None => self.input(dst, Source::Extern(func), edge, env),
            };
            self.assign(dst, value.0);
            (dst, value)
        });
        if let (true, None, Some((dst, value))) = (is_determined, computed, result) {
            let ty = self.program.vars[dst].register().unwrap_or(Scalar::INT);
            let bits = self.program.pointer_bits();
            let right = self.determined(func, exprs, &values, edge, env)?;
            if right.is_some_and(|right| !is_as_computed(ty, value, right, bits)) {
                return Err(Outcome::Contradicted { edge }.into());
            }
        }
        self.emit_if_active(edge, Effect::Extern { func, args: &values, result }, env);
        Ok(())
    }
}

fn alloc_error(error: AllocError, size: u64, edge: EdgeId) -> End {
    match error {
        AllocError::TooLarge => {
            let detail = format!("object of {size} bytes");
            Outcome::Undefined { what: Undefined::InvalidSize, edge, detail }.into()
        }
        AllocError::Exhausted => Outcome::from(Stop::Memory).into(),
    }
}
