//! Ends runs where they break certain checks, so that an analysis looks for what breaks others.

use crate::edges::{detach, redirect};
use cfa::program::{EdgeId, LocId, Program};
use cfa::{Observer, Op};

/// Runs end where they take one of these edges, each of which breaks the observer's property: it does not see them any more.
pub fn end_runs(program: &mut Program, observer: &Observer, edges: &[EdgeId]) {
    for edge in edges.iter().copied() {
        if observer.step(program, Observer::INITIAL, edge) == Observer::INITIAL {
            continue;
        }
        let end = program.edges[edge].dst;
        if matches!(program.edges[edge].op, Op::Call { .. } | Op::CallExtern { .. }) {
            let func = program.locs[program.edges[edge].src].func;
            let Some(body) = program.functions[func].body else { continue };
            program.edges[edge].op = Op::Halt;
            redirect(program, edge, body.exit);
        } else {
            end_at(program, end, edge);
        }
    }
}

/// Runs that come to a location end there, and it has no label any more.
fn end_at(program: &mut Program, at: LocId, edge: EdgeId) {
    program.locs[at].labels.clear();
    if let [only] = program.locs[at].out[..]
        && program.edges[only].op.ends_path()
    {
        return;
    }
    let Some(body) = program.functions[program.locs[at].func].body else { return };
    for out in program.locs[at].out.clone() {
        detach(program, out);
    }
    let span = program.edges[edge].span;
    program.add_edge(at, body.exit, Op::Halt, span);
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::Pattern;
    use cfa::build::Builder;

    #[test]
    fn calls_and_labels_end_runs() {
        let mut b = Builder::new();
        let (start, error) = (b.program.start, b.func("reach_error", &[]));
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (label, behind) = (b.loc(start), b.loc(start));
        b.program.locs[label].labels.push("ERROR".into());
        let to_label = b.edge(entry, label, Op::Skip);
        let on = b.edge(label, behind, Op::Skip);
        let op = b.call(error, &[]);
        let call = b.edge(behind, exit, op);
        let patterns = [Pattern::Call("reach_error".into()), Pattern::Label("ERROR".into())];
        let observer = Observer::never("no error", patterns);
        let mut program = b.program;
        end_runs(&mut program, &observer, &[call]);
        assert_eq!(program.edges[call].op, Op::Halt);
        assert_ne!(observer.step(&program, Observer::INITIAL, to_label), Observer::INITIAL);
        end_runs(&mut program, &observer, &[to_label]);
        assert_eq!(observer.step(&program, Observer::INITIAL, to_label), Observer::INITIAL);
        let out = &program.locs[label].out;
        assert!(out.len() == 1 && out[0] != on && program.edges[out[0]].op == Op::Halt);
    }
}
