//! Reuses the messages and sampling parameters recorded in a log.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::asking::Asking;
use super::changed::ContentMove;
use super::content::text_moved;
use super::direction::TransformRefusal;
use super::marks::{with_pictures, woven};
use crate::client::{Picture, Role, Sampling, Turn as Message};
use record::{Content, Sent, SentPart};

/// Name of the log's own wording in answer keys.
pub const VERSION: &str = "as-logged-1";
/// Returns true if a wording version means the log's own messages.
pub fn is_logged(version: &str) -> bool {
    version.ends_with(VERSION)
}

/// Maximum stop sequences that servers accept.
const MOST_STOPS: usize = 4;

/// Returns the messages of a log, with pictures in place of the log's marks. Words and numbers are
/// adapted to the moved pictures.
///
/// # Errors
/// A word or number may be a position that cannot be moved.
pub fn messages(
    sent: &Sent,
    pictures: &[Arc<Picture>],
    moves: &[ContentMove],
) -> Result<Vec<Message>, TransformRefusal> {
    let said = |text: &str| {
        moves.iter().try_fold(text.to_owned(), |text, moving| {
            text_moved(&text, &moving.before, moving.by, moving.words)
        })
    };
    let part = |part: &SentPart| match part {
        SentPart::Text(text) => said(text).map(SentPart::Text),
        SentPart::Picture(at) => Ok(SentPart::Picture(*at)),
    };
    let message = |message: &record::SentMessage| {
        let parts: Result<Vec<_>, TransformRefusal> = message.parts.iter().map(part).collect();
        Ok(Message {
            role: if message.by_model {
                Role::Assistant
            } else {
                Role::User
            },
            parts: woven(&parts?, pictures),
        })
    };
    let messages = with_pictures(&sent.messages, pictures.len());
    messages.iter().map(message).collect()
}

/// Sampling parameters of a log, as far as it records them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generation {
    /// The temperature; 0 for greedy decoding.
    pub temperature: Option<f64>,
    top_p: Option<f64>,
    max_tokens: Option<u32>,
    seed: Option<u64>,
    stop: Vec<String>,
}

impl Generation {
    /// Parses the harness's own settings: `generation_kwargs` of lmms-eval and lm-eval,
    /// `GenerateConfig` of Inspect.
    pub fn of(content: &Content) -> Self {
        let text = content
            .sent
            .as_ref()
            .and_then(|sent| sent.generation.as_deref());
        let told: Option<Map<String, Json>> = text.and_then(|text| serde_json::from_str(text).ok());
        let Some(told) = told else {
            return Self::default();
        };
        let number = |names: &[&str]| names.iter().find_map(|name| told.get(*name)?.as_f64());
        let whole = |names: &[&str]| names.iter().find_map(|name| told.get(*name)?.as_u64());
        let drawn = told.get("do_sample").and_then(Json::as_bool);
        let stops = ["until", "stop_seqs", "stop"]
            .iter()
            .find_map(|name| told.get(*name));
        let stops = match stops {
            Some(Json::Array(stops)) => stops.iter().filter_map(Json::as_str).collect(),
            Some(Json::String(stop)) => vec![stop.as_str()],
            _ => Vec::new(),
        };
        let stops = stops
            .into_iter()
            .filter(|stop| !stop.is_empty())
            .take(MOST_STOPS);
        Self {
            temperature: if drawn == Some(false) {
                Some(0.0)
            } else {
                number(&["temperature"])
            },
            top_p: number(&["top_p"]).filter(|_| drawn != Some(false)),
            max_tokens: whole(&["max_new_tokens", "max_gen_toks", "max_tokens"])
                .and_then(|most| u32::try_from(most).ok()),
            seed: whole(&["seed"]),
            stop: stops.map(str::to_owned).collect(),
        }
    }

    /// Fills in the log's parameters where the user sets none.
    pub fn fill(self, sampling: &mut Sampling, asking: &Asking) {
        if let (Some(most), false) = (self.max_tokens, asking.bounds_length) {
            sampling.max_tokens = Some(most);
        }
        sampling.top_p = sampling.top_p.or(self.top_p);
        sampling.seed = sampling.seed.or(self.seed);
        if !self.stop.is_empty() {
            let stop = sampling.extra.entry("stop");
            stop.or_insert_with(|| json!(self.stop));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changed::EditedContent;
    use crate::client::Part;
    use crate::content::{Move, TurnWords};
    use record::{LabelledBox, SentMessage};

    fn content(generation: &str) -> Content {
        Content {
            sent: Some(Box::new(Sent {
                generation: Some(generation.to_owned()),
                ..Sent::default()
            })),
            ..Content::default()
        }
    }

    #[test]
    fn what_the_log_says_of_drawing_is_taken_unless_the_user_says_otherwise() {
        let logged = content(
            r#"{"until": ["\n\n"], "do_sample": false, "max_new_tokens": 16, "temperature": 0.7}"#,
        );
        let generation = Generation::of(&logged);
        assert_eq!(generation.temperature, Some(0.0), "nothing was drawn");
        let mut sampling = Sampling {
            max_tokens: Some(1024),
            ..Sampling::default()
        };
        let mut asking = Asking::default();
        generation.clone().fill(&mut sampling, &asking);
        assert_eq!(
            (sampling.max_tokens, sampling.extra.get("stop")),
            (Some(16), Some(&json!(["\n\n"])))
        );
        let mut sampling = Sampling {
            max_tokens: Some(1024),
            ..Sampling::default()
        };
        asking.bounds_length = true;
        generation.fill(&mut sampling, &asking);
        assert_eq!(sampling.max_tokens, Some(1024));
        assert_eq!(Generation::of(&content("no JSON")), Generation::default());
    }

    #[test]
    fn messages_are_those_of_the_log_and_turn_with_the_picture() {
        let text = "Where is the car?\n\nA) top left\nB) at the top\u{2028}";
        let sent = Sent {
            messages: vec![SentMessage {
                by_model: false,
                parts: vec![SentPart::Text(text.to_owned()), SentPart::Picture(0)],
            }],
            ..Sent::default()
        };
        let picture = Arc::new(Picture::new(vec![1], "image/png", (1, 1)));
        let said = |by: Option<Move>| {
            let moves: Vec<ContentMove> = by
                .into_iter()
                .map(|by| ContentMove {
                    before: Content::default(),
                    by,
                    words: TurnWords::On,
                })
                .collect();
            messages(&sent, std::slice::from_ref(&picture), &moves).unwrap()
        };
        let [only] = said(None).try_into().unwrap();
        assert_eq!(
            only,
            Message::user(vec![
                Part::Text(text.to_owned()),
                Part::Picture(Arc::clone(&picture))
            ])
        );
        let half = Move::turned(media::Turn::EACH[2], (4, 4));
        let [turned] = said(Some(half)).try_into().unwrap();
        assert_eq!(
            turned.parts[0],
            Part::Text("Where is the car?\n\nA) bottom right\nB) at the bottom\u{2028}".to_owned())
        );
    }

    #[test]
    fn coordinates_in_messages_lie_on_the_upright_picture() {
        let sent = Sent {
            messages: vec![SentMessage {
                by_model: false,
                parts: vec![SentPart::Text(
                    "Is the thing at [10, 0, 30, 20] on the left?".to_owned(),
                )],
            }],
            ..Sent::default()
        };
        // Stored 100 x 50, and shown rotated by 90 degrees clockwise.
        let orientation = media::Orientation::turned(media::Turn::EACH[1]);
        let asked = Content {
            question: "Is the thing at [10, 0, 30, 20] on the left?".to_owned(),
            boxes: vec![LabelledBox {
                number: None,
                label: String::new(),
                role: record::Role::Reference,
                xyxy: [10.0, 0.0, 30.0, 20.0],
                color: None,
            }],
            ..Content::default()
        };
        let changed = EditedContent::upright(&asked, orientation, (100, 50)).unwrap();
        let [only] = messages(&sent, &[], &changed.moves)
            .unwrap()
            .try_into()
            .unwrap();
        let upright = "Is the thing at [30, 10, 50, 30] on the left?";
        assert_eq!(only.parts, [Part::Text(upright.to_owned())]);
        assert_eq!(changed.content.question, upright);
    }
}
