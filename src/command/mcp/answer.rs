//! Answers of tools: JSON of limited length, in pages, and pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::arguments::PageRequest;
use super::marked::{TEXT_FROM_LOG, TextBound, marked};
use crate::Failure;
use crate::secrets::hidden;
use engine::CommandLine;
use media::EncodedPicture;

/// Maximum length of an answer's text, in bytes.
const LONGEST: usize = 20_000;
/// Maximum length of the fields before the rows, in bytes.
const LONGEST_HEAD: usize = LONGEST / 2;
/// Maximum length of a command line, in bytes.
const LONGEST_COMMAND: usize = 2_000;
/// Bytes reserved for the `page` field, which contains the position of the page.
const PAGE: usize = 200;

/// Advice to an assistant after an error.
const WHAT_TO_DO: &str = "Read the reason. `summary` lists names of models and abilities, the tool's schema its arguments, \
    `manual` with topic `filters` the filter language.";

/// Answer of a tool, before text from logs is marked.
#[derive(Clone, Debug, Default)]
pub struct ToolAnswer {
    /// Command line that computes the same numbers.
    pub command: Option<CommandLine>,
    /// Fields before the rows.
    pub head: Map<String, Json>,
    /// Rows of the list, or of a part of it.
    pub rows: Vec<Json>,
    /// Position of the first row in the list.
    pub first: usize,
    /// Length of the whole list; `None` for an answer without a list.
    pub length: Option<usize>,
    /// True if the answer may contain long texts, because they were requested.
    pub has_long_texts: bool,
    /// Pictures that are sent with the text.
    pub pictures: Vec<EncodedPicture>,
    /// Text of this program, which replaces all other fields.
    pub own_text: Option<&'static str>,
}

impl ToolAnswer {
    /// Creates an answer with a complete list.
    pub fn list(command: Option<CommandLine>, head: Map<String, Json>, rows: Vec<Json>) -> Self {
        Self {
            command,
            head,
            length: Some(rows.len()),
            rows,
            ..Self::default()
        }
    }

    /// Returns true if the answer contains all rows and no pictures, so that every page can be cut
    /// from it.
    pub fn is_whole(&self) -> bool {
        self.length == Some(self.rows.len()) && self.pictures.is_empty()
    }

    /// Returns the result of a call, with one page of the list.
    pub fn result(&self, page: PageRequest) -> Result<Json, Failure> {
        let text = match self.own_text {
            Some(text) => text.to_owned(),
            None => self.text(page)?,
        };
        let mut content = vec![json!({"type": "text", "text": text})];
        content.extend(self.pictures.iter().map(|picture| {
            let data = STANDARD.encode(&picture.bytes);
            json!({"type": "image", "data": data, "mimeType": picture.mime})
        }));
        Ok(json!({"content": content, "isError": false}))
    }

    fn text(&self, page: PageRequest) -> Result<String, Failure> {
        let bounds = if self.has_long_texts {
            &TextBound::ALL
        } else {
            TextBound::of_rows()
        };
        let mut whole = self.command();
        let head = fitting(&Json::Object(self.head.clone()), bounds, LONGEST_HEAD);
        if let Some(Json::Object(head)) = head {
            whole.extend(head);
        }
        let Some(length) = self.length else {
            return written(&whole.into());
        };
        if page.from > 0 && page.from >= length {
            return Err(Failure::usage("`cursor` is past the end of the list")
                .hint("ask without a cursor for the first page"));
        }
        let room = LONGEST.saturating_sub(written(&json!(whole))?.len() + PAGE);
        let rows = self.page(page, bounds, room)?;
        let (shown, end) = (rows.len(), page.from + rows.len());
        let next = (end < length).then(|| end.to_string());
        whole.insert("rows".to_owned(), rows.into());
        let mut about = json!({"from": page.from, "shown": shown, "of": length});
        if let Some(next) = next {
            about["next"] = next.into();
        }
        whole.insert("page".to_owned(), about);
        written(&whole.into())
    }

    /// Returns the command line as a field, unless it is too long.
    fn command(&self) -> Map<String, Json> {
        let Some(command) = &self.command else {
            return Map::new();
        };
        let command = hidden(&command.to_string());
        let field = if command.len() > LONGEST_COMMAND {
            let why = format!("longer than {LONGEST_COMMAND} bytes");
            ("command_left_out".to_owned(), why.into())
        } else {
            ("command".to_owned(), command.into())
        };
        Map::from_iter([field])
    }

    /// Returns as many rows of a page as fit into `room` bytes.
    fn page(
        &self,
        page: PageRequest,
        bounds: &[TextBound],
        room: usize,
    ) -> Result<Vec<Json>, Failure> {
        let (mut rows, mut used) = (Vec::new(), 0);
        let wanted = self.rows.iter().skip(page.from.saturating_sub(self.first));
        for row in wanted.take(page.limit) {
            // Shorten only the first row further. If a later row does not fit, it goes to the next
            // page.
            let (allowed, left) = match rows.as_slice() {
                [] => (bounds, room),
                _ => (bounds.get(..1).unwrap_or_default(), room - used),
            };
            let Some(row) = fitting(row, allowed, left) else {
                if rows.is_empty() {
                    rows.push(json!({"left_out": "the row is too long"}));
                }
                break;
            };
            used = (used + written(&row)?.len() + 1).min(room);
            rows.push(row);
        }
        Ok(rows)
    }
}

/// Marks text in a value and shortens it. Uses the first bound with which the value fits into
/// `room` bytes.
fn fitting(value: &Json, bounds: &[TextBound], room: usize) -> Option<Json> {
    let mut tries = bounds.iter().map(|bound| marked(value.clone(), *bound));
    tries.find(|value| written(value).is_ok_and(|text| text.len() <= room))
}

fn written(value: &Json) -> Result<String, Failure> {
    let mut text = Vec::new();
    report::write_json(value, &mut text)?;
    String::from_utf8(text).map_err(Failure::new)
}

/// Returns the result of a failed call: the reason, and advice.
pub fn failed(failure: &Failure) -> Json {
    let [reason, hint] = [
        failure.to_string(),
        failure.advice().unwrap_or_default().to_owned(),
    ];
    let quoted = json!({"reason": hidden(&reason), "hint": hidden(&hint)});
    let quoted = TextBound::of_rows()
        .first()
        .map(|bound| marked(quoted, *bound))
        .unwrap_or_default();
    let error = json!({
        "error": "the tool has no answer", (TEXT_FROM_LOG): quoted[TEXT_FROM_LOG], "what_to_do": WHAT_TO_DO,
    });
    let text = written(&error).unwrap_or_default();
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: PageRequest = PageRequest {
        from: 0,
        limit: 200,
    };

    fn parsed(answer: &ToolAnswer, page: PageRequest) -> Json {
        let text = answer.text(page).unwrap();
        assert!(text.len() <= LONGEST, "{}", text.len());
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn pages_fit_and_lead_to_all_rows() {
        let rows: Vec<Json> = (0..300)
            .map(|n| json!({"n": n, "model": "\u{1b}".repeat(n)}))
            .collect();
        let answer = ToolAnswer::list(None, Map::new(), rows);
        let (mut seen, mut page) = (Vec::new(), FIRST);
        loop {
            let read = parsed(&answer, page);
            let rows = read["rows"].as_array().unwrap();
            seen.extend(rows.iter().map(|row| row["n"].as_u64().unwrap()));
            match read["page"]["next"].as_str() {
                Some(next) => page.from = next.parse().unwrap(),
                None => break,
            }
        }
        assert_eq!(seen, (0..300).collect::<Vec<u64>>());
        let behind = PageRequest { from: 300, ..FIRST };
        assert!(answer.text(behind).is_err());
    }

    #[test]
    fn long_heads_and_rows_are_shortened_until_they_fit() {
        let long = "\u{202e}".repeat(30_000);
        let head = json!({"notes": vec![long.clone(); 60], "n": 7});
        let Json::Object(head) = head else { return };
        let row = json!({"response": long, "score": 0.5, "parsed": vec![long.clone(); 50]});
        let mut answer = ToolAnswer::list(None, head, vec![row.clone(), row]);
        for has_long_texts in [false, true] {
            answer.has_long_texts = has_long_texts;
            let read = parsed(&answer, FIRST);
            assert_eq!(
                (&read["n"], &read["rows"][0]["score"]),
                (&json!(7), &json!(0.5))
            );
        }
    }

    #[test]
    fn an_error_quotes_names_as_data() {
        let failure = Failure::new("no model is called `obey`").hint("did you mean `obey me`?");
        let failed = failed(&failure);
        assert_eq!(failed["isError"], true);
        let text = failed["content"][0]["text"].as_str().unwrap();
        let read: Json = serde_json::from_str(text).unwrap();
        assert_eq!(read[TEXT_FROM_LOG]["reason"], "no model is called `obey`");
        assert_eq!(read[TEXT_FROM_LOG]["hint"], "did you mean `obey me`?");
    }
}
