//! What a graph stands for, said a second time: whether a state of a run is one of its states.
//!
//! Objects become blocks, and segments chains of blocks; each node of a chain has what it owns for itself. Nothing here is shared with
//! the comparison of graphs.

use crate::state::{Block, State};
use cfa::layout::function_address;
use cfa::{Scalar, Value};
use interp::ObjectKind;
use shape::graph::Graph;
use shape::object::{Kind, Lengths, Object, Segment};
use shape::value::{Address, Fact, ObjectId, Side, Symbol, Val, number_of, numeric};
use std::collections::{BTreeMap, BTreeSet};

/// Pointers of the programs have this width.
const POINTER_BITS: u32 = 64;

/// Segments from the outermost one on, each with the number of one of its nodes.
type Context = Vec<(ObjectId, usize)>;

/// Whether a state is one of those of a graph.
pub fn contains(graph: &Graph, state: &State) -> bool {
    let mut walk = Walk::default();
    for (register, id) in &graph.variables {
        let Some(base) = state.variables.get(register) else { return false };
        if !(Meaning { graph, state }).bind(&mut walk, (*id, Vec::new()), &[(*base, false)]) {
            return false;
        }
    }
    for (register, field) in &graph.registers {
        let Some(value) = state.registers.get(register) else { return false };
        let (ty, val) = (field.ty, field.val);
        walk.claims.push(Claim { val, ty, value: value.0, context: Vec::new(), is_shared: true });
    }
    Meaning { graph, state }.holds(walk)
}

/// A value that a graph says something about.
#[derive(Clone, Debug)]
struct Claim {
    val: Val,
    ty: Scalar,
    value: u128,
    /// Where it is.
    context: Context,
    /// Whether its symbol has the same value elsewhere.
    is_shared: bool,
}

/// What is known so far, and what remains to be looked at.
#[derive(Clone, Default)]
struct Walk {
    /// The blocks of each object that it has for each node it belongs to.
    chains: BTreeMap<(ObjectId, Context), Vec<u64>>,
    /// Live blocks that are taken.
    taken: BTreeSet<u64>,
    symbols: BTreeMap<Symbol, u128>,
    claims: Vec<Claim>,
    /// Claims on objects that others have to find first.
    late: Vec<Claim>,
}

/// What became of a claim.
enum Answer {
    Holds,
    Fails,
    /// Nobody knows yet where the object is.
    Later,
    /// It may hold in several ways.
    Choice(Vec<Walk>),
}

impl From<bool> for Answer {
    fn from(holds: bool) -> Self {
        if holds { Answer::Holds } else { Answer::Fails }
    }
}

struct Meaning<'a> {
    graph: &'a Graph,
    state: &'a State,
}

impl Meaning<'_> {
    /// Whether all claims hold in some way.
    fn holds(&self, mut walk: Walk) -> bool {
        loop {
            let answer = match walk.claims.pop() {
                Some(claim) => match self.claim(&mut walk, &claim) {
                    Answer::Later => {
                        walk.late.push(claim);
                        Answer::Holds
                    }
                    answer => answer,
                },
                None => match self.resume(&mut walk) {
                    Some(answer) => answer,
                    None => return self.is_complete(&walk),
                },
            };
            match answer {
                Answer::Fails => return false,
                Answer::Choice(walks) => return walks.into_iter().any(|walk| self.holds(walk)),
                Answer::Holds | Answer::Later => {}
            }
        }
    }

    /// Goes on with late claims, and with objects that nothing leads to; `None` if there are none.
    fn resume(&self, walk: &mut Walk) -> Option<Answer> {
        let waits = |walk: &Walk, claim: &Claim| {
            let address = self.graph.leads_to(claim.val).expect("only addresses are late");
            self.instance(address, &claim.context).is_some_and(|key| !walk.chains.contains_key(&key))
        };
        let found = walk.late.iter().position(|claim| !waits(walk, claim));
        if let Some(found) = found {
            let claim = walk.late.remove(found);
            walk.claims.push(claim);
            return Some(Answer::Holds);
        }
        let wanted = match walk.late.first() {
            Some(claim) => self.instance(self.graph.leads_to(claim.val)?, &claim.context)?,
            None => {
                let mut objects = self
                    .graph
                    .objects
                    .iter()
                    .filter(|(_, object)| object.kind == Kind::Heap && object.alive && object.owner.is_none());
                let (id, _) = objects.find(|(id, _)| !walk.chains.contains_key(&(**id, Vec::new())))?;
                (*id, Vec::new())
            }
        };
        let starts = self.state.blocks.keys();
        Some(Answer::Choice(starts.flat_map(|start| self.chains(walk, &wanted, *start)).collect()))
    }

    /// Whether nothing that the graph does not know is alive on the heap.
    fn is_complete(&self, walk: &Walk) -> bool {
        let is_heap = |block: &Block| matches!(block.kind, ObjectKind::Heap(_));
        let mut blocks = self.state.blocks.iter().filter(|(_, block)| is_heap(block));
        self.graph.lost || blocks.all(|(base, _)| walk.taken.contains(base))
    }

    fn claim(&self, walk: &mut Walk, claim: &Claim) -> Answer {
        let value = claim.value & mask(claim.ty);
        match claim.val {
            Val::Bits(bits) => (bits.0 & mask(claim.ty) == value).into(),
            Val::Function(func) => (u128::from(function_address(func)) == value).into(),
            Val::Address(address) => self.address(walk, claim, address),
            Val::Unknown(symbol) => self.symbol(walk, claim, symbol),
        }
    }

    fn symbol(&self, walk: &mut Walk, claim: &Claim, symbol: Symbol) -> Answer {
        let value = claim.value & mask(claim.ty);
        let mut meant = value;
        let holds = match self.graph.facts[&symbol] {
            Fact::Any { nonzero } => !nonzero || value != 0,
            Fact::Number(num) => {
                let Some(ty) = numeric(claim.ty, POINTER_BITS) else { return Answer::Fails };
                let number = number_of(Value(value), ty);
                meant = number as u128;
                num.contains(number)
            }
            Fact::Inside(address, num) => {
                let Some(key) = self.instance(address, &claim.context) else { return Answer::Fails };
                let Some(chain) = walk.chains.get(&key) else { return Answer::Later };
                let Some(base) = node(chain, address.side, &claim.context, key.1.len()) else { return Answer::Fails };
                num.contains(i128::from((value as u64).wrapping_sub(base) as i64))
            }
        };
        (holds && (!claim.is_shared || *walk.symbols.entry(symbol).or_insert(meant) == meant)).into()
    }

    fn address(&self, walk: &mut Walk, claim: &Claim, address: Address) -> Answer {
        let Some(key) = self.instance(address, &claim.context) else { return Answer::Fails };
        let base = (claim.value as u64).wrapping_sub(address.offset as u64);
        let object = self.graph.object(address.object);
        if let Some(chain) = walk.chains.get(&key) {
            if !chain.is_empty() {
                return (node(chain, address.side, &claim.context, key.1.len()) == Some(base)).into();
            }
            // What leads to a list without nodes leads to what follows it, and what leads to a block that a node lacks is null, or leads
            // where the block says.
            let list = object.segment.filter(|segment| !segment.is_whole);
            let Some(segment) = list else {
                let Some(absent) = object.absent else { return (claim.value == 0).into() };
                walk.claims.push(Claim { val: Val::Address(absent), context: key.1, is_shared: false, ..*claim });
                return Answer::Holds;
            };
            let link = match address.side {
                Side::Last => segment.prev,
                _ => Some(segment.next),
            };
            let Some(field) = link.and_then(|at| object.fields.get(&at)) else { return Answer::Fails };
            walk.claims.push(Claim { val: field.val, context: key.1, is_shared: false, ..*claim });
            return Answer::Holds;
        }
        let may_be_missing = object.owner.is_some() && object.lengths.has(Lengths::EMPTY);
        if object.segment.is_none() && !may_be_missing {
            return match object.alive {
                true => self.bind(walk, key, &[(base, false)]),
                false => self.bind_ended(walk, key, base),
            }
            .into();
        }
        if address.side != Side::First {
            return Answer::Later;
        }
        let mut walks = match object.alive {
            true => self.chains(walk, &key, base),
            false => {
                let mut ended = walk.clone();
                if self.bind_ended(&mut ended, key.clone(), base) { vec![ended] } else { Vec::new() }
            }
        };
        // Lists that belong to no node have one.
        if may_be_missing {
            let mut empty = walk.clone();
            if self.is_told(walk, &key, false) {
                empty.chains.insert(key, Vec::new());
                walks.push(empty);
            }
        }
        walks.iter_mut().for_each(|walk| walk.claims.push(claim.clone()));
        Answer::Choice(walks)
    }

    /// Which object for which node an address means, seen from a place. `None` if the address makes no sense there.
    fn instance(&self, address: Address, context: &Context) -> Option<(ObjectId, Context)> {
        let mut owners = Vec::new();
        let mut at = address.object;
        while let Some(owner) = self.graph.object(at).owner {
            owners.insert(0, owner);
            at = owner;
        }
        let is_inside = context.len() >= owners.len() && context.iter().zip(&owners).all(|((id, _), o)| id == o);
        let is_own =
            address.side != Side::Own || context.get(owners.len()).is_some_and(|(id, _)| *id == address.object);
        (is_inside && is_own).then(|| (address.object, context[..owners.len()].to_vec()))
    }

    /// The ways in which an object, or the nodes of a list from the first one on, may be blocks.
    fn chains(&self, walk: &Walk, key: &(ObjectId, Context), start: u64) -> Vec<Walk> {
        let object = self.graph.object(key.0);
        let mut ways = Vec::new();
        match object.segment {
            None => ways.push(vec![(start, false)]),
            Some(segment) if segment.is_whole => ways.extend(self.tree(walk, object, segment, start)),
            Some(segment) => self.follow(walk, object, segment, &mut Vec::new(), start, &mut ways),
        }
        let bound = |chain: Vec<(u64, bool)>| {
            let mut walk = walk.clone();
            self.bind(&mut walk, key.clone(), &chain).then_some(walk)
        };
        ways.into_iter().rev().filter_map(bound).collect()
    }

    /// The lists that go on behind a chain with a block, and whether its nodes have links and what is beside them the other way round.
    fn follow(
        &self,
        walk: &Walk,
        object: &Object,
        segment: Segment,
        chain: &mut Vec<(u64, bool)>,
        base: u64,
        ways: &mut Vec<Vec<(u64, bool)>>,
    ) {
        if chain.iter().any(|(known, _)| *known == base) || !self.is_block(walk, object, base) {
            return;
        }
        let entry = segment.entry as u64;
        if let (Some(prev), Some((before, _))) = (segment.prev, chain.last())
            && self.load(base, prev, Scalar::Ptr) != Some(u128::from(before.wrapping_add(entry)))
        {
            return;
        }
        let fields = [Some(segment.next), segment.branch];
        for (at, is_mirrored) in fields.into_iter().flatten().zip([false, true]) {
            chain.push((base, is_mirrored));
            let length = if chain.len() == 1 { Lengths::ONE } else { Lengths::MORE };
            if object.lengths.has(length) {
                ways.push(chain.clone());
            }
            if let Some(next) = self.load(base, at, Scalar::Ptr) {
                self.follow(walk, object, segment, chain, (next as u64).wrapping_sub(entry), ways);
            }
            chain.pop();
        }
    }

    /// All nodes of a tree, if it is one.
    fn tree(&self, walk: &Walk, object: &Object, segment: Segment, root: u64) -> Option<Vec<(u64, bool)>> {
        let entry = segment.entry as u64;
        let (mut nodes, mut waiting) = (Vec::new(), vec![(root, None)]);
        while let Some((base, parent)) = waiting.pop() {
            if nodes.contains(&(base, false)) || !self.is_block(walk, object, base) {
                return None;
            }
            if let (Some(prev), Some(parent)) = (segment.prev, parent)
                && self.load(base, prev, Scalar::Ptr) != Some(u128::from(entry.wrapping_add(parent)))
            {
                return None;
            }
            nodes.push((base, false));
            for at in [Some(segment.next), segment.branch].into_iter().flatten() {
                match self.load(base, at, Scalar::Ptr)? as u64 {
                    0 => {}
                    child => waiting.push((child.wrapping_sub(entry), Some(base))),
                }
            }
        }
        Some(nodes)
    }

    /// Whether a live block can be the object.
    fn is_block(&self, walk: &Walk, object: &Object, base: u64) -> bool {
        let Some(block) = self.state.blocks.get(&base) else { return false };
        let is_kind = match object.kind {
            Kind::Variable(stack, var) => self.state.variables.get(&(stack, var)) == Some(&base),
            Kind::Frame(_) => matches!(block.kind, ObjectKind::Stack(_) | ObjectKind::Argument(_)),
            Kind::Heap => matches!(block.kind, ObjectKind::Heap(_)),
        };
        object.alive && is_kind && object.size.contains(block.bytes.len() as i128) && !walk.taken.contains(&base)
    }

    /// These are the nodes of an object; claims what it says of their fields. A node of a path may have its two children the other way round.
    fn bind(&self, walk: &mut Walk, key: (ObjectId, Context), chain: &[(u64, bool)]) -> bool {
        let object = self.graph.object(key.0);
        if !self.is_told(walk, &key, true) {
            return false;
        }
        for (number, (base, is_mirrored)) in chain.iter().enumerate() {
            if !self.is_block(walk, object, *base) || !self.has_zeros(object, *base) {
                return false;
            }
            walk.taken.insert(*base);
            let mut context = key.1.clone();
            if object.segment.is_some() {
                context.push((key.0, number));
            }
            for (at, field) in &object.fields {
                let is_link = object.segment.is_some_and(|segment| {
                    *at == segment.next && number + 1 < chain.len() || Some(*at) == segment.prev && number > 0
                });
                let place = match object.segment {
                    Some(Segment { next, branch: Some(branch), .. }) if *is_mirrored && *at == next => branch,
                    Some(Segment { next, branch: Some(branch), .. }) if *is_mirrored && *at == branch => next,
                    _ => *at,
                };
                let Some(value) = self.load(*base, place, field.ty) else { return false };
                if !is_link {
                    let is_shared = context.is_empty();
                    let (val, ty, context) = (field.val, field.ty, context.clone());
                    walk.claims.push(Claim { val, ty, value, context, is_shared });
                }
            }
        }
        walk.chains.insert(key, chain.iter().map(|(base, _)| *base).collect());
        true
    }

    /// The object is a block that has ended.
    fn bind_ended(&self, walk: &mut Walk, key: (ObjectId, Context), base: u64) -> bool {
        let is_told = self.is_told(walk, &key, true);
        walk.chains.insert(key, vec![base]);
        is_told && self.state.ended.contains_key(&base)
    }

    /// Whether fields of a node have the numbers that tell of whether it has an object.
    fn is_told(&self, walk: &Walk, (id, context): &(ObjectId, Context), is_there: bool) -> bool {
        let object = self.graph.object(*id);
        object.guards.iter().all(|(at, guard)| {
            let (owner, number) = context.last().expect("only what belongs to nodes has guards");
            let node = walk.chains[&(*owner, context[..context.len() - 1].to_vec())][*number];
            let value = self.load(node, *at, guard.ty).expect("the node has the field");
            (if is_there { guard.with } else { guard.without }).contains(number_of(Value(value), guard.ty))
        })
    }

    fn has_zeros(&self, object: &Object, base: u64) -> bool {
        let is_field = |byte: i64| {
            let bytes = |ty: Scalar| i64::from(ty.access_bytes(POINTER_BITS));
            object.fields.iter().any(|(at, field)| (*at..at + bytes(field.ty)).contains(&byte))
        };
        let is_zero = |byte: i64| object.zeros.iter().any(|(lo, hi)| (*lo..*hi).contains(&byte));
        let bytes = &self.state.blocks[&base].bytes;
        (0..).zip(bytes).all(|(at, byte)| *byte == 0 || is_field(at) || !is_zero(at))
    }

    fn load(&self, base: u64, at: i64, ty: Scalar) -> Option<u128> {
        let (at, len) = (usize::try_from(at).ok()?, ty.access_bytes(POINTER_BITS) as usize);
        let bytes = self.state.blocks.get(&base)?.bytes.get(at..at + len)?;
        Some(bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte)))
    }
}

/// The node that a side means; `depth` is the number of the object's owners.
fn node(chain: &[u64], side: Side, context: &Context, depth: usize) -> Option<u64> {
    match side {
        Side::First => chain.first().copied(),
        Side::Last => chain.last().copied(),
        Side::Own => chain.get(context.get(depth)?.1).copied(),
    }
}

fn mask(ty: Scalar) -> u128 {
    let bits = ty.bits(POINTER_BITS);
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}
