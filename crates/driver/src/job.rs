//! What is to be checked: a program text with its property and data model, read from the files that the user named.
//!
//! In a circle with `frontend` and `sources`: the files of a job may be chosen by what their text defines.

use crate::compile_commands::{self, Entry};
use crate::failure::Failure;
use crate::flags::{Flags, OpenTypes};
use crate::input::{self, Input, Kind, kind_of};
use crate::property::{self, CheckKind, Property};
use crate::sources::{self, Candidate};
use crate::task;
use crate::text_form::Choice;
use base::{ByteOrder, Diagnostic, Name};
use c2cfa::Environment;
use cfa::MachineModel;
pub use cfront::sema::Contracts;
use std::path::{Path, PathBuf};
use syntax::machine_model::{Abi, Machine};
pub use syntax::preprocess::Annotations;
use syntax::preprocess::COMPILER;

/// How a user wants sources to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceOptions {
    /// Data model; a task definition's own wins. Default: what flags say, or LP64.
    pub machine: Option<MachineModel>,
    /// How the bytes of scalars lie in memory. Default: the least significant one first.
    pub byte_order: Option<ByteOrder>,
    /// Function at which runs begin; wins over the property's. Default: `main`.
    pub entry: Option<String>,
    /// What is checked where no property says it; [`CheckKind::defaults`] if empty, and assertions alone for task definitions.
    pub checks: Vec<CheckKind>,
    /// Whether `malloc` and its like may return null. Default: they may, unless a property file says what to check, or a task definition.
    pub allocation: Option<Allocation>,
    /// Flags of a C compiler, each in one word.
    pub flags: Vec<String>,
    /// The compiler that preprocesses.
    pub compiler: Option<String>,
    /// A compilation database: flags of files, and files.
    pub compile_commands: Option<PathBuf>,
    /// Files whose functions stand for those of others.
    pub stubs: Vec<PathBuf>,
    /// A regular expression for what files of the database are made into.
    pub target: Option<String>,
    /// Folders and compilation databases from which what is called and not defined is taken.
    pub sources: Vec<PathBuf>,
    /// Functions whose body is left out.
    pub remove_bodies: Vec<Name>,
    /// What surrounds the program.
    pub environment: Environment,
    /// Functions whose contracts are checked or used.
    pub contracts: Contracts,
    /// Whether annotations are read.
    pub annotations: Annotations,
}

/// What becomes of allocations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// They may return null.
    MayFail,
    /// They never do.
    NeverFails,
}

impl Choice for Allocation {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Allocation::MayFail, "may-fail", "`malloc` and its like may return null"),
        (Allocation::NeverFails, "never-fails", "they never do"),
    ];
}

/// A program with what is to be known about it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its files; at least one.
    pub inputs: Vec<Input>,
    /// What to check, and the entry function.
    pub property: Property,
    /// Whether a proof that says nothing is told from others: not for task definitions, whose owners know what they ask.
    pub warns: bool,
    /// What becomes of allocations.
    pub allocation: Allocation,
    /// Data model.
    pub machine: MachineModel,
    /// How the bytes of scalars lie in memory.
    pub byte_order: ByteOrder,
    /// How types that C leaves open are represented.
    pub types: OpenTypes,
    /// The compiler that preprocesses.
    pub compiler: String,
    /// Arguments for the C preprocessor, for each file.
    pub preprocessor_args: Vec<Vec<String>>,
    /// Number of files, at the beginning, whose functions stand for those of others.
    pub stubs: usize,
    /// Remarks on how the files were chosen.
    pub notes: Vec<Diagnostic>,
    /// Functions whose body is left out.
    pub remove_bodies: Vec<Name>,
    /// What surrounds the program.
    pub environment: Environment,
    /// Functions whose contracts are checked or used.
    pub contracts: Contracts,
    /// Whether annotations are read.
    pub annotations: Annotations,
}

impl Job {
    /// A program whose text is known and needs no preprocessor.
    pub fn of_text(input: Input, property: Property, machine: MachineModel) -> Job {
        Job {
            inputs: vec![input],
            property,
            warns: false,
            allocation: Allocation::MayFail,
            machine,
            byte_order: ByteOrder::Little,
            types: OpenTypes::default(),
            compiler: COMPILER.to_owned(),
            preprocessor_args: vec![Vec::new()],
            stubs: 0,
            notes: Vec::new(),
            remove_bodies: Vec::new(),
            environment: Environment::default(),
            contracts: Contracts::default(),
            annotations: Annotations::default(),
        }
    }

    /// Reads `files` (those of a program, or one task definition) and the property. `property` wins over the task's.
    ///
    /// # Errors
    /// If a file can't be read, or is no task definition or property that Hone knows.
    pub fn read(files: &[PathBuf], property: Option<&Path>, options: &SourceOptions) -> Result<Job, Failure> {
        if let (Some(task), [_, _, ..]) = (files.iter().find(|file| kind_of(file) == Kind::Task), files) {
            return Err(not_one_program(task));
        }
        let files = &chosen(files, options)?;
        let mut inputs = files.files.iter().map(|file| input::read(file)).collect::<Result<Vec<_>, _>>()?;
        let is_task = matches!(&inputs[..], [named] if named.kind() == Kind::Task);
        let (mut task_property, mut task_machine) = (None, None);
        if let [named] = &inputs[..]
            && named.kind() == Kind::Task
        {
            let task = task::parse(named)?;
            let read = |file: &PathBuf| program_of(named, file);
            let program = task.program.iter().map(read).collect::<Result<_, _>>()?;
            (inputs, task_property, task_machine) = (program, task.property, task.machine);
        }
        let file = property.or(task_property.as_deref());
        let mut property = match (file, options.checks.as_slice()) {
            (Some(file), _) => property::read(file)?,
            (None, []) if is_task => property::default_property("main"),
            (None, []) if is_in_cbmc_dialect(&inputs, options) => {
                property::of_kinds("main", &CheckKind::defaults_of_dialect())
            }
            (None, []) => property::of_kinds("main", &CheckKind::defaults()),
            (None, kinds) => property::of_kinds("main", kinds),
        };
        let usual = if is_task || file.is_some() { Allocation::NeverFails } else { Allocation::MayFail };
        if let Some(entry) = &options.entry {
            property.entry = Name::from(entry.as_str());
        }
        let mut flags = inputs.iter().map(|input| files.flags_of(&input.path)).collect::<Result<Vec<_>, _>>()?;
        // Where no file is named yet, flags are those of the files to come.
        let own = vec![with_own(&[], &options.flags)?];
        let of_files = if inputs.is_empty() { &own } else { &flags };
        let machine = machine(&inputs, of_files, task_machine.or(options.machine))?;
        let mut job = Job {
            property,
            warns: !is_task,
            allocation: options.allocation.unwrap_or(usual),
            machine,
            byte_order: options.byte_order.unwrap_or_default(),
            types: open_types(&inputs, of_files)?,
            compiler: options.compiler.clone().unwrap_or_else(|| COMPILER.to_owned()),
            preprocessor_args: flags.iter().map(|flags| flags.preprocessor.clone()).collect(),
            inputs,
            remove_bodies: options.remove_bodies.clone(),
            environment: options.environment.clone(),
            contracts: options.contracts.clone(),
            annotations: options.annotations,
            stubs: options.stubs.len(),
            notes: Vec::new(),
        };
        if !options.sources.is_empty() {
            let candidates = candidates(&options.sources, files)?;
            flags.extend(sources::take_needed(&mut job, candidates)?);
            self::machine(&job.inputs, &flags, Some(machine))?;
            job.types = open_types(&job.inputs, &flags)?;
        }
        if job.inputs.is_empty() {
            let message = format!("no file in --sources defines `{}`", job.property.entry);
            let help = "give a file with the function, or name another with --entry";
            return Err(Failure::new(Diagnostic::error("E0022", None, message).help(help)));
        }
        Ok(job)
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

    /// How its text becomes automata.
    pub fn lower_options(&self) -> c2cfa::LowerOptions {
        c2cfa::LowerOptions {
            machine: self.machine,
            byte_order: self.byte_order,
            entry: self.property.entry.clone(),
            checks: self.property.checks(),
            error_functions: self.property.error_functions(),
            allocation_may_fail: self.allocation == Allocation::MayFail,
            environment: self.environment.clone(),
        }
    }

    /// The name of the data model, with the order of bytes where it is not the usual one.
    pub fn data_model(&self) -> &'static str {
        match (self.byte_order, self.machine) {
            (ByteOrder::Little, machine) => machine.name(),
            (ByteOrder::Big, MachineModel::Ilp32) => "ILP32 big-endian",
            (ByteOrder::Big, MachineModel::Lp64) => "LP64 big-endian",
            (ByteOrder::Big, MachineModel::Llp64) => "LLP64 big-endian",
            (ByteOrder::Big, MachineModel::Lp32) => "LP32 big-endian",
        }
    }
}

/// Which files a program has, and with which flags.
struct Chosen {
    files: Vec<PathBuf>,
    /// Of the compilation database.
    entries: Vec<Entry>,
    /// Of the command line; they win.
    flags: Vec<String>,
}

impl Chosen {
    fn flags_of(&self, file: &Path) -> Result<Flags, Failure> {
        let seen = input::seen_from_here(file);
        let entry = self.entries.iter().find(|entry| entry.file == seen);
        with_own(entry.map_or(&[], |entry| entry.flags.as_slice()), &self.flags)
    }
}

/// Flags of a file, and those of the command line.
fn with_own(of_file: &[String], own: &[String]) -> Result<Flags, Failure> {
    let mut flags = Flags::read(of_file)?;
    flags.extend(&Flags::read(own)?);
    Ok(flags)
}

/// The files of a program: those that were named, and those of a database that are wanted.
fn chosen(files: &[PathBuf], options: &SourceOptions) -> Result<Chosen, Failure> {
    let is_task = matches!(files, [file] if kind_of(file) == Kind::Task);
    let stubs: &[PathBuf] = if is_task { &[] } else { &options.stubs };
    let others = files.iter().filter(|file| !stubs.contains(file));
    let mut all: Vec<PathBuf> = stubs.iter().chain(others).cloned().collect();
    let mut entries = Vec::new();
    if let Some(path) = &options.compile_commands {
        entries = compile_commands::read(path)?;
        if files.is_empty() || options.target.is_some() {
            entries = compile_commands::select(entries, options.target.as_deref(), path)?;
            compile_commands::present(&entries, path)?;
            let named: Vec<PathBuf> = files.iter().map(|file| input::seen_from_here(file)).collect();
            all.extend(entries.iter().map(|entry| entry.file.clone()).filter(|file| !named.contains(file)));
        }
    }
    if all.is_empty() && options.sources.is_empty() {
        let help = "give the files of a C program; or --compile-commands, or --sources";
        return Err(Failure::new(Diagnostic::error("E0022", None, "no files are given").help(help)));
    }
    Ok(Chosen { files: all, entries, flags: options.flags.clone() })
}

/// What may be taken from folders and databases.
fn candidates(sources: &[PathBuf], chosen: &Chosen) -> Result<Vec<Candidate>, Failure> {
    let mut candidates = Vec::new();
    for path in sources {
        if path.extension().is_some_and(|e| e == "json") {
            for entry in compile_commands::read(path)? {
                candidates.push(Candidate { flags: with_own(&entry.flags, &chosen.flags)?, file: entry.file });
            }
        } else {
            for file in input::c_files(path)? {
                candidates.push(Candidate { flags: chosen.flags_of(&file)?, file });
            }
        }
    }
    Ok(candidates)
}

/// The data model on which files agree.
fn machine(inputs: &[Input], flags: &[Flags], wanted: Option<MachineModel>) -> Result<MachineModel, Failure> {
    // Where flags of one file say it, those of others mean the usual one.
    let is_said = flags.iter().any(|flags| flags.machine.is_some());
    let said = |flags: &Flags| is_said.then(|| flags.machine.unwrap_or(MachineModel::Lp64));
    let of_flags = agreed(inputs, flags, said, "for different data models")?;
    match (wanted, of_flags) {
        (Some(wanted), Some(other)) if wanted != other => {
            let message = format!("the data model is {}, but flags say {}", wanted.name(), other.name());
            Err(Failure::new(
                Diagnostic::error("E0076", None, message).help("give --data-model or -m32 and -m64, not both"),
            ))
        }
        (wanted, of_flags) => Ok(wanted.or(of_flags).unwrap_or(MachineModel::Lp64)),
    }
}

/// The representation of types on which files agree.
fn open_types(inputs: &[Input], flags: &[Flags]) -> Result<OpenTypes, Failure> {
    let usual = Abi::from(Machine::Lp64);
    let char = |flags: &Flags| Some(flags.types.char.unwrap_or(usual.char));
    let smallest_enum = |flags: &Flags| Some(flags.types.smallest_enum.unwrap_or(usual.smallest_enum));
    Ok(OpenTypes {
        char: agreed(inputs, flags, char, "with -fsigned-char and -funsigned-char")?,
        smallest_enum: agreed(inputs, flags, smallest_enum, "with and without -fshort-enums")?,
    })
}

/// What the flags of all files say, where they say something.
fn agreed<T: Copy + PartialEq>(
    inputs: &[Input],
    flags: &[Flags],
    said: impl Fn(&Flags) -> Option<T>,
    difference: &str,
) -> Result<Option<T>, Failure> {
    let names = inputs.iter().map(|input| input.name.as_str()).chain(std::iter::repeat(""));
    let mut all = names.zip(flags).filter_map(|(name, flags)| Some((name, said(flags)?)));
    let Some((first, value)) = all.next() else { return Ok(None) };
    match all.find(|(_, other)| *other != value) {
        None => Ok(Some(value)),
        Some((other, _)) => {
            let message = format!("{first} and {other} are compiled {difference}");
            let help = "all files of a program are compiled for one machine; choose files with --target";
            Err(Failure::new(Diagnostic::error("E0076", None, message).help(help)))
        }
    }
}

/// Whether a program is a harness in CBMC's dialect: it names something of it, or the macro is defined by which harnesses tell it.
fn is_in_cbmc_dialect(inputs: &[Input], options: &SourceOptions) -> bool {
    let mut args = options.flags.iter().map(String::as_str);
    args.any(|arg| arg == "-DCBMC" || arg.starts_with("-DCBMC="))
        || inputs.iter().any(|input| mentions(input, "__CPROVER_"))
}

/// Whether a file is one of a proof's own: its text is in CBMC's dialect, or asks for any value.
pub(crate) fn is_of_proof(input: &Input) -> bool {
    mentions(input, "__CPROVER_") || mentions(input, " nondet_")
}

fn mentions(input: &Input, text: &str) -> bool {
    input.bytes.windows(text.len()).any(|window| window == text.as_bytes())
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
