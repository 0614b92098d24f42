//! Which local registers may still be read, at each location: a backward analysis of each function.
//!
//! What is dead needs no value in an abstract state: states that differ only in it are the same.

use crate::expr::ExprKind;
use crate::op::Op;
use crate::program::{FuncId, LocId, Program, VarId};
use base::{Id, IdVec};
use std::collections::BTreeSet;

/// Live local registers. They are numbered by their place in their function.
pub struct Live {
    /// Bits of the live registers.
    at: IdVec<LocId, Box<[u64]>>,
}

impl Live {
    /// Analyses all functions; `slot` numbers the registers of a function, of which there are `count`.
    pub fn new(program: &Program, slot: impl Fn(VarId) -> u32, count: impl Fn(FuncId) -> usize) -> Self {
        Self::keeping(program, &BTreeSet::new(), slot, count)
    }

    /// The same, where these registers are live wherever their functions are.
    pub fn keeping(
        program: &Program,
        kept: &BTreeSet<VarId>,
        slot: impl Fn(VarId) -> u32,
        count: impl Fn(FuncId) -> usize,
    ) -> Self {
        let empty = |func: FuncId| vec![0u64; count(func).div_ceil(64)].into_boxed_slice();
        let mut of_function: IdVec<FuncId, Box<[u64]>> = program.functions.ids().map(empty).collect();
        for var in kept {
            if let Some(func) = program.vars[*var].func {
                set(&mut of_function[func], slot(*var));
            }
        }
        let mut at: IdVec<LocId, Box<[u64]>> = program.locs.iter().map(|loc| of_function[loc.func].clone()).collect();
        // What each edge reads and sets.
        let mut reads: Vec<Vec<u32>> = vec![Vec::new(); program.edges.len()];
        let is_local = |var: VarId| !program.vars[var].is_global();
        let mut round = vec![0u32; program.exprs.len()];
        let mut stack = Vec::new();
        for (number, edge) in program.locs.iter().flat_map(|l| &l.out).enumerate() {
            program.edges[*edge].op.for_each_expr(|e| stack.push(e));
            while let Some(e) = stack.pop() {
                if std::mem::replace(&mut round[e.index()], number as u32 + 1) == number as u32 + 1 {
                    continue;
                }
                match program.exprs.kind(e) {
                    ExprKind::Var(var) if is_local(var) => reads[edge.index()].push(slot(var)),
                    _ => stack.extend(program.exprs.operands(e)),
                }
            }
        }
        for function in &program.functions {
            let Some(body) = function.body else { continue };
            if let Some(ret) = function.ret.filter(|ret| is_local(*ret)) {
                set(&mut at[body.exit], slot(ret));
            }
        }
        let mut work: Vec<LocId> = program.locs.ids().collect();
        let mut waits = IdVec::from_elem(true, program.locs.len());
        while let Some(loc) = work.pop() {
            waits[loc] = false;
            let mut live = at[loc].clone();
            for edge in &program.locs[loc].out {
                let e = &program.edges[*edge];
                if !e.op.ends_path() {
                    let killed = match &e.op {
                        Op::Assume { .. } => None,
                        op => op.assigned().filter(|var| is_local(*var)).map(&slot),
                    };
                    for (i, (word, after)) in live.iter_mut().zip(&at[e.dst]).enumerate() {
                        let kill = killed.filter(|k| *k as usize / 64 == i).map_or(0, |k| 1 << (k % 64));
                        *word |= after & !kill;
                    }
                }
                for read in &reads[edge.index()] {
                    set(&mut live, *read);
                }
            }
            if live != at[loc] {
                at[loc] = live;
                for edge in &program.locs[loc].inc {
                    let src = program.edges[*edge].src;
                    if !std::mem::replace(&mut waits[src], true) {
                        work.push(src);
                    }
                }
            }
        }
        Self { at }
    }

    /// Whether the register with this number may still be read from the location on.
    #[inline]
    pub fn is_live(&self, loc: LocId, slot: u32) -> bool {
        self.at[loc].get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

fn set(bits: &mut [u64], slot: u32) {
    if let Some(word) = bits.get_mut(slot as usize / 64) {
        *word |= 1 << (slot % 64);
    }
}
