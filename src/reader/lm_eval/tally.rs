//! Values of one metric over the samples of a task. They show whether the harness's aggregate is
//! their mean.
//!
//! A single outlier must not change the result: a row without a value, or a value far from all
//! others.

/// Maximum difference between a mean and an equal aggregate.
const SAME: f64 = 1e-6;
/// A value is an outlier if its distance from the range of all other values is greater than this
/// multiple of the range.
const FAR: f64 = 10.0;
/// One in this many values can be an outlier, but at least one value.
const ODD_OF: u64 = 20;

/// Count, sum and range of values. Smallest and largest value are not part of the sum, because a
/// huge value would reduce its precision.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    count: u64,
    low: f64,
    high: f64,
    /// Sum of all values except the smallest and the largest.
    inner: f64,
    /// Range of all values except the smallest and the largest.
    range: Option<(f64, f64)>,
    /// Number of values that are 1.
    ones: u64,
    /// Number of values that are neither 0 nor 1.
    others: u64,
}

impl Tally {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let is = |known: f64| (value - known).abs() < f64::EPSILON;
        self.ones += u64::from(is(1.0));
        self.others += u64::from(!is(1.0) && !is(0.0));
        if self.count == 1 {
            (self.low, self.high) = (value, value);
            return;
        }
        let between = if value > self.high {
            std::mem::replace(&mut self.high, value)
        } else if value < self.low {
            std::mem::replace(&mut self.low, value)
        } else {
            value
        };
        if self.count == 2 {
            // The first two values are the smallest and the largest.
            (self.low, self.high) = (self.low.min(between), self.high.max(between));
            return;
        }
        self.inner += between;
        let (low, high) = self.range.unwrap_or((between, between));
        self.range = Some((low.min(between), high.max(between)));
    }

    /// Returns the number of values.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// True if `aggregate` is the mean of the values, or would be their mean without a few
    /// outliers. Outliers are `missing` rows without a value, `lost` unreadable rows, and one value
    /// far from all others.
    pub fn has_mean(&self, aggregate: f64, missing: u64, lost: u64) -> bool {
        let whole = Part {
            count: self.count,
            sum: self.sum(),
            low: self.low,
            high: self.high,
        };
        let is_mean = |part: &Part| (part.sum / part.length() - aggregate).abs() < SAME;
        is_mean(&whole)
            || whole.completes(aggregate, missing, lost)
            || self
                .without_odd()
                .is_some_and(|part| part.completes(aggregate, missing + 1, lost))
            || self.is_binary() && self.others > 0 && {
                let part = self.without_others();
                part.completes(aggregate, missing + self.others, lost)
            }
    }

    /// True if the values are 0 and 1, except for a few outliers.
    pub fn is_binary(&self) -> bool {
        self.others <= (self.count / ODD_OF).max(1) && self.count > 2 * self.others
    }

    /// Returns count and sum of the values 0 and 1.
    const fn without_others(&self) -> Part {
        Part {
            count: self.count - self.others,
            sum: length(self.ones),
            low: 0.0,
            high: 1.0,
        }
    }

    fn sum(&self) -> f64 {
        match self.count {
            0 => 0.0,
            1 => self.high,
            _ => self.inner + self.low + self.high,
        }
    }

    /// Returns the values without the smallest or the largest, if this value is far from the
    /// others; otherwise `None`.
    fn without_odd(&self) -> Option<Part> {
        let (low, high) = self.range?;
        let part = |left: f64| Part {
            count: self.count - 1,
            sum: self.inner + left,
            low: low.min(left),
            high: high.max(left),
        };
        let far = |from: f64| FAR * from.max(1.0);
        if self.high - high > far(high - self.low) {
            Some(part(self.low))
        } else if low - self.low > far(self.high - low) {
            Some(part(self.high))
        } else {
            None
        }
    }
}

/// Count, sum and range of some of the values.
struct Part {
    count: u64,
    sum: f64,
    low: f64,
    high: f64,
}

impl Part {
    fn length(&self) -> f64 {
        length(self.count)
    }

    /// True if `missing` and `lost` additional values in the same range can make `aggregate` the
    /// mean.
    fn completes(&self, aggregate: f64, missing: u64, lost: u64) -> bool {
        let more = missing + lost;
        let all = self.count + more;
        let rest = aggregate * length(all) - self.sum;
        let (low, high) = (self.low * length(more), self.high * length(more));
        let slack = SAME * length(all);
        self.count > 0
            && more > 0
            && (missing == 0 || missing <= (all / ODD_OF).max(1))
            && (low - slack..=high + slack).contains(&rest)
    }
}

#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
const fn length(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn tally(values: &[f64]) -> Tally {
        let mut tally = Tally::default();
        values.iter().for_each(|value| tally.add(*value));
        tally
    }

    #[test]
    fn one_odd_row_leaves_a_mean_a_mean() {
        let all = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
        assert!(tally(&all).has_mean(0.6, 0, 0));
        assert!(tally(&all[1..]).has_mean(0.6, 1, 0), "one has no value");
        assert!(
            tally(&all[4..]).has_mean(0.6, 0, 4),
            "four lines are damaged"
        );
        for odd in [1e300, -1e300, 1e6, 0.5, -0.5, 2.0, -1.0] {
            let mut values = all;
            values[3] = odd;
            assert!(tally(&values).has_mean(0.6, 0, 0), "{odd}");
        }
    }

    #[test]
    fn what_is_no_mean_stays_none() {
        let all = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
        for aggregate in [0.3, 0.5, 0.7, 0.85] {
            assert!(!tally(&all).has_mean(aggregate, 0, 0), "{aggregate}");
        }
        assert!(
            !tally(&all[..5]).has_mean(0.1, 5, 0),
            "half of the rows are missing"
        );
        let graded = [0.1, 0.25, 0.3, 0.47, 0.5, 0.62, 0.7, 0.81, 0.9, 0.95];
        assert!(!tally(&graded).has_mean(0.61, 0, 0));
        assert!(!Tally::default().has_mean(0.5, 0, 0));
    }
}
