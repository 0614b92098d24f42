//! Inclusion and joins of graphs: a walk through both, from registers and variables on.

use crate::graph::Graph;
use crate::object::{Field, Lengths, Object, Read};
use crate::value::{Address, Fact, Guard, Guards, ObjectId, Side, Symbol, Val, fits, numeric};
use cfa::Scalar;
use domains::numerical::Num;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A walk through two graphs, which finds for each object of the larger one that of the smaller one.
struct Walk<'g> {
    lower: &'g Graph,
    upper: &'g Graph,
    /// By object of the larger graph.
    objects: BTreeMap<ObjectId, ObjectId>,
    /// Objects of the larger graph that belong to nodes which have none of them in the smaller one.
    absent: BTreeSet<ObjectId>,
    /// Objects of the smaller graph that were found.
    found: BTreeSet<ObjectId>,
    waiting: Vec<ObjectId>,
    /// By symbol of the larger graph: the value that it has in the smaller one.
    symbols: BTreeMap<Symbol, Val>,
    /// Symbols of the larger graph that have a value in it which the smaller one does not know.
    free: BTreeSet<Symbol>,
}

impl Graph {
    /// Whether each state of this graph is one of the other.
    pub fn leq(&self, upper: &Graph) -> bool {
        let mut walk = Walk {
            lower: self,
            upper,
            objects: BTreeMap::new(),
            absent: BTreeSet::new(),
            found: BTreeSet::new(),
            waiting: Vec::new(),
            symbols: BTreeMap::new(),
            free: BTreeSet::new(),
        };
        walk.includes().is_some()
    }
}

impl Walk<'_> {
    fn includes(&mut self) -> Option<()> {
        let (lower, upper) = (self.lower, self.upper);
        if lower.lost && !upper.lost || !lower.variables.keys().eq(upper.variables.keys()) {
            return None;
        }
        for (key, id) in &upper.variables {
            self.bind(lower.variables[key], *id)?;
        }
        for (key, field) in &upper.registers {
            match lower.registers.get(key) {
                Some(own) => self.val(*own, *field, true)?,
                None => self.anything(*field)?,
            }
        }
        while let Some(id) = self.waiting.pop() {
            self.object(self.objects[&id], id)?;
        }
        // What only the smaller graph has was lost, unless it ended.
        let rest = lower.objects.iter().filter(|(id, _)| !self.found.contains(id));
        // What belongs to nodes and was not met is what those that are missing lead to.
        let more = upper.objects.iter().filter(|(id, object)| !self.objects.contains_key(id) && object.owner.is_none());
        let is_nothing = |object: &Rc<Object>| !object.alive;
        (rest.map(|(_, object)| object).all(is_nothing) && more.map(|(_, object)| object).all(is_nothing)).then_some(())
    }

    /// Checks that a field may have any value, as it does in the smaller graph.
    fn anything(&mut self, field: Field) -> Option<()> {
        let Val::Unknown(symbol) = field.val else { return None };
        let is_top = match self.upper.facts[&symbol] {
            Fact::Any { nonzero } => !nonzero,
            Fact::Number(num) => numeric(field.ty, self.upper.pointer_bits).is_some_and(|ty| Num::top(ty).leq(num)),
            Fact::Inside(..) => false,
        };
        // No other place has the same value.
        (is_top && !self.symbols.contains_key(&symbol) && self.free.insert(symbol)).then_some(())
    }

    fn bind(&mut self, lower: ObjectId, upper: ObjectId) -> Option<()> {
        match self.objects.get(&upper) {
            Some(known) => (*known == lower).then_some(()),
            None if !self.absent.contains(&upper) && self.found.insert(lower) => {
                self.objects.insert(upper, lower);
                self.waiting.push(upper);
                Some(())
            }
            None => None,
        }
    }

    fn object(&mut self, lower: ObjectId, upper: ObjectId) -> Option<()> {
        let (small, large) = (self.lower.objects[&lower].clone(), self.upper.objects[&upper].clone());
        if small == large && small.is_plain() {
            return Some(());
        }
        // An object is a list with one node, and what only it leads to belongs to the node.
        let is_list = small.segment == large.segment || small.segment.is_none();
        let same = (small.kind, small.alive) == (large.kind, large.alive) && is_list;
        let is_owner = match large.owner {
            None => small.owner.is_none(),
            Some(owner) => self
                .objects
                .get(&owner)
                .is_some_and(|own| small.owner == Some(*own) || small.owner.is_none() && self.lower.is_single(*own)),
        };
        let bits = self.upper.pointer_bits;
        let is_missing = small.is_missing_as(&large, bits);
        let same =
            same && (small.segment == large.segment || large.segment.is_none_or(|of| small.is_node_of(of, bits)));
        let is_told = large.owner.is_none_or(|owner| self.is_told(&small, &large, owner));
        if !is_told
            || !same
            || !small.size.leq(large.size)
            || !large.lengths.has(small.lengths)
            || !is_owner
            || !is_missing
        {
            return None;
        }
        for (at, field) in &large.fields {
            match small.read(*at, field.ty, bits) {
                Read::Field(own) => self.val(own, *field, large.segment.is_none() && large.owner.is_none())?,
                _ => self.anything(*field)?,
            }
        }
        let is_zero = large.zero_gaps(bits).into_iter().all(|(from, to)| small.holds_zero(from, to, bits));
        is_zero.then_some(())
    }

    /// Whether what fields of a node tell of an object that belongs to it is true of the smaller graph.
    fn is_told(&self, small: &Object, large: &Object, owner: ObjectId) -> bool {
        let Some(node) = self.objects.get(&owner) else { return large.guards.is_empty() };
        large.guards.iter().all(|(at, guard)| match self.lower.cases(small, *node, *at, guard.ty) {
            Some((with, without)) => {
                with.is_none_or(|num| num.leq(guard.with)) && without.is_none_or(|num| num.leq(guard.without))
            }
            None => false,
        })
    }

    /// Whether a node has what follows a list, or null, in place of what else may belong to it.
    fn is_absent(&mut self, lower: Val, to: Address) -> bool {
        let object = self.upper.object(to.object);
        let may_be = object.owner.is_some() && object.lengths.has(Lengths::EMPTY);
        if !may_be || to.side == Side::Own || self.objects.contains_key(&to.object) {
            return false;
        }
        let is_rest = match (object.missing(to.side, self.upper.pointer_bits), lower) {
            (Val::Address(rest), Val::Address(own)) => {
                let is_node = own.side == rest.side || self.lower.object(own.object).segment.is_none();
                self.objects.get(&rest.object) == Some(&own.object) && is_node && rest.offset == own.offset
            }
            (rest, lower) => rest == lower && matches!(lower, Val::Bits(_)),
        };
        let node = object.owner.and_then(|owner| self.objects.get(&owner).copied());
        let is_told = object.guards.iter().all(|(at, guard)| {
            let num = node.and_then(|node| self.lower.number_at(node, *at, guard.ty));
            num.is_some_and(|num| num.leq(guard.without))
        });
        let is_rest = is_rest && is_told;
        if is_rest {
            self.absent.insert(to.object);
        }
        is_rest
    }

    /// `shared` tells whether a symbol of the larger graph has one value everywhere.
    fn val(&mut self, lower: Field, upper: Field, shared: bool) -> Option<()> {
        let symbol = match upper.val {
            Val::Bits(_) | Val::Function(_) => return (lower.val == upper.val).then_some(()),
            Val::Address(to) if self.is_absent(lower.val, to) => return Some(()),
            Val::Address(to) => {
                let own = lower.val.address()?;
                let is_node = own.side == to.side || self.lower.object(own.object).segment.is_none();
                return (is_node && own.offset == to.offset).then(|| self.bind(own.object, to.object))?;
            }
            Val::Unknown(symbol) => symbol,
        };
        if shared && (self.free.contains(&symbol) || *self.symbols.entry(symbol).or_insert(lower.val) != lower.val) {
            return None;
        }
        let own = match lower.val {
            Val::Unknown(symbol) => Some(self.lower.facts[&symbol]),
            _ => None,
        };
        match (self.upper.facts[&symbol], own) {
            (Fact::Any { nonzero }, _) => (!nonzero || self.lower.is_nonzero(lower.val)).then_some(()),
            (Fact::Number(num), Some(Fact::Number(own))) => own.leq(num).then_some(()),
            (Fact::Number(num), _) => self.lower.numbers(lower.val, lower.ty)?.leq(num).then_some(()),
            (Fact::Inside(to, num), own) => {
                let (own, at) = match (own, lower.val) {
                    (_, Val::Address(own)) => (own, Num::single(own.offset.into())),
                    (Some(Fact::Inside(own, at)), _) => (own, at),
                    _ => return None,
                };
                (own.side == to.side && at.leq(num)).then(|| self.bind(own.object, to.object))?
            }
        }
    }
}

/// Two graphs that differ in numbers only become one.
struct Join<'g> {
    old: &'g Graph,
    new: &'g Graph,
    joined: Graph,
    /// By type, as the same bits are different numbers in others.
    known: BTreeMap<(Val, Val, Scalar), Val>,
    /// Objects that are lists in one of them.
    lists: BTreeSet<ObjectId>,
    /// Set if bounds that grow stop there.
    thresholds: Option<&'g [i128]>,
}

impl Graph {
    /// Whether an object stands for one: what only it leads to may belong to the node of a list, but what nodes of lists share does not.
    fn is_single(&self, id: ObjectId) -> bool {
        self.object(id).segment.is_none() && self.object(id).owner.is_none()
    }

    /// The states of two canonical graphs, and more, if they differ in numbers only. With thresholds, bounds that grow stop there next,
    /// so that only a bounded number of ever larger graphs differs.
    pub fn join(&self, newer: &Graph, thresholds: Option<&[i128]>) -> Option<Graph> {
        let same = self.lost == newer.lost
            && self.variables == newer.variables
            && self.registers.keys().eq(newer.registers.keys())
            && self.objects.keys().eq(newer.objects.keys());
        if !same {
            return None;
        }
        // An object and a list become a list that may have one node.
        let is_list = |id: &ObjectId| self.object(*id).segment.is_some() || newer.object(*id).segment.is_some();
        let lists = self.objects.keys().copied().filter(is_list).collect();
        let mut joined = self.clone();
        joined.facts.clear();
        let mut join = Join { old: self, new: newer, joined, known: BTreeMap::new(), lists, thresholds };
        for (key, field) in &self.registers {
            let field = join.field(*field, newer.registers[key])?;
            join.joined.registers.insert(*key, field);
        }
        for (id, old) in &self.objects {
            let new = &newer.objects[id];
            if old == new && old.is_plain() {
                continue;
            }
            let segment = match (old.segment, new.segment) {
                (Some(x), Some(y)) if x != y => return None,
                (x, y) => x.or(y),
            };
            let owner = match (old.owner, new.owner) {
                (Some(x), Some(y)) if x != y => return None,
                (None, Some(owner)) if !self.is_single(owner) => return None,
                (Some(owner), None) if !newer.is_single(owner) => return None,
                (x, y) => x.or(y),
            };
            let is_node = |object: &Object| {
                object.segment == segment || segment.is_none_or(|of| object.is_node_of(of, self.pointer_bits))
            };
            let same = (old.kind, old.size, old.alive) == (new.kind, new.size, new.alive);
            if !same || !is_node(old) || !is_node(new) {
                return None;
            }
            let (bits, is_each) = (self.pointer_bits, segment.is_some() || owner.is_some());
            let mut object = (**old).clone();
            object.fields.clear();
            object.zeros.clear();
            (object.segment, object.owner, object.lengths) = (segment, owner, old.lengths.or(new.lengths));
            object.absent = old.absent.or(new.absent);
            object.guards.clear();
            if let Some(owner) = owner.filter(|_| object.lengths.has(Lengths::EMPTY)) {
                object.guards = guards((self, old), (newer, new), owner);
            }
            for (lo, hi) in old.common_zeros(new) {
                object.clear(lo, hi, bits);
            }
            let offsets: BTreeSet<i64> = old.fields.keys().chain(new.fields.keys()).copied().collect();
            for at in offsets {
                let ty = old.fields.get(&at).or_else(|| new.fields.get(&at))?.ty;
                let (Read::Field(x), Read::Field(y)) = (old.read(at, ty, bits), new.read(at, ty, bits)) else {
                    return None;
                };
                if is_each {
                    join.known.clear();
                }
                object.write(at, join.field(x, y)?, bits);
            }
            if is_each {
                join.known.clear();
            }
            if !old.is_missing_as(&object, bits) || !new.is_missing_as(&object, bits) {
                return None;
            }
            join.joined.objects.insert(*id, Rc::new(object));
        }
        Some(join.joined)
    }
}

/// What nodes tell of whether they have an object, in either of two graphs.
fn guards((old, x): (&Graph, &Object), (new, y): (&Graph, &Object), owner: ObjectId) -> Guards {
    let known = x.guards.iter().chain(&y.guards).map(|(at, guard)| (*at, guard.ty));
    let guard = |(at, ty): (i64, Scalar)| {
        let cases = [old.cases(x, owner, at, ty)?, new.cases(y, owner, at, ty)?];
        Some((at, Guard::of(ty, &cases)?))
    };
    known.filter_map(guard).collect()
}

impl Join<'_> {
    fn field(&mut self, old: Field, new: Field) -> Option<Field> {
        if old.ty != new.ty {
            return None;
        }
        let key = (old.val, new.val, old.ty);
        let val = match self.known.get(&key) {
            Some(val) => *val,
            None => self.val(old.val, new.val, old.ty)?,
        };
        self.known.insert(key, val);
        Some(Field { ty: old.ty, val })
    }

    /// The one node of a list is its first one, its last one, and that which has what belongs to it.
    fn address(&self, old: Address, new: Address) -> Option<Val> {
        let is_list = |graph: &Graph| graph.object(old.object).segment.is_some();
        let side = match (is_list(self.old), is_list(self.new)) {
            _ if old.side == new.side && !self.belongs(old.object) => old.side,
            (true, false) => old.side,
            (false, true) => new.side,
            _ if old.side == new.side => old.side,
            _ => return None,
        };
        ((old.object, old.offset) == (new.object, new.offset)).then_some(Val::Address(Address { side, ..old }))
    }

    /// Whether an object is a list in one of the graphs only.
    fn belongs(&self, id: ObjectId) -> bool {
        self.lists.contains(&id) && (self.old.object(id).segment.is_none() || self.new.object(id).segment.is_none())
    }

    fn val(&mut self, old: Val, new: Val, ty: Scalar) -> Option<Val> {
        let fact = |graph: &Graph, val: Val| match val {
            Val::Unknown(symbol) => Some(graph.facts[&symbol]),
            _ => None,
        };
        let pointer_bits = self.old.pointer_bits;
        let is_number =
            |graph: &Graph, val: Val| matches!(val, Val::Bits(_)) || matches!(fact(graph, val), Some(Fact::Number(_)));
        if let (Val::Address(x), Val::Address(y)) = (old, new) {
            return self.address(x, y);
        }
        match (fact(self.old, old), fact(self.new, new)) {
            (None, None) if old == new => Some(old),
            (Some(Fact::Any { nonzero: x }), Some(Fact::Any { nonzero: y })) => {
                Some(self.joined.symbol(Fact::Any { nonzero: x && y }))
            }
            (Some(Fact::Inside(x, n)), Some(Fact::Inside(y, m))) if x == y => {
                Some(self.joined.symbol(Fact::Inside(x, n.join(m))))
            }
            _ if is_number(self.old, old) && is_number(self.new, new) && ty != Scalar::Ptr => {
                let of = numeric(ty, pointer_bits)?;
                let (n, m) = (self.old.numbers(old, ty)?, self.new.numbers(new, ty)?);
                let num = match self.thresholds {
                    Some(thresholds) => n.widen(m, thresholds, of),
                    None => n.join(m),
                };
                Some(self.joined.symbol(Fact::Number(if fits(num, of) { num } else { Num::top(of) })))
            }
            _ => None,
        }
    }
}
