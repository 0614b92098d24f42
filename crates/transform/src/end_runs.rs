//! Ends runs where they break certain checks, so that an analysis looks for what breaks others.

use crate::edges::redirect;
use cfa::check::SETTLED;
use cfa::program::{EdgeId, Program};
use cfa::{Check, Observer, Op};

/// Runs end where they take one of these edges, each of which breaks the observer's property: it does not see them any more. Other edges
/// to the same label are left.
pub fn end_runs(program: &mut Program, observer: &Observer, edges: &[EdgeId]) {
    for edge in edges.iter().copied() {
        let func = program.locs[program.edges[edge].src].func;
        let Some(body) = program.functions[func].body else { continue };
        if observer.step(program, Observer::INITIAL, edge) == Observer::INITIAL {
            continue;
        }
        if observer.forbids_call(program, edge) {
            program.edges[edge].op = Op::Halt;
            redirect(program, edge, body.exit);
        } else {
            let end = program.add_loc(func);
            // Whoever tells the run still sees that the branch is a check and no condition of the source.
            if observer.forbidden_labels(program, program.edges[edge].dst).any(|label| Check::of_label(label).is_some())
            {
                program.locs[end].labels.push(SETTLED.into());
            }
            redirect(program, edge, end);
            let span = program.edges[edge].span;
            program.add_edge(end, body.exit, Op::Halt, span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::observer::Pattern;

    #[test]
    fn calls_and_labels_end_runs() {
        let mut b = Builder::new();
        let (start, error, f) = (b.program.start, b.func("reach_error", &[]), b.func("f", &[]));
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (label, behind) = (b.loc(start), b.loc(start));
        b.program.locs[label].labels.push("ERROR".into());
        let to_label = b.edge(entry, label, Op::Skip);
        let op = b.call(f, &[]);
        let returns_to_label = b.edge(entry, label, op);
        let other = b.edge(entry, label, Op::Skip);
        b.edge(label, behind, Op::Skip);
        let op = b.call(error, &[]);
        let call = b.edge(behind, exit, op);
        let patterns = [Pattern::Call("reach_error".into()), Pattern::Label("ERROR".into())];
        let observer = Observer::never("no error", patterns);
        let mut program = b.program;
        end_runs(&mut program, &observer, &[call, to_label, returns_to_label]);
        assert_eq!(program.edges[call].op, Op::Halt);
        assert_ne!(observer.step(&program, Observer::INITIAL, other), Observer::INITIAL);
        for edge in [to_label, returns_to_label] {
            assert_eq!(observer.step(&program, Observer::INITIAL, edge), Observer::INITIAL);
            let [out] = program.locs[program.edges[edge].dst].out[..] else { panic!("one way on") };
            assert_eq!(program.edges[out].op, Op::Halt);
        }
        assert!(matches!(program.edges[returns_to_label].op, Op::Call { .. }), "what it calls is still checked");
    }

    #[test]
    fn an_end_tells_that_a_check_was_there() {
        let mut b = Builder::new();
        let (entry, fault) = (b.entry(b.program.start), b.loc(b.program.start));
        let label = Check::Overflow.property();
        b.program.locs[fault].labels.push(label.into());
        let check = b.edge(entry, fault, Op::Skip);
        let observer = Observer::never("no overflow", [Pattern::Label(label.into())]);
        let mut program = b.program;
        end_runs(&mut program, &observer, &[check]);
        let end = &program.locs[program.edges[check].dst];
        assert_eq!(end.labels.iter().map(|label| &**label).collect::<Vec<_>>(), [SETTLED]);
    }
}
