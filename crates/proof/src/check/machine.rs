//! Symbolic execution for proof checking: what operations do to runs of which only some facts are known.
//!
//! Deliberately small and apart from all transfer relations of the domains: expressions become terms, memory is a map from places
//! to terms, and whatever is not known to be there is a fresh variable, under which it is known from then on. A write to an address that is not constant forgets
//! each cell that the pointer may designate.

use crate::check::globals::Globals;
use crate::graph::ObjectRef;
use cfa::eval::Leaf;
use cfa::layout::{external_range, object_range};
use cfa::observer::ObserverState;
use cfa::points_to::Object;
use cfa::{AllocKind, EdgeId, ExprId, FuncId, LocId, Op, Program, Scalar, Storage, Undefined, VarId};
use encode::memory::object::{Rest, Size};
use encode::{Encoder, EndingKind, ObjId, ObjectKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, TermId};
use std::collections::BTreeMap;

/// A call that has not returned.
#[derive(Clone)]
pub(super) struct Frame {
    pub func: FuncId,
    pub call: Option<EdgeId>,
    pub registers: FxHashMap<VarId, TermId>,
    /// Current instances of memory variables.
    pub objects: FxHashMap<VarId, ObjId>,
}

/// Runs of which some facts are known.
#[derive(Clone)]
pub(super) struct Runs {
    pub loc: LocId,
    pub observer: ObserverState,
    /// What was assumed, as one formula.
    pub guard: TermId,
    pub globals: FxHashMap<VarId, TermId>,
    pub frames: Vec<Frame>,
    /// Bits in memory by object and offset, without overlap.
    cells: Cells,
    /// Whether globals hold their initial values where no cell says anything else.
    pub initial: bool,
    /// Objects of which that is not true any more.
    dirty: FxHashSet<ObjId>,
    /// Objects that allocations made, by the names of the node where the runs begin, and new ones without.
    pub made: Vec<(EdgeId, Option<ObjectRef>, ObjId)>,
    /// Objects that existed before the block, by their names there.
    outer: BTreeMap<ObjectRef, ObjId>,
}

type Cells = BTreeMap<(ObjId, u64), (u64, TermId)>;

/// The cells that have bytes in a range of an object.
fn overlapping(cells: &Cells, object: ObjId, offset: u64, len: u64) -> impl Iterator<Item = (ObjId, u64)> {
    // No cell is longer than the longest scalar.
    let range = (object, offset.saturating_sub(16))..(object, offset.saturating_add(len));
    cells.range(range).filter(move |((_, start), (bytes, _))| start + bytes > offset).map(|(key, _)| *key)
}

/// Why no run goes on.
pub(super) enum End {
    /// Nothing that matters can follow.
    Fine,
    /// What follows is not known.
    Unknown,
}

/// Most bytes of a block that are told apart.
const MAX_BLOCK: u64 = 512;
/// Room of an object of unknown size.
const ROOM: u64 = 1 << 16;

/// What all runs share.
pub(super) struct Machine<'p> {
    pub enc: Encoder<'p>,
    pub program: &'p Program,
    globals: Globals,
    /// Initial contents of globals that were asked for: cells by offset.
    initial: FxHashMap<VarId, BTreeMap<u64, (u64, TermId)>>,
    may_point_to: &'p (dyn Fn(ExprId, ObjectKind) -> bool + 'p),
}

type Step<T> = Result<T, End>;

impl<'p> Machine<'p> {
    /// A machine, or why there is none.
    pub fn new(
        program: &'p Program,
        may_point_to: &'p (dyn Fn(ExprId, ObjectKind) -> bool + 'p),
    ) -> Result<Self, &'static str> {
        let enc = Encoder::new(program, Box::new(may_point_to))?;
        let globals = Globals::new(program, may_point_to);
        Ok(Self { enc, program, globals, initial: FxHashMap::default(), may_point_to })
    }

    fn width(&self) -> u32 {
        self.program.pointer_bits()
    }

    fn bytes(&self, ty: Scalar) -> u64 {
        u64::from(ty.access_bytes(self.width()))
    }

    fn fresh(&mut self, ty: Scalar) -> TermId {
        let sort = self.enc.sort(ty);
        self.enc.terms.fresh_var("any", sort)
    }

    /// Runs of which nothing is known, at a location with these calls above the bottom frame.
    pub fn anywhere(&self, bottom: FuncId, loc: LocId, calls: &[EdgeId], observer: ObserverState) -> Runs {
        let program = self.program;
        let frame = |func, call| Frame { func, call, registers: FxHashMap::default(), objects: FxHashMap::default() };
        let mut frames = vec![frame(bottom, None)];
        for call in calls {
            if let Op::Call { func, .. } = &program.edges[*call].op {
                frames.push(frame(*func, Some(*call)));
            }
        }
        Runs {
            loc,
            observer,
            guard: self.enc.terms.tru(),
            globals: FxHashMap::default(),
            frames,
            cells: BTreeMap::new(),
            initial: false,
            dirty: FxHashSet::default(),
            made: Vec::new(),
            outer: BTreeMap::new(),
        }
    }

    /// Restricts runs; `false` if that leaves none for sure.
    pub fn assume(&mut self, runs: &mut Runs, condition: TermId) -> bool {
        runs.guard = self.enc.terms.and(runs.guard, condition);
        !self.enc.terms.is_false(runs.guard)
    }

    /// The object that a reference means, made if need be.
    pub fn object(&mut self, runs: &mut Runs, object: ObjectRef) -> Option<ObjId> {
        match object {
            ObjectRef::Placed(_) => None,
            ObjectRef::Global(var) => self.enc.objects.global(var),
            ObjectRef::Local { frame, var } => self.local(runs, frame as usize, var),
            ObjectRef::Outer(origin, _) => {
                if let Some(id) = runs.outer.get(&object) {
                    return Some(*id);
                }
                let (kind, size) = match origin {
                    Object::Alloc(edge) => (ObjectKind::Heap(edge), ROOM),
                    Object::Var(var) => match self.program.vars[var].storage {
                        Storage::Memory { size, .. } => (ObjectKind::Local(var), size),
                        Storage::Register(_) => return None,
                    },
                    Object::Function(_) | Object::External => return None,
                };
                let id = self.allocate(size, kind)?;
                runs.outer.insert(object, id);
                Some(id)
            }
            ObjectRef::Made(edge, _) => {
                if let Some((.., id)) = runs.made.iter().find(|(_, name, _)| *name == Some(object)) {
                    return Some(*id);
                }
                let id = self.allocate(ROOM, ObjectKind::Heap(edge))?;
                runs.made.push((edge, Some(object), id));
                Some(id)
            }
        }
    }

    fn allocate(&mut self, size: u64, kind: ObjectKind) -> Option<ObjId> {
        self.enc.objects.allocate(Size::Const(size), size, 16, kind, Rest::Arbitrary)
    }

    fn local(&mut self, runs: &mut Runs, frame: usize, var: VarId) -> Option<ObjId> {
        if let Some(id) = runs.frames.get(frame)?.objects.get(&var) {
            return Some(*id);
        }
        let size = match self.program.vars[var].storage {
            Storage::Memory { size, .. } => size,
            Storage::Register(_) => return None,
        };
        let id = self.allocate(size, ObjectKind::Local(var))?;
        runs.frames[frame].objects.insert(var, id);
        Some(id)
    }

    /// The address of a byte of an object.
    pub fn address(&mut self, object: ObjId, offset: i64) -> TermId {
        let base = self.enc.objects.get(object).base;
        let value = cfa::Value::truncated(u128::from(base.wrapping_add_signed(offset)), self.width());
        self.enc.terms.bv(self.width(), value.0)
    }

    /// The object and offset of a constant address.
    pub fn place(&self, address: TermId) -> Option<(ObjId, u64)> {
        let address = u64::try_from(self.enc.terms.as_bv_const(address)?).ok()?;
        let id = self.enc.objects.owner(address)?;
        let object = self.enc.objects.get(id);
        let offset = address.checked_sub(object.base)?;
        (offset <= object.room).then_some((id, offset))
    }

    /// Whether an access traps for sure.
    fn traps(&self, address: TermId) -> bool {
        let machine = self.program.machine;
        self.enc.terms.as_bv_const(address).is_some_and(|n| match u64::try_from(n) {
            Ok(n) => !object_range(machine).contains(&n) && !external_range(machine).contains(&n),
            Err(_) => true,
        })
    }

    /// A register of the top frame, or a global one.
    pub fn register(&mut self, runs: &mut Runs, frame: usize, var: VarId) -> TermId {
        let is_global = self.program.vars[var].is_global();
        let known = if is_global { runs.globals.get(&var) } else { runs.frames[frame].registers.get(&var) };
        if let Some(term) = known {
            return *term;
        }
        let ty = self.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let term = if is_global && (runs.initial || self.globals.is_constant(var)) {
            self.globals.initial_register(&mut self.enc, var)
        } else {
            self.fresh(ty)
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

    /// A byte of a global's initial content.
    fn initial_byte(&mut self, var: VarId, at: u64) -> TermId {
        let Self { enc, globals, initial, .. } = self;
        let cells = initial.entry(var).or_insert_with(|| {
            let cells = globals.initial_cells(enc, var).into_iter();
            cells.map(|(offset, bytes, bits)| (offset, (bytes, bits))).collect()
        });
        match cells.range(..=at).next_back() {
            Some((start, (bytes, bits))) if at < start + bytes => {
                let low = 8 * (at - start) as u32;
                enc.terms.extract(low + 7, low, *bits)
            }
            _ => enc.terms.bv(8, 0),
        }
    }

    /// Bits in memory; `None` if they are not known.
    pub fn read(&mut self, runs: &mut Runs, object: ObjId, offset: u64, bytes: u64) -> Option<TermId> {
        if let Some((len, term)) = runs.cells.get(&(object, offset))
            && *len == bytes
        {
            return Some(*term);
        }
        let mut bits: Option<TermId> = None;
        for at in offset..offset + bytes {
            let byte = self.read_byte(runs, object, at)?;
            bits = Some(bits.map_or(byte, |low| self.enc.terms.concat(byte, low)));
        }
        bits
    }

    /// The same; bits of which nothing is known get a name, so that what runs find out about them counts. `None` if some of them are known.
    fn read_or_name(&mut self, runs: &mut Runs, (object, offset): (ObjId, u64), bytes: u64) -> Option<TermId> {
        if let Some(bits) = self.read(runs, object, offset, bytes) {
            return Some(bits);
        }
        let is_partly_known = overlapping(&runs.cells, object, offset, bytes).next().is_some();
        if is_partly_known || offset + bytes > self.enc.objects.get(object).room {
            return None;
        }
        let bits = self.enc.terms.fresh_var("any", Sort::BitVec(8 * bytes as u32));
        runs.cells.insert((object, offset), (bytes, bits));
        Some(bits)
    }

    fn read_byte(&mut self, runs: &Runs, object: ObjId, at: u64) -> Option<TermId> {
        if let Some(((owner, start), (len, term))) = runs.cells.range(..=(object, at)).next_back()
            && *owner == object
            && at < start + len
        {
            let low = 8 * (at - start) as u32;
            return Some(self.enc.terms.extract(low + 7, low, *term));
        }
        let ObjectKind::Global(var) = self.enc.objects.get(object).kind else { return None };
        let is_initial = runs.initial && !runs.dirty.contains(&object) || self.globals.is_constant(var);
        (is_initial && at < self.enc.objects.get(object).room).then(|| self.initial_byte(var, at))
    }

    /// Forgets cells in a range of an object; what is left of a cell that lies partly in it is forgotten as well.
    fn clear(&mut self, runs: &mut Runs, object: ObjId, offset: u64, len: u64) {
        for key in overlapping(&runs.cells, object, offset, len).collect::<Vec<_>>() {
            runs.cells.remove(&key);
        }
        if runs.initial {
            runs.dirty.insert(object);
        }
    }

    /// Writes bits to a known place.
    pub fn write(&mut self, runs: &mut Runs, object: ObjId, offset: u64, bytes: u64, bits: TermId) {
        if runs.initial && !runs.dirty.contains(&object) {
            self.keep_initial(runs, object);
        }
        self.clear(runs, object, offset, bytes);
        runs.cells.insert((object, offset), (bytes, bits));
    }

    /// Turns the initial content of a global into cells before it is changed in part.
    fn keep_initial(&mut self, runs: &mut Runs, object: ObjId) {
        let room = self.enc.objects.get(object).room;
        let ObjectKind::Global(var) = self.enc.objects.get(object).kind else { return };
        for at in 0..room.min(8 * MAX_BLOCK) {
            runs.cells.entry((object, at)).or_insert_with(|| (1, self.initial_byte(var, at)));
        }
        runs.dirty.insert(object);
    }

    /// A write of unknown bits somewhere that `expr` may designate.
    pub fn write_anywhere(&mut self, runs: &mut Runs, expr: ExprId) {
        let hit: FxHashSet<ObjId> = runs.cells.keys().map(|(object, _)| *object).collect();
        let may = |this: &Self, object: ObjId| (this.may_point_to)(expr, this.enc.objects.get(object).kind);
        let gone: FxHashSet<ObjId> = hit.into_iter().filter(|object| may(self, *object)).collect();
        runs.cells.retain(|(object, _), _| !gone.contains(object));
        if runs.initial {
            for object in self.enc.objects.ids() {
                if may(self, object) {
                    runs.dirty.insert(object);
                }
            }
        }
    }

    /// The value of an expression in the top frame.
    pub fn eval(&mut self, runs: &mut Runs, expr: ExprId) -> Step<TermId> {
        let exprs = &self.program.exprs;
        let cfa::Expr { kind, ty } = exprs.get(expr);
        let leaf = match kind.node() {
            Ok(node) => {
                let operand = |operand| self.eval(runs, operand).map(|term| (exprs.ty(operand), term));
                let node = node.try_map(operand)?;
                return Ok(self.enc.compute(node, ty));
            }
            Err(leaf) => leaf,
        };
        let top = runs.frames.len() - 1;
        Ok(match leaf {
            Leaf::Const(value) => self.enc.constant(ty, value),
            Leaf::Var(var) => self.register(runs, top, var),
            Leaf::AddrOf(var) => {
                let object = if self.program.vars[var].is_global() {
                    self.enc.objects.global(var)
                } else {
                    self.local(runs, top, var)
                };
                match object {
                    Some(object) => self.address(object, 0),
                    None => self.fresh(ty),
                }
            }
            Leaf::FuncAddr(func) => self.enc.function(func),
            Leaf::Load(addr) => {
                let address = self.eval(runs, addr)?;
                if self.traps(address) {
                    return Err(End::Fine);
                }
                let bytes = self.bytes(ty);
                let place = self.place(address);
                match place.and_then(|place| self.read_or_name(runs, place, bytes)) {
                    Some(bits) => self.enc.from_bits(bits, ty),
                    None => self.fresh(ty),
                }
            }
        })
    }

    /// Carries out an edge; calls enter their function.
    pub fn execute(&mut self, runs: &mut Runs, edge: EdgeId) -> Step<()> {
        let program = self.program;
        self.enc.edge = edge;
        let top = runs.frames.len() - 1;
        match &program.edges[edge].op {
            Op::Skip => {}
            Op::Assign { dst, src } => {
                let value = self.eval(runs, *src)?;
                self.set_register(runs, top, *dst, value);
            }
            Op::Havoc { dst, .. } => self.havoc(runs, *dst),
            Op::Assume { cond, truth } => {
                let mut cond = self.eval(runs, *cond)?;
                if !*truth {
                    cond = self.enc.terms.not(cond);
                }
                if !self.assume(runs, cond) {
                    return Err(End::Fine);
                }
            }
            Op::Store { addr, value } => {
                let bytes = self.bytes(program.exprs.ty(*value));
                let address = self.eval(runs, *addr)?;
                let value = self.eval(runs, *value)?;
                let value = self.enc.to_bits(value);
                match self.target(address)? {
                    Some((object, offset)) => self.write(runs, object, offset, bytes, value),
                    None => self.write_anywhere(runs, *addr),
                }
            }
            Op::MemCopy { dst, src, len } => self.copy(runs, (*dst, *src), *len)?,
            Op::MemSet { dst, byte, len } => {
                let address = self.eval(runs, *dst)?;
                let byte = self.eval(runs, *byte)?;
                let byte = self.enc.terms.extract(7, 0, byte);
                self.fill(runs, (*dst, address), *len, Some(byte))?;
            }
            Op::MemHavoc { dst, len, .. } => {
                let address = self.eval(runs, *dst)?;
                self.fill(runs, (*dst, address), *len, None)?;
            }
            Op::Alloc { dst, size, kind } => {
                let size = self.eval(runs, *size)?;
                let size = self.enc.terms.as_bv_const(size).and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= ROOM);
                self.make(runs, top, edge, *dst, size, *kind);
            }
            Op::Realloc { dst, ptr, size } => {
                let old = self.eval(runs, *ptr)?;
                let size = self.eval(runs, *size)?;
                let size = self.enc.terms.as_bv_const(size).and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= ROOM);
                let new = self.make(runs, top, edge, *dst, size, AllocKind::Heap);
                if let (Some(new), Some((old, 0)), Some(size)) = (new, self.place(old), size) {
                    let kept: Vec<_> = runs.cells.range((old, 0)..(old, size)).map(|(k, v)| (k.1, *v)).collect();
                    for (offset, (bytes, bits)) in kept.into_iter().filter(|(o, (b, _))| o + b <= size) {
                        runs.cells.insert((new, offset), (bytes, bits));
                    }
                }
            }
            Op::Free { ptr } => {
                self.eval(runs, *ptr)?;
            }
            Op::Declare { var } => drop(runs.frames[top].objects.remove(var)),
            Op::EndScope { .. } => {}
            Op::Call { func, args, .. } => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.eval(runs, *arg)?);
                }
                let registers = program.functions[*func].params.iter().copied().zip(values).collect();
                runs.frames.push(Frame { func: *func, call: Some(edge), registers, objects: FxHashMap::default() });
            }
            Op::CallExtern { args, dst, .. } => {
                for arg in args {
                    self.eval(runs, *arg)?;
                }
                if let Some(dst) = dst {
                    self.havoc(runs, *dst);
                }
            }
            Op::Undefined(what) if EndingKind::Undefined(*what).is_excluded() => return Err(End::Fine),
            Op::Halt => return Err(End::Fine),
            Op::CallPtr { .. } | Op::Undefined(_) | Op::Unsupported(_) | Op::Repeat(_) => return Err(End::Unknown),
        }
        Ok(())
    }

    fn havoc(&mut self, runs: &mut Runs, dst: VarId) {
        let top = runs.frames.len() - 1;
        self.havoc_in(runs, top, dst);
    }

    /// Gives a register of a frame, or a global one, any value.
    pub fn havoc_in(&mut self, runs: &mut Runs, frame: usize, dst: VarId) {
        let ty = self.program.vars[dst].register().unwrap_or(Scalar::Ptr);
        let term = self.fresh(ty);
        self.set_register(runs, frame, dst, term);
    }

    /// Where a write goes, if that is known.
    fn target(&self, address: TermId) -> Step<Option<(ObjId, u64)>> {
        if self.traps(address) {
            debug_assert!(EndingKind::Undefined(Undefined::InvalidAccess).is_excluded());
            return Err(End::Fine);
        }
        Ok(self.place(address))
    }

    fn make(
        &mut self,
        runs: &mut Runs,
        top: usize,
        edge: EdgeId,
        dst: VarId,
        size: Option<u64>,
        kind: AllocKind,
    ) -> Option<ObjId> {
        let name = if kind == AllocKind::Stack { ObjectKind::Stack(edge) } else { ObjectKind::Heap(edge) };
        let object = self.allocate(size.unwrap_or(ROOM), name)?;
        runs.made.push((edge, None, object));
        let address = self.address(object, 0);
        self.set_register(runs, top, dst, address);
        if let (AllocKind::HeapZeroed, Some(size)) = (kind, size) {
            let zero = self.enc.terms.bv(8, 0);
            for at in 0..size.min(8 * MAX_BLOCK) {
                runs.cells.insert((object, at), (1, zero));
            }
        }
        Some(object)
    }

    fn fill(&mut self, runs: &mut Runs, (expr, address): (ExprId, TermId), len: u64, byte: Option<TermId>) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let Some((object, offset)) = self.target(address)? else {
            self.write_anywhere(runs, expr);
            return Ok(());
        };
        if runs.initial && !runs.dirty.contains(&object) {
            self.keep_initial(runs, object);
        }
        self.clear(runs, object, offset, len);
        if let Some(byte) = byte {
            for at in offset..offset + len.min(8 * MAX_BLOCK) {
                runs.cells.insert((object, at), (1, byte));
            }
        }
        Ok(())
    }

    fn copy(&mut self, runs: &mut Runs, (dst, src): (ExprId, ExprId), len: u64) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let to = self.eval(runs, dst)?;
        let from = self.eval(runs, src)?;
        let Some((object, offset)) = self.target(to)? else {
            self.write_anywhere(runs, dst);
            return Ok(());
        };
        if self.traps(from) {
            return Err(End::Fine);
        }
        let mut content: Vec<(u64, u64, TermId)> = Vec::new();
        if let Some((source, begin)) = self.place(from) {
            let mut at = 0;
            while at < len.min(8 * MAX_BLOCK) {
                let whole = runs.cells.get(&(source, begin + at)).filter(|(bytes, _)| at + bytes <= len).copied();
                let (bytes, bits) = match whole {
                    Some((bytes, bits)) => (bytes, Some(bits)),
                    None => (1, self.read_byte(runs, source, begin + at)),
                };
                content.extend(bits.map(|bits| (at, bytes, bits)));
                at += bytes;
            }
        }
        if runs.initial && !runs.dirty.contains(&object) {
            self.keep_initial(runs, object);
        }
        self.clear(runs, object, offset, len);
        for (at, bytes, bits) in content {
            runs.cells.insert((object, offset + at), (bytes, bits));
        }
        Ok(())
    }

    /// Leaves a function; `false` if the run ends.
    pub fn leave(&mut self, runs: &mut Runs) -> bool {
        let program = self.program;
        let top = runs.frames.len() - 1;
        let Some(call) = runs.frames[top].call else { return false };
        let func = runs.frames[top].func;
        let result = match (&program.edges[call].op, program.functions[func].ret) {
            (Op::Call { dst: Some(dst), .. }, Some(ret)) => Some((*dst, self.register(runs, top, ret))),
            (Op::Call { dst: Some(dst), .. }, None) => {
                let ty = program.vars[*dst].register().unwrap_or(Scalar::Ptr);
                Some((*dst, self.fresh(ty)))
            }
            _ => None,
        };
        runs.frames.pop();
        if let Some((dst, value)) = result {
            self.set_register(runs, top - 1, dst, value);
        }
        runs.loc = program.edges[call].dst;
        true
    }

    /// Number of terms, which decides when a machine is old.
    pub fn size(&self) -> usize {
        self.enc.terms.len() + self.enc.objects.len()
    }

    /// A constant of a sort of bits.
    pub fn bits(&mut self, bytes: u64, n: u128) -> TermId {
        self.enc.terms.bv(8 * bytes as u32, n)
    }
}
