//! What runs learn for later ones besides graphs: precisions, and which blocks are of no use. Neither can make an answer wrong, so neither
//! needs trust.

use super::CompositeCpa;
use super::recall::Recall;
use crate::value::cells::KeyId;
use crate::value::persist::Owner;
use crate::value::precision::ValuePrecision;
use analysis::Reducer;
use base::Effort;
use base::bytes::{Digest, Reader, Writer};
use cfa::blocks::BlockKind;
use cfa::content::{for_each_global, write_function};
use cfa::{FuncId, LocId};
use rustc_hash::FxHashSet;

/// Where the precision of a run is kept.
#[derive(Clone, Copy, Debug)]
enum Whose {
    /// The same program text.
    Run(Digest),
    /// Programs with the same functions.
    Skeleton(Digest),
    /// Programs with this function.
    Function(Digest),
}

impl CompositeCpa<'_> {
    /// Keeps what a run has learnt with its effort; `run` stands for the text of the program.
    pub fn keep_precision(&mut self, precision: &ValuePrecision, run: Digest, effort: Effort) {
        if precision.is_full() {
            return;
        }
        let Some(recall) = self.recall.take() else { return };
        let all = precision.restricted(|_| true, |_| true);
        let list = |keys: &[(Option<LocId>, KeyId)]| {
            let mut lines: Vec<Vec<u8>> = keys.iter().map(|key| self.key_bytes(&recall, *key)).collect();
            lines.sort_unstable();
            let mut w = Writer::default();
            w.number(effort.count());
            w.index(lines.len());
            lines.iter().for_each(|line| w.blob(line));
            w.bytes
        };
        let everything = list(&all);
        let dissolved = self.dissolved(&recall);
        for whose in [Whose::Run(run), self.skeleton(&recall)] {
            recall.store.put(&place(&recall, whose), &everything);
        }
        // Of programs that are only similar, other blocks may be of use.
        recall.store.put(&dissolved_place(&recall, run), &dissolved);
        for func in self.functions(None) {
            let mut globals = FxHashSet::default();
            for_each_global(self.value.program, &recall.contents.names, func, |var| {
                globals.insert(var);
            });
            let is_own = |(loc, key): &(Option<LocId>, KeyId)| match (loc, self.value.owner(*key)) {
                (Some(loc), _) => self.value.program.locs[*loc].func == func,
                (None, Owner::Function(owner)) => owner == func,
                (None, Owner::Global(var)) => globals.contains(&var),
                (None, Owner::Nobody) => false,
            };
            let own: Vec<_> = all.iter().copied().filter(is_own).collect();
            if !own.is_empty() {
                recall.store.put(&place(&recall, self.whose_function(&recall, func)), &list(&own));
            }
        }
        self.recall = Some(recall);
    }

    /// Adds what earlier runs have learnt about the same program text; or about one with the same functions, or about functions
    /// of this one. Gives the effort of the runs that have, if there are some.
    pub fn recall_precision(&mut self, precision: &mut ValuePrecision, run: Digest) -> Option<Effort> {
        if precision.is_full() {
            return None;
        }
        let mut recall = self.recall.take()?;
        let mut effort = self.add_keys(&recall, Whose::Run(run), precision);
        if effort.is_some() {
            // What is missing of the two is written again, though nothing new is learnt.
            recall.learnt = self.dissolve_recalled(&recall, run).then_some(precision.len());
        } else {
            effort = self.add_keys(&recall, self.skeleton(&recall), precision);
        }
        if effort.is_none() {
            let functions = self.functions(None).into_iter();
            effort = functions.filter_map(|f| self.add_keys(&recall, self.whose_function(&recall, f), precision)).max();
        }
        self.recall = Some(recall);
        effort
    }

    /// The blocks that runs do not enter any more.
    fn dissolved(&self, recall: &Recall) -> Vec<u8> {
        let partition = &self.blocks.partition;
        let dissolved = partition.blocks.iter_enumerated().filter(|(id, _)| !partition.is_entered(*id));
        let mut lines: Vec<Vec<u8>> = dissolved.map(|(_, block)| self.kind_bytes(recall, block.kind)).collect();
        lines.sort_unstable();
        let mut w = Writer::default();
        w.index(lines.len());
        lines.iter().for_each(|line| w.blob(line));
        w.bytes
    }

    fn kind_bytes(&self, recall: &Recall, kind: BlockKind) -> Vec<u8> {
        let mut w = Writer::default();
        self.write_kind(&mut w, &recall.contents, kind);
        w.bytes
    }

    /// Dissolves the blocks that an earlier run of the same program text has dissolved; whether they are known. It is never wrong to.
    fn dissolve_recalled(&mut self, recall: &Recall, run: Digest) -> bool {
        let address = dissolved_place(recall, run);
        let Some(bytes) = recall.store.get(&address) else { return false };
        let Some(lines) = read_lines(&mut Reader::new(&bytes)) else {
            recall.store.reject(&address);
            return false;
        };
        let partition = self.blocks.partition.clone();
        for (id, block) in partition.blocks.iter_enumerated() {
            if lines.contains(&&self.kind_bytes(recall, block.kind)[..]) {
                self.dissolve(id);
            }
        }
        true
    }

    /// Adds a list of keys, if there is one, and gives the effort of the run that has learnt it. Precisions are never wrong, so keys that this
    /// program has not do no harm.
    fn add_keys(&mut self, recall: &Recall, whose: Whose, precision: &mut ValuePrecision) -> Option<Effort> {
        let address = place(recall, whose);
        let bytes = recall.store.get(&address)?;
        let r = &mut Reader::new(&bytes);
        let read = r.number().and_then(|effort| Some((u64::try_from(effort).ok()?, read_lines(r)?)));
        let Some((effort, lines)) = read else {
            recall.store.reject(&address);
            return None;
        };
        for line in lines {
            self.value.read_key(&mut Reader::new(line), &recall.contents, precision);
        }
        recall.store.used(&address);
        Some(Effort::units(effort))
    }

    fn skeleton(&self, recall: &Recall) -> Whose {
        let mut names: Vec<&str> =
            self.functions(None).into_iter().map(|func| &**recall.contents.names.func_name(func)).collect();
        names.sort_unstable();
        let mut w = Writer::default();
        names.iter().for_each(|name| w.text(name));
        Whose::Skeleton(w.address())
    }

    fn whose_function(&self, recall: &Recall, func: FuncId) -> Whose {
        let mut w = Writer::default();
        write_function(&mut w, self.value.program, &recall.contents.names, func);
        Whose::Function(w.address())
    }
}

fn read_lines<'b>(r: &mut Reader<'b>) -> Option<Vec<&'b [u8]>> {
    let count = r.length()?;
    (0..count).map(|_| r.blob()).collect()
}

fn dissolved_place(recall: &Recall, run: Digest) -> Digest {
    let mut w = Writer::default();
    w.text("dissolved blocks");
    w.digest(&place(recall, Whose::Run(run)));
    w.address()
}

fn place(recall: &Recall, whose: Whose) -> Digest {
    let mut w = Writer::default();
    w.digest(&recall.settings);
    let (kind, digest) = match whose {
        Whose::Run(digest) => ("precision of a run", digest),
        Whose::Skeleton(digest) => ("precision of a skeleton", digest),
        Whose::Function(digest) => ("precision of a function", digest),
    };
    w.text(kind);
    w.digest(&digest);
    w.address()
}
