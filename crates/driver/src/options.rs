//! The options of configurations. Each is declared once, here; the command line, presets, reports and the guide follow from [`DECLARED`].

use crate::text_form::{Engine, Switch, TextForm, Transformation};
use base::Effort;
use bmc::residual::Search;
use cegar::bam::BamRefinement;
use cegar::value::{Order, Prefixes, Tracking};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

/// Declares what can be run, and its name.
macro_rules! analyses {
    ($($(#[doc = $doc:literal])+ $analysis:ident $name:literal,)+) => {
        /// What can be run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Analysis {
            $($(#[doc = $doc])+ $analysis,)+
        }

        impl crate::text_form::Choice for Analysis {
            const CHOICES: &'static [(Self, &'static str, &'static str)] =
                &[$((Analysis::$analysis, $name, concat!($($doc),+)),)+];
        }
    };
}

analyses! {
    /// Bounded model checking
    Bmc "bmc",
    /// k-induction
    KInduction "k-induction",
    /// Interval analysis
    Interval "interval",
    /// Octagon analysis
    Octagon "octagon",
    /// Shape analysis of linked structures on the heap
    Shape "shape",
    /// Explicit-value analysis
    Value "value",
    /// Predicate analysis
    Predicate "predicate",
    /// Values and predicates together
    ValuePredicate "value-predicate",
    /// Lazy abstraction with interpolants
    Impact "impact",
    /// Block-abstraction memoisation over explicit values
    BamValue "bam-value",
    /// Block-abstraction memoisation over predicates
    BamPredicate "bam-predicate",
    /// Runs with random inputs
    Testing "random-testing",
    /// Equations of counters, with bounds that hold because of them: invariants, but no proof
    Equations "equations",
}

use Analysis::{
    BamPredicate, BamValue, Bmc, Equations, Impact, Interval, KInduction, Octagon, Predicate, Shape, Testing, Value,
    ValuePredicate,
};

const ALL: &[Analysis] = &[
    Bmc,
    KInduction,
    Interval,
    Octagon,
    Shape,
    Value,
    Predicate,
    ValuePredicate,
    Impact,
    BamValue,
    BamPredicate,
    Equations,
    Testing,
];
/// Those that refine abstractions.
const REFINING: &[Analysis] = &[Value, Predicate, ValuePredicate, Impact, BamValue, BamPredicate];
const VALUES: &[Analysis] = &[Value, ValuePredicate, BamValue];
/// Those that look for violations where their domain is too coarse.
const SEARCHING: &[Analysis] = &[Value, ValuePredicate, BamValue, Interval, Octagon, Shape];
const BLOCKS: &[Analysis] = &[BamValue, BamPredicate];

/// An option as the user knows it.
#[derive(Debug)]
pub struct Declared {
    /// Its name in presets. On the command line, it has `-` for `_`.
    pub name: &'static str,
    /// What it is, in a sentence without full stop.
    doc: &'static str,
    /// The default in words, if no value tells it.
    default: &'static str,
    /// Where it is written.
    pub written: Written,
    /// The analyses that it is for.
    pub of: &'static [Analysis],
    /// Whether each analysis of a sequence has it for itself.
    pub level: Level,
    /// Its values with what they mean, where they can be listed.
    pub values: fn() -> Vec<(&'static str, &'static str)>,
}

/// Where an option is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// In presets only.
    Preset,
    /// Also on the command line, with a value of this name.
    Argument(&'static str),
    /// Also on the command line, where it stands for `on`.
    Flag,
    /// The same, and it may have a value behind `=`.
    Switch,
}

/// What an option is a setting of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// An analysis.
    Analysis,
    /// The whole run.
    Run,
}

impl Declared {
    /// Its name on the command line, without `--`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// What it is, and its default.
    pub fn help(&self) -> String {
        let default = Some(self.default.to_owned()).filter(|words| !words.is_empty());
        match default.or_else(|| Options::default().get(self.name)).filter(|_| self.written != Written::Flag) {
            Some(default) => format!("{} [default: {default}]", self.doc.trim()),
            None => self.doc.trim().to_owned(),
        }
    }
}

/// Declares options: what they are, name, type, default (in words, too, where no value is one), where they are written, and what has them.
macro_rules! options {
    ($($(#[doc = $doc:literal])+ $name:ident: $ty:ty = $value:expr $(, or $default:literal)?; $written:expr; $level:ident $of:expr;)+) => {
        /// Settings of an analysis, or of a run.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Options {
            $($(#[doc = $doc])+ pub $name: $ty,)+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        impl Options {
            /// Sets an option.
            ///
            /// # Errors
            /// If there is no such option, or it has no such value.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
                match name {
                    $(stringify!($name) => self.$name = TextForm::read(text)?,)+
                    _ => return Err(format!("there is no option `{name}`")),
                }
                Ok(())
            }

            /// The value of an option; `None` if there is none.
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($name) => self.$name.write(),)+
                    _ => None,
                }
            }
        }

        /// All options, as they are listed.
        pub const DECLARED: &[Declared] = &[$(Declared {
            name: stringify!($name),
            doc: concat!($($doc),+),
            default: concat!($($default)?),
            written: $written,
            of: $of,
            level: Level::$level,
            values: <$ty as TextForm>::values,
        },)+];
    };
}

options! {
    /// Unwind loops and recursion at most N times
    unwind: Option<NonZeroU32> = None, or "1, 2, 4, ... until decided"; Written::Argument("N"); Analysis &[Bmc];
    /// Order in which abstract states are explored
    order: Option<Order> = None, or "rpo, or bfs where the program allocates memory"; Written::Argument("ORDER"); Analysis REFINING;
    /// Whether loops are abstracted by strategies
    loop_abstraction: Switch = Switch::Off, or "as the configuration says"; Written::Argument("SWITCH");
        Analysis &[Bmc, KInduction, Interval, Octagon, Value, Predicate, ValuePredicate, Impact];
    /// Whether the call stacks of recursive functions are abstracted
    stack_abstraction: Switch = Switch::On; Written::Argument("SWITCH"); Analysis &[Value, Predicate];
    /// Whether refinement changes block abstractions or copies of them, in configurations that have them
    bam_refinement: BamRefinement = BamRefinement::CopyOnWrite; Written::Argument("HOW"); Analysis BLOCKS;
    /// Keep what is found out about functions and loops in this folder, and use what is there, in configurations with
    /// blocks (bam-...)
    cache: Option<PathBuf> = None; Written::Argument("DIR"); Run BLOCKS;
    /// Analyses of the configuration that may run at the same time
    threads: Option<NonZeroUsize> = None, or "as many as there are cores"; Written::Argument("N"); Run ALL;
    /// Check proofs again, independently of the analysis that found them
    check_proof: Switch = Switch::Off; Written::Flag; Run ALL;

    /// Decide each check on its own; the report lists them all
    every_check: Option<Switch> = None, or "on for harnesses of hone.toml and --format sarif"; Written::Switch; Run ALL;

    /// What is done to the program before it is analysed, in this order
    transformations: Vec<Transformation> = Vec::new(); Written::Preset; Analysis ALL;
    /// Which values are tracked
    tracking: Tracking = Tracking::Refined; Written::Preset; Analysis VALUES;
    /// Which contradiction of an error path is interpolated
    prefixes: Prefixes = Prefixes::Best; Written::Preset; Analysis VALUES;
    /// Whether violations are sought where the domain can't exclude them
    search: Search = Search::Bounded; Written::Preset; Analysis SEARCHING;
    /// Most abstract successors
    most_successors: Option<u64> = None, or "any number"; Written::Preset; Analysis VALUES;
    /// What refutes error paths, in the order in which it is asked
    engines: Vec<Engine> = vec![Engine::BackwardBinary, Engine::Linear, Engine::Horn, Engine::NewtonPosts, Engine::NewtonPreconditions];
        Written::Preset; Analysis &[Predicate, ValuePredicate, Impact, BamPredicate];
    /// A variable with more values than this on a path is left to predicates
    values_per_variable: Option<u32> = None, or "any number"; Written::Preset; Analysis &[ValuePredicate];
    /// If this (or an eighth of the time) is not enough for an answer, all values are tracked for as long, before the analysis begins again
    first_attempt: Option<Effort> = None, or "none"; Written::Preset; Analysis &[ValuePredicate];
    /// Whether the analysis goes on where no loop is accelerated
    unaccelerated: Switch = Switch::On; Written::Preset; Analysis &[Bmc];
    /// Effort without strategies for loops, where loops are abstracted
    prepass: Option<Effort> = None, or "none"; Written::Preset; Analysis &[Value, Predicate, ValuePredicate, Impact];
    /// Most abstract successors in that time
    prepass_successors: Option<u64> = None, or "any number"; Written::Preset; Analysis &[Value];
    /// It ends at an error path that visits a place more often
    prepass_visits: u32 = 10; Written::Preset; Analysis &[Predicate];
}

/// The option of this name.
pub fn declared(name: &str) -> Option<&'static Declared> {
    DECLARED.iter().find(|option| option.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_written() {
        let (options, mut again) = (Options::default(), Options::default());
        for option in DECLARED {
            assert!(option.help().starts_with(char::is_uppercase), "{}", option.name);
            for (value, _) in (option.values)() {
                assert_eq!(again.set(option.name, value), Ok(()));
                assert_eq!(again.get(option.name).as_deref(), Some(value));
            }
            if let Some(value) = options.get(option.name) {
                assert_eq!(again.set(option.name, &value), Ok(()));
                assert_eq!(again.get(option.name), Some(value));
            }
        }
    }

    #[test]
    fn what_is_unknown_is_refused() {
        let mut options = Options::default();
        assert!(options.set("magic", "on").is_err_and(|why| why.contains("`magic`")));
        assert!(options.set("loop_abstraction", "maybe").is_err_and(|why| why.contains("on, off")));
        assert!(options.set("unwind", "0").is_err_and(|why| why.contains("at least 1")));
    }
}
