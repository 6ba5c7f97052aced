//! Writes tables as comma-separated values.

use std::io::{self, Write};

use super::Grid;
use base::format::harmless_cell;

/// Writes one table with its header.
pub fn write(grid: Option<&Grid>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid else { return Ok(()) };
    let mut writer = csv::Writer::from_writer(out);
    let harmless = |text: &str| harmless_cell(text).into_owned();
    writer.write_record(grid.columns.iter().map(|(name, _)| harmless(name)))?;
    for row in &grid.rows {
        // Drops the `=` of a tied rank, so that the column stays numeric.
        let shown = |cell: &String| match cell.strip_suffix('=') {
            Some(rank) if rank.parse::<u32>().is_ok() => rank.to_owned(),
            _ => harmless(if cell == "–" { "" } else { cell }),
        };
        writer.write_record(row.iter().map(shown))?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_stay_numbers() {
        let mut grid = Grid::new("", &["model", "rank>"]);
        grid.push(["a", "1="]);
        grid.push(["b=", "–"]);
        let mut out = Vec::new();
        write(Some(&grid), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "model,rank\na,1\nb=,\n");
    }
}
