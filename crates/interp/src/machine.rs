//! The state of a run: registers in frames, memory, and where it stands.

use crate::code::{EdgeCode, cell};
use crate::compile::Compiled;
use crate::library::{Library, LibraryState};
use crate::memory::{Memory, Miss, ObjectInfo, ObjectKind, Slot};
use crate::outcome::Outcome;
use crate::validity::Life;
use base::Stop;
use cfa::layout::{self, AddressSpace};
use cfa::observer::ObserverState;
use cfa::{
    Access, EdgeId, FuncId, InitValue, LocId, Observer, Pattern, Program, Scalar, Storage, Undefined, Value, VarKind,
};

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

impl Default for Config {
    fn default() -> Self {
        Self { library: Library::InputsOnly, step_limit: None, memory_limit: 2 << 30, outside: OutsideRead::Ends }
    }
}

/// Why the loop ends; boxed, as the loop returns it rarely and checks it often.
pub(crate) type End = Box<Outcome>;

/// A call that has not returned.
pub(crate) struct Frame {
    pub func: FuncId,
    /// First cell.
    pub(crate) base: usize,
    /// First of its objects in `owned`.
    pub(crate) owned: usize,
    /// Compiled edge of the call.
    pub(crate) call: u32,
}

/// `Frame::call` of the first frame.
pub(crate) const NO_CALL: u32 = u32::MAX;
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
    pub(crate) state: ObserverState,
    pub(crate) steps: u64,
    /// Numbers of heap and stack objects so far.
    pub(crate) heap_objects: u32,
    pub(crate) stack_objects: u32,
    /// What the function called by the start function returned.
    pub(crate) status: Option<i32>,
    pub(crate) library: LibraryState,
}

impl<'p> Interpreter<'p> {
    /// A run that stands at the entry of the start function.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the global variables don't fit into memory.
    pub fn new(program: &'p Program, observer: Option<&'p Observer>, config: &Config) -> Result<Self, Stop> {
        let (space, globals) = AddressSpace::with_globals(program).ok_or(Stop::Memory)?;
        let mut memory = Memory::new((program.machine, program.byte_order), space, config.memory_limit);
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
            if var.is_read_only() {
                memory.protect(globals[id]);
            }
            let data = memory.data_mut(slot);
            for (offset, bytes) in &init.bytes {
                if let Some(target) = data.get_mut(*offset as usize..).and_then(|d| d.get_mut(..bytes.len())) {
                    target.copy_from_slice(bytes);
                }
            }
            for (offset, ty, v) in &init.cells {
                let len = ty.access_bytes(pointer_bits) as usize;
                if let Some(target) = data.get_mut(*offset as usize..).and_then(|d| d.get_mut(..len)) {
                    target.copy_from_slice(&program.byte_order.bytes(resolve(*v, *ty), len));
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
            library: LibraryState {
                determined: program.functions.iter().map(crate::library_calls::is_determined).collect(),
                ..LibraryState::default()
            },
        };
        if !program.functions.is_empty() {
            this.enter(program.start, &[], NO_CALL).map_err(|_| Stop::Memory)?;
        }
        Ok(this)
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
    pub(crate) fn observe_part(&mut self, edge: EdgeId, fits: impl Fn(&Pattern) -> bool) -> Result<(), End> {
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

    /// Makes a frame.
    pub(crate) fn enter(&mut self, func: FuncId, args: &[u128], call: u32) -> Result<(), End> {
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
    pub(crate) fn reserve(&mut self) -> Result<(), End> {
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
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        for slot in self.owned.drain(frame.owned..) {
            if slot != 0 {
                self.memory.kill(slot);
            }
        }
        self.base = self.frames.last().map_or(frame.base, |f| f.base);
        Some(frame)
    }

    /// Whether an access is valid here ([`cfa::ExprKind::Valid`]).
    pub fn is_valid(&self, access: Access, address: u64, len: u64) -> bool {
        self.memory.is_valid(access, address, len)
    }

    /// What is wrong with an access that is not valid, for the user; `life` says where an object came to life and ended.
    pub fn explain(&self, access: Access, address: u64, len: u64, life: Life<'_>) -> String {
        match access {
            Access::Read => self.memory.explain(self.program, "read", (address, len), life),
            Access::Write => self.memory.explain(self.program, "write", (address, len), life),
            Access::Free => self.memory.explain_free(self.program, address, life),
        }
    }

    /// Which heap block no pointer leads to any more ([`cfa::ExprKind::Tracked`]), for the user.
    pub fn explain_lost(&self, life: Life<'_>) -> Option<String> {
        self.lost().map(|block| Memory::explain_block(self.program, block, life))
    }

    /// Which heap block is not freed, for the user.
    pub fn explain_left(&self, life: Life<'_>) -> Option<String> {
        self.memory.first_block().map(|block| Memory::explain_block(self.program, block, life))
    }

    /// See [`cfa::ExprKind::Tracked`]: variables of the source are alive, temporaries are not.
    pub(crate) fn lost(&self) -> Option<ObjectInfo> {
        let is_root = |kind| matches!(kind, VarKind::Global | VarKind::Local | VarKind::Param);
        let mut roots = Vec::new();
        for (id, var) in self.program.vars.iter_enumerated().filter(|(_, var)| var.register().is_some()) {
            if !is_root(var.kind) {
                continue;
            }
            match var.func {
                None => roots.push(self.cells[self.code.vars[id] as usize] as u64),
                Some(func) => {
                    let frames = self.frames.iter().filter(|frame| frame.func == func);
                    roots.extend(frames.map(|frame| self.cells[cell(frame.base, self.code.vars[id])] as u64));
                }
            }
        }
        self.memory.lost(roots)
    }

    /// Ends the program.
    pub(crate) fn halt(&self) -> End {
        Outcome::Exited { status: if self.frames.len() == 1 { self.status } else { None } }.into()
    }

    /// Whether a read is of a freed object where the program says that it knows what is there.
    pub(crate) fn may_hold_old_bytes(&self, address: u64, edge: EdgeId) -> bool {
        self.program.is_unchecked(self.program.edges[edge].span) && self.memory.is_freed(address)
    }

    pub(crate) fn invalid_access(&self, access: &str, address: u64, len: u64, edge: EdgeId) -> End {
        let detail = self.memory.explain(self.program, access, (address, len), &|_| None);
        let what = match self.memory.is_freed(address) {
            true => Undefined::FreedAccess,
            false => Undefined::InvalidAccess,
        };
        Outcome::Undefined { what, edge, detail }.into()
    }

    #[cold]
    pub(crate) fn store_slow(&mut self, miss: Miss, address: u64, bytes: &[u8], edge: EdgeId) -> Result<(), End> {
        match miss {
            Miss::External => self.memory.write_external(address, bytes),
            Miss::Invalid | Miss::Asked => {
                return Err(self.invalid_access("write", address, bytes.len() as u64, edge));
            }
        }
        Ok(())
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
