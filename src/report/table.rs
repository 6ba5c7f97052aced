//! Writes tables as aligned text.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{Align, Grid};
use base::format::visible;

/// Writes sentences, one per line.
pub fn preface(sentences: &[String], out: &mut dyn Write) -> io::Result<()> {
    for sentence in sentences {
        writeln!(out, "{}", visible(sentence))?;
    }
    if sentences.is_empty() {
        return Ok(());
    }
    writeln!(out)
}

/// Writes the tables one below the other. Text wider than `widest` columns is cut with an ellipsis.
pub fn write(grids: &[Grid], widest: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let mut first = true;
    for grid in grids.iter().filter(|grid| !grid.rows.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        write_grid(grid, widest.unwrap_or(usize::MAX), out)?;
    }
    Ok(())
}

fn write_grid(grid: &Grid, widest: usize, out: &mut dyn Write) -> io::Result<()> {
    if !grid.title.is_empty() {
        writeln!(out, "{}", grid.title)?;
    }
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
        cells.fold(title, usize::max)
    };
    let widths: Vec<usize> = (0..grid.columns.len()).map(width).collect();
    let header: Vec<String> = grid.columns.iter().map(|(name, _)| name.clone()).collect();
    for row in std::iter::once(&header).chain(&rows) {
        let mut line = String::new();
        for ((cell, width), (_, align)) in row.iter().zip(&widths).zip(&grid.columns) {
            let fill = " ".repeat(width.saturating_sub(cell.width()));
            match align {
                Align::Left => line.extend(["  ", cell, &fill]),
                Align::Right => line.extend(["  ", &fill, cell]),
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
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
