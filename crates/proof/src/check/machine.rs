//! What all runs of a check share: terms, objects and where they lie, and the names of what runs hold where they begin.
//!
//! Nodes with formulas list the objects that exist, and then each access is shown to be one of these. Graphs of values are *open*: nodes
//! mention places of some objects, and nothing is known of the rest ([`super::open`]).

use super::counts::{Counts, Unwinding};
use super::state::{Content, Frame, Obj, Point, Runs};
use crate::check::globals::Globals;
use crate::graph::{ObjectRef, Placed, PlacedName, ProofGraph};
use base::{Budget, Id};
use cfa::layout::AddressSpace;
use cfa::points_to::Object;
use cfa::{EdgeId, FuncId, MachineModel, Op, Program, Scalar, Storage, VarId};
use encode::guard::GuardId;
use encode::{Encoder, ObjectKind};
use rustc_hash::FxHashMap;
use smt::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use step::{End, Kernel};
use task::Task;

/// Names of objects that are no global variables.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Name {
    /// One that a graph may list.
    Placed(PlacedName),
    /// One that existed before the block.
    Outer(Object, u32),
    /// An instance of a local memory variable below these calls that was declared since the runs began.
    Instance(Vec<EdgeId>, VarId, u32),
}

/// An object.
pub struct Info {
    /// Address of the first byte.
    pub base: u64,
    /// Bytes that are reserved for it.
    pub room: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// Its name, unless it is a global variable.
    pub name: Option<(Name, Option<u64>)>,
    /// Bytes of an element of its array.
    pub elem: u32,
}

/// Something that runs must not do: condition, and what it is.
pub type Bad = (TermId, &'static str);

/// What an operation leads to; otherwise, why no run goes on.
pub type Step<T> = Result<T, End>;

/// See the module.
pub struct Machine<'t, 'p> {
    /// Terms, guards, and the meaning of operators.
    pub enc: Encoder<'p>,
    /// The program.
    pub program: &'p Program,
    /// The program with its property.
    pub task: &'t Task<'t, 'p>,
    /// The graph that is checked.
    pub graph: &'t ProofGraph,
    /// Limits of the check.
    pub budget: &'t Budget,
    /// Whether nothing is known of objects that nodes do not mention.
    open: bool,
    /// Whether the program asks which objects are alive.
    pub asks_for_life: bool,
    /// What steps of runs have in common.
    pub kernel: Kernel<'p>,
    /// Which strategies runs take.
    pub strategies: Option<usize>,
    /// How far loops are unwound that have no point.
    pub(super) unwinding: Option<Unwinding<'t>>,
    /// What runs must not do.
    pub bad: Vec<Bad>,
    /// Runs that have come to a point.
    pub(super) arrived: BTreeMap<Point, Vec<Runs>>,
    /// Places where runs have been since they were followed.
    pub(super) visited: u64,
    globals: Globals,
    objects: Vec<Info>,
    by_base: BTreeMap<u64, Obj>,
    names: FxHashMap<(Name, Option<u64>), Obj>,
    of_global: FxHashMap<VarId, Obj>,
    /// Of the objects of the graph.
    placed: Vec<Obj>,
    space: AddressSpace,
    initial: FxHashMap<Obj, Rc<Content>>,
    /// Terms that are built on the address of an object, or are not.
    pub(super) pointers: FxHashMap<TermId, bool>,
}

/// Addresses this far from an object still mean it.
const REACH: u64 = 2 << 10;

impl<'t, 'p> Machine<'t, 'p> {
    /// A machine for a graph, or why there is none.
    pub fn new(task: &'t Task<'t, 'p>, graph: &'t ProofGraph, budget: &'t Budget) -> Result<Self, &'static str> {
        let program = task.program;
        let enc = Encoder::new(program, Box::new(task.may_point_to))?;
        let (space, bases) =
            AddressSpace::with_globals(program).ok_or("global variables that do not fit into the address space")?;
        let mut this = Self {
            globals: Globals::new(program, task.may_point_to),
            enc,
            program,
            task,
            graph,
            budget,
            open: !graph.has_formulas(),
            asks_for_life: program.exprs.asks_for_life(),
            kernel: Kernel::new(program, task.observer),
            strategies: None,
            unwinding: None,
            bad: Vec::new(),
            arrived: BTreeMap::new(),
            visited: 0,
            objects: Vec::new(),
            by_base: BTreeMap::new(),
            names: FxHashMap::default(),
            of_global: FxHashMap::default(),
            placed: Vec::new(),
            space,
            initial: FxHashMap::default(),
            pointers: FxHashMap::default(),
        };
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, cfa::Storage::Memory { size, .. }) = (var.is_global(), var.storage) {
                let kind = ObjectKind::Global(id);
                let object = this.insert(Info { base: bases[id], room: size, kind, name: None, elem: 1 });
                this.of_global.insert(id, object);
            }
        }
        this.place(&graph.objects)?;
        for (object, elem) in &graph.arrays {
            if let (Some(object), true) = (this.placed(*object), matches!(elem, 1 | 2 | 4 | 8)) {
                this.objects[object as usize].elem = *elem;
            }
        }
        Ok(this)
    }

    /// Takes over the objects of a graph, which must lie apart.
    fn place(&mut self, objects: &[Placed]) -> Result<(), &'static str> {
        let start = self.space.allocate(0, 1).ok_or("no room for objects")?;
        let mut ends = start;
        for placed in objects {
            let end = placed.base.checked_add(placed.room).ok_or("an object of the graph has no place")?;
            let apart = |(_, other): (&u64, &Obj)| {
                let other = &self.objects[*other as usize];
                end < other.base || other.base + other.room < placed.base
            };
            if placed.base < start || !self.by_base.range(..=end).next_back().is_none_or(apart) {
                return Err("objects of the graph overlap");
            }
            if placed.size.is_some_and(|size| size > placed.room) {
                return Err("an object of the graph has less room than it needs");
            }
            let kind = match &placed.name {
                PlacedName::Local(_, var) => ObjectKind::Local(*var),
                PlacedName::Heap(edge, _) => ObjectKind::Heap(*edge),
                PlacedName::Stack(_, edge, _) => ObjectKind::Stack(*edge),
            };
            let name = Some((Name::Placed(placed.name.clone()), placed.size));
            let object = self.insert(Info { base: placed.base, room: placed.room, kind, name, elem: 1 });
            self.placed.push(object);
            ends = ends.max(end);
        }
        self.space.allocate(ends - start, 1).ok_or("no room for objects")?;
        Ok(())
    }

    fn insert(&mut self, object: Info) -> Obj {
        let id = self.objects.len() as Obj;
        self.by_base.insert(object.base, id);
        if let Some(name) = &object.name {
            self.names.insert(name.clone(), id);
        }
        self.objects.push(object);
        id
    }

    /// The object.
    pub fn get(&self, object: Obj) -> &Info {
        &self.objects[object as usize]
    }

    /// Whether it is a global variable.
    pub fn is_global(&self, object: Obj) -> bool {
        self.get(object).name.is_none()
    }

    /// The object of a global memory variable.
    pub fn global(&self, var: VarId) -> Option<Obj> {
        self.of_global.get(&var).copied()
    }

    /// The object that a graph means; those that only have names within a node mean nothing here.
    fn placed(&self, object: ObjectRef) -> Option<Obj> {
        match object {
            ObjectRef::Global(var) => self.global(var),
            ObjectRef::Placed(index) => self.placed.get(index as usize).copied(),
            ObjectRef::Local { .. } | ObjectRef::Made(..) | ObjectRef::Outer(..) => None,
        }
    }

    /// The object that a fact means about runs, if it means any; in open graphs, that of a name within a node is the same for all nodes.
    pub fn object(&mut self, runs: &Runs, object: ObjectRef) -> Option<Obj> {
        let (name, kind) = match object {
            ObjectRef::Global(_) | ObjectRef::Placed(_) => return self.placed(object),
            _ if !self.is_open() => return None,
            ObjectRef::Local { frame, var } => {
                let frames = runs.frames.get(..=frame as usize)?;
                if let Some((object, _)) = frames.last().and_then(|frame| frame.instances.get(&var)) {
                    return Some(*object);
                }
                let calls = frames.iter().filter_map(|frame| frame.call).collect();
                (Name::Placed(PlacedName::Local(calls, var)), ObjectKind::Local(var))
            }
            ObjectRef::Made(edge, count, size) => {
                let (name, kind) = (Name::Placed(PlacedName::Heap(edge, count)), ObjectKind::Heap(edge));
                let most = self.rooms().0;
                let size = size.filter(|size| *size <= most);
                return self.named(name, size, size.unwrap_or(most), kind);
            }
            ObjectRef::Outer(of @ Object::Var(var), count) => (Name::Outer(of, count), ObjectKind::Local(var)),
            ObjectRef::Outer(of @ Object::Alloc(edge), count) => (Name::Outer(of, count), ObjectKind::Heap(edge)),
            ObjectRef::Outer(..) => return None,
        };
        match kind {
            ObjectKind::Local(var) => match self.program.vars[var].storage {
                Storage::Memory { size, .. } => self.named(name, Some(size), size, kind),
                Storage::Register(_) => None,
            },
            _ => self.named(name, None, self.rooms().0, kind),
        }
    }

    /// Whether objects may exist that nodes do not mention.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The object with a name, made if need be.
    pub fn named(&mut self, name: Name, size: Option<u64>, room: u64, kind: ObjectKind) -> Option<Obj> {
        let key = (name, size);
        if let Some(known) = self.names.get(&key) {
            return Some(*known);
        }
        let align = match kind {
            ObjectKind::Local(var) => match self.program.vars[var].storage {
                Storage::Memory { align, .. } => align,
                Storage::Register(_) => 1,
            },
            ObjectKind::Heap(edge) | ObjectKind::Stack(edge) => match self.program.edges[edge].op {
                Op::Alloc { align, .. } => align,
                _ => 1,
            },
            ObjectKind::Global(_) => 1,
        };
        let base = self.space.allocate(room, u64::from(align))?;
        Some(self.insert(Info { base, room, kind, name: Some(key), elem: 1 }))
    }

    /// The object that an address belongs to: it holds it, or is near.
    pub fn owner(&self, address: u64) -> Option<Obj> {
        let below = self.by_base.range(..=address).next_back().map(|(_, id)| *id);
        let past = |id: Obj| address.saturating_sub(self.get(id).base + self.get(id).room);
        let above = self.by_base.range(address..).next().map(|(_, id)| *id);
        let before = |id: Obj| self.get(id).base - address;
        match (below, above) {
            (Some(id), _) if past(id) == 0 => Some(id),
            (Some(low), Some(high)) if before(high) < past(low) => (before(high) <= REACH).then_some(high),
            (Some(low), _) => (past(low) <= REACH).then_some(low),
            (None, Some(high)) => (before(high) <= REACH).then_some(high),
            (None, None) => None,
        }
    }

    /// Number of terms and objects, which decides when a machine is old.
    pub fn size(&self) -> usize {
        self.enc.terms.len() + self.objects.len()
    }

    /// All objects.
    pub fn ids(&self) -> std::ops::Range<Obj> {
        0..self.objects.len() as Obj
    }

    /// Width of a pointer.
    pub fn width(&self) -> u32 {
        self.program.pointer_bits()
    }

    /// A number of pointer width.
    pub fn number(&mut self, n: u64) -> TermId {
        let width = self.width();
        self.enc.terms.bv(width, u128::from(n))
    }

    /// A new variable.
    pub fn fresh(&mut self, ty: Scalar) -> TermId {
        let sort = self.enc.sort(ty);
        self.enc.terms.fresh_var("any", sort)
    }

    /// Sort of an object's array.
    pub fn array_sort(&self, object: Obj) -> Sort {
        Sort::bv_array(self.width(), 8 * self.get(object).elem)
    }

    /// Runs of which nothing else is known, with these calls above the frame of a function at the bottom.
    pub fn begin(&mut self, bottom: FuncId, calls: &[EdgeId]) -> Runs {
        let program = self.program;
        let frame = |func, call| {
            let (registers, instances) = (FxHashMap::default(), FxHashMap::default());
            Frame { func, call, old: true, counts: Counts::default(), registers, instances }
        };
        let mut frames = vec![frame(bottom, None)];
        for call in calls {
            if let Op::Call { func, .. } = &program.edges[*call].op {
                frames.push(frame(*func, Some(*call)));
            }
        }
        let sort = Sort::bv_array(self.width(), 8);
        Runs {
            guard: self.enc.guards.root(),
            globals: FxHashMap::default(),
            frames,
            memory: BTreeMap::new(),
            external: self.enc.terms.var("external", sort),
            initial: false,
            ended: BTreeSet::new(),
            bottom: None,
            entry: FxHashMap::default(),
        }
    }

    /// What a register held when the procedure at the bottom of the stack was entered.
    pub fn at_entry(&mut self, runs: &Runs, var: VarId) -> TermId {
        if let Some(known) = runs.entry.get(&var) {
            return *known;
        }
        let sort = self.enc.sort(self.program.vars[var].register().unwrap_or(Scalar::Ptr));
        self.enc.terms.var(&format!("entry{}", var.index()), sort)
    }

    /// Makes an object exist where runs begin.
    pub fn exists(&mut self, runs: &mut Runs, object: Obj, dead: Option<bool>) {
        let dead = match dead {
            Some(dead) => self.enc.terms.bool_const(dead),
            None => self.enc.terms.var(&format!("dead{object}"), Sort::Bool),
        };
        let size = match &self.get(object).name {
            Some((_, Some(size))) => {
                let size = *size;
                self.number(size)
            }
            _ => {
                let sort = Sort::BitVec(self.width());
                self.enc.terms.var(&format!("size{object}"), sort)
            }
        };
        let sort = self.array_sort(object);
        let base = self.enc.terms.var(&format!("memory{object}"), sort);
        runs.memory.insert(object, Rc::new(Content { cells: BTreeMap::new(), base, dead, size }));
    }

    /// What an object holds; `None` if it does not exist.
    pub fn content(&mut self, runs: &Runs, object: Obj) -> Option<Rc<Content>> {
        match runs.memory.get(&object) {
            Some(content) => Some(content.clone()),
            None if self.is_global(object) => Some(self.global_content(runs, object)),
            None => None,
        }
    }

    /// What a global variable holds that the runs have not changed.
    pub fn global_content(&mut self, runs: &Runs, object: Obj) -> Rc<Content> {
        let ObjectKind::Global(var) = self.get(object).kind else { unreachable!("only globals exist from the start") };
        let size = self.get(object).room;
        let size = self.number(size);
        let dead = self.enc.terms.fals();
        if !runs.initial && !self.globals.is_constant(var) {
            let sort = self.array_sort(object);
            let base = self.enc.terms.var(&format!("memory{object}"), sort);
            return Rc::new(Content { cells: BTreeMap::new(), base, dead, size });
        }
        if let Some(known) = self.initial.get(&object) {
            return known.clone();
        }
        let (width, elem) = (self.width(), self.get(object).elem);
        let zero = self.enc.terms.bv(8 * elem, 0);
        let base = self.enc.terms.const_array(width, zero);
        let mut cells = BTreeMap::new();
        for (offset, bytes, value) in self.globals.initial_cells(&mut self.enc, var) {
            cells.insert(offset, (bytes, value));
        }
        let content = Rc::new(Content { cells, base, dead, size });
        self.initial.insert(object, content.clone());
        content
    }

    /// What a register holds.
    pub fn register(&mut self, runs: &mut Runs, frame: usize, var: VarId) -> TermId {
        let is_global = self.program.vars[var].is_global();
        let known = if is_global { runs.globals.get(&var) } else { runs.frames[frame].registers.get(&var) };
        if let Some(term) = known {
            return *term;
        }
        let ty = self.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let sort = self.enc.sort(ty);
        let term = if is_global && (runs.initial || self.globals.is_constant(var)) {
            self.globals.initial_register(&mut self.enc, var)
        } else if is_global {
            self.enc.terms.var(&format!("global{}", var.index()), sort)
        } else if runs.frames[frame].old && !runs.initial {
            self.enc.terms.var(&format!("local{frame}.{}", var.index()), sort)
        } else {
            self.enc.terms.fresh_var("unset", sort)
        };
        self.set_register(runs, frame, var, term);
        term
    }

    /// Sets a register of a frame, or a global one.
    pub fn set_register(&self, runs: &mut Runs, frame: usize, var: VarId, term: TermId) {
        if self.program.vars[var].is_global() {
            runs.globals.insert(var, term);
        } else {
            runs.frames[frame].registers.insert(var, term);
        }
    }

    /// Goes on only where a condition holds.
    pub fn assume(&mut self, runs: &mut Runs, condition: TermId) -> Step<()> {
        runs.guard = self.enc.guards.and(&mut self.enc.terms, runs.guard, condition).ok_or(End::Blocked)?;
        Ok(())
    }

    /// Notes what runs must not do where a condition holds.
    pub fn forbid(&mut self, guard: GuardId, condition: TermId, what: &'static str) {
        let guard = self.enc.guards.formula(guard);
        let bad = self.enc.terms.and(guard, condition);
        if !self.enc.terms.is_false(bad) {
            self.bad.push((bad, what));
        }
    }

    /// Room for an object whose size is not known before, and the greatest size at all.
    pub fn rooms(&self) -> (u64, u64) {
        match self.program.machine {
            _ if self.is_open() => (1 << 20, 1 << 20),
            MachineModel::Ilp32 | MachineModel::Lp32 => (1 << 24, 1 << 30),
            MachineModel::Lp64 | MachineModel::Llp64 => (1 << 32, 1 << 40),
        }
    }
}
