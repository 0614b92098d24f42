//! Characters of several bytes in programs that choose a locale.
//!
//! What Hone knows of functions that convert characters holds in the C locale, where each of them is one byte. Where a program may make another locale the
//! current one, a call of these functions is not modelled.

use cfa::library::{chooses_locale, is_among};
use cfa::{EdgeId, FuncId, Op, Program, Unsupported};

/// Functions that convert characters of several bytes, and what the wide ones of `printf` and `scanf` call for it.
const CONVERT: &str =
    "_decode _encode btowc mblen mbrlen mbrtowc mbsrtowcs mbstowcs mbtowc wcrtomb wcsrtombs wcstombs wctob wctomb";

/// Makes calls of them what is not modelled, if a locale is chosen.
pub fn chosen_locale(program: &mut Program) {
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|loc| loc.out.clone()).collect();
    let name = |func: FuncId| &*program.functions[func].name;
    let is_chosen =
        |edge: &EdgeId| matches!(program.edges[*edge].op, Op::CallExtern { func, .. } if chooses_locale(name(func)));
    let converts = |edge: &EdgeId| match program.edges[*edge].op {
        Op::Call { func, .. } => {
            (program.is_of_library(func) && is_among(CONVERT, name(func))).then_some((*edge, func))
        }
        _ => None,
    };
    let (is_chosen, calls) = (edges.iter().any(is_chosen), edges.iter().filter_map(converts).collect::<Vec<_>>());
    for (edge, func) in calls.into_iter().filter(|_| is_chosen) {
        let detail = format!("`{}` in a locale that the program chooses", program.functions[func].name);
        let span = program.edges[edge].span;
        let id = program.unsupported.push(Unsupported { construct: "library function".into(), detail, span });
        program.edges[edge].op = Op::Unsupported(id);
    }
}
