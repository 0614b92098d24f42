//! Joins runs where their paths meet.

use super::machine::Machine;
use super::state::{Content, Obj, Runs};
use cfa::VarId;
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Machine<'_, '_> {
    /// All runs that meet at a point; those that parted last are joined first, so that conditions of branches cancel.
    pub fn join_all(&mut self, mut runs: Vec<Runs>) -> Option<Runs> {
        while runs.len() > 1 {
            let guards = &self.enc.guards;
            let near = |i: &usize| (guards.depth(guards.ancestor(runs[*i].guard, runs[i + 1].guard)), *i);
            let i = (0..runs.len() - 1).max_by_key(near)?;
            let second = runs.remove(i + 1);
            let first = runs.remove(i);
            let joined = self.join(first, second);
            runs.insert(i, joined);
        }
        runs.pop()
    }

    fn join(&mut self, mut a: Runs, mut b: Runs) -> Runs {
        let join = self.enc.guards.join(&mut self.enc.terms, a.guard, b.guard);
        let first = join.first;
        let changed: BTreeSet<VarId> = a.globals.keys().chain(b.globals.keys()).copied().collect();
        for var in changed {
            let (x, y) = (self.register(&mut a, 0, var), self.register(&mut b, 0, var));
            let value = self.enc.terms.ite(first, x, y);
            a.globals.insert(var, value);
        }
        for frame in 0..a.frames.len() {
            a.frames[frame].counts.join(&b.frames[frame].counts);
            let both = a.frames[frame].registers.keys().chain(b.frames[frame].registers.keys());
            let changed: BTreeSet<VarId> = both.copied().collect();
            for var in changed {
                let known = |runs: &Runs| runs.frames[frame].registers.get(&var).copied();
                let (x, y) = match (known(&a), known(&b)) {
                    (Some(x), Some(y)) => (x, y),
                    _ => (self.register(&mut a, frame, var), self.register(&mut b, frame, var)),
                };
                let value = self.enc.terms.ite(first, x, y);
                a.frames[frame].registers.insert(var, value);
            }
        }
        let objects: BTreeSet<Obj> = a.memory.keys().chain(b.memory.keys()).copied().collect();
        for object in objects {
            let (x, y) = match (a.memory.get(&object).cloned(), b.memory.get(&object).cloned()) {
                (Some(x), Some(y)) if Rc::ptr_eq(&x, &y) => continue,
                (Some(x), Some(y)) => (x, y),
                (Some(x), None) if self.is_global(object) => (x, self.global_content(&b, object)),
                (None, Some(y)) if self.is_global(object) => (self.global_content(&a, object), y),
                // It was made on one side; no pointer of the other one leads to it.
                (Some(only), None) | (None, Some(only)) => {
                    a.memory.insert(object, only);
                    continue;
                }
                (None, None) => continue,
            };
            let joined = self.join_content(first, object, &x, &y);
            a.memory.insert(object, Rc::new(joined));
        }
        a.external = self.enc.terms.ite(first, a.external, b.external);
        a.guard = join.guard;
        a
    }

    /// What an object holds: `x` where `first` holds, otherwise `y`.
    pub fn join_content(&mut self, first: TermId, object: Obj, x: &Content, y: &Content) -> Content {
        let mut cells = BTreeMap::new();
        let mut ranges: BTreeSet<(u64, u64)> = BTreeSet::new();
        for content in [x, y] {
            ranges.extend(content.cells.iter().map(|(at, (bytes, _))| (*at, at + bytes)));
        }
        let ranges: Vec<(u64, u64)> = ranges.into_iter().collect();
        let mut i = 0;
        while i < ranges.len() {
            // Cells that overlap are cut at each end of one of them.
            let (lo, mut hi) = ranges[i];
            let mut cuts = BTreeSet::from([lo, hi]);
            i += 1;
            while i < ranges.len() && ranges[i].0 < hi {
                cuts.extend([ranges[i].0, ranges[i].1]);
                hi = hi.max(ranges[i].1);
                i += 1;
            }
            let cuts: Vec<u64> = cuts.into_iter().collect();
            for pair in cuts.windows(2) {
                let bytes = pair[1] - pair[0];
                let p = self.read_at(object, x, pair[0], bytes);
                let q = self.read_at(object, y, pair[0], bytes);
                cells.insert(pair[0], (bytes, self.enc.terms.ite(first, p, q)));
            }
        }
        let terms = &mut self.enc.terms;
        Content {
            cells,
            base: terms.ite(first, x.base, y.base),
            dead: terms.ite(first, x.dead, y.dead),
            size: terms.ite(first, x.size, y.size),
        }
    }
}
