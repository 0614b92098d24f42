//! How far from its place in the model an object lies on a machine: a multiple of its alignment, as long as it lives.

use crate::edges::{branch, redirect, step};
use base::Span;
use cfa::callgraph::CallGraph;
use cfa::layout::{external_range, object_range};
use cfa::points_to::Object;
use cfa::{
    BinOp, EdgeId, ExprId, ExprKind, HavocSource, LocId, Op, Program, Scalar, Storage, Value, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// So many objects may be told apart by their addresses.
const MOST_OBJECTS: usize = 16;
/// So many places of an object are taken one by one.
const MOST_PLACES: u64 = 16;

/// A variable with its displacement.
#[derive(Clone, Copy)]
struct Displaced {
    /// Register with the address of a local variable.
    base: Option<VarId>,
    size: u64,
    /// Register with the displacement up to a multiple of [`NEAR`], and one with the rest.
    near: VarId,
    far: VarId,
    align: u64,
    /// The greatest modulus that is asked for.
    modulus: u64,
}

/// Greatest modulus.
pub(crate) const NEAR: u64 = 4096;

/// What is near of a displacement that has not been chosen.
const OPEN: u64 = NEAR;

/// A value where the objects lie that an address in it may lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Moved {
    pub value: ExprId,
    address: ExprId,
    vars: Vec<VarId>,
}

/// A value that shows where an object lies.
pub(crate) struct Asked<'a> {
    pub value: ExprId,
    /// Whether it is an address, too: it is one in the model again.
    pub is_address: bool,
    /// The address that it is computed of.
    pub address: ExprId,
    pub objects: &'a [Object],
    /// Only the remainder of the displacement matters, of a power of two up to [`NEAR`].
    pub modulus: Option<u64>,
}

/// The variables whose displacement is asked for.
#[derive(Default)]
pub struct Displacements {
    vars: BTreeMap<VarId, Displaced>,
}

impl Displacements {
    /// What a value is where the objects lie that an address in it may lead to; `None` if there are too many to tell them apart, or several instances of one.
    pub(crate) fn moved(&mut self, program: &mut Program, calls: &CallGraph, asked: Asked<'_>) -> Option<Moved> {
        let Asked { value, is_address, address, objects, modulus } = asked;
        let of_program = objects.iter().filter(|object| !is_elsewhere(**object));
        let vars: Vec<VarId> = of_program.map(|object| single(program, calls, *object)).collect::<Option<_>>()?;
        if vars.len() > MOST_OBJECTS {
            return None;
        }
        let number = program.address_type();
        let none = program.exprs.add(ExprKind::Const(Value(0)), number);
        let mut by = none;
        for (i, var) in vars.iter().enumerate() {
            let displacement = self.displacement(program, *var, modulus)?;
            // An address leads to one of them, or elsewhere.
            by = if i == 0 {
                displacement
            } else {
                let is_inside = self.is_inside(program, address, *var);
                program.exprs.add(ExprKind::Ite(is_inside, displacement, by), number)
            };
        }
        for is_elsewhere in leads_elsewhere(program, address) {
            by = program.exprs.add(ExprKind::Ite(is_elsewhere, none, by), number);
        }
        let ty = program.exprs.ty(address);
        let moved = if ty == Scalar::Ptr {
            program.exprs.add(ExprKind::PtrAdd(address, by), ty)
        } else {
            let by = cast(program, by, ty);
            program.exprs.add(ExprKind::Binary(BinOp::Add, address, by), ty)
        };
        let mut known = FxHashMap::from_iter([(address, moved)]);
        let mut moved = program.exprs.rewrite(value, &mut known, |_, _| None);
        if is_address {
            let ty = program.exprs.ty(value);
            let by = cast(program, by, ty);
            moved = program.exprs.add(ExprKind::Binary(BinOp::Sub, moved, by), ty);
        }
        Some(Moved { value: moved, address, vars })
    }

    /// The displacement of a variable, or what is near of it.
    fn displacement(&mut self, program: &mut Program, var: VarId, modulus: Option<u64>) -> Option<ExprId> {
        let Storage::Memory { size, align } = program.vars[var].storage else { return None };
        let number = program.address_type();
        let known = self.vars.entry(var).or_insert_with(|| {
            let is_local = !program.vars[var].is_global();
            let base = is_local.then(|| register(program, "place", var, Scalar::Ptr));
            let [near, far] = ["displacement", "far displacement"].map(|what| register(program, what, var, number));
            Displaced { base, size, near, far, align: u64::from(align.max(1)), modulus: 1 }
        });
        known.modulus = known.modulus.max(modulus.unwrap_or(1));
        let [near, far] = [known.near, known.far].map(|part| program.exprs.add(ExprKind::Var(part), number));
        Some(if modulus.is_some() { near } else { program.exprs.add(ExprKind::Binary(BinOp::Add, near, far), number) })
    }

    /// Whether an address leads into a variable.
    fn is_inside(&self, program: &mut Program, address: ExprId, var: VarId) -> ExprId {
        let Displaced { base, size, .. } = self.vars[&var];
        let number = program.address_type();
        let base = program.exprs.add(base.map_or(ExprKind::AddrOf(var), ExprKind::Var), Scalar::Ptr);
        let (place, base) = (cast(program, address, number), cast(program, base, number));
        let offset = program.exprs.add(ExprKind::Binary(BinOp::Sub, place, base), number);
        let size = program.exprs.add(ExprKind::Const(Value(u128::from(size))), number);
        program.exprs.add(ExprKind::Binary(BinOp::Le, offset, size), Scalar::Bool)
    }

    /// The displacement of the object that an address leads to is chosen, unless it was before; where control goes on.
    pub(crate) fn choose(&self, program: &mut Program, loc: LocId, moved: &Moved, span: Span) -> LocId {
        let end = program.add_loc(program.locs[loc].func);
        let mut at = loc;
        for is_elsewhere in leads_elsewhere(program, moved.address) {
            at = branch(program, at, is_elsewhere, end, span);
        }
        for (i, var) in moved.vars.iter().enumerate().rev() {
            let here = program.add_loc(program.locs[loc].func);
            if i == 0 {
                program.add_edge(at, here, Op::Skip, span);
            } else {
                let is_inside = self.is_inside(program, moved.address, *var);
                at = branch(program, at, is_inside, here, span);
            }
            let displaced = &self.vars[var];
            let number = program.address_type();
            let (near, open) = (ExprKind::Var(displaced.near), ExprKind::Const(Value(u128::from(OPEN))));
            let [near, open] = [near, open].map(|kind| program.exprs.add(kind, number));
            let is_chosen = program.exprs.add(ExprKind::Binary(BinOp::Ne, near, open), Scalar::Bool);
            let here = branch(program, here, is_chosen, end, span);
            let here = displaced.choose(program, here, span);
            program.add_edge(here, end, Op::Skip, span);
        }
        end
    }

    /// Where objects begin to live, nothing is chosen yet.
    pub(crate) fn apply(&self, program: &mut Program) {
        let declares = |id: &EdgeId| match program.edges[*id].op {
            Op::Declare { var } => self.vars.get(&var).map(|displaced| (*id, var, *displaced)),
            _ => None,
        };
        let live = program.locs.iter().flat_map(|loc| &loc.out);
        for (edge, var, displaced) in live.filter_map(declares).collect::<Vec<_>>() {
            let (end, span) = (program.edges[edge].dst, program.edges[edge].span);
            let mut at = program.add_loc(program.locs[end].func);
            redirect(program, edge, at);
            if let Some(dst) = displaced.base {
                let src = program.exprs.add(ExprKind::AddrOf(var), Scalar::Ptr);
                at = step(program, at, Op::Assign { dst, src }, span);
            }
            at = displaced.begin(program, at, span);
            program.add_edge(at, end, Op::Skip, span);
        }
        let start = program.start;
        let Some(body) = program.functions[start].body else { return };
        let (mut at, next) = (body.entry, program.split(body.entry));
        let span = program.functions[start].span;
        for displaced in self.vars.values().filter(|displaced| displaced.base.is_none()) {
            at = displaced.begin(program, at, span);
        }
        program.add_edge(at, next, Op::Skip, span);
    }
}

impl Displaced {
    fn begin(&self, program: &mut Program, at: LocId, span: Span) -> LocId {
        let src = program.exprs.add(ExprKind::Const(Value(u128::from(OPEN))), program.address_type());
        step(program, at, Op::Assign { dst: self.near, src }, span)
    }

    /// Any multiple of the alignment. If few of them differ in what is asked for, they are taken one by one: then what depends on them are constants.
    fn choose(&self, program: &mut Program, at: LocId, span: Span) -> LocId {
        let number = program.address_type();
        let func = program.locs[at].func;
        let constant =
            |program: &mut Program, value: u64| program.exprs.add(ExprKind::Const(Value(value.into())), number);
        let any = |program: &mut Program, at| {
            let dst = program.add_register(func, "place", number);
            let at = step(program, at, Op::Havoc { dst, source: HavocSource::Environment }, span);
            (at, program.exprs.add(ExprKind::Var(dst), number))
        };
        let (dst, count) = (self.near, self.modulus.div_ceil(self.align));
        let (at, place) = any(program, at);
        let end = if count > MOST_PLACES {
            let (align, below) = (constant(program, self.align), constant(program, NEAR - 1));
            let src = program.exprs.add(ExprKind::Binary(BinOp::Mul, place, align), number);
            let src = program.exprs.add(ExprKind::Binary(BinOp::BitAnd, src, below), number);
            step(program, at, Op::Assign { dst, src }, span)
        } else {
            let (end, mut at) = (program.add_loc(func), at);
            for i in 0..count {
                let (bound, src) = (constant(program, i), constant(program, i * self.align));
                let mut here = at;
                if i + 1 < count {
                    let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, place, bound), Scalar::Bool);
                    here = step(program, at, Op::Assume { cond, truth: true }, span);
                    at = step(program, at, Op::Assume { cond, truth: false }, span);
                }
                program.add_edge(here, end, Op::Assign { dst, src }, span);
            }
            end
        };
        // Where nobody asks for less, all of it is far.
        let (at, far) = any(program, end);
        let least = constant(program, self.align.max(self.modulus));
        let src = program.exprs.add(ExprKind::Binary(BinOp::Mul, far, least), number);
        step(program, at, Op::Assign { dst: self.far, src }, span)
    }
}

/// A global register that says something of a variable.
fn register(program: &mut Program, what: &str, of: VarId, ty: Scalar) -> VarId {
    let Var { name, ctype, span, .. } = &program.vars[of];
    let (name, storage, init) = (format!("{what} of {name}").into(), Storage::Register(ty), Some(Box::default()));
    program.vars.push(Var { name, func: None, storage, kind: VarKind::Temp, ctype: *ctype, init, span: *span })
}

/// Where an address does not lead into an object of the program.
pub(crate) fn leads_elsewhere(program: &mut Program, address: ExprId) -> [ExprId; 2] {
    let number = program.address_type();
    let (below, outside) = (object_range(program.machine).start - 1, external_range(program.machine).start);
    let address = cast(program, address, number);
    [(BinOp::Le, below), (BinOp::Ge, outside)].map(|(op, bound)| {
        let bound = program.exprs.add(ExprKind::Const(Value(u128::from(bound))), number);
        program.exprs.add(ExprKind::Binary(op, address, bound), Scalar::Bool)
    })
}

/// A value as one of a type.
pub(crate) fn cast(program: &mut Program, e: ExprId, ty: Scalar) -> ExprId {
    if program.exprs.ty(e) == ty { e } else { program.exprs.add(ExprKind::Cast(e), ty) }
}

/// Whether it does not matter where it lies: functions are not asked, and what is outside may lie anywhere as it is.
fn is_elsewhere(object: Object) -> bool {
    matches!(object, Object::Function(_) | Object::External)
}

/// The variable that the object is, if no two instances of it live at the same time.
fn single(program: &Program, calls: &CallGraph, object: Object) -> Option<VarId> {
    let Object::Var(var) = object else { return None };
    match program.vars[var].func {
        Some(func) => (!calls.is_recursive(func)).then_some(var),
        None => Some(var),
    }
}
