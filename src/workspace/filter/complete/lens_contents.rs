//! Counts the predictions that match each suggestion.

use crate::Lens;
use record::Table;

/// The predictions in a lens, and their number per item.
pub struct LensContents<'a> {
    pub table: &'a Table,
    pub lens: &'a Lens,
    /// One flag per prediction.
    pub rows: Vec<bool>,
    /// Number of predictions per item.
    pub items: Vec<u64>,
}

impl<'a> LensContents<'a> {
    /// Uses the predictions in `narrowed`. If its filter is invalid, uses the predictions in `lens`
    /// without a filter.
    pub fn new(table: &'a Table, narrowed: &Lens, lens: &'a Lens) -> Self {
        let open = Lens {
            filter: String::new(),
            ..lens.clone()
        };
        let rows = narrowed.mask(table).or_else(|_| open.mask(table));
        let rows = rows.unwrap_or_default();
        let mut items = vec![0; table.ability_of().len()];
        for (&item, _) in table.item_of().iter().zip(&rows).filter(|(_, held)| **held) {
            if let Some(count) = items.get_mut(item as usize) {
                *count += 1;
            }
        }
        Self {
            table,
            lens,
            rows,
            items,
        }
    }

    /// Counts predictions by a code that belongs to their item.
    pub fn by_item<C: Copy + Into<u64>>(&self, codes: &[C], names: usize) -> Vec<u64> {
        tally(
            codes
                .iter()
                .zip(&self.items)
                .map(|(code, count)| ((*code).into(), *count)),
            names,
        )
    }

    /// Counts predictions by a code that belongs to the prediction.
    pub fn by_row<C: Copy + Into<u64>>(&self, codes: &[C], names: usize) -> Vec<u64> {
        tally(
            codes
                .iter()
                .zip(&self.rows)
                .map(|(code, held)| ((*code).into(), u64::from(*held))),
            names,
        )
    }

    /// Counts the predictions whose item passes a test.
    pub fn of_items(&self, passes: impl Fn(usize) -> bool) -> u64 {
        let counts = self.items.iter().enumerate();
        counts
            .filter(|(item, _)| passes(*item))
            .map(|(_, count)| count)
            .sum()
    }

    /// Counts the predictions that pass a further filter; `None` if the filter is invalid or empty.
    pub fn passing(&self, filter: &str) -> Option<u64> {
        let mask = crate::filter::select(filter, self.table, self.lens.scoring).ok()??;
        let both = mask.iter().zip(&self.rows).filter(|(a, b)| **a && **b);
        Some(both.count() as u64)
    }
}

/// Adds up counts by code. Ignores codes beyond the last name.
fn tally(codes: impl Iterator<Item = (u64, u64)>, names: usize) -> Vec<u64> {
    let mut sums = vec![0; names];
    for (code, count) in codes {
        if let Some(sum) = usize::try_from(code)
            .ok()
            .and_then(|code| sums.get_mut(code))
        {
            *sum += count;
        }
    }
    sums
}
