//! What is to be checked: a program text with its property and data model, read from the files that the user named.

use crate::failure::Failure;
use crate::input::{self, Input, Kind, kind_of};
use crate::property::{self, CheckKind, Property};
use crate::task;
use crate::text_form::Choice;
use base::{Diagnostic, Name};
use cfa::MachineModel;
use std::path::{Path, PathBuf};

/// How a user wants sources to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceOptions {
    /// Data model; a task definition's own wins. Default: LP64.
    pub machine: Option<MachineModel>,
    /// Function at which runs begin; wins over the property's. Default: `main`.
    pub entry: Option<String>,
    /// What is checked where no property says it; assertions if empty.
    pub checks: Vec<CheckKind>,
    /// Arguments for the C preprocessor (`-D…`, `-I…`).
    pub preprocessor_args: Vec<String>,
}

/// A program with what is to be known about it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its files; at least one.
    pub inputs: Vec<Input>,
    /// What to check, and the entry function.
    pub property: Property,
    /// Data model.
    pub machine: MachineModel,
    /// Arguments for the C preprocessor.
    pub preprocessor_args: Vec<String>,
}

impl Job {
    /// Reads `files` (those of a program, or one task definition) and the property. `property` wins over the task's.
    ///
    /// # Errors
    /// If a file can't be read, or is no task definition or property that Hone knows.
    pub fn read(files: &[PathBuf], property: Option<&Path>, options: &SourceOptions) -> Result<Job, Failure> {
        if let (Some(task), [_, _, ..]) = (files.iter().find(|file| kind_of(file) == Kind::Task), files) {
            return Err(not_one_program(task));
        }
        let mut inputs = files.iter().map(|file| input::read(file)).collect::<Result<Vec<_>, _>>()?;
        let (mut task_property, mut task_machine) = (None, None);
        if let [named] = &inputs[..]
            && named.kind() == Kind::Task
        {
            let task = task::parse(named)?;
            let read = |file: &PathBuf| program_of(named, file);
            let program = task.program.iter().map(read).collect::<Result<_, _>>()?;
            (inputs, task_property, task_machine) = (program, task.property, task.machine);
        }
        let mut property = match property.or(task_property.as_deref()) {
            Some(file) => property::read(file)?,
            None => property::of_kinds("main", &options.checks),
        };
        if let Some(entry) = &options.entry {
            property.entry = Name::from(entry.as_str());
        }
        Ok(Job {
            inputs,
            property,
            machine: task_machine.or(options.machine).unwrap_or(MachineModel::Lp64),
            preprocessor_args: options.preprocessor_args.clone(),
        })
    }

    /// The first file.
    pub fn main(&self) -> &Input {
        &self.inputs[0]
    }

    /// The program in a few words: the names of its files, if they are not many.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.inputs.iter().take(NAMED).map(|input| input.name.as_str()).collect();
        match self.inputs.len() - names.len() {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// `ILP32` or `LP64`.
    pub fn data_model(&self) -> &'static str {
        self.machine.name()
    }
}

/// Most files of a program that are named where it is.
const NAMED: usize = 3;

/// The files of each program among `files`: those in C are one, each task definition is another.
///
/// # Errors
/// If there are both.
pub fn programs(files: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Failure> {
    let (tasks, program): (Vec<&PathBuf>, Vec<_>) = files.iter().partition(|file| kind_of(file) == Kind::Task);
    match (tasks.as_slice(), program.is_empty()) {
        ([], _) => Ok(vec![files.to_vec()]),
        (tasks, true) => Ok(tasks.iter().map(|task| vec![(*task).clone()]).collect()),
        ([task, ..], false) => Err(not_one_program(task)),
    }
}

fn not_one_program(task: &Path) -> Failure {
    let message = format!("{} is a task definition, and not all of the files", task.display());
    let help = "all C files together are one program; each task definition is another";
    Failure::new(Diagnostic::error("E0022", None, message).help(help))
}

/// Reads a file of the program that a task definition names.
fn program_of(task: &Input, file: &Path) -> Result<Input, Failure> {
    let input = input::read(file).map_err(|failure| in_task(failure, &task.name))?;
    if input.kind() == Kind::Task {
        let message = format!("{}: the input file is a task definition itself", task.name);
        return Err(in_task(Failure::new(Diagnostic::error("E0021", None, message)), &task.name));
    }
    Ok(input)
}

/// Says which task definition named the file.
fn in_task(mut failure: Failure, task: &str) -> Failure {
    for diagnostic in &mut failure.diagnostics {
        diagnostic.help = Some(format!("it is named by `input_files` of {task}"));
    }
    failure
}
