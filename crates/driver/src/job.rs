//! What is to be checked: a program text with its property and data model, read from the files that the user named.

use crate::failure::Failure;
use crate::input::{self, Input, Kind};
use crate::property::{self, Property};
use crate::task;
use crate::text_form::Choice;
use base::Name;
use cfa::MachineModel;
use std::path::Path;

/// How a user wants sources to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceOptions {
    /// Data model; a task definition's own wins. Default: LP64.
    pub machine: Option<MachineModel>,
    /// Function at which runs begin; wins over the property's. Default: `main`.
    pub entry: Option<String>,
    /// Arguments for the C preprocessor (`-D…`, `-I…`).
    pub preprocessor_args: Vec<String>,
}

/// A program with what is to be known about it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its text.
    pub input: Input,
    /// What to check, and the entry function.
    pub property: Property,
    /// Data model.
    pub machine: MachineModel,
    /// Arguments for the C preprocessor.
    pub preprocessor_args: Vec<String>,
}

impl Job {
    /// Reads `path` (a program or a task definition) and its property. `property` wins over the task's.
    ///
    /// # Errors
    /// If a file can't be read, or is no task definition or property that Hone knows.
    pub fn read(path: &Path, property: Option<&Path>, options: &SourceOptions) -> Result<Job, Failure> {
        let named = input::read(path)?;
        let (input, task_property, task_machine) = match named.kind() {
            Kind::C => (named, None, None),
            Kind::Task => {
                let task = task::parse(&named)?;
                let program = input::read(&task.program).map_err(|failure| in_task(failure, &named.name))?;
                if program.kind() == Kind::Task {
                    let message = format!("{}: the input file is a task definition itself", named.name);
                    return Err(in_task(Failure::new(base::Diagnostic::error("E0021", None, message)), &named.name));
                }
                (program, task.property, task.machine)
            }
        };
        let mut property = match property.or(task_property.as_deref()) {
            Some(file) => property::read(file)?,
            None => property::default_property("main"),
        };
        if let Some(entry) = &options.entry {
            property.entry = Name::from(entry.as_str());
        }
        Ok(Job {
            input,
            property,
            machine: task_machine.or(options.machine).unwrap_or(MachineModel::Lp64),
            preprocessor_args: options.preprocessor_args.clone(),
        })
    }

    /// `ILP32` or `LP64`.
    pub fn data_model(&self) -> &'static str {
        self.machine.name()
    }
}

/// Says which task definition named the file.
fn in_task(mut failure: Failure, task: &str) -> Failure {
    for diagnostic in &mut failure.diagnostics {
        diagnostic.help = Some(format!("it is named by `input_files` of {task}"));
    }
    failure
}
