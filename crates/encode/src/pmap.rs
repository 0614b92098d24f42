//! A persistent map from dense `u32` keys, made for merging.
//!
//! A radix tree with 16 children a node and shared subtrees: a clone is one pointer, a write copies one path (or nothing, when
//! the map is not shared), and [`PMap::merge`] looks only at subtrees that differ. Symbolic states are made of such maps, so
//! that a join costs what the two branches have changed.

use std::rc::Rc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;
/// Levels of inner nodes below a root that holds any `u32`.
const MAX_HEIGHT: u32 = 32 / BITS - 1;

#[derive(Clone, Debug)]
enum Node<V> {
    Leaf([Option<V>; WIDTH]),
    Inner([Option<Rc<Node<V>>>; WIDTH]),
}

/// The map.
#[derive(Clone, Debug)]
pub struct PMap<V> {
    root: Option<Rc<Node<V>>>,
    /// Levels of inner nodes above the leaves.
    height: u32,
}

impl<V> Default for PMap<V> {
    fn default() -> Self {
        Self { root: None, height: 0 }
    }
}

fn slot(key: u32, height: u32) -> usize {
    (key >> (height * BITS)) as usize & (WIDTH - 1)
}

impl<V: Clone + PartialEq> PMap<V> {
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    fn fits(&self, key: u32) -> bool {
        self.height >= MAX_HEIGHT || key >> ((self.height + 1) * BITS) == 0
    }

    /// The value at `key`.
    pub fn get(&self, key: u32) -> Option<&V> {
        if !self.fits(key) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(values) => return values[slot(key, 0)].as_ref(),
                Node::Inner(children) => node = children[slot(key, height)].as_deref()?,
            }
            height -= 1;
        }
    }

    fn raise(&mut self, key: u32) {
        while !self.fits(key) {
            if let Some(root) = self.root.take() {
                let mut children: [Option<Rc<Node<V>>>; WIDTH] = Default::default();
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
    }

    /// Sets the value at `key`.
    pub fn insert(&mut self, key: u32, value: V) {
        self.raise(key);
        let mut height = self.height;
        let mut node = self.root.get_or_insert_with(|| Rc::new(empty(height)));
        loop {
            match Rc::make_mut(node) {
                Node::Leaf(values) => {
                    values[slot(key, 0)] = Some(value);
                    return;
                }
                Node::Inner(children) => {
                    height -= 1;
                    node = children[slot(key, height + 1)].get_or_insert_with(|| Rc::new(empty(height)));
                }
            }
        }
    }

    /// Removes the value at `key`.
    pub fn remove(&mut self, key: u32) {
        self.remove_range(key, key);
    }

    /// Removes the values of the keys from `lo` to `hi`, inclusive.
    pub fn remove_range(&mut self, lo: u32, hi: u32) {
        if let Some(root) = self.root.take() {
            self.root = cut(root, self.height, 0, lo, hi);
        }
    }

    /// Calls `f` for each entry in the order of the keys.
    pub fn for_each(&self, mut f: impl FnMut(u32, &V)) {
        if let Some(root) = &self.root {
            visit(root, self.height, 0, 0, u32::MAX, &mut f);
        }
    }

    /// Calls `f` for each entry with a key from `lo` to `hi`, inclusive, in the order of the keys.
    pub fn for_range(&self, lo: u32, hi: u32, mut f: impl FnMut(u32, &V)) {
        if let Some(root) = &self.root {
            visit(root, self.height, 0, lo, hi, &mut f);
        }
    }

    /// Calls `f` for each key whose values differ, in the order of the keys.
    pub fn for_each_difference(&self, other: &Self, mut f: impl FnMut(u32, Option<&V>, Option<&V>)) {
        let (mut a, mut b) = (self.clone(), other.clone());
        // Lift both to one height, so that equal subtrees face each other.
        let top = a.height.max(b.height);
        for map in [&mut a, &mut b] {
            while map.height < top {
                if let Some(root) = map.root.take() {
                    let mut children: [Option<Rc<Node<V>>>; WIDTH] = Default::default();
                    children[0] = Some(root);
                    map.root = Some(Rc::new(Node::Inner(children)));
                }
                map.height += 1;
            }
        }
        diff(a.root.as_ref(), b.root.as_ref(), top, 0, &mut f);
    }
}

fn empty<V>(height: u32) -> Node<V> {
    if height == 0 { Node::Leaf(Default::default()) } else { Node::Inner(Default::default()) }
}

/// The keys below a child: first and last.
fn range(prefix: u32, index: usize, height: u32) -> (u32, u32) {
    let first = prefix | (index as u32) << (height * BITS);
    let below = if height == 0 { 0 } else { u32::MAX >> (32 - height * BITS) };
    (first, first | below)
}

fn cut<V: Clone>(mut node: Rc<Node<V>>, height: u32, prefix: u32, lo: u32, hi: u32) -> Option<Rc<Node<V>>> {
    let touched = |i: usize| {
        let (first, last) = range(prefix, i, height);
        first <= hi && last >= lo
    };
    let hit = match &*node {
        Node::Leaf(values) => (0..WIDTH).any(|i| values[i].is_some() && touched(i)),
        Node::Inner(children) => (0..WIDTH).any(|i| children[i].is_some() && touched(i)),
    };
    if !hit {
        return Some(node);
    }
    let rest = match Rc::make_mut(&mut node) {
        Node::Leaf(values) => {
            (0..WIDTH).filter(|i| touched(*i)).for_each(|i| values[i] = None);
            values.iter().any(Option::is_some)
        }
        Node::Inner(children) => {
            for i in (0..WIDTH).filter(|i| touched(*i)) {
                let (first, last) = range(prefix, i, height);
                children[i] = match children[i].take() {
                    Some(child) if first < lo || last > hi => cut(child, height - 1, first, lo, hi),
                    _ => None,
                };
            }
            children.iter().any(Option::is_some)
        }
    };
    rest.then_some(node)
}

fn visit<V>(node: &Node<V>, height: u32, prefix: u32, lo: u32, hi: u32, f: &mut impl FnMut(u32, &V)) {
    for i in 0..WIDTH {
        let (first, last) = range(prefix, i, height);
        if first > hi || last < lo {
            continue;
        }
        match node {
            Node::Leaf(values) => values[i].iter().for_each(|v| f(first, v)),
            Node::Inner(children) => children[i].iter().for_each(|c| visit(c, height - 1, first, lo, hi, f)),
        }
    }
}

fn diff<V: PartialEq>(
    a: Option<&Rc<Node<V>>>,
    b: Option<&Rc<Node<V>>>,
    height: u32,
    prefix: u32,
    f: &mut impl FnMut(u32, Option<&V>, Option<&V>),
) {
    match (a, b) {
        (None, None) => {}
        (Some(a), Some(b)) if Rc::ptr_eq(a, b) => {}
        (a, b) => {
            for i in 0..WIDTH {
                let (first, _) = range(prefix, i, height);
                if height == 0 {
                    let (va, vb) = (leaf(a, i), leaf(b, i));
                    if va != vb {
                        f(first, va, vb);
                    }
                } else {
                    diff(child(a, i), child(b, i), height - 1, first, f);
                }
            }
        }
    }
}

fn leaf<V>(node: Option<&Rc<Node<V>>>, i: usize) -> Option<&V> {
    match node.map(|n| &**n) {
        Some(Node::Leaf(values)) => values[i].as_ref(),
        _ => None,
    }
}

fn child<V>(node: Option<&Rc<Node<V>>>, i: usize) -> Option<&Rc<Node<V>>> {
    match node.map(|n| &**n) {
        Some(Node::Inner(children)) => children[i].as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A fixed sequence of pseudo-random numbers.
    fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        }
    }

    #[test]
    fn agrees_with_btreemap() {
        for seed in 0..50 {
            let mut next = numbers(seed);
            let mut map = PMap::default();
            let mut model = BTreeMap::new();
            let mut old = (map.clone(), model.clone());
            for step in 0..400 {
                let key = [next(20), next(300), next(1 << 32)][next(3) as usize] as u32;
                match next(8) {
                    0 => {
                        map.remove(key);
                        model.remove(&key);
                    }
                    1 => {
                        let hi = key.saturating_add(next(100) as u32);
                        map.remove_range(key, hi);
                        model.retain(|k, _| *k < key || *k > hi);
                    }
                    _ => {
                        map.insert(key, step);
                        model.insert(key, step);
                    }
                }
                assert_eq!(map.get(key), model.get(&key));
                if step % 97 == 0 {
                    let mut seen = Vec::new();
                    map.for_each_difference(&old.0, |k, a, b| seen.push((k, a.copied(), b.copied())));
                    let keys: std::collections::BTreeSet<u32> = model.keys().chain(old.1.keys()).copied().collect();
                    let expected: Vec<_> = keys
                        .iter()
                        .map(|k| (*k, model.get(k).copied(), old.1.get(k).copied()))
                        .filter(|(_, a, b)| a != b)
                        .collect();
                    assert_eq!(seen, expected);
                    old = (map.clone(), model.clone());
                }
            }
            let mut all = Vec::new();
            map.for_each(|k, v| all.push((k, *v)));
            assert_eq!(all, model.into_iter().collect::<Vec<_>>());
        }
    }
}
