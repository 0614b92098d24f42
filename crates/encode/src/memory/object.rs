//! The table of memory objects of one exploration.

use base::{IdVec, new_id};
use cfa::layout::AddressSpace;
use cfa::points_to;
use cfa::{AllocKind, EdgeId, Program, Storage, VarId};
use smt::TermId;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

new_id! {
    /// A memory object.
    pub struct ObjId;
}

new_id! {
    /// A layout of objects in the address space. Explorations whose states are never joined have each their own, so that one does not
    /// take room from another.
    pub struct LayoutId;
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    /// A global memory variable.
    Global(VarId),
    /// An instance of a local memory variable.
    Local(VarId),
    /// Made by `malloc` and friends.
    Heap(EdgeId),
    /// Made by `alloca`, or a variable-length array.
    Stack(EdgeId),
}

impl From<ObjectKind> for points_to::Object {
    fn from(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::Global(var) | ObjectKind::Local(var) => Self::Var(var),
            ObjectKind::Heap(edge) | ObjectKind::Stack(edge) => Self::Alloc(edge),
        }
    }
}

impl ObjectKind {
    /// Whether an operation that ends objects of that kind can end it.
    pub fn ends_as(self, kind: AllocKind) -> bool {
        match self {
            ObjectKind::Heap(_) => kind != AllocKind::Stack,
            ObjectKind::Stack(_) => kind == AllocKind::Stack,
            ObjectKind::Global(_) | ObjectKind::Local(_) => false,
        }
    }
}

/// Size of an object in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Known.
    Const(u64),
    /// A term of pointer width, at most [`Object::room`].
    Term(TermId),
}

/// What bytes hold that were never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Zero.
    Zero,
    /// Anything; the same each time it is read.
    Arbitrary,
    /// What they held at the start of a block: canonical variables (see [`crate::canon`]).
    Before,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Address of the first byte.
    pub base: u64,
    /// Size.
    pub size: Size,
    /// Greatest size that it can have.
    pub room: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// Initial content.
    pub rest: Rest,
    /// Element size of its representation as an array, fixed when it is first needed.
    pub elem: Option<u32>,
}

/// Objects by id, and by address in each layout.
pub struct Objects {
    objects: IdVec<ObjId, Object>,
    layouts: IdVec<LayoutId, Layout>,
    globals: IdVec<VarId, Option<ObjId>>,
    homes: Option<Homes>,
}

/// Addresses that objects have in all layouts: those of one operation in one frame, the first one that is made in a layout, the second, and so on.
struct Homes {
    space: AddressSpace,
    /// Where its slots begin.
    frame: u32,
    /// Address and room.
    known: BTreeMap<(u32, ObjectKind, u32), (u64, u64)>,
    differ: bool,
}

impl Homes {
    /// The address of a new object in a layout; `None` when there is no room.
    fn find(&mut self, taken: &BTreeMap<u64, ObjId>, (room, align): (u64, u64), kind: ObjectKind) -> Option<u64> {
        for count in 0.. {
            match self.known.entry((self.frame, kind, count)) {
                Entry::Vacant(entry) => {
                    let base = self.space.allocate(room, align)?;
                    entry.insert((base, room));
                    return Some(base);
                }
                Entry::Occupied(entry) => {
                    let (base, known) = *entry.get();
                    if !taken.contains_key(&base) {
                        if room <= known && base.is_multiple_of(align) {
                            return Some(base);
                        }
                        self.differ = true;
                    }
                }
            }
        }
        None
    }
}

#[derive(Clone)]
struct Layout {
    by_base: BTreeMap<u64, ObjId>,
    space: AddressSpace,
}

impl LayoutId {
    /// The layout that has the globals only when an exploration begins.
    pub const FIRST: Self = Self(0);
}

impl Objects {
    /// The global memory variables of a program. Fails when they don't fit into the address space.
    pub fn new(program: &Program) -> Result<Self, &'static str> {
        let (space, bases) =
            AddressSpace::with_globals(program).ok_or("global variables that do not fit into the address space")?;
        let mut this = Self {
            objects: IdVec::new(),
            layouts: IdVec::from_elem(Layout { by_base: BTreeMap::new(), space }, 1),
            globals: IdVec::from_elem(None, program.vars.len()),
            homes: None,
        };
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, Storage::Memory { size: room, .. }) = (var.is_global(), var.storage) {
                let (size, kind) = (Size::Const(room), ObjectKind::Global(id));
                let object = Object { base: bases[id], size, room, kind, rest: Rest::Zero, elem: None };
                let object = this.insert(LayoutId::FIRST, object);
                this.globals[id] = Some(object);
            }
        }
        Ok(this)
    }

    fn insert(&mut self, layout: LayoutId, object: Object) -> ObjId {
        let base = object.base;
        let id = self.objects.push(object);
        self.layouts[layout].by_base.insert(base, id);
        id
    }

    /// A layout with the globals and those of the objects of another one that `exist`, for an exploration of its own from there.
    pub fn fork(&mut self, layout: LayoutId, exists: impl Fn(ObjId) -> bool) -> LayoutId {
        let mut forked = self.layouts[layout].clone();
        let is_global = |id: ObjId| matches!(self.objects[id].kind, ObjectKind::Global(_));
        forked.by_base.retain(|_, id| is_global(*id) || exists(*id));
        self.layouts.push(forked)
    }

    /// A new object of `room` bytes at most; `None` when the layout is full.
    pub fn allocate(
        &mut self,
        layout: LayoutId,
        (size, room, align): (Size, u64, u32),
        kind: ObjectKind,
        rest: Rest,
    ) -> Option<ObjId> {
        let Layout { space, by_base } = &mut self.layouts[layout];
        let mut base = space.allocate(room, u64::from(align))?;
        if let Some(homes) = &mut self.homes {
            base = homes.find(by_base, (room, u64::from(align)), kind)?;
        }
        Some(self.insert(layout, Object { base, size, room, kind, rest, elem: None }))
    }

    /// From now on, objects of one operation in one frame have the same addresses in all layouts, so that what is known of addresses in one
    /// exploration can be said of another.
    pub fn share_addresses(&mut self) {
        let space = self.layouts[LayoutId::FIRST].space.clone();
        self.homes = Some(Homes { space, frame: 0, known: BTreeMap::new(), differ: false });
    }

    /// The frame of the operations that follow, by where its slots begin.
    pub fn set_frame(&mut self, frame: u32) {
        if let Some(homes) = &mut self.homes {
            homes.frame = frame;
        }
    }

    /// Whether all objects got addresses that they can have in all layouts.
    pub fn addresses_agree(&self) -> bool {
        self.homes.as_ref().is_none_or(|homes| !homes.differ)
    }

    /// Whether a quarter of the address space is still free when an object of that size is made.
    pub fn leaves_quarter(&self, layout: LayoutId, size: u64) -> bool {
        let space = &self.layouts[layout].space;
        space.free().checked_sub(size).is_some_and(|free| free >= space.size() / 4)
    }

    /// The object of a global memory variable.
    pub fn global(&self, var: VarId) -> Option<ObjId> {
        self.globals[var]
    }

    /// The object.
    pub fn get(&self, id: ObjId) -> &Object {
        &self.objects[id]
    }

    /// The object, to be changed.
    pub fn get_mut(&mut self, id: ObjId) -> &mut Object {
        &mut self.objects[id]
    }

    /// All objects in the order in which they were made.
    pub fn ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        self.objects.ids()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The object that an address belongs to in a layout: it holds the address, ends there, or is the nearest one across the gap.
    /// `None` for addresses far from all objects.
    pub fn owner(&self, layout: LayoutId, address: u64) -> Option<ObjId> {
        let by_base = &self.layouts[layout].by_base;
        let below = by_base.range(..=address).next_back().map(|(_, id)| *id);
        let above = by_base.range(address..).next().map(|(_, id)| *id);
        /// Half of what lies between objects at least, where there is room.
        const REACH: u64 = 2 << 10;
        if let Some(id) = below {
            let object = &self.objects[id];
            let past = address - object.base;
            if past <= object.room {
                return Some(id);
            }
            let distance = past - object.room;
            match above.map(|id| (id, self.objects[id].base - address)) {
                Some((next, before)) if before < distance && before <= REACH => return Some(next),
                _ if distance <= REACH => return Some(id),
                _ => return None,
            }
        }
        above.filter(|id| self.objects[*id].base - address <= REACH)
    }
}
