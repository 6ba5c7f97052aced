//! Writes a gate as `JUnit` XML, with one test case per row.

use std::io::{self, Write};

use super::GateReport;
use crate::html::escape;
use analysis::{GateRow, GateVerdict};

/// Outcome of a row in `JUnit` XML.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl GateReport {
    /// Writes the test suite. A failing row is a failure; an undecided one is an error, or skipped
    /// if the policy allows it.
    pub(super) fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        let cases: Vec<Case> = self.gate.rows.iter().map(|row| self.case(row)).collect();
        let count = |case| cases.iter().filter(|known| **known == case).count();
        // Without rows, a single case holds the reason.
        let none = usize::from(cases.is_empty());
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            cases.len() + none,
            count(Case::Failure),
            count(Case::Error) + none,
            count(Case::Skipped)
        );
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"eyechart gate\" {counts}>")?;
        let name = format!("{} against {}", self.candidate, self.base);
        writeln!(out, "  <testsuite name=\"{}\" {counts}>", text(&name))?;
        for (row, case) in self.gate.rows.iter().zip(cases) {
            self.write_case(row, case, out)?;
        }
        if none > 0 {
            let why = self.decision().join(" ");
            writeln!(
                out,
                "    <testcase classname=\"eyechart\" name=\"gate\">\n      \
                 <error type=\"cannot_tell\" message=\"{}\"/>\n    </testcase>",
                text(&why)
            )?;
        }
        let warnings = self.warnings().join(" ");
        if !warnings.is_empty() {
            writeln!(out, "    <system-out>{}</system-out>", text(&warnings))?;
        }
        writeln!(out, "  </testsuite>\n</testsuites>")
    }

    fn case(&self, row: &GateRow) -> Case {
        match (self.of_row(row), row.verdict) {
            (GateVerdict::Worse, _) => Case::Failure,
            (GateVerdict::CannotTell, _) => Case::Error,
            (GateVerdict::Pass, GateVerdict::CannotTell) => Case::Skipped,
            (GateVerdict::Pass, _) => Case::Passed,
        }
    }

    fn write_case(&self, row: &GateRow, case: Case, out: &mut dyn Write) -> io::Result<()> {
        let name = format!("{} ({})", row.name(), row.metric);
        write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\"",
            text(&row.benchmark),
            text(&name)
        )?;
        let (kind, sentence) = (row.verdict.name(), text(&self.sentence(row)).into_owned());
        let result = match case {
            Case::Passed => format!("<system-out>{sentence}</system-out>"),
            Case::Skipped => format!("<skipped message=\"{sentence}\"/>"),
            Case::Failure => format!("<failure type=\"{kind}\" message=\"{sentence}\"/>"),
            Case::Error => format!("<error type=\"{kind}\" message=\"{sentence}\"/>"),
        };
        writeln!(out, ">\n      {result}\n    </testcase>")
    }
}

/// Escapes text for XML. Replaces two characters that [`escape`] keeps and XML forbids.
fn text(text: &str) -> std::borrow::Cow<'_, str> {
    let escaped = escape(text);
    if escaped.contains(['\u{fffe}', '\u{ffff}']) {
        return escaped.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").into();
    }
    escaped
}
