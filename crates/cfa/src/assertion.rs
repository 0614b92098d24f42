//! The text of asserted expressions, as `assert` of C's library hands it to what it calls where an assertion fails.

use crate::expr::ExprKind;
use crate::op::Op;
use crate::program::{EdgeId, Program, VarKind};

/// Functions that failed assertions call, and which argument is the text of the expression.
const FAILURES: [(&str, usize); 2] = [("__assert_fail", 0), ("__assert_rtn", 3)];

/// What names of functions and macros that assert something have in them.
const ASSERTING: [&str; 6] = ["assert", "check", "condition", "ensure", "expect", "require"];

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
        None => argument(program.source.snippet(program.edges[edge].span).trim()).to_owned(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// What is between the parentheses of something that asserts, by its name; another text is what is asserted.
fn argument(text: &str) -> &str {
    let call = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let asserts = |name: &str| {
        let name = name.trim_end().to_ascii_lowercase();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name && ASSERTING.iter().any(|word| name.contains(word))
    };
    call.filter(|(name, _)| asserts(name)).map_or(text, |(_, inside)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asserted() {
        assert_eq!(argument("assert(x == 1)"), "x == 1");
        assert_eq!(argument("__CPROVER_precondition (x, \"y\")"), "x, \"y\"");
        assert_eq!(argument("(*a == 1) && (*b == 2)"), "(*a == 1) && (*b == 2)");
        assert_eq!(argument("is_sorted(a, n)"), "is_sorted(a, n)");
    }
}
