//! Encodes the pictures of a question within the limits of a run: the user's, those of the
//! endpoint's settings, and those of known servers.

use std::sync::Arc;

use reqwest::Url;
use serde_json::{Map, Value as Json, json};

use super::asking::Asking;
use super::changed::Changed;
use crate::client::Picture;
use media::{MissingPicture, Opened, PictureLimits, Source};

/// Bytes of a file that a limit of base64 characters leaves: four characters hold three bytes.
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
}

/// Encodes a sample's pictures within the limits; also returns what was changed. `first` is the
/// first picture, which is open already.
///
/// # Errors
/// A picture is missing, broken, or damaged and not to be sent.
pub(super) fn encoded(
    sources: &[Source],
    mut first: Option<Opened>,
    changed: &Changed,
    asking: &Asking,
) -> Result<(Vec<Arc<Picture>>, Vec<String>), MissingPicture> {
    let limits = asking.pictures.limits(sources.len());
    let (mut pictures, mut made) = (Vec::new(), Vec::new());
    for (at, source) in sources.iter().enumerate() {
        let edits = if at == 0 {
            &changed.first
        } else {
            &changed.others
        };
        let opened = match first.take() {
            Some(opened) => opened,
            None => Opened::new(source)?,
        };
        let opened = opened.within(limits);
        let (encoded, how) = opened.encoded(edits, asking.sends_damaged)?;
        made.extend(how.words().map(|words| match sources.len() {
            1 => words,
            _ => format!("picture {}: {words}", at + 1),
        }));
        let picture = Picture::new(encoded.bytes, encoded.mime, encoded.size);
        pictures.push(Arc::new(picture));
    }
    Ok((pictures, made))
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
    use super::*;

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
}
