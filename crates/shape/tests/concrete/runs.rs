//! Runs stay in the graphs: where an exploration has graphs, one of them has the state of the run.

use crate::contains::contains;
use crate::explore::Explored;

/// What of graphs a program is there for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shows {
    /// Objects alone.
    Objects,
    /// Lists.
    Segments,
    /// Objects that belong to nodes of lists.
    Owned,
}

/// Each state of a run is in a graph, and some in one with what the program is there for.
pub fn check(explored: &Explored, shows: Shows) {
    let mut seen = Shows::Objects;
    for (place, states) in &explored.states {
        let graphs = explored.graphs.get(place).map_or(&[][..], |graphs| graphs);
        for state in states {
            let Some(graph) = graphs.iter().find(|graph| contains(graph, state)) else {
                panic!("at {place:?}, no graph of {graphs:#?}\nhas the state {state:#?}");
            };
            let objects = graph.objects.values();
            let shown = objects.map(|object| match (object.owner, object.segment) {
                (Some(_), _) => Shows::Owned,
                (None, Some(_)) => Shows::Segments,
                (None, None) => Shows::Objects,
            });
            seen = seen.max(shown.max().unwrap_or(Shows::Objects));
        }
    }
    assert!(!explored.states.is_empty() && seen >= shows, "runs show no more than {seen:?}");
}
