//! Arguments for what `driver` declares: the options of configurations, and values with names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use driver::options::{DECLARED, Declared, Options, Written};
use driver::text_form::{Choice, TextForm};
use std::ffi::OsString;

/// Options of the configuration that were given, with their values.
#[derive(Clone, Debug)]
pub struct ConfigArgs(pub Vec<(&'static Declared, String)>);

impl clap::Args for ConfigArgs {
    fn augment_args(command: Command) -> Command {
        command.args(DECLARED.iter().filter_map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConfigArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |option: &'static Declared| match option.written {
            Written::Preset => None,
            Written::Flag => matches.get_flag(option.name).then(|| (option, "on".to_owned())),
            Written::Argument(_) | Written::Switch => Some((option, matches.get_one::<String>(option.name)?.clone())),
        };
        Ok(Self(DECLARED.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The argument of an option, if it has one.
fn argument(option: &'static Declared) -> Option<Arg> {
    let arg = Arg::new(option.name).long(option.flag()).help(option.help());
    Some(match (option.written, (option.values)()) {
        (Written::Preset, _) => return None,
        (Written::Flag, _) => arg.action(ArgAction::SetTrue),
        (Written::Switch, names) => arg
            .value_name("SWITCH")
            .value_parser(named(names))
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("on"),
        (Written::Argument(value), names) if !names.is_empty() => arg.value_name(value).value_parser(named(names)),
        (Written::Argument(value), _) => arg
            .value_name(value)
            .value_parser(|text: &str| Options::default().set(option.name, text).map(|()| text.to_owned())),
    })
}

fn named(values: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    values.into_iter().map(|(name, meaning)| PossibleValue::new(name).help(meaning)).collect::<Vec<_>>().into()
}

/// Parses one of a few values with names.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    named(T::values()).try_map(|text| T::read(&text))
}

/// Options of a project's run as a whole.
const OF_PROJECT: [&str; 7] = ["files", "project", "jobs", "shard", "junit", "output", "format"];

/// The options on the command line that go on to each harness of a project.
pub fn passed_on(command: &Command, matches: &ArgMatches) -> Vec<OsString> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let args = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let mut passed = Vec::new();
    for arg in args.filter(|arg| !arg.is_global_set() && !OF_PROJECT.contains(&arg.get_id().as_str())) {
        let id = arg.get_id().as_str();
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        let (true, Some(long)) = (is_given, arg.get_long()) else { continue };
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            passed.push(format!("--{long}").into());
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let mut option = OsString::from(format!("--{long}="));
            option.push(value);
            passed.push(option);
        }
    }
    passed
}

/// The options of the command that was given with their values, or the values that they have without; those of the configuration
/// ([`driver::Config::settings`]) are left out.
pub fn given(command: &Command, matches: &ArgMatches) -> Vec<(String, String)> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let args = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let values = |arg: &Arg| {
        let name = arg.get_long().map(|long| format!("--{long}")).or_else(|| Some(format!("-{}", arg.get_short()?)))?;
        let values = matches.try_get_raw(arg.get_id().as_str()).ok()??;
        Some(values.map(|value| (name.clone(), value.to_string_lossy().into_owned())).collect::<Vec<_>>())
    };
    let is_own = |arg: &&Arg| !arg.is_global_set() && DECLARED.iter().all(|option| option.name != arg.get_id());
    args.filter(is_own).filter_map(values).flatten().filter(|(_, value)| value != "false").collect()
}
