//! Hash-consed terms: the arena, the operators, and the constructors that do not simplify.
//!
//! Equal terms have equal ids, so equality of subterms is a comparison of numbers. The simplifying constructors are in
//! `build`; [`Terms::raw_un`] and its kin build a node as it is (for tests and for backends that must keep a shape).

mod bounds;
mod children;
mod congruence;
mod inspect;
mod sorts;

use crate::sort::{FloatSort, MAX_WIDTH, Sort};
use crate::value::mask;
use base::{Effort, Name};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

pub use children::Children;
pub use congruence::Congruence;

/// A term of a [`Terms`] arena. Children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

impl TermId {
    /// Position in the arena.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The term at a position; the caller must know that the arena has it.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        TermId(index as u32)
    }
}

/// A variable's number in its arena, in the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(u32);

/// How a float operation rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Round {
    /// To the nearest, ties to even: C's default.
    NearestEven,
    /// To the nearest, ties away from zero: C's `round`.
    NearestAway,
    /// Towards zero: C's casts to integers, `trunc`.
    ToZero,
    /// Towards positive infinity: `ceil`.
    Up,
    /// Towards negative infinity: `floor`.
    Down,
}

/// Operators with one argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnOp {
    /// Negation of a Bool.
    Not,
    /// Complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bits `hi` down to `lo`, both included.
    Extract {
        /// Highest bit.
        hi: u8,
        /// Lowest bit.
        lo: u8,
    },
    /// That many zero bits in front.
    ZeroExt(u8),
    /// That many copies of the sign bit in front.
    SignExt(u8),
    /// Flips the sign (NaN stays NaN).
    FpNeg,
    /// Clears the sign.
    FpAbs,
    /// Square root, to the nearest even.
    FpSqrt,
    /// Whether it is a NaN.
    FpIsNan,
    /// Whether it is infinite.
    FpIsInf,
    /// Whether it is zero of either sign.
    FpIsZero,
    /// Whether the sign bit is set and it is no NaN.
    FpIsNegative,
    /// Rounds to an integral value.
    FpRoundToIntegral(Round),
    /// Converts to another format, to the nearest even.
    FpToFp(FloatSort),
    /// A signed number as a float, to the nearest even.
    FpFromSbv(FloatSort),
    /// An unsigned number as a float, to the nearest even.
    FpFromUbv(FloatSort),
    /// Truncates to a signed number of that width; the least number where it does not fit.
    FpToSbv(u8),
    /// Truncates to an unsigned number of that width; all ones where it does not fit.
    FpToUbv(u8),
    /// The bits of the interchange format; a NaN gives those of [`FloatSort::nan`].
    FpToBits,
    /// The float with these bits.
    FpFromBits(FloatSort),
    /// Negation of an integer.
    IntNeg,
    /// An unsigned bit-vector as an integer.
    IntFromUbv,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinOp {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Equality of two terms of one sort (for floats: the same value, so NaN = NaN and +0 ≠ -0; see `FpEq`).
    Eq,
    /// Sum modulo 2^width.
    BvAdd,
    /// Difference modulo 2^width.
    BvSub,
    /// Product modulo 2^width.
    BvMul,
    /// Unsigned quotient; all ones for a zero divisor.
    BvUdiv,
    /// Signed quotient, truncated; by zero -1, or 1 for a negative dividend.
    BvSdiv,
    /// Unsigned remainder; the dividend for a zero divisor.
    BvUrem,
    /// Signed remainder with the dividend's sign; the dividend for a zero divisor.
    BvSrem,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Shift left; zero when the distance is at least the width.
    BvShl,
    /// Logical shift right; zero when the distance is at least the width.
    BvLshr,
    /// Arithmetic shift right.
    BvAshr,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned less than or equal.
    BvUle,
    /// Signed less than.
    BvSlt,
    /// Signed less than or equal.
    BvSle,
    /// The first argument's bits in front of the second's.
    Concat,
    /// Element of an array.
    Select,
    /// Sum, to the nearest even.
    FpAdd,
    /// Difference, to the nearest even.
    FpSub,
    /// Product, to the nearest even.
    FpMul,
    /// Quotient, to the nearest even.
    FpDiv,
    /// IEEE remainder (C's `remainder`, not `fmod`).
    FpRem,
    /// IEEE equality: NaN differs from everything, zeros are equal.
    FpEq,
    /// IEEE less than.
    FpLt,
    /// IEEE less than or equal.
    FpLe,
    /// Sum of integers.
    IntAdd,
    /// Product of integers.
    IntMul,
    /// Less than or equal on integers.
    IntLe,
    /// Less than on integers.
    IntLt,
}

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Truth constant.
    Bool(bool),
    /// Bit-vector constant.
    Bv {
        /// Its width.
        width: u32,
        /// Its bits; those above `width` are zero.
        value: u128,
    },
    /// Float constant; every NaN is [`FloatSort::nan`].
    Float {
        /// Its format.
        sort: FloatSort,
        /// Its bits.
        bits: u128,
    },
    /// Integer constant.
    Int(i128),
    /// Variable.
    Var {
        /// Its number.
        id: VarId,
        /// Its sort.
        sort: Sort,
    },
    /// One argument.
    Un(UnOp, TermId),
    /// Two arguments.
    Bin(BinOp, TermId, TermId),
    /// Condition, then, else.
    Ite(TermId, TermId, TermId),
    /// Array, index, element.
    Store(TermId, TermId, TermId),
    /// The array with an index of that width that has one element everywhere.
    ConstArray(u32, TermId),
}

/// How a variable is called.
#[derive(Clone, Copy)]
struct VarName {
    /// Index into `Terms::names`.
    name: u32,
    /// Number of a fresh variable.
    number: Option<u32>,
}

/// An arena of terms.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    table: HashTable<u32>,
    vars: Vec<VarName>,
    names: Vec<Name>,
    name_ids: FxHashMap<Name, u32>,
    named_vars: FxHashMap<(u32, Sort), TermId>,
    fresh: u32,
    /// For each term: 1 for a scalar constant, the number of leaves of a tree of if-then-elses with constant leaves
    /// (at most 255), 0 for other terms.
    const_leaves: Vec<u8>,
    /// For each term, if it is a bit-vector.
    bounds: Vec<bounds::Bounds>,
    congruences: Vec<Congruence>,
    /// How deep simplifications that call other constructors are nested.
    pub(crate) depth: u32,
    /// Rules that the outermost constructor has taken so far.
    pub(crate) rules: u32,
    /// How often terms were looked up since [`Terms::effort`] was asked.
    looked_up: u32,
}

/// What it takes to look a term up, and how many a step of an exploration does in passing.
const LOOK_UP: Effort = Effort::thousandths(200);
const USUAL: u32 = 500;

const FALSE: TermId = TermId(0);
const TRUE: TermId = TermId(1);

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An arena with `true` and `false` only.
    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            sorts: Vec::new(),
            table: HashTable::new(),
            vars: Vec::new(),
            names: Vec::new(),
            name_ids: FxHashMap::default(),
            named_vars: FxHashMap::default(),
            fresh: 0,
            const_leaves: Vec::new(),
            bounds: Vec::new(),
            congruences: Vec::new(),
            depth: 0,
            rules: 0,
            looked_up: 0,
        };
        let f = terms.intern(Node::Bool(false), Sort::Bool);
        let t = terms.intern(Node::Bool(true), Sort::Bool);
        debug_assert!(f == FALSE && t == TRUE);
        terms
    }

    /// What `t` is.
    #[inline]
    pub fn node(&self, t: TermId) -> Node {
        self.nodes[t.index()]
    }

    /// Sort of `t`.
    #[inline]
    pub fn sort(&self, t: TermId) -> Sort {
        self.sorts[t.index()]
    }

    /// Width of a bit-vector term.
    #[inline]
    #[track_caller]
    pub fn width(&self, t: TermId) -> u32 {
        self.sort(t).width()
    }

    /// Children of `t`.
    #[inline]
    pub fn children(&self, t: TermId) -> Children {
        self.node(t).children()
    }

    /// Whether `t` is a constant of a scalar sort.
    #[inline]
    pub fn is_const(&self, t: TermId) -> bool {
        self.nodes[t.index()].is_const()
    }

    /// Number of leaves of a tree of if-then-elses whose leaves are constants (saturating); 0 for other terms.
    #[inline]
    pub(crate) fn const_leaves(&self, t: TermId) -> u32 {
        u32::from(self.const_leaves[t.index()])
    }

    /// `true`.
    #[inline]
    pub fn tru(&self) -> TermId {
        TRUE
    }

    /// `false`.
    #[inline]
    pub fn fals(&self) -> TermId {
        FALSE
    }

    /// A truth constant.
    #[inline]
    pub fn bool_const(&self, value: bool) -> TermId {
        if value { TRUE } else { FALSE }
    }

    /// A bit-vector constant; bits of `value` above `width` are dropped.
    #[track_caller]
    pub fn bv(&mut self, width: u32, value: u128) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} of a bit-vector");
        self.intern(Node::Bv { width, value: value & mask(width) }, Sort::BitVec(width))
    }

    /// A bit-vector constant from a signed number, modulo 2^width.
    #[track_caller]
    pub fn bv_signed(&mut self, width: u32, value: i128) -> TermId {
        self.bv(width, value as u128)
    }

    /// A float constant from the bits of its interchange format.
    pub fn fp_const(&mut self, bits: u128, sort: FloatSort) -> TermId {
        let bits = sort.canonical(bits & mask(sort.width()));
        self.intern(Node::Float { sort, bits }, Sort::Float(sort))
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> TermId {
        self.intern(Node::Int(value), Sort::Int)
    }

    /// The variable with that name and sort; the same one each time.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        let name = self.name_id(name);
        if let Some(&t) = self.named_vars.get(&(name, sort)) {
            return t;
        }
        let t = self.new_var(VarName { name, number: None }, sort);
        self.named_vars.insert((name, sort), t);
        t
    }

    /// A variable that differs from all others; it is called `prefix!number`.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> TermId {
        let name = self.name_id(prefix);
        self.fresh += 1;
        self.new_var(VarName { name, number: Some(self.fresh) }, sort)
    }

    fn new_var(&mut self, name: VarName, sort: Sort) -> TermId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(name);
        self.intern(Node::Var { id, sort }, sort)
    }

    fn name_id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let id = self.names.len() as u32;
        let name: Name = name.into();
        self.names.push(name.clone());
        self.name_ids.insert(name, id);
        id
    }

    /// A node with one argument as it is.
    #[track_caller]
    pub fn raw_un(&mut self, op: UnOp, a: TermId) -> TermId {
        let sort = self.un_sort(op, a);
        self.intern(Node::Un(op, a), sort)
    }

    /// A node with two arguments as it is.
    #[track_caller]
    pub fn raw_bin(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let sort = self.bin_sort(op, a, b);
        self.intern(Node::Bin(op, a, b), sort)
    }

    /// An if-then-else as it is.
    #[track_caller]
    pub fn raw_ite(&mut self, cond: TermId, then: TermId, els: TermId) -> TermId {
        assert_eq!(self.sort(cond), Sort::Bool, "condition of an if-then-else");
        let sort = self.sort(then);
        assert_eq!(sort, self.sort(els), "branches of an if-then-else");
        self.intern(Node::Ite(cond, then, els), sort)
    }

    /// A store as it is.
    #[track_caller]
    pub fn raw_store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let sort = self.sort(array);
        let Sort::Array { index: width, elem } = sort else { panic!("store to a term of sort {sort}") };
        assert_eq!(self.sort(index), Sort::BitVec(width), "index of a store");
        assert_eq!(self.sort(value), elem.into(), "element of a store");
        self.intern(Node::Store(array, index, value), sort)
    }

    /// A constant array as it is.
    #[track_caller]
    pub fn raw_const_array(&mut self, index: u32, value: TermId) -> TermId {
        let sort = self.sort(value);
        let Some(elem) = sort.as_elem() else { panic!("array of {sort}") };
        self.intern(Node::ConstArray(index, value), Sort::Array { index, elem })
    }

    /// What was computed since this was asked last, beyond what a step of an exploration computes in passing: where branches with thousands of
    /// cells meet, for instance.
    pub fn effort(&mut self) -> Effort {
        LOOK_UP * std::mem::take(&mut self.looked_up).saturating_sub(USUAL)
    }

    fn intern(&mut self, node: Node, sort: Sort) -> TermId {
        self.looked_up = self.looked_up.saturating_add(1);
        let hash = FxBuildHasher.hash_one(node);
        let nodes = &self.nodes;
        if let Some(&id) = self.table.find(hash, |&id| nodes[id as usize] == node) {
            return TermId(id);
        }
        let id = u32::try_from(nodes.len()).expect("fewer than 2^32 terms");
        self.table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(nodes[id as usize]));
        let leaves = match node {
            Node::Ite(_, a, b) => match (self.const_leaves[a.index()], self.const_leaves[b.index()]) {
                (0, _) | (_, 0) => 0,
                (a, b) => a.saturating_add(b),
            },
            _ => u8::from(node.is_const()),
        };
        self.const_leaves.push(leaves);
        self.bounds.push(self.bounds_of(node, sort));
        self.congruences.push(self.congruence_of(node, sort));
        self.nodes.push(node);
        self.sorts.push(sort);
        TermId(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_small_and_shared() {
        assert!(size_of::<Node>() <= 32);
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        assert_eq!(terms.var("x", Sort::BitVec(8)), x);
        assert_ne!(terms.var("x", Sort::BitVec(16)), x);
        assert_ne!(terms.fresh_var("x", Sort::BitVec(8)), x);
        let one = terms.bv(8, 257);
        assert_eq!(terms.as_bv_const(one), Some(1));
        let sum = terms.raw_bin(BinOp::BvAdd, x, one);
        assert_eq!(terms.raw_bin(BinOp::BvAdd, x, one), sum);
        assert_eq!(terms.size(sum), 3);
        assert_eq!(terms.children(sum).to_vec(), [x, one]);
        assert_eq!(terms.sort(sum), Sort::BitVec(8));
    }
}
