//! Reasons not to send a text with a transformed picture: direction words, or an answer that
//! depends on the rotation.

use std::borrow::Cow;
use std::sync::LazyLock;

use base::format::pattern;
use regex::{Captures, Regex};

use super::TransformRefusal;
use super::coordinates::Frame;
use super::sides::{is_direction, names_side};
use media::{Orientation, Turn};

/// Reason for direction words that cannot be rewritten.
pub(super) const IN_WORDS: TransformRefusal = TransformRefusal("a direction in words");
/// Reason for an answer that is text in the picture: the text is rotated with it.
pub(super) const WRITTEN: TransformRefusal = TransformRefusal("text to read in the picture");

/// Condition under which a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// The rule applies to every text and transformation.
    Always,
    /// The picture is cropped, scaled or turned by a quarter.
    Resized,
    /// Words are checked.
    Moved,
    /// Words are checked, and the top edge is no longer on top.
    Upset,
    /// Words are checked, and width and height are swapped.
    Sideways,
    /// The answer is a direction that is rewritten.
    Answered,
    /// The answer is a direction that is rewritten, or words are checked and the picture is
    /// mirrored.
    Reversed,
}

/// Rules other than the words for the four sides: condition, reason and pattern.
const RULES: [(When, &str, &str); 12] = [
    (
        When::Always,
        "boxes in an unsupported format",
        r"(?i)[\[(<{]\s*<?(?:x\w*>?\s*,\s*<?y\w*>?\s*,\s*<?(?:w|h|width|height|dx|dy)>?\s*[,\])>}]|y\w*>?\s*,\s*<?x\w*>?\s*[,\])>}]|(?:top|left)>?\s*,\s*<?(?:left|top)>?\s*,\s*<?(?:w|h|width|height)\b|c(?:enter|entre)?_?x\b)|\bxywh\b|\byxyx\b|\bcxcywh\b",
    ),
    (
        When::Always,
        "a position along one axis",
        r"(?i)\b[xy](?:[- ](?:axis|coordinates?|range|values?))?\s*(?:(?:goes|runs|is|are|ranges|lies|being)\s+)*(?:from|between|=|:|∈|within|>|<|≥|≤)\s*[\[(]?-?\d|\b(?:columns?|rows?)\s+(?:from\s+)?\d+\s*(?:to|through|–|-)\s*\d",
    ),
    (
        When::Resized,
        "a length in pixels",
        r"(?i)\d\s*-?(?:px|pixels?)\b",
    ),
    (
        When::Moved,
        IN_WORDS.0,
        r"\b(?:[Nn]orth|[Ss]outh|[Ee]ast|[Ww]est)(?:-?(?:east|west))?(?:ern|wards?|bound)?\b|\b[NS][EW]\b|(?i)\b(?:rows?|columns?)\b",
    ),
    (
        When::Moved,
        IN_WORDS.0,
        r"(?i)[左右]|[上下][方面边]|\b(?:gauche|droite|rechts|oben|unten|izquierda|derecha|arriba|abajo|esquerda|direita|sinistra|destra|слева|справа|сверху|снизу)\b|왼쪽|오른쪽",
    ),
    (
        When::Upset,
        IN_WORDS.0,
        r"(?i)\b(?:higher|highest|lowest)\b",
    ),
    (
        When::Sideways,
        IN_WORDS.0,
        r"(?i)\b(?:horizontal|vertical)(?:ly)?\b",
    ),
    (
        When::Moved,
        "an answer that depends on how the picture is turned",
        r"(?i)\b(?:upside|upright|sideways|rotated|rotation|tilted|flipped|mirrored|inverted|orientation|what (?:time|hour)|o['’]?\s?clock)\b",
    ),
    (
        When::Sideways,
        "a width or a height, which are swapped",
        r"(?i)\b(?:width|wide(?:r|st)|narrow(?:er|est)|broad(?:er|est)|than (?:wide|tall|high)|(?:than|as) (?:it is|they are)|aspect ratio|portrait|landscape)\b",
    ),
    (
        When::Reversed,
        "a direction of rotation",
        r"(?i)\b(?:counter-?|anti-?)?clockwise\b",
    ),
    (
        When::Reversed,
        WRITTEN.0,
        r"(?i)\b(?:written|texts?|says?|reads?|(?:printed|painted|engraved) on|captions?|titles?|inscriptions?|(?:what|which) words?|the words? (?:on|in|at))\b",
    ),
    (
        When::Answered,
        "a side that may refer to an object, not to the picture",
        r"(?i)\b(?:hand|arm|leg|foot|feet|eye|ear|shoulder|knee|wrist|elbow|wing|lung|kidney|turn(?:ing)?|deck|shelf|shelve|drawer|floor|bunk|layer|lane)s?\b",
    ),
];

/// [`RULES`] with compiled patterns.
static READY: LazyLock<Vec<(When, TransformRefusal, Regex)>> = LazyLock::new(|| {
    let ready = |(when, why, form): (When, &'static str, &str)| {
        (when, TransformRefusal(why), pattern(form))
    };
    RULES.into_iter().map(ready).collect()
});

/// Phrases whose direction words do not refer to the picture; the group `rest` is kept.
static HARMLESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?ix)\bright[\ -](?:answers?|options?|choices?|angled?|next\ to)\b | ,\ right\? | \bare\ left\?
        | \btop-down\b | \bbird['’]?s[\ -]eye\b | \b(?P<rest>upside)[\ -]down\b
        | \b(?:of\ the|from|listed|given|options?|choices?|answers?)\ (?:above|below)\b
        | \b(?:image|picture|shown)\ (?:above|below)[.,?:]
        | \b(?:stand|sit|ly|mak|made|dress|clos|hold)\w*[\ -](?:up|down)\b",
    )
});
/// Two opposite corners, or a corner with its numbers: a description of the coordinate system.
static CORNERS: LazyLock<Regex> = LazyLock::new(|| {
    let numbers = r"\s*\(\s*[0-9xy]\w*\s*,\s*[0-9xy]\w*\s*\)";
    pattern(&format!(
        r"(?i)\b(?:top|upper)[ -]?left(?: corner)?(?:{numbers})?\s*(?:,|and|to|&)\s*(?:the )?(?:bottom|lower)[ -]?right\b|\b(?:top|upper|bottom|lower)[ -]?(?:left|right)(?: corner)?\s*(?:is|at|=)?{numbers}"
    ))
});
/// Words about coordinates.
static COORDINATES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)coordinate|\bbounding|\bb?box|\bx1\b|\bx_?min\b"));
/// Quoted text.
static QUOTES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#""[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|\B'[^'\n]+'\B"#));

/// Which words make a text unsafe to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// No words; only unsupported box formats.
    Ignored,
    /// Words that can name a place in the picture.
    Checked,
    /// In addition, words that give `left` or `right` another meaning, such as `hand`; used if the
    /// answer is a direction.
    CheckedForAnswer,
}

/// Returns true if a text names a direction or a place in its picture.
pub fn names_place(text: &str) -> bool {
    let half = Orientation::turned(Turn::EACH[2]);
    let mut reasons = reasons(text, half, None, Words::Checked);
    is_direction(text) || reasons.any(|why| why == IN_WORDS)
}

/// Checks whether the words of a text allow sending it with a transformed picture. Numbers are not
/// checked. Without a `frame`, the picture keeps its size.
pub(super) fn check(
    text: &str,
    by: Orientation,
    frame: Option<&Frame<'_>>,
    words: Words,
) -> Result<(), TransformRefusal> {
    reasons(text, by, frame, words).next().map_or(Ok(()), Err)
}

/// Returns all reasons why a text cannot be sent with a transformed picture; the first one is
/// shown.
fn reasons(
    text: &str,
    by: Orientation,
    frame: Option<&Frame<'_>>,
    words: Words,
) -> impl Iterator<Item = TransformRefusal> + use<> {
    let is_resized = frame.is_some_and(|frame| frame.is_resized(by));
    let has_words = words != Words::Ignored;
    let [_, top, ..] = by.corners([0.0, 0.0, 1.0, 0.1]);
    let counts = move |when: When| match when {
        When::Always => true,
        When::Resized => by.is_sideways() || is_resized,
        When::Moved => has_words,
        When::Upset => has_words && (by.is_sideways() || top > 0.5),
        When::Sideways => has_words && by.is_sideways(),
        When::Answered => words == Words::CheckedForAnswer,
        When::Reversed => words == Words::CheckedForAnswer || has_words && by.is_mirrored(),
    };
    let plain = if has_words {
        in_picture(text)
    } else {
        text.to_owned()
    };
    let mut each = plain.split(|sign: char| !sign.is_alphanumeric());
    let names_side = has_words && each.any(|word| names_side(word, by));
    let rules =
        (READY.iter()).filter(move |(when, _, form)| counts(*when) && form.is_match(&plain));
    let side = names_side.then_some(IN_WORDS).into_iter();
    side.chain(rules.map(|(_, why, _)| *why))
}

/// Removes the parts of a text whose words name no place.
///
/// These are harmless phrases, corners that describe coordinates, and quoted words. Quoted
/// directions are kept, because they can be an answer option.
fn in_picture(text: &str) -> String {
    let mut plain = HARMLESS.replace_all(text, "${rest}·");
    if COORDINATES.is_match(text) {
        plain = Cow::Owned(CORNERS.replace_all(&plain, "·").into_owned());
    }
    let unquoted = |found: &Captures<'_>| match &found[0] {
        quote if is_direction(quote) => quote.to_owned(),
        _ => "·".to_owned(),
    };
    QUOTES.replace_all(&plain, unquoted).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::content::{Move, TurnWords, moved};
    use media::{Orientation, Region, Turn};
    use record::{Choice, Content};

    const SIZE: (u32, u32) = (640, 480);

    /// Test transformations with their names.
    fn moves() -> [(&'static str, Move); 6] {
        [
            ("quarter", Move::turned(Turn::EACH[1], SIZE)),
            ("half", Move::turned(Turn::EACH[2], SIZE)),
            ("three", Move::turned(Turn::EACH[3], SIZE)),
            ("mirror", Move::by(Orientation::MIRRORED, SIZE)),
            ("cut", Move::zoomed(Region::new([0.2, 0.2, 0.7, 0.7]), SIZE)),
            (
                "small",
                Move::turned(Turn::EACH[0], SIZE).scaled((320, 240)),
            ),
        ]
    }

    fn asked(question: &str) -> Content {
        Content {
            question: question.to_owned(),
            ..Content::default()
        }
    }

    /// Returns the names of the transformations for which a question is left out.
    fn left_out(content: &Content) -> String {
        let moves = moves().into_iter();
        let refused = moves.filter(|(_, by)| moved(content, *by, TurnWords::On).is_err());
        refused.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_rule_counts_at_its_moves() {
        for (question, expected) in [
            (
                "Give the box as [x, y, width, height].",
                "quarter half three mirror cut small",
            ),
            (
                "Boxes are [y0, x0, y1, x1]. Where is the cat?",
                "quarter half three mirror cut small",
            ),
            (
                "Is the cup where x is from 10 to 50 and y from 20 to 80?",
                "quarter half three mirror cut small",
            ),
            (
                "What is in the box from 20, 30 to 60, 90?",
                "quarter half three mirror cut small",
            ),
            (
                "The car is 120 pixels long. What color is it?",
                "quarter three cut small",
            ),
            ("Is the cup left of the plate?", "quarter half three mirror"),
            ("Is the bird flying up or down?", "quarter half three"),
            ("Is the cup above or beneath it?", "quarter half three"),
            ("Where is the topmost cup?", "quarter half three"),
            (
                "What is in the bottomleft part?",
                "quarter half three mirror",
            ),
            (
                "What stands in the NW corner?",
                "quarter half three mirror cut",
            ),
            ("Is the car heading north?", "quarter half three mirror"),
            ("How many columns are there?", "quarter half three mirror"),
            ("猫在左边吗?", "quarter half three mirror"),
            ("Which lamp is the highest?", "quarter half three"),
            ("Is the vertical line red?", "quarter three"),
            ("Which table is wider?", "quarter three"),
            ("Is the lamp taller than it is wide?", "quarter three"),
            ("Is the cat upside down?", "quarter half three mirror"),
            ("What time is it?", "quarter half three mirror"),
            ("Does the wheel spin clockwise?", "mirror"),
            ("What does the sign say?", "mirror"),
            ("What is in his hand?", ""),
            ("Answer 'left' or 'right'.", "quarter half three mirror"),
        ] {
            assert_eq!(left_out(&asked(question)), expected, "{question}");
        }
    }

    #[test]
    fn an_answer_that_may_be_no_side_of_the_picture_does_not_turn() {
        let choices = ["left", "right"].into_iter().zip(["A", "B"]);
        let choices = choices.map(|(text, letter)| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        });
        let choices: Vec<Choice> = choices.collect();
        for (question, expected) in [
            ("Where is the cup?", "quarter three"),
            ("Which hand holds it?", "quarter half three mirror"),
            ("Which word is written there?", "quarter half three mirror"),
            ("Which drawer is open?", "quarter half three mirror"),
        ] {
            let content = Content {
                choices: choices.clone(),
                ..asked(question)
            };
            assert_eq!(left_out(&content), expected, "{question}");
        }
    }

    #[test]
    fn words_that_name_no_place_are_sent_as_they_are() {
        for question in [
            "Give the box as [x0, y0, x1, y1] of the dog.",
            "Give the box of the dog: top-left and bottom-right corner.",
            "Coordinates count from the top left corner (0, 0).",
            "Which of the years [1990, 1994, 1998, 2002] is printed in bold?",
            "Which of the numbers 20, 30, 60, 90 is printed in bold?",
            "Is this a US stamp?",
            "Is the cat under the table?",
            "Is the man taller than the boy?",
            "Choose the right option from below.",
            "How many slices are left?",
            "This is a bird's-eye image, right?",
            "Is there a \"KEEP LEFT\" sign?",
            "Is the man standing up? None of the above is an answer.",
        ] {
            for (name, by) in moves() {
                let sent = moved(&asked(question), by, TurnWords::On);
                let sent = sent.map(|moved| moved.content.question);
                assert_eq!(sent.as_deref(), Ok(question), "{name}");
            }
        }
    }

    #[test]
    fn a_long_question_takes_little_time() {
        let begun = std::time::Instant::now();
        let plain = "é \"cat\" of 1, 2, 3, 4 and 'a dog'\n".repeat(20_000);
        let by = Move::turned(Turn::EACH[1], SIZE);
        assert!(moved(&asked(&plain), by, TurnWords::On).is_ok());
        assert!(begun.elapsed().as_secs() < 10);
    }

    #[test]
    fn a_place_is_found_behind_another_reason() {
        for (text, names) in [
            ("Is the car in the north of the picture?", true),
            ("Give [x, y, width, height] of the car in the north.", true),
            ("Give [x, y, width, height] of the car.", false),
        ] {
            assert_eq!(super::names_place(text), names, "{text}");
        }
    }
}
