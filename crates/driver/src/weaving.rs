//! The program of a job as a syntax tree, ready for a witness to be woven in.

use crate::failure::Failure;
use crate::frontend;
use crate::job::Job;
use base::Diagnostic;
use cfa::MachineModel;
use cfront::ast::TranslationUnit;
use cfront::machine_model::Machine;
use cfront::preprocess::{self, Source};
use cfront::typed::TypedUnit;
use witness::Sites;
use witness::sites::Numbering;
use witness::weave::{self, Weaver};

/// The program of a job, ready for a witness to be woven in.
pub(crate) fn weaver(job: &Job, witness: (&str, &str)) -> Result<Weaver, Failure> {
    let mut source = source(job)?;
    let numbering = numbering(job, &source);
    c2cfa::libc::append_to(&mut source);
    let declared = source.map.text().len() as u32;
    source.map.append(weave::FILE.into(), &weave::declarations());
    let mut unit = cfront::parse::parse(&source).map_err(|errors| frontend::syntax_errors(errors, &source))?;
    weave::hoist(&mut unit, declared);
    let sites = Sites::new(&mut unit, &source.map, numbering);
    Ok(Weaver::new(source, unit, sites, witness))
}

/// Type-checks what was woven; errors have places in the witness where they concern it.
pub(crate) fn check_types(job: &Job, weaver: &mut Weaver) -> Result<TypedUnit, Vec<Diagnostic>> {
    let nothing = TranslationUnit { names: Default::default(), items: Vec::new() };
    let unit = std::mem::replace(&mut weaver.unit, nothing);
    let checked = cfront::sema::check(unit, weaver.source.map.clone(), machine(job.machine));
    let (unit, _) = checked.map_err(|errors| {
        // What the program itself has is told first; there is nothing of the witness to be told then.
        let errors = errors.into_iter().map(|d| weaver.relocated(d));
        let (own, of_witness): (Vec<_>, Vec<_>) = errors.partition(|d| !weaver.concerns_witness(d));
        if own.is_empty() { of_witness } else { own }
    })?;
    Ok(unit)
}

/// The text of a job's program, as the front end sees it.
pub(crate) fn source(job: &Job) -> Result<Source, Vec<Diagnostic>> {
    let options = preprocess::Options {
        machine: machine(job.machine),
        args: &job.preprocessor_args,
        path: Some(&job.input.path),
    };
    preprocess::preprocess(&job.input.bytes, &job.input.name, &options)
}

pub(crate) fn machine(model: MachineModel) -> Machine {
    match model {
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
    }
}

/// Whether the text is the file's, or what the C preprocessor made of it.
pub(crate) fn numbering(job: &Job, source: &Source) -> Numbering {
    let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
    let text = source.map.user_text().as_bytes();
    if text.len() == job.input.bytes.len() && lines(text) == lines(&job.input.bytes) {
        Numbering::File
    } else {
        Numbering::Markers
    }
}
