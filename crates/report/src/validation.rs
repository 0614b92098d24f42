//! Reports on witnesses, for people and for programs (schema `hone-validation/1`). The last line for people is `verdict: …`.

use crate::json;
use crate::text::{self, Detail, Stats, line};
use outcome::{Assumption, Counterexample, Statistics, StopReason, Verdict};

/// What became of a witness.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WitnessVerdict<'a> {
    /// It is right, and this is the verdict of its program.
    Confirmed(&'a Verdict),
    /// It is wrong, for this reason.
    Refuted(&'a str),
    /// Neither was shown.
    Unknown(&'a StopReason),
}

/// What a witness claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// A run, or facts about loops and calls.
    Some,
    /// Only that no run violates the property.
    Nothing,
}

/// A witness with the answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Validation<'a> {
    /// File of the witness.
    pub witness: &'a str,
    /// File of the program.
    pub file: &'a str,
    /// Its property.
    pub property: &'a str,
    /// `ILP32` or `LP64`.
    pub data_model: &'a str,
    /// What it claims.
    pub claims: Claims,
    /// The answer.
    pub answer: WitnessVerdict<'a>,
    /// The run that confirms or refutes it.
    pub run: Option<&'a Counterexample>,
    /// What the answer rests on.
    pub assumptions: &'a [Assumption],
    /// Remarks.
    pub notes: &'a [String],
    /// What was measured and counted.
    pub stats: &'a Statistics,
}

/// Renders a report for people.
pub fn text(validation: &Validation<'_>, detail: Detail, stats: Stats) -> String {
    let mut out = String::new();
    let Validation { witness, file, property, data_model, .. } = validation;
    match validation.answer {
        WitnessVerdict::Confirmed(Verdict::True) if validation.claims == Claims::Nothing => {
            line(
                &mut out,
                format_args!(
                    "{witness}: confirmed: it states no invariants, and none is needed to prove of {file}: {property}"
                ),
            );
        }
        WitnessVerdict::Confirmed(Verdict::True) => {
            line(&mut out, format_args!("{witness}: confirmed: its invariants hold in {file} and prove: {property}"));
        }
        WitnessVerdict::Confirmed(_) => {
            line(&mut out, format_args!("{witness}: confirmed: a run of {file} follows it and violates: {property}"));
        }
        WitnessVerdict::Refuted(why) => {
            line(&mut out, format_args!("{witness}: refuted for {file}: {property}"));
            line(&mut out, format_args!("  because {why}"));
        }
        WitnessVerdict::Unknown(reason) => {
            line(&mut out, format_args!("{witness}: not decided for {file}: {property}"));
            line(&mut out, format_args!("  stopped: {}", text::explain(reason)));
            line(&mut out, format_args!("  try: {}", text::advise(reason)));
        }
    }
    line(&mut out, format_args!("  data model {data_model}"));
    if let Some(run) = validation.run {
        text::render_counterexample(&mut out, run, detail);
    }
    text::render_assumptions(&mut out, validation.assumptions, detail);
    for note in validation.notes {
        line(&mut out, format_args!("note: {note}"));
    }
    if stats == Stats::Show {
        line(&mut out, format_args!("statistics:"));
        out.push_str(&text::statistics(validation.stats));
    }
    match validation.answer {
        WitnessVerdict::Confirmed(verdict) => line(&mut out, format_args!("verdict: {verdict}")),
        WitnessVerdict::Refuted(why) => line(&mut out, format_args!("verdict: refuted ({why})")),
        WitnessVerdict::Unknown(reason) => line(&mut out, format_args!("verdict: unknown ({reason})")),
    }
    out
}

/// Renders a report for programs, with a line end.
pub fn json(validation: &Validation<'_>) -> String {
    let (answer, verdict, why, reason) = match validation.answer {
        WitnessVerdict::Confirmed(verdict) => ("confirmed", Some(verdict.to_string()), None, None),
        WitnessVerdict::Refuted(why) => ("refuted", None, Some(why), None),
        WitnessVerdict::Unknown(reason) => ("unknown", None, None, Some(json::reason(reason))),
    };
    let document = serde_json::json!({
        "schema": "hone-validation/1",
        "tool": {"name": "hone", "version": env!("CARGO_PKG_VERSION")},
        "witness": validation.witness,
        "file": validation.file,
        "property": validation.property,
        "data_model": validation.data_model,
        "answer": answer,
        "verdict": verdict,
        "refutation": why,
        "reason": reason,
        "run": validation.run.map(json::counterexample),
        "notes": validation.notes,
    });
    // Strings, numbers and maps with string keys always have a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
