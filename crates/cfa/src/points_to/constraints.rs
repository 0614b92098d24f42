//! What each operation and each initial value says about pointers.

use super::slots::{EXTERNAL, NONE, NUMBER_BIT, Ptr, Val};
use super::unify::Solver;
use super::values::Values;
use super::{Object, PointsTo, Targets};
use crate::expr::ExprId;
use crate::op::{HavocSource, Op, PointerCall, Reach};
use crate::program::{EdgeId, FuncId, InitValue, Outside, Program, Storage, VarId};
use crate::value::Scalar;
use base::Id;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call through a pointer.
struct Site<'a> {
    callee: ExprId,
    ty_key: u32,
    args: &'a [ExprId],
    dst: Option<VarId>,
    bound: FxHashSet<FuncId>,
    /// Whether it was also bound to functions that the program does not have.
    to_external: bool,
}

/// Collects the constraints of a program and solves them.
pub(super) struct Constraints<'a> {
    values: Values<'a>,
    sites: Vec<Site<'a>>,
    /// Pointers that functions without a body have seen, or whose address is known as a number.
    escapes: Vec<Val>,
    /// Whether a pointer may come from such a function, or from a number.
    returns_pointers: bool,
    /// Slot that points to external memory.
    external: u32,
    /// Functions whose address is taken, by their type.
    by_type: FxHashMap<u32, Vec<FuncId>>,
}

impl<'a> Constraints<'a> {
    pub(super) fn solve(program: &'a Program) -> PointsTo {
        let mut solver = Solver::new();
        for (id, var) in program.vars.iter_enumerated() {
            let slot = solver.slot();
            if matches!(var.storage, Storage::Memory { .. }) {
                let node = solver.node(Some(Object::Var(id)));
                solver.set(slot, Ptr { node, off: 0 });
            }
        }
        let mut by_type: FxHashMap<u32, Vec<FuncId>> = FxHashMap::default();
        for (id, function) in program.functions.iter_enumerated() {
            let slot = solver.slot();
            let node = solver.node(Some(Object::Function(id)));
            solver.set(slot, Ptr { node, off: 0 });
            if function.address_taken {
                by_type.entry(function.ty_key).or_default().push(id);
            }
        }
        let external = solver.slot();
        solver.set(external, Ptr { node: EXTERNAL, off: 0 });
        let vals = vec![Val::UNUSED; program.exprs.len()];
        let values = Values {
            program,
            solver,
            vals,
            exposed: Vec::new(),
            from_numbers: Vec::new(),
            sums: Vec::new(),
            compared: Vec::new(),
        };
        let mut all =
            Self { values, sites: Vec::new(), escapes: Vec::new(), returns_pointers: false, external, by_type };
        all.escapes.extend(program.known_outside.iter().map(|var| Val::of(var.index() as u32)));
        all.evaluate_used();
        all.initial_values();
        for loc in &program.locs {
            for edge in &loc.out {
                all.operation(*edge);
            }
        }
        all.resolve_calls();
        all.finish()
    }

    /// Computes the values of the expressions that operations use, operands first.
    fn evaluate_used(&mut self) {
        let program = self.values.program;
        let mut used = vec![false; program.exprs.len()];
        let mut stack = Vec::new();
        for edge in program.locs.iter().flat_map(|l| &l.out) {
            program.edges[*edge].op.for_each_expr(|e| stack.push(e));
            while let Some(e) = stack.pop() {
                if !std::mem::replace(&mut used[e.index()], true) {
                    stack.extend(program.exprs.operands(e));
                }
            }
        }
        for e in program.exprs.ids().filter(|e| used[e.index()]) {
            self.values.evaluate(e);
        }
    }

    fn initial_values(&mut self) {
        let program = self.values.program;
        for (id, var) in program.vars.iter_enumerated() {
            let Some(init) = &var.init else { continue };
            for (offset, ty, value) in &init.cells {
                let (target, by) = match value {
                    InitValue::Scalar(_) => continue,
                    InitValue::Address(target, by) => (target.index(), *by),
                    InitValue::Function(f) => (program.vars.len() + f.index(), 0),
                };
                let bytes = ty.access_bytes(program.pointer_bits());
                let slot = match var.storage {
                    Storage::Register(_) => id.index() as u32,
                    Storage::Memory { .. } => self.cell_at(Val::of(id.index() as u32).moved(*offset as i64, 0), bytes),
                };
                self.values.solver.flow(Val::of(target as u32).moved(by, 0), slot);
            }
        }
    }

    fn cell_at(&mut self, addr: Val, bytes: u32) -> u32 {
        match self.values.solver.force(addr) {
            Some(at) => self.values.solver.cell(at, bytes, 0),
            None => NONE,
        }
    }

    fn assign(&mut self, dst: VarId, src: ExprId) {
        let val = self.values.val(src);
        self.values.solver.flow(val, dst.index() as u32);
    }

    fn points_to_external(&mut self, dst: VarId) {
        self.returns_pointers = true;
        self.values.solver.set(dst.index() as u32, Ptr { node: EXTERNAL, off: 0 });
    }

    /// Whether a variable can hold a whole pointer.
    fn holds_pointer(&self, var: VarId) -> bool {
        let program = self.values.program;
        match program.vars[var].register() {
            Some(Scalar::Ptr) => true,
            Some(Scalar::Int { bits, .. }) => u32::from(bits) >= program.pointer_bits(),
            _ => false,
        }
    }

    fn is_pointer(&self, var: VarId) -> bool {
        self.values.program.vars[var].register() == Some(Scalar::Ptr)
    }

    fn store(&mut self, addr: ExprId, value: ExprId) {
        let program = self.values.program;
        let (addr, val) = (self.values.val(addr), self.values.val(value));
        let ty = program.exprs.ty(value);
        if let Some(at) = self.values.solver.force(addr) {
            let bytes = ty.access_bytes(program.pointer_bits());
            let cell = self.values.solver.cell(at, bytes, super::classes::type_bit(ty));
            self.values.solver.flow(val, cell);
        }
    }

    fn operation(&mut self, id: EdgeId) {
        let program = self.values.program;
        let edge = &program.edges[id];
        match &edge.op {
            Op::Skip | Op::Assume { .. } | Op::Declare { .. } | Op::EndScope { .. } => {}
            Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => {}
            Op::Assign { dst, src } => self.assign(*dst, *src),
            // What is uninitialised leads nowhere: to use it is undefined behaviour.
            Op::Havoc { source: HavocSource::Uninitialised, .. } => {}
            Op::Havoc { dst, source: HavocSource::Asm } if self.holds_pointer(*dst) => self.points_to_external(*dst),
            Op::Havoc { dst, source: HavocSource::Environment } if self.is_pointer(*dst) => {
                self.points_to_external(*dst);
            }
            Op::Havoc { dst, .. } => self.values.solver.flow(Val::NUMBER, dst.index() as u32),
            Op::Store { addr, value } => self.store(*addr, *value),
            Op::Repeat(repeat) => repeat.writes.iter().for_each(|write| self.store(write.addr, write.value)),
            Op::MemCopy { dst, src, len } => {
                let (dst, src) = (self.values.val(*dst), self.values.val(*src));
                let solver = &mut self.values.solver;
                let (dst, src) = (solver.force(dst), solver.force(src));
                if let (Some(dst), Some(src)) = (dst, src) {
                    solver.unify(dst, src);
                }
                for at in [dst, src].into_iter().flatten() {
                    solver.cut(at, *len);
                }
            }
            Op::MemSet { dst, len, byte } => {
                self.range(*dst, *len);
                if program.exprs.as_const(*byte).is_none() {
                    self.fill(*dst);
                }
            }
            Op::MemHavoc { dst, len, source } => {
                let at = self.values.val(*dst);
                match len {
                    Reach::Bytes(len) => self.range(*dst, *len),
                    // As if it were written byte by byte.
                    Reach::Object => drop(self.values.solver.force(at.moved(0, 1))),
                }
                if *source != HavocSource::Uninitialised {
                    self.fill(*dst);
                }
            }
            Op::Alloc { dst, .. } => {
                let node = self.values.solver.node(Some(Object::Alloc(id)));
                self.values.solver.set(dst.index() as u32, Ptr { node, off: 0 });
            }
            Op::Realloc { dst, ptr, .. } => {
                let ptr = self.values.val(*ptr);
                let node = self.values.solver.node(Some(Object::Alloc(id)));
                let new = Ptr { node, off: 0 };
                if let Some(old) = self.values.solver.force(ptr) {
                    self.values.solver.unify(old, new);
                }
                self.values.solver.set(dst.index() as u32, new);
            }
            Op::Free { ptr, .. } => {
                let ptr = self.values.val(*ptr);
                self.values.solver.force(ptr);
            }
            Op::Call { func, args, dst } => self.call(*func, args, *dst),
            Op::CallExtern { func, args, dst } => self.call(*func, args, *dst),
            Op::CallPtr { callee, args, dst, ty_key } => self.sites.push(Site {
                callee: *callee,
                ty_key: *ty_key,
                args,
                dst: *dst,
                bound: FxHashSet::default(),
                to_external: false,
            }),
        }
    }

    fn range(&mut self, addr: ExprId, len: u64) {
        let addr = self.values.val(addr);
        if let Some(at) = self.values.solver.force(addr) {
            self.values.solver.cut(at, len);
        }
    }

    /// Anything may be at the address afterwards.
    fn fill(&mut self, addr: ExprId) {
        self.returns_pointers = true;
        let addr = self.values.val(addr);
        if let Some(at) = self.values.solver.force(addr) {
            self.values.solver.fill(at);
        }
    }

    fn call(&mut self, func: FuncId, args: &[ExprId], dst: Option<VarId>) {
        let function = &self.values.program.functions[func];
        if function.body.is_none() {
            return self.external_call(function.outside, args, dst);
        }
        for (param, arg) in function.params.iter().zip(args) {
            self.assign(*param, *arg);
        }
        if let (Some(dst), Some(ret)) = (dst, function.ret) {
            self.values.solver.flow(Val::of(ret.index() as u32), dst.index() as u32);
        }
    }

    fn external_call(&mut self, outside: Outside, args: &[ExprId], dst: Option<VarId>) {
        match outside {
            Outside::Unknown => {
                let known = args.iter().map(|arg| self.values.val(*arg)).filter(|val| val.has_slot());
                self.escapes.extend(known);
            }
            Outside::KeepsNothing => {}
            // Cells that may hold what comes from outside are one with it: what they lead to is known there.
            Outside::KeepsContent(i) => {
                let addr = args.get(usize::from(i)).map(|arg| self.values.val(*arg));
                if let Some(at) = addr.and_then(|addr| self.values.solver.force(addr)) {
                    self.values.solver.fill(at);
                }
            }
        }
        if let Some(dst) = dst {
            // An unknown function may return an address as an integer.
            let may_return = if outside == Outside::Unknown { self.holds_pointer(dst) } else { self.is_pointer(dst) };
            if may_return {
                self.points_to_external(dst);
            }
            if !self.is_pointer(dst) {
                self.values.solver.flow(Val::NUMBER, dst.index() as u32);
            }
        }
    }

    /// Finds pointers that come from numbers, which lead to external memory and whatever is known there, and what becomes known.
    /// Whether there were any.
    fn expose(&mut self) -> bool {
        let Values { solver, from_numbers, compared, exposed, sums, .. } = &mut self.values;
        let external = Ptr { node: EXTERNAL, off: 0 };
        let before = from_numbers.len() + compared.len();
        solver.spread_numbers();
        let mut changed = false;
        for sum in sums {
            let kind = sum.kind(solver);
            changed |= solver.mark(sum.slot, kind);
            if sum.is_derived && !std::mem::replace(&mut sum.is_exposed, true) {
                exposed.extend(sum.operands.into_iter().filter(|val| val.has_slot()));
            }
        }
        from_numbers.retain(|slot| {
            let is_number = solver.kind(Val::of(*slot)) & NUMBER_BIT != 0;
            if is_number {
                solver.set(*slot, external);
                self.returns_pointers = true;
            }
            !is_number
        });
        // What equals a number is known.
        let mut is_number = |val| val != Val::NOTHING && solver.kind(val) & NUMBER_BIT != 0;
        compared.retain(|(x, y)| {
            let known = [(is_number(*x), *y), (is_number(*y), *x)].map(|(is_number, val)| is_number.then_some(val));
            exposed.extend(known.into_iter().flatten().filter(|val| val.has_slot()));
            known == [None; 2]
        });
        self.escapes.append(exposed);
        changed || from_numbers.len() + compared.len() != before
    }

    /// Binds calls through pointers to functions until nothing changes.
    fn resolve_calls(&mut self) {
        let mut sites = std::mem::take(&mut self.sites);
        let mut given = 0;
        // Calls for which no function is known wait until the known ones are done.
        let mut bind_unknown = false;
        loop {
            let mut changed = self.expose();
            if self.returns_pointers && given < self.escapes.len() {
                for val in &self.escapes[given..] {
                    self.values.solver.flow(*val, self.external);
                }
                given = self.escapes.len();
                changed = true;
            }
            for site in &mut sites {
                let at = self.values.solver.pointee(self.values.val(site.callee));
                let call = PointerCall { callee: site.callee, args: site.args, dst: site.dst, ty_key: site.ty_key };
                let mut targets = targets_at(&self.values.solver, self.values.program, at, &call);
                if targets.may_be_unknown && (bind_unknown || !targets.functions.is_empty()) {
                    targets.functions.extend(self.by_type.get(&site.ty_key).into_iter().flatten());
                    if !std::mem::replace(&mut site.to_external, true) {
                        changed = true;
                        self.external_call(Outside::Unknown, site.args, site.dst);
                    }
                }
                for f in targets.functions {
                    if site.bound.insert(f) {
                        changed = true;
                        self.call(f, site.args, site.dst);
                    }
                }
            }
            if !changed && bind_unknown {
                return;
            }
            bind_unknown |= !changed;
        }
    }

    fn finish(self) -> PointsTo {
        let Self { values, by_type, .. } = self;
        let Values { program, mut solver, vals, .. } = values;
        solver.compress();
        let numbering = super::classes::number(&solver, program.pointer_bits());
        let objects = solver
            .nodes
            .iter()
            .map(|node| {
                let mut objects: Vec<Object> = node.objects.iter().map(|(o, _)| *o).collect();
                objects.sort_unstable();
                objects.dedup();
                objects
            })
            .collect();
        PointsTo { solver, vals, numbering, objects, by_type }
    }
}

/// The functions of a type that a pointer may lead to, sorted, and whether it may lead to unknown ones.
pub(super) fn targets_at(solver: &Solver, program: &Program, at: Option<Ptr>, call: &PointerCall<'_>) -> Targets {
    let Some(at) = at else { return Targets { may_be_unknown: true, ..Targets::default() } };
    let mut misfits = Vec::new();
    let mut functions = Vec::new();
    let mut external = false;
    for (object, _) in &solver.nodes[at.node as usize].objects {
        match object {
            Object::Function(f) if call.fits(program, *f) => functions.push(*f),
            Object::Function(f) => misfits.push(*f),
            Object::External => external = true,
            _ => {}
        }
    }
    functions.sort_unstable();
    misfits.sort_unstable();
    let may_be_unknown = external || functions.is_empty();
    Targets { functions, misfits, may_be_unknown, is_from_outside: external }
}
