//! Options that say what surrounds a program: hardware, interrupts, functions without a body, callers of the entry function.

use crate::options::choice;
use base::Name;
use driver::environment::{EnumValues, Strings, Volatile, read_range, read_replacement};
use driver::{Arguments, Environment};
use std::ops::RangeInclusive;

/// What surrounds a program.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Surroundings of the program")]
pub struct EnvironmentArgs {
    /// What reads of volatile objects give [default: plain]
    #[arg(long, value_name = "WHAT", value_parser = choice::<Volatile>())]
    pub volatile: Option<Volatile>,

    /// Addresses of registers of hardware, such as 0x40000000..0x5fffffff: reads give any value, writes are lost
    #[arg(long, value_name = "RANGE", value_delimiter = ',', value_parser = read_range)]
    pub mmio: Vec<RangeInclusive<u64>>,

    /// Function that may run between any two operations of the program
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    pub interrupt: Vec<String>,

    /// Most interrupts in a run [default: any number]
    #[arg(long, value_name = "N", requires = "interrupt")]
    pub max_interrupts: Option<u32>,

    /// Functions without a body may write to what their pointer arguments lead to, unless it is const
    #[arg(long)]
    pub havoc_arguments: bool,

    /// Function and the one that is called instead, also through pointers
    #[arg(long, value_name = "F=STUB", value_delimiter = ',', value_parser = read_replacement)]
    pub replace: Vec<(Name, Name)>,

    /// Values of enumerations that functions without a body return [default: any]
    #[arg(long, value_name = "WHICH", value_parser = choice::<EnumValues>())]
    pub enum_values: Option<EnumValues>,

    /// Most elements of objects that arguments of --entry lead to; 0: these lead to memory of any size [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub max_elements: Option<u32>,

    /// Levels of objects that arguments of --entry lead to [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub max_depth: Option<u32>,

    /// What arrays of characters are that arguments of --entry lead to [default: any]
    #[arg(long, value_name = "WHAT", value_parser = choice::<Strings>())]
    pub strings: Option<Strings>,

    /// Two arguments of --entry may lead to the same object
    #[arg(long)]
    pub shared_arguments: bool,
}

impl EnvironmentArgs {
    /// What surrounds the program.
    pub fn environment(&self) -> Environment {
        let usual = Arguments::default();
        Environment {
            volatile_inputs: self.volatile == Some(Volatile::Inputs),
            hardware: self.mmio.clone(),
            interrupts: self.interrupt.iter().map(|name| name.as_str().into()).collect(),
            most_interrupts: self.max_interrupts,
            havoc_arguments: self.havoc_arguments,
            replaced: self.replace.clone(),
            declared_enums: self.enum_values == Some(EnumValues::Declared),
            arguments: Arguments {
                max_elements: self.max_elements.unwrap_or(usual.max_elements),
                max_depth: self.max_depth.unwrap_or(usual.max_depth),
                terminated: self.strings == Some(Strings::Terminated),
                shared: self.shared_arguments,
            },
        }
    }
}
