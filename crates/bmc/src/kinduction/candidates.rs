//! Candidates for invariants from the text of the program: constants that registers are compared with, or get.
//!
//! None of them is believed: [`crate::kinduction::houdini`] keeps those that are inductive together.

use crate::kinduction::explore::{AtCut, Cut, Explorer};
use crate::kinduction::facts::Invariants;
use crate::kinduction::facts::{Fact, Reg, is_number, range};
use crate::kinduction::houdini::Steps;
use crate::kinduction::pointers::{self, Strides};
use base::IdVec;
use cfa::live::Live;
use cfa::points_to::PointsTo;
use cfa::{BinOp, ExprId, ExprKind, InitValue, Op, Program, Scalar, Value, VarId};
use domains::numerical::Relation;
use encode::FrameSlots;
use std::collections::BTreeSet;

/// Most candidates of a cut point.
const MAX_CANDIDATES: usize = 2500;
/// Most numbers of a cut point that candidates are about.
const MAX_REGISTERS: usize = 48;
/// Most pointers of a cut point that candidates are about.
const MAX_POINTERS: usize = 6;
/// Most numbers that are compared with one another.
const MAX_PAIRED: usize = 10;
/// Most constants of one register.
const MAX_CONSTANTS: usize = 40;
/// Most values of a register that are told apart.
const MAX_VALUES: usize = 48;
/// Most pairs of values of two registers.
const MAX_EXCLUSIVE: usize = 900;

/// What candidates are made of, beside the states at cut points.
pub struct Sources<'a> {
    constants: Constants,
    strides: Strides,
    points_to: &'a PointsTo,
    live: Live,
}

impl<'a> Sources<'a> {
    /// Reads them off the program.
    pub fn new(program: &Program, points_to: &'a PointsTo) -> Self {
        Self {
            constants: Constants::new(program),
            strides: Strides::new(program),
            points_to,
            live: encode::live_or_size(program),
        }
    }
}

/// What the program says about the values of registers.
struct Constants {
    /// Constants that a register is compared with.
    compared: IdVec<VarId, BTreeSet<i128>>,
    /// All values that a register may get, if these are constants.
    assigned: IdVec<VarId, Option<BTreeSet<i128>>>,
}

/// The number that a value means.
fn number(value: Value, ty: Scalar) -> Option<i128> {
    match ty {
        Scalar::Int { bits, signed } if bits <= 64 => {
            let shift = 128 - u32::from(bits);
            let raw = value.0 << shift;
            Some(if signed { (raw as i128) >> shift } else { (raw >> shift) as i128 })
        }
        _ => None,
    }
}

impl Constants {
    /// Reads them off the program.
    fn new(program: &Program) -> Self {
        let n = program.vars.len();
        let mut this = Self {
            compared: IdVec::from_elem(BTreeSet::new(), n),
            assigned: IdVec::from_elem(Some(BTreeSet::new()), n),
        };
        let mut copies: Vec<(VarId, VarId)> = Vec::new();
        let mut seen = BTreeSet::new();
        for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
            let Some(ty) = var.register() else { continue };
            let value = match var.init.as_deref().and_then(|init| init.cells.first()) {
                None => Some(0),
                Some((_, _, InitValue::Scalar(value))) => number(*value, ty),
                Some(_) => None,
            };
            this.assign(id, value);
        }
        for edge in program.locs.iter().flat_map(|loc| &loc.out).map(|edge| &program.edges[*edge]) {
            edge.op.for_each_expr(|expr| {
                program.exprs.walk(expr, |id, _| {
                    if seen.insert(id) {
                        this.compare(program, id);
                    }
                });
            });
            match &edge.op {
                Op::Assign { dst, src } => this.assign_expr(program, *dst, *src, &mut copies),
                Op::Call { func, args, dst } => {
                    let function = &program.functions[*func];
                    for (param, arg) in function.params.iter().zip(args) {
                        this.assign_expr(program, *param, *arg, &mut copies);
                    }
                    match (dst, function.ret) {
                        (Some(dst), Some(ret)) => copies.push((*dst, ret)),
                        (Some(dst), None) => this.assigned[*dst] = None,
                        (None, _) => {}
                    }
                }
                op => op.assigned().into_iter().for_each(|dst| this.assigned[dst] = None),
            }
        }
        this.copy(&copies);
        this
    }

    fn assign(&mut self, dst: VarId, value: Option<i128>) {
        match (value, &mut self.assigned[dst]) {
            (Some(value), Some(values)) if values.len() < MAX_VALUES => drop(values.insert(value)),
            (_, values) => *values = None,
        }
    }

    fn assign_expr(&mut self, program: &Program, dst: VarId, src: ExprId, copies: &mut Vec<(VarId, VarId)>) {
        let ty = program.exprs.ty(src);
        match program.exprs.kind(src) {
            ExprKind::Const(value) => self.assign(dst, number(value, ty)),
            ExprKind::Var(var) => copies.push((dst, var)),
            ExprKind::Ite(_, a, b) => {
                self.assign_expr(program, dst, a, copies);
                self.assign_expr(program, dst, b, copies);
            }
            // A truth value as a number.
            ExprKind::Cast(a) if program.exprs.ty(a) == Scalar::Bool => {
                self.assign(dst, Some(0));
                self.assign(dst, Some(1));
            }
            _ => self.assigned[dst] = None,
        }
    }

    /// Lets values flow along copies.
    fn copy(&mut self, copies: &[(VarId, VarId)]) {
        loop {
            let mut changed = false;
            for (dst, src) in copies {
                let merged = match (&self.assigned[*dst], &self.assigned[*src]) {
                    (Some(a), Some(b)) => {
                        let merged: BTreeSet<i128> = a.union(b).copied().collect();
                        Some(merged).filter(|m| m.len() <= MAX_VALUES)
                    }
                    _ => None,
                };
                if merged != self.assigned[*dst] {
                    self.assigned[*dst] = merged;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn compare(&mut self, program: &Program, expr: ExprId) {
        let ExprKind::Binary(op, a, b) = program.exprs.kind(expr) else { return };
        if !op.is_comparison() && !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Rem) {
            return;
        }
        for (side, other) in [(a, b), (b, a)] {
            let Some(value) = program.exprs.as_const(other).and_then(|v| number(v, program.exprs.ty(other))) else {
                continue;
            };
            let mut found = Vec::new();
            program.exprs.walk(side, |_, e| {
                if let ExprKind::Var(var) = e.kind {
                    found.push(var);
                }
            });
            for var in found {
                if op.is_comparison() && self.compared[var].len() < MAX_CONSTANTS {
                    self.compared[var].insert(value);
                }
            }
        }
    }
}

/// Registers of an arbitrary state whose value is not fixed, those of the top frame first: numbers, and pointers.
fn open_registers(explorer: &mut Explorer<'_, '_>, start: &AtCut, live: &Live) -> (Vec<Reg>, Vec<Reg>) {
    let program = explorer.enc.program;
    let (mut numbers, mut pointers) = (Vec::new(), Vec::new());
    let root = explorer.stacks.root();
    let (mut stack, mut loc) = (start.cut.stack, start.cut.head);
    loop {
        let frame = explorer.stacks.frame(stack);
        for (var, info) in program.vars.iter_enumerated() {
            let reg = match info.func {
                Some(func) if func == frame.func => {
                    let slot = explorer.enc.slots.slot(program, FrameSlots(0), var);
                    if !live.is_live(loc, slot) {
                        continue;
                    }
                    Reg::register(stack, var)
                }
                None if stack == start.cut.stack => Reg::register(root, var),
                _ => continue,
            };
            let found = match info.register() {
                Some(Scalar::Ptr) => &mut pointers,
                Some(ty) if is_number(ty) => &mut numbers,
                _ => continue,
            };
            let slot = explorer.enc.slots.slot(program, explorer.frame(reg.stack), var);
            let is_open = start.state.slots.get(slot).is_some_and(|v| explorer.enc.terms.as_bv_const(*v).is_none());
            if is_open {
                found.push(reg);
            }
        }
        match frame.caller {
            Some((below, call)) => (stack, loc) = (below, program.edges[call].dst),
            None => break,
        }
    }
    numbers.truncate(MAX_REGISTERS);
    pointers.truncate(MAX_POINTERS);
    (numbers, pointers)
}

/// Candidates for all arbitrary states, beginning with what is known there.
pub fn candidates(
    explorer: &mut Explorer<'_, '_>,
    starts: &[AtCut],
    mut known: Invariants,
    sources: &Sources<'_>,
) -> Invariants {
    let constants = &sources.constants;
    let mut all = Invariants::new();
    for start in starts {
        let (registers, pointers) = open_registers(explorer, start, &sources.live);
        let mut facts = known.remove(&start.cut).unwrap_or_default();
        facts.retain(|fact| fact.registers().all(|reg| reg.part.is_none()));
        for reg in &registers {
            values(*reg, constants, &mut facts);
        }
        for (i, x) in registers.iter().enumerate() {
            for y in &registers[i + 1..] {
                exclusive(*x, *y, constants, &mut facts);
            }
        }
        for reg in &registers {
            bounds(explorer.enc.program, *reg, constants, &mut facts);
        }
        for (i, x) in registers.iter().enumerate().take(MAX_PAIRED) {
            for y in &registers[i + 1..registers.len().min(MAX_PAIRED)] {
                for bound in [-1, 0] {
                    facts.push(Fact::Octagon(Relation::difference(*x, *y, bound)));
                    facts.push(Fact::Octagon(Relation::difference(*y, *x, bound)));
                }
            }
        }
        facts.extend(pointers::candidates(explorer, &start.state, &pointers, (&sources.strides, sources.points_to)));
        let mut seen = BTreeSet::new();
        facts.retain(|fact| seen.insert(fact.clone()));
        facts.truncate(MAX_CANDIDATES);
        if !facts.is_empty() {
            all.insert(start.cut, facts);
        }
    }
    all
}

/// What finds candidates at a cut point about registers there, from the arrivals, each with the cut point where its step began.
type OfCounters = fn(&mut Explorer<'_, '_>, &AtCut, &[Reg], &[(Option<Cut>, &AtCut)]) -> Vec<Fact>;

/// Candidates for all arbitrary states that relate counters: by equations ([`crate::kinduction::linear`]), or by bounds ([`crate::kinduction::slopes`]).
pub fn of_counters(
    explorer: &mut Explorer<'_, '_>,
    starts: &[AtCut],
    steps: &Steps,
    sources: &Sources<'_>,
    find: OfCounters,
) -> Invariants {
    let mut all = Invariants::new();
    for start in starts {
        let (mut registers, pointers) = open_registers(explorer, start, &sources.live);
        registers.extend(pointers);
        let arrivals: Vec<(Option<Cut>, &AtCut)> = steps
            .iter()
            .flat_map(|(from, arrivals)| arrivals.iter().map(|at| (*from, at)))
            .filter(|(_, at)| at.cut == start.cut)
            .collect();
        let facts = find(explorer, start, &registers, &arrivals);
        if !facts.is_empty() {
            all.insert(start.cut, facts);
        }
    }
    all
}

/// The values that a register gets, if they are constants.
fn values(reg: Reg, constants: &Constants, facts: &mut Vec<Fact>) {
    if let Some(values) = constants.assigned[reg.var].as_ref().filter(|values| !values.is_empty()) {
        facts.push(Fact::OneOf(reg, values.iter().copied().collect()));
    }
}

/// Bounds of one register, where its values do not say more.
fn bounds(program: &Program, reg: Reg, constants: &Constants, facts: &mut Vec<Fact>) {
    let Some(ty) = program.vars[reg.var].register() else { return };
    if constants.assigned[reg.var].as_ref().is_some_and(|values| values.len() > 1) {
        return;
    }
    let (least, greatest) = range(ty);
    let mut values: BTreeSet<i128> = constants.compared[reg.var].clone();
    values.insert(0);
    for value in &values {
        for at_least in [*value, value + 1] {
            if at_least > least && at_least <= greatest {
                facts.push(Fact::AtLeast(reg, at_least));
            }
        }
        for at_most in [*value, value - 1] {
            if at_most < greatest && at_most >= least {
                facts.push(Fact::AtMost(reg, at_most));
            }
        }
        facts.push(Fact::Not(reg, *value));
    }
    for rest in 0..2 {
        facts.push(Fact::Congruent { reg, modulus: 2, rest });
    }
}

/// Values that exclude each other.
fn exclusive(x: Reg, y: Reg, constants: &Constants, facts: &mut Vec<Fact>) {
    let (Some(xs), Some(ys)) = (&constants.assigned[x.var], &constants.assigned[y.var]) else { return };
    if xs.len() < 2 || ys.len() < 2 || xs.len() * ys.len() > MAX_EXCLUSIVE {
        return;
    }
    for a in xs {
        facts.extend(ys.iter().map(|b| Fact::Exclusive((x, *a), (y, *b))));
    }
}
