//! Computes merits: scores converted so that higher is better.

use std::collections::HashMap;

use analysis::Selection;
use analysis::direction_in;
use record::benchmark::Direction;
use record::{Scoring, Table};

/// Returns the score of each prediction, negated if lower is better. `NaN` without a score.
pub fn merits(table: &Table, scoring: Scoring) -> Vec<f64> {
    let names = table.names().metrics.values().iter();
    let lower: Vec<bool> = names
        .map(|name| direction_in(table, name).0 == Direction::Lower)
        .collect();
    let rows = table.scores(scoring).iter().zip(table.metric_of(scoring));
    rows.map(|(&score, &metric)| match lower.get(usize::from(metric)) {
        Some(true) => -score,
        _ => score,
    })
    .collect()
}

/// Returns values by which the selected predictions can be ordered; higher is better. `NaN` without
/// a score.
///
/// If there is one metric, these are the merits. If there are several, a value is the share of
/// worse answers among the scored answers of the same ability; ties count half.
pub fn comparable_merits(selection: Selection<'_>) -> Vec<f64> {
    let merits = merits(selection.table, selection.scoring);
    let metrics = selection.table.metric_of(selection.scoring);
    let metric = |row: u32| metrics.get(row as usize);
    let scored = |row: &u32| {
        merits
            .get(*row as usize)
            .is_some_and(|merit| !merit.is_nan())
    };
    let mut rows = selection.rows().filter(scored);
    let first = rows.next().and_then(metric);
    if rows.all(|row| metric(row) == first) {
        return merits;
    }
    ranked(selection, &merits)
}

/// Returns for each answer the share of answers with the same ability and metric that are worse.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn ranked(selection: Selection<'_>, merits: &[f64]) -> Vec<f64> {
    let table = selection.table;
    let (items, abilities) = (table.item_of(), table.ability_of());
    let metrics = table.metric_of(selection.scoring);
    let mut groups: HashMap<_, Vec<(f64, usize)>> = HashMap::new();
    for (row, ((&item, metric), &merit)) in items.iter().zip(metrics).zip(merits).enumerate() {
        if let Some(ability) = abilities.get(item as usize).filter(|_| !merit.is_nan()) {
            let group = groups.entry((ability, metric)).or_default();
            group.push((merit, row));
        }
    }
    let mut shares = vec![f64::NAN; merits.len()];
    for mut group in groups.into_values() {
        group.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let count = group.len() as f64;
        let mut worse = 0;
        for alike in group.chunk_by(|(a, _), (b, _)| a.total_cmp(b).is_eq()) {
            let share = (worse as f64 + alike.len() as f64 / 2.0) / count;
            for (_, row) in alike {
                if let Some(place) = shares.get_mut(*row) {
                    *place = share;
                }
            }
            worse += alike.len();
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use crate::load::{Request, load};
    use crate::page::{Sort, sorted_rows};
    use analysis::Selection;
    use record::{Row, Scoring, Table};

    /// Colour differences from 2 to 63, and answers that are right or wrong.
    const LOG: &str = r#"{"benchmark":"b","model":"m","ability":"color","sample_id":"c63","target":"red","response":"x","metric":"ciede2000","score":63}
{"benchmark":"b","model":"m","ability":"color","sample_id":"c2","target":"red","response":"x","metric":"ciede2000","score":2}
{"benchmark":"b","model":"m","ability":"color","sample_id":"c9","target":"red","response":"x","metric":"ciede2000","score":9}
{"benchmark":"b","model":"m","ability":"color","sample_id":"c30","target":"red","response":"x","metric":"ciede2000","score":30}
{"benchmark":"b","model":"m","ability":"scene","sample_id":"right1","target":"A","response":"A","metric":"accuracy","score":1}
{"benchmark":"b","model":"m","ability":"scene","sample_id":"wrong","target":"A","response":"B","metric":"accuracy","score":0}
{"benchmark":"b","model":"m","ability":"scene","sample_id":"right2","target":"A","response":"A","metric":"accuracy","score":1}
"#;

    fn table(folder: &Path) -> Table {
        std::fs::write(folder.join("x.eyechart.jsonl"), LOG).unwrap();
        let request = Request {
            paths: vec![folder.to_path_buf()],
            ..Request::default()
        };
        load(&request, &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn the_worst_of_each_ability_comes_first_whatever_its_unit() {
        let folder = tempfile::tempdir().unwrap();
        let table = table(folder.path());
        let ids = |selection: Selection<'_>| -> Vec<String> {
            let rows = sorted_rows(selection, Sort::Worst, false).into_iter();
            rows.map(|row| table.sample_id(table.item(Row(row))).to_owned())
                .collect()
        };
        let all = Selection::all(&table, Scoring::Harness);
        // Shares of worse answers. Four colours: 1/8, 3/8, 5/8, 7/8. Three scenes: 1/6 if wrong,
        // 4/6 if right.
        let expected = ["c63", "wrong", "c30", "c9", "right1", "right2", "c2"];
        assert_eq!(ids(all), expected);
        let color: Vec<bool> = (0..).zip(table.item_of()).map(|(row, _)| row < 4).collect();
        let alone = Selection {
            mask: Some(&color),
            ..all
        };
        assert_eq!(ids(alone), ["c63", "c30", "c9", "c2"]);
    }
}
