//! Pages of specimen outcomes, and what must hold for every page.

use super::*;
use crate::specimen;
use base::SourceMap;
use outcome::{Evidence, StopReason};

const TEXT: &str = "// </script> & \"text\"\nvoid check(int c) { if (!c) reach_error(); }\nint main() {\n  int n = __VERIFIER_nondet_int();\n  for (int i = 0; i < n;)\n    i++;\n\n  check(i != n);\n}\n";

fn page(outcome: &Outcome) -> String {
    let program = Program::new(::cfa::MachineModel::Lp64, SourceMap::new("dir/prog.c".into(), TEXT.into(), Vec::new()));
    let options = [("--timeout".to_owned(), "60 s".to_owned())];
    let page = Page {
        subject: &specimen::subject(),
        outcome,
        program: Some((&program, &[TEXT.to_owned()])),
        options: &options,
    };
    document(&page, &Scripts { style: "STYLE\n", script: "SCRIPT\n", licences: "LICENCES\n" })
}

#[test]
fn violation() {
    insta::assert_snapshot!(page(&specimen::violation(35)));
}

#[test]
fn proof() {
    insta::assert_snapshot!(page(&specimen::proof()));
}

#[test]
fn no_answer() {
    let reason = StopReason::Unsupported { construct: "setjmp".into(), detail: "<b>".into(), place: None };
    let text = page(&Outcome::unknown(reason));
    assert!(text.contains("Not decided") && text.contains("&lt;b&gt;") && !text.contains("<b>\""));
}

#[test]
fn text_of_the_user_ends_no_script() {
    let mut outcome = specimen::violation(1);
    if let Evidence::Counterexample(cex) = &mut outcome.evidence {
        let value = "</script><script>alert(1)</script>".to_owned();
        cex.steps[1].kind = StepKind::Assign { target: "x".into(), value };
    }
    let text = page(&outcome);
    assert_eq!(text.matches("</script>").count(), 2, "the data's and the program's");
}

#[test]
fn the_bundle_ends_no_script() {
    assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--") && !STYLE.contains("</style"));
    assert!(!LICENCES.contains("*/"));
    assert!(LICENCES.contains("dagre") && LICENCES.contains("Permission"));
}

#[test]
fn nothing_is_loaded() {
    let text =
        render(&Page { subject: &specimen::subject(), outcome: &specimen::proof(), program: None, options: &[] });
    for part in ["src=\"", "<link", "@import", "url(http"] {
        assert!(!text.contains(part), "{part}");
    }
}
