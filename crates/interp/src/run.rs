//! Runs a program: the main loop, edges, and calls.

use crate::code::{Action, EdgeCode, LocCode, cell};
use crate::compile::Compiled;
use crate::eval::execute;
use crate::inputs::{Inputs, Request, Source};
use crate::machine::{Config, End, Interpreter, NO_CALL, OutsideRead};
use crate::memory::Miss;
use crate::observe::{Effect, Observe, Step};
use crate::outcome::{Outcome, Run};
use base::{Budget, Stop};
use cfa::{EdgeId, FuncId, Observer, Pattern, Program, Value};
use std::io::Write;

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

/// Addresses below belong to null pointers.
const NULL_PAGE: u64 = 4096;
/// Edges between two looks at the budget.
const SLICE: u64 = 1024;

/// Runs a program from its start function to its end.
pub fn run<O: Observe>(program: &Program, observer: Option<&Observer>, config: &Config, env: &mut Env<'_, O>) -> Run {
    match Interpreter::new(program, observer, config) {
        Ok(mut interpreter) => interpreter.run(env),
        Err(stop) => Run { outcome: Outcome::Stopped(stop), steps: 0 },
    }
}

impl Interpreter<'_> {
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
                    if miss.miss == Miss::Asked {
                        let dst = cell(self.base, self.code.instrs[from + miss.at].dst);
                        self.cells[dst] = u128::from(self.lost().is_none());
                        from += miss.at + 1;
                        continue;
                    }
                    let len = u64::from(miss.len);
                    let goes_on = self.config.outside == OutsideRead::GoesOn
                        && miss.address >= NULL_PAGE
                        && !self.may_hold_old_bytes(miss.address, edge);
                    let bytes = match miss.miss {
                        Miss::Invalid if goes_on => self.read_outside(miss.address, len, edge, env),
                        _ => self.read_bytes(miss.address, len, edge, env)?,
                    };
                    let dst = cell(self.base, self.code.instrs[from + miss.at].dst);
                    self.cells[dst] = self.program.byte_order.number(&bytes);
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
                    let bytes = self.program.byte_order.bytes(value, usize::from(bytes));
                    self.store_slow(miss, addr, &bytes, code.edge)?;
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
            let detail = self.memory.explain(self.program, "read", (address, len), &|_| None);
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
            Err(Miss::Invalid | Miss::Asked) => Err(self.invalid_access("read", address, len, edge)),
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
}
