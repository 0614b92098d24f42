//! Threads that share no memory with what runs beside them, as calls.
//!
//! Lowering lets a thread run to its end where it is created, or not at all ([`cfa::threads`]). If, while it is alive, no other thread writes to
//! what it reads or writes, and none reads what it writes, then its steps commute with those of all others: what a run of the machine can
//! get to, a run in which the thread ran at once gets to, or one in which it never did, if it does not come to its end (partial order
//! reduction [godefroid96]). So each access that may be to memory of a thread, by the regions of points-to analysis and with everything
//! that the thread's function calls, is guarded by the number of threads that are alive: where there are some, the run goes on as one of many that
//! a machine may take, and what the others do is not known.
//!
//! When the program ends, a thread may stand anywhere. Which heap blocks are lost then is asked in the run where it has come to its end, since what is lost
//! stays lost.
//!
//! A violation is one of the machine, too, where a thread that runs at once has to wait for nobody: no mutex is locked where it begins or ends, and waiting for
//! anything else is not modelled.

mod footprint;
mod join;
mod private;

use base::Span;
use cfa::points_to::PointsTo;
use cfa::threads::{EXIT, JOIN, Threads};
use cfa::{
    BinOp, EdgeId, ExprId, ExprKind, HavocSource, LocId, Op, Program, Scalar, Unsupported, UnsupportedId, Value, VarId,
};
use footprint::{Footprints, Meeting};

/// The construct that threads are when they are not modelled.
const THREAD: &str = "thread";

/// Functions that lock a mutex, if they return zero.
const LOCKS: [&str; 16] = [
    "mtx_lock",
    "mtx_timedlock",
    "mtx_trylock",
    "pthread_mutex_clocklock",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
];

/// Functions that unlock one.
const UNLOCKS: [&str; 4] = ["mtx_unlock", "pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock"];

/// Functions that wait for what other threads do, or end them.
const WAITS: [&str; 16] = [
    "__pthread_register_cancel",
    "_pthread_cleanup_push",
    "pthread_barrier_wait",
    "pthread_cancel",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_kill",
    "pthread_sigqueue",
    "pthread_spin_trylock",
    "pthread_tryjoin_np",
    "sem_clockwait",
    "sem_timedwait",
    "sem_trywait",
    "sem_wait",
    "thrd_join",
];

/// Guards accesses to what threads share, and carries out what is left of threads. Returns the number of places that were guarded.
pub fn guard_threads(program: &mut Program) -> usize {
    let Some(threads) = program.threads.take() else { return 0 };
    let points_to = PointsTo::new(program);
    let footprints = Footprints::new(program, &points_to, &threads);
    let meet = |loc: LocId, site: usize| {
        let meetings = || program.locs[loc].out.iter().map(|edge| footprints.meet(program, site, *edge));
        let has = |wanted: Meeting| meetings().any(|meeting| meeting == wanted);
        (has(Meeting::Shares) || has(Meeting::Asks)).then_some((site, has(Meeting::Shares)))
    };
    let shared: Vec<(LocId, Vec<(usize, bool)>)> = program
        .locs
        .ids()
        .map(|loc| (loc, (0..threads.sites.len()).filter_map(|site| meet(loc, site)).collect()))
        .filter(|(_, sites): &(LocId, Vec<_>)| !sites.is_empty())
        .collect();
    let only_threads: Vec<bool> =
        threads.sites.iter().map(|site| footprints.is_only_created(program, &threads, site.function)).collect();
    let mut rewriter = Rewriter { program, threads: &threads };
    for (loc, sites) in &shared {
        let out = &rewriter.program.locs[*loc].out;
        let is_known = !out.iter().any(|edge| footprints.asks_all(rewriter.program, *edge));
        rewriter.guard(*loc, sites, is_known);
    }
    for edge in rewriter.program.edges.ids().collect::<Vec<_>>() {
        rewriter.carry_out(edge, &only_threads);
    }
    shared.len()
}

/// Changes the program.
struct Rewriter<'a> {
    program: &'a mut Program,
    threads: &'a Threads,
}

impl Rewriter<'_> {
    /// What leaves a location may be done in another order while one of these threads is alive; what it does then is known, or not. Where nothing is shared
    /// with a thread, all that has to be known is that no heap block is lost.
    fn guard(&mut self, loc: LocId, sites: &[(usize, bool)], is_known: bool) {
        let Some(span) = self.program.locs[loc].out.first().map(|edge| self.program.edges[*edge].span) else { return };
        let next = self.program.split(loc);
        let mut from = loc;
        for (i, (site, shares)) in sites.iter().enumerate() {
            let site = &self.threads.sites[*site];
            let (alive, function) = (site.alive, &self.program.functions[site.function].name);
            let detail = format!("`{function}` may share memory with what runs beside it");
            let after = format!("after {function}");
            let none = self.number(0, self.program.vars[alive].register());
            let none = self.compare(alive, none);
            let func = self.program.locs[loc].func;
            let to = if i + 1 == sites.len() { next } else { self.program.add_loc(func) };
            let mut other = self.branch(from, none, to, span);
            if !shares {
                let tracked = self.program.exprs.add(ExprKind::Tracked, Scalar::Bool);
                other = self.branch(other, tracked, to, span);
            } else if is_known {
                let choice = self.program.add_register(func, &after, Scalar::Bool);
                let chosen = self.program.add_loc(func);
                let op = Op::Havoc { dst: choice, source: HavocSource::Environment };
                self.program.add_edge(other, chosen, op, span);
                let choice = self.var(choice);
                other = self.branch(chosen, choice, to, span);
            }
            self.unsupported(other, detail, span);
            from = to;
        }
    }

    /// Carries out an edge, if it calls a function that has to do with threads.
    fn carry_out(&mut self, edge: EdgeId, only_threads: &[bool]) {
        let Op::CallExtern { func, args, dst } = &self.program.edges[edge].op else { return };
        let (name, args, dst) = (self.program.functions[*func].name.clone(), args.clone(), *dst);
        match &*name {
            JOIN => self.join(edge, args[0], dst),
            EXIT => self.exit(edge, args[0], only_threads),
            name if LOCKS.contains(&name) => self.count(edge, BinOp::Add, dst),
            name if UNLOCKS.contains(&name) => self.count(edge, BinOp::Sub, None),
            name if WAITS.contains(&name) => self.give_up(edge, name.to_owned()),
            _ => {}
        }
    }

    /// The number of mutexes that are locked changes behind an edge; with a result, only if that is zero.
    fn count(&mut self, edge: EdgeId, op: BinOp, result: Option<VarId>) {
        let locked = self.threads.locked;
        let (count, one) = (self.var(locked), self.number(1, Some(Scalar::INT)));
        let mut next = self.program.exprs.add(ExprKind::Binary(op, count, one), Scalar::INT);
        if let Some(result) = result {
            let zero = self.number(0, self.program.vars[result].register());
            let is_locked = self.compare(result, zero);
            next = self.program.exprs.add(ExprKind::Ite(is_locked, next, count), Scalar::INT);
        }
        self.program.append(edge, Op::Assign { dst: locked, src: next });
    }

    /// The function of a thread returns a value, if nobody else calls it.
    fn exit(&mut self, edge: EdgeId, value: ExprId, only_threads: &[bool]) {
        let func = self.program.locs[self.program.edges[edge].src].func;
        let is_thread = |(site, only): (&cfa::ThreadSite, &bool)| site.function == func && *only;
        let returns = self.threads.sites.iter().zip(only_threads).any(is_thread);
        match (returns, self.program.functions[func].ret, self.program.functions[func].body) {
            (true, Some(dst), Some(body)) => {
                self.program.edges[edge].op = Op::Assign { dst, src: value };
                crate::edges::redirect(self.program, edge, body.exit);
            }
            _ => self.give_up(edge, "pthread_exit in a function that others call".to_owned()),
        }
    }

    /// A run that takes the edge is not modelled.
    fn give_up(&mut self, edge: EdgeId, detail: String) {
        let (src, span) = (self.program.edges[edge].src, self.program.edges[edge].span);
        let Some(body) = self.program.functions[self.program.locs[src].func].body else { return };
        self.program.edges[edge].op = Op::Unsupported(self.construct(detail, span));
        crate::edges::redirect(self.program, edge, body.exit);
    }

    /// A run that gets to a location is not modelled.
    fn unsupported(&mut self, at: LocId, detail: String, span: Span) {
        let op = Op::Unsupported(self.construct(detail, span));
        self.end(at, op, span);
    }

    /// A run ends at a location.
    fn end(&mut self, at: LocId, op: Op, span: Span) {
        if let Some(body) = self.program.functions[self.program.locs[at].func].body {
            self.program.add_edge(at, body.exit, op, span);
        }
    }

    fn construct(&mut self, detail: String, span: Span) -> UnsupportedId {
        self.program.unsupported.push(Unsupported { construct: THREAD.into(), detail, span })
    }

    /// Where a condition holds, control goes on at `then`, otherwise at the location that is returned.
    fn branch(&mut self, from: LocId, cond: ExprId, then: LocId, span: Span) -> LocId {
        let other = self.program.add_loc(self.program.locs[from].func);
        self.program.add_edge(from, then, Op::Assume { cond, truth: true }, span);
        self.program.add_edge(from, other, Op::Assume { cond, truth: false }, span);
        other
    }

    fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].register().unwrap_or(Scalar::INT);
        self.program.exprs.add(ExprKind::Var(var), ty)
    }

    fn number(&mut self, value: u32, ty: Option<Scalar>) -> ExprId {
        self.program.exprs.add(ExprKind::Const(Value(value.into())), ty.unwrap_or(Scalar::INT))
    }

    /// Whether a register has a value.
    fn compare(&mut self, register: VarId, value: ExprId) -> ExprId {
        let register = self.var(register);
        self.program.exprs.add(ExprKind::Binary(BinOp::Eq, register, value), Scalar::Bool)
    }
}
