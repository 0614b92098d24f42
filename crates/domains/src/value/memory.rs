//! Memory: reads and writes of cells, of blocks, and through pointers that are not known.

use super::assignment::{Assignment, memory_cells};
use super::cells::{CellId, ObjId, ObjectName};
use super::number::Known;
use super::{MAX_CELLS, ValueDomain, expand};
use cfa::layout::function_address;
use cfa::points_to::{ClassId, Object};
use cfa::{Access, AllocKind, ExprId, InitValue, Op, Undefined, Value, VarId};
use step::End;
use step::StackId;

impl ValueDomain<'_> {
    /// The variable, if the object always has its initial content.
    pub(super) fn constant_object(&self, obj: ObjId) -> Option<VarId> {
        match self.cells.objects[obj].name {
            ObjectName::Global(var) if self.facts.is_constant(var) => Some(var),
            _ => None,
        }
    }

    /// The initial value of bytes of a global variable.
    pub(super) fn initial_value(&mut self, var: VarId, offset: u64, bytes: u32) -> Option<Known> {
        let program = self.program;
        let Some(init) = program.vars[var].init.as_deref() else { return Some(Known::Num(0)) };
        let end = offset + u64::from(bytes);
        let order = program.byte_order;
        let mut found = vec![0; bytes as usize];
        let mut put = |at: u64, content: &[u8]| {
            for i in offset.max(at)..end.min(at + content.len() as u64) {
                found[(i - offset) as usize] = content[(i - at) as usize];
            }
        };
        for (at, ty, v) in &init.cells {
            let len = u64::from(ty.access_bytes(self.pointer_bits));
            if *at >= end || at + len <= offset {
                continue;
            }
            let value = match v {
                InitValue::Scalar(v) => v.0,
                InitValue::Function(func) => u128::from(function_address(*func)),
                InitValue::Address(target, add) => {
                    let whole = *at == offset && len == u64::from(bytes);
                    let obj = self.cells.find_object(ObjectName::Global(*target))?;
                    return whole.then_some(Known::Ptr(obj, *add));
                }
            };
            put(*at, &order.bytes(value, len as usize));
        }
        for (at, content) in &init.bytes {
            put(*at, content);
        }
        Some(Known::Num(order.number(&found)))
    }

    /// Whether an access of `bytes` bytes leaves the object for sure.
    fn is_outside(&self, obj: ObjId, off: i64, bytes: u64) -> bool {
        let size = self.cells.objects[obj].size;
        size.is_some_and(|size| off < 0 || (off as u64).saturating_add(bytes) > size)
    }

    /// Whether an access is valid, if that is known. A pointer that is known leads to an object that is alive.
    pub(super) fn valid(&self, access: Access, address: Option<Known>, len: Option<Known>) -> Option<bool> {
        match (access, address?) {
            (Access::Free, Known::Num(0)) => Some(true),
            (_, Known::Num(n)) => self.is_invalid(n).then_some(false),
            (Access::Free, Known::Ptr(obj, off)) => Some(off == 0 && self.is_on_heap(obj)),
            (_, Known::Ptr(obj, off)) => {
                if access == Access::Write && self.is_literal(obj) {
                    return Some(false);
                }
                let Some(Known::Num(len)) = len else { return None };
                self.cells.objects[obj].size?;
                Some(!self.is_outside(obj, off, u64::try_from(len).unwrap_or(u64::MAX)))
            }
        }
    }

    pub(super) fn is_on_heap(&self, obj: ObjId) -> bool {
        let Object::Alloc(edge) = self.cells.objects[obj].name.origin() else { return false };
        !matches!(self.program.edges[edge].op, Op::Alloc { kind: AllocKind::Stack, .. })
    }

    fn is_literal(&self, obj: ObjId) -> bool {
        matches!(self.cells.objects[obj].name, ObjectName::Global(var) if self.program.vars[var].is_read_only())
    }

    /// The value of bytes of an object. What a read outside of it finds is not known.
    pub(super) fn load<A: Assignment>(&mut self, a: &mut A, obj: ObjId, off: i64, bytes: u32) -> Option<Known> {
        if self.is_outside(obj, off, u64::from(bytes)) {
            return None;
        }
        if let Some(var) = self.constant_object(obj) {
            return self.initial_value(var, off as u64, bytes);
        }
        if let Some(cell) = self.cells.find(obj, off, bytes)
            && let Some(val) = a.get(cell)
        {
            return Some(self.values.get(val));
        }
        // A part of a larger cell?
        let end = off + i64::from(bytes);
        let larger = self.cells.overlapping(obj, off, u64::from(bytes)).find_map(|(o, b, cell)| {
            if o > off || o + i64::from(b) < end || b == bytes {
                return None;
            }
            a.get(cell).map(|val| (o, b, val))
        });
        match larger {
            Some((o, b, val)) => match self.values.get(val) {
                Known::Num(n) => {
                    let low = self.program.byte_order.shift(b, (off - o) as u32, bytes);
                    Some(Known::Num(Value::truncated(n >> low, bytes * 8).0))
                }
                Known::Ptr(..) => None,
            },
            None => self.load_parts(a, obj, off, bytes),
        }
    }

    /// The value of bytes that are known as several smaller cells.
    fn load_parts<A: Assignment>(&self, a: &mut A, obj: ObjId, off: i64, bytes: u32) -> Option<Known> {
        let end = off + i64::from(bytes);
        let (mut content, mut next) = (Vec::new(), off);
        for (o, b, cell) in self.cells.overlapping(obj, off, u64::from(bytes)) {
            if o != next || o + i64::from(b) > end {
                continue;
            }
            let Some(Known::Num(n)) = a.get(cell).map(|val| self.values.get(val)) else { continue };
            content.extend(self.program.byte_order.bytes(n, b as usize));
            next += i64::from(b);
        }
        (next == end).then(|| Known::Num(self.program.byte_order.number(&content)))
    }

    /// Writes a scalar.
    pub(super) fn store<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), End> {
        let bytes = self.program.exprs.ty(value).access_bytes(self.pointer_bits);
        let Some((obj, off)) = self.target(a, stack, addr, u64::from(bytes))? else {
            // The value is evaluated for the undefined behaviour that it may have.
            self.eval(a, stack, value)?;
            let class = self.points_to.class_of_address(addr);
            self.forget_classes(a, &[class]);
            return Ok(());
        };
        let value = self.eval(a, stack, value)?;
        self.write(a, obj, off, bytes, value);
        Ok(())
    }

    /// The place that an address designates on all runs; `None` if it is not known.
    fn target<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        addr: ExprId,
        len: u64,
    ) -> Result<Option<(ObjId, i64)>, End> {
        a.begin();
        match self.eval(a, stack, addr)? {
            Some(Known::Ptr(obj, off)) => {
                if self.is_outside(obj, off, len) {
                    return Err(End::Undefined(Undefined::OutsideWrite));
                }
                a.address_is_known(addr, len);
                Ok(Some((obj, off)))
            }
            Some(Known::Num(n)) if self.is_invalid(n) && len != 0 => Err(End::Undefined(Undefined::InvalidAccess)),
            _ => Ok(None),
        }
    }

    fn write<A: Assignment>(&mut self, a: &mut A, obj: ObjId, off: i64, bytes: u32, value: Option<Known>) {
        let cell = self.memory_cell(obj, off, bytes);
        self.forget_bytes(a, obj, off, u64::from(bytes), Some(cell));
        match value {
            Some(v) => {
                let val = self.values.pack(v);
                a.set(cell, val);
            }
            None => a.forget(cell),
        }
    }

    /// Makes a range of an object unknown.
    fn forget_bytes<A: Assignment>(&mut self, a: &mut A, obj: ObjId, off: i64, len: u64, except: Option<CellId>) {
        for (.., cell) in self.cells.overlapping(obj, off, len) {
            if Some(cell) != except {
                a.forget(cell);
            }
        }
    }

    /// Makes all cells of an object unknown.
    pub(super) fn forget_object<A: Assignment>(&mut self, a: &mut A, obj: ObjId) {
        for cell in self.cells.of_object(obj) {
            a.forget(cell);
        }
    }

    /// Whether a memory cell may belong to one of the classes.
    pub(super) fn may_be_of(&self, cell: CellId, classes: &[ClassId]) -> bool {
        let Some(obj) = self.cells.object_of(cell) else { return false };
        let origin = self.cells.objects[obj].name.origin();
        let own = self.cells.cells[cell].class;
        classes.iter().any(|class| {
            own.is_none_or(|own| own == *class) && self.points_to.objects(*class).binary_search(&origin).is_ok()
        })
    }

    /// Makes everything unknown that may be in memory of these classes.
    fn forget_classes<A: Assignment>(&mut self, a: &mut A, classes: &[ClassId]) {
        let mut cells = Vec::new();
        memory_cells(a, &self.cells, &mut cells);
        for cell in cells {
            if self.may_be_of(cell, classes) {
                a.forget(cell);
            }
        }
    }

    /// The classes of the memory that `len` bytes at an address may be in.
    pub(super) fn classes_at(&self, addr: ExprId, len: u64) -> Vec<ClassId> {
        let mut classes: Vec<ClassId> = self.points_to.cells(addr, len).into_iter().map(|r| r.class).collect();
        classes.push(self.points_to.class_of_address(addr));
        classes
    }

    /// Copies a block.
    pub(super) fn copy<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        (dst, src): (ExprId, ExprId),
        len: u64,
    ) -> Result<(), End> {
        if len == 0 {
            return Ok(());
        }
        let Some((to, to_off)) = self.target(a, stack, dst, len)? else {
            self.eval(a, stack, src)?;
            let classes = self.classes_at(dst, len);
            self.forget_classes(a, &classes);
            return Ok(());
        };
        let source = match self.eval(a, stack, src)? {
            Some(Known::Num(n)) if self.is_invalid(n) => return Err(End::Undefined(Undefined::InvalidAccess)),
            Some(Known::Ptr(obj, off)) => Some((obj, off)),
            _ => None,
        };
        a.all_at_once();
        let mut copied = Vec::new();
        if let Some((from, from_off)) = source {
            let mut places = expand(&self.points_to.cells(dst, len), len);
            let known = self.cells.overlapping(from, from_off, len);
            places.extend(
                known
                    .map(|(o, b, _)| (o - from_off, b))
                    .filter(|(o, b)| *o >= 0 && (*o as u64).saturating_add(u64::from(*b)) <= len),
            );
            places.sort_unstable();
            places.dedup();
            places.truncate(MAX_CELLS);
            for (o, bytes) in places {
                let v = self.load(a, from, from_off + o, bytes);
                copied.push((o, bytes, v));
            }
        }
        self.forget_bytes(a, to, to_off, len, None);
        for (o, bytes, v) in copied {
            if let Some(v) = v {
                let cell = self.memory_cell(to, to_off + o, bytes);
                let val = self.values.pack(v);
                a.set(cell, val);
            }
        }
        Ok(())
    }

    /// Sets a block to one byte, or to anything.
    pub(super) fn fill<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        dst: ExprId,
        byte: Option<ExprId>,
        len: u64,
    ) -> Result<(), End> {
        if len == 0 {
            return Ok(());
        }
        let Some((obj, off)) = self.target(a, stack, dst, len)? else {
            if let Some(byte) = byte {
                self.eval(a, stack, byte)?;
            }
            let classes = self.classes_at(dst, len);
            self.forget_classes(a, &classes);
            return Ok(());
        };
        let byte = match byte {
            Some(byte) => self.eval(a, stack, byte)?,
            None => None,
        };
        self.forget_bytes(a, obj, off, len, None);
        if let Some(Known::Num(byte)) = byte {
            let byte = byte & 0xff;
            for (o, bytes) in expand(&self.points_to.cells(dst, len), len) {
                let number = (0..bytes).fold(0u128, |n, i| n | shl(byte, u64::from(i) * 8));
                let cell = self.memory_cell(obj, off + o, bytes);
                let val = self.values.pack(Known::Num(number));
                a.set(cell, val);
            }
        }
        Ok(())
    }

    /// Makes all unknown that the object holds into which an address leads.
    pub(super) fn havoc_object<A: Assignment>(&mut self, a: &mut A, stack: StackId, dst: ExprId) -> Result<(), End> {
        match self.target(a, stack, dst, 1)? {
            Some((obj, _)) => self.forget_object(a, obj),
            None => {
                let classes = self.points_to.classes_of_objects(dst);
                self.forget_classes(a, &classes);
            }
        }
        Ok(())
    }

    /// Makes all pointers to an object unknown: it does not exist any more, and its name will be used again.
    pub(super) fn forget_pointers<A: Assignment>(&mut self, a: &mut A, is_gone: impl Fn(ObjId, ObjectName) -> bool) {
        let mut entries = Vec::new();
        a.entries(&mut entries);
        for (cell, val) in entries {
            if val.is_pointer()
                && let Known::Ptr(obj, _) = self.values.get(val)
                && is_gone(obj, self.cells.objects[obj].name)
            {
                a.forget(cell);
            }
        }
    }
}

fn shl(v: u128, bits: u64) -> u128 {
    if bits >= 128 { 0 } else { v << bits }
}
