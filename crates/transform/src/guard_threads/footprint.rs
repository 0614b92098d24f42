//! What threads access, and which operations may meet that.

use super::private;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use cfa::regions::{Footprint, ModRef, Object, RegionId, Regions};
use cfa::{BinOp, Check, EdgeId, ExprKind, FuncId, Op, Program, Threads, VarId, VarKind};
use rustc_hash::FxHashSet;

/// What the function of a thread reads and writes, with everything that it calls.
struct OfThread {
    modified: Footprint,
    read: Footprint,
    /// Whether it asks which heap blocks can be reached.
    reads_all: bool,
    lives: Lives,
    /// Whether it comes to its end, if its loops do: it ends no run, and no loop is endless.
    comes_to_its_end: bool,
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
    own: FxHashSet<RegionId>,
    /// Objects that only the frame that made them, and what it calls, knows of.
    private: FxHashSet<Object>,
    /// Registers that lowering made and that are only counted up and down: it does not matter in which order.
    counters: FxHashSet<VarId>,
    /// Functions that run in threads.
    in_threads: FxHashSet<FuncId>,
}

impl<'a> Footprints<'a> {
    pub fn new(program: &Program, points_to: &'a PointsTo, threads: &Threads) -> Self {
        let regions = Regions::new(program, points_to);
        let calls = CallGraph::new(program, Some(points_to));
        let effects = ModRef::new(program, &regions, &calls);
        let all = || program.locs.iter().flat_map(|loc| &loc.out).copied();
        let has_heap = all().any(|edge| matches!(program.edges[edge].op, Op::Alloc { .. } | Op::Realloc { .. }));
        let private = private::objects(program, points_to);
        let is_own = |region: &RegionId| {
            let objects = points_to.objects(*region);
            let is_own = |o: &Object| Some(*o) == threads.errno.map(Object::Var) || private.contains(o);
            !objects.is_empty() && objects.iter().all(is_own)
        };
        let own = regions.used().filter(is_own).collect();
        let (counters, in_threads) = (counters(program), FxHashSet::default());
        let mut this =
            Self { points_to, regions, calls, threads: Vec::new(), has_heap, own, private, counters, in_threads };
        for site in &threads.sites {
            let reachable = this.calls.reachable(site.function);
            let mut read = effects.read(site.function);
            let (mut reads_all, mut lives) = (false, Lives::default());
            let mut asked_for = FxHashSet::default();
            let mut comes_to_its_end = !this.calls.reaches_recursion(site.function);
            for func in program.functions.ids().filter(|func| reachable[*func]) {
                this.in_threads.insert(func);
                comes_to_its_end &= private::comes_to_its_end(program, func);
            }
            for edge in all().filter(|edge| reachable[program.locs[program.edges[*edge].src].func]) {
                let asked = this.asked(program, edge);
                this.asks_for(program, edge, &mut asked_for);
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
            // Who only counts does not ask for the number.
            read.registers.retain(|register| !this.counters.contains(register) || asked_for.contains(register));
            this.threads.push(OfThread { modified, read, reads_all, lives, comes_to_its_end });
        }
        this
    }

    /// The counters that an edge reads for something else than to count.
    fn asks_for(&self, program: &Program, edge: EdgeId, found: &mut FxHashSet<VarId>) {
        let op = &program.edges[edge].op;
        let counts = counted(program, op).filter(|var| self.counters.contains(var));
        op.for_each_expr(|e| {
            program.exprs.walk(e, |_, e| match e.kind {
                ExprKind::Var(var) if counts != Some(var) && self.counters.contains(&var) => _ = found.insert(var),
                _ => {}
            });
        });
    }

    /// Whether an edge asks if heap blocks can be reached: by which pointers of a thread that has not run to its end, nobody knows.
    pub fn asks_all(&self, program: &Program, edge: EdgeId) -> bool {
        self.asked(program, edge).all
    }

    /// Whether an edge that is in no thread asks if heap blocks can be reached, and a thread of this site may stand anywhere when it does. A block
    /// that is lost then is lost when the thread has come to its end, too: so it is enough to ask in runs where it has.
    pub fn asks_of_ended(&self, program: &Program, site: usize, edge: EdgeId) -> bool {
        let func = program.locs[program.edges[edge].src].func;
        self.threads[site].comes_to_its_end && !self.in_threads.contains(&func)
    }

    /// Whether an edge may read or write what a thread of this site writes, or write what it reads.
    pub fn meet(&self, program: &Program, site: usize, edge: EdgeId) -> Meeting {
        let asks = self.asked(program, edge).all;
        match self.shares(program, site, edge) {
            true => Meeting::Shares,
            false if asks && self.asks_of_ended(program, site, edge) => Meeting::Asks,
            false if asks => Meeting::Shares,
            false => Meeting::Nothing,
        }
    }

    fn shares(&self, program: &Program, site: usize, edge: EdgeId) -> bool {
        let OfThread { modified, read, reads_all, lives, .. } = &self.threads[site];
        let asked = self.asked(program, edge);
        if lives.meet(&self.lives(program, edge)) {
            return true;
        }
        let op = &program.edges[edge].op;
        // Where nothing but lost blocks is looked for, their number says no more than that some are left.
        let asks_number = matches!(op, Op::Assume { .. })
            && !program.checks.contains(&Check::Cleanup)
            && self.asks_of_ended(program, site, edge);
        let counts = counted(program, op).filter(|var| self.counters.contains(var));
        let written = self.regions.writes(edge);
        // A block may be lost when a register of any frame is written.
        if *reads_all && (!written.is_empty() || op.assigned().is_some()) {
            return true;
        }
        let register = op.assigned().filter(|var| program.vars[*var].is_global() && counts != Some(*var));
        let has = |footprint: &Footprint, region: &RegionId| footprint.regions.binary_search(region).is_ok();
        let has_var = |footprint: &Footprint, var: VarId| footprint.registers.binary_search(&var).is_ok();
        let mut reads_modified = self.regions.reads(edge).iter().chain(&asked.regions).any(|r| has(modified, r));
        op.for_each_expr(|e| {
            program.exprs.walk(e, |_, e| {
                reads_modified |= matches!(e.kind, ExprKind::Var(var) if has_var(modified, var)
                    && counts != Some(var) && !(asks_number && self.counters.contains(&var)));
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
            Op::Free { ptr } | Op::Realloc { ptr, .. } => ended.extend_from_slice(self.points_to.objects_at(*ptr)),
            Op::Declare { var } | Op::EndScope { var } => ended.push(Object::Var(*var)),
            _ => {}
        }
        for objects in [&mut asked, &mut ended] {
            objects.retain(|object| !self.private.contains(object));
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

/// What an edge has to do with a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    Nothing,
    /// It asks if heap blocks can be reached, which is known of those that the thread has to do with when that has come to its end.
    Asks,
    /// One of them changes what the other accesses.
    Shares,
}

/// The register that an operation counts up or down.
fn counted(program: &Program, op: &Op) -> Option<VarId> {
    let Op::Assign { dst, src } = op else { return None };
    let ExprKind::Binary(BinOp::Add | BinOp::Sub, count, by) = program.exprs.kind(*src) else { return None };
    let counts = program.exprs.kind(count) == ExprKind::Var(*dst) && program.exprs.as_const(by).is_some();
    counts.then_some(*dst)
}

/// Global registers made by lowering that are only counted up and down.
fn counters(program: &Program) -> FxHashSet<VarId> {
    let is_hidden = |var: &VarId| program.vars[*var].is_global() && program.vars[*var].kind == VarKind::Temp;
    let (mut counters, mut others) = (FxHashSet::default(), FxHashSet::default());
    for edge in program.locs.iter().flat_map(|loc| &loc.out) {
        let op = &program.edges[*edge].op;
        let Some(var) = op.assigned().filter(is_hidden) else { continue };
        if counted(program, op) == Some(var) {
            counters.insert(var)
        } else {
            others.insert(var)
        };
    }
    counters.retain(|var| !others.contains(var));
    counters
}

/// Whose life an operation asks for.
#[derive(Default)]
struct Asked {
    regions: Vec<RegionId>,
    /// Of all blocks, and of all pointers that may lead to them.
    all: bool,
}
