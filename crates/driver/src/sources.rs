//! Folders of sources from which what a program calls and does not define is taken, as a linker takes it from an archive.
//!
//! Beginning at the entry function, names are followed through the definitions that use them. A name without a definition is looked for in the
//! files that mention it; the first that defines it joins the program, with all that it needs.
//!
//! In a circle with `frontend` and `job`: which files a job has depends on what their text defines.

use crate::failure::Failure;
use crate::flags::Flags;
use crate::frontend;
use crate::input::{self, Input};
use crate::job::Job;
use crate::stack::on_large_stack;
use crate::symbols::{Definition, Linkage, definitions};
use base::{Diagnostic, Name};
use c2cfa::Environment;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;
use syntax::parse;

/// A file that a program may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    /// Where it lies.
    pub file: PathBuf,
    /// What is said of it.
    pub flags: Flags,
}

/// Adds the files among `candidates` that a program needs; returns what is said of each.
///
/// # Errors
/// If a file of the program is no C program text.
pub(crate) fn take_needed(job: &mut Job, candidates: Vec<Candidate>) -> Result<Vec<Flags>, Failure> {
    let needed = on_large_stack(|| {
        let mut search = Search::new(job, candidates)?;
        search.run(&called_from_outside(job));
        Ok::<_, Failure>((search.taken, search.notes))
    });
    let (taken, notes) = needed.unwrap_or_else(|| Ok(Default::default()))?;
    let mut flags = Vec::new();
    for (input, of_file) in taken {
        job.inputs.push(input);
        job.preprocessor_args.push(of_file.preprocessor.clone());
        flags.push(of_file);
    }
    job.notes.extend(notes);
    Ok(flags)
}

/// The entry function, handlers of interrupts, and functions that stand for others.
fn called_from_outside(job: &Job) -> Vec<Name> {
    let Environment { interrupts, replaced, .. } = &job.environment;
    let stand_ins = replaced.iter().map(|(_, by)| by);
    std::iter::once(&job.property.entry).chain(interrupts).chain(stand_ins).cloned().collect()
}

/// A file with what it defines.
struct Unit {
    definitions: BTreeMap<Name, Definition>,
}

impl Unit {
    /// What others see under a name.
    fn exported(&self, name: &str) -> Option<&Definition> {
        self.definitions.get(name).filter(|definition| definition.linkage != Linkage::Internal)
    }
}

/// A file that may be taken.
struct Offer {
    candidate: Candidate,
    input: Input,
    /// Words of its text, by their hashes.
    words: HashSet<u64>,
    /// `None` until it is asked for; inside: why it can't be read.
    unit: Option<Result<Unit, String>>,
    is_taken: bool,
}

struct Search<'a> {
    job: &'a Job,
    /// Files of the program.
    units: Vec<Unit>,
    offers: Vec<Offer>,
    taken: Vec<(Input, Flags)>,
    notes: Vec<Diagnostic>,
}

impl<'a> Search<'a> {
    fn new(job: &'a Job, candidates: Vec<Candidate>) -> Result<Self, Failure> {
        let mut units = Vec::new();
        for (input, args) in job.inputs.iter().zip(&job.preprocessor_args) {
            units.push(unit(job, input, args)?);
        }
        let own: BTreeSet<PathBuf> = job.inputs.iter().map(|input| input::seen_from_here(&input.path)).collect();
        let mut offers = Vec::new();
        for candidate in candidates {
            // What is empty or too large defines nothing that is needed.
            let Some(input) = input::read(&candidate.file).ok() else { continue };
            if !own.contains(&input::seen_from_here(&candidate.file)) {
                let words = words(&input.bytes);
                offers.push(Offer { candidate, input, words, unit: None, is_taken: false });
            }
        }
        Ok(Self { job, units, offers, taken: Vec::new(), notes: Vec::new() })
    }

    /// Follows all names that may be used in a run.
    fn run(&mut self, entries: &[Name]) {
        let mut seen: BTreeSet<(usize, Name)> = BTreeSet::new();
        let mut undefined: BTreeSet<Name> = BTreeSet::new();
        // A name, and the file that uses it.
        let mut work: Vec<(Option<usize>, Name)> = entries.iter().rev().map(|entry| (None, entry.clone())).collect();
        (0..self.units.len()).for_each(|number| work.extend(startup(number, &self.units[number])));
        while let Some((user, name)) = work.pop() {
            let own = user.filter(|number| self.units[*number].definitions.contains_key(&name));
            let found = own.or_else(|| self.defined_in(&name));
            let number = match found {
                Some(number) => number,
                None if !undefined.insert(name.clone()) => continue,
                None => match self.take(&name) {
                    Some(number) => {
                        work.extend(startup(number, &self.units[number]));
                        number
                    }
                    None => continue,
                },
            };
            if seen.insert((number, name.clone()))
                && let Some(definition) = self.units[number].definitions.get(&name)
            {
                work.extend(definition.uses.iter().map(|used| (Some(number), used.clone())));
            }
        }
    }

    /// The file of the program that defines a name for all.
    fn defined_in(&self, name: &str) -> Option<usize> {
        self.units.iter().position(|unit| unit.exported(name).is_some())
    }

    /// Takes the first file that defines a name, and those that may be replaced last.
    fn take(&mut self, name: &str) -> Option<usize> {
        let (mut defining, mut unreadable) = (Vec::new(), Vec::new());
        let wanted = hash(name.as_bytes());
        for (number, offer) in self.offers.iter_mut().enumerate().filter(|(_, offer)| offer.words.contains(&wanted)) {
            let read = offer.unit.take().unwrap_or_else(|| {
                let read = unit(self.job, &offer.input, &offer.candidate.flags.preprocessor);
                read.map_err(|failure| failure.diagnostics[0].message.clone())
            });
            match &read {
                Ok(unit) if !offer.is_taken => {
                    defining.extend(unit.exported(name).map(|definition| (definition.linkage, number)));
                }
                Ok(_) => {}
                Err(why) => unreadable.push(format!("{}: {why}", offer.input.name)),
            }
            offer.unit = Some(read);
        }
        let best = defining.iter().find(|(linkage, _)| *linkage == Linkage::External).or(defining.first());
        let Some((_, best)) = best.copied() else {
            self.notes.extend(unreadable.into_iter().map(|why| {
                Diagnostic::warning(
                    "W0074",
                    None,
                    format!("`{name}` may be defined in a file that can't be read: {why}"),
                )
            }));
            return None;
        };
        let offer = &mut self.offers[best];
        offer.is_taken = true;
        self.taken.push((offer.input.clone(), offer.candidate.flags.clone()));
        let taken = offer.input.name.clone();
        let others = defining.iter().filter(|(linkage, number)| *linkage == Linkage::External && *number != best);
        let others: Vec<&str> = others.map(|(_, number)| self.offers[*number].input.name.as_str()).collect();
        if !others.is_empty() {
            let text = format!("`{name}` is taken from {taken}; {} would define it, too", others.join(", "));
            self.notes.push(Diagnostic::warning("W0075", None, text));
        }
        if let Some(Ok(unit)) = self.offers[best].unit.take() {
            self.units.push(unit);
        }
        Some(self.units.len() - 1)
    }
}

fn startup(number: usize, unit: &Unit) -> Vec<(Option<usize>, Name)> {
    unit.definitions.values().filter(|d| d.is_startup).map(|d| (Some(number), d.name.clone())).collect()
}

/// Reads what a file defines.
fn unit(job: &Job, input: &Input, args: &[String]) -> Result<Unit, Failure> {
    let source = frontend::preprocessed(job, input, args)?;
    let mut tree = parse::parse(&source).map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    let mut known: BTreeMap<Name, Definition> = BTreeMap::new();
    for definition in definitions(&mut tree) {
        let first = known.entry(definition.name.clone()).or_insert_with(|| definition.clone());
        // `int x; int x = 3;`
        if first.linkage == Linkage::Replaceable && definition.linkage != Linkage::Replaceable {
            *first = definition;
        }
    }
    Ok(Unit { definitions: known })
}

/// The words of a text, by their hashes.
fn words(text: &[u8]) -> HashSet<u64> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()).map(hash).collect()
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(word);
    hasher.finish()
}
