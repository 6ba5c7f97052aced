//! The tool that asks a model again, available only with `--allow-ask`.

use std::path::Path;

use serde_json::{Map, Value as Json, json};

use super::answer::ToolAnswer;
use super::arguments::{self, AskModel, PageRequest};
use super::samples::SampleReader;
use super::toolbox::Toolbox;
use super::verdict::OnlySample;
use crate::cli::{Input, Mcp};
use crate::input::LoadedInput;
use crate::{Failure, input, live};
use analysis::Selection;
use ask::{Choice, Column, CountedSession, FinishedRun, Protocol, RunSpec, SessionSpec, asked};
use record::{Row, Scoring};

/// The model that an assistant may ask, and the remaining number of questions.
#[derive(Clone, Debug)]
pub struct AskAllowance {
    endpoint: String,
    model: Option<String>,
    /// Number of questions left.
    left: u32,
}

impl AskAllowance {
    /// Returns the allowance of the command line; `None` without `--allow-ask`.
    pub fn of(args: &Mcp) -> Option<Self> {
        let endpoint = args.allow_ask.clone()?;
        Some(Self {
            endpoint,
            model: args.ask_model.clone(),
            left: args.ask_limit,
        })
    }

    /// Asks the question of the selected sample. The run is stored next to the user's own runs.
    fn ask(
        &mut self,
        selection: Selection<'_>,
        opened: &LoadedInput,
    ) -> Result<FinishedRun, Failure> {
        let request = &opened.named.request;
        let column = RunSpec {
            model: self.model.clone(),
            ..RunSpec::new(self.endpoint.clone(), Protocol::Vanilla, Vec::new())
        };
        let columns = vec![Column::alone(column, asked::places(request))];
        let spec = SessionSpec {
            limit: 1,
            ..SessionSpec::new(columns, selection, request)
        };
        let session = spec.count(&opened.named.settings);
        let session = session.and_then(CountedSession::alive);
        let session = session.map_err(|error| live::failure(&error))?;
        self.use_question()?;
        live::only(live::carry_out(session, Choice::default())?)
    }

    /// Uses one question of the allowance; fails if none is left.
    fn use_question(&mut self) -> Result<(), Failure> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(
                Failure::new("all questions that the user allowed were asked")
                    .hint("the user may start the server with a larger --ask-limit"),
            ),
        }
    }
}

/// Asks the model the question of one sample, unchanged. The first row is the new answer, the
/// others are answers of the log.
pub fn ask_model(
    tools: &mut Toolbox,
    arguments: Map<String, Json>,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let args: AskModel = arguments::parse(arguments)?;
    let allowance = tools.asking.as_mut();
    let allowance = allowance.ok_or_else(|| Failure::new("this server asks no models"))?;
    let opened = tools.data.get()?;
    let mut memory = None;
    let sample = OnlySample::find(opened, [&args.filter, &args.sample], &mut memory)?;
    let (engine, logged) = (sample.engine, sample.rows);
    let table = engine.table();
    let mut mask = vec![false; table.len()];
    for row in &logged {
        if let Some(is_in) = mask.get_mut(row.0 as usize) {
            *is_in = true;
        }
    }
    let selection = Selection {
        mask: Some(&mask),
        ..Selection::all(table, Scoring::default())
    };
    let run = allowance.ask(selection, opened)?;
    let ended = &run.output.ended;
    let is_answered = ended.finished.iter().any(|it| it.record.is_some());
    // Without an answer, the log is empty and cannot be opened.
    let (mut rows, unread) = match answers_in(&run.output.log) {
        Err(_) if !is_answered => (Vec::new(), None),
        Err(why) => (Vec::new(), Some(why.to_string())),
        Ok(rows) => (rows, None),
    };
    let reader = SampleReader {
        engine,
        scoring: Scoring::default(),
    };
    for row in logged {
        rows.push(reader.answer(row)?);
    }
    let mut answer = ToolAnswer::list(None, Map::new(), rows);
    answer.has_long_texts = true;
    answer.head = head(&run, unread);
    answer.head.extend([
        ("answered".to_owned(), json!(is_answered)),
        ("questions_left".to_owned(), json!(allowance.left)),
    ]);
    Ok(answer)
}

/// Returns the outcome of the question. `unread` is the reason why the log with the new answer
/// cannot be opened.
fn head(run: &FinishedRun, unread: Option<String>) -> Map<String, Json> {
    let ended = &run.output.ended;
    let failed = ended.finished.iter().find(|it| it.record.is_none());
    let failed = failed.map(|it| it.done.outcome.clone());
    let stopped = ended.stopped.as_ref().map(ToString::to_string);
    let left_out = ended.unasked.first().map(|(_, why)| why.to_string());
    let mut fields = Map::from_iter([
        ("failure".to_owned(), json!(failed.or(stopped))),
        ("not_asked".to_owned(), json!(left_out)),
        ("log".to_owned(), json!(base::format::path(&run.output.log))),
    ]);
    if let Some(why) = unread {
        fields.insert("log_not_opened".to_owned(), json!(why));
    }
    fields
}

/// Returns the answers of a run's log, in the format of `sample`.
fn answers_in(log: &Path) -> Result<Vec<Json>, Failure> {
    let written = input::open(&Input {
        paths: vec![log.to_path_buf()],
        ..Input::default()
    })?;
    let reader = SampleReader {
        engine: &*written.engine,
        scoring: Scoring::default(),
    };
    let rows = written.engine.table().len();
    let rows = (0..u32::try_from(rows).unwrap_or(u32::MAX)).map(Row);
    rows.map(|row| reader.answer(row)).collect()
}
