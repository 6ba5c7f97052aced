//! Comma-separated values.

use std::io::{self, Write};

use super::Grid;

/// Writes one table with its header.
pub fn write(grid: Option<&Grid>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid else { return Ok(()) };
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(grid.columns.iter().map(|(name, _)| name))?;
    for row in &grid.rows {
        writer.write_record(row.iter().map(|cell| if cell == "–" { "" } else { cell }))?;
    }
    writer.flush()
}
