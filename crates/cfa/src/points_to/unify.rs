//! The solver of the points-to analysis: nodes, cells and slots that are unified, never taken apart.
//!
//! * A *node* stands for memory objects that pointers can't tell apart. It has a *stride*: 0, or `k` if offsets count modulo
//!   `k` (arrays; 1 means that all bytes are one). Nodes are joined with a shift between their offsets, so that a pointer
//!   into the middle of an object meets the right bytes. Two pointers with different offsets into one node make the
//!   difference part of the stride.
//! * A *cell* is a range of bytes of a node that scalars were accessed in. Overlapping cells become one.
//! * A *slot* is what may hold a pointer: a register, a cell's content, a value in between. A slot knows at most one
//!   pointer; as long as it knows none, flows out of it wait [steensgaard96, Sec. 4: conditional joins].
//!
//! * A slot may also hold a *number*: one that was computed, read as an input, or put together from parts, so that it may equal an
//!   address without being a copy of it; it may be *derived* from addresses. Numbers spread along the flows between slots
//!   ([`Solver::spread_numbers`]).
//!
//! Work is kept in a list of tasks instead of recursion.

use super::Object;
use super::slots::{DERIVED_BIT, EXTERNAL, Kind, NUMBER_BIT, Node, Ptr, Slot, TypeMask, Val};
use num_integer::gcd;
use std::collections::BTreeMap;

enum Task {
    Unify(Ptr, Ptr),
    Point(u32, Ptr),
    Stride(u32, u64),
}

/// All nodes and slots.
#[derive(Default)]
pub(super) struct Solver {
    pub slots: Vec<Slot>,
    pub nodes: Vec<Node>,
    /// Flows from slots to others.
    flows: Vec<(u32, u32)>,
    /// Which slots are computed from which.
    computed: Vec<(u32, u32)>,
    tasks: Vec<Task>,
}

impl Solver {
    /// A solver that knows external memory: any byte of it may be part of a pointer to any byte of it.
    pub(super) fn new() -> Self {
        let mut solver = Self::default();
        let external = solver.node(Some(Object::External));
        solver.nodes[external as usize].stride = 1;
        solver.nodes[external as usize].filled = true;
        solver
    }

    pub(super) fn slot(&mut self) -> u32 {
        let id = self.slots.len() as u32;
        self.slots.push(Slot { parent: id, ptr: None, kind: 0, waiting: Vec::new(), size: 0, types: 0 });
        id
    }

    pub(super) fn node(&mut self, object: Option<Object>) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            parent: id,
            shift: 0,
            stride: 0,
            cells: BTreeMap::new(),
            objects: object.map(|o| (o, 0)).into_iter().collect(),
            cuts: Vec::new(),
            filled: false,
        });
        id
    }

    pub(super) fn find(&mut self, mut slot: u32) -> u32 {
        while self.slots[slot as usize].parent != slot {
            let up = self.slots[self.slots[slot as usize].parent as usize].parent;
            self.slots[slot as usize].parent = up;
            slot = up;
        }
        slot
    }

    /// The same place in the node that represents its class.
    pub(super) fn locate(&mut self, Ptr { mut node, mut off }: Ptr) -> Ptr {
        loop {
            let parent = self.nodes[node as usize].parent;
            if parent == node {
                return Ptr { node, off: self.normal(node, off) };
            }
            let Node { parent: up, shift, .. } = self.nodes[parent as usize];
            let here = &mut self.nodes[node as usize];
            if up != parent {
                here.shift = here.shift.wrapping_add(shift);
                here.parent = up;
            }
            off = off.wrapping_add(here.shift);
            node = here.parent;
        }
    }

    /// As [`Solver::locate`], without changing anything.
    pub(super) fn located(&self, Ptr { mut node, mut off }: Ptr) -> Ptr {
        while self.nodes[node as usize].parent != node {
            off = off.wrapping_add(self.nodes[node as usize].shift);
            node = self.nodes[node as usize].parent;
        }
        Ptr { node, off: self.normal(node, off) }
    }

    fn normal(&self, root: u32, off: i64) -> i64 {
        match self.nodes[root as usize].stride {
            0 => off,
            k => off.rem_euclid(k as i64),
        }
    }

    /// Where the value points, without changing anything; `None` if it is no pointer.
    pub(super) fn pointee(&self, val: Val) -> Option<Ptr> {
        if !val.has_slot() {
            return None;
        }
        let mut slot = val.slot;
        while self.slots[slot as usize].parent != slot {
            slot = self.slots[slot as usize].parent;
        }
        Some(self.located(self.slots[slot as usize].ptr?.plus(val.shift)))
    }

    /// Where the value points; a value that was no pointer so far gets a new node. `None` for values without a slot.
    pub(super) fn force(&mut self, val: Val) -> Option<Ptr> {
        if !val.has_slot() {
            return None;
        }
        let slot = self.find(val.slot);
        let ptr = match self.slots[slot as usize].ptr {
            Some(ptr) => ptr,
            None => {
                let ptr = Ptr { node: self.node(None), off: 0 };
                self.point(slot, ptr);
                ptr
            }
        };
        if val.stride != 0 {
            self.tasks.push(Task::Stride(ptr.node, val.stride));
        }
        self.run();
        Some(self.locate(ptr.plus(val.shift)))
    }

    /// The slot holds (also) this pointer.
    pub(super) fn set(&mut self, slot: u32, ptr: Ptr) {
        self.tasks.push(Task::Point(slot, ptr));
        self.run();
    }

    /// `dst` gets the value.
    pub(super) fn flow(&mut self, val: Val, dst: u32) {
        match val.has_slot() {
            true => self.flows.push((val.slot, dst)),
            false if val == Val::NUMBER => drop(self.mark(dst, NUMBER_BIT)),
            false => {}
        }
        self.flow_copies(val, dst);
    }

    /// `dst` gets the pointer that the value is, but no number.
    pub(super) fn flow_copies(&mut self, val: Val, dst: u32) {
        if !val.has_slot() {
            return;
        }
        let src = self.find(val.slot);
        match self.slots[src as usize].ptr {
            Some(ptr) => {
                if val.stride != 0 {
                    self.tasks.push(Task::Stride(ptr.node, val.stride));
                }
                self.set(dst, ptr.plus(val.shift));
            }
            None => self.slots[src as usize].waiting.push((dst, val.shift, val.stride)),
        }
    }

    /// A slot for what is computed from these values.
    pub(super) fn computed(&mut self, operands: &[Val]) -> Val {
        let slot = self.slot();
        self.slots[slot as usize].kind = NUMBER_BIT;
        self.computed.extend(operands.iter().filter(|val| val.has_slot()).map(|val| (val.slot, slot)));
        Val::of(slot)
    }

    /// Adds to what the slot may hold besides copies of pointers. Whether that is new.
    pub(super) fn mark(&mut self, slot: u32, kind: Kind) -> bool {
        let slot = self.find(slot);
        let old = self.slots[slot as usize].kind;
        self.slots[slot as usize].kind |= kind;
        old | kind != old
    }

    /// What the value may be besides a copy of a pointer.
    pub(super) fn kind(&mut self, val: Val) -> Kind {
        match val.has_slot() {
            true => {
                let slot = self.find(val.slot);
                self.slots[slot as usize].kind
            }
            // Constants, too.
            false => NUMBER_BIT,
        }
    }

    /// Lets numbers get wherever their slots flow, and what is computed from addresses be known as such.
    pub(super) fn spread_numbers(&mut self) {
        let flows = self.representatives(|solver| &mut solver.flows);
        let computed = self.representatives(|solver| &mut solver.computed);
        for (src, dst) in &computed {
            if self.slots[*src as usize].ptr.is_some() {
                self.slots[*dst as usize].kind |= DERIVED_BIT;
            }
        }
        let mut work: Vec<u32> = (0..self.slots.len() as u32).filter(|s| self.slots[*s as usize].kind != 0).collect();
        while let Some(slot) = work.pop() {
            for (edges, passes) in [(&flows, NUMBER_BIT | DERIVED_BIT), (&computed, DERIVED_BIT)] {
                let first = edges.partition_point(|(src, _)| *src < slot);
                for (_, dst) in edges[first..].iter().take_while(|(src, _)| *src == slot) {
                    let kind = self.slots[slot as usize].kind & passes;
                    if self.mark(*dst, kind) {
                        work.push(*dst);
                    }
                }
            }
        }
        (self.flows, self.computed) = (flows, computed);
    }

    /// Edges between the representatives of slots, sorted.
    fn representatives(&mut self, edges: impl Fn(&mut Self) -> &mut Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        let mut all = std::mem::take(edges(self));
        for (src, dst) in &mut all {
            (*src, *dst) = (self.find(*src), self.find(*dst));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Makes the two places one.
    pub(super) fn unify(&mut self, a: Ptr, b: Ptr) {
        self.tasks.push(Task::Unify(a, b));
        self.run();
    }

    /// The cell for an access of `size` bytes.
    pub(super) fn cell(&mut self, at: Ptr, size: u32, types: TypeMask) -> u32 {
        let Ptr { node, off } = self.locate(at);
        let n = &self.nodes[node as usize];
        let size = if n.stride == 1 { 1 } else { size };
        if let Some(cell) = n.cells.get(&off).copied() {
            let cell = self.find(cell);
            if self.slots[cell as usize].size == size {
                self.slots[cell as usize].types |= types;
                return cell;
            }
        }
        let cell = self.slot();
        self.slots[cell as usize].types = types;
        self.insert(node, off, size, cell);
        if self.nodes[node as usize].filled {
            self.tasks.push(Task::Point(cell, Ptr { node: EXTERNAL, off: 0 }));
        }
        self.run();
        self.find(cell)
    }

    /// Notes a range whose bytes an operation moves or sets as they are.
    pub(super) fn cut(&mut self, at: Ptr, len: u64) {
        let Ptr { node, off } = self.locate(at);
        let cuts = &mut self.nodes[node as usize].cuts;
        cuts.extend([off, off.wrapping_add(len as i64)]);
    }

    /// The cells of the node may hold pointers to external memory.
    pub(super) fn fill(&mut self, at: Ptr) {
        let node = self.locate(at).node as usize;
        if !std::mem::replace(&mut self.nodes[node].filled, true) {
            self.fill_cells(node);
            self.run();
        }
    }

    fn fill_cells(&mut self, node: usize) {
        for cell in self.nodes[node].cells.values() {
            self.tasks.push(Task::Point(*cell, Ptr { node: EXTERNAL, off: 0 }));
        }
    }

    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Unify(a, b) => self.unify_now(a, b),
                Task::Point(slot, ptr) => self.point(slot, ptr),
                Task::Stride(node, stride) => {
                    let root = self.locate(Ptr { node, off: 0 }).node;
                    self.restrict(root, stride);
                }
            }
        }
    }

    fn point(&mut self, slot: u32, ptr: Ptr) {
        let slot = self.find(slot);
        match self.slots[slot as usize].ptr {
            Some(known) => self.tasks.push(Task::Unify(known, ptr)),
            None => {
                self.slots[slot as usize].ptr = Some(ptr);
                let waiting = std::mem::take(&mut self.slots[slot as usize].waiting);
                self.release(waiting, ptr);
            }
        }
    }

    fn release(&mut self, waiting: Vec<(u32, i64, u64)>, ptr: Ptr) {
        for (dst, shift, stride) in waiting {
            if stride != 0 {
                self.tasks.push(Task::Stride(ptr.node, stride));
            }
            self.tasks.push(Task::Point(dst, ptr.plus(shift)));
        }
    }

    fn merge_slots(&mut self, a: u32, b: u32) {
        let (mut a, mut b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        if self.slots[a as usize].waiting.len() < self.slots[b as usize].waiting.len() {
            std::mem::swap(&mut a, &mut b);
        }
        let gone = &mut self.slots[b as usize];
        gone.parent = a;
        let (ptr, types, waiting) = (gone.ptr, gone.types, std::mem::take(&mut gone.waiting));
        let kind = gone.kind;
        let kept = &mut self.slots[a as usize];
        kept.types |= types;
        kept.kind |= kind;
        match (kept.ptr, ptr) {
            (None, None) => kept.waiting.extend(waiting),
            (Some(known), None) => self.release(waiting, known),
            // Nothing waits for a slot that knows its pointer.
            (_, Some(ptr)) => self.point(a, ptr),
        }
    }

    fn unify_now(&mut self, a: Ptr, b: Ptr) {
        let (mut a, mut b) = (self.locate(a), self.locate(b));
        if a.node == b.node {
            let apart = a.off.wrapping_sub(b.off).unsigned_abs();
            return self.restrict(a.node, apart);
        }
        let weight = |n: &Node| n.cells.len() + n.objects.len() + n.cuts.len();
        if weight(&self.nodes[a.node as usize]) < weight(&self.nodes[b.node as usize]) {
            std::mem::swap(&mut a, &mut b);
        }
        let shift = a.off.wrapping_sub(b.off);
        let gone = &mut self.nodes[b.node as usize];
        gone.parent = a.node;
        gone.shift = shift;
        let stride = gone.stride;
        let cells = std::mem::take(&mut gone.cells);
        let objects = std::mem::take(&mut gone.objects);
        let cuts = std::mem::take(&mut gone.cuts);
        let gone_filled = gone.filled;
        self.restrict(a.node, stride);
        let node = a.node as usize;
        for (off, cell) in cells {
            let cell = self.find(cell);
            let size = self.slots[cell as usize].size;
            // A collapsed node keeps its cell as one byte that stands for all; the stride was taken over already.
            self.insert(a.node, off.wrapping_add(shift), size, cell);
        }
        let kept = &mut self.nodes[node];
        kept.objects.extend(objects.into_iter().map(|(o, off)| (o, off.wrapping_add(shift))));
        kept.cuts.extend(cuts.into_iter().map(|off| off.wrapping_add(shift)));
        if kept.filled != gone_filled {
            kept.filled = true;
            self.fill_cells(node);
        }
    }

    /// Lets offsets of a root count modulo `stride`, too.
    fn restrict(&mut self, root: u32, stride: u64) {
        let node = &mut self.nodes[root as usize];
        let mut new = gcd(node.stride, stride);
        if new == node.stride {
            return;
        }
        if i64::try_from(new).is_err() {
            new = 1;
        }
        node.stride = new;
        let cells = std::mem::take(&mut node.cells);
        for (off, cell) in cells {
            let cell = self.find(cell);
            self.insert(root, off, self.slots[cell as usize].size, cell);
        }
    }

    /// Puts a cell into a root; cells that it overlaps become one with it.
    fn insert(&mut self, root: u32, off: i64, size: u32, cell: u32) {
        let mut off = self.normal(root, off);
        let mut size = i64::from(size);
        let stride = self.nodes[root as usize].stride;
        if stride != 0 && (off as u64).saturating_add(size as u64) > stride {
            // The access wraps around the end of an element.
            self.restrict(root, 1);
            (off, size) = (0, 1);
        }
        let (mut lo, mut hi) = (off, off.saturating_add(size));
        loop {
            let before = self.nodes[root as usize].cells.range(..hi).next_back().map(|(lo, c)| (*lo, *c));
            let Some((start, other)) = before else { break };
            let other = self.find(other);
            let end = start.saturating_add(i64::from(self.slots[other as usize].size));
            if end <= lo {
                break;
            }
            self.nodes[root as usize].cells.remove(&start);
            self.merge_slots(cell, other);
            (lo, hi) = (lo.min(start), hi.max(end));
        }
        let cell = self.find(cell);
        self.slots[cell as usize].size = (hi - lo) as u32;
        self.nodes[root as usize].cells.insert(lo, cell);
    }

    /// Shortens all paths to representatives, so that later look-ups are direct.
    pub(super) fn compress(&mut self) {
        for node in 0..self.nodes.len() as u32 {
            // Two rounds of halving in `locate` do not always reach the root, so repeat until they do.
            while {
                let parent = self.nodes[node as usize].parent;
                self.nodes[parent as usize].parent != parent
            } {
                self.locate(Ptr { node, off: 0 });
            }
        }
        for slot in 0..self.slots.len() as u32 {
            let root = self.find(slot);
            self.slots[slot as usize].parent = root;
        }
        for node in 0..self.nodes.len() {
            let cells = std::mem::take(&mut self.nodes[node].cells);
            let cells = cells.into_iter().map(|(off, cell)| (off, self.find(cell))).collect();
            self.nodes[node].cells = cells;
            let stride = self.nodes[node].stride as i64;
            let cuts = &mut self.nodes[node].cuts;
            if stride != 0 {
                cuts.iter_mut().for_each(|c| *c = c.rem_euclid(stride));
            }
            cuts.sort_unstable();
            cuts.dedup();
        }
    }

    /// Whether the node represents its class.
    pub(super) fn is_root(&self, node: u32) -> bool {
        self.nodes[node as usize].parent == node
    }
}
