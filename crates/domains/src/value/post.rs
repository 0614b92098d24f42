//! Strongest postconditions of operations, and of calls and returns.

use super::assignment::Assignment;
use super::cells::{CellId, ObjId, ObjectName};
use super::number::Known;
use super::{ValueDomain, expand};
use base::Id;
use cfa::points_to::Object;
use cfa::{AllocKind, EdgeId, ExprId, FuncId, Op, Reach, Value, computed};
use rustc_hash::FxHashSet;
use step::End;
use step::StackId;

impl ValueDomain<'_> {
    /// Carries out an edge that leads to its target in the same frame, or enters a function: the stack behind it.
    ///
    /// # Errors
    /// When no run goes on.
    pub fn take<A: Assignment>(&mut self, a: &mut A, stack: StackId, edge: EdgeId) -> Result<StackId, End> {
        match &self.program.edges[edge].op {
            Op::Call { func, .. } => self.call(a, stack, edge, *func),
            Op::Assume { cond, truth } => self.assume(a, stack, *cond, *truth).map(|_| stack),
            _ => self.post(a, stack, edge).map(|()| stack),
        }
    }

    /// Carries out an operation that stays in its frame.
    pub fn post<A: Assignment>(&mut self, a: &mut A, stack: StackId, edge: EdgeId) -> Result<(), End> {
        a.begin();
        let program = self.program;
        match &program.edges[edge].op {
            Op::Skip | Op::Call { .. } => {}
            Op::Assign { dst, src } => {
                let v = self.eval(a, stack, *src)?;
                self.set_register(a, stack, *dst, v);
            }
            Op::Havoc { dst, .. } => self.set_register(a, stack, *dst, None),
            Op::Assume { cond, truth } => drop(self.assume(a, stack, *cond, *truth)?),
            Op::Store { addr, value } => self.store(a, stack, *addr, *value)?,
            Op::MemCopy { dst, src, len } => self.copy(a, stack, (*dst, *src), *len)?,
            Op::MemSet { dst, byte, len } => self.fill(a, stack, *dst, Some(*byte), *len)?,
            Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => self.fill(a, stack, *dst, None, *len)?,
            Op::MemHavoc { dst, len: Reach::Object, .. } => self.havoc_object(a, stack, *dst)?,
            Op::Alloc { dst, size, kind, .. } => {
                let size = self.eval(a, stack, *size)?;
                let obj = self.new_object(a, stack, edge, (*kind, size));
                a.begin();
                self.set_register(a, stack, *dst, Some(Known::Ptr(obj, 0)));
                if let (AllocKind::HeapZeroed, Some(Known::Num(size))) = (kind, size) {
                    let size = u64::try_from(size).unwrap_or(u64::MAX);
                    for (offset, bytes) in expand(&self.ranges_of(Object::Alloc(edge)), size) {
                        let cell = self.memory_cell(obj, offset, bytes);
                        let val = self.values.pack(Known::Num(0));
                        a.set(cell, val);
                    }
                }
            }
            Op::Realloc { dst, ptr, size } => {
                let old = self.eval(a, stack, *ptr)?;
                let size = self.eval(a, stack, *size)?;
                let obj = self.new_object(a, stack, edge, (AllocKind::Heap, size));
                if let Some(Known::Ptr(old, 0)) = old {
                    self.move_content(a, old, obj);
                }
                self.end_life(a, *ptr, old);
                a.begin();
                self.set_register(a, stack, *dst, Some(Known::Ptr(obj, 0)));
            }
            Op::Free { ptr, .. } => {
                let freed = self.eval(a, stack, *ptr)?;
                if let Some(Known::Ptr(obj, 0)) = freed {
                    self.forget_object(a, obj);
                }
                self.end_life(a, *ptr, freed);
            }
            Op::Declare { var } | Op::EndScope { var } => {
                if !program.vars[*var].is_global() && program.vars[*var].register().is_none() {
                    let obj = self.object_of(stack, *var);
                    self.forget_object(a, obj);
                    self.forget_pointers(a, |o, _| o == obj);
                }
            }
            Op::CallExtern { func, args, dst } => {
                let known = args.iter().map(|arg| self.eval(a, stack, *arg)).collect::<Result<Vec<_>, _>>()?;
                if let Some(dst) = dst {
                    let number = |arg: usize| match known[arg] {
                        Some(Known::Num(value)) => Some(Value(value)),
                        _ => None,
                    };
                    let result = computed::result(program, *func, args, number).map(|value| Known::Num(value.0));
                    self.set_register(a, stack, *dst, result);
                }
            }
            Op::CallPtr { .. } => return Err(End::Unmodelled(None)),
            Op::Undefined(what) => return Err(End::Undefined(*what)),
            Op::Halt => return Err(End::Blocked),
            Op::Unsupported(what) => return Err(End::Unmodelled(Some(*what))),
            Op::Repeat(_) => return Err(End::Unmodelled(None)),
        }
        Ok(())
    }

    /// An object was freed: pointers to what may be it become unknown, because a known one says that its object is alive.
    fn end_life<A: Assignment>(&mut self, a: &mut A, ptr: ExprId, freed: Option<Known>) {
        if !self.asks_for_life {
            return;
        }
        match freed {
            Some(Known::Ptr(obj, 0)) => {
                a.end_is_known(ptr);
                self.forget_pointers(a, |other, _| other == obj);
            }
            Some(Known::Num(0)) => a.end_is_known(ptr),
            _ => {
                let objects = self.points_to.objects_at(ptr);
                self.forget_pointers(a, |_, name| objects.binary_search(&name.origin()).is_ok());
            }
        }
    }

    /// The size of all objects that an edge makes, if it is the same for all of them.
    pub(super) fn allocated_size(&self, edge: EdgeId) -> Option<u64> {
        let size = match &self.program.edges[edge].op {
            Op::Alloc { size, .. } | Op::Realloc { size, .. } => self.program.exprs.as_const(*size),
            _ => None,
        };
        size.and_then(|v| u64::try_from(v.0).ok())
    }

    /// A new object with a name that the state does not mention.
    fn new_object<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        edge: EdgeId,
        (kind, size): (AllocKind, Option<Known>),
    ) -> ObjId {
        let mut mentioned = FxHashSet::default();
        let mut entries = Vec::new();
        a.entries(&mut entries);
        for (cell, val) in entries {
            mentioned.extend(self.cells.object_of(cell));
            if let Known::Ptr(obj, _) = self.values.get(val) {
                mentioned.insert(obj);
            }
        }
        let size = match size {
            Some(Known::Num(size)) if self.knows_computed_sizes => u64::try_from(size).ok(),
            _ => self.allocated_size(edge),
        };
        let name = match kind {
            AllocKind::Stack => ObjectName::Stack(stack, edge, 0, None),
            AllocKind::Heap | AllocKind::HeapZeroed => ObjectName::Heap(edge, 0, None),
        };
        self.unused(name.sized(size), mentioned.into_iter())
    }

    /// The first object with this name, but for its number, whose number none of these has.
    pub(super) fn unused(&mut self, name: ObjectName, others: impl Iterator<Item = ObjId>) -> ObjId {
        let others = others.map(|obj| self.cells.objects[obj].name);
        let alike = others.filter(|other| other.numbered(0) == name.numbered(0));
        let used: FxHashSet<u32> = alike.filter_map(ObjectName::number).collect();
        let number = (0..).find(|number| !used.contains(number)).unwrap_or(u32::MAX);
        let size = name.size();
        self.cells.object(name.numbered(number).sized(size), || size)
    }

    /// What `realloc` keeps.
    fn move_content<A: Assignment>(&mut self, a: &mut A, from: ObjId, to: ObjId) {
        let limit = self.cells.objects[to].size;
        let cells: Vec<(i64, u32, CellId)> = self.cells.overlapping(from, 0, u64::MAX >> 2).collect();
        for (offset, bytes, cell) in cells {
            let fits = limit.is_some_and(|size| (offset as u64).saturating_add(u64::from(bytes)) <= size);
            if fits && let Some(val) = a.get(cell) {
                let cell = self.memory_cell(to, offset, bytes);
                a.set(cell, val);
            }
        }
        self.forget_object(a, from);
    }

    /// Enters a function: arguments become parameters.
    pub fn call<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        edge: EdgeId,
        func: FuncId,
    ) -> Result<StackId, End> {
        let callee = self.push(stack, edge, func);
        let program = self.program;
        let Op::Call { args, .. } = &program.edges[edge].op else { return Ok(callee) };
        for (param, arg) in program.functions[func].params.iter().zip(args) {
            a.begin();
            let v = self.eval(a, stack, *arg)?;
            self.set_register(a, callee, *param, v);
        }
        // What the caller does not read afterwards is forgotten at once: nothing can change it until the return.
        let after = program.edges[edge].dst;
        let first = self.frames[stack].first;
        let count = self.facts.registers(program.locs[after].func).len() as u32;
        let result = program.edges[edge].op.assigned().filter(|dst| !program.vars[*dst].is_global());
        let result = result.map(|dst| self.slots[dst]);
        let id = |raw: u32| CellId::from_index(raw as usize);
        a.retain_range(id(first)..id(first + count), |cell| {
            let slot = cell.index() as u32 - first;
            result != Some(slot) && self.live.is_live(after, slot)
        });
        Ok(callee)
    }

    /// Leaves a function: the caller's stack and the call; `None` when the start function ends.
    pub fn leave<A: Assignment>(&mut self, a: &mut A, stack: StackId) -> Option<(StackId, EdgeId)> {
        let frame = self.stacks.frame(stack);
        let (caller, call) = frame.caller?;
        let program = self.program;
        if let Op::Call { dst: Some(dst), .. } = &program.edges[call].op {
            a.begin();
            let v = program.functions[frame.func].ret.and_then(|ret| a.get(self.register(stack, ret)));
            let v = v.map(|val| self.values.get(val));
            self.set_register(a, caller, *dst, v);
        }
        self.drop_frame(a, stack, frame.func);
        Some((caller, call))
    }

    /// Forgets the variables of a frame and all pointers to them.
    fn drop_frame<A: Assignment>(&mut self, a: &mut A, stack: StackId, func: FuncId) {
        let cells = self.frames[stack];
        let n = self.facts.registers(func).len() as u32;
        if n != 0 {
            let id = |raw: u32| CellId::from_index(raw as usize);
            a.forget_range(id(cells.first)..id(cells.first + n));
        }
        let has_memory = !self.facts.memory_vars(func).is_empty();
        if has_memory || self.facts.has_stack_allocations(func) {
            let mut memory = Vec::new();
            a.entries(&mut memory);
            let is_gone = |this: &Self, obj: ObjId| match this.cells.objects[obj].name {
                ObjectName::Local(owner, _) | ObjectName::Stack(owner, ..) => owner == stack,
                ObjectName::Global(_) | ObjectName::Heap(..) | ObjectName::Outer(..) => false,
            };
            for (cell, val) in memory {
                let object = self.cells.object_of(cell);
                let pointee = match self.values.get(val) {
                    Known::Ptr(obj, _) => Some(obj),
                    Known::Num(_) => None,
                };
                if object.is_some_and(|o| is_gone(self, o)) || pointee.is_some_and(|o| is_gone(self, o)) {
                    a.forget(cell);
                }
            }
        }
    }
}
