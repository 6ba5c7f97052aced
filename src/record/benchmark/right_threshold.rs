//! Decides whether a score counts as a right answer.

use super::{Direction, Metric, known_direction, unfiltered};

/// Score threshold for a right answer, with the metric's direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RightThreshold {
    direction: Direction,
    from: f64,
    /// True if the second score, when present, decides instead of the first.
    by_second: bool,
    /// True for the ratio rule of depth (delta < 1.25). The larger of answer and target is divided
    /// by the smaller; the answer is right if the result is below 1.25.
    by_ratio: bool,
}

/// Ability with the ratio rule: an answer is right if its ratio to the target is below 1.25.
const DEPTH: &str = "absolute_depth";
/// Smallest `CIEDE2000` difference that people notice.
///
/// Source: M. Mahy, L. Van Eycken, A. Oosterlinck, "Evaluation of uniform color spaces developed
/// after the adoption of CIELAB and CIELUV", Color Research and Application 19 (1994).
const JUST_NOTICEABLE: f64 = 2.3;
/// Ratio of answer and target below which a depth is right.
const DEPTH_RATIO: f64 = 1.25;

impl RightThreshold {
    /// True if an ability has its own threshold, independent of the metric.
    pub fn is_own_in(ability: &str) -> bool {
        ability == DEPTH
    }

    /// Returns the default threshold of a metric in an ability, in the metric's unit. Fractions
    /// must be 1, overlaps and similarities at least 0.5. Numbers must be exact, except that
    /// absolute depth needs delta < 1.25. Colours can differ by at most 2.3.
    pub fn of(ability: &str, metric: &str) -> Self {
        let metric = unfiltered(metric);
        let known = Metric::from_name(metric.strip_prefix("median_").unwrap_or(metric));
        let direction = known_direction(metric).unwrap_or(Direction::Higher);
        let from = match known {
            Some(Metric::Anls | Metric::Iou | Metric::Giou) => 0.5,
            Some(Metric::MaeOverGt) if Self::is_own_in(ability) => {
                return Self {
                    by_ratio: true,
                    ..Self::from_score(direction, DEPTH_RATIO - 1.0)
                };
            }
            Some(Metric::MaeOverGt) => 0.0,
            Some(Metric::Ciede2000) => JUST_NOTICEABLE,
            None if direction == Direction::Lower => 0.0,
            _ => 1.0,
        };
        Self {
            by_second: known == Some(Metric::MaeOverGt),
            ..Self::from_score(direction, from)
        }
    }

    /// Returns the threshold used in exams with difficulty levels, to compute acuity. Text can have
    /// one wrong character in five, a box must overlap by 0.5, and a count must be exact. Other
    /// numbers can be off by 20%, a colour by 10 (CIEDE2000).
    pub fn in_exam(ability: &str, metric: &str) -> Self {
        let usual = Self::of(ability, metric);
        let from = match Metric::from_name(unfiltered(metric)) {
            Some(Metric::Anls) => 0.8,
            Some(Metric::MaeOverGt) if ability != "counting" => 0.2,
            Some(Metric::Ciede2000) => 10.0,
            _ => return usual,
        };
        Self::from_score(usual.direction, from)
    }

    /// Returns a threshold at the given score.
    pub const fn from_score(direction: Direction, from: f64) -> Self {
        Self {
            direction,
            from,
            by_second: false,
            by_ratio: false,
        }
    }

    /// Returns the threshold for another direction: unchanged if the direction is the same.
    /// Otherwise the threshold is 1 if higher is better and 0 if lower is better.
    #[must_use]
    pub fn towards(self, direction: Direction) -> Self {
        if direction == self.direction {
            return self;
        }
        let from = match direction {
            Direction::Higher => 1.0,
            Direction::Lower => 0.0,
        };
        Self::from_score(direction, from)
    }

    /// Returns the score from which an answer is right; `None` if the second score or the ratio
    /// decides.
    pub const fn threshold(self) -> Option<f64> {
        if self.by_second || self.by_ratio {
            None
        } else {
            Some(self.from)
        }
    }

    /// Returns the initial value of the threshold when the user adjusts it. For the ratio rule,
    /// this is the largest relative error of an answer above its target.
    pub const fn start(self) -> f64 {
        if self.by_second { 0.0 } else { self.from }
    }

    /// Describes the threshold: `≥ 0.5`, `≤ 1`, `exact`, `exact when rounded`. `None` if only the
    /// score 1 is right.
    #[expect(clippy::float_cmp, reason = "thresholds are written, not computed")]
    pub fn words(self) -> Option<String> {
        match self.direction {
            _ if self.by_second => Some("exact when rounded".to_owned()),
            _ if self.by_ratio => Some("factor < 1.25".to_owned()),
            Direction::Lower if self.from == 0.0 => Some("exact".to_owned()),
            Direction::Lower => Some(format!("≤ {}", self.from)),
            Direction::Higher if self.from == 1.0 => None,
            Direction::Higher => Some(format!("≥ {}", self.from)),
        }
    }

    /// Like [`Self::judge`], for an answer below its target. Only the ratio rule distinguishes
    /// these answers.
    pub fn judge_below(self, score: f64, second: f64) -> Option<bool> {
        if self.by_ratio {
            return (!score.is_nan()).then_some(score < 1.0 - 1.0 / DEPTH_RATIO);
        }
        self.judge(score, second)
    }

    /// Returns whether an answer with these scores is right; `None` without a score. `NaN` stands
    /// for a missing score.
    pub fn judge(self, score: f64, second: f64) -> Option<bool> {
        if self.by_second && !second.is_nan() {
            return Some(second >= 1.0);
        }
        if self.by_ratio {
            return (!score.is_nan()).then_some(score < self.from);
        }
        (!score.is_nan()).then_some(match self.direction {
            Direction::Higher => score >= self.from,
            Direction::Lower => score <= self.from,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RightThreshold;

    #[test]
    fn each_metric_has_one_threshold() {
        for (metric, right, wrong) in [
            ("accuracy", 1.0, 0.99),
            ("anls", 0.5, 0.49),
            ("giou", 0.5, -1.0),
            ("ciede2000", 2.3, 2.31),
            ("median_ciede2000", 2.3, 2.31),
            ("mae_over_gt", 0.0, 0.1),
            ("wer", 0.0, 0.1),
            ("exact_match", 1.0, 0.0),
        ] {
            let judge = |score| RightThreshold::of("", metric).judge(score, f64::NAN);
            assert_eq!(
                (judge(right), judge(wrong), judge(f64::NAN)),
                (Some(true), Some(false), None),
                "{metric}"
            );
        }
    }

    #[test]
    fn an_exam_has_rules_of_its_own_for_graded_metrics() {
        for (ability, metric, words) in [
            ("ocr", "anls", Some("≥ 0.8")),
            ("counting", "mae_over_gt", Some("exact when rounded")),
            ("absolute_depth", "mae_over_gt", Some("≤ 0.2")),
            ("color", "ciede2000", Some("≤ 10")),
            ("localization", "giou", Some("≥ 0.5")),
            ("texture", "accuracy", None),
        ] {
            let found = RightThreshold::in_exam(ability, metric).words();
            assert_eq!(found.as_deref(), words, "{ability}");
        }
    }

    #[test]
    fn graded_metrics_say_from_where_on() {
        let words = ["giou", "ciede2000", "mae_over_gt", "accuracy"]
            .map(|name| RightThreshold::of("counting", name).words());
        let expected = [
            Some("≥ 0.5"),
            Some("≤ 2.3"),
            Some("exact when rounded"),
            None,
        ];
        assert_eq!(words.each_ref().map(Option::as_deref), expected);
        let thresholds = ["giou", "ciede2000", "mae_over_gt"]
            .map(|name| RightThreshold::of("", name).threshold());
        assert_eq!(thresholds, [Some(0.5), Some(2.3), None]);
    }

    #[test]
    fn a_depth_is_right_below_a_ratio_of_1_25_to_its_target() {
        let right = RightThreshold::of("absolute_depth", "mae_over_gt");
        assert_eq!(right.words().as_deref(), Some("factor < 1.25"));
        // Answers of 4.9 m and 5 m, then 3.3 m and 3.1 m, to a target of 4 m.
        let above = [0.225, 0.25].map(|score| right.judge(score, 0.0));
        let below = [0.175, 0.225].map(|score| right.judge_below(score, 0.0));
        assert_eq!(
            (above, below),
            ([Some(true), Some(false)], [Some(true), Some(false)])
        );
        assert_eq!(right.judge(f64::NAN, 1.0), None);
    }

    #[test]
    fn a_second_score_says_right_or_wrong_only_beside_an_error() {
        let judge =
            |metric, score, second| RightThreshold::of("counting", metric).judge(score, second);
        assert_eq!(judge("mae_over_gt", 0.1, 1.0), Some(true));
        assert_eq!(judge("mae_over_gt", f64::NAN, 0.0), Some(false));
        assert_eq!(judge("giou", 0.4, 1.0), Some(false));
    }
}
