//! Two nodes become one that is like both, with what belongs to each of them [dudka13, Sect. 5].
//!
//! What only one of them has may be missing in the other one, which then has in its place what follows a list, null, or its own address.

use crate::graph::{Graph, Referrers};
use crate::object::{Field, Kind, Lengths, Object, Read, Segment};
use crate::value::{Address, Fact, Guard, Guards, ObjectId, Side, Val};
use cfa::Scalar;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes that are joined, from the outermost list to the innermost one.
pub struct Level {
    /// One of them.
    pub x: ObjectId,
    /// The other one.
    pub y: ObjectId,
    /// What they become.
    pub z: ObjectId,
    /// What belongs to `x`.
    pub left: BTreeSet<ObjectId>,
    /// What belongs to `y`.
    pub right: BTreeSet<ObjectId>,
    /// Whether an object is joined that belongs to a level further out: all nodes of this one share it, so that it leads to nothing of theirs.
    pub is_inner: bool,
}

/// What two objects became.
#[derive(Clone, Copy)]
pub struct Paired {
    z: ObjectId,
    /// What it belongs to a node of.
    owner: ObjectId,
}

impl Level {
    fn node(&self, is_left: bool) -> ObjectId {
        if is_left { self.x } else { self.y }
    }

    fn own(&self, is_left: bool) -> &BTreeSet<ObjectId> {
        if is_left { &self.left } else { &self.right }
    }
}

/// Two nodes become one that is like both.
pub struct Joining<'g> {
    /// The graph that has both.
    pub graph: &'g mut Graph,
    /// Whether nothing may be missing in what they become that is there in one of them.
    pub is_watched: bool,
    /// As they were before.
    pub referrers: &'g Referrers,
    /// What became of objects that belong to the nodes.
    pub made: Vec<(ObjectId, Object)>,
    /// What objects of both became.
    pub pairs: BTreeMap<(ObjectId, ObjectId), Paired>,
    /// Nodes that are being joined.
    pub levels: Vec<Level>,
    /// Set while something is copied that only one of the nodes has: whether that is the left one.
    pub alone: Option<bool>,
}

impl Joining<'_> {
    /// An object with the fields of two, but for some. `None` if there is none that is like both.
    pub fn node(&mut self, x: ObjectId, y: ObjectId, links: &BTreeSet<i64>) -> Option<Object> {
        let (front, back) = (self.graph.objects[&x].clone(), self.graph.objects[&y].clone());
        let pointer_bits = self.graph.pointer_bits;
        if (front.origin.is_none() || front.origin != back.origin) && front.is_of_other_type(&back, pointer_bits) {
            return None;
        }
        let mut object = Object::new(Kind::Heap, front.size, front.byte_order);
        object.origin = front.origin.filter(|_| front.origin == back.origin);
        // Trees stay trees, whoever made their nodes.
        if [&front, &back].into_iter().any(|node| node.segment.is_some_and(|segment| segment.branch.is_some())) {
            object.origin = front.origin.or(back.origin);
        }
        for (lo, hi) in front.common_zeros(&back) {
            object.clear(lo, hi, pointer_bits);
        }
        let offsets: BTreeSet<i64> = front.fields.keys().chain(back.fields.keys()).copied().collect();
        for at in offsets.difference(links) {
            let ty = front.fields.get(at).or_else(|| back.fields.get(at))?.ty;
            let (x, y) = (front.read(*at, ty, pointer_bits), back.read(*at, ty, pointer_bits));
            let loses = |read| matches!(read, Read::Field(field) if self.graph.leads_to(field.val).is_some());
            match (x, y) {
                (Read::Field(x), Read::Field(y)) => {
                    let val = self.either(x, y, ty)?;
                    object.write(*at, Field { ty, val }, pointer_bits);
                }
                (x, y) if loses(x) || loses(y) => return None,
                // A pointer where the other one has none: they are of two types.
                _ if ty == Scalar::Ptr && (front.origin.is_none() || front.origin != back.origin) => return None,
                _ => object.forget(*at, *at + i64::from(ty.access_bytes(pointer_bits)), pointer_bits),
            }
        }
        Some(object)
    }

    /// A value for each node that is one of two.
    fn either(&mut self, x: Field, y: Field, ty: Scalar) -> Option<Val> {
        if let (Val::Address(one), Val::Address(two)) = (x.val, y.val) {
            if let Some(is_left) = self.alone {
                return self.lone(one, is_left);
            }
            if let Some(val) = self.attempt(|this| this.address(one, two)) {
                return Some(val);
            }
        }
        for (val, other, is_left) in [(x.val, y.val, true), (y.val, x.val, false)] {
            if let Val::Address(address) = val
                && let Some(val) = self.attempt(|this| this.or_empty(address, other, is_left))
            {
                return Some(val);
            }
        }
        if self.graph.leads_to(x.val).is_some() || self.graph.leads_to(y.val).is_some() {
            return None;
        }
        let fresh = |val: Val| matches!(val, Val::Unknown(_));
        if x.val == y.val && !fresh(x.val) {
            return Some(x.val);
        }
        if ty != Scalar::Ptr
            && x.ty == y.ty
            && let (Some(n), Some(m)) = (self.graph.numbers(x.val, x.ty), self.graph.numbers(y.val, y.ty))
        {
            return Some(self.graph.number(n.join(m), ty));
        }
        let nonzero = self.graph.is_nonzero(x.val) && self.graph.is_nonzero(y.val);
        Some(self.graph.symbol(Fact::Any { nonzero }))
    }

    /// Does something, or leaves all as it was.
    fn attempt(&mut self, f: impl FnOnce(&mut Self) -> Option<Val>) -> Option<Val> {
        let (made, pairs, alone) = (self.made.len(), self.pairs.clone(), self.alone);
        let val = f(self);
        if val.is_none() {
            self.made.truncate(made);
            (self.pairs, self.alone) = (pairs, alone);
        }
        val
    }

    /// The levels to which something may belong that the object leads to that is being joined, from the innermost one.
    fn open(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().rev().filter(|level| !level.is_inner)
    }

    /// What two objects became, if what is being joined may lead there.
    fn known(&self, paired: Paired) -> Option<ObjectId> {
        self.open().any(|level| level.z == paired.owner).then_some(paired.z)
    }

    /// The address of one of the nodes for itself, in what they become.
    fn own(&self, address: Address, is_left: bool) -> Option<Address> {
        let node_side = |id| if self.graph.object(id).segment.is_some() { Side::Own } else { Side::First };
        let is_own =
            |level: &&Level| level.node(is_left) == address.object && address.side == node_side(address.object);
        let level = self.open().find(is_own)?;
        Some(Address { object: level.z, side: Side::Own, ..address })
    }

    /// What an object became that belongs to one of the nodes.
    fn partner(&self, id: ObjectId, is_left: bool) -> Option<ObjectId> {
        let is_it = |(x, y): &(ObjectId, ObjectId)| if is_left { *x == id } else { *y == id };
        self.pairs.iter().find(|(pair, _)| is_it(pair)).and_then(|(_, paired)| self.known(*paired))
    }

    /// A value of one of the nodes in what they become, if that is known.
    fn resolve(&self, val: Val, is_left: bool) -> Option<Val> {
        let Val::Address(address) = val else { return Some(val) };
        if let Some(own) = self.own(address, is_left) {
            return Some(Val::Address(own));
        }
        if let Some(z) = self.partner(address.object, is_left) {
            return Some(Val::Address(Address { object: z, ..address }));
        }
        let is_near =
            |level: &Level| level.node(is_left) == address.object || level.own(is_left).contains(&address.object);
        (!self.levels.iter().any(is_near)).then_some(val)
    }

    /// An address in something that only one of the nodes has.
    fn lone(&mut self, address: Address, is_left: bool) -> Option<Val> {
        if let Some(val) = self.resolve(Val::Address(address), is_left) {
            return Some(val);
        }
        let owner = self.open().find(|level| level.own(is_left).contains(&address.object))?.z;
        let z = self.pair(address.object, address.object, owner, None)?;
        Some(Val::Address(Address { object: z, ..address }))
    }

    fn address(&mut self, one: Address, two: Address) -> Option<Val> {
        if one.offset != two.offset {
            return None;
        }
        if let (Some(own), Some(other)) = (self.own(one, true), self.own(two, false))
            && own == other
        {
            return Some(Val::Address(own));
        }
        let belongs = self.open().find(|level| level.left.contains(&one.object) && level.right.contains(&two.object));
        let Some(owner) = belongs.map(|level| level.z) else {
            let is_left = |level: &Level| level.left.contains(&one.object) || level.right.contains(&two.object);
            return (one == two && !self.levels.iter().any(is_left)).then_some(Val::Address(one));
        };
        // A list with one node begins and ends there.
        let is_list = |id| self.graph.object(id).segment.is_some();
        let side = match (is_list(one.object), is_list(two.object)) {
            (true, false) => one.side,
            (false, true) => two.side,
            _ if one.side == two.side => one.side,
            _ => return None,
        };
        let object = match self.pairs.get(&(one.object, two.object)) {
            Some(known) => self.known(*known)?,
            None => self.pair(one.object, two.object, owner, None)?,
        };
        Some(Val::Address(Address { object, side, offset: one.offset }))
    }

    /// What objects become that belong to nodes.
    fn pair(&mut self, p: ObjectId, q: ObjectId, owner: ObjectId, list: Option<Segment>) -> Option<ObjectId> {
        if self.pairs.keys().any(|(x, y)| *x == p || *y == q) {
            return None;
        }
        let (one, two) = (self.graph.object(p).clone(), self.graph.object(q).clone());
        let alike = one.kind == Kind::Heap && two.kind == Kind::Heap && one.alive == two.alive && one.size == two.size;
        let segment = match (one.segment, two.segment) {
            (Some(one), Some(two)) if one != two => return None,
            (one, two) => one.or(two).or(list),
        };
        let is_node = |object: &Object| {
            object.segment.is_some()
                || segment.is_none_or(|segment| object.is_node_of(segment, self.graph.pointer_bits))
        };
        if !alike || !is_node(&one) || !is_node(&two) {
            return None;
        }
        let z = self.graph.new_object();
        self.pairs.insert((p, q), Paired { z, owner });
        let around: Vec<bool> = self.levels.iter().map(|level| level.is_inner).collect();
        let of_owner = self.levels.iter().position(|level| level.z == owner)?;
        self.levels[of_owner + 1..].iter_mut().for_each(|level| level.is_inner = true);
        let object = self.fields((p, q), z, segment);
        self.levels.iter_mut().zip(around).for_each(|(level, was)| level.is_inner = was);
        let mut object = object?;
        (object.lengths, object.owner, object.alive) = (one.lengths.or(two.lengths), Some(owner), one.alive);
        let bits = self.graph.pointer_bits;
        object.set_segment(segment, bits);
        let absent = one.absent.or(two.absent);
        object.absent = absent.map(|absent| Address { object: owner, ..absent });
        if object.lengths.has(Lengths::EMPTY) && self.alone.is_none() {
            object.guards = self.guards(&one, &two, owner);
        }
        let is_missing = |old: &Object| old.is_missing_as(&object, bits);
        if !is_missing(&one) || !is_missing(&two) {
            return None;
        }
        self.made.push((z, object));
        Some(z)
    }

    /// The fields of what objects become that belong to nodes.
    fn fields(&mut self, (p, q): (ObjectId, ObjectId), z: ObjectId, segment: Option<Segment>) -> Option<Object> {
        let Some(segment) = segment else { return self.node(p, q, &BTreeSet::new()) };
        let links = segment.links();
        let of = |id| self.graph.private(self.referrers, id, &links);
        let (left, right) = (of(p), of(q));
        self.levels.push(Level { x: p, y: q, z, left, right, is_inner: false });
        let object = self.node(p, q, &links);
        self.levels.pop();
        let mut object = object?;
        // The links lead out of the list.
        let bits = self.graph.pointer_bits;
        for at in segment.outward() {
            let (x, y) = (self.graph.object(p).pointer(at, bits)?, self.graph.object(q).pointer(at, bits)?);
            let val = self.either(x, y, x.ty)?;
            object.write(at, Field { ty: x.ty, val }, bits);
        }
        Some(object)
    }

    /// A list, or a block, that belongs to one of the nodes only; the other one has what follows it, null, or its own address.
    fn or_empty(&mut self, address: Address, other: Val, is_left: bool) -> Option<Val> {
        if self.is_watched {
            return None;
        }
        let id = address.object;
        let level = self.open().find(|level| level.own(is_left).contains(&id))?;
        let owner = level.z;
        let rest = self.resolve(other, !is_left)?;
        let bits = self.graph.pointer_bits;
        if let Some(paired) = self.pairs.get(&(id, id)).copied() {
            let z = self.known(paired)?;
            // The other end of a list, or one more address of a block.
            let (_, made) = self.made.iter().find(|(made, _)| *made == z)?;
            // The one node of a ring is its first one and its last one: it is met twice.
            let is_ring =
                self.graph.object(id).segment.is_none() && made.segment.is_some_and(|list| list.prev.is_some());
            let side = if is_ring { Side::Last } else { address.side };
            let is_rest = made.lengths.has(Lengths::EMPTY) && made.missing(side, bits) == rest;
            return is_rest.then_some(Val::Address(Address { object: z, side, ..address }));
        }
        if self.partner(id, true).or(self.partner(id, false)).is_some() {
            return None;
        }
        let object = self.graph.objects[&id].clone();
        let segment = match object.segment {
            Some(segment) => Some(segment),
            None => self.optional(address, rest, is_left)?,
        };
        if segment.is_some_and(|segment| segment.entry != address.offset) {
            return None;
        }
        let is_new = !object.lengths.has(Lengths::EMPTY);
        // A field of each node has to lead to it, so that it is missing in no node that is not asked.
        let is_direct =
            |(by, _): &(Option<(ObjectId, i64)>, Address)| by.is_some_and(|(by, _)| by == level.node(is_left));
        let guards = match self.referrers[&id].iter().any(is_direct) {
            true => self.guards_alone(&object, owner, is_left),
            false => Guards::new(),
        };
        self.alone = Some(is_left);
        let z = self.pair(id, id, owner, segment);
        self.alone = None;
        let z = z?;
        let (_, made) = self.made.iter_mut().find(|(made, _)| *made == z)?;
        (made.lengths, made.guards) = (made.lengths.or(Lengths::EMPTY), guards);
        if let (true, None, Val::Address(rest)) = (is_new, segment, rest) {
            made.absent = (rest.object == owner && rest.side == Side::Own).then_some(rest);
        }
        (made.missing(address.side, bits) == rest).then_some(Val::Address(Address { object: z, ..address }))
    }

    /// What nodes tell of whether they have what two objects become that may be missing.
    fn guards(&self, one: &Object, two: &Object, owner: ObjectId) -> Guards {
        let Some(level) = self.levels.iter().find(|level| level.z == owner) else { return Guards::new() };
        let known = one.guards.iter().chain(&two.guards).map(|(at, guard)| (*at, guard.ty));
        let guard = |(at, ty): (i64, Scalar)| {
            let cases = [self.graph.cases(one, level.x, at, ty)?, self.graph.cases(two, level.y, at, ty)?];
            Some((at, Guard::of(ty, &cases)?))
        };
        known.filter_map(guard).collect()
    }

    /// What nodes tell of whether they have what an object becomes that only one of two has.
    fn guards_alone(&self, object: &Object, owner: ObjectId, is_left: bool) -> Guards {
        let Some(level) = self.levels.iter().find(|level| level.z == owner) else { return Guards::new() };
        let (node, other) = (level.node(is_left), level.node(!is_left));
        let guard = |(at, ty): (i64, Scalar)| {
            let cases = self.graph.cases(object, node, at, ty)?;
            let without = self.graph.number_at(other, at, ty)?;
            Some((at, Guard::of(ty, &[cases, (None, Some(without))])?))
        };
        // Zeros are no fields.
        let both = self.graph.flags(node).into_iter().chain(self.graph.flags(other));
        both.filter_map(guard).collect()
    }

    /// What an object is that only one of the nodes has: a block, as `Some(None)`, or a list of one node; `None` if it can't be missing.
    fn optional(&self, address: Address, rest: Val, is_left: bool) -> Option<Option<Segment>> {
        let id = address.object;
        let level = self.open().find(|level| level.own(is_left).contains(&id))?;
        let origin = |node| self.graph.object(node).origin;
        let are_alike = origin(level.x).is_some() && origin(level.x) == origin(level.y);
        let is_closed = self.is_closed(id, level, is_left);
        if rest == Val::ZERO && are_alike && is_closed {
            return Some(None);
        }
        let object = self.graph.object(id);
        let leads = |field: &Field| field.ty == Scalar::Ptr && self.resolve(field.val, is_left) == Some(rest);
        let mut ends = object.fields.iter().filter(|(_, field)| leads(field)).map(|(at, _)| *at);
        let Some(next) = ends.next() else {
            let is_own = |rest: Address| rest.object == level.z && rest.side == Side::Own;
            return (is_closed && rest.address().is_some_and(is_own)).then_some(None);
        };
        // Rings have two ends that lead to their one node.
        let is_end =
            |(by, _): &&(Option<(ObjectId, i64)>, Address)| by.is_some_and(|(by, _)| by == level.node(is_left));
        let has_two_ends = rest != Val::ZERO && self.referrers[&id].iter().filter(is_end).count() > 1;
        let prev = if has_two_ends { ends.next() } else { None };
        Some(Some(Segment::list(next, prev, address.offset)))
    }

    /// Whether a block leads to nothing but what belongs to its node, and the node itself. Otherwise other nodes would have to share that.
    fn is_closed(&self, id: ObjectId, level: &Level, is_left: bool) -> bool {
        let (mut found, mut waiting) = (BTreeSet::from([id]), vec![id]);
        while let Some(id) = waiting.pop() {
            for val in self.graph.object(id).fields.values().map(|field| field.val) {
                let Some(to) = self.graph.leads_to(val) else { continue };
                if val.address().is_some_and(|to| self.own(to, is_left).is_some_and(|own| own.object == level.z)) {
                    continue;
                }
                if !level.own(is_left).contains(&to.object) {
                    return false;
                }
                if found.insert(to.object) {
                    waiting.push(to.object);
                }
            }
        }
        true
    }
}
