//! What views and popups want changed, and what becomes of an input.

use std::collections::BTreeMap;
use std::path::PathBuf;

use config::{ColumnMap, Said};
use verdict::Verdict;
use widget::heat_grid::HeatGridState;
use workspace::Lens;
use workspace::answered::GroupBy;
use workspace::page::Sort;

use super::action::Action;
use super::effect::Effect;
use super::order::Order;
use super::screen::Flips;
use super::shared::{ColumnChoice, ListColumn, ListOf, Look, Second};

/// A change that a view or a popup wants. The app makes it.
#[derive(Clone, Debug)]
pub enum Change {
    /// Have the outside do something.
    Do(Effect),
    /// Tell the user something.
    Say(String),
    /// Do what another action does.
    Act(Action),
    /// Ask again for what the view shows.
    Refresh,
    /// Move the fingerprint's cursor.
    Cell(HeatGridState),
    /// Select a model, or deselect it.
    Pick(String),
    /// Compare these two.
    Pair([String; 2]),
    /// Show the answer of another second model.
    Second(Second),
    /// Let pictures cost more or fewer bytes.
    Bandwidth,
    /// Show samples in another way.
    Look(Look),
    /// Sort the list of samples by a column; by the same again: the other way round.
    SortBy(ListColumn),
    /// Show other columns in the list of samples.
    ListColumns(Box<ColumnChoice>),
    /// Show samples in these groups, or in none.
    Group(Option<GroupBy>),
    /// Move the cursor of the sample list.
    Select(usize),
    /// Select a prediction of the list, or deselect it.
    Mark(u32),
    /// Select these predictions; where all of them are selected, deselect them.
    MarkAll(Vec<u32>),
    /// Show another sample of the list.
    Show(usize),
    /// Open the sample under the cursor of the list.
    OpenSample,
    /// Open samples as a list, and one of them.
    OpenRows(Box<SampleRows>),
    /// Open samples that were asked again, each with all its answers.
    OpenFlips(Box<Flips>),
    /// Open the samples of a lens.
    OpenLens(Box<Drill>),
    /// Go into a benchmark.
    Benchmark(String),
    /// Look through another lens in the same view; `back` leads to this one.
    Narrow(Lens),
    /// Another filter on the lens.
    Filter(String),
    /// Open a popup.
    PopUp(Opening),
    /// Close the topmost popup.
    Close,
    /// Go to a stop of the tour.
    Tour(usize),
    /// Look for words in the text on screen.
    Find(Find),
    /// Write a file.
    Write(Order),
    /// Judge a label.
    Judge(Judging),
    /// A setting of the live view was typed.
    LiveField(&'static str, String),
    /// Wordings for the live view were typed; true if they are done.
    LiveWords(Vec<String>, bool),
    /// The protocol of the live view.
    LiveProtocol(String),
    /// A row of the playground was typed.
    PlaygroundField(&'static str, String),
    /// What is edited in the playground is kept under this name.
    KeepVariant(String),
    /// Move the score from which on an answer under a metric counts as right, by steps.
    Cut(record::Ability, String, f64),
    /// Take logs in or out.
    Runs(BTreeMap<PathBuf, bool>),
    /// What the user says of names.
    Said(Said),
    /// What the columns of unknown tables are.
    Columns(Box<ColumnMap>),
}

impl From<Effect> for Change {
    fn from(effect: Effect) -> Self {
        Self::Do(effect)
    }
}

/// Samples that are opened as a list.
#[derive(Clone, Debug)]
pub struct SampleRows {
    /// Predictions, by their row in the table.
    pub list: Vec<u32>,
    /// What they are.
    pub of: ListOf,
    /// The one to open.
    pub at: usize,
    /// The model whose answer stands beside theirs, if it is another one than before.
    pub second: Option<Second>,
}

/// Samples that are opened by a lens.
#[derive(Clone, Debug)]
pub struct Drill {
    /// The lens.
    pub lens: Lens,
    /// Their order, if it is another one than before.
    pub sort: Option<Sort>,
    /// True if the second model is the one that the lens or the selection names.
    pub second: bool,
    /// True if the cursor begins at the top.
    pub from_top: bool,
}

impl Drill {
    /// The samples of a lens, from the top.
    pub const fn new(lens: Lens) -> Self {
        Self {
            lens,
            sort: None,
            second: false,
            from_top: true,
        }
    }
}

/// A popup that is to be opened.
#[derive(Clone, Debug)]
pub enum Opening {
    /// The line for a note to a verdict.
    Note(String),
    /// The line for what a wrong label should be.
    RightLabel(String),
    /// The line for a setting of the live view.
    Field(&'static str, String),
    /// The line or, if true, the page for a row of the playground.
    Playground(&'static str, String, bool),
    /// The line for the name of what is kept.
    KeepVariant(String),
    /// The palette, with what is typed into it.
    Palette(String),
    /// A page of the manual.
    Page(&'static manual::Page),
    /// A text to read: what it is, and the text, harmless.
    Told(String, String),
    /// The editor of wordings, and questions to show them on.
    Words(Vec<String>, Vec<record::Content>),
}

/// A step of looking for words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Find {
    /// Open the line for the words.
    Open,
    /// Look for these words.
    For(String),
    /// Go to another place of the words.
    By(isize),
    /// The line was left: go to the first place from here on, if any words were typed.
    Enter,
}

/// What the user says of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judging {
    /// A verdict on the sample under the cursor.
    Verdict(Verdict),
    /// What the label of a sample should be; empty where that is not known.
    RightLabel(String),
    /// A note to the verdict on the sample under the cursor.
    Note(String),
    /// Take the last verdict back.
    Undo,
    /// Say again what was taken back.
    Redo,
    /// Show or hide what the models said.
    Reveal,
}

/// What becomes of an input that is offered to a layer.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It was meant for this layer, and has these consequences.
    Consumed(Vec<Change>),
    /// It is for the layers below.
    PassOn,
}

impl Reply {
    /// Consumed without consequences outside of the layer.
    pub const DONE: Self = Self::Consumed(Vec::new());

    /// Consumed with one consequence.
    pub fn with(change: impl Into<Change>) -> Self {
        Self::Consumed(vec![change.into()])
    }

    /// Consumed, and the user is told something.
    pub fn say(words: impl Into<String>) -> Self {
        Self::with(Change::Say(words.into()))
    }
}

impl From<Vec<Change>> for Reply {
    fn from(changes: Vec<Change>) -> Self {
        Self::Consumed(changes)
    }
}
