//! What a state says of two registers, without what follows from the rest: for candidates of invariants, and for users.

use super::dbm::{Dbm, Literal, Sign};
use super::state::Octagons;
use super::sum::Term;
use crate::numerical::{Cell, Relation, Signs};

impl Octagons {
    /// Relations that say more than numbers of cells, and from which with these all others follow.
    pub fn relations(&self) -> Vec<Relation<Cell>> {
        let mut found = Vec::new();
        for (pack, dbm) in self.packs() {
            let mut closed = dbm.clone();
            if !closed.is_closed() && closed.close().is_err() {
                continue;
            }
            for (a, b) in essential(&closed) {
                let (x, y) = (pack[a.var()], pack[b.var()]);
                let (x, y, signs) = match (a.sign(), b.sign()) {
                    (Sign::Plus, Sign::Plus) => (y, x, Signs::Sum),
                    (Sign::Minus, Sign::Minus) => (y, x, Signs::Negated),
                    (Sign::Plus, Sign::Minus) => (x, y, Signs::Difference),
                    (Sign::Minus, Sign::Plus) => (y, x, Signs::Difference),
                };
                found.push(Relation { x, y, signs, bound: closed.get(a, b) });
            }
        }
        // Packs don't have all registers together that change together, nor memory.
        let term = |cell, sign| Term { cell, sign };
        let is_new = |(x, y), bound| bound < self.upper(&[term(x, Sign::Plus), term(y, Sign::Minus)]);
        let differences = self.env().differences().filter(|(pair, bound)| is_new(*pair, *bound));
        found.extend(differences.map(|((x, y), bound)| Relation::difference(x, y, bound)));
        found.sort_unstable();
        found.dedup_by_key(|relation| (relation.x, relation.y, relation.signs));
        found
    }
}

/// Pairs of literals of different variables without those that bounds of literals, or two other pairs of what is left, imply.
fn essential(closed: &Dbm) -> Vec<(Literal, Literal)> {
    let relates = |(a, b): &(Literal, Literal)| a.var() != b.var();
    let says_more = |(a, b): &(Literal, Literal)| closed.get(*a, *b) < closed.bound(*a) + closed.bound(*b);
    let mut left: Vec<(Literal, Literal)> = closed.pairs().filter(relates).filter(says_more).collect();
    let mut at = left.len();
    while at > 0 {
        at -= 1;
        let (a, b) = left[at];
        let is_left = |c: Literal, d: Literal| left.contains(&(c.max(d), c.min(d)));
        let implied = left
            .iter()
            .flat_map(|(c, d)| [*c, *d])
            .filter(|c| c.var() != a.var() && c.var() != b.var())
            .any(|c| is_left(a, c) && is_left(-c, b) && closed.get(a, c) + closed.get(-c, b) <= closed.get(a, b));
        if implied {
            left.remove(at);
        }
    }
    left
}
