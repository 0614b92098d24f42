//! What earlier runs know of blocks, and what this one keeps for later ones: the successors of the states of a block, by content.
//!
//! The address of what is kept is the hash of the settings, of what the steps of all functions in the block depend on
//! ([`crate::value::content`]), of what the block may touch, of the entry state, and of the part of the precision that matters. Equal
//! addresses mean equal blocks entered equally, so the successors are those that [`analysis::Cpa::transfer`] would give, or were
//! computed with a coarser precision and are as true.
//!
//! What is read is not believed at once: places have to exist, states have to be states of the block, and the successors of a
//! sample of states are computed again and have to be covered. Whatever fails is as if it had not been there.

use super::{Composite, CompositeCpa};
use crate::value::assignment::{Assignment, Work};
use crate::value::cells::{CellId, KeyId};
use crate::value::content::Contents;
use crate::value::number::Val;
use crate::value::precision::ValuePrecision;
use analysis::{AnalysisError, Cpa, Recalling, Store, Successors};
use base::bytes::{Digest, Reader, Writer};
use cfa::blocks::{BlockId, BlockKind};

use cfa::names::Names;
use cfa::{EdgeId, FuncId, LocId, Observer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::Arc;

/// Of the states that are read, the first so many and then one of so many are computed again.
const SAMPLE: usize = 16;

/// What is known from earlier runs.
pub(super) struct Recall {
    pub(super) store: Arc<dyn Store>,
    /// Version, settings and property.
    pub(super) settings: Digest,
    pub(super) contents: Contents,
    functions: FxHashMap<FuncId, Digest>,
    blocks: FxHashMap<Option<BlockId>, Digest>,
    successors: FxHashMap<Composite, Vec<(u32, Composite)>>,
    /// Whether anything was recalled that states may come from.
    was_used: bool,
    /// Whether anything was asked for that is not known.
    has_news: bool,
    /// What is kept of blocks that were recalled.
    known: FxHashSet<Digest>,
    /// Size of the precision that was recalled for this very program.
    pub(super) learnt: Option<usize>,
    asking: Recalling,
}

/// Numbers of things in the order in which they are mentioned.
struct Table<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, usize>,
}

impl<T: Copy + Eq + Hash> Table<T> {
    fn new() -> Self {
        Self { items: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, item: T) -> usize {
        let items = &mut self.items;
        *self.numbers.entry(item).or_insert_with(|| {
            items.push(item);
            items.len() - 1
        })
    }
}

/// What an entry of the store says.
struct Recalled {
    undefined: Vec<EdgeId>,
    graph: Vec<Successors<Composite>>,
}

impl<'p> CompositeCpa<'p> {
    /// The same with a memory of earlier runs; `settings` stands for all that influences steps and is no part of the program.
    pub fn with_store(mut self, store: Arc<dyn Store>, settings: Digest, observer: &Observer) -> Self {
        let mut w = Writer::default();
        w.digest(&settings);
        w.text(&format!("{:?} {:?}", observer.transitions, observer.error));
        w.text(&format!("{:?}", self.value.program.machine));
        self.recall = Some(Box::new(Recall {
            store,
            settings: w.address(),
            contents: Contents::new(Names::new(self.value.program)),
            functions: FxHashMap::default(),
            blocks: FxHashMap::default(),
            successors: FxHashMap::default(),
            was_used: false,
            has_news: false,
            known: FxHashSet::default(),
            learnt: None,
            asking: Recalling::GoesOn,
        }));
        self
    }

    /// The successors of a state that are known from earlier runs.
    #[inline]
    pub(super) fn recalled(&self, from: &Composite) -> Option<&[(u32, Composite)]> {
        let recall = self.recall.as_ref()?;
        recall.successors.get(from).map(|successors| &successors[..])
    }

    /// See [`analysis::Reducer::recall`].
    pub(super) fn recall_block(
        &mut self,
        block: Option<BlockId>,
        entry: &Composite,
        context: &[(Option<LocId>, KeyId)],
        precision: &ValuePrecision,
    ) -> Result<(), AnalysisError> {
        let Some(mut recall) = self.recall.take() else { return Ok(()) };
        let found = match recall.asking {
            Recalling::GoesOn => self.find_block(&mut recall, block, entry, context, precision),
            Recalling::Ends => Ok(None),
        };
        let result = found.map(|found| match found {
            Some(found) => {
                recall.was_used = true;
                self.value.undefined.extend(found.undefined);
                recall.successors.extend(found.graph);
            }
            None => recall.has_news = true,
        });
        self.recall = Some(recall);
        result
    }

    /// What the store has of a block, if it can be used.
    fn find_block(
        &mut self,
        recall: &mut Recall,
        block: Option<BlockId>,
        entry: &Composite,
        context: &[(Option<LocId>, KeyId)],
        precision: &ValuePrecision,
    ) -> Result<Option<Recalled>, AnalysisError> {
        let address = self.address(recall, block, entry, context);
        let Some(bytes) = recall.store.get(&address) else { return Ok(None) };
        if let Some(found) = self.read(recall, &bytes)
            && self.is_covered(&found.graph, precision)?
        {
            recall.store.used(&address);
            recall.known.insert(address);
            return Ok(Some(found));
        }
        recall.store.reject(&address);
        Ok(None)
    }

    /// Whether there is anything to keep that was not recalled.
    pub fn has_news(&self, precision: &ValuePrecision) -> bool {
        self.recall.as_ref().is_some_and(|recall| recall.has_news || recall.learnt != Some(precision.len()))
    }

    /// See [`analysis::Reducer::forget_recalled`].
    pub(super) fn forget(&mut self, asking: Recalling) -> bool {
        let Some(recall) = &mut self.recall else { return false };
        recall.successors.clear();
        let was_used = recall.was_used;
        if asking == Recalling::Ends {
            recall.asking = Recalling::Ends;
            recall.was_used = false;
        }
        was_used
    }

    /// The graph has nodes at other locations, so blocks are others.
    pub(super) fn forget_places(&mut self) {
        let Some(recall) = &mut self.recall else { return };
        recall.functions.clear();
        recall.blocks.clear();
        recall.successors.clear();
    }

    /// See [`analysis::Reducer::keep`].
    pub(super) fn keep_block(
        &mut self,
        block: Option<BlockId>,
        entry: &Composite,
        context: &[(Option<LocId>, KeyId)],
        graph: &[Successors<Composite>],
    ) {
        let Some(mut recall) = self.recall.take() else { return };
        let address = self.address(&mut recall, block, entry, context);
        if !recall.known.contains(&address) {
            let bytes = self.write(&mut recall, block, graph);
            recall.store.put(&address, &bytes);
        }
        self.recall = Some(recall);
    }

    /// Whether the successors of a sample of states are covered by those that are claimed.
    fn is_covered(
        &mut self,
        graph: &[Successors<Composite>],
        precision: &ValuePrecision,
    ) -> Result<bool, AnalysisError> {
        let mut out = Vec::new();
        for (number, (state, claimed)) in graph.iter().enumerate() {
            if number >= SAMPLE && number % SAMPLE != 0 {
                continue;
            }
            out.clear();
            self.transfer(state, precision, &mut out)?;
            for successor in &out {
                let claim = claimed.iter().find(|(choice, _)| *choice == successor.choice);
                let Some((_, upper)) = claim else { return Ok(false) };
                if successor.target.is_some() || !self.leq(&successor.state, upper)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The functions with edges in a block.
    pub(super) fn functions(&self, block: Option<BlockId>) -> Vec<FuncId> {
        let program = self.value.program;
        let mut funcs: Vec<FuncId> = match block {
            None => program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect(),
            Some(block) => {
                let block = &self.blocks.partition.blocks[block];
                block.funcs.iter().copied().chain([block.func]).collect()
            }
        };
        funcs.sort_unstable();
        funcs.dedup();
        funcs
    }

    /// What the steps of a function depend on.
    fn function(&mut self, recall: &mut Recall, func: FuncId) -> Digest {
        if let Some(digest) = recall.functions.get(&func) {
            return *digest;
        }
        let mut w = Writer::default();
        self.value.write_content(&mut w, &mut recall.contents, func);
        for loc in recall.contents.names.locs(func) {
            w.number(self.locations.point(*loc) as u8);
            match self.blocks.partition.at(*loc).map(|block| self.blocks.partition.blocks[block].kind) {
                None => w.number(0u8),
                Some(kind) => self.write_kind(&mut w, &recall.contents, kind),
            }
        }
        let digest = w.address();
        recall.functions.insert(func, digest);
        digest
    }

    pub(super) fn write_kind(&self, w: &mut Writer, contents: &Contents, kind: BlockKind) {
        match kind {
            BlockKind::Function(func) => {
                w.number(1u8);
                contents.names.write_func(w, func);
            }
            BlockKind::Loop(loc) => {
                w.number(2u8);
                contents.names.write_loc(w, self.value.program, loc);
            }
        }
    }

    /// The content of a block, with all that it calls.
    fn block(&mut self, recall: &mut Recall, block: Option<BlockId>) -> Digest {
        if let Some(digest) = recall.blocks.get(&block) {
            return *digest;
        }
        let mut w = Writer::default();
        w.digest(&recall.settings);
        let mut functions: Vec<Digest> =
            self.functions(block).into_iter().map(|func| self.function(recall, func)).collect();
        functions.sort_unstable();
        w.index(functions.len());
        functions.iter().for_each(|digest| w.digest(digest));
        if let Some(block) = block {
            let partition = self.blocks.partition.clone();
            let block = &partition.blocks[block];
            self.write_kind(&mut w, &recall.contents, block.kind);
            let mut touched = Vec::new();
            for var in block.touched_registers() {
                let mut w = Writer::default();
                recall.contents.names.write_var(&mut w, self.value.program, *var);
                if self.value.program.vars[*var].is_global() {
                    let content = self.value.global(&mut recall.contents, *var);
                    w.digest(&content);
                }
                touched.push(w.bytes);
            }
            for object in block.touched_objects() {
                let mut w = Writer::default();
                self.value.write_origin(&mut w, &mut recall.contents, *object);
                touched.push(w.bytes);
            }
            touched.sort_unstable();
            w.index(touched.len());
            touched.iter().for_each(|bytes| w.blob(bytes));
        }
        let digest = w.address();
        recall.blocks.insert(block, digest);
        digest
    }

    /// Where a block that is entered in a state is kept.
    fn address(
        &mut self,
        recall: &mut Recall,
        block: Option<BlockId>,
        entry: &Composite,
        context: &[(Option<LocId>, KeyId)],
    ) -> Digest {
        let content = self.block(recall, block);
        let mut w = Writer::default();
        w.text("block");
        w.digest(&content);
        recall.contents.names.write_loc(&mut w, self.value.program, entry.loc);
        self.value.write_stack(&mut w, &recall.contents, entry.stack);
        w.number(entry.observer);
        let entries: Vec<(CellId, Val)> = self.store.entries(entry.value).collect();
        let mut lines = Vec::new();
        for (cell, val) in entries {
            let mut w = Writer::default();
            self.value.write_cell(&mut w, &mut recall.contents, cell);
            self.value.write_value(&mut w, &mut recall.contents, val);
            lines.push(w.bytes);
        }
        lines.sort_unstable();
        w.index(lines.len());
        lines.iter().for_each(|line| w.blob(line));
        let mut keys: Vec<Vec<u8>> = context.iter().map(|key| self.key_bytes(recall, *key)).collect();
        keys.sort_unstable();
        w.index(keys.len());
        keys.iter().for_each(|key| w.blob(key));
        w.address()
    }

    pub(super) fn key_bytes(&self, recall: &Recall, key: (Option<LocId>, KeyId)) -> Vec<u8> {
        let mut w = Writer::default();
        self.value.write_key(&mut w, &recall.contents, key);
        w.bytes
    }

    fn write(&mut self, recall: &mut Recall, block: Option<BlockId>, graph: &[Successors<Composite>]) -> Vec<u8> {
        let program = self.value.program;
        let contents = &mut recall.contents;
        let (mut states, mut cells, mut values) = (Table::new(), Table::new(), Table::new());
        let (mut stacks, mut locs) = (Table::new(), Table::new());
        let mut edges = Writer::default();
        edges.index(graph.len());
        for (state, successors) in graph {
            edges.index(states.number(*state));
            edges.index(successors.len());
            for (choice, next) in successors {
                edges.number(*choice);
                edges.index(states.number(*next));
            }
        }
        let mut list = Writer::default();
        list.index(states.items.len());
        for state in &states.items {
            list.index(locs.number(state.loc));
            list.index(stacks.number(state.stack));
            list.number(state.observer);
            list.index(self.store.entries(state.value).count());
            for (cell, val) in self.store.entries(state.value) {
                list.index(cells.number(cell));
                list.index(values.number(val));
            }
        }
        let mut w = Writer::default();
        let funcs = self.functions(block);
        let undefined: Vec<EdgeId> = self.value.undefined.iter().copied().collect();
        let undefined: Vec<EdgeId> = undefined
            .into_iter()
            .filter(|edge| funcs.binary_search(&program.locs[program.edges[*edge].src].func).is_ok())
            .collect();
        w.index(undefined.len());
        undefined.iter().for_each(|edge| contents.names.write_edge(&mut w, *edge));
        w.index(locs.items.len());
        locs.items.iter().for_each(|loc| contents.names.write_loc(&mut w, program, *loc));
        w.index(stacks.items.len());
        stacks.items.iter().for_each(|stack| self.value.write_stack(&mut w, contents, *stack));
        w.index(cells.items.len());
        cells.items.iter().for_each(|cell| self.value.write_cell(&mut w, contents, *cell));
        w.index(values.items.len());
        values.items.iter().for_each(|val| self.value.write_value(&mut w, contents, *val));
        w.bytes.extend_from_slice(&list.bytes);
        w.bytes.extend_from_slice(&edges.bytes);
        w.bytes
    }

    fn read(&mut self, recall: &mut Recall, bytes: &[u8]) -> Option<Recalled> {
        let contents = &mut recall.contents;
        let r = &mut Reader::new(bytes);
        let undefined = (0..r.length()?).map(|_| contents.names.read_edge(r)).collect::<Option<Vec<EdgeId>>>()?;
        let locs = (0..r.length()?).map(|_| contents.names.read_loc(r)).collect::<Option<Vec<LocId>>>()?;
        let stacks = (0..r.length()?).map(|_| self.value.read_stack(r, contents)).collect::<Option<Vec<_>>>()?;
        let cells = (0..r.length()?).map(|_| self.value.read_cell(r, contents)).collect::<Option<Vec<_>>>()?;
        let values = (0..r.length()?).map(|_| self.value.read_value(r, contents)).collect::<Option<Vec<_>>>()?;
        let strategy = self.strategies.current();
        let mut states = Vec::new();
        let mut work = Work::default();
        for _ in 0..r.length()? {
            let (loc, stack) = (*locs.get(r.narrow::<usize>()?)?, *stacks.get(r.narrow::<usize>()?)?);
            if self.value.program.locs[loc].func != self.value.stacks.frame(stack).func {
                return None;
            }
            let observer = r.narrow()?;
            work.retain(|_| false);
            for _ in 0..r.length()? {
                let (cell, val) = (*cells.get(r.narrow::<usize>()?)?, *values.get(r.narrow::<usize>()?)?);
                work.set(cell, val);
            }
            states.push(Composite { loc, stack, value: self.store.intern(&work), observer, strategy });
        }
        let mut graph = Vec::new();
        for _ in 0..r.length()? {
            let state = *states.get(r.narrow::<usize>()?)?;
            let mut next = Vec::new();
            for _ in 0..r.length()? {
                next.push((r.narrow()?, *states.get(r.narrow::<usize>()?)?));
            }
            graph.push((state, next));
        }
        let error = self.kernel.automaton.error();
        let is_sound = states.iter().all(|state| state.observer != error);
        (r.is_empty() && is_sound).then_some(Recalled { undefined, graph })
    }
}
