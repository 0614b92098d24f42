//! Entry states of blocks: what a block sees of the state before it, and what that state keeps meanwhile [beyer18bam, Sect. 2.2].
//!
//! A block sees the frame in which it begins as the bottom of the call stack, and those cells of the state that it may touch
//! ([`cfa::blocks::Block`]). The rest it leaves as it is, so that it joins the states after the block unchanged. Objects that exist before the
//! block have names of their own in it ([`ObjectName::Outer`]), numbered in an order that depends on the state alone. Nothing in
//! the block gives such a name to another object, so that one name means one object from entry to exit; different names
//! mean different objects, as they did before. What the block makes gets names in the end that the state before does not
//! mention.

use super::ValueDomain;
use super::assignment::{Assignment, Work};
use super::cells::{CellId, ObjId, ObjectName, Place};
use super::number::{Known, Val};
use cfa::FuncId;
use cfa::blocks::{Block, BlockKind};
use cfa::points_to::Object;
use rustc_hash::{FxHashMap, FxHashSet};
use step::StackId;

/// A state on entering a block, in two parts.
#[derive(Clone, Debug)]
pub struct Entered {
    /// The stack whose top frame the block begins in.
    stack: StackId,
    /// That frame as the bottom of a stack.
    root: StackId,
    /// What the block does not touch.
    kept: Work,
    /// What it sees, with its names.
    pub seen: Work,
    /// Objects before, by the names that the block has for them.
    outer: FxHashMap<ObjId, ObjId>,
    /// Objects that the state before mentions.
    mentioned: FxHashSet<ObjId>,
}

impl Entered {
    /// What the block's names for objects that existed before mean: pairs of names in the block and outside, in a fixed order.
    pub fn names(&self) -> Vec<(ObjId, ObjId)> {
        let mut names: Vec<(ObjId, ObjId)> = self.outer.iter().map(|(inside, outside)| (*inside, *outside)).collect();
        names.sort_unstable();
        names
    }
}

/// Names in a block for objects outside.
struct Naming {
    stack: StackId,
    root: StackId,
    names: FxHashMap<ObjId, ObjId>,
    count: FxHashMap<Object, u32>,
}

impl ValueDomain<'_> {
    /// The stack with only a frame of the function.
    pub fn root_of(&mut self, func: FuncId) -> StackId {
        let (stack, is_new) = self.stacks.root_of(func);
        if is_new {
            self.add_frame(stack, func);
        }
        stack
    }

    /// Enters a block in the top frame of a stack.
    pub fn enter_block(&mut self, work: &Work, stack: StackId, block: &Block) -> Entered {
        let root = self.root_of(block.func);
        let mut entries = Vec::new();
        work.entries(&mut entries);
        let mut mentioned = FxHashSet::default();
        for (cell, val) in &entries {
            mentioned.extend(self.cells.object_of(*cell));
            mentioned.extend(self.pointee(*val));
        }
        // Registers before memory, so that names depend on how the block gets to objects.
        let mut seen: Vec<(u32, CellId, Val)> = Vec::new();
        let mut kept = Work::default();
        let ended = self.ended(stack, block);
        for (cell, val) in entries {
            match self.is_seen(cell, stack, block) {
                Some(order) => seen.push((order, cell, val)),
                // Another instance will have the name of an object that ends in the block.
                None if self.pointee(val).is_some_and(|obj| ended.contains(&obj)) => {}
                None if self.cells.object_of(cell).is_some_and(|obj| ended.contains(&obj)) => {}
                // The block may free it by another pointer.
                None if self.asks_for_life && self.pointee(val).is_some_and(|obj| self.is_on_heap(obj)) => {}
                None => kept.set(cell, val),
            }
        }
        seen.sort_unstable_by_key(|(order, cell, _)| (*order, *cell));
        let mut naming = Naming { stack, root, names: FxHashMap::default(), count: FxHashMap::default() };
        let mut work = Work::default();
        for (_, cell, val) in seen {
            let cell = match self.cells.cells[cell].place {
                Place::Register(None, _) => cell,
                Place::Register(Some(_), var) => self.register(root, var),
                Place::Memory { obj, offset, bytes } => {
                    let obj = self.name_in_block(&mut naming, obj);
                    self.memory_cell(obj, offset, bytes)
                }
            };
            let val = match self.values.get(val) {
                Known::Num(_) => val,
                Known::Ptr(obj, offset) => {
                    let obj = self.name_in_block(&mut naming, obj);
                    self.values.pack(Known::Ptr(obj, offset))
                }
            };
            work.set(cell, val);
        }
        let outer = naming.names.into_iter().map(|(object, name)| (name, object)).collect();
        Entered { stack, root, kept, seen: work, outer, mentioned }
    }

    /// Objects of the frame whose instances may end in the block.
    fn ended(&mut self, stack: StackId, block: &Block) -> Vec<ObjId> {
        block.declared.iter().map(|var| self.object_of(stack, *var)).collect()
    }

    fn pointee(&self, val: Val) -> Option<ObjId> {
        match self.values.get(val) {
            Known::Ptr(obj, _) => Some(obj),
            Known::Num(_) => None,
        }
    }

    /// Whether a block in the top frame of the stack sees a cell, and in which order it is named.
    fn is_seen(&self, cell: CellId, stack: StackId, block: &Block) -> Option<u32> {
        match self.cells.cells[cell].place {
            Place::Register(Some(owner), var) => {
                let is_own = match block.kind {
                    BlockKind::Function(_) => true,
                    BlockKind::Loop(_) => block.touches_register(var),
                };
                (owner == stack && is_own).then_some(0)
            }
            Place::Register(None, var) => block.touches_register(var).then_some(1),
            Place::Memory { obj, .. } => {
                let name = self.cells.objects[obj].name;
                let order = if matches!(name, ObjectName::Global(_)) { 2 } else { 3 };
                block.touches_object(name.origin()).then_some(order)
            }
        }
    }

    fn name_in_block(&mut self, naming: &mut Naming, obj: ObjId) -> ObjId {
        let info = &self.cells.objects[obj];
        if let ObjectName::Global(_) = info.name {
            return obj;
        }
        if let Some(name) = naming.names.get(&obj) {
            return *name;
        }
        // Objects of one origin share their names inside, whatever their sizes are.
        let origin = info.name.origin();
        let size = match origin {
            Object::Alloc(edge) => self.allocated_size(edge),
            _ => info.size,
        };
        if let ObjectName::Local(owner, var) = info.name
            && owner == naming.stack
        {
            // Of the frame in which a loop runs; it is not outside.
            return self.object_of(naming.root, var);
        }
        let count = naming.count.entry(origin).or_default();
        let name = self.cells.object(ObjectName::Outer(origin, *count), || size);
        *count += 1;
        naming.names.insert(obj, name);
        name
    }

    /// What a state within the block, or at its exit, means where the block was entered; and its stack there.
    pub fn expand_block(&mut self, entered: &Entered, within: &Work, stack: StackId) -> (Work, StackId) {
        let mut work = entered.kept.clone();
        let mut entries = Vec::new();
        within.entries(&mut entries);
        let mut made: FxHashMap<ObjId, ObjId> = FxHashMap::default();
        for (cell, val) in entries {
            let cell = match self.cells.cells[cell].place {
                Place::Register(None, _) => Some(cell),
                Place::Register(Some(owner), var) => {
                    let owner = self.stack_outside(entered, owner);
                    Some(self.register(owner, var))
                }
                Place::Memory { obj, offset, bytes } => {
                    self.name_outside(entered, &mut made, obj).map(|obj| self.memory_cell(obj, offset, bytes))
                }
            };
            let val = match self.values.get(val) {
                Known::Num(_) => Some(val),
                Known::Ptr(obj, offset) => {
                    self.name_outside(entered, &mut made, obj).map(|obj| self.values.pack(Known::Ptr(obj, offset)))
                }
            };
            if let (Some(cell), Some(val)) = (cell, val) {
                work.set(cell, val);
            }
        }
        (work, self.stack_outside(entered, stack))
    }

    /// The stack of a block, where the block was entered.
    fn stack_outside(&mut self, entered: &Entered, stack: StackId) -> StackId {
        if stack == entered.root {
            return entered.stack;
        }
        let frame = self.stacks.frame(stack);
        match frame.caller {
            Some((below, call)) => {
                let below = self.stack_outside(entered, below);
                self.push(below, call, frame.func)
            }
            None => stack,
        }
    }

    /// The object that a name in a block means where the block was entered; `None` if that is not known.
    fn name_outside(&mut self, entered: &Entered, made: &mut FxHashMap<ObjId, ObjId>, obj: ObjId) -> Option<ObjId> {
        let name = self.cells.objects[obj].name;
        match name {
            ObjectName::Global(_) => return Some(obj),
            ObjectName::Outer(..) => return entered.outer.get(&obj).copied(),
            ObjectName::Local(owner, var) => {
                let owner = self.stack_outside(entered, owner);
                return Some(self.object_of(owner, var));
            }
            ObjectName::Heap(..) | ObjectName::Stack(..) => {}
        }
        if let Some(known) = made.get(&obj) {
            return Some(*known);
        }
        let name = match name {
            ObjectName::Stack(owner, edge, number, size) => {
                ObjectName::Stack(self.stack_outside(entered, owner), edge, number, size)
            }
            other => other,
        };
        let new = self.unused(name, entered.mentioned.iter().chain(made.values()).copied());
        made.insert(obj, new);
        Some(new)
    }
}
