//! Characters of several bytes in programs that choose a locale.
//!
//! What Hone knows of functions that convert characters holds in the C locale, where each of them is one byte. Where a program may make another locale the
//! current one, a call of these functions is not modelled.

use cfa::library::{chooses_locale, is_among};
use cfa::{EdgeId, Op, Program, Unsupported};

/// Functions that convert characters of several bytes, and what the wide ones of `printf` and `scanf` call for it.
const CONVERT: &str =
    "_decode _encode btowc mblen mbrlen mbrtowc mbsrtowcs mbstowcs mbtowc wcrtomb wcsrtombs wcstombs wctob wctomb";

/// Makes calls of them what is not modelled, if a locale is chosen.
pub fn chosen_locale(program: &mut Program) {
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|loc| loc.out.clone()).collect();
    let is_chosen = |edge: &EdgeId| match program.edges[*edge].op {
        Op::CallExtern { func, .. } => chooses_locale(&program.functions[func].name),
        _ => false,
    };
    if !edges.iter().any(is_chosen) {
        return;
    }
    for edge in edges {
        let (Op::Call { func, .. }, span) = (&program.edges[edge].op, program.edges[edge].span) else { continue };
        let name = &program.functions[*func].name;
        if program.is_of_library(*func) && is_among(CONVERT, name) {
            let detail = format!("`{name}` in a locale that the program chooses");
            let id = program.unsupported.push(Unsupported { construct: "library function".into(), detail, span });
            program.edges[edge].op = Op::Unsupported(id);
        }
    }
}
