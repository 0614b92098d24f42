//! Explicit values [loewe13]: abstract states are partial maps from registers and memory cells to values.
//!
//! A cell that a state does not mention can hold anything. Integers and floats are bits, pointers are (object, offset);
//! [`eval`] evaluates, [`learn`] is what an assumption teaches, [`post`] and [`memory`] are the strongest postconditions,
//! [`trace`] follows one path with everything tracked and finds out what its contradictions rest on.
//!
//! What is not modelled makes cells unknown: a write through an unknown pointer forgets each cell that the pointer may
//! designate by points-to analysis.

pub mod adjustment;
pub mod assignment;
pub mod block;
pub mod cells;
pub mod content;
pub mod learn;
pub mod number;
pub mod precision;
pub mod trace;

mod eval;
mod facts;
mod memory;
pub(crate) mod persist;
mod post;

use assignment::Assignment;
use base::{Id, IdVec};
use cells::{CellId, Cells, ObjId, ObjectName, Place};
use cfa::live::Live;
use cfa::points_to::{CellRange, ClassId, Object, PointsTo};
use cfa::{EdgeId, FuncId, LocId, Program, Scalar, Storage, VarId};
use facts::Facts;
use number::{Known, Val, Values};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use step::{Callstacks, StackId};

/// Most cells of one object that initial values and bulk operations mention.
const MAX_CELLS: usize = 256;

/// Where the cells and objects of a frame are.
#[derive(Clone, Copy, Debug)]
struct FrameCells {
    first: u32,
    /// Its local memory variables.
    first_object: u32,
}

/// The domain: interned cells, objects, values, stacks, and what is known of the program beforehand.
pub struct ValueDomain<'p> {
    /// The program.
    pub program: &'p Program,
    points_to: &'p PointsTo,
    pointer_bits: u32,
    /// Objects and cells.
    pub cells: Cells,
    /// Values.
    pub values: Values,
    /// Call stacks.
    pub stacks: Callstacks,
    facts: Facts,
    /// Whether the program asks which objects are alive.
    asks_for_life: bool,
    /// Whether objects have the sizes in their names that are computed. Within blocks, those from outside are named by their origins alone.
    pub knows_computed_sizes: bool,
    live: Live,
    /// Cell of a global register, place of a local variable among those of its kind in its function.
    slots: IdVec<VarId, u32>,
    frames: IdVec<StackId, FrameCells>,
    /// Cell ranges of the objects of an origin, as far as points-to analysis knows them.
    ranges: FxHashMap<Object, Rc<[CellRange]>>,
    /// Edges at which all runs of some state met undefined behaviour.
    pub undefined: std::collections::BTreeSet<EdgeId>,
}

impl<'p> ValueDomain<'p> {
    /// The domain for a program; `points_to` is of the same program.
    pub fn new(program: &'p Program, points_to: &'p PointsTo) -> Self {
        let facts = Facts::new(program, points_to);
        let mut slots = IdVec::from_elem(u32::MAX, program.vars.len());
        for func in program.functions.ids() {
            for vars in [facts.registers(func), facts.memory_vars(func)] {
                vars.iter().enumerate().for_each(|(i, var)| slots[*var] = i as u32);
            }
        }
        let live = Live::new(program, |var| slots[var], |func| facts.registers(func).len());
        let mut this = Self {
            program,
            points_to,
            pointer_bits: program.pointer_bits(),
            cells: Cells::default(),
            values: Values::default(),
            stacks: Callstacks::new(program),
            facts,
            asks_for_life: program.exprs.asks_for_life(),
            knows_computed_sizes: true,
            live,
            slots,
            frames: IdVec::new(),
            ranges: FxHashMap::default(),
            undefined: Default::default(),
        };
        for (id, var) in program.vars.iter_enumerated() {
            match (var.func, var.storage) {
                (None, Storage::Register(_)) => {
                    this.slots[id] = this.cells.add_register(None, id).index() as u32;
                }
                (None, Storage::Memory { size, .. }) => {
                    this.cells.object(ObjectName::Global(id), || Some(size));
                }
                (Some(_), _) => {}
            }
        }
        let root = this.stacks.root();
        this.add_frame(root, program.start);
        this
    }

    fn add_frame(&mut self, stack: StackId, func: FuncId) {
        let first = self.cells.cells.len() as u32;
        for var in self.facts.registers(func).to_vec() {
            self.cells.add_register(Some(stack), var);
        }
        let first_object = self.cells.objects.len() as u32;
        for var in self.facts.memory_vars(func).to_vec() {
            let storage = self.program.vars[var].storage;
            self.cells.object(ObjectName::Local(stack, var), || match storage {
                Storage::Memory { size, .. } => Some(size),
                Storage::Register(_) => None,
            });
        }
        self.frames.push(FrameCells { first, first_object });
    }

    /// The stack after a call.
    pub fn push(&mut self, below: StackId, call: EdgeId, func: FuncId) -> StackId {
        let (stack, is_new) = self.stacks.push(below, call, func);
        if is_new {
            self.add_frame(stack, func);
        }
        stack
    }

    /// The cell of a register in the top frame.
    #[inline]
    pub fn register(&self, stack: StackId, var: VarId) -> CellId {
        let slot = self.slots[var];
        let cell = if self.program.vars[var].is_global() { slot } else { self.frames[stack].first + slot };
        CellId::from_index(cell as usize)
    }

    /// Whether the value of a cell may matter behind the location; `stack` is the stack there.
    #[inline]
    pub fn is_live(&self, stack: StackId, loc: LocId, cell: CellId) -> bool {
        match self.cells.cells[cell].place {
            Place::Register(Some(owner), var) if owner == stack => self.live.is_live(loc, self.slots[var]),
            _ => true,
        }
    }

    /// Whether a cell has room for a pointer.
    fn may_hold_pointer(&self, cell: CellId) -> bool {
        match self.cells.cells[cell].place {
            Place::Register(_, var) => {
                self.program.vars[var].register().is_some_and(|ty| ty.bits(self.pointer_bits) >= self.pointer_bits)
            }
            Place::Memory { bytes, .. } => 8 * bytes >= self.pointer_bits,
        }
    }

    /// The current instance of a memory variable.
    fn object_of(&mut self, stack: StackId, var: VarId) -> ObjId {
        let name = match self.program.vars[var].func {
            None => ObjectName::Global(var),
            Some(_) => return ObjId::from_index((self.frames[stack].first_object + self.slots[var]) as usize),
        };
        self.cells.object(name, || None)
    }

    /// Gives a register a value, or makes it unknown.
    fn set_register<A: Assignment>(&mut self, a: &mut A, stack: StackId, var: VarId, v: Option<Known>) {
        let cell = self.register(stack, var);
        match v {
            // What nobody reads needs no value.
            Some(v) if self.facts.is_read(var) => {
                let val = self.values.pack(v);
                a.set(cell, val);
            }
            _ => a.forget(cell),
        }
    }

    /// Sets all globals to their initial values.
    pub fn initialise<A: Assignment>(&mut self, a: &mut A) {
        let program = self.program;
        for (id, var) in program.vars.iter_enumerated() {
            if !var.is_global() || self.facts.is_constant(id) {
                continue;
            }
            match var.storage {
                Storage::Register(ty) => {
                    let v = self.initial_value(id, 0, ty.access_bytes(self.pointer_bits));
                    a.begin();
                    let root = self.stacks.root();
                    self.set_register(a, root, id, v);
                }
                Storage::Memory { size, .. } => {
                    let obj = self.object_of(self.stacks.root(), id);
                    for (offset, bytes) in self.cells_of_global(id, size) {
                        if let Some(v) = self.initial_value(id, offset as u64, bytes) {
                            a.begin();
                            let cell = self.memory_cell(obj, offset, bytes);
                            let val = self.values.pack(v);
                            a.set(cell, val);
                        }
                    }
                }
            }
        }
    }

    /// Offsets and sizes of the scalars in a global variable, by its initialiser and by how it is used.
    fn cells_of_global(&mut self, var: VarId, size: u64) -> Vec<(i64, u32)> {
        let ranges = self.ranges_of(Object::Var(var));
        let mut cells = expand(&ranges, size);
        let init = self.program.vars[var].init.as_deref();
        if cells.is_empty() {
            let scalars = init.map(|init| &init.cells[..]).unwrap_or_default().iter();
            cells = scalars.map(|(o, ty, _)| (*o as i64, ty.access_bytes(self.pointer_bits))).collect();
        }
        cells.truncate(MAX_CELLS);
        cells
    }

    /// The cells of objects of an origin, relative to their begin.
    fn ranges_of(&mut self, origin: Object) -> Rc<[CellRange]> {
        if let Some(ranges) = self.ranges.get(&origin) {
            return ranges.clone();
        }
        let address = self.facts.address_of(origin);
        let ranges: Rc<[CellRange]> = match address {
            Some(e) => self.points_to.cells(e, u64::MAX >> 2).into(),
            None => Rc::new([]),
        };
        self.ranges.insert(origin, ranges.clone());
        ranges
    }

    /// The class of a range of bytes of objects of an origin, if it is certain.
    fn class_of(&mut self, origin: Object, offset: i64, bytes: u32) -> Option<ClassId> {
        let ranges = self.ranges_of(origin);
        let within = |r: &CellRange| {
            let mut delta = offset - r.offset;
            if r.stride != 0 {
                delta = delta.rem_euclid(r.stride as i64);
            }
            (delta >= 0 && delta + i64::from(bytes) <= i64::from(r.size)).then_some(r.class)
        };
        let mut classes = ranges.iter().filter_map(within);
        let class = classes.next()?;
        classes.all(|c| c == class).then_some(class)
    }

    /// The memory cell.
    fn memory_cell(&mut self, obj: ObjId, offset: i64, bytes: u32) -> CellId {
        if let Some(cell) = self.cells.find(obj, offset, bytes) {
            return cell;
        }
        let class = self.class_of(self.cells.objects[obj].name.origin(), offset, bytes);
        self.cells.memory(obj, offset, bytes, |_| class)
    }

    /// A value for users.
    pub fn show(&self, cell: CellId, val: Val) -> (String, String) {
        (self.show_cell(cell), self.show_value(cell, val))
    }

    /// The name of a cell for users.
    pub fn show_cell(&self, cell: CellId) -> String {
        match self.cells.cells[cell].place {
            Place::Register(_, var) => self.program.vars[var].name.to_string(),
            Place::Memory { obj, offset, .. } => {
                let name = self.show_object(obj);
                if offset == 0 { format!("*{name}") } else { format!("*({name} + {offset})") }
            }
        }
    }

    /// What a key stands for, for users.
    pub fn show_key(&self, key: cells::KeyId) -> String {
        let origin = |origin: Object| match origin {
            Object::Var(var) => self.program.vars[var].name.to_string(),
            Object::Alloc(edge) => {
                let line = self.program.source.place(self.program.edges[edge].span.lo).map_or(0, |p| p.line);
                format!("alloc_{line}")
            }
            Object::Function(_) | Object::External => "?".to_owned(),
        };
        match self.cells.key_of(key) {
            cells::Key::Register(var) => self.program.vars[var].name.to_string(),
            cells::Key::Memory(object, offset) => format!("{}[{offset}]", origin(object)),
            cells::Key::Whole(object) => format!("{}[*]", origin(object)),
        }
    }

    fn show_object(&self, obj: ObjId) -> String {
        let name = |var: VarId| self.program.vars[var].name.clone();
        match self.cells.objects[obj].name {
            ObjectName::Global(var) | ObjectName::Local(_, var) => format!("&{}", name(var)),
            ObjectName::Outer(Object::Var(var), n) => format!("&{}_{n}", name(var)),
            ObjectName::Outer(Object::Function(_) | Object::External, n) => format!("outer_{n}"),
            ObjectName::Heap(edge, n, _)
            | ObjectName::Stack(_, edge, n, _)
            | ObjectName::Outer(Object::Alloc(edge), n) => {
                let line = self.program.source.place(self.program.edges[edge].span.lo).map_or(0, |p| p.line);
                format!("alloc_{line}_{n}")
            }
        }
    }

    fn show_value(&self, cell: CellId, val: Val) -> String {
        let ty = match self.cells.cells[cell].place {
            Place::Register(_, var) => self.program.vars[var].register().unwrap_or(Scalar::INT),
            Place::Memory { bytes, .. } => Scalar::Int { bits: (bytes * 8) as u16, signed: true },
        };
        match self.values.get(val) {
            Known::Num(n) => cfa::display::value(cfa::Value(n), ty),
            Known::Ptr(obj, 0) => self.show_object(obj),
            Known::Ptr(obj, off) => format!("{} + {off}", self.show_object(obj)),
        }
    }

    /// Whether the register is a loop counter: it changes by steps in a loop that compares it.
    pub fn is_counter(&self, var: VarId) -> bool {
        self.facts.is_counter(var)
    }

    /// Whether the register's new value rests on the old one in a loop.
    pub fn is_accumulator(&self, var: VarId) -> bool {
        self.facts.is_accumulator(var)
    }

    /// Whether no edge of the program changes what the key stands for, or nobody reads it.
    pub fn is_constant(&self, var: VarId) -> bool {
        self.facts.is_constant(var)
    }
}

/// The scalars of an object of `size` bytes that cell ranges describe, at most [`MAX_CELLS`].
fn expand(ranges: &[CellRange], size: u64) -> Vec<(i64, u32)> {
    let mut cells = Vec::new();
    for r in ranges {
        if r.size == 0 {
            continue;
        }
        let mut offset = r.offset;
        while offset >= 0 && offset.saturating_add(i64::from(r.size)) as u64 <= size && cells.len() < MAX_CELLS {
            cells.push((offset, r.size));
            if r.stride == 0 {
                break;
            }
            offset = offset.saturating_add_unsigned(r.stride);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests;
