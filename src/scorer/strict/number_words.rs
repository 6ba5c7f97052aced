//! English number words, zero to ninety-nine.

/// Zero to nineteen, each at its own index.
const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// Twenty to ninety.
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// A pattern for one number word, such as `seven`, `twenty-one` or `thirty two`.
pub(super) fn pattern() -> String {
    let (tens, ones, small) = (TENS.join("|"), SMALL[1..10].join("|"), SMALL.join("|"));
    format!(r"\b(?:(?:{tens})(?:[\s-]?(?:{ones}))?|{small})\b")
}

/// The number that a word stands for, whatever its case.
pub(super) fn value(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    small(&word).or_else(|| {
        (2_u8..).zip(TENS).find_map(|(ten, name)| {
            let rest = word.strip_prefix(name)?;
            let ones = rest.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
            let ones = if ones.is_empty() {
                Some(0.0)
            } else {
                small(ones).filter(|ones| *ones < 10.0)
            };
            Some(f64::from(ten) * 10.0 + ones?)
        })
    })
}

/// Zero to nineteen.
fn small(word: &str) -> Option<f64> {
    let place = (0_u8..).zip(SMALL).find(|(_, name)| *name == word);
    place.map(|(number, _)| f64::from(number))
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn words_up_to_ninety_nine() {
        for (word, number) in [
            ("zero", 0.0),
            ("Nineteen", 19.0),
            ("twenty-one", 21.0),
            ("thirty two", 32.0),
            ("ninetynine", 99.0),
            ("forty", 40.0),
        ] {
            assert_eq!(value(word), Some(number), "{word}");
        }
        assert_eq!(value("hundred"), None);
        assert_eq!(value("twenty-twelve"), None);
    }
}
