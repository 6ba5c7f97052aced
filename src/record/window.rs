//! Finds a model's prediction for an item without hash tables.
//!
//! Logs list samples in similar order, so the items that a model answered are mostly neighbours.
//! Each model has a window of row numbers, with four bytes per item.

use std::collections::VecDeque;

use super::{ItemId, ModelId};

/// Marks an item without a prediction of the model.
const NONE: u32 = u32::MAX;

/// One window of row numbers per model.
#[derive(Clone, Debug, Default)]
pub struct Windows(Vec<Window>);

#[derive(Clone, Debug, Default)]
struct Window {
    first: u32,
    rows: VecDeque<u32>,
}

impl Windows {
    /// Returns the row of a model's prediction for an item; `None` without a prediction.
    pub fn get(&self, ModelId(model): ModelId, ItemId(item): ItemId) -> Option<u32> {
        let window = self.0.get(usize::from(model))?;
        let at = item.checked_sub(window.first)? as usize;
        window.rows.get(at).copied().filter(|row| *row != NONE)
    }

    /// Returns the row of a model's prediction for an item. If there is no prediction, stores `row`
    /// and returns it.
    pub fn insert(&mut self, ModelId(model): ModelId, ItemId(item): ItemId, row: u32) -> u32 {
        let model = usize::from(model);
        if self.0.len() <= model {
            self.0.resize_with(model + 1, Window::default);
        }
        self.0
            .get_mut(model)
            .map_or(row, |window| window.insert(item, row))
    }
}

impl Window {
    fn insert(&mut self, item: u32, row: u32) -> u32 {
        if self.rows.is_empty() {
            self.first = item;
        }
        while item < self.first {
            self.rows.push_front(NONE);
            self.first -= 1;
        }
        let at = (item - self.first) as usize;
        if at >= self.rows.len() {
            self.rows.resize(at + 1, NONE);
        }
        match self.rows.get_mut(at) {
            Some(known) if *known != NONE => *known,
            Some(free) => {
                *free = row;
                row
            }
            None => row,
        }
    }
}
