//! Loops of a program and the strategies that abstract them, outside of verification.

use crate::prepare::{Prepared, prepare};
use cfa::loops::Wto;
use cfa::strategies::{self, Limits, Source};
use cfa::{Observer, Program};
use outcome::Statistics;

/// The program, its calls resolved, with all strategies of its loops.
pub fn with_strategies(program: Program, observer: &Observer) -> Program {
    let Prepared { program, points_to, regions, .. } = prepare(program, &mut Statistics::default());
    let wto = Wto::new(&program);
    let source = Source { program: &program, wto: &wto, points_to: &points_to, regions: &regions, observer };
    match strategies::augment(source, &strategies::all(), Limits::default()) {
        Some(augmented) => augmented.program,
        None => program,
    }
}
