//! The first lines of a test program: `// expect: true`, and further lines `// KEY: VALUE`.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// What a program is expected to give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// No violation.
    True,
    /// A violation.
    False,
    /// No answer, for a reason that contains this.
    Unknown(String),
}

impl Expected {
    /// Reads `true`, `false`, or `unknown(TEXT)`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str) -> Result<Self, String> {
        let reason = text.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')')).filter(|r| !r.is_empty());
        match (text, reason) {
            ("true", _) => Ok(Expected::True),
            ("false", _) => Ok(Expected::False),
            (_, Some(reason)) => Ok(Expected::Unknown(reason.to_owned())),
            (_, None) => Err(format!("`{text}` is none of `true`, `false` and `unknown(TEXT)`")),
        }
    }

    /// Whether a verdict, in the words of Hone's last line, is this one.
    pub fn fits(&self, verdict: &str) -> bool {
        match self {
            Expected::True => verdict == "true",
            Expected::False => verdict.starts_with("false("),
            Expected::Unknown(reason) => verdict.starts_with("unknown (") && verdict.contains(reason),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::True => f.write_str("true"),
            Expected::False => f.write_str("false"),
            Expected::Unknown(reason) => write!(f, "unknown({reason})"),
        }
    }
}

/// The lines, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    lines: Vec<(String, String)>,
}

impl Header {
    /// Reads the header of a program; one without is empty.
    ///
    /// # Errors
    /// If the file can't be read.
    #[allow(clippy::disallowed_methods)]
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&String::from_utf8_lossy(&fs::read(path)?)))
    }

    /// The header of this text.
    pub fn of(text: &str) -> Self {
        let pairs = text.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": "));
        Self { lines: pairs.map(|(key, value)| (key.to_owned(), value.trim().to_owned())).collect() }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.iter().find(|line| line.0 == key).map(|line| line.1.as_str())
    }

    /// All values of a key, in order.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.lines.iter().filter(move |line| line.0 == key).map(|line| line.1.as_str())
    }

    /// What the default configuration is expected to say, or the one that `args` names.
    ///
    /// # Errors
    /// If the line is malformed.
    pub fn expected(&self) -> Result<Option<Expected>, String> {
        self.get("expect").map(Expected::parse).transpose()
    }

    /// The files of the program, which begin with the one at `path`: `with` names the others, as seen from its folder.
    pub fn files(&self, path: &Path) -> Vec<PathBuf> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let others = self.get("with").unwrap_or_default().split_whitespace().map(|file| folder.join(file));
        std::iter::once(path.to_owned()).chain(others).collect()
    }

    /// The options that every run on the program needs. A property is written into a file in `folder`.
    ///
    /// # Errors
    /// If that file can't be written.
    #[allow(clippy::disallowed_methods)]
    pub fn options(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut options = Vec::new();
        if let Some(property) = self.get("property") {
            let file = folder.join("property.prp");
            fs::write(&file, property)?;
            options.extend(["--property".into(), file]);
        }
        // Most programs are about assertions alone.
        options.extend(["--checks".into(), self.get("checks").unwrap_or("assertions").into()]);
        options.extend(["--malloc".into(), self.get("malloc").unwrap_or("never-fails").into()]);
        if let Some(model) = self.get("data-model") {
            options.extend(["--data-model".into(), model.into()]);
        }
        // What surrounds the program is a part of what it means.
        options.extend(self.get("environment").unwrap_or_default().split_whitespace().map(PathBuf::from));
        Ok(options)
    }

    /// The configuration that `args` names, or the default one.
    pub fn configuration(&self) -> &str {
        let mut words = self.get("args").unwrap_or_default().split_whitespace();
        words.find(|word| *word == "--config").and_then(|_| words.next()).unwrap_or("portfolio")
    }

    /// The options of the first run: those of `args`, with a configuration or without.
    pub fn args(&self) -> Vec<&str> {
        self.get("args").unwrap_or_default().split_whitespace().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_keys_and_values() {
        let header = Header::of(
            "// expect: false\n// args: --config bmc --unwind 3\n// invariant: a\n// invariant: b: c\nint x;\n// x: y\n",
        );
        assert_eq!(header.expected(), Ok(Some(Expected::False)));
        assert_eq!(header.configuration(), "bmc");
        assert_eq!(header.args(), ["--config", "bmc", "--unwind", "3"]);
        assert_eq!(header.all("invariant").collect::<Vec<_>>(), ["a", "b: c"]);
        assert_eq!(header.get("x"), None);
        let header = Header::of("// expect: true\n// with: b.c ../c.c\n");
        let files = ["d/a.c", "d/b.c", "d/../c.c"].map(PathBuf::from);
        assert_eq!(header.files(Path::new("d/a.c")), files);
    }

    #[test]
    fn expectations() {
        let unknown = Expected::parse("unknown(bound)").expect("an expectation");
        assert!(unknown.fits("unknown (unwinding bound 3 reached)") && !unknown.fits("unknown (timeout)"));
        assert!(Expected::False.fits("false(unreach-call)") && !Expected::True.fits("unknown (timeout)"));
        assert!(Expected::parse("unknown").is_err() && Expected::parse("unknown()").is_err());
    }
}
