//! Bins of numeric tags, with the defaults from the papers.

/// Ways to bin the values of a numeric tag.
#[derive(Clone, Debug, PartialEq)]
pub enum Bins {
    /// The given edges; bins are half-open `[lo, hi)`, except for the closed last bin.
    Edges(Vec<f64>),
    /// The given edges; bins are `(lo, hi]`, and the outer bins are unbounded. Used by AVA-Bench's
    /// evaluators.
    UpTo(Vec<f64>),
    /// For whole numbers: ranges with the given upper ends, followed by an unbounded range.
    Ranges(Vec<u32>),
    /// One bin per distinct value.
    Values,
    /// The given number of bins with equal counts.
    Quantile(usize),
    /// The given number of bins of equal width.
    Width(usize),
    /// The given number of bins of equal width on a logarithmic axis.
    Log(usize),
}

/// Tags with at most this many distinct whole numbers get one bin per number.
const MOST_VALUES: usize = 12;

/// Returns the default bins of a tag. Box area follows AVA-Bench Figure 8; count, depth and text
/// length follow AVA-Bench's evaluators. Other tags get one bin per value if they have few distinct
/// whole numbers, else quintiles. Automatic tags use the bins of the corresponding log tags. Box
/// areas in pixels use COCO's size classes.
///
/// `distinct` is the number of distinct values if all of them are whole numbers.
pub fn default_bins(tag: &str, distinct: Option<usize>) -> Bins {
    match tag {
        "box_area" | "auto.box_area" | "mask_area" | "auto.mask_area" => {
            Bins::Edges(vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0])
        }
        "count" | "auto.count" | "text_length" => Bins::Ranges(vec![5, 10, 20]),
        "depth_m" => Bins::UpTo(vec![5.0, 10.0, 20.0]),
        "auto.box_pixels" | "auto.mask_pixels" => Bins::UpTo(vec![1024.0, 9216.0]),
        _ if distinct.is_some_and(|distinct| distinct <= MOST_VALUES) => Bins::Values,
        _ => Bins::Quantile(5),
    }
}
