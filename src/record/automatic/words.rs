//! Properties of a question derived from its words, for English only. Questions in other languages
//! have the kind `other`, and no negations or directions.

/// Names of the kinds of question, indexed by [`kind`].
pub const KINDS: [&str; 14] = [
    "how many",
    "how much",
    "how far",
    "how",
    "what color",
    "what",
    "which",
    "where",
    "when",
    "who",
    "why",
    "is there",
    "yes or no",
    "other",
];

/// Index of the kind `other`, for questions that fit no other kind.
const OTHER: usize = KINDS.len() - 1;

/// Phrases that determine the kind anywhere in a sentence. Longer phrases come first.
const ASKING: [(&[&str], &str); 24] = [
    (&["how", "many"], "how many"),
    (&["number", "of"], "how many"),
    (&["how", "much"], "how much"),
    (&["how", "far"], "how far"),
    (&["how", "deep"], "how far"),
    (&["how", "distant"], "how far"),
    (&["how", "close"], "how far"),
    (&["how"], "how"),
    (&["what", "color"], "what color"),
    (&["what", "colour"], "what color"),
    (&["what", "is", "the", "color"], "what color"),
    (&["what", "is", "the", "colour"], "what color"),
    (&["which", "color"], "what color"),
    (&["which", "colour"], "what color"),
    (&["what"], "what"),
    (&["what's"], "what"),
    (&["which"], "which"),
    (&["where"], "where"),
    (&["where's"], "where"),
    (&["when"], "when"),
    (&["who"], "who"),
    (&["whose"], "who"),
    (&["whom"], "who"),
    (&["why"], "why"),
];
/// Phrases that determine the kind only at the start of a clause.
const BEGINNING: [(&[&str], &str); 25] = [
    (&["is", "there"], "is there"),
    (&["are", "there"], "is there"),
    (&["was", "there"], "is there"),
    (&["were", "there"], "is there"),
    (&["count"], "how many"),
    (&["is"], "yes or no"),
    (&["are"], "yes or no"),
    (&["was"], "yes or no"),
    (&["were"], "yes or no"),
    (&["isn't"], "yes or no"),
    (&["aren't"], "yes or no"),
    (&["do"], "yes or no"),
    (&["does"], "yes or no"),
    (&["did"], "yes or no"),
    (&["don't"], "yes or no"),
    (&["doesn't"], "yes or no"),
    (&["has"], "yes or no"),
    (&["have"], "yes or no"),
    (&["can"], "yes or no"),
    (&["could"], "yes or no"),
    (&["will"], "yes or no"),
    (&["would"], "yes or no"),
    (&["should"], "yes or no"),
    (&["may"], "yes or no"),
    (&["must"], "yes or no"),
];

const NEGATIONS: [&str; 12] = [
    "not",
    "never",
    "none",
    "neither",
    "nor",
    "without",
    "except",
    "excluding",
    "cannot",
    "nothing",
    "nobody",
    "nowhere",
];

const DIRECTIONS: [&str; 32] = [
    "left",
    "right",
    "above",
    "below",
    "top",
    "bottom",
    "upper",
    "lower",
    "under",
    "underneath",
    "beneath",
    "behind",
    "front",
    "north",
    "south",
    "east",
    "west",
    "leftmost",
    "rightmost",
    "topmost",
    "bottommost",
    "uppermost",
    "lowermost",
    "leftward",
    "rightward",
    "upward",
    "downward",
    "upwards",
    "downwards",
    "clockwise",
    "counterclockwise",
    "anticlockwise",
];
/// Words before `above` or `below` that show that these refer to a place in the prompt.
const PROMPT_PARTS: [&str; 11] = [
    "image", "images", "picture", "photo", "figure", "options", "choices", "question", "shown",
    "given", "listed",
];
/// Words after `right` that show that it means correct.
const ANSWER_WORDS: [&str; 7] = [
    "answer", "answers", "option", "options", "choice", "choices", "now",
];

const NUMBERS: [&str; 13] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "hundred", "thousand",
];

/// Possible starts of the first line of a list of options.
const LISTING: [&str; 5] = ["A.", "A)", "A:", "Options:", "Choices:"];

/// Returns the part of a question before the list of options that some harnesses append to it.
fn before_options(question: &str) -> &str {
    let mut end = 0;
    for line in question.split_inclusive('\n') {
        let start = line.trim_start().trim_start_matches('(');
        if end > 0 && LISTING.iter().any(|mark| start.starts_with(mark)) {
            break;
        }
        end += line.len();
    }
    question.get(..end).unwrap_or(question)
}

/// Removes the rest of a picture placeholder, such as `image>` or `image 1>`, from the start of a
/// text.
fn without_mark(part: &str) -> &str {
    let mark = part.strip_prefix("image");
    let rest = mark.and_then(|mark| mark.split_once('>'));
    rest.map_or(part, |(_, rest)| rest)
}

/// Returns the words of a text, without picture placeholders such as `<image>`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
    let parts = text.split('<').map(without_mark);
    let words = parts.flat_map(move |part| part.split(is_between));
    let words = words.map(|word| word.trim_matches(['\'', '’']));
    words.filter(|word| !word.is_empty())
}

/// Returns the words of a text in lower case, with straight apostrophes.
fn plain(text: &str) -> Vec<String> {
    let words = words(text).map(|word| word.to_lowercase().replace('’', "'"));
    words.collect()
}

fn is_in(list: &[&str], word: Option<&String>) -> bool {
    word.is_some_and(|word| list.contains(&word.as_str()))
}

/// True if `holds` returns true for any word. `holds` receives the word, the word before and the
/// word after.
fn any_word(
    question: &str,
    holds: impl Fn(&str, Option<&String>, Option<&String>) -> bool,
) -> bool {
    let words = plain(before_options(question));
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        holds(word, before, words.get(at + 1))
    })
}

/// Returns the number of words in a question, without its options.
pub fn count(question: &str) -> usize {
    words(before_options(question)).count()
}

/// True if a question contains a negation. The `no` in `yes or no` does not count.
pub fn has_negation(question: &str) -> bool {
    any_word(question, |word, before, after| {
        let is_answer = is_in(&["or", "yes", "answer"], before) || is_in(&["or", "yes"], after);
        NEGATIONS.contains(&word) || word.ends_with("n't") || (word == "no" && !is_answer)
    })
}

/// True if a question contains a number, in digits or as a word. The word `one` does not count.
pub fn has_number(question: &str) -> bool {
    any_word(question, |word, _, _| {
        NUMBERS.contains(&word) || word.chars().any(|c| c.is_ascii_digit())
    })
}

/// True if a question contains a word for a direction or a side.
pub fn has_direction(question: &str) -> bool {
    any_word(question, |word, before, after| {
        let is_else = match word {
            "right" => is_in(&ANSWER_WORDS, after),
            "left" => is_in(&["are"], before),
            "above" | "below" => is_in(&PROMPT_PARTS, before),
            _ => false,
        };
        DIRECTIONS.contains(&word) && !is_else
    })
}

/// Returns the kind of a question as an index into [`KINDS`]. Only the last sentence with a
/// question mark is used. Phrases at the start of a clause come first, then phrases anywhere in the
/// sentence.
pub fn kind(question: &str) -> usize {
    let question = before_options(question);
    let sentence = question.rfind('?').map_or(question, |end| {
        let before = question.get(..end).unwrap_or_default();
        let line = before.rsplit(['?', '!', '\n']).next().unwrap_or(before);
        line.rsplit(". ").next().unwrap_or(line)
    });
    let first = sentence.split([',', ':']).find_map(|clause| {
        let words = plain(clause);
        phrase(&BEGINNING, &words).or_else(|| phrase(&ASKING, &words))
    });
    let name = first.or_else(|| {
        let words = plain(sentence);
        (0..words.len()).find_map(|at| phrase(&ASKING, words.get(at..).unwrap_or_default()))
    });
    let name = name.unwrap_or("other");
    KINDS.iter().position(|kind| *kind == name).unwrap_or(OTHER)
}

/// Returns the kind of the first phrase that `words` starts with.
fn phrase(phrases: &[(&[&str], &'static str)], words: &[String]) -> Option<&'static str> {
    let begins = |phrase: &[&str]| {
        words.len() >= phrase.len() && phrase.iter().zip(words).all(|(a, b)| a == b)
    };
    let found = phrases.iter().find(|(phrase, _)| begins(phrase));
    found.map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::{KINDS, count, has_direction, has_negation, has_number, kind};

    #[test]
    fn a_question_has_the_kind_of_the_words_that_ask() {
        for (question, expected) in [
            ("How many dogs are there?", "how many"),
            ("In the picture, how many dogs are there?", "how many"),
            ("Count the dogs.", "how many"),
            ("What is the number of dogs?", "what"),
            ("What colour is the car?", "what color"),
            ("What is the color of the car?", "what color"),
            ("<image>\nIs there a car? Answer yes or no.", "is there"),
            ("Are the dogs brown?", "yes or no"),
            ("If the light is red, can the car go?", "yes or no"),
            (
                "Hint: choose a letter.\nQuestion: Where is the cat?\nA. what\nB. how?",
                "where",
            ),
            ("The ball is on which side?", "which"),
            ("How far away is the tree?", "how far"),
            ("Look. How far away is the 1.5 m wide car?", "how far"),
            ("Why is it dark?", "why"),
            ("Describe the scene.", "other"),
            ("图中有几只狗？", "other"),
        ] {
            assert_eq!(KINDS[kind(question)], expected, "{question}");
        }
    }

    #[test]
    fn words_are_counted_without_options_and_marks() {
        assert_eq!(count("<image 1>\nIs it red?"), 3);
        assert_eq!(count("Which is it?\n(A) a red one\n(B) none"), 3);
        assert_eq!(count("Which is it?\nOptions: A: red, B: none"), 3);
        assert_eq!(count(""), 0);
    }

    #[test]
    fn the_no_of_yes_or_no_is_not_a_negation() {
        for question in ["Which is not red?", "Isn’t it red?", "Is there no car?"] {
            assert!(has_negation(question), "{question}");
        }
        for question in ["Is it red? Answer yes or no.", "Which knot?\nA. not\nB. no"] {
            assert!(!has_negation(question), "{question}");
        }
    }

    #[test]
    fn words_with_another_meaning_are_not_directions() {
        for question in [
            "What is left of the car?",
            "Is it to the top-right?",
            "Go 'North'?",
        ] {
            assert!(has_direction(question), "{question}");
        }
        for question in [
            "What is the right answer?",
            "In the image above, is it red?",
            "How many are left?",
            "Is it red?\nA. left\nB. right",
        ] {
            assert!(!has_direction(question), "{question}");
        }
    }

    #[test]
    fn numbers_are_digits_or_words() {
        assert!(has_number("Are there 3 dogs?") && has_number("Are there Two dogs?"));
        assert!(!has_number("<image 1> Which one is it?"));
    }
}
