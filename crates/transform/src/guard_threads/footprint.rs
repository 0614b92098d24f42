//! What threads access, and which operations may meet that.

use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use cfa::regions::{Footprint, ModRef, Object, RegionId, Regions};
use cfa::{EdgeId, ExprKind, FuncId, Op, Program, Threads, VarId};

/// What the function of a thread reads and writes, with everything that it calls.
struct OfThread {
    modified: Footprint,
    read: Footprint,
    /// Whether it asks which heap blocks can be reached.
    reads_all: bool,
    lives: Lives,
}

/// Objects whose lives matter, sorted. They need not have memory that is accessed.
#[derive(Default)]
struct Lives {
    asked: Vec<Object>,
    ended: Vec<Object>,
}

impl Lives {
    fn meet(&self, other: &Lives) -> bool {
        let common = |a: &[Object], b: &[Object]| a.iter().any(|object| b.binary_search(object).is_ok());
        common(&self.asked, &other.ended) || common(&self.ended, &other.asked)
    }

    fn add(&mut self, other: Lives) {
        for (of, more) in [(&mut self.asked, other.asked), (&mut self.ended, other.ended)] {
            of.extend(more);
            of.sort_unstable();
            of.dedup();
        }
    }
}

/// What operations beside threads access.
pub(super) struct Footprints<'a> {
    points_to: &'a PointsTo,
    regions: Regions,
    calls: CallGraph,
    threads: Vec<OfThread>,
    /// Whether there are heap blocks.
    has_heap: bool,
    /// What each thread has its own of.
    own: Vec<RegionId>,
}

impl<'a> Footprints<'a> {
    pub fn new(program: &Program, points_to: &'a PointsTo, threads: &Threads) -> Self {
        let regions = Regions::new(program, points_to);
        let calls = CallGraph::new(program, Some(points_to));
        let effects = ModRef::new(program, &regions, &calls);
        let all = || program.locs.iter().flat_map(|loc| &loc.out).copied();
        let has_heap = all().any(|edge| matches!(program.edges[edge].op, Op::Alloc { .. } | Op::Realloc { .. }));
        let is_own =
            |region: &RegionId| points_to.objects(*region).iter().all(|o| Some(*o) == threads.errno.map(Object::Var));
        let mut own = threads.errno.map(|errno| points_to.classes_of_var(errno)).unwrap_or_default();
        own.retain(is_own);
        let mut this = Self { points_to, regions, calls, threads: Vec::new(), has_heap, own };
        for site in &threads.sites {
            let reachable = this.calls.reachable(site.function);
            let mut read = effects.read(site.function);
            let (mut reads_all, mut lives) = (false, Lives::default());
            for edge in all().filter(|edge| reachable[program.locs[program.edges[*edge].src].func]) {
                let asked = this.asked(program, edge);
                read.regions.extend(asked.regions);
                reads_all |= asked.all;
                lives.add(this.lives(program, edge));
            }
            read.regions.sort_unstable();
            read.regions.dedup();
            let mut modified = effects.modified(site.function);
            for regions in [&mut read.regions, &mut modified.regions] {
                regions.retain(|region| !this.own.contains(region));
            }
            this.threads.push(OfThread { modified, read, reads_all, lives });
        }
        this
    }

    /// Whether an edge asks if heap blocks can be reached: by which pointers of a thread that has not run to its end, nobody knows.
    pub fn asks_all(&self, program: &Program, edge: EdgeId) -> bool {
        self.asked(program, edge).all
    }

    /// Whether an edge may read or write what a thread of this site writes, or write what it reads.
    pub fn meet(&self, program: &Program, site: usize, edge: EdgeId) -> bool {
        let OfThread { modified, read, reads_all, lives } = &self.threads[site];
        let asked = self.asked(program, edge);
        if asked.all || lives.meet(&self.lives(program, edge)) {
            return true;
        }
        let op = &program.edges[edge].op;
        let written = self.regions.writes(edge);
        // A block may be lost when a register of any frame is written.
        if *reads_all && (!written.is_empty() || op.assigned().is_some()) {
            return true;
        }
        let register = op.assigned().filter(|var| program.vars[*var].is_global());
        let has = |footprint: &Footprint, region: &RegionId| footprint.regions.binary_search(region).is_ok();
        let has_var = |footprint: &Footprint, var: VarId| footprint.registers.binary_search(&var).is_ok();
        let mut reads_modified = self.regions.reads(edge).iter().chain(&asked.regions).any(|r| has(modified, r));
        op.for_each_expr(|e| {
            program.exprs.walk(e, |_, e| {
                reads_modified |= matches!(e.kind, ExprKind::Var(var) if has_var(modified, var));
            });
        });
        reads_modified
            || written.iter().any(|region| has(modified, region) || has(read, region))
            || register.is_some_and(|var| has_var(modified, var) || has_var(read, var))
    }

    /// Whether a function runs as a thread only.
    pub fn is_only_created(&self, program: &Program, threads: &Threads, function: FuncId) -> bool {
        let results = |edge: &EdgeId| program.edges[*edge].op.assigned();
        let created = |edge| results(edge).is_some_and(|dst| threads.sites.iter().any(|site| site.result == dst));
        self.calls.call_sites(function).iter().all(created)
    }

    /// Of which objects an operation asks whether they live, and which ones it may end.
    fn lives(&self, program: &Program, edge: EdgeId) -> Lives {
        let op = &program.edges[edge].op;
        let (mut asked, mut ended) = (Vec::new(), Vec::new());
        op.for_each_expr(|e| {
            program.exprs.walk(e, |_, e| {
                if let ExprKind::Valid(_, address, _) = e.kind {
                    asked.extend_from_slice(self.points_to.objects_at(address));
                }
            });
        });
        match op {
            Op::Free { ptr, .. } | Op::Realloc { ptr, .. } => ended.extend_from_slice(self.points_to.objects_at(*ptr)),
            Op::Declare { var } | Op::EndScope { var } => ended.push(Object::Var(*var)),
            _ => {}
        }
        let mut lives = Lives::default();
        lives.add(Lives { asked, ended });
        lives
    }

    /// Whose life the operation asks for.
    fn asked(&self, program: &Program, edge: EdgeId) -> Asked {
        let mut asked = Asked::default();
        program.edges[edge].op.for_each_expr(|e| {
            program.exprs.walk(e, |_, e| match e.kind {
                ExprKind::Valid(_, address, _) => asked.regions.extend(self.points_to.classes_of_objects(address)),
                ExprKind::Tracked => asked.all |= self.has_heap,
                _ => {}
            });
        });
        asked
    }
}

/// Whose life an operation asks for.
#[derive(Default)]
struct Asked {
    regions: Vec<RegionId>,
    /// Of all blocks, and of all pointers that may lead to them.
    all: bool,
}
