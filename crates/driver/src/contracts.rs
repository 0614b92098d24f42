//! Writes what a proof tells of loops and recursive functions into the text of the program, as contracts.
//!
//! Only what was checked stays: the changed program is checked as any other, with its contracts, and clauses that it breaks are left out. Where the contract of a loop says too little
//! for a proof, the loop has none.

mod text;

use crate::assemble;
use crate::config::Config;
use crate::failure::Failure;
use crate::frontend;
use crate::input::Input;
use crate::job::{Annotations, Job};
use crate::prepare::prepare;
use crate::property::{self, CheckKind};
use crate::stack::on_large_stack;
use crate::text_form::Choice;
use base::{Budget, Effort, Name};
use cfa::{Pattern, Program};
use outcome::{Evidence, Outcome, Silent, Statistics, StopReason, Verdict};
use std::path::PathBuf;
use text::{Insertion, Position};
use witness::Content;
use witness::model::InvariantKind;

/// Most runs in which clauses are tried.
const ROUNDS: usize = 40;
/// Effort of each of them.
const ATTEMPT: Effort = Effort::thousands(15_000);

/// How contracts are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As clauses of CBMC's dialect; of loops only, because a function's contract would have to say what it writes.
    Cbmc,
    /// As comments in ACSL.
    Acsl,
}

impl Choice for Style {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Style::Cbmc, "cbmc", "clauses of CBMC's dialect behind heads of loops"),
        (Style::Acsl, "acsl", "comments in ACSL before loops and functions"),
    ];
}

/// A clause that may be written.
#[derive(Clone, Debug)]
struct Clause {
    /// Such as `loop invariant`.
    keyword: &'static str,
    /// An expression.
    text: String,
}

/// A loop or function with clauses.
#[derive(Clone, Debug)]
struct Item {
    /// The file, by its number.
    file: usize,
    /// Where the clauses are put in.
    place: text::Place,
    /// The function, if it is one's contract.
    function: Option<Name>,
    clauses: Vec<Clause>,
}

/// A file of the program with clauses.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Its number among those of the program.
    pub file: usize,
    /// Its text as it was.
    pub old: String,
    /// Its text with the clauses.
    pub new: String,
}

/// A program with clauses.
#[derive(Clone, Debug, Default)]
pub struct Annotated {
    /// Files that were changed.
    pub changed: Vec<Changed>,
    /// Functions with contracts.
    pub functions: Vec<Name>,
    /// Whether loops have contracts.
    pub has_loops: bool,
    /// Number of clauses that were written.
    pub written: usize,
    /// Number of those that could not be written, or were not needed or confirmed when the changed program was checked.
    pub left_out: usize,
}

/// The file and line of a clause, its item, and its number there.
type ClauseLine = (usize, u32, usize, usize);

/// What became of a changed program.
enum Tried {
    Proved,
    /// This clause of this item does not hold, or can't be read.
    Bad(usize, usize),
    Open,
}

/// Writes the invariants and contracts of a proof into the program.
pub fn annotate(
    job: &Job,
    config: &Config,
    (program, outcome): (&Program, &Outcome),
    style: Style,
    budget: &Budget,
) -> Annotated {
    let said = crate::witness::make(job, &config.name, program, outcome, budget);
    let n_proved = outcome.invariants.len() + outcome.contracts.len();
    let Some(Content::Invariants(claims)) = said.map(|made| made.content) else {
        return Annotated { left_out: n_proved, ..Annotated::default() };
    };
    let texts: Vec<Option<&str>> = job.inputs.iter().map(|input| std::str::from_utf8(&input.bytes).ok()).collect();
    let mut left_out = n_proved.saturating_sub(claims.invariants.len() + claims.contracts.len());
    let mut items: Vec<Item> = Vec::new();
    for invariant in &claims.invariants {
        let place =
            (invariant.kind == InvariantKind::Loop).then(|| place_of(job, &texts, &invariant.at, style)).flatten();
        let Some((file, place)) = place else {
            left_out += 1;
            continue;
        };
        let clauses = text::conjuncts(&invariant.value.text).into_iter();
        let clauses = clauses.map(|text| Clause { keyword: "loop invariant", text }).collect::<Vec<_>>();
        match items.iter_mut().find(|item| item.file == file && item.place == place) {
            Some(item) => item.clauses.extend(clauses),
            None => items.push(Item { file, place, function: None, clauses }),
        }
    }
    for contract in &claims.contracts {
        let sides = [("requires", &contract.requires), ("ensures", &contract.ensures)];
        let sides = sides.into_iter().filter_map(|(keyword, side)| Some((keyword, side.as_ref()?)));
        let clauses: Vec<Clause> = sides
            .flat_map(|(keyword, side)| {
                text::conjuncts(&side.text).into_iter().map(move |text| Clause { keyword, text })
            })
            .collect();
        let found = file_of(job, &contract.at.file).and_then(|file| {
            let place = text::line_of(texts[file]?, contract.at.line)?;
            Some((file, place))
        });
        match (found, &contract.at.function, style) {
            (Some((file, place)), Some(function), Style::Acsl) => {
                items.push(Item { file, place, function: Some(function.as_str().into()), clauses });
            }
            _ => left_out += clauses.len(),
        }
    }
    let n_clauses: usize = items.iter().map(|item| item.clauses.len()).sum();
    let mut search = Search { job, config, style, texts: &texts, budget, rounds: ROUNDS };
    let chosen = search.best(items);
    let written: usize = chosen.iter().map(|item| item.clauses.len()).sum();
    Annotated {
        changed: search.changed(&chosen).0,
        functions: chosen.iter().filter_map(|item| item.function.clone()).collect(),
        has_loops: chosen.iter().any(|item| item.function.is_none()),
        written,
        left_out: left_out + n_clauses - written,
    }
}

fn file_of(job: &Job, name: &str) -> Option<usize> {
    job.inputs.iter().position(|input| input.name == name)
}

/// Where the clauses of a loop are put in.
fn place_of(
    job: &Job,
    texts: &[Option<&str>],
    at: &witness::model::Position,
    style: Style,
) -> Option<(usize, text::Place)> {
    let file = file_of(job, &at.file)?;
    let position = Position { line: at.line, column: at.column? };
    let place = match style {
        Style::Cbmc => text::behind_head(texts[file]?, position),
        Style::Acsl => text::before_loop(texts[file]?, position),
    };
    Some((file, place?))
}

/// Tries clauses until those that are left are proved.
struct Search<'a> {
    job: &'a Job,
    config: &'a Config,
    style: Style,
    texts: &'a [Option<&'a str>],
    budget: &'a Budget,
    rounds: usize,
}

impl Search<'_> {
    /// All items that are confirmed together, or one after the other.
    fn best(&mut self, items: Vec<Item>) -> Vec<Item> {
        if let Some(proved) = self.settled(items.clone(), 0) {
            return proved;
        }
        let mut chosen: Vec<Item> = Vec::new();
        for item in items {
            let mut more = chosen.clone();
            more.push(item);
            if let Some(proved) = self.settled(more, chosen.len()) {
                chosen = proved;
            }
        }
        chosen
    }

    /// The items without clauses that do not hold; `None` if they don't give a proof. Those before `fixed` are known to hold alone.
    fn settled(&mut self, mut items: Vec<Item>, fixed: usize) -> Option<Vec<Item>> {
        loop {
            if items.len() <= fixed {
                return None;
            }
            if self.rounds == 0 || self.budget.check().is_err() {
                return None;
            }
            self.rounds -= 1;
            match self.attempt(&items) {
                Tried::Proved => return Some(items),
                Tried::Bad(item, clause) => {
                    items[item].clauses.remove(clause);
                    items.retain(|item| !item.clauses.is_empty());
                }
                Tried::Open => return None,
            }
        }
    }

    /// Checks the program with these clauses.
    fn attempt(&mut self, items: &[Item]) -> Tried {
        let (changed, lines) = self.changed(items);
        let mut job = self.job.clone();
        if self.style == Style::Acsl {
            job.annotations = Annotations::Read;
        }
        job.contracts.loops = true;
        job.contracts.checked.extend(items.iter().filter_map(|item| item.function.clone()));
        for Changed { file, new, .. } in changed {
            let input = &mut job.inputs[file];
            if new.contains('#') {
                // The text lies in no file; headers beside it are found all the same.
                let folder = input.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.map_or_else(|| ".".to_owned(), |folder| folder.display().to_string());
                job.preprocessor_args[file].extend(["-iquote".to_owned(), folder]);
            }
            *input = Input { path: PathBuf::new(), name: input.name.clone(), bytes: new.into_bytes() };
        }
        // Clauses are assertions, whatever the property asks for.
        let asserts = job
            .property
            .observer
            .transitions
            .iter()
            .any(|t| matches!(&t.on, Pattern::Call(name) if **name == *"__assert_fail"));
        if !asserts {
            let property = property::of_kinds(&job.property.entry, &[CheckKind::Assertions]);
            match self.answer(&Job { property, ..job.clone() }, &lines) {
                Tried::Proved => {}
                other => return other,
            }
        }
        self.answer(&job, &lines)
    }

    /// The answer for a changed program.
    fn check(&self, job: &Job) -> Result<Outcome, Failure> {
        let checked = on_large_stack(|| {
            let loaded = frontend::load(job, &Silent)?;
            let prepared = prepare(loaded.program, &mut Statistics::default());
            let (inner, _hook) = self.budget.inner();
            let share = inner.within(ATTEMPT);
            let outcome = assemble::run(&prepared, &job.property.observer, self.config, &share, &Silent);
            self.budget.spend(inner.spent());
            Ok(outcome)
        });
        checked.unwrap_or_else(|| {
            let detail = "a part of Hone failed".to_owned();
            Ok(Outcome::unknown(StopReason::Internal { detail }))
        })
    }

    /// What becomes of a changed program; `lines` are those of its clauses.
    fn answer(&mut self, job: &Job, lines: &[ClauseLine]) -> Tried {
        let at = |file: &str, line: u32| {
            let found = lines.iter().find(|(number, of, ..)| self.job.inputs[*number].name == file && *of == line);
            found.map_or(Tried::Open, |(_, _, item, clause)| Tried::Bad(*item, *clause))
        };
        match self.check(job) {
            Ok(outcome) => match (outcome.verdict, outcome.evidence) {
                (Verdict::True, _) => Tried::Proved,
                (Verdict::False(_), Evidence::Counterexample(cex)) => {
                    match cex.steps.last().and_then(|step| step.place.as_ref()) {
                        Some(place) => at(&place.file, place.line),
                        None => Tried::Open,
                    }
                }
                _ => Tried::Open,
            },
            Err(failure) => {
                let places = failure.diagnostics.iter().zip(failure.source.iter().cycle());
                let mut places = places.filter_map(|(diagnostic, source)| source.place(diagnostic.span?.lo));
                places.next().map_or(Tried::Open, |place| at(&place.file, place.line))
            }
        }
    }

    /// The changed files, and for each clause its file and line, its item and its number there.
    fn changed(&self, items: &[Item]) -> (Vec<Changed>, Vec<ClauseLine>) {
        let (mut changed, mut lines) = (Vec::new(), Vec::new());
        for (file, old) in self.texts.iter().enumerate() {
            let Some(old) = old else { continue };
            let mut insertions: Vec<(usize, Insertion)> = Vec::new();
            for (number, item) in items.iter().enumerate().filter(|(_, item)| item.file == file) {
                let clauses = item.clauses.iter().map(|clause| self.line(clause)).collect();
                insertions
                    .push((number, Insertion { place: item.place, clauses, in_comment: self.style == Style::Acsl }));
            }
            if insertions.is_empty() {
                continue;
            }
            insertions.sort_by_key(|(_, insertion)| insertion.place.offset);
            let (new, found) = text::inserted(old, insertions.iter().map(|(_, insertion)| insertion));
            lines.extend(
                found.into_iter().map(|(line, insertion, clause)| (file, line, insertions[insertion].0, clause)),
            );
            changed.push(Changed { file, old: (*old).to_owned(), new });
        }
        (changed, lines)
    }

    fn line(&self, clause: &Clause) -> String {
        match self.style {
            Style::Cbmc => format!("__CPROVER_loop_invariant({})", clause.text),
            Style::Acsl => format!("{} {};", clause.keyword, clause.text),
        }
    }
}
