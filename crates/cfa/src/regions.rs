//! Regions of memory: what each operation, function or part of a function reads and writes.
//!
//! A region is a class of cells of the points-to analysis: two accesses can meet only if they are to the same region.

use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind};
use crate::op::Op;
use crate::points_to::PointsTo;
use crate::program::{EdgeId, FuncId, Program, VarId};
use base::{Id, IdVec};

pub use crate::points_to::{ClassId as RegionId, Object, RegionKind};

/// Which operations read and write which regions.
#[derive(Clone, Debug)]
pub struct Regions {
    reads: IdVec<EdgeId, Box<[RegionId]>>,
    writes: IdVec<EdgeId, Box<[RegionId]>>,
    readers: IdVec<RegionId, Vec<EdgeId>>,
    writers: IdVec<RegionId, Vec<EdgeId>>,
}

impl Regions {
    /// Computes them. `points_to` is of the same program.
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let n = points_to.class_count();
        let empty = || IdVec::from_elem(Box::<[RegionId]>::default(), program.edges.len());
        let mut regions = Self {
            reads: empty(),
            writes: empty(),
            readers: IdVec::from_elem(Vec::new(), n),
            writers: IdVec::from_elem(Vec::new(), n),
        };
        let mut loads = Loads { seen: vec![0; program.exprs.len()], round: 0, stack: Vec::new() };
        for edge in program.locs.iter().flat_map(|l| &l.out) {
            let op = &program.edges[*edge].op;
            let mut reads = loads.of(program, points_to, op);
            let mut writes = Vec::new();
            direct(points_to, op, &mut reads, &mut writes);
            for (list, users) in [(&mut reads, &mut regions.readers), (&mut writes, &mut regions.writers)] {
                list.sort_unstable();
                list.dedup();
                list.iter().for_each(|r| users[*r].push(*edge));
            }
            regions.reads[*edge] = reads.into();
            regions.writes[*edge] = writes.into();
        }
        regions
    }

    /// Regions that the operation itself reads, sorted; calls count with their arguments only.
    pub fn reads(&self, edge: EdgeId) -> &[RegionId] {
        &self.reads[edge]
    }

    /// Regions whose content or life the operation itself changes, sorted. Allocation, the end of a life and declarations
    /// count as changes of all regions of the object.
    pub fn writes(&self, edge: EdgeId) -> &[RegionId] {
        &self.writes[edge]
    }

    /// Edges that read the region.
    pub fn readers(&self, region: RegionId) -> &[EdgeId] {
        &self.readers[region]
    }

    /// Edges that change the region.
    pub fn writers(&self, region: RegionId) -> &[EdgeId] {
        &self.writers[region]
    }

    /// Regions that some operation reads or changes.
    pub fn used(&self) -> impl Iterator<Item = RegionId> {
        self.readers.ids().filter(|r| !self.readers[*r].is_empty() || !self.writers[*r].is_empty())
    }
}

/// What the operation accesses other than by loads in its expressions.
fn direct(points_to: &PointsTo, op: &Op, reads: &mut Vec<RegionId>, writes: &mut Vec<RegionId>) {
    let range = |addr: ExprId, len: u64| points_to.cells(addr, len).into_iter().map(|c| c.class);
    match op {
        Op::Store { addr, .. } => writes.push(points_to.class_of_address(*addr)),
        Op::Repeat(repeat) => {
            writes.extend(repeat.writes.iter().map(|write| points_to.class_of_address(write.addr)));
        }
        Op::MemCopy { dst, src, len } => {
            reads.extend(range(*src, *len));
            writes.extend(range(*dst, *len));
        }
        Op::MemSet { dst, len, .. } => writes.extend(range(*dst, *len)),
        Op::MemHavoc { dst, len, .. } => writes.extend(points_to.classes_within(*dst, *len)),
        Op::Alloc { dst, .. } => writes.extend(points_to.classes_of_register(*dst)),
        Op::Realloc { dst, .. } => {
            let regions = points_to.classes_of_register(*dst);
            reads.extend(&regions);
            writes.extend(regions);
        }
        Op::Free { ptr, .. } => writes.extend(points_to.classes_of_objects(*ptr)),
        Op::Declare { var } | Op::EndScope { var } => writes.extend(points_to.classes_of_var(*var)),
        _ => {}
    }
}

/// Finds loads; each expression once per operation.
struct Loads {
    seen: Vec<u32>,
    round: u32,
    stack: Vec<ExprId>,
}

impl Loads {
    fn of(&mut self, program: &Program, points_to: &PointsTo, op: &Op) -> Vec<RegionId> {
        self.round += 1;
        let mut found = Vec::new();
        op.for_each_expr(|e| self.stack.push(e));
        while let Some(e) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[e.index()], self.round) != self.round {
                if let ExprKind::Load(addr) = program.exprs.kind(e) {
                    found.push(points_to.class_of_address(addr));
                }
                self.stack.extend(program.exprs.operands(e));
            }
        }
        found
    }
}

/// What may be modified or read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Registers, sorted.
    pub registers: Vec<VarId>,
    /// Regions, sorted.
    pub regions: Vec<RegionId>,
}

/// A program with what is known of its memory and its calls.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its regions.
    pub regions: &'a Regions,
    /// Its calls.
    pub calls: &'a CallGraph,
}

/// What functions may modify and read, with everything that they call (mod/ref sets).
#[derive(Clone, Debug)]
pub struct ModRef {
    /// Number of variables; bits from there on stand for regions.
    vars: usize,
    /// By component of the call graph.
    modified: Vec<BitSet>,
    read: Vec<BitSet>,
    component: IdVec<FuncId, u32>,
}

impl ModRef {
    /// Computes the sets of all functions.
    pub fn new(program: &Program, regions: &Regions, calls: &CallGraph) -> Self {
        let vars = program.vars.len();
        let component: IdVec<FuncId, u32> = program.functions.ids().map(|f| calls.component(f)).collect();
        let count = component.iter().max().map_or(0, |m| *m as usize + 1);
        let empty = BitSet::default();
        let mut all = Self { vars, modified: vec![empty.clone(); count], read: vec![empty; count], component };
        let mut seen = vec![false; program.exprs.len()];
        let mut order = vec![Vec::new(); program.functions.len()];
        for (id, loc) in program.locs.iter_enumerated() {
            order[loc.func.index()].push(id);
        }
        for func in calls.bottom_up() {
            let c = all.component[*func] as usize;
            for callee in calls.callees(*func) {
                let inner = all.component[*callee] as usize;
                if inner != c {
                    let (modified, read) = (all.modified[inner].clone(), all.read[inner].clone());
                    all.modified[c].union(&modified);
                    all.read[c].union(&read);
                }
            }
            let mut visited = Vec::new();
            for edge in order[func.index()].iter().flat_map(|l| &program.locs[*l].out) {
                let op = &program.edges[*edge].op;
                if let Some(dst) = op.assigned().filter(|v| program.vars[*v].is_global()) {
                    all.modified[c].insert(dst.index());
                }
                regions.writes(*edge).iter().for_each(|r| all.modified[c].insert(vars + r.index()));
                regions.reads(*edge).iter().for_each(|r| all.read[c].insert(vars + r.index()));
                let mut stack = Vec::new();
                op.for_each_expr(|e| stack.push(e));
                while let Some(e) = stack.pop() {
                    if !std::mem::replace(&mut seen[e.index()], true) {
                        visited.push(e);
                        match program.exprs.kind(e) {
                            ExprKind::Var(v) if program.vars[v].is_global() => all.read[c].insert(v.index()),
                            _ => stack.extend(program.exprs.operands(e)),
                        }
                    }
                }
            }
            visited.into_iter().for_each(|e| seen[e.index()] = false);
        }
        all
    }

    /// Global registers and regions that a call of the function may modify. Registers of its own frame do not count.
    pub fn modified(&self, func: FuncId) -> Footprint {
        self.footprint(&self.modified[self.component[func] as usize])
    }

    /// Global registers and regions that a call of the function may read.
    pub fn read(&self, func: FuncId) -> Footprint {
        self.footprint(&self.read[self.component[func] as usize])
    }

    /// What the edges of a part of a function, such as a loop, may modify: registers of the function's frame, global
    /// registers and regions; with everything that is called there.
    pub fn modified_by(&self, code: Code<'_>, edges: impl IntoIterator<Item = EdgeId>) -> Footprint {
        let Code { program, regions, calls } = code;
        let mut all = BitSet::default();
        for edge in edges {
            if let Some(dst) = program.edges[edge].op.assigned() {
                all.insert(dst.index());
            }
            regions.writes(edge).iter().for_each(|r| all.insert(self.vars + r.index()));
            for callee in calls.callees_of_edge(program, edge) {
                all.union(&self.modified[self.component[*callee] as usize]);
            }
        }
        self.footprint(&all)
    }

    /// What the edges of a part of a function may read, in the same sense.
    pub fn read_by(&self, code: Code<'_>, edges: impl IntoIterator<Item = EdgeId>) -> Footprint {
        let Code { program, regions, calls } = code;
        let mut all = BitSet::default();
        for edge in edges {
            program.edges[edge].op.for_each_expr(|e| {
                program.exprs.walk(e, |_, e| {
                    if let ExprKind::Var(var) = e.kind {
                        all.insert(var.index());
                    }
                });
            });
            regions.reads(edge).iter().for_each(|r| all.insert(self.vars + r.index()));
            for callee in calls.callees_of_edge(program, edge) {
                all.union(&self.read[self.component[*callee] as usize]);
            }
        }
        self.footprint(&all)
    }

    fn footprint(&self, set: &BitSet) -> Footprint {
        let mut footprint = Footprint::default();
        for bit in set.iter() {
            match bit.checked_sub(self.vars) {
                Some(region) => footprint.regions.push(RegionId::from_index(region)),
                None => footprint.registers.push(VarId::from_index(bit)),
            }
        }
        footprint
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn insert(&mut self, bit: usize) {
        if self.words.len() <= bit / 64 {
            self.words.resize(bit / 64 + 1, 0);
        }
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    fn union(&mut self, other: &BitSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| i * 64 + b)
        };
        self.words.iter().enumerate().flat_map(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::value::Scalar;

    #[test]
    fn footprints_are_transitive() {
        let mut b = Builder::new();
        let (f, g) = (b.func("f", &[]), b.func("g", &[Scalar::Ptr]));
        let (x, y) = (b.mem(None, "x", 4), b.mem(None, "y", 4));
        let (counter, other) = (b.reg(None, "counter", Scalar::INT), b.reg(None, "other", Scalar::INT));
        let local = b.reg(Some(f), "local", Scalar::INT);
        let (ax, ay, one, param) = (b.addr(x), b.addr(y), b.int(1), b.program.functions[g].params[0]);
        let (vparam, vother) = (b.var(param), b.var(other));
        let read_y = b.load(ay, Scalar::INT);
        // g(p) { *p = 1; counter = other; g(p) }
        let recursion = b.call(g, &[vparam]);
        let ops = [Op::Store { addr: vparam, value: one }, Op::Assign { dst: counter, src: vother }, recursion];
        let (entry, exit) = (b.entry(g), b.exit(g));
        b.chain(entry, exit, ops);
        // f() { local = y; g(&x) }
        let call = b.call(g, &[ax]);
        let (entry, exit) = (b.entry(f), b.exit(f));
        let body = b.chain(entry, exit, [Op::Assign { dst: local, src: read_y }, call]);
        let (entry, exit, call) = (b.entry(b.program.start), b.exit(b.program.start), b.call(f, &[]));
        b.edge(entry, exit, call);

        let p = &b.program;
        let pt = PointsTo::new(p);
        let (regions, calls) = (Regions::new(p, &pt), CallGraph::new(p, Some(&pt)));
        let modref = ModRef::new(p, &regions, &calls);
        let (rx, ry) = (pt.class_of_address(ax), pt.class_of_address(ay));
        for func in [f, g, p.start] {
            assert_eq!(modref.modified(func), Footprint { registers: vec![counter], regions: vec![rx] });
        }
        assert_eq!(modref.read(f), Footprint { registers: vec![other], regions: vec![ry] });
        assert_eq!(modref.read(g), Footprint { registers: vec![other], regions: vec![] });
        let loop_body = modref.modified_by(Code { program: p, regions: &regions, calls: &calls }, body.iter().copied());
        assert_eq!(loop_body, Footprint { registers: vec![counter, local], regions: vec![rx] });
        assert_eq!(regions.readers(ry), &body[..1]);
        assert_eq!(pt.kind(rx), RegionKind::Typed(Scalar::Int { bits: 32, signed: false }));
    }
}
