//! Neighbours in a list become one segment, with what belongs to each of them.

use crate::alike::{Joining, Level};
use crate::graph::{Graph, Referrers};
use crate::object::{Field, Kind, Lengths, Object, Segment};
use crate::value::{Address, Fact, ObjectId, Side, Val};
use cfa::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Graph {
    /// Makes objects that hang together as lists do, and that nothing else leads to, nodes of segments.
    pub fn fold(&mut self) {
        self.forget_dead();
        while self.fold_trees() || self.fold_once() {}
    }

    /// Nodes whose fields lead to blocks that have ended are told apart by nothing: what is there may be anything.
    fn forget_dead(&mut self) {
        let is_dead = |graph: &Graph, val: Val| {
            val.address().map(|to| graph.object(to.object)).is_some_and(|to| !to.alive && to.kind == Kind::Heap)
        };
        for id in self.objects.keys().copied().collect::<Vec<_>>() {
            let object = self.object(id);
            if !object.alive || object.kind != Kind::Heap {
                continue;
            }
            let dead = object.fields.iter().filter(|(_, field)| is_dead(self, field.val));
            for (at, field) in dead.map(|(at, field)| (*at, *field)).collect::<Vec<_>>() {
                let val = self.symbol(Fact::Any { nonzero: false });
                self.write(id, at, Field { val, ..field });
            }
        }
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
        pairs.into_iter().any(|(a, b, segment)| self.fold_pair(&referrers, (a, b), segment).is_some())
    }

    /// Makes two neighbours a segment, if they look alike.
    pub fn fold_pair(
        &mut self,
        referrers: &Referrers,
        (a, b): (ObjectId, ObjectId),
        segment: Segment,
    ) -> Option<ObjectId> {
        let (links, bits) = (segment.links(), self.pointer_bits);
        let id = self.new_object();
        let level = Level {
            x: a,
            y: b,
            z: id,
            left: self.private(referrers, a, &links),
            right: self.private(referrers, b, &links),
            is_inner: false,
        };
        let ends = level.left.iter().chain(&level.right).copied().chain([a, b]);
        let gone: BTreeSet<ObjectId> = ends.flat_map(|id| self.owned(id)).collect();
        let mut joining = Joining {
            is_watched: self.is_watched(referrers, (a, b), segment),
            graph: self,
            referrers,
            made: Vec::new(),
            pairs: BTreeMap::new(),
            levels: vec![level],
            alone: None,
        };
        let mut object = joining.node(a, b, &links)?;
        let (made, pairs) = (joining.made, joining.pairs);
        // What belonged to the nodes must be in what they became.
        let kept = |id: &ObjectId| [a, b].contains(id) || pairs.keys().any(|(x, y)| x == id || y == id);
        if !gone.iter().all(kept) {
            return None;
        }
        object.lengths = Lengths::MORE;
        object.set_segment(Some(segment), bits);
        let next = self.object(b).pointer(segment.next, bits).filter(|_| !segment.is_whole);
        let prev = segment.prev.and_then(|prev| self.object(a).pointer(prev, bits));
        for (at, field) in [(Some(segment.next), next), (segment.prev, prev)] {
            if let (Some(at), Some(Field { ty, val })) = (at, field) {
                // In segments, symbols stand for values of their own, and comparisons take them so.
                let val = match val {
                    Val::Unknown(symbol) => self.symbol(self.facts[&symbol]),
                    val => val,
                };
                object.write(at, Field { ty, val }, bits);
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
        Some(id)
    }

    /// Whether something else leads into a node, to another place than lists do: it may be about to go through what belongs to that node.
    fn is_watched(&self, referrers: &Referrers, (a, b): (ObjectId, ObjectId), segment: Segment) -> bool {
        let is_watching = |(by, to): &(Option<(ObjectId, i64)>, Address)| by.is_none() && to.offset != segment.entry;
        segment.branch.is_none() && [a, b].iter().any(|id| referrers.get(id).into_iter().flatten().any(is_watching))
    }

    /// Whether two neighbours are nodes of one list by the places where they were made: otherwise they would be told apart no more where a list ends
    /// with a node of its own kind, or a node leads to a list of others. Where nodes of several kinds alternate, they are one list.
    fn are_of_one_list(&self, a: ObjectId, b: ObjectId, segment: Segment) -> bool {
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
        let is_child =
            |at: i64| self.branchings.iter().any(|branching| branching.has(at) && self.is_made_for(a, b, branching));
        if a == b || !alike || to.side != Side::First || back.pointer(next, self.pointer_bits).is_none() {
            return None;
        }
        let own_end = if front.segment.is_some() { Side::Last } else { Side::First };
        let to_front = Val::Address(Address { object: a, side: own_end, offset: entry });
        let prev = back.fields.iter().find(|(at, field)| field.val == to_front && is_pointer(field) && **at != next);
        let prev = prev.map(|(at, _)| *at).filter(|at| front.pointer(*at, self.pointer_bits).is_some());
        // Nodes of trees are no lists, unless they have the one before where trees have the other child.
        if is_child(next) != prev.is_some_and(is_child) {
            return None;
        }
        let segment = Segment::list(next, prev, entry);
        match (front.segment, back.segment) {
            (None, None) if prev.is_some_and(|prev| prev < next) => return None,
            (None, None) => {}
            (Some(one), None) | (None, Some(one)) if one == segment => {}
            (Some(one), Some(two)) if one == segment && two == segment => {}
            _ => return None,
        }
        if !self.are_of_one_list(a, b, segment) {
            return None;
        }
        let links = segment.links();
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
