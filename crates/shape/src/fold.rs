//! Neighbours in a list become one segment, with what belongs to each of them.

use crate::graph::{Graph, Referrers};
use crate::object::{Field, Kind, Lengths, Object, Read, Segment};
use crate::value::{Address, Fact, ObjectId, Side, Val};
use cfa::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Graph {
    /// Makes objects that hang together as lists do, and that nothing else leads to, nodes of segments.
    pub fn fold(&mut self) {
        while self.fold_once() {}
    }

    fn fold_once(&mut self) -> bool {
        let referrers = self.referrers();
        let mut pairs = Vec::new();
        for (a, object) in self.objects.iter().filter(|(_, object)| object.owner.is_none() && object.alive) {
            for (next, address) in object.addresses() {
                if let Some(segment) = self.linked(&referrers, *a, next, address) {
                    pairs.push((*a, address.object, segment));
                }
            }
        }
        pairs.into_iter().any(|(a, b, segment)| self.fold_pair(&referrers, (a, b), segment))
    }

    /// Makes two neighbours a segment, if they look alike.
    fn fold_pair(&mut self, referrers: &Referrers, (a, b): (ObjectId, ObjectId), segment: Segment) -> bool {
        let links: BTreeSet<i64> = [Some(segment.next), segment.prev].into_iter().flatten().collect();
        let id = self.new_object();
        let level = Level {
            x: a,
            y: b,
            z: id,
            left: self.private(referrers, a, &links),
            right: self.private(referrers, b, &links),
        };
        let ends = level.left.iter().chain(&level.right).copied().chain([a, b]);
        let gone: BTreeSet<ObjectId> = ends.flat_map(|id| self.owned(id)).collect();
        let mut joining = Joining {
            is_exact: !self.may_differ(a, b, segment),
            graph: self,
            referrers,
            made: Vec::new(),
            pairs: BTreeMap::new(),
            levels: vec![level],
        };
        let Some(mut object) = joining.node(a, b, &links) else { return false };
        let (made, pairs) = (joining.made, joining.pairs);
        // What belonged to the nodes must be in what they became.
        let kept = |id: &ObjectId| [a, b].contains(id) || pairs.keys().any(|(x, y)| x == id || y == id);
        if !gone.iter().all(kept) {
            return false;
        }
        (object.segment, object.lengths) = (Some(segment), Lengths::MORE);
        let next = self.object(b).pointer(segment.next, self.pointer_bits);
        let prev = segment.prev.and_then(|prev| self.object(a).pointer(prev, self.pointer_bits));
        for (at, field) in [(Some(segment.next), next), (segment.prev, prev)] {
            if let (Some(at), Some(Field { ty, val })) = (at, field) {
                // In segments, symbols stand for values of their own, and comparisons take them so.
                let val = match val {
                    Val::Unknown(symbol) => self.symbol(self.facts[&symbol]),
                    val => val,
                };
                object.write(at, Field { ty, val }, self.pointer_bits);
            }
        }
        self.objects.retain(|id, _| !gone.contains(id));
        self.objects.insert(id, Rc::new(object));
        self.objects.extend(made.into_iter().map(|(id, object)| (id, Rc::new(object))));
        self.map(|val| match val {
            Val::Address(address) if address.object == a => {
                Val::Address(Address { object: id, side: Side::First, ..address })
            }
            Val::Address(address) if address.object == b => {
                Val::Address(Address { object: id, side: Side::Last, ..address })
            }
            val => val,
        });
        true
    }

    /// Whether two neighbours may become one list though their numbers differ. Otherwise they would be told apart no more where a list ends
    /// with a node of its own kind; but where nodes of several kinds alternate, they have to become one list.
    fn may_differ(&self, a: ObjectId, b: ObjectId, segment: Segment) -> bool {
        let origin = |id| self.object(id).origin;
        let follows =
            |id: &ObjectId| Some(self.object(*id).pointer(segment.next, self.pointer_bits)?.val.address()?.object);
        let mut behind = std::iter::successors(Some(b), follows).take(self.objects.len());
        origin(a).is_none() || behind.any(|id| origin(id).is_none_or(|other| Some(other) == origin(a)))
    }

    /// How an object and the one that a field of it leads to hang together, if they may become one segment.
    fn linked(&self, referrers: &Referrers, a: ObjectId, next: i64, to: Address) -> Option<Segment> {
        let (b, entry) = (to.object, to.offset);
        let (front, back) = (self.object(a), self.object(b));
        let is_node = |object: &Object| object.kind == Kind::Heap && object.alive && object.owner.is_none();
        let alike = is_node(front) && is_node(back) && front.size == back.size && front.size.as_single().is_some();
        let is_pointer = |field: &Field| field.ty == Scalar::Ptr;
        if a == b || !alike || to.side != Side::First || back.pointer(next, self.pointer_bits).is_none() {
            return None;
        }
        let own_end = if front.segment.is_some() { Side::Last } else { Side::First };
        let to_front = Val::Address(Address { object: a, side: own_end, offset: entry });
        let prev = back.fields.iter().find(|(at, field)| field.val == to_front && is_pointer(field) && **at != next);
        let prev = prev.map(|(at, _)| *at).filter(|at| front.pointer(*at, self.pointer_bits).is_some());
        let segment = Segment { next, prev, entry };
        match (front.segment, back.segment) {
            (None, None) if prev.is_some_and(|prev| prev < next) => return None,
            (None, None) => {}
            (Some(one), None) | (None, Some(one)) if one == segment => {}
            (Some(one), Some(two)) if one == segment && two == segment => {}
            _ => return None,
        }
        let links: BTreeSet<i64> = [Some(next), prev].into_iter().flatten().collect();
        let of_back = self.private(referrers, b, &links);
        // What belongs to a node may lead to it.
        let is_own = |id: ObjectId, private: &BTreeSet<ObjectId>, by: &Option<(ObjectId, i64)>| {
            by.is_some_and(|(by, at)| {
                by == id && !links.contains(&at) || by != id && (private.contains(&self.top(by)) || self.top(by) == id)
            })
        };
        let back_free = referrers[&b].iter().all(|(by, address)| {
            *by == Some((a, next)) && *address == to
                || match back.segment {
                    Some(_) => address.side != Side::First,
                    None => prev.is_some() || is_own(b, &of_back, by),
                }
        });
        let front_free = referrers.get(&a).into_iter().flatten().all(|(by, address)| {
            front.segment.is_none() || address.side != Side::Last || prev.is_some_and(|prev| *by == Some((b, prev)))
        });
        (back_free && front_free).then_some(segment)
    }
}

/// Nodes that are joined, from the outermost list to the innermost one.
struct Level {
    x: ObjectId,
    y: ObjectId,
    z: ObjectId,
    /// What belongs to `x`, and to `y`.
    left: BTreeSet<ObjectId>,
    right: BTreeSet<ObjectId>,
}

/// Two nodes become one that is like both.
struct Joining<'g> {
    graph: &'g mut Graph,
    /// Whether numbers have to be the same in both.
    is_exact: bool,
    /// As they were before.
    referrers: &'g Referrers,
    made: Vec<(ObjectId, Object)>,
    /// What objects of both became.
    pairs: BTreeMap<(ObjectId, ObjectId), ObjectId>,
    levels: Vec<Level>,
}

impl Joining<'_> {
    /// An object with the fields of two, but for some. `None` if there is none that is like both.
    fn node(&mut self, x: ObjectId, y: ObjectId, links: &BTreeSet<i64>) -> Option<Object> {
        let (front, back) = (self.graph.objects[&x].clone(), self.graph.objects[&y].clone());
        let pointer_bits = self.graph.pointer_bits;
        if (front.origin.is_none() || front.origin != back.origin) && front.is_of_other_type(&back, pointer_bits) {
            return None;
        }
        let mut object = Object::new(Kind::Heap, front.size, front.byte_order);
        object.origin = front.origin.filter(|_| front.origin == back.origin);
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
                _ => object.forget(*at, *at + i64::from(ty.access_bytes(pointer_bits)), pointer_bits),
            }
        }
        Some(object)
    }

    /// A value for each node that is one of two.
    fn either(&mut self, x: Field, y: Field, ty: Scalar) -> Option<Val> {
        if let (Val::Address(one), Val::Address(two)) = (x.val, y.val) {
            return self.address(one, two);
        }
        for (val, other, is_left) in [(x.val, y.val, true), (y.val, x.val, false)] {
            if let Val::Address(address) = val {
                return self.or_empty(address, other, is_left);
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
            return (!self.is_exact || n == m).then(|| self.graph.number(n.join(m), ty));
        }
        let nonzero = self.graph.is_nonzero(x.val) && self.graph.is_nonzero(y.val);
        Some(self.graph.symbol(Fact::Any { nonzero }))
    }

    fn address(&mut self, one: Address, two: Address) -> Option<Val> {
        if one.offset != two.offset {
            return None;
        }
        let node_side = |graph: &Graph, id| if graph.object(id).segment.is_some() { Side::Own } else { Side::First };
        for level in &self.levels {
            let is_own = (one.object, two.object) == (level.x, level.y)
                && one.side == node_side(self.graph, level.x)
                && two.side == node_side(self.graph, level.y);
            if is_own {
                return Some(Val::Address(Address { object: level.z, side: Side::Own, ..one }));
            }
        }
        let belongs = self
            .levels
            .iter()
            .rev()
            .find(|level| level.left.contains(&one.object) && level.right.contains(&two.object));
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
            Some(known) => *known,
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
        let alike = one.kind == Kind::Heap && two.kind == Kind::Heap && one.alive && two.alive && one.size == two.size;
        let segment = match (one.segment, two.segment) {
            (Some(one), Some(two)) if one != two => return None,
            (one, two) => one.or(two).or(list),
        };
        if !alike {
            return None;
        }
        let z = self.graph.new_object();
        self.pairs.insert((p, q), z);
        let links = match segment {
            Some(segment) => [Some(segment.next), segment.prev].into_iter().flatten().collect(),
            None => BTreeSet::new(),
        };
        if segment.is_some() {
            let of = |id| self.graph.private(self.referrers, id, &links);
            let (left, right) = (of(p), of(q));
            self.levels.push(Level { x: p, y: q, z, left, right });
        }
        let object = self.node(p, q, &links);
        if segment.is_some() {
            self.levels.pop();
        }
        let mut object = object?;
        // The links lead out of the list.
        for at in &links {
            let bits = self.graph.pointer_bits;
            let (x, y) = (one.pointer(*at, bits)?, two.pointer(*at, bits)?);
            let val = self.either(x, y, x.ty)?;
            object.write(*at, Field { ty: x.ty, val }, self.graph.pointer_bits);
        }
        (object.segment, object.lengths, object.owner) = (segment, one.lengths.or(two.lengths), Some(owner));
        let is_missing = |old: &Object| old.is_missing_as(&object, self.graph.pointer_bits);
        if !is_missing(&one) || !is_missing(&two) {
            return None;
        }
        self.made.push((z, object));
        Some(z)
    }

    /// A list, or a block, that belongs to one of the nodes only; the other one has what follows it, or null.
    fn or_empty(&mut self, address: Address, other: Val, is_left: bool) -> Option<Val> {
        let id = address.object;
        if address.side != Side::First || self.pairs.keys().any(|(x, y)| *x == id || *y == id) {
            return None;
        }
        let belongs = |level: &&Level| if is_left { level.left.contains(&id) } else { level.right.contains(&id) };
        let level = self.levels.iter().rev().find(belongs)?;
        let (owner, origin) = (level.z, |node| self.graph.object(node).origin);
        let are_alike = origin(level.x).is_some() && origin(level.x) == origin(level.y);
        // Where a block leads out, other nodes would have to share what it leads to.
        let own = if is_left { &level.left } else { &level.right };
        let mut block = BTreeSet::from([id]);
        self.graph.reach([], &mut block);
        let is_closed = block.is_subset(own);
        let object = self.graph.object(id);
        let ends = |(_, field): &(&i64, &Field)| field.ty == Scalar::Ptr && field.val == other;
        let segment = match object.segment {
            Some(segment) => Some(segment),
            None if other == Val::ZERO && are_alike && is_closed => None,
            None => {
                let next = object.fields.iter().find(ends).map(|(at, _)| *at)?;
                Some(Segment { next, prev: None, entry: address.offset })
            }
        };
        if let Some(segment) = segment {
            let next = object.pointer(segment.next, self.graph.pointer_bits)?.val;
            if segment.prev.is_some() || segment.entry != address.offset || next != other {
                return None;
            }
            block = BTreeSet::from([id]);
        }
        for level in &mut self.levels {
            if level.z == owner {
                level.left.extend(&block);
                level.right.extend(&block);
            }
        }
        let z = self.pair(id, id, owner, segment)?;
        let (_, made) = self.made.iter_mut().find(|(made, _)| *made == z)?;
        made.lengths = made.lengths.or(Lengths::EMPTY);
        Some(Val::Address(Address { object: z, ..address }))
    }
}
