//! Describes a slice in one sentence.

use super::{Outcome, Search, SearchedModels, Slice};
use base::format::{counted, fixed};
use record::benchmark::{Direction, metric_symbol};

impl Slice {
    /// Returns the finding as a sentence, without its ability and model: `wrong more often where
    /// the question has "left of": accuracy 0.310 against 0.620 elsewhere, 214 samples, confirmed
    /// on the held-out half`. The numbers are over all samples of both halves. `search` is the
    /// search that found the slice.
    #[must_use]
    pub fn sentence(&self, search: &Search) -> String {
        let [score, rest] = [self.score, self.rest].map(|value| fixed(Some(value), 3));
        let metric = match (search.outcome, &search.who) {
            (Outcome::Score, _) => format!("{} ", metric_symbol(&self.metric)),
            // The claim about two models does not contain the outcome.
            (Outcome::Unreadable, SearchedModels::Pair(..)) => "unreadable ".to_owned(),
            (Outcome::Unreadable | Outcome::WrongLabel, _) => String::new(),
        };
        let of = match search.who {
            SearchedModels::Pair(..) => "difference ",
            SearchedModels::Everyone | SearchedModels::Model(_) => "",
        };
        let among = match search.outcome {
            Outcome::WrongLabel => "drawn sample",
            Outcome::Score | Outcome::Unreadable => "sample",
        };
        format!(
            "{} where {}: {metric}{of}{score} against {rest} elsewhere, {}, confirmed on the held-out half",
            self.claim(search),
            self.words,
            counted(self.n, among)
        )
    }

    /// Describes how the slice differs from the rest.
    fn claim(&self, search: &Search) -> String {
        let better = match self.direction {
            Direction::Higher => 1.0,
            Direction::Lower => -1.0,
        };
        let is_worse = self.is_worse();
        let claim = match (&search.who, search.outcome) {
            (_, Outcome::WrongLabel) if is_worse => "labels wrong more often",
            (_, Outcome::WrongLabel) => "labels wrong less often",
            (SearchedModels::Pair(a, b), _) => {
                let place = match (is_worse, better * self.score > 0.0) {
                    (true, true) => "less ahead of",
                    (true, false) => "behind",
                    (false, true) => "ahead of",
                    (false, false) => "less behind",
                };
                return format!("{a} {place} {b}");
            }
            (_, Outcome::Unreadable) if is_worse => "unreadable more often",
            (_, Outcome::Unreadable) => "unreadable less often",
            (_, Outcome::Score) => match (is_worse, self.is_share) {
                (true, true) => "wrong more often",
                (true, false) => "worse",
                (false, true) => "right more often",
                (false, false) => "better",
            },
        };
        claim.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Search, SearchedModels, Slice};
    use crate::slices::HeldOut;
    use record::benchmark::Direction;

    fn slice(score: f64, rest: f64) -> Slice {
        Slice {
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            model: None,
            metric: "accuracy".to_owned(),
            direction: Direction::Higher,
            is_share: true,
            expression: "auto.negation:true".to_owned(),
            automatic: Vec::new(),
            words: "the question has \"left of\"".to_owned(),
            n: 1_214,
            score,
            rest,
            difference: score - rest,
            interval: None,
            test: "fisher_exact",
            p_value: 0.0001,
            p_adjusted: 0.01,
            held_out: HeldOut {
                n: 600,
                difference: score - rest,
                p_value: 0.001,
            },
            reversed_by: None,
        }
    }

    #[test]
    fn a_finding_is_one_sentence() {
        assert_eq!(
            slice(0.31, 0.62).sentence(&Search::default()),
            "wrong more often where the question has \"left of\": accuracy 0.310 against 0.620 \
             elsewhere, 1,214 samples, confirmed on the held-out half"
        );
        let error = Slice {
            metric: "mae_over_gt".to_owned(),
            direction: Direction::Lower,
            is_share: false,
            ..slice(0.2, 0.5)
        };
        let sentence = error.sentence(&Search::default());
        assert!(
            sentence.starts_with("better where the question has"),
            "{sentence}"
        );
        assert!(
            sentence.contains(": MAE/GT 0.200 against 0.500"),
            "{sentence}"
        );
    }

    #[test]
    fn two_models_are_ahead_or_behind() {
        let search = Search {
            who: SearchedModels::Pair("a".to_owned(), "b".to_owned()),
            ..Search::default()
        };
        for (score, rest, claim) in [
            (-0.3, 0.1, "a behind b where"),
            (0.1, 0.3, "a less ahead of b where"),
            (0.3, 0.1, "a ahead of b where"),
            (-0.1, -0.3, "a less behind b where"),
        ] {
            let found = slice(score, rest).sentence(&search);
            assert!(found.starts_with(claim), "{found}");
            assert!(
                found.contains(&format!(": accuracy difference {score:.3}")),
                "{found}"
            );
        }
    }

    #[test]
    fn labels_and_unreadable_answers_have_words_of_their_own() {
        let found = |outcome| {
            let search = Search {
                outcome,
                ..Search::default()
            };
            let shares = Slice {
                direction: Direction::Lower,
                ..slice(0.3, 0.1)
            };
            shares.sentence(&search)
        };
        let unreadable = found(Outcome::Unreadable);
        let words = "unreadable more often where the question has \"left of\": 0.300 against 0.100";
        assert!(unreadable.starts_with(words), "{unreadable}");
        let labels = found(Outcome::WrongLabel);
        assert!(
            labels.starts_with("labels wrong more often where"),
            "{labels}"
        );
        assert!(labels.contains("1,214 drawn samples"), "{labels}");
    }
}
