//! The text of asserted expressions, as `assert` of C's library hands it to what it calls where an assertion fails.

use crate::expr::ExprKind;
use crate::op::Op;
use crate::program::{EdgeId, Program, VarKind};

/// Functions that failed assertions call, and which argument is the text of the expression.
const FAILURES: [(&str, usize); 2] = [("__assert_fail", 0), ("__assert_rtn", 3)];

/// Whether failed assertions call a function of this name.
pub fn is_failure(function: &str) -> bool {
    FAILURES.iter().any(|(name, _)| *name == function)
}

/// The expression whose assertion fails where this edge is taken, in C; `None` where no assertion fails, or its text is not known.
pub fn asserted(program: &Program, edge: EdgeId) -> Option<String> {
    let (Op::CallExtern { func, args, .. } | Op::Call { func, args, .. }) = &program.edges[edge].op else {
        return None;
    };
    let name = &*program.functions[*func].name;
    let (_, position) = FAILURES.iter().find(|(failure, _)| *failure == name)?;
    let text = match args.get(*position) {
        Some(arg) => {
            let ExprKind::AddrOf(var) = program.exprs.kind(*arg) else { return None };
            let init = program.vars[var].init.as_deref().filter(|_| program.vars[var].kind == VarKind::Literal)?;
            let (_, bytes) = init.bytes.first()?;
            String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned()
        }
        // Where lowering makes the call, it has the place of the assertion.
        None => {
            let text = program.source.snippet(program.edges[edge].span);
            let (_, inside) = text.trim().strip_suffix(')')?.split_once('(')?;
            inside.to_owned()
        }
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}
