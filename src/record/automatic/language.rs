//! Detects the language of questions in multilingual data sets.

use std::sync::LazyLock;

use whatlang::{Detector, Lang};

/// English names of all supported languages, in the order of [`Lang::all`].
pub static LANGUAGES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| Lang::all().iter().map(|lang| lang.eng_name()).collect());

/// Maximum number of questions examined to determine the languages of a set.
const MOST_ASKED: usize = 1_000;
/// Minimum number of questions in a language. Rarer languages are probably names or detection
/// errors.
const MIN_QUESTIONS: usize = 5;
/// A language needs at least one in this many examined questions.
const RARE: usize = 100;

/// Languages of the questions in a data set.
#[derive(Debug)]
pub struct Languages {
    /// Detector limited to the set's languages; `None` unless there are at least two.
    detector: Option<Detector>,
}

impl Languages {
    /// Determines the languages of a data set from evenly spaced questions.
    pub fn of<'a>(questions: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let step = questions.len().div_ceil(MOST_ASKED).max(1);
        let detector = Detector::new();
        let found: Vec<Lang> = questions
            .step_by(step)
            .filter_map(|question| reliable(&detector, question))
            .collect();
        let least = MIN_QUESTIONS.max(found.len() / RARE);
        let is_one = |lang: &Lang| found.iter().filter(|it| *it == lang).count() >= least;
        let known: Vec<Lang> = Lang::all().iter().copied().filter(is_one).collect();
        Self {
            detector: (known.len() > 1).then(|| Detector::with_allowlist(known)),
        }
    }

    /// Returns the language of a question as an index into [`LANGUAGES`]. `None` if the set has
    /// only one language, or if the question is too short to decide.
    pub fn language(&self, question: &str) -> Option<usize> {
        let lang = reliable(self.detector.as_ref()?, question)?;
        Lang::all().iter().position(|it| *it == lang)
    }
}

/// Returns the language of a text, if the detection is reliable.
fn reliable(detector: &Detector, text: &str) -> Option<Lang> {
    let found = detector.detect(text)?;
    found.is_reliable().then(|| found.lang())
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, Languages};

    const ENGLISH: &str = "How many dogs are there in the picture?";
    const GERMAN: &str = "Wie viele Hunde sind auf dem Bild zu sehen?";
    const CHINESE: &str = "图中有几只狗？";

    fn named(languages: &Languages, question: &str) -> Option<&'static str> {
        languages.language(question).map(|at| LANGUAGES[at])
    }

    #[test]
    fn languages_are_told_apart_where_there_are_several() {
        let questions = [ENGLISH, ENGLISH, CHINESE, GERMAN].repeat(5);
        let languages = Languages::of(questions.into_iter());
        for (question, expected) in [
            (ENGLISH, Some("English")),
            (GERMAN, Some("German")),
            (CHINESE, Some("Mandarin")),
            ("blue?", None),
        ] {
            assert_eq!(named(&languages, question), expected, "{question}");
        }
    }

    #[test]
    fn a_set_in_one_language_has_no_languages_to_tell() {
        let questions = [ENGLISH; 400].into_iter().chain([GERMAN; 4]);
        let questions: Vec<&str> = questions.collect();
        assert_eq!(named(&Languages::of(questions.into_iter()), ENGLISH), None);
        assert_eq!(named(&Languages::of([""; 0].into_iter()), ENGLISH), None);
    }
}
