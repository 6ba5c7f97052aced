//! Detects hedging: the model states that its answer is uncertain.

use std::sync::LazyLock;

use super::page::Page;
use super::phrases::PhraseSet;

/// Words that make a statement uncertain at any place.
static HEDGES: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "maybe|perhaps|possibly|probably|presumably|likely|might be|might have|could be|could have|\
         may be|may have|seems|seem to|seems to|appears to|appear to|looks like it|i think|i believe|\
         i guess|i'd guess|i would guess|my guess|my best guess|i assume|i'd say|i would say|\
         not sure|unsure|uncertain|not certain|not entirely clear|hard to say|hard to tell|\
         difficult to say|difficult to tell|difficult to determine|hard to determine|\
         can't be sure|cannot be sure|can't tell|cannot tell|cannot determine|can't determine|\
         cannot be determined|can't be determined|it's unclear|it is unclear|as far as i can tell|\
         可能|也许|大概|不确定|quizás|quizá|tal vez|vielleicht|wahrscheinlich|vermutlich|peut-être|\
         probablement",
    )
});

/// Words after which `likely` does not hedge: `not likely` is a statement, and `most likely` often
/// repeats the question.
const STATED: [&str; 2] = ["not", "most"];

/// Returns true if the page contains a phrase of doubt.
pub(super) fn hedges(page: &Page) -> bool {
    (0..page.len()).any(|at| {
        let is_stated = at > 0 && STATED.contains(&page.lower(at - 1));
        HEDGES.has(page, at) && !(is_stated && page.lower(at) == "likely")
    })
}

#[cfg(test)]
mod tests {
    use crate::hedges;

    #[test]
    fn doubt_is_found_but_not_in_thinking_or_in_repeated_questions() {
        for response in [
            "It might be a dog.",
            "I'm not sure, but I think B.",
            "Perhaps three",
            "The sign appears to say STOP.",
            "这可能是一只狗",
            "Das ist wahrscheinlich ein Hund.",
        ] {
            assert!(hedges(response), "{response}");
        }
        for response in [
            "",
            "A",
            "The man is walking.",
            "<think>Maybe it is B.</think>C",
            "The most likely reason is the rain: B",
            "He will not likely fall.",
            "In May 2020 it was red.",
        ] {
            assert!(!hedges(response), "{response}");
        }
    }
}
