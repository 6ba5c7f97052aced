//! Forms of places and directions that are known and not rewritten: a question that holds one is not asked of a moved
//! picture.

use std::sync::LazyLock;

use regex::Regex;

use super::Doubt;
use super::coordinates::Frame;
use media::Orientation;

/// For which moves a form is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// All.
    Always,
    /// The picture is turned or mirrored, and words turn with it.
    Turned,
    /// As before, and up is another side than before.
    Upset,
    /// As before, and width and height change places.
    Sideways,
    /// A pixel is another part of the picture than before, or width and height change places.
    Resized,
}

/// The forms: when each is in doubt, why, and its pattern.
const FORMS: [(When, &str, &str); 11] = [
    (
        When::Always,
        "boxes in a form of their own",
        r"(?i)[\[(<{]\s*<?(?:x\w*>?\s*,\s*<?y\w*>?\s*,\s*<?(?:w|h|width|height|dx|dy)>?\s*[,\])>}]|y\w*>?\s*,\s*<?x\w*>?\s*[,\])>}]|(?:top|left)>?\s*,\s*<?(?:left|top)>?\s*,\s*<?(?:w|h|width|height)\b|c(?:enter|entre)?_?x\b)|\bxywh\b|\byxyx\b|\bcxcywh\b",
    ),
    (
        When::Always,
        "a place along one axis",
        r"(?i)\b[xy](?:[- ](?:axis|coordinates?|range|values?))?\s*(?:(?:goes|runs|is|are|ranges|lies|being)\s+)*(?:from|between|=|:|∈|within|>|<|≥|≤)\s*[\[(]?-?\d|\b(?:columns?|rows?)\s+(?:from\s+)?\d+\s*(?:to|through|–|-)\s*\d",
    ),
    (
        When::Turned,
        "a direction of the clock",
        r"(?i)\b(?:at|to|toward|towards|in|on|near|from|the)\s+(?:the\s+|its\s+|your\s+)?(?:[1-9]|1[0-2]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s*o['’`]?\s?clock",
    ),
    (
        When::Turned,
        "a point of the compass",
        r"\b(?:NW|NE|SW|SE|NNE|NNW|SSE|SSW|ENE|ESE|WNW|WSW)\b",
    ),
    (
        When::Upset,
        "up or down, which may be a place or a movement",
        r"(?i)\b(?:flying|rising|moving|going|climbing|falling|jumping|swimming|driving|riding|walking|running|heading|coming|sliding|floating|diving|travell?ing|thrown|shot)\s+(?:up|down)(?:wards?)?\s*(?:,|/|or|and)\s*(?:\w+\s+){0,2}(?:up|down)(?:wards?)?\b",
    ),
    (
        When::Upset,
        "up or down, which may be a place or a movement",
        r"(?i)\b(?:flying|flies|fly|rising|climbing|falling|jumping|swimming|floating|diving|soaring|bouncing|leaping|sinking|thrown|shot)\s+(?:straight\s+|vertically\s+)?(?:up|down)(?:wards?)?\s*(?:[?.,;:!)/]|$|\b(?:or|and|towards?)\b|in\s+the\s+(?:image|picture|photo|scene|frame)\b)",
    ),
    (
        When::Upset,
        "rising or falling, which may be a movement in the picture",
        r"(?i)\b(?:rising|ascending|climbing|taking\s+off)\b[^.?!\n]{0,20}(?:\bor\b|/|,)[^.?!\n]{0,20}\b(?:falling|descending|sinking|dropping|diving|landing)\b|\b(?:falling|descending|sinking|dropping|diving|landing)\b[^.?!\n]{0,20}(?:\bor\b|/|,)[^.?!\n]{0,20}\b(?:rising|ascending|climbing|taking\s+off)\b",
    ),
    (
        When::Upset,
        "higher or lower, which may be a place or a quantity",
        r"(?i)\b(?:higher|highest|lower|lowest)(?:\s+than\b|\s+(?:in|on)\s+the\b|\s+(?:point|position|one|object|placed|located|spot|place)\b|\s*\?|\s*$)",
    ),
    (
        When::Sideways,
        "a width, which becomes a height",
        r"(?i)\b(?:wider|widest|narrower|narrowest|broader|broadest)\b",
    ),
    (
        When::Sideways,
        "a height beside a width, which change places",
        r"(?i)\b(?:tall|high|long|wide|broad|narrow|deep)(?:er)?\s+(?:than|as)\s+(?:(?:it|they|he|she|this|that|the\s+\w+)\s+(?:is|are)\s+)?(?:tall|high|long|wide|broad|deep)\b|\bheights?\s+(?:and|or|than|to|/)\s*(?:its\s+|the\s+|their\s+)?(?:width|length)s?\b|\b(?:width|length)s?\s+(?:and|or|than|to|/)\s*(?:its\s+|the\s+|their\s+)?heights?\b|\baspect\s+ratio\b|\b(?:portrait|landscape)\s+(?:or|and|format|orientation|mode)\b",
    ),
    (
        When::Resized,
        "a length in pixels",
        r"(?i)\d\s*-?(?:px|pixels?)\b",
    ),
];

/// [`FORMS`], ready to be looked for.
static READY: LazyLock<Vec<(When, &str, Regex)>> = LazyLock::new(|| {
    let ready =
        |(when, why, form): (When, &'static str, &str)| Some((when, why, Regex::new(form).ok()?));
    FORMS.into_iter().filter_map(ready).collect()
});

/// A quantity of something that no picture shows as a place: the highest price stays the highest.
static QUANTITY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:price|number|value|count|score|temperature|percent|percentage|rate|cost|frequency|level|quality|amount|speed|resolution|probability|likelihood|sales|sale|revenue|income|education|risk|demand|rank|grade|bid|total|sum|figure|density|degree|priority|proportion|share|average|mean|gdp|population|concentration|accuracy|energy|power|volume|pressure|quantity|ratio|paid|paying|rated|ranked|ranking|scoring|grossing|earning|interest|profit|tax|salary|wage|case|class|standard|order|dose|limit|bound|bit|digit|bar|peak|chance|contrast|intensity|brightness)s?\b",
    )
    .ok()
});

/// Why some texts of a question cannot be said of a moved picture, for a form that they hold.
pub(super) fn unsure<'a>(
    texts: &(impl Iterator<Item = &'a str> + Clone),
    by: Orientation,
    frame: &Frame<'_>,
    turns_words: bool,
) -> Option<Doubt> {
    let is_upset = is_upset(by);
    let is_of_quantity = |text: &str| QUANTITY.as_ref().is_some_and(|known| known.is_match(text));
    READY.iter().find_map(|(when, why, form)| {
        let is_so = match when {
            When::Always => true,
            When::Turned => turns_words && !by.is_upright(),
            When::Upset => turns_words && is_upset,
            When::Sideways => turns_words && by.is_sideways(),
            When::Resized => by.is_sideways() || is_resized(by, frame),
        };
        let holds =
            |text: &str| form.is_match(text) && !(*when == When::Upset && is_of_quantity(text));
        (is_so && texts.clone().any(holds)).then_some(Doubt(why))
    })
}

/// Returns true if up is another side of the picture than before.
pub(super) fn is_upset(by: Orientation) -> bool {
    by.is_sideways() || turned_over(by)
}

/// Returns true if what was above is below.
fn turned_over(by: Orientation) -> bool {
    let [_, top, _, _] = by.corners([0.0, 0.0, 1.0, 0.1]);
    !by.is_sideways() && top > 0.5
}

/// Returns true if the picture is cut or scaled.
fn is_resized(by: Orientation, frame: &Frame<'_>) -> bool {
    const MIDDLE: [f64; 4] = [0.4, 0.4, 0.6, 0.6];
    let moved = (frame.place)(MIDDLE);
    let is_cut = moved.iter().zip(MIDDLE).any(|(a, b)| (a - b).abs() > 1e-6);
    is_cut || frame.new_size != by.size(frame.size)
}

#[cfg(test)]
mod tests {
    use crate::content::{Move, TurnWords, moved};
    use media::{Orientation, Region, Turn};
    use record::Content;

    /// How a picture is moved: its word, and the move.
    fn moves() -> [(&'static str, Move); 6] {
        const SIZE: (u32, u32) = (640, 480);
        [
            ("quarter", Move::turned(Turn::EACH[1], SIZE)),
            ("half", Move::turned(Turn::EACH[2], SIZE)),
            ("three", Move::turned(Turn::EACH[3], SIZE)),
            (
                "mirror",
                Move::by(Orientation::new(Turn::EACH[0], true), SIZE),
            ),
            ("cut", Move::zoomed(Region::new([0.2, 0.2, 0.7, 0.7]), SIZE)),
            (
                "small",
                Move::turned(Turn::EACH[0], SIZE).scaled((320, 240)),
            ),
        ]
    }

    #[test]
    fn forms_that_are_not_rewritten_are_not_asked() {
        for (question, not_asked) in [
            (
                "Give the box as [x, y, width, height].",
                "quarter half three mirror cut small",
            ),
            (
                "Boxes are [y0, x0, y1, x1]. Where is the cat?",
                "quarter half three mirror cut small",
            ),
            (
                "Answer as (ymin, xmin, ymax, xmax).",
                "quarter half three mirror cut small",
            ),
            (
                "Is the cup where x is from 10 to 50 and y from 20 to 80?",
                "quarter half three mirror cut small",
            ),
            (
                "What is at the 2 o'clock position?",
                "quarter half three mirror",
            ),
            ("What stands in the NW corner?", "quarter half three mirror"),
            ("Is the bird flying up or down?", "quarter half three"),
            (
                "Is the ball rising up or falling down?",
                "quarter half three",
            ),
            ("Is the bird flying up?", "quarter half three"),
            (
                "Is the kite flying straight down in the picture?",
                "quarter half three",
            ),
            (
                "Is the plane ascending or descending?",
                "quarter half three",
            ),
            (
                "Is the cup above or beneath the plate?",
                "quarter half three mirror",
            ),
            (
                "Is the lamp over the desk or left of it?",
                "quarter half three",
            ),
            ("Which lamp is the highest?", "quarter half three"),
            (
                "Is the red kite higher than the blue one?",
                "quarter half three",
            ),
            ("Which table is wider?", "quarter three"),
            ("Is the lamp taller than it is wide?", "quarter three"),
            ("Is the box as high as it is long?", "quarter three"),
            (
                "Is the height greater than the width of the sign, or the width than the height?",
                "quarter three",
            ),
            (
                "What is in the box from 20, 30 to 60, 90?",
                "quarter half three mirror cut small",
            ),
            (
                "The car is 120 pixels wide. What color is it?",
                "quarter three cut small",
            ),
        ] {
            let content = Content {
                question: question.to_owned(),
                ..Content::default()
            };
            let refused = moves()
                .into_iter()
                .filter(|(_, by)| moved(&content, *by, TurnWords::On).is_err());
            let refused: Vec<&str> = refused.map(|(name, _)| name).collect();
            assert_eq!(refused.join(" "), not_asked, "{question}");
        }
    }

    #[test]
    fn what_is_no_place_is_asked() {
        for question in [
            "Which bar has the highest value?",
            "Is the price of milk higher than that of bread?",
            "What is the highest temperature in the table?",
            "Give the box as [x0, y0, x1, y1] of the dog.",
            "Which of the years [1990, 1994, 1998, 2002] is printed in bold?",
            "Is this a US stamp?",
            "Does the sign say NEW or OLD?",
            "Is the cat under the table or over the chair?",
            "Is the man climbing up the ladder?",
            "Is the man taller than the boy?",
            "Which of the numbers 20, 30, 60, 90 is printed in bold?",
        ] {
            let content = Content {
                question: question.to_owned(),
                ..Content::default()
            };
            for (name, by) in moves() {
                let asked = moved(&content, by, TurnWords::On);
                let asked = asked.map(|moved| moved.content.question);
                assert_eq!(asked.as_deref(), Ok(question), "{name}");
            }
        }
    }
}
