//! Call stacks as interned frames: a stack is one number, and equal stacks have equal numbers.
//!
//! A *detached* stack has one frame, of a procedure, and what lies below it is abstracted away [somorjai23, Sect. 4.2].

use base::{IdVec, new_id};
use cfa::{EdgeId, FuncId, Program};
use rustc_hash::FxHashMap;

new_id! {
    /// A call stack, which is its top frame with all below.
    pub struct StackId;
}

/// The top frame of a stack.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The stack below and the edge that called; none for the start function and for detached stacks.
    pub caller: Option<(StackId, EdgeId)>,
    /// The function that runs in the frame.
    pub func: FuncId,
    /// Number of frames below.
    pub depth: u32,
}

/// All stacks of an exploration.
#[derive(Clone, Debug)]
pub struct Callstacks {
    frames: IdVec<StackId, Frame>,
    ids: FxHashMap<(StackId, EdgeId), StackId>,
    detached: FxHashMap<FuncId, StackId>,
    /// Stacks with one frame, as blocks see them.
    roots: FxHashMap<FuncId, StackId>,
}

impl Callstacks {
    /// Only the stack of the start function.
    pub fn new(program: &Program) -> Self {
        let mut frames = IdVec::new();
        frames.push(Frame { caller: None, func: program.start, depth: 0 });
        let (ids, detached, roots) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { frames, ids, detached, roots }
    }

    /// The stack of the start function.
    pub fn root(&self) -> StackId {
        base::Id::from_index(0)
    }

    /// The stack with a frame of `func` alone, as the blocks of the function see it; whether it is new.
    pub fn root_of(&mut self, func: FuncId) -> (StackId, bool) {
        if let Some(id) = self.roots.get(&func) {
            return (*id, false);
        }
        let id = self.frames.push(Frame { caller: None, func, depth: 0 });
        self.roots.insert(func, id);
        (id, true)
    }

    /// The stack after a call of `func`; whether it is new.
    pub fn push(&mut self, below: StackId, call: EdgeId, func: FuncId) -> (StackId, bool) {
        if let Some(id) = self.ids.get(&(below, call)) {
            return (*id, false);
        }
        let depth = self.frames[below].depth + 1;
        let id = self.frames.push(Frame { caller: Some((below, call)), func, depth });
        self.ids.insert((below, call), id);
        (id, true)
    }

    /// The stack of which only the frame of a procedure is known; whether it is new.
    pub fn detach(&mut self, func: FuncId) -> (StackId, bool) {
        if let Some(id) = self.detached.get(&func) {
            return (*id, false);
        }
        let id = self.frames.push(Frame { caller: None, func, depth: 0 });
        self.detached.insert(func, id);
        (id, true)
    }

    /// Whether the stack is detached, and the procedure is the given one.
    pub fn is_detached(&self, stack: StackId, func: FuncId) -> bool {
        self.detached.get(&func) == Some(&stack)
    }

    /// The procedure whose frame lies at the bottom of a detached stack or one above it; none above the start function.
    pub fn bottom(&self, stack: StackId) -> Option<FuncId> {
        let mut at = stack;
        while let Some((below, _)) = self.frames[at].caller {
            at = below;
        }
        let func = self.frames[at].func;
        self.is_detached(at, func).then_some(func)
    }

    /// The top frame.
    #[inline]
    pub fn frame(&self, stack: StackId) -> Frame {
        self.frames[stack]
    }

    /// Number of stacks.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none (never).
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The functions on a stack with the edges that called them, the bottom one first.
    pub fn calls(&self, stack: StackId) -> Vec<EdgeId> {
        let mut calls = Vec::new();
        let mut at = stack;
        while let Some((below, call)) = self.frames[at].caller {
            calls.push(call);
            at = below;
        }
        calls.reverse();
        calls
    }
}
