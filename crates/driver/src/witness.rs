//! Makes witnesses of outcomes, for the files that `--output` writes.

use crate::failure::Failure;
use crate::frontend;
use crate::job::Job;
use crate::stack::on_large_stack;
use crate::validate::{Case, reads_through_pointers, suffices, unmodelled_parts};
use crate::weaving::{check_types, numbering, weaver};
use base::{Budget, Diagnostic, Effort, Span};
use cfa::{Observer, Pattern, Program};
use outcome::{Evidence, Outcome, Verdict};
use std::time::{SystemTime, UNIX_EPOCH};
use witness::correctness;
use witness::model::{Constraint, Contract};
use witness::weave::Weaver;
use witness::yaml::{self, Version};
use witness::{Claims, Content, Info, Sites, hash, violation};

/// Most rounds of leaving out invariants that do not fit the program.
const ROUNDS: usize = 4;

/// Time to find out whether invariants that read through pointers are defined where they are claimed.
const VALIDATION: Effort = Effort::thousands(2_000);

/// A witness that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Where it comes from.
    pub info: Info,
    /// What it claims.
    pub content: Content,
}

/// The witness for an outcome; none for `unknown`, none where the violation has no place in the user's file, and none for programs in which
/// contracts stand for functions: the format knows of none.
pub fn make(job: &Job, config: &str, program: &Program, outcome: &Outcome, budget: &Budget) -> Option<Made> {
    if program.has_contracts {
        return None;
    }
    let claimed = on_large_stack(|| content(job, program, outcome))??;
    let (content, pointers) = match claimed {
        Content::Invariants(claims) => {
            let (without, left_out) = on_large_stack(|| without_pointers(job, claims.clone()))?;
            (Content::Invariants(claims), (left_out > 0).then_some(without))
        }
        violation => (violation, None),
    };
    let observer = &job.property.observer;
    let specification = match (&content, &outcome.evidence) {
        (Content::Violation(_), Evidence::Counterexample(cex)) => {
            let edge = cex.steps.last()?.edge;
            specification(job, observer.transitions.iter().map(|t| &t.on).filter(|on| is_at(program, edge, on)).take(1))
        }
        _ => specification(job, observer.transitions.iter().map(|t| &t.on)),
    };
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let files: Vec<(String, String)> =
        job.inputs.iter().map(|input| (input.name.clone(), hash::sha256(&input.bytes))).collect();
    let hashes: String = files.iter().map(|(_, hash)| hash.as_str()).collect();
    let info = Info {
        producer: ("Hone".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        configuration: config.to_owned(),
        uuid: hash::uuid(&format!("{hashes} {seconds} {config} {specification}")),
        creation_time: hash::iso_time(seconds),
        files,
        specification,
        data_model: job.data_model(),
    };
    let Some(without) = pointers else { return Some(Made { info, content }) };
    // What may be undefined makes the whole witness useless, so it is only claimed where a validation shows that it is not.
    let text = yaml::render(&info, &content, Version::of(&content));
    let is_confirmed = |case: Case| suffices(&case, &budget.within(VALIDATION));
    let content = match Case::of(job, text).is_some_and(is_confirmed) {
        true => content,
        false => Content::Invariants(without),
    };
    Some(Made { info, content })
}

fn content(job: &Job, program: &Program, outcome: &Outcome) -> Option<Content> {
    let mut source = frontend::source(job).ok()?;
    let numbering = numbering(job, &source);
    clib::libc::append_to(&mut source);
    let (mut unit, _) = frontend::parse(job, &source).ok()?;
    let sites = Sites::new(&mut unit, &source.map, numbering);
    match (&outcome.verdict, &outcome.evidence) {
        (Verdict::False(_), Evidence::Counterexample(cex)) => {
            violation::segments(&sites, program, &job.property.observer, cex).map(Content::Violation)
        }
        (Verdict::True, _) => {
            let invariants = correctness::invariants(&sites, &source.map, &outcome.invariants);
            let contracts = correctness::contracts(&sites, &outcome.contracts);
            Some(Content::Invariants(in_scope(job, Claims { invariants, contracts })))
        }
        _ => None,
    }
}

/// Without those that speak of variables that can't be seen at their place, or do what is not modelled.
fn in_scope(job: &Job, mut claims: Claims) -> Claims {
    for _ in 0..ROUNDS {
        let bad = match out_of_scope(job, &claims) {
            Some(bad) if !bad.is_empty() => bad,
            Some(_) => return claims,
            None => return Claims::default(),
        };
        remove(&mut claims, &bad);
    }
    Claims::default()
}

/// Without those that read through pointers, and how many these are; all, if it can't be told which.
fn without_pointers(job: &Job, mut claims: Claims) -> (Claims, usize) {
    let woven = Woven::new(job, &claims);
    let lowered = woven.as_ref().ok().and_then(|woven| woven.lowered.as_ref().ok());
    let (Ok(woven), Some(lowered)) = (&woven, lowered) else {
        return (Claims::default(), claims.invariants.len() + claims.contracts.len());
    };
    let spans = reads_through_pointers(lowered, woven.weaver.offset());
    match spans.into_iter().map(|span| woven.number(Some(woven.weaver.origin(span)))).collect::<Option<Vec<usize>>>() {
        Some(mut numbers) => {
            numbers.sort_unstable();
            numbers.dedup();
            remove(&mut claims, &numbers);
            (claims, numbers.len())
        }
        None => (Claims::default(), claims.invariants.len() + claims.contracts.len()),
    }
}

/// Takes out the claims with these numbers, contracts behind invariants.
fn remove(claims: &mut Claims, bad: &[usize]) {
    let mut numbers = 0..;
    claims.invariants.retain(|_| numbers.next().is_some_and(|number| !bad.contains(&number)));
    claims.contracts.retain(|_| numbers.next().is_some_and(|number| !bad.contains(&number)));
}

/// Numbers of the claims, contracts behind invariants, that do not fit the program at their places, or do what is not modelled; `None` if it
/// can't be told which.
fn out_of_scope(job: &Job, claims: &Claims) -> Option<Vec<usize>> {
    let woven = Woven::new(job, claims).ok()?;
    let spans: Vec<Option<Span>> = match &woven.lowered {
        Err(errors) => errors.iter().map(|error| error.span).collect(),
        // Nobody can use an invariant that may be undefined.
        Ok(program) => {
            let parts = unmodelled_parts(program, woven.weaver.offset());
            parts.into_iter().map(|span| Some(woven.weaver.origin(span))).collect()
        }
    };
    spans.into_iter().map(|span| woven.number(span)).collect()
}

/// A program with claims in it.
struct Woven {
    weaver: Weaver,
    /// What became of it, or the errors.
    lowered: Result<Program, Vec<Diagnostic>>,
    /// Where the text of each claim is, behind that of the program.
    claims: Vec<Vec<Span>>,
}

impl Woven {
    fn new(job: &Job, claims: &Claims) -> Result<Self, Failure> {
        let mut text = String::new();
        let mut placed = claims.clone();
        let mut place = |constraint: &mut Constraint| {
            let lo = text.len() as u32;
            text.push_str(&constraint.text);
            constraint.span = Span::new(lo, text.len() as u32);
            text.push('\n');
        };
        placed.invariants.iter_mut().for_each(|invariant| place(&mut invariant.value));
        for contract in &mut placed.contracts {
            contract.requires.iter_mut().chain(&mut contract.ensures).for_each(&mut place);
        }
        let mut weaver = weaver(job, ("invariants", &text))?;
        let woven = weaver
            .invariants(&placed.invariants)
            .and_then(|_| weaver.contracts(&placed.contracts, placed.invariants.len()));
        let errors = match woven {
            Err(errors) => Err(errors),
            Ok(_) => check_types(job, &mut weaver),
        };
        let lowered = errors.and_then(|unit| c2cfa::lower(unit, &job.lower_options())).map(|lowered| lowered.program);
        let of_invariants = placed.invariants.iter().map(|invariant| vec![invariant.value.span]);
        let of_contract = |contract: &Contract| {
            let sides = [&contract.requires, &contract.ensures];
            sides.into_iter().flatten().map(|side| side.span).collect::<Vec<Span>>()
        };
        let claims = of_invariants.chain(placed.contracts.iter().map(of_contract)).collect();
        Ok(Self { weaver, lowered, claims })
    }

    /// The number of the claim that a part of the text belongs to.
    fn number(&self, span: Option<Span>) -> Option<usize> {
        let at = span?.lo.checked_sub(self.weaver.offset())?;
        self.claims.iter().position(|spans| spans.iter().any(|span| (span.lo..=span.hi).contains(&at)))
    }
}

fn is_at(program: &Program, edge: cfa::EdgeId, on: &Pattern) -> bool {
    let observer = Observer::never("", [on.clone()]);
    observer.step(program, Observer::INITIAL, edge) == observer.error
}

/// Patterns that are forbidden, as in a `.prp` file.
fn specification<'a>(job: &Job, patterns: impl Iterator<Item = &'a Pattern>) -> String {
    let entry = &job.property.entry;
    let lines: Vec<String> =
        patterns.map(|on| format!("CHECK( init({entry}()), LTL({}) )", crate::property::formula(on))).collect();
    lines.join("\n")
}
