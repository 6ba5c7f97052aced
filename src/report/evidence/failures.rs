//! Failures by name: slices in which a model scores worse than in the rest of its ability, with the
//! samples that it answered worst.

use std::collections::HashSet;

use super::Commands;
use super::subgroups::PageSubgroups;
use crate::cells::ends_note;
use crate::html::{Cell, SampleChoice, Sheet, SheetPicture};
use analysis::slices::{Search, Slice};
use analysis::{AnswerColumns, AnsweredSample};
use base::format::{compact, counted, fixed, probability};
use base::job::Ticket;
use engine::{Answers, Ask as _, Engine, QueryError, Report, Scope, Slices};
use record::ItemId;
use record::benchmark::metric_words;

/// Maximum number of predictions to search; `eyechart slices` has no limit.
const MOST_SEARCHED: usize = 500_000;
/// Maximum number of slices on a page.
const MOST: usize = 12;
/// Maximum number of pictures on the sheet of a slice.
const SHEET: usize = 12;

/// Result of the search for failures.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// What was searched and found, in sentences.
    pub about: Vec<String>,
    /// The failures, most certain first.
    pub found: Vec<Failure>,
}

/// A slice in which a model fails.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// Benchmark of its ability.
    pub benchmark: String,
    /// Ability that was searched.
    pub ability: String,
    /// Model, ability and slice in a sentence.
    pub sentence: String,
    /// Scores inside and outside, their difference and its confirmation.
    pub evidence: String,
    /// The samples that the model answered worst.
    pub sheet: Sheet,
}

/// A slice with the samples that the model answered worst.
pub struct FoundSlice {
    /// Condition, scores and confirmation of the slice.
    pub slice: Slice,
    /// Samples for the sheet, worst first.
    pub shown: Vec<ItemId>,
    /// All of its samples.
    items: HashSet<ItemId>,
    command: String,
    model: Option<usize>,
    place: Option<usize>,
}

/// Result of a search for slices in which a model is worse.
#[derive(Default)]
pub struct SliceSearch {
    about: Vec<String>,
    /// Slices in which a model is worse.
    pub found: Vec<FoundSlice>,
}

impl SliceSearch {
    fn refused(why: &str) -> Self {
        Self {
            about: vec![format!("Not searched: {why}.")],
            found: Vec::new(),
        }
    }
}

/// Searches all models for slices, and keeps those in which a model is worse.
pub fn search(
    engine: &dyn Engine,
    query: &Report,
    commands: &Commands,
    ticket: &Ticket,
) -> Result<SliceSearch, QueryError> {
    let predictions = engine.table().len();
    if predictions == 0 {
        return Ok(SliceSearch::default());
    }
    let query = Slices {
        scope: query.scope.clone(),
        search: Search::default(),
    };
    if predictions > MOST_SEARCHED {
        let limit = compact(MOST_SEARCHED as u64);
        let why = format!("more than {limit} predictions. Use eyechart slices");
        return Ok(SliceSearch::refused(&why));
    }
    let answer = match query.answer(engine, ticket) {
        Err(error @ QueryError::Selected(_)) => {
            return Ok(SliceSearch::refused(&error.to_string()));
        }
        answer => answer?,
    };
    let slices = answer.found.slices.iter().filter(|slice| slice.is_worse());
    let slices: Vec<&Slice> = slices.collect();
    let mut about = vec![format!("{}.", answer.found.sentence(query.search.q))];
    if !slices.is_empty() {
        about.push("The list shows only those in which the model is worse.".to_owned());
    }
    let more = slices.len().saturating_sub(MOST);
    if more > 0 {
        about.push(format!(
            "eyechart slices lists {} more.",
            compact(more as u64)
        ));
    }
    let found = slices.into_iter().take(MOST);
    let found = found.map(|slice| find(engine, &query.scope, (commands, slice), ticket));
    Ok(SliceSearch {
        about,
        found: found.collect::<Result<_, _>>()?,
    })
}

/// Finds the samples of a slice.
fn find(
    engine: &dyn Engine,
    scope: &Scope,
    (commands, slice): (&Commands, &Slice),
    ticket: &Ticket,
) -> Result<FoundSlice, QueryError> {
    let query = Answers {
        scope: Scope {
            filter: commands.slice_filter(slice),
            ..scope.clone()
        },
        beside: AnswerColumns::Models(slice.model.iter().cloned().collect()),
    };
    let answers = query.answer(engine, ticket)?;
    let is_wrong = |sample: &&&AnsweredSample| sample.right.is_nan() || sample.right < 1.0;
    let worst = answers.worst_first();
    let shown = worst.iter().filter(is_wrong).take(SHEET);
    Ok(FoundSlice {
        shown: shown.map(|sample| sample.item).collect(),
        items: answers.rows.iter().map(|sample| sample.item).collect(),
        command: commands.slice(slice),
        slice: slice.clone(),
        model: None,
        place: None,
    })
}

impl SliceSearch {
    /// Adds the slices to the subgroups of a page that shows these models.
    #[must_use]
    pub fn placed(mut self, subgroups: &mut PageSubgroups, models: &[String]) -> Self {
        for found in &mut self.found {
            let slice = &found.slice;
            found.model = models
                .iter()
                .position(|it| Some(it) == slice.model.as_ref());
            let name = sentence(slice);
            found.place = Some(subgroups.add_slice(name, found.items.clone()));
        }
        self
    }

    /// Describes the slices in sentences; `sheet` makes the pictures of a slice.
    pub fn failures(self, sheet: impl Fn(&FoundSlice) -> Vec<SheetPicture>) -> Failures {
        let failure = |found: &FoundSlice| Failure {
            benchmark: found.slice.benchmark.clone(),
            ability: found.slice.ability.clone(),
            sentence: sentence(&found.slice),
            evidence: evidence(&found.slice),
            sheet: Sheet {
                pictures: sheet(found),
                all: found.all(),
            },
        };
        Failures {
            found: self.found.iter().map(failure).collect(),
            about: self.about,
        }
    }
}

impl FoundSlice {
    /// Link to all samples of the slice; the caller adds the page section.
    fn all(&self) -> Cell {
        let choice = self.place.map(|place| SampleChoice {
            model: self.model,
            subgroup: Some(place),
            only_wrong: false,
        });
        Cell {
            title: self.command.clone(),
            choice,
            ..Cell::from(counted(self.items.len() as u64, "sample"))
        }
    }
}

/// Returns a sentence such as `hog in counting is worse where boxes:false`.
fn sentence(slice: &Slice) -> String {
    let model = slice.model.as_deref().unwrap_or("every model");
    let ability = slice.ability.replace('_', " ");
    format!("{model} in {ability} is worse where {}", slice.words)
}

/// Scores, difference with interval, and the confirmation on the other half.
fn evidence(slice: &Slice) -> String {
    let number = |value: f64| fixed(Some(value), 3);
    let held = &slice.held_out;
    let turns = slice.reversed_by.as_ref();
    let turns = turns.map(|tag| format!(" The difference reverses when split by {tag}."));
    format!(
        "{} {}: {} there and {} elsewhere, difference {}{}, n {}. On the half of the images that \
         was not searched: difference {}, n {}, p {}.{}",
        metric_words(&slice.metric),
        slice.direction.arrow(),
        number(slice.score),
        number(slice.rest),
        number(slice.difference),
        ends_note(3, slice.interval.map(|it| (it.low, it.high))),
        compact(slice.n),
        number(held.difference),
        compact(held.n),
        probability(held.p_value),
        turns.unwrap_or_default()
    )
}
