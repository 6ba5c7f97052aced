//! Reads numbers in words: English numbers of any size, and small numbers in other languages.

use std::sync::LazyLock;

use super::page::{Kind, Page};
use super::phrases::Phrases;

/// Meaning of a word in a number.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// Zero to nineteen, and synonyms of these.
    Small(f64),
    /// Twenty to ninety.
    Tens(f64),
    /// Hundred or dozen: multiplies the number before it.
    Times(f64),
    /// Thousand and larger: multiplies the whole group before it.
    Group(f64),
    /// Half, quarter or third.
    Share(f64),
    /// Couple, pair and similar: can itself be counted.
    Pair(f64),
}

static PARTS: LazyLock<Phrases<Part>> = LazyLock::new(|| {
    const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
    const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
    let small = (0_u8..)
        .zip(SMALL.split(' '))
        .map(|(value, word)| (word, Part::Small(f64::from(value))));
    let tens = (2_u8..)
        .zip(TENS.split(' '))
        .map(|(value, word)| (word, Part::Tens(f64::from(value) * 10.0)));
    let others = [
        ("hundred", Part::Times(1e2)),
        ("dozen", Part::Times(12.0)),
        ("thousand", Part::Group(1e3)),
        ("million", Part::Group(1e6)),
        ("billion", Part::Group(1e9)),
        ("half|halves", Part::Share(0.5)),
        ("quarter|quarters|fourth|fourths", Part::Share(0.25)),
        ("third|thirds", Part::Share(1.0 / 3.0)),
        ("couple|pair|duo", Part::Pair(2.0)),
        ("nil|nought|naught", Part::Small(0.0)),
        ("trio|triplet", Part::Pair(3.0)),
        ("quartet", Part::Pair(4.0)),
        ("quintet", Part::Pair(5.0)),
        ("sextet", Part::Pair(6.0)),
        ("octet", Part::Pair(8.0)),
        ("single|lone|sole", Part::Small(1.0)),
        ("fourty", Part::Tens(40.0)),
    ];
    let all: Vec<(&str, Part)> = small.chain(tens).chain(others).collect();
    Phrases::of(&all)
});

static FOREIGN: LazyLock<Phrases<f64>> = LazyLock::new(|| {
    Phrases::of(&[
        ("null|cero|zéro|ноль|영|〇|零", 0.0),
        ("eins|uno|один|одна|하나|一", 1.0),
        ("zwei|deux|dos|dois|duas|due|два|две|둘|二|两|兩", 2.0),
        ("drei|trois|tres|três|tre|три|셋|三", 3.0),
        ("vier|quatre|cuatro|quatro|quattro|четыре|넷|四", 4.0),
        ("fünf|cinq|cinco|cinque|пять|다섯|五", 5.0),
        ("sechs|seis|sei|шесть|여섯|六", 6.0),
        ("sieben|sept|siete|sete|sette|семь|일곱|七", 7.0),
        ("acht|huit|ocho|oito|otto|восемь|여덟|八", 8.0),
        ("neun|neuf|nueve|nove|девять|아홉|九", 9.0),
        ("zehn|dix|diez|dez|dieci|десять|열|十", 10.0),
        ("elf|onze|once|undici|одиннадцать", 11.0),
        ("zwölf|douze|doce|doze|dodici|двенадцать", 12.0),
        ("dreizehn|treize|trece|treze|tredici|тринадцать", 13.0),
        (
            "vierzehn|quatorze|catorce|catorze|quattordici|четырнадцать",
            14.0,
        ),
        ("fünfzehn|quinze|quince|quindici|пятнадцать", 15.0),
        (
            "sechzehn|seize|dieciséis|dezesseis|sedici|шестнадцать",
            16.0,
        ),
        (
            "siebzehn|dix-sept|diecisiete|dezessete|diciassette|семнадцать",
            17.0,
        ),
        (
            "achtzehn|dix-huit|dieciocho|dezoito|diciotto|восемнадцать",
            18.0,
        ),
        (
            "neunzehn|dix-neuf|diecinueve|dezenove|diciannove|девятнадцать",
            19.0,
        ),
        ("vingt|veinte|vinte|venti|zwanzig|двадцать", 20.0),
        ("dreißig|trente|treinta|trinta|trenta|тридцать", 30.0),
        ("vierzig|quarante|cuarenta|quarenta|quaranta|сорок", 40.0),
        (
            "fünfzig|cinquante|cincuenta|cinquenta|cinquanta|пятьдесят",
            50.0,
        ),
        (
            "sechzig|soixante|sesenta|sessenta|sessanta|шестьдесят",
            60.0,
        ),
        ("siebzig|septante|setenta|settanta|семьдесят", 70.0),
        (
            "achtzig|quatre-vingt|quatre-vingts|ochenta|oitenta|ottanta|восемьдесят",
            80.0,
        ),
        ("neunzig|nonante|noventa|novanta|девяносто", 90.0),
    ])
});

/// Reads the number in words at a piece; also returns its number of pieces.
pub(super) fn at(page: &Page, start: usize) -> Option<(f64, usize)> {
    if !matches!(page.kind(start), Some(Kind::Word | Kind::Ideograph)) {
        return None;
    }
    if let Some(found) = english(page, start) {
        return Some(found);
    }
    if page.kind(start) == Some(Kind::Ideograph) {
        return chinese(page, start);
    }
    let (length, tens) = FOREIGN.at(page, start)?;
    let ones = ones(page, start + length).filter(|(ones, _)| is_room(tens, *ones));
    Some(ones.map_or((tens, length), |(ones, more)| (tens + ones, length + more)))
}

/// Returns true if the number `ones` can follow `tens`; French counts in twenties above 60.
fn is_room(tens: f64, ones: f64) -> bool {
    let room = if matches!(tens, 60.0 | 80.0) {
        20.0
    } else {
        10.0
    };
    tens >= 20.0 && (1.0..room).contains(&ones)
}

/// Reads the number that follows tens in other languages: '-deux', 'et un', 'y dos'.
fn ones(page: &Page, at: usize) -> Option<(f64, usize)> {
    let is_joint = page.is(at, '-') && page.glued(at) || matches!(page.lower(at), "et" | "y" | "e");
    let next = at + usize::from(is_joint);
    if is_joint && matches!(page.lower(next), "un" | "une" | "um" | "uma" | "unième") {
        return Some((1.0, next + 1 - at));
    }
    let (length, value) = FOREIGN.at(page, next)?;
    Some((value, next + length - at))
}

/// Running value of the words read so far.
#[derive(Default)]
struct Sum {
    total: f64,
    current: Option<f64>,
    /// Value of the last part, which the next part must be below.
    room: f64,
}

/// Reads a number in English words; returns its value and its number of pieces.
fn english(page: &Page, start: usize) -> Option<(f64, usize)> {
    let article = matches!(page.lower(start), "a" | "an");
    let mut at = start + usize::from(article);
    let mut sum = Sum {
        room: f64::INFINITY,
        ..Sum::default()
    };
    let mut end = start;
    if article
        && !matches!(
            PARTS.at(page, at)?.1,
            Part::Times(_) | Part::Group(_) | Part::Share(_) | Part::Pair(_) | Part::Small(1.0)
        )
    {
        return None;
    }
    // 'A third one' is the last of three, but 'a second car' is a different car.
    let is_ordinal = article && matches!(page.lower(at), "third" | "fourth" | "quarter");
    if is_ordinal
        && page.is_word(at + 1)
        && page.lower(at + 1) != "of"
        && super::units::at(page, at + 1).is_none()
        && !matches!(page.lower(at + 1), "a" | "an")
    {
        return None;
    }
    while at < start + 40 {
        let joined = end > start
            && (page.is(at, '-') && page.glued(at)
                || matches!(page.lower(at), "and" | "of" | "a" | "an"));
        if joined {
            let of = page.lower(at) == "of";
            let next = at + 1 + usize::from(matches!(page.lower(at + 1), "a" | "an"));
            let part = PARTS.at(page, next).map(|(_, part)| part);
            let fits = match part {
                Some(Part::Times(_) | Part::Group(_)) => {
                    of || page.is(at, '-') || matches!(page.lower(at), "a" | "an")
                }
                Some(Part::Share(_)) => {
                    page.lower(at) == "and" && next == at + 2 || page.is(at, '-')
                }
                Some(Part::Small(value) | Part::Tens(value)) => {
                    let joined = sum.room >= 100.0 || page.is(at, '-');
                    !of && value < sum.room && joined
                }
                _ => false,
            };
            let share = page.lower(at) == "and" && matches!(part, Some(Part::Share(_)));
            if !(fits || share) {
                break;
            }
            at = next;
            if let Some(Part::Share(value)) = part.filter(|_| share) {
                sum.current = Some(sum.current.unwrap_or_default() + value);
                end = at + 1;
                break;
            }
        }
        let Some((length, part)) = PARTS.at(page, at) else {
            break;
        };
        if !sum.add(part) {
            break;
        }
        at += length;
        end = at;
    }
    (end > start).then(|| (sum.total + sum.current.unwrap_or_default(), end - start))
}

impl Sum {
    /// Adds a part; returns false if the part begins another number.
    fn add(&mut self, part: Part) -> bool {
        match part {
            Part::Small(value) | Part::Pair(value) => {
                if value >= self.room || self.current == Some(0.0) {
                    return false;
                }
                self.current = Some(self.current.unwrap_or_default() + value);
                self.room = 0.0;
            }
            Part::Tens(value) => {
                if self.room < 100.0 {
                    return false;
                }
                self.current = Some(self.current.unwrap_or_default() + value);
                self.room = 10.0;
            }
            Part::Times(value) => {
                let fraction = self.current.is_some_and(|current| current < 1.0);
                if self.current.is_some_and(|current| current >= 100.0) {
                    return false;
                }
                self.current = Some(self.current.unwrap_or(1.0) * value);
                self.room = if fraction { 0.0 } else { value };
            }
            Part::Group(value) => {
                if self.current.is_none() && self.total > 0.0 {
                    return false;
                }
                self.total += self.current.take().unwrap_or(1.0) * value;
                self.room = value;
            }
            Part::Share(value) => {
                self.current = Some(self.current.unwrap_or(1.0) * value);
                self.room = 0.0;
            }
        }
        true
    }
}

/// Reads one to ninety-nine in Chinese characters.
fn chinese(page: &Page, start: usize) -> Option<(f64, usize)> {
    let digit = |at: usize| {
        FOREIGN
            .at(page, at)
            .filter(|(length, value)| *length == 1 && *value < 10.0)
            .map(|(_, value)| value)
    };
    let ten = |at: usize| page.lower(at) == "十";
    if ten(start) {
        let ones = digit(start + 1);
        return Some((
            10.0 + ones.unwrap_or_default(),
            1 + usize::from(ones.is_some()),
        ));
    }
    let first = digit(start)?;
    // The character 一 in a compound like 一些 is not a number.
    if page.lower(start) == "一"
        && matches!(
            page.lower(start + 1),
            "些" | "样" | "直" | "起" | "共" | "般" | "定"
        )
    {
        return None;
    }
    if ten(start + 1) {
        let ones = digit(start + 2);
        return Some((
            first * 10.0 + ones.unwrap_or_default(),
            2 + usize::from(ones.is_some()),
        ));
    }
    match page.lower(start + 1) {
        "百" => Some(hundreds(page, start, first)),
        "千" | "万" | "萬" | "億" | "亿" => None,
        _ => Some((first, 1)),
    }
}

/// Reads hundreds in Chinese characters, with the tens and units after them: 三百二十.
fn hundreds(page: &Page, start: usize, first: f64) -> (f64, usize) {
    let zero = usize::from(matches!(page.lower(start + 2), "零" | "〇"));
    let (rest, length) = chinese(page, start + 2 + zero)
        .filter(|(rest, _)| *rest < 100.0)
        .map_or((0.0, 0), |(rest, length)| (rest, length + zero));
    (first * 100.0 + rest, 2 + length)
}

#[cfg(test)]
mod tests {
    use super::{Page, at};

    #[test]
    fn words_of_any_size() {
        for (words, number) in [
            ("zero", 0.0),
            ("Nineteen", 19.0),
            ("twenty-one", 21.0),
            ("thirty two", 32.0),
            ("one hundred and five", 105.0),
            ("a hundred", 100.0),
            ("fifteen hundred", 1500.0),
            ("two thousand three hundred and one", 2301.0),
            ("a dozen", 12.0),
            ("half a dozen", 6.0),
            ("two dozen", 24.0),
            ("a couple of hundred", 200.0),
            ("three and a half", 3.5),
            ("half a", 0.5),
            ("three quarters", 0.75),
            ("a pair", 2.0),
            ("twenty-twelve", 20.0),
            ("二十三", 23.0),
            ("sieben", 7.0),
        ] {
            assert_eq!(
                at(&Page::of(words), 0).map(|(value, _)| value),
                Some(number),
                "{words}"
            );
        }
        assert_eq!(at(&Page::of("hundreds"), 0), None);
        assert_eq!(at(&Page::of("a cat"), 0), None);
    }
}
