//! How values of options are written: on the command line, in presets and in reports.

use base::{ByteOrder, Effort};
use bmc::residual::Search;
use cegar::bam::BamRefinement;
use cegar::value::{Order, Prefixes, Tracking};
use cfa::MachineModel;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use transform::accelerate::report::Mode;

/// A value that has a form as text.
pub trait TextForm: Sized {
    /// All values with what they mean, where they can be listed.
    fn values() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Reads a value.
    ///
    /// # Errors
    /// What was expected.
    fn read(text: &str) -> Result<Self, String>;

    /// Writes it; `None` where there is no value.
    fn write(&self) -> Option<String>;
}

/// One of a few values with names.
pub trait Choice: Copy + PartialEq + 'static {
    /// The values that can be chosen, their names, and what they mean.
    const CHOICES: &'static [(Self, &'static str, &'static str)];

    /// Its name.
    fn name(self) -> &'static str {
        Self::CHOICES.iter().find(|(value, ..)| *value == self).map_or("", |(_, name, _)| name)
    }
}

impl<T: Choice> TextForm for T {
    fn values() -> Vec<(&'static str, &'static str)> {
        T::CHOICES.iter().map(|(_, name, meaning)| (*name, *meaning)).collect()
    }

    fn read(text: &str) -> Result<Self, String> {
        let found = T::CHOICES.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
        let names = || T::CHOICES.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
        found.map(|(value, ..)| *value).ok_or_else(|| format!("expected one of: {}", names()))
    }

    fn write(&self) -> Option<String> {
        Some(self.name().to_owned())
    }
}

impl<T: TextForm> TextForm for Option<T> {
    fn values() -> Vec<(&'static str, &'static str)> {
        T::values()
    }

    fn read(text: &str) -> Result<Self, String> {
        T::read(text).map(Some)
    }

    fn write(&self) -> Option<String> {
        self.as_ref().and_then(T::write)
    }
}

impl<T: TextForm> TextForm for Vec<T> {
    fn values() -> Vec<(&'static str, &'static str)> {
        T::values()
    }

    fn read(text: &str) -> Result<Self, String> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(T::read).collect()
    }

    fn write(&self) -> Option<String> {
        let parts: Vec<String> = self.iter().filter_map(T::write).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Forms of numbers.
macro_rules! numbers {
    ($($number:ty: $expected:literal,)+) => {$(
        impl TextForm for $number {
            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| $expected.to_owned())
            }

            fn write(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )+};
}

numbers! {
    u32: "expected a whole number",
    u64: "expected a whole number",
    usize: "expected a whole number",
    NonZeroU32: "expected a number, at least 1",
    NonZeroUsize: "expected a number of threads, at least 1",
}

impl TextForm for PathBuf {
    fn read(text: &str) -> Result<Self, String> {
        Ok(PathBuf::from(text))
    }

    fn write(&self) -> Option<String> {
        Some(self.display().to_string())
    }
}

/// `500ms`, `5s`, `2min`, `1h`; a number without unit is in seconds.
impl TextForm for Duration {
    fn read(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, f64); 7] =
            [("ms", 1e-3), ("min", 60.0), ("sec", 1.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
        let seconds = with_unit(text, &UNITS).ok_or("expected a time such as 500ms, 60s or 5min")?;
        Duration::try_from_secs_f64(seconds).map_err(|_| "the time is too long".to_owned())
    }

    fn write(&self) -> Option<String> {
        Some(format!("{} s", self.as_secs_f64()))
    }
}

/// The time in which as much is usually done, for people to read; see [`Effort`].
impl TextForm for Effort {
    fn read(text: &str) -> Result<Self, String> {
        Duration::read(text).map(Effort::usual_in)
    }

    fn write(&self) -> Option<String> {
        Duration::from_micros(self.count()).write()
    }
}

/// A number with a unit, times what the unit stands for.
pub fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let at = text.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * factor)
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// What refutes error paths; see the names below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    Horn,
    Linear,
    ForwardBinary,
    BackwardBinary,
    NewtonPosts,
    NewtonPreconditions,
}

/// A change of the program before it is analysed; what each does is told where it is named, below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transformation {
    Slice,
    Strategies,
    SplitChoices,
    TailCalls,
    Accelerate,
    Restrict,
}

/// Names of values.
macro_rules! choices {
    ($($ty:ty { $($value:ident $name:literal $meaning:literal,)+ })+) => {$(
        impl Choice for $ty {
            const CHOICES: &'static [(Self, &'static str, &'static str)] = &[$((<$ty>::$value, $name, $meaning),)+];
        }
    )+};
}

choices! {
    Switch {
        On "on" "On",
        Off "off" "Off",
    }
    Order {
        Bfs "bfs" "Breadth first",
        Dfs "dfs" "Depth first",
        ReversePostorder "rpo" "Reverse postorder, deeper calls first",
    }
    Tracking {
        Refined "refined" "What refinement finds necessary",
        Everything "everything" "Everything",
    }
    Prefixes {
        Best "best" "The best one, and others while exploration is costly",
        First "first" "The first one",
    }
    Search {
        Bounded "bounded" "With bounded model checking of what is left",
        None "none" "They are not",
    }
    Engine {
        Horn "horn" "The path as one system of Horn clauses",
        Linear "linear" "The same over linear integers, as a guess",
        ForwardBinary "fw-bin" "Binary interpolation, forwards",
        BackwardBinary "bw-bin" "Binary interpolation, backwards",
        NewtonPosts "newton-sp" "Strongest postconditions of an unsatisfiable core",
        NewtonPreconditions "newton-wp" "Weakest existential preconditions of an unsatisfiable core",
    }
    BamRefinement {
        InPlace "in-place" "Changes them",
        CopyOnWrite "copy-on-write" "Changes copies of them",
    }
    MachineModel {
        Ilp32 "ILP32" "32-bit long and pointers",
        Lp64 "LP64" "64-bit long and pointers",
        Llp64 "LLP64" "32-bit long, 64-bit pointers, as on Windows",
        Lp32 "LP32" "16-bit int, 32-bit long and pointers",
    }
    ByteOrder {
        Little "little" "The least significant byte has the lowest address",
        Big "big" "The most significant byte has the lowest address",
    }
    Mode {
        Accelerate "acceleration" "Accelerated paths are added",
        Restrict "trace-automata" "Redundant runs are removed by trace automata, too",
    }
    Transformation {
        Slice "slice" "What has no influence on the property is left out",
        Strategies "strategies" "Where loop abstraction is on, strategies for loops are added",
        SplitChoices "split-choices" "Choices of values become branches",
        TailCalls "tail-calls" "Calls that end functions become loops",
        Accelerate "accelerate" "Accelerated paths are added to loops",
        Restrict "trace-automata" "The same, and what they make redundant is removed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_duration(text: &str, expected: Option<u64>) {
        assert_eq!(Duration::read(text).ok(), expected.map(Duration::from_millis), "{text}");
    }

    #[test]
    fn durations() {
        check_duration("5s", Some(5000));
        check_duration("500ms", Some(500));
        check_duration("2min", Some(120_000));
        check_duration("0.5", Some(500));
        check_duration("0.1 s", Some(100));
        check_duration("5 parsecs", None);
        check_duration("-1s", None);
        check_duration("", None);
    }

    #[test]
    fn numbers_that_are_at_least_one() {
        assert_eq!(NonZeroUsize::read("2").map(NonZeroUsize::get), Ok(2));
        assert!(NonZeroUsize::read("0").is_err_and(|why| why.contains("at least 1")));
    }

    #[test]
    fn lists() {
        assert_eq!(Vec::<Switch>::read("on, off"), Ok(vec![Switch::On, Switch::Off]));
        assert!(Vec::<Switch>::read("on, of").is_err_and(|why| why == "expected one of: on, off"));
    }
}
