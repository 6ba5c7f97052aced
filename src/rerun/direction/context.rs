//! What the words around a direction say of it: the question, its options and its target together.

use super::lexicon::{is_one, single};
use super::passage::Passage;

/// The words of a question, its options and its target.
#[derive(Default)]
pub struct Context {
    words: Vec<String>,
    /// What the options say, one text each.
    options: Vec<String>,
    /// The question in small letters.
    question: String,
}

impl Context {
    /// From the texts that belong together.
    #[must_use]
    pub fn new(question: &str, options: &[&str], target: Option<&str>) -> Self {
        let texts = std::iter::once(question)
            .chain(options.iter().copied())
            .chain(target);
        let words = texts.flat_map(|text| {
            let passage = Passage::new(text);
            (0..passage.len())
                .map(|at| passage.word(at).to_owned())
                .collect::<Vec<_>>()
        });
        Self {
            words: words.collect(),
            question: question.to_lowercase(),
            options: options
                .iter()
                .map(|text| text.trim().to_lowercase())
                .collect(),
        }
    }

    /// Returns true if one of these words stands anywhere.
    #[must_use]
    pub fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| is_one(word, words))
    }

    /// Returns true if a direction other than this word stands anywhere.
    #[must_use]
    pub fn has_other_than(&self, word: &str) -> bool {
        let mut others = self.words.iter();
        others.any(|other| other != word && single(other).is_some())
    }

    /// Returns true if an option holds these words.
    #[must_use]
    pub fn option_holds(&self, words: &str) -> bool {
        self.options.iter().any(|option| option.contains(words))
    }

    /// Returns true if an option is one of these texts.
    #[must_use]
    pub fn has_option(&self, texts: &[&str]) -> bool {
        self.options
            .iter()
            .any(|option| is_one(option.trim_end_matches('.'), texts))
    }

    /// Returns true if the options name the ways in which something can face, such as front and back.
    #[must_use]
    pub fn is_of_facing(&self) -> bool {
        let faces = |option: &String| {
            let passage = Passage::new(option);
            (0..passage.len()).any(|at| {
                is_one(passage.word(at), &["front", "back", "rear"])
                    && !passage.goes_on(at, &["of"])
            })
        };
        self.options.iter().any(faces)
            && self
                .options
                .iter()
                .any(|option| option.contains("left") || option.contains("right"))
    }

    /// Returns true if the question asks for points of the picture.
    #[must_use]
    pub fn asks_for_points(&self) -> bool {
        self.has(&[
            "point",
            "points",
            "pixel",
            "pixels",
            "coordinate",
            "coordinates",
            "position",
            "positions",
            "click",
            "tap",
            "where",
            "locate",
            "location",
            "locations",
            "keypoint",
            "keypoints",
            "centre",
            "center",
        ])
    }

    /// Returns true if the question asks which of these somebody uses: `which hand`.
    #[must_use]
    pub fn asks_which(&self, words: &[&str]) -> bool {
        let asked = ["which", "what", "whose"];
        words.iter().any(|word| {
            let pairs = asked.iter().map(|which| format!("{which} {word}"));
            pairs.into_iter().any(|pair| self.question.contains(&pair))
        })
    }

    /// Returns true if the question relates two things: `to the left of the van`.
    #[must_use]
    pub fn relates(&self) -> bool {
        [
            "left of the",
            "right of the",
            "left of a",
            "right of a",
            "relative to",
            "respect to",
            "in relation to",
        ]
        .iter()
        .any(|words| self.question.contains(words))
    }

    /// Returns true if the question asks which way something goes or points.
    #[must_use]
    pub fn asks_for_way(&self) -> bool {
        [
            "which way",
            "direction",
            " lead",
            "heading",
            "moving",
            "pointing",
            "facing",
            "turning",
            " go ",
        ]
        .iter()
        .any(|words| self.question.contains(words))
    }

    /// Returns true if the question asks for a direction or a place.
    #[must_use]
    pub fn asks_where(&self) -> bool {
        self.asks_for_way()
            || self.has(&[
                "where",
                "direction",
                "side",
                "position",
                "located",
                "location",
                "quadrant",
                "corner",
                "half",
            ])
    }
}
