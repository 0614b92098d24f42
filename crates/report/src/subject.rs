//! The subject of a check: the part of a report that does not depend on the answer.

/// What was checked and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The program in a few words: its file, or its first few.
    pub file: String,
    /// Its files, as the user knows them; at least one.
    pub files: Vec<String>,
    /// The property in words or as a formula.
    pub property: String,
    /// What was asked, in words that follow `not decided:`: `whether an assertion can fail`.
    pub question: String,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
    /// Name of the configuration.
    pub config: String,
}
