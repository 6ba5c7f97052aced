//! Evaluates filters. Each term tests items or predictions; the results are combined per
//! prediction.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use super::ids::Ids;
use super::keys::keys;
use super::models;
use super::nearest::{closest_name, nearest};
use super::others::{self, Others, name_and_cut};
use super::published;
use super::scorers::{self, RuleComparison};
use super::text::scan_responses;
use super::{Comparison, Filter, FilterError, Leaf};
use crate::automatic_tags::read_for;
use crate::known_rules::differing;
use crate::page::Correctness;
use analysis::metric::detection::{Cause, causes};
use analysis::scorers::Rules;
use analysis::{ItemStatistics, Selection, item_statistics};
use record::verdict::Verdict;
use record::{ItemId, Row, Scoring, Table, TagColumn, Value};

/// Message for an invalid value of the key `verdict`.
const VERDICTS_WANTED: &str = "expected ok, wrong_label, ambiguous, bad_image, any or none";

/// Evaluates a filter on a table.
pub struct Evaluator<'a> {
    text: &'a str,
    pub(super) table: &'a Table,
    pub(super) scoring: Scoring,
}

/// Result of a term: one flag per prediction or per item.
pub(super) enum MatchFlags {
    /// One flag per prediction.
    Predictions(Vec<bool>),
    /// One flag per item.
    Items(Vec<bool>),
}

pub(super) type Outcome = Result<MatchFlags, FilterError>;

impl<'a> Evaluator<'a> {
    /// Creates an evaluator of a filter text under a scoring rule.
    pub const fn new(text: &'a str, table: &'a Table, scoring: Scoring) -> Self {
        Self {
            text,
            table,
            scoring,
        }
    }

    /// Returns one flag per prediction.
    pub fn mask(&self, filter: &Filter) -> Result<Vec<bool>, FilterError> {
        self.mask_among(filter, None)
    }

    /// Returns one flag per prediction. Only the flags of rows in `among` are valid, and terms that
    /// read logs read only these rows.
    fn mask_among(
        &self,
        filter: &Filter,
        among: Option<&[bool]>,
    ) -> Result<Vec<bool>, FilterError> {
        Ok(match filter {
            Filter::And(left, right) => {
                let left = self.mask_among(left, among)?;
                let both = match among {
                    Some(among) => join(left, among, |a, b| a && b),
                    None => left,
                };
                let right = self.mask_among(right, Some(&both))?;
                join(right, &both, |a, b| a && b)
            }
            Filter::Or(left, right) => {
                let right = self.mask_among(right, among)?;
                join(self.mask_among(left, among)?, &right, |a, b| a || b)
            }
            Filter::Not(inner) => self
                .mask_among(inner, among)?
                .into_iter()
                .map(|selected| !selected)
                .collect(),
            Filter::Leaf(leaf) => self.lift(self.leaf(leaf, among)?),
        })
    }

    /// Converts flags to one flag per prediction.
    fn lift(&self, selected: MatchFlags) -> Vec<bool> {
        match selected {
            MatchFlags::Predictions(flags) => flags,
            MatchFlags::Items(flags) => self.of_items(&flags),
        }
    }

    fn of_items(&self, flags: &[bool]) -> Vec<bool> {
        let flag = |&item: &u32| flags[item as usize];
        self.table.item_of().iter().map(flag).collect()
    }

    pub(super) fn error(&self, at: &Range<usize>, what: impl Into<String>) -> FilterError {
        FilterError::new(self.text, at.clone(), what)
    }

    fn leaf(&self, leaf: &Leaf, among: Option<&[bool]>) -> Outcome {
        let Some((key, at)) = &leaf.key else {
            return self.bare(leaf);
        };
        match key.as_str() {
            "model" => {
                let found = self.matching_models(leaf)?;
                let models = self.table.model_of();
                Ok(MatchFlags::Predictions(coded(models, &found)))
            }
            "run" => {
                let names = self.table.names();
                let models = names.models.values().iter();
                let runs = models.map(|name| names.plain(name).1.unwrap_or_default().to_owned());
                let found = self.matching(&runs.collect::<Vec<_>>(), leaf)?;
                let models = self.table.model_of();
                Ok(MatchFlags::Predictions(coded(models, &found)))
            }
            "metric" => {
                let names = self.table.names().metrics.values();
                let found = self.matching(names, leaf)?;
                let metrics = self.table.metric_of(self.scoring);
                Ok(MatchFlags::Predictions(coded(metrics, &found)))
            }
            "ability" => self.ability(leaf, |ability| &ability.name),
            "benchmark" => self.ability(leaf, |ability| &ability.benchmark),
            "score" => {
                let wanted = self.number(leaf)?;
                let scores = self.table.scores(self.scoring).iter();
                Ok(MatchFlags::Predictions(
                    scores.map(|score| wanted(*score)).collect(),
                ))
            }
            "invalid" => {
                let wanted = self.flag(leaf)?;
                Ok(self.rows(|row| self.table.invalid(row, self.scoring) == wanted))
            }
            "correct" => {
                let wanted = self.flag(leaf)?;
                let correct = Correctness::new(self.table, self.scoring);
                Ok(self.rows(|row| correct.is_right(row) == Some(wanted)))
            }
            "scorers" => self.scorers(leaf, among),
            "sample" | "sample_id" => self.item_text(leaf, |item| self.table.sample_id(item), true),
            "question" => self.item_text(leaf, |item| self.table.question(item), false),
            "target" => self.target(leaf, among),
            "answer" => self.answer(leaf, among),
            "response" => self.response(leaf, among),
            "source" => self.source(leaf),
            "ids" => self.listed(leaf),
            "verdict" => self.verdict(leaf),
            "cause" => self.cause(leaf),
            "hard" => self.statistic(leaf, |item| item.difficulty),
            "discrimination" => {
                self.statistic(leaf, |item| item.discrimination.unwrap_or(f64::NAN))
            }
            "disagreement" => self.statistic(leaf, ItemStatistics::disagreement),
            key if others::KEYS.contains(&key) => self.other_model(key, leaf),
            key if models::KEYS.contains(&key) && !self.table.has_label(key) => {
                self.of_models(leaf).map(MatchFlags::Predictions)
            }
            key => self.tag_or_condition(key.strip_prefix("tag.").unwrap_or(key), key, at, leaf),
        }
    }

    fn rows(&self, wanted: impl Fn(Row) -> bool) -> MatchFlags {
        let rows = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        MatchFlags::Predictions((0..rows).map(|row| wanted(Row(row))).collect())
    }

    pub(super) fn items(&self, wanted: impl Fn(ItemId) -> bool) -> MatchFlags {
        let items = u32::try_from(self.table.ability_of().len()).unwrap_or(u32::MAX);
        MatchFlags::Items((0..items).map(|item| wanted(ItemId(item))).collect())
    }

    /// Searches question, target and response for a bare word. Also compares it with the ids of
    /// samples.
    fn bare(&self, leaf: &Leaf) -> Outcome {
        let pattern = self.pattern(leaf, false)?;
        let asked = self.items(|item| {
            pattern.matches(self.table.question(item))
                || pattern.matches(self.table.target(item))
                || self.table.sample_id(item).eq_ignore_ascii_case(&leaf.value)
        });
        let rows = (0..u32::try_from(self.table.len()).unwrap_or(u32::MAX)).map(Row);
        let answered = scan_responses(self.table, rows, &pattern);
        Ok(MatchFlags::Predictions(join(
            self.lift(asked),
            &answered,
            |a, b| a || b,
        )))
    }

    fn ability(&self, leaf: &Leaf, part: impl Fn(&record::Ability) -> &String) -> Outcome {
        let names: Vec<String> = self
            .table
            .names()
            .abilities
            .values()
            .iter()
            .map(|ability| part(ability).clone())
            .collect();
        let found = self.matching(&names, leaf)?;
        Ok(MatchFlags::Items(coded(self.table.ability_of(), &found)))
    }

    /// Returns one flag per name that matches. If a name equals the value, names that only contain
    /// the value do not match. Returns an error if no name matches but one is similar: an empty or
    /// full selection would hide the typo.
    pub(super) fn matching(&self, names: &[String], leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        let all = self.all_texts(leaf).map_or(names, Vec::as_slice);
        let exact = all
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&leaf.value));
        let pattern = self.pattern(leaf, exact)?;
        let found = names.iter().map(|name| pattern.matches(name)).collect();
        let known = match leaf.comparison {
            Comparison::Matches => true,
            Comparison::Unequal => exact,
            _ => all.iter().any(|name| pattern.matches(name)),
        };
        let texts = all.iter().map(String::as_str);
        match closest_name(texts.filter(|text| !text.is_empty()), &leaf.value) {
            Some(near) if !known && !self.is_published(leaf) => Err(self.no_such(near, leaf)),
            _ => Ok(found),
        }
    }

    /// Returns all values in the whole data set; `None` if the table contains the whole data set.
    fn all_texts(&self, leaf: &Leaf) -> Option<&'a Vec<String>> {
        let (key, _) = leaf.key.as_ref()?;
        let key = key.strip_prefix("tag.").unwrap_or(key);
        self.table.names().whole.texts.get(key)
    }

    fn no_such(&self, near: &str, leaf: &Leaf) -> FilterError {
        let key = leaf.key.as_ref().map_or("name", |(key, _)| key.as_str());
        let what = if key == "disagree" { "model" } else { key };
        self.error(
            &leaf.at,
            format!("no such {what} `{}`; the nearest is `{near}`", leaf.value),
        )
    }

    fn item_text<'t>(&self, leaf: &Leaf, text: impl Fn(ItemId) -> &'t str, whole: bool) -> Outcome {
        let items = u32::try_from(self.table.ability_of().len()).unwrap_or(u32::MAX);
        let exact = match self.all_texts(leaf) {
            Some(all) => all.contains(&leaf.value),
            None => whole && (0..items).any(|item| text(ItemId(item)) == leaf.value),
        };
        let pattern = self.pattern(leaf, exact)?;
        Ok(self.items(|item| pattern.matches(text(item))))
    }

    /// Selects the samples that are listed in a file.
    fn listed(&self, leaf: &Leaf) -> Outcome {
        if !matches!(leaf.comparison, Comparison::Is | Comparison::Equal) {
            return Err(self.error(&leaf.at, "use `ids:FILE`"));
        }
        let ids = Ids::read(Path::new(&leaf.value)).map_err(|why| self.error(&leaf.at, why))?;
        Ok(self.items(|item| ids.has(self.table, item)))
    }

    /// Selects predictions by disagreement: between the rules of the harness and of Eyechart, or
    /// between a public rule and the score in the log.
    fn scorers(&self, leaf: &Leaf, among: Option<&[bool]>) -> Outcome {
        let inverse = match leaf.comparison {
            Comparison::Is | Comparison::Equal => false,
            Comparison::Unequal => true,
            _ => return Err(self.error(&leaf.at, "a reason has no order; use `:`, `=` or `!=`")),
        };
        if let Some(rule) = scorer::rules::named(&leaf.value) {
            let selection = Selection {
                mask: among,
                ..Selection::all(self.table, self.scoring)
            };
            let found = differing(self.table, selection.rows().map(Row), rule);
            return Ok(self.rows(|Row(row)| found[row as usize] != inverse));
        }
        let wanted = RuleComparison::named(&leaf.value).ok_or_else(|| {
            self.error(&leaf.at, format!("expected one of: {}", scorers::words()))
        })?;
        let rules = Rules::new(self.table);
        Ok(self.rows(|row| wanted.holds(&rules, row) != inverse))
    }

    /// Returns one flag per model that a term matches. A name without run matches all runs of the
    /// model.
    fn matching_models(&self, leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        let names = self.table.names();
        let models = names.models.values();
        let plain = models.iter().map(|name| names.plain(name).0.to_owned());
        let plain: Vec<String> = plain.collect();
        let is_plain = plain
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&leaf.value));
        self.matching(if is_plain { &plain } else { models }, leaf)
    }

    /// Returns one flag per model that a term matches. It is an error if no model matches.
    fn models(&self, leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        let names = self.table.names().models.values();
        let found = self.matching_models(leaf)?;
        if found.contains(&true) {
            return Ok(found);
        }
        let near = nearest(names.iter().map(String::as_str), &leaf.value, 1);
        Err(self.no_such(near.first().copied().unwrap_or_default(), leaf))
    }

    /// Tests another model's result on the same sample.
    fn other_model(&self, key: &str, leaf: &Leaf) -> Outcome {
        let (name, cut) = name_and_cut(&leaf.value, self.table.names().models.values());
        let models = self.models(&Leaf {
            value: name.to_owned(),
            ..leaf.clone()
        })?;
        let found = models.iter().filter(|found| **found).count();
        if found > 1 && matches!(key, "beats" | "loses" | "ties") {
            let what = "several models match this name; name one of them";
            return Err(self.error(&leaf.at, what));
        }
        let others = Others::new(self.table, self.scoring, &models);
        Ok(MatchFlags::Predictions(others.select(key, cut)))
    }

    fn source(&self, leaf: &Leaf) -> Outcome {
        let paths: Vec<String> = self
            .table
            .sources()
            .iter()
            .map(|source| base::format::path(&source.path))
            .collect();
        let found = self.matching(&paths, leaf)?;
        Ok(MatchFlags::Predictions(coded(self.table.unit_of(), &found)))
    }

    /// Selects samples by verdict. The values `any` and `none` select samples with and without
    /// verdict.
    fn verdict(&self, leaf: &Leaf) -> Outcome {
        let wanted = match (leaf.value.as_str(), leaf.value.parse::<Verdict>()) {
            ("any", _) | (_, Ok(Verdict::None)) => u8::MAX,
            (_, Ok(verdict)) => verdict.bit(),
            (_, Err(_)) => return Err(self.error(&leaf.at, VERDICTS_WANTED)),
        };
        let inverse = match leaf.comparison {
            Comparison::Is | Comparison::Equal => false,
            Comparison::Unequal => true,
            _ => return Err(self.error(&leaf.at, "a verdict has no order; use `:`, `=` or `!=`")),
        };
        let inverse = inverse != (leaf.value == Verdict::None.name());
        let sets = self.table.verdicts();
        let has = |item: ItemId| {
            sets.get(item.0 as usize)
                .is_some_and(|set| set & wanted != 0)
        };
        Ok(self.items(|item| has(item) != inverse))
    }

    /// Selects samples by a statistic over all models. Other filter terms do not affect the
    /// statistic.
    fn statistic(&self, leaf: &Leaf, number: impl Fn(&ItemStatistics) -> f64) -> Outcome {
        let wanted = self.number(leaf)?;
        let found = item_statistics(Selection::all(self.table, self.scoring));
        let samples: HashSet<u32> = (found.iter())
            .filter(|item| wanted(number(item)))
            .map(|item| item.sample)
            .collect();
        let of_item = self.table.sample_of();
        Ok(self.items(|ItemId(item)| samples.contains(&of_item[item as usize])))
    }

    /// Selects detections that have a box of this cause or, for missed objects, that missed one.
    fn cause(&self, leaf: &Leaf) -> Outcome {
        let mut names: Vec<String> = Cause::ALL.map(|cause| cause.name().to_owned()).to_vec();
        names.push("missed".to_owned());
        let wanted = self.matching(&names, leaf)?;
        if !wanted.contains(&true) {
            let what = format!("no such cause; the causes are {}", names.join(", "));
            return Err(self.error(&leaf.at, what));
        }
        Ok(self.rows(|row| {
            let Some(boxes) = self.table.detections(row) else {
                return false;
            };
            let causes = causes(boxes);
            let counts = Cause::ALL.map(|cause| causes.count(cause));
            let counts = counts.into_iter().chain([causes.missed()]);
            counts
                .zip(&wanted)
                .any(|(count, wanted)| *wanted && count > 0)
        }))
    }

    fn tag_or_condition(&self, name: &str, key: &str, at: &Range<usize>, leaf: &Leaf) -> Outcome {
        read_for(name, self.table, &base::job::FOR_GOOD);
        if let Some(tag) = self.table.answer_tag(name) {
            return Ok(MatchFlags::Predictions(self.tagged(tag, leaf)?));
        }
        match self.table.tag(name) {
            Some(tag) => Ok(MatchFlags::Items(self.tagged(tag, leaf)?)),
            None => self.condition(name, key, at, leaf),
        }
    }

    /// Returns one flag per item or row; true if it has a value that matches.
    fn tagged(&self, tag: TagColumn<'_>, leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        match tag {
            TagColumn::Number(values) if self.all_texts(leaf).is_some() => {
                // In the other tables, the tag contains text.
                let texts = values.dense();
                let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
                let found = self.matching(&texts, leaf)?;
                let has = values
                    .dense()
                    .iter()
                    .zip(found)
                    .map(|(value, found)| found && !value.is_nan())
                    .collect();
                Ok(has)
            }
            TagColumn::Number(values) => {
                let wanted = self.number(leaf)?;
                Ok(values.dense().iter().map(|value| wanted(*value)).collect())
            }
            TagColumn::Text { names, codes } => {
                let found = self.matching(names, leaf)?;
                Ok(coded(&codes.dense(), &found))
            }
        }
    }

    fn condition(&self, name: &str, key: &str, at: &Range<usize>, leaf: &Leaf) -> Outcome {
        let conditions = &self.table.names().conditions;
        if !conditions.iter().any(|labels| labels.contains_key(name)) {
            return if self.table.names().whole.labels.contains(name) {
                if self.all_texts(leaf).is_some() {
                    self.matching(&[], leaf)?;
                }
                Ok(self.rows(|_| false))
            } else {
                self.printed(key, at, leaf)
            };
        }
        let values: Vec<Option<&Value>> =
            conditions.iter().map(|labels| labels.get(name)).collect();
        let numbers: Option<Vec<f64>> = values
            .iter()
            .map(|value| value.map_or(Some(f64::NAN), Value::number))
            .collect();
        let numbers = numbers.filter(|_| self.all_texts(leaf).is_none());
        let wanted = if let Some(numbers) = numbers {
            let wanted = self.number(leaf)?;
            numbers.into_iter().map(wanted).collect()
        } else {
            let texts: Vec<String> = values
                .iter()
                .map(|value| value.map(ToString::to_string).unwrap_or_default())
                .collect();
            self.matching(&texts, leaf)?
        };
        Ok(MatchFlags::Items(coded(self.table.condition_of(), &wanted)))
    }

    /// Handles a key that only published scores have. No prediction passes.
    fn printed(&self, key: &str, at: &Range<usize>, leaf: &Leaf) -> Outcome {
        let values = published::values(self.table, key);
        if values.is_empty() || !published::KEYS.contains(&key) {
            return Err(self.unknown(key, at));
        }
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        self.matching(&values, leaf)?;
        Ok(self.rows(|_| false))
    }

    fn unknown(&self, key: &str, at: &Range<usize>) -> FilterError {
        let known = keys(self.table);
        // There are many automatic tags. Suggest them only if their prefix was typed.
        let is_meant = |known: &&str| key.starts_with("auto") || !known.starts_with("auto.");
        let near = nearest(known.iter().map(String::as_str).filter(is_meant), key, 3);
        self.error(
            at,
            format!("unknown key `{key}`; similar: {}", near.join(", ")),
        )
    }
}

fn join(left: Vec<bool>, right: &[bool], with: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    left.into_iter()
        .zip(right)
        .map(|(a, &b)| with(a, b))
        .collect()
}

/// Returns the rows whose code is wanted. A code beyond the last name means no value.
pub fn coded<T: Copy + TryInto<usize>>(codes: &[T], wanted: &[bool]) -> Vec<bool> {
    let is_wanted = |code: &T| {
        let code = (*code).try_into().ok();
        code.and_then(|code| wanted.get(code))
            .is_some_and(|wanted| *wanted)
    };
    codes.iter().map(is_wanted).collect()
}
