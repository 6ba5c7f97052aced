//! What a heat grid shows, in plain values.

use std::borrow::Cow;

/// One cell.
#[derive(Clone, Debug)]
pub struct HeatCell<'a> {
    /// A rank (`3`, `3=` for a tie) or a score; `–` if there is none.
    pub text: Cow<'a, str>,
    /// From 0 (best) to 1 (worst); NaN for no colour.
    pub heat: f64,
    /// Whether the data cannot tell it from its neighbours.
    pub dim: bool,
    /// Whether it is the best of its column.
    pub best: bool,
}

/// One model.
#[derive(Clone, Debug)]
pub struct HeatRow<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Which series it has been picked as.
    pub series: Option<usize>,
    /// Numbers before the cells, such as the average rank.
    pub lead: Vec<Cow<'a, str>>,
    /// One cell per column.
    pub cells: Vec<HeatCell<'a>>,
    /// Whether it stands apart from the others, which is dim.
    pub apart: bool,
}

/// One ability.
#[derive(Clone, Copy, Debug)]
pub struct HeatColumn<'a> {
    /// Three letters.
    pub short: &'a str,
    /// The name, for wide screens.
    pub long: &'a str,
}

/// What lies under the mouse: a cell, a name (no column) or a title (no row).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatSpot {
    /// The model.
    pub row: Option<usize>,
    /// The ability.
    pub column: Option<usize>,
}
