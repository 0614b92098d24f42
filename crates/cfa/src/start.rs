//! What the start function sets: arguments of the first function that it calls.

use crate::{EdgeId, ExprKind, Op, Program, VarId};

/// Whether an edge is one of the start function.
pub fn in_start(program: &Program, edge: EdgeId) -> bool {
    program.locs[program.edges[edge].src].func == program.start
}

/// The parameter of the first function that gets what the edge, one of the start function, sets, and its number.
pub fn argument(program: &Program, edge: EdgeId) -> Option<(usize, VarId)> {
    let set = program.edges[edge].op.assigned().filter(|_| in_start(program, edge))?;
    program.edges.iter_enumerated().filter(|(id, _)| in_start(program, *id)).find_map(|(_, edge)| {
        let Op::Call { func, args, .. } = &edge.op else { return None };
        let position = args.iter().position(|arg| program.exprs.kind(*arg) == ExprKind::Var(set))?;
        Some((position, *program.functions[*func].params.get(position)?))
    })
}

/// Whether an edge of the start function makes the object of the program's arguments: as many pointers, and null behind them.
pub fn makes_arguments(program: &Program, edge: EdgeId) -> bool {
    matches!(program.edges[edge].op, Op::Alloc { .. })
        && argument(program, edge)
            .and_then(|(_, param)| program.vars[param].func)
            .is_some_and(|func| &*program.functions[func].name == "main")
}
