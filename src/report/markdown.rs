//! Writes Markdown tables.

use std::io::{self, Write};

use super::{Align, Grid};
use base::format::visible;

/// Writes sentences as a bullet list.
pub fn preface(sentences: &[String], out: &mut dyn Write) -> io::Result<()> {
    for sentence in sentences {
        writeln!(out, "- {}", escape(&visible(sentence)))?;
    }
    if sentences.is_empty() {
        return Ok(());
    }
    writeln!(out)
}

/// Renders the tables as Markdown, each under its title.
pub fn tables(grids: &[Grid]) -> String {
    let mut out = Vec::new();
    // Writing to a `Vec` cannot fail.
    let _ = write(grids, &mut out);
    String::from_utf8_lossy(&out).trim_end().to_owned() + "\n"
}

/// Writes the tables, each under its title.
pub fn write(grids: &[Grid], out: &mut dyn Write) -> io::Result<()> {
    for grid in grids.iter().filter(|grid| !grid.rows.is_empty()) {
        if !grid.title.is_empty() {
            writeln!(out, "## {}\n", escape(&grid.title))?;
        }
        let names: Vec<String> = grid.columns.iter().map(|(name, _)| escape(name)).collect();
        writeln!(out, "| {} |", names.join(" | "))?;
        let rule = |(_, align): &(String, Align)| match align {
            Align::Left => "---",
            Align::Right => "---:",
        };
        writeln!(
            out,
            "| {} |",
            grid.columns
                .iter()
                .map(rule)
                .collect::<Vec<_>>()
                .join(" | ")
        )?;
        for row in &grid.rows {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns text that is safe in a cell or a heading: special and control characters are escaped or
/// visible.
pub fn escaped(text: &str) -> String {
    escape(&visible(text))
}

/// Escapes the special characters of Markdown and HTML in a cell.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            other => escaped.push(other),
        }
    }
    escaped
}
