//! What expressions and operations mean for symbolic runs.

use super::counts::Counts;
use super::machine::{Machine, Name, Step};
use super::memory::pieces;
use super::ranges::MAX_RANGE;
use super::state::{Content, Frame, Obj, Runs};
use crate::graph::PlacedName;
use cfa::eval::Leaf;
use cfa::{AllocKind, EdgeId, ExprId, FuncId, Op, Reach, Scalar, Storage, VarId};
use encode::ObjectKind;
use rustc_hash::FxHashMap;
use smt::{Node, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;
use step::End;

/// A new object: its name with the size if that is known, room, size, what it is, and whether it is zero.
struct New {
    name: Name,
    known: Option<u64>,
    room: u64,
    size: TermId,
    kind: ObjectKind,
    zero: bool,
}

impl Machine<'_, '_> {
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
                let object = match self.global(var) {
                    Some(object) => Some(object),
                    None => self.instance(runs, var),
                };
                match object {
                    Some(object) => self.number(self.get(object).base),
                    None => self.fresh(ty),
                }
            }
            Leaf::FuncAddr(func) => self.enc.function(func),
            Leaf::Load(addr) => {
                let address = self.eval(runs, addr)?;
                let bytes = u64::from(ty.access_bytes(self.width()));
                let bits = self.load(runs, addr, address, bytes)?;
                self.enc.from_bits(bits, ty)
            }
            Leaf::Valid(access, addr, len) => {
                let address = self.eval(runs, addr)?;
                let len = self.eval(runs, len)?;
                self.valid(runs, access, (addr, address), len)?
            }
            // Any truth value: a proof that needs it is not confirmed.
            Leaf::Tracked => self.fresh(ty),
        })
    }

    /// The current instance of a local memory variable of the top frame.
    pub fn instance(&mut self, runs: &Runs, var: VarId) -> Option<u32> {
        let Storage::Memory { size, .. } = self.program.vars[var].storage else { return None };
        if let Some((object, _)) = runs.frames.last().and_then(|frame| frame.instances.get(&var)) {
            return Some(*object);
        }
        self.named(Name::Placed(PlacedName::Local(runs.calls(), var)), Some(size), size, ObjectKind::Local(var))
    }

    /// Carries out an edge that stays in its frame.
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
            Op::Havoc { dst, .. } => self.havoc(runs, top, *dst),
            Op::Assume { cond, truth } => {
                let mut cond = self.eval(runs, *cond)?;
                if !*truth {
                    cond = self.enc.terms.not(cond);
                }
                return self.assume(runs, cond);
            }
            Op::Store { addr, value } => {
                let bytes = u64::from(program.exprs.ty(*value).access_bytes(self.width()));
                let address = self.eval(runs, *addr)?;
                let value = self.eval(runs, *value)?;
                let bits = self.enc.to_bits(value);
                return self.store(runs, *addr, address, bytes, bits);
            }
            Op::MemCopy { dst, src, len } => return self.copy(runs, (*dst, *src), *len),
            Op::MemSet { dst, byte, len } => return self.fill(runs, (*dst, *byte), *len),
            Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => return self.havoc_range(runs, *dst, *len),
            Op::MemHavoc { dst, len: Reach::Object, .. } => return self.havoc_object(runs, *dst),
            Op::Alloc { dst, size, kind, .. } => {
                let size = self.eval(runs, *size)?;
                let base = self.allocate(runs, edge, size, *kind)?;
                self.set_register(runs, top, *dst, base);
            }
            Op::Realloc { dst, ptr, size } => {
                let old = self.eval(runs, *ptr)?;
                let size = self.eval(runs, *size)?;
                let base = self.reallocate(runs, edge, (*ptr, old), size)?;
                self.set_register(runs, top, *dst, base);
            }
            Op::Free { ptr, kind } => {
                let address = self.eval(runs, *ptr)?;
                return self.free(runs, *ptr, address, *kind);
            }
            Op::Declare { var } => {
                let Storage::Memory { size, .. } = program.vars[*var].storage else { return Ok(()) };
                if self.is_open() {
                    return self.redeclare(runs, *var);
                }
                let name = Name::Placed(PlacedName::Local(runs.calls(), *var));
                let term = self.number(size);
                let kind = ObjectKind::Local(*var);
                self.make(runs, New { name, known: Some(size), room: size, size: term, kind, zero: false })?;
            }
            Op::EndScope { var } => {
                let object = self.instance(runs, *var);
                runs.ended.extend(object);
                object.filter(|_| !self.is_open()).map(|object| runs.memory.remove(&object));
            }
            Op::CallExtern { func, args, dst } => {
                let values = args.iter().map(|arg| self.eval(runs, *arg)).collect::<Step<Vec<_>>>()?;
                let result = self.enc.computed(*func, args, &values);
                match (dst, result) {
                    (Some(dst), Some(result)) => {
                        let ty = self.program.vars[*dst].register().unwrap_or(Scalar::Ptr);
                        let term = self.enc.constant(ty, result);
                        self.set_register(runs, top, *dst, term);
                    }
                    (Some(dst), None) => self.havoc(runs, top, *dst),
                    (None, _) => {}
                }
            }
            Op::Undefined(what) => return Err(End::Undefined(*what)),
            Op::Halt => return Err(End::Blocked),
            Op::Call { .. } | Op::CallPtr { .. } | Op::Unsupported(_) | Op::Repeat(_) => {
                return Err(End::Unmodelled(None));
            }
        }
        Ok(())
    }

    /// Runs must not get here.
    pub fn never<T>(&mut self, runs: &Runs, what: &'static str) -> Step<T> {
        let tru = self.enc.terms.tru();
        self.forbid(runs.guard, tru, what);
        Err(End::Blocked)
    }

    /// Gives a register of a frame, or a global one, any value.
    pub fn havoc(&mut self, runs: &mut Runs, frame: usize, dst: VarId) {
        let ty = self.program.vars[dst].register().unwrap_or(Scalar::Ptr);
        let term = self.fresh(ty);
        self.set_register(runs, frame, dst, term);
    }

    pub fn allocate(&mut self, runs: &mut Runs, edge: EdgeId, size: TermId, kind: AllocKind) -> Step<TermId> {
        let (room, most) = self.rooms();
        let known = match self.enc.terms.as_bv_const(size) {
            Some(n) if self.is_open() => u64::try_from(n).ok().filter(|n| *n <= room),
            None if self.is_open() => None,
            Some(n) => {
                let n = u64::try_from(n).unwrap_or(u64::MAX);
                if n > most {
                    return self.never(runs, "an object of an impossible size is made");
                }
                Some(n)
            }
            None => {
                let limit = self.number(room);
                let fits = self.enc.terms.ule(size, limit);
                let large = self.enc.terms.not(fits);
                self.forbid(runs.guard, large, "a very large object is made");
                self.assume(runs, fits)?;
                None
            }
        };
        let room = known.unwrap_or(room);
        // Beyond an object's end there may be anything.
        let zero = kind == AllocKind::HeapZeroed && (known.is_some() || !self.is_open());
        for count in 0.. {
            let (name, kind) = match kind {
                AllocKind::Stack if !self.is_open() => {
                    (PlacedName::Stack(runs.calls(), edge, count), ObjectKind::Stack(edge))
                }
                _ => (PlacedName::Heap(edge, count), ObjectKind::Heap(edge)),
            };
            let name = Name::Placed(name);
            let Some(object) = self.named(name.clone(), known, room, kind) else { break };
            if !runs.memory.contains_key(&object) && !runs.ended.contains(&object) {
                return self.make(runs, New { name, known, room, size, kind, zero });
            }
        }
        self.never(runs, "there is no room for an object")
    }

    /// A new object, or a new instance of a variable.
    fn make(&mut self, runs: &mut Runs, new: New) -> Step<TermId> {
        let Some(object) = self.named(new.name, new.known, new.room, new.kind) else {
            return self.never(runs, "there is no room for an object");
        };
        let base = if new.zero {
            self.zero_array(object)
        } else {
            let sort = self.array_sort(object);
            self.enc.terms.fresh_var("any", sort)
        };
        let dead = self.enc.terms.fals();
        runs.memory.insert(object, Rc::new(Content { cells: BTreeMap::new(), base, dead, size: new.size }));
        Ok(self.number(self.get(object).base))
    }

    fn reallocate(
        &mut self,
        runs: &mut Runs,
        edge: EdgeId,
        (expr, old): (ExprId, TermId),
        size: TermId,
    ) -> Step<TermId> {
        if self.enc.terms.as_bv_const(old) == Some(0) {
            return self.allocate(runs, edge, size, AllocKind::Heap);
        }
        if self.is_open() {
            self.free_open(runs, expr, old);
            return self.reallocate_open(runs, edge, old, size);
        }
        let targets = self.targets(runs, expr, old);
        if targets.objects.is_empty() || targets.external.is_some() || targets.fixed.is_some() {
            return self.never(runs, "`realloc` of a pointer that is not exactly known");
        }
        let zero = self.number(0);
        let set = self.enc.terms.ne(old, zero);
        self.free(runs, expr, old, AllocKind::Heap)?;
        let base = self.allocate(runs, edge, size, AllocKind::Heap)?;
        for (object, cond, _) in targets.objects {
            let cond = self.enc.terms.and(cond, set);
            self.move_content(runs, object, base, cond);
        }
        Ok(base)
    }

    /// Gives the object at an address what another one held, under a condition.
    pub fn move_content(&mut self, runs: &mut Runs, from: Obj, to: TermId, cond: TermId) {
        let new = self.enc.terms.as_bv_const(to).and_then(|n| self.owner(u64::try_from(n).ok()?));
        let new = new.filter(|new| self.get(*new).elem == self.get(from).elem);
        let Some((new, moved)) = new.zip(self.content(runs, from)) else { return };
        let Some(content) = self.content(runs, new) else { return };
        let Content { mut cells, mut base, size, .. } = Content::clone(&moved);
        let [before, after] = [size, content.size].map(|size| self.enc.terms.as_bv_const(size));
        let grows = before.zip(after).is_none_or(|(before, after)| before < after);
        // What the new object is larger has any value: what the old one held there is one, unless that is known.
        let is_known = |node| matches!(node, Node::ConstArray(..));
        if grows && smt::subst::subterms(&self.enc.terms, &[base]).iter().any(|t| is_known(self.enc.terms.node(*t))) {
            let kept = before.and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= MAX_RANGE).unwrap_or(0);
            for (at, bytes) in pieces(0, kept) {
                cells.insert(at, (bytes, self.read_at(from, &moved, at, bytes)));
            }
            let sort = self.array_sort(new);
            base = self.enc.terms.fresh_var("any", sort);
        }
        let moved = Content { cells, base, ..Content::clone(&content) };
        let content = match self.enc.terms.as_bool_const(cond) {
            Some(true) => moved,
            Some(false) => return,
            None => self.join_content(cond, new, &moved, &content),
        };
        runs.memory.insert(new, Rc::new(content));
    }

    /// Evaluates the arguments of a call and enters the function.
    pub fn enter(&mut self, runs: &mut Runs, edge: EdgeId, func: FuncId) -> Step<()> {
        let Op::Call { args, .. } = &self.program.edges[edge].op else { return Err(End::Unmodelled(None)) };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(runs, *arg)?);
        }
        let registers = self.program.functions[func].params.iter().copied().zip(values).collect();
        let (counts, instances) = (Counts::default(), FxHashMap::default());
        runs.frames.push(Frame { func, call: Some(edge), old: false, counts, registers, instances });
        Ok(())
    }

    /// Leaves a function; the call that returns, unless the run ends.
    pub fn leave(&mut self, runs: &mut Runs) -> Option<EdgeId> {
        let program = self.program;
        let top = runs.frames.len() - 1;
        let call = runs.frames[top].call?;
        let func = runs.frames[top].func;
        let result = match (&program.edges[call].op, program.functions[func].ret) {
            (Op::Call { dst: Some(dst), .. }, Some(ret)) => Some((*dst, self.register(runs, top, ret))),
            (Op::Call { dst: Some(dst), .. }, None) => {
                let ty = program.vars[*dst].register().unwrap_or(Scalar::Ptr);
                Some((*dst, self.fresh(ty)))
            }
            _ => None,
        };
        self.end_frame(runs);
        runs.frames.pop();
        if let Some((dst, value)) = result {
            self.set_register(runs, top - 1, dst, value);
        }
        Some(call)
    }

    /// Ends the objects of the top frame.
    pub fn end_frame(&mut self, runs: &mut Runs) {
        if self.is_open() {
            self.end_frame_open(runs);
        }
        let calls = runs.calls();
        let of_frame = |object: &Obj| match &self.get(*object).name {
            Some((Name::Placed(PlacedName::Local(at, _) | PlacedName::Stack(at, ..)), _)) => *at == calls,
            _ => false,
        };
        runs.memory.retain(|object, _| !of_frame(object));
    }
}
