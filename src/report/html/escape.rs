//! Escapes text for HTML.

use std::borrow::Cow;

use super::Cell;
use base::format::visible;

/// Escapes text for HTML and makes control characters visible.
pub fn escape(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    if !text.contains(['<', '>', '&', '"', '\'']) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// Text of a cell, within its link.
pub fn anchor(cell: &Cell) -> Cow<'_, str> {
    let text = escape(&cell.text);
    let Some(id) = &cell.link else {
        return text;
    };
    let place = |place: Option<usize>| place.map(|place| place.to_string()).unwrap_or_default();
    let choice = cell.choice.map(|choice| {
        let (model, subgroup) = (place(choice.model), place(choice.subgroup));
        let marks = if choice.only_wrong { "wu" } else { "" };
        format!(" data-f=\"{model}.{subgroup}.{marks}\"")
    });
    let (id, choice) = (escape(id), choice.unwrap_or_default());
    format!("<a href=\"#{id}\"{choice}>{text}</a>").into()
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markup_and_controls_are_taken_literally() {
        assert_eq!(
            escape("<script>\"a\" & 'b'</script>\u{202e}\u{1b}\n"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;�␛↵"
        );
        assert_eq!(escape("plain – text"), "plain – text");
    }
}
