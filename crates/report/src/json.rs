//! The report for programs: everything that is known of a run, in the versioned schema `hone-result/1`.
//!
//! The wire types are this module's own, so that the core types can change without the schema. Within version 1 members
//! are only added.

mod statistics;

use crate::subject::Subject;
use base::Place;
use outcome::checked::by_kind;
use outcome::{
    AssumptionKind, Beyond, CheckResult, Contract, Counterexample, EveryCheck, Evidence, Extent, Input, InputSource,
    Invariant, Operand, Outcome, Property, Status, Step, StepKind, StopReason, Tally, Vacuity, Verdict, Visibility,
};
use serde::Serialize;
use statistics::{WireStatistics, wire_statistics};

/// Name and version of the schema.
pub const SCHEMA: &str = "hone-result/1";

/// How the document is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// On one line, for streams of several documents.
    Line,
    /// Indented.
    Pretty,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool,
    file: &'a str,
    files: &'a [String],
    property: &'a str,
    data_model: &'a str,
    configuration: &'a str,
    /// The analysis that ended the run, where the configuration has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<&'static str>,
    /// `true`, `false` or `unknown`.
    verdict: &'static str,
    /// What is violated, if the verdict is `false`.
    violated: Option<String>,
    /// Why the verdict is `unknown`.
    reason: Option<Reason<'a>>,
    proof: Option<Proof>,
    /// Why the proof says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuity: Option<&'static str>,
    /// What the proof says about loops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<WireInvariant<'a>>,
    /// What the proof says about calls of recursive functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contracts: Vec<WireContract<'a>>,
    counterexample: Option<WireCounterexample<'a>>,
    /// A run to the undefined behaviour that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<WireCounterexample<'a>>,
    /// How many checks of each kind became what.
    checked: Vec<WireTally>,
    /// Whether each check was decided on its own.
    every_check: bool,
    /// What became of each check, in the order of the source.
    checks: Vec<WireCheck<'a>>,
    assumptions: Vec<WireAssumption<'a>>,
    notes: &'a [String],
    statistics: WireStatistics<'a>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Reason<'a> {
    kind: &'static str,
    text: String,
    detail: Option<&'a str>,
    place: Option<WirePlace<'a>>,
    /// Seconds, bytes, iterations or frames, by the kind.
    limit: Option<f64>,
    /// What to try next.
    hint: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Proof {
    UnwindingComplete { bound: u32, beyond: &'static str },
    Induction { depth: u32 },
    AbstractionComplete { nodes: u64 },
}

#[derive(Serialize)]
struct WireInvariant<'a> {
    place: WirePlace<'a>,
    function: &'a str,
    /// A C expression that is true whenever a run is there; absent if nothing of it can be written in C.
    expression: Option<&'a str>,
    /// Whether the expression is all that the proof knows there.
    complete: bool,
}

#[derive(Serialize)]
struct WireContract<'a> {
    place: WirePlace<'a>,
    function: &'a str,
    /// Expressions that are true whenever the function is entered and whenever it returns; absent if they say nothing.
    requires: Option<&'a str>,
    ensures: Option<&'a str>,
    /// Whether they are all that the proof knows.
    complete: bool,
}

#[derive(Serialize)]
struct WirePlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
pub(crate) struct WireCounterexample<'a> {
    property: &'a str,
    steps: Vec<WireStep<'a>>,
    inputs: Vec<WireInput<'a>>,
}

#[derive(Serialize)]
struct WireStep<'a> {
    place: Option<WirePlace<'a>>,
    function: &'a str,
    depth: u32,
    /// Whether it happens in code that Hone adds for the C library.
    library: bool,
    #[serde(flatten)]
    kind: WireStepKind<'a>,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum WireStepKind<'a> {
    Assign {
        target: &'a str,
        value: &'a str,
    },
    Branch {
        condition: &'a str,
        taken: bool,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        operands: Vec<WireOperand<'a>>,
    },
    Call {
        callee: &'a str,
        arguments: &'a [String],
    },
    Return {
        callee: &'a str,
        value: Option<&'a str>,
    },
    Input {
        input: usize,
    },
    External {
        callee: &'a str,
        arguments: &'a [String],
    },
    Omitted {
        steps: u64,
    },
    Undefined {
        what: &'a str,
    },
    Error {
        what: &'a str,
    },
}

#[derive(Serialize)]
struct WireOperand<'a> {
    expression: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct WireInput<'a> {
    /// `call`, `uninitialised`, `memory` or `environment`.
    source: &'static str,
    /// Function, variable or description.
    name: String,
    /// Of the call that returned it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    arguments: &'a [String],
    c_type: &'a str,
    /// The value in C.
    value: &'a str,
    /// The bits in hexadecimal.
    bits: String,
    place: Option<WirePlace<'a>>,
}

#[derive(Serialize)]
struct WireTally {
    /// As `--checks` calls it.
    kind: &'static str,
    proved: usize,
    violated: usize,
    unknown: usize,
    unreachable: usize,
    open: usize,
}

#[derive(Serialize)]
struct WireCheck<'a> {
    /// As `--checks` calls it.
    kind: &'static str,
    /// The verdict of its violation.
    property: &'static str,
    place: Option<WirePlace<'a>>,
    function: &'a str,
    /// What is checked, in C.
    text: &'a str,
    /// `proved`, `violated`, `unknown`, `unreachable`, or `open` if another violation ended the analysis.
    result: &'static str,
    /// How a run breaks it, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason<'a>>,
    /// The run that breaks it, if it is another one than that of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<WireCounterexample<'a>>,
}

#[derive(Serialize)]
struct WireAssumption<'a> {
    kind: &'static str,
    text: &'a str,
    places: Vec<WirePlace<'a>>,
}

/// Renders an outcome, with a line end.
pub fn render(subject: &Subject, outcome: &Outcome, layout: Layout) -> String {
    let (verdict, violated, why) = match &outcome.verdict {
        Verdict::True => ("true", None, None),
        Verdict::False(property) => ("false", Some(property.to_string()), None),
        Verdict::Unknown(why) => ("unknown", None, Some(reason(why))),
    };
    let (proof, run) = match &outcome.evidence {
        Evidence::None => (None, None),
        Evidence::UnwindingComplete { bound, beyond, .. } => {
            let beyond = match beyond {
                Beyond::Nothing => "nothing",
                Beyond::Recurrence => "recurrence",
            };
            (Some(Proof::UnwindingComplete { bound: *bound, beyond }), None)
        }
        Evidence::Induction { depth } => (Some(Proof::Induction { depth: *depth }), None),
        Evidence::Abstraction { nodes, .. } => (Some(Proof::AbstractionComplete { nodes: *nodes }), None),
        Evidence::Counterexample(cex) => (None, Some(counterexample(cex))),
    };
    let assumptions = outcome
        .assumptions
        .iter()
        .map(|a| WireAssumption {
            kind: match a.kind {
                AssumptionKind::ExternalFunction => "external-function",
                AssumptionKind::Assembler => "assembler",
                AssumptionKind::UndefinedBehaviour => "undefined-behaviour",
                AssumptionKind::ExternalMemory => "external-memory",
                AssumptionKind::Other => "other",
            },
            text: &a.text,
            places: a.places.iter().map(wire_place).collect(),
        })
        .collect();
    let document = Document {
        schema: SCHEMA,
        tool: Tool { name: "hone", version: env!("CARGO_PKG_VERSION") },
        file: &subject.file,
        files: &subject.files,
        property: &subject.property,
        data_model: subject.data_model,
        configuration: &subject.config,
        analysis: outcome.analysis,
        verdict,
        violated,
        reason: why,
        proof,
        vacuity: outcome.vacuity.map(|vacuity| match vacuity {
            Vacuity::NothingChecked => "nothing-checked",
            Vacuity::NoAssertion => "no-assertion",
            Vacuity::NoRun => "no-run",
        }),
        invariants: outcome.invariants.iter().map(wire_invariant).collect(),
        contracts: outcome.contracts.iter().map(wire_contract).collect(),
        counterexample: run,
        run: outcome.run.as_deref().map(counterexample),
        checked: by_kind(&outcome.checks).into_iter().map(wire_tally).collect(),
        every_check: outcome.every_check == EveryCheck::Yes,
        checks: outcome.checks.iter().map(|check| wire_check(check, &outcome.evidence)).collect(),
        assumptions,
        notes: &outcome.notes,
        statistics: wire_statistics(&outcome.stats),
    };
    let text = match layout {
        Layout::Line => serde_json::to_string(&document),
        Layout::Pretty => serde_json::to_string_pretty(&document),
    };
    // Strings, numbers and maps with string keys always have a form in JSON.
    text.unwrap_or_default() + "\n"
}

fn wire_tally((kind, tally): (Property, Tally)) -> WireTally {
    let Tally { proved, unreachable, violated, unknown, open } = tally;
    WireTally { kind: kind.kind(), proved, violated, unknown, unreachable, open }
}

fn wire_check<'a>(check: &'a CheckResult, evidence: &Evidence) -> WireCheck<'a> {
    let (why, run) = match &check.status {
        Status::Unknown(why) => (Some(reason(why)), None),
        Status::Violated(run) if matches!(evidence, Evidence::Counterexample(told) if told == run) => (None, None),
        Status::Violated(run) => (None, Some(counterexample(run))),
        _ => (None, None),
    };
    WireCheck {
        kind: check.property.kind(),
        property: check.property.name(),
        place: check.place.as_ref().map(wire_place),
        function: &check.function,
        text: &check.text,
        result: check.status.word(),
        what: if why.is_none() { crate::checks::detail(check) } else { None },
        reason: why,
        counterexample: run,
    }
}

fn wire_place(place: &Place) -> WirePlace<'_> {
    WirePlace { file: &place.file, line: place.line, column: place.column }
}

fn wire_invariant(invariant: &Invariant) -> WireInvariant<'_> {
    WireInvariant {
        place: wire_place(&invariant.place),
        function: &invariant.function,
        expression: invariant.text.as_deref(),
        complete: invariant.extent == Extent::Whole,
    }
}

fn wire_contract(contract: &Contract) -> WireContract<'_> {
    WireContract {
        place: wire_place(&contract.place),
        function: &contract.function,
        requires: contract.requires.as_deref(),
        ensures: contract.ensures.as_deref(),
        complete: contract.extent == Extent::Whole,
    }
}

/// Why there is no answer.
pub(crate) fn reason(reason: &StopReason) -> Reason<'_> {
    let hint = crate::text::advise(reason);
    let plain = |kind| Reason { kind, text: reason.to_string(), detail: None, place: None, limit: None, hint };
    match reason {
        StopReason::Timeout { limit } => Reason { limit: limit.map(|l| l.as_secs_f64()), ..plain("timeout") },
        StopReason::Memory { limit } => Reason { limit: limit.map(|l| l as f64), ..plain("memory") },
        StopReason::Interrupted => plain("interrupted"),
        StopReason::Unsupported { detail, place, .. } => {
            Reason { detail: Some(detail), place: place.as_ref().map(wire_place), ..plain("unsupported") }
        }
        StopReason::Undefined { what, place } => {
            Reason { detail: Some(what), place: place.as_ref().map(wire_place), ..plain("undefined-behaviour") }
        }
        StopReason::BoundReached { unwind } => Reason { limit: Some(f64::from(*unwind)), ..plain("bound-reached") },
        StopReason::ReplayFailed { why } => Reason { detail: Some(why), ..plain("replay-failed") },
        StopReason::SolverUnknown { why } => Reason { detail: Some(why), ..plain("solver-unknown") },
        StopReason::StackDepth { limit } => Reason { limit: Some(f64::from(*limit)), ..plain("stack-depth") },
        StopReason::TooLarge { what } => Reason { detail: Some(what), ..plain("too-large") },
        StopReason::ProofRejected { why } => Reason { detail: Some(why), ..plain("proof-rejected") },
        StopReason::NoProgress => plain("no-progress"),
        StopReason::TooCoarse { domain, place } => {
            Reason { detail: Some(domain), place: place.as_ref().map(wire_place), ..plain("too-coarse") }
        }
        StopReason::NotApplicable { why } => Reason { detail: Some(why), ..plain("not-applicable") },
        StopReason::Internal { detail } => Reason { detail: Some(detail), ..plain("internal-error") },
    }
}

/// A run.
pub(crate) fn counterexample(cex: &Counterexample) -> WireCounterexample<'_> {
    WireCounterexample {
        property: &cex.property,
        steps: cex.steps.iter().map(wire_step).collect(),
        inputs: cex.inputs.iter().map(wire_input).collect(),
    }
}

fn wire_step(step: &Step) -> WireStep<'_> {
    let kind = match &step.kind {
        StepKind::Assign { target, value } => WireStepKind::Assign { target, value },
        StepKind::Branch { condition, taken, operands } => {
            let operands = operands.iter().map(|Operand { text, value, .. }| WireOperand { expression: text, value });
            WireStepKind::Branch { condition, taken: *taken, operands: operands.collect() }
        }
        StepKind::Choice { condition, taken } => {
            WireStepKind::Branch { condition, taken: *taken, operands: Vec::new() }
        }
        StepKind::Call { function, arguments } => WireStepKind::Call { callee: function, arguments },
        StepKind::Return { function, value } => WireStepKind::Return { callee: function, value: value.as_deref() },
        StepKind::Input(input) => WireStepKind::Input { input: *input },
        StepKind::External { function, arguments } => WireStepKind::External { callee: function, arguments },
        StepKind::Omitted(steps) => WireStepKind::Omitted { steps: *steps },
        StepKind::Undefined { what } => WireStepKind::Undefined { what },
        StepKind::Error { what } => WireStepKind::Error { what },
    };
    WireStep {
        place: step.place.as_ref().map(wire_place),
        function: &step.function,
        depth: step.depth,
        library: step.visibility == Visibility::Library,
        kind,
        text: &step.text,
    }
}

fn wire_input(input: &Input) -> WireInput<'_> {
    let (source, name) = match &input.source {
        InputSource::Call(function) => ("call", function.to_string()),
        InputSource::Variable(variable) => ("variable", variable.to_string()),
        InputSource::Uninitialised(variable) => ("uninitialised", variable.to_string()),
        InputSource::Allocation(function) => ("allocation", function.to_string()),
        InputSource::Memory => ("memory", String::new()),
        InputSource::Argument(_, name) => ("environment", name.to_string()),
        InputSource::Outside { address, .. } => ("environment", format!("memory from outside at {address:#x}")),
        InputSource::Written { target, .. } => ("environment", target.clone()),
        InputSource::Object { declared: what, .. } | InputSource::Environment(what) => ("environment", what.clone()),
    };
    WireInput {
        source,
        name,
        arguments: &input.arguments,
        c_type: &input.c_type,
        value: &input.text,
        bits: format!("{:#x}", input.value.0),
        place: input.place.as_ref().map(wire_place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn proof() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::proof(), Layout::Pretty));
    }

    #[test]
    fn violation() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::violation(1), Layout::Pretty));
    }

    #[test]
    fn a_line_is_one_document() {
        let reason = StopReason::Unsupported { construct: "setjmp".into(), detail: "a \"call\"\n".into(), place: None };
        let text = render(&specimen::subject(), &Outcome::unknown(reason), Layout::Line);
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["reason"]["kind"], "unsupported");
        assert_eq!(value["reason"]["detail"], "a \"call\"\n");
    }
}
