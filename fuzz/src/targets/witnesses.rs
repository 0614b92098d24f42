//! Witnesses: their text, and what they say of a small program, woven into it.

use super::{check_diagnostics, check_failure};
use base::SourceMap;
use cfa::MachineModel;
use driver::Job;
use driver::input::Input;
use driver::property::default_property;
use driver::validate::Case;
use outcome::Statistics;
use witness::yaml;

/// Has a place of each kind that witnesses speak of.
const PROGRAM: &str = include_str!("../../regressions/frontend/witnessed.c");

/// Takes bytes for a witness of the program.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(errors) = yaml::read(text) {
        return check_diagnostics(&errors, &SourceMap::new("witness.yml".into(), text.to_owned(), Vec::new()));
    }
    let input = Input { path: "witnessed.c".into(), name: "witnessed.c".to_owned(), bytes: PROGRAM.into() };
    let job = Job::of_text(input, default_property("main"), MachineModel::Lp64);
    let Some(case) = Case::of(&job, text.to_owned()) else { return };
    match case.woven() {
        Ok(program) => drop(driver::prepare::prepare(program, &mut Statistics::default())),
        Err(failure) => check_failure(&failure),
    }
}
