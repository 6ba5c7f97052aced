//! Comma-separated values.

use std::io::{self, Write};

use super::Grid;
use format::harmless_cell;

/// Writes one table with its header.
pub fn write(grid: Option<&Grid>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid else { return Ok(()) };
    let mut writer = csv::Writer::from_writer(out);
    let harmless = |text: &str| harmless_cell(text).into_owned();
    writer.write_record(grid.columns.iter().map(|(name, _)| harmless(name)))?;
    for row in &grid.rows {
        let shown = |cell: &String| harmless(if cell == "–" { "" } else { cell });
        writer.write_record(row.iter().map(shown))?;
    }
    writer.flush()
}
