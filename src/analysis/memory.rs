//! Finds models that answer changed pictures with the answer keys of the original pictures, in
//! reruns of the protocol `twin`.

use std::collections::BTreeMap;

use super::Selection;
use super::common::without;
use crate::metric::{MemoryTest, TwinAnswers, holm};
use base::format::{fixed, probability};
use record::{Labels, Row, Value};

/// Condition that holds the kind of a changed picture.
pub const TWIN: &str = "twin";
/// Kinds of changed pictures: the values of the condition [`TWIN`].
pub const TWINS: [&str; 2] = ["mirrored", "flipped"];
/// Further score of an answer: 1 for the key of the original, -1 for the opposite key, else 0; see
/// [`TwinAnswers::kept`].
pub const KEY_KEPT: &str = "key_kept";
/// Tags that hold the key of the original, and the opposite key.
pub const KEY_TAGS: [&str; 2] = ["twin_key", "twin_opposite"];

/// Memory of one model in one benchmark: how often it keeps the key of the original picture.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkMemory {
    /// Benchmark of the samples.
    pub benchmark: String,
    /// Model whose answers are tested.
    pub model: String,
    /// Test over all abilities of the benchmark.
    pub test: MemoryTest,
}

/// Adjusts the tests of all models and benchmarks that are reported together by Holm's method.
pub fn adjust_memory(rows: &mut [BenchmarkMemory]) {
    let tested = || rows.iter().filter_map(|it| it.test.p_value);
    let adjusted = holm(&tested().collect::<Vec<_>>());
    let tested = rows.iter_mut().filter(|it| it.test.p_value.is_some());
    for (row, p_value) in tested.zip(adjusted) {
        row.test.p_adjusted = Some(p_value);
    }
}

impl BenchmarkMemory {
    /// Returns the result in one sentence.
    pub fn sentence(&self) -> String {
        let MemoryTest { n, kept, .. } = self.test;
        let verdict = format!("{}: {}", self.benchmark, self.test.verdict().words());
        let known = self.test.share.zip(self.test.p_adjusted);
        let figures = known.map(|(share, p)| {
            let ends = self.test.interval;
            let ends = ends.map(|it| format!(" [{:.3}, {:.3}]", it.low, it.high));
            format!(
                "; memorised share {}{}, adjusted p {}",
                fixed(Some(share), 3),
                ends.unwrap_or_default(),
                match probability(p) {
                    small if small.starts_with('<') => small,
                    p => format!("= {p}"),
                }
            )
        });
        format!(
            "{verdict}{}; {kept} of {n} samples have the original's key on both changed pictures",
            figures.unwrap_or_default()
        )
    }
}

/// Returns the index in [`TWINS`] of a condition's changed picture; `None` for the original and
/// other runs.
pub fn twin_of(condition: &Labels) -> Option<usize> {
    let Value::Text(name) = condition.get(TWIN)? else {
        return None;
    };
    TWINS.iter().position(|known| known == name)
}

/// Answers by ability code, sample code, and code of the rest of the condition.
type Samples = BTreeMap<(u16, u32, u16), TwinAnswers>;

/// Returns the memory of every model in every benchmark with answers to changed pictures.
pub fn memory(selection: Selection<'_>) -> Vec<BenchmarkMemory> {
    let table = selection.table;
    let kept = table.other_scores().find(|(metric, _)| *metric == KEY_KEPT);
    let [Some(keys), Some(opposites)] = KEY_TAGS.map(|tag| table.tag(tag)) else {
        return Vec::new();
    };
    let Some((_, kept)) = kept else {
        return Vec::new();
    };
    let conditions = &table.names().conditions;
    let views: Vec<Option<usize>> = conditions.iter().map(twin_of).collect();
    let rest = without(conditions, &[TWIN]);
    let mut found: BTreeMap<(&str, &str), Samples> = BTreeMap::new();
    let mut add = |row: u32| {
        let score = *kept.get(row as usize).filter(|score| score.is_finite())?;
        let item = table.item(Row(row));
        let at = item.0 as usize;
        let condition = usize::from(*table.condition_of().get(at)?);
        let view = (*views.get(condition)?)?;
        let ability = *table.ability_of().get(at)?;
        let sample = (ability, *table.sample_of().get(at)?, *rest.get(condition)?);
        let benchmark = table.ability(item)?.benchmark.as_str();
        let model = table.names().model(table.model(Row(row)));
        let (key, opposite) = (keys.text(at)?, opposites.text(at)?);
        let samples = found.entry((benchmark, model)).or_default();
        let answers = samples.entry(sample).or_insert_with(|| TwinAnswers {
            key: key.to_owned(),
            opposite: opposite.to_owned(),
            kept: [f64::NAN; 2],
            cluster: table.cluster_of().get(at).map_or(at, |it| *it as usize),
        });
        let first = answers.kept.get_mut(view).filter(|it| it.is_nan())?;
        *first = score;
        Some(())
    };
    for row in selection.rows() {
        add(row);
    }
    let test = |samples: Samples| {
        let test = MemoryTest::new(&samples.into_values().collect::<Vec<_>>());
        match selection.selected_by {
            Some(_) => test.untested(),
            None => test,
        }
    };
    let found = found.into_iter();
    let mut found: Vec<BenchmarkMemory> = found
        .map(|((benchmark, model), samples)| BenchmarkMemory {
            benchmark: benchmark.to_owned(),
            model: model.to_owned(),
            test: test(samples),
        })
        .collect();
    adjust_memory(&mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Memory;

    fn row(model: &str, p_value: Option<f64>) -> BenchmarkMemory {
        let test = MemoryTest {
            n: 300,
            kept: 40,
            share: p_value.map(|_| 0.1),
            interval: None,
            p_value,
            p_adjusted: p_value,
        };
        BenchmarkMemory {
            benchmark: "b".to_owned(),
            model: model.to_owned(),
            test,
        }
    }

    #[test]
    fn one_of_three_models_must_be_three_times_as_sure() {
        let mut alone = [row("a", Some(0.03))];
        adjust_memory(&mut alone);
        assert_eq!(alone[0].test.verdict(), Memory::Likely);
        // Models without a test do not belong to the family.
        let p_values = [Some(0.03), None, Some(0.01), Some(0.5)];
        let mut rows = p_values.map(|p_value| row("a", p_value));
        adjust_memory(&mut rows);
        let verdicts = rows.each_ref().map(|it| it.test.verdict());
        let none = Memory::NoSign;
        assert_eq!(verdicts, [none, Memory::Unknown, Memory::Likely, none]);
        let near = |at: usize, p: f64| (rows[at].test.p_adjusted.unwrap() - p).abs() < 1e-12;
        assert!(near(0, 0.06) && near(2, 0.03) && near(3, 0.5));
        assert_eq!(rows[0].test.p_value, Some(0.03));
        assert!(rows[0].sentence().contains("adjusted p = 0.060"));
    }
}
