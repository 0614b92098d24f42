//! The content of witnesses, whichever their format.

use base::Span;

/// Who made a witness, when, and for what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Name and version of the producer.
    pub producer: (String, String),
    /// Its configuration.
    pub configuration: String,
    /// RFC 4122.
    pub uuid: String,
    /// ISO 8601, with time zone.
    pub creation_time: String,
    /// The program's files, each with the SHA-256 of its content in hexadecimal.
    pub files: Vec<(String, String)>,
    /// The property, as in a `.prp` file.
    pub specification: String,
    /// `ILP32` or `LP64`; another one, or a big-endian machine, by Hone's name for it.
    pub data_model: &'static str,
}

/// Follows the name of the data model where machines are big-endian.
pub const BIG_ENDIAN: &str = " big-endian";

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A run passes these segments in order, and violates the property then.
    Violation(Vec<Segment>),
    /// These invariants and contracts hold.
    Invariants(Claims),
}

/// What a correctness witness claims.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// Invariants of loops and other places.
    pub invariants: Vec<Invariant>,
    /// Contracts of functions.
    pub contracts: Vec<Contract>,
}

/// A position in one of the program's files.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Position {
    /// The file's name; of a witness that was read, its path may be another.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; the leftmost that fits if there is none.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// A part of a violating run: it ends when `follow` is passed, before any of `avoid`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Not passed.
    pub avoid: Vec<Waypoint>,
    /// Passed at the end.
    pub follow: Waypoint,
}

/// Something that can be passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Where.
    pub at: Position,
    /// Where it stands in the witness; [`Span::NONE`] for one that was made.
    pub span: Span,
}

/// What is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// The condition holds directly before the statement or declaration.
    Assumption(Constraint),
    /// The condition of a statement or of `?:` is zero or not.
    Branch(bool),
    /// A `switch` goes to a constant.
    Case(i128),
    /// A `switch` goes to its `default`, or past all cases.
    Default,
    /// The call whose right parenthesis this is begins.
    Enter,
    /// The call whose right parenthesis this is ends; the constraint speaks of `\result`.
    Return(Option<Constraint>),
    /// The violation happens here.
    Target,
}

/// An expression of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Its text.
    pub text: String,
    /// Where it stands in the witness.
    pub span: Span,
    /// The function whose result it speaks of, where that is known.
    pub result_of: Option<String>,
}

impl Constraint {
    /// A constraint that stands nowhere.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: Span::NONE, result_of: None }
    }

    /// One that speaks of the result of a function.
    pub fn of_result(text: impl Into<String>, function: &str) -> Self {
        Self { result_of: Some(function.to_owned()), ..Self::new(text) }
    }
}

/// Where an invariant holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum InvariantKind {
    /// Each time before the controlling expression of a loop is evaluated; the position is that of the loop's first word.
    Loop,
    /// Before a statement.
    Location,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Which kind of place.
    pub kind: InvariantKind,
    /// Where.
    pub at: Position,
    /// What holds.
    pub value: Constraint,
    /// Where it stands in the witness; [`Span::NONE`] for one that was made.
    pub span: Span,
}

/// How the expressions of a contract are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// C, where a parameter is what it holds at that moment.
    C,
    /// ACSL, where a parameter is what it held when the function was entered.
    Acsl,
}

/// What holds of all calls of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Where the function is defined.
    pub at: Position,
    /// What holds whenever it is entered.
    pub requires: Option<Constraint>,
    /// What holds whenever it returns; see [`crate::contract`].
    pub ensures: Option<Constraint>,
    /// How the expressions are meant.
    pub dialect: Dialect,
    /// Where it stands in the witness; [`Span::NONE`] for one that was made.
    pub span: Span,
}
