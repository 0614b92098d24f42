//! Points-to analysis by unification: which memory objects an address can designate.
//!
//! Flow- and context-insensitive over all functions [steensgaard96], with fields told apart by their offsets and arrays by
//! offsets modulo the element size, as in data structure analysis [lattner07, kuderski19]. Almost linear time.
//!
//! What it relies on, all of it C's rules for defined behaviour: pointer arithmetic stays in the object, and what is uninitialised leads
//! nowhere. Integers follow the machine instead: a copy of a pointer leads to the same object, also byte by byte through memory, and a
//! *number* (an input, or what is computed from integers or floats) may equal any address that is *exposed*: used as a number itself,
//! or compared with a pointer from outside. Functions without a body get what is passed to them and may give it back later. So all
//! pointers that come from outside or from numbers are one: they lead to [`Object::External`], with everything that is known there.
//!
//! The result is about the program as it was: asking for expressions that were added later, or that no operation used, is an
//! error of the caller and panics, since any answer could be wrong.

mod classes;
mod constraints;
mod slots;
mod unify;
mod values;

pub use classes::{CellRange, ClassId, RegionKind};

use crate::expr::ExprId;
use crate::op::{Op, PointerCall, Reach};
use crate::program::{EdgeId, FuncId, Program, Storage, VarId};
use base::Id;
use rustc_hash::FxHashMap;
use slots::{Ptr, Val};
use unify::Solver;

/// What a pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A memory variable, all of its instances.
    Var(VarId),
    /// What an `Alloc` or `Realloc` edge makes.
    Alloc(EdgeId),
    /// A function.
    Function(FuncId),
    /// Memory and functions that are not the program's.
    External,
}

/// The functions that a call through a pointer may reach.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// Functions that the call works with, sorted.
    pub functions: Vec<FuncId>,
    /// Functions that the pointer may lead to, but that the call does not work with, sorted.
    pub misfits: Vec<FuncId>,
    /// Whether the pointer may come from outside, or nothing is known about it. Then each function of the type whose address
    /// is taken is among `functions`, and unknown functions may be called, too.
    pub may_be_unknown: bool,
    /// Whether the pointer may come from outside, so that what it leads to is known hardly at all: to call a misfit is undefined behaviour
    /// then. Otherwise it is what the author wants.
    pub is_from_outside: bool,
}

/// The result of the analysis.
pub struct PointsTo {
    solver: Solver,
    /// By expression.
    vals: Vec<Val>,
    numbering: classes::Numbering,
    /// Objects of each node, sorted.
    objects: Vec<Vec<Object>>,
    by_type: FxHashMap<u32, Vec<FuncId>>,
}

impl PointsTo {
    /// The class of addresses that lead to no object.
    pub fn nowhere() -> ClassId {
        ClassId::from_index(0)
    }

    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        constraints::Constraints::solve(program)
    }

    /// The objects whose addresses are known outside of the program, sorted.
    pub fn known_outside(&self) -> &[Object] {
        let at = self.solver.located(Ptr { node: slots::EXTERNAL, off: 0 });
        self.objects.get(at.node as usize).map_or(&[], |objects| &objects[..])
    }

    /// The objects that an address may lead to, sorted.
    pub fn objects_at(&self, addr: ExprId) -> &[Object] {
        self.pointee(addr).map_or(&[], |at| &self.objects[at.node as usize])
    }

    /// Number of classes; their ids are dense.
    pub fn class_count(&self) -> usize {
        self.numbering.classes.len()
    }

    /// Whether an address leads to no object, and to nothing outside of the program.
    pub fn leads_nowhere(&self, addr: ExprId) -> bool {
        self.pointee(addr).is_none_or(|at| self.objects[at.node as usize].is_empty())
    }

    /// The class of the cells that an address designates; [`PointsTo::nowhere`] if it can't be one.
    pub fn class_of_address(&self, addr: ExprId) -> ClassId {
        self.pointee(addr).map_or(Self::nowhere(), |at| self.class_at(at))
    }

    /// The classes of cells in the range of `len` bytes at an address, in the order of their offsets.
    pub fn cells(&self, addr: ExprId, len: u64) -> Vec<CellRange> {
        let Some(at) = self.pointee(addr) else { return Vec::new() };
        let node = &self.solver.nodes[at.node as usize];
        let first = self.numbering.first[at.node as usize] as usize + 1;
        let stride = node.stride as i64;
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let mut ranges = Vec::new();
        for (i, (off, cell)) in node.cells.iter().enumerate() {
            let size = self.solver.slots[*cell as usize].size;
            let mut offset = off.saturating_sub(at.off);
            if stride != 0 {
                // The first cell of the class that ends after the start of the range.
                offset = (offset + i64::from(size) - 1).rem_euclid(stride) - i64::from(size) + 1;
            }
            if offset < len && offset + i64::from(size) > 0 {
                ranges.push(CellRange { class: ClassId::from_index(first + i), offset, size, stride: node.stride });
            }
        }
        ranges.sort_by_key(|r| (r.offset, r.class));
        ranges
    }

    /// Classes with cells that an operation reaches from an address.
    pub fn classes_within(&self, addr: ExprId, len: Reach) -> Vec<ClassId> {
        match len {
            Reach::Bytes(len) => self.cells(addr, len).into_iter().map(|cells| cells.class).collect(),
            Reach::Object => self.classes_of_objects(addr),
        }
    }

    /// All classes with cells of the objects that an address may lead to, whatever the offset; empty if it leads nowhere.
    pub fn classes_of_objects(&self, addr: ExprId) -> Vec<ClassId> {
        self.pointee(addr).map_or(Vec::new(), |at| self.classes_of_node(at.node))
    }

    /// All classes with cells of a memory variable; empty for registers.
    pub fn classes_of_var(&self, var: VarId) -> Vec<ClassId> {
        match self.pointee_of_var(var) {
            Some(at) => self.classes_of_node(at.node),
            None => Vec::new(),
        }
    }

    /// All classes with cells of what an `Alloc` or `Realloc` to this register makes (and of what else the register may point to).
    pub fn classes_of_register(&self, register: VarId) -> Vec<ClassId> {
        let at = self.solver.pointee(Val::of(register.index() as u32));
        at.map_or(Vec::new(), |at| self.classes_of_node(at.node))
    }

    fn classes_of_node(&self, node: u32) -> Vec<ClassId> {
        let first = self.numbering.first[node as usize] as usize + 1;
        (first..first + self.solver.nodes[node as usize].cells.len()).map(ClassId::from_index).collect()
    }

    /// The objects that may hold cells of the class, sorted.
    pub fn objects(&self, class: ClassId) -> &[Object] {
        self.objects.get(self.numbering.classes[class].node as usize).map_or(&[], |o| &o[..])
    }

    /// The objects that a register may lead to, sorted.
    pub fn objects_of_register(&self, register: VarId) -> &[Object] {
        let at = self.solver.pointee(Val::of(register.index() as u32));
        at.and_then(|at| self.objects.get(at.node as usize)).map_or(&[], |objects| &objects[..])
    }

    /// How the memory of the class can be modelled.
    pub fn kind(&self, class: ClassId) -> RegionKind {
        self.numbering.classes[class].kind
    }

    /// Offset in the objects and size of the class's cells, for dumps; size 0 for bytes outside of all cells.
    pub fn position(&self, class: ClassId) -> (i64, u32) {
        (self.numbering.classes[class].offset, self.numbering.classes[class].size)
    }

    /// Whether a register may hold an address in a memory variable.
    pub fn may_lead_to(&self, register: VarId, var: VarId) -> bool {
        let node = self.pointee_of_var(var).map(|at| at.node);
        let held = self.solver.pointee(Val::of(register.index() as u32));
        held.is_some_and(|at| node == Some(at.node))
    }

    /// The objects in whose memory an address in a memory variable may be kept.
    pub fn keepers(&self, var: VarId) -> Vec<Object> {
        let Some(wanted) = self.pointee_of_var(var) else { return Vec::new() };
        let holds = |cell: &u32| self.solver.pointee(Val::of(*cell)).is_some_and(|at| at.node == wanted.node);
        let nodes = self.solver.nodes.iter().zip(&self.objects);
        nodes
            .filter(|(node, _)| node.cells.values().any(holds))
            .flat_map(|(_, objects)| objects.iter().copied())
            .collect()
    }

    /// Whether accesses through the two addresses may touch the same memory.
    pub fn may_alias(&self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.class_of_address(a), self.class_of_address(b));
        a == b && a != Self::nowhere()
    }

    /// Whether `len` bytes at an address lie in each object that it may lead to, and may be written there. Where it can't lead to any, a machine traps; pointers
    /// from outside are taken to be right.
    pub fn is_inside(&self, program: &Program, addr: ExprId, len: u64) -> bool {
        let Some(at) = self.pointee(addr) else { return true };
        if self.objects[at.node as usize].binary_search(&Object::External).is_ok() {
            return true;
        }
        let node = &self.solver.nodes[at.node as usize];
        let fits = |(object, start): &(Object, i64)| fits(program, *object, at.off.checked_sub(*start), len);
        node.objects.is_empty() || node.stride == 0 && node.objects.iter().all(fits)
    }

    /// Whether an address is that of a byte of each object that it may lead to, or of its begin, and never the one behind its end.
    pub fn is_never_behind(&self, program: &Program, addr: ExprId) -> bool {
        let Some(at) = self.pointee(addr) else { return true };
        let node = &self.solver.nodes[at.node as usize];
        let is_there =
            |(object, start): &(Object, i64)| at.off == *start || fits(program, *object, at.off.checked_sub(*start), 1);
        node.stride == 0 && node.objects.iter().all(is_there)
    }

    /// The functions that a pointer may lead to, of any type, sorted.
    pub fn functions_of(&self, callee: ExprId) -> Vec<FuncId> {
        let Some(at) = self.pointee(callee) else { return Vec::new() };
        let functions = self.objects[at.node as usize].iter();
        functions.filter_map(|o| if let Object::Function(f) = o { Some(*f) } else { None }).collect()
    }

    /// The functions of one type that a call through a pointer may reach.
    pub fn targets(&self, program: &Program, call: &PointerCall<'_>) -> Targets {
        let mut targets = constraints::targets_at(&self.solver, program, self.pointee(call.callee), call);
        if targets.may_be_unknown {
            targets.functions.extend(self.by_type.get(&call.ty_key).into_iter().flatten());
            targets.functions.sort_unstable();
            targets.functions.dedup();
        }
        targets
    }

    /// The node of a memory variable; `None` for registers, whose slots hold what they point to.
    fn pointee_of_var(&self, var: VarId) -> Option<Ptr> {
        let at = self.solver.pointee(Val::of(var.index() as u32))?;
        self.objects[at.node as usize].binary_search(&Object::Var(var)).is_ok().then_some(at)
    }

    fn pointee(&self, e: ExprId) -> Option<Ptr> {
        let val = self.vals[e.index()];
        assert!(val != Val::UNUSED, "points-to analysis is asked for {e:?}, which no operation used");
        self.solver.pointee(val)
    }

    fn class_at(&self, at: Ptr) -> ClassId {
        let untouched = self.numbering.first[at.node as usize];
        let class = classes::cell_at(&self.solver, at).map_or(untouched, |c| self.numbering.of_cell[c as usize]);
        ClassId::from_index(class as usize)
    }
}

/// Whether bytes at an offset lie in an object.
fn fits(program: &Program, object: Object, offset: Option<i64>, len: u64) -> bool {
    let end = offset.and_then(|offset| u64::try_from(offset).ok()).and_then(|offset| offset.checked_add(len));
    end.zip(size_of(program, object)).is_some_and(|(end, size)| end <= size)
}

/// Number of bytes of an object that programs may write to, if it is constant.
fn size_of(program: &Program, object: Object) -> Option<u64> {
    match object {
        Object::Var(var) => match program.vars[var].storage {
            Storage::Memory { size, .. } if !program.vars[var].is_read_only() => Some(size),
            Storage::Memory { .. } | Storage::Register(_) => None,
        },
        Object::Alloc(edge) => match program.edges[edge].op {
            Op::Alloc { size, .. } | Op::Realloc { size, .. } => {
                program.exprs.as_const(size).and_then(|size| u64::try_from(size.0).ok())
            }
            _ => None,
        },
        Object::Function(_) | Object::External => None,
    }
}

#[cfg(test)]
mod tests;
