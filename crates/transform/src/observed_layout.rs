//! Operations whose results show where objects lie.
//!
//! In the model each object lies at a place of its own (`cfa::layout`); on a machine it may lie anywhere, as far as its alignment allows it. What C says about
//! addresses holds wherever objects lie, and so does all that is computed of the bits that the alignment fixes. Other bits differ from machine to
//! machine: an operation that gets them from the address of an object computes an open value.
//!
//! The same is true of how far objects lie from one another, and whether one begins where another one ends.
//!
//! Not followed are the order of objects, which C leaves undefined, and addresses that are taken apart byte by byte through memory.

mod unless;

use crate::displacements::{Asked, Displacements, leads_elsewhere};
use crate::open_values::{Machine, OpenValue};
use cfa::callgraph::CallGraph;
use cfa::layout::{ALLOCATED, external_range, object_range};
use cfa::points_to::{ClassId, Object, PointsTo};
use cfa::{BinOp, ExprId, ExprKind, LocId, Op, Program, Scalar, Storage, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;
use unless::{Low, Unless, ones};

/// Greatest number whose bits are low ones.
const SMALL: u128 = 4095;

/// What is computed of an address and depends on where its object lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Observation {
    value: ExprId,
    /// Whether it is an address, in turn.
    is_address: bool,
    address: ExprId,
    /// Whether it is computed of no other address.
    is_alone: bool,
    /// Of the displacement of the object, it depends on the remainder.
    modulus: Option<u64>,
    /// Where it does not depend on it.
    unless: Unless,
}

impl Observation {
    fn asked(&self) -> Asked<'static> {
        let Observation { value, is_address, address, modulus, .. } = *self;
        Asked { value, is_address, address, objects: &[], modulus }
    }

    fn of(value: ExprId, moving: Moving, unless: Unless) -> Self {
        let Moving { address, is_alone, .. } = moving;
        Self { value, is_address: false, address, is_alone, modulus: None, unless }
    }
}

/// How a value depends on where an object lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dependence {
    /// Not at all.
    None,
    /// Not at all, but it is an address, outside of all objects.
    Outside,
    /// It is an address in the object, which moves with it, a multiple of the alignment.
    Address(Moving),
    /// It is a number that changes by multiples of the alignment.
    Number(Moving),
}

use Dependence::{Address, Number};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moving {
    /// The expression that gave the address.
    address: ExprId,
    align: u64,
    /// Whether there is no other.
    is_alone: bool,
}

impl Moving {
    fn and(self, other: Self) -> Self {
        let is_alone = self.is_alone && other.is_alone && self.address == other.address;
        Moving { align: self.align.min(other.align), is_alone, ..self }
    }
}

impl Dependence {
    fn moving(self) -> Option<Moving> {
        match self {
            Dependence::None | Dependence::Outside => None,
            Address(moving) | Number(moving) => Some(moving),
        }
    }

    fn is_address(self) -> bool {
        matches!(self, Dependence::Outside | Address(_))
    }

    /// What is computed of both in a way that keeps multiples.
    fn with(self, other: Self) -> Self {
        match (self.moving(), other.moving()) {
            (Some(a), Some(b)) => Number(a.and(b)),
            (Some(a), None) | (None, Some(a)) => Number(a),
            (None, None) => Dependence::None,
        }
    }
}

/// The values of a program that show where objects lie.
pub fn observed_layout(program: &mut Program, points_to: &PointsTo) -> (Vec<OpenValue>, Displacements) {
    let mut search = Search {
        program,
        points_to,
        numbers: Numbers::default(),
        known: FxHashMap::default(),
        found: FxHashMap::default(),
    };
    search.follow_numbers();
    let mut found = BTreeSet::new();
    for (loc, location) in search.program.locs.iter_enumerated() {
        for edge in &location.out {
            let op = &search.program.edges[*edge].op;
            op.for_each_expr(|root| found.extend(search.observed(root).into_iter().map(|observed| (loc, observed))));
        }
    }
    let found: Vec<(LocId, Observation, bool)> =
        found.into_iter().map(|(loc, observed)| (loc, observed, search.is_followed(&observed))).collect();
    let calls = CallGraph::new(program, Some(points_to));
    let mut displacements = Displacements::default();
    let open = |(loc, observed, is_followed): (LocId, Observation, bool)| {
        let Observation { value, address, unless, .. } = observed;
        let asked = Asked { objects: points_to.objects_at(address), ..observed.asked() };
        let moved = is_followed.then(|| displacements.moved(program, &calls, asked)).flatten();
        let machine = moved.map_or_else(
            || Machine::Any(leads_elsewhere(program, address).into_iter().chain(unless.condition(program)).collect()),
            Machine::Moved,
        );
        let detail = "which depend on where its object lies in memory";
        OpenValue { loc, value, machine, construct: "bits of an address", detail }
    };
    (found.into_iter().map(open).collect(), displacements)
}

/// Integers that may be addresses: points-to analysis alone would take many for such, because they share memory with pointers somewhere.
#[derive(Default)]
struct Numbers {
    registers: FxHashSet<VarId>,
    cells: FxHashSet<ClassId>,
}

impl Numbers {
    fn len(&self) -> usize {
        self.registers.len() + self.cells.len()
    }
}

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    numbers: Numbers,
    known: FxHashMap<ExprId, Dependence>,
    /// By expression that observes.
    found: FxHashMap<ExprId, Observation>,
}

impl Search<'_> {
    /// Finds the integers that addresses get to, which begins where a pointer is converted.
    fn follow_numbers(&mut self) {
        loop {
            let before = self.numbers.len();
            for edge in self.program.locs.iter().flat_map(|loc| &loc.out) {
                self.follow(&self.program.edges[*edge].op);
            }
            if self.numbers.len() == before {
                return;
            }
            self.known.clear();
            self.found.clear();
        }
    }

    fn follow(&mut self, op: &Op) {
        match op {
            Op::Assign { dst, src } => self.flow(*src, *dst),
            Op::Store { addr, value } => {
                let class = self.points_to.class_of_address(*addr);
                // What is known outside has numbers from there everywhere.
                let is_outside = self.points_to.objects(class).contains(&Object::External);
                if !is_outside && self.dependence(*value).is_address() {
                    self.numbers.cells.insert(class);
                }
            }
            Op::Call { func, args, dst } => {
                let function = &self.program.functions[*func];
                for (param, arg) in function.params.iter().zip(args) {
                    self.flow(*arg, *param);
                }
                if let (Some(dst), Some(ret)) = (dst, function.ret)
                    && self.numbers.registers.contains(&ret)
                {
                    self.numbers.registers.insert(*dst);
                }
            }
            _ => {}
        }
    }

    fn flow(&mut self, from: ExprId, to: VarId) {
        if self.program.vars[to].register() != Some(Scalar::Ptr) && self.dependence(from).is_address() {
            self.numbers.registers.insert(to);
        }
    }

    /// What an operation with this expression observes.
    fn observed(&mut self, root: ExprId) -> BTreeSet<Observation> {
        let mut all = BTreeSet::new();
        if let Number(moving) = self.dependence(root) {
            // Where it goes to, it is not followed.
            all.insert(Observation::of(root, moving, Unless::Never));
        }
        if !self.found.is_empty() {
            self.program.exprs.walk(root, |e, _| all.extend(self.found.get(&e)));
        }
        all
    }

    /// Whether a value moves with one address, and so do all parts of it.
    fn is_followed(&self, observed: &Observation) -> bool {
        let mut is_followed = true;
        self.program.exprs.walk(observed.value, |e, _| {
            if let Some(part) = self.found.get(&e) {
                is_followed &= part.is_alone && part.address == observed.address;
            }
        });
        is_followed && observed.is_alone
    }

    fn dependence(&mut self, e: ExprId) -> Dependence {
        if let Some(known) = self.known.get(&e) {
            return *known;
        }
        let exprs = &self.program.exprs;
        let expr = exprs.get(e);
        let dependence = match expr.kind {
            ExprKind::Const(_) | ExprKind::FuncAddr(_) | ExprKind::Tracked => Dependence::None,
            ExprKind::AddrOf(_) | ExprKind::Var(_) => self.leaf(e),
            ExprKind::Load(address) => {
                self.whole(e, address);
                self.leaf(e)
            }
            ExprKind::Valid(_, address, len) => {
                self.whole(e, address);
                self.whole(e, len);
                Dependence::None
            }
            ExprKind::Cast(a) => self.cast(e, a),
            ExprKind::PtrAdd(a, b) => match (self.dependence(a), self.dependence(b)) {
                // What a pointer is moved by is no address, whatever it shares memory with.
                (x @ (Address(_) | Dependence::Outside), _) => x,
                _ => self.sum(a, b),
            },
            ExprKind::Unary(UnOp::Neg | UnOp::BitNot, a) => self.dependence(a).with(Dependence::None),
            ExprKind::Unary(UnOp::Not | UnOp::Sqrt, a) => {
                self.dependence(a);
                Dependence::None
            }
            ExprKind::Ite(c, a, b) => {
                self.dependence(c);
                match (self.dependence(a), self.dependence(b)) {
                    (x, Dependence::None | Dependence::Outside) | (Dependence::None | Dependence::Outside, x) => x,
                    (Address(x), Address(y)) => Address(x.and(y)),
                    (x, y) => x.with(y),
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(e, op, a, b),
        };
        self.known.insert(e, dependence);
        dependence
    }

    /// What is read, or an address that is written.
    fn leaf(&self, e: ExprId) -> Dependence {
        let exprs = &self.program.exprs;
        let may_be_address = match (exprs.ty(e), exprs.kind(e)) {
            (Scalar::Ptr, _) => true,
            (_, ExprKind::Var(var)) => self.numbers.registers.contains(&var),
            (ty, ExprKind::Load(address)) => {
                self.is_wide(ty) && self.numbers.cells.contains(&self.points_to.class_of_address(address))
            }
            _ => false,
        };
        if !may_be_address {
            return Dependence::None;
        }
        let aligned = self.points_to.objects_at(e).iter().filter_map(|object| self.alignment(*object));
        match aligned.min() {
            Some(align) => Address(Moving { address: e, align, is_alone: true }),
            None => Dependence::Outside,
        }
    }

    /// Alignment of an object of the program.
    fn alignment(&self, object: Object) -> Option<u64> {
        match object {
            Object::Var(var) => match self.program.vars[var].storage {
                Storage::Memory { align, .. } => Some(u64::from(align.max(1))),
                Storage::Register(_) => None,
            },
            Object::Alloc(edge) => match self.program.edges[edge].op {
                Op::Alloc { align, .. } => Some(u64::from(align)),
                _ => Some(u64::from(ALLOCATED)),
            },
            Object::Function(_) | Object::External => None,
        }
    }

    /// Whether a number is made as a mask of low bits: a power of two less one.
    fn is_low_mask(&self, e: ExprId) -> bool {
        let exprs = &self.program.exprs;
        match exprs.kind(e) {
            ExprKind::Cast(a) => self.is_low_mask(a),
            ExprKind::Binary(BinOp::Sub, _, one) => exprs.as_const(one).is_some_and(|one| one.0 == 1),
            _ => false,
        }
    }

    /// Whether two addresses may lead to one object.
    fn may_share(&self, a: ExprId, b: ExprId) -> bool {
        let [a, b] = [a, b].map(|e| self.points_to.objects_at(e));
        a.iter().any(|object| b.binary_search(object).is_ok())
    }

    /// Whether objects may lie below a number and above it. None lies at the ends of the address space, where programs look for null and for numbers of
    /// errors: on 64 bits, these are the first 4 GiB, and all beyond 128 TiB.
    fn is_place(&self, value: u128, ty: Scalar) -> bool {
        let bits = self.program.pointer_bits();
        let low = value & ones(Scalar::Ptr, bits);
        // Lowering compares addresses with those of memory that is not the program's, and of registers of hardware, where no object lies.
        let Range { start, end } = external_range(self.program.machine);
        if !self.program.hardware.is_empty() || (u128::from(start)..=u128::from(end)).contains(&low) {
            return u64::try_from(low).is_ok_and(|low| object_range(self.program.machine).contains(&low));
        }
        match bits {
            64 => ((1 << 32) + 1..1 << 47).contains(&low),
            _ => (SMALL + 1..(1 << bits) - SMALL).contains(&low) || ty.is_signed() && low <= SMALL,
        }
    }

    fn is_wide(&self, ty: Scalar) -> bool {
        let bits = self.program.pointer_bits();
        matches!(ty, Scalar::Ptr | Scalar::Int { .. }) && ty.bits(bits) >= bits
    }

    fn observe(&mut self, e: ExprId, of: Dependence, unless: Unless) {
        if let Some(moving) = of.moving() {
            self.found.insert(e, Observation::of(e, moving, unless));
        }
    }

    /// An operand that may be an address as it is, but no other number that moves.
    fn whole(&mut self, e: ExprId, operand: ExprId) {
        let of = self.dependence(operand);
        if let Number(_) = of {
            self.observe(e, of, Unless::Never);
        }
    }

    fn cast(&mut self, e: ExprId, a: ExprId) -> Dependence {
        let (of, ty) = (self.dependence(a), self.program.exprs.ty(e));
        match of {
            Dependence::Outside | Address(_) if self.is_wide(ty) => of,
            Address(moving) | Number(moving) if matches!(ty, Scalar::Int { .. }) => Number(moving),
            _ => {
                self.observe(e, of, Unless::Never);
                Dependence::None
            }
        }
    }

    fn sum(&mut self, a: ExprId, b: ExprId) -> Dependence {
        match (self.dependence(a), self.dependence(b)) {
            (x, Dependence::None) | (Dependence::None, x) => x,
            (x @ Address(_), Dependence::Outside) | (Dependence::Outside, x @ Address(_)) => x,
            (x, y) => x.with(y),
        }
    }

    fn binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Dependence {
        let (x, y) = (self.dependence(a), self.dependence(b));
        let (moving, number) = match (x.moving(), y.moving()) {
            (None, None) if op == BinOp::Add => return self.sum(a, b),
            (None, None) => return Dependence::None,
            (Some(a), Some(b)) => (a.and(b), None),
            (Some(x), None) => (x, Some(b)),
            (None, Some(y)) => (y, Some(a)),
        };
        let same = if x.moving().is_none() { y } else { x };
        let constant = number.and_then(|number| self.program.exprs.as_const(number)).map(|value| value.0);
        let (align, low) = (moving.align, u128::from(moving.align - 1));
        let high = ones(self.program.exprs.ty(e), self.program.pointer_bits()) & !SMALL;
        let (dependence, unless) = match (op, number) {
            (BinOp::Add, _) => return self.sum(a, b),
            // Within an object, a difference is an index.
            (BinOp::Sub, None) if self.may_share(a, b) => return Dependence::None,
            (BinOp::Sub, None) => (Dependence::None, Unless::Never),
            (BinOp::Sub, Some(_)) if y == Dependence::None => return x,
            (BinOp::Sub, Some(_)) if constant.is_none() => return Dependence::None,
            (BinOp::Sub, Some(_)) => return Number(moving),
            (BinOp::Mul, Some(_)) => return Number(moving),
            (BinOp::Shl, Some(_)) if y.moving().is_none() => return Number(moving),
            (BinOp::BitAnd, Some(number)) => match constant {
                Some(mask) if mask & !low == 0 => return Dependence::None,
                Some(mask) if mask | low == high | SMALL => return same,
                Some(mask) if mask & high == high => (same, Unless::Never),
                Some(_) => (Dependence::None, Unless::Never),
                None if self.is_low_mask(number) => (Dependence::None, Unless::Low(Low::Masks, number, align)),
                None => (same, Unless::Low(Low::Masks, number, align)),
            },
            (BinOp::BitOr | BinOp::BitXor, Some(number)) => match constant {
                Some(bits) if bits & !low == 0 => return same,
                Some(bits) if bits <= SMALL => (same, Unless::Never),
                Some(_) => (Dependence::None, Unless::Never),
                None => (same, Unless::Low(Low::IsBelow, number, align)),
            },
            (BinOp::Rem, Some(number)) if y.moving().is_none() => match constant {
                Some(divisor) if divisor != 0 && u128::from(align).is_multiple_of(divisor) => return Dependence::None,
                Some(_) => (Dependence::None, Unless::Never),
                None => (Dependence::None, Unless::Low(Low::Divides, number, align)),
            },
            (op, _) if op.is_comparison() => {
                let is_whole = |of| !matches!(of, Number(_));
                let is_place = constant.is_some_and(|value| self.is_place(value, self.program.exprs.ty(a)));
                let may_be_behind = || [a, b].iter().any(|e| !self.points_to.is_never_behind(self.program, *e));
                let is_equation = matches!(op, BinOp::Eq | BinOp::Ne) && number.is_none();
                let may_touch = is_equation && !self.may_share(a, b) && may_be_behind();
                if !is_whole(x) || !is_whole(y) || is_place {
                    (Dependence::None, Unless::Never)
                } else if may_touch {
                    // One of them may begin where the other one ends (C11 6.5.9p6).
                    (Dependence::None, Unless::Inside(a, b))
                } else {
                    return Dependence::None;
                }
            }
            _ => (Dependence::None, Unless::Never),
        };
        let bits = match (op, constant) {
            (BinOp::BitAnd, Some(mask)) if mask & high == high => Some(!mask & SMALL),
            (BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor, Some(bits)) => Some(bits),
            (BinOp::Rem, Some(divisor)) if divisor.is_power_of_two() => Some(divisor - 1),
            _ => None,
        };
        let modulus = bits.filter(|bits| *bits <= SMALL).map(|bits| (bits as u64 + 1).next_power_of_two());
        let is_address = matches!(dependence, Address(_));
        self.found.insert(e, Observation { modulus, is_address, ..Observation::of(e, moving, unless) });
        dependence
    }
}
