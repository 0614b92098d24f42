//! What is known of a program before it is analysed: constants, registers that nobody reads, loop counters, addresses.

use base::{Id, IdVec};
use cfa::loops::Wto;
use cfa::points_to::{Object, PointsTo};
use cfa::{AllocKind, BinOp, EdgeId, ExprId, ExprKind, FuncId, Op, Program, Scalar, Storage, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module.
pub(super) struct Facts {
    constant: IdVec<VarId, bool>,
    read: IdVec<VarId, bool>,
    counter: IdVec<VarId, bool>,
    accumulator: IdVec<VarId, bool>,
    addresses: FxHashMap<Object, ExprId>,
    registers: IdVec<FuncId, Vec<VarId>>,
    memory_vars: IdVec<FuncId, Vec<VarId>>,
    stack_allocations: IdVec<FuncId, bool>,
    environment: IdVec<VarId, bool>,
}

impl Facts {
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let edges: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
        let mut this = Self {
            constant: IdVec::from_elem(false, program.vars.len()),
            read: IdVec::from_elem(false, program.vars.len()),
            counter: IdVec::from_elem(false, program.vars.len()),
            accumulator: IdVec::from_elem(false, program.vars.len()),
            addresses: FxHashMap::default(),
            registers: IdVec::from_elem(Vec::new(), program.functions.len()),
            memory_vars: IdVec::from_elem(Vec::new(), program.functions.len()),
            stack_allocations: IdVec::from_elem(false, program.functions.len()),
            environment: IdVec::from_elem(false, program.vars.len()),
        };
        for loc in &program.locs {
            let allocates = |e: &EdgeId| matches!(program.edges[*e].op, Op::Alloc { kind: AllocKind::Stack, .. });
            this.stack_allocations[loc.func] |= loc.out.iter().any(allocates);
        }
        for (id, var) in program.vars.iter_enumerated() {
            if let Some(func) = var.func {
                match var.storage {
                    Storage::Register(_) => this.registers[func].push(id),
                    Storage::Memory { .. } => this.memory_vars[func].push(id),
                }
            }
        }
        this.find_reads(program, &edges);
        this.find_constants(program, points_to, &edges);
        this.find_counters(program, &edges);
        this
    }

    fn find_reads(&mut self, program: &Program, edges: &[EdgeId]) {
        let mut seen = vec![false; program.exprs.len()];
        let mut stack = Vec::new();
        for edge in edges {
            let op = &program.edges[*edge].op;
            op.for_each_expr(|e| stack.push(e));
            while let Some(e) = stack.pop() {
                if !std::mem::replace(&mut seen[e.index()], true) {
                    match program.exprs.kind(e) {
                        ExprKind::Var(var) => self.read[var] = true,
                        ExprKind::AddrOf(var) => {
                            self.addresses.insert(Object::Var(var), e);
                        }
                        _ => stack.extend(program.exprs.operands(e)),
                    }
                }
            }
        }
        for function in &program.functions {
            if let Some(ret) = function.ret {
                self.read[ret] = true;
            }
        }
        let mut registers: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for e in program.exprs.ids() {
            if let (ExprKind::Var(var), true) = (program.exprs.kind(e), seen[e.index()]) {
                registers.insert(var, e);
            }
        }
        for edge in edges {
            if let Op::Alloc { dst, .. } | Op::Realloc { dst, .. } = &program.edges[*edge].op
                && let Some(e) = registers.get(dst)
            {
                self.addresses.insert(Object::Alloc(*edge), *e);
            }
        }
    }

    /// Globals that no edge changes.
    fn find_constants(&mut self, program: &Program, points_to: &PointsTo, edges: &[EdgeId]) {
        let mut assigned = FxHashSet::default();
        let mut written = FxHashSet::default();
        for edge in edges {
            let op = &program.edges[*edge].op;
            assigned.extend(op.assigned());
            match op {
                Op::Store { addr, .. } => drop(written.insert(points_to.class_of_address(*addr))),
                Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } => {
                    written.extend(points_to.cells(*dst, *len).into_iter().map(|r| r.class));
                }
                Op::MemHavoc { dst, len, .. } => written.extend(points_to.classes_within(*dst, *len)),
                _ => {}
            }
        }
        // Bytes that are set as a block may belong to no scalar; then nothing reads them as one, either.
        for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
            self.environment[id] = var.register() == Some(Scalar::Ptr) && var.init.is_none() && !assigned.contains(&id);
            self.constant[id] = match var.storage {
                Storage::Register(_) => !assigned.contains(&id),
                Storage::Memory { .. } => {
                    let classes = points_to.classes_of_var(id);
                    classes.iter().all(|class| !written.contains(class))
                }
            };
        }
    }

    /// Registers whose new value rests on the old one in a loop; those of them that change by steps, and that a condition in a
    /// loop compares, are counters.
    fn find_counters(&mut self, program: &Program, edges: &[EdgeId]) {
        let wto = Wto::new(program);
        // A temporary often stands between: `t = i + 1; i = t`.
        let mut copies: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for edge in edges {
            if let Op::Assign { dst, src } = &program.edges[*edge].op {
                copies.insert(*dst, *src);
            }
        }
        let mut compared = FxHashSet::default();
        for edge in edges {
            if let Op::Assume { cond, .. } = &program.edges[*edge].op
                && wto.innermost(program.edges[*edge].src).is_some()
            {
                program.exprs.walk(*cond, |_, e| {
                    if let ExprKind::Var(var) = e.kind {
                        compared.insert(var);
                    }
                });
            }
        }
        for edge in edges {
            let Op::Assign { dst, src } = &program.edges[*edge].op else { continue };
            if wto.innermost(program.edges[*edge].src).is_none() {
                continue;
            }
            let mut src = *src;
            if let ExprKind::Var(temp) = program.exprs.kind(src)
                && let Some(inner) = copies.get(&temp)
            {
                src = *inner;
            }
            self.counter[*dst] |= compared.contains(dst) && is_step_of(program, src, *dst);
            program.exprs.walk(src, |_, e| self.accumulator[*dst] |= e.kind == ExprKind::Var(*dst));
        }
    }

    /// Whether the constant is a pointer that the program neither initialises nor sets: only its environment can, so
    /// nothing is concluded from its being null.
    pub fn is_left_to_environment(&self, var: VarId) -> bool {
        self.environment[var]
    }

    /// Global whose content is always its initial one.
    pub fn is_constant(&self, var: VarId) -> bool {
        self.constant[var]
    }

    pub fn is_read(&self, var: VarId) -> bool {
        self.read[var]
    }

    pub fn is_counter(&self, var: VarId) -> bool {
        self.counter[var]
    }

    pub fn is_accumulator(&self, var: VarId) -> bool {
        self.accumulator[var]
    }

    /// An expression whose value is the address of an object of this origin.
    pub fn address_of(&self, origin: Object) -> Option<ExprId> {
        self.addresses.get(&origin).copied()
    }

    pub fn registers(&self, func: FuncId) -> &[VarId] {
        &self.registers[func]
    }

    pub fn has_stack_allocations(&self, func: FuncId) -> bool {
        self.stack_allocations[func]
    }

    pub fn memory_vars(&self, func: FuncId) -> &[VarId] {
        &self.memory_vars[func]
    }
}

/// Whether the expression is the variable plus or minus a constant, with any conversions.
fn is_step_of(program: &Program, e: ExprId, var: VarId) -> bool {
    let strip = |mut e: ExprId| {
        while let ExprKind::Cast(inner) = program.exprs.kind(e) {
            e = inner;
        }
        e
    };
    let is_var = |e: ExprId| program.exprs.kind(strip(e)) == ExprKind::Var(var);
    let is_const = |e: ExprId| program.exprs.as_const(strip(e)).is_some();
    match program.exprs.kind(strip(e)) {
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => is_var(a) && is_const(b) || is_const(a) && is_var(b),
        ExprKind::PtrAdd(a, b) => is_var(a) && is_const(b),
        _ => false,
    }
}
