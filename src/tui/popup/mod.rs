//! Popups: a stack over the screen. The topmost popup has the keyboard focus.

use engine::Query;

use super::shared::AppState;

mod columns;
mod filter;
mod find;
mod group_by;
mod help;
mod jump;
mod line;
mod list_columns;
mod map;
mod matrix;
mod name_questions;
mod palette;
mod part;
mod picker;
mod ranks;
mod runs;
mod scorers;
mod slices;
mod tags;
mod text;
mod tour;
mod trend;
mod wins;
mod words;

#[cfg(test)]
mod across_tests;
#[cfg(test)]
mod tests;

pub use columns::{ColumnForm, questions as columns_asked};
pub use filter::FilterTyping;
pub use find::SearchLine;
pub use group_by::GroupPicker;
pub use help::Help;
pub use jump::JumpPicker;
pub use line::{LinePurpose, MultilineInput, TypedLine};
pub use list_columns::ListColumns;
pub use map::PictureMap;
pub use matrix::MatrixGrid;
pub use name_questions::{NameQuestion, NameQuestions};
pub use palette::Palette;
#[cfg(test)]
pub use palette::palette_matches;
pub use part::{Overlay, outer, short};
pub use ranks::Ranks;
pub use runs::RunPicker;
pub use scorers::Scorers;
pub use slices::SliceTable;
pub use tags::TagPicker;
pub use text::Text;
pub use tour::{TOUR, Tour};
pub use trend::TrendChart;
pub use wins::WinGrid;
pub use words::WordingEditor;

/// Returns a popup's query if its answer is missing.
pub fn unanswered(popup: &Popup, shared: &AppState) -> Option<Query> {
    let popup = popup.overlay();
    popup.query(shared).filter(|_| !popup.is_known(shared))
}

/// One row per popup: description, name, type.
macro_rules! popups {
    ($($(#[$what:meta])* $popup:ident($type:ty),)*) => {
        /// A popup over the screen.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "few are open at once")]
        pub enum Popup { $($(#[$what])* $popup($type),)* }

        impl Popup {
            /// Returns the popup as a trait object.
            pub fn overlay(&self) -> &dyn Overlay {
                match self { $(Self::$popup(popup) => popup,)* }
            }

            /// Returns the popup as a mutable trait object.
            pub fn overlay_mut(&mut self) -> &mut dyn Overlay {
                match self { $(Self::$popup(popup) => popup,)* }
            }
        }

        $(impl From<$type> for Popup {
            fn from(popup: $type) -> Self {
                Self::$popup(popup)
            }
        })*
    };
}

impl Popup {
    /// Returns true for the search line, behind which the previous popup stays visible.
    pub const fn is_line_over(&self) -> bool {
        matches!(self, Self::Find(_))
    }
}

popups! {
    /// Help for the view.
    Help(Help),
    /// The palette of actions.
    Palette(Palette),
    /// The filter line.
    Filter(FilterTyping),
    /// The search line.
    Find(SearchLine),
    /// A single input line.
    Line(TypedLine),
    /// An input of several lines for the playground.
    Page(MultilineInput),
    /// The editor of wordings for a live model.
    Words(WordingEditor),
    /// A stop of the tour.
    Tour(Tour),
    /// Subgroups that differ from the rest of their ability.
    Slices(SliceTable),
    /// The data on which the ranks are based.
    Ranks(Ranks),
    /// Pairwise wins.
    Wins(WinGrid),
    /// Grid of all benchmarks.
    Matrix(MatrixGrid),
    /// Scores against size or date.
    Trend(TrendChart),
    /// Map of the samples by their look.
    Map(PictureMap),
    /// Questions about unclear names.
    NameQuestions(NameQuestions),
    /// Open logs and the settings of their runs.
    Runs(RunPicker),
    /// Meaning of a table's columns.
    Columns(ColumnForm),
    /// Columns of the sample list.
    ListColumns(ListColumns),
    /// Grouping of samples.
    Groups(GroupPicker),
    /// Tags that split an ability.
    Tags(TagPicker),
    /// Places to go to by name.
    Jump(JumpPicker),
    /// Disagreements between the two scoring rules.
    Scorers(Scorers),
    /// A text, for example a page of the manual.
    Text(Text),
}
