//! The tool that stores a verdict, available only with `--allow-verdicts`.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::answer::ToolAnswer;
use super::arguments::{self, PageRequest, RecordVerdict};
use super::data::rows_engine;
use super::toolbox::Toolbox;
use crate::Failure;
use crate::input::LoadedInput;
use crate::verdicts::upload_verdicts;
use analysis::audit::sample_key;
use base::job::FOR_GOOD;
use engine::{Ask as _, Engine, Memory, Show};
use record::verdict::{Entry, SampleKey};
use record::{Row, Scoring};
use workspace::verdicts::Ledger;

/// Stores a verdict in the verdict file. The logs are read again before the next question.
pub fn record_verdict(
    tools: &mut Toolbox,
    arguments: Map<String, Json>,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: RecordVerdict = arguments::parse(arguments)?;
    let sample = judged(tools, &asked)?;
    let author = tools.author.clone();
    let audit = tools.data.get()?.named.audit(author.as_deref());
    let entry = Entry::now(sample, asked.verdict, &asked.note, &audit.author);
    let mut ledger = Ledger::open(&audit);
    let notice = ledger.append(&entry).map_err(Failure::new)?;
    upload_verdicts(&audit)?;
    let stored = json!({
        "stored": true, "verdict": entry.verdict.name(), "author": entry.author, "sample": entry.sample,
        "file": base::format::path(ledger.own()), "notice": notice,
    });
    tools.changed();
    Ok(ToolAnswer {
        head: match stored {
            Json::Object(head) => head,
            _ => Map::new(),
        },
        ..ToolAnswer::default()
    })
}

/// Returns the key of the sample that filter and id select.
fn judged(tools: &mut Toolbox, asked: &RecordVerdict) -> Result<SampleKey, Failure> {
    let opened = tools.data.get()?;
    let mut memory = None;
    let found = OnlySample::find(opened, [&asked.filter, &asked.sample], &mut memory)?;
    Ok(found.key)
}

/// A sample that is selected unambiguously by id and filter.
pub struct OnlySample<'a> {
    /// Engine that holds its predictions.
    pub engine: &'a dyn Engine,
    /// Key of the sample.
    pub key: SampleKey,
    /// Rows of the sample's predictions.
    pub rows: Vec<Row>,
}

impl<'a> OnlySample<'a> {
    /// Finds the sample by filter and id. For a large data set, loads its predictions into
    /// `memory`.
    pub fn find(
        opened: &'a LoadedInput,
        [filter, sample]: [&str; 2],
        memory: &'a mut Option<Memory>,
    ) -> Result<Self, Failure> {
        let query = Show {
            scope: arguments::scope(filter, Scoring::default())?,
            sample: sample.to_owned(),
            model: None,
        };
        let engine = rows_engine(opened, &query.scope, memory)?;
        let table = engine.table();
        let rows = query.answer(engine, &FOR_GOOD)?;
        let keys = rows.iter().map(|row| sample_key(table, table.item(*row)));
        let mut keys: BTreeSet<SampleKey> = keys.collect();
        match (keys.pop_first(), keys.is_empty()) {
            (Some(key), true) => Ok(Self { engine, key, rows }),
            _ => Err(Failure::usage("several samples have this id")
                .hint("give a filter with benchmark: and ability: that selects one")),
        }
    }
}
