//! Correctness witnesses: confirmed where their invariants and contracts hold and suffice.

use super::{Validated, Validator, Validity, Woven};
use crate::assemble;
use crate::failure::Failure;
use crate::prepare::{Prepared, prepare};
use ::witness::model::{Claims, InvariantKind, Position};
use ::witness::weave::{self, Contracted, Mark, MarkedLoop, VIOLATED};
use base::{Budget, Place, Span};
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use cfa::program::Outside;
use cfa::{EdgeId, ExprKind, FuncId, Function, Observer, Op, Pattern, Program, Scalar, Value};
use encode::encoder::MAY_BE_UNDEFINED;
use outcome::{Counterexample, Evidence, Outcome, Statistics, StepKind, StopReason, Verdict, Visibility};
use transform::cut_calls::{FOLLOWED, cut_calls};
use transform::cut_loops::{ROUND, cut_loops};
use transform::guard_errors::{Guard, Labels, guard_errors};

/// Most rounds of loops that invariants are proved over together.
const MOST_ROUNDS: u32 = 3;

/// What a witness put into its program.
struct Marks {
    loops: Vec<MarkedLoop>,
    functions: Vec<Contracted>,
}

impl Validator<'_> {
    /// Whether the claims hold and suffice.
    pub(super) fn correctness(&self, claims: &Claims) -> Result<Validated, Failure> {
        let Woven { mut program, offset, result: marks } = self.woven(|weaver| {
            let loops = weaver.invariants(&claims.invariants)?;
            Ok(Marks { loops, functions: weaver.contracts(&claims.contracts, claims.invariants.len())? })
        })?;
        let may_be_undefined = |place: Option<Place>| {
            let construct = "invariant that may be undefined".into();
            Validated::new(Validity::Unknown(StopReason::Unsupported { construct, detail: String::new(), place }))
        };
        if let Some(span) = unmodelled_parts(&program, offset).first() {
            return Ok(may_be_undefined(program.source.place(span.lo)));
        }
        // Where an expression is undefined, a run would end instead of showing that it is wrong.
        let undefined = number_of_undefined(claims);
        report_undefined(&mut program, offset, undefined);
        program.must_be_defined = through_pointers(&program, offset).into_iter().collect();
        let property = &self.case.job.property.observer;
        let mut observer = property.clone();
        observer.transitions.push(cfa::observer::Transition {
            from: Observer::INITIAL,
            on: Pattern::Call(VIOLATED.into()),
            to: observer.error,
        });
        let marked = prepare(program, &mut Statistics::default());
        let mut refuted: Option<Validated> = None;
        let mut undecided = None;
        for (cuts, percent) in stages(claims, &marks) {
            if self.budget.check().is_err() {
                break;
            }
            // Before the search without an end.
            if cuts == Cuts::None
                && !marks.loops.is_empty()
                && let Some(confirmed) = self.together(&marked, &observer, &marks)
            {
                return Ok(confirmed);
            }
            let stage = if refuted.is_some() && cuts == Cuts::None { self.short() } else { self.stage(percent) };
            let checked = self.check_cut(&marked, &observer, &marks, cuts, 1, &stage);
            let Checked { program, outcome, notes } = checked;
            match (outcome.verdict, outcome.evidence) {
                (Verdict::True, _) => {
                    let confirmed = Validated::new(Validity::Confirmed(Verdict::True));
                    return Ok(Validated { assumptions: outcome.assumptions, stats: outcome.stats, ..confirmed });
                }
                (Verdict::False(_), Evidence::Counterexample(cex))
                    if cuts != Cuts::None && violated(&program, &cex) == Some(undefined) =>
                {
                    let place = cex.steps.last().and_then(|step| step.place.clone());
                    undecided = Some(Validated { notes, stats: outcome.stats, ..may_be_undefined(place) });
                }
                (Verdict::False(_), Evidence::Counterexample(cex)) => {
                    let why = explain(&program, &cex, claims, &marks, cuts);
                    let run = Some(from_last_cut(*cex, cuts, &marks));
                    let found = Validated { run, notes, ..Validated::new(Validity::Refuted(why)) };
                    // A run of the program as it is says most; otherwise the cut that is nearest to it.
                    refuted = Some(Validated { stats: outcome.stats, ..found });
                }
                (Verdict::Unknown(StopReason::Unsupported { construct, place, .. }), _)
                    if &*construct == MAY_BE_UNDEFINED =>
                {
                    undecided = Some(Validated { notes, stats: outcome.stats, ..may_be_undefined(place) });
                }
                (Verdict::Unknown(reason), _) => {
                    undecided =
                        Some(Validated { notes, stats: outcome.stats, ..Validated::new(Validity::Unknown(reason)) });
                }
                _ => {}
            }
        }
        let stopped = || Validated::new(Validity::Unknown(StopReason::Timeout { limit: None }));
        Ok(refuted.or(undecided).unwrap_or_else(stopped))
    }

    /// Whether the invariants are inductive together with what some rounds of loops before show. Only a proof tells anything here.
    fn together(&self, marked: &Prepared, observer: &Observer, marks: &Marks) -> Option<Validated> {
        for rounds in 2..=MOST_ROUNDS {
            if self.budget.check().is_err() {
                break;
            }
            let Checked { outcome, .. } = self.check_cut(marked, observer, marks, Cuts::All, rounds, &self.stage(20));
            if outcome.verdict == Verdict::True {
                let confirmed = Validated::new(Validity::Confirmed(Verdict::True));
                let notes = vec![format!("the invariants are {rounds}-inductive together")];
                return Some(Validated { assumptions: outcome.assumptions, stats: outcome.stats, notes, ..confirmed });
            }
        }
        None
    }

    /// Checks the marked program with some of its loops cut, by induction over so many rounds, and with calls cut at contracts; also tells which
    /// could not be.
    fn check_cut(
        &self,
        marked: &Prepared,
        observer: &Observer,
        marks: &Marks,
        cuts: Cuts,
        rounds: u32,
        budget: &Budget,
    ) -> Checked {
        let mut program = marked.program.clone();
        let mut notes = Vec::new();
        if let Some(marker) = program.function_named(weave::CUT) {
            let mark = |number: u32| marks.loops.get(number as usize).map(|l| l.mark);
            let wanted = |number: u32| match cuts {
                Cuts::All => mark(number).is_some_and(|mark| mark != Mark::Place),
                Cuts::Annotated => mark(number) == Some(Mark::Annotated),
                Cuts::Places => mark(number).is_some_and(|mark| mark != Mark::Bare),
                Cuts::None => false,
            };
            let (found, early) = cut_loops(&mut program, &marked.points_to, marker, rounds, wanted);
            if let Some(counter) = early {
                guard_errors(&mut program, observer, &Guard { counter, calls_at: 0, labels: Labels::AsCalls });
            }
            for mark in found {
                let l = marks.loops.get(mark.number as usize).filter(|l| l.mark != Mark::Place);
                if let (Some(why), Some(l)) = (mark.kept.filter(|why| !why.is_empty()), l) {
                    let place = place_of(&l.position);
                    notes.push(format!("the loop at line {}:{} is unwound: {why}", place.line, place.column));
                }
            }
        }
        if let Some(marker) = program.function_named(weave::CALL) {
            let calls = CallGraph::new(&marked.program, Some(&marked.points_to));
            let procedures = Procedures::new(&marked.program, &calls, &marked.points_to);
            for mark in cut_calls(&mut program, &procedures, marker, |_| cuts != Cuts::None) {
                let called = marks.functions.get(mark.number as usize);
                if let (Some(why), Some(called)) = (mark.kept.filter(|why| !why.is_empty()), called) {
                    notes.push(format!("calls of `{}` are followed in spite of its contract: {why}", called.function));
                }
            }
        }
        let prepared = prepare(program, &mut Statistics::default());
        let outcome = assemble::run(&prepared, observer, &self.proofs, budget, self.progress);
        Checked { program: prepared.program, outcome, notes }
    }
}

/// Which cuts are tried, and the share of the effort of each in percent. Where nothing is claimed, nothing is there that could not suffice.
fn stages(claims: &Claims, marks: &Marks) -> Vec<(Cuts, u32)> {
    if claims.invariants.is_empty() && claims.contracts.is_empty() {
        return vec![(Cuts::None, 100)];
    }
    let has = |mark: Mark| marks.loops.iter().any(|l| l.mark == mark);
    let annotated = has(Mark::Annotated) && has(Mark::Bare);
    let mut stages: Vec<(Cuts, u32)> = vec![(Cuts::All, if annotated { 30 } else { 50 })];
    if annotated {
        stages.push((Cuts::Annotated, 50));
    }
    if has(Mark::Place) && has(Mark::Bare) {
        stages.push((Cuts::Places, 50));
    }
    stages.push((Cuts::None, 100));
    stages
}

/// A program with cut loops, and the answer for it.
struct Checked {
    program: Program,
    outcome: Outcome,
    notes: Vec<String>,
}

/// Which loops are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cuts {
    /// All that can be.
    All,
    /// Those with an invariant.
    Annotated,
    /// Those with an invariant at any place.
    Places,
    /// None: the program as it is, with assertions.
    None,
}

/// The number that runs get to where an expression of the witness is undefined, behind those of invariants and contracts.
fn number_of_undefined(claims: &Claims) -> usize {
    claims.invariants.len() + 2 * claims.contracts.len()
}

/// The number of what a run violates, if that is a part of the witness.
fn violated(program: &Program, cex: &Counterexample) -> Option<usize> {
    match cex.steps.last().map(|step| &program.edges[step.edge].op) {
        Some(Op::CallExtern { func, args, .. }) if &*program.functions[*func].name == VIOLATED => {
            args.first().and_then(|arg| program.exprs.as_const(*arg)).map(|number| number.0 as usize)
        }
        _ => None,
    }
}

/// Why the run refutes a correctness witness.
fn explain(program: &Program, cex: &Counterexample, claims: &Claims, marks: &Marks, cuts: Cuts) -> String {
    let violated = violated(program, cex);
    let invariants = &claims.invariants;
    if violated == Some(number_of_undefined(claims)) {
        return "an expression of the witness is undefined in a run of the program".to_owned();
    }
    if let Some(number) = violated.and_then(|number| number.checked_sub(invariants.len()))
        && let Some(contract) = claims.contracts.get(number / 2)
    {
        let of = contract.at.function.as_ref().map_or(String::new(), |function| format!(" of `{function}`"));
        let (side, word, when) = match number % 2 {
            0 => (&contract.requires, "requires", "entered"),
            _ => (&contract.ensures, "ensures", "left"),
        };
        let text = side.as_ref().map_or("", |side| side.text.as_str());
        let what = format!("what the contract{of} {word}, `{text}`, does not hold when the function is {when}");
        let is_followed = |step: &outcome::Step| matches!(&step.kind, StepKind::Assign { target, .. } if target.starts_with(FOLLOWED));
        return match cuts {
            Cuts::None => format!("{what}, in a run of the program"),
            _ if cex.steps.iter().any(is_followed) => format!("{what}, though it held in all calls before"),
            _ => what,
        };
    }
    let Some(invariant) = violated.and_then(|number| invariants.get(number)) else {
        return match cuts {
            Cuts::None => "the program violates the property".to_owned(),
            _ if invariants.is_empty() && !claims.contracts.is_empty() => {
                "the contracts do not suffice: they allow a state from which the error is reached".to_owned()
            }
            _ => "the invariants do not suffice: they allow a state from which the error is reached".to_owned(),
        };
    };
    let column = invariant.at.column.map_or(String::new(), |column| format!(":{column}"));
    let what = format!("invariant `{}` at line {}{column}", invariant.value.text, invariant.at.line);
    let position = |l: &MarkedLoop| {
        let column = invariant.at.column;
        l.position.line == invariant.at.line && column.is_none_or(|column| Some(column) == l.position.column)
    };
    let of_loop = invariant.kind == InvariantKind::Loop;
    let round = marks.loops.iter().position(position).filter(|_| of_loop).and_then(|number| {
        let counter = format!("{ROUND}{number}");
        cex.steps.iter().rev().find_map(|step| match &step.kind {
            StepKind::Assign { target, value } if *target == counter => Some(value.as_str()),
            _ => None,
        })
    });
    match (cuts, round) {
        (Cuts::None, _) => format!("{what} does not hold in a run of the program"),
        (_, Some("1")) => format!("{what} is not preserved by an iteration of its loop"),
        (_, Some(_)) => format!("{what} does not hold when its loop is reached"),
        (_, None) => format!("{what} does not follow from the invariants of loops"),
    }
}

/// Where a loop was cut, or a body was entered in any state, as the assignment to a variable of the passes tells.
fn cut_at(kind: &StepKind, marks: &Marks) -> Option<Place> {
    let StepKind::Assign { target, value } = kind else { return None };
    let number = |prefix| target.strip_prefix(prefix)?.parse::<usize>().ok();
    let of_loop = number(ROUND).and_then(|number| marks.loops.get(number)).map(|l| &l.position);
    let of_call = number(FOLLOWED).and_then(|number| marks.functions.get(number)).map(|called| &called.position);
    of_loop.or(of_call).filter(|_| value == "1").map(place_of)
}

fn place_of(position: &Position) -> Place {
    Place { file: position.file.as_str().into(), line: position.line, column: position.column.unwrap_or(1) }
}

/// The run behind the last place where a loop or a call was cut, with the state in which that was.
fn from_last_cut(mut cex: Counterexample, cuts: Cuts, marks: &Marks) -> Counterexample {
    let mut place = None;
    if cuts != Cuts::None
        && let Some(at) = cex.steps.iter().rposition(|step| cut_at(&step.kind, marks).is_some())
    {
        place = cut_at(&cex.steps[at].kind, marks);
        cex.steps.drain(..at);
    }
    let not_held = if marks.functions.is_empty() {
        "an invariant does not hold"
    } else {
        "an invariant or a contract does not hold"
    };
    let woven = |place: &Option<Place>| place.as_ref().is_some_and(|place| &*place.file == weave::FILE);
    for step in &mut cex.steps {
        // What was woven is not the user's, but the values with which a cut loop goes on are wanted.
        if woven(&step.place) && matches!(&step.kind, StepKind::Input(_) | StepKind::Error { .. }) {
            step.visibility = Visibility::User;
            step.place.clone_from(&place);
        }
        if let StepKind::Error { what } = &mut step.kind
            && what.starts_with(VIOLATED)
        {
            *what = not_held.to_owned();
        }
    }
    for input in &mut cex.inputs {
        if woven(&input.place) {
            input.place.clone_from(&place);
        }
    }
    cex
}

/// Where expressions of the witness do what is not modelled. A run would end there, instead of showing that they are wrong.
pub(crate) fn unmodelled_parts(program: &Program, offset: u32) -> Vec<Span> {
    let of_witness = of_witness(program, offset).into_iter().map(|edge| &program.edges[edge]);
    of_witness.filter(|edge| matches!(edge.op, Op::Unsupported(_))).map(|edge| edge.span).collect()
}

/// Where expressions of the witness read through pointers, which may be undefined.
pub(crate) fn reads_through_pointers(program: &Program, offset: u32) -> Vec<Span> {
    through_pointers(program, offset).into_iter().map(|edge| program.edges[edge].span).collect()
}

fn through_pointers(program: &Program, offset: u32) -> Vec<EdgeId> {
    let reads = of_witness(program, offset).into_iter().filter(|edge| {
        let mut through_pointer = false;
        program.edges[*edge].op.for_each_expr(|root| {
            program.exprs.walk(root, |_, e| {
                if let ExprKind::Load(addr) = e.kind {
                    through_pointer |= !is_in_variable(program, addr);
                }
            });
        });
        through_pointer
    });
    reads.collect()
}

/// Edges that were made from what lies behind an offset of the text.
fn of_witness(program: &Program, offset: u32) -> Vec<EdgeId> {
    let edges = program.locs.iter().flat_map(|l| &l.out).copied();
    edges.filter(|edge| program.edges[*edge].span.lo >= offset && program.edges[*edge].span != Span::NONE).collect()
}

/// Reports where the rest of the witness is undefined, with this number.
fn report_undefined(program: &mut Program, offset: u32, number: usize) {
    for edge in of_witness(program, offset) {
        if let Op::Undefined(_) = program.edges[edge].op {
            let func = function_violated(program);
            let number = program.exprs.add(ExprKind::Const(Value(number as u128)), Scalar::INT);
            program.edges[edge].op = Op::CallExtern { func, args: Box::new([number]), dst: None };
        }
    }
}

/// The function that is called where a witness is wrong. Lowering leaves it out where no assertion is left of the witness, because
/// all of them are undefined, or true.
fn function_violated(program: &mut Program) -> FuncId {
    program.function_named(VIOLATED).unwrap_or_else(|| {
        program.functions.push(Function {
            name: VIOLATED.into(),
            params: Vec::new(),
            ret: None,
            body: None,
            ty_key: u32::MAX,
            ret_ctype: program.functions[program.start].ret_ctype,
            param_ctypes: Vec::new(),
            variadic: false,
            address_taken: false,
            outside: Outside::KeepsNothing,
            span: Span::NONE,
        })
    })
}

/// Whether an address is made from that of a variable.
fn is_in_variable(program: &Program, addr: cfa::ExprId) -> bool {
    match program.exprs.kind(addr) {
        ExprKind::AddrOf(_) => true,
        ExprKind::PtrAdd(base, _) | ExprKind::Cast(base) => is_in_variable(program, base),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_claims_no_loop_is_cut() {
        let marks = Marks { loops: Vec::new(), functions: Vec::new() };
        assert_eq!(stages(&Claims::default(), &marks), [(Cuts::None, 100)]);
    }
}
