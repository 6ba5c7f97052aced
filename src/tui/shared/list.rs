//! The list of samples. The sample view shows the sample under its cursor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::widget::table::TableState;
use engine::Likeness;
use record::{Generation, Row, RowMap};
use workspace::answered::{Group, GroupBy};
use workspace::outline::Outline;
use workspace::page::Sort;

/// A column of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListColumn {
    /// Whether the answer is right.
    Verdict,
    /// Sample id.
    Sample,
    /// Annotated answer.
    Target,
    /// The model's answer.
    Answer,
    /// The answer's score.
    Score,
    /// Score of the model to compare with.
    Versus,
    /// Name of the model.
    Model,
    /// Name of the ability.
    Ability,
    /// Condition of the request.
    Condition,
    /// A person's verdict on the label: ok, wrong, ambiguous, bad image.
    Label,
    /// Number of the sample's pictures.
    Pictures,
    /// Text of the question.
    Question,
    /// Value of the tag with this name.
    Tag(String),
    /// Answer of the model with this name.
    AnswerOf(String),
}

impl ListColumn {
    /// Columns that every list can have, in order.
    pub const OWN: [Self; 12] = [
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
        Self::Pictures,
        Self::Question,
    ];

    /// Returns the column's title.
    pub fn title(&self) -> &str {
        match self {
            Self::Verdict => "",
            Self::Sample => "sample",
            Self::Target => "target",
            Self::Answer => "answer",
            Self::Score => "score",
            Self::Versus => "A - B",
            Self::Model => "model",
            Self::Ability => "ability",
            Self::Condition => "condition",
            Self::Label => "label",
            Self::Pictures => "pictures",
            Self::Question => "question",
            Self::Tag(name) | Self::AnswerOf(name) => name,
        }
    }

    /// Returns the sort order for this column; `None` if it cannot sort the list.
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
            Self::Answer | Self::Label | Self::Pictures | Self::Tag(_) | Self::AnswerOf(_) => None,
        }
    }
}

/// Sort order by a property that only some samples have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherOrder {
    /// By the values of this tag.
    Tag(String),
    /// By the likeness to a sample.
    Like(Likeness),
}

/// Look of the samples view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// A list, one prediction per row.
    #[default]
    List,
    /// A sheet of pictures.
    Sheet,
    /// A matrix of all models' answers.
    Matrix,
    /// The confusion matrix.
    Confusion,
}

impl Look {
    /// Returns the next look, cycling.
    pub const fn next(self) -> Self {
        match self {
            Self::List => Self::Sheet,
            Self::Sheet => Self::Matrix,
            Self::Matrix => Self::Confusion,
            Self::Confusion => Self::List,
        }
    }
}

/// The user's settings for the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// Columns that the user shows (true) or hides (false). All other columns are shown if useful.
    pub shown: BTreeMap<ListColumn, bool>,
    /// The user's change of a column's width, in steps from its default.
    pub wider: BTreeMap<ListColumn, i16>,
}

/// Source of the list's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListSource {
    /// Samples of the lens.
    #[default]
    Lens,
    /// Samples of the spot check.
    Check,
    /// Samples that another view collected, such as flagged or rerun samples.
    Flagged,
}

/// The sample list: rows, order, grouping and cursor.
#[derive(Clone, Debug, Default)]
pub struct SampleList {
    /// Predictions by their row in the table.
    pub rows: Vec<u32>,
    /// Count of changes of the rows, used as a cache key.
    pub revision: u64,
    /// Properties shared by all rows.
    pub outline: Outline,
    /// The query that returned these rows, and the table's generation.
    pub answers: Option<(engine::Samples, Generation)>,
    /// Source of the content.
    pub of: ListSource,
    /// Cursor and scroll position.
    pub table: TableState,
    /// Look of the samples view.
    pub look: Look,
    /// Settings for the columns.
    pub columns: ColumnChoice,
    /// Sort order.
    pub sort: Sort,
    /// Order that replaces `sort`; `None` if `sort` applies.
    pub other: Option<OtherOrder>,
    /// True to reverse the order.
    pub reverse: bool,
    /// Requested grouping.
    pub group: Option<GroupBy>,
    /// Grouping of the current rows; differs from `group` while a query runs.
    pub grouped: Option<GroupBy>,
    /// Groups, one after another; empty without grouping.
    pub groups: Vec<Group>,
    /// The prediction that was selected last, at which a range starts.
    pub anchor: Option<u32>,
}

impl SampleList {
    /// Updates the row numbers after the table changed, and keeps the cursor on its sample.
    pub fn renumber(&mut self, moved: &RowMap) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        let rows = std::mem::take(&mut self.rows);
        let at = self.table.selected;
        let gone = rows.iter().take(at).filter(|row| new(**row).is_none());
        self.table.selected = at - gone.count().min(at);
        self.rows = rows.into_iter().filter_map(new).collect();
        self.anchor = self.anchor.and_then(new);
        // The next list will contain the groups again.
        self.groups.clear();
        self.revision += 1;
    }

    /// Returns the row under the cursor.
    pub fn here(&self) -> Option<u32> {
        self.at(0)
    }

    /// Returns the row `step` positions after the cursor, or before it if negative.
    pub fn at(&self, step: isize) -> Option<u32> {
        let at = self.table.selected.checked_add_signed(step)?;
        self.rows.get(at).copied()
    }

    /// Returns true if the list is the spot check.
    pub fn is_check(&self) -> bool {
        self.of == ListSource::Check
    }
}

/// The second model, whose answer is shown next to the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SecondModel {
    /// The other model of a comparison. Without a comparison, the first selected model that differs
    /// from the sample's own model.
    #[default]
    Picked,
    /// The model with this name.
    Model(String),
    /// No second model.
    Nobody,
}
