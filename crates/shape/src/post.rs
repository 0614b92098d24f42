//! Operations on a graph.

use crate::eval::{COARSE, Eval, Stop};
use crate::graph::{Graph, beginning};
use crate::object::{Field, Kind, Object};
use crate::value::{Address, Val};
use cfa::{AllocKind, ExprId, InitValue, Op, Program, Reach, Scalar, Storage, VarId};
use domains::numerical::Num;
use step::{End, StackId};

/// Longest string literal whose characters are known.
const MAX_BYTES: usize = 256;
/// Most fields that are copied at once.
const MAX_COPIED: usize = 512;

/// The graph in which a program starts.
pub fn initial(program: &Program, root: StackId) -> Graph {
    let mut graph = Graph::new(program.pointer_bits());
    let globals = || program.vars.iter_enumerated().filter(|(_, var)| var.is_global());
    for (id, var) in globals() {
        if let Storage::Memory { size, .. } = var.storage {
            let object = graph.add(Object::new(Kind::Variable(root, id), Num::single(size.into()), program.byte_order));
            graph.variables.insert((root, id), object);
        }
    }
    for (id, var) in globals() {
        let init = var.init.as_deref();
        let cells = init.map_or(&[][..], |init| &init.cells[..]);
        let value = |graph: &Graph, value: &InitValue| match *value {
            InitValue::Scalar(value) => Val::Bits(value),
            InitValue::Function(func) => Val::Function(func),
            InitValue::Address(var, by) => match graph.variables.get(&(root, var)) {
                Some(object) => Val::Address(Address { offset: by, ..address(*object) }),
                None => Val::ZERO,
            },
        };
        match var.storage {
            Storage::Register(ty) => {
                let val = cells.first().map_or(Val::ZERO, |(_, _, init)| value(&graph, init));
                graph.registers.insert((root, id), Field { ty, val });
            }
            Storage::Memory { size, .. } => {
                let fields: Vec<_> = cells.iter().map(|(at, ty, init)| (*at, *ty, value(&graph, init))).collect();
                let pointer_bits = program.pointer_bits();
                let Some(object) = graph.variables.get(&(root, id)).copied().and_then(|id| graph.object_mut(id)) else {
                    continue;
                };
                object.clear(0, size as i64, pointer_bits);
                for (at, ty, val) in fields {
                    object.write(at as i64, Field { ty, val }, pointer_bits);
                }
                for (at, content) in init.map_or(&[][..], |init| &init.bytes[..]) {
                    let (at, ty) = (*at as i64, Scalar::Int { bits: 8, signed: true });
                    object.forget(at, at + content.len() as i64, pointer_bits);
                    for (i, byte) in content.iter().enumerate().take(MAX_BYTES) {
                        let val = Val::Bits(cfa::Value(u128::from(*byte)));
                        object.write(at + i as i64, Field { ty, val }, pointer_bits);
                    }
                }
            }
        }
    }
    graph
}

fn address(object: crate::value::ObjectId) -> Address {
    Address { object, side: crate::value::Side::First, offset: 0 }
}

impl Eval<'_, '_> {
    /// Carries out an operation that stays in its frame; whether runs may go on.
    ///
    /// # Errors
    /// If the graph has to be changed first, or no run gets past it.
    pub fn post(&mut self, op: &Op) -> Result<bool, Stop> {
        match op {
            Op::Skip => {}
            Op::Assign { dst, src } => {
                let val = self.eval(*src)?;
                self.set(*dst, val);
            }
            Op::Havoc { dst, .. } => self.set_any(*dst),
            Op::CallExtern { dst, .. } => dst.iter().for_each(|dst| self.set_any(*dst)),
            Op::Assume { cond, truth } => return self.assume(*cond, *truth),
            Op::Store { addr, value } => self.store(*addr, *value)?,
            Op::MemCopy { dst, src, len } => self.copy(*dst, *src, *len)?,
            Op::MemSet { dst, byte, len } => {
                let byte = self.eval(*byte)?;
                let is_zero = matches!(byte, Val::Bits(value) if value.0 & 0xff == 0);
                self.fill(*dst, *len, is_zero)?;
            }
            Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => self.fill(*dst, *len, false)?,
            Op::MemHavoc { dst, len: Reach::Object, .. } => {
                let to = self.eval(*dst)?;
                let place = self.place(to, 1)?;
                if let Some(object) = self.graph.object_mut(place.object) {
                    object.forget(0, i64::MAX, self.program.pointer_bits());
                }
            }
            Op::Alloc { dst, size, kind, .. } => {
                let size = self.size(*size)?;
                let mut object = Object::new(self.kind(*kind), size, self.program.byte_order);
                if *kind == AllocKind::HeapZeroed {
                    object.clear(0, i64::try_from(size.hi).unwrap_or(i64::MAX), self.graph.pointer_bits);
                }
                object.origin = Some(self.key(*dst));
                let id = self.graph.add(object);
                self.set(*dst, beginning(id));
            }
            Op::Realloc { dst, ptr, size } => self.realloc(*dst, *ptr, *size)?,
            Op::Free { ptr, kind } => {
                let val = self.eval(*ptr)?;
                if val != Val::ZERO {
                    let id = self.block(val, self.kind(*kind))?;
                    self.graph.object_mut(id).into_iter().for_each(Object::end);
                }
            }
            Op::Declare { var } => {
                let key = self.key(*var);
                self.graph.end_variable(key);
                self.variable(*var);
            }
            Op::EndScope { var } => {
                let key = self.key(*var);
                self.graph.end_variable(key);
            }
            Op::Undefined(what) => return Err(Stop::End(End::Undefined(*what))),
            Op::Halt => return Ok(false),
            Op::Unsupported(id) => return Err(Stop::End(End::Unmodelled(Some(*id)))),
            Op::Repeat(_) | Op::Call { .. } | Op::CallPtr { .. } => return Err(COARSE),
        }
        Ok(true)
    }

    /// A register gets a value.
    pub fn set(&mut self, var: VarId, val: Val) {
        let key = self.key(var);
        if let Some(ty) = self.program.vars[var].register() {
            self.graph.registers.insert(key, Field { ty, val });
        }
    }

    fn set_any(&mut self, var: VarId) {
        if let Some(ty) = self.program.vars[var].register() {
            let val = self.graph.any(ty);
            self.set(var, val);
        }
    }

    fn size(&mut self, size: ExprId) -> Result<Num, Stop> {
        let val = self.eval(size)?;
        self.graph.numbers(val, self.program.exprs.ty(size)).ok_or(COARSE)
    }

    fn kind(&self, kind: AllocKind) -> Kind {
        if kind == AllocKind::Stack { Kind::Frame(self.stack) } else { Kind::Heap }
    }

    /// The object of the kind that begins at an address.
    fn block(&mut self, val: Val, kind: Kind) -> Result<crate::value::ObjectId, Stop> {
        let place = self.place(val, 0)?;
        let object = self.graph.object(place.object);
        match place.at.as_single() {
            Some(0) if object.kind == kind => Ok(place.object),
            _ => Err(COARSE),
        }
    }

    fn store(&mut self, addr: ExprId, value: ExprId) -> Result<(), Stop> {
        let (to, val, ty) = (self.eval(addr)?, self.eval(value)?, self.program.exprs.ty(value));
        let len = i64::from(ty.access_bytes(self.graph.pointer_bits));
        let place = self.place(to, len.into())?;
        match place.at.as_single() {
            Some(at) => self.graph.write(place.object, at as i64, Field { ty, val }),
            None => self.forget(place, len),
        }
        Ok(())
    }

    /// Somewhere in a range, bytes change.
    fn forget(&mut self, place: crate::eval::Place, len: i64) {
        let pointer_bits = self.graph.pointer_bits;
        if let Some(object) = self.graph.object_mut(place.object) {
            object.forget(place.at.lo as i64, place.at.hi as i64 + len, pointer_bits);
        }
    }

    fn fill(&mut self, dst: ExprId, len: u64, is_zero: bool) -> Result<(), Stop> {
        let to = self.eval(dst)?;
        if len == 0 {
            return Ok(());
        }
        let place = self.place(to, len.into())?;
        let pointer_bits = self.graph.pointer_bits;
        match (place.at.as_single(), is_zero) {
            (Some(at), true) => {
                if let Some(object) = self.graph.object_mut(place.object) {
                    object.clear(at as i64, at as i64 + len as i64, pointer_bits);
                }
            }
            _ => self.forget(place, len as i64),
        }
        Ok(())
    }

    fn copy(&mut self, dst: ExprId, src: ExprId, len: u64) -> Result<(), Stop> {
        let (to, from) = (self.eval(dst)?, self.eval(src)?);
        if len == 0 {
            return Ok(());
        }
        let from = self.place(from, len.into())?;
        let to = self.place(to, len.into())?;
        let len = len as i64;
        match (from.at.as_single(), to.at.as_single()) {
            (Some(src), Some(dst)) => self.graph.copy((from.object, src as i64), (to.object, dst as i64), len),
            _ => self.forget(to, len),
        }
        Ok(())
    }

    fn realloc(&mut self, dst: VarId, ptr: ExprId, size: ExprId) -> Result<(), Stop> {
        let (old, size) = (self.eval(ptr)?, self.size(size)?);
        let mut new = Object::new(Kind::Heap, size, self.program.byte_order);
        new.origin = Some(self.key(dst));
        if old == Val::ZERO {
            let id = self.graph.add(new);
            self.set(dst, beginning(id));
            return Ok(());
        }
        let old = self.block(old, Kind::Heap)?;
        let id = self.graph.add(new);
        let common = self.graph.object(old).size.lo.min(size.lo);
        self.graph.copy((old, 0), (id, 0), i64::try_from(common).unwrap_or(0));
        self.graph.object_mut(old).into_iter().for_each(Object::end);
        self.set(dst, beginning(id));
        Ok(())
    }
}

impl Graph {
    /// Copies bytes from one object to another, or within one.
    fn copy(&mut self, (from, src): (crate::value::ObjectId, i64), (to, dst): (crate::value::ObjectId, i64), len: i64) {
        let pointer_bits = self.pointer_bits;
        let source = self.object(from);
        let is_inside =
            |at: i64, field: &Field| at >= src && at + i64::from(field.ty.access_bytes(pointer_bits)) <= src + len;
        let fields: Vec<(i64, Field)> = source
            .fields
            .range(src..src.saturating_add(len))
            .filter(|(at, field)| is_inside(**at, field))
            .map(|(at, field)| (*at, *field))
            .take(MAX_COPIED)
            .collect();
        let zeros: Vec<(i64, i64)> = source
            .zeros
            .iter()
            .map(|(lo, hi)| (*lo.max(&src), *hi.min(&(src + len))))
            .filter(|(lo, hi)| lo < hi)
            .collect();
        // Bytes of fields that are not copied whole, or are too many, may be anything.
        let cut: Vec<(i64, i64)> = source
            .fields
            .range(src.saturating_sub(16)..src.saturating_add(len))
            .filter(|(at, _)| !fields.iter().any(|(copied, _)| copied == *at))
            .map(|(at, field)| (*at, *at + i64::from(field.ty.access_bytes(pointer_bits))))
            .collect();
        let Some(target) = self.object_mut(to) else { return };
        target.forget(dst, dst + len, pointer_bits);
        let by = dst - src;
        for (lo, hi) in zeros {
            target.clear(lo + by, hi + by, pointer_bits);
        }
        for (lo, hi) in cut {
            let (lo, hi) = ((lo + by).max(dst), (hi + by).min(dst + len));
            if lo < hi {
                target.forget(lo, hi, pointer_bits);
            }
        }
        for (at, field) in fields {
            target.write(at + by, field, pointer_bits);
        }
    }
}
