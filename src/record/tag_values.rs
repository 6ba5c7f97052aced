//! Values of one tag for all items, in dense or sparse storage.

use std::borrow::Cow;

/// Value type of a tag, with a sentinel for missing values.
pub trait TagValue: Copy {
    /// Sentinel for a missing value.
    const NONE: Self;

    /// True if the value is the sentinel.
    fn is_none(self) -> bool;
}

impl TagValue for f64 {
    const NONE: Self = Self::NAN;

    fn is_none(self) -> bool {
        self.is_nan()
    }
}

/// Codes of distinct texts.
impl TagValue for u32 {
    const NONE: Self = Self::MAX;

    fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// Values of one tag for all items, with fast lookup in both kinds of storage.
#[derive(Clone, Copy, Debug)]
pub struct TagValues<'a, T> {
    cells: &'a Cells<T>,
    items: usize,
}

impl<'a, T: TagValue> TagValues<'a, T> {
    pub(super) const fn new(cells: &'a Cells<T>, items: usize) -> Self {
        Self { cells, items }
    }

    /// Returns the number of items.
    pub const fn len(self) -> usize {
        self.items
    }

    /// True if there are no items.
    pub const fn is_empty(self) -> bool {
        self.items == 0
    }

    /// Returns the value of an item, or the sentinel if the value is missing; `None` beyond the
    /// last item.
    pub fn get(self, item: usize) -> Option<T> {
        (item < self.items).then(|| self.cells.get(item).unwrap_or(T::NONE))
    }

    /// Returns all values except missing ones, in item order.
    pub fn known(self) -> impl Iterator<Item = T> + 'a {
        let values = match self.cells {
            Cells::Dense(values, _) | Cells::Sparse(_, values) => values,
        };
        values.iter().copied().filter(|value| !value.is_none())
    }

    /// Returns one value per item, with the sentinel for missing values.
    pub fn dense(self) -> Cow<'a, [T]> {
        match self.cells {
            Cells::Dense(values, _) if values.len() == self.items => Cow::Borrowed(values),
            cells => Cow::Owned(cells.spread(self.items)),
        }
    }
}

/// Storage of a tag's values.
#[derive(Clone, Debug)]
pub enum Cells<T> {
    /// One value per item up to the last item with a value, and the number of values that are not
    /// missing.
    Dense(Vec<T>, usize),
    /// Ascending item numbers, and the value of each of these items.
    Sparse(Vec<u32>, Vec<T>),
}

impl<T: TagValue> Cells<T> {
    /// Creates empty storage.
    pub const fn new() -> Self {
        Self::Sparse(Vec::new(), Vec::new())
    }

    /// Adds the value of an item; items must be added in ascending order.
    pub fn push(&mut self, item: usize, value: T) {
        if let Self::Dense(values, known) = self
            && 4 * *known < item
        {
            *self = Self::sparse(values);
        }
        match self {
            Self::Dense(values, known) => {
                values.resize(item, T::NONE);
                values.push(value);
                *known += 1;
            }
            Self::Sparse(places, values) => {
                places.push(u32::try_from(item).unwrap_or(u32::MAX));
                values.push(value);
                let known = values.len();
                if 2 * known > item {
                    *self = Self::Dense(self.spread(item + 1), known);
                }
            }
        }
    }

    fn sparse(values: &[T]) -> Self {
        let known = (0..).zip(values).filter(|(_, value)| !value.is_none());
        let (places, values) = known.map(|(place, value)| (place, *value)).unzip();
        Self::Sparse(places, values)
    }

    fn get(&self, item: usize) -> Option<T> {
        match self {
            Self::Dense(values, _) => values.get(item).copied(),
            Self::Sparse(places, values) => {
                let at = places.binary_search(&u32::try_from(item).ok()?).ok()?;
                values.get(at).copied()
            }
        }
    }

    /// Returns one value for each of `items` items, with the sentinel for missing values.
    fn spread(&self, items: usize) -> Vec<T> {
        match self {
            Self::Dense(values, _) => {
                let mut values = values.clone();
                values.resize(items, T::NONE);
                values
            }
            Self::Sparse(places, values) => {
                let mut all = vec![T::NONE; items];
                for (place, value) in places.iter().zip(values) {
                    if let Some(cell) = all.get_mut(*place as usize) {
                        *cell = *value;
                    }
                }
                all
            }
        }
    }

    /// Returns the smaller storage: dense if at least half of the `items` have a value, else
    /// sparse.
    pub fn finish(mut self, items: usize) -> Self {
        match &mut self {
            Self::Dense(values, known) if 2 * *known < items => self = Self::sparse(values),
            Self::Sparse(_, values) if 2 * values.len() >= items => {
                let known = values.len();
                self = Self::Dense(self.spread(items), known);
            }
            Self::Dense(values, _) => values.resize(items, T::NONE),
            Self::Sparse(..) => {}
        }
        match &mut self {
            Self::Dense(values, _) => values.shrink_to_fit(),
            Self::Sparse(places, values) => {
                places.shrink_to_fit();
                values.shrink_to_fit();
            }
        }
        self
    }

    /// Returns storage with every value mapped by `change`.
    pub fn map<U: TagValue>(&self, change: impl FnMut(&T) -> U) -> Cells<U> {
        match self {
            Self::Dense(values, known) => Cells::Dense(values.iter().map(change).collect(), *known),
            Self::Sparse(places, values) => {
                Cells::Sparse(places.clone(), values.iter().map(change).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_values_are_found_alike() {
        for every in [1, 2, 3, 7, 1000] {
            let mut cells = Cells::new();
            let has = |item: &usize| item.is_multiple_of(every) || (500..560).contains(item);
            for item in (0..3000).filter(has) {
                cells.push(item, item as f64);
            }
            let cells = cells.finish(3000);
            assert_eq!(matches!(cells, Cells::Dense(..)), every < 3, "{every}");
            let values = TagValues::new(&cells, 3000);
            let dense = values.dense();
            for item in 0..3000 {
                let expected = if has(&item) { item as f64 } else { f64::NAN };
                assert_eq!(values.get(item).unwrap().to_bits(), expected.to_bits());
                assert_eq!(dense[item].to_bits(), expected.to_bits());
            }
            assert!(values.get(3000).is_none());
            assert_eq!(values.known().count(), (0..3000).filter(has).count());
        }
    }
}
