//! Shortens names and paths by omitting the parts that all of them share.

/// Minimum length, in characters, of a shared part to omit it.
const SHARED: usize = 8;

/// The prefix and suffix that all names share, in whole words. Empty if they are short, or if they
/// would leave nothing of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedEnds([String; 2]);

impl SharedEnds {
    /// Finds the parts that the names share.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let backwards = |name: &str| -> String { name.chars().rev().collect() };
        let names: Vec<String> = names.map(str::to_owned).collect();
        let reversed: Vec<String> = names.iter().map(|name| backwards(name)).collect();
        let (start, end) = (shared_start(&names), shared_start(&reversed));
        let shortest = names.iter().map(String::len).min().unwrap_or_default();
        if start.len() + end.len() >= shortest {
            return Self::default();
        }
        Self([start.to_owned(), backwards(end)])
    }

    /// Returns a name without the shared prefix and suffix.
    pub fn cut<'n>(&self, name: &'n str) -> &'n str {
        let Self([start, end]) = self;
        let short = name.strip_prefix(start.as_str());
        let short = short.and_then(|rest| rest.strip_suffix(end.as_str()));
        short.unwrap_or(name)
    }

    /// Returns a pattern with the shared parts: `*_qwen2_lora`. Returns `None` if nothing is
    /// omitted.
    pub fn pattern(&self) -> Option<String> {
        let Self(ends) = self;
        Some(ends.join("*")).filter(|names| names != "*")
    }

    /// Returns `full names: *_qwen2_lora`; `None` if nothing is omitted.
    pub fn words(&self) -> Option<String> {
        let names = self.pattern()?;
        Some(format!("full names: {}", base::format::visible(&names)))
    }
}

/// Returns the prefix that all names share, in whole words. Empty if the prefix is short.
fn shared_start(names: &[String]) -> &str {
    let Some((first, others)) = names.split_first() else {
        return "";
    };
    let common = |other: &String| -> usize {
        let pairs = first.chars().zip(other.chars());
        let pairs = pairs.take_while(|(a, b)| a == b);
        pairs.map(|(a, _)| a.len_utf8()).sum()
    };
    let length = others.iter().map(common).min().unwrap_or_default();
    let shared = first.get(..length).unwrap_or_default();
    let end = shared.rfind(|c: char| !c.is_alphanumeric());
    let end = end.filter(|end| *end >= SHARED);
    end.and_then(|end| shared.get(..=end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(names: &[&str]) -> [String; 2] {
        SharedEnds::new(names.iter().copied()).0
    }

    #[test]
    fn names_lose_long_words_that_all_share_and_keep_what_differs() {
        let lora = ["dinov2_qwen2_lora_10", "siglip2_qwen2_lora_10"];
        assert_eq!(ends(&lora), ["", "_qwen2_lora_10"]);
        let vendor = ["lmms-lab/llava-7b", "lmms-lab/llava-13b"];
        assert_eq!(ends(&vendor), ["lmms-lab/llava-", ""]);
        let nested = ["base_model_large", "base_model_large_2"];
        assert_eq!(ends(&nested), ["base_model_", ""]);
        let whole = ["base-model_of_one", "base-model_of_one"];
        for kept in [
            &["SigLIP-1", "SigLIP-2"][..],
            &["dinov2_qwen2_lora_10"],
            &whole,
            &[],
        ] {
            assert_eq!(ends(kept), ["", ""], "{kept:?}");
        }
    }

    #[test]
    fn what_differs_is_left_of_a_name() {
        let shared = SharedEnds(["runs/today/", ".eyechart.jsonl"].map(str::to_owned));
        assert_eq!(shared.cut("runs/today/clip.eyechart.jsonl"), "clip");
        assert_eq!(shared.cut("other.csv"), "other.csv");
        assert_eq!(
            shared.pattern().as_deref(),
            Some("runs/today/*.eyechart.jsonl")
        );
    }
}
