//! Selects the samples that models are ranked on: the samples that all ranked models answered.
//!
//! A model must not gain by skipping hard samples. While all models share too few samples, the
//! model whose removal adds the most shared samples is left unranked. If no single removal adds
//! any, the models with the fewest answers are removed. If all models have equally few answers, no
//! model is ranked.

use hashbrown::HashMap;

use super::measure::{Measure, SampleValue};
use record::{Labels, REPEATS, Table, is_repeated};

/// Reason why a model has a score but no rank: it answered too few samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// Number of samples that the model answered, among the samples that at least half of the
    /// models answered.
    pub answered: u64,
    /// Number of samples that at least half of the models answered.
    pub of: u64,
}

impl Exclusion {
    /// Returns the reason as text: `answered 104 of the 200 samples that at least half of the
    /// models answered`.
    pub fn words(self) -> String {
        format!(
            "answered {} of the {} samples that at least half of the models answered",
            self.answered, self.of
        )
    }
}

/// Decides which values are answers to the same sample.
pub struct Keys<'a> {
    table: &'a Table,
    /// Condition code without the repeat number, by condition code; empty if no sample has
    /// repeats.
    rest: Vec<u16>,
    repeated: bool,
}

impl<'a> Keys<'a> {
    /// Creates the keys of a table's samples.
    pub fn of(table: &'a Table) -> Self {
        let conditions = &table.names().conditions;
        let repeated = conditions.iter().any(is_repeated);
        let rest = repeated.then(|| without(conditions, &REPEATS));
        Self {
            table,
            rest: rest.unwrap_or_default(),
            repeated,
        }
    }

    /// Returns the sample and condition of a prediction without the repeat number; `None` if no
    /// sample has repeats.
    pub fn repeated_sample(&self, row: u32) -> Option<(u32, u16)> {
        let item = *self
            .table
            .item_of()
            .get(row as usize)
            .filter(|_| self.repeated)?;
        let condition = *self.table.condition_of().get(item as usize)?;
        let sample = *self.table.sample_of().get(item as usize)?;
        Some((sample, *self.rest.get(usize::from(condition))?))
    }

    /// Replaces repeated values of a sample by their mean, if there are repeats.
    pub fn by_sample(&self, values: Vec<SampleValue>) -> Vec<SampleValue> {
        if !self.repeated {
            return values;
        }
        let mut known: HashMap<(u32, u16, u16), (usize, f64)> = HashMap::new();
        let mut found: Vec<SampleValue> = Vec::new();
        for sampled in values {
            let Some((sample, rest)) = self.repeated_sample(sampled.row) else {
                continue;
            };
            let (at, times) = known
                .entry((sample, rest, sampled.model))
                .or_insert((found.len(), 0.0));
            *times += 1.0;
            match found.get_mut(*at) {
                Some(mean) => mean.value += (sampled.value - mean.value) / *times,
                None => found.push(sampled),
            }
        }
        found
    }

    /// Numbers the samples of the values from 0. Also returns their count, and whether a model can
    /// have several values of one sample.
    fn number(&self, measure: &Measure) -> ValueCodes {
        let items = measure.values.iter().map(|sampled| sampled.item);
        let (Some(first), Some(last)) = (items.clone().min(), items.clone().max()) else {
            return ValueCodes::default();
        };
        if !self.repeated && !measure.by_question {
            return ValueCodes {
                of_value: items.map(|item| item - first).collect(),
                count: (last - first) as usize + 1,
                repeated: false,
            };
        }
        let mut known: HashMap<(u32, u16), u32> = HashMap::new();
        let mut number = |item: u32| {
            let at = item as usize;
            let condition = usize::from(self.table.condition_of()[at]);
            let rest = if measure.by_question {
                0
            } else {
                self.rest[condition]
            };
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known
                .entry((self.table.sample_of()[at], rest))
                .or_insert(next)
        };
        let of_value = items.map(&mut number).collect();
        ValueCodes {
            of_value,
            count: known.len(),
            repeated: self.repeated,
        }
    }
}

/// Maps each condition to a code that ignores the labels in `names`.
pub fn without(conditions: &[Labels], names: &[&str]) -> Vec<u16> {
    let mut known: Vec<Labels> = Vec::new();
    let mut code = |labels: &Labels| {
        let mut left = labels.clone();
        left.retain(|name, _| !names.contains(&name.as_str()));
        let at = known.iter().position(|known| *known == left);
        let at = at.unwrap_or_else(|| {
            known.push(left);
            known.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    };
    conditions.iter().map(&mut code).collect()
}

#[derive(Default)]
struct ValueCodes {
    of_value: Vec<u32>,
    count: usize,
    repeated: bool,
}

/// Samples, or clusters of samples, that all ranked models answered, and the codes of these models.
#[derive(Debug)]
pub struct Common<P> {
    /// Codes of the ranked models.
    pub models: Vec<u16>,
    /// Models that are not ranked, with the reason.
    pub excluded: Vec<(u16, Exclusion)>,
    /// Number of samples that all of `models` answered.
    pub n: u64,
    /// True if no model has values on other samples, or several on one.
    pub is_all: bool,
    /// Positions of the values among the common samples.
    pub places: P,
}

/// Common samples of a measure's values.
pub type CommonSamples = Common<Places>;

/// Common clusters, with the position of each row of [`Answers`]; `None` for a row that is not
/// common.
pub type CommonUnits = Common<Vec<Option<u32>>>;

/// Position of each value's sample among the common samples.
#[derive(Debug)]
pub enum Places {
    /// All items of a contiguous range are common; holds the first item code, which has position 0.
    From(u32),
    /// Position of each value; `None` if its sample is not common.
    Of(Vec<Option<u32>>),
}

impl CommonSamples {
    /// Finds the common samples of a measure's values. These must be at least a share `coverage` of
    /// the samples that at least half of the models answered; models are removed until that holds.
    pub fn of(measure: &Measure, keys: &Keys<'_>, coverage: f64) -> Self {
        if let Some(whole) = Self::whole(measure, keys) {
            return whole;
        }
        let samples = keys.number(measure);
        let models = measure.values.iter().map(|sampled| sampled.model);
        let pairs = models.zip(samples.of_value.iter().copied());
        let shared = Answers::new(pairs, vec![1; samples.count]).shared(coverage);
        Self {
            models: shared.models,
            excluded: shared.excluded,
            n: shared.n,
            is_all: shared.is_all && !samples.repeated,
            places: Places::Of(
                (samples.of_value.iter())
                    .map(|&sample| shared.places[sample as usize])
                    .collect(),
            ),
        }
    }

    /// Detects the usual case by counting: every model answered every item of a contiguous range
    /// once.
    fn whole(measure: &Measure, keys: &Keys<'_>) -> Option<Self> {
        if keys.repeated || measure.by_question {
            return None;
        }
        let first = measure.values.iter().map(|sampled| sampled.item).min()?;
        let (mut last, mut counts) = (first, Vec::<u32>::new());
        for sampled in &measure.values {
            last = last.max(sampled.item);
            let model = usize::from(sampled.model);
            if counts.len() <= model {
                counts.resize(model + 1, 0);
            }
            counts[model] += 1;
        }
        let n = last - first + 1;
        let models = (0..).zip(&counts).filter(|(_, count)| **count > 0);
        let is_whole = counts.iter().all(|count| *count == 0 || *count == n);
        is_whole.then(|| Self {
            models: models.map(|(model, _)| model).collect(),
            excluded: Vec::new(),
            n: u64::from(n),
            is_all: true,
            places: Places::From(first),
        })
    }

    /// Returns the values on common samples, each with the position of its sample.
    pub fn values<'a>(
        &'a self,
        measure: &'a Measure,
    ) -> impl Iterator<Item = (u32, &'a SampleValue)> {
        let place = |(at, value): (usize, &SampleValue)| match &self.places {
            Places::From(first) => Some(value.item - first),
            Places::Of(places) => places[at],
        };
        let values = measure.values.iter().enumerate();
        values.filter_map(move |(at, value)| Some((place((at, value))?, value)))
    }
}

/// Bit matrix of answers: one bit for each sample and model. A row can also be a cluster, if each
/// model answered all or none of its samples.
pub struct Answers {
    /// Codes of the models with values.
    models: Vec<u16>,
    /// Number of 64-bit words for each row.
    width: usize,
    bits: Vec<u64>,
    /// Number of samples in each row.
    sizes: Vec<u32>,
}

impl Answers {
    /// Creates the matrix from pairs of a model and a row number. `sizes` holds the number of
    /// samples of each row.
    pub fn new(pairs: impl Iterator<Item = (u16, u32)> + Clone, sizes: Vec<u32>) -> Self {
        let most = pairs.clone().map(|(model, _)| usize::from(model)).max();
        let mut column_of: Vec<Option<usize>> = vec![None; most.map_or(0, |most| most + 1)];
        for (model, _) in pairs.clone() {
            column_of[usize::from(model)] = Some(0);
        }
        let mut models = Vec::new();
        for (code, column) in (0..).zip(&mut column_of) {
            if column.is_some() {
                *column = Some(models.len());
                models.push(code);
            }
        }
        let width = models.len().div_ceil(64);
        let mut bits = vec![0; sizes.len() * width];
        for (model, sample) in pairs {
            if let Some(column) = column_of[usize::from(model)] {
                bits[sample as usize * width + column / 64] |= 1_u64 << (column % 64);
            }
        }
        Self {
            models,
            width,
            bits,
            sizes,
        }
    }

    /// Finds the rows that all ranked models answered; see [`CommonSamples::of`] for `coverage`.
    pub fn shared(&self, coverage: f64) -> CommonUnits {
        let (ranked, excluded) = self.rank(coverage);
        let mask = self.mask(&ranked);
        let (mut place, mut n, mut is_all) = (0, 0, excluded.is_empty());
        let mut places = vec![None; self.sizes.len()];
        for (sample, own) in places.iter_mut().enumerate() {
            if !ranked.is_empty() && self.missing(sample, &mask) == 0 {
                *own = Some(place);
                place += 1;
                n += u64::from(self.sizes[sample]);
            } else if self.has_any(sample) {
                is_all = false;
            }
        }
        CommonUnits {
            models: ranked.iter().map(|&column| self.models[column]).collect(),
            excluded,
            n,
            is_all,
            places,
        }
    }

    fn has(&self, sample: usize, column: usize) -> bool {
        self.bits[sample * self.width + column / 64] >> (column % 64) & 1 == 1
    }

    fn size(&self, sample: usize) -> u64 {
        u64::from(self.sizes[sample])
    }

    fn words(&self, sample: usize) -> &[u64] {
        &self.bits[sample * self.width..(sample + 1) * self.width]
    }

    fn has_any(&self, sample: usize) -> bool {
        self.words(sample).iter().any(|word| *word != 0)
    }

    /// Returns a bit mask of the given columns.
    fn mask(&self, columns: &[usize]) -> Vec<u64> {
        let mut mask = vec![0; self.width];
        for column in columns {
            mask[column / 64] |= 1_u64 << (column % 64);
        }
        mask
    }

    /// Returns how many of the masked models lack a sample.
    fn missing(&self, sample: usize, mask: &[u64]) -> u32 {
        let words = self.words(sample).iter().zip(mask);
        words.map(|(own, mask)| (mask & !own).count_ones()).sum()
    }

    /// Returns the column whose removal adds most to the common samples. If no removal adds any,
    /// returns all columns with the fewest answers: removing only some of these would be
    /// arbitrary.
    fn worst(ranked: &[usize], gain: &[u64], own: &[u64]) -> Vec<usize> {
        let fewest = ranked.iter().map(|column| own[*column]).min();
        let best = ranked.iter().enumerate().max_by_key(|(place, column)| {
            (gain[**column], std::cmp::Reverse(own[**column]), *place)
        });
        match best {
            Some((_, column)) if gain[*column] > 0 => vec![*column],
            _ => {
                let all = ranked.iter().copied();
                all.filter(|column| Some(own[*column]) == fewest).collect()
            }
        }
    }

    /// Returns the ranked columns, and the models that are not ranked.
    fn rank(&self, coverage: f64) -> (Vec<usize>, Vec<(u16, Exclusion)>) {
        let mut ranked: Vec<usize> = (0..self.models.len()).collect();
        if self.width == 0 {
            return (ranked, Vec::new());
        }
        let answered =
            |words: &[u64]| -> usize { words.iter().map(|word| word.count_ones() as usize).sum() };
        let is_wide = |words: &[u64]| 2 * answered(words) >= self.models.len();
        let base: Vec<usize> = (self.bits.chunks_exact(self.width).enumerate())
            .filter(|(_, words)| is_wide(words))
            .map(|(sample, _)| sample)
            .collect();
        let mut own = vec![0_u64; self.models.len()];
        let mut missing: Vec<usize> = Vec::with_capacity(base.len());
        for &sample in &base {
            let there = answered(self.words(sample));
            missing.push(self.models.len() - there);
            if there == self.models.len() {
                for own in &mut own {
                    *own += self.size(sample);
                }
            } else {
                for (column, own) in own.iter_mut().enumerate() {
                    *own += u64::from(self.has(sample, column)) * self.size(sample);
                }
            }
        }
        let of: u64 = base.iter().map(|&sample| self.size(sample)).sum();
        let mut excluded = Vec::new();
        #[expect(clippy::cast_precision_loss, reason = "no log holds 2^52 samples")]
        let is_enough = |common: u64| common as f64 >= coverage * of as f64;
        while !ranked.is_empty() {
            let common = base.iter().zip(&missing);
            let common = common.filter(|(_, missing)| **missing == 0);
            if is_enough(common.map(|(&sample, _)| self.size(sample)).sum()) {
                break;
            }
            let mut gain = vec![0_u64; self.models.len()];
            for (&sample, _) in base
                .iter()
                .zip(&missing)
                .filter(|(_, missing)| **missing == 1)
            {
                if let Some(&column) = ranked.iter().find(|column| !self.has(sample, **column)) {
                    gain[column] += self.size(sample);
                }
            }
            for column in Self::worst(&ranked, &gain, &own) {
                ranked.retain(|known| *known != column);
                for (&sample, missing) in base.iter().zip(&mut missing) {
                    *missing -= usize::from(!self.has(sample, column));
                }
                let answered = own[column];
                excluded.push((self.models[column], Exclusion { answered, of }));
            }
        }
        (ranked, excluded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds the values of models from one text per model; an `x` marks an answered sample.
    fn measure(answered: &[&str]) -> Measure {
        let values = (0..).zip(answered).flat_map(|(model, marks)| {
            let marked = (0..).zip(marks.chars()).filter(|(_, mark)| *mark == 'x');
            marked.map(move |(item, _)| SampleValue {
                row: item,
                item,
                cluster: item,
                model,
                value: 1.0,
            })
        });
        Measure::mean("accuracy", values.collect()).headline()
    }

    fn common(answered: &[&str], coverage: f64) -> CommonSamples {
        let table = Table::default();
        CommonSamples::of(&measure(answered), &Keys::of(&table), coverage)
    }

    #[test]
    fn all_are_ranked_where_all_answered() {
        let found = common(&["xxxxx", "xxxxx"], 0.8);
        assert_eq!((found.models.as_slice(), found.n), (&[0, 1][..], 5));
        assert!(found.is_all && found.excluded.is_empty());
    }

    #[test]
    fn a_few_gaps_shrink_the_common_samples() {
        let found = common(&["xxxxxxxxxx", "xxxxxxxx-x", "x-xxxxxxxx"], 0.8);
        assert_eq!((found.models.len(), found.n), (3, 8));
        assert!(!found.is_all);
        let (values, own) = (measure(&["xx-", "xxx"]), common(&["xx-", "xxx"], 0.5));
        let places: Vec<u32> = own.values(&values).map(|(place, _)| place).collect();
        assert_eq!(places, [0, 1, 0, 1]);
    }

    #[test]
    fn the_model_that_skipped_most_is_left_out() {
        let found = common(&["xxxxx-----", "xxxxxxxxxx", "xxxxxxxxx-"], 0.8);
        assert_eq!((found.models.as_slice(), found.n), (&[1, 2][..], 9));
        let why = Exclusion { answered: 5, of: 9 };
        assert_eq!(found.excluded, [(0, why)]);
        assert_eq!(
            why.words(),
            "answered 5 of the 9 samples that at least half of the models answered"
        );
    }

    #[test]
    fn samples_of_a_minority_do_not_count_against_the_rest() {
        // One of the four models has samples that the others lack.
        let found = common(
            &["xxxx------", "xxxx------", "xxxx------", "xxxxxxxxxx"],
            0.8,
        );
        assert_eq!((found.models.len(), found.n), (4, 4));
    }

    #[test]
    fn without_enough_common_samples_nobody_is_ranked() {
        let found = common(&["xxx---", "---xx-"], 0.8);
        assert_eq!((found.models.len(), found.n), (0, 0));
        let told: Vec<_> = found
            .excluded
            .iter()
            .map(|(model, why)| (*model, why.answered, why.of))
            .collect();
        assert_eq!(told, [(1, 2, 5), (0, 3, 5)]);
        assert_eq!(common(&[], 0.8).n, 0);
        assert_eq!(common(&["xx"], 0.8).models, [0], "one model alone");
    }

    #[test]
    fn models_that_cannot_be_told_apart_are_ranked_together_or_not_at_all() {
        // Two conditions, each answered by two models.
        let halves = ["xxxx----", "xxxx----", "----xxxx", "----xxxx"];
        for coverage in [0.5, 0.8] {
            let found = common(&halves, coverage);
            assert_eq!((found.models.len(), found.excluded.len()), (0, 4));
        }
        // The two models with half of the samples are removed together; the others answered all.
        let found = common(&["xxxxxxxx", "xxxx----", "xxxxxxxx", "xxxx----"], 0.8);
        assert_eq!((found.models.as_slice(), found.n), (&[0, 2][..], 8));
        // A condition that only one model answered is not used for ranking.
        let found = common(&["xxxx----", "xxxx----", "----xxxx"], 0.8);
        assert_eq!((found.models.as_slice(), found.n), (&[0, 1][..], 4));
    }
}
