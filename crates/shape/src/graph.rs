//! Symbolic memory graphs: registers, objects, and what is known of values.

use crate::branch::Branching;
use crate::object::{Field, Kind, Lengths, Object, Read};
use crate::value::{Address, Fact, ObjectId, Side, Symbol, Val, bits, fits, number_of, numeric};
use base::Id;
use cfa::layout::object_range;
use cfa::{MachineModel, Scalar, VarId};
use domains::numerical::Num;
use domains::numerical::number::is_tracked;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use step::StackId;

/// A register of a frame; globals belong to the stack of the start function.
pub type Register = (StackId, VarId);

/// What leads to each object: the field of an object, or a register or a symbol, as `None`; with the address.
pub type Referrers = BTreeMap<ObjectId, Vec<(Option<(ObjectId, i64)>, Address)>>;

/// A set of states of a program: registers and memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph {
    /// Width of pointers.
    pub pointer_bits: u32,
    /// Registers; any value, where there is none.
    pub registers: BTreeMap<Register, Field>,
    /// The objects of variables in memory.
    pub variables: BTreeMap<Register, ObjectId>,
    /// Objects.
    pub objects: BTreeMap<ObjectId, Rc<Object>>,
    /// What is known of symbols.
    pub facts: BTreeMap<Symbol, Fact>,
    /// Whether heap blocks were lost that are not in the graph any more.
    pub lost: bool,
    /// Which objects may be nodes of trees.
    pub branchings: Rc<[Branching]>,
    next_object: usize,
    next_symbol: usize,
}

impl Graph {
    /// No register, no object.
    pub fn new(pointer_bits: u32) -> Self {
        Self {
            pointer_bits,
            registers: BTreeMap::new(),
            variables: BTreeMap::new(),
            objects: BTreeMap::new(),
            facts: BTreeMap::new(),
            lost: false,
            branchings: Rc::new([]),
            next_object: 0,
            next_symbol: 0,
        }
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = self.new_object();
        self.objects.insert(id, Rc::new(object));
        id
    }

    /// The number of an object that is to be added.
    pub fn new_object(&mut self) -> ObjectId {
        let id = ObjectId::from_index(self.next_object);
        self.next_object += 1;
        id
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[&id]
    }

    /// An object, to change it.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(&id).map(Rc::make_mut)
    }

    /// A value of which this is known.
    pub fn symbol(&mut self, fact: Fact) -> Val {
        let id = Symbol::from_index(self.next_symbol);
        self.next_symbol += 1;
        self.facts.insert(id, fact);
        Val::Unknown(id)
    }

    /// Any value of a type.
    pub fn any(&mut self, ty: Scalar) -> Val {
        match is_tracked(ty) {
            true => self.number(Num::top(ty), ty),
            false => self.symbol(Fact::Any { nonzero: false }),
        }
    }

    /// One of some numbers, in a tracked type that holds them all.
    pub fn number(&mut self, num: Num, ty: Scalar) -> Val {
        match num.as_single() {
            Some(n) => Val::Bits(bits(n, ty)),
            None => self.symbol(Fact::Number(num)),
        }
    }

    /// The numbers that a value may have in a type: its bits as a number, which is unsigned for pointers.
    pub fn numbers(&self, val: Val, ty: Scalar) -> Option<Num> {
        let ty = numeric(ty, self.pointer_bits)?;
        Some(match val {
            Val::Bits(value) => Num::single(number_of(value, ty)),
            Val::Unknown(symbol) => match self.facts[&symbol] {
                Fact::Number(num) if fits(num, ty) => num,
                _ => Num::top(ty),
            },
            Val::Address(address) => self.place(address).filter(|num| fits(*num, ty)).unwrap_or(Num::top(ty)),
            Val::Function(_) => Num::top(ty),
        })
    }

    /// Where the bytes of live objects lie, of which there is one for sure.
    fn place(&self, address: Address) -> Option<Num> {
        let object = self.object(address.object);
        let machine = if self.pointer_bits == 64 { MachineModel::Lp64 } else { MachineModel::Ilp32 };
        let range = object_range(machine);
        let is_byte = object.lengths == Lengths::ONE
            && object.alive
            && address.offset >= 0
            && i128::from(address.offset) < object.size.lo;
        is_byte.then(|| Num::new(range.start.into(), i128::from(range.end) - 1, 1, 0)).flatten()
    }

    /// The same bits in another type of the same size.
    pub fn reinterpret(&mut self, val: Val, from: Scalar, to: Scalar) -> Val {
        match val {
            _ if from == to => val,
            Val::Bits(_) => val,
            _ if from.is_float() || to.is_float() => self.any(to),
            Val::Unknown(symbol) => match (self.facts[&symbol], numeric(to, self.pointer_bits)) {
                (Fact::Number(num), Some(to)) if fits(num, to) => val,
                (Fact::Number(num), Some(to)) => self.number(num.fit(to), to),
                _ => val,
            },
            Val::Address(_) | Val::Function(_) => val,
        }
    }

    /// Reads a scalar of an object that is no segment, inside of it.
    pub fn read(&mut self, id: ObjectId, at: i64, ty: Scalar) -> Val {
        match self.object(id).read(at, ty, self.pointer_bits) {
            Read::Field(field) => self.reinterpret(field.val, field.ty, ty),
            Read::Fresh => {
                let (val, pointer_bits) = (self.any(ty), self.pointer_bits);
                if let Some(object) = self.object_mut(id) {
                    object.write(at, Field { ty, val }, pointer_bits);
                }
                val
            }
            Read::Parts => self.any(ty),
        }
    }

    /// Writes a scalar to an object that is no segment, inside of it.
    pub fn write(&mut self, id: ObjectId, at: i64, field: Field) {
        let pointer_bits = self.pointer_bits;
        if let Some(object) = self.object_mut(id) {
            object.write(at, field, pointer_bits);
        }
    }

    /// Changes all values.
    pub fn map(&mut self, mut f: impl FnMut(Val) -> Val) {
        self.registers.values_mut().for_each(|field| field.val = f(field.val));
        for object in self.objects.values_mut() {
            if object.fields.values().any(|field| f(field.val) != field.val) {
                Rc::make_mut(object).fields.values_mut().for_each(|field| field.val = f(field.val));
            }
            if let Some(absent) = object.absent
                && let Val::Address(new) = f(Val::Address(absent))
                && new != absent
            {
                Rc::make_mut(object).absent = Some(new);
            }
        }
        for fact in self.facts.values_mut() {
            if let Fact::Inside(address, num) = fact
                && let Val::Address(new) = f(Val::Address(*address))
            {
                *fact = Fact::Inside(new, *num);
            }
        }
    }

    /// Puts a value in all places where a symbol is.
    pub fn replace(&mut self, symbol: Symbol, by: Val) {
        self.map(|val| if val == Val::Unknown(symbol) { by } else { val });
    }

    /// Addresses that a value may have.
    pub fn leads_to(&self, val: Val) -> Option<Address> {
        match val {
            Val::Address(address) => Some(address),
            Val::Unknown(symbol) => match self.facts[&symbol] {
                Fact::Inside(address, _) => Some(address),
                _ => None,
            },
            _ => None,
        }
    }

    /// The objects that can be reached from some values, besides those that can be reached from `found`.
    pub fn reach(&self, roots: impl IntoIterator<Item = Val>, found: &mut BTreeSet<ObjectId>) {
        let mut waiting: Vec<ObjectId> = found.iter().copied().collect();
        let mut visit = |val: Val, waiting: &mut Vec<ObjectId>| {
            if let Some(address) = self.leads_to(val)
                && found.insert(address.object)
            {
                waiting.push(address.object);
            }
        };
        roots.into_iter().for_each(|val| visit(val, &mut waiting));
        while let Some(id) = waiting.pop() {
            self.object(id).fields.values().for_each(|field| visit(field.val, &mut waiting));
        }
    }

    /// Objects that are alive without being reached.
    pub fn roots(&self) -> BTreeSet<ObjectId> {
        let is_root = |object: &Object| object.alive && object.kind != Kind::Heap;
        self.objects.iter().filter(|(_, object)| is_root(object)).map(|(id, _)| *id).collect()
    }

    /// Drops objects that nothing leads to, and what is known of symbols that are nowhere.
    pub fn collect(&mut self) {
        let mut reached = self.roots();
        self.reach(self.registers.values().map(|field| field.val).collect::<Vec<_>>(), &mut reached);
        let lost = self.objects.iter().any(|(id, object)| object.alive && !reached.contains(id));
        self.lost |= lost;
        self.objects.retain(|id, _| reached.contains(id));
        let mut used = BTreeSet::new();
        let fields = self.objects.values().flat_map(|object| object.fields.values().map(|field| field.val));
        for val in self.registers.values().map(|field| field.val).chain(fields) {
            if let Val::Unknown(symbol) = val {
                used.insert(symbol);
            }
        }
        self.facts.retain(|symbol, _| used.contains(symbol));
    }

    /// A variable ends.
    pub fn end_variable(&mut self, register: Register) {
        if let Some(id) = self.variables.remove(&register)
            && let Some(object) = self.object_mut(id)
        {
            object.end();
        }
    }

    /// What leads to each object.
    pub fn referrers(&self) -> Referrers {
        let mut found: BTreeMap<ObjectId, Vec<_>> = BTreeMap::new();
        let mut add = |by, address: Address| found.entry(address.object).or_default().push((by, address));
        for address in self.registers.values().filter_map(|field| field.val.address()) {
            add(None, address);
        }
        for fact in self.facts.values() {
            if let Fact::Inside(address, _) = fact {
                add(None, *address);
            }
        }
        for (id, object) in &self.objects {
            object.addresses().for_each(|(at, address)| add(Some((*id, at)), address));
        }
        found
    }

    /// The same graph with its objects and symbols numbered in the order in which they are met.
    pub fn canonical(&self) -> Graph {
        let mut numbering = Numbering::default();
        for id in self.variables.values() {
            numbering.object(*id);
        }
        for field in self.registers.values() {
            numbering.val(self, field.val);
        }
        let mut next = 0;
        loop {
            let Some(id) = numbering.order.get(next).copied() else {
                // Objects of frames may be reached by nothing.
                match self.objects.keys().find(|id| !numbering.objects.contains_key(id)) {
                    Some(id) => numbering.object(*id),
                    None => break,
                }
                continue;
            };
            next += 1;
            self.object(id).fields.values().for_each(|field| numbering.val(self, field.val));
        }
        let object = |id: &ObjectId| numbering.objects[id];
        let rename = |val: Val| match val {
            Val::Address(address) => Val::Address(Address { object: object(&address.object), ..address }),
            Val::Unknown(symbol) => Val::Unknown(numbering.symbols[&symbol]),
            _ => val,
        };
        let renamed = |id: &ObjectId| {
            if self.object(*id).is_plain() {
                return self.objects[id].clone();
            }
            let mut object = (*self.objects[id]).clone();
            object.fields.values_mut().for_each(|field| field.val = rename(field.val));
            object.owner = object.owner.map(|owner| numbering.objects[&owner]);
            object.absent = object.absent.and_then(|absent| rename(Val::Address(absent)).address());
            Rc::new(object)
        };
        let fact = |symbol: &Symbol| match self.facts[symbol] {
            Fact::Inside(address, num) => Fact::Inside(Address { object: object(&address.object), ..address }, num),
            fact => fact,
        };
        Graph {
            pointer_bits: self.pointer_bits,
            registers: self
                .registers
                .iter()
                .map(|(key, field)| (*key, Field { val: rename(field.val), ..*field }))
                .collect(),
            variables: self.variables.iter().map(|(register, id)| (*register, object(id))).collect(),
            objects: numbering.order.iter().map(|id| (object(id), renamed(id))).collect(),
            facts: numbering.symbols.iter().map(|(old, new)| (*new, fact(old))).collect(),
            lost: self.lost,
            branchings: self.branchings.clone(),
            next_object: numbering.order.len(),
            next_symbol: numbering.symbols.len(),
        }
    }

    /// How many registers, symbols, objects and fields there are: what it takes to go through all of it.
    pub fn weight(&self) -> usize {
        let fields: usize = self.objects.values().map(|object| object.fields.len()).sum();
        self.registers.len() + self.facts.len() + self.objects.len() + fields
    }

    /// Whether the same objects are lists, of the same lengths.
    pub fn has_shape_of(&self, other: &Graph) -> bool {
        let shape = |graph: &Graph| -> Vec<_> {
            graph.objects.values().map(|object| (object.segment, object.lengths, object.owner, object.absent)).collect()
        };
        shape(self) == shape(other)
    }

    /// A hash of the objects and of what leads to them: the same for graphs that differ in numbers, and in how long lists are.
    pub fn skeleton(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        for (id, object) in &self.objects {
            (id, object.kind, object.alive).hash(&mut hasher);
            object.addresses().for_each(|(at, to)| (at, to.object, to.offset).hash(&mut hasher));
        }
        for (key, field) in &self.registers {
            field.val.address().map(|to| (to.object, to.offset)).hash(&mut hasher);
            key.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Objects of a frame end.
    pub fn end_frame(&mut self, stack: StackId) {
        self.registers.retain(|(s, _), _| *s != stack);
        self.variables.retain(|(s, _), _| *s != stack);
        for object in self.objects.values_mut() {
            if matches!(object.kind, Kind::Variable(s, _) | Kind::Frame(s) if s == stack) && object.alive {
                Rc::make_mut(object).end();
            }
        }
    }
}

/// New numbers, by the old ones.
#[derive(Default)]
struct Numbering {
    objects: BTreeMap<ObjectId, ObjectId>,
    order: Vec<ObjectId>,
    symbols: BTreeMap<Symbol, Symbol>,
}

impl Numbering {
    fn object(&mut self, id: ObjectId) {
        if let std::collections::btree_map::Entry::Vacant(entry) = self.objects.entry(id) {
            entry.insert(ObjectId::from_index(self.order.len()));
            self.order.push(id);
        }
    }

    fn val(&mut self, graph: &Graph, val: Val) {
        match val {
            Val::Address(address) => self.object(address.object),
            Val::Unknown(symbol) => {
                let next = Symbol::from_index(self.symbols.len());
                self.symbols.entry(symbol).or_insert(next);
                if let Fact::Inside(address, _) = graph.facts[&symbol] {
                    self.object(address.object);
                }
            }
            _ => {}
        }
    }
}

/// An address at the beginning of an object.
pub fn beginning(object: ObjectId) -> Val {
    Val::Address(Address { object, side: Side::First, offset: 0 })
}
