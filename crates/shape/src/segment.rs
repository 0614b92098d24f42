//! Segments of lists: nodes become objects of their own, and objects become nodes.

use crate::graph::Graph;
use crate::object::{Field, Kind, Object, Read, Segment};
use crate::value::{Address, Fact, ObjectId, Side, Val};
use cfa::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Referrers = BTreeMap<ObjectId, Vec<(Option<(ObjectId, i64)>, Address)>>;

impl Graph {
    /// Makes the node at one end of a segment an object of its own. One node is left, or there are more.
    pub fn unfold(&self, id: ObjectId, side: Side) -> Vec<Graph> {
        [false, true].into_iter().filter_map(|more| self.unfolded(id, side, more)).collect()
    }

    fn unfolded(&self, id: ObjectId, side: Side, more: bool) -> Option<Graph> {
        let mut graph = self.clone();
        let segment = self.object(id).segment?;
        let copy = self.node(&mut graph, id);
        let node = graph.add(copy);
        if !more {
            let last = self.node(&mut graph, id);
            graph.objects.insert(id, Rc::new(last));
        }
        let far = if more { Side::Last } else { Side::First };
        let other_end = |address: Address, side| Val::Address(Address { object: id, side, ..address });
        graph.map(|val| match val {
            Val::Address(address) if address.object == id => match (address.side == side, side) {
                (true, _) => Val::Address(Address { object: node, side: Side::First, ..address }),
                (false, Side::First) => other_end(address, far),
                (false, _) => other_end(address, Side::First),
            },
            val => val,
        });
        let link = |object, side| Field {
            ty: Scalar::Ptr,
            val: Val::Address(Address { object, side, offset: segment.entry }),
        };
        let (first, second) = if side == Side::First { (node, id) } else { (id, node) };
        let end_of_first = if side == Side::First { Side::First } else { far };
        graph.write(first, segment.next, link(second, Side::First));
        if let Some(prev) = segment.prev {
            graph.write(second, prev, link(first, end_of_first));
        }
        Some(graph)
    }

    /// A node of a segment, with values of its own.
    fn node(&self, graph: &mut Graph, id: ObjectId) -> Object {
        let mut node = self.object(id).clone();
        node.segment = None;
        for field in node.fields.values_mut() {
            if let Val::Unknown(symbol) = field.val {
                field.val = graph.symbol(self.facts[&symbol]);
            }
        }
        node
    }

    /// Makes objects that hang together as lists do, and that nothing else leads to, nodes of segments.
    pub fn fold(&mut self) {
        while let Some((a, b, segment)) = self.foldable() {
            let Some(joined) = self.joined(a, b, segment) else { return };
            let (front, back) = (self.object(a), self.object(b));
            let next = back.fields.get(&segment.next).copied();
            let prev = segment.prev.and_then(|prev| front.fields.get(&prev).copied());
            let mut object = joined;
            let ends = [(Some(segment.next), next), (segment.prev, prev)];
            for (at, field) in ends {
                if let (Some(at), Some(field)) = (at, field) {
                    object.write(at, field, self.pointer_bits);
                }
            }
            self.objects.insert(a, Rc::new(object));
            self.objects.remove(&b);
            self.map(|val| match val {
                Val::Address(address) if address.object == b => {
                    Val::Address(Address { object: a, side: Side::Last, ..address })
                }
                val => val,
            });
        }
    }

    /// Two objects that are neighbours in a list and may become one segment.
    fn foldable(&mut self) -> Option<(ObjectId, ObjectId, Segment)> {
        let referrers = self.referrers();
        let mut pairs = Vec::new();
        for (a, object) in &self.objects {
            for (next, address) in object.addresses() {
                if let Some(segment) = self.linked(&referrers, *a, next, address) {
                    pairs.push((*a, address.object, segment));
                }
            }
        }
        pairs.into_iter().find(|(a, b, segment)| self.joined(*a, *b, *segment).is_some())
    }

    /// How an object and the one that a field of it leads to hang together, if they may become one segment.
    fn linked(&self, referrers: &Referrers, a: ObjectId, next: i64, to: Address) -> Option<Segment> {
        let (b, entry) = (to.object, to.offset);
        let (front, back) = (self.object(a), self.object(b));
        let alike = front.kind == Kind::Heap
            && back.kind == Kind::Heap
            && front.alive
            && back.alive
            && front.size == back.size
            && front.size.as_single().is_some();
        let is_pointer = |field: &Field| field.ty == Scalar::Ptr;
        if a == b || !alike || to.side != Side::First || !back.fields.get(&next).is_some_and(is_pointer) {
            return None;
        }
        let own_end = if front.segment.is_some() { Side::Last } else { Side::First };
        let to_front = Val::Address(Address { object: a, side: own_end, offset: entry });
        let prev = back.fields.iter().find(|(at, field)| field.val == to_front && is_pointer(field) && **at != next);
        let prev = prev.map(|(at, _)| *at).filter(|at| front.fields.get(at).is_some_and(is_pointer));
        let segment = Segment { next, prev, entry };
        match (front.segment, back.segment) {
            (None, None) if prev.is_some_and(|prev| prev < next) => return None,
            (None, None) => {}
            (Some(one), None) | (None, Some(one)) if one == segment => {}
            (Some(one), Some(two)) if one == segment && two == segment => {}
            _ => return None,
        }
        let by_link = |by: &Option<(ObjectId, i64)>, address: &Address| *by == Some((a, next)) && *address == to;
        let back_free = referrers[&b].iter().all(|(by, address)| {
            by_link(by, address)
                || match back.segment {
                    Some(_) => address.side == Side::Last,
                    None => prev.is_some(),
                }
        });
        let front_free = referrers.get(&a).into_iter().flatten().all(|(by, address)| {
            front.segment.is_none() || address.side == Side::First || prev.is_some_and(|prev| *by == Some((b, prev)))
        });
        (back_free && front_free).then_some(segment)
    }

    /// A segment of which each node is like one of two objects, but for the links.
    fn joined(&mut self, a: ObjectId, b: ObjectId, segment: Segment) -> Option<Object> {
        let (front, back) = (self.objects[&a].clone(), self.objects[&b].clone());
        let links: BTreeSet<i64> = [Some(segment.next), segment.prev].into_iter().flatten().collect();
        let mut object = Object::new(Kind::Heap, front.size);
        object.segment = Some(segment);
        for (x, y) in front.zeros.iter().flat_map(|x| back.zeros.iter().map(move |y| (x, y))) {
            let (lo, hi) = (x.0.max(y.0), x.1.min(y.1));
            if lo < hi {
                object.clear(lo, hi, self.pointer_bits);
            }
        }
        let offsets: BTreeSet<i64> = front.fields.keys().chain(back.fields.keys()).copied().collect();
        for at in offsets.difference(&links) {
            let ty = front.fields.get(at).or_else(|| back.fields.get(at))?.ty;
            let read = |object: &Object| object.read(*at, ty, self.pointer_bits);
            let (x, y) = (read(&front), read(&back));
            let loses = |read| matches!(read, Read::Field(field) if self.leads_to(field.val).is_some());
            match (x, y) {
                (Read::Field(x), Read::Field(y)) => {
                    let val = self.either(x, y, ty)?;
                    object.write(*at, Field { ty, val }, self.pointer_bits);
                }
                (x, y) if loses(x) || loses(y) => return None,
                _ => object.forget(*at, *at + i64::from(ty.access_bytes(self.pointer_bits)), self.pointer_bits),
            }
        }
        Some(object)
    }

    /// A value for each node that is one of two.
    fn either(&mut self, x: Field, y: Field, ty: Scalar) -> Option<Val> {
        let fresh = |val: Val| matches!(val, Val::Unknown(_));
        if x.val == y.val && !fresh(x.val) {
            return Some(x.val);
        }
        if self.leads_to(x.val).is_some() || self.leads_to(y.val).is_some() {
            return None;
        }
        if ty != Scalar::Ptr
            && let (Some(n), Some(m)) = (self.numbers(x.val, x.ty), self.numbers(y.val, y.ty))
            && x.ty == y.ty
        {
            return Some(self.number(n.join(m), ty));
        }
        let nonzero = self.is_nonzero(x.val) && self.is_nonzero(y.val);
        Some(self.symbol(Fact::Any { nonzero }))
    }
}
