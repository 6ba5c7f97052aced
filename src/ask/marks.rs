//! Inserts the pictures of a message at the marks in its text, such as `<image>` or `<image 2>`. A
//! server would read a mark as text, or count it as a further picture.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::client::{Part, Picture};
use base::format::pattern;
use record::{SentMessage, SentPart};

/// Matches `<image>`, `<image 1>`, `<image_1>`, `<|image|>`, `<|image_1|>`, or the same with
/// `video`.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)<(?:\|(?:image|video)(?:[ _-]?(\d{1,4}))?\||(?:image|video)(?:[ _-]?(\d{1,4}))?)>",
    )
});

/// A piece of a message whose pictures are not placed yet.
enum Piece<'a> {
    Text(&'a str),
    /// A picture, as an index into the pictures of the message.
    Picture(usize),
    /// A mark, with its number if it has one.
    Mark(Option<usize>),
}

/// Returns the parts of a message with its pictures at their marks. `pictures` are all of the
/// sample.
///
/// A numbered mark stands for that picture of the message, counted from 1, or from 0 if one of the
/// marks is 0. A repeated number is sent as words, such as `image 2`. Numbers beyond the message's
/// pictures count through the whole conversation. A mark without a number stands for the next
/// picture; the last of these marks stands for all remaining pictures (frames of a video). Pictures
/// without a mark, and all pictures of a message without marks, stay where they are.
pub fn woven(parts: &[SentPart], pictures: &[Arc<Picture>]) -> Vec<Part> {
    let of_part = |part: &SentPart| match part {
        SentPart::Text(text) => Some(Part::Text(text.clone())),
        SentPart::Picture(at) => pictures.get(*at).cloned().map(Part::Picture),
    };
    let pieces = pieces(parts);
    let has_marks = pieces.iter().any(|piece| matches!(piece, Piece::Mark(_)));
    if pictures.is_empty() || !has_marks {
        return parts.iter().filter_map(of_part).collect();
    }
    let own = parts.iter().filter_map(|part| match part {
        SentPart::Picture(at) => Some(*at),
        SentPart::Text(_) => None,
    });
    let own: Vec<usize> = own.collect();
    let picture = |at: usize| {
        let picture = own.get(at).and_then(|at| pictures.get(*at));
        picture.cloned().map(Part::Picture)
    };
    let mut places = Places::new(&pieces, &own);
    let mut woven = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => push_text(&mut woven, text),
            Piece::Picture(at) if places.stays(at) => woven.extend(picture(at)),
            Piece::Picture(_) => {}
            Piece::Mark(None) => woven.extend(places.next().into_iter().filter_map(picture)),
            Piece::Mark(Some(number)) => match places.first(number).and_then(picture) {
                Some(picture) => woven.push(picture),
                None => push_text(&mut woven, &format!("image {number}")),
            },
        }
    }
    trimmed(woven)
}

/// Returns the messages with the positions of the sample's pictures.
///
/// If the log's messages contain no picture, all pictures go to the start of the first message with
/// a mark. If no message has a mark, they go to the start of the question.
pub fn with_pictures(messages: &[SentMessage], count: usize) -> Cow<'_, [SentMessage]> {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    if count == 0 || parts().any(|part| matches!(part, SentPart::Picture(_))) {
        return Cow::Borrowed(messages);
    }
    let is_marked = |message: &SentMessage| {
        let mut parts = message.parts.iter();
        parts.any(|part| matches!(part, SentPart::Text(text) if MARK.is_match(text)))
    };
    let asked = |message: &SentMessage| !message.by_model;
    let marked = messages.iter().position(|it| asked(it) && is_marked(it));
    let place = marked.or_else(|| messages.iter().rposition(asked));
    let mut messages = messages.to_vec();
    if let Some(message) = place.and_then(|place| messages.get_mut(place)) {
        message
            .parts
            .splice(0..0, (0..count).map(SentPart::Picture));
    }
    Cow::Owned(messages)
}

/// Returns the number of pictures in a log's messages; a repeated picture counts each time. `count`
/// is the number of the sample's pictures.
pub fn sent_pictures(messages: &[SentMessage], count: usize) -> usize {
    let messages = with_pictures(messages, count);
    let parts = messages.iter().flat_map(|message| &message.parts);
    parts
        .filter(|part| matches!(part, SentPart::Picture(at) if *at < count))
        .count()
}

fn pieces(parts: &[SentPart]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut pictures = 0..;
    for part in parts {
        let SentPart::Text(text) = part else {
            pieces.extend(pictures.next().map(Piece::Picture));
            continue;
        };
        let mut from = 0;
        for found in MARK.captures_iter(text) {
            let number = found.get(1).or_else(|| found.get(2));
            let number = number.and_then(|number| number.as_str().parse().ok());
            let Some(whole) = found.get(0) else { continue };
            pieces.extend(text.get(from..whole.start()).map(Piece::Text));
            pieces.push(Piece::Mark(number));
            from = whole.end();
        }
        pieces.extend(text.get(from..).map(Piece::Text));
    }
    pieces
}

/// The places of a message's pictures.
struct Places {
    /// Index of the picture by the number of its mark; removed once it is placed.
    numbered: BTreeMap<usize, usize>,
    /// Pictures for marks without a number, in order.
    free: VecDeque<usize>,
    /// Pictures that stay where they are.
    kept: Vec<usize>,
    /// Number of remaining marks without a number.
    marks: usize,
}

impl Places {
    /// Finds the places of a message's pictures; `own` holds their indices among the sample's
    /// pictures.
    fn new(pieces: &[Piece<'_>], own: &[usize]) -> Self {
        let count = own.len();
        let marks = pieces.iter().filter(|it| matches!(it, Piece::Mark(None)));
        let marks = marks.count();
        let numbers = pieces.iter().filter_map(|piece| match piece {
            Piece::Mark(number) => *number,
            _ => None,
        });
        let numbers: BTreeSet<usize> = numbers.collect();
        let first = usize::from(!numbers.contains(&0));
        let fits = numbers.iter().all(|number| *number < count + first);
        // Numbers beyond the message's pictures count through the whole conversation.
        let of_sample = |number: usize| own.iter().position(|at| at + first == number);
        let is_later = !own.iter().copied().eq(0..count);
        let counts_all = is_later && numbers.iter().any(|number| of_sample(*number).is_some());
        let place = |(rank, number): (usize, usize)| {
            let at = match (fits, counts_all) {
                (true, _) => Some(number - first),
                (false, true) => of_sample(number),
                (false, false) => Some(rank),
            };
            Some((number, at?))
        };
        let numbered = numbers.into_iter().enumerate().filter_map(place);
        let numbered: BTreeMap<usize, usize> = numbered.collect();
        let rest = (0..count).filter(|at| !numbered.values().any(|known| known == at));
        let (free, kept) = match marks {
            0 => (VecDeque::new(), rest.collect()),
            _ => (rest.collect(), Vec::new()),
        };
        Self {
            numbered,
            free,
            kept,
            marks,
        }
    }

    fn stays(&self, at: usize) -> bool {
        self.kept.contains(&at)
    }

    /// Returns the picture of a numbered mark; `None` if the number is repeated.
    fn first(&mut self, number: usize) -> Option<usize> {
        self.numbered.remove(&number)
    }

    /// Returns the pictures of the next mark without a number.
    fn next(&mut self) -> Vec<usize> {
        self.marks = self.marks.saturating_sub(1);
        let count = if self.marks == 0 { self.free.len() } else { 1 };
        self.free.drain(..count.min(self.free.len())).collect()
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Text(before)) => before.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

/// Removes line breaks next to pictures, and texts without a word, which some servers refuse.
fn trimmed(parts: Vec<Part>) -> Vec<Part> {
    let is_picture: Vec<bool> = parts
        .iter()
        .map(|part| matches!(part, Part::Picture(_)))
        .collect();
    let beside = |at: Option<usize>| at.and_then(|at| is_picture.get(at)) == Some(&true);
    let part = |(at, part): (usize, Part)| {
        let Part::Text(text) = part else {
            return Some(part);
        };
        let mut text = text.as_str();
        if beside(at.checked_sub(1)) {
            text = text.trim_start_matches(['\r', '\n']);
        }
        if beside(Some(at + 1)) {
            text = text.trim_end_matches(['\r', '\n']);
        }
        (!text.trim().is_empty()).then(|| Part::Text(text.to_owned()))
    };
    parts.into_iter().enumerate().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(at: usize) -> Arc<Picture> {
        let byte = u8::try_from(at).unwrap();
        Arc::new(Picture::new(vec![byte], "image/png", (1, 1)))
    }

    /// Returns the parts in one line, with pictures as `{0}`.
    fn line(parts: &[Part]) -> String {
        let words = parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Picture(picture) => format!("{{{}}}", picture.bytes().unwrap()[0]),
        });
        words.collect::<Vec<_>>().join("|")
    }

    /// Places `count` pictures, which come before a text, at the marks of the text.
    fn text(text: &str, count: usize) -> String {
        let pictures: Vec<_> = (0..count).map(picture).collect();
        let parts = (0..count).map(SentPart::Picture);
        let parts: Vec<_> = parts.chain([SentPart::Text(text.to_owned())]).collect();
        line(&woven(&parts, &pictures))
    }

    #[test]
    fn pictures_stand_at_their_marks() {
        for (asked, count, expected) in [
            // Without marks, the pictures come before the text, which is unchanged.
            ("\nWhich?\n", 2, "{0}|{1}|\nWhich?\n"),
            ("<image>\nWhich cup?", 1, "{0}|Which cup?"),
            (
                "Image 1: <image>\nImage 2: <image>\nWhich?",
                2,
                "Image 1: |{0}|Image 2: |{1}|Which?",
            ),
            // Numbers select a picture; a repeated number becomes words.
            (
                "Is <image 2> like <image 1>?\nA. <image_3>\nB. <image 2>",
                3,
                "Is |{1}| like |{0}|?\nA. |{2}|B. image 2",
            ),
            ("<|image_1|> or <|image_2|>?", 2, "{0}| or |{1}|?"),
            ("<image_0> or <image_1>?", 2, "{0}| or |{1}|?"),
            // The only mark takes all frames.
            ("<|image|>\nWhat happens?", 3, "{0}|{1}|{2}|What happens?"),
            ("Watch:\n<video>\nWhy?", 2, "Watch:|{0}|{1}|Why?"),
            // A picture without a mark keeps its place before the text.
            ("See <image 2>.", 2, "{0}|See |{1}|."),
            // Marks without a picture are not sent.
            ("<image> and <image>?", 1, "{0}| and ?"),
            ("See <image 4> here.", 0, "See <image 4> here."),
        ] {
            assert_eq!(text(asked, count), expected, "{asked}");
        }
    }

    #[test]
    fn other_signs_are_no_marks() {
        for asked in ["<img>", "< image >", "<images>", "<image one>", "image 1"] {
            assert_eq!(text(asked, 1), format!("{{0}}|{asked}"));
        }
    }

    #[test]
    fn each_message_of_a_conversation_has_its_own_marks() {
        let pictures: Vec<_> = (0..3).map(picture).collect();
        let said = |parts: &[SentPart]| line(&woven(parts, &pictures));
        let words = |text: &str| SentPart::Text(text.to_owned());
        let second = [words("And <image>?"), SentPart::Picture(2)];
        assert_eq!(said(&second), "And |{2}|?");
        let through = [SentPart::Picture(1), words("And <image 2>?")];
        assert_eq!(said(&through), "And |{1}|?");
        // The first picture is in an earlier message.
        let both = [words("Is <image 1> like <image 2>?"), SentPart::Picture(1)];
        assert_eq!(said(&both), "Is image 1 like |{1}|?");
        assert_eq!(said(&[words("As in <image 1>?")]), "As in image 1?");
    }

    #[test]
    fn pictures_that_no_message_holds_stand_at_the_marks_or_before_the_question() {
        let message = |by_model: bool, text: &str| SentMessage {
            by_model,
            parts: vec![SentPart::Text(text.to_owned())],
        };
        let place = |texts: [&str; 3]| {
            let [first, answer, last] = texts;
            let messages = [
                message(false, first),
                message(true, answer),
                message(false, last),
            ];
            let with = with_pictures(&messages, 2);
            let counts = with.iter().map(|message| message.parts.len() - 1);
            counts.collect::<Vec<_>>()
        };
        assert_eq!(place(["a", "b", "c"]), [0, 0, 2]);
        assert_eq!(place(["<image> a <image>", "b", "c"]), [2, 0, 0]);
        let held = [SentMessage {
            by_model: false,
            parts: vec![SentPart::Picture(1)],
        }];
        assert_eq!(*with_pictures(&held, 2), held);
    }
}
