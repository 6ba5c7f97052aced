//! Marks the differences between a text answer and the target.

use ratatui::style::Modifier;
use ratatui::text::Span;
use similar::{ChangeTag, TextDiff};

use crate::widget::theme::Theme;
use base::format::visible;

/// Maximum number of characters for a comparison by letters. Longer texts are compared by words.
const SHORT: usize = 60;
/// Maximum number of characters of texts that are compared.
const LONGEST: usize = 2_000;

/// Returns the target with missing parts struck out and added parts underlined. Returns `None` if
/// the texts are equal, or have almost nothing in common.
pub fn difference(theme: &Theme, target: &str, answer: &str) -> Option<Vec<Span<'static>>> {
    let longest = target.chars().count().max(answer.chars().count());
    if target == answer || longest > LONGEST || target.is_empty() || answer.is_empty() {
        return None;
    }
    let difference = if longest <= SHORT {
        TextDiff::from_chars(target, answer)
    } else {
        TextDiff::from_words(target, answer)
    };
    if difference.ratio() < 0.5 {
        return None;
    }
    let span = |(tag, text): (ChangeTag, String)| {
        let text = visible(&text).into_owned();
        match tag {
            ChangeTag::Equal => Span::styled(text, theme.text()),
            ChangeTag::Delete => {
                Span::styled(text, theme.target().add_modifier(Modifier::CROSSED_OUT))
            }
            ChangeTag::Insert => {
                Span::styled(text, theme.prediction().add_modifier(Modifier::UNDERLINED))
            }
        }
    };
    let mut runs: Vec<(ChangeTag, String)> = Vec::new();
    for change in difference.iter_all_changes() {
        match runs.last_mut() {
            Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
            _ => runs.push((change.tag(), change.value().to_owned())),
        }
    }
    Some(runs.into_iter().map(span).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_is_struck_out_and_what_is_added_underlined() {
        let theme = Theme::named("dark").unwrap();
        let marked = |target, answer| {
            let spans = difference(&theme, target, answer)?;
            let mark = |span: &Span<'_>| {
                let style = span.style.add_modifier;
                match style {
                    _ if style.contains(Modifier::CROSSED_OUT) => format!("-{}-", span.content),
                    _ if style.contains(Modifier::UNDERLINED) => format!("+{}+", span.content),
                    _ => span.content.to_string(),
                }
            };
            Some(spans.iter().map(mark).collect::<String>())
        };
        assert_eq!(marked("WEST 24", "WEST 29").unwrap(), "WEST 2-4-+9+");
        assert_eq!(marked("same", "same"), None);
        assert_eq!(marked("abc", "xyz"), None);
    }
}
