//! Joins a sequence of states from its nearest neighbours on.

use crate::encoder::Encoder;
use crate::guard::GuardId;
use std::collections::BinaryHeap;

/// Joins neighbours until none of them have anything in common, always the pair with the greatest nearness, and of several such pairs the
/// last one. What is joined takes the place of both. The time is `n log n` for `n` items.
fn join_nearest<C, T>(
    context: &mut C,
    items: Vec<T>,
    nearness: impl Fn(&C, &T, &T) -> Option<u32>,
    mut join: impl FnMut(&mut C, T, T) -> T,
) -> Vec<T> {
    let end = items.len();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let mut next: Vec<usize> = (1..=end).collect();
    let mut previous: Vec<Option<usize>> = (0..end).map(|i| i.checked_sub(1)).collect();
    // The nearness of each item to the next one; a pair in the queue that does not tell it is outdated.
    let mut near = vec![None; end];
    let mut queue = BinaryHeap::new();
    for i in 0..end.saturating_sub(1) {
        if let (Some(a), Some(b)) = (&items[i], &items[i + 1]) {
            near[i] = nearness(context, a, b);
            queue.extend(near[i].map(|n| (n, i)));
        }
    }
    while let Some((n, i)) = queue.pop() {
        if near[i] != Some(n) {
            continue;
        }
        let j = next[i];
        let (Some(a), Some(b)) = (items[i].take(), items[j].take()) else { continue };
        items[i] = Some(join(context, a, b));
        next[i] = next[j];
        (near[i], near[j]) = (None, None);
        if let Some(previous) = previous.get_mut(next[i]) {
            *previous = Some(i);
        }
        for (left, right) in [(previous[i], Some(i)), (Some(i), Some(next[i]).filter(|next| *next < end))] {
            let (Some(left), Some(right)) = (left, right) else { continue };
            if let (Some(a), Some(b)) = (&items[left], &items[right]) {
                near[left] = nearness(context, a, b);
                queue.extend(near[left].map(|n| (n, left)));
            }
        }
    }
    items.into_iter().flatten().collect()
}

/// Joins states that met at one place, those with the most recent common past first, and of several such pairs the last one: conditions of a
/// chain of branches cancel from its end. `guard` is the guard of an item, and `join` makes an item of two.
pub fn join_states<T>(
    enc: &mut Encoder<'_>,
    items: Vec<T>,
    guard: impl Fn(&T) -> GuardId,
    join: impl FnMut(&mut Encoder<'_>, T, T) -> T,
) -> Option<T> {
    let nearness = |enc: &Encoder<'_>, a: &T, b: &T| {
        let ancestor = enc.guards.ancestor(guard(a), guard(b));
        Some(enc.guards.depth(ancestor))
    };
    join_nearest(enc, items, nearness, join).pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words are as near as their common prefix is long, if they have one; they are joined to that prefix.
    fn common(a: &str, b: &str) -> String {
        a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    }

    fn near(a: &str, b: &str) -> Option<u32> {
        Some(common(a, b).len() as u32).filter(|n| *n > 0)
    }

    #[track_caller]
    fn check(words: &[&str], joined: &[&str], left: &[&str]) {
        let mut log = Vec::new();
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let result = join_nearest(
            &mut log,
            words,
            |_, a: &String, b: &String| near(a, b),
            |log, a, b| {
                log.push(format!("{a} {b}"));
                common(&a, &b)
            },
        );
        assert_eq!(log, joined);
        assert_eq!(result, left);
    }

    #[test]
    fn nearest_first() {
        check(&[], &[], &[]);
        check(&["a"], &[], &["a"]);
        check(&["a", "b", "c"], &[], &["a", "b", "c"]);
        check(&["abc", "abd", "axx", "axy"], &["axx axy", "abc abd", "ab ax"], &["a"]);
        check(&["abcd", "ab", "x", "xyz", "xyw"], &["xyz xyw", "abcd ab", "x xy"], &["ab", "x"]);
    }

    /// The definition, step by step, on words of a small language.
    #[test]
    fn as_defined() {
        let mut seed = 1_u32;
        let mut random = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % n
        };
        for _ in 0..200 {
            let words: Vec<String> = (0..random(12))
                .map(|_| (0..=random(4)).map(|_| if random(2) == 0 { 'a' } else { 'b' }).collect())
                .collect();
            let (mut joined, mut left) = (Vec::new(), words.clone());
            while let Some((_, i)) = (1..left.len()).filter_map(|i| Some((near(&left[i - 1], &left[i])?, i))).max() {
                let b = left.remove(i);
                joined.push(format!("{} {b}", left[i - 1]));
                left[i - 1] = common(&left[i - 1], &b);
            }
            let [words, joined, left] =
                [&words, &joined, &left].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
            check(&words, &joined, &left);
        }
    }
}
