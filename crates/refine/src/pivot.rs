//! Finds the pivot of a refutation: where on the error path the graph is cut.
//!
//! Nodes before the pivot keep their abstraction; its subtree is removed by [`crate::prune`].
//! Source: [loewe13], Sect. III-F, "ARG Pruning instead of Restart".

use analysis::NodeId;

/// The first node of the path, after the root, whose state lacks something that its interpolant needs.
///
/// `None` means that all states were precise enough already: exploring again would loop.
pub fn find_pivot(path: &[NodeId], mut lacks: impl FnMut(usize, NodeId) -> bool) -> Option<NodeId> {
    path.iter().enumerate().skip(1).find(|(i, node)| lacks(*i, **node)).map(|(_, node)| *node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::Arg;

    #[track_caller]
    fn check(lacking: &[usize], expected: Option<usize>) {
        let mut arg = Arg::default();
        let root = arg.add((), None, 0);
        let a = arg.add((), Some(root), 0);
        let b = arg.add((), Some(a), 0);
        let path = arg.path_to(b);
        assert_eq!(find_pivot(&path, |i, _| lacking.contains(&i)), expected.map(|i| path[i]));
    }

    #[test]
    fn first_after_the_root() {
        check(&[1, 2], Some(1));
        check(&[2], Some(2));
        check(&[0], None);
        check(&[], None);
    }
}
