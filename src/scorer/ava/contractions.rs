//! Holds the contraction table of the VQA evaluation, as copied by AVA-Bench's evaluators.
//!
//! It is applied to both sides of a comparison, so oddities like `somebody'd` matter. Entries that
//! cannot match lower-cased words (`Im`, `Ive`) or change nothing (`let's`, `she's`, `'ow'sat`) are
//! left out.

/// Returns the word that the evaluation substitutes for `word`; `None` if it keeps `word`.
pub(super) fn expanded(word: &str) -> Option<&'static str> {
    let place = CONTRACTIONS
        .binary_search_by_key(&word, |entry| entry.0)
        .ok()?;
    CONTRACTIONS.get(place).map(|entry| entry.1)
}

/// Words that lack apostrophes, with their replacement; sorted by word.
const CONTRACTIONS: [(&str, &str); 113] = [
    ("'ows'at", "'ow's'at"),
    ("aint", "ain't"),
    ("arent", "aren't"),
    ("cant", "can't"),
    ("couldn'tve", "couldn't've"),
    ("couldnt", "couldn't"),
    ("couldnt've", "couldn't've"),
    ("couldve", "could've"),
    ("didnt", "didn't"),
    ("doesnt", "doesn't"),
    ("dont", "don't"),
    ("hadn'tve", "hadn't've"),
    ("hadnt", "hadn't"),
    ("hadnt've", "hadn't've"),
    ("hasnt", "hasn't"),
    ("havent", "haven't"),
    ("he'dve", "he'd've"),
    ("hed", "he'd"),
    ("hed've", "he'd've"),
    ("hes", "he's"),
    ("howd", "how'd"),
    ("howll", "how'll"),
    ("hows", "how's"),
    ("isnt", "isn't"),
    ("it'dve", "it'd've"),
    ("itd", "it'd"),
    ("itd've", "it'd've"),
    ("itll", "it'll"),
    ("maam", "ma'am"),
    ("mightn'tve", "mightn't've"),
    ("mightnt", "mightn't"),
    ("mightnt've", "mightn't've"),
    ("mightve", "might've"),
    ("mustnt", "mustn't"),
    ("mustve", "must've"),
    ("neednt", "needn't"),
    ("notve", "not've"),
    ("oclock", "o'clock"),
    ("oughtnt", "oughtn't"),
    ("ow's'at", "'ow's'at"),
    ("shant", "shan't"),
    ("she'dve", "she'd've"),
    ("shed've", "she'd've"),
    ("shouldn'tve", "shouldn't've"),
    ("shouldnt", "shouldn't"),
    ("shouldnt've", "shouldn't've"),
    ("shouldve", "should've"),
    ("somebody'd", "somebodyd"),
    ("somebody'dve", "somebody'd've"),
    ("somebodyd've", "somebody'd've"),
    ("somebodyll", "somebody'll"),
    ("somebodys", "somebody's"),
    ("someone'dve", "someone'd've"),
    ("someoned", "someone'd"),
    ("someoned've", "someone'd've"),
    ("someonell", "someone'll"),
    ("someones", "someone's"),
    ("something'dve", "something'd've"),
    ("somethingd", "something'd"),
    ("somethingd've", "something'd've"),
    ("somethingll", "something'll"),
    ("thats", "that's"),
    ("there'dve", "there'd've"),
    ("thered", "there'd"),
    ("thered've", "there'd've"),
    ("therere", "there're"),
    ("theres", "there's"),
    ("they'dve", "they'd've"),
    ("theyd", "they'd"),
    ("theyd've", "they'd've"),
    ("theyll", "they'll"),
    ("theyre", "they're"),
    ("theyve", "they've"),
    ("twas", "'twas"),
    ("wasnt", "wasn't"),
    ("we'dve", "we'd've"),
    ("wed've", "we'd've"),
    ("werent", "weren't"),
    ("weve", "we've"),
    ("whatll", "what'll"),
    ("whatre", "what're"),
    ("whats", "what's"),
    ("whatve", "what've"),
    ("whens", "when's"),
    ("whered", "where'd"),
    ("wheres", "where's"),
    ("whereve", "where've"),
    ("who'dve", "who'd've"),
    ("whod", "who'd"),
    ("whod've", "who'd've"),
    ("wholl", "who'll"),
    ("whos", "who's"),
    ("whove", "who've"),
    ("whyll", "why'll"),
    ("whyre", "why're"),
    ("whys", "why's"),
    ("wont", "won't"),
    ("wouldn'tve", "wouldn't've"),
    ("wouldnt", "wouldn't"),
    ("wouldnt've", "wouldn't've"),
    ("wouldve", "would've"),
    ("y'all'dve", "y'all'd've"),
    ("y'alld've", "y'all'd've"),
    ("y'allll", "y'all'll"),
    ("yall", "y'all"),
    ("yall'd've", "y'all'd've"),
    ("yall'll", "y'all'll"),
    ("you'dve", "you'd've"),
    ("youd", "you'd"),
    ("youd've", "you'd've"),
    ("youll", "you'll"),
    ("youre", "you're"),
    ("youve", "you've"),
];

#[cfg(test)]
mod tests {
    use super::{CONTRACTIONS, expanded};

    #[test]
    fn table_is_sorted_for_the_search() {
        assert!(CONTRACTIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(expanded("dont"), Some("don't"));
        assert_eq!(expanded("somebody'd"), Some("somebodyd"));
        assert_eq!(expanded("red"), None);
    }
}
