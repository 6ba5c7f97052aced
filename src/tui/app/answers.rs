//! Sends queries for the screen, and receives their answers.

use std::time::Duration;

use super::App;
use crate::effect::{Effect, ask};
use crate::frame_output::FrameOutput;
use crate::graphics::Request;
use crate::keymap::ViewId;
use crate::picture::Cost;
use crate::popup::{Popup, unanswered};
use crate::screen::{CompareView, drawn_check};
use crate::shared::{ListSource, PairComparison};
use analysis::{Split, benchmarks};
use engine::{Answer, Query, QueryError, Scope, Scores, Splits};
use record::{Generation, Row};
use workspace::overview::overview;

impl App {
    /// Stores positions and cost of the last frame. Returns the requests for visible pictures, and
    /// the requests to prefetch. Sets `dirty` if another frame is needed.
    pub fn after_frame(
        &mut self,
        mut drawn: FrameOutput,
        bytes: u64,
        took: Duration,
    ) -> (Vec<Request>, Vec<Request>) {
        let shown = std::mem::take(&mut drawn.pictures);
        let pictures = &mut self.shared.pictures;
        if shown.waits {
            pictures.words_first = false;
            self.dirty = true;
        } else if shown.fresh > 0 && pictures.budget().is_some() {
            // The status line shows the cost of the pictures.
            pictures.cost = Some(Cost { bytes, took });
            self.dirty = true;
        }
        let before = pictures.areas.clone();
        let wanted = pictures.take(shown);
        // Popups leave pictures uncovered, but this frame placed popups before the positions of the
        // pictures were known.
        self.dirty |= !self.popups.is_empty() && pictures.areas != before;
        self.keep(drawn);
        wanted
    }

    /// Queries everything that depends on table, filter or scoring. Scores arrive first without
    /// intervals; then the intervals are queried.
    pub fn ask_all(&self) -> Vec<Effect> {
        let mut effects = vec![ask(Scores {
            quick: true,
            ..self.scores_query()
        })];
        effects.extend(self.ask_view());
        effects.extend(self.ask_popup());
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// Queries the data of the topmost popup if they are missing.
    pub(super) fn ask_popup(&self) -> Vec<Effect> {
        let popup = self.popups.last();
        let query = popup.and_then(|popup| unanswered(popup, &self.shared));
        query.map(ask).into_iter().collect()
    }

    /// Returns the query for the scores of all benchmarks, with intervals.
    pub(super) fn scores_query(&self) -> Scores {
        let scope = Scope {
            filter: self.shared.lens.filter.clone(),
            scoring: self.shared.lens.scoring,
            ..Scope::default()
        };
        Scores {
            scope,
            quick: false,
        }
    }

    /// Queries the data of the current view.
    pub fn ask_view(&self) -> Vec<Effect> {
        self.view().ask(&self.shared)
    }

    /// Queries the list that contains the sample on screen.
    pub(super) fn ask_list_of_sample(&self) -> Option<Effect> {
        let of_lens = self.shared.list.of == ListSource::Lens;
        (self.shows(ViewId::Sample) && of_lens).then(|| ask(self.shared.samples_query()))
    }

    /// Returns true if the screen still needs the answer to a query.
    pub fn awaits(&self, query: &Query) -> bool {
        let same = |shown: Option<Query>| shown.is_some_and(|shown| shown.kind() == query.kind());
        let popup = self.popups.last();
        match query {
            Query::Slices(_)
            | Query::FailureGroups(_)
            | Query::Ranks(_)
            | Query::Scorers(_)
            | Query::Pairs(_)
            | Query::AutomaticTags(_)
            | Query::Preview(_) => {
                same(popup.and_then(|popup| popup.overlay().query(&self.shared)))
            }
            Query::Count(_) | Query::Completion(_) => matches!(popup, Some(Popup::Filter(_))),
            Query::Compare(_) | Query::Subgroups(_) | Query::Reliability(_) | Query::Audit(_) => {
                same(self.view().query(&self.shared))
            }
            _ => true,
        }
    }

    /// Stores the splits available for an ability, and queries the view again.
    fn receive_splits(
        &mut self,
        benchmark: String,
        ability: String,
        splits: Vec<Split>,
    ) -> Vec<Effect> {
        self.shared.answers.splits = splits;
        self.shared.answers.splits_of = Some((benchmark, ability));
        self.ask_view()
    }

    /// Queries the splits again if a query read facts from pictures or answers, because samples can
    /// be split by them too.
    fn ask_splits_by_facts(&self) -> Vec<Effect> {
        let table = &self.shared.table;
        let pictures = table.picture_facts().unwrap_or_default();
        let answers = table.answer_facts().unwrap_or_default();
        let of = self.shared.answers.splits_of.clone();
        let of = of.filter(|_| !pictures.is_empty() || !answers.is_empty());
        let again = of.map(|(benchmark, ability)| ask(Splits { benchmark, ability }));
        again.into_iter().collect()
    }

    /// Stores the samples drawn for a spot check, and shows the first sample.
    fn receive_check(&mut self, rows: Vec<u32>) -> Vec<Effect> {
        if rows.is_empty() {
            return self.notify("no sample is left to judge here");
        }
        self.shared.verdicts.check = rows;
        self.apply(drawn_check(&self.shared))
    }

    /// Receives all scores. Scores with `quick` lack intervals and other slow results.
    fn receive_scores(&mut self, quick: bool, found: engine::Ranking) -> Vec<Effect> {
        let held = self.hold_model();
        let answers = &mut self.shared.answers;
        answers.take_scores(found.scores, found.average_ranks);
        if !quick {
            self.shared.answers.repeats = found.repeats;
            self.shared.answers.acuity = found.acuity;
            if let Some(note) = found.notes.into_iter().next() {
                self.shared.notice = Some(note);
            }
        }
        self.shared.answers.benchmarks = benchmarks(&self.shared.table);
        self.shared.answers.opened = overview(&self.shared.table);
        if let Some(large) = &self.shared.large {
            large.count(&mut self.shared.answers);
        }
        self.open_first_view();
        self.keep_model(held);
        self.after_scores(quick)
    }

    /// Receives an answer and the generation of the table from which it was computed. An answer
    /// for an earlier table is dropped and its query is sent again. Queries for records are not
    /// sent again, because the next frame requests the records that it lacks.
    pub fn receive_answer(
        &mut self,
        query: Query,
        generation: Generation,
        answer: Result<Answer, QueryError>,
    ) -> Vec<Effect> {
        if generation != self.shared.table.generation() {
            return match query {
                Query::Detail(_) => Vec::new(),
                Query::Details(_)
                | Query::Briefs(_)
                | Query::Thumbnails(_)
                | Query::Answers(_)
                | Query::Trace(_) => {
                    self.shared.fetched.ask_again();
                    self.dirty = true;
                    Vec::new()
                }
                query => vec![ask(query)],
            };
        }
        self.dirty = true;
        match (query, answer) {
            (Query::Scores(asked), Ok(Answer::Scores(found))) => {
                return self.receive_scores(asked.quick, found);
            }
            (Query::Splits(asked), Ok(Answer::Splits(splits))) => {
                return self.receive_splits(asked.benchmark, asked.ability, splits);
            }
            (_, Ok(Answer::Subgroups(subgroups))) => {
                self.shared.answers.subgroups = subgroups;
                self.put_awaited();
            }
            (_, Ok(Answer::Reliability(reliability))) => {
                self.shared.answers.reliability = reliability;
                self.put_awaited();
            }
            (Query::Compare(asked), Ok(Answer::Compare(found))) => {
                self.shared.answers.comparison = Some(PairComparison {
                    models: found.names,
                    comparison: Box::new(found.comparison),
                    quick: asked.quick,
                });
                self.put_carried_ability();
                let sharper = asked.quick && self.shared.loading.is_over();
                let more = sharper.then(|| CompareView::question(&self.shared));
                return more.flatten().into_iter().collect();
            }
            (_, Ok(Answer::AutomaticTags(()))) => return self.ask_splits_by_facts(),
            (Query::Slices(asked), Ok(Answer::Slices(found))) => {
                self.shared.answers.slices = Some((asked, Box::new(found.found)));
                return self.ask_splits_by_facts();
            }
            (Query::Answers(asked), Ok(Answer::Answers(found))) => {
                self.shared.answers.matrix = Some((asked, generation, found));
                self.shared.fetched.asked.matrix = None;
            }
            (Query::Gate(asked), Ok(Answer::Gate(found))) => {
                self.shared.answers.gate = Some((asked, generation, found));
                self.shared.fetched.asked.gate = None;
            }
            (Query::Confusion(asked), Ok(Answer::Confusion(found))) => {
                self.shared.answers.confusion = Some((asked, generation, found));
                self.shared.fetched.asked.confusion = None;
            }
            (Query::Pairs(asked), Ok(Answer::Pairs(found))) => {
                self.shared.answers.take_wins(asked, found);
            }
            (Query::Ranks(asked), Ok(Answer::Ranks(found))) => {
                self.shared.answers.ranks = Some((asked, Box::new(found)));
            }
            (Query::Scorers(asked), Ok(Answer::Scorers(found))) => {
                let more = engine::Scorers {
                    quick: false,
                    ..asked.clone()
                };
                let is_rough = asked.quick && self.shared.loading.is_over();
                self.shared.answers.scorers = Some((asked, Box::new(found)));
                return is_rough.then(|| ask(more)).into_iter().collect();
            }
            (Query::Preview(asked), Ok(Answer::Preview(found))) => {
                self.shared.answers.preview = Some((asked, Box::new(found)));
            }
            (query @ (Query::Samples(_) | Query::FailureGroups(_)), answer) => {
                return self.receive_coded(query, answer);
            }
            (Query::Detail(asked), Ok(Answer::Detail(detail))) => {
                self.shared.fetched.take(asked.row.0, *detail);
            }
            (Query::Trace(asked), Ok(Answer::Trace(told))) => {
                self.shared.answers.trace = Some((asked, generation, told));
                self.shared.fetched.asked.trace = None;
            }
            (_, Ok(Answer::Details(found))) => self.shared.fetched.take_details(found),
            (_, Ok(Answer::Thumbnails(found))) => self.shared.fetched.take_thumbnails(found),
            (_, Ok(Answer::Briefs(found))) => self.shared.fetched.take_briefs(found),
            (_, Ok(Answer::Audit(findings))) => self.views.audit.findings = Some(findings),
            (_, Ok(Answer::SpotCheck(rows))) => {
                let rows = rows.into_iter().map(|Row(row)| row).collect();
                return self.receive_check(rows);
            }
            (query, answer) => self.receive_typed(query, answer),
        }
        Vec::new()
    }

    /// Stores the error of a failed query, for the part of the screen that waits for its answer.
    fn keep_failure(&mut self, query: &Query, error: &QueryError) {
        let asked = &mut self.shared.fetched.asked;
        match query {
            _ if *error == QueryError::Stopped => return,
            Query::Answers(_) => asked.matrix = None,
            Query::Confusion(_) => asked.confusion = None,
            Query::Gate(_) => asked.gate = None,
            Query::Trace(_) => asked.trace = None,
            _ => {}
        }
        let reason = message(error);
        self.shared.answers.put_failure(query.clone(), reason);
    }

    /// Updates the filter popup with counts, completions and errors. Shows other errors as a
    /// notice.
    pub(super) fn receive_typed(&mut self, query: Query, answer: Result<Answer, QueryError>) {
        if let Err(error) = &answer {
            self.keep_failure(&query, error);
        }
        match (query, answer, self.popups.last_mut()) {
            (_, Ok(Answer::Count(count)), Some(Popup::Filter(typing))) => {
                typing.count = Some(Ok(count));
            }
            (_, Err(QueryError::Filter(error)), Some(Popup::Filter(typing))) => {
                typing.count = Some(Err(error));
            }
            (
                Query::Completion(asked),
                Ok(Answer::Completion(found)),
                Some(Popup::Filter(typing)),
            ) => typing.offer(asked.text, asked.cursor, found),
            (_, Err(QueryError::Failed(failure)), _) => {
                self.shared.notice = Some(failure.to_string());
            }
            // While logs are still being read, an unknown name is not an error.
            (_, Err(error), _) if self.shared.loading.is_over() => {
                self.shared.notice = Some(message(&error));
            }
            _ => {}
        }
    }

    /// Returns the queries to send after scores have arrived.
    fn after_scores(&mut self, quick: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self
            .shared
            .answers
            .benchmarks
            .contains(&self.shared.lens.benchmark)
        {
            self.shared.lens.benchmark = self
                .shared
                .answers
                .benchmarks
                .first()
                .cloned()
                .unwrap_or_default();
            effects.extend(self.ask_view());
        }
        if self.shared.view == ViewId::Compare && self.shared.is_comparison_stale() {
            effects.extend(self.ask_view());
        }
        if quick && self.shared.loading.is_over() {
            effects.push(ask(self.scores_query()));
        }
        effects
    }
}

/// Returns the error message of a failed query. For an invalid filter, omits the position of the
/// error.
pub(super) fn message(error: &QueryError) -> String {
    match error {
        QueryError::Filter(error) => error.what.clone(),
        error => error.to_string(),
    }
}
