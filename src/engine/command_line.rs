//! Builds the command line that has the same result as a query.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use base::format::shell_word;
use record::Scoring;
use workspace::load::{Links, Request};

use super::{Coverage, Scope};

/// Command line as a list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    words: Vec<OsString>,
}

impl fmt::Display for CommandLine {
    /// Formats the command line with shell quoting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| shell_word(word)).collect();
        f.write_str(&words.join(" "))
    }
}

impl CommandLine {
    /// Creates `eyechart COMMAND` with its arguments, the opened paths and the options for opening.
    pub fn new(command: &str, arguments: &[&str], opened: &Request) -> Self {
        let words = ["eyechart", command]
            .into_iter()
            .chain(arguments.iter().copied());
        let mut line = Self {
            words: words.map(OsString::from).collect(),
        };
        line.words
            .extend(opened.paths.iter().map(|path| positional(path)));
        for folder in &opened.data {
            line = line.option("--data", folder);
        }
        for file in &opened.embeddings {
            line = line.option("--embeddings", file);
        }
        for (metric, score) in &opened.right {
            line = line.option("--right", format!("{metric}={score}"));
        }
        for (metric, direction) in &opened.directions {
            line = line.option(&format!("--{}", direction.name()), metric);
        }
        let runs = Some(opened.runs.to_string()).filter(|runs| !runs.is_empty());
        line.maybe("--ability", opened.ability.as_ref())
            .maybe("--runs", runs)
            .flag("--follow-links", opened.links == Links::All)
    }

    /// Adds an option with a value. If the value starts with a hyphen, both are joined by `=`.
    #[must_use]
    pub fn option(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let value = value.as_ref();
        if value.as_encoded_bytes().starts_with(b"-") {
            let mut joined = OsString::from(name);
            joined.push("=");
            joined.push(value);
            self.words.push(joined);
        } else {
            self.words.extend([OsString::from(name), value.to_owned()]);
        }
        self
    }

    /// Adds an option with a value. Adds nothing for `None`.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl AsRef<OsStr>>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// Adds an option with two values.
    #[must_use]
    pub fn pair(self, name: &str, [a, b]: [&str; 2]) -> Self {
        self.word(name).word(a).word(b)
    }

    /// Appends one argument.
    #[must_use]
    pub fn word(mut self, word: impl Into<OsString>) -> Self {
        self.words.push(word.into());
        self
    }

    /// Adds an option without a value if `is_wanted` is true.
    #[must_use]
    pub fn flag(self, name: &str, is_wanted: bool) -> Self {
        if is_wanted { self.word(name) } else { self }
    }

    /// Adds filter, scoring and coverage if they differ from the defaults.
    #[must_use]
    pub fn scope(self, scope: &Scope) -> Self {
        let filter = Some(&scope.filter).filter(|filter| !filter.is_empty());
        let line = self.maybe("--filter", filter);
        let coverage = Some(scope.coverage).filter(|coverage| *coverage != Coverage::default());
        let coverage = coverage.map(|coverage| coverage.share().to_string());
        let line = line.maybe("--coverage", coverage);
        if scope.scoring == Scoring::default() {
            line
        } else {
            line.option("--scoring", scope.scoring.name())
        }
    }

    /// Returns the words of the command line, the program's name first.
    pub fn words(&self) -> &[OsString] {
        &self.words
    }
}

impl FromIterator<OsString> for CommandLine {
    fn from_iter<I: IntoIterator<Item = OsString>>(words: I) -> Self {
        Self {
            words: words.into_iter().collect(),
        }
    }
}

/// Prefixes a path with `./` if its name looks like an option.
fn positional(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path).into()
    } else {
        path.into()
    }
}
