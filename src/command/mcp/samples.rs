//! Tools for single predictions: the list, and one sample with its picture.

use serde_json::{Map, Value as Json, json};

use super::answer::ToolAnswer;
use super::arguments::{self, PageRequest};
use super::data::rows_engine;
use super::toolbox::Toolbox;
use crate::Failure;
use crate::samples::listed;
use base::format::{fixed, visible};
use base::job::FOR_GOOD;
use engine::{Ask as _, Engine, Order, Show};
use media::{EncodedPicture, ThumbnailBound, thumbnail_within};
use record::{Row, Scoring, Table};
use report::{Document as _, SampleList};
use workspace::brief::parsed;
use workspace::page::Detail;
use workspace::picture::{Layers, marked, sources};
use workspace::sample_panel::{maps_with_letters, sample_panels};

/// Maximum longer side of a picture, in pixels.
const SIDE: u32 = 768;
/// Maximum size of all pictures of an answer together, in bytes: 60,000 in base64.
const PICTURES: usize = 45_000;
/// Maximum number of pictures of an answer.
const MOST_PICTURES: usize = 8;

/// Answers `samples`: predictions in order.
pub fn samples(
    tools: &mut Toolbox,
    arguments: Map<String, Json>,
    page: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Samples = arguments::parse(arguments)?;
    let query = engine::Samples {
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        order: Order::parse(asked.sort.as_deref().unwrap_or("log"))?,
        group: None,
        limit: None,
    };
    let opened = tools.data.get()?;
    let mut memory = None;
    let engine = rows_engine(opened, &query.scope, &mut memory)?;
    let found = query.answer(engine, &FOR_GOOD)?.rows;
    let wanted = found.iter().skip(page.from).take(page.limit);
    let rows = wanted.map(|row| listed(engine, Row(*row), query.scope.scoring));
    let list = SampleList {
        rows: rows.collect::<Result<_, _>>()?,
    };
    Ok(ToolAnswer {
        command: query.command(&opened.named.request),
        rows: list.lines(),
        first: page.from,
        length: Some(found.len()),
        ..ToolAnswer::default()
    })
}

/// Answers `sample`: one sample with its picture and all answers.
pub fn sample(
    tools: &mut Toolbox,
    arguments: Map<String, Json>,
    page: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::OneSample = arguments::parse(arguments)?;
    let query = Show {
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        sample: asked.sample,
        model: asked.model,
    };
    let opened = tools.data.get()?;
    let mut memory = None;
    let engine = rows_engine(opened, &query.scope, &mut memory)?;
    let found = query.answer(engine, &FOR_GOOD)?;
    let reader = SampleReader {
        engine,
        scoring: query.scope.scoring,
    };
    let wanted = found.iter().skip(page.from).take(page.limit);
    let rows = wanted.map(|row| reader.answer(*row));
    let rows = rows.collect::<Result<_, _>>()?;
    let mut answer = ToolAnswer {
        command: query.command(&opened.named.request),
        rows,
        first: page.from,
        length: Some(found.len()),
        has_long_texts: true,
        ..ToolAnswer::default()
    };
    // Later pages continue the list of answers.
    if let Some(first) = found.first().filter(|_| page.from == 0) {
        let detail = reader.detail(*first)?;
        answer.head = question(&detail);
        if asked.picture != Some(false) {
            let (pictures, about) = pictures(engine.table(), &detail);
            answer.pictures = pictures;
            answer.head.insert("pictures".to_owned(), about.into());
        }
    }
    Ok(answer)
}

/// Reads single predictions together with the text of their records.
pub struct SampleReader<'a> {
    /// Engine that holds the predictions.
    pub engine: &'a dyn Engine,
    /// Rules that score the predictions.
    pub scoring: Scoring,
}

impl SampleReader<'_> {
    fn detail(&self, row: Row) -> Result<Detail, Failure> {
        let query = engine::Detail {
            row,
            scoring: self.scoring,
            with_maps: true,
        };
        let detail = *query.answer(self.engine, &FOR_GOOD)?;
        detail.map_err(|why| Failure::new(why).hint("`open` without a path reads the logs again"))
    }

    /// Returns one model's answer with its score.
    pub fn answer(&self, row: Row) -> Result<Json, Failure> {
        let query = engine::Detail {
            row,
            scoring: self.scoring,
            with_maps: false,
        };
        let detail = *query.answer(self.engine, &FOR_GOOD)?;
        Ok(match detail {
            Err(why) => json!({"unreadable": why}),
            Ok(Detail {
                list,
                record,
                right,
                read_by,
                unread,
                other,
                ..
            }) => {
                let also: Map<String, Json> = (record.beside.iter())
                    .map(|(metric, score)| (metric.clone(), json!(score)))
                    .collect();
                json!({
                    "model": list.model, "benchmark": list.benchmark, "ability": list.ability, "condition": list.condition,
                    "response": record.response, "parsed": parsed(&record, self.scoring).filter(|_| !list.invalid),
                    "metric": list.metric, "score": list.score, "right_from": right, "correct": list.correct,
                    "invalid": list.invalid, "read_by": read_by, "unread": unread.map(|why| why.to_string()),
                    "other_rules": other.map(|other| format!(
                        "{}: {} {}, {}", other.scoring.name(), other.metric, fixed(other.score, 4), other.why.words()
                    )),
                    "also": also, "source": visible(&list.place),
                })
            }
        })
    }
}

/// Returns question, options and annotation of a sample.
fn question(detail: &Detail) -> Map<String, Json> {
    let content = &detail.record.content;
    let choices = content.choices.iter();
    let choices: Vec<Json> = choices
        .map(|choice| json!([choice.letter, choice.text]))
        .collect();
    let tags = content.tags.iter();
    let tags: Vec<String> = tags
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let list = &detail.list;
    let fields = [
        ("sample_id", json!(list.sample_id)),
        ("benchmark", json!(list.benchmark)),
        ("ability", json!(list.ability)),
        ("condition", json!(list.condition)),
        ("question", json!(list.question)),
        ("choices", json!(choices)),
        ("target", json!(list.target)),
        ("tags", json!(tags)),
    ];
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Returns pictures with their boxes and maps. The second list describes each picture: its caption,
/// or why it is missing.
fn pictures(table: &Table, detail: &Detail) -> (Vec<EncodedPicture>, Vec<Json>) {
    let boxes = marked(detail, None);
    let surfaces = maps_with_letters(detail, None);
    let models = [detail.list.model.as_str(), ""];
    let own = sources(table, detail);
    let mut panels = sample_panels(own, &boxes, &surfaces, Layers::All, models);
    // Captions are already final, so they contain the total number: `1 of 12`.
    panels.truncate(MOST_PICTURES);
    let bound = ThumbnailBound {
        side: SIDE,
        bytes: PICTURES / panels.len().max(1),
    };
    let (mut pictures, mut about) = (Vec::new(), Vec::new());
    for panel in panels {
        let name = panel.source.name();
        match thumbnail_within(&panel.source, &panel.overlays, &panel.maps, bound) {
            Ok(found) => {
                let (width, height) = found.form.size;
                about.push(json!({"name": name, "caption": panel.caption, "width": width, "height": height}));
                pictures.push(found.encoded);
            }
            Err(missing) => about.push(json!({"name": name, "missing": missing.to_string()})),
        }
    }
    (pictures, about)
}
