//! Encodes the pictures of a question within the limits of a run: the user's, those of the
//! endpoint's settings, and those of known servers.

use std::path::Path;
use std::sync::Arc;

use reqwest::Url;
use serde_json::{Map, Value as Json, json};

use super::asking::Asking;
use super::changed::EditedContent;
use crate::client::Picture;
use media::{MissingPicture, OpenedPicture, PictureLimits, Source};

/// Returns the file size in bytes that fits into a number of base64 characters: 3 bytes for 4
/// characters.
const fn of_base64(characters: u64) -> u64 {
    characters / 4 * 3
}

/// Documented limits of a server.
#[derive(Debug, PartialEq, Eq)]
struct Server {
    /// Beginning and end of the host's name.
    host: (&'static str, &'static str),
    /// Limits of each picture.
    each: PictureLimits,
    /// Longest side in pixels if a request has more than this number of pictures.
    many: Option<(usize, u32)>,
    /// Bytes of all pictures of a request together.
    all: u64,
}

/// Room for the texts of a request, in characters.
const TEXTS: u64 = 200_000;

/// Documented limits of servers.
///
/// Sources, read in 2026: <https://platform.claude.com/docs/en/build-with-claude/vision> (a picture
/// is measured as base64), <https://docs.aws.amazon.com/bedrock> (Messages API), and
/// <https://console.groq.com/docs/vision>.
const SERVERS: [Server; 3] = [
    Server {
        host: ("api.anthropic.com", ""),
        each: PictureLimits {
            max_side: Some(8_000),
            max_pixels: None,
            max_bytes: Some(of_base64(5 << 20)),
            quality: None,
        },
        many: Some((20, 2_000)),
        all: of_base64(32_000_000 - TEXTS),
    },
    Server {
        host: ("bedrock-runtime.", ".amazonaws.com"),
        each: PictureLimits {
            max_side: Some(8_000),
            max_pixels: None,
            max_bytes: Some(3_750_000),
            quality: None,
        },
        many: None,
        all: of_base64(20_000_000 - TEXTS),
    },
    Server {
        host: ("api.groq.com", ""),
        each: PictureLimits {
            max_side: None,
            max_pixels: Some(33_177_600),
            max_bytes: None,
            quality: None,
        },
        many: None,
        all: of_base64(4_000_000 - TEXTS),
    },
];

/// Limits of the pictures in the requests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureRules {
    /// Limits that the user set. Each replaces the server's.
    pub own: PictureLimits,
    /// The server, if its limits are known.
    server: Option<&'static Server>,
}

impl PictureRules {
    /// Returns the rules for a server at an address.
    pub fn new(own: PictureLimits, address: &str) -> Self {
        let host = Url::parse(address).ok();
        let host = host.as_ref().and_then(Url::host_str).unwrap_or_default();
        let is_at = |server: &&Server| {
            let (start, end) = server.host;
            host.starts_with(start) && host.ends_with(end) && (host == start || !end.is_empty())
        };
        Self {
            own,
            server: SERVERS.iter().find(is_at),
        }
    }

    /// Returns the limits of each picture in a request with this number of pictures.
    pub fn limits(&self, pictures: usize) -> PictureLimits {
        let Some(server) = self.server else {
            return self.own;
        };
        let mut known = server.each;
        if let Some((_, side)) = server.many.filter(|(most, _)| pictures > *most) {
            known.max_side = Some(side);
        }
        let share = server.all / (pictures as u64).max(1);
        known.max_bytes = Some(known.max_bytes.map_or(share, |most| most.min(share)));
        self.own.or(known)
    }

    /// Returns the limits in effect as JSON, for journals and records; `None` without limits.
    ///
    /// A known server adds its name and its limits for many pictures and for all together.
    pub fn to_json(&self) -> Option<Json> {
        let each = self
            .server
            .map_or(self.own, |server| self.own.or(server.each));
        let mut limits = to_json(&each);
        if let (Some(server), Some(Json::Object(fields))) = (self.server, &mut limits) {
            let (start, end) = server.host;
            let name = if end.is_empty() {
                start.to_owned()
            } else {
                format!("{start}*{end}")
            };
            fields.insert("server".to_owned(), json!(name));
            fields.insert("max_bytes_of_all".to_owned(), json!(server.all));
            if let Some((most, side)) = server.many.filter(|_| self.own.max_side.is_none()) {
                let many = json!({"more_than": most, "max_side": side});
                fields.insert("many_pictures".to_owned(), many);
            }
        }
        limits
    }
}

/// The pictures of a request, before they are encoded.
pub(super) struct RequestPictures<'a> {
    /// The sample's pictures.
    pub(super) sources: &'a [Source],
    /// The first picture, which is open already.
    pub(super) first: Option<OpenedPicture>,
    /// Number of pictures in the request. A repeated picture is sent, and counted, each time.
    pub(super) count: usize,
}

impl RequestPictures<'_> {
    /// Encodes the pictures within the limits, each once; also returns what was changed.
    ///
    /// # Errors
    /// A picture is missing or broken, or it is damaged and the run does not send damaged pictures.
    pub(super) fn encoded(
        mut self,
        changed: &EditedContent,
        asking: &Asking,
    ) -> Result<(Vec<Arc<Picture>>, Vec<String>), MissingPicture> {
        let limits = asking.pictures.limits(self.count);
        let (mut pictures, mut made) = (Vec::new(), Vec::new());
        for (at, source) in self.sources.iter().enumerate() {
            let edits = if at == 0 {
                &changed.first
            } else {
                &changed.others
            };
            let opened = match self.first.take() {
                Some(opened) => opened,
                None => OpenedPicture::new(source)?,
            };
            let opened = opened.within(limits);
            let file = opened.file().map(Path::to_path_buf);
            let (encoded, how) = opened.encoded(edits, asking.sends_damaged)?;
            made.extend(how.words().map(|words| match self.sources.len() {
                1 => words,
                _ => format!("picture {}: {words}", at + 1),
            }));
            let picture = Picture::new(encoded.bytes, encoded.mime, encoded.size)
                .of_file(file.filter(|_| how.is_unchanged()));
            pictures.push(Arc::new(picture));
        }
        Ok((pictures, made))
    }
}

/// Returns the limits that are set, for the parameters of a run.
pub fn to_json(limits: &PictureLimits) -> Option<Json> {
    let fields = [
        ("max_side", limits.max_side.map(u64::from)),
        ("max_pixels", limits.max_pixels),
        ("max_bytes", limits.max_bytes),
        ("quality", limits.quality.map(u64::from)),
    ];
    let set = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
    let set: Map<String, Json> = set.collect();
    (!set.is_empty()).then_some(Json::Object(set))
}

/// Returns limits from the parameters of a run.
pub fn from_json(told: Option<&Json>) -> PictureLimits {
    let number = |name: &str| told?.get(name)?.as_u64();
    PictureLimits {
        max_side: number("max_side").and_then(|side| u32::try_from(side).ok()),
        max_pixels: number("max_pixels"),
        max_bytes: number("max_bytes"),
        quality: number("quality").and_then(|quality| u8::try_from(quality).ok()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use media::Drawing;
    use record::{Content, Record, Sent, SentMessage, SentPart};

    use super::*;
    use crate::question::Question;
    use crate::sample::Sample;
    use crate::step::Step;

    fn rules(address: &str) -> PictureRules {
        PictureRules::new(PictureLimits::default(), address)
    }

    #[test]
    fn known_servers_are_told_by_their_host() {
        let anthropic = rules("https://api.anthropic.com/v1");
        let few = anthropic.limits(20);
        // 1,192,500 bytes for each of 20 pictures: (32e6 - 2e5) / 4 * 3 / 20.
        assert_eq!(
            (few.max_side, few.max_bytes),
            (Some(8_000), Some(1_192_500))
        );
        assert_eq!(anthropic.limits(1).max_bytes, Some(3_932_160));
        assert_eq!(anthropic.limits(21).max_side, Some(2_000));
        let groq = rules("https://api.groq.com/openai/v1").limits(2);
        assert_eq!(
            (groq.max_pixels, groq.max_bytes),
            (Some(33_177_600), Some(1_425_000))
        );
        let bedrock = rules("https://bedrock-runtime.eu-west-1.amazonaws.com/v1").limits(1);
        assert_eq!(bedrock.max_bytes, Some(3_750_000));
        for other in [
            "http://localhost:8000/v1",
            "https://api.anthropic.com.example.org/v1",
            "https://example.org/api.groq.com",
            "builtin:hog",
        ] {
            assert_eq!(rules(other).limits(50), PictureLimits::default(), "{other}");
        }
    }

    #[test]
    fn limits_of_the_user_replace_known_ones_and_come_back_from_a_journal() {
        let own = PictureLimits {
            max_side: Some(9_000),
            quality: Some(80),
            ..PictureLimits::default()
        };
        let limits = PictureRules::new(own, "https://api.anthropic.com").limits(30);
        assert_eq!((limits.max_side, limits.quality), (Some(9_000), Some(80)));
        assert!(limits.max_bytes.is_some());
        let told = to_json(&own);
        assert_eq!(told, Some(json!({"max_side": 9_000, "quality": 80})));
        assert_eq!(from_json(told.as_ref()), own);
        assert_eq!(to_json(&PictureLimits::default()), None);
    }

    #[test]
    fn the_limits_in_effect_name_the_server_that_documents_them() {
        // 3 bytes for 4 characters: 5 MiB hold 3,932,160 bytes, 31.8e6 characters 23,850,000.
        let anthropic = json!({
            "server": "api.anthropic.com", "max_side": 8_000, "max_bytes": 3_932_160,
            "max_bytes_of_all": 23_850_000, "many_pictures": {"more_than": 20, "max_side": 2_000},
        });
        let known = "https://api.anthropic.com/v1";
        assert_eq!(rules(known).to_json(), Some(anthropic));
        let own = PictureLimits {
            max_side: Some(500),
            ..PictureLimits::default()
        };
        // The user's longest side applies to any number of pictures.
        let both = json!({
            "server": "api.anthropic.com", "max_side": 500, "max_bytes": 3_932_160,
            "max_bytes_of_all": 23_850_000,
        });
        assert_eq!(PictureRules::new(own, known).to_json(), Some(both));
        let own_alone = PictureRules::new(own, "http://localhost:8000/v1").to_json();
        assert_eq!(own_alone, Some(json!({"max_side": 500})));
        assert_eq!(rules("http://localhost:8000/v1").to_json(), None);
        let bedrock = rules("https://bedrock-runtime.eu-west-1.amazonaws.com/v1").to_json();
        assert_eq!(
            bedrock.unwrap()["server"],
            "bedrock-runtime.*.amazonaws.com"
        );
    }

    /// A question of a log that shows its only picture, of 2100 x 1 pixels, several times.
    fn repeated(times: usize) -> Question {
        let picture = Drawing::filled(2_100, [9, 9, 9]).crop([0, 0, 2_100, 1]);
        let source = Source::Inline(STANDARD.encode(picture.png().unwrap().bytes));
        let mut parts = vec![SentPart::Picture(0); times];
        parts.push(SentPart::Text("What?".to_owned()));
        let sent = Sent {
            messages: vec![SentMessage {
                by_model: false,
                parts,
            }],
            ..Sent::default()
        };
        let sample = Sample {
            record: Record {
                content: Content {
                    question: "What?".to_owned(),
                    sent: Some(Box::new(sent)),
                    ..Content::default()
                },
                ..Record::default()
            },
            pictures: vec![source],
            format: "own".to_owned(),
            before: None,
            turned: BTreeMap::new(),
        };
        let asking = Asking {
            pictures: rules("https://api.anthropic.com/v1"),
            ..Asking::default()
        };
        Question::new(&sample, &Step::default(), &asking).unwrap()
    }

    #[test]
    fn a_repeated_picture_counts_each_time() {
        let few = repeated(20);
        assert_eq!((few.request.pictures().count(), few.made), (20, Vec::new()));
        let many = repeated(21);
        assert_eq!(many.request.pictures().count(), 21);
        let scaled = "PNG, scaled from 2100 x 1 to 2000 x 1".to_owned();
        assert_eq!(many.made, [scaled]);
    }
}
