//! Changes requested by views and popups, and replies to an input.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::widget::heat_grid::HeatGridState;
use ask::worker::ModelChoice;
use base::config::{ColumnMap, Decision};
use base::format::visible;
use record::verdict::Verdict;
use workspace::Lens;
use workspace::answered::GroupBy;
use workspace::page::Sort;

use super::action::Action;
use super::effect::Effect;
use super::order::Order;
use super::popup::Popup;
use super::screen::Flips;
use super::shared::{ColumnChoice, ListColumn, ListSource, Look, SecondModel};

/// A change requested by a view or a popup, to be applied by the app.
#[derive(Clone, Debug)]
pub enum Change {
    /// Run an effect in the event loop.
    Do(Effect),
    /// Show a notice.
    Say(String),
    /// Perform another action.
    Act(Action),
    /// Query the view's data again.
    Refresh,
    /// Move the fingerprint's cursor.
    Cell(HeatGridState),
    /// Select or deselect a model.
    Pick(String),
    /// Compare these two models.
    Pair([String; 2]),
    /// Split the ability by this tag.
    Tag(String),
    /// Choose the second model, whose answer is shown too.
    Second(SecondModel),
    /// Cycle the byte limit of pictures.
    Bandwidth,
    /// Change the look of the sample list.
    Look(Look),
    /// Sort the list of samples by a column. Choosing the same column again reverses the order.
    SortBy(ListColumn),
    /// Change the columns of the sample list.
    ListColumns(Box<ColumnChoice>),
    /// Group the samples, or ungroup them.
    Group(Option<GroupBy>),
    /// Move the cursor of the sample list.
    Select(usize),
    /// Select or deselect a prediction of the list.
    Mark(u32),
    /// Select these predictions, or deselect them if all are selected.
    MarkAll(Vec<u32>),
    /// Show the sample at this position of the list.
    Show(usize),
    /// Open the sample under the cursor of the list.
    OpenSample,
    /// Open samples as a list, and show one of them.
    OpenRows(Box<SampleRows>),
    /// Open rerun samples, each with all its answers.
    OpenFlips(Box<Flips>),
    /// Open the samples of a lens.
    OpenLens(Box<DrillDown>),
    /// Open a benchmark.
    Benchmark(String),
    /// Change the lens in the same view, and add the current place to the history.
    Narrow(Lens),
    /// Set the filter of the lens.
    Filter(String),
    /// Save what is on screen under a name.
    SaveView(String),
    /// Go to the saved view of this name.
    SavedView(String),
    /// Open a popup.
    PopUp(Box<Popup>),
    /// Close the topmost popup.
    Close,
    /// Go to a stop of the tour.
    Tour(usize),
    /// Search the text on screen.
    Find(SearchStep),
    /// Write a report or an export.
    Write(Order),
    /// Judge a label.
    Judge(LabelAction),
    /// Set a field of the live view: name and text.
    LiveField(&'static str, String),
    /// Set the wordings of the live view. The flag is true once editing is done.
    LiveWords(Vec<String>, bool),
    /// Set the protocol of the live view.
    LiveProtocol(String),
    /// Add this model to the recently used models.
    UsedModel(ModelChoice),
    /// Set a row of the playground: name and text.
    PlaygroundField(&'static str, String),
    /// Save the edited prompt under this name.
    KeepVariant(String),
    /// Move the score from which an answer counts as correct: ability, metric, steps.
    Cut(record::Ability, String, f64),
    /// Include (true) or exclude (false) logs.
    Runs(BTreeMap<PathBuf, bool>),
    /// Store a decision about names.
    Decide(Decision),
    /// Set the columns of a table with unknown columns.
    Columns(Box<ColumnMap>),
}

impl Change {
    /// Creates a change that opens a popup.
    pub fn pop_up(popup: impl Into<Popup>) -> Self {
        Self::PopUp(Box::new(popup.into()))
    }

    /// Creates a change that shows a notice.
    pub fn say(words: impl Into<String>) -> Self {
        Self::Say(words.into())
    }

    /// Copies a text, and shows it in a notice.
    pub fn copied(text: String) -> Vec<Self> {
        let said = format!("copied {}", visible(&text));
        vec![Self::Say(said), Effect::Copy(text).into()]
    }
}

impl From<Effect> for Change {
    fn from(effect: Effect) -> Self {
        Self::Do(effect)
    }
}

/// Samples to open as a list, and the sample to show.
#[derive(Clone, Debug)]
pub struct SampleRows {
    /// Predictions by their row in the table.
    pub list: Vec<u32>,
    /// Source of the list.
    pub of: ListSource,
    /// Position of the sample to show.
    pub at: usize,
    /// The second model, `None` to keep the current one.
    pub second: Option<SecondModel>,
}

/// A lens, and how to open its samples.
#[derive(Clone, Debug)]
pub struct DrillDown {
    /// Lens to set.
    pub lens: Lens,
    /// Sort order, `None` to keep the current one.
    pub sort: Option<Sort>,
    /// True to show the answer of the second model, which the lens or the selection determines.
    pub second: bool,
}

impl DrillDown {
    /// Opens the samples of a lens in the current order.
    pub const fn new(lens: Lens) -> Self {
        Self {
            lens,
            sort: None,
            second: false,
        }
    }
}

impl From<DrillDown> for Change {
    fn from(drill: DrillDown) -> Self {
        Self::OpenLens(Box::new(drill))
    }
}

/// A step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// Open the search line.
    Open,
    /// Search for these words.
    For(String),
    /// Move by this many matches.
    By(isize),
    /// Close the search line and go to the first match after the current position.
    Enter,
}

/// A judging action on the sample under the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelAction {
    /// Give a verdict on the sample under the cursor.
    Verdict(Verdict),
    /// Set the correct label; empty if unknown.
    RightLabel(String),
    /// Add a note to the verdict on the sample under the cursor.
    Note(String),
    /// Undo the last verdict.
    Undo,
    /// Redo the last undone verdict.
    Redo,
    /// Show or hide the models' answers.
    Reveal,
}

/// Reply of a layer to an input.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The layer handled the input and requests these changes.
    Consumed(Vec<Change>),
    /// Offer the input to the layers below.
    PassOn,
}

impl Reply {
    /// Handled, without changes.
    pub const DONE: Self = Self::Consumed(Vec::new());

    /// Handled, with one change.
    pub fn with(change: impl Into<Change>) -> Self {
        Self::Consumed(vec![change.into()])
    }

    /// Returns the requested changes; empty if the input is passed on.
    pub fn changes(self) -> Vec<Change> {
        match self {
            Self::Consumed(changes) => changes,
            Self::PassOn => Vec::new(),
        }
    }

    /// Handled, with a notice.
    pub fn say(words: impl Into<String>) -> Self {
        Self::with(Change::say(words))
    }
}

impl From<Vec<Change>> for Reply {
    fn from(changes: Vec<Change>) -> Self {
        Self::Consumed(changes)
    }
}
