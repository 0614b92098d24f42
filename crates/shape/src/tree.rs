//! Trees: a segment may stand for all nodes of a tree, or for a path in a tree, each node of which has the rest of what is below it.
//!
//! A path is a list whose nodes have the address of the next one in either of two fields. So a tree in which a pointer walks is the path to
//! where it leads, the trees beside the path, and those below; trees and paths may have pointers to parents. As an inductive
//! predicate of separation logic with its segment [berdine05], in the terms of [dudka13].

use crate::branch::{Branching, is_child};
use crate::graph::{Graph, Referrers};
use crate::object::{Field, Kind, Lengths, Object, Segment};
use crate::value::{Address, ObjectId, Side, Val};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a field of a node leads to.
#[derive(Clone, Copy)]
enum Child {
    /// Nothing.
    Null,
    /// A whole tree that nothing else leads to.
    Tree(ObjectId),
    /// Something else.
    Other(Address),
}

impl Graph {
    /// Makes nodes trees, or paths in trees; whether there were some.
    pub fn fold_trees(&mut self) -> bool {
        let branchings = self.branchings.clone();
        if branchings.is_empty() {
            return false;
        }
        let referrers = self.referrers();
        let ids: Vec<ObjectId> = self.objects.keys().copied().collect();
        for branching in branchings.iter() {
            for id in &ids {
                let folded = self.whole(&referrers, *id, branching);
                if let Some(graph) = folded.or_else(|| self.path(&referrers, *id, branching)) {
                    *self = graph;
                    return true;
                }
            }
        }
        false
    }

    /// Whether an object is a single node of a tree, which belongs to nothing.
    fn is_tree_node(&self, id: ObjectId, branching: &Branching) -> bool {
        let object = self.object(id);
        let has_child = |at: i64| object.pointer(at, self.pointer_bits).is_some_and(|field| is_child(field.val));
        object.kind == Kind::Heap
            && object.alive
            && object.owner.is_none()
            && object.segment.is_none()
            && object.size.as_single().is_some()
            && object.origin.is_some_and(|(_, var)| branching.origins.contains(&var))
            && has_child(branching.left)
            && has_child(branching.right)
    }

    /// Whether one of two objects was made where nodes of trees are made.
    pub fn is_made_for(&self, a: ObjectId, b: ObjectId, branching: &Branching) -> bool {
        let origins = [a, b].map(|id| self.object(id).origin);
        origins.into_iter().flatten().any(|(_, var)| branching.origins.contains(&var))
    }

    /// The path that an object is, if it belongs to nothing.
    fn path_of(&self, id: ObjectId, branching: &Branching) -> Option<Segment> {
        let object = self.object(id);
        let is_path = |s: &Segment| !s.is_whole && s.next == branching.left && s.branch == Some(branching.right);
        object.segment.filter(|segment| is_path(segment) && object.owner.is_none() && object.alive)
    }

    /// What a node, or the last one of a path, has at an offset.
    fn child(&self, referrers: &Referrers, id: ObjectId, at: i64, branching: &Branching) -> Option<Child> {
        let to = match self.object(id).pointer(at, self.pointer_bits)?.val {
            Val::ZERO => return Some(Child::Null),
            val => val.address()?,
        };
        let object = self.object(to.object);
        let parent = Val::Address(Address { object: id, side: self.end(id), offset: to.offset });
        let is_tree = |segment: Segment| {
            segment.is_whole
                && (segment.next, segment.branch) == (branching.left, Some(branching.right))
                && segment.entry == to.offset
                && segment.prev.is_none_or(|prev| object.fields.get(&prev).is_some_and(|field| field.val == parent))
        };
        let mut others = referrers[&to.object]
            .iter()
            .filter(|(by, address)| address.side != Side::Own && (*by, *address) != (Some((id, at)), to));
        let is_alone = object.owner.is_none() && to.side == Side::First && others.next().is_none();
        let is_tree = is_alone && object.segment.is_some_and(is_tree);
        Some(if is_tree { Child::Tree(to.object) } else { Child::Other(to) })
    }

    /// The side of a single node, or of the last one of a path.
    fn end(&self, id: ObjectId) -> Side {
        if self.object(id).segment.is_some() { Side::Last } else { Side::First }
    }

    /// The graph in which a node, or a path, is a tree with all that is below it.
    fn whole(&self, referrers: &Referrers, id: ObjectId, branching: &Branching) -> Option<Graph> {
        let mut below = Vec::new();
        let (mut graph, segment) = match self.path_of(id, branching) {
            Some(path) => {
                match self.child(referrers, id, branching.left, branching)? {
                    Child::Null => {}
                    Child::Tree(tree) => below.push(tree),
                    Child::Other(_) => return None,
                }
                let is_parent = |by: &Option<(ObjectId, i64)>| by.is_some_and(|(by, _)| below.contains(&by));
                let ends = referrers[&id].iter().filter(|(_, address)| address.side == Side::Last);
                if !ends.map(|(by, _)| by).all(is_parent) {
                    return None;
                }
                let (mut graph, segment) = (self.clone(), Segment { is_whole: true, ..path });
                below.extend(graph.release(referrers, id, segment)?);
                (graph, segment)
            }
            None if self.is_tree_node(id, branching) => {
                for at in [branching.left, branching.right] {
                    match self.child(referrers, id, at, branching)? {
                        Child::Null => {}
                        Child::Tree(tree) => below.push(tree),
                        Child::Other(_) => return None,
                    }
                }
                let segment = match below.first() {
                    Some(tree) => self.object(*tree).segment?,
                    None => self.leaf(referrers, id, branching)?,
                };
                let mut graph = self.clone();
                graph.generalise(referrers, id, segment)?;
                (graph, segment)
            }
            None => return None,
        };
        let mut root = id;
        for tree in below {
            let referrers = graph.referrers();
            root = graph.fold_pair(&referrers, (root, tree), segment)?;
        }
        Some(graph)
    }

    /// The tree that a node without children is, if only a node above leads to it.
    fn leaf(&self, referrers: &Referrers, id: ObjectId, branching: &Branching) -> Option<Segment> {
        let links = BTreeSet::from([branching.left, branching.right]);
        let private = self.private(referrers, id, &links);
        let is_own =
            |by: &Option<(ObjectId, i64)>| by.is_some_and(|(by, _)| by == id || private.contains(&self.top(by)));
        let mut outside = referrers.get(&id)?.iter().filter(|(by, _)| !is_own(by));
        let (Some((Some((by, at)), to)), None) = (outside.next(), outside.next()) else { return None };
        let path = self.path_of(*by, branching);
        if !branching.has(*at) || path.is_none() && !self.is_tree_node(*by, branching) {
            return None;
        }
        let parent = Val::Address(Address { object: *by, side: self.end(*by), offset: to.offset });
        let mut parents =
            self.object(id).fields.iter().filter(|(at, field)| field.val == parent && !branching.has(**at));
        let prev = parents.next().map(|(at, _)| *at);
        let (next, branch) = (branching.left, Some(branching.right));
        path.is_none_or(|path| path.prev == prev).then_some(Segment {
            next,
            branch,
            prev,
            entry: to.offset,
            is_whole: true,
        })
    }

    /// Takes the trees beside a path from it, which becomes the kind of segment that is said.
    fn release(&mut self, referrers: &Referrers, id: ObjectId, segment: Segment) -> Option<Option<ObjectId>> {
        let bits = self.pointer_bits;
        let beside = match self.object(id).pointer(segment.branch?, bits)?.val {
            Val::ZERO => None,
            val => Some(val.address()?),
        };
        if let Some(to) = beside {
            let tree = self.object(to.object);
            let is_beside = tree.owner == Some(id) && tree.segment == Some(segment) && to.side == Side::First;
            let is_alone = referrers[&to.object].iter().filter(|(_, address)| address.side != Side::Own).count() == 1;
            if !is_beside || !is_alone || to.offset != segment.entry {
                return None;
            }
            let tree = self.object_mut(to.object)?;
            (tree.owner, tree.lengths) = (None, Lengths::ONE.or(Lengths::MORE));
            tree.is_there();
        }
        self.become_segment(id, segment);
        Some(beside.map(|to| to.object))
    }

    /// A single node becomes a segment of one node, to which belongs what only it leads to.
    fn generalise(&mut self, referrers: &Referrers, id: ObjectId, segment: Segment) -> Option<()> {
        let bits = self.pointer_bits;
        for at in segment.outward() {
            let field = self.object(id).pointer(at, bits)?;
            self.write(id, at, field);
        }
        let private = self.private(referrers, id, &segment.links());
        for part in private.iter().flat_map(|part| self.owned(*part)).chain([id]).collect::<Vec<_>>() {
            let mut object: Object = self.object(part).clone();
            if private.contains(&part) {
                object.owner = Some(id);
            }
            for (at, field) in &mut object.fields {
                let is_link = part == id && segment.links().contains(at);
                field.val = match field.val {
                    Val::Address(to) if to.object == id && !is_link => Val::Address(Address { side: Side::Own, ..to }),
                    // Each node has values of its own.
                    Val::Unknown(symbol) => self.symbol(self.facts[&symbol]),
                    val => val,
                };
            }
            self.objects.insert(part, Rc::new(object));
        }
        self.become_segment(id, segment);
        Some(())
    }

    fn become_segment(&mut self, id: ObjectId, segment: Segment) {
        let bits = self.pointer_bits;
        if let Some(object) = self.object_mut(id) {
            object.set_segment(Some(segment), bits);
        }
    }

    /// Exchanges the children of a node.
    pub fn mirror(&mut self, id: ObjectId, left: i64, right: i64) -> Option<()> {
        let bits = self.pointer_bits;
        let object = self.object_mut(id)?;
        let (one, two) = (object.pointer(left, bits)?, object.pointer(right, bits)?);
        object.write(left, two, bits);
        object.write(right, one, bits);
        Some(())
    }

    /// The graph in which a node, or a path, and the node, or the path, below it are one path.
    fn path(&self, referrers: &Referrers, a: ObjectId, branching: &Branching) -> Option<Graph> {
        let ats = match self.path_of(a, branching) {
            Some(path) => vec![path.next],
            None if self.is_tree_node(a, branching) => vec![branching.left, branching.right],
            None => return None,
        };
        ats.into_iter().find_map(|at| self.path_along(referrers, (a, at), branching))
    }

    fn path_along(&self, referrers: &Referrers, (a, at): (ObjectId, i64), branching: &Branching) -> Option<Graph> {
        let Child::Other(to) = self.child(referrers, a, at, branching)? else { return None };
        let b = to.object;
        let (above, below) = (self.path_of(a, branching), self.path_of(b, branching));
        if a == b || to.side != Side::First || self.object(a).size != self.object(b).size {
            return None;
        }
        if above.is_none() && matches!(self.child(referrers, a, branching.other(at), branching)?, Child::Other(_)) {
            return None;
        }
        let onward = match below {
            Some(path) => path.next,
            None if self.is_tree_node(b, branching) => self.onward(referrers, b, branching)?,
            None => return None,
        };
        let parent = Val::Address(Address { object: a, side: self.end(a), offset: to.offset });
        let is_parent = |(at, field): &(&i64, &Field)| field.val == parent && !branching.has(**at);
        let prev = self.object(b).fields.iter().find(is_parent).map(|(at, _)| *at);
        let (next, branch) = (branching.left, Some(branching.right));
        let segment = Segment { next, branch, prev, entry: to.offset, is_whole: false };
        if above.or(below).is_some_and(|path| path != segment) || below.or(above).is_some_and(|path| path != segment) {
            return None;
        }
        if !self.is_inner(referrers, (a, at), (b, onward), segment) {
            return None;
        }
        let mut graph = self.clone();
        for (id, at, known) in [(a, at, above), (b, onward, below)] {
            if known.is_some() {
                continue;
            }
            if at != next {
                graph.mirror(id, next, branching.right)?;
            }
            let referrers = graph.referrers();
            graph.generalise(&referrers, id, segment)?;
        }
        let referrers = graph.referrers();
        graph.fold_pair(&referrers, (a, b), segment)?;
        Some(graph)
    }

    /// Where a node has the next one of a path: its only child that is no tree.
    fn onward(&self, referrers: &Referrers, id: ObjectId, branching: &Branching) -> Option<i64> {
        let is_other = |at: &i64| matches!(self.child(referrers, id, *at, branching), Some(Child::Other(_)));
        let mut others = [branching.left, branching.right].into_iter().filter(is_other);
        let found = others.next()?;
        others.next().is_none().then_some(found)
    }

    /// Whether nothing leads to the end of a path and the beginning of the next one but their links, and what belongs to them.
    fn is_inner(
        &self,
        referrers: &Referrers,
        (a, at): (ObjectId, i64),
        (b, onward): (ObjectId, i64),
        segment: Segment,
    ) -> bool {
        let is_link = |by: &Option<(ObjectId, i64)>| *by == Some((a, at));
        let is_up = |by: &Option<(ObjectId, i64)>| segment.prev.is_some_and(|prev| *by == Some((b, prev)));
        let front = self.object(a).segment.is_none()
            || referrers.get(&a).into_iter().flatten().all(|(by, to)| to.side != Side::Last || is_up(by));
        let links = BTreeSet::from([Some(onward), segment.prev].map(|at| at.unwrap_or(onward)));
        let private = self.private(referrers, b, &links);
        let next = self.object(b).pointer(onward, self.pointer_bits).and_then(|field| field.val.address());
        let is_own = |by: &Option<(ObjectId, i64)>| {
            by.is_some_and(|(by, at)| {
                by == b && !links.contains(&at)
                    || private.contains(&self.top(by))
                    || Some(at) == segment.prev && next.is_some_and(|next| next.object == by)
            })
        };
        let back = referrers[&b].iter().all(|(by, to)| {
            is_link(by)
                || match self.object(b).segment {
                    Some(_) => to.side != Side::First,
                    None => is_own(by),
                }
        });
        front && back
    }

    /// Makes the root of a tree an object of its own: with each child, or without.
    pub fn unfold_tree(&self, id: ObjectId) -> Option<Vec<Graph>> {
        let mut graph = self.clone();
        let segment = self.object(id).segment?;
        let node = graph.copy_node(id, true);
        for at in [segment.next, segment.branch?] {
            let child = graph.copy_node(id, false);
            let to = |object| Val::Address(Address { object, side: Side::First, offset: segment.entry });
            let pointer = |object| Field { ty: cfa::Scalar::Ptr, val: to(object) };
            if let Some(prev) = segment.prev {
                graph.write(child, prev, pointer(node));
            }
            graph.object_mut(child)?.lengths = Lengths::EMPTY.or(Lengths::ONE).or(Lengths::MORE);
            graph.write(node, at, pointer(child));
        }
        graph.map(|val| match val {
            Val::Address(address) if address.object == id && address.side != Side::Own => {
                Val::Address(Address { object: node, ..address })
            }
            val => val,
        });
        graph.remove(id);
        Some(graph.settled())
    }
}
