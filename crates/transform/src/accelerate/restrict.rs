//! Step 6: the restriction language: which traces of an accelerated program are redundant [kroening15, Def. 5].
//!
//! For each accelerator that covers single iterations and whose repetitions are one: an iteration of its path (where it is in the accelerator's
//! range, if the head is split), and the accelerator twice in a row. Beyond the paper: iterations of paths that another accelerator absorbs, and
//! accelerations in another order than the first where they commute: a word of accelerations is its first letter, a sorted set, and its last letter.
//! An iteration that passes inner loops takes one acceleration of each and no more: their explicit iterations are other letters.

use crate::accelerate::automaton::{Part, Pattern};
use crate::accelerate::build::{Branch, Placed, Site};
use crate::accelerate::path::LoopPath;
use crate::exprs::loads;
use cfa::{EdgeId, Op, Program};
use rustc_hash::FxHashSet;

/// What is forbidden in one function.
#[derive(Default)]
pub struct Restriction {
    /// Forbidden sub-traces.
    pub patterns: Vec<Pattern>,
    /// Edges that neither are letters nor end a sub-trace.
    pub neutral: FxHashSet<EdgeId>,
    /// Accelerators with patterns.
    pub exact: usize,
}

/// The restriction language of one function.
pub fn restriction(program: &Program, sites: &[Site]) -> Restriction {
    let mut found = Restriction::default();
    for site in sites {
        found.neutral.extend(&site.neutral);
        found.neutral.extend(site.placed.iter().map(|placed| placed.pass));
        // The way into the loop as it was begins where the last accelerator is passed.
        let Some(begin) = site.placed.last().map(|placed| placed.pass) else { continue };
        found.neutral.remove(&begin);
        for placed in site.placed.iter().filter(|p| p.facts.covers_in_range && p.facts.is_idempotent) {
            found.exact += 1;
            found.patterns.push(vec![one(placed.enter), one(placed.enter)]);
            found.forbid_iteration(program, sites, past_accelerators(site, Some(placed)), &placed.path);
        }
        for path in &site.absorbed {
            found.forbid_iteration(program, sites, past_accelerators(site, None), path);
        }
        if site.commute {
            found.patterns.extend(order_patterns(site));
        }
        // Letters are never neutral.
        for part in found.patterns.iter().flatten() {
            let (Part::One(letters) | Part::Many(letters)) = part;
            letters.iter().for_each(|letter| {
                found.neutral.remove(letter);
            });
        }
    }
    found
}

impl Restriction {
    /// Forbids one iteration of a path behind `entry`, the way past the accelerators. Forced edges are no letters; the last letter is an edge
    /// behind which nothing can end a run. At the head of an inner loop with accelerators, the path takes one of them, or none, and then goes
    /// into the loop as it was.
    fn forbid_iteration(&mut self, program: &Program, sites: &[Site], entry: Pattern, path: &LoopPath) {
        let mut pattern = entry;
        // Behind the last edge that may end a run or is chosen among others.
        let decisive = path.edges.iter().rposition(|edge| !is_forced(program, *edge) || !is_harmless(program, *edge));
        for (at, edge) in path.edges.iter().enumerate() {
            if at > 0
                && let Some(inner) = sites.iter().find(|inner| inner.body == program.edges[*edge].src)
            {
                let passed = path.passes.iter().find(|pass| pass.at == at).map(|pass| pass.accelerator);
                pattern.extend(passed.map(|accelerator| one(inner.placed[accelerator].enter)));
                pattern.extend(past_accelerators(inner, None));
            }
            if !is_forced(program, *edge) || Some(at) == decisive {
                pattern.push(one(*edge));
            } else {
                self.neutral.insert(*edge);
            }
        }
        self.patterns.push(pattern);
    }
}

fn one(letter: EdgeId) -> Part {
    Part::One(vec![letter])
}

/// Where accelerations between others may change places, each occurs once up to the last one, and those after the first are in order.
fn order_patterns(site: &Site) -> Vec<Pattern> {
    let all: Vec<EdgeId> = site.placed.iter().map(|placed| placed.enter).collect();
    let mut patterns = Vec::new();
    for (i, a) in all.iter().enumerate() {
        let others = all.iter().copied().filter(|other| other != a).collect();
        patterns.push(vec![one(*a), Part::Many(others), one(*a), Part::One(all.clone())]);
        for b in &all[i + 1..] {
            patterns.push(vec![Part::One(all.clone()), one(*b), one(*a), Part::One(all.clone())]);
        }
    }
    patterns
}

/// From the head of a loop into the loop as it was; where an accelerator covers an iteration, or wherever.
fn past_accelerators(site: &Site, covering: Option<&Placed>) -> Pattern {
    let mut pattern: Pattern = site.placed.last().map(|placed| one(placed.pass)).into_iter().collect();
    for other in &site.placed {
        if let Some(Branch { yes, no }) = other.split {
            let is_own = covering.is_some_and(|own| own.enter == other.enter);
            pattern.push(Part::One(if is_own { vec![yes] } else { vec![yes, no] }));
        }
    }
    pattern
}

/// Whether the edge is the only one that leaves its source.
fn is_forced(program: &Program, edge: EdgeId) -> bool {
    program.locs[program.edges[edge].src].out.len() == 1
}

/// Whether each run that gets to the edge gets past it, unseen.
fn is_harmless(program: &Program, edge: EdgeId) -> bool {
    match &program.edges[edge].op {
        Op::Skip | Op::Havoc { .. } => true,
        Op::Assign { src, .. } => !loads(&program.exprs, *src),
        Op::CallExtern { args, .. } => !args.iter().any(|arg| loads(&program.exprs, *arg)),
        _ => false,
    }
}
