//! Writes tables as aligned text.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{Align, Grid};
use base::format::{visible, wrap};

/// Writes sentences, one per line, wrapped at words for a terminal width of `columns`.
pub fn preface(
    sentences: &[String],
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for sentence in sentences {
        let sentence = visible(sentence);
        let lines: Vec<_> = match columns.map(u16::try_from) {
            Some(Ok(columns)) => wrap(&sentence, columns).collect(),
            Some(Err(_)) | None => Vec::new(),
        };
        if lines.is_empty() {
            writeln!(out, "{sentence}")?;
        }
        for line in lines {
            writeln!(out, "{}", &sentence[line])?;
        }
    }
    if sentences.is_empty() {
        return Ok(());
    }
    writeln!(out)
}

/// Maximum width of a cell on a terminal.
const WIDEST: usize = 60;
/// Number of rows after which a folded table repeats its header.
const FOLDED_ROWS: usize = 20;

/// Writes the tables one below the other. For a terminal width of `columns`, long cells are cut
/// with an ellipsis, and wide tables are folded: their first columns are repeated in each part.
pub fn write(grids: &[Grid], columns: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let mut first = true;
    for grid in grids.iter().filter(|grid| !grid.rows.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        write_grid(grid, columns, out)?;
    }
    Ok(())
}

fn write_grid(grid: &Grid, columns: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    if !grid.title.is_empty() {
        writeln!(out, "{}", grid.title)?;
    }
    let widest = columns.map_or(usize::MAX, |_| WIDEST);
    let rows: Vec<Vec<String>> = grid
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| shorten(cell, widest)).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.width());
        let title = grid.columns.get(column).map_or(0, |(name, _)| name.width());
        GAP.len() + cells.fold(title, usize::max)
    };
    let widths: Vec<usize> = (0..grid.columns.len()).map(width).collect();
    let parts = parts(grid, &widths, columns.unwrap_or(usize::MAX));
    let chunk = if parts.len() > 1 {
        FOLDED_ROWS
    } else {
        usize::MAX
    };
    let header: Vec<String> = grid.columns.iter().map(|(name, _)| name.clone()).collect();
    let mut first = true;
    for rows in rows.chunks(chunk) {
        for part in &parts {
            if !first {
                writeln!(out)?;
            }
            first = false;
            for row in std::iter::once(&header).chain(rows) {
                let mut line = String::new();
                for &column in part {
                    let cell = row.get(column).map_or("", String::as_str);
                    let fill = " ".repeat(widths[column].saturating_sub(GAP.len() + cell.width()));
                    match grid.columns[column].1 {
                        Align::Left => line.extend([GAP, cell, &fill]),
                        Align::Right => line.extend([GAP, &fill, cell]),
                    }
                }
                writeln!(out, "{}", line.trim_end())?;
            }
        }
    }
    Ok(())
}

/// Space before each column.
const GAP: &str = "  ";

/// Columns of each part of a folded table. The leading text columns are repeated in every part, as
/// long as they take at most half of the terminal.
fn parts(grid: &Grid, widths: &[usize], terminal: usize) -> Vec<Vec<usize>> {
    let texts = grid
        .columns
        .iter()
        .take_while(|(_, align)| *align == Align::Left);
    let (mut heads, mut head) = (0, 0);
    for width in widths.iter().take(texts.count()) {
        if heads > 0 && head + width > terminal / 2 {
            break;
        }
        head += width;
        heads += 1;
    }
    let start = || (0..heads).collect::<Vec<usize>>();
    let (mut parts, mut part, mut used) = (Vec::new(), start(), head);
    for (column, width) in widths.iter().enumerate().skip(heads) {
        if used.saturating_add(*width) > terminal && part.len() > heads {
            parts.push(std::mem::replace(&mut part, start()));
            used = head;
        }
        part.push(column);
        used += width;
    }
    parts.push(part);
    parts
}

fn shorten(text: &str, widest: usize) -> String {
    if text.width() <= widest {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + 2 > widest {
            break;
        }
        short.push(c);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_folded_and_loses_no_cell() {
        let mut grid = Grid::new("wide", &["model", "first ability>", "second ability>"]);
        grid.push(["clip", "0.5", "0.25"]);
        let written = |columns| {
            let mut out = Vec::new();
            write(std::slice::from_ref(&grid), columns, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let whole = "wide\n  model  first ability  second ability\n  clip             0.5            0.25\n";
        assert_eq!(written(None), whole);
        assert_eq!(written(Some(80)), whole);
        let folded = "wide\n  model  first ability\n  clip             0.5\n\n  model  second ability\n  clip             0.25\n";
        assert_eq!(written(Some(30)), folded);
    }

    #[test]
    fn sentences_are_wrapped_on_a_terminal_only() {
        let sentences = ["no clear difference".to_owned(), String::new()];
        let written = |columns| {
            let mut out = Vec::new();
            preface(&sentences, columns, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(None), "no clear difference\n\n\n");
        assert_eq!(written(Some(12)), "no clear\ndifference\n\n\n");
    }
}
