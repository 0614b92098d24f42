//! Nodes of list segments become objects of their own.

use crate::graph::{Graph, Referrers};
use crate::object::{Field, Lengths, Object, Segment};
use crate::value::{Address, ObjectId, Side, Val};
use cfa::Scalar;
use std::collections::{BTreeMap, BTreeSet};

impl Graph {
    /// Makes the node at one end of a segment an object of its own. One node is left, or there are more.
    pub fn unfold(&self, id: ObjectId, side: Side) -> Vec<Graph> {
        if self.object(id).segment.is_some_and(|segment| segment.is_whole) {
            return self.unfold_tree(id).unwrap_or_default();
        }
        if self.object(id).lengths.has(Lengths::ONE) {
            let lengths = [Lengths::MORE, Lengths::ONE].into_iter();
            // What belonged to the one node belongs to none, and may have been an empty list.
            let graphs = lengths.flat_map(|length| self.clone().with_length(id, length));
            return graphs.flat_map(Graph::settled).collect();
        }
        let unfolded = [false, true].into_iter().filter_map(|more| self.unfolded(id, side, more));
        unfolded.flatten().flat_map(Graph::settled).collect()
    }

    fn unfolded(&self, id: ObjectId, side: Side, more: bool) -> Option<Vec<Graph>> {
        let mut graph = self.clone();
        let segment = self.object(id).segment?;
        let node = graph.copy_node(id, true);
        let rest = if more { id } else { graph.copy_node(id, true) };
        let far = if more { Side::Last } else { Side::First };
        let at = |object, side, address: Address| Val::Address(Address { object, side, ..address });
        graph.map(|val| match val {
            Val::Address(address) if address.object == id && address.side != Side::Own => match (address.side, side) {
                (one, two) if one == two => at(node, Side::First, address),
                (_, Side::First) => at(rest, far, address),
                _ => at(rest, Side::First, address),
            },
            val => val,
        });
        if !more {
            graph.remove(id);
        }
        let link = |object, side| Field {
            ty: Scalar::Ptr,
            val: Val::Address(Address { object, side, offset: segment.entry }),
        };
        let (first, second) = if side == Side::First { (node, rest) } else { (rest, node) };
        let end_of_first = if side == Side::First { Side::First } else { far };
        graph.write(first, segment.next, link(second, Side::First));
        if let Some(prev) = segment.prev {
            graph.write(second, prev, link(first, end_of_first));
        }
        let nodes = if more { vec![node] } else { vec![node, rest] };
        Some(graph.either_way(segment, nodes))
    }

    /// The graphs in which nodes of a path have the next one in either of their fields.
    fn either_way(self, segment: Segment, nodes: Vec<ObjectId>) -> Vec<Graph> {
        let mut graphs = vec![self];
        let Some(branch) = segment.branch else { return graphs };
        for node in nodes {
            let mut mirrored = graphs.clone();
            mirrored.retain_mut(|graph| graph.mirror(node, segment.next, branch).is_some());
            graphs.extend(mirrored);
        }
        graphs
    }

    /// Objects that belong to nodes of a segment, and those that belong to nodes of these.
    pub fn owned(&self, id: ObjectId) -> Vec<ObjectId> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(owner) = found.get(next).copied() {
            next += 1;
            found.extend(self.objects.iter().filter(|(_, object)| object.owner == Some(owner)).map(|(id, _)| *id));
        }
        found
    }

    /// Removes an object and those that belong to its nodes.
    pub fn remove(&mut self, id: ObjectId) {
        for id in self.owned(id) {
            self.objects.remove(&id);
        }
    }

    /// A node of a segment, or another such segment, with what belongs to it, and with values of its own.
    pub fn copy_node(&mut self, id: ObjectId, is_node: bool) -> ObjectId {
        let olds = self.owned(id);
        let new: BTreeMap<ObjectId, ObjectId> = olds.iter().map(|old| (*old, self.new_object())).collect();
        for old in olds {
            let mut object: Object = self.object(old).clone();
            let owner = object.owner;
            if old != id {
                let of_node = is_node && owner == Some(id);
                object.owner = if of_node { self.object(id).owner } else { owner.map(|owner| new[&owner]) };
                object.of = of_node.then(|| new[&id]);
            } else if is_node {
                (object.segment, object.lengths) = (None, Lengths::ONE);
                object.is_there();
            }
            if let Some(absent) = &mut object.absent
                && let Some(object) = new.get(&absent.object)
            {
                let side = if absent.object == id && is_node { Side::First } else { absent.side };
                *absent = Address { object: *object, side, ..*absent };
            }
            for field in object.fields.values_mut() {
                field.val = match field.val {
                    Val::Unknown(symbol) => self.symbol(self.facts[&symbol]),
                    // The links of the node are set by who asks.
                    Val::Address(address) if address.object == id && address.side != Side::Own => field.val,
                    Val::Address(address) => match new.get(&address.object) {
                        Some(object) => {
                            let side = if address.object == id && is_node { Side::First } else { address.side };
                            Val::Address(Address { object: *object, side, ..address })
                        }
                        None => field.val,
                    },
                    val => val,
                };
            }
            self.objects.insert(new[&old], std::rc::Rc::new(object));
        }
        new[&id]
    }

    /// The graphs in which each list that belongs to no node has one.
    pub fn settled(self) -> Vec<Graph> {
        let (mut done, mut waiting) = (Vec::new(), vec![self]);
        while let Some(graph) = waiting.pop() {
            let is_open = |object: &Object| object.owner.is_none() && object.lengths.has(Lengths::EMPTY);
            let Some(id) = graph.objects.iter().find(|(_, object)| is_open(object)).map(|(id, _)| *id) else {
                done.push(graph);
                continue;
            };
            let some = graph.object(id).lengths.without(Lengths::EMPTY);
            waiting.extend(some.into_iter().flat_map(|some| graph.clone().with_length(id, some)));
            waiting.extend(graph.with_length(id, Lengths::EMPTY));
        }
        done
    }

    /// The list has so many nodes.
    fn with_length(mut self, id: ObjectId, length: Lengths) -> Vec<Graph> {
        if self.decide(id, length != Lengths::EMPTY).is_none() {
            return Vec::new();
        }
        match length {
            Lengths::ONE => {
                let segment = self.object(id).segment;
                let node = self.copy_node(id, true);
                self.remove(id);
                self.map(|val| match val {
                    Val::Address(address) if address.object == id => {
                        Val::Address(Address { object: node, side: Side::First, ..address })
                    }
                    val => val,
                });
                if let Some(segment) = segment {
                    return self.either_way(segment, vec![node]);
                }
            }
            Lengths::EMPTY => {
                let object = self.object(id).clone();
                let bits = self.pointer_bits;
                let (next, prev) = (object.missing(Side::First, bits), object.missing(Side::Last, bits));
                let gone = self.only_through(id);
                self.remove(id);
                gone.into_iter().for_each(|id| self.remove(id));
                self.map(|val| match val {
                    Val::Address(address) if address.object == id && address.side == Side::First => next,
                    Val::Address(address) if address.object == id => prev,
                    val => val,
                });
            }
            _ => {
                if let Some(object) = self.object_mut(id) {
                    object.lengths = length;
                    object.is_there();
                }
            }
        }
        vec![self]
    }

    /// What exists only if a block does: objects that nothing but it leads to, directly or by others of them.
    fn only_through(&self, block: ObjectId) -> BTreeSet<ObjectId> {
        if self.object(block).segment.is_some() {
            return BTreeSet::new();
        }
        self.private(&self.referrers(), block, &BTreeSet::new())
    }

    /// Objects that only an object leads to, directly or by others of them, but for some of its fields.
    pub fn private(&self, referrers: &Referrers, id: ObjectId, links: &BTreeSet<i64>) -> BTreeSet<ObjectId> {
        if self.object(id).segment.is_some() {
            return self.objects.iter().filter(|(_, object)| object.owner == Some(id)).map(|(id, _)| *id).collect();
        }
        let own = self.object(id).addresses().filter(|(at, _)| !links.contains(at)).map(|(_, to)| Val::Address(to));
        let mut found = BTreeSet::from([id]);
        let mut waiting: Vec<ObjectId> = own.filter_map(Val::address).map(|to| to.object).collect();
        while let Some(next) = waiting.pop() {
            let object = self.object(next);
            if object.kind == crate::object::Kind::Heap && object.owner.is_none() && found.insert(next) {
                waiting.extend(object.addresses().map(|(_, to)| to.object));
            }
        }
        found.remove(&id);
        loop {
            let is_shared = |object: &&ObjectId| {
                referrers[*object].iter().any(|(by, _)| match by {
                    None => true,
                    Some((by, at)) => {
                        let from = self.top(*by);
                        !(found.contains(&from) || from == id && !links.contains(at))
                    }
                })
            };
            let shared: Vec<ObjectId> = found.iter().filter(is_shared).copied().collect();
            if shared.is_empty() {
                return found;
            }
            found.retain(|object| !shared.contains(object));
        }
    }

    /// The object that an object belongs to, which belongs to none.
    pub fn top(&self, id: ObjectId) -> ObjectId {
        let mut at = id;
        while let Some(owner) = self.object(at).owner {
            at = owner;
        }
        at
    }
}
