//! The options' own texts, and where a response mentions them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::directions;
use super::page::{Kind, Page};
use super::phrases::Words;
use super::synonyms::akin;
use record::Choice;

/// Words before and behind which a thing is another thing.
static BEFORE: LazyLock<Words> = LazyLock::new(|| {
    Words::list(
        "hot dog|hot dogs|corn dog|corn dogs|prairie dog|prairie dogs|chili dog|sea horse|sea horses|sea lion|sea lions|rocking horse|rocking horses|saw horse|cat fish|guinea pig|guinea pigs|\
        sea cow|sea cows|lady bird|toy car|dragon fly|butter fly|teddy bear|teddy bears|cable car|cable cars|hot plate|eye glasses|flower pot|flower pots|bed room|sun flower|sun glasses|tea cup|polka dot|polka dots|polka dotted|ground plane|image plane|picture plane|focal plane",
    )
});

static BEHIND: LazyLock<Words> = LazyLock::new(|| {
    Words::list(
        "house|houses|food|bowl|leash|collar|toy|toys|fish|shoe|shoes|tail|costume|trailer|park|stop|lane|track|station|holder|food|litter|kennel|bone|bones|\
         tag|statue|sculpture|whisperer|walker|race|races|fly|flies|stand|show|cart|carriage|saddle|show|racing|riding|cushion|wash|shop",
    )
});

/// What a hyphen may join to an option without making another thing of it: 'left-hand'.
static JOINS: LazyLock<Words> = LazyLock::new(|| {
    Words::list(
        "hand|side|sided|most|ward|wards|facing|colored|coloured|handed|looking|view|hued|type",
    )
});

static ARTICLE: LazyLock<Words> = LazyLock::new(|| {
    Words::list(
        "a|an|the|ein|eine|der|die|das|un|une|le|la|les|el|los|las|una|o|os|as|um|uma|il|lo|gli",
    )
});

/// What an option whose text is 'right' is not.
static RIGHT: LazyLock<Words> = LazyLock::new(|| {
    Words::list(
        "right answer|right option|right choice|right one|right letter|right now|right away|right here",
    )
});
static ALL_RIGHT: LazyLock<Words> = LazyLock::new(|| {
    Words::list("that's right|that is right|you're right|you are right|all right|is right")
});

/// A piece of an option's text.
struct Word {
    text: Box<str>,
    /// A mark stands before it in the option.
    marked: bool,
}

/// The texts of a question's options.
pub(super) struct Texts {
    by_first: HashMap<Box<str>, Vec<usize>>,
    words: Vec<Vec<Word>>,
    /// Length of the longest text in pieces.
    longest: usize,
    /// A text is a direction of two words.
    has_pairs: bool,
}

/// An option mentioned by its text.
pub(super) struct Mention {
    pub option: usize,
    pub pieces: Range<usize>,
}

impl Texts {
    pub fn of(options: &[Choice]) -> Self {
        let texts: Vec<Vec<Word>> = options.iter().map(|option| words(&option.text)).collect();
        let mut by_first: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        for (option, first) in texts
            .iter()
            .enumerate()
            .filter_map(|(at, text)| Some((at, text.first()?)))
        {
            for form in forms(&first.text) {
                by_first.entry(form.into()).or_default().push(option);
            }
        }
        for (option, [_, second]) in
            (texts.iter().enumerate()).filter_map(|(option, text)| Some((option, pair(text)?)))
        {
            by_first.entry(second.into()).or_default().push(option);
        }
        let length = |option: &usize| texts.get(*option).map_or(0, Vec::len);
        for found in by_first.values_mut() {
            found.sort_by_key(|option| std::cmp::Reverse(length(option)));
        }
        let longest = texts.iter().map(Vec::len).max().unwrap_or_default();
        Self {
            has_pairs: texts.iter().any(|text| pair(text).is_some()),
            by_first,
            words: texts,
            longest,
        }
    }

    /// Every mention between two pieces, the longest text first where several start at one piece.
    pub fn mentions(&self, page: &Page, range: Range<usize>) -> Vec<Mention> {
        let mut found: Vec<Mention> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            match self.at(page, at, range.end) {
                Some(mention) => {
                    at = mention.pieces.end;
                    // 'dark red' may end where a longer text begins, but the one that was read first stands.
                    found.push(mention);
                }
                None => at += 1,
            }
        }
        found
    }

    /// The option whose text is exactly what stands between two pieces, apart from articles and marks.
    pub fn whole(&self, page: &Page, range: Range<usize>) -> Option<usize> {
        let start = range
            .clone()
            .find(|at| page.is_alphanumeric(*at) && !ARTICLE.has(page, *at))
            .or(range.clone().find(|at| page.is_alphanumeric(*at)))?;
        if range.len() > 3 * self.longest + 8 {
            return None;
        }
        let candidates = self.by_first.get(page.lower(start))?;
        candidates.iter().copied().find(|option| {
            let end = self.matches(page, start, *option);
            end.is_some_and(|end| (end..range.end).all(|at| !page.is_alphanumeric(at)))
        })
    }

    fn at(&self, page: &Page, at: usize, end: usize) -> Option<Mention> {
        let candidates = self.by_first.get(page.lower(at))?;
        for option in candidates {
            let Some(to) = self.matches(page, at, *option).filter(|to| *to <= end) else {
                continue;
            };
            let pieces = at..to;
            let is_half = self.has_pairs && pieces.len() == 1 && directions::is_half(page, at);
            if is_whole(page, &pieces) && !is_half {
                return Some(Mention {
                    option: *option,
                    pieces,
                });
            }
        }
        None
    }

    /// The end of an option's text that starts at a piece.
    fn matches(&self, page: &Page, start: usize, option: usize) -> Option<usize> {
        let text = self.words.get(option)?;
        ends(page, start, text.iter()).or_else(|| {
            pair(text)?;
            ends(page, start, text.iter().rev())
        })
    }
}

/// The end of words that start at a piece.
fn ends<'a>(page: &Page, start: usize, text: impl Iterator<Item = &'a Word>) -> Option<usize> {
    let mut at = start;
    for (place, word) in text.enumerate() {
        if place > 0 {
            while page.is_any(at, "-'\"")
                || word.marked && matches!(page.kind(at), Some(Kind::Mark(_)))
            {
                at += 1;
            }
        }
        if !same(page.lower(at), &word.text) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// The two words of a direction such as 'front left', whose order says nothing.
fn pair(text: &[Word]) -> Option<[&str; 2]> {
    match text {
        [one, other] if directions::is_pair(&one.text, &other.text) => {
            Some([&one.text, &other.text])
        }
        _ => None,
    }
}

/// The words of an option's text; its marks only where it has no words.
fn words(text: &str) -> Vec<Word> {
    let page = Page::of(text);
    let mut words = Vec::new();
    let mut marked = false;
    for at in 0..page.len() {
        if page.is_alphanumeric(at) {
            words.push(Word {
                text: page.lower(at).into(),
                marked,
            });
            marked = false;
        } else {
            marked = true;
        }
    }
    if words.is_empty() {
        return (0..page.len())
            .map(|at| Word {
                text: page.lower(at).into(),
                marked: false,
            })
            .collect();
    }
    // 'To the left of' is said without its first words as well.
    if matches!(words.as_slice(), [to, the, _, ..] if &*to.text == "to" && &*the.text == "the") {
        words.drain(..2);
        return words;
    }
    let articles = (0..page.len())
        .filter(|at| page.is_alphanumeric(*at))
        .take_while(|at| ARTICLE.has(&page, *at))
        .count();
    if articles < words.len() {
        words.drain(..articles.min(1));
    }
    words
}

/// The forms in which a word may stand: as it is, in the plural or singular, and as other words of its meaning.
fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    let akin = akin(word).iter().filter(|other| **other != word);
    forms.extend(akin.map(|other| (*other).to_owned()));
    if word.len() >= 3 && word.chars().all(char::is_alphabetic) && word.is_ascii() {
        forms.push(format!("{word}s"));
        forms.push(format!("{word}es"));
        if let Some(stem) = word.strip_suffix('y') {
            forms.push(format!("{stem}ies"));
        }
        if let Some(stem) = word.strip_suffix("es").filter(|stem| stem.len() >= 3) {
            forms.push(stem.to_owned());
        }
        if let Some(stem) = word
            .strip_suffix('s')
            .filter(|stem| stem.len() >= 3 && !stem.ends_with('s'))
        {
            forms.push(stem.to_owned());
        }
    }
    forms
}

/// Returns true if two words differ at most in number, or are of one meaning.
fn same(a: &str, b: &str) -> bool {
    if a == b || akin(a).contains(&b) {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.len() < 3 || !short.is_ascii() || !short.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        return false;
    }
    long.strip_prefix(short)
        .is_some_and(|rest| rest == "s" && !short.ends_with('s') || rest == "es")
        || short
            .strip_suffix('y')
            .is_some_and(|stem| long.strip_prefix(stem) == Some("ies"))
}

/// Returns true if a mention is no part of a longer word, number or name of another thing.
pub(super) fn is_whole(page: &Page, pieces: &Range<usize>) -> bool {
    if !page.alone(pieces) {
        return false;
    }
    let (start, end) = (pieces.start, pieces.end);
    let number = |at: usize| page.kind(at) == Some(Kind::Number);
    if start > 1
        && page.glued(start)
        && page.is_any(start - 1, "-.,/")
        && page.glued(start - 1)
        && page.is_alphanumeric(start - 2)
    {
        let joined = page.is(start - 1, '-') || number(start) && number(start - 2);
        if joined {
            return false;
        }
    }
    if page.glued(end)
        && page.is_any(end, "-.,/")
        && page.glued(end + 1)
        && page.is_alphanumeric(end + 1)
    {
        let joined =
            page.is(end, '-') && !JOINS.has(page, end + 1) || number(end - 1) && number(end + 1);
        if joined {
            return false;
        }
    }
    if start > 0 && BEFORE.length(page, start - 1) > 1 {
        return false;
    }
    if end - start == 1 && page.lower(start) == "right" {
        let said = start > 0
            && (1..3).any(|back| {
                start.checked_sub(back).is_some_and(|at| {
                    let length = ALL_RIGHT.length(page, at);
                    length > back
                        && (page.lower(at) != "is" || at > 0 && page.text(at - 1).len() == 1)
                })
            });
        if said || RIGHT.has(page, start) {
            return false;
        }
    }
    !(page.kind(end - 1) == Some(Kind::Word) && BEHIND.has(page, end) && !page.glued(end))
}
