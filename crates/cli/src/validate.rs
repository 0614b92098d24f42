//! `hone validate`: one witness with its program, and a report on it.

use crate::args::{ValidateArgs, ValidationFormat};
use crate::exit_code::ExitCode;
use crate::output;
use crate::progress::ProgressLine;
use crate::resolve;
use driver::validate::{Case, Validated, Validity, validate};
use driver::{Failure, Interrupts, limits};
use report::text::{Detail, Stats};
use report::validation::{self, Claims, Validation, WitnessVerdict};

/// Validates a witness.
///
/// # Errors
/// If a file can't be read, or the witness does not fit the program.
pub fn run(args: &ValidateArgs, verbose: u8) -> Result<ExitCode, Failure> {
    let case = Case::read(&args.files, &args.witness, args.property.as_deref(), &resolve::source(&args.source))?;
    let shown = Shown {
        witness: args.witness.display().to_string(),
        file: case.job.name(),
        property: case.job.property.observer.property.to_string(),
        data_model: case.job.data_model(),
        claims: if case.claims_nothing() { Claims::Nothing } else { Claims::Some },
        format: args.format,
        detail: if verbose > 0 { Detail::Full } else { Detail::Screenful },
        stats: if args.stats { Stats::Show } else { Stats::Hide },
    };
    let progress = ProgressLine::start(&shown.witness);
    let last_words = {
        let shown = shown.clone();
        move |validated: Validated| limits::exit_now(i32::from(shown.report(&validated).number()))
    };
    let limits = resolve::limits(&args.limits);
    let result = validate(&case, limits, &Interrupts::install(), &progress, Box::new(last_words));
    progress.clear();
    Ok(shown.report(&result?))
}

/// What every report has, and how it is shown.
#[derive(Clone)]
struct Shown {
    witness: String,
    file: String,
    property: String,
    data_model: &'static str,
    claims: Claims,
    format: ValidationFormat,
    detail: Detail,
    stats: Stats,
}

impl Shown {
    fn report(&self, validated: &Validated) -> ExitCode {
        let (answer, code) = match &validated.validity {
            Validity::Confirmed(verdict) => (WitnessVerdict::Confirmed(verdict), ExitCode::True),
            Validity::Refuted(why) => (WitnessVerdict::Refuted(why), ExitCode::False),
            Validity::Unknown(reason) => (WitnessVerdict::Unknown(reason), ExitCode::Unknown),
        };
        let validation = Validation {
            witness: &self.witness,
            file: &self.file,
            property: &self.property,
            data_model: self.data_model,
            claims: self.claims,
            answer,
            run: validated.run.as_ref(),
            assumptions: &validated.assumptions,
            notes: &validated.notes,
            stats: &validated.stats,
        };
        output::stdout(&match self.format {
            ValidationFormat::Human => validation::text(&validation, self.detail, self.stats),
            ValidationFormat::Json => validation::json(&validation),
        });
        code
    }
}
