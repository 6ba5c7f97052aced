//! Popups: a stack over the screen, the topmost with the keyboard.

use engine::Query;

use super::shared::Shared;

mod asked;
mod columns;
mod filter;
mod find;
mod group_by;
mod help;
mod line;
mod list_columns;
mod matrix;
mod page;
mod palette;
mod part;
mod ranks;
mod runs;
mod scorers;
mod slices;
mod text;
mod tour;
mod trend;
mod wins;
mod words;

#[cfg(test)]
mod across_tests;
#[cfg(test)]
mod tests;

pub use asked::{Asked, Unclear};
pub use columns::{ColumnsAsked, questions as columns_asked};
pub use filter::FilterTyping;
pub use find::Find;
pub use group_by::GroupPicker;
pub use help::Help;
pub use line::{Purpose, TypedLine};
pub use list_columns::ListColumns;
pub use matrix::MatrixGrid;
pub use page::Page;
pub use palette::Palette;
#[cfg(test)]
pub use palette::palette_matches;
pub use part::{Overlay, outer, short};
pub use ranks::Ranks;
pub use runs::RunPicker;
pub use scorers::Scorers;
pub use slices::SlicesFound;
pub use text::{Text, Told};
pub use tour::{TOUR, Tour};
pub use trend::TrendChart;
pub use wins::WinGrid;
pub use words::Editor;

/// The query whose answer a popup shows, if that is not known yet.
pub fn unanswered(popup: &Popup, shared: &Shared) -> Option<Query> {
    let popup = popup.overlay();
    popup.query(shared).filter(|_| !popup.is_known(shared))
}

/// One row per popup: what it is, its name, its type.
macro_rules! popups {
    ($($(#[$what:meta])* $popup:ident($type:ty),)*) => {
        /// Something that lies over the screen.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "few are open at once")]
        pub enum Popup { $($(#[$what])* $popup($type),)* }

        impl Popup {
            /// What it does.
            pub fn overlay(&self) -> &dyn Overlay {
                match self { $(Self::$popup(popup) => popup,)* }
            }

            /// What it does, to change it.
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
    /// Returns true if it is a line over the popup below, which stays in sight.
    pub const fn is_line_over(&self) -> bool {
        matches!(self, Self::Find(_))
    }
}

popups! {
    /// The keys of the view.
    Help(Help),
    /// Actions by name.
    Palette(Palette),
    /// The filter line.
    Filter(FilterTyping),
    /// The words that are looked for in the text below.
    Find(Find),
    /// A line that is typed for something.
    Line(TypedLine),
    /// A text of several lines for the playground.
    Page(Page),
    /// Wordings of one's own for a live model.
    Words(Editor),
    /// A stop of the tour.
    Tour(Tour),
    /// The subgroups that depart from the rest of their ability.
    Slices(SlicesFound),
    /// What the ranks rest on.
    Ranks(Ranks),
    /// Who is better than whom.
    Wins(WinGrid),
    /// All benchmarks at once.
    Matrix(MatrixGrid),
    /// Score against size or date.
    Trend(TrendChart),
    /// What names mean that are not clear.
    Asked(Asked),
    /// Which logs are in, and how their runs were made.
    Runs(RunPicker),
    /// What the columns of a table are.
    Columns(ColumnsAsked),
    /// What the columns of the list of samples are.
    ListColumns(ListColumns),
    /// By what samples are grouped.
    Groups(GroupPicker),
    /// Where the two rules disagree.
    Scorers(Scorers),
    /// A text to read.
    Text(Text),
}
