//! The list of samples, which the sample on screen is one of.

use std::collections::BTreeMap;

use record::{Generation, Moved, Row};
use widget::table::TableState;
use workspace::answered::{Group, GroupBy};
use workspace::outline::Outline;
use workspace::page::Sort;

/// A column of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListColumn {
    /// Right or wrong.
    Verdict,
    /// The sample's id.
    Sample,
    /// The annotated answer.
    Target,
    /// The model's answer.
    Answer,
    /// Its score.
    Score,
    /// The score of the model with which it is compared.
    Versus,
    /// The model.
    Model,
    /// The ability.
    Ability,
    /// The condition under which it was asked.
    Condition,
    /// What people say of the label.
    Label,
    /// The question.
    Question,
    /// A tag of the sample.
    Tag(String),
    /// Another model's answer.
    AnswerOf(String),
}

impl ListColumn {
    /// Those that every list may have, in their order.
    pub const OWN: [Self; 11] = [
        Self::Verdict,
        Self::Sample,
        Self::Target,
        Self::Answer,
        Self::Score,
        Self::Versus,
        Self::Model,
        Self::Ability,
        Self::Condition,
        Self::Label,
        Self::Question,
    ];

    /// Its title.
    pub fn title(&self) -> &str {
        match self {
            Self::Verdict => "",
            Self::Sample => "sample",
            Self::Target => "target",
            Self::Answer => "answer",
            Self::Score => "score",
            Self::Versus => "other",
            Self::Model => "model",
            Self::Ability => "ability",
            Self::Condition => "condition",
            Self::Label => "label",
            Self::Question => "question",
            Self::Tag(name) | Self::AnswerOf(name) => name,
        }
    }

    /// The order that it gives the list; `None` where none does.
    pub const fn sort(&self) -> Option<Sort> {
        match self {
            Self::Verdict | Self::Score => Some(Sort::Worst),
            Self::Sample => Some(Sort::Sample),
            Self::Target => Some(Sort::Target),
            Self::Versus => Some(Sort::Gap),
            Self::Model => Some(Sort::Model),
            Self::Ability => Some(Sort::Ability),
            Self::Condition => Some(Sort::Condition),
            Self::Question => Some(Sort::Question),
            Self::Answer | Self::Label | Self::Tag(_) | Self::AnswerOf(_) => None,
        }
    }
}

/// How the samples are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// A list, one prediction a row.
    #[default]
    List,
    /// A sheet of their pictures.
    Sheet,
    /// A matrix of everybody's answers.
    Matrix,
    /// Targets against answers.
    Confusion,
}

impl Look {
    /// The next, around the end.
    pub const fn next(self) -> Self {
        match self {
            Self::List => Self::Sheet,
            Self::Sheet => Self::Matrix,
            Self::Matrix => Self::Confusion,
            Self::Confusion => Self::List,
        }
    }
}

/// What the user chose of the list's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// Columns that are shown or hidden, whatever they hold.
    pub shown: BTreeMap<ListColumn, bool>,
    /// By how much columns are wider or narrower than usual, in steps.
    pub wider: BTreeMap<ListColumn, i16>,
}

/// What the list of samples holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOf {
    /// What passes the lens.
    #[default]
    Lens,
    /// The spot check.
    Check,
    /// Samples that were selected in another view.
    Flagged,
}

/// The list of samples.
#[derive(Clone, Debug)]
pub struct SampleList {
    /// Predictions, by their row in the table.
    pub rows: Vec<u32>,
    /// What they have in common.
    pub outline: Outline,
    /// The query that they answer, and the table that they are rows of.
    pub answers: Option<(engine::Samples, Generation)>,
    /// What they are.
    pub of: ListOf,
    /// The cursor.
    pub table: TableState,
    /// How it is shown.
    pub look: Look,
    /// Which columns it has.
    pub columns: ColumnChoice,
    /// Their order.
    pub sort: Sort,
    /// The tag that gives the order instead, if one does.
    pub by_tag: Option<String>,
    /// True if the order is reversed.
    pub reverse: bool,
    /// What tells the groups apart in which it is wanted.
    pub group: Option<GroupBy>,
    /// What told apart the groups that it has.
    pub grouped: Option<GroupBy>,
    /// Its groups, one after another; empty where it has none.
    pub groups: Vec<Group>,
    /// The prediction that was selected last, from which a range begins.
    pub anchor: Option<u32>,
}

impl Default for SampleList {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            outline: Outline::default(),
            answers: None,
            of: ListOf::default(),
            table: TableState::default(),
            look: Look::default(),
            columns: ColumnChoice::default(),
            sort: Sort::Worst,
            by_tag: None,
            reverse: false,
            group: None,
            grouped: None,
            groups: Vec::new(),
            anchor: None,
        }
    }
}

impl SampleList {
    /// Rows stand elsewhere: each one that is kept goes by its new number, and the cursor with it.
    pub fn renumber(&mut self, moved: &Moved) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        let rows = std::mem::take(&mut self.rows);
        let at = self.table.selected;
        let gone = rows.iter().take(at).filter(|row| new(**row).is_none());
        self.table.selected = at - gone.count().min(at);
        self.rows = rows.into_iter().filter_map(new).collect();
        self.anchor = self.anchor.and_then(new);
        // The next list has them again.
        self.groups.clear();
    }

    /// The row under the cursor.
    pub fn here(&self) -> Option<u32> {
        self.at(0)
    }

    /// The row so many steps away from the cursor.
    pub fn at(&self, step: isize) -> Option<u32> {
        let at = self.table.selected.checked_add_signed(step)?;
        self.rows.get(at).copied()
    }

    /// Returns true if the list is the spot check.
    pub fn is_check(&self) -> bool {
        self.of == ListOf::Check
    }
}

/// Which model's answer stands beside the first one's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// The other model of a comparison, else the first selected one that is not the sample's own.
    #[default]
    Picked,
    /// This one.
    Model(String),
    /// None.
    Nobody,
}
