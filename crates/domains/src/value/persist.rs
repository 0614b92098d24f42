//! Places, objects, values and precisions in names that outlive a run ([`cfa::names`]).
//!
//! Reading gives the place that has the name in this program, if there is one. What is read of a global variable includes
//! what every run may rely on ([`super::content`]), so that a constant that is none any more is not taken for one.

use super::ValueDomain;
use super::cells::{CellId, Key, KeyId, ObjId, ObjectName, Place};
use super::number::{Known, Val};
use super::precision::ValuePrecision;
use crate::value::content::Contents;
use base::bytes::{Reader, Writer};
use cfa::points_to::Object;
use cfa::{FuncId, LocId, Op, Storage, VarId};
use step::StackId;

impl ValueDomain<'_> {
    /// Writes a call stack.
    pub(crate) fn write_stack(&self, w: &mut Writer, contents: &Contents, stack: StackId) {
        let calls = self.stacks.calls(stack);
        let mut bottom = stack;
        while let Some((below, _)) = self.stacks.frame(bottom).caller {
            bottom = below;
        }
        w.number(u8::from(bottom == self.stacks.root()));
        contents.names.write_func(w, self.stacks.frame(bottom).func);
        w.index(calls.len());
        calls.iter().for_each(|call| contents.names.write_edge(w, *call));
    }

    /// Reads a call stack.
    pub(crate) fn read_stack(&mut self, r: &mut Reader<'_>, contents: &Contents) -> Option<StackId> {
        let is_start = r.narrow::<u8>()? == 1;
        let func = contents.names.read_func(r)?;
        let mut stack = if is_start { self.stacks.root() } else { self.root_of(func) };
        for _ in 0..r.length()? {
            let call = contents.names.read_edge(r)?;
            let Op::Call { func: callee, .. } = self.program.edges[call].op else { return None };
            if self.program.locs[self.program.edges[call].src].func != self.stacks.frame(stack).func {
                return None;
            }
            stack = self.push(stack, call, callee);
        }
        Some(stack)
    }

    fn write_object(&mut self, w: &mut Writer, contents: &mut Contents, obj: ObjId) {
        let (name, size) = (self.cells.objects[obj].name, self.cells.objects[obj].size);
        let program = self.program;
        match name {
            ObjectName::Global(var) => {
                w.number(0u8);
                self.write_global(w, contents, var);
            }
            ObjectName::Local(stack, var) => {
                w.number(1u8);
                self.write_stack(w, contents, stack);
                contents.names.write_var(w, program, var);
            }
            ObjectName::Heap(edge, count, _) => {
                w.number(2u8);
                contents.names.write_edge(w, edge);
                w.number(count);
                write_size(w, size);
            }
            ObjectName::Stack(stack, edge, count, _) => {
                w.number(3u8);
                self.write_stack(w, contents, stack);
                contents.names.write_edge(w, edge);
                w.number(count);
                write_size(w, size);
            }
            ObjectName::Outer(origin, count) => {
                w.number(4u8);
                contents.names.write_object(w, program, origin);
                w.number(count);
                write_size(w, size);
            }
        }
    }

    fn read_object(&mut self, r: &mut Reader<'_>, contents: &mut Contents) -> Option<ObjId> {
        Some(match r.narrow::<u8>()? {
            0 => {
                let var = self.read_global(r, contents)?;
                self.program.vars[var].register().is_none().then(|| self.object_of(self.stacks.root(), var))?
            }
            1 => {
                let stack = self.read_stack(r, contents)?;
                let var = contents.names.read_var(r)?;
                let (owner, storage) = (self.program.vars[var].func, self.program.vars[var].storage);
                let fits = owner == Some(self.stacks.frame(stack).func) && matches!(storage, Storage::Memory { .. });
                fits.then(|| self.object_of(stack, var))?
            }
            2 => {
                let edge = contents.names.read_edge(r)?;
                let (count, size) = (r.narrow()?, read_size(r)?);
                self.cells.object(ObjectName::Heap(edge, count, size), || size)
            }
            3 => {
                let stack = self.read_stack(r, contents)?;
                let edge = contents.names.read_edge(r)?;
                let (count, size) = (r.narrow()?, read_size(r)?);
                self.cells.object(ObjectName::Stack(stack, edge, count, size), || size)
            }
            4 => {
                let origin = contents.names.read_object(r)?;
                let count = r.narrow()?;
                let size = read_size(r)?;
                let obj = self.cells.object(ObjectName::Outer(origin, count), || size);
                (self.cells.objects[obj].size == size).then_some(obj)?
            }
            _ => return None,
        })
    }

    fn write_global(&mut self, w: &mut Writer, contents: &mut Contents, var: VarId) {
        contents.names.write_var(w, self.program, var);
        let content = self.global(contents, var);
        w.digest(&content);
    }

    fn read_global(&mut self, r: &mut Reader<'_>, contents: &mut Contents) -> Option<VarId> {
        let var = contents.names.read_var(r)?;
        let is_same = self.program.vars[var].is_global() && r.digest()? == self.global(contents, var);
        is_same.then_some(var)
    }

    /// Writes a cell.
    pub(crate) fn write_cell(&mut self, w: &mut Writer, contents: &mut Contents, cell: CellId) {
        match self.cells.cells[cell].place {
            Place::Register(None, var) => {
                w.number(0u8);
                self.write_global(w, contents, var);
            }
            Place::Register(Some(stack), var) => {
                w.number(1u8);
                self.write_stack(w, contents, stack);
                contents.names.write_var(w, self.program, var);
            }
            Place::Memory { obj, offset, bytes } => {
                w.number(2u8);
                self.write_object(w, contents, obj);
                w.signed(offset);
                w.number(bytes);
            }
        }
    }

    /// Reads a cell.
    pub(crate) fn read_cell(&mut self, r: &mut Reader<'_>, contents: &mut Contents) -> Option<CellId> {
        let root = self.stacks.root();
        Some(match r.narrow::<u8>()? {
            0 => {
                let var = self.read_global(r, contents)?;
                self.program.vars[var].register().map(|_| self.register(root, var))?
            }
            1 => {
                let stack = self.read_stack(r, contents)?;
                let var = contents.names.read_var(r)?;
                let owner = self.program.vars[var].func;
                let fits = owner == Some(self.stacks.frame(stack).func) && self.program.vars[var].register().is_some();
                fits.then(|| self.register(stack, var))?
            }
            2 => {
                let obj = self.read_object(r, contents)?;
                let (offset, bytes) = (r.signed()?, r.narrow()?);
                (1..=16).contains(&bytes).then(|| self.memory_cell(obj, offset, bytes))?
            }
            _ => return None,
        })
    }

    /// Writes a value.
    pub(crate) fn write_value(&mut self, w: &mut Writer, contents: &mut Contents, val: Val) {
        match self.values.get(val) {
            Known::Num(n) => {
                w.number(0u8);
                w.number(n);
            }
            Known::Ptr(obj, offset) => {
                w.number(1u8);
                self.write_object(w, contents, obj);
                w.signed(offset);
            }
        }
    }

    /// Reads a value.
    pub(crate) fn read_value(&mut self, r: &mut Reader<'_>, contents: &mut Contents) -> Option<Val> {
        let known = match r.narrow::<u8>()? {
            0 => Known::Num(r.number()?),
            1 => Known::Ptr(self.read_object(r, contents)?, r.signed()?),
            _ => return None,
        };
        Some(self.values.pack(known))
    }

    /// Writes what a precision tracks.
    pub(crate) fn write_key(&self, w: &mut Writer, contents: &Contents, (loc, key): (Option<LocId>, KeyId)) {
        w.number(u8::from(loc.is_some()));
        if let Some(loc) = loc {
            contents.names.write_loc(w, self.program, loc);
        }
        match self.cells.key_of(key) {
            Key::Register(var) => {
                w.number(0u8);
                contents.names.write_var(w, self.program, var);
            }
            Key::Memory(object, offset) => {
                w.number(1u8);
                contents.names.write_object(w, self.program, object);
                w.signed(offset);
            }
            Key::Whole(object) => {
                w.number(2u8);
                contents.names.write_object(w, self.program, object);
            }
        }
    }

    /// Makes a precision track what is read; `None` if it is not in the program.
    pub(crate) fn read_key(
        &mut self,
        r: &mut Reader<'_>,
        contents: &Contents,
        precision: &mut ValuePrecision,
    ) -> Option<()> {
        let loc = match r.narrow::<u8>()? {
            0 => base::Id::from_index(0),
            _ => contents.names.read_loc(r)?,
        };
        let key = match r.narrow::<u8>()? {
            0 => {
                let var = contents.names.read_var(r)?;
                self.program.vars[var].register().map(|_| Key::Register(var))?
            }
            1 => Key::Memory(contents.names.read_object(r)?, r.signed()?),
            2 => Key::Whole(contents.names.read_object(r)?),
            _ => return None,
        };
        let key = self.cells.key(key);
        precision.track(&mut self.cells, loc, key);
        Some(())
    }

    /// What a key belongs to.
    pub(crate) fn owner(&self, key: KeyId) -> Owner {
        let of_var = |var: VarId| self.program.vars[var].func.map_or(Owner::Global(var), Owner::Function);
        match self.cells.key_of(key) {
            Key::Register(var) | Key::Memory(Object::Var(var), _) | Key::Whole(Object::Var(var)) => of_var(var),
            Key::Memory(Object::Alloc(edge), _) | Key::Whole(Object::Alloc(edge)) => {
                Owner::Function(self.program.locs[self.program.edges[edge].src].func)
            }
            Key::Memory(Object::Function(_) | Object::External, _)
            | Key::Whole(Object::Function(_) | Object::External) => Owner::Nobody,
        }
    }
}

fn write_size(w: &mut Writer, size: Option<u64>) {
    w.number(size.map_or(0, |size| u128::from(size) + 1));
}

fn read_size(r: &mut Reader<'_>) -> Option<Option<u64>> {
    r.number()?.checked_sub(1).map(u64::try_from).transpose().ok()
}

/// What a key belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// A function.
    Function(FuncId),
    /// A global variable.
    Global(VarId),
    /// Neither.
    Nobody,
}
