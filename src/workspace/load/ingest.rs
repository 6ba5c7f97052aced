//! Takes what readers find, scores it by both rules, and fills the table.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::{DefaultHashBuilder, HashMap};

use super::spool::Spool;
use super::{detections, masks, published};
use reader::own::{Chunk, Given, RawRow, RowContext, parse_asked, parse_record, write_record};
use reader::{Position, Sink, Unit, own};
use record::{
    Ability, AbilityId, Asked, Content, Duplicate, INVALID, ImageRef, Index, ItemId, Labels,
    ModelId, Place, Prediction, Problem, Published, Record, Rule, STRICT_INVALID, Settings, Source,
    Store, Table, TableBuilder, Target, UNCOMPARED,
};
use scorer::Outcome;

/// Problems that are kept for one log; the rest is counted.
const MOST_PROBLEMS: usize = 10_000;
/// Samples of one log that are named because they ask something else than in the log before.
const MOST_CONFLICTS: u64 = 20;

/// What `progress` tells.
pub type OnProgress<'a> = dyn FnMut(&TableBuilder, u64) -> ControlFlow<()> + 'a;

/// The sink that fills a table.
pub struct Ingest<'a> {
    /// The table so far.
    pub builder: TableBuilder,
    on_progress: &'a mut OnProgress<'a>,
    hasher: DefaultHashBuilder,
    published: HashMap<published::Key, (f64, String)>,
    unit: u32,
    benchmark: String,
    spool: Spool,
    conflicts: u64,
    /// Where the reading of the logs stopped that can be read on.
    ends: HashMap<u32, End>,
    /// The line that was read before, while half of it may have been written.
    again: Option<u64>,
    /// The line of the last record.
    last_line: u64,
    stale: bool,
    scored: Scored,
    /// What the record at hand asks.
    asked: Asked,
}

/// Where the scores of a log come from.
#[derive(Clone, Debug, Default)]
struct Scored {
    /// Some stand in the log.
    given: bool,
    /// What reads responses that have no score there.
    read: BTreeSet<&'static str>,
}

impl Scored {
    fn add(&mut self, record: &Record) {
        self.given |= record.stored.is_some();
        if record.stored.is_none() && !matches!(record.rule, Rule::Stored | Rule::Precomputed) {
            self.read.insert(record.rule.words());
        }
    }

    fn words(&self) -> Option<String> {
        let rules: Vec<&str> = self.read.iter().copied().collect();
        let rules = rules.join(" or ");
        match (self.given, rules.is_empty()) {
            (false, true) => None,
            (true, true) => Some("the log's own".to_owned()),
            (false, false) => Some(format!("responses read by {rules}")),
            (true, false) => Some(format!("the log's own, else responses read by {rules}")),
        }
    }
}

/// What is kept of a load so that it can go on.
#[derive(Debug, Default)]
pub struct Kept {
    index: Index,
    hasher: DefaultHashBuilder,
    published: HashMap<published::Key, (f64, String)>,
    ends: HashMap<u32, End>,
}

impl Kept {
    /// Where the reading of a log stopped, if it can be read on.
    pub fn end(&self, source: u32) -> Option<Position> {
        self.ends.get(&source).map(|end| end.at)
    }
}

/// Where the reading of a log stopped.
#[derive(Clone, Copy, Debug)]
struct End {
    at: Position,
    /// Whether the line that begins there gave a record: one without a line break can be whole.
    gave: bool,
}

/// The codes of what neighbouring rows share.
#[derive(Clone, Copy)]
struct Codes {
    ability: AbilityId,
    model: ModelId,
    condition: u16,
    /// `None`: the line must be understood to know it.
    metric: Option<u16>,
}

impl<'a> Ingest<'a> {
    /// An empty table; `on_progress` is told the bytes that are done and can stop the load.
    pub fn new(on_progress: &'a mut OnProgress<'a>) -> Self {
        Self {
            builder: TableBuilder::default(),
            on_progress,
            hasher: DefaultHashBuilder::default(),
            published: HashMap::new(),
            unit: 0,
            benchmark: String::new(),
            spool: Spool::default(),
            conflicts: 0,
            ends: HashMap::new(),
            again: None,
            last_line: 0,
            stale: false,
            scored: Scored::default(),
            asked: Asked::default(),
        }
    }

    /// Goes on where [`Self::pause`] gave this table and what it kept.
    pub fn resume(table: &Table, kept: Kept, on_progress: &'a mut OnProgress<'a>) -> Self {
        Self {
            builder: TableBuilder::resume(table, kept.index),
            hasher: kept.hasher,
            published: kept.published,
            ends: kept.ends,
            ..Self::new(on_progress)
        }
    }

    /// The table, and what [`Self::resume`] needs.
    pub fn pause(self) -> (Table, Kept) {
        let (table, index) = self.builder.pause();
        let kept = Kept {
            index,
            hasher: self.hasher,
            published: self.published,
            ends: self.ends,
        };
        (table, kept)
    }

    /// Whether what was read on is not what reading everything anew would give: a record of an earlier log
    /// overrules one of a later log, or half a line was taken for a record that there is not.
    pub const fn is_stale(&self) -> bool {
        self.stale
    }

    /// Goes on with a log that has grown; gives where.
    pub fn begin_again(&mut self, unit: &Unit, source: u32) -> Option<Position> {
        let end = self.ends.get(&source).copied()?;
        self.benchmark = unit.dataset.clone().unwrap_or_default();
        self.conflicts = 0;
        self.unit = source;
        self.last_line = 0;
        self.again = end.gave.then_some(end.at.line);
        let source = self.source()?;
        let before = |problem: &Problem| problem.line.is_none_or(|line| line < end.at.line);
        source.problems.retain(before);
        if unit.format != own::FORMAT {
            let resumed = Spool::resume(&source.store);
            match resumed {
                Ok(spool) => self.spool = spool,
                Err(error) => {
                    self.problem(Problem::file(
                        &unit.path,
                        format!("its text cannot be kept: {error}"),
                    ));
                    return None;
                }
            }
        }
        Some(end.at)
    }

    /// Adds a log, which the next records come from; gives its index among the sources.
    pub fn begin(&mut self, unit: &Unit) -> u32 {
        self.benchmark = unit.dataset.clone().unwrap_or_default();
        self.conflicts = 0;
        self.last_line = 0;
        self.scored = Scored::default();
        self.unit = self.builder.source(Source {
            path: unit.path.clone(),
            format: unit.format,
            superseded: unit.superseded,
            image_roots: unit.image_roots.clone(),
            ..Source::default()
        });
        self.unit
    }

    /// The log is done.
    pub fn end(&mut self, unit: &Unit) {
        self.stale |= self.again.take().is_some();
        if self.conflicts > MOST_CONFLICTS {
            let more = self.conflicts - MOST_CONFLICTS;
            self.problem(Problem::file(
                &unit.path,
                format!("{more} more samples ask something else than in the log before"),
            ));
        }
        let told = self.scored.words().map(|words| ("scores", words));
        if let Some(source) = self.source() {
            source.settings.extend(told);
            // Bad lines are found by several threads, and before conflicts are.
            source.problems.sort_by_key(|problem| problem.line);
        }
        if unit.format == own::FORMAT {
            return;
        }
        let store = std::mem::take(&mut self.spool).finish();
        match (store, self.builder.source_mut(self.unit)) {
            (Ok(store), Some(source)) => source.store = store,
            (Err(error), _) => self.problem(Problem::file(
                &unit.path,
                format!("its text cannot be kept: {error}"),
            )),
            _ => {}
        }
    }

    fn source(&mut self) -> Option<&mut Source> {
        self.builder.source_mut(self.unit)
    }

    fn codes(&mut self, context: &RowContext) -> Option<Codes> {
        let benchmark = context
            .benchmark
            .clone()
            .unwrap_or_else(|| self.benchmark.clone());
        let condition = if context.condition.is_empty() {
            Labels::new()
        } else {
            own::labels(Some(&context.condition), "condition").ok()?
        };
        Some(Codes {
            ability: self.builder.ability(&Ability {
                benchmark,
                name: context.ability.clone(),
            })?,
            model: self.builder.model(&context.model)?,
            condition: self.builder.condition(&condition)?,
            metric: context
                .metric
                .as_ref()
                .and_then(|metric| self.builder.metric(metric)),
        })
    }

    fn row(&mut self, unit: &Unit, chunk: &Chunk, row: &RawRow, codes: Codes) {
        let number = chunk.first_line + u64::from(row.line);
        let place = Place {
            unit: self.unit,
            offset: chunk.offset + u64::from(row.start),
            length: row.length,
            line: u32::try_from(number).unwrap_or(u32::MAX),
        };
        let item = self
            .builder
            .item(codes.ability, codes.condition, chunk.id(row), row.asked);
        self.asked = row.asked;
        self.conflict(unit, number, chunk.id(row), item.asked);
        let (Given::Score { score, invalid }, Some(metric)) = (row.given, codes.metric) else {
            return self.whole(unit, chunk.line(row), item.id, item.new, codes, place);
        };
        if item.new && !self.asked(unit, chunk, row) {
            return;
        }
        self.scored.given = true;
        let flags = if invalid { INVALID | STRICT_INVALID } else { 0 };
        self.push(
            unit,
            item.id,
            &stored(codes.model, metric, score, flags, place),
            &[],
        );
    }

    /// Tells what a new sample asks; false when its line is bad.
    fn asked(&mut self, unit: &Unit, chunk: &Chunk, row: &RawRow) -> bool {
        let asked = parse_asked(chunk.line(row));
        let ability = chunk
            .contexts
            .get(row.context as usize)
            .map_or("", |context| context.ability.as_str());
        self.describe(asked.as_ref().unwrap_or(&Content::default()), ability);
        let Err(what) = asked else { return true };
        self.problem(Problem::line(
            &unit.path,
            chunk.first_line + u64::from(row.line),
            what,
        ));
        false
    }

    /// A row whose line must be understood: one without a score.
    fn whole(
        &mut self,
        unit: &Unit,
        line: &[u8],
        item: ItemId,
        new: bool,
        codes: Codes,
        place: Place,
    ) {
        let record = match parse_record(line, &self.benchmark) {
            Ok(record) => record,
            Err(what) => {
                if new {
                    self.builder.describe(&Content::default(), None, f64::NAN);
                }
                return self.problem(Problem::line(&unit.path, u64::from(place.line), what));
            }
        };
        if new {
            self.describe(&record.content, &record.ability);
        }
        self.predict(unit, item, codes.model, &record, place);
    }

    fn describe(&mut self, content: &Content, ability: &str) {
        let image = content.images.first().map(|image| match image {
            ImageRef::Path(text) | ImageRef::Inline(text) | ImageRef::Url(text) => {
                self.hasher.hash_one(text)
            }
            ImageRef::Cell { file, offset, .. } => self.hasher.hash_one((file, offset)),
        });
        self.builder
            .describe(content, image, target_number(content, ability));
    }

    fn predict(
        &mut self,
        unit: &Unit,
        item: ItemId,
        model: ModelId,
        record: &Record,
        place: Place,
    ) {
        self.scored.add(record);
        let Some(prediction) = self.prediction(model, record, place) else {
            return self.problem(Problem::line(
                &unit.path,
                u64::from(place.line),
                "too many metrics",
            ));
        };
        let scores = record.beside.iter();
        let coded = |(name, score): &(String, f64)| Some((self.builder.metric(name)?, *score));
        let beside: Vec<(u16, f64)> = scores.filter_map(coded).collect();
        self.push(unit, item, &prediction, &beside);
    }

    fn prediction(&mut self, model: ModelId, record: &Record, place: Place) -> Option<Prediction> {
        let judged = scorer::judge(record);
        let (by_harness, strictly) = (judged.harness.outcome, judged.strict.outcome);
        let number = |score: Option<f64>| score.unwrap_or(f64::NAN);
        let uncompared = if judged.compared { 0 } else { UNCOMPARED };
        Some(Prediction {
            model,
            metric: self.builder.metric(&judged.harness.metric)?,
            strict_metric: self.builder.metric(&judged.strict.metric)?,
            score: number(by_harness.score),
            strict: number(strictly.score),
            second: number(by_harness.second),
            strict_second: number(strictly.second),
            flags: flags(&by_harness, &strictly) | judged.readings.flag() | uncompared,
            rule: record.rule,
            asked: self.asked,
            place,
        })
    }

    fn push(&mut self, unit: &Unit, item: ItemId, prediction: &Prediction, beside: &[(u16, f64)]) {
        let mut prediction = *prediction;
        prediction.asked = self.asked;
        let duplicate = self.builder.push(item, &prediction, beside);
        let line = u64::from(prediction.place.line);
        if let Some(Duplicate { earlier }) = duplicate
            && (earlier.unit, earlier.line) == (self.unit, prediction.place.line)
            && self.again == Some(line)
        {
            // The same record, read again now that its line may be whole.
            self.again = None;
            self.last_line = line;
            return;
        }
        self.last_line = line;
        if let Some(source) = self.source() {
            source.rows += 1;
        }
        if let Some(Duplicate { earlier }) = duplicate {
            self.stale |= earlier.unit > self.unit;
            let path = self
                .builder
                .source_mut(earlier.unit)
                .map(|source| source.path.display().to_string());
            let what = format!(
                "the same sample, model and condition as {}:{}, which no longer counts",
                path.unwrap_or_default(),
                earlier.line
            );
            self.problem(Problem::line(
                &unit.path,
                u64::from(prediction.place.line),
                what,
            ));
        }
    }

    /// What a record asks. Pictures go by their names, as the same ones lie elsewhere on another machine.
    fn asked_in(&self, content: &Content) -> Asked {
        let hash = |text: String| self.hasher.hash_one(text);
        let name = |image: &ImageRef| match image {
            ImageRef::Path(path) => path
                .rsplit(['/', '\\'])
                .next()
                .unwrap_or_default()
                .to_owned(),
            ImageRef::Inline(text) | ImageRef::Url(text) => text.clone(),
            ImageRef::Cell { .. } => String::new(),
        };
        let names: Vec<String> = content.images.iter().map(name).collect();
        Asked::new([
            hash(content.question.clone()),
            hash(format!("{:?}", content.choices)),
            hash(
                content
                    .target
                    .as_ref()
                    .map(Target::to_string)
                    .unwrap_or_default(),
            ),
            hash(names.join("\n")),
        ])
    }

    /// Tells of a record that asks something else than the first one of its item.
    fn conflict(&mut self, unit: &Unit, line: u64, id: &str, first: Asked) {
        let apart = first.apart(self.asked);
        if apart.is_none() {
            return;
        }
        self.conflicts += 1;
        if self.conflicts <= MOST_CONFLICTS {
            let what = format!(
                "{id} asks something else here than in the log before: another {}",
                apart.words()
            );
            self.problem(Problem::line(&unit.path, line, what));
        }
    }
}

impl Sink for Ingest<'_> {
    fn record(&mut self, mut record: Record, line: u64) {
        let unit = Unit {
            path: self
                .source()
                .map(|source| source.path.clone())
                .unwrap_or_default(),
            ..Unit::default()
        };
        if let Some(what) = nameless(&record) {
            return self.problem(Problem::line(&unit.path, line, what));
        }
        detections::describe(&mut record);
        masks::describe(&mut record);
        let text = write_record(&record);
        let offset = match self.spool.push(&text) {
            Ok(offset) => offset,
            Err(error) => {
                return self.problem(Problem::line(
                    &unit.path,
                    line,
                    format!("its text cannot be kept: {error}"),
                ));
            }
        };
        let place = Place {
            unit: self.unit,
            offset,
            length: u32::try_from(text.len()).unwrap_or(u32::MAX),
            line: u32::try_from(line).unwrap_or(u32::MAX),
        };
        let context = RowContext {
            benchmark: Some(record.benchmark.clone()),
            ability: record.ability.clone(),
            model: record.model.clone(),
            ..RowContext::default()
        };
        let codes = self.codes(&context).and_then(|codes| {
            Some(Codes {
                condition: self.builder.condition(&record.condition)?,
                ..codes
            })
        });
        let Some(codes) = codes else {
            return self.problem(Problem::line(
                &unit.path,
                line,
                "too many models, abilities or conditions",
            ));
        };
        let asked = self.asked_in(&record.content);
        let item = self
            .builder
            .item(codes.ability, codes.condition, &record.sample_id, asked);
        self.asked = asked;
        if item.new {
            self.describe(&record.content, &record.ability);
        }
        self.conflict(&unit, line, &record.sample_id, item.asked);
        self.predict(&unit, item.id, codes.model, &record, place);
        if let Some(detections) = record.detections {
            self.builder.keep(item.id, codes.model, detections);
        }
    }

    fn problem(&mut self, problem: Problem) {
        if let Some(source) = self.source() {
            if source.problems.len() < MOST_PROBLEMS {
                source.problems.push(problem);
            } else {
                source.more_problems += 1;
            }
        }
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        (self.on_progress)(&self.builder, bytes)
    }

    fn chunk(&mut self, unit: &Unit, chunk: &Chunk) {
        let codes: Vec<Option<Codes>> = chunk
            .contexts
            .iter()
            .map(|context| self.codes(context))
            .collect();
        for row in &chunk.rows {
            if let Some(codes) = codes.get(row.context as usize).copied().flatten() {
                self.row(unit, chunk, row, codes);
            } else {
                let number = chunk.first_line + u64::from(row.line);
                let what = "`condition` must be an object, or there are too many models, abilities or conditions";
                self.problem(Problem::line(&unit.path, number, what));
            }
        }
        for (number, what) in &chunk.problems {
            self.problem(Problem::line(&unit.path, *number, what.clone()));
        }
    }

    fn published(&mut self, score: Published, line: u64) {
        let key = published::key(&score);
        let path = self
            .source()
            .map(|source| source.path.clone())
            .unwrap_or_default();
        let place = format!("table {} ({}:{line})", score.table, path.display());
        if let Some((known, earlier)) = self.published.get(&key) {
            if (known - score.score).abs() > f64::EPSILON {
                let what = format!(
                    "{} of {} is {} here and {known} in {earlier}",
                    key.what(),
                    score.model,
                    score.score
                );
                self.problem(Problem::line(&path, line, what));
            }
            return;
        }
        self.published.insert(key, (score.score, place));
        if let Some(source) = self.source().filter(|_| !score.by_harness) {
            source.rows += 1;
        }
        self.builder.publish(score);
    }

    fn unfinished(&mut self, _file: &Path, line: u64) {
        if let Some(source) = self.source() {
            for problem in source
                .problems
                .iter_mut()
                .filter(|problem| problem.line == Some(line))
            {
                problem.pending = true;
            }
        }
    }

    fn stopped(&mut self, at: Position) {
        let gave = self.last_line == at.line;
        self.ends.insert(self.unit, End { at, gave });
    }

    fn settings(&mut self, settings: Settings) {
        if let Some(source) = self.source() {
            source.settings.extend(settings);
        }
    }

    fn content_hasher(&self) -> DefaultHashBuilder {
        self.hasher.clone()
    }
}

/// What is wrong with a record that cannot be named.
fn nameless(record: &Record) -> Option<&'static str> {
    [
        (&record.sample_id, "the sample has an empty id"),
        (&record.model, "the model has no name"),
        (&record.ability, "the ability has no name"),
    ]
    .into_iter()
    .find_map(|(name, what)| name.is_empty().then_some(what))
}

/// A prediction whose score its log carries, for both rules.
fn stored(model: ModelId, metric: u16, score: f64, flags: u8, place: Place) -> Prediction {
    Prediction {
        model,
        metric,
        strict_metric: metric,
        score,
        strict: score,
        second: f64::NAN,
        strict_second: f64::NAN,
        flags: flags | UNCOMPARED,
        rule: Rule::Unstated,
        asked: Asked::default(),
        place,
    }
}

fn flags(by_harness: &Outcome, strictly: &Outcome) -> u8 {
    (u8::from(by_harness.invalid) * INVALID) | (u8::from(strictly.invalid) * STRICT_INVALID)
}

/// The target as a number, by which an error over the target becomes an error again.
fn target_number(content: &Content, ability: &str) -> f64 {
    match &content.target {
        Some(Target::Number(number)) => *number,
        Some(Target::Text(_)) => {
            let tag = match ability {
                "counting" => "count",
                "absolute_depth" => "depth_m",
                _ => return f64::NAN,
            };
            content
                .tags
                .get(tag)
                .and_then(record::Value::number)
                .unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// The store that a unit's lines are fetched from before it is done.
#[must_use]
pub fn is_fetchable(source: &Source) -> bool {
    !matches!(&source.store, Store::Log if source.format != own::FORMAT)
}
