//! Facets of a comparison: subsets of the paired answers, each with a filter.

use analysis::PairedDifference;
use workspace::filter::quoted;

/// A subset of a row's samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The two scores differ.
    Differ,
    /// A scores better.
    ABetter,
    /// B scores better.
    BBetter,
    /// Both score the same.
    Equal,
    /// Only A is correct.
    OnlyA,
    /// Only B is correct.
    OnlyB,
    /// Both are correct.
    Both,
    /// Neither is correct.
    Neither,
}

/// Returns the facets of a row, most useful first. A threshold for graded scores adds more facets.
pub fn facets(row: &PairedDifference) -> Vec<Facet> {
    let mut facets = vec![Facet::Differ];
    if row.cells.is_some() {
        facets.extend([Facet::OnlyA, Facet::OnlyB]);
    }
    if row.cells.is_none() || row.right.is_some() {
        facets.extend([Facet::ABetter, Facet::BBetter, Facet::Equal]);
    }
    if row.cells.is_some() {
        facets.extend([Facet::Both, Facet::Neither]);
    }
    facets
}

impl Facet {
    /// Returns the facet's name on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Differ => "differ",
            Self::ABetter => "A better",
            Self::BBetter => "B better",
            Self::Equal => "equal",
            Self::OnlyA => "only A right",
            Self::OnlyB => "only B right",
            Self::Both => "both right",
            Self::Neither => "both wrong",
        }
    }

    /// Returns the number of the row's paired samples in the facet.
    pub fn count(self, row: &PairedDifference) -> u64 {
        let cells = row.cells.unwrap_or_default();
        match self {
            Self::Differ => row.a_better + row.b_better,
            Self::ABetter => row.a_better,
            Self::BBetter => row.b_better,
            Self::Equal => row.equal,
            Self::OnlyA => cells.only_a,
            Self::OnlyB => cells.only_b,
            Self::Both => cells.both,
            Self::Neither => cells.neither,
        }
    }

    /// Returns the filter that selects these samples among A's predictions.
    pub fn filter(self, row: &PairedDifference, a: &str, b: &str) -> String {
        let cut = match row.threshold() {
            _ if row.by_question => "@all".to_owned(),
            Some(from) => format!("@{from}"),
            None => String::new(),
        };
        let [of_a, of_b] = [a, b].map(|model| quoted(&format!("{model}{cut}")));
        let other = quoted(b);
        // The counts include unreadable answers, which the second score counts as wrong. They
        // exclude answers without a score.
        let scored = match row.right {
            Some(right) if right.threshold().is_none() => {
                format!(" (beats:{other} or loses:{other} or ties:{other})")
            }
            _ => String::new(),
        };
        match self {
            Self::Differ if row.by_question => {
                format!("right:{of_a} wrong:{of_b} or wrong:{of_a} right:{of_b}")
            }
            Self::Differ => format!("beats:{other} or loses:{other}"),
            Self::ABetter => format!("beats:{other}"),
            Self::BBetter => format!("loses:{other}"),
            Self::Equal => format!("ties:{other}"),
            Self::OnlyA => format!("right:{of_a} wrong:{of_b}{scored}"),
            Self::OnlyB => format!("wrong:{of_a} right:{of_b}{scored}"),
            Self::Both => format!("right:{of_a} right:{of_b}"),
            Self::Neither => format!("wrong:{of_a} wrong:{of_b}{scored}"),
        }
    }
}
