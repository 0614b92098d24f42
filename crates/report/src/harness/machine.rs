//! The machine for which a program and its harness are compiled.

use base::ByteOrder;
use cfa::{MachineModel, Program};
use std::fmt::Write;

/// The flag with which the compiler of this machine makes programs for the data model.
pub(super) const fn flag(program: &Program) -> &'static str {
    match program.machine {
        MachineModel::Ilp32 | MachineModel::Lp32 => "-m32 ",
        MachineModel::Lp64 | MachineModel::Llp64 => "",
    }
}

/// Says that a harness can't be run here, if that is so.
pub(super) fn note(out: &mut String, program: &Program) {
    if let Some(machine) = foreign(program) {
        let _ = write!(
            out,
            "\n   The program is one for {machine}: it can't be run on this machine, and the error shows only where it is\n   \
             compiled and run for such a one."
        );
    }
}

/// What a program is made for, if that is no machine like the one on which Hone runs.
fn foreign(program: &Program) -> Option<&'static str> {
    match program.machine {
        _ if program.byte_order == ByteOrder::Big => Some("a big-endian machine"),
        MachineModel::Ilp32 | MachineModel::Lp64 => None,
        MachineModel::Llp64 => Some("the data model LLP64"),
        MachineModel::Lp32 => Some("the data model LP32"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    #[track_caller]
    fn check(machine: MachineModel, byte_order: ByteOrder, expected: &str) {
        let source = SourceMap::new("p.c".into(), String::new(), Vec::new());
        let (mut program, mut out) = (Program::new(machine, source), String::new());
        program.byte_order = byte_order;
        note(&mut out, &program);
        assert!(out.contains(expected) && out.is_empty() == expected.is_empty(), "{out}");
    }

    #[test]
    fn says_where_it_can_be_run() {
        check(MachineModel::Lp64, ByteOrder::Little, "");
        check(MachineModel::Ilp32, ByteOrder::Big, "a big-endian machine: it can't be run on this machine");
        check(MachineModel::Llp64, ByteOrder::Little, "LLP64");
    }
}
