//! Reopens a finished table to add rows. Each column is copied once, independent of the number of
//! added rows; texts are shared.

use super::growing::{ItemColumns, PredictionColumns};
use super::predictions::copied;
use super::tags::GrowingTags;
use super::{Index, Scoring, Table, TableBuilder};

impl TableBuilder {
    /// Continues from the table and index returned by [`Self::pause`].
    pub fn resume(table: &Table, index: Index) -> Self {
        Self {
            predictions: predictions(table),
            items: items(table),
            names: (*table.names).clone(),
            sources: (*table.sources).clone(),
            published: (*table.published).clone(),
            detections: (*table.detections).clone(),
            request_changes: (*table.request_changes).clone(),
            usages: (*table.usages).clone(),
            index,
        }
    }
}

fn predictions(table: &Table) -> PredictionColumns {
    let [own, strict] = [Scoring::Harness, Scoring::Strict];
    let places = table.places();
    let metric = |(name, scores): (&str, &[f64])| {
        let code = table.names.metrics.find(name)?;
        Some((u16::try_from(code).ok()?, copied(scores)))
    };
    PredictionColumns {
        item: copied(table.item_of()),
        model: copied(table.model_of()),
        metric: copied(table.metric_of(own)),
        strict_metric: unless_shared(table.metric_of(strict), table.metric_of(own)),
        score: copied(table.scores(own)),
        strict: unless_shared(table.scores(strict), table.scores(own)),
        second: copied(table.seconds(own)),
        strict_second: unless_shared(table.seconds(strict), table.seconds(own)),
        flags: copied(table.flags()),
        rule: copied(table.rules()),
        answer: copied(table.answers()),
        unit: copied(table.unit_of()),
        offset: copied(places.0),
        length: copied(places.1),
        line: copied(places.2),
        beside: table.other_scores().filter_map(metric).collect(),
        beside_left_out: table.left_out.metrics,
    }
}

/// Copies a column; returns an empty column if it shares memory with `other`.
fn unless_shared<T: Clone>(column: &[T], other: &[T]) -> Vec<T> {
    if std::ptr::eq(column, other) {
        Vec::new()
    } else {
        copied(column)
    }
}

fn items(table: &Table) -> ItemColumns {
    let texts = &table.texts;
    ItemColumns {
        sample: copied(table.sample_of()),
        ability: copied(table.ability_of()),
        condition: copied(table.condition_of()),
        cluster: copied(table.cluster_of()),
        target: copied(table.target_of()),
        ids: texts.ids.clone(),
        questions: texts.questions.clone(),
        targets: texts.targets.clone(),
        options: copied(table.options()),
        boxes: copied(table.boxes()),
        pictures: copied(table.several_pictures()),
        tags: GrowingTags::resume((*table.tags).clone(), table.left_out),
        texts_left_out: table.left_out.texts,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Ability, Content, Labels, Prediction, RecordPosition, RequestFingerprint, Rule, Scoring,
        Table, TableBuilder, Target, Value,
    };

    /// Adds `rows` for two models that answer every item. Every third item has a tag; every fifth
    /// has a second score.
    fn fill(builder: &mut TableBuilder, rows: std::ops::Range<u32>, strict: bool) {
        for row in rows {
            let ability = Ability {
                benchmark: "b".to_owned(),
                name: format!("a{}", row % 3),
            };
            let ability = builder.ability(&ability).unwrap();
            let condition = builder.condition(&Labels::new()).unwrap();
            let id = format!("s{}", row / 2);
            let asked = RequestFingerprint::new([u64::from(row / 2); 4]);
            let item = builder.item(ability, condition, &id, asked);
            if item.new {
                let mut tags = Labels::new();
                if row % 3 == 0 {
                    tags.insert("set".to_owned(), Value::Text(format!("t{}", row % 5)));
                }
                tags.insert("size".to_owned(), Value::Number(f64::from(row)));
                let content = Content {
                    question: format!("question {row}"),
                    target: Some(Target::Number(f64::from(row))),
                    tags,
                    ..Content::default()
                };
                builder.describe(&content, Some(u64::from(row % 7)), f64::from(row));
            }
            let metric = builder.metric("accuracy").unwrap();
            let own = if strict {
                builder.metric("own").unwrap()
            } else {
                metric
            };
            let model = builder.model(["m", "n"][row as usize % 2]).unwrap();
            let score = f64::from(row % 2);
            let prediction = Prediction {
                model,
                metric,
                strict_metric: own,
                score,
                strict: if strict { 0.5 } else { score },
                second: if row % 5 == 0 { 1.0 } else { f64::NAN },
                strict_second: if row % 5 == 0 { 1.0 } else { f64::NAN },
                flags: 0,
                rule: if strict {
                    Rule::ChoiceMatching
                } else {
                    Rule::Unstated
                },
                asked,
                answer: 0,
                place: RecordPosition {
                    unit: 0,
                    offset: u64::from(row) * 10,
                    length: 9,
                    line: row,
                },
            };
            let beside = if row % 4 == 0 {
                vec![(metric, 0.25)]
            } else {
                Vec::new()
            };
            builder.push(item.id, &prediction, &beside);
        }
    }

    fn shown(table: &Table) -> String {
        let names = table.names();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            table.predictions,
            table.items,
            names.models.values(),
            (0..table.len())
                .map(|row| table.question(crate::ItemId(row as u32)))
                .collect::<Vec<_>>(),
            table.scores(Scoring::Strict),
            table.tag("set"),
        )
    }

    #[test]
    fn a_table_that_was_paused_at_any_row_is_the_same_in_the_end() {
        for (strict_from, cuts) in [(90, [0, 1, 50]), (40, [39, 40, 41]), (0, [1, 2, 70])] {
            let mut whole = TableBuilder::default();
            fill(&mut whole, 0..strict_from, false);
            fill(&mut whole, strict_from..90, true);
            let whole = whole.finish();
            let mut builder = TableBuilder::default();
            for row in 0..90 {
                if cuts.contains(&row) {
                    let (table, index) = builder.pause();
                    builder = TableBuilder::resume(&table, index);
                }
                fill(&mut builder, row..row + 1, row >= strict_from);
            }
            assert_eq!(shown(&builder.finish()), shown(&whole));
        }
    }

    #[test]
    fn what_is_pushed_again_after_a_pause_takes_its_old_row() {
        let mut builder = TableBuilder::default();
        fill(&mut builder, 0..10, false);
        let (table, index) = builder.pause();
        let mut builder = TableBuilder::resume(&table, index);
        fill(&mut builder, 4..12, false);
        assert_eq!(builder.finish().len(), 12);
    }
}
