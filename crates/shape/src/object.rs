//! Objects of a graph: fields, and nodes of lists.

use crate::value::{Address, Guards, ObjectId, Side, Val};
use base::ByteOrder;
use cfa::{Scalar, Value, VarId};
use domains::numerical::Num;
use std::collections::{BTreeMap, BTreeSet};
use step::StackId;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A variable in memory; globals belong to the stack of the start function.
    Variable(StackId, VarId),
    /// What `alloca` makes: it ends with its frame.
    Frame(StackId),
    /// A block of the heap.
    Heap,
}

/// How many nodes a list may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lengths(u8);

impl Lengths {
    /// No node: what leads to the list leads to what follows it.
    pub const EMPTY: Lengths = Lengths(1);
    /// One.
    pub const ONE: Lengths = Lengths(2);
    /// Two or more.
    pub const MORE: Lengths = Lengths(4);

    /// Those of both.
    pub fn or(self, other: Lengths) -> Lengths {
        Lengths(self.0 | other.0)
    }

    /// These without some; `None` if there is none left.
    pub fn without(self, other: Lengths) -> Option<Lengths> {
        let left = self.0 & !other.0;
        (left != 0).then_some(Lengths(left))
    }

    /// Whether these are among them.
    pub fn has(self, other: Lengths) -> bool {
        self.0 & other.0 == other.0
    }
}

/// How the nodes of a list segment hang together: each has the size and the fields of the object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Segment {
    /// Where a node has the address of the next one. The field of the segment is that of its last node.
    pub next: i64,
    /// Where a node has the address of the one before. The field of the segment is that of its first node.
    pub prev: Option<i64>,
    /// To which offset of a node these addresses lead.
    pub entry: i64,
    /// Nodes of trees have a second child there. In a path, that is what each node has beside it; a node may have both the other way round.
    pub branch: Option<i64>,
    /// Whether it stands for all nodes of a tree, and not for a path. Then no field is where nodes have children: these are null, or lead to
    /// more nodes, each to one of its own.
    pub is_whole: bool,
}

impl Segment {
    /// A list.
    pub fn list(next: i64, prev: Option<i64>, entry: i64) -> Self {
        Self { next, prev, entry, branch: None, is_whole: false }
    }

    /// Where its nodes have what leads to each other.
    pub fn links(self) -> BTreeSet<i64> {
        let branch = self.branch.filter(|_| self.is_whole);
        [Some(self.next), self.prev, branch].into_iter().flatten().collect()
    }

    /// Those of the links that lead out of it.
    pub fn outward(self) -> BTreeSet<i64> {
        let next = Some(self.next).filter(|_| !self.is_whole);
        [next, self.prev].into_iter().flatten().collect()
    }
}

/// A scalar in an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its type.
    pub ty: Scalar,
    /// Its value.
    pub val: Val,
}

/// An object, or a segment of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Bytes.
    pub size: Num,
    /// How the bytes of fields lie in it.
    pub byte_order: ByteOrder,
    /// Whether it has not ended.
    pub alive: bool,
    /// Fields by their offset, without overlap. In a segment, a symbol stands for a value of its own in each node.
    pub fields: BTreeMap<i64, Field>,
    /// Ranges of bytes that are zero where no field is, ascending.
    pub zeros: Vec<(i64, i64)>,
    /// Set if it stands for nodes of a list.
    pub segment: Option<Segment>,
    /// The register that got its address first. Nodes that differ a lot are only taken for nodes of one list if that is the same.
    pub origin: Option<(StackId, VarId)>,
    /// How many: one, if it is no list, and at least one for lists that do not belong to nodes.
    pub lengths: Lengths,
    /// The segment of which each node has such an object for itself. As in segments, a symbol stands for a value of its own in each.
    pub owner: Option<ObjectId>,
    /// Where a node leads that lacks this block: into itself, its owner; null, if it is not said. Lists have what follows them.
    pub absent: Option<Address>,
    /// What its owner's fields tell of whether a node has it.
    pub guards: Guards,
    /// The node that it belonged to, until it is known whether that has it.
    pub of: Option<ObjectId>,
}

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// A field, or bits.
    Field(Field),
    /// No field is there, and any bits are.
    Fresh,
    /// Parts of fields.
    Parts,
}

impl Object {
    /// An object without any field.
    pub fn new(kind: Kind, size: Num, byte_order: ByteOrder) -> Self {
        Self {
            kind,
            size,
            byte_order,
            alive: true,
            fields: BTreeMap::new(),
            zeros: Vec::new(),
            segment: None,
            origin: None,
            lengths: Lengths::ONE,
            owner: None,
            absent: None,
            guards: Guards::new(),
            of: None,
        }
    }

    /// Whether it is one object that belongs to no other, leads nowhere and holds no symbol: in graphs with equal ones, it is the same.
    pub fn is_plain(&self) -> bool {
        let is_alone = self.segment.is_none() && self.owner.is_none() && self.absent.is_none() && self.of.is_none();
        is_alone
            && self.lengths == Lengths::ONE
            && self.guards.is_empty()
            && self.fields.values().all(|field| matches!(field.val, Val::Bits(_) | Val::Function(_)))
    }

    /// Ends its life.
    pub fn end(&mut self) {
        self.alive = false;
        self.fields.clear();
        self.zeros.clear();
    }

    /// Offsets of the fields that share a byte with a range.
    pub fn overlapping(&self, from: i64, to: i64, pointer_bits: u32) -> Vec<i64> {
        let ends = |(at, field): (&i64, &Field)| at + i64::from(field.ty.access_bytes(pointer_bits)) > from;
        // No scalar has more than 16 bytes.
        self.fields.range(from.saturating_sub(16)..to).filter(|entry| ends(*entry)).map(|(at, _)| *at).collect()
    }

    /// Whether all bytes of a range are zero where no field is.
    pub fn is_zero(&self, from: i64, to: i64) -> bool {
        self.zeros.iter().any(|(lo, hi)| *lo <= from && to <= *hi)
    }

    /// The ranges that are zero and no field.
    pub fn zero_gaps(&self, pointer_bits: u32) -> Vec<(i64, i64)> {
        let mut gaps = Vec::new();
        for (lo, hi) in &self.zeros {
            let mut from = *lo;
            for (at, field) in self.fields.range(*lo..*hi) {
                gaps.push((from, *at));
                from = *at + i64::from(field.ty.access_bytes(pointer_bits));
            }
            gaps.push((from, *hi));
        }
        gaps.retain(|(from, to)| from < to);
        gaps
    }

    /// Whether all bytes of a range are zero for sure.
    pub fn holds_zero(&self, from: i64, to: i64, pointer_bits: u32) -> bool {
        let mut at = from;
        for start in self.overlapping(from, to, pointer_bits) {
            let field = self.fields[&start];
            if field.val != Val::ZERO || at < start && !self.is_zero(at, start) {
                return false;
            }
            at = start + i64::from(field.ty.access_bytes(pointer_bits));
        }
        at >= to || self.is_zero(at, to)
    }

    /// Reads bytes as a scalar.
    pub fn read(&self, at: i64, ty: Scalar, pointer_bits: u32) -> Read {
        let bytes = i64::from(ty.access_bytes(pointer_bits));
        let found = self.overlapping(at, at + bytes, pointer_bits);
        if let [first] = found[..]
            && first == at
            && i64::from(self.fields[&first].ty.access_bytes(pointer_bits)) == bytes
        {
            return Read::Field(self.fields[&first]);
        }
        match self.bits(at, bytes, &found, pointer_bits) {
            Some(all) => {
                let val = Val::Bits(Value::truncated(all, ty.bits(pointer_bits)));
                Read::Field(Field { ty, val })
            }
            None if found.is_empty() => Read::Fresh,
            None => Read::Parts,
        }
    }

    /// The bits of some bytes, if they are known.
    fn bits(&self, at: i64, bytes: i64, fields: &[i64], pointer_bits: u32) -> Option<u128> {
        let mut all = 0;
        for byte in at..at + bytes {
            let covers = |start: &&i64| {
                (**start..**start + i64::from(self.fields[*start].ty.access_bytes(pointer_bits))).contains(&byte)
            };
            let part = match fields.iter().find(covers) {
                None if self.is_zero(byte, byte + 1) => 0,
                None => return None,
                Some(start) => match self.fields[start].val {
                    Val::Bits(Value(value)) => {
                        let len = self.fields[start].ty.access_bytes(pointer_bits);
                        value >> self.byte_order.shift(len, (byte - start) as u32, 1) & 0xff
                    }
                    _ => return None,
                },
            };
            all |= part << self.byte_order.shift(bytes as u32, (byte - at) as u32, 1);
        }
        Some(all)
    }

    /// Forgets what a range of bytes holds.
    pub fn forget(&mut self, from: i64, to: i64, pointer_bits: u32) {
        for at in self.overlapping(from, to, pointer_bits) {
            self.fields.remove(&at);
        }
        let cut = |(lo, hi): (i64, i64)| [(lo, hi.min(from)), (lo.max(to), hi)].into_iter().filter(|(lo, hi)| lo < hi);
        if self.zeros.iter().any(|(lo, hi)| *lo < to && from < *hi) {
            self.zeros = self.zeros.iter().copied().flat_map(cut).collect();
        }
    }

    /// Writes a scalar. Zeros are no fields, unless they are pointers, which tell where lists end.
    pub fn write(&mut self, at: i64, field: Field, pointer_bits: u32) {
        let end = at + i64::from(field.ty.access_bytes(pointer_bits));
        if field.val == Val::ZERO && field.ty != Scalar::Ptr {
            return self.clear(at, end, pointer_bits);
        }
        self.forget(at, end, pointer_bits);
        self.fields.insert(at, field);
    }

    /// The pointer at an offset, if it is known.
    pub fn pointer(&self, at: i64, pointer_bits: u32) -> Option<Field> {
        match self.read(at, Scalar::Ptr, pointer_bits) {
            Read::Field(field) if field.ty == Scalar::Ptr => Some(field),
            _ => None,
        }
    }

    /// Whether one has a pointer where the other one has none.
    pub fn is_of_other_type(&self, other: &Object, pointer_bits: u32) -> bool {
        self.fields.iter().any(|(at, field)| {
            let end = *at + i64::from(field.ty.access_bytes(pointer_bits));
            let others = other.overlapping(*at, end, pointer_bits).into_iter().map(|at| other.fields[&at].ty);
            others.into_iter().any(|ty| (ty == Scalar::Ptr) != (field.ty == Scalar::Ptr))
        })
    }

    /// It is no more something that a node may lack.
    pub fn is_there(&mut self) {
        (self.absent, self.of) = (None, None);
        self.guards.clear();
    }

    /// Becomes a segment, or none.
    pub fn set_segment(&mut self, segment: Option<Segment>, pointer_bits: u32) {
        self.segment = segment;
        let Some(segment) = segment.filter(|segment| segment.is_whole) else { return };
        self.lengths = self.lengths.or(Lengths::ONE).or(Lengths::MORE);
        for at in [Some(segment.next), segment.branch].into_iter().flatten() {
            self.forget(at, at + i64::from(pointer_bits / 8), pointer_bits);
        }
    }

    /// Whether a single object is a node of a segment: nodes of trees may have children, which it must not have.
    pub fn is_node_of(&self, segment: Segment, pointer_bits: u32) -> bool {
        let is_null = |at: i64| self.pointer(at, pointer_bits).is_some_and(|field| field.val == Val::ZERO);
        !segment.is_whole || is_null(segment.next) && segment.branch.is_none_or(is_null)
    }

    /// What stands in place of an address of an object where a node has none: what comes behind or before a list, or where nodes lead
    /// that lack a block.
    pub fn missing(&self, side: Side, pointer_bits: u32) -> Val {
        let list = self.segment.filter(|segment| !segment.is_whole);
        let Some(segment) = list else { return self.absent.map_or(Val::ZERO, Val::Address) };
        let link = if side == Side::Last { segment.prev } else { Some(segment.next) };
        let field = link.and_then(|at| self.pointer(at, pointer_bits));
        field.map_or(Val::ZERO, |field| field.val)
    }

    /// Whether the same stands in its place if it is taken for another one.
    pub fn is_missing_as(&self, other: &Object, pointer_bits: u32) -> bool {
        let of = |object: &Object| object.absent.map(|absent| (absent.side, absent.offset));
        !self.lengths.has(Lengths::EMPTY)
            || of(self) == of(other)
                && (self.segment == other.segment || other.missing(Side::First, pointer_bits) == Val::ZERO)
    }

    /// The ranges that are zero in both, where no field is.
    pub fn common_zeros(&self, other: &Object) -> Vec<(i64, i64)> {
        let pairs = self.zeros.iter().flat_map(|x| other.zeros.iter().map(move |y| (x, y)));
        let common = pairs.map(|(x, y)| (x.0.max(y.0), x.1.min(y.1)));
        common.filter(|(lo, hi)| lo < hi).collect()
    }

    /// Makes a range of bytes zero.
    pub fn clear(&mut self, from: i64, to: i64, pointer_bits: u32) {
        self.forget(from, to, pointer_bits);
        let (mut from, mut to) = (from, to);
        self.zeros.retain(|(lo, hi)| {
            let touches = *lo <= to && from <= *hi;
            if touches {
                (from, to) = (from.min(*lo), to.max(*hi));
            }
            !touches
        });
        let place = self.zeros.partition_point(|(lo, _)| *lo < from);
        self.zeros.insert(place, (from, to));
    }

    /// The addresses in its fields.
    pub fn addresses(&self) -> impl Iterator<Item = (i64, Address)> + '_ {
        self.fields.iter().filter_map(|(at, field)| Some((*at, field.val.address()?)))
    }

    /// Whether all bytes of an access lie in it for sure.
    pub fn contains(&self, lo: i128, hi: i128, len: i128) -> bool {
        0 <= lo && hi + len <= self.size.lo
    }
}
