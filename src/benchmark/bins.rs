//! How a measured quantity is cut into bins: the papers' own, or the user's.

/// How to cut numbers into bins.
#[derive(Clone, Debug, PartialEq)]
pub enum Bins {
    /// At these edges, half-open `[lo, hi)`, the last bin closed.
    Edges(Vec<f64>),
    /// At these edges, `(lo, hi]`, open at both ends, as AVA-Bench's evaluators cut.
    UpTo(Vec<f64>),
    /// Whole numbers: ranges that end at these, the last one open.
    Ranges(Vec<u32>),
    /// One bin for each value.
    Values,
    /// So many bins of equal counts.
    Quantile(usize),
    /// So many bins of equal width.
    Width(usize),
    /// So many bins of equal width on a logarithmic axis.
    Log(usize),
}

/// Most distinct whole numbers that each make a bin of their own.
const MOST_VALUES: usize = 12;

/// The bins of a tag that the user did not cut: AVA-Bench Figure 8 (box area), AVA-Bench's evaluators
/// (count, depth, text length), each value of a few whole numbers, else quintiles.
/// `distinct` counts the tag's distinct values if all are whole numbers.
#[must_use]
pub fn default_bins(tag: &str, distinct: Option<usize>) -> Bins {
    match tag {
        "box_area" => Bins::Edges(vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0]),
        "count" | "text_length" => Bins::Ranges(vec![5, 10, 20]),
        "depth_m" => Bins::UpTo(vec![5.0, 10.0, 20.0]),
        _ if distinct.is_some_and(|distinct| distinct <= MOST_VALUES) => Bins::Values,
        _ => Bins::Quantile(5),
    }
}
