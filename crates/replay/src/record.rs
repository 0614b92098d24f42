//! Listens to a run: records of steps and inputs, compact, bounded in number, and with what only the living state knows.

use crate::fault::Fault;
use crate::lives::Lives;
use crate::operands::{self, Changed};
pub use crate::raw::{RawArgument, RawInput, RawKind, RawStep, RawValue};
use cfa::loops::Wto;
use cfa::start::{argument, in_start, makes_arguments};
use cfa::{EdgeId, ExprId, ExprKind, FuncId, HavocSource, LocId, Op, Program, Scalar, Storage, Value, VarId, VarKind};
use interp::{Effect, Interpreter, Observe, Request, Source, Step};
use outcome::Arrival;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Steps that are kept from the beginning and from the end of a run.
const HEAD: usize = 5_000;
const TAIL: usize = 20_000;
/// Inputs that are kept, from the beginning.
const MAX_INPUTS: usize = 100_000;
/// Bytes of a write that are kept.
const MAX_BYTES: usize = 64;
/// Bytes of an input that are kept.
const MAX_INPUT_BYTES: usize = 4096;

/// Inputs that were given so far, shared by those who give and those who listen.
#[derive(Clone, Default)]
pub struct Log {
    inputs: Rc<RefCell<Vec<RawInput>>>,
    /// What the last request was given, if that is among the inputs.
    latest: Rc<Cell<Option<usize>>>,
}

impl Log {
    fn push(&self, input: RawInput) {
        let mut inputs = self.inputs.borrow_mut();
        if inputs.len() < MAX_INPUTS {
            self.latest.set(Some(inputs.len()));
            inputs.push(input);
        }
    }

    /// What the last request was given, if `edge` made it.
    fn last_of(&self, edge: EdgeId) -> Option<usize> {
        self.latest.get().filter(|index| self.inputs.borrow().get(*index).is_some_and(|input| input.edge == edge))
    }

    /// Adds what is known of an input once it was given.
    fn complete(&self, index: usize, change: impl FnOnce(&mut RawInput)) {
        if let Some(input) = self.inputs.borrow_mut().get_mut(index) {
            change(input);
        }
    }

    /// All inputs.
    pub fn take(&self) -> Vec<RawInput> {
        self.inputs.take()
    }
}

/// Gives inputs of another source and logs those that users want to know.
pub struct Inputs {
    script: Box<dyn interp::Inputs>,
    log: Log,
}

impl Inputs {
    /// Inputs from `script`.
    pub fn new(script: Box<dyn interp::Inputs>, log: Log) -> Self {
        Self { script, log }
    }
}

impl interp::Inputs for Inputs {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        self.log.latest.set(None);
        let given = self.script.value(request, ty);
        let value = Value::truncated(given.unwrap_or_default().0, ty.bits(request.program.pointer_bits()));
        let interesting = match request.source {
            Source::Extern(_) => !is_unread_argument(request),
            // Variables that are assigned before they are read would be noise; the solver leaves these zero.
            Source::Havoc(_, HavocSource::Environment | HavocSource::Allocation) => true,
            Source::Havoc(var, _) => value.0 != 0 && request.program.vars[var].kind != VarKind::Temp,
            _ => value.0 != 0,
        };
        if interesting {
            self.log.push(RawInput { ty: Some(ty), value, ..RawInput::new(request) });
        }
        given
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        self.log.latest.set(None);
        self.script.bytes(request, bytes);
        if makes_arguments(request.program, request.edge) {
            interp::inputs::complete_arguments(request.program, bytes);
        }
        let is_read = match request.source {
            Source::MemHavoc(_, HavocSource::Environment) => true,
            // An argument of the entry function leads there.
            Source::Allocated(_) => in_start(request.program, request.edge),
            _ => false,
        };
        if is_read || bytes.iter().any(|b| *b != 0) {
            let value = Value(request.program.byte_order.number(bytes));
            let kept = bytes[..bytes.len().min(MAX_INPUT_BYTES)].into();
            self.log.push(RawInput { value, bytes: kept, len: bytes.len() as u64, ..RawInput::new(request) });
        }
    }

    fn allocation(&mut self, edge: EdgeId) -> Option<u64> {
        self.script.allocation(edge)
    }
}

/// Whether an argument of the first function is asked for that the function does not mention.
fn is_unread_argument(request: &Request<'_>) -> bool {
    let program = request.program;
    argument(program, request.edge)
        .is_some_and(|(_, param)| !program.exprs.ids().any(|expr| program.exprs.kind(expr) == ExprKind::Var(param)))
}

/// The steps of a run.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The first steps.
    pub head: Vec<RawStep>,
    /// Number of steps between the first and the last that were not kept.
    pub omitted: u64,
    /// The last steps.
    pub tail: VecDeque<RawStep>,
    /// The last branch and what is wrong in its condition, if nothing was done since.
    pub fault: Option<(EdgeId, Fault)>,
}

/// How a run comes to the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From outside.
    Entry,
    /// From the loop's body.
    Back,
}

/// Listens to a run.
pub struct Recorder<'p> {
    program: &'p Program,
    log: Log,
    recorded: Recorded,
    /// Last value of each register: globals, then one table for each frame.
    globals: FxHashMap<VarId, Value>,
    frames: Vec<FxHashMap<VarId, Value>>,
    /// Last scalar written to each address, with its length.
    cells: FxHashMap<u64, (u64, Value)>,
    loops: Wto,
    /// For each frame, how often the run came to the heads of loops since it entered them.
    counts: Vec<FxHashMap<LocId, u64>>,
    /// Arrivals at heads since the last step that was kept.
    arrivals: Vec<Arrival>,
    lives: Lives<'p>,
    /// The last call of a function without a body: its edge, the depth, and the addresses that its arguments are.
    called: Option<(EdgeId, usize, FuncId, Vec<u64>)>,
}

impl<'p> Recorder<'p> {
    /// A listener that has heard nothing.
    pub fn new(program: &'p Program, log: Log) -> Self {
        let (globals, frames, cells) = (FxHashMap::default(), Vec::new(), FxHashMap::default());
        let (loops, counts, arrivals) = (Wto::new(program), Vec::new(), Vec::new());
        Self {
            program,
            log,
            recorded: Recorded::default(),
            globals,
            frames,
            cells,
            loops,
            counts,
            arrivals,
            lives: Lives::new(program),
            called: None,
        }
    }

    /// What was heard.
    pub fn finish(self) -> Recorded {
        self.recorded
    }

    fn push(&mut self, edge: EdgeId, depth: usize, kind: RawKind) {
        let arrivals = std::mem::take(&mut self.arrivals);
        let step = RawStep { edge, depth: u32::try_from(depth).unwrap_or(u32::MAX), kind, arrivals };
        let Recorded { head, omitted, tail, fault } = &mut self.recorded;
        *fault = None;
        if head.len() < HEAD {
            head.push(step);
            return;
        }
        if tail.len() == TAIL {
            tail.pop_front();
            *omitted += 1;
        }
        tail.push_back(step);
    }

    /// Counts the arrival at `loc`, if that is the head of a loop.
    fn arrive(&mut self, loc: LocId, depth: usize, how: Way) {
        if !self.loops.is_head(loc) {
            return;
        }
        if self.counts.len() <= depth {
            self.counts.resize_with(depth + 1, FxHashMap::default);
        }
        let count = self.counts[depth].entry(loc).or_insert(0);
        *count = if how == Way::Back { *count + 1 } else { 1 };
        let nth = *count;
        // Iterations without a step count, but need not be told.
        self.arrivals.retain(|earlier| earlier.head != loc);
        self.arrivals.push(Arrival { head: loc, nth });
    }

    /// Whether the register has this value already; notes it.
    fn unchanged(&mut self, var: VarId, value: Value, depth: usize) -> bool {
        let table = if self.program.vars[var].is_global() {
            &mut self.globals
        } else {
            if self.frames.len() <= depth {
                self.frames.resize_with(depth + 1, FxHashMap::default);
            }
            &mut self.frames[depth]
        };
        table.insert(var, value) == Some(value)
    }

    /// Whether the last step at this depth gave the value that is assigned now: then the assignment is told, changed or not.
    fn follows_value(&self, depth: usize) -> bool {
        let Recorded { head, tail, .. } = &self.recorded;
        tail.back().or(head.last()).is_some_and(|step| {
            let gives = matches!(step.kind, RawKind::Extern(_, Some(_), _) | RawKind::Input(_) | RawKind::Return(..));
            gives && step.depth as usize == depth
        })
    }

    /// The operands of the edge's condition, with their values.
    fn operands(&self, edge: EdgeId, state: &Interpreter<'_>) -> Vec<(ExprId, RawValue)> {
        let Op::Assume { cond, .. } = self.program.edges[edge].op else { return Vec::new() };
        let known = |expr: ExprId| {
            let value = operands::value(state, expr)?;
            Some((expr, self.raw(value, Some(self.program.exprs.ty(expr)), state)))
        };
        operands::operands(self.program, cond).into_iter().filter_map(known).collect()
    }

    /// Keeps the condition of a conditional expression that the edge assigns; whether it did.
    fn choice(&mut self, edge: EdgeId, depth: usize, state: &Interpreter<'_>) -> bool {
        let program = self.program;
        let (value, changed) = match program.edges[edge].op {
            Op::Assign { dst, src } => (src, Changed::Register(dst)),
            Op::Store { value, .. } => (value, Changed::Memory),
            _ => return false,
        };
        // The step was made: what it changed has its new value.
        let known = operands::choice(program, value)
            .filter(|cond| operands::is_unaffected(program, *cond, changed))
            .and_then(|cond| Some((cond, operands::value(state, cond)?.0 != 0)));
        if let Some((cond, taken)) = known {
            self.push(edge, depth, RawKind::Choice(cond, taken));
        }
        known.is_some()
    }

    fn raw(&self, value: Value, ty: Option<Scalar>, state: &Interpreter<'_>) -> RawValue {
        let pointee = match ty {
            Some(Scalar::Ptr) if value.0 != 0 => {
                let address = value.0 as u64;
                state.memory().object_at(address).map(|object| (object, address - object.base))
            }
            _ => None,
        };
        RawValue { value, pointee }
    }
}

impl Observe for Recorder<'_> {
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        self.lives.step(step, state);
        self.record(step, state);
        let Step { edge, depth, effect } = *step;
        let program = self.program;
        match effect {
            Effect::Call { func } => {
                if let Some(body) = program.functions[func].body {
                    self.arrive(body.entry, depth + 1, Way::Entry);
                }
            }
            // The edge is going to be taken, too.
            Effect::Outside { .. } => {}
            _ if program.edges[edge].op.ends_path() => {}
            _ => {
                let way = if self.loops.is_back_edge(program, edge) { Way::Back } else { Way::Entry };
                self.arrive(program.edges[edge].dst, depth, way);
            }
        }
    }
}

impl Recorder<'_> {
    /// Keeps what users may want to know of a step.
    fn record(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let Step { edge, depth, effect } = *step;
        let program = self.program;
        match effect {
            Effect::None => match program.edges[edge].op {
                Op::Assume { cond, .. } if program.exprs.as_const(cond).is_none() => {
                    if !operands::is_switch(program, cond) {
                        let operands = self.operands(edge, state);
                        self.push(edge, depth, RawKind::Branch(operands));
                    }
                    let fault = Fault::at(state, edge, &|object| self.lives.words(object));
                    self.recorded.fault = fault.map(|fault| (edge, fault));
                }
                _ => {}
            },
            Effect::Assign { var, value } => {
                let info = &program.vars[var];
                if matches!(program.edges[edge].op, Op::Havoc { .. }) {
                    if let Some(input) = self.log.last_of(edge) {
                        self.push(edge, depth, RawKind::Input(input));
                    }
                    self.unchanged(var, value, depth);
                } else if matches!(info.kind, VarKind::Global | VarKind::Local | VarKind::Param)
                    && (!self.unchanged(var, value, depth)
                        | self.follows_value(depth)
                        | self.choice(edge, depth, state))
                {
                    let raw = self.raw(value, info.register(), state);
                    self.push(edge, depth, RawKind::Assign(var, raw));
                }
            }
            Effect::Write { .. } => self.record_write(step, state),
            Effect::Call { func } => {
                // The callee's frame is new.
                if let Some(table) = self.frames.get_mut(depth + 1) {
                    table.clear();
                }
                let params = program.functions[func].params.iter();
                let arguments = params
                    .map(|param| {
                        let ty = match program.vars[*param].storage {
                            Storage::Register(ty) => Some(ty),
                            Storage::Memory { .. } => None,
                        };
                        self.raw(state.register(*param).unwrap_or_default(), ty, state)
                    })
                    .collect();
                self.push(edge, depth, RawKind::Call(func, arguments));
            }
            Effect::Return { func, result } => {
                let value = result.map(|(var, value)| {
                    self.unchanged(var, value, depth);
                    self.raw(value, program.vars[var].register(), state)
                });
                self.push(edge, depth, RawKind::Return(func, value));
                if let Some((var, _)) = result
                    && matches!(program.vars[var].kind, VarKind::Global | VarKind::Local | VarKind::Param)
                    && let Some(raw) = value
                {
                    self.push(edge, depth, RawKind::Assign(var, raw));
                }
            }
            Effect::Extern { .. } => self.record_extern(step, state),
            Effect::Allocate { object, .. } => {
                if object.kind.var().is_none()
                    && let Some(input) = self.log.last_of(edge)
                {
                    self.push(edge, depth, RawKind::Input(input));
                }
            }
            Effect::Outside { detail } => self.push(edge, depth, RawKind::Outside(detail.to_owned())),
            Effect::Free { .. } => {}
        }
    }

    /// Memory was written.
    fn record_write(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let Step { edge, depth, effect: Effect::Write { address, object, bytes } } = *step else { return };
        let program = self.program;
        let hidden = object.and_then(|(o, _)| o.kind.var()).is_some_and(|var| program.vars[var].kind == VarKind::Temp);
        if hidden {
            return;
        }
        if matches!(program.edges[edge].op, Op::MemHavoc { .. }) {
            let Some(input) = self.log.last_of(edge) else { return };
            let writer = self.writer(edge, depth, address);
            self.log.complete(input, |input| (input.target, input.writer) = (object, writer));
            self.push(edge, depth, RawKind::Input(input));
            return;
        }
        let value = Value(program.byte_order.number(bytes));
        let len = bytes.len() as u64;
        let unchanged = len <= 16 && self.cells.insert(address, (len, value)) == Some((len, value));
        if !(!unchanged | self.follows_value(depth) | self.choice(edge, depth, state)) {
            return;
        }
        let ty = match program.edges[edge].op {
            Op::Store { value, .. } => Some(program.exprs.ty(value)),
            _ => None,
        };
        let value = self.raw(value, ty, state);
        let is_zero = bytes.iter().all(|b| *b == 0);
        let bytes = if is_zero { Box::default() } else { bytes[..bytes.len().min(MAX_BYTES)].into() };
        self.push(edge, depth, RawKind::Write { object, address, len, bytes, value });
    }

    /// The call of the same place of the source that led to a write at `address`.
    fn writer(&self, edge: EdgeId, depth: usize, address: u64) -> Option<(FuncId, usize, u64)> {
        let program = self.program;
        let (call, at, func, arguments) = self.called.as_ref()?;
        let is_same = program.edges[*call].span == program.edges[edge].span && *at == depth;
        let before = |(i, argument): (usize, &u64)| Some((i, address.checked_sub(*argument)?));
        let nearest = arguments.iter().enumerate().filter_map(before).min_by_key(|(_, offset)| *offset)?;
        is_same.then_some((*func, nearest.0, nearest.1))
    }

    /// A function without a body was called.
    fn record_extern(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let Step { edge, depth, effect: Effect::Extern { func, args, result } } = *step else { return };
        let program = self.program;
        let exprs = match &program.edges[edge].op {
            Op::CallExtern { args, .. } | Op::CallPtr { args, .. } => &**args,
            _ => &[],
        };
        let raw = |(expr, value): (&ExprId, &Value)| {
            let ty = program.exprs.ty(*expr);
            (ty, self.raw(*value, Some(ty), state))
        };
        let arguments: Vec<RawArgument> = exprs.iter().zip(args).map(raw).collect();
        self.called = Some((edge, depth, func, args.iter().map(|value| value.0 as u64).collect()));
        let input = self.log.last_of(edge);
        if let Some(index) = input {
            self.log.complete(index, |input| input.arguments.clone_from(&arguments));
        }
        self.push(edge, depth, RawKind::Extern(func, input, arguments));
        if let Some((var, value)) = result
            && matches!(program.vars[var].kind, VarKind::Global | VarKind::Local | VarKind::Param)
            && (!self.unchanged(var, value, depth) || input.is_some())
        {
            let raw = self.raw(value, program.vars[var].register(), state);
            self.push(edge, depth, RawKind::Assign(var, raw));
        }
    }
}
