//! Adds the content of logs to the table, in the order of the logs.

mod figures;
mod impossible_scores;
mod runs;
mod scales;
mod similar_problems;
mod target;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use base::limits::Limit;
use hashbrown::{DefaultHashBuilder, HashMap};
use record::benchmark::MetricRange;
use record::catalog::Catalog;

use super::kept_text::KeptText;
use super::log_element::{Context, LogElement, Row, Rows};
use super::published::PublishedValues;
use super::repeats::Repeats;
use super::score_origins::ScoreOrigins;
use super::spellings::{NameMeaning, Spellings};
use crate::text;
use impossible_scores::ImpossibleScores;
use reader::own::{self, parse_asked};
use reader::{Position, Unit};
use record::{
    AbilityId, Basis, Content, DroppedValues, Duplicate, ImageRef, Index, ItemCode, ItemId,
    ModelId, Prediction, Problem, PublishedScore, RUN, RecordPosition, RequestFingerprint, Run,
    RunName, SPLIT, Source, Store, Table, TableBuilder, Value,
};
use scales::Scales;
use similar_problems::{NameKind, SimilarProblems};
use target::target_number;

/// Progress callback: gets the table so far and the number of new bytes. May stop the load.
pub type OnProgress<'a> = dyn FnMut(&TableBuilder, u64) -> ControlFlow<()> + 'a;

/// Fills a table from logs.
pub struct Appender<'a> {
    /// The table so far.
    pub builder: TableBuilder,
    on_progress: &'a mut OnProgress<'a>,
    memory: Memory,
    /// Index of the current log among the sources.
    unit: u32,
    path: PathBuf,
    /// Run of the log, if the model has several; otherwise `None`.
    run: Option<String>,
    /// Paths given by the user, if logs that repeat each other are kept separate; otherwise empty.
    paths: Vec<PathBuf>,
    repeats: Repeats,
    conflicts: u64,
    /// Scores in the log that are outside the range of their metric.
    outside: Vec<ImpossibleScores>,
    scales: Scales,
    /// True while the log is read again, only to score its boxes again.
    is_rescaling: bool,
    /// Number of problems stored for all logs.
    problems: usize,
    /// Problems of the log's rows, merged by message.
    alike: SimilarProblems,
    /// Counts of values left out of the earlier logs.
    left_out: DroppedValues,
    /// Number of the last line read earlier, if it may have been incomplete.
    again: Option<u64>,
    /// Line number of the last record.
    last_line: u64,
    stale: bool,
    scored: ScoreOrigins,
}

/// State with which a later load continues.
#[derive(Debug, Default)]
pub struct LoadState {
    index: Index,
    memory: Memory,
}

#[derive(Debug, Default)]
struct Memory {
    hasher: DefaultHashBuilder,
    spellings: Spellings,
    printed: PublishedValues,
    /// Scores from harnesses by run, if repeating logs are kept separate.
    by_run: PublishedValues,
    text: KeptText,
    /// End position by source, for logs that can be continued.
    ends: HashMap<u32, End>,
    /// Origin of the scores by source, for logs that can be continued.
    scored: HashMap<u32, ScoreOrigins>,
    /// Scales of boxes by source, for logs that can be continued.
    scales: HashMap<u32, Scales>,
    /// Spellings of each name in the logs, by the name in lower case.
    cases: HashMap<(NameKind, String), BTreeSet<String>>,
    /// True if logs that repeat each other are kept separate as runs.
    apart: bool,
    /// First log that contains answers of each model.
    first: HashMap<ModelId, u32>,
    /// Scores from harnesses, if repeating logs are kept separate: index among the published
    /// scores, and position in the log.
    figures: Vec<(usize, RecordPosition)>,
}

impl LoadState {
    /// Returns the end position of a log; `None` if reading cannot continue there.
    pub fn end(&self, source: u32) -> Option<Position> {
        self.memory.ends.get(&source).map(|end| end.at)
    }
}

/// End position of a log.
#[derive(Clone, Copy, Debug)]
struct End {
    at: Position,
    /// True if the last line, which has no line break, was read as a record. It may be complete.
    gave: bool,
}

/// Codes and other values that neighbouring rows share.
struct Codes {
    ability: AbilityId,
    model: ModelId,
    condition: u16,
    /// Split of the data set; empty if there is none.
    split: String,
    metrics: [u16; 2],
    /// Range of the harness's metric, if it is known.
    range: Option<MetricRange>,
    /// True if another log also has answers of the model, and repeating logs are kept separate.
    may_repeat: bool,
}

impl Codes {
    /// Returns the code that identifies the item of a sample.
    fn item<'a>(&'a self, id: &'a str) -> ItemCode<'a> {
        ItemCode {
            ability: self.ability,
            condition: self.condition,
            split: &self.split,
            id,
        }
    }
}

impl<'a> Appender<'a> {
    /// Starts an empty table in which names of the same model are merged by the catalog.
    pub fn new(catalog: Arc<Catalog>, on_progress: &'a mut OnProgress<'a>) -> Self {
        let memory = Memory {
            spellings: Spellings::new(catalog),
            ..Memory::default()
        };
        Self::with(TableBuilder::default(), memory, on_progress)
    }

    fn with(builder: TableBuilder, memory: Memory, on_progress: &'a mut OnProgress<'a>) -> Self {
        Self {
            on_progress,
            memory,
            unit: 0,
            path: PathBuf::new(),
            run: None,
            paths: Vec::new(),
            repeats: Repeats::default(),
            conflicts: 0,
            outside: Vec::new(),
            scales: Scales::default(),
            is_rescaling: false,
            problems: builder
                .sources()
                .iter()
                .map(|source| source.problems.len())
                .sum(),
            alike: SimilarProblems::default(),
            left_out: builder.left_out(),
            again: None,
            last_line: 0,
            stale: false,
            scored: ScoreOrigins::default(),
            builder,
        }
    }

    /// Continues with the table and the state returned by [`Self::pause`].
    pub fn resume(table: &Table, kept: LoadState, on_progress: &'a mut OnProgress<'a>) -> Self {
        Self::with(
            TableBuilder::resume(table, kept.index),
            kept.memory,
            on_progress,
        )
    }

    /// Keeps logs that repeat each other separate. `paths` are the paths given by the user.
    pub fn keep_apart(&mut self, paths: &[PathBuf]) {
        self.memory.apart = true;
        self.paths = paths.to_vec();
    }

    /// Returns the table, and the state for [`Self::resume`].
    pub fn pause(mut self) -> (Table, LoadState) {
        if self.memory.apart && !self.paths.is_empty() {
            self.split_into_runs();
        }
        let (table, index) = self.builder.pause();
        let memory = self.memory;
        (table, LoadState { index, memory })
    }

    /// Returns true if reading everything again could give another result. A record of an earlier
    /// log may have replaced a later one, or an incomplete line was misread.
    pub const fn is_stale(&self) -> bool {
        self.stale
    }

    /// Returns the hasher of questions. All logs of a load share it, so that equal questions have
    /// equal hashes.
    pub fn hasher(&self) -> DefaultHashBuilder {
        self.memory.hasher.clone()
    }

    /// Starts a log and returns its index among the sources.
    pub fn begin(&mut self, unit: &Unit) -> u32 {
        self.unit = self.builder.source(Source {
            path: unit.path.clone(),
            format: unit.format,
            superseded: unit.superseded,
            root: unit.root,
            run: RunName {
                model: unit.model.clone(),
                dataset: unit.dataset.clone(),
                run: unit.run.clone(),
            },
            companions: unit.companions.clone(),
            image_roots: unit.image_roots.clone(),
            store: reader::copy_of(&unit.path).map_or(Store::Log, Store::Copy),
            ..Source::default()
        });
        self.enter(unit);
        if let Some(what) = &unit.problem {
            self.problem(Problem::file(&unit.path, what));
        }
        self.unit
    }

    /// Continues a log that has grown; returns the start position.
    pub fn begin_again(&mut self, unit: &Unit, source: u32) -> Option<Position> {
        let end = self.memory.ends.get(&source).copied()?;
        self.unit = source;
        self.enter(unit);
        self.again = end.gave.then_some(end.at.line);
        self.scored = self.memory.scored.remove(&source).unwrap_or_default();
        self.scales = self.memory.scales.remove(&source).unwrap_or_default();
        let source = self.source();
        let before = |problem: &Problem| problem.line.is_none_or(|line| line < end.at.line);
        source.problems.retain(before);
        if unit.format != own::FORMAT {
            let store = source.store.clone();
            if let Err(error) = self.memory.text.resume(&store) {
                self.problem(lost(&unit.path, None, &error));
                return None;
            }
        }
        Some(end.at)
    }

    fn enter(&mut self, unit: &Unit) {
        self.run.clone_from(&unit.run);
        self.path.clone_from(&unit.path);
        self.conflicts = 0;
        self.alike = SimilarProblems::default();
        self.last_line = 0;
    }

    /// Ends the current log.
    pub fn end(&mut self, unit: &Unit) {
        self.stale |= self.again.take().is_some();
        self.is_rescaling = false;
        let named = Limit::Conflicts.get();
        if self.conflicts > named {
            let more = self.conflicts - named;
            let what = format!("{more} more samples differ from those in an earlier log");
            self.problem(Problem::file(&unit.path, what));
        }
        let left_out = self.builder.left_out();
        for what in left_out.since(std::mem::replace(&mut self.left_out, left_out)) {
            self.problem(Problem::file(&unit.path, what));
        }
        let scored = std::mem::take(&mut self.scored);
        let scales = std::mem::take(&mut self.scales);
        let words = scored.words().map(|words| ("scores", words));
        if self.memory.ends.contains_key(&self.unit) {
            self.memory.scored.insert(self.unit, scored);
            self.memory.scales.insert(self.unit, scales);
        }
        let alike = std::mem::take(&mut self.alike);
        let source = self.source();
        alike.join(&mut source.problems);
        source.settings.extend(words);
        self.report_outside();
        let source = self.source();
        // Threads report bad lines in any order, and before conflicts.
        source.problems.sort_by_key(|problem| problem.line);
        if unit.format == own::FORMAT {
            return;
        }
        match self.memory.text.finish() {
            Ok(store) => self.source().store = store,
            Err(error) => self.problem(lost(&unit.path, None, &error)),
        }
    }

    /// Adds content of the current log. Returns `Break` to stop the load.
    pub fn take(&mut self, found: &mut LogElement) -> ControlFlow<()> {
        match found {
            LogElement::Rows(rows) if self.is_rescaling => self.rescale(rows),
            LogElement::Done(_) if self.is_rescaling => {
                return (self.on_progress)(&self.builder, 0);
            }
            _ if self.is_rescaling => {}
            LogElement::Rows(rows) => self.rows(rows),
            LogElement::Problems(problems) => {
                for problem in std::mem::take(problems) {
                    self.problem(problem);
                }
            }
            LogElement::Published(score, line) => self.published(score, *line),
            LogElement::Settings(settings) => self.source().settings.append(settings),
            LogElement::Entries(count) => self.source().entries = Some(*count),
            LogElement::RunTold(run) => self.source().told.push(std::mem::take(run)),
            LogElement::Unfinished(line) => self.unfinished(*line),
            LogElement::Stopped(at) => {
                let gave = self.last_line == at.line;
                // A copied log does not grow together with the original.
                if !matches!(self.source().store, Store::Copy(_)) {
                    self.memory.ends.insert(self.unit, End { at: *at, gave });
                }
            }
            LogElement::Done(bytes) => return (self.on_progress)(&self.builder, *bytes),
        }
        ControlFlow::Continue(())
    }

    fn source(&mut self) -> &mut Source {
        self.builder.source_mut(self.unit)
    }

    fn rows(&mut self, rows: &mut Rows) {
        for row in &rows.records {
            let context = &rows.contexts[row.context as usize];
            self.count_scale(context, row.scores.box_scale);
        }
        let codes: Vec<Option<Codes>> = rows.contexts.iter().map(|it| self.codes(it)).collect();
        for mut row in std::mem::take(&mut rows.records) {
            match &codes[row.context as usize] {
                Some(codes) => self.row(rows, &mut row, codes),
                None => self.bad_line(
                    row.line,
                    "too many models, abilities, conditions or metrics",
                ),
            }
        }
    }

    fn codes(&mut self, context: &Context) -> Option<Codes> {
        let [harness, strict] = &context.metrics;
        // In a converted log, the name of the run is among the conditions.
        let mut condition = context.condition.clone();
        let told = condition.remove(RUN).map(|run| run.to_string());
        let run = told.or_else(|| self.run.clone());
        // Answers in different splits are not repetitions of a sample.
        let split = condition.remove(SPLIT).map(|split| split.to_string());
        let split = split.unwrap_or_else(|| context.split.clone());
        let benchmark = &context.ability.benchmark;
        self.tell_case(NameKind::Ability(benchmark.clone()), &context.ability.name);
        self.tell_case(NameKind::Model, &context.model);
        self.tell_case(NameKind::Metric(benchmark.clone()), harness);
        let model = self.run_code(&context.model, benchmark, run.as_ref())?;
        let first = *self.memory.first.entry(model).or_insert(self.unit);
        if let Some(direction) = context.direction
            && !(self.builder).state_direction(harness, direction, Basis::Log)
        {
            let what = format!(
                "`{harness}`: {} is better according to a log, but another log or the user states \
                 the opposite; the first one counts",
                direction.name()
            );
            let problem = Problem::file(&self.path, what);
            if !self.source().problems.contains(&problem) {
                self.problem(problem);
            }
        }
        let builder = &mut self.builder;
        Some(Codes {
            ability: builder.ability(&context.ability)?,
            may_repeat: self.memory.apart && first != self.unit,
            model,
            condition: builder.condition(&condition)?,
            split,
            metrics: [builder.metric(harness)?, builder.metric(strict)?],
            range: builder.range_of(harness),
        })
    }

    fn row(&mut self, rows: &Rows, row: &mut Row, codes: &Codes) {
        let id = rows.id(row);
        if let Some(what) = self.builder.no_room_for(id) {
            return self.bad_line(row.line, what);
        }
        let item = self.builder.item_of(codes.item(id), row.asked);
        if item.new
            && let Err(what) = self.describe(rows, row, codes)
        {
            return self.bad_line(row.line, what);
        }
        self.conflict(row, id, item.asked);
        match self.place(rows, row, item.id) {
            Ok(place) => self.push(row, item.id, codes, place),
            Err(error) => self.problem(lost(&self.path, Some(row.line), &error)),
        }
    }

    /// Returns the name of a model in the table. Also returns a run if another name of the model
    /// answered the same benchmark. Adds the facts in the catalog.
    fn named(&mut self, spelling: &str, meant: NameMeaning) -> (String, Option<String>) {
        let (name, run) = match meant {
            NameMeaning::Itself => (spelling.to_owned(), None),
            NameMeaning::Other(name) => (name, None),
            NameMeaning::Run(name) => (name, Some(spelling.to_owned())),
        };
        if name != spelling {
            self.builder.add_spelling(&name, spelling);
        }
        if !self.builder.is_known(&name)
            && let Some(facts) = self.memory.spellings.catalog().facts(&name)
        {
            self.builder.set_facts(&name, facts.clone());
        }
        (name, run)
    }

    /// Stores the question of a new sample.
    ///
    /// # Errors
    /// If the line is invalid. The question is then empty.
    fn describe(&mut self, rows: &Rows, row: &Row, codes: &Codes) -> Result<(), String> {
        let content = match &row.content {
            None => parse_asked(rows.part(&row.text)),
            Some(packed) => text::unpack_content(rows.part(&packed.bytes))
                .map_err(|error| format!("the sample's text cannot be stored: {error}")),
        };
        let (mut told, outcome) = match content {
            Ok(content) => (content, Ok(())),
            Err(what) => (Content::default(), Err(what)),
        };
        if !codes.split.is_empty() {
            let split = Value::from(codes.split.as_str());
            told.tags.insert(SPLIT.to_owned(), split);
        }
        let image = told.images.first().map(|image| match image {
            ImageRef::Path(text) | ImageRef::Inline(text) | ImageRef::Url(text) => {
                self.memory.hasher.hash_one(text)
            }
            ImageRef::Cell { file, offset, .. } => self.memory.hasher.hash_one((file, offset)),
        });
        let of_log = row.log_picture.map(|it| self.memory.hasher.hash_one(it));
        let image = of_log.or(image);
        let ability = self.builder.ability_name(codes.ability);
        let target = target_number(&told, ability);
        self.builder.describe(&told, image, target);
        outcome
    }

    /// Returns where the text of a row can be read. Stores the text first if needed.
    fn place(&mut self, rows: &Rows, row: &Row, item: ItemId) -> io::Result<RecordPosition> {
        let (offset, length) = match &row.content {
            Some(packed) => (self.memory.text).keep(rows, row, packed, item, self.unit)?,
            None => (
                rows.offset + u64::from(row.text.start),
                row.text.end - row.text.start,
            ),
        };
        Ok(RecordPosition {
            unit: self.unit,
            offset,
            length,
            line: u32::try_from(row.line).unwrap_or(u32::MAX),
        })
    }

    /// Returns the code of a row's model. If the row repeats an answer in another log, this is the
    /// code of a separate run.
    fn model(&mut self, item: ItemId, codes: &Codes) -> ModelId {
        let model = codes.model;
        if !codes.may_repeat {
            return model;
        }
        let code = (self.repeats).code(&mut self.builder, item, model, self.unit);
        // The rows read earlier must become a run too, so everything must be read again.
        self.stale |= code != model && self.paths.is_empty();
        code
    }

    fn push(&mut self, row: &mut Row, item: ItemId, codes: &Codes, place: RecordPosition) {
        let scores = row.scores;
        let model = self.model(item, codes);
        let prediction = prediction(row, model, codes, place);
        let beside = scores.other_scores(&row.beside);
        let with_code = |(name, score): (&str, f64)| Some((self.builder.metric(name)?, score));
        let beside: Vec<(u16, f64)> = beside.filter_map(with_code).collect();
        if row.scored {
            self.scored.add_given();
        } else {
            self.scored.add_read(scores.rule);
        }
        let duplicate = self.builder.push(item, &prediction, &beside);
        if let Some(detections) = row.detections.take() {
            self.builder.keep(item, model, *detections);
        }
        self.builder
            .set_usage(item, model, row.usage.as_deref().copied());
        self.last_line = row.line;
        if let Some(Duplicate { earlier }) = duplicate
            && (earlier.unit, earlier.line) == (self.unit, place.line)
            && self.again == Some(row.line)
        {
            // This is the same record, read again because its line may have been incomplete.
            self.again = None;
            return;
        }
        self.source().rows += 1;
        self.count_outside(codes, scores.score, row.line);
        if let Some(Duplicate { earlier }) = duplicate {
            self.stale |= earlier.unit > self.unit;
            let path = base::format::path(&self.builder.source_mut(earlier.unit).path);
            let what = format!(
                "the same sample, model and condition as {path}:{}; only the last one counts",
                earlier.line
            );
            self.note(u64::from(place.line), what);
        }
    }

    /// Reports a record whose question differs from the first question of its item.
    fn conflict(&mut self, row: &Row, id: &str, first: RequestFingerprint) {
        let apart = first.known_differences(row.asked);
        if apart.is_none() {
            return;
        }
        self.conflicts += 1;
        if self.conflicts <= Limit::Conflicts.get() {
            let what = format!(
                "sample {id} differs from the sample with this id in an earlier log: another {}",
                apart.words()
            );
            self.note(row.line, what);
        }
    }

    fn unfinished(&mut self, line: u64) {
        for problem in &mut self.source().problems {
            problem.pending |= problem.line == Some(line);
        }
    }
}

fn prediction(row: &Row, model: ModelId, codes: &Codes, place: RecordPosition) -> Prediction {
    let scores = row.scores;
    Prediction {
        model,
        metric: codes.metrics[0],
        strict_metric: codes.metrics[1],
        score: scores.score,
        strict: scores.strict,
        second: scores.second,
        strict_second: scores.strict_second,
        flags: scores.flags,
        rule: scores.rule,
        asked: row.asked,
        answer: row.answer,
        place,
    }
}

/// Returns the problem for a text that cannot be stored. `line` is `None` for a whole log.
fn lost(path: &std::path::Path, line: Option<u64>, error: &io::Error) -> Problem {
    Problem {
        line,
        ..Problem::file(path, format!("the sample's text cannot be stored: {error}"))
    }
}
