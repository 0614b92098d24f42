//! The program of a job as a syntax tree, ready for a witness to be woven in.

use crate::failure::Failure;
use crate::frontend;
use crate::input::Input;
use crate::job::Job;
use base::Diagnostic;
use cfront::typed::TypedUnit;
use syntax::ast::TranslationUnit;
use syntax::preprocess::{Source, Unit};
use witness::Sites;
use witness::sites::Numbering;
use witness::weave::{self, Weaver};

/// The program of a job, ready for a witness to be woven in.
pub(crate) fn weaver(job: &Job, witness: (&str, &str)) -> Result<Weaver, Failure> {
    let mut source = frontend::source(job)?;
    let numbering = numbering(job, &source);
    clib::libc::append_to(&mut source);
    source.append(weave::FILE.into(), &weave::declarations());
    let (mut unit, _) = frontend::parse(job, &source)?;
    weave::hoist(&mut unit);
    let sites = Sites::new(&mut unit, &source.map, numbering);
    Ok(Weaver::new(source, unit, sites, witness))
}

/// Type-checks what was woven; errors have places in the witness where they concern it.
pub(crate) fn check_types(job: &Job, weaver: &mut Weaver) -> Result<TypedUnit, Vec<Diagnostic>> {
    let nothing = TranslationUnit {
        names: Default::default(),
        items: Vec::new(),
        unchecked: Default::default(),
        asks_for_types: false,
    };
    let unit = std::mem::replace(&mut weaver.unit, nothing);
    let checked = cfront::sema::check_contracts(unit, weaver.source.map.clone(), frontend::abi(job), &job.contracts);
    let (unit, _) = checked.map_err(|errors| {
        // What the program itself has is told first; there is nothing of the witness to be told then.
        let errors = errors.into_iter().map(|d| weaver.relocated(d));
        let (own, of_witness): (Vec<_>, Vec<_>) = errors.partition(|d| !weaver.concerns_witness(d));
        if own.is_empty() { of_witness } else { own }
    })?;
    Ok(unit)
}

/// Of each file, whether its text is the file's, or what the C preprocessor made of it.
pub(crate) fn numbering(job: &Job, source: &Source) -> Vec<Numbering> {
    let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
    let numbering = |(input, unit): (&Input, &Unit)| {
        let text = source.map.snippet(unit.span).as_bytes();
        let is_own = text.len() == input.bytes.len() && lines(text) == lines(&input.bytes);
        if is_own { Numbering::File } else { Numbering::Markers }
    };
    job.inputs.iter().zip(&source.units).map(numbering).collect()
}
