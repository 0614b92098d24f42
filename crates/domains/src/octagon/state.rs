//! Abstract states: numbers of cells, and octagons over packs of registers.
//!
//! A pack is the sorted list of its cells. Numbers and octagons say the same of single cells, as far as [`Octagons::settle`] was told what
//! changed; what one pack says of two cells is told to others only when it ends.

use super::dbm::{Dbm, Literal, Sign, upper};
use super::sum::{Sum, Term};
use crate::interval::Env;
use crate::numerical::number::range;
use crate::numerical::{Bottom, Cell, Num};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Cells that are related, ascending.
pub type Pack = Rc<[Cell]>;

/// An abstract state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Octagons {
    /// Numbers of cells, memory included.
    pub(super) env: Env,
    packs: BTreeMap<Pack, Rc<Dbm>>,
}

/// Most rounds between numbers and octagons, which tell each other bounds.
const ROUNDS: u32 = 3;

/// The place of a term's cell in a pack, as a literal of the octagon.
fn literal(pack: &[Cell], term: Term) -> Option<Literal> {
    pack.binary_search(&term.cell).ok().map(|var| Literal::new(var, term.sign))
}

/// Without a relation, and with the bounds of types.
fn types(pack: &[Cell]) -> Dbm {
    Dbm::new(&pack.iter().map(|cell| range(cell.ty)).collect::<Vec<_>>())
}

impl Octagons {
    /// Numbers of cells.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// All packs with their octagons.
    pub fn packs(&self) -> impl Iterator<Item = (&[Cell], &Dbm)> {
        self.packs.iter().map(|(pack, dbm)| (&pack[..], &**dbm))
    }

    /// Relates the cells of a pack from now on.
    pub fn track(&mut self, pack: Pack) {
        if pack.len() > 1 && !self.packs.contains_key(&pack) {
            let dbm = self.dbm(&pack);
            self.packs.insert(pack, dbm);
        }
    }

    /// The octagon of a pack, or what the rest of the state says of its cells.
    fn dbm(&self, pack: &Pack) -> Rc<Dbm> {
        if let Some(dbm) = self.packs.get(pack) {
            return dbm.clone();
        }
        let number = |cell: &Cell| {
            let Num { lo, hi, .. } = self.env.get(*cell);
            (lo, hi)
        };
        let mut dbm = Dbm::new(&pack.iter().map(number).collect::<Vec<_>>());
        for (other, known) in &self.packs {
            if copy_relations((other, known), (pack, &mut dbm)).is_err() {
                // No run satisfies the state, so anything holds.
                break;
            }
        }
        Rc::new(dbm)
    }

    /// Closes the octagons, which widening leaves open.
    ///
    /// # Errors
    /// If no run satisfies the state.
    pub fn close(&mut self) -> Result<(), Bottom> {
        let mut changed = BTreeSet::new();
        for (pack, dbm) in self.packs.iter_mut().filter(|(_, dbm)| !dbm.is_closed()) {
            Rc::make_mut(dbm).close()?;
            changed.extend(pack.iter().copied());
        }
        self.settle(changed)
    }

    /// The least known bound of a sum of terms.
    pub fn upper(&self, terms: &[Term]) -> i128 {
        let one = |term: Term| {
            let num = self.env.get(term.cell);
            if term.sign == Sign::Plus { num.hi } else { -num.lo }
        };
        let two = |a: Term, b: Term| {
            let of_pack = |(pack, dbm): (&Pack, &Rc<Dbm>)| Some(dbm.get(literal(pack, a)?, literal(pack, b)?));
            let alone = if a == -b { 0 } else { one(a) + one(b) };
            self.packs.iter().filter_map(of_pack).fold(alone, i128::min)
        };
        upper(terms, &one, &two)
    }

    /// The greatest known number that a sum of terms is not below.
    pub fn lower(&self, terms: &[Term]) -> i128 {
        -self.upper(&terms.iter().map(|term| -*term).collect::<Vec<_>>())
    }

    /// Lets the packs of a cell know that it has the value of a sum now, whose terms have the values of before.
    ///
    /// # Errors
    /// If no run satisfies the state.
    pub(super) fn replace(&mut self, cell: Cell, sum: &Sum) -> Result<(), Bottom> {
        let mut found = Vec::new();
        for pack in self.packs.keys() {
            let Ok(var) = pack.binary_search(&cell) else { continue };
            let (mut literals, mut others) = (Vec::new(), Vec::new());
            for term in &sum.terms {
                match literal(pack, *term) {
                    Some(literal) => literals.push(literal),
                    None => others.push(*term),
                }
            }
            let bounds = (sum.lo + self.lower(&others), sum.hi + self.upper(&others));
            found.push((pack.clone(), var, literals, bounds));
        }
        for (pack, var, literals, bounds) in found {
            if let Some(dbm) = self.packs.get_mut(&pack) {
                Rc::make_mut(dbm).assign(var, &literals, bounds, sum.divisor)?;
            }
        }
        Ok(())
    }

    /// Lets the packs of a cell know that it has a number now that [`Self::env`] has already.
    ///
    /// # Errors
    /// If no run satisfies the state.
    pub(super) fn forget_relations(&mut self, cell: Cell) -> Result<(), Bottom> {
        self.replace(cell, &self.env.get(cell).into())
    }

    /// Restricts the state to runs on which a sum is at most this.
    ///
    /// # Errors
    /// If there are none.
    pub fn at_most(&mut self, sum: &Sum, bound: i128) -> Result<(), Bottom> {
        let (terms, bound) = (&sum.terms[..], bound * sum.divisor - sum.lo);
        if self.lower(terms) > bound {
            return Err(Bottom);
        }
        // One or two of the terms are at most the bound without the least that the others are.
        let without = |left_out: &[usize]| {
            let rest: Vec<Term> = (0..terms.len()).filter(|i| !left_out.contains(i)).map(|i| terms[i]).collect();
            bound - self.lower(&rest)
        };
        let singles: Vec<(Term, i128)> = (0..terms.len()).map(|i| (terms[i], without(&[i]))).collect();
        let pairs: Vec<(Term, Term, i128)> = (0..terms.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| (terms[i], terms[j], without(&[i, j])))
            .collect();
        for (pack, dbm) in &mut self.packs {
            for (a, b, bound) in &pairs {
                if let (Some(a), Some(b)) = (literal(pack, *a), literal(pack, *b))
                    && *bound < dbm.get(a, b)
                {
                    Rc::make_mut(dbm).add(a, b, *bound)?;
                }
            }
        }
        for (Term { cell, sign }, bound) in singles {
            let (lo, hi) = range(cell.ty);
            let side = match sign {
                Sign::Plus => Num::interval(lo.min(bound), bound),
                Sign::Minus => Num::interval(-bound, hi.max(-bound)),
            };
            self.env.meet(cell, side.ok_or(Bottom)?)?;
        }
        self.settle(terms.iter().map(|term| term.cell).collect())
    }

    /// Lets numbers and octagons tell each other the bounds of cells that changed, and of what is related to them.
    ///
    /// # Errors
    /// If no run satisfies the state.
    pub(super) fn settle(&mut self, mut changed: BTreeSet<Cell>) -> Result<(), Bottom> {
        for _ in 0..ROUNDS {
            let mut next = BTreeSet::new();
            for (pack, dbm) in &mut self.packs {
                if !pack.iter().any(|cell| changed.contains(cell)) {
                    continue;
                }
                for (var, cell) in pack.iter().enumerate().filter(|(_, cell)| changed.contains(cell)) {
                    let num = self.env.get(*cell);
                    for (sign, bound) in [(Sign::Plus, num.hi), (Sign::Minus, -num.lo)] {
                        let literal = Literal::new(var, sign);
                        if bound < dbm.bound(literal) {
                            Rc::make_mut(dbm).add(literal, literal, 2 * bound)?;
                        }
                    }
                }
                for (var, cell) in pack.iter().enumerate() {
                    let (lo, hi) = dbm.range(var);
                    let num = self.env.get(*cell);
                    if lo > num.lo || hi < num.hi {
                        self.env.meet(*cell, Num::interval(lo, hi).ok_or(Bottom)?)?;
                        next.insert(*cell);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            changed = next;
        }
        Ok(())
    }

    /// Forgets all cells that are not to be kept. Their packs stay.
    pub fn retain(&mut self, keep: impl Fn(&Cell) -> bool) {
        self.env.retain(&keep);
        for (pack, dbm) in &mut self.packs {
            let mut without = (**dbm).clone();
            for (var, cell) in pack.iter().enumerate().filter(|(_, cell)| !keep(cell)) {
                // That can't fail, since the cell is not related to anything then.
                let _ = without.assign(var, &[], range(cell.ty), 1);
            }
            if without != **dbm {
                *dbm = Rc::new(without);
            }
        }
    }

    /// Forgets all cells that are not to be kept, with their packs; what these say of other cells is told to packs of those.
    ///
    /// # Errors
    /// If no run satisfies the state.
    pub fn end(&mut self, keep: impl Fn(&Cell) -> bool) -> Result<(), Bottom> {
        self.env.retain(&keep);
        let (kept, ended): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.packs).into_iter().partition(|(pack, _)| pack.iter().all(&keep));
        self.packs = kept;
        for (pack, dbm) in &mut self.packs {
            for (other, known) in &ended {
                if other.iter().filter(|cell| pack.binary_search(cell).is_ok()).count() > 1 {
                    copy_relations((other, known), (pack, Rc::make_mut(dbm)))?;
                }
            }
        }
        Ok(())
    }

    /// Whether each run that satisfies this state satisfies the other.
    pub fn leq(&self, other: &Octagons) -> bool {
        self.env.leq(&other.env) && other.packs.iter().all(|(pack, dbm)| self.dbm(pack).leq(dbm))
    }

    /// A state that the runs of both satisfy.
    pub fn join(&self, other: &Octagons) -> Octagons {
        let join = |pack: &Pack| {
            let (a, b) = (self.dbm(pack), other.dbm(pack));
            (pack.clone(), if a == b { a } else { Rc::new(a.join(&b)) })
        };
        let packs = self.packs.keys().chain(other.packs.keys()).collect::<BTreeSet<_>>();
        Octagons { env: self.env.join(&other.env), packs: packs.into_iter().map(join).collect() }
    }

    /// A state that the runs of both satisfy, the same for all but a bounded number of ever larger states. `self` is the old one. Its
    /// octagons are not closed, since bounds that closure brings back would grow again: see [`Self::close`].
    pub fn widen(&self, newer: &Octagons, thresholds: &[i128]) -> Octagons {
        let widen = |(pack, old): (&Pack, &Rc<Dbm>)| {
            let new = newer.dbm(pack);
            (pack.clone(), if *old == new { new } else { Rc::new(old.widen(&new, thresholds, &types(pack))) })
        };
        Octagons { env: self.env.widen(&newer.env, thresholds), packs: self.packs.iter().map(widen).collect() }
    }
}

/// Adds what one octagon says of two cells to another one that has them, too.
fn copy_relations((from, known): (&Pack, &Dbm), (to, dbm): (&Pack, &mut Dbm)) -> Result<(), Bottom> {
    let shared: Vec<(usize, usize)> = from
        .iter()
        .enumerate()
        .filter_map(|(var, cell)| to.binary_search(cell).ok().map(|place| (var, place)))
        .collect();
    let signs = [Sign::Plus, Sign::Minus];
    for (i, a) in shared.iter().enumerate() {
        for b in &shared[..i] {
            for (s, t) in signs.into_iter().flat_map(|s| signs.map(|t| (s, t))) {
                let bound = known.get(Literal::new(a.0, s), Literal::new(b.0, t));
                dbm.add(Literal::new(a.1, s), Literal::new(b.1, t), bound)?;
            }
        }
    }
    Ok(())
}
