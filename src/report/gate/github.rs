//! Writes a gate as workflow commands of GitHub Actions, which annotate the run.

use std::io::{self, Write};

use super::GateReport;
use analysis::GateVerdict;
use base::format::visible;

impl GateReport {
    /// Writes one line for the gate, one for each warning, and one for each row that does not pass.
    /// A row that fails or stops the gate is an error; an undecided row that is allowed to pass is
    /// a warning.
    pub(super) fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        let sentences = self.decision().join(" ");
        let level = match self.outcome() {
            GateVerdict::Pass => "notice",
            GateVerdict::Worse | GateVerdict::CannotTell => "error",
        };
        command(level, "eyechart gate", &sentences, out)?;
        for warning in self.warnings() {
            command("warning", "eyechart gate", &warning, out)?;
        }
        if self.gate.rows.len() < 2 {
            return Ok(());
        }
        for row in &self.gate.rows {
            let level = match (self.of_row(row), row.verdict) {
                (GateVerdict::Worse | GateVerdict::CannotTell, _) => "error",
                (GateVerdict::Pass, GateVerdict::CannotTell) => "warning",
                (GateVerdict::Pass, _) => continue,
            };
            let title = format!("{}: {}", row.name(), row.verdict.words());
            command(level, &title, &self.sentence(row), out)?;
        }
        Ok(())
    }
}

/// Writes a workflow command. Line breaks and control characters become visible signs; the
/// characters that end a value are escaped as the runner expects.
fn command(level: &str, title: &str, message: &str, out: &mut dyn Write) -> io::Result<()> {
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    writeln!(out, "::{level} title={title}::{}", escaped(message))
}

fn escaped(text: &str) -> String {
    let text = visible(text).replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_ends_neither_line_nor_title() {
        let mut out = Vec::new();
        command(
            "error",
            "a,b: 1%::c\n::warning::x",
            "50 %\r\n::error::y",
            &mut out,
        )
        .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.starts_with("::error title=a%2Cb%3A 1%25%3A%3Ac"),
            "{text}"
        );
        assert!(text.contains("::50 %25"), "{text}");
    }
}
