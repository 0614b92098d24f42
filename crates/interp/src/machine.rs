//! The state of a run, its main loop, and calls.

use crate::code::{Action, EdgeCode, LocCode, cell};
use crate::compile::Compiled;
use crate::eval::execute;
use crate::inputs::{Inputs, Request, Source};
use crate::library::{Library, LibraryState};
use crate::memory::{Memory, Miss, ObjectKind, Slot, from_bytes};
use crate::observe::{Effect, Observe, Step};
use crate::outcome::{Outcome, Run};
use base::{Budget, Stop};
use cfa::layout::{self, AddressSpace};
use cfa::observer::ObserverState;
use cfa::{EdgeId, FuncId, InitValue, LocId, Observer, Pattern, Program, Scalar, Storage, Undefined, Value};
use std::io::Write;

/// What stays the same for a whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// What functions without a body do.
    pub library: Library,
    /// Most edges to take.
    pub step_limit: Option<u64>,
    /// Most bytes that objects, and registers of all frames, may have.
    pub memory_limit: u64,
    /// What a read outside of every object does.
    pub outside: OutsideRead,
}

/// What a read outside of every live object does (through a null pointer it always ends the run).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutsideRead {
    /// It ends the run as undefined behaviour.
    Ends,
    /// The run goes on as on a machine, with bytes that the inputs give ([`crate::Source::Outside`]).
    GoesOn,
}

/// Addresses below belong to null pointers.
const NULL_PAGE: u64 = 4096;

impl Default for Config {
    fn default() -> Self {
        Self { library: Library::InputsOnly, step_limit: None, memory_limit: 2 << 30, outside: OutsideRead::Ends }
    }
}

/// What a run meets outside of the program.
pub struct Env<'e, O: Observe> {
    /// Everything that the semantics leaves open.
    pub inputs: &'e mut dyn Inputs,
    /// Standard output.
    pub output: &'e mut dyn Write,
    /// Standard error.
    pub errors: &'e mut dyn Write,
    /// Limits.
    pub budget: &'e Budget,
    /// Listens to the run.
    pub observe: &'e mut O,
}

/// Runs a program from its start function to its end.
pub fn run<O: Observe>(program: &Program, observer: Option<&Observer>, config: &Config, env: &mut Env<'_, O>) -> Run {
    match Interpreter::new(program, observer, config) {
        Ok(mut interpreter) => interpreter.run(env),
        Err(stop) => Run { outcome: Outcome::Stopped(stop), steps: 0 },
    }
}

/// Why the loop ends; boxed, as the loop returns it rarely and checks it often.
pub(crate) type End = Box<Outcome>;

/// A call that has not returned.
pub(crate) struct Frame {
    pub func: FuncId,
    /// First cell.
    base: usize,
    /// First of its objects in `owned`.
    owned: usize,
    /// Compiled edge of the call.
    call: u32,
}

/// `Frame::call` of the first frame.
const NO_CALL: u32 = u32::MAX;
/// Edges between two looks at the budget.
const SLICE: u64 = 1024;

/// A program in execution.
pub struct Interpreter<'p> {
    pub(crate) program: &'p Program,
    pub(crate) observer: Option<&'p Observer>,
    pub(crate) config: Config,
    pub(crate) code: Compiled<'p>,
    /// See [`crate::code`].
    pub(crate) cells: Vec<u128>,
    /// First cell of the current frame.
    pub(crate) base: usize,
    pub(crate) frames: Vec<Frame>,
    /// Objects that die with their frame; 0 where one has died already.
    pub(crate) owned: Vec<Slot>,
    pub(crate) memory: Memory,
    pub(crate) loc: LocId,
    state: ObserverState,
    pub(crate) steps: u64,
    /// Numbers of heap and stack objects so far.
    pub(crate) heap_objects: u32,
    pub(crate) stack_objects: u32,
    /// What the function called by the start function returned.
    status: Option<i32>,
    pub(crate) library: LibraryState,
}

impl<'p> Interpreter<'p> {
    /// A run that stands at the entry of the start function.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the global variables don't fit into memory.
    pub fn new(program: &'p Program, observer: Option<&'p Observer>, config: &Config) -> Result<Self, Stop> {
        let (space, globals) = AddressSpace::with_globals(program).ok_or(Stop::Memory)?;
        let mut memory = Memory::new(program.machine, space, config.memory_limit);
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, Storage::Memory { size, .. }) = (var.is_global(), var.storage) {
                memory.place(globals[id], size, ObjectKind::Global(id)).map_err(|_| Stop::Memory)?;
            }
        }
        let (code, mut cells) = Compiled::new(program, observer, &globals);
        let pointer_bits = program.pointer_bits();
        for (id, var) in program.vars.iter_enumerated() {
            let Some(init) = var.init.as_deref().filter(|_| var.is_global()) else { continue };
            let resolve = |v: InitValue, ty: Scalar| {
                let v = match v {
                    InitValue::Scalar(v) => v.0,
                    InitValue::Address(var, offset) => u128::from(globals[var].wrapping_add_signed(offset)),
                    InitValue::Function(func) => u128::from(layout::function_address(func)),
                };
                Value::truncated(v, ty.bits(pointer_bits)).0
            };
            if var.register().is_some() {
                if let Some((_, ty, v)) = init.cells.first() {
                    cells[code.vars[id] as usize] = resolve(*v, *ty);
                }
                continue;
            }
            let Some(slot) = memory.beginning_at(globals[id]) else { continue };
            let data = memory.data_mut(slot);
            for (offset, bytes) in &init.bytes {
                if let Some(target) = data.get_mut(*offset as usize..).and_then(|d| d.get_mut(..bytes.len())) {
                    target.copy_from_slice(bytes);
                }
            }
            for (offset, ty, v) in &init.cells {
                let len = ty.access_bytes(pointer_bits) as usize;
                if let Some(target) = data.get_mut(*offset as usize..).and_then(|d| d.get_mut(..len)) {
                    target.copy_from_slice(&resolve(*v, *ty).to_le_bytes()[..len]);
                }
            }
        }
        // Instructions read cell 0 for operands that they don't have.
        if cells.is_empty() {
            cells.push(0);
        }
        let mut this = Self {
            program,
            observer,
            config: *config,
            code,
            base: cells.len(),
            cells,
            frames: Vec::new(),
            owned: Vec::new(),
            memory,
            loc: base::Id::from_index(0),
            state: Observer::INITIAL,
            steps: 0,
            heap_objects: 0,
            stack_objects: 0,
            status: None,
            library: LibraryState::default(),
        };
        if !program.functions.is_empty() {
            this.enter(program.start, &[], NO_CALL).map_err(|_| Stop::Memory)?;
        }
        Ok(this)
    }

    /// Goes on until the run ends.
    pub fn run<O: Observe>(&mut self, env: &mut Env<'_, O>) -> Run {
        let outcome = match self.main_loop(env) {
            Ok(never) => match never {},
            Err(end) => *end,
        };
        let _ = env.output.flush();
        Run { outcome, steps: self.steps }
    }

    /// Carries out one edge of the current function from the state at hand, whatever the location; a call of a function with
    /// a body only enters it. Registers are set before by [`Interpreter::set_register`].
    ///
    /// # Errors
    /// The outcome, when the run ends here ([`Outcome::Blocked`] for an assumption that doesn't hold).
    pub fn execute<O: Observe>(&mut self, edge: EdgeId, env: &mut Env<'_, O>) -> Result<(), Outcome> {
        let code = self.code.edge(edge);
        self.code.edges.push(code);
        let index = (self.code.edges.len() - 1) as u32;
        self.reserve().map_err(|end| *end)?;
        self.evaluate(code.start, code.end, edge, env).map_err(|end| *end)?;
        self.take(code, index, env).map_err(|end| *end)
    }

    /// Starts again with an empty stack but for a frame of `func`, at its entry.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the frame doesn't fit.
    pub fn enter_function(&mut self, func: FuncId) -> Result<(), Stop> {
        while !self.frames.is_empty() {
            self.pop_frame();
        }
        self.enter(func, &[], NO_CALL).map_err(|_| Stop::Memory)
    }

    fn main_loop<O: Observe>(&mut self, env: &mut Env<'_, O>) -> Result<std::convert::Infallible, End> {
        loop {
            env.budget.check().map_err(Outcome::Stopped)?;
            let left = self.config.step_limit.map_or(SLICE, |limit| limit.saturating_sub(self.steps));
            if left == 0 {
                return Err(Outcome::StepLimit.into());
            }
            for _ in 0..left.min(SLICE) {
                self.step(env)?;
            }
        }
    }

    #[inline(always)]
    fn step<O: Observe>(&mut self, env: &mut Env<'_, O>) -> Result<(), End> {
        let index = match self.code.locs[self.loc] {
            LocCode::One(index) => {
                let EdgeCode { start, end, edge, .. } = self.code.edges[index as usize];
                self.evaluate(start, end, edge, env)?;
                index
            }
            LocCode::Branch { start, end, cond, then, other } => {
                self.evaluate(start, end, self.code.edges[then as usize].edge, env)?;
                if self.cells[cell(self.base, cond)] != 0 { then } else { other }
            }
            LocCode::Many { first, len } => self.choose(first, len, env)?,
            LocCode::Exit => return self.leave(env),
            LocCode::New => {
                self.code.location(self.loc);
                return self.reserve();
            }
        };
        self.steps += 1;
        self.take(self.code.edges[index as usize], index, env)
    }

    /// The first of several edges that is not blocked.
    fn choose<O: Observe>(&mut self, first: u32, len: u32, env: &mut Env<'_, O>) -> Result<u32, End> {
        for index in first..first + len {
            let EdgeCode { start, end, edge, action, .. } = self.code.edges[index as usize];
            self.evaluate(start, end, edge, env)?;
            match action {
                Action::Assume { cond, truth } if (self.cells[cell(self.base, cond)] != 0) != truth => {}
                _ => return Ok(index),
            }
        }
        Err(Outcome::Blocked.into())
    }

    /// Executes instructions.
    #[inline(always)]
    fn evaluate<O: Observe>(&mut self, start: u32, end: u32, edge: EdgeId, env: &mut Env<'_, O>) -> Result<(), End> {
        let mut from = start as usize;
        loop {
            let Compiled { instrs, general, .. } = &self.code;
            let bits = self.program.machine.pointer_bits();
            match execute(&mut self.cells, self.base, &mut self.memory, &instrs[from..end as usize], general, bits) {
                Ok(()) => return Ok(()),
                Err(miss) => {
                    let len = u64::from(miss.len);
                    let goes_on = self.config.outside == OutsideRead::GoesOn && miss.address >= NULL_PAGE;
                    let bytes = match miss.miss {
                        Miss::Invalid if goes_on => self.read_outside(miss.address, len, edge, env),
                        _ => self.read_bytes(miss.address, len, edge, env)?,
                    };
                    let dst = cell(self.base, self.code.instrs[from + miss.at].dst);
                    self.cells[dst] = from_bytes(&bytes);
                    from += miss.at + 1;
                }
            }
        }
    }

    /// Does what an edge does, its instructions done; `index` is its position in the code.
    #[inline(always)]
    fn take<O: Observe>(&mut self, code: EdgeCode, index: u32, env: &mut Env<'_, O>) -> Result<(), End> {
        match code.action {
            Action::None => {}
            Action::Assume { cond, truth } => {
                if (self.cells[cell(self.base, cond)] != 0) != truth {
                    return Err(Outcome::Blocked.into());
                }
            }
            Action::Store { addr, value, bytes } => {
                let (addr, value) = (self.cells[cell(self.base, addr)] as u64, self.cells[cell(self.base, value)]);
                if let Err(miss) = self.memory.store(addr, u32::from(bytes), value) {
                    self.store_slow(miss, addr, &value.to_le_bytes()[..bytes as usize], code.edge)?;
                }
            }
            Action::Call { func, args } => return self.call(func, args, index, env),
            Action::Other { args } => return self.other(code, index, args, env),
        }
        if O::ACTIVE {
            self.emit_simple(&code, env);
        }
        self.arrive(&code)
    }

    /// Goes to the target of an edge; the observer sees the edge.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, code: &EdgeCode) -> Result<(), End> {
        self.loc = code.dst;
        if code.observed { self.observe_edge(code.edge) } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn observe_edge(&mut self, edge: EdgeId) -> Result<(), End> {
        let Some(observer) = self.observer else { return Ok(()) };
        let next = observer.step(self.program, self.state, edge);
        self.set_state(next, edge)
    }

    /// Calls with a body: the call is observed when it is made, labels of the target when it has returned.
    fn observe_part(&mut self, edge: EdgeId, fits: impl Fn(&Pattern) -> bool) -> Result<(), End> {
        let Some(observer) = self.observer else { return Ok(()) };
        let next =
            observer.transitions.iter().find(|t| t.from == self.state && fits(&t.on)).map_or(self.state, |t| t.to);
        self.set_state(next, edge)
    }

    fn set_state(&mut self, next: ObserverState, edge: EdgeId) -> Result<(), End> {
        self.state = next;
        match self.observer {
            Some(observer) if observer.error == next => Err(Outcome::Violation { edge }.into()),
            _ => Ok(()),
        }
    }

    pub(crate) fn observe_call(&mut self, edge: EdgeId, func: FuncId) -> Result<(), End> {
        let name = &self.program.functions[func].name;
        self.observe_part(edge, |on| matches!(on, Pattern::Call(n) if n == name))
    }

    /// Calls a function with a body; the arguments' operands are from `args` on.
    pub(crate) fn call<O: Observe>(
        &mut self,
        func: FuncId,
        args: u32,
        index: u32,
        env: &mut Env<'_, O>,
    ) -> Result<(), End> {
        let EdgeCode { edge, observed, .. } = self.code.edges[index as usize];
        let count = self.program.functions[func].params.len();
        let args = args as usize;
        let mut few = [0; 8];
        let many: Vec<u128>;
        let operands = &self.code.operands[args..];
        // The new frame lies over the temporaries, so the values are taken out first.
        let values = if count <= few.len() {
            for (value, operand) in few.iter_mut().zip(&operands[..count.min(operands.len())]) {
                *value = self.cells[cell(self.base, *operand)];
            }
            &few[..count]
        } else {
            many = operands.iter().take(count).map(|o| self.cells[cell(self.base, *o)]).collect();
            &many[..]
        };
        self.enter(func, values, index)?;
        if O::ACTIVE {
            env.observe.step(&Step { edge, depth: self.frames.len() - 2, effect: Effect::Call { func } }, self);
        }
        if observed { self.observe_call(edge, func) } else { Ok(()) }
    }

    /// Makes a frame.
    fn enter(&mut self, func: FuncId, args: &[u128], call: u32) -> Result<(), End> {
        let Some(body) = self.program.functions[func].body else { return Err(Outcome::Blocked.into()) };
        if let Some(top) = self.frames.last() {
            self.base += self.code.frame_size[top.func] as usize;
        }
        self.frames.push(Frame { func, base: self.base, owned: self.owned.len(), call });
        self.reserve()?;
        let size = self.code.frame_size[func] as usize;
        self.cells[self.base..self.base + size].fill(0);
        for (param, value) in self.program.functions[func].params.iter().zip(args) {
            self.cells[cell(self.base, self.code.vars[*param])] = *value;
        }
        self.loc = body.entry;
        Ok(())
    }

    /// Makes room for the top frame and its temporaries.
    fn reserve(&mut self) -> Result<(), End> {
        let Some(top) = self.frames.last() else { return Ok(()) };
        let needed = self.base + (self.code.frame_size[top.func] + self.code.temporaries) as usize;
        if needed > self.cells.len() {
            let bytes = (needed * 16 + self.frames.len() * size_of::<Frame>()) as u64;
            if bytes.saturating_add(self.memory.used()) > self.config.memory_limit {
                return Err(Outcome::Stopped(Stop::Memory).into());
            }
            self.cells.resize(needed, 0);
        }
        Ok(())
    }

    /// Ends the objects of the top frame and removes it.
    fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        for slot in self.owned.drain(frame.owned..) {
            if slot != 0 {
                self.memory.kill(slot);
            }
        }
        self.base = self.frames.last().map_or(frame.base, |f| f.base);
        Some(frame)
    }

    /// Returns from the current function.
    fn leave<O: Observe>(&mut self, env: &mut Env<'_, O>) -> Result<(), End> {
        let Some(top) = self.frames.last() else { return Err(Outcome::Blocked.into()) };
        let func = top.func;
        let ret = self.program.functions[func].ret;
        let value = ret.map(|var| Value(self.cells[cell(self.base, self.code.vars[var])]));
        let frame = self.pop_frame();
        if self.frames.len() == 1 {
            self.status = value.map(|v| v.0 as u32 as i32);
        }
        let call = match frame {
            Some(frame) if frame.call != NO_CALL && !self.frames.is_empty() => self.code.edges[frame.call as usize],
            _ => return Err(Outcome::Exited { status: self.status }.into()),
        };
        let result = self.program.edges[call.edge].op.assigned().zip(value);
        if let Some((dst, value)) = result {
            self.cells[cell(self.base, self.code.vars[dst])] = value.0;
        }
        if O::ACTIVE {
            self.emit(call.edge, Effect::Return { func, result }, env);
        }
        self.loc = call.dst;
        if call.observed {
            let labels = &self.program.locs[call.dst].labels;
            self.observe_part(call.edge, |on| matches!(on, Pattern::Label(l) if labels.contains(l)))?;
        }
        Ok(())
    }

    /// Ends the program.
    pub(crate) fn halt(&self) -> End {
        Outcome::Exited { status: if self.frames.len() == 1 { self.status } else { None } }.into()
    }

    pub(crate) fn invalid_access(&self, access: &str, address: u64, len: u64, edge: EdgeId) -> End {
        let detail = self.memory.explain(self.program, access, address, len);
        let what = match self.memory.is_freed(address) {
            true => Undefined::FreedAccess,
            false => Undefined::InvalidAccess,
        };
        Outcome::Undefined { what, edge, detail }.into()
    }

    #[cold]
    fn store_slow(&mut self, miss: Miss, address: u64, bytes: &[u8], edge: EdgeId) -> Result<(), End> {
        match miss {
            Miss::External => self.memory.write_external(address, bytes),
            Miss::Invalid => return Err(self.invalid_access("write", address, bytes.len() as u64, edge)),
        }
        Ok(())
    }

    /// Reads a range of which not all bytes are in a live object: the others come from the inputs.
    #[cold]
    fn read_outside<O: Observe>(&mut self, address: u64, len: u64, edge: EdgeId, env: &mut Env<'_, O>) -> Vec<u8> {
        let mut bytes = vec![0; len as usize];
        // All edges that leave a location evaluate the same condition, so the first one stands for them.
        let asks = self.program.locs[self.program.edges[edge].src].out.first().copied().unwrap_or(edge);
        let request = Request { program: self.program, edge: asks, source: Source::Outside(address) };
        env.inputs.bytes(&request, &mut bytes);
        for (k, byte) in bytes.iter_mut().enumerate() {
            if let Ok(inside) = self.memory.range(address.wrapping_add(k as u64), 1) {
                *byte = inside[0];
            }
        }
        if O::ACTIVE {
            let detail = self.memory.explain(self.program, "read", address, len);
            self.emit(edge, Effect::Outside { detail: &detail }, env);
        }
        bytes
    }

    /// Reads a range of an object or of external memory.
    pub(crate) fn read_bytes<O: Observe>(
        &mut self,
        address: u64,
        len: u64,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Vec<u8>, End> {
        match self.memory.range(address, len) {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(Miss::Invalid) => Err(self.invalid_access("read", address, len, edge)),
            Err(Miss::External) if len > self.config.memory_limit => Err(Outcome::Stopped(Stop::Memory).into()),
            Err(Miss::External) => {
                let mut bytes = vec![0; len as usize];
                let program = self.program;
                self.memory.read_external(address, &mut bytes, |at, fresh| {
                    env.inputs.bytes(&Request { program, edge, source: Source::External(at) }, fresh);
                });
                Ok(bytes)
            }
        }
    }

    /// Writes a range of an object or of external memory.
    pub(crate) fn write_bytes(&mut self, address: u64, bytes: &[u8], edge: EdgeId) -> Result<(), End> {
        match self.memory.range(address, bytes.len() as u64) {
            Ok(target) => {
                target.copy_from_slice(bytes);
                Ok(())
            }
            Err(miss) => self.store_slow(miss, address, bytes, edge),
        }
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        Outcome::Stopped(stop)
    }
}
