//! Finds the name that the user probably meant by a misspelt word.

/// Maximum number of letters that are compared.
const LETTERS: usize = 200;

/// Returns the similarity of a name and a word, from 0 to 1. Compares the word with the whole name,
/// its beginning and its parts.
fn likeness(name: &str, word: &str) -> f64 {
    let [name, word] = [name, word].map(|text| {
        let letters: String = text.chars().take(LETTERS).collect();
        letters.to_lowercase()
    });
    let beginning: String = name.chars().take(word.chars().count() + 1).collect();
    name.split(|c: char| !c.is_alphanumeric())
        .chain([name.as_str(), &beginning])
        .map(|part| strsim::jaro_winkler(part, &word))
        .fold(0.0, f64::max)
}

/// Returns the most similar names, best first.
pub fn nearest<'a>(
    names: impl IntoIterator<Item = &'a str>,
    word: &str,
    most: usize,
) -> Vec<&'a str> {
    let mut found: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (likeness(name, word), name))
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.truncate(most);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Minimum similarity of a misspelt word and the intended name.
const MISSPELT: f64 = 0.8;

/// Returns the name that the user probably meant; `None` if no name is similar enough.
pub fn closest_name<'a>(names: impl IntoIterator<Item = &'a str>, word: &str) -> Option<&'a str> {
    let name = nearest(names, word, 1).into_iter().next()?;
    (likeness(name, word) >= MISSPELT).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{closest_name, nearest};

    #[test]
    fn another_name_is_not_a_misspelt_one() {
        let names = ["scene_understanding", "color", "siglip2_qwen2"];
        assert_eq!(closest_name(names, "visual_grounding"), None);
        assert_eq!(closest_name(names, "LVIS"), None);
        assert_eq!(closest_name(names, "colour"), Some("color"));
        assert_eq!(closest_name(names, "siglp2"), Some("siglip2_qwen2"));
    }

    #[test]
    fn a_part_of_a_long_name_is_enough() {
        let names = [
            "dinov2_qwen2_lora_epoch_10",
            "siglip2_qwen2_lora_epoch_10",
            "sam",
        ];
        assert_eq!(nearest(names, "siglp2", 1), [names[1]]);
        assert_eq!(nearest(names, "DINO2", 1), [names[0]]);
        assert_eq!(
            nearest(["counting", "color", "ocr"], "cuonting", 1),
            ["counting"]
        );
        assert!(nearest([], "x", 3).is_empty());
    }
}
