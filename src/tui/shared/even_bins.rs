//! Chooses bins with enough samples for the subgroups of one ability.

use analysis::{Split, bin_items};
use base::format::significant;
use record::benchmark::Bins;
use record::{Table, TagColumn, Value};

use super::AppState;

/// Minimum number of samples in a bin.
const FEW: usize = 10;
/// Maximum number of bins.
const MOST: usize = 5;

/// Bins with about equal sample counts, and their notation on the command line.
pub type EvenBins = (Bins, String);

impl AppState {
    /// Returns false if the values of the current split are names. Only numbers can be grouped into
    /// bins.
    pub fn has_bins(&self) -> bool {
        let Some(split) = self.answers.splits.get(self.split_index()) else {
            return false;
        };
        let is_named = |name: &String| {
            if let Some(column) = self.table.tag(name) {
                return matches!(column, TagColumn::Text { .. });
            }
            let conditions = self.table.names().conditions.iter();
            let mut values = conditions.filter_map(|labels| labels.get(name));
            values.any(|value| !matches!(value, Value::Number(_)))
        };
        !split.parts.iter().any(|part| is_named(&part.name))
    }

    /// Returns bins of at least ten samples for the current split; `None` if its default bins
    /// already have ten samples each.
    pub fn even_bins(&self) -> Option<EvenBins> {
        let split = self.answers.splits.get(self.split_index())?;
        // Only a part of a large data set is in the table, so its samples cannot be counted.
        let of = self.answers.splits_of.as_ref();
        let (benchmark, ability) = of.filter(|_| self.large.is_none())?;
        let place = [benchmark, ability, &split.text].map(String::clone);
        let key = (self.table.generation(), place);
        let found = self
            .even
            .of(key, |_| even_bins(&self.table, benchmark, ability, split));
        (*found).clone()
    }
}

/// Returns bins of at least ten samples each for a numeric tag of an ability. Returns `None` if
/// each default bin has ten, or if there are too few samples for two bins.
pub fn even_bins(table: &Table, benchmark: &str, ability: &str, split: &Split) -> Option<EvenBins> {
    let [part] = split.parts.as_slice() else {
        return None;
    };
    let tag = table.tag(&part.name)?;
    let mut abilities = table.names().abilities.values().iter();
    let code = abilities.position(|it| it.benchmark == benchmark && it.name == ability)?;
    let items = (0..).zip(table.ability_of());
    let own = items.filter(|(_, known)| usize::from(**known) == code);
    let own: Vec<u32> = own.map(|(item, _)| item).collect();
    let usual = bin_items(table, split);
    let mut counts = vec![0; usual.labels.len()];
    for bin in own.iter().filter_map(|item| usual.bin(*item)) {
        if let Some(count) = counts.get_mut(usize::from(bin)) {
            *count += 1;
        }
    }
    if counts.iter().all(|count| *count == 0 || *count >= FEW) {
        return None;
    }
    let values = own.iter().filter_map(|item| tag.number(*item as usize));
    let edges = edges(values.filter(|value| value.is_finite()).collect())?;
    let text: Vec<String> = edges.iter().map(ToString::to_string).collect();
    Some((Bins::Edges(edges), text.join(",")))
}

/// Returns the edges of bins, in rising order, with about equal counts and at least ten values
/// each. Returns `None` if there are fewer than two bins.
fn edges(mut values: Vec<f64>) -> Option<Vec<f64>> {
    values.sort_by(f64::total_cmp);
    let share = values.len().div_ceil((values.len() / FEW).clamp(1, MOST));
    let (first, last) = (*values.first()?, *values.last()?);
    let mut edges = vec![brief(first, |edge| edge <= first)];
    let mut begin = 0;
    for (at, pair) in (1..).zip(values.windows(2)) {
        let &[before, value] = pair else {
            continue;
        };
        // Equal values must be in one bin.
        if value > before && at - begin >= share && values.len() - at >= FEW {
            edges.push(brief(value, |edge| edge > before && edge <= value));
            begin = at;
        }
    }
    if edges.len() < 2 {
        return None;
    }
    // Edges must rise, even if all values of the last bin are equal.
    let is_one = edges.last().is_some_and(|edge| *edge >= last);
    let end = if is_one { last + 1.0 } else { last };
    edges.push(brief(end, |edge| edge >= end));
    Some(edges)
}

/// Rounds a number to the fewest digits for which `fits` is true.
fn brief(value: f64, fits: impl Fn(f64) -> bool) -> f64 {
    let rounded = (1..=6).filter_map(|digits| significant(value, digits).parse().ok());
    let mut fitting = rounded.filter(|rounded| fits(*rounded));
    fitting.next().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bin_has_ten_values_and_equal_ones_stay_together() {
        let even: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(edges(even), Some(vec![0.0, 10.0, 20.0, 30.0, 39.0]));
        assert_eq!(edges((0..19).map(f64::from).collect()), None);
        assert_eq!(edges(Vec::new()), None);
        let mut ties = vec![1.0; 30];
        ties.extend([2.0; 4]);
        assert_eq!(edges(ties.clone()), None, "four are too few for a bin");
        ties.extend([3.0; 8]);
        assert_eq!(edges(ties), Some(vec![1.0, 2.0, 3.0]));
        let two = [vec![1.0; 12], vec![2.0; 12]].concat();
        assert_eq!(edges(two), Some(vec![1.0, 2.0, 3.0]));
    }

    #[test]
    fn edges_have_few_digits_and_separate_the_same_values() {
        let values: Vec<f64> = (0..50)
            .map(|at| 0.003_17 + f64::from(at) * 0.007_3)
            .collect();
        let edges = edges(values.clone()).unwrap();
        assert_eq!(edges.len(), 6);
        for edge in &edges {
            assert!(edge.to_string().len() <= 6, "{edge}");
        }
        for pair in edges.windows(2) {
            let inside = values
                .iter()
                .filter(|value| (pair[0]..pair[1]).contains(*value));
            assert_eq!(inside.count(), 10, "{pair:?}");
        }
    }
}
