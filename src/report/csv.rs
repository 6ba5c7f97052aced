//! Writes tables as comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use super::{Align, Grid};
use base::format::harmless_cell;

/// Writes one table with its header.
pub fn write(grid: Option<&Grid>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid else { return Ok(()) };
    let mut writer = csv::Writer::from_writer(out);
    let names = grid.columns.iter().map(|(name, _)| harmless_cell(name));
    writer.write_record(names.map(Cow::into_owned))?;
    for row in &grid.rows {
        let cells = row.iter().zip(&grid.columns);
        writer.write_record(cells.map(|(cell, (_, align))| plain(cell, *align)))?;
    }
    writer.flush()
}

/// A cell for scripts: numbers have neither thousands separators nor the `=` of a tie.
fn plain(cell: &str, align: Align) -> String {
    let number = cell.trim_end_matches('=').replace(',', "");
    match cell {
        "–" => String::new(),
        _ if align == Align::Right && number.parse::<f64>().is_ok() => number,
        cell => harmless_cell(cell).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_numbers() {
        let mut grid = Grid::new("", &["model", "rank>", "n>"]);
        grid.push(["1,5", "1=", "12,345"]);
        grid.push(["b=", "–", "-2.50"]);
        let mut out = Vec::new();
        write(Some(&grid), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "model,rank,n\n\"1,5\",1,12345\nb=,,-2.50\n"
        );
    }
}
