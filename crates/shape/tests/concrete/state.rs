//! States of runs as the interpreter has them, recorded where an exploration has nodes.

use base::Budget;
use cfa::{FuncId, LocId, Program, Value, VarId};
use interp::{
    Config, Effect, Env, Failures, Habits, Interpreter, ObjectInfo, ObjectKind, Observe, Outcome, RandomInputs, Step,
};
use shape::graph::Register;
use std::collections::BTreeMap;
use step::{Callstacks, StackId};

/// Longest run, in edges.
const MOST_STEPS: u64 = 4_000;

/// A location with a call stack.
pub type Place = (LocId, StackId);

/// A live object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub kind: ObjectKind,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What a function's activation has; globals belong to that of the start function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Frame {
    registers: BTreeMap<Register, Value>,
    variables: BTreeMap<Register, u64>,
}

/// A state of a run at a place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    /// Values of registers.
    pub registers: BTreeMap<Register, Value>,
    /// Addresses of variables in memory.
    pub variables: BTreeMap<Register, u64>,
    /// Live objects by their first address.
    pub blocks: BTreeMap<u64, Block>,
    /// First addresses of objects that have ended.
    pub ended: BTreeMap<u64, ObjectKind>,
}

/// Runs a program with the inputs of a seed; its states at locations that are wanted.
pub fn record(
    program: &Program,
    stacks: &Callstacks,
    seed: u64,
    wanted: &dyn Fn(LocId) -> bool,
) -> (Vec<(Place, State)>, Outcome) {
    let config = Config { step_limit: Some(MOST_STEPS), ..Config::default() };
    let mut interpreter = Interpreter::new(program, None, &config).expect("globals have room");
    let mut recorder = Recorder::new(program, stacks, wanted, &interpreter);
    // Every other run makes short structures, and half of them meet allocations that fail.
    let failures = if seed % 4 >= 2 { Failures::Some } else { Failures::None };
    let habits = Habits { choices: seed.is_multiple_of(2), failures, ..Habits::default() };
    let mut inputs = RandomInputs::with(seed, habits);
    let (mut output, mut errors, budget) = (std::io::sink(), std::io::sink(), Budget::unlimited());
    let mut env =
        Env { inputs: &mut inputs, output: &mut output, errors: &mut errors, budget: &budget, observe: &mut recorder };
    let run = interpreter.run(&mut env);
    (recorder.states, run.outcome)
}

struct Recorder<'a> {
    program: &'a Program,
    /// The stacks of the exploration.
    stacks: Callstacks,
    wanted: &'a dyn Fn(LocId) -> bool,
    /// Variables of each function, and globals as those of none.
    vars: BTreeMap<Option<FuncId>, Vec<VarId>>,
    /// From the bottom of the stack.
    frames: Vec<(StackId, Frame)>,
    /// All objects so far.
    objects: BTreeMap<u64, ObjectInfo>,
    states: Vec<(Place, State)>,
}

impl<'a> Recorder<'a> {
    fn new(
        program: &'a Program,
        stacks: &Callstacks,
        wanted: &'a dyn Fn(LocId) -> bool,
        start: &Interpreter<'_>,
    ) -> Self {
        let mut vars: BTreeMap<_, Vec<VarId>> = BTreeMap::new();
        for (id, var) in program.vars.iter_enumerated() {
            vars.entry(var.func).or_default().push(id);
        }
        let (objects, root) = (BTreeMap::new(), stacks.root());
        let stacks = stacks.clone();
        let mut this = Self { program, stacks, wanted, vars, frames: Vec::new(), objects, states: Vec::new() };
        for address in this.frame(None, root, start).variables.into_values() {
            this.objects.extend(start.memory().object_at(address).map(|info| (address, info)));
        }
        this.frames.push((root, this.frame(start.function(), root, start)));
        this
    }

    /// What the function on top has, or what globals have.
    fn frame(&self, func: Option<FuncId>, stack: StackId, state: &Interpreter<'_>) -> Frame {
        let mut frame = Frame::default();
        for var in self.vars.get(&func).into_iter().flatten() {
            frame.registers.extend(state.register(*var).map(|value| ((stack, *var), value)));
            frame.variables.extend(state.address_of(*var).map(|address| ((stack, *var), address)));
        }
        frame
    }

    fn state(&self, state: &Interpreter<'_>) -> State {
        let mut now = State::default();
        for (base, info) in &self.objects {
            // Addresses are never used again.
            let alive = state.memory().object_at(*base).is_some_and(|now| now == *info);
            match state.bytes_at(*base, info.size as usize).filter(|_| alive) {
                Some(bytes) => drop(now.blocks.insert(*base, Block { kind: info.kind, bytes })),
                None => drop(now.ended.insert(*base, info.kind)),
            }
        }
        let globals = self.frame(None, self.stacks.root(), state);
        for frame in self.frames.iter().map(|(_, frame)| frame).chain([&globals]) {
            now.registers.extend(&frame.registers);
            now.variables.extend(&frame.variables);
        }
        now
    }
}

impl Observe for Recorder<'_> {
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let edge = &self.program.edges[step.edge];
        let mut loc = edge.dst;
        let below = self.frames.last().expect("the start function has not returned").0;
        match step.effect {
            Effect::Outside { .. } => return,
            Effect::Allocate { object, .. } => drop(self.objects.insert(object.base, object)),
            Effect::Call { func } => {
                // Stacks that the exploration knows are not new.
                let (stack, is_new) = self.stacks.push(below, step.edge, func);
                assert!(!is_new, "a call of {} that the exploration never made", self.program.functions[func].name);
                self.frames.push((stack, Frame::default()));
                loc = self.program.functions[func].body.expect("it is entered").entry;
            }
            Effect::Return { .. } => drop(self.frames.pop()),
            _ => {}
        }
        let (stack, _) = self.frames.pop().expect("a function runs");
        self.frames.push((stack, self.frame(state.function(), stack, state)));
        // Behind what ends a run is nothing.
        if (self.wanted)(loc) && !edge.op.ends_path() {
            self.states.push(((loc, stack), self.state(state)));
        }
    }
}
