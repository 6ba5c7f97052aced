//! Gives, undoes, redoes and annotates verdicts.

use std::sync::Arc;

use super::App;
use crate::action::Action;
use crate::change::{Change, LabelAction, Reply};
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::{LinePurpose, TypedLine};
use crate::shared::{AppState, Look, key_of};
use crate::widget::fit_middle;
use base::format::visible;
use record::Row;
use record::verdict::{SampleKey, Verdict, VerdictContent};
use workspace::open::WriterReport;

/// File index of verdicts that are not saved yet.
const NO_FILE: usize = usize::MAX;
/// Maximum width of a sample's id in a notice, in cells.
const ID: u16 = 40;

/// Handles the judging keys, in every view with samples. `here` is a prediction for the sample
/// under the cursor.
pub fn offer(shared: &AppState, here: Option<u32>, action: Action) -> Reply {
    if shared.shows(Look::Confusion) {
        // A cell of the confusion matrix stands for many samples.
        return Reply::PassOn;
    }
    let undoes = matches!(action, Action::UndoVerdict | Action::RedoVerdict);
    if !(shared.is_judging() || undoes && shared.view == ViewId::Audit) {
        return offer_outside(shared, here, action);
    }
    let judging = match action {
        Action::JudgeOk => LabelAction::Verdict(Verdict::Ok),
        Action::JudgeWrongLabel => LabelAction::Verdict(Verdict::WrongLabel),
        Action::JudgeAmbiguous => LabelAction::Verdict(Verdict::Ambiguous),
        Action::JudgeBadImage => LabelAction::Verdict(Verdict::BadImage),
        Action::JudgeNothing => LabelAction::Verdict(Verdict::None),
        Action::UndoVerdict => LabelAction::Undo,
        Action::RedoVerdict => LabelAction::Redo,
        Action::Reveal => LabelAction::Reveal,
        Action::Note => return Vec::from_iter(here.map(|row| note(shared, row))).into(),
        Action::RightLabel => {
            return Vec::from_iter(here.map(|row| right_label(shared, row))).into();
        }
        _ => return Reply::PassOn,
    };
    Reply::with(Change::Judge(judging))
}

/// Handles the judging keys while judging is off: Space selects, and other keys show how to turn
/// judging on.
fn offer_outside(shared: &AppState, here: Option<u32>, action: Action) -> Reply {
    match action {
        // In the matrix, Space selects the answer under the cursor.
        Action::JudgeOk if shared.shows(Look::Matrix) => Reply::PassOn,
        Action::JudgeOk => match here {
            Some(row) => marked(shared, row).into(),
            None => Reply::DONE,
        },
        Action::JudgeWrongLabel
        | Action::JudgeAmbiguous
        | Action::JudgeBadImage
        | Action::JudgeNothing
        | Action::UndoVerdict
        | Action::RedoVerdict
        | Action::Note
        | Action::RightLabel => {
            let key = shared.key(ViewId::Sample, Action::ToggleJudging);
            Reply::say(format!("press {key} first to judge labels"))
        }
        _ => Reply::PassOn,
    }
}

/// Selects a prediction of the list, and moves to the next one.
fn marked(shared: &AppState, row: u32) -> Vec<Change> {
    let next = next_of(shared);
    let next_change = match shared.view {
        ViewId::Sample => Change::Show(next),
        _ => Change::Select(next),
    };
    let next_change = (next < shared.list.rows.len()).then_some(next_change);
    std::iter::once(Change::Mark(row))
        .chain(next_change)
        .collect()
}

/// Returns the list index of the next answer, or in a sheet of the next sample. After the last,
/// returns the length of the list.
fn next_of(shared: &AppState) -> usize {
    let here = shared.list.table.selected;
    if !shared.shows(Look::Sheet) {
        return here + 1;
    }
    let tiles = shared.tiles();
    let next = tiles.tile_of(here) + 1;
    if next < tiles.len() {
        tiles.first(next)
    } else {
        shared.list.rows.len()
    }
}

/// Returns the list index of the next sample. After the last, returns the length of the list.
fn next_sample(shared: &AppState) -> usize {
    let next = next_of(shared);
    let here = shared.list.here().map(|row| key_of(&shared.table, row));
    let is_same = |row: &&u32| here.as_ref() == Some(&key_of(&shared.table, **row));
    let rest = shared.list.rows.iter().skip(next);
    next + rest.take_while(is_same).count()
}

/// Returns a sample's id for a notice.
fn id_of(key: &SampleKey) -> String {
    fit_middle(&visible(&key.sample_id), ID).into_owned()
}

/// Returns the name of a verdict.
fn words_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "no verdict",
        verdict => verdict.words(),
    }
}

/// Returns the user's current verdict, label and note for a sample.
fn standing(shared: &AppState, key: &SampleKey) -> VerdictContent {
    let verdicts = &shared.verdicts;
    let word = verdicts.book.of_author(key, &verdicts.author);
    word.map(VerdictContent::from).unwrap_or_default()
}

/// Returns the change that opens the input line for a note.
fn note(shared: &AppState, row: u32) -> Change {
    let key = key_of(&shared.table, row);
    let note = match &shared.verdicts.draft {
        Some((draft, note)) if *draft == key => note.clone(),
        _ => standing(shared, &key).note,
    };
    Change::pop_up(TypedLine::new(LinePurpose::Note, &note))
}

/// Returns the change that opens the input line for the correct label.
fn right_label(shared: &AppState, row: u32) -> Change {
    let known = standing(shared, &key_of(&shared.table, row)).target;
    let known = known.map_or_else(
        || shared.table.target(shared.table.item(Row(row))).to_owned(),
        |target| target.as_str().map_or(target.to_string(), str::to_owned),
    );
    let label = visible(&known).into_owned();
    Change::pop_up(TypedLine::new(LinePurpose::RightLabel, &label))
}

impl App {
    /// Returns a prediction for the sample under the cursor, in views with samples.
    pub(super) fn row_here(&self) -> Option<u32> {
        let shared = &self.shared;
        match (shared.view, shared.list.look) {
            (ViewId::Samples, Look::Matrix) => self.views.samples.matrix.here(shared),
            (ViewId::Samples, Look::Confusion) => None,
            (ViewId::Samples | ViewId::Sample, _) => shared.list.here(),
            _ => None,
        }
    }

    /// Applies a judging action to the sample under the cursor.
    pub(super) fn judge(&mut self, judging: LabelAction) -> Vec<Effect> {
        let key = self.row_here().map(|row| key_of(&self.shared.table, row));
        match (judging, key) {
            (LabelAction::Undo, _) => match self.shared.verdicts.history.undo() {
                Some((key, word)) => self.restore_verdict(&key, &word, "undone"),
                None => self.notify("nothing to undo in this session"),
            },
            (LabelAction::Redo, _) => match self.shared.verdicts.history.redo() {
                Some((key, word)) => self.restore_verdict(&key, &word, "redone"),
                None => self.notify("nothing to redo"),
            },
            (LabelAction::Reveal, _) => self.reveal(),
            // A verdict requires that the sample was drawn, even if a key repeats fast.
            (LabelAction::Verdict(_), Some(_)) if !self.is_seen() => Vec::new(),
            (LabelAction::Verdict(verdict), Some(key)) => {
                let target = standing(&self.shared, &key).target;
                self.judged(key, verdict, target)
            }
            (LabelAction::RightLabel(text), Some(key)) => {
                let text = text.trim();
                let target = (!text.is_empty()).then(|| text.into());
                self.judged(key, Verdict::WrongLabel, target)
            }
            (LabelAction::Note(note), Some(key)) => self.noted(key, note.trim()),
            (_, None) => Vec::new(),
        }
    }

    /// Returns false during a spot check until the current sample has been drawn.
    fn is_seen(&self) -> bool {
        !self.shared.is_checking_here() || self.shared.verdicts.seen == self.shared.list.here()
    }

    /// Shows a notice. Returns no effects.
    pub(super) fn notify(&mut self, what: impl Into<String>) -> Vec<Effect> {
        self.shared.notice = Some(what.into());
        Vec::new()
    }

    /// Saves a verdict, and continues with the next sample in a list or a spot check.
    fn judged(
        &mut self,
        key: SampleKey,
        verdict: Verdict,
        target: Option<serde_json::Value>,
    ) -> Vec<Effect> {
        let note = match self.shared.verdicts.draft.take() {
            Some((draft, note)) if draft == key => note,
            _ if verdict == Verdict::None => String::new(),
            _ => standing(&self.shared, &key).note,
        };
        let is_check = self.shared.list.is_check() && !self.shared.shows(Look::Matrix);
        let drawn = is_check || standing(&self.shared, &key).drawn;
        let word = VerdictContent {
            verdict,
            note,
            target: target.filter(|_| verdict == Verdict::WrongLabel),
            drawn: drawn && verdict != Verdict::None,
        };
        let mut notice = format!("{}: {}", id_of(&key), words_of(verdict));
        let mut effects = self.set_verdict(key, word);
        let goes_on = self.shared.view == ViewId::Samples && verdict != Verdict::None;
        if goes_on && !self.select_next_sample() {
            notice.push_str("; this is the last sample");
        }
        self.shared.notice = Some(notice);
        if self.shared.is_checking_here() {
            effects.extend(self.show_next_unjudged());
        }
        effects
    }

    /// Moves the cursor of a list to the next sample. Returns false at the last one.
    fn select_next_sample(&mut self) -> bool {
        let shared = &mut self.shared;
        if shared.shows(Look::Matrix) {
            return self.views.samples.matrix.select_next(shared);
        }
        let next = next_sample(shared);
        let is_there = next < shared.list.rows.len();
        if is_there {
            shared.list.table.selected = next;
        }
        is_there
    }

    /// Saves a note. Without a verdict, keeps the note as a draft.
    fn noted(&mut self, key: SampleKey, note: &str) -> Vec<Effect> {
        let word = standing(&self.shared, &key);
        let note = note.to_owned();
        if word.verdict == Verdict::None {
            self.shared.verdicts.draft = Some((key, note));
            return self.notify("the note is saved once this sample has a verdict");
        }
        self.set_verdict(key, VerdictContent { note, ..word })
    }

    /// Saves a verdict and adds it to the undo history.
    fn set_verdict(&mut self, key: SampleKey, word: VerdictContent) -> Vec<Effect> {
        let before = standing(&self.shared, &key);
        if before == word {
            return Vec::new();
        }
        let effects = self.save_verdict(key.clone(), &word);
        self.shared.verdicts.history.push(key, before, word);
        effects
    }

    fn save_verdict(&mut self, key: SampleKey, word: &VerdictContent) -> Vec<Effect> {
        let verdicts = &mut self.shared.verdicts;
        let entry = word.on(key, &verdicts.author);
        verdicts.unsaved.push(entry.clone());
        Arc::make_mut(&mut verdicts.book).add(NO_FILE, entry.clone());
        self.shared.notice = None;
        vec![Effect::SaveVerdict(Box::new(entry))]
    }

    /// Shows the next sample of the spot check that has no verdict. After the last, shows the
    /// audit.
    fn show_next_unjudged(&mut self) -> Vec<Effect> {
        let shared = &self.shared;
        let rows = &shared.list.rows;
        let at = shared.list.table.selected;
        let is_open = |at: &usize| {
            let row = rows.get(*at);
            row.is_some_and(|row| !shared.verdicts.has_judged(&key_of(&shared.table, *row)))
        };
        let next = (at + 1..rows.len()).chain(0..at).find(is_open);
        if let Some(next) = next {
            return self.show_sample(next);
        }
        self.notify("every sample of the spot check is judged");
        self.go(ViewId::Audit)
    }

    /// Restores a verdict from the undo history, and shows the sample if it is in the list.
    fn restore_verdict(
        &mut self,
        key: &SampleKey,
        word: &VerdictContent,
        how: &str,
    ) -> Vec<Effect> {
        let notice = format!("{how}: {} has {}", id_of(key), words_of(word.verdict));
        let mut effects = self.save_verdict(key.clone(), word);
        effects.extend(self.return_to_sample(key));
        self.shared.notice = Some(notice);
        effects
    }

    /// Moves the cursor to the nearest prediction for a sample, if the list has one.
    fn return_to_sample(&mut self, key: &SampleKey) -> Vec<Effect> {
        let shared = &mut self.shared;
        if shared.shows(Look::Matrix) {
            self.views.samples.matrix.select(shared, key);
            return Vec::new();
        }
        let rows = shared.list.rows.iter().enumerate();
        let same = rows.filter(|(_, row)| key_of(&shared.table, **row) == *key);
        let selected = shared.list.table.selected;
        let nearest = same.map(|(at, _)| at);
        let nearest = nearest.min_by_key(|at| at.abs_diff(selected));
        match (nearest, shared.view) {
            (Some(at), ViewId::Sample) => return self.show_sample(at),
            (Some(at), ViewId::Samples) => shared.list.table.selected = at,
            _ => {}
        }
        Vec::new()
    }

    fn reveal(&mut self) -> Vec<Effect> {
        let row = self.row_here();
        if self.shared.list.is_check() {
            let revealed = &mut self.shared.verdicts.revealed;
            *revealed = row.filter(|_| *revealed != row);
        }
        Vec::new()
    }

    /// Handles a report of the thread that writes verdicts.
    pub(super) fn receive_news(&mut self, news: WriterReport) -> Vec<Effect> {
        let verdicts = &mut self.shared.verdicts;
        verdicts
            .unsaved
            .drain(..news.saved.min(verdicts.unsaved.len()));
        verdicts.place = news.place.display().to_string();
        verdicts.book = news.book;
        for entry in &verdicts.unsaved {
            Arc::make_mut(&mut verdicts.book).add(NO_FILE, entry.clone());
        }
        if let Some(trouble) = &news.trouble {
            let words = format!("not saved, will be retried: {trouble}");
            self.shared.notice = Some(words);
        }
        self.shared.verdicts.trouble = news.trouble;
        if let Some(notice) = news.notice {
            self.shared.notice = Some(notice);
        }
        match self.shared.view {
            ViewId::Audit => self.ask_view(),
            _ => Vec::new(),
        }
    }
}
