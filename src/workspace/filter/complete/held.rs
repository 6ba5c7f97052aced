//! The predictions that candidates are counted over.

use crate::Lens;
use record::Table;

/// The predictions that a lens holds, and how many each item has of them.
pub struct Held<'a> {
    pub table: &'a Table,
    pub lens: &'a Lens,
    /// One flag a prediction.
    pub rows: Vec<bool>,
    /// One count an item.
    pub items: Vec<u64>,
}

impl<'a> Held<'a> {
    /// What `narrowed` holds, or what `lens` holds without a filter where that of `narrowed` is none.
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

    /// Predictions by the code of their item.
    pub fn by_item<C: Copy + Into<u64>>(&self, codes: &[C], names: usize) -> Vec<u64> {
        tally(
            codes
                .iter()
                .zip(&self.items)
                .map(|(code, count)| ((*code).into(), *count)),
            names,
        )
    }

    /// Predictions by their own code.
    pub fn by_row<C: Copy + Into<u64>>(&self, codes: &[C], names: usize) -> Vec<u64> {
        tally(
            codes
                .iter()
                .zip(&self.rows)
                .map(|(code, held)| ((*code).into(), u64::from(*held))),
            names,
        )
    }

    /// Predictions whose item passes.
    pub fn of_items(&self, passes: impl Fn(usize) -> bool) -> u64 {
        let counts = self.items.iter().enumerate();
        counts
            .filter(|(item, _)| passes(*item))
            .map(|(_, count)| count)
            .sum()
    }

    /// Predictions that pass a filter too.
    pub fn passing(&self, filter: &str) -> Option<u64> {
        let mask = crate::filter::select(filter, self.table, self.lens.scoring).ok()??;
        let both = mask.iter().zip(&self.rows).filter(|(a, b)| **a && **b);
        Some(both.count() as u64)
    }
}

/// Sums counts by code; a code beyond the names counts for none.
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
