//! Global registers that transformations add.

use crate::edges::redirect;
use base::Span;
use cfa::ctype::{CType, CTypeId};
use cfa::expr::ExprKind;
use cfa::op::Op;
use cfa::program::{Program, Storage, Var, VarId, VarKind};
use cfa::value::{Scalar, Value};

/// A global variable that is zero in the beginning.
pub(crate) fn zero_variable(program: &mut Program, name: &str) -> VarId {
    let int = CType::Scalar { name: "int".into(), scalar: Scalar::INT };
    let ctype = program.ctypes.add(int, 4);
    zero_register(program, name, Scalar::INT, ctype)
}

/// A global register of some type that is zero in the beginning.
pub(crate) fn zero_register(program: &mut Program, name: &str, ty: Scalar, ctype: CTypeId) -> VarId {
    let var = program.vars.push(Var {
        name: name.into(),
        func: None,
        storage: Storage::Register(ty),
        kind: VarKind::Global,
        ctype,
        init: None,
        span: Span::NONE,
    });
    let entry = program.functions[program.start].body.map(|body| body.entry);
    for edge in entry.map(|entry| program.locs[entry].out.clone()).unwrap_or_default() {
        let (dst, span) = (program.edges[edge].dst, program.edges[edge].span);
        let between = program.add_loc(program.start);
        redirect(program, edge, between);
        let zero = program.exprs.add(ExprKind::Const(Value(0)), ty);
        program.add_edge(between, dst, Op::Assign { dst: var, src: zero }, span);
    }
    var
}
