//! Loops of a program and the strategies that abstract them, outside of verification: shown in automata, and written as C.

pub mod diff;
mod rewrite;
mod source;

use crate::failure::Failure;
use crate::frontend;
use crate::job::Job;
use crate::prepare::{Prepared, prepare};
use crate::stack::on_large_stack;
use base::{Diagnostic, Span};
use cfa::callgraph::CallGraph;
use cfa::loop_structure::{LoopId, LoopStructure};
use cfa::loops::Wto;
use cfa::{Observer, Program};
use outcome::{LoopAbstraction, Silent, Statistics};
use rewrite::{Edit, Site, apply, rewrite};
use source::SourceLoop;
use std::ops::Range;
use syntax::parse;
use transform::strategies::facts::Facts;
use transform::strategies::{self, Limits, Source, Strategy};

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

/// A loop statement, and what strategies make of it.
#[derive(Clone, Debug)]
pub struct AbstractedLoop {
    /// Number in the file, from 1.
    pub number: usize,
    /// Where it begins.
    pub line: u32,
    /// Each strategy with the changed text of the file, or why it does not apply.
    pub strategies: Vec<(Strategy, Result<String, &'static str>)>,
}

/// The loops of a program text.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The text as it is in the file.
    pub text: String,
    /// Its loop statements.
    pub loops: Vec<AbstractedLoop>,
}

/// Applies every strategy to every loop of a file, one at a time.
///
/// # Errors
/// If the text is no C program with the entry function, or has to be preprocessed.
pub fn loops(job: &Job) -> Result<Loops, Failure> {
    with_text(job, |site| {
        if site.text.as_bytes() != job.main().bytes {
            let message = format!("{}: loops can be changed in preprocessed files only", job.name());
            return Err(Failure::new(Diagnostic::error("E0061", None, message).help("give the output of `cc -E -P`")));
        }
        let mut loops = Vec::new();
        for (i, statement) in site.statements.iter().enumerate() {
            let change = |strategy| match site.edits(i, strategy) {
                Ok(edits) => (strategy, Ok(apply(site.text, edits))),
                Err(why) => (strategy, Err(why)),
            };
            let line = site.text.as_bytes()[..statement.span.lo as usize].iter().filter(|b| **b == b'\n').count();
            let strategies = Strategy::ABSTRACT_FIRST.into_iter().map(change).collect();
            loops.push(AbstractedLoop { number: i + 1, line: line as u32 + 1, strategies });
        }
        Ok(Loops { text: site.text.to_owned(), loops })
    })
}

/// The files, by their numbers, in which a proof replaced loops, with these loops rewritten.
///
/// # Errors
/// As for [`loops`].
pub fn abstracted(job: &Job, used: &[LoopAbstraction]) -> Result<Vec<(usize, String)>, Failure> {
    if used.iter().all(|l| l.strategy == Strategy::Base.name()) {
        return Ok(Vec::new());
    }
    with_text(job, |site| {
        let mut edits = Vec::new();
        for (i, _) in site.statements.iter().enumerate() {
            let of_loop = used.iter().filter(|l| site.statement_at(l.span) == Some(i));
            let strategies = Strategy::ABSTRACT_FIRST.into_iter();
            let chosen = |l: &LoopAbstraction| strategies.clone().find(|s| s.name() == l.strategy);
            let most_precise = of_loop.map(|l| chosen(l).unwrap_or(Strategy::Base)).min();
            if let Some(strategy) = most_precise.filter(|s| *s != Strategy::Base) {
                // What can't be written stays as it is.
                edits.extend(site.edits(i, strategy).unwrap_or_default());
            }
        }
        let mut changed = Vec::new();
        for (number, file) in site.files.iter().enumerate() {
            let is_here = |edit: &&Edit| file.contains(&edit.lo);
            let here: Vec<Edit> = edits.iter().filter(is_here).map(|edit| edit.moved(file.start)).collect();
            if !here.is_empty() {
                changed.push((number, apply(&site.text[file.clone()], here)));
            }
        }
        Ok(changed)
    })
}

/// A text with its loops.
struct Text<'a> {
    /// The files, one behind the other.
    text: &'a str,
    /// Where each of them stands.
    files: &'a [Range<usize>],
    statements: &'a [SourceLoop],
    /// The outermost loop of the automata at each statement.
    loops: Vec<Option<LoopId>>,
    facts: &'a Facts<'a>,
}

impl Text<'_> {
    /// The innermost statement whose rounds hold a place.
    fn statement_at(&self, place: Span) -> Option<usize> {
        innermost(self.statements, place)
    }

    fn edits(&self, statement: usize, strategy: Strategy) -> Result<Vec<Edit>, &'static str> {
        let id = self.loops[statement].ok_or("no run comes back to its begin")?;
        let facts = self.facts.of_loop(id).map_err(|refusal| refusal.0)?;
        let site =
            Site { text: self.text, statement: &self.statements[statement], facts: &facts, number: statement + 1 };
        rewrite(&site, strategy).map_err(|refusal| refusal.0)
    }
}

fn innermost(statements: &[SourceLoop], place: Span) -> Option<usize> {
    let holding = statements.iter().enumerate().filter(|(_, s)| s.holds(place));
    holding.max_by_key(|(_, s)| s.depth).map(|(i, _)| i)
}

/// Reads a job's text and automata; deep nesting needs the large stack.
fn with_text<T: Send>(job: &Job, f: impl FnOnce(&Text<'_>) -> Result<T, Failure> + Send) -> Result<T, Failure> {
    on_large_stack(|| {
        let loaded = frontend::load(job, &Silent)?;
        let Prepared { program, points_to, regions, .. } = prepare(loaded.program, &mut Statistics::default());
        let source = frontend::source(job)?;
        let unit = parse::parse(&source).map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
        let statements = source::loops(&unit);
        let files: Vec<Range<usize>> =
            source.units.iter().map(|unit| unit.span.lo as usize..unit.span.hi as usize).collect();
        let mut text = source.map.user_text().to_owned();
        for (file, input) in files.iter().zip(&job.inputs) {
            // Stripping keeps places, so changes are made to the user's own text where nothing else was done to it.
            if let Some(own) = std::str::from_utf8(&input.bytes).ok().filter(|own| own.len() == file.len()) {
                text.replace_range(file.clone(), own);
            }
        }
        let wto = Wto::new(&program);
        let calls = CallGraph::new(&program, Some(&points_to));
        let structure = LoopStructure::new(&program, &wto, &regions, &calls);
        let from = Source {
            program: &program,
            wto: &wto,
            points_to: &points_to,
            regions: &regions,
            observer: &job.property.observer,
        };
        let facts = Facts::new(from, &calls, &structure);
        let mut loops = vec![None; statements.len()];
        for (id, l) in structure.loops.iter_enumerated() {
            if let Some(at) = innermost(&statements, strategies::facts::loop_span(&program, l)) {
                // Inner loops come later, and may be made of jumps within the statement.
                loops[at].get_or_insert(id);
            }
        }
        f(&Text { text: &text, files: &files, statements: &statements, loops, facts: &facts })
    })
    .unwrap_or_else(|| {
        let message = format!("{}: internal error", job.name());
        Err(Failure::new(Diagnostic::error("E0099", None, message).help("please report this with the program")))
    })
}
