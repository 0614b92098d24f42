//! What the start function sets: arguments of the first function that it calls.

use cfa::{EdgeId, ExprKind, Op, Program, VarId};

/// Whether an edge is one of the start function.
pub fn in_start(program: &Program, edge: EdgeId) -> bool {
    program.locs[program.edges[edge].src].func == program.start
}

/// The parameter of the first function that gets what the edge, one of the start function, sets.
pub fn argument(program: &Program, edge: EdgeId) -> Option<VarId> {
    let set = program.edges[edge].op.assigned().filter(|_| in_start(program, edge))?;
    program.edges.iter_enumerated().filter(|(id, _)| in_start(program, *id)).find_map(|(_, edge)| {
        let Op::Call { func, args, .. } = &edge.op else { return None };
        let position = args.iter().position(|arg| program.exprs.kind(*arg) == ExprKind::Var(set))?;
        program.functions[*func].params.get(position).copied()
    })
}
